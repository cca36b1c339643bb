#!/usr/bin/env python3
"""The benches: run.py --gputab GPUTAB --programs FOLDER [--folder DIR] [--nodes N] [--days N] [BENCH...]

Called by `make bench`. Prints what it measures and, at full size, writes it to RESULTS.md; figures of a smaller fleet or bill are only printed.
A report that is not what the plan of the fleet says is an error. Exit 1: something could not be measured.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'prometheus')]

import bench_bill  # noqa: E402
import bench_fleet  # noqa: E402
import bench_stub  # noqa: E402
import bench_tokenizer  # noqa: E402
import bench_unpack  # noqa: E402
import bench_xlsx  # noqa: E402
import measure  # noqa: E402
import results  # noqa: E402

BENCHES = {'fleet': bench_fleet, 'tokenizer': bench_tokenizer, 'stub': bench_stub, 'unpack': bench_unpack, 'bill': bench_bill,
           'xlsx': bench_xlsx}
FULL = {'nodes': 64, 'days': 30, 'bill_bytes': 2000000000, 'xlsx_rows': 100000}


def options(argv):
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('--gputab', required=True, type=os.path.abspath)
    p.add_argument('--programs', required=True, type=os.path.abspath)
    p.add_argument('--folder', default='build/bench', type=os.path.abspath)
    for name, default in FULL.items():
        p.add_argument('--' + name.replace('_', '-'), type=int, default=default)
    p.add_argument('--bill-rows', type=int, default=100000000)
    p.add_argument('--runs', type=int, default=3)
    p.add_argument('benches', nargs='*', metavar='BENCH', help=', '.join(BENCHES))
    a = p.parse_args(argv)
    unknown = [n for n in a.benches if n not in BENCHES]
    if unknown:
        p.error('no such bench: %s' % ', '.join(unknown))
    return a


def say_where(section, a):
    if section.lines[-1]:
        section.say()
    section.say('%s. %s.' % (measure.stamp(), measure.machine()))
    server = '' if section.name in ('bill', 'xlsx') else '; ' + measure.first_line(['prometheus', '--version']).split(' (')[0]
    section.say('%s%s%s; best of %d runs. Repeat: `make bench BENCH=%s`.' % (
        measure.first_line([a.gputab, '--version']), measure.commit(), server, a.runs, section.name))


def main(argv):
    a = options(argv[1:])
    os.makedirs(a.folder, exist_ok=True)
    sections, missing = [], []
    for name in a.benches or BENCHES:
        print('\n== %s' % name, flush=True)
        section, lacks = BENCHES[name].run(a)
        missing += lacks
        if section.lines:
            say_where(section, a)
            sections.append(section)
    if all(getattr(a, k) == v for k, v in FULL.items()):
        results.write(sections, list(BENCHES))
    else:
        print('\na smaller fleet or bill than that of the bars: RESULTS.md stays as it is')
    for text in missing:
        print('not measured: ' + text)
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
