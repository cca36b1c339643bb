/* md_notes: budgets and changes as tables of their own, because they are of teams and of the whole, whatever the rows are. They are short:
 * their cells are not padded to columns. */
#include "gputab/render/md_notes.h"

#include <string.h>

#include "gputab/base/utf8.h"
#include "gputab/render/figures.h"
#include "gputab/render/formats.h"
#include "gputab/render/md_text.h"
#include "gputab/render/notes.h"

enum { NAMESPACES_SHOWN = 5 };

void md_gates(struct buf *b, const struct notes *n)
{
    if (!n->gates.n)
        return;
    buf_addf(b, "- gates passed: %zu of %zu", notes_gates_passed(n), n->gates.n);
    for (size_t i = 0; i < n->gates.n; i++) {
        if (n->gates.v[i].passed)
            continue;
        buf_adds(b, "; **failed**: ");
        notes_add_gate(b, &n->gates.v[i]);
    }
    buf_addc(b, '\n');
}

static void add_cell(struct buf *b, money amount, int digits)
{
    buf_addc(b, ' ');
    figure_add_amount(b, amount, digits);
    buf_adds(b, " |");
}

static void add_name(struct buf *b, const char *name)
{
    buf_adds(b, "| ");
    md_text(b, name);
    buf_adds(b, " |");
}

static void add_budgets(struct buf *b, const struct report *r)
{
    const struct notes *n = &r->notes;

    if (!n->budgets.n || !notes_of_teams(r))
        return;
    buf_adds(b, "\n## Budgets\n\n| team | budget | cost | % |\n| :--- | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < n->budgets.n; i++) {
        const struct budget_note *budget = &n->budgets.v[i];

        add_name(b, budget->team);
        add_cell(b, budget->budget, r->digits);
        add_cell(b, budget->cost, r->digits);
        buf_adds(b, budget->over ? " **" : " ");
        figure_add_amount(b, budget->percent, 1);
        buf_adds(b, budget->over ? " !** |\n" : " |\n");
    }
}

static void add_before(struct buf *b, const struct report *r)
{
    const struct notes *n = &r->notes;

    buf_adds(b, "\nBefore: ");
    render_add_instant(b, n->previous.period.from);
    buf_adds(b, " to ");
    render_add_instant(b, n->previous.period.to);
    buf_adds(b, " UTC");
    if (strcmp(n->previous.rule_sha256, r->rule_sha256) != 0) {
        buf_adds(b, ", by another rule: ");
        md_text(b, n->previous.rule_name);
        buf_adds(b, n->previous.rule_version[0] ? " " : "");
        md_text(b, n->previous.rule_version);
    }
    buf_adds(b, ".\n");
}

static void add_changes(struct buf *b, const struct report *r)
{
    const struct notes *n = &r->notes;

    if (!n->previous.teams.n)
        return;
    buf_adds(b, "\n## Change\n\n| team | before | now | % |\n| :--- | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < n->previous.teams.n; i++) {
        const struct change_note *c = &n->previous.teams.v[i];

        add_name(b, c->team);
        add_cell(b, c->previous, r->digits);
        add_cell(b, c->cost, r->digits);
        buf_addc(b, ' ');
        notes_add_change(b, c);
        buf_adds(b, " |\n");
    }
    add_before(b, r);
}

/* In a fence nothing is markup; a name without line ends cannot end it. */
static void add_owner_lines(struct buf *b, const struct report *r)
{
    const struct notes *n = &r->notes;

    if (!notes_owners_wanted(n))
        return;
    buf_adds(b, "\n## Namespaces without an owner\n\nIn (unmapped); to paste into `owners` of the rule:\n\n```yaml\n");
    for (size_t i = 0; i < n->unmapped.n && i < NAMESPACES_SHOWN; i++) {
        struct buf line = {0};

        notes_add_owner_line(&line, n->unmapped.v[i].name);
        buf_adds(b, "  ");
        utf8_add_printable(b, buf_span(&line));
        notes_add_owner_cost(b, r, &n->unmapped.v[i]);
        buf_addc(b, '\n');
        buf_free(&line);
    }
    buf_adds(b, "```\n");
    if (n->unmapped.n > NAMESPACES_SHOWN)
        buf_addf(b, "\nAnd %zu more: `--only unmapped --by namespace`.\n", n->unmapped.n - NAMESPACES_SHOWN);
}

static void add_shared(struct buf *b, const struct report *r)
{
    for (size_t i = 0; i < r->shared.n; i++) {
        buf_adds(b, i ? ", " : "\nOf what was billed, shared costs: ");
        md_text(b, r->shared.v[i].name);
        buf_addc(b, ' ');
        figure_add_amount(b, r->shared.v[i].cost, r->digits);
        buf_addf(b, " (%s)", r->shared.v[i].method);
    }
    buf_adds(b, r->shared.n ? ".\n" : "");
}

void md_notes(struct buf *b, const struct report *r)
{
    add_shared(b, r);
    add_budgets(b, r);
    add_changes(b, r);
    add_owner_lines(b, r);
}
