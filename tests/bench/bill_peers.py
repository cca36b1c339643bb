"""Other readers of CSV, asked the same as bill_read: their command lines, and what they answer.

All sums are compared with what the made bill holds; of those that only select columns, the number of rows is. Those that are not there are
named and left out.
"""
import json
import os
import shutil
import subprocess
from decimal import Decimal

import measure

HERE = os.path.dirname(os.path.abspath(__file__))
NODE = 'i-09f'
COLUMNS = {
    'cur': ['line_item_line_item_type', 'line_item_usage_start_date', 'line_item_resource_id', 'line_item_usage_amount',
            'line_item_currency_code', 'line_item_unblended_cost'],
    'focus': ['ChargeCategory', 'ChargePeriodStart', 'ResourceId', 'ConsumedQuantity', 'BillingCurrency', 'BilledCost'],
}
SUMS = ('cost', 'node_cost', 'node_quantity')
COUNTS = ('rows', 'node_rows')


class Peer:
    """command(kind, file, options): arguments. `share`: one of how much of the large file it gets, as it would take hours for the whole.
    answer(text): a dictionary of counts and sums. exact: sums are decimals, not doubles."""

    def __init__(self, name, needs, command, share=1, answer=json.loads, exact=True, threads=False, note=''):
        self.name, self.needs, self.command, self.share = name, needs, command, share
        self.answer, self.exact, self.threads, self.note = answer, exact, threads, note

    def missing(self, a):
        return next((n for n in self.needs if not (os.path.exists(n % vars(a)) if '/' in n else shutil.which(n))), None)


def duckdb(kind, path, a, threads):
    return ['node', os.path.join(HERE, 'bill_duckdb.mjs'), os.path.join(a.folder, 'npm'), str(threads), path] + COLUMNS[kind]


def mawk(kind, path, a, threads):
    return ['mawk', '-v', 'names=' + ','.join(COLUMNS[kind]), '-f', os.path.join(HERE, 'bill.awk'), path]


MILLER = '''begin { @rows = 0; @cost = 0.0; @node_rows = 0; @node_cost = 0.0; @node_quantity = 0.0 }
@rows += 1; @cost += $%(cost)s;
if ($%(resource)s =~ "^i-09f" && $%(kind)s == "Usage" && $%(start)s =~ "^2026-10" && $%(currency)s == "USD") {
  @node_rows += 1; @node_cost += $%(cost)s; @node_quantity += $%(quantity)s
}
end { emit {"rows": @rows, "cost": @cost, "node_rows": @node_rows, "node_cost": @node_cost, "node_quantity": @node_quantity} }'''


def miller(kind, path, a, threads):
    names = dict(zip(('kind', 'start', 'resource', 'quantity', 'currency', 'cost'), COLUMNS[kind]))
    return ['mlr', '--icsv', '--ojson', '--from', path, 'put', '-q', MILLER % names]


def miller_answer(text):
    return json.loads(text)[0]


def csvkit(kind, path, a, threads):
    kinds = COLUMNS[kind]
    return ['sh', '-c', 'csvgrep -c "$1" -r "^%s" "$3" | csvcut -c "$2"' % NODE, 'sh', kinds[2], kinds[5] + ',' + kinds[3], path]


def csvkit_answer(text):
    rows = [line.split(',') for line in text.splitlines()[1:]]
    return {'node_rows': len(rows), 'node_cost': sum(Decimal(r[0]) for r in rows), 'node_quantity': sum(Decimal(r[1]) for r in rows)}


def selected_rows(text):
    return {'rows': len(text.splitlines()) - 1}


def select(program, separator=(), comma=True):
    def command(kind, path, a, threads):
        if comma:
            return [program, 'select', ','.join(COLUMNS[kind]), path]
        return [program, 'select', path] + list(separator) + COLUMNS[kind]
    return command


PEERS = [
    Peer('DuckDB', ['node', '%(folder)s/npm/node_modules/@duckdb/node-api'], duckdb, threads=True),
    Peer('libcsv', [], lambda kind, path, a, threads: [os.path.join(a.programs, 'bill_libcsv'), kind, path]),
    Peer('mawk', ['mawk'], mawk, share=10, exact=False),
    Peer('miller', ['mlr'], miller, share=40, answer=miller_answer, exact=False),
    Peer('csvkit', ['csvgrep', 'csvcut'], csvkit, share=100, answer=csvkit_answer, note='the filter alone'),
    Peer('zsv', ['zsv'], select('zsv', ['--'], comma=False), answer=selected_rows, note='columns alone'),
    Peer('xan', ['xan'], select('xan'), answer=selected_rows, note='columns alone'),
    Peer('qsv', ['qsv'], select('qsv'), answer=selected_rows, note='columns alone'),
]


def install_duckdb(a):
    """Into the folder of the bench. What went wrong, or nothing."""
    folder = os.path.join(a.folder, 'npm')
    if os.path.exists(os.path.join(folder, 'node_modules', '@duckdb', 'node-api')):
        return ''
    if not shutil.which('npm'):
        return 'there is no npm'
    os.makedirs(folder, exist_ok=True)
    p = subprocess.run(['npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, '@duckdb/node-api'], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    return '' if p.returncode == 0 else p.stdout.decode('utf-8', 'replace').strip()[-200:]


def check(name, got, want, exact):
    """What a reader answers, against what the bill holds. Doubles may differ in the tenth digit."""
    for key in COUNTS:
        if key in got and int(got[key]) != int(want[key]):
            raise RuntimeError('%s: %s is %s, not %s' % (name, key, got[key], want[key]))
    for key in SUMS:
        if key not in got:
            continue
        a, b = Decimal(str(got[key])), Decimal(want[key])
        if abs(a - b) > (0 if exact else b * Decimal('1e-9')):
            raise RuntimeError('%s: %s is %s, not %s' % (name, key, a, b))
    if not got:
        raise RuntimeError('%s: no answer' % name)


def version(args):
    try:
        return measure.first_line(args)
    except (OSError, IndexError):
        return args[0]
