#!/usr/bin/env python3
"""A filter hides rows and changes none; the formats of a run tell the same.

With --where, the rows shown are those of the whole report whose key matches (by Python's own matching), byte for byte, and totals are those of
the rows shown, while billed stays. CSV, JSON lines and JSON have the same cells; the sums of the CSV are the totals of the JSON; and
what -o writes is what --format prints.
"""
import csv
import fnmatch
import io

import billing_property
import harness

TRIES = 3
SUMS = ('gpu_cost', 'cpu_cost', 'memory_cost', 'total_cost')
NUMBERS = SUMS + ('gpu_hours', 'vram_gib_hours', 'used_cost', 'unheld_cost', 'idle_cost', 'shared_cost',
                  'min_cost', 'max_cost', 'total_exact')


def random_glob(rng, value):
    """A glob that matches the value, more or less tightly, or one that matches little."""
    at = rng.randrange(len(value) + 1)
    return rng.choice([value, value[:at] + '*', '*' + value[at:], '?' * len(value), '*', 'x*', value[:at] + '?' + value[at + 1:]])


def random_filters(rng, rows, by):
    """[(key, glob)] over values that are there."""
    out = []
    for _ in range(rng.randrange(1, 4)):
        key = rng.choice(by)
        values = sorted({r[key] for r in rows if isinstance(r[key], str)})
        if values:
            out.append((key, random_glob(rng, rng.choice(values))))
    return out


def matches(row, filters):
    """Of several globs of one key any, of different keys all."""
    def one(key):
        return any(row[k] is not None and fnmatch.fnmatchcase(row[k], glob.replace('[', '[[]')) for k, glob in filters if k == key)
    return all(one(key) for key in {k for k, _ in filters})


def rows_shown_are_rows_of_the_whole(item):
    by = billing_property.random_keys(item)
    whole = item.report(by=by)
    for _ in range(TRIES):
        filters = random_filters(item.rng, whole['rows'], by)
        if not filters:
            continue
        shown = item.report(by=by, more=[x for k, g in filters for x in ('--where', '%s=%s' % (k, g))])
        want, name = [r for r in whole['rows'] if matches(r, filters)], 'where %s' % filters
        if shown['rows'] != want:
            other = next((p for p in zip(want, shown['rows']) if p[0] != p[1]), None)
            yield '%s by %s: %d rows, expected %d; first other: %s' % (name, by, len(shown['rows']), len(want), other)
        if shown.get('filtered') is not True:
            yield '%s: filtered is not said' % name
        for key in ('billed', 'difference'):
            if shown['totals'][key] != whole['totals'][key]:
                yield '%s: %s is %s, of the whole %s' % (name, key, shown['totals'][key], whole['totals'][key])
        yield from ('%s: %s' % (name, e) for e in sums_off(want, shown['totals']))


def sums_off(rows, totals):
    """Columns of rows (of CSV or JSON) that don't sum to the totals."""
    for c in SUMS + ('gpu_hours',):
        got = sum(billing_property.whole(r[c]) for r in rows if c != 'gpu_hours' or r['bucket'] != '(unbilled)')
        if got != billing_property.whole(totals[c]):
            yield '%s sums to %d, total %s' % (c, got, totals[c])


def cells(row):
    """A row of JSON as CSV shows it."""
    flat = {k: '' if v is None else v for k, v in row.items() if k != 'grade' or isinstance(v, str)}
    flat.update({'grade_' + g: v for g, v in (row['grade'] if isinstance(row.get('grade'), dict) else {}).items()})
    return {k: ("'" + v if v[:1] in tuple('=+-@\t\r') and k not in NUMBERS and not k.startswith('grade_') else v) for k, v in flat.items()}


def formats_agree(item):
    made = item.own_outputs()
    report = harness.json_of(made['json'])
    table = list(csv.DictReader(io.StringIO(made['csv'])))
    lines = [harness.json_of(line) for line in made['jsonl'].splitlines()]
    if [{k: r.get(k) for k in w} for w, r in zip(map(cells, report['rows']), table)] != [cells(r) for r in report['rows']]:
        yield 'csv and json have other cells'
    if len(table) != len(report['rows']) or len(lines) != len(report['rows']):
        yield 'rows: json %d, csv %d, jsonl %d' % (len(report['rows']), len(table), len(lines))
    for want, got in zip(report['rows'], lines):
        if any(got[k] != v for k, v in want.items()):
            yield 'jsonl has another row: %s' % got
    yield from ('csv: ' + e for e in sums_off(table, report['totals']))
    totals = report['totals']
    bottom = [line.split() for line in made['plain'].splitlines() if line.startswith('billed ')]
    if len(bottom) != 1 or [bottom[0][i].replace(',', '') for i in (1, 3, 5)] != [totals[k] for k in ('billed', 'total_cost', 'difference')]:
        yield 'plain ends with %s, json has %s' % (bottom, totals)


def one_run_or_several(item):
    """What a run writes into files is what runs of their own print."""
    together = item.outputs_of_one_run()
    for form, text in item.own_outputs().items():
        if together[form] != text:
            yield '%s: %s' % (form, harness.first_difference(text, together[form]))


if __name__ == '__main__':
    harness.main([rows_shown_are_rows_of_the_whole, formats_agree, one_run_or_several], '6001-6050')
