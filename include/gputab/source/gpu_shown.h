/* gpu_shown: when metrics show a bill's resource with a GPU. That is what makes it a GPU node. */
#ifndef GPUTAB_SOURCE_GPU_SHOWN_H
#define GPUTAB_SOURCE_GPU_SHOWN_H

#include <stdbool.h>

#include "gputab/value/catalogue.h"
#include "gputab/value/inventory.h"

struct gpu_shown;

/* A resource is shown while its node's GPUs have memory samples, while the node's capacity has GPUs, and while the node's labels or the
 * nodes file give it a type that has GPUs in the catalogue. A scale set is shown while one of its machines is. */
struct gpu_shown *gpu_shown_new(const struct inventory *inv, const struct catalogue *c);
void gpu_shown_free(struct gpu_shown *s);                    /* NULL allowed */

/* resource in normal form. */
bool gpu_shown_ever(const struct gpu_shown *s, struct span resource);
bool gpu_shown_in(const struct gpu_shown *s, struct span resource, struct timespan span);

enum { GPU_MICRO = 1000000 };      /* a whole GPU */
/* How many GPUs metrics show on the resource, 10^-6: the larger of those that had samples there and those of the type that they name,
 * meanwhile; 0: none. Not for scale sets. */
int64_t gpu_shown_count_micro(const struct gpu_shown *s, struct span resource, struct timespan span);

#endif
