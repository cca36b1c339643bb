/* line: when a target's view changes, and to what. Times are seconds after a midnight; an instant stands for 60 s where none follows
 * within 300 s. `walk` writes down each time at which the line says that it may change, with what each series shows then ("-": nothing). */
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/core/line.h"
#include "gputab/value/sample_pack.h"
#include "unit.h"

#define MIDNIGHT (20000 * TIME_DAY)
#define AT(seconds) (MIDNIGHT + (time_ms)(seconds) * TIME_SECOND)

enum { SERIES = 3, UNLABELLED = 2 };

static struct sample samples[SERIES][8];
static struct sample_run runs[SERIES];
static const struct sample_run *run_of_series[SERIES];
static const struct series series[SERIES] = {{.kind = SAMPLE_USED, .pod = 0}, {.kind = SAMPLE_USED, .pod = 1},
                                             {.kind = SAMPLE_USED, .pod = NONE}};
static struct timeline timeline;
static struct line line;
static struct buf text;

static void setup(void)
{
    memset(runs, 0, sizeof runs);
    memset(run_of_series, 0, sizeof run_of_series);
    memset(&timeline, 0, sizeof timeline);
    line = (struct line){.timeline = &timeline};
    vec_push(&line.series, 0);
    vec_push(&line.series, 1);
}

static void teardown(void)
{
    timeline_free(&timeline);
    line_free(&line);
    buf_free(&text);
}

static void sample(int which, int seconds, uint64_t value)
{
    samples[which][runs[which].n++] = (struct sample){AT(seconds), value};
    runs[which].v = samples[which];
    run_of_series[which] = &runs[which];
}

static void stand(void)
{
    struct timeline_rule rule = {300000, 60000};
    struct timeline_scratch scratch = {0};
    int64_t interval = 0;

    for (int i = 0; i < SERIES; i++)
        if (run_of_series[i])
            timeline_add(&timeline, run_of_series[i]);
    timeline_stand(&timeline, &rule, MIDNIGHT, &interval, &scratch);
    vec_free(&scratch.spacings);
    line_take(&line, series, run_of_series);
}

static const char *walk(int from)
{
    buf_clear(&text);
    for (time_ms t = AT(from); t != TIME_MAX; t = line.next) {
        line_move(&line, t);
        buf_addf(&text, "%s%lld:", text.n ? " " : "", (long long)(t - MIDNIGHT) / TIME_SECOND);
        for (size_t i = 0; i < line.feeds.n; i++)
            if (line.feeds.v[i].has)
                buf_addf(&text, "%s%llu", i ? "," : "", (unsigned long long)line.feeds.v[i].value);
            else
                buf_addf(&text, "%s-", i ? "," : "");
        ck_assert_int_gt(line.next, t);
    }
    return buf_str(&text);
}

START_TEST(equal_values_are_one_change)
{
    sample(0, 0, 5);
    sample(0, 60, 5);
    sample(0, 120, 5);
    sample(0, 180, 7);
    stand();
    ck_assert_str_eq(walk(-100), "-100:- 0:5 180:7 240:-");
}
END_TEST

START_TEST(a_gap_ends_a_value_even_when_it_comes_back)
{
    sample(0, 0, 5);
    sample(0, 60, 5);
    sample(0, 1000, 5);
    stand();                                           /* [0, 60) [60, 120) [1000, 1060) */
    ck_assert_str_eq(walk(-100), "-100:- 0:5 120:- 1000:5 1060:-");
}
END_TEST

START_TEST(a_series_without_a_sample_at_an_instant_shows_nothing_there)
{
    for (int t = 0; t <= 180; t += 60)
        sample(0, t, 1);
    sample(1, 0, 2);
    sample(1, 60, 2);
    sample(1, 180, 2);
    stand();
    ck_assert_str_eq(walk(0), "0:1,2 120:1,- 180:1,2 240:-,-");
}
END_TEST

START_TEST(a_series_may_come_late_and_stand_between_the_stamps_of_another)
{
    sample(0, 0, 1);
    sample(0, 60, 1);
    sample(1, 90, 4);
    sample(1, 150, 4);
    stand();                                           /* [0, 60) [60, 90) [90, 150) [150, 210) */
    ck_assert_str_eq(walk(0), "0:1,- 90:-,4 210:-,-");
}
END_TEST

START_TEST(a_walk_may_begin_in_the_middle_and_again)
{
    sample(0, 0, 5);
    sample(0, 60, 6);
    sample(0, 120, 6);
    sample(0, 180, 0);
    stand();
    ck_assert_str_eq(walk(90), "90:6 180:0 240:-");
    line_reset(&line);
    ck_assert_str_eq(walk(30), "30:5 60:6 180:0 240:-");
}
END_TEST

START_TEST(moving_within_a_value_changes_nothing)
{
    sample(0, 0, 5);
    sample(0, 60, 5);
    stand();
    line_move(&line, AT(10));
    ck_assert_uint_eq(line_move(&line, AT(70)), 0);
    ck_assert(line.feeds.v[0].has);
    ck_assert_uint_eq(line.feeds.v[0].value, 5);
    ck_assert_int_eq(line.next, AT(120));
}
END_TEST

/* Who is there decides more than how much: sharing, requests. */
START_TEST(a_change_is_of_values_or_of_presence)
{
    for (int t = 0; t <= 180; t += 60)
        sample(0, t, t < 60 ? 1 : 2);
    sample(1, 120, 0);
    stand();
    ck_assert_uint_eq(line_move(&line, AT(0)), LINE_PRESENCE | LINE_VALUES);
    ck_assert_uint_eq(line_move(&line, AT(60)), LINE_VALUES);
    ck_assert_uint_eq(line_move(&line, AT(120)), LINE_PRESENCE);       /* the second comes, with 0 */
    ck_assert_uint_eq(line_move(&line, AT(180)), LINE_PRESENCE);
}
END_TEST

/* A node's line stands by its target's timeline, which other nodes' series make too. */
START_TEST(a_line_may_stand_without_any_of_its_series)
{
    sample(0, 0, 5);
    sample(1, 60, 9);
    stand();
    line.series.n = 1;                                 /* the second is another node's */
    line_take(&line, series, run_of_series);
    line_move(&line, AT(60));
    ck_assert(line.standing);
    ck_assert(!line.feeds.v[0].has);
    line_move(&line, AT(120));
    ck_assert(!line.standing);
}
END_TEST

START_TEST(a_series_without_samples_in_the_window_is_no_feed)
{
    sample(1, 0, 3);
    stand();
    ck_assert_uint_eq(line.feeds.n, 1);
    ck_assert_uint_eq(line.feeds.v[0].series->pod, 1);
    ck_assert_str_eq(walk(0), "0:3 60:-");
}
END_TEST

/* ---- against looking at every sample ---- */

enum { MANY = 400 };

static uint32_t state;

static uint32_t any(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

/* Up to MANY samples, mostly a minute apart and of the value before, with holes and stamps of their own. */
static void make_run(struct sample_run *run, struct sample *v, struct buf *packed)
{
    int t = (int)any(5) * 60;
    uint64_t value = any(3);

    run->n = 1 + any(MANY);
    for (size_t i = 0; i < run->n; i++, t += 60) {
        uint32_t how = any(20);

        if (how == 0)
            t += 60 * (int)any(12);
        if (how == 1)
            t += (int)any(60);
        if (how == 2)
            t -= t % 60;
        if (i > 0 && AT(t) <= v[i - 1].time)
            t += 60;
        if (how < 5)
            value = any(4);
        v[i] = (struct sample){AT(t), value};
    }
    run->v = v;
    if (any(3) == 0)
        return;
    for (size_t i = 0, end; i < run->n; i = end) {
        end = i + 1 + any((uint32_t)(run->n - i));
        sample_pack_add(packed, v + i, end - i);
    }
    run->v = NULL;
    run->packed = buf_span(packed);
}

/* What a series shows at t, found by looking at all instants and all samples. */
static bool shows(const struct sample *v, size_t n, time_ms t, uint64_t *value)
{
    for (size_t k = 0; k < timeline.instants.n; k++) {
        struct instant x = timeline.instants.v[k];

        for (size_t i = 0; x.from <= t && t < x.to && i < n; i++)
            if (v[i].time == x.from) {
                *value = v[i].value;
                return true;
            }
    }
    *value = 0;
    return false;
}

static void same_values(const struct pod_value *a, const struct pod_value *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ck_assert(a[i].pod == b[i].pod && a[i].bytes == b[i].bytes);
}

/* A reading that is renewed is the one that is made anew. */
static void check_reading(unsigned changed, const struct inventory *inv, time_ms t, struct device_reading *kept)
{
    struct device_reading fresh = {0};
    bool stands = line.standing;

    if (changed == LINE_VALUES)
        line_read_values(&line, 1, kept);
    else if (changed)
        ck_assert_int_eq(line_read_device(&line, 1, inv, t, kept), stands);
    ck_assert_int_eq(line_read_device(&line, 1, inv, t, &fresh), stands);
    ck_assert_uint_eq(fresh.known, kept->known);
    ck_assert_uint_eq(fresh.used, kept->used);
    ck_assert_uint_eq(fresh.labelled.n, kept->labelled.n);
    same_values(fresh.labelled.v, kept->labelled.v, kept->labelled.n);
    vec_free(&fresh.labelled);
    vec_free(&fresh.layer);
}

START_TEST(a_line_shows_what_a_look_at_all_samples_does)
{
    static struct sample many[SERIES][MANY];
    struct buf packed[SERIES] = {{0}};
    struct pod pods[2] = {{0}};
    struct inventory inventory = {.pods = {.v = pods, .n = 2}};
    struct device_reading kept = {0};
    unsigned since = 0;

    state = (uint32_t)_i + 1;
    vec_push(&line.series, UNLABELLED);
    line.shows = LINE_LABELS | LINE_MEMORY;
    for (int i = 0; i < SERIES; i++) {
        make_run(&runs[i], many[i], &packed[i]);
        run_of_series[i] = &runs[i];
    }
    stand();
    for (int s = -100; s < 40000; s += 1 + (int)any(90)) {
        since |= line_move(&line, AT(s));
        ck_assert_int_gt(line.next, AT(s));
        for (size_t i = 0; i < SERIES; i++) {
            uint64_t value;

            ck_assert_int_eq(shows(many[i], runs[i].n, AT(s), &value), line.feeds.v[i].has);
            ck_assert_uint_eq(value, line.feeds.v[i].value);
        }
        check_reading(since, &inventory, AT(s), &kept);
        since = 0;
    }
    vec_free(&kept.labelled);
    vec_free(&kept.layer);
    for (int i = 0; i < SERIES; i++)
        buf_free(&packed[i]);
}
END_TEST

/* ---- labels that flicker ---- */

static struct inventory inv;
static struct device_reading reading;

static void begin_flicker(void)
{
    setup();
    inv = (struct inventory){0};
    vec_push(&inv.pods, (struct pod){0});
    vec_push(&inv.pods, (struct pod){0});
    vec_push(&line.series, UNLABELLED);
    line.shows = LINE_LABELS | LINE_MEMORY;
}

static void end_flicker(void)
{
    vec_free(&inv.pods);
    vec_free(&reading.labelled);
    vec_free(&reading.layer);
    teardown();
}

static bool flickers(int at, int max_gap_ms)
{
    line_reset(&line);
    line_move(&line, AT(at));
    ck_assert(line_read_device(&line, 1, &inv, AT(at), &reading));
    line_read_flicker(&line, 1, &inv, AT(at), max_gap_ms, &reading);
    return reading.flickers;
}

START_TEST(a_label_flickers_between_samples_that_are_no_gap_apart)
{
    sample(0, 0, 5);
    sample(UNLABELLED, 60, 5);
    sample(UNLABELLED, 120, 5);
    sample(0, 180, 5);
    sample(UNLABELLED, 240, 5);
    stand();
    ck_assert(!flickers(0, 300000));                   /* it is there */
    ck_assert(flickers(60, 180000));
    ck_assert_uint_eq(reading.flickering_pod, 0);
    ck_assert(flickers(179, 180000));
    ck_assert(!flickers(60, 179999));
    ck_assert(!flickers(240, 300000));                 /* and does not come back */
}
END_TEST

START_TEST(a_label_that_passes_to_another_pod_does_not_flicker)
{
    sample(0, 0, 5);
    sample(UNLABELLED, 60, 5);
    sample(1, 120, 5);
    sample(UNLABELLED, 180, 5);
    sample(0, 240, 5);
    stand();
    ck_assert(!flickers(60, 300000));
    ck_assert(!flickers(180, 300000));
}
END_TEST

START_TEST(of_two_pods_labelled_together_neither_flickers)
{
    sample(0, 0, 5);
    sample(1, 0, 5);
    sample(UNLABELLED, 60, 5);
    sample(0, 120, 5);
    stand();
    ck_assert(!flickers(60, 300000));
}
END_TEST

START_TEST(a_name_that_means_another_pod_afterwards_does_not_flicker)
{
    steps_push(&inv.pods.v[0].alias, TIME_MIN, 0);
    steps_push(&inv.pods.v[0].alias, AT(120), 1);
    sample(0, 0, 5);
    sample(UNLABELLED, 60, 5);
    sample(0, 120, 5);
    stand();
    ck_assert(!flickers(60, 300000));
    free(inv.pods.v[0].alias.v);
}
END_TEST

enum { LONG = 120 };

/* Of 120 minutes: another value each minute but every fifth. */
static uint64_t long_value(size_t minute)
{
    return (uint64_t)(minute - (minute % 5 == 4)) * 7919 % 640 << 20;
}

/* The second series begins at minute `from`, ends before `to`, and shows its own value from minute `parts` on. */
static void check_copies(size_t from, size_t to, size_t parts)
{
    static struct sample v[2][LONG];
    struct buf packed[2] = {{0}};
    size_t n[2] = {LONG, to - from};

    for (size_t i = 0; i < LONG; i++)
        v[0][i] = (struct sample){AT(60 * i), long_value(i)};
    for (size_t i = from; i < to; i++)
        v[1][i - from] = (struct sample){AT(60 * i), long_value(i) + ((uint64_t)(i >= parts) << 20)};
    for (int k = 0; k < 2; k++) {
        sample_pack_add(&packed[k], v[k], 50 < n[k] ? 50 : n[k]);
        if (n[k] > 50)
            sample_pack_add(&packed[k], v[k] + 50, n[k] - 50);
        runs[k] = (struct sample_run){.n = n[k], .packed = buf_span(&packed[k])};
        run_of_series[k] = &runs[k];
    }
    stand();
    for (size_t i = 0; i < LONG; i++) {
        bool there = i >= from && i < to;

        line_move(&line, AT(60 * i + 30));
        ck_assert(line.feeds.v[0].has && line.feeds.v[0].value == long_value(i));
        ck_assert(line.feeds.v[1].has == there);
        ck_assert_uint_eq(line.feeds.v[1].value, there ? long_value(i) + ((uint64_t)(i >= parts) << 20) : 0);
    }
    buf_free(&packed[0]);
    buf_free(&packed[1]);
}

START_TEST(a_copy_shows_what_it_would_alone)
{
    static const size_t cases[][3] = {{0, 120, 120}, {0, 120, 70}, {7, 120, 120}, {7, 90, 120}, {30, 118, 75}, {40, 47, 120}, {1, 120, 50}};

    check_copies(cases[_i][0], cases[_i][1], cases[_i][2]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("line");
    TCase *c = tcase_create("moving");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, equal_values_are_one_change);
    tcase_add_test(c, a_gap_ends_a_value_even_when_it_comes_back);
    tcase_add_test(c, a_series_without_a_sample_at_an_instant_shows_nothing_there);
    tcase_add_test(c, a_series_may_come_late_and_stand_between_the_stamps_of_another);
    tcase_add_test(c, a_walk_may_begin_in_the_middle_and_again);
    tcase_add_test(c, moving_within_a_value_changes_nothing);
    tcase_add_test(c, a_change_is_of_values_or_of_presence);
    tcase_add_test(c, a_line_may_stand_without_any_of_its_series);
    tcase_add_test(c, a_series_without_samples_in_the_window_is_no_feed);
    tcase_add_loop_test(c, a_line_shows_what_a_look_at_all_samples_does, 0, 40);
    tcase_add_loop_test(c, a_copy_shows_what_it_would_alone, 0, 7);
    suite_add_tcase(s, c);
    c = tcase_create("flicker");
    tcase_add_checked_fixture(c, begin_flicker, end_flicker);
    tcase_add_test(c, a_label_flickers_between_samples_that_are_no_gap_apart);
    tcase_add_test(c, a_label_that_passes_to_another_pod_does_not_flicker);
    tcase_add_test(c, of_two_pods_labelled_together_neither_flickers);
    tcase_add_test(c, a_name_that_means_another_pod_afterwards_does_not_flicker);
    suite_add_tcase(s, c);
    return unit_run(s);
}
