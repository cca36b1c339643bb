/* bill_records: cells of records, and what is none. */
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/source/bill_records.h"
#include "unit.h"

/* "a=1 b=x;" for each record: the members a and b. */
static int note(void *ctx, const struct bill_record *record, struct err *e)
{
    static const char *const names[] = {"a", "b"};
    struct buf *b = ctx;

    for (size_t i = 0; i < 2; i++) {
        struct span s = bill_record_get(record, names[i]);

        if (span_eq(s, "stop"))
            return err_set(e, ERR_INPUT, "stopped");
        if (s.n)
            buf_addf(b, "%s=%.*s ", names[i], (int)s.n, s.p);
    }
    buf_addc(b, ';');
    return 0;
}

static const struct { const char *cell, *want; } cells[] = {
    {"", ""}, {"[]", ""}, {"null", ""}, {"[null]", ""}, {" [ ] ", ""},
    {"{}", ";"},
    {"[{\"a\": 1.50, \"b\": \"x\"}, {\"b\": true}]", "a=1.50 b=x ;b=true ;"},
    {"{\"a\": -2.5e-7}", "a=-2.5e-7 ;"},
    {"[{'a': 'it is', 'b': None}]", "a=it is ;"},
    {"[{\"a\": null, \"b\": \"\"}]", ";"},
    {"[{\"x\": {\"a\": 7}, \"a\": 1, \"y\": [{\"b\": 2}], \"b\": 3}]", "a=1 b=3 ;"},      /* members of members are others */
    {"[{\"a\": {\"c\": 1}, \"b\": [2]}]", ";"},
    {"[{\"a\": 1, \"a\": 2}]", "a=1 ;"},
    {"[{\"\\u0061\": \"\\u00e9\"}]", "a=\xc3\xa9 ;"},
};

START_TEST(members_are_found_by_name)
{
    struct bill_records *r = bill_records_new();
    struct buf b = {0};
    struct err e = {0};

    for (int again = 0; again < 2; again++) {                /* the room is used again */
        buf_clear(&b);
        ck_assert_msg(bill_records_read(r, span_of(cells[_i].cell), note, &b, &e) == 0, "%s", e.text);
        ck_assert_str_eq(buf_str(&b), cells[_i].want);
    }
    buf_free(&b);
    bill_records_free(r);
}
END_TEST

static const struct { const char *cell, *want; } wrong[] = {
    {"[1]", "a value stands where a record should"},
    {"\"a\"", "a value stands where a record should"},
    {"true", "a value stands where a record should"},
    {"[[{}]]", "a list stands where a record should"},
    {"[{\"a\": \"stop\"}]", "stopped"},
    {"[{\"a\": 1}", ""},
    {"[{a: 1}]", ""},
    {"a=1", ""},
    {"[{'a': Decimal('1')}]", ""},
    {"[] []", ""},
};

START_TEST(what_holds_no_records_is_an_error)
{
    struct bill_records *r = bill_records_new();
    struct buf b = {0};
    struct err e = {0};

    ck_assert_int_eq(bill_records_read(r, span_of(wrong[_i].cell), note, &b, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_int_eq(e.line, 0);                             /* the cell's place is its reader's to tell */
    ck_assert_msg(strstr(e.text, wrong[_i].want) != NULL, "%s", e.text);
    err_clear(&e);
    ck_assert_int_eq(bill_records_read(r, span_of("[]"), note, &b, &e), 0);
    buf_free(&b);
    bill_records_free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_records");
    TCase *c = tcase_create("bill_records");

    tcase_add_loop_test(c, members_are_found_by_name, 0, sizeof cells / sizeof *cells);
    tcase_add_loop_test(c, what_holds_no_records_is_an_error, 0, sizeof wrong / sizeof *wrong);
    suite_add_tcase(s, c);
    return unit_run(s);
}
