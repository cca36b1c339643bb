#!/usr/bin/env python3
"""The same samples from a file and from a Prometheus server that was loaded with that file give the same bytes.

    equal.py GPUTAB [NAME...]       every tests/cases and the demo; one line each, then "N passed, N failed"
    equal.py GPUTAB --demo          the demo alone, with its table: what `make demo-prometheus` shows

Compared are standard output, but for the name of the source, standard error and the exit code.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import server

CASES, DEMO = os.path.join(HERE, '..', 'cases'), os.path.join(HERE, '..', '..', 'examples', 'demo')
DEMO_VIEWS = (['--format', 'csv'], ['--format', 'json', '--by', 'team,gpu_model'], ['--format', 'csv', '--by', 'day,pod'],
              ['--format', 'plain', '--bridge', '--by', 'reason'])


def run(gputab, folder, args, metrics, command='report'):
    clean = {k: v for k, v in os.environ.items() if not k.startswith('GPUTAB_') and not k.lower().endswith('_proxy')}
    clean['GPUTAB_CONFIG'] = ''            # no settings
    p = subprocess.run([gputab, command] + args + metrics, cwd=folder, env=clean, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=300)
    return p.returncode, p.stdout.decode(), p.stderr.decode('utf-8', 'replace')


def blind(out):
    """Without the name of the source: in JSON a member, in the table what stands behind "metrics"."""
    out = re.sub(r'"source":"[^"]*"', '"source":""', out)
    return re.sub(r'(metrics\.om|http://127\.0\.0\.1:\d+)', 'SOURCE', out)


TRANSPORTS = ('remote-read', 'query')


def inputs(folder):
    args = ['--billing', 'billing.csv', '--rule', 'rule.yaml']
    if os.path.exists(os.path.join(folder, 'nodes.csv')):
        args += ['--nodes', 'nodes.csv']
    if os.path.exists(os.path.join(folder, 'args')):
        with open(os.path.join(folder, 'args'), encoding='utf-8') as f:
            return [args + f.read().split() + ['--format', 'json']]
    return [args + ['--month', '2024-09'] + view for view in DEMO_VIEWS]


def differs(gputab, folder, url, args):
    a = run(gputab, folder, args, ['--metrics', 'metrics.om'])
    for transport in TRANSPORTS:
        b = run(gputab, folder, args, ['--prometheus', url, '--transport', transport])
        for what, x, y in zip(('exit code', 'standard output', 'standard error'), a, b):
            x, y = (x, y) if what == 'exit code' else (blind(x), blind(y))
            if x != y:
                lines = [(p, q) for p, q in zip(str(x).splitlines(), str(y).splitlines()) if p != q] or [(str(x)[-200:], str(y)[-200:])]
                return '%s by %s\n    file:   %s\n    server: %s' % ((what, transport) + lines[0])
    return None


def compare(gputab, folder):
    with tempfile.TemporaryDirectory() as data:
        server.load(data, os.path.join(folder, 'metrics.om'))
        with server.Prometheus(data) as p:
            return [differs(gputab, folder, p.url, args) for args in inputs(folder)]


def guarded(gputab, folder):
    try:
        return compare(gputab, folder)
    except (OSError, RuntimeError, subprocess.SubprocessError) as e:
        return ['%s: %s' % (type(e).__name__, e)]


def all_folders(names):
    cases = [os.path.join(CASES, n) for n in sorted(os.listdir(CASES)) if os.path.exists(os.path.join(CASES, n, 'metrics.om'))]
    return [f for f in cases + [DEMO] if not names or os.path.basename(f) in names]


def check(gputab, names):
    passed = failed = 0
    folders = all_folders(names)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for folder, faults in zip(folders, pool.map(lambda f: guarded(gputab, f), folders)):
            bad = [f for f in faults if f]
            passed, failed = passed + len(faults) - len(bad), failed + len(bad)
            print('%-4s %s' % ('FAIL' if bad else 'ok', os.path.basename(folder)))
            for f in bad:
                print('  ' + f)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


def demo(gputab):
    args = inputs(DEMO)[0][:-2] + ['-q']
    with tempfile.TemporaryDirectory() as data:
        print('loading the demo\'s samples into a Prometheus of its own ...', flush=True)
        server.load(data, os.path.join(DEMO, 'metrics.om'))
        with server.Prometheus(data) as p:
            code, out, err = run(gputab, DEMO, args, ['--prometheus', p.url])
            print('$ gputab report %s --prometheus %s\n\n%s%s' % (' '.join(args), p.url, out, err))
            faults = [f for f in (differs(gputab, DEMO, p.url, a) for a in inputs(DEMO)) if f]
    for f in faults:
        print('not the report of the file: ' + f)
    if code or faults:
        return 1
    print('%d reports from the server and from the file are the same, byte for byte, but for the name of the source' % len(DEMO_VIEWS))
    return 0


def main(argv):
    if len(argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    if not server.installed():
        print('prometheus and promtool are not installed: make deps-check', file=sys.stderr)
        return 1
    gputab = os.path.abspath(argv[1])
    return demo(gputab) if argv[2:] == ['--demo'] else check(gputab, argv[2:])


if __name__ == '__main__':
    sys.exit(main(sys.argv))
