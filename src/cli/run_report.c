/* run_report: the ten sentences of a run, one function each. */
#include "gputab/cli/run_report.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/cli/fill_shared.h"
#include "gputab/cli/progress.h"
#include "gputab/cli/prom_access.h"
#include "gputab/core/capacity_block.h"
#include "gputab/core/charge_book.h"
#include "gputab/core/split.h"
#include "gputab/core/usage_hash.h"
#include "gputab/source/bill.h"
#include "gputab/source/bill_maps.h"
#include "gputab/source/catalogue.h"
#include "gputab/source/rule.h"
#include "gputab_version.h"

/* ---- what was asked for ---- */

static int read_keys(struct run_report *run, const struct report_args *a, struct err *e)
{
    if (key_list_parse(span_of(a->by ? a->by : "team"), &run->by, e) < 0)
        return -1;
    for (size_t i = 0; i < a->where.n; i++) {
        struct key_filter f;

        if (key_filter_parse(a->where.v[i], &f, e) < 0)
            return -1;
        vec_push(&run->filters, f);
    }
    return 0;
}

/* ---- inputs ---- */

static int fill_source(const struct settings_source *s, struct metrics_source *out, struct prom_access *access, struct err *e)
{
    *out = (struct metrics_source){.name = s->name ? s->name : "", .cluster_label = s->cluster_label ? s->cluster_label : "cluster",
                                   .file = s->metrics, .url = s->prometheus, .access = &access->http, .transport = s->transport,
                                   .params = s->params};
    return s->prometheus ? prom_access_read(access, s->name, &s->access, e) : 0;
}

static int open_sources(struct run_report *run, const struct report_args *a, const struct metrics_request *req, struct err *e)
{
    size_t n = a->sources.n;
    struct metrics_source *sources = xcalloc(n, sizeof *sources);
    struct prom_access *access = xcalloc(n, sizeof *access);
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < n; i++) {
        rc = fill_source(&a->sources.v[i], &sources[i], &access[i], e);
        if (rc < 0 && n > 1)
            err_wrap(e, "%s", sources[i].name);
    }
    if (rc == 0)
        rc = metrics_open(&run->metrics, sources, n, req, &run->inventory, e);
    for (size_t i = 0; i < n; i++)
        prom_access_free(&access[i]);
    free(access);
    free(sources);
    return rc;
}

static int open_metrics(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e)
{
    static const unsigned asked[] = {1u << RULE_MATCH_POD_LABEL, 1u << RULE_MATCH_NAMESPACE_LABEL,
                                     1u << RULE_MATCH_NODE_LABEL | 1u << RULE_MATCH_NODE_POOL, 1u << RULE_MATCH_POD_ANNOTATION,
                                     1u << RULE_MATCH_NAMESPACE_ANNOTATION};
    enum { ASKED = sizeof asked / sizeof *asked };
    const char **names[ASKED];
    struct progress progress = {.on = !a->quiet};
    struct metrics_request req = {.period = period, .max_gap_ms = run->rule.gpu.max_gap_ms,
                                  .clusters = a->settings.clusters.v, .families = a->settings.families.v,
                                  .nodes = a->nodes ? &run->nodes : NULL, .gpus_only = run->gpus_only,
                                  .progress = progress_show, .progress_ctx = &progress, .names = run->names, .diag = &run->diag};
    int rc;

    for (int i = 0; i < ASKED; i++)
        names[i] = owners_labels(&run->rule, asked[i]);
    req.pod_labels = names[0];
    req.namespace_labels = names[1];
    req.node_labels = names[2];
    req.pod_annotations = names[3];
    req.namespace_annotations = names[4];
    rc = open_sources(run, a, &req, e);
    progress_end(&progress);
    for (int i = 0; i < ASKED; i++)
        free(names[i]);
    return rc;
}

static int read_files(struct run_report *run, const struct report_args *a, const struct bill_request *req, struct err *e)
{
    run->bill_paths.diag = &run->diag;
    if (bill_paths_expand(&run->bill_paths, a->billing.v, a->billing.n, e) < 0)
        return -1;
    return bill_read(run->bill_paths.v.v, run->bill_paths.v.n, req, &run->bill, e);
}

int run_report_bill(struct run_report *run, const struct report_args *a, struct timespan period, bool unknown_types, struct err *e)
{
    struct bill_request req = {.period = period, .cost = run->rule.cost, .credits = run->rule.credits, .unknown_types = unknown_types,
                               .blocks = run->rule.blocks.n > 0, .shared = run->rule.shared_costs.v,
                               .n_shared = run->rule.shared_costs.n, .rates = run->rule.fx.v, .n_rates = run->rule.fx.n,
                               .attached_include = run->rule.attached_include,
                               .maps = bill_maps_dialects(run->maps), .catalogue = &run->catalogue,
                               .inventory = &run->inventory, .names = run->names, .diag = &run->diag};

    if (read_files(run, a, &req, e) < 0)
        return -1;
    if (capacity_blocks_spread(&run->bill, &run->rule, a->rule, period, run->names, &run->diag, e) < 0)
        return -1;
    return a->price_list ? price_list_charge(&run->prices, period, &run->inventory, &run->bill, &run->diag, e) : 0;
}

int run_report_begin(struct run_report *run, const struct report_args *a, struct err *e)
{
    run->names = intern_new();
    inventory_init(&run->inventory, run->names);
    if (rule_read(a->rule, &run->rule, &run->diag, e) < 0 || catalogue_builtin(&run->catalogue, e) < 0)
        return -1;
    if (a->price_list && price_list_read(a->price_list, &run->prices, e) < 0)
        return -1;
    if (bill_maps_read(&run->maps, a->billing_maps.v, a->billing_maps.n, e) < 0)
        return -1;
    return a->nodes ? node_file_read(a->nodes, run->names, &run->nodes, e) : 0;
}

int run_report_open(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e)
{
    return run_report_begin(run, a, e) < 0 ? -1 : open_metrics(run, a, period, e);
}

/* ---- allocation ---- */

static void open_stages(struct run_report *run, struct timespan period)
{
    struct rollup_config rollup = {&run->inventory, &run->owners, &run->by, run->filters.v, run->filters.n, &run->rule, &run->bill};
    struct allocate_config allocate = {.rule = &run->rule, .catalogue = &run->catalogue, .inventory = &run->inventory,
                                       .owners = &run->owners, .bill = &run->bill, .names = run->names, .period = period,
                                       .diag = &run->diag};

    split_check_names(&run->rule, &run->catalogue, &run->inventory, &run->diag);
    charge_book_add_types(&run->bill, &run->inventory);
    run->rollup = rollup_new(&rollup);
    allocate.sink = rollup_sink(run->rollup);
    run->allocate = allocate_new(&allocate);
    run->residency = residency_new(&(struct residency_config){&run->rule, &run->catalogue, &run->inventory, &run->owners,
                                                              allocate_cuts(run->allocate), &run->diag});
}

/* One UTC day, or the part of it in the period. */
static int run_window(struct run_report *run, struct timespan span, struct sample_window *w, struct usage *facts, struct sha256 *hash,
                      struct err *e)
{
    if (metrics_window(run->metrics, span, w, e) < 0)
        return -1;
    if (run->generation != w->generation)
        owners_update(&run->owners, &run->rule, &run->inventory, run->names);
    run->generation = w->generation;
    residency_begin(run->residency, w);
    w->interval_ms = residency_interval(run->residency);
    for (usage_clear(facts); residency_next(run->residency, facts); usage_clear(facts)) {
        usage_hash_add(hash, facts, &run->inventory, &run->owners);
        allocate_add(run->allocate, facts);
    }
    return allocate_until(run->allocate, span.to, e);
}

/* What was learned of pods goes with the day, unless a charge goes on. */
static void forget_pods(struct run_report *run)
{
    if (allocate_waits(run->allocate))
        return;
    owners_forget(&run->owners);
    residency_forget(run->residency);
    intern_release(run->inventory.labelsets);
    intern_release(run->names);
}

static int run_windows(struct run_report *run, struct timespan period, struct err *e)
{
    struct sample_window w = {0};
    struct usage facts = {0};
    struct sha256 *hash = sha256_new();
    int rc = 0;

    intern_mark(run->names);
    intern_mark(run->inventory.labelsets);
    for (time_ms t = period.from; rc == 0 && t < period.to;) {
        struct timespan day = timespan_cut((struct timespan){t, time_floor(t, TIME_DAY) + TIME_DAY}, period);

        rc = run_window(run, day, &w, &facts, hash, e);
        forget_pods(run);
        t = day.to;
    }
    if (rc == 0)
        rc = allocate_end(run->allocate, &run->sums, e);
    sha256_end(hash, run->facts_sha256);
    vec_free(&w.runs);
    usage_free(&facts);
    return rc;
}

/* ---- the report ---- */

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

static void fill_bridge(struct run_report *run, const struct fill_shared *shared, struct report *r)
{
    const struct bill *b = &run->bill;
    money invoiced = 0;

    for (size_t i = 0; i < b->charges.n; i++)
        invoiced += b->charges.v[i].invoiced;
    r->bridge.billed = money_round(run->sums.billed + shared->spread, r->digits);
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

static void add_money(struct sha256 *h, money m)
{
    struct buf text = {0};

    money_add_text(&text, m, MONEY_DECIMALS);
    buf_addc(&text, '\n');
    sha256_add(h, text.p, text.n);
    buf_free(&text);
}

static void add_text(struct sha256 *h, const char *s)
{
    sha256_add(h, s, strlen(s) + 1);
}

static void add_charge(struct sha256 *h, const struct run_report *run, const struct charge *c)
{
    struct buf text = {0};

    buf_addf(&text, "%s\t%lld\t%lld\t%lld\t%d\t%d\t%s\t%s\t", intern_cstr(run->names, c->resource), (long long)c->span.from,
             (long long)c->span.to, (long long)c->billed_ns, c->correction_only, (int)c->purchase, intern_cstr(run->names, c->region),
             intern_cstr(run->names, c->instance_type));
    sha256_add(h, text.p, text.n);
    add_money(h, c->cost);
    for (size_t i = c->first_part; i < c->first_part + c->n_parts; i++) {
        const struct charge_part *p = &run->bill.parts.v[i];

        buf_clear(&text);
        buf_addf(&text, "%d\t%s\t", (int)p->piece, intern_cstr(run->names, p->gpu_model));
        sha256_add(h, text.p, text.n);
        add_money(h, p->cost);
    }
    buf_free(&text);
}

/* A hash of everything that decides the numbers; of what inputs say, not of their bytes, so that the order of rows doesn't show. */
static void fill_run_id(const struct run_report *run, struct report *r)
{
    struct sha256 *h = sha256_new();
    struct buf text = {0};

    add_text(h, r->tool_version);
    add_text(h, r->rule_sha256);
    add_text(h, r->catalogue_sha256);
    add_text(h, run->facts_sha256);
    add_text(h, r->currency);
    buf_addf(&text, "%lld %lld", (long long)r->period.from, (long long)r->period.to);
    for (size_t i = 0; i < run->by.n; i++)
        buf_addf(&text, " %s", key_names[run->by.v[i]]);
    for (size_t i = 0; i < run->filters.n; i++)
        buf_addf(&text, " %s=%s", key_names[run->filters.v[i].key], run->filters.v[i].glob);
    add_text(h, buf_str(&text));
    for (size_t i = 0; i < run->bill.charges.n; i++)
        add_charge(h, run, &run->bill.charges.v[i]);
    for (int g = 0; g < BILL_GROUPS; g++)
        add_money(h, run->bill.groups[g]);
    for (size_t i = 0; i < run->bill.shared.n; i++)
        for (int g = 0; g < GROUP_EXCLUDED; g++)
            add_money(h, run->bill.shared.v[i].groups[g]);
    sha256_end(h, r->run_id);
    buf_free(&text);
}

static void fill_inputs(const struct run_report *run, struct report *r)
{
    r->bill = &run->bill;
    r->rule_name = run->rule.name;
    for (size_t i = 0; i < run->rule.cost_centres.n; i++)
        vec_push(&r->cost_centres, run->rule.cost_centres.v[i]);
    r->rule_version = run->rule.version;
    memcpy(r->rule_sha256, run->rule.sha256, sizeof r->rule_sha256);
    r->split_method = split_method_name(&run->rule, run->sums.split_by_bill, run->sums.split_by_rule);
    r->owners_written = run->rule.has_owners;
    r->tool_version = GPUTAB_VERSION;
    r->catalogue_version = run->catalogue.version;
    memcpy(r->catalogue_sha256, run->catalogue.sha256, sizeof r->catalogue_sha256);
    for (size_t i = 0; i < metrics_count(run->metrics); i++) {
        struct report_source source = {.name = metrics_opened(run->metrics, i)->name};

        memcpy(source.sha256, run->facts_sha256, sizeof source.sha256);
        vec_push(&r->metrics, source);
    }
}

static int fill_report(struct run_report *run, struct timespan period, struct err *e)
{
    struct report *r = &run->report;
    money rows = rollup_exact_total(run->rollup);
    struct fill_shared shared = fill_shared(&run->bill, run->rollup, &run->diag);
    money billed = run->sums.billed + shared.spread, difference = billed - rows;

    if (difference != 0)
        return err_set(e, ERR_GATE, "conservation: the rows do not add up to what was billed");
    r->mode = "showback";
    r->period = period;
    r->currency = run->bill.currency ? intern_cstr(run->names, run->bill.currency) : "";
    r->digits = money_currency_digits(span_of(r->currency));
    fill_inputs(run, r);
    r->gpu_share = ratio(magnitude(run->sums.gpu), magnitude(run->sums.billed), 0);
    r->coverage = ratio(run->sums.observed, run->sums.hours, MONEY_ONE);
    if (rollup_table(run->rollup, r->digits, run->sums.requests_known, r, e) < 0)
        return -1;
    r->totals.billed = money_round(billed, r->digits);
    r->totals.difference = money_round(difference, r->digits);
    fill_bridge(run, &shared, r);
    fill_shared_list(&run->bill, run->rollup, r);
    r->diag = &run->diag;
    r->improve = r->measured[GRADE_C] != 0 ? find_improvement(&run->diag) : "";
    fill_run_id(run, r);
    return 0;
}

int run_report(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e)
{
    if (read_keys(run, a, e) < 0 || run_report_open(run, a, period, e) < 0 || run_report_bill(run, a, period, false, e) < 0)
        return -1;
    malloc_trim(0);                /* what making the inventory took goes back to the system before the rows come */
    open_stages(run, period);
    if (run_windows(run, period, e) < 0)
        return -1;
    return fill_report(run, period, e);
}

void run_report_free(struct run_report *run)
{
    report_free(&run->report);
    rollup_free(run->rollup);
    residency_free(run->residency);
    allocate_free(run->allocate);
    owners_free(&run->owners);
    vec_free(&run->filters);
    bill_free(&run->bill);
    bill_paths_free(&run->bill_paths);
    bill_maps_free(run->maps);
    price_list_free(&run->prices);
    metrics_free(run->metrics);
    inventory_free(&run->inventory);
    node_file_free(&run->nodes);
    catalogue_free(&run->catalogue);
    rule_free(&run->rule);
    intern_free(run->names);
    diag_free(&run->diag);
}
