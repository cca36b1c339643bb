/* python_repr: what Python prints of lists and dicts, and the JSON that is the same. The left sides are what repr() gives. */
#include <string.h>

#include "gputab/codec/python_repr.h"
#include "unit.h"

static const char *const pairs[][2] = {
    {"[]", "[]"},
    {"{}", "{}"},
    {"[{'name': 'a', 'amount': -1.5, 'full_name': None}]", "[{\"name\": \"a\", \"amount\": -1.5, \"full_name\": null}]"},
    {"[True, False, None]", "[true, false, null]"},
    {"{'a': 5e-06}", "{\"a\": 5e-06}"},
    {"'say \"x\"'", "\"say \\\"x\\\"\""},
    {"[\"it's\"]", "[\"it's\"]"},                            /* double quotes, where there is a single one in it */
    {"'both \\' and \"'", "\"both ' and \\\"\""},
    {"'None of True'", "\"None of True\""},
    {"'a\\\\b\\nc'", "\"a\\\\b\\nc\""},
    {"'\\x00'", "\"\\u0000\""},
    {"'h\xc3\xa9'", "\"h\xc3\xa9\""},
    {"'open", "\"open"},                                     /* never closed in either */
    {"'open\\", "\"open\\"},
    {"", ""},
};

START_TEST(what_python_prints_is_the_same_in_json)
{
    struct buf b = {0};

    python_repr_add_json(&b, span_of(pairs[_i][0]));
    ck_assert_str_eq(buf_str(&b), pairs[_i][1]);
    buf_free(&b);
}
END_TEST

START_TEST(the_first_quote_tells_it_from_json)
{
    ck_assert(python_repr_looks(span_of("[{'a': \"b\"}]")));
    ck_assert(!python_repr_looks(span_of("[{\"a\": \"it's\"}]")));
    ck_assert(!python_repr_looks(span_of("[]")));
    ck_assert(!python_repr_looks(span_of("")));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("python_repr");
    TCase *c = tcase_create("python_repr");

    tcase_add_loop_test(c, what_python_prints_is_the_same_in_json, 0, sizeof pairs / sizeof *pairs);
    tcase_add_test(c, the_first_quote_tells_it_from_json);
    suite_add_tcase(s, c);
    return unit_run(s);
}
