/* om_label_test: values that would break a line, and values that must not become the same. */
#include "unit.h"

#include "gputab/render/om_label.h"

static void becomes(const char *value, const char *wanted)
{
    struct buf b = {0};

    om_label(&b, "team", value);
    ck_assert_str_eq(buf_str(&b), wanted);
    buf_free(&b);
}

START_TEST(values_are_escaped_as_the_formats_ask)
{
    becomes("nlp", "team=\"nlp\"");
    becomes("", "team=\"\"");
    becomes("a\"b", "team=\"a\\\"b\"");
    becomes("a\\b", "team=\"a\\\\b\"");
    becomes("a\nb", "team=\"a\\nb\"");
    becomes("東京 {x=\t1}", "team=\"東京 {x=\t1}\"");
}
END_TEST

START_TEST(bytes_that_are_no_utf8_stay_different)
{
    becomes("a\xff", "team=\"a\xef\xbf\xbd" "ff\"");
    becomes("a\xfe", "team=\"a\xef\xbf\xbd" "fe\"");
    becomes("a\xef\xbf\xbd", "team=\"a\xef\xbf\xbd\"");            /* U+FFFD itself is a character */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("om_label");
    TCase *t = tcase_create("labels");

    tcase_add_test(t, values_are_escaped_as_the_formats_ask);
    tcase_add_test(t, bytes_that_are_no_utf8_stay_different);
    suite_add_tcase(s, t);
    return unit_run(s);
}
