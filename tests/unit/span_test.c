#include "unit.h"

#include <string.h>

#include "gputab/base/span.h"

static const struct span none = { NULL, 0 };

START_TEST(the_empty_span_is_equal_to_the_empty_string)
{
    ck_assert(span_eq(none, ""));
    ck_assert(span_same(none, span_of("")));
    ck_assert(span_same(none, span_of(NULL)));
    ck_assert_int_eq(span_cmp(none, span_of("")), 0);
    ck_assert(span_eq_fold(none, ""));
    ck_assert(span_starts(none, ""));
    ck_assert(!span_starts(none, "a"));
    ck_assert(span_ends(none, ""));
    ck_assert(span_has_fold(none, ""));
    ck_assert(!span_has_fold(none, "a"));
    ck_assert_uint_eq(span_trim(none).n, 0);
    ck_assert_uint_eq(span_after_last(none, '/').n, 0);
    ck_assert(span_glob(none, ""));
    ck_assert(span_glob(none, "**"));
    ck_assert(!span_glob(none, "?"));
}
END_TEST

/* All lengths up to 70, whole and with each byte changed in turn; copies end where they should. */
START_TEST(every_byte_counts_whatever_the_length)
{
    char a[70], b[70], to[72];

    for (size_t i = 0; i < sizeof a; i++)
        a[i] = b[i] = (char)('a' + i % 23);
    for (size_t n = 0; n <= sizeof a; n++) {
        ck_assert(span_same((struct span){ a, n }, (struct span){ b, n }));
        for (size_t i = 0; i < n; i++) {
            b[i] ^= 1;
            ck_assert(!span_same((struct span){ a, n }, (struct span){ b, n }));
            b[i] ^= 1;
        }
        memset(to, '#', sizeof to);
        ck_assert_ptr_eq(span_copy(to + 1, (struct span){ a, n }), to + 1 + n);
        ck_assert(memcmp(to + 1, a, n) == 0 && to[0] == '#' && to[n + 1] == '#');
    }
    ck_assert(!span_same((struct span){ a, 3 }, (struct span){ a, 4 }));
}
END_TEST

START_TEST(comparing_is_exact_unless_folded)
{
    ck_assert(span_eq(span_of("Cost"), "Cost"));
    ck_assert(!span_eq(span_of("Cost"), "cost"));
    ck_assert(!span_eq(span_of("Cost"), "Costs"));
    ck_assert(span_eq_fold(span_of("COSTinUSD"), "costInusd"));
    ck_assert(!span_eq_fold(span_of("cost"), "cosy"));
    ck_assert(!span_eq_fold(span_of("@"), "`"));       /* neighbours of the letters don't fold */
    ck_assert(!span_eq_fold(span_of("["), "{"));
}
END_TEST

START_TEST(order_is_by_unsigned_bytes_and_shorter_first)
{
    ck_assert_int_lt(span_cmp(span_of("a"), span_of("ab")), 0);
    ck_assert_int_gt(span_cmp(span_of("b"), span_of("ab")), 0);
    ck_assert_int_lt(span_cmp(span_of("Z"), span_of("a")), 0);
    ck_assert_int_gt(span_cmp(span_of("\xc3"), span_of("z")), 0);
}
END_TEST

START_TEST(ends_and_needles_are_found)
{
    struct span s = span_of("SharedVCore");

    ck_assert(span_starts(s, "Shared"));
    ck_assert(!span_starts(s, "shared"));
    ck_assert(span_ends(s, "VCore"));
    ck_assert(!span_ends(s, "xSharedVCore"));
    ck_assert(span_has_fold(s, "dvc"));
    ck_assert(span_has_fold(s, "core"));
    ck_assert(!span_has_fold(s, "cores"));
}
END_TEST

START_TEST(trimming_takes_white_space_of_both_ends_only)
{
    ck_assert(span_eq(span_trim(span_of(" \t\r\n a b\v\f ")), "a b"));
    ck_assert(span_eq(span_trim(span_of("   ")), ""));
    ck_assert(span_eq(span_trim(span_of("\xc2\xa0x")), "\xc2\xa0x"));      /* ASCII white space only */
}
END_TEST

START_TEST(the_last_part_of_a_path)
{
    ck_assert(span_eq(span_after_last(span_of("a/b/c"), '/'), "c"));
    ck_assert(span_eq(span_after_last(span_of("abc"), '/'), "abc"));
    ck_assert(span_eq(span_after_last(span_of("abc/"), '/'), ""));
}
END_TEST

static const struct { const char *text, *pattern; bool match; } globs[] = {
    { "nlp-train", "nlp-*", true },
    { "nlp", "nlp-*", false },
    { "nlp-", "nlp-*", true },
    { "nlp", "*", true },
    { "nlp", "n?p", true },
    { "np", "n?p", false },
    { "abcabd", "*abd", true },
    { "abcabda", "*abd", false },
    { "aXbXc", "a*X?", true },
    { "mississippi", "m*iss*p?", true },
    { "mississippi", "m*iss*x*", false },
    { "a*b", "a*b", true },
    { "\xc3\xa9t\xc3\xa9", "?t?", true },              /* one character, two bytes */
    { "\xc3\xa9", "??", false },
    { "\xc3\xa9", "*??", false },
    { "\xff\xfe", "??", true },                        /* bytes that are no character count one by one */
    { "\xe6\x97\xa5x", "*?x", true },
    { "Nlp", "nlp", false },
};

START_TEST(globs_match_the_whole_text)
{
    ck_assert_msg(span_glob(span_of(globs[_i].text), globs[_i].pattern) == globs[_i].match, "'%s' against '%s'", globs[_i].text,
                  globs[_i].pattern);
}
END_TEST

START_TEST(a_glob_of_many_stars_is_not_exponential)
{
    char text[2001];

    memset(text, 'a', 2000);
    text[2000] = '\0';
    ck_assert(!span_glob(span_of(text), "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"));
}
END_TEST

START_TEST(a_nul_byte_does_not_end_a_text)
{
    ck_assert(!span_glob((struct span){ "a\0b", 3 }, "a"));
    ck_assert(span_glob((struct span){ "a\0b", 3 }, "a?b"));
    ck_assert(!span_eq((struct span){ "a\0b", 3 }, "a"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("span");
    TCase *t = tcase_create("span");

    tcase_add_test(t, the_empty_span_is_equal_to_the_empty_string);
    tcase_add_test(t, every_byte_counts_whatever_the_length);
    tcase_add_test(t, comparing_is_exact_unless_folded);
    tcase_add_test(t, order_is_by_unsigned_bytes_and_shorter_first);
    tcase_add_test(t, ends_and_needles_are_found);
    tcase_add_test(t, trimming_takes_white_space_of_both_ends_only);
    tcase_add_test(t, the_last_part_of_a_path);
    tcase_add_loop_test(t, globs_match_the_whole_text, 0, (int)(sizeof globs / sizeof *globs));
    tcase_add_test(t, a_glob_of_many_stars_is_not_exponential);
    tcase_add_test(t, a_nul_byte_does_not_end_a_text);
    suite_add_tcase(s, t);
    return unit_run(s);
}
