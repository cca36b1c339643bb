/* side_by_side: several tables of the same rows as one table with a column for each. */
#ifndef GPUTAB_CORE_SIDE_BY_SIDE_H
#define GPUTAB_CORE_SIDE_BY_SIDE_H

#include "gputab/base/err.h"
#include "gputab/value/table.h"

struct side {
    const char *name;              /* of its column */
    const struct table *table;     /* in the order of a rollup; NULL: it has none, and its cells are empty */
};

/* Fills *out (zeroed) with the keys and the bucket of the tables' rows and a column of each one's `column` (of money); a row that a table
 * has not is 0 there. The keys are those of the first table; at least one must be there. -1 when a table could not be read (table_check). */
int side_by_side(const struct side *sides, size_t n, const char *column, struct table *out, struct err *e) GPUTAB_MUST_CHECK;

#endif
