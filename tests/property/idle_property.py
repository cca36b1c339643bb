#!/usr/bin/env python3
"""Where idle cost goes moves no total.

Of a world under several random idle rules, some with shared costs: rows sum to the bill exactly; per scope, and with it per piece and in hours, sums are those without
a policy; a team gets the same whether its rows are one or cut by pods, days, nodes; and where teams are named nothing stays idle.
"""
import json

import billing_property
import harness

RULES = 3
SCOPES = {'pool': ['gpu_model', 'region', 'purchase'], 'cluster': ['cluster'], 'all': []}
CUTS = [['pod'], ['node'], ['gpu_model', 'region'], ['sharing', 'gpu'], ['cluster', 'namespace', 'workload'], ['day'], ['day', 'pod', 'node']]


def with_idle(item, idle, shared):
    rule = dict(item.rule(), idle=idle, shared_costs=shared)
    return item.folder_with(rule_yaml=json.dumps(rule))


def random_rules(item, shared=()):
    for _ in range(RULES):
        idle = item.world.idle(item.rng)
        yield idle, with_idle(item, idle, list(shared)), with_idle(item, {'policy': 'separate'}, list(shared))


def random_shared(item):
    """Over all rows, whatever they are."""
    costs = item.world.shared_costs(item.rng) if item.rng.random() < .5 else []
    return [{'name': c['name'], 'select': c['select']} for c in costs]


def sums(report, keys, column):
    """{key values: sum}, buckets and pods together."""
    out = {}
    for r in report['rows']:
        key = tuple(r[k] for k in keys)
        out[key] = out.get(key, 0) + billing_property.whole(r[column])
    return {k: v for k, v in out.items() if v}


def nothing_is_lost(item):
    shared = random_shared(item)
    for idle, folder, plain in random_rules(item, shared):
        by = billing_property.random_keys(item)
        got, want = item.report(folder=folder, by=by), item.report(folder=plain, by=by)
        if any(w['code'] == 'W227' for w in got['warnings'] + want['warnings']):
            continue                # one has owners of idle time to spread a cost over, the other has nobody
        if harness.exact_sum(got) != harness.exact_sum(want):
            yield '%s by %s: %s, without a policy %s' % (idle, by, harness.exact_sum(got), harness.exact_sum(want))
        yield from ('%s by %s: %s' % (idle, by, e) for e in billing_property.adds_up(got))
        for key in ('billed', 'total_cost', 'gpu_cost', 'cpu_cost', 'memory_cost', 'gpu_hours'):
            a, b = (billing_property.whole(r['totals'][key]) for r in (got, want))
            pieces = key in billing_property.PIECES        # their cells are rounded with all others; shared costs go by what weighs
            if abs(a - b) > (len(got['rows']) + len(want['rows']) if pieces else 0) and not (pieces and shared):
                yield '%s by %s: %s %d, without a policy %d' % (idle, by, key, a, b)


def nothing_leaves_its_scope(item):
    """Exact totals by scope; pieces and hours by scope as the rows' rounding allows."""
    for idle, folder, plain in random_rules(item):
        keys = SCOPES[idle.get('scope', 'pool')]
        by = keys + ['team']
        got, want = item.report(folder=folder, by=by), item.report(folder=plain, by=by)
        for column in ('total_exact', 'gpu_cost', 'cpu_cost', 'memory_cost', 'gpu_hours'):
            a, b = sums(got, keys, column), sums(want, keys, column)
            allowed = 0 if column == 'total_exact' else len(got['rows']) + len(want['rows'])
            for k in sorted(set(a) | set(b), key=str):
                if abs(a.get(k, 0) - b.get(k, 0)) > allowed:
                    yield '%s: %s of %s is %d, without a policy %d' % (idle, column, k, a.get(k, 0), b.get(k, 0))


def a_team_gets_the_same_in_any_rows(item):
    for idle, folder, _ in random_rules(item, item.world.shared_costs(item.rng)):
        want = harness.exact_rows(item.report(folder=folder, by=['team']))
        for cut in item.rng.sample(CUTS, 3):
            if 'day' in cut and (item.world.month or item.world.long_charges):
                continue
            got = harness.exact_rows(item.report(folder=folder, by=['team'] + cut), keys=['team'])
            yield from ('%s by %s: %s' % (idle, cut, e) for e in harness.row_differences(want, got, ('by team', 'cut')))


def named_teams_leave_nothing_idle(item):
    """Who is named pays, with pods or without: but amounts that sum to nothing in their scope."""
    for idle, folder, plain in random_rules(item):
        if idle['policy'] not in ('fixed', 'to'):
            continue
        by = SCOPES[idle.get('scope', 'pool')] + ['team']
        for k, v in harness.exact_rows(item.report(folder=folder, by=by)).items():
            if k[-1] == '(idle)':
                yield '%s: %s of %s is left' % (idle, v, k)


if __name__ == '__main__':
    harness.main([nothing_is_lost, nothing_leaves_its_scope, a_team_gets_the_same_in_any_rows, named_teams_leave_nothing_idle], '8001-8030', known=False)
