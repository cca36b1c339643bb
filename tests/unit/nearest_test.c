/* nearest: which known name a mistyped word meant. Distances were counted by hand. */
#include <string.h>

#include "gputab/base/nearest.h"
#include "unit.h"

static const char *nearest_of(const char *word)
{
    static const char *const names[] = { "team", "until", "capacity", "usable", "residents", "denominator" };
    struct nearest n = nearest_to(word);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        nearest_try(&n, names[i]);
    return n.name;
}

START_TEST(one_slip_finds_its_name)
{
    ck_assert_str_eq(nearest_of("teams"), "team");
    ck_assert_str_eq(nearest_of("tem"), "team");
    ck_assert_str_eq(nearest_of("unitl"), "until");          /* a swap counts one */
    ck_assert_str_eq(nearest_of("UNTIL"), "until");
    ck_assert_str_eq(nearest_of("denominater"), "denominator");
    ck_assert_str_eq(nearest_of("demoninator"), "denominator");
}
END_TEST

START_TEST(more_than_a_third_off_is_no_slip)
{
    ck_assert_str_eq(nearest_of("usabxy"), "usable");        /* 2 of 6 */
    ck_assert_ptr_eq(nearest_of("usaxyz"), NULL);            /* 3 of 6 */
    ck_assert_ptr_eq(nearest_of("owner"), NULL);
    ck_assert_ptr_eq(nearest_of(""), NULL);
}
END_TEST

START_TEST(the_nearest_of_several_wins_and_the_first_of_equals)
{
    struct nearest n = nearest_to("bat");

    nearest_try(&n, "cat");
    nearest_try(&n, "rat");
    ck_assert_str_eq(n.name, "cat");
    nearest_try(&n, "bat");
    ck_assert_str_eq(n.name, "bat");
    ck_assert_uint_eq(n.distance, 0);
}
END_TEST

START_TEST(long_words_have_no_nearest_name)
{
    char word[200];

    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = '\0';
    ck_assert_ptr_eq(nearest_of(word), NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nearest");
    TCase *t = tcase_create("nearest");

    tcase_add_test(t, one_slip_finds_its_name);
    tcase_add_test(t, more_than_a_third_off_is_no_slip);
    tcase_add_test(t, the_nearest_of_several_wins_and_the_first_of_equals);
    tcase_add_test(t, long_words_have_no_nearest_name);
    suite_add_tcase(s, t);
    return unit_run(s);
}
