#!/usr/bin/env python3
"""Writes metrics.om: made GPU metrics for the ten GPU node rows of billing.csv.

The bill is real, the metrics are not. Instance ids, hours, quantities and zones come from the bill. Pods, memory
values and everything else are the fixed data below. There is no randomness: the same bill gives the same bytes.

    python3 make_metrics.py            # reads billing.csv, writes metrics.om beside it
"""
import csv
import hashlib
import os
import re
import sys
from datetime import datetime, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
MIB = 1 << 20
GIB = 1 << 30

# Scrape intervals in minutes; a node of the plan may have its own `step`. They keep the file small.
DCGM_STEP = 1
KUBELET_STEP = 5
KSM_STEP = 5

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
    "DCGM_FI_DEV_GPU_UTIL": ("gauge", "GPU utilization (in %)."),
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE": ("gauge", "Ratio of time the graphics engine is active."),
}

SHAPES = {
    "g5.4xlarge": {"model": "NVIDIA A10G", "product": "NVIDIA-A10G", "total": 23028, "reserved": 300, "gib": 64},
    # The M60 is older than the profiling fields, and its driver reports no reserve.
    "g3.4xlarge": {"model": "Tesla M60", "product": "Tesla-M60", "total": 7680, "reserved": None, "gib": 122},
}

NAMESPACES = {
    "nlp-serving": {},
    "nlp-training": {},
    "inspection": {"team": "vision"},
    "batch": {},
    "sandbox": {},
    "kube-system": {},
    "monitoring": {},
    "gpu-operator": {},
}


def pod(namespace, name, owner, top=None, team=None, cpu=0.0, gib=0.0, gpu=0, use=0.0, use_gib=0.0,
        start=0, end=60, done=None, image=None):
    """A pod of one container. owner and top are (kind, name). start and end are minutes of the hour.

    cpu (cores), gib and gpu are requests; use (cores) and use_gib are what it really takes. done is the phase that
    kube-state-metrics goes on to show after the end; without it the pod's series end.
    """
    return {"namespace": namespace, "name": name, "owner": owner, "top": top, "team": team, "cpu": cpu, "gib": gib,
            "gpu": gpu, "use": use, "use_gib": use_gib, "start": start, "end": end, "done": done,
            "image": image or "registry.example/" + owner[1]}


# What happens on each GPU node. Times are minutes of the billed hour. `memory` says what the GPU exporter shows, as
# (from, until, total MiB in use, [pod or (pod, MiB), ...]). With `mode` "one" the single pod's series is the device's;
# "each" is per-process values beside an unlabelled total; "copies" repeats the total for every pod. Without `reserve`
# the exporter is one that does not show the reserved memory yet.
PLAN = {
    # Exclusive: a nightly fine-tuning job holds the whole card and uses more CPU than it asked for.
    "i-0al7231266lfle0f2": {
        "ip": "10.0.96.21", "mode": "one", "first": 0, "until": 60,
        "reserve": True,
        "pods": [
            pod("nlp-training", "nightly-finetune-28768380-x7k2d", ("Job", "nightly-finetune-28768380"),
                ("CronJob", "nightly-finetune"), cpu=8, gib=32, gpu=1, use=10.4, use_gib=27.5),
        ],
        "memory": [(0, 20, 15360, ["nightly-finetune-28768380-x7k2d"]),
                   (20, 60, 18432, ["nightly-finetune-28768380-x7k2d"])],
        "busy": 88, "cgroup_rows": True,
    },
    # Time-sliced, an older exporter: the device's value is repeated for both pods. Starts in mid-hour.
    "i-02619lael51119a85": {
        "ip": "10.0.32.118", "mode": "copies", "first": 20, "until": 60, "replicas": 4,
        "reserve": True,
        "pods": [
            pod("inspection", "defect-api-5d8f7c9b6-q4zrn", ("ReplicaSet", "defect-api-5d8f7c9b6"),
                ("Deployment", "defect-api"), cpu=2, gib=8, gpu=1, use=1.1, use_gib=5.2, start=20),
            pod("batch", "ranker-6f4b8d7c5-t9wlm", ("ReplicaSet", "ranker-6f4b8d7c5"),
                ("Deployment", "ranker"), team="search", cpu=2, gib=8, gpu=1, use=1.6, use_gib=6.4, start=20),
        ],
        "memory": [(20, 60, 13200, ["defect-api-5d8f7c9b6-q4zrn", "ranker-6f4b8d7c5-t9wlm"])],
        "busy": 63,
    },
    # Exclusive, scaled down: the pod leaves at :12, the card stays empty until the node stops at 16:18:11.
    # The kubelet and the Node object go first: neither is seen at the scrape of 16:15.
    "i-0211a402bb0026l8a": {
        "ip": "10.0.96.74", "mode": "one", "first": 0, "until": 18, "kube_until": 15,
        "pods": [
            pod("batch", "embed-7b9c6f5d4-mk2vx", ("ReplicaSet", "embed-7b9c6f5d4"), ("Deployment", "embed"),
                team="search", cpu=4, gib=16, gpu=1, use=2.7, use_gib=9.8, end=12),
        ],
        "memory": [(0, 12, 9830, ["embed-7b9c6f5d4-mk2vx"]), (12, 18, 0, [])],
        "busy": 41,
    },
    # Starts at 01:42:14. The first sample comes at 01:44, the pod at 01:48.
    "i-09ba12e1l5743720b": {
        "ip": "10.0.11.203", "mode": "one", "first": 44, "until": 60,
        "pods": [
            pod("nlp-training", "eval-reports-v4p9s", ("Job", "eval-reports"), cpu=8, gib=32, gpu=1,
                use=5.5, use_gib=18.0, start=48),
        ],
        "memory": [(44, 48, 0, []), (48, 50, 450, ["eval-reports-v4p9s"]), (50, 60, 14100, ["eval-reports-v4p9s"])],
        "busy": 77,
    },
    # Time-sliced with per-process values: three pods, the unlabelled total, 256 MiB of nobody. Read every two minutes.
    "i-0834le5b437l856a8": {
        "ip": "10.0.11.57", "mode": "each", "first": 0, "until": 60, "replicas": 4, "step": 2,
        "reserve": True, "network_pod": True,
        "pods": [
            pod("nlp-serving", "chat-7c9f6d5b8-hn5tq", ("ReplicaSet", "chat-7c9f6d5b8"), ("Deployment", "chat"),
                cpu=4, gib=16, gpu=1, use=2.9, use_gib=11.0),
            pod("inspection", "defect-api-5d8f7c9b6-b7xkd", ("ReplicaSet", "defect-api-5d8f7c9b6"),
                ("Deployment", "defect-api"), cpu=3, gib=8, gpu=1, use=1.4, use_gib=5.5),
            pod("sandbox", "notebook-0", ("StatefulSet", "notebook"), cpu=2, gib=8, gpu=1, use=0.3, use_gib=3.1),
        ],
        "memory": [(0, 30, 14592, [("chat-7c9f6d5b8-hn5tq", 9216), ("defect-api-5d8f7c9b6-b7xkd", 4096),
                                   ("notebook-0", 1024)]),
                   (30, 60, 18688, [("chat-7c9f6d5b8-hn5tq", 9216), ("defect-api-5d8f7c9b6-b7xkd", 4096),
                                    ("notebook-0", 5120)])],
        "busy": 71,
    },
    # Another label style: `hostname`, and the exporter's pod labels kept (honorLabels: true).
    "i-0b3b3095474a3772a": {
        "ip": "10.0.64.9", "mode": "one", "first": 0, "until": 60, "honor": True,
        "pods": [
            pod("inspection", "video-decode-0", ("StatefulSet", "video-decode"), cpu=6, gib=24, gpu=1,
                use=4.2, use_gib=19.3),
        ],
        "memory": [(0, 60, 5230, ["video-decode-0"])],
        "busy": 35,
    },
    # The card changes hands: one job until :25, nobody for five minutes, another job from :30.
    "i-0l6bb5al993lfa983": {
        "ip": "10.0.48.140", "mode": "one", "first": 0, "until": 60,
        "pods": [
            pod("batch", "reindex-2h8dz", ("Job", "reindex"), team="search", cpu=8, gib=32, gpu=1,
                use=6.1, use_gib=20.0, end=25, done="Succeeded"),
            pod("batch", "pretrain-backbone-l6c4w", ("Job", "pretrain-backbone"), team="vision", cpu=4, gib=16, gpu=1,
                use=3.0, use_gib=12.5, start=30),
        ],
        "memory": [(0, 25, 11264, ["reindex-2h8dz"]), (25, 30, 0, []), (30, 60, 20480, ["pretrain-backbone-l6c4w"])],
        "busy": 82,
    },
    # The GPU exporter is away for twelve minutes.
    "i-006flle71l19b488a": {
        "ip": "10.0.48.33", "mode": "one", "first": 0, "until": 60, "gap": (20, 32),
        "pods": [
            pod("nlp-serving", "translate-84c5d9f7b-zp6rj", ("ReplicaSet", "translate-84c5d9f7b"),
                ("Deployment", "translate"), cpu=6, gib=24, gpu=1, use=3.7, use_gib=15.9),
        ],
        "memory": [(0, 60, 12288, ["translate-84c5d9f7b-zp6rj"])],
        "busy": 54,
    },
    # An empty card on a node that does CPU work. From :30 a host process that is no pod takes 2 GiB of it.
    # This instance has the node name that i-0l6bb5al993lfa983 had five days before.
    "i-06fal80lf5517049b": {
        "ip": "10.0.48.140", "mode": "one", "first": 0, "until": 60, "network_pod": True,
        "pods": [
            pod("batch", "etl-28794060-9qwbf", ("Job", "etl-28794060"), ("CronJob", "etl"), team="vision",
                cpu=4, gib=8, use=6.2, use_gib=6.0),
            pod("monitoring", "prometheus-0", ("StatefulSet", "prometheus"), cpu=2, gib=8, use=0.8, use_gib=6.6),
        ],
        "memory": [(0, 30, 0, []), (30, 60, 2048, [])],
        "busy": 0,
    },
    # In the bill, in no metrics at all: not a member of the cluster.
    "i-035fel2la90287a83": None,
}


class Text:
    """Collects samples: family -> series -> [(time, value)]."""

    def __init__(self):
        self.families = {name: {} for name in HELP}

    def add(self, family, labels, time, value):
        series = ",".join('%s="%s"' % item for item in sorted(labels.items()) if item[1] != "")
        self.families[family].setdefault(series, []).append((time, value))

    def write(self, path):
        lines = []
        for family, (kind, text) in HELP.items():
            name = family[:-len("_total")] if kind == "counter" else family
            lines += ["# HELP %s %s" % (name, text), "# TYPE %s %s" % (name, kind)]
            for series, samples in sorted(self.families[family].items()):
                lines += ["%s{%s} %s %d" % (family, series, value, time) for time, value in sorted(samples)]
        lines.append("# EOF")
        with open(path, "w", encoding="utf-8", newline="\n") as out:
            out.write("\n".join(lines) + "\n")


def ident(kind, name):
    """A stable made-up UUID."""
    h = hashlib.sha256((kind + "/" + name).encode()).hexdigest()
    return "-".join((h[:8], h[8:12], "4" + h[13:16], "8" + h[17:20], h[20:32]))


def suffix(name):
    """The five letters at the end of a DaemonSet pod's name."""
    letters = "bcdfghjklmnpqrstvwxz2456789"
    return "".join(letters[b % len(letters)] for b in hashlib.sha256(name.encode()).digest()[:5])


def wave(minute, seed):
    """A small fixed up and down whose sum over five steps is zero: -2 .. 2."""
    return (minute * 3 + seed) % 5 - 2


def read_bill(path):
    """The rows that bill an hour of a g5.4xlarge or g3.4xlarge, in order of time."""
    rows = []
    with open(path, encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            m = re.search(r"\b(g[35]\.4xlarge) Instance Hour", row["ChargeDescription"])
            if not m:
                continue
            start = datetime.strptime(row["ChargePeriodStart"], "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)
            rows.append({"id": row["ResourceId"], "type": m.group(1), "zone": row["AvailabilityZone"],
                         "start": int(start.timestamp()), "billed_s": float(row["ConsumedQuantity"]) * 3600})
    return sorted(rows, key=lambda r: (r["start"], r["id"]))


def system_pods(node, plan):
    """What a GPU node runs beside its workloads. To keep the file small only two show their network pod."""
    tail = suffix(node["id"])
    pods = [pod("gpu-operator", "dcgm-exporter-" + tail, ("DaemonSet", "dcgm-exporter"), cpu=0.25, gib=0.5,
                use=0.05, use_gib=0.3, start=plan["first"], image="nvidia/dcgm-exporter")]
    if plan.get("network_pod"):
        pods.append(pod("kube-system", "aws-node-" + tail, ("DaemonSet", "aws-node"), cpu=0.25, gib=0.25,
                        use=0.03, use_gib=0.1, start=plan["first"], image="amazon/aws-node"))
    return pods


def add_node(out, node, plan, shape, minute, ksm):
    """kube-state-metrics: the node itself at one scrape."""
    time = node["start"] + minute * 60
    replicas = plan.get("replicas", 1)
    out.add("kube_node_info", {**ksm, "node": node["name"], "internal_ip": plan["ip"], "kubelet_version": "v1.30.4",
                               "provider_id": "aws:///%s/%s" % (node["zone"], node["id"])}, time, 1)
    out.add("kube_node_labels", {
        **ksm, "node": node["name"],
        "label_node_kubernetes_io_instance_type": node["type"],
        "label_topology_kubernetes_io_zone": node["zone"],
        "label_nvidia_com_gpu_count": "1",
        "label_nvidia_com_gpu_memory": str(shape["total"]),
        "label_nvidia_com_gpu_product": shape["product"] + ("-SHARED" if replicas > 1 else ""),
        "label_nvidia_com_gpu_replicas": str(replicas),
        "label_nvidia_com_gpu_sharing_strategy": "time-slicing" if replicas > 1 else "none",
    }, time, 1)
    for resource, unit, value in (("cpu", "core", 16), ("memory", "byte", shape["gib"] * GIB),
                                  ("nvidia_com_gpu", "integer", replicas)):
        out.add("kube_node_status_capacity", {**ksm, "node": node["name"], "resource": resource, "unit": unit},
                time, value)


def add_pod(out, node, p, minute, ksm):
    """kube-state-metrics: one pod at one scrape."""
    time = node["start"] + minute * 60
    here = {**ksm, "namespace": p["namespace"], "pod": p["name"], "uid": p["uid"]}
    kind, name = p["owner"]
    out.add("kube_pod_info", {**here, "node": node["name"], "created_by_kind": kind, "created_by_name": name}, time, 1)
    out.add("kube_pod_owner", {**here, "owner_kind": kind, "owner_name": name, "owner_is_controller": "true"}, time, 1)
    out.add("kube_pod_status_phase", {**here, "phase": "Running" if minute < p["end"] else p["done"]}, time, 1)
    if p["team"]:
        out.add("kube_pod_labels", {**here, "label_example_com_team": p["team"]}, time, 1)
    if p["top"]:
        family, key = {"ReplicaSet": ("kube_replicaset_owner", "replicaset"),
                       "Job": ("kube_job_owner", "job_name")}[kind]
        out.add(family, {**ksm, "namespace": p["namespace"], key: name, "owner_kind": p["top"][0],
                         "owner_name": p["top"][1], "owner_is_controller": "true"}, time, 1)
    for resource, unit, value in (("cpu", "core", p["cpu"]), ("memory", "byte", int(p["gib"] * GIB)),
                                  ("nvidia_com_gpu", "integer", p["gpu"])):
        if value:
            out.add("kube_pod_container_resource_requests",
                    {**here, "container": "main", "node": node["name"], "resource": resource, "unit": unit},
                    time, value)


def add_containers(out, node, plan, pods):
    """The kubelet's own series, with container="main"; on one node the rows of the pod's cgroup too."""
    target = {"instance": plan["ip"] + ":10250", "job": "kubelet", "metrics_path": "/metrics/cadvisor"}
    for seed, p in enumerate(pods):
        seconds = 300.0 + 40 * seed
        seen = [m for m in range(0, min(p["end"], plan["until"], plan.get("kube_until", 60)), KUBELET_STEP)
                if m >= max(p["start"], plan["first"])]
        for i, minute in enumerate(seen):
            time = node["start"] + minute * 60
            if i:
                seconds += KUBELET_STEP * 60 * p["use"] * (100 + 5 * wave(i, seed)) / 100
            labels = {**target, "namespace": p["namespace"], "pod": p["name"], "container": "main", "image": p["image"]}
            memory = int(p["use_gib"] * GIB) + wave(i, seed) * 8 * MIB
            rows = [labels]
            if plan.get("cgroup_rows") and p["gpu"]:
                rows.append({**target, "namespace": p["namespace"], "pod": p["name"]})
            for row in rows:
                out.add("container_cpu_usage_seconds_total", row, time, "%.3f" % seconds)
                out.add("container_memory_working_set_bytes", row, time, memory)


def add_gpu(out, node, plan, shape, pods):
    """The GPU exporter's series."""
    exporter = next(p for p in pods if p["owner"][1] == "dcgm-exporter")
    uuid = "GPU-" + ident("gpu", node["id"])
    device = {"UUID": uuid, "gpu": "0", "modelName": shape["model"],
              "hostname" if plan.get("honor") else "Hostname": node["name"],
              "instance": plan["ip"] + ":9400", "job": "dcgm-exporter"}
    itself = {"namespace": exporter["namespace"], "pod": exporter["name"], "container": "exporter"}
    by_name = {p["name"]: p for p in pods}

    def labels(name, slot):
        """Device labels, the scrape target's own pod, and the workload's pod where there is one."""
        if name is None:
            return {**device, **itself}
        p = by_name[name]
        prefix = "" if plan.get("honor") else "exported_"
        got = {**device, **itself, prefix + "namespace": p["namespace"], prefix + "pod": name,
               prefix + "container": "main"}
        if plan["mode"] != "one":
            got["vgpu"] = str(slot)
        if plan["mode"] == "each":
            got["pod_uid"] = p["uid"]
        return got

    for start, until, used, holders in plan["memory"]:
        for minute in range(start, until, plan.get("step", DCGM_STEP)):
            if "gap" in plan and plan["gap"][0] <= minute < plan["gap"][1]:
                continue
            time = node["start"] + minute * 60
            reserved = shape["reserved"] or 0
            rows = [(labels(h[0] if isinstance(h, tuple) else h, slot), h[1] if isinstance(h, tuple) else used)
                    for slot, h in enumerate(holders)] or [(labels(None, 0), used)]
            if plan["mode"] == "each":
                out.add("DCGM_FI_DEV_FB_USED", labels(None, 0), time, used)
            busy = plan["busy"] + 3 * wave(minute, 1) if holders and used > 1000 else 0
            for row, value in rows:
                out.add("DCGM_FI_DEV_FB_USED", row, time, value)
                # Every field but the used memory is the device's own value, repeated on each row.
                out.add("DCGM_FI_DEV_FB_FREE", row, time, shape["total"] - reserved - used)
                if shape["reserved"] is None:
                    out.add("DCGM_FI_DEV_GPU_UTIL", row, time, busy)
                else:
                    if plan.get("reserve"):
                        out.add("DCGM_FI_DEV_FB_RESERVED", row, time, reserved)
                    out.add("DCGM_FI_PROF_GR_ENGINE_ACTIVE", row, time, "%.2f" % (busy / 100))


def main():
    out = Text()
    ksm = {"instance": "10.0.8.15:8080", "job": "kube-state-metrics"}
    nodes = read_bill(os.path.join(HERE, "billing.csv"))
    if {n["id"] for n in nodes} != set(PLAN):
        sys.exit("make_metrics.py: billing.csv does not hold the ten GPU node rows that the plan knows")
    for node in nodes:
        plan = PLAN[node["id"]]
        if plan is None:
            continue
        shape = SHAPES[node["type"]]
        node["name"] = "ip-%s.ec2.internal" % plan["ip"].replace(".", "-")
        # Samples lie inside the billed time: its length is the bill's quantity.
        assert (plan["until"] - plan["first"]) * 60 <= node["billed_s"], node["id"]
        pods = plan["pods"] + system_pods(node, plan)
        for p in pods:
            p["uid"] = ident("pod", node["id"] + "/" + p["name"])
        for minute in range(0, plan["until"], KSM_STEP):
            if minute < plan["first"]:
                continue
            for namespace, extra in NAMESPACES.items():
                if extra:
                    out.add("kube_namespace_labels",
                            {**ksm, "namespace": namespace, "label_kubernetes_io_metadata_name": namespace,
                             **{"label_" + key: value for key, value in extra.items()}},
                            node["start"] + minute * 60, 1)
            if minute >= plan.get("kube_until", 60):
                continue
            add_node(out, node, plan, shape, minute, ksm)
            for p in pods:
                if p["start"] <= minute and (minute < p["end"] or p["done"]):
                    add_pod(out, node, p, minute, ksm)
        add_containers(out, node, plan, pods)
        add_gpu(out, node, plan, shape, pods)
    out.write(os.path.join(HERE, "metrics.om"))


if __name__ == "__main__":
    main()
