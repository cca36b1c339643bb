/* remote_read_test: questions and answers on paper, and answers that are cut, damaged or too large, however they are fed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/codec/crc32c.h"
#include "gputab/codec/protobuf.h"
#include "gputab/codec/remote_read.h"
#include "gputab/codec/snappy.h"
#include "gputab/codec/varint.h"
#include "gputab/codec/xor_chunk.h"
#include "unit.h"

/* ---- what is told, as a text ---- */

static int tell_series(void *ctx, const struct openmetrics_label *labels, size_t n, struct err *e)
{
    struct buf *out = ctx;

    buf_adds(out, "{");
    for (size_t i = 0; i < n; i++) {
        if (span_eq(labels[i].name, "refused"))
            return err_set(e, ERR_USAGE, "refused");
        buf_addf(out, "%s%.*s=%.*s", i ? "," : "", (int)labels[i].name.n, labels[i].name.p, (int)labels[i].value.n, labels[i].value.p);
    }
    buf_adds(out, "} ");
    return 0;
}

static int tell_chunk(void *ctx, int64_t min_ms, int64_t max_ms, struct span bytes, struct err *e)
{
    if (span_eq(bytes, "refused"))
        return err_set(e, ERR_USAGE, "refused");
    buf_addf(ctx, "%" PRId64 "-%" PRId64 ":%.*s ", min_ms, max_ms, (int)bytes.n, bytes.p);
    return 0;
}

static int tell_sample(void *ctx, int64_t time_ms, double value, struct err *e)
{
    uint64_t bits;

    if (time_ms == -1)
        return err_set(e, ERR_USAGE, "refused");
    memcpy(&bits, &value, sizeof bits);
    buf_addf(ctx, "%" PRId64 "=%016" PRIx64 " ", time_ms, bits);
    return 0;
}

static const struct remote_read_events told = { tell_series, tell_chunk, tell_sample };

/* Reads an answer in pieces that end behind the bytes i and k and, when `single`, in pieces of one byte. Behind what was told stands the
 * error, with "cut" or "encoding" where the accessors say so. */
static void read_cut(struct remote_read *r, enum remote_read_form form, struct span s, size_t i, size_t k, bool single, struct buf *out)
{
    struct err e = { 0 };
    size_t ends[] = { i, k, s.n };
    int rc = 0;

    remote_read_begin(r, form);
    for (size_t at = 0, p = 0; rc == 0 && at < s.n; p++) {
        size_t n = single ? 1 : ends[p] - at;
        char *piece = malloc(n ? n : 1);               /* of its own, so that reading beyond it shows */

        memcpy(piece, s.p + at, n);
        rc = remote_read_feed(r, piece, n, &e);
        free(piece);
        at += n;
    }
    if (rc == 0)
        rc = remote_read_end(r, &e);
    if (rc < 0)
        buf_addf(out, "! %s%s%s", e.text, remote_read_cut(r) ? " (cut)" : "", remote_read_unknown_encoding(r) ? " (encoding)" : "");
    else
        ck_assert(!remote_read_cut(r) && !remote_read_unknown_encoding(r));
}

static void check(enum remote_read_form form, struct span s, const char *wanted)
{
    struct buf out = { 0 };
    struct remote_read *r = remote_read_new(&told, &out);
    size_t step = s.n < 200 ? 1 : s.n / 60;

    for (size_t i = 0; i <= s.n; i++)
        for (size_t k = i; k <= s.n; k += step) {
            buf_clear(&out);
            read_cut(r, form, s, i, k, false, &out);
            ck_assert_msg(strcmp(buf_str(&out), wanted) == 0, "cut at %zu and %zu\n  got    %s\n  wanted %s", i, k, buf_str(&out), wanted);
        }
    buf_clear(&out);
    read_cut(r, form, s, 0, 0, true, &out);
    ck_assert_str_eq(buf_str(&out), wanted);
    remote_read_free(r);
    buf_free(&out);
}

/* ---- messages ---- */

static void add_message(struct buf *b, uint32_t number, struct buf *message)
{
    protobuf_add_bytes(b, number, buf_span(message));
    buf_free(message);
}

static void add_label(struct buf *series, const char *name, const char *value)
{
    struct buf m = { 0 };

    protobuf_add_bytes(&m, 1, span_of(name));
    protobuf_add_bytes(&m, 2, span_of(value));
    add_message(series, 1, &m);
}

static void add_chunk(struct buf *series, int64_t min_ms, int64_t max_ms, uint64_t encoding, const char *data)
{
    struct buf m = { 0 };

    protobuf_add_varint(&m, 1, (uint64_t)min_ms);
    protobuf_add_varint(&m, 2, (uint64_t)max_ms);
    protobuf_add_varint(&m, 3, encoding);
    protobuf_add_bytes(&m, 4, span_of(data));
    add_message(series, 2, &m);
}

static void add_sample(struct buf *series, int64_t time_ms, uint64_t bits)
{
    struct buf m = { 0 };

    buf_addc(&m, 0x09);                                /* field 1, 64 bits */
    for (int i = 0; i < 8; i++)
        buf_addc(&m, (char)(bits >> 8 * i));
    protobuf_add_varint(&m, 2, (uint64_t)time_ms);
    add_message(series, 2, &m);
}

/* A frame around a message, which is freed. */
static void add_frame(struct buf *b, struct buf *message)
{
    uint32_t crc = crc32c(message->p, message->n);

    varint_add(b, message->n);
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_addc(b, (char)(crc >> shift));
    buf_add_span(b, buf_span(message));
    buf_free(message);
}

static void frame_of_series(struct buf *b, struct buf *series)
{
    struct buf m = { 0 };

    add_message(&m, 1, series);
    add_frame(b, &m);
}

/* An answer in samples whose one result is the series. */
static void block_of_series(struct buf *b, struct buf *series)
{
    struct buf result = { 0 }, response = { 0 };

    add_message(&result, 1, series);
    add_message(&response, 1, &result);
    snappy_add_literal(b, buf_span(&response));
    buf_free(&response);
}

static void check_streamed(struct buf *answer, const char *wanted)
{
    check(REMOTE_READ_STREAMED, buf_span(answer), wanted);
    buf_free(answer);
}

static void check_frame(const char *message, size_t n, const char *wanted)
{
    struct buf m = { 0 }, answer = { 0 };

    buf_add(&m, message, n);
    add_frame(&answer, &m);
    check_streamed(&answer, wanted);
}
#define CHECK_FRAME(message, wanted) check_frame(message, sizeof message - 1, wanted)

/* ---- questions ---- */

static void check_request(const struct remote_read_question *q, const char *wanted, size_t n)
{
    struct buf b = { 0 };

    remote_read_add_request(&b, q);
    ck_assert_uint_eq(b.n, n);
    ck_assert_int_eq(memcmp(b.p, wanted, n), 0);
    buf_free(&b);
}

/* ReadRequest { queries (1): Query { start (1): 1000, end (2): 2000, matchers (3): { type (1): RE = 2, name (2), value (3) } },
 * accepted (2): [1, 0] or [0] }: a matcher of 2 + 10 + 5 = 17 bytes, a query of 3 + 3 + 19 = 25, a request of 27 + 4 or 3 bytes. */
START_TEST(a_question_is_a_block_around_a_request)
{
    static const char streamed[] = "\x1f\x78" "\x0a\x19\x08\xe8\x07\x10\xd0\x0f" "\x1a\x11\x08\x02\x12\x08__name__\x1a\x03" "a.b"
                                   "\x12\x02\x01\x00";
    static const char samples[] = "\x1e\x74" "\x0a\x19\x08\xe8\x07\x10\xd0\x0f" "\x1a\x11\x08\x02\x12\x08__name__\x1a\x03" "a.b"
                                  "\x12\x01\x00";
    /* One matcher more, of type EQ = 0: 2 + 3 + 3 = 8 bytes; and a start before 1970. */
    static const char more[] = "\x30\xbc" "\x0a\x2a\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x00"
                               "\x1a\x11\x08\x02\x12\x08__name__\x1a\x03" "a.b" "\x1a\x08\x08\x00\x12\x01x\x1a\x01y" "\x12\x02\x01\x00";
    /* And one of type NEQ = 1 with an empty value, 2 + 3 + 2 = 7 bytes: 42 + 9 bytes of a query, 48 + 9 of a request. */
    static const char any[] = "\x39\xe0" "\x0a\x33\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x00"
                              "\x1a\x11\x08\x02\x12\x08__name__\x1a\x03" "a.b" "\x1a\x08\x08\x00\x12\x01x\x1a\x01y"
                              "\x1a\x07\x08\x01\x12\x01z\x1a\x00" "\x12\x02\x01\x00";
    struct openmetrics_label equal = { { "x", 1 }, { "y", 1 } }, unequal = { { "z", 1 }, { "", 0 } };
    struct remote_read_question q = { .name_regex = { "a.b", 3 }, .time_from_ms = 1000, .time_to_ms = 2000 };

    check_request(&q, streamed, sizeof streamed - 1);
    q.samples_only = true;
    check_request(&q, samples, sizeof samples - 1);
    q = (struct remote_read_question){ .name_regex = { "a.b", 3 }, .time_from_ms = -1, .equal = &equal, .n_equal = 1 };
    check_request(&q, more, sizeof more - 1);
    q.unequal = &unequal;
    q.n_unequal = 1;
    check_request(&q, any, sizeof any - 1);
}
END_TEST

/* ---- streamed answers ---- */

/* ChunkedReadResponse { chunked_series (1): { labels (1): { "a", "1" }, chunks (2): { 1000, 2000, XOR, "XOR" } } }; the checksum is
 * Python's, bit by bit. */
START_TEST(a_frame_on_paper_is_read)
{
    static const char frame[] = "\x19\x61\xc8\x9e\x21" "\x0a\x17\x0a\x06\x0a\x01" "a\x12\x01" "1"
                                "\x12\x0d\x08\xe8\x07\x10\xd0\x0f\x18\x01\x22\x03XOR";

    check(REMOTE_READ_STREAMED, (struct span){ frame, sizeof frame - 1 }, "{a=1} 1000-2000:XOR ");
}
END_TEST

START_TEST(no_bytes_are_an_answer_without_series)
{
    check(REMOTE_READ_STREAMED, (struct span){ "", 0 }, "");
    CHECK_FRAME("", "");
}
END_TEST

/* Two series, the first over two frames; the second frame has both, and its length needs two bytes. */
static void add_three_frames(struct buf *answer)
{
    struct buf one = { 0 }, more = { 0 }, two = { 0 }, message = { 0 };

    add_label(&one, "__name__", "first");
    add_label(&one, "x", "\xc3\xa4");
    add_chunk(&one, -5, 5, 1, "c1");
    add_chunk(&one, 6, 7, 1, "");
    frame_of_series(answer, &one);
    add_label(&more, "__name__", "first");
    add_chunk(&more, 8, 9, 1, "c3");
    add_label(&two, "__name__", "second");
    add_label(&two, "long", "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789");
    add_chunk(&two, 0, INT64_MAX, 1, "c4");
    add_message(&message, 1, &more);
    protobuf_add_varint(&message, 2, 0);
    add_message(&message, 1, &two);
    add_frame(answer, &message);
    add_label(&one, "z", "");
    frame_of_series(answer, &one);
}
#define THREE_FRAMES "{__name__=first,x=\xc3\xa4} -5-5:c1 6-7: {__name__=first} 8-9:c3 {__name__=second,long=" \
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789} 0-9223372036854775807:c4 {z=} "

START_TEST(frames_are_read_however_they_are_cut)
{
    struct buf answer = { 0 };

    add_three_frames(&answer);
    check_streamed(&answer, THREE_FRAMES);
}
END_TEST

/* Cut anywhere but between frames the answer is not whole, and only frames that are whole were told. */
START_TEST(an_answer_that_ends_in_a_frame_is_cut)
{
    struct buf answer = { 0 }, out = { 0 };
    struct remote_read *r = remote_read_new(&told, &out);
    size_t first, second;

    add_three_frames(&answer);
    first = 1 + 4 + (unsigned char)answer.p[0];
    second = first + 2 + 4 + ((unsigned char)answer.p[first] & 0x7f) + 128u * (unsigned char)answer.p[first + 1];
    for (size_t n = 0; n < answer.n; n++) {
        char wanted[80];

        buf_clear(&out);
        read_cut(r, REMOTE_READ_STREAMED, (struct span){ answer.p, n }, n / 2, n, false, &out);
        snprintf(wanted, sizeof wanted, "! frame at byte %zu: the answer ends in the middle of it (cut)",
                 n < first ? 0 : n < second ? first : second);
        if (n == 0 || n == first || n == second)
            ck_assert_ptr_eq(strchr(buf_str(&out), '!'), NULL);
        else
            ck_assert_str_eq(strchr(buf_str(&out), '!'), wanted);
        ck_assert_uint_eq(strncmp(buf_str(&out), THREE_FRAMES, strcspn(buf_str(&out), "!")), 0);
        ck_assert_int_eq(strstr(buf_str(&out), "c1") != NULL, n >= first);
        ck_assert_int_eq(strstr(buf_str(&out), "c4") != NULL, n >= second);
    }
    remote_read_free(r);
    buf_free(&answer);
    buf_free(&out);
}
END_TEST

START_TEST(no_bit_can_change_unseen)
{
    struct buf answer = { 0 }, out = { 0 };
    struct remote_read *r = remote_read_new(&told, &out);

    add_three_frames(&answer);
    for (size_t bit = 0; bit < answer.n * 8; bit++) {
        answer.p[bit / 8] ^= (char)(1 << bit % 8);
        buf_clear(&out);
        read_cut(r, REMOTE_READ_STREAMED, buf_span(&answer), 0, answer.n, false, &out);
        ck_assert_msg(strchr(buf_str(&out), '!') != NULL, "bit %zu: %s", bit, buf_str(&out));
        answer.p[bit / 8] ^= (char)(1 << bit % 8);
    }
    answer.p[answer.n - 1] ^= 1;
    buf_clear(&out);
    read_cut(r, REMOTE_READ_STREAMED, buf_span(&answer), 0, answer.n, false, &out);
    ck_assert_ptr_ne(strstr(buf_str(&out), ": its checksum is wrong"), NULL);
    answer.p[answer.n - 1] ^= 1;
    buf_clear(&out);
    read_cut(r, REMOTE_READ_STREAMED, buf_span(&answer), 0, answer.n, false, &out);
    ck_assert_str_eq(buf_str(&out), THREE_FRAMES);     /* after all these failures */
    remote_read_free(r);
    buf_free(&answer);
    buf_free(&out);
}
END_TEST

START_TEST(other_encodings_are_told_apart)
{
    struct buf series = { 0 }, answer = { 0 };

    add_label(&series, "a", "1");
    add_chunk(&series, 1, 2, 1, "xor");
    add_chunk(&series, 3, 4, 4, "xor2");
    frame_of_series(&answer, &series);
    check_streamed(&answer, "{a=1} 1-2:xor ! frame at byte 0: a chunk in encoding 4, which is not XOR (1) (encoding)");
    /* A chunk that does not say its encoding is of the one that is called unknown (0). */
    CHECK_FRAME("\x0a\x05\x12\x03\x22\x01x", "{} ! frame at byte 0: a chunk in encoding 0, which is not XOR (1) (encoding)");
}
END_TEST

START_TEST(labels_may_stand_behind_and_unknown_fields_anywhere)
{
    /* Fields 9 in every message: a string, a 32-bit and a 64-bit number, a varint. */
    CHECK_FRAME("\x4a\x01?\x0a\x24"
                "\x12\x0c\x18\x01\x22\x01x\x4d\x01\x02\x03\x04\x08\x07"
                "\x49\x01\x02\x03\x04\x05\x06\x07\x08"
                "\x0a\x0b\x12\x01v\x48\x80\x01\x0a\x03n\xc3\xa4", "{n\xc3\xa4=v} 7-0:x ");
    CHECK_FRAME("\x0a\x02\x0a\x00", "{=} ");           /* what is left out is empty */
}
END_TEST

START_TEST(shapes_that_servers_write_are_read_as_all_others)
{
    CHECK_FRAME("\x0a\x13\x0a\x06\x0a\x01n\x12\x01v\x12\x09\x08\x05\x10\x07\x18\x01\x22\x01x", "{n=v} 5-7:x ");
    CHECK_FRAME("\x0a\x13\x0a\x06\x12\x01v\x0a\x01n\x12\x09\x22\x01x\x18\x01\x10\x07\x08\x05", "{n=v} 5-7:x ");
    /* What stands twice counts the second time. Plain labels stand before and behind one that is not. */
    CHECK_FRAME("\x0a\x15\x0a\x06\x0a\x01n\x12\x01v\x12\x0b\x08\x05\x10\x07\x18\x01\x22\x01x\x08\x06", "{n=v} 6-7:x ");
    CHECK_FRAME("\x0a\x19\x0a\x06\x0a\x01n\x12\x01v\x0a\x07\x0a\x01o\x12\x02\xc3\xa4\x0a\x06\x0a\x01p\x12\x01w",
                "{n=v,o=\xc3\xa4,p=w} ");
    CHECK_FRAME("\x0a\x1a\x0a\x06\x0a\x01n\x12\x01v\x0a\x08\x0a\x01o\x12\x01w\x48\x01\x0a\x06\x0a\x01p\x12\x01x", "{n=v,o=w,p=x} ");
    CHECK_FRAME("\x0a\x08\x0a\x06\x0a\x01\xff\x12\x01v", "! frame at byte 0: a label is not UTF-8");
}
END_TEST

START_TEST(what_is_no_message_is_refused)
{
    static const char broken[] = "! frame at byte 0: no message of remote read";

    CHECK_FRAME("\x0a", broken);
    CHECK_FRAME("\x0a\x02\x0a", broken);
    CHECK_FRAME("\x08\x01", broken);                   /* a series that is a number */
    CHECK_FRAME("\x12\x01\x01", broken);               /* an index that is a string */
    CHECK_FRAME("\x0a\x02\x08\x01", broken);           /* a label that is one */
    CHECK_FRAME("\x0a\x02\x10\x01", broken);           /* a chunk that is one */
    CHECK_FRAME("\x0a\x04\x0a\x02\x08\x01", broken);   /* a name that is one */
    CHECK_FRAME("\x0a\x03\x0a\x01\x0a", broken);
    CHECK_FRAME("\x0a\x04\x12\x02\x20\x01", "{} ! frame at byte 0: no message of remote read");      /* data that are one */
    CHECK_FRAME("\x0a\x04\x12\x02\x0a\x00", "{} ! frame at byte 0: no message of remote read");      /* a time that is a string */
    CHECK_FRAME("\x0a\x03\x12\x01\x08", "{} ! frame at byte 0: no message of remote read");
    CHECK_FRAME("\x10\x01", "! frame at byte 0: an answer to a query that was not asked");
    CHECK_FRAME("\x0a\x05\x0a\x03\x12\x01\xff", "! frame at byte 0: a label is not UTF-8");
    CHECK_FRAME("\x0a\x07\x0a\x05\x0a\x03" "a\xc3" "b", "! frame at byte 0: a label is not UTF-8");
    CHECK_FRAME("\x0a\x07\x0a\x05\x0a\x03\xef\xbf\xbd", "{\xef\xbf\xbd=} ");       /* U+FFFD itself may stand there */
}
END_TEST

START_TEST(what_an_event_refuses_ends_the_reading)
{
    struct buf series = { 0 }, answer = { 0 };

    add_label(&series, "refused", "1");
    add_chunk(&series, 1, 2, 1, "x");
    frame_of_series(&answer, &series);
    check_streamed(&answer, "{! refused");
    add_chunk(&series, 1, 2, 1, "refused");
    add_chunk(&series, 3, 4, 1, "x");
    frame_of_series(&answer, &series);
    check_streamed(&answer, "{} ! refused");
    add_sample(&series, -1, 0);
    add_sample(&series, 1, 0);
    block_of_series(&answer, &series);
    check(REMOTE_READ_SAMPLES, buf_span(&answer), "{} ! refused");
    buf_free(&answer);
}
END_TEST

static void add_labels(struct buf *series, size_t n, size_t bytes)
{
    struct buf text = { 0 };

    buf_fill(&text, 'x', bytes);
    for (size_t i = 0; i < n; i++)
        add_label(series, "n", buf_str(&text));
    buf_free(&text);
}

/* The outcome of one feed, up to the error. */
static void check_large(struct buf *answer, enum remote_read_form form, const char *wanted)
{
    struct buf out = { 0 };
    struct remote_read *r = remote_read_new(&told, &out);
    const char *error;

    read_cut(r, form, buf_span(answer), answer->n, answer->n, false, &out);
    error = strchr(buf_str(&out), '!');
    ck_assert_str_eq(error ? error : "fine", wanted);
    remote_read_free(r);
    buf_free(answer);
    buf_free(&out);
}

START_TEST(what_can_be_large_has_caps)
{
    struct buf series = { 0 }, answer = { 0 };

    add_labels(&series, REMOTE_READ_LABELS, 1);
    frame_of_series(&answer, &series);
    check_large(&answer, REMOTE_READ_STREAMED, "fine");
    add_labels(&series, REMOTE_READ_LABELS + 1, 1);
    frame_of_series(&answer, &series);
    check_large(&answer, REMOTE_READ_STREAMED, "! frame at byte 0: a series has more than 256 labels");
    /* A label "n" of m bytes (16384 to 2^20) takes 3 + 1 + 3 + m: two of 524281 are 2^20 bytes. */
    add_labels(&series, 2, 524281);
    frame_of_series(&answer, &series);
    check_large(&answer, REMOTE_READ_STREAMED, "fine");
    add_labels(&series, 2, 524282);
    frame_of_series(&answer, &series);
    check_large(&answer, REMOTE_READ_STREAMED, "! frame at byte 0: the labels of a series are longer than 1 MiB");
    buf_add(&answer, "\x81\x80\x80\x20", 4);           /* 2^26 + 1 bytes */
    check_large(&answer, REMOTE_READ_STREAMED, "! frame at byte 0: it is longer than 64 MiB");
    buf_add(&answer, "\x80\x80\x80\x20", 4);           /* 2^26: as many as may be, which do not come */
    check_large(&answer, REMOTE_READ_STREAMED, "! frame at byte 0: the answer ends in the middle of it (cut)");
    buf_add(&answer, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10);
    check_large(&answer, REMOTE_READ_STREAMED, "! frame at byte 0: it is longer than 64 MiB");
    buf_add(&answer, "\x81\x80\x80\x80\x02\x00", 6);   /* 2^29 + 1 bytes */
    check_large(&answer, REMOTE_READ_SAMPLES, "! snappy block: it holds 536870913 bytes, more than 536870912");
}
END_TEST

START_TEST(a_body_in_samples_has_a_cap)
{
    struct buf out = { 0 };
    struct remote_read *r = remote_read_new(&told, &out);
    struct err e = { 0 };

    remote_read_begin(r, REMOTE_READ_SAMPLES);
    ck_assert_int_eq(remote_read_feed(r, "x", 1, &e), 0);
    ck_assert_int_eq(remote_read_feed(r, "y", REMOTE_READ_BODY, &e), -1);        /* refused before a byte of it is read */
    ck_assert_str_eq(e.text, "the answer is longer than 512 MiB");
    ck_assert(remote_read_too_large(r));
    remote_read_begin(r, REMOTE_READ_SAMPLES);
    ck_assert(!remote_read_too_large(r));
    err_clear(&e);
    ck_assert_int_eq(remote_read_feed(r, "\x81\x80\x80\x80\x02", 5, &e), 0);      /* unpacked it would have 2^29 + 1 bytes */
    ck_assert_int_eq(remote_read_end(r, &e), -1);
    ck_assert(remote_read_too_large(r));
    remote_read_begin(r, REMOTE_READ_SAMPLES);
    err_clear(&e);
    ck_assert_int_eq(remote_read_feed(r, "\x81", 1, &e), 0);
    ck_assert_int_eq(remote_read_end(r, &e), -1);
    ck_assert(!remote_read_too_large(r));
    remote_read_free(r);
}
END_TEST

static int see_place(void *ctx, int64_t min_ms, int64_t max_ms, struct span bytes, struct err *e)
{
    (void)min_ms, (void)max_ms, (void)e;
    *(const char **)ctx = bytes.p;
    return 0;
}

static int ignore_series(void *ctx, const struct openmetrics_label *labels, size_t n, struct err *e)
{
    (void)ctx, (void)labels, (void)n, (void)e;
    return 0;
}

START_TEST(a_frame_that_lies_whole_in_a_piece_is_not_copied)
{
    const struct remote_read_events events = { ignore_series, see_place, NULL };
    const char *place = NULL;
    struct remote_read *r = remote_read_new(&events, &place);
    struct buf series = { 0 }, answer = { 0 };
    struct err e = { 0 };

    add_chunk(&series, 1, 2, 1, "here");
    frame_of_series(&answer, &series);
    remote_read_begin(r, REMOTE_READ_STREAMED);
    ck_assert_int_eq(remote_read_feed(r, answer.p, answer.n, &e), 0);
    ck_assert_ptr_eq(place, answer.p + answer.n - 4);
    ck_assert_int_eq(remote_read_end(r, &e), 0);
    remote_read_free(r);
    buf_free(&answer);
}
END_TEST

/* What Prometheus 2.42 sent when it had been given steady_used{gpu="0",text="..."} 40960 once a minute from 1790812800 s on and was asked
 * for the eleven minutes from 1790812860000 to 1790813460000 ms. 40960 is 2^15 * 1.25: exponent 1023 + 15 = 0x40e, fraction 0x4000... */
static const unsigned char of_prometheus[] = {
    0x66, 0x39, 0x4d, 0xa2, 0x4c, 0x0a, 0x64, 0x0a, 0x17, 0x0a, 0x08, 0x5f, 0x5f, 0x6e, 0x61, 0x6d, 0x65, 0x5f, 0x5f, 0x12,
    0x0b, 0x73, 0x74, 0x65, 0x61, 0x64, 0x79, 0x5f, 0x75, 0x73, 0x65, 0x64, 0x0a, 0x08, 0x0a, 0x03, 0x67, 0x70, 0x75, 0x12,
    0x01, 0x30, 0x0a, 0x15, 0x0a, 0x04, 0x74, 0x65, 0x78, 0x74, 0x12, 0x0d, 0xc3, 0xa4, 0xc3, 0xb6, 0xc3, 0xbc, 0xe2, 0x82,
    0xac, 0xf0, 0x9f, 0x98, 0x80, 0x12, 0x28, 0x08, 0xe0, 0xdc, 0x8e, 0xa6, 0x8f, 0x34, 0x10, 0xa0, 0xac, 0xb3, 0xa6, 0x8f,
    0x34, 0x18, 0x01, 0x22, 0x16, 0x00, 0x0b, 0xc0, 0xb9, 0x9d, 0xcc, 0x9e, 0x68, 0x40, 0xe4, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0xe0, 0xd4, 0x03, 0x00, 0x00, 0x00,
};

static int tell_decoded(void *ctx, int64_t min_ms, int64_t max_ms, struct span bytes, struct err *e)
{
    struct steady run[20];
    int n = xor_chunk_decode(bytes, run, 20);

    (void)e;
    ck_assert_int_eq(n, 1);
    ck_assert_uint_eq(run->n, 11);
    ck_assert_int_eq(run->first, INT64_C(1790812860000));
    ck_assert_uint_eq(run->spacing, 60000);
    ck_assert_uint_eq(run->value, UINT64_C(0x40e4000000000000));
    ck_assert_int_eq(min_ms, INT64_C(1790812860000));
    ck_assert_int_eq(max_ms, INT64_C(1790813460000));
    buf_adds(ctx, "decoded");
    return 0;
}

START_TEST(an_answer_of_prometheus_is_read)
{
    const struct remote_read_events events = { tell_series, tell_decoded, tell_sample };
    struct buf out = { 0 };
    struct remote_read *r = remote_read_new(&events, &out);

    read_cut(r, REMOTE_READ_STREAMED, (struct span){ (const char *)of_prometheus, sizeof of_prometheus }, 0, 50, false, &out);
    ck_assert_str_eq(buf_str(&out), "{__name__=steady_used,gpu=0,text=\xc3\xa4\xc3\xb6\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80} decoded");
    remote_read_free(r);
    buf_free(&out);
}
END_TEST

/* ---- answers in samples ---- */

/* ReadResponse { results (1): { timeseries (1): { labels (1): { "a", "1" }, samples (2): { value (1): 1.0, timestamp (2): 1000 } } } } */
START_TEST(a_block_on_paper_is_read)
{
    static const char block[] = "\x1a\x64\x0a\x18\x0a\x16\x0a\x06\x0a\x01" "a\x12\x01" "1"
                                "\x12\x0c\x09\x00\x00\x00\x00\x00\x00\xf0\x3f\x10\xe8\x07";

    check(REMOTE_READ_SAMPLES, (struct span){ block, sizeof block - 1 }, "{a=1} 1000=3ff0000000000000 ");
    /* A value of 0 and a stamp of 0 are left out by some that write messages. Fields 3 and 4 are exemplars and histograms. */
    check(REMOTE_READ_SAMPLES, (struct span){ "\x0c\x2c\x0a\x0a\x0a\x08\x12\x00\x1a\x01?\x22\x01?", 14 }, "{} 0=0000000000000000 ");
    check(REMOTE_READ_SAMPLES, (struct span){ "\x02\x04\x0a\x00", 4 }, "");
}
END_TEST

START_TEST(samples_keep_their_bits_and_stamps)
{
    struct buf series = { 0 }, answer = { 0 };

    add_label(&series, "a", "1");
    add_sample(&series, INT64_MIN, UINT64_C(0x7ff0000000000002));
    add_sample(&series, INT64_MAX, UINT64_C(0x7ff8000000000001));
    add_sample(&series, -2, UINT64_C(0x8000000000000000));
    block_of_series(&answer, &series);
    check(REMOTE_READ_SAMPLES, buf_span(&answer), "{a=1} -9223372036854775808=7ff0000000000002 9223372036854775807=7ff8000000000001 "
                                                  "-2=8000000000000000 ");
    buf_free(&answer);
}
END_TEST

START_TEST(blocks_that_are_no_answer_are_refused)
{
    static const struct { const char *block; size_t n; const char *wanted; } cases[] = {
        { "", 0, "! snappy block: it ends too early (cut)" },
        { "\x02\x04\x0a", 3, "! snappy block: it ends too early (cut)" },
        { "\x02\x08\x0a\x00\x00", 5, "! snappy block: it holds more than it says" },
        { "\x00", 1, "! 0 results for one query" },
        { "\x04\x0c\x0a\x00\x0a\x00", 6, "! 2 results for one query" },
        { "\x02\x04\x08\x01", 4, "! no message of remote read" },
        { "\x01\x00\x0a", 3, "! no message of remote read" },
        { "\x04\x0c\x0a\x02\x08\x01", 6, "! no message of remote read" },
        { "\x08\x1c\x0a\x06\x0a\x04\x12\x02\x08\x01", 10, "{} ! no message of remote read" },           /* a value that is a varint */
        { "\x08\x1c\x0a\x06\x0a\x04\x12\x02\x12\x00", 10, "{} ! no message of remote read" },           /* a stamp that is a string */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(REMOTE_READ_SAMPLES, (struct span){ cases[i].block, cases[i].n }, cases[i].wanted);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("remote_read");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 120);
    tcase_add_test(t, a_question_is_a_block_around_a_request);
    tcase_add_test(t, a_frame_on_paper_is_read);
    tcase_add_test(t, no_bytes_are_an_answer_without_series);
    tcase_add_test(t, frames_are_read_however_they_are_cut);
    tcase_add_test(t, an_answer_that_ends_in_a_frame_is_cut);
    tcase_add_test(t, no_bit_can_change_unseen);
    tcase_add_test(t, other_encodings_are_told_apart);
    tcase_add_test(t, labels_may_stand_behind_and_unknown_fields_anywhere);
    tcase_add_test(t, shapes_that_servers_write_are_read_as_all_others);
    tcase_add_test(t, what_is_no_message_is_refused);
    tcase_add_test(t, what_an_event_refuses_ends_the_reading);
    tcase_add_test(t, what_can_be_large_has_caps);
    tcase_add_test(t, a_body_in_samples_has_a_cap);
    tcase_add_test(t, a_frame_that_lies_whole_in_a_piece_is_not_copied);
    tcase_add_test(t, an_answer_of_prometheus_is_read);
    tcase_add_test(t, a_block_on_paper_is_read);
    tcase_add_test(t, samples_keep_their_bits_and_stamps);
    tcase_add_test(t, blocks_that_are_no_answer_are_refused);
    suite_add_tcase(s, t);
    return unit_run(s);
}
