#!/usr/bin/env python3
"""A file for each value of a key holds the rows of that value in the whole report and nothing of the others, and the index sums to the bill."""
import csv
import html
import io
import json
import os
import re
import tempfile
import zipfile
from fractions import Fraction

import harness
import html_page

EXTENSIONS = ['json', 'jsonl', 'csv', 'md', 'txt', 'prom', 'html', 'xlsx']
NAMES = ['namespace', 'workload', 'pod', 'cluster', 'node']
BUDGET = 7654321                        # of the first team, 1000 more for each: figures that nothing else has
PROSE = {'moved'}                       # a team of some worlds, and a word of help texts


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


def same_but_for_cents(report, mine):
    """The same rows; each is rounded under what its file comes to, those of the whole report all together."""
    unit = Fraction(10) ** -len(report['totals']['billed'].partition('.')[2])
    loose = ('_cost', '_hours')
    if len(report['rows']) != len(mine):
        return False
    return all(a.keys() == b.keys() and all(
        abs(Fraction(a[k]) - Fraction(b[k])) <= 6 * (unit if k.endswith('_cost') else Fraction(1, 10 ** 6))
        if k.endswith(loose) and a[k] is not None and b[k] is not None else k == 'grade' or a[k] == b[k] for k in a)
        for a, b in zip(report['rows'], mine))


def check(item, key, by):
    whole, alone = item.report(by=[key] + by), item.report(by=[key])
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
        if not same_but_for_cents(report, mine):
            yield '%s: other rows than in the whole report' % value
        if Fraction(report['totals']['billed']) != sum(Fraction(r['total_cost']) for r in report['rows']):
            yield '%s: billed is not the sum of its rows' % value
        for column in ('gpu_cost', 'cpu_cost', 'memory_cost', 'total_cost', 'gpu_hours'):
            want = sum(Fraction(r[column]) for r in alone['rows'] if r[key] == value and r['bucket'] not in (value, '(unbilled)'))
            if Fraction(report['totals'][column]) != want:
                yield '%s: %s is not that of a report by %s' % (value, column, key)
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


KEYS = ['team', 'cost_centre', 'namespace', 'workload', 'pod', 'node', 'gpu_model', 'day', 'grade', 'reason']


def any_key_and_any_rows(item):
    """Pages and workbooks have tables of other keys than those asked for: these are cut at the same values and add up to the same."""
    key, by = item.rng.choice(KEYS), item.rng.sample(KEYS, item.rng.randrange(1, 4))
    out = tempfile.mkdtemp(dir=item.folder)
    item.output(by=by, more=['--split-by', key, '-q', '-o', os.path.join(out, '{%s}.html' % key), '-o', os.path.join(out, '{%s}.json' % key),
                             '-o', os.path.join(out, '{%s}.xlsx' % key)])
    index = list(csv.DictReader(io.StringIO(harness.read(os.path.join(out, 'index.csv')))))
    billed = item.report(by=by)['totals']['billed']
    if sum(Fraction(line['total_cost']) for line in index) != Fraction(billed):
        yield 'by %s, split by %s: the index does not sum to the bill' % (by, key)
    for line in (line for line in index if line['files']):
        page, report, _ = (os.path.join(out, f) for f in line['files'].split())
        page = html_page.Page(harness.read(page))
        tables = [t for t in page.root.all('table') if any(r.kind == 'grand' for _, rows in html_page.table_rows(t) for r in rows)]
        for table in tables:
            total = next(r for _, rows in html_page.table_rows(table) for r in rows if r.kind == 'grand').number('total_cost')
            if page.by_id('detail') and table in list(page.by_id('detail').all('table')) or page.by_id('reasons') and table in list(
                    page.by_id('reasons').all('table')):
                continue                 # of a team, of buckets
            if Fraction(total) != Fraction(line['total_cost']):
                yield 'by %s, split by %s: %s has %s in a table of its page, %s in the index' % (by, key, line[key], total, line['total_cost'])
        if Fraction(harness.json_of(harness.read(report))['totals']['total_cost']) != Fraction(line['total_cost']):
            yield 'by %s, split by %s: %s is another amount in JSON' % (by, key, line[key])


# ---- leaks ------------------------------------------------------------------------------------------------------------

def with_budgets(item, teams):
    """The input with a budget for each team, as a folder."""
    budgets = [{'team': t, 'month': '%d.00' % (BUDGET + 1000 * i)} for i, t in enumerate(teams)]
    if item.world:
        return item.folder_with(rule_yaml=json.dumps(dict(item.rule(), budgets=budgets)))
    if not os.path.exists(os.path.join(item.folder, 'rule.yaml')) or 'budgets:' in item.text('rule.yaml'):
        raise harness.LeftOut('no rule to write budgets into')
    return item.folder_with(rule_yaml=item.text('rule.yaml') + '\nbudgets: %s\n' % json.dumps(budgets))


def text_of(path):
    """All that a file says, without what pages say of themselves."""
    if path.endswith('.xlsx'):
        with zipfile.ZipFile(path) as z:
            return html.unescape('\n'.join(z.read(n).decode('utf-8', 'replace') for n in z.namelist()))
    text = harness.read(path)
    return html.unescape(re.sub('<(style|script)>.*?</\\1>', '', text, flags=re.S)) if path.endswith('.html') else text


def has_word(text, word):
    return re.search(r'(?<![\w.-])%s(?![\w-])' % re.escape(word), text)


def months(item):
    code, out, _ = item.run(more=['--format', 'json', '-q'])
    period = harness.json_of(out)['period'] if code == 0 else {'from': '', 'to': ''}
    return period['from'].endswith('-01T00:00:00Z') and period['to'].endswith('-01T00:00:00Z')


def no_file_knows_the_others(item):
    rows = item.report(by=['team'] + NAMES)['rows']
    teams = sorted({r['team'] for r in rows if r['team'] and r['team'] != r['bucket']})
    if len(teams) < 2 or any(not t.isascii() or not re.fullmatch(r'[\w-]{3,}', t) for t in teams):
        raise harness.LeftOut('no two teams of plain names')
    words = {t: {r[k] for r in rows if r['team'] == t for k in NAMES if r[k]} | {t} for t in teams}
    folder, out = with_budgets(item, teams), tempfile.mkdtemp(dir=item.folder)
    item.output(folder=folder, by=['team', 'pod'], more=['--split-by', 'team', '-q'] +
                [x for e in EXTENSIONS for x in ('-o', os.path.join(out, '{team}.' + e))])
    for team in teams:
        own = ' '.join(words[team]) + ' ' + ' '.join(EXTENSIONS)
        others = ({w for t in teams if t != team for w in words[t] if not has_word(own, w)} | {'billing.csv', 'metrics.om'}) - PROSE
        for e in EXTENSIONS:
            text = text_of(os.path.join(out, '%s.%s' % (team, e)))
            plain = text.replace(',', '')
            for word in sorted(others):
                if has_word(text, word):
                    yield '%s.%s names %s' % (team, e, word)
            for i, t in enumerate(teams):
                if t != team and str(BUDGET + 1000 * i) in plain:
                    yield '%s.%s has the budget of %s' % (team, e, t)
            if months(item) and e in ('json', 'txt', 'md', 'html', 'prom') and str(BUDGET + 1000 * teams.index(team)) not in plain:
                yield '%s.%s has not the budget of its team' % (team, e)


if __name__ == '__main__':
    harness.main([a_file_for_each_team, a_file_for_each_node, any_key_and_any_rows, no_file_knows_the_others], '6001-6020')
