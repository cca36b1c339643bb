#!/usr/bin/env python3
"""`gputab check` of a real Prometheus: what it finds in the demo's samples, and how far back a server reaches that keeps less than asked for.

    survey.py GPUTAB        ends with "N passed, N failed"

The demo's samples end before the month does, so that the whole month is read: every line is that of the file. The second server holds
samples of one GPU from an odd instant on; only its last hours are read, and the instant is found by probing. Its node has no name, which is fatal: 4.
The third no longer has the period asked for, but samples until now: the oldest of them is told, and what the exporter offers.
"""
import datetime
import os
import re
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import equal
import server

UTC = datetime.timezone.utc
BEGIN = int(datetime.datetime(2024, 9, 10, 5, 17, tzinfo=UTC).timestamp())
END = int(datetime.datetime(2024, 9, 13, tzinfo=UTC).timestamp())
SERIES = {'DCGM_FI_DEV_FB_USED': 1024, 'DCGM_FI_DEV_FB_FREE': 14000}
LABELS = 'gpu="0",UUID="GPU-00000000-0000-4000-8000-000000000001",modelName="Tesla T4",Hostname="node-a"'
HOUR, DAY = 3600, 86400


def check(gputab, folder, args):
    code, out, err = equal.run(gputab, folder, args, [], 'check')
    return code, out + err


def write_samples(path, begin=BEGIN, end=END):
    with open(path, 'w', encoding='utf-8') as f:
        for name, value in SERIES.items():
            for t in range(begin, end, 60):
                f.write('%s{%s} %d %d\n' % (name, LABELS, value, t))
        f.write('# EOF\n')


def demo(gputab):
    """Findings of the server are the findings of the file."""
    args = ['--month', '2024-09', '--rule', 'rule.yaml']
    with tempfile.TemporaryDirectory() as data:
        server.load(data, os.path.join(equal.DEMO, 'metrics.om'))
        with server.Prometheus(data) as p:
            file = check(gputab, equal.DEMO, args + ['--metrics', 'metrics.om'])
            served = check(gputab, equal.DEMO, args + ['--prometheus', p.url])
            gaps = check(gputab, equal.DEMO, ['--from', '2024-09-01', '--to', '2024-09-29T22:00Z', '--prometheus', p.url])
    same = file[0] == served[0] == 0 and equal.blind(file[1]) == equal.blind(served[1])
    yield 'the demo: as from the file', same and 'found     GPU memory' in file[1], served[1]
    yield 'nights without a GPU hide no older sample', 'GPU samples from 2024-09-12T01:00:00Z to' in gaps[1], gaps[1]


def begin_found(text):
    m = re.search(r'(?:GPU samples from|the oldest is of)\s+(\S+)', text)
    return int(datetime.datetime.fromisoformat(m.group(1).replace('Z', '+00:00')).timestamp()) if m else None


def reach(gputab):
    with tempfile.TemporaryDirectory() as data:
        write_samples(os.path.join(data, 'metrics.om'))
        server.load(data, os.path.join(data, 'metrics.om'))
        with server.Prometheus(data) as p:
            args = ['--prometheus', p.url, '--to', '2024-09-13', '--from']
            code, text = check(gputab, data, args + ['2024-09-01'])
            begin = begin_found(text)
            yield 'a server that keeps less than asked for', code == 4 and begin is not None and 0 <= begin - BEGIN <= HOUR, text
            yield 'says so', re.search(r'^partly +time', text, re.M) is not None and 'looked at 2024-09-12T18:00:00Z' in text, text
            code, text = check(gputab, data, args + ['2024-09-11'])
            yield 'a server that keeps more', code == 4 and re.search(r'^found +time', text, re.M) is not None, text
            args[args.index('--to') + 1] = '2024-09-03'
            code, text = check(gputab, data, args + ['2024-09-01'])
            yield 'a period before all samples', code == 4 and re.search(r'^missing!', text, re.M) is not None, text


def no_longer_kept(gputab):
    now = int(time.time()) // 60 * 60
    begin = now - 2 * DAY - 23 * 60
    days = [time.strftime('%Y-%m-%d', time.gmtime(now - n * DAY)) for n in (20, 10)]
    with tempfile.TemporaryDirectory() as data:
        write_samples(os.path.join(data, 'metrics.om'), begin, now)
        server.load(data, os.path.join(data, 'metrics.om'))
        with server.Prometheus(data) as p:
            code, text = check(gputab, data, ['--prometheus', p.url, '--from', days[0], '--to', days[1]])
    oldest = begin_found(text)
    yield 'a period that is no longer kept', code == 4 and oldest is not None and 0 <= oldest - begin <= HOUR, text
    yield 'and what there is now', re.search(r'^found +GPU memory +1 GPU$', text, re.M) is not None and 'looked at ' in text, text


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if not server.installed():
        print('prometheus and promtool are not installed: make deps-check', file=sys.stderr)
        return 1
    gputab, passed, failed = os.path.abspath(argv[1]), 0, 0
    for part in (demo, reach, no_longer_kept):
        for name, good, text in part(gputab):
            passed, failed = passed + bool(good), failed + (not good)
            print('%-4s %s' % ('ok' if good else 'FAIL', name))
            if not good:
                print(text)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
