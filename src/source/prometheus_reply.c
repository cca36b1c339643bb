/* prometheus_reply: tokens of JSON to series and samples.
 *
 *     {"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {...}, "values": [[time, "value"], ...]}, ...]}}
 *     {"status": "error", "errorType": "...", "error": "..."}
 *
 * Which containers are of interest is a table; everything else is skipped, whatever it holds. Most samples come as whole pairs of time
 * and value; those that do not, and those that are wrong, come as tokens.
 *
 * Not here: what to do about an error (source/pull), and what series mean (source/scrape). */
#include "gputab/source/prometheus_reply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/codec/http.h"
#include "gputab/source/sample_text.h"
#include "gputab/source/transport.h"

enum place { ANSWER, OUTSIDE, DATA, RESULT, ITEM, METRIC, VALUES, PAIR, HISTOGRAMS, HISTOGRAM, WARNINGS };

/* The containers on the way to samples: where they stand, under which name (NULL: as items of an array), what they are. */
static const struct way {
    enum place in;
    const char *name;
    bool object;
    enum place to;
} ways[] = {
    { OUTSIDE, NULL, true, ANSWER }, { ANSWER, "data", true, DATA }, { ANSWER, "warnings", false, WARNINGS },
    { DATA, "result", false, RESULT }, { RESULT, NULL, true, ITEM }, { ITEM, "metric", true, METRIC },
    { ITEM, "values", false, VALUES }, { VALUES, NULL, false, PAIR }, { ITEM, "histograms", false, HISTOGRAMS },
    { HISTOGRAMS, NULL, false, HISTOGRAM },
};

/* ---- tokens ---- */

static enum place here(const struct prometheus_reply *r)
{
    return r->depth > 0 ? (enum place)r->place[r->depth - 1] : OUTSIDE;
}

static int wrong(struct err *e, const char *what)
{
    return err_set(e, ERR_INPUT, "%s", what);
}

static bool named(const struct prometheus_reply *r, const char *name)
{
    return span_eq(buf_span(&r->name), name);
}

/* A whole sample: as pair_token has it, but what that refuses is left to it, which knows the place of an error. */
static bool take_pair(void *ctx, struct span number, struct span text)
{
    struct prometheus_reply *r = ctx;
    time_ms time;
    double value;

    if (r->base.n_samples >= REPLY_SAMPLES || !sample_text_time(number, &time) || !sample_text_value(r->c_locale, text, &value))
        return false;
    return reply_add_sample(&r->base, time, value, &r->base.err) == 0;
}

static void begin_container(struct prometheus_reply *r, enum place to)
{
    r->place[r->depth++] = (int)to;
    if (to == RESULT)
        r->has_result = true;
    if (to == ITEM)
        r->has_metric = false;
    if (to == METRIC)
        r->has_metric = true;
    if (to == ANSWER) {
        r->again = r->base.success;
        r->base.success = false;
    }
    if (to == VALUES)
        json_in_expect_pairs(r->json, take_pair);
    if (to == PAIR || to == HISTOGRAM)
        r->index = 0;
}

static int open_container(struct prometheus_reply *r, bool object, struct err *e)
{
    enum place in = here(r);

    for (size_t i = 0; r->skip == 0 && i < sizeof ways / sizeof *ways; i++) {
        const struct way *w = &ways[i];

        if (w->in != in || (w->name && !named(r, w->name)))
            continue;
        if (w->object != object)
            return wrong(e, "not an answer of the query API");
        begin_container(r, w->to);
        return 0;
    }
    if (r->skip == 0 && (in == METRIC || in == PAIR || in == WARNINGS))
        return wrong(e, "not an answer of the query API");
    r->skip++;
    return 0;
}

/* An item is complete, whatever the order of its members. */
static int end_item(struct prometheus_reply *r, struct err *e)
{
    return r->has_metric ? reply_end_series(&r->base, e) : wrong(e, "a series without the name of its metric");
}

static int close_container(struct prometheus_reply *r, struct err *e)
{
    enum place was;

    if (r->skip > 0) {
        r->skip--;
        return 0;
    }
    was = here(r);
    r->depth--;
    if ((was == PAIR || was == HISTOGRAM) && r->index != 2 && r->skip == 0)
        return wrong(e, "a sample is not a pair of time and value");
    if (was == ANSWER && r->base.success)
        json_in_expect_another(r->json);
    return was == ITEM ? end_item(r, e) : 0;
}

/* First of a pair the time, then the value. */
static int pair_token(struct prometheus_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    double value;

    if (r->index == 0) {
        if (kind != JSON_IN_NUMBER_VALUE || !sample_text_time(text, &r->time))
            return wrong(e, "a sample's time is no number of seconds");
    } else if (r->index == 1) {
        if (kind != JSON_IN_STRING_VALUE || !sample_text_value(r->c_locale, text, &value))
            return wrong(e, "a sample's value is no number in quotes");
        if (reply_add_sample(&r->base, r->time, value, e) < 0)
            return -1;
    }
    r->index += r->index < 3;
    return 0;
}

static void keep_text(struct buf *to, struct span text)
{
    if (to->n == 0)
        buf_add_span(to, text);
}

static int answer_token(struct prometheus_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    if (named(r, "status")) {
        r->base.success = span_eq(text, "success");
        r->base.failure = span_eq(text, "error");
        if (kind != JSON_IN_STRING_VALUE || (!r->base.success && !r->base.failure))
            return wrong(e, "the status is neither \"success\" nor \"error\"");
        if (r->again && r->base.success)
            return wrong(e, "another answer behind the first one");
    } else if (kind == JSON_IN_STRING_VALUE && named(r, "errorType")) {
        keep_text(&r->base.error_type, text);
    } else if (kind == JSON_IN_STRING_VALUE && named(r, "error")) {
        keep_text(&r->base.error, text);
    } else if (kind == JSON_IN_TRUE && named(r, "isPartial")) {
        reply_add_warning(&r->base, span_of("isPartial"));          /* how VictoriaMetrics says it */
    }
    return 0;
}

static int scalar(struct prometheus_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    switch (here(r)) {
    case PAIR:
        return pair_token(r, kind, text, e);
    case METRIC:
        if (kind != JSON_IN_STRING_VALUE)
            return wrong(e, "a label's value is no text");
        return reply_add_label(&r->base, buf_span(&r->name), text, e);
    case ANSWER:
        return answer_token(r, kind, text, e);
    case WARNINGS:
        reply_add_warning(&r->base, text);
        return 0;
    case DATA:
        if (named(r, "resultType") && !span_eq(text, "matrix"))
            return wrong(e, "the result is no matrix of samples");
        return 0;
    case HISTOGRAM:
        if (r->index++ == 0 && (kind != JSON_IN_NUMBER_VALUE || !sample_text_time(text, &r->time)))
            return wrong(e, "a sample's time is no number of seconds");
        return 0;
    case ITEM:
        if (!named(r, "metric") && !named(r, "values") && !named(r, "histograms"))
            return 0;
        return wrong(e, "not an answer of the query API");
    default:
        return wrong(e, "not an answer of the query API");
    }
}

/* A native histogram where a number should be: counted with the values that are none. */
static int histogram_value(struct prometheus_reply *r, struct err *e)
{
    if (r->skip > 0 || here(r) != HISTOGRAM || r->index != 1)
        return 0;
    r->index = 2;
    return reply_add_sample(&r->base, r->time, NAN, e);
}

static int take(struct prometheus_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    switch (kind) {
    case JSON_IN_OBJECT:
    case JSON_IN_ARRAY:
        if (histogram_value(r, e) < 0)
            return -1;
        return open_container(r, kind == JSON_IN_OBJECT, e);
    case JSON_IN_OBJECT_END:
    case JSON_IN_ARRAY_END:
        return close_container(r, e);
    case JSON_IN_NAME:
        if (r->skip == 0) {
            buf_clear(&r->name);
            buf_add_span(&r->name, text);
        }
        return 0;
    default:
        return r->skip > 0 ? 0 : scalar(r, kind, text, e);
    }
}

static int token(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct prometheus_reply *r = ctx;

    r->refused = take(r, kind, text, e) < 0;
    return r->refused ? -1 : 0;
}

/* ---- an answer ---- */

void prometheus_reply_init(struct prometheus_reply *r, struct scrape *scrape, const struct scrape_origin *origin)
{
    *r = (struct prometheus_reply){ 0 };
    reply_init(&r->base, scrape, origin);
    r->json = json_in_new(token, r);
    r->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void prometheus_reply_free(struct prometheus_reply *r)
{
    reply_free(&r->base);
    buf_free(&r->name);
    if (r->c_locale != (locale_t)0)
        freelocale(r->c_locale);
    json_in_free(r->json);
}

void prometheus_reply_begin(struct prometheus_reply *r, struct timespan window)
{
    reply_begin(&r->base, window);
    json_in_reset(r->json);
    r->depth = r->skip = 0;
    r->has_result = r->refused = r->again = false;
}

int prometheus_reply_feed(struct prometheus_reply *r, const char *p, size_t n)
{
    return json_in_feed(r->json, p, n, &r->base.err);
}

int prometheus_reply_end(struct prometheus_reply *r)
{
    if (r->base.err.code != ERR_NONE)
        return -1;
    if (json_in_end(r->json, &r->base.err) < 0) {
        r->base.cut = !r->refused;
        return -1;
    }
    if (!r->base.success && !r->base.failure)
        return wrong(&r->base.err, "not an answer of the query API: it has no status");
    if (r->base.success && !r->has_result)
        return wrong(&r->base.err, "not an answer of the query API: it has no result");
    return 0;
}

/* ---- as a transport ---- */

/* {__name__=~"A|B"}[21601s] at a second behind the window's end: samples as they were scraped, with their own time stamps; the reply passes
 * over what is outside. VictoriaMetrics finds no series whose first sample is at the midnight at which a question ends. */
static void add_query(struct buf *b, const struct question *q)
{
    struct buf query = { 0 };

    question_add_selector(&query, q);
    buf_addf(&query, "[%llds]", (long long)((q->window.to - q->window.from) / TIME_SECOND + 1));
    http_add_form(b, "query", buf_span(&query));
    question_add_seconds(b, "time", q->window.to + TIME_SECOND);
    question_add_params(b, q);
    buf_free(&query);
}

static struct reply *open_reply(struct scrape *s, const struct scrape_origin *origin)
{
    struct prometheus_reply *r = xcalloc(1, sizeof *r);

    prometheus_reply_init(r, s, origin);
    return &r->base;
}

static void close_reply(struct reply *r)
{
    prometheus_reply_free((struct prometheus_reply *)r);
    free(r);
}

static void begin(struct reply *r, struct timespan window)
{
    prometheus_reply_begin((struct prometheus_reply *)r, window);
}

/* Errors come in the same form, with any status: what else comes is told from it token by token. */
static bool suits(struct reply *r, int status, struct span content_type)
{
    (void)r;
    (void)status;
    (void)content_type;
    return true;
}

static int feed(struct reply *r, const char *p, size_t n)
{
    return prometheus_reply_feed((struct prometheus_reply *)r, p, n);
}

static int end(struct reply *r)
{
    return prometheus_reply_end((struct prometheus_reply *)r);
}

/* Six hours: servers hold a week of raw JSON in gigabytes. */
const struct transport transport_query = {
    .name = "query", .title = "the query API", .form = "JSON", .path = "/api/v1/query",
    .content_type = "application/x-www-form-urlencoded", .accept = "application/json",
    .window_s = 6 * 3600, .cap_bytes = INT64_C(128) << 20, .add_body = add_query, .open = open_reply, .close = close_reply,
    .begin = begin, .suits = suits, .feed = feed, .end = end,
};
