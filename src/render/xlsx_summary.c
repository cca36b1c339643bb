/* xlsx_summary: the first sheet, for who reads no other: what this is, whether it adds up, who pays what, and what it looks like.
 * The frame above the lines is of fixed rows; `billed` stands in XLSX_BILLED, which the shares of other sheets are of. */
#include <ctype.h>
#include <string.h>

#include "gputab/render/formats.h"
#include "gputab/render/xlsx_sheets.h"

enum { ROW_BAND = 2, ROW_LABELS = 3, ROW_VALUES = 4, ROW_GAP = 5, ROW_HEAD = 6, TILES = 7, TILE_DIFFERENCE = 2, COLUMNS_NARROW = 8,
       CHART_ROWS = 22, ONE_PAGE_ROWS = 64 };

static void add_title(struct buf *b, const struct report *r)
{
    buf_addf(b, "GPU %s, ", r->mode);
    xlsx_add_period(b, r->period);
}

static void add_subtitle(struct buf *b, const struct report *r)
{
    buf_adds(b, r->filtered ? "Selected rows, " : "All teams, ");
    xlsx_add_instants(b, r->period);
    buf_adds(b, " (");
    render_add_hours(b, r->period);
    buf_addf(b, " hour%s), amounts in %s, rule %s %s, split %s with a GPU share of ",
             timespan_ms(r->period) == TIME_HOUR ? "" : "s", r->currency[0] ? r->currency : "no currency", r->rule_name,
             r->rule_version, r->split_method);
    money_add_text(b, r->gpu_share * 100, 1);
    buf_adds(b, " %");
    if (!r->owners_written)
        buf_adds(b, "; the team is the namespace");
}

static void add_band(struct buf *b, const struct report *r)
{
    buf_adds(b, r->draft ? "DRAFT " : "");
    for (const char *p = r->mode; *p; p++)
        buf_addc(b, (char)toupper((unsigned char)*p));
    if (r->filtered)
        buf_adds(b, ", FILTERED: not the whole bill");
}

/* A strip over the table's width, with what the report is at its left and whether the bill is final at its right. */
static void write_band(struct xlsx_sheet *s, lxw_col_t columns)
{
    const struct report *r = s->book->r;
    bool alarm = r->draft || r->filtered, open = r->bill->rows == 0 || !r->bill->is_final;
    enum xlsx_face left = alarm ? FACE_ALARM : FACE_BAND, right = alarm || open ? FACE_ALARM_RIGHT : FACE_BAND_RIGHT;
    struct buf text = {0};

    add_band(&text, r);
    xlsx_height(s, ROW_BAND, 21);
    xlsx_text(s, ROW_BAND, 0, left, buf_str(&text));
    for (lxw_col_t c = 1; c + 2 < columns; c++)
        xlsx_blank(s, ROW_BAND, c, left);
    xlsx_blank(s, ROW_BAND, (lxw_col_t)(columns - 2), right);
    xlsx_text(s, ROW_BAND, (lxw_col_t)(columns - 1), right, r->bill->rows == 0 ? "bill EMPTY" : open ? "bill ESTIMATED" : "bill FINAL");
    buf_free(&text);
}

static money of_bucket(const struct xlsx_lines *l, enum bucket bucket)
{
    money sum = 0;

    for (size_t i = 0; i < l->lines.n; i++) {
        struct amounts a;

        if (strcmp(xlsx_line_read(l, &l->lines.v[i], &a), bucket_names[bucket]) == 0)
            sum += a.v[AMOUNT_TOTAL];
    }
    return sum;
}

static money of_teams(const struct xlsx_lines *l)
{
    return l->sums.v[AMOUNT_TOTAL] - (l->has_buckets ? l->groups.v[l->groups.n - 1].sums.v[AMOUNT_TOTAL] : 0);
}

static money measured_share(const struct report *r)
{
    money all = 0;

    for (int g = 0; g < GRADES; g++)
        all += r->measured[g];
    return all ? amount_share(r->measured[GRADE_A], all) : MONEY_ONE;
}

static void write_labels(struct xlsx_sheet *s)
{
    static const char *const labels[TILES] = {"Billed for GPU nodes", "Allocated", "Difference", "To teams", "Idle", "GPU time observed",
                                              "Measured"};

    for (lxw_col_t c = 0; c < TILES; c++)
        xlsx_text(s, ROW_LABELS, c, FACE_TILE_LABEL, c == 0 && s->book->r->shared.n ? "Billed, with shared costs" : labels[c]);
}

/* `total`: the row of the table's sum, which is what was allocated, unless rows were selected. */
static void write_values(struct xlsx_sheet *s, const struct xlsx_lines *l, lxw_row_t total, lxw_col_t amount)
{
    const struct report *r = s->book->r;
    char column[8];

    xlsx_number(s, ROW_VALUES, 0, FACE_TILE, NUMBER_CURRENCY, r->totals.billed);
    if (r->filtered)
        xlsx_number(s, ROW_VALUES, 1, FACE_TILE, NUMBER_CURRENCY, r->totals.billed - r->totals.difference);
    else
        xlsx_formula(s, ROW_VALUES, 1, FACE_TILE, NUMBER_CURRENCY, l->sums.v[AMOUNT_TOTAL], "=%s%u",
                     xlsx_column(amount, column), total + 1);
    xlsx_formula(s, ROW_VALUES, TILE_DIFFERENCE, FACE_TILE, NUMBER_CURRENCY, r->totals.difference, "=ROUND(A%d-B%d,%d)", ROW_VALUES + 1,
                 ROW_VALUES + 1, r->digits);
    xlsx_number(s, ROW_VALUES, 3, FACE_TILE, NUMBER_SHARE, amount_share(of_teams(l), r->totals.billed));
    xlsx_number(s, ROW_VALUES, 4, FACE_TILE, NUMBER_SHARE, amount_share(of_bucket(l, BUCKET_IDLE), r->totals.billed));
    xlsx_number(s, ROW_VALUES, 5, FACE_TILE, NUMBER_SHARE, r->coverage);
    xlsx_number(s, ROW_VALUES, 6, FACE_TILE, NUMBER_SHARE, measured_share(r));
}

/* ---- notes ---- */

struct notes_at {
    struct xlsx_sheet *s;
    lxw_row_t row;
    struct buf text;
};

static void note(struct notes_at *n, enum xlsx_face face)
{
    xlsx_text(n->s, n->row++, 0, face, buf_str(&n->text));
    buf_clear(&n->text);
}

static void note_gates(struct notes_at *n, const struct report *r)
{
    size_t passed = notes_gates_passed(&r->notes);

    if (r->notes.gates.n == 0)
        return;
    buf_addf(&n->text, "Gates of the rule: %zu of %zu passed", passed, r->notes.gates.n);
    if (passed < r->notes.gates.n)
        buf_adds(&n->text, "; the sheet Reconcile shows which of them did not");
    note(n, passed < r->notes.gates.n ? FACE_NOTE_BAD : FACE_NOTE);
}

static void note_budgets(struct notes_at *n, const struct xlsx_lines *l)
{
    const char *comma = "";

    for (size_t i = 0; i < l->lines.n; i++) {
        const struct budget_note *b = l->lines.v[i].budget;

        if (!b || !b->over)
            continue;
        buf_addf(&n->text, "%s%s", *comma ? comma : "! Over budget: ", b->team);
        comma = ", ";
    }
    if (n->text.n)
        note(n, FACE_NOTE_BAD);
}

/* What was compared with, when a head alone doesn't say it. */
static void note_previous(struct notes_at *n, const struct xlsx_lines *l, const struct report *r)
{
    if (!l->used[AMOUNT_PREVIOUS])
        return;
    buf_adds(&n->text, "Compared with ");
    xlsx_add_period(&n->text, r->notes.previous.period);
    if (strcmp(r->notes.previous.rule_sha256, r->rule_sha256) != 0)
        buf_addf(&n->text, ", which was reported by another rule: %s %s", r->notes.previous.rule_name, r->notes.previous.rule_version);
    note(n, FACE_NOTE);
}

static void note_shared(struct notes_at *n, const struct report *r)
{
    if (r->shared.n == 0)
        return;
    buf_adds(&n->text, "Shared costs that the rule spreads are part of what was billed and allocated:");
    for (size_t i = 0; i < r->shared.n; i++)
        buf_addf(&n->text, "%s %s, %s", i ? ";" : "", r->shared.v[i].name, r->shared.v[i].method);
    note(n, FACE_NOTE);
}

static void note_estimates(struct notes_at *n, const struct xlsx_lines *l, const struct report *r)
{
    if (r->measured[GRADE_C] == 0 && !l->used[AMOUNT_LEAST] && !l->used[AMOUNT_MOST])
        return;
    buf_adds(&n->text, "A part is estimated: shared cards without per-pod memory. ");
    buf_addf(&n->text, "%s%s", r->improve[0] ? "To measure it: " : "", r->improve);
    note(n, FACE_NOTE);
}

/* Below the table: what a reader of these numbers should know. The row behind it. */
static lxw_row_t write_notes(struct xlsx_sheet *s, const struct xlsx_lines *l, lxw_row_t row)
{
    const struct report *r = s->book->r;
    struct notes_at n = {.s = s, .row = row};

    note_budgets(&n, l);
    note_gates(&n, r);
    note_previous(&n, l, r);
    note_shared(&n, r);
    note_estimates(&n, l, r);
    if (r->diag->n)
        buf_addf(&n.text, "Warnings of %zu %s are on the sheet Method. ", r->diag->n, r->diag->n == 1 ? "kind" : "kinds");
    buf_adds(&n.text, "Checks of every sum are on the sheet Reconcile, words are explained on Method.");
    note(&n, FACE_NOTE);
    buf_free(&n.text);
    return n.row;
}

/* Beside the table while that is narrow, so that a page holds both in a size that can be read, else below it. */
static void draw_charts(struct xlsx_sheet *s, const struct xlsx_charts *c, lxw_col_t columns, lxw_row_t below)
{
    if (columns > COLUMNS_NARROW) {
        xlsx_charts_draw(c, s, below + 1, 0, true);
        if (below + CHART_ROWS <= ONE_PAGE_ROWS)       /* else a page would end in the middle of a chart */
            worksheet_fit_to_pages(s->sheet, 1, 1);
        return;
    }
    xlsx_charts_draw(c, s, ROW_HEAD + 1, (lxw_col_t)(columns + 1), false);
    xlsx_try(s->book, worksheet_set_column(s->sheet, columns, columns, 2, NULL));
}

struct teams_place xlsx_summary(struct xlsx_book *b, const struct xlsx_lines *l, const struct xlsx_charts *c)
{
    struct xlsx_sheet s = xlsx_sheet_new(b, "Summary", XLSX_NAVY);
    struct buf title = {0}, subtitle = {0};
    struct teams_place p = xlsx_teams_place(l, TEAMS_SHORT, ROW_HEAD);
    lxw_row_t notes_end;

    add_title(&title, b->r);
    add_subtitle(&subtitle, b->r);
    xlsx_title(&s, buf_str(&title), buf_str(&subtitle));
    write_band(&s, p.columns);
    write_labels(&s);
    xlsx_height(&s, ROW_VALUES, 24);
    write_values(&s, l, p.total, p.amount);
    xlsx_zero_is_good(b, s.sheet, ROW_VALUES, TILE_DIFFERENCE);
    xlsx_height(&s, ROW_GAP, 8);
    xlsx_wide(&s, 0, 30);
    for (lxw_col_t column = 1; column < p.columns; column++)
        xlsx_wide(&s, column, column < TILES ? 14 : 11);
    p = xlsx_teams_rows(&s, l, TEAMS_SHORT, ROW_HEAD, XLSX_BILLED);
    notes_end = write_notes(&s, l, p.total + 1 + (l->has_memo ? 2 : 1));
    draw_charts(&s, c, p.columns, notes_end);
    xlsx_sheet_end(&s, ROW_HEAD, 1);
    worksheet_activate(s.sheet);
    buf_free(&title);
    buf_free(&subtitle);
    return p;
}
