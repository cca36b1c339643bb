/* rollup_table: sorts the rows, rounds them together and writes them into the report's table. */
#include <stdlib.h>

#include "gputab/core/row.h"

static int by_keys(const void *pa, const void *pb, void *arg)
{
    const struct rollup *r = arg;
    const struct row *a = pa, *b = pb;

    if ((a->bucket != BUCKET_NONE) != (b->bucket != BUCKET_NONE))
        return a->bucket != BUCKET_NONE ? 1 : -1;
    for (size_t i = 0; i < r->cfg.by->n; i++) {
        if (a->keys[i] == b->keys[i])
            continue;
        if (!a->keys[i] || !b->keys[i])            /* what does not apply comes last */
            return a->keys[i] ? -1 : 1;
        return intern_cmp(r->cfg.names, a->keys[i], b->keys[i]);
    }
    if (a->bucket != b->bucket)
        return a->bucket < b->bucket ? -1 : 1;
    return b->matched - a->matched;
}

/* Sorting moves the rows: no adding after this. */
static void sort_rows(struct rollup *r)
{
    if (r->rows.n)
        qsort_r(r->rows.v, r->rows.n, sizeof *r->rows.v, by_keys, r);
}

static const enum piece piece_order[PIECES] = {PIECE_GPU, PIECE_CPU, PIECE_MEMORY};

static money *rounded_cells(const struct rollup *r, int digits)
{
    money *cells = xcalloc(r->rows.n * PIECES + 1, sizeof *cells);

    for (size_t i = 0; i < r->rows.n; i++)
        for (int p = 0; p < PIECES; p++)
            cells[i * PIECES + (size_t)p] = r->rows.v[i].cost[piece_order[p]];
    if (r->rows.n)
        money_round_cells(cells, r->rows.n * PIECES, digits);
    return cells;
}

/* The hours column sums to the billed hours: rounded like money, without (unbilled). */
static money *rounded_hours(const struct rollup *r)
{
    money *hours = xcalloc(r->rows.n + 1, sizeof *hours), *billed = xcalloc(r->rows.n + 1, sizeof *billed);
    size_t n = 0;

    for (size_t i = 0; i < r->rows.n; i++)
        if (r->rows.v[i].bucket != BUCKET_UNBILLED)
            billed[n++] = r->rows.v[i].gpu_hours;
    if (n)
        money_round_cells(billed, n, 6);
    n = 0;
    for (size_t i = 0; i < r->rows.n; i++)
        hours[i] = r->rows.v[i].bucket == BUCKET_UNBILLED ? money_round(r->rows.v[i].gpu_hours, 6) : billed[n++];
    free(billed);
    return hours;
}

/* Grades of a row sum to its total: what rounding leaves over goes to the largest. */
static void rounded_grades(const struct row *row, money total, int digits, money out[GRADES])
{
    money sum = 0;
    int largest = 0;

    for (int g = 0; g < GRADES; g++)
        out[g] = row->grade[g];
    money_round_cells(out, GRADES, digits);
    for (int g = 0; g < GRADES; g++) {
        sum += out[g];
        if ((out[g] < 0 ? -out[g] : out[g]) > (out[largest] < 0 ? -out[largest] : out[largest]))
            largest = g;
    }
    out[largest] += total - sum;
}

struct column_def {
    const char *name;
    enum column_kind kind;
    int digits;                    /* -1: the currency's */
};
static const struct column_def columns[] = {
    {"gpu_hours", COLUMN_HOURS, 6},    {"vram_gib_hours", COLUMN_HOURS, 6},      {"gpu_cost", COLUMN_MONEY, -1},
    {"cpu_cost", COLUMN_MONEY, -1},    {"memory_cost", COLUMN_MONEY, -1},        {"total_cost", COLUMN_MONEY, -1},
    {"requested_gpu_hours", COLUMN_HOURS, 6}, {"resident_hours", COLUMN_HOURS, 6}, {"used_cost", COLUMN_MONEY, -1},
    {"unheld_cost", COLUMN_MONEY, -1}, {"idle_cost", COLUMN_MONEY, -1},          {"shared_cost", COLUMN_MONEY, -1},
    {"min_cost", COLUMN_MONEY, -1},    {"max_cost", COLUMN_MONEY, -1},           {"total_exact", COLUMN_MONEY, MONEY_DECIMALS},
    {"grade.A", COLUMN_MONEY, -1},     {"grade.B", COLUMN_MONEY, -1},            {"grade.C", COLUMN_MONEY, -1},
    {"grade.D", COLUMN_MONEY, -1},
};

enum { COLUMNS_MOST = KEYS + 1 + sizeof columns / sizeof *columns };

static void add_columns(const struct rollup *r, int digits, struct table *t)
{
    for (size_t i = 0; i < r->cfg.by->n; i++)
        table_add_column(t, key_names[r->cfg.by->v[i]], COLUMN_KEY, 0);
    table_add_column(t, "bucket", COLUMN_BUCKET, 0);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        table_add_column(t, columns[i].name, columns[i].kind, columns[i].digits < 0 ? digits : columns[i].digits);
}

static struct cell text_cell(const char *text)
{
    return (struct cell){.type = CELL_TEXT, .text = text};
}

static struct cell *put(struct cell *c, enum cell_type type, money number)
{
    *c = (struct cell){.type = type, .number = number};
    return c + 1;
}

static money gib_hours(weight memory_ms)
{
    const weight unit = ((weight)1 << (30 + USAGE_MEMORY_BITS)) * (weight)TIME_HOUR;

    return money_round(money_mul_div(MONEY_ONE, memory_ms, unit), 6);
}

static money hours(weight amount, weight per_hour)
{
    return money_round(money_mul_div(MONEY_ONE, amount, per_hour), 6);
}

/* Requests have no device: a key or a filter that needs one leaves them unknown. */
static bool requests_apply(const struct rollup *r)
{
    static const enum key device_keys[] = {KEY_GPU, KEY_SHARING, KEY_GRADE, KEY_REASON};

    for (size_t i = 0; i < sizeof device_keys / sizeof *device_keys; i++) {
        if (key_list_has(r->cfg.by, device_keys[i]))
            return false;
        for (size_t k = 0; k < r->cfg.n_filters; k++)
            if (r->cfg.filters[k].key == device_keys[i])
                return false;
    }
    return true;
}

static struct cell *put_bounds(struct cell *c, const struct row *row, money exact, money total, int digits)
{
    money low = row->min_cost == exact ? total : money_round(row->min_cost, digits);
    money high = row->max_cost == exact ? total : money_round(row->max_cost, digits);

    c = put(c, CELL_MONEY, low < total ? low : total);
    return put(c, CELL_MONEY, high > total ? high : total);
}

/* Without anything unheld, used is the GPU cell itself, whichever way that was rounded. */
static money used_cell(const struct row *row, money gpu_cell, int digits)
{
    bool all_used = !row->has_pods || row->used_cost == row->cost[PIECE_GPU];

    return all_used ? gpu_cell : money_round(row->used_cost, digits);
}

static void fill_row(const struct rollup *r, size_t index, const money *cells, money gpu_hours, int digits, bool requests, struct table *t)
{
    const struct row *row = &r->rows.v[index];
    money total = cells[0] + cells[1] + cells[2], exact = row->cost[0] + row->cost[1] + row->cost[2];
    money used = used_cell(row, cells[0], digits), grades[GRADES];
    struct cell all[COLUMNS_MOST] = {{.type = CELL_NULL}}, *c = all;

    for (size_t i = 0; i < r->cfg.by->n; i++, c++)
        if (row->keys[i])
            *c = text_cell(intern_cstr(r->cfg.names, row->keys[i]));
    if (row->bucket)
        *c = text_cell(bucket_names[row->bucket]);
    c = put(c + 1, CELL_HOURS, gpu_hours);
    c = put(c, CELL_HOURS, gib_hours(row->memory_ms));
    for (int p = 0; p < PIECES; p++)
        c = put(c, CELL_MONEY, cells[p]);
    c = put(c, CELL_MONEY, total);
    c = put(c, requests && row->has_pods ? CELL_HOURS : CELL_NULL, requests && row->has_pods ? hours(row->requested, (weight)TIME_HOUR * 1000000) : 0);
    c = put(c, row->has_pods ? CELL_HOURS : CELL_NULL, row->has_pods ? hours(row->resident_ms, (weight)TIME_HOUR) : 0);
    c = put(c, CELL_MONEY, used);
    c = put(c, CELL_MONEY, cells[0] - used);
    c = put(c, CELL_MONEY, 0);                     /* idle_cost, shared_cost: no policy of this version moves money */
    c = put(c, CELL_MONEY, 0);
    c = put_bounds(c, row, exact, total, digits);
    c = put(c, CELL_MONEY, exact);
    rounded_grades(row, total, digits, grades);
    for (int g = 0; g < GRADES; g++)
        c = put(c, CELL_MONEY, grades[g]);
    table_add_row(t, all);
}

static void add_totals(const struct row *row, const money *cells, money gpu_hours, struct report_totals *out)
{
    for (int p = 0; p < PIECES; p++) {
        out->piece_cost[piece_order[p]] += cells[p];
        out->total_cost += cells[p];
    }
    if (row->bucket != BUCKET_UNBILLED)
        out->gpu_hours += gpu_hours;
}

static void sum_measured(const struct rollup *r, int digits, money out[GRADES])
{
    for (size_t i = 0; i < r->rows.n; i++)
        for (int g = 0; g < GRADES; g++)
            if (r->rows.v[i].has_pods)
                out[g] += r->rows.v[i].grade[g];
    money_round_cells(out, GRADES, digits);
}

void rollup_table(struct rollup *r, int digits, bool requests_known, struct report *out)
{
    bool requests = requests_known && requests_apply(r);
    money *cells, *gpu_hours;

    if (r->pot)
        rollup_end_pot(r);
    sort_rows(r);
    cells = rounded_cells(r, digits);
    gpu_hours = rounded_hours(r);
    for (size_t i = 0; i < r->cfg.by->n; i++)
        vec_push(&out->by, key_names[r->cfg.by->v[i]]);
    add_columns(r, digits, &out->table);
    out->filtered = r->cfg.n_filters > 0;
    for (size_t i = 0; i < r->rows.n; i++) {
        if (!r->rows.v[i].matched)
            continue;
        fill_row(r, i, &cells[i * PIECES], gpu_hours[i], digits, requests, &out->table);
        add_totals(&r->rows.v[i], &cells[i * PIECES], gpu_hours[i], &out->totals);
    }
    sum_measured(r, digits, out->measured);
    free(cells);
    free(gpu_hours);
}
