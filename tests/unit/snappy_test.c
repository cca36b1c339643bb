/* snappy_test: blocks written by hand, element by element; what is no block; literals of every size of head. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/codec/snappy.h"
#include "unit.h"

enum { MAX = 1 << 20 };

/* Bytes of their own, so that reading beyond them shows. */
static int decode(const char *block, size_t n, size_t max, struct buf *out, bool *cut, struct err *e)
{
    char *exact = malloc(n ? n : 1);
    int rc;

    memcpy(exact, block, n);
    rc = snappy_decode((struct span){ exact, n }, max, out, cut, e);
    free(exact);
    return rc;
}

static void check(const char *block, size_t n, const char *wanted, size_t wanted_n)
{
    struct buf out = { 0 };
    struct err e = { 0 };
    bool cut = true;

    ck_assert_msg(decode(block, n, MAX, &out, &cut, &e) == 0, "%s", e.text);
    ck_assert(!cut);
    ck_assert_uint_eq(out.n, wanted_n);
    ck_assert_int_eq(memcmp(buf_str(&out), wanted, wanted_n), 0);
    buf_free(&out);
}
#define CHECK(block, wanted) check(block, sizeof block - 1, wanted, sizeof wanted - 1)

static void refuse(const char *block, size_t n, bool is_cut, const char *text)
{
    struct buf out = { 0 };
    struct err e = { 0 };
    bool cut = !is_cut;

    buf_adds(&out, "kept");
    ck_assert_int_eq(decode(block, n, MAX, &out, &cut, &e), -1);
    ck_assert_str_eq(e.text, text);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_msg(cut == is_cut, "%s", text);
    ck_assert_uint_eq(out.n, 4);
    ck_assert_int_eq(memcmp(out.p, "kept", 4), 0);
    buf_free(&out);
}
#define REFUSE(block, is_cut, text) refuse(block, sizeof block - 1, is_cut, text)

/* Tags: a literal of n bytes is (n - 1) << 2. A short copy of n bytes (4 to 11) from o back is 1 | (n - 4) << 2 | o >> 8 << 5, then o's low
 * byte. Copies of n bytes with offsets of two and four bytes are 2 and 3 | (n - 1) << 2. */
START_TEST(elements_are_undone)
{
    CHECK("\x00", "");
    CHECK("\x03" "\x08" "abc", "abc");
    CHECK("\x06" "\x00" "a" "\x10" "bcdef", "abcdef");
    CHECK("\x08" "\x0c" "abcd" "\x01\x04", "abcdabcd");                /* short: 4 from 4 back */
    CHECK("\x0f" "\x0c" "abcd" "\x1d\x04", "abcdabcdabcdabc");         /* short: 11 from 4 back, into itself */
    CHECK("\x05" "\x08" "xyz" "\x06\x03\x00", "xyzxy");                /* 2 from 3 back */
    CHECK("\x05" "\x08" "xyz" "\x07\x02\x00\x00\x00", "xyzyz");        /* the same with a far offset, from 2 back */
    CHECK("\x09" "\x00" "q" "\x1e\x01\x00", "qqqqqqqqq");              /* 8 from 1 back: a run */
}
END_TEST

START_TEST(offsets_of_two_bytes_and_of_eleven_bits_reach_back)
{
    struct buf block = { 0 }, wanted = { 0 };

    /* 1500 bytes as a literal with a length of two bytes, then 5 from 1500 back (short: 1500 = 5 * 256 + 220), then 3 from 1505 back. */
    buf_add(&block, "\xe4\x0b", 2);                                    /* 1508 = 11 * 128 + 100 */
    buf_add(&block, "\xf4\xdb\x05", 3);                                /* 61 << 2; 1499 = 5 * 256 + 219 */
    for (int i = 0; i < 1500; i++) {
        buf_addc(&block, (char)(i * 7 + i / 256));
        buf_addc(&wanted, (char)(i * 7 + i / 256));
    }
    buf_add(&block, "\xa5\xdc", 2);                                    /* 1 | 1 << 2 | 5 << 5; 220 */
    buf_add(&block, "\x0a\xe1\x05", 3);                                /* 2 | 2 << 2; 1505 = 5 * 256 + 225 */
    for (int i = 0; i < 5; i++)
        buf_addc(&wanted, (char)(i * 7));
    for (int i = 0; i < 3; i++)
        buf_addc(&wanted, (char)(i * 7));
    check(block.p, block.n, wanted.p, wanted.n);
    buf_free(&block);
    buf_free(&wanted);
}
END_TEST

START_TEST(what_is_appended_to_does_not_belong_to_the_block)
{
    struct buf out = { 0 };
    struct err e = { 0 };

    buf_adds(&out, "before");
    ck_assert_int_eq(snappy_decode((struct span){ "\x05\x00z\x0e\x01\x00", 6 }, MAX, &out, NULL, &e), 0);
    ck_assert_str_eq(buf_str(&out), "beforezzzzz");
    REFUSE("\x05\x00z\x0e\x02\x00", false, "snappy block: a copy from before its start");
    buf_free(&out);
}
END_TEST

START_TEST(what_is_no_block_is_refused)
{
    REFUSE("", true, "snappy block: it ends too early");
    REFUSE("\x80", true, "snappy block: it ends too early");
    REFUSE("\x03", true, "snappy block: it ends too early");
    REFUSE("\x03\x08", true, "snappy block: it ends too early");
    REFUSE("\x03\x08" "ab", true, "snappy block: it ends too early");
    REFUSE("\x04\x08" "abc", true, "snappy block: it ends too early");
    REFUSE("\x08\x0c" "abcd\x01", true, "snappy block: it ends too early");
    REFUSE("\x08\x0c" "abcd\x0e\x04", true, "snappy block: it ends too early");
    REFUSE("\x08\x0c" "abcd\x0f\x04\x00\x00", true, "snappy block: it ends too early");
    REFUSE("\x50\xf0", true, "snappy block: it ends too early");
    REFUSE("\x02\x08" "abc", false, "snappy block: it holds more than it says");
    REFUSE("\x00\x00" "a", false, "snappy block: it holds more than it says");
    REFUSE("\x04\x00" "a\x0e\x01\x00", false, "snappy block: it holds more than it says");
    REFUSE("\x08\x0c" "abcd\x01\x00", false, "snappy block: a copy from before its start");
    REFUSE("\x08\x0c" "abcd\x01\x05", false, "snappy block: a copy from before its start");
    REFUSE("\x08\x0c" "abcd\x0f\x04\x00\x00\x80", false, "snappy block: a copy from before its start");
    REFUSE("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", false, "snappy block: no length");
    REFUSE("\x80\x80\x80\x80\x10", false, "snappy block: no length");             /* 2^32 */
}
END_TEST

START_TEST(lengths_have_a_cap_and_are_not_believed_beyond_what_can_come)
{
    struct buf out = { 0 };
    struct err e = { 0 };
    bool cut;

    ck_assert_int_eq(snappy_decode((struct span){ "\x03\x08" "abc", 5 }, 2, &out, NULL, &e), -1);
    ck_assert_str_eq(e.text, "snappy block: it holds 3 bytes, more than 2");
    ck_assert_int_eq(snappy_decode((struct span){ "\x03\x08" "abc", 5 }, 3, &out, NULL, &e), 0);
    buf_free(&out);
    /* 1 MiB out of six bytes is refused before room is made for it. */
    err_clear(&e);
    ck_assert_int_eq(snappy_decode((struct span){ "\x80\x80\x40\x00q\xfe\x01\x00", 8 }, MAX, &out, &cut, &e), -1);
    ck_assert(cut);
    ck_assert_ptr_eq(out.p, NULL);
    /* The densest that there is: a byte and 255 copies of 64. 16321 = 127 * 128 + 65. */
    buf_add(&out, "\xc1\x7f\x00q", 4);
    for (int i = 0; i < 255; i++)
        buf_add(&out, "\xfe\x01\x00", 3);
    {
        struct buf plain = { 0 };

        err_clear(&e);
        ck_assert_int_eq(snappy_decode(buf_span(&out), MAX, &plain, NULL, &e), 0);
        ck_assert_uint_eq(plain.n, 16321);
        ck_assert_uint_eq(strspn(plain.p, "q"), 16321);
        buf_free(&plain);
    }
    buf_free(&out);
}
END_TEST

START_TEST(a_literal_is_a_block)
{
    static const struct { size_t n; const char *head; size_t head_n; } cases[] = {
        { 0, "\x00", 1 },
        { 1, "\x01\x00", 2 },
        { 60, "\x3c\xec", 2 },                                         /* 59 << 2 */
        { 61, "\x3d\xf0\x3c", 3 },                                     /* 60 << 2, then 60 */
        { 256, "\x80\x02\xf0\xff", 4 },
        { 257, "\x81\x02\xf4\x00\x01", 5 },                            /* 61 << 2, then 256 */
        { 65536, "\x80\x80\x04\xf4\xff\xff", 6 },
        { 65537, "\x81\x80\x04\xf8\x00\x00\x01", 7 },                  /* 62 << 2, then 65536 */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf plain = { 0 }, block = { 0 };

        for (size_t k = 0; k < cases[i].n; k++)
            buf_addc(&plain, (char)(k * 31 >> 3));
        snappy_add_literal(&block, buf_span(&plain));
        ck_assert_uint_eq(block.n, cases[i].head_n + cases[i].n);
        ck_assert_int_eq(memcmp(block.p, cases[i].head, cases[i].head_n), 0);
        check(block.p, block.n, buf_str(&plain), plain.n);
        buf_free(&plain);
        buf_free(&block);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("snappy");
    TCase *t = tcase_create("all");

    tcase_add_test(t, elements_are_undone);
    tcase_add_test(t, offsets_of_two_bytes_and_of_eleven_bits_reach_back);
    tcase_add_test(t, what_is_appended_to_does_not_belong_to_the_block);
    tcase_add_test(t, what_is_no_block_is_refused);
    tcase_add_test(t, lengths_have_a_cap_and_are_not_believed_beyond_what_can_come);
    tcase_add_test(t, a_literal_is_a_block);
    suite_add_tcase(s, t);
    return unit_run(s);
}
