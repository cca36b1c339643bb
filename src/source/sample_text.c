/* sample_text: short decimal numbers by hand, which most samples are; the rest by the C library. */
#include "gputab/source/sample_text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/bytes.h"
#include "gputab/base/eight.h"

enum { SHORT = 14 };               /* bytes of what is read by hand: as a number without its point below 10^14 */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The word without its byte number `at`: those before it move up by one, and `first` comes first. */
static uint64_t take_out(uint64_t word, unsigned at, uint64_t first)
{
    uint64_t before = (UINT64_C(1) << (8 * at)) - 1, rest = ~(before << 8 | 0xff);

    return (word & rest) | (word & before) << 8 | first;
}

/* A short text as two words of eight, behind noughts. */
static void load_short(struct span s, uint64_t *high, uint64_t *low)
{
    if (s.n < 8) {
        *high = EIGHT_ALL('0');
        *low = eight_load_few(s.p, s.n) | EIGHT_ALL('0') >> (8 * s.n);
        return;
    }
    *high = EIGHT_ALL('0') >> (8 * (s.n - 8));
    if (s.n > 8)
        *high |= bytes_load8(s.p) << (8 * (16 - s.n));
    *low = bytes_load8(s.p + s.n - 8);
}

static bool is_point(uint64_t word, unsigned at)
{
    return (word >> (8 * at) & 0xff) == '.';
}

/* All of the text: digits, perhaps with a point behind some of them, and how many stand behind it. False: it is none of this, or not short.
 * The point is taken out of the two words. */
static bool read_short(struct span s, int64_t *n, unsigned *decimals)
{
    uint64_t high, low;
    unsigned point;

    *decimals = 0;
    if (s.n == 0 || s.n > SHORT || !is_digit(*s.p))
        return false;
    load_short(s, &high, &low);
    point = eight_digits(low);
    if (point == 8 && s.n <= 8) {  /* most values: no point, and nothing in the other word */
        *n = eight_number(low);
        return true;
    }
    if (point < 8) {
        if (!is_point(low, point))
            return false;
        low = take_out(low, point, high >> 56);
        high = high << 8 | '0';
        *decimals = 7 - point;
    } else if ((point = eight_digits(high)) < 8) {
        if (!is_point(high, point))
            return false;
        high = take_out(high, point, '0');
        *decimals = 15 - point;
    }
    *n = (int64_t)eight_number(high) * 100000000 + eight_number(low);
    return eight_digits(high) == 8 && eight_digits(low) == 8;
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

/* Any JSON number, digit by digit: a double would be off by one now and then. Finer parts are cut off. */
static bool read_long_time(struct span s, time_ms *out)
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

bool sample_text_time(struct span s, time_ms *out)
{
    static const int thousandths[] = { 1000, 100, 10, 1 };
    unsigned decimals;

    if (!read_short(s, out, &decimals) || decimals > 3)
        return read_long_time(s, out);
    *out *= thousandths[decimals];
    return true;
}

/* A double holds both the digits and the power of ten exactly: their quotient is rounded once, as strtod rounds. */
static bool read_small(struct span s, double *out)
{
    static const double tens[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13 };
    int64_t n;
    unsigned decimals;

    if (!read_short(s, &n, &decimals))
        return false;
    if (decimals > 0 && FLT_EVAL_METHOD != 0)
        return false;              /* it might be rounded twice there */
    *out = decimals > 0 ? (double)n / tens[decimals] : (double)n;
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
