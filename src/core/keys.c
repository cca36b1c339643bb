/* keys: a table of keys, one function each for how an entry answers. */
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

static int find_key(struct span name, enum key *out, struct err *e)
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

        if (find_key(span_trim(name), &key, e) < 0)
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
    if (find_key((struct span){text, (size_t)(equals - text)}, &out->key, e) < 0)
        return err_wrap(e, "--where");
    out->glob = equals + 1;
    return 0;
}

/* ---- values ---- */

static const struct pod_version *version_of(const struct key_context *c, const struct entry *e)
{
    return e->pod_version == NONE ? NULL : &c->owners->versions.v[e->pod_version];
}

static const struct pod *pod_of(const struct key_context *c, const struct entry *e)
{
    const struct pod_version *v = version_of(c, e);

    return v ? &c->inventory->pods.v[v->pod] : NULL;
}

static uint32_t constant(const struct key_context *c, const char *text)
{
    return intern_str(c->names, text);
}

static uint32_t joined(const struct key_context *c, uint32_t a, uint32_t b)
{
    struct buf text = {0};
    uint32_t id;

    buf_add_span(&text, intern_get(c->names, a));
    buf_addc(&text, '/');
    buf_add_span(&text, intern_get(c->names, b));
    id = intern_span(c->names, buf_span(&text));
    buf_free(&text);
    return id;
}

static uint32_t team(const struct key_context *c, const struct entry *e)
{
    const struct pod_version *v = version_of(c, e);

    if (!v)
        return constant(c, bucket_names[e->bucket]);
    return v->bucket ? constant(c, bucket_names[v->bucket]) : v->team;
}

static uint32_t cost_centre(const struct key_context *c, const struct entry *e)
{
    const struct pod_version *v = version_of(c, e);

    if (!v)
        return constant(c, bucket_names[e->bucket]);
    if (v->bucket)
        return constant(c, bucket_names[v->bucket]);
    return v->cost_centre ? v->cost_centre : constant(c, bucket_names[BUCKET_UNMAPPED]);
}

static uint32_t namespace_name(const struct key_context *c, const struct entry *e)
{
    const struct pod *pod = pod_of(c, e);

    return pod ? pod->namespace_name : 0;
}

static uint32_t pod_name(const struct key_context *c, const struct entry *e)
{
    const struct pod *pod = pod_of(c, e);

    if (!pod)
        return 0;
    return key_list_has(c->by, KEY_NAMESPACE) ? pod->name : joined(c, pod->namespace_name, pod->name);
}

static uint32_t workload(const struct key_context *c, const struct entry *e)
{
    const struct pod *pod = pod_of(c, e);

    if (!pod)
        return 0;
    return key_list_has(c->by, KEY_NAMESPACE) ? version_of(c, e)->workload : joined(c, pod->namespace_name, version_of(c, e)->workload);
}

static uint32_t cluster(const struct key_context *c, const struct entry *e)
{
    (void)c;
    return e->cluster;
}

static uint32_t node(const struct key_context *c, const struct entry *e)
{
    return e->node && e->cluster && c->inventory->clusters > 1 ? joined(c, e->cluster, e->node) : e->node;
}

static uint32_t gpu(const struct key_context *c, const struct entry *e)
{
    (void)c;
    return e->gpu;
}

static uint32_t gpu_model(const struct key_context *c, const struct entry *e)
{
    (void)c;
    return e->gpu_model;
}

static uint32_t region(const struct key_context *c, const struct entry *e)
{
    (void)c;
    return e->region;
}

static uint32_t purchase(const struct key_context *c, const struct entry *e)
{
    return e->purchase < PURCHASES ? constant(c, purchase_names[e->purchase]) : 0;
}

static uint32_t sharing(const struct key_context *c, const struct entry *e)
{
    return e->sharing < SHARINGS ? constant(c, sharing_names[e->sharing]) : 0;
}

static uint32_t day(const struct key_context *c, const struct entry *e)
{
    struct buf text = {0};
    uint32_t id;

    time_add_date(&text, e->day);
    id = intern_span(c->names, buf_span(&text));
    buf_free(&text);
    return id;
}

static uint32_t grade(const struct key_context *c, const struct entry *e)
{
    static const char *const names[GRADES] = {"A", "B", "C", "D"};

    return constant(c, names[e->grade]);
}

static uint32_t reason(const struct key_context *c, const struct entry *e)
{
    return e->reason ? constant(c, reason_names[e->reason]) : 0;
}

static uint32_t (*const values[KEYS])(const struct key_context *, const struct entry *) = {
    [KEY_COST_CENTRE] = cost_centre, [KEY_TEAM] = team,         [KEY_NAMESPACE] = namespace_name, [KEY_WORKLOAD] = workload,
    [KEY_POD] = pod_name,            [KEY_CLUSTER] = cluster,   [KEY_NODE] = node,                [KEY_GPU] = gpu,
    [KEY_GPU_MODEL] = gpu_model,     [KEY_REGION] = region,     [KEY_PURCHASE] = purchase,        [KEY_SHARING] = sharing,
    [KEY_DAY] = day,                 [KEY_GRADE] = grade,       [KEY_REASON] = reason,
};

uint32_t key_value(const struct key_context *c, enum key key, const struct entry *e)
{
    return values[key](c, e);
}

enum bucket key_bucket(const struct key_context *c, const struct entry *e)
{
    const struct pod_version *v = version_of(c, e);

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
