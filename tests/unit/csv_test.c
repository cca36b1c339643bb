/* csv: what the reader makes of real and hostile files. Every accepted and refused text is read again with the input cut after every
 * byte (blocks of one byte) and in blocks of 2 to 7 bytes, and each time in all the ways of finding cuts that the machine has: the
 * outcome must not know. */
#include <stdio.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/csv.h"
#include "gputab/codec/csv_scan.h"
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

/* ---- bytes that are lent ---- */

/* Lends pieces of 1 to `most` bytes, each in memory of its own that ends where the piece does and is gone when the next one is asked for.
 * Every fifth time it lends none, and gives some by fill. */
struct lender {
    struct source s;
    size_t most;
    unsigned asked;
    char *lent;
};

static size_t piece_of(struct lender *l)
{
    size_t n = 1 + (l->asked * 7919u) % l->most;

    return n < l->s.n ? n : l->s.n;
}

static void end_loan(struct lender *l)
{
    free(l->lent);
    l->lent = NULL;
}

static int lender_fill(void *from, char *p, size_t n, struct err *e)
{
    struct lender *l = from;
    size_t take = piece_of(l);

    end_loan(l);
    return fill(&l->s, p, take < n ? take : n, e);
}

static int lender_lend(void *from, char **p, struct err *e)
{
    struct lender *l = from;
    size_t take = piece_of(l);

    end_loan(l);
    if (++l->asked % 5 == 0)
        return CSV_NOT_LENT;
    l->lent = xmalloc(CSV_FRONT + take);
    *p = l->lent + CSV_FRONT;
    return fill(&l->s, *p, take, e);
}

static void add_row(struct buf *out, const struct csv_row *row)
{
    buf_addf(out, "%lld:", (long long)row->line);
    for (size_t i = 0; i < row->n; i++) {
        buf_adds(out, i ? "|" : "");
        buf_add_span(out, row->fields[i]);
    }
    buf_adds(out, row->ended ? ";" : "~");
}

static void add_rows(struct buf *out, struct csv *r)
{
    struct csv_row row;
    struct err e = {0};
    int rc;

    while ((rc = csv_next(r, &row, &e)) == 1)
        add_row(out, &row);
    if (rc < 0)
        buf_addf(out, "!%lld:%lld %s", (long long)e.line, (long long)e.column, e.text);
}

/* "LINE:field|field;" for each row, "~" behind a row without a line end, then "!line:column text" for an error. */
static void read_with(struct buf *out, const char *text, size_t n, const struct csv_config *config)
{
    struct source s = {text, n};
    struct csv *r = csv_new(fill, &s, config);

    add_rows(out, r);
    csv_free(r);
}

static void read_lent(struct buf *out, const char *text, size_t n, size_t most, const struct csv_scan *scan)
{
    struct lender l = {.s = {text, n}, .most = most};
    struct csv *r = csv_new(lender_fill, &l, &(struct csv_config){.name = "t.csv", .scan = scan});

    csv_set_lend(r, lender_lend);
    add_rows(out, r);
    csv_free(r);
    end_loan(&l);
}

static void read_all(struct buf *out, const char *text, size_t n, size_t block, char delimiter)
{
    read_with(out, text, n, &(struct csv_config){.name = "t.csv", .delimiter = delimiter, .block = block});
}

static void expect_in_block(const char *text, size_t n, char delimiter, size_t block, const char *want)
{
    for (size_t i = 0; csv_scan_of(i); i++) {
        struct buf got = {0};

        read_with(&got, text, n, &(struct csv_config){.name = "t.csv", .delimiter = delimiter, .block = block, .scan = csv_scan_of(i)});
        ck_assert_msg(strcmp(buf_str(&got), want) == 0, "%s, blocks of %zu: got  %s\nwant %s", csv_scan_of(i)->name, block, buf_str(&got),
                      want);
        buf_free(&got);
    }
}

static void expect_n(const char *text, size_t n, char delimiter, const char *want)
{
    for (size_t block = 0; block < 8; block++)
        expect_in_block(text, n, delimiter, block, want);
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

/* ---- texts longer than the vectors ---- */

static uint32_t draw(uint32_t *seed, uint32_t n)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*seed * n) >> 32);
}

static void add_plain(struct buf *b, uint32_t *seed)
{
    size_t n = draw(seed, 12) == 0 ? draw(seed, 300) : draw(seed, 9);

    for (; n > 0; n--)
        buf_addc(b, (char)('a' + draw(seed, 26)));
}

static void add_quoted(struct buf *b, uint32_t *seed)
{
    static const char *const parts[] = {"\"\"", ",", "\n", "\r\n", "{", "\xc3\xa9"};

    buf_addc(b, '"');
    for (uint32_t n = draw(seed, 5); n > 0; n--) {
        add_plain(b, seed);
        buf_adds(b, parts[draw(seed, 6)]);
    }
    buf_addc(b, '"');
}

/* Rows as files have them; one cell in `odd` is what files should not have. */
static void add_table(struct buf *b, uint32_t *seed, uint32_t odd)
{
    static const char *const ends[] = {"\n", "\r\n", "\r", "\n\n", "\n\xef\xbb\xbf"};
    static const char *const strange[] = {"5\"", "\"x\"y", "\"", "\xef\xbb\xbf", "a\"b\"c", "\"\" "};

    for (uint32_t rows = 1 + draw(seed, 12); rows > 0; rows--) {
        for (uint32_t cells = draw(seed, 30); cells > 0; cells--) {
            if (draw(seed, odd) == 0)
                buf_adds(b, strange[draw(seed, 6)]);
            else if (draw(seed, 4) == 0)
                add_quoted(b, seed);
            else
                add_plain(b, seed);
            buf_addc(b, ',');
        }
        buf_adds(b, draw(seed, 6) ? ends[0] : ends[draw(seed, 5)]);
        if (draw(seed, odd) == 0 && draw(seed, 4) == 0)
            buf_addc(b, '\0');
    }
}

/* The way "bytes" in one piece is the reference: it is the splitter that the other tests here pin down by hand. */
START_TEST(tables_read_the_same_in_every_way_however_they_are_cut)
{
    uint32_t seed = 99;

    for (int round = 0; round < 600; round++) {
        struct buf text = {0}, want = {0};
        size_t block = 1 + draw(&seed, 200);

        add_table(&text, &seed, round % 3 == 0 ? 40 : round % 3 == 1 ? 400 : 1000000);
        read_with(&want, text.p, text.n, &(struct csv_config){.name = "t.csv", .scan = csv_scan_of(0)});
        expect_in_block(text.p, text.n, 0, 0, buf_str(&want));
        expect_in_block(text.p, text.n, 0, block, buf_str(&want));
        expect_in_block(text.p, text.n, 0, 1 + (size_t)round % 200, buf_str(&want));
        buf_free(&text);
        buf_free(&want);
    }
}
END_TEST

/* Rows that fit in front of a piece and rows that do not. */
START_TEST(bytes_that_are_lent_read_like_copied_ones)
{
    uint32_t seed = 7;

    for (int round = 0; round < 300; round++) {
        struct buf text = {0}, want = {0};
        size_t most = round % 10 == 0 ? 100000 : 1 + draw(&seed, 300);

        add_table(&text, &seed, round % 3 == 0 ? 40 : 1000000);
        if (round % 10 == 0) {
            buf_adds(&text, "a,\"");
            buf_fill(&text, 'x', CSV_FRONT - 5 + draw(&seed, 10));
            buf_adds(&text, "\"\nb,c\n");
            add_table(&text, &seed, 1000000);
        }
        read_with(&want, text.p, text.n, &(struct csv_config){.name = "t.csv", .scan = csv_scan_of(0)});
        for (size_t i = 0; csv_scan_of(i); i++) {
            struct buf got = {0};

            read_lent(&got, text.p, text.n, most, csv_scan_of(i));
            ck_assert_str_eq(buf_str(&got), buf_str(&want));
            buf_free(&got);
        }
        buf_free(&text);
        buf_free(&want);
    }
}
END_TEST

/* ---- columns ---- */

START_TEST(columns_that_are_not_selected_have_no_text_and_are_counted)
{
    static const char text[] = "a,b,c,d\n1,\"2\"\"\",3,4\n5\n6,7,8,\"9,\n\",10\n11,1\"2,13,14\n";
    static const int columns[] = {3, -1, 1, 3};

    for (size_t i = 0; csv_scan_of(i); i++) {
        struct source s = {text, sizeof text - 1};
        struct csv *r = csv_new(fill, &s, &(struct csv_config){.name = "t.csv", .scan = csv_scan_of(i)});
        struct csv_row row;
        struct err e = {0};
        struct buf got = {0};

        ck_assert_int_eq(csv_next(r, &row, &e), 1);
        add_row(&got, &row);
        csv_select(r, columns, 4);
        while (csv_next(r, &row, &e) == 1) {
            add_row(&got, &row);
            ck_assert_ptr_eq(row.fields[0].p, NULL);
        }
        ck_assert_str_eq(buf_str(&got), "1:a|b|c|d;2:|2\"||4;3:;4:|7||9,\n|;6:|1\"2||14;");
        buf_free(&got);
        csv_free(r);
    }
}
END_TEST

START_TEST(the_first_column_alone_or_none_can_be_selected)
{
    static const char text[] = "a,b\n1,2\n3,4\n5,6";

    for (size_t i = 0; csv_scan_of(i); i++) {
        struct source s = {text, sizeof text - 1};
        struct csv *r = csv_new(fill, &s, &(struct csv_config){.name = "t.csv", .scan = csv_scan_of(i)});
        struct csv_row row;
        struct err e = {0};
        struct buf got = {0};

        csv_select(r, (const int[]){0}, 1);
        for (int k = 0; csv_next(r, &row, &e) == 1; k++) {
            add_row(&got, &row);
            if (k == 1)
                csv_select(r, NULL, 0);
        }
        ck_assert_str_eq(buf_str(&got), "1:a|;2:1|;3:|;4:|~");
        buf_free(&got);
        csv_free(r);
    }
}
END_TEST

START_TEST(rows_are_checked_also_where_nothing_is_selected)
{
    static const struct {
        const char *text;
        size_t n;
        int line, column;
    } bad[] = {{"a,b\n1,\"2\"x\n", 12, 2, 6}, {"a,b\n1,2\0\n", 9, 2, 4}, {"a,b\n1,\"2\n", 9, 2, 3}};

    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; csv_scan_of(i); i++) {
            struct source s = {bad[k].text, bad[k].n};
            struct csv *r = csv_new(fill, &s, &(struct csv_config){.name = "t.csv", .scan = csv_scan_of(i)});
            struct csv_row row;
            struct err e = {0};

            csv_select(r, NULL, 0);
            ck_assert_int_eq(csv_next(r, &row, &e), 1);
            ck_assert_int_eq(csv_next(r, &row, &e), -1);
            ck_assert_int_eq(e.line, bad[k].line);
            ck_assert_int_eq(e.column, bad[k].column);
            csv_free(r);
        }
}
END_TEST

START_TEST(any_field_of_the_latest_row_can_be_asked_for)
{
    static const char text[] = "1,\"2\"\"x\",,\"\"\r\n";
    static const char *const want[] = {"1", "2\"x", "", "", ""};

    for (size_t i = 0; csv_scan_of(i); i++) {
        struct source s = {text, sizeof text - 1};
        struct csv *r = csv_new(fill, &s, &(struct csv_config){.name = "t.csv", .scan = csv_scan_of(i)});
        struct csv_row row;
        struct err e = {0};

        csv_select(r, NULL, 0);
        ck_assert_int_eq(csv_next(r, &row, &e), 1);
        ck_assert_uint_eq(row.n, 4);
        for (size_t k = 5; k-- > 0;)
            ck_assert(span_eq(csv_field(r, k), want[k]));
        ck_assert_ptr_eq(csv_field(r, 4).p, NULL);
        ck_assert_int_eq(csv_next(r, &row, &e), 0);
        ck_assert_ptr_eq(csv_field(r, 0).p, NULL);
        csv_free(r);
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
    tcase_add_test(t, tables_read_the_same_in_every_way_however_they_are_cut);
    tcase_add_test(t, bytes_that_are_lent_read_like_copied_ones);
    tcase_add_test(t, columns_that_are_not_selected_have_no_text_and_are_counted);
    tcase_add_test(t, the_first_column_alone_or_none_can_be_selected);
    tcase_add_test(t, rows_are_checked_also_where_nothing_is_selected);
    tcase_add_test(t, any_field_of_the_latest_row_can_be_asked_for);
    suite_add_tcase(s, t);
    return unit_run(s);
}
