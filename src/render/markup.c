/* markup: escaping, once for all places. An attribute is always quoted, so that one set of escapes serves text and attributes; nothing from
 * data ever goes into a script, a style, a URL or the name of anything. What tricks the eye instead of the browser, such as characters
 * that turn "exe.gpj" around, is shown as what it is: a character that does not belong there. */
#include "gputab/render/markup.h"

#include "gputab/base/utf8.h"

/* Code points that HTML does not allow, or that change how the characters around them are shown. */
static const struct { uint32_t first, last; } unwanted[] = {
    {0x00, 0x1f}, {0x7f, 0x9f},
    {0x2028, 0x202e},              /* ends of lines and paragraphs; embeddings and overrides of direction */
    {0x2066, 0x2069},              /* isolates of direction */
    {0xfdd0, 0xfdef}, {0xfff9, 0xfffd}, {0xe0000, 0xe007f},
};

static bool is_unwanted(uint32_t c)
{
    if ((c & 0xfffe) == 0xfffe)                              /* the last two of every plane */
        return true;
    for (size_t i = 0; i < sizeof unwanted / sizeof unwanted[0]; i++)
        if (c >= unwanted[i].first && c <= unwanted[i].last)
            return true;
    return false;
}

static const char *escape_of(uint32_t c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '`': return "&#96;";
    default: return NULL;
    }
}

/* What stands for a character that may not be shown as it is; NULL: itself. */
static const char *instead_of(uint32_t c)
{
    if (c == '\t' || c == '\n' || c == '\r')
        return " ";
    return is_unwanted(c) ? "\xef\xbf\xbd" : NULL;
}

static void add(struct buf *b, struct span text, const char *(*replace)(uint32_t c))
{
    const char *p = text.p, *end = text.n ? text.p + text.n : text.p;

    while (p != end) {
        const char *from = p, *other = replace(utf8_next(&p, end));

        if (other)
            buf_adds(b, other);
        else
            buf_add(b, from, (size_t)(p - from));
    }
}

void markup_span(struct buf *b, struct span text)
{
    struct buf clean = {0};

    add(&clean, text, instead_of);
    add(b, buf_span(&clean), escape_of);
    buf_free(&clean);
}

void markup_text(struct buf *b, const char *text)
{
    markup_span(b, span_of(text));
}

void markup_attr(struct buf *b, const char *name, const char *value)
{
    buf_addf(b, " %s=\"", name);
    markup_text(b, value);
    buf_addc(b, '"');
}

void markup_name(struct buf *b, const char *name)
{
    buf_adds(b, "<bdi>");
    markup_text(b, name);
    buf_adds(b, "</bdi>");
}

/* The longest beginning of the text that takes at most `width` columns; or, from its end, the longest end. */
static size_t head_of(struct span s, size_t width)
{
    size_t n = s.n < 4 * width ? s.n : 4 * width;            /* a column is at most four bytes, or more for marks: those are cut */

    for (n = utf8_whole(s.p, n); n > 0 && utf8_width((struct span){s.p, n}) > width;)
        n = utf8_whole(s.p, n - 1);
    return n;
}

static size_t tail_of(struct span s, size_t width)
{
    size_t from = s.n > 4 * width ? s.n - 4 * width : 0;

    while (from < s.n && (((unsigned char)s.p[from] & 0xc0) == 0x80 || utf8_width((struct span){s.p + from, s.n - from}) > width))
        from++;
    return from;
}

/* Widths are those of what is shown: characters are replaced before anything is cut, and escaped behind. */
void markup_add_cut(struct buf *b, const char *text, size_t width)
{
    struct buf clean = {0};
    struct span s;

    add(&clean, span_of(text), instead_of);
    s = buf_span(&clean);
    if (s.n <= width || (s.n <= 8 * width && utf8_width(s) <= width)) {
        add(b, s, escape_of);
    } else {
        size_t from = tail_of(s, width - width / 2 - 1);

        add(b, (struct span){s.p, head_of(s, width / 2)}, escape_of);
        buf_adds(b, "\xe2\x80\xa6");
        add(b, (struct span){s.p + from, s.n - from}, escape_of);
    }
    buf_free(&clean);
}
