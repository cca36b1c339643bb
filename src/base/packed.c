/* packed: the little format of what lies in a spill. Lengths are in groups of 7 bits, the lowest first; texts stand behind their length
 * and before a NUL. Numbers come by the dozen, and are read back several times: up to 32 of them stand behind a word that says how wide
 * each is, two bits for each, so that a number costs a few instructions where one in groups of 7 bits costs some for every group. There
 * is no version and no byte order: nothing of it outlives the process. */
#include "gputab/base/packed.h"

#include <string.h>

enum { GROUP = 7, MORE = 1 << GROUP, LENGTH_MOST = (64 + GROUP - 1) / GROUP };

void packed_add_length(struct buf *b, uint64_t n)
{
    for (; n >= MORE; n >>= GROUP)
        buf_addc(b, (char)((n & (MORE - 1)) | MORE));
    buf_addc(b, (char)n);
}

void packed_add_text(struct buf *b, struct span s)
{
    packed_add_length(b, s.n);
    buf_add_span(b, s);
    buf_addc(b, '\0');
}

uint64_t packed_take_long(struct span *rest)
{
    uint64_t n = 0;

    for (int shift = 0; rest->n && shift < LENGTH_MOST * GROUP; shift += GROUP) {
        unsigned char byte = (unsigned char)*rest->p++;

        rest->n--;
        n |= (uint64_t)(byte & (MORE - 1)) << shift;
        if (byte < MORE)
            break;
    }
    return n;
}

/* ---- numbers ---- */

enum { NONE, SHORT, LONG, WIDE, WIDTH_BITS = 2, TOGETHER = 64 / WIDTH_BITS };
#define BYTES(width) ((size_t)2 << (width))             /* of all but NONE */

static void add_few(struct buf *b, const packed_wide *v, size_t n)
{
    uint64_t widths = 0;
    char *at;

    buf_reserve(b, sizeof widths + n * sizeof *v);
    at = b->p + b->n + sizeof widths;
    for (size_t i = 0; i < n; i++) {
        int64_t low = (int64_t)v[i];
        int32_t lowest = (int32_t)low;
        uint64_t width = low != v[i] ? WIDE : low != lowest ? LONG : low ? SHORT : NONE;

        switch (width) {
        case SHORT: memcpy(at, &lowest, sizeof lowest), at += sizeof lowest; break;
        case LONG: memcpy(at, &low, sizeof low), at += sizeof low; break;
        case WIDE: memcpy(at, &v[i], sizeof v[i]), at += sizeof v[i]; break;
        }
        widths |= width << WIDTH_BITS * i;
    }
    memcpy(b->p + b->n, &widths, sizeof widths);
    *at = '\0';
    b->n = (size_t)(at - b->p);
}

void packed_add_numbers(struct buf *b, const packed_wide *v, size_t n)
{
    for (; n > TOGETHER; n -= TOGETHER, v += TOGETHER)
        add_few(b, v, TOGETHER);
    add_few(b, v, n);
}

/* Of what ends too early everything from there on is zero, and what a disk made up reaches no further than v. */
static void take_few(struct span *rest, packed_wide *v, size_t n)
{
    const char *p = rest->p, *end = p + rest->n;
    uint64_t widths = 0;
    int32_t lowest;
    int64_t low;

    if (rest->n >= sizeof widths) {
        memcpy(&widths, p, sizeof widths);
        p += sizeof widths;
    } else {
        p = end;
    }
    if (n < TOGETHER)
        widths &= ((uint64_t)1 << WIDTH_BITS * n) - 1;
    memset(v, 0, n * sizeof *v);
    while (widths) {
        int at = __builtin_ctzll(widths) & ~(WIDTH_BITS - 1);
        uint64_t width = widths >> at & WIDE;
        packed_wide *to = &v[at / WIDTH_BITS];

        widths ^= width << at;
        if ((size_t)(end - p) < BYTES(width)) {
            p = end;
            break;
        }
        switch (width) {
        case SHORT: memcpy(&lowest, p, sizeof lowest), *to = lowest; break;
        case LONG: memcpy(&low, p, sizeof low), *to = low; break;
        default: memcpy(to, p, sizeof *to);
        }
        p += BYTES(width);
    }
    *rest = (struct span){ p, (size_t)(end - p) };
}

void packed_take_numbers(struct span *rest, packed_wide *v, size_t n)
{
    for (; n > TOGETHER; n -= TOGETHER, v += TOGETHER)
        take_few(rest, v, TOGETHER);
    take_few(rest, v, n);
}
