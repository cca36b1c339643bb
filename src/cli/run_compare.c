/* run_compare: the same facts and the same rule but for its method of splitting, a way for each.
 *
 * What the rule's own method warns of is warned of here too; what the others would is not shown: that they differ is what is asked. No
 * method is fatal while another one can be applied. Gates and thresholds are those of the rule's own method: of a run that they stop no
 * comparison is shown either. */
#include "gputab/cli/run_compare.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"
#include "gputab/cli/fill_report.h"
#include "gputab/cli/run_checks.h"
#include "gputab/core/side_by_side.h"
#include "gputab/core/split.h"

/* In the order of the columns; a method that is not written is the first. */
static const enum rule_split methods[] = {
    RULE_SPLIT_DEFAULT, RULE_SPLIT_REFERENCE, RULE_SPLIT_RESIDUAL, RULE_SPLIT_BILLED, RULE_SPLIT_SHARES, RULE_SPLIT_AWS_SCAD,
    RULE_SPLIT_OPENCOST, RULE_SPLIT_DATADOG,
};
enum { METHODS = sizeof methods / sizeof *methods };

struct variant {
    struct rule rule;              /* the run's, but for the method; what it points to is the run's */
    struct diag diag;              /* not shown */
    struct run_view view;
    struct run_way *way;
    struct report part;            /* its table */
};

struct comparison {
    struct run_report *run;
    struct variant *v[METHODS];
    size_t n, own;
    size_t checked;                /* the variant whose way is listened to: the rule's own, under its own name */
    const struct variant *hidden;  /* the same as another one; NULL: none */
};

/* What a rule without a method does: the bill's amounts where it has some, and only then it differs from reference. */
static enum rule_split own_method(const struct run_report *run)
{
    if (run->rule.split.method != RULE_SPLIT_DEFAULT)
        return run->rule.split.method;
    return run->bill.parts.n > 0 ? RULE_SPLIT_DEFAULT : RULE_SPLIT_REFERENCE;
}

static bool is_compared(const struct run_report *run, enum rule_split method)
{
    if (method == own_method(run))
        return true;
    switch (method) {
    case RULE_SPLIT_DEFAULT:
        return false;
    case RULE_SPLIT_BILLED:
        return run->bill.parts.n > 0;
    case RULE_SPLIT_SHARES:
        return run->rule.split.shares_written;
    default:
        return true;
    }
}

static int add_variant(struct comparison *c, const struct report_args *a, enum rule_split method, struct timespan period, struct err *e)
{
    struct variant *v = xcalloc(1, sizeof *v);
    bool own = method == own_method(c->run);

    c->v[c->n++] = v;
    v->rule = c->run->rule;
    v->rule.split.method = method;
    if (run_view_read(&v->view, a, e) < 0)
        return -1;
    v->way = run_report_way(c->run, &v->rule, period, own ? &c->run->diag : &v->diag);
    v->way->optional = true;
    run_report_view(c->run, v->way, &v->view);
    return own ? run_checks_listen(c->run, v->way, e) : 0;
}

static int open_ways(struct comparison *c, const struct report_args *a, struct timespan period, struct err *e)
{
    for (size_t i = 0; i < METHODS; i++) {
        if (!is_compared(c->run, methods[i]))
            continue;
        if (methods[i] == own_method(c->run))
            c->own = c->checked = c->n;
        if (add_variant(c, a, methods[i], period, e) < 0)
            return -1;
    }
    return 0;
}

/* A rule without a method that turned out to do what one of the others does: one column for both. */
static void drop_twin(struct comparison *c)
{
    const struct variant *v = c->v[c->own];
    const struct allocate_sums *s = &v->way->sums;

    if (v->rule.split.method != RULE_SPLIT_DEFAULT || v->way->failed.code != ERR_NONE || s->split_by_bill == s->split_by_rule)
        return;
    for (size_t i = 0; i < c->n; i++)
        if (c->v[i]->rule.split.method == (s->split_by_bill ? RULE_SPLIT_BILLED : RULE_SPLIT_REFERENCE))
            c->own = i;
    c->hidden = v;
}

/* ---- the report ---- */

static money share_of(money part, money whole)
{
    return whole > 0 && part > 0 ? money_round(money_mul_div(MONEY_ONE, (weight)part, (weight)whole), 4) : 0;
}

static struct report_split split_of(const struct comparison *c, size_t i)
{
    const struct variant *v = c->v[i];
    const struct allocate_sums *s = &v->way->sums;
    bool failed = v->way->failed.code != ERR_NONE;
    struct report_split out = {.own = i == c->own, .reason = failed ? xstrdup(v->way->failed.text) : NULL};

    out.method = v->rule.split.method == RULE_SPLIT_DEFAULT ? "default" : split_method_name(&v->rule, false, true);
    if (failed)
        return out;
    out.share[PIECE_GPU] = share_of(s->gpu, s->billed);
    out.share[PIECE_CPU] = share_of(s->cpu, s->billed);
    out.share[PIECE_MEMORY] = share_of(s->billed - s->gpu - s->cpu, s->billed);
    memcpy(out.piece_cost, v->part.totals.piece_cost, sizeof out.piece_cost);
    out.total_cost = v->part.totals.total_cost;
    return out;
}

/* The first that can be applied; SIZE_MAX: none can. */
static size_t first_good(const struct comparison *c)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->v[i]->way->failed.code == ERR_NONE)
            return i;
    return SIZE_MAX;
}

/* The head is that of any report of the run; so is the table, of which one column is taken. */
static int fill_tables(struct comparison *c, size_t good, struct timespan period, struct err *e)
{
    struct report *r = &c->run->report;

    if (fill_report(c->run, c->v[good]->way, &c->v[good]->view, period, r, e) < 0)
        return -1;
    c->v[good]->part.table = r->table;
    c->v[good]->part.totals = r->totals;
    r->table = (struct table){.n_rows = 0};
    for (size_t i = 0; i < c->n; i++) {
        struct variant *v = c->v[i];

        if (i == good || v->way->failed.code != ERR_NONE)
            continue;
        if (!run_way_conserves(v->way, v->view.rollup))
            return err_set(e, ERR_GATE, "conservation: the rows do not add up to what was billed");
        if (rollup_table(v->view.rollup, r->digits, v->way->sums.requests_known, NULL, &v->part, e) < 0)
            return -1;
    }
    return 0;
}

static int fill(struct comparison *c, struct timespan period, struct err *e)
{
    struct report *r = &c->run->report;
    struct side sides[METHODS];
    size_t good = first_good(c), n = 0;

    if (good == SIZE_MAX) {
        *e = c->v[c->own]->way->failed;
        return -1;
    }
    if (fill_tables(c, good, period, e) < 0)
        return -1;
    drop_twin(c);
    for (size_t i = 0; i < c->n; i++) {
        if (c->v[i] == c->hidden)
            continue;
        vec_push(&r->splits, split_of(c, i));
        sides[n] = (struct side){r->splits.v[n].method, r->splits.v[n].reason ? NULL : &c->v[i]->part.table};
        n++;
    }
    return side_by_side(sides, n, "total_cost", &r->table, e);
}

static bool is_checked(const struct run_report *run)
{
    bool gates = false;

    for (int g = 0; g < RULE_GATES; g++)
        gates = gates || run->rule.gates[g].written;
    return gates || run->checks.thresholds.n > 0;
}

/* What cannot be divided cannot be measured. */
static int check(const struct comparison *c, const struct report_args *a, struct timespan period, struct err *e)
{
    const struct run_way *way = c->v[c->checked]->way;

    if (!is_checked(c->run))
        return 0;
    if (way->failed.code != ERR_NONE) {
        *e = way->failed;
        return -1;
    }
    return run_checks_end(c->run, a, way, period, e);
}

/* Ways go before the rules and views that they borrow. */
static void close_variants(struct comparison *c)
{
    for (size_t i = 0; i < c->run->ways.n; i++)
        run_way_free(c->run->ways.v[i]);
    c->run->ways.n = 0;
    for (size_t i = 0; i < c->n; i++) {
        struct variant *v = c->v[i];

        run_view_free(&v->view);
        report_free(&v->part);
        diag_free(&v->diag);
        free(v);
    }
}

int run_compare(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e)
{
    struct comparison c = {.run = run};
    int rc = -1;

    if (run_view_read(&run->view, a, e) == 0 && split_by_read(&run->split, a, &run->view, period, e) == 0
        && run_checks_begin(run, a, period, e) == 0 && run_report_load(run, a, period, e) == 0
        && run_checks_bill(run, a, e) == 0 && open_ways(&c, a, period, e) == 0 && run_report_walk(run, period, e) == 0
        && fill(&c, period, e) == 0)
        rc = check(&c, a, period, e);
    close_variants(&c);
    return rc;
}
