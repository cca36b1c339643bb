/* xor_chunk_test: chunks written bit by bit on paper, an encoder that is as slow as it is plain, and chunks that are broken. */
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/codec/xor_chunk.h"
#include "unit.h"

/* ---- an encoder by the description of the format: one byte a bit ---- */

enum { BITS = 1 << 21, NEVER = 64 };

struct encoder {
    unsigned char bit[BITS];
    size_t n;
    unsigned count;
    int64_t time, delta;
    uint64_t value;
    int leading, trailing;         /* of the last bits that were written in full; leading NEVER: none were */
};

static struct encoder enc;

static void put(uint64_t v, int bits)
{
    for (int i = bits - 1; i >= 0; i--)
        enc.bit[enc.n++] = v >> i & 1;
}

static void put_varint(uint64_t v)
{
    for (; v >= 128; v /= 128)
        put(128 + v % 128, 8);
    put(v, 8);
}

static void begin(void)
{
    enc.n = enc.count = 0;
    enc.leading = NEVER;
}

/* A change of the distance: each class but the last takes -(2^(n-1) - 1) to 2^(n-1). */
static void put_change(int64_t d)
{
    if (d == 0) {
        put(0, 1);
    } else if (d >= -8191 && d <= 8192) {
        put(2, 2);
        put((uint64_t)d, 14);
    } else if (d >= -65535 && d <= 65536) {
        put(6, 3);
        put((uint64_t)d, 17);
    } else if (d >= -524287 && d <= 524288) {
        put(14, 4);
        put((uint64_t)d, 20);
    } else {
        put(15, 4);
        put((uint64_t)d, 64);
    }
}

static void put_value(uint64_t v)
{
    uint64_t x = v ^ enc.value;
    int leading = 0, trailing = 0;

    if (x == 0) {
        put(0, 1);
        return;
    }
    while (leading < 31 && !(x >> (63 - leading) & 1))
        leading++;
    while (!(x >> trailing & 1))
        trailing++;
    if (enc.leading != NEVER && leading >= enc.leading && trailing >= enc.trailing) {
        put(2, 2);
    } else {
        enc.leading = leading;
        enc.trailing = trailing;
        put(3, 2);
        put((uint64_t)leading, 5);
        put((uint64_t)(64 - leading - trailing) % 64, 6);
    }
    put(x >> enc.trailing, 64 - enc.leading - enc.trailing);
}

static void append(int64_t time, uint64_t value)
{
    int64_t delta = (int64_t)((uint64_t)time - (uint64_t)enc.time);

    if (enc.count == 0) {
        put_varint(time < 0 ? 2 * ~(uint64_t)time + 1 : 2 * (uint64_t)time);
        put(value, 64);
    } else if (enc.count == 1) {
        put_varint((uint64_t)delta);
        put_value(value);
    } else {
        put_change((int64_t)((uint64_t)delta - (uint64_t)enc.delta));
        put_value(value);
    }
    enc.count++;
    enc.time = time;
    enc.delta = delta;
    enc.value = value;
}

static void finish(struct buf *b)
{
    buf_clear(b);
    buf_addc(b, (char)(enc.count >> 8));
    buf_addc(b, (char)enc.count);
    while (enc.n % 8)
        put(0, 1);
    for (size_t i = 0; i < enc.n; i += 8) {
        int byte = 0;

        for (int k = 0; k < 8; k++)
            byte = byte * 2 + enc.bit[i + (size_t)k];
        buf_addc(b, (char)byte);
    }
}

/* ---- reading ---- */

/* All samples at once, one by one. Runs may not be more than samples, nor hold one that the next run begins with. */
static int decode(struct span bytes, struct xor_sample *out, size_t cap)
{
    struct steady *runs = malloc((cap ? cap : 1) * sizeof *runs);
    int n = xor_chunk_decode(bytes, runs, cap), samples = 0;

    for (int i = 0; i < n; i++) {
        ck_assert_uint_gt(runs[i].n, 0);
        ck_assert_uint_le((size_t)samples + runs[i].n, xor_chunk_count(bytes));
        for (uint32_t k = 0; k < runs[i].n; k++)
            out[samples++] = (struct xor_sample){ steady_time(&runs[i], k), runs[i].value };
    }
    free(runs);
    return n < 0 ? n : samples;
}

/* Both ways over bytes of their own, so that reading beyond them shows. Returns the number of samples, or -1 for broken. */
static int read_both(struct span bytes, struct xor_sample *out, size_t cap)
{
    char *exact = malloc(bytes.n ? bytes.n : 1);
    struct xor_sample s, *other = malloc((cap ? cap : 1) * sizeof *other);
    struct xor_chunk c;
    enum xor_chunk_step step = XOR_CHUNK_BROKEN;
    size_t n = 0;
    int rc;

    if (bytes.n)
        memcpy(exact, bytes.p, bytes.n);
    bytes.p = exact;
    rc = decode(bytes, out, cap);
    if (xor_chunk_begin(&c, bytes) == 0)
        for (; (step = xor_chunk_next(&c, &s)) == XOR_CHUNK_SAMPLE && n < cap; n++)
            other[n] = s;
    if (rc >= 0) {
        ck_assert_int_eq(step, XOR_CHUNK_END);
        ck_assert_int_eq(xor_chunk_next(&c, &s), XOR_CHUNK_END);
        ck_assert_uint_eq(n, (size_t)rc);
        ck_assert(n == 0 || memcmp(other, out, n * sizeof *out) == 0);
    } else {
        ck_assert_int_eq(step, XOR_CHUNK_BROKEN);
        if (bytes.n >= 2)
            ck_assert_int_eq(xor_chunk_next(&c, &s), XOR_CHUNK_BROKEN);
    }
    free(other);
    free(exact);
    return rc;
}

/* What went into the encoder comes out, and no shorter bytes are taken for it. */
static void check(const struct xor_sample *wanted, size_t n)
{
    struct xor_sample *out = malloc((n ? n : 1) * sizeof *out);
    struct buf b = { 0 };

    finish(&b);
    ck_assert_int_eq(read_both(buf_span(&b), out, n), (int)n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(out[i].time_ms, wanted[i].time_ms);
        ck_assert_uint_eq(out[i].bits, wanted[i].bits);
    }
    for (size_t cut = b.n > 400 ? b.n - 400 : 0; cut < b.n; cut++)
        ck_assert_int_eq(read_both((struct span){ b.p, cut }, out, n), -1);
    buf_free(&b);
    free(out);
}

static void check_samples(const struct xor_sample *s, size_t n)
{
    begin();
    for (size_t i = 0; i < n; i++)
        append(s[i].time_ms, s[i].bits);
    check(s, n);
}

/* ---- tests ---- */

/* 3 samples: 1000 ms and 1.0 (bits 3ff0...); 60 s later the same; 60 s later 2.0 (bits 4000...).
 *   count     00 03
 *   1000      zigzag 2000 = 15 * 128 + 80: d0 0f
 *   1.0       3f f0 00 00 00 00 00 00
 *   60000     60000 = 3 * 16384 + 84 * 128 + 96: e0 d4 03
 *   same      0
 *   no change 0
 *   2.0       xor 7ff0...: leading 1, 11 bits, trailing 52: 11 00001 001011 11111111111
 *   bits      0 0 11 00001 001011 11111111111, filled up with zeros: 00110000 10010111 11111111 11000000 */
START_TEST(a_chunk_on_paper_is_read)
{
    static const char bytes[] = "\x00\x03\xd0\x0f\x3f\xf0\x00\x00\x00\x00\x00\x00\xe0\xd4\x03\x30\x97\xff\xc0";
    static const struct xor_sample samples[] = {
        { 1000, UINT64_C(0x3ff0000000000000) }, { 61000, UINT64_C(0x3ff0000000000000) }, { 121000, UINT64_C(0x4000000000000000) },
    };
    struct xor_sample out[3];
    struct buf b = { 0 };

    ck_assert_int_eq(read_both((struct span){ bytes, sizeof bytes - 1 }, out, 3), 3);
    ck_assert_int_eq(memcmp(out, samples, sizeof samples), 0);
    check_samples(samples, 3);                         /* and the encoder of this file writes the same */
    finish(&b);
    ck_assert_uint_eq(b.n, sizeof bytes - 1);
    ck_assert_int_eq(memcmp(b.p, bytes, b.n), 0);
    buf_free(&b);
}
END_TEST

START_TEST(a_chunk_may_hold_nothing_or_little)
{
    struct xor_sample out[2] = { { 0, 0 } };

    ck_assert_int_eq(read_both((struct span){ "\x00\x00", 2 }, out, 0), 0);
    ck_assert_int_eq(read_both((struct span){ "\x00\x00more", 6 }, out, 0), 0);
    ck_assert_int_eq(read_both((struct span){ "\x00", 1 }, out, 2), -1);
    ck_assert_int_eq(read_both((struct span){ NULL, 0 }, out, 2), -1);
    ck_assert_int_eq(read_both((struct span){ "\x00\x01", 2 }, out, 2), -1);
    check_samples((struct xor_sample[]){ { INT64_C(1790812800000), UINT64_C(0x40e4000000000000) } }, 1);
    check_samples((struct xor_sample[]){ { -5, 1 }, { -4, 2 } }, 2);
    check_samples((struct xor_sample[]){ { INT64_MIN, 0 }, { INT64_MAX, UINT64_MAX } }, 2);
}
END_TEST

/* A distance of 60 s that changes by d and then by -d: at both borders of every class, and one beyond. */
START_TEST(every_class_of_changes_is_read)
{
    static const int64_t changes[] = {
        0, 1, -1, 8191, 8192, 8193, -8191, -8192, -8193, 65535, 65536, 65537, -65535, -65536, -65537, 524287, 524288, 524289,
        -524287, -524288, -524289, INT64_C(1) << 40, -(INT64_C(1) << 40),
    };

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        int64_t d = changes[i], t = INT64_C(1790812800000);
        struct xor_sample s[40];
        size_t n = 0;

        for (; n < 40; n++) {
            s[n] = (struct xor_sample){ t, n % 3 ? UINT64_C(0x40e0000000000000) + (n << 40) : UINT64_C(0x40e0000000000000) };
            t += 60000 + (n % 4 == 1 ? d : n % 4 == 2 ? -d : 0);
        }
        check_samples(s, n);
    }
}
END_TEST

/* Every place and width of changed bits: written in full, then a change within them, then one beyond them. */
START_TEST(every_window_of_value_bits_is_read)
{
    for (int leading = 0; leading < 64; leading++)
        for (int trailing = 0; leading + trailing < 64; trailing++) {
            uint64_t highest = UINT64_C(1) << (63 - leading), lowest = UINT64_C(1) << trailing;
            uint64_t v = UINT64_C(0x0123456789abcdef);
            struct xor_sample s[6] = { { 0, v } };

            s[1] = (struct xor_sample){ 15000, v ^ highest ^ (highest == lowest ? 0 : lowest) };
            s[2] = (struct xor_sample){ 30000, s[1].bits ^ lowest };
            s[3] = (struct xor_sample){ 45000, s[2].bits };
            s[4] = (struct xor_sample){ 60000, s[3].bits ^ UINT64_MAX };
            s[5] = (struct xor_sample){ 75000, s[4].bits ^ highest };
            check_samples(s, 6);
        }
}
END_TEST

START_TEST(nans_keep_their_bits)
{
    check_samples((struct xor_sample[]){ { 0, UINT64_C(0x7ff0000000000002) }, { 1, UINT64_C(0x7ff8000000000001) },
                                         { 2, UINT64_C(0x7ff0000000000002) }, { 3, UINT64_C(0xfff0000000000000) } }, 4);
}
END_TEST

/* A chunk of one value that was opened again goes on as if a full window (64 bits) had been written. */
START_TEST(a_window_that_was_never_written_has_64_bits)
{
    struct xor_sample s[40];

    begin();
    for (size_t n = 0; n < 40; n++) {
        s[n] = (struct xor_sample){ (int64_t)n * 1000, n < 20 ? 7 : n };
        if (n == 20) {
            enc.leading = 0;
            enc.trailing = 0;
        }
        append(s[n].time_ms, s[n].bits);
    }
    check(s, 40);
}
END_TEST

/* Runs of every length, at every bit of a byte, ended by the end or by a change. */
START_TEST(steady_runs_are_read)
{
    for (size_t run = 1; run < 150; run++)
        for (size_t before = 0; before < 8; before++) {
            struct xor_sample s[200];
            size_t n = 0;
            int64_t t = -1000;

            for (; n < 3 + before; n++)
                s[n] = (struct xor_sample){ t += 1000 + (int64_t)(n % 2), n };
            for (; n < 3 + before + run; n++)
                s[n] = (struct xor_sample){ t += 500, 12 };
            if (run % 2)
                s[n++] = (struct xor_sample){ t += 501, 12 };
            check_samples(s, n);
        }
}
END_TEST

START_TEST(the_longest_chunk_is_read)
{
    struct xor_sample *s = malloc(XOR_CHUNK_MAX * sizeof *s);

    for (int64_t i = 0; i < XOR_CHUNK_MAX; i++)
        s[i] = (struct xor_sample){ i * 60000 + i % 7, (uint64_t)(i / 5) };
    check_samples(s, XOR_CHUNK_MAX);
    free(s);
}
END_TEST

START_TEST(stamps_wrap_around)
{
    check_samples((struct xor_sample[]){ { INT64_MAX, 1 }, { INT64_MIN, 1 }, { INT64_MAX, 1 }, { 0, 1 }, { INT64_MIN, 1 } }, 5);
}
END_TEST

START_TEST(more_samples_than_room_are_refused)
{
    struct buf b = { 0 };
    struct xor_sample out[2];

    begin();
    for (int i = 0; i < 3; i++)
        append(i, 0);
    finish(&b);
    ck_assert_int_eq(decode(buf_span(&b), out, 2), -1);
    buf_free(&b);
}
END_TEST

START_TEST(what_no_encoder_writes_is_broken)
{
    struct xor_sample out[80];
    struct buf b = { 0 };

    /* Leading 31 and 34 bits are 65. As the second sample, and behind many, where bytes enough follow. */
    for (int before = 1; before <= 60; before += 59) {
        begin();
        for (int i = 0; i < before; i++)
            append(i * 1000, 5);
        if (before == 1)
            put_varint(1000);
        else
            put(0, 1);
        put(3, 2);
        put(31, 5);
        put(34, 6);
        for (int i = 0; i < 10; i++)
            put(0, 64);
        enc.count++;
        finish(&b);
        ck_assert_int_eq(read_both(buf_span(&b), out, 80), -1);
    }
    /* Stamps of more than ten bytes, and of more than 64 bits. */
    ck_assert_int_eq(read_both((struct span){ "\x00\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00valuevalue", 23 }, out, 80), -1);
    ck_assert_int_eq(read_both((struct span){ "\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02valuevalue", 22 }, out, 80), -1);
    buf_free(&b);
}
END_TEST

static uint64_t next(uint64_t *r)
{
    *r = *r * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *r >> 33;
}

/* Random series: steady ones, ones with jitter, gaps and any bits, mixed. */
START_TEST(random_series_come_back)
{
    uint64_t r = 42;

    for (int round = 0; round < 1000; round++) {
        struct xor_sample s[300];
        size_t n;
        uint64_t value = 0;
        int64_t t = 0, step = 0;

        n = next(&r) % 300;
        for (size_t i = 0; i < n; i++) {
            switch (next(&r) % 8 + (unsigned)round % 8) {
            case 0: step = (int64_t)next(&r) * (int64_t)next(&r); break;
            case 1: value ^= next(&r) << next(&r) % 40; break;
            case 2: value = next(&r) << 32 | next(&r); break;
            case 3: step += (int64_t)(next(&r) % 20000) - 10000; break;
            case 4: step += (int64_t)(next(&r) % 2000000) - 1000000; break;
            case 5: value += UINT64_C(1) << 40; break;
            default: break;
            }
            s[i] = (struct xor_sample){ t = (int64_t)((uint64_t)t + (uint64_t)step), value };
        }
        check_samples(s, n);
    }
}
END_TEST

/* Whatever stands in the bytes: both ways agree (read_both asserts it), and nothing outside is touched. */
START_TEST(damaged_chunks_are_read_alike_or_not_at_all)
{
    uint64_t r = 7;
    struct xor_sample *out = malloc(XOR_CHUNK_MAX * sizeof *out);
    int broken = 0;

    for (int round = 0; round < 20000; round++) {
        char bytes[80];
        size_t n = next(&r) % sizeof bytes;

        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)(next(&r) % 4 ? next(&r) : 0);
        if (n > 2)
            bytes[0] = 0;
        broken += read_both((struct span){ bytes, n }, out, XOR_CHUNK_MAX) < 0;
    }
    ck_assert(broken > 1000 && broken < 20000);
    free(out);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("xor_chunk");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 120);
    tcase_add_test(t, a_chunk_on_paper_is_read);
    tcase_add_test(t, a_chunk_may_hold_nothing_or_little);
    tcase_add_test(t, every_class_of_changes_is_read);
    tcase_add_test(t, every_window_of_value_bits_is_read);
    tcase_add_test(t, nans_keep_their_bits);
    tcase_add_test(t, a_window_that_was_never_written_has_64_bits);
    tcase_add_test(t, steady_runs_are_read);
    tcase_add_test(t, the_longest_chunk_is_read);
    tcase_add_test(t, stamps_wrap_around);
    tcase_add_test(t, more_samples_than_room_are_refused);
    tcase_add_test(t, what_no_encoder_writes_is_broken);
    tcase_add_test(t, random_series_come_back);
    tcase_add_test(t, damaged_chunks_are_read_alike_or_not_at_all);
    suite_add_tcase(s, t);
    return unit_run(s);
}
