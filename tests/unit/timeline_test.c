/* timeline: how long an instant stands. Times are written in seconds after the midnight at which the day at hand begins. */
#include <string.h>

#include "gputab/core/timeline.h"
#include "unit.h"

#define MIDNIGHT (20000 * TIME_DAY)
#define AT(seconds) (MIDNIGHT + (time_ms)(seconds) * TIME_SECOND)

static const struct timeline_rule usual = {300000, 0};

static struct timeline t;
static struct timeline_scratch scratch;

static void setup(void)
{
    memset(&t, 0, sizeof t);
    memset(&scratch, 0, sizeof scratch);
}

static void teardown(void)
{
    timeline_free(&t);
    vec_free(&scratch.spacings);
}

static void add(const int *seconds, size_t n)
{
    struct sample samples[16];
    struct sample_run run = {.v = samples, .n = n};

    for (size_t i = 0; i < n; i++)
        samples[i] = (struct sample){AT(seconds[i]), 1};
    timeline_add(&t, &run);
}

#define ADD(...) add((const int[]){__VA_ARGS__}, sizeof (const int[]){__VA_ARGS__} / sizeof(int))

static void check_stamps(const int *seconds, size_t n)
{
    ck_assert_uint_eq(t.instants.n, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(t.instants.v[i].from, AT(seconds[i]));
}

#define CHECK_STAMPS(...) check_stamps((const int[]){__VA_ARGS__}, sizeof (const int[]){__VA_ARGS__} / sizeof(int))

START_TEST(stamps_at_one_distance_are_found_wherever_a_run_begins_and_ends)
{
    ADD(60, 120, 180, 240);
    ADD(120, 180);
    CHECK_STAMPS(60, 120, 180, 240);
    ADD(180, 240, 300, 360);                           /* beyond the end */
    CHECK_STAMPS(60, 120, 180, 240, 300, 360);
    ADD(360);
    ADD(0, 60);                                        /* before the first */
    CHECK_STAMPS(0, 60, 120, 180, 240, 300, 360);
    ADD(60, 180, 300);                                 /* at another distance */
    CHECK_STAMPS(0, 60, 120, 180, 240, 300, 360);
    ADD(70, 130);                                      /* beside them */
    CHECK_STAMPS(0, 60, 70, 120, 130, 180, 240, 300, 360);
    ADD(120, 180, 240);
    ADD(130, 190);
    CHECK_STAMPS(0, 60, 70, 120, 130, 180, 190, 240, 300, 360);
}
END_TEST

START_TEST(an_emptied_timeline_begins_anew)
{
    ADD(0, 60, 120);
    vec_clear(&t.instants);
    ADD(10);
    ADD(60, 120);
    ADD(65, 120);
    CHECK_STAMPS(10, 60, 65, 120);
}
END_TEST

static void stand_after(const struct timeline_rule *rule, int64_t *day_interval)
{
    timeline_stand(&t, rule, MIDNIGHT, day_interval, &scratch);
}

static void stand(const struct timeline_rule *rule)
{
    int64_t unknown = 0;

    stand_after(rule, &unknown);
}

static void stands(size_t i, int from, int to)
{
    ck_assert_uint_lt(i, t.instants.n);
    ck_assert_int_eq(t.instants.v[i].from, AT(from));
    ck_assert_int_eq(t.instants.v[i].to, AT(to));
}

START_TEST(an_instant_stands_to_the_next_one_when_that_is_max_gap_away_at_most)
{
    ADD(0, 60, 120, 420, 480);                         /* 300 s between the third and the fourth */
    stand(&usual);
    stands(2, 120, 420);
    stands(3, 420, 480);
}
END_TEST

START_TEST(an_instant_before_a_longer_gap_stands_for_one_interval)
{
    ADD(0, 60, 120, 421, 481);
    stand(&usual);
    stands(2, 120, 180);
    stands(3, 421, 481);
    stands(4, 481, 541);                               /* so does the last one */
}
END_TEST

START_TEST(the_interval_is_the_lower_median_of_the_spacings)
{
    ADD(0, 20, 60, 100, 190, 1000);                    /* 20 40 40 90 810: 40; without the last four 20 40 40 90: 40 */
    stand(&usual);
    stands(4, 190, 230);
    stands(5, 1000, 1040);
}
END_TEST

START_TEST(of_an_even_number_of_spacings_the_lower_middle_one_counts)
{
    int64_t four[] = {40, 10, 30, 20}, two[] = {9, 7}, one[] = {5};

    ck_assert_int_eq(timeline_lower_median(four, 4), 20);
    ck_assert_int_eq(timeline_lower_median(two, 2), 7);
    ck_assert_int_eq(timeline_lower_median(one, 1), 5);
}
END_TEST

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

START_TEST(the_median_is_that_of_a_sorted_list)
{
    uint32_t state = 7;

    for (int round = 0; round < 3000; round++) {
        int64_t v[40], sorted[40];
        size_t n = 1 + (size_t)round % 40;
        uint32_t values = 1 + (uint32_t)round % 7;     /* few values: often one of them has a majority, or half */

        for (size_t i = 0; i < n; i++) {
            state = state * 1664525u + 1013904223u;
            sorted[i] = v[i] = (int64_t)((state >> 16) % values);
        }
        qsort(sorted, n, sizeof *sorted, by_size);
        ck_assert_int_eq(timeline_lower_median(v, n), sorted[(n - 1) / 2]);
    }
}
END_TEST

START_TEST(a_value_on_more_than_half_of_the_places_is_the_median)
{
    int64_t v[] = {60, 60, 1, 60, 2, 60, 900};

    ck_assert_int_eq(timeline_lower_median(v, 7), 60);
}
END_TEST

START_TEST(the_interval_of_the_rule_goes_before_that_of_the_samples)
{
    const struct timeline_rule thirty = {300000, 30000};

    ADD(0, 60, 120, 900);
    stand(&thirty);
    stands(2, 120, 150);
    stands(3, 900, 930);
    stands(0, 0, 60);                                  /* it bridges nothing and cuts nothing below max_gap */
}
END_TEST

START_TEST(a_single_instant_stands_for_a_minute)
{
    ADD(3600);
    stand(&usual);
    stands(0, 3600, 3660);
}
END_TEST

START_TEST(no_instant_stands_beyond_the_next_one)
{
    const struct timeline_rule rare = {60000, 600000};         /* a gap longer than max_gap and shorter than the interval */

    ADD(0, 120, 2000);
    stand(&rare);
    stands(0, 0, 120);
    stands(1, 120, 720);
}
END_TEST

START_TEST(instants_further_apart_than_max_gap_stand_for_their_own_median)
{
    ADD(0, 600, 1200, 3000);                           /* 600 600 1800: spacings above max_gap count */
    stand(&usual);
    stands(0, 0, 600);
    stands(2, 1200, 1800);
}
END_TEST

START_TEST(each_utc_day_has_its_own_interval)
{
    int day = 86400;

    ADD(-700, -670, -640, 0, 120, 240, 3000);
    stand(&usual);
    stands(2, -640, -610);                             /* 30 s before midnight, 120 s after it */
    stands(5, 240, 360);
    stands(6, 3000, 3120);
    timeline_free(&t);
    ADD(day - 60, day, day + 200, day + 400, day + 3000);
    stand(&usual);
    stands(4, day + 3000, day + 3200);
}
END_TEST

START_TEST(a_spacing_across_midnight_belongs_to_the_day_before)
{
    int day = 86400;

    ADD(day - 10, day + 190, day + 790);               /* the spacings are 200 s, then 600 s */
    stand(&usual);
    stands(1, day + 190, day + 790);
    stands(0, day - 10, day + 190);
    stands(2, day + 790, day + 1390);
}
END_TEST

START_TEST(the_day_before_keeps_the_interval_it_had)
{
    int64_t before = 15000;                            /* what yesterday's window found; only its last minutes are loaded today */

    ADD(-100, -40, 900, 960);
    stand_after(&usual, &before);
    stands(1, -40, -25);
    stands(3, 960, 1020);
    ck_assert_int_eq(before, 60000);                   /* handed on to tomorrow */
}
END_TEST

START_TEST(a_day_without_instants_hands_on_nothing)
{
    int64_t before = 15000;

    ADD(-100, -40);
    stand_after(&usual, &before);
    stands(1, -40, -25);
    ck_assert_int_eq(before, 0);
}
END_TEST

START_TEST(a_spacing_that_a_run_over_the_day_alone_could_not_see_does_not_count)
{
    int day = 86400;

    ADD(day - 100, day + 301);
    stand(&usual);
    stands(0, day - 100, day - 40);                    /* no spacing left: a minute */
    timeline_free(&t);
    ADD(day - 200, day + 300);                         /* just inside max_gap of the day's end */
    stand(&usual);
    stands(0, day - 200, day + 300);
}
END_TEST

START_TEST(the_stamps_of_several_series_make_one_timeline)
{
    ADD(60, 180);
    ADD(0, 60, 240);
    ADD(120);
    ADD(60, 180);
    stand(&usual);
    ck_assert_uint_eq(t.instants.n, 5);
    for (int i = 0; i < 5; i++)
        stands((size_t)i, 60 * i, 60 * i + 60);
}
END_TEST

START_TEST(seeking_finds_what_stands_or_comes_next)
{
    ADD(0, 60, 1000);
    stand(&usual);                                     /* [0, 60) [60, 120) [1000, 1060) */
    ck_assert_uint_eq(timeline_seek(&t, AT(-5), 0), 0);
    ck_assert_uint_eq(timeline_seek(&t, AT(59), 0), 0);
    ck_assert_uint_eq(timeline_seek(&t, AT(60), 0), 1);
    ck_assert_uint_eq(timeline_seek(&t, AT(120), 1), 2);
    ck_assert_uint_eq(timeline_seek(&t, AT(1059), 2), 2);
    ck_assert_uint_eq(timeline_seek(&t, AT(1060), 2), 3);
}
END_TEST

START_TEST(finding_begins_where_it_is_told_to)
{
    ADD(0, 60, 120, 180, 1000);
    stand(&usual);
    ck_assert_uint_eq(timeline_find(&t, AT(60), 1), 1);
    ck_assert_uint_eq(timeline_find(&t, AT(180), 0), 3);
    ck_assert_uint_eq(timeline_find(&t, AT(181), 0), 4);
    ck_assert_uint_eq(timeline_find(&t, AT(-5), 0), 0);
    ck_assert_uint_eq(timeline_find(&t, AT(0), 2), 2);
    ck_assert_uint_eq(timeline_find(&t, AT(1001), 0), 5);
    ck_assert_uint_eq(timeline_find(&t, AT(1001), 5), 5);
}
END_TEST

/* Series that come and go: each has some of the stamps, the last has two in between. */
START_TEST(stamps_are_merged_wherever_they_belong)
{
    static const int want[] = {0, 30, 60, 120, 150, 180, 240, 300};

    ADD(60, 120);
    ADD(120, 180, 240);
    ADD(0, 60);
    ADD(240, 300);
    ADD(0, 30, 60, 120, 150, 180);
    ck_assert_uint_eq(t.instants.n, 8);
    for (size_t i = 0; i < 8; i++)
        ck_assert_int_eq(t.instants.v[i].from, AT(want[i]));
}
END_TEST

/* Runs of any form, against the set of their stamps: whole minutes, some seconds off, with holes. */
START_TEST(a_timeline_is_the_set_of_all_stamps)
{
    enum { SECONDS = 3000 };
    uint32_t state = (uint32_t)_i + 1;
    bool seen[SECONDS] = {false};
    size_t at = 0;

    for (int run = 0; run < 6; run++) {
        int stamps[SECONDS], spacing = 1 + (int)(state % 70);
        size_t n = 0;

        for (int s = (int)(state >> 8) % 300; s < SECONDS; s += spacing) {
            state = state * 1664525u + 1013904223u;
            if (state >> 28 == 0)
                spacing = 1 + (int)(state >> 16) % 70;
            if (state >> 29 == 1)
                s += (int)(state >> 20) % 100;
            if (s < SECONDS)
                seen[stamps[n++] = s] = true;
        }
        for (size_t i = 0; i < n; i += 16)             /* add's limit */
            add(stamps + i, n - i < 16 ? n - i : 16);
    }
    for (int s = 0; s < SECONDS; s++)
        if (seen[s]) {
            ck_assert_uint_lt(at, t.instants.n);
            ck_assert_int_eq(t.instants.v[at++].from, AT(s));
        }
    ck_assert_uint_eq(at, t.instants.n);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("timeline");
    TCase *c = tcase_create("standing");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, stamps_at_one_distance_are_found_wherever_a_run_begins_and_ends);
    tcase_add_test(c, an_emptied_timeline_begins_anew);
    tcase_add_test(c, an_instant_stands_to_the_next_one_when_that_is_max_gap_away_at_most);
    tcase_add_test(c, an_instant_before_a_longer_gap_stands_for_one_interval);
    tcase_add_test(c, the_interval_is_the_lower_median_of_the_spacings);
    tcase_add_test(c, of_an_even_number_of_spacings_the_lower_middle_one_counts);
    tcase_add_test(c, the_median_is_that_of_a_sorted_list);
    tcase_add_test(c, a_value_on_more_than_half_of_the_places_is_the_median);
    tcase_add_test(c, the_interval_of_the_rule_goes_before_that_of_the_samples);
    tcase_add_test(c, a_single_instant_stands_for_a_minute);
    tcase_add_test(c, no_instant_stands_beyond_the_next_one);
    tcase_add_test(c, instants_further_apart_than_max_gap_stand_for_their_own_median);
    tcase_add_test(c, each_utc_day_has_its_own_interval);
    tcase_add_test(c, a_spacing_across_midnight_belongs_to_the_day_before);
    tcase_add_test(c, the_day_before_keeps_the_interval_it_had);
    tcase_add_test(c, a_day_without_instants_hands_on_nothing);
    tcase_add_test(c, a_spacing_that_a_run_over_the_day_alone_could_not_see_does_not_count);
    tcase_add_test(c, the_stamps_of_several_series_make_one_timeline);
    tcase_add_test(c, stamps_are_merged_wherever_they_belong);
    tcase_add_loop_test(c, a_timeline_is_the_set_of_all_stamps, 0, 100);
    tcase_add_test(c, finding_begins_where_it_is_told_to);
    tcase_add_test(c, seeking_finds_what_stands_or_comes_next);
    suite_add_tcase(s, c);
    return unit_run(s);
}
