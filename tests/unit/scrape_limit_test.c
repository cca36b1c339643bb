/* Limits of the metrics side: values that no machine can have are left out and counted, so that no sum behind them leaves its integers;
 * and windows reach back as far as something may stand into them, no further. */
#include "gputab/source/scrape.h"
#include "metrics_fixture.h"
#include "unit.h"

static struct loaded l;

static void teardown(void)
{
    fixture_free(&l);
}

static size_t samples_in_window(void)
{
    struct sample_window w = {0};
    size_t n = 0;

    ck_assert_int_eq(metrics_window(l.metrics, (struct timespan){AT(0), AT(86400)}, &w, &l.err), 0);
    for (size_t i = 0; i < w.runs.n; i++)
        n += w.runs.v[i].n;
    vec_free(&w.runs);
    return n;
}

START_TEST(sixteen_tebibytes_are_the_most_that_a_card_can_hold)
{
    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\",instance=\"a\"} 16777216 @0\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\",instance=\"a\"} 16777217 @60\n");
    ck_assert_int_eq(l.rc, 0);
    ck_assert_uint_eq(samples_in_window(), 1);
    ck_assert_ptr_nonnull(diag_find(&l.diag, "W110"));
    ck_assert_int_eq(diag_find(&l.diag, "W110")->count, 1);
}
END_TEST

START_TEST(a_million_gpus_are_the_most_that_a_pod_can_request)
{
    fixture_load(&l, "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",node=\"n\",resource=\"nvidia_com_gpu\"} 1e6 @0\n"
                     "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",node=\"n\",resource=\"nvidia_com_gpu\"} 1e7 @60\n");
    ck_assert_int_eq(l.rc, 0);
    ck_assert_uint_eq(samples_in_window(), 1);
    ck_assert_ptr_nonnull(diag_find(&l.diag, "W110"));
}
END_TEST

START_TEST(nodes_may_have_more_memory_than_a_card)
{
    fixture_load(&l, "container_memory_working_set_bytes{namespace=\"a\",pod=\"p\",container=\"c\",node=\"n\"} 3e13 @0\n");
    ck_assert_int_eq(l.rc, 0);
    ck_assert_uint_eq(samples_in_window(), 1);
}
END_TEST

/* ---- windows of sparse samples ---- */

static time_ms first_time(int from, int to)
{
    struct sample_window w = {0};
    time_ms t = TIME_MAX;

    ck_assert_int_eq(metrics_window(l.metrics, (struct timespan){AT(from), AT(to)}, &w, &l.err), 0);
    if (w.runs.n)
        t = fixture_first(&w.runs.v[0]).time;
    vec_free(&w.runs);
    return t;
}

START_TEST(a_window_reaches_back_to_the_sample_that_may_stand_into_it)
{
    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\"} 1 @0\nDCGM_FI_DEV_FB_USED{UUID=\"GPU-1\"} 1 @900\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\"} 1 @1800\n");
    ck_assert_int_eq(l.rc, 0);
    ck_assert_int_eq(first_time(1500, 2000), AT(900));                 /* max_gap is 300 s: from 1200 on, and one before */
    ck_assert_int_eq(first_time(0, 2000), AT(0));
}
END_TEST

/* How long the last one stands is the timeline's to say, which sees more series than this one. */
START_TEST(a_window_reaches_back_to_the_last_sample_before_a_gap)
{
    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\"} 1 @0\nDCGM_FI_DEV_FB_USED{UUID=\"GPU-1\"} 1 @60\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\"} 1 @120\nDCGM_FI_DEV_FB_USED{UUID=\"GPU-1\"} 1 @1800\n");
    ck_assert_int_eq(l.rc, 0);
    ck_assert_int_eq(first_time(1500, 2000), AT(120));                 /* the one before only */
    ck_assert_int_eq(first_time(420, 500), AT(120));
    ck_assert_int_eq(first_time(600, 700), AT(120));
    ck_assert_int_eq(first_time(1860, 1900), AT(1800));                /* within max_gap: none before is needed */
}
END_TEST

START_TEST(a_window_reaches_back_less_than_a_day)
{
    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\"} 1 @0\nDCGM_FI_DEV_FB_USED{UUID=\"GPU-1\"} 1 @60\n");
    ck_assert_int_eq(l.rc, 0);
    ck_assert_int_eq(first_time(86400 + 359, 86400 + 400), AT(60));    /* one second less than a day before max_gap */
    ck_assert_int_eq(first_time(86400 + 360, 86400 + 400), TIME_MAX);  /* a series that has ended costs later windows nothing */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("scrape_limit");
    TCase *c = tcase_create("limits");

    tcase_add_checked_fixture(c, NULL, teardown);
    tcase_add_test(c, sixteen_tebibytes_are_the_most_that_a_card_can_hold);
    tcase_add_test(c, a_million_gpus_are_the_most_that_a_pod_can_request);
    tcase_add_test(c, nodes_may_have_more_memory_than_a_card);
    tcase_add_test(c, a_window_reaches_back_to_the_sample_that_may_stand_into_it);
    tcase_add_test(c, a_window_reaches_back_to_the_last_sample_before_a_gap);
    tcase_add_test(c, a_window_reaches_back_less_than_a_day);
    suite_add_tcase(s, c);
    return unit_run(s);
}
