/* table: rows packed into blocks, a block being one record of a spill.
 *
 * Of a row only what differs from nothing takes room: most amounts are zero, and the others few units of their last digit. A table knows
 * nothing of rounding, order or looks: core/ fills it with final values, render/ shows it. */
#include "gputab/value/table.h"

#include <assert.h>
#include <string.h>

#include "gputab/base/packed.h"
#include "gputab/base/spill.h"

enum { BLOCK = 4 };                                    /* rows: few, for who reads here and there */

enum { TYPE_BITS = 2, WITH_NUMBER = 1 << TYPE_BITS, IN_UNITS = 2 << TYPE_BITS };   /* what stands before a packed cell */

struct table_rows {
    struct spill *spill;
    VEC(uint64_t) blocks;          /* where each begins; the last one may still be in `filling` */
    struct buf filling;
    struct spill_reader reader;    /* behind the block at hand */
    size_t open;                   /* the block at hand; SIZE_MAX: none */
    struct buf block;
    size_t next;                   /* the row that comes next in it, */
    struct span rest;              /* and where that begins */
    struct cell *cells;            /* the row at hand */
    size_t row;                    /* its number; SIZE_MAX: none */
};

void table_add_column(struct table *t, const char *name, enum column_kind kind, int digits)
{
    assert(t->n_rows == 0);                            /* rows have their width from the columns */
    vec_push(&t->columns, (struct column){ arena_strdup(&t->strings, name), kind, digits });
}

/* 10^-12 units in one of the last digit; exact in 64 bits, where dividing is cheap. */
static int64_t unit_of(const struct column *c)
{
    int64_t unit = 1;

    for (int i = c->digits; i < MONEY_DECIMALS; i++)
        unit *= 10;
    return unit;
}

static void pack_number(struct buf *b, const struct column *c, const struct cell *cell)
{
    int64_t unit = unit_of(c);
    bool small = cell->number >= INT64_MIN && cell->number <= INT64_MAX;
    bool in_units = small ? (int64_t)cell->number % unit == 0 : cell->number % unit == 0;
    money number = !in_units ? cell->number : small ? (int64_t)cell->number / unit : cell->number / unit;

    buf_addc(b, (char)(cell->type | WITH_NUMBER | (in_units ? IN_UNITS : 0)));
    packed_add_signed(b, number);
}

static void pack_cell(struct buf *b, const struct column *c, const struct cell *cell)
{
    if (cell->type == CELL_TEXT) {
        buf_addc(b, (char)cell->type);
        packed_add_text(b, span_of(cell->text));
    } else if (cell->type == CELL_NULL || cell->number == 0) {
        buf_addc(b, (char)cell->type);
    } else {
        pack_number(b, c, cell);
    }
}

static struct table_rows *rows_of(struct table *t)
{
    if (!t->rows) {
        t->rows = xcalloc(1, sizeof *t->rows);
        t->rows->spill = spill_new();
        t->rows->cells = xcalloc(t->columns.n + 1, sizeof *t->rows->cells);
        t->rows->row = t->rows->open = SIZE_MAX;
    }
    return t->rows;
}

void table_add_row(struct table *t, const struct cell *cells)
{
    struct table_rows *r = rows_of(t);

    assert(t->columns.n > 0);
    if (t->n_rows % BLOCK == 0) {
        if (t->n_rows)
            spill_add(r->spill, buf_span(&r->filling));
        buf_clear(&r->filling);
        vec_push(&r->blocks, spill_end(r->spill));
    }
    for (size_t c = 0; c < t->columns.n; c++)
        pack_cell(&r->filling, &t->columns.v[c], &cells[c]);
    r->open = SIZE_MAX;                                /* it may be this one */
    t->n_rows++;
}

/* ---- reading ---- */

static struct cell unpack_cell(const struct column *c, struct span *rest)
{
    unsigned head = (unsigned)packed_take_number(rest);
    struct cell cell = { .type = (enum cell_type)(head & (WITH_NUMBER - 1)) };

    if (cell.type == CELL_TEXT)
        cell.text = packed_take_text(rest).p;
    else if (head & WITH_NUMBER)
        cell.number = packed_take_signed(rest) * (head & IN_UNITS ? unit_of(c) : 1);
    return cell;
}

/* Places the reader before a block. Who reads the blocks one by one has them read ahead, who does not has no more read than the block. */
static void place_reader(struct table_rows *r, size_t block)
{
    uint64_t at = r->blocks.v[block], end = spill_end(r->spill);
    bool one_by_one = r->open != SIZE_MAX && block == r->open + 1;

    if (one_by_one && r->reader.at == at && r->reader.end == end)
        return;
    spill_reader_free(&r->reader);
    r->reader = spill_read(r->spill, at, one_by_one || block + 1 == r->blocks.n ? end : r->blocks.v[block + 1]);
}

static void open_block(struct table_rows *r, size_t block)
{
    struct span record;

    place_reader(r, block);
    buf_clear(&r->block);
    if (spill_next(&r->reader, &record))
        buf_add_span(&r->block, record);
    else
        buf_add_span(&r->block, buf_span(&r->filling));
    r->rest = buf_span(&r->block);
    r->next = block * BLOCK;
    r->open = block;
}

const struct cell *table_row(const struct table *t, size_t row)
{
    struct table_rows *r = t->rows;

    assert(row < t->n_rows);
    if (r->row == row)
        return r->cells;
    if (row / BLOCK != r->open || row < r->next)
        open_block(r, row / BLOCK);
    for (; r->next <= row; r->next++)
        for (size_t c = 0; c < t->columns.n; c++)
            r->cells[c] = unpack_cell(&t->columns.v[c], &r->rest);
    r->row = row;
    return r->cells;
}

const struct cell *table_cell(const struct table *t, size_t row, size_t column)
{
    assert(column < t->columns.n);
    return &table_row(t, row)[column];
}

int table_find(const struct table *t, const char *name)
{
    for (size_t i = 0; i < t->columns.n; i++)
        if (strcmp(t->columns.v[i].name, name) == 0)
            return (int)i;
    return -1;
}

int table_check(const struct table *t, struct err *e)
{
    return t->rows ? spill_check(t->rows->spill, e) : 0;
}

void table_free(struct table *t)
{
    if (t->rows) {
        spill_reader_free(&t->rows->reader);
        spill_free(t->rows->spill);
        vec_free(&t->rows->blocks);
        buf_free(&t->rows->filling);
        buf_free(&t->rows->block);
        free(t->rows->cells);
        free(t->rows);
        t->rows = NULL;
    }
    vec_free(&t->columns);
    arena_free(&t->strings);
    t->n_rows = 0;
}
