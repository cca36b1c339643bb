/* json_out: the writer. A small stack of open containers decides where commas, line breaks and indents go, so that callers only name
 * keys and values and the result is always well formed. It keeps nothing but that stack: text goes straight into the buf.
 * It doesn't read JSON and has no number type: decimals arrive as text and stay exactly as they are. */
#include "gputab/codec/json_out.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "gputab/base/utf8.h"

static const char replacement[] = "\xef\xbf\xbd";            /* U+FFFD in UTF-8 */

/* Bytes below 0x20 that have a short escape. */
static char short_escape(unsigned char c)
{
    switch (c) {
    case '\b': return 'b';
    case '\t': return 't';
    case '\n': return 'n';
    case '\f': return 'f';
    case '\r': return 'r';
    default: return 0;
    }
}

static void add_ascii(struct buf *b, unsigned char c)
{
    if (c == '"' || c == '\\') {
        buf_addc(b, '\\');
        buf_addc(b, (char)c);
    } else if (c >= 0x20 && c != 0x7f) {
        buf_addc(b, (char)c);
    } else if (short_escape(c)) {
        buf_addc(b, '\\');
        buf_addc(b, short_escape(c));
    } else {
        buf_addf(b, "\\u%04x", (unsigned)c);
    }
}

/* One character of more than one byte, or a malformed byte: utf8_next calls both U+FFFD, the length tells them apart. */
static const char *add_wide(struct buf *b, const char *p, const char *end)
{
    const char *next = p;

    (void)utf8_next(&next, end);
    if (next - p > 1)
        buf_add(b, p, (size_t)(next - p));
    else
        buf_adds(b, replacement);
    return next;
}

void json_out_add_quoted(struct buf *b, struct span s)
{
    const char *p = s.p;
    const char *end = s.n ? s.p + s.n : s.p;

    buf_addc(b, '"');
    while (p < end) {
        if ((unsigned char)*p < 0x80)
            add_ascii(b, (unsigned char)*p++);
        else
            p = add_wide(b, p, end);
    }
    buf_addc(b, '"');
}

static struct json_out_level *top(struct json_out *j)
{
    return j->depth ? &j->levels[j->depth - 1] : NULL;
}

static void break_line(struct json_out *j)
{
    buf_addc(j->out, '\n');
    buf_fill(j->out, ' ', 2 * (size_t)j->depth);
}

/* What stands between the neighbour and the next member of the innermost container. */
static void separate(struct json_out *j)
{
    struct json_out_level *l = top(j);

    if (!l)
        return;
    if (l->filled)
        buf_addc(j->out, ',');
    if (!l->in_line)
        break_line(j);
    l->filled = true;
}

/* Before every value: an object's member was separated by its key already. */
static void begin_value(struct json_out *j)
{
    assert(!j->depth || j->after_key == (top(j)->close == '}'));
    if (j->after_key)
        j->after_key = false;
    else
        separate(j);
}

static void open_container(struct json_out *j, char open, char close, enum json_out_layout layout)
{
    bool in_line = layout == JSON_OUT_INLINE || (j->depth && top(j)->in_line);

    begin_value(j);
    assert(j->depth < JSON_OUT_DEPTH);
    buf_addc(j->out, open);
    j->levels[j->depth++] = (struct json_out_level){.close = close, .in_line = in_line};
}

void json_out_init(struct json_out *j, struct buf *out)
{
    memset(j, 0, sizeof *j);
    j->out = out;
}

void json_out_object(struct json_out *j, enum json_out_layout layout)
{
    open_container(j, '{', '}', layout);
}

void json_out_array(struct json_out *j, enum json_out_layout layout)
{
    open_container(j, '[', ']', layout);
}

void json_out_end(struct json_out *j)
{
    struct json_out_level *l = top(j);

    assert(l && !j->after_key);
    j->depth--;
    if (l->filled && !l->in_line)
        break_line(j);
    buf_addc(j->out, l->close);
}

void json_out_key(struct json_out *j, const char *key)
{
    assert(j->depth && top(j)->close == '}' && !j->after_key);
    separate(j);
    json_out_add_quoted(j->out, span_of(key));
    buf_adds(j->out, top(j)->in_line ? ":" : ": ");
    j->after_key = true;
}

void json_out_span(struct json_out *j, struct span s)
{
    begin_value(j);
    json_out_add_quoted(j->out, s);
}

void json_out_text(struct json_out *j, const char *s)
{
    if (s)
        json_out_span(j, span_of(s));
    else
        json_out_null(j);
}

static const char *skip_digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* RFC 8259 section 6, without exponents: the project writes none. */
static bool is_decimal(struct span s)
{
    const char *p = s.p, *end, *digits;

    if (!s.n)
        return false;
    end = p + s.n;
    if (*p == '-')
        p++;
    digits = p;
    p = skip_digits(p, end);
    if (p == digits || (*digits == '0' && p - digits > 1))
        return false;
    if (p < end && *p == '.') {
        digits = p + 1;
        p = skip_digits(digits, end);
        if (p == digits)
            return false;
    }
    return p == end;
}

void json_out_decimal(struct json_out *j, struct span number)
{
    assert(is_decimal(number));
    begin_value(j);
    buf_add_span(j->out, number);
}

void json_out_int(struct json_out *j, int64_t n)
{
    begin_value(j);
    buf_addf(j->out, "%" PRId64, n);
}

void json_out_bool(struct json_out *j, bool value)
{
    begin_value(j);
    buf_adds(j->out, value ? "true" : "false");
}

void json_out_null(struct json_out *j)
{
    begin_value(j);
    buf_adds(j->out, "null");
}
