/* notes (render): what stands below the terminal's table beside the words on how sure it is.
 *
 * Budgets and changes are blocks of their own with a line a team, because they are of teams and of the whole, whatever the table's rows
 * are. `!` marks what somebody should look at: a budget that is spent. Owner lines are meant for the clipboard: never broken. */
#include "gputab/render/notes.h"

#include <string.h>

#include "gputab/render/figures.h"
#include "gputab/render/formats.h"

enum { LABEL = 20, NUMBER = 14, PERCENT = 9, NAMESPACES_SHOWN = 5 };

void notes_print_gates(struct ink *k, const struct notes *n)
{
    size_t passed = notes_gates_passed(n);
    struct buf b = {0};

    if (!n->gates.n)
        return;
    buf_addf(&b, "gates passed: %zu of %zu", passed, n->gates.n);
    for (size_t i = 0, failed = 0; i < n->gates.n; i++)
        if (!n->gates.v[i].passed)
            buf_addf(&b, "%s%s", failed++ ? ", " : ", failed: ", n->gates.v[i].name);
    ink_phrase(k, passed < n->gates.n ? INK_WARN : INK_GOOD, buf_str(&b));
    buf_free(&b);
}

/* ---- words ---- */

void notes_add_percent(struct buf *b, money part, int digits)
{
    money_add_text(b, part * 100, digits - 2);
    buf_adds(b, " %");
}

void notes_add_gate(struct buf *b, const struct gate_note *g)
{
    buf_addf(b, "%s ", g->name);
    notes_add_percent(b, g->value, g->digits);
    buf_adds(b, g->least ? ", at least " : ", at most ");
    notes_add_percent(b, g->limit, g->digits);
}

void notes_add_change(struct buf *b, const struct change_note *c)
{
    if (c->previous == 0 && c->cost) {
        buf_adds(b, "new");
        return;
    }
    buf_adds(b, c->percent > 0 ? "+" : "");
    figure_add_amount(b, c->percent, 1);
}

/* ---- blocks ---- */

static void add_right(struct ink *k, enum ink_style style, money amount, int digits, size_t width)
{
    struct buf b = {0};

    figure_add_amount(&b, amount, digits);
    ink_right(k, style, buf_str(&b), width);
    buf_free(&b);
}

static void print_title(struct ink *k, const char *title, const char *first, const char *second)
{
    ink_line(k);
    ink_left(k, INK_DIM, title, LABEL);
    ink_right(k, INK_DIM, first, NUMBER);
    ink_right(k, INK_DIM, second, NUMBER);
    ink_right(k, INK_DIM, "%", PERCENT);
    ink_line(k);
    ink_rule(k, LABEL + 2 * NUMBER + PERCENT);
}

static void print_line(struct ink *k, const char *name, money first, money second, int digits)
{
    ink_left(k, INK_TEXT, name, LABEL);
    add_right(k, INK_TEXT, first, digits, NUMBER);
    add_right(k, INK_BOLD, second, digits, NUMBER);
}

bool notes_of_teams(const struct report *r)
{
    for (size_t i = 0; i < r->by.n; i++)
        if (strcmp(r->by.v[i], "team") == 0)
            return true;
    return r->split_key && strcmp(r->split_key, "team") == 0;
}

static void print_budgets(struct ink *k, const struct report *r)
{
    if (!r->notes.budgets.n || !notes_of_teams(r))
        return;
    print_title(k, "BUDGETS", "budget", "cost");
    for (size_t i = 0; i < r->notes.budgets.n; i++) {
        const struct budget_note *b = &r->notes.budgets.v[i];

        print_line(k, b->team, b->budget, b->cost, r->digits);
        add_right(k, b->over ? INK_WARN : INK_TEXT, b->percent, 1, PERCENT);
        if (b->over)
            ink_add(k, INK_WARN, " !");
        ink_line(k);
    }
}

static void print_previous_rule(struct ink *k, const struct report *r)
{
    struct buf b = {0};

    if (strcmp(r->notes.previous.rule_sha256, r->rule_sha256) == 0)
        return;
    buf_addf(&b, "by another rule then: %s%s%s", r->notes.previous.rule_name, r->notes.previous.rule_version[0] ? " " : "",
             r->notes.previous.rule_version);
    ink_words(k, INK_WARN, buf_str(&b), 0);
    buf_free(&b);
}

static void add_period(struct buf *b, struct timespan period)
{
    render_add_instant(b, period.from);
    buf_adds(b, " to ");
    render_add_instant(b, period.to);
    buf_adds(b, " UTC");
}

static void print_previous(struct ink *k, const struct report *r)
{
    struct buf b = {0};

    if (r->notes.previous.period.from == r->notes.previous.period.to)
        return;
    print_title(k, "CHANGE", "before", "now");
    for (size_t i = 0; i < r->notes.previous.teams.n; i++) {
        const struct change_note *c = &r->notes.previous.teams.v[i];

        buf_clear(&b);
        print_line(k, c->team, c->previous, c->cost, r->digits);
        notes_add_change(&b, c);
        ink_right(k, INK_TEXT, buf_str(&b), PERCENT);
        ink_line(k);
    }
    buf_clear(&b);
    buf_adds(&b, "before: ");
    add_period(&b, r->notes.previous.period);
    ink_words(k, INK_DIM, buf_str(&b), 0);
    print_previous_rule(k, r);
    buf_free(&b);
}

/* ---- owner lines ---- */

void notes_add_owner_line(struct buf *b, const char *namespace)
{
    buf_adds(b, "- {namespace: \"");                       /* as a quoted text of YAML: names come from clusters */
    for (const char *p = namespace; *p; p++) {
        if (*p == '"' || *p == '\\')
            buf_addc(b, '\\');
        buf_addc(b, *p);
    }
    buf_adds(b, "\", team: TODO}");
}

void notes_add_owner_cost(struct buf *b, const struct report *r, const struct namespace_note *n)
{
    buf_adds(b, "   # ");
    figure_add_amount(b, n->cost, r->digits);
    buf_adds(b, r->notes.unmapped_gets_more ? " of its own" : "");
}

static void print_owner_line(struct ink *k, const struct report *r, const struct namespace_note *n)
{
    struct buf b = {0};

    buf_adds(&b, "  ");
    notes_add_owner_line(&b, n->name);
    ink_add(k, INK_TEXT, buf_str(&b));
    buf_clear(&b);
    notes_add_owner_cost(&b, r, n);
    ink_add(k, INK_DIM, buf_str(&b));
    ink_line(k);
    buf_free(&b);
}

bool notes_owners_wanted(const struct notes *n)
{
    return n->unmapped.n && (!n->only || strcmp(n->only, bucket_names[BUCKET_UNMAPPED]) == 0);
}

static void print_owner_lines(struct ink *k, const struct report *r)
{
    const struct notes *n = &r->notes;
    struct buf b = {0};

    if (!notes_owners_wanted(n))
        return;
    ink_line(k);
    ink_add(k, INK_WARN, "! ");
    ink_words(k, INK_TEXT, "(unmapped): no owner line matches these namespaces; to paste into owners of the rule:", 2);
    for (size_t i = 0; i < n->unmapped.n && i < NAMESPACES_SHOWN; i++)
        print_owner_line(k, r, &n->unmapped.v[i]);
    if (n->unmapped.n > NAMESPACES_SHOWN) {
        buf_addf(&b, "  and %zu more: --only unmapped --by namespace", n->unmapped.n - NAMESPACES_SHOWN);
        ink_words(k, INK_DIM, buf_str(&b), 2);
    }
    buf_free(&b);
}

void notes_print(struct ink *k, const struct report *r)
{
    print_budgets(k, r);
    print_previous(k, r);
    print_owner_lines(k, r);
}
