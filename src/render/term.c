/* term: the report as people read it, on a terminal or as plain text.
 * The order is that of a reader's questions: what is this and can I trust it (head), who pays what (table), does it add up to the bill
 * (billed, allocated, difference), how sure is it (words), what should I do about it (the lines with "!").
 * Columns and their widths are sheet.c's, numbers figures.c's, colours and line breaks ink.c's. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/render/bridge.h"
#include "gputab/render/formats.h"
#include "gputab/render/ink.h"
#include "gputab/render/notes.h"
#include "gputab/render/sheet.h"
#include "gputab/render/splits.h"
#include "gputab/render/tree.h"

enum { WARNINGS_SHOWN = 5, NAMES_SHOWN = 3, RATES_SHOWN = 6 };

static void add_percent(struct buf *b, money share, int digits)
{
    money_add_text(b, share * 100, digits);
    buf_adds(b, " %");
}

static void phrase(struct ink *k, enum ink_style style, struct buf *b)
{
    ink_phrase(k, style, buf_str(b));
    buf_clear(b);
}

static void print_label(struct ink *k, const struct report *r, struct buf *b)
{
    buf_addc(b, ' ');
    for (const char *p = r->mode; *p; p++)
        buf_addc(b, *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p);
    buf_addc(b, ' ');
    if (!k->colour) {                                        /* the blanks are the label's margin in reverse video */
        b->p[--b->n] = '\0';
        ink_phrase(k, INK_LABEL, buf_str(b) + 1);
        buf_clear(b);
    } else {
        phrase(k, INK_LABEL, b);
    }
    if (r->draft)
        ink_phrase(k, INK_WARN, "DRAFT");
}

static void print_period(struct ink *k, const struct report *r, struct buf *b)
{
    print_label(k, r, b);
    render_add_instant(b, r->period.from);
    buf_adds(b, " to ");
    render_add_instant(b, r->period.to);
    buf_adds(b, " UTC");
    phrase(k, INK_BOLD, b);
    render_add_hours(b, r->period);
    buf_adds(b, timespan_ms(r->period) == TIME_HOUR ? " hour" : " hours");
    phrase(k, INK_TEXT, b);
    if (r->bill->rows == 0)
        ink_phrase(k, INK_WARN, "bill EMPTY");
    else
        ink_phrase(k, r->bill->is_final ? INK_TEXT : INK_WARN, r->bill->is_final ? "bill FINAL" : "bill ESTIMATED");
    if (r->currency[0]) {
        buf_addf(b, "amounts in %s", r->currency);
        phrase(k, INK_TEXT, b);
    }
    ink_line(k);
}

static void print_rule_line(struct ink *k, const struct report *r, struct buf *b)
{
    buf_addf(b, "rule %s%s%s", r->rule_name, r->rule_version[0] ? " " : "", r->rule_version);
    phrase(k, INK_TEXT, b);
    if (r->splits.n) {
        ink_phrase(k, INK_TEXT, "split methods side by side");
    } else {
        buf_addf(b, "split %s, GPU share ", r->split_method);
        add_percent(b, r->gpu_share, 2);
        phrase(k, INK_TEXT, b);
    }
    add_percent(b, r->coverage, 2);
    buf_adds(b, " of GPU time observed");
    phrase(k, r->coverage < MONEY_ONE * 95 / 100 ? INK_WARN : INK_TEXT, b);
    notes_print_gates(k, &r->notes);
    ink_line(k);
}

static void add_name(struct buf *b, const char *name, size_t i, size_t n)
{
    if (i < NAMES_SHOWN)
        buf_addf(b, "%s%s", i ? ", " : "", name);
    else if (i == NAMES_SHOWN)
        buf_addf(b, " and %zu more", n - i);
}

static void print_sources(struct ink *k, const struct report *r, struct buf *b)
{
    if (r->bill->files.n)
        buf_adds(b, "bill from ");
    for (size_t i = 0; i < r->bill->files.n; i++)
        add_name(b, r->bill->files.v[i].name, i, r->bill->files.n);
    phrase(k, INK_DIM, b);
    if (r->metrics.n)
        buf_adds(b, "metrics from ");
    for (size_t i = 0; i < r->metrics.n; i++)
        add_name(b, r->metrics.v[i].name, i, r->metrics.n);
    phrase(k, INK_DIM, b);
    ink_line(k);
}

/* Amounts that were in another currency, and by what they became others. */
static void print_rates(struct ink *k, const struct report *r, struct buf *b)
{
    size_t n = r->bill->rates.n;

    for (size_t i = 0; i < n && i < RATES_SHOWN; i++) {
        const struct bill_rate *rate = &r->bill->rates.v[i];

        buf_addf(b, "1 %s = ", rate->from);
        render_add_rate(b, rate->rate);
        buf_addf(b, " %s in ", r->currency);
        render_add_month(b, rate->month);
        buf_addf(b, "%s%s%s", rate->source[0] ? " (" : "", rate->source, rate->source[0] ? ")" : "");
        phrase(k, INK_TEXT, b);
    }
    if (n > RATES_SHOWN) {
        buf_addf(b, "and %zu more rates", n - RATES_SHOWN);
        phrase(k, INK_TEXT, b);
    }
    if (n)
        ink_line(k);
}

static void print_head(struct ink *k, const struct report *r)
{
    struct buf b = {0};

    print_period(k, r, &b);
    print_rule_line(k, r, &b);
    print_sources(k, r, &b);
    print_rates(k, r, &b);
    if (!r->owners_written)
        ink_words(k, INK_WARN, "the rule names no owners: the team is the namespace", 0);
    if (r->notes.only)
        buf_addf(&b, "%s only: ", r->notes.only);
    if (r->filtered) {
        buf_addf(&b, "%srows and TOTAL are a part; billed, allocated and difference are the whole", b.n ? "" : "filtered: ");
        ink_words(k, INK_WARN, buf_str(&b), 0);
    }
    if (r->split_key) {
        buf_addf(&b, "%s %s alone: what is billed is the sum of its rows", r->split_key, r->split_value);
        ink_words(k, INK_TEXT, buf_str(&b), 0);
    }
    ink_line(k);
    buf_free(&b);
}

/* What of the billed amount is no node's: else nobody would find it in the bill. */
static void print_shared(struct ink *k, const struct report *r)
{
    struct buf b = {0};

    for (size_t i = 0; i < r->shared.n; i++) {
        buf_addf(&b, "%s%s ", i ? ", " : "in it shared costs: ", r->shared.v[i].name);
        figure_add_amount(&b, r->shared.v[i].cost, r->digits);
    }
    if (b.n)
        ink_words(k, INK_TEXT, buf_str(&b), 2);
    buf_free(&b);
}

static void print_conservation(struct ink *k, const struct report *r)
{
    const struct report_totals *t = &r->totals;
    struct buf b = {0};

    buf_adds(&b, "billed ");
    figure_add_amount(&b, t->billed, r->digits);
    phrase(k, INK_TEXT, &b);
    buf_adds(&b, "allocated ");
    figure_add_amount(&b, t->billed - t->difference, r->digits);
    phrase(k, INK_TEXT, &b);
    buf_adds(&b, "difference ");
    figure_add_amount(&b, t->difference, r->digits);
    phrase(k, t->difference ? INK_WARN : INK_TEXT, &b);
    ink_line(k);
    print_shared(k, r);
    buf_free(&b);
}

/* Causes of estimates by the warnings that go with them. The one without a warning is there where no other cause of a card is. */
static const struct { const char *code, *cause; } causes[] = {
    {"W201", "shared cards without per-pod memory"},
    {"W202", "shared cards without per-pod memory"},
    {NULL,   "shared cards with one pod labelled, on nodes without requests"},
    {"W210", "nodes without CPU or memory series"},
};

static void add_causes(struct buf *b, const struct diag *d)
{
    const char *last = NULL;

    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        bool holds = causes[i].code ? diag_find(d, causes[i].code) != NULL : !last;

        if (!holds || (last && strcmp(last, causes[i].cause) == 0))
            continue;
        buf_addf(b, "%s%s", last ? "; " : ": ", causes[i].cause);
        last = causes[i].cause;
    }
}

/* Whole percents, or more decimals where a part would vanish. */
static int percent_digits(const money *parts, money all)
{
    for (int g = 0; g < GRADES; g++)
        if (parts[g] > 0 && parts[g] * 200 < all)
            return 2;
    return 0;
}

/* "81 % measured, 19 % estimated": of what pods pay. */
static void print_measured(struct ink *k, const struct report *r)
{
    static const char *const words[GRADES] = {"measured", "reported by a sharing layer or unverified", "estimated", "unknown"};
    money all = 0, parts[GRADES];
    struct buf b = {0};
    int digits;

    for (int g = 0; g < GRADES; g++)
        all += r->measured[g];
    if (all <= 0)
        return;
    digits = percent_digits(r->measured, all);
    for (int g = 0; g < GRADES; g++)
        parts[g] = money_mul_div(r->measured[g], (weight)(100 * MONEY_ONE), (weight)all);
    money_round_cells(parts, GRADES, digits);
    for (int g = 0; g < GRADES; g++) {
        if (!r->measured[g])
            continue;
        buf_adds(&b, b.n ? ", " : "");
        if (parts[g])
            money_add_text(&b, parts[g], digits);
        else
            buf_adds(&b, "under 0.01");                      /* what is there is never called nothing */
        buf_addf(&b, " %% %s", words[g]);
    }
    if (r->measured[GRADE_C])
        add_causes(&b, r->diag);
    ink_words(k, INK_TEXT, buf_str(&b), 2);
    buf_free(&b);
}

static void print_words(struct ink *k, const struct report *r, const struct figure_set *s)
{
    struct buf b = {0};

    print_measured(k, r);
    if (s->estimated)
        ink_words(k, INK_DIM, "  ~ marks totals with an estimated part", 4);
    if (r->improve && r->improve[0]) {
        buf_addf(&b, "  to measure it: %s", r->improve);
        ink_words(k, INK_TEXT, buf_str(&b), 4);
    }
    buf_free(&b);
}

enum { BRIDGE_LABEL = 24, BRIDGE_NUMBER = 16 };

static void print_bridge_line(struct ink *k, const struct bridge_line *l, int digits, enum ink_style style)
{
    struct buf b = {0};

    buf_addf(&b, "%s%s", l->shared ? "shared: " : "", l->label);
    ink_left(k, style, buf_str(&b), BRIDGE_LABEL);
    buf_clear(&b);
    figure_add_amount(&b, l->cost, digits);
    ink_right(k, style, buf_str(&b), BRIDGE_NUMBER);
    buf_clear(&b);
    figure_add_amount(&b, l->invoiced, digits);
    ink_right(k, style, buf_str(&b), BRIDGE_NUMBER);
    ink_line(k);
    buf_free(&b);
}

static void print_bridge(struct ink *k, const struct report *r)
{
    struct bridge_line *lines = xcalloc(bridge_most(r), sizeof *lines);
    struct bridge_line excluded = {"not counted: repeated", r->groups[GROUP_EXCLUDED], r->groups_invoiced[GROUP_EXCLUDED], false};
    size_t n = bridge_fill(r, lines);

    ink_line(k);
    ink_left(k, INK_DIM, "BRIDGE TO THE BILL", BRIDGE_LABEL);
    ink_right(k, INK_DIM, "cost", BRIDGE_NUMBER);
    ink_right(k, INK_DIM, "invoiced", BRIDGE_NUMBER);
    ink_line(k);
    ink_rule(k, BRIDGE_LABEL + 2 * BRIDGE_NUMBER);
    for (size_t i = 0; i + 1 < n; i++)
        print_bridge_line(k, &lines[i], r->digits, INK_TEXT);
    ink_rule(k, BRIDGE_LABEL + 2 * BRIDGE_NUMBER);
    print_bridge_line(k, &lines[n - 1], r->digits, INK_BOLD);
    if (render_has_group(r, GROUP_EXCLUDED))
        print_bridge_line(k, &excluded, r->digits, INK_DIM);
    free(lines);
}

/* What costs trust or money most goes first; codes that are not here follow, in their own order. */
static const char *const urgent[] = {"W113", "W103", "W221", "W220", "W101", "W202", "W201", "W210", "W203", "W204"};
enum { URGENT = sizeof urgent / sizeof urgent[0] };

static bool is_urgent(const char *code)
{
    for (size_t i = 0; i < URGENT; i++)
        if (strcmp(urgent[i], code) == 0)
            return true;
    return false;
}

static void print_warning(struct ink *k, const struct diag_item *item)
{
    struct buf b = {0};

    ink_add(k, INK_WARN, "! ");
    buf_addf(&b, "%s (%s, %" PRId64 "x)", item->texts[0] ? item->texts[0] : "", item->code, item->count);
    ink_words(k, INK_TEXT, buf_str(&b), 2);
    buf_clear(&b);
    ink_add(k, INK_DIM, k->drawing ? "  \xe2\x86\x92 " : "  > ");
    if (item->hint && item->hint[0])
        buf_adds(&b, item->hint);
    else
        buf_addf(&b, "what %s means stands in gputab(1)", item->code);
    ink_words(k, INK_TEXT, buf_str(&b), 4);
    buf_free(&b);
}

static void print_warnings(struct ink *k, const struct diag *d)
{
    size_t shown = 0;
    struct buf b = {0};

    if (d->n)
        ink_line(k);
    for (size_t i = 0; i < URGENT && shown < WARNINGS_SHOWN; i++) {
        const struct diag_item *item = diag_find(d, urgent[i]);

        if (item && ++shown)
            print_warning(k, item);
    }
    for (size_t i = 0; i < d->n && shown < WARNINGS_SHOWN; i++) {
        if (!is_urgent(d->items[i].code) && ++shown)
            print_warning(k, &d->items[i]);
    }
    if (d->n > shown) {
        buf_addf(&b, "  and %zu more kinds of warnings: in JSON, and on standard error without -q", d->n - shown);
        ink_words(k, INK_DIM, buf_str(&b), 2);
    }
    buf_free(&b);
}

/* Warnings are those of the rule's own report: they stand on standard error. */
static void print_comparison(struct ink *k, const struct report *r, const struct render_cfg *cfg)
{
    print_head(k, r);
    splits_print(k, r);
    ink_line(k);
    print_conservation(k, r);
    if (cfg->bridge)
        print_bridge(k, r);
}

static void print_report(struct ink *k, const struct report *r, const struct render_cfg *cfg)
{
    struct figure_set s = {0};

    figure_set_fill(&s, r);
    if (!cfg->flat)
        tree_order(&s);
    print_head(k, r);
    if (s.lines.n)
        sheet_print(k, r, &s);
    else
        ink_words(k, INK_TEXT, r->filtered ? "no row matches the filter" : "no cost of GPU nodes in this period", 0);
    ink_line(k);
    print_conservation(k, r);
    print_words(k, r, &s);
    notes_print(k, r);
    if (cfg->bridge)
        print_bridge(k, r);
    print_warnings(k, r->diag);
    figure_set_free(&s);
}

static struct ink ink_of(const struct render_cfg *cfg, struct sink *out)
{
    return (struct ink){.out = out, .width = cfg->width > 0 ? (size_t)cfg->width : 100, .ascii = cfg->ascii, .wide = cfg->wide,
                        .bars = cfg->bars};
}

void render_table(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    struct ink k = ink_of(cfg, out);

    k.colour = cfg->terminal && cfg->colour;
    k.drawing = cfg->terminal;

    (r->splits.n ? print_comparison : print_report)(&k, r, cfg);
}

void render_plain(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    struct ink k = ink_of(cfg, out);

    (r->splits.n ? print_comparison : print_report)(&k, r, cfg);
}
