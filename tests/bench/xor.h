/* xor: a chunk of samples in Prometheus' XOR encoding, for the stub. */
#ifndef GPUTAB_BENCH_XOR_H
#define GPUTAB_BENCH_XOR_H

#include <stddef.h>
#include <stdint.h>

enum { XOR_SAMPLES = 120 };

struct xor_chunk {
    unsigned samples, leading, trailing, bits;         /* bits: written to data */
    int64_t time, delta;
    uint64_t value;
    unsigned char data[2 + XOR_SAMPLES * 19];          /* a sample: at most 68 bits of time, 77 of value */
};

void xor_begin(struct xor_chunk *c);
void xor_add(struct xor_chunk *c, int64_t t, double v);     /* no more than XOR_SAMPLES, times ascending */
size_t xor_end(struct xor_chunk *c);                   /* bytes in data */

#endif
