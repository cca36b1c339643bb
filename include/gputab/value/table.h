/* table: typed cells in rows and columns: the one thing that every renderer shows, so that no format drifts from another.
 * Rows are added once and read as often as wanted; a large table lies on disk (base/spill), and one row of it in memory at a time. */
#ifndef GPUTAB_VALUE_TABLE_H
#define GPUTAB_VALUE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/err.h"
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
    const char *text;              /* CELL_TEXT; of any length, without NUL inside */
    money number;                  /* CELL_MONEY, CELL_HOURS */
};

enum column_kind { COLUMN_KEY, COLUMN_BUCKET, COLUMN_MONEY, COLUMN_HOURS };

struct column {
    const char *name;              /* machine name: JSON key and CSV head, "gpu_cost"; "grade.A" is member A of an object in JSON, grade_A in CSV */
    enum column_kind kind;
    int digits;                    /* decimals of its numbers */
};

struct table_rows;

struct table {                     /* zeroed: empty */
    struct arena strings;          /* names of columns */
    VEC(struct column) columns;
    size_t n_rows;
    struct table_rows *rows;
};

void table_add_column(struct table *t, const char *name, enum column_kind kind, int digits);   /* name is copied */
void table_add_row(struct table *t, const struct cell *cells);     /* one per column; texts are copied */
/* Cells of a row, valid until another row is read. Fast for the row behind the last one read. */
const struct cell *table_row(const struct table *t, size_t row);
const struct cell *table_cell(const struct table *t, size_t row, size_t column);
int table_find(const struct table *t, const char *name);           /* column index, -1 */
/* After reading: -1 when a disk did not give rows back, and what was read counts for nothing. ERR_INTERNAL */
int table_check(const struct table *t, struct err *e) GPUTAB_MUST_CHECK;
void table_free(struct table *t);

#endif
