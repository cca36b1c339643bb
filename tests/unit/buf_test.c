#include "unit.h"

#include <string.h>

#include "gputab/base/arena.h"
#include "gputab/base/buf.h"
#include "gputab/base/sha256.h"

START_TEST(an_empty_buf_reads_as_the_empty_string)
{
    struct buf b = { 0 };

    ck_assert_str_eq(buf_str(&b), "");
    ck_assert_uint_eq(buf_span(&b).n, 0);
    buf_add_span(&b, (struct span){ NULL, 0 });
    ck_assert_ptr_nonnull(b.p);
    ck_assert_str_eq(b.p, "");
    buf_free(&b);
}
END_TEST

START_TEST(pieces_follow_each_other_and_end_in_a_nul)
{
    struct buf b = { 0 };

    buf_adds(&b, "a");
    buf_addc(&b, 'b');
    buf_add(&b, "cde", 2);
    buf_add_span(&b, span_of("e"));
    buf_addf(&b, "%d-%s", 12, "x");
    buf_fill(&b, '.', 3);
    ck_assert_str_eq(b.p, "abcde12-x...");
    ck_assert_uint_eq(b.n, 12);
    buf_free(&b);
}
END_TEST

START_TEST(it_grows_over_any_formatted_length)
{
    struct buf b = { 0 };
    char big[5000];

    memset(big, 'q', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    for (int i = 0; i < 63; i++)                       /* so that the text begins at the very end of the first block */
        buf_addc(&b, 'p');
    buf_addf(&b, "%s|", big);
    ck_assert_uint_eq(b.n, 63 + 4999 + 1);
    ck_assert_int_eq(b.p[b.n - 1], '|');
    ck_assert_int_eq(b.p[b.n], '\0');
    buf_free(&b);
}
END_TEST

START_TEST(whole_numbers_are_written_as_printf_writes_them)
{
    const int64_t numbers[] = { 0, 7, -7, 10, 99, -100, 1791194400000, INT64_MAX, INT64_MIN, INT64_MIN + 1 };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct buf b = { 0 }, want = { 0 };

        buf_add_int(&b, numbers[i]);
        buf_addf(&want, "%lld", (long long)numbers[i]);
        ck_assert_str_eq(buf_str(&b), buf_str(&want));
        buf_free(&b);
        buf_free(&want);
    }
}
END_TEST

START_TEST(bytes_may_hold_a_nul)
{
    struct buf b = { 0 };

    buf_add(&b, "a\0b", 3);
    ck_assert_uint_eq(b.n, 3);
    ck_assert_mem_eq(b.p, "a\0b", 4);
    buf_free(&b);
}
END_TEST

START_TEST(clearing_keeps_the_memory)
{
    struct buf b = { 0 };
    const char *p;

    buf_adds(&b, "text");
    p = b.p;
    buf_clear(&b);
    ck_assert_str_eq(buf_str(&b), "");
    buf_adds(&b, "more");
    ck_assert_ptr_eq(b.p, p);
    buf_free(&b);
}
END_TEST

START_TEST(taking_moves_the_string_out)
{
    struct buf b = { 0 };
    char *empty = buf_take(&b), *s;

    ck_assert_str_eq(empty, "");
    buf_adds(&b, "mine");
    s = buf_take(&b);
    ck_assert_str_eq(s, "mine");
    ck_assert_ptr_null(b.p);
    ck_assert_uint_eq(b.n, 0);
    free(s);
    free(empty);
}
END_TEST

START_TEST(arena_blocks_stay_where_they_are_and_are_aligned)
{
    struct arena a = { 0 };
    char *strings[3000];

    for (int i = 0; i < 3000; i++) {
        size_t n = (size_t)(i * 37 % 911 + (i % 500 == 0 ? 700000 : 0));
        unsigned char *p = arena_alloc(&a, n);

        ck_assert_uint_eq((uintptr_t)p % 16, 0);
        memset(p, 0xee, n);                            /* a sanitizer sees any overlap with the end */
        strings[i] = arena_strndup(&a, "0123456789", (size_t)i % 11);
    }
    for (int i = 0; i < 3000; i++) {
        ck_assert_uint_eq(strlen(strings[i]), (size_t)i % 11);
        ck_assert_int_eq(strncmp(strings[i], "0123456789", (size_t)i % 11), 0);
    }
    arena_free(&a);
    ck_assert_str_eq(arena_strdup(&a, "again"), "again");
    arena_free(&a);
}
END_TEST

/* The examples of FIPS 180-2, appendix B, and of the empty message. */
START_TEST(hashes_are_those_of_the_standard)
{
    char hex[SHA256_HEX];
    struct sha256 *h = sha256_new();

    sha256_end(h, hex);
    ck_assert_str_eq(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    h = sha256_new();
    sha256_add(h, "a", 1);
    sha256_add(h, "", 0);
    sha256_add(h, "bc", 2);
    sha256_end(h, hex);
    ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    h = sha256_new();
    sha256_add(h, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56);
    sha256_end(h, hex);
    ck_assert_str_eq(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    sha256_free(sha256_new());
    sha256_free(NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("buf");
    TCase *t = tcase_create("buf");

    tcase_add_test(t, an_empty_buf_reads_as_the_empty_string);
    tcase_add_test(t, pieces_follow_each_other_and_end_in_a_nul);
    tcase_add_test(t, it_grows_over_any_formatted_length);
    tcase_add_test(t, whole_numbers_are_written_as_printf_writes_them);
    tcase_add_test(t, bytes_may_hold_a_nul);
    tcase_add_test(t, clearing_keeps_the_memory);
    tcase_add_test(t, taking_moves_the_string_out);
    tcase_add_test(t, arena_blocks_stay_where_they_are_and_are_aligned);
    tcase_add_test(t, hashes_are_those_of_the_standard);
    suite_add_tcase(s, t);
    return unit_run(s);
}
