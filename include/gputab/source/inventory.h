/* inventory (source): puts series together to a picture of the clusters: which GPU is in which node, which pod is which, what labels said
 * when; and gives every series of numbers its place in that picture. What stays is found once, out of an outline; pods and series are those
 * of a window. */
#ifndef GPUTAB_SOURCE_INVENTORY_H
#define GPUTAB_SOURCE_INVENTORY_H

#include "gputab/source/replay.h"
#include "gputab/source/sample_store.h"
#include "gputab/value/inventory.h"

struct inventory_build;

/* Fills *inv (initialised by the caller), all but its pods, from a finished outline, which is borrowed until inventory_close. Warns (W113)
 * when no GPU memory was found. *out is to be closed in any case. */
int inventory_open(struct inventory_build **out, struct replay *outline, struct inventory *inv, struct err *e) GPUTAB_MUST_CHECK;
void inventory_close(struct inventory_build *b);             /* NULL allowed */

/* Replaces the inventory's pods by those of a finished window, which is borrowed until the next one, and fills the store's series and
 * sources. */
int inventory_window(struct inventory_build *b, struct replay *window, struct sample_store *store, struct err *e) GPUTAB_MUST_CHECK;

/* Whether there are numbers of pods that do not say on which node: what they show of nodes is then known only when inventory_show_pods has
 * seen every window once. */
bool inventory_is_placeless(const struct inventory_build *b);
void inventory_show_pods(struct inventory_build *b);

#endif
