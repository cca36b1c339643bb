/* export_reply_test: lines of VictoriaMetrics' export to samples of a scrape. */
#include "reply_fixture.h"
#include "unit.h"

#define TYPE "application/stream+json; charset=utf-8"
#define METRIC "\"metric\":{\"__name__\":\"hami_host_gpu_memory_used_bytes\",\"deviceuuid\":\"GPU-1\"}"
#define OTHER "\"metric\":{\"__name__\":\"hami_host_gpu_memory_used_bytes\",\"deviceuuid\":\"GPU-2\"}"

static void check(const char *text, const char *wanted)
{
    check_answer(&transport_export, TYPE, span_of(text), wanted);
}

static void refused(const char *text, const char *wanted)
{
    check_refused(&transport_export, TYPE, span_of(text), wanted);
}

START_TEST(a_line_is_a_series)
{
    check("{" METRIC ",\"values\":[5,7.0,1e3],\"timestamps\":[1791158460000,1791158520500,1791158580001]}\n"
          "{" OTHER ",\"values\":[85899345920],\"timestamps\":[1791162000000]}\n",
          "GPU-1 60000=5 120500=7 180001=1000 | GPU-2 3600000=85899345920");
}
END_TEST

START_TEST(nothing_is_an_answer_too)
{
    check("", "");
}
END_TEST

START_TEST(a_series_may_have_several_lines_and_members_any_order)
{
    check("\n{\"timestamps\":[1791158460000],\"more\":{\"values\":[1]},\"values\":[5]," METRIC "}\r\n\n"
          "{ " METRIC " , \"values\" : [ 6 ] , \"less\" : null, \"timestamps\" : [ 1791158461000 ] }\n",
          "GPU-1 60000=5 61000=6");
}
END_TEST

START_TEST(the_window_is_half_open)
{
    check("{" METRIC ",\"values\":[1,2,3,4],\"timestamps\":[1791158400000,1791158400001,1791162000000,1791162000001]}\n",
          "GPU-1 1=2 3600000=3");
}
END_TEST

/* Null stands for stale markers and other NaNs: nothing was there. Infinities are samples that are none, which are counted. */
START_TEST(null_is_no_sample)
{
    static const char text[] = "{" METRIC ",\"values\":[1,null,\"Infinity\",\"-Infinity\",-1,2],\"timestamps\":"
                               "[1791158401000,1791158402000,1791158403000,1791158404000,1791158405000,1791158406000]}\n";
    struct asked a;
    struct err e = { 0 };
    int64_t bad = 0;

    check(text, "GPU-1 1000=1 6000=2");
    ask(&a, &transport_export);
    ck_assert_int_eq(answer(&a, 200, TYPE, span_of(text), 10), 0);
    ck_assert_int_eq(reply_keep(a.reply, &e), 0);
    for (size_t i = 0; i < a.scrape.n_families; i++)
        bad += a.scrape.bad[i];
    ck_assert_int_eq(bad, 3);
    release(&a);
}
END_TEST

START_TEST(what_is_no_line_is_an_error)
{
    refused("{" METRIC ",\"values\":[5],\"timestamps\":[]}\n",
            "a line of an export without a metric, or with other numbers of values and of timestamps");
    refused("{\"values\":[],\"timestamps\":[]}\n",
            "a line of an export without a metric, or with other numbers of values and of timestamps");
    refused("{" METRIC ",\"values\":[\"x\"],\"timestamps\":[1791158460000]}\n", "a sample's value is no number");
    refused("{" METRIC ",\"values\":[-00],\"timestamps\":[1791158460000]}\n", "'0' where a comma or ] should be");
    refused("{" METRIC ",\"values\":[true],\"timestamps\":[1791158460000]}\n", "a sample's value is no number");
    refused("{" METRIC ",\"values\":[5],\"timestamps\":[null]}\n", "a timestamp is no number of milliseconds");
    refused("{" METRIC ",\"values\":[5],\"timestamps\":[1e16]}\n", "a timestamp is no number of milliseconds");
    refused("{" METRIC ",\"values\":[[5]],\"timestamps\":[1791158460000]}\n", "not a line of an export");
    refused("{\"metric\":{\"__name__\":1}}\n", "a label's value is no text");
    refused("{\"metric\":{\"__name__\":\"up\"}}\n", "a series that was not asked for");
    refused("{" METRIC ",\"values\":[],\"timestamps\":[]} {}\n", "'{' where the end should be");
    refused("{" METRIC "," METRIC "}\n", "a line of an export has a part twice");
}
END_TEST

START_TEST(an_answer_that_ends_within_a_line_is_cut)
{
    static const char text[] = "{" METRIC ",\"values\":[5],\"timestamps\":[1791158460000]}\n";

    for (size_t n = 1; n + 1 < sizeof text; n++) {
        struct asked a;

        ask(&a, &transport_export);
        ck_assert_int_eq(answer(&a, 200, TYPE, (struct span){ text, n }, 1000), -1);
        ck_assert(a.reply->cut);
        release(&a);
    }
}
END_TEST

/* Behind the lines of some series the server finds that it cannot go on; the status is gone by then. */
START_TEST(a_text_behind_lines_is_what_the_server_says)
{
    static const char text[] = "{" METRIC ",\"values\":[5],\"timestamps\":[1791158460000]}\nremoteAddr: \"x\"; cannot go on\n{}\n";

    for (size_t piece = 1; piece < sizeof text; piece++) {
        struct asked a;

        ask(&a, &transport_export);
        ck_assert_int_eq(answer(&a, 200, TYPE, span_of(text), piece), 0);
        ck_assert(a.reply->failure && !a.reply->success);
        ck_assert_str_eq(buf_str(&a.reply->error), "remoteAddr: \"x\"; cannot go on\n{}\n");
        release(&a);
    }
}
END_TEST

START_TEST(another_type_is_no_export_and_another_status_speaks)
{
    struct asked a;

    ask(&a, &transport_export);
    ck_assert_int_eq(answer(&a, 200, "text/html", span_of("<html>"), 10), -1);
    ck_assert(a.reply->unsuited);
    release(&a);
    ask(&a, &transport_export);
    ck_assert_int_eq(answer(&a, 503, "text/html", span_of("{not now}"), 2), 0);
    ck_assert(a.reply->failure && !a.reply->unsuited);
    ck_assert_str_eq(buf_str(&a.reply->error), "{not now}");
    release(&a);
}
END_TEST

START_TEST(a_line_has_a_cap_of_samples)
{
    struct buf text = { 0 };

    buf_adds(&text, "{" METRIC ",\"values\":[");
    for (int i = 0; i <= REPLY_SAMPLES; i++)
        buf_adds(&text, "1,");
    check_refused(&transport_export, TYPE, buf_span(&text), "a line of an export has more than 4194304 samples");
    buf_free(&text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("export_reply");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_line_is_a_series);
    tcase_add_test(t, nothing_is_an_answer_too);
    tcase_add_test(t, a_series_may_have_several_lines_and_members_any_order);
    tcase_add_test(t, the_window_is_half_open);
    tcase_add_test(t, null_is_no_sample);
    tcase_add_test(t, what_is_no_line_is_an_error);
    tcase_add_test(t, an_answer_that_ends_within_a_line_is_cut);
    tcase_add_test(t, a_text_behind_lines_is_what_the_server_says);
    tcase_add_test(t, another_type_is_no_export_and_another_status_speaks);
    tcase_add_test(t, a_line_has_a_cap_of_samples);
    suite_add_tcase(s, t);
    return unit_run(s);
}
