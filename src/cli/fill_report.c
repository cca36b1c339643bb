/* fill_report: what a renderer needs of a run that has been walked, in one struct report. */
#include "gputab/cli/fill_report.h"

#include <string.h>

#include "gputab/base/sha256.h"
#include "gputab/cli/fill_shared.h"
#include "gputab/core/split.h"
#include "gputab_version.h"

static money ratio(weight part, weight whole, money of_nothing)
{
    return whole ? money_round(money_mul_div(MONEY_ONE, part, whole), 4) : of_nothing;
}

static weight magnitude(money m)
{
    return (weight)(m < 0 ? -m : m);
}

/* Each figure is rounded on its own, so that the tax is the invoice's tax; renderers show what rounding leaves over as a line. */
static money round_groups(const money *groups, int digits, money *out)
{
    money sum = 0;

    for (int g = 0; g < BILL_GROUPS; g++) {
        out[g] = money_round(groups[g], digits);
        if (g != GROUP_EXCLUDED)           /* rows that repeat money: not in the sum */
            sum += groups[g];
    }
    return money_round(sum, digits);
}

static void fill_bridge(const struct run_report *run, const struct run_way *way, const struct fill_shared *shared, struct report *r)
{
    const struct bill *b = &run->bill;
    money invoiced = 0;

    for (size_t i = 0; i < b->charges.n; i++)
        invoiced += b->charges.v[i].invoiced;
    r->bridge.billed = money_round(way->sums.billed + shared->spread, r->digits);
    r->bridge.billed_invoiced = money_round(invoiced + shared->spread_invoiced, r->digits);
    r->bridge.groups = round_groups(shared->groups, r->digits, r->groups);
    r->bridge.groups_invoiced = round_groups(shared->groups_invoiced, r->digits, r->groups_invoiced);
    r->bridge.outside = money_round(b->outside, r->digits);
    r->bridge.outside_invoiced = money_round(b->outside_invoiced, r->digits);
    r->bridge.total = money_round(b->file_total, r->digits);
    r->bridge.total_invoiced = money_round(b->file_invoiced, r->digits);
}

/* What would turn estimates into measurements, by the warning that says why there are estimates. Without one, a card is shared and
 * nothing tells whether its labelled pod is alone on it. */
static const struct { const char *code, *text; } improvements[] = {
    {"W201", "dcgm-exporter 4.8.2 or later with --kubernetes-virtual-gpus and hostPID shows each pod's own memory"},
    {"W202", "dcgm-exporter with --kubernetes-virtual-gpus (and the shared resource in NVIDIA_RESOURCE_NAMES) labels every sharing pod"},
    {NULL, "kube-state-metrics with kube_pod_container_resource_requests tells whether the labelled pod is alone on its card"},
};

static const char *find_improvement(const struct diag *d)
{
    for (size_t i = 0; i < sizeof improvements / sizeof *improvements; i++)
        if (!improvements[i].code || diag_find(d, improvements[i].code))
            return improvements[i].text;
    return "";
}

static void add_money(struct buf *text, money m)
{
    money_add_text(text, m, MONEY_DECIMALS);
    buf_addc(text, '\n');
}

static void add_text(struct sha256 *h, const char *s)
{
    sha256_add(h, s, strlen(s) + 1);
}

static void add_number(struct buf *text, int64_t n)
{
    buf_add_int(text, n);
    buf_addc(text, '\t');
}

static void add_name(struct buf *text, const struct run_report *run, uint32_t id)
{
    buf_adds(text, intern_cstr(run->names, id));
    buf_addc(text, '\t');
}

static void add_charge(struct buf *text, const struct run_report *run, const struct charge *c)
{
    add_name(text, run, c->resource);
    add_number(text, c->span.from);
    add_number(text, c->span.to);
    add_number(text, c->billed_ns);
    add_number(text, c->correction_only);
    add_number(text, c->purchase);
    add_name(text, run, c->region);
    add_name(text, run, c->instance_type);
    add_money(text, c->cost);
    if (c->list)
        add_money(text, c->list);
    for (size_t i = c->first_part; i < c->first_part + c->n_parts; i++) {
        const struct charge_part *p = &run->bill.parts.v[i];

        add_number(text, p->piece);
        add_name(text, run, p->gpu_model);
        add_money(text, p->cost);
    }
}

/* A hash of everything that decides the numbers; of what inputs say, not of their bytes, so that the order of rows doesn't show. */
static void fill_run_id(const struct run_report *run, const struct run_view *view, struct report *r)
{
    struct sha256 *h = sha256_new();
    struct buf text = {0};

    add_text(h, r->tool_version);
    add_text(h, r->rule_sha256);
    add_text(h, r->catalogue_sha256);
    add_text(h, run->facts_sha256);
    add_text(h, r->currency);
    buf_addf(&text, "%lld %lld", (long long)r->period.from, (long long)r->period.to);
    for (size_t i = 0; i < view->by.n; i++)
        buf_addf(&text, " %s", key_names[view->by.v[i]]);
    for (size_t i = 0; i < view->filters.n; i++)
        buf_addf(&text, " %s=%s", key_names[view->filters.v[i].key], view->filters.v[i].glob);
    if (view->only)
        buf_addf(&text, " only %s", bucket_names[view->only]);
    if (run->shape.top)
        buf_addf(&text, " top %zu by %s", run->shape.top, run->shape.column);
    add_text(h, buf_str(&text));
    for (size_t i = 0; i < run->bill.charges.n; i++) {
        struct charge c = charge_list_at(&run->bill.charges, i);

        buf_clear(&text);
        add_charge(&text, run, &c);
        sha256_add(h, text.p, text.n);
    }
    buf_clear(&text);
    for (int g = 0; g < BILL_GROUPS; g++)
        add_money(&text, run->bill.groups[g]);
    for (size_t i = 0; i < run->bill.shared.n; i++)
        for (int g = 0; g < GROUP_EXCLUDED; g++)
            add_money(&text, run->bill.shared.v[i].groups[g]);
    sha256_add(h, text.p, text.n);
    sha256_end(h, r->run_id);
    buf_free(&text);
}

static void fill_inputs(const struct run_report *run, const struct run_way *way, struct report *r)
{
    r->bill = &run->bill;
    r->rule = way->rule;
    r->rule_name = way->rule->name;
    r->cost = way->rule->cost;
    for (size_t i = 0; i < way->rule->cost_centres.n; i++)
        vec_push(&r->cost_centres, way->rule->cost_centres.v[i]);
    r->rule_version = way->rule->version;
    memcpy(r->rule_sha256, way->rule->sha256, sizeof r->rule_sha256);
    r->split_method = split_method_name(way->rule, way->sums.split_by_bill, way->sums.split_by_rule);
    r->owners_written = way->rule->has_owners;
    r->tool_version = GPUTAB_VERSION;
    r->catalogue_version = run->catalogue.version;
    memcpy(r->catalogue_sha256, run->catalogue.sha256, sizeof r->catalogue_sha256);
    for (size_t i = 0; i < metrics_count(run->metrics); i++) {
        struct report_source source = {.name = metrics_opened(run->metrics, i)->name};

        memcpy(source.sha256, run->facts_sha256, sizeof source.sha256);
        vec_push(&r->metrics, source);
    }
}

static int not_conserved(struct err *e)
{
    return err_set(e, ERR_GATE, "conservation: the rows do not add up to what was billed");
}

int fill_report(struct run_report *run, const struct run_way *way, struct run_view *view, struct timespan period, struct report *r,
                struct err *e)
{
    money rows = rollup_exact_total(view->rollup);
    struct fill_shared shared = fill_shared(&run->bill, view->rollup, &run->diag);
    money billed = way->sums.billed + shared.spread, difference = billed - rows;

    if (difference != 0)
        return not_conserved(e);
    r->mode = way->rule->mode == RULE_CHARGEBACK ? "chargeback" : "showback";
    r->period = period;
    r->currency = run->bill.currency ? intern_cstr(run->names, run->bill.currency) : "";
    r->digits = money_currency_digits(span_of(r->currency));
    fill_inputs(run, way, r);
    r->gpu_share = ratio(magnitude(way->sums.gpu), magnitude(way->sums.billed), 0);
    r->coverage = ratio(way->sums.observed, way->sums.hours, MONEY_ONE);
    if (rollup_table(view->rollup, r->digits, way->sums.requests_known, NULL, r, e) < 0)
        return -1;
    r->totals.billed = money_round(billed, r->digits);
    r->totals.difference = money_round(difference, r->digits);
    r->notes.only = view->only ? bucket_names[view->only] : NULL;
    fill_bridge(run, way, &shared, r);
    fill_shared_list(&run->bill, view->rollup, r);
    r->diag = &run->diag;
    r->improve = r->measured[GRADE_C] != 0 ? find_improvement(&run->diag) : "";
    fill_run_id(run, view, r);
    return 0;
}

/* Teams are those of the report itself where it has no finer rows, all other parts those of the teams: a reader finds every amount again. */
static const struct report *coarse_of(const struct report *r, enum report_part p)
{
    bool by_team = true;

    for (size_t i = 0; i < r->by.n; i++)
        by_team = by_team && (strcmp(r->by.v[i], "team") == 0 || strcmp(r->by.v[i], "cost_centre") == 0);
    if (p == REPORT_TEAMS)
        return by_team ? r : NULL;
    return r->parts[REPORT_TEAMS];
}

int fill_parts(struct run_report *run, const struct run_way *way, struct report *r, struct err *e)
{
    for (size_t p = 0; p < REPORT_PARTS; p++) {
        struct rollup *rollup = run->parts[p].rollup;

        if (!rollup)
            continue;
        r->parts[p] = xcalloc(1, sizeof *r->parts[p]);
        *r->parts[p] = (struct report){.period = r->period, .currency = r->currency, .digits = r->digits};
        if (!run_way_conserves(way, rollup))
            return not_conserved(e);
        if (rollup_table(rollup, r->digits, way->sums.requests_known, coarse_of(r, (enum report_part)p), r->parts[p], e) < 0)
            return -1;
        r->parts[p]->totals.billed = r->totals.billed;
    }
    if (run->origins) {
        r->parts[REPORT_ORIGINS] = xcalloc(1, sizeof *r->parts[REPORT_ORIGINS]);
        *r->parts[REPORT_ORIGINS] = (struct report){.period = r->period, .currency = r->currency, .digits = r->digits, .totals = r->totals};
        origin_rows_end(run->origins, &r->parts[REPORT_ORIGINS]->table);
    }
    return 0;
}
