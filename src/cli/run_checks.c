/* run_checks: wires what core/ finds (gates, team_notes, threshold) to a run: what must be listened to before it is walked, and what
 * follows for its outputs and its exit code. It measures nothing itself. */
#include "gputab/cli/run_checks.h"

#include <string.h>

#include "gputab/base/xalloc.h"
#include "gputab/cli/fill_report.h"
#include "gputab/cli/message.h"
#include "gputab/cli/run_report.h"
#include "gputab/core/gates.h"
#include "gputab/core/team_notes.h"
#include "gputab/source/previous.h"

/* ---- before the run ---- */

int run_checks_begin(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e)
{
    struct run_checks *c = &run->checks;

    for (size_t i = 0; i < a->fail_on.n; i++)
        if (thresholds_parse(a->fail_on.v[i], &c->thresholds, e) < 0)
            return -1;
    if (thresholds_have(&c->thresholds, THRESHOLD_CHANGE) && !a->previous) {
        err_set(e, ERR_USAGE, "--fail-on change needs something to compare with");
        return err_hint(e, "--previous FILE.json names an earlier report by team");
    }
    return a->previous ? previous_read(a->previous, period, &run->report.notes, &c->previous_currency, e) : 0;
}

/* ---- with the bill ---- */

static bool has_rows_inside(const struct bill *bill)
{
    int64_t inside = (int64_t)bill->charges.n;

    for (int g = 0; g < BILL_GROUPS; g++)
        inside += bill->group_rows[g];
    return inside > 0;
}

static int check_charge(const struct run_report *run, const struct report_args *a, struct err *e)
{
    const char *why = NULL;

    if (run->rule.mode != RULE_CHARGEBACK)
        return 0;
    if (!run->bill.is_final)
        why = a->price_list ? "nodes are priced by a list" : "the bill is estimated";
    else if (run->bill.rows == 0)
        why = "the bill has no rows";
    else if (!has_rows_inside(&run->bill))
        why = "no row of the bill lies in it";
    if (!why)
        return 0;
    err_set(e, ERR_NOT_READY, "the period is not ready to be charged: %s", why);
    return err_hint(e, "mode: showback in the rule shows it as it is now");
}

static int check_currency(const struct run_report *run, const struct report_args *a, struct err *e)
{
    const char *now = run->bill.currency ? intern_cstr(run->names, run->bill.currency) : "", *before = run->checks.previous_currency;

    if (!before || !now[0] || strcmp(now, before) == 0)
        return 0;
    err_set(e, ERR_INPUT, "the report's amounts are in %s, those of the bill in %s", before[0] ? before : "no currency", now);
    return err_at(e, a->previous, 0, 0);
}

int run_checks_bill(const struct run_report *run, const struct report_args *a, struct err *e)
{
    if (thresholds_have(&run->checks.thresholds, THRESHOLD_BUDGET) && run->rule.budgets.n == 0) {
        err_set(e, ERR_USAGE, "--fail-on budget needs budgets in the rule");
        return err_hint(e, "such as budgets: [{team: nlp, month: \"40000.00\"}]");
    }
    return check_charge(run, a, e) < 0 ? -1 : check_currency(run, a, e);
}

int run_checks_listen(struct run_report *run, struct run_way *way, struct err *e)
{
    struct run_checks *c = &run->checks;

    c->tally = tally_new(&run->inventory, &run->owners);
    run_way_listen(way, tally_sink(c->tally));
    if (run->rule.budgets.n == 0 && !c->previous_currency)
        return 0;
    if (key_list_parse(span_of("team"), &c->teams.by, e) < 0)
        return -1;
    run_report_view(run, way, &c->teams);
    return 0;
}

/* ---- with the report ---- */

static int note_teams(struct run_report *run, const struct run_way *way, struct timespan period, struct err *e)
{
    struct report *r = &run->report, teams = {0};
    int rc;

    if (!run->checks.teams.rollup)
        return 0;
    rc = rollup_table(run->checks.teams.rollup, r->digits, way->sums.requests_known, NULL, &teams, e);
    if (rc == 0 && run->checks.previous_currency)
        team_notes_changes(&r->notes, &teams.table);
    if (rc == 0)
        team_notes_budgets(&r->notes, way->rule, &teams.table, period, r->digits);
    if (rc == 0)
        rc = table_check(&teams.table, e);
    report_free(&teams);
    return rc;
}

static void note_unmapped(struct run_report *run)
{
    struct tally_parts parts = tally_parts(run->checks.tally, TALLY_UNMAPPED);
    struct notes *n = &run->report.notes;

    n->unmapped_gets_more = run->rule.idle.policy != RULE_IDLE_SEPARATE || run->rule.shared_costs.n > 0;
    for (size_t i = 0; i < parts.n; i++)
        vec_push(&n->unmapped, (struct namespace_note){arena_strdup(&n->strings, parts.v[i].name),
                                                       money_round(parts.v[i].cost, run->report.digits)});
    free(parts.v);
}

static void keep_hit(void *to, const char *text)
{
    struct run_checks *c = to;

    vec_push(&c->hits, xstrdup(text));
}

int run_checks_end(struct run_report *run, const struct report_args *a, const struct run_way *way, struct timespan period, struct err *e)
{
    struct report *r = &run->report;
    const struct rule_idle *idle = &way->rule->idle;
    struct threshold_facts facts = {&r->notes, run->checks.tally, way->sums.billed, r->currency, r->digits,
                                    idle->policy != RULE_IDLE_SEPARATE || idle->owners.n > 0};

    gates_check(way->rule, &way->sums, run->checks.tally, &r->notes);
    run->checks.failed = notes_gates_passed(&r->notes) < r->notes.gates.n;
    r->draft = a->draft && run->checks.failed;
    note_unmapped(run);
    if (note_teams(run, way, period, e) < 0)
        return -1;
    thresholds_check(&run->checks.thresholds, &facts, keep_hit, &run->checks);
    return 0;
}

/* ---- what follows ---- */

bool run_checks_stop(const struct run_report *run)
{
    return run->checks.failed && !run->report.draft;
}

static void tell_gate(const struct run_report *run, const struct report_args *a, const struct gate_note *note)
{
    const struct rule_limit *limit = &run->rule.gates[gate_of(note)];
    struct buf text = {0}, hint = {0};
    struct err e = {0};

    gate_add_failure(&text, &hint, note, run->checks.tally, run->report.digits);
    err_set(&e, ERR_GATE, "gate %s: %s", note->name, buf_str(&text));
    err_at(&e, a->rule, limit->line, limit->column);
    if (hint.n)
        err_hint(&e, "%s", buf_str(&hint));
    message_error(&e);
    buf_free(&text);
    buf_free(&hint);
}

int run_checks_tell(const struct run_report *run, const struct report_args *a)
{
    const struct notes *n = &run->report.notes;

    for (size_t i = 0; i < n->gates.n; i++)
        if (!n->gates.v[i].passed)
            tell_gate(run, a, &n->gates.v[i]);
    for (size_t i = 0; i < run->checks.hits.n; i++) {
        struct err e = {0};

        err_set(&e, ERR_THRESHOLD, "%s", run->checks.hits.v[i]);
        message_error(&e);
    }
    if (run->checks.failed)
        return ERR_GATE;
    return run->checks.hits.n ? ERR_THRESHOLD : 0;
}

void run_checks_free(struct run_checks *c)
{
    for (size_t i = 0; i < c->hits.n; i++)
        free(c->hits.v[i]);
    vec_free(&c->hits);
    vec_free(&c->thresholds);
    run_view_free(&c->teams);
    tally_free(c->tally);
}
