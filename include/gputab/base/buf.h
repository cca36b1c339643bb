/* buf: bytes that grow, always NUL-terminated behind n (p is never NULL after the first append; "" semantics before).
 * `struct buf b = {0};` is ready for use. A buf has no cap of its own: whoever fills it from input checks first. */
#ifndef GPUTAB_BASE_BUF_H
#define GPUTAB_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gputab/base/err.h"
#include "gputab/base/span.h"

struct buf {
    char *p;
    size_t n;
    size_t cap;
};

void buf_addf(struct buf *b, const char *fmt, ...) GPUTAB_PRINTF(2, 3);
void buf_add_int(struct buf *b, int64_t n);                  /* as %lld, in a twentieth of the time */
void buf_fill(struct buf *b, char c, size_t n);              /* n times c */
void buf_grow(struct buf *b, size_t more);                   /* what buf_reserve does where there is no room yet */
char *buf_take(struct buf *b);                               /* the string moves to the caller (free()); b is empty */
void buf_free(struct buf *b);

/* The rest is short, and called for every few bytes of all that is written. */

/* Room for `more` bytes and a NUL. */
static inline void buf_reserve(struct buf *b, size_t more)
{
    if (!b->p || more >= b->cap - b->n)
        buf_grow(b, more);
}

static inline void buf_add(struct buf *b, const void *p, size_t n)
{
    buf_reserve(b, n);
    if (n)
        memcpy(b->p + b->n, p, n);
    b->n += n;
    b->p[b->n] = '\0';
}

static inline void buf_adds(struct buf *b, const char *s)
{
    buf_add(b, s, strlen(s));
}

static inline void buf_add_span(struct buf *b, struct span s)
{
    buf_add(b, s.p, s.n);
}

static inline void buf_addc(struct buf *b, char c)
{
    buf_reserve(b, 1);
    b->p[b->n++] = c;
    b->p[b->n] = '\0';
}

/* n = 0, memory kept. */
static inline void buf_clear(struct buf *b)
{
    b->n = 0;
    if (b->p)
        b->p[0] = '\0';
}

/* Borrowed, "" when empty. */
static inline const char *buf_str(const struct buf *b)
{
    return b->p ? b->p : "";
}

static inline struct span buf_span(const struct buf *b)
{
    return (struct span){ buf_str(b), b->n };
}

#endif
