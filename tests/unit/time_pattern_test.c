/* time_pattern: what patterns say, by what `date -u -d` gives for the same times: 1791187200 is 2026-10-05T08:00:00Z. */
#include <stdio.h>
#include <string.h>

#include "gputab/value/time_pattern.h"
#include "unit.h"

#define AT_8 INT64_C(1791187200000)
#define MIDNIGHT (AT_8 - 8 * TIME_HOUR)
#define NO_TIME INT64_C(-1)

static const struct {
    const char *pattern, *text;
    time_ms want;
} cases[] = {
    {"DD.MM.YYYY hh:mm", "05.10.2026 08:00", AT_8},
    {"DD.MM.YYYY hh:mm", "5.10.2026 8:00", AT_8},
    {"MM/DD/YY", "10/5/26", MIDNIGHT},
    {"MM/DD/YY", "13/5/26", NO_TIME},
    {"MM/DD/YY", "10/5/2026", NO_TIME},
    {"DD MON YYYY, hh:mm:ssAMPM", "5 oct 2026, 8:00:30AM", AT_8 + 30 * TIME_SECOND},
    {"DD-MON-YY hh AMPM", "05-OCT-26 12 AM", MIDNIGHT},
    {"DD-MON-YY hh AMPM", "05-OCT-26 12 pm", MIDNIGHT + 12 * TIME_HOUR},
    {"DD-MON-YY hh AMPM", "05-OCT-26 13 pm", NO_TIME},
    {"DD-MON-YY", "05-Okt-26", NO_TIME},
    {"YYYY/MM/DD", "2026/02/29", NO_TIME},
    {"YYYYMMDDhh", "2026100508", AT_8},
    {"YYYY-MM-DD", " 2026-10-05 ", MIDNIGHT},
    {"YYYY-MM-DD", "2026-10-05 08:00", NO_TIME},
    {"YYYY-MM-DD hh:mm", "2026-10-05 24:00", NO_TIME},
    {"YYYY-MM-DD", "", NO_TIME},
};

START_TEST(a_text_is_read_by_its_pattern)
{
    time_ms t = 0;
    int rc = time_pattern_parse(cases[_i].pattern, span_of(cases[_i].text), &t);

    ck_assert_ptr_eq(time_pattern_fault(cases[_i].pattern), NULL);
    ck_assert_int_eq(rc, cases[_i].want == NO_TIME ? -1 : 0);
    if (rc == 0)
        ck_assert_int_eq(t, cases[_i].want);
}
END_TEST

static const struct {
    const char *pattern, *fault;
} faults[] = {
    {"DD.MM.", "needs YYYY or YY"}, {"DD.YYYY", "needs MM or MON"}, {"MM.YYYY", "needs DD"}, {"DD.MM.YYYY DD", "has a part twice"},
    {"DD.MM.YYYY mm", "has a part of a time without the larger one"}, {"", "needs YYYY or YY"}, {"YYYY YY MM DD", "needs YYYY or YY"},
};

START_TEST(a_pattern_that_tells_no_day_is_at_fault)
{
    ck_assert_str_eq(time_pattern_fault(faults[_i].pattern), faults[_i].fault);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("time_pattern");
    TCase *c = tcase_create("time_pattern");

    tcase_add_loop_test(c, a_text_is_read_by_its_pattern, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(c, a_pattern_that_tells_no_day_is_at_fault, 0, sizeof faults / sizeof *faults);
    suite_add_tcase(s, c);
    return unit_run(s);
}
