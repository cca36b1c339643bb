/* divide: a charge's pieces, device by device and pod by pod.
 * Everything here is one charge at a time; amounts are divided by largest remainder over cells in canonical order. Time without samples
 * is `(no-metrics)`; entries of memory that was divided among candidates share a pot, so that rollup can say what the data allow. */
#include "gputab/core/divide.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "gputab/core/node_shape.h"

struct division {
    struct divide_run *run;
    const struct allocate_config *cfg;
    const struct book_node *node;
    const struct charge *charge;
    const struct split_billed *billed;
    struct collected *facts;
    struct node_shape shape;
    struct entry base;             /* keys that all entries share */
    bool measuring;                /* entries are only for what follows them */
    bool fault;                    /* shares don't make up the observed time: the program is wrong */
};

static void reserve(struct divide_parts *p, size_t n)
{
    vec_reserve(&p->weights, n);
    vec_reserve(&p->costs, n);
    vec_reserve(&p->hours, n);
}

/* The time that what was observed is measured against. A correction may have one (core/scale_set), else it is the interval. */
static int64_t billed_ns(const struct division *d)
{
    return d->charge->billed_ns > 0 ? d->charge->billed_ns : timespan_ms(d->charge->span) * TIME_NS_PER_MS;
}

/* The hours that the charge pays for. */
static int64_t paid_ns(const struct division *d)
{
    return d->charge->correction_only ? 0 : d->charge->billed_ns;
}

static money hours_of(int64_t ns, int64_t fraction_micro)
{
    return money_mul_div((money)ns * 1000000, (weight)fraction_micro, (weight)TIME_HOUR * TIME_NS_PER_MS);
}

/* Below gpu.min_coverage the unobserved part is not measured by the observed one. */
static bool covered(const struct division *d, int64_t observed)
{
    return observed > 0 && (money)observed * 100 * MONEY_ONE >= d->cfg->rule->gpu.min_coverage * billed_ns(d);
}

/* ---- (no-metrics) ---- */

struct unseen {                    /* parts of the unobserved time, ns */
    int64_t starting, stopping, rest;
    enum reason why;               /* of the rest */
};

static bool sample_inside(const struct division *d, time_ms t)
{
    return t >= d->charge->span.from && t < d->charge->span.to;
}

static struct unseen unseen_parts(const struct division *d, int64_t ns, bool ever_seen)
{
    struct unseen u = {0, 0, ns, ever_seen ? REASON_GAP : REASON_NEVER_SEEN};
    int64_t limit = d->cfg->rule->gpu.startup_ms * TIME_NS_PER_MS;

    if (!ever_seen || d->node->first_ms > d->node->last_ms)
        return u;
    if (sample_inside(d, d->node->first_ms))
        u.starting = u.rest < limit ? u.rest : limit;
    u.rest -= u.starting;
    if (sample_inside(d, d->node->last_ms))
        u.stopping = u.rest < limit ? u.rest : limit;
    u.rest -= u.stopping;
    return u;
}

static size_t count_days(struct timespan span)
{
    return (size_t)((time_floor(span.to - 1, TIME_DAY) - time_floor(span.from, TIME_DAY)) / TIME_DAY) + 1;
}

/* An amount without a pod, spread over the days of the charge by `weights` (one per day; all zero: by the charge's time in the day). */
static void emit_days(struct division *d, struct entry e, weight *weights, money hours, void (*emit)(struct division *, const struct entry *))
{
    size_t n = count_days(d->charge->span);
    time_ms day = time_floor(d->charge->span.from, TIME_DAY);
    money *cost = xcalloc(n, 3 * sizeof *cost), *part = cost + n, *host = part + n;

    if (money_split(e.cost, weights, n, cost) < 0) {
        for (size_t i = 0; i < n; i++)
            weights[i] = (weight)timespan_ms(timespan_cut(d->charge->span, (struct timespan){day + (time_ms)i * TIME_DAY,
                                                                                             day + (time_ms)(i + 1) * TIME_DAY}));
        if (money_split(e.cost, weights, n, cost) < 0)
            abort();               /* a charge has a positive length */
    }
    if (money_split(hours, weights, n, part) < 0 || money_split((money)e.host, weights, n, host) < 0)
        abort();
    for (size_t i = 0; i < n; i++) {
        e.day = day + (time_ms)i * TIME_DAY;
        e.cost = cost[i];
        e.gpu_hours = part[i];
        e.host = (weight)host[i];
        if (weights[i] > 0)
            emit(d, &e);
    }
    free(cost);
}

static void emit_no_metrics(struct division *d, struct entry e, money hours, struct unseen u, weight *by_day,
                            void (*emit)(struct division *, const struct entry *))
{
    const weight w[] = {(weight)u.starting, (weight)u.stopping, (weight)u.rest};
    const enum reason why[] = {REASON_STARTING, REASON_STOPPING, u.why};
    size_t n = count_days(d->charge->span);
    money cost[3], part[3];

    e.bucket = BUCKET_NO_METRICS;
    e.grade = GRADE_D;
    e.pod_version = NONE;
    if (money_split(e.cost, w, 3, cost) < 0 || money_split(hours, w, 3, part) < 0)
        abort();                   /* called only with unobserved time */
    for (int i = 0; i < 3; i++) {
        weight *weights = xcalloc(n, sizeof *weights);

        if (i == 2)
            for (size_t k = 0; k < n; k++)
                weights[k] = by_day[k];
        else
            weights[i == 0 ? 0 : n - 1] = 1;
        e.cost = cost[i];
        e.reason = why[i];
        if (w[i] > 0)
            emit_days(d, e, weights, part[i], emit);
        free(weights);
    }
}

/* Per day: the charge's time that was not observed. */
static weight *unseen_by_day(const struct division *d, uint64_t (*observed)(const struct division *, time_ms day, uint32_t key), uint32_t key)
{
    size_t n = count_days(d->charge->span);
    time_ms first = time_floor(d->charge->span.from, TIME_DAY);
    weight *w = xcalloc(n, sizeof *w);

    for (size_t i = 0; i < n; i++) {
        time_ms day = first + (time_ms)i * TIME_DAY;
        uint64_t time = (uint64_t)timespan_ms(timespan_cut(d->charge->span, (struct timespan){day, day + TIME_DAY}));
        uint64_t seen = observed(d, day, key);

        w[i] = time > seen ? time - seen : 0;
    }
    return w;
}

/* ---- the GPU piece ---- */

static void emit_gpu(struct division *d, const struct entry *e)
{
    vec_push(&d->run->gpu_entries, *e);
    if (!d->measuring)
        d->cfg->sink.entry(d->cfg->sink.to, e);
}

_Static_assert(offsetof(struct gpu_day, gpu) == 0 && offsetof(struct gpu_cell, gpu) == 0, "first_of looks there");

/* Of n structs that begin with a GPU and are sorted by it: the place of the first of this GPU, or of one after it. */
static size_t first_of(const void *v, size_t n, size_t size, uint32_t gpu)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (*(const uint32_t *)(const void *)((const char *)v + mid * size) < gpu)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static size_t observed_of(const struct collected *facts, uint32_t gpu)
{
    return first_of(facts->observed.v, facts->observed.n, sizeof *facts->observed.v, gpu);
}

static uint64_t gpu_seen(const struct division *d, time_ms day, uint32_t gpu)
{
    for (size_t i = observed_of(d->facts, gpu); i < d->facts->observed.n && d->facts->observed.v[i].gpu == gpu; i++)
        if (d->facts->observed.v[i].day == day)
            return d->facts->observed.v[i].observed_ms;
    return 0;
}

static int64_t gpu_observed(const struct division *d, uint32_t gpu)
{
    int64_t sum = 0;

    for (size_t i = observed_of(d->facts, gpu); i < d->facts->observed.n && d->facts->observed.v[i].gpu == gpu; i++)
        sum += (int64_t)d->facts->observed.v[i].observed_ms;
    return sum;
}

/* A bucket must not absorb an error: the claims' shares make up the observed time to the last unit. */
static bool shares_complete(const struct gpu_cell *cells, size_t n, int64_t observed)
{
    weight sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += cells[i].share;
    return sum == (weight)observed << USAGE_SHARE_BITS;
}

static const enum bucket bucket_of[] = {
    [CLAIM_POD] = BUCKET_NONE, [CLAIM_IDLE] = BUCKET_IDLE, [CLAIM_RESERVED] = BUCKET_RESERVED, [CLAIM_UNATTRIBUTED] = BUCKET_UNATTRIBUTED,
};

static bool same_pot(const struct gpu_cell *a, const struct gpu_cell *b)
{
    return a->candidates && a->candidates == b->candidates && a->day == b->day && a->sharing == b->sharing && a->state == b->state;
}

static uint32_t pot_of(struct division *d, const struct gpu_cell *c, const struct gpu_cell *before)
{
    if (!c->candidates)
        return 0;
    if (!before || !same_pot(c, before))
        ++d->run->next_pot;
    return d->run->next_pot;
}

/* All of the cost but where a holder pays for memory that it does not hold. */
static money used_cost(const struct gpu_cell *c, money cost)
{
    if (c->used == c->share)
        return cost;
    return c->share ? money_mul_div(cost, c->used, c->share) : 0;
}

static void divide_cells(struct division *d, struct entry e, const struct gpu_cell *cells, size_t n, money cost, money hours)
{
    weight *w;
    money *part, *time;

    reserve(&d->run->of_cells, n);
    w = d->run->of_cells.weights.v;
    part = d->run->of_cells.costs.v;
    time = d->run->of_cells.hours.v;
    for (size_t i = 0; i < n; i++)
        w[i] = cells[i].share;
    if (money_split(cost, w, n, part) < 0 || money_split(hours, w, n, time) < 0)
        abort();                   /* observed time has claims */
    for (size_t i = 0; i < n; i++) {
        const struct gpu_cell *c = &cells[i];

        e.bucket = bucket_of[c->claimant];
        e.pod_version = c->pod_version;
        e.sharing = c->sharing;
        e.state = c->state;
        e.day = c->day;
        e.grade = c->grade;
        e.reason = c->reason;
        e.pot = pot_of(d, c, i > 0 ? &cells[i - 1] : NULL);
        e.cost = part[i];
        e.gpu_hours = time[i];
        e.used_cost = used_cost(c, part[i]);
        e.memory_ms = c->memory_ms;
        emit_gpu(d, &e);
    }
}

/* They are sorted by GPU. */
static const struct gpu_cell *cells_of(const struct division *d, uint32_t gpu, size_t *n)
{
    const struct gpu_cell *v = d->facts->gpu.v;
    size_t low = first_of(v, d->facts->gpu.n, sizeof *v, gpu), end;

    for (end = low; end < d->facts->gpu.n && v[end].gpu == gpu; end++)
        ;
    *n = end - low;
    return *n ? &v[low] : NULL;
}

/* The part of a GPU's unobserved time in which its node was starting. */
static weight starting_ns(const struct division *d, const struct shape_gpu *g, int64_t unseen_ns)
{
    return paid_ns(d) ? (weight)unseen_parts(d, unseen_ns, g->gpu != NONE || d->shape.all_seen).starting : 0;
}

static void divide_gpu(struct division *d, const struct shape_gpu *g, money cost)
{
    struct entry e = d->base;
    int64_t observed = g->gpu == NONE ? 0 : gpu_observed(d, g->gpu), billed = billed_ns(d);
    money hours = hours_of(paid_ns(d), g->fraction_micro), parts[2] = {cost, 0}, times[2] = {hours, 0};
    size_t n = 0;
    const struct gpu_cell *cells = g->gpu == NONE ? NULL : cells_of(d, g->gpu, &n);
    weight seen[2];

    d->fault = d->fault || !shares_complete(cells, n, observed);
    observed = observed * TIME_NS_PER_MS < billed ? observed * TIME_NS_PER_MS : billed;
    seen[0] = cells ? (weight)observed : 0;
    seen[1] = (weight)billed - seen[0];
    e.piece = PIECE_GPU;
    e.gpu = g->gpu == NONE ? 0 : d->cfg->inventory->gpus.v[g->gpu].uuid;
    e.gpu_model = g->model_name;
    if (!d->measuring) {
        d->run->sums.observed += (weight)(paid_ns(d) ? observed : 0) * (weight)g->fraction_micro;
        d->run->sums.hours += (weight)paid_ns(d) * (weight)g->fraction_micro;
        d->run->sums.starting += starting_ns(d, g, (int64_t)seen[1]) * (weight)g->fraction_micro;
    }
    if (!cells || !covered(d, observed)) {
        weight *by_day = unseen_by_day(d, gpu_seen, g->gpu);

        if (money_split(cost, seen, 2, parts) < 0 || money_split(hours, seen, 2, times) < 0)
            abort();
        e.cost = parts[1];
        e.sharing = SHARING_UNKNOWN;
        emit_no_metrics(d, e, times[1], unseen_parts(d, (int64_t)seen[1], g->gpu != NONE || d->shape.all_seen), by_day, emit_gpu);
        free(by_day);
    }
    if (cells)
        divide_cells(d, e, cells, n, parts[0], times[0]);
}

/* Each physical GPU of a model gets an equal part of the model's piece (a fraction of a card its fraction). */
static void divide_model(struct division *d, size_t model, money cost)
{
    size_t n = d->shape.gpus.n;
    weight *w;
    money *part;

    reserve(&d->run->of_gpus, n);
    w = d->run->of_gpus.weights.v;
    part = d->run->of_gpus.costs.v;
    for (size_t i = 0; i < n; i++)
        w[i] = d->shape.gpus.v[i].model == model ? (weight)d->shape.gpus.v[i].fraction_micro : 0;
    if (money_split(cost, w, n, part) < 0)
        abort();
    for (size_t i = 0; i < n; i++)
        if (d->shape.gpus.v[i].model == model)
            divide_gpu(d, &d->shape.gpus.v[i], part[i]);
}

/* ---- CPU and memory ---- */

static void emit_host(struct division *d, const struct entry *e)
{
    d->cfg->sink.entry(d->cfg->sink.to, e);
}

/* A piece divided like the GPU piece of the charge, buckets included; by GPU hours when that piece is zero. */
static void follow_gpu(struct division *d, struct entry base, money cost)
{
    size_t n = d->run->gpu_entries.n;
    weight *w;
    money *part;
    uint32_t pot = 0;

    reserve(&d->run->of_cells, n);
    w = d->run->of_cells.weights.v;
    part = d->run->of_cells.costs.v;
    for (size_t i = 0; i < n; i++)
        w[i] = (weight)(d->run->gpu_entries.v[i].cost < 0 ? -d->run->gpu_entries.v[i].cost : d->run->gpu_entries.v[i].cost);
    if (money_split(cost, w, n, part) < 0) {
        for (size_t i = 0; i < n; i++)
            w[i] = (weight)d->run->gpu_entries.v[i].gpu_hours;
        if (money_split(cost, w, n, part) < 0) {
            for (size_t i = 0; i < n; i++)
                w[i] = 1;
            if (money_split(cost, w, n, part) < 0)
                abort();           /* a charge with GPUs has entries */
        }
    }
    for (size_t i = 0; i < n; i++) {
        struct entry e = d->run->gpu_entries.v[i];

        if (e.pot && e.pot != pot) {
            pot = e.pot;
            ++d->run->next_pot;
        }
        e.piece = base.piece;
        e.gpu = 0;
        e.gpu_model = base.gpu_model;
        e.sharing = base.sharing;
        if (e.reason && e.bucket == BUCKET_IDLE)
            e.reason = base.piece == PIECE_CPU ? REASON_CPU : REASON_MEMORY;
        e.pot = e.pot ? d->run->next_pot : 0;
        e.state = USAGE_NOBODY;
        e.follows = true;
        e.cost = part[i];
        e.gpu_hours = e.used_cost = 0;
        e.memory_ms = 0;
        if (w[i] > 0)
            emit_host(d, &e);
    }
}

static bool has_series(const struct division *d, int resource)
{
    enum rule_basis basis = d->cfg->rule->basis;

    for (size_t i = 0; i < d->node->nodes.n; i++) {
        const struct node *n = &d->cfg->inventory->nodes.v[d->node->nodes.v[i]];
        bool request = resource == 0 ? n->has_cpu_request : n->has_memory_request;
        bool use = resource == 0 ? n->has_cpu_usage : n->has_memory_usage;

        if ((basis != RULE_BASIS_USAGE && request) || (basis != RULE_BASIS_REQUEST && use))
            return true;
    }
    return false;
}

static uint64_t host_seen(const struct division *d, time_ms day, uint32_t resource)
{
    for (size_t i = 0; i < d->facts->host_observed.n; i++)
        if (d->facts->host_observed.v[i].day == day)
            return d->facts->host_observed.v[i].observed_ms[resource];
    return 0;
}

/* nanocores x ms, or bytes x ms, that the node offers per ms. */
static weight capacity_of(const struct division *d, int resource)
{
    if (resource == 0)
        return (weight)d->shape.split.vcpu_micro * 1000;
    return ((weight)d->shape.split.memory_micro_gib << 30) / 1000000;
}

/* Idle goes to the days in which capacity was left over. */
static weight *idle_by_day(const struct division *d, int resource)
{
    size_t n = count_days(d->charge->span);
    time_ms first = time_floor(d->charge->span.from, TIME_DAY);
    weight *w = xcalloc(n, sizeof *w);

    for (size_t i = 0; i < n; i++) {
        time_ms day = first + (time_ms)i * TIME_DAY;
        weight offered = capacity_of(d, resource) * host_seen(d, day, (uint32_t)resource), taken = 0;

        for (size_t k = 0; k < d->facts->host.n; k++)
            if (d->facts->host.v[k].day == day)
                taken += d->facts->host.v[k].amount[resource];
        w[i] = offered > taken ? offered - taken : 0;
    }
    return w;
}

static void divide_pods(struct division *d, struct entry e, int resource, money cost, int64_t observed)
{
    size_t n = d->facts->host.n;
    weight *w, sum = 0, offered = capacity_of(d, resource) * (weight)observed / TIME_NS_PER_MS;
    money *part;

    reserve(&d->run->of_cells, n + 1);
    w = d->run->of_cells.weights.v;
    part = d->run->of_cells.costs.v;
    for (size_t i = 0; i < n; i++)
        sum += w[i] = d->facts->host.v[i].amount[resource];
    w[n] = offered > sum ? offered - sum : 0;
    if (sum + w[n] == 0)
        w[n] = 1;
    if (money_split(cost, w, n + 1, part) < 0)
        abort();
    for (size_t i = 0; i < n; i++) {
        e.pod_version = d->facts->host.v[i].pod_version;
        e.day = d->facts->host.v[i].day;
        e.cost = part[i];
        e.host = w[i];
        if (w[i] > 0)
            emit_host(d, &e);
    }
    if (w[n] > 0) {
        weight *by_day = idle_by_day(d, resource);

        e.bucket = BUCKET_IDLE;
        e.pod_version = NONE;
        e.reason = resource == 0 ? REASON_CPU : REASON_MEMORY;
        e.cost = part[n];
        e.host = offered > sum ? offered - sum : 0;
        emit_days(d, e, by_day, 0, emit_host);
        free(by_day);
    }
}

/* Said once for a node, whatever number of charges it has. */
static bool told_already(struct division *d, int resource)
{
    uint32_t node = d->node->nodes.v[0];
    bool told;

    while (d->run->told.n <= node)
        vec_push(&d->run->told, 0);
    told = d->run->told.v[node] >> resource & 1;
    d->run->told.v[node] |= (unsigned char)(1 << resource);
    return told;
}

static void warn_follows(struct division *d, int resource)
{
    if (told_already(d, resource))
        return;
    diag_once(d->cfg->diag, "W210", "%s: no %s series: that piece follows the GPU piece", intern_cstr(d->cfg->names, d->base.node),
              resource == 0 ? "CPU" : "memory");
    diag_hint(d->cfg->diag, "W210", "add kube_pod_container_resource_requests and cAdvisor's series, or write cpu_memory: {basis: gpu}");
}

static void divide_host(struct division *d, int resource, money cost)
{
    struct entry e = d->base;
    int64_t observed = 0, billed = billed_ns(d);
    money parts[2] = {cost, 0};

    e.piece = resource == 0 ? PIECE_CPU : PIECE_MEMORY;
    e.gpu_model = d->shape.split.n_models == 1 ? d->shape.gpus.v[0].model_name : 0;
    if (d->cfg->rule->basis == RULE_BASIS_GPU || !has_series(d, resource)) {
        if (d->cfg->rule->basis != RULE_BASIS_GPU && cost != 0 && d->node->nodes.n > 0)
            warn_follows(d, resource);
        follow_gpu(d, e, cost);
        return;
    }
    for (size_t i = 0; i < d->facts->host_observed.n; i++)
        observed += (int64_t)d->facts->host_observed.v[i].observed_ms[resource];
    observed = observed * TIME_NS_PER_MS < billed ? observed * TIME_NS_PER_MS : billed;
    if (!covered(d, observed)) {
        const weight seen[] = {(weight)observed, (weight)(billed - observed)};
        weight *by_day = unseen_by_day(d, host_seen, (uint32_t)resource);

        if (money_split(cost, seen, 2, parts) < 0)
            abort();
        e.cost = parts[1];
        emit_no_metrics(d, e, 0, unseen_parts(d, billed - observed, true), by_day, emit_host);
        free(by_day);
    }
    if (observed > 0)
        divide_pods(d, e, resource, parts[0], observed);
}

/* ---- the charge ---- */

struct entry divide_entry(const struct allocate_config *cfg, const struct book_node *node, const struct charge *charge)
{
    struct entry e = {.pod_version = NONE, .sharing = SHARINGS, .state = USAGE_NOBODY, .region = charge->region,
                      .purchase = charge->purchase, .node = charge->resource};

    if (node->nodes.n) {
        const struct node *n = &cfg->inventory->nodes.v[node->nodes.v[0]];

        e.node = n->name;
        e.cluster = n->cluster;
    }
    return e;
}

/* pieces NULL: unknown hardware. */
static void show_charge(const struct division *d, const struct split_result *pieces)
{
    struct allocate_charge c = {.charge = d->charge, .keys = &d->base, .node = &d->shape.split, .pieces = pieces,
                                .as_billed = pieces && split_is_billed(d->cfg->rule, d->billed), .hours = hours_of(paid_ns(d), 1000000)};

    if (!d->cfg->sink.charge)
        return;
    for (size_t k = 0; k < d->shape.split.n_models; k++)
        c.gpu_hours[k] = hours_of(paid_ns(d), d->shape.split.models[k].count_micro);
    d->cfg->sink.charge(d->cfg->sink.to, &c);
}

static int64_t whole_hours(const struct division *d)
{
    int64_t micro = 0;

    for (size_t i = 0; i < d->shape.gpus.n; i++)
        micro += d->shape.gpus.v[i].fraction_micro;
    return micro;
}

/* Unknown hardware: the charge goes to (no-metrics) whole. */
static void divide_unknown(struct division *d)
{
    struct entry e = d->base;
    struct unseen u = {0, 0, billed_ns(d), d->node->first_ms > d->node->last_ms ? REASON_NEVER_SEEN : REASON_GAP};
    weight *by_day = xcalloc(count_days(d->charge->span), sizeof *by_day);

    diag_once(d->cfg->diag, "W221", "%s: its %s unknown: its cost goes to (no-metrics) whole", intern_cstr(d->cfg->names, d->base.node),
              d->shape.gpus.n ? "vCPUs or memory are" : "GPUs are");
    diag_hint(d->cfg->diag, "W221", "name its instance type in a --nodes file, or its sizes in the bill");
    show_charge(d, NULL);
    e.piece = PIECE_GPU;
    e.sharing = SHARING_UNKNOWN;
    e.cost = d->charge->cost;
    e.gpu_model = d->shape.split.n_models == 1 ? d->shape.gpus.v[0].model_name : 0;
    d->run->sums.gpu += e.cost;
    d->run->sums.hours += (weight)paid_ns(d) * (weight)whole_hours(d);
    emit_no_metrics(d, e, hours_of(paid_ns(d), whole_hours(d)), u, by_day, emit_gpu);
    free(by_day);
}

static money magnitude(money m)
{
    return m < 0 ? -m : m;
}

/* What follows a smaller GPU piece would be as coarse as that piece's units: it follows a multiple of it, divided in the same way. */
static void measure_gpu(struct division *d, const struct split_result *pieces)
{
    money most = magnitude(pieces->cpu) > magnitude(pieces->memory) ? magnitude(pieces->cpu) : magnitude(pieces->memory), gpu = 0;

    for (size_t k = 0; k < d->shape.split.n_models; k++)
        gpu += magnitude(pieces->gpu[k]);
    if (gpu == 0 || gpu >= most)
        return;
    vec_clear(&d->run->gpu_entries);
    d->measuring = true;
    for (size_t k = 0; k < d->shape.split.n_models; k++)
        divide_model(d, k, pieces->gpu[k] * (most / gpu + 1));
    d->measuring = false;
}

static int divide_known(struct division *d, struct err *e)
{
    struct split_result pieces;

    if (split_charge(d->cfg->rule, &d->shape.split, d->charge->cost, d->billed, &pieces, e) < 0)
        return err_wrap(e, "node %s", intern_cstr(d->cfg->names, d->base.node));
    *(split_is_billed(d->cfg->rule, d->billed) ? &d->run->sums.split_by_bill : &d->run->sums.split_by_rule) = true;
    show_charge(d, &pieces);
    vec_reserve(&d->run->gpu_entries, d->facts->gpu.n);
    for (size_t k = 0; k < d->shape.split.n_models; k++) {
        d->run->sums.gpu += pieces.gpu[k];
        divide_model(d, k, pieces.gpu[k]);
    }
    d->run->sums.cpu += pieces.cpu;
    measure_gpu(d, &pieces);
    divide_host(d, 0, pieces.cpu);
    divide_host(d, 1, pieces.memory);
    if (d->fault)
        return err_set(e, ERR_INTERNAL, "node %s: the shares of a GPU do not make up the time it was observed",
                       intern_cstr(d->cfg->names, d->base.node));
    return 0;
}

int divide_charge(struct divide_run *run, const struct book_node *node, const struct instance_type *type, const struct charge *charge,
                  const struct split_billed *billed, struct collected *facts, struct err *e)
{
    const struct allocate_config *cfg = run->cfg;
    struct division d = {.run = run, .cfg = cfg, .node = node, .charge = charge, .billed = billed, .facts = facts,
                         .base = divide_entry(cfg, node, charge)};
    int rc = -1;

    run->sums.billed += charge->cost;
    vec_clear(&run->gpu_entries);
    collected_compact(facts, cfg->owners);
    if (node_shape_find(cfg, node, type, charge, billed, facts, &run->model, &d.shape, e) < 0)
        goto out;
    rc = 0;
    if (d.shape.known)
        rc = divide_known(&d, e);
    else
        divide_unknown(&d);
out:
    node_shape_free(&d.shape);
    return rc;
}

static void free_parts(struct divide_parts *p)
{
    vec_free(&p->weights);
    vec_free(&p->costs);
    vec_free(&p->hours);
}

void divide_run_free(struct divide_run *run)
{
    vec_free(&run->told);
    vec_free(&run->gpu_entries);
    free_parts(&run->of_gpus);
    free_parts(&run->of_cells);
}
