/* python_repr: quotes, escapes and three words of Python in JSON's spelling; brackets and numbers are spelled alike.
 *
 * Python writes a string in single quotes unless that would need more escapes than double ones. Objects of other classes (Decimal('1'),
 * dates, arrays) are not taken apart. */
#include "gputab/codec/python_repr.h"

#include <stddef.h>
#include <string.h>

static const char *const words[][2] = {{"None", "null"}, {"True", "true"}, {"False", "false"}};

static struct span behind(struct span s, size_t n)
{
    return (struct span){s.p + n, s.n - n};
}

bool python_repr_looks(struct span text)
{
    size_t i = 0;

    while (i < text.n && text.p[i] != '\'' && text.p[i] != '"')
        i++;
    return i < text.n && text.p[i] == '\'';
}

/* s begins with a backslash and has a character behind it; returns how many bytes were taken. */
static size_t add_escape(struct buf *b, struct span s)
{
    switch (s.p[1]) {
    case '\'':                                               /* needs no escape in JSON */
        buf_addc(b, '\'');
        return 2;
    case 'x':
        buf_adds(b, "\\u00");
        return 2;
    default:
        buf_add(b, s.p, 2);
        return 2;
    }
}

/* s begins with a quote; returns how many bytes the string has, its quotes included. */
static size_t add_string(struct buf *b, struct span s)
{
    char quote = s.p[0];
    size_t i = 1;

    buf_addc(b, '"');
    while (i < s.n && s.p[i] != quote) {
        if (s.p[i] == '\\' && i + 1 < s.n) {
            i += add_escape(b, behind(s, i));
            continue;
        }
        if (s.p[i] == '"')
            buf_addc(b, '\\');
        buf_addc(b, s.p[i++]);
    }
    if (i == s.n)                                            /* never closed: nor is it in JSON */
        return i;
    buf_addc(b, '"');
    return i + 1;
}

static size_t add_word(struct buf *b, struct span s)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_starts(s, words[i][0])) {
            buf_adds(b, words[i][1]);
            return strlen(words[i][0]);
        }
    buf_addc(b, s.p[0]);
    return 1;
}

void python_repr_add_json(struct buf *b, struct span text)
{
    while (text.n) {
        bool is_quote = text.p[0] == '\'' || text.p[0] == '"';

        text = behind(text, is_quote ? add_string(b, text) : add_word(b, text));
    }
}
