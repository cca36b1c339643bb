#!/usr/bin/env python3
"""Bills in Parquet, thinned by examples/sql/duckdb-*.sql and read from standard input, give the reports of the plain CSV files.

    check_duckdb.py GPUTAB SCRATCH      the last line is "N passed, N failed"; exit 1 when there was a failure

Needs node and npm; npm fetches DuckDB into SCRATCH once. Every bill is made into Parquet in each form in which exports come: with
numbers and times as such, with nothing but text, and, for CUR, with the product's columns in one map. For each kind of cost the plain
report is the measure: figures, rows, groups, bridge and whether the bill is final must be the same. Names and hashes of inputs, counts
of rows and warnings are not compared: they are those of other files. The queries for other engines run in DuckDB, too (engines.py).

edges-*.csv have a row for each thing that decides. Rows left of edges-cur.csv: two hours of the node, the software on it, its discount,
and the capacity block; sums {two of S3, and the instance that is its own parent}, {S3 an hour later}, {S3 without net amount}, {two
discounts}, {two unused}, {fee of a reservation}, {fee}, {refund of a plan}, {refund}, {two that repeat a node}, {not invoiced},
{bundled}, {monthly}, {unknown type}: 5 + 14. Of edges-focus.csv: two of the node, its traffic, Azure's machine; {two of S3},
{correction}, {zero}, {adjustment up}, {down}, {purchase}, {its correction}, {two unused}, {unused box, billed}, {tax}, {credit}, {not
invoiced}, {tax without amount}: 4 + 13.
"""
import csv
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PACKAGE = '@duckdb/node-api@1.5.6-r.1'
COSTS = ('effective', 'billed', 'list', 'net_effective')
COMPARED = ('period', 'currency', 'split', 'by', 'rows', 'totals', 'bridge', 'coverage')
CASE_09 = 'tests/cases/09-aws-cur-all-row-types'

sys.path[:0] = [HERE, os.path.join(ROOT, 'tests', 'check')]

import engines
import sql


class Failed(Exception):
    pass


def run(command, stdin=b'', **how):
    p = subprocess.run(command, input=stdin, capture_output=True, timeout=600, **how)
    return p.returncode, p.stdout, p.stderr.decode('utf-8', 'replace').strip()


# ---- DuckDB ----

def fetch(scratch):
    """The package, unless it is there."""
    for program in ('node', 'npm'):
        if not shutil.which(program):
            raise Failed('%s is not installed: DuckDB comes as the npm package %s' % (program, PACKAGE))
    os.makedirs(scratch, exist_ok=True)
    if os.path.exists(os.path.join(scratch, 'node_modules', '@duckdb', 'node-api', 'package.json')):
        return
    code, out, err = run(['npm', 'install', '--no-fund', '--no-audit', '--no-save', '--prefix', scratch, PACKAGE], cwd=scratch)
    if code != 0:
        said = [line for line in err.splitlines() if line.startswith('npm error') and 'complete log' not in line]
        raise Failed('npm does not get %s (exit %d)%s' % (PACKAGE, code, ''.join('\n  ' + line for line in said[:4])))


def query(scratch, text):
    code, out, err = run(['node', os.path.join(HERE, 'query.js')], text.encode('utf-8'),
                         env=dict(os.environ, NODE_PATH=os.path.join(scratch, 'node_modules')))
    if code != 0:
        raise Failed('DuckDB: ' + err)
    return out


def quoted(text):
    return "'%s'" % text.replace("'", "''")


# ---- bills ----

def words(name):
    """lineItem/UsageStartDate as line_item_usage_start_date."""
    return re.sub(r'(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|/', '_', name).lower()


def header(path):
    opened = gzip.open(path, 'rt', encoding='utf-8', newline='') if path.endswith('.gz') else open(path, encoding='utf-8', newline='')
    with opened as f:
        return next(csv.reader(f))


def table(path, names, text):
    """The CSV file as DuckDB reads it. Ids stay text, since numbers would lose their zeros."""
    ids = ', '.join("%s: 'VARCHAR'" % quoted(n) for n in names if re.search(r'(?i)(account|invoice)_?id$', n))
    nulls = "''" if text else "'', 'NULL'"
    how = 'all_varchar = true' if text else 'types = {%s}' % ids if ids else 'all_varchar = false'
    return ('read_csv(%s, header = false, skip = 1, names = [%s], nullstr = [%s], sample_size = -1, %s)'
            % (quoted(path), ', '.join(map(quoted, names)), nulls, how))


def as_map(names):
    """CUR 2.0: of the product's columns, two are columns and the others members of a map."""
    own = ('product_instance_type', 'product_region_code')
    members = [n for n in names if n.startswith('product_') and n not in own]
    pairs = ', '.join("{'k': %s, 'v': %s::VARCHAR}" % (quoted(n[len('product_'):]), '"%s"' % n) for n in members)
    entries = 'list_transform(list_filter([%s], lambda p: p.v IS NOT NULL), lambda p: (p.k, p.v))' % pairs
    return '* EXCLUDE (%s), map_from_entries(%s) AS product' % (', '.join(members), entries)


FORMS = {
    'typed': lambda path, names: 'SELECT * FROM ' + table(path, names, False),
    'text': lambda path, names: 'SELECT * FROM ' + table(path, names, True),
    'map': lambda path, names: 'SELECT %s FROM %s' % (as_map(names), table(path, names, False)),
}


class Bill:
    """A bill as CSV, what it is reported with, and how many rows a query leaves of it (None: fewer than there are)."""

    def __init__(self, name, dialect, bill, metrics, args, rows=None):
        self.name, self.dialect, self.bill, self.args, self.rows = name, dialect, bill, args, rows
        self.metrics, self.rule = metrics, os.path.join(os.path.dirname(metrics), 'rule.yaml')

    def parquet(self, scratch, folder, form):
        names = [words(n) for n in header(self.bill)] if self.dialect == 'cur' else header(self.bill)
        path = os.path.join(folder, '%s-%s.parquet' % (self.name, form))
        query(scratch, 'COPY (%s) TO %s (FORMAT parquet)' % (FORMS[form](self.bill, names), quoted(path)))
        return path

    def report(self, gputab, rule, bill, stdin=b''):
        return run([gputab, 'report', *self.args, '--metrics', self.metrics, '--rule', rule, '--billing', bill, '--format', 'json',
                    '--bridge', '-q'], stdin)


def rule_with(path, cost, folder):
    """The rule, asking for this cost."""
    with open(path, encoding='utf-8') as f:
        lines = [line for line in f if not line.startswith('cost:')]
    out = os.path.join(folder, 'rule-%s.yaml' % cost)
    with open(out, 'w', encoding='utf-8') as f:
        f.writelines(lines + ['cost: %s\n' % cost])
    return out


# ---- tests ----

def figures(report):
    out = {k: report[k] for k in COMPARED}
    out['groups'], out['final'] = report['bill']['groups'], report['bill']['final']
    return out


def refusal(message):
    """What an error says behind the file, the place and the column's name, which the header spells."""
    return re.sub(r'^gputab: .*?:\d+(:\d+)?: (column "[^"]*": )?', '', message.splitlines()[0] if message else '')


def compare(plain, thin):
    """What differs, None when nothing does. A bill that is refused must be refused."""
    if plain[0] != 0 or thin[0] != 0:
        same = plain[0] == thin[0] and refusal(plain[2]) == refusal(thin[2])
        return None if same else 'plain exit %d (%s), thinned exit %d (%s)' % (plain[0], plain[2], thin[0], thin[2])
    a, b = figures(json.loads(plain[1])), figures(json.loads(thin[1]))
    for k in a:
        if a[k] != b[k]:
            return '%s: plain %s, thinned %s' % (k, json.dumps(a[k]), json.dumps(b[k]))
    return None


def columns_fault(text, dialect):
    known = sql.dialect_columns(ROOT, dialect)
    strange = [n for n in next(csv.reader(io.StringIO(text.decode('utf-8')))) if n not in known]
    return 'columns that the dialect does not read: %s' % ', '.join(strange) if strange else None


def check(bill, text, gputab, folder):
    """Yields (name of the test, None or what is wrong) for the CSV of a query."""
    rows, before = text.count(b'\n') - 1, sum(1 for _ in open_rows(bill.bill))
    yield 'columns', columns_fault(text, bill.dialect)
    wanted = rows < before if bill.rows is None else rows == bill.rows
    yield 'rows', None if wanted else '%d of %d rows are left' % (rows, before)
    accepted = 0
    for cost in COSTS:
        rule = rule_with(bill.rule, cost, folder)
        plain = bill.report(gputab, rule, bill.bill)
        yield cost, compare(plain, bill.report(gputab, rule, '-', text))
        accepted += plain[0] == 0
    yield 'any report', None if accepted else 'the plain bill is refused for every kind of cost'


def open_rows(path):
    opened = gzip.open(path, 'rt', encoding='utf-8', newline='') if path.endswith('.gz') else open(path, encoding='utf-8', newline='')
    with opened as f:
        rows = csv.reader(f)
        next(rows)
        yield from rows


def bills(folder):
    month = os.path.join(folder, 'month')
    code, _, err = run([sys.executable, '-B', os.path.join(ROOT, 'examples', 'month', 'make_month.py'), month])
    if code != 0:
        raise Failed('examples/month: ' + err)
    shutil.copy(os.path.join(ROOT, 'examples', 'month', 'rule.yaml'), month)
    case, demo = os.path.join(ROOT, CASE_09), os.path.join(ROOT, 'examples', 'demo')
    hours = ['--from', '2026-10-05T10:00:00Z', '--to', '2026-10-05T12:00:00Z', '--by', 'team']
    metrics = os.path.join(case, 'metrics.om')
    return [
        # fifteen rows, each the only one of its group or on a GPU node
        Bill('case-09', 'cur', os.path.join(case, 'billing.csv'), metrics, hours, 15),
        Bill('edges-cur', 'cur', os.path.join(HERE, 'edges-cur.csv'), metrics, hours, 19),
        Bill('edges-focus', 'focus', os.path.join(HERE, 'edges-focus.csv'), metrics, hours, 17),
        Bill('month', 'cur', os.path.join(month, 'billing.csv.gz'), os.path.join(month, 'metrics.om.gz'),
             ['--month', '2026-10', '--by', 'team,day']),
        Bill('demo', 'focus', os.path.join(demo, 'billing.csv'), os.path.join(demo, 'metrics.om'),
             ['--month', '2024-09', '--by', 'team,day']),
    ]


def forms_of(bill):
    return [f for f in FORMS if (f != 'map' or bill.dialect == 'cur') and (f == 'typed' or bill.name != 'month')]


def own_texts(bill, scratch, folder):
    """(form, CSV of DuckDB's own query)."""
    with open(os.path.join(ROOT, 'examples', 'sql', 'duckdb-%s.sql' % bill.dialect), encoding='utf-8') as f:
        text = f.read()
    for form in forms_of(bill):
        yield form, query(scratch, text.replace("'bill/*.parquet'", quoted(bill.parquet(scratch, folder, form))))


def other_texts(bill, scratch, folder):
    """(engine, CSV of its query)."""
    for engine, (_, dialect, form, _, _) in engines.ENGINES.items():
        if dialect == bill.dialect:
            there = header(bill.bill) + (['product'] if form == 'map' else [])
            lacking = [n for n in sql.dialect_columns(ROOT, dialect) if n not in there]
            yield engine, query(scratch, engines.text_of(engine, ROOT, lacking, bill.parquet(scratch, folder, form)))


def tests(gputab, scratch, folder):
    """Yields (name, fault) of all."""
    for bill in bills(folder):
        sources = list(own_texts(bill, scratch, folder))
        if bill.name.startswith('edges'):
            sources += other_texts(bill, scratch, folder)
        for source, text in sources:
            for name, fault in check(bill, text, gputab, folder):
                yield '%s %s %s' % (bill.name, source, name), fault


def main(argv):
    if len(argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    gputab, scratch = os.path.abspath(argv[1]), os.path.abspath(argv[2])
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            fetch(scratch)
            for name, fault in tests(gputab, scratch, folder):
                passed, failed = passed + (fault is None), failed + (fault is not None)
                if fault:
                    print('failed: %s: %s' % (name, fault))
        except Failed as e:
            print(e)
            failed += 1
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
