/* figures: from the table's exact cells to the numbers of the terminal report.
 * Money arrives rounded and is left alone. Hours and percents are rounded here, as one set of cells each (largest remainder), so that a
 * reader who adds a column up gets the printed total. Sums of sums are never rounded again. How lines look is sheet.c's business. */
#include "gputab/render/figures.h"

#include <stdlib.h>
#include <string.h>

static const struct figure_kind {
    const char *head;
    const char *source;            /* column of the table; NULL: computed */
    bool adds_up;                  /* sums of it mean something */
    bool only_if_used;             /* no column when it is 0 in every line */
} kinds[FIGURES] = {
    [FIGURE_GPU_HOURS] = {"GPU-h", "gpu_hours", true, false},
    [FIGURE_VRAM] = {"VRAM GiB-h", "vram_gib_hours", true, false},
    [FIGURE_RATE] = {"per GPU-h", NULL, false, false},
    [FIGURE_GPU] = {"GPU", "gpu_cost", true, false},
    [FIGURE_CPU] = {"CPU", "cpu_cost", true, false},
    [FIGURE_MEMORY] = {"memory", "memory_cost", true, false},
    [FIGURE_REST] = {"CPU+memory", NULL, true, false},
    [FIGURE_TOTAL] = {"TOTAL", "total_cost", true, false},
    [FIGURE_PERCENT] = {"%", NULL, true, false},
    [FIGURE_BAR] = {"", NULL, false, false},
    [FIGURE_UNHELD] = {"unheld", "unheld_cost", true, true},
    [FIGURE_IDLE] = {"of it idle", "idle_cost", true, true},
    [FIGURE_SHARED] = {"of it shared", "shared_cost", true, true},
    [FIGURE_LEAST] = {"at least", "min_cost", false, false},
    [FIGURE_MOST] = {"at most", "max_cost", false, false},
    [FIGURE_EXACT] = {NULL, "total_exact", true, false},
};

enum { PERCENT_DIGITS = 1 };

const char *figure_head(enum figure f)
{
    return kinds[f].head;
}

/* Commas between thousands of "-1234567.80"; the C locale has none, and must not. */
static void add_grouped(struct buf *b, struct span number)
{
    size_t whole = 0;

    if (number.n && number.p[0] == '-') {
        buf_addc(b, '-');
        number.p++, number.n--;
    }
    while (whole < number.n && number.p[whole] != '.')
        whole++;
    for (size_t i = 0; i < number.n; i++) {
        if (i && i < whole && (whole - i) % 3 == 0)
            buf_addc(b, ',');
        buf_addc(b, number.p[i]);
    }
}

void figure_add_amount(struct buf *b, money amount, int digits)
{
    struct buf plain = {0};

    money_add_text(&plain, amount, digits);
    add_grouped(b, buf_span(&plain));
    buf_free(&plain);
}

void figure_add_text(struct buf *b, const struct figure_set *s, const struct figures *f, enum figure which)
{
    if (!f->known[which])
        buf_addc(b, '-');
    else
        figure_add_amount(b, f->v[which], s->digits[which]);
}

static void read_figure(struct figures *f, enum figure which, const struct table *t, size_t row)
{
    int c = kinds[which].source ? table_find(t, kinds[which].source) : -1;
    const struct cell *cell = c < 0 ? NULL : table_cell(t, row, (size_t)c);

    if (!cell || cell->type == CELL_NULL || cell->type == CELL_TEXT)
        return;
    f->v[which] = cell->number;
    f->known[which] = true;
}

static money number_in(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);

    return c < 0 ? 0 : table_cell(t, row, (size_t)c)->number;
}

static const char *bucket_of(const struct table *t, size_t row)
{
    int c = table_find(t, "bucket");
    const struct cell *cell = c < 0 ? NULL : table_cell(t, row, (size_t)c);

    return cell && cell->type == CELL_TEXT ? cell->text : NULL;
}

static enum figure_part part_of(const struct table *t, size_t row)
{
    const char *bucket = bucket_of(t, row);

    if (!bucket)
        return PART_CHARGED;
    return strcmp(bucket, bucket_names[BUCKET_UNBILLED]) == 0 ? PART_MEMO : PART_BUCKETS;
}

static struct figure_line read_line(const struct table *t, size_t row)
{
    struct figure_line l = {.row = row, .part = part_of(t, row)};

    for (int f = 0; f < FIGURES; f++)
        read_figure(&l.f, f, t, row);
    l.f.v[FIGURE_REST] = l.f.v[FIGURE_CPU] + l.f.v[FIGURE_MEMORY];
    l.f.known[FIGURE_REST] = l.f.known[FIGURE_CPU] && l.f.known[FIGURE_MEMORY];
    l.f.estimated = l.f.v[FIGURE_LEAST] != l.f.v[FIGURE_MOST] || number_in(t, row, "grade.C") != 0;
    return l;
}

static int by_cost(const void *a, const void *b)
{
    const struct figure_line *x = a, *y = b;
    money cx = x->f.v[FIGURE_TOTAL], cy = y->f.v[FIGURE_TOTAL];

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->part == PART_CHARGED && cx != cy)
        return cx > cy ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int by_row(const void *a, const void *b)
{
    const struct figure_line *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Days read in their own order, whatever they cost. */
static void read_lines(struct figure_set *s, const struct report *r)
{
    bool by_day = r->by.n && strcmp(r->by.v[0], "day") == 0;

    for (size_t row = 0; row < r->table.n_rows; row++) {
        vec_push(&s->lines, read_line(&r->table, row));
        s->count[s->lines.v[row].part]++;
    }
    if (s->lines.n)
        qsort(s->lines.v, s->lines.n, sizeof s->lines.v[0], by_day ? by_row : by_cost);
}

static void add_to(struct figures *sum, const struct figures *f, enum figure which)
{
    sum->v[which] += f->v[which];
    sum->known[which] |= f->known[which];
}

/* Of every line's figure into the sums of its part and, but for the memo, the total. */
static void sum_up(struct figure_set *s, enum figure which)
{
    if (!kinds[which].adds_up)
        return;
    for (int p = 0; p < PARTS; p++)
        s->sums[p].v[which] = 0;
    s->total.v[which] = 0;
    for (size_t i = 0; i < s->lines.n; i++)
        add_to(&s->sums[s->lines.v[i].part], &s->lines.v[i].f, which);
    for (int p = 0; p < PART_MEMO; p++)
        add_to(&s->total, &s->sums[p], which);
}

static void set_rate(struct figures *f)
{
    money hours = f->v[FIGURE_GPU_HOURS];

    if (!f->known[FIGURE_EXACT] || hours <= 0)
        return;
    f->v[FIGURE_RATE] = money_mul_div(f->v[FIGURE_EXACT], (weight)MONEY_ONE, (weight)hours);
    f->known[FIGURE_RATE] = true;
}

static void set_rates(struct figure_set *s)
{
    for (size_t i = 0; i < s->lines.n; i++)
        if (s->lines.v[i].part != PART_MEMO)
            set_rate(&s->lines.v[i].f);
    set_rate(&s->sums[PART_CHARGED]);
    set_rate(&s->sums[PART_BUCKETS]);
    set_rate(&s->total);
}

/* Percents are of what was billed, also when only some rows are shown. */
static void set_percents(struct figure_set *s, money billed)
{
    if (billed <= 0)
        return;
    for (size_t i = 0; i < s->lines.n; i++) {
        struct figures *f = &s->lines.v[i].f;

        if (s->lines.v[i].part == PART_MEMO)
            continue;
        f->v[FIGURE_PERCENT] = money_mul_div(f->v[FIGURE_TOTAL], (weight)(100 * MONEY_ONE), (weight)billed);
        f->known[FIGURE_PERCENT] = true;
    }
}

static void set_bars(struct figure_set *s)
{
    money most = 0;

    for (size_t i = 0; i < s->lines.n; i++)
        if (s->lines.v[i].f.v[FIGURE_TOTAL] > most)
            most = s->lines.v[i].f.v[FIGURE_TOTAL];
    for (size_t i = 0; i < s->lines.n && most; i++) {
        struct figures *f = &s->lines.v[i].f;

        f->v[FIGURE_BAR] = f->v[FIGURE_TOTAL] > 0 ? money_mul_div(f->v[FIGURE_TOTAL], (weight)MONEY_ONE, (weight)most) : 0;
        f->known[FIGURE_BAR] = true;
    }
}

/* Lines of the memo come last and stand in no sum: they are rounded one by one. */
static void round_figure(struct figure_set *s, enum figure which)
{
    size_t n = s->count[PART_CHARGED] + s->count[PART_BUCKETS];
    money *cells = xcalloc(s->lines.n + 1, sizeof *cells);

    for (size_t i = 0; i < s->lines.n; i++)
        cells[i] = s->lines.v[i].f.v[which];
    money_round_cells(cells, n, s->digits[which]);
    for (size_t i = 0; i < s->lines.n; i++)
        s->lines.v[i].f.v[which] = i < n ? cells[i] : money_round(cells[i], s->digits[which]);
    free(cells);
    sum_up(s, which);
}

/* Few hours deserve more decimals than many. */
static int hour_digits(money total)
{
    static const struct { int64_t below; int digits; } steps[] = {{10, 3}, {1000, 2}, {100000, 1}};

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (total < steps[i].below * MONEY_ONE)
            return steps[i].digits;
    return 0;
}

static void set_digits(struct figure_set *s, const struct report *r)
{
    for (int f = 0; f < FIGURES; f++)
        s->digits[f] = r->digits;
    s->digits[FIGURE_GPU_HOURS] = hour_digits(s->total.v[FIGURE_GPU_HOURS] + s->sums[PART_MEMO].v[FIGURE_GPU_HOURS]);
    s->digits[FIGURE_VRAM] = hour_digits(s->total.v[FIGURE_VRAM] + s->sums[PART_MEMO].v[FIGURE_VRAM]);
    s->digits[FIGURE_PERCENT] = PERCENT_DIGITS;
}

static void set_wanted(struct figure_set *s)
{
    bool open = false;

    for (int f = 0; f < FIGURES; f++)
        s->wanted[f] = !kinds[f].only_if_used;
    for (size_t i = 0; i < s->lines.n; i++) {
        const struct figures *f = &s->lines.v[i].f;

        for (int k = 0; k < FIGURES; k++)
            s->wanted[k] |= f->v[k] != 0;
        open |= f->v[FIGURE_LEAST] != f->v[FIGURE_MOST];
    }
    s->wanted[FIGURE_LEAST] = s->wanted[FIGURE_MOST] = open;
}

/* The report's own totals go before sums: they are what other formats print. */
static void take_totals(struct figure_set *s, const struct report_totals *t)
{
    s->total.v[FIGURE_GPU] = t->piece_cost[PIECE_GPU];
    s->total.v[FIGURE_CPU] = t->piece_cost[PIECE_CPU];
    s->total.v[FIGURE_MEMORY] = t->piece_cost[PIECE_MEMORY];
    s->total.v[FIGURE_REST] = t->piece_cost[PIECE_CPU] + t->piece_cost[PIECE_MEMORY];
    s->total.v[FIGURE_TOTAL] = t->total_cost;
}

void figure_set_fill(struct figure_set *s, const struct report *r)
{
    read_lines(s, r);
    set_percents(s, r->totals.billed);
    for (int f = 0; f < FIGURES; f++)
        sum_up(s, f);
    set_rates(s);
    set_bars(s);
    set_digits(s, r);
    set_wanted(s);
    round_figure(s, FIGURE_GPU_HOURS);
    round_figure(s, FIGURE_VRAM);
    round_figure(s, FIGURE_PERCENT);
    take_totals(s, &r->totals);
}

void figure_set_free(struct figure_set *s)
{
    vec_free(&s->lines);
}
