#!/usr/bin/env python3
"""What explain says adds up to the report.

For every team and bucket of an input, and a pod, a node and a card picked by chance, the amounts of the sections that say that they add sum to
total_exact of the report's rows, in exact arithmetic; the rows are the report's; each line with quantity and price multiplies to its
amount within the price's last digit; and what the rule moved is what its operation gives. The same lines are shown whole (--all) and cut, with the rest in one.
"""
import fractions
import re
import subprocess

import harness

PICKED = ('pod', 'node', 'gpu')
SAME = ('gpu_cost', 'cpu_cost', 'memory_cost', 'total_cost', 'total_exact', 'idle_cost', 'shared_cost')


def explain(item, option, name, more=()):
    command = [item.gputab, 'explain'] + item.period + ['--' + option, name, '--format', 'json', '-q'] + list(more)
    for file_option, file in harness.FILES:
        if item.folder and harness.os.path.exists(harness.os.path.join(item.folder, file)):
            command += [file_option, file]
    p = subprocess.run(command, cwd=item.folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    if p.returncode != 0:
        raise harness.Wrong('explain --%s %s: exit %d: %s' % (option, name, p.returncode, p.stderr.decode('utf-8', 'replace')[:200]))
    return harness.json_of(p.stdout.decode('utf-8'))


def exact(text):
    return harness.units(text)


def added(explanation):
    return sum(exact(line['amount']) for s in explanation['sections'] if s['adds'] for line in s['lines'])


def products_off(explanation):
    """quantity x price is the amount, as far as a price with nine decimals tells."""
    for s in explanation['sections']:
        for line in s['lines']:
            if line['quantity'] is None or line['price'] is None:
                continue
            quantity, price = exact(line['quantity']), exact(line['price'] + '000')
            if abs(quantity * price // harness.UNIT - exact(line['amount'])) > abs(quantity) // 10 ** 9 + 10:
                yield '%s: %s x %s is not %s' % (line['what'], line['quantity'], line['price'], line['amount'])


OPERATION = re.compile(r'(-?[0-9.]+)(?: x ([0-9.]+) %| / ([0-9]+) teams)?(?: x (-?[0-9.]+) / (-?[0-9.]+))?')


def between(text):
    """The least and the most that a number with six decimals was."""
    half = fractions.Fraction(1, 2 * 10 ** 6)
    return fractions.Fraction(text) - half, fractions.Fraction(text) + half


def operations_off(explanation):
    """What moved is `of x percent or / teams x part / parts`, as far as six decimals tell."""
    for line in (line for s in explanation['sections'] if s['section'] == 'moved' for line in s['lines'] if line['how']):
        found = OPERATION.fullmatch(line['how'])
        if not found:
            yield '%s: cannot be calculated: %s' % (line['what'], line['how'])
            continue
        of, percent, teams, part, parts = found.groups()
        ends = [fractions.Fraction(v) for v in between(of)]
        ends = [v * fractions.Fraction(percent) / 100 if percent else v / int(teams) if teams else v for v in ends]
        if parts is not None:
            if between(parts)[0] <= 0 <= between(parts)[1]:
                continue
            ends = [v * p / q for v in ends for p in between(part) for q in between(parts)]
        if not min(ends) - fractions.Fraction(1, 10 ** 9) <= fractions.Fraction(line['amount']) <= max(ends) + fractions.Fraction(1, 10 ** 9):
            yield '%s: %s is not %s' % (line['what'], line['how'], line['amount'])


def wrong(name, rows, explanation):
    want = sum(exact(r['total_exact']) for r in rows)
    if added(explanation) != want:
        yield '%s: explained %s, the report has %s' % (name, harness.money_text(added(explanation)), harness.money_text(want))
    if [[r[k] for k in SAME] for r in explanation['rows']] != [[r[k] for k in SAME] for r in rows]:
        yield '%s: other rows than the report' % name
    yield from ('%s: %s' % (name, e) for e in products_off(explanation))
    yield from ('%s: %s' % (name, e) for e in operations_off(explanation))


def every_team_and_bucket_adds_up(item):
    for row in item.report(by=['team'])['rows']:
        option, name = ('bucket', row['bucket']) if row['bucket'] else ('team', row['team'])
        whole = explain(item, option, name, ['--all'])
        yield from wrong('%s %s' % (option, name), [row], whole)
        yield from wrong('%s %s, cut' % (option, name), [row], explain(item, option, name))


def a_pod_a_node_and_a_card_add_up(item):
    for key in PICKED:
        rows = [r for r in item.report(by=[key])['rows'] if r[key]]
        if rows:
            name = item.rng.choice(rows)[key]
            yield from wrong('%s %s' % (key, name), [r for r in rows if r[key] == name], explain(item, key, name))


if __name__ == '__main__':
    harness.main([every_team_and_bucket_adds_up, a_pod_a_node_and_a_card_add_up], '7001-7015')
