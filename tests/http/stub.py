#!/usr/bin/env python3
"""A stub of Prometheus' query API on a free port of the loopback device, with scripted misbehaviour.

    stub = Stub('metrics.om')        the samples that it knows, OpenMetrics text
    stub.base('reset-once')          the address of a scenario: a name in SCENARIOS is the first part of the path
    stub.log('reset-once')           its requests so far: dicts with headers, query and window in seconds
    stub.close()

Or alone:  stub.py METRICS.om        prints its address and serves until standard input ends, for at most ten minutes.

Remote read it speaks in the scenarios of remote.FORMS, VictoriaMetrics' export in those of exported.FORMS: stub.questions(scenario).
Elsewhere than at these it answers as ELSEWHERE says, 404 if nothing: stub.elsewhere(scenario) is the paths that were asked.

The stub answers {__name__="A"}[Ns] and {__name__=~"A|B"}[Ns], also with ,label!="" in the braces, at a time with the samples in
[time - N, time], like Prometheus 2; the scenario "open" leaves out the beginning, like Prometheus 3.
"""
import gzip
import hashlib
import json
import re
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.parse
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import exported
import remote
import sigv4
import wire

LINE = re.compile(r'^([A-Za-z_:][A-Za-z0-9_:]*)(\{.*\})? (\S+) (\S+)$')
LABEL = re.compile(r'([A-Za-z_][A-Za-z0-9_]*)="((?:[^"\\]|\\.)*)"')
QUERY = re.compile(r'^\{__name__=~?"([^"]+)"(?:,([A-Za-z_]+)!="")?\}\[(\d+)s\]$')
SECRET = 'hunter2-very-secret'
ACCOUNT = {'key': 'AKIDEXAMPLE', 'secret': SECRET, 'session': 'tok/en+of=session', 'region': 'eu-central-1', 'service': 'aps'}


def load(path):
    series = {}
    with open(path, encoding='utf-8') as f:
        for line in f:
            m = LINE.match(line.rstrip('\n'))
            if not m or line.startswith('#'):
                continue
            labels = {k: re.sub(r'\\(.)', lambda e: '\n' if e[1] == 'n' else e[1], v) for k, v in LABEL.findall(m[2] or '')}
            labels['__name__'] = m[1]
            key = tuple(sorted(labels.items()))
            series.setdefault(key, (labels, []))[1].append((int(float(m[4]) * 1000), m[3]))
    return list(series.values())


def sample(t, value):
    number = '%d.%03d' % divmod(t, 1000) if t % 1000 else '%d' % (t // 1000)
    value = {'NaN': 'NaN', '+Inf': '+Inf', '-Inf': '-Inf'}.get(value) or repr(float(value)).removesuffix('.0')
    return '[%s,"%s"]' % (number, value)


def matrix(series, names, label, start, end, closed):
    items = []
    for labels, samples in series:
        if labels['__name__'] in names and (not label or labels.get(label)):
            values = [sample(t, v) for t, v in samples if (start <= t if closed else start < t) and t <= end]
            if values:
                items.append('{"metric":%s,"values":[%s]}' % (json.dumps(labels), ','.join(values)))
    return '{"status":"success","data":{"resultType":"matrix","result":[%s]}}' % ','.join(items)


def error(kind, text):
    return json.dumps({'status': 'error', 'errorType': kind, 'error': text}).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    timeout = 30
    disable_nagle_algorithm = True     # heads and bodies are written apart: no waiting between them

    def log_message(self, *_):
        pass

    def do_POST(self):
        stub, scenario = self.server.stub, self.path.split('/')[1]
        body = self.rfile.read(int(self.headers['Content-Length']))
        if scenario in RAW:
            RAW[scenario](self, body)
            return
        way = WAYS.get(self.path.rpartition('/')[2])
        if way and scenario in way.FORMS:
            with stub.lock:
                asked = stub.asked.setdefault(scenario, [])
                asked.append(way.question(body, dict(self.headers)))
                entry, number = asked[-1], len(asked)
            way.FORMS[scenario](self, number, entry, stub.series)
            return
        if not self.path.endswith('/api/v1/query'):
            with stub.lock:
                stub.others.setdefault(scenario, []).append(self.path.partition('/')[2].partition('/')[2])
                number = len(stub.others[scenario])
            ELSEWHERE.get(scenario, fails(404, b'404 page not found\n'))(self, number, None, b'')
            return
        form = urllib.parse.parse_qs(body.decode())
        q = QUERY.match(form['query'][0])
        entry = {'headers': dict(self.headers), 'at': time.monotonic(), 'query': form['query'][0], 'body': body,
                 'window': int(q[3]) - 1, 'time': int(form['time'][0]) - 1}        # a second more is asked for than wanted
        with stub.lock:
            stub.logs.setdefault(scenario, []).append(entry)
            number = len(stub.logs[scenario])
        start, end = (entry['time'] - entry['window']) * 1000, (entry['time'] + 1) * 1000
        good = matrix(stub.series, q[1].split('|'), q[2], start, end, scenario != 'open').encode()
        if scenario not in SCENARIOS:
            self.send(404, b'404 page not found\n', 'text/plain')
        else:
            SCENARIOS[scenario](self, number, entry, good)

    do_GET = do_POST

    def send(self, status, body, kind='application/json', **headers):
        self.send_response(status)
        self.send_header('Content-Type', kind)
        for name, value in headers.items():
            self.send_header(name.replace('_', '-'), value)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def head(self, *lines):
        self.close_connection = True
        self.wfile.write('\r\n'.join(('HTTP/1.1 200 OK', 'Content-Type: application/json') + lines + ('', '')).encode())

    def reset(self):
        """The connection is gone without a goodbye."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        self.wfile.flush()
        self.connection.close()


# ---- scenarios: (handler, number of the request, its log entry, the good answer) ----

def ok(h, number, entry, good):
    h.send(200, good)


def slow(h, number, entry, good):
    h.head('Content-Length: %d' % len(good))
    step = 1 + number % 7
    for at in range(0, min(len(good), 400), step):
        h.wfile.write(good[at:at + step])
        h.wfile.flush()
        time.sleep(0.001)
    h.wfile.write(good[-(-min(len(good), 400) // step) * step:])


def sleepy(h, number, entry, good):
    time.sleep(0.05)
    h.send(200, good)


def sleepy_then_400(h, number, entry, good):
    time.sleep(0.05)
    h.send(*(400, error('bad_data', 'enough')) if number > 40 else (200, good))


def sleepy_warns(h, number, entry, good):
    time.sleep(0.05)
    h.send(200, good[:-1] + b',"warnings":["late"]}' if number == 40 else good)


def chunked(h, number, entry, good):
    """No length, members in another order, blanks, escapes, more members than expected."""
    data = json.loads(good)
    for item in data['data']['result']:
        item['metric'] = item.pop('metric')            # behind the values now
    text = json.dumps({'infos': ['nothing'], 'data': data['data'], 'extra': {'a': [1, {'b': None}]}, 'status': 'success'},
                      indent=1, ensure_ascii=True).encode()
    text = re.sub(rb'"node', rb'"\\u006eode', text)
    h.send_response(200)
    h.send_header('Transfer-Encoding', 'chunked')
    h.end_headers()
    for at in range(0, len(text), 1000):
        part = text[at:at + 1000]
        h.wfile.write(b'%x\r\n%s\r\n' % (len(part), part))
    h.wfile.write(b'0\r\n\r\n')


def packed(h, number, entry, good):
    h.send(200, gzip.compress(good), Content_Encoding='gzip')


def too_many(h, number, entry, good, longest=3600, text='query processing would load too many samples into memory in query execution'):
    if entry['window'] > longest:
        h.send(422, error('execution', text))
    else:
        h.send(200, good)


def never_enough(h, number, entry, good):
    too_many(h, number, entry, good, 0)


def late_limit(h, number, entry, good):
    """VictoriaMetrics notices while it sends: a second document tells."""
    more = error('422', 'cannot process more than 5 samples per series; either increase -search.maxSamplesPerSeries or reduce time range')
    h.send(200, good + more if entry['window'] > 3 * 3600 else good, 'application/stream+json; charset=utf-8')


def lingers(h, number, entry, good):
    time.sleep(0.03)
    entry['end'] = time.monotonic()
    h.send(200, good)


def points(h, number, entry, good):
    """As if each answer had the limit that query_range has."""
    entry['points'] = max([0] + [len(s['values']) for s in json.loads(good)['data']['result']])
    if entry['points'] > 11000:
        h.send(400, error('bad_data', 'exceeded maximum resolution of 11,000 points per timeseries.'))
    else:
        h.send(200, good)


def limited(text):
    return lambda h, number, entry, good: too_many(h, number, entry, good, text=text)


def times_out(h, number, entry, good):
    if entry['window'] > 3 * 3600:
        h.send(503, error('timeout', 'query timed out in expression evaluation'))
    else:
        h.send(200, good)


def once(bad):
    return lambda h, number, entry, good: bad(h, number, entry, good) if number == 1 else ok(h, number, entry, good)


def fails(status, body=b'', kind='text/plain', **headers):
    return lambda h, number, entry, good: h.send(status, body, kind, **headers)


def broken(h, number, entry, good):
    h.reset()


def cut(h, number, entry, good):
    """The announced length is not reached."""
    h.head('Content-Length: %d' % len(good))
    h.wfile.write(good[:40])


def cut_unannounced(h, number, entry, good):
    """The end of the connection is the end of the answer, but it comes too early."""
    h.head('Connection: close')
    h.wfile.write(good[:40])


def short_length(h, number, entry, good):
    """The announced length ends in the middle of the answer."""
    h.head('Content-Length: 40')
    h.wfile.write(good)


def left_over(h, number, entry, good):
    """The fifth request meets what reads like the rest of another answer; others were answered by then."""
    if number == 5:
        h.close_connection = True
        h.wfile.write(good[-40:])
    else:
        h.send(200, good)


def not_http(h, number, entry, good):
    h.close_connection = True
    h.wfile.write(b'220 mail.example ready\r\n')


def warns(h, number, entry, good):
    h.send(200, good[:-1] + b',"warnings":["store \\u001b[31mtwo did not answer","store ' + SECRET.encode() + b' neither"]}')


def bomb(h, number, entry, good):
    """A quarter of a gibibyte of blanks between two brackets, in a quarter of a mebibyte."""
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = pack.compress(b'{"status":"success","data":{"resultType":"matrix","result":[')
    blanks = b' ' * (1 << 20)
    for _ in range(256):
        body += pack.compress(blanks)
    body += pack.compress(b']}}') + pack.flush()
    h.send(200, body, Content_Encoding='gzip')


def says(body):
    return lambda h, number, entry, good: h.send(200, body)


def result(items):
    return '{"status":"success","data":{"resultType":"matrix","result":[%s]}}' % items


def login(h, number, entry, good):
    headers, wanted = entry['headers'], {'basic': 'Basic dGluYTpodW50ZXIyLXZlcnktc2VjcmV0', 'bearer': 'Bearer ' + SECRET}
    if headers.get('Authorization') == wanted[h.path.split('/')[1]] and headers.get('X-Scope-OrgID', 'tenant-1') == 'tenant-1':
        h.send(200, good)
    else:
        h.send(401, b'Unauthorized\n', 'text/plain')


def signed(h, number, entry, good):
    why = sigv4.refusal(h.command, h.path, h.headers.items(), entry['body'], ACCOUNT)
    if why:
        h.send(403, json.dumps({'message': why}).encode())
    else:
        h.send(200, good)


def parrot(h, number, entry, good):
    h.send(400, error('bad_data', 'cannot read\nthe header ' + entry['headers'].get('Authorization', '')))


HTML = b'<!DOCTYPE html>\n<html><body>Please log in</body></html>\n'
SAMPLE = '{"metric":{"__name__":"DCGM_FI_DEV_FB_USED"},"values":[%s]}'
# Answers that are none: HTTP is content with them.
BODIES = {
    'failure': '{"status":"error","errorType":"internal","error":"disk \\u0007 on fire"}',
    'vector': '{"status":"success","data":{"resultType":"vector","result":[]}}',
    'no-status': '{"data":{"resultType":"matrix","result":[]}}', 'no-result': '{"status":"success","data":{}}',
    'number': '17', 'empty': '', 'two': '{"status":"success","data":{"result":[]}} {}',
    'nested': '{"a":' + '[' * 64, 'long': '{"a":"' + 'x' * ((1 << 20) + 1) + '"}', 'latin': b'{"a\xe4": 1}',
    'bare-value': result(SAMPLE % '[1791158460,1]'), 'bad-time': result(SAMPLE % '["1791158460","1"]'),
    'bad-value': result(SAMPLE % '[1791158460,"0x10"]'), 'triple': result(SAMPLE % '[1791158460,"1",2]'),
    'single': result(SAMPLE % '[1791158460]'), 'nameless': result('{"metric":{},"values":[]}'),
    'stranger': result('{"metric":{"__name__":"up"},"values":[]}'), 'no-values': result('{"metric":{"__name__":"up"},"values":null}'),
    'twice': result('{"metric":{"a":"1","a":"2","__name__":"up"},"values":[]}'),
}
SCENARIOS = {
    'ok': ok, 'open': ok, 'slow': slow, 'sleepy': sleepy, 'sleepy-then-400': sleepy_then_400,
    'sleepy-warns': sleepy_warns, 'chunked': chunked, 'packed': packed, 'warns': warns,
    'too-many': too_many, 'late-limit': late_limit, 'lingers': lingers, 'points': points, 'times-out': times_out, 'never-enough': never_enough,
    'chunks-limit': limited('exceeded chunks limit: 10 allowed, 11 there'), 'bytes-limit': limited('exceeded bytes limit'),
    'size-limit': limited('chunks are beyond the aggregated size limit'),
    'reset-once': once(broken), 'cut-once': once(cut), 'cut-unannounced-once': once(cut_unannounced),
    'left-over': left_over, 'not-http': not_http,
    'short-length-once': once(short_length), '500-once': once(fails(500)), '502-once': once(fails(502, HTML, 'text/html')),
    '503-once': once(fails(503, error('unavailable', 'starting'), 'application/json')),
    '429-once': once(fails(429, Retry_After='1')),
    'reset': broken, 'cut': cut, 'cut-unannounced': cut_unannounced, 'short-length': short_length,
    '401': fails(401, b'Unauthorized\n'), '403': fails(403), '404': fails(404, HTML, 'text/html'),
    '400': fails(400, error('bad_data', 'invalid parameter "query"'), 'application/json'),
    '422': fails(422, error('execution', 'found duplicate series'), 'application/json'),
    '429-long': fails(429, Retry_After='3600'), 'interrupt': fails(503), '503': fails(503, error('unavailable', 'starting'), 'application/json'),
    'redirect': fails(302, Location='https://user:' + SECRET + '@login.example/start?x=1'),
    'html': fails(200, HTML, 'text/html'), 'unnamed-html': fails(200, HTML), 'bomb': bomb,
    **{'only-query-' + how: ok for how in ('404', '405', '501', 'html', 'json', 'late')},
    'basic': login, 'bearer': login, 'parrot': parrot, 'signed': signed,
    **wire.SCENARIOS, **{name: ok for name in (*remote.FORMS, *exported.FORMS)},
    **{name: says(body if isinstance(body, bytes) else body.encode()) for name, body in BODIES.items()},
}


# ---- what is no query: (handler, body) ----

def echo(h, body):
    """What came, as JSON and by a hash."""
    entry = {'headers': [[n.lower(), v] for n, v in h.headers.items()], 'bytes': len(body), 'hash': hashlib.sha256(body).hexdigest(),
             'refusal': sigv4.refusal(h.command, h.path, h.headers.items(), body, ACCOUNT)}
    h.send(200, json.dumps(entry).encode(), 'application/x-echo; version=1')


RAW = {'echo': echo}
WAYS = {'read': remote, 'export': exported}


# ---- how scenarios answer what is no query API: (handler, number of the request, None, b'') ----

def late_404(h, number, entry, good):
    """The second request is told after a while what the first one hears at once."""
    time.sleep(0.5 if number == 2 else 0)
    h.send(404, b'404 page not found\n', 'text/plain')


ELSEWHERE = {'only-query-405': fails(405), 'only-query-501': fails(501), 'only-query-html': fails(200, HTML, 'text/html'),
             'only-query-json': fails(200, b'{"status":"success"}', 'application/json'), '401': fails(401, b'Unauthorized\n'),
             '503': fails(503, error('unavailable', 'starting'), 'application/json'), 'only-query-late': late_404}


class Server(ThreadingHTTPServer):
    """Says goodbye to a client that it does not trust in a way that the client can hear: its request may be on its way already."""
    def finish_request(self, request, client_address):
        if self.context:
            request = self.context.wrap_socket(request, server_side=True, do_handshake_on_connect=False)
            try:
                request.do_handshake()
            except ssl.SSLError:
                plain = socket.socket(fileno=request.detach())
                plain.shutdown(socket.SHUT_WR)
                plain.settimeout(10)
                while plain.recv(65536):
                    pass
                plain.close()
                raise
        super().finish_request(request, client_address)
        if self.context:
            request.close()


class Stub:
    def __init__(self, path, context=None):
        self.path, self.series, self.logs, self.others, self.asked = path, load(path), {}, {}, {}
        self.lock = threading.Lock()
        self.server = Server(('127.0.0.1', 0), Handler)
        self.server.context = context
        self.server.stub, self.server.daemon_threads = self, True
        self.scheme = 'https' if context else 'http'
        self.server.handle_error = lambda *_: None     # clients that went away are part of the play
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def base(self, scenario):
        return '%s://127.0.0.1:%d/%s' % (self.scheme, self.server.server_address[1], scenario)

    def log(self, scenario):
        with self.lock:
            return list(self.logs.get(scenario, []))

    def questions(self, scenario):
        """Those to remote read or to the export."""
        with self.lock:
            return list(self.asked.get(scenario, []))

    def elsewhere(self, scenario):
        with self.lock:
            return list(self.others.get(scenario, []))

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    stub = Stub(argv[1])
    print(stub.base('ok'), flush=True)
    over = threading.Timer(600, stub.close)
    over.daemon = True
    over.start()
    sys.stdin.read()
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
