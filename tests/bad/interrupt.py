"""Sends SIGINT, SIGTERM and SIGHUP to runs at random moments, and looks at what stays.

    interrupt.py GPUTAB [--runs N] [--seed S]

A run writes many files, some of them over older ones, so that its renames take a while too. Whenever the signal comes: either it exits with
128 + the signal's number and every file is as before, or it exits with 0 and every file is new. No temporary file stays. Only before
main() is reached does a signal end the process in its own way, and nothing is there yet.
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from mutate import WHOLE, NAMES

FILES = ['%s%d.%s' % (name, i, ext) for i in range(4) for name in ('new', 'old') for ext in ('csv', 'json', 'txt')]
OLD = 'as before\n'
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def prepare(folder):
    for entry in os.listdir(folder):
        os.unlink(os.path.join(folder, entry))
    for option, content in WHOLE.items():
        with open(os.path.join(folder, NAMES[option]), 'wb') as f:
            f.write(content)
    for name in FILES:
        if name.startswith('old'):
            with open(os.path.join(folder, name), 'w', encoding='ascii') as f:
                f.write(OLD)


def start(gputab, folder):
    command = [gputab, 'report', '--from', '2026-10-05T10:00Z', '--to', '2026-10-05T12:00Z']
    command += [word for option, name in NAMES.items() for word in (option, name)] + [word for name in FILES for word in ('-o', name)]
    return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def state(folder):
    """The files by what they are: 'old', 'new'; anything else by name."""
    found = {}
    for entry in os.listdir(folder):
        if entry in FILES:
            with open(os.path.join(folder, entry), encoding='utf-8') as f:
                found[entry] = 'old' if f.read() == OLD else 'new'
        elif entry not in NAMES.values():
            found[entry] = 'left over'
    return found


BEFORE = {name: 'old' for name in FILES if name.startswith('old')}
AFTER = {name: 'new' for name in FILES}


def one(gputab, folder, sent, delay_s):
    """(exit code, what is wrong or '')."""
    prepare(folder)
    p = start(gputab, folder)
    time.sleep(delay_s)
    p.send_signal(sent)
    err = p.communicate(timeout=60)[1]
    want = {0: AFTER, 128 + sent: BEFORE, -sent: BEFORE}.get(p.returncode)
    if want is None:
        return p.returncode, 'exit %d' % p.returncode
    if p.returncode == 128 + sent and b'gputab: interrupted' not in err:
        return p.returncode, 'stderr is %r' % err
    differs = {k: v for k, v in state(folder).items() if want.get(k) != v}
    lost = set(want) - set(state(folder))
    return p.returncode, 'exit %d, not as it must be: %s, lost: %s' % (p.returncode, differs, lost) if differs or lost else ''


def time_of_a_run(gputab, folder):
    prepare(folder)
    begin = time.monotonic()
    start(gputab, folder).communicate()
    return time.monotonic() - begin


def heed_signals():
    """What is ignored here, behind a shell's & or nohup, would be ignored by the runs too."""
    for s in SIGNALS:
        signal.signal(s, signal.default_int_handler)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('gputab')
    p.add_argument('--runs', type=int, default=150)
    p.add_argument('--seed', type=int, default=1)
    a = p.parse_args()
    heed_signals()
    gputab, rng = os.path.abspath(a.gputab), random.Random(a.seed)
    passed = failed = 0
    ends = {'done': 0, 'interrupted': 0, 'not begun': 0}
    with tempfile.TemporaryDirectory() as folder:
        longest_s = time_of_a_run(gputab, folder)
        for _ in range(a.runs):
            rc, wrong = one(gputab, folder, rng.choice(SIGNALS), rng.random() * longest_s)
            longest_s *= 0.97 if rc == 0 else 1.03           # so that half of the runs end before the signal, however busy the machine
            ends['done' if rc == 0 else 'interrupted' if rc > 0 else 'not begun'] += 1
            passed += not wrong
            failed += bool(wrong)
            if wrong:
                print('failed: %s' % wrong)
    print('note: ' + ', '.join('%d %s' % (n, what) for what, n in ends.items()))
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0 or ends['interrupted'] == 0


if __name__ == '__main__':
    sys.exit(main())
