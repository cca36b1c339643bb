#!/usr/bin/env python3
"""gputab against a Prometheus that misbehaves: every scenario of stub.py, with its outcome.

    run_http.py GPUTAB POST [NAME...]    one line per fault, then "N passed, N failed"; POST is tests/http/post.c

Wanted is either the report that the same samples give from a file, byte for byte but for the name of the source, or an exact message
and exit code 3. Scenarios run side by side, since some of them wait.
"""
import concurrent.futures
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import access
import answers
import drawn
import proxied
import settings
import stub
import transports

CASE = os.path.join(HERE, '..', 'cases', '03-exclusive-held-unheld-cost')
SECRET = stub.SECRET
MAX_SECONDS = 120
NOT_READ = 'the answer cannot be read: '
PAGE = 'hint: a login page or another service answers here; give the server\'s own address\n'
ADDRESS = 'hint: --prometheus takes the part of the address before /api/v1/query\n'

# Scenarios that give the file's report, and how many requests more than an undisturbed run they take (None: not asked).
SAME = {'ok': 0, 'open': 0, 'slow': 0, 'chunked': 0, 'packed': 0, 'reset-once': 1, 'cut-once': 1, 'cut-unannounced-once': 1,
        'short-length-once': 1, '500-once': 1, '502-once': 1, '503-once': 1, '429-once': 1, 'too-many': None, 'times-out': None,
        'late-limit': None, 'chunks-limit': None, 'bytes-limit': None, 'size-limit': None, 'left-over': 1,
        'without-keep-alive': 0, 'closes-quietly': 0, 'http-1.0': 0, 'hints': 0, 'trailers': 0, 'chunks-cut-once': 1,
        'chunk-of-nonsense-once': 1, '429-past': 1, '429-words': 1, '429-huge': 1}

# Scenarios that fail: the message behind the server's address, and further lines.
FAILS = {
    '400': ('answers 400 Bad Request: bad_data: invalid parameter "query"', ''),
    '401': ('answers 401 Unauthorized', access.LOG_IN),
    '403': ('answers 403 Forbidden', 'hint: the credentials are good for something else; a tenant\'s header can stand in GPUTAB_PROM_HEADERS_FILE\n'),
    '404': ('answers 404 Not Found', ADDRESS),
    '422': ('answers 422 Unprocessable Content: execution: found duplicate series', ''),
    '429-long': ('answers 429 Too Many Requests, and wants 3600 s of rest', ''),
    '503': ('answers 503 Service Unavailable: unavailable: starting (6 attempts)', ''),
    'never-enough': ('answers 422 Unprocessable Content: execution: query processing would load too many samples into memory in query '
                     'execution', ''),
    'not-http': ('what it sends is no HTTP', ''),
    'reset': ('the connection was closed before an answer (6 attempts)', ''),
    'cut': ('the answer breaks off after 40 bytes (6 attempts)', ''),
    'cut-unannounced': ('the answer breaks off after 40 bytes (6 attempts)', ''),
    'short-length': ('the answer breaks off after 40 bytes (6 attempts)', ''),
    'empty': ('the answer breaks off after 0 bytes (6 attempts)', ''),
    'redirect': ('redirects to https://login.example/start?x=1, which is not followed',
                 'hint: if that is the server you mean, give its address\n'),
    'html': ('answers with HTML, not JSON', PAGE),
    'unnamed-html': (NOT_READ + "'<' where a value should be (line 1, column 1)", ''),
    'bomb': ('an answer unpacks to more than 128 MiB', ''),
    'chunks-cut': ('the answer breaks off after 40 bytes (6 attempts)', ''),
    'length-of-nonsense': ('Invalid Content-Length: value (6 attempts)', ''),
    'wrecked': ('Error while processing content unencoding: incorrect data check', ''),
    'nested-packs': ('Reject response due to more than 5 content encodings', ''),
    'failure': ('the query failed: internal: disk \ufffd on fire', ''),
    'no-status': (NOT_READ + 'not an answer of the query API: it has no status', ''),
    'two': (NOT_READ + 'not an answer of the query API: it has no status', ''),
    'no-result': (NOT_READ + 'not an answer of the query API: it has no result', ''),
}

# Scenarios of stub.BODIES whose answer cannot be read: what is wrong, and the text at whose first (or n-th) place.
UNREADABLE = {
    'vector': ('the result is no matrix of samples', '"vector"', 1), 'number': ('not an answer of the query API', '17', 1),
    'nested': ('nested too deeply', '[', 64),
    'long': ('string is longer than 1 MiB', '"x', 1), 'latin': ('string is not UTF-8', '"', 2),
    'bare-value': ("a sample's value is no number in quotes", '1]', 1),
    'bad-time': ("a sample's time is no number of seconds", '"1791158460"', 1),
    'bad-value': ("a sample's value is no number in quotes", '"0x10"', 1),
    'triple': ('a sample is not a pair of time and value', ']', 1), 'single': ('a sample is not a pair of time and value', ']', 1),
    'nameless': ('a series without the name of its metric', '}', 2), 'stranger': ('a series that was not asked for', '}', 2),
    'no-values': ('not an answer of the query API', 'null', 1), 'twice': ('a series has a label twice', '"2"', 1),
}


def unreadable(scenario):
    what, text, n = UNREADABLE[scenario]
    body, at = stub.BODIES[scenario], -1
    for _ in range(n):
        at = (body.decode('latin-1') if isinstance(body, bytes) else body).index(text, at + 1)
    return '%s%s (line 1, column %d)' % (NOT_READ, what, at + 1)


def clean():
    kept = {k: v for k, v in os.environ.items() if not k.startswith(('GPUTAB_', 'AWS_')) and not k.lower().endswith('_proxy')}
    return {**kept, 'GPUTAB_CONFIG': ''}       # no settings


def command(gputab, *metrics, own=None):
    with open(os.path.join(CASE, 'args'), encoding='utf-8') as f:
        args = own or f.read().split()
    return [gputab, 'report'] + args + ['--billing', 'billing.csv', '--rule', 'rule.yaml', '--format', 'json'] + list(metrics)


def plain(report):
    return re.sub(r'"source":"[^"]*"', '"source":""', report)


class Run:
    """One gputab over the case, with its metrics from the file or from a server; own: options instead of the case's."""
    def __init__(self, gputab, *metrics, own=None, **environment):
        cmd = command(gputab, *metrics, own=own)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            p = subprocess.Popen(cmd, cwd=CASE, env={**clean(), **environment}, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            over = threading.Timer(MAX_SECONDS, p.kill)
            over.start()
            _, status, used = os.wait4(p.pid, 0)
            over.cancel()
            p.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            self.code, self.out, self.err = p.returncode, out.read().decode(), err.read().decode('utf-8', 'replace')
        self.mib = used.ru_maxrss / 1024               # this program's own before it was gputab counts too

    def report(self):
        return plain(self.out)


class Tests:
    folder, plain, environment = CASE, staticmethod(plain), staticmethod(clean)

    def __init__(self, gputab, post):
        self.gputab, self.post_program = gputab, post
        self.stub, self.all = stub.Stub(os.path.join(CASE, 'metrics.om')), []
        self.file = Run(gputab, '--metrics', 'metrics.om')
        self.plain_requests = None

    def command(self, *metrics):
        return command(self.gputab, *metrics)

    def run(self, base, **environment):
        return Run(self.gputab, '--prometheus', base, '--transport', 'query', **environment)

    def report_of(self, *options, **environment):
        return Run(self.gputab, *options, **environment)

    def post(self, base, body, *headers, server='', kind='application/x-protobuf', accept='', **environment):
        """One request of codec/http: what was known of the answer before its first byte, (outcome, status, type), what went wrong, and
        the answer."""
        p = subprocess.run([self.post_program, server, base, kind, accept] + list(headers), env={**clean(), **environment}, input=body,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=MAX_SECONDS)
        if p.returncode:
            raise RuntimeError('exit %d: %s' % (p.returncode, p.stderr.decode()))
        head, result, why, answer = p.stdout.split(b'\n', 3)
        return head.decode(), tuple(result.decode().split(' ', 2)), why.decode(), answer

    def same(self, scenario, more=None, **environment):
        r = self.run(self.stub.base(scenario), **environment)
        if self.file.code != 0 or r.code != 0 or r.err != self.file.err:
            return 'exit %d: %s' % (r.code, r.err)
        if r.report() != self.file.report():
            return 'not the report of the file'
        if '"source":"%s"' % self.stub.base(scenario) not in r.out:
            return 'the source is not named'
        if more is not None and len(self.stub.log(scenario)) != self.plain_requests + more:
            return '%d requests, expected %d' % (len(self.stub.log(scenario)), self.plain_requests + more)
        return None

    def fails(self, base, message, more='', code=3, place=None, **environment):
        r = self.run(base, **environment)
        place = place if place is not None else '%s: ' % base if code == 3 else ''
        wanted = 'gputab: %s%s\n%s' % (place, message, more)
        if r.code != code or r.err != wanted or r.out:
            return 'exit %d\n  got:    %r\n  wanted: %r%s' % (r.code, r.err, wanted, '\n  and output' if r.out else '')
        return None

    def add(self, name, function, *args, **kw):
        self.all.append((name, lambda: function(*args, **kw)))


# ---- tests of their own ----

def windows(t):
    """Windows of one lane adjoin at 0, 6, 12 and 18 o'clock, and the period is covered with max_gap, an hour here, on both sides."""
    t.run(t.stub.base('open'))
    asked = [(r['time'] - r['window'], r['time']) for r in t.stub.log('open') if 'DCGM_FI_DEV_FB_USED' in r['query']][-6:]
    day = 1791158400                                   # 2026-10-05
    if asked[0][0] != day - 3601 or asked[-1][1] != day + 86400 + 3600:
        return 'not covered: %r' % asked
    if any(b - a > 6 * 3600 for a, b in asked) or any(x[1] != y[0] or y[0] % (6 * 3600) for x, y in zip(asked, asked[1:])):
        return 'windows do not adjoin: %r' % asked
    return None


def halved(t):
    """The hour before the day is a second too long for this server: half an hour it is, an hour after eight answers, and two are too much."""
    t.run(t.stub.base('too-many'))
    lengths = [r['window'] for r in t.stub.log('too-many') if 'DCGM_FI_DEV_FB_USED' in r['query']]
    wanted = [3601, 1] + [1800] * 8 + [3600] * 7 + [7200, 3600]
    return None if lengths[:len(wanted)] == wanted else 'windows of %r s' % lengths


def rests(t):
    """A date of whole seconds, three from now, is two to three away. What may come on top is http_text_test's business: here a busy
    machine does too."""
    failure = t.same('429-date', 1)
    first, again = [r['at'] for r in t.stub.log('429-date') if r['query'] == t.stub.log('429-date')[0]['query']][:2]
    return failure or (None if 1.9 < again - first < 30 else 'asked again after %.3f s' % (again - first))


def rests_too_long(t):
    r = t.run(t.stub.base('429-long-date'))
    wanted = r'gputab: %s: answers 429 Too Many Requests, and wants (3599|3600) s of rest\n' % re.escape(t.stub.base('429-long-date'))
    return None if r.code == 3 and re.fullmatch(wanted, r.err) else 'exit %d: %s' % (r.code, r.err)


def redirects(t):
    """Another server, which would answer, hears nothing of it."""
    other = stub.Stub(t.stub.path)
    for status in (301, 302, 303, 307, 308):
        base = t.stub.base('redirects/%d/%d' % (other.server.server_address[1], status))
        failure = t.fails(base, 'redirects to %s/api/v1/query, which is not followed' % other.base('ok'),
                          'hint: if that is the server you mean, give its address\n', GPUTAB_PROM_TOKEN=SECRET)
        if failure or other.logs:
            return failure or 'it was followed: %r' % other.logs
    other.close()
    return None


# What is said of answers without an end, and how many MiB of each are taken at most. Memory: also with sanitizers.
MEMORY_MIB = 1024
ENDLESS = {
    'endless-labels': (NOT_READ + 'a series has more than 256 labels', 8),
    'endless-series': ('an answer has more than 128 MiB', 160),
    'endless-samples': ('an answer has more than 128 MiB', 160),
    'endless-text': (NOT_READ + 'string is longer than 1 MiB', 8),
    'endless-chunk': ('an answer has more than 128 MiB', 160),
    'endless-head': ('the headers of an answer have more than 256 KiB', 8),
    'endless-hints': ('the headers of an answer have more than 256 KiB', 8),
    'endless-header': ('there is no memory left, or a header of an answer does not end', 8),
    'endless-page': ('answers 503 Service Unavailable (6 attempts)', 8),
}


def endless(t, scenario):
    message, most_sent = ENDLESS[scenario]
    r = t.run(t.stub.base(scenario))
    sent = max(e['sent'] for e in t.stub.log(scenario)) / (1 << 20)
    if r.code != 3 or not r.err.startswith('gputab: %s: %s' % (t.stub.base(scenario), message)):
        return 'exit %d: %s' % (r.code, r.err)
    return None if sent < most_sent and r.mib < MEMORY_MIB else '%.1f MiB sent, %.1f MiB needed' % (sent, r.mib)


def asks_plainly(t):
    t.run(t.stub.base('bearer'), GPUTAB_PROM_TOKEN=SECRET)
    h = t.stub.log('bearer')[0]['headers']
    return None if h['Accept-Encoding'] == 'identity' and h['Content-Type'] == 'application/x-www-form-urlencoded' else repr(h)


def warned(t):
    r = t.run(t.stub.base('warns'), GPUTAB_PROM_TOKEN=SECRET)
    lines = ('the server calls an answer incomplete: store *** neither\n'
             '  also: the server calls an answer incomplete: store \ufffd[31mtwo did not answer\n'
             'hint: samples may be missing from the report\n')
    n = 2 * len(t.stub.log('warns'))
    if r.code != 0 or r.err != 'gputab: warning W115 (%dx): %s' % (n, lines) or SECRET in r.out or '"code":"W115"' not in r.out:
        return 'exit %d: %r' % (r.code, r.err)
    return None


def unreachable(t):
    s = socket.socket()
    s.bind(('127.0.0.1', 0))                           # bound and not listening: nobody else gets the port
    failure = t.fails('http://127.0.0.1:%d' % s.getsockname()[1], 'cannot connect: Connection refused')
    s.close()
    return failure


def interrupted(t):
    """A signal during a pause between attempts ends the run at once."""
    p = subprocess.Popen([t.gputab, 'report', '--month', '2026-10', '--billing', 'billing.csv', '--prometheus', t.stub.base('interrupt'),
                          '--transport', 'query'], cwd=CASE, env=clean(),
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while len(t.stub.log('interrupt')) < 2 and p.poll() is None:
        time.sleep(0.02)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=MAX_SECONDS)
    return None if p.returncode == 130 and not out else 'exit %d: %r %r' % (p.returncode, out, err)


def run_all(t, names):
    failed = 0
    chosen = [(n, f) for n, f in t.all if not names or n in names]
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        for (name, _), failure in zip(chosen, pool.map(guarded, [f for _, f in chosen])):
            failed += bool(failure)
            print('%-4s %s' % ('FAIL' if failure else 'ok', name))
            if failure:
                print('  ' + failure)
    print('%d passed, %d failed' % (len(chosen) - failed, failed))
    return 1 if failed or not chosen else 0


def guarded(test):
    try:
        return test()
    except Exception as e:                             # a fault of the test is a failure of it, not the end of all
        return '%s: %s' % (type(e).__name__, e)


def main(argv):
    if len(argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    signal.signal(signal.SIGINT, signal.default_int_handler)    # behind a shell's & it is ignored, and then by what runs here too
    t = Tests(os.path.abspath(argv[1]), os.path.abspath(argv[2]))
    t.run(t.stub.base('ok'))
    t.plain_requests = len(t.stub.log('ok'))
    t.stub.logs.clear()
    with tempfile.TemporaryDirectory() as folder:
        for scenario, more in SAME.items():
            t.add(scenario, t.same, scenario, more)
        for scenario, (message, more) in FAILS.items():
            t.add(scenario, t.fails, t.stub.base(scenario), message, more)
        for scenario in UNREADABLE:
            t.add(scenario, t.fails, t.stub.base(scenario), unreadable(scenario))
        for scenario in ENDLESS:
            t.add(scenario, endless, t, scenario)
        for test in (windows, halved, rests, rests_too_long, redirects, asks_plainly, warned, unreachable, interrupted):
            t.add(test.__name__, test, t)
        access.add_urls(t)
        access.add_access(t, folder)
        access.add_signature(t, folder)
        access.add_requests(t)
        settings.add(t, folder)
        transports.add(t, CASE, folder)
        answers.add(t, folder)
        tls = access.add_tls(t, folder)
        drawn.add(t)
        proxied.add(t, tls[0] if tls else None, folder)
        rc = run_all(t, argv[3:])
        for s in (t.stub,) + tls:
            s.close()
    return rc


if __name__ == '__main__':
    sys.exit(main(sys.argv))
