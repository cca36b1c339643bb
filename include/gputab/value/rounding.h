/* rounding: cells rounded so that they sum to their rounded total (as money_round_cells does), without holding them.
 *
 * The cells come in one order, several times over: passes that look, then one that rounds.
 * `struct rounding r = {.digits = 2}; while (rounding_pass(&r)) for each cell: rounding_see(&r, cell);
 * then for each cell: rounded = rounding_next(&r, cell); rounding_free(&r);` */
#ifndef GPUTAB_VALUE_ROUNDING_H
#define GPUTAB_VALUE_ROUNDING_H

#include <stdbool.h>

#include "gputab/value/money.h"

struct rounding {
    int digits;                    /* 0..12: set by the caller, all else zero */
    int pass;
    int shift;                     /* the remainders' bits that are not yet told apart */
    money unit;                    /* one in the last of the digits */
    money total, floors;           /* exact sums of the cells, and of the cells rounded down */
    uint64_t prefix;               /* of the threshold: its bits above shift */
    uint64_t left;                 /* units for remainders that share the prefix, in the cells' order */
    uint32_t *counts;              /* of remainders with that prefix, by their next bits; NULL between passes */
};

/* Whether another pass has to be looked at; begins it. Two passes for two digits and more, three for less. */
bool rounding_pass(struct rounding *r);
void rounding_see(struct rounding *r, money cell);
/* The cell in 10^-12 units, rounded. Cells in the order in which they were seen. */
money rounding_next(struct rounding *r, money cell);
void rounding_free(struct rounding *r);

#endif
