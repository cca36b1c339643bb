/* protobuf: a cursor over the fields of a message, and the two writers that a small request needs.
 *
 * A field is a key (number and wire type in one varint) and what the wire type says. Who does not know a number passes over it, since its
 * extent is known without. Messages within messages are bytes: the caller opens them with a cursor of their own. */
#include "gputab/codec/protobuf.h"

#include "gputab/codec/varint.h"

enum { WIRE_BITS = 3, NUMBER_BITS = 29 };

/* n bytes (4 or 8), the lowest first. */
static int read_fixed(struct protobuf *m, unsigned n, uint64_t *v)
{
    *v = 0;
    if ((size_t)(m->end - m->p) < n)
        return -1;
    for (unsigned i = 0; i < n; i++)
        *v |= (uint64_t)m->p[i] << 8 * i;
    m->p += n;
    return 1;
}

static int read_bytes(struct protobuf *m, struct span *bytes)
{
    uint64_t n;

    if (varint_read(&m->p, m->end, &n) <= 0 || n > (uint64_t)(m->end - m->p))
        return -1;
    *bytes = (struct span){ (const char *)m->p, (size_t)n };
    m->p += n;
    return 1;
}

/* Keys of one byte are those of numbers below 16. */
static bool read_key(struct protobuf *m, uint64_t *key)
{
    if (*m->p < 0x80)
        *key = *m->p++;
    else if (varint_read(&m->p, m->end, key) <= 0)
        return false;
    return *key >> WIRE_BITS != 0 && *key >> (WIRE_BITS + NUMBER_BITS) == 0;
}

int protobuf_next_any(struct protobuf *m, struct protobuf_field *f)
{
    uint64_t key;

    if (m->p == m->end)
        return 0;
    if (!read_key(m, &key))
        return -1;
    f->number = (uint32_t)(key >> WIRE_BITS);
    f->wire = (enum protobuf_wire)(key & 7);
    f->value = 0;
    f->bytes = (struct span){ NULL, 0 };
    switch (f->wire) {
    case PROTOBUF_VARINT: return varint_read(&m->p, m->end, &f->value) > 0 ? 1 : -1;
    case PROTOBUF_FIXED64: return read_fixed(m, 8, &f->value);
    case PROTOBUF_BYTES: return read_bytes(m, &f->bytes);
    case PROTOBUF_FIXED32: return read_fixed(m, 4, &f->value);
    }
    return -1;
}

static void add_key(struct buf *b, uint32_t number, enum protobuf_wire wire)
{
    varint_add(b, (uint64_t)number << WIRE_BITS | wire);
}

void protobuf_add_varint(struct buf *b, uint32_t number, uint64_t value)
{
    add_key(b, number, PROTOBUF_VARINT);
    varint_add(b, value);
}

void protobuf_add_bytes(struct buf *b, uint32_t number, struct span bytes)
{
    add_key(b, number, PROTOBUF_BYTES);
    varint_add(b, bytes.n);
    buf_add_span(b, bytes);
}
