"""The plan as metrics: OpenMetrics text, series after series, in the label shapes of dcgm-exporter, kube-state-metrics and cAdvisor."""
import gzip

import plan

GIB = 1 << 30
HELP = {
    "kube_node_info": ("gauge", "Information about a cluster node."),
    "kube_node_labels": ("gauge", "Kubernetes labels converted to Prometheus labels."),
    "kube_node_status_capacity": ("gauge", "The total amount of resources available for a node."),
    "kube_namespace_labels": ("gauge", "Kubernetes labels converted to Prometheus labels."),
    "kube_pod_info": ("gauge", "Information about pod."),
    "kube_pod_owner": ("gauge", "Information about the pod's owner."),
    "kube_replicaset_owner": ("gauge", "Information about the ReplicaSet's owner."),
    "kube_job_owner": ("gauge", "Information about the Job's owner."),
    "kube_pod_labels": ("gauge", "Kubernetes labels converted to Prometheus labels."),
    "kube_pod_status_phase": ("gauge", "The pod's current phase."),
    "kube_pod_container_resource_requests": ("gauge", "The number of requested request resource by a container."),
    "container_cpu_usage_seconds_total": ("counter", "Cumulative cpu time consumed in seconds."),
    "container_memory_working_set_bytes": ("gauge", "Current working set in bytes."),
    "DCGM_FI_DEV_FB_USED": ("gauge", "Framebuffer memory used (in MiB)."),
    "DCGM_FI_DEV_FB_FREE": ("gauge", "Framebuffer memory free (in MiB)."),
    "DCGM_FI_DEV_FB_RESERVED": ("gauge", "Framebuffer memory reserved (in MiB)."),
}
KSM = {"instance": "10.20.9.14:8080", "job": "kube-state-metrics"}
RECORD_STEP = 12 * plan.HOUR             # labels and owners hold until they change: writing them at every scrape would be most of the file


class Text:
    """family -> labels -> minute -> value. A second value for a minute replaces the first: pods share what is said of their owner."""

    def __init__(self):
        self.families = {name: {} for name in HELP}

    def series(self, family, labels):
        key = ",".join('%s="%s"' % item for item in sorted(labels.items()))
        return self.families[family].setdefault(key, {})

    def write(self, path):
        with open(path, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=9, mtime=0) as out:
            for family, (kind, text) in HELP.items():
                name = family[:-len("_total")] if kind == "counter" else family
                out.write(("# HELP %s %s\n# TYPE %s %s\n" % (name, text, name, kind)).encode())
                for key, samples in sorted(self.families[family].items()):
                    head = "%s{%s} " % (family, key)
                    out.write((head + ("\n" + head).join(v + STAMPS[t] for t, v in sorted(samples.items())) + "\n").encode())
            out.write(b"# EOF\n")


STAMPS = [" %d" % (plan.START + 60 * minute) for minute in range(plan.END + 1)]


def up_to(start, end, step, first=0):
    """Minutes of a scrape grid in [start, end)."""
    return range(-(-start // step) * step, min(end, plan.END), step)


def record(text, family, labels, start, end):
    """What says something about a thing: at its first scrape, at its last, and twice a day."""
    grid = up_to(start, end, plan.KUBE_STEP)
    series = text.series(family, {**KSM, **labels})
    for minute in grid:
        if minute in (grid[0], grid[-1]) or minute % RECORD_STEP == 0:
            series[minute] = "1"


def values(text, family, labels, start, end, value):
    series = text.series(family, labels)
    for minute in up_to(start, end, plan.KUBE_STEP):
        series[minute] = value


# ---- kube-state-metrics ----

REPLICAS = 4


def gpu_resources(node):
    if node.mode == "mig":
        return [("nvidia_com_mig_" + profile.replace(".", "_"), 1) for _, profile, _, _ in plan.MIG]
    return [("nvidia_com_gpu", node.gpus * (REPLICAS if node.shared else 1))]


def add_node(text, node):
    product = node.model.replace(" ", "-") + ("-SHARED" if node.shared else "")
    here = {"node": node.name}
    for start, end in node.kube:
        record(text, "kube_node_info", {**here, "internal_ip": node.ip, "kubelet_version": "v1.33.4",
                                        "provider_id": "aws:///us-east-1b/" + node.id}, start, end)
        record(text, "kube_node_labels", {
            **here, "label_node_kubernetes_io_instance_type": node.kind, "label_nvidia_com_gpu_count": str(node.gpus),
            "label_nvidia_com_gpu_product": product, "label_nvidia_com_gpu_replicas": str(REPLICAS if node.shared else 1),
            "label_nvidia_com_gpu_sharing_strategy": "time-slicing" if node.shared else "none",
            "label_nvidia_com_mig_strategy": "mixed" if node.mode == "mig" else "none"}, start, end)
        for resource, unit, value in [("cpu", "core", node.vcpu), ("memory", "byte", node.gib * GIB)] + [
                (r, "integer", n) for r, n in gpu_resources(node)]:
            values(text, "kube_node_status_capacity", {**KSM, **here, "resource": resource, "unit": unit}, start, end, str(value))


def requests(pod):
    yield "cpu", "core", "%g" % pod.cpu
    yield "memory", "byte", "%d" % (pod.gib * GIB)
    if pod.slots and pod.node.mode == "mig":
        profile = next(p for gi, p, _, _ in plan.MIG if gi == pod.slots[0][0])
        yield "nvidia_com_mig_" + profile.replace(".", "_"), "integer", "1"
    elif pod.slots:
        yield "nvidia_com_gpu", "integer", str(sum(n for _, n in pod.slots))


def add_owner(text, pod, here, start, end):
    kind, name = pod.owner
    record(text, "kube_pod_owner", {**here, "owner_kind": kind, "owner_name": name, "owner_is_controller": "true"}, start, end)
    if pod.top:
        family, key = ("kube_replicaset_owner", "replicaset") if kind == "ReplicaSet" else ("kube_job_owner", "job_name")
        record(text, family, {"namespace": pod.namespace, key: name, "owner_kind": pod.top[0], "owner_name": pod.top[1],
                              "owner_is_controller": "true"}, start, end)


def add_pod(text, pod):
    start, end = pod.start, pod.end
    seen = end + plan.HOUR if pod.done else end
    here = {"namespace": pod.namespace, "pod": pod.name, "uid": pod.uid}
    record(text, "kube_pod_info", {**here, "node": pod.node.name, "created_by_kind": pod.owner[0] if pod.owner else "<none>",
                                   "created_by_name": pod.owner[1] if pod.owner else "<none>"}, start, seen)
    record(text, "kube_pod_status_phase", {**here, "phase": "Running"}, start, end)
    if pod.done:                         # at every scrape: a reader may take a phase for true only while it is shown
        values(text, "kube_pod_status_phase", {**KSM, **here, "phase": "Succeeded"}, end, seen, "1")
    if pod.owner:
        add_owner(text, pod, here, start, seen)
    if pod.team:
        record(text, "kube_pod_labels", {**here, "label_example_com_team": pod.team}, start, seen)
    for resource, unit, value in requests(pod):
        values(text, "kube_pod_container_resource_requests",
               {**KSM, **here, "container": "main", "node": pod.node.name, "resource": resource, "unit": unit}, start, seen, value)


# ---- the kubelet ----

def add_usage(text, pod):
    """Containers of GPU pods and of the system; a pod's CPU is even, its memory steps a little."""
    labels = {"instance": pod.node.ip + ":10250", "job": "kubelet", "metrics_path": "/metrics/cadvisor", "namespace": pod.namespace,
              "pod": pod.name, "container": "main", "image": "registry.example/" + (pod.owner[1] if pod.owner else pod.name)}
    cpu, memory = (text.series(f, labels) for f in ("container_cpu_usage_seconds_total", "container_memory_working_set_bytes"))
    cores, gib = pod.use
    for minute in up_to(pod.start, pod.end, plan.KUBE_STEP):
        cpu[minute] = "%d" % ((minute - pod.start) * 60 * cores)
        memory[minute] = "%d" % (gib * GIB * (0.97 + 0.01 * plan.wave(4, pod.name, str(minute // 360))))


# ---- the GPU exporter ----

def device_labels(node, device):
    gpu = 0 if node.mode == "mig" else device
    exporter = "nvidia-dcgm-exporter-" + plan.letters(5, "nvidia-dcgm-exporter", node.key)
    labels = {"UUID": node.uuids[gpu], "gpu": str(gpu), "modelName": node.model, "instance": node.ip + ":9400",
              "job": "nvidia-dcgm-exporter", "hostname" if node.mode == "each" else "Hostname": node.name, "namespace": "gpu-operator",
              "pod": exporter,
              "container": "nvidia-dcgm-exporter"}
    if node.mode == "mig":
        labels["GPU_I_ID"], labels["GPU_I_PROFILE"] = str(device), next(p for gi, p, _, _ in plan.MIG if gi == device)
    return labels


def pod_labels(node, pod, device):
    """One set for each slot that the pod has on the device."""
    slots = next(n for d, n in pod.slots if d == device)
    labels = {"exported_namespace": pod.namespace, "exported_pod": pod.name, "exported_container": "main"}
    if node.mode == "each":
        labels["pod_uid"] = pod.uid
    if not node.shared:
        return [labels]
    first = plan.wave(1000, pod.uid) % REPLICAS
    return [{**labels, "vgpu": str((first + i) % REPLICAS)} for i in range(slots)]


def add_device(text, node, device):
    """Every field but the used memory of the per-process exporter is the device's own value, repeated for each pod."""
    base = device_labels(node, device)
    size = next(m for gi, _, _, m in plan.MIG if gi == device) if node.mode == "mig" else node.total
    reserved = node.reserved if node.mode != "mig" else 0
    cache = {}

    def rows(pod):
        if pod not in cache:
            sets = pod_labels(node, pod, device) if pod else [{}]
            cache[pod] = [tuple(text.series("DCGM_FI_DEV_FB_" + field, {**base, **more}) for field in ("USED", "FREE", "RESERVED"))
                          for more in sets]
        return cache[pod]

    for minute, used, here in plan.readings(node, device):
        assert used + reserved <= size, (node.key, device, minute)
        total, free = str(used), str(size - reserved - used)
        if node.mode == "each" and here:
            rows(None)[0][0][minute] = total
        for pod, own in here or [(None, used)]:
            for used_series, free_series, reserved_series in rows(pod):
                used_series[minute] = str(own) if node.mode == "each" and pod else total
                free_series[minute] = free
                if node.shows_reserved:
                    reserved_series[minute] = str(reserved)


def write(nodes, path):
    text = Text()
    for name, team in (("search-serving", "search"), ("nlp-serving", None), ("batch", None), ("sandbox", None)):
        labels = {"namespace": name, "label_kubernetes_io_metadata_name": name}
        record(text, "kube_namespace_labels", {**labels, **({"label_team": team} if team else {})}, 0, plan.END)
    for node in nodes:
        add_node(text, node)
        for device in plan.devices(node):
            add_device(text, node, device)
        for pod in node.pods:
            add_pod(text, pod)
            add_usage(text, pod)
    text.families = {f: {k: s for k, s in series.items() if s} for f, series in text.families.items()}
    text.write(path)
