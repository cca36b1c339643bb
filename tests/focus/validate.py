#!/usr/bin/env python3
"""Whether a CSV holds allocated charges of FOCUS 1.3, as far as columns are there: the specification's rules as a table.

    validate.py FILE...

A rule has the name of its column or attribute, what is asked, and a test of a cell or a row. Rules of columns that a file lacks do not apply:
gputab writes what it knows of a bill. Those of split cost allocation hold for all rows of an origin charge together.
"""
import csv
import json
import re
import sys
from fractions import Fraction

DATE_TIME = re.compile(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ')
NUMBER = re.compile(r'-?\d+(\.\d+)?')
CURRENCY = re.compile(r'[A-Z]{3}')
UNIT = re.compile(r'[A-Z][A-Za-z]*(-[A-Z][A-Za-z]*s)?')
NULL = ''
ORIGIN = ('ResourceId', 'ChargePeriodStart', 'ChargePeriodEnd', 'ChargeClass')
ALLOCATED = ('AllocatedMethodDetails', 'AllocatedMethodId', 'AllocatedResourceId', 'AllocatedResourceName', 'AllocatedTags')
KNOWN = set(ALLOCATED + ORIGIN + ('BilledCost', 'BillingCurrency', 'ChargeCategory', 'EffectiveCost', 'ListCost', 'RegionId'))


def unique(pairs):
    if len({k for k, _ in pairs}) != len(pairs):
        raise ValueError('a key stands twice')
    return dict(pairs)


def parsed(cell):
    """JSON with its numbers as they are written."""
    return json.loads(cell, object_pairs_hook=unique, parse_float=Number, parse_int=Number)


class Number(str):
    """A number of a JSON text."""


def flat(value):
    return isinstance(value, dict) and all(v is None or isinstance(v, (str, bool)) for v in value.values())


def is_flat_object(cell):
    return flat(parsed(cell))


def elements(row):
    return parsed(row['AllocatedMethodDetails'])['Elements']


def are_elements(cell):
    return isinstance(parsed(cell), dict) and isinstance(parsed(cell)['Elements'], list) and all(map(flat, parsed(cell)['Elements']))


def keys_are_known(row):
    return all(k in ('AllocatedRatio', 'UsageUnit', 'UsageQuantity') or k.startswith('x_') for e in elements(row) for k in e)


def ratios_are_numbers(row):
    return all(isinstance(e.get('AllocatedRatio'), Number) and NUMBER.fullmatch(e['AllocatedRatio']) for e in elements(row))


def quantities_have_units(row):
    return all('UsageQuantity' not in e or isinstance(e['UsageQuantity'], Number) and NUMBER.fullmatch(e['UsageQuantity'])
               and UNIT.fullmatch(e.get('UsageUnit', '')) for e in elements(row))


# (column or attribute, what it must be, test of a cell that is not null)
CELLS = [
    ('BilledCost', 'a number in NumericFormat', NUMBER.fullmatch), ('EffectiveCost', 'a number in NumericFormat', NUMBER.fullmatch),
    ('ListCost', 'a number in NumericFormat', NUMBER.fullmatch), ('BillingCurrency', 'a code of ISO 4217', CURRENCY.fullmatch),
    ('ChargePeriodStart', 'a time in DateTimeFormat', DATE_TIME.fullmatch), ('ChargePeriodEnd', 'a time in DateTimeFormat', DATE_TIME.fullmatch),
    ('ChargeCategory', 'one of the allowed values', {'Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'}.__contains__),
    ('ChargeClass', 'Correction', {'Correction'}.__contains__),
    ('AllocatedTags', 'a flat JSON object with keys that stand once', is_flat_object),
    ('AllocatedMethodDetails', 'a JSON object with an array Elements of flat objects', are_elements),
]
NOT_NULL = ['BilledCost', 'EffectiveCost', 'ListCost', 'BillingCurrency', 'ChargePeriodStart', 'ChargePeriodEnd', 'ChargeCategory', 'ResourceId',
            'AllocatedMethodId', 'AllocatedMethodDetails']

# (what is asked of a row, test)
ROWS = [
    ('AllocatedResourceName is null when and only when AllocatedResourceId is', lambda r: (r['AllocatedResourceId'] == NULL)
     == (r['AllocatedResourceName'] == NULL)),
    ('AllocatedTags are of an allocated resource', lambda r: r['AllocatedResourceId'] != NULL or r['AllocatedTags'] == NULL),
    ('keys of Elements are of FOCUS or begin with x_', keys_are_known),
    ('AllocatedRatio is in each of Elements, a number', ratios_are_numbers),
    ('UsageQuantity is a number and has a UsageUnit', quantities_have_units),
    ('the period is not empty', lambda r: r['ChargePeriodStart'] < r['ChargePeriodEnd']),
    ('no text is a placeholder for null', lambda r: not {'NULL', 'null', 'None', 'N/A', 'Not Applicable'} & set(r.values())),
]

# Dimensions are those of the origin charge: the same in all of its rows. (Of a charge of a scale set, too.)
DIMENSIONS = ['AllocatedMethodId', 'BillingCurrency', 'ChargeCategory', 'RegionId', 'x_InstanceType', 'x_PurchaseOption', 'x_RunId']


def origin_of(row):
    return tuple(row[c] for c in ORIGIN)


def passes(test, value):
    try:
        return bool(test(value))
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def cell_faults(row):
    for column in NOT_NULL:
        if row.get(column) == NULL:
            yield '%s is null' % column
    for column, wanted, test in CELLS:
        if row.get(column, NULL) != NULL and not passes(test, row[column]):
            yield '%s is not %s: %s' % (column, wanted, row[column])
    for wanted, test in ROWS:
        if not passes(test, row):
            yield 'not so: %s' % wanted


def origin_faults(rows):
    origins = {}
    for row in rows:
        origins.setdefault(origin_of(row), []).append(row)
    for key, parts in origins.items():
        ratios = sum(Fraction(e['AllocatedRatio']) for row in parts for e in elements(row))
        if ratios != 1:
            yield '%s: AllocatedRatio sums to %s' % (key, float(ratios))
        for column in DIMENSIONS:
            if len({row.get(column) for row in parts}) > 1:
                yield '%s: %s differs' % (key, column)


def faults(text):
    """What is wrong with a file, at most a few of each kind."""
    rows = list(csv.DictReader(text.splitlines(keepends=True)))
    head = text.splitlines()[0].split(',')
    for column in ALLOCATED:
        if column not in head:
            yield 'no column %s' % column
    for column in head:
        if column not in KNOWN and not column.startswith('x_'):
            yield 'no column of FOCUS 1.3, and without x_: %s' % column
    found = ['line %d: %s' % (i, fault) for i, row in enumerate(rows, 2) for fault in cell_faults(row)]
    yield from found[:10]
    if not found:
        yield from origin_faults(rows)


def main(paths):
    bad = 0
    for path in paths:
        with open(path, encoding='utf-8', newline='') as f:
            for fault in faults(f.read()):
                print('%s: %s' % (path, fault))
                bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
