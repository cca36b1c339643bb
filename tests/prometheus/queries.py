#!/usr/bin/env python3
"""The PromQL that explain gives for a pod is valid, and a Prometheus with the same samples answers with the pod's figures.

    queries.py GPUTAB       one line per pod of the demo, then "N passed, N failed"

GiB-hours are the report's vram_gib_hours, within the interval that ends stand for: 2 % of them or a sample's worth. Where every pod shows a
copy of its card's memory (grade C) the report divides what Prometheus sums, so that it has more.
"""
import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import equal
import server

ARGS = ['--month', '2024-09', '--billing', 'billing.csv', '--rule', 'rule.yaml', '-q', '--format', 'json']


def output(gputab, command, more):
    code, out, err = equal.run(gputab, equal.DEMO, ARGS + more, ['--metrics', 'metrics.om'], command)
    if code != 0:
        raise RuntimeError('%s %s: exit %d: %s' % (command, more, code, err))
    return json.loads(out)


def queries(explanation, what):
    return [line['note'] for s in explanation['sections'] if s['section'] == 'promql' for line in s['lines'] if line['what'] == what]


def answer(p, query):
    """The one number of a query, 0 where nothing was found."""
    found = p.query(query, 1727740800)
    if len(found) > 1:
        raise RuntimeError('several answers: %s' % query)
    return float(found[0]['value'][1]) if found else 0.0


def check(gputab, p, row):
    x = output(gputab, 'explain', ['--pod', row['pod']])
    want, estimated = float(row['vram_gib_hours']), float(row['grade']['C']) > 0
    got = sum(answer(p, q) for q in queries(x, 'GiB-hours of GPU memory'))
    hours = sum(answer(p, q) for q in queries(x, 'hours on devices, each one\'s'))
    if not queries(x, 'GiB-hours of GPU memory'):
        return 'no query'
    if hours <= 0:
        return 'no hours'
    if estimated:
        return None if got >= want else 'GiB-hours %f, divided %f' % (got, want)
    return None if abs(got - want) <= max(0.02 * want, want / hours / 60) else 'GiB-hours %f, reported %f' % (got, want)


def main(gputab):
    if not server.installed():
        print('not tried: no prometheus or promtool here')
        return 1
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        server.load(folder, os.path.join(equal.DEMO, 'metrics.om'))
        with server.Prometheus(folder) as p:
            for row in output(gputab, 'report', ['--by', 'pod'])['rows']:
                if not row['pod'] or float(row['vram_gib_hours']) == 0:
                    continue
                error = check(gputab, p, row)
                passed, failed = passed + (not error), failed + bool(error)
                print('%s: %s' % (row['pod'], error or 'ok'))
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main(os.path.abspath(sys.argv[1])))
