/* xlsx_teams: a table of columns, and one way to write a line, a cost centre with its sums, and the total.
 * Sums are SUBTOTAL, so that the total leaves out those of cost centres, and a filter narrows it; shares and rates of sums are formulas
 * over them. A column that would say nothing is left out. */
#include "gputab/render/xlsx_teams.h"

#include <stdio.h>
#include <string.h>

/* How a column comes to its number. */
enum means { SUM, REST /* CPU and memory */, RATE, SHARE, OF_BUDGET, CHANGE, CHANGE_SHARE };

static const struct team_column {
    const char *head;              /* $: the currency; <: the period before */
    enum means means;
    enum amount amount;
    enum xlsx_number number;
    bool in_short, in_full;
    bool only_if_used;
} columns[] = {
    {"GPU hours", SUM, AMOUNT_HOURS, NUMBER_HOURS, true, true, false},
    {"VRAM GiB-hours", SUM, AMOUNT_VRAM, NUMBER_HOURS, false, true, false},
    {"$ per GPU hour", RATE, AMOUNT_EXACT, NUMBER_RATE, true, true, false},
    {"GPU $", SUM, AMOUNT_GPU, NUMBER_MONEY, true, true, false},
    {"CPU + memory $", REST, AMOUNT_CPU, NUMBER_MONEY, true, false, false},
    {"CPU $", SUM, AMOUNT_CPU, NUMBER_MONEY, false, true, false},
    {"Memory $", SUM, AMOUNT_MEMORY, NUMBER_MONEY, false, true, false},
    {"Total $", SUM, AMOUNT_TOTAL, NUMBER_MONEY, true, true, false},
    {"Share of bill", SHARE, AMOUNT_TOTAL, NUMBER_SHARE, true, true, false},
    {"Budget $", SUM, AMOUNT_BUDGET, NUMBER_MONEY, true, true, true},
    {"% of budget", OF_BUDGET, AMOUNT_BUDGET, NUMBER_BUDGET, true, true, true},
    {"< $", SUM, AMOUNT_PREVIOUS, NUMBER_MONEY, true, true, true},
    {"Change $", CHANGE, AMOUNT_PREVIOUS, NUMBER_CHANGE, true, true, true},
    {"Change %", CHANGE_SHARE, AMOUNT_PREVIOUS, NUMBER_CHANGE_SHARE, true, true, true},
    {"Unheld $", SUM, AMOUNT_UNHELD, NUMBER_MONEY, false, true, true},
    {"Of it idle $", SUM, AMOUNT_IDLE, NUMBER_MONEY, true, true, true},
    {"Of it shared $", SUM, AMOUNT_SHARED, NUMBER_MONEY, true, true, true},
    {"At least $", SUM, AMOUNT_LEAST, NUMBER_MONEY, false, true, true},
    {"At most $", SUM, AMOUNT_MOST, NUMBER_MONEY, false, true, true},
    {"Grade A $", SUM, AMOUNT_A, NUMBER_MONEY, false, true, true},
    {"Grade B $", SUM, AMOUNT_B, NUMBER_MONEY, false, true, true},
    {"Grade C $", SUM, AMOUNT_C, NUMBER_MONEY, false, true, true},
    {"Grade D $", SUM, AMOUNT_D, NUMBER_MONEY, false, true, true},
};
enum { COLUMNS = sizeof columns / sizeof *columns, TEAMS_HEAD = 2 };

struct board {
    struct xlsx_sheet *s;
    const struct xlsx_lines *l;
    const struct team_column *shown[COLUMNS];
    lxw_col_t n;
    lxw_col_t hours, amount;       /* columns of the sheet */
    lxw_col_t place[AMOUNTS];
    money billed;
    const char *billed_cell;
    bool outline;
};

static bool wanted(const struct xlsx_lines *l, const struct team_column *c, enum teams_detail detail)
{
    if (!(detail == TEAMS_SHORT ? c->in_short : c->in_full) || (c->amount < AMOUNT_BUDGET && l->column[c->amount] < 0))
        return false;
    return !c->only_if_used || l->used[c->amount];
}

static void choose_columns(struct board *b, enum teams_detail detail)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        if (!wanted(b->l, &columns[i], detail))
            continue;
        b->shown[b->n++] = &columns[i];
        if (columns[i].means == SUM)
            b->place[columns[i].amount] = b->n;              /* the names are column 0 */
    }
    b->hours = b->place[AMOUNT_HOURS];
    b->amount = b->place[AMOUNT_TOTAL];
}

/* "September 2026", or what is not as short. */
static void add_before(struct buf *b, struct timespan period)
{
    struct timespan month = timespan_this_month(period.from);

    if (month.from == period.from && month.to == period.to)
        xlsx_add_period(b, period);
    else
        buf_adds(b, "Before");
}

static void add_head(struct buf *b, const char *head, const struct report *r)
{
    if (head[0] == '<')
        add_before(b, r->notes.previous.period);
    xlsx_add_head(b, head + (head[0] == '<'), r->currency);
}

static void write_heads(struct board *b, lxw_row_t row)
{
    struct buf head = {0};

    xlsx_height(b->s, row, 30);
    xlsx_text(b->s, row, 0, FACE_HEAD, b->l->centres ? "Cost centre and team" : "Team");
    for (lxw_col_t c = 0; c < b->n; c++) {
        buf_clear(&head);
        add_head(&head, b->shown[c]->head, b->s->book->r);
        xlsx_text(b->s, row, (lxw_col_t)(c + 1), FACE_HEAD_RIGHT, buf_str(&head));
    }
    buf_free(&head);
}

/* What a ratio is of another cell of the row: "=IF(D9=0,0,F9/D9)". */
static void write_ratio(struct board *b, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, lxw_col_t part,
                        lxw_col_t whole, money value)
{
    char p[8], w[8];

    xlsx_column(part, p);
    xlsx_column(whole, w);
    xlsx_formula(b->s, row, column, face, number, value, "=IF(%s%u=0,0,%s%u/%s%u)", w, row + 1, p, row + 1, w, row + 1);
}

static void write_share(struct board *b, lxw_row_t row, lxw_col_t column, enum xlsx_face face, const struct amounts *a)
{
    char p[8];

    xlsx_column(b->amount, p);
    xlsx_formula(b->s, row, column, face, NUMBER_SHARE, amount_share(a->v[AMOUNT_TOTAL], b->billed), "=IF(%s=0,0,%s%u/%s)",
                 b->billed_cell, p, row + 1, b->billed_cell);
}

static void write_change(struct board *b, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number,
                         const struct amounts *a)
{
    char p[8], w[8];

    xlsx_column(b->amount, p);
    xlsx_column(b->place[AMOUNT_PREVIOUS], w);
    xlsx_formula(b->s, row, column, face, number, a->v[AMOUNT_TOTAL] - a->v[AMOUNT_PREVIOUS], "=ROUND(%s%u-%s%u,%d)", p, row + 1, w,
                 row + 1, b->s->book->r->digits);
}

/* Of what had no cost before there is no percentage. */
static void write_change_share(struct board *b, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number,
                               const struct amounts *a)
{
    money before = a->v[AMOUNT_PREVIOUS], change = a->v[AMOUNT_TOTAL] - before;
    char p[8], w[8];

    if (before == 0) {
        xlsx_text_right(b->s, row, column, face, change ? "new" : "");
        return;
    }
    xlsx_column(b->amount, p);
    xlsx_column(b->place[AMOUNT_PREVIOUS], w);
    xlsx_formula(b->s, row, column, face, number, money_mul_div(change, (weight)MONEY_ONE, (weight)(before < 0 ? -before : before)),
                 "=IF(%s%u=0,0,(%s%u-%s%u)/ABS(%s%u))", w, row + 1, p, row + 1, w, row + 1, w, row + 1);
}

static bool is_known(const struct team_column *c, const struct amounts *a)
{
    return c->means == REST || c->means == RATE || c->means == SHARE || a->known[c->amount];
}

/* The columns that look alike in lines and sums: true when it was one. */
static bool write_derived(struct board *b, lxw_row_t row, lxw_col_t column, enum xlsx_face face, const struct team_column *c,
                          const struct amounts *a)
{
    if (!is_known(c, a))
        xlsx_blank(b->s, row, column, face);
    else if (c->means == SHARE)
        write_share(b, row, column, face, a);
    else if (c->means == OF_BUDGET)
        write_ratio(b, row, column, face, c->number, b->amount, b->place[AMOUNT_BUDGET],
                    amount_share(a->v[AMOUNT_TOTAL], a->v[AMOUNT_BUDGET]));
    else if (c->means == CHANGE)
        write_change(b, row, column, face, c->number, a);
    else if (c->means == CHANGE_SHARE)
        write_change_share(b, row, column, face, c->number, a);
    else
        return false;
    return true;
}

static money value_of(const struct team_column *c, const struct amounts *a)
{
    return c->means == REST ? a->v[AMOUNT_CPU] + a->v[AMOUNT_MEMORY] : c->means == RATE ? amount_rate(a) : a->v[c->amount];
}

static void write_line(struct board *b, lxw_row_t row, enum xlsx_face name_face, enum xlsx_face face, const char *name,
                       const struct amounts *a)
{
    if (b->outline) {
        lxw_row_col_options o = {.level = 1};

        xlsx_try(b->s->book, worksheet_set_row_opt(b->s->sheet, row, LXW_DEF_ROW_HEIGHT, NULL, &o));
    }
    xlsx_text(b->s, row, 0, name_face, name);
    for (lxw_col_t c = 0; c < b->n; c++) {
        const struct team_column *column = b->shown[c];
        lxw_col_t at = (lxw_col_t)(c + 1);

        if (!write_derived(b, row, at, face, column, a))
            xlsx_number(b->s, row, at, face, column->number, value_of(column, a));
    }
}

static enum xlsx_number number_of_sum(const struct team_column *c, enum xlsx_face face)
{
    return face == FACE_TOTAL && c->amount == AMOUNT_TOTAL ? NUMBER_CURRENCY : c->number;
}

/* Over the rows from `first` to `last`. budgeted: each of them has a budget, else a percentage would be of other teams' money. */
static void write_sums(struct board *b, lxw_row_t row, enum xlsx_face face, lxw_row_t first, lxw_row_t last, const struct amounts *a,
                       bool budgeted)
{
    for (lxw_col_t c = 0; c < b->n; c++) {
        const struct team_column *column = b->shown[c];
        lxw_col_t at = (lxw_col_t)(c + 1);

        if (column->means == OF_BUDGET && !budgeted)
            xlsx_blank(b->s, row, at, face);
        else if (write_derived(b, row, at, face, column, a))
            continue;
        else if (column->amount == AMOUNT_LEAST || column->amount == AMOUNT_MOST)
            xlsx_blank(b->s, row, at, face);                 /* bounds of parts are none of their sum */
        else if (column->means == RATE)
            write_ratio(b, row, at, face, NUMBER_RATE, b->amount, b->hours,
                        a->v[AMOUNT_HOURS] > 0 ? money_mul_div(a->v[AMOUNT_TOTAL], (weight)MONEY_ONE, (weight)a->v[AMOUNT_HOURS]) : 0);
        else if (first > last)
            xlsx_number(b->s, row, at, face, column->number, 0);
        else
            xlsx_subtotal(b->s, row, at, face, number_of_sum(column, face), first, last, value_of(column, a));
    }
}

static void write_group_name(struct board *b, lxw_row_t row, const struct xlsx_group *g)
{
    struct buf name = {0};

    if (xlsx_group_is_buckets(b->l, g))
        buf_adds(&name, "Not charged to a team");
    else if (!g->id[0])
        buf_adds(&name, "In no cost centre");
    else
        buf_addf(&name, "%s%s%s", g->id, g->name[0] ? "  " : "", g->name);
    xlsx_text(b->s, row, 0, FACE_GROUP, buf_str(&name));
    buf_free(&name);
}

static bool has_heading(const struct xlsx_lines *l, const struct xlsx_group *g)
{
    return l->centres || xlsx_group_is_buckets(l, g);
}

/* The row behind the group. */
static lxw_row_t write_group(struct board *b, lxw_row_t row, const struct xlsx_group *g)
{
    bool buckets = xlsx_group_is_buckets(b->l, g), heading = has_heading(b->l, g);

    if (heading) {
        write_group_name(b, row, g);
        write_sums(b, row, FACE_GROUP, row + 1, row + (lxw_row_t)g->n, &g->sums, g->budgeted == g->n);
        row++;
    }
    for (size_t i = 0; i < g->n; i++) {
        struct amounts a;
        const char *name = xlsx_line_read(b->l, &b->l->lines.v[g->first + i], &a);
        enum xlsx_face face = buckets ? FACE_BUCKET : FACE_PLAIN;

        write_line(b, row++, !heading ? face : buckets ? FACE_INDENT_BUCKET : FACE_INDENT, face, name, &a);
    }
    return row;
}

/* A budget that is spent. */
static void colour_budgets(struct board *b, lxw_row_t first, lxw_row_t last)
{
    for (lxw_col_t c = 0; c < b->n && first <= last; c++)
        if (b->shown[c]->means == OF_BUDGET)
            xlsx_more_than_one_is_bad(b->s->book, b->s->sheet, first, last, (lxw_col_t)(c + 1));
}

static void write_memo(struct board *b, lxw_row_t row)
{
    struct amounts a;
    const char *name = xlsx_line_read(b->l, &b->l->memo, &a);
    struct buf text = {0};

    buf_addf(&text, "%s, in no sum", name);
    b->outline = false;
    write_line(b, row, FACE_BUCKET, FACE_BUCKET, buf_str(&text), &a);
    buf_free(&text);
}

struct teams_place xlsx_teams_place(const struct xlsx_lines *l, enum teams_detail detail, lxw_row_t row)
{
    struct board b = {.l = l};
    size_t rows = l->lines.n;

    choose_columns(&b, detail);
    for (size_t g = 0; g < l->groups.n; g++)
        rows += has_heading(l, &l->groups.v[g]);
    return (struct teams_place){row, row + 1 + (lxw_row_t)rows, b.amount, (lxw_col_t)(b.n + 1)};
}

struct teams_place xlsx_teams_rows(struct xlsx_sheet *s, const struct xlsx_lines *l, enum teams_detail detail, lxw_row_t row,
                                   const char *billed)
{
    struct board b = {.s = s, .l = l, .billed = s->book->r->totals.billed, .billed_cell = billed,
                      .outline = detail == TEAMS_FULL && l->centres};
    lxw_row_t head = row++, first = row;

    s->has_sums = true;
    choose_columns(&b, detail);
    write_heads(&b, head);
    for (size_t g = 0; g < l->groups.n; g++)
        row = write_group(&b, row, &l->groups.v[g]);
    colour_budgets(&b, first, row - 1);
    xlsx_height(s, row, 20);
    xlsx_text(s, row, 0, FACE_TOTAL, "Total");
    write_sums(&b, row, FACE_TOTAL, first, row - 1, &l->sums, false);
    if (l->has_memo)
        write_memo(&b, row + 1);
    return (struct teams_place){head, row, b.amount, (lxw_col_t)(b.n + 1)};
}

struct teams_place xlsx_teams(struct xlsx_book *b, const struct xlsx_lines *l, const char *billed)
{
    struct xlsx_sheet s = xlsx_sheet_new(b, "Teams", XLSX_BLUE);
    struct teams_place p = xlsx_teams_place(l, TEAMS_FULL, TEAMS_HEAD);
    struct buf text = {0};

    buf_adds(&text, "Every figure of each team; ");
    xlsx_add_period(&text, b->r->period);
    xlsx_title(&s, "Teams", buf_str(&text));
    worksheet_outline_settings(s.sheet, LXW_TRUE, LXW_FALSE, LXW_TRUE, LXW_FALSE);
    if (p.total > p.head + 1)                                /* before the rows: in constant memory nothing goes back */
        xlsx_try(b, worksheet_autofilter(s.sheet, p.head, 0, p.total - 1, (lxw_col_t)(p.columns - 1)));
    xlsx_teams_rows(&s, l, TEAMS_FULL, TEAMS_HEAD, billed);
    xlsx_sheet_end(&s, (int)p.head, 1);
    buf_free(&text);
    return p;
}
