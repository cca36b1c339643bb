#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "gputab/base/intern.h"

START_TEST(id_zero_is_the_empty_string)
{
    struct intern *t = intern_new();

    ck_assert_uint_eq(intern_count(t), 1);
    ck_assert_uint_eq(intern_str(t, ""), 0);
    ck_assert_uint_eq(intern_put(t, NULL, 0), 0);
    ck_assert_uint_eq(intern_span(t, (struct span){ NULL, 0 }), 0);
    ck_assert_uint_eq(intern_find(t, "", 0), 0);
    ck_assert_str_eq(intern_cstr(t, 0), "");
    ck_assert_uint_eq(intern_get(t, 0).n, 0);
    intern_free(t);
    intern_free(NULL);
}
END_TEST

START_TEST(equal_bytes_have_equal_ids_and_ids_are_dense)
{
    struct intern *t = intern_new();
    char text[] = "nlp";

    ck_assert_uint_eq(intern_str(t, text), 1);
    text[0] = 'x';                                     /* the table has its own copy */
    ck_assert_uint_eq(intern_str(t, "vision"), 2);
    ck_assert_uint_eq(intern_span(t, (struct span){ "nlpzzz", 3 }), 1);
    ck_assert_str_eq(intern_cstr(t, 1), "nlp");
    ck_assert_uint_eq(intern_find(t, "vision", 6), 2);
    ck_assert_uint_eq(intern_find(t, "visio", 5), 0);
    ck_assert_uint_eq(intern_count(t), 3);
    intern_free(t);
}
END_TEST

/* 40 are more than are looked up together; some are empty, some are there twice, and the table grows in between. */
START_TEST(several_at_once_are_the_same_as_one_by_one)
{
    struct intern *one = intern_new(), *all = intern_new();
    char text[100][8];
    struct span texts[100];
    uint32_t ids[100];

    for (size_t i = 0; i < 100; i++) {
        snprintf(text[i], sizeof text[i], "%zu", i % 7 == 3 ? 5 : i);
        texts[i] = i % 11 == 4 ? (struct span){ NULL, 0 } : span_of(text[i]);
    }
    for (size_t from = 0; from < 100; from += 40) {
        size_t n = from + 40 < 100 ? 40 : 100 - from;

        intern_put_all(all, texts + from, n, ids + from);
        for (size_t i = from; i < from + n; i++)
            ck_assert_uint_eq(ids[i], intern_span(one, texts[i]));
    }
    ck_assert_uint_eq(intern_count(all), intern_count(one));
    intern_put_all(all, NULL, 0, ids);
    intern_free(one);
    intern_free(all);
}
END_TEST

START_TEST(keys_may_hold_any_bytes)
{
    struct intern *t = intern_new();
    uint32_t one[2] = { 0, 1 }, two[2] = { 0, 2 };
    uint32_t a = intern_put(t, one, sizeof one), b = intern_put(t, two, sizeof two);
    uint32_t c = intern_put(t, "\0", 1), d = intern_put(t, "\0\0", 2);

    ck_assert_uint_ne(a, b);
    ck_assert_uint_ne(c, d);
    ck_assert_uint_ne(c, 0);
    ck_assert_uint_eq(intern_put(t, one, sizeof one), a);
    ck_assert_uint_eq(intern_get(t, d).n, 2);
    ck_assert_mem_eq(intern_get(t, b).p, two, sizeof two);
    intern_free(t);
}
END_TEST

START_TEST(many_strings_survive_every_growth)
{
    enum { N = 100000 };
    struct intern *t = intern_new();
    struct span first;
    char key[32];

    intern_str(t, "k0");
    first = intern_get(t, 1);
    for (int i = 0; i < N; i++) {
        snprintf(key, sizeof key, "k%d", i);
        ck_assert_uint_eq(intern_str(t, key), (uint32_t)i + 1);
    }
    ck_assert_ptr_eq(intern_get(t, 1).p, first.p);
    for (int i = 0; i < N; i += 7) {
        snprintf(key, sizeof key, "k%d", i);
        ck_assert_uint_eq(intern_find(t, key, strlen(key)), (uint32_t)i + 1);
        ck_assert_str_eq(intern_cstr(t, (uint32_t)i + 1), key);
    }
    ck_assert_uint_eq(intern_find(t, "absent", 6), 0);
    intern_free(t);
}
END_TEST

/* Every length around the hash's steps of eight bytes, each byte changed in turn. */
START_TEST(one_changed_byte_makes_another_string)
{
    struct intern *t = intern_new();
    uint32_t made = 1;

    for (size_t n = 1; n <= 40; n++) {
        char key[40];

        memset(key, 'a', sizeof key);
        ck_assert_uint_eq(intern_put(t, key, n), made++);
        for (size_t i = 0; i < n; i++) {
            key[i] = 'b';
            ck_assert_uint_eq(intern_put(t, key, n), made++);
            key[i] = 'a';
        }
    }
    ck_assert_uint_eq(intern_count(t), made);
    intern_free(t);
}
END_TEST

START_TEST(comparing_is_by_bytes_not_by_arrival)
{
    struct intern *t = intern_new();
    uint32_t z = intern_str(t, "z"), a = intern_str(t, "a"), ab = intern_str(t, "ab"), high = intern_str(t, "\xc3\xa9");

    ck_assert_int_gt(intern_cmp(t, z, a), 0);
    ck_assert_int_lt(intern_cmp(t, a, ab), 0);
    ck_assert_int_gt(intern_cmp(t, high, z), 0);
    ck_assert_int_lt(intern_cmp(t, 0, a), 0);
    ck_assert_int_eq(intern_cmp(t, z, z), 0);
    intern_free(t);
}
END_TEST

/* What came behind the mark goes, and comes again under another number or the same; what came before stays where it was. */
START_TEST(strings_behind_the_mark_can_go)
{
    struct intern *t = intern_new();
    const char *first;
    char text[16];

    for (int i = 0; i < 1000; i++)
        intern_put(t, text, (size_t)snprintf(text, sizeof text, "old-%d", i));
    intern_mark(t);
    first = intern_cstr(t, 1);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5000; i++)
            intern_put(t, text, (size_t)snprintf(text, sizeof text, "new-%d-%d", round, i));
        ck_assert_uint_eq(intern_count(t), 1 + 1000 + 5000);
        intern_release(t);
        ck_assert_uint_eq(intern_count(t), 1 + 1000);
        ck_assert_uint_eq(intern_find(t, "new-0-7", 7), 0);
        for (uint32_t i = 0; i < 1000; i++)
            ck_assert_uint_eq(intern_find(t, text, (size_t)snprintf(text, sizeof text, "old-%u", i)), i + 1);
        ck_assert_ptr_eq(intern_cstr(t, 1), first);
    }
    intern_free(t);
}
END_TEST

/* A second mark keeps what came behind the first. */
START_TEST(a_mark_moves_on)
{
    struct intern *t = intern_new();

    intern_str(t, "a");
    intern_mark(t);
    intern_str(t, "b");
    intern_mark(t);
    intern_str(t, "c");
    intern_release(t);
    ck_assert_uint_eq(intern_count(t), 3);
    ck_assert_str_eq(intern_cstr(t, 2), "b");
    ck_assert_uint_eq(intern_bytes(t), 2);
    ck_assert_uint_eq(intern_str(t, "d"), 3);
    intern_free(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("intern");
    TCase *t = tcase_create("intern");

    tcase_add_test(t, id_zero_is_the_empty_string);
    tcase_add_test(t, equal_bytes_have_equal_ids_and_ids_are_dense);
    tcase_add_test(t, several_at_once_are_the_same_as_one_by_one);
    tcase_add_test(t, keys_may_hold_any_bytes);
    tcase_add_test(t, many_strings_survive_every_growth);
    tcase_add_test(t, one_changed_byte_makes_another_string);
    tcase_add_test(t, comparing_is_by_bytes_not_by_arrival);
    tcase_add_test(t, strings_behind_the_mark_can_go);
    tcase_add_test(t, a_mark_moves_on);
    suite_add_tcase(s, t);
    return unit_run(s);
}
