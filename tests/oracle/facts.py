"""From samples to what is known at an instant: timelines, devices, and the inventory of nodes and pods."""
from bisect import bisect_right
from collections import namedtuple
from fractions import Fraction as Q

from inputs import DAY, MIB, day_of, glob_match, last_token

BACK = 600000       # the first label of a pod, node or namespace holds up to 10 minutes before it

Pod = namedtuple('Pod', 'cluster namespace name uid')


class Timeline:
    """The instants of one target, and how long each stands."""

    def __init__(self, times, rule):
        self.times = sorted(set(times))
        self.ends = [self.end(i, rule) for i in range(len(self.times))]

    def end(self, i, rule):
        t = self.times[i]
        after = self.times[i + 1] if i + 1 < len(self.times) else None
        if after is not None and after - t <= rule.max_gap:
            return after
        until = t + (rule.interval or self.interval(day_of(t), rule.max_gap))
        return until if after is None else min(until, after)

    def interval(self, day, max_gap):
        """The lower median of the spacings whose earlier instant lies in the day, as a run over that day alone sees them."""
        if not hasattr(self, 'by_day'):
            self.by_day = {}
            for a, b in zip(self.times, self.times[1:]):
                if b <= (day_of(a) + 1) * DAY + max_gap:
                    self.by_day.setdefault(day_of(a), []).append(b - a)
        spacings = sorted(self.by_day.get(day, []))
        return spacings[(len(spacings) - 1) // 2] if spacings else 60000

    def at(self, t):
        """The instant that stands for t, or None."""
        i = bisect_right(self.times, t) - 1
        return self.times[i] if i >= 0 and t < self.ends[i] else None

    def points(self):
        return self.times + self.ends


class Hold:
    """A value that holds from a sample until the next different one."""

    def __init__(self):
        self.samples = []

    def add(self, t, value):
        self.samples.append((t, value))

    def finish(self):
        self.samples.sort(key=lambda s: s[0])
        self.times = [t for t, _ in self.samples]
        return self

    def last(self, t):
        i = bisect_right(self.times, t) - 1
        return self.samples[i][1] if i >= 0 else None

    def early(self, t):
        return self.samples[0][1] if self.times and 0 <= self.times[0] - t <= BACK else None

    def at(self, t):
        value = self.last(t)
        return value if value is not None else self.early(t)

    def changes(self):
        out, before = [], object()
        for t, v in self.samples:
            if v != before:
                out.append(t)
            before = v
        return out + ([self.times[0] - BACK] if self.times else [])


class PodHold:
    """Values of pods; a name may be used again by a pod with another uid."""

    def __init__(self):
        self.by_name, self.by_uid = {}, {}

    def add(self, key, uid, t, value):
        self.by_name.setdefault(key, Hold()).add(t, value)
        if uid:
            self.by_uid.setdefault(key + (uid,), Hold()).add(t, value)

    def finish(self):
        for h in list(self.by_name.values()) + list(self.by_uid.values()):
            h.finish()

    def at(self, key, uid, t):
        mine, name = self.by_uid.get(key + (uid,)), self.by_name.get(key)
        if name is None:
            return None
        value = mine.last(t) if mine else None
        value = value if value is not None else name.last(t)
        if value is None:
            value = (mine or name).early(t)
        return value

    def changes(self):
        return [t for h in list(self.by_name.values()) + list(self.by_uid.values()) for t in h.changes()]


class Target:
    """What one target shows, by instant."""

    def __init__(self):
        self.records, self.timeline, self.pods_at_all = {}, None, False


class KsmRecord:
    def __init__(self):
        self.requests, self.capacity = [], {}       # capacity by node


class Rec:
    """The memory samples of one device at one instant of one target."""
    __slots__ = ('used', 'free', 'reserved', 'total', 'pods', 'ended')

    def __init__(self):
        self.used, self.free, self.reserved, self.total, self.pods, self.ended = [], [], [], [], {}, set()

    def resolved(self, facts, t, instant):
        """The record with the pods that its names mean at t; `ended` are those that had, at the instant."""
        out = Rec()
        for kind in ('used', 'free', 'reserved', 'total'):
            setattr(out, kind, [(facts.resolve(raw, t), container, v) for raw, container, v in getattr(self, kind)])
        out.ended = {pod for pod, _, _ in out.used if pod and facts.has_ended(pod, instant)}
        out.pods = {pod: True for pod in (facts.resolve(raw, t) for raw in self.pods) if pod not in out.ended}
        return out

    @staticmethod
    def of_holder(pod, used):
        out = Rec()
        out.used = [(pod, None, used)]
        return out

    def living(self):
        """The used memory of pods that have not ended."""
        return [s for s in self.used if s[0] and s[0] not in self.ended]


class Device:
    def __init__(self, key):
        self.cluster, self.uuid, self.gi = key
        self.targets, self.layer = {}, {}       # target key -> Target
        self.model = self.profile = None
        self.node = Hold()

    def pick(self, targets, facts, t):
        """The record of the target to use at t: pod labels at all, then label order."""
        for key in sorted(targets, key=lambda k: (not targets[k].pods_at_all, k)):
            instant = targets[key].timeline.at(t)
            if instant is not None:
                return targets[key].records[instant].resolved(facts, t, instant)
        return None

    def flickering(self, facts, t):
        """The one pod labelled both before and after t, at most max_gap apart, when nobody is at t but the device's memory is known."""
        key = next(k for k in sorted(self.targets, key=lambda k: (not self.targets[k].pods_at_all, k))
                   if self.targets[k].timeline.at(t) is not None)
        records, times = self.targets[key].records, self.targets[key].timeline.times
        now = self.targets[key].timeline.at(t)
        if not records[now].used or records[now].pods:
            return None
        before = next((u for u in reversed(times) if u < now and records[u].pods), None)
        after = next((u for u in times if u > now and records[u].pods), None)
        if before is None or after is None or after - before > facts.rule.max_gap:
            return None
        pods = {facts.resolve(raw, u) for u in (before, after) for raw in records[u].pods}
        return pods.pop() if len(pods) == 1 else None

    def points(self):
        return [p for ts in (self.targets, self.layer) for x in ts.values() for p in x.timeline.points()]

    def stands(self, t):
        return any(x.timeline.at(t) is not None for ts in (self.targets, self.layer) for x in ts.values())

    def node_at(self, t):
        return self.node.last(t) or (self.node.samples[0][1] if self.node.samples else None)


DCGM = {'DCGM_FI_DEV_FB_USED': 'used', 'DCGM_FI_DEV_FB_FREE': 'free', 'DCGM_FI_DEV_FB_RESERVED': 'reserved',
        'DCGM_FI_DEV_FB_TOTAL': 'total', 'dcgm_fb_used': 'used', 'dcgm_fb_free': 'free', 'dcgm_fb_reserved': 'reserved',
        'dcgm_fb_total': 'total'}
LAYER = {'hami_vgpu_memory_used_bytes', 'hami_container_device_memory_bytes', 'vGPU_device_memory_usage_in_bytes'}
REQUESTS = 'kube_pod_container_resource_requests'
REPLICA = ('prometheus_replica', 'replica', '__replica__')


def target_of(labels):
    return (labels.get('job', ''), labels.get('instance', '')) + tuple(labels.get(r, '') for r in REPLICA)


def is_exporter(pod):
    return any(w in pod for w in ('dcgm-exporter', 'hami-device-plugin', 'vgpu-monitor', 'gpu-exporter'))


def workload_labels(labels):
    """(namespace, pod, container) that the series speaks of, or None."""
    for ns, pod, container in (('exported_namespace', 'exported_pod', 'exported_container'),
                               ('podnamespace', 'podname', 'ctrname'), ('pod_namespace', 'pod_name', 'container_name'),
                               ('namespace', 'pod', 'container')):
        if labels.get(pod):
            if pod == 'pod' and is_exporter(labels[pod]):
                return None
            return labels.get(ns, ''), labels[pod], labels.get(container, '')
    return None


def used(series):
    return series.name.startswith('kube_') or series.name in DCGM or series.name in LAYER or series.name in (
        'container_cpu_usage_seconds_total', 'container_memory_working_set_bytes')


def gpu_resource(resource):
    return resource in ('nvidia_com_gpu', 'nvidia_com_gpu_shared', 'amd_com_gpu') or resource.startswith('nvidia_com_mig_')


POOLS = ['karpenter.sh/nodepool', 'karpenter.sh/provisioner-name', 'eks.amazonaws.com/nodegroup', 'alpha.eksctl.io/nodegroup-name',
         'cloud.google.com/gke-nodepool', 'kubernetes.azure.com/agentpool', 'agentpool']


def sanitised(name, prefix='label_'):
    return prefix + ''.join(c if c.isalnum() or c == '_' else '_' for c in name)


class Facts:
    def __init__(self, series, rule, start, end, nodes):
        self.rule, self.nodes = rule, nodes
        self.clusters = {s.labels.get('cluster') for s in series if used(s)}
        self.low, self.high = start - rule.max_gap, end + rule.max_gap
        self.node_ids, self.node_labels, self.node_ips = {}, {}, {}
        self.pod_info, self.pod_labels, self.pod_owner, self.pod_uid = PodHold(), PodHold(), PodHold(), PodHold()
        self.pod_annotations, self.namespace_annotations = PodHold(), {}
        self.namespace_labels, self.parents = {}, {}
        self.ksm, self.kubelet, self.devices = {}, {}, {}
        self.phases, self.completions, self.deletions, self.lives = {}, {}, {}, {}
        self.sizes, self.largest = {}, {}
        self.read_labels(series)
        self.read_ksm(series)
        self.read_devices(series)
        self.read_kubelet(series)
        self.label_changes = sorted(set(self.all_label_changes()))

    # ---- labels, owners, provider ids: from any distance

    def read_labels(self, series):
        for s in series:
            if not s.name.startswith('kube_'):
                continue
            lb, cluster = s.labels, s.labels.get('cluster')
            shown = {k: v for k, v in lb.items() if k.startswith(('label_', 'annotation_'))}
            for t, _ in s.samples:
                self.read_label(s.name, lb, cluster, shown, t)
        for table in (self.node_ids, self.node_labels, self.namespace_labels, self.namespace_annotations, self.parents):
            for h in table.values():
                h.finish()
        for p in (self.pod_info, self.pod_labels, self.pod_annotations, self.pod_owner, self.pod_uid):
            p.finish()

    def read_label(self, name, lb, cluster, shown, t):
        key = (cluster, lb.get('namespace'), lb.get('pod'))
        if name == 'kube_node_info':
            self.node_ips[(cluster, lb.get('internal_ip'))] = lb['node']
            id_ = last_token(lb.get('provider_id', ''))
            self.node_ids.setdefault((cluster, lb['node']), Hold()).add(t, id_ or None)
        elif name == 'kube_node_labels':
            self.node_labels.setdefault((cluster, lb['node']), Hold()).add(t, shown)
        elif name == 'kube_namespace_labels':
            self.namespace_labels.setdefault((cluster, lb['namespace']), Hold()).add(t, shown)
        elif name == 'kube_namespace_annotations':
            self.namespace_annotations.setdefault((cluster, lb['namespace']), Hold()).add(t, shown)
        elif name == 'kube_pod_annotations':
            self.pod_annotations.add(key, lb.get('uid'), t, shown)
        elif name == 'kube_replicaset_owner':
            self.add_parent((cluster, lb['namespace'], 'ReplicaSet', lb['replicaset']), lb, t)
        elif name == 'kube_job_owner':
            self.add_parent((cluster, lb['namespace'], 'Job', lb['job_name']), lb, t)
        elif name == 'kube_pod_info':
            self.pod_info.add(key, lb.get('uid'), t, (lb.get('node'), lb.get('created_by_kind'), lb.get('created_by_name')))
        elif name == 'kube_pod_labels':
            self.pod_labels.add(key, lb.get('uid'), t, shown)
        elif name == 'kube_pod_owner':
            self.pod_owner.add(key, lb.get('uid'), t, (lb.get('owner_kind'), lb.get('owner_name')))
        if name.startswith('kube_pod_') and lb.get('uid'):
            self.pod_uid.add(key, None, t, lb['uid'])

    def add_parent(self, key, lb, t):
        self.parents.setdefault(key, Hold()).add(t, (lb.get('owner_kind'), lb.get('owner_name')))

    def all_label_changes(self):
        for table in (self.node_ids, self.node_labels, self.namespace_labels, self.namespace_annotations, self.parents):
            for h in table.values():
                yield from h.changes()
        for p in (self.pod_info, self.pod_labels, self.pod_annotations, self.pod_owner, self.pod_uid):
            yield from p.changes()
        for pod in set(self.phases) | set(self.deletions):
            yield from (t for t, _ in self.life(pod))
        for line in self.rule.owners or []:
            yield from (t for t in (line['from'], line['until']) if t is not None)
        for spans in self.nodes.values():
            yield from (t for s in spans for t in s[2:] if t is not None)

    def resource_at(self, cluster, node, t):
        """The provider's id of the node of that name at t."""
        hold = self.node_ids.get((cluster, node))
        id_ = hold.at(t) if hold else None
        if id_:
            return id_
        for resource, _, start, end in self.nodes.get(node, []):
            if (start is None or start <= t) and (end is None or t < end):
                return resource
        return None

    def labels_of_node(self, cluster, node, t):
        hold = self.node_labels.get((cluster, node))
        return (hold.at(t) if hold else None) or {}

    def pod(self, cluster, namespace, name, uid, t):
        return Pod(cluster, namespace, name, uid or self.pod_uid.at((cluster, namespace, name), None, t))

    def resolve(self, raw, t):
        """The pod that a name, with or without a uid, means at t."""
        return self.pod(*raw, t) if raw else None

    # ---- kube-state-metrics: requests, capacity, phases

    def loaded(self, s):
        return [(t, v) for t, v in s.samples if self.low <= t <= self.high]

    def read_ksm(self, series):
        """cluster -> target -> Target; the times of all of a target's series are its timeline."""
        for s in series:
            if not s.name.startswith('kube_'):
                continue
            lb = s.labels
            self.read_sizes(s)
            self.read_phase(s)
            target = self.ksm.setdefault(lb.get('cluster'), {}).setdefault(target_of(lb), Target())
            for t, v in self.loaded(s) if self.counts(s) else []:
                self.read_ksm_sample(s.name, lb, target.records.setdefault(t, KsmRecord()), t, v)
        for targets in self.ksm.values():
            for x in targets.values():
                x.timeline = Timeline(x.records, self.rule)

    def counts(self, s):
        """Requests of CPU, memory and GPUs, and capacity of GPUs: what a target's timeline is made of."""
        resource = s.labels.get('resource', '')
        return s.name == REQUESTS and (resource in ('cpu', 'memory') or gpu_resource(resource)) \
            or s.name == 'kube_node_status_capacity' and gpu_resource(resource)

    def read_sizes(self, s):
        """The CPU and memory capacity of machines: the largest shown while the name meant the machine."""
        if s.name == 'kube_node_status_capacity' and s.labels['resource'] in ('cpu', 'memory'):
            where, what = (s.labels.get('cluster'), s.labels['node']), s.labels['resource']
            for t, v in s.samples:
                size = self.sizes.setdefault(where + (self.resource_at(*where, t),), {})
                size[what] = max(v, size.get(what, 0))

    def read_phase(self, s):
        """A sample of an ended phase says whether the pod has ended, one of another phase that it has not."""
        lb, ends = s.labels, s.labels.get('phase') in ('Succeeded', 'Failed')
        pod = lb.get('cluster'), lb.get('namespace'), lb.get('pod'), lb.get('uid')
        if s.name == 'kube_pod_status_phase':
            says = self.phases.setdefault(pod, {})
            for t, v in s.samples:
                if v or ends:
                    says[t] = says.get(t, False) or bool(v and ends)
        elif s.name == 'kube_pod_completion_time':
            self.completions.setdefault(pod, set()).update(int(v * 1000) for _, v in s.samples)
        elif s.name == 'kube_pod_deletion_timestamp' and pod[3]:
            last, due = max(s.samples)
            self.deletions.setdefault(pod, []).append(max(int(due * 1000), last + 1))

    def life(self, pod):
        """[(since, 'lives', 'finished' or 'deleted')], neighbours differ."""
        if pod not in self.lives:
            says = {t: 'finished' if ends else 'lives' for t, ends in self.phases.get(pod, {}).items()}
            says.update((t, 'deleted') for t in self.deletions.get(pod, []))
            steps = [(t, says[t]) for t in sorted(says)]
            steps = [s for i, s in enumerate(steps) if i == 0 or steps[i - 1][1] != s[1]]
            self.lives[pod] = [(self.since(pod, steps[i - 1][0] if i else 0, t) if how == 'finished' else t, how)
                               for i, (t, how) in enumerate(steps)]
        return self.lives[pod]

    def since(self, pod, after, until):
        """A pod that was seen finished has been so since the last of its containers ended."""
        return max((t for t in self.completions.get(pod, ()) if after < t < until), default=until)

    def has_ended(self, pod, t):
        life = self.life(pod) or self.life(pod[:3] + (None,))
        return next((how for since, how in reversed(life) if since <= t), 'lives') != 'lives'

    def read_ksm_sample(self, name, lb, rec, t, v):
        cluster = lb.get('cluster')
        if name == REQUESTS:
            pod = Pod(cluster, lb['namespace'], lb['pod'], lb.get('uid'))
            rec.requests.append((lb.get('node'), pod, lb['resource'], v))
        elif name == 'kube_node_status_capacity':
            rec.capacity.setdefault(lb['node'], {})[lb['resource']] = v

    def node_of_pod(self, pod, t):
        info = self.pod_info.at(pod[:3], pod.uid, t)
        return info[0] if info else None

    def ksm_at(self, cluster, t):
        targets = self.ksm.get(cluster, {})
        for key in sorted(targets):
            instant = targets[key].timeline.at(t)
            if instant is not None:
                return targets[key].records[instant]
        return None

    def requests_at(self, cluster, names, t):
        """[(pod, resource, value)] on the nodes of these names; None when no request of the nodes is known."""
        rec = self.ksm_at(cluster, t)
        if rec is None:
            return None
        found = []
        for node, raw, resource, v in rec.requests:
            pod = self.resolve(raw, t)
            if (node or self.node_of_pod(pod, t)) in names:
                found.append((pod, resource, v))
        return [x for x in found if not self.has_ended(x[0], t)] if found else None

    def capacity_at(self, cluster, names, t):
        rec = self.ksm_at(cluster, t)
        found = [rec.capacity[n] for n in names if n in rec.capacity] if rec else []
        return found[0] if found else None

    # ---- GPUs

    def read_devices(self, series):
        for s in series:
            if s.name in DCGM:
                self.read_dcgm(s)
            elif s.name in LAYER:
                self.read_layer(s)
        for d in self.devices.values():
            d.node.finish()
            for ts in (d.targets, d.layer):
                for x in ts.values():
                    x.timeline = Timeline(x.records, self.rule)
        self.devices = {k: d for k, d in self.devices.items() if any(x.records for ts in (d.targets, d.layer) for x in ts.values())}

    def device(self, labels, *names):
        uuid = next(labels[n] for n in names if labels.get(n)).split('::')[0]
        uuid = uuid if uuid.startswith('GPU-') else 'GPU-' + uuid
        key = (labels.get('cluster'), uuid, labels.get('GPU_I_ID'))
        return self.devices.setdefault(key, Device(key))

    def read_dcgm(self, s):
        lb, kind = s.labels, DCGM[s.name]
        d = self.device(lb, 'UUID', 'uuid')
        d.model, d.profile = lb.get('modelName') or d.model, lb.get('GPU_I_PROFILE') or d.profile
        who = workload_labels(lb)
        target = d.targets.setdefault(target_of(lb), Target())
        for t, v in self.loaded(s):
            if v < 0:
                continue
            rec = target.records.setdefault(t, Rec())
            pod = Pod(d.cluster, who[0], who[1], lb.get('pod_uid')) if who else None
            if pod and kind == 'used':
                rec.pods[pod] = True
                target.pods_at_all = True
            getattr(rec, kind).append((pod, who and who[2], v * MIB))
            d.node.add(t, self.node_of_exporter(lb, d.cluster, t))

    def node_of_exporter(self, lb, cluster, t):
        for k in ('node', 'kubernetes_node', 'nodename'):
            if lb.get(k):
                return lb[k]
        host = lb.get('Hostname') or lb.get('hostname')
        if (cluster, host) in self.node_ids or (cluster, host) in self.node_labels or host in self.nodes:
            return host
        if lb.get('pod') and is_exporter(lb['pod']):
            node = self.node_of_pod(self.pod(cluster, lb.get('namespace'), lb['pod'], None, t), t)
            if node:
                return node
        return self.node_ips.get((cluster, lb.get('instance', '').split(':')[0])) or host

    def read_layer(self, s):
        lb = s.labels
        d, who = self.device(lb, 'device_uuid', 'deviceuuid'), workload_labels(lb)
        target = d.layer.setdefault(target_of(lb), Target())
        target.pods_at_all = True
        for t, v in self.loaded(s):
            if v < 0 or not who:
                continue
            target.records.setdefault(t, Rec()).used.append((Pod(d.cluster, who[0], who[1], None), who[2], v))

    def all_points(self, devices):
        return [p for d in devices for p in d.points()]

    # ---- container CPU and memory

    def read_kubelet(self, series):
        """(cluster, target) -> counters, gauges and the timeline of all of them."""
        for s in series:
            lb = s.labels
            if s.name not in ('container_cpu_usage_seconds_total', 'container_memory_working_set_bytes'):
                continue
            if not lb.get('pod') or lb.get('container', 'POD') == 'POD':
                continue
            kubelet = self.kubelet.setdefault((lb.get('cluster'), target_of(lb)), Kubelet())
            samples = [(t, v) for t, v in self.loaded(s) if v >= 0]
            kubelet.add(s.name, lb, samples, self.rule.max_gap)
        for k in self.kubelet.values():
            k.timeline = Timeline(k.times, self.rule)

    # ---- owners

    def owner(self, pod, t):
        """(team, bucket) of a pod at t; (None, None) when no line matches."""
        if self.rule.owners is None:
            return self.meant(pod.namespace), None
        for line in self.rule.owners:
            hit = self.owner_line(line, pod, t)
            if hit is not None:
                return (None, line['bucket']) if 'bucket' in line else (self.meant(line['team'].replace('{value}', hit)), None)
        return None, None

    def meant(self, team):
        if team not in self.rule.aliases:
            for name, globs in self.rule.aliases.items():
                if any(glob_match(g, team) for g in globs):
                    return name
        return team

    def owner_line(self, line, pod, t):
        """None, or the label's value ('' where the line names no label)."""
        if line['from'] is not None and t < line['from'] or line['until'] is not None and t >= line['until']:
            return None
        value = ''
        for key, names, globs in line['matchers']:
            found = self.matched(key, names, globs, pod, t)
            if found is None:
                return None
            value = value or (found if names or key == 'node_pool' else '')
        return value

    def matched(self, key, names, globs, pod, t):
        """What the pod has that is asked for, None: it has not."""
        if key == 'node_pool':
            names = POOLS
        if names is None:
            texts = [{'namespace': pod.namespace, 'workload': self.workload(pod, t), 'node': self.node_of(pod, t)}[key]]
            globs = [g if key != 'workload' or '/' in g else '*/' + g for g in globs]
        else:
            prefix = 'annotation_' if key.endswith('_annotation') else 'label_'
            labels = self.labels_for(key, pod, t)
            texts = [labels.get(sanitised(n, prefix)) for n in names]
        for text in texts:
            if text and (globs is None or any(glob_match(g, text) for g in globs)):
                return text
        return None

    def labels_for(self, key, pod, t):
        if key in ('pod_label', 'pod_annotation'):
            hold = self.pod_labels if key == 'pod_label' else self.pod_annotations
            return hold.at(pod[:3], pod.uid, t) or {}
        if key in ('node_label', 'node_pool'):
            hold = self.node_labels.get((pod.cluster, self.node_of(pod, t)))
        else:
            hold = (self.namespace_labels if key == 'namespace_label' else self.namespace_annotations).get(pod[:2])
        return (hold.at(t) if hold else None) or {}

    def node_of(self, pod, t):
        info = self.pod_info.at(pod[:3], pod.uid, t)
        return info[0] if info else None

    def workload(self, pod, t):
        owner = self.pod_owner.at(pod[:3], pod.uid, t)
        info = self.pod_info.at(pod[:3], pod.uid, t)
        kind, name = owner or (info[1:] if info else (None, None))
        if kind in (None, '', '<none>'):
            return 'Pod/' + pod.name
        above = self.parents.get((pod.cluster, pod.namespace, kind, name))
        top = above.at(t) if above else None
        if top and top[0] not in (None, '', '<none>'):
            kind, name = top
        return kind + '/' + name


class Kubelet:
    def __init__(self):
        self.cpu, self.memory, self.times = [], [], set()

    def add(self, name, lb, samples, max_gap):
        who = (lb.get('cluster'), lb.get('namespace'), lb['pod'], lb['container'], lb.get('node'))
        self.times.update(t for t, _ in samples)
        if name == 'container_memory_working_set_bytes':
            self.memory.append((who, dict(samples)))
        else:
            self.cpu.append((who, increases(samples, max_gap), {t for t, _ in samples}))


def increases(samples, max_gap):
    """[(start, end, core-seconds per millisecond)] between neighbouring samples, max_gap apart at most; a drop is a reset."""
    return [(t, u, Q(y - x if y >= x else y) / (u - t)) for (t, x), (u, y) in zip(samples, samples[1:])
            if u - t <= max_gap]
