#!/usr/bin/env python3
"""A Prometheus scrapes fake exporters every second while pods and targets vanish: the report from the server is the report from what the
exporters say they served.

    live.py GPUTAB          about half a minute; ends with "N passed, N failed"

Each exporter counts its answers in a metric of its own, so that the server tells at which instant it stored which answer; the exporters'
own log with these instants is the file to compare with. Stale markers, failed scrapes and targets that are gone must leave no trace.
"""
import datetime
import json
import os
import re
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import equal
import server

SECONDS = 26
CONFIG = '''global: {scrape_interval: 1s, scrape_timeout: 900ms}
scrape_configs:
  - {job_name: dcgm-exporter, honor_labels: true, file_sd_configs: [{files: [%(folder)s/gpu.json]}]}
  - {job_name: kube-state-metrics, honor_labels: true, file_sd_configs: [{files: [%(folder)s/ksm.json]}]}
'''
BILL = ('BilledCost,BillingCurrency,ChargeCategory,ChargeDescription,ChargePeriodEnd,ChargePeriodStart,ConsumedQuantity,ConsumedUnit,'
        'EffectiveCost,PricingCategory,ProviderName,RegionId,ResourceId,ResourceType,ServiceCategory,ServiceName,SkuPriceDetails\n')
ROW = '%s,USD,Usage,instance hours,%s,%s,2,Hours,%s,Standard,AWS,us-east-1,%s,instance,Compute,Amazon Elastic Compute Cloud,"{""InstanceType"": ""p5.4xlarge""}"\n'
MAX_GAP = 3
RULE = 'schema: gputab.rule/1\ngpu: {max_gap: %ds}\n' % MAX_GAP
GIB = 1024


class Exporter:
    """Serves page(second) as long as it is a text; None is a failure. Keeps what it served."""
    def __init__(self, job, page):
        self.job, self.page, self.log, self.began, self.lock = job, page, [], time.time(), threading.Lock()
        exporter = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                lines = exporter.page(time.time() - exporter.began)
                if lines is None:
                    return self.send_error(503)
                body = ''.join('%s\n' % x for x in lines + ['answer_number %d' % exporter.keep(lines)]).encode()
                self.send_response(200)
                self.send_header('Content-Type', 'text/plain; version=0.0.4')
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.http = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.http.daemon_threads = True
        self.address = '127.0.0.1:%d' % self.http.server_address[1]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def keep(self, lines):
        """The number of the answer."""
        with self.lock:
            self.log.append(lines)
            return len(self.log) - 1

    def samples(self, p, now):
        """Its log at the instants of the server, as lines of OpenMetrics text."""
        for s in p.query('answer_number{instance="%s"}[2h]' % self.address, now):
            for at, number in s['values']:
                for line in self.log[int(number)]:
                    series, value = line.rsplit(' ', 1)
                    target = 'instance="%s",job="%s"' % (self.address, self.job)
                    yield float(at), '%s,%s} %s %.3f' % (series[:-1], target, value, float(at))

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def gpu(node, uuid, used, pod=''):
    labels = 'UUID="%s",Hostname="%s",modelName="NVIDIA H100 80GB HBM3",gpu="0"' % (uuid, node)
    if pod:
        labels += ',namespace="live",pod="%s",container="main"' % pod
    return ['DCGM_FI_DEV_FB_USED{%s} %d' % (labels, used), 'DCGM_FI_DEV_FB_FREE{%s} %d' % (labels, 80 * GIB - used)]


def page_a(t):
    """One pod after another on one card, with a rest in between; at times the value is none."""
    pod = 'first' if t < 7 else '' if t < 11 else 'second' if t < 17 else 'first'
    lines = gpu('node-a', 'GPU-aaaa', int(10 * GIB + 100 * t) if pod else 0, pod)
    return [x.rsplit(' ', 1)[0] + ' NaN' for x in lines] if 13 < t < 15 else lines


def page_b(t):
    """An exporter that fails for a while, and one card of two that is gone for a while."""
    if 8 < t < 13:
        return None
    return gpu('node-b', 'GPU-bbb1', 20 * GIB, 'steady') + (gpu('node-b', 'GPU-bbb2', 5 * GIB, 'guest') if not 4 < t < 16 else [])


def page_c(t):
    """An exporter whose target is taken away."""
    return gpu('node-c', 'GPU-cccc', 40 * GIB, 'leaver')


def page_ksm(t):
    lines = ['kube_node_info{node="node-%s",provider_id="aws:///us-east-1a/i-0%s"} 1' % (n, n * 16) for n in 'abc']
    for pod, node in (('first', 'a'), ('second', 'a'), ('steady', 'b'), ('guest', 'b'), ('leaver', 'c')):
        if pod != 'second' or 10 < t < 18:
            lines.append('kube_pod_info{namespace="live",pod="%s",node="node-%s",uid="u-%s",created_by_kind="Job",created_by_name="j-%s"} 1'
                         % (pod, node, pod, pod))
    return lines


def write(folder, name, text):
    with open(os.path.join(folder, name + '.new'), 'w', encoding='utf-8') as f:
        f.write(text)
    os.replace(os.path.join(folder, name + '.new'), os.path.join(folder, name))


def set_targets(folder, gpus, ksm):
    write(folder, 'gpu.json', json.dumps([{'targets': [e.address for e in gpus]}]))
    write(folder, 'ksm.json', json.dumps([{'targets': [e.address for e in ksm]}]))


def write_inputs(folder, period):
    a, b = (datetime.datetime.fromtimestamp(t, datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ') for t in period)
    write(folder, 'billing.csv', BILL + ''.join(ROW % ('9.99', b, a, '9.99', 'i-0' + n * 16) for n in 'abc'))
    write(folder, 'rule.yaml', RULE)
    return ['--billing', 'billing.csv', '--rule', 'rule.yaml', '--from', a, '--to', b]


def wait_until_nothing_is_scraped(p):
    """Changes of files reach the scrapes within five seconds, and later on a busy machine; then those on their way end."""
    for _ in range(300):
        if not p.get('targets')['activeTargets']:
            time.sleep(2)
            return
        time.sleep(0.2)
    raise RuntimeError('prometheus goes on scraping')


def play(folder, p, exporters):
    """What happens to the targets; what happens to pods is in the pages."""
    a, b, c, ksm = exporters
    set_targets(folder, [a, b, c], [ksm])
    time.sleep(SECONDS / 2)
    set_targets(folder, [a, b], [ksm])
    time.sleep(SECONDS / 2)
    set_targets(folder, [], [])
    wait_until_nothing_is_scraped(p)


def checks(gputab, folder, p, exporters, args):
    now = time.time()
    lines = sorted(x for e in exporters for x in e.samples(p, now))
    write(folder, 'metrics.om', ''.join(x + '\n' for _, x in lines) + '# EOF\n')
    yield 'scrapes were stored', None if len({t for t, _ in lines}) > SECONDS else 'only %d instants' % len({t for t, _ in lines})
    for view in (['--by', 'pod,gpu'], ['--by', 'reason'], ['--by', 'workload,node,grade']):
        yield ' '.join(view), equal.differs(gputab, folder, p.url, args + view + ['--format', 'json'])
    code, out, err = equal.run(gputab, folder, args + ['--by', 'pod', '--format', 'json'], ['--prometheus', p.url])
    yield 'pods hold for as long as they were shown', held(out, lines) if code == 0 else err
    yield 'values that are no numbers are counted', None if 'W110' in err else err


def stands(timeline):
    """How long each instant counts: up to the next one, or for the usual interval where that is further away than max_gap."""
    spacings = sorted(b - a for a, b in zip(timeline, timeline[1:]))
    usual = spacings[(len(spacings) - 1) // 2]
    return {a: b - a if b - a <= MAX_GAP else usual for a, b in zip(timeline, timeline[1:] + [timeline[-1] + 2 * MAX_GAP])}


def seconds_held(lines):
    """Seconds by pod, from the exporters' log alone: every card has one pod at most."""
    instants, pods, sums = {}, {}, {}
    for at, line in lines:
        uuid, pod, value = re.search('UUID="([^"]*)"', line), re.search('pod="([^"]*)"', line), line.split()[-2]
        if line.startswith('DCGM_') and value != 'NaN':
            instants.setdefault(uuid[1], set()).add(at)
            pods[uuid[1], at] = pod and pod[1]
    for uuid, times in instants.items():
        for at, duration in stands(sorted(times)).items():
            sums[pods[uuid, at]] = sums.get(pods[uuid, at], 0) + duration
    return {'live/' + pod: s for pod, s in sums.items() if pod}


def held(out, lines):
    wanted = seconds_held(lines)
    got = {r['pod']: float(r['resident_hours'] or 0) * 3600 for r in json.loads(out)['rows'] if not r['bucket']}
    if sorted(got) == sorted(wanted) == ['live/' + p for p in ('first', 'guest', 'leaver', 'second', 'steady')]:
        far = {p: (got[p], wanted[p]) for p in got if abs(got[p] - wanted[p]) > 0.02}
        return 'seconds got and wanted: %r' % far if far else None
    return 'pods: %r and %r' % (sorted(got), sorted(wanted))


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if not server.installed():
        print('prometheus is not installed: make deps-check', file=sys.stderr)
        return 1
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        begin = int(time.time()) // 3600 * 3600
        args = write_inputs(folder, (begin, begin + 7200))
        exporters = [Exporter('dcgm-exporter', page_a), Exporter('dcgm-exporter', page_b), Exporter('dcgm-exporter', page_c),
                     Exporter('kube-state-metrics', page_ksm)]
        set_targets(folder, [], [])
        with server.Prometheus(folder, CONFIG % {'folder': folder}) as p:
            for e in exporters:
                e.began = time.time()
            play(folder, p, exporters)
            for name, fault in checks(os.path.abspath(argv[1]), folder, p, exporters, args):
                passed, failed = passed + (not fault), failed + bool(fault)
                print('%-4s %s%s' % ('FAIL' if fault else 'ok', name, '\n  ' + fault if fault else ''))
        for e in exporters:
            e.close()
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
