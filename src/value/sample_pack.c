/* sample_pack: writing and reading blocks of samples; the form stands in the header.
 *
 * Bytes come from this module, through a file in between at most. The reader all the same trusts none of them: it never reads beyond the
 * block or writes more samples than its head says. */
#include "gputab/value/sample_pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/vec.h"

enum { SAME, VALUE, SPACING, BOTH };                   /* the low bits of a token */
enum { UVARINT_BYTES = 10, HEAD_BYTES = 5 * UVARINT_BYTES, SAMPLE_BYTES = 3 * UVARINT_BYTES, STEADY_BYTES = 2 * SAMPLE_BYTES };
enum { FEW = 64 };                                     /* the body of so many is made without a malloc */

/* ---- numbers ---- */

static uint64_t zigzag(uint64_t difference)
{
    return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static uint64_t unzigzag(uint64_t n)
{
    return n >> 1 ^ (0 - (n & 1));
}

static char *put(char *p, uint64_t n)
{
    for (; n >= 0x80; n >>= 7)
        *p++ = (char)(n | 0x80);
    *p++ = (char)n;
    return p;
}

static bool get_long(const char **p, const char *end, uint64_t *n)
{
    *n = 0;
    for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
        unsigned char c = (unsigned char)*(*p)++;

        *n |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80)
            return true;
    }
    return false;
}

static inline bool get(const char **p, const char *end, uint64_t *n)
{
    if (*p < end && (unsigned char)**p < 0x80) {
        *n = (unsigned char)*(*p)++;
        return true;
    }
    return get_long(p, end, n);
}

/* ---- writing ---- */

static unsigned common_shift(uint64_t bits)
{
    return bits ? (unsigned)__builtin_ctzll(bits) : 0;
}

/* A token's number has 62 bits: what does not fit (no time or value of exporters) is written as its low two bits and, behind, whole. */
static inline char *put_token(char *p, unsigned kind, uint64_t n)
{
    if (n < UINT64_C(1) << 61)
        return put(p, n << 2 | kind);
    p = put(p, UINT64_C(1) << 63 | kind);
    return put(p, n);
}

static bool get_token(const char **p, const char *end, unsigned *kind, uint64_t *n)
{
    if (!get(p, end, n))
        return false;
    *kind = *n & 3;
    if (*n >> 63)
        return get(p, end, n);
    *n >>= 2;
    return true;
}

static inline char *put_change(char *p, uint64_t spacing, uint64_t value)
{
    if (spacing == 0)
        return put_token(p, VALUE, zigzag(value));
    p = put_token(p, value ? BOTH : SPACING, zigzag(spacing));
    return value ? put(p, zigzag(value)) : p;
}

/* The body of a block while it is written. Samples that only go on with the one before wait until it is known how many they are. */
struct writer {
    char *p;
    struct sample before;
    uint64_t spacing, same;        /* same: how many wait */
    unsigned shift;
};

static inline void put_same(struct writer *w)
{
    if (w->same > 0)
        w->p = put_token(w->p, SAME, w->same);
    w->same = 0;
}

static inline void put_sample(struct writer *w, struct sample s)
{
    uint64_t spacing = (uint64_t)s.time - (uint64_t)w->before.time;

    if (s.value == w->before.value && spacing == w->spacing) {
        w->same++;
    } else {
        put_same(w);
        w->p = put_change(w->p, spacing - w->spacing, (uint64_t)((int64_t)(s.value - w->before.value) >> w->shift));
        w->spacing = spacing;
    }
    w->before = s;
}

/* The second sample has the distance of all that follow. */
static inline void put_rest(struct writer *w, const struct steady *s)
{
    if (s->n == 1)
        return;
    put_sample(w, (struct sample){ steady_time(s, 1), s->value });
    w->same += s->n - 2;
    w->before.time = steady_last(s);
}

static struct writer begin_body(char *p, struct sample first, unsigned shift)
{
    return (struct writer){ .p = put(p, first.value >> shift), .before = first, .shift = shift };
}

/* The head, and behind it the body, which stands elsewhere: how long it is had to be known. b gets no more room than both need. */
static void add_block(struct buf *b, size_t n, time_ms first, struct writer *w, const char *body)
{
    size_t bytes;
    char *p;

    put_same(w);
    bytes = (size_t)(w->p - body);
    buf_reserve(b, HEAD_BYTES + bytes);
    p = put(b->p + b->n, n);
    p = put(p, zigzag((uint64_t)first));
    p = put(p, (uint64_t)w->before.time - (uint64_t)first);
    p = put(p, w->shift);
    p = put(p, bytes);
    b->n = (size_t)(p - b->p);
    buf_add(b, body, bytes);
}

static char *body_room(char *few, size_t n, size_t bytes)
{
    return n <= FEW ? few : xreallocarray(NULL, n + 1, bytes);
}

void sample_pack_add(struct buf *b, const struct sample *v, size_t n)
{
    char few[(FEW + 1) * SAMPLE_BYTES], *body = body_room(few, n, SAMPLE_BYTES);
    struct writer w;
    uint64_t bits = 0;

    for (size_t i = 0; i < n; i++)
        bits |= v[i].value;
    w = begin_body(body, v[0], common_shift(bits));
    for (size_t i = 1; i < n; i++)
        put_sample(&w, v[i]);
    add_block(b, n, v[0].time, &w, body);
    if (body != few)
        free(body);
}

void sample_pack_add_steady(struct buf *b, const struct steady *v, size_t n)
{
    char few[(FEW + 1) * STEADY_BYTES], *body = body_room(few, n, STEADY_BYTES);
    uint64_t bits = 0, samples = v[0].n;
    struct writer w;

    for (size_t i = 0; i < n; i++)
        bits |= v[i].value;
    w = begin_body(body, (struct sample){ v[0].first, v[0].value }, common_shift(bits));
    put_rest(&w, &v[0]);
    for (size_t i = 1; i < n; i++) {
        put_sample(&w, (struct sample){ v[i].first, v[i].value });
        put_rest(&w, &v[i]);
        samples += v[i].n;
    }
    add_block(b, samples, v[0].first, &w, body);
    if (body != few)
        free(body);
}

/* ---- reading ---- */

struct head {
    struct sample_pack_head shown;
    unsigned shift;
    struct span body;
};

static bool read_head(struct span *at, struct head *h)
{
    const char *p = at->p, *end = at->p + at->n;
    uint64_t n, first, length, shift, bytes;

    if (!get(&p, end, &n) || !get(&p, end, &first) || !get(&p, end, &length) || !get(&p, end, &shift) || !get(&p, end, &bytes))
        return false;
    if (n == 0 || n > UINT32_MAX || shift > 63 || bytes > (size_t)(end - p))
        return false;
    first = unzigzag(first);
    *h = (struct head){ { (size_t)n, (time_ms)first, (time_ms)(first + length) }, (unsigned)shift, { p, (size_t)bytes } };
    *at = (struct span){ p + bytes, (size_t)(end - p) - (size_t)bytes };
    return true;
}

bool sample_pack_skip(struct span *at, struct sample_pack_head *head)
{
    struct head h;

    if (!read_head(at, &h))
        return false;
    *head = h.shown;
    return true;
}

static struct sample *repeat(struct sample *to, uint64_t n, uint64_t spacing)
{
    struct sample s = to[-1];

    for (; n > 0; n--) {
        s.time = (time_ms)((uint64_t)s.time + spacing);
        *to++ = s;
    }
    return to;
}

static bool read_body(const struct head *h, struct sample *to)
{
    const char *p = h->body.p, *end = p + h->body.n;
    struct sample *stop = to + h->shown.n;
    uint64_t n, value, spacing = 0;
    unsigned kind;

    if (!get(&p, end, &value))
        return false;
    *to++ = (struct sample){ h->shown.first, value <<= h->shift };
    while (to < stop) {
        if (!get_token(&p, end, &kind, &n))
            return false;
        if (kind == SAME) {
            if (n == 0 || n > (uint64_t)(stop - to))
                return false;
            to = repeat(to, n, spacing);
            continue;
        }
        if (kind != VALUE) {
            spacing += unzigzag(n);
            n = 0;
            if (kind == BOTH && !get(&p, end, &n))
                return false;
        }
        value += unzigzag(n) << h->shift;
        *to = (struct sample){ (time_ms)((uint64_t)to[-1].time + spacing), value };
        to++;
    }
    return p == end;
}

bool sample_pack_read(struct span *at, struct samples *out)
{
    struct head h;

    if (!read_head(at, &h))
        return false;
    vec_reserve(out, out->n + h.shown.n);
    if (!read_body(&h, out->v + out->n))
        return false;
    out->n += h.shown.n;
    return true;
}

void sample_pack_read_run(const struct sample_run *run, struct samples *out)
{
    struct span at = run->packed;

    vec_reserve(out, out->n + run->n);
    if (run->v) {
        memcpy(out->v + out->n, run->v, run->n * sizeof *out->v);
        out->n += run->n;
    }
    while (at.n > 0) {
        bool whole = sample_pack_read(&at, out);       /* it never left the memory */

        assert(whole);
        (void)whole;
    }
}
