/* inventory (source): from series with names to things with numbers.
 *
 * In this order: GPUs are placed in nodes by name; every name is registered and all are sorted, which gives each thing its number whatever
 * the order of arrival; then the parts fill nodes, namespaces, pods and GPUs (inventory_kube, inventory_pods, inventory_gpu); last, series
 * of numbers are laid out, and those that turn out to be one are merged.
 *
 * Not here: any judgement of memory, such as copies against measured values: that is core/residency's. */
#include "gputab/source/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/source/inventory_build.h"
#include "gputab/source/scrape_batch.h"

bool inventory_kind_is_gpu(int kind)
{
    return kind <= SAMPLE_PROCESS_USED;
}

bool inventory_kind_is_kube(int kind)
{
    return scrape_keeps(kind) && kind != RECORD_GPU_INFO;
}

struct history_record inventory_record(const struct scrape_series *s)
{
    return (struct history_record){ .off = HISTORY_SILENT, .first = s->first, .first_on = s->first_on, .packed = &s->kept };
}

struct samples *inventory_samples(const struct scrape_series *s, struct samples *scratch)
{
    struct span at = buf_span(&s->kept);

    vec_clear(scratch);
    while (at.n > 0 && sample_pack_read(&at, scratch))      /* they never left memory: they can be read */
        ;
    return scratch;
}

uint32_t inventory_pod_of(const struct inventory_build *b, const struct scrape_series *s)
{
    uint32_t key[] = { s->cluster, s->pod.namespace_name, s->pod.name, s->pod.uid };

    return s->pod.name ? tuples_find(&b->pods, key) : NONE;
}

uint32_t inventory_node_of(const struct inventory_build *b, const struct scrape_series *s)
{
    uint32_t key[] = { s->cluster, scrape_role(s, ROLE_NODE) };

    return key[1] ? tuples_find(&b->nodes, key) : NONE;
}

uint32_t inventory_gpu_of(const struct inventory_build *b, const struct scrape_series *s)
{
    uint32_t key[] = { s->cluster, scrape_role(s, ROLE_UUID) };

    return inventory_kind_is_gpu(s->kind) || s->kind == RECORD_GPU_INFO ? tuples_find(&b->gpus, key) : NONE;
}

static uint32_t device_of(const struct inventory_build *b, const struct scrape_series *s)
{
    uint32_t key[] = { s->cluster, scrape_role(s, ROLE_UUID), scrape_role(s, ROLE_GPU_INSTANCE) };

    return inventory_kind_is_gpu(s->kind) ? tuples_find(&b->devices, key) : NONE;
}

static uint32_t target_of(const struct inventory_build *b, const struct scrape_series *s)
{
    const struct scrape_target *t = &b->scrape->targets.v[s->target];
    uint32_t key[] = { t->cluster, t->text };

    return tuples_find(&b->targets, key);
}

static void init_tuples(struct inventory_build *b)
{
    tuples_init(&b->known_nodes, b->names, 2);
    tuples_init(&b->filed_nodes, b->names, 1);
    tuples_init(&b->exporters, b->names, 3);
    tuples_init(&b->targets, b->names, 2);
    tuples_init(&b->nodes, b->names, 2);
    tuples_init(&b->gpus, b->names, 2);
    tuples_init(&b->devices, b->names, 3);
    tuples_init(&b->pods, b->names, 4);
    tuples_init(&b->namespaces, b->names, 2);
}

static void free_tuples(struct inventory_build *b)
{
    tuples_free(&b->known_nodes);
    tuples_free(&b->filed_nodes);
    tuples_free(&b->exporters);
    tuples_free(&b->targets);
    tuples_free(&b->nodes);
    tuples_free(&b->gpus);
    tuples_free(&b->devices);
    tuples_free(&b->pods);
    tuples_free(&b->namespaces);
}

static void register_known_nodes(struct inventory_build *b)
{
    for (size_t i = 0; i < b->scrape->series.n; i++) {
        const struct scrape_series *s = &b->scrape->series.v[i];
        uint32_t key[] = { s->cluster, scrape_role(s, ROLE_NODE) };

        if (key[1] && inventory_kind_is_kube(s->kind))
            tuples_add(&b->known_nodes, key);
    }
    for (size_t i = 0; b->node_file && i < b->node_file->entries.n; i++)
        tuples_add(&b->filed_nodes, &b->node_file->entries.v[i].node);
    tuples_sort(&b->known_nodes);
    tuples_sort(&b->filed_nodes);
}

/* Every name that one series speaks of. The whole GPU is a device even where only its instances have series. */
static void register_series(struct inventory_build *b, const struct scrape_series *s, struct gpu_place place)
{
    uint32_t node = inventory_kind_is_gpu(s->kind) ? place.node : scrape_role(s, ROLE_NODE);
    uint32_t gpu[] = { s->cluster, scrape_role(s, ROLE_UUID), scrape_role(s, ROLE_GPU_INSTANCE) };

    if (s->kind == RECORD_GPU_INFO)
        return;
    tuples_add(&b->targets, (uint32_t[]){ s->cluster, b->scrape->targets.v[s->target].text });
    if (node)
        tuples_add(&b->nodes, (uint32_t[]){ s->cluster, node });
    if (inventory_kind_is_gpu(s->kind)) {
        tuples_add(&b->gpus, gpu);
        tuples_add(&b->devices, gpu);
        tuples_add(&b->devices, (uint32_t[]){ gpu[0], gpu[1], 0 });
    }
    if (s->pod.name)
        tuples_add(&b->pods, (uint32_t[]){ s->cluster, s->pod.namespace_name, s->pod.name, s->pod.uid });
    if (s->kind == RECORD_NAMESPACE_LABELS)
        tuples_add(&b->namespaces, (uint32_t[]){ s->cluster, s->pod.namespace_name });
}

static uint32_t count_clusters(const struct inventory_build *b)
{
    struct tuples clusters;
    uint32_t n;

    tuples_init(&clusters, b->names, 1);
    for (size_t i = 0; i < b->scrape->series.n; i++)
        tuples_add(&clusters, &b->scrape->series.v[i].cluster);
    tuples_sort(&clusters);
    n = clusters.n;
    tuples_free(&clusters);
    return n;
}

/* A node that only --nodes knows is in the only cluster there is; among several nobody says in which. */
static void register_filed_nodes(struct inventory_build *b)
{
    uint32_t cluster = b->scrape->series.n > 0 ? b->scrape->series.v[0].cluster : 0;

    if (b->inv->clusters > 1)
        return;
    for (size_t i = 0; b->node_file && i < b->node_file->entries.n; i++)
        tuples_add(&b->nodes, (uint32_t[]){ cluster, b->node_file->entries.v[i].node });
}

static void register_all(struct inventory_build *b)
{
    for (size_t i = 0; i < b->scrape->series.n; i++)
        register_series(b, &b->scrape->series.v[i], b->places[i]);
    b->inv->clusters = count_clusters(b);
    register_filed_nodes(b);
    tuples_sort(&b->targets);
    tuples_sort(&b->nodes);
    tuples_sort(&b->gpus);
    tuples_sort(&b->devices);
    tuples_sort(&b->pods);
    tuples_sort(&b->namespaces);
}

static void make_things(struct inventory_build *b)
{
    struct inventory *inv = b->inv;
    uint32_t id[TUPLES_WIDTH];

    for (uint32_t i = 0; i < b->targets.n; i++) {
        tuples_get(&b->targets, i, id);
        vec_push(&inv->targets, (struct target){ .cluster = id[0], .text = id[1] });
    }
    for (uint32_t i = 0; i < b->nodes.n; i++) {
        tuples_get(&b->nodes, i, id);
        vec_push(&inv->nodes, (struct node){ .cluster = id[0], .name = id[1] });
    }
    for (uint32_t i = 0; i < b->gpus.n; i++) {
        tuples_get(&b->gpus, i, id);
        vec_push(&inv->gpus, (struct gpu){ .cluster = id[0], .uuid = id[1], .first_ms = TIME_MAX, .last_ms = TIME_MIN });
    }
    for (uint32_t i = 0; i < b->devices.n; i++) {
        tuples_get(&b->devices, i, id);
        vec_push(&inv->devices, (struct device){ .gpu = tuples_find(&b->gpus, id), .gi = id[2] });
    }
    for (uint32_t i = 0; i < b->pods.n; i++) {
        tuples_get(&b->pods, i, id);
        vec_push(&inv->pods, (struct pod){ .cluster = id[0], .namespace_name = id[1], .name = id[2], .uid = id[3] });
    }
    for (uint32_t i = 0; i < b->namespaces.n; i++) {
        tuples_get(&b->namespaces, i, id);
        vec_push(&inv->namespaces, (struct namespace){ .cluster = id[0], .name = id[1] });
    }
}

/* A series of numbers on its way to the store. */
struct draft {
    struct series series;
    struct scrape_series *from;
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
static uint32_t slot_of(const struct inventory_build *b, const struct scrape_series *s)
{
    uint32_t cpu = scrape_role(s, ROLE_CPU);

    switch (s->kind) {
    case SAMPLE_CAPACITY_GPU: case SAMPLE_CAPACITY_GPU_SHARED: case SAMPLE_REQUEST_GPU: case SAMPLE_REQUEST_GPU_SHARED:
        return scrape_role(s, ROLE_RESOURCE);
    case SAMPLE_REQUEST_CPU: case SAMPLE_REQUEST_MEMORY:
        return 0;
    case SAMPLE_CPU:
        return join(b->names, scrape_role(s, ROLE_SLOT), span_eq(intern_get(b->names, cpu), "total") ? 0 : cpu);
    default:
        return scrape_role(s, ROLE_SLOT);
    }
}

static struct draft draft_of(const struct inventory_build *b, struct scrape_series *s)
{
    struct draft d = { .from = s };

    d.series.kind = (enum sample_kind)s->kind;
    d.series.target = target_of(b, s);
    d.series.device = device_of(b, s);
    d.series.node = inventory_kind_is_gpu(s->kind) ? NONE : inventory_node_of(b, s);
    d.series.pod = inventory_pod_of(b, s);
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

static struct sample_source take_samples(struct scrape_series *s, uint32_t series)
{
    struct sample_source source = { .series = series, .number = s->number, .shuffled = s->shuffled && !scrape_keeps(s->kind),
                                    .first = s->first, .last = s->last, .kept = s->kept };

    s->kept = (struct buf){ 0 };
    return source;
}

static void store_series(struct inventory_build *b, struct sample_store *store)
{
    VEC(struct draft) drafts = { 0 };

    for (size_t i = 0; i < b->scrape->series.n; i++)
        if (b->scrape->series.v[i].kind < SAMPLE_KINDS)
            vec_push(&drafts, draft_of(b, &b->scrape->series.v[i]));
    if (drafts.n > 0)
        qsort_r(drafts.v, drafts.n, sizeof *drafts.v, by_series, b->names);
    for (size_t i = 0; i < drafts.n; i++) {
        if (i == 0 || compare_series(&drafts.v[i - 1].series, &drafts.v[i].series, b->names) != 0)
            vec_push(&store->series, drafts.v[i].series);
        vec_push(&store->sources, take_samples(drafts.v[i].from, (uint32_t)store->series.n - 1));
    }
    store->blocks = b->scrape->blocks;
    b->scrape->blocks = NULL;
    vec_free(&drafts);
}

static void mark_node(struct node *n, enum sample_kind kind)
{
    n->has_gpu_request |= kind == SAMPLE_REQUEST_GPU || kind == SAMPLE_REQUEST_GPU_SHARED;
    n->has_cpu_request |= kind == SAMPLE_REQUEST_CPU;
    n->has_memory_request |= kind == SAMPLE_REQUEST_MEMORY;
    n->has_cpu_usage |= kind == SAMPLE_CPU;
    n->has_memory_usage |= kind == SAMPLE_MEMORY;
}

/* Marks the nodes on which the pod was between two instants. */
static void mark_pod_nodes(struct inventory *inv, uint32_t pod, enum sample_kind kind, time_ms from, time_ms to)
{
    const struct steps *nodes = &inv->pods.v[pod].node;

    for (time_ms t = from; t <= to; t = steps_next(nodes, t)) {
        uint32_t node = steps_at(nodes, t, NONE);

        if (node != NONE)
            mark_node(&inv->nodes.v[node], kind);
    }
}

/* Which kinds of numbers each node has of its pods. */
static void mark_nodes(struct inventory *inv, const struct sample_store *store)
{
    for (size_t i = 0; i < store->sources.n; i++) {
        const struct series *s = &store->series.v[store->sources.v[i].series];
        time_ms from = store->sources.v[i].first, to = store->sources.v[i].last;

        if (s->node != NONE)
            mark_node(&inv->nodes.v[s->node], s->kind);
        if (s->node != NONE || s->device != NONE || s->pod == NONE)
            continue;
        mark_pod_nodes(inv, s->pod, s->kind, from, to);
        for (time_ms t = from; t <= to; t = steps_next(&inv->pods.v[s->pod].alias, t)) {
            uint32_t pod = steps_at(&inv->pods.v[s->pod].alias, t, NONE);

            if (pod != NONE)
                mark_pod_nodes(inv, pod, s->kind, from, to);
        }
    }
}

/* Other samples than the period's: a file of another month, or another period than meant. */
static void hint_at_time(struct timespan beyond, struct diag *diag)
{
    struct buf text = { 0 };

    if (beyond.from > beyond.to)
        return;
    time_add_text(&text, beyond.from);
    buf_adds(&text, " to ");
    time_add_text(&text, beyond.to);
    diag_hint(diag, "W113", "there are samples of %s: give another period or other metrics", buf_str(&text));
    buf_free(&text);
}

/* Nothing to divide: what was looked for, and whether something that looks like it was there. */
static void warn_without_gpus(const struct inventory_build *b)
{
    const struct scrape *s = b->scrape;
    struct diag *diag = s->req->diag;
    struct buf text = { 0 };
    bool any = false;

    for (size_t i = 0; i < s->n_families; i++)
        any |= s->seen[i] && inventory_kind_is_gpu(s->family[i]->kind) && !s->family[i]->only.label;   /* those may be another's */
    if (any) {
        time_add_text(&text, s->keep.from);
        buf_adds(&text, " and ");
        time_add_text(&text, s->keep.to);
        diag_add(diag, "W113", "no GPU memory samples between %s", buf_str(&text));
    } else {
        scrape_add_memory_families(s, &text);
        diag_add(diag, "W113", "no GPU memory series; looked for %s", buf_str(&text));
    }
    for (size_t i = 0; i < s->n_families; i++)
        if (s->seen[i] && s->family[i]->kind == FAMILY_REFUSED)
            diag_hint(diag, "W113", "%s is not GPU memory: it is %s", s->family[i]->name, s->family[i]->why);
    hint_at_time(s->beyond, diag);
    buf_free(&text);
}

static int build(struct inventory_build *b, struct sample_store *store, struct err *e)
{
    register_known_nodes(b);
    if (inventory_place_gpus(b, e) < 0 || inventory_name_gpus(b, e) < 0)
        return -1;
    register_all(b);
    make_things(b);
    if (inventory_fill_nodes(b, e) < 0)
        return -1;
    inventory_fill_namespaces(b);
    inventory_fill_pods(b);
    if (inventory_fill_gpus(b, e) < 0)
        return -1;
    if (b->inv->gpus.n == 0)
        warn_without_gpus(b);
    store_series(b, store);
    mark_nodes(b->inv, store);
    return 0;
}

int inventory_build(struct scrape *s, struct inventory *inv, struct sample_store *store, struct err *e)
{
    struct inventory_build b = { .scrape = s, .inv = inv, .names = inv->names, .node_file = s->req->nodes };
    int rc;

    b.places = xcalloc(s->series.n + 1, sizeof *b.places);
    init_tuples(&b);
    rc = build(&b, store, e);
    free_tuples(&b);
    free(b.places);
    return rc;
}
