#!/usr/bin/env python3
"""How the bytes come does not show: a pipe that is written in random pieces, gzip in random members, a bill in several files.

Only the hash of a packed file is another one (bill.files), so that the reports are compared without it.
"""
import csv
import gzip
import io
import os
import threading
import time

import harness
import order_property

PIECES = 20
PAUSE = .0005     # so that the reader comes to the end of a piece before the next


def cuts(rng, n, most):
    """At most `most` pieces of n bytes, some of them empty or single bytes."""
    at = sorted(rng.randrange(n + 1) for _ in range(rng.randrange(1, most)))
    at += [min(n, a + 1) for a in rng.sample(at, min(3, len(at)))]
    at = [0] + sorted(at) + [n]
    return list(zip(at, at[1:]))


def pieces(rng, data, most=PIECES):
    return [data[a:b] for a, b in cuts(rng, len(data), most)]


def data_of(item, name):
    return item.text(name).encode('utf-8')


def packed(rng, data):
    """Members of gzip one after another, each packed in its own way."""
    return b''.join(gzip.compress(p, rng.choice([0, 1, 9]), mtime=0) for p in pieces(rng, data, 8))


def json_of(item, **how):
    return order_property.without_files(item.output(more=how.pop('more', []) + ['--format', 'json', '-q'], **how).decode('utf-8'))


def compare(item, got):
    want = order_property.without_files(item.own_outputs()['json'])
    if want != got:
        yield harness.first_difference(want, got)


class Feeder(threading.Thread):
    """Writes pieces into a fifo; a reader that goes away ends it."""

    def __init__(self, path, parts):
        super().__init__(daemon=True)
        self.path, self.parts = path, parts

    def run(self):
        try:
            fd = os.open(self.path, os.O_WRONLY)
            for p in self.parts:
                time.sleep(PAUSE)
                while p:
                    p = p[os.write(fd, p):]
            os.close(fd)
        except OSError:
            pass


def through_fifo(item, names):
    folder = item.folder_with(**{n.replace('.', '_'): None for n in names})
    feeders = []
    for n in names:
        os.mkfifo(os.path.join(folder, n))
        feeders.append(Feeder(os.path.join(folder, n), pieces(item.rng, data_of(item, n))))
        feeders[-1].start()
    yield from compare(item, json_of(item, folder=folder))
    for f in feeders:
        f.join(5)


def bill_through_a_fifo(item):
    yield from through_fifo(item, ['billing.csv'])


def both_through_fifos(item):
    yield from through_fifo(item, ['billing.csv', 'metrics.om'])


def gzip_members(item):
    folder = item.folder_with(billing_csv=None, metrics_om=None)
    for n in ('billing.csv', 'metrics.om'):
        with open(os.path.join(folder, n), 'wb') as f:
            f.write(packed(item.rng, data_of(item, n)))
    yield from compare(item, json_of(item, folder=folder))


def bill_in_several_files(item):
    """Texts of warnings name the file: only what is not a warning is compared."""
    head, *rows = csv.reader(io.StringIO(item.text('billing.csv')))
    if any(len(r) != len(head) for r in rows) or len(rows) < 2:
        raise harness.LeftOut('the bill cannot be cut by rows')
    piles = [[], [], []]
    for r in rows:
        item.rng.choice(piles).append(r)
    folder = item.folder_with()
    texts = {order_property.bill_text(item.rng, head, p): None for p in piles if p}
    options = []
    for i, text in enumerate(texts):
        path = os.path.join(folder, 'part_%d.csv' % i)
        harness.write(path, text)
        options += ['--billing', path]
    got = without_warnings(json_of(item, folder=folder, more=options))
    want = without_warnings(order_property.without_files(item.own_outputs()['json']))
    if want != got:
        yield harness.first_difference(want, got)


def without_warnings(text):
    return text[:text.index('\n  "warnings":')]


if __name__ == '__main__':
    harness.main([bill_through_a_fifo, both_through_fifos, gzip_members, bill_in_several_files], '4001-4030')
