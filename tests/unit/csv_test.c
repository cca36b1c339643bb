/* csv: what the reader makes of real and hostile files. Every accepted and refused text is read again with the input cut after every
 * byte (blocks of one byte) and in blocks of 2 to 7 bytes: the outcome must not know. */
#include <stdio.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/csv.h"
#include "unit.h"

struct source {
    const char *p;
    size_t n;
};

static int fill(void *from, char *p, size_t n, struct err *e)
{
    struct source *s = from;
    size_t take = s->n < n ? s->n : n;

    (void)e;
    if (take)
        memcpy(p, s->p, take);
    s->p += take;
    s->n -= take;
    return (int)take;
}

/* "LINE:field|field;" for each row, "~" behind a row without a line end, then "!line:column text" for an error. */
static void read_all(struct buf *out, const char *text, size_t n, size_t block, char delimiter)
{
    struct source s = {text, n};
    struct csv *r = csv_new(fill, &s, &(struct csv_config){.name = "t.csv", .delimiter = delimiter, .block = block});
    struct csv_row row;
    struct err e = {0};
    int rc;

    while ((rc = csv_next(r, &row, &e)) == 1) {
        buf_addf(out, "%lld:", (long long)row.line);
        for (size_t i = 0; i < row.n; i++) {
            buf_adds(out, i ? "|" : "");
            buf_add_span(out, row.fields[i]);
        }
        buf_adds(out, row.ended ? ";" : "~");
    }
    if (rc < 0)
        buf_addf(out, "!%lld:%lld %s", (long long)e.line, (long long)e.column, e.text);
    csv_free(r);
}

static void expect_n(const char *text, size_t n, char delimiter, const char *want)
{
    for (size_t block = 0; block < 8; block++) {
        struct buf got = {0};

        read_all(&got, text, n, block, delimiter);
        ck_assert_msg(strcmp(buf_str(&got), want) == 0, "blocks of %zu: got  %s\nwant %s", block, buf_str(&got), want);
        buf_free(&got);
    }
}

static void expect(const char *text, const char *want)
{
    expect_n(text, strlen(text), 0, want);
}

START_TEST(rows_and_fields_come_in_order)
{
    expect("a,b,c\n1,2,3\n", "1:a|b|c;2:1|2|3;");
    expect("a,,c\n,\n", "1:a||c;2:|;");
    expect("", "");
}
END_TEST

START_TEST(the_last_row_needs_no_line_end)
{
    expect("a,b\n1,2", "1:a|b;2:1|2~");
    expect("a,b\n1,", "1:a|b;2:1|~");
    expect("a,\"b\"", "1:a|b~");
}
END_TEST

START_TEST(line_ends_may_be_mixed)
{
    expect("a\r\nb\nc\rd\r\n", "1:a;2:b;3:c;4:d;");
    expect("a,\"b\"\r\nc,\"d\"\r", "1:a|b;2:c|d;");
}
END_TEST

START_TEST(empty_lines_are_skipped_and_counted)
{
    expect("\n\r\na\n\n\nb\r\r\n\n", "3:a;6:b;");
    expect("\n\n", "");
    expect("\"\"\n", "1:;");
}
END_TEST

START_TEST(quoted_fields_hold_anything)
{
    expect("\"a,b\",\"c\"\"d\",\"\"\"\",\"\"\n", "1:a,b|c\"d|\"|;");
    expect("\"two\nlines\",x\ny\n", "1:two\nlines|x;3:y;");
    expect("\"{\"\"k\"\": \"\"v\"\"}\",\"\"\"x\"\"\"\n", "1:{\"k\": \"v\"}|\"x\";");
}
END_TEST

START_TEST(a_quote_inside_a_bare_field_is_a_character)
{
    expect("a\"b,c\" ,5\"\n", "1:a\"b|c\" |5\";");
}
END_TEST

START_TEST(byte_order_marks_are_dropped_before_any_row)
{
    expect("\xef\xbb\xbf" "a,b\n" "\xef\xbb\xbf" "\"c\",d\n", "1:a|b;2:c|d;");
    expect("\xef\xbb\xbf", "");
    expect("\xef\xbb\xbf\n" "a\n", "2:a;");
    expect("a,\xef\xbb\xbf" "b\n", "1:a|\xef\xbb\xbf" "b;");
    expect("\xef\xbb", "1:\xef\xbb~");
}
END_TEST

START_TEST(the_delimiter_can_be_chosen)
{
    expect_n("a;b,c;\"d;e\"\n", 12, ';', "1:a|b,c|d;e;");
}
END_TEST

START_TEST(a_quote_that_is_never_closed_is_an_error_at_its_opening)
{
    expect("a,b\n1,\"2\n3,4\n", "1:a|b;!2:3 quoted field is never closed");
}
END_TEST

START_TEST(text_behind_a_closing_quote_is_an_error)
{
    expect("\"a\nb\"x,1\n", "!2:3 text behind the closing quote of a field");
}
END_TEST

START_TEST(a_nul_byte_is_an_error_in_its_own_row)
{
    expect_n("a\nb,\0c\n", 7, 0, "1:a;!2:3 NUL byte: this is no text");
    expect_n("a\n\"b\n\0\"\n", 8, 0, "1:a;!3:1 NUL byte: this is no text");
}
END_TEST

START_TEST(a_field_tells_its_line_and_its_column_in_characters)
{
    const char text[] = "h\n\"\xc3\xa9\n\",\xe2\x82\xac,x\n";
    struct source s = {text, sizeof text - 1};
    struct csv *r = csv_new(fill, &s, &(struct csv_config){.name = "t.csv", .block = 1});
    struct csv_row row;
    struct err e = {0};

    ck_assert_int_eq(csv_next(r, &row, &e), 1);
    ck_assert_int_eq(csv_next(r, &row, &e), 1);
    err_set(&e, ERR_INPUT, "x");
    csv_at(r, 0, &e);
    ck_assert_int_eq(e.line, 2);
    ck_assert_int_eq(e.column, 1);
    err_clear(&e);
    err_set(&e, ERR_INPUT, "x");
    csv_at(r, 2, &e);                     /* the third line is: quote comma euro comma x */
    ck_assert_str_eq(e.file, "t.csv");
    ck_assert_int_eq(e.line, 3);
    ck_assert_int_eq(e.column, 5);
    csv_free(r);
}
END_TEST

START_TEST(more_than_4096_fields_are_refused)
{
    struct buf text = {0}, got = {0};

    buf_fill(&text, ',', CSV_FIELDS_MAX - 1);
    buf_addc(&text, '\n');
    read_all(&got, text.p, text.n, 0, 0);
    ck_assert_ptr_eq(strchr(buf_str(&got), '!'), NULL);
    buf_clear(&got);
    buf_clear(&text);
    buf_fill(&text, ',', CSV_FIELDS_MAX);
    read_all(&got, text.p, text.n, 0, 0);
    ck_assert_str_eq(buf_str(&got), "!1:4097 row has more than 4096 fields");
    buf_free(&text);
    buf_free(&got);
}
END_TEST

START_TEST(a_row_over_16_mib_is_refused_however_it_is_cut)
{
    static const size_t blocks[] = {0, 3 << 20, 64 << 20};
    struct buf text = {0};

    buf_adds(&text, "a,b\n1,\"");
    buf_fill(&text, 'x', CSV_ROW_MAX);
    buf_adds(&text, "\"\n");
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        struct buf got = {0};

        read_all(&got, text.p, text.n, blocks[i], 0);
        ck_assert_str_eq(buf_str(&got), "1:a|b;!2:0 row is longer than 16 MiB; is a quote missing?");
        buf_free(&got);
    }
    buf_free(&text);
}
END_TEST

/* Random texts over the bytes that matter: all cuts agree, whether rows or an error come out. */
START_TEST(random_texts_read_the_same_however_they_are_cut)
{
    static const char bytes[] = "a\",\n\r\xef\xbb\xbf";
    uint32_t seed = 12345;

    for (int round = 0; round < 3000; round++) {
        char text[40];
        size_t n = 0;
        struct buf whole = {0};

        for (; n < sizeof text - (size_t)(round % 30); n++) {
            seed = seed * 1664525u + 1013904223u;
            text[n] = bytes[(seed >> 24) % (sizeof bytes - 1)];
        }
        read_all(&whole, text, n, 0, 0);
        expect_n(text, n, 0, buf_str(&whole));
        buf_free(&whole);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("csv");
    TCase *t = tcase_create("csv");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, rows_and_fields_come_in_order);
    tcase_add_test(t, the_last_row_needs_no_line_end);
    tcase_add_test(t, line_ends_may_be_mixed);
    tcase_add_test(t, empty_lines_are_skipped_and_counted);
    tcase_add_test(t, quoted_fields_hold_anything);
    tcase_add_test(t, a_quote_inside_a_bare_field_is_a_character);
    tcase_add_test(t, byte_order_marks_are_dropped_before_any_row);
    tcase_add_test(t, the_delimiter_can_be_chosen);
    tcase_add_test(t, a_quote_that_is_never_closed_is_an_error_at_its_opening);
    tcase_add_test(t, text_behind_a_closing_quote_is_an_error);
    tcase_add_test(t, a_nul_byte_is_an_error_in_its_own_row);
    tcase_add_test(t, a_field_tells_its_line_and_its_column_in_characters);
    tcase_add_test(t, more_than_4096_fields_are_refused);
    tcase_add_test(t, a_row_over_16_mib_is_refused_however_it_is_cut);
    tcase_add_test(t, random_texts_read_the_same_however_they_are_cut);
    suite_add_tcase(s, t);
    return unit_run(s);
}
