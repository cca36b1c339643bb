/* path_pattern_test: names that would leave their folder, hide, mean a device or replace each other; placeholders. */
#include "unit.h"

#include "gputab/cli/path_pattern.h"

/* October 2026. */
static const struct path_words october = {.key = "team", .value = "nlp", .period = {1790812800000, 1793491200000}};

static void safe(const char *value, const char *wanted)
{
    struct buf b = {0};

    path_safe_name(&b, value);
    ck_assert_str_eq(buf_str(&b), wanted);
    buf_free(&b);
}

static void expands(const char *pattern, const struct path_words *words, const char *wanted)
{
    struct buf b = {0};

    path_pattern_add(&b, pattern, words);
    ck_assert_str_eq(buf_str(&b), wanted);
    buf_free(&b);
}

START_TEST(ordinary_names_stay)
{
    safe("nlp", "nlp");
    safe("team-a_2.x", "team-a_2.x");
    safe("東京ラボ", "東京ラボ");
    safe("(unmapped)", "(unmapped)");
}
END_TEST

START_TEST(nothing_leads_out_of_the_folder)
{
    safe("../../etc/passwd", "_._.._etc_passwd");
    safe("..", "__");
    safe(".", "_");
    safe("/", "_");
    safe("a\\b", "a_b");
    safe("c:d", "c_d");
    safe("{month}", "_month_");
}
END_TEST

START_TEST(what_systems_and_shells_would_take_for_something_else_goes)
{
    safe("-rf", "_rf");
    safe(".hidden", "_hidden");
    safe("a b\tc\n", "a_b_c_");
    safe("a\x01\x7f", "a__");
    safe("a\xff", "a_");
    safe("a\xc2\x85" "b", "a_b");                  /* a control character of Latin-1 */
    safe("a\xe2\x80\xae" "fdp.b", "a_fdp.b");              /* would turn the direction of what follows */
    safe("$(x)`y`", "_(x)_y_");
    safe("dot.", "dot_");
    safe("", "_");
    safe("con", "con_");
    safe("Aux.txt", "Aux.txt_");
    safe("COM1", "COM1_");
    safe("com", "com");
}
END_TEST

START_TEST(long_names_end_between_characters)
{
    struct buf in = {0}, out = {0};

    for (int i = 0; i < 100; i++)
        buf_adds(&in, "é");
    path_safe_name(&out, buf_str(&in));
    ck_assert_uint_eq(out.n, 120);
    buf_clear(&in);
    buf_clear(&out);
    buf_adds(&in, "x");
    for (int i = 0; i < 100; i++)
        buf_adds(&in, "é");
    path_safe_name(&out, buf_str(&in));
    ck_assert_uint_eq(out.n, 119);
    buf_free(&in);
    buf_free(&out);
}
END_TEST

START_TEST(names_that_would_be_one_file_get_numbers)
{
    static const char *const pairs[][2] = {
        {"nlp", "nlp"}, {"NLP", "NLP-2"}, {"nlp-2", "nlp-2-2"}, {"a/b", "a_b"}, {"a:b", "a_b-2"}, {"É", "É"}, {"é", "é-2"},
    };
    struct intern *taken = intern_new();

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct buf b = {0};

        path_own_name(&b, pairs[i][0], taken);
        ck_assert_str_eq(buf_str(&b), pairs[i][1]);
        buf_free(&b);
    }
    intern_free(taken);
}
END_TEST

START_TEST(placeholders_become_words)
{
    /* ten o'clock of the fifth, for an hour */
    const struct path_words hour = {.key = "gpu_model", .value = "A100", .period = {1791194400000, 1791198000000}};

    expands("out/{month}-{team}.xlsx", &october, "out/2026-10-nlp.xlsx");
    expands("{from}_{to}/{team}/{team}.csv", &october, "2026-10-01_2026-11-01/nlp/nlp.csv");
    expands("{gpu_model}-{from}.md", &hour, "A100-2026-10-05T10-00-00Z.md");
}
END_TEST

static void refused(const char *pattern, const struct path_words *words, const char *text, const char *hint)
{
    struct err e = {.code = ERR_NONE};

    ck_assert_int_eq(path_pattern_check(pattern, words, &e), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    ck_assert_msg(strstr(e.text, text), "%s", e.text);
    ck_assert_msg(!hint || strstr(e.hint, hint), "%s", e.hint);
}

START_TEST(patterns_are_checked_before_anything_is_read)
{
    struct path_words part = october;
    struct err e = {.code = ERR_NONE};

    part.period.to -= 3600000;
    ck_assert_int_eq(path_pattern_check("{month}-{team}.csv", &october, &e), 1);
    ck_assert_int_eq(path_pattern_check("{month}.csv", &october, &e), 0);
    ck_assert_int_eq(path_pattern_check("plain.csv", &october, &e), 0);
    ck_assert_int_eq(path_pattern_check("{from}-{team}.csv", &part, &e), 1);
    refused("{month}-{team}.csv", &part, "no calendar month", "{from}");
    refused("{teem}.csv", &october, "{teem} stands for nothing", "{team}");
    refused("{node}.csv", &october, "{node} stands for nothing", "{team}");
    refused("{team.csv", &october, "without its }", NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("path_pattern");
    TCase *t = tcase_create("paths");

    tcase_add_test(t, ordinary_names_stay);
    tcase_add_test(t, nothing_leads_out_of_the_folder);
    tcase_add_test(t, what_systems_and_shells_would_take_for_something_else_goes);
    tcase_add_test(t, long_names_end_between_characters);
    tcase_add_test(t, names_that_would_be_one_file_get_numbers);
    tcase_add_test(t, placeholders_become_words);
    tcase_add_test(t, patterns_are_checked_before_anything_is_read);
    suite_add_tcase(s, t);
    return unit_run(s);
}
