/* window_test: what a day knows of pods: what its samples say, and what was said before of those that it shows. */
#include "metrics_fixture.h"
#include "unit.h"

enum { DAYS = 5 };

static struct loaded l;

static void setup(void)
{
    fixture_init(&l);
    l.more_days = DAYS - 1;
}

static void teardown(void)
{
    fixture_free(&l);
}

/* Looks at the days from the first to this one, each once. */
static void look_at(int day)
{
    struct sample_window w = { 0 };

    for (int d = 0; d <= day; d++)
        ck_assert_int_eq(metrics_window(l.metrics, (struct timespan){ AT(d * 86400), AT((d + 1) * 86400) }, &w, &l.err), 0);
    vec_free(&w.runs);
}

static bool has_pod(const char *name)
{
    for (size_t i = 0; i < l.inv.pods.n; i++)
        if (strcmp(fixture_name(&l, l.inv.pods.v[i].name), name) == 0)
            return true;
    return false;
}

#define GPU_OF(pod) "DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\",instance=\"a\",namespace=\"a\",pod=\"" pod "\",container=\"c\"} 1 "
#define LABELS_OF(pod, team) "kube_pod_labels{namespace=\"a\",pod=\"" pod "\",uid=\"u\",label_example_com_team=\"" team "\"} 1 "

/* Labels were said on the first day alone: they hold as long as the pod is seen. Before the first record they hold ten minutes. */
START_TEST(what_was_said_once_holds_while_the_pod_is_seen)
{
    fixture_load_with(&l, LABELS_OF("p", "red") "@1000\n" GPU_OF("p") "@2000\n" GPU_OF("p") "@90000\n" GPU_OF("p") "@180000\n"
                          GPU_OF("p") "@270000\n", NULL);
    for (int day = 0; day < 4; day++) {
        look_at(day);
        fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->labels, STEPS_LABELS, "400:label_example_com_team=red");
        fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "")->alias, STEPS_UID, "400:u");
    }
    look_at(4);
    ck_assert(!has_pod("p"));
}
END_TEST

/* The last of several records is what holds, whichever series said it. */
START_TEST(the_last_word_before_a_day_counts)
{
    fixture_load_with(&l, LABELS_OF("p", "red") "@1000\n" LABELS_OF("p", "blue") "@2000\n" LABELS_OF("p", "red") "@3000\n"
                          GPU_OF("p") "@2000\n" GPU_OF("p") "@90000\n" LABELS_OF("p", "blue") "@100000\n", NULL);
    look_at(0);
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->labels, STEPS_LABELS,
                        "400:label_example_com_team=red 2000:label_example_com_team=blue 3000:label_example_com_team=red");
    look_at(1);                                        /* blue was said first at 2000, red last at 3000 */
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->labels, STEPS_LABELS,
                        "1400:label_example_com_team=blue 3000:label_example_com_team=red 100000:label_example_com_team=blue");
}
END_TEST

/* Seen on the first day and the fifth: nobody knows whether it is the same pod. Seen on the first and the third, it is taken to be. */
START_TEST(a_pod_that_is_not_seen_for_two_days_is_forgotten)
{
    fixture_load_with(&l, LABELS_OF("p", "red") "@1000\n" GPU_OF("p") "@2000\n" GPU_OF("p") "@350000\n"
                          LABELS_OF("q", "blue") "@1000\n" GPU_OF("q") "@2000\n" GPU_OF("q") "@180000\n", NULL);
    look_at(1);
    ck_assert(!has_pod("p") && !has_pod("q"));
    look_at(2);
    fixture_check_steps(&l, &fixture_pod(&l, "a", "q", "u")->labels, STEPS_LABELS, "400:label_example_com_team=blue");
    look_at(4);
    ck_assert_uint_eq(fixture_pod(&l, "a", "p", "")->labels.n, 0);
}
END_TEST

/* Who owns the owner was said on the first day; on the second a younger pod names the same one. */
START_TEST(owners_of_owners_are_remembered_too)
{
    fixture_load_with(&l, "kube_replicaset_owner{namespace=\"a\",replicaset=\"web-1\",owner_kind=\"Deployment\",owner_name=\"web\"} 1 @1000\n"
                          "kube_pod_owner{namespace=\"a\",pod=\"p\",uid=\"u\",owner_kind=\"ReplicaSet\",owner_name=\"web-1\"} 1 @1000\n"
                          "kube_pod_owner{namespace=\"a\",pod=\"q\",uid=\"v\",owner_kind=\"ReplicaSet\",owner_name=\"web-1\"} 1 @90000\n", NULL);
    look_at(1);
    ck_assert(!has_pod("p"));
    fixture_check_steps(&l, &fixture_pod(&l, "a", "q", "v")->workload, STEPS_TEXT, "89400:Deployment/web");
}
END_TEST

/* A pod that finished on the first day, whose labels linger on the card on the second. */
START_TEST(an_end_is_remembered)
{
    fixture_load_with(&l, "kube_pod_status_phase{namespace=\"a\",pod=\"p\",uid=\"u\",phase=\"Running\"} 1 @1000\n"
                          "kube_pod_status_phase{namespace=\"a\",pod=\"p\",uid=\"u\",phase=\"Succeeded\"} 1 @5000\n" GPU_OF("p") "@2000\n"
                          GPU_OF("p") "@90000\n", NULL);
    look_at(1);
    ck_assert_uint_eq(steps_at(&fixture_pod(&l, "a", "p", "u")->ended, AT(90000), 0), POD_FINISHED);
    ck_assert_uint_eq(steps_at(&fixture_pod(&l, "a", "p", "u")->ended, AT(4999), 0), 0);
}
END_TEST

/* A record of five minutes after midnight speaks for the ten before it; one of a quarter past midnight does not. */
START_TEST(a_day_looks_ten_minutes_ahead)
{
    fixture_load_with(&l, GPU_OF("p") "@86390\n" LABELS_OF("p", "red") "@86700\n" GPU_OF("q") "@86390\n" LABELS_OF("q", "red") "@87300\n", NULL);
    look_at(0);
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->labels, STEPS_LABELS, "86100:label_example_com_team=red");
    ck_assert_uint_eq(fixture_pod(&l, "a", "q", "")->labels.n, 0);
}
END_TEST

/* How many series of the second day have samples, when samples of the first may stand so far into it; the first sample of the last. */
static size_t second_day(int64_t interval_ms, time_ms *first)
{
    struct sample_window w = { 0 };
    size_t n;

    ck_assert_int_eq(metrics_window(l.metrics, (struct timespan){ AT(0), AT(86400) }, &w, &l.err), 0);
    w.interval_ms = interval_ms;
    ck_assert_int_eq(metrics_window(l.metrics, (struct timespan){ AT(86400), AT(2 * 86400) }, &w, &l.err), 0);
    n = w.runs.n;
    *first = n > 0 ? fixture_first(&w.runs.v[n - 1]).time : TIME_MIN;
    vec_free(&w.runs);
    return n;
}

/* Scraped once an hour, the last time at 23:43: it stands until 0:43, though max_gap is five minutes. So do the requests, and what was said
 * of the pod comes along. An interval of half an hour ends before midnight + 13 minutes: of 17 minutes and less nothing is left. */
START_TEST(a_series_that_ended_before_midnight_may_stand_behind_it)
{
    static const char text[] =
        LABELS_OF("p", "red") "@1000\n" GPU_OF("p") "@81780\n" GPU_OF("p") "@85380\n"
        "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",uid=\"u\",container=\"c\",node=\"n\",resource=\"cpu\"} 1 @81780\n"
        "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",uid=\"u\",container=\"c\",node=\"n\",resource=\"cpu\"} 1 @85380\n";
    time_ms first;

    fixture_load_with(&l, text, NULL);
    ck_assert_uint_eq(second_day(0, &first), 0);
    ck_assert(!has_pod("p"));
    ck_assert_uint_eq(second_day(1020 * TIME_SECOND - 1, &first), 0);
    ck_assert_uint_eq(second_day(1800 * TIME_SECOND, &first), 2);
    ck_assert_int_eq(first, AT(85380));
    ck_assert_uint_eq(second_day(3600 * TIME_SECOND, &first), 2);
    ck_assert_int_eq(first, AT(85380));
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->labels, STEPS_LABELS, "400:label_example_com_team=red");
    look_at(DAYS - 1);
    ck_assert_ptr_null(diag_find(&l.diag, "W111"));
}
END_TEST

/* Each dropped sample is counted once, though days overlap at their ends; and windows of another size count the same. */
START_TEST(what_is_dropped_is_counted_once)
{
    static const char used[] = "DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\",instance=\"a\"} 1 ";
    struct sample_window w = { 0 };
    struct buf text = { 0 };
    static const int times[] = { 100, 86399, 86401, 200000 };

    for (int twice = 0; twice < 2; twice++)
        for (size_t i = 0; i < sizeof times / sizeof *times; i++)
            buf_addf(&text, "%s@%d\n", used, times[i]);
    fixture_load_with(&l, buf_str(&text), NULL);
    ck_assert_int_eq(diag_find(&l.diag, "W111")->count, 4);
    fixture_free(&l);
    setup();
    l.more_days = 0;                                   /* the fixture looks at one window, which is not the end of this */
    fixture_load_with(&l, buf_str(&text), NULL);
    ck_assert_int_eq(diag_find(&l.diag, "W111")->count, 3);
    for (int from = 0; from < 86400; from += 21600)
        ck_assert_int_eq(metrics_window(l.metrics, (struct timespan){ AT(from), AT(from + 21600) }, &w, &l.err), 0);
    ck_assert_int_eq(diag_find(&l.diag, "W111")->count, 3);
    vec_free(&w.runs);
    buf_free(&text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("window");
    TCase *t = tcase_create("days");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, what_was_said_once_holds_while_the_pod_is_seen);
    tcase_add_test(t, the_last_word_before_a_day_counts);
    tcase_add_test(t, a_pod_that_is_not_seen_for_two_days_is_forgotten);
    tcase_add_test(t, owners_of_owners_are_remembered_too);
    tcase_add_test(t, an_end_is_remembered);
    tcase_add_test(t, a_day_looks_ten_minutes_ahead);
    tcase_add_test(t, a_series_that_ended_before_midnight_may_stand_behind_it);
    tcase_add_test(t, what_is_dropped_is_counted_once);
    suite_add_tcase(s, t);
    return unit_run(s);
}
