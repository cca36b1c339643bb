"""What a random world's bill says its GPU nodes cost, read once more: by Python's csv and whole numbers, not by the program.

It knows the bills of tests/oracle/worlds.py only. A node of a type that no catalogue has is a GPU node only when and where the metrics show a
GPU; where that isn't plain (no sample in the charge) it says so by harness.LeftOut.
"""
import calendar
import csv
import fnmatch
import io
import json
import time
from decimal import ROUND_HALF_EVEN, Context, Decimal

import harness

COST_COLUMN = {'effective': 'EffectiveCost', 'billed': 'BilledCost', 'list': 'ListCost'}
READ = ('ResourceId', 'CommitmentDiscountStatus', 'PricingUnit', 'ChargeClass', 'SkuPriceDetails')       # not in every bill
WIDE = Context(prec=80)


def seconds(text):
    return calendar.timegm(time.strptime(text, '%Y-%m-%dT%H:%M:%SZ'))


def amount(text):
    """In the last of twelve decimals, half to even."""
    return int(WIDE.scaleb(Decimal(text or '0'), 12).quantize(Decimal(1), ROUND_HALF_EVEN, WIDE))


def period_of(item):
    if item.period[0] == '--month':
        return tuple(map(seconds, ('2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z')))
    return seconds(item.period[1]), seconds(item.period[3])


def rows_of(item):
    rows = csv.DictReader(io.StringIO(item.text('billing.csv')))
    return [dict({c: '' for c in READ}, **r) for r in rows]


def interval(row):
    return seconds(row['ChargePeriodStart']), seconds(row['ChargePeriodEnd'])


def resource(row):
    return row['ResourceId'].split('/')[-1]


def is_usage_of_node(row):
    return row['ChargeCategory'] == 'Usage' and row['CommitmentDiscountStatus'] != 'Unused' and row['ResourceId'] not in ('', 'i-0feed')


def is_time(row):
    return (row['PublisherName'] == row['ProviderName'] and row['PricingUnit'] in ('Hours', 'gibibyte hour', '')
            and 'transfer' not in row['ChargeDescription'])


def node_rows(item):
    """The rows that make up the cost of GPU nodes, wherever their interval lies."""
    attached = item.rule().get('attached') == 'include'
    return [r for r in rows_of(item) if is_usage_of_node(r) and (attached or is_time(r))]


# ---- nodes of types that only metrics know ----------------------------------------------------------------------------

def is_value(v):
    return str(v) != 'NaN' and v >= 0


def gpu_stamps(item):
    """{resource: sorted stamps in ms of GPU samples} of the nodes whose type says nothing."""
    out = {}
    for n in item.world.nodes:
        if not n.type.startswith('rack'):
            continue
        uuids = {d.uuid for d in n.devices}
        stamps = {ms for name, series in item.world.lines.items() if name.lower().startswith('dcgm')
                  for key, samples in series.items() if uuids & {v for k, v in key if k in ('UUID', 'uuid')}
                  for ms, v in samples if is_value(v)}
        out[n.resource] = stamps
    return out


def check_seen(rows, item):
    stamps = gpu_stamps(item)
    period = period_of(item)
    for r in rows:
        start, end = interval(r)
        start, end = max(start, period[0]), min(end, period[1])
        if resource(r) in stamps and start < end and not any(1000 * start <= t < 1000 * end for t in stamps[resource(r)]):
            raise harness.LeftOut('a node whose type is unknown has a charge without samples')


# ---- sums -----------------------------------------------------------------------------------------------------------

def nearest(n, d):
    """n / d, half away from zero."""
    whole = (2 * abs(n) + d) // (2 * d)
    return whole if n >= 0 else -whole


def inside(cost, span, part):
    """The part of a cost that lies in `part`, so that adjoining parts add up."""
    length = span[1] - span[0]
    at = [nearest(cost * (min(max(t, span[0]), span[1]) - span[0]), length) for t in part]
    return at[1] - at[0]


def billed(item, period=None):
    """The exact cost of the world's GPU nodes in the period."""
    rows, column = node_rows(item), COST_COLUMN[item.rule().get('cost', 'effective')]
    check_seen(rows, item)
    charges = {}
    for r in rows:
        key = (resource(r),) + interval(r)
        charges[key] = charges.get(key, 0) + amount(r[column])
    return sum(inside(cost, key[1:], period or period_of(item)) for key, cost in charges.items())


def is_selected(row, select):
    value = row.get(select['column'], '').strip()
    return value != '' and (fnmatch.fnmatchcase(value, select['glob']) if 'glob' in select else value == select['equals'])


def shared(item):
    """The exact amount, in the period, of the rows beside GPU nodes that the rule's shared costs select."""
    selects, column = [c['select'] for c in item.rule().get('shared_costs', [])], COST_COLUMN[item.rule().get('cost', 'effective')]
    nodes = node_rows(item) if selects else []
    rows = [r for r in rows_of(item) if r not in nodes and any(is_selected(r, s) for s in selects)] if selects else []
    return sum(inside(amount(r[column]), interval(r), period_of(item)) for r in rows)


def file_total(item, column=None):
    column = column or COST_COLUMN[item.rule().get('cost', 'effective')]
    return sum(amount(r[column]) for r in rows_of(item))


def cents(n):
    """Whole minor units of a currency with two decimals."""
    return nearest(n, 10 ** 10)


def type_of(row):
    return json.loads(row['SkuPriceDetails'] or '{}').get('InstanceType')
