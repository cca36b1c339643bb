#!/usr/bin/env python3
"""The workbook says what the JSON says: its sums, its rows, its texts; its formulas come to the values that stand beside them; and it is
the same bytes again, in every time zone and locale."""
import collections
import io
import json
import os
import re
import subprocess
import sys

import filter_property
import harness

sys.path.insert(0, os.path.join(harness.ROOT, 'tests', 'xlsx'))

import workbook  # noqa: E402

DETAIL = 'cost_centre team namespace workload pod gpu_model region purchase'.split()
REASONS = 'reason gpu_model cluster node'.split()
HEADS = {'cost_centre': 'Cost centre', 'team': 'Team', 'namespace': 'Namespace', 'workload': 'Workload', 'pod': 'Pod',
         'gpu_model': 'GPU model', 'region': 'Region', 'purchase': 'Purchase', 'bucket': 'Bucket', 'reason': 'Reason', 'cluster': 'Cluster',
         'node': 'Node'}
GRID_HEAD, SUMMARY_HEAD, SUMMARY_VALUES, TEAMS_HEAD, RATES_HEAD = 4, 7, 5, 3, 3
RULES = 2
BUCKETS = ('(idle)', '(driver-reserved)', '(unattributed)', '(no-metrics)')         # those of teams depend on the keys
RATES = {'GPU hours': 'gpu_hours', 'GPU $': 'gpu_cost', '$ per GPU hour': 'gpu_hour', '$ per GPU month of 730 h': 'gpu_month_730',
         '$ per GPU month, own hours': 'gpu_month', '$ per GPU hour that pods held': 'held_gpu_hour',
         '$ per GiB-hour of capacity': 'capacity_gib_hour', '$ per GiB-hour resident': 'resident_gib_hour',
         'Whole node, $ per GPU hour': 'node_gpu_hour', 'Whole node, $ per GPU month of 730 h': 'node_gpu_month_730'}


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
    """To the cent, unless the report itself is by cost centre: then they add up to its rows."""
    want = item.report(by=['cost_centre', 'team'])
    expected = {r['team']: r for r in want['rows'] if r['bucket'] != '(unbilled)'}
    got = lines_of(book(item).sheets['Summary'], SUMMARY_HEAD)
    for team in sorted(set(expected) ^ set(got)):
        yield '%s is in the %s only' % (team, 'JSON' if team in expected else 'workbook')
    for team in set(expected) & set(got):
        total, hours = got[team][money_head(want, 'Total')], got[team]['GPU hours']
        slack = 0.031 if item.by == ['cost_centre'] else 1e-7
        if abs(total - float(expected[team]['total_cost'])) > slack or abs(hours - float(expected[team]['gpu_hours'])) > (slack and 2.5e-6):
            yield '%s: %r for %r hours, the JSON has %s for %s' % (team, total, hours, expected[team]['total_cost'],
                                                                   expected[team]['gpu_hours'])


def lines_of(cells, head):
    """{team: {head: value}} of the lines of a sheet of teams: no cost centre, no total, no memo."""
    heads = {c: cell.value for (r, c), cell in cells.items() if r == head and cell.value}
    hours = next(c for c, h in heads.items() if h == 'GPU hours')
    out = {}
    for (r, c), cell in cells.items():
        if c != 1 or r <= head or (r, hours) not in cells or cells[r, hours].formula is not None or cells[r, hours].value is None \
                or cell.value == 'Total' or str(cell.value).endswith(', in no sum'):
            continue
        if cell.value in out:
            raise AssertionError('%s has two lines' % cell.value)
        out[cell.value] = {h: cells[r, k].value for k, h in heads.items() if (r, k) in cells}
    return out


def grid_differences(item, sheet, by, wanted):
    """The rows of the JSON; their cells are rounded so that they add up to those of the teams: each is within a unit of what is exact."""
    report = item.report(by=by)
    alone = 'cost_centre' in by and 'cost_centres' not in item.text('rule.yaml')
    for r in report['rows'] if alone else ():               # no cost centres: a team in none is no bucket
        r['bucket'] = r['bucket'] if r['bucket'] == r['team'] else None
    keys = [k for k in by if not alone or k != 'cost_centre'] + ['bucket']
    want = {tuple(r[k] or None for k in keys): r for r in report['rows'] if wanted(r)}
    got = {tuple(r.get(HEADS[k]) for k in keys): r for r in book(item).table(sheet, GRID_HEAD)}
    for key in sorted(set(want) ^ set(got), key=str):
        yield '%s: %s is in the %s only' % (sheet, key, 'JSON' if key in want else 'workbook')
    unit = 10 ** -len(report['totals']['billed'].partition('.')[2])
    for key in set(want) & set(got):
        for what, exact in (('GPU', None), ('CPU', None), ('Memory', None), ('Total', want[key]['total_exact'])):
            is_ = got[key][money_head(report, what)]
            near_ = float(exact if exact else want[key][what.lower() + '_cost'])
            if abs(is_ - near_) > (3 if exact else 2) * unit - 1e-9:         # three cells within one unit, or two roundings of one cell
                yield '%s: %s: %s is %r in the workbook, %s in the JSON' % (sheet, key, what, is_, near_)
        hours = got[key]['GPU hours']
        if (hours is None) != (key[-1] == '(unbilled)') or (hours is not None and abs(hours - float(want[key]['gpu_hours'])) > 2.5e-6):
            yield '%s: %s: GPU hours are %r in the workbook, %s in the JSON' % (sheet, key, hours, want[key]['gpu_hours'])


def detail_is_that_of_the_json(item):
    yield from grid_differences(item, 'Detail', DETAIL, lambda r: True)


def buckets_are_those_of_the_json(item):
    yield from grid_differences(item, 'Buckets', REASONS, lambda r: r['bucket'] is not None)


def ways(item):
    """The input as it is, and shown in part, and under other rules: [(words, folder, keys, options)]."""
    yield 'as it is', None, None, []
    rows = item.report(by=DETAIL)['rows']
    filters = filter_property.random_filters(item.rng, rows, DETAIL) if rows else []
    where = [x for key, glob in filters for x in ('--where', '%s=%s' % (key, glob))]
    yield 'where %s' % filters, None, None, where
    yield 'by pod and day', None, ['pod', 'day'], where
    if not item.world:
        return
    for _ in range(RULES):
        idle, shared = item.world.idle(item.rng), item.world.shared_costs(item.rng)
        folder = item.folder_with(rule_yaml=json.dumps(dict(item.rule(), idle=idle, shared_costs=shared)))
        yield 'idle %s' % idle, folder, None, item.rng.choice([[], where])


def cents(value, report_digits):
    return round(value * 10 ** report_digits)


def sums_by(rows, key, heads, digits):
    out = collections.defaultdict(lambda: [0] * len(heads))
    for r in rows:
        for i, h in enumerate(heads):
            out[r[key]][i] += cents(r.get(h) or 0, digits if h != 'GPU hours' else 6)
    return {k: v for k, v in out.items() if any(v)}


def differing(name, want, got):
    for k in sorted(set(want) | set(got), key=str):
        if want.get(k) != got.get(k):
            yield '%s: %s: %s, expected %s' % (name, k, got.get(k), want.get(k))


def sheets_agree_to_the_cent(item):
    """Teams are those of the summary, Detail adds up to them by team and Buckets by bucket, in every piece, under any rule and filter."""
    for words, folder, by, more in ways(item):
        made = workbook.Workbook(io.BytesIO(item.output(folder=folder, by=by, more=['--format', 'xlsx', '-q'] + more)))
        heads = {c.value: p for p, c in made.sheets['Teams'].items() if p[0] == TEAMS_HEAD}
        currency = next(h for h in heads if h and h.startswith('GPU ') and h != 'GPU hours')[len('GPU '):]
        digits = 0 if currency in ('JPY', 'KRW') else 2
        sums = [h for h in ('GPU %s' % currency, 'CPU %s' % currency, 'Memory %s' % currency, 'Total %s' % currency, 'GPU hours')]
        teams, summary = lines_of(made.sheets['Teams'], TEAMS_HEAD), lines_of(made.sheets['Summary'], SUMMARY_HEAD)
        want = sums_by([dict(r, key=k) for k, r in teams.items()], 'key', sums, digits)
        if [(k, cents(r[sums[3]], digits)) for k, r in teams.items()] != [(k, cents(r[sums[3]], digits)) for k, r in summary.items()]:
            yield '%s: Teams and Summary differ' % words
        yield from differing('%s: Detail' % words, want, sums_by(made.table('Detail', GRID_HEAD), 'Team', sums, digits))
        buckets = {k: v for k, v in want.items() if k in BUCKETS}
        got = sums_by(made.table('Buckets', GRID_HEAD), 'Bucket', sums, digits)
        yield from differing('%s: Buckets' % words, buckets, {k: v for k, v in got.items() if k in BUCKETS})
        yield from ('%s: %s' % (words, e) for e in checks_that_fail(made))


def rates_are_those_of_the_command(item):
    command = [item.gputab, 'rates'] + item.period + [x for option, name in harness.FILES if os.path.exists(os.path.join(item.folder, name))
                                                      for x in (option, name)] + ['--format', 'json', '-q']
    done = subprocess.run(command, cwd=item.folder, capture_output=True, check=True, timeout=120)
    want, sheet = json.loads(done.stdout), book(item).sheets['Rates']
    rows = book(item).table('Rates', RATES_HEAD)
    if len(rows) != len(want['rates']):
        yield '%d pools, the command has %d' % (len(rows), len(want['rates']))
    for r, w in zip(rows, want['rates']):
        for head, name in (('GPU model', 'gpu_model'), ('Region', 'region'), ('Purchase', 'purchase')):
            if r[head] != w[name]:
                yield '%s: %r, the command has %r' % (head, r[head], w[name])
        for head, name in RATES.items():
            got = r[head.replace('$', want['currency'] or '').strip()]
            if (got is None) != (w[name] is None) or (got is not None and not near(got, w[name])):
                yield '%s: %r, the command has %s' % (head, got, w[name])
    if rows and not any(c.value == 'Who absorbs idle time' for c in sheet.values()):
        yield 'the answers are missing'


def the_rule_is_shown_in_full(item):
    """Lines that fit are those of `gputab rule show`."""
    done = subprocess.run([item.gputab, 'rule', 'show', 'rule.yaml'], cwd=item.folder, capture_output=True, check=True, text=True, timeout=60)
    cells = book(item).sheets['Method']
    got = [cells[place].value for place in sorted(cells) if place[1] == 1 and cells[place].value]
    lines = [line for line in done.stdout.splitlines() if line]
    if lines[0] not in got:
        yield 'it is not there'
        return
    at = got.index(lines[0])
    for line in lines:
        text = ''
        while at < len(got) and len(text) < len(line) and (not text or got[at].startswith('     ')):
            text += got[at][5:] if text else got[at]
            at += 1
        if text != line:
            yield 'line %r is %r' % (line, text)
            return


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


def checks_that_fail(made):
    cells, head = made.sheets['Reconcile'], made.find('Reconcile', 'Check')
    row = head + 1
    while (row, 5) in cells:
        if cells[row, 5].value != 1:
            yield '%s: %r, should be %r' % (cells[row, 1].value, cells[row, 2].value, cells[row, 3].value)
        row += 1
    if row - head < 6:
        yield 'only %d checks' % (row - head - 1)
    if cells[3, 2].value != 1:
        yield 'ALL OK says no'


def all_checks_hold(item):
    yield from checks_that_fail(book(item))


def same_bytes_again(item):
    want = xlsx(item)
    for env in ({'TZ': 'Asia/Kathmandu', 'MALLOC_PERTURB_': '165'}, {'LC_ALL': 'C', 'TZ': 'America/St_Johns'}):
        if xlsx(item, env=env) != want:
            yield '%s: other bytes' % env


if __name__ == '__main__':
    harness.main([the_summary_has_the_totals, teams_are_those_of_the_json, detail_is_that_of_the_json, buckets_are_those_of_the_json,
                  sheets_agree_to_the_cent, rates_are_those_of_the_command, the_rule_is_shown_in_full, subtotals_are_sums, all_checks_hold,
                  same_bytes_again], '6001-6015')
