/* rollup_table: rounds the rows together, or under those of a coarser table, and writes them into the report's table, row by row: none of
 * it is held. */
#include <string.h>

#include "gputab/core/nest.h"
#include "gputab/core/rollup_state.h"
#include "gputab/value/rounding.h"

static const enum piece piece_order[PIECES] = {PIECE_GPU, PIECE_CPU, PIECE_MEMORY};

/* The hours column sums to the billed hours: rounded like money, without (unbilled). */
struct roundings {
    struct rounding cells, hours;
    struct nest *nest;             /* NULL: the table is rounded for itself, by the two above */
    size_t common[KEYS], n_common; /* the keys, by their place in --by, that the coarser table has too; in its order */
    struct buf key;                /* scratch */
};

static void see_row(struct roundings *all, const struct row *row, bool cells, bool hours)
{
    for (int p = 0; cells && p < PIECES; p++)
        rounding_see(&all->cells, row->sums.cost[piece_order[p]]);
    if (hours && row->key.bucket != BUCKET_UNBILLED)
        rounding_see(&all->hours, row->sums.gpu_hours);
}

static void see_rows(struct rollup *r, struct roundings *all)
{
    bool cells, hours;

    while (cells = rounding_pass(&all->cells), hours = rounding_pass(&all->hours), cells || hours) {
        struct row row;

        for (rows_rewind(r->rows); rows_next_cost(r->rows, &row);)
            see_row(all, &row, cells, hours);
    }
}

/* ---- under a coarser table ---- */

static void add_key_end(struct buf *key, const char *bucket)
{
    if (strcmp(bucket, bucket_names[BUCKET_UNMAPPED]) != 0)     /* where a team is a key, its text says so */
        buf_adds(key, bucket);
}

/* The common keys and the bucket of a row: what the rows of both tables are matched by. */
static struct span nested_key(struct roundings *all, const struct row_key *key)
{
    struct span texts = key->texts, text[KEYS];

    for (size_t i = 0; texts.n; i++)
        text[i] = row_key_next(&texts);
    buf_clear(&all->key);
    for (size_t i = 0; i < all->n_common; i++)
        row_key_add_text(&all->key, text[all->common[i]]);
    add_key_end(&all->key, bucket_names[key->bucket]);
    return buf_span(&all->key);
}

static void nested_amounts(const struct row *row, money out[NEST_AMOUNTS])
{
    for (int p = 0; p < PIECES; p++)
        out[p] = row->sums.cost[piece_order[p]];
    out[PIECES] = row->sums.gpu_hours;
}

static void find_common(const struct rollup *r, const struct report *coarse, struct roundings *all)
{
    for (size_t c = 0; c < coarse->by.n; c++)
        for (size_t i = 0; i < r->cfg.by->n; i++)
            if (strcmp(coarse->by.v[c], key_names[r->cfg.by->v[i]]) == 0)
                all->common[all->n_common++] = i;
}

static void add_coarse_key(struct roundings *all, const struct table *t, const struct cell *cells, const char *const *names)
{
    const struct cell *bucket = &cells[table_find(t, "bucket")];

    buf_clear(&all->key);
    for (size_t i = 0; i < all->n_common; i++) {
        const struct cell *cell = &cells[table_find(t, names[i])];

        row_key_add_text(&all->key, span_of(cell->type == CELL_TEXT ? cell->text : ""));
    }
    add_key_end(&all->key, bucket->type == CELL_TEXT ? bucket->text : "");
}

/* Rows that are not shown have no coarse ones. */
static void nest_rows(struct rollup *r, const struct report *coarse, struct roundings *all)
{
    static const char *const amounts[NEST_AMOUNTS] = {"gpu_cost", "cpu_cost", "memory_cost", "gpu_hours"};
    const struct table *t = &coarse->table;
    const char *names[KEYS];
    struct row row;

    for (size_t i = 0; i < all->n_common; i++)
        names[i] = key_names[r->cfg.by->v[all->common[i]]];
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct cell *cells = table_row(t, i);
        money rounded[NEST_AMOUNTS];

        for (int a = 0; a < NEST_AMOUNTS; a++)
            rounded[a] = cells[table_find(t, amounts[a])].number;
        add_coarse_key(all, t, cells, names);
        nest_add(all->nest, buf_span(&all->key), rounded);
    }
    for (rows_rewind(r->rows); rows_next_cost(r->rows, &row);) {
        money exact[NEST_AMOUNTS];

        if (!row.key.matched)
            continue;
        nested_amounts(&row, exact);
        nest_see(all->nest, nested_key(all, &row.key), exact);
    }
}

static void begin_roundings(struct rollup *r, const struct report *coarse, int digits, struct roundings *all)
{
    *all = (struct roundings){.cells.digits = digits, .hours.digits = 6};
    if (!coarse) {
        see_rows(r, all);
        return;
    }
    all->nest = nest_new((const int[NEST_AMOUNTS]){digits, digits, digits, 6});
    find_common(r, coarse, all);
    nest_rows(r, coarse, all);
}

static void end_roundings(struct roundings *all)
{
    rounding_free(&all->cells);
    rounding_free(&all->hours);
    nest_free(all->nest);
    buf_free(&all->key);
}

/* Grades of a row sum to its total: what rounding leaves over goes to the largest. */
static void rounded_grades(const struct row_sums *row, money total, int digits, money out[GRADES])
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

static struct cell *put_bounds(struct cell *c, const struct row_sums *row, money exact, money total, int digits)
{
    money low = row->min_cost == exact ? total : money_round(row->min_cost, digits);
    money high = row->max_cost == exact ? total : money_round(row->max_cost, digits);

    c = put(c, CELL_MONEY, low < total ? low : total);
    return put(c, CELL_MONEY, high > total ? high : total);
}

/* Of what a row's pods cost by themselves; money that the rule moved here is neither used nor unheld. Without such money the two sum to
 * the GPU cell, and without anything unheld used is that cell itself, whichever way it was rounded. */
static struct cell *put_used(struct cell *c, const struct row_sums *row, money gpu_cell, int digits)
{
    money own = row->cost[PIECE_GPU] - row->moved_gpu, used = money_round(row->used_cost, digits);
    bool all_used = !row->has_pods || row->used_cost == own;

    if (row->moved_gpu != 0)
        gpu_cell = all_used ? used : money_round(own, digits);
    if (all_used)
        used = gpu_cell;
    c = put(c, CELL_MONEY, used);
    return put(c, CELL_MONEY, gpu_cell - used);
}

/* What a row shows, rounded. */
struct shown {
    money cells[PIECES], total, gpu_hours;     /* in piece_order */
};

static struct shown nested_row(struct roundings *all, const struct row *row)
{
    struct shown s = {.total = 0};
    money exact[NEST_AMOUNTS], rounded[NEST_AMOUNTS];

    nested_amounts(row, exact);
    nest_next(all->nest, nested_key(all, &row->key), exact, rounded);
    for (int p = 0; p < PIECES; p++)
        s.total += s.cells[p] = rounded[p];
    s.gpu_hours = rounded[PIECES];
    return s;
}

static struct shown round_row(struct roundings *all, const struct row *row)
{
    struct shown s = {.total = 0};

    if (all->nest)
        return nested_row(all, row);
    for (int p = 0; p < PIECES; p++)
        s.total += s.cells[p] = rounding_next(&all->cells, row->sums.cost[piece_order[p]]);
    s.gpu_hours = row->key.bucket == BUCKET_UNBILLED ? money_round(row->sums.gpu_hours, 6) : rounding_next(&all->hours, row->sums.gpu_hours);
    return s;
}

static struct cell *put_keys(struct cell *c, const struct row_key *key, size_t n)
{
    struct span texts = key->texts;

    for (size_t i = 0; i < n; i++) {
        struct span text = row_key_next(&texts);

        *c++ = (struct cell){.type = text.n ? CELL_TEXT : CELL_NULL, .text = text.p};
    }
    *c++ = (struct cell){.type = key->bucket ? CELL_TEXT : CELL_NULL, .text = bucket_names[key->bucket]};
    return c;
}

static void add_row(const struct rollup *r, const struct row *row, const struct shown *shown, int digits, bool requests, struct table *t)
{
    const struct row_sums *s = &row->sums;
    money exact = s->cost[0] + s->cost[1] + s->cost[2], grades[GRADES];
    struct cell cells[COLUMNS_MOST], *c = put_keys(cells, &row->key, r->cfg.by->n);

    requests = requests && s->has_pods;
    c = put(c, CELL_HOURS, shown->gpu_hours);
    c = put(c, CELL_HOURS, gib_hours(s->memory_ms));
    for (int p = 0; p < PIECES; p++)
        c = put(c, CELL_MONEY, shown->cells[p]);
    c = put(c, CELL_MONEY, shown->total);
    c = put(c, requests ? CELL_HOURS : CELL_NULL, requests ? hours(s->requested, (weight)TIME_HOUR * 1000000) : 0);
    c = put(c, s->has_pods ? CELL_HOURS : CELL_NULL, s->has_pods ? hours(s->resident_ms, (weight)TIME_HOUR) : 0);
    c = put_used(c, s, shown->cells[0], digits);
    c = put(c, CELL_MONEY, money_round(s->idle_cost, digits));
    c = put(c, CELL_MONEY, money_round(s->shared_cost, digits));
    c = put_bounds(c, s, exact, shown->total, digits);
    c = put(c, CELL_MONEY, exact);
    rounded_grades(s, shown->total, digits, grades);
    for (int g = 0; g < GRADES; g++)
        c = put(c, CELL_MONEY, grades[g]);
    table_add_row(t, cells);
}

static void add_totals(const struct row *row, const struct shown *shown, struct report_totals *out)
{
    for (int p = 0; p < PIECES; p++)
        out->piece_cost[piece_order[p]] += shown->cells[p];
    out->total_cost += shown->total;
    if (row->key.bucket != BUCKET_UNBILLED)
        out->gpu_hours += shown->gpu_hours;
}

/* All that a row had has been moved away. */
static bool is_emptied(const struct row_sums *s)
{
    return s->left && !s->has_pods && !s->cost[0] && !s->cost[1] && !s->cost[2] && !s->gpu_hours && !s->memory_ms;
}

static void add_rows(struct rollup *r, struct roundings *all, int digits, bool requests, struct report *out)
{
    struct row row;

    for (rows_rewind(r->rows); rows_next(r->rows, &row);) {
        struct shown shown;

        if (all->nest && !row.key.matched)
            continue;
        shown = round_row(all, &row);
        if (!row.key.matched || is_emptied(&row.sums))
            continue;
        add_row(r, &row, &shown, digits, requests, &out->table);
        add_totals(&row, &shown, &out->totals);
    }
}

int rollup_table(struct rollup *r, int digits, bool requests_known, const struct report *coarse, struct report *out, struct err *e)
{
    struct roundings all;

    rollup_end(r);
    begin_roundings(r, coarse, digits, &all);
    for (size_t i = 0; i < r->cfg.by->n; i++)
        vec_push(&out->by, key_names[r->cfg.by->v[i]]);
    add_columns(r, digits, &out->table);
    out->filtered = r->cfg.n_filters > 0 || r->cfg.only != BUCKET_NONE;
    add_rows(r, &all, digits, requests_known && requests_apply(r), out);
    for (int g = 0; g < GRADES; g++)
        out->measured[g] = r->measured[g];
    money_round_cells(out->measured, GRADES, digits);
    end_roundings(&all);
    if (r->stakes && stakes_check(r->stakes, e) < 0)
        return -1;
    return rows_check(r->rows, e);
}
