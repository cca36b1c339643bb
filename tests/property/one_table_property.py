#!/usr/bin/env python3
"""One table in every format: under idle policies and shared costs, filtered, cut and in any order, CSV, JSON lines, Markdown, the plain table,
HTML and gauges have as many rows as the JSON of the same run, and sums of pieces, total and hours that are its totals."""
import csv
import io
import os
import re
import tempfile
from decimal import Decimal

import billing_property
import filter_property
import harness
import html_page
import idle_property
import text_property

SUMS = ('gpu_cost', 'cpu_cost', 'memory_cost', 'total_cost')
HEADS = {'GPU': 'gpu_cost', 'CPU': 'cpu_cost', 'memory': 'memory_cost', 'TOTAL': 'total_cost'}
FORMATS = ('json', 'csv', 'jsonl', 'md', 'txt', 'html', 'prom')
UNBILLED = '(unbilled)'


def random_shape(rng, rows, by):
    """Options that show a selection, or another order."""
    kind = rng.choice(['all', 'where', 'only', 'top', 'sort'])
    if kind == 'where' and rows:
        return [x for k, g in filter_property.random_filters(rng, rows, by) for x in ('--where', '%s=%s' % (k, g))]
    if kind == 'only':
        return ['--only', rng.choice(['(idle)', '(no-metrics)', '(system)'])]
    column = rng.choice(SUMS + ('gpu_hours',)) + rng.choice([':asc', ':desc'])
    return {'all': [], 'top': ['--sort', column, '--top', str(rng.randrange(1, 6))], 'sort': ['--sort', column]}[kind]


def amount(text):
    return Decimal(re.sub(r'[,~*\\\\ ]', '', text))


# ---- what each format has: number of rows, {column: sum} ----------------------------------------------------------------

def of_rows(rows):
    sums = {c: sum((Decimal(r[c]) for r in rows), Decimal(0)) for c in SUMS}
    return len(rows), dict(sums, gpu_hours=sum((Decimal(r['gpu_hours']) for r in rows if r['bucket'] != UNBILLED), Decimal(0)))


def of_csv(text):
    return of_rows(list(csv.DictReader(io.StringIO(text))))


def of_jsonl(text):
    return of_rows([harness.json_of(line) for line in text.splitlines()])


def of_md(text):
    tables = [t for t in text_property.tables_of(text) if 'TOTAL' in t[0]]       # the second one: (unbilled), in no sum
    rows, sums = 0, {c: Decimal(0) for c in SUMS}
    for table in tables:
        lines = [line for line in table[1:] if not line[0].startswith('**')]
        rows += len(lines)
        for head, column in HEADS.items():
            sums[column] += sum(amount(line[table[0].index(head)]) for line in lines)
    return rows, sums


def of_html(text):
    section = html_page.Page(text).by_id('rows')
    lines = [r for t in section.all('table') for r in html_page.lines_of(t)]
    return len(lines), {c: html_page.sum_of(lines, c) for c in SUMS}


def of_prom(text):
    samples = list(text_property.samples_of(text))
    sums = {'%s_cost' % p: Decimal(sum(v for n, l, v in samples if n == 'gputab_cost' and l['piece'] == p)) / harness.UNIT
            for p in ('gpu', 'cpu', 'memory')}
    hours = Decimal(sum(v for n, l, v in samples if n == 'gputab_gpu_seconds' and l.get('bucket') != UNBILLED)) / harness.UNIT / 3600
    return sum(n == 'gputab_cost' and l['piece'] == 'gpu' for n, l, _ in samples), dict(sums, gpu_hours=hours)


def of_txt(text):
    """The last line of the table: its columns are found by its head, whose words stand above the ends of the figures."""
    head = next((line for line in text.splitlines() if ' TOTAL ' in line + ' ' and ' GPU ' in line), None)
    total = next((line for line in text.splitlines() if re.match(r'TOTAL +\S', line)), None)
    if not head or not total:
        return None, {}
    figures = {m.end(): m.group() for m in re.finditer(r'~?-?[\d,.]+', total)}
    ends = {m.group(): m.end() for m in re.finditer(r'(?<!per )\b(GPU|CPU|memory|TOTAL)\b(?!-)', head)}
    return None, {HEADS[h]: amount(figures[end]) for h, end in ends.items() if end in figures}


READERS = {'csv': of_csv, 'jsonl': of_jsonl, 'md': of_md, 'html': of_html, 'prom': of_prom, 'txt': of_txt}


def every_format_has_the_same_table(item):
    if not item.world:
        raise harness.LeftOut('no rule to change')
    folder = idle_property.with_idle(item, item.world.idle(item.rng), idle_property.random_shared(item))
    by = billing_property.random_keys(item)
    shape = random_shape(item.rng, item.report(folder=folder, by=by)['rows'], by)
    out = tempfile.mkdtemp(dir=item.folder)
    paths = {f: os.path.join(out, 'r.' + f) for f in FORMATS}
    item.output(folder=folder, by=by, more=shape + ['--wide', '-q'] + [x for p in paths.values() for x in ('-o', p)])
    report = harness.json_of(harness.read(paths['json']))
    if not report['rows']:
        raise harness.LeftOut('no rows')
    for form, reader in READERS.items():
        rows, sums = reader(harness.read(paths[form]))
        if rows is not None and rows != len(report['rows']):
            yield '%s, by %s %s: %d rows, JSON has %d' % (form, by, shape, rows, len(report['rows']))
        if form == 'txt' and len(sums) != len(HEADS):
            yield 'plain, by %s %s: the last line has only %s' % (by, shape, sorted(sums))
        for column, got in sums.items():
            if got != Decimal(report['totals'][column]):
                yield '%s, by %s %s: %s sums to %s, total %s' % (form, by, shape, column, got, report['totals'][column])


if __name__ == '__main__':
    harness.main([every_format_has_the_same_table], '8101-8140', known=False)
