/* xor_chunk: samples out of a chunk in Prometheus' encoding XOR (1), that is Gorilla's with stamps in milliseconds.
 *
 * Values are given as their 64 bits, so that a stale marker (0x7ff0000000000002) is told from other NaNs. Nothing outside the bytes is
 * read, whatever they hold. Stamps beyond 64 bits wrap around; whether they rise is the caller's business, as are bytes behind the last
 * sample. */
#ifndef GPUTAB_CODEC_XOR_CHUNK_H
#define GPUTAB_CODEC_XOR_CHUNK_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/span.h"
#include "gputab/base/steady.h"

enum { XOR_CHUNK_MAX = UINT16_MAX };                         /* samples in one */

struct xor_sample {
    int64_t time_ms;
    uint64_t bits;                 /* of the value, a double */
};

/* An iterator: a plain value that borrows the bytes. Its fields are private. */
struct xor_chunk {
    const unsigned char *p;
    size_t n;                      /* bytes at p */
    size_t at;                     /* the bit that is read next */
    uint32_t count, done;          /* samples in all, and read */
    uint64_t time, delta, bits;
    uint32_t leading, trailing;    /* zeros around the bits that changed last */
};

enum xor_chunk_step { XOR_CHUNK_BROKEN = -1, XOR_CHUNK_END, XOR_CHUNK_SAMPLE };

/* bytes: the count of samples (16 bits, highest first), then the stream of bits. -1: not even a count. */
int xor_chunk_begin(struct xor_chunk *c, struct span bytes);

/* The next sample. XOR_CHUNK_BROKEN, from then on each time: the bytes end before the last sample, or say what no encoder does. */
enum xor_chunk_step xor_chunk_next(struct xor_chunk *c, struct xor_sample *s);

/* How many samples it says that it holds; 0 where it is too short for that. */
static inline size_t xor_chunk_count(struct span bytes)
{
    return bytes.n < 2 ? 0 : (size_t)(unsigned char)bytes.p[0] << 8 | (unsigned char)bytes.p[1];
}

/* All samples at once, faster, as runs of equal ones whose values are bits. Returns the number of runs, or -1 where the chunk is broken or
 * holds more samples than cap; out, which has room for cap runs, then holds anything. */
int xor_chunk_decode(struct span bytes, struct steady *out, size_t cap);

#endif
