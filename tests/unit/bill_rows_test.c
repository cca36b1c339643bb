/* bill_rows: the form of a file is seen by its first bytes, and none of them is lost, however the input comes in pieces. */
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/source/bill_rows.h"
#include "unit.h"

struct pieces {
    struct span left;
    size_t step;
    bool breaks;                   /* an error instead of the end */
};

static int give(void *from, char *p, size_t n, struct err *e)
{
    struct pieces *s = from;
    size_t take = s->step < n ? s->step : n;

    take = take < s->left.n ? take : s->left.n;
    if (take == 0 && s->breaks)
        return err_set(e, ERR_INPUT, "broken");
    memcpy(p, s->left.p, take);
    s->left = (struct span){s->left.p + take, s->left.n - take};
    return (int)take;
}

START_TEST(no_first_byte_is_lost)
{
    static const size_t sizes[] = {0, 1, 5, 63, 64, 65, 1000}, steps[] = {1, 7, 64, 4096};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            struct buf text = {0};
            struct pieces from = {.step = steps[k]};
            struct bill_rows *r;
            struct csv_row row;
            struct err e = {0};

            buf_fill(&text, 'x', sizes[i]);
            from.left = buf_span(&text);
            ck_assert_int_eq(bill_rows_open(&r, give, &from, "bill", NULL, &e), 0);
            ck_assert(!bill_rows_is_json(r));
            ck_assert_int_eq(bill_rows_next(r, &row, &e), sizes[i] > 0);
            if (sizes[i] > 0) {
                ck_assert_uint_eq(row.n, 1);
                ck_assert(span_same(row.fields[0], buf_span(&text)));
                ck_assert_int_eq(bill_rows_next(r, &row, &e), 0);
            }
            bill_rows_free(r);
            buf_free(&text);
        }
}
END_TEST

START_TEST(a_brace_behind_mark_and_blanks_is_json)
{
    static const struct { const char *text; bool json; } texts[] = {
        {"{\"a\":1}\n", true}, {"\xef\xbb\xbf \r\n\t{\"a\":1}\n", true}, {"a,{b\n", false}, {"\"{\"\n", false}, {"[{}]\n", false},
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct pieces from = {.left = span_of(texts[i].text), .step = 1};
        struct bill_rows *r;
        struct err e = {0};

        ck_assert_int_eq(bill_rows_open(&r, give, &from, "bill", NULL, &e), 0);
        ck_assert(bill_rows_is_json(r) == texts[i].json);
        bill_rows_free(r);
    }
}
END_TEST

START_TEST(fields_end_where_most_delimiters_are)
{
    static const struct { const char *text, *delimiters; size_t want; } texts[] = {
        {"a,b;c;d\n", ",;", 3}, {"a,b,c;d\n", ",;", 3}, {"a,b;c\n", ",;", 2}, {"a,b;c\n", ";,", 2}, {"a\tb,c\n", "\t", 2},
        {"a;b,c;d\n", NULL, 2}, {"abc\n", ";,", 1},
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct pieces from = {.left = span_of(texts[i].text), .step = 2};
        struct bill_rows *r;
        struct csv_row row;
        struct err e = {0};

        ck_assert_int_eq(bill_rows_open(&r, give, &from, "bill", texts[i].delimiters, &e), 0);
        ck_assert_int_eq(bill_rows_next(r, &row, &e), 1);
        ck_assert_uint_eq(row.n, texts[i].want);
        bill_rows_free(r);
    }
}
END_TEST

START_TEST(input_that_breaks_within_the_first_bytes_is_an_error)
{
    struct pieces from = {.left = span_of("a,b"), .step = 2, .breaks = true};
    struct bill_rows *r;
    struct err e = {0};

    ck_assert_int_eq(bill_rows_open(&r, give, &from, "bill", NULL, &e), -1);
    ck_assert_ptr_null(r);
    ck_assert_str_eq(e.text, "broken");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_rows");
    TCase *t = tcase_create("bill_rows");

    tcase_add_test(t, no_first_byte_is_lost);
    tcase_add_test(t, a_brace_behind_mark_and_blanks_is_json);
    tcase_add_test(t, fields_end_where_most_delimiters_are);
    tcase_add_test(t, input_that_breaks_within_the_first_bytes_is_an_error);
    suite_add_tcase(s, t);
    return unit_run(s);
}
