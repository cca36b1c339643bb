/* survey: counts who has what, and knows by a table which setting of which exporter provides it.
 * A count is "x of n things"; what a thing is differs from line to line. */
#include "gputab/core/survey.h"

#include <stdlib.h>

#include "gputab/core/owner_match.h"

enum { GPU_SIZE = 1, GPU_RESERVE = 2, GPU_PODS = 4, GPU_TOTAL = 8, GPU_LAYER = 16,      /* what series of a GPU there are */
       GPU_MEMORY = 32 };                              /* any but those of its presence */

struct count {
    size_t have, of;
};

struct view {
    struct survey *out;
    const struct rule *rule;
    const struct inventory *inv;
    const struct series *series;
    size_t n_series;
    struct timespan period;
    unsigned *gpus;                /* per inventory gpu: bits */
    bool *gpu_nodes;               /* per inventory node: a GPU is placed there */
    bool *shared_nodes;            /* and its labels or capacity say that its GPUs are shared */
    bool gpu_requests;
};

/* ---- looking ---- */

static unsigned gpu_bit(const struct series *s)
{
    switch (s->kind) {
    case SAMPLE_FREE:
    case SAMPLE_TOTAL: return GPU_SIZE;
    case SAMPLE_RESERVED: return GPU_RESERVE;
    case SAMPLE_USED: return s->pod == NONE ? GPU_TOTAL : GPU_PODS;
    case SAMPLE_PRESENT: return s->pod == NONE ? 0 : GPU_PODS;
    case SAMPLE_PROCESS_USED: return s->pod == NONE ? GPU_TOTAL : GPU_PODS | GPU_LAYER;
    case SAMPLE_LAYER_USED:
    case SAMPLE_LAYER_PROCESS: return GPU_PODS | GPU_LAYER;
    default: return 0;
    }
}

static void look_at_series(struct view *v)
{
    for (size_t i = 0; i < v->n_series; i++) {
        const struct series *s = &v->series[i];

        if (s->device != NONE)
            v->gpus[v->inv->devices.v[s->device].gpu] |= gpu_bit(s) | (s->kind == SAMPLE_PRESENT ? 0 : GPU_MEMORY);
        v->gpu_requests |= s->kind == SAMPLE_REQUEST_GPU || s->kind == SAMPLE_REQUEST_GPU_SHARED;
        if (s->kind == SAMPLE_CAPACITY_GPU_SHARED && s->node != NONE)
            v->shared_nodes[s->node] = true;
    }
}

static void look_at_nodes(struct view *v)
{
    for (size_t g = 0; g < v->inv->gpus.n; g++)
        for (uint32_t i = 0; i < v->inv->gpus.v[g].node.n; i++)
            if (v->inv->gpus.v[g].node.v[i].value != NONE)
                v->gpu_nodes[v->inv->gpus.v[g].node.v[i].value] = true;
    for (size_t n = 0; n < v->inv->nodes.n; n++)
        for (uint32_t i = 0; i < v->inv->nodes.v[n].sharing.n; i++)
            if (v->inv->nodes.v[n].sharing.v[i].value & (SHARING_REPLICAS | SHARING_TIME_SLICING | SHARING_MPS))
                v->shared_nodes[n] = true;
}

static struct count count_gpus(const struct view *v, unsigned bits)
{
    struct count c = {0, v->inv->gpus.n};

    for (size_t g = 0; g < c.of; g++)
        c.have += (v->gpus[g] & bits) != 0;
    return c;
}

static bool on_shared_node(const struct view *v, const struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->node.n; i++)
        if (gpu->node.v[i].value != NONE && v->shared_nodes[gpu->node.v[i].value])
            return true;
    return false;
}

/* A labelled value with an unlabelled total beside it, or a sharing layer's: the pods' own memory. */
static struct count count_per_pod(const struct view *v)
{
    struct count c = {0, 0};

    for (size_t g = 0; g < v->inv->gpus.n; g++) {
        if (!on_shared_node(v, &v->inv->gpus.v[g]))
            continue;
        c.of++;
        c.have += (v->gpus[g] & GPU_LAYER) || (v->gpus[g] & (GPU_PODS | GPU_TOTAL)) == (GPU_PODS | GPU_TOTAL);
    }
    return c;
}

static bool has_resource(const struct node *n) { return n->resource.n > 0; }
static bool has_type(const struct node *n) { return n->type.n > 0; }
static bool has_sharing(const struct node *n) { return n->sharing.n > 0 && (n->sharing.v[0].value & SHARING_LABELS_KNOWN); }
static bool has_requests(const struct node *n) { return n->has_cpu_request && n->has_memory_request; }
static bool has_usage(const struct node *n) { return n->has_cpu_usage && n->has_memory_usage; }

static struct count count_nodes(const struct view *v, bool (*has)(const struct node *))
{
    struct count c = {0, 0};

    for (size_t n = 0; n < v->inv->nodes.n; n++) {
        if (!v->gpu_nodes[n])
            continue;
        c.of++;
        c.have += has(&v->inv->nodes.v[n]);
    }
    return c;
}

static struct count count_workloads(const struct view *v)
{
    struct count c = {0, 0};

    for (size_t i = 0; i < v->inv->pods.n; i++) {
        if (v->inv->pods.v[i].alias.n)
            continue;
        c.of++;
        c.have += v->inv->pods.v[i].workload.n > 0;
    }
    return c;
}

/* ---- saying ---- */

static void say(struct view *v, enum survey_level level, const char *subject, struct buf *text, const char *hint)
{
    vec_push(&v->out->findings, (struct finding){level, subject, buf_take(text), level == SURVEY_FOUND || !hint ? NULL : xstrdup(hint)});
}

struct things {
    const char *one, *many;
};
static const struct things gpus = {"GPU", "GPUs"}, gpu_nodes = {"GPU node", "GPU nodes"}, pods = {"pod", "pods"},
                           shared_gpus = {"GPU on a shared node", "GPUs on shared nodes"};

static void say_count(struct view *v, const char *subject, struct count c, const struct things *what, enum survey_level none,
                      const char *hint)
{
    const char *things = c.of == 1 ? what->one : what->many;
    struct buf text = {0};

    if (c.of == 0)
        buf_addf(&text, "no %s", things);
    else if (c.have == c.of)
        buf_addf(&text, "%zu %s", c.of, things);
    else
        buf_addf(&text, "%zu of %zu %s", c.have, c.of, things);
    say(v, c.have == c.of && c.of > 0 ? SURVEY_FOUND : c.have > 0 ? SURVEY_PARTLY : none, subject, &text, hint);
}

#define ALLOW_NODES "kube-state-metrics: --metric-labels-allowlist=nodes=[*], or a list with "

static void say_gpus(struct view *v)
{
    struct count shared = count_per_pod(v), memory = count_gpus(v, GPU_MEMORY);
    bool unmeasured = memory.have < memory.of;         /* a GPU has some series, so its presence is known */

    say_count(v, "GPU memory", memory, &gpus, unmeasured ? SURVEY_MISSING : SURVEY_FATAL,
              unmeasured ? "export DCGM_FI_DEV_FB_USED for MIG instances; until then the sizes of their profiles stand"
                         : "scrape dcgm-exporter (DCGM_FI_DEV_FB_USED) or another GPU exporter that gputab-metrics(5) lists");
    say_count(v, "card size", count_gpus(v, GPU_SIZE), &gpus, SURVEY_MISSING,
              "add DCGM_FI_DEV_FB_FREE or DCGM_FI_DEV_FB_TOTAL to dcgm-exporter's counters; until then the catalogue's size stands");
    say_count(v, "driver reserve", count_gpus(v, GPU_RESERVE), &gpus, SURVEY_MISSING,
              "dcgm-exporter 4.4.0 or later exports DCGM_FI_DEV_FB_RESERVED; until then the reserve is what used and free leave over");
    say_count(v, "pods on GPUs", count_gpus(v, GPU_PODS), &gpus, SURVEY_MISSING,
              "dcgm-exporter: DCGM_EXPORTER_KUBERNETES=true and the kubelet's pod-resources socket mounted (GPUs that nobody used have none)");
    if (shared.of)
        say_count(v, "per-pod memory", shared, &shared_gpus, SURVEY_MISSING,
                  "dcgm-exporter 4.8.2 or later with --kubernetes-virtual-gpus and hostPID, or HAMi; until then shared memory is divided evenly "
                  "or by request");
}

static void say_nodes(struct view *v)
{
    struct buf text = {0};

    say_count(v, "node identity", count_nodes(v, has_resource), &gpu_nodes, SURVEY_FATAL,
              "kube-state-metrics: kube_node_info with provider_id; without one name the bill's resource ids in a --nodes file");
    say_count(v, "instance type", count_nodes(v, has_type), &gpu_nodes, SURVEY_MISSING, ALLOW_NODES "node.kubernetes.io/instance-type");
    say_count(v, "sharing labels", count_nodes(v, has_sharing), &gpu_nodes, SURVEY_MISSING,
              ALLOW_NODES "nvidia.com/gpu.replicas and nvidia.com/gpu.sharing-strategy");
    buf_adds(&text, v->gpu_requests ? "requests of GPUs are known" : "no pod's request of a GPU is known");
    say(v, v->gpu_requests ? SURVEY_FOUND : SURVEY_MISSING, "GPU requests", &text, "kube-state-metrics: kube_pod_container_resource_requests");
    say_count(v, "CPU and memory requests", count_nodes(v, has_requests), &gpu_nodes, SURVEY_MISSING,
              "kube-state-metrics: kube_pod_container_resource_requests; without it and without usage CPU and memory follow the GPU piece");
    say_count(v, "CPU and memory usage", count_nodes(v, has_usage), &gpu_nodes, SURVEY_MISSING,
              "the kubelet's cAdvisor: container_cpu_usage_seconds_total and container_memory_working_set_bytes");
    say_count(v, "workloads", count_workloads(v), &pods, SURVEY_MISSING, "kube-state-metrics: kube_pod_owner, kube_replicaset_owner, kube_job_owner");
}

/* ---- labels that the rule asks for ---- */

static bool steps_have(const struct inventory *inv, const struct steps *s, struct span name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (inventory_label(inv, s->v[i].value, name).n)
            return true;
    return false;
}

/* What carries labels, by who asks for them. */
static const struct bearer {
    const char *subject, *one, *many;
    const char *resource;          /* as kube-state-metrics' lists of labels call it */
    const char *list;              /* its option */
} bearers[RULE_MATCHES] = {
    [RULE_MATCH_POD_LABEL] = {"pod label", "pod", "pods", "pods", "labels"},
    [RULE_MATCH_NAMESPACE_LABEL] = {"namespace label", "namespace", "namespaces", "namespaces", "labels"},
    [RULE_MATCH_POD_ANNOTATION] = {"pod annotation", "pod", "pods", "pods", "annotations"},
    [RULE_MATCH_NAMESPACE_ANNOTATION] = {"namespace annotation", "namespace", "namespaces", "namespaces", "annotations"},
    [RULE_MATCH_NODE_LABEL] = {"node label", "node", "nodes", "nodes", "labels"},
    [RULE_MATCH_NODE_POOL] = {"node pool", "node", "nodes", "nodes", "labels"},
};

static const struct steps *steps_of(const struct inventory *inv, enum rule_match match, size_t i)
{
    switch (match) {
    case RULE_MATCH_POD_LABEL: return &inv->pods.v[i].labels;
    case RULE_MATCH_POD_ANNOTATION: return &inv->pods.v[i].annotations;
    case RULE_MATCH_NAMESPACE_LABEL: return &inv->namespaces.v[i].labels;
    case RULE_MATCH_NAMESPACE_ANNOTATION: return &inv->namespaces.v[i].annotations;
    default: return &inv->nodes.v[i].labels;
    }
}

static size_t count_bearers(const struct inventory *inv, enum rule_match match)
{
    switch (match) {
    case RULE_MATCH_POD_LABEL: case RULE_MATCH_POD_ANNOTATION: return inv->pods.n;
    case RULE_MATCH_NAMESPACE_LABEL: case RULE_MATCH_NAMESPACE_ANNOTATION: return inv->namespaces.n;
    default: return inv->nodes.n;
    }
}

/* Whether thing i has one of the labels; name is scratch. */
static bool bears(const struct inventory *inv, const struct rule_matcher *m, size_t i, struct buf *name)
{
    for (const char *const *n = m->names; *n; n++) {
        buf_clear(name);
        owner_match_add_name(name, m->match, *n);
        if (steps_have(inv, steps_of(inv, m->match, i), buf_span(name)))
            return true;
    }
    return false;
}

static void add_names(struct buf *b, const struct rule_matcher *m, const char *between)
{
    for (const char *const *n = m->names; *n; n++)
        buf_addf(b, "%s%s", n == m->names ? "" : between, *n);
}

static void say_label(struct view *v, const struct rule_matcher *m)
{
    const struct bearer *bearer = &bearers[m->match];
    struct buf name = {0}, text = {0}, hint = {0};
    size_t have = 0;

    for (size_t i = 0; i < count_bearers(v->inv, m->match); i++)
        have += bears(v->inv, m, i, &name);
    if (m->match == RULE_MATCH_NODE_POOL)
        buf_adds(&text, "a label of the cloud's");
    else
        add_names(&text, m, " or ");
    buf_addf(&text, ": on %zu %s", have, have == 1 ? bearer->one : bearer->many);
    buf_addf(&hint, "kube-state-metrics: --metric-%s-allowlist=%s=[", bearer->list, bearer->resource);
    add_names(&hint, m, ",");
    buf_adds(&hint, "]");
    say(v, have ? SURVEY_FOUND : SURVEY_MISSING, bearer->subject, &text, buf_str(&hint));
    buf_free(&name);
    buf_free(&hint);
}

static void say_labels(struct view *v)
{
    for (size_t i = 0; i < v->rule->owners.n; i++)
        for (size_t k = 0; k < v->rule->owners.v[i].n_matchers; k++)
            if (v->rule->owners.v[i].matchers[k].names)
                say_label(v, &v->rule->owners.v[i].matchers[k]);
}

/* ---- time ---- */

static void say_time(struct view *v, struct timespan reach)
{
    struct buf text = {0};
    bool whole;

    if (reach.from > reach.to || reach.from >= v->period.to) {
        buf_adds(&text, "no GPU sample in the period");
        if (reach.from <= reach.to) {
            buf_adds(&text, ": the oldest is of ");
            time_add_text(&text, time_floor(reach.from, TIME_SECOND));
        }
        say(v, SURVEY_FATAL, "time", &text, "ask for a period that the source still has: a Prometheus keeps 15 days unless told otherwise");
        return;
    }
    buf_adds(&text, "GPU samples from ");
    time_add_text(&text, time_floor(reach.from, TIME_SECOND));
    buf_adds(&text, " to ");
    time_add_text(&text, time_floor(reach.to, TIME_SECOND));
    whole = reach.from <= v->period.from + TIME_HOUR && reach.to >= v->period.to - TIME_HOUR;
    say(v, whole ? SURVEY_FOUND : SURVEY_PARTLY, "time", &text,
        "what lies outside is (no-metrics): keep samples longer (--storage.tsdb.retention.time), or report while they are there");
}

void survey_build(struct survey *s, const struct rule *rule, const struct inventory *inv, const struct series *series, size_t n_series,
                  struct timespan period, struct timespan reach)
{
    struct view v = {.out = s, .rule = rule, .inv = inv, .series = series, .n_series = n_series, .period = period};

    v.gpus = xcalloc(inv->gpus.n + 1, sizeof *v.gpus);
    v.gpu_nodes = xcalloc(inv->nodes.n + 1, sizeof *v.gpu_nodes);
    v.shared_nodes = xcalloc(inv->nodes.n + 1, sizeof *v.shared_nodes);
    look_at_series(&v);
    look_at_nodes(&v);
    say_time(&v, reach);
    say_gpus(&v);
    say_nodes(&v);
    say_labels(&v);
    free(v.gpus);
    free(v.gpu_nodes);
    free(v.shared_nodes);
}

void survey_free(struct survey *s)
{
    for (size_t i = 0; i < s->findings.n; i++) {
        free(s->findings.v[i].text);
        free(s->findings.v[i].hint);
    }
    vec_free(&s->findings);
}
