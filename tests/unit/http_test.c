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

int main(void)
{
    Suite *s = suite_create("http");
    TCase *t = tcase_create("all");

    tcase_add_loop_test(t, no_connection_is_set_up_without_one_of_its_texts, 0, 2);
    suite_add_tcase(s, t);
    return unit_run(s);
}
