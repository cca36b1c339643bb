/* packed: the little format of what lies in a spill. Numbers are in groups of 7 bits, the lowest first, signed ones with their sign in
 * the lowest bit; texts stand behind their length and before a NUL. There is no version: nothing of it outlives the process. */
#include "gputab/base/packed.h"

#include <limits.h>
#include <string.h>

enum { GROUP = 7, MORE = 1 << GROUP, NUMBER_MOST = (128 + GROUP - 1) / GROUP };

void packed_add_number(struct buf *b, packed_number n)
{
    unsigned char bytes[NUMBER_MOST];
    size_t k = 0;

    for (; n >> 64; n >>= GROUP)
        bytes[k++] = (unsigned char)((unsigned)n | MORE);
    for (uint64_t low = (uint64_t)n;; low >>= GROUP) {
        bytes[k++] = (unsigned char)((low & (MORE - 1)) | (low >= MORE ? MORE : 0));
        if (low < MORE)
            break;
    }
    buf_add(b, bytes, k);
}

void packed_add_signed(struct buf *b, packed_signed n)
{
    packed_number doubled = (packed_number)n << 1;

    packed_add_number(b, n < 0 ? ~doubled : doubled);
}

void packed_add_text(struct buf *b, struct span s)
{
    packed_add_number(b, s.n);
    buf_add_span(b, s);
    buf_addc(b, '\0');
}

/* What is longer than 8 bytes, or ends too early. */
static packed_number take_long(struct span *rest)
{
    packed_number n = 0;

    for (int shift = 0; rest->n && shift < NUMBER_MOST * GROUP; shift += GROUP) {
        unsigned char byte = (unsigned char)*rest->p++;

        rest->n--;
        n |= (packed_number)(byte & (MORE - 1)) << shift;
        if (byte < MORE)
            break;
    }
    return n;
}

packed_number packed_take_number(struct span *rest)
{
    size_t most = rest->n < 8 ? rest->n : 8;
    uint64_t n = 0;

    for (size_t i = 0; i < most; i++) {
        unsigned char byte = (unsigned char)rest->p[i];

        n |= (uint64_t)(byte & (MORE - 1)) << GROUP * i;
        if (byte < MORE) {
            rest->p += i + 1;
            rest->n -= i + 1;
            return n;
        }
    }
    return take_long(rest);
}

packed_signed packed_take_signed(struct span *rest)
{
    packed_number n = packed_take_number(rest);

    return (packed_signed)(n & 1 ? ~(n >> 1) : n >> 1);
}

struct span packed_take_text(struct span *rest)
{
    packed_number n = packed_take_number(rest);
    struct span text = { rest->p, (size_t)n };

    if (n >= rest->n) {                                /* no room for it and its NUL */
        *rest = (struct span){ "", 0 };
        return *rest;
    }
    rest->p += text.n + 1;
    rest->n -= text.n + 1;
    return text;
}
