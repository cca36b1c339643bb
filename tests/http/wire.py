"""Scenarios of stub.py that are about HTTP itself: what it allows and few servers do, what it forbids, and answers without an end.

Each is called with the handler, the number of the request, its log entry and the good answer.
"""
import email.utils
import gzip
import time


def write(h, *parts, close=True):
    h.close_connection = close
    for part in parts:
        h.wfile.write(part if isinstance(part, bytes) else part.encode())
    h.wfile.flush()


def head(status, *lines):
    return '\r\n'.join(('HTTP/1.1 ' + status,) + lines + ('', ''))


JSON = 'Content-Type: application/json'


def without_keep_alive(h, number, entry, good):
    write(h, head('200 OK', JSON, 'Connection: close', 'Content-Length: %d' % len(good)), good)


def closes_quietly(h, number, entry, good):
    """The connection is promised to stay, and does not."""
    write(h, head('200 OK', JSON, 'Content-Length: %d' % len(good)), good)


def http_10(h, number, entry, good):
    write(h, head('200 OK', JSON).replace('1.1', '1.0'), good)


def hints(h, number, entry, good):
    """Two answers before the answer; neither is about JSON."""
    write(h, head('100 Continue'), head('103 Early Hints', 'Link: </style.css>; rel=preload', 'Content-Type: text/html'),
          head('200', JSON, 'Content-Length: %d' % len(good)), good, close=False)


def chunks(good, size=999):
    return b''.join(b'%X;name="a;b"\r\n%s\r\n' % (len(good[at:at + size]), good[at:at + size]) for at in range(0, len(good), size))


CHUNKED = head('200 OK', JSON, 'Transfer-Encoding: chunked', 'Trailer: X-Sum')


def trailers(h, number, entry, good):
    write(h, CHUNKED, chunks(good), '0\r\nX-Sum: 1\r\nContent-Type: text/html\r\n\r\n', close=False)


def chunks_cut(h, number, entry, good):
    """All of the answer is there, but for the chunk that says so."""
    write(h, CHUNKED, chunks(good))


def chunks_cut_short(h, number, entry, good):
    chunks_cut(h, number, entry, good[:40])


def chunk_of_nonsense(h, number, entry, good):
    write(h, CHUNKED, chunks(good[:-1]), 'what?\r\n')


def length_of_nonsense(h, number, entry, good):
    write(h, head('200 OK', JSON, 'Content-Length: -5'), good)


def rests(seconds):
    """429 with a date to come back at, for the first request."""
    def scenario(h, number, entry, good):
        entry['at'] = time.monotonic()
        if number > 1:
            h.send(200, good)
        else:
            h.send(429, b'', Retry_After=email.utils.formatdate(time.time() + seconds, usegmt=True))
    return scenario


def rests_for(text):
    return lambda h, number, entry, good: h.send(200, good) if number > 1 else h.send(429, b'', Retry_After=text)


def wrecked(h, number, entry, good):
    """Gzip with a wrong sum at its end."""
    body = bytearray(gzip.compress(good))
    body[-8] ^= 1
    h.send(200, bytes(body), Content_Encoding='gzip')


def nested(h, number, entry, good):
    h.send(200, good, Content_Encoding=', '.join(['gzip'] * 20))


def redirects(h, number, entry, good):
    """By the status to the port that the path names."""
    port, status = h.path.split('/')[2:4]
    h.send(int(status), b'', Location='http://127.0.0.1:%s/ok/api/v1/query' % port)


def without_end(first, part):
    """Sends until nobody listens; how much is in the log."""
    def scenario(h, number, entry, good):
        entry['sent'] = len(first)
        write(h, first)
        n = 0
        while entry['sent'] < 10 << 30:
            data = b''.join(part(n + i) for i in range(64))
            h.wfile.write(data)
            entry['sent'] += len(data)
            n += 64
    return scenario


BEGIN = b'{"status":"success","data":{"resultType":"matrix","result":['
OPEN = head('200 OK', JSON, 'Connection: close').encode()
NAME = b'{"metric":{"__name__":"DCGM_FI_DEV_FB_USED"'
TEXT, SAMPLES = b'x' * 1000, b',[1791158461,"1"]' * 60
WITHOUT_END = {
    'endless-labels': without_end(OPEN + BEGIN + NAME, lambda n: b',"l%d":"%s"' % (n, TEXT)),
    'endless-series': without_end(OPEN + BEGIN + NAME + b'},"values":[]}',
                                  lambda n: b',' + NAME + b',"l%d":"%s"},"values":[]}' % (n, TEXT)),
    'endless-samples': without_end(OPEN + BEGIN + NAME + b'},"values":[[1791158460,"1"]', lambda n: SAMPLES),
    'endless-text': without_end(OPEN + BEGIN + NAME + b',"l":"', lambda n: TEXT),
    'endless-chunk': without_end(CHUNKED.encode(), lambda n: b'3E8\r\n%s\r\n' % (b' ' * 1000)),
    'endless-head': without_end(b'HTTP/1.1 200 OK\r\n', lambda n: b'X-%d: %s\r\n' % (n, TEXT)),
    'endless-header': without_end(b'HTTP/1.1 200 OK\r\nX: ', lambda n: TEXT),
    'endless-hints': without_end(b'', lambda n: b'HTTP/1.1 103 Early Hints\r\nX: %s\r\n\r\n' % TEXT),
    'endless-page': without_end(head('503 Service Unavailable', 'Content-Type: text/html').encode(), lambda n: TEXT),
}


def once(bad):
    return lambda h, number, entry, good: bad(h, number, entry, good) if number == 1 else h.send(200, good)


SCENARIOS = {
    'without-keep-alive': without_keep_alive, 'closes-quietly': closes_quietly, 'http-1.0': http_10, 'hints': hints, 'trailers': trailers,
    'chunks-cut': chunks_cut_short, 'chunks-cut-once': once(chunks_cut), 'chunk-of-nonsense': chunk_of_nonsense,
    'chunk-of-nonsense-once': once(chunk_of_nonsense), 'length-of-nonsense': length_of_nonsense,
    '429-date': rests(3), '429-past': rests(-3600), '429-long-date': rests(3600), '429-words': rests_for('soon'),
    '429-huge': rests_for('99999999999999999999'), 'wrecked': wrecked, 'nested-packs': nested, 'redirects': redirects, **WITHOUT_END,
}
