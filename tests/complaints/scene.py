"""A small cluster as files: what a node cost, which pods held which memory of its cards, and the report that gputab makes of it.

    s = Scene(hours=1)
    n = s.node('p5.4xlarge', price='6.88')
    g = n.gpu('NVIDIA H100 80GB HBM3', total_gib=80, reserved_gib=1)
    g.pod('nlp', 'train-0', gib=30)
    report = s.report(gputab, '--by', 'team')

Prices are per hour and node; a pod holds its memory from `since` until `until`, minutes after the start. Samples come every minute.
"""
import csv
import datetime
import io
import json
import os
import subprocess
import tempfile

START = datetime.datetime(2026, 10, 5, tzinfo=datetime.timezone.utc)
MIB_PER_GIB = 1024
FOCUS = ('AvailabilityZone BilledCost BillingAccountId BillingCurrency BillingPeriodEnd BillingPeriodStart ChargeCategory ChargeClass '
         'ChargeDescription ChargeFrequency ChargePeriodEnd ChargePeriodStart CommitmentDiscountStatus CommitmentDiscountType '
         'ConsumedQuantity ConsumedUnit ContractedCost EffectiveCost InvoiceIssuerName ListCost PricingCategory PricingQuantity '
         'PricingUnit ProviderName PublisherName RegionId ResourceId ResourceName ResourceType ServiceCategory ServiceName SkuId '
         'SkuPriceDetails SubAccountId Tags').split()
ONLY_GPU = 'split: {method: shares, shares: {cpu: "0%", memory: "0%", gpu: "100%"}}\n'


def stamp(minutes):
    return (START + datetime.timedelta(minutes=minutes)).strftime('%Y-%m-%dT%H:%M:%SZ')


def seconds(minutes):
    return int(START.timestamp()) + minutes * 60


def quoted(value):
    return '"%s"' % str(value).replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n')


class Gpu:
    def __init__(self, node, number, model, total_gib, reserved_gib):
        self.node, self.number, self.model = node, number, model
        self.total, self.reserved = total_gib * MIB_PER_GIB, reserved_gib * MIB_PER_GIB
        self.uuid = 'GPU-%08d-0000-4000-8000-%012d' % (node.number, number)
        self.pods = []
        self.copies = False            # every pod's series shows the device's total
        self.loose = 0                 # MiB in use by nobody known

    def pod(self, namespace, name, gib, since=0, until=None, request=1):
        self.pods.append((namespace, name, gib * MIB_PER_GIB, since, self.node.minutes if until is None else until))
        self.node.scene.pods.setdefault((namespace, name), (self.node, since, self.pods[-1][4], request))
        return self

    def labels(self, pod=None):
        pairs = {'UUID': self.uuid, 'gpu': self.number, 'device': 'nvidia%d' % self.number, 'modelName': self.model,
                 'Hostname': self.node.name, 'instance': '10.0.1.%d:9400' % self.node.number, 'job': 'dcgm-exporter'}
        if pod:
            pairs.update(namespace=pod[0], pod=pod[1], container='main')
        return pairs

    def samples(self):
        """(family, labels, minute, MiB): per-process values beside the device's total, or copies of it for every pod."""
        for minute in range(self.node.since, self.node.until):
            here = [p for p in self.pods if p[3] <= minute < p[4]]
            used = sum(p[2] for p in here) + self.loose
            seen = here if self.copies or len(here) == 1 and not self.loose else [None] + here
            for pod in seen:
                yield 'DCGM_FI_DEV_FB_USED', self.labels(pod), minute, used if pod is None or self.copies else pod[2]
            for family, value in (('FREE', self.total - self.reserved - used), ('RESERVED', self.reserved)):
                yield 'DCGM_FI_DEV_FB_' + family, self.labels(seen[0] if len(seen) == 1 else None), minute, value


class Node:
    def __init__(self, scene, number, kind, price, replicas, **more):
        self.scene, self.number, self.kind, self.price, self.replicas = scene, number, kind, price, replicas
        self.name, self.id = 'node-%d' % number, 'i-0aaa%013d' % number
        self.minutes = scene.hours * 60
        self.since, self.until = 0, self.minutes           # of the samples
        self.gpus, self.capacity, self.bill_row, self.node_labels = [], {}, {}, {}
        self.__dict__.update(more)

    def gpu(self, model, total_gib, reserved_gib=0):
        self.gpus.append(Gpu(self, len(self.gpus), model, total_gib, reserved_gib))
        return self.gpus[-1]


class Scene:
    def __init__(self, hours=1, rule='', start_hour=0):
        self.hours, self.rule = hours, rule
        self.nodes, self.pods, self.rows, self.series = [], {}, [], []

    def node(self, kind, price, replicas=1, **more):
        self.nodes.append(Node(self, len(self.nodes) + 1, kind, price, replicas, **more))
        return self.nodes[-1]

    def row(self, **cells):
        """Another row of the bill, over the whole period unless told."""
        self.rows.append(cells)

    def sample(self, family, labels, minute, value):
        self.series.append((family, labels, minute, value))

    # ---- the bill ----

    def base_row(self, since, until):
        return {'BillingAccountId': '000111222333', 'BillingCurrency': 'USD', 'BillingPeriodStart': '2026-10-01T00:00:00Z',
                'BillingPeriodEnd': '2026-11-01T00:00:00Z', 'ChargeCategory': 'Usage', 'ChargeFrequency': 'Usage-Based',
                'ChargePeriodStart': stamp(since), 'ChargePeriodEnd': stamp(until), 'InvoiceIssuerName': 'AWS', 'ProviderName': 'AWS',
                'PublisherName': 'AWS', 'PricingCategory': 'Standard', 'RegionId': 'us-east-1', 'SubAccountId': '000444555666',
                'ServiceCategory': 'Compute', 'ServiceName': 'Amazon Elastic Compute Cloud', 'SkuId': 'SKU', 'Tags': '{}'}

    def priced(self, row, cost):
        for column in ('BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'):
            row.setdefault(column, cost)
        return row

    def bill_rows(self):
        for n in self.nodes:
            for hour in range(self.hours if n.price is not None else 0):
                row = self.base_row(hour * 60, hour * 60 + 60)
                row.update(ResourceId=n.id, ResourceType='instance', ChargeDescription='instance hours', ConsumedQuantity='1',
                           ConsumedUnit='Hours', PricingQuantity='1', PricingUnit='Hours',
                           SkuPriceDetails=json.dumps({'InstanceType': n.kind}))
                row.update(n.bill_row)
                yield self.priced(row, n.price)
        for cells in self.rows:
            row = self.base_row(0, self.hours * 60)
            row.update(cells)
            yield self.priced(row, cells.get('cost', '0'))

    def bill(self):
        text = io.StringIO()
        out = csv.DictWriter(text, FOCUS, restval='', extrasaction='ignore', lineterminator='\n')
        out.writeheader()
        for row in self.bill_rows():
            out.writerow(row)
        return text.getvalue()

    # ---- the metrics ----

    def kube_samples(self):
        job = {'job': 'kube-state-metrics', 'instance': '10.0.9.9:8080'}
        for n in self.nodes:
            labels = dict(job, node=n.name, label_node_kubernetes_io_instance_type=n.kind, label_nvidia_com_gpu_replicas=n.replicas,
                          label_nvidia_com_gpu_sharing_strategy='time-slicing' if n.replicas > 1 else 'none')
            labels.update(n.node_labels)
            for minute in range(n.since, n.until):
                yield 'kube_node_info', dict(job, node=n.name, provider_id='aws:///us-east-1a/' + n.id), minute, 1
                yield 'kube_node_labels', labels, minute, 1
                for resource, value in n.capacity.items():
                    unit = {'cpu': 'core', 'memory': 'byte'}.get(resource, 'integer')
                    yield 'kube_node_status_capacity', dict(job, node=n.name, resource=resource, unit=unit), minute, value
        for (namespace, name), (n, since, until, request) in self.pods.items():
            labels = dict(job, namespace=namespace, pod=name, uid='uid-%s-%s' % (namespace, name), node=n.name)
            for minute in range(since, until):
                yield 'kube_pod_info', dict(labels, created_by_kind='StatefulSet', created_by_name=name.rsplit('-', 1)[0]), minute, 1
                if request:
                    yield ('kube_pod_container_resource_requests',
                           dict(labels, container='main', resource='nvidia_com_gpu', unit='integer'), minute, request)

    def metrics(self):
        families = {}
        everything = list(self.kube_samples()) + self.series
        for n in self.nodes:
            for g in n.gpus:
                everything.extend(g.samples())
        for family, labels, minute, value in everything:
            series = families.setdefault(family, {}).setdefault(tuple(sorted(labels.items())), [])
            series.append((minute, value))
        lines = []
        for family in sorted(families):
            lines.append('# TYPE %s gauge' % family)
            for labels, samples in sorted(families[family].items(), key=str):
                text = ','.join('%s=%s' % (k, quoted(v)) for k, v in labels)
                lines.extend('%s{%s} %s %d' % (family, text, v, seconds(m)) for m, v in sorted(samples))
        return '\n'.join(lines + ['# EOF', ''])

    # ---- running ----

    def write(self, folder):
        for name, text in (('bill.csv', self.bill()), ('metrics.om', self.metrics()), ('rule.yaml', 'schema: gputab.rule/1\n' + self.rule)):
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
                f.write(text)

    def run(self, gputab, *options, command='report', files=(), env=None):
        """The finished process; also what it wrote to the named files, as `files` of it."""
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder)
            args = [os.path.abspath(gputab), command, '--billing', 'bill.csv', '--metrics', 'metrics.om', '--rule', 'rule.yaml',
                    '--from', stamp(0), '--to', stamp(self.hours * 60), *options]
            done = subprocess.run(args, cwd=folder, capture_output=True, timeout=120, check=False,
                                  env={**os.environ, 'GPUTAB_CONFIG': '', 'LC_ALL': 'C.UTF-8', **(env or {})})
            done.stdout, done.stderr = done.stdout.decode('utf-8'), done.stderr.decode('utf-8')
            done.files = {}
            for name in files:
                path = os.path.join(folder, name)
                done.files[name] = open(path, 'rb').read() if os.path.exists(path) else None
            return done

    def report(self, gputab, *options, env=None):
        done = self.run(gputab, '--format', 'json', *options, env=env)
        if done.returncode != 0:
            raise AssertionError('exit %d: %s' % (done.returncode, done.stderr))
        return json.loads(done.stdout)
