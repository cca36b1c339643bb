/* pull_error_test: which answers are to be had with a smaller question. Messages: tests/http. */
#include "gputab/source/pull_error.h"
#include "unit.h"

static bool wants_less(enum http_outcome outcome, int status, const char *said)
{
    struct http_result result = { .outcome = outcome, .status = status };
    struct reply reply = { .failure = *said != '\0' };
    struct pull_answer a = { .reply = &reply, .result = &result };
    bool less;

    buf_adds(&reply.error, said);
    less = pull_error_wants_less(&a);
    buf_free(&reply.error);
    return less;
}

/* Texts of Prometheus' engine, of Go's contexts as Mimir and Thanos pass them on, and of VictoriaMetrics. */
START_TEST(a_question_that_took_too_long_is_made_smaller)
{
    ck_assert(wants_less(HTTP_ANSWERED, 500, "query timed out in query execution"));
    ck_assert(wants_less(HTTP_ANSWERED, 500, "rpc error: code = DeadlineExceeded desc = context deadline exceeded"));
    ck_assert(wants_less(HTTP_ANSWERED, 422, "timeout exceeded while fetching data block #3 from storage: 30.000 seconds"));
    ck_assert(wants_less(HTTP_ANSWERED, 504, ""));
    ck_assert(wants_less(HTTP_ANSWERED, 504, "<html>"));
}
END_TEST

/* A page of a proxy is no JSON: the reader of the query API stops at its first byte. */
START_TEST(a_gateway_that_waited_in_vain_is_asked_for_less_whatever_it_says)
{
    ck_assert(wants_less(HTTP_STOPPED, 504, ""));
    ck_assert(!wants_less(HTTP_BROKEN, 504, ""));
}
END_TEST

/* Remote read of samples has a cap of its own, whatever HTTP would take; what was packed on the way may be a bomb. */
START_TEST(an_answer_beyond_its_cap_is_asked_for_in_parts)
{
    struct http_result result = { .outcome = HTTP_STOPPED, .status = 200 };
    struct reply reply = { .too_large = true };
    struct pull_answer a = { .reply = &reply, .result = &result };

    ck_assert(pull_error_wants_less(&a));
    result.packed = true;
    ck_assert(!pull_error_wants_less(&a));
    result = (struct http_result){ .outcome = HTTP_TOO_LARGE, .status = 200 };
    reply.too_large = false;
    ck_assert(pull_error_wants_less(&a));
}
END_TEST

START_TEST(other_refusals_are_none_of_size)
{
    ck_assert(!wants_less(HTTP_ANSWERED, 503, "upstream connect error: connection timed out"));
    ck_assert(!wants_less(HTTP_STOPPED, 502, ""));
    ck_assert(!wants_less(HTTP_ANSWERED, 500, ""));
    ck_assert(!wants_less(HTTP_ANSWERED, 401, "Unauthorized"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pull_error");
    TCase *t = tcase_create("all");

    tcase_add_test(t, a_question_that_took_too_long_is_made_smaller);
    tcase_add_test(t, a_gateway_that_waited_in_vain_is_asked_for_less_whatever_it_says);
    tcase_add_test(t, an_answer_beyond_its_cap_is_asked_for_in_parts);
    tcase_add_test(t, other_refusals_are_none_of_size);
    suite_add_tcase(s, t);
    return unit_run(s);
}
