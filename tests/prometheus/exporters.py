#!/usr/bin/env python3
"""Every report of tests/cli/exporter, from a Prometheus server that was loaded with its samples, gives the bytes that the file gives.

    exporters.py GPUTAB [NAME...]

A case is a script, so it is run with a gputab in its path that keeps what each report reads; then the reports are made again.
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import equal
import server

CLI = os.path.join(HERE, '..', 'cli', 'exporter')
KEEPER = '''#!%s
import json, os, shutil, subprocess, sys
kept = os.path.join(%r, '%%03d' %% len(os.listdir(%r)))
shutil.copytree('.', kept)
with open(os.path.join(kept, 'argv'), 'w') as f:
    json.dump(sys.argv[1:], f)
sys.exit(subprocess.call([%r] + sys.argv[1:]))
'''


def reports(gputab, name, folder):
    """Runs the case and returns the folders that its reports read."""
    kept, work, path = (os.path.join(folder, n) for n in ('kept', 'work', 'bin'))
    for f in (kept, work, path):
        os.mkdir(f)
    wrapper = os.path.join(path, 'gputab')
    with open(wrapper, 'w', encoding='utf-8') as f:
        f.write(KEEPER % (sys.executable, kept, kept, gputab))
    os.chmod(wrapper, 0o755)
    env = dict(os.environ, PATH=path + os.pathsep + os.environ['PATH'], CASES=os.path.abspath(os.path.join(HERE, '..', 'cases')))
    subprocess.run(['sh', os.path.abspath(os.path.join(CLI, name, 'cmd'))], cwd=work, env=env, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    return [os.path.join(kept, n) for n in sorted(os.listdir(kept))]


def args_of(folder):
    """Of a report that was kept, but for the metrics, which are in metrics.om."""
    with open(os.path.join(folder, 'argv'), encoding='utf-8') as f:
        args = json.load(f)
    at = args.index('--metrics')
    if args[at + 1] != 'metrics.om':
        raise ValueError('metrics in ' + args[at + 1])
    return args[1:at] + args[at + 2:]


def compare(gputab, folder):
    with tempfile.TemporaryDirectory() as data:
        server.load(data, os.path.join(folder, 'metrics.om'))
        with server.Prometheus(data) as p:
            return equal.differs(gputab, folder, p.url, args_of(folder))


def all_names(names):
    """Every case, or those of the names that are."""
    found = sorted(n for n in os.listdir(CLI) if os.path.exists(os.path.join(CLI, n, 'cmd')) and n != 'every-family')
    return [n for n in found if not names or n in names]


def guarded(gputab, name):
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = reports(gputab, name, folder)
            return [compare(gputab, f) for f in found] or ['no report']
    except (OSError, RuntimeError, ValueError, subprocess.SubprocessError) as e:
        return ['%s: %s' % (type(e).__name__, e)]


def main(argv):
    if len(argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    if not server.installed():
        print('prometheus and promtool are not installed: make deps-check', file=sys.stderr)
        return 1
    gputab, passed, failed = os.path.abspath(argv[1]), 0, 0
    names = all_names(argv[2:])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, faults in zip(names, pool.map(lambda n: guarded(gputab, n), names)):
            bad = [f for f in faults if f]
            passed, failed = passed + len(faults) - len(bad), failed + len(bad)
            print('%-4s %s' % ('FAIL' if bad else 'ok', name))
            for f in bad:
                print('  ' + f)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
