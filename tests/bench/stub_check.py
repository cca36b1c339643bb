#!/usr/bin/env python3
"""The stub answers remote read like Prometheus: the same series in the same order, the same samples, chunks that say what they hold.

    stub_check.py PROGRAMS FOLDER       compares them, with a small fleet that is loaded into FOLDER

In a program of its own, since a runner that held samples could not measure peaks any more (measure.FLOOR_MIB).
"""
import os
import subprocess
import sys
import urllib.request

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'prometheus')]

import load  # noqa: E402
import server  # noqa: E402
import wire  # noqa: E402

NODES, DAYS = 8, 2
START, HOUR, DAY = 1790812800000, 3600000, 86400000
QUESTIONS = (
    (START + 5 * HOUR, START + 13 * HOUR, ('__name__', '=~', 'DCGM_FI_DEV_FB_USED|kube_pod_info')),
    (START - DAY, START + DAYS * DAY, ('__name__', '=', 'kube_pod_labels')),
    (START, START + DAY, ('__name__', '=~', 'kube_n.*|x'), ('node', '!=', 'ip-10-20-1-12')),
    (START + DAYS * DAY - 7000, START + 3 * DAY, ('__name__', '=~', '.*')),
)


class Stub:
    """The server; it ends with its standard input."""

    def __init__(self, program, nodes, days):
        self.args = [program, str(nodes), str(days), '60']

    def __enter__(self):
        self.process = subprocess.Popen(self.args, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.url = 'http://127.0.0.1:%d' % int(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


def fetch(url, body):
    with server.OPENER.open(urllib.request.Request(url + '/api/v1/read', body, wire.HEADERS), timeout=600) as r:
        if r.headers['Content-Type'] != wire.CONTENT_TYPE:
            raise RuntimeError('remote read answers with %s' % r.headers['Content-Type'])
        return r.read()


def answer(url, from_ms, to_ms, *matchers):
    """[(labels, samples inside the span)]; frames of one series are one."""
    out = []
    for labels, chunks in wire.series(fetch(url, wire.request(from_ms, to_ms, *matchers))):
        for first, last, samples in chunks:
            if (first, last) != (samples[0][0], samples[-1][0]) or last < from_ms or first > to_ms:
                raise RuntimeError('a chunk that is not what it says, or not what was asked for')
        inside = [s for c in chunks for s in c[2] if from_ms <= s[0] <= to_ms]
        if out and out[-1][0] == labels:
            out[-1][1].extend(inside)
        elif inside:
            out.append((labels, inside))
    return out


def check(programs, base):
    folder, _ = load.ensure(os.path.join(programs, 'fleet_text'), base, NODES, DAYS, 60)
    n = 0
    with server.Prometheus(folder, options=load.OPTIONS) as prom, Stub(os.path.join(programs, 'stub'), NODES, DAYS) as stub:
        for question in QUESTIONS:
            wanted, got = answer(prom.url, *question), answer(stub.url, *question)
            if wanted != got or not wanted:
                raise RuntimeError('the stub does not answer %r like Prometheus' % (question,))
            n += sum(len(s) for _, s in got)
    print('the stub gives Prometheus\' own answers: %d questions, %d samples' % (len(QUESTIONS), n), flush=True)


if __name__ == '__main__':
    check(*sys.argv[1:3])
