/* inventory (source): puts series together to a picture of the clusters: which GPU is in which node, which pod is which, what labels said
 * when; and gives every series of numbers its place in that picture. */
#ifndef GPUTAB_SOURCE_INVENTORY_H
#define GPUTAB_SOURCE_INVENTORY_H

#include "gputab/source/sample_store.h"
#include "gputab/source/scrape.h"
#include "gputab/value/inventory.h"

/* Fills *inv (initialised by the caller) and *store (zeroed) from a finished scrape, whose samples move to the store. Warns (W113) when
 * no GPU memory was found. */
int inventory_build(struct scrape *s, struct inventory *inv, struct sample_store *store, struct err *e) GPUTAB_MUST_CHECK;

#endif
