/* sample_pack: writing and reading blocks of samples; the form stands in the header.
 *
 * Bytes come from this module, through a file in between at most. The reader all the same trusts none of them: it never reads beyond the
 * block or writes more samples than its head says. */
#include "gputab/value/sample_pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/bytes.h"
#include "gputab/base/vec.h"

enum { EVEN = 64 };                                    /* a bit beside the shift */
enum { SAME, VALUE, SPACING, BOTH, NOTHING };          /* the low bits of a token; NOTHING: there is none */
enum { UVARINT_BYTES = 10, HEAD_BYTES = 5 * UVARINT_BYTES, SAMPLE_BYTES = 3 * UVARINT_BYTES, STEADY_BYTES = 2 * SAMPLE_BYTES };
#define INLINE static inline __attribute__((always_inline))    /* what is read for each change of a value */

enum { FEW = 64 };                                     /* the body of so many is made without a malloc */
enum { ALIKE = 8 };                                    /* bytes that two readers must have in common to be twins: a few changes */

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

/* The number in the lowest bytes of eight, up to the one with the bit `last`: pairs of seven bits become fourteen, and so on. */
static inline uint64_t join_sevens(uint64_t bytes, uint64_t last)
{
    uint64_t n = bytes & (last ^ (last - 1)) & UINT64_C(0x7f7f7f7f7f7f7f7f);

    n = (n & UINT64_C(0x007f007f007f007f)) | (n & UINT64_C(0x7f007f007f007f00)) >> 1;
    n = (n & UINT64_C(0x00003fff00003fff)) | (n & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (n & UINT64_C(0x000000000fffffff)) | (n & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* These give where the next number begins; NULL: the bytes end inside this one. */
static const char *get_long(const char *p, const char *end, uint64_t *n)
{
    uint64_t bytes = end - p >= 8 ? bytes_load8(p) : UINT64_MAX, ends = ~bytes & UINT64_C(0x8080808080808080), sum = 0;

    if (ends) {
        uint64_t last = ends & (0 - ends);

        *n = join_sevens(bytes, last);
        return p + __builtin_ctzll(last) / 8 + 1;
    }

    for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
        unsigned char c = (unsigned char)*p++;

        sum |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80) {
            *n = sum;
            return p;
        }
    }
    *n = 0;
    return NULL;
}

/* Most have one to three bytes. */
static inline const char *get(const char *p, const char *end, uint64_t *n)
{
    if (p < end && (unsigned char)*p < 0x80) {
        *n = (unsigned char)*p;
        return p + 1;
    }
    if (end - p >= 3) {
        unsigned two = ((unsigned)p[0] & 0x7f) | ((unsigned)p[1] & 0x7f) << 7;

        if ((unsigned char)p[1] < 0x80) {
            *n = two;
            return p + 2;
        }
        if ((unsigned char)p[2] < 0x80) {
            *n = two | (unsigned)p[2] << 14;
            return p + 3;
        }
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
    uint64_t paces;                /* how often the spacing became another one: with the second sample, and behind */
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
        w->paces += spacing != w->spacing;
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

/* Whether all of a block's n samples stand at the same distance. Where sums may wrap it says no. */
static bool is_even(const struct writer *w, size_t n, time_ms first)
{
    return n == 1 || (w->paces == 1 && w->spacing <= UINT32_MAX && n <= UINT32_MAX
                      && (uint64_t)w->before.time - (uint64_t)first == (n - 1) * w->spacing);
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
    p = put(p, w->shift | (is_even(w, n, first) ? EVEN : 0));
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
    bool even;
    struct span body;
};

static bool read_head(struct span *at, struct head *h)
{
    const char *p = at->p, *end = at->p + at->n;
    uint64_t n, first, length, shift, bytes;

    if (!(p = get(p, end, &n)) || !(p = get(p, end, &first)) || !(p = get(p, end, &length)) || !(p = get(p, end, &shift))
        || !(p = get(p, end, &bytes)))
        return false;
    if (n == 0 || n > UINT32_MAX || shift > (EVEN | 63) || bytes > (size_t)(end - p))
        return false;
    first = unzigzag(first);
    *h = (struct head){ { (size_t)n, (time_ms)first, (time_ms)(first + length) }, (unsigned)shift & 63, (shift & EVEN) != 0,
                        { p, (size_t)bytes } };
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

/* The block's first sample. */
static bool begin_block(struct pack_cursor *c, const struct head *h)
{
    uint64_t value;

    *c = (struct pack_cursor){ .end = h->body.p + h->body.n, .left = h->shown.n - 1, .time = (uint64_t)h->shown.first, .shift = h->shift };
    c->p = get(h->body.p, c->end, &value);
    c->value = value << h->shift;
    return c->p && (c->left > 0 || c->p == c->end);
}

/* The kind of the token that comes; NOTHING. */
static inline unsigned coming(const struct pack_cursor *c)
{
    return c->left > 0 && c->p < c->end ? (unsigned char)*c->p & 3 : NOTHING;
}

INLINE bool get_token(struct pack_cursor *c, unsigned *kind, uint64_t *n)
{
    uint64_t token;

    if (!(c->p = get(c->p, c->end, &token)))
        return false;
    *kind = token & 3;
    *n = token >> 2;
    return !(token >> 63) || (c->p = get(c->p, c->end, n)) != NULL;
}

/* Reads a sample with a value or a spacing of its own. */
INLINE bool get_change(struct pack_cursor *c)
{
    uint64_t n;
    unsigned kind;

    if (!get_token(c, &kind, &n) || kind == SAME)
        return false;
    if (kind != VALUE) {
        c->spacing += unzigzag(n);
        n = 0;
        if (kind == BOTH && !(c->p = get(c->p, c->end, &n)))
            return false;
    }
    c->value += unzigzag(n) << c->shift;
    c->time += c->spacing;
    c->left--;
    return true;
}

/* Reads n samples at the same distance. */
static inline bool pass(struct pack_cursor *c, uint64_t n)
{
    if (n == 0 || n > c->left)
        return false;
    c->time += n * c->spacing;
    c->left -= (size_t)n;
    return true;
}

/* The sample at hand, one behind it of the same value, whatever the time between them, and all that follow like that. */
INLINE bool get_stretch(struct pack_cursor *c, struct stretch *out)
{
    size_t left = c->left + 1;
    unsigned kind = coming(c);
    uint64_t n;

    out->from = (time_ms)c->time;
    out->value = c->value;
    if (kind == SPACING) {
        if (!get_change(c))
            return false;
        kind = coming(c);
    }
    if (kind == SAME && (!get_token(c, &kind, &n) || !pass(c, n)))
        return false;
    out->spacing = (time_ms)c->spacing;
    out->n = left - c->left;
    return c->left > 0 || c->p == c->end;
}

/* Passes all samples that follow at the same distance. */
static inline bool pass_pace(struct pack_cursor *c)
{
    const char *p = c->p, *end = c->end;
    size_t left = c->left;

    while (left > 0 && p < end && (*p & 3) <= VALUE) {
        bool same = (*p & 3) == SAME;
        uint64_t n;

        if (!(p = get(p, end, &n)) || (n >> 63 && !(p = get(p, end, &n))))      /* in the latter case more than are left, in any unit */
            return false;
        n = same ? n >> 2 : 1;
        if (n == 0 || n > left)
            return false;
        left -= (size_t)n;
    }
    c->time += (c->left - left) * c->spacing;
    c->left = left;
    c->p = p;
    return true;
}

/* The sample at hand, one behind it, and all that follow at the same distance, whatever the values are. */
static inline bool get_pace(struct pack_cursor *c, struct stretch *out)
{
    size_t left = c->left + 1;
    unsigned kind = coming(c);

    out->from = (time_ms)c->time;
    out->value = 0;
    if ((kind == SPACING || kind == BOTH) && !get_change(c))
        return false;
    if (!pass_pace(c))
        return false;
    out->spacing = (time_ms)c->spacing;
    out->n = left - c->left;
    return c->left > 0 || c->p == c->end;
}

bool sample_pack_read(struct span *at, struct samples *out)
{
    struct pack_cursor c;
    struct stretch s;
    struct sample *to;
    struct head h;

    if (!read_head(at, &h) || !begin_block(&c, &h))
        return false;
    vec_reserve(out, out->n + h.shown.n);
    to = out->v + out->n;
    do {
        if (!get_stretch(&c, &s))
            return false;
        for (uint64_t time = (uint64_t)s.from; s.n > 0; s.n--, time += (uint64_t)s.spacing)
            *to++ = (struct sample){ (time_ms)time, s.value };
        if (c.left == 0) {
            out->n += h.shown.n;
            return true;
        }
    } while (get_change(&c));
    return false;
}

/* Of samples that are not packed. */
static bool plain_stretch(struct sample_reader *r, struct stretch *out)
{
    const struct sample *v = r->v;
    time_ms spacing = r->n > 1 ? v[1].time - v[0].time : 0;
    size_t n = 1;

    while (n < r->n && v[n].value == v[0].value && v[n].time - v[n - 1].time == spacing)
        n++;
    *out = (struct stretch){ v[0].time, spacing, n, v[0].value };
    r->v += n;
    r->n -= n;
    return true;
}

static bool plain_pace(struct sample_reader *r, struct stretch *out)
{
    const struct sample *v = r->v;
    time_ms spacing = r->n > 1 ? v[1].time - v[0].time : 0;
    size_t n = 1;

    while (n < r->n && v[n].time - v[n - 1].time == spacing)
        n++;
    *out = (struct stretch){ v[0].time, spacing, n, 0 };
    r->v += n;
    r->n -= n;
    return true;
}

void sample_reader_begin(struct sample_reader *r, const struct sample_run *run)
{
    *r = (struct sample_reader){ .v = run->v, .n = run->v ? run->n : 0, .blocks = run->packed };
}

/* What was packed never left the memory. */
static inline bool must(bool whole)
{
    assert(whole);
    return whole;
}

static bool next_block(struct sample_reader *r)
{
    struct head h;

    return r->blocks.n > 0 && must(read_head(&r->blocks, &h) && begin_block(&r->at, &h));
}

/* Goes on to the next sample, with a copy of the cursor, which can stay in registers. False: there is none. */
INLINE bool advance(struct sample_reader *r, struct pack_cursor *c)
{
    bool inside = r->at.left > 0;

    if (!inside && !next_block(r))
        return false;
    *c = r->at;
    return !inside || must(get_change(c));
}

bool sample_reader_next(struct sample_reader *r, struct stretch *out)
{
    struct pack_cursor c;

    if (r->n > 0)
        return plain_stretch(r, out);
    if (!advance(r, &c))
        return false;
    must(get_stretch(&c, out));
    r->at = c;
    return true;
}

/* A block at one distance is passed by its head. */
static bool even_block(struct sample_reader *r, struct stretch *out)
{
    struct span at = r->blocks;
    struct head h;

    if (r->at.left > 0 || at.n == 0 || !must(read_head(&at, &h)) || !h.even)
        return false;
    *out = (struct stretch){ h.shown.first, 0, h.shown.n, 0 };
    if (h.shown.n > 1)
        out->spacing = (time_ms)(((uint64_t)h.shown.last - (uint64_t)h.shown.first) / (h.shown.n - 1));
    r->blocks = at;
    return true;
}

bool sample_reader_next_pace(struct sample_reader *r, struct stretch *out)
{
    struct pack_cursor c;

    if (r->n > 0)
        return plain_pace(r, out);
    if (even_block(r, out))
        return true;
    if (!advance(r, &c))
        return false;
    must(get_pace(&c, out));
    r->at = c;
    return true;
}

/* How many bytes of two are the same. */
static size_t alike(const char *a, const char *b, size_t n)
{
    size_t i = 0;

    while (i + 8 <= n && bytes_load8(a + i) == bytes_load8(b + i))
        i += 8;
    while (i < n && a[i] == b[i])
        i++;
    return i;
}

bool sample_twin_find(struct sample_twin *t, const struct sample_reader *first, const struct sample_reader *second)
{
    const struct pack_cursor *a = &first->at, *b = &second->at;
    size_t na = (size_t)(a->end - a->p), nb = (size_t)(b->end - b->p), n;

    if (first->n > 0 || second->n > 0 || a->left == 0 || b->left == 0 || a->time != b->time || a->spacing != b->spacing
        || a->value != b->value || a->shift != b->shift)
        return false;
    n = alike(a->p, b->p, na < nb ? na : nb);
    *t = (struct sample_twin){ a->end, a->p + n, { a->p, b->p }, { a->left, b->left } };
    return n >= ALIKE;
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

time_ms sample_run_first(const struct sample_run *run)
{
    struct sample_reader r;
    struct stretch s = { 0 };

    sample_reader_begin(&r, run);
    sample_reader_next(&r, &s);
    return s.from;
}
