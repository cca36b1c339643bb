/* steady_test: samples are gathered into runs and cut as if one looked at each. */
#include "gputab/base/steady.h"

#include "unit.h"

/* 10, 20, 30 with a 5; 40 with a 6; 45 and 46 with a 6, other distances; 46 again, and 30. */
START_TEST(a_run_ends_where_value_or_distance_changes)
{
    static const struct steady wanted[] = { { 10, 5, 10, 3 }, { 40, 6, 5, 2 }, { 46, 6, 0, 1 }, { 46, 6, 0, 1 }, { 30, 6, 0, 1 } };
    static const int64_t times[] = { 10, 20, 30, 40, 45, 46, 46, 30 };
    struct steadies s = { 0 };

    for (int i = 0; i < 8; i++)
        steadies_add(&s, times[i], i < 3 ? 5 : 6);
    ck_assert_uint_eq(s.n, 5);
    ck_assert_mem_eq(s.v, wanted, sizeof wanted);
    vec_free(&s);
}
END_TEST

START_TEST(a_distance_that_has_no_room_begins_a_run)
{
    struct steadies s = { 0 };

    steadies_add(&s, INT64_MIN, 1);
    steadies_add(&s, INT64_MAX, 1);
    steadies_add(&s, INT64_MIN, 1);
    steadies_add(&s, INT64_MIN + UINT32_MAX, 1);
    steadies_add(&s, INT64_MIN + 2 * (int64_t)UINT32_MAX + 1, 1);
    ck_assert_uint_eq(s.n, 4);
    ck_assert_uint_eq(s.v[2].n, 2);
    ck_assert_uint_eq(s.v[2].spacing, UINT32_MAX);
    vec_free(&s);
}
END_TEST

/* All runs of up to five samples at up to three ms from 0 on, cut everywhere: what each sample for itself says. */
START_TEST(cutting_is_looking_at_each)
{
    for (uint32_t n = 1; n <= 5; n++)
        for (uint32_t spacing = n > 1; spacing <= (n > 1 ? 3 : 0); spacing++)
            for (int from = -2; from < 18; from++)
                for (int to = from; to < 18; to++) {
                    struct steady all = { 0, 7, spacing, n }, cut = all;
                    uint32_t kept = 0, before = 0;
                    int64_t first = 0;

                    for (uint32_t i = n; i-- > 0;) {
                        int64_t t = steady_time(&all, i);

                        before += t < from;
                        if (t < from || t > to)
                            continue;
                        kept++;
                        first = t;
                    }
                    ck_assert_uint_eq(steady_before(&all, from), before);
                    ck_assert(steady_cut(&cut, from, to) == (kept > 0));
                    if (kept == 0)
                        continue;
                    ck_assert_int_eq(cut.first, first);
                    ck_assert_uint_eq(cut.n, kept);
                    ck_assert_uint_eq(cut.spacing, kept > 1 ? spacing : 0);
                    ck_assert_uint_eq(cut.value, 7);
                }
}
END_TEST

START_TEST(all_of_time_keeps_all)
{
    struct steady s = { INT64_MAX - 2, 1, 1, 3 };

    ck_assert(steady_cut(&s, INT64_MIN, INT64_MAX));
    ck_assert_uint_eq(s.n, 3);
    ck_assert(steady_cut(&s, INT64_MAX - 1, INT64_MAX));
    ck_assert_uint_eq(s.n, 2);
}
END_TEST

START_TEST(order_is_that_of_all_times)
{
    static const struct steady v[] = { { 0, 1, 10, 3 }, { 21, 1, 0, 1 }, { 21, 2, 0, 1 } };

    ck_assert(steady_in_order(v, 0));
    ck_assert(steady_in_order(v, 2));
    ck_assert(!steady_in_order(v, 3));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("steady");
    TCase *t = tcase_create("all");

    tcase_add_test(t, a_run_ends_where_value_or_distance_changes);
    tcase_add_test(t, a_distance_that_has_no_room_begins_a_run);
    tcase_add_test(t, cutting_is_looking_at_each);
    tcase_add_test(t, all_of_time_keeps_all);
    tcase_add_test(t, order_is_that_of_all_times);
    suite_add_tcase(s, t);
    return unit_run(s);
}
