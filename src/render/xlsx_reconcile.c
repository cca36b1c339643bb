/* xlsx_reconcile: the way from the bill's files to the teams as numbers, and checks as formulas that anybody can look into: one cell says
 * whether all of them hold. They look at the rows of the other sheets, hidden by a filter or not. */
#include <assert.h>
#include <string.h>

#include "gputab/base/arena.h"
#include "gputab/base/vec.h"
#include "gputab/render/formats.h"
#include "gputab/render/xlsx_sheets.h"

enum { ROW_ALL = 2, ROW_CHECKS = 4, CHECKS_MOST = 24 };

static const char *const group_labels[BILL_GROUPS] = {
    [GROUP_OTHER_RESOURCES] = "Other resources", [GROUP_ATTACHED] = "Attached to GPU nodes", [GROUP_TAX] = "Tax",
    [GROUP_CREDIT] = "Credits", [GROUP_REFUND] = "Refunds", [GROUP_FEE] = "Fees", [GROUP_UNUSED_COMMITMENT] = "Unused commitments",
    [GROUP_EXCLUDED] = "Not counted: rows that repeat money",
};

struct bridge_line {
    const char *label;
    int64_t rows;                  /* of the bill; -1: not told */
    money cost, invoiced;
};

struct check {
    const char *what;
    struct buf left, right;        /* formulas */
    money is, should, slack;       /* what they come to */
    enum xlsx_number number;
};

struct reconcile {
    struct xlsx_sheet s;
    const struct report *r;
    VEC(struct bridge_line) lines; /* first those that were allocated: GPU nodes, shared costs */
    size_t n_allocated;
    lxw_row_t bridge;              /* its head */
    struct check checks[CHECKS_MOST];
    size_t n_checks;
    struct arena strings;
};

/* ---- the bridge ---- */

/* Shared costs that the rule spread are among what was allocated, and no longer in their groups. */
static void fill_allocated(struct reconcile *c)
{
    const struct report *r = c->r;
    struct bridge_line nodes = {"GPU nodes", -1, r->bridge.billed, r->bridge.billed_invoiced};

    for (size_t i = 0; i < r->shared.n; i++) {
        nodes.cost -= r->shared.v[i].cost;
        nodes.invoiced -= r->shared.v[i].invoiced;
    }
    vec_push(&c->lines, nodes);
    for (size_t i = 0; i < r->shared.n; i++) {
        struct buf label = {0};

        buf_addf(&label, "Shared cost %s, %s", r->shared.v[i].name, r->shared.v[i].method);
        vec_push(&c->lines, (struct bridge_line){arena_strdup(&c->strings, buf_str(&label)), -1, r->shared.v[i].cost,
                                                 r->shared.v[i].invoiced});
        buf_free(&label);
    }
    c->n_allocated = c->lines.n;
}

/* Whatever rounding leaves is a line of its own, so that they add up. */
static void fill_bridge(struct reconcile *c)
{
    const struct report *r = c->r;
    struct bridge_line rest = {"Rounding", -1, r->bridge.total, r->bridge.total_invoiced};

    fill_allocated(c);
    for (int g = 0; g < GROUP_EXCLUDED; g++)
        if (render_has_group(r, g))
            vec_push(&c->lines, (struct bridge_line){group_labels[g], r->bill->group_rows[g], r->groups[g], r->groups_invoiced[g]});
    vec_push(&c->lines, (struct bridge_line){"Outside the period", -1, r->bridge.outside, r->bridge.outside_invoiced});
    for (size_t i = 0; i < c->lines.n; i++) {
        rest.cost -= c->lines.v[i].cost;
        rest.invoiced -= c->lines.v[i].invoiced;
    }
    vec_push(&c->lines, rest);
}

static void write_money_line(struct reconcile *c, lxw_row_t row, enum xlsx_face face, const struct bridge_line *l)
{
    xlsx_text(&c->s, row, 0, face, l->label);
    if (l->rows >= 0)
        xlsx_count(&c->s, row, 1, face, l->rows);
    else
        xlsx_blank(&c->s, row, 1, face);
    xlsx_number(&c->s, row, 2, face, NUMBER_MONEY, l->cost);
    xlsx_number(&c->s, row, 3, face, NUMBER_MONEY, l->invoiced);
}

static void write_section(struct xlsx_sheet *s, lxw_row_t row, const char *title, lxw_col_t columns)
{
    xlsx_height(s, row, 20);
    xlsx_text(s, row, 0, FACE_SECTION, title);
    for (lxw_col_t c = 1; c < columns; c++)
        xlsx_blank(s, row, c, FACE_SECTION);
}

/* $: the currency; <: over a column of texts. */
static void write_heads(struct xlsx_sheet *s, lxw_row_t row, const char *const *heads, const char *currency)
{
    struct buf b = {0};

    for (lxw_col_t c = 0; heads[c]; c++) {
        buf_clear(&b);
        xlsx_add_head(&b, heads[c] + (heads[c][0] == '<'), currency);
        xlsx_text(s, row, c, c && heads[c][0] != '<' ? FACE_HEAD_RIGHT : FACE_HEAD, buf_str(&b));
    }
    buf_free(&b);
}

/* The row behind it. */
static lxw_row_t write_bridge(struct reconcile *c)
{
    static const char *const heads[] = {"Group of the bill", "Rows", "Cost $", "Invoiced $", NULL};
    lxw_row_t row = c->bridge, first = row + 1;

    write_section(&c->s, row - 1, "From the bill's files to the GPU nodes", 5);
    write_heads(&c->s, row++, heads, c->r->currency);
    for (size_t i = 0; i < c->lines.n; i++)
        write_money_line(c, row++, FACE_PLAIN, &c->lines.v[i]);
    xlsx_text(&c->s, row, 0, FACE_TOTAL, "Total of the files");
    xlsx_count(&c->s, row, 1, FACE_TOTAL, c->r->bill->rows);
    xlsx_subtotal(&c->s, row, 2, FACE_TOTAL, NUMBER_MONEY, first, row - 1, c->r->bridge.total);
    xlsx_subtotal(&c->s, row, 3, FACE_TOTAL, NUMBER_MONEY, first, row - 1, c->r->bridge.total_invoiced);
    row++;
    if (render_has_group(c->r, GROUP_EXCLUDED))
        write_money_line(c, row++, FACE_BUCKET, &(struct bridge_line){group_labels[GROUP_EXCLUDED], c->r->bill->group_rows[GROUP_EXCLUDED],
                                                                      c->r->groups[GROUP_EXCLUDED], c->r->groups_invoiced[GROUP_EXCLUDED]});
    return row;
}

/* ---- checks ---- */

static struct check *add_check(struct reconcile *c, const char *what, enum xlsx_number number, money is, money should)
{
    struct check *k = &c->checks[c->n_checks < CHECKS_MOST ? c->n_checks++ : CHECKS_MOST - 1];

    *k = (struct check){.what = what, .is = is, .should = should, .number = number};
    return k;
}

static money unit_of(const struct report *r)
{
    money unit = MONEY_ONE;

    for (int i = 0; i < r->digits; i++)
        unit /= 10;
    return unit;
}

/* Every line was rounded on its own, by half a unit at most: what that leaves is no more. */
static void check_bridge(struct reconcile *c)
{
    lxw_row_t first = c->bridge + 1, rounding = c->bridge + (lxw_row_t)c->lines.n;
    const struct bridge_line *rest = &c->lines.v[c->lines.n - 1];
    struct check *k;

    k = add_check(c, "Groups of the bill add up to its total: cost", NUMBER_MONEY, c->r->bridge.total - rest->cost, c->r->bridge.total);
    buf_addf(&k->left, "=SUM(C%u:C%u)", first + 1, rounding);
    buf_addf(&k->right, "=C%u", rounding + 2);
    k->slack = unit_of(c->r) * (money)c->lines.n / 2;
    k = add_check(c, "Groups of the bill add up to its total: invoiced", NUMBER_MONEY, c->r->bridge.total_invoiced - rest->invoiced,
                  c->r->bridge.total_invoiced);
    buf_addf(&k->left, "=SUM(D%u:D%u)", first + 1, rounding);
    buf_addf(&k->right, "=D%u", rounding + 2);
    k->slack = unit_of(c->r) * (money)c->lines.n / 2;
    k = add_check(c, c->r->shared.n ? "GPU nodes and shared costs are what is allocated" : "Billed for GPU nodes is what is allocated",
                  NUMBER_MONEY, c->r->bridge.billed, c->r->totals.billed);
    buf_addf(&k->left, "=SUM(C%u:C%zu)", first + 1, first + c->n_allocated);
    buf_adds(&k->right, "=Summary!" XLSX_BILLED);
}

static void check_summary(struct reconcile *c, const struct xlsx_lines *l, const struct teams_place *p)
{
    char total[8];
    struct check *k;
    money rest = l->sums.v[AMOUNT_CPU] + l->sums.v[AMOUNT_MEMORY];

    xlsx_column(p->amount, total);
    if (!c->r->filtered) {
        k = add_check(c, "Teams and buckets add up to what was billed", NUMBER_MONEY, l->sums.v[AMOUNT_TOTAL], c->r->totals.billed);
        buf_addf(&k->left, "=Summary!%s%u", total, p->total + 1);
        buf_adds(&k->right, "=Summary!" XLSX_BILLED);
    }
    k = add_check(c, "GPU, CPU and memory add up to the total", NUMBER_MONEY, l->sums.v[AMOUNT_GPU] + rest, l->sums.v[AMOUNT_TOTAL]);
    buf_addf(&k->left, "=Summary!D%u+Summary!E%u", p->total + 1, p->total + 1);
    buf_addf(&k->right, "=Summary!%s%u", total, p->total + 1);
    k = add_check(c, "Nothing is left over: the difference is zero", NUMBER_MONEY, c->r->totals.difference, 0);
    buf_adds(&k->left, "=Summary!$C$5");
    buf_adds(&k->right, "=0");
}

static void add_sum_of(struct buf *b, const struct grid_place *g, lxw_col_t column)
{
    char name[8];

    xlsx_column(column, name);
    if (g->first > g->last)
        buf_adds(b, "=0");
    else
        buf_addf(b, "=SUM(%s!%s%u:%s%u)", g->name, name, g->first + 1, name, g->last + 1);
}

/* Detail adds up to the teams; the rows that were asked for are rounded on their own: whole they come to the same, in part nearly so. */
static void check_grid(struct reconcile *c, const struct xlsx_lines *l, const struct teams_place *p, const struct grid_place *g,
                       const char *money_text, const char *hours_text, bool nested)
{
    char total[8];
    struct check *k = add_check(c, money_text, NUMBER_MONEY, g->total_cost, l->sums.v[AMOUNT_TOTAL]);
    bool loose = c->r->filtered && !nested;

    xlsx_column(p->amount, total);
    add_sum_of(&k->left, g, g->total);
    buf_addf(&k->right, "=Summary!%s%u", total, p->total + 1);
    k->slack = loose ? unit_of(c->r) * (money)(g->cells + PIECES * l->lines.n) : 0;
    k = add_check(c, hours_text, NUMBER_HOURS, g->gpu_hours, l->sums.v[AMOUNT_HOURS]);
    add_sum_of(&k->left, g, g->hours);
    buf_addf(&k->right, "=Summary!B%u", p->total + 1);
    k->slack = loose ? (MONEY_ONE / 1000000) * (money)(g->cells + l->lines.n) : 0;
}

static void check_grids(struct reconcile *c, const struct xlsx_lines *l, const struct teams_place *p, const struct grid_place *grids,
                        size_t n)
{
    static const struct { const char *name, *money_text, *hours_text; bool nested; } texts[] = {
        {"Detail", "Rows of Detail add up to the summary", "GPU hours of Detail add up to the summary", true},
        {"Rows", "Rows of Rows add up to the summary", "GPU hours of Rows add up to the summary", false},
    };

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            if (strcmp(grids[i].name, texts[k].name) == 0)
                check_grid(c, l, p, &grids[i], texts[k].money_text, texts[k].hours_text, texts[k].nested);
}

/* Where the bridge stands must be known before the checks are, which refer to it. */
static size_t count_checks(const struct report *r, size_t n_grids)
{
    return 5 + !r->filtered + 2 * n_grids;
}

static bool holds(const struct check *k)
{
    money off = k->is - k->should;

    return (off < 0 ? -off : off) <= k->slack;
}

static void write_check(struct reconcile *c, lxw_row_t row, struct check *k)
{
    int digits = k->number == NUMBER_HOURS ? 5 : c->r->digits;

    xlsx_text(&c->s, row, 0, FACE_PLAIN, k->what);
    xlsx_formula(&c->s, row, 1, FACE_PLAIN, k->number, k->is, "%s", buf_str(&k->left));
    xlsx_formula(&c->s, row, 2, FACE_PLAIN, k->number, k->should, "%s", buf_str(&k->right));
    xlsx_number(&c->s, row, 3, FACE_PLAIN, k->number, k->slack);
    xlsx_check(&c->s, row, 4, holds(k), "=ROUND(ABS(B%u-C%u)-D%u,%d)<=0", row + 1, row + 1, row + 1, digits);
    buf_free(&k->left);
    buf_free(&k->right);
}

static void write_checks(struct reconcile *c)
{
    static const char *const heads[] = {"Check", "Is", "Should be", "Rounding allowed", "Holds", NULL};
    lxw_row_t row = ROW_CHECKS;
    bool all = true;

    for (size_t i = 0; i < c->n_checks; i++)
        all &= holds(&c->checks[i]);
    xlsx_height(&c->s, ROW_ALL, 24);
    xlsx_text(&c->s, ROW_ALL, 0, FACE_TILE, "ALL OK");
    xlsx_check(&c->s, ROW_ALL, 1, all, "=AND(E%u:E%zu)", ROW_CHECKS + 2u, ROW_CHECKS + 1 + c->n_checks);
    xlsx_true_is_good(c->s.book, c->s.sheet, ROW_ALL, ROW_ALL, 1);
    write_heads(&c->s, row++, heads, c->r->currency);
    for (size_t i = 0; i < c->n_checks; i++)
        write_check(c, row++, &c->checks[i]);
    xlsx_true_is_good(c->s.book, c->s.sheet, ROW_CHECKS + 1, row - 1, 4);
}

/* ---- gates ---- */

/* "max_unmapped" is a most, all others are a least. */
static bool is_most(const struct gate_note *g)
{
    return strncmp(g->name, "max_", 4) == 0;
}

static lxw_row_t write_gates(struct reconcile *c, lxw_row_t row)
{
    static const char *const heads[] = {"Gate", "Is", "Limit", "<", "Passed", NULL};
    const struct notes *n = &c->r->notes;
    lxw_row_t first;

    if (n->gates.n == 0)
        return row;
    write_section(&c->s, row++, "Gates of the rule", 5);
    write_heads(&c->s, row++, heads, c->r->currency);
    first = row;
    for (size_t i = 0; i < n->gates.n; i++, row++) {
        const struct gate_note *g = &n->gates.v[i];

        xlsx_text(&c->s, row, 0, FACE_PLAIN, g->name);
        xlsx_number(&c->s, row, 1, FACE_PLAIN, NUMBER_GATE, g->value);
        xlsx_number(&c->s, row, 2, FACE_PLAIN, NUMBER_GATE, g->limit);
        xlsx_text(&c->s, row, 3, FACE_PLAIN, is_most(g) ? "at most" : "at least");
        xlsx_check(&c->s, row, 4, g->passed, is_most(g) ? "=B%u<=C%u" : "=B%u>=C%u", row + 1, row + 1);
    }
    xlsx_true_is_good(c->s.book, c->s.sheet, first, row - 1, 4);
    return row + 1;
}

/* ---- files ---- */

static lxw_row_t write_files(struct reconcile *c, lxw_row_t row)
{
    static const char *const heads[] = {"File of the bill", "Rows", "Of GPU nodes", "<SHA-256", "", NULL};
    const struct bill *bill = c->r->bill;

    write_section(&c->s, row++, "Files", 5);
    write_heads(&c->s, row++, heads, c->r->currency);
    for (size_t i = 0; i < bill->files.n; i++, row++) {
        xlsx_text(&c->s, row, 0, FACE_PLAIN, bill->files.v[i].name);
        xlsx_count(&c->s, row, 1, FACE_PLAIN, bill->files.v[i].rows);
        xlsx_count(&c->s, row, 2, FACE_PLAIN, bill->files.v[i].rows_used);
        xlsx_text(&c->s, row, 3, FACE_NOTE, bill->files.v[i].sha256);
    }
    return row;
}

static void write_rates(struct reconcile *c, lxw_row_t row)
{
    static const char *const heads[] = {"Converted from", "Month", "1 is $", "<Source", "", NULL};
    const struct bill *bill = c->r->bill;
    struct buf b = {0};

    if (bill->rates.n == 0)
        return;
    write_section(&c->s, row++, "Currencies", 5);
    write_heads(&c->s, row++, heads, c->r->currency);
    for (size_t i = 0; i < bill->rates.n; i++, row++) {
        xlsx_text(&c->s, row, 0, FACE_PLAIN, bill->rates.v[i].from);
        xlsx_date(&c->s, row, 1, FACE_PLAIN, NUMBER_MONTH, bill->rates.v[i].month);
        buf_clear(&b);
        render_add_rate(&b, bill->rates.v[i].rate);
        xlsx_text(&c->s, row, 2, FACE_PLAIN, buf_str(&b));
        xlsx_text(&c->s, row, 3, FACE_NOTE, bill->rates.v[i].source);
    }
    buf_free(&b);
}

void xlsx_reconcile(struct xlsx_book *b, const struct xlsx_lines *l, const struct teams_place *summary, const struct grid_place *grids,
                    size_t n_grids)
{
    struct reconcile c = {.s = xlsx_sheet_new(b, "Reconcile", XLSX_GOOD), .r = b->r};
    lxw_row_t row;

    fill_bridge(&c);
    c.bridge = ROW_CHECKS + 1 + (lxw_row_t)count_checks(b->r, n_grids) + 2;
    check_bridge(&c);
    check_summary(&c, l, summary);
    check_grids(&c, l, summary, grids, n_grids);
    assert(c.n_checks == count_checks(b->r, n_grids));
    xlsx_title(&c.s, "Reconcile", "Every sum of this workbook against the bill, by formulas over its own cells");
    write_checks(&c);
    row = write_bridge(&c);
    row = write_gates(&c, row + 1);
    row = write_files(&c, row);
    write_rates(&c, row + 1);
    xlsx_wide(&c.s, 0, 46);
    for (lxw_col_t column = 1; column < 5; column++)
        xlsx_wide(&c.s, column, 16);
    xlsx_sheet_end(&c.s, -1, 0);
    vec_free(&c.lines);
    arena_free(&c.strings);
}
