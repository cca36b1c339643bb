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

/* What a series that stands for others has in common with those, beside the values of roles. */
struct likeness {
    uint64_t mask;                 /* the roles */
    uint32_t cluster, target;
    uint16_t family;
    uint8_t kind;
    bool names_pod;                /* of GPUs */
};

struct reading {
    struct replay *r;
    struct fingerprint_map exporters;      /* pods that export, by cluster, namespace and name, */
    struct intern *exporter_names; /* and their names alone: those of nearly all other pods are not among them */
    uint64_t last_at;              /* labels of the block before, */
    struct scrape_labels labels;
    uint32_t index;                /* and their series; NONE: none */
    struct likeness like;          /* of the last series that stands for others, */
    uint64_t others_roles;         /* which roles those have, */
    struct span others[ROLES];     /* their values, in the names, */
    uint32_t stands_in;            /* and that series; NONE: none yet */
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

static struct likeness likeness_of(const struct scrape *s, const struct scrape_labels *labels)
{
    bool gpu = is_gpu(labels->handle.kind), own = gpu && replay_is_exporters(s, labels);

    return (struct likeness){ .mask = !gpu ? BIT(ROLE_NODE) : GPU_ROLES | (own ? EXPORTER_ROLES : 0), .cluster = labels->cluster,
                              .target = labels->target, .family = labels->handle.family, .kind = labels->handle.kind,
                              .names_pod = gpu && replay_names_pod(s, labels) };
}

/* Texts and their lengths take so much room. */
static size_t room_of(const struct scrape_labels *labels, uint64_t mask)
{
    size_t n = 0;

    for (uint64_t rest = labels->roles & mask; rest; rest &= rest - 1)
        n += 2 * sizeof(uint32_t) + labels->values[__builtin_ctzll(rest)].n;
    return n;
}

static struct fingerprint key_of(const struct scrape *s, const struct scrape_labels *labels, const struct likeness *like)
{
    struct buf text = { 0 };
    struct fingerprint key;

    buf_reserve(&text, 5 * sizeof(uint32_t) + room_of(labels, like->mask));
    add_number(&text, like->family);
    add_number(&text, like->kind);
    add_number(&text, like->cluster);
    add_number(&text, like->target);
    add_number(&text, like->names_pod);
    for (uint64_t rest = labels->roles & like->mask; rest; rest &= rest - 1) {
        add_number(&text, (uint32_t)__builtin_ctzll(rest));
        add_text(&text, labels->values[__builtin_ctzll(rest)]);
    }
    key = fingerprint_of(s->secret, buf_span(&text));
    buf_free(&text);
    return key;
}

struct fingerprint outline_key(const struct scrape *s, const struct scrape_labels *labels, uint64_t *mask)
{
    struct likeness like = likeness_of(s, labels);

    *mask = like.mask;
    return key_of(s, labels, &like);
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
    struct span pod = scrape_value(l, ROLE_POD);
    bool found;

    if (!is_gpu(l->handle.kind) || pod.n == 0 || !replay_is_exporters(s, l))
        return;
    fingerprint_map_at(&g->exporters, pod_key(s, l->cluster, scrape_value(l, ROLE_NAMESPACE), pod), &found);
    intern_span(g->exporter_names, pod);
}

static bool is_exporter(struct reading *g)
{
    const struct scrape_labels *l = &g->labels;
    struct span renamed = scrape_value(l, ROLE_EXPORTED_POD), pod = renamed.n > 0 ? renamed : scrape_value(l, ROLE_POD);
    struct span there = scrape_value(l, ROLE_EXPORTED_NAMESPACE), namespace_name = there.n > 0 ? there : scrape_value(l, ROLE_NAMESPACE);

    return intern_find(g->exporter_names, pod.p, pod.n) &&
           fingerprint_map_find(&g->exporters, pod_key(g->r->scrape, l->cluster, namespace_name, pod)) != NULL;
}

/* Whether the series at hand is one more of those for which the last one stands. */
static bool is_like_last(const struct reading *g, const struct likeness *like)
{
    const struct likeness *last = &g->like;
    uint64_t rest = g->labels.roles & like->mask;

    if (g->stands_in == NONE || last->family != like->family || last->kind != like->kind || last->cluster != like->cluster ||
        last->target != like->target || last->names_pod != like->names_pod || last->mask != like->mask ||
        rest != g->others_roles)
        return false;
    for (; rest; rest &= rest - 1)
        if (!span_same(g->labels.values[__builtin_ctzll(rest)], g->others[__builtin_ctzll(rest)]))
            return false;
    return true;
}

/* The labels at hand are gone with the next ones: it is the names that keep their values. */
static void remember_others(struct reading *g)
{
    const struct replay_series *s = &g->r->series.v[g->stands_in];
    const uint32_t *value = s->values;

    g->others_roles = s->roles;
    for (uint64_t rest = s->roles; rest; rest &= rest - 1)
        g->others[__builtin_ctzll(rest)] = intern_get(g->r->names, *value++);
}

/* Those for which one stands come one after the other for the most part. */
static void find_stand_in(struct reading *g)
{
    struct likeness like = likeness_of(g->r->scrape, &g->labels);

    if (!is_like_last(g, &like)) {
        note_exporter(g);
        if (replay_add(g->r, &g->labels, key_of(g->r->scrape, &g->labels, &like), like.mask, &g->stands_in))
            replay_stand_in(g->r, g->stands_in, order_of(g->r, &g->labels, like.mask), replay_names_pod(g->r->scrape, &g->labels));
        g->like = like;
        remember_others(g);
    }
    g->index = g->stands_in;
}

/* Brings the labels of a block, and their series. */
static int find_series(struct reading *g, uint64_t at, struct err *e)
{
    struct replay *r = g->r;

    if (at == g->last_at)
        return 0;
    if (scrape_labels_at(r->scrape, at, &g->labels, e) < 0)
        return -1;
    g->last_at = at;
    if (outline_keeps(g->labels.handle.kind))
        replay_add(r, &g->labels, g->labels.handle.key, UINT64_MAX, &g->index);
    else
        find_stand_in(g);
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
    struct reading g = { .r = r, .exporter_names = intern_new(), .last_at = SCRAPE_NONE, .stands_in = NONE };
    int rc = read_all(&g, e);

    if (rc == 0)
        rc = read_exporters(&g, e);
    fingerprint_map_free(&g.exporters);
    intern_free(g.exporter_names);
    return rc == 0 ? replay_finish(r, (struct timespan){ TIME_MIN, TIME_MAX }, e) : -1;
}
