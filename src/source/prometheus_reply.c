/* prometheus_reply: tokens of JSON to series and samples.
 *
 *     {"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {...}, "values": [[time, "value"], ...]}, ...]}}
 *     {"status": "error", "errorType": "...", "error": "..."}
 *
 * Which containers are of interest is a table; everything else is skipped, whatever it holds. Samples are kept apart until the answer has
 * ended well: of one that breaks off nothing counts, so that it can be asked for again.
 *
 * Not here: what to do about an error (source/prometheus), and what series mean (source/scrape). */
#include "gputab/source/prometheus_reply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- numbers ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Powers of ten up to the year 10^8 in milliseconds; false: beyond. */
static bool add_digit(int64_t *n, char c)
{
    *n = *n * 10 + (c - '0');
    return *n < INT64_C(1000000000000000000) / 10;
}

/* The exponent of a JSON number, behind its e. Large ones need not be exact. */
static int read_exponent(const char *p, const char *end)
{
    bool negative = p < end && *p == '-';
    int n = 0;

    if (p < end && !is_digit(*p))
        p++;
    for (; p < end && n < 1000; p++)
        n = n * 10 + (*p - '0');
    return negative ? -n : n;
}

/* Seconds as a JSON number to milliseconds, digit by digit: a double would be off by one now and then. Finer parts are cut off. */
static bool read_time(struct span s, time_ms *out)
{
    const char *p = s.p, *end = s.p + s.n, *e = p;
    bool negative = p < end && *p == '-';
    int64_t n = 0;
    int shift = 3, left;

    while (e < end && *e != 'e' && *e != 'E')
        e++;
    if (e < end)
        shift += read_exponent(e + 1, end);
    for (p += negative; p < e && *p != '.'; p++)
        if (!add_digit(&n, *p))
            return false;
    for (p += p < e, left = shift; p < e && left > 0; p++, left--)
        if (!add_digit(&n, *p))
            return false;
    for (; left > 0 && n != 0; left--)
        if (!add_digit(&n, '0'))
            return false;
    for (; shift < 0 && n != 0; shift++)
        n /= 10;
    *out = negative ? -n : n;
    return true;
}

/* Whole numbers that a double holds exactly, which most samples are. */
static bool read_small(struct span s, double *out)
{
    int64_t n = 0;

    if (s.n == 0 || s.n > 15)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (!is_digit(s.p[i]))
            return false;
        n = n * 10 + (s.p[i] - '0');
    }
    *out = (double)n;
    return true;
}

/* A sample's value, which comes as a text: the nearest binary64, as the reader of files has it. */
static bool read_value(locale_t c_locale, struct span s, double *out)
{
    static const struct { const char *text; double value; } words[] = {
        { "NaN", NAN }, { "+Inf", INFINITY }, { "-Inf", -INFINITY }, { "Inf", INFINITY },
    };
    char *end;

    if (read_small(s, out))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_eq(s, words[i].text)) {
            *out = words[i].value;
            return true;
        }
    for (size_t i = 0; i < s.n; i++)
        if (!is_digit(s.p[i]) && (s.p[i] == '\0' || !strchr("+-.eE", s.p[i])))
            return false;
    if (s.n == 0)
        return false;
    *out = strtod_l(s.p, &end, c_locale);              /* a quote or a NUL stands behind the text */
    return end == s.p + s.n;
}

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

static void begin_container(struct prometheus_reply *r, enum place to)
{
    r->place[r->depth++] = (int)to;
    if (to == RESULT)
        r->has_result = true;
    if (to == ITEM) {
        vec_clear(&r->labels);
        buf_clear(&r->text);
        r->has_metric = false;
        vec_clear(&r->samples);
    }
    if (to == METRIC)
        r->has_metric = true;
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

static struct span label_text(const struct prometheus_reply *r, size_t at, size_t n)
{
    return (struct span){ r->text.p + at, n };
}

/* The labels but the metric's name, which goes to *name. */
static int make_labels(const struct prometheus_reply *r, struct openmetrics_label *out, struct span *name, struct err *e)
{
    int n = 0;

    *name = (struct span){ NULL, 0 };
    for (size_t i = 0; i < r->labels.n; i++) {
        const struct reply_label *l = &r->labels.v[i];
        struct openmetrics_label label = { label_text(r, l->name, l->name_n), label_text(r, l->value, l->value_n) };

        if (span_eq(label.name, "__name__"))
            *name = label.value;
        else if (n == OPENMETRICS_LABELS)
            return wrong(e, "a series has more than 256 labels");
        else
            out[n++] = label;
    }
    return n;
}

/* An item is complete, whatever the order of its members: its samples get their series. */
static int end_item(struct prometheus_reply *r, struct err *e)
{
    struct openmetrics_label labels[OPENMETRICS_LABELS];
    struct span name;
    const struct family *f;
    uint32_t series;
    int n = make_labels(r, labels, &name, e);

    if (n < 0)
        return -1;
    if (!r->has_metric || name.n == 0)
        return wrong(e, "a series without the name of its metric");
    f = scrape_family(r->scrape, name);
    if (!f)
        return wrong(e, "a series that was not asked for");
    if (scrape_series(r->scrape, f, labels, (size_t)n, &series, e) < 0)
        return -1;
    if (series == NONE || r->samples.n == 0)
        return 0;
    return scrape_batch_add(r->scrape, &r->batch, series, r->samples.v, r->samples.n, e);
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
    return was == ITEM ? end_item(r, e) : 0;
}

static int add_label(struct prometheus_reply *r, struct span value, struct err *e)
{
    struct reply_label l = { r->text.n, r->name.n, r->text.n + r->name.n, value.n };

    if (r->text.n + r->name.n + value.n > REPLY_LABEL_BYTES)
        return wrong(e, "the labels of a series are longer than 1 MiB");
    for (size_t i = 0; i < r->labels.n; i++)
        if (span_same(label_text(r, r->labels.v[i].name, r->labels.v[i].name_n), buf_span(&r->name)))
            return wrong(e, "a series has a label twice");
    buf_add_span(&r->text, buf_span(&r->name));
    buf_add_span(&r->text, value);
    vec_push(&r->labels, l);
    return r->labels.n <= OPENMETRICS_LABELS + 1 ? 0 : wrong(e, "a series has more than 256 labels");
}

static void add_sample(struct prometheus_reply *r, double value)
{
    if (r->time > r->window.from && r->time <= r->window.to)
        vec_push(&r->samples, (struct raw_sample){ r->time, value });
}

/* First of a pair the time, then the value. */
static int pair_token(struct prometheus_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    double value;

    if (r->index == 0) {
        if (kind != JSON_IN_NUMBER_VALUE || !read_time(text, &r->time))
            return wrong(e, "a sample's time is no number of seconds");
    } else if (r->index == 1) {
        if (kind != JSON_IN_STRING_VALUE || !read_value(r->c_locale, text, &value))
            return wrong(e, "a sample's value is no number in quotes");
        add_sample(r, value);
    }
    r->index += r->index < 3;
    return 0;
}

static void keep_text(struct buf *to, struct span text)
{
    if (to->n == 0)
        buf_add_span(to, text);
}

static void add_warning(struct prometheus_reply *r, struct span text)
{
    if (r->warnings.n < REPLY_WARNINGS)
        vec_push(&r->warnings, xstrndup(text.p ? text.p : "", text.n));
}

static int answer_token(struct prometheus_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    if (named(r, "status")) {
        r->success = span_eq(text, "success");
        r->failure = span_eq(text, "error");
        if (kind != JSON_IN_STRING_VALUE || (!r->success && !r->failure))
            return wrong(e, "the status is neither \"success\" nor \"error\"");
    } else if (kind == JSON_IN_STRING_VALUE && named(r, "errorType")) {
        keep_text(&r->error_type, text);
    } else if (kind == JSON_IN_STRING_VALUE && named(r, "error")) {
        keep_text(&r->error, text);
    } else if (kind == JSON_IN_TRUE && named(r, "isPartial")) {
        add_warning(r, span_of("isPartial"));          /* how VictoriaMetrics says it */
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
        return add_label(r, text, e);
    case ANSWER:
        return answer_token(r, kind, text, e);
    case WARNINGS:
        add_warning(r, text);
        return 0;
    case DATA:
        if (named(r, "resultType") && !span_eq(text, "matrix"))
            return wrong(e, "the result is no matrix of samples");
        return 0;
    case HISTOGRAM:
        if (r->index++ == 0 && (kind != JSON_IN_NUMBER_VALUE || !read_time(text, &r->time)))
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
static void histogram_value(struct prometheus_reply *r)
{
    if (r->skip == 0 && here(r) == HISTOGRAM && r->index == 1) {
        add_sample(r, NAN);
        r->index = 2;
    }
}

static int take(struct prometheus_reply *r, enum json_in_kind kind, struct span text, struct err *e)
{
    switch (kind) {
    case JSON_IN_OBJECT:
    case JSON_IN_ARRAY:
        histogram_value(r);
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

void prometheus_reply_init(struct prometheus_reply *r, struct scrape *scrape)
{
    *r = (struct prometheus_reply){ .scrape = scrape };
    r->json = json_in_new(token, r);
    r->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static void clear_warnings(struct prometheus_reply *r)
{
    for (size_t i = 0; i < r->warnings.n; i++)
        free(r->warnings.v[i]);
    vec_clear(&r->warnings);
}

void prometheus_reply_free(struct prometheus_reply *r)
{
    clear_warnings(r);
    vec_free(&r->warnings);
    vec_free(&r->labels);
    vec_free(&r->samples);
    scrape_batch_free(&r->batch);
    buf_free(&r->name);
    buf_free(&r->text);
    buf_free(&r->error_type);
    buf_free(&r->error);
    if (r->c_locale != (locale_t)0)
        freelocale(r->c_locale);
    json_in_free(r->json);
}

void prometheus_reply_begin(struct prometheus_reply *r, struct timespan window)
{
    json_in_reset(r->json);
    clear_warnings(r);
    scrape_batch_clear(&r->batch);
    buf_clear(&r->error_type);
    buf_clear(&r->error);
    err_clear(&r->err);
    r->window = window;
    r->depth = r->skip = 0;
    r->has_result = r->success = r->failure = r->refused = r->cut = false;
}

int prometheus_reply_feed(void *reply, const char *p, size_t n)
{
    struct prometheus_reply *r = reply;

    return json_in_feed(r->json, p, n, &r->err);
}

int prometheus_reply_end(struct prometheus_reply *r)
{
    if (r->err.code != ERR_NONE)
        return -1;
    if (json_in_end(r->json, &r->err) < 0) {
        r->cut = !r->refused;
        return -1;
    }
    if (!r->success && !r->failure)
        return wrong(&r->err, "not an answer of the query API: it has no status");
    if (r->success && !r->has_result)
        return wrong(&r->err, "not an answer of the query API: it has no result");
    return 0;
}

int prometheus_reply_keep(struct prometheus_reply *r, struct err *e)
{
    return scrape_batch_commit(r->scrape, &r->batch, e);
}
