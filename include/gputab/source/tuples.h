/* tuples: distinct tuples of string ids, each under its place in the order of the strings, so that a place never depends on the order of
 * arrival. Add all, sort once, then look up. */
#ifndef GPUTAB_SOURCE_TUPLES_H
#define GPUTAB_SOURCE_TUPLES_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/intern.h"

enum { TUPLES_WIDTH = 4 };

struct tuples {
    const struct intern *names;    /* borrowed: what the ids mean */
    struct intern *keys;           /* tuple bytes to id */
    uint32_t width;                /* ids in a tuple, 1 to TUPLES_WIDTH */
    uint32_t n;                    /* distinct tuples, after tuples_sort */
    uint32_t *place;               /* by key id */
    uint32_t *sorted;              /* key ids in order */
};

void tuples_init(struct tuples *t, const struct intern *names, uint32_t width);
void tuples_free(struct tuples *t);
uint32_t tuples_add(struct tuples *t, const uint32_t *ids);  /* before tuples_sort; what tuples_place tells the place of then */
void tuples_sort(struct tuples *t);
uint32_t tuples_place(const struct tuples *t, uint32_t added);
uint32_t tuples_find(const struct tuples *t, const uint32_t *ids);       /* place, or NONE; after tuples_sort */
void tuples_get(const struct tuples *t, uint32_t place, uint32_t *ids);  /* copies width ids */

#endif
