#!/usr/bin/env python3
"""A file for each value of a key holds the rows of that value in the whole report and nothing of the others, and the index sums to the bill."""
import csv
import io
import os
import tempfile
from fractions import Fraction

import harness


def written(item, key, by):
    out = tempfile.mkdtemp(dir=item.folder)
    item.output(by=by, more=['--split-by', key, '-q', '-o', os.path.join(out, 'x-{%s}.json' % key), '-o', os.path.join(out, 'x-{%s}.csv' % key)])
    index = list(csv.DictReader(io.StringIO(harness.read(os.path.join(out, 'x-index.csv')))))
    files = {line[key]: [harness.read(os.path.join(out, f)) for f in line['files'].split()] for line in index if line['files']}
    return index, files, sorted(os.listdir(out))


def strings(value):
    if isinstance(value, dict):
        for k, v in value.items():
            yield k
            yield from strings(v)
    elif isinstance(value, list):
        for v in value:
            yield from strings(v)
    elif isinstance(value, str):
        yield value


def check(item, key, by):
    whole = item.report(by=[key] + by)
    index, files, names = written(item, key, by)
    if sum(Fraction(line['total_cost']) for line in index) != Fraction(whole['totals']['billed']):
        yield 'the index does not sum to the bill'
    if len(names) != 1 + sum(len(f) for f in files.values()):
        yield 'files that the index does not name: %s' % names
    values = {r[key] for r in whole['rows'] if r[key] is not None and r[key] != r['bucket']}
    if {v.lstrip("'") for v in files} != {v.lstrip("'") for v in values}:
        yield 'files of %s, rows of %s' % (sorted(files), sorted(values))
    for value, (as_json, as_csv) in files.items():
        mine = [dict(r) for r in whole['rows'] if r[key] == value and r['bucket'] != value]
        for r in mine:
            del r[key]
        report = harness.json_of(as_json)
        if report['rows'] != mine:
            yield '%s: other rows than in the whole report' % value
        if Fraction(report['totals']['billed']) != sum(Fraction(r['total_cost']) for r in mine):
            yield '%s: billed is not the sum of its rows' % value
        if len(as_csv.splitlines()) != 1 + len(mine):
            yield '%s: other rows in CSV' % value
        own = set(strings(mine))
        for other in values - {value} - own:
            if other in set(strings(report)):
                yield '%s: its file names %s' % (value, other)


def a_file_for_each_team(item):
    yield from check(item, 'team', ['namespace', 'pod', 'gpu_model'])


def a_file_for_each_node(item):
    yield from check(item, 'node', ['team', 'day'])


if __name__ == '__main__':
    harness.main([a_file_for_each_team, a_file_for_each_node], '6001-6020')
