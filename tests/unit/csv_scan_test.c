/* csv_scan: the marks of texts that were marked by hand, and that every way gives the same ones. */
#include <string.h>

#include "gputab/codec/csv_scan.h"
#include "unit.h"

enum { TEXT = 300, BLOCKS = TEXT / 64 + 1 };

/* text above, what is wanted of each byte below: c cut, e end, . nothing; it ends where marking stops. Behind `shift` other bytes, so that
 * every byte of it stands once at the end of a vector and once at the start. */
static void expect_marks(const struct csv_scan *scan, const char *text, size_t n, const char *want)
{
    for (size_t shift = 0; shift < 130; shift++) {
        char all[TEXT];
        struct csv_marks marks[BLOCKS];
        bool lines = false;
        size_t got;

        memset(all, 'x', sizeof all);
        if (shift)
            all[shift - 1] = ',';
        memcpy(all + shift, text, n);
        got = scan->mark(all, shift + n, ',', marks, &lines);
        ck_assert_msg(got == shift + strlen(want), "%s: %zu bytes of \"%s\" behind %zu are marked", scan->name, got - shift, text, shift);
        for (size_t i = shift; i < (got + 63) / 64 * 64; i++) {
            char wanted = i < got ? want[i - shift] : '.';

            ck_assert_int_eq(marks[i / 64].cut >> i % 64 & 1, wanted == 'c');
            ck_assert_int_eq(marks[i / 64].end >> i % 64 & 1, wanted == 'e');
        }
    }
}

static void expect_all(const char *text, size_t n, const char *want)
{
    for (size_t i = 1; csv_scan_of(i); i++)
        expect_marks(csv_scan_of(i), text, n, want);
}

static void expect(const char *text, const char *want)
{
    expect_all(text, strlen(text), want);
}

START_TEST(delimiters_and_line_ends_outside_of_quotes_are_marked)
{
    expect("a,b\n",        ".c.e");
    expect(",,\r\n\r,",  "cceeec");
    expect("a;b\t c",      "......");
}
END_TEST

START_TEST(nothing_inside_of_quotes_is_marked)
{
    expect("\"a,b\",c\n",              ".....c.e");
    expect("\",\n\r\",\"\"\r\n",  ".....c..ee");
    expect("\"a\"\",\"\"b\",d\n",  ".........c.e");
    expect("\"\"\"\",\n",            "....ce");
}
END_TEST

START_TEST(marking_stops_at_the_first_byte_that_is_odd)
{
    expect("a,b\"c,\n",        ".c.");                     /* a quote inside a bare field */
    expect("\"a\"b,\n",       "...");                     /* text behind a closing quote */
    expect("\"a\"\"\"b\n",  ".....");
    expect("a\n\"b\" ,\n",   ".e...");
    expect_all("a,\0,b\n", 6,  ".c");
    expect_all("a,\"\0\",b\n", 8, ".c.");
}
END_TEST

START_TEST(line_ends_inside_of_quotes_are_told)
{
    static const struct {
        const char *text;
        bool lines;
    } texts[] = {{"a,b\n", false}, {"\"a\nb\"\n", true}, {"\"a\rb\"\n", true}, {"\"a\"\n\"b\"\n", false}};

    for (size_t i = 1; csv_scan_of(i); i++)
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            struct csv_marks marks[1];
            bool lines = false;

            csv_scan_of(i)->mark(texts[k].text, strlen(texts[k].text), ',', marks, &lines);
            ck_assert_int_eq(lines, texts[k].lines);
        }
}
END_TEST

/* 200 fields of a letter each, so that field k is byte 2k and the cut behind it byte 2k + 1. */
START_TEST(cuts_are_found_by_number_and_counted)
{
    static const uint32_t wanted[] = {0, 1, 31, 32, 150, 199, 200, CSV_NO_CUT};
    static const uint32_t places[] = {1, 3, 63, 65, 301, 399};
    char text[402];
    struct csv_marks marks[7];
    uint32_t at[8];
    bool lines = false;

    for (size_t i = 0; i < 400; i += 2)
        memcpy(text + i, "x,", 2);
    memcpy(text + 399, "\nyz", 3);
    for (size_t i = 1; csv_scan_of(i); i++) {
        const struct csv_scan *scan = csv_scan_of(i);
        struct csv_cuts cuts;

        ck_assert_uint_eq(scan->mark(text, sizeof text, ',', marks, &lines), sizeof text);
        ck_assert(scan->row(marks, sizeof text, 0, wanted, at, &cuts));
        ck_assert_uint_eq(cuts.fields, 200);
        ck_assert_uint_eq(cuts.end, 399);
        ck_assert_uint_eq(cuts.n, 6);
        for (size_t k = 0; k < 6; k++)
            ck_assert_uint_eq(at[k], places[k]);
        ck_assert(scan->row(marks, sizeof text, 70, wanted, at, &cuts));       /* from field 35 on */
        ck_assert_uint_eq(cuts.fields, 165);
        ck_assert_uint_eq(at[0], 71);
        ck_assert(!scan->row(marks, sizeof text, 400, wanted, at, &cuts));
        ck_assert_uint_eq(cuts.fields, 0);
    }
}
END_TEST

START_TEST(the_first_way_marks_nothing_and_the_last_is_the_best)
{
    struct csv_marks marks[1];
    bool lines = false;
    size_t n = 0;

    while (csv_scan_of(n))
        n++;
    ck_assert_uint_ge(n, 2);
    ck_assert_ptr_eq(csv_scan_of(n - 1), csv_scan_best());
    ck_assert_uint_eq(csv_scan_of(0)->mark("a,b\n", 4, ',', marks, &lines), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("csv_scan");
    TCase *t = tcase_create("csv_scan");

    tcase_add_test(t, delimiters_and_line_ends_outside_of_quotes_are_marked);
    tcase_add_test(t, nothing_inside_of_quotes_is_marked);
    tcase_add_test(t, marking_stops_at_the_first_byte_that_is_odd);
    tcase_add_test(t, line_ends_inside_of_quotes_are_told);
    tcase_add_test(t, cuts_are_found_by_number_and_counted);
    tcase_add_test(t, the_first_way_marks_nothing_and_the_last_is_the_best);
    suite_add_tcase(s, t);
    return unit_run(s);
}
