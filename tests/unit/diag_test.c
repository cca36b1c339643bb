#include "unit.h"

#include <string.h>

#include "gputab/base/diag.h"

START_TEST(a_text_said_once_counts_once)
{
    struct diag d = {0};

    for (int hour = 0; hour < 24; hour++)
        diag_once(&d, "W210", "%s: no CPU series", "node-1");
    diag_once(&d, "W210", "%s: no CPU series", "node-2");
    diag_once(&d, "W211", "%s: no CPU series", "node-3");
    ck_assert_int_eq(diag_find(&d, "W210")->count, 2);
    ck_assert_str_eq(diag_find(&d, "W210")->texts[1], "node-2: no CPU series");
    ck_assert_int_eq(diag_find(&d, "W211")->count, 1);
    diag_free(&d);
}
END_TEST

START_TEST(warnings_are_counted_by_code_and_sorted)
{
    struct diag d = { 0 };

    diag_add(&d, "W210", "b");
    diag_add(&d, "W201", "a");
    diag_add(&d, "W205", "c");
    diag_add(&d, "W201", "a");
    ck_assert_uint_eq(d.n, 3);
    ck_assert_str_eq(d.items[0].code, "W201");
    ck_assert_str_eq(d.items[1].code, "W205");
    ck_assert_str_eq(d.items[2].code, "W210");
    ck_assert_int_eq(diag_find(&d, "W201")->count, 2);
    ck_assert_ptr_null(diag_find(&d, "W202"));
    diag_free(&d);
    ck_assert_uint_eq(d.n, 0);
}
END_TEST

/* Whatever the order of arrival, the same texts stay: the three smallest, each once. */
START_TEST(the_smallest_texts_stay_in_every_order)
{
    static const char *const texts[] = { "e", "b", "d", "a", "c", "b", "a" };
    enum { N = 7 };

    for (int start = 0; start < N; start++) {
        for (int step = 1; step < N; step++) {
            struct diag d = { 0 };
            const struct diag_item *item;

            for (int i = 0; i < N; i++)
                diag_add(&d, "W1", "%s", texts[(start + i * step) % N]);
            item = diag_find(&d, "W1");
            ck_assert_int_eq(item->count, N);
            ck_assert_str_eq(item->texts[0], "a");
            ck_assert_str_eq(item->texts[1], "b");
            ck_assert_str_eq(item->texts[2], "c");
            diag_free(&d);
        }
    }
}
END_TEST

START_TEST(fewer_texts_leave_empty_places)
{
    struct diag d = { 0 };

    diag_add(&d, "W1", "only");
    diag_add(&d, "W1", "only");
    ck_assert_str_eq(d.items[0].texts[0], "only");
    ck_assert_ptr_null(d.items[0].texts[1]);
    ck_assert_ptr_null(d.items[0].texts[2]);
    diag_free(&d);
}
END_TEST

START_TEST(the_first_hint_stays_and_a_hint_alone_makes_no_warning)
{
    struct diag d = { 0 };

    diag_hint(&d, "W1", "too early");
    ck_assert_ptr_null(diag_find(&d, "W1"));
    diag_add(&d, "W1", "text");
    diag_hint(&d, "W1", "set %s", "x");
    diag_hint(&d, "W1", "other");
    ck_assert_str_eq(diag_find(&d, "W1")->hint, "set x");
    diag_free(&d);
}
END_TEST

START_TEST(long_texts_are_cut_at_a_character)
{
    struct diag d = { 0 };
    char text[1001] = "x";

    for (int i = 0; i < 499; i++)
        memcpy(text + 1 + 2 * i, "\xc3\xa9", 3);
    diag_add(&d, "W1", "%s", text);
    ck_assert_uint_eq(strlen(d.items[0].texts[0]), 511);
    diag_add(&d, "W2", "x%s", text);
    ck_assert_uint_eq(strlen(d.items[1].texts[0]), 510);
    diag_free(&d);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("diag");
    TCase *t = tcase_create("diag");

    tcase_add_test(t, a_text_said_once_counts_once);
    tcase_add_test(t, warnings_are_counted_by_code_and_sorted);
    tcase_add_test(t, the_smallest_texts_stay_in_every_order);
    tcase_add_test(t, fewer_texts_leave_empty_places);
    tcase_add_test(t, the_first_hint_stays_and_a_hint_alone_makes_no_warning);
    tcase_add_test(t, long_texts_are_cut_at_a_character);
    suite_add_tcase(s, t);
    return unit_run(s);
}
