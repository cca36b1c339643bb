#!/usr/bin/env python3
"""The made fleet in a Prometheus: writes it as text, loads it as blocks, keeps it for the next run.

    load.py FLEET_TEXT FOLDER [--nodes 64] [--days 30] [--step 60]

prints the folder with its data: data/ (of Prometheus), bill.csv, rule.yaml, expected.csv and about.json. Samples that are already there
for the same plan are used again; the rest is written anew. A slice of the text is 18 hours: promtool makes a block of them, and reads its
input once for each block.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
SLICE_H = 18
# Without such a retention old samples are deleted at once, and larger blocks would be made while something is measured.
OPTIONS = ['--storage.tsdb.retention.time=100y', '--storage.tsdb.max-block-duration=%dh' % SLICE_H]


def plan_hash(program):
    """Of a slice of eight nodes: what changes the samples of a fleet changes that."""
    h = hashlib.sha256()
    with subprocess.Popen([program, 'metrics', '8', '1', '60', '0'], stdout=subprocess.PIPE) as p:
        while piece := p.stdout.read(1 << 16):         # in pieces: measure.FLOOR_MIB
            h.update(piece)
    return h.hexdigest()[:16]


def load_slice(program, size, folder, slice_no):
    text = os.path.join(folder, 'slice-%d.om' % slice_no)
    with open(text, 'wb') as out:
        subprocess.run([program, 'metrics'] + size + [str(slice_no)], stdout=out, check=True, timeout=600)
    p = subprocess.run(['promtool', 'tsdb', 'create-blocks-from', 'openmetrics', '--quiet', '--max-block-duration=%dh' % SLICE_H, text,
                        os.path.join(folder, 'data')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    os.remove(text)
    if p.returncode != 0:
        raise RuntimeError('promtool: %s' % p.stdout.decode('utf-8', 'replace').strip())


def write(program, args, path):
    with open(path, 'wb') as out:
        subprocess.run([program] + args, stdout=out, check=True, timeout=600)


def load(program, size, folder):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        slices = range(-(-int(size[1]) * 24 // SLICE_H))
        for done, _ in enumerate(pool.map(lambda n: load_slice(program, size, folder, n), slices), 1):
            if sys.stderr.isatty():
                print('\rloading the fleet into Prometheus: %d of %d ' % (done, len(slices)), end='\n' if done == len(slices) else '',
                      file=sys.stderr, flush=True)


def counts(a, nodes, days, step=60):
    """Samples, series and pods of a fleet; `a` has the folder of the programs."""
    return json.loads(subprocess.check_output([os.path.join(a.programs, 'fleet_text'), 'count'] + [str(n) for n in (nodes, days, step)]))


def loaded(about, plan):
    """What about.json says, when it is of this plan."""
    if not os.path.exists(about):
        return None
    with open(about, encoding='utf-8') as f:
        known = json.load(f)
    return known if known['plan'] == plan else None


def ensure(program, base, nodes, days, step):
    """The folder of this fleet, and what about.json says."""
    folder = os.path.join(base, 'fleet-%d-nodes-%d-days-%d-s' % (nodes, days, step))
    about, size = os.path.join(folder, 'about.json'), [str(n) for n in (nodes, days, step)]
    plan = plan_hash(program)
    known = loaded(about, plan)
    if not known:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        start = time.monotonic()
        load(program, size, folder)
        known = json.loads(subprocess.check_output([program, 'count'] + size))
        known.update(plan=plan, nodes=nodes, days=days, step=step, load_s=round(time.monotonic() - start, 1))
        with open(about, 'w', encoding='utf-8') as f:     # last: what is not whole is not used
            json.dump(known, f)
    for what in ('bill', 'expected'):
        write(program, [what] + size, os.path.join(folder, what + '.csv'))
    shutil.copy(os.path.join(HERE, 'rule.yaml'), folder)
    return folder, known


def main(argv):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('program')
    p.add_argument('folder')
    for name, default in (('nodes', 64), ('days', 30), ('step', 60)):
        p.add_argument('--' + name, type=int, default=default)
    a = p.parse_args(argv[1:])
    folder, about = ensure(os.path.abspath(a.program), os.path.abspath(a.folder), a.nodes, a.days, a.step)
    print(folder)
    print(json.dumps(about), file=sys.stderr)
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
