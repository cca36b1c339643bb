"""What the property tests share: inputs, running the program, and telling what failed.

An input is a folder like those of tests/cases: billing.csv, metrics.om, rule.yaml, args and perhaps nodes.csv. Random ones come from
tests/oracle/worlds.py, known ones from tests/cases and examples/demo. A property is a function of an input that yields what is wrong; it
raises LeftOut where it does not apply, and a property that never applied has failed. Nothing here knows what a report should say.

    X_property.py GPUTAB [--seeds A-B] [--only NAME] [--jobs N] [--keep DIR]
"""
import argparse
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'oracle'))

import worlds

DEMO_ARGS = '--month 2024-09 --by team'
FILES = (('--billing', 'billing.csv'), ('--metrics', 'metrics.om'), ('--rule', 'rule.yaml'), ('--nodes', 'nodes.csv'))
FORMATS = {'json': 'json', 'csv': 'csv', 'plain': 'txt', 'jsonl': 'jsonl'}       # and their extensions
UNIT = 10 ** 12


class LeftOut(Exception):
    """The property says nothing about this input."""


class Wrong(Exception):
    """The program refused what it must take."""


def units(text):
    """Money with twelve decimals as a whole number of its last decimal."""
    whole, point, part = text.partition('.')
    if not point or len(part) != 12:
        raise ValueError('not an exact amount: %s' % text)
    return int(whole + part)


def money_text(n):
    return '%s%d.%012d' % ('-' if n < 0 else '', abs(n) // UNIT, abs(n) % UNIT)


def read(path):
    with open(path, encoding='utf-8', newline='') as f:
        return f.read()


def write(path, text):
    with open(path, 'w', encoding='utf-8', newline='') as f:
        f.write(text)


def members_once(pairs):
    """An object whose names are all different."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError('an object has two members of one name: %s' % [name for name, _ in pairs])
    return dict(pairs)


def json_of(text):
    return json.loads(text, object_pairs_hook=members_once)


class Input:
    """name, folder, period and by of one input; `world` is the random world it was made from, or None."""

    def __init__(self, gputab, name, folder, world=None):
        self.gputab, self.name, self.folder, self.world = gputab, name, folder, world
        self.rng = random.Random('of ' + name)
        args = read(os.path.join(folder, 'args')).split()
        self.by = args.pop(args.index('--by') + 1).split(',')
        args.remove('--by')
        self.period = args
        self.scratch, self.made = 0, None

    def text(self, file):
        return read(os.path.join(self.folder, file))

    def rule(self):
        """The rule as a tree; only worlds write theirs as JSON."""
        return json.loads(self.text('rule.yaml'))

    def folder_with(self, **files):
        """A folder with the same input but for these files (None: without it); billing_csv stands for billing.csv."""
        self.scratch += 1
        folder = os.path.join(self.folder, 'variant-%d' % self.scratch)
        os.mkdir(folder)
        changed = {k.replace('_', '.'): v for k, v in files.items()}
        for _, name in FILES:
            source = os.path.join(self.folder, name)
            if name in changed:
                if changed[name] is not None:
                    write(os.path.join(folder, name), changed[name])
            elif os.path.exists(source):
                os.link(source, os.path.join(folder, name))
        return folder

    def command(self, folder=None, by=None, period=None, more=()):
        out = [self.gputab, 'report'] + (period or self.period) + ['--by', ','.join(by or self.by)]
        for option, name in FILES:
            if option not in more and os.path.exists(os.path.join(folder or self.folder, name)):
                out += [option, name]
        return out + list(more)

    def run(self, folder=None, by=None, period=None, more=(), env=None, stdin=None):
        """(exit, stdout, stderr), all as bytes."""
        p = subprocess.run(self.command(folder, by, period, more), cwd=folder or self.folder, capture_output=True, input=stdin,
                           stdin=None if stdin is not None else subprocess.DEVNULL, timeout=120, env=dict(os.environ, **(env or {})))
        return p.returncode, p.stdout, p.stderr

    def output(self, **how):
        code, out, err = self.run(**how)
        if code != 0:
            raise Wrong('exit %d: %s' % (code, (err.decode('utf-8', 'replace').strip().splitlines() or ['no message'])[0]))
        return out

    def report(self, more=(), **how):
        return json_of(self.output(more=list(more) + ['--format', 'json', '-q'], **how))

    def outputs(self, more=(), **how):
        """{format: text}, each of a run of its own: files would be synced to the disk each time."""
        return {f: self.output(more=list(more) + ['--format', f, '-q'], **how).decode('utf-8') for f in FORMATS}

    def outputs_of_one_run(self):
        """The same through -o, all of one run."""
        out = tempfile.mkdtemp(dir=self.folder)
        paths = {form: os.path.join(out, 'report.' + extension) for form, extension in FORMATS.items()}
        self.output(more=[x for p in paths.values() for x in ('-o', p)] + ['-q'])
        return {form: read(p) for form, p in paths.items()}

    def own_outputs(self):
        """The outputs of the input as it is, made once."""
        if self.made is None:
            self.made = self.outputs()
        return self.made


def exact_sum(report):
    return sum(units(r['total_exact']) for r in report['rows'])


def exact_rows(report, keys=None):
    """{key values: exact total}; rows of one key add up, zeros are left out."""
    out = {}
    for r in report['rows']:
        key = tuple(r[k] for k in keys or report['by']) + (r['bucket'],)
        out[key] = out.get(key, 0) + units(r['total_exact'])
    return {k: v for k, v in out.items() if v}


def row_differences(want, got, names=('expected', 'got')):
    for key in sorted(set(want) | set(got), key=str):
        a, b = want.get(key, 0), got.get(key, 0)
        if a != b:
            yield '%s: %s %s, %s %s' % ('/'.join(str(k) for k in key), names[0], money_text(a), names[1], money_text(b))


def first_difference(want, got):
    """The first line in which two texts differ, cut to where they do."""
    a, b = want.splitlines(), got.splitlines()
    for i, (x, y) in enumerate(zip(a, b)):
        if x != y:
            at = next((k for k, (c, d) in enumerate(zip(x, y)) if c != d), min(len(x), len(y)))
            start = max(0, at - 40)
            return 'line %d: %r, was %r' % (i + 1, y[start:at + 60], x[start:at + 60])
    return '%d lines, were %d' % (len(b), len(a)) if len(a) != len(b) else 'line ends differ'


# ---- the runner -----------------------------------------------------------------------------------------------------

def make_input(gputab, job, folder):
    kind, name = job
    if kind == 'world':
        world = worlds.World(name)
        world.write(folder)
        return Input(gputab, 'seed %d' % name, folder, world)
    source = os.path.join(ROOT, 'tests', 'cases', name) if kind == 'case' else os.path.join(ROOT, 'examples', 'demo')
    for _, file in FILES + (('', 'args'),):
        if os.path.exists(os.path.join(source, file)):
            shutil.copy(os.path.join(source, file), folder)
    if kind == 'demo':
        write(os.path.join(folder, 'args'), DEMO_ARGS)
    return Input(gputab, name, folder)


def ask(prop, item):
    try:
        return [e for e in prop(item)], None
    except LeftOut as e:
        return [], str(e)
    except Wrong as e:
        return [str(e)], None
    except Exception as e:
        where = traceback.extract_tb(e.__traceback__)[-1]
        return ['%s: %s (%s:%d)' % (type(e).__name__, e, os.path.basename(where.filename), where.lineno)], None


def runs_at_all(item, kind):
    """Cases of parts that are not built are the case runner's affair; a world must run."""
    code, _, err = item.run(more=['--format', 'json'])
    if code != 0 and kind == 'case':
        return None
    return '' if code == 0 else 'exit %d: %s' % (code, err.decode('utf-8', 'replace')[:300])


def one_input(task):
    gputab, job, properties, keep = task
    folder = tempfile.mkdtemp(prefix='property-')
    try:
        item = make_input(gputab, job, folder)
        refused = runs_at_all(item, job[0])
        if refused is None:
            return item.name, [(p.__name__, [], 'the case does not run') for p in properties]
        answers = [(p.__name__,) + (([refused], None) if refused else ask(p, item)) for p in properties]
        if keep and any(errors for _, errors, _ in answers):
            shutil.copytree(folder, os.path.join(keep, item.name.replace(' ', '-')), dirs_exist_ok=True)
        return item.name, answers
    finally:
        shutil.rmtree(folder)


class Tally:
    def __init__(self, properties):
        self.passed, self.failed = 0, 0
        self.done = {p.__name__: 0 for p in properties}
        self.left_out = {p.__name__: {} for p in properties}

    def add(self, name, answers):
        for prop, errors, reason in answers:
            if reason is not None:
                self.left_out[prop][reason] = self.left_out[prop].get(reason, 0) + 1
                continue
            self.done[prop] += 1
            self.passed, self.failed = self.passed + (not errors), self.failed + bool(errors)
            for e in errors[:3]:
                print('%s: %s: %s' % (name, prop, e))
            if len(errors) > 3:
                print('%s: %s: %d more' % (name, prop, len(errors) - 3))

    def end(self):
        for prop, n in self.done.items():
            reasons = ['%s %d' % (r, c) for r, c in sorted(self.left_out[prop].items())]
            print('%s: %d inputs%s' % (prop, n, '; left out: ' + ', '.join(reasons) if reasons else ''))
            if n == 0:
                print('%s: no input to try it on' % prop)
                self.failed += 1
        print('%d passed, %d failed' % (self.passed, self.failed))
        return 1 if self.failed else 0


def cases():
    folder = os.path.join(ROOT, 'tests', 'cases')
    return [('case', n) for n in sorted(os.listdir(folder)) if os.path.exists(os.path.join(folder, n, 'args'))]


def main(properties, seeds, known=True):
    """Try the properties on the worlds of the seeds and, where asked, on the cases and the demo."""
    p = argparse.ArgumentParser()
    p.add_argument('gputab')
    p.add_argument('--seeds', default=seeds, help='worlds A-B, %s unless given' % seeds)
    p.add_argument('--only', help='one property')
    p.add_argument('--jobs', type=int, default=os.cpu_count())
    p.add_argument('--keep', help='keep inputs that failed in this folder')
    args = p.parse_args()
    first, _, last = args.seeds.partition('-')
    jobs = [('demo', 'demo')] + cases() if known else []
    jobs += [('world', s) for s in range(int(first), int(last or first) + 1)]
    properties = [f for f in properties if args.only in (None, f.__name__)]
    tasks = [(os.path.abspath(args.gputab), job, properties, args.keep) for job in jobs]
    tally = Tally(properties)
    with multiprocessing.Pool(args.jobs) as pool:
        for name, answers in pool.imap(one_input, tasks):
            tally.add(name, answers)
    sys.exit(tally.end())
