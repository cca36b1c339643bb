/* inventory (source): puts series together to a picture of the clusters: which GPU is in which node, which pod is which, what labels said
 * when; and gives every series of numbers its place in that picture. */
#ifndef GPUTAB_SOURCE_INVENTORY_H
#define GPUTAB_SOURCE_INVENTORY_H

#include "gputab/base/vec.h"
#include "gputab/source/scrape.h"
#include "gputab/value/inventory.h"
#include "gputab/value/sample.h"

struct sample_list {
    struct sample *v;              /* in time order, times distinct; owned */
    size_t n;
};

/* Series of numbers in canonical order and their samples. No two series are equal in all fields. */
struct sample_store {
    VEC(struct series) series;
    VEC(struct sample_list) lists; /* lists.v[i] belongs to series.v[i] */
};

/* Fills *inv (initialised by the caller) and *store (zeroed) from a finished scrape, whose samples move to the store. Warns (W113) when
 * no GPU memory was found. */
void inventory_build(struct scrape *s, struct inventory *inv, struct sample_store *store);

void sample_store_free(struct sample_store *store);

#endif
