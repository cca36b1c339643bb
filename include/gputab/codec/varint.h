/* varint: numbers of 1 to 10 bytes, seven bits in each, the lowest first; a set top bit says that another byte follows. */
#ifndef GPUTAB_CODEC_VARINT_H
#define GPUTAB_CODEC_VARINT_H

#include <stdint.h>

#include "gputab/base/buf.h"

enum { VARINT_BYTES = 10 };

/* Reads one at *p and moves *p behind it: 1. 0 where the bytes end inside it, -1 where it does not fit into 64 bits; *p then stays. */
static inline int varint_read(const unsigned char **p, const unsigned char *end, uint64_t *v)
{
    const unsigned char *at = *p;
    uint64_t sum = 0;

    for (unsigned shift = 0; at < end; shift += 7) {
        uint64_t bits = *at & 0x7f;

        if (shift == 63 && *at > 1)
            return -1;
        sum |= bits << shift;
        if (*at++ < 0x80) {
            *p = at;
            *v = sum;
            return 1;
        }
    }
    return 0;
}

static inline void varint_add(struct buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_addc(b, (char)(v | 0x80));
    buf_addc(b, (char)v);
}

#endif
