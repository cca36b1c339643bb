/* http_test: setting up connections where libcurl has no memory for a text. Requests themselves: tests/http. */
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/codec/http.h"
#include "unit.h"

static int texts_left;             /* this many copies succeed */

static char *failing_strdup(const char *text)
{
    return texts_left-- > 0 ? strdup(text) : NULL;
}

START_TEST(no_connection_is_set_up_without_one_of_its_texts)
{
    static const char *const headers[] = {"X-Scope-OrgID: tenant-1", "X-Token: secret", NULL};
    static const struct http_access accesses[] = {
        {.user = "tina", .password = "secret", .ca_file = "ca.pem", .headers = headers},
        {.token = "secret", .cert_file = "cert.pem", .key_file = "key.pem"},
        {.aws_region = "eu-central-1", .aws_key_id = "id", .aws_secret = "secret", .aws_session = "session", .proxy = "http://a:b@c:1"},
    };
    struct http *h = NULL;
    struct err e = {0};
    unsigned slot;
    int refused = 0;

    ck_assert_int_eq(curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc, free, realloc, failing_strdup, calloc), CURLE_OK);
    texts_left = 1000;
    ck_assert_int_eq(http_new(&h, &e), 0);
    for (texts_left = refused; http_add_slot(h, &accesses[_i], &slot, &e) < 0; texts_left = refused) {
        ck_assert_int_eq(e.code, ERR_INTERNAL);
        ck_assert_int_lt(++refused, 1000);
    }
    ck_assert_uint_eq(slot, 0);
    ck_assert_int_ge(texts_left, 0);                   /* it succeeded only with every copy */
    ck_assert_int_ge(refused, 5);
    http_free(h);
    curl_global_cleanup();
}
END_TEST

static int take(void *ctx, const char *p, size_t n)
{
    (void)p;
    (void)n;
    *(bool *)ctx = true;
    return 0;
}

/* Port 1 has nobody listening: what goes out meets no server, what does not has failed before. */
START_TEST(no_request_goes_out_without_one_of_its_texts)
{
    static const char *const always[] = {"X-Scope-OrgID: tenant-1", NULL}, *const further[] = {"X-Version: 1", NULL};
    const struct http_access access = {.headers = always, .proxy = "http://127.0.0.1:1"};
    const struct http_request q = {.url = "http://127.0.0.1:1/", .content_type = "a/b", .accept = "c/d", .headers = further, .cap_bytes = 1, .fresh = true};
    struct http *h;
    struct http_result r;
    struct err e = {0};
    bool answered = false;
    unsigned slot;
    int failed = 0;

    ck_assert_int_eq(curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc, free, realloc, failing_strdup, calloc), CURLE_OK);
    texts_left = 1000;
    ck_assert_int_eq(http_new(&h, &e), 0);
    ck_assert_int_eq(http_add_slot(h, &access, &slot, &e), 0);
    do {
        ck_assert_int_lt(failed, 1000);
        texts_left = failed++;
        http_post(h, slot, &q, take, &answered);
        ck_assert_int_eq(http_wait(h, 20000, &r), 1);
    } while (r.outcome == HTTP_FAILED);
    ck_assert_int_eq(r.outcome, HTTP_UNREACHABLE);
    ck_assert_int_gt(failed, 5);                       /* four headers and the URL, at least */
    ck_assert(!answered);
    http_free(h);
    curl_global_cleanup();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("http");
    TCase *t = tcase_create("all");

    tcase_add_loop_test(t, no_connection_is_set_up_without_one_of_its_texts, 0, 3);
    tcase_add_test(t, no_request_goes_out_without_one_of_its_texts);
    suite_add_tcase(s, t);
    return unit_run(s);
}
