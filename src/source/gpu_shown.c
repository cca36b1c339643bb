/* gpu_shown: the inventory turned around: from resources to the times when a GPU was seen on them.
 *
 * The inventory says which resource a node was, which node a GPU sat in, and when the GPU had samples; each overlap of these is a time
 * when the resource was shown. They are collected once, sorted and merged, since a bill asks for every row.
 * What a resource that nothing shows may be is the bill's matter. */
#include "gputab/source/gpu_shown.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"
#include "gputab/value/resource_id.h"

struct shown {
    uint32_t resource;             /* string id */
    struct timespan span;
};

/* GPUs on a resource: one that had samples there, or those of a type. */
struct counted {
    uint32_t resource;
    uint32_t gpu;                  /* inventory index; NONE: of a type */
    int64_t micro;                 /* of a type */
    struct timespan span;
};

struct gpu_shown {
    const struct intern *names;
    VEC(struct shown) v;           /* by resource and time; those of one resource are disjoint */
    VEC(struct counted) counted;   /* by resource and GPU */
};

/* One step as an interval. */
static struct timespan step_span(const struct steps *s, uint32_t i)
{
    return (struct timespan){s->v[i].from, i + 1 < s->n ? s->v[i + 1].from : TIME_MAX};
}

/* "/subscriptions/.../virtualmachinescalesets/x/virtualmachines/0" is also shown as the set x: Azure bills name only the set. */
static void add(struct gpu_shown *g, struct intern *names, uint32_t resource, struct timespan span)
{
    struct span set = resource_id_set_of(intern_get(names, resource));

    if (span.from >= span.to)
        return;
    vec_push(&g->v, (struct shown){resource, span});
    if (set.n)
        vec_push(&g->v, (struct shown){intern_span(names, set), span});
}

/* The resources of a node during a span; what is counted on them, in `as`, when it is more than nothing. */
static void add_node(struct gpu_shown *g, const struct inventory *inv, const struct node *node, struct timespan span, struct counted as)
{
    for (uint32_t i = 0; i < node->resource.n; i++) {
        as.resource = node->resource.v[i].value;
        as.span = timespan_cut(step_span(&node->resource, i), span);
        if (as.resource == 0)
            continue;
        add(g, inv->names, as.resource, as.span);
        if ((as.gpu != NONE || as.micro > 0) && as.span.from < as.span.to)
            vec_push(&g->counted, as);
    }
}

static void add_types(struct gpu_shown *g, const struct inventory *inv, const struct node *node, const struct catalogue *c)
{
    for (uint32_t i = 0; i < node->type.n; i++) {
        const struct instance_type *t = catalogue_type(c, intern_get(inv->names, node->type.v[i].value));

        if (t && t->gpu_count_micro > 0)
            add_node(g, inv, node, step_span(&node->type, i), (struct counted){.gpu = NONE, .micro = t->gpu_count_micro});
    }
}

static void add_gpu(struct gpu_shown *g, const struct inventory *inv, uint32_t index)
{
    const struct gpu *gpu = &inv->gpus.v[index];
    struct timespan seen = {gpu->first_ms, gpu->last_ms < TIME_MAX ? gpu->last_ms + 1 : TIME_MAX};

    for (uint32_t i = 0; i < gpu->node.n; i++)
        if (gpu->node.v[i].value < inv->nodes.n)
            add_node(g, inv, &inv->nodes.v[gpu->node.v[i].value], timespan_cut(step_span(&gpu->node, i), seen),
                     (struct counted){.gpu = index});
}

static int by_resource_and_time(const void *pa, const void *pb)
{
    const struct shown *a = pa, *b = pb;

    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    return (a->span.from > b->span.from) - (a->span.from < b->span.from);
}

static void merge(struct gpu_shown *g)
{
    size_t n = 0;

    if (g->v.n > 1)
        qsort(g->v.v, g->v.n, sizeof *g->v.v, by_resource_and_time);
    for (size_t i = 0; i < g->v.n; i++) {
        struct shown *last = n ? &g->v.v[n - 1] : NULL, next = g->v.v[i];

        if (!last || last->resource != next.resource || last->span.to < next.span.from)
            g->v.v[n++] = next;
        else if (last->span.to < next.span.to)
            last->span.to = next.span.to;
    }
    g->v.n = n;
}

static int by_resource_and_gpu(const void *pa, const void *pb)
{
    const struct counted *a = pa, *b = pb;

    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    return (a->gpu > b->gpu) - (a->gpu < b->gpu);
}

struct gpu_shown *gpu_shown_new(const struct inventory *inv, const struct catalogue *c)
{
    struct gpu_shown *g = xcalloc(1, sizeof *g);

    g->names = inv->names;
    for (size_t i = 0; i < inv->nodes.n; i++) {
        if (inv->nodes.v[i].has_gpu_capacity)
            add_node(g, inv, &inv->nodes.v[i], (struct timespan){TIME_MIN, TIME_MAX}, (struct counted){.gpu = NONE});
        add_types(g, inv, &inv->nodes.v[i], c);
    }
    for (uint32_t i = 0; i < inv->gpus.n; i++)
        add_gpu(g, inv, i);
    merge(g);
    if (g->counted.n > 1)
        qsort(g->counted.v, g->counted.n, sizeof *g->counted.v, by_resource_and_gpu);
    return g;
}

void gpu_shown_free(struct gpu_shown *g)
{
    if (!g)
        return;
    vec_free(&g->v);
    vec_free(&g->counted);
    free(g);
}

/* Index of the first entry of the resource that ends after `from`, or the number of entries. */
static size_t find(const struct gpu_shown *g, uint32_t resource, time_ms from)
{
    size_t lo = 0, hi = g->v.n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct shown *s = &g->v.v[mid];

        if (s->resource < resource || (s->resource == resource && s->span.to <= from))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

bool gpu_shown_in(const struct gpu_shown *g, struct span resource, struct timespan span)
{
    uint32_t id = intern_find(g->names, resource.p, resource.n);
    size_t i = id ? find(g, id, span.from) : g->v.n;

    return i < g->v.n && g->v.v[i].resource == id && g->v.v[i].span.from < span.to;
}

bool gpu_shown_ever(const struct gpu_shown *g, struct span resource)
{
    return gpu_shown_in(g, resource, (struct timespan){TIME_MIN, TIME_MAX});
}

static size_t first_counted(const struct gpu_shown *g, uint32_t resource)
{
    size_t lo = 0, hi = g->counted.n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (g->counted.v[mid].resource < resource)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

int64_t gpu_shown_count_micro(const struct gpu_shown *g, struct span resource, struct timespan span)
{
    uint32_t id = intern_find(g->names, resource.p, resource.n), last = NONE;
    int64_t seen = 0, typed = 0;

    for (size_t i = id ? first_counted(g, id) : g->counted.n; i < g->counted.n && g->counted.v[i].resource == id; i++) {
        const struct counted *c = &g->counted.v[i];

        if (c->span.from >= span.to || c->span.to <= span.from)
            continue;
        if (c->gpu == NONE)
            typed = c->micro > typed ? c->micro : typed;
        else if (c->gpu != last)
            seen += GPU_MICRO;
        last = c->gpu;
    }
    if (typed > 0 && typed < GPU_MICRO && seen == GPU_MICRO)  /* one card, a fraction of which the machine has */
        return typed;
    return seen > typed ? seen : typed;
}
