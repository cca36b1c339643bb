/* table: rows packed into blocks, a block being one record of a spill.
 *
 * A packed row is a byte for each cell that says what it is, then the numbers of all cells together, then the texts. Of numbers only what
 * differs from nothing takes room: most amounts are zero, and the others few units of their last digit. A table knows nothing of rounding,
 * order or looks: core/ fills it with final values, render/ shows it. */
#include "gputab/value/table.h"

#include <assert.h>
#include <string.h>

#include "gputab/base/packed.h"
#include "gputab/base/spill.h"

enum { BLOCK = 4 };                                    /* rows: few, for who reads here and there */

enum { IN_UNITS = 4, TYPE = IN_UNITS - 1 };             /* what a cell is: its type, and whether its number counts the last digit */

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
    int64_t *units;                /* of each column's last digit, in 10^-12: exact in 64 bits, where dividing is cheap */
    packed_wide *numbers;          /* of the row that is packed or unpacked */
};

void table_add_column(struct table *t, const char *name, enum column_kind kind, int digits)
{
    assert(t->n_rows == 0);                            /* rows have their width from the columns */
    vec_push(&t->columns, (struct column){ arena_strdup(&t->strings, name), kind, digits });
}

static int64_t unit_of(const struct column *c)
{
    int64_t unit = 1;

    for (int i = c->digits; i < MONEY_DECIMALS; i++)
        unit *= 10;
    return unit;
}

static struct table_rows *rows_of(struct table *t)
{
    struct table_rows *r = t->rows;

    if (r)
        return r;
    r = t->rows = xcalloc(1, sizeof *r);
    r->spill = spill_new();
    r->cells = xcalloc(t->columns.n + 1, sizeof *r->cells);
    r->units = xcalloc(t->columns.n + 1, sizeof *r->units);
    r->numbers = xcalloc(t->columns.n + 1, sizeof *r->numbers);
    for (size_t c = 0; c < t->columns.n; c++)
        r->units[c] = unit_of(&t->columns.v[c]);
    r->row = r->open = SIZE_MAX;
    return r;
}

static bool has_number(const struct cell *cell)
{
    return cell->type == CELL_MONEY || cell->type == CELL_HOURS;
}

/* The number in whole units of the last digit, where it is whole. */
static bool count_units(money number, int64_t unit, packed_wide *out)
{
    int64_t small = (int64_t)number;
    money units = small == number ? small / unit : number / unit;
    bool whole = small == number ? small % unit == 0 : number % unit == 0;

    *out = whole ? units : number;
    return whole;
}

static void pack_row(struct buf *b, struct table_rows *r, const struct cell *cells, size_t n)
{
    char *kinds;

    buf_fill(b, '\0', n);
    kinds = b->p + b->n - n;
    for (size_t c = 0; c < n; c++) {
        kinds[c] = (char)cells[c].type;
        r->numbers[c] = 0;
        if (has_number(&cells[c]) && cells[c].number != 0 && count_units(cells[c].number, r->units[c], &r->numbers[c]))
            kinds[c] |= IN_UNITS;
    }
    packed_add_numbers(b, r->numbers, n);
    for (size_t c = 0; c < n; c++)
        if (cells[c].type == CELL_TEXT)
            packed_add_text(b, span_of(cells[c].text));
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
    pack_row(&r->filling, r, cells, t->columns.n);
    r->open = SIZE_MAX;                                /* it may be this one */
    t->n_rows++;
}

/* ---- reading ---- */

/* Bytes that a disk did not give back are NULL cells. */
static void unpack_row(struct table_rows *r, size_t n)
{
    size_t there = n <= r->rest.n ? n : 0;
    const char *kinds = r->rest.p;

    r->rest = (struct span){kinds + there, r->rest.n - there};
    packed_take_numbers(&r->rest, r->numbers, n);
    for (size_t c = 0; c < n; c++) {
        unsigned kind = c < there ? (unsigned char)kinds[c] : CELL_NULL;

        r->cells[c] = (struct cell){.type = (enum cell_type)(kind & TYPE), .number = r->numbers[c]};
        if (kind & IN_UNITS)
            r->cells[c].number *= r->units[c];
        if (r->cells[c].type == CELL_TEXT)
            r->cells[c].text = packed_take_text(&r->rest).p;
    }
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
        unpack_row(r, t->columns.n);
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
        free(t->rows->units);
        free(t->rows->numbers);
        free(t->rows);
        t->rows = NULL;
    }
    vec_free(&t->columns);
    arena_free(&t->strings);
    t->n_rows = 0;
}
