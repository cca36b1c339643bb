"""How long a workbook with a detail of 100,000 rows takes, and how much memory, beside the Python libraries that people use for it."""
import importlib.util
import os
import sys

import measure
import results

BAR_S, BAR_MIB = 5.0, 300
TABLE_ROWS, SHEET_ROWS = 100000, 1048572
HERE = os.path.dirname(os.path.abspath(__file__))
PEERS = (('xlsxwriter', 'xlsxwriter'),
         ('xlsxwriter-constant-memory', 'xlsxwriter'), ('openpyxl-write-only', 'openpyxl'), ('openpyxl', 'openpyxl'))


def to_file(args, path):
    with open(path, 'wb') as f:
        return measure.run(args, out=f)


def ours(a, rows, form):
    path = os.path.join(a.folder, 'rows-%d.%s' % (rows, form))
    cost = measure.best([to_file([os.path.join(a.programs, 'xlsx_rows'), str(rows), form], path) for _ in range(a.runs)])
    return cost, path


def line(what, rows, cost, path, bar=''):
    return [what, '%d' % rows, '%.2f' % cost.wall, '%.2f' % cost.cpu, '%.0f' % cost.peak, '%.1f' % (os.path.getsize(path) / 1e6), bar]


def verdict(cost):
    return '%.0f s, %d MiB: %s' % (BAR_S, BAR_MIB, results.bar(cost.wall < BAR_S and cost.peak < BAR_MIB))


def likewise(rows):
    """How gputab writes so many rows."""
    return 'gputab: likewise' + (', by workload' if rows > SHEET_ROWS else ', in constant memory' if rows > TABLE_ROWS else '')


def peers(a, rows, source):
    lines, missing = [], []
    for way, library in PEERS:
        if importlib.util.find_spec(library) is None:
            missing.append('xlsx: %s, which is not there' % way)
            continue
        out = os.path.join(a.folder, 'rows-%s.xlsx' % way)
        command = [sys.executable, '-B', os.path.join(HERE, 'xlsx_peers.py'), way, source, out]
        cost = measure.best([measure.run(command) for _ in range(a.runs)])
        lines.append(line(way + ', the detail alone', rows, cost, out))
    return lines, missing


def run(a):
    section = results.Section('xlsx', 'workbooks with many rows')
    table = []
    base, source = ours(a, a.xlsx_rows, 'csv')
    table.append(line('gputab: the rows made, and as CSV', a.xlsx_rows, base, source))
    cost, path = ours(a, a.xlsx_rows, 'xlsx')
    table.append(line('gputab: the rows made, and the workbook', a.xlsx_rows, cost, path, verdict(cost)))
    for rows in (a.xlsx_rows * 3 // 2, a.xlsx_rows * 11):
        cost, path = ours(a, rows, 'xlsx')
        table.append(line(likewise(rows), rows, cost, path))
    lines, missing = peers(a, a.xlsx_rows, source)
    section.say('gputab writes all sheets, in the detail the columns that say something; the libraries write a sheet with all columns')
    section.say('of the CSV.')
    section.say('Wall time, CPU time and MiB at the peak, MB of the file.')
    section.say()
    section.table(['what', 'rows', 's', 'CPU s', 'MiB', 'MB', 'bar'], table + lines)
    return section, missing
