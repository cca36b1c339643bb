#!/usr/bin/env python3
"""Compare gputab with the oracle on random worlds.

    python3 run_worlds.py GPUTAB [--seeds A-B] [--jobs N] [--keep DIR] [--exact T]

A world agrees when both give the same rows (rows whose every number is zero may be missing), total_exact within 1e-9 (or --exact; a thousand
times that in rows that the rule moved money to), gpu_hours within 1e-6, the same billed total and groups, grades within 0.02, and on the rows of pods vram_gib_hours within 1e-5 and
idle_cost, shared_cost, used_cost, min_cost and max_cost within 0.02, unheld_cost within 0.03. Worlds that disagree are kept in DIR where it is given.
"""
import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction as Q

import oracle
import worlds

COSTS = ('gpu_cost', 'cpu_cost', 'memory_cost', 'total_cost')
FIELDS = [('total_exact', Q(1, 10 ** 9), False), ('gpu_hours', Q(1, 10 ** 6), False), ('vram_gib_hours', Q(1, 10 ** 5), True),
          ('idle_cost', Q(2, 100), True), ('shared_cost', Q(2, 100), True), ('used_cost', Q(2, 100), True),
          ('unheld_cost', Q(3, 100), True), ('min_cost', Q(2, 100), True), ('max_cost', Q(2, 100), True)]


def number(text):
    return Q(str(text)) if text is not None else Q(0)


def rows_of(report, by):
    out = {}
    for r in report['rows']:
        if any(number(r.get(k)) for k in COSTS + ('total_exact', 'gpu_hours')):
            out[tuple(r.get(k) for k in by) + (r.get('bucket'),)] = r
    return out


def of_pods(row):
    return row['bucket'] in (None, '(unmapped)', '(system)')


def row_errors(key, want, got, exact):
    name = '/'.join(str(k) for k in key)
    for field, tolerance, pods_only in FIELDS:
        if pods_only and not of_pods(want):
            continue
        if field == 'total_exact':       # little that weighs for much that moves makes more of each last decimal
            tolerance = 1000 * exact if number(want['idle_cost']) or number(want['shared_cost']) else exact
        if abs(number(want[field]) - number(got.get(field))) > tolerance:
            yield '%s %s: %s, oracle %s' % (name, field, got.get(field), want[field])
    for g in 'ABCD':
        w, h = number(want['grade'][g]), number((got.get('grade') or {}).get(g))
        if abs(w - h) > Q(2, 100):
            yield '%s grade %s: %s, oracle %s' % (name, g, float(h), float(w))


def near_tie(exact):
    """Close to half a minor unit: the last digit may go either way."""
    return abs(number(exact) * 100 % 1 - Q(1, 2)) < Q(1, 10 ** 9)


def group_errors(want, got):
    exact = {g['group']: g['exact'] for g in want}
    want = {g['group']: number(g['cost']) for g in want}
    got = {g['group']: number(g['cost']) for g in got}
    for name in sorted(set(want) | set(got)):
        w, h = want.get(name, Q(0)), got.get(name, Q(0))
        allowed = Q(1, 100) if name in exact and near_tie(exact[name]) else 0
        if abs(w - h) > allowed:
            yield 'group %s: %s, oracle %s' % (name, float(h), float(w))


def compare(want, got, exact):
    have, wanted = rows_of(got, want['by']), rows_of(want, want['by'])
    for key in sorted(set(wanted) | set(have), key=str):
        if key not in have:
            yield 'row missing: %s total %s hours %s' % (key, wanted[key]['total_exact'], wanted[key]['gpu_hours'])
        elif key not in wanted:
            yield 'row not expected: %s total %s hours %s' % (key, have[key].get('total_exact'), have[key].get('gpu_hours'))
        else:
            yield from row_errors(key, wanted[key], have[key], exact)
    if number(want['totals']['billed']) != number(got['totals'].get('billed')):
        yield 'billed: %s, oracle %s' % (got['totals'].get('billed'), want['totals']['billed'])
    yield from group_errors(want['bill']['groups'], got.get('bill', {}).get('groups', []))


def options(folder):
    with open(os.path.join(folder, 'args'), encoding='utf-8') as f:
        out = f.read().split()
    for option, name in (('--billing', 'billing.csv'), ('--metrics', 'metrics.om'), ('--rule', 'rule.yaml'), ('--nodes', 'nodes.csv')):
        if os.path.exists(os.path.join(folder, name)):
            out += [option, os.path.join(folder, name)]
    return out


def run(gputab, folder):
    """(report, error)"""
    p = subprocess.run([gputab, 'report'] + options(folder) + ['--format', 'json'], capture_output=True, text=True)
    if p.returncode != 0:
        lines = [x for x in p.stderr.splitlines() if x.strip()]
        return None, 'exit %d: %s' % (p.returncode, lines[0] if lines else '')
    try:
        return json.loads(p.stdout), None
    except ValueError as e:
        return None, 'no JSON: %s' % e


def one_world(job):
    gputab, seed, keep, exact = job
    folder = tempfile.mkdtemp(prefix='world-%d-' % seed)
    try:
        worlds.World(seed).write(folder)
        want = oracle.Report(oracle.parse(options(folder))).run()
        got, error = run(gputab, folder)
        errors = [error] if error else list(compare(want, got, exact))
        if errors and keep:
            kept = os.path.join(keep, str(seed))
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            with open(os.path.join(kept, 'oracle.json'), 'w') as f:
                json.dump(want, f, indent=1)
        return seed, errors
    except Exception as e:
        return seed, ['oracle: %s: %s' % (type(e).__name__, e)]
    finally:
        shutil.rmtree(folder)


def main(argv):
    p = argparse.ArgumentParser()
    p.add_argument('gputab')
    p.add_argument('--seeds', default='1-500')
    p.add_argument('--jobs', type=int, default=os.cpu_count())
    p.add_argument('--keep')
    p.add_argument('--exact', type=Q, default=Q(1, 10 ** 9))
    args = p.parse_args(argv)
    first, _, last = args.seeds.partition('-')
    jobs = [(os.path.abspath(args.gputab), s, args.keep, args.exact) for s in range(int(first), int(last or first) + 1)]
    failed = 0
    with multiprocessing.Pool(args.jobs) as pool:
        for seed, errors in pool.imap(one_world, jobs, chunksize=4):
            failed += bool(errors)
            for e in errors[:4]:
                print('seed %d: %s' % (seed, e))
            if len(errors) > 4:
                print('seed %d: %d more' % (seed, len(errors) - 4))
    print('%d passed, %d failed' % (len(jobs) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
