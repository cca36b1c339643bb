/* protobuf: the wire format of Protocol Buffers, field by field, without any schema.
 *
 *     struct protobuf m = protobuf_of(bytes);
 *     struct protobuf_field f;
 *     int rc;
 *     while ((rc = protobuf_next(&m, &f)) > 0) ...             rc < 0: no such message
 *
 * Safe for any bytes; nothing is copied. Fields may come in any order and repeat: what that means is the caller's business. Groups
 * (deprecated since 2008) are refused. */
#ifndef GPUTAB_CODEC_PROTOBUF_H
#define GPUTAB_CODEC_PROTOBUF_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

struct protobuf {
    const unsigned char *p, *end;  /* what is still to be read */
};

/* The values are those of the wire. */
enum protobuf_wire { PROTOBUF_VARINT = 0, PROTOBUF_FIXED64 = 1, PROTOBUF_BYTES = 2, PROTOBUF_FIXED32 = 5 };

struct protobuf_field {
    uint32_t number;               /* 1 to 2^29 - 1 */
    enum protobuf_wire wire;
    uint64_t value;                /* of numbers, as they stand: no zigzag, no sign */
    struct span bytes;             /* of PROTOBUF_BYTES: strings, messages, packed numbers; borrowed */
};

static inline struct protobuf protobuf_of(struct span message)
{
    const unsigned char *p = (const unsigned char *)(message.n ? message.p : "");

    return (struct protobuf){ p, p + message.n };
}

/* Nearly all fields: bytes, fewer than 128, under a number below 16. Each of key and length is one byte then. False: some other field, or
 * none; nothing was read. */
static inline bool protobuf_short(struct protobuf *m, uint32_t *number, struct span *bytes)
{
    const unsigned char *p = m->p;

    if (m->end - p < 2 || (p[0] & 0x87) != PROTOBUF_BYTES || p[0] < 8 || p[1] >= 0x80 || p[1] > m->end - p - 2)
        return false;
    *number = p[0] >> 3;
    *bytes = (struct span){ (const char *)p + 2, p[1] };
    m->p = p + 2 + p[1];
    return true;
}

int protobuf_next_any(struct protobuf *m, struct protobuf_field *f);   /* protobuf_next for all others, and for these */

/* 1: a field, 0: the end, -1: broken here, nothing behind is read. */
static inline int protobuf_next(struct protobuf *m, struct protobuf_field *f)
{
    f->wire = PROTOBUF_BYTES;
    f->value = 0;
    return protobuf_short(m, &f->number, &f->bytes) ? 1 : protobuf_next_any(m, f);
}

void protobuf_add_varint(struct buf *b, uint32_t number, uint64_t value);       /* an int64 is cast */
void protobuf_add_bytes(struct buf *b, uint32_t number, struct span bytes);

#endif
