/* outline: series without their pods.
 *
 * All labels of the run are read once, those that come one after the other from the same note only once. Series of pods give no more than
 * the target and the node that they name, for which a few of them stand for all.
 *
 * Not here: what it all means together (source/inventory). */
#include "gputab/source/outline.h"

#include <string.h>

#include "gputab/source/replay_pod.h"
#include "gputab/source/scrape_series.h"

#define BIT(role) ((uint64_t)1 << (role))

/* What says of a GPU which it is and where. */
#define GPU_ROLES                                                                                                                       \
    (BIT(ROLE_UUID) | BIT(ROLE_INDEX) | BIT(ROLE_PARTITION) | BIT(ROLE_GPU_INSTANCE) | BIT(ROLE_PROFILE) | BIT(ROLE_MODEL) |             \
     BIT(ROLE_MACHINE) | BIT(ROLE_NODE) | BIT(ROLE_HOSTNAME) | BIT(ROLE_INSTANCE) | BIT(ROLE_INSTANCE_TYPE))
#define EXPORTER_ROLES (BIT(ROLE_NAMESPACE) | BIT(ROLE_POD) | BIT(ROLE_CONTAINER))

struct reading {
    struct replay *r;
    struct fingerprint_map exporters;      /* pods that export, by cluster, namespace and name */
    uint64_t last_at;              /* labels of the block before, */
    struct scrape_labels labels;
    uint32_t index;                /* and their series; NONE: none */
};

bool outline_keeps(int kind)
{
    switch (kind) {
    case SAMPLE_CAPACITY_GPU: case SAMPLE_CAPACITY_GPU_SHARED:
    case RECORD_NODE_CPU: case RECORD_NODE_MEMORY: case RECORD_NODE_INFO: case RECORD_NODE_LABELS:
    case RECORD_NAMESPACE_LABELS: case RECORD_NAMESPACE_ANNOTATIONS: case RECORD_GPU_INFO:
        return true;
    default:
        return false;
    }
}

static bool is_gpu(int kind)
{
    return kind <= SAMPLE_PROCESS_USED;
}

/* ---- keys ---- */

static void add_number(struct buf *b, uint32_t n)
{
    buf_add(b, &n, sizeof n);
}

static void add_text(struct buf *b, struct span text)
{
    add_number(b, (uint32_t)text.n);
    buf_add_span(b, text);
}

struct fingerprint outline_key(const struct scrape *s, const struct scrape_labels *labels, uint64_t *mask)
{
    bool gpu = is_gpu(labels->handle.kind), own = gpu && replay_is_exporters(s, labels);
    struct buf text = { 0 };
    struct fingerprint key;

    *mask = !gpu ? BIT(ROLE_NODE) : GPU_ROLES | (own ? EXPORTER_ROLES : 0);
    add_number(&text, labels->handle.family);
    add_number(&text, labels->handle.kind);
    add_number(&text, labels->cluster);
    add_number(&text, labels->target);
    add_number(&text, gpu && replay_names_pod(s, labels));
    for (uint64_t rest = labels->roles & *mask; rest; rest &= rest - 1) {
        add_number(&text, (uint32_t)__builtin_ctzll(rest));
        add_text(&text, labels->values[__builtin_ctzll(rest)]);
    }
    key = fingerprint_of(s->secret, buf_span(&text));
    buf_free(&text);
    return key;
}

static struct fingerprint pod_key(const struct scrape *s, uint32_t cluster, struct span namespace_name, struct span pod)
{
    struct buf text = { 0 };
    struct fingerprint key;

    add_number(&text, cluster);
    add_text(&text, namespace_name);
    add_text(&text, pod);
    key = fingerprint_of(s->secret, buf_span(&text));
    buf_free(&text);
    return key;
}

/* The place of a series that stands for others, alike in every process: by what they have in common. */
static uint64_t order_of(const struct replay *r, const struct scrape_labels *labels, uint64_t mask)
{
    struct buf text = { 0 };
    uint64_t order;

    add_number(&text, replay_names_pod(r->scrape, labels));
    add_text(&text, intern_get(r->names, labels->cluster));
    add_text(&text, intern_get(r->names, r->scrape->targets.v[labels->target].text));
    for (uint64_t rest = labels->roles & mask; rest; rest &= rest - 1) {
        add_number(&text, (uint32_t)__builtin_ctzll(rest));
        add_text(&text, labels->values[__builtin_ctzll(rest)]);
    }
    order = fingerprint_of((struct fingerprint_key){ 0, 0 }, buf_span(&text)).low;
    buf_free(&text);
    return order;
}

/* ---- reading ---- */

static void note_exporter(struct reading *g)
{
    const struct scrape *s = g->r->scrape;
    const struct scrape_labels *l = &g->labels;
    bool found;

    if (is_gpu(l->handle.kind) && l->values[ROLE_POD].n > 0 && replay_is_exporters(s, l))
        fingerprint_map_at(&g->exporters, pod_key(s, l->cluster, l->values[ROLE_NAMESPACE], l->values[ROLE_POD]), &found);
}

static bool is_exporter(struct reading *g)
{
    const struct scrape_labels *l = &g->labels;
    bool renamed = l->values[ROLE_EXPORTED_POD].n > 0;
    struct span pod = l->values[renamed ? ROLE_EXPORTED_POD : ROLE_POD];
    struct span namespace_name = l->values[l->values[ROLE_EXPORTED_NAMESPACE].n > 0 ? ROLE_EXPORTED_NAMESPACE : ROLE_NAMESPACE];

    return fingerprint_map_find(&g->exporters, pod_key(g->r->scrape, l->cluster, namespace_name, pod)) != NULL;
}

/* Brings the labels of a block, and their series. */
static int find_series(struct reading *g, uint64_t at, struct err *e)
{
    struct replay *r = g->r;
    uint64_t mask = UINT64_MAX;

    if (at == g->last_at)
        return 0;
    if (scrape_labels_at(r->scrape, at, &g->labels, e) < 0)
        return -1;
    g->last_at = at;
    if (outline_keeps(g->labels.handle.kind)) {
        replay_add(r, &g->labels, g->labels.handle.key, mask, &g->index);
    } else {
        struct fingerprint key = outline_key(r->scrape, &g->labels, &mask);

        note_exporter(g);
        if (replay_add(r, &g->labels, key, mask, &g->index))
            replay_stand_in(r, g->index, order_of(r, &g->labels, mask), replay_names_pod(r->scrape, &g->labels));
    }
    return replay_check_room(r, e);
}

static int read_all(struct reading *g, struct err *e)
{
    struct block_cursor c = { 0 };
    struct block block;
    int rc;

    while ((rc = blocks_next(g->r->scrape->blocks, &c, g->r->reach, &block, e)) > 0) {
        if (find_series(g, block.series, e) < 0)
            return -1;
        if (outline_keeps(block.kind)) {
            if (replay_take(g->r, g->index, &block, e) < 0)
                return -1;
        } else {
            replay_note(g->r, g->index, block.first, block.last);
        }
    }
    return rc;
}

static int read_exporters(struct reading *g, struct err *e)
{
    struct replay *r = g->r;
    struct block_cursor c = { 0 };
    struct block block;
    int rc = 0;

    while (g->exporters.n > 0 && (rc = blocks_next(r->scrape->blocks, &c, r->reach, &block, e)) > 0) {
        if (block.kind != RECORD_POD_INFO)
            continue;
        if (scrape_labels_at(r->scrape, block.series, &g->labels, e) < 0)
            return -1;
        if (!is_exporter(g))
            continue;
        replay_add(r, &g->labels, g->labels.handle.key, UINT64_MAX, &g->index);
        if (replay_take(r, g->index, &block, e) < 0)
            return -1;
    }
    return rc;
}

int outline_read(struct replay *r, struct err *e)
{
    struct reading g = { .r = r, .last_at = SCRAPE_NONE };
    int rc = read_all(&g, e);

    if (rc == 0)
        rc = read_exporters(&g, e);
    fingerprint_map_free(&g.exporters);
    blocks_rest(r->scrape->blocks);
    return rc == 0 ? replay_finish(r, (struct timespan){ TIME_MIN, TIME_MAX }, e) : -1;
}
