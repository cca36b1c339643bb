"""gputab over the made fleet: command lines, and whether what came out is what the plan says."""
import csv
import datetime
import hashlib
import subprocess
from decimal import Decimal

import measure

START = datetime.date(2026, 10, 1)
TOLERANCE = Decimal('0.01')              # of a team's cost in a day: shares are rounded to 2^-32, the expected sums to 10^-6
NOT_BUILT = 'not built'


def period(days):
    return ['--from', str(START), '--to', str(START + datetime.timedelta(days))]


def transport_args(gputab, transport):
    """Options that choose a transport, or None: this program has no such transport."""
    text = subprocess.run([gputab, 'report', '--help'], stdout=subprocess.PIPE, env=measure.ENV, timeout=60).stdout.decode()
    if '--transport' in text:
        return ['--transport', transport] if transport in text else None
    return [] if transport == 'query' else None        # the only one there is


def run(gputab, transport, folder, url, days, by, out, server=None):
    """What a report by `by` costs; its CSV goes to the file `out`, once."""
    with open(out, 'wb') as f:
        return measure.run(command(gputab, transport, folder, url, days, by), server, out=f)


def command(gputab, transport, folder, url, days, by):
    return [gputab, 'report', '--billing', folder + '/bill.csv', '--rule', folder + '/rule.yaml', '--prometheus', url] + period(days) + \
        transport_args(gputab, transport) + ['-q', '--by', by, '--format', 'csv']


def rows(path):
    with open(path, encoding='utf-8', newline='') as f:
        yield from csv.DictReader(f)


def day_number(text):
    return (datetime.date.fromisoformat(text) - START).days


def expected(folder, days):
    """(day, team or bucket) -> cost."""
    return {(int(r['day']), r['team']): Decimal(r['cost']) for r in rows(folder + '/expected.csv') if int(r['day']) < days}


def check_teams(path, folder, days):
    """A CSV by team and day against the plan. Returns the number of figures; a difference is an error."""
    wanted = expected(folder, days)
    got = {(day_number(r['day']), r['team']): Decimal(r['total_exact']) for r in rows(path)}
    for key in sorted(set(wanted) | set(got)):
        a, b = wanted.get(key, Decimal(0)), got.get(key, Decimal(0))
        if abs(a - b) > TOLERANCE:
            raise RuntimeError('day %d, %s: expected %s, the report says %s' % (key + (a, b)))
    return len(wanted)


def billed(nodes, days):
    """By the hour: nodes 0 and 1 at the first rate, 2 and 3 at the second, and so on."""
    rates = [Decimal('55.04'), Decimal('34.1248')]
    return sum(rates[n // 2 % 2] for n in range(nodes)) * 24 * days


def check_pods(path, nodes, days):
    """A CSV by pod and day: its exact costs add up to the bill. Returns its rows and hash."""
    total, n, h = Decimal(0), 0, hashlib.sha256()
    for r in rows(path):
        total += Decimal(r['total_exact'])
        n += 1
    if total != billed(nodes, days):
        raise RuntimeError('billed is %s, the rows add up to %s' % (billed(nodes, days), total))
    with open(path, 'rb') as f:
        while piece := f.read(1 << 20):
            h.update(piece)
    return n, h.hexdigest()
