/* span: comparing, trimming and matching of borrowed bytes.
 *
 * Case is folded for ASCII letters only: the names that are compared without case (columns, Azure ids, models) are ASCII, and
 * folding beyond it would depend on a locale. Nothing here allocates. */
#include "gputab/base/span.h"

#include <string.h>

#include "gputab/base/utf8.h"

static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static bool is_white(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct span span_of(const char *s)
{
    return (struct span){ s, s ? strlen(s) : 0 };
}

/* Most comparisons end at the first byte. */
bool span_eq(struct span a, const char *s)
{
    for (size_t i = 0; i < a.n; i++)
        if (a.p[i] != s[i] || s[i] == '\0')
            return false;
    return s[a.n] == '\0';
}

static bool same_fold(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fold(a[i]) != fold(b[i]))
            return false;
    return true;
}

bool span_eq_fold(struct span a, const char *s)
{
    for (size_t i = 0; i < a.n; i++)
        if (fold(a.p[i]) != fold(s[i]) || s[i] == '\0')
            return false;
    return s[a.n] == '\0';
}

int span_cmp(struct span a, struct span b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.p, b.p, n) : 0;

    return c ? c : (a.n > b.n) - (a.n < b.n);
}

bool span_starts(struct span a, const char *prefix)
{
    for (size_t i = 0; prefix[i] != '\0'; i++)
        if (i == a.n || a.p[i] != prefix[i])
            return false;
    return true;
}

bool span_ends(struct span a, const char *suffix)
{
    size_t n = strlen(suffix);

    return n == 0 || (a.n >= n && memcmp(a.p + a.n - n, suffix, n) == 0);
}

bool span_has_fold(struct span a, const char *needle)
{
    size_t n = strlen(needle);
    unsigned char first = (unsigned char)needle[0];

    for (size_t i = 0; n <= a.n && i <= a.n - n; i++)
        if (n == 0 || (fold(a.p[i]) == first && same_fold(a.p + i, needle, n)))
            return true;
    return n == 0;
}

struct span span_trim(struct span a)
{
    while (a.n && is_white(a.p[a.n - 1]))
        a.n--;
    while (a.n && is_white(a.p[0])) {
        a.p++;
        a.n--;
    }
    return a;
}

struct span span_after_last(struct span a, char c)
{
    for (size_t i = a.n; i-- > 0;)
        if (a.p[i] == c)
            return (struct span){ a.p + i + 1, a.n - i - 1 };
    return a;
}

bool span_is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool span_has_words(struct span a, const char *phrase)
{
    size_t n = strlen(phrase);

    for (size_t i = 0; i + n <= a.n; i++)
        if ((i == 0 || !span_is_word_char(a.p[i - 1])) && (i + n == a.n || !span_is_word_char(a.p[i + n])) &&
            span_eq_fold((struct span){a.p + i, n}, phrase))
            return true;
    return false;
}

/* After a mismatch only the last star can help: what an earlier one would take more, the last one can take as well. */
bool span_glob(struct span text, const char *pattern)
{
    const char *t = text.p, *end = text.n ? text.p + text.n : text.p;
    const char *star = NULL, *star_text = NULL;

    while (t != end) {
        if (*pattern == '*') {
            star = ++pattern;
            star_text = t;
        } else if (*pattern == '?') {
            pattern++;
            utf8_next(&t, end);
        } else if (*pattern != '\0' && *pattern == *t) {
            pattern++;
            t++;
        } else if (star) {
            utf8_next(&star_text, end);
            t = star_text;
            pattern = star;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}
