/* reply_test: what transports make of an answer before its first byte. Whole answers: prometheus_reply_test, tests/http. */
#include <string.h>

#include "gputab/source/transport.h"
#include "unit.h"

static void check_type(const struct transport *t, int status, const char *type, const char *wanted)
{
    static const struct scrape_origin nowhere = { "cluster", "" };
    struct reply *r = t->open(NULL, &nowhere);

    t->begin(r, (struct timespan){ 0, 1000 });
    ck_assert_int_eq(t->suits(r, status, span_of(type)), wanted[0] == '\0');
    ck_assert_int_eq(r->unsuited, wanted[0] != '\0');
    ck_assert_str_eq(r->err.text, wanted);
    t->close(r);
}

START_TEST(another_type_is_told_by_name)
{
    check_type(&transport_remote_read, 200, "application/x-protobuf", "");
    check_type(&transport_remote_read, 200, "text/plain", "the answer is of another type, text/plain");
    check_type(&transport_export, 200, "application/stream+json; charset=utf-8", "");
    check_type(&transport_export, 200, "application/json", "the answer is of another type, application/json");
}
END_TEST

START_TEST(no_type_is_said_so)
{
    check_type(&transport_remote_read, 200, NULL, "the answer does not say of what type it is");
    check_type(&transport_export, 200, NULL, "the answer does not say of what type it is");
    check_type(&transport_export, 404, NULL, "");      /* a refusal, whatever its form */
}
END_TEST

START_TEST(of_a_refusal_the_first_16_kib_are_kept)
{
    char piece[5][4000];
    struct reply r;

    reply_init(&r, NULL, NULL);
    for (int i = 0; i < 5; i++) {
        memset(piece[i], 'a' + i, sizeof piece[i]);
        reply_add_refusal(&r, piece[i], sizeof piece[i]);
    }
    ck_assert(r.failure);
    ck_assert_uint_eq(r.error.n, 16384);
    ck_assert_int_eq(r.error.p[15999], 'd');
    ck_assert_int_eq(r.error.p[16383], 'e');
    reply_free(&r);
}
END_TEST

static void check_question(const struct transport *t, const struct question *q, const char *wanted)
{
    struct buf b = { 0 };

    t->add_body(&b, q);
    ck_assert_str_eq(buf_str(&b), wanted);
    buf_free(&b);
}

/* Six hours from the epoch's second day on; a second more is asked for than wanted. {__name__=~"A|B",L!=""} percent-encoded. */
START_TEST(a_question_is_a_form)
{
    static const struct metrics_param params[] = { { "dedup", "true" }, { "x[]", "a b" }, { NULL, NULL } };
    struct question q = { span_of("A|B"), "L", { TIME_DAY, TIME_DAY + 6 * TIME_HOUR }, params };

    check_question(&transport_query, &q,
                   "query=%7B__name__%3D~%22A%7CB%22%2CL%21%3D%22%22%7D%5B21601s%5D&time=108001&dedup=true&x%5B%5D=a%20b");
    check_question(&transport_export, &q,
                   "match%5B%5D=%7B__name__%3D~%22A%7CB%22%2CL%21%3D%22%22%7D&start=86400&end=108001&dedup=true&x%5B%5D=a%20b");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reply");
    TCase *t = tcase_create("all");

    tcase_add_test(t, another_type_is_told_by_name);
    tcase_add_test(t, no_type_is_said_so);
    tcase_add_test(t, a_question_is_a_form);
    tcase_add_test(t, of_a_refusal_the_first_16_kib_are_kept);
    suite_add_tcase(s, t);
    return unit_run(s);
}
