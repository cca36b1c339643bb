"""How fast a packed file's text is there for who reads it, beside the programs that unpack and throw away."""
import json
import os
import random
import shutil
import subprocess
import time

import measure
import results

BYTES = 1 << 28
COLUMNS = 130
GZ_BAR, ZST_BAR = 1.15, 1.3


def row(rng, words):
    """About 1 KB that packs as bills do: ids, an hour, amounts, tags, and many columns that say little."""
    hour = rng.randrange(744)
    stamp = '2026-10-%02dT%02d:00:00Z' % (hour // 24 + 1, hour % 24)
    first = ['%032x' % rng.getrandbits(128), stamp, 'i-%017x' % rng.choice((1, 2, 3, rng.getrandbits(60))),
             '%.10f' % (rng.random() * 10), '%.10f' % (rng.random() * 10), '"{""team"":""t%d"",""app"":""a%d""}"' % (rng.randrange(9), rng.randrange(99))]
    at = rng.randrange(len(words) - COLUMNS)
    return ','.join(first + words[at:at + COLUMNS - len(first)]) + '\n'


def make_text(path):
    rng = random.Random(7)
    pool = ('', 'Usage', 'us-east-1', 'AWS', 'USD', 'NA', 'Amazon Elastic Compute Cloud', 'OnDemand')
    words = [rng.choice(pool) if rng.randrange(8) else '%08x' % rng.getrandbits(32) for _ in range(4000)]
    with open(path + '.new', 'w', encoding='ascii') as f:
        f.write(','.join('c%d' % i for i in range(COLUMNS)) + '\n')
        while f.tell() < BYTES:
            f.write(''.join(row(rng, words) for _ in range(1000)))
    os.rename(path + '.new', path)


def pack(path, command):
    with open(path + '.new', 'wb') as f:
        subprocess.run(command, stdout=f, check=True, timeout=1800)
    os.rename(path + '.new', path)


def make_files(folder):
    text = os.path.join(folder, 'unpack.csv')
    ways = {'': None, '.gz': ['gzip', '-6', '-c', text], '.zst': ['zstd', '-q', '-3', '-c', text],
            '.zip': ['zip', '-q', '-j', '-', text]}
    if not os.path.exists(text):
        make_text(text)
    for end, command in ways.items():
        if command and shutil.which(command[0]) and not os.path.exists(text + end):
            pack(text + end, command)
    return {end: text + end for end in ways if os.path.exists(text + end)}


def floor(command):
    """Wall seconds of a program that throws away what it makes, or None where there is none."""
    if not shutil.which(command[0]):
        return None
    start = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, timeout=600)
    return time.monotonic() - start


def ours(program, args):
    p = subprocess.run([program] + args, stdout=subprocess.PIPE, check=True, env=measure.ENV, timeout=600)
    return json.loads(p.stdout)


def least(values):
    values = [v for v in values if v is not None]
    return min(values) if values else None


def measure_one(a, program, path, args, command):
    """Both in turn, so that whoever else uses the machine disturbs both."""
    got, theirs = [], []
    for _ in range(2 * a.runs):
        got.append(ours(program, [path] + args))
        theirs.append(floor(command + [path]) if command else None)
    return min(got, key=lambda g: g['wall_s']), least(theirs), max(g['peak_kib'] for g in got)


def run(a):
    section = results.Section('unpack', 'the text of a packed file, with nothing done to it')
    files, missing, rows = make_files(a.folder), [], []
    program = os.path.join(a.programs, 'unpack')
    for what, end, args, command, limit in (
            ('plain', '', [], ['cat'], None), ('plain, hashed', '', ['hash'], ['sha256sum'], None),
            ('.gz', '.gz', [], ['igzip', '-dc'], GZ_BAR), ('.gz, hashed', '.gz', ['hash'], ['igzip', '-dc'], GZ_BAR), ('.gz', '.gz', [], ['zcat'], None),
            ('.zst', '.zst', [], ['zstd', '-dcq'], ZST_BAR), ('.zst, hashed', '.zst', ['hash'], ['zstd', '-dcq'], ZST_BAR),
            ('.zip', '.zip', [], ['unzip', '-p'], None)):
        if end not in files:
            missing.append('unpack: no program to make %s' % end)
            continue
        got, theirs, peak = measure_one(a, program, files[end], args, command)
        if theirs is None and limit:
            missing.append('unpack: %s, without %s to compare with' % (what, command[0]))
        ratio = got['wall_s'] / theirs if theirs else None
        rows.append([what, '%.2f' % got['wall_s'], '%.2f' % (got['bytes'] / 1e9 / got['wall_s']), '%.2f' % got['cpu_s'], '%.1f' % (peak / 1024),
                     ' '.join(command), '%.2f' % theirs if theirs else '-', '%.2f' % ratio if ratio else '-',
                     '%.2f: %s' % (limit, results.bar(ratio <= limit)) if limit and ratio else ''])
    section.say('%.2f GB of text; wall time, CPU time of all threads, and MiB at the peak.' % (os.path.getsize(files['']) / 1e9))
    section.say()
    section.table(['what', 's', 'GB/s', 'CPU s', 'MiB', 'beside', 's', 'times', 'bar'], rows)
    return section, missing
