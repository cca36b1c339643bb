/* sample_text: whole numbers by hand, which most samples are; the rest by the C library. */
#include "gputab/source/sample_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Milliseconds below 10^17, some three million years; false: beyond. */
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
bool sample_text_time(struct span s, time_ms *out)
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
bool sample_text_value(locale_t c_locale, struct span s, double *out)
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
    /* Behind the text stands a quote, a NUL, or what ends a number of JSON. What else goes on with it is no JSON, and refused as that. */
    *out = strtod_l(s.p, &end, c_locale);
    return end >= s.p + s.n;
}
