/* inventory_gpu: in which node a GPU is, and what else its series tell of it.
 *
 * Exporters name the node in five ways, none of which is always right. They are tried from the
 * surest to the weakest; a name that neither Kubernetes nor --nodes knows is believed only when no series of the GPU leads to a known
 * node. A card's UUID may turn up in another machine later, so the node is a history like any other. */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>
#include <string.h>

/* Node names by something else than the name, over time: internal address, or the exporter's pod. */
struct directory {
    struct tuples keys;
    struct steps *names;           /* by key: node name ids */
};

struct directories {
    struct directory by_address;   /* cluster, address */
    struct directory by_pod;       /* cluster, namespace, pod */
};

static bool key_of_address(const struct scrape_series *s, uint32_t *key)
{
    memcpy(key, (uint32_t[]){ s->cluster, scrape_role(s, ROLE_INTERNAL_IP) }, 2 * sizeof *key);
    return s->kind == RECORD_NODE_INFO && key[1] && scrape_role(s, ROLE_NODE);
}

static bool key_of_pod(const struct scrape_series *s, uint32_t *key)
{
    memcpy(key, (uint32_t[]){ s->cluster, s->pod.namespace_name, s->pod.name }, 3 * sizeof *key);
    return s->kind == RECORD_POD_INFO && scrape_role(s, ROLE_NODE);
}

static void fill_directory(struct inventory_build *b, struct directory *d, uint32_t width,
                           bool (*key_of)(const struct scrape_series *s, uint32_t *key))
{
    struct history h = { 0 };
    uint32_t key[TUPLES_WIDTH];

    tuples_init(&d->keys, b->names, width);
    for (size_t i = 0; i < b->scrape->series.n; i++)
        if (key_of(&b->scrape->series.v[i], key))
            tuples_add(&d->keys, key);
    tuples_sort(&d->keys);
    d->names = xcalloc(d->keys.n + 1u, sizeof *d->names);
    for (size_t i = 0; i < b->scrape->series.n; i++) {
        const struct scrape_series *s = &b->scrape->series.v[i];
        struct history_record r = inventory_record(s);

        if (!key_of(s, key))
            continue;
        r.key = tuples_find(&d->keys, key);
        r.on = scrape_role(s, ROLE_NODE);
        history_add(&h, r);
    }
    history_build(&h, d->names, sizeof *d->names, 0);
    history_free(&h);
}

static void free_directory(struct directory *d)
{
    for (uint32_t i = 0; i < d->keys.n; i++)
        free(d->names[i].v);
    free(d->names);
    tuples_free(&d->keys);
}

/* The node name at t; before the first record, the first one. 0: none. */
static uint32_t look_up(const struct directory *d, const uint32_t *key, time_ms t)
{
    uint32_t at = tuples_find(&d->keys, key);

    return at == NONE || d->names[at].n == 0 ? 0 : steps_at(&d->names[at], t, d->names[at].v[0].value);
}

static bool is_known(const struct inventory_build *b, uint32_t cluster, uint32_t name)
{
    uint32_t key[] = { cluster, name };

    return name && (tuples_find(&b->known_nodes, key) != NONE || tuples_find(&b->filed_nodes, &name) != NONE);
}

/* 10.0.1.5:9400 and [fd00::5]:9400 without the port; a name or address without one stays. */
static struct span host_of(struct span instance)
{
    const char *colon = memrchr(instance.p, ':', instance.n);

    if (instance.n > 0 && instance.p[0] == '[') {
        const char *close = memchr(instance.p, ']', instance.n);

        return close ? (struct span){ instance.p + 1, (size_t)(close - instance.p - 1) } : instance;
    }
    if (colon && memchr(instance.p, ':', (size_t)(colon - instance.p)))
        return instance;                               /* a bare IPv6 address */
    return colon ? (struct span){ instance.p, (size_t)(colon - instance.p) } : instance;
}

static uint32_t node_by_instance(const struct inventory_build *b, const struct directories *d, const struct scrape_series *s)
{
    struct span host = host_of(intern_get(b->names, scrape_role(s, ROLE_INSTANCE)));
    uint32_t name = intern_find(b->names, host.p, host.n);
    uint32_t address[] = { s->cluster, name };

    return is_known(b, s->cluster, name) ? name : look_up(&d->by_address, address, s->first);
}

static struct gpu_place place_of(const struct inventory_build *b, const struct directories *d, const struct scrape_series *s)
{
    uint32_t named = scrape_role(s, ROLE_NODE), host = scrape_role(s, ROLE_HOSTNAME), found;
    uint32_t exporter[] = { s->cluster, s->exporter.namespace_name, s->exporter.name };

    if (is_known(b, s->cluster, named))
        return (struct gpu_place){ named, true };
    if (is_known(b, s->cluster, host))
        return (struct gpu_place){ host, true };
    if ((found = node_by_instance(b, d, s)) != 0 || (exporter[2] && (found = look_up(&d->by_pod, exporter, s->first)) != 0))
        return (struct gpu_place){ found, true };
    if (named)
        return (struct gpu_place){ named, false };
    if (span_eq(intern_get(b->names, host), "localhost"))
        host = 0;
    return (struct gpu_place){ host, false };
}

/* Forgets guesses about GPUs of which another series leads to a known node: an exporter pod's name is no node of its own. */
static void drop_guesses(struct inventory_build *b)
{
    struct intern *known = intern_new();

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < b->scrape->series.n; i++) {
            const struct scrape_series *s = &b->scrape->series.v[i];
            uint32_t gpu[] = { s->cluster, scrape_role(s, ROLE_UUID) };

            if (pass == 0 && b->places[i].known)
                intern_put(known, gpu, sizeof gpu);
            else if (pass == 1 && !b->places[i].known && intern_find(known, gpu, sizeof gpu))
                b->places[i].node = 0;
        }
    }
    intern_free(known);
}

void inventory_place_gpus(struct inventory_build *b)
{
    struct directories d = { 0 };

    fill_directory(b, &d.by_address, 2, key_of_address);
    fill_directory(b, &d.by_pod, 3, key_of_pod);
    for (size_t i = 0; i < b->scrape->series.n; i++)
        if (inventory_kind_is_gpu(b->scrape->series.v[i].kind))
            b->places[i] = place_of(b, &d, &b->scrape->series.v[i]);
    drop_guesses(b);
    free_directory(&d.by_address);
    free_directory(&d.by_pod);
}

/* Only DCGM names models and profiles; of several names the first in canonical order is taken. */
static void describe(struct inventory_build *b, const struct scrape_series *s, uint32_t at)
{
    struct gpu *gpu = &b->inv->gpus.v[at];
    uint32_t key[] = { s->cluster, scrape_role(s, ROLE_UUID), scrape_role(s, ROLE_GPU_INSTANCE) };
    struct device *device = &b->inv->devices.v[tuples_find(&b->devices, key)];

    if (gpu->model == 0)
        gpu->model = scrape_role(s, ROLE_MODEL);
    if (device->profile == 0)
        device->profile = scrape_role(s, ROLE_PROFILE);
    if (s->first < gpu->first_ms)
        gpu->first_ms = s->first;
    if (s->last > gpu->last_ms)
        gpu->last_ms = s->last;
}

/* Which GPUs more than one node is named for: only their histories need more than the beginning of each series. */
static bool *find_movers(const struct inventory_build *b)
{
    uint32_t *node = xcalloc(b->inv->gpus.n + 1, sizeof *node);
    bool *moves = xcalloc(b->inv->gpus.n + 1, sizeof *moves);

    for (size_t i = 0; i < b->scrape->series.n; i++) {
        uint32_t gpu = inventory_gpu_of(b, &b->scrape->series.v[i]), place = b->places[i].node;

        if (gpu == NONE || !place)
            continue;
        moves[gpu] |= node[gpu] && node[gpu] != place;
        node[gpu] = place;
    }
    free(node);
    return moves;
}

/* A series' record of where its GPU is. Samples of GPUs are in blocks: those that matter come back for as long as histories are built. */
static int add_place(struct inventory_build *b, const struct scrape_series *s, uint32_t gpu, uint32_t node, struct buf *packed,
                     struct history *h, struct err *e)
{
    struct history_record r = { .key = gpu, .on = node, .off = node, .first = s->first, .first_on = s->first_on };
    struct samples samples = { 0 };
    int rc = packed ? scrape_samples(b->scrape, s, &samples, e) : 0;

    if (rc == 0 && samples.n > 0)
        sample_pack_add(packed, samples.v, samples.n);
    r.packed = packed;
    history_add(h, r);
    vec_free(&samples);
    return rc;
}

static int read_places(struct inventory_build *b, struct buf *packed, struct history *h, struct err *e)
{
    bool *moves = find_movers(b);
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < b->scrape->series.n; i++) {
        const struct scrape_series *s = &b->scrape->series.v[i];
        uint32_t gpu = inventory_gpu_of(b, s), node[] = { s->cluster, b->places[i].node };

        if (gpu == NONE)
            continue;
        describe(b, s, gpu);
        if (node[1])
            rc = add_place(b, s, gpu, tuples_find(&b->nodes, node), moves[gpu] ? &packed[i] : NULL, h, e);
    }
    free(moves);
    return rc;
}

int inventory_fill_gpus(struct inventory_build *b, struct err *e)
{
    struct buf *packed = xcalloc(b->scrape->series.n + 1, sizeof *packed);
    struct history h = { 0 };
    int rc = read_places(b, packed, &h, e);

    if (rc == 0 && b->inv->gpus.n > 0)
        history_build(&h, &b->inv->gpus.v[0].node, sizeof *b->inv->gpus.v, 0);
    for (size_t i = 0; rc == 0 && i < b->inv->gpus.n; i++) {       /* a series that names no node may have begun earlier */
        struct gpu *gpu = &b->inv->gpus.v[i];

        if (gpu->node.n > 0)
            gpu->node.v[0].from = gpu->first_ms;
    }
    for (size_t i = 0; i < b->scrape->series.n; i++)
        buf_free(&packed[i]);
    free(packed);
    history_free(&h);
    blocks_rest(b->scrape->blocks);
    return rc;
}
