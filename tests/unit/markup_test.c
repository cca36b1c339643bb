/* markup_test: what escaping must do to names that were chosen to do harm, and how long names are cut. */
#include "unit.h"

#include "gputab/render/markup.h"

static struct buf b;

static void text_becomes(const char *text, const char *expected)
{
    buf_clear(&b);
    markup_text(&b, text);
    ck_assert_str_eq(buf_str(&b), expected);
}

static void cut_becomes(const char *text, size_t width, const char *expected)
{
    buf_clear(&b);
    markup_add_cut(&b, text, width);
    ck_assert_str_eq(buf_str(&b), expected);
}

START_TEST(tags_and_entities_become_text)
{
    text_becomes("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
    text_becomes("a&b &amp; &#60;", "a&amp;b &amp;amp; &amp;#60;");
    text_becomes("<!-- --> ]]>", "&lt;!-- --&gt; ]]&gt;");
}
END_TEST

START_TEST(quotes_of_every_kind_are_escaped)
{
    text_becomes("\" onload='x' `y`", "&quot; onload=&#39;x&#39; &#96;y&#96;");
    buf_clear(&b);
    markup_attr(&b, "title", "\"><img src=x onerror=alert(1)>");
    ck_assert_str_eq(buf_str(&b), " title=\"&quot;&gt;&lt;img src=x onerror=alert(1)&gt;\"");
}
END_TEST

START_TEST(control_characters_and_broken_bytes_are_replaced)
{
    text_becomes("a\001\033[31mb\177", "a\xef\xbf\xbd\xef\xbf\xbd[31mb\xef\xbf\xbd");
    text_becomes("a\tb\r\nc", "a b  c");
    text_becomes("\xff\xc3", "\xef\xbf\xbd\xef\xbf\xbd");
    text_becomes("\xc2\x85", "\xef\xbf\xbd");                          /* NEL, a C1 control */
    text_becomes("\xef\xbf\xbe\xef\xb7\x90", "\xef\xbf\xbd\xef\xbf\xbd");    /* U+FFFE, U+FDD0: no characters */
}
END_TEST

START_TEST(characters_that_turn_text_around_are_replaced)
{
    text_becomes("exe.\xe2\x80\xaegpj", "exe.\xef\xbf\xbdgpj");        /* U+202E */
    text_becomes("\xe2\x81\xa6x\xe2\x81\xa9", "\xef\xbf\xbdx\xef\xbf\xbd");  /* U+2066, U+2069 */
    text_becomes("a\xe2\x80\xa8" "b", "a\xef\xbf\xbd" "b");            /* U+2028 */
}
END_TEST

START_TEST(names_of_all_scripts_stay_as_they_are)
{
    text_becomes("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d");
    text_becomes("M\xc3\xbcller \xe6\x9d\xb1\xe4\xba\xac \xf0\x9f\x9a\x80", "M\xc3\xbcller \xe6\x9d\xb1\xe4\xba\xac \xf0\x9f\x9a\x80");
}
END_TEST

START_TEST(a_name_is_kept_apart_from_the_text_around_it)
{
    buf_clear(&b);
    markup_name(&b, "a<b");
    ck_assert_str_eq(buf_str(&b), "<bdi>a&lt;b</bdi>");
}
END_TEST

START_TEST(long_names_lose_their_middle)
{
    cut_becomes("short", 5, "short");
    cut_becomes("abcdefghij", 7, "abc\xe2\x80\xa6hij");                /* 3 + 1 + 3 */
    cut_becomes("abcdefghij", 6, "abc\xe2\x80\xa6ij");                 /* 3 + 1 + 2 */
    cut_becomes("<<<<<<<<<<", 5, "&lt;&lt;\xe2\x80\xa6&lt;&lt;");      /* cut first, escaped then */
}
END_TEST

START_TEST(wide_characters_count_twice_when_names_are_cut)
{
    /* Five characters of two columns in 8: two of them, the sign, and one: 4 + 1 + 2 of at most 4 + 1 + 3. */
    cut_becomes("\xe4\xb8\x80\xe4\xba\x8c\xe4\xb8\x89\xe5\x9b\x9b\xe4\xba\x94", 8, "\xe4\xb8\x80\xe4\xba\x8c\xe2\x80\xa6\xe4\xba\x94");
}
END_TEST

static void teardown(void)
{
    buf_free(&b);
}

int main(void)
{
    Suite *s = suite_create("markup");
    TCase *t = tcase_create("markup");

    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, tags_and_entities_become_text);
    tcase_add_test(t, quotes_of_every_kind_are_escaped);
    tcase_add_test(t, control_characters_and_broken_bytes_are_replaced);
    tcase_add_test(t, characters_that_turn_text_around_are_replaced);
    tcase_add_test(t, names_of_all_scripts_stay_as_they_are);
    tcase_add_test(t, a_name_is_kept_apart_from_the_text_around_it);
    tcase_add_test(t, long_names_lose_their_middle);
    tcase_add_test(t, wide_characters_count_twice_when_names_are_cut);
    suite_add_tcase(s, t);
    return unit_run(s);
}
