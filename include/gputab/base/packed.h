/* packed: numbers and texts in as few bytes as they need, one behind the other; read back in the same order. */
#ifndef GPUTAB_BASE_PACKED_H
#define GPUTAB_BASE_PACKED_H

#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

__extension__ typedef __int128 packed_wide;

void packed_add_length(struct buf *b, uint64_t n);           /* a byte for each 7 bits, at least one */
void packed_add_text(struct buf *b, struct span s);          /* any bytes */
/* Numbers that are added and taken together: nothing for a zero, else 4, 8 or 16 bytes. */
void packed_add_numbers(struct buf *b, const packed_wide *v, size_t n);

/* Take what was added from the front of *rest. Behind the end (of bytes that a disk did not give back) there are zeros and empty texts. */
uint64_t packed_take_long(struct span *rest);                /* a length of several bytes */
/* As many as were added; or the first n of at most 32 that nothing is taken behind. */
void packed_take_numbers(struct span *rest, packed_wide *v, size_t n);

/* The rest is short, and called for every text of all rows, also where they are only compared. */

static inline uint64_t packed_take_length(struct span *rest)
{
    signed char first = rest->n ? *rest->p : -1;

    if (first < 0)
        return packed_take_long(rest);
    rest->p++;
    rest->n--;
    return (uint64_t)first;
}

/* Borrowed; NUL-terminated behind n. */
static inline struct span packed_take_text(struct span *rest)
{
    uint64_t n = packed_take_length(rest);
    struct span text = { rest->p, (size_t)n };

    if (n >= rest->n) {                                /* no room for it and its NUL */
        *rest = (struct span){ "", 0 };
        return *rest;
    }
    rest->p += text.n + 1;
    rest->n -= text.n + 1;
    return text;
}

#endif
