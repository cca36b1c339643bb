/* inventory: looking things up in what source/inventory has put together.
 *
 * What changes over time is a list of steps and found by bisection. Label sets are one string each, so that two pods with equal
 * labels share an id and a set is compared by a number. Nothing here decides what a label means. */
#include "gputab/value/inventory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"

/* Number of steps that have begun at t. */
static uint32_t steps_begun(const struct steps *s, time_ms t)
{
    uint32_t lo = 0, hi = s->n;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (s->v[mid].from <= t)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t steps_at(const struct steps *s, time_ms t, uint32_t before)
{
    uint32_t n = steps_begun(s, t);

    return n ? s->v[n - 1].value : before;
}

time_ms steps_next(const struct steps *s, time_ms t)
{
    uint32_t n = steps_begun(s, t);

    return n < s->n ? s->v[n].from : TIME_MAX;
}

/* Most lists have one step, and there are several for each pod. */
static void grow(struct steps *s)
{
    uint32_t cap = s->n > 0 ? s->n * 2 : 1;
    struct step *v = xreallocarray(s->cap > 0 ? s->v : NULL, cap, sizeof *v);

    if (s->cap == 0 && s->n > 0)
        memcpy(v, s->v, s->n * sizeof *v);
    s->v = v;
    s->cap = cap;
}

void steps_push(struct steps *s, time_ms from, uint32_t value)
{
    assert(s->n == 0 || from >= s->v[s->n - 1].from);
    if (s->n && s->v[s->n - 1].from == from)
        s->n--;                                        /* replaced; what is then last may be equal to the new one */
    if (s->n && s->v[s->n - 1].value == value)
        return;
    if (s->n >= s->cap)
        grow(s);
    s->v[s->n++] = (struct step){ from, value };
}

struct steps steps_one(struct arena *a, time_ms from, uint32_t value)
{
    struct step *v = arena_alloc(a, sizeof *v);

    *v = (struct step){ from, value };
    return (struct steps){ v, 1, 0 };
}

void steps_free(struct steps *s)
{
    if (s->cap > 0)
        free(s->v);
    *s = (struct steps){ 0 };
}

void inventory_init(struct inventory *inv, struct intern *names)
{
    *inv = (struct inventory){ .names = names, .labelsets = intern_new() };
}

static void free_pod(struct pod *p)
{
    steps_free(&p->alias);
    steps_free(&p->labels);
    steps_free(&p->annotations);
    steps_free(&p->workload);
    steps_free(&p->node);
    steps_free(&p->ended);
}

void inventory_free_pods(struct inventory *inv)
{
    for (size_t i = 0; i < inv->pods.n; i++)
        free_pod(&inv->pods.v[i]);
    vec_clear(&inv->pods);
    arena_free(&inv->pod_steps);
}

void inventory_free(struct inventory *inv)
{
    inventory_free_pods(inv);
    for (size_t i = 0; i < inv->nodes.n; i++) {
        steps_free(&inv->nodes.v[i].resource);
        steps_free(&inv->nodes.v[i].type);
        steps_free(&inv->nodes.v[i].sharing);
        steps_free(&inv->nodes.v[i].labels);
        vec_free(&inv->nodes.v[i].sizes);
    }
    for (size_t i = 0; i < inv->gpus.n; i++)
        steps_free(&inv->gpus.v[i].node);
    for (size_t i = 0; i < inv->namespaces.n; i++) {
        steps_free(&inv->namespaces.v[i].labels);
        steps_free(&inv->namespaces.v[i].annotations);
    }
    vec_free(&inv->targets);
    vec_free(&inv->nodes);
    vec_free(&inv->gpus);
    vec_free(&inv->devices);
    vec_free(&inv->pods);
    vec_free(&inv->namespaces);
    vec_free(&inv->shown);
    intern_free(inv->labelsets);
    inv->labelsets = NULL;
}

/* The string that begins at *s; *s moves behind its NUL. */
static struct span next_string(struct span *s)
{
    const char *end = memchr(s->p, '\0', s->n);
    struct span text = { s->p, end ? (size_t)(end - s->p) : s->n };
    size_t used = end ? text.n + 1 : text.n;

    s->p += used;
    s->n -= used;
    return text;
}

struct span inventory_label(const struct inventory *inv, uint32_t labelset, struct span name)
{
    struct span set = intern_get(inv->labelsets, labelset);

    while (set.n) {
        struct span key = next_string(&set);
        struct span value = set.n ? next_string(&set) : (struct span){ NULL, 0 };

        if (span_same(key, name))
            return value;
    }
    return (struct span){ NULL, 0 };
}

struct span inventory_node_label(const struct inventory *inv, uint32_t node, struct span name, time_ms t)
{
    if (node == NONE)
        return (struct span){ NULL, 0 };
    return inventory_label(inv, steps_at(&inv->nodes.v[node].labels, t, 0), name);
}

uint32_t inventory_namespace(const struct inventory *inv, uint32_t cluster, uint32_t name)
{
    size_t lo = 0, hi = inv->namespaces.n;

    while (lo < hi) {                                  /* canonical order: cluster, then name */
        size_t mid = lo + (hi - lo) / 2;
        const struct namespace *ns = &inv->namespaces.v[mid];
        int c = intern_cmp(inv->names, ns->cluster, cluster);

        if (c == 0)
            c = intern_cmp(inv->names, ns->name, name);
        if (c == 0)
            return (uint32_t)mid;
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NONE;
}

uint32_t inventory_pod_node(const struct inventory *inv, uint32_t pod, time_ms t, time_ms *until)
{
    const struct pod *p = &inv->pods.v[pod], *meant = &inv->pods.v[steps_at(&p->alias, t, pod)];
    time_ms change = steps_next(&p->alias, t), next = steps_next(&meant->node, t);
    uint32_t node = steps_at(&meant->node, t, NONE);

    if (node == NONE && meant != p) {          /* known by name only */
        node = steps_at(&p->node, t, NONE);
        change = steps_next(&p->node, t) < change ? steps_next(&p->node, t) : change;
    }
    *until = next < change ? next : change;
    return node;
}
