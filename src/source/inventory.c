/* inventory (source): from series with names to things with numbers.
 *
 * In this order: GPUs are placed in nodes by name; every name is registered and all are sorted, which gives each thing its number whatever
 * the order of arrival; then the parts fill nodes, namespaces and GPUs (inventory_kube, inventory_gpu). All of it comes out of an outline.
 *
 * Not here: pods and series of numbers, which are a window's (source/inventory_window); any judgement of memory, such as copies against
 * measured values: that is core/residency's. */
#include "gputab/source/inventory.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/source/inventory_build.h"
#include "gputab/source/outline.h"

bool inventory_kind_is_gpu(int kind)
{
    return kind <= SAMPLE_PROCESS_USED;
}

bool inventory_kind_is_kube(int kind)
{
    return replay_keeps(kind) && kind != RECORD_GPU_INFO;
}

struct history_record inventory_record(const struct replay_series *s)
{
    return (struct history_record){ .off = HISTORY_SILENT, .first = s->first, .first_on = s->first_on, .packed = replay_kept(s) };
}

struct samples *inventory_samples(const struct replay_series *s, struct samples *scratch)
{
    struct span at = replay_kept(s);

    vec_clear(scratch);
    while (at.n > 0 && sample_pack_read(&at, scratch))      /* they never left memory: they can be read */
        ;
    return scratch;
}

uint32_t inventory_node_of(const struct inventory_build *b, const struct replay_series *s)
{
    uint32_t key[] = { s->cluster, replay_role(s, ROLE_NODE) };

    return key[1] ? tuples_find(&b->nodes, key) : NONE;
}

uint32_t inventory_gpu_of(const struct inventory_build *b, const struct replay_series *s)
{
    uint32_t key[] = { s->cluster, replay_role(s, ROLE_UUID) };

    return inventory_kind_is_gpu(s->kind) || s->kind == RECORD_GPU_INFO ? tuples_find(&b->gpus, key) : NONE;
}

uint32_t inventory_device_of(const struct inventory_build *b, const struct replay_series *s)
{
    uint32_t key[] = { s->cluster, replay_role(s, ROLE_UUID), replay_role(s, ROLE_GPU_INSTANCE) };

    return inventory_kind_is_gpu(s->kind) ? tuples_find(&b->devices, key) : NONE;
}

uint32_t inventory_target_of(const struct inventory_build *b, const struct replay_series *s)
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
    free(b->pod_of);
    buf_free(&b->text);
    tuples_free(&b->namespaces);
}

static void register_known_nodes(struct inventory_build *b)
{
    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];
        uint32_t key[] = { s->cluster, replay_role(s, ROLE_NODE) };

        if (key[1] && inventory_kind_is_kube(s->kind))
            tuples_add(&b->known_nodes, key);
    }
    for (size_t i = 0; b->node_file && i < b->node_file->entries.n; i++)
        tuples_add(&b->filed_nodes, &b->node_file->entries.v[i].node);
    tuples_sort(&b->known_nodes);
    tuples_sort(&b->filed_nodes);
}

/* Every name that one series speaks of. The whole GPU is a device even where only its instances have series. */
static void register_series(struct inventory_build *b, const struct replay_series *s, struct gpu_place place)
{
    uint32_t node = inventory_kind_is_gpu(s->kind) ? place.node : replay_role(s, ROLE_NODE);
    uint32_t gpu[] = { s->cluster, replay_role(s, ROLE_UUID), replay_role(s, ROLE_GPU_INSTANCE) };

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
    if (s->kind == RECORD_NAMESPACE_LABELS || s->kind == RECORD_NAMESPACE_ANNOTATIONS)
        tuples_add(&b->namespaces, (uint32_t[]){ s->cluster, s->pod.namespace_name });
}

static uint32_t count_clusters(const struct inventory_build *b)
{
    struct tuples clusters;
    uint32_t n;

    tuples_init(&clusters, b->names, 1);
    for (size_t i = 0; i < b->replay->series.n; i++)
        tuples_add(&clusters, &b->replay->series.v[i].cluster);
    tuples_sort(&clusters);
    n = clusters.n;
    tuples_free(&clusters);
    return n;
}

/* A node that only --nodes knows is in the only cluster there is; among several nobody says in which. */
static void register_filed_nodes(struct inventory_build *b)
{
    uint32_t cluster = b->replay->series.n > 0 ? b->replay->series.v[0].cluster : 0;

    if (b->inv->clusters > 1)
        return;
    for (size_t i = 0; b->node_file && i < b->node_file->entries.n; i++)
        tuples_add(&b->nodes, (uint32_t[]){ cluster, b->node_file->entries.v[i].node });
}

static void register_all(struct inventory_build *b)
{
    for (size_t i = 0; i < b->replay->series.n; i++)
        register_series(b, &b->replay->series.v[i], b->places[i]);
    b->inv->clusters = count_clusters(b);
    register_filed_nodes(b);
    tuples_sort(&b->targets);
    tuples_sort(&b->nodes);
    tuples_sort(&b->gpus);
    tuples_sort(&b->devices);
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
    for (uint32_t i = 0; i < b->namespaces.n; i++) {
        tuples_get(&b->namespaces, i, id);
        vec_push(&inv->namespaces, (struct namespace){ .cluster = id[0], .name = id[1] });
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

/* ---- who shows what ---- */

static void mark_node(struct node *n, int kind)
{
    n->has_gpu_request |= kind == SAMPLE_REQUEST_GPU || kind == SAMPLE_REQUEST_GPU_SHARED;
    n->has_cpu_request |= kind == SAMPLE_REQUEST_CPU;
    n->has_memory_request |= kind == SAMPLE_REQUEST_MEMORY;
    n->has_cpu_usage |= kind == SAMPLE_CPU;
    n->has_memory_usage |= kind == SAMPLE_MEMORY;
}

static int compare_shown(const void *pa, const void *pb)
{
    return memcmp(pa, pb, sizeof(struct metric_shown));
}

void inventory_show(struct inventory_build *b, const struct metric_shown *x)
{
    if (x->node != NONE)
        mark_node(&b->inv->nodes.v[x->node], (int)x->kind);
    if (b->inv->shown.n == 0 || compare_shown(&b->inv->shown.v[b->inv->shown.n - 1], x) != 0)
        vec_push(&b->inv->shown, *x);
}

void inventory_sort_shown(struct inventory *inv)
{
    size_t kept = 0;

    if (inv->shown.n > 0)
        qsort(inv->shown.v, inv->shown.n, sizeof *inv->shown.v, compare_shown);
    for (size_t i = 0; i < inv->shown.n; i++)
        if (kept == 0 || compare_shown(&inv->shown.v[kept - 1], &inv->shown.v[i]) != 0)
            inv->shown.v[kept++] = inv->shown.v[i];
    inv->shown.n = kept;
}

/* Of pods' series without a node the pods' nodes tell, window by window. */
static void show_all(struct inventory_build *b)
{
    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];
        bool gpu = inventory_kind_is_gpu(s->kind);
        struct metric_shown x = { (uint32_t)s->kind, s->names_pod, inventory_target_of(b, s), inventory_device_of(b, s), NONE };

        if (s->kind >= SAMPLE_KINDS || outline_keeps(s->kind))
            continue;
        if (!gpu)
            x.node = inventory_node_of(b, s);
        if (gpu || x.node != NONE)
            inventory_show(b, &x);
        else
            b->placeless = true;
    }
    inventory_sort_shown(b->inv);
}

static int build(struct inventory_build *b, struct err *e)
{
    register_known_nodes(b);
    if (inventory_place_gpus(b, e) < 0 || inventory_name_gpus(b, e) < 0)
        return -1;
    register_all(b);
    make_things(b);
    if (inventory_fill_nodes(b, e) < 0)
        return -1;
    inventory_fill_namespaces(b);
    if (inventory_fill_gpus(b, e) < 0)
        return -1;
    show_all(b);
    return 0;
}

int inventory_open(struct inventory_build **out, struct replay *outline, struct inventory *inv, struct err *e)
{
    struct inventory_build *b = xcalloc(1, sizeof *b);
    int rc;

    b->scrape = outline->scrape;
    b->outline = b->replay = outline;
    b->inv = inv;
    b->names = inv->names;
    b->node_file = b->scrape->req->nodes;
    b->places = xcalloc(outline->series.n + 1, sizeof *b->places);
    init_tuples(b);
    rc = build(b, e);
    free(b->places);
    b->places = NULL;
    if (rc == 0 && inv->gpus.n == 0)
        warn_without_gpus(b);
    *out = b;
    return rc;
}

void inventory_close(struct inventory_build *b)
{
    if (!b)
        return;
    free_tuples(b);
    inventory_free_cards(b);
    free(b);
}
