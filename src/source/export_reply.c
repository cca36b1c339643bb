/* export_reply: what VictoriaMetrics exports, a line of JSON per series or part of one:
 *
 *     {"metric": {"__name__": "A", ...}, "values": [1, 2], "timestamps": [1791158400000, 1791158460000]}
 *
 * Lines are documents of their own. A value of null is a stale marker or another NaN: no sample, as with the other transports.
 *
 * Not here: tokens (codec/json_in), and what servers say when they refuse, beyond its beginning. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/codec/http.h"
#include "gputab/codec/json_in.h"
#include "gputab/source/sample_text.h"
#include "gputab/source/transport.h"

enum { POINTS = REPLY_SAMPLES };

enum place { NOWHERE, LINE, METRIC, VALUES, TIMES };

struct export_reply {
    struct reply base;             /* first */
    struct json_in *json;
    enum place place;
    int skip;                      /* open containers that are of no interest */
    struct buf name;               /* of the member whose value comes next */
    bool refusal;                  /* what comes is a text: the status is no good, or no line begins where one should */
    bool some;                     /* something of a line has come */
    bool seen[TIMES + 1];          /* parts of the line at hand */
    VEC(double) values;
    VEC(time_ms) times;
    locale_t c_locale;
};

static int wrong(struct err *e, const char *what)
{
    return err_set(e, ERR_INPUT, "%s", what);
}

/* ---- tokens ---- */

static int open_container(struct export_reply *r, bool object, struct err *e)
{
    static const struct { const char *name; bool object; enum place to; } parts[] = {
        { "metric", true, METRIC }, { "values", false, VALUES }, { "timestamps", false, TIMES },
    };

    if (r->place == NOWHERE && object) {
        r->place = LINE;
        return 0;
    }
    for (size_t i = 0; r->place == LINE && r->skip == 0 && i < sizeof parts / sizeof *parts; i++)
        if (span_eq(buf_span(&r->name), parts[i].name) && parts[i].object == object) {
            if (r->seen[parts[i].to])
                return wrong(e, "a line of an export has a part twice");
            r->place = parts[i].to;
            r->seen[r->place] = true;
            return 0;
        }
    if (r->place != LINE)
        return wrong(e, "not a line of an export");
    r->skip++;
    return 0;
}

static int end_line(struct export_reply *r, struct err *e)
{
    if (!r->seen[METRIC] || r->values.n != r->times.n)
        return wrong(e, "a line of an export without a metric, or with other numbers of values and of timestamps");
    for (size_t i = 0; i < r->times.n; i++)
        if (!isnan(r->values.v[i]) && reply_add_sample(&r->base, r->times.v[i], r->values.v[i], e) < 0)
            return -1;
    vec_clear(&r->values);
    vec_clear(&r->times);
    memset(r->seen, 0, sizeof r->seen);
    return reply_end_series(&r->base, e);
}

static int close_container(struct export_reply *r, struct err *e)
{
    if (r->skip > 0) {
        r->skip--;
        return 0;
    }
    if (r->place == LINE) {
        r->place = NOWHERE;
        return end_line(r, e);
    }
    r->place = LINE;
    return 0;
}

static int add_value(struct export_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    double value = NAN;

    if (kind != JSON_IN_NULL && kind != JSON_IN_NUMBER_VALUE && kind != JSON_IN_STRING_VALUE)
        return wrong(e, "a sample's value is no number");
    if (kind == JSON_IN_STRING_VALUE && (span_eq(text, "Infinity") || span_eq(text, "-Infinity")))
        value = INFINITY;
    else if (kind != JSON_IN_NULL && !sample_text_value(r->c_locale, text, &value))
        return wrong(e, "a sample's value is no number");
    vec_push(&r->values, value);
    return r->values.n <= POINTS ? 0 : wrong(e, "a line of an export has more than 4194304 samples");
}

/* Milliseconds: whole, so that a thousandth of them as seconds is exact. */
static int add_time(struct export_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    double value;

    if (kind != JSON_IN_NUMBER_VALUE || !sample_text_value(r->c_locale, text, &value) || value < -9e15 || value > 9e15)
        return wrong(e, "a timestamp is no number of milliseconds");
    vec_push(&r->times, (time_ms)value);
    return r->times.n <= POINTS ? 0 : wrong(e, "a line of an export has more than 4194304 samples");
}

static int scalar(struct export_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    switch (r->place) {
    case METRIC:
        if (kind != JSON_IN_STRING_VALUE)
            return wrong(e, "a label's value is no text");
        return reply_add_label(&r->base, buf_span(&r->name), text, e);
    case VALUES:
        return add_value(r, kind, text, e);
    case TIMES:
        return add_time(r, kind, text, e);
    case LINE:
        return 0;
    default:
        return wrong(e, "not a line of an export");
    }
}

static int token(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct export_reply *r = ctx;

    switch (kind) {
    case JSON_IN_OBJECT:
    case JSON_IN_ARRAY:
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

/* ---- as a transport ---- */

/* Both ends are inclusive there, in seconds; the reply passes over what is outside. The end is a second later than
 * wanted, since VictoriaMetrics finds no series whose first sample is at the midnight at which a question ends. */
static void add_question(struct buf *b, const struct question *q)
{
    struct buf selector = { 0 };

    question_add_selector(&selector, q);
    http_add_form(b, "match[]", buf_span(&selector));
    question_add_seconds(b, "start", q->window.from);
    question_add_seconds(b, "end", q->window.to + TIME_SECOND);
    question_add_params(b, q);
    buf_free(&selector);
}

static struct reply *open_reply(struct scrape *s, const struct scrape_origin *origin)
{
    struct export_reply *r = xcalloc(1, sizeof *r);

    reply_init(&r->base, s, origin);
    r->json = json_in_new(token, r);
    r->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return &r->base;
}

static void close_reply(struct reply *base)
{
    struct export_reply *r = (struct export_reply *)base;

    reply_free(base);
    json_in_free(r->json);
    buf_free(&r->name);
    vec_free(&r->values);
    vec_free(&r->times);
    if (r->c_locale != (locale_t)0)
        freelocale(r->c_locale);
    free(r);
}

static void begin(struct reply *base, struct timespan window)
{
    struct export_reply *r = (struct export_reply *)base;

    reply_begin(base, window);
    json_in_reset(r->json);
    vec_clear(&r->values);
    vec_clear(&r->times);
    memset(r->seen, 0, sizeof r->seen);
    r->place = NOWHERE;
    r->skip = 0;
    r->refusal = r->some = false;
}

/* VictoriaMetrics calls it application/stream+json; a server that answers with anything is none. */
static bool suits(struct reply *base, int status, struct span type)
{
    struct export_reply *r = (struct export_reply *)base;

    r->refusal = status / 100 != 2;
    if (r->refusal || span_has_fold(type, "application/stream+json"))
        return true;
    reply_refuse_type(base, type);
    return false;
}

static int end_document(struct export_reply *r)
{
    if (!r->some)
        return 0;
    r->some = false;
    if (json_in_end(r->json, &r->base.err) < 0)
        return -1;
    json_in_reset(r->json);
    return 0;
}

/* What a server says that refuses, or gives up behind some lines, is text, of which the beginning is shown. */
static int hear(struct export_reply *r, const char *p, size_t n)
{
    r->refusal = true;
    reply_add_refusal(&r->base, p, n);
    return 0;
}

static int feed_line(struct export_reply *r, const char *p, size_t n)
{
    r->some |= n > 0;
    return json_in_feed(r->json, p, n, &r->base.err);
}

static bool is_text(const struct export_reply *r, const char *p, const char *end)
{
    return r->refusal || (!r->some && p < end && *p != '{' && *p != '\n');
}

static int feed(struct reply *base, const char *p, size_t n)
{
    struct export_reply *r = (struct export_reply *)base;
    const char *end = p + n, *line;

    for (; !is_text(r, p, end) && (line = memchr(p, '\n', (size_t)(end - p))); p = line + 1)
        if (feed_line(r, p, (size_t)(line - p)) < 0 || end_document(r) < 0)
            return -1;
    return (is_text(r, p, end) ? hear : feed_line)(r, p, (size_t)(end - p));
}

/* Each line ends with a newline: one that does not was cut. */
static int end(struct reply *base)
{
    struct export_reply *r = (struct export_reply *)base;

    if (base->err.code != ERR_NONE)
        return -1;
    if (r->refusal)
        return 0;
    if (r->some) {
        base->cut = true;
        return wrong(&base->err, "the answer ends in the middle");
    }
    base->success = true;
    return 0;
}

const struct transport transport_export = {
    .name = "export", .title = "VictoriaMetrics' export", .form = "lines of JSON", .path = "/api/v1/export",
    .content_type = "application/x-www-form-urlencoded", .window_s = 24 * 3600, .cap_bytes = INT64_C(4) << 30, .add_body = add_question,
    .open = open_reply, .close = close_reply, .begin = begin, .suits = suits, .feed = feed, .end = end,
};
