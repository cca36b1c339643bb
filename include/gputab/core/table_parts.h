/* table_parts: a table by the values of its first column: which there are, and each as a report of its own. */
#ifndef GPUTAB_CORE_TABLE_PARTS_H
#define GPUTAB_CORE_TABLE_PARTS_H

#include "gputab/base/intern.h"
#include "gputab/value/report.h"

struct table_run {
    size_t from, to;               /* rows */
};

struct table_part {
    const char *value;             /* of the first column; NULL: it does not apply to these rows */
    const char *bucket;            /* they are a bucket's alone, with its name or nothing as their value; NULL: they are not */
    VEC(struct table_run) runs;    /* in the table's order */
};

struct table_parts {               /* zeroed: none */
    struct intern *names;
    VEC(struct table_part) v;      /* in the order of their first rows */
};

void table_parts_find(struct table_parts *p, const struct table *t);
const struct table_part *table_parts_get(const struct table_parts *p, const char *value);      /* NULL: no row has that value */
void table_parts_free(struct table_parts *p);

/* Fills by, table, totals (billed as if these rows were all) and measured of a zeroed report; rows have the keys that `by` names, in its
 * order. part NULL: no rows. */
void table_part_fill(const struct table *t, const struct table_part *part, const char *const *by, size_t n_by, struct report *out);

#endif
