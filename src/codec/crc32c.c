/* crc32c: by the processor's own instruction where it has one (SSE4.2), else by tables, eight bytes a step.
 *
 * Tables: table k holds what a byte becomes when k more bytes follow it. A checksum is linear: the entry of a byte is the exclusive or of
 * the entries of its bits, so that eight numbers are a table and the preprocessor makes the other 248. Nothing is computed at run time and
 * there is no state to share.
 *
 * Not here: several streams side by side. One runs at some 8 GB/s, faster than anything that feeds it. */
#include "gputab/codec/crc32c.h"

#include "gputab/base/bytes.h"

#define BIT(i, k, entry) ((i) >> (k) & 1 ? (entry) : 0)
#define ENTRY(i, a, b, c, d, e, f, g, h) \
    (uint32_t)(BIT(i, 0, a) ^ BIT(i, 1, b) ^ BIT(i, 2, c) ^ BIT(i, 3, d) ^ BIT(i, 4, e) ^ BIT(i, 5, f) ^ BIT(i, 6, g) ^ BIT(i, 7, h))
#define FOUR(i, ...) ENTRY(i, __VA_ARGS__), ENTRY(i + 1, __VA_ARGS__), ENTRY(i + 2, __VA_ARGS__), ENTRY(i + 3, __VA_ARGS__)
#define SIXTEEN(i, ...) FOUR(i, __VA_ARGS__), FOUR(i + 4, __VA_ARGS__), FOUR(i + 8, __VA_ARGS__), FOUR(i + 12, __VA_ARGS__)
#define QUARTER(i, ...) SIXTEEN(i, __VA_ARGS__), SIXTEEN(i + 16, __VA_ARGS__), SIXTEEN(i + 32, __VA_ARGS__), SIXTEEN(i + 48, __VA_ARGS__)
#define TABLE(...) QUARTER(0, __VA_ARGS__), QUARTER(64, __VA_ARGS__), QUARTER(128, __VA_ARGS__), QUARTER(192, __VA_ARGS__)

/* Per table the entries of the bytes 1, 2, 4 ... 128 for the polynomial 0x1edc6f41, lowest bit first. */
static const uint32_t tables[8][256] = {
    { TABLE(0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf, 0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78) },
    { TABLE(0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8, 0x3fc5f181, 0x7f8be302, 0xff17c604, 0xfbc3faf9) },
    { TABLE(0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5, 0x70a27d8a, 0xe144fb14, 0xc76580d9, 0x8b277743) },
    { TABLE(0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6, 0xe964b13d, 0xd725148b, 0xaba65fe7, 0x52a0c93f) },
    { TABLE(0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91, 0x8f2261d3, 0x1ba8b557, 0x37516aae, 0x6ea2d55c) },
    { TABLE(0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f, 0xc00c303e, 0x85f4168d, 0x0e045beb, 0x1c08b7d6) },
    { TABLE(0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53, 0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a, 0xf56e0ef4) },
    { TABLE(0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da, 0x847609b4, 0x0d006599, 0x1a00cb32, 0x34019664) },
};

uint32_t crc32c_portable(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint32_t c = UINT32_MAX;

    for (; n >= 8; p += 8, n -= 8) {
        uint64_t w = bytes_load8((const char *)p) ^ c;

        c = tables[7][w & 0xff] ^ tables[6][w >> 8 & 0xff] ^ tables[5][w >> 16 & 0xff] ^ tables[4][w >> 24 & 0xff] ^
            tables[3][w >> 32 & 0xff] ^ tables[2][w >> 40 & 0xff] ^ tables[1][w >> 48 & 0xff] ^ tables[0][w >> 56];
    }
    for (; n > 0; p++, n--)
        c = tables[0][(c ^ *p) & 0xff] ^ c >> 8;
    return ~c;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2")))
static uint32_t crc32c_sse42(const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    uint64_t c = UINT32_MAX;

    for (; n >= 8; p += 8, n -= 8)
        c = __builtin_ia32_crc32di(c, bytes_load8((const char *)p));
    for (; n > 0; p++, n--)
        c = __builtin_ia32_crc32qi((uint32_t)c, *p);
    return ~(uint32_t)c;
}

uint32_t crc32c(const void *p, size_t n)
{
    return __builtin_cpu_supports("sse4.2") ? crc32c_sse42(p, n) : crc32c_portable(p, n);
}
#else
uint32_t crc32c(const void *p, size_t n)
{
    return crc32c_portable(p, n);
}
#endif
