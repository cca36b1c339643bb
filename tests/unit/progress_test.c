/* progress_test: the line of progress, part by part and width by width, and the time left. Widths are counted by hand: all parts take
 * 7 + 10 + 5 + 11 + 15 + 10 columns and five gaps of 2, which is 68, three columns stay free, and the bar gets the rest, up to 42. */
#include "unit.h"

#include <string.h>

#include "gputab/cli/progress.h"

/* 43 % after 9 s: 27.9 M samples are 3.1 M/s, and 57/43 of 9 s are 11.93 s. */
static const struct metrics_progress at_43 = {.done_ms = 43000, .total_ms = 100000, .windows = 12, .samples = 27900000, .elapsed_ms = 9000};
enum { LEFT_AT_43 = 11930 };

static struct ink k;
static struct sink out;

static void setup(void)
{
    out = (struct sink){.take = NULL};
    k = (struct ink){.out = &out};
}

static void teardown(void)
{
    sink_free(&out);
}

static const char *line(size_t width, const struct metrics_progress *m, int64_t left_ms)
{
    buf_clear(&out.text);
    k.column = 0;
    k.width = width;
    progress_add(&k, m, left_ms);
    return buf_str(&out.text);
}

static void shows(const char *part, struct metrics_progress m, int64_t left_ms)
{
    const char *all = line(160, &m, left_ms);

    ck_assert_msg(strstr(all, part) != NULL, "\"%s\" is not in \"%s\"", part, all);
}

START_TEST(all_parts_are_shown_where_they_fit)
{
    /* 80 - 3 - 68 = 9 more columns, 17 cells, 43 % of them 7.3 */
    ck_assert_str_eq(line(80, &at_43, LEFT_AT_43), "metrics  [#######..........]   43 %   12 windows  3.1 M samples/s   0:12 left");
    /* 39 columns, 37 cells, 15.9 */
    ck_assert_str_eq(line(100, &at_43, LEFT_AT_43),
                     "metrics  [###############......................]   43 %   12 windows  3.1 M samples/s   0:12 left");
    /* 42 at most, 40 cells, 17.2 */
    ck_assert_str_eq(line(160, &at_43, LEFT_AT_43),
                     "metrics  [#################.......................]   43 %   12 windows  3.1 M samples/s   0:12 left");
    ck_assert_str_eq(line(71, &at_43, LEFT_AT_43), "metrics  [###.....]   43 %   12 windows  3.1 M samples/s   0:12 left");
}
END_TEST

START_TEST(narrow_lines_have_fewer_parts)
{
    /* without windows 55 columns; without the rate 38; without the bar 26; without the time 14; the title alone 7 */
    ck_assert_str_eq(line(70, &at_43, LEFT_AT_43), "metrics  [########............]   43 %  3.1 M samples/s   0:12 left");
    ck_assert_str_eq(line(60, &at_43, LEFT_AT_43), "metrics  [####......]   43 %  3.1 M samples/s   0:12 left");
    ck_assert_str_eq(line(58, &at_43, LEFT_AT_43), "metrics  [###.....]   43 %  3.1 M samples/s   0:12 left");
    ck_assert_str_eq(line(57, &at_43, LEFT_AT_43), "metrics  [##########..............]   43 %   0:12 left");
    ck_assert_str_eq(line(41, &at_43, LEFT_AT_43), "metrics  [###.....]   43 %   0:12 left");
    ck_assert_str_eq(line(40, &at_43, LEFT_AT_43), "metrics   43 %   0:12 left");
    ck_assert_str_eq(line(29, &at_43, LEFT_AT_43), "metrics   43 %   0:12 left");
    ck_assert_str_eq(line(28, &at_43, LEFT_AT_43), "metrics   43 %");
    ck_assert_str_eq(line(17, &at_43, LEFT_AT_43), "metrics   43 %");
    ck_assert_str_eq(line(16, &at_43, LEFT_AT_43), "metrics");
    ck_assert_str_eq(line(10, &at_43, LEFT_AT_43), "metrics");
    ck_assert_str_eq(line(9, &at_43, LEFT_AT_43), "");
    ck_assert_str_eq(line(0, &at_43, LEFT_AT_43), "");
}
END_TEST

START_TEST(no_line_is_too_long)
{
    struct metrics_progress m = {.done_ms = 1, .total_ms = 1, .windows = INT64_MAX, .samples = INT64_MAX, .elapsed_ms = 1};

    for (size_t width = 0; width < 200; width++)
        for (int drawing = 0; drawing < 2; drawing++) {
            k.drawing = drawing;
            line(width, &m, 100 * 3600 * 1000 - 1);
            ck_assert_uint_le(k.column + 3, width < 3 ? 3 : width);
        }
}
END_TEST

START_TEST(rare_lengths_take_from_the_bar)
{
    struct metrics_progress m = {.total_ms = 1, .windows = 12345, .elapsed_ms = 1};

    /* "12345 windows" has 13 columns, two more than usual, "10:00:00 left" three more: 17 - 5 = 12 cells */
    ck_assert_str_eq(line(80, &m, 36000000), "metrics  [............]    0 %  12345 windows      0 samples/s  10:00:00 left");
}
END_TEST

START_TEST(an_unknown_time_leaves_its_place_free)
{
    ck_assert_str_eq(line(80, &at_43, -1), "metrics  [#######..........]   43 %   12 windows  3.1 M samples/s");
}
END_TEST

/* 10 cells without brackets, 4.3 of them done */
#define FOUR_DONE "\u2501\u2501\u2501\u2501"
#define SIX_TO_DO "\u2500\u2500\u2500\u2500\u2500\u2500"

START_TEST(what_draws_has_a_line_and_colours)
{
    k.drawing = k.colour = true;
    ck_assert_str_eq(line(41, &at_43, LEFT_AT_43), "metrics  \033[36m" FOUR_DONE "\033[0m\033[2m" SIX_TO_DO "\033[0m   43 %   0:12 left");
    k.colour = false;
    ck_assert_str_eq(line(41, &at_43, LEFT_AT_43), "metrics  " FOUR_DONE SIX_TO_DO "   43 %   0:12 left");
}
END_TEST

START_TEST(percents_are_cut)
{
    static const struct { int64_t done, total; const char *text; } cases[] = {
        {0, 0, "]    0 %"}, {0, 1000, "]    0 %"}, {9, 1000, "]    0 %"}, {10, 1000, "]    1 %"}, {999, 1000, ".]   99 %"},
        {1000, 1000, "#]  100 %"}, {1001, 1000, "#]  100 %"},          /* windows are whole seconds: a little more than asked for */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        shows(cases[i].text, (struct metrics_progress){.done_ms = cases[i].done, .total_ms = cases[i].total}, -1);
}
END_TEST

START_TEST(rates_have_si_steps)
{
    static const struct { int64_t samples, ms; const char *text; } cases[] = {
        {0, 0, " 0 samples/s"}, {5, 0, " 0 samples/s"}, {0, 1000, " 0 samples/s"}, {1999, 2000, " 999 samples/s"},
        {1000, 1000, " 1.0 k samples/s"}, {1099, 1000, " 1.0 k samples/s"}, {1100, 1000, " 1.1 k samples/s"},
        {9999, 1000, " 9.9 k samples/s"}, {10000, 1000, " 10 k samples/s"}, {999999, 1000, " 999 k samples/s"},
        {1000000, 1000, " 1.0 M samples/s"}, {3100000, 500, " 6.2 M samples/s"}, {12345678, 1000, " 12 M samples/s"},
        {1000000000, 1000, " 1.0 G samples/s"}, {INT64_MAX, 1000, " 9.2 E samples/s"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        shows(cases[i].text, (struct metrics_progress){.samples = cases[i].samples, .elapsed_ms = cases[i].ms}, -1);
}
END_TEST

START_TEST(times_are_rounded_up_to_seconds)
{
    static const struct { int64_t ms; const char *text; } cases[] = {
        {1, "  0:01 left"}, {1000, "  0:01 left"}, {59000, "  0:59 left"}, {59900, "  1:00 left"}, {60000, "  1:00 left"},
        {60001, "  1:01 left"}, {3599000, "  59:59 left"}, {3599001, "  1:00:00 left"}, {3600000, "  1:00:00 left"},
        {3661000, "  1:01:01 left"}, {359999000, "  99:59:59 left"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        shows(cases[i].text, at_43, cases[i].ms);
}
END_TEST

START_TEST(one_window_is_one)
{
    shows(" 0 windows ", (struct metrics_progress){.windows = 0}, -1);
    shows(" 1 window ", (struct metrics_progress){.windows = 1}, -1);
    shows(" 2 windows ", (struct metrics_progress){.windows = 2}, -1);
    shows(" 999 windows ", (struct metrics_progress){.windows = 999}, -1);
}
END_TEST

static int64_t left(struct progress_clock *c, int64_t elapsed_ms, int64_t done_ms, int64_t total_ms)
{
    return progress_left(c, &(struct metrics_progress){.done_ms = done_ms, .total_ms = total_ms, .elapsed_ms = elapsed_ms});
}

START_TEST(no_time_is_told_at_the_beginning_and_at_the_end)
{
    struct progress_clock c = {0};

    ck_assert_int_eq(left(&c, 0, 0, 0), -1);
    ck_assert_int_eq(left(&c, 999, 50, 100), -1);
    ck_assert_int_eq(left(&c, 1000, 50, 100), 1000);
    ck_assert_int_eq(left(&c, 1100, 100, 100), -1);
    c = (struct progress_clock){0};
    ck_assert_int_eq(left(&c, 60000, 0, 100), -1);     /* nothing is done: no idea */
}
END_TEST

START_TEST(between_answers_the_time_is_counted_down)
{
    struct progress_clock c = {0};

    ck_assert_int_eq(left(&c, 1000, 50, 100), 1000);
    ck_assert_int_eq(left(&c, 1400, 50, 100), 600);
    ck_assert_int_eq(left(&c, 1999, 50, 100), 1);
    ck_assert_int_eq(left(&c, 2000, 50, 100), -1);     /* it was wrong */
    ck_assert_int_eq(left(&c, 5000, 60, 100), 3333);   /* 5000 * 40 / 60, and nothing of the wrong one */
}
END_TEST

START_TEST(a_new_estimate_counts_for_half)
{
    struct progress_clock c = {0};

    ck_assert_int_eq(left(&c, 1000, 10, 100), 9000);
    ck_assert_int_eq(left(&c, 2000, 10, 100), 8000);
    ck_assert_int_eq(left(&c, 3000, 20, 100), 9500);   /* 7000, and half of the way to 3000 * 80 / 20 = 12000 */
    ck_assert_int_eq(left(&c, 4000, 40, 100), 7250);   /* 8500, and to 6000 */
}
END_TEST

START_TEST(times_that_nobody_believes_are_not_told)
{
    struct progress_clock c = {0};

    ck_assert_int_eq(left(&c, 1000, 19, 1000), -1);    /* less than 2 % is done */
    ck_assert_int_eq(left(&c, 1000, 20, 1000), 49000);
    c = (struct progress_clock){0};
    ck_assert_int_eq(left(&c, 360000000, 50, 100), -1);        /* 100 h */
    c = (struct progress_clock){0};
    ck_assert_int_eq(left(&c, 359999999, 50, 100), 359999999);
}
END_TEST

START_TEST(times_are_exact_where_products_are_large)
{
    struct progress_clock c = {0};

    /* 30 days of waiting for 1/2999 more: 2592000000 * 10^11 / (2.999 * 10^14) = 864288.096 */
    ck_assert_int_eq(left(&c, 2592000000, 299900000000000, 300000000000000), 864288);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("progress");
    TCase *t = tcase_create("all");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, all_parts_are_shown_where_they_fit);
    tcase_add_test(t, narrow_lines_have_fewer_parts);
    tcase_add_test(t, no_line_is_too_long);
    tcase_add_test(t, rare_lengths_take_from_the_bar);
    tcase_add_test(t, an_unknown_time_leaves_its_place_free);
    tcase_add_test(t, what_draws_has_a_line_and_colours);
    tcase_add_test(t, percents_are_cut);
    tcase_add_test(t, rates_have_si_steps);
    tcase_add_test(t, times_are_rounded_up_to_seconds);
    tcase_add_test(t, one_window_is_one);
    tcase_add_test(t, no_time_is_told_at_the_beginning_and_at_the_end);
    tcase_add_test(t, between_answers_the_time_is_counted_down);
    tcase_add_test(t, a_new_estimate_counts_for_half);
    tcase_add_test(t, times_that_nobody_believes_are_not_told);
    tcase_add_test(t, times_are_exact_where_products_are_large);
    suite_add_tcase(s, t);
    return unit_run(s);
}
