#!/usr/bin/env python3
"""Allocated charges of FOCUS: they are valid, sum to each charge of the bill exactly, and say of teams and buckets what the report says."""
import csv
import io
import json
import os
import sys
import time

import harness
import own_bill

sys.path.insert(0, os.path.join(harness.ROOT, 'tests', 'focus'))

import validate

NOT_PODS = ('(idle)', '(driver-reserved)', '(unattributed)', '(no-metrics)')


def kind(item):
    return item.rule().get('cost', 'effective') if item.world else 'billed' if item.name == 'demo' else 'effective'


def allocated(item):
    text = item.output(more=['--format', 'focus', '-q']).decode('utf-8')
    return text, list(csv.DictReader(io.StringIO(text)))


def cost_of(row):
    for column in ('EffectiveCost', 'ListCost', 'BilledCost'):
        if column in row:
            return harness.units(row[column])
    raise KeyError('no cost')


def allocated_charges_are_valid(item):
    yield from validate.faults(allocated(item)[0])


def add(sums, key, amount):
    sums[key] = sums.get(key, 0) + amount
    if not sums[key]:
        del sums[key]


def still_rule(text):
    """The rule without what moves money. Lines of owners stay lines: which one matched tells versions of a pod apart."""
    if not text.startswith('{'):
        return ''.join(line for line in text.splitlines(True) if not line.startswith(('idle:', 'shared_costs:')))
    return json.dumps({k: v for k, v in json.loads(text).items() if k not in ('idle', 'shared_costs')}, indent=1)


def teams_are_those_of_the_report(item):
    """Charges are told before idle and shared costs move."""
    rows, report = allocated(item)[1], item.report(folder=item.folder_with(rule_yaml=still_rule(item.text('rule.yaml'))), by=['team'])
    got = {}
    for r in rows:
        team = json.loads(r['AllocatedTags'] or '{}').get('gputab/team') or r['x_Bucket']
        add(got, (team, r['x_Bucket'] or None), cost_of(r))
    yield from harness.row_differences(harness.exact_rows(report), got, ('report', 'FOCUS'))


def stamp(seconds):
    return time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(seconds))


def own_charges(item, column):
    """{(resource, from, to): cost} of the world's bill, cut to the period."""
    charges, period, out = {}, own_bill.period_of(item), {}
    for r in own_bill.node_rows(item):
        key = (own_bill.resource(r),) + own_bill.interval(r)
        charges[key] = charges.get(key, 0) + own_bill.amount(r[column])
    for (resource, start, end), cost in charges.items():
        add(out, (resource, stamp(max(start, period[0])), stamp(min(end, period[1]))), own_bill.inside(cost, (start, end), period))
    return out


def charges_of(rows, column):
    out = {}
    for r in rows:
        add(out, (r['ResourceId'].split('/')[-1], r['ChargePeriodStart'], r['ChargePeriodEnd']), harness.units(r[column]))
    return out


def parts_sum_to_their_charges(item):
    if item.world is None:
        raise harness.LeftOut('not a bill of a world')
    own_bill.check_seen(own_bill.node_rows(item), item)
    rows = allocated(item)[1]
    cost = own_bill.COST_COLUMN[kind(item)]
    for column in {cost, 'BilledCost'}:
        if rows:
            yield from harness.row_differences(own_charges(item, column), charges_of(rows, column), ('bill', 'FOCUS'))


if __name__ == '__main__':
    harness.main([allocated_charges_are_valid, teams_are_those_of_the_report, parts_sum_to_their_charges], '7001-7025')
