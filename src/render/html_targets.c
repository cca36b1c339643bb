/* html_targets: what the report is held to and compared with: gates, budgets, the report before, and pods that have no owner yet. All of it
 * is of teams and of the whole, whatever the table's rows are; each is there only where there is something to say. */
#include <string.h>

#include "gputab/render/html.h"

enum { NAMESPACES_SHOWN = 20 };

static void begin_table(struct html *h, const char *caption, const char *const *heads, size_t n)
{
    buf_adds(h->b, "<div class=\"scroll\" role=\"region\" tabindex=\"0\"");
    markup_attr(h->b, "aria-label", caption);
    buf_addf(h->b, ">\n<table class=\"targets\">\n<caption>%s</caption>\n<thead><tr>", caption);
    for (size_t i = 0; i < n; i++)
        buf_addf(h->b, "<th scope=\"col\"%s>%s</th>", i ? " class=\"n\"" : "", heads[i]);
    buf_adds(h->b, "<td class=\"fall\"></td></tr></thead>\n<tbody>\n");
}

static void end_table(struct html *h)
{
    buf_adds(h->b, "</tbody></table>\n</div>\n");
    sink_relieve(h->out);
}

static void begin_row(struct html *h, const char *name)
{
    buf_adds(h->b, "<tr><th scope=\"row\">");
    markup_name(h->b, name);
    buf_adds(h->b, "</th>");
}

static void add_number(struct html *h, money number, int digits, const char *before, const char *behind)
{
    buf_adds(h->b, "<td class=\"n\" data-v=\"");
    money_add_text(h->b, number, digits);
    buf_addf(h->b, "\">%s", before);
    figure_add_amount(h->b, number, digits);
    buf_addf(h->b, "%s</td>", behind);
}

static void end_row(struct html *h, const char *class, int width)
{
    buf_adds(h->b, "<td class=\"fall\"><svg aria-hidden=\"true\" width=\"100%\" height=\"12\">");
    svg_rect(h->b, "track", (struct svg_box){.width = SVG_WHOLE, .height = 12}, NULL);
    svg_rect(h->b, class, (struct svg_box){.width = width, .height = 12}, NULL);
    buf_adds(h->b, "</svg></td></tr>\n");
}

/* ---- gates ---- */

static void add_part(struct html *h, money part, int digits)
{
    add_number(h, part * 100, digits > 2 ? digits - 2 : 0, "", " %");
}

static void add_gates(struct html *h, const struct notes *n)
{
    static const char *const heads[] = {"Gate", "Value", "Limit", "Outcome"};

    if (!n->gates.n)
        return;
    begin_table(h, "Gates that the rule sets", heads, 4);
    for (size_t i = 0; i < n->gates.n; i++) {
        const struct gate_note *g = &n->gates.v[i];

        begin_row(h, g->name);
        add_part(h, g->value, g->digits);
        add_part(h, g->limit, g->digits);
        buf_addf(h->b, "<td class=\"n\"><span class=\"outcome %s\">%s</span></td>", g->passed ? "good" : "bad",
                 g->passed ? "passed" : "failed");
        end_row(h, g->passed ? "held" : "lost", svg_part(g->value, MONEY_ONE));
    }
    end_table(h);
}

/* ---- budgets ---- */

static void add_budgets(struct html *h, const struct notes *n)
{
    static const char *const heads[] = {"Team", "Budget", "Cost", "% of budget"};

    if (!n->budgets.n)
        return;
    begin_table(h, "Budgets of the period", heads, 4);
    for (size_t i = 0; i < n->budgets.n; i++) {
        const struct budget_note *b = &n->budgets.v[i];

        begin_row(h, b->team);
        add_number(h, b->budget, h->r->digits, "", "");
        add_number(h, b->cost, h->r->digits, "", "");
        add_number(h, b->percent, 1, "", b->over ? " <span class=\"outcome bad\">over</span>" : "");
        end_row(h, b->over ? "lost" : "held", svg_part(b->cost, b->budget));
    }
    end_table(h);
}

/* ---- the report before ---- */

static void note_previous(struct html *h, const struct notes *n)
{
    struct buf b = {0};

    html_add_period(&b, n->previous.period);
    buf_adds(h->b, "<p class=\"note\">Before: ");
    markup_text(h->b, buf_str(&b));
    if (strcmp(n->previous.rule_sha256, h->r->rule_sha256) != 0) {
        buf_adds(h->b, ", by another rule: ");
        markup_name(h->b, n->previous.rule_name);
        buf_adds(h->b, n->previous.rule_version[0] ? ", version " : "");
        markup_text(h->b, n->previous.rule_version);
    }
    buf_adds(h->b, ".</p>\n");
    buf_free(&b);
}

static money most_of(const struct notes *n)
{
    money most = 0;

    for (size_t i = 0; i < n->previous.teams.n; i++) {
        const struct change_note *c = &n->previous.teams.v[i];

        most = c->previous > most ? c->previous : most;
        most = c->cost > most ? c->cost : most;
    }
    return most;
}

static void add_changes(struct html *h, const struct notes *n)
{
    static const char *const heads[] = {"Team or bucket", "Before", "Now", "Change", "%"};
    money most = most_of(n);

    if (n->previous.period.from == n->previous.period.to)
        return;
    begin_table(h, "What changed since the report before", heads, 5);
    for (size_t i = 0; i < n->previous.teams.n; i++) {
        const struct change_note *c = &n->previous.teams.v[i];

        begin_row(h, c->team);
        add_number(h, c->previous, h->r->digits, "", "");
        add_number(h, c->cost, h->r->digits, "", "");
        add_number(h, c->cost - c->previous, h->r->digits, c->cost > c->previous ? "+" : "", "");
        if (c->previous == 0 && c->cost)
            buf_adds(h->b, "<td class=\"n\">new</td>");
        else
            add_number(h, c->percent, 1, c->percent > 0 ? "+" : "", "");
        end_row(h, c->bucket ? "idle" : "gpu", svg_part(c->cost, most));
    }
    end_table(h);
    note_previous(h, n);
}

/* ---- owners that are missing ---- */

/* As a quoted text of YAML; names come from clusters. */
static void add_quoted(struct buf *b, const char *name)
{
    buf_addc(b, '"');
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            buf_addc(b, '\\');
        buf_addc(b, *name);
    }
    buf_addc(b, '"');
}

static void add_owner_lines(struct html *h, const struct notes *n)
{
    struct buf b = {0};

    if (!n->unmapped.n)
        return;
    for (size_t i = 0; i < n->unmapped.n && i < NAMESPACES_SHOWN; i++) {
        buf_adds(&b, "  - {namespace: ");
        add_quoted(&b, n->unmapped.v[i].name);
        buf_adds(&b, ", team: TODO}   # ");
        figure_add_amount(&b, n->unmapped.v[i].cost, h->r->digits);
        buf_adds(h->b, i ? "\n" : "<h3>Without an owner</h3>\n<p>No owner line matches pods in these namespaces; to paste into "
                                 "<code>owners</code> of the rule:</p>\n<pre><code>");
        markup_text(h->b, buf_str(&b));
        buf_clear(&b);
    }
    buf_adds(h->b, "</code></pre>\n");
    if (n->unmapped.n > NAMESPACES_SHOWN)
        buf_addf(h->b, "<p class=\"note\">%zu more: <code>--only unmapped --by namespace</code></p>\n", n->unmapped.n - NAMESPACES_SHOWN);
    buf_free(&b);
}

void html_targets(struct html *h)
{
    const struct notes *n = &h->r->notes;

    html_section(h, "targets", "Held against", NULL);
    add_gates(h, n);
    add_budgets(h, n);
    add_changes(h, n);
    add_owner_lines(h, n);
    html_section_end(h);
}

bool html_targets_there(const struct html *h)
{
    const struct notes *n = &h->r->notes;

    return n->gates.n || n->budgets.n || n->unmapped.n || n->previous.period.from != n->previous.period.to;
}
