/* openmetrics: one line at a time, out of a window that holds at least one whole line.
 *
 * Files of metrics repeat the same few label blocks millions of times. So the hot path looks at a block as opaque bytes: when the line
 * begins with the text that the caller expects, only the two numbers are read; else the block's end is searched, quote by quote.
 * Labels are taken apart on request only, once per distinct text, and every rule of their grammar is checked there.
 *
 * Not here: what a name means, the order of samples, duplicates, TYPE and UNIT lines, histograms as one value. */
#include "gputab/codec/openmetrics.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/utf8.h"
#include "gputab/base/vec.h"

enum { WINDOW_BYTES = 256 * 1024, SHOWN = 40, NUMBER_BYTES = 400 };

static const double last_second = 253402300799.0;      /* 9999-12-31T23:59:59Z */

struct openmetrics {
    openmetrics_read read;
    void *ctx;
    char *file;
    locale_t c_locale;             /* a decimal point, whatever the process uses */
    char *window;                  /* cap bytes and a NUL */
    size_t from, to, cap;          /* unread bytes; capacity */
    bool input_ended;
    int64_t line_no;
    bool line_open;                /* the current line is the last one and has no end */
    struct span line, series;      /* the current ones */
    struct span expected;
    VEC(struct openmetrics_label) labels;
    struct buf text;               /* values with their escapes undone */
};

struct openmetrics *openmetrics_new(openmetrics_read read, void *ctx, const char *file)
{
    struct openmetrics *r = xcalloc(1, sizeof *r);

    r->read = read;
    r->ctx = ctx;
    r->file = xstrdup(file);
    r->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    r->cap = WINDOW_BYTES;
    r->window = xmalloc(r->cap + 1);
    return r;
}

void openmetrics_free(struct openmetrics *r)
{
    if (!r)
        return;
    if (r->c_locale != (locale_t)0)
        freelocale(r->c_locale);
    vec_free(&r->labels);
    buf_free(&r->text);
    free(r->window);
    free(r->file);
    free(r);
}

void openmetrics_expect(struct openmetrics *r, struct span series)
{
    r->expected = series;
}

/* Adds the place of a byte of the current line. Returns -1. */
static int at(const struct openmetrics *r, const char *p, struct err *e)
{
    struct span before = { r->line.p, p ? (size_t)(p - r->line.p) : 0 };

    return err_at(e, r->file, r->line_no, (int64_t)utf8_length(before) + 1);
}

/* More bytes behind `to`. 1, 0 at the end of the input, -1. */
static int fill(struct openmetrics *r, struct err *e)
{
    ptrdiff_t n;

    if (r->from > 0) {
        memmove(r->window, r->window + r->from, r->to - r->from);
        r->to -= r->from;
        r->from = 0;
    }
    if (r->to == r->cap) {
        r->cap *= 2;
        r->window = xrealloc(r->window, r->cap + 1);
    }
    n = r->read(r->ctx, r->window + r->to, r->cap - r->to, e);
    if (n < 0)
        return err_at(e, r->file, 0, 0);
    r->to += (size_t)n;
    r->input_ended = n == 0;
    return n > 0;
}

static int line_too_long(const struct openmetrics *r, struct err *e)
{
    err_set(e, ERR_INPUT, "line is longer than %d bytes", OPENMETRICS_LINE_BYTES);
    return err_at(e, r->file, r->line_no, 0);
}

/* The next line into r->line, without its end. 1, 0 at the end of the input, -1. */
static int next_line(struct openmetrics *r, struct err *e)
{
    size_t seen = 0;
    char *nl;

    r->line_no++;
    while (!(nl = memchr(r->window + r->from + seen, '\n', r->to - r->from - seen))) {
        int rc = 0;

        seen = r->to - r->from;
        if (seen > OPENMETRICS_LINE_BYTES)
            return line_too_long(r, e);
        if (!r->input_ended && (rc = fill(r, e)) < 0)
            return -1;
        if (rc == 0 && seen == 0)
            return 0;
        if (rc == 0)
            break;
    }
    seen = nl ? (size_t)(nl - (r->window + r->from)) : r->to - r->from;
    if (seen > OPENMETRICS_LINE_BYTES)
        return line_too_long(r, e);
    r->line = (struct span){ r->window + r->from, seen };
    r->line_open = !nl;
    r->from += seen + (nl != NULL);
    r->window[r->to] = '\0';                           /* numbers are read in place */
    if (r->line.n > 0 && r->line.p[r->line.n - 1] == '\r')
        r->line.n--;
    return 1;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

static const char *skip_word(const char *p, const char *end)
{
    while (p < end && !is_blank(*p))
        p++;
    return p;
}

/* The quote that closes the string begun before p, or NULL. */
static const char *closing_quote(const char *p, const char *end)
{
    const char *begin = p, *q;

    while ((q = memchr(p, '"', (size_t)(end - p)))) {
        const char *b = q;

        while (b > begin && b[-1] == '\\')
            b--;
        if ((q - b) % 2 == 0)
            return q;
        p = q + 1;
    }
    return NULL;
}

/* The end of the series text that begins at p: behind the name, or behind the brace that closes its labels. NULL: no such brace. */
static const char *series_end(const char *p, const char *end)
{
    while (p < end && *p != '{' && !is_blank(*p))
        p++;
    if (p == end || *p != '{')
        return p;
    for (p++; p < end && *p != '}'; p++)
        if (*p == '"' && !(p = closing_quote(p + 1, end)))
            return NULL;
    return p < end ? p + 1 : NULL;
}

/* name{...} gives name; {"name",...} gives what stands between the first quotes. */
static struct span metric_name(struct span series)
{
    const char *end = series.p + series.n, *brace = memchr(series.p, '{', series.n), *quote;

    if (!brace)
        return series;
    if (brace > series.p)
        return (struct span){ series.p, (size_t)(brace - series.p) };
    brace = skip_blanks(brace + 1, end);
    if (brace == end || *brace != '"' || !(quote = closing_quote(brace + 1, end)))
        return (struct span){ series.p, 0 };
    return (struct span){ brace + 1, (size_t)(quote - brace - 1) };
}

static int read_series(struct openmetrics *r, const char **rest, struct span *series, struct err *e)
{
    const char *p = *rest, *end = r->line.p + r->line.n, *stop;
    size_t n = r->expected.n;

    if (n > 0 && (size_t)(end - p) > n && is_blank(p[n]) && memcmp(p, r->expected.p, n) == 0) {
        *series = r->expected;
        *rest = p + n;
        return 0;
    }
    stop = series_end(p, end);
    if (!stop) {
        err_set(e, ERR_INPUT, "labels are not closed by a brace");
        return at(r, p, e);
    }
    if (stop == p) {
        err_set(e, ERR_INPUT, "line does not begin with a metric name");
        return at(r, p, e);
    }
    *series = (struct span){ p, (size_t)(stop - p) };
    *rest = stop;
    return 0;
}

/* Digits only, so few that a binary64 holds them exactly. */
static bool short_integer(struct span s, int64_t *out)
{
    int64_t v = 0;

    if (s.n == 0 || s.n > 15)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
        v = v * 10 + (s.p[i] - '0');
    }
    *out = v;
    return true;
}

static bool number_word(struct span s, double *out)
{
    static const struct { const char *text; double value; } words[] = {
        { "nan", NAN }, { "inf", INFINITY }, { "+inf", INFINITY }, { "-inf", -INFINITY }, { "infinity", INFINITY },
        { "+infinity", INFINITY }, { "-infinity", -INFINITY },
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (span_eq_fold(s, words[i].text)) {
            *out = words[i].value;
            return true;
        }
    }
    return false;
}

/* A decimal number in place: strtod stops at the blank or line end behind it, and the characters are checked before, since it reads more
 * than this grammar knows. */
static bool decimal(const struct openmetrics *r, struct span s, double *out)
{
    char *end;

    if (s.n == 0 || s.n > NUMBER_BYTES)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!strchr("+-.0123456789eE", s.p[i]) || s.p[i] == '\0')
            return false;
    *out = strtod_l(s.p, &end, r->c_locale);
    return end == s.p + s.n;
}

static int read_value(struct openmetrics *r, const char **rest, double *out, struct err *e)
{
    const char *end = r->line.p + r->line.n, *p = skip_blanks(*rest, end);
    struct span word = { p, (size_t)(skip_word(p, end) - p) };
    int64_t integer;

    *rest = p + word.n;
    if (short_integer(word, &integer)) {
        *out = (double)integer;
        return 0;
    }
    if (decimal(r, word, out) || number_word(word, out))
        return 0;
    if (word.n == 0)
        err_set(e, ERR_INPUT, "sample has no value");
    else
        err_set(e, ERR_INPUT, "value \"%.*s\" is not a number", (int)utf8_whole(word.p, word.n < SHOWN ? word.n : SHOWN), word.p);
    return at(r, p, e);
}

/* 1791194400, or 1791194400.5 with at most three decimals, without strtod: both integers are exact and one division rounds once, so the
 * quotient is the number that strtod would give. */
static bool short_time(struct span s, double *out)
{
    const char *point = memchr(s.p, '.', s.n);
    size_t whole = point ? (size_t)(point - s.p) : s.n, decimals = s.n - whole - (point != NULL);
    int64_t seconds, fraction = 0;
    static const int scale[] = { 1, 10, 100, 1000 };

    if (whole > 12 || decimals > 3 || !short_integer((struct span){ s.p, whole }, &seconds) ||
        (point && !short_integer((struct span){ point + 1, decimals }, &fraction)))
        return false;
    *out = (double)(seconds * scale[decimals] + fraction) / scale[decimals];
    return true;
}

static int read_time(struct openmetrics *r, const char **rest, int64_t *out, struct err *e)
{
    const char *end = r->line.p + r->line.n, *p = skip_blanks(*rest, end);
    struct span word = { p, (size_t)(skip_word(p, end) - p) };
    double seconds;

    *rest = p + word.n;
    if (word.n == 0 || *p == '#') {
        err_set(e, ERR_INPUT, "sample has no time stamp");
        err_hint(e, "a sample is: name{labels} value seconds-since-1970");
        return at(r, p, e);
    }
    if (!short_time(word, &seconds) && !decimal(r, word, &seconds)) {
        err_set(e, ERR_INPUT, "time stamp \"%.*s\" is not a number", (int)utf8_whole(word.p, word.n < SHOWN ? word.n : SHOWN), word.p);
        return at(r, p, e);
    }
    if (!(fabs(seconds) <= last_second)) {
        err_set(e, ERR_INPUT, "time stamp \"%.*s\" is beyond the year 9999", (int)(word.n < SHOWN ? word.n : SHOWN), word.p);
        err_hint(e, "OpenMetrics time stamps are seconds, not milliseconds");
        return at(r, p, e);
    }
    *out = (int64_t)(seconds * 1000.0);
    return 0;
}

/* Behind "# EOF" nothing may stand: a second file appended to this one would go unread. */
static int finish(struct openmetrics *r, struct err *e)
{
    int rc;

    while ((rc = next_line(r, e)) > 0) {
        if (r->line.n == 0)
            continue;
        err_set(e, ERR_INPUT, "text after the \"# EOF\" line");
        err_hint(e, "join files without the \"# EOF\" lines between them");
        return at(r, NULL, e);
    }
    return rc;
}

static int read_sample(struct openmetrics *r, const char *p, struct openmetrics_sample *s, struct err *e)
{
    const char *end = r->line.p + r->line.n;

    if (read_series(r, &p, &s->series, e) < 0 || read_value(r, &p, &s->value, e) < 0 || read_time(r, &p, &s->time_ms, e) < 0)
        return -1;
    p = skip_blanks(p, end);
    if (p < end && *p != '#') {                        /* an exemplar may follow */
        err_set(e, ERR_INPUT, "text after the time stamp");
        return at(r, p, e);
    }
    s->name = metric_name(s->series);
    r->series = s->series;
    return 1;
}

int openmetrics_next(struct openmetrics *r, struct openmetrics_sample *s, struct err *e)
{
    int rc;

    while ((rc = next_line(r, e)) > 0) {
        const char *end = r->line.p + r->line.n, *p = skip_blanks(r->line.p, end);

        if (p < end && *p != '#') {
            rc = read_sample(r, p, s, e);
            return rc < 0 && r->line_open ? err_hint(e, "the file ends in this line: it may be cut; write it again") : rc;
        }
        if (span_eq(r->line, "# EOF"))
            return finish(r, e);
    }
    if (rc < 0)
        return -1;
    if (r->line_no == 1) {
        err_set(e, ERR_INPUT, "is empty");
        return err_at(e, r->file, 0, 0);
    }
    err_set(e, ERR_INPUT, "file does not end with \"# EOF\": it may be cut");
    err_hint(e, "write the file again; if it is complete, append a line \"# EOF\"");
    return err_at(e, r->file, r->line_no, 0);
}

static bool name_char(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || (!first && c >= '0' && c <= '9');
}

static size_t name_length(const char *p, const char *end)
{
    size_t n = 0;

    while (p + n < end && name_char(p[n], n == 0))
        n++;
    return n;
}

/* p points into the series text, which may be the caller's copy: the place is told by its offset. */
static int label_error(const struct openmetrics *r, const char *p, const char *what, struct err *e)
{
    size_t lead = (size_t)(skip_blanks(r->line.p, r->line.p + r->line.n) - r->line.p);

    err_set(e, ERR_INPUT, "%s", what);
    return at(r, r->line.p + lead + (p - r->series.p), e);
}

/* Copies a quoted string's content without its escapes: \\ \" \n; any other backslash stays, as Prometheus does it. */
static int unescape(struct openmetrics *r, struct span raw, struct span *out, struct err *e)
{
    size_t from = r->text.n;

    if (memchr(raw.p, '\0', raw.n))
        return label_error(r, raw.p, "label value holds a NUL byte", e);
    if (!memchr(raw.p, '\\', raw.n)) {
        *out = raw;
        return 0;
    }
    for (size_t i = 0; i < raw.n; i++) {
        char next = raw.p[i] == '\\' && i + 1 < raw.n ? raw.p[i + 1] : '\0';

        if (next == '\\' || next == '"' || next == 'n') {
            buf_addc(&r->text, next == 'n' ? '\n' : next);
            i++;
        } else {
            buf_addc(&r->text, raw.p[i]);
        }
    }
    *out = (struct span){ r->text.p + from, r->text.n - from };
    return 0;
}

/* "text" at *p: its content, *p moved behind it. */
static int read_quoted(struct openmetrics *r, const char **p, const char *end, struct span *out, struct err *e)
{
    const char *quote;

    if (*p == end || **p != '"')
        return label_error(r, *p, "label value is not quoted", e);
    quote = closing_quote(*p + 1, end);
    if (!quote)
        return label_error(r, *p, "quoted text is not closed", e);
    if (unescape(r, (struct span){ *p + 1, (size_t)(quote - *p - 1) }, out, e) < 0)
        return -1;
    *p = quote + 1;
    return 0;
}

/* name="value" at *p, the name quoted or not. A quoted text without a value in the first place is the metric's name: 0; else 1. */
static int read_label(struct openmetrics *r, const char **p, const char *end, bool first, struct openmetrics_label *out, struct err *e)
{
    const char *begin = *p;

    if (*p < end && **p == '"') {
        if (read_quoted(r, p, end, &out->name, e) < 0)
            return -1;
    } else {
        out->name = (struct span){ *p, name_length(*p, end) };
        *p += out->name.n;
    }
    if (out->name.n == 0)
        return label_error(r, begin, "no label name here", e);
    *p = skip_blanks(*p, end);
    if (first && *begin == '"' && r->series.p[0] == '{' && (*p == end || **p != '='))
        return 0;
    if (*p == end || **p != '=')
        return label_error(r, *p, "label name is not followed by =", e);
    *p = skip_blanks(*p + 1, end);
    return read_quoted(r, p, end, &out->value, e) < 0 ? -1 : 1;
}

static int add_label(struct openmetrics *r, struct openmetrics_label l, const char *place, struct err *e)
{
    for (size_t i = 0; i < r->labels.n; i++)
        if (span_same(r->labels.v[i].name, l.name))
            return label_error(r, place, "label is named twice", e);
    if (r->labels.n == OPENMETRICS_LABELS)
        return label_error(r, place, "sample has more than 256 labels", e);
    vec_push(&r->labels, l);
    return 0;
}

/* p stands behind the opening brace, end on the closing one. */
static int read_labels(struct openmetrics *r, const char *p, const char *end, struct err *e)
{
    bool first = true;

    for (p = skip_blanks(p, end); p < end; first = false) {
        struct openmetrics_label l = { 0 };
        const char *place = p;
        int rc = read_label(r, &p, end, first, &l, e);

        if (rc < 0 || (rc > 0 && add_label(r, l, place, e) < 0))
            return -1;
        p = skip_blanks(p, end);
        if (p < end && *p != ',')
            return label_error(r, p, "no comma between labels", e);
        if (p < end)
            p = skip_blanks(p + 1, end);
    }
    return 0;
}

int openmetrics_labels(struct openmetrics *r, const struct openmetrics_label **labels, struct err *e)
{
    const char *p = r->series.p, *end = p + r->series.n;
    size_t name = name_length(p, end);

    vec_clear(&r->labels);
    buf_clear(&r->text);
    buf_reserve(&r->text, r->series.n);                /* values point into it */
    if (p + name < end && p[name] != '{')
        return label_error(r, p + name, "metric name holds a character that no name may hold", e);
    if (p + name < end && read_labels(r, p + name + 1, end - 1, e) < 0)
        return -1;
    *labels = r->labels.v;
    return (int)r->labels.n;
}
