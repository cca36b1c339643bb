/* remote_reply: an answer of Prometheus' remote read, in chunks or in samples, and the question for it.
 *
 * Chunks come as the server stores them: they may reach beyond the window on both sides, and hold stale markers, which are no samples and
 * end nothing, since other transports do not show them. Series come one after the other; one that spans frames is named again, so a series
 * ends when another one begins.
 *
 * Not here: the bytes (codec/remote_read, codec/xor_chunk). */
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/codec/remote_read.h"
#include "gputab/codec/xor_chunk.h"
#include "gputab/source/scrape_series.h"
#include "gputab/source/transport.h"

#define STALE UINT64_C(0x7ff0000000000002)

struct remote_reply {
    struct reply base;             /* first */
    struct remote_read *reader;
    bool any;                      /* a series is at hand */
    struct scrape_handle series;   /* that one */
    bool sorted;                   /* its samples came in the order of time, in chunks that were taken whole */
    bool refusal;                  /* the status is no good: what comes is a text */
};

static int by_time(const void *pa, const void *pb)
{
    const struct raw_sample *a = pa, *b = pb;

    return a->time != b->time ? (a->time > b->time) - (a->time < b->time) : memcmp(&a->value, &b->value, sizeof a->value);
}

/* All samples one by one; the caller frees them. */
static struct raw_sample *list_samples(const struct steadies *runs, size_t n)
{
    struct raw_sample *v = xreallocarray(NULL, n, sizeof *v), *to = v;

    for (size_t i = 0; i < runs->n; i++)
        for (uint32_t k = 0; k < runs->v[i].n; k++)
            *to++ = (struct raw_sample){ steady_time(&runs->v[i], k), steady_number(runs->v[i].value) };
    return v;
}

/* Chunks that overlap hold the same samples: each counts once. */
static void put_in_order(struct reply *r)
{
    size_t n = r->n_samples;
    struct raw_sample *v;

    if (steady_in_order(r->samples.v, r->samples.n))
        return;
    v = list_samples(&r->samples, n);
    qsort(v, n, sizeof *v, by_time);
    vec_clear(&r->samples);
    r->n_samples = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || v[i - 1].time != v[i].time) {
            steadies_add(&r->samples, v[i].time, steady_bits(v[i].value));
            r->n_samples++;
        }
    free(v);
}

static int end_series(struct remote_reply *r, struct err *e)
{
    bool any = r->any;

    r->any = false;
    if (!r->sorted)
        put_in_order(&r->base);
    r->sorted = true;
    return any ? reply_take_samples(&r->base, r->series, e) : 0;
}

/* A series that spans frames is named in each. */
static int begin_series(void *ctx, const struct openmetrics_label *labels, size_t n, struct err *e)
{
    struct remote_reply *r = ctx;
    struct scrape_handle series;

    if (reply_find_series(&r->base, labels, n, &series, e) < 0)
        return -1;
    if (r->any && scrape_same(series, r->series))
        return 0;
    if (end_series(r, e) < 0)
        return -1;
    r->any = true;
    r->series = series;
    return 0;
}

static int add(struct reply *r, time_ms time, uint64_t bits, struct err *e)
{
    return bits == STALE ? 0 : reply_add_sample(r, time, steady_number(bits), e);
}

/* Whether the n runs at v are as most are: each behind the one before, the first behind `after`, none behind `to`, and no marker among them.
 * *samples: how many these are. */
static bool count_plain(const struct steady *v, size_t n, time_ms after, time_ms to, size_t *samples)
{
    bool odd = false;

    *samples = 0;
    for (size_t i = 0; i < n; i++) {
        odd |= (v[i].first <= after) | (v[i].value == STALE);
        after = steady_last(&v[i]);
        *samples += v[i].n;
    }
    return !odd && after <= to;
}

/* What `add` does, for n runs: those that count are moved to the front. Returns how many these are. */
static size_t choose(struct steady *v, size_t n, struct timespan window, size_t *samples)
{
    struct steady *to = v;

    *samples = 0;
    for (size_t i = 0; i < n; i++) {
        struct steady run = v[i];

        if (run.value == STALE || !steady_cut(&run, window.from + 1, window.to))
            continue;
        *samples += run.n;
        *to++ = run;
    }
    return (size_t)(to - v);
}

/* n runs that stand behind the last of the series' samples. */
static int add_chunk(struct remote_reply *r, size_t n, struct err *e)
{
    struct steadies *all = &r->base.samples;
    struct steady *v = all->v + all->n;
    time_ms after = all->n > 0 ? steady_last(v - 1) : r->base.window.from;
    size_t samples;

    if (!r->sorted || !count_plain(v, n, after, r->base.window.to, &samples)) {
        r->sorted = false;
        n = choose(v, n, r->base.window, &samples);
    }
    all->n += n;
    return reply_count_samples(&r->base, samples, e);
}

static int take_chunk(void *ctx, int64_t min_ms, int64_t max_ms, struct span bytes, struct err *e)
{
    struct remote_reply *r = ctx;
    size_t room = xor_chunk_count(bytes);
    int n;

    if (r->series.at == SCRAPE_NONE || max_ms <= r->base.window.from || min_ms > r->base.window.to)
        return 0;
    vec_reserve(&r->base.samples, r->base.samples.n + room);
    n = xor_chunk_decode(bytes, r->base.samples.v + r->base.samples.n, room);
    if (n < 0)
        return err_set(e, ERR_INPUT, "a chunk of samples is damaged");
    return add_chunk(r, (size_t)n, e);
}

static int take_sample(void *ctx, int64_t time, double value, struct err *e)
{
    struct remote_reply *r = ctx;

    r->sorted = false;
    return r->series.at == SCRAPE_NONE ? 0 : add(&r->base, time, steady_bits(value), e);
}

/* ---- as a transport ---- */

static void add_question(struct buf *b, const struct question *q)
{
    struct remote_read_question question = { .name_regex = q->families, .time_from_ms = q->window.from + 1, .time_to_ms = q->window.to };
    struct openmetrics_label present = { .name = span_of(q->present ? q->present : "") };

    if (q->present) {
        question.unequal = &present;
        question.n_unequal = 1;
    }
    remote_read_add_request(b, &question);
}

static struct reply *open_reply(struct scrape *s, const struct scrape_origin *origin)
{
    static const struct remote_read_events events = { begin_series, take_chunk, take_sample };
    struct remote_reply *r = xcalloc(1, sizeof *r);

    reply_init(&r->base, s, origin);
    r->reader = remote_read_new(&events, r);
    return &r->base;
}

static void close_reply(struct reply *base)
{
    struct remote_reply *r = (struct remote_reply *)base;

    reply_free(base);
    remote_read_free(r->reader);
    free(r);
}

static void begin(struct reply *base, struct timespan window)
{
    struct remote_reply *r = (struct remote_reply *)base;

    reply_begin(base, window);
    remote_read_begin(r->reader, REMOTE_READ_STREAMED);
    r->any = r->refusal = false;
    r->sorted = true;
}

static bool suits(struct reply *base, int status, struct span type)
{
    struct remote_reply *r = (struct remote_reply *)base;
    bool streamed = span_has_fold(type, "application/x-streamed-protobuf");

    r->refusal = status / 100 != 2;
    if (r->refusal)
        return true;
    remote_read_begin(r->reader, streamed ? REMOTE_READ_STREAMED : REMOTE_READ_SAMPLES);
    if (streamed || span_has_fold(type, "application/x-protobuf"))
        return true;
    reply_refuse_type(base, type);
    return false;
}

static int feed(struct reply *base, const char *p, size_t n)
{
    struct remote_reply *r = (struct remote_reply *)base;

    if (r->refusal) {
        reply_add_refusal(base, p, n);
        return 0;
    }
    if (remote_read_feed(r->reader, p, n, &base->err) == 0)
        return 0;
    base->unsuited = remote_read_unknown_encoding(r->reader);
    base->too_large = remote_read_too_large(r->reader);
    return -1;
}

static int end(struct reply *base)
{
    struct remote_reply *r = (struct remote_reply *)base;

    if (base->err.code != ERR_NONE)
        return -1;
    if (r->refusal)
        return 0;
    if (remote_read_end(r->reader, &base->err) < 0) {
        base->cut = remote_read_cut(r->reader);
        base->too_large = remote_read_too_large(r->reader);
        return -1;
    }
    base->success = end_series(r, &base->err) == 0;
    return base->success ? 0 : -1;
}

static const char *const headers[] = { "Content-Encoding: snappy", "X-Prometheus-Remote-Read-Version: 0.1.0", NULL };

const struct transport transport_remote_read = {
    .name = "remote-read", .title = "remote read", .form = "protobuf", .path = "/api/v1/read", .content_type = "application/x-protobuf",
    .headers = headers, .window_s = 24 * 3600, .cap_bytes = INT64_C(4) << 30, .raw = true, .add_body = add_question, .open = open_reply,
    .close = close_reply, .begin = begin, .suits = suits, .feed = feed, .end = end,
};
