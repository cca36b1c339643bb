/* prometheus_reply_test: answers of the query API to samples of a scrape, however they are cut into pieces. */
#include "gputab/source/prometheus_reply.h"
#include "gputab/source/scrape_batch.h"

#include "metrics_fixture.h"
#include "replay_all.h"
#include "unit.h"

static const struct scrape_origin origin = { "cluster", "" };

struct asked {
    struct loaded l;
    struct metrics_request req;
    struct scrape scrape;
    struct prometheus_reply reply;
};

/* Samples count in (0 s, 3600 s] after BASE_S. */
static void ask(struct asked *a)
{
    fixture_init(&a->l);
    a->req = fixture_request(&a->l, NULL);
    scrape_init(&a->scrape, &a->req);
    prometheus_reply_init(&a->reply, &a->scrape, &origin);
    prometheus_reply_begin(&a->reply, (struct timespan){ AT(0), AT(3600) });
}

static void release(struct asked *a)
{
    prometheus_reply_free(&a->reply);
    scrape_free(&a->scrape);
    inventory_free(&a->l.inv);
    intern_free(a->l.names);
    diag_free(&a->l.diag);
}

static int feed(struct asked *a, const char *text, size_t n, size_t piece)
{
    for (size_t at = 0; at < n; at += piece)
        if (prometheus_reply_feed(&a->reply, text + at, n - at < piece ? n - at : piece) < 0)
            return -1;
    return prometheus_reply_end(&a->reply);
}

/* "GPU-1 60000=5 120500=7 | ...": a series per part, in the order of arrival: ms after BASE_S and values. */
static char *tell(struct asked *a)
{
    struct buf b = { 0 };
    struct samples v = { 0 };
    struct err e = { 0 };
    struct replay r;

    replay_init(&r, &a->scrape, a->l.names, a->l.inv.labelsets, REPLAY_ALL);
    ck_assert_int_eq(replay_all(&r, &e), 0);
    for (size_t i = 0; i < r.series.n; i++) {
        const struct replay_series *s = &r.series.v[i];

        ck_assert_int_eq(replay_samples(&r, s, &v, &e), 0);
        buf_addf(&b, "%s%s", i ? " | " : "", intern_cstr(a->l.names, replay_role(s, ROLE_UUID)));
        for (size_t k = 0; k < v.n; k++)
            buf_addf(&b, " %lld=%llu", (long long)(v.v[k].time - AT(0)), (unsigned long long)v.v[k].value);
    }
    replay_free(&r);
    vec_free(&v);
    return buf_take(&b);
}

static void check_samples(const char *result, const char *wanted)
{
    static const size_t pieces[] = { 1, 2, 7, 1 << 20 };
    struct buf text = { 0 };

    buf_addf(&text, "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[%s]}}", result);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct asked a;
        struct err e = { 0 };
        char *told;

        ask(&a);
        ck_assert_msg(feed(&a, text.p, text.n, pieces[i]) == 0, "%s", a.reply.base.err.text);
        ck_assert_int_eq(a.scrape.n_samples, 0);
        ck_assert_int_eq(reply_keep(&a.reply.base, &e), 0);
        told = tell(&a);
        ck_assert_str_eq(told, wanted);
        free(told);
        release(&a);
    }
    buf_free(&text);
}

#define METRIC "\"metric\":{\"__name__\":\"hami_host_gpu_memory_used_bytes\",\"deviceuuid\":\"GPU-1\"}"

START_TEST(samples_reach_the_scrape_when_they_are_kept)
{
    check_samples("{" METRIC ",\"values\":[[1791158460,\"5\"],[1791158520.5,\"7\"]]},"
                  "{\"metric\":{\"__name__\":\"hami_host_gpu_memory_used_bytes\",\"deviceuuid\":\"GPU-2\"},\"values\":[[1791158460,\"9\"]]}",
                  "GPU-1 60000=5 120500=7 | GPU-2 60000=9");
}
END_TEST

START_TEST(members_come_in_any_order_beside_unknown_ones)
{
    check_samples("{\"values\":[[1791158460,\"5\"]],\"more\":{\"values\":[[1,\"2\"]]}," METRIC ",\"less\":null}", "GPU-1 60000=5");
}
END_TEST

START_TEST(times_are_read_digit_by_digit)
{
    check_samples("{" METRIC ",\"values\":[[1791158460.001,\"1\"],[1791158460.0019,\"2\"],[1.791158461e9,\"3\"],[17911584620E-1,\"4\"],"
                  "[1791158463.57,\"5\"],[1.791158464579999E+9,\"6\"],[179115846500e-2,\"7\"]]}",
                  "GPU-1 60001=1 61000=3 62000=4 63570=5 64579=6 65000=7");
}
END_TEST

START_TEST(a_window_is_half_open)
{
    check_samples("{" METRIC ",\"values\":[[1791158399.999,\"1\"],[1791158400,\"2\"],[1791158400.001,\"3\"],[1791162000,\"4\"],"
                  "[1791162000.001,\"5\"],[-5,\"6\"]]}", "GPU-1 1=3 3600000=4");
}
END_TEST

START_TEST(values_are_the_nearest_binary_numbers)
{
    check_samples("{" METRIC ",\"values\":[[1791158401,\"1e3\"],[1791158402,\"85899345920\"],[1791158403,\"2.5\"],[1791158404,\"3.5\"],"
                  "[1791158405,\"1234567890123.5\"],[1791158406,\"0\"]]}",
                  "GPU-1 1000=1000 2000=85899345920 3000=2 4000=4 5000=1234567890124 6000=0");
}
END_TEST

START_TEST(what_is_no_number_is_counted_and_left_out)
{
    static const char text[] = "{\"status\":\"success\",\"data\":{\"result\":[{" METRIC ",\"values\":[[1791158401,\"NaN\"],[1791158402,\"+Inf\"],"
                               "[1791158403,\"-Inf\"],[1791158404,\"-1\"],[1791158405,\"1\"],[1791158399,\"NaN\"]],"
                               "\"histograms\":[[1791158406,{\"count\":\"1\",\"buckets\":[[0,\"1\",\"2\",\"3\"]]}]]}]}}";
    struct asked a;
    struct err e = { 0 };
    int64_t bad = 0;

    ask(&a);
    ck_assert_int_eq(feed(&a, text, sizeof text - 1, 3), 0);
    ck_assert_int_eq(reply_keep(&a.reply.base, &e), 0);
    for (size_t i = 0; i < a.scrape.n_families; i++)
        bad += a.scrape.bad[i];
    ck_assert_int_eq(bad, 5);
    ck_assert_int_eq(a.scrape.n_samples, 1);
    release(&a);
}
END_TEST

START_TEST(an_answer_that_breaks_off_anywhere_is_never_whole)
{
    static const char text[] = "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{" METRIC ",\"values\":"
                               "[[1791158401.25,\"1.5e3\"],[1791158402,\"7\"]]}]},\"warnings\":[\"a\\u00e4\"]}";

    for (size_t n = 0; n + 1 < sizeof text; n++) {
        struct asked a;

        ask(&a);
        ck_assert_int_eq(feed(&a, text, n, 1000), -1);
        ck_assert_msg(a.reply.base.cut, "cut after %zu bytes: %s", n, a.reply.base.err.text);
        release(&a);
    }
}
END_TEST

START_TEST(an_error_is_told_with_its_type)
{
    static const char text[] = "{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"too \\\"slow\\\"\",\"data\":null}";
    struct asked a;

    ask(&a);
    ck_assert_int_eq(feed(&a, text, sizeof text - 1, 1), 0);
    ck_assert(a.reply.base.failure && !a.reply.base.success);
    ck_assert_str_eq(buf_str(&a.reply.base.error_type), "timeout");
    ck_assert_str_eq(buf_str(&a.reply.base.error), "too \"slow\"");
    release(&a);
}
END_TEST

/* VictoriaMetrics finds while it sends that it cannot go on, and says so in a second document. */
START_TEST(an_error_behind_an_answer_is_an_error)
{
    static const char text[] = "{\"status\":\"success\",\"data\":{\"result\":[{" METRIC ",\"values\":[[1791158401,\"1\"]]}]}}"
                               "{\"status\":\"error\",\"errorType\":\"422\",\"error\":\"cannot go on\"}";
    struct asked a;

    for (size_t piece = 1; piece < sizeof text; piece++) {
        ask(&a);
        ck_assert_int_eq(feed(&a, text, sizeof text - 1, piece), 0);
        ck_assert(a.reply.base.failure && !a.reply.base.success);
        ck_assert_str_eq(buf_str(&a.reply.base.error), "cannot go on");
        release(&a);
    }
    ask(&a);
    ck_assert_int_eq(feed(&a, text, sizeof text - 2, 10), -1);
    ck_assert(a.reply.base.cut);
    release(&a);
}
END_TEST

START_TEST(two_answers_are_none)
{
    static const char *const texts[][2] = {
        { "{\"status\":\"success\",\"data\":{\"result\":[]}}{\"status\":\"success\"}", "another answer behind the first one" },
        { "{\"status\":\"success\",\"data\":{\"result\":[]}}{}", "not an answer of the query API: it has no status" },
        { "{\"status\":\"success\",\"data\":{\"result\":[]}}[]", "not an answer of the query API" },
        { "{\"status\":\"error\"}{\"status\":\"error\"}", "'{' where the end should be" },
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct asked a;

        ask(&a);
        ck_assert_int_eq(feed(&a, texts[i][0], strlen(texts[i][0]), 3), -1);
        ck_assert_str_eq(a.reply.base.err.text, texts[i][1]);
        release(&a);
    }
}
END_TEST

START_TEST(warnings_are_kept_up_to_a_number)
{
    struct buf text = { 0 };
    struct asked a;

    buf_adds(&text, "{\"warnings\":[\"first\"");
    for (int i = 0; i < 100; i++)
        buf_adds(&text, ",\"more\"");
    buf_adds(&text, "],\"infos\":[\"none\"],\"status\":\"success\",\"data\":{\"result\":[]}}");
    ask(&a);
    ck_assert_int_eq(feed(&a, text.p, text.n, 10), 0);
    ck_assert_uint_eq(a.reply.base.warnings.n, REPLY_WARNINGS);
    ck_assert_str_eq(a.reply.base.warnings.v[0], "first");
    prometheus_reply_begin(&a.reply, a.reply.base.window);
    ck_assert_uint_eq(a.reply.base.warnings.n, 0);
    release(&a);
    buf_free(&text);
}
END_TEST

START_TEST(a_partial_answer_is_a_warning)
{
    static const struct { const char *text; size_t n; } cases[] = {
        { "{\"status\":\"success\",\"isPartial\":true,\"data\":{\"result\":[]}}", 1 },
        { "{\"status\":\"success\",\"isPartial\":false,\"data\":{\"isPartial\":true,\"result\":[]}}", 0 },
    };

    for (size_t i = 0; i < 2; i++) {
        struct asked a;

        ask(&a);
        ck_assert_int_eq(feed(&a, cases[i].text, strlen(cases[i].text), 5), 0);
        ck_assert_uint_eq(a.reply.base.warnings.n, cases[i].n);
        release(&a);
    }
}
END_TEST

START_TEST(a_series_has_at_most_256_labels)
{
    for (int labels = 256; labels <= 257; labels++) {
        struct buf text = { 0 };
        struct asked a;

        buf_adds(&text, "{\"status\":\"success\",\"data\":{\"result\":[{\"metric\":{\"__name__\":\"kube_node_labels\"");
        for (int i = 0; i < labels; i++)
            buf_addf(&text, ",\"l%d\":\"x\"", i);
        buf_adds(&text, "},\"values\":[]}]}}");
        ask(&a);
        ck_assert_int_eq(feed(&a, text.p, text.n, 4096), labels == 256 ? 0 : -1);
        if (labels == 257)
            ck_assert_str_eq(a.reply.base.err.text, "a series has more than 256 labels");
        release(&a);
        buf_free(&text);
    }
}
END_TEST

START_TEST(labels_have_a_cap_in_bytes)
{
    struct buf text = { 0 };
    struct asked a;

    buf_adds(&text, "{\"data\":{\"result\":[{\"metric\":{\"a\":\"");
    buf_fill(&text, 'x', 600000);
    buf_adds(&text, "\",\"b\":\"");
    buf_fill(&text, 'x', 600000);
    buf_adds(&text, "\"}}]}}");
    ask(&a);
    ck_assert_int_eq(feed(&a, text.p, text.n, 4096), -1);
    ck_assert_str_eq(a.reply.base.err.text, "the labels of a series are longer than 1 MiB");
    release(&a);
    buf_free(&text);
}
END_TEST

/* Whatever stands in an answer's members, reading ends with samples or an error. */
START_TEST(wrong_types_are_errors_or_skipped)
{
    static const char *const values[] = { "1", "\"x\"", "null", "true", "[]", "{}", "[[]]", "[{}]", "[1]", "[[1]]", "{\"a\":[{}]}", "[[1,\"1\"]]" };
    static const char *const shapes[] = {
        "%s", "{\"status\":%s}", "{\"data\":%s}", "{\"warnings\":%s}", "{\"error\":%s}", "{\"data\":{\"result\":%s}}",
        "{\"data\":{\"resultType\":%s}}", "{\"data\":{\"result\":[%s]}}", "{\"data\":{\"result\":[{\"metric\":%s}]}}",
        "{\"data\":{\"result\":[{\"values\":%s}]}}", "{\"data\":{\"result\":[{\"values\":[%s]}]}}",
        "{\"data\":{\"result\":[{\"values\":[[1,%s]]}]}}", "{\"data\":{\"result\":[{\"metric\":{\"a\":%s}}]}}",
        "{\"data\":{\"result\":[{\"histograms\":[[1,%s]]}]}}",
    };

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            const char *hole = strstr(shapes[i], "%s");
            struct buf text = { 0 };
            struct asked a;

            buf_add(&text, shapes[i], (size_t)(hole - shapes[i]));
            buf_adds(&text, values[k]);
            buf_adds(&text, hole + 2);
            ask(&a);
            ck_assert_int_eq(feed(&a, text.p, text.n, 1), -1);     /* none of them has a status that counts */
            ck_assert(a.reply.base.err.text[0] && !a.reply.base.cut);
            release(&a);
            buf_free(&text);
        }
}
END_TEST

/* Whether a sample is read as a pair or, since each byte is a piece, as tokens. */
static void check_error(const char *values, const char *wanted)
{
    static const size_t pieces[] = { 1, 1 << 20 };

    for (size_t i = 0; i < 2; i++) {
        struct buf text = { 0 }, told = { 0 };
        struct asked a;
        const struct err *e = &a.reply.base.err;

        buf_addf(&text, "{\"data\":{\"result\":[{\"values\":[\n%s]}]}}", values);
        ask(&a);
        ck_assert_int_eq(feed(&a, text.p, text.n, pieces[i]), -1);
        buf_addf(&told, "%lld:%lld %s", (long long)e->line, (long long)e->column, e->text);
        ck_assert_str_eq(buf_str(&told), wanted);
        release(&a);
        buf_free(&told);
        buf_free(&text);
    }
}

START_TEST(errors_in_samples_have_a_place)
{
    check_error("[1,\"2\"],[99999999999999999,\"3\"]", "2:10 a sample's time is no number of seconds");
    check_error("[1,\"2\"],[2,\"3x\"]", "2:12 a sample's value is no number in quotes");
    check_error("[1,\"2\"],[2,\"\"]", "2:12 a sample's value is no number in quotes");
    check_error("[1,\"2\"],[1.e,\"3\"]", "2:12 number is not complete");
    check_error("[1,\"2\"],[2,\"3\",4,5]", "2:19 a sample is not a pair of time and value");
    check_error("[1,\"2\"],[2]", "2:11 a sample is not a pair of time and value");
    check_error("[1,\"2\"],[2,3]", "2:12 a sample's value is no number in quotes");
    check_error("[1,\"2\"][2,\"3\"]", "2:8 '[' where a comma or ] should be");
    check_error("[1,\"2\"],[2,\"3\"},", "2:15 '}' where a comma or ] should be");
}
END_TEST

START_TEST(a_series_has_a_cap_of_samples)
{
    static const char head[] = "{\"status\":\"success\",\"data\":{\"result\":[{" METRIC ",\"values\":[";
    static const char samples[] = "[1791158460,\"5\"],[1791158520,\"5\"]]}]}}";

    for (size_t piece = 1; piece < sizeof samples; piece++)
        for (size_t room = 1; room <= 2; room++) {
            struct asked a;

            ask(&a);
            ck_assert_int_eq(prometheus_reply_feed(&a.reply, head, sizeof head - 1), 0);
            a.reply.base.n_samples = REPLY_SAMPLES - room;
            ck_assert_int_eq(feed(&a, samples, sizeof samples - 1, piece), room < 2 ? -1 : 0);
            if (room < 2) {
                ck_assert_str_eq(a.reply.base.err.text, "a series has more than 4194304 samples in one answer");
                ck_assert_int_eq(a.reply.base.err.column, (int64_t)sizeof head + 17 + 12);
            }
            release(&a);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("prometheus_reply");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, samples_reach_the_scrape_when_they_are_kept);
    tcase_add_test(t, members_come_in_any_order_beside_unknown_ones);
    tcase_add_test(t, times_are_read_digit_by_digit);
    tcase_add_test(t, a_window_is_half_open);
    tcase_add_test(t, values_are_the_nearest_binary_numbers);
    tcase_add_test(t, what_is_no_number_is_counted_and_left_out);
    tcase_add_test(t, an_answer_that_breaks_off_anywhere_is_never_whole);
    tcase_add_test(t, an_error_is_told_with_its_type);
    tcase_add_test(t, an_error_behind_an_answer_is_an_error);
    tcase_add_test(t, two_answers_are_none);
    tcase_add_test(t, warnings_are_kept_up_to_a_number);
    tcase_add_test(t, a_partial_answer_is_a_warning);
    tcase_add_test(t, a_series_has_at_most_256_labels);
    tcase_add_test(t, labels_have_a_cap_in_bytes);
    tcase_add_test(t, wrong_types_are_errors_or_skipped);
    tcase_add_test(t, errors_in_samples_have_a_place);
    tcase_add_test(t, a_series_has_a_cap_of_samples);
    suite_add_tcase(s, t);
    return unit_run(s);
}
