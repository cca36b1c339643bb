"""VictoriaMetrics' /api/v1/export as a stub speaks it, and the faults in it.

    FORMS[scenario](h, number, question, series)     what stub.py calls; number counts the requests of the scenario

question has names, present (a label or None), start and end (ms, both inclusive) and headers; series is stub.load's.
"""
import json
import re
import time
import urllib.parse

LINES = 'application/stream+json; charset=utf-8'
MATCH = re.compile(r'^\{__name__=~"([^"]+)"(?:,(\w+)!="")?\}$')
REQUEST = 'remoteAddr: "127.0.0.1:60304"; requestURI: /api/v1/export; '
TOO_MANY = (REQUEST + 'error when exporting data on the time range: cannot process more than 5 samples per series; either increase '
            '-search.maxSamplesPerSeries or reduce time range for the query\n').encode()
TOO_LONG = (REQUEST + 'timeout exceeded while fetching data block #7 from storage\n').encode()


def question(body, headers):
    form = urllib.parse.parse_qs(body.decode(), strict_parsing=True)
    names, present = MATCH.match(form.pop('match[]')[0]).groups()
    return {'headers': headers, 'names': names.split('|'), 'present': present, 'start': int(form.pop('start')[0]) * 1000,
            'end': int(form.pop('end')[0]) * 1000, 'params': form}


NO_NUMBERS = {'NaN': None, 'stale': None, '+Inf': 'Infinity', '-Inf': '-Infinity'}


def number_of(value):
    """NaN, stale markers among them, is null there; infinities are in quotes."""
    if value in NO_NUMBERS:
        return NO_NUMBERS[value]
    f = float(value)
    return int(f) if f == int(f) else f


def parts(q, series):
    """(labels, [(time, value)]) of the question."""
    for labels, samples in series:
        kept = [(t, v) for t, v in samples if q['start'] <= t <= q['end']]
        if labels['__name__'] in q['names'] and kept and (not q['present'] or labels.get(q['present'])):
            yield labels, kept


def line(labels, samples):
    return json.dumps({'metric': labels, 'values': [number_of(v) for _, v in samples], 'timestamps': [t for t, _ in samples]},
                      separators=(',', ':')) + '\n'


def lines(q, series):
    return ''.join(line(*p) for p in parts(q, series)).encode()


def good(h, number, q, series):
    h.send(200, lines(q, series), LINES)


def answer(make):
    return lambda h, number, q, series: h.send(200, ''.join(x for p in parts(q, series) for x in make(*p)).encode(), LINES)


def rows(labels, samples):
    """A series over several lines."""
    return [line(labels, samples[at:at + 5]) for at in range(0, len(samples), 5)]


def odd(labels, samples):
    """Other members, in another order, with blanks; empty lines."""
    text = json.dumps({'timestamps': [t for t, _ in samples], 'more': {'values': [1, [None]]}, 'values': [number_of(v) for _, v in samples],
                       'less': None, 'metric': labels}, separators=(' , ', ' : '))
    return ['\n', ' '.join(text.split('\n')) + ' \t\r\n', '\n']


def nulls(labels, samples):
    """A stale marker behind every sample."""
    return [line(labels, [x for t, v in samples for x in ((t, v), (t + 1, 'stale'))])]


def slow(h, number, q, series):
    body = lines(q, series)
    h.send_response(200)
    h.send_header('Content-Type', LINES)
    h.send_header('Content-Length', str(len(body)))
    h.end_headers()
    step = 1 + number % 5
    for at in range(0, min(len(body), 300), step):
        h.wfile.write(body[at:min(at + step, 300)])
        h.wfile.flush()
        time.sleep(0.001)
    h.wfile.write(body[300:])


# ---- faults ----

def once(bad, which=1):
    return lambda h, number, q, series: (bad if number == which else good)(h, number, q, series)


def after(n, bad):
    return lambda h, number, q, series: (bad if number > n else good)(h, number, q, series)


def fails(status, body=b'', **headers):
    return lambda h, number, q, series: h.send(status, body, 'text/plain; charset=utf-8', **headers)


def says(body, kind=LINES):
    return lambda h, number, q, series: h.send(200, body.encode(), kind)


def cut(h, number, q, series):
    """In the middle of a line; the connection ends in good order."""
    body = lines(q, series) or b'{"metric":{"__name__":"DCGM_FI_DEV_FB_USED"},"val' * 2
    h.close_connection = True
    h.wfile.write(('HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n\r\n' % LINES).encode() + body[:len(body) // 2])


def reset(h, number, q, series):
    h.reset()


def beyond(hours, bad):
    return lambda h, number, q, series: (bad if q['end'] - q['start'] > hours * 3600000 else good)(h, number, q, series)


def late(text):
    """What goes wrong behind some lines is said there: the status is long gone."""
    return lambda h, number, q, series: h.send(200, lines(q, series) + text, LINES)


def endless(h, number, q, series):
    """A line of values; how much is in the question's entry."""
    q['sent'] = 0
    h.close_connection = True
    h.wfile.write(('HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n\r\n{"metric":{},"values":[' % LINES).encode())
    while q['sent'] < 1 << 30:
        h.wfile.write(b'1,' * 50000)
        q['sent'] += 100000


SERIES = {'__name__': 'DCGM_FI_DEV_FB_USED', 'UUID': 'GPU-1'}


def one(values, times, more=''):
    return '{"metric":%s,"values":%s,"timestamps":%s}%s\n' % (json.dumps(SERIES, separators=(',', ':')), values, times, more)


FORMS = {
    'export-ok': good, 'export-rows': answer(rows), 'export-odd': answer(odd), 'export-nulls': answer(nulls), 'export-slow': slow,
    'export-cut-once': once(cut), 'export-reset-once': once(reset, 2), 'export-429-once': once(fails(429, Retry_After='1')),
    'export-limit': beyond(6, fails(400, TOO_MANY)), 'export-late-limit': beyond(6, late(TOO_MANY)),
    'export-timeout': beyond(6, fails(400, TOO_LONG)),
    'export-gone': after(5, fails(404, b'no such page\n')), 'export-cut': cut, 'export-lengths': says(one('[1,2]', '[1791158460000]')), 'export-two': says(one('[1]', '[1791158460000]', ' {}')),
    'export-html': says('<!DOCTYPE html>\n<html></html>\n', 'text/html'),
    'export-text': says(one('[1]', '[1791158460000]') + 'disk \x07 on fire\n'),
    'export-time': says(one('[1]', '["1791158460000"]')), 'export-value': says(one('[true]', '[1791158460000]')),
    'export-hex': says(one('["0x10"]', '[1791158460000]')), 'export-nameless': says('{"metric":{},"values":[],"timestamps":[]}\n'),
    'export-stranger': says('{"metric":{"__name__":"up"},"values":[],"timestamps":[]}\n'),
    'export-no-metric': says('{"values":[],"timestamps":[]}\n'),
    'export-endless': endless,
}
