"""Damages a bill (plain and packed), a metrics file, a nodes file and a rule at every byte, and looks at what the program makes of it.

    mutate.py GPUTAB [--every K] [--only INPUT] [--jobs N] [--keep DIR]

At each K-th byte: the file is cut there, one bit of the byte is turned, or a NUL byte, a line end or a quote is put in front of it.
Whatever comes of it: no signal, a documented exit, output files with exit 0 or 5 and at no other, no temporary file ever, a first line on
stderr that says who speaks, and no total that cannot be explained: with exit 0 the total of the file is what an independent reading of the
damaged bill adds up to, and a cut bill never gives a smaller one without a warning. One cut nobody can see: that of a plain bill behind a
line end. All others are seen in the file itself, those of packed files always.
"""
import argparse
import collections
import csv
import gzip
import io
import json
import multiprocessing
import os
import random
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal, InvalidOperation

ARGS = '--from 2026-10-05T10:00Z --to 2026-10-05T12:00Z -o out.json -o out.csv'.split()
EXITS = {0, 2, 3, 4, 5, 6}
WITH_FILES = {0, 5}
# W100: no line end; W102: short rows; W103: no rows
CUT_WARNINGS = {'W100', 'W102', 'W103'}
ROUNDING = Decimal('0.005')
SEED = 20261005
TIMEOUT_S = 60

BILL = '''\
BilledCost,BillingCurrency,ChargeCategory,ChargeDescription,ChargePeriodEnd,ChargePeriodStart,EffectiveCost,ResourceId,SkuPriceDetails
6.88,USD,Usage,instance hours,2026-10-05T11:00:00Z,2026-10-05T10:00:00Z,6.88,i-0a1,"{""InstanceType"": ""p5.4xlarge""}"
6.91,USD,Usage,"instance hours, spot",2026-10-05T12:00:00Z,2026-10-05T11:00:00Z,6.91,i-0a1,"{""InstanceType"": ""p5.4xlarge""}"
0.75,USD,Usage,storage,2026-10-05T12:00:00Z,2026-10-05T10:00:00Z,7.5e-1,vol-1,{}
2.50,USD,Tax,VAT,2026-11-01T00:00:00Z,2026-10-01T00:00:00Z,2.50,NULL,NULL
'''

CUR = '''\
lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/UsageType,lineItem/UnblendedCost,lineItem/CurrencyCode,\
lineItem/ResourceId,product/instanceType,product/sku
Usage,2026-10-05T10:00:00Z,2026-10-05T11:00:00Z,BoxUsage:p5.4xlarge,6.88,USD,i-0a1,p5.4xlarge,S1
Usage,2026-10-05T11:00:00Z,2026-10-05T12:00:00Z,BoxUsage:p5.4xlarge,6.91,USD,i-0a1,p5.4xlarge,S1
Tax,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z,,2.50,USD,,,
'''

NODES = '''\
node,resource_id,instance_type
n1,i-0a1,p5.4xlarge
n2,"i-0a2",
'''

GPU = 'UUID="GPU-a1",Hostname="n1",modelName="NVIDIA H100 80GB HBM3",instance="h:1",job="d"'

RULE = '''\
schema: gputab.rule/1
name: damaged
split: {method: shares, shares: {cpu: "3%", memory: "2%", gpu: "95%"}}
gpu: {max_gap: 30m, denominator: capacity}
owners:
  - {namespace: "nlp-*", team: nlp}
  - {namespace: [kube-system, gpu-operator], bucket: "(system)"}
  - {namespace: vision, until: 2026-10-16, team: 'vision'}
cost_centres:
  - {id: "0042", name: Research, teams: [nlp, vision]}
'''


def metrics():
    lines = ['# TYPE kube_node_info gauge']
    times = range(1791194400, 1791194400 + 7200, 1800)
    lines += ['kube_node_info{node="n1",provider_id="aws:///a/i-0a1",instance="k:1",job="k"} 1 %d' % t for t in times]
    lines.append('# TYPE DCGM_FI_DEV_FB_USED gauge')
    for pod, mib in (('a', 20480), ('b', 10240)):
        lines += ['DCGM_FI_DEV_FB_USED{%s,exported_namespace="nlp-1",exported_pod="%s"} %d %d' % (GPU, pod, mib, t) for t in times]
    lines += ['DCGM_FI_DEV_FB_FREE{%s} 50896 %d' % (GPU, t) for t in times]
    return '\n'.join(lines) + '\n# EOF\n'


INPUTS = {
    'bill': ('--billing', BILL.encode()),
    'bill-gzip': ('--billing', gzip.compress(BILL.encode(), mtime=0)),
    'bill-cur': ('--billing', CUR.encode()),
    'nodes': ('--nodes', NODES.encode()),
    'metrics': ('--metrics', metrics().encode()),
    'metrics-gzip': ('--metrics', gzip.compress(metrics().encode(), mtime=0)),
    'rule': ('--rule', RULE.encode()),
}
WHOLE = {'--billing': INPUTS['bill'][1], '--metrics': INPUTS['metrics'][1], '--rule': INPUTS['rule'][1],
         '--nodes': INPUTS['nodes'][1]}
NAMES = {'--billing': 'billing.csv', '--metrics': 'metrics.om', '--rule': 'rule.yaml', '--nodes': 'nodes.csv'}
FOCUS_COSTS = ('EffectiveCost', 'BilledCost')
CUR_COSTS = ('lineItem/UnblendedCost', 'lineItem/UnblendedCost')


def flipped(data, i, bit):
    return data[:i] + bytes([data[i] ^ 1 << bit]) + data[i + 1:]


DAMAGES = {
    'cut': lambda data, i, bit: data[:i],
    'flip': flipped,
    'nul': lambda data, i, bit: data[:i] + b'\0' + data[i:],
    'newline': lambda data, i, bit: data[:i] + b'\n' + data[i:],
    'quote': lambda data, i, bit: data[:i] + b'"' + data[i:],
}


def unpacked(data):
    """The bytes inside, or None where they cannot be had."""
    if data[:2] != b'\x1f\x8b':
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, ValueError):
        return None
    except Exception as e:                                   # zlib.error has no better base
        if type(e).__module__ == 'zlib':
            return None
        raise


def folded(name):
    return ''.join(c for c in name.lower() if c.isalnum())


def cell(row, i):
    text = row[i].strip() if i < len(row) else ''
    return '' if text.lower() == 'null' else text


def add_up(data, column):
    """What another reader makes of the bill: the sum of a column, or None where it cannot read it either."""
    text = data.decode('latin-1').removeprefix('\xef\xbb\xbf')
    try:
        rows = [r for r in csv.reader(io.StringIO(text, newline=''), strict=True) if r and r != ['\xef\xbb\xbf']]
        i = [folded(name) for name in rows[0]].index(folded(column))
        return sum((Decimal(cell(r, i) or 0) for r in rows[1:] if r != rows[0]), Decimal(0))
    except (csv.Error, IndexError, ValueError, InvalidOperation):
        return None


def bill_total(report, which, data, column):
    """What is wrong with the file's total of one kind of cost."""
    total, want = Decimal(report['bridge'][which]['file_total']), add_up(data, column)
    if want is None:
        return ['the bill cannot be read, and exit is 0']
    if abs(total - want) > ROUNDING:
        return ['%s total is %s, rows add up to %s' % (which, total, want)]
    return []


def cut_unseen(report, data, whole):
    """A smaller total needs a warning, unless the cut is behind a line end."""
    codes = {w['code'] for w in report['warnings']}
    smaller = Decimal(report['bridge']['cost']['file_total']) < whole
    return ['the cut bill has a smaller total without a warning'] if smaller and not data.endswith(b'\n') and not codes & CUT_WARNINGS else []


def check_report(case, data, folder):
    name, damage, _ = case
    option = INPUTS[name][0]
    with open(os.path.join(folder, 'out.json'), encoding='utf-8') as f:
        report = json.load(f)
    bill = unpacked(data) if option == '--billing' else WHOLE['--billing']
    if bill is None or (damage == 'cut' and data[:2] == b'\x1f\x8b'):
        return ['a damaged packed file was read']
    costs = CUR_COSTS if name == 'bill-cur' else FOCUS_COSTS
    wrong = bill_total(report, 'cost', bill, costs[0]) + bill_total(report, 'invoiced', bill, costs[1])
    if option == '--billing' and damage == 'cut':
        wrong += cut_unseen(report, bill, add_up(INPUTS[name][1], costs[0]))
    totals = report['totals']
    if totals['difference'] != '0.00' or totals['billed'] != totals['total_cost']:
        wrong.append('billed %s, allocated %s' % (totals['billed'], totals['total_cost']))
    if option != '--billing' and totals['billed'] != '13.79':
        wrong.append('billed %s of a whole bill of 13.79' % totals['billed'])
    return wrong


def check(case, data, folder, rc, err):
    """What is wrong, as texts."""
    files = sorted(set(os.listdir(folder)) - set(NAMES.values()))
    if rc not in EXITS:
        return ['exit %d' % rc, err.decode('utf-8', 'replace')]
    wrong = []
    if files != (['out.csv', 'out.json'] if rc in WITH_FILES else []):
        wrong.append('exit %d with the files %s' % (rc, files))
    if rc != 0 and not err.startswith(b'gputab: '):
        wrong.append('exit %d, and stderr is %r' % (rc, err[:80]))
    if err and not err.startswith(b'gputab: '):
        wrong.append('stderr begins with %r' % err[:80])
    return wrong + (check_report(case, data, folder) if rc == 0 and not wrong else [])


class Worker:
    """One folder, one run at a time. Lives in a process of the pool."""
    gputab = folder = keep = None

    @classmethod
    def start(cls, gputab, base, keep):
        cls.gputab, cls.keep = gputab, keep
        cls.folder = tempfile.mkdtemp(dir=base)

    @classmethod
    def write(cls, option, data):
        with open(os.path.join(cls.folder, NAMES[option]), 'wb') as f:
            f.write(data)

    @classmethod
    def run(cls, case):
        name, damage, i = case
        option, whole = INPUTS[name]
        bit = random.Random('%d %s %d' % (SEED, name, i)).randrange(8)
        data = DAMAGES[damage](whole, i, bit)
        for entry in os.listdir(cls.folder):
            os.unlink(os.path.join(cls.folder, entry))
        for o, content in WHOLE.items():
            cls.write(o, data if o == option else content)
        command = [cls.gputab, 'report', *ARGS] + [word for o in NAMES for word in (o, NAMES[o])]
        try:
            p = subprocess.run(command, cwd=cls.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               timeout=TIMEOUT_S)
            wrong = check(case, data, cls.folder, p.returncode, p.stderr)
        except subprocess.TimeoutExpired:
            wrong = ['it did not end']
        if wrong and cls.keep:
            shutil.copytree(cls.folder, os.path.join(cls.keep, '%s-%s-%d' % case), dirs_exist_ok=True)
        return case, p.returncode if not wrong else None, wrong


def cases(every, only):
    """Each kind of damage takes other bytes, so that a sample meets more of them."""
    for name, (_, data) in INPUTS.items():
        if only and name != only:
            continue
        for shift, damage in enumerate(DAMAGES):
            for i in range(shift % every, len(data), every):
                yield name, damage, i


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument('gputab')
    p.add_argument('--every', type=int, default=1, metavar='K')
    p.add_argument('--only', choices=INPUTS)
    p.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    p.add_argument('--keep', metavar='DIR', help='keep the inputs of what failed here')
    a = p.parse_args()
    passed = failed = 0
    exits = collections.Counter()
    with tempfile.TemporaryDirectory() as base:
        args = (os.path.abspath(a.gputab), base, a.keep and os.path.abspath(a.keep))
        with multiprocessing.Pool(a.jobs, Worker.start, args) as pool:
            for case, rc, wrong in pool.imap_unordered(Worker.run, cases(a.every, a.only), chunksize=16):
                passed += not wrong
                exits[rc] += not wrong
                failed += bool(wrong)
                if wrong and failed <= 20:
                    print('failed: %s, %s at byte %d: %s' % (*case, '; '.join(wrong)))
    print('note: ' + ', '.join('exit %d %d times' % (rc, n) for rc, n in sorted((+exits).items())))
    print('%d passed, %d failed' % (passed, failed))
    return failed > 0 or passed == 0


if __name__ == '__main__':
    sys.exit(main())
