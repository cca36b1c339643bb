"""Prometheus' remote read as a stub speaks it, in plain Python: questions taken apart, chunks, frames, samples, and the faults in them.

    FORMS[scenario](h, number, question, series)     what stub.py calls for /api/v1/read; number counts the requests of the scenario

question has names, present (a label or ""), start and end (ms, both inclusive), accepted (0 samples, 1 chunks) and
headers; series is stub.load's.
"""
import gzip
import struct
import time

STREAMED = 'application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse'
SAMPLES = 'application/x-protobuf'
STALE = 0x7ff0000000000002
PER_CHUNK = 120
XOR, XOR2 = 1, 4


# ---- bytes ----

def uvarint(v):
    out = bytearray()
    v &= (1 << 64) - 1
    while v >= 0x80:
        out.append(v & 0x7f | 0x80)
        v >>= 7
    out.append(v)
    return bytes(out)


def read_uvarint(data, at):
    v = shift = 0
    while True:
        v |= (data[at] & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return v, at


def field(number, value):
    if isinstance(value, int):
        return uvarint(number << 3) + uvarint(value)
    value = value.encode() if isinstance(value, str) else value
    return uvarint(number << 3 | 2) + uvarint(len(value)) + value


def fields(data):
    at = 0
    while at < len(data):
        key, at = read_uvarint(data, at)
        value, at = read_uvarint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def crc_table():
    for v in range(256):
        for _ in range(8):
            v = v >> 1 ^ (0x82f63b78 if v & 1 else 0)
        yield v


CRC = list(crc_table())


def crc32c(data):
    v = 0xffffffff
    for byte in data:
        v = CRC[(v ^ byte) & 0xff] ^ v >> 8
    return v ^ 0xffffffff


def unsnap(block):
    """Of a block that is all literals."""
    size, at = read_uvarint(block, 0)
    plain = b''
    while at < len(block):
        n, at = block[at] >> 2, at + 1
        if n >= 60:
            n, at = int.from_bytes(block[at:at + n - 59], 'little'), at + n - 59
        plain, at = plain + block[at:at + n + 1], at + n + 1
    if len(plain) != size:
        raise ValueError('a block of snappy of %d bytes, not %d' % (len(plain), size))
    return plain


def snap(plain):
    return uvarint(len(plain)) + b'\xfc' + struct.pack('<I', len(plain) - 1) + plain if plain else b'\0'


def question(body, headers):
    """All of a request that gputab may send; what else stands in it is an error."""
    q = {'headers': headers, 'accepted': [], 'present': ''}
    for number, value in fields(unsnap(body)):
        if number == 2:
            q['accepted'] += list(value) if isinstance(value, bytes) else [value]
            continue
        for part, v in fields(value):
            if part in (1, 2):
                q['start' if part == 1 else 'end'] = v
            else:
                kind, name, text = (dict(fields(v)).get(k) for k in (1, 2, 3))
                if (kind, name) == (2, b'__name__'):
                    q['names'] = text.decode().split('|')
                elif (kind, text) == (1, b''):
                    q['present'] = name.decode()
                else:
                    raise ValueError('a matcher of kind %r for %r' % (kind, name))
    return q


# ---- chunks ----

class Bits:
    def __init__(self):
        self.text = []

    def add(self, value, n):
        self.text.append(format(value & (1 << n) - 1, '0%db' % n))

    def add_bytes(self, data):
        for byte in data:
            self.add(byte, 8)

    def close(self):
        text = ''.join(self.text)
        text += '0' * (-len(text) % 8)
        return int('1' + text, 2).to_bytes(len(text) // 8 + 1, 'big')[1:] if text else b''


def add_change(bits, change):
    """A delta of deltas."""
    for prefix, n, width in ((0b10, 2, 14), (0b110, 3, 17), (0b1110, 4, 20)):
        if change == 0:
            return bits.add(0, 1)
        if -(1 << width - 1) < change <= 1 << width - 1:
            bits.add(prefix, n)
            return bits.add(change, width)
    bits.add(0b1111, 4)
    return bits.add(change, 64)


def xor(samples):
    """Of (ms, bits of the value)."""
    bits, window = Bits(), None
    before = delta = None
    for i, (t, v) in enumerate(samples):
        if i == 0:
            bits.add_bytes(uvarint(t << 1 ^ t >> 63))
            bits.add(v, 64)
        else:
            step = t - before[0]
            bits.add_bytes(uvarint(step)) if i == 1 else add_change(bits, step - delta)
            delta, x = step, v ^ before[1]
            if x == 0:
                bits.add(0, 1)
            else:
                leading, trailing = min(64 - x.bit_length(), 31), (x & -x).bit_length() - 1
                if window and leading >= window[0] and trailing >= window[1]:
                    bits.add(0b10, 2)
                else:
                    window = leading, trailing
                    bits.add(0b11, 2)
                    bits.add(leading, 5)
                    bits.add(64 - leading - trailing, 6)
                bits.add(x >> window[1], 64 - window[0] - window[1])
        before = t, v
    return struct.pack('>H', len(samples)) + bits.close()


def bits_of(value):
    return STALE if value == 'stale' else struct.unpack('>Q', struct.pack('>d', float(value)))[0]


def chunk(samples, encoding=XOR):
    samples = [(t, bits_of(v)) for t, v in samples]
    return field(1, samples[0][0]) + field(2, samples[-1][0]) + field(3, encoding) + field(4, xor(samples))


def labels_of(labels):
    return b''.join(field(1, field(1, k) + field(2, v)) for k, v in sorted(labels.items()))


def asked(q, series):
    """Series of the question with a sample in its time, in the order of labels."""
    found = [(labels, samples) for labels, samples in series if labels['__name__'] in q['names']
             and (not q['present'] or labels.get(q['present'])) and any(q['start'] <= t <= q['end'] for t, _ in samples)]
    return sorted(found, key=lambda s: sorted(s[0].items()))


def chunks(q, samples, per_chunk=PER_CHUNK):
    """Those that the server has stored, whole, where they touch the time: they reach beyond it."""
    parts = [samples[at:at + per_chunk] for at in range(0, len(samples), per_chunk)]
    return [p for p in parts if p[0][0] <= q['end'] and p[-1][0] >= q['start']]


# ---- frames ----

def frame(message):
    return uvarint(len(message)) + struct.pack('>I', crc32c(message)) + message


def frame_of(labels, parts, encoding=XOR):
    return frame(field(1, labels_of(labels) + b''.join(field(2, chunk(p, encoding)) for p in parts)))


def frames(q, series, encoding=XOR):
    return [frame_of(labels, chunks(q, samples), encoding) for labels, samples in asked(q, series)]


def send(h, body, kind=STREAMED, **headers):
    h.send(200, body if isinstance(body, bytes) else b''.join(body), kind, **headers)


def answer(make):
    return lambda h, number, q, series: send(h, make(q, series))


def good(h, number, q, series):
    send(h, frames(q, series))


def tiny(q, series):
    """A frame for every chunk of seven samples: a series is named again in each."""
    return [frame_of(labels, [p]) for labels, samples in asked(q, series) for p in chunks(q, samples, 7)]


def odd(q, series):
    """Labels behind chunks, fields that nobody knows, empty frames, the query's number, and all in one frame."""
    message = b''
    for labels, samples in asked(q, series):
        parts = [field(2, chunk(p) + field(9, 'x')) for p in chunks(q, samples)]
        message += field(1, field(7, 1) + b''.join(parts) + labels_of(labels) + field(8, 'later'))
    return [frame(b''), frame(field(5, 'new') + message + field(2, 0)), frame(b'')]


def overlapping(q, series):
    """Chunks twice, and shifted against themselves, as of a block that is being compacted."""
    out = []
    for labels, samples in asked(q, series):
        out.append(frame_of(labels, chunks(q, samples)))
        out.append(frame_of(labels, [samples[5:10] or samples[-1:]] + chunks(q, samples, 50)))
    return out


def stale(q, series):
    """A marker behind every sample, as if each target had vanished after each scrape."""
    out = []
    for labels, samples in asked(q, series):
        marked = [x for t, v in samples for x in ((t, v), (t + 1, 'stale'))]
        out.append(frame_of(labels, chunks(q, marked)))
    return out


def in_samples(q, series):
    body = b''
    for labels, samples in asked(q, series):
        items = b''.join(field(2, b'\x09' + struct.pack('<Q', bits_of(v)) + field(2, t))
                         for t, v in samples if q['start'] <= t <= q['end'])
        body += field(1, labels_of(labels) + items)
    return snap(field(1, body))


def plain_samples(h, number, q, series):
    """Cortex answers like this to whoever would rather have chunks; the coding is named, as servers do."""
    send(h, in_samples(q, series), SAMPLES, Content_Encoding='snappy')


def samples_cut(h, number, q, series):
    """The second time."""
    body = in_samples(q, series)
    send(h, body[:-3] if number == 2 else body, SAMPLES)


def slow(h, number, q, series):
    body = b''.join(frames(q, series))
    h.send_response(200)
    h.send_header('Content-Type', STREAMED)
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
    return lambda h, number, q, series: h.send(status, body, 'text/plain', **headers)


def reset(h, number, q, series):
    h.reset()


def cut(h, number, q, series):
    """In the middle of a frame, which only the frame tells: the connection ends in good order."""
    body = b''.join(frames(q, series)) or frame(b'x' * 100)
    h.close_connection = True
    h.wfile.write(('HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n\r\n' % STREAMED).encode() + body[:len(body) // 2])


def cut_short(h, number, q, series):
    """The announced length is not reached, but the last frame is whole."""
    h.close_connection = True
    head = 'HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: 1000000\r\n\r\n' % STREAMED
    h.wfile.write(head.encode() + b''.join(frames(q, series)))


def says(*parts, kind=STREAMED):
    return lambda h, number, q, series: send(h, parts, kind)


def bad_sum(h, number, q, series):
    body = bytearray(frame(field(1, labels_of({'__name__': 'DCGM_FI_DEV_FB_USED'}))))
    body[3] ^= 1
    send(h, bytes(body))


def xor2_from(first):
    return lambda h, number, q, series: send(h, frames(q, series, XOR2 if number >= first else XOR))


def pour(h, parts, q):
    """Sends until nobody listens; how much is in the question's entry."""
    q['sent'] = 0
    h.close_connection = True
    h.wfile.write(('HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n\r\n' % STREAMED).encode())
    for part in parts:
        h.wfile.write(part)
        q['sent'] += len(part)
        if q['sent'] >= 10 << 30:
            return


USED = {'__name__': 'DCGM_FI_DEV_FB_USED', 'UUID': 'GPU-1', 'exported_namespace': 'a'}


def many_labels(q):
    """A series a frame, each with another pod of a quarter of a million bytes. Checksums add up bit by bit: of messages of equal length
    crc(a ^ b ^ c) is crc(a) ^ crc(b) ^ crc(c)."""
    def message(number):
        name = format(number, '024b') + 'x' * 249976
        return field(1, labels_of({**USED, 'exported_pod': name}))
    zero = message(0)
    of_zero = crc32c(zero)
    bit = [crc32c(message(1 << i)) ^ of_zero for i in range(24)]
    for number in range(1 << 24):
        crc = of_zero
        for i in range(24):
            crc ^= bit[i] if number >> i & 1 else 0
        body = message(number)
        yield uvarint(len(body)) + struct.pack('>I', crc) + body


def many_samples(q):
    """The same chunk of one series without an end: 65535 samples in 16 KiB."""
    t = q['end'] - 65535
    part = frame_of(USED, [[(t + i, '1') for i in range(65535)]])
    while True:
        yield part * 16


def one_frame(q):
    """As long as a frame may be, and no byte of it is right."""
    yield uvarint(64 << 20) + b'CRC!'
    while True:
        yield b'\0' * (1 << 20)


def endless(parts):
    return lambda h, number, q, series: pour(h, parts(q), q)


def bomb(h, number, q, series):
    """Nobody asked for gzip, and nobody unpacks it."""
    body = frame_of(USED, [[(q['end'] - 65535 + i, '1') for i in range(65535)]])
    send(h, gzip.compress(body * 200), Content_Encoding='gzip')


def snappy_bomb(h, number, q, series):
    """Says that it unpacks to a gibibyte."""
    send(h, uvarint(1 << 30) + b'\xfc' + struct.pack('<I', 9) + b'x' * 10, SAMPLES)


def redirects(h, number, q, series):
    h.send(307, b'', Location='http://127.0.0.1:%s/read-ok/api/v1/read' % h.path.split('/')[2])


def login(h, number, q, series):
    wanted = {'Authorization': 'Bearer hunter2-very-secret', 'X-Scope-OrgID': 'tenant-1'}
    (good if all(q['headers'].get(k) == v for k, v in wanted.items()) else fails(401, b'Unauthorized\n'))(h, number, q, series)


FORMS = {
    'read-ok': good, 'read-tiny': answer(tiny), 'read-odd': answer(odd), 'read-overlapping': answer(overlapping),
    'read-stale': answer(stale),
    'read-samples': plain_samples, 'read-slow': slow,
    'read-reset-once': once(reset), 'read-cut-once': once(cut), 'read-cut-short-once': once(cut_short, 3),
    'read-429-once': once(fails(429, Retry_After='1')), 'read-503-once': once(fails(503, b'starting\n'), 4),
    'read-samples-cut-once': samples_cut,
    'read-xor2': xor2_from(1), 'read-xor2-later': xor2_from(5),
    'read-gone': after(5, fails(404, b'no such page\n')), 'read-crc': bad_sum, 'read-length': says(b'\xff' * 11), 'read-too-long': says(uvarint((64 << 20) + 1), b'CRC!'),
    'read-cut': cut, 'read-nonsense': says(frame(b'\xff\xff\xff')), 'read-stranger': says(frame(field(1, labels_of({'__name__': 'up'})))),
    'read-chunk': says(frame(field(1, labels_of(USED) + field(2, field(2, 1 << 50) + field(3, 1) + field(4, b'\0\5xx'))))),
    'read-samples-nonsense': says(b'\x05\x10hello', kind=SAMPLES), 'read-snappy-bomb': snappy_bomb,
    'read-many-samples': endless(many_samples), 'read-many-labels': endless(many_labels), 'read-one-frame': endless(one_frame),
    'read-bomb': bomb, 'read-redirects': redirects, 'read-login': login,
    'read-limit': lambda h, number, q, series: fails(400, b'exceeded sample limit (5000)\n')(h, number, q, series)
        if q['end'] - q['start'] > 3600000 else good(h, number, q, series),
}
