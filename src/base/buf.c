/* buf: bytes that grow by doubling and always end in a NUL that does not count.
 *
 * Every text that is put together goes through here, so that no caller computes a size by hand. It has no cap: whoever
 * fills it from input checks before. */
#include "gputab/base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"

enum { BUF_FIRST = 64 };

void buf_grow(struct buf *b, size_t more)
{
    size_t cap = b->cap ? b->cap : BUF_FIRST;

    if (more >= SIZE_MAX / 2 - b->n)
        more = SIZE_MAX / 2 - b->n;                    /* no machine has it: xrealloc says so */
    while (cap <= b->n + more)
        cap *= 2;
    b->p = xrealloc(b->p, cap);
    b->cap = cap;
    b->p[b->n] = '\0';
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
    va_list args, again;
    int n;

    va_start(args, fmt);
    va_copy(again, args);
    buf_reserve(b, 0);
    n = vsnprintf(b->p + b->n, b->cap - b->n, fmt, args);
    if (n > 0 && (size_t)n >= b->cap - b->n) {
        buf_reserve(b, (size_t)n);
        n = vsnprintf(b->p + b->n, b->cap - b->n, fmt, again);
    }
    if (n > 0)
        b->n += (size_t)n;
    b->p[b->n] = '\0';
    va_end(again);
    va_end(args);
}

void buf_add_int(struct buf *b, int64_t n)
{
    char text[20], *end = text + sizeof text, *p = end;            /* 19 digits and a sign */
    uint64_t left = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;

    do
        *--p = (char)('0' + left % 10);
    while ((left /= 10) != 0);
    if (n < 0)
        *--p = '-';
    buf_add(b, p, (size_t)(end - p));
}

void buf_fill(struct buf *b, char c, size_t n)
{
    buf_reserve(b, n);
    memset(b->p + b->n, c, n);
    b->n += n;
    b->p[b->n] = '\0';
}

char *buf_take(struct buf *b)
{
    char *p;

    buf_reserve(b, 0);
    p = b->p;
    *b = (struct buf){ 0 };
    return p;
}

void buf_free(struct buf *b)
{
    free(b->p);
    *b = (struct buf){ 0 };
}
