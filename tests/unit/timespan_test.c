#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gputab/value/timespan.h"

/* Seconds since 1970 by date(1). */
static const struct { const char *text; int64_t seconds; int ms; } times[] = {
    { "1970-01-01", 0, 0 },
    { "2022-07-01", 1656633600, 0 },
    { "2022-07-01 00:00:00.000", 1656633600, 0 },
    { "2022-07-01T00:00:00.5Z", 1656633600, 500 },
    { "2022-07-01T00:00:00.1239999999Z", 1656633600, 123 },
    { "2023-11-13T10:00Z", 1699869600, 0 },
    { "2023-11-13T10:00", 1699869600, 0 },
    { "2023-11-13t10:00:00z", 1699869600, 0 },
    { " 2023-11-13T10:00:00Z ", 1699869600, 0 },
    { "2020-11-09 23:00:00+00:00", 1604962800, 0 },
    { "2020-11-09 23:00:00 UTC", 1604962800, 0 },
    { "2020-11-09 23:00:00.000000 UTC", 1604962800, 0 },
    { "2020-11-10T01:00:00+02:00", 1604962800, 0 },
    { "2020-11-09T17:30:00-0530", 1604962800, 0 },
    { "2020-11-10 00:00:00 +01", 1604962800, 0 },
    { "2024-02-29T01:02:03-02:30", 1709177523, 0 },
    { "2000-02-29", 951782400, 0 },
    { "9999-12-31T23:59:59.999Z", 253402300799, 999 },
};

START_TEST(instants_are_read_in_every_shape_that_bills_use)
{
    time_ms t = -1;

    ck_assert_msg(time_parse(span_of(times[_i].text), &t) == 0, "'%s'", times[_i].text);
    ck_assert_int_eq(t, times[_i].seconds * 1000 + times[_i].ms);
}
END_TEST

static const char *const no_times[] = {
    "", "2026", "2026-10", "2026-10-5", "26-10-05", "2026/10/05", "2026-13-01", "2026-00-01", "2026-10-00", "2026-10-32", "2026-02-30",
    "2026-02-29", "2100-02-29", "2026-04-31", "1969-12-31", "0000-01-01", "2026-10-05T", "2026-10-05T10", "2026-10-05T10:", "2026-10-05T30:00:00",
    "2026-10-05T24:00:00", "2026-10-05T10:60:00", "2026-10-05T10:00:60", "2026-10-05T10:00:00.", "2026-10-05T10:00:00.Z",
    "2026-10-05T10:00:00X", "2026-10-05T10:00:00+", "2026-10-05T10:00:00+1", "2026-10-05T10:00:00+24:00", "2026-10-05T10:00:00+01:60",
    "2026-10-05T10:00:00+01:00Z", "2026-10-05T10:00:00 CET", "2026-10-05Z", "2026-10-05T10:00:00Zjunk", "-2026-10-05", "2026-10-05  10:00",
    "10/05/2026", "1791194400",
};

START_TEST(what_is_no_instant_is_refused)
{
    time_ms t = 42;

    ck_assert_msg(time_parse(span_of(no_times[_i]), &t) == -1, "'%s'", no_times[_i]);
    ck_assert_int_eq(t, 42);
}
END_TEST

/* Every day of 8030 years, against the C library's calendar. */
START_TEST(the_calendar_is_that_of_the_c_library)
{
    struct buf b = { 0 };

    for (int64_t day = 0; day < 2932897; day++) {
        time_t seconds = (time_t)(day * 86400);
        struct tm tm;
        char expected[16];
        time_ms back;

        if (day > 60000 && day % 17)                   /* each of the first 160 years, then a sieve */
            continue;
        gmtime_r(&seconds, &tm);
        strftime(expected, sizeof expected, "%Y-%m-%d", &tm);
        buf_clear(&b);
        time_add_date(&b, day * TIME_DAY + 86399999);
        ck_assert_str_eq(buf_str(&b), expected);
        ck_assert_int_eq(time_parse(span_of(expected), &back), 0);
        ck_assert_int_eq(back, day * TIME_DAY);
    }
    buf_free(&b);
}
END_TEST

static void assert_time(time_ms t, const char *expected)
{
    struct buf b = { 0 };

    time_add_text(&b, t);
    ck_assert_str_eq(buf_str(&b), expected);
    buf_free(&b);
}

START_TEST(instants_are_written_with_milliseconds_only_when_needed)
{
    assert_time(1791194400000, "2026-10-05T10:00:00Z");
    assert_time(1791194400250, "2026-10-05T10:00:00.250Z");
    assert_time(1791194400007, "2026-10-05T10:00:00.007Z");
    assert_time(0, "1970-01-01T00:00:00Z");
    assert_time(-1, "1969-12-31T23:59:59.999Z");
    assert_time(-86400000, "1969-12-31T00:00:00Z");
    assert_time(-11644473600000, "1601-01-01T00:00:00Z");
    assert_time(-62135596800000, "0001-01-01T00:00:00Z");
    assert_time(-62198755200000, "-001-01-01T00:00:00Z");
    assert_time(253402300799000, "9999-12-31T23:59:59Z");
    assert_time(253402300800000, "10000-01-01T00:00:00Z");
}
END_TEST

START_TEST(the_ends_of_time_can_be_written)
{
    struct buf b = { 0 };

    time_add_text(&b, TIME_MIN);
    time_add_text(&b, TIME_MAX);
    ck_assert_uint_gt(b.n, 0);
    buf_free(&b);
}
END_TEST

START_TEST(a_month_is_its_half_open_interval)
{
    struct timespan m = { 0, 0 };

    ck_assert_int_eq(timespan_parse_month(span_of("2026-10"), &m), 0);
    ck_assert_int_eq(m.from, 1790812800000);
    ck_assert_int_eq(m.to, 1793491200000);
    ck_assert_int_eq(timespan_parse_month(span_of("2024-02"), &m), 0);
    ck_assert_int_eq(timespan_ms(m), 29 * TIME_DAY);
    ck_assert_int_eq(timespan_parse_month(span_of("2026-12"), &m), 0);
    ck_assert_int_eq(timespan_ms(m), 31 * TIME_DAY);
    ck_assert_int_eq(timespan_parse_month(span_of("2026-13"), &m), -1);
    ck_assert_int_eq(timespan_parse_month(span_of("2026-1"), &m), -1);
    ck_assert_int_eq(timespan_parse_month(span_of("2026-10-05"), &m), -1);
    ck_assert_int_eq(timespan_parse_month(span_of(""), &m), -1);
}
END_TEST

START_TEST(months_follow_the_clock)
{
    time_ms now, january = 1767225600000;              /* 2026-01-01 */
    struct timespan m;

    ck_assert_int_eq(time_parse(span_of("2026-01-31T23:59:59.999Z"), &now), 0);
    m = timespan_this_month(now);
    ck_assert_int_eq(m.from, january);
    ck_assert_int_eq(m.to, january + 31 * TIME_DAY);
    m = timespan_last_month(now);
    ck_assert_int_eq(m.from, january - 31 * TIME_DAY);
    ck_assert_int_eq(m.to, january);
    m = timespan_this_month(now + 1);
    ck_assert_int_eq(m.from, january + 31 * TIME_DAY);
    m = timespan_last_month(january);
    ck_assert_int_eq(m.to, january);
}
END_TEST

static const struct { const char *text; int64_t ms; const char *written; } durations[] = {
    { "5m", 300000, "5m" }, { "30s", 30000, "30s" }, { "1h", 3600000, "1h" }, { "90", 90000, "1m30s" }, { "1h30m", 5400000, "1h30m" },
    { "250ms", 250, "250ms" }, { "2d", 172800000, "48h" }, { "0", 0, "0s" }, { "0s", 0, "0s" }, { " 10m ", 600000, "10m" },
    { "1d2h3m4s5ms", 93784005, "26h3m4s5ms" }, { "90m", 5400000, "1h30m" }, { "1h1ms", 3600001, "1h1ms" },
};

START_TEST(durations_are_read_and_written)
{
    struct buf b = { 0 };
    int64_t ms = -1;

    ck_assert_int_eq(duration_parse(span_of(durations[_i].text), &ms), 0);
    ck_assert_int_eq(ms, durations[_i].ms);
    duration_add_text(&b, ms);
    ck_assert_str_eq(buf_str(&b), durations[_i].written);
    buf_free(&b);
}
END_TEST

static const char *const no_durations[] = {
    "", " ", "m", "-5m", "+5m", "1.5h", "5 m", "30m1h", "1h1h", "1h30", "5min", "5M", "1w", "1y", "99999999999999999999s", "36601d", "9223372036854775807",
    "5m,", "1h 30m",
};

START_TEST(what_is_no_duration_is_refused)
{
    int64_t ms = 42;

    ck_assert_msg(duration_parse(span_of(no_durations[_i]), &ms) == -1, "'%s'", no_durations[_i]);
    ck_assert_int_eq(ms, 42);
}
END_TEST

START_TEST(negative_durations_are_written_with_a_sign)
{
    struct buf b = { 0 };

    duration_add_text(&b, -5400000);
    ck_assert_str_eq(buf_str(&b), "-1h30m");
    buf_free(&b);
}
END_TEST

START_TEST(floors_go_towards_minus_infinity)
{
    ck_assert_int_eq(time_floor(1791194400250, TIME_DAY), 1791158400000);
    ck_assert_int_eq(time_floor(7, 5), 5);
    ck_assert_int_eq(time_floor(5, 5), 5);
    ck_assert_int_eq(time_floor(-1, 5), -5);
    ck_assert_int_eq(time_floor(-5, 5), -5);
    ck_assert_int_eq(time_floor(TIME_MIN, TIME_DAY), TIME_MIN);
}
END_TEST

START_TEST(intervals_are_cut_and_measured)
{
    struct timespan a = { 10, 20 }, b = { 15, 30 }, c = { 20, 25 };
    struct timespan all = { TIME_MIN, TIME_MAX };

    ck_assert_int_eq(timespan_cut(a, b).from, 15);
    ck_assert_int_eq(timespan_cut(a, b).to, 20);
    ck_assert_int_eq(timespan_ms(timespan_cut(a, b)), 5);
    ck_assert_int_eq(timespan_ms(timespan_cut(a, c)), 0);
    ck_assert_int_eq(timespan_ms((struct timespan){ 20, 10 }), 0);
    ck_assert_int_eq(timespan_ms(timespan_cut(all, a)), 10);
    ck_assert_int_eq(timespan_ms(all), INT64_MAX);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("timespan");
    TCase *t = tcase_create("timespan");

    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, instants_are_read_in_every_shape_that_bills_use, 0, (int)(sizeof times / sizeof *times));
    tcase_add_loop_test(t, what_is_no_instant_is_refused, 0, (int)(sizeof no_times / sizeof *no_times));
    tcase_add_test(t, the_calendar_is_that_of_the_c_library);
    tcase_add_test(t, instants_are_written_with_milliseconds_only_when_needed);
    tcase_add_test(t, the_ends_of_time_can_be_written);
    tcase_add_test(t, a_month_is_its_half_open_interval);
    tcase_add_test(t, months_follow_the_clock);
    tcase_add_loop_test(t, durations_are_read_and_written, 0, (int)(sizeof durations / sizeof *durations));
    tcase_add_loop_test(t, what_is_no_duration_is_refused, 0, (int)(sizeof no_durations / sizeof *no_durations));
    tcase_add_test(t, negative_durations_are_written_with_a_sign);
    tcase_add_test(t, floors_go_towards_minus_infinity);
    tcase_add_test(t, intervals_are_cut_and_measured);
    suite_add_tcase(s, t);
    return unit_run(s);
}
