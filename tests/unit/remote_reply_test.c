/* remote_reply_test: answers of remote read to samples of a scrape: chunks and samples, markers, series over several frames. The chunks are
 * written here bit by bit, as the encoding says. */
#include "gputab/codec/crc32c.h"
#include "gputab/codec/protobuf.h"
#include "gputab/codec/snappy.h"
#include "gputab/codec/varint.h"
#include "reply_fixture.h"
#include "unit.h"

#define STREAMED "application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse"
#define SAMPLES "application/x-protobuf"
#define STALE UINT64_C(0x7ff0000000000002)

static uint64_t bits_of(double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static void add_big(struct buf *b, uint64_t v, int bytes)
{
    while (bytes-- > 0)
        buf_addc(b, (char)(v >> 8 * bytes));
}

static void add_label(struct buf *series, const char *name, const char *value)
{
    struct buf l = { 0 };

    protobuf_add_bytes(&l, 1, span_of(name));
    protobuf_add_bytes(&l, 2, span_of(value));
    protobuf_add_bytes(series, 1, buf_span(&l));
    buf_free(&l);
}

static void add_labels(struct buf *series, const char *uuid)
{
    add_label(series, "__name__", "hami_host_gpu_memory_used_bytes");
    add_label(series, "deviceuuid", uuid);
}

/* Seconds after BASE_S to the sample before; bits of the value. */
struct point {
    int at;
    uint64_t bits;
};

/* A chunk of one or two samples: the first as a varint and 64 bits; of the second a varint, then 1 1, leading 0 in five bits, 64 bits (0)
 * in six, and all bits of the change: 13 bits and 64 make 77, with three of padding. Zero change is one bit. */
static void add_chunk(struct buf *series, const struct point *p, int n)
{
    struct buf data = { 0 }, chunk = { 0 };

    add_big(&data, (uint64_t)n, 2);
    varint_add(&data, (uint64_t)AT(p[0].at) << 1);
    add_big(&data, p[0].bits, 8);
    if (n == 2) {
        uint64_t change = p[0].bits ^ p[1].bits;

        varint_add(&data, (uint64_t)(p[1].at - p[0].at) * 1000);
        if (change) {
            add_big(&data, UINT64_C(0xc000) | change >> 61, 2);        /* 1100000000000 and the first three */
            add_big(&data, change << 3, 8);
        } else {
            add_big(&data, 0, 1);
        }
    }
    protobuf_add_varint(&chunk, 1, (uint64_t)AT(p[0].at));
    protobuf_add_varint(&chunk, 2, (uint64_t)AT(p[n - 1].at));
    protobuf_add_varint(&chunk, 3, 1);
    protobuf_add_bytes(&chunk, 4, buf_span(&data));
    protobuf_add_bytes(series, 2, buf_span(&chunk));
    buf_free(&chunk);
    buf_free(&data);
}

/* Takes the series as a frame of its own; it is empty then. */
static void add_frame(struct buf *answer, struct buf *series)
{
    struct buf message = { 0 };

    protobuf_add_bytes(&message, 1, buf_span(series));
    varint_add(answer, message.n);
    add_big(answer, crc32c(message.p, message.n), 4);
    buf_add_span(answer, buf_span(&message));
    buf_free(&message);
    buf_clear(series);
}

static void check(struct buf *answer, struct buf *series, const char *wanted)
{
    check_answer(&transport_remote_read, STREAMED, buf_span(answer), wanted);
    buf_free(answer);
    buf_free(series);
}

START_TEST(chunks_are_cut_to_the_window)
{
    struct buf answer = { 0 }, series = { 0 };

    add_labels(&series, "GPU-1");
    add_chunk(&series, (struct point[]){ { -60, bits_of(1) }, { 0, bits_of(2) } }, 2);          /* before it */
    add_chunk(&series, (struct point[]){ { 60, bits_of(5) }, { 120, bits_of(7) } }, 2);
    add_chunk(&series, (struct point[]){ { 3600, bits_of(8) }, { 3601, bits_of(9) } }, 2);      /* over its end */
    add_chunk(&series, (struct point[]){ { 3660, bits_of(9) } }, 1);
    add_frame(&answer, &series);
    check(&answer, &series, "GPU-1 60000=5 120000=7 3600000=8");
}
END_TEST

START_TEST(a_series_goes_on_in_the_next_frame)
{
    struct buf answer = { 0 }, series = { 0 };

    add_labels(&series, "GPU-1");
    add_chunk(&series, (struct point[]){ { 60, bits_of(5) }, { 120, bits_of(5) } }, 2);
    add_frame(&answer, &series);
    add_labels(&series, "GPU-1");
    add_chunk(&series, (struct point[]){ { 180, bits_of(6) } }, 1);
    add_frame(&answer, &series);
    add_labels(&series, "GPU-2");
    add_chunk(&series, (struct point[]){ { 60, bits_of(9) } }, 1);
    add_frame(&answer, &series);
    check(&answer, &series, "GPU-1 60000=5 120000=5 180000=6 | GPU-2 60000=9");
}
END_TEST

START_TEST(samples_of_chunks_that_overlap_count_once)
{
    struct buf answer = { 0 }, series = { 0 };

    add_labels(&series, "GPU-1");
    add_chunk(&series, (struct point[]){ { 60, bits_of(5) }, { 180, bits_of(7) } }, 2);
    add_chunk(&series, (struct point[]){ { 120, bits_of(6) }, { 180, bits_of(7) } }, 2);
    add_frame(&answer, &series);
    add_labels(&series, "GPU-1");
    add_chunk(&series, (struct point[]){ { 60, bits_of(5) }, { 240, bits_of(8) } }, 2);
    add_frame(&answer, &series);
    check(&answer, &series, "GPU-1 60000=5 120000=6 180000=7 240000=8");
}
END_TEST

START_TEST(stale_markers_are_nothing_and_other_nans_are_counted)
{
    struct buf answered = { 0 }, series = { 0 };
    struct asked a;
    struct err e = { 0 };
    char *told;
    int64_t bad = 0;

    add_labels(&series, "GPU-1");
    add_chunk(&series, (struct point[]){ { 60, bits_of(5) }, { 61, STALE } }, 2);
    add_chunk(&series, (struct point[]){ { 120, UINT64_C(0x7ff8000000000001) }, { 180, bits_of(7) } }, 2);
    add_frame(&answered, &series);
    ask(&a, &transport_remote_read);
    ck_assert_int_eq(answer(&a, 200, STREAMED, buf_span(&answered), 5), 0);
    ck_assert_int_eq(reply_keep(a.reply, &e), 0);
    told = tell(&a);
    ck_assert_str_eq(told, "GPU-1 60000=5 180000=7");
    for (size_t i = 0; i < a.scrape.n_families; i++)
        bad += a.scrape.bad[i];
    ck_assert_int_eq(bad, 1);
    free(told);
    release(&a);
    buf_free(&answered);
    buf_free(&series);
}
END_TEST

START_TEST(an_answer_that_breaks_off_anywhere_is_never_whole)
{
    struct buf whole = { 0 }, series = { 0 };

    add_labels(&series, "GPU-1");
    add_chunk(&series, (struct point[]){ { 60, bits_of(5) }, { 120, bits_of(7) } }, 2);
    add_frame(&whole, &series);
    for (size_t n = 1; n < whole.n; n++) {
        struct asked a;

        ask(&a, &transport_remote_read);
        ck_assert_int_eq(answer(&a, 200, STREAMED, (struct span){ whole.p, n }, 5), -1);
        ck_assert(a.reply->cut && !a.reply->success);
        release(&a);
    }
    buf_free(&whole);
    buf_free(&series);
}
END_TEST

/* Behind a series of the same names, too. Two faults: the first of twice, too many, no name, not asked for is told. */
START_TEST(labels_that_make_no_series_are_told)
{
    static const struct {
        const char *names[4], *wanted;
    } cases[] = {
        { { "__name__", "deviceuuid", "deviceuuid" }, "a series has a label twice" },
        { { "deviceuuid", "__name__", "deviceuuid" }, "a series has a label twice" },
        { { "__name__", "__name__", "deviceuuid" }, "a series has a label twice" },
        { { "__name__", "deviceuuid", "__name__" }, "a series has a label twice" },
        { { "deviceuuid", "deviceuuid" }, "a series has a label twice" },
        { { "deviceuuid" }, "a series without the name of its metric" },
        { { "deviceuuid", "vdevice_index" }, "a series without the name of its metric" },
    };

    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        struct buf answered = { 0 }, series = { 0 };
        struct asked a;

        if (i % 2) {
            add_labels(&series, "GPU-1");
            add_chunk(&series, (struct point[]){ { 60, bits_of(5) } }, 1);
            add_frame(&answered, &series);
        }
        for (size_t k = 0; k < 4 && cases[i / 2].names[k]; k++)
            add_label(&series, cases[i / 2].names[k], cases[i / 2].names[k][0] == '_' ? "hami_host_gpu_memory_used_bytes" : "GPU-1");
        add_chunk(&series, (struct point[]){ { 60, bits_of(5) } }, 1);
        add_frame(&answered, &series);
        ask(&a, &transport_remote_read);
        ck_assert_int_eq(answer(&a, 200, STREAMED, buf_span(&answered), 1000), -1);
        ck_assert_str_eq(a.reply->err.text, cases[i / 2].wanted);
        release(&a);
        buf_free(&answered);
        buf_free(&series);
    }
}
END_TEST

START_TEST(the_name_may_stand_anywhere)
{
    struct buf answer = { 0 }, series = { 0 };

    add_labels(&series, "GPU-1");
    add_chunk(&series, (struct point[]){ { 60, bits_of(5) } }, 1);
    add_frame(&answer, &series);
    add_label(&series, "deviceuuid", "GPU-2");
    add_label(&series, "__name__", "hami_host_gpu_memory_used_bytes");
    add_chunk(&series, (struct point[]){ { 60, bits_of(6) } }, 1);
    add_frame(&answer, &series);
    add_labels(&series, "GPU-3");
    add_chunk(&series, (struct point[]){ { 60, bits_of(7) } }, 1);
    add_frame(&answer, &series);
    check(&answer, &series, "GPU-1 60000=5 | GPU-2 60000=6 | GPU-3 60000=7");
}
END_TEST

START_TEST(another_encoding_is_for_another_transport)
{
    struct buf answered = { 0 }, series = { 0 }, chunk = { 0 };
    struct asked a;

    add_labels(&series, "GPU-1");
    protobuf_add_varint(&chunk, 3, 4);
    protobuf_add_bytes(&series, 2, buf_span(&chunk));
    add_frame(&answered, &series);
    ask(&a, &transport_remote_read);
    ck_assert_int_eq(answer(&a, 200, STREAMED, buf_span(&answered), 5), -1);
    ck_assert(a.reply->unsuited);
    release(&a);
    ask(&a, &transport_remote_read);
    ck_assert_int_eq(answer(&a, 200, "text/plain", buf_span(&answered), 5), -1);
    ck_assert(a.reply->unsuited);
    release(&a);
    buf_free(&answered);
    buf_free(&series);
    buf_free(&chunk);
}
END_TEST

static void add_sample(struct buf *series, int at, uint64_t bits)
{
    struct buf sample = { 0 };

    buf_addc(&sample, 1 << 3 | 1);                     /* field 1, eight bytes, lowest first */
    for (int i = 0; i < 8; i++)
        buf_addc(&sample, (char)(bits >> 8 * i));
    protobuf_add_varint(&sample, 2, (uint64_t)AT(at));
    protobuf_add_bytes(series, 2, buf_span(&sample));
    buf_free(&sample);
}

START_TEST(samples_come_in_one_block)
{
    struct buf series = { 0 }, result = { 0 }, response = { 0 }, block = { 0 };

    add_labels(&series, "GPU-1");
    add_sample(&series, 0, bits_of(1));
    add_sample(&series, 60, bits_of(5));
    add_sample(&series, 61, STALE);
    add_sample(&series, 120, bits_of(7));
    protobuf_add_bytes(&result, 1, buf_span(&series));
    protobuf_add_bytes(&response, 1, buf_span(&result));
    snappy_add_literal(&block, buf_span(&response));
    check_answer(&transport_remote_read, SAMPLES, buf_span(&block), "GPU-1 60000=5 120000=7");
    check_refused(&transport_remote_read, SAMPLES, (struct span){ "\5\20abc", 5 }, "snappy block: it ends too early");
    buf_free(&series);
    buf_free(&result);
    buf_free(&response);
    buf_free(&block);
}
END_TEST

START_TEST(a_status_that_refuses_speaks)
{
    struct asked a;

    ask(&a, &transport_remote_read);
    ck_assert_int_eq(answer(&a, 400, "text/plain", span_of("exceeded sample limit (7)"), 3), 0);
    ck_assert(a.reply->failure && !a.reply->success && !a.reply->unsuited);
    ck_assert_str_eq(buf_str(&a.reply->error), "exceeded sample limit (7)");
    release(&a);
}
END_TEST

/* 64 chunks of the same 65535 samples are as many as an answer may have of a series, and one more is not: stamps a millisecond apart,
 * which is no change in one bit, and no change of the value in another. */
START_TEST(samples_of_a_series_have_a_cap)
{
    struct buf data = { 0 }, chunk = { 0 }, series = { 0 }, whole = { 0 };

    add_big(&data, 65535, 2);
    varint_add(&data, (uint64_t)AT(60) << 1);
    add_big(&data, bits_of(1), 8);
    varint_add(&data, 1);
    buf_fill(&data, 0, (1 + 2 * 65533 + 7) / 8);
    protobuf_add_varint(&chunk, 1, (uint64_t)AT(60));
    protobuf_add_varint(&chunk, 2, (uint64_t)AT(60) + 65534);
    protobuf_add_varint(&chunk, 3, 1);
    protobuf_add_bytes(&chunk, 4, buf_span(&data));
    for (int chunks = 64; chunks <= 65; chunks++) {
        struct asked a;

        add_labels(&series, "GPU-1");
        for (int i = 0; i < chunks; i++)
            protobuf_add_bytes(&series, 2, buf_span(&chunk));
        buf_clear(&whole);
        add_frame(&whole, &series);
        ask(&a, &transport_remote_read);
        ck_assert_int_eq(answer(&a, 200, STREAMED, buf_span(&whole), 100000), chunks == 64 ? 0 : -1);
        if (chunks == 65)
            ck_assert_str_eq(a.reply->err.text, "a series has more than 4194304 samples in one answer");
        release(&a);
    }
    buf_free(&data);
    buf_free(&chunk);
    buf_free(&series);
    buf_free(&whole);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("remote_reply");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, chunks_are_cut_to_the_window);
    tcase_add_test(t, a_series_goes_on_in_the_next_frame);
    tcase_add_test(t, samples_of_chunks_that_overlap_count_once);
    tcase_add_test(t, stale_markers_are_nothing_and_other_nans_are_counted);
    tcase_add_test(t, an_answer_that_breaks_off_anywhere_is_never_whole);
    tcase_add_test(t, labels_that_make_no_series_are_told);
    tcase_add_test(t, the_name_may_stand_anywhere);
    tcase_add_test(t, another_encoding_is_for_another_transport);
    tcase_add_test(t, samples_come_in_one_block);
    tcase_add_test(t, a_status_that_refuses_speaks);
    tcase_add_test(t, samples_of_a_series_have_a_cap);
    suite_add_tcase(s, t);
    return unit_run(s);
}
