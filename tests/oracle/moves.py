"""Money that the rule moves between rows: idle cost to its owners and by policy, and shared costs into them. Entry by entry, in fractions."""
import copy
from fractions import Fraction as Q

from divide import Who
from inputs import glob_match, percent

PIECES = ('gpu', 'cpu', 'memory')
NOWHERE = object()      # stands for the entry of an amount without a place


class Move:
    """An amount for the row of an entry, there seen as `who`'s."""

    def __init__(self, entry, who, kind, cost, hours=Q(0), grade='A', piece=None):
        self.entry, self.who, self.kind, self.cost, self.hours = entry, who, kind, cost, hours
        self.grade, self.piece = grade, piece or entry.piece


def team(name):
    return Who(None, None, None, None, None, name, None)


def as_team(e, name):
    """The entry in the same place, as a team's without a pod."""
    e = copy.copy(e)
    e.claim = e.claim._replace(who=team(name), reason=None)
    return e


def out_and_in(e, name):
    return [Move(e, e.claim.who, 'out', -e.cost, -e.hours, e.claim.grade), Move(as_team(e, name), None, 'idle', e.cost, e.hours, e.claim.grade)]


def take_owned(entries, idle, node_of):
    """Moves of what idle owners have; those entries are marked as gone."""
    out = []
    for e in entries:
        e.gone = False
        if e.charge is None or e.claim.who.bucket not in idle['moves'] or e.claim.who.pod:
            continue
        for o in idle['owners']:
            if any(glob_match(g, node_of(e) or '') for g in o['node']):
                e.gone = True
                out += out_and_in(e, o['team'])
                break
    return out


def is_pods(e):
    return e.claim.who.pod is not None


def scope_of(e, idle, cluster_of):
    if idle['scope'] == 'pool':
        return e.model, e.charge.region, e.charge.purchase
    return cluster_of(e) if idle['scope'] == 'cluster' else None


def idle(entries, idle, cluster_of):
    """Moves of the policy, over each scope and piece."""
    if idle['policy'] == 'separate':
        return []
    groups = {}
    for e in entries:
        if e.charge is not None and not e.gone and (is_pods(e) or e.claim.who.bucket in idle['moves']):
            groups.setdefault((scope_of(e, idle, cluster_of), e.piece), []).append(e)
    return [m for g in groups.values() for m in of_scope([e for e in g if is_pods(e)], [e for e in g if not is_pods(e)], idle)]


def same_sign(a, b):
    return a * b > 0


def of_scope(pods, sources, idle):
    total = sum(e.cost for e in sources)
    by_team = {}
    for e in pods:
        if not e.claim.who.bucket and e.claim.who.team:
            by_team.setdefault(e.claim.who.team, []).append(e)
    if total == 0:
        return []
    if idle['policy'] == 'proportional':
        shares = [(Q(1), pods, None)] if same_sign(sum(e.cost for e in pods), total) else []
    elif idle['policy'] == 'even':
        some = [v for v in by_team.values() if same_sign(sum(e.cost for e in v), total)]
        shares = [(Q(1, len(some)), v, None) for v in some]
    else:
        shares = [(p, by_team.get(t, []), t) for t, p in idle['shares'].items()]
    out = []
    for part, weights, name in shares:
        out += share(part, weights, sources, name, total)
    return out + [Move(e, None, 'out', -e.cost, -e.hours, e.claim.grade) for e in sources] if shares else []


def share(part, weights, sources, name, total):
    """A part of the sources' money and hours, to entries that weigh, else to the team in the sources' places."""
    whole = sum(e.cost for e in weights)
    if not same_sign(whole, total):
        return [Move(as_team(e, name), None, 'idle', part * e.cost, part * e.hours, e.claim.grade) for e in sources]
    by_grade = {}
    for e in sources:
        cost, hours = by_grade.get(e.claim.grade, (0, 0))
        by_grade[e.claim.grade] = cost + e.cost, hours + e.hours
    return [Move(e, None, 'idle', part * cost * e.cost / whole, part * hours * e.cost / whole, g)
            for e in weights for g, (cost, hours) in by_grade.items()]


# ---- shared costs ---------------------------------------------------------------------------------------------------

def shared(entries, moved, cost, amount):
    """Moves of a shared cost, by what pods and owners cost after idle; None: nothing weighs."""
    cells = [(e, e.claim.who, e.piece, e.cost) for e in entries if e.charge is not None and is_pods(e)]
    cells += [(m.entry, m.who or m.entry.claim.who, m.piece, m.cost) for m in moved if m.kind == 'idle']
    whole = sum(c[3] for c in cells)
    if whole == 0:
        return None
    by_team = {}
    for c in cells:
        if not c[1].bucket and c[1].team:
            by_team.setdefault(c[1].team, []).append(c)
    method = cost.get('method', 'proportional')
    if method == 'proportional':
        return cells_part(cells, amount)
    if method == 'even':
        some = [v for _, v in sorted(by_team.items()) if sum(c[3] for c in v)]
        return [m for v in some for m in cells_part(v, amount / len(some))] if some else None
    out = []
    for name, share in cost['shares'].items():
        mine = by_team.get(name, [])
        if sum(c[3] for c in mine):
            out += cells_part(mine, amount * percent(share))
        else:
            out += [Move(NOWHERE, team(name), 'shared', amount * percent(share) * sum(c[3] for c in cells if c[2] == p) / whole, piece=p)
                    for p in PIECES if percent(share)]
    return out


def cells_part(cells, amount):
    whole = sum(c[3] for c in cells)
    return [Move(e, who, 'shared', amount * cost / whole, piece=piece) for e, who, piece, cost in cells]
