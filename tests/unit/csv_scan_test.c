/* csv_scan: the marks of texts that were marked by hand, and that every way gives the same ones. */
#include <stdio.h>
#include <string.h>

#include "gputab/codec/csv_scan.h"
#include "unit.h"

enum { TEXT = 5000, BEHIND = 2500 };

/* text above, what is wanted of each byte below: c cut, e end, . nothing; it ends where marking stops. Line ends follow, `behind` of them,
 * as ways may take a whole group of blocks otherwise than a part of one. */
static void expect_marks_at(const struct csv_scan *scan, size_t shift, const char *text, size_t n, size_t behind, const char *want)
{
    char all[TEXT];
    struct csv_marks marks = {0};
    bool lines = false, odd = strlen(want) < n;
    size_t got, whole = shift + n + behind;

    memset(all, 'x', sizeof all);
    if (shift)
        all[shift - 1] = ',';
    memcpy(all + shift, text, n);
    memset(all + shift + n, '\n', behind);
    csv_marks_reserve(&marks, whole);
    got = scan->mark(all, whole, ',', &marks, &lines);
    ck_assert_msg(got == (odd ? shift + strlen(want) : whole), "%s: %zu of \"%s\" behind %zu are marked", scan->name, got, text, shift);
    for (size_t i = shift; i < (got + 63) / 64 * 64; i++) {
        char wanted = i >= got ? '.' : i < shift + n ? want[i - shift] : 'e';

        if ((marks.cut[i / 64] >> i % 64 & 1) != (wanted == 'c') || (marks.end[i / 64] >> i % 64 & 1) != (wanted == 'e'))
            ck_abort_msg("%s: byte %zu of \"%s\" behind %zu is not %c", scan->name, i, text, shift, wanted);
    }
    csv_marks_free(&marks);
}

/* Behind `shift` other bytes, so that every byte of it stands once at the end of a vector, a block and a group of them, and once at the
 * start. */
static void expect_marks(const struct csv_scan *scan, const char *text, size_t n, const char *want)
{
    for (size_t shift = 0; shift < 130; shift++) {
        expect_marks_at(scan, shift, text, n, 0, want);
        expect_marks_at(scan, shift, text, n, BEHIND, want);
        expect_marks_at(scan, shift + 500, text, n, BEHIND, want);
        expect_marks_at(scan, shift + 2000, text, n, BEHIND, want);
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
            struct csv_marks marks = {0};
            bool lines = false;

            csv_marks_reserve(&marks, strlen(texts[k].text));
            csv_scan_of(i)->mark(texts[k].text, strlen(texts[k].text), ',', &marks, &lines);
            ck_assert_int_eq(lines, texts[k].lines);
            csv_marks_free(&marks);
        }
}
END_TEST

/* 200 fields of a letter each, so that field k is byte 2k and the cut behind it byte 2k + 1. */
START_TEST(cuts_are_found_by_number_and_counted)
{
    static const uint32_t wanted[] = {0, 1, 31, 32, 150, 199, 200, CSV_NO_CUT};
    static const uint32_t places[] = {1, 3, 63, 65, 301, 399};
    char text[402];
    struct csv_marks marks = {0};
    uint32_t at[8];
    bool lines = false;

    for (size_t i = 0; i < 400; i += 2)
        memcpy(text + i, "x,", 2);
    memcpy(text + 399, "\nyz", 3);
    csv_marks_reserve(&marks, sizeof text);
    for (size_t i = 1; csv_scan_of(i); i++) {
        const struct csv_scan *scan = csv_scan_of(i);
        struct csv_cuts cuts;

        ck_assert_uint_eq(scan->mark(text, sizeof text, ',', &marks, &lines), sizeof text);
        ck_assert(scan->row(&marks, sizeof text, 0, wanted, at, &cuts));
        ck_assert_uint_eq(cuts.fields, 200);
        ck_assert_uint_eq(cuts.end, 399);
        ck_assert_uint_eq(cuts.n, 6);
        for (size_t k = 0; k < 6; k++)
            ck_assert_uint_eq(at[k], places[k]);
        ck_assert(scan->row(&marks, sizeof text, 70, wanted, at, &cuts));       /* from field 35 on */
        ck_assert_uint_eq(cuts.fields, 165);
        ck_assert_uint_eq(at[0], 71);
        ck_assert(!scan->row(&marks, sizeof text, 400, wanted, at, &cuts));
        ck_assert_uint_eq(cuts.fields, 0);
    }
    csv_marks_free(&marks);
}
END_TEST

/* Cells of letters, of quotes in order and, now and then, of what is odd. */
static size_t random_text(char *p, size_t n, uint64_t *random, unsigned odd_one_in)
{
    static const char *const cells[] = {"", "a", "bc", "def", "a longer cell", "\"a,b\"", "\"\"", "\"x\"\"y\"", "\"\n\"",
                                        "2026-10-01"};
    static const char *const behind[] = {",", ",", ",", ",", ",", ",", ",", "\n", "\r\n", ","};
    size_t have = 0;

    while (have + 40 < n) {
        unsigned r = (unsigned)((*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407) >> 33);

        have += (size_t)sprintf(p + have, "%s%s", cells[r % 10], r / 10 % odd_one_in == 0 ? "\"q" : "");
        have += (size_t)sprintf(p + have, "%s", behind[r / 1000 % 10]);
    }
    return have;
}

/* Rows one after the other, and in each of them some cuts. */
static void expect_same_rows(const struct csv_scan *scan, const struct csv_marks *m, const struct csv_scan *other,
                             const struct csv_marks *n, size_t bytes)
{
    static const uint32_t wanted[] = {0, 2, 3, 9, 33, 34, 35, 120, 400, CSV_NO_CUT};
    struct csv_cuts a, b;

    for (size_t from = 0; from < bytes; from = a.end + 1) {
        uint32_t at_a[10] = {0}, at_b[10] = {0};
        bool whole = scan->row(m, bytes, from, wanted, at_a, &a);

        ck_assert_int_eq(other->row(n, bytes, from, wanted, at_b, &b), whole);
        ck_assert(a.fields == b.fields && a.n == b.n && a.end == b.end);
        ck_assert_mem_eq(at_a, at_b, sizeof at_a);
        if (!whole)
            break;
    }
}

static void expect_same_marks(const struct csv_scan *scan, const struct csv_scan *other, const char *p, size_t n)
{
    struct csv_marks a = {0}, b = {0};
    bool lines_a = false, lines_b = false;
    size_t got;

    csv_marks_reserve(&a, n);
    csv_marks_reserve(&b, n);
    got = scan->mark(p, n, ',', &a, &lines_a);
    ck_assert_uint_eq(other->mark(p, n, ',', &b, &lines_b), got);
    ck_assert_mem_eq(a.cut, b.cut, (got + 63) / 64 * 8);
    ck_assert_mem_eq(a.end, b.end, (got + 63) / 64 * 8);
    ck_assert(lines_a == lines_b || got < n);                /* perhaps behind what is odd */
    expect_same_rows(scan, &a, other, &b, got);
    csv_marks_free(&a);
    csv_marks_free(&b);
}

START_TEST(long_texts_are_marked_alike_in_every_way)
{
    static char text[20000];
    uint64_t random = 5;

    for (int round = 0; round < 200; round++) {
        size_t n = random_text(text, 100 + (size_t)round * 99, &random, round % 2 ? 300 : 1000000);

        if (round % 7 == 6)
            text[n / 2] = '\0';
        for (size_t i = 2; csv_scan_of(i); i++)
            expect_same_marks(csv_scan_of(i), csv_scan_of(1), text, n);
    }
}
END_TEST

/* Counts of cuts are kept modulo 2^16: 70000 in a row still are 70000, and the row behind it is found. */
START_TEST(more_cuts_than_16_bits_hold_are_counted)
{
    static char text[140100];
    static const uint32_t wanted[] = {1, 4000, CSV_NO_CUT};
    uint32_t at[2];

    memset(text, 'x', sizeof text);
    for (size_t i = 1; i < 140000; i += 2)
        text[i] = ',';
    text[140000] = '\n';
    text[140050] = text[140060] = ',';
    text[140070] = '\n';
    for (size_t i = 1; csv_scan_of(i); i++) {
        const struct csv_scan *scan = csv_scan_of(i);
        struct csv_marks marks = {0};
        struct csv_cuts cuts;
        bool lines = false;

        csv_marks_reserve(&marks, sizeof text);
        ck_assert_uint_eq(scan->mark(text, sizeof text, ',', &marks, &lines), sizeof text);
        ck_assert(scan->row(&marks, sizeof text, 0, wanted, at, &cuts));
        ck_assert(cuts.fields == 70001 && cuts.end == 140000 && cuts.n == 2 && at[0] == 3 && at[1] == 8001);
        ck_assert(scan->row(&marks, sizeof text, 140001, wanted, at, &cuts));
        ck_assert(cuts.fields == 3 && cuts.end == 140070 && cuts.n == 1 && at[0] == 140060);
        csv_marks_free(&marks);
    }
}
END_TEST

START_TEST(the_first_way_marks_nothing_and_the_last_is_the_best)
{
    struct csv_marks marks = {0};
    bool lines = false;
    size_t n = 0;

    while (csv_scan_of(n))
        n++;
    ck_assert_uint_ge(n, 2);
    ck_assert_ptr_eq(csv_scan_of(n - 1), csv_scan_best());
    ck_assert_uint_eq(csv_scan_of(0)->mark("a,b\n", 4, ',', &marks, &lines), 0);
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
    tcase_add_test(t, long_texts_are_marked_alike_in_every_way);
    tcase_add_test(t, more_cuts_than_16_bits_hold_are_counted);
    tcase_add_test(t, the_first_way_marks_nothing_and_the_last_is_the_best);
    suite_add_tcase(s, t);
    return unit_run(s);
}
