/* side_by_side: a merge of sorted tables, row by row, so that none of them is held.
 *
 * Tables of one run have the same rows in the same order unless a row of one has nothing to say; so the next row is the least of the heads,
 * and whoever has it moves on. The order is that of core/rows: what does not apply behind all texts, buckets behind all else. */
#include "gputab/core/side_by_side.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/span.h"
#include "gputab/base/xalloc.h"
#include "gputab/value/entry.h"

struct head {
    size_t next;                   /* row at hand */
    int column;                    /* whose amounts are taken */
};

struct merge {
    const struct side *sides;
    size_t n, keys;                /* sides; key columns, the bucket behind them */
    struct head *heads;
};

static int bucket_rank(const struct cell *c)
{
    int b = 1;

    if (c->type == CELL_NULL)
        return 0;
    while (b < BUCKETS && strcmp(bucket_names[b], c->text) != 0)
        b++;
    return b;
}

static int compare_cells(const struct cell *a, const struct cell *b)
{
    if (a->type == CELL_NULL || b->type == CELL_NULL)
        return (a->type == CELL_NULL) - (b->type == CELL_NULL);
    return span_cmp(span_of(a->text), span_of(b->text));
}

static int compare_rows(const struct cell *a, const struct cell *b, size_t keys)
{
    int x = bucket_rank(&a[keys]), y = bucket_rank(&b[keys]);

    if (!x != !y)
        return x ? 1 : -1;
    for (size_t i = 0; i < keys; i++) {
        int c = compare_cells(&a[i], &b[i]);

        if (c)
            return c;
    }
    return x - y;
}

static const struct cell *row_at(const struct merge *m, size_t i)
{
    const struct table *t = m->sides[i].table;

    return t && m->heads[i].next < t->n_rows ? table_row(t, m->heads[i].next) : NULL;
}

/* A row's cells are valid until another row of its table is read: heads stay where they are. */
static const struct cell *least(const struct merge *m)
{
    const struct cell *best = NULL;

    for (size_t i = 0; i < m->n; i++) {
        const struct cell *row = row_at(m, i);

        if (row && (!best || compare_rows(row, best, m->keys) < 0))
            best = row;
    }
    return best;
}

static void add_row(struct merge *m, const struct cell *row, struct cell *cells, struct table *out)
{
    bool *taken = xcalloc(m->n, sizeof *taken);

    memcpy(cells, row, (m->keys + 1) * sizeof *cells);
    for (size_t i = 0; i < m->n; i++) {
        const struct cell *own = row_at(m, i);
        struct cell *cell = &cells[m->keys + 1 + i];

        *cell = (struct cell){.type = m->sides[i].table ? CELL_MONEY : CELL_NULL};
        taken[i] = own && compare_rows(own, row, m->keys) == 0;
        if (taken[i])
            cell->number = own[m->heads[i].column].number;
    }
    table_add_row(out, cells);
    for (size_t i = 0; i < m->n; i++)
        m->heads[i].next += taken[i];
    free(taken);
}

static void add_columns(const struct merge *m, const struct table *first, const char *column, struct table *out)
{
    int digits = first->columns.v[table_find(first, column)].digits;

    for (size_t i = 0; i <= m->keys; i++)
        table_add_column(out, first->columns.v[i].name, first->columns.v[i].kind, 0);
    for (size_t i = 0; i < m->n; i++) {
        struct buf name = {0};

        buf_addf(&name, "%s.%s", column, m->sides[i].name);
        table_add_column(out, buf_str(&name), COLUMN_MONEY, digits);
        buf_free(&name);
    }
}

static int check(const struct merge *m, struct err *e)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->sides[i].table && table_check(m->sides[i].table, e) < 0)
            return -1;
    return 0;
}

int side_by_side(const struct side *sides, size_t n, const char *column, struct table *out, struct err *e)
{
    struct merge m = {.sides = sides, .n = n, .heads = xcalloc(n, sizeof *m.heads)};
    const struct table *first = NULL;
    const struct cell *row;
    struct cell *cells;

    for (size_t i = 0; i < n; i++) {
        if (sides[i].table)
            m.heads[i].column = table_find(sides[i].table, column);
        first = first ? first : sides[i].table;
    }
    assert(first);
    while (first->columns.v[m.keys].kind == COLUMN_KEY)
        m.keys++;
    add_columns(&m, first, column, out);
    cells = xcalloc(m.keys + 1 + n, sizeof *cells);
    while ((row = least(&m)))
        add_row(&m, row, cells, out);
    free(cells);
    free(m.heads);
    return check(&m, e);
}
