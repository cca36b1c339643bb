"""Prometheus' remote read by plain means: requests, and a slow decoder of streamed XOR chunks to check answers with."""
import struct

MATCHERS = {'=': 0, '!=': 1, '=~': 2, '!~': 3}
CONTENT_TYPE = 'application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse'
HEADERS = {'Content-Encoding': 'snappy', 'Content-Type': 'application/x-protobuf', 'X-Prometheus-Remote-Read-Version': '0.1.0'}


# ---- requests ----

def uvarint(v):
    out = bytearray()
    while v >= 0x80:
        out.append(v & 0x7f | 0x80)
        v >>= 7
    out.append(v)
    return bytes(out)


def field(number, value):
    if isinstance(value, int):
        return uvarint(number << 3) + uvarint(value)
    value = value.encode() if isinstance(value, str) else value
    return uvarint(number << 3 | 2) + uvarint(len(value)) + value


def snappy(plain):
    """A block of one literal."""
    return uvarint(len(plain)) + b'\xfc' + struct.pack('<I', len(plain) - 1) + plain


def request(from_ms, to_ms, *matchers):
    """Both ends inclusive; a matcher is (name, '=~', value). Accepts streamed chunks only."""
    query = field(1, from_ms) + field(2, to_ms)
    for name, kind, value in matchers:
        query += field(3, field(1, MATCHERS[kind]) + field(2, name) + field(3, value))
    return snappy(field(1, query) + field(2, 1))


# ---- answers ----

def crc32c_table():
    table = []
    for v in range(256):
        for _ in range(8):
            v = v >> 1 ^ (0x82f63b78 if v & 1 else 0)
        table.append(v)
    return table


TABLE = crc32c_table()


def crc32c(data):
    v = 0xffffffff
    for byte in data:
        v = TABLE[(v ^ byte) & 0xff] ^ v >> 8
    return v ^ 0xffffffff


def get_uvarint(data, at):
    v = shift = 0
    while True:
        byte = data[at]
        at += 1
        v |= (byte & 0x7f) << shift
        if byte < 0x80:
            return v, at
        shift += 7


def fields(data):
    at = 0
    while at < len(data):
        key, at = get_uvarint(data, at)
        if key & 7 == 0:
            value, at = get_uvarint(data, at)
        elif key & 7 == 2:
            n, at = get_uvarint(data, at)
            value, at = data[at:at + n], at + n
        else:
            raise ValueError('wire type %d' % (key & 7))
        yield key >> 3, value


class Bits:
    def __init__(self, data):
        self.value, self.left = int.from_bytes(data, 'big'), 8 * len(data)

    def get(self, n):
        self.left -= n
        return self.value >> self.left & (1 << n) - 1

    def uvarint(self):
        v = shift = 0
        while True:
            byte = self.get(8)
            v |= (byte & 0x7f) << shift
            if byte < 0x80:
                return v
            shift += 7

    def signed(self, n):
        v = self.get(n)
        return v - (1 << n) if v > 1 << (n - 1) or (n == 64 and v >> 63) else v

    def change(self):
        for width in (0, 14, 17, 20):
            if not self.get(1):
                return self.signed(width) if width else 0
        return self.signed(64)


def samples(data):
    """Of an XOR chunk: (ms, value)."""
    n, bits = struct.unpack('>H', data[:2])[0], Bits(data[2:])
    t = delta = value = leading = trailing = 0
    out = []
    for i in range(n):
        if i == 0:
            t = bits.uvarint()
            t, value = t >> 1 ^ -(t & 1), bits.get(64)
        else:
            delta = bits.uvarint() if i == 1 else delta + bits.change()
            t += delta
            if bits.get(1):
                if bits.get(1):
                    leading, width = bits.get(5), bits.get(6) or 64
                    trailing = 64 - leading - width
                value ^= bits.get(64 - leading - trailing) << trailing
        out.append((t, struct.unpack('>d', struct.pack('>Q', value))[0]))
    return out


def series(answer):
    """(labels as pairs in their order, [(min, max, samples)]) of a whole answer; a check sum that is wrong is an error."""
    at = 0
    while at < len(answer):
        n, at = get_uvarint(answer, at)
        crc, frame, at = answer[at:at + 4], answer[at + 4:at + 4 + n], at + 4 + n
        if struct.unpack('>I', crc)[0] != crc32c(frame) or len(frame) != n:
            raise ValueError('a frame is damaged')
        for number, one in fields(frame):
            if number == 1:
                parts = list(fields(one))
                yield (tuple(tuple(v.decode() for _, v in fields(p)) for k, p in parts if k == 1), [chunk(p) for k, p in parts if k == 2])


def chunk(data):
    parts = dict(fields(data))
    if parts[3] != 1:
        raise ValueError('encoding %d' % parts[3])
    return parts[1], parts[2], samples(parts[4])
