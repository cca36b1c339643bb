"""512 GPUs for a month, from a real Prometheus, by each transport, beside curl that fetches the same answers and throws them away."""
import os
import shutil
import tempfile

import load
import measure
import proxy
import report
import results
import server

TRANSPORTS = {'remote-read': '/api/v1/read', 'query': '/api/v1/query'}      # and all that each may ask
CPU_BAR, PEAK_BAR, WALL_AIM, GROWTH_BAR = 4.0, 128, 1.5, 1.2


class Figures:
    def __init__(self, days, samples, client, curl, most, megabytes, sha):
        self.days, self.samples, self.client, self.curl, self.most = days, samples, client, curl, most
        self.megabytes, self.sha = megabytes, sha

    @property
    def cpu_per_50m(self):
        return self.client.cpu * 50e6 / self.samples


def record(a, prom, transport, days, folder):
    """A run through the proxy, by team and day, that is compared with the plan."""
    out = os.path.join(folder, 'teams.csv')
    with proxy.Proxy(prom.url, os.path.join(folder, 'requests')) as p:
        report.run(a.gputab, transport, a.fleet, p.url, days, 'team,day', out)
    if {r[0] for r in p.requests} != {TRANSPORTS[transport]}:
        raise RuntimeError('%s asked for %s' % (transport, ', '.join(sorted({r[0] for r in p.requests}))))
    n = report.check_teams(out, a.fleet, days)
    print('%s, %d days: %d costs of teams and days are those of the plan; %d requests, %.0f MB' % (
        transport, days, n, len(p.requests), p.bytes / 1e6), flush=True)
    return p


def measure_period(a, prom, transport, days, samples):
    with tempfile.TemporaryDirectory(dir=a.folder) as folder:
        seen = record(a, prom, transport, days, folder)
        config, out = os.path.join(folder, 'curl.conf'), os.path.join(folder, 'pods.csv')
        with open(config, 'w', encoding='utf-8') as f:
            f.write(proxy.curl_config(seen.requests, prom.url))
        fetch = ['curl', '--parallel', '--parallel-max', str(seen.most), '--config', config]
        client, curl = [], []
        for _ in range(a.runs):
            curl.append(measure.run(fetch, prom.process.pid))
            client.append(report.run(a.gputab, transport, a.fleet, prom.url, days, 'pod,day', out, prom.process.pid))
        _, sha = report.check_pods(out, a.nodes, days)
        if transport == 'query':
            keep_answer(a, seen.requests, prom.url)
        return Figures(days, samples, measure.best(client), measure.best(curl), seen.most, seen.bytes / 1e6, sha)


def keep_answer(a, requests, base):
    """The largest answer, a window of GPU memory, for the bench of the tokenizer."""
    with open(max(requests, key=lambda r: r[3])[2], 'rb') as f:
        form = f.read()
    with open(os.path.join(a.folder, 'answer.form'), 'wb') as f:
        f.write(form)
    with open(os.path.join(a.folder, 'answer.json'), 'wb') as f, server.OPENER.open(base + '/api/v1/query', form, timeout=600) as r:
        shutil.copyfileobj(r, f)


CLIENT = ['transport', 'days', 'M samples', 'MB', 'CPU s', 'per 50 M', 'bar < 4', 'peak MiB', 'bar < 128']
WALL = ['transport', 'days', 'wall s', 'with server CPU s', 'curl wall s', 'curl CPU s', 'with server CPU s', 'wall to curl', 'aim 1.5']


def client_row(transport, f):
    bar = results.bar(f.cpu_per_50m < CPU_BAR) if transport == 'remote-read' else '-'
    return [transport, f.days, '%.1f' % (f.samples / 1e6), '%.0f' % f.megabytes, '%.2f' % f.client.cpu, '%.2f' % f.cpu_per_50m, bar,
            '%.1f' % f.client.peak, results.bar(f.client.peak < PEAK_BAR)]


def wall_row(transport, f):
    ratio = f.client.wall / f.curl.wall
    return [transport, f.days, '%.2f' % f.client.wall, '%.2f' % f.client.server, '%.2f' % f.curl.wall, '%.2f' % f.curl.cpu,
            '%.2f' % f.curl.server, '%.2f' % ratio, results.bar(ratio <= WALL_AIM)]


def say_conclusions(section, found):
    for transport, by_days in found.items():
        if len(by_days) > 1:
            short, long = by_days[min(by_days)], by_days[max(by_days)]
            growth = long.client.peak / short.client.peak
            section.say('- %s: the peak of %d days is %.2f times that of %d; bar 1.2: %s' % (
                transport, long.days, growth, short.days, results.bar(growth <= GROWTH_BAR)))
    if len(found) > 1:
        same = all(len({f.sha for f in (by_days[d] for by_days in found.values())}) == 1 for d in next(iter(found.values())))
        section.say('- The transports give the same CSV by pod and day, byte for byte: %s' % results.bar(same))


def run(a):
    a.fleet, about = load.ensure(os.path.join(a.programs, 'fleet_text'), a.folder, a.nodes, a.days, 60)
    section = results.Section('fleet', 'a month of 512 GPUs from Prometheus')
    section.say('%d nodes x 8 GPUs, half of them shared by 4 pods, another pod in each place every 6 hours: %s pods. DCGM_FI_DEV_FB_USED'
                % (a.nodes, format(about['pods'], ',')))
    section.say('every 60 s, kube-state-metrics every 30 minutes: %s samples, %s of them of GPUs (counted here). Loaded in %.0f s.' % (
        format(about['samples'], ','), format(about['gpu_samples'], ','), about['load_s']))
    section.say('`gputab report --by pod,day --format csv` with the bill; curl fetches the same answers, as many at once, to /dev/null.')
    section.say()
    found, missing = {}, []
    with server.Prometheus(a.fleet, options=load.OPTIONS) as prom:
        for transport in TRANSPORTS:
            if report.transport_args(a.gputab, transport) is None:
                missing.append('fleet by %s: %s' % (transport, report.NOT_BUILT))
                continue
            found[transport] = {d: measure_period(a, prom, transport, d, load.counts(a, a.nodes, d)['gpu_samples'])
                                for d in sorted({min(7, a.days), a.days})}
    figures = [(t, f) for t, by_days in found.items() for f in by_days.values()]
    section.table(CLIENT, [client_row(t, f) for t, f in figures])
    section.table(WALL, [wall_row(t, f) for t, f in figures])
    say_conclusions(section, found)
    for text in missing:
        section.say('- %s' % text)
    return section, missing
