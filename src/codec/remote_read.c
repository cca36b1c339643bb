/* remote_read: a question as bytes, and an answer as events.
 *
 * A frame is: length as a varint, CRC-32C (4 bytes, highest first), message. One that lies within a piece is read where it lies; only one
 * that is cut by the end of a piece is put together in `rest`, as its bytes come, whatever length it says. The events of a frame come when
 * its checksum has been found right. Labels may stand behind what they belong to: a series is gone through for them, and then from its first
 * chunk or sample on. Labels and chunks of a large answer have the same plain shape, which is read at once; all others are read field by
 * field.
 *
 * An answer in samples is one snappy block, whose copies reach back up to its start: it is gathered whole.
 *
 * Not here: HTTP, the insides of chunks, and whether series and stamps make sense. */
#include "gputab/codec/remote_read.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/utf8.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/crc32c.h"
#include "gputab/codec/protobuf.h"
#include "gputab/codec/snappy.h"
#include "gputab/codec/varint.h"

/* Field numbers (prompb/remote.proto and types.proto). */
enum { REQUEST_QUERIES = 1, REQUEST_ACCEPTED = 2 };
enum { QUERY_FROM = 1, QUERY_TO = 2, QUERY_MATCHERS = 3 };
enum { MATCHER_TYPE = 1, MATCHER_NAME = 2, MATCHER_VALUE = 3 };
enum { FRAME_SERIES = 1, FRAME_QUERY = 2 };
enum { SERIES_LABELS = 1, SERIES_ITEMS = 2 };                /* items: chunks or samples */
enum { LABEL_NAME = 1, LABEL_VALUE = 2 };
enum { CHUNK_MIN = 1, CHUNK_MAX = 2, CHUNK_ENCODING = 3, CHUNK_DATA = 4 };
enum { SAMPLE_VALUE = 1, SAMPLE_TIME = 2 };
enum { RESPONSE_RESULTS = 1, RESULT_SERIES = 1 };

enum { MATCH_EQUAL = 0, MATCH_UNEQUAL = 1, MATCH_REGEX = 2 };
enum { ENCODING_XOR = 1 };
enum { CRC_BYTES = 4 };

struct remote_read {
    struct remote_read_events events;
    void *ctx;
    enum remote_read_form form;
    bool cut, too_large, unknown_encoding;
    struct buf rest;               /* the beginning of a frame, or what came of an answer in samples */
    size_t wanted;                 /* bytes of the whole frame; 0 while its length is not known */
    uint64_t offset;               /* of the frame in the answer */
    struct openmetrics_label labels[REMOTE_READ_LABELS];
    size_t n_labels, label_bytes;
};

/* ---- the question ---- */

static void add_matcher(struct buf *query, uint64_t type, struct span name, struct span value)
{
    struct buf m = {0};

    protobuf_add_varint(&m, MATCHER_TYPE, type);
    protobuf_add_bytes(&m, MATCHER_NAME, name);
    protobuf_add_bytes(&m, MATCHER_VALUE, value);
    protobuf_add_bytes(query, QUERY_MATCHERS, buf_span(&m));
    buf_free(&m);
}

void remote_read_add_request(struct buf *b, const struct remote_read_question *q)
{
    static const char streamed_then_samples[] = { 1, 0 };    /* packed, in the order of preference */
    struct span accepted = { streamed_then_samples, 2 };
    struct buf query = {0}, request = {0};

    if (q->samples_only)
        accepted = (struct span){ streamed_then_samples + 1, 1 };
    protobuf_add_varint(&query, QUERY_FROM, (uint64_t)q->time_from_ms);
    protobuf_add_varint(&query, QUERY_TO, (uint64_t)q->time_to_ms);
    add_matcher(&query, MATCH_REGEX, span_of("__name__"), q->name_regex);
    for (size_t i = 0; i < q->n_equal; i++)
        add_matcher(&query, MATCH_EQUAL, q->equal[i].name, q->equal[i].value);
    for (size_t i = 0; i < q->n_unequal; i++)
        add_matcher(&query, MATCH_UNEQUAL, q->unequal[i].name, q->unequal[i].value);
    protobuf_add_bytes(&request, REQUEST_QUERIES, buf_span(&query));
    protobuf_add_bytes(&request, REQUEST_ACCEPTED, accepted);
    snappy_add_literal(b, buf_span(&request));
    buf_free(&query);
    buf_free(&request);
}

/* ---- what both forms have ---- */

struct remote_read *remote_read_new(const struct remote_read_events *events, void *ctx)
{
    struct remote_read *r = xcalloc(1, sizeof *r);

    r->events = *events;
    r->ctx = ctx;
    return r;
}

void remote_read_free(struct remote_read *r)
{
    if (!r)
        return;
    buf_free(&r->rest);
    free(r);
}

void remote_read_begin(struct remote_read *r, enum remote_read_form form)
{
    r->form = form;
    r->cut = r->too_large = r->unknown_encoding = false;
    buf_clear(&r->rest);
    r->wanted = 0;
    r->offset = 0;
}

bool remote_read_cut(const struct remote_read *r)
{
    return r->cut;
}

bool remote_read_too_large(const struct remote_read *r)
{
    return r->too_large;
}

bool remote_read_unknown_encoding(const struct remote_read *r)
{
    return r->unknown_encoding;
}

/* Adds to an error where in the answer it was found. What events say stays as they say it. */
static int in_frame(const struct remote_read *r, struct err *e)
{
    return r->form == REMOTE_READ_STREAMED ? err_wrap(e, "frame at byte %llu", (unsigned long long)r->offset) : -1;
}

static int fault(const struct remote_read *r, struct err *e, const char *what)
{
    err_set(e, ERR_INPUT, "%s", what);
    return in_frame(r, e);
}

static int broken(const struct remote_read *r, struct err *e)
{
    return fault(r, e, "no message of remote read");
}

static inline uint64_t load(const char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
    return word;
}

/* Eight bytes at a time, the last eight of them once more. */
static bool is_ascii(struct span s)
{
    uint64_t all = 0;
    size_t i = 0;

    for (; i + 32 < s.n; i += 32)
        all |= load(s.p + i) | load(s.p + i + 8) | load(s.p + i + 16) | load(s.p + i + 24);
    for (; i + 8 < s.n; i += 8)
        all |= load(s.p + i);
    if (s.n >= 8)
        all |= load(s.p + s.n - 8);
    else
        for (; i < s.n; i++)
            all |= (unsigned char)s.p[i];
    return (all & UINT64_C(0x8080808080808080)) == 0;
}

static bool is_utf8(struct span s)
{
    const char *p = s.p, *end = s.p + s.n;

    if (is_ascii(s))
        return true;
    while (p < end) {
        const char *at = p;

        if (utf8_next(&p, end) == 0xfffd && p - at == 1)
            return false;
    }
    return true;
}

/* A label at the front of *m, which moves behind it: a name and then a value and nothing else, so short that each length is one byte.
 * False: look closer. */
static inline bool take_plain_label(struct protobuf *m, struct openmetrics_label *label)
{
    enum { LABEL_KEY = SERIES_LABELS << 3 | PROTOBUF_BYTES };
    enum { NAME_KEY = LABEL_NAME << 3 | PROTOBUF_BYTES, VALUE_KEY = LABEL_VALUE << 3 | PROTOBUF_BYTES };
    const unsigned char *p = m->p;
    size_t left = (size_t)(m->end - p), message, name;

    if (left < 6 || p[0] != LABEL_KEY || p[1] >= 128 || p[2] != NAME_KEY)
        return false;
    message = p[1];
    name = p[3];
    if (message > left - 2 || name + 4 > message || p[4 + name] != VALUE_KEY || p[5 + name] != message - name - 4)
        return false;
    label->name = (struct span){ (const char *)p + 4, name };
    label->value = (struct span){ (const char *)p + 6 + name, message - name - 4 };
    m->p = p + 2 + message;
    return true;
}

static int read_label(const struct remote_read *r, struct span message, struct openmetrics_label *label, struct err *e)
{
    struct protobuf m = protobuf_of(message);
    struct protobuf_field f;
    int rc;

    *label = (struct openmetrics_label){ { "", 0 }, { "", 0 } };
    while ((rc = protobuf_next(&m, &f)) > 0) {
        if (f.number != LABEL_NAME && f.number != LABEL_VALUE)
            continue;
        if (f.wire != PROTOBUF_BYTES)
            return broken(r, e);
        *(f.number == LABEL_NAME ? &label->name : &label->value) = f.bytes;
    }
    if (rc < 0)
        return broken(r, e);
    if (!is_utf8(label->name) || !is_utf8(label->value))
        return fault(r, e, "a label is not UTF-8");
    return 0;
}

static int add_label(struct remote_read *r, struct span message, struct err *e)
{
    if (r->n_labels == REMOTE_READ_LABELS)
        return fault(r, e, "a series has more than 256 labels");
    r->label_bytes += message.n;
    if (r->label_bytes > REMOTE_READ_LABEL_BYTES)
        return fault(r, e, "the labels of a series are longer than 1 MiB");
    return read_label(r, message, &r->labels[r->n_labels++], e);
}

/* The plain labels that a series begins with, as a rule all that it has: where they are ASCII *m moves behind them. They are together
 * shorter than any limit. */
static void read_plain_labels(struct remote_read *r, struct protobuf *m)
{
    enum { LABEL_HEAD = 2 };
    struct protobuf at = *m;
    struct span bytes;
    size_t n = 0;

    while (n < REMOTE_READ_LABELS && take_plain_label(&at, &r->labels[n]))
        n++;
    bytes = (struct span){ (const char *)m->p, (size_t)(at.p - m->p) };
    if (!is_ascii(bytes))
        return;
    r->n_labels = n;
    r->label_bytes = bytes.n - n * LABEL_HEAD;
    *m = at;
}

/* *items: the series from a place on that no item stands before. */
static int read_labels(struct remote_read *r, struct span series, struct protobuf *items, struct err *e)
{
    struct protobuf m = protobuf_of(series);
    struct protobuf_field f;
    int rc;

    r->n_labels = r->label_bytes = 0;
    read_plain_labels(r, &m);
    *items = m;
    while ((rc = protobuf_next(&m, &f)) > 0) {
        if (f.number != SERIES_LABELS && f.number != SERIES_ITEMS)
            continue;
        if (f.wire != PROTOBUF_BYTES)
            return broken(r, e);
        if (f.number == SERIES_LABELS && add_label(r, f.bytes, e) < 0)
            return -1;
    }
    return rc < 0 ? broken(r, e) : 0;
}

struct chunk {
    uint64_t min, max, encoding;
    struct span data;
};

static inline bool take_number(const unsigned char **p, const unsigned char *end, unsigned field, uint64_t *v)
{
    if (*p == end || **p != (field << 3 | PROTOBUF_VARINT))
        return false;
    ++*p;
    return varint_read(p, end, v) > 0;
}

/* All fields in their order and nothing else, as servers write them. False: look closer. */
static bool read_plain_chunk(struct span message, struct chunk *c)
{
    const unsigned char *p = (const unsigned char *)message.p, *end = p + message.n;
    uint64_t n;

    if (!take_number(&p, end, CHUNK_MIN, &c->min) || !take_number(&p, end, CHUNK_MAX, &c->max)
        || !take_number(&p, end, CHUNK_ENCODING, &c->encoding) || p == end || *p++ != (CHUNK_DATA << 3 | PROTOBUF_BYTES)
        || varint_read(&p, end, &n) <= 0 || n != (uint64_t)(end - p))
        return false;
    c->data = (struct span){ (const char *)p, (size_t)n };
    return true;
}

static int read_any_chunk(const struct remote_read *r, struct span message, struct chunk *c, struct err *e)
{
    static const enum protobuf_wire wires[] = {
        [CHUNK_MIN] = PROTOBUF_VARINT, [CHUNK_MAX] = PROTOBUF_VARINT, [CHUNK_ENCODING] = PROTOBUF_VARINT, [CHUNK_DATA] = PROTOBUF_BYTES,
    };
    struct protobuf m = protobuf_of(message);
    struct protobuf_field f;
    int rc;

    *c = (struct chunk){ .data = { "", 0 } };
    while ((rc = protobuf_next(&m, &f)) > 0) {
        if (f.number > CHUNK_DATA)
            continue;
        if (f.wire != wires[f.number])
            return broken(r, e);
        if (f.number == CHUNK_DATA)
            c->data = f.bytes;
        else
            *(f.number == CHUNK_MIN ? &c->min : f.number == CHUNK_MAX ? &c->max : &c->encoding) = f.value;
    }
    return rc < 0 ? broken(r, e) : 0;
}

static int read_chunk(struct remote_read *r, struct span message, struct err *e)
{
    struct chunk c;

    if (!read_plain_chunk(message, &c) && read_any_chunk(r, message, &c, e) < 0)
        return -1;
    if (c.encoding != ENCODING_XOR) {
        r->unknown_encoding = true;
        err_set(e, ERR_INPUT, "a chunk in encoding %llu, which is not XOR (1)", (unsigned long long)c.encoding);
        return in_frame(r, e);
    }
    return r->events.chunk(r->ctx, (int64_t)c.min, (int64_t)c.max, c.data, e);
}

static int read_sample(struct remote_read *r, struct span message, struct err *e)
{
    struct protobuf m = protobuf_of(message);
    struct protobuf_field f;
    uint64_t bits = 0, time = 0;
    double value;
    int rc;

    while ((rc = protobuf_next(&m, &f)) > 0) {
        if (f.number > SAMPLE_TIME)
            continue;
        if (f.wire != (f.number == SAMPLE_VALUE ? PROTOBUF_FIXED64 : PROTOBUF_VARINT))
            return broken(r, e);
        *(f.number == SAMPLE_VALUE ? &bits : &time) = f.value;
    }
    if (rc < 0)
        return broken(r, e);
    memcpy(&value, &bits, sizeof value);
    return r->events.sample(r->ctx, (int64_t)time, value, e);
}

/* A series and its items, whose messages have the same outer shape in both forms. */
static int read_series(struct remote_read *r, struct span series, struct err *e)
{
    struct protobuf m = protobuf_of(series);
    struct protobuf_field f;

    if (read_labels(r, series, &m, e) < 0 || r->events.series(r->ctx, r->labels, r->n_labels, e) < 0)
        return -1;
    while (protobuf_next(&m, &f) > 0)
        if (f.number == SERIES_ITEMS && (r->form == REMOTE_READ_STREAMED ? read_chunk : read_sample)(r, f.bytes, e) < 0)
            return -1;
    return 0;
}

/* ---- streamed ---- */

static int read_message(struct remote_read *r, struct span message, struct err *e)
{
    struct protobuf m = protobuf_of(message);
    struct protobuf_field f;
    int rc;

    while ((rc = protobuf_next(&m, &f)) > 0) {
        if (f.number != FRAME_SERIES && f.number != FRAME_QUERY)
            continue;
        if (f.wire != (f.number == FRAME_SERIES ? PROTOBUF_BYTES : PROTOBUF_VARINT))
            return broken(r, e);
        if (f.number == FRAME_QUERY && f.value != 0)
            return fault(r, e, "an answer to a query that was not asked");
        if (f.number == FRAME_SERIES && read_series(r, f.bytes, e) < 0)
            return -1;
    }
    return rc < 0 ? broken(r, e) : 0;
}

/* Bytes of the frame that begins at p, with its head; 0 where n bytes do not yet say it. -1: no frame, or too long a one. */
static int frame_size(const struct remote_read *r, const unsigned char *p, size_t n, size_t *size, struct err *e)
{
    const unsigned char *at = p;
    uint64_t length;
    int rc = varint_read(&at, p + n, &length);

    *size = 0;
    if (rc == 0)
        return 0;
    if (rc < 0 || length > REMOTE_READ_FRAME)
        return fault(r, e, "it is longer than 64 MiB");
    *size = (size_t)(at - p) + CRC_BYTES + (size_t)length;
    return 0;
}

static int read_frame(struct remote_read *r, const unsigned char *p, size_t n, struct err *e)
{
    const unsigned char *at = p;
    uint64_t length = 0;
    struct span message;
    uint32_t crc;

    (void)varint_read(&at, p + n, &length);
    crc = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    message = (struct span){ (const char *)at + CRC_BYTES, (size_t)length };
    if (crc32c(message.p, message.n) != crc)
        return fault(r, e, "its checksum is wrong");
    return read_message(r, message, e);
}

/* The frames that lie whole in a piece; what stands behind them goes to `rest`. */
static int feed_frames(struct remote_read *r, const unsigned char *p, size_t n, struct err *e)
{
    size_t size;

    for (; n > 0; p += size, n -= size, r->offset += size) {
        if (frame_size(r, p, n, &size, e) < 0)
            return -1;
        if (size == 0 || size > n) {
            buf_add(&r->rest, p, n);
            r->wanted = size;
            return 0;
        }
        if (read_frame(r, p, size, e) < 0)
            return -1;
    }
    return 0;
}

/* Goes on with the frame that was begun. Returns how many bytes it took, or -1. */
static int64_t feed_rest(struct remote_read *r, const unsigned char *p, size_t n, struct err *e)
{
    size_t take = 0;

    for (; r->wanted == 0 && take < n; take++) {
        buf_addc(&r->rest, (char)p[take]);
        if (frame_size(r, (const unsigned char *)r->rest.p, r->rest.n, &r->wanted, e) < 0)
            return -1;
    }
    if (r->wanted > 0) {
        size_t more = r->wanted - r->rest.n;

        more = more < n - take ? more : n - take;
        buf_add(&r->rest, p + take, more);
        take += more;
    }
    if (r->wanted == 0 || r->rest.n < r->wanted)
        return (int64_t)take;
    if (read_frame(r, (const unsigned char *)r->rest.p, r->rest.n, e) < 0)
        return -1;
    r->offset += r->rest.n;
    r->wanted = 0;
    buf_clear(&r->rest);
    return (int64_t)take;
}

static int feed_streamed(struct remote_read *r, const unsigned char *p, size_t n, struct err *e)
{
    int64_t took = 0;

    if (r->rest.n > 0 && (took = feed_rest(r, p, n, e)) < 0)
        return -1;
    return feed_frames(r, p + took, n - (size_t)took, e);
}

/* ---- samples ---- */

static int read_result(struct remote_read *r, struct span result, struct err *e)
{
    struct protobuf m = protobuf_of(result);
    struct protobuf_field f;
    int rc;

    while ((rc = protobuf_next(&m, &f)) > 0) {
        if (f.number != RESULT_SERIES)
            continue;
        if (f.wire != PROTOBUF_BYTES)
            return broken(r, e);
        if (read_series(r, f.bytes, e) < 0)
            return -1;
    }
    return rc < 0 ? broken(r, e) : 0;
}

/* One query was asked: there is one result. */
static int read_response(struct remote_read *r, struct span message, struct err *e)
{
    struct protobuf m = protobuf_of(message);
    struct protobuf_field f;
    struct span result = { "", 0 };
    int rc, results = 0;

    while ((rc = protobuf_next(&m, &f)) > 0) {
        if (f.number != RESPONSE_RESULTS)
            continue;
        if (f.wire != PROTOBUF_BYTES)
            return broken(r, e);
        result = f.bytes;
        results++;
    }
    if (rc < 0)
        return broken(r, e);
    if (results != 1)
        return err_set(e, ERR_INPUT, "%d results for one query", results);
    return read_result(r, result, e);
}

static int feed_samples(struct remote_read *r, const unsigned char *p, size_t n, struct err *e)
{
    r->too_large = n > REMOTE_READ_BODY - r->rest.n;
    if (r->too_large)
        return fault(r, e, "the answer is longer than 512 MiB");
    buf_add(&r->rest, p, n);
    return 0;
}

/* What the block says that it unpacks to; 0: nothing. */
static uint64_t block_length(const struct remote_read *r)
{
    struct span bytes = buf_span(&r->rest);
    const unsigned char *p = (const unsigned char *)bytes.p;
    uint64_t length = 0;

    (void)varint_read(&p, p + bytes.n, &length);
    return length;
}

static int end_samples(struct remote_read *r, struct err *e)
{
    struct buf plain = {0};
    int rc;

    r->too_large = block_length(r) > REMOTE_READ_BODY;
    rc = snappy_decode(buf_span(&r->rest), REMOTE_READ_BODY, &plain, &r->cut, e);

    if (rc == 0)
        rc = read_response(r, buf_span(&plain), e);
    buf_free(&plain);
    return rc;
}

/* ---- either ---- */

int remote_read_feed(struct remote_read *r, const void *p, size_t n, struct err *e)
{
    if (n == 0)
        return 0;
    return (r->form == REMOTE_READ_STREAMED ? feed_streamed : feed_samples)(r, p, n, e);
}

int remote_read_end(struct remote_read *r, struct err *e)
{
    if (r->form == REMOTE_READ_SAMPLES)
        return end_samples(r, e);
    if (r->rest.n == 0)
        return 0;
    r->cut = true;
    return fault(r, e, "the answer ends in the middle of it");
}
