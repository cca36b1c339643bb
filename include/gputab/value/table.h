/* table: typed cells in rows and columns: the one thing that every renderer shows, so that no format drifts from another.
 * Strings are owned by the table's arena. */
#ifndef GPUTAB_VALUE_TABLE_H
#define GPUTAB_VALUE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/vec.h"
#include "gputab/value/money.h"

enum cell_type {
    CELL_NULL,                     /* unknown, or a key that does not apply */
    CELL_TEXT,                     /* text */
    CELL_MONEY,                    /* number: already rounded to the column's digits */
    CELL_HOURS,                    /* number: hours or GiB-hours, 6 digits */
};

struct cell {
    enum cell_type type;
    const char *text;              /* CELL_TEXT */
    money number;                  /* CELL_MONEY, CELL_HOURS */
};

enum column_kind { COLUMN_KEY, COLUMN_BUCKET, COLUMN_MONEY, COLUMN_HOURS };

struct column {
    const char *name;              /* machine name: JSON key and CSV head, "gpu_cost"; "grade.A" is member A of an object in JSON, grade_A in CSV */
    enum column_kind kind;
    int digits;                    /* decimals of its numbers */
};

struct table {
    struct arena strings;
    VEC(struct column) columns;
    VEC(struct cell) cells;        /* row by row: row r, column c at r * columns.n + c */
    size_t n_rows;
};

const char *table_string(struct table *t, struct span s);          /* copy into the arena */
void table_add_column(struct table *t, const char *name, enum column_kind kind, int digits);   /* name is copied */
struct cell *table_add_row(struct table *t);                       /* a row of CELL_NULL; valid until the next one */
const struct cell *table_cell(const struct table *t, size_t row, size_t column);
int table_find(const struct table *t, const char *name);           /* column index, -1 */
void table_free(struct table *t);

#endif
