/* keys: a table of keys, one function each for how an entry answers. Another key needs a line in read_of too. */
#include "gputab/core/keys.h"

#include <stdio.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/nearest.h"

const char *const key_names[KEYS] = {
    [KEY_COST_CENTRE] = "cost_centre", [KEY_TEAM] = "team",     [KEY_NAMESPACE] = "namespace", [KEY_WORKLOAD] = "workload",
    [KEY_POD] = "pod",                 [KEY_CLUSTER] = "cluster", [KEY_NODE] = "node",         [KEY_GPU] = "gpu",
    [KEY_GPU_MODEL] = "gpu_model",     [KEY_REGION] = "region", [KEY_PURCHASE] = "purchase",   [KEY_SHARING] = "sharing",
    [KEY_DAY] = "day",                 [KEY_GRADE] = "grade",   [KEY_REASON] = "reason",
};

int key_parse(struct span name, enum key *out, struct err *e)
{
    char word[64];
    struct nearest near;

    for (int k = 0; k < KEYS; k++)
        if (span_eq(name, key_names[k])) {
            *out = (enum key)k;
            return 0;
        }
    if (span_eq(name, "container"))
        return err_set(e, ERR_USAGE, "the key \"container\" is not built yet in this version");
    snprintf(word, sizeof word, "%.*s", (int)name.n, name.p);
    near = nearest_to(word);
    for (int k = 0; k < KEYS; k++)
        nearest_try(&near, key_names[k]);
    err_set(e, ERR_USAGE, "unknown key \"%s\"", word);
    if (near.name)
        return err_hint(e, "did you mean \"%s\"?", near.name);
    return err_hint(e, "keys: team, cost_centre, namespace, workload, pod, cluster, node, gpu, gpu_model, region, purchase, sharing, day, "
                       "grade, reason");
}

bool key_list_has(const struct key_list *l, enum key key)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i] == key)
            return true;
    return false;
}

int key_list_parse(struct span text, struct key_list *out, struct err *e)
{
    out->n = 0;
    for (;;) {
        const char *comma = text.n ? memchr(text.p, ',', text.n) : NULL;
        struct span name = {text.p, comma ? (size_t)(comma - text.p) : text.n};
        enum key key;

        if (key_parse(span_trim(name), &key, e) < 0)
            return err_wrap(e, "--by");
        if (key_list_has(out, key))
            return err_set(e, ERR_USAGE, "--by: \"%s\" stands twice", key_names[key]);
        out->v[out->n++] = key;
        if (!comma)
            return 0;
        text = (struct span){comma + 1, text.n - name.n - 1};
    }
}

int key_filter_parse(const char *text, struct key_filter *out, struct err *e)
{
    const char *equals = strchr(text, '=');

    if (!equals) {
        err_set(e, ERR_USAGE, "--where: \"%s\" is not KEY=GLOB", text);
        return err_hint(e, "for example --where team=nlp, or --where 'namespace=ml-*'");
    }
    if (key_parse((struct span){text, (size_t)(equals - text)}, &out->key, e) < 0)
        return err_wrap(e, "--where");
    out->glob = equals + 1;
    return 0;
}

/* Without their parentheses, which shells want quoted. */
static const char *const bare_names[BUCKETS] = {
    [BUCKET_NONE] = "", [BUCKET_IDLE] = "idle", [BUCKET_RESERVED] = "driver-reserved", [BUCKET_UNATTRIBUTED] = "unattributed",
    [BUCKET_NO_METRICS] = "no-metrics", [BUCKET_UNMAPPED] = "unmapped", [BUCKET_SYSTEM] = "system", [BUCKET_UNBILLED] = "unbilled",
};

int key_bucket_parse(const char *text, enum bucket *out, struct err *e)
{
    struct nearest near = nearest_to(text);

    for (int b = BUCKET_NONE + 1; b < BUCKETS; b++) {
        if (strcmp(text, bucket_names[b]) == 0 || strcmp(text, bare_names[b]) == 0) {
            *out = (enum bucket)b;
            return 0;
        }
        nearest_try(&near, bare_names[b]);
    }
    err_set(e, ERR_USAGE, "--only: unknown bucket \"%s\"", text);
    if (near.name)
        return err_hint(e, "did you mean \"%s\"?", near.name);
    return err_hint(e, "buckets: idle, driver-reserved, unattributed, no-metrics, unmapped, system, unbilled");
}

/* ---- values ---- */

static const struct pod_version *version_of(const struct key_context *c, const struct entry *e)
{
    return e->pod_version == NONE ? NULL : &c->owners->versions.v[e->pod_version];
}

static const struct pod_id *pod_of(const struct key_context *c, const struct entry *e)
{
    const struct pod_version *v = version_of(c, e);

    return v ? &v->pod : NULL;
}

static void add_name(const struct key_context *c, struct buf *out, uint32_t id)
{
    buf_add_span(out, intern_get(c->inventory->names, id));
}

static void cost_centre(const struct key_context *c, const struct entry *e, struct buf *out)
{
    const struct pod_version *v = version_of(c, e);

    if (e->team)
        buf_adds(out, e->team->cost_centre ? e->team->cost_centre : bucket_names[BUCKET_UNMAPPED]);
    else if (!v || v->bucket)
        buf_adds(out, bucket_names[v ? v->bucket : e->bucket]);
    else if (v->cost_centre)
        add_name(c, out, v->cost_centre);
    else
        buf_adds(out, bucket_names[BUCKET_UNMAPPED]);
}

static void team(const struct key_context *c, const struct entry *e, struct buf *out)
{
    const struct pod_version *v = version_of(c, e);

    if (e->team)
        buf_adds(out, e->team->name);
    else if (!v || v->bucket)
        buf_adds(out, bucket_names[v ? v->bucket : e->bucket]);
    else
        add_name(c, out, v->team);
}

static void namespace_name(const struct key_context *c, const struct entry *e, struct buf *out)
{
    const struct pod_id *pod = pod_of(c, e);

    if (pod)
        add_name(c, out, pod->namespace_name);
}

/* Names of things in a namespace say which where no column does. */
static void add_namespace(const struct key_context *c, const struct pod_id *pod, struct buf *out)
{
    if (key_list_has(c->by, KEY_NAMESPACE))
        return;
    add_name(c, out, pod->namespace_name);
    buf_addc(out, '/');
}

static void pod_name(const struct key_context *c, const struct entry *e, struct buf *out)
{
    const struct pod_id *pod = pod_of(c, e);

    if (!pod)
        return;
    add_namespace(c, pod, out);
    add_name(c, out, pod->name);
}

static void workload(const struct key_context *c, const struct entry *e, struct buf *out)
{
    const struct pod_id *pod = pod_of(c, e);

    if (!pod)
        return;
    add_namespace(c, pod, out);
    if (!version_of(c, e)->workload)
        buf_adds(out, "Pod/");
    add_name(c, out, version_of(c, e)->workload ? version_of(c, e)->workload : pod->name);
}

static void cluster(const struct key_context *c, const struct entry *e, struct buf *out)
{
    add_name(c, out, e->cluster);
}

static void node(const struct key_context *c, const struct entry *e, struct buf *out)
{
    if (e->node && e->cluster && c->inventory->clusters > 1) {
        add_name(c, out, e->cluster);
        buf_addc(out, '/');
    }
    add_name(c, out, e->node);
}

static void gpu(const struct key_context *c, const struct entry *e, struct buf *out)
{
    add_name(c, out, e->gpu);
}

static void gpu_model(const struct key_context *c, const struct entry *e, struct buf *out)
{
    add_name(c, out, e->gpu_model);
}

static void region(const struct key_context *c, const struct entry *e, struct buf *out)
{
    add_name(c, out, e->region);
}

static void purchase(const struct key_context *c, const struct entry *e, struct buf *out)
{
    (void)c;
    if (e->purchase < PURCHASES)
        buf_adds(out, purchase_names[e->purchase]);
}

static void sharing(const struct key_context *c, const struct entry *e, struct buf *out)
{
    (void)c;
    if (e->sharing < SHARINGS)
        buf_adds(out, sharing_names[e->sharing]);
}

static void day(const struct key_context *c, const struct entry *e, struct buf *out)
{
    (void)c;
    if (e->day != TIME_MIN)
        time_add_date(out, e->day);
}

static void grade(const struct key_context *c, const struct entry *e, struct buf *out)
{
    (void)c;
    buf_addc(out, "ABCD"[e->grade]);
}

static void reason(const struct key_context *c, const struct entry *e, struct buf *out)
{
    (void)c;
    buf_adds(out, reason_names[e->reason]);
}

static void (*const values[KEYS])(const struct key_context *, const struct entry *, struct buf *) = {
    [KEY_COST_CENTRE] = cost_centre, [KEY_TEAM] = team,         [KEY_NAMESPACE] = namespace_name, [KEY_WORKLOAD] = workload,
    [KEY_POD] = pod_name,            [KEY_CLUSTER] = cluster,   [KEY_NODE] = node,                [KEY_GPU] = gpu,
    [KEY_GPU_MODEL] = gpu_model,     [KEY_REGION] = region,     [KEY_PURCHASE] = purchase,        [KEY_SHARING] = sharing,
    [KEY_DAY] = day,                 [KEY_GRADE] = grade,       [KEY_REASON] = reason,
};

void key_add_value(const struct key_context *c, enum key key, const struct entry *e, struct buf *out)
{
    values[key](c, e, out);
}

static uint32_t read_of(enum key key, const struct entry *e)
{
    switch (key) {
    case KEY_CLUSTER:
        return e->cluster;
    case KEY_NODE:
        return e->node;
    case KEY_GPU:
        return e->gpu;
    case KEY_GPU_MODEL:
        return e->gpu_model;
    case KEY_REGION:
        return e->region;
    case KEY_PURCHASE:
        return e->purchase;
    case KEY_SHARING:
        return e->sharing;
    case KEY_DAY:
        return (uint32_t)(e->day / TIME_DAY);
    case KEY_GRADE:
        return e->grade;
    case KEY_REASON:
        return e->reason;
    default:                       /* by the pod, its team or the bucket */
        return 0;
    }
}

struct key_list key_list_read(const bool asked[KEYS])
{
    struct key_list l = {.n = 0};

    for (int k = 0; k < KEYS; k++)
        if (k >= KEY_CLUSTER && (asked[k] || (k == KEY_CLUSTER && asked[KEY_NODE])))
            l.v[l.n++] = (enum key)k;
    return l;
}

struct key_reads key_reads(const struct key_list *read, const struct entry *e)
{
    struct key_reads r = {.pod_version = e->pod_version, .team = e->team ? e->team->number : 0, .bucket = e->bucket};

    for (size_t i = 0; i < read->n; i++)
        r.of[i] = read_of(read->v[i], e);
    return r;
}

size_t key_reads_size(const struct key_list *read)
{
    return offsetof(struct key_reads, of) + read->n * sizeof(uint32_t);
}

bool key_reads_are(const struct key_reads *r, const struct key_list *read, const struct entry *e)
{
    bool same = r->pod_version == e->pod_version && r->team == (e->team ? e->team->number : 0) && r->bucket == e->bucket;

    for (size_t i = 0; same && i < read->n; i++)
        same = r->of[i] == read_of(read->v[i], e);
    return same;
}

enum bucket key_bucket(const struct key_context *c, const struct entry *e)
{
    const struct pod_version *v = version_of(c, e);

    if (e->team)
        return !e->team->cost_centre && key_list_has(c->by, KEY_COST_CENTRE) ? BUCKET_UNMAPPED : BUCKET_NONE;
    if (!v)
        return e->bucket;
    if (v->bucket == BUCKET_SYSTEM)
        return BUCKET_SYSTEM;
    if (v->bucket == BUCKET_UNMAPPED && (key_list_has(c->by, KEY_TEAM) || key_list_has(c->by, KEY_COST_CENTRE)))
        return BUCKET_UNMAPPED;
    if (!v->cost_centre && key_list_has(c->by, KEY_COST_CENTRE))
        return BUCKET_UNMAPPED;
    return BUCKET_NONE;
}

bool key_in_bucket(const struct key_context *c, const struct entry *e, enum bucket bucket)
{
    const struct pod_version *v = version_of(c, e);

    return (v ? v->bucket : e->bucket) == bucket || key_bucket(c, e) == bucket;
}
