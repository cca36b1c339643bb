#!/usr/bin/env python3
"""An HTML report says what the JSON of the same run says, adds up in itself, and is a page that everybody can read.

Rows, sums and totals of its tables are those of the JSON; the lines of a team add up to what its summary says, and all teams and buckets
to the total. The page is well formed, asks nothing of the network, has one script, which no name from a cluster can add to, names its
charts and heads its tables for who cannot see them, and its colours have the contrast that WCAG 2.1 asks for.
"""
import re
from decimal import Decimal

import billing_property
import harness
import html_page

MONEY = ('total_cost', 'gpu_cost', 'cpu_cost', 'memory_cost')
NASTY = '</td><script>alert(1)</script><img src=x onerror=alert(2)>"\'&`'


def page_of(item, **how):
    return html_page.Page(item.output(more=list(how.pop('more', ())) + ['--format', 'html', '-q'], **how).decode('utf-8'))


def shown_key(row, key):
    """A key that does not apply is a dash; a bucket that is none of the keys stands before the first."""
    if row['bucket'] and row['bucket'] != row[key]:
        return row['bucket'] if row[key] is None else '%s %s' % (row['bucket'], row[key])
    return '\u2013' if row[key] is None else row[key]


def sums_are_right(bodies, totals):
    """Of the report's table: its last sum against the JSON, those of groups against their lines."""
    grand = next(r for _, rows in bodies for r in rows if r.kind == 'grand')
    for name in MONEY:
        if grand.number(name) != Decimal(totals[name]):
            yield 'total %s is %s, expected %s' % (name, grand.number(name), totals[name])
    for _, rows in bodies:
        if rows and rows[0].kind == 'head':
            for name in MONEY + ('gpu_hours', 'percent'):
                got, want = rows[0].number(name), html_page.sum_of(rows[1:], name)
                if got != want:
                    yield 'head %s: %s is %s, its lines have %s' % (rows[0].keys, name, got, want)


def rows_are_those_of_the_json(item):
    by = billing_property.random_keys(item) if item.world else item.by
    report, page = item.report(by=by), page_of(item, by=by)
    if not report['rows']:
        raise harness.LeftOut('no rows')
    table = next(page.by_id('rows').all('table'))
    got = sorted((tuple(str(r.number(n)) for n in MONEY) for r in html_page.lines_of(table)))
    want = sorted((tuple(str(Decimal(r[n])) for n in MONEY) for r in report['rows']))
    if got != want:
        other = next((p for p in zip(want, got) if p[0] != p[1]), None)
        yield 'by %s: %d rows, expected %d; first other %s' % (by, len(got), len(want), other)
    yield from sums_are_right(html_page.table_rows(table), report['totals'])


def first_keys_are_those_of_the_json(item):
    if len(item.by) != 1 or item.by == ['cost_centre']:
        raise harness.LeftOut('several keys, or one with names beside it')
    report, page = item.report(), page_of(item)
    if not report['rows']:
        raise harness.LeftOut('no rows')
    got = sorted((r.keys[0], str(r.number('total_cost'))) for r in html_page.lines_of(next(page.by_id('rows').all('table'))))
    want = sorted((shown_key(r, item.by[0]), str(Decimal(r['total_cost']))) for r in report['rows'])
    if got != want:
        yield 'rows are %s, expected %s' % (got, want)


def details_add_up(item):
    report, page = item.report(), page_of(item)
    section = page.by_id('detail')
    if section is None:
        raise harness.LeftOut('nothing in detail')
    total = Decimal(0)
    for team in section.all('details'):
        said = Decimal(next(team.all('span', 'amount')).attributes['data-v'])
        table = next(team.all('table'))
        grand = [r for _, rows in html_page.table_rows(table) for r in rows if r.kind == 'grand'][0]
        name = next(team.all('span', 'name')).text()
        total += said
        for column in MONEY + ('gpu_hours', 'vram_gib_hours', 'percent', 'unheld_cost'):
            want = html_page.sum_of(html_page.lines_of(table), column)
            if column in grand.numbers and grand.number(column) != want:
                yield '%s: %s is %s, its lines have %s' % (name, column, grand.number(column), want)
        if said != grand.number('total_cost'):
            yield '%s: its summary says %s, its table %s' % (name, said, grand.number('total_cost'))
    if total != Decimal(report['totals']['total_cost']):
        yield 'teams and buckets have %s, the report %s' % (total, report['totals']['total_cost'])


def details_are_those_of_the_json(item):
    report, page = item.report(by=['team']), page_of(item, by=['team'])
    section = page.by_id('detail')
    if section is None:
        raise harness.LeftOut('nothing in detail')
    want, got = {}, {}
    for row in report['rows']:
        want[row['team']] = want.get(row['team'], 0) + Decimal(row['total_cost'])
    for team in section.all('details'):
        name = next(team.all('span', 'name')).text()
        got[name] = got.get(name, 0) + Decimal(next(team.all('span', 'amount')).attributes['data-v'])
    if got != want:
        yield 'teams and buckets are %s, expected %s' % (got, want)


def page_is_well_formed(item):
    page = page_of(item)
    yield from page.faults
    ids = [e.attributes['id'] for e in page.root.all() if 'id' in e.attributes]
    for name in sorted({i for i in ids if ids.count(i) > 1}):
        yield 'id %s stands twice' % name
    for e in page.root.all():
        for reference in ('aria-labelledby', 'href'):
            for name in (e.attributes.get(reference) or '').split():
                if name.lstrip('#') not in ids:
                    yield '%s points to %s, which is not there' % (e.tag, name)
        for attribute in e.attributes:
            if attribute == 'style' or attribute == 'src' or attribute.startswith('on'):
                yield '<%s> has %s' % (e.tag, attribute)


def page_can_be_heard(item):
    page = page_of(item)
    for table in page.root.all('table'):
        if not list(table.all('caption')):
            yield 'a table without a caption'
        for head in table.all('th'):
            if head.attributes.get('scope') not in ('col', 'row', 'rowgroup'):
                yield 'a head without a scope: %s' % head.text()
    for chart in page.root.all('svg', 'chart'):
        if chart.attributes.get('role') != 'img' or not next(chart.all('title')).text() or not next(chart.all('desc')).text():
            yield 'a chart without role, title or description'
    levels = [int(e.tag[1]) for e in page.root.all() if re.fullmatch('h[1-6]', e.tag)]
    for a, b in zip([0] + levels, levels):
        if b > a + 1:
            yield 'a heading of level %d behind one of level %d' % (b, a)


def nasty_names_stay_names(item):
    pods = sorted(set(re.findall(r'\bpod="([^"\\]+)"', item.text('metrics.om'))))
    if not pods:
        raise harness.LeftOut('no pods')
    pod = item.rng.choice(pods)
    escaped = NASTY.replace('\\', '\\\\').replace('"', '\\"')
    metrics = item.text('metrics.om').replace('pod="%s"' % pod, 'pod="%s"' % escaped)
    folder = item.folder_with(metrics_om=metrics)
    report, page = item.report(folder=folder, by=['pod', 'namespace']), page_of(item, folder=folder, by=['pod', 'namespace'])
    yield from page.faults
    if len(list(page.root.all('script'))) != 1 or list(page.root.all('img')):
        yield 'a name became markup'
    shown = any(NASTY in (r['pod'] or '') for r in report['rows'])
    if shown != (NASTY in page.by_id('rows').text()):
        yield 'the name is %sin the JSON and %sin the page' % ('' if shown else 'not ', 'not ' if shown else '')


# ---- contrast ----

def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    x, y = sorted((luminance(a), luminance(b)), reverse=True)
    return (x + 0.05) / (y + 0.05)


TEXT = 4.5                               # WCAG 2.1, 1.4.3
SHAPE = 3                                # 1.4.11
PAIRS = [(ink, back, TEXT) for ink in ('ink', 'soft', 'accent') for back in ('page', 'card', 'faint')]
PAIRS += [('%s-ink' % k, '%s-back' % k, TEXT) for k in ('good', 'warn', 'bad', 'band')] + [('band-soft', 'band-back', TEXT)]
PAIRS += [(shape, back, SHAPE) for shape in ('gpu', 'cpu', 'memory', 'held', 'unheld', 'idle', 'other', 'lost') for back in ('card',)]


def colours_can_be_read(item):
    style = next(page_of(item).root.all('style')).text()
    schemes = [dict(re.findall(r'--([\w-]+): (#[0-9a-f]{6})', block)) for block in re.findall(r':root \{(.*?)\}', style, re.S)]
    if len(schemes) != 3 or schemes[0] == schemes[1]:
        yield 'colours for light, dark and print are expected'
    for name, scheme in zip(('light', 'dark', 'print'), schemes):
        for ink, back, least in PAIRS:
            if contrast(scheme[ink], scheme[back]) < least:
                yield '%s: %s on %s has %.2f, less than %s' % (name, ink, back, contrast(scheme[ink], scheme[back]), least)


if __name__ == '__main__':
    harness.main([rows_are_those_of_the_json, first_keys_are_those_of_the_json, details_add_up, details_are_those_of_the_json,
                  page_is_well_formed, page_can_be_heard, nasty_names_stay_names, colours_can_be_read], '8001-8030')
