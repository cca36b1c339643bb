#!/usr/bin/env python3
"""The order of what is read does not show.

Rows and columns of the bill, families and series of the metrics, and samples (but for equal stamps of one series, of which the first counts)
may come in any order: the same bytes leave, but for what names the files themselves (bill.files, metrics).
"""
import csv
import io
import re

import harness

FILE_MEMBERS = (re.compile(r'\n    "files": \[.*?\n    \],', re.S), re.compile(r'\n  "metrics": \[.*?\n  \],', re.S))
OUT_OF_ORDER = 'W112'


def without_files(text):
    for member in FILE_MEMBERS:
        text, n = member.subn('', text)
        if n != 1:
            raise ValueError('the report has no %s' % member.pattern)
    return text


def without_warning(text, code):
    """The report without one warning; the last of a list takes the comma before it along."""
    line = r'\n    \{"code":"%s"[^\n]*\}' % code
    text = re.sub(line + ',', '', text)
    text = re.sub('(,|(?<=\\[))' + line + r'(?=\n)', '', text)
    return re.sub(r'"warnings": \[\s*\]', '"warnings": []', text)


def compare(item, folder, lenient=False):
    """Every format of two inputs, byte for byte."""
    want, got = item.own_outputs(), item.outputs(folder=folder)
    for form in want:
        a, b = want[form], got[form]
        if form == 'json':
            a, b = without_files(a), without_files(b)
            if lenient:
                a, b = without_warning(a, OUT_OF_ORDER), without_warning(b, OUT_OF_ORDER)
        if form == 'plain' and lenient:
            continue
        if a != b:
            yield '%s %s' % (form, harness.first_difference(a, b))


# ---- the bill -------------------------------------------------------------------------------------------------------

def bill_text(rng, head, rows):
    out = io.StringIO()
    csv.writer(out, lineterminator=rng.choice(['\n', '\r\n']), quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])).writerows([head] + rows)
    return out.getvalue()


def bill_table(item):
    head, *rows = csv.reader(io.StringIO(item.text('billing.csv')))
    return head, [r for r in rows if r]


def order_of_bill_rows(item):
    head, rows = bill_table(item)
    item.rng.shuffle(rows)
    yield from compare(item, item.folder_with(billing_csv=bill_text(item.rng, head, rows)))


def order_of_bill_columns(item):
    head, rows = bill_table(item)
    if any(len(r) != len(head) for r in rows):
        raise harness.LeftOut('a row is shorter than the head')
    order = item.rng.sample(range(len(head)), len(head))
    rows = [[r[i] for i in order] for r in rows]
    yield from compare(item, item.folder_with(billing_csv=bill_text(item.rng, [head[i] for i in order], rows)))


# ---- the metrics ----------------------------------------------------------------------------------------------------

def series_of(line):
    return line[:line.rindex('}') + 1] if '}' in line else line.split()[0]


def stamp_of(line):
    return line[len(series_of(line)):].split()[1]


def families(text):
    """[(lines of the head, {series: its sample lines})] in the order of the file."""
    out = []
    for line in text.splitlines():
        if line.startswith('# EOF'):
            break
        if line.startswith('#'):
            if not out or out[-1][1]:
                out.append(([], {}))
            out[-1][0].append(line)
        elif line:
            out[-1][1].setdefault(series_of(line), []).append(line)
    return out


def metrics_text(parts):
    lines = [line for head, samples in parts for line in head + samples]
    return '\n'.join(lines + ['# EOF', ''])


def shuffled_samples(rng, series):
    """All lines of a family in random order; those of one series and stamp in theirs."""
    lines = [line for samples in series.values() for line in samples]
    queues = {}
    for line in lines:
        queues.setdefault((series_of(line), stamp_of(line)), []).append(line)
    order = [(series_of(line), stamp_of(line)) for line in lines]
    rng.shuffle(order)
    return [queues[key].pop(0) for key in order]


def order_of_series(item):
    parts = families(item.text('metrics.om'))
    item.rng.shuffle(parts)
    out = []
    for head, series in parts:
        names = item.rng.sample(sorted(series), len(series))
        out.append((head, [line for name in names for line in series[name]]))
    yield from compare(item, item.folder_with(metrics_om=metrics_text(out)))


def order_of_samples(item):
    parts = [(head, shuffled_samples(item.rng, series)) for head, series in families(item.text('metrics.om'))]
    yield from compare(item, item.folder_with(metrics_om=metrics_text(parts)), lenient=True)


if __name__ == '__main__':
    harness.main([order_of_bill_rows, order_of_bill_columns, order_of_series, order_of_samples], '1001-1050')
