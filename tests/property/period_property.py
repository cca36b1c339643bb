#!/usr/bin/env python3
"""A period is the sum of its parts.

Whole days against each day alone, and hours against each hour: rows by key add up in exact amounts, when no charge straddles a cut. Hours
are tried with `gpu.interval` written, since the interval is otherwise the median of a day's samples.

Left out, by looking at the world: what a part cannot know because it lies farther than max_gap outside of it. These are a gap of a timeline or
counter one end of which a part doesn't load, a card whose only known size is the largest use seen, and whether a target ever labels
pods. Also left out are nodes of unknown type in a charge without samples: what they are is decided once for the whole bill.
"""
import json

import harness
import own_bill

KEYS = [['team'], ['cost_centre', 'team'], ['gpu', 'namespace', 'pod'],
        ['cluster', 'node', 'gpu', 'gpu_model', 'region', 'purchase', 'sharing', 'cost_centre', 'team', 'namespace', 'workload', 'pod']]
HOUR, DAY = 3600, 86400
iso = harness.worlds.iso


def cuts_of(start, end, size):
    return [start] + list(range((start // size + 1) * size, end, size)) + [end]


def check_charges(item, cuts):
    for r in own_bill.rows_of(item):
        start, end = own_bill.interval(r)
        if any(start < c < end for c in cuts[1:-1]) and own_bill.is_usage_of_node(r):
            raise harness.LeftOut('a charge straddles a cut')


# ---- what a part cannot know ------------------------------------------------------------------------------------------

def milliseconds(text):
    return int(text[:-1]) * {'s': 1000, 'm': 60000, 'h': HOUR * 1000}[text[-1]]


def device_of(labels):
    names = ('UUID', 'uuid', 'device_uuid', 'deviceuuid')
    uuid = [labels[k] for k in names if k in labels]
    return (uuid[0], labels.get('GPU_I_ID')) if uuid else None


def target_of(labels):
    return tuple(labels.get(k) for k in ('job', 'instance', 'prometheus_replica'))


def has_pod(labels):
    return any(labels.get(k) for k in ('exported_pod', 'pod_name', 'podname')) or 'pod' in labels and 'exporter' not in labels['pod']


class Seen:
    """When targets had samples: of a device, of all of kube-state-metrics, of a kubelet's containers; and each series of a container."""

    def __init__(self, world):
        self.timelines, self.labelled, self.series = {}, {}, []
        for name, all_series in world.lines.items():
            for key, samples in all_series.items():
                self.add(name, dict(key), [ms for ms, v in samples if own_bill.is_value(v)])
        self.timelines = {k: sorted(v) for k, v in self.timelines.items()}

    def add(self, name, labels, stamps):
        device = device_of(labels)
        key = (device or name.split('_')[0],) + target_of(labels)
        self.timelines.setdefault(key, set()).update(stamps)
        if device and has_pod(labels):
            self.labelled.setdefault(key, set()).update(stamps)
        if name.startswith('container_'):
            self.series.append(sorted(stamps))


def loaded(part, max_gap):
    return 1000 * part[0] - max_gap, 1000 * part[1] + max_gap


def within(stamps, span):
    return [t for t in stamps if span[0] <= t <= span[1]]


def gap_reaches_out(stamps, parts, whole, max_gap, medians):
    """Whether a part lacks one end of a gap that it has a part of and that the whole has both ends of. Where the interval is the median of a
    day, any gap over a cut does: a part has too few samples of the day before."""
    stamps = within(stamps, whole)
    for a, b in zip(stamps, stamps[1:]):
        for start, end in ((1000 * s, 1000 * e) for s, e in parts):
            if b - a > max_gap and (a < start < b and (medians or a < start - max_gap) or a < end < b and b > end + max_gap):
                return True
    return False


def labels_differ(seen, key, parts, whole, max_gap):
    """Whether a part sees samples of a target, but not whether it labels pods on the device at all."""
    labelled = bool(within(seen.labelled.get(key, ()), whole))
    return any(within(seen.timelines[key], span) and bool(within(seen.labelled.get(key, ()), span)) != labelled
               for span in (loaded(p, max_gap) for p in parts))


def check_world(item, parts, rule):
    seen, max_gap = Seen(item.world), milliseconds(rule.get('gpu', {}).get('max_gap', '5m'))
    whole = loaded((parts[0][0], parts[-1][1]), max_gap)
    medians, lines = 'interval' not in rule.get('gpu', {}), list(seen.timelines.values()) + seen.series
    own_bill.check_seen(own_bill.node_rows(item), item)
    if any(gap_reaches_out(line, parts, whole, max_gap, medians) for line in lines):
        raise harness.LeftOut('a gap reaches farther than a part may load')
    devices = [key[0] for key in seen.timelines]
    if any(devices.count(key[0]) > 1 and labels_differ(seen, key, parts, whole, max_gap) for key in seen.timelines if isinstance(key[0], tuple)):
        raise harness.LeftOut('which of two targets labels pods at all, parts do not see')
    if any(n.type == 'rack.desk' and not n.has_total for n in item.world.nodes):
        raise harness.LeftOut('the size of a card is the largest use seen')


# ---- the property -----------------------------------------------------------------------------------------------------

def parts_of(item, cuts):
    if len(cuts) < 3:
        raise harness.LeftOut('one part only')
    check_charges(item, cuts)
    return list(zip(cuts, cuts[1:]))


def differences(item, parts, rule):
    """Without what weighs by all of a period."""
    rule.pop('idle', None)
    rule.pop('shared_costs', None)
    check_world(item, parts, rule)
    folder, keys = item.folder_with(rule_yaml=json.dumps(rule)), item.rng.choice(KEYS)
    want, got = harness.exact_rows(item.report(folder=folder, by=keys)), {}
    for start, end in parts:
        part = item.report(folder=folder, by=keys, period=['--from', iso(start), '--to', iso(end)])
        for key, n in harness.exact_rows(part).items():
            got[key] = got.get(key, 0) + n
    yield from harness.row_differences(want, got, ('whole', 'parts'))


def days_add_up(item):
    """With the interval written where the bill comes in pieces: a request's usual spacing in a day shows in what they divide."""
    rule = item.rule()
    if 'Google Cloud' in item.text('billing.csv'):
        rule.setdefault('gpu', {}).setdefault('interval', '%ds' % item.world.step)
    yield from differences(item, parts_of(item, cuts_of(*own_bill.period_of(item), DAY)), rule)


def hours_add_up(item):
    """By sixes where there are many."""
    start, end = own_bill.period_of(item)
    rule = item.rule()
    rule.setdefault('gpu', {}).setdefault('interval', '%ds' % item.world.step)
    yield from differences(item, parts_of(item, cuts_of(start, end, HOUR if end - start <= 6 * HOUR else 6 * HOUR)), rule)


if __name__ == '__main__':
    harness.main([days_add_up, hours_add_up], '3001-3120', known=False)
