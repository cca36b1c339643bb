#!/usr/bin/env python3
"""Whatever the rule says together, no total changes and each figure is told.

Of a world under random rules, with every split method, reading of cards, idle policy and shared cost mixed: rows sum to the bill exactly, or to
what they sum to without a policy where shared costs are spread; `explain` adds up to its row; --compare-splits ends on the same line for each
method, and its own column is the report's; what `rule show` prints reads back as the same rule; and compared with itself a month has not
changed.
"""
import json
import subprocess

import billing_property
import explain_property
import harness
import own_bill

RULES = 2
METHODS = ['reference', 'shares', 'aws-scad', 'opencost', 'datadog', 'residual']


def random_split(item, rng):
    split = {'method': rng.choice(METHODS)}
    if split['method'] == 'shares':
        split['shares'] = rng.choice([{'cpu': '0%', 'memory': '0%', 'gpu': '100%'}, {'cpu': '33.3%', 'memory': '0.7%', 'gpu': '66%'}])
    if split['method'] in ('reference', 'residual'):
        split['gpu_hour'] = {'NVIDIA GeForce RTX 4090': '0.55'}
    if split['method'] == 'residual':
        split.update(vcpu_hour='0.0001', gib_hour='0.00001')
    return split


def random_rule(item):
    rng, rule = item.rng, item.rule()
    if 'billed' not in json.dumps(rule.get('split', {})) and rule.get('split'):
        rule['split'] = random_split(item, rng)
    gpu = rule.setdefault('gpu', {})
    for key, values in (('exclusive', ['held', 'resident']), ('denominator', ['capacity', 'usable', 'residents']),
                        ('mig_weight', ['memory', 'compute']), ('shared_fallback', ['even', 'refuse'])):
        gpu[key] = rng.choice(values)
    rule['idle'] = item.world.idle(rng)
    rule['shared_costs'] = item.world.shared_costs(rng) if rng.random() < .6 else []
    rule['budgets'] = [{'team': 'nlp', 'month': '100.00'}, {'team': 'nobody here', 'month': '0.50'}]
    return rule


def random_rules(item):
    """Those of residual that leave the GPUs nothing are refused, as the contract says; a world has none where all are."""
    found = False
    for _ in range(RULES):
        rule = random_rule(item)
        folder = item.folder_with(rule_yaml=json.dumps(rule))
        code, _, err = item.run(folder=folder, more=['-q'])
        if code == 2 and b'leaves nothing for the GPUs' in err:
            continue
        found = True
        yield rule, folder
    if not found:
        raise harness.LeftOut('residual leaves nothing for the GPUs')


def rows_sum_to_the_bill(item):
    for rule, folder in random_rules(item):
        report = item.report(folder=folder, by=billing_property.random_keys(item))
        plain = item.report(folder=item.folder_with(rule_yaml=json.dumps(dict(rule, idle={'policy': 'separate'}))))
        yield from ('%s: %s' % (rule, e) for e in billing_property.adds_up(report))
        if any(w['code'] == 'W227' for w in report['warnings'] + plain['warnings']):
            continue                # nothing weighs for a shared cost
        wants = [harness.exact_sum(plain)] + ([] if rule['shared_costs'] else [own_bill.billed(item)])
        for want in wants:
            if harness.exact_sum(report) != want:
                yield '%s: rows sum to %s, not %s' % (rule, harness.money_text(harness.exact_sum(report)), harness.money_text(want))


def explained_rows_add_up(item):
    for rule, folder in random_rules(item):
        for key in item.rng.sample(['team', 'pod', 'node', 'gpu'], 2):
            rows = [r for r in item.report(folder=folder, by=[key])['rows'] if r[key]]
            if not rows:
                continue
            row = item.rng.choice(rows)
            option, name = ('bucket', row['bucket']) if key == 'team' and row['bucket'] else (key, row[key])
            mine = [r for r in rows if r[key] == row[key]]
            home, item.folder = item.folder, folder
            try:
                told = explain_property.explain(item, option, name)
            finally:
                item.folder = home
            yield from ('%s: %s' % (rule, e) for e in explain_property.wrong('%s %s' % (option, name), mine, told))


def methods_end_on_one_line(item):
    for rule, folder in random_rules(item):
        own = item.report(folder=folder, by=['team'])
        report = item.report(folder=folder, by=['team'], more=['--compare-splits'])
        for s in report['splits']:
            if s['reason'] is None and s['total_cost'] != own['totals']['total_cost']:
                yield '%s: %s comes to %s, the report to %s' % (rule, s['method'], s['total_cost'], own['totals']['total_cost'])
        mine = [s['method'] for s in report['splits'] if s['own']]
        if len(mine) != 1:
            yield '%s: own methods are %s' % (rule, mine)
            continue
        want = {(r['team'], r['bucket']): r['total_cost'] for r in own['rows']}
        got = {(r['team'], r['bucket']): r['total_cost'][mine[0]] for r in report['rows']}
        if {k: v for k, v in got.items() if v not in (want.get(k), '0.00')} or set(want) - set(got):
            yield '%s: own column is %s, the report %s' % (rule, got, want)


def what_is_shown_reads_back(item):
    for rule, folder in random_rules(item):
        shown = [rule_shown(item, folder)]
        again = item.folder_with(rule_yaml=shown[0])
        shown.append(rule_shown(item, again))
        if shown[0] != shown[1]:
            yield '%s: %s' % (rule, harness.first_difference(*shown))
        reports = [item.report(folder=f, by=['team']) for f in (folder, again)]
        if reports[0]['rows'] != reports[1]['rows'] or reports[0]['totals'] != reports[1]['totals']:
            yield '%s: shown and read back it gives another report' % rule


def rule_shown(item, folder):
    p = subprocess.run([item.gputab, 'rule', 'show', 'rule.yaml'], cwd=folder, capture_output=True, timeout=60, check=False)
    if p.returncode:
        raise harness.Wrong('rule show: exit %d: %s' % (p.returncode, p.stderr.decode('utf-8', 'replace')[:200]))
    return p.stdout.decode('utf-8')


def beside_itself_nothing_changed(item):
    """With the same report of another time as the earlier one."""
    for rule, folder in random_rules(item):
        before = item.report(folder=folder, by=['team'])
        before['period'].update({'from': '2026-09-05T00:00:00Z', 'to': '2026-09-06T00:00:00Z'})
        harness.write(folder + '/before.json', json.dumps(before))
        report = item.report(folder=folder, by=['team'], more=['--previous', 'before.json'])
        listed = {t['team']: t for t in report['previous']['teams']}
        for r in before['rows']:
            t = listed.get(r['team'])
            if not t or t['cost'] != r['total_cost'] or t['previous'] != r['total_cost'] or billing_property.whole(t['change']):
                yield '%s: %s beside itself is %s' % (rule, r['team'], t)


if __name__ == '__main__':
    harness.main([rows_sum_to_the_bill, explained_rows_add_up, methods_end_on_one_line, what_is_shown_reads_back,
                  beside_itself_nothing_changed], '9001-9010', known=False)
