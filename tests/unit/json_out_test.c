/* json_out_test: exact bytes of the writer, and that an independent reader (jansson) gets back what went in. */
#include "unit.h"

#include <jansson.h>
#include <string.h>

#include "gputab/codec/json_out.h"

static struct buf out;
static struct json_out j;

static void setup(void)
{
    out = (struct buf){0};
    json_out_init(&j, &out);
}

static void teardown(void)
{
    buf_free(&out);
}

static void quoted_is(const char *in, size_t n, const char *expected)
{
    buf_clear(&out);
    json_out_add_quoted(&out, (struct span){in, n});
    ck_assert_str_eq(buf_str(&out), expected);
}

START_TEST(lines_are_indented_by_two_and_inline_containers_stay_on_their_line)
{
    json_out_object(&j, JSON_OUT_LINES);
    json_out_key(&j, "a");
    json_out_int(&j, -1);
    json_out_key(&j, "b");
    json_out_array(&j, JSON_OUT_LINES);
    json_out_object(&j, JSON_OUT_INLINE);
    json_out_key(&j, "x");
    json_out_array(&j, JSON_OUT_LINES);                    /* inside an inline one all is inline */
    json_out_bool(&j, true);
    json_out_null(&j);
    json_out_end(&j);
    json_out_key(&j, "y");
    json_out_text(&j, "z");
    json_out_end(&j);
    json_out_text(&j, NULL);
    json_out_end(&j);
    json_out_end(&j);
    ck_assert_str_eq(buf_str(&out), "{\n  \"a\": -1,\n  \"b\": [\n    {\"x\":[true,null],\"y\":\"z\"},\n    null\n  ]\n}");
}
END_TEST

START_TEST(empty_containers_have_no_line_breaks)
{
    json_out_array(&j, JSON_OUT_LINES);
    json_out_object(&j, JSON_OUT_LINES);
    json_out_end(&j);
    json_out_array(&j, JSON_OUT_LINES);
    json_out_end(&j);
    json_out_end(&j);
    ck_assert_str_eq(buf_str(&out), "[\n  {},\n  []\n]");
}
END_TEST

START_TEST(decimals_are_written_as_they_are)
{
    json_out_array(&j, JSON_OUT_INLINE);
    json_out_decimal(&j, span_of("-0.000000000001"));
    json_out_decimal(&j, span_of("99999999999999999999999999.120000"));
    json_out_decimal(&j, span_of("0"));
    json_out_int(&j, INT64_MIN);
    json_out_end(&j);
    ck_assert_str_eq(buf_str(&out), "[-0.000000000001,99999999999999999999999999.120000,0,-9223372036854775808]");
}
END_TEST

START_TEST(control_characters_quotes_and_backslashes_are_escaped)
{
    quoted_is("a\"b\\c/d", 7, "\"a\\\"b\\\\c/d\"");
    quoted_is("\b\t\n\f\r", 5, "\"\\b\\t\\n\\f\\r\"");
    quoted_is("\0\x01\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\\u007f\"");
    quoted_is("", 0, "\"\"");
    quoted_is(NULL, 0, "\"\"");
}
END_TEST

START_TEST(valid_utf8_passes_unchanged)
{
    const char *s = "é 漢 😀 \xef\xbf\xbd";            /* the last one is a real U+FFFD */

    quoted_is(s, strlen(s), "\"é 漢 😀 \xef\xbf\xbd\"");
}
END_TEST

#define FFFD "\xef\xbf\xbd"

START_TEST(malformed_bytes_become_the_replacement_character_one_by_one)
{
    quoted_is("a\xff" "b", 3, "\"a" FFFD "b\"");
    quoted_is("\xc3", 1, "\"" FFFD "\"");                         /* cut off */
    quoted_is("\xc0\xaf", 2, "\"" FFFD FFFD "\"");                /* overlong */
    quoted_is("\xed\xa0\x80", 3, "\"" FFFD FFFD FFFD "\"");       /* a surrogate */
    quoted_is("\xc3\"", 2, "\"" FFFD "\\\"\"");                   /* the quote behind a broken start is still escaped */
}
END_TEST

START_TEST(every_byte_string_is_read_back_as_valid_json)
{
    for (unsigned a = 0; a < 256; a++) {
        for (unsigned b = 1; b < 256; b++) {
            char in[3] = {(char)a, (char)b, 'x'};
            json_t *back;

            buf_clear(&out);
            json_out_add_quoted(&out, (struct span){in, sizeof in});
            back = json_loadb(out.p, out.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
            ck_assert_ptr_nonnull(back);
            if (a < 0x80 && b < 0x80) {
                ck_assert_uint_eq(json_string_length(back), 3);
                ck_assert_mem_eq(json_string_value(back), in, 3);
            }
            json_decref(back);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("json_out");
    TCase *t = tcase_create("writer");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, lines_are_indented_by_two_and_inline_containers_stay_on_their_line);
    tcase_add_test(t, empty_containers_have_no_line_breaks);
    tcase_add_test(t, decimals_are_written_as_they_are);
    tcase_add_test(t, control_characters_quotes_and_backslashes_are_escaped);
    tcase_add_test(t, valid_utf8_passes_unchanged);
    tcase_add_test(t, malformed_bytes_become_the_replacement_character_one_by_one);
    tcase_add_test(t, every_byte_string_is_read_back_as_valid_json);
    suite_add_tcase(s, t);
    return unit_run(s);
}
