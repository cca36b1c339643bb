#!/usr/bin/env python3
"""A world beside its twin costs each team exactly twice.

The twin has the same samples and charges under other names of nodes, pods, workloads, GPUs and resources; namespaces and what owners go by
are the same. The new names sort among themselves as the old ones do, since ties of the last decimal go by name.
"""
import csv
import io
import json
import re

import harness

NODES = ('node', 'Hostname', 'hostname')
PODS = ('pod', 'exported_pod', 'pod_name', 'podname', 'created_by_name', 'owner_name', 'replicaset', 'job_name')
UIDS = ('uid', 'pod_uid', 'id')
UUIDS = ('UUID', 'uuid', 'device_uuid', 'deviceuuid')
ADDRESSES = ('instance', 'internal_ip')
LABEL = re.compile(r'(\w+)="([^"]*)"')
KEYS = [['cost_centre', 'team'], ['team', 'gpu_model'], ['team', 'purchase', 'region'], ['team', 'sharing'], ['team', 'namespace']]


def twin_pod(name):
    """Exporters keep their beginning, by which they are known; the digits of their name are those of their node's address."""
    found = re.fullmatch(r'(nvidia-dcgm-exporter-)10(\d+)', name)
    if found:
        return found.group(1) + '17' + found.group(2)
    return name if name in ('<none>', '', 'exporter') or name.startswith('hami-device') else 'twin-' + name


def twin_value(label, value):
    if label in NODES:
        return 'twin-' + value if value.startswith('node-') else twin_pod(value)
    if label in PODS:
        return twin_pod(value)
    if label in UIDS:
        return value.replace('uid-', 'uid-twin-')
    if label in UUIDS:
        return value.replace('-4000-', '-5000-')
    if label in ADDRESSES:
        return value.replace('10.0.', '17.0.') if not value.startswith('10.0.9.9') else value
    return twin_resource(value) if label == 'provider_id' else value


def twin_resource(text):
    return text.replace('i-0', 'i-f').replace('/subscriptions/0001/', '/subscriptions/0002/') if 'feed' not in text else text


def twin_line(line):
    return LABEL.sub(lambda m: '%s="%s"' % (m.group(1), twin_value(m.group(1), m.group(2))), line)


def doubled_metrics(text):
    """Each series, and after it its twin; one that names nothing of a node has none."""
    out, pile = [], []
    for line in text.splitlines() + ['']:
        if pile and (not line or line.startswith('#') or series_of(line) != series_of(pile[0])):
            twins = [twin_line(x) for x in pile]
            out += pile + (twins if twins != pile else [])
            pile = []
        if line.startswith('#'):
            out.append(line)
        elif line:
            pile.append(line)
    return '\n'.join(out) + '\n'


def series_of(line):
    return line[:line.rindex('}') + 1]


def doubled_table(text, columns):
    """A CSV with each row that has another name in a twin, and its twin."""
    rows = csv.DictReader(io.StringIO(text))
    out = io.StringIO()
    w = csv.DictWriter(out, rows.fieldnames, lineterminator='\n')
    w.writeheader()
    for r in rows:
        twin = dict(r, **{c: change(r[c]) for c, change in columns.items() if c in r})
        w.writerows([r] + ([twin] if twin != r else []))
    return out.getvalue()


def twin_rule(rule):
    """Without what is not linear (round(2x) is not 2 round(x)), and without owner lines that go by names which the twin has not."""
    kept = {k: v for k, v in rule.items() if k not in ('idle', 'shared_costs')}
    if 'owners' in kept:
        kept['owners'] = [o for o in kept['owners'] if not {'node', 'workload'} & set(o)]
    return kept


def twice_by_team(item):
    files = {'billing_csv': doubled_table(item.text('billing.csv'), {'ResourceId': twin_resource}),
             'metrics_om': doubled_metrics(item.text('metrics.om'))}
    if any(not n.provider for n in item.world.nodes if n.metrics):
        files['nodes_csv'] = doubled_table(item.text('nodes.csv'), {'node': lambda n: 'twin-' + n, 'resource_id': twin_resource})
    rule = json.dumps(twin_rule(item.rule()))
    folder, single = item.folder_with(rule_yaml=rule, **files), item.folder_with(rule_yaml=rule)
    for by in [['team']] + item.rng.sample(KEYS, 2):
        want = {k: 2 * n for k, n in harness.exact_rows(item.report(folder=single, by=by)).items()}
        got = harness.exact_rows(item.report(folder=folder, by=by))
        yield from ('by %s: %s' % (','.join(by), e) for e in harness.row_differences(want, got, ('twice', 'both')))


if __name__ == '__main__':
    harness.main([twice_by_team], '7001-7040', known=False)
