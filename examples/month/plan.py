"""The plan of the made month: seven nodes, and which pod is where and when.

Times are minutes from 2026-10-01T00:00Z, a Thursday. Nothing here is random: what looks so is a hash of a name. The bill, the
metrics and the expected totals are three readings of this plan.
"""
import hashlib

START = 1790812800                       # 2026-10-01T00:00:00Z
DAYS = 31
HOUR, DAY = 60, 1440
END = DAYS * DAY
GPU_STEP = 10                            # minutes between samples of the GPU exporter
KUBE_STEP = 15                           # of kube-state-metrics and the kubelet

# Size in MiB and what the driver keeps of it, as the exporter shows them.
MODELS = {
    "p5.48xlarge": ("NVIDIA H100 80GB HBM3", 81559, 1024),
    "p5.4xlarge": ("NVIDIA H100 80GB HBM3", 81559, 1024),
    "p4d.24xlarge": ("NVIDIA A100-SXM4-40GB", 40960, 583),
    "g6e.12xlarge": ("NVIDIA L40S", 46068, 512),
}
SHAPES = {"p5.48xlarge": (192, 2048, 8), "p5.4xlarge": (16, 256, 1), "p4d.24xlarge": (96, 1152, 8), "g6e.12xlarge": (48, 384, 4)}
# One H100 in three instances: id, profile, memory slices of 8, MiB. One slice is left over.
MIG = ((1, "3g.40gb", 4, 40448), (3, "2g.20gb", 2, 20096), (9, "1g.10gb", 1, 9984))

INTERRUPTED = 19 * DAY + 13 * HOUR + 17  # the spot node ends at 13:17 on Tuesday the 20th ...
REPLACED = INTERRUPTED + 14              # ... and another instance takes its name at 13:31
STOPPED = (10 * DAY + 2 * HOUR, 10 * DAY + 10 * HOUR)     # the training node is off on Sunday the 11th
OUTAGE = (13 * DAY + 2 * HOUR, 13 * DAY + 7 * HOUR)       # its exporter hangs in the night of the 14th
RENAMED = 15 * DAY                       # vision is called perception from the 16th


def digest(*words):
    return hashlib.sha256("/".join(words).encode()).hexdigest()


def ident(*words):
    h = digest(*words)
    return "-".join((h[:8], h[8:12], "4" + h[13:16], "8" + h[17:20], h[20:32]))


def letters(n, *words):
    """The random end of a pod's name."""
    alphabet = "bcdfghjklmnpqrstvwxz2456789"
    return "".join(alphabet[b % len(alphabet)] for b in bytes.fromhex(digest(*words))[:n])


def wave(n, *words):
    """A number from 0 to n - 1."""
    return int(digest(*words)[:8], 16) % n


class Node:
    """One instance. `mode` is what its exporter shows of pods: one, each (per process), copies, mig. `up` are minutes with GPU samples,
    `kube` with a Node object, `billed` of instance time."""

    def __init__(self, key, ip, kind, mode, buy, up=((0, END),), kube=None, billed=None):
        self.key, self.ip, self.kind, self.mode, self.buy = key, ip, kind, mode, buy
        self.name = "ip-" + ip.replace(".", "-")
        self.id = "i-0" + digest("instance", key)[:16]
        self.up, self.kube, self.billed = up, kube or up, billed or kube or up
        self.model, self.total, self.reserved = MODELS[kind]
        self.vcpu, self.gib, self.gpus = SHAPES[kind]
        self.uuids = ["GPU-" + ident("gpu", key, str(i)) for i in range(self.gpus)]
        self.shared = mode in ("each", "copies")
        self.shows_reserved = key in ("train", "serve-1", "serve-2")      # the others' exporters are older
        self.pods = []


class Pod:
    """`slots` are (device, how often): a device is a GPU's index, on the MIG node an instance's id. `memory` is a function of the minute:
    MiB on each device. `use` is cores and GiB in use, requests are `cpu` and `gib`. `end` is exclusive; `done` says that it stays
    visible for an hour as Succeeded."""

    def __init__(self, node, namespace, name, owner, slots, start, end, memory, cpu, gib, use, top=None, team=None, done=False):
        self.node, self.namespace, self.name, self.owner, self.top, self.team = node, namespace, name, owner, top, team
        self.slots, self.start, self.end, self.memory = slots, start, end, memory
        self.cpu, self.gib, self.use, self.done = cpu, gib, use, done
        self.uid = ident("pod", node.key, namespace, name, str(start))
        node.pods.append(self)

    @property
    def system(self):
        return self.namespace in ("kube-system", "gpu-operator")


def fleet():
    """The seven nodes; the spot node is two instances with one name."""
    ends, begins = INTERRUPTED // GPU_STEP * GPU_STEP + GPU_STEP, REPLACED // GPU_STEP * GPU_STEP + 2 * GPU_STEP
    return [
        Node("train", "10.20.1.11", "p5.48xlarge", "one", "plan",
             up=((0, STOPPED[0]), (STOPPED[1] + 10, OUTAGE[0]), (OUTAGE[1], END)), kube=((0, STOPPED[0]), (STOPPED[1], END))),
        Node("batch", "10.20.2.21", "p4d.24xlarge", "one", "reserved"),
        Node("spot-a", "10.20.3.31", "p4d.24xlarge", "one", "spot", up=((0, ends),), billed=((0, INTERRUPTED),)),
        Node("spot-b", "10.20.3.31", "p4d.24xlarge", "one", "spot", up=((begins, END),), kube=((begins - 5, END),),
             billed=((REPLACED, END),)),
        Node("lab", "10.20.4.41", "p5.4xlarge", "mig", "on_demand"),
        Node("serve-1", "10.20.5.51", "g6e.12xlarge", "each", "plan"),
        Node("serve-2", "10.20.5.52", "g6e.12xlarge", "each", "plan_rest"),
        Node("serve-3", "10.20.5.53", "g6e.12xlarge", "copies", "on_demand"),
    ]


def team_of(pod, minute):
    """What rule.yaml says, said a second time: the check compares the two."""
    if pod.system:
        return "(system)"
    if pod.namespace.startswith("nlp-"):
        return "nlp"
    if pod.namespace.startswith("vision-"):
        return "vision" if minute < RENAMED else "perception"
    return pod.team or {"search-serving": "search"}.get(pod.namespace, "(unmapped)")


# ---- kinds of workload ----

def is_weekend(day):
    return (day + 3) % 7 in (5, 6)       # day 0 is a Thursday


WEEKDAYS = [d for d in range(DAYS) if not is_weekend(d)]


def training(start, full):
    """Memory of a job: the model loads for half an hour, then the card stays as full as it is."""
    return lambda minute: full // 8 if minute < start + 30 else full


def job(node, namespace, name, gpus, start, end, full, team=None, cron=None, each=False):
    """A Job's pod on whole GPUs, or with `each` a pod for each of them. CPU and memory in proportion to the GPUs."""
    owner = "%s-%d" % (cron, (START // 60 + start)) if cron else name
    for part in [[g] for g in gpus] if each else [gpus]:
        n = len(part) * 0.9 / node.gpus
        tail = letters(5, owner, str(start), str(part[0]))
        Pod(node, namespace, owner + "-" + tail, ("Job", owner), [(g, 1) for g in part], start, end, training(start, full),
            round(node.vcpu * n), round(node.gib * n), (node.vcpu * n * 0.62, node.gib * n * 0.55), top=("CronJob", cron) if cron else None,
            team=team, done=node.key != "spot-a" or end <= INTERRUPTED - 60)


def serving(name, full):
    """Memory of a service: weights, and a cache that follows the hours of the day."""
    def at(minute):
        hour, day = minute // HOUR % 24, minute // DAY
        load = 0.35 if is_weekend(day) else 1.0 if 8 <= hour < 18 else 0.5 if 6 <= hour < 21 else 0.15
        return round(full * (0.82 + 0.18 * load)) - wave(96, name, str(minute // 180))
    return at


# A release every Tuesday: a new ReplicaSet, new pods.
RELEASES = (0, 5 * DAY + 600, 12 * DAY + 570, 19 * DAY + 600, 26 * DAY + 540, END)


def deployment(node, namespace, name, full, always, by_day, cpu, gib, use, team=None, slots=1):
    """Replicas that are always there, and others from 07:30 to 20:00 on weekdays, each on the GPU named in the list."""
    spans = [(g, a, b) for g in always for a, b in zip(RELEASES, RELEASES[1:])]
    for g in by_day:
        for day in WEEKDAYS:
            spans.append((g, day * DAY + 450, day * DAY + 1200))
    for i, (gpu, start, end) in enumerate(sorted(spans, key=lambda s: (s[1], s[0]))):
        release = max(r for r in RELEASES if r <= start)
        replicaset = "%s-%s" % (name, letters(9, name, str(release)))
        Pod(node, namespace, "%s-%s" % (replicaset, letters(5, name, str(start), str(i))), ("ReplicaSet", replicaset), [(gpu, slots)],
            start, end, serving(name + str(gpu), full), cpu, gib, use, top=("Deployment", name), team=team)


def notebook(node, namespace, name, gi, spans, full, low, cpu, gib, owner=True):
    """On a MIG instance; full in office hours, else what the kernel still holds."""
    def memory(minute):
        busy = not is_weekend(minute // DAY) and 9 <= minute // HOUR % 24 < 17
        return full - wave(700, name, str(minute // 120)) if busy else low
    for start, end in spans:
        Pod(node, namespace, name + ("-0" if owner else ""), ("StatefulSet", name) if owner else None, [(gi, 1)], start, end, memory,
            cpu, gib, (cpu * 0.3, gib * 0.45))


# ---- who is where ----

def plan_training(train):
    every = list(range(8))
    job(train, "nlp-training", "pretrain-7b", every, 6 * HOUR + 30, 8 * DAY + 19 * HOUR, 72800)
    job(train, "vision-training", "pretrain-backbone", [4, 5], 11 * DAY + 8 * HOUR, 17 * DAY + 18 * HOUR, 58300)
    job(train, "nlp-training", "pretrain-7b-long-context", every, 18 * DAY + 8 * HOUR, 27 * DAY + 6 * HOUR, 76100)
    for day in (11, 12, 13, 14, 15, 16, 27, 28, 29):
        job(train, "nlp-training", "sft-%02d" % (day + 1), [0, 1, 2, 3], day * DAY + 7 * HOUR, (day + 1) * DAY + 3 * HOUR, 66400)
        job(train, "nlp-training", "evaluate", [6], day * DAY + 19 * HOUR, day * DAY + 23 * HOUR, 38200, cron="evaluate")


def plan_batch(batch):
    for day in WEEKDAYS:
        job(batch, "vision-training", "train-detector-%02d" % (day + 1), [0, 1, 2, 3], day * DAY + 9 * HOUR,
            (day + 1) * DAY + 5 * HOUR, 31800)
        job(batch, "batch", "dense-retriever-%02d" % (day + 1), [4, 5], day * DAY + 10 * HOUR, day * DAY + 23 * HOUR, 27400, team="search")
    for day in range(DAYS):
        job(batch, "batch", "reindex", [6, 7], day * DAY + 30, day * DAY + 5 * HOUR + 30, 22600, team="search", cron="reindex")


def spot_job(nodes, namespace, name, gpus, start, end, full, **more):
    """The interruption ends what runs; its Job begins again on the replacement at 14:00."""
    before, after = nodes
    gone = before.up[-1][1]
    if end <= gone:
        job(before, namespace, name, gpus, start, end, full, **more)
    elif start >= after.up[0][0]:
        job(after, namespace, name, gpus, start, end, full, **more)
    else:
        job(before, namespace, name, gpus, start, gone, full, **more)
        job(after, namespace, name, gpus, (REPLACED // HOUR + 1) * HOUR, end, full, **more)


def plan_spot(nodes):
    for day in range(DAYS):
        spot_job(nodes, "batch", "backtest", [0, 1, 2, 3, 4, 5], day * DAY, day * DAY + 8 * HOUR, 18900, team="forecast", cron="backtest",
                 each=True)
    for day in WEEKDAYS:
        spot_job(nodes, "batch", "demand-train-%02d" % (day + 1), [0, 1, 2, 3], day * DAY + 9 * HOUR, day * DAY + 20 * HOUR, 29900,
                 team="forecast")
        spot_job(nodes, "vision-training", "ablation-%02d" % (day + 1), [6, 7], day * DAY + 10 * HOUR, (day + 1) * DAY, 24700)


def plan_lab(lab):
    office = [(d * DAY + 8 * HOUR, d * DAY + 18 * HOUR) for d in WEEKDAYS]
    notebook(lab, "nlp-lab", "workbench", 1, [(0, END)], 27600, 2150, 6, 96)
    notebook(lab, "vision-lab", "notebook", 3, office, 13900, 900, 4, 48)
    notebook(lab, "sandbox", "scratch", 9, [(6 * DAY + 9 * HOUR, 22 * DAY + 18 * HOUR)], 7300, 610, 2, 16, owner=False)


def plan_serving(one, two, three):
    deployment(one, "nlp-serving", "chat-api", 21500, [0], [1], 6, 40, (4.1, 31), slots=2)
    deployment(one, "search-serving", "embed", 9600, [0, 2], [1, 1], 3, 12, (2.2, 9))
    deployment(one, "search-serving", "rerank", 12800, [2], [2], 4, 16, (3.1, 12))
    deployment(one, "nlp-serving", "summarize", 9100, [], [3], 4, 20, (1.7, 13))
    Pod(one, "search-serving", "vector-index-0", ("StatefulSet", "vector-index"), [(3, 1)], 0, END, serving("vector-index", 31400), 8, 96,
        (5.5, 88))
    deployment(two, "vision-serving", "detector", 14200, [0], [0, 1], 3, 16, (4.4, 12))       # more CPU than it asks for
    deployment(two, "vision-serving", "segmenter", 21600, [1], [], 4, 24, (2.6, 18))
    deployment(two, "search-serving", "query-rewrite", 15800, [2], [2], 3, 16, (1.9, 12))
    deployment(two, "nlp-serving", "translate", 12300, [], [2], 4, 20, (2.3, 15))
    deployment(two, "vision-serving", "ocr", 16800, [3], [3], 6, 32, (4.8, 24))
    deployment(three, "batch", "forecast-api", 18400, [0], [], 4, 24, (2.5, 17), team="forecast")
    deployment(three, "batch", "demand-api", 9300, [0], [0], 3, 16, (1.4, 11), team="forecast")
    deployment(three, "vision-serving", "detector-canary", 14200, [1], [], 3, 16, (2.0, 12))
    deployment(three, "search-serving", "rank-shadow", 12800, [1], [1], 4, 16, (2.9, 12))
    deployment(three, "nlp-serving", "speech", 19100, [2], [2], 4, 24, (2.7, 18))
    for day in WEEKDAYS:
        job(three, "batch", "promo-model-%02d" % (day + 1), [3], day * DAY + 6 * HOUR, day * DAY + 20 * HOUR, 34800, team="forecast")


def system_pods(nodes):
    for n in nodes:
        for namespace, name, cpu, gib in (("gpu-operator", "nvidia-dcgm-exporter", 0.25, 0.5), ("kube-system", "aws-node", 0.5, 0.5)):
            for start, end in n.kube:
                Pod(n, namespace, name + "-" + letters(5, name, n.key), ("DaemonSet", name), [], start, end, None, cpu, gib,
                    (cpu * 0.3, gib * 0.7))


def make_plan():
    nodes = fleet()
    by_key = {n.key: n for n in nodes}
    plan_training(by_key["train"])
    plan_batch(by_key["batch"])
    plan_spot((by_key["spot-a"], by_key["spot-b"]))
    plan_lab(by_key["lab"])
    plan_serving(by_key["serve-1"], by_key["serve-2"], by_key["serve-3"])
    system_pods(nodes)
    return nodes


# ---- what is on a device ----

def host_memory(node, device, minute):
    """MiB in use by no pod: contexts beside shared pods, and a process that a crashed container left on the last card of serve-3."""
    if node.key == "serve-3" and device == 3 and 21 * DAY + 13 * HOUR <= minute < 26 * DAY + 9 * HOUR:
        return 9412
    return None


def readings(node, device):
    """(minute, MiB in use, [(pod, its MiB)]) for every sample of a device."""
    pods = sorted((p for p in node.pods if any(d == device for d, _ in p.slots)), key=lambda p: (p.start, p.name))
    for start, end in node.up:
        for minute in range(start, end, GPU_STEP):
            here = [(p, p.memory(minute)) for p in pods if p.start <= minute < p.end]
            own = sum(m for _, m in here)
            extra = host_memory(node, device, minute)
            if extra is None:
                extra = 306 if here and node.shared else 0
            yield minute, own + extra, here


def devices(node):
    return [m[0] for m in MIG] if node.mode == "mig" else list(range(node.gpus))
