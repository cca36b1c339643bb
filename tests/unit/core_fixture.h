/* core_fixture: a small world of nodes, GPUs, pods, series and charges, run through residency and allocate; what comes out is kept as
 * entries. Times are written in seconds after DAY0, memory in GiB, money as text.
 *
 * Catalogue: model "H100" (80 GiB, 8 memory and 7 compute slices, 6 USD) and "T4" (16 GiB, no MIG, 1 USD); types "one" (1 H100), "two",
 * "four" (2, 4 H100), "eighth" (an eighth of a T4); all with 1 vCPU and 1 GiB. The rule's prices of vCPUs and GiB are 1 USD, so that a
 * charge of 8 USD of "one" is 1 CPU, 1 memory and 6 GPU. */
#ifndef GPUTAB_TESTS_CORE_FIXTURE_H
#define GPUTAB_TESTS_CORE_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "gputab/core/allocate.h"
#include "gputab/core/charge_book.h"
#include "unit.h"

#define DAY0 (20000 * TIME_DAY)
#define AT(seconds) (DAY0 + (time_ms)(seconds) * TIME_SECOND)
#define GIB ((uint64_t)1 << 30)
enum { HOUR_S = 3600, DAY_S = 86400 };

struct kept_presence {
    struct entry entry;
    struct timespan span;
};

struct kept_samples {
    VEC(struct sample) list;
};

struct world {
    struct intern *names;
    struct inventory inv;
    struct catalogue catalogue;
    struct rule rule;
    struct owners owners;
    struct bill bill;
    struct diag diag;
    struct err err;
    VEC(struct series) series;
    VEC(struct kept_samples) samples;      /* by series */
    VEC(struct entry) entries;
    VEC(struct kept_presence) presence;
    struct allocate_sink also;             /* another taker of entries and charges; zeroed: none */
    void (*also_facts)(void *to, const struct usage *facts);       /* of `also.to` */
    weight requested;
    size_t days;
    struct allocate_sums sums;
    struct timespan period;
    bool by_day;                           /* each window has the pods and series of its time only */
    uint32_t generation;                   /* by day: of the last window */
    struct { struct pod *v; size_t n; } all_pods;      /* by day: those that inv.pods are taken from */
    VEC(struct series) day_series;
};

/* All facts of a window, whatever the node. */
static inline void window_facts(struct residency *r, const struct sample_window *w, struct usage *out)
{
    usage_clear(out);
    residency_begin(r, w);
    while (residency_next(r, out))
        continue;
}

static inline money world_money(const char *text)
{
    money m = 0;

    ck_assert_int_eq(money_parse(span_of(text), &m, NULL), 0);
    return m;
}

static const char *world_no_names[] = {NULL};

static inline void world_type(struct world *w, const char *name, int model, int64_t gpu_micro)
{
    vec_push(&w->catalogue.types, (struct instance_type){
        .provider = "aws", .name = name, .vcpu_micro = 1000000, .memory_micro_gib = 1000000, .model = model,
        .model_name = w->catalogue.models.v[model].name, .gpu_count_micro = gpu_micro, .region = ""});
}

static inline void world_init(struct world *w)
{
    memset(w, 0, sizeof *w);
    w->names = intern_new();
    inventory_init(&w->inv, w->names);
    w->inv.clusters = 1;
    rule_defaults(&w->rule);
    w->rule.split.vcpu_hour = w->rule.split.gib_hour = MONEY_ONE;
    w->rule.basis = RULE_BASIS_GPU;
    vec_push(&w->catalogue.models, (struct gpu_model){.name = "H100", .names = world_no_names, .total_mib = 80 << 10,
                                                      .compute_slices = 7, .memory_slices = 8, .price_hour = 6 * MONEY_ONE});
    vec_push(&w->catalogue.models, (struct gpu_model){.name = "T4", .names = world_no_names, .total_mib = 16 << 10,
                                                      .price_hour = MONEY_ONE});
    world_type(w, "one", 0, 1000000);
    world_type(w, "two", 0, 2000000);
    world_type(w, "four", 0, 4000000);
    world_type(w, "eighth", 1, 125000);
    w->period = (struct timespan){AT(0), AT(DAY_S)};
}

static inline void world_free(struct world *w)
{
    for (size_t i = 0; i < w->samples.n; i++)
        vec_free(&w->samples.v[i].list);
    vec_free(&w->samples);
    vec_free(&w->series);
    vec_free(&w->day_series);
    vec_free(&w->entries);
    vec_free(&w->presence);
    if (w->owners.of_pod)
        owners_free(&w->owners);
    bill_free(&w->bill);
    diag_free(&w->diag);
    inventory_free(&w->inv);
    catalogue_free(&w->catalogue);
    rule_free(&w->rule);
    intern_free(w->names);
}

static inline uint32_t world_text(struct world *w, const char *s)
{
    return intern_str(w->names, s);
}

/* ---- who and what there is; in canonical order, as source/inventory would have it ---- */

static inline uint32_t world_target(struct world *w, const char *text)
{
    vec_push(&w->inv.targets, (struct target){0, world_text(w, text)});
    return (uint32_t)w->inv.targets.n - 1;
}

/* type NULL: the labels name none. */
static inline uint32_t world_node(struct world *w, const char *name, const char *resource, const char *type)
{
    struct node n = {.name = world_text(w, name)};

    if (resource)
        steps_push(&n.resource, TIME_MIN, world_text(w, resource));
    if (type)
        steps_push(&n.type, TIME_MIN, world_text(w, type));
    vec_push(&w->inv.nodes, n);
    return (uint32_t)w->inv.nodes.n - 1;
}

/* A GPU and the device that is all of it: its device index. */
static inline uint32_t world_gpu(struct world *w, const char *uuid, const char *model, uint32_t node)
{
    struct gpu g = {.uuid = world_text(w, uuid), .model = world_text(w, model), .first_ms = TIME_MAX, .last_ms = TIME_MIN};

    steps_push(&g.node, TIME_MIN, node);
    vec_push(&w->inv.gpus, g);
    vec_push(&w->inv.devices, (struct device){.gpu = (uint32_t)w->inv.gpus.n - 1});
    return (uint32_t)w->inv.devices.n - 1;
}

static inline uint32_t world_instance(struct world *w, uint32_t gpu, const char *gi, const char *profile)
{
    vec_push(&w->inv.devices, (struct device){gpu, world_text(w, gi), world_text(w, profile)});
    return (uint32_t)w->inv.devices.n - 1;
}

static inline uint32_t world_pod(struct world *w, const char *ns, const char *name, const char *uid)
{
    vec_push(&w->inv.pods, (struct pod){.namespace_name = world_text(w, ns), .name = world_text(w, name), .uid = world_text(w, uid)});
    return (uint32_t)w->inv.pods.n - 1;
}

/* ---- samples ---- */

static inline uint32_t world_series(struct world *w, enum sample_kind kind, uint32_t target, uint32_t device, uint32_t node, uint32_t pod)
{
    vec_push(&w->series, (struct series){.kind = kind, .target = target, .device = device, .node = node, .pod = pod});
    vec_push(&w->samples, (struct kept_samples){{0}});
    return (uint32_t)w->series.n - 1;
}

static inline uint32_t world_device_series(struct world *w, enum sample_kind kind, uint32_t target, uint32_t device, uint32_t pod)
{
    return world_series(w, kind, target, device, NONE, pod);
}

/* One value every 60 s in [from, to), in the sample's own unit. */
static inline void world_samples(struct world *w, uint32_t series, int from, int to, uint64_t value)
{
    const struct series *s = &w->series.v[series];

    for (int t = from; t < to; t += 60) {
        vec_push(&w->samples.v[series].list, (struct sample){AT(t), value});
        if (s->device != NONE) {
            struct gpu *g = &w->inv.gpus.v[w->inv.devices.v[s->device].gpu];

            g->first_ms = AT(t) < g->first_ms ? AT(t) : g->first_ms;
            g->last_ms = AT(t) > g->last_ms ? AT(t) : g->last_ms;
        }
    }
}

/* A series and its samples in one go; memory in GiB. pod NONE: a total. */
static inline void world_uses(struct world *w, uint32_t target, uint32_t device, uint32_t pod, int from, int to, uint64_t gib)
{
    world_samples(w, world_device_series(w, SAMPLE_USED, target, device, pod), from, to, gib * GIB);
}

/* ---- charges: sorted by resource, span, as source/bill hands them over ---- */

static inline struct charge_kept *world_charge(struct world *w, const char *resource, int from, int to, const char *cost)
{
    struct charge c = {.resource = world_text(w, resource), .span = {AT(from), AT(to)}, .cost = world_money(cost),
                       .invoiced = world_money(cost), .billed_ns = (int64_t)(to - from) * 1000 * TIME_NS_PER_MS,
                       .purchase = PURCHASE_ON_DEMAND};

    charge_list_add(&w->bill.charges, &c);
    return &w->bill.charges.v[w->bill.charges.n - 1];
}

/* WORLD_CHARGE(&w, region, text): changes a member of the latest charge that it may share with others. */
#define WORLD_CHARGE(w, member, value)                                                  \
    do {                                                                                \
        struct charge changed_ = charge_list_at(&(w)->bill.charges, (w)->bill.charges.n - 1);      \
        changed_.member = (value);                                                      \
        charge_list_put(&(w)->bill.charges, (w)->bill.charges.n - 1, &changed_);        \
    } while (0)

static inline void world_correction(struct world *w, const char *resource, int from, int to, const char *cost)
{
    struct charge_kept *c = world_charge(w, resource, from, to, cost);

    c->billed_ns = 0;
    c->correction_only = true;
}

/* What the bill says of a piece of the latest charge. */
static inline void world_part(struct world *w, enum piece piece, const char *model, const char *cost)
{
    struct charge c = charge_list_at(&w->bill.charges, w->bill.charges.n - 1);

    if (c.n_parts++ == 0)
        c.first_part = (uint32_t)w->bill.parts.n;
    charge_list_put(&w->bill.charges, w->bill.charges.n - 1, &c);
    vec_push(&w->bill.parts, (struct charge_part){piece, world_text(w, model), world_money(cost)});
}

/* ---- running ---- */

static inline void world_keep_entry(void *to, const struct entry *e)
{
    struct world *w = to;

    vec_push(&w->entries, *e);
    if (w->also.entry)
        w->also.entry(w->also.to, e);
}

static inline void world_hand_charge(void *to, const struct allocate_charge *c)
{
    struct world *w = to;

    if (w->also.charge)
        w->also.charge(w->also.to, c);
}

static inline void world_keep_presence(void *to, const struct entry *e, const struct timespan *spans, size_t n)
{
    struct world *w = to;

    for (size_t i = 0; i < n; i++)
        vec_push(&w->presence, (struct kept_presence){*e, spans[i]});
}

static inline void world_keep_requested(void *to, const struct entry *e, weight micro_ms)
{
    struct world *w = to;

    (void)e;
    w->requested += micro_ms;
}

static inline void world_keep_day(void *to)
{
    struct world *w = to;

    w->days++;
    if (w->also.day_done)
        w->also.day_done(w->also.to);
}

static inline struct allocate_config world_config(struct world *w)
{
    return (struct allocate_config){
        .rule = &w->rule, .catalogue = &w->catalogue, .inventory = &w->inv, .owners = &w->owners, .bill = &w->bill, .names = w->names,
        .period = w->period, .diag = &w->diag,
        .sink = {w, world_keep_entry, world_keep_presence, world_keep_requested, world_keep_day, world_hand_charge}};
}

/* The runs that a source would give for a window: up to max_gap beyond both of its ends, and one sparse sample more. */
static inline void world_runs(const struct world *w, struct timespan span, struct sample_window *out)
{
    time_ms from = span.from - w->rule.gpu.max_gap_ms, to = span.to + w->rule.gpu.max_gap_ms;

    out->span = span;
    out->series = w->series.v;
    out->n_series = w->series.n;
    vec_clear(&out->runs);
    for (size_t i = 0; i < w->samples.n; i++) {
        const struct sample *v = w->samples.v[i].list.v;
        size_t first = 0, end;

        while (first < w->samples.v[i].list.n && v[first].time < from)
            first++;
        for (end = first; end < w->samples.v[i].list.n && v[end].time <= to; end++)
            ;
        if (first >= 2 && v[first - 1].time - v[first - 2].time > w->rule.gpu.max_gap_ms && span.from > w->period.from)
            first--;
        if (end > first)
            vec_push(&out->runs, (struct sample_run){.series = (uint32_t)i, .v = v + first, .n = end - first});
    }
}

/* Marks the pods that the series of the window's runs speak of, and those that their names mean. */
static inline void world_mark_pods(const struct world *w, const struct sample_window *window, bool *marks)
{
    for (size_t i = 0; i < window->runs.n; i++) {
        uint32_t pod = w->series.v[window->runs.v[i].series].pod;
        const struct steps *alias = pod == NONE ? NULL : &w->all_pods.v[pod].alias;

        if (pod != NONE)
            marks[pod] = true;
        for (uint32_t k = 0; alias && k < alias->n; k++)
            marks[alias->v[k].value] = true;
    }
}

static inline void world_forget_day(struct world *w)
{
    for (size_t i = 0; i < w->inv.pods.n; i++)
        free(w->inv.pods.v[i].alias.v);    /* all else belongs to all_pods */
    vec_free(&w->inv.pods);
}

/* inv.pods become those marked: under other indices, which *now tells. */
static inline void world_take_pods(struct world *w, const bool *marks, uint32_t *now)
{
    for (size_t i = 0; i < w->all_pods.n; i++) {
        now[i] = (uint32_t)w->inv.pods.n;
        if (marks[i])
            vec_push(&w->inv.pods, w->all_pods.v[i]);
    }
    for (size_t i = 0; i < w->inv.pods.n; i++) {
        struct steps *alias = &w->inv.pods.v[i].alias, all = *alias;

        *alias = (struct steps){NULL, 0, 0};
        for (uint32_t k = 0; k < all.n; k++)
            steps_push(alias, all.v[k].from, now[all.v[k].value]);
    }
}

static inline void world_take_series(struct world *w, const uint32_t *now, struct sample_window *out)
{
    vec_clear(&w->day_series);
    for (size_t i = 0; i < out->runs.n; i++) {
        struct series s = w->series.v[out->runs.v[i].series];

        s.pod = s.pod == NONE ? NONE : now[s.pod];
        vec_push(&w->day_series, s);
        out->runs.v[i].series = (uint32_t)i;
    }
    out->series = w->day_series.v;
    out->n_series = w->day_series.n;
}

static inline void world_clear_pods(struct world *w)
{
    if (w->all_pods.v) {
        world_forget_day(w);
        return;
    }
    w->all_pods.v = w->inv.pods.v;
    w->all_pods.n = w->inv.pods.n;
    w->inv.pods.v = NULL;
    w->inv.pods.n = w->inv.pods.cap = 0;
}

static inline void world_narrow(struct world *w, struct sample_window *out)
{
    bool *marks;
    uint32_t *now;

    world_clear_pods(w);
    marks = xcalloc(w->all_pods.n + 1, sizeof *marks);
    now = xcalloc(w->all_pods.n + 1, sizeof *now);
    world_mark_pods(w, out, marks);
    world_take_pods(w, marks, now);
    world_take_series(w, now, out);
    free(marks);
    free(now);
}

/* What the source would hand over for a window: its runs, and by day a generation of pods and series of its own. */
static inline void world_window(struct world *w, struct timespan span, struct sample_window *out)
{
    world_runs(w, span, out);
    if (w->by_day) {
        world_narrow(w, out);
        out->generation = ++w->generation;
    } else {
        out->generation = 1;
    }
    if (w->by_day || !w->owners.of_pod)
        owners_update(&w->owners, &w->rule, &w->inv, w->names);
}

/* Behind the last window: inv.pods are all again. */
static inline void world_end_windows(struct world *w)
{
    if (!w->all_pods.v)
        return;
    world_forget_day(w);
    w->inv.pods.v = w->all_pods.v;
    w->inv.pods.n = w->inv.pods.cap = w->all_pods.n;
    w->all_pods.v = NULL;
}

/* Everything from samples and charges to entries; the result of the last stage that failed, or 0. */
static inline int world_run(struct world *w)
{
    struct allocate_config cfg;
    struct allocate *a;
    struct residency *r;
    struct usage facts = {0};
    struct sample_window window = {0};
    int rc = 0;

    cfg = world_config(w);
    a = allocate_new(&cfg);
    r = residency_new(&(struct residency_config){&w->rule, &w->catalogue, &w->inv, &w->owners, allocate_cuts(a), &w->diag});
    for (time_ms t = w->period.from; rc == 0 && t < w->period.to;) {
        struct timespan day = timespan_cut((struct timespan){t, time_floor(t, TIME_DAY) + TIME_DAY}, w->period);

        world_window(w, day, &window);
        window_facts(r, &window, &facts);
        allocate_add(a, &facts);
        if (w->also_facts)
            w->also_facts(w->also.to, &facts);
        rc = allocate_until(a, day.to, &w->err);
        t = day.to;
    }
    if (rc == 0)
        rc = allocate_end(a, &w->sums, &w->err);
    world_end_windows(w);
    vec_free(&window.runs);
    usage_free(&facts);
    residency_free(r);
    allocate_free(a);
    return rc;
}

/* ---- what came out ---- */

static inline const struct pod_version *world_version(const struct world *w, const struct entry *e)
{
    return e->pod_version == NONE ? NULL : &w->owners.versions.v[e->pod_version];
}

static inline bool world_is_pod(const struct world *w, const struct pod_version *v, uint32_t pod)
{
    const struct pod *p = &w->inv.pods.v[pod];

    return v->pod.cluster == p->cluster && v->pod.namespace_name == p->namespace_name && v->pod.name == p->name && v->pod.uid == p->uid;
}

/* The cost of a piece (PIECES: of all three) that a pod has; pod NONE: that buckets have. */
static inline money world_cost(const struct world *w, enum piece piece, uint32_t pod, enum bucket bucket)
{
    money sum = 0;

    for (size_t i = 0; i < w->entries.n; i++) {
        const struct entry *e = &w->entries.v[i];
        const struct pod_version *v = world_version(w, e);

        if ((piece == PIECES || e->piece == piece) && (pod == NONE ? !v && e->bucket == bucket : v && world_is_pod(w, v, pod)))
            sum += e->cost;
    }
    return sum;
}

static inline money world_reason_cost(const struct world *w, enum piece piece, enum reason reason)
{
    money sum = 0;

    for (size_t i = 0; i < w->entries.n; i++)
        if (w->entries.v[i].piece == piece && w->entries.v[i].reason == reason)
            sum += w->entries.v[i].cost;
    return sum;
}

/* Equal but for what largest remainders move: at most `off` units of 10^-12. */
static inline void world_is(money amount, const char *expected, money off)
{
    struct buf b = {0};
    money difference = amount - world_money(expected);

    money_add_text(&b, amount, MONEY_DECIMALS);
    ck_assert_msg(difference <= off && difference >= -off, "%s, not %s", buf_str(&b), expected);
    buf_free(&b);
}

#endif
