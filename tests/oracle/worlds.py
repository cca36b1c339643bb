#!/usr/bin/env python3
"""Random small worlds: a bill, metrics, a rule and options that belong together.

    python3 worlds.py SEED OUTDIR       writes billing.csv, metrics.om, rule.yaml, args and sometimes nodes.csv
"""
import csv
import datetime
import json
import os
import random
import sys
from decimal import Decimal

EPOCH = datetime.datetime(1970, 1, 1)
HOUR = 3600
BASE = int((datetime.datetime(2026, 10, 5) - EPOCH).total_seconds())
MONTH = [int((datetime.datetime(2026, m, 1) - EPOCH).total_seconds()) for m in (10, 11)]

# type: (metric model, total MiB, reserved MiB, GPUs, vCPU, GiB, hourly price, MIG profiles)
TYPES = {
    'p5.4xlarge': ('NVIDIA H100 80GB HBM3', 81559, 1024, 1, 16, 256, '6.88', '3g.40gb 2g.20gb 1g.10gb'),
    'g6.xlarge': ('NVIDIA L4', 23034, 300, 1, 4, 16, '0.8048', ''),
    'g5.2xlarge': ('NVIDIA A10G', 23028, 300, 1, 8, 32, '1.212', ''),
    'g6.12xlarge': ('NVIDIA L4', 23034, 300, 4, 48, 192, '4.6016', ''),
    'g7e.12xlarge': ('NVIDIA RTX PRO 6000 Blackwell Server Edition', 97887, 512, 2, 48, 512, '8.28608', '2g.48gb 1g.24gb'),
    'a2-ultragpu-2g': ('NVIDIA A100-SXM4-80GB', 81920, 583, 2, 24, 340, '10.13759578', '4g.40gb 2g.20gb 1g.10gb'),
    'g4dn.12xlarge': ('Tesla T4', 15360, 447, 4, 48, 192, '3.912', ''),
    'g6f.xlarge': ('NVIDIA L4', 2879, 37, 1, 4, 16, '0.2375', ''),
    'g6f.4xlarge': ('NVIDIA L4', 11517, 150, 1, 16, 64, '0.95', ''),
    'rack.2gpu': ('NVIDIA L40S', 46068, 512, 2, 32, 128, '5.25', ''),
    'rack.desk': ('NVIDIA GeForce RTX 4090', 24564, 400, 2, 32, 128, '1.90', ''),
    'rack.dual': ('NVIDIA L40S', 46068, 512, 3, 32, 128, '5.00', ''),
}
GOOGLE = {'NVIDIA H100 80GB HBM3': 'Nvidia H100 80GB GPU', 'NVIDIA L4': 'Nvidia L4 GPU', 'Tesla T4': 'Nvidia Tesla T4 GPU',
          'NVIDIA A100-SXM4-80GB': 'Nvidia Tesla A100 80GB GPU'}
MIG_MIB = {'3g.40gb': 40448, '4g.40gb': 40192, '2g.20gb': 20096, '1g.10gb': 9856, '2g.48gb': 48900, '1g.24gb': 24400}
MODES = ['exclusive', 'exclusive', 'perprocess', 'perprocess', 'copies', 'copies', 'lastpod', 'lastpod', 'mig', 'mig', 'hami', 'nobody']
BYS = ['team', 'team', 'team', 'team,gpu_model', 'namespace,pod', 'pod', 'workload', 'team,workload', 'cost_centre',
       'cost_centre,team', 'cluster,team', 'node', 'node,team', 'gpu', 'team,gpu', 'region,purchase', 'purchase,team', 'day,team',
       'namespace', 'team,namespace,pod', 'gpu_model', 'sharing', 'reason', 'team,reason']
NAMESPACES = ['nlp-prod', 'nlp-dev', 'vision', 'lab-7', 'batch', 'sandbox', 'rec']


def stamp_text(ms):
    return ('%d.%03d' % (ms // 1000, ms % 1000)).rstrip('0').rstrip('.')


def iso(seconds):
    return (EPOCH + datetime.timedelta(seconds=seconds)).strftime('%Y-%m-%dT%H:%M:%SZ')


class Steps:
    """A value that jumps now and then."""

    def __init__(self, rng, start, end, choose, jumps):
        self.cuts = sorted([start] + [rng.uniform(start, end) for _ in range(rng.randrange(jumps + 1))])
        self.values = [choose() for _ in self.cuts]

    def at(self, t):
        value = self.values[0]
        for c, v in zip(self.cuts, self.values):
            value = v if c <= t else value
        return value


class Pod:
    def __init__(self, rng, world, node, name, namespace, start, end, devices):
        self.node, self.name, self.namespace, self.start, self.end, self.devices = node, name, namespace, start, end, devices
        world.uids += 1
        self.uid = 'uid-%04d' % world.uids
        self.memory = {d: Steps(rng, start, end, lambda: rng.choice([0, 1]) and rng.randrange(1, 1000), 3) for d in devices}
        self.gpus = max(1, len(devices))
        self.cores = rng.choice([1, 2, 3, Decimal('0.5')])
        self.gib = rng.choice([1, 2, 4, 7])
        self.load = self.cores * rng.choice([Decimal('0.3'), Decimal('0.4'), Decimal('1.8')])
        self.bytes = int(self.gib * 2 ** 30 * rng.choice([0.25, 0.5, 1.75]))
        self.label = rng.choice([None, 'nlp', 'vision', 'blue'])
        self.relabel = (rng.uniform(start, end), rng.choice(['green', 'nlp'])) if rng.random() < .15 else None
        self.owner = rng.choice(['none', 'StatefulSet', 'ReplicaSet', 'ReplicaSet', 'Job'])
        self.lingers = rng.random() < .25
        self.label_lingers = rng.choice([0, 0, 300, 900, 2400])        # seconds, of pods that linger, on their devices
        self.stale = rng.choice([0, 0, 1000])
        self.doomed = rng.choice([None, None, -45, 20, 200]) if not self.lingers else None      # its deletion is due so long after its end
        self.containers = ['main', 'side'] if rng.random() < .05 else ['main']
        self.restarts = [rng.uniform(start, end)] if rng.random() < .2 else []

    def alive(self, t):
        return self.start <= t < self.end

    def team_label(self, t):
        return self.relabel[1] if self.relabel and t >= self.relabel[0] else self.label

    def cpu_seconds(self, t):
        since = max([self.start] + [r for r in self.restarts if r <= t])
        return (self.load * Decimal('%.3f' % (t - since))).quantize(Decimal('0.001'))


class Device:
    def __init__(self, uuid, index, model, total, reserved, gi=None, profile=None):
        self.uuid, self.index, self.model, self.total, self.reserved = uuid, index, model, total, reserved
        self.gi, self.profile = gi, profile


class Node:
    pass


class World:
    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(seed)
        self.uids = self.ids = 0
        self.long_charges = False
        self.pools = seed % 11 == 5
        self.lines, self.bill, self.pods, self.nodes = {}, [], [], []
        self.choose_period()
        self.choose_shape()
        self.make_nodes()
        self.make_rule()
        for node in self.nodes:
            if node.metrics:
                self.emit_gpus(node)
                self.emit_kubelet(node)
        self.emit_ksm()
        self.make_bill()

    def maybe(self, p):
        return self.rng.random() < p

    # ---- period, sampling

    def choose_period(self):
        rng = self.rng
        self.month = self.maybe(.03)
        hours = rng.choice([1, 1, 1, 2, 2, 3, 3, 6, 6, 24, 48]) if not self.month else 744
        self.start = MONTH[0] if self.month else BASE + rng.randrange(0, 30) * HOUR
        if hours in (24, 48):
            self.start -= self.start % 86400
        if self.maybe(.15) and hours < 24:
            self.start += rng.choice([600, 1200, 1800])
        self.end = self.start + hours * HOUR
        self.hours = hours

    def choose_shape(self):
        rng = self.rng
        small = self.hours <= 3
        self.step = rng.choice([60, 60, 90, 120]) if small else 300 if self.hours == 6 else 900 if not self.month else 21600
        self.gap = rng.choice([None, None, '3m', '10m']) if small else '10m' if self.hours == 6 else '30m' if not self.month else '8h'
        self.jitter = rng.choice([0, 0, 1000, 2500])
        self.missing = rng.choice([0, 0, .03, .1])
        self.clusters = ['east', 'west'] if self.maybe(.12) else [rng.choice([None, None, 'east'])]
        self.style = rng.choice(['exported', 'exported', 'plain', 'old'])
        self.ksm = rng.choice(['full', 'full', 'full', 'full', 'no-requests', 'no-labels', 'no-capacity', 'bare', 'none'])
        self.kubelet = self.ksm == 'full' and self.maybe(.7)
        self.host_requests = self.ksm in ('full', 'no-labels', 'no-capacity') and self.maybe(.75)
        self.kubelet = self.kubelet and self.host_requests
        self.ha = self.maybe(.12)
        if len(self.clusters) > 1 and self.ksm == 'none':
            self.ksm = 'full'

    def scrapes(self, start, end, gaps=True, missing=None):
        """Millisecond stamps of one target."""
        rng, out = self.rng, []
        t = start * 1000 + rng.randrange(0, 1000 * min(self.step, 60))
        holes = []
        if gaps and self.maybe(.3):
            at = rng.uniform(start, end) * 1000
            holes.append((at, at + 1000 * self.step * rng.choice([2, 4, 8, 20])))
        while t < end * 1000:
            shown = t + (rng.randrange(0, self.jitter) if self.jitter else 0)
            dropped = rng.random() < (self.missing if missing is None else missing)
            if not dropped and not any(a <= t < b for a, b in holes) and shown < end * 1000:
                out.append(shown)
            t += self.step * 1000
        return out

    # ---- nodes, devices, pods

    def make_nodes(self):
        rng, count = self.rng, self.rng.choice([1, 1, 2, 2, 3, 4])
        for i in range(count):
            self.add_node(i, 'node-%d' % (i + 1))
        if self.maybe(.15) and not self.month:
            self.replace_node(rng.choice(self.nodes))

    def add_node(self, i, name, start=None):
        rng, n = self.rng, Node()
        self.ids += 1
        n.name = name
        n.cluster = self.clusters[i % len(self.clusters)]
        n.type = rng.choice(sorted(TYPES))
        if self.pools and self.nodes and i % 4:
            n.type = self.nodes[0].type
        n.mode = rng.choice(MODES)
        fixed = n.type.startswith(('rack', 'g6f'))
        if n.mode == 'mig' and not TYPES[n.type][7]:
            n.type = rng.choice(['p5.4xlarge', 'g7e.12xlarge', 'a2-ultragpu-2g'])
        elif self.hours >= 24 and TYPES[n.type][3] > 2 and not fixed:
            n.type = 'g7e.12xlarge'
        n.metrics, n.billed = not self.maybe(.06), not self.maybe(.06)
        if n.type.startswith('rack'):
            n.metrics = True
        n.start, n.end = self.start - 900, self.end + 900
        self.choose_life(n, start)
        n.ip = '10.0.%d.%d' % (len(self.nodes), i + 1)
        n.provider = self.ksm != 'none' and not (n.type.startswith('rack') and self.maybe(.5) and len(self.clusters) == 1)
        n.purchase = rng.choice(['Standard', 'Standard', 'Dynamic', 'Savings', 'Reserved'])
        n.region = rng.choice(['us-east-1', 'eu-west-1'])
        self.name_resource(n, i)
        n.relabelled = {}
        self.make_devices(n)
        self.nodes.append(n)
        if n.metrics:
            self.make_pods(n)
        return n

    def name_resource(self, n, i):
        """Some worlds are pools of alike machines, of which the bill names only the pool."""
        n.resource = n.billed_as = 'i-0%015x' % (self.seed * 4096 + self.ids)
        if self.pools:
            n.region = self.nodes[0].region if self.nodes and i % 4 else n.region
            group = '/subscriptions/0001/resourceGroups/MC/providers/Microsoft.Compute'
            n.billed_as = '%s/virtualMachineScaleSets/%s_%s' % (group, n.type, n.region)
            n.resource = '%s/virtualMachines/%d' % (n.billed_as, self.ids)

    def choose_life(self, n, start):
        rng = self.rng
        if start is not None:
            n.start = start
        elif self.maybe(.2) and not self.month:
            n.start = self.start + rng.randrange(0, self.hours * HOUR // 2)
        if self.maybe(.2) and not self.month:
            n.end = min(n.end, n.start + rng.randrange(300, self.hours * HOUR))
        if n.type.startswith('rack'):
            n.start, n.end = (start or self.start - 900), self.end + 900

    def replace_node(self, old):
        """The name is used again by another instance."""
        if not old.provider or not old.metrics or old.type.startswith('rack') or self.ksm == 'none':
            return
        middle = self.start + self.rng.randrange(900, self.hours * HOUR)
        if old.start + 600 > middle or middle + 1800 > self.end:
            return
        old.end = min(old.end, middle)
        for p in self.pods:
            if p.node is old:
                p.end = min(p.end, old.end)
                p.start = min(p.start, p.end)
        index = self.clusters.index(old.cluster)
        n = self.add_node(index, old.name, start=old.end + 4 * self.step)
        n.provider, n.metrics, n.cluster = True, True, old.cluster

    def make_devices(self, n):
        rng = self.rng
        model, total, reserved, count, _, _, _, profiles = TYPES[n.type]
        n.devices, n.parents = [], []
        shown = count - 1 if count > 1 and self.maybe(.1) and not n.type.startswith('rack') else count
        for i in range(shown):
            uuid = 'GPU-%08x-0000-4000-8000-%012d' % (self.seed * 64 + self.ids, len(self.nodes) * 8 + i)
            if n.type == 'rack.dual' and i > 0:
                model, total, reserved = 'Tesla T4', 15360, 447
            whole = Device(uuid, i, model, total, reserved)
            if n.mode == 'mig' and (i == 0 or self.maybe(.5)):
                self.cut(n, whole, profiles.split())
                if self.maybe(.4):
                    n.parents.append(whole)
            else:
                n.devices.append(whole)
        n.has_total, n.has_reserved = self.maybe(.3), self.maybe(.7)
        n.has_free = n.has_total or not self.maybe(.1)
        if n.type.startswith('g6f') and not self.maybe(.3):
            n.has_free = True

    def cut(self, n, whole, profiles):
        for k, profile in enumerate(profiles):
            if k < len(profiles) - 1 or self.maybe(.7):
                n.devices.append(Device(whole.uuid, whole.index, whole.model, MIG_MIB[profile], self.rng.choice([0, 64]),
                                        str(2 * k + 1), profile))

    def make_pods(self, n):
        rng = self.rng
        n.shared = n.mode in ('perprocess', 'copies', 'lastpod', 'hami')
        if n.shared:
            for k in range(rng.randrange(1, 5)):
                devices = rng.sample(n.devices, 1 if self.maybe(.85) else min(2, len(n.devices)))
                self.spawn(n, 'infer-%d' % k, devices)
        elif n.mode != 'nobody':
            for d in n.devices:
                if self.maybe(.85):
                    self.chain(n, d)
        if n.mode == 'mig' and self.maybe(.3):
            d = rng.choice(n.devices)
            if d.gi:
                self.spawn(n, 'second', [d])

    def span(self, n):
        rng = self.rng
        start = n.start if self.maybe(.5) else rng.uniform(n.start, n.end)
        end = n.end if self.maybe(.5) else rng.uniform(start, n.end)
        return start, end

    def spawn(self, n, name, devices, span=None, namespace=None):
        start, end = span or self.span(n)
        namespace = namespace or self.rng.choice(NAMESPACES)
        clash = [p for p in self.pods if p.namespace == namespace and p.name == name and p.node.cluster == n.cluster]
        if clash and not (span and namespace):
            name = '%s-%s' % (name, len(self.pods))
        pod = Pod(self.rng, self, n, name, namespace, start, end, devices)
        self.pods.append(pod)
        return pod

    def chain(self, n, d):
        """One pod after another on a device; the second may carry the first one's name."""
        first = self.spawn(n, 'train-%d-%s' % (d.index, d.gi or 'x'), [d])
        first.lingers = first.lingers and self.maybe(.5)
        rest = n.end - first.end
        if rest > 6 * self.step and self.maybe(.6):
            start = first.end + self.rng.uniform(2, 4) * self.step
            again = self.maybe(.4)
            if again:
                first.lingers = False
                self.spawn(n, first.name, [d], (start, n.end), first.namespace)
            else:
                self.spawn(n, 'next-%d-%s' % (d.index, d.gi or 'x'), [d], (start, n.end))

    # ---- OpenMetrics

    def emit(self, name, labels, ms, value):
        key = tuple(sorted((k, v) for k, v in labels.items() if v is not None))
        self.lines.setdefault(name, {}).setdefault(key, []).append((ms, value))

    def emit_gpus(self, n):
        rng = self.rng
        n.flaws = rng.choice([None] * 8 + ['nan', 'negative', 'small-total', 'over', 'zeros', 'blank'])
        if n.flaws == 'blank' and n.mode == 'mig':
            n.flaws = None
        n.pod_uid = self.maybe(.5) and self.ksm != 'none'
        n.duplicates, n.host_mode = self.maybe(.3), rng.choice(['name', 'name', 'name', 'exporter'])
        n.total_beside = self.maybe(.8)
        n.overhead = rng.choice([0, 0, 7, 250])
        n.flicker = rng.choice([0, 0, .1, .4]) if n.flaws != 'blank' else 0     # how often a scrape misses the labels of a device
        n.labels_everywhere = self.maybe(.5)
        begin = n.start + (3 * self.step if n.start > self.start else 0)
        targets = [{'job': 'nvidia-dcgm-exporter', 'instance': n.ip + ':9400'}]
        if self.ha:
            targets = [dict(targets[0], prometheus_replica='prom-%d' % k) for k in (0, 1)]
        elif self.maybe(.1):
            targets.append({'job': 'standalone-exporter', 'instance': n.ip + ':9401', '_blind': True})
        switch = rng.uniform(begin, n.end) if self.maybe(.08) and not self.ha else None
        for target in targets:
            for ms in self.scrapes(begin, n.end):
                self.scrape_gpus(n, dict(target), ms, switch)
        if n.mode == 'hami':
            n.hami = rng.choice(['new', 'legacy', 'both'])
            for ms in self.scrapes(begin, n.end):
                self.scrape_hami(n, ms)

    def scrape_gpus(self, n, target, ms, switch):
        blind, t = target.pop('_blind', False), ms / 1000
        late = switch is not None and t >= switch
        if late:
            target['instance'] = n.ip + ':9500'
        flaw = n.flaws if self.maybe(.1) else None
        for d in n.devices + n.parents:
            base = self.device_labels(n, d, target, late)
            pods = [] if blind else self.labelled_on(n, d, t)
            self.emit_device(n, d, base, pods, ms, flaw, blind)

    def device_labels(self, n, d, target, late):
        host = n.name if n.host_mode == 'name' or self.ksm in ('none', 'bare') else self.exporter_pod(n)
        lb = dict(target, cluster=n.cluster, gpu=str(d.index), GPU_I_ID=d.gi, GPU_I_PROFILE=d.profile)
        if self.style == 'old' and n.type in ('g6.xlarge', 'p5.4xlarge', 'g5.2xlarge') and not d.gi:
            lb.update(uuid=d.uuid, device='nvidia%d' % d.index, Hostname=host)
            lb['_old'] = True
        else:
            lb.update(UUID=d.uuid, modelName=d.model)
            lb['hostname' if late else 'Hostname'] = host
        if self.style == 'exported':
            lb.update(pod=self.exporter_pod(n), namespace='gpu-operator', container='exporter')
        elif n.host_mode == 'exporter':
            lb['node'] = n.name
        return lb

    def pod_labels(self, n, pod, container, slot):
        names = {'exported': ('exported_namespace', 'exported_pod', 'exported_container'),
                 'plain': ('namespace', 'pod', 'container'), 'old': ('pod_namespace', 'pod_name', 'container_name')}[self.style]
        lb = dict(zip(names, (pod.namespace, pod.name, container)))
        if n.pod_uid and n.mode == 'perprocess':
            lb['pod_uid'] = pod.uid
        if slot is not None:
            lb['vgpu'] = str(slot)
        return lb

    def pods_on(self, n, d, t):
        return [p for p in self.pods if p.node is n and d in p.devices and p.alive(t)]

    def labelled_on(self, n, d, t):
        """With pods that have ended, of which nobody has told the exporter."""
        return [p for p in self.pods if p.node is n and d in p.devices
                and (p.alive(t) or (p.lingers or p.doomed) and p.end <= t < p.end + p.label_lingers)]

    def megabytes(self, d, pod, t, n):
        """What the pod holds: its share of two thirds of the card, in thousandths."""
        pods = max(1, len([p for p in self.pods if p.node is n and d in p.devices]))
        return pod.memory[d].at(t) * (d.total - d.reserved) * 2 // (3000 * pods)

    def emit_device(self, n, d, base, pods, ms, flaw, blind):
        t, old = ms / 1000, base.pop('_old', False)
        if d in n.parents:
            inside = [i for i in n.devices if i.uuid == d.uuid]
            values = {p: 0 for p in pods}
            used = sum(self.megabytes(i, p, t, n) for i in inside for p in self.pods_on(n, i, t))
        else:
            values = {p: self.megabytes(d, p, t, n) for p in self.pods_on(n, d, t)}
            used = sum(values.values()) + (n.overhead if not d.gi else 0)
            values.update({p: p.stale for p in pods if p not in values})
        if n.mode == 'nobody' or n.mode == 'hami' or blind or self.maybe(n.flicker):
            pods = []
        if n.mode == 'lastpod' and pods:
            pods = [pods[int(t // (self.step * 7)) % len(pods)]]
        if n.mode == 'lastpod' and self.seed % 5 == 0:
            pods = []
        if flaw == 'zeros' and n.mode == 'perprocess':
            values = dict.fromkeys(values, 0)
        families = self.families(n, d, used)
        if flaw == 'blank':         # what a label says then hangs on whether the node is shared: only a holder keeps his
            families, values = dict.fromkeys(('USED', 'FREE'), 0), dict.fromkeys(values, 0)
            pods = pods if n.mode == 'exclusive' else []
        if old:
            families = {k: v for k, v in families.items() if k in ('USED', 'FREE')}
        if flaw == 'small-total' and 'TOTAL' in families:
            families['TOTAL'] = max(0, used - 500)
        if flaw in ('nan', 'negative'):
            families = {k: 'NaN' if flaw == 'nan' else -1 for k in families}
        per_pod = self.per_pod(n, d)
        scale = 2 if flaw == 'over' and len(pods) > 1 else 1
        for family, value in families.items():
            name = ('dcgm_fb_' + family.lower()) if old else 'DCGM_FI_DEV_FB_' + family
            labelled = [] if per_pod and family != 'USED' and not n.labels_everywhere else pods
            alone = not pods or not labelled or per_pod and family == 'USED' and n.total_beside
            if alone:
                self.emit(name, base, ms, value)
            for slot, p in enumerate(labelled):
                mine = scale * values[p] if per_pod and family == 'USED' and flaw not in ('nan', 'negative') else value
                self.emit_pod(n, name, base, p, slot, ms, mine)

    def per_pod(self, n, d):
        return n.mode == 'perprocess' or n.mode == 'mig' and self.seed % 3 == 0 and d.gi is not None

    def emit_pod(self, n, name, base, pod, slot, ms, value):
        shared = n.mode in ('perprocess', 'copies')
        for k, container in enumerate(pod.containers if n.mode == 'perprocess' else ['main']):
            self.emit(name, dict(base, **self.pod_labels(n, pod, container, slot + 10 * k if shared else None)), ms, value)
            if n.duplicates and n.mode == 'perprocess':
                self.emit(name, dict(base, **self.pod_labels(n, pod, container, slot + 10 * k + 50)), ms, value)

    def families(self, n, d, used):
        out = {'USED': used}
        reserved = d.reserved if n.has_reserved else 0
        if n.has_free:
            out['FREE'] = max(0, d.total - d.reserved - used - self.seed % 3)
        if n.has_reserved:
            out['RESERVED'] = reserved
        if n.has_total:
            out['TOTAL'] = d.total
        return out

    def scrape_hami(self, n, ms):
        t = ms / 1000
        base = {'job': 'hami-device-plugin', 'instance': n.ip + ':31992', 'cluster': n.cluster}
        if self.style == 'exported':
            base.update(pod='hami-device-plugin-x', namespace='hami-system', container='monitor')
        for d in n.devices:
            for k, p in enumerate(self.labelled_on(n, d, t)):
                value = self.megabytes(d, p, t, n) * 1048576
                names = ('exported_namespace', 'exported_pod', 'exported_container') if self.style == 'exported' else (
                    'namespace', 'pod', 'container')
                who = dict(zip(names, (p.namespace, p.name, 'main')))
                old = dict(podnamespace=p.namespace, podname=p.name, ctrname='main', deviceuuid=d.uuid, vdeviceid=str(k), zone='vGPU')
                if n.hami != 'legacy':
                    for name in ('hami_vgpu_memory_used_bytes', 'hami_container_device_memory_bytes'):
                        self.emit(name, dict(base, **who, device_uuid=d.uuid, vdevice_index=str(k)), ms, value)
                if n.hami != 'new':
                    self.emit('vGPU_device_memory_usage_in_bytes', dict(base, **old), ms, value)

    def exporter_pod(self, n):
        return 'nvidia-dcgm-exporter-' + n.ip.replace('.', '')

    def emit_kubelet(self, n):
        if not self.kubelet:
            return
        base = {'job': 'kubelet', 'instance': n.ip + ':10250', 'cluster': n.cluster, 'metrics_path': '/metrics/cadvisor'}
        if self.seed % 2:
            base['node'] = n.name
        replicas = ['prom-0', 'prom-1'] if self.ha else [None]
        for replica in replicas:
            for ms in self.scrapes(n.start, n.end, gaps=self.maybe(.1)):
                self.scrape_kubelet(n, dict(base, prometheus_replica=replica), ms)

    def scrape_kubelet(self, n, base, ms):
        t = ms / 1000
        cpu, memory = 'container_cpu_usage_seconds_total', 'container_memory_working_set_bytes'
        daemon = dict(base, namespace='gpu-operator', pod=self.exporter_pod(n), container='exporter', id='/kubepods/d', image='exporter:1')
        self.emit(cpu, daemon, ms, Decimal('%.3f' % (t - n.start)) / 10)
        self.emit(memory, daemon, ms, 300 << 20)
        for p in self.pods:
            if p.node is n and p.alive(t):
                lb = dict(base, namespace=p.namespace, pod=p.name, container='main', id='/kubepods/' + p.uid, image='work:1')
                self.emit(cpu, lb, ms, p.cpu_seconds(t))
                self.emit(memory, lb, ms, p.bytes)
                self.emit(memory, dict(lb, container=None, image=None), ms, p.bytes + 1000)

    def emit_ksm(self):
        if self.ksm == 'none':
            return
        changes = {ns: self.rng.uniform(self.start, self.end) for ns in NAMESPACES if self.maybe(.2)}
        for cluster in dict.fromkeys(n.cluster for n in self.nodes):
            for replica in ['prom-0', 'prom-1'] if self.ha else [None]:
                base = {'job': 'kube-state-metrics', 'instance': '10.0.9.9:8080', 'cluster': cluster, 'prometheus_replica': replica}
                for ms in self.scrapes(self.start - 900, self.end + 900, gaps=self.maybe(.15), missing=self.missing / 3):
                    self.scrape_ksm(cluster, base, ms, changes)

    def scrape_ksm(self, cluster, base, ms, changes):
        t = ms / 1000
        for n in self.nodes:
            if n.metrics and n.cluster == cluster and n.start <= t < n.end:
                self.scrape_node(n, base, ms)
        for ns in NAMESPACES:
            team = {'lab-7': 'robotics', 'rec': 'ads'}.get(ns)
            if ns in changes and t >= changes[ns]:
                team = 'moved'
            if self.seed % 4 == 1:
                self.emit('kube_namespace_annotations', dict(base, namespace=ns, annotation_owner='x' if t % 7200 < 3600 else 'y'), ms, 1)
            if team or self.seed % 2:
                self.emit('kube_namespace_labels', dict(base, namespace=ns, label_team=team), ms, 1)
        for p in self.pods:
            dead = p.lingers and p.end <= t < min(p.end + 1800, p.node.end)
            if p.node.cluster == cluster and p.node.metrics and (p.alive(t) or dead):
                self.scrape_pod(p, base, ms, dead)

    def scrape_node(self, n, base, ms):
        _, _, _, count, cores, gib, _, _ = TYPES[n.type]
        prefix = 'azure://' if n.resource[0] == '/' else 'aws:///us-east-1a/'
        id_ = prefix + n.resource if n.provider else None
        self.emit('kube_node_info', dict(base, node=n.name, provider_id=id_, internal_ip=n.ip), ms, 1)
        if self.ksm in ('full', 'no-requests', 'no-capacity'):
            sliced = n.mode in ('perprocess', 'copies', 'lastpod')
            strategy = ('mps' if self.seed % 4 == 0 else 'time-slicing') if sliced else 'none'
            self.emit('kube_node_labels', dict(base, node=n.name, label_node_kubernetes_io_instance_type=n.type,
                                               label_nvidia_com_gpu_replicas='4' if sliced else '1',
                                               label_nvidia_com_gpu_sharing_strategy=strategy, **self.pool_of(n, ms)), ms, 1)
        shape = [('cpu', 'core', cores), ('memory', 'byte', gib << 30)] if n.type.startswith('rack') or self.ksm == 'full' else []
        if self.ksm in ('full', 'no-labels'):
            shape += self.gpu_capacity(n, count)
        for resource, unit, v in shape:
            self.emit('kube_node_status_capacity', dict(base, node=n.name, resource=resource, unit=unit), ms, v)
        if self.ksm != 'bare':
            name = self.exporter_pod(n)
            who = dict(base, namespace='gpu-operator', pod=name, uid='uid-' + n.resource)
            self.emit('kube_pod_info', dict(who, node=n.name, created_by_kind='DaemonSet', created_by_name='exporter'), ms, 1)
            if self.host_requests:
                self.emit_requests(who, n, 'exporter', [('cpu', 'core', Decimal('0.2')), ('memory', 'byte', 512 << 20)], ms)

    def pool_of(self, n, ms):
        """Nodes of some worlds change their pool in the middle."""
        late = ms / 1000 >= self.start + self.hours * HOUR // 2
        name = [None, 'label_karpenter_sh_nodepool', 'label_agentpool', 'label_eks_amazonaws_com_nodegroup'][self.seed % 4]
        return {name: 'fast' if len(n.name) % 2 == (late and self.seed % 8 > 3) else 'slow'} if name else {}

    def gpu_capacity(self, n, count):
        times = 4 if n.mode in ('perprocess', 'copies', 'lastpod') else 10 if n.mode == 'hami' else 1
        if n.mode == 'mig':
            kinds = {}
            for d in n.devices:
                r = 'nvidia_com_mig_' + d.profile.replace('.', '_') if d.gi else 'nvidia_com_gpu'
                kinds[r] = kinds.get(r, 0) + 1
            return [(r, 'integer', v) for r, v in sorted(kinds.items())]
        return [('nvidia_com_gpu', 'integer', times * count)]

    def emit_requests(self, who, n, container, amounts, ms):
        for resource, unit, v in amounts:
            self.emit('kube_pod_container_resource_requests',
                      dict(who, node=n.name, container=container, resource=resource, unit=unit), ms, v)

    def scrape_pod(self, p, base, ms, dead):
        who = dict(base, namespace=p.namespace, pod=p.name, uid=p.uid)
        kind = {'none': None, 'Job': 'Job'}.get(p.owner, p.owner)
        name = p.name.rsplit('-', 1)[0] + '-abc' if kind else None
        self.emit('kube_pod_info', dict(who, node=p.node.name, created_by_kind=kind or '<none>', created_by_name=name or '<none>'), ms, 1)
        if self.seed % 6:
            self.emit('kube_pod_owner', dict(who, owner_kind=kind or '<none>', owner_name=name or '<none>'), ms, 1)
        if kind == 'ReplicaSet' and self.seed % 2:
            self.emit('kube_replicaset_owner', dict(base, namespace=p.namespace, replicaset=name, owner_kind='Deployment',
                                                    owner_name=name[:-4]), ms, 1)
        if kind == 'Job' and self.seed % 2:
            self.emit('kube_job_owner', dict(base, namespace=p.namespace, job_name=name, owner_kind='CronJob', owner_name=name[:-4]), ms, 1)
        self.emit('kube_pod_labels', dict(who, label_example_com_team=p.team_label(ms / 1000)), ms, 1)
        if self.seed % 2:
            owner = 'blue' if ms / 1000 < self.start + self.hours * HOUR // 3 else ['green', 'red'][len(p.name) % 2]
            self.emit('kube_pod_annotations', dict(who, annotation_example_com_owner=owner, annotation_build=str(ms)), ms, 1)
        if self.seed % 4 or p.lingers:
            for phase in ('Running', 'Succeeded'):
                self.emit('kube_pod_status_phase', dict(who, phase=phase), ms, int((phase == 'Succeeded') == dead))
        if dead and self.seed % 3:
            self.emit('kube_pod_completion_time', who, ms, int(p.end))
        elif not dead and len(p.containers) > 1:
            self.emit('kube_pod_completion_time', who, ms, int(p.start))
        if p.doomed and ms / 1000 > p.end - max(150, 2 * self.step):
            self.emit('kube_pod_deletion_timestamp', who, ms, int(p.end + p.doomed))
        if self.ksm in ('full', 'no-labels', 'no-capacity'):
            self.emit_requests(who, p.node, 'main', self.requests_of(p), ms)

    def requests_of(self, p):
        out = [('cpu', 'core', p.cores), ('memory', 'byte', p.gib << 30)] if self.host_requests else []
        if not p.devices:
            return out
        d = p.devices[0]
        resource = 'nvidia_com_mig_' + d.profile.replace('.', '_') if d.gi else 'nvidia_com_gpu'
        return out + [(resource, 'integer', p.gpus)]

    # ---- rule

    def make_rule(self):
        rng = self.rng
        rule = {'schema': 'gputab.rule/1', 'name': 'world', 'version': str(self.seed), 'split': self.price_unknown_models(self.split())}
        gpu = {}
        for key, values in (('exclusive', ['held', 'resident']), ('denominator', ['capacity', 'usable', 'residents']),
                            ('mig_weight', ['memory', 'compute']), ('shared_fallback', ['even', 'refuse']),
                            ('min_coverage', ['95%', '50%', '100%', '99.5%', '80%'])):
            if self.maybe(.4):
                gpu[key] = rng.choice(values)
        if self.gap:
            gpu['max_gap'] = self.gap
        if self.maybe(.15):
            gpu['interval'] = rng.choice(['30s', '%ds' % self.step, '2m'])
        if self.maybe(.2):
            gpu['startup'] = rng.choice(['5m', '20m'])
        if gpu:
            rule['gpu'] = gpu
        self.choose_basis(rule)
        if self.maybe(.85):
            rule['owners'] = self.owners()
            if self.seed % 3 == 0:
                rule['aliases'] = {'nlp': ['NLP', 'nlp-*', 'nlp_*'], 'vision': ['Vis-*']}
            if self.maybe(.6):
                rule['cost_centres'] = [{'id': '0042', 'name': 'Research', 'teams': ['nlp', 'robotics']},
                                        {'id': '007', 'name': 'Perception', 'teams': ['vision', 'seeing', 'green']}]
        self.cost = rng.choice(['effective'] * 6 + ['billed', 'list'])
        if self.cost != 'effective':
            rule['cost'] = self.cost
        if self.maybe(.15):
            rule['attached'] = 'include'
        self.rule = rule
        if self.seed % 5 in (1, 4):
            rule['idle'] = self.idle(random.Random('idle %d' % self.seed))
        if self.seed % 7 == 4:
            rule['shared_costs'] = self.shared_costs(random.Random('shared %d' % self.seed))

    def shared_costs(self, rng):
        """Of rows that groups() makes now and then."""
        selects = [{'column': 'ChargeDescription', 'equals': 'support fee'}, {'column': 'ChargeCategory', 'equals': 'Tax'},
                   {'column': 'ResourceId', 'glob': '*0feed'}, {'column': 'ChargeDescription', 'glob': '*commit*'},
                   {'column': 'ChargeDescription', 'glob': '*'}, {'column': 'ChargeDescription', 'glob': 'c*'}]
        out = []
        for i, select in enumerate(rng.sample(selects, rng.randrange(1, 4))):
            cost = {'name': 'cost %d' % i, 'select': select, 'method': rng.choice(['proportional', 'even', 'fixed'])}
            if cost['method'] == 'fixed':
                cost['shares'] = {'nlp': '50%', 'platform': '12.5%', 'vision': '37.5%'}
            out.append(cost)
        return out

    def idle(self, rng):
        """Its own dice: worlds without it stay what they were."""
        teams = ['nlp', 'vision', 'robotics', 'platform', 'guests']
        idle = {'policy': rng.choice(['separate', 'proportional', 'proportional', 'even', 'even', 'fixed', 'to'])}
        if idle['policy'] == 'to':
            idle['team'] = rng.choice(teams)
        if idle['policy'] == 'fixed':
            a, b = rng.choice([(60, 40), (100, 0), (33, 67)])
            idle['shares'] = dict(zip(rng.sample(teams, 3), ['%d%%' % a, '%s%%' % (b / 2), '%s%%' % (b / 2)]))
        if rng.random() < .7:
            idle['scope'] = rng.choice(['pool', 'cluster', 'all'])
        if rng.random() < .5:
            idle['include'] = rng.choice([['(driver-reserved)'], ['(unattributed)', '(driver-reserved)'], ['(unattributed)']])
        if rng.random() < .4:
            names = sorted({n.name for n in self.nodes})
            nodes = [names[0], [names[-1], 'x*'], names[0][:-1] + '?', 'nowhere-*']        # none takes all of a later one
            idle['owners'] = [{'node': nodes[i], 'team': rng.choice(teams)} for i in sorted(rng.sample(range(4), rng.randrange(1, 3)))]
        return idle

    def split(self):
        rng = self.rng
        if self.maybe(.4):
            return {'method': 'shares', 'shares': rng.choice([{'cpu': '0%', 'memory': '0%', 'gpu': '100%'},
                                                             {'cpu': '10%', 'memory': '5.5%', 'gpu': '84.5%'}])}
        split = {'method': 'reference'} if self.maybe(.5) else {}
        if self.maybe(.2):
            split.update(vcpu_hour='0.04', gib_hour='0.005', gpu_hour={'NVIDIA L4': '0.71', 'NVIDIA T4': '0.4'})
        return split

    def price_unknown_models(self, split):
        """A model that no catalogue knows needs a price in the rule."""
        if any(n.type == 'rack.desk' for n in self.nodes):
            split.setdefault('gpu_hour', {})['NVIDIA GeForce RTX 4090'] = '0.55'
        return split

    def choose_basis(self, rule):
        known = ['gpu'] + (['request', 'max'] if self.host_requests else []) + (['usage', 'max'] if self.kubelet else [])
        known += ['max'] if known == ['gpu'] else []
        basis = self.rng.choice(known)
        if basis != 'max' or self.maybe(.5):
            rule['cpu_memory'] = {'basis': basis}

    def owners(self):
        rng = self.rng
        middle = self.start + rng.randrange(1, self.hours * 60) * 60
        lines = [{'namespace': 'nlp-*', 'team': 'nlp'},
                 {'namespace': 'vision', 'until': iso(middle), 'team': 'vision'},
                 {'namespace': 'vision', 'from': iso(middle), 'team': 'seeing'},
                 {'pod_label': {'name': 'example.com/team'}, 'team': '{value}'},
                 {'namespace_label': {'name': 'team'}, 'team': '{value}'}]
        lines = [x for x in lines if self.maybe(.8)]
        rng.shuffle(lines)
        lines = self.more_owners(random.Random(self.seed)) + lines
        lines.append({'namespace': ['kube-system', 'gpu-?perator'], 'bucket': '(system)'})
        return lines

    def more_owners(self, rng):
        """Lines with the other matchers, alone and together; none takes another whole."""
        lines = [{'pod_annotation': {'name': 'example.com/owner', 'value': ['green', 'bl*']}, 'team': '{value}'},
                 {'namespace': ['rec', 'lab-*'], 'namespace_annotation': {'name': 'owner'}, 'team': 'owned-{value}'},
                 {'workload': ['Deployment/*', 'CronJob/tr*'], 'node_pool': 'fast', 'team': 'fast deployed'},
                 {'pod_label': {'name': ['squad', 'example.com/team'], 'value': 'v*'}, 'workload': '*-?', 'team': 'Vis-{value}'},
                 {'node_label': {'name': 'node.kubernetes.io/instance-type', 'value': ['g*', 'rack*']}, 'namespace': 'rec', 'team': 'on {value}'},
                 {'node': ['*-1', 'gpu-?'], 'pod_label': {'name': 'example.com/team', 'value': 'r*'}, 'team': 'NLP'}]
        return [x for x in lines if rng.random() < .35]

    # ---- bill

    def make_bill(self):
        for n in self.nodes:
            if n.billed:
                self.bill_node(n)
        self.groups()
        if not self.bill:
            self.row(self.start, self.start + HOUR, Decimal('0.1'), ChargeCategory='Tax', ChargeDescription='tax')
        self.rng.shuffle(self.bill)
        if self.seed % 5 == 2:
            self.bill_in_pieces(random.Random(self.seed))

    # ---- as Google Cloud bills

    def bill_in_pieces(self, rng):
        """Machine time as rows for GPUs, cores and memory; without a written method the split is the bill's."""
        nodes, rows = {n.resource: n for n in self.nodes}, []
        for r in self.bill:
            node = nodes.get(r.get('ResourceId', '').split('/')[-1])
            own = r['PublisherName'] == 'AWS' and r['ChargeCategory'] == 'Usage' and r['ChargeDescription'] in ('instance hours', 'correction',
                                                                                                               'late correction')
            rows += self.pieces(rng, r, node) if node and own else [r]
        self.bill = rows
        if rng.random() < .7:
            self.rule['split'].pop('method', None)
            self.rule['split'].pop('shares', None)

    def pieces(self, rng, r, node):
        google = dict(r, ProviderName='Google Cloud', PublisherName='Google Cloud', ServiceName='Compute Engine')
        texts = {'gpu': GOOGLE.get(TYPES[node.type][0], 'Nvidia X9 GPU'), 'cpu': 'N1 Predefined Instance Core', 'memory': 'N1 Custom Ram'}
        if r['ChargeDescription'] != 'instance hours':
            return [dict(google, ChargeDescription=texts[rng.choice(sorted(texts))] + ' running in Americas')]
        gpu, cpu = Decimal(rng.choice(['0.8', '0.5', '0', '1.25'])), Decimal(rng.choice(['0.1', '0.2', '0']))
        count = Decimal(1) / 8 if node.type == 'g6f.xlarge' else Decimal(1) / 2 if node.type == 'g6f.4xlarge' else TYPES[node.type][3]
        out = []
        for piece, share in (('gpu', gpu), ('cpu', cpu), ('memory', None)):
            row = dict(google, ChargeDescription=texts[piece] + ' running in Americas')
            for column in ('BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'):
                parts = [(Decimal(r[column]) * s).quantize(Decimal('1E-8')) for s in (gpu, cpu)]
                row[column] = str(Decimal(r[column]) - sum(parts) if share is None else parts[0 if piece == 'gpu' else 1])
            hours = str(Decimal(r['ConsumedQuantity']) * count)
            units = ('Hours', hours) if piece == 'gpu' else ('gibibyte hour', '7')
            row.update(ConsumedUnit=units[0], PricingUnit=units[0], ConsumedQuantity=units[1], PricingQuantity=units[1])
            out.append(row)
        return out

    def row(self, start, end, cost, **more):
        cost = str(cost)
        row = dict(BilledCost=cost, EffectiveCost=cost, ListCost=cost, ContractedCost=cost, BillingCurrency='USD', ChargeCategory='Usage',
                   ChargePeriodStart=iso(start), ChargePeriodEnd=iso(end), ServiceCategory='Compute', ServiceName='Amazon EC2',
                   ProviderName='AWS', PublisherName='AWS', InvoiceIssuerName='AWS', BillingAccountId='000111222333',
                   ChargeDescription='instance hours',
                   BillingPeriodStart=iso(MONTH[0]), BillingPeriodEnd=iso(MONTH[1]))
        row.update(more)
        self.bill.append(row)

    def bill_node(self, n):
        rng, price = self.rng, Decimal(TYPES[n.type][6])
        unit = 'month' if self.month and (self.pools or self.maybe(.7)) else 'day' if self.pools and self.hours >= 6 else 'hour'
        self.long_charges |= unit == 'day'
        if unit == 'hour' and self.maybe(.06) and self.by_day() is False and not self.pools:
            unit = rng.choice(['month', 'day'])
            self.long_charges = True
        size = {'hour': HOUR, 'day': 86400, 'month': MONTH[1] - MONTH[0]}[unit]
        life = max(n.start, self.start - 1800), min(n.end, self.end + 1800)
        if unit == 'month':
            self.bill_hours(n, MONTH[0], MONTH[1], Decimal(size) / HOUR, price)
            return
        t = int(life[0] // size * size)
        if self.month:
            t, size, life = MONTH[0], 86400, (MONTH[0], MONTH[1])
        while t < life[1]:
            inside = Decimal(min(t + size, life[1]) - max(t, life[0]))
            if t <= self.start - 1800 or t + size > self.end or unit == 'day' and not self.month:
                inside = Decimal(min(t + size, n.end) - max(t, n.start)) if t < n.end and t + size > n.start else inside
                inside = inside if (unit == 'hour' or self.pools) and (n.start > self.start or n.end < self.end) else Decimal(size)
            if inside > 0 and not self.maybe(.02):
                self.bill_hours(n, t, t + size, (inside / HOUR).quantize(Decimal('0.00000001')), price)
            t += size

    def by_day(self):
        return self.hours >= 24

    def bill_hours(self, n, start, end, hours, price):
        rng = self.rng
        cost = (price * hours).quantize(Decimal(1).scaleb(-rng.choice([2, 6, 10, 10, 14])))
        details = {'InstanceType': n.type} if not n.type.startswith('rack') else {'CoreCount': 32, 'MemorySize': 128}
        arn = 'arn:aws:ec2:r:1:instance/' if self.seed % 7 == 0 and n.billed_as == n.resource else ''
        more = dict(ResourceId=arn + n.billed_as, RegionId=n.region,
                    ConsumedQuantity=str(hours), ConsumedUnit='Hours', PricingQuantity=str(hours), PricingUnit='Hours',
                    SkuPriceDetails=json.dumps(details), ResourceType='instance', **self.pricing(n.purchase))
        if self.cost != 'effective':
            more['EffectiveCost'] = str(cost / 2)
        if n.purchase == 'Savings' and self.maybe(.3):
            half = (hours / 2).quantize(Decimal('0.000001'))
            twin = dict(more, ConsumedQuantity=str(half), PricingQuantity=str(half))
            self.row(start, end, cost / 2, **twin)
            self.row(start, end, cost - cost / 2, **dict(twin, **self.pricing('Standard'),
                                                         ConsumedQuantity=str(hours - half), PricingQuantity=str(hours - half)))
        else:
            self.row(start, end, cost, **more)
        if self.maybe(.04):
            self.row(start, end, -cost * rng.choice([1, 2]), **dict(more, ChargeClass='Correction', ChargeDescription='correction',
                     ConsumedQuantity='', ConsumedUnit='', PricingQuantity='', PricingUnit=''))
        if self.maybe(.03) and hours * HOUR == end - start:
            self.row(start, end, Decimal('-0.37'), **more)
        if self.maybe(.08):
            self.row(start, end, Decimal('0.0357'), **dict(more, ChargeDescription='Data transfer out', PricingUnit='GB',
                     ConsumedUnit='GB', PricingQuantity='12.5', ConsumedQuantity='12.5'))
        if self.maybe(.04):
            self.row(start, end, Decimal('0.11'), **dict(more, PublisherName='Somebody Inc', ChargeDescription='marketplace software'))

    def pricing(self, purchase):
        none = dict(CommitmentDiscountStatus='', CommitmentDiscountType='', CommitmentDiscountCategory='')
        if purchase in ('Standard', 'Dynamic'):
            return dict(none, PricingCategory=purchase)
        type_ = {'Savings': 'Savings Plan', 'Reserved': 'Reserved Instance'}[purchase]
        return dict(PricingCategory='Committed', CommitmentDiscountStatus='Used', CommitmentDiscountType=type_,
                    CommitmentDiscountCategory={'Savings': 'Spend', 'Reserved': 'Usage'}[purchase])

    def groups(self):
        s, e = self.start // HOUR * HOUR, self.start // HOUR * HOUR + HOUR
        if self.maybe(.3):
            self.row(*self.rng.choice([(s, e), tuple(MONTH)]), Decimal('3.21'), ChargeCategory='Tax', ChargeDescription='tax')
        if self.maybe(.2):
            self.row(s, e, Decimal('-25.005'), ChargeCategory='Credit', ResourceId=self.nodes[0].resource, ChargeDescription='credit')
        if self.maybe(.2):
            self.row(s, e, Decimal('7.5'), ChargeCategory='Purchase', ChargeDescription='support fee', PricingUnit='Fee')
        if self.maybe(.2):
            self.row(s, e, Decimal('1.2676'), CommitmentDiscountStatus='Unused', ResourceId='sp-1', PricingCategory='Committed',
                     CommitmentDiscountType='Savings Plan', ChargeDescription='unused commitment', PricingUnit='Hours')
        if self.maybe(.4):
            self.row(s, e, Decimal('0.096'), ResourceId='i-0feed', SkuPriceDetails='{"InstanceType": "m5.large"}', ConsumedQuantity='1',
                     ConsumedUnit='Hours', PricingQuantity='1', PricingUnit='Hours')
        billed = [n for n in self.nodes if n.billed and not n.type.startswith('rack')]
        if billed and self.maybe(.2):
            n = self.rng.choice(billed)
            rows = [r for r in self.bill if r.get('ResourceId', '').endswith(n.billed_as) and r.get('PricingUnit') == 'Hours']
            first, last = iso(-(-self.start // HOUR) * HOUR), iso(self.end // HOUR * HOUR)
            inside = [r for r in rows if first <= r['ChargePeriodStart'] and r['ChargePeriodEnd'] <= last]
            if len(inside) > 1 and (first, last) not in [(r['ChargePeriodStart'], r['ChargePeriodEnd']) for r in rows]:
                self.row(0, 0, Decimal(self.rng.choice(['-1.5', '0.75'])), ChargeClass='Correction', ResourceId=n.billed_as,
                         ChargeDescription='late correction', ChargePeriodStart=first, ChargePeriodEnd=last, PricingCategory='Standard',
                         SkuPriceDetails=json.dumps({'InstanceType': n.type}))

    # ---- files

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.write_bill(os.path.join(folder, 'billing.csv'))
        self.write_metrics(os.path.join(folder, 'metrics.om'))
        with open(os.path.join(folder, 'rule.yaml'), 'w') as f:
            json.dump(self.rule, f, indent=1)
            f.write('\n')
        self.write_nodes(os.path.join(folder, 'nodes.csv'))
        with open(os.path.join(folder, 'args'), 'w') as f:
            f.write(self.args() + '\n')

    def args(self):
        by = self.rng.choice([b for b in BYS if not ('day' in b and (self.month or self.long_charges))])
        if self.month:
            return '--month 2026-10 --by ' + by
        return '--from %s --to %s --by %s' % (iso(self.start), iso(self.end), by)

    def write_bill(self, path):
        columns = sorted({k for r in self.bill for k in r} | {'BilledCost', 'EffectiveCost', 'ChargePeriodStart', 'BillingCurrency'})
        with open(path, 'w', newline='') as f:
            w = csv.DictWriter(f, columns, restval='', lineterminator='\n')
            w.writeheader()
            w.writerows(self.bill)

    def write_nodes(self, path):
        listed = [n for n in self.nodes if n.metrics and not n.provider]
        if listed:
            with open(path, 'w') as f:
                f.write('node,resource_id,instance_type\n')
                f.writelines('%s,%s,%s\n' % (n.name, n.resource, n.type) for n in listed)

    def write_metrics(self, path):
        disorder = self.rng.choice([None] * 12 + ['shuffle', 'duplicate'])
        with open(path, 'w') as f:
            for name in sorted(self.lines):
                kind = 'counter' if name.endswith('_total') else 'gauge'
                f.write('# TYPE %s %s\n' % (name[:-6] if kind == 'counter' else name, kind))
                for key, samples in self.lines[name].items():
                    self.write_series(f, name, key, samples, disorder)
            f.write('# EOF\n')

    def write_series(self, f, name, key, samples, disorder):
        first = {}
        for ms, v in samples:
            first.setdefault(ms, v)
        out = sorted(first.items())
        if disorder == 'duplicate' and self.maybe(.2):
            i = self.rng.randrange(len(out))
            if str(out[i][1]) != 'NaN':
                out.insert(i + 1, (out[i][0], out[i][1] + 1 if not name.startswith('kube_') else out[i][1]))
        if disorder == 'shuffle' and self.maybe(.3):
            self.rng.shuffle(out)
        labels = ','.join('%s="%s"' % kv for kv in key)
        f.writelines('%s{%s} %s %s\n' % (name, labels, v, stamp_text(ms)) for ms, v in out)


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    World(int(sys.argv[1])).write(sys.argv[2])
