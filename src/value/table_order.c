/* table_order: sorts what rows are sorted by, not the rows: a number or a text and a place each. The rows stay where they are, on disk when
 * they are many, and are copied into a new table in the new order. What falls behind the first ones is summed up cell by cell: sums of
 * rounded cells are rounded, so that totals remain what they were. */
#include "gputab/value/table_order.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"

struct place {
    uint32_t row;
    uint32_t part;                 /* 0: ordinary rows; else which bucket, in order of appearance; without `top` all buckets are 1 */
    bool unknown;
    money number;
    const char *text;              /* in strings */
};

struct ordering {
    const struct table_order *o;
    const struct table *from;
    struct table to;
    struct arena strings;
    VEC(struct place) places;
    VEC(const char *) buckets;
    int bucket;                    /* column */
};

static uint32_t part_of(struct ordering *g, const struct cell *row)
{
    if (g->bucket < 0 || row[g->bucket].type != CELL_TEXT)
        return 0;
    if (!g->o->top)
        return 1;
    for (size_t i = 0; i < g->buckets.n; i++)
        if (strcmp(g->buckets.v[i], row[g->bucket].text) == 0)
            return (uint32_t)i + 1;
    vec_push(&g->buckets, arena_strdup(&g->strings, row[g->bucket].text));
    return (uint32_t)g->buckets.n;
}

static void note_row(struct ordering *g, uint32_t index)
{
    const struct cell *row = table_row(g->from, index), *by = g->o->column < 0 ? NULL : &row[g->o->column];
    struct place p = {.row = index, .part = part_of(g, row)};

    if (by) {
        p.unknown = by->type == CELL_NULL;
        p.number = by->number;
        p.text = by->type == CELL_TEXT ? arena_strdup(&g->strings, by->text) : NULL;
    }
    vec_push(&g->places, p);
}

static int compare_values(const struct place *a, const struct place *b)
{
    if (a->text && b->text)
        return strcmp(a->text, b->text);
    return (a->number > b->number) - (a->number < b->number);
}

static int compare(const void *pa, const void *pb, void *arg)
{
    const struct place *a = pa, *b = pb;
    const struct table_order *o = arg;
    int c;

    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    if (a->unknown != b->unknown)
        return a->unknown ? 1 : -1;
    c = compare_values(a, b);
    if (c)
        return o->descending ? -c : c;
    return a->row < b->row ? -1 : 1;
}

/* ---- the new table ---- */

static void add_cells(const struct ordering *g, struct cell *sum, const struct cell *row)
{
    for (size_t c = 0; c < g->from->columns.n; c++) {
        bool number = row[c].type == CELL_MONEY || row[c].type == CELL_HOURS;

        if (!number || (int)c == g->o->no_sum)
            continue;
        sum[c].type = row[c].type;
        sum[c].number += row[c].number;
    }
}

/* One row for those from `from` on. */
static void add_others(struct ordering *g, size_t from, size_t to)
{
    struct cell *sum = xcalloc(g->from->columns.n, sizeof *sum);
    uint32_t part = g->places.v[from].part;
    struct buf label = {0};

    buf_addf(&label, "(%zu others)", to - from);
    for (size_t i = from; i < to; i++)
        add_cells(g, sum, table_row(g->from, g->places.v[i].row));
    if (g->from->columns.v[0].kind == COLUMN_KEY)
        sum[0] = (struct cell){.type = CELL_TEXT, .text = buf_str(&label)};
    if (part)
        sum[g->bucket] = (struct cell){.type = CELL_TEXT, .text = g->buckets.v[part - 1]};
    table_add_row(&g->to, sum);
    buf_free(&label);
    free(sum);
}

/* Rows of one part; a single row too many is no row of others. */
static size_t add_part(struct ordering *g, size_t from)
{
    size_t to = from, shown;

    while (to < g->places.n && g->places.v[to].part == g->places.v[from].part)
        to++;
    shown = g->o->top && to - from > g->o->top + 1 ? from + g->o->top : to;
    for (size_t i = from; i < shown; i++)
        table_add_row(&g->to, table_row(g->from, g->places.v[i].row));
    if (shown < to)
        add_others(g, shown, to);
    return to;
}

int table_order(struct table *t, const struct table_order *o, size_t *ordinary, struct err *e)
{
    struct ordering g = {.o = o, .from = t, .bucket = table_find(t, "bucket")};
    int rc;

    for (size_t c = 0; c < t->columns.n; c++)
        table_add_column(&g.to, t->columns.v[c].name, t->columns.v[c].kind, t->columns.v[c].digits);
    for (size_t row = 0; row < t->n_rows; row++)
        note_row(&g, (uint32_t)row);
    *ordinary = 0;
    for (size_t i = 0; i < g.places.n; i++)
        *ordinary += g.places.v[i].part == 0;
    if (g.places.n)
        qsort_r(g.places.v, g.places.n, sizeof *g.places.v, compare, (void *)(uintptr_t)o);
    for (size_t i = 0; i < g.places.n;)
        i = add_part(&g, i);
    rc = table_check(t, e);
    table_free(t);
    *t = g.to;
    vec_free(&g.places);
    vec_free(&g.buckets);
    arena_free(&g.strings);
    return rc;
}
