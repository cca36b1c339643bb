/* table_order: a finished table in another order, or cut to its first rows with the rest in one: no amount changes. */
#ifndef GPUTAB_VALUE_TABLE_ORDER_H
#define GPUTAB_VALUE_TABLE_ORDER_H

#include "gputab/value/table.h"

struct table_order {
    int column;                    /* sorted by it; equal rows keep their order; -1: all do */
    bool descending;               /* what is unknown or does not apply is last either way */
    size_t top;                    /* rows that stay of the ordinary ones, and of those of each bucket; 0: all */
    int no_sum;                    /* a column whose sum means nothing: null in a row of others; -1: none */
};

/* The number of ordinary rows goes to *ordinary. Rows of buckets stay behind them. A row of others has "(12 others)" under the first key,
 * its bucket, and sums; it stands for two or more rows. *t becomes another table of the same columns. ERR_INTERNAL when the disk did not give rows back. */
int table_order(struct table *t, const struct table_order *o, size_t *ordinary, struct err *e) GPUTAB_MUST_CHECK;

#endif
