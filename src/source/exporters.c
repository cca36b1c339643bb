/* exporters: tables, and the few functions that look things up in them.
 *
 * Two kinds of table: families (what a metric's numbers mean) and label names (what a label's value stands for). Exporters differ in
 * names only, so nothing here asks which exporter a series comes from. A family that is not listed is not read.
 *
 * Not here: which of a series' pods is the workload when both stand in its labels (source/scrape), or how series make a picture of the
 * cluster (source/inventory). */
#include "gputab/source/exporters.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- label names of families ---- */

static const struct family_label amd_labels[] = {
    { "gpu_id", ROLE_INDEX }, { "gpu_partition_id", ROLE_PARTITION }, { "card_model", ROLE_MODEL },
    { "job_id", ROLE_HPC_JOB }, { "job_user", ROLE_HPC_USER }, { NULL, 0 }
};
static const struct family_label gke_labels[] = {
    { "accelerator_id", ROLE_UUID }, { "accelerator_index", ROLE_INDEX }, { "model", ROLE_MODEL }, { "node_name", ROLE_NODE },
    { "namespace_name", ROLE_SPELT_NAMESPACE }, { NULL, 0 }
};
static const struct family_label neuron_labels[] = {
    { "instance_id", ROLE_MACHINE }, { "instance_type", ROLE_INSTANCE_TYPE }, { "runtime_tag", ROLE_SLOT }, { NULL, 0 }
};
static const struct family_label nvitop_labels[] = { { "devicename", ROLE_MODEL }, { "index", ROLE_INDEX }, { NULL, 0 } };
static const struct family_label smi_labels[] = {
    { "gpu_instance_id", ROLE_GPU_INSTANCE }, { "profile", ROLE_PROFILE }, { "name", ROLE_MODEL }, { NULL, 0 }
};
static const struct family_label tencent_labels[] = { { "gpu_memory", ROLE_INDEX }, { NULL, 0 } };
static const struct family_label xpum_labels[] = {
    { "sub_dev", ROLE_PARTITION }, { "kube_namespace", ROLE_SPELT_NAMESPACE }, { "kube_pod", ROLE_SPELT_POD },
    { "kube_container", ROLE_SPELT_CONTAINER }, { NULL, 0 }
};
static const struct family_label xpumd_labels[] = {
    { "hw_id", ROLE_UUID }, { "com_intel_subdevice_id", ROLE_PARTITION }, { "hw_model", ROLE_MODEL }, { NULL, 0 }
};

/* ---- families ---- */

#define INSTANCES_ONLY .only = { "GPU_I_ID", "?*" }

const struct family exporters_families[] = {
    /* NVIDIA dcgm-exporter; lower-case names are those of its compatibility list */
    { "DCGM_FI_DEV_FB_USED", SAMPLE_USED, UNIT_MIB, PODS_MAYBE },
    { "DCGM_FI_DEV_FB_FREE", SAMPLE_FREE, UNIT_MIB, PODS_MAYBE },
    { "DCGM_FI_DEV_FB_TOTAL", SAMPLE_TOTAL, UNIT_MIB, PODS_MAYBE },
    { "DCGM_FI_DEV_FB_RESERVED", SAMPLE_RESERVED, UNIT_MIB, PODS_MAYBE },
    { "dcgm_fb_used", SAMPLE_USED, UNIT_MIB, PODS_MAYBE },
    { "dcgm_fb_free", SAMPLE_FREE, UNIT_MIB, PODS_MAYBE },
    /* Some drivers give no memory of MIG instances: another field shows which instances there are, and whose. */
    { "DCGM_FI_PROF_GR_ENGINE_ACTIVE", SAMPLE_PRESENT, UNIT_ONE, PODS_MAYBE, INSTANCES_ONLY },
    { "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", SAMPLE_PRESENT, UNIT_ONE, PODS_MAYBE, INSTANCES_ONLY },
    { "dcgm_fi_prof_gr_engine_active", SAMPLE_PRESENT, UNIT_ONE, PODS_MAYBE, INSTANCES_ONLY },
    { "DCGM_FI_DEV_POWER_USAGE", SAMPLE_PRESENT, UNIT_ONE, PODS_MAYBE, INSTANCES_ONLY },
    { "DCGM_FI_DEV_BOARD_POWER_WATTS", SAMPLE_PRESENT, UNIT_ONE, PODS_MAYBE, INSTANCES_ONLY },
    /* pod-gpu-metrics-exporter, its forerunner */
    { "dcgm_process_mem_used", SAMPLE_PROCESS_USED, UNIT_MIB, PODS_ALWAYS },
    /* HAMi, and the monitor of Volcano's vGPU plugin, which has the legacy names. The scheduler's limits are left out: with memory
     * scaling they exceed the card. */
    { "hami_vgpu_memory_used_bytes", SAMPLE_LAYER_USED, UNIT_BYTES, PODS_ALWAYS },
    { "hami_container_device_memory_bytes", SAMPLE_LAYER_USED, UNIT_BYTES, PODS_ALWAYS },
    { "vGPU_device_memory_usage_in_bytes", SAMPLE_LAYER_USED, UNIT_BYTES, PODS_ALWAYS },
    { "hami_host_gpu_memory_used_bytes", SAMPLE_USED, UNIT_BYTES, PODS_NO },
    { "HostGPUMemoryUsage", SAMPLE_USED, UNIT_BYTES, PODS_NO },
    /* KAI GPU fractioning */
    { "gpu_fractioning_gpu_memory_used_bytes", SAMPLE_LAYER_USED, UNIT_BYTES, PODS_ALWAYS },
    /* Run:ai shows whole cards and fractions alike, so its values are a device exporter's, not a sharing layer's. */
    { "runai_gpu_memory_used_mebibytes_per_pod_per_gpu", SAMPLE_PROCESS_USED, UNIT_MIB, PODS_ALWAYS },
    { "runai_gpu_memory_used_mebibytes_per_gpu", SAMPLE_USED, UNIT_MIB, PODS_NO },
    { "runai_gpu_memory_total_mebibytes_per_gpu", SAMPLE_TOTAL, UNIT_MIB, PODS_NO },
    /* nvidia_gpu_exporter; its series have pods where somebody joined them */
    { "nvidia_smi_memory_used_bytes", SAMPLE_USED, UNIT_BYTES, PODS_NO },
    { "nvidia_smi_memory_free_bytes", SAMPLE_FREE, UNIT_BYTES, PODS_NO },
    { "nvidia_smi_memory_total_bytes", SAMPLE_TOTAL, UNIT_BYTES, PODS_NO },
    { "nvidia_smi_memory_reserved_bytes", SAMPLE_RESERVED, UNIT_BYTES, PODS_NO },
    { "nvidia_smi_mig_memory_used_bytes", SAMPLE_USED, UNIT_BYTES, PODS_NO, .labels = smi_labels },
    { "nvidia_smi_mig_memory_free_bytes", SAMPLE_FREE, UNIT_BYTES, PODS_NO, .labels = smi_labels },
    { "nvidia_smi_mig_memory_total_bytes", SAMPLE_TOTAL, UNIT_BYTES, PODS_NO, .labels = smi_labels },
    { "nvidia_smi_mig_memory_reserved_bytes", SAMPLE_RESERVED, UNIT_BYTES, PODS_NO, .labels = smi_labels },
    { "nvidia_smi_compute_app_used_memory_bytes", SAMPLE_PROCESS_USED, UNIT_BYTES, PODS_MAYBE, .labels = smi_labels },
    { "nvidia_smi_gpu_info", RECORD_GPU_INFO, UNIT_ONE, PODS_NO, .labels = smi_labels },
    { "nvidia_smi_mig_info", RECORD_GPU_INFO, UNIT_ONE, PODS_NO, .labels = smi_labels },
    /* nvitop-exporter */
    { "gpu_memory_used_MiB", SAMPLE_USED, UNIT_MIB, PODS_NO, .labels = nvitop_labels },
    { "gpu_memory_free_MiB", SAMPLE_FREE, UNIT_MIB, PODS_NO, .labels = nvitop_labels },
    { "gpu_memory_total_MiB", SAMPLE_TOTAL, UNIT_MIB, PODS_NO, .labels = nvitop_labels },
    { "process_gpu_memory_MiB", SAMPLE_PROCESS_USED, UNIT_MIB, PODS_MAYBE, .labels = nvitop_labels },
    /* Alibaba ACK's ack-gpu-exporter, beside DCGM's names */
    { "DCGM_CUSTOM_PROCESS_MEM_USED", SAMPLE_LAYER_PROCESS, UNIT_MIB, PODS_ALWAYS },
    { "DCGM_CUSTOM_DEV_FB_TOTAL", SAMPLE_TOTAL, UNIT_MIB, PODS_NO },
    /* Tencent's gpu-manager: "total" is a container's sum over its cards, and the family is what is used */
    { "container_gpu_memory_total", SAMPLE_LAYER_USED, UNIT_MIB, PODS_ALWAYS, .labels = tencent_labels, .only = { "gpu_memory", "gpu*" } },
    /* AMD device-metrics-exporter, without and with the usual prefix; it divides bytes by 2^20 */
    { "gpu_used_vram", SAMPLE_USED, UNIT_MIB, PODS_MAYBE, .labels = amd_labels },
    { "gpu_free_vram", SAMPLE_FREE, UNIT_MIB, PODS_MAYBE, .labels = amd_labels },
    { "gpu_total_vram", SAMPLE_TOTAL, UNIT_MIB, PODS_MAYBE, .labels = amd_labels },
    { "amd_gpu_used_vram", SAMPLE_USED, UNIT_MIB, PODS_MAYBE, .labels = amd_labels },
    { "amd_gpu_free_vram", SAMPLE_FREE, UNIT_MIB, PODS_MAYBE, .labels = amd_labels },
    { "amd_gpu_total_vram", SAMPLE_TOTAL, UNIT_MIB, PODS_MAYBE, .labels = amd_labels },
    /* AWS Neuron: a process's memory on all devices of the machine together */
    { "neuron_runtime_memory_used_bytes", SAMPLE_PROCESS_USED, UNIT_BYTES, PODS_MAYBE, .labels = neuron_labels,
      .only = { "memory_location", "neuron_device" } },
    /* GKE: its device plugin, and Cloud Monitoring's names as Google writes them in PromQL */
    { "memory_used", SAMPLE_USED, UNIT_BYTES, PODS_MAYBE, .labels = gke_labels, .only = { "accelerator_id", "?*" } },
    { "memory_total", SAMPLE_TOTAL, UNIT_BYTES, PODS_MAYBE, .labels = gke_labels, .only = { "accelerator_id", "?*" } },
    { "memory_used_gpu_node", SAMPLE_USED, UNIT_BYTES, PODS_NO, .labels = gke_labels },
    { "memory_total_gpu_node", SAMPLE_TOTAL, UNIT_BYTES, PODS_NO, .labels = gke_labels },
    { "kubernetes_io:container_accelerator_memory_used", SAMPLE_USED, UNIT_BYTES, PODS_MAYBE, .labels = gke_labels },
    { "kubernetes_io:container_accelerator_memory_total", SAMPLE_TOTAL, UNIT_BYTES, PODS_MAYBE, .labels = gke_labels },
    /* Intel: xpumd, and XPU Manager before it */
    { "hw_memory_usage_bytes", SAMPLE_USED, UNIT_BYTES, PODS_NO, .labels = xpumd_labels, .only = { "hw_memory_location", "device" } },
    { "hw_memory_size_bytes", SAMPLE_TOTAL, UNIT_BYTES, PODS_NO, .labels = xpumd_labels, .only = { "hw_memory_location", "device" } },
    { "hw_gpu_info", RECORD_GPU_INFO, UNIT_ONE, PODS_NO, .labels = xpumd_labels },
    { "xpum_memory_used_bytes", SAMPLE_USED, UNIT_BYTES, PODS_MAYBE, .labels = xpum_labels },
    /* cAdvisor */
    { "container_cpu_usage_seconds_total", SAMPLE_CPU, UNIT_NANO, PODS_ALWAYS },
    { "container_memory_working_set_bytes", SAMPLE_MEMORY, UNIT_BYTES, PODS_ALWAYS },
    /* kube-state-metrics; names that end in a resource are those of version 1 */
    { "kube_pod_container_resource_requests", FAMILY_REQUEST, UNIT_ONE, PODS_ALWAYS },
    { "kube_pod_container_resource_requests_cpu_cores", FAMILY_REQUEST, UNIT_ONE, PODS_ALWAYS, "cpu" },
    { "kube_pod_container_resource_requests_memory_bytes", FAMILY_REQUEST, UNIT_ONE, PODS_ALWAYS, "memory" },
    { "kube_node_status_capacity", FAMILY_CAPACITY, UNIT_ONE, PODS_NO },
    { "kube_node_status_capacity_cpu_cores", FAMILY_CAPACITY, UNIT_ONE, PODS_NO, "cpu" },
    { "kube_node_status_capacity_memory_bytes", FAMILY_CAPACITY, UNIT_ONE, PODS_NO, "memory" },
    { "kube_node_info", RECORD_NODE_INFO, UNIT_ONE, PODS_NO },
    { "kube_node_labels", RECORD_NODE_LABELS, UNIT_ONE, PODS_NO },
    { "kube_pod_info", RECORD_POD_INFO, UNIT_ONE, PODS_ALWAYS },
    { "kube_pod_labels", RECORD_POD_LABELS, UNIT_ONE, PODS_ALWAYS },
    { "kube_pod_owner", RECORD_POD_OWNER, UNIT_ONE, PODS_ALWAYS },
    { "kube_pod_status_phase", RECORD_POD_PHASE, UNIT_ONE, PODS_ALWAYS },
    { "kube_pod_completion_time", RECORD_POD_COMPLETION, UNIT_MILLI, PODS_ALWAYS },
    { "kube_pod_deletion_timestamp", RECORD_POD_DELETION, UNIT_MILLI, PODS_ALWAYS },
    { "kube_replicaset_owner", RECORD_REPLICASET_OWNER, UNIT_ONE, PODS_NO },
    { "kube_job_owner", RECORD_JOB_OWNER, UNIT_ONE, PODS_NO },
    { "kube_namespace_labels", RECORD_NAMESPACE_LABELS, UNIT_ONE, PODS_NO },
    /* names that promise GPU memory and mean something else */
    { "DCGM_FI_DEV_MEM_COPY_UTIL", FAMILY_REFUSED, UNIT_ONE, PODS_NO, NULL, "how busy the memory bus is, in percent" },
    { "dcgm_mem_copy_utilization", FAMILY_REFUSED, UNIT_ONE, PODS_NO, NULL, "how busy the memory bus is, in percent" },
    { "DCGM_FI_DEV_FB_USED_PERCENT", FAMILY_REFUSED, UNIT_ONE, PODS_NO, NULL, "a share of the card, whose base changed with the driver" },
    { "DCGM_FI_DEV_FB_USED_RATIO", FAMILY_REFUSED, UNIT_ONE, PODS_NO, NULL, "a share of the card, whose base changed with the driver" },
    { "accelerator_memory_used_bytes", FAMILY_REFUSED, UNIT_ONE, PODS_NO, NULL, "how busy the memory bus is, in percent" },
    { "accelerator_memory_total_bytes", FAMILY_REFUSED, UNIT_ONE, PODS_NO, NULL, "MiB under a name that says bytes" },
    { 0 }
};

const struct family_label exporters_labels[] = {
    { "UUID", ROLE_UUID }, { "uuid", ROLE_UUID }, { "device_uuid", ROLE_UUID }, { "deviceuuid", ROLE_UUID }, { "gpu_uuid", ROLE_UUID },
    { "gpu", ROLE_INDEX }, { "device_index", ROLE_INDEX }, { "deviceidx", ROLE_INDEX },
    { "GPU_I_ID", ROLE_GPU_INSTANCE },
    { "GPU_I_PROFILE", ROLE_PROFILE }, { "dra_mig_profile", ROLE_PROFILE },
    { "modelName", ROLE_MODEL }, { "model_name", ROLE_MODEL },
    { "exported_namespace", ROLE_EXPORTED_NAMESPACE }, { "exported_pod", ROLE_EXPORTED_POD },
    { "exported_container", ROLE_EXPORTED_CONTAINER },
    { "podnamespace", ROLE_SPELT_NAMESPACE }, { "podname", ROLE_SPELT_POD }, { "ctrname", ROLE_SPELT_CONTAINER },
    { "NamespaceName", ROLE_SPELT_NAMESPACE }, { "PodName", ROLE_SPELT_POD }, { "ContainerName", ROLE_SPELT_CONTAINER },
    { "pod_namespace", ROLE_SPELT_NAMESPACE }, { "pod_name", ROLE_SPELT_POD }, { "container_name", ROLE_SPELT_CONTAINER },
    { "namespace", ROLE_NAMESPACE }, { "pod", ROLE_POD }, { "container", ROLE_CONTAINER },
    { "exported_pod_uid", ROLE_UID }, { "exported_uid", ROLE_UID }, { "pod_uid", ROLE_UID }, { "pod_uuid", ROLE_UID }, { "uid", ROLE_UID },
    { "exported_node", ROLE_NODE }, { "node", ROLE_NODE }, { "kubernetes_node", ROLE_NODE }, { "nodename", ROLE_NODE },
    { "NodeName", ROLE_NODE }, { "nodeid", ROLE_NODE },
    { "Hostname", ROLE_HOSTNAME }, { "hostname", ROLE_HOSTNAME },
    { "instance", ROLE_INSTANCE },
    { "vgpu", ROLE_SLOT }, { "vdevice_index", ROLE_SLOT }, { "vdeviceid", ROLE_SLOT }, { "process_pid", ROLE_SLOT },
    { "ProcessId", ROLE_SLOT }, { "pid", ROLE_SLOT }, { "id", ROLE_SLOT }, { "name", ROLE_SLOT },
    { "hpc_job", ROLE_HPC_JOB },
    { "resource", ROLE_RESOURCE },
    { "metrics_path", ROLE_METRICS_PATH },
    { "cpu", ROLE_CPU },
    { "provider_id", ROLE_PROVIDER_ID },
    { "internal_ip", ROLE_INTERNAL_IP },
    { "label_node_kubernetes_io_instance_type", ROLE_INSTANCE_TYPE },
    { "label_beta_kubernetes_io_instance_type", ROLE_INSTANCE_TYPE },
    { "owner_kind", ROLE_OWNER_KIND }, { "owner_name", ROLE_OWNER_NAME }, { "owner_is_controller", ROLE_OWNER_IS_CONTROLLER },
    { "created_by_kind", ROLE_CREATED_BY_KIND }, { "created_by_name", ROLE_CREATED_BY_NAME },
    { "replicaset", ROLE_REPLICASET },
    { "job_name", ROLE_JOB_NAME },
    { "phase", ROLE_PHASE },
    { 0 }
};

const char *const exporters_target_labels[] = {
    "job", "instance", "__replica__", "prometheus_replica", "receive_replica", "replica", NULL
};

/* Resources as kube-state-metrics writes them, globs, first match. Others, such as HAMi's gpumem and gpucores, are no count of GPUs. */
static const struct resource {
    const char *glob;
    int request, capacity;
    enum family_unit unit;
} resources[] = {
    { "nvidia_com_gpu_shared", SAMPLE_REQUEST_GPU_SHARED, SAMPLE_CAPACITY_GPU_SHARED, UNIT_MICRO },
    { "nvidia_com_mig_*_shared", SAMPLE_REQUEST_GPU_SHARED, SAMPLE_CAPACITY_GPU_SHARED, UNIT_MICRO },
    { "nvidia_com_gpu", SAMPLE_REQUEST_GPU, SAMPLE_CAPACITY_GPU, UNIT_MICRO },
    { "nvidia_com_mig_*", SAMPLE_REQUEST_GPU, SAMPLE_CAPACITY_GPU, UNIT_MICRO },
    { "amd_com_gpu", SAMPLE_REQUEST_GPU, SAMPLE_CAPACITY_GPU, UNIT_MICRO },
    { "gpu_intel_com_i915", SAMPLE_REQUEST_GPU, SAMPLE_CAPACITY_GPU, UNIT_MICRO },
    { "gpu_intel_com_xe", SAMPLE_REQUEST_GPU, SAMPLE_CAPACITY_GPU, UNIT_MICRO },
    { "aws_amazon_com_neuron*", SAMPLE_REQUEST_GPU, SAMPLE_CAPACITY_GPU, UNIT_MICRO },
    { "cpu", SAMPLE_REQUEST_CPU, RECORD_NODE_CPU, UNIT_NANO },
    { "memory", SAMPLE_REQUEST_MEMORY, RECORD_NODE_MEMORY, UNIT_BYTES },
};

/* Names of pods and containers that export GPU metrics and hold no GPU themselves. */
static const char *const exporter_globs[] = {
    "*dcgm-exporter*", "*gpu-exporter*", "*gpu_exporter*", "*vgpu-monitor*", "*hami-device-plugin*", "*volcano-device-plugin*",
    "*metrics-exporter*", "*metricsd", "*metricsd-*", "*gpu-manager*", "*gpu-device-plugin*", "*neuron-monitor*", "*smi-exporter*",
    "*nvitop-exporter*", "*xpumd*", "*xpumanager*", "*xpu-manager*",
};

static const struct {
    const char *label;             /* glob */
    const char *value;             /* NULL: any */
    uint32_t bits;
} sharing_labels[] = {
    { "label_nvidia_com_gpu_sharing_strategy", "time-slicing", SHARING_TIME_SLICING },
    { "label_nvidia_com_gpu_sharing_strategy", "mps", SHARING_MPS },
    { "label_cloud_google_com_gke_gpu_sharing_strategy", "time-sharing", SHARING_TIME_SLICING },
    { "label_cloud_google_com_gke_gpu_sharing_strategy", "mps", SHARING_MPS },
    { "label_nvidia_com_*", NULL, SHARING_LABELS_KNOWN },
    { "label_amd_com_*", NULL, SHARING_LABELS_KNOWN },
    { "label_cloud_google_com_gke_gpu_*", NULL, SHARING_LABELS_KNOWN },
    { "label_cloud_google_com_gke_accelerator*", NULL, SHARING_LABELS_KNOWN },
};

enum { RESOURCES = sizeof resources / sizeof *resources,
       EXPORTER_GLOBS = sizeof exporter_globs / sizeof *exporter_globs, SHARING_LABELS = sizeof sharing_labels / sizeof *sharing_labels };

static const struct resource *find_resource(struct span name)
{
    for (int i = 0; i < RESOURCES; i++)
        if (span_glob(name, resources[i].glob))
            return &resources[i];
    return NULL;
}

/* A container's own cgroup. The pod's cgroup has no container name and the pause container "POD"; the resource endpoint of the kubelet
 * repeats both families under another path. */
static bool is_container(const struct span *roles)
{
    struct span name = roles[ROLE_CONTAINER], path = roles[ROLE_METRICS_PATH];

    if (roles[ROLE_EXPORTED_CONTAINER].n > 0)
        name = roles[ROLE_EXPORTED_CONTAINER];
    else if (roles[ROLE_SPELT_CONTAINER].n > 0)
        name = roles[ROLE_SPELT_CONTAINER];
    return name.n > 0 && !span_eq(name, "POD") && (path.n == 0 || span_eq(path, "/metrics/cadvisor"));
}

bool exporters_meaning(const struct family *f, const struct span *roles, int *kind, enum family_unit *unit)
{
    const struct resource *r;

    *kind = f->kind;
    *unit = f->unit;
    switch (f->kind) {
    case FAMILY_REFUSED:
        return false;
    case SAMPLE_CPU:
    case SAMPLE_MEMORY:
        return is_container(roles);
    case FAMILY_REQUEST:
    case FAMILY_CAPACITY:
        r = find_resource(f->resource ? span_of(f->resource) : roles[ROLE_RESOURCE]);
        if (!r)
            return false;
        *kind = f->kind == FAMILY_REQUEST ? r->request : r->capacity;
        *unit = r->unit;
        return true;
    default:
        return true;
    }
}

__extension__ typedef unsigned __int128 wide;

/* v x 2^exponent for a negative exponent, rounded half to even. */
static wide shift_down(wide v, int exponent)
{
    wide half, rest;

    if (exponent < -100)                               /* v is below 2^83 */
        return 0;
    half = (wide)1 << (-exponent - 1);
    rest = v & (2 * half - 1);
    v >>= -exponent;
    return v + (rest > half || (rest == half && (v & 1)));
}

const uint32_t exporters_scale[] = {
    [UNIT_ONE] = 1, [UNIT_MILLI] = 1000, [UNIT_MICRO] = 1000000, [UNIT_NANO] = 1000000000,
    [UNIT_BYTES] = 1, [UNIT_KIB] = 1 << 10, [UNIT_MIB] = 1 << 20, [UNIT_GIB] = 1 << 30,
};

bool exporters_round(double value, enum family_unit unit, uint64_t *out)
{
    wide product;
    int exponent;

    if (!isfinite(value) || value < 0)
        return false;
    product = (wide)ldexp(frexp(value, &exponent), 53) * exporters_scale[unit];
    exponent -= 53;                                    /* the value is product x 2^exponent, exactly */
    if (exponent > 10)
        return false;
    product = exponent < 0 ? shift_down(product, exponent) : product << exponent;
    *out = (uint64_t)product;
    return product <= INT64_MAX;
}

/* The digits and dashes of a UUID, behind "GPU-" in any case or alone; empty: it has another shape. */
static struct span bare_uuid(struct span s)
{
    static const char shape[] = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";

    if (s.n == sizeof shape + 3 && span_eq_fold((struct span){ s.p, 4 }, "GPU-"))
        s = (struct span){ s.p + 4, s.n - 4 };
    if (s.n != sizeof shape - 1)
        return (struct span){ NULL, 0 };
    for (size_t i = 0; i < s.n; i++)
        if (shape[i] == '-' ? s.p[i] != '-' : !memchr("0123456789abcdefABCDEF", s.p[i], 22))
            return (struct span){ NULL, 0 };
    return s;
}

void exporters_add_uuid(struct buf *b, struct span uuid)
{
    static const char *const suffixes[] = { "::", "/vgpu" };
    struct span bare;

    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && uuid.n > 0; i++) {
        const char *p = memmem(uuid.p, uuid.n, suffixes[i], strlen(suffixes[i]));

        if (p)
            uuid.n = (size_t)(p - uuid.p);
    }
    bare = bare_uuid(uuid);
    if (bare.n == 0) {
        buf_add_span(b, uuid);
        return;
    }
    buf_adds(b, "GPU-");
    for (size_t i = 0; i < bare.n; i++)
        buf_addc(b, bare.p[i] >= 'A' && bare.p[i] <= 'F' ? (char)(bare.p[i] + 'a' - 'A') : bare.p[i]);
}

struct span exporters_index(struct span text)
{
    size_t n = text.n;

    while (n > 0 && text.p[n - 1] >= '0' && text.p[n - 1] <= '9')
        n--;
    return n == text.n ? (struct span){ NULL, 0 } : (struct span){ text.p + n, text.n - n };
}

bool exporters_is_exporter(struct span name)
{
    for (int i = 0; i < EXPORTER_GLOBS; i++)
        if (span_glob(name, exporter_globs[i]))
            return true;
    return false;
}

static bool above_one(struct span s)
{
    while (s.n > 1 && *s.p == '0') {
        s.p++;
        s.n--;
    }
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > 1 || (s.n == 1 && *s.p > '1');
}

uint32_t exporters_sharing(struct span label, struct span value)
{
    uint32_t bits = 0;

    if (value.n == 0)
        return 0;
    for (int i = 0; i < SHARING_LABELS; i++)
        if (span_glob(label, sharing_labels[i].label) && (!sharing_labels[i].value || span_eq(value, sharing_labels[i].value)))
            bits |= sharing_labels[i].bits;
    if (span_eq(label, "label_nvidia_com_gpu_replicas") && above_one(value))
        bits |= SHARING_REPLICAS;
    return bits;
}
