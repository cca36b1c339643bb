"""10,000 GPUs for a day, by remote read, from a server that makes the chunks as it sends them; and fewer: is memory linear?"""
import os
import shutil
import subprocess
import sys
import tempfile

import load
import measure
import report
import results
from stub_check import Stub

GPUS = (1000, 3000, 10000)
PEAK_BAR, SLOPE_BAR = 1024, 1.2


def measure_size(a, gpus):
    """The costs of a report by pod and day, after one by team that is compared with the plan."""
    nodes, text = gpus // 8, os.path.join(a.programs, 'fleet_text')
    with tempfile.TemporaryDirectory(dir=a.folder) as folder, Stub(os.path.join(a.programs, 'stub'), nodes, 1) as stub:
        for what in ('bill', 'expected'):
            load.write(text, [what, str(nodes), '1', '60'], os.path.join(folder, what + '.csv'))
        shutil.copy(os.path.join(load.HERE, 'rule.yaml'), folder)
        out = os.path.join(folder, 'out.csv')
        report.run(a.gputab, 'remote-read', folder, stub.url, 1, 'team,day', out)
        report.check_teams(out, folder, 1)
        costs = [report.run(a.gputab, 'remote-read', folder, stub.url, 1, 'pod,day', out, stub.process.pid) for _ in range(a.runs)]
        report.check_pods(out, nodes, 1)
    return measure.best(costs)


def run(a):
    section = results.Section('stub', '10,000 GPUs for a day through remote read')
    subprocess.run([sys.executable, '-B', os.path.join(load.HERE, 'stub_check.py'), a.programs, a.folder], check=True, timeout=600)
    if report.transport_args(a.gputab, 'remote-read') is None:
        return section, ['stub by remote-read: %s' % report.NOT_BUILT]
    section.say('A server on the same machine generates the chunks as it sends them (tests/bench/stub.c).')
    section.say()
    found = []
    for gpus in GPUS:
        samples = load.counts(a, gpus // 8, 1)['gpu_samples']
        found.append((gpus, samples / 1e6, measure_size(a, gpus)))
    section.table(['GPUs', 'M samples', 'wall s', 'CPU s', 'per 50 M', 'peak MiB', 'bar < 1024', 'server CPU s'], [
        [format(g, ','), '%.1f' % m, '%.2f' % c.wall, '%.2f' % c.cpu, '%.2f' % (c.cpu * 50 / m), '%.1f' % c.peak,
         results.bar(c.peak < PEAK_BAR), '%.2f' % c.server] for g, m, c in found])
    slopes = [(y[2].peak - x[2].peak) / (y[1] - x[1]) for x, y in zip(found, found[1:])]
    section.say('- Memory by samples: %.1f, then %.1f MiB per million more; bar 1.2 (linear): %s' % (
        slopes[0], slopes[1], results.bar(slopes[1] <= SLOPE_BAR * slopes[0])))
    return section, []
