/* stub_read: what Prometheus does with a remote read request of STREAMED_XOR_CHUNKS, for the made fleet. Series come in the order of their
 * labels, a frame each (uvarint length, big-endian CRC-32C, ChunkedReadResponse); chunks are whole, also where they reach beyond the span
 * that was asked for. GPU chunks begin at multiples of 120 steps, the others at midnight.
 *
 * Not here: requests that snappy really packed (a literal is all that is asked for), answers of the type SAMPLES, series hints. */
#include "stub_read.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/vec.h"

#include "xor.h"

enum { STREAMED_XOR_CHUNKS = 1, MATCHERS = 8 };
enum matcher_type { MATCH_EQUAL, MATCH_NOT_EQUAL, MATCH_REGEX, MATCH_NOT_REGEX };

struct matcher {
    enum matcher_type type;
    char *name, *value;
    regex_t regex;
};

struct stub_query {
    int64_t from, to;              /* inclusive */
    struct matcher matchers[MATCHERS];
    unsigned n;
    struct stub_query *next;
};

/* ---- reading protobuf ---- */

struct reader {
    const unsigned char *p, *end;
    bool bad;
};

static uint64_t get_uvarint(struct reader *r)
{
    uint64_t v = 0;

    for (unsigned shift = 0; r->p < r->end && shift < 64; shift += 7) {
        v |= (uint64_t)(*r->p & 0x7f) << shift;
        if (!(*r->p++ & 0x80))
            return v;
    }
    r->bad = true;
    return 0;
}

static struct reader get_bytes(struct reader *r)
{
    uint64_t n = get_uvarint(r);
    struct reader inner = { r->p, r->p, false };

    if (r->bad || n > (uint64_t)(r->end - r->p)) {
        r->bad = true;
        return inner;
    }
    inner.end = r->p += n;
    return inner;
}

/* The next field's number, 0 at the end. A number is in *v, a byte string in *inner; the other is 0 or empty. */
static unsigned get_field(struct reader *r, uint64_t *v, struct reader *inner)
{
    uint64_t key;

    if (r->p == r->end || r->bad)
        return 0;
    key = get_uvarint(r);
    *v = 0;
    *inner = (struct reader){ r->p, r->p, false };
    if ((key & 7) == 0)
        *v = get_uvarint(r);
    else if ((key & 7) == 2)
        *inner = get_bytes(r);
    else
        r->bad = true;
    return r->bad ? 0 : (unsigned)(key >> 3);
}

static char *text_of(struct reader r)
{
    return xstrndup((const char *)r.p, (size_t)(r.end - r.p));
}

static bool parse_matcher(struct reader r, struct matcher *m)
{
    struct reader inner;
    struct buf pattern = { 0 };
    uint64_t v;
    unsigned field;
    int rc = 0;

    m->type = MATCH_EQUAL;
    m->name = m->value = NULL;
    while ((field = get_field(&r, &v, &inner)) != 0) {
        if (field == 1)
            m->type = (enum matcher_type)(v & 3);
        else if (field == 2 && !m->name)
            m->name = text_of(inner);
        else if (field == 3 && !m->value)
            m->value = text_of(inner);
    }
    m->name = m->name ? m->name : xstrdup("");
    m->value = m->value ? m->value : xstrdup("");
    if (m->type >= MATCH_REGEX) {
        buf_addf(&pattern, "^(%s)$", m->value);
        rc = regcomp(&m->regex, buf_str(&pattern), REG_EXTENDED | REG_NOSUB);
        buf_free(&pattern);
        m->type = rc == 0 ? m->type : MATCH_EQUAL;     /* nothing to free then */
    }
    return rc == 0 && !r.bad;
}

static const char *parse_query(struct reader r, struct stub_query *q)
{
    struct reader inner;
    uint64_t v;
    unsigned field;

    while ((field = get_field(&r, &v, &inner)) != 0) {
        if (field == 1)
            q->from = (int64_t)v;
        else if (field == 2)
            q->to = (int64_t)v;
        else if (field == 3 && q->n == MATCHERS)
            return "too many matchers";
        else if (field == 3 && !parse_matcher(inner, &q->matchers[q->n++]))
            return "a matcher cannot be read";
    }
    return r.bad ? "a query cannot be read" : NULL;
}

static const char *parse_request(struct reader r, struct stub_query **queries)
{
    struct reader inner;
    uint64_t v;
    unsigned field;
    bool streamed = false;
    const char *why = NULL;

    while (!why && (field = get_field(&r, &v, &inner)) != 0) {
        if (field == 1) {
            *queries = xcalloc(1, sizeof **queries);
            why = parse_query(inner, *queries);
            queries = &(*queries)->next;
        } else if (field == 2 && inner.p < inner.end) {     /* packed */
            while (inner.p < inner.end && !inner.bad)
                streamed |= get_uvarint(&inner) == STREAMED_XOR_CHUNKS;
        } else if (field == 2) {
            streamed |= v == STREAMED_XOR_CHUNKS;
        }
    }
    if (!why && r.bad)
        why = "the request cannot be read";
    return why || streamed ? why : "the request does not accept STREAMED_XOR_CHUNKS";
}

/* A snappy block of literals. */
static const char *unpack(struct reader r, struct buf *out)
{
    uint64_t size = get_uvarint(&r);

    while (r.p < r.end) {
        unsigned tag = *r.p++, extra = tag >> 2 >= 60 ? (tag >> 2) - 59 : 0;
        size_t n = extra ? 0 : tag >> 2;

        if ((tag & 3) != 0 || extra > (unsigned)(r.end - r.p))
            return "snappy: only literals are understood";
        for (unsigned i = 0; i < extra; i++)
            n |= (size_t)*r.p++ << 8 * i;
        if (++n > (size_t)(r.end - r.p))
            return "snappy: cut";
        buf_add(out, r.p, n);
        r.p += n;
    }
    return r.bad || out->n != size ? "snappy: wrong length" : NULL;
}

const char *stub_read_parse(struct span body, struct stub_query **queries)
{
    struct buf plain = { 0 };
    const unsigned char *p = (const unsigned char *)body.p;
    const char *why = unpack((struct reader){ p, p + body.n, false }, &plain);

    *queries = NULL;
    if (!why) {
        p = (const unsigned char *)buf_str(&plain);
        why = parse_request((struct reader){ p, p + plain.n, false }, queries);
    }
    buf_free(&plain);
    return why;
}

void stub_read_free(struct stub_query *q)
{
    while (q) {
        struct stub_query *next = q->next;

        for (unsigned i = 0; i < q->n; i++) {
            if (q->matchers[i].type >= MATCH_REGEX)
                regfree(&q->matchers[i].regex);
            free(q->matchers[i].name);
            free(q->matchers[i].value);
        }
        free(q);
        q = next;
    }
}

/* ---- which series ---- */

struct found {
    struct fleet_series series;
    char *key;                     /* name NUL value NUL ...: its order as bytes is that of Prometheus */
    size_t n;
};

struct collector {
    const struct stub_query *q;
    VEC(struct found) found;
};

static bool matches(const struct matcher *m, const char *value)
{
    switch (m->type) {
    case MATCH_EQUAL: return strcmp(value, m->value) == 0;
    case MATCH_NOT_EQUAL: return strcmp(value, m->value) != 0;
    case MATCH_REGEX: return regexec(&m->regex, value, 0, NULL, 0) == 0;
    default: return regexec(&m->regex, value, 0, NULL, 0) != 0;
    }
}

static bool family_wanted(const struct stub_query *q, int family)
{
    for (unsigned i = 0; i < q->n; i++)
        if (strcmp(q->matchers[i].name, "__name__") == 0 && !matches(&q->matchers[i], fleet_family_names[family]))
            return false;
    return true;
}

static bool labels_wanted(const struct stub_query *q, const struct fleet_labels *labels)
{
    for (unsigned i = 0; i < q->n; i++) {
        const char *value = "";

        if (strcmp(q->matchers[i].name, "__name__") == 0)
            continue;
        for (unsigned k = 0; k < labels->n; k++)
            if (strcmp(labels->v[k].name, q->matchers[i].name) == 0)
                value = labels->v[k].value;
        if (!matches(&q->matchers[i], value))
            return false;
    }
    return true;
}

static void add_label(struct buf *key, const char *name, const char *value)
{
    buf_add(key, name, strlen(name) + 1);
    buf_add(key, value, strlen(value) + 1);
}

static void collect(void *ctx, const struct fleet_series *s)
{
    struct collector *c = ctx;
    struct fleet_labels labels;
    struct found found = { .series = *s };
    struct buf key = { 0 };
    bool named = false;

    fleet_labels(s, &labels);
    if (!labels_wanted(c->q, &labels))
        return;
    for (unsigned i = 0; i < labels.n; i++) {
        if (!named && strcmp(labels.v[i].name, "__name__") > 0) {
            add_label(&key, "__name__", fleet_family_names[s->family]);
            named = true;
        }
        add_label(&key, labels.v[i].name, labels.v[i].value);
    }
    found.n = key.n;
    found.key = buf_take(&key);
    vec_push(&c->found, found);
}

static int by_key(const void *x, const void *y)
{
    const struct found *a = x, *b = y;
    int order = memcmp(a->key, b->key, a->n < b->n ? a->n : b->n);

    return order ? order : (a->n > b->n) - (a->n < b->n);
}

/* ---- writing frames ---- */

static uint32_t crc_table[256];

void stub_read_init(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t v = i;

        for (int k = 0; k < 8; k++)
            v = v & 1 ? v >> 1 ^ 0x82f63b78 : v >> 1;
        crc_table[i] = v;
    }
}

static uint32_t crc32c(struct span s)
{
    uint32_t v = ~UINT32_C(0);

    for (size_t i = 0; i < s.n; i++)
        v = crc_table[(v ^ (unsigned char)s.p[i]) & 0xff] ^ v >> 8;
    return ~v;
}

static void put_uvarint(struct buf *b, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        buf_addc(b, (char)(v | 0x80));
    buf_addc(b, (char)v);
}

static void put_number(struct buf *b, unsigned field, uint64_t v)
{
    put_uvarint(b, field << 3);
    put_uvarint(b, v);
}

static void put_bytes(struct buf *b, unsigned field, const void *p, size_t n)
{
    put_uvarint(b, field << 3 | 2);
    put_uvarint(b, n);
    buf_add(b, p, n);
}

static void put_labels(struct buf *b, const struct found *s, struct buf *scratch)
{
    for (const char *p = s->key, *end = s->key + s->n; p < end;) {
        const char *value = p + strlen(p) + 1;

        buf_clear(scratch);
        put_bytes(scratch, 1, p, strlen(p));
        put_bytes(scratch, 2, value, strlen(value));
        put_bytes(b, 1, scratch->p, scratch->n);
        p = value + strlen(value) + 1;
    }
}

static void put_chunk(struct buf *b, struct xor_chunk *c, int64_t first, struct buf *scratch)
{
    size_t n = xor_end(c);

    buf_clear(scratch);
    put_number(scratch, 1, (uint64_t)first);
    put_number(scratch, 2, (uint64_t)c->time);
    put_number(scratch, 3, 1);                         /* XOR */
    put_bytes(scratch, 4, c->data, n);
    put_bytes(b, 2, scratch->p, scratch->n);
}

/* How long the chunks of a family are. */
static int64_t chunk_ms(const struct fleet *f, int family)
{
    return family == FLEET_FB_USED ? XOR_SAMPLES * f->step_s * INT64_C(1000) : FLEET_DAY;
}

/* The chunks of a series that have something of the query's span. */
static void put_chunks(struct buf *b, const struct fleet_series *s, const struct stub_query *q, int64_t length, struct buf *scratch)
{
    int64_t last = s->first + (s->n - 1) * s->step;

    for (int64_t t = s->first; t <= last;) {
        int64_t first = t, border = (t / length + 1) * length;
        struct xor_chunk c;

        xor_begin(&c);
        for (; t <= last && t < border; t += s->step)
            xor_add(&c, t, (double)fleet_value(s, t));
        if (c.time >= q->from && first <= q->to)
            put_chunk(b, &c, first, scratch);
    }
}

static int send_frame(const struct buf *series, unsigned index, struct buf *frame, stub_sink sink, void *ctx)
{
    struct buf message = { 0 };
    uint32_t crc;
    int rc;

    put_bytes(&message, 1, series->p, series->n);
    if (index > 0)
        put_number(&message, 2, index);
    crc = crc32c(buf_span(&message));
    buf_clear(frame);
    put_uvarint(frame, message.n);
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_addc(frame, (char)(crc >> shift));
    buf_add_span(frame, buf_span(&message));
    rc = sink(ctx, buf_span(frame));
    buf_free(&message);
    return rc;
}

static int answer_query(const struct fleet *f, const struct stub_query *q, unsigned index, stub_sink sink, void *ctx)
{
    struct collector c = { .q = q };
    struct buf series = { 0 }, scratch = { 0 }, frame = { 0 };
    int rc = 0;

    for (int family = 0; family < FLEET_FAMILIES; family++) {
        int64_t length = chunk_ms(f, family), from = q->from > 0 ? q->from / length * length : 0, to = (q->to / length + 1) * length;

        if (family_wanted(q, family))
            fleet_each(f, (enum fleet_family)family, from, to, collect, &c);
    }
    qsort(c.found.v, c.found.n, sizeof *c.found.v, by_key);
    for (size_t i = 0; i < c.found.n; i++) {
        struct found *s = &c.found.v[i];
        size_t head;

        buf_clear(&series);
        put_labels(&series, s, &scratch);
        head = series.n;
        put_chunks(&series, &s->series, q, chunk_ms(f, s->series.family), &scratch);
        if (rc == 0 && series.n > head)                /* chunks may all lie before or behind */
            rc = send_frame(&series, index, &frame, sink, ctx);
        free(s->key);
    }
    vec_free(&c.found);
    buf_free(&series);
    buf_free(&scratch);
    buf_free(&frame);
    return rc;
}

void stub_read_answer(const struct fleet *f, const struct stub_query *q, stub_sink sink, void *ctx)
{
    for (unsigned index = 0; q; q = q->next, index++)
        if (answer_query(f, q, index, sink, ctx) < 0)
            return;
}
