/* html_held: what the report is held to and compared with: gates, budgets, the period before; and owner lines for pods that have none.
 *
 * Budgets and changes are of teams and of the whole, whatever the rows are. A colour never says anything alone: beside it stands a word or
 * a sign. */
#include <string.h>

#include "gputab/render/html.h"
#include "gputab/render/notes.h"

enum { NAMESPACES_SHOWN = 50, BAR_HEIGHT = 12, LIMIT_WIDTH = SVG_WHOLE / 300, BUDGET_MOST = 200 };

/* ---- gates ---- */

void html_gates(struct html *h)
{
    const struct notes *n = &h->r->notes;

    if (!n->gates.n)
        return;
    buf_addf(h->b, "<div class=\"quality\">\n<p><b>Gates</b> of the rule: %zu of %zu passed</p>\n<ul class=\"gates\">\n",
             notes_gates_passed(n), n->gates.n);
    for (size_t i = 0; i < n->gates.n; i++) {
        const struct gate_note *g = &n->gates.v[i];
        struct buf text = {0};

        notes_add_gate(&text, g);
        buf_addf(h->b, "<li class=\"%s\">%s ", g->passed ? "good" : "bad", g->passed ? "\xe2\x9c\x93 passed:" : "! failed:");
        markup_text(h->b, buf_str(&text));
        buf_adds(h->b, "</li>\n");
        buf_free(&text);
    }
    buf_adds(h->b, "</ul>\n</div>\n");
}

/* ---- tables of teams ---- */

static void begin_table(struct html *h, const char *caption, const char *const *heads)
{
    buf_adds(h->b, "<div class=\"scroll\" role=\"region\" tabindex=\"0\"");
    markup_attr(h->b, "aria-label", caption);
    buf_adds(h->b, ">\n<table class=\"figures held\">\n<caption>");
    markup_text(h->b, caption);
    buf_adds(h->b, "</caption>\n<thead><tr><th scope=\"col\">Team</th>");
    for (; *heads; heads += 2)
        buf_addf(h->b, "<th scope=\"col\" class=\"n\" data-k=\"%s\">%s</th>", heads[0], heads[1]);
    buf_adds(h->b, "<td class=\"fall\"></td></tr></thead>\n<tbody class=\"rows\">\n");
}

static void end_table(struct html *h)
{
    buf_adds(h->b, "</tbody></table>\n</div>\n");
}

static void begin_row(struct html *h, const char *team)
{
    buf_adds(h->b, "<tr><th scope=\"row\">");
    markup_name(h->b, team);
    buf_adds(h->b, "</th>");
}

/* digits: of what is sorted by; text: what is shown. */
static void add_number(struct html *h, const char *class, money number, int digits, struct buf *text)
{
    buf_addf(h->b, "<td class=\"n%s\" data-v=\"", class);
    money_add_text(h->b, number, digits);
    buf_adds(h->b, "\">");
    markup_text(h->b, buf_str(text));
    buf_adds(h->b, "</td>");
    buf_clear(text);
}

static void add_amount(struct html *h, const char *class, money amount)
{
    struct buf text = {0};

    figure_add_amount(&text, amount, h->r->digits);
    add_number(h, class, amount, h->r->digits, &text);
    buf_free(&text);
}

static void begin_bar(struct html *h)
{
    buf_addf(h->b, "<td class=\"fall\"><svg aria-hidden=\"true\" width=\"100%%\" height=\"%d\">", BAR_HEIGHT);
}

static void end_row(struct html *h)
{
    buf_adds(h->b, "</svg></td></tr>\n");
}

/* ---- budgets ---- */

/* Where bars end: at the budget, or at the largest cost of one; a cost far beyond its budget does not flatten all others. */
static money budget_end(const struct notes *n)
{
    money end = 100 * MONEY_ONE;

    for (size_t i = 0; i < n->budgets.n; i++)
        end = n->budgets.v[i].percent > end ? n->budgets.v[i].percent : end;
    return end < BUDGET_MOST * MONEY_ONE ? end : BUDGET_MOST * MONEY_ONE;
}

static void add_budget_bar(struct html *h, const struct budget_note *b, money end)
{
    money percent = b->percent < end ? b->percent : end;
    int limit = svg_part(100 * MONEY_ONE, end);

    begin_bar(h);
    svg_rect(h->b, "track", (struct svg_box){.width = limit, .height = BAR_HEIGHT}, NULL);
    svg_rect(h->b, b->over ? "lost" : "gpu", (struct svg_box){.width = svg_part(percent, end), .y = 2, .height = BAR_HEIGHT - 4}, NULL);
    svg_rect(h->b, "team", (struct svg_box){.x = limit - LIMIT_WIDTH, .width = LIMIT_WIDTH, .height = BAR_HEIGHT}, NULL);
    end_row(h);
}

static void add_budget(struct html *h, const struct budget_note *b, money end)
{
    struct buf text = {0};

    begin_row(h, b->team);
    add_amount(h, "", b->budget);
    add_amount(h, " total", b->cost);
    add_amount(h, "", b->budget - b->cost);
    figure_add_amount(&text, b->percent, 1);
    buf_adds(&text, b->over ? " % !" : " %");
    add_number(h, b->over ? " over" : "", b->percent, 2, &text);
    add_budget_bar(h, b, end);
    buf_free(&text);
}

void html_budgets(struct html *h)
{
    static const char *const heads[] = {"budget", "Budget", "cost", "Cost", "left", "Left", "percent", "Spent", NULL};
    const struct notes *n = &h->r->notes;
    struct buf caption = {0};

    html_section(h, "budgets", "Budgets", "Of the period: a part of a month has that part of its budget. The mark is the budget; ! stands "
                 "where more was spent.");
    buf_addf(&caption, "Budgets of teams%s%s", h->r->currency[0] ? ", amounts in " : "", h->r->currency);
    begin_table(h, buf_str(&caption), heads);
    for (size_t i = 0; i < n->budgets.n; i++)
        add_budget(h, &n->budgets.v[i], budget_end(n));
    end_table(h);
    html_section_end(h);
    buf_free(&caption);
}

bool html_budgets_there(const struct html *h)
{
    return h->r->notes.budgets.n > 0;
}

/* ---- the period before ---- */

static money magnitude(money m)
{
    return m < 0 ? -m : m;
}

static money largest_change(const struct notes *n)
{
    money most = 0;

    for (size_t i = 0; i < n->previous.teams.n; i++) {
        money change = magnitude(n->previous.teams.v[i].cost - n->previous.teams.v[i].previous);

        most = change > most ? change : most;
    }
    return most;
}

/* From the middle: less to the left, more to the right. */
static void add_change_bar(struct html *h, money change, money most)
{
    int width = svg_part(magnitude(change), 2 * most), middle = SVG_WHOLE / 2;

    begin_bar(h);
    svg_rect(h->b, change < 0 ? "minus" : "unheld", (struct svg_box){.x = change < 0 ? middle - width : middle, .width = width, .y = 1,
                                                                     .height = BAR_HEIGHT - 2}, NULL);
    svg_rect(h->b, "idle", (struct svg_box){.x = middle, .width = LIMIT_WIDTH / 2, .height = BAR_HEIGHT}, NULL);
    end_row(h);
}

static void add_change(struct html *h, const struct change_note *c, money most)
{
    money change = c->cost - c->previous;
    struct buf text = {0};

    begin_row(h, c->team);
    add_amount(h, "", c->previous);
    add_amount(h, " total", c->cost);
    buf_adds(&text, change > 0 ? "+" : "");
    figure_add_amount(&text, change, h->r->digits);
    add_number(h, "", change, h->r->digits, &text);
    notes_add_change(&text, c);
    buf_adds(&text, c->previous == 0 && c->cost ? "" : " %");
    add_number(h, "", c->percent, 2, &text);
    add_change_bar(h, change, most);
    buf_free(&text);
}

static void add_before(struct html *h, struct buf *note)
{
    const struct notes *n = &h->r->notes;

    buf_adds(note, "Before: ");
    html_add_period(note, n->previous.period);
    if (strcmp(n->previous.rule_sha256, h->r->rule_sha256) != 0)
        buf_addf(note, ", by another rule: %s%s%s", n->previous.rule_name, n->previous.rule_version[0] ? ", version " : "",
                 n->previous.rule_version);
    buf_adds(note, ".");
}

void html_changes(struct html *h)
{
    static const char *const heads[] = {"previous", "Before", "cost", "Now", "change", "Change", "percent", "in %", NULL};
    const struct notes *n = &h->r->notes;
    struct buf note = {0}, caption = {0};

    add_before(h, &note);
    html_section(h, "change", "Change", buf_str(&note));
    buf_addf(&caption, "Teams and buckets before and now%s%s", h->r->currency[0] ? ", amounts in " : "", h->r->currency);
    begin_table(h, buf_str(&caption), heads);
    for (size_t i = 0; i < n->previous.teams.n; i++)
        add_change(h, &n->previous.teams.v[i], largest_change(n));
    end_table(h);
    html_section_end(h);
    buf_free(&note);
    buf_free(&caption);
}

bool html_changes_there(const struct html *h)
{
    return h->r->notes.previous.teams.n > 0;
}

/* ---- owner lines ---- */

static void add_owner_lines(struct html *h, struct buf *text)
{
    const struct notes *n = &h->r->notes;

    for (size_t i = 0; i < n->unmapped.n && i < NAMESPACES_SHOWN; i++) {
        buf_adds(text, "  ");
        notes_add_owner_line(text, n->unmapped.v[i].name);
        notes_add_owner_cost(text, h->r, &n->unmapped.v[i]);
        markup_text(h->b, buf_str(text));                  /* a line end in a name becomes a blank there: a line stays one */
        buf_addc(h->b, '\n');
        buf_clear(text);
    }
}

void html_unmapped(struct html *h)
{
    const struct notes *n = &h->r->notes;
    struct buf text = {0};

    html_section(h, "unmapped", "Namespaces without an owner", "No owner line of the rule matches their pods: what these cost is in "
                 "(unmapped). To paste into owners, with a team in the place of TODO:");
    buf_adds(h->b, "<pre><code>");
    add_owner_lines(h, &text);
    buf_adds(h->b, "</code></pre>\n");
    if (n->unmapped.n > NAMESPACES_SHOWN)
        buf_addf(h->b, "<p class=\"note\">And %zu more, of less cost: --only unmapped --by namespace shows all.</p>\n",
                 n->unmapped.n - NAMESPACES_SHOWN);
    html_section_end(h);
    buf_free(&text);
}

bool html_unmapped_there(const struct html *h)
{
    return notes_owners_wanted(&h->r->notes);
}

/* ---- shared costs ---- */

void html_shared(struct html *h)
{
    const struct report *r = h->r;

    html_section(h, "shared", "Shared costs", "Taken out of their groups of the bill, and spread over the rows by the rule: a part of what was "
                 "billed.");
    buf_adds(h->b, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Shared costs\">\n<table class=\"figures\">\n"
                   "<caption>Shared costs</caption>\n<thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Spread</th>"
                   "<th scope=\"col\" class=\"n\" data-k=\"cost\">Cost</th><th scope=\"col\" class=\"n\" data-k=\"invoiced\">Invoiced</th>"
                   "</tr></thead>\n<tbody class=\"rows\">\n");
    for (size_t i = 0; i < r->shared.n; i++) {
        begin_row(h, r->shared.v[i].name);
        buf_adds(h->b, "<td>");
        markup_text(h->b, r->shared.v[i].method);
        buf_adds(h->b, "</td>");
        add_amount(h, " total", r->shared.v[i].cost);
        add_amount(h, "", r->shared.v[i].invoiced);
        buf_adds(h->b, "</tr>\n");
    }
    end_table(h);
    html_section_end(h);
}

bool html_shared_there(const struct html *h)
{
    return h->r->shared.n > 0;
}
