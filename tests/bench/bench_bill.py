"""How fast bills are read: the reader alone and the whole program, beside other readers of CSV and what no reader can be faster than.

Files are made once and stay in the folder. Each is read once before anything is measured, so that all come from memory. Programs take
turns: one run of each, then the next, so that whatever else the machine does hits all alike; the best of the runs counts. A slow one has
fewer turns.
"""
import json
import os
import shutil
import subprocess
from decimal import Decimal

import bill_peers
import measure
import results

BAR_WC, BAR_PEAK, BAR_IGZIP, BAR_ZSTD = 0.6, 64, 1.15, 1.3
ENOUGH_S = 10                            # seconds of turns of one program
FOCUS_ROW = 600                          # bytes, about
PERIOD = ['--from', '2026-10-01', '--to', '2026-11-01']
RULE = 'schema: gputab.rule/1\nname: bench\nversion: "1"\n'

ABOUT = [
    'The same question to all: columns by name, of all rows the exact sum of a column, of rows of GPU nodes (1 %) two more, after a',
    'filter by four columns. gputab\'s reader also checks the fields of every row, quoting, and that there is no NUL; it does not hash',
    'its input, `gputab report` does, and all that a report needs. Every answer was compared with what the file holds. GB are 10^9',
    'bytes of CSV; one core is by taskset; all files come from the page cache.',
]


class Bill:
    """A made file and what it holds."""

    def __init__(self, kind, path, want):
        self.kind, self.path, self.want = kind, path, want
        self.bytes = want['bytes']


class Line:
    """A program over a file. answer: of its output, or None; one: it is for one core alone."""

    def __init__(self, what, bill, command, answer=None, exact=True, path=None, two=True):
        self.what, self.bill, self.command, self.answer, self.exact = what, bill, command, answer, exact
        self.path, self.two = path or bill.path, two
        self.costs = {1: [], 2: []}

    def best(self, cores=1):
        return measure.best(self.costs[cores]) if self.costs[cores] else None


# ---- files ----

def make_bill(a, kind, size, name=None, extra=()):
    path = os.path.join(a.folder, 'bill-%s.csv' % (name or kind))
    side = path + '.json'
    args = [kind, str(size)] + [str(x) for x in extra]
    if os.path.exists(side):
        with open(side, encoding='ascii') as f:
            have = json.load(f)
        if have['args'] == args and os.path.getsize(path) == have['bytes']:
            return Bill(kind, path, have)
    print('making %s' % path, flush=True)
    with open(path, 'wb') as f:
        p = subprocess.run([os.path.join(a.programs, 'bill_text')] + args, stdout=f, stderr=subprocess.PIPE, check=True)
    want = dict(json.loads(p.stderr), args=args)
    with open(side, 'w', encoding='ascii') as f:
        json.dump(want, f)
    return Bill(kind, path, want)


def packed(bill, ending, command):
    """The packed twin, made when it is older than the file."""
    path = bill.path + ending
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(bill.path):
        print('making %s' % path, flush=True)
        with open(path, 'wb') as f:
            subprocess.run(command + [bill.path], stdout=f, check=True)
    return path


def make_metrics(a, nodes=24):
    """Three samples of a card in each of the first nodes: what a report needs besides the bill."""
    path = os.path.join(a.folder, 'bill.om')
    times = [1791194400 + 600 * i for i in range(3)]
    with open(path, 'w', encoding='ascii') as f:
        f.write('# TYPE kube_node_info gauge\n')
        for n in range(nodes):
            for t in times:
                f.write('kube_node_info{node="node-%d",provider_id="aws:///us-east-1a/i-09f%014x",job="ksm"} 1 %d\n' % (n, n, t))
        f.write('# TYPE DCGM_FI_DEV_FB_USED gauge\n')
        for n in range(nodes):
            for t in times:
                f.write('DCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-%08d-0000-0000-0000-000000000000",modelName="NVIDIA H100 80GB HBM3",'
                        'Hostname="node-%d",job="dcgm"} 100 %d\n' % (n, n, t))
        f.write('# EOF\n')
    with open(os.path.join(a.folder, 'bill-rule.yaml'), 'w', encoding='ascii') as f:
        f.write(RULE)
    return path


# ---- programs ----

def reader(a, bill, path=None, way=None):
    return [os.path.join(a.programs, 'bill_read')] + (['-s', way] if way else []) + [bill.kind, path or bill.path]


def report(a, path):
    return [a.gputab, 'report', '--billing', path, '--rule', os.path.join(a.folder, 'bill-rule.yaml'), '--metrics',
            os.path.join(a.folder, 'bill.om')] + PERIOD + ['--by', 'team', '--format', 'json', '-q']


def cents(text):
    return Decimal(text).quantize(Decimal('0.01'))


def report_answer(bill):
    """Its totals in cents, when they are those of the bill."""
    def read(text):
        got = json.loads(text)
        cost, billed = got['bridge']['cost']['file_total'], got['bridge']['cost']['billed']
        if (Decimal(cost), Decimal(billed)) != (cents(bill.want['cost']), cents(bill.want['node_cost'])):
            raise RuntimeError('the report has %s and %s, the bill %s and %s' % (cost, billed, bill.want['cost'], bill.want['node_cost']))
        return {'rows': bill.want['rows']}
    return read


def run_line(a, line, cores):
    prefix = ['taskset', '-c', '0'] if cores == 1 else []
    out_path = os.path.join(a.folder, 'bill.answer')
    with open(out_path, 'wb') if line.answer else open(os.devnull, 'wb') as out:
        cost = measure.run(prefix + line.command(cores), out=out)
    if line.answer:
        with open(out_path, encoding='utf-8') as f:
            bill_peers.check(line.what, line.answer(f.read()), line.bill.want, line.exact)
    line.costs[cores].append(cost)


def run_all(a, lines, cores=(1, 2)):
    """In turns."""
    for path in sorted({line.path for line in lines}):
        measure.run(['cat', path])
    for n in cores:
        for i in range(a.runs * 2):
            for line in lines:
                if (n == 1 or line.two) and sum(c.wall for c in line.costs[n]) < ENOUGH_S:
                    run_line(a, line, n)


# ---- what is measured ----

def floors(bill):
    return [Line('`%s`' % ' '.join(c), bill, lambda n, c=c: c + [bill.path], two=False) for c in (['wc', '-l'], ['cat'])]


def own(a, bill):
    return [Line('gputab\'s reader', bill, lambda n: reader(a, bill), json.loads),
            Line('`gputab report`', bill, lambda n: report(a, bill.path), report_answer(bill))]


def other_ways(a, bill):
    """Those that other machines have to do with."""
    return [Line('gputab\'s reader, way "%s"' % way, bill, lambda n, way=way: reader(a, bill, way=way), json.loads, two=False)
            for way in ('avx2', 'sse2', 'words')
            if subprocess.run(reader(a, bill, '/dev/null', way), stderr=subprocess.DEVNULL).returncode != 2]


def peer_lines(a, bill, lacks):
    lines = []
    for p in bill_peers.PEERS:
        lack = p.missing(a)
        if lack:
            print('%s: left out, there is no %s' % (p.name, lack % vars(a)), flush=True)
            lacks.append(p.name)
            continue
        part = bill if p.share == 1 else make_bill(a, bill.kind, bill.bytes // p.share, '%s-%d' % (bill.kind, p.share))
        name = p.name + (', ' + p.note if p.note else '') + (' (%d MB)' % (part.bytes // 1000000) if p.share > 1 else '')
        lines.append(Line(name, part, lambda n, p=p, part=part: p.command(part.kind, part.path, a, n), p.answer, p.exact, two=p.threads))
    return lines


def speed(line, cores=1, cpu=False):
    cost = line.best(cores)
    return line.bill.bytes / 1e9 / (cost.cpu if cpu else cost.wall) if cost else 0.0


def number(x, form='%.2f'):
    return form % x if x else '-'


def table(section, lines):
    wc = lines[0]
    section.table(['what', 'GB/s, one core', 'GB per CPU s', 'to `wc -l`', 'CPU to `wc -l`', 'GB/s, all cores', 'peak MiB'], [
        [line.what, number(speed(line), '%.3f'), number(speed(line, cpu=True), '%.3f'), number(speed(line) / speed(wc), '%.3f'),
         number(speed(line, cpu=True) / speed(wc, cpu=True), '%.3f'), number(speed(line, 2), '%.3f'),
         number(max(line.best(n).peak for n in (1, 2) if line.best(n)), '%.0f')] for line in lines])


def say_bars(section, lines, peers):
    wc, own_reader, own_report = lines[0], lines[2], lines[3]
    ratio = speed(own_reader, cpu=True) / speed(wc, cpu=True)
    fastest = max(peers, key=speed, default=None)
    section.say('- The reader to `wc -l`, in CPU time of one core: %.2f; bar %.1f: %s' % (ratio, BAR_WC, results.bar(ratio >= BAR_WC)))
    if fastest:
        section.say('- The fastest of the others is %s; the reader is %.1f times as fast: %s' % (
            fastest.what, speed(own_reader) / speed(fastest), results.bar(speed(own_reader) > speed(fastest))))
    for line in (own_reader, own_report):
        peak = max(line.best(n).peak for n in (1, 2) if line.best(n))
        section.say('- Peak of %s: %.0f MiB; bar %d: %s' % (line.what, peak, BAR_PEAK, results.bar(peak < BAR_PEAK)))
    section.say()


def plain(a, section, kind, size, ways, lacks):
    bill = make_bill(a, kind, size)
    peers = peer_lines(a, bill, lacks)
    lines = floors(bill) + own(a, bill) + (other_ways(a, bill) if ways else []) + peers
    section.say('### %s, plain: %s MB, %s rows of %d columns, %s of them of GPU nodes' % (
        kind, format(bill.bytes // 1000000, ','), format(bill.want['rows'], ','), bill.want['columns'],
        format(bill.want['node_rows'], ',')))
    section.say()
    run_all(a, lines)
    table(section, lines)
    say_bars(section, lines, peers)
    return bill


PACKINGS = [
    ('.gz', ['gzip', '-1', '-c'], [(['igzip', '-dc'], BAR_IGZIP), (['zcat'], None)]),
    ('.zst', ['zstd', '-q', '-3', '-c'], [(['zstd', '-q', '-dc'], BAR_ZSTD)]),
]


def packed_lines(a, bill, ending, command, floor_commands):
    path = packed(bill, ending, command)
    lines = [Line('`%s`' % ' '.join(c), bill, lambda n, c=c: c + [path], path=path) for c, _ in floor_commands if shutil.which(c[0])]
    return lines + [Line('gputab\'s reader', bill, lambda n: reader(a, bill, path), json.loads, path=path),
                    Line('`gputab report`', bill, lambda n: report(a, path), report_answer(bill), path=path)]


def compressed(a, section, bill):
    """On all cores: packed data can be unpacked beside what is done with it."""
    rows, bars = [], []
    for ending, command, floor_commands in PACKINGS:
        if not shutil.which(command[0]):
            section.say('There is no %s: %s is not measured.' % (command[0], ending))
            continue
        lines = packed_lines(a, bill, ending, command, floor_commands)
        run_all(a, lines, cores=(2,))
        first, own_reader = lines[0], lines[-2]
        rows += [['%s (%d MB)' % (ending, os.path.getsize(line.path) // 1000000), line.what, number(line.best(2).wall),
                  number(line.best(2).cpu), number(line.best(2).wall / first.best(2).wall), number(line.best(2).peak, '%.0f')]
                 for line in lines]
        limit = next((b for c, b in floor_commands if '`%s`' % ' '.join(c) == first.what), None)
        if limit:
            ratio = own_reader.best(2).wall / first.best(2).wall
            bars.append('- The reader of %s takes %.2f times as long as %s; bar %.2f: %s' % (
                ending, ratio, first.what, limit, results.bar(ratio <= limit)))
    section.say('### %s, packed' % bill.kind)
    section.say()
    section.table(['file', 'what', 's, all cores', 'CPU s', 'to the first', 'peak MiB'], rows)
    for text in bars:
        section.say(text)
    section.say()


def memory(a, section, size):
    """Peaks by the number of charges: every row another hour of another node, as many nodes as that takes."""
    points = []
    for name, part in (('half', size // 8), ('whole', size // 4)):
        bill = make_bill(a, 'cur', part, 'nodes-' + name, (1, 1000000))
        cost = measure.run(report(a, bill.path))
        points.append((bill.want['node_rows'], cost.peak))
    (n0, p0), (n1, p1) = points
    section.say('Memory by charges, when every row is one of its own: %s charges %.0f MiB, %s charges %.0f MiB: %.0f MiB per million.' % (
        format(n0, ','), p0, format(n1, ','), p1, (p1 - p0) / (n1 - n0) * 1e6))
    section.say()


def stream(a, section, rows):
    """A bill that no disk has to hold, made as it is read."""
    maker = subprocess.Popen([os.path.join(a.programs, 'bill_text'), 'focus', str(rows * FOCUS_ROW)], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    out_path = os.path.join(a.folder, 'bill.answer')
    with open(out_path, 'wb') as out:
        cost = measure.run(report(a, '-'), out=out, stdin=maker.stdout, timeout=7200)
    maker.stdout.close()
    want = json.loads(maker.stderr.read())
    maker.wait()
    with open(out_path, encoding='utf-8') as f:
        report_answer(Bill('focus', '-', want))(f.read())
    section.say('%s rows (%.1f GB) through a pipe, made meanwhile: %.0f s, %.1f CPU s of `gputab report`, peak %.0f MiB; bar %d: %s' % (
        format(want['rows'], ','), want['bytes'] / 1e9, cost.wall, cost.cpu, cost.peak, BAR_PEAK, results.bar(cost.peak < BAR_PEAK)))
    section.say()


def run(a):
    section = results.Section('bill', 'bills from memory, beside other readers of CSV')
    lacks = []
    trouble = bill_peers.install_duckdb(a)
    if trouble:
        print('DuckDB: not installed: %s' % trouble, flush=True)
    make_metrics(a)
    for text in ABOUT:
        section.say(text)
    section.say('Programs take turns, the best of %d runs counts, of fewer when they are slow.' % (a.runs * 2))
    section.say()
    cur = plain(a, section, 'cur', a.bill_bytes, True, lacks)
    compressed(a, section, cur)
    focus = plain(a, section, 'focus', a.bill_bytes // 2, False, [])
    compressed(a, section, focus)
    memory(a, section, a.bill_bytes)
    stream(a, section, a.bill_rows)
    section.say('Peers: %s%s.' % (', '.join(p.name for p in bill_peers.PEERS if p.name not in lacks),
                                 '; not on this machine: ' + ', '.join(lacks) if lacks else ''))
    return section, []
