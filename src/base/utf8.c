/* utf8: decoding, counting and measuring of UTF-8 text that may be broken.
 *
 * Bytes that are no character stand for U+FFFD one by one, so that every input has a length and a width and nothing is refused
 * here. Widths are those of glibc's wcwidth in the locale C.UTF-8, taken for the length of one call only in the calling
 * thread: the process' own locale neither matters nor changes. */
#include "gputab/base/utf8.h"

#include <locale.h>
#include <wchar.h>

enum { REPLACEMENT = 0xfffd };

/* Length that the first byte promises, with its payload bits and the smallest code point of that length. */
static int lead(unsigned char c, uint32_t *bits, uint32_t *least)
{
    static const struct { unsigned char mask, value; uint32_t least; } shapes[] = {
        { 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 },
    };

    for (int i = 0; i < 4; i++) {
        if ((c & shapes[i].mask) != shapes[i].value)
            continue;
        *bits = c & (unsigned char)~shapes[i].mask;
        *least = shapes[i].least;
        return i + 1;
    }
    return 0;
}

uint32_t utf8_next(const char **p, const char *end)
{
    const char *s = *p;
    uint32_t c, least;
    int n = lead((unsigned char)*s, &c, &least);

    *p = s + 1;
    if (n == 1)
        return c;
    if (n == 0 || end - s < n)
        return REPLACEMENT;
    for (int i = 1; i < n; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return REPLACEMENT;
        c = c << 6 | ((unsigned char)s[i] & 0x3f);
    }
    if (c < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return REPLACEMENT;
    *p = s + n;
    return c;
}

size_t utf8_length(struct span s)
{
    const char *p = s.p, *end = s.n ? s.p + s.n : s.p;
    size_t n = 0;

    for (; p != end; n++)
        utf8_next(&p, end);
    return n;
}

size_t utf8_whole(const char *s, size_t n)
{
    size_t i = n;
    uint32_t bits, least;

    while (i > 0 && n - i < 3 && ((unsigned char)s[i - 1] & 0xc0) == 0x80)
        i--;
    if (i > 0 && lead((unsigned char)s[i - 1], &bits, &least) > (int)(n - i + 1))
        return i - 1;
    return n;
}

/* Opening the locale costs several microseconds; below the first combining mark (U+0300) every character takes one column, the
 * unprintable ones by agreement. True when that settles the text. */
static bool is_narrow(struct span s)
{
    unsigned char highest = 0;

    for (size_t i = 0; i < s.n; i++)
        highest = highest > (unsigned char)s.p[i] ? highest : (unsigned char)s.p[i];
    return highest < 0xcc;                             /* the first byte of U+0300 */
}

size_t utf8_width(struct span s)
{
    const char *p = s.p, *end = s.n ? s.p + s.n : s.p;
    size_t width = 0;
    locale_t utf8, before;

    if (is_narrow(s))
        return utf8_length(s);
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!utf8)
        return utf8_length(s);                         /* no such locale on this system: a column each */
    before = uselocale(utf8);
    while (p != end) {
        int w = wcwidth((wchar_t)utf8_next(&p, end));

        width += w < 0 ? 1 : (size_t)w;
    }
    uselocale(before);
    freelocale(utf8);
    return width;
}

/* Control characters, ends of lines, and what turns the direction of the text behind it: a name must not reorder the line it stands in. */
static bool is_order(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

void utf8_add_printable(struct buf *b, struct span s)
{
    const char *p = s.p, *end = s.n ? s.p + s.n : s.p;

    while (p != end) {
        const char *from = p;
        uint32_t c = utf8_next(&p, end);

        if (is_order(c) || c == REPLACEMENT)
            buf_adds(b, "\xef\xbf\xbd");
        else
            buf_add(b, from, (size_t)(p - from));
    }
}
