#!/usr/bin/env python3
"""The rows add up to the bill, whatever is shown and however the rule divides.

The exact totals of the rows sum to what own_bill.py reads in the bill; rows, columns and totals add up in minor units, hours too; and
neither the keys of the rows nor any setting of the rule but `cost` and `attached` moves the sum by a last decimal.
"""
import json

import harness
import own_bill

KEYS = ['cost_centre', 'team', 'namespace', 'workload', 'pod', 'cluster', 'node', 'gpu', 'gpu_model', 'region', 'purchase', 'sharing', 'grade',
        'reason', 'day']
PIECES = ('gpu_cost', 'cpu_cost', 'memory_cost')
SHOWINGS = RULES = 3


def whole(text):
    """A number with a fixed count of decimals as a whole number."""
    return int(text.replace('.', ''))


def random_keys(item):
    long_charges = item.world and (item.world.month or item.world.long_charges)
    known = [k for k in KEYS if not (k == 'day' and (long_charges or item.world is None))]
    return item.rng.sample(known, item.rng.randrange(1, 5))


def adds_up(report):
    """What doesn't add up inside one report."""
    rows, totals = report['rows'], report['totals']
    for r in rows:
        if sum(whole(r[p]) for p in PIECES) != whole(r['total_cost']):
            yield 'pieces of a row: %s' % r
        if isinstance(r.get('grade'), dict) and sum(whole(g) for g in r['grade'].values()) != whole(r['total_cost']):
            yield 'grades of a row: %s' % r
        if not whole(r['min_cost']) <= whole(r['total_cost']) <= whole(r['max_cost']):
            yield 'least and most of a row: %s' % r
    for column in PIECES + ('total_cost',):
        if sum(whole(r[column]) for r in rows) != whole(totals[column]):
            yield 'column %s' % column
    hours = sum(whole(r['gpu_hours']) for r in rows if r['bucket'] != '(unbilled)')
    if hours != whole(totals['gpu_hours']):
        yield 'column gpu_hours: %d, total %s' % (hours, totals['gpu_hours'])
    if totals['billed'] != totals['total_cost'] or whole(totals['difference']) != 0:
        yield 'totals: %s' % totals


def off_the_bill(report, exact, cents):
    """The same sum, exactly and rounded once."""
    if harness.exact_sum(report) != exact:
        yield 'rows sum to %s, the bill to %s' % (harness.money_text(harness.exact_sum(report)), harness.money_text(exact))
    if whole(report['totals']['billed']) != cents:
        yield 'billed: %s, the bill says %d minor units' % (report['totals']['billed'], cents)


def rows_sum_to_the_bill(item):
    if item.world is None:
        raise harness.LeftOut('not a bill of a world')
    report = item.report()
    if any(w['code'] == 'W227' for w in report['warnings']):
        raise harness.LeftOut('a shared cost for which nothing weighs')
    exact = own_bill.billed(item) + (own_bill.shared(item) if item.world else 0)
    yield from off_the_bill(report, exact, own_bill.cents(exact))
    yield from adds_up(report)
    cost, groups = own_bill.file_total(item), sum(whole(g['cost']) for g in report['bill']['groups'])
    bridge = report['bridge']
    for name, total in (('cost', cost), ('invoiced', own_bill.file_total(item, 'BilledCost'))):
        if whole(bridge[name]['file_total']) != own_bill.cents(total):
            yield 'file_total of %s: %s, own sum %s' % (name, bridge[name]['file_total'], harness.money_text(total))
    # Each of the bridge's numbers is rounded by itself: the groups by half a cent each.
    gap = abs(whole(bridge['cost']['file_total']) - whole(report['totals']['billed']) - groups - whole(bridge['cost']['outside_period']))
    if 2 * gap > len(report['bill']['groups']) + 3:
        yield 'file_total is not billed and groups and outside_period: %s' % bridge


def sum_is_the_same_by_any_keys(item):
    own = item.report()
    exact, cents, hours = harness.exact_sum(own), whole(own['totals']['billed']), own['totals']['gpu_hours']
    for _ in range(SHOWINGS):
        by = random_keys(item)
        report = item.report(by=by)
        for e in list(off_the_bill(report, exact, cents)) + list(adds_up(report)):
            yield 'by %s: %s' % (','.join(by), e)
        if report['totals']['gpu_hours'] != hours:
            yield 'by %s: gpu_hours %s, by %s %s' % (','.join(by), report['totals']['gpu_hours'], ','.join(item.by), hours)


# ---- random rules -----------------------------------------------------------------------------------------------------

PRICES = {'NVIDIA GeForce RTX 4090': '0.55', 'NVIDIA L4': '1.9', 'NVIDIA T4': '0.001'}
SPLITS = [{'method': 'reference', 'gpu_hour': PRICES}, {'gpu_hour': PRICES}, {'method': 'reference', 'vcpu_hour': '3', 'gib_hour': '0', 'gpu_hour': PRICES},
          {'method': 'shares', 'shares': {'cpu': '100%', 'memory': '0%', 'gpu': '0%'}},
          {'method': 'shares', 'shares': {'cpu': '33.333333%', 'memory': '33.333333%', 'gpu': '33.333334%'}},
          {'method': 'aws-scad'}, {'method': 'opencost'}, {'method': 'datadog'}]
GPU = {'exclusive': ['held', 'resident'], 'denominator': ['capacity', 'usable', 'residents'], 'mig_weight': ['memory', 'compute'],
       'shared_fallback': ['even', 'refuse'], 'min_coverage': ['0%', '37%', '95%', '100%'], 'max_gap': ['1s', '3m', '2h'],
       'interval': ['1s', '45s', '1h'], 'startup': ['0s', '3h']}
IDLE = [{'policy': 'separate'}, {'policy': 'proportional'}, {'policy': 'proportional', 'scope': 'all'}, {'policy': 'even'},
        {'policy': 'even', 'scope': 'cluster', 'include': ['(unattributed)', '(driver-reserved)']}, {'policy': 'to', 'team': 'platform'},
        {'policy': 'fixed', 'shares': {'nlp': '60%', 'nobody': '40%'}}, {'owners': [{'node': 'node-*', 'team': 'nlp'}]}]
OWNERS = [None, [{'namespace': '*', 'team': 'all'}], [{'namespace': 'nlp-*', 'bucket': '(system)'}, {'namespace': '*', 'team': 'rest'}],
          [{'pod_label': {'name': 'example.com/team'}, 'team': 'x-{value}'}, {'namespace_label': {'name': 'team'}, 'team': '{value}'}],
          [{'namespace': 'no-such-*', 'team': 'nobody'}]]


def random_rule(rng, own):
    rule = {'schema': own['schema'], 'name': 'random', 'split': rng.choice(SPLITS), 'idle': rng.choice(IDLE),
            'gpu': {k: rng.choice(v) for k, v in GPU.items() if rng.random() < .6},
            'cpu_memory': {'basis': rng.choice(['request', 'usage', 'max', 'gpu'])}, 'owners': rng.choice(OWNERS)}
    rule.update({k: own[k] for k in ('cost', 'attached') if k in own})       # these two say what is billed
    return {k: v for k, v in rule.items() if v is not None}


def with_what_is_built(item, rule):
    """The report under a rule; keys that this version knows and doesn't follow fall back to the default."""
    separate = {'policy': 'separate'}
    for attempt in (rule, dict(rule, idle=separate), dict(rule, split=SPLITS[0]), dict(rule, idle=separate, split=SPLITS[0])):
        folder = item.folder_with(rule_yaml=json.dumps(attempt))
        code, out, err = item.run(folder=folder, more=['--format', 'json', '-q'])
        if code == 0:
            return harness.json_of(out)
        if code != 2 or b'not built' not in err:
            break
    raise harness.Wrong('rule %s: exit %d: %s' % (json.dumps(rule), code, err.decode('utf-8', 'replace')[:200]))


def no_rule_changes_the_sum(item):
    if item.world is None:
        raise harness.LeftOut('not a rule of a world')
    own = item.report(folder=item.folder_with(rule_yaml=json.dumps({k: v for k, v in item.rule().items() if k != 'shared_costs'})))
    exact, cents, hours = harness.exact_sum(own), whole(own['totals']['billed']), own['totals']['gpu_hours']
    for _ in range(RULES):
        rule = random_rule(item.rng, item.rule())
        report = with_what_is_built(item, rule)
        for e in list(off_the_bill(report, exact, cents)) + list(adds_up(report)):
            yield '%s under the rule %s' % (e, json.dumps(rule))
        if report['totals']['gpu_hours'] != hours:
            yield 'gpu_hours %s, own %s under the rule %s' % (report['totals']['gpu_hours'], hours, json.dumps(rule))


if __name__ == '__main__':
    harness.main([rows_sum_to_the_bill, sum_is_the_same_by_any_keys, no_rule_changes_the_sum], '2001-2060')
