/* open_runs_test: runs of a window, packed and not, as those see them who look at some of them. */
#include "gputab/core/open_runs.h"
#include "gputab/value/sample_pack.h"
#include "unit.h"

static const struct sample first[] = { { 0, 7 }, { 60, 7 }, { 120, 9 } }, second[] = { { 5, 1 } }, third[] = { { 1, 3 }, { 2, 4 } };
static struct buf packed;
static struct sample_window window;
static struct open_runs o;

static struct sample_run pack(uint32_t series, const struct sample *v, size_t n)
{
    size_t at = packed.n;

    sample_pack_add(&packed, v, n);
    return (struct sample_run){ .series = series, .n = n, .packed = { packed.p + at, packed.n - at } };
}

/* Of five series the first and the third are packed, the fourth is not, the others have no samples. */
static void setup(void)
{
    buf_reserve(&packed, 1000);                        /* nothing moves then */
    vec_push(&window.runs, pack(0, first, 3));
    vec_push(&window.runs, pack(2, second, 1));
    vec_push(&window.runs, (struct sample_run){ .series = 3, .v = third, .n = 2 });
    window.n_series = 5;
    open_runs_take(&o, &window);
}

static void teardown(void)
{
    open_runs_free(&o);
    o = (struct open_runs){ 0 };
    vec_free(&window.runs);
    buf_free(&packed);
}

static void check_run(uint32_t series, const struct sample *wanted, size_t n)
{
    const struct sample_run *run = o.of_series[series];

    ck_assert_ptr_nonnull(run);
    ck_assert_uint_eq(run->series, series);
    ck_assert_uint_eq(run->n, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(run->v[i].time, wanted[i].time);
        ck_assert_uint_eq(run->v[i].value, wanted[i].value);
    }
}

static void open_these(const uint32_t *series, size_t n)
{
    open_runs_want(&o, series, n);
    open_runs_open(&o);
}

START_TEST(wanted_runs_are_there_and_no_others)
{
    open_these((uint32_t[]){ 2, 1, 0 }, 3);
    check_run(0, first, 3);
    check_run(2, second, 1);
    ck_assert_ptr_null(o.of_series[1]);
    ck_assert_ptr_null(o.of_series[3]);
    ck_assert_ptr_null(o.of_series[4]);
}
END_TEST

START_TEST(what_is_not_packed_is_seen_where_it_lies)
{
    open_these((uint32_t[]){ 3, 0 }, 2);
    check_run(3, third, 2);
    ck_assert_ptr_eq(o.of_series[3]->v, third);
    check_run(0, first, 3);
}
END_TEST

START_TEST(a_run_that_is_wanted_twice_is_opened_once)
{
    open_runs_want(&o, (uint32_t[]){ 0, 0 }, 2);
    open_these((uint32_t[]){ 0, 3, 3 }, 3);
    check_run(0, first, 3);
    check_run(3, third, 2);
    ck_assert_uint_eq(o.runs.n, 1);
    ck_assert_uint_eq(o.samples.n, 3);
}
END_TEST

START_TEST(closed_runs_are_gone_and_can_be_opened_again)
{
    open_these((uint32_t[]){ 0, 3 }, 2);
    open_runs_close(&o);
    for (size_t i = 0; i < window.n_series; i++)
        ck_assert_ptr_null(o.of_series[i]);
    open_these((uint32_t[]){ 2 }, 1);
    check_run(2, second, 1);
    ck_assert_ptr_null(o.of_series[0]);
    open_runs_close(&o);
    open_these((uint32_t[]){ 0 }, 1);
    check_run(0, first, 3);
}
END_TEST

/* The next window has fewer series, and its run is another one. */
START_TEST(another_window_begins_with_nothing_open)
{
    open_these((uint32_t[]){ 0, 2, 3 }, 3);
    vec_clear(&window.runs);
    vec_push(&window.runs, pack(1, third, 2));
    window.n_series = 2;
    open_runs_take(&o, &window);
    ck_assert_ptr_null(o.of_series[0]);
    ck_assert_ptr_null(o.of_series[1]);
    open_these((uint32_t[]){ 0, 1 }, 2);
    ck_assert_ptr_null(o.of_series[0]);
    check_run(1, third, 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("open_runs");
    TCase *t = tcase_create("open_runs");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, wanted_runs_are_there_and_no_others);
    tcase_add_test(t, what_is_not_packed_is_seen_where_it_lies);
    tcase_add_test(t, a_run_that_is_wanted_twice_is_opened_once);
    tcase_add_test(t, closed_runs_are_gone_and_can_be_opened_again);
    tcase_add_test(t, another_window_begins_with_nothing_open);
    suite_add_tcase(s, t);
    return unit_run(s);
}
