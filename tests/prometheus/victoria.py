#!/usr/bin/env python3
"""The same samples from a file and from a VictoriaMetrics give the same report: by its export, by its query API, and by what auto chooses.

    victoria.py GPUTAB [NAME...]    every tests/cases, the demo, tests/cli/exporter, and limits; ends with "N passed, N failed"

VictoriaMetrics keeps some 13 digits of a number: reports are compared byte for byte, but for the CPU seconds of containers, which have
more digits; amounts that hang on them may differ by a millionth, and by a cent for having been rounded. The hash of the facts is another
one then, and so is the run's.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import equal
import exporters
import server

TRANSPORTS = 'export', 'query', 'auto'
HASHES = r'"(sha256|run_id)":"[0-9a-f]+"'
NUMBER = r'-?\d+\.\d+'


class VictoriaMetrics(server.Prometheus):
    def start(self, port):
        self.url = 'http://127.0.0.1:%d' % port
        with open(os.path.join(self.folder, 'log'), 'w', encoding='utf-8') as log:
            self.process = subprocess.Popen(
                ['victoria-metrics', '-retentionPeriod=100y', '-storageDataPath=' + os.path.join(self.folder, 'data'),
                 '-httpListenAddr=127.0.0.1:%d' % port, '-loggerLevel=ERROR'] + self.options,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def wait(self):
        for _ in range(300):
            if self.process.poll() is not None:
                return False
            try:
                with server.OPENER.open(self.url + '/health', timeout=5) as r:
                    return r.status == 200
            except OSError:
                time.sleep(0.05)
        return False

    def load(self, path):
        """A file of OpenMetrics text; what was taken can be asked for when this returns."""
        lines = []
        with open(path, encoding='utf-8') as f:
            for line in f:
                if line.strip() and not line.startswith('#'):
                    sample, at = line.rsplit(' ', 1)
                    lines.append('%s %d\n' % (sample, round(float(at) * 1000)))
        for name, data in (('api/v1/import/prometheus', ''.join(lines).encode()), ('internal/force_flush', b'')):
            with server.OPENER.open(urllib.request.Request(self.url + '/' + name, data), timeout=60) as r:
                r.read()


def started(folder, *options):
    return VictoriaMetrics(folder, options=options)


def has_fractions(path):
    """Whether there are numbers of more digits than are kept."""
    with open(path, encoding='utf-8') as f:
        return any(line.startswith('container_cpu_usage_seconds_total') for line in f)


def near(a, b):
    """The same but for hashes, and for numbers that differ by next to nothing."""
    x, y = (re.sub(HASHES, '', text) for text in (a, b))
    if re.sub(NUMBER, '', x) != re.sub(NUMBER, '', y):
        return False
    pairs = zip(re.findall(NUMBER, x), re.findall(NUMBER, y))
    return all(abs(float(p) - float(q)) <= (0.0101 if len(p.partition('.')[2]) == 2 else 1e-6 * abs(float(p)) + 1e-9) for p, q in pairs)


def differs(gputab, folder, url, args):
    a = equal.run(gputab, folder, args, ['--metrics', 'metrics.om'])
    same = near if has_fractions(os.path.join(folder, 'metrics.om')) else lambda x, y: x == y
    for transport in TRANSPORTS:
        b = equal.run(gputab, folder, args, ['--prometheus', url, '--transport', transport])
        if a[0] != b[0] or not same(equal.blind(a[1]), equal.blind(b[1])) or equal.blind(a[2]) != equal.blind(b[2]):
            pairs = zip((a[1] + a[2]).splitlines(), (b[1] + b[2]).splitlines())
            lines = '\n'.join('    %s\n    %s' % p for p in pairs if p[0] != p[1])
            return 'by %s: exit %d, not %d\n%s' % (transport, b[0], a[0], lines[:2000])
    return None


def case(gputab, folder):
    with tempfile.TemporaryDirectory() as data, started(data) as v:
        v.load(os.path.join(folder, 'metrics.om'))
        for args in equal.inputs(folder):
            yield os.path.basename(folder), differs(gputab, folder, v.url, args)


def of_exporter(gputab, name):
    """The reports of a case of tests/cli/exporter, read again."""
    with tempfile.TemporaryDirectory() as folder:
        for kept in exporters.reports(gputab, name, folder):
            args = exporters.args_of(kept)
            with tempfile.TemporaryDirectory() as data, started(data) as v:
                v.load(os.path.join(kept, 'metrics.om'))
                yield name, differs(gputab, kept, v.url, args)


# ---- what auto says, and limits ----

LIMITED = '07-pod-hand-over'


def auto(gputab):
    folder = os.path.join(equal.CASES, LIMITED)
    with tempfile.TemporaryDirectory() as data, started(data) as v:
        v.load(os.path.join(folder, 'metrics.om'))
        _, _, err = equal.run(gputab, folder, equal.inputs(folder)[0], ['--prometheus', v.url, '-v'])
    said = 'gputab: read %s by export (remote read: answers 400 Bad Request: unsupported path requested: ' % v.url
    yield 'auto says what it takes, and why', None if [x.startswith(said) for x in err.splitlines()].count(True) == 1 else err


def limits(gputab):
    """What is too much at once is asked for in halves; what is too much whatever the time is an error in the server's words."""
    folder = os.path.join(equal.CASES, LIMITED)
    args = equal.inputs(folder)[0]
    a = equal.run(gputab, folder, args, ['--metrics', 'metrics.om'])
    with tempfile.TemporaryDirectory() as data:
        with started(data) as v:
            v.load(os.path.join(folder, 'metrics.om'))
        for limit in '-search.maxSamplesPerSeries=30', '-search.maxSamplesPerQuery=300':
            with started(data, limit) as v:
                for transport in TRANSPORTS:
                    b = equal.run(gputab, folder, args, ['--prometheus', v.url, '--transport', transport])
                    good = b[0] == 0 and equal.blind(a[1]) == equal.blind(b[1]) and a[2] == b[2]
                    yield '%s by %s' % (limit, transport), None if good else 'exit %d: %s' % (b[0], b[2])
        with started(data, '-search.maxExportSeries=1', '-search.maxUniqueTimeseries=1') as v:
            code, out, err = equal.run(gputab, folder, args, ['--prometheus', v.url, '--transport', 'export'])
            good = code == 3 and not out and err.startswith('gputab: %s: answers 400 Bad Request: ' % v.url) and 'timeseries exceeds 1;' in err
            yield 'too many series', None if good else 'exit %d: %s' % (code, err)


def late(gputab):
    """One series of many is too long: the server finds out while it sends, after a status of success and megabytes of others."""
    bill = os.path.join(equal.CASES, '03-exclusive-held-unheld-cost', 'billing.csv')
    args = ['--from', '2026-10-05', '--to', '2026-10-06', '--format', 'json', '--billing', bill]
    with tempfile.TemporaryDirectory() as data:
        path = os.path.join(data, 'metrics.om')
        with open(path, 'w', encoding='utf-8') as f:
            for n in range(200):
                f.writelines('DCGM_FI_DEV_FB_USED{UUID="GPU-%d"} %d %d\n' % (n, at * 7919 % 80000, 1791158400 + at * (1 if n == 199 else 10))
                             for at in range(7000 if n == 199 else 800))
            f.write('# EOF\n')
        with started(data) as v:
            v.load(path)
        a = equal.run(gputab, data, args, ['--metrics', 'metrics.om'])
        with started(data, '-search.maxSamplesPerSeries=5000') as v:
            for transport in TRANSPORTS:
                b = equal.run(gputab, data, args, ['--prometheus', v.url, '--transport', transport])
                good = a[0] == b[0] == 0 and equal.blind(a[1]) == equal.blind(b[1])
                yield 'a limit noticed late, by ' + transport, None if good else 'exit %d: %s' % (b[0], b[2][:1000])


def guarded(results):
    try:
        return list(results)
    except (OSError, RuntimeError, subprocess.SubprocessError) as e:
        return [('a server', '%s: %s' % (type(e).__name__, e))]


def main(argv):
    if len(argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    if not server.shutil.which('victoria-metrics'):
        print('victoria-metrics is not installed: make deps-check', file=sys.stderr)
        return 1
    gputab, passed, failed = os.path.abspath(argv[1]), 0, 0
    jobs = [case(gputab, f) for f in equal.all_folders(argv[2:])] + [of_exporter(gputab, n) for n in exporters.all_names(argv[2:])]
    jobs += [] if argv[2:] else [auto(gputab), limits(gputab), late(gputab)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for results in pool.map(guarded, jobs):
            for name, fault in results:
                passed, failed = passed + (not fault), failed + bool(fault)
                print('%-4s %s%s' % ('FAIL' if fault else 'ok', name, '\n  ' + fault if fault else ''), flush=True)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
