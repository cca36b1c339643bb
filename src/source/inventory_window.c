/* inventory_window: the pods and the series of numbers of one window.
 *
 * Series that turn out to be one are merged. What series and pods refer to, such as nodes and devices, is known from the outline.
 *
 * Not here: which series a window has (source/window), and their samples (source/sample_store). */
#include "gputab/source/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/source/inventory_build.h"
#include "gputab/source/outline.h"

/* Index of the pod that a series names; NONE: it names none, or none of the window. */
static uint32_t find_pod(const struct inventory_build *b, const struct replay_series *s)
{
    uint32_t names[] = { s->cluster, s->pod.namespace_name, s->pod.name, s->pod.uid };

    return s->pod.name ? tuples_find(&b->pods, names) : NONE;
}

/* ---- pods ---- */

/* The last pod that a person of the window was. */
struct last_pod {
    uint32_t names[4], added;      /* added: what tuples_add said; 0: there was none yet */
};

/* Nearly every person is one pod: of all series that speak of it, one asks the tuples. */
static uint32_t add_pod(struct inventory_build *b, struct last_pod *last, const struct replay_series *s)
{
    struct last_pod pod = { .names = { s->cluster, s->pod.namespace_name, s->pod.name, s->pod.uid } };

    if (last->added == 0 || memcmp(last->names, pod.names, sizeof pod.names) != 0) {
        pod.added = tuples_add(&b->pods, pod.names);
        *last = pod;
    }
    return last->added;
}

static void make_pods(struct inventory_build *b)
{
    struct last_pod *last = xcalloc(b->replay->persons + 1u, sizeof *last);
    struct inventory *inv = b->inv;
    uint32_t id[TUPLES_WIDTH];

    inventory_free_pods(inv);
    tuples_free(&b->pods);
    tuples_init(&b->pods, b->names, 4);
    b->pod_of = xreallocarray(b->pod_of, b->replay->series.n + 1, sizeof *b->pod_of);
    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];

        b->pod_of[i] = s->pod.name ? add_pod(b, &last[s->who], s) : NONE;
    }
    free(last);
    tuples_sort(&b->pods);
    for (size_t i = 0; i < b->replay->series.n; i++)
        b->pod_of[i] = b->pod_of[i] == NONE ? NONE : tuples_place(&b->pods, b->pod_of[i]);
    vec_reserve(&inv->pods, b->pods.n);
    for (uint32_t i = 0; i < b->pods.n; i++) {
        tuples_get(&b->pods, i, id);
        vec_push(&inv->pods, (struct pod){ .cluster = id[0], .namespace_name = id[1], .name = id[2], .uid = id[3] });
    }
}

/* ---- series of numbers ---- */

/* A series of numbers on its way to the store. */
struct draft {
    struct series series;
    const struct replay *replay;
    const struct replay_series *from;
};
struct drafts {
    struct draft *v;
    size_t n, cap;
};

static uint32_t join(struct intern *names, uint32_t a, uint32_t b)
{
    struct buf text = { 0 };
    uint32_t id;

    if (a == 0 || b == 0)
        return a ? a : b;
    buf_add_span(&text, intern_get(names, a));
    buf_addc(&text, '/');
    buf_add_span(&text, intern_get(names, b));
    id = intern_put(names, text.p, text.n);
    buf_free(&text);
    return id;
}

/* What tells series of one pod, container and kind apart, so that core may add them up or take the largest. */
static uint32_t slot_of(const struct inventory_build *b, const struct replay_series *s)
{
    uint32_t cpu = replay_role(s, ROLE_CPU);

    switch (s->kind) {
    case SAMPLE_CAPACITY_GPU: case SAMPLE_CAPACITY_GPU_SHARED: case SAMPLE_REQUEST_GPU: case SAMPLE_REQUEST_GPU_SHARED:
        return replay_role(s, ROLE_RESOURCE);
    case SAMPLE_REQUEST_CPU: case SAMPLE_REQUEST_MEMORY:
        return 0;
    case SAMPLE_CPU:
        return join(b->names, replay_role(s, ROLE_SLOT), span_eq(intern_get(b->names, cpu), "total") ? 0 : cpu);
    default:
        return replay_role(s, ROLE_SLOT);
    }
}

static struct draft draft_of(const struct inventory_build *b, const struct replay *replay, const struct replay_series *s, uint32_t pod)
{
    struct draft d = { .replay = replay, .from = s };

    d.series.kind = (enum sample_kind)s->kind;
    d.series.target = inventory_target_of(b, s);
    d.series.device = inventory_device_of(b, s);
    d.series.node = inventory_kind_is_gpu(s->kind) ? NONE : inventory_node_of(b, s);
    d.series.pod = pod;
    d.series.container = s->pod.container;
    d.series.slot = slot_of(b, s);
    return d;
}

static int compare_ids(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_series(const struct series *a, const struct series *b, const struct intern *names)
{
    int c = compare_ids(a->kind, b->kind);

    c = c ? c : compare_ids(a->target, b->target);
    c = c ? c : compare_ids(a->device, b->device);
    c = c ? c : compare_ids(a->node, b->node);
    c = c ? c : compare_ids(a->pod, b->pod);
    c = c ? c : intern_cmp(names, a->container, b->container);
    return c ? c : intern_cmp(names, a->slot, b->slot);
}

static int by_series(const void *a, const void *b, void *names)
{
    return compare_series(&((const struct draft *)a)->series, &((const struct draft *)b)->series, names);
}

static struct sample_source source_of(const struct draft *d, uint32_t series)
{
    const struct replay_series *s = d->from;
    struct sample_source source = { .series = series, .key = s->key };

    if (replay_keeps(s->kind)) {
        source.kept = replay_kept(s);
    } else {
        source.n_blocks = replay_blocks_of(d->replay, s, &source.blocks);
        source.shuffled = s->shuffled;
    }
    return source;
}

/* Numbers of nodes are the outline's, all others the window's. */
static void draft_all(const struct inventory_build *b, struct drafts *drafts)
{
    for (size_t i = 0; i < b->outline->series.n; i++) {
        const struct replay_series *s = &b->outline->series.v[i];

        if (s->kind < SAMPLE_KINDS && outline_keeps(s->kind))
            vec_push(drafts, draft_of(b, b->outline, s, find_pod(b, s)));
    }
    for (size_t i = 0; i < b->replay->series.n; i++)
        if (b->replay->series.v[i].kind < SAMPLE_KINDS)
            vec_push(drafts, draft_of(b, b->replay, &b->replay->series.v[i], b->pod_of[i]));
    if (drafts->n > 0)
        qsort_r(drafts->v, drafts->n, sizeof *drafts->v, by_series, b->names);
}

/* Where Kubernetes says nothing of a pod, its cards still tell where it is. The first in canonical order counts. */
static void place_pod(struct inventory *inv, const struct series *s)
{
    struct pod *pod = s->device != NONE && s->pod != NONE ? &inv->pods.v[s->pod] : NULL;
    uint32_t gpu;

    if (!pod || pod->node.n > 0)
        return;
    gpu = inv->devices.v[s->device].gpu + 1;
    if (pod->on_gpu == 0 || gpu < pod->on_gpu)
        pod->on_gpu = gpu;
}

static void fill_store(struct inventory_build *b, struct sample_store *store)
{
    struct drafts drafts = { 0 };

    draft_all(b, &drafts);
    vec_clear(&store->series);
    vec_clear(&store->sources);
    for (size_t i = 0; i < drafts.n; i++) {
        if (i == 0 || compare_series(&drafts.v[i - 1].series, &drafts.v[i].series, b->names) != 0)
            vec_push(&store->series, drafts.v[i].series);
        vec_push(&store->sources, source_of(&drafts.v[i], (uint32_t)store->series.n - 1));
        place_pod(b->inv, &drafts.v[i].series);
    }
    vec_free(&drafts);
}

int inventory_window(struct inventory_build *b, struct replay *window, struct sample_store *store, struct err *e)
{
    b->replay = window;
    if (inventory_name_window(b, e) < 0)
        return -1;
    make_pods(b);
    inventory_fill_pods(b);
    fill_store(b, store);
    return 0;
}

/* ---- who shows what ---- */

bool inventory_is_placeless(const struct inventory_build *b)
{
    return b->placeless;
}

/* The nodes on which the pod was between two instants. */
static void show_pod(struct inventory_build *b, struct metric_shown x, uint32_t pod, time_ms from, time_ms to)
{
    const struct steps *nodes = &b->inv->pods.v[pod].node;

    for (time_ms t = from; t <= to; t = steps_next(nodes, t)) {
        x.node = steps_at(nodes, t, NONE);
        if (x.node != NONE)
            inventory_show(b, &x);
    }
}

void inventory_show_pods(struct inventory_build *b)
{
    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];
        uint32_t pod = find_pod(b, s);
        struct metric_shown x = { (uint32_t)s->kind, true, inventory_target_of(b, s), NONE, NONE };
        const struct steps *alias;

        if (s->kind >= SAMPLE_KINDS || inventory_kind_is_gpu(s->kind) || pod == NONE || inventory_node_of(b, s) != NONE)
            continue;
        show_pod(b, x, pod, s->first, s->last);
        alias = &b->inv->pods.v[pod].alias;
        for (time_ms t = s->first; t <= s->last; t = steps_next(alias, t))
            if (steps_at(alias, t, NONE) != NONE)
                show_pod(b, x, steps_at(alias, t, NONE), s->first, s->last);
    }
    inventory_sort_shown(b->inv);
}
