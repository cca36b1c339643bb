/* run_report: the ten sentences of a run, one function each. */
#include "gputab/cli/run_report.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/cli/fill_report.h"
#include "gputab/cli/progress.h"
#include "gputab/cli/prom_access.h"
#include "gputab/core/capacity_block.h"
#include "gputab/core/charge_book.h"
#include "gputab/core/split.h"
#include "gputab/core/usage_hash.h"
#include "gputab/source/bill.h"
#include "gputab/source/bill_maps.h"
#include "gputab/source/catalogue.h"
#include "gputab/source/catalogue_file.h"
#include "gputab/source/rule.h"

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
                               .blocks = run->rule.blocks.n > 0, .list = run->rule.split.method == RULE_SPLIT_RESIDUAL || a->compare_splits,
                               .shared = run->rule.shared_costs.v, .n_shared = run->rule.shared_costs.n,
                               .rates = run->rule.fx.v, .n_rates = run->rule.fx.n,
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
    for (size_t i = 0; i < a->catalogues.n; i++)
        if (catalogue_add_file(&run->catalogue, a->catalogues.v[i], e) < 0)
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

struct run_way *run_report_way(struct run_report *run, const struct rule *rule, struct timespan period, struct diag *diag)
{
    struct run_way *way;

    split_check_names(rule, &run->catalogue, &run->inventory, &run->bill, diag);
    way = run_way_new(rule, &(struct allocate_config){.catalogue = &run->catalogue, .inventory = &run->inventory, .owners = &run->owners,
                                                      .bill = &run->bill, .names = run->names, .period = period, .diag = diag});
    vec_push(&run->ways, way);
    return way;
}

void run_report_view(struct run_report *run, struct run_way *way, struct run_view *view)
{
    run_way_view(way, view, &run->inventory, &run->owners, &run->bill);
}

/* A rule that cannot be applied ends its own way where others go on; what is wrong with the sums themselves ends the run. */
static int end_way(struct run_way *way, const struct err *found, struct err *e)
{
    struct err *to = way->optional && found->code == ERR_USAGE ? &way->failed : e;

    *to = *found;
    return to == e ? -1 : 0;
}

static int divide_until(struct run_report *run, time_ms end, struct err *e)
{
    for (size_t i = 0; i < run->ways.n; i++) {
        struct run_way *way = run->ways.v[i];
        struct err found = {.code = ERR_NONE};

        if (way->failed.code == ERR_NONE && allocate_until(way->allocate, end, &found) < 0 && end_way(way, &found, e) < 0)
            return -1;
    }
    return 0;
}

/* One UTC day, or the part of it in the period. */
static int run_window(struct run_report *run, struct timespan span, struct sample_window *w, struct usage *facts,
                      struct usage_hash *hash, struct err *e)
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
        for (size_t i = 0; i < run->ways.n; i++)
            if (run->ways.v[i]->failed.code == ERR_NONE)
                allocate_add(run->ways.v[i]->allocate, facts);
        if (run->hear_facts)
            run->hear_facts(run->facts_to, facts);
    }
    return divide_until(run, span.to, e);
}

static bool any_waits(const struct run_report *run)
{
    for (size_t i = 0; i < run->ways.n; i++)
        if (run->ways.v[i]->failed.code == ERR_NONE && allocate_waits(run->ways.v[i]->allocate))
            return true;
    return false;
}

/* What was learned of pods goes with the day, unless a charge goes on. */
static void forget_pods(struct run_report *run)
{
    if (any_waits(run))
        return;
    owners_forget(&run->owners);
    residency_forget(run->residency);
    intern_release(run->inventory.labelsets);
    intern_release(run->names);
}

static int end_ways(struct run_report *run, struct err *e)
{
    for (size_t i = 0; i < run->ways.n; i++) {
        struct run_way *way = run->ways.v[i];
        struct err found = {.code = ERR_NONE};

        if (way->failed.code == ERR_NONE && allocate_end(way->allocate, &way->sums, &found) < 0 && end_way(way, &found, e) < 0)
            return -1;
    }
    return 0;
}

int run_report_walk(struct run_report *run, struct timespan period, struct err *e)
{
    struct sample_window w = {0};
    struct usage facts = {0};
    struct usage_hash *hash = usage_hash_new();
    int rc = 0;

    run->residency = residency_new(&(struct residency_config){&run->rule, &run->catalogue, &run->inventory, &run->owners,
                                                              allocate_cuts(run->ways.v[0]->allocate), &run->diag});
    intern_mark(run->names);
    intern_mark(run->inventory.labelsets);
    for (time_ms t = period.from; rc == 0 && t < period.to;) {
        struct timespan day = timespan_cut((struct timespan){t, time_floor(t, TIME_DAY) + TIME_DAY}, period);

        rc = run_window(run, day, &w, &facts, hash, e);
        forget_pods(run);
        t = day.to;
    }
    if (rc == 0)
        rc = end_ways(run, e);
    usage_hash_end(hash, run->facts_sha256);
    vec_free(&w.runs);
    usage_free(&facts);
    return rc;
}

/* ---- a run ---- */

int run_report_load(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e)
{
    if (run_report_open(run, a, period, e) < 0 || run_report_bill(run, a, period, false, e) < 0)
        return -1;
    charge_book_add_types(&run->bill, &run->inventory);
    return 0;
}

static void add_origins(struct run_report *run, struct run_way *way)
{
    run->origins = origin_rows_new(&run->inventory, &run->owners);
    run_way_listen(way, origin_rows_sink(run->origins));
}

static int add_parts(struct run_report *run, const struct report_args *a, struct run_way *way, struct err *e)
{
    unsigned wanted = report_args_parts(a);

    for (size_t p = 0; p < REPORT_PARTS; p++) {
        if (!(wanted & 1U << p))
            continue;
        if (p == REPORT_ORIGINS) {
            add_origins(run, way);
            continue;
        }
        if (run_view_part(&run->parts[p], (enum report_part)p, &run->view, e) < 0)
            return -1;
        run_report_view(run, way, &run->parts[p]);
    }
    return 0;
}

int run_report(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e)
{
    struct run_way *way;

    if (run_view_read(&run->view, a, e) < 0 || run_shape_read(&run->shape, a, &run->view.by, e) < 0
        || split_by_read(&run->split, a, &run->view, period, e) < 0 || run_checks_begin(run, a, period, e) < 0
        || run_report_load(run, a, period, e) < 0 || run_checks_bill(run, a, e) < 0)
        return -1;
    way = run_report_way(run, &run->rule, period, &run->diag);
    run_report_view(run, way, &run->view);
    for (size_t i = 0; split_by_view(&run->split, i); i++)
        run_report_view(run, way, split_by_view(&run->split, i));
    fill_extras_listen(&run->extras, run, report_args_extras(a), way, period);
    if (add_parts(run, a, way, e) < 0 || run_checks_listen(run, way, e) < 0 || run_report_walk(run, period, e) < 0
        || fill_report(run, way, &run->view, period, &run->report, e) < 0)
        return -1;
    if (run_checks_end(run, a, way, period, e) < 0 || run_shape_apply(&run->shape, &run->report, e) < 0)
        return -1;
    return fill_extras(&run->extras, way, &run->report, e) < 0 ? -1 : fill_parts(run, way, &run->report, e);
}

void run_report_free(struct run_report *run)
{
    report_free(&run->report);
    for (size_t i = 0; i < run->ways.n; i++)
        run_way_free(run->ways.v[i]);
    vec_free(&run->ways);
    run_view_free(&run->view);
    run_checks_free(&run->checks);
    split_by_free(&run->split);
    origin_rows_free(run->origins);
    fill_extras_free(&run->extras);
    for (size_t p = 0; p < REPORT_PARTS; p++)
        run_view_free(&run->parts[p]);
    residency_free(run->residency);
    owners_free(&run->owners);
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
