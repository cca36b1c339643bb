#!/usr/bin/env python3
"""Markdown, gauges and CSV in another form tell what the JSON tells: the same names, and sums that are its totals."""
import csv
import io
import re
import subprocess

import filter_property
import harness

PIECES = {'gpu': 'gpu_cost', 'cpu': 'cpu_cost', 'memory': 'memory_cost'}
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\]|\\.)*)"')
SAMPLE = re.compile(r'([a-z_]+)(\{.*\})? (-?\d+(?:\.\d+)?)')


def number(text):
    return harness.units('%s.%s' % (text.partition('.')[0], (text.partition('.')[2] + '0' * 12)[:12]))


def total(rows, column, unbilled=True):
    return sum(number(r[column]) for r in rows if unbilled or r['bucket'] != '(unbilled)')


def printed(item, form, more=()):
    return item.output(more=['--format', form, '-q'] + list(more)).decode('utf-8')


# ---- Markdown ---------------------------------------------------------------------------------------------------------

def cells_of(line):
    """The cells of a table's line; a \\| is no border."""
    return [c.strip() for c in re.split(r'(?<!\\)(?:\\\\)*\|', line)[1:-1]]


def plain(cell):
    return re.sub(r'\\(.)', r'\1', cell).strip('*')


def tables_of(text):
    """Each table as a list of lines of cells, without its head's rule."""
    for block in text.split('\n\n'):
        lines = [line for line in block.splitlines() if line.startswith('| ')]
        if len(lines) > 2:
            yield [cells_of(lines[0])] + [cells_of(line) for line in lines[2:]]


def markdown_adds_up(item):
    report, text = harness.json_of(item.own_outputs()['json']), printed(item, 'md')
    if not report['rows']:
        raise harness.LeftOut('no rows')
    table = next(tables_of(text))
    head, lines, keys = table[0], [line for line in table[1:] if not line[0].startswith('**')], len(report['by'])
    for name, column in (('GPU', 'gpu_cost'), ('CPU', 'cpu_cost'), ('memory', 'memory_cost'), ('TOTAL', 'total_cost')):
        at = head.index(name)
        got = sum(number(plain(line[at]).replace(',', '').lstrip('~')) for line in lines)
        for want in (number(report['totals'][column]), number(plain(table[-1][at]).replace(',', ''))):
            if got != want:
                yield '%s sums to %s, not %s' % (name, got, want)
    names = sorted(plain(line[keys - 1]) for line in lines)
    want = sorted(r[report['by'][-1]] or '' for r in report['rows'] if r['bucket'] != '(unbilled)')
    if keys > 1 and names != want:
        yield 'names: %s, json has %s' % (names[:3], want[:3])
    if len({len(line) for line in table}) != 1:
        yield 'lines have different numbers of cells'


# ---- gauges -----------------------------------------------------------------------------------------------------------

def samples_of(text):
    for line in text.splitlines():
        if line.startswith('#'):
            continue
        found = SAMPLE.fullmatch(line)
        if not found:
            raise harness.Wrong('no sample: %s' % line)
        labels = {k: v.replace('\\n', '\n').replace('\\"', '"').replace('\\\\', '\\') for k, v in LABEL.findall(found[2] or '')}
        yield found[1], labels, number(found[3])


def gauges_add_up(item):
    report, text = harness.json_of(item.own_outputs()['json']), printed(item, 'openmetrics')
    samples = list(samples_of(text))
    seen = {(name, tuple(sorted(labels.items()))) for name, labels, _ in samples}
    if len(seen) != len(samples):
        yield 'a series stands twice'
    for piece, column in PIECES.items():
        got = sum(v for name, labels, v in samples if name == 'gputab_cost' and labels['piece'] == piece)
        if got != number(report['totals'][column]):
            yield '%s sums to %s, not %s' % (piece, got, report['totals'][column])
    seconds = sum(v for name, labels, v in samples if name == 'gputab_gpu_seconds' and labels.get('bucket') != '(unbilled)')
    if seconds != 3600 * number(report['totals']['gpu_hours']):
        yield 'gpu_seconds are not the hours'
    for name, key in (('gputab_billed_cost', 'billed'), ('gputab_difference_cost', 'difference')):
        if [v for n, _, v in samples if n == name] != [number(report['totals'][key])]:
            yield '%s is another amount' % name
    for r in report['rows']:
        labels = {k: r[k] for k in report['by'] + ['bucket'] if r[k]}
        if not any(name == 'gputab_cost' and labels.items() <= l.items() and v == number(r['gpu_cost']) for name, l, v in samples):
            yield 'no series of %s' % labels
    checked = subprocess.run(['promtool', 'check', 'metrics'], input=text, capture_output=True, text=True, check=False)
    if checked.returncode:
        yield 'promtool: %s' % (checked.stdout + checked.stderr).strip()[:200]


# ---- CSV --------------------------------------------------------------------------------------------------------------

def csv_of_a_locale_has_the_same_cells(item):
    own = list(csv.DictReader(io.StringIO(item.own_outputs()['csv'])))
    text = printed(item, 'csv', ['--csv-delimiter', ';', '--csv-decimal', ',', '--csv-bom'])
    if not text.startswith('\ufeff') or text.count('\ufeff') != 1:
        yield 'no byte order mark at the beginning alone'
    local = list(csv.DictReader(io.StringIO(text[1:]), delimiter=';'))
    for row in local:
        for column in row:
            if column in filter_property.NUMBERS or column.endswith('_hours') or column.startswith('grade_') or column.endswith('_cost'):
                row[column] = row[column].replace(',', '.')
    if local != own:
        yield 'other cells: %s' % next(p for p in zip(own, local) if p[0] != p[1]) if len(own) == len(local) else 'other rows'


if __name__ == '__main__':
    harness.main([markdown_adds_up, gauges_add_up, csv_of_a_locale_has_the_same_cells], '8001-8025')
