/* bytes: few bytes as numbers, loaded, stored and compared without a call. The first byte is the lowest in every machine. */
#ifndef GPUTAB_BASE_BYTES_H
#define GPUTAB_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bytes_load8(const char *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static inline void bytes_store8(char *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    memcpy(p, &v, sizeof v);
}

static inline uint64_t bytes_load4(const char *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap32(v);
#endif
    return v;
}

/* 0 to 8 of them: halves, which overlap where they are not all. */
static inline uint64_t bytes_load(const char *p, size_t n)
{
    const unsigned char *u = (const unsigned char *)p;

    if (n >= 4)
        return bytes_load4(p) | bytes_load4(p + n - 4) << (8 * (n - 4));
    return n == 0 ? 0 : (uint64_t)u[0] | (uint64_t)u[n / 2] << (8 * (n / 2)) | (uint64_t)u[n - 1] << (8 * (n - 1));
}

/* How many bits are set: without the instruction that not every processor has, and without a call for the lack of it. */
static inline unsigned bits_count(uint64_t v)
{
    v -= v >> 1 & UINT64_C(0x5555555555555555);
    v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
    v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(v * UINT64_C(0x0101010101010101) >> 56);
}

/* Whether n bytes are the same; quick where they are short, as most names and ids are. */
static inline bool bytes_same(const char *a, const char *b, size_t n)
{
    if (n > 32)
        return memcmp(a, b, n) == 0;
    if (n < 8)
        return bytes_load(a, n) == bytes_load(b, n);
    for (size_t i = 0; i < n - 8; i += 8)
        if (bytes_load8(a + i) != bytes_load8(b + i))
            return false;
    return bytes_load8(a + n - 8) == bytes_load8(b + n - 8);
}

#endif
