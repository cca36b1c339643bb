/* buf: bytes that grow, always NUL-terminated behind n (p is never NULL after the first append; "" semantics before).
 * `struct buf b = {0};` is ready for use. A buf has no cap of its own: whoever fills it from input checks first. */
#ifndef GPUTAB_BASE_BUF_H
#define GPUTAB_BASE_BUF_H

#include <stddef.h>

#include "gputab/base/err.h"
#include "gputab/base/span.h"

struct buf {
    char *p;
    size_t n;
    size_t cap;
};

void buf_add(struct buf *b, const void *p, size_t n);
void buf_adds(struct buf *b, const char *s);
void buf_add_span(struct buf *b, struct span s);
void buf_addc(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...) GPUTAB_PRINTF(2, 3);
void buf_fill(struct buf *b, char c, size_t n);              /* n times c */
void buf_reserve(struct buf *b, size_t more);                /* room for `more` bytes and a NUL */
void buf_clear(struct buf *b);                               /* n = 0, memory kept */
const char *buf_str(const struct buf *b);                    /* borrowed, "" when empty */
struct span buf_span(const struct buf *b);
char *buf_take(struct buf *b);                               /* the string moves to the caller (free()); b is empty */
void buf_free(struct buf *b);

#endif
