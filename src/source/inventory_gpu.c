/* inventory_gpu: in which node a GPU is, and what else its series tell of it.
 *
 * Exporters name the node in six ways, none of which is always right. They are tried from the surest to the weakest; a name that neither
 * Kubernetes nor --nodes knows is believed only when no series of the GPU leads to a known node. A card's UUID may turn up in another
 * machine later, so the node is a history like any other. */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>
#include <string.h>

/* Node names by something else than the name. */
struct directories {
    struct directory by_address;   /* cluster, address */
    struct directory by_pod;       /* cluster, namespace, pod */
    struct directory by_machine;   /* cluster, provider's resource id */
};

static bool entry_of_address(const struct inventory_build *b, size_t i, uint32_t *key, uint32_t *value)
{
    const struct replay_series *s = &b->replay->series.v[i];

    memcpy(key, (uint32_t[]){ s->cluster, replay_role(s, ROLE_INTERNAL_IP) }, 2 * sizeof *key);
    *value = replay_role(s, ROLE_NODE);
    return s->kind == RECORD_NODE_INFO && key[1] && *value;
}

static bool entry_of_pod(const struct inventory_build *b, size_t i, uint32_t *key, uint32_t *value)
{
    const struct replay_series *s = &b->replay->series.v[i];

    memcpy(key, (uint32_t[]){ s->cluster, s->pod.namespace_name, s->pod.name }, 3 * sizeof *key);
    *value = replay_role(s, ROLE_NODE);
    return s->kind == RECORD_POD_INFO && *value && tuples_find(&b->exporters, key) != NONE;
}

static bool entry_of_machine(const struct inventory_build *b, size_t i, uint32_t *key, uint32_t *value)
{
    const struct replay_series *s = &b->replay->series.v[i];

    *value = replay_role(s, ROLE_NODE);
    if (s->kind != RECORD_NODE_INFO || !replay_role(s, ROLE_PROVIDER_ID))
        return false;
    memcpy(key, (uint32_t[]){ s->cluster, inventory_normal_id(b->names, replay_role(s, ROLE_PROVIDER_ID)) }, 2 * sizeof *key);
    return key[1] && *value;
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

static uint32_t node_by_host(const struct inventory_build *b, const struct directories *d, const struct replay_series *s, struct span host)
{
    uint32_t name = intern_find(b->names, host.p, host.n), address[] = { s->cluster, name };

    return is_known(b, s->cluster, name) ? name : directory_look_up(&d->by_address, address, s->first);
}

static uint32_t node_by_exporter(const struct inventory_build *b, const struct directories *d, const struct replay_series *s)
{
    uint32_t exporter[] = { s->cluster, s->exporter.namespace_name, s->exporter.name };
    uint32_t found = node_by_host(b, d, s, host_of(intern_get(b->names, replay_role(s, ROLE_INSTANCE))));

    return found || !exporter[2] ? found : directory_look_up(&d->by_pod, exporter, s->first);
}

static uint32_t node_by_machine(const struct inventory_build *b, const struct directories *d, const struct replay_series *s)
{
    uint32_t id = replay_role(s, ROLE_MACHINE), machine[] = { s->cluster, id ? inventory_normal_id(b->names, id) : 0 };

    return machine[1] ? directory_look_up(&d->by_machine, machine, s->first) : 0;
}

/* A machine that no node is known to be is a node of its own. */
static struct gpu_place place_of(const struct inventory_build *b, const struct directories *d, const struct replay_series *s)
{
    uint32_t named = replay_role(s, ROLE_NODE), host = replay_role(s, ROLE_HOSTNAME), found;

    if ((found = node_by_machine(b, d, s)) != 0)
        return (struct gpu_place){ found, true };
    if (is_known(b, s->cluster, named))
        return (struct gpu_place){ named, true };
    if ((found = node_by_host(b, d, s, intern_get(b->names, host))) != 0 || (found = node_by_exporter(b, d, s)) != 0)
        return (struct gpu_place){ found, true };
    if (replay_role(s, ROLE_MACHINE))
        return (struct gpu_place){ replay_role(s, ROLE_MACHINE), true };
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
        for (size_t i = 0; i < b->replay->series.n; i++) {
            const struct replay_series *s = &b->replay->series.v[i];
            uint32_t gpu[] = { s->cluster, replay_role(s, ROLE_UUID) };

            if (!gpu[1])
                continue;
            if (pass == 0 && b->places[i].known)
                intern_put(known, gpu, sizeof gpu);
            else if (pass == 1 && !b->places[i].known && intern_find(known, gpu, sizeof gpu))
                b->places[i].node = 0;
        }
    }
    intern_free(known);
}

/* Of the many pods only these are looked up. */
static void register_exporters(struct inventory_build *b)
{
    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];
        uint32_t key[] = { s->cluster, s->exporter.namespace_name, s->exporter.name };

        if (key[2] && inventory_kind_is_gpu(s->kind))
            tuples_add(&b->exporters, key);
    }
    tuples_sort(&b->exporters);
}

static int fill_directories(struct inventory_build *b, struct directories *d, struct err *e)
{
    register_exporters(b);
    if (directory_fill(b, &d->by_address, 2, entry_of_address, e) < 0 || directory_fill(b, &d->by_pod, 3, entry_of_pod, e) < 0)
        return -1;
    return directory_fill(b, &d->by_machine, 2, entry_of_machine, e);
}

int inventory_place_gpus(struct inventory_build *b, struct err *e)
{
    struct directories d = { 0 };
    int rc = fill_directories(b, &d, e);

    for (size_t i = 0; rc == 0 && i < b->replay->series.n; i++)
        if (inventory_kind_is_gpu(b->replay->series.v[i].kind))
            b->places[i] = place_of(b, &d, &b->replay->series.v[i]);
    drop_guesses(b);
    directory_free(&d.by_address);
    directory_free(&d.by_pod);
    directory_free(&d.by_machine);
    return rc;
}

/* Of several names of a model or profile the first in canonical order is taken. */
static void describe(struct inventory_build *b, const struct replay_series *s, uint32_t at)
{
    struct gpu *gpu = &b->inv->gpus.v[at];
    uint32_t key[] = { s->cluster, replay_role(s, ROLE_UUID), replay_role(s, ROLE_GPU_INSTANCE) }, device = tuples_find(&b->devices, key);

    if (gpu->model == 0)
        gpu->model = replay_role(s, ROLE_MODEL);
    if (device != NONE && b->inv->devices.v[device].profile == 0)
        b->inv->devices.v[device].profile = replay_role(s, ROLE_PROFILE);
    if (s->kind == RECORD_GPU_INFO)
        return;
    if (s->first < gpu->first_ms)
        gpu->first_ms = s->first;
    if (s->last > gpu->last_ms)
        gpu->last_ms = s->last;
}

/* Of a part of a card, "GPU-.../1": that of the first part, which goes by the card's name. */
static uint32_t model_of_card(const struct inventory_build *b, const struct gpu *part)
{
    struct span name = intern_get(b->names, part->uuid);
    const char *slash = memrchr(name.p, '/', name.n);
    uint32_t card[] = { part->cluster, slash ? intern_find(b->names, name.p, (size_t)(slash - name.p)) : 0 };
    uint32_t at = card[1] ? tuples_find(&b->gpus, card) : NONE;

    return at == NONE ? 0 : b->inv->gpus.v[at].model;
}

static bool says_place(const struct inventory_build *b, const void *ctx, size_t i, uint32_t *gpu, uint32_t *node)
{
    const struct replay_series *s = &b->replay->series.v[i];
    uint32_t key[] = { s->cluster, b->places[i].node };

    (void)ctx;
    if (!key[1])
        return false;
    *gpu = inventory_gpu_of(b, s);
    *node = tuples_find(&b->nodes, key);
    return *gpu != NONE;
}

int inventory_fill_gpus(struct inventory_build *b, struct err *e)
{
    struct gpu *first = b->inv->gpus.v;

    for (size_t i = 0; i < b->replay->series.n; i++) {
        uint32_t gpu = inventory_gpu_of(b, &b->replay->series.v[i]);

        if (gpu != NONE)
            describe(b, &b->replay->series.v[i], gpu);
    }
    if (first && inventory_trace(b, &(struct inventory_trace){ says_place, NULL, &first->node, sizeof *first, 0 }, e) < 0)
        return -1;
    for (size_t i = 0; i < b->inv->gpus.n; i++) {
        struct gpu *gpu = &first[i];

        if (!gpu->model)
            gpu->model = model_of_card(b, gpu);
        if (gpu->node.n > 0)                           /* a series that names no node may have begun earlier */
            gpu->node.v[0].from = gpu->first_ms;
    }
    return 0;
}
