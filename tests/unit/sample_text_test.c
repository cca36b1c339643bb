/* sample_text_test: times and values, those read by hand against the C library and against whole numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gputab/base/steady.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/sample_text.h"
#include "unit.h"

static locale_t c_locale;

static void setup(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static void teardown(void)
{
    freelocale(c_locale);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* What is read of the text, with what may stand behind it in a block of its own: -1 where it is no number. */
static int64_t time_of(const char *text)
{
    size_t n = strlen(text);
    char *copy = xcalloc(1, n);
    time_ms t;
    bool ok;

    memcpy(copy, text, n);
    ok = sample_text_time((struct span){ copy, n }, &t);
    free(copy);
    return ok ? t : -1;
}

START_TEST(times_are_milliseconds)
{
    static const struct { const char *text; int64_t ms; } cases[] = {
        { "0", 0 }, { "0.001", 1 }, { "1.5", 1500 }, { "1.05", 1050 }, { "1791158430.520", 1791158430520 },
        { "1791158430.52", 1791158430520 },
        { "1791158430", 1791158430000 }, { "1791158430.5209", 1791158430520 }, { "0.0009", 0 },
        { "1.791158430521E9", 1791158430521 },
        { "-1.5", -1500 }, { "99999999999999", 99999999999999000 }, { "100000000000000", -1 }, { "999999999999.9", 999999999999900 },
        { "12345678", 12345678000 }, { "12345678.123", 12345678123 }, { "1234567.8901234", 1234567890 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(time_of(cases[i].text) == cases[i].ms, "%s: %lld", cases[i].text, (long long)time_of(cases[i].text));
}
END_TEST

/* A time is the same, written short or, by an exponent that changes nothing, so that it is read digit by digit. */
START_TEST(short_times_are_those_of_long_ones)
{
    uint64_t r = 88172645463325252u;

    for (int i = 0; i < 100000; i++) {
        char text[32], longer[40];
        uint64_t whole = next_random(&r) >> (20 + next_random(&r) % 44);
        int decimals = (int)(next_random(&r) % 5), n = snprintf(text, sizeof text, "%llu", (unsigned long long)(whole % 100000000000000u));

        if (decimals > 0)
            snprintf(text + n, sizeof text - (size_t)n, ".%0*u", decimals, (unsigned)(next_random(&r) % (decimals < 4 ? 10 : 10000)));
        snprintf(longer, sizeof longer, "%se0", text);
        ck_assert_msg(time_of(text) == time_of(longer) && time_of(text) >= 0, "%s", text);
    }
}
END_TEST

/* Whether both take it, and the bits of what they read. */
static void compare(const char *text, size_t n)
{
    char quoted[40], *end;
    double ours = 0, theirs;

    ck_assert_uint_lt(n + 1, sizeof quoted);
    memcpy(quoted, text, n);
    memcpy(quoted + n, "\"", 2);
    theirs = strtod(quoted, &end);
    ck_assert_msg(sample_text_value(c_locale, (struct span){ quoted, n }, &ours) == (n > 0 && end == quoted + n), "%s", quoted);
    ck_assert_msg(end != quoted + n || n == 0 || steady_bits(ours) == steady_bits(theirs), "%s: %.17g and %.17g", quoted, ours, theirs);
}

START_TEST(values_are_those_of_strtod)
{
    static const char *const texts[] = {
        "", "0", "-0", "0.1", "0.3", "5.", ".5", ".", "1.2.3", "1.7976931348623157e308", "4.9e-324",
        "9007199254740993", "0.30000000000000004",
        "0.000000000001", "99999999999999", "999999999999.9", "123456789.12345", "12345678.90123", "1e5", "-12.25", "+7", "00012", "00.5",
        "1-2", "1e", "--1", "0.7", "1.005", "2.675", "1234567.8901234",
    };
    uint64_t r = 362436069362436069u;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        compare(texts[i], strlen(texts[i]));
    for (int i = 0; i < 300000; i++) {
        char text[32];
        size_t n = 1 + next_random(&r) % 18, point = next_random(&r) % 24;

        for (size_t k = 0; k < n; k++)
            text[k] = k == point ? '.' : (char)('0' + next_random(&r) % 10);
        if (next_random(&r) % 8 == 0)
            text[next_random(&r) % n] = ".-+e"[next_random(&r) % 4];
        compare(text, n);
    }
}
END_TEST

START_TEST(words_are_values_and_other_texts_are_none)
{
    static const struct { const char *text; bool ok; } cases[] = {
        { "NaN", true }, { "+Inf", true }, { "-Inf", true }, { "Inf", true }, { "nan", false }, { "inf", false }, { "0x10", false },
        { "1 ", false }, { " 1", false }, { "1,5", false }, { "Infinity", false }, { "1/2", false }, { "1:2", false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char quoted[20];
        double v;
        size_t n = (size_t)snprintf(quoted, sizeof quoted, "%s\"", cases[i].text) - 1;

        ck_assert_msg(sample_text_value(c_locale, (struct span){ quoted, n }, &v) == cases[i].ok, "%s", cases[i].text);
        if (cases[i].ok)
            ck_assert(i == 0 ? isnan(v) : isinf(v) && (v < 0) == (i == 2));
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sample_text");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, times_are_milliseconds);
    tcase_add_test(t, short_times_are_those_of_long_ones);
    tcase_add_test(t, values_are_those_of_strtod);
    tcase_add_test(t, words_are_values_and_other_texts_are_none);
    suite_add_tcase(s, t);
    return unit_run(s);
}
