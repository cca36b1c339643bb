/* xor: two bytes with the number of samples, then a stream of bits. Times are differences of differences in five widths; values are what
 * changed of the last one's bits, inside the last one's borders where that does. */
#include "xor.h"

#include <stdbool.h>
#include <string.h>

enum { NO_BORDERS = 99 };

static void put_bits(struct xor_chunk *c, uint64_t v, unsigned n)
{
    while (n > 0) {
        unsigned room = 8 - c->bits % 8, take = n < room ? n : room;

        c->data[c->bits / 8] |= (unsigned char)((v >> (n - take) & ((1U << take) - 1)) << (room - take));
        c->bits += take;
        n -= take;
    }
}

static void put_uvarint(struct xor_chunk *c, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        put_bits(c, (v & 0x7f) | 0x80, 8);
    put_bits(c, v, 8);
}

void xor_begin(struct xor_chunk *c)
{
    memset(c, 0, sizeof *c);
    c->bits = 16;
    c->leading = NO_BORDERS;
}

static bool fits(int64_t v, unsigned bits)
{
    return -((INT64_C(1) << (bits - 1)) - 1) <= v && v <= INT64_C(1) << (bits - 1);
}

static void put_change(struct xor_chunk *c, int64_t change)
{
    static const struct { unsigned bits, mark, mark_bits; } widths[] = { { 14, 2, 2 }, { 17, 6, 3 }, { 20, 14, 4 } };

    if (change == 0) {
        put_bits(c, 0, 1);
        return;
    }
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (fits(change, widths[i].bits)) {
            put_bits(c, widths[i].mark, widths[i].mark_bits);
            put_bits(c, (uint64_t)change, widths[i].bits);
            return;
        }
    put_bits(c, 15, 4);
    put_bits(c, (uint64_t)change, 64);
}

static void put_value(struct xor_chunk *c, uint64_t v)
{
    uint64_t changed = v ^ c->value;
    unsigned leading, trailing, width;

    if (changed == 0) {
        put_bits(c, 0, 1);
        return;
    }
    put_bits(c, 1, 1);
    leading = (unsigned)__builtin_clzll(changed);
    trailing = (unsigned)__builtin_ctzll(changed);
    leading = leading < 31 ? leading : 31;             /* five bits */
    if (c->leading != NO_BORDERS && leading >= c->leading && trailing >= c->trailing) {
        put_bits(c, 0, 1);
        put_bits(c, changed >> c->trailing, 64 - c->leading - c->trailing);
        return;
    }
    c->leading = leading;
    c->trailing = trailing;
    width = 64 - leading - trailing;
    put_bits(c, 1, 1);
    put_bits(c, leading, 5);
    put_bits(c, width, 6);                             /* 64 is written as 0 */
    put_bits(c, changed >> trailing, width);
}

void xor_add(struct xor_chunk *c, int64_t t, double v)
{
    int64_t delta = t - c->time;
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    if (c->samples == 0) {
        put_uvarint(c, (uint64_t)t << 1 ^ (uint64_t)(t >> 63));
        put_bits(c, bits, 64);
    } else {
        if (c->samples == 1)
            put_uvarint(c, (uint64_t)delta);
        else
            put_change(c, delta - c->delta);
        put_value(c, bits);
        c->delta = delta;
    }
    c->time = t;
    c->value = bits;
    c->samples++;
}

size_t xor_end(struct xor_chunk *c)
{
    c->data[0] = (unsigned char)(c->samples >> 8);
    c->data[1] = (unsigned char)c->samples;
    return (c->bits + 7) / 8;
}
