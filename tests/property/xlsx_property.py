#!/usr/bin/env python3
"""The workbook says what the JSON says: its sums, its rows, its texts; its formulas come to the values that stand beside them; and it is
the same bytes again, in every time zone and locale."""
import collections
import io
import os
import re
import sys

import harness

sys.path.insert(0, os.path.join(harness.ROOT, 'tests', 'xlsx'))

import workbook  # noqa: E402

DETAIL = 'cost_centre team namespace workload pod gpu_model region purchase'.split()
REASONS = 'reason gpu_model cluster node'.split()
HEADS = {'cost_centre': 'Cost centre', 'team': 'Team', 'namespace': 'Namespace', 'workload': 'Workload', 'pod': 'Pod',
         'gpu_model': 'GPU model', 'region': 'Region', 'purchase': 'Purchase', 'bucket': 'Bucket', 'reason': 'Reason', 'cluster': 'Cluster',
         'node': 'Node'}
GRID_HEAD, SUMMARY_HEAD, SUMMARY_VALUES = 4, 7, 5


def xlsx(item, **how):
    return item.output(more=['--format', 'xlsx', '-q'], **how)


def book(item):
    if not hasattr(item, 'book'):
        item.book = workbook.Workbook(io.BytesIO(xlsx(item)))
    return item.book


def near(a, b, digits=6):
    return abs(float(a) - float(b)) < 0.5 * 10 ** -digits


def money_head(report, what):
    return ('%s %s' % (what, report['currency'] or '')).strip()


def the_summary_has_the_totals(item):
    want, cells = item.report(), book(item).sheets['Summary']
    total = next(r for (r, c), cell in cells.items() if c == 1 and r > SUMMARY_HEAD and cell.value == 'Total')
    heads = {cell.value: c for (r, c), cell in cells.items() if r == SUMMARY_HEAD}
    for what, got, expected in (('billed', cells[SUMMARY_VALUES, 1].value, want['totals']['billed']),
                                ('allocated', cells[SUMMARY_VALUES, 2].value, want['totals']['billed']),
                                ('difference', cells[SUMMARY_VALUES, 3].value, want['totals']['difference']),
                                ('total', cells[total, heads[money_head(want, 'Total')]].value, want['totals']['total_cost']),
                                ('GPU hours', cells[total, heads['GPU hours']].value, want['totals']['gpu_hours'])):
        if not near(got, expected):
            yield '%s: the workbook has %r, the JSON %s' % (what, got, expected)


def teams_are_those_of_the_json(item):
    want, cells = item.report(by=['cost_centre', 'team']), book(item).sheets['Summary']
    heads = {cell.value: c for (r, c), cell in cells.items() if r == SUMMARY_HEAD}
    expected = collections.Counter((r['team'], '%.6f' % float(r['total_cost']), '%.6f' % float(r['gpu_hours']))
                                   for r in want['rows'] if r['bucket'] != '(unbilled)')
    plain = [r for (r, c), cell in cells.items() if c == 1 and r > SUMMARY_HEAD and (r, heads['GPU hours']) in cells
             and cells[r, heads['GPU hours']].formula is None and not str(cell.value).endswith(', in no sum')]
    total = heads[money_head(want, 'Total')]
    got = collections.Counter((cells[r, 1].value, '%.6f' % cells[r, total].value, '%.6f' % cells[r, heads['GPU hours']].value)
                              for r in plain if cells[r, 1].value != 'Total')
    for row in (expected - got) + (got - expected):
        yield '%s %s %s: %d times in the JSON, %d in the workbook' % (row + (expected[row], got[row]))


def grid_differences(item, sheet, by, wanted):
    report = item.report(by=by)
    alone = 'cost_centre' in by and 'cost_centres' not in item.text('rule.yaml')
    for r in report['rows'] if alone else ():               # no cost centres: a team in none is no bucket
        r['bucket'] = r['bucket'] if r['bucket'] == r['team'] else None
    keys = [k for k in by if not alone or k != 'cost_centre'] + ['bucket']
    expected = collections.Counter((tuple(r[k] or None for k in keys), '%.6f' % float(r['total_cost']),
                                    None if r['bucket'] == '(unbilled)' else '%.6f' % float(r['gpu_hours']))
                                   for r in report['rows'] if wanted(r))
    total = money_head(report, 'Total')
    got = collections.Counter((tuple(r.get(HEADS[k]) for k in keys), '%.6f' % r[total],
                               None if r['GPU hours'] is None else '%.6f' % r['GPU hours'])
                              for r in book(item).table(sheet, GRID_HEAD))
    for row in (expected - got) + (got - expected):
        yield '%s: %s: %d times in the JSON, %d in the workbook' % (sheet, row, expected[row], got[row])


def detail_is_that_of_the_json(item):
    yield from grid_differences(item, 'Detail', DETAIL, lambda r: True)


def buckets_are_those_of_the_json(item):
    yield from grid_differences(item, 'Buckets', REASONS, lambda r: r['bucket'] is not None)


SUBTOTAL = re.compile(r'SUBTOTAL\(9,([A-Z]+)([0-9]+):([A-Z]+)([0-9]+)\)')


def subtotals_are_sums(item):
    for name, cells in book(item).sheets.items():
        for (r, c), cell in cells.items():
            m = SUBTOTAL.fullmatch(cell.formula or '')
            if not m:
                continue
            column = workbook.place(m.group(1) + '1')[1]
            inside = [cells.get((i, column)) for i in range(int(m.group(2)), int(m.group(4)) + 1)]
            total = sum(v.value for v in inside if v and isinstance(v.value, float) and 'SUBTOTAL' not in (v.formula or ''))
            if not near(total, cell.value, 5):
                yield '%s!%s%d: %s is %r, the cells sum to %r' % (name, workbook.name_of(c), r, cell.formula, cell.value, total)


def all_checks_hold(item):
    cells = book(item).sheets['Reconcile']
    head = book(item).find('Reconcile', 'Check')
    row = head + 1
    while (row, 5) in cells:
        if cells[row, 5].value != 1:
            yield '%s: %r, should be %r' % (cells[row, 1].value, cells[row, 2].value, cells[row, 3].value)
        row += 1
    if row - head < 6:
        yield 'only %d checks' % (row - head - 1)
    if cells[3, 2].value != 1:
        yield 'ALL OK says no'


def same_bytes_again(item):
    want = xlsx(item)
    for env in ({'TZ': 'Asia/Kathmandu', 'MALLOC_PERTURB_': '165'}, {'LC_ALL': 'C', 'TZ': 'America/St_Johns'}):
        if xlsx(item, env=env) != want:
            yield '%s: other bytes' % env


if __name__ == '__main__':
    harness.main([the_summary_has_the_totals, teams_are_those_of_the_json, detail_is_that_of_the_json, buckets_are_those_of_the_json,
                  subtotals_are_sums, all_checks_hold, same_bytes_again], '6001-6015')
