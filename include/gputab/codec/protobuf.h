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

struct protobuf protobuf_of(struct span message);
int protobuf_next(struct protobuf *m, struct protobuf_field *f);  /* 1: a field, 0: the end, -1: broken here, nothing behind is read */

void protobuf_add_varint(struct buf *b, uint32_t number, uint64_t value);       /* an int64 is cast */
void protobuf_add_bytes(struct buf *b, uint32_t number, struct span bytes);

#endif
