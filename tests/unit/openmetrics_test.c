/* openmetrics: grammar, places of errors, and that the size of the pieces in which the text arrives never shows. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/codec/openmetrics.h"
#include "unit.h"

struct source {
    struct span text;
    size_t piece;                  /* bytes given at once; 0: all */
};

static ptrdiff_t give(void *ctx, char *p, size_t n, struct err *e)
{
    struct source *s = ctx;

    (void)e;
    if (s->piece > 0 && n > s->piece)
        n = s->piece;
    if (n > s->text.n)
        n = s->text.n;
    if (n > 0)
        memcpy(p, s->text.p, n);
    s->text.p += n;
    s->text.n -= n;
    return (ptrdiff_t)n;
}

/* Everything that the reader says of a text, one line per sample or label; an error ends it. */
static void tell(struct span text, size_t piece, struct buf *out)
{
    struct source source = { text, piece };
    struct openmetrics *r = openmetrics_new(give, &source, "m.om");
    struct openmetrics_sample s;
    const struct openmetrics_label *l;
    struct err e = { 0 };
    int rc, n = 0;

    while ((rc = openmetrics_next(r, &s, &e)) > 0 && (n = openmetrics_labels(r, &l, &e)) >= 0) {
        buf_addf(out, "%.*s %g %lld\n", (int)s.name.n, s.name.p, s.value, (long long)s.time_ms);
        for (int i = 0; i < n; i++)
            buf_addf(out, "  %.*s=%.*s\n", (int)l[i].name.n, l[i].name.p, (int)l[i].value.n, l[i].value.p);
    }
    if (rc < 0 || n < 0)
        buf_addf(out, "%s:%lld:%lld: %s\n", e.file, (long long)e.line, (long long)e.column, e.text);
    openmetrics_free(r);
}

static void check_text(const char *text, const char *expected)
{
    struct buf out = { 0 };

    tell(span_of(text), 0, &out);
    ck_assert_str_eq(buf_str(&out), expected);
    buf_free(&out);
}

START_TEST(a_sample_has_a_name_labels_a_value_and_milliseconds)
{
    check_text("up{job=\"a\",instance=\"h:1\"} 1 1791194400\nplain 2.5 1791194400.25\n# EOF\n",
               "up 1 1791194400000\n  job=a\n  instance=h:1\nplain 2.5 1791194400250\n");
}
END_TEST

START_TEST(comments_blank_lines_exemplars_and_spaces_say_nothing)
{
    check_text("# HELP up Is it up?\n# TYPE up gauge\n\n  up \t 1   1791194400  \n"
               "h_bucket{le=\"1\"} 3 1791194401 # {trace_id=\"a}b\"} 0.5 1791194400.9\r\n#EOF is no end\n# EOF",
               "up 1 1791194400000\nh_bucket 3 1791194401000\n  le=1\n");
}
END_TEST

START_TEST(escapes_in_label_values_are_undone)
{
    check_text("m{a=\"say \\\"hi\\\"\",b=\"c:\\\\\",c=\"x\\ny\",d=\"\\t\",e=\"}, {\",f=\"\",} 1 1\n# EOF\n",
               "m 1 1000\n  a=say \"hi\"\n  b=c:\\\n  c=x\ny\n  d=\\t\n  e=}, {\n  f=\n");
}
END_TEST

START_TEST(names_may_be_quoted)
{
    check_text("{\"gpu.used\",\"node.name\"=\"n1\", zone = \"z\"} 4 5\n{\"alone\"} 1 1\n# EOF\n",
               "gpu.used 4 5000\n  node.name=n1\n  zone=z\nalone 1 1000\n");
}
END_TEST

START_TEST(numbers_come_in_every_form_of_the_grammar)
{
    check_text("m 1e3 1\nm -0.5 2\nm +7 3\nm NaN 4\nm +Inf 5\nm -inf 6\nm 1.5E-2 7e0\nm 9007199254740993 8\n# EOF\n",
               "m 1000 1000\nm -0.5 2000\nm 7 3000\nm nan 4000\nm inf 5000\nm -inf 6000\nm 0.015 7000\nm 9.0072e+15 8000\n");
}
END_TEST

/* Prometheus multiplies the seconds by 1000 and drops the rest. */
START_TEST(a_time_stamp_is_cut_to_milliseconds_as_prometheus_cuts_it)
{
    check_text("m 1 1791194400.001\nm 1 1791194400.9\nm 1 1791194400.1239\nm 1 1435781430.781\nm 1 -1.5\nm 1 1791194400.\n# EOF\n",
               "m 1 1791194400001\nm 1 1791194400900\nm 1 1791194400123\nm 1 1435781430781\nm 1 -1500\nm 1 1791194400000\n");
}
END_TEST

START_TEST(every_millisecond_of_a_second_survives)
{
    for (int ms = 0; ms < 1000; ms++) {
        char text[64], expected[64];

        snprintf(text, sizeof text, "m 1 1790812800.%03d\n# EOF\n", ms);
        snprintf(expected, sizeof expected, "m 1 1790812800%03d\n", ms);
        check_text(text, expected);
    }
}
END_TEST

START_TEST(a_file_without_an_end_mark_is_refused)
{
    check_text("up 1 1\n", "up 1 1000\nm.om:2:0: file does not end with \"# EOF\": it may be cut\n");
    check_text("", "m.om:0:0: is empty\n");
    check_text("up 1 1\n# EO", "up 1 1000\nm.om:3:0: file does not end with \"# EOF\": it may be cut\n");
}
END_TEST

START_TEST(text_behind_the_end_mark_is_refused_and_blank_lines_are_not)
{
    check_text("up 1 1\n# EOF\n\n", "up 1 1000\n");
    check_text("# EOF\nup 1 1\n", "m.om:2:1: text after the \"# EOF\" line\n");
}
END_TEST

START_TEST(errors_name_line_and_column)
{
    check_text("up 1 1\nup{a=\"b\"} 12,5 7\n# EOF\n", "up 1 1000\nm.om:2:11: value \"12,5\" is not a number\n");
    check_text("up{a=\"\xc3\xa4\"} x 7\n# EOF\n", "m.om:1:11: value \"x\" is not a number\n");
    check_text("up 1\n# EOF\n", "m.om:1:5: sample has no time stamp\n");
    check_text("up 1 # {a=\"b\"} 1 1\n# EOF\n", "m.om:1:6: sample has no time stamp\n");
    check_text("up\n# EOF\n", "m.om:1:3: sample has no value\n");
    check_text("up 1 soon\n# EOF\n", "m.om:1:6: time stamp \"soon\" is not a number\n");
    check_text("up 1 1791194400000\n# EOF\n", "m.om:1:6: time stamp \"1791194400000\" is beyond the year 9999\n");
    check_text("up 1 NaN\n# EOF\n", "m.om:1:6: time stamp \"NaN\" is not a number\n");
    check_text("up 1 1 more\n# EOF\n", "m.om:1:8: text after the time stamp\n");
    check_text("up 0x10 1\n# EOF\n", "m.om:1:4: value \"0x10\" is not a number\n");
    check_text("up 1.2.3 1\n# EOF\n", "m.om:1:4: value \"1.2.3\" is not a number\n");
}
END_TEST

START_TEST(errors_in_labels_name_line_and_column)
{
    check_text("up{a=\"b\" 1 1\n# EOF\n", "m.om:1:1: labels are not closed by a brace\n");
    check_text("up{a=\"b} 1 1\n# EOF\n", "m.om:1:1: labels are not closed by a brace\n");
    check_text("up{a=b} 1 1\n# EOF\n", "m.om:1:6: label value is not quoted\n");
    check_text("up{a} 1 1\n# EOF\n", "m.om:1:5: label name is not followed by =\n");
    check_text("up{=\"b\"} 1 1\n# EOF\n", "m.om:1:4: no label name here\n");
    check_text("up{a=\"b\" c=\"d\"} 1 1\n# EOF\n", "m.om:1:10: no comma between labels\n");
    check_text("up{a=\"b\",a=\"c\"} 1 1\n# EOF\n", "m.om:1:10: label is named twice\n");
    check_text("u-p{a=\"b\"} 1 1\n# EOF\n", "m.om:1:2: metric name holds a character that no name may hold\n");
    check_text("up{\"a\",\"b\"} 1 1\n# EOF\n", "m.om:1:7: label name is not followed by =\n");
}
END_TEST

START_TEST(a_nul_byte_in_a_label_is_refused)
{
    static const char text[] = "up{a=\"x\0y\"} 1 1\n# EOF\n";
    struct buf out = { 0 };

    tell((struct span){ text, sizeof text - 1 }, 0, &out);
    ck_assert_str_eq(buf_str(&out), "m.om:1:7: label value holds a NUL byte\n");
    buf_free(&out);
}
END_TEST

static void add_labels(struct buf *b, int n)
{
    buf_adds(b, "m{");
    for (int i = 0; i < n; i++)
        buf_addf(b, "l%d=\"\",", i);
    buf_adds(b, "} 1 1\n# EOF\n");
}

START_TEST(a_sample_may_have_256_labels_and_no_more)
{
    struct buf text = { 0 }, out = { 0 };

    add_labels(&text, 256);
    tell(buf_span(&text), 0, &out);
    ck_assert(span_ends(buf_span(&out), "  l255=\n"));
    buf_clear(&text);
    buf_clear(&out);
    add_labels(&text, 257);
    tell(buf_span(&text), 0, &out);
    ck_assert_ptr_nonnull(strstr(out.p, "sample has more than 256 labels"));
    buf_free(&text);
    buf_free(&out);
}
END_TEST

static void add_line_of(struct buf *b, size_t bytes)
{
    size_t begin = b->n;

    buf_adds(b, "m{a=\"");
    buf_fill(b, 'x', bytes - 5 - strlen("\"} 1 1"));
    buf_adds(b, "\"} 1 1");
    ck_assert_uint_eq(b->n - begin, bytes);
    buf_adds(b, "\n# EOF\n");
}

START_TEST(a_line_may_have_a_mebibyte_and_no_more)
{
    struct buf text = { 0 }, out = { 0 };

    add_line_of(&text, OPENMETRICS_LINE_BYTES);
    tell(buf_span(&text), 1 << 16, &out);
    ck_assert(span_starts(buf_span(&out), "m 1 1000\n"));
    buf_clear(&text);
    buf_clear(&out);
    add_line_of(&text, OPENMETRICS_LINE_BYTES + 1);
    tell(buf_span(&text), 0, &out);
    ck_assert_str_eq(buf_str(&out), "m.om:1:0: line is longer than 1048576 bytes\n");
    buf_free(&text);
    buf_free(&out);
}
END_TEST

START_TEST(the_pieces_in_which_text_arrives_change_nothing)
{
    static const char text[] = "# TYPE a gauge\na{x=\"1\\\"\",y=\"\xc3\xa4\"} 1.5 1791194400.5\na{x=\"1\\\"\",y=\"\xc3\xa4\"} 2 1791194460\n"
                               "b 3 1791194400 # {t=\"}\"} 1 1\r\n\n{\"q\",\"w\"=\"e\"} NaN 7\n# EOF\n";
    struct buf whole = { 0 }, out = { 0 };

    tell(span_of(text), 0, &whole);
    ck_assert_ptr_null(strstr(whole.p, "m.om"));
    for (size_t piece = 1; piece < sizeof text; piece++) {
        buf_clear(&out);
        tell(span_of(text), piece, &out);
        ck_assert_str_eq(out.p, whole.p);
    }
    buf_free(&whole);
    buf_free(&out);
}
END_TEST

START_TEST(a_text_cut_anywhere_is_an_error)
{
    static const char text[] = "a{x=\"1\"} 1.5 1791194400\nb 3 1791194400\n# EOF\n";

    for (size_t n = 0; n + 2 < sizeof text; n++) {
        struct buf out = { 0 };

        tell((struct span){ text, n }, 0, &out);
        ck_assert_ptr_nonnull(strstr(out.p, "m.om:"));
        buf_free(&out);
    }
}
END_TEST

START_TEST(a_right_guess_gives_the_guess_back_and_a_wrong_one_is_ignored)
{
    static const char text[] = "a{x=\"1\"} 1 1\na{x=\"1\"} 2 2\nab 3 3\na{x=\"12\"} 4 4\n# EOF\n";
    static const char guess[] = "a{x=\"1\"}", prefix[] = "a";
    struct source source = { span_of(text), 0 };
    struct openmetrics *r = openmetrics_new(give, &source, "m.om");
    const struct openmetrics_label *l;
    struct openmetrics_sample s;
    struct err e = { 0 };

    ck_assert_int_eq(openmetrics_next(r, &s, &e), 1);
    ck_assert(span_eq(s.series, guess) && s.series.p != guess);
    openmetrics_expect(r, span_of(guess));
    ck_assert_int_eq(openmetrics_next(r, &s, &e), 1);
    ck_assert(s.series.p == guess && span_eq(s.name, "a") && s.value == 2 && s.time_ms == 2000);
    ck_assert_int_eq(openmetrics_labels(r, &l, &e), 1);
    ck_assert(span_eq(l[0].value, "1"));
    openmetrics_expect(r, span_of(prefix));
    ck_assert_int_eq(openmetrics_next(r, &s, &e), 1);
    ck_assert(span_eq(s.series, "ab") && s.value == 3);
    openmetrics_expect(r, span_of(guess));
    ck_assert_int_eq(openmetrics_next(r, &s, &e), 1);
    ck_assert(span_eq(s.series, "a{x=\"12\"}") && s.value == 4);
    ck_assert_int_eq(openmetrics_next(r, &s, &e), 0);
    openmetrics_free(r);
}
END_TEST

static ptrdiff_t fail_to_give(void *ctx, char *p, size_t n, struct err *e)
{
    (void)ctx, (void)p, (void)n;
    return err_set(e, ERR_INPUT, "disk on fire");
}

START_TEST(an_error_of_the_input_is_told_with_the_file)
{
    struct openmetrics *r = openmetrics_new(fail_to_give, NULL, "m.om");
    struct openmetrics_sample s;
    struct err e = { 0 };

    ck_assert_int_eq(openmetrics_next(r, &s, &e), -1);
    ck_assert_str_eq(e.text, "disk on fire");
    ck_assert_str_eq(e.file, "m.om");
    openmetrics_free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("openmetrics");
    TCase *t = tcase_create("openmetrics");

    tcase_add_test(t, a_sample_has_a_name_labels_a_value_and_milliseconds);
    tcase_add_test(t, comments_blank_lines_exemplars_and_spaces_say_nothing);
    tcase_add_test(t, escapes_in_label_values_are_undone);
    tcase_add_test(t, names_may_be_quoted);
    tcase_add_test(t, numbers_come_in_every_form_of_the_grammar);
    tcase_add_test(t, a_time_stamp_is_cut_to_milliseconds_as_prometheus_cuts_it);
    tcase_add_test(t, every_millisecond_of_a_second_survives);
    tcase_add_test(t, a_file_without_an_end_mark_is_refused);
    tcase_add_test(t, text_behind_the_end_mark_is_refused_and_blank_lines_are_not);
    tcase_add_test(t, errors_name_line_and_column);
    tcase_add_test(t, errors_in_labels_name_line_and_column);
    tcase_add_test(t, a_nul_byte_in_a_label_is_refused);
    tcase_add_test(t, a_sample_may_have_256_labels_and_no_more);
    tcase_add_test(t, a_line_may_have_a_mebibyte_and_no_more);
    tcase_add_test(t, the_pieces_in_which_text_arrives_change_nothing);
    tcase_add_test(t, a_text_cut_anywhere_is_an_error);
    tcase_add_test(t, a_right_guess_gives_the_guess_back_and_a_wrong_one_is_ignored);
    tcase_add_test(t, an_error_of_the_input_is_told_with_the_file);
    suite_add_tcase(s, t);
    return unit_run(s);
}
