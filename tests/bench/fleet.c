/* fleet: see the header. What looks random is a hash of numbers, so that everything can be asked in any order.
 *
 * Not here: CPU and memory of pods, requests, MIG; the report follows the GPUs where these are missing (W210). */
#include "fleet.h"

#include <stdio.h>

enum { CHURN_MS = 6 * 3600 * 1000, LEVEL_MS = 15 * 60 * 1000, NAMESPACES = 16, RESOURCES = 3 };

const char *const fleet_family_names[FLEET_FAMILIES] = {
    "DCGM_FI_DEV_FB_USED", "kube_namespace_labels", "kube_node_info", "kube_node_labels", "kube_node_status_capacity",
    "kube_pod_info", "kube_pod_labels", "kube_pod_owner",
};
const char *const fleet_teams[FLEET_TEAMS] = {
    "ads", "nlp", "vision", "search", "speech", "robotics", "forecast", "fraud", "maps", "safety", "design", "platform",
};
const char *const fleet_rates[FLEET_RATES] = { "55.04", "34.1248" };

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t place_key(unsigned node, unsigned gpu, unsigned place)
{
    return (uint64_t)(node * FLEET_GPUS + gpu) * 8 + place + 1;
}

static uint64_t pod_key(unsigned node, unsigned gpu, unsigned place, int64_t pod)
{
    return mix(place_key(node, gpu, place) << 24 ^ (uint64_t)(pod + 1));
}

bool fleet_shared(unsigned node)
{
    return node % 2 == 1;
}

bool fleet_per_pod(unsigned node)
{
    return node % 8 == 1;
}

unsigned fleet_rate(unsigned node)
{
    return node / 2 % FLEET_RATES;
}

int64_t fleet_offset(const struct fleet *f, unsigned node)
{
    return (int64_t)(mix(node + 77) % (f->step_s * UINT64_C(1000)));
}

/* Pod 0 of a place begins before the first sample. */
static int64_t pod_start(unsigned node, unsigned gpu, unsigned place, int64_t pod)
{
    int64_t half_hours = (int64_t)(mix(place_key(node, gpu, place)) % (CHURN_MS / FLEET_KUBE_STEP));

    return FLEET_START - half_hours * FLEET_KUBE_STEP + (pod - 1) * CHURN_MS;
}

int64_t fleet_pod_at(unsigned node, unsigned gpu, unsigned place, int64_t t)
{
    return (t - pod_start(node, gpu, place, 0)) / CHURN_MS;
}

static unsigned namespace_of(unsigned node, unsigned gpu, unsigned place, int64_t pod)
{
    return (unsigned)(pod_key(node, gpu, place, pod) >> 40) % NAMESPACES;
}

/* Twelve teams have a namespace of their own; in the last four the pod's label names the team. */
unsigned fleet_team(unsigned node, unsigned gpu, unsigned place, int64_t pod)
{
    unsigned n = namespace_of(node, gpu, place, pod);

    return n < FLEET_TEAMS ? n : (unsigned)(pod_key(node, gpu, place, pod) >> 20) % FLEET_TEAMS;
}

static void namespace_name(unsigned n, char *out, size_t size)
{
    if (n < FLEET_TEAMS)
        snprintf(out, size, "%s-prod", fleet_teams[n]);
    else
        snprintf(out, size, "batch-%u", n - FLEET_TEAMS);
}

/* A base, a level that changes every quarter of an hour, and noise in one sample of 32. */
int64_t fleet_pod_mib(unsigned node, unsigned gpu, unsigned place, int64_t t)
{
    uint64_t key = pod_key(node, gpu, place, fleet_pod_at(node, gpu, place, t));
    uint64_t range = fleet_shared(node) ? 12288 : 57344;
    uint64_t noise = mix(key ^ (uint64_t)t);
    uint64_t level = mix(key ^ (uint64_t)(t / LEVEL_MS)) % 8 * 128;

    return (int64_t)(4096 + key % range + level + (noise % 32 ? 0 : noise >> 32 & 63));
}

int64_t fleet_device_mib(unsigned node, unsigned gpu, int64_t t)
{
    int64_t sum = FLEET_CONTEXT_MIB;

    if (!fleet_shared(node))
        return fleet_pod_mib(node, gpu, 0, t);
    for (unsigned place = 0; place < FLEET_PLACES; place++)
        sum += fleet_pod_mib(node, gpu, place, t);
    return sum;
}

/* ---- series ---- */

static int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Visits the series if it has a sample on its grid in [from, to). */
static void visit_span(struct fleet_series s, int64_t offset, int64_t from, int64_t to, fleet_visit visit, void *ctx)
{
    int64_t base = FLEET_START - FLEET_KUBE_STEP + offset, steps;

    from = max64(from, base);
    steps = (from - base + s.step - 1) / s.step;
    s.first = base + steps * s.step;
    s.n = s.first < to ? (to - s.first + s.step - 1) / s.step : 0;
    if (s.n > 0)
        visit(ctx, &s);
}

/* The pods of one place, and whoever else has a series there. */
static void each_pod(struct fleet_series s, int64_t offset, int64_t from, int64_t to, fleet_visit visit, void *ctx)
{
    int64_t last = fleet_pod_at(s.node, s.gpu, s.place, to - 1);

    for (s.pod = fleet_pod_at(s.node, s.gpu, s.place, from); s.pod <= last; s.pod++) {
        int64_t start = pod_start(s.node, s.gpu, s.place, s.pod);

        visit_span(s, offset, max64(from, start), min64(to, start + CHURN_MS), visit, ctx);
    }
}

static void each_place(struct fleet_series s, int64_t offset, int64_t from, int64_t to, fleet_visit visit, void *ctx)
{
    unsigned places = fleet_shared(s.node) ? FLEET_PLACES : 1;

    for (s.gpu = 0; s.gpu < FLEET_GPUS; s.gpu++) {
        for (s.place = 0; s.place < places; s.place++)
            each_pod(s, offset, from, to, visit, ctx);
        s.place = FLEET_PLACES;
        s.pod = -1;
        if (s.family == FLEET_FB_USED && fleet_per_pod(s.node))
            visit_span(s, offset, from, to, visit, ctx);
    }
}

static void each_number(struct fleet_series s, unsigned n, int64_t from, int64_t to, fleet_visit visit, void *ctx)
{
    for (s.place = 0; s.place < n; s.place++)
        visit_span(s, 0, from, to, visit, ctx);
}

void fleet_each(const struct fleet *f, enum fleet_family family, int64_t from, int64_t to, fleet_visit visit, void *ctx)
{
    struct fleet_series s = { .family = family, .pod = -1, .step = FLEET_KUBE_STEP };

    from = max64(from, FLEET_START - FLEET_KUBE_STEP);
    to = min64(to, FLEET_START + f->days * FLEET_DAY);
    if (from >= to)
        return;
    if (family == FLEET_NAMESPACE_LABELS) {
        each_number(s, NAMESPACES, from, to, visit, ctx);
        return;
    }
    for (s.node = 0; s.node < f->nodes; s.node++) {
        s.step = family == FLEET_FB_USED ? f->step_s * INT64_C(1000) : FLEET_KUBE_STEP;
        if (family == FLEET_FB_USED)
            each_place(s, fleet_offset(f, s.node), from, to, visit, ctx);
        else if (family >= FLEET_POD_INFO)
            each_place(s, 0, from, to, visit, ctx);
        else
            each_number(s, family == FLEET_NODE_CAPACITY ? RESOURCES : 1, from, to, visit, ctx);
    }
}

int64_t fleet_value(const struct fleet_series *s, int64_t t)
{
    const int64_t capacity[RESOURCES] = { 192, INT64_C(2048) << 30, FLEET_GPUS * (fleet_shared(s->node) ? FLEET_PLACES : 1) };

    if (s->family == FLEET_NODE_CAPACITY)
        return capacity[s->place];
    if (s->family != FLEET_FB_USED)
        return 1;
    if (s->pod < 0 || !fleet_per_pod(s->node))
        return fleet_device_mib(s->node, s->gpu, t);
    return fleet_pod_mib(s->node, s->gpu, s->place, t);
}

/* ---- labels ---- */

#define ADD(out, label, ...) \
    ((out)->v[(out)->n].name = (label), snprintf((out)->v[(out)->n].value, sizeof (out)->v[0].value, __VA_ARGS__), (out)->n++)

static void node_name(unsigned node, char *out, size_t size)
{
    snprintf(out, size, "ip-10-20-%u-%u", node / 200 + 1, node % 200 + 11);
}

void fleet_resource_id(unsigned node, char *out, unsigned size)
{
    snprintf(out, size, "i-0%016llx", (unsigned long long)(mix(node + 1000003) | 1));
}

static void add_uid(struct fleet_labels *out, const char *label, const char *prefix, uint64_t key)
{
    uint64_t a = mix(key + 1), b = mix(key + 2);

    ADD(out, label, "%s%08x-%04x-4%03x-8%03x-%012llx", prefix, (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xfff),
        (unsigned)(b >> 52), (unsigned long long)(b & 0xffffffffffff));
}

static void add_namespace(struct fleet_labels *out, const char *label, const struct fleet_series *s)
{
    char name[32];

    namespace_name(namespace_of(s->node, s->gpu, s->place, s->pod), name, sizeof name);
    ADD(out, label, "%s", name);
}

static void add_pod(struct fleet_labels *out, const char *label, const struct fleet_series *s)
{
    uint64_t key = pod_key(s->node, s->gpu, s->place, s->pod);

    ADD(out, label, "job-%u-%u-%u-%lld-%05llx", s->node, s->gpu, s->place, (long long)s->pod, (unsigned long long)(key & 0xfffff));
}

static void device_labels(const struct fleet_series *s, const char *name, struct fleet_labels *out)
{
    ADD(out, "DCGM_FI_DRIVER_VERSION", "580.82.07");
    ADD(out, "Hostname", "%s", name);
    add_uid(out, "UUID", "GPU-", place_key(s->node, s->gpu, FLEET_PLACES + 1));
    ADD(out, "container", "nvidia-dcgm-exporter");
    ADD(out, "device", "nvidia%u", s->gpu);
    if (s->pod >= 0) {
        ADD(out, "exported_container", "main");
        add_namespace(out, "exported_namespace", s);
        add_pod(out, "exported_pod", s);
    }
    ADD(out, "gpu", "%u", s->gpu);
    ADD(out, "instance", "10.20.%u.%u:9400", s->node / 200 + 1, s->node % 200 + 11);
    ADD(out, "job", "nvidia-dcgm-exporter");
    ADD(out, "modelName", "NVIDIA H100 80GB HBM3");
    ADD(out, "namespace", "gpu-operator");
    ADD(out, "pci_bus_id", "00000000:%02X:00.0", 0x53 + s->gpu * 16);
    ADD(out, "pod", "nvidia-dcgm-exporter-%05llx", (unsigned long long)(mix(s->node + 5) & 0xfffff));
    if (s->pod >= 0)
        add_uid(out, "pod_uid", "", pod_key(s->node, s->gpu, s->place, s->pod));
    if (s->pod >= 0 && fleet_shared(s->node))
        ADD(out, "vgpu", "%u", s->place);
}

static void kube_target(struct fleet_labels *out)
{
    ADD(out, "instance", "10.20.250.14:8080");
    ADD(out, "job", "kube-state-metrics");
}

static void node_labels(const struct fleet_series *s, const char *name, struct fleet_labels *out)
{
    static const char *const resources[RESOURCES] = { "cpu", "memory", "nvidia_com_gpu" };
    static const char *const units[RESOURCES] = { "core", "byte", "integer" };
    bool shared = fleet_shared(s->node);
    char id[32];

    kube_target(out);
    if (s->family == FLEET_NODE_LABELS) {
        ADD(out, "label_node_kubernetes_io_instance_type", "p5.48xlarge");
        ADD(out, "label_nvidia_com_gpu_count", "%d", FLEET_GPUS);
        ADD(out, "label_nvidia_com_gpu_product", "NVIDIA-H100-80GB-HBM3%s", shared ? "-SHARED" : "");
        ADD(out, "label_nvidia_com_gpu_replicas", "%d", shared ? FLEET_PLACES : 1);
        ADD(out, "label_nvidia_com_gpu_sharing_strategy", "%s", shared ? "time-slicing" : "none");
    }
    ADD(out, "node", "%s", name);
    if (s->family == FLEET_NODE_INFO) {
        fleet_resource_id(s->node, id, sizeof id);
        ADD(out, "provider_id", "aws:///us-east-1b/%s", id);
    }
    if (s->family == FLEET_NODE_CAPACITY) {
        ADD(out, "resource", "%s", resources[s->place]);
        ADD(out, "unit", "%s", units[s->place]);
    }
}

static void pod_labels(const struct fleet_series *s, const char *name, struct fleet_labels *out)
{
    if (s->family == FLEET_POD_INFO) {
        ADD(out, "created_by_kind", "Job");
        ADD(out, "created_by_name", "job-%u-%u-%u-%lld", s->node, s->gpu, s->place, (long long)s->pod);
    }
    kube_target(out);
    if (s->family == FLEET_POD_LABELS) {
        ADD(out, "label_app_kubernetes_io_name", "trainer");
        ADD(out, "label_example_com_team", "%s", fleet_teams[fleet_team(s->node, s->gpu, s->place, s->pod)]);
    }
    add_namespace(out, "namespace", s);
    if (s->family == FLEET_POD_INFO)
        ADD(out, "node", "%s", name);
    if (s->family == FLEET_POD_OWNER) {
        ADD(out, "owner_is_controller", "true");
        ADD(out, "owner_kind", "Job");
        ADD(out, "owner_name", "job-%u-%u-%u-%lld", s->node, s->gpu, s->place, (long long)s->pod);
    }
    add_pod(out, "pod", s);
    add_uid(out, "uid", "", pod_key(s->node, s->gpu, s->place, s->pod));
}

void fleet_labels(const struct fleet_series *s, struct fleet_labels *out)
{
    char name[64];

    out->n = 0;
    node_name(s->node, name, sizeof name);
    if (s->family == FLEET_FB_USED) {
        device_labels(s, name, out);
    } else if (s->family == FLEET_NAMESPACE_LABELS) {
        kube_target(out);
        namespace_name(s->place, name, sizeof name);
        ADD(out, "label_kubernetes_io_metadata_name", "%s", name);
        ADD(out, "namespace", "%s", name);
    } else if (s->family >= FLEET_POD_INFO) {
        pod_labels(s, name, out);
    } else {
        node_labels(s, name, out);
    }
}
