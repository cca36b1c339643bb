#!/usr/bin/env python3
"""What a real Prometheus answers does not hang on how it is asked, nor on its limits.

    ways.py GPUTAB READ         READ is tests/prometheus/read.c; ends with "N passed, N failed"

One server has numbers that are hard to write down, in tiny frames: by chunks and by samples it must give them alike, bit for bit. Servers
with small limits have the demo and a case: the reports are those of the file.
"""
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import equal
import server

BEGIN, SAMPLES = 1791158400, 700                       # 2026-10-05; some chunks of 120
KEPT = '--storage.tsdb.retention.time=100y'
LIMITS = ('--query.max-samples=300',), ('--storage.remote.read-sample-limit=1',), ('--storage.remote.read-max-bytes-in-frame=100',), \
         ('--storage.remote.read-concurrent-limit=1', '--query.max-concurrency=1')


def numbers(rng):
    """Counters, gauges, and whatever 64 bits may be, but for -0, whose sign Prometheus leaves out of samples."""
    kinds = (lambda at: 10.0 * at, lambda at: rng.choice((0, 81920, 4096)), lambda at: rng.random() * 10 ** rng.randrange(-30, 30),
             lambda at: struct.unpack('d', rng.randbytes(8))[0], lambda at: rng.choice((math.inf, -math.inf, math.nan, 0.0, 5e-324)))
    return [(kind(at), BEGIN * 1000 + at * 15000 + rng.choice((0, 0, 0, 1, -7, 5000)) * (number > 1))
            for number, kind in enumerate(kinds) for at in range(SAMPLES)]


def write_numbers(path):
    rng, written = random.Random(4), {}
    with open(path, 'w', encoding='utf-8') as f:
        for i, (value, at) in enumerate(numbers(rng)):
            labels = 'hard{kind="%d",text="ä \\" \\\\"}' % (i // SAMPLES)
            f.write('%s %s %d.%03d\n' % (labels, repr(value).replace('inf', 'Inf').replace('nan', 'NaN'), *divmod(at, 1000)))
            written.setdefault(str(i // SAMPLES), []).append((at, value))
        f.write('# EOF\n')
    return written


def read(program, url, how, *span):
    p = subprocess.run([program, url + '/api/v1/read', 'hard', *map(str, span), how], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       timeout=60)
    if p.returncode:
        raise RuntimeError('exit %d: %s' % (p.returncode, p.stderr.decode()))
    kind, *lines = p.stdout.decode().splitlines()
    series = {}
    for line in lines:                                 # a series may be named in several frames
        if line.startswith('series '):
            at = series.setdefault(line, [])
        else:
            at.append(line)
    return kind, series


def bits(value):
    return struct.pack('>d', value).hex() if value == value else '7ff8000000000001'    # Prometheus knows one NaN beside the marker


def forms(program):
    with tempfile.TemporaryDirectory() as data:
        written = write_numbers(os.path.join(data, 'metrics.om'))
        server.load(data, os.path.join(data, 'metrics.om'))
        with server.Prometheus(data, options=(KEPT, '--storage.remote.read-max-bytes-in-frame=500')) as p:
            whole = BEGIN * 1000 - 10 ** 6, BEGIN * 1000 + SAMPLES * 15000 + 10 ** 6
            part = BEGIN * 1000 + 15000 * 100, BEGIN * 1000 + 15000 * 333
            for span in whole, part, (part[0], part[0]):
                chunks, samples = read(program, p.url, 'chunks', *span), read(program, p.url, 'samples', *span)
                wanted = ['%d %s' % (at, bits(value)) for _, told in sorted(written.items()) for at, value in told
                          if span[0] <= at <= span[1]]
                right = [x for s in samples[1].values() for x in s]
                yield 'by its type, %d ms' % (span[1] - span[0]), (
                    'streamed' in chunks[0] and 'streamed' not in samples[0], (chunks[0], samples[0]))
                alike = [{k: v for k, v in x[1].items() if v} for x in (chunks, samples)]
                yield 'chunks and samples', (alike[0] == alike[1], 'they differ')
                yield 'what was written', (right == wanted, '%d and %d samples' % (len(right), len(wanted)))


def limits(gputab):
    folders = [equal.DEMO, os.path.join(equal.CASES, '08-honorlabels-false-ha-pair')]
    for options in LIMITS:
        for folder in folders:
            with tempfile.TemporaryDirectory() as data:
                server.load(data, os.path.join(folder, 'metrics.om'))
                with server.Prometheus(data, options=(KEPT,) + options) as p:
                    fault = equal.differs(gputab, folder, p.url, equal.inputs(folder)[-1])
            yield '%s: %s' % (os.path.basename(folder), ' '.join(options)), (not fault, fault)


def main(argv):
    if len(argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    if not server.installed():
        print('prometheus and promtool are not installed: make deps-check', file=sys.stderr)
        return 1
    passed = failed = 0
    for part in (forms(os.path.abspath(argv[2])), limits(os.path.abspath(argv[1]))):
        for name, (good, text) in part:
            passed, failed = passed + bool(good), failed + (not good)
            print('%-4s %s%s' % ('ok' if good else 'FAIL', name, '' if good else '\n  %s' % (text,)), flush=True)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
