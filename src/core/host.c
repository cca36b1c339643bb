/* host: integrates requests, working sets and CPU counters of one node's pods over a window.
 * First it is settled which target counts when; then every series is walked once, and its pieces are added to (pod version, span). */
#include "gputab/core/host.h"

#include <string.h>

#include "gputab/core/span_cut.h"

enum { NS_TO_NANOCORE_MS = 1000 };         /* one core for 1 ms is 10^9 nanocores x ms, and 10^6 ns of CPU time */

struct choice {                            /* the target that counts in a piece of time */
    struct timespan span;
    uint32_t target;
};
struct choices {
    struct choice *v;
    size_t n, cap;
};

enum { NO_FACT = SIZE_MAX };

struct hold {                              /* where a series' amounts belong, and for how long */
    const struct series *series;
    struct timespan span;
    size_t fact;                           /* index; NO_FACT: they don't count */
};

struct walk {
    const struct host_window *h;
    const struct host_node *node;
    const struct cuts *cuts;
    struct choices chosen[HOST_SOURCES][HOST_RESOURCES];       /* the target that counts */
    struct choices seen[HOST_SOURCES][HOST_RESOURCES];         /* and shows a series of the node: sorted, disjoint */
    struct intern *keys;                   /* (version, span.from) -> fact index - first + 1 */
    size_t first;                          /* of this node's facts */
    struct hold hold;
    size_t cursor;
};

void host_shows_add(struct host_node *node, enum host_source source, enum host_resource resource, uint32_t target)
{
    size_t i = node->shows[source][resource].n;

    for (size_t k = 0; k < i; k++)
        if (node->shows[source][resource].v[k] == target)
            return;
    vec_push(&node->shows[source][resource], target);
    for (; i > 0 && node->shows[source][resource].v[i - 1] > target; i--) {
        node->shows[source][resource].v[i] = node->shows[source][resource].v[i - 1];
        node->shows[source][resource].v[i - 1] = target;
    }
}

/* ---- which target counts when ---- */

static void push_choice(struct choices *c, struct timespan span, uint32_t target)
{
    if (c->n && c->v[c->n - 1].target == target && c->v[c->n - 1].span.to == span.from)
        c->v[c->n - 1].span.to = span.to;
    else
        vec_push(c, (struct choice){span, target});
}

/* The first target in label order that stands; until it ceases to, or one before it begins. */
static void choose(const struct walk *w, const uint32_t *targets, size_t n, struct choices *out)
{
    time_ms t = w->h->w->span.from, end = w->h->w->span.to;
    size_t *at = xcalloc(n + 1, sizeof *at);

    while (t < end) {
        time_ms until = end;
        size_t found = n;

        for (size_t i = 0; i < n && found == n; i++) {
            const struct timeline *line = &w->h->of_target[targets[i]];
            const struct instant *x;

            at[i] = timeline_seek(line, t, at[i]);
            if (at[i] == line->instants.n)
                continue;
            x = &line->instants.v[at[i]];
            if (x->from <= t)
                found = i;
            if ((x->from <= t ? x->to : x->from) < until)
                until = x->from <= t ? x->to : x->from;
        }
        if (found < n)
            push_choice(out, (struct timespan){t, until}, targets[found]);
        t = until;
    }
    free(at);
}

static void choose_all(struct walk *w)
{
    for (int s = 0; s < HOST_SOURCES; s++)
        for (int r = 0; r < HOST_RESOURCES; r++)
            if (w->node->shows[s][r].n)
                choose(w, w->node->shows[s][r].v, w->node->shows[s][r].n, &w->chosen[s][r]);
}

static enum host_source source_of(enum sample_kind kind)
{
    return kind == SAMPLE_CPU || kind == SAMPLE_MEMORY ? HOST_USAGE : HOST_REQUEST;
}

static enum host_resource resource_of(enum sample_kind kind)
{
    return kind == SAMPLE_REQUEST_CPU || kind == SAMPLE_CPU ? HOST_CPU
        : kind == SAMPLE_REQUEST_MEMORY || kind == SAMPLE_MEMORY ? HOST_MEMORY : HOST_GPU;
}

/* Whether the series speaks of this node at t: its own label says so, else its pod is there; *until: to when that holds at least. */
static bool on_node(const struct walk *w, const struct series *s, time_ms t, time_ms *until)
{
    *until = TIME_MAX;
    return s->node != NONE || inventory_pod_node(w->h->cfg->inventory, s->pod, t, until) == w->node->node;
}

/* Adds the time of one instant, as far as its target counts. */
static void see(struct walk *w, enum host_source source, enum host_resource resource, uint32_t target, const struct instant *x, size_t *at)
{
    const struct choices *chosen = &w->chosen[source][resource];

    while (*at < chosen->n && chosen->v[*at].span.to <= x->from)
        ++*at;
    for (size_t i = *at; i < chosen->n && chosen->v[i].span.from < x->to; i++)
        if (chosen->v[i].target == target)
            push_choice(&w->seen[source][resource], timespan_cut((struct timespan){x->from, x->to}, chosen->v[i].span), target);
}

/* What a target's instants show of the node: whole ones, and parts of those in which a pod comes to the node or leaves it. */
struct shown {
    unsigned char *whole;                  /* per instant */
    struct choices parts;
};

static void show_parts(const struct walk *w, const struct series *s, const struct instant *x, struct shown *out)
{
    time_ms until;

    for (time_ms t = x->from; t < x->to; t = until) {
        bool here = on_node(w, s, t, &until);

        until = until < x->to ? until : x->to;
        if (here)
            vec_push(&out->parts, (struct choice){{t, until}, s->target});
    }
}

static void show_run(const struct walk *w, const struct series *s, const struct sample_run *run, struct shown *out)
{
    const struct timeline *line = &w->h->of_target[s->target];
    time_ms until = TIME_MIN;
    bool here = false;

    for (size_t k = 0, t = 0; k < run->n; k++, t++) {
        t = timeline_find(line, run->v[k].time, t);
        if (run->v[k].time >= until)
            here = on_node(w, s, run->v[k].time, &until);
        if (until < line->instants.v[t].to && !out->whole[t])
            show_parts(w, s, &line->instants.v[t], out);
        else
            out->whole[t] |= here;
    }
}

static int by_from(const void *pa, const void *pb)
{
    const struct choice *a = pa, *b = pb;

    return (a->span.from > b->span.from) - (a->span.from < b->span.from);
}

/* The time in which some of the runs (of one kind) of a target shows the node. */
static void see_target(struct walk *w, const struct series *s, const uint32_t *series, size_t n)
{
    const struct timeline *line = &w->h->of_target[s->target];
    struct shown shown = {.whole = xcalloc(line->instants.n + 1, 1)};
    size_t at = 0, part = 0;

    for (size_t i = 0; i < n; i++)
        if (w->h->run_of_series[series[i]])
            show_run(w, &w->h->w->series[series[i]], w->h->run_of_series[series[i]], &shown);
    if (shown.parts.n)
        qsort(shown.parts.v, shown.parts.n, sizeof *shown.parts.v, by_from);
    for (size_t t = 0; t < line->instants.n; t++) {
        struct instant x = line->instants.v[t];

        if (shown.whole[t])
            see(w, source_of(s->kind), resource_of(s->kind), s->target, &x, &at);
        for (; part < shown.parts.n && shown.parts.v[part].span.from < x.to; part++) {
            struct timespan p = shown.parts.v[part].span;

            p.from = p.from > x.from ? p.from : x.from;
            if (shown.whole[t] || p.from >= p.to)
                continue;
            see(w, source_of(s->kind), resource_of(s->kind), s->target, &(struct instant){p.from, p.to}, &at);
            x.from = p.to;             /* parts of several pods overlap */
        }
    }
    free(shown.whole);
    vec_free(&shown.parts);
}

/* Time counts as observed where the target that counts shows a series of the node. */
static void see_all(struct walk *w)
{
    const struct series *all = w->h->w->series;

    for (size_t i = 0, end; i < w->node->series.n; i = end) {
        const struct series *s = &all[w->node->series.v[i]];

        for (end = i; end < w->node->series.n && all[w->node->series.v[end]].kind == s->kind
                      && all[w->node->series.v[end]].target == s->target; end++)
            ;
        see_target(w, s, &w->node->series.v[i], end - i);
    }
    for (int src = 0; src < HOST_SOURCES; src++)
        for (int r = 0; r < HOST_RESOURCES; r++)
            if (w->seen[src][r].n)
                qsort(w->seen[src][r].v, w->seen[src][r].n, sizeof *w->seen[src][r].v, by_from);
}

/* ---- how long was observed ---- */

static struct host_observed *observed_at(struct walk *w, struct timespan span)
{
    struct usage *out = w->h->out;

    for (size_t i = out->host_observed.n; i > 0 && out->host_observed.v[i - 1].node == w->node->node; i--)
        if (out->host_observed.v[i - 1].span.from == span.from)
            return &out->host_observed.v[i - 1];
    vec_push(&out->host_observed, (struct host_observed){.node = w->node->node, .span = span});
    return &out->host_observed.v[out->host_observed.n - 1];
}

enum observed_field { OBSERVED_REQUEST, OBSERVED_USAGE, OBSERVED_ANY };

static void observe(struct walk *w, struct timespan when, int resource, enum observed_field field)
{
    size_t cursor = 0;

    while (when.from < when.to) {
        struct timespan span = span_cut_at(w->cuts, when.from, &cursor);
        uint64_t ms = (uint64_t)timespan_ms(timespan_cut(when, span));
        struct host_observed *o = observed_at(w, span);

        *(field == OBSERVED_REQUEST ? &o->request_ms[resource] : field == OBSERVED_USAGE ? &o->usage_ms[resource] : &o->any_ms[resource]) +=
            ms;
        when.from = span.to;
    }
}

/* The union of two sorted lists of disjoint spans. */
static void observe_union(struct walk *w, const struct choices *a, const struct choices *b, int resource)
{
    size_t i = 0, k = 0;
    time_ms done = TIME_MIN;

    while (i < a->n || k < b->n) {
        bool first = k == b->n || (i < a->n && a->v[i].span.from <= b->v[k].span.from);
        struct timespan span = first ? a->v[i++].span : b->v[k++].span;

        if (span.from < done)
            span.from = done;
        if (span.from >= span.to)
            continue;
        observe(w, span, resource, OBSERVED_ANY);
        done = span.to;
    }
}

static void observe_all(struct walk *w)
{
    for (int r = HOST_CPU; r <= HOST_MEMORY; r++) {
        const struct choices *request = &w->seen[HOST_REQUEST][r], *usage = &w->seen[HOST_USAGE][r];

        for (size_t i = 0; i < request->n; i++)
            observe(w, request->v[i].span, r, OBSERVED_REQUEST);
        for (size_t i = 0; i < usage->n; i++)
            observe(w, usage->v[i].span, r, OBSERVED_USAGE);
        observe_union(w, request, usage, r);
    }
}

/* ---- adding ---- */

static size_t fact_at(struct walk *w, uint32_t version, struct timespan span)
{
    struct { uint64_t version; time_ms from; } key = {version, span.from};
    struct usage *out = w->h->out;
    uint32_t id = intern_put(w->keys, &key, sizeof key);

    if (w->first + id > out->host.n)
        vec_push(&out->host, (struct host_fact){.node = w->node->node, .span = span, .pod_version = version});
    return w->first + id - 1;
}

static void add_to(struct host_fact *f, enum sample_kind kind, weight amount)
{
    switch (kind) {
    case SAMPLE_REQUEST_CPU: f->request_cpu += amount; break;
    case SAMPLE_REQUEST_MEMORY: f->request_memory += amount; break;
    case SAMPLE_REQUEST_GPU:
    case SAMPLE_REQUEST_GPU_SHARED: f->request_gpu += amount; break;
    case SAMPLE_CPU: f->usage_cpu += amount; break;
    case SAMPLE_MEMORY: f->usage_memory += amount; break;
    default: break;
    }
}

static bool is_request(enum sample_kind kind)
{
    return kind >= SAMPLE_REQUEST_GPU && kind <= SAMPLE_REQUEST_MEMORY;
}

static void end_at(struct timespan *span, time_ms t)
{
    if (t < span->to)
        span->to = t;
}

/* Until the span ends, the pod's version changes, or it ends, comes or goes. Requests of a finished pod don't count. */
static void find_hold(struct walk *w, const struct series *s, time_ms t)
{
    const struct pod *pods = w->h->cfg->inventory->pods.v;
    const struct steps *versions = &w->h->cfg->owners->of_pod[s->pod];
    uint32_t version = steps_at(versions, t, NONE);
    const struct steps *ended = &pods[steps_at(&pods[s->pod].alias, t, s->pod)].ended;
    struct timespan span = span_cut_at(w->cuts, t, &w->cursor);
    time_ms moves;
    bool counts = on_node(w, s, t, &moves) && (!is_request(s->kind) || !steps_at(ended, t, 0));

    w->hold.series = s;
    w->hold.span = (struct timespan){t, span.to};
    end_at(&w->hold.span, steps_next(versions, t));
    end_at(&w->hold.span, steps_next(ended, t));
    end_at(&w->hold.span, moves);
    w->hold.fact = counts ? fact_at(w, version, span) : NO_FACT;
}

/* Of `total` over `over`: what had accumulated by t. */
static weight accumulated(weight total, struct timespan over, time_ms t)
{
    if (t == over.from || t == over.to)
        return t == over.from ? 0 : total;
    return total * (weight)(t - over.from) / (weight)(over.to - over.from);
}

/* An amount that a pod accumulates over a time: `total` over `over`, of which `when` counts; cumulative rounding, so that the parts sum
 * to the whole. */
static void add(struct walk *w, const struct series *s, struct timespan when, weight total, struct timespan over)
{
    while (when.from < when.to) {
        const struct hold *hold = &w->hold;
        time_ms to;

        if (hold->series != s || when.from < hold->span.from || when.from >= hold->span.to)
            find_hold(w, s, when.from);
        to = when.to < hold->span.to ? when.to : hold->span.to;
        if (hold->fact != NO_FACT)
            add_to(&w->h->out->host.v[hold->fact], s->kind, accumulated(total, over, to) - accumulated(total, over, when.from));
        when.from = to;
    }
}

/* The parts of `over` in which the target counts. */
static void add_chosen(struct walk *w, const struct series *s, const struct choices *chosen, size_t *at, struct timespan over, weight total)
{
    while (*at < chosen->n && chosen->v[*at].span.to <= over.from)
        ++*at;
    for (size_t i = *at; i < chosen->n && chosen->v[i].span.from < over.to; i++)
        if (chosen->v[i].target == s->target)
            add(w, s, timespan_cut(over, chosen->v[i].span), total, over);
}

/* ---- walking the series ---- */

struct group {                             /* series of one kind, target, pod and container, with runs in the window */
    const struct sample_run **runs;
    size_t *at;
    size_t n;
};

/* The group's value at an instant: working sets of an old and a new container don't add up, requests of several resources do. */
static bool group_value(struct group *g, time_ms stamp, bool largest, uint64_t *out)
{
    bool has = false;

    *out = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct sample_run *run = g->runs[i];

        while (g->at[i] < run->n && run->v[g->at[i]].time < stamp)
            g->at[i]++;
        if (g->at[i] == run->n || run->v[g->at[i]].time != stamp)
            continue;
        has = true;
        if (!largest)
            *out += run->v[g->at[i]].value;
        else if (run->v[g->at[i]].value > *out)
            *out = run->v[g->at[i]].value;
    }
    return has;
}

/* The instants from the group's first sample to its last. */
static struct timespan group_span(const struct group *g)
{
    struct timespan span = {TIME_MAX, TIME_MIN};

    for (size_t i = 0; i < g->n; i++) {
        const struct sample_run *run = g->runs[i];

        span.from = run->v[0].time < span.from ? run->v[0].time : span.from;
        span.to = run->v[run->n - 1].time > span.to ? run->v[run->n - 1].time : span.to;
    }
    return span;
}

/* Equal values of neighbouring instants are added as one piece. */
static void walk_gauge(struct walk *w, const struct series *s, struct group *g, const struct choices *chosen)
{
    const struct timeline *line = &w->h->of_target[s->target];
    struct timespan piece = {0, 0}, stamps = group_span(g);
    uint64_t value, current = 0;
    size_t at = 0;

    for (size_t i = timeline_find(line, stamps.from, 0); i < line->instants.n && line->instants.v[i].from <= stamps.to; i++) {
        const struct instant *x = &line->instants.v[i];

        if (!group_value(g, x->from, s->kind == SAMPLE_MEMORY, &value))
            value = 0;
        if (value == current && piece.to == x->from) {
            piece.to = x->to;
            continue;
        }
        if (current > 0)
            add_chosen(w, s, chosen, &at, piece, (weight)current * (weight)(piece.to - piece.from));
        piece = (struct timespan){x->from, x->to};
        current = value;
    }
    if (current > 0)
        add_chosen(w, s, chosen, &at, piece, (weight)current * (weight)(piece.to - piece.from));
}

static void walk_counter(struct walk *w, const struct series *s, const struct sample_run *run, const struct choices *chosen)
{
    size_t at = 0;

    for (size_t i = 0; i + 1 < run->n; i++) {
        const struct sample *a = &run->v[i], *b = &run->v[i + 1];
        uint64_t more = b->value >= a->value ? b->value - a->value : b->value;     /* a drop is a reset */

        if (more > 0 && s->pod != NONE && b->time - a->time <= w->h->cfg->rule->gpu.max_gap_ms)
            add_chosen(w, s, chosen, &at, (struct timespan){a->time, b->time}, (weight)more * NS_TO_NANOCORE_MS);
    }
}

static const struct choices *choices_of(const struct walk *w, enum sample_kind kind)
{
    return &w->chosen[source_of(kind)][resource_of(kind)];
}

static bool same_group(const struct series *a, const struct series *b)
{
    return a->kind == b->kind && a->target == b->target && a->pod == b->pod && a->container == b->container;
}

static void walk_series(struct walk *w)
{
    const struct series *all = w->h->w->series;
    size_t total = w->node->series.n;
    struct group g = {xcalloc(total + 1, sizeof *g.runs), xcalloc(total + 1, sizeof *g.at), 0};

    for (size_t i = 0, end; i < total; i = end) {
        const struct series *s = &all[w->node->series.v[i]];

        g.n = 0;
        for (end = i; end < total && same_group(s, &all[w->node->series.v[end]]); end++) {
            const struct sample_run *run = w->h->run_of_series[w->node->series.v[end]];

            if (run && s->kind == SAMPLE_CPU)
                walk_counter(w, s, run, choices_of(w, s->kind));
            else if (run)
                g.runs[g.n++] = run;
        }
        memset(g.at, 0, g.n * sizeof *g.at);
        if (g.n && s->pod != NONE)
            walk_gauge(w, s, &g, choices_of(w, s->kind));
    }
    free(g.runs);
    free(g.at);
}

void host_integrate(const struct host_window *h, const struct host_node *node)
{
    struct walk w = {.h = h, .node = node, .cuts = &h->cfg->cuts[node->node], .first = h->out->host.n};

    if (node->series.n == 0)
        return;
    w.keys = intern_new();
    choose_all(&w);
    see_all(&w);
    observe_all(&w);
    walk_series(&w);
    intern_free(w.keys);
    for (int s = 0; s < HOST_SOURCES; s++)
        for (int r = 0; r < HOST_RESOURCES; r++) {
            vec_free(&w.chosen[s][r]);
            vec_free(&w.seen[s][r]);
        }
}

void host_node_free(struct host_node *node)
{
    vec_free(&node->series);
    for (int s = 0; s < HOST_SOURCES; s++)
        for (int r = 0; r < HOST_RESOURCES; r++)
            vec_free(&node->shows[s][r]);
}
