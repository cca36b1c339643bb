/* history: what samples of records say over time, as step lists: a fact holds from a sample until the next different one. */
#ifndef GPUTAB_SOURCE_HISTORY_H
#define GPUTAB_SOURCE_HISTORY_H

#include <stddef.h>
#include <stdint.h>
#include "gputab/base/span.h"
#include "gputab/base/vec.h"
#include "gputab/value/inventory.h"
#include "gputab/value/sample.h"

enum { HISTORY_SILENT = 0xffffffffu };                 /* a sample that says nothing */

/* How long before its first record a thing may already have been so: see value/inventory. */
#define HISTORY_BACK (10 * TIME_MINUTE)

struct history_record {
    uint32_t key;                  /* the thing it speaks of: index into the step lists */
    uint32_t on, off;              /* what a sample above zero, and one of zero, says of it */
    uint32_t rank;                 /* of records that say different things at one instant the highest counts, then the one that began last,
                                      then the one added last; a zero's rank is 0 */
    time_ms first, first_on;       /* of all its samples, and of those above zero (TIME_MAX: none) */
    struct span packed;            /* its samples in time order, borrowed: looked at where records differ; {NULL, 0}: one, above zero */
};

struct history {
    VEC(struct history_record) records;
};

/* Add in canonical order: it breaks ties. */
void history_add(struct history *h, struct history_record r);

/* Appends steps to the list of every key, which must be empty, and moves each list's first step back by back_ms. The list of key k lies
 * `stride` bytes x k behind *first: the lists may be members of an array of structs. Lists of one step lie in `room`, which has to last as
 * long as they do; NULL: each has memory of its own. Empties h. */
void history_build(struct history *h, struct steps *first, size_t stride, int64_t back_ms, struct arena *room);
void history_free(struct history *h);

#endif
