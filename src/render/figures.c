/* figures: from the table's exact cells to the numbers of the terminal report.
 * Money arrives rounded and is left alone. Hours and percents are rounded here, as one set of cells each (largest remainder), so that a
 * reader who adds a column up gets the printed total. Sums of sums are never rounded again. Lines may be many: their figures are read from
 * the table whenever they are wanted, and never held. How lines look is sheet.c's business. */
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

/* ---- a line ---- */

static void find_columns(struct figure_set *s)
{
    const struct table *t = &s->r->table;

    for (int f = 0; f < FIGURES; f++)
        s->column[f] = kinds[f].source ? table_find(t, kinds[f].source) : -1;
    s->bucket = table_find(t, "bucket");
    s->grade_c = table_find(t, "grade.C");
}

static enum figure_part part_of(const struct figure_set *s, const struct cell *row)
{
    if (s->bucket < 0 || row[s->bucket].type != CELL_TEXT)
        return PART_CHARGED;
    return strcmp(row[s->bucket].text, bucket_names[BUCKET_UNBILLED]) == 0 ? PART_MEMO : PART_BUCKETS;
}

static void set_rate(struct figures *f)
{
    money hours = f->v[FIGURE_GPU_HOURS];

    if (!f->known[FIGURE_EXACT] || hours <= 0)
        return;
    f->v[FIGURE_RATE] = money_mul_div(f->v[FIGURE_EXACT], (weight)MONEY_ONE, (weight)hours);
    f->known[FIGURE_RATE] = true;
}

/* Percents are of what was billed, also when only some rows are shown. */
static void set_percent(struct figures *f, money billed)
{
    if (billed <= 0)
        return;
    f->v[FIGURE_PERCENT] = money_mul_div(f->v[FIGURE_TOTAL], (weight)(100 * MONEY_ONE), (weight)billed);
    f->known[FIGURE_PERCENT] = true;
}

static void set_bar(struct figures *f, money most)
{
    if (!most)
        return;
    f->v[FIGURE_BAR] = f->v[FIGURE_TOTAL] > 0 ? money_mul_div(f->v[FIGURE_TOTAL], (weight)MONEY_ONE, (weight)most) : 0;
    f->known[FIGURE_BAR] = true;
}

/* All figures of a row before any rounding. */
static struct figures read_row(const struct figure_set *s, const struct cell *row)
{
    struct figures f = {.estimated = false};

    for (int k = 0; k < FIGURES; k++) {
        const struct cell *cell = s->column[k] < 0 ? NULL : &row[s->column[k]];

        f.known[k] = cell && (cell->type == CELL_MONEY || cell->type == CELL_HOURS);
        f.v[k] = f.known[k] ? cell->number : 0;
    }
    f.v[FIGURE_REST] = f.v[FIGURE_CPU] + f.v[FIGURE_MEMORY];
    f.known[FIGURE_REST] = f.known[FIGURE_CPU] && f.known[FIGURE_MEMORY];
    f.estimated = f.v[FIGURE_LEAST] != f.v[FIGURE_MOST] || (s->grade_c >= 0 && row[s->grade_c].number != 0);
    if (part_of(s, row) != PART_MEMO) {
        set_rate(&f);
        set_percent(&f, s->r->totals.billed);
    }
    set_bar(&f, s->most);
    return f;
}

/* ---- the lines ---- */

static int by_row(const void *a, const void *b)
{
    const struct figure_line *x = a, *y = b;

    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int by_cost(const void *a, const void *b)
{
    const struct figure_line *x = a, *y = b;

    if (x->part == PART_CHARGED && y->part == PART_CHARGED && x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return by_row(a, b);
}

static void add_to(struct figures *sum, const struct figures *f, enum figure which)
{
    sum->v[which] += f->v[which];
    sum->known[which] |= f->known[which];
}

static void note_line(struct figure_set *s, uint32_t row, const struct cell *cells)
{
    struct figures f = read_row(s, cells);
    enum figure_part part = part_of(s, cells);

    vec_push(&s->lines, (struct figure_line){f.v[FIGURE_TOTAL], row, part});
    s->count[part]++;
    for (int k = 0; k < FIGURES; k++) {
        if (kinds[k].adds_up)
            add_to(&s->sums[part], &f, k);
        s->wanted[k] |= f.v[k] != 0;
    }
    s->open |= f.v[FIGURE_LEAST] != f.v[FIGURE_MOST];
    s->estimated |= f.estimated;
    if (f.v[FIGURE_TOTAL] > s->most)
        s->most = f.v[FIGURE_TOTAL];
}

/* Days read in their own order, whatever they cost. */
static void read_lines(struct figure_set *s)
{
    const struct report *r = s->r;
    bool by_day = r->by.n && strcmp(r->by.v[0], "day") == 0;

    for (size_t row = 0; row < r->table.n_rows; row++)
        note_line(s, (uint32_t)row, table_row(&r->table, row));
    vec_fit(&s->lines);
    if (s->lines.n)
        qsort(s->lines.v, s->lines.n, sizeof s->lines.v[0], by_day ? by_row : by_cost);
    for (int p = 0; p < PART_MEMO; p++)
        for (int k = 0; k < FIGURES; k++)
            if (kinds[k].adds_up)
                add_to(&s->total, &s->sums[p], k);
}

/* ---- rounding ---- */

static const enum figure rounded[FIGURES_ROUNDED] = {FIGURE_GPU_HOURS, FIGURE_VRAM, FIGURE_PERCENT};

static void prepare_rounding(struct figure_set *s)
{
    bool more[FIGURES_ROUNDED], any = true;

    for (int i = 0; i < FIGURES_ROUNDED; i++)
        s->rounding[i] = (struct rounding){.digits = s->digits[rounded[i]]};
    while (any) {
        any = false;
        for (int i = 0; i < FIGURES_ROUNDED; i++)
            any |= more[i] = rounding_pass(&s->rounding[i]);
        for (size_t row = 0; any && row < s->r->table.n_rows; row++) {
            const struct cell *cells = table_row(&s->r->table, row);
            struct figures f = read_row(s, cells);

            for (int i = 0; i < FIGURES_ROUNDED && part_of(s, cells) != PART_MEMO; i++)
                if (more[i])
                    rounding_see(&s->rounding[i], f.v[rounded[i]]);
        }
    }
}

/* Lines of the memo come last and stand in no sum: they are rounded one by one. */
static void round_line(struct figure_walk *w)
{
    for (int i = 0; i < FIGURES_ROUNDED; i++) {
        money *v = &w->f.v[rounded[i]];

        *v = w->line->part == PART_MEMO ? money_round(*v, w->s->digits[rounded[i]]) : rounding_next(&w->rounding[i], *v);
    }
}

struct figure_walk figure_walk(const struct figure_set *s)
{
    struct figure_walk w = {.s = s};

    memcpy(w.rounding, s->rounding, sizeof w.rounding);
    return w;
}

bool figure_next(struct figure_walk *w)
{
    if (w->next >= w->s->lines.n)
        return false;
    w->line = &w->s->lines.v[w->next++];
    w->f = read_row(w->s, table_row(&w->s->r->table, w->line->row));
    round_line(w);
    return true;
}

void figures_add(struct figures *sum, const struct figures *f)
{
    for (int k = 0; k < FIGURES; k++)
        if (kinds[k].adds_up)
            add_to(sum, f, k);
    sum->estimated |= f->estimated;
    set_rate(sum);
}

/* What is rounded is summed up anew. */
static void sum_rounded(struct figure_set *s)
{
    struct figure_walk w = figure_walk(s);

    for (int i = 0; i < FIGURES_ROUNDED; i++) {
        for (int p = 0; p < PARTS; p++)
            s->sums[p].v[rounded[i]] = 0;
        s->total.v[rounded[i]] = 0;
    }
    while (figure_next(&w))
        for (int i = 0; i < FIGURES_ROUNDED; i++)
            s->sums[w.line->part].v[rounded[i]] += w.f.v[rounded[i]];
    for (int i = 0; i < FIGURES_ROUNDED; i++)
        for (int p = 0; p < PART_MEMO; p++)
            s->total.v[rounded[i]] += s->sums[p].v[rounded[i]];
}

/* ---- the set ---- */

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
    for (int f = 0; f < FIGURES; f++)
        s->wanted[f] |= !kinds[f].only_if_used;
    s->wanted[FIGURE_LEAST] = s->wanted[FIGURE_MOST] = s->open;
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

static void set_rates(struct figure_set *s)
{
    set_rate(&s->sums[PART_CHARGED]);
    set_rate(&s->sums[PART_BUCKETS]);
    set_rate(&s->total);
}

void figure_set_fill(struct figure_set *s, const struct report *r)
{
    s->r = r;
    find_columns(s);
    read_lines(s);
    set_rates(s);
    set_digits(s, r);
    set_wanted(s);
    prepare_rounding(s);
    sum_rounded(s);
    take_totals(s, &r->totals);
}

void figure_set_free(struct figure_set *s)
{
    vec_free(&s->lines);
    for (int i = 0; i < FIGURES_ROUNDED; i++)
        rounding_free(&s->rounding[i]);
}
