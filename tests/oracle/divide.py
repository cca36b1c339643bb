"""From charges to entries: who pays how much of each charge."""
import copy
import re
from bisect import bisect_left, bisect_right
from collections import namedtuple
from fractions import Fraction as Q

from facts import Rec, gpu_resource
from inputs import DAY, day_of

HOUR = 3600000
GPU_LABELS = ('label_nvidia_com_', 'label_amd_com_', 'label_cloud_google_com_gke_gpu')
TYPE_LABELS = ('label_node_kubernetes_io_instance_type', 'label_beta_kubernetes_io_instance_type')
GIB = 1 << 30

Who = namedtuple('Who', 'cluster namespace pod uid workload team bucket')
Claim = namedtuple('Claim', 'who grade reason sharing day candidates')
Part = namedtuple('Part', 'who share used memory grade reason candidates')


def bucket(name):
    return Who(None, None, None, None, None, None, name)


IDLE, RESERVED, UNATTRIBUTED = bucket('(idle)'), bucket('(driver-reserved)'), bucket('(unattributed)')
NO_METRICS, UNBILLED = bucket('(no-metrics)'), bucket('(unbilled)')
PURCHASES = ('on_demand', 'spot', 'reserved', 'savings_plan', 'capacity_block', 'committed', 'unknown')


class Entry:
    """An amount of one charge's piece."""

    def __init__(self, charge, piece, claim, cost, gpu=None, model=None, slot=None):
        self.charge, self.piece, self.claim, self.cost = charge, piece, claim, cost
        self.gpu, self.model, self.slot = gpu, model, slot
        self.hours, self.used, self.memory, self.spans = Q(0), cost if piece == 'gpu' else Q(0), Q(0), []


# ---- charges ------------------------------------------------------------------------------------------------------

class Charge:
    def __init__(self, resource, start, end, period):
        self.resource, self.whole = resource, (start, end)
        self.start, self.end = max(start, period[0]), min(end, period[1])
        self.cost, self.hours, self.usage = Q(0), Q(0), False
        self.region = self.type = self.cores = self.gib = None
        self.by_purchase, self.attached = {}, {}
        self.parts, self.gpu_hours = {}, None

    def add(self, row):
        self.cost += row.cost
        self.usage |= not row.correction
        if row.part:
            self.parts[row.part] = self.parts.get(row.part, 0) + row.cost
        if row.part and row.hours is not None:
            self.gpu_hours = (self.gpu_hours or 0) + row.hours
        self.hours += row.hours or 0
        self.region, self.type = self.region or row.region, self.type or row.type
        self.cores, self.gib = self.cores or row.cores, self.gib or row.gib
        votes = self.by_purchase if row.kind == 'instance' else self.attached
        votes[row.purchase] = votes.get(row.purchase, 0) + row.cost

    def finish(self, gpu_count):
        """Count cost and hours in proportion to the part inside the period."""
        length = self.whole[1] - self.whole[0]
        inside = Q(self.end - self.start, length)
        if self.gpu_hours is not None:
            self.hours = self.gpu_hours / (gpu_count(self) or max(1, -(-self.gpu_hours * HOUR // length)))
        if is_set(self.resource):           # the hours of all its machines; 0: unknown
            self.billed = Q(self.hours * HOUR)
        else:
            self.billed = min(self.hours * HOUR, Q(length)) if self.hours > 0 else Q(length)
        self.billed *= inside
        self.cost = inside_part(self.cost, self.whole, (self.start, self.end))
        self.parts = {k: inside_part(v, self.whole, (self.start, self.end)) for k, v in self.parts.items()}
        votes = self.by_purchase or self.attached
        self.purchase = max(votes, key=lambda p: (abs(votes[p]), -PURCHASES.index(p)))
        return self


def to_units(x):
    """Half away from zero to 12 decimals."""
    n = abs(x) * 10 ** 12
    return (1 if x >= 0 else -1) * Q((2 * n.numerator + n.denominator) // (2 * n.denominator), 10 ** 12)


def inside_part(cost, whole, part):
    length = whole[1] - whole[0]
    return to_units(cost * (part[1] - whole[0]) / length) - to_units(cost * (part[0] - whole[0]) / length)


def charges_and_groups(rows, rule, period, is_gpu_node, gpu_count):
    """Charges of GPU nodes, {group: amount}, and {shared cost: {group: amount}} of what a rule selects in these."""
    charges, groups, shared = {}, {}, {}
    for row in rows:
        part = max(row.start, period[0]), min(row.end, period[1])
        if part[0] >= part[1]:
            continue
        own = row.kind in ('instance', 'attached')
        if own and not is_gpu_node(row.resource, row.start, row.end):
            row.kind = 'other_resources'
        if row.kind == 'instance' or row.kind == 'attached' and rule.attached == 'include':
            if row.kind == 'attached':
                row.hours, row.correction = None, True
            key = (row.resource, row.start, row.end)
            charges.setdefault(key, Charge(*key, period)).add(row)
        else:
            cost = inside_part(row.cost, (row.start, row.end), part)
            groups[row.kind] = groups.get(row.kind, 0) + cost
            if row.shared:
                of = shared.setdefault(row.shared, {})
                of[row.kind] = of.get(row.kind, 0) + cost
    done = [c.finish(gpu_count) for _, c in sorted(charges.items())]
    return spread_corrections(done), groups, shared


def is_set(resource):
    return re.search('/virtualmachinescalesets/[^/]+$', resource) is not None


def share_sets(world, charges):
    """A charge of a scale set goes to its machines by the time that each was observed: as long as its GPU observed longest."""
    out = []
    for c in charges:
        parts = [machine_part(world, c, r) for r in sorted(world.nodes) if r.startswith(c.resource + '/virtualmachines/')]
        observed = sum(p.observed for p in parts)
        if is_set(c.resource) and not observed:
            c.billed = c.billed or Q(c.end - c.start)
        if not is_set(c.resource) or not observed:
            out.append(c)
            continue
        for p in parts:
            p.cost = c.cost * p.observed / observed
            p.billed = c.billed * p.observed / observed if c.billed else Q(p.observed)
        out += [p for p in parts if p.observed]
    return out


def machine_part(world, charge, resource):
    part = copy.copy(charge)
    part.resource = resource
    part.observed = max([sum(days.values()) for days in Division(world, part).integrate()[1]], default=0)
    return part


def spread_corrections(charges):
    """A correction alone in its interval goes to the node's usage charges inside it, by their billed time."""
    usage = [c for c in charges if c.usage]
    for lone in (c for c in charges if not c.usage):
        inside = [c for c in usage if c.resource == lone.resource and lone.whole[0] <= c.whole[0] and c.whole[1] <= lone.whole[1]]
        billed = sum(c.billed for c in inside)
        for c in inside:
            c.cost += lone.cost * c.billed / billed
            for k, v in lone.parts.items():
                c.parts[k] = c.parts.get(k, 0) + v * c.billed / billed
        if not inside:
            usage.append(lone)
    return usage


# ---- what is on a node --------------------------------------------------------------------------------------------

class Gpu:
    """A physical GPU on a node: its own device, or its MIG instances."""

    def __init__(self, key, devices):
        self.uuid = key[1]
        instances = [d for d in devices if d.gi is not None]
        self.devices = sorted(instances or devices, key=lambda d: d.gi or '')
        self.mig = bool(instances)
        self.metric_model = next((d.model for d in devices if d.model), None)


class Node:
    """Everything that metrics say about one resource id."""

    def __init__(self, resource):
        self.resource, self.cluster, self.names = resource, None, []
        self.spans = {}         # (cluster, uuid) -> [first, last]
        self.devices = {}       # (cluster, uuid) -> {device}
        self.first = self.last = None

    def saw(self, device, t, end):
        key = (device.cluster, device.uuid)
        span = self.spans.setdefault(key, [t, end])
        span[0], span[1] = min(span[0], t), max(span[1], end)
        self.devices.setdefault(key, set()).add(device)
        self.first = t if self.first is None else min(self.first, t)
        self.last = t if self.last is None else max(self.last, t)

    def gpus(self, start, end):
        keys = [k for k, (first, last) in self.spans.items() if first < end and start < last]
        return [Gpu(k, self.devices[k]) for k in sorted(keys, key=lambda k: (k[0] or '', k[1]))]


class World:
    def __init__(self, facts, rule, catalogue, period, warn):
        self.facts, self.rule, self.catalogue, self.period, self.warn = facts, rule, catalogue, period, warn
        self.nodes, self.who_cache = {}, {}
        self.find_names()
        self.find_devices()

    def node(self, resource):
        return self.nodes.setdefault(resource, Node(resource))

    def find_names(self):
        clusters = self.facts.clusters or {None}
        for (cluster, name), hold in sorted(self.facts.node_ids.items(), key=str):
            for resource in {r for _, r in hold.samples if r}:
                self.node(resource).names.append((cluster, name))
        for name, spans in self.facts.nodes.items():
            for cluster in sorted(clusters, key=str):
                hold = self.facts.node_ids.get((cluster, name))
                if len(clusters) == 1 or hold:
                    for resource in {s[0] for s in spans}:
                        self.node(resource).names.append((cluster, name))
        for n in self.nodes.values():
            n.cluster = n.names[0][0] if n.names else None

    def find_devices(self):
        for d in self.facts.devices.values():
            for targets in (d.targets, d.layer):
                for x in targets.values():
                    for t, end in zip(x.timeline.times, x.timeline.ends):
                        resource = self.resource_of(d, t)
                        if resource:
                            self.node(resource).saw(d, t, end)

    def resource_of(self, device, t):
        return self.facts.resource_at(device.cluster, device.node_at(t), t)

    def names_at(self, node, t):
        return [n for c, n in node.names if self.facts.resource_at(c, n, t) == node.resource]

    def node_text(self, resource):
        node = self.nodes.get(resource)
        return node.names[0][1] if node and node.names else resource

    def type_of(self, resource, row_type=None, t=None):
        """The bill's type, the node map's, else the label at t, or at the first instant after it at which the name means the node."""
        if row_type:
            return row_type
        for cluster, name in self.node(resource).names:
            for r, type_, *_ in self.facts.nodes.get(name, []):
                if r == resource and type_:
                    return type_
            type_ = self.label_type(cluster, name, resource, t)
            if type_:
                return type_
        return None

    def label_type(self, cluster, name, resource, t):
        hold = self.facts.node_labels.get((cluster, name))
        found = None
        for at in sorted({t} | {u for u in self.facts.label_changes if u > t}) if hold else []:
            if self.facts.resource_at(cluster, name, at) == resource:
                found = hold.at(at)
                break
        labels = [found] if found else [labels for _, labels in hold.samples] if hold else []
        return next((lb[k] for lb in labels for k in TYPE_LABELS if lb.get(k)), None)

    def model_of_name(self, cluster, name, t, charges):
        """By the type that the labels of a node tell, else the node map, else the bill for the node that it is at t."""
        hold, resource = self.facts.node_labels.get((cluster, name)), self.facts.resource_at(cluster, name, t)
        types = [hold.at(t) or hold.samples[0][1]] + [labels for _, labels in hold.samples] if hold else []
        type_ = next((lb[k] for lb in types for k in TYPE_LABELS if lb.get(k)), None)
        type_ = type_ or next((s[1] for s in self.facts.nodes.get(name, []) if s[0] == resource and s[1]), None)
        return self.catalogue.type_model(type_ or next((c.type for c in charges.get(resource, []) if c.type), None))

    def is_gpu_node(self, types, rows):
        """A resource that is a GPU node in the interval of one of its rows is one in all of them."""
        def sure(resource, start, end):
            if not resource:
                return False
            machines = [r for r in self.nodes if r == resource or is_set(resource) and r.startswith(resource + '/virtualmachines/')]
            seen = any(self.nodes[r].gpus(start, end) for r in machines)
            return bool(seen) or self.catalogue.type_count(self.type_of(resource, types.get(resource), max(start, self.period[0]))) > 0
        nodes = {r.resource for r in rows if r.kind == 'instance' and (sure(r.resource, r.start, r.end) or r.part and r.part[0] == 'gpu')}
        return lambda resource, start, end: resource in nodes or sure(resource, start, end)

    def gpu_count(self, charge):
        """What the time of GPU rows is divided by."""
        start, end = charge.whole
        count = self.catalogue.type_count(self.type_of(charge.resource, charge.type, max(start, self.period[0])))
        seen = len(self.nodes[charge.resource].gpus(start, end)) if charge.resource in self.nodes else 0
        return count if 0 < count < 1 and seen <= 1 else max(count, seen)

    def who(self, pod, t):
        key = (pod, bisect_right(self.facts.label_changes, t))
        if key not in self.who_cache:
            team, bucket_ = self.facts.owner(pod, t)
            self.who_cache[key] = Who(pod.cluster, pod.namespace, pod.name, pod.uid, self.facts.workload(pod, t), team, bucket_)
        return self.who_cache[key]

    def cuts(self, start, end, points):
        """start, every border between start and end, end."""
        inner = {p for p in points if start < p < end}
        inner.update(p for p in self.facts.label_changes if start < p < end)
        inner.update(range((start // DAY + 1) * DAY, end, DAY))
        return sorted(inner | {start, end})

    def ksm_points(self, cluster):
        return [p for x in self.facts.ksm.get(cluster, {}).values() for p in x.timeline.points()]


# ---- the state of a device at an instant --------------------------------------------------------------------------

class View:
    """What is known of a whole node at an instant."""

    def __init__(self, world, charge, node, gpus, t):
        self.world, self.charge, self.t, facts = world, charge, t, world.facts
        names = world.names_at(node, t)
        self.present = {}
        for g in gpus:
            for d in g.devices:
                if d.stands(t) and world.resource_of(d, t) == node.resource:
                    self.present[d] = (d.pick(d.targets, facts, t), d.pick(d.layer, facts, t))
        self.labelled = {d: set(rec.pods) if rec else set() for d, (rec, _) in self.present.items()}
        self.requests = facts.requests_at(node.cluster, names, t)
        self.capacity = facts.capacity_at(node.cluster, names, t)
        self.labels = {}
        for n in names:
            self.labels.update(facts.labels_of_node(node.cluster, n, t))
        self.shared = self.node_is_shared()

    def node_is_shared(self):
        return (self.labels_say_shared() or any(len(p) >= 2 for p in self.labelled.values())
                or self.too_many(list((self.capacity or {}).items()))
                or self.too_many([(r, v) for _, r, v in self.requests or []]))

    def labels_say_shared(self):
        lb = self.labels
        replicas = lb.get('label_nvidia_com_gpu_replicas', '0')
        return (replicas.isdigit() and int(replicas) > 1
                or lb.get('label_nvidia_com_gpu_sharing_strategy') in ('time-slicing', 'mps')
                or bool(lb.get('label_cloud_google_com_gke_gpu_sharing_strategy')))

    def too_many(self, amounts):
        gpus = sum(v for r, v in amounts if gpu_resource(r) and r != 'nvidia_com_gpu_shared')
        return gpus > self.charge.physical or any(v > 0 for r, v in amounts if r == 'nvidia_com_gpu_shared')

    def known(self):
        gpu_labels = any(k.startswith(GPU_LABELS) for k in self.labels)
        return gpu_labels or any(gpu_resource(r) for r in self.capacity or {}) or self.requests is not None

    def requesting(self):
        """{pod: GPUs requested}, or None when nothing is known of requests."""
        if self.requests is None:
            return None
        out = {}
        for pod, resource, v in self.requests:
            if gpu_resource(resource) and v > 0:
                out[pod] = out.get(pod, 0) + v
        return out

    def sharing(self, device, layer):
        if device.gi is not None:
            return 'mig'
        if layer:
            return 'layer'
        strategy = self.labels.get('label_nvidia_com_gpu_sharing_strategy')
        if strategy in ('time-slicing', 'mps'):
            return strategy
        gke = self.labels.get('label_cloud_google_com_gke_gpu_sharing_strategy')
        if gke:
            return 'mps' if gke == 'mps' else 'time-slicing'
        if self.labels.get('label_nvidia_com_gpu_replicas', '0') not in ('0', '1'):
            return 'time-slicing'
        return 'unknown' if self.shared else 'exclusive'


def per_pod(samples):
    """{pod: bytes}: per container the largest value, then the sum over containers."""
    largest = {}
    for pod, container, v in samples:
        if pod:
            largest[pod, container] = max(v, largest.get((pod, container), 0))
    out = {}
    for (pod, _), v in largest.items():
        out[pod] = out.get(pod, 0) + v
    return out


def one_value(samples):
    """A device-level value: without pod where there is one."""
    values = [v for pod, _, v in samples if pod is None] or [v for _, _, v in samples]
    return max(values) if values else None


def used_memory(rec, layer):
    used = None
    if rec:
        used, labelled = one_value(rec.used), [v for pod, _, v in rec.used if pod]
        if used is not None and len(labelled) == len(rec.used) and len(set(labelled)) > 1:
            used = sum(per_pod(rec.used).values())
    if used is None:
        used = sum(per_pod(layer.used).values()) if layer else 0
    return used


def largest_used(view, device):
    """Over the instants of the day and max_gap around it."""
    facts, day = view.world.facts, day_of(view.t)
    if (device, day) not in facts.largest:
        gap = facts.rule.max_gap
        times = {t for ts in (device.targets, device.layer) for x in ts.values() for t in x.timeline.times
                 if day * DAY - gap <= t <= (day + 1) * DAY + gap}
        facts.largest[device, day] = max((used_memory(device.pick(device.targets, facts, t), device.pick(device.layer, facts, t))
                                          for t in times), default=0)
    return facts.largest[device, day]


def device_memory(view, device, rec, layer):
    """(used, total, reserved)"""
    free = reserved = total = None
    if rec:
        free, reserved, total = (one_value(getattr(rec, k)) for k in ('free', 'reserved', 'total'))
    used = used_memory(rec, layer)
    if not total:           # a total of nothing is no total
        total = total_memory(view, device, used, free, reserved)
    if used > total:
        view.world.warn('W206')
        total = used
    if reserved is None:
        reserved = total - used - free if free is not None else 0
    return used, total, min(max(reserved, 0), total - used)


def total_memory(view, device, used, free, reserved):
    if free is not None and used + free + (reserved or 0) > 0:
        return used + free + (reserved or 0)
    model = view.charge.model_of(device)
    total = view.world.catalogue.total_bytes(model, device.profile)
    if total is not None:
        return total * view.charge.size
    view.world.warn('W204')
    return max(used, largest_used(view, device))


def device_parts(view, device, rec, layer):
    """The shares of one device (or MIG instance) at the instant, adding up to 1."""
    rule, pods = view.world.rule, view.labelled[device]
    memory = device_memory(view, device, rec, layer)
    shared, flickering = view.shared or layer is not None, None
    if device.gi is not None and len(pods) == 1:
        return holder_parts(rule, view, memory, rec, 'A')
    if device.gi is None and not shared and len(pods) == 1:
        return holder_parts(rule, view, memory, rec, 'A' if view.known() else 'B')
    if blank(rec, layer) and (pods or layer):
        return None
    if layer is not None and layer.living():
        return measured_parts(view, memory, per_pod(layer.living()), 'B')
    if rec and len(pods) >= 1 and (shared or len(pods) > 1):
        total_beside = any(pod is None for pod, _, _ in rec.used)
        unequal = len({v for pod, _, v in rec.used if pod}) > 1
        if total_beside or unequal:
            return measured_parts(view, memory, per_pod(rec.living()), 'A')
        if len(pods) >= 2:
            return copies_parts(view, memory, pods)
    if rec and layer is None and not pods and (device.gi is not None or not shared):
        flickering = device.flickering(view.world.facts, view.t)
    if flickering in (view.requesting() or {}):
        return holder_parts(rule, view, memory, Rec.of_holder(flickering, memory[0]), 'B')
    if blank(rec, layer):
        return None
    return last_pod_parts(view, memory, pods, shared, device)


def blank(rec, layer):
    """Neither used nor free memory: no sample."""
    free, reserved = (one_value(rec.free), one_value(rec.reserved)) if rec else (None, None)
    return free == 0 and not reserved and used_memory(rec, layer) == 0


def holder_parts(rule, view, memory, rec, grade):
    used, total, reserved = memory
    (pod, own), = per_pod(rec.living() or [(next(iter(rec.pods)), '', used)]).items()
    own = min(own, used)
    if rule.exclusive == 'resident':
        return shared_parts(view, memory, {pod: own}, grade)
    share = Q(own) / (total - reserved) if total > reserved else Q(0)
    return [Part(view.world.who(pod, view.t), Q(1), share, own, grade, None, None)]


def measured_parts(view, memory, pods, grade):
    return shared_parts(view, memory, {p: v for p, v in pods.items() if v > 0}, grade)


def copies_parts(view, memory, pods):
    """State 4: the used memory is divided evenly among the labelled pods, or refused."""
    if view.world.rule.shared_fallback == 'refuse':
        return shared_parts(view, memory, {}, 'A', unattributed_grade='D')
    view.world.warn('W201')
    return shared_parts(view, memory, {p: Q(memory[0], len(pods)) for p in pods}, 'C', estimated=True)


def last_pod_parts(view, memory, pods, shared, device):
    """State 5, or nobody (6)."""
    requesting = view.requesting() if shared and device.gi is None else {}
    labelled = set().union(*view.labelled.values()).union(*({p for p, _, _ in layer.living()} for _, layer in view.present.values() if layer))
    if requesting is None:
        return shared_parts(view, memory, {p: memory[0] for p in pods}, 'C') if pods else nobody_parts(view, memory, device)
    if set(requesting) - labelled:
        if pods or not labelled:
            view.world.warn('W202')
            all_ = sum(requesting.values())
            return shared_parts(view, memory, {p: Q(memory[0]) * v / all_ for p, v in requesting.items()}, 'C', estimated=True)
    elif pods:
        return shared_parts(view, memory, {p: memory[0] for p in pods}, 'A')
    return nobody_parts(view, memory, device)


def nobody_parts(view, memory, device):
    used, total, _ = memory
    share = Q(used) / total if total else Q(0)
    reason = 'free-mig' if device.gi is not None else 'empty-card'
    return [Part(UNATTRIBUTED, share, share, used, 'A', None, None), Part(IDLE, 1 - share, 1 - share, 0, 'A', reason, None)]


def shared_parts(view, memory, pods, grade, unattributed_grade='A', estimated=False):
    """Shares of a shared device: residents, driver, unattributed, idle."""
    used, total, reserved = memory
    held = sum(pods.values())
    if held > used:
        view.world.warn('W203')
        pods = {p: Q(v) * used / held for p, v in pods.items()}
        held = used
    denominator = view.world.rule.denominator
    base, kept = total, reserved
    if denominator == 'residents' and held > 0:
        base, kept = held, 0
    elif denominator == 'usable':
        base, kept = total - reserved, 0
    rest = 0 if denominator == 'residents' and held > 0 else used - held
    who = {p: view.world.who(p, view.t) for p in pods}
    candidates = tuple(sorted(who.values(), key=str)) if estimated else None
    parts = [Part(who[p], Q(v) / base, Q(v) / base, v, grade, None, candidates) for p, v in pods.items() if v > 0]
    if base > 0:
        parts.append(Part(RESERVED, Q(kept) / base, Q(kept) / base, kept, 'A', None, None))
        parts.append(Part(UNATTRIBUTED, Q(rest) / base, Q(rest) / base, rest, unattributed_grade, None, None))
    free = 1 - sum(p.share for p in parts)
    parts.append(Part(IDLE, free, free, 0, 'A', 'free-memory', None))
    return parts


def gpu_parts(view, gpu):
    """[(part, share of the GPU, used share, sharing)] at the instant; None when nothing of the GPU stands."""
    present = [d for d in gpu.devices if d in view.present]
    if not present:
        return None
    out, covered = [], Q(0)
    for d in present:
        size = view.world.catalogue.mig_fraction(view.charge.model_of(d), d.profile, view.world.rule.mig_weight) if gpu.mig else Q(1)
        rec, layer = view.present[d]
        parts = device_parts(view, d, rec, layer)
        if parts is None:
            continue
        covered += size
        sharing = view.sharing(d, layer)
        out += [(p, p.share * size, p.used * size, sharing) for p in parts]
    if not out:
        return None
    if covered != 1:
        out.append((Part(IDLE, None, None, 0, 'A', 'free-mig', None), 1 - covered, 1 - covered, 'mig'))
    assert sum(x[1] for x in out) == 1 and all(x[1] >= 0 for x in out)
    return out


# ---- dividing a charge --------------------------------------------------------------------------------------------

class Exact:
    """A sum of fractions, kept by denominator."""

    def __init__(self):
        self.parts = {}

    def add(self, x):
        self.parts[x.denominator] = self.parts.get(x.denominator, 0) + x.numerator

    def value(self):
        return sum((Q(n, d) for d, n in self.parts.items()), Q(0))


class Held:
    """What one claim has of a GPU during a charge: integrals over milliseconds."""

    def __init__(self):
        self.share, self.used, self.memory, self.spans = Exact(), Exact(), Exact(), []

    def add(self, share, used, memory, start, end):
        ms = end - start
        self.share.add(share * ms)
        self.used.add(used * ms)
        self.memory.add(Q(memory) * ms)
        if memory > 0:
            if self.spans and self.spans[-1][1] == start:
                self.spans[-1] = (self.spans[-1][0], end)
            else:
                self.spans.append((start, end))


class Division:
    """One charge, divided into entries."""

    def __init__(self, world, charge):
        self.world, self.charge, self.rule, self.catalogue = world, charge, world.rule, world.catalogue
        self.node = world.node(charge.resource)
        self.type = world.type_of(charge.resource, charge.type, charge.start)
        self.gpus = self.node.gpus(charge.start, charge.end)
        self.set_slots()
        charge.physical = sum(len(g.devices) if g and g.mig else 1 for g, _ in self.slots)
        charge.model_of = lambda d: self.catalogue.model(d.model) if d.model else self.catalogue.type_model(self.type)
        charge.size = self.size

    def set_slots(self):
        """(gpu or None, model): the GPUs that metrics show and those that only the catalogue promises."""
        count, type_model = self.catalogue.type_count(self.type), self.catalogue.type_model(self.type)
        self.size = count if 0 < count < 1 and len(self.gpus) <= 1 else Q(1)
        seen = [(g, self.catalogue.model(g.metric_model) if g.metric_model else type_model) for g in self.gpus]
        models = sorted({m for _, m in seen})
        promised = models[0] if len(models) == 1 else type_model
        missing = max(0, int(-(-count // 1)) - len(seen))
        self.slots = seen + [(None, promised)] * missing
        models = {m for _, m in self.slots}
        self.model = models.pop() if len(models) == 1 else None

    def shape(self):
        """(vCPU, GiB) of the node, None where unknown."""
        if self.type in self.catalogue.types:
            t = self.catalogue.types[self.type]
            return Q(t['vcpu']), Q(t['memory_gib'])
        for name in self.node.names:
            size = self.world.facts.sizes.get(name + (self.charge.resource,), {})
            if size.get('cpu') and size.get('memory'):
                return Q(size['cpu']), Q(size['memory']) / GIB
        if self.charge.cores:
            return Q(str(self.charge.cores)), Q(str(self.charge.gib))
        return None, None

    def prices(self):
        """cpu : memory : [per slot], as a ratio."""
        cpu, gib = self.shape()
        gpu = [self.catalogue.price(m, self.rule) * self.size for _, m in self.slots]
        if self.rule.method == 'shares':
            shares = self.rule.shares
            return shares['cpu'], shares['memory'], [shares['gpu'] * p / sum(gpu) for p in gpu]
        return (cpu or 0) * self.rule.vcpu_hour, (gib or 0) * self.rule.gib_hour, gpu

    def as_billed(self):
        return self.rule.method == 'billed' or self.rule.method is None and bool(self.charge.parts)

    def amounts(self):
        """The charge as cpu, memory, [per slot]."""
        cost, (cpu, memory, slots) = self.charge.cost, self.prices()
        if not self.as_billed():
            total = cpu + memory + sum(slots)
            return cost * cpu / total, cost * memory / total, [cost * s / total for s in slots]
        models = [m for _, m in self.slots]
        by = {'cpu': Q(0), 'memory': Q(0), **{m: Q(0) for m in models}}
        for (piece, model), amount in self.charge.parts.items():
            if piece != 'gpu':
                by[piece] += amount
            elif model in models:
                by[model] += amount
            else:
                for m, s in zip(models, slots):
                    by[m] += amount * s / sum(slots)
        rest, sizes = cost - sum(by.values()), {k: abs(v) for k, v in by.items()}
        if not any(sizes.values()):
            sizes = {'cpu': cpu, 'memory': memory, **{m: sum(s for n, s in zip(models, slots) if n == m) for m in models}}
        for k, size in sizes.items():
            by[k] += rest * size / sum(sizes.values())
        return by['cpu'], by['memory'], [by[m] / models.count(m) for m in models]

    def unknown(self):
        """Without GPUs, or sizes that the split needs: all of the charge is (no-metrics), by the charge's time in each day."""
        sized = self.rule.method == 'shares' or self.as_billed() or all(self.shape())
        return not self.slots or not sized

    def whole(self):
        reason = 'never-seen' if self.node.first is None else 'gap'
        for day, part in self.by_day(self.days()):
            e = Entry(self.charge, 'gpu', Claim(NO_METRICS, 'D', reason, 'unknown', day, None), self.charge.cost * part, model=self.model)
            e.hours = self.size * len(self.slots) * self.charge.billed / HOUR * part if self.charge.usage else Q(0)
            yield e

    def entries(self):
        if self.unknown():
            return list(self.whole())
        cpu, memory, slots = self.amounts()
        sizes = [abs(s) for s in slots] if any(slots) else [Q(1)] * len(slots)
        gpu = self.gpu_entries(slots, [s / sum(sizes) for s in sizes])
        out = list(gpu)
        for piece, cost in (('cpu', cpu), ('memory', memory)):
            out += self.host_entries(piece, cost, gpu)
        assert sum(e.cost for e in out) == self.charge.cost, 'not conserved'
        return out

    # ---- the GPU piece

    def gpu_entries(self, costs, weights):
        held, seen_by_day = self.integrate()
        observed = [sum(days.values()) for days in seen_by_day]
        out = []
        for i, (gpu, model) in enumerate(self.slots):
            seen = Q(min(observed[i], self.charge.billed)) / self.charge.billed
            part = Q(1) if seen >= self.rule.min_coverage and observed[i] else seen
            mine = [self.gpu_entry(costs[i], weights[i], i, c, h, part, observed[i]) for c, h in held[i].items()]
            missing = self.missing(1 - part, gpu, self.node.first, self.node.last, seen_by_day[i])
            mine += [self.gpu_entry(costs[i], weights[i], i, c, None, share, None) for c, share in missing]
            for e in mine:
                e.gpu, e.model = gpu.uuid if gpu else None, model
            out += mine
        return out

    def gpu_entry(self, cost, weight, slot, claim, held, part, observed):
        share = held.share.value() / observed * part if held else part
        e = Entry(self.charge, 'gpu', claim, cost * share, slot=slot)
        e.weight = weight * share
        e.hours = self.size * self.charge.billed / HOUR * share if self.charge.usage else Q(0)
        e.used = cost * held.used.value() / observed * part if held else e.cost
        if held and self.charge.usage:
            e.memory, e.spans = held.memory.value(), held.spans
        return e

    def integrate(self):
        """Per slot {claim: Held} and the observed milliseconds by day."""
        held, observed = [{} for _ in self.slots], [{} for _ in self.slots]
        points = self.world.facts.all_points(d for g in self.gpus for d in g.devices)
        points += self.world.ksm_points(self.node.cluster)
        cuts = self.world.cuts(self.charge.start, self.charge.end, points)
        for start, end in zip(cuts, cuts[1:]):
            if not any(d.stands(start) for g in self.gpus for d in g.devices):
                continue
            view = View(self.world, self.charge, self.node, self.gpus, start)
            for i, (gpu, _) in enumerate(self.slots):
                parts = gpu_parts(view, gpu) if gpu else None
                if parts is None:
                    continue
                observed[i][day_of(start)] = observed[i].get(day_of(start), 0) + end - start
                for p, share, used, sharing in parts:
                    if share or p.memory:
                        claim = Claim(p.who, p.grade, p.reason, sharing, day_of(start), p.candidates)
                        held[i].setdefault(claim, Held()).add(share, used, p.memory, start, end)
        return held, observed

    def days(self):
        """{day: milliseconds of the charge}"""
        a, b = self.charge.start, self.charge.end
        return {d: min(b, (d + 1) * DAY) - max(a, d * DAY) for d in range(day_of(a), day_of(b - 1) + 1)}

    def by_day(self, weights):
        """[(day, part)]; by the charge's time in the days where no day weighs anything."""
        weights = weights if any(weights.values()) else self.days()
        total = sum(weights.values())
        return [(d, Q(w) / total) for d, w in sorted(weights.items()) if w]

    def missing(self, share, seen, first, last, seen_by_day):
        """[(claim, share)] of (no-metrics), by reason and day: what is left by unobserved time, starting on the first day of the
        charge, stopping on its last."""
        if share == 0:
            return []
        inside = lambda t: t is not None and self.charge.start <= t < self.charge.end
        left, out = share * self.charge.billed, []
        if seen is None and first is None:
            out.append(('never-seen', left))
        elif seen is None and len(self.node.spans) <= len(self.gpus):
            out.append(('never-seen', left))
        else:
            for reason, t in (('starting', first), ('stopping', last)):
                ms = min(left, self.rule.startup) if inside(t) else 0
                left -= ms
                out.append((reason, ms))
            out.append(('gap', left))
        days = self.days()
        unseen = {d: max(0, ms - seen_by_day.get(d, 0)) for d, ms in days.items()}
        where = {'starting': {min(days): 1}, 'stopping': {max(days): 1}}
        return [(Claim(NO_METRICS, 'D', r, 'unknown', day, None), ms / self.charge.billed * part)
                for r, ms in out if ms for day, part in self.by_day(where.get(r, unseen))]

    # ---- CPU and memory pieces

    def host_entries(self, piece, cost, gpu):
        basis = self.rule.basis
        host = Host(self, piece) if basis != 'gpu' else None
        if host is None or not host.known:
            if basis != 'gpu':
                self.world.warn('W210')
            return self.followed(piece, cost, gpu)
        return self.host_shares(piece, cost, host)

    def followed(self, piece, cost, gpu):
        out = []
        for e in gpu:
            reason = piece if e.claim.who == IDLE else e.claim.reason
            out.append(Entry(self.charge, piece, e.claim._replace(reason=reason, sharing=None), cost * e.weight, model=self.model, slot=e.slot))
        return out

    def host_shares(self, piece, cost, host):
        billed, capacity = self.charge.billed, self.shape()[0 if piece == 'cpu' else 1] or Q(0)
        covered = Q(min(sum(host.covered_by_day.values()), billed))
        part = Q(1) if covered / billed >= self.rule.min_coverage and covered else covered / billed
        sums = sum(host.weights.values(), Q(0))
        whole = max(capacity * covered, sums)
        shares = [(c, w / whole * part) for c, w in host.weights.items()] if whole else []
        idle = part - sum(s for _, s in shares)
        free = {d: max(Q(0), capacity * ms - sum(w for c, w in host.weights.items() if c.day == d)) for d, ms in host.covered_by_day.items()}
        shares += [(Claim(IDLE, 'A', piece, None, day, None), idle * p) for day, p in self.by_day(free)]
        shares += [(c._replace(sharing=None), s)
                   for c, s in self.missing(1 - part, True, self.node.first, self.node.last, host.covered_by_day)]
        return [Entry(self.charge, piece, c, cost * s, model=self.model) for c, s in shares if s]


class Host:
    """Core-milliseconds or GiB-milliseconds of the pods on a node during a charge."""

    def __init__(self, division, piece):
        self.world, self.charge, self.node, self.piece = division.world, division.charge, division.node, piece
        basis = division.rule.basis
        self.request = basis in ('request', 'max')
        self.usage = basis in ('usage', 'max')
        self.kubelets = [(k, x) for k, x in sorted(self.world.facts.kubelet.items(), key=str) if k[0] == self.node.cluster]
        self.kubelets = [(k, x) for k, x in self.kubelets if self.usage and self.shows(x)]
        self.find_span()
        self.known = self.first is not None
        self.covered_by_day, self.weights = {}, {}
        if self.known:
            self.integrate()

    def series(self, kubelet):
        return kubelet.cpu if self.piece == 'cpu' else kubelet.memory

    def on_node(self, who, t):
        cluster, namespace, name, _, node = who
        if node is None:
            node = self.world.facts.node_of_pod(self.world.facts.pod(cluster, namespace, name, None, t), t)
        return self.world.facts.resource_at(cluster, node, t) == self.node.resource

    def shows(self, kubelet):
        return any(self.on_node(s[0], t) for s in self.series(kubelet) for t in self.times(s))

    def times(self, series):
        return series[1] if self.piece == 'memory' else series[2]

    def find_span(self):
        """The first and the last sample of any such series of the node."""
        times = [t for _, k in self.kubelets for s in self.series(k) for t in self.times(s) if self.on_node(s[0], t)]
        if self.request:
            for x in self.world.facts.ksm.get(self.node.cluster, {}).values():
                for t, rec in x.records.items():
                    names = self.world.names_at(self.node, t)
                    for node, raw, resource, _ in rec.requests:
                        if resource == self.piece and (node or self.world.facts.node_of_pod(self.world.facts.resolve(raw, t), t)) in names:
                            times.append(t)
        self.first, self.last = (min(times), max(times)) if times else (None, None)

    def integrate(self):
        a, b = self.charge.start, self.charge.end
        points = self.world.ksm_points(self.node.cluster) if self.request else []
        for _, k in self.kubelets:
            points = points + k.timeline.points()
        points = points + list(range((a // HOUR + 1) * HOUR, b, HOUR))
        cuts = self.world.cuts(a, b, points)
        requests, usage = {}, {}
        for start, end in zip(cuts, cuts[1:]):
            r, u = self.requests_at(start), self.usage_at(start)
            if r is not None or u is not None and u[0]:
                self.covered_by_day[day_of(start)] = self.covered_by_day.get(day_of(start), 0) + end - start
            self.add(requests, r or {}, start, end)
            self.add(usage, u[1] if u else {}, start, end)
        for pod_hour in sorted(set(requests) | set(usage), key=str):
            larger = max(requests.get(pod_hour, {}), usage.get(pod_hour, {}), key=lambda w: sum(w.values(), Q(0)))
            for claim, w in larger.items():
                self.weights[claim] = self.weights.get(claim, Q(0)) + w

    def add(self, sums, values, start, end):
        for pod, v in values.items():
            claim = Claim(self.world.who(pod, start), 'A', None, None, day_of(start), None)
            hour = sums.setdefault((pod, start // HOUR), {})
            hour[claim] = hour.get(claim, Q(0)) + Q(v) * (end - start)

    def requests_at(self, t):
        if not self.request:
            return None
        names = self.world.names_at(self.node, t)
        found = self.world.facts.requests_at(self.node.cluster, names, t)
        mine = [(p, v) for p, r, v in found or [] if r == self.piece]
        if not mine:
            return None
        out = {}
        for p, v in mine:
            out[p] = out.get(p, 0) + (v if self.piece == 'cpu' else Q(v) / GIB)
        return out

    def usage_at(self, t):
        """(stands, {pod: cores or GiB}) of the target to use, or None."""
        standing = [x for _, x in self.kubelets if x.timeline.at(t) is not None]
        if standing:
            return self.stands(standing[0], t), self.pods(standing[0], t)
        for _, x in self.kubelets:
            pods = self.pods(x, t)
            if pods:
                return False, pods
        return None

    def stands(self, kubelet, t):
        instant = kubelet.timeline.at(t)
        return any(instant in self.times(s) and self.on_node(s[0], t) for s in self.series(kubelet))

    def pods(self, kubelet, t):
        out = {}
        for s in self.series(kubelet):
            v = self.rate(s, t) if self.piece == 'cpu' else s[1].get(kubelet.timeline.at(t))
            if v is None or not self.on_node(s[0], t):
                continue
            cluster, namespace, name, container, _ = s[0]
            pod = self.world.facts.pod(cluster, namespace, name, None, t)
            out.setdefault((pod, container), []).append(v if self.piece == 'cpu' else Q(v) / GIB)
        pods = {}
        for (pod, _), values in out.items():
            pods[pod] = pods.get(pod, 0) + (sum(values) if self.piece == 'cpu' else max(values))
        return pods

    def rate(self, series, t):
        """Cores between the two samples around t."""
        spans = series[1]
        i = bisect_right(spans, t, key=lambda s: s[0]) - 1
        if i < 0 or t >= spans[i][1]:
            return None
        return spans[i][2] * 1000


# ---- what is not in the bill --------------------------------------------------------------------------------------

def nobodys_blank(facts, device, t):
    rec, layer = device.pick(device.targets, facts, t), device.pick(device.layer, facts, t)
    return blank(rec, layer) and not rec.pods


def unbilled(world, charges):
    """[(hours, day, cluster, node name, uuid, model)] of GPU time that no charge of its node covers."""
    spans = {}
    for c in charges:
        spans.setdefault(c.resource, []).append(c)
    gpus = {}
    for d in world.facts.devices.values():
        gpus.setdefault((d.cluster, d.uuid), set()).add(d)
    out = []
    for key, devices in sorted(gpus.items(), key=str):
        gpu = Gpu(key, devices)
        points = world.facts.all_points(gpu.devices) + [p for c in charges for p in (c.start, c.end)]
        cuts = world.cuts(*world.period, points)
        for start, end in zip(cuts, cuts[1:]):
            standing = [d for d in gpu.devices if d.stands(start) and not nobodys_blank(world.facts, d, start)]
            if not standing:
                continue
            resource = world.resource_of(standing[0], start)
            if any(c.start <= start < c.end for c in spans.get(resource, [])):
                continue
            node = standing[0].node_at(start)
            model = world.catalogue.model(gpu.metric_model) if gpu.metric_model else world.model_of_name(key[0], node, start, spans)
            out.append((Q(end - start, HOUR), day_of(start), key[0], standing[0].node_at(start), key[1], model))
    return out
