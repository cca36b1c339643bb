/* md_text: a backslash before every character that could begin markup where it stands. An underscore between letters means nothing, nor
 * does a hyphen inside a line; "://" and "www." would be links by themselves. */
#include "gputab/render/md_text.h"

#include <stdbool.h>
#include <string.h>

#include "gputab/base/utf8.h"

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static bool is_www(const char *start, const char *p)
{
    return p - start >= 3 && p[-1] == 'w' && p[-2] == 'w' && p[-3] == 'w';
}

/* At the beginning of a line these make heads, lists, quotes and rules. */
static bool begins_block(const char *start, const char *p)
{
    const char *digit = start;

    if (p == start)
        return strchr("#+-=", *p) != NULL;
    while (*digit >= '0' && *digit <= '9')
        digit++;
    return p == digit && (*p == '.' || *p == ')');
}

static bool means_something(const char *start, const char *p)
{
    if (strchr("\\`*[]<>|~&$", *p))
        return true;
    if (*p == '_')
        return !(p > start && in_word(p[-1]) && in_word(p[1]));
    if (*p == ':')
        return p[1] == '/' && p[2] == '/';
    if (*p == '.' && is_www(start, p))
        return true;
    return begins_block(start, p);
}

void md_text(struct buf *b, const char *text)
{
    struct buf clean = {0};

    utf8_add_printable(&clean, span_of(text));
    for (const char *start = buf_str(&clean), *p = start; *p; p++) {
        if (means_something(start, p))
            buf_addc(b, '\\');
        buf_addc(b, *p);
    }
    buf_free(&clean);
}
