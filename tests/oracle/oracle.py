#!/usr/bin/env python3
"""A slow, independent allocator: prints the JSON report that gputab(1) describes.

    python3 oracle.py [--from T --to T | --month M] [--by KEYS] --billing FILE --metrics FILE --rule FILE
                      [--nodes FILE] [--catalogue DIR]
"""
import argparse
import json
import os
import sys
from fractions import Fraction as Q

import inputs
import moves
from divide import Claim, Division, Entry, GIB, HOUR, UNBILLED, World, charges_and_groups, share_sets, unbilled
from facts import Facts, gpu_resource

PIECES = ('gpu', 'cpu', 'memory')
MINOR = {'JPY': 0, 'KRW': 0, 'CLP': 0, 'ISK': 0, 'VND': 0, 'KWD': 3, 'BHD': 3, 'OMR': 3, 'JOD': 3, 'TND': 3}
FINE = 10 ** 30     # rows are summed in these units
HERE = os.path.dirname(os.path.abspath(__file__))


def find_catalogue(given):
    root = os.path.dirname(os.path.dirname(HERE))
    for folder in (given, os.path.join(root, 'src/source/catalogue'), os.path.join(root, '../shared/reference')):
        if folder and os.path.exists(os.path.join(folder, 'gpu_models.csv')):
            return inputs.Catalogue(folder)
    raise SystemExit('no catalogue')


def fine(x):
    return (x.numerator * FINE * 2 + x.denominator) // (2 * x.denominator)


# ---- rows ---------------------------------------------------------------------------------------------------------

class Row:
    def __init__(self):
        self.cost = dict.fromkeys(PIECES, 0)        # in 1/FINE
        self.hours = self.memory = self.used = self.low = self.high = self.requested = 0
        self.idle = self.shared = self.moved_gpu = 0
        self.grade = dict.fromkeys('ABCD', 0)
        self.spans = []

    def add(self, e):
        cost = fine(e.cost)
        self.cost[e.piece] += cost
        self.grade[e.claim.grade] += cost
        self.hours += fine(e.hours)
        self.memory += fine(e.memory / GIB / HOUR)
        self.used += fine(e.used)
        self.spans += e.spans

    def move(self, m):
        cost = fine(m.cost)
        self.cost[m.piece] += cost
        self.grade[m.grade] += cost
        self.low += cost
        self.high += cost
        self.hours += fine(m.hours)
        if m.kind == 'out':
            return
        self.idle += cost if m.kind == 'idle' else 0
        self.shared += cost if m.kind == 'shared' else 0
        self.moved_gpu += cost if m.piece == 'gpu' else 0

    def total(self):
        return sum(self.cost.values())

    def resident_hours(self):
        total, until = 0, None
        for start, end in sorted(self.spans):
            start = start if until is None else max(start, until)
            total, until = total + max(0, end - start), max(end, until or end)
        return Q(total, HOUR)


class Table:
    def __init__(self, world, rule, by):
        self.world, self.rule, self.by, self.rows = world, rule, by, {}
        self.several = len(world.facts.clusters) > 1

    def row(self, key):
        return self.rows.setdefault(key, Row())

    def key(self, e, who=None):
        who = who or e.claim.who
        e = None if e is moves.NOWHERE else e
        values = {k: self.value(k, e, who) for k in self.by}
        return tuple(values[k] for k in self.by) + (self.bucket(who),)

    def bucket(self, who):
        if who.bucket or who.pod is None and who.team is None:
            return who.bucket
        if who.team is None and ('team' in self.by or 'cost_centre' in self.by):
            return '(unmapped)'
        if 'cost_centre' in self.by and who.team not in self.rule.centre_of:
            return '(unmapped)'
        return None

    def value(self, k, e, who):
        if k == 'team':
            return who.bucket or who.team or '(unmapped)'
        if k == 'cost_centre':
            return who.bucket or self.rule.centre_of.get(who.team, '(unmapped)')
        if k == 'namespace':
            return who.namespace
        if k in ('pod', 'workload'):
            text = getattr(who, k)
            return who.namespace + '/' + text if text and 'namespace' not in self.by else text
        if e is None:
            return None
        if k in ('cluster', 'node'):
            return self.place(k, e)
        if k in ('region', 'purchase'):
            return getattr(e.charge, k) if e.charge else None
        if k == 'gpu':
            return e.gpu
        if k == 'gpu_model':
            return e.model
        if k == 'day':
            return inputs.day_text(e.claim.day)
        return getattr(e.claim, k)      # sharing, grade, reason

    def place(self, k, e):
        cluster, node = e.place if e.charge is None else (
            self.world.node(e.charge.resource).cluster, self.world.node_text(e.charge.resource))
        if k == 'cluster':
            return cluster
        return cluster + '/' + node if self.several and cluster and node else node

    def add(self, entries):
        """Add up amounts; what was divided among candidates also moves the least and the most of their rows."""
        chunks = {}
        for e in entries:
            key = self.key(e)
            row = self.row(key)
            row.add(e)
            if e.claim.candidates is None:
                row.low += fine(e.cost)
                row.high += fine(e.cost)
            else:
                chunks.setdefault((id(e.charge), e.piece, e.slot, e.claim.candidates, e.claim.day), []).append(e)
        for (_, _, _, candidates, _), parts in chunks.items():
            cost = sum(fine(e.cost) for e in parts)
            keys = {self.key(parts[0], who) for who in candidates}
            for k in keys:
                row = self.row(k)
                low, high = (cost, cost) if len(keys) == 1 else (min(cost, 0), max(cost, 0))
                row.low += low
                row.high += high

    def sorted_rows(self):
        def order(item):
            key = item[0]
            return (key[-1] is not None, [(v is None, v or '') for v in key])
        return sorted(self.rows.items(), key=order)


def requested_hours(world, charges, table):
    """Requests of GPU resources during the charges of their node, in the rows of their pods."""
    if set(table.by) - {'team', 'cost_centre', 'namespace', 'pod', 'workload', 'cluster', 'node', 'region', 'purchase'}:
        return False
    for c in charges:
        if not c.usage:
            continue
        node = world.node(c.resource)
        cuts = world.cuts(c.start, c.end, world.ksm_points(node.cluster))
        for start, end in zip(cuts, cuts[1:]):
            for pod, resource, v in world.facts.requests_at(node.cluster, world.names_at(node, start), start) or []:
                if gpu_resource(resource):
                    e = Entry(c, 'gpu', Claim(world.who(pod, start), 'A', None, None, 0, None), Q(0))
                    table.row(table.key(e)).requested += fine(Q(v) * (end - start) / HOUR)
    return True


# ---- rounding -----------------------------------------------------------------------------------------------------

def half_away(n, unit):
    """n / unit rounded to a whole number, half away from zero."""
    sign = 1 if n >= 0 else -1
    return sign * ((2 * abs(n) + unit) // (2 * unit))


def decimal(n, digits):
    sign, n = ('-' if n < 0 else ''), abs(n)
    return sign + (f'{n // 10 ** digits}.{n % 10 ** digits:0{digits}d}' if digits else str(n))


def rounded_cells(rows, billed, digits):
    """Every cell in minor units; they add up to the billed total. Largest remainder, ties by row then piece."""
    unit = FINE // 10 ** digits
    cells = [[row.cost[p] for p in PIECES] for _, row in rows]
    floors = [[c // unit for c in line] for line in cells]
    missing = billed - sum(map(sum, floors))
    order = sorted((-(c % unit), i, j) for i, line in enumerate(cells) for j, c in enumerate(line))
    for _, i, j in order[:missing]:
        floors[i][j] += 1
    return floors


# ---- the report ---------------------------------------------------------------------------------------------------

class Report:
    def __init__(self, args):
        self.args, self.codes = args, {}
        self.rule = inputs.Rule(open(args.rule, encoding='utf-8').read())
        self.period = period_of(args)
        self.by = args.by.split(',')
        bill, self.currency = inputs.read_bill(args.billing, self.rule, self.warn)
        facts = Facts(inputs.read_metrics(args.metrics), self.rule, *self.period, inputs.read_nodes(args.nodes))
        self.world = World(facts, self.rule, find_catalogue(args.catalogue), self.period, self.warn)
        types = {r.resource: r.type for r in bill if r.type}
        self.charges, self.groups, self.shared = charges_and_groups(bill, self.rule, self.period, self.world.is_gpu_node(types, bill),
                                                       self.world.gpu_count)
        for c in self.charges:
            c.type = c.type or types.get(c.resource)
        self.charges = share_sets(self.world, self.charges)
        self.table = Table(self.world, self.rule, self.by)

    def warn(self, code):
        self.codes[code] = self.codes.get(code, 0) + 1

    def run(self):
        entries = [e for c in self.charges for e in Division(self.world, c).entries()]
        owned = moves.take_owned(entries, self.rule.idle, lambda e: self.table.place('node', e).split('/')[-1])
        self.table.add(entries)
        moved = owned + moves.idle(entries, self.rule.idle, lambda e: self.table.place('cluster', e))
        moved += self.spread_shared(entries, moved)
        for m in moved:
            self.table.row(self.table.key(m.entry, m.who)).move(m)
        for hours, day, cluster, node, gpu, model in unbilled(self.world, self.charges):
            e = Entry(None, 'gpu', Claim(UNBILLED, 'A', None, None, day, None), Q(0), gpu=gpu, model=model)
            e.hours, e.place = hours, (cluster, node)
            self.table.add([e])
        self.requested = requested_hours(self.world, self.charges, self.table)
        return self.document()

    def spread_shared(self, entries, moved):
        """Shared costs leave their groups and are billed, but for those that nothing weighs for."""
        out, self.spread = [], Q(0)
        for cost in self.rule.shared_costs:
            groups = self.shared.get(cost['name'], {})
            parts = moves.shared(entries, moved, cost, sum(groups.values(), Q(0)))
            if parts is None:
                continue
            out += parts
            self.spread += sum(groups.values())
            for g, n in groups.items():
                self.groups[g] -= n
        return out

    def document(self):
        digits = MINOR.get(self.currency, 2)
        rows = self.table.sorted_rows()
        billed = half_away(fine(sum((c.cost for c in self.charges), self.spread)), FINE // 10 ** digits)
        cells = rounded_cells(rows, billed, digits)
        return {
            'schema': 'gputab.report/1', 'mode': 'showback',
            'period': {'from': inputs.time_text(self.period[0]), 'to': inputs.time_text(self.period[1]),
                       'hours': (self.period[1] - self.period[0]) / HOUR},
            'currency': self.currency, 'rule': {'name': self.rule.name, 'version': self.rule.version},
            'split': {'method': self.rule.method or 'reference'}, 'by': self.by,
            'rows': [self.row(k, r, c, digits) for (k, r), c in zip(rows, cells)],
            'totals': self.totals(rows, cells, billed, digits),
            'bill': {'groups': [{'group': g, 'cost': decimal(half_away(fine(v), FINE // 10 ** digits), digits),
                                 'exact': decimal(half_away(fine(v), FINE // 10 ** 12), 12)}
                                for g, v in sorted(self.groups.items())]},
            'warnings': [{'code': c, 'count': n} for c, n in sorted(self.codes.items())]}

    def row(self, key, row, cells, digits):
        cash = lambda n: decimal(half_away(n, FINE // 10 ** digits), digits)
        hours = lambda n: decimal(half_away(n, FINE // 10 ** 6), 6)
        out = dict(zip(self.by, key))
        out.update(bucket=key[-1], gpu_hours=hours(row.hours), vram_gib_hours=hours(row.memory))
        out.update({p + '_cost': decimal(n, digits) for p, n in zip(PIECES, cells)})
        out.update(total_cost=decimal(sum(cells), digits), used_cost=cash(row.used),
                   unheld_cost=cash(row.cost['gpu'] - row.moved_gpu - row.used), idle_cost=cash(row.idle), shared_cost=cash(row.shared),
                   min_cost=cash(row.low), max_cost=cash(row.high),
                   requested_gpu_hours=hours(row.requested) if self.requested else None,
                   resident_hours=hours(fine(row.resident_hours())),
                   total_exact=decimal(half_away(row.total(), FINE // 10 ** 12), 12),
                   grade=out['grade'] if 'grade' in self.by else {g: cash(v) for g, v in row.grade.items()})
        return out

    def totals(self, rows, cells, billed, digits):
        sums = [sum(c[i] for c in cells) for i in range(3)]
        hours = sum(r.hours for k, r in rows if k[-1] != '(unbilled)')
        out = {p + '_cost': decimal(n, digits) for p, n in zip(PIECES, sums)}
        out.update(total_cost=decimal(sum(sums), digits), billed=decimal(billed, digits),
                   difference=decimal(billed - sum(sums), digits), gpu_hours=decimal(half_away(hours, FINE // 10 ** 6), 6))
        return out


def period_of(args):
    if args.month:
        year, month = map(int, args.month.split('-'))
        after = (year + month // 12, month % 12 + 1)
        return inputs.time_ms('%04d-%02d-01' % (year, month)), inputs.time_ms('%04d-%02d-01' % after)
    return inputs.time_ms(args.from_), inputs.time_ms(args.to)


def parse(argv):
    p = argparse.ArgumentParser()
    p.add_argument('--from', dest='from_')
    p.add_argument('--to')
    p.add_argument('--month')
    p.add_argument('--by', default='team')
    p.add_argument('--nodes')
    p.add_argument('--catalogue')
    p.add_argument('--format')
    for name in ('billing', 'metrics', 'rule'):
        p.add_argument('--' + name, required=True)
    return p.parse_args(argv)


def main(argv):
    json.dump(Report(parse(argv)).run(), sys.stdout, indent=1)
    print()


if __name__ == '__main__':
    main(sys.argv[1:])
