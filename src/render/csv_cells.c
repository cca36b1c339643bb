/* csv_cells: quoting, and the two kinds of harm that are kept from readers: text that a spreadsheet would run as a formula gets a leading
 * ' (never a number), and bytes that are no UTF-8 become U+FFFD. Numbers are never quoted: the command line refuses a decimal mark that
 * parts cells. */
#include "gputab/render/csv_cells.h"

#include <string.h>

#include "gputab/base/utf8.h"

const struct csv_style csv_style_plain = {.delimiter = ',', .decimal = '.', .raw = true};

struct csv_style csv_style_of(const struct render_cfg *cfg)
{
    return (struct csv_style){.delimiter = cfg->csv_delimiter ? cfg->csv_delimiter : ',',
                              .decimal = cfg->csv_decimal ? cfg->csv_decimal : '.', .bom = cfg->csv_bom, .raw = cfg->csv_raw};
}

void csv_begin(struct buf *b, const struct csv_style *s)
{
    if (s->bom)
        buf_adds(b, "\xef\xbb\xbf");
}

/* As it is, but valid UTF-8. */
static void add_valid(struct buf *b, struct span s)
{
    const char *p = s.p, *end = s.n ? s.p + s.n : s.p, *good = p;

    while (p != end) {
        const char *from = p;

        if (utf8_next(&p, end) != 0xfffd)
            continue;
        buf_add(b, good, (size_t)(from - good));
        buf_adds(b, "\xef\xbf\xbd");
        good = p;
    }
    buf_add(b, good, (size_t)(end - good));
}

static void add_quoted(struct buf *b, const char *text)
{
    buf_addc(b, '"');
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        add_valid(b, (struct span){text, (size_t)(quote - text)});
        buf_adds(b, "\"\"");
    }
    add_valid(b, span_of(text));
    buf_addc(b, '"');
}

/* Length of a text of which nothing needs quotes or a guard, as of nearly all names; else 0, or 0 to be on the safe side: what has a
 * meaning in CSV stands before '-' in ASCII, but for delimiters, and what begins a formula too, but for three. Bytes beyond ASCII are
 * less than 0. */
static size_t plain_length(const struct csv_style *s, const char *text)
{
    const char *p = text;

    if (*p == '=' || *p == '@' || *p == '-')
        return 0;
    while ((signed char)*p >= '-' && *p != s->delimiter)
        p++;
    return *p ? 0 : (size_t)(p - text);
}

void csv_text(struct buf *b, const struct csv_style *s, const char *text)
{
    size_t plain = plain_length(s, text);
    struct buf guarded = {0};

    if (plain) {
        buf_add(b, text, plain);
        return;
    }
    if (!s->raw && text[0] && strchr("=+-@\t\r", text[0]))
        buf_addc(&guarded, '\'');
    buf_adds(&guarded, text);
    if (strchr(buf_str(&guarded), s->delimiter) || strpbrk(text, "\"\r\n"))
        add_quoted(b, buf_str(&guarded));
    else
        add_valid(b, buf_span(&guarded));
    buf_free(&guarded);
}

void csv_money(struct buf *b, const struct csv_style *s, money number, int digits)
{
    size_t start = b->n;
    char *point;

    money_add_text(b, number, digits);
    if (s->decimal == '.')
        return;
    point = memchr(b->p + start, '.', b->n - start);
    if (point)
        *point = s->decimal;
}
