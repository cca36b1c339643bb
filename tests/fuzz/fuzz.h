/* fuzz: what the fuzz targets share: a check that ends the process, an input that comes in random pieces, and a transcript of a reader.
 *
 * A target is a file with LLVMFuzzerTestOneInput. Linked with libFuzzer it looks for findings, linked with replay.c it goes through the
 * kept corpus. Pieces are drawn from a sequence that the input itself seeds: the same file always takes the same way. */
#ifndef GPUTAB_TESTS_FUZZ_H
#define GPUTAB_TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Like assert, but never compiled out. */
#define FUZZ_CHECK(cond) ((cond) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #cond))

static inline _Noreturn void fuzz_fail(const char *file, int line, const char *cond)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, cond);
    abort();
}

/* Two texts that should be the same. */
static inline void fuzz_same(const char *file, int line, const struct buf *a, const struct buf *b)
{
    if (a->n == b->n && (a->n == 0 || memcmp(a->p, b->p, a->n) == 0))
        return;
    fprintf(stderr, "%s:%d: these differ:\n--- one\n%s\n--- other\n%s\n---\n", file, line, buf_str(a), buf_str(b));
    abort();
}
#define FUZZ_SAME(a, b) fuzz_same(__FILE__, __LINE__, (a), (b))

static inline struct span fuzz_span(const uint8_t *data, size_t size)
{
    return (struct span){ size ? (const char *)data : "", size };
}

/* ---- pieces ---- */

struct fuzz_feed {
    struct span rest;
    uint64_t state;                /* of the sequence; 0: everything at once */
};

static inline struct fuzz_feed fuzz_feed_whole(struct span s)
{
    return (struct fuzz_feed){ s, 0 };
}

static inline struct fuzz_feed fuzz_feed_pieces(struct span s)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);

    for (size_t i = 0; i < s.n; i++)
        h = (h ^ (uint8_t)s.p[i]) * UINT64_C(0x100000001b3);
    return (struct fuzz_feed){ s, h | 1 };
}

static inline uint64_t fuzz_draw(struct fuzz_feed *f)
{
    f->state ^= f->state << 13;
    f->state ^= f->state >> 7;
    f->state ^= f->state << 17;
    return f->state;
}

/* Puts up to n bytes at p: mostly a few, seldom many, so that cuts fall everywhere. */
static inline size_t fuzz_take(struct fuzz_feed *f, char *p, size_t n)
{
    size_t take = f->rest.n;

    if (f->state) {
        uint64_t r = fuzz_draw(f);
        size_t most = r % 8 == 0 ? 4096 : r % 8 < 3 ? 64 : 5;

        take = 1 + (size_t)(r >> 8) % most;
    }
    if (take > n)
        take = n;
    if (take > f->rest.n)
        take = f->rest.n;
    if (take)
        memcpy(p, f->rest.p, take);
    f->rest.p += take;
    f->rest.n -= take;
    return take;
}

/* ---- transcripts ---- */

/* Transcripts are most of a target's work: no printf here. */
static inline void fuzz_add_number(struct buf *b, int64_t n)
{
    char text[24], *p = text + sizeof text;
    uint64_t v = n < 0 ? (uint64_t)0 - (uint64_t)n : (uint64_t)n;

    do
        *--p = (char)('0' + v % 10);
    while (v /= 10);
    if (n < 0)
        *--p = '-';
    buf_add(b, p, (size_t)(text + sizeof text - p));
    buf_addc(b, ' ');
}

static inline void fuzz_add_span(struct buf *b, struct span s)
{
    fuzz_add_number(b, (int64_t)s.n);
    buf_add_span(b, s);
    buf_addc(b, ' ');
}

/* Also checks what every error must be: a code, a text of one line, ended in time. */
static inline void fuzz_add_err(struct buf *b, const struct err *e)
{
    FUZZ_CHECK(e->code != ERR_NONE && e->text[0]);
    FUZZ_CHECK(e->line >= 0 && e->column >= 0);
    FUZZ_CHECK(memchr(e->text, '\0', sizeof e->text) && memchr(e->hint, '\0', sizeof e->hint) && memchr(e->file, '\0', sizeof e->file));
    buf_addf(b, "error %d %s:%lld:%lld %s (%s)\n", (int)e->code, e->file, (long long)e->line, (long long)e->column, e->text, e->hint);
}

#endif
