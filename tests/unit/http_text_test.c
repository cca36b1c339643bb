/* http_text_test: URLs, forms, what may be shown, and when to ask again. Requests themselves: tests/http. */
#include <string.h>

#include "gputab/codec/http.h"
#include "unit.h"

START_TEST(a_url_is_taken_apart)
{
    static const struct { const char *text, *base, *user; } cases[] = {
        { "http://prometheus:9090", "http://prometheus:9090", NULL },
        { "https://prometheus.example/a/b//", "https://prometheus.example/a/b", NULL },
        { "http://tina@[::1]:9090/", "http://[::1]:9090", "tina" },
        { "http://t%20a@h", "http://h", "t a" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http_url u;
        struct err e = { 0 };

        ck_assert_msg(http_url_read(cases[i].text, &u, &e) == 0, "%s: %s", cases[i].text, e.text);
        ck_assert_str_eq(u.base, cases[i].base);
        ck_assert_pstr_eq(u.user, cases[i].user);
        http_url_free(&u);
    }
}
END_TEST

START_TEST(a_url_with_more_than_an_address_is_refused_without_showing_secrets)
{
    static const char *const cases[] = { "http://tina:s3cret@h", "http://h/?token=s3cret", "http://h/#s3cret", "file:///s3cret@", "://s3cret@", "" };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http_url u;
        struct err e = { 0 };

        ck_assert_int_eq(http_url_read(cases[i], &u, &e), -1);
        ck_assert_int_eq(e.code, ERR_USAGE);
        ck_assert_ptr_null(strstr(e.text, "s3cret"));
        ck_assert_ptr_null(strstr(e.hint, "s3cret"));
        http_url_free(&u);
    }
}
END_TEST

START_TEST(a_form_is_percent_encoded)
{
    struct buf b = { 0 };

    http_add_form(&b, "query", span_of("{__name__=~\"A|B\"}[6h] +\xc3\xa4"));
    http_add_form(&b, "time", span_of("1791158400"));
    http_add_form(&b, "a&time=0", span_of(""));        /* a name from settings adds no field */
    ck_assert_str_eq(buf_str(&b), "query=%7B__name__%3D~%22A%7CB%22%7D%5B6h%5D%20%2B%C3%A4&time=1791158400&a%26time%3D0=");
    buf_free(&b);
}
END_TEST

static void check_shown(const struct http_access *a, const char *text, const char *wanted)
{
    struct buf b = { 0 };

    http_add_shown(&b, a, span_of(text));
    ck_assert_str_eq(buf_str(&b), wanted);
    buf_free(&b);
}

START_TEST(secrets_are_hidden_in_what_a_server_said)
{
    static const char *const headers[] = { "X-Scope-OrgID: 7", "X-Key:  abcdef ", NULL };
    struct http_access a = { .user = "tina", .password = "s3cret", .token = "tok", .headers = headers };

    /* base64 of tina:s3cret is dGluYTpzM2NyZXQ= */
    check_shown(&a, "tok s3cret dGluYTpzM2NyZXQ= abcdef s3crets3cret 7", "*** *** ***= *** ****** 7");
    check_shown(&a, " two\nlines\t \x1b[31m \n", "two lines  \xef\xbf\xbd[31m");
    check_shown(&a, "", "");
    a = (struct http_access){ .user = "a", .password = "bcd" };
    check_shown(&a, "Basic YTpiY2Q=", "Basic ***=");   /* 5 bytes: the last digit has padding bits */
    a = (struct http_access){ .aws_region = "eu-central-1", .aws_key_id = "AKID", .aws_secret = "s3cret", .aws_session = "s3ss" };
    check_shown(&a, "eu-central-1 AKID/2026 s3cret s3ss", "eu-central-1 ***/2026 *** ***");
    /* base64 of pia:p@ss is cGlhOnBAc3M= */
    a = (struct http_access){ .proxy = "http://pia:p%40ss@proxy:3128" };
    check_shown(&a, "pia p@ss p%40ss Basic cGlhOnBAc3M=", "pia *** *** Basic ***=");
    a.proxy = "pia:p%40ss@proxy:3128";
    check_shown(&a, "p@ss", "***");
    a.proxy = "http://pia:p%40ss@proxy:no";
    check_shown(&a, "cannot read 'http://pia:p%40ss@proxy:no'", "cannot read '***'");
    a = (struct http_access){ .user = "a", .password = "bc" };
    check_shown(&a, "Basic YTpiYw==", "Basic ***==");
    a.password = "b";
    check_shown(&a, "Basic YTpi YTpi.", "Basic *** ***.");
}
END_TEST

/* A server shortens what it repeats, or an answer is longer than what is kept of it: 12 bytes and more of a secret are none to show. */
START_TEST(a_secret_that_was_cut_is_hidden)
{
    struct http_access a = { .token = "abcdefghijklmnopqrstuvwxyz" };

    check_shown(&a, "token abcdefghijklmnop... is bad", "token ***... is bad");
    check_shown(&a, "token abcdefghijkl", "token ***");
    check_shown(&a, "abcdefghijklmnopqrstuvwxyzabcdefghijklm", "******");
    check_shown(&a, "abcdefghijkz abcdefghijklz", "abcdefghijkz ***z");       /* 11 and 12 bytes */
}
END_TEST

START_TEST(a_long_text_is_cut_between_characters)
{
    struct http_access a = { 0 };
    struct buf text = { 0 }, wanted = { 0 };

    buf_fill(&text, 'x', 199);
    buf_adds(&text, "\xc3\xa4 and more");
    buf_fill(&wanted, 'x', 199);
    buf_adds(&wanted, "...");
    check_shown(&a, buf_str(&text), buf_str(&wanted));
    buf_free(&text);
    buf_free(&wanted);
}
END_TEST

START_TEST(pauses_grow_and_end_after_six_attempts)
{
    struct http_retry t = { 0 };
    struct http_result r = { .outcome = HTTP_ANSWERED, .status = 503 };
    int64_t pause = 0;

    for (int64_t longest = 500; longest <= 8000; longest *= 2) {
        ck_assert(http_retry_after(&t, &r, true, &pause));
        ck_assert_int_ge(pause, longest / 2);
        ck_assert_int_le(pause, longest);
    }
    ck_assert(!http_retry_after(&t, &r, true, &pause));
    ck_assert_int_eq(t.attempts, 6);
}
END_TEST

START_TEST(pauses_differ)
{
    struct http_result r = { .outcome = HTTP_BROKEN };
    int64_t shortest = INT64_MAX, longest = 0;

    for (int i = 0; i < 256; i++) {
        struct http_retry t = { 0 };
        int64_t pause = 0;

        ck_assert(http_retry_after(&t, &r, true, &pause));
        shortest = pause < shortest ? pause : shortest;
        longest = pause > longest ? pause : longest;
    }
    ck_assert_int_ge(shortest, 250);
    ck_assert_int_lt(shortest, 300);                   /* but for one in 10^24: each is below with a chance of 1 in 5 */
    ck_assert_int_gt(longest, 450);
    ck_assert_int_le(longest, 500);
}
END_TEST

START_TEST(a_server_that_says_when_is_asked_then)
{
    struct http_retry t = { 0 };
    struct http_result r = { .outcome = HTTP_ANSWERED, .status = 429, .retry_after_s = 7 };
    int64_t pause = 0;

    ck_assert(http_retry_after(&t, &r, true, &pause));
    ck_assert_int_ge(pause, 7000);
    ck_assert_int_le(pause, 7100);
    r.retry_after_s = HTTP_RETRY_AFTER_S + 1;
    ck_assert(!http_retry_after(&t, &r, true, &pause));
}
END_TEST

START_TEST(only_what_may_mend_is_tried_again)
{
    static const struct { enum http_outcome outcome; int status; bool before, again; } cases[] = {
        { HTTP_ANSWERED, 429, false, true }, { HTTP_ANSWERED, 500, false, true }, { HTTP_ANSWERED, 502, false, true },
        { HTTP_ANSWERED, 504, false, true }, { HTTP_ANSWERED, 507, false, true },
        { HTTP_ANSWERED, 524, false, true }, { HTTP_ANSWERED, 505, true, false },
        { HTTP_STOPPED, 503, false, true }, { HTTP_BROKEN, 0, false, true },
        { HTTP_BROKEN, 200, true, true }, { HTTP_UNREACHABLE, 0, true, true }, { HTTP_UNREACHABLE, 0, false, false },
        { HTTP_ANSWERED, 401, true, false }, { HTTP_ANSWERED, 422, true, false }, { HTTP_ANSWERED, 501, true, false },
        { HTTP_ANSWERED, 302, true, false }, { HTTP_STOPPED, 200, true, false }, { HTTP_TOO_LARGE, 200, true, false },
        { HTTP_FAILED, 0, true, false },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct http_retry t = { 0 };
        struct http_result r = { .outcome = cases[i].outcome, .status = cases[i].status };
        int64_t pause;

        ck_assert_msg(http_retry_after(&t, &r, cases[i].before, &pause) == cases[i].again, "case %zu", i);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("http_text");
    TCase *t = tcase_create("all");

    tcase_add_test(t, a_url_is_taken_apart);
    tcase_add_test(t, a_url_with_more_than_an_address_is_refused_without_showing_secrets);
    tcase_add_test(t, a_form_is_percent_encoded);
    tcase_add_test(t, secrets_are_hidden_in_what_a_server_said);
    tcase_add_test(t, a_secret_that_was_cut_is_hidden);
    tcase_add_test(t, a_long_text_is_cut_between_characters);
    tcase_add_test(t, pauses_grow_and_end_after_six_attempts);
    tcase_add_test(t, pauses_differ);
    tcase_add_test(t, a_server_that_says_when_is_asked_then);
    tcase_add_test(t, only_what_may_mend_is_tried_again);
    suite_add_tcase(s, t);
    return unit_run(s);
}
