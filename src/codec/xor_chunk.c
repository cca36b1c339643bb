/* xor_chunk: a reader of bits that always sees 64 of them, and the two small codes of a sample.
 *
 * The first sample is whole: stamp as a zigzag varint, 64 bits of value. The second has the distance to it as a varint. All later ones have
 * the change of that distance, in 1, 16, 20, 24 or 68 bits; the value is 0 (as before), 10 (bits that fall where the last ones fell) or 11
 * (leading zeros in 5 bits, number of bits in 6 where 0 means 64, and these bits). Bits are xor of the value before.
 *
 * Loads are of nine bytes wherever they fall. Where fewer than MARGIN bytes remain, the rest is read from a copy with zeros behind it, and
 * what went beyond the end is found afterwards: no load asks for the end. A steady series is zeros alone, two bits a sample: as many as
 * stand in a load are counted at once.
 *
 * Not here: other encodings, and any sense in stamps. */
#include "gputab/codec/xor_chunk.h"

#include <stdbool.h>
#include <string.h>

#include "gputab/codec/varint.h"

/* A sample takes 145 bits at most, and its last load begins 64 bits before their end: 11 bytes on at most, and 9 are loaded. */
enum { MARGIN = 24, COUNT_BYTES = 2, WORD = 64 };

static uint64_t load_big(const unsigned char *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* The 64 bits from bit `at` on. */
static inline uint64_t peek(const unsigned char *p, size_t at)
{
    unsigned within = at & 7;

    return load_big(p + at / 8) << within | (uint64_t)p[at / 8 + 8] >> (8 - within);
}

/* The distance to the sample before changes by what `w`, the bits at c->at, says. */
static inline void read_change(struct xor_chunk *c, const unsigned char *p, uint64_t w)
{
    static const unsigned char size[] = { 0, 14, 17, 20 };
    unsigned ones = (unsigned)__builtin_clzll(~w | 1);
    uint64_t change;

    if (ones < 4) {
        change = w << (ones + 1) >> 1 >> (WORD - 1 - size[ones]);
        if (change > UINT64_C(1) << size[ones] >> 1)   /* the half itself is positive, other than in two's complement */
            change -= UINT64_C(1) << size[ones];
        c->at += ones + 1 + size[ones];
    } else {
        change = peek(p, c->at + 4);
        c->at += 4 + WORD;
    }
    c->delta += change;
    c->time += c->delta;
}

/* The value changes by what w says; false where no encoder wrote it. A 10 before any 11 is right: the encoder of a chunk that was opened
 * again takes all 64 bits for granted. */
static inline bool read_value(struct xor_chunk *c, const unsigned char *p, uint64_t w)
{
    unsigned width;

    if (w >> 63 == 0) {
        c->at += 1;
        return true;
    }
    if (w >> 62 == 2) {
        c->at += 2;
    } else {
        unsigned bits = (unsigned)(w << 7 >> 58);

        bits = bits ? bits : WORD;
        c->leading = (uint32_t)(w << 2 >> 59);
        if (c->leading + bits > WORD)
            return false;
        c->trailing = WORD - c->leading - bits;
        c->at += 2 + 5 + 6;
    }
    width = WORD - c->leading - c->trailing;
    c->bits ^= peek(p, c->at) >> (WORD - width) << c->trailing;
    c->at += width;
    return true;
}

/* A sample behind the second. MARGIN bytes can be read at its first. */
static inline bool read_sample(struct xor_chunk *c, const unsigned char *p, uint64_t w)
{
    size_t at = c->at;

    if (w >> 63 == 0) {                                /* nearly always: the distance stays */
        c->at += 1;
        c->time += c->delta;
        return read_value(c, p, w << 1);
    }
    read_change(c, p, w);
    return read_value(c, p, c->at - at < WORD / 2 ? w << (c->at - at) : peek(p, c->at));
}

/* What remains of the bytes, with zeros behind it; c->at counts from its first byte. Returns the number of its bits. */
static size_t open_tail(struct xor_chunk *c, unsigned char tail[2 * MARGIN])
{
    size_t from = c->at / 8, n = c->n - from;

    memset(tail, 0, 2 * MARGIN);
    memcpy(tail, c->p + from, n);
    c->at -= from * 8;
    return n * 8;
}

static bool in_tail(const struct xor_chunk *c)
{
    return c->n - c->at / 8 < MARGIN;
}

static bool read_first(struct xor_chunk *c)
{
    const unsigned char *p = c->p + c->at / 8, *end = c->p + c->n;
    uint64_t zigzag;

    if (varint_read(&p, end, &zigzag) <= 0 || end - p < 8)
        return false;
    c->time = zigzag >> 1 ^ (0 - (zigzag & 1));
    c->bits = load_big(p);
    c->at = (size_t)(p + 8 - c->p) * 8;
    return true;
}

static bool read_second(struct xor_chunk *c)
{
    const unsigned char *p = c->p + c->at / 8;

    if (varint_read(&p, c->p + c->n, &c->delta) <= 0)
        return false;
    c->time += c->delta;
    c->at = (size_t)(p - c->p) * 8;
    return true;
}

/* The bits of a sample behind its whole bytes: of the second only the value. */
static bool read_bits(struct xor_chunk *c, const unsigned char *p)
{
    uint64_t w = peek(p, c->at);

    return c->done == 1 ? read_value(c, p, w) : read_sample(c, p, w);
}

static bool read_next(struct xor_chunk *c)
{
    unsigned char tail[2 * MARGIN];
    size_t from, end;
    bool right;

    if (c->done == 0)
        return read_first(c);
    if (c->done == 1 && !read_second(c))
        return false;
    if (!in_tail(c))
        return read_bits(c, c->p);
    from = c->at / 8;
    end = open_tail(c, tail);
    right = read_bits(c, tail) && c->at <= end;
    c->at += from * 8;
    return right;
}

int xor_chunk_begin(struct xor_chunk *c, struct span bytes)
{
    const unsigned char *p = (const unsigned char *)bytes.p;

    *c = (struct xor_chunk){ .p = p, .n = bytes.n, .at = COUNT_BYTES * 8 };
    if (bytes.n < COUNT_BYTES)
        return -1;
    c->count = (uint32_t)p[0] << 8 | p[1];
    return 0;
}

enum xor_chunk_step xor_chunk_next(struct xor_chunk *c, struct xor_sample *s)
{
    struct xor_chunk after = *c;

    if (c->done == c->count)
        return XOR_CHUNK_END;
    if (!read_next(&after))
        return XOR_CHUNK_BROKEN;                       /* and *c stands where it stood: broken it stays */
    after.done++;
    *c = after;
    *s = (struct xor_sample){ (int64_t)c->time, c->bits };
    return XOR_CHUNK_SAMPLE;
}

/* The next sample goes to the last run or begins one. Returns the last run. */
static inline struct steady *take(struct steady *last, int64_t time, uint64_t value)
{
    if (!steady_extend(last, time, value))
        *++last = steady_one(time, value);
    return last;
}

/* So many samples at the distance and with the value of the one before, which ends the last run. Where the stamps are such that a run
 * takes the first of them, it takes them all. */
static inline struct steady *take_run(struct steady *last, struct xor_chunk *c, uint32_t n)
{
    int64_t time = (int64_t)c->time, end;
    bool rises = c->delta - 1 < UINT32_MAX && !__builtin_add_overflow(time, (int64_t)c->delta * n, &end);

    if (rises && (last->n == 1 || last->spacing == c->delta)) {
        last->spacing = (uint32_t)c->delta;
        last->n += n;
        c->time = (uint64_t)end;
        return last;
    }
    for (; n > 0; n--)
        last = take(last, (int64_t)(c->time += c->delta), c->bits);
    return last;
}

/* The value of the second sample, and samples behind it, that begin before bit `stop`, as many as there are, behind those of *last. */
static bool read_many(struct xor_chunk *state, const unsigned char *p, size_t stop, struct steady **last)
{
    struct xor_chunk c = *state;                       /* in registers */
    struct steady *to = *last;

    if (c.done == 1 && c.done < c.count && c.at < stop) {
        if (!read_value(&c, p, peek(p, c.at)))
            return false;
        to = take(to, (int64_t)c.time, c.bits);
        c.done++;
    }
    while (c.done < c.count && c.at < stop) {
        uint64_t w = peek(p, c.at);

        if (w >> 62) {
            if (!read_sample(&c, p, w))
                return false;
            to = take(to, (int64_t)c.time, c.bits);
            c.done++;
        } else {
            uint32_t run = (uint32_t)__builtin_clzll(w | 1) / 2;

            if (run > c.count - c.done)
                run = c.count - c.done;
            to = take_run(to, &c, run);
            c.at += 2 * (size_t)run;
            c.done += run;
        }
    }
    *state = c;
    *last = to;
    return true;
}

/* What is written in whole bytes: the first sample, and the time of the second. */
static bool read_head(struct xor_chunk *c, struct steady *first)
{
    if (c->count == 0)
        return true;
    if (!read_first(c))
        return false;
    *first = steady_one((int64_t)c->time, c->bits);
    c->done = 1;
    return c->count == 1 || read_second(c);
}

int xor_chunk_decode(struct span bytes, struct steady *out, size_t cap)
{
    unsigned char tail[2 * MARGIN];
    struct steady *last = out;
    struct xor_chunk c;
    size_t end;

    if (xor_chunk_begin(&c, bytes) < 0 || c.count > cap || !read_head(&c, out))
        return -1;
    if (c.count == 0)
        return 0;
    if (!in_tail(&c) && !read_many(&c, c.p, (c.n - MARGIN) * 8 + 1, &last))
        return -1;
    if (c.done < c.count) {
        end = open_tail(&c, tail);
        if (!read_many(&c, tail, end, &last) || c.done < c.count || c.at > end)
            return -1;
    }
    return (int)(last - out) + 1;
}
