#!/usr/bin/env python3
"""A bill is the same bill however it is packed, and a packed one that is cut is an error wherever it is cut.

Packed by other programs: Python's gzip and zipfile, and gzip, pigz, zstd, zip, 7z and bsdtar where they are there. Each as a file and
through a pipe; as UTF-8 and UTF-16. A report from it must be byte for byte that of the plain file, but for the name and hash of the input.
A cut one ends with exit 3 and no output.
"""
import gzip
import io
import os
import shutil
import subprocess
import zipfile

import harness

CUTS = 20
PACKED = ('demo', '04-copies-300-percent', '02-three-residents-residents', 'seed 1', 'seed 2')


def run(tool, args, data=None, folder=None):
    if not shutil.which(tool):
        return None
    p = subprocess.run([tool] + args, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder, check=False, timeout=60)
    return p.stdout if p.returncode == 0 else None


def python_zip(text, method, stream):
    """What zipfile writes to a file, and to something that cannot be sought in: then sizes stand behind the data."""
    class Pipe(io.RawIOBase):
        def __init__(self):
            super().__init__()
            self.data = b''

        def writable(self):
            return True

        def write(self, b):
            self.data += bytes(b)
            return len(b)

    out = Pipe() if stream else io.BytesIO()
    with zipfile.ZipFile(out, 'w', method) as z:
        z.writestr('export/', b'')
        z.writestr('export/bill.csv', text)
        z.writestr('__MACOSX/export/._bill.csv', b'Mac OS X')
    return out.data if stream else out.getvalue()


def by_tool(tool, args, name, text, folder):
    """An archive that a tool writes to a file."""
    scratch = os.path.join(folder, 'scratch')
    shutil.rmtree(scratch, ignore_errors=True)
    os.mkdir(scratch)
    with open(os.path.join(scratch, 'bill.csv'), 'wb') as f:
        f.write(text)
    if run(tool, args + ['bill.csv'], folder=scratch) is None:
        return None
    with open(os.path.join(scratch, name), 'rb') as f:
        return f.read()


def packings(text, folder):
    half = len(text) // 2
    yield 'gzip of python', gzip.compress(text)
    yield 'gzip in two members', gzip.compress(text[:half]) + gzip.compress(text[half:])
    yield 'gzip stored', gzip.compress(text, 0)
    yield 'gzip', run('gzip', ['-9'], text)
    yield 'pigz', run('pigz', ['-b', '128'], text)
    yield 'zstd', run('zstd', ['-q'], text)
    yield 'zstd -19 without a check sum', run('zstd', ['-q', '-19', '--no-check'], text)
    yield 'zstd in two frames', (run('zstd', ['-q'], text[:half]) or b'') + (run('zstd', ['-q'], text[half:]) or b'') or None
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for stream in (False, True):
            yield 'zipfile %d%s' % (method, ' as a stream' if stream else ''), python_zip(text, method, stream)
    yield 'zip', by_tool('zip', ['-q', 'a.zip'], 'a.zip', text, folder)
    yield 'zip -0', by_tool('zip', ['-q0', 'a.zip'], 'a.zip', text, folder)
    yield 'zip of a pipe', run('zip', ['-q', '-', '-'], text)
    yield 'zip -fz', run('zip', ['-q', '-fz', '-', '-'], text)
    yield '7z', by_tool('7z', ['a', '-tzip', 'a.zip'], 'a.zip', text, folder)
    yield 'bsdtar', by_tool('bsdtar', ['-a', '-cf', 'a.zip'], 'a.zip', text, folder)


def texts(item):
    plain = harness.read(os.path.join(item.folder, 'billing.csv'))
    yield 'UTF-8', plain.encode()
    yield 'UTF-16 LE', b'\xff\xfe' + plain.encode('utf-16-le')
    yield 'UTF-16 BE', b'\xfe\xff' + plain.encode('utf-16-be')


def report(item, path, stdin=None):
    """Exit code, the report as CSV, which names no input, and what was said."""
    code, out, err = item.run(more=['--billing', path, '-q', '--format', 'csv'], stdin=stdin)
    return code, out, err.decode(errors='replace')


def write(folder, data):
    path = os.path.join(folder, 'packed')
    with open(path, 'wb') as f:
        f.write(data)
    return path


def needs_a_file(what):
    """Stored, with its length behind it only: a pipe cannot know where it ends."""
    return what == 'zipfile 0 as a stream'


def packed_bills_are_the_same(item):
    if item.name not in PACKED:
        raise harness.LeftOut('a few inputs are enough')
    want = report(item, os.path.join(item.folder, 'billing.csv'))
    if want[0] != 0:
        raise harness.LeftOut('no report from the plain file')
    for coding, text in texts(item):
        for what, data in [('plain', text)] + list(packings(text, item.folder)):
            if data is None:
                continue
            got = report(item, write(item.folder, data))
            if got[:2] != want[:2]:
                yield '%s, %s: exit %d, %s' % (what, coding, got[0], got[2])
            got = report(item, '-', data)
            if needs_a_file(what) and got[0] != 3:
                yield '%s through a pipe: exit %d' % (what, got[0])
            if not needs_a_file(what) and got[:2] != want[:2]:
                yield '%s, %s, through a pipe: exit %d, %s' % (what, coding, got[0], got[2])


def cut_bills_are_errors(item):
    if item.name != 'demo':
        raise harness.LeftOut('one bill is enough')
    text = next(texts(item))[1]
    for what, data in packings(text, item.folder):
        if data is None:
            continue
        cuts = {len(data) - 1, len(data) // 2} | {item.rng.randrange(8, len(data)) for _ in range(CUTS)}
        if what.endswith('two members') or what.endswith('two frames'):
            cuts = {len(data) - 1, len(data) // 4}           # in between it would be whole
        for n in sorted(cuts):
            code, out, err = report(item, write(item.folder, data[:n]))
            if code != 3 or out or ('at byte %d\n' % n not in err and 'no readable directory' not in err):
                yield '%s cut at byte %d of %d: exit %d, %s' % (what, n, len(data), code, err)


if __name__ == '__main__':
    harness.main([packed_bills_are_the_same, cut_bills_are_errors], '1-2')
