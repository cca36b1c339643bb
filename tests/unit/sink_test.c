/* sink: pieces that make up the whole text, and an error that stays. */
#include "unit.h"

#include "gputab/base/sink.h"

struct taker {
    struct buf all;
    size_t calls, most;
    size_t fail_at;                /* call that fails; 0: none */
};

static int take(void *to, struct span text, struct err *e)
{
    struct taker *t = to;

    t->calls++;
    if (t->calls == t->fail_at)
        return err_set(e, ERR_INTERNAL, "call %zu", t->calls);
    buf_add_span(&t->all, text);
    t->most = text.n > t->most ? text.n : t->most;
    return 0;
}

static void write_lines(struct sink *s, int n)
{
    for (int i = 0; i < n; i++) {
        buf_addf(&s->text, "%d\n", i);
        sink_relieve(s);
    }
}

START_TEST(text_comes_in_pieces_and_all_of_it)
{
    struct taker t = { .calls = 0 };
    struct sink s = { .take = take, .to = &t }, whole = { .take = NULL };
    struct err e = { 0 };

    write_lines(&s, 100000);                           /* 588,890 bytes: digits of 0..99999 and their line ends */
    write_lines(&whole, 100000);
    ck_assert_int_eq(sink_end(&s, &e), 0);
    ck_assert_int_eq(sink_end(&whole, &e), 0);
    ck_assert_uint_eq(t.all.n, 588890);
    ck_assert(span_same(buf_span(&t.all), buf_span(&whole.text)));
    ck_assert_uint_gt(t.calls, 3);
    ck_assert_uint_lt(t.most, 100000);
    ck_assert_uint_eq(s.text.n, 0);
    sink_free(&s);
    sink_free(&whole);
    buf_free(&t.all);
}
END_TEST

START_TEST(the_first_error_stays_and_text_is_dropped)
{
    struct taker t = { .fail_at = 2 };
    struct sink s = { .take = take, .to = &t };
    struct err e = { 0 };

    write_lines(&s, 100000);
    ck_assert_int_eq(sink_end(&s, &e), -1);
    ck_assert_str_eq(e.text, "call 2");
    ck_assert_uint_eq(t.calls, 2);
    ck_assert_uint_lt(s.text.cap, 1000000);
    sink_free(&s);
    buf_free(&t.all);
}
END_TEST

START_TEST(nothing_is_not_handed_on)
{
    struct taker t = { .calls = 0 };
    struct sink s = { .take = take, .to = &t };
    struct err e = { 0 };

    sink_relieve(&s);
    ck_assert_int_eq(sink_end(&s, &e), 0);
    ck_assert_uint_eq(t.calls, 0);
    sink_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sink");
    TCase *t = tcase_create("sink");

    tcase_add_test(t, text_comes_in_pieces_and_all_of_it);
    tcase_add_test(t, the_first_error_stays_and_text_is_dropped);
    tcase_add_test(t, nothing_is_not_handed_on);
    suite_add_tcase(s, t);
    return unit_run(s);
}
