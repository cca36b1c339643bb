/* table: rows of typed cells in one flat array, with their strings in an arena of their own.
 *
 * A table knows nothing of rounding, order or looks: core/ fills it with final values, render/ shows it. */
#include "gputab/value/table.h"

#include <assert.h>
#include <string.h>

const char *table_string(struct table *t, struct span s)
{
    return arena_strndup(&t->strings, s.p, s.n);
}

void table_add_column(struct table *t, const char *name, enum column_kind kind, int digits)
{
    assert(t->n_rows == 0);                            /* rows have their width from the columns */
    vec_push(&t->columns, (struct column){ arena_strdup(&t->strings, name), kind, digits });
}

struct cell *table_add_row(struct table *t)
{
    size_t first = t->cells.n, width = t->columns.n;

    assert(width > 0);
    vec_reserve(&t->cells, first + width);
    for (size_t i = 0; i < width; i++)
        t->cells.v[first + i] = (struct cell){ .type = CELL_NULL };
    t->cells.n += width;
    t->n_rows++;
    return &t->cells.v[first];
}

const struct cell *table_cell(const struct table *t, size_t row, size_t column)
{
    assert(row < t->n_rows && column < t->columns.n);
    return &t->cells.v[row * t->columns.n + column];
}

int table_find(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->columns.n; i++)
        if (strcmp(t->columns.v[i].name, name) == 0)
            return (int)i;
    return -1;
}

void table_free(struct table *t)
{
    vec_free(&t->columns);
    vec_free(&t->cells);
    arena_free(&t->strings);
    t->n_rows = 0;
}
