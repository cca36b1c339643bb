#include "unit.h"

#include <string.h>

#include "gputab/base/err.h"

START_TEST(the_first_error_wins)
{
    struct err e = { 0 };

    ck_assert_int_eq(err_set(&e, ERR_INPUT, "row %d is short", 7), -1);
    ck_assert_int_eq(err_set(&e, ERR_INTERNAL, "something later"), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.text, "row 7 is short");
}
END_TEST

START_TEST(a_place_is_added_only_where_none_is_set)
{
    struct err e = { 0 };

    err_set(&e, ERR_INPUT, "bad");
    ck_assert_int_eq(err_at(&e, NULL, 12, 3), -1);
    err_at(&e, "bill.csv", 99, 1);
    ck_assert_str_eq(e.file, "bill.csv");
    ck_assert_int_eq(e.line, 12);
    ck_assert_int_eq(e.column, 3);
}
END_TEST

START_TEST(a_line_of_another_file_is_not_mixed_in)
{
    struct err e = { 0 };

    err_set(&e, ERR_INPUT, "bad");
    err_at(&e, "bill.csv", 0, 0);
    err_at(&e, "rule.yaml", 4, 2);
    ck_assert_str_eq(e.file, "bill.csv");
    ck_assert_int_eq(e.line, 0);
    err_at(&e, "bill.csv", 5, 6);
    ck_assert_int_eq(e.line, 5);
    ck_assert_int_eq(e.column, 6);
}
END_TEST

START_TEST(a_long_file_name_keeps_its_tail)
{
    struct err e = { 0 };
    char name[1001];

    memset(name, 'd', sizeof name);
    memcpy(name + 992, "last.csv", 9);
    err_set(&e, ERR_INPUT, "bad");
    err_at(&e, name, 1, 1);
    ck_assert_uint_eq(strlen(e.file), sizeof e.file - 1);
    ck_assert_int_eq(strncmp(e.file, "...d", 4), 0);
    ck_assert_str_eq(e.file + strlen(e.file) - 8, "last.csv");
}
END_TEST

START_TEST(the_first_hint_stays)
{
    struct err e = { 0 };

    err_set(&e, ERR_USAGE, "no such key");
    ck_assert_int_eq(err_hint(&e, "did you mean %s?", "team"), -1);
    err_hint(&e, "read the manual");
    ck_assert_str_eq(e.hint, "did you mean team?");
}
END_TEST

START_TEST(wrapping_puts_a_prefix_in_front)
{
    struct err e = { 0 };

    err_set(&e, ERR_INPUT, "not a number");
    ck_assert_int_eq(err_wrap(&e, "column \"%s\"", "cost"), -1);
    ck_assert_str_eq(e.text, "column \"cost\": not a number");
}
END_TEST

START_TEST(long_texts_are_cut_and_never_inside_a_character)
{
    struct err e = { 0 };
    char text[2001] = "";

    for (int i = 0; i < 1000; i++)
        memcpy(text + 2 * i, "\xc3\xa9", 2);
    err_set(&e, ERR_INPUT, "%s", text);
    ck_assert_uint_eq(strlen(e.text), 510);            /* 511 bytes of room, two a character */
    err_wrap(&e, "x");
    ck_assert_uint_eq(strlen(e.text), 511);            /* "x: " and 254 characters */
    ck_assert_int_eq(strncmp(e.text, "x: \xc3\xa9", 5), 0);
    err_wrap(&e, "%s", text);
    ck_assert_uint_eq(strlen(e.text), 510);
}
END_TEST

START_TEST(a_cleared_error_can_be_set_again)
{
    struct err e = { 0 };

    err_set(&e, ERR_INPUT, "one");
    err_at(&e, "f", 1, 1);
    err_clear(&e);
    ck_assert_int_eq(e.code, ERR_NONE);
    err_set(&e, ERR_GATE, "two");
    ck_assert_str_eq(e.text, "two");
    ck_assert_str_eq(e.file, "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("err");
    TCase *t = tcase_create("err");

    tcase_add_test(t, the_first_error_wins);
    tcase_add_test(t, a_place_is_added_only_where_none_is_set);
    tcase_add_test(t, a_line_of_another_file_is_not_mixed_in);
    tcase_add_test(t, a_long_file_name_keeps_its_tail);
    tcase_add_test(t, the_first_hint_stays);
    tcase_add_test(t, wrapping_puts_a_prefix_in_front);
    tcase_add_test(t, long_texts_are_cut_and_never_inside_a_character);
    tcase_add_test(t, a_cleared_error_can_be_set_again);
    suite_add_tcase(s, t);
    return unit_run(s);
}
