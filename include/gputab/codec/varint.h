/* varint: numbers of 1 to 10 bytes, seven bits in each, the lowest first; a set top bit says that another byte follows. */
#ifndef GPUTAB_CODEC_VARINT_H
#define GPUTAB_CODEC_VARINT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "gputab/base/buf.h"

enum { VARINT_BYTES = 10 };

/* Byte by byte: varint_read for any. */
static inline int varint_read_slowly(const unsigned char **p, const unsigned char *end, uint64_t *v)
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

/* One of up to eight bytes where eight can be read: the sevens of bits are moved together in pairs, fours and eights. False: it is longer. */
static inline bool varint_read_eight(const unsigned char **p, uint64_t *v)
{
    uint64_t w, ends;
    unsigned bits;

    memcpy(&w, *p, sizeof w);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    ends = ~w & UINT64_C(0x8080808080808080);
    if (!ends)
        return false;
    bits = (unsigned)__builtin_ctzll(ends) + 1;
    w &= UINT64_MAX >> (64 - bits);
    w = (w & UINT64_C(0x007f007f007f007f)) | (w & UINT64_C(0x7f007f007f007f00)) >> 1;
    w = (w & UINT64_C(0x00003fff00003fff)) | (w & UINT64_C(0x3fff00003fff0000)) >> 2;
    *v = (w & UINT64_C(0x000000000fffffff)) | (w & UINT64_C(0x0fffffff00000000)) >> 4;
    *p += bits / 8;
    return true;
}

/* Reads one at *p and moves *p behind it: 1. 0 where the bytes end inside it, -1 where it does not fit into 64 bits; *p then stays. */
static inline int varint_read(const unsigned char **p, const unsigned char *end, uint64_t *v)
{
    if (end - *p >= 8 && varint_read_eight(p, v))
        return 1;
    return varint_read_slowly(p, end, v);
}

static inline void varint_add(struct buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_addc(b, (char)(v | 0x80));
    buf_addc(b, (char)v);
}

#endif
