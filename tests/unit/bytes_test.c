/* bytes_test: numbers of few bytes by their definition, byte by byte. */
#include "gputab/base/bytes.h"

#include "unit.h"

START_TEST(a_number_has_its_first_byte_lowest)
{
    const char text[] = "\x01\x02\x03\x04\x05\x06\x07\xf8\x09";

    ck_assert_uint_eq(bytes_load(text, 0), 0);
    ck_assert_uint_eq(bytes_load(text, 1), 0x01);
    ck_assert_uint_eq(bytes_load(text, 2), 0x0201);
    ck_assert_uint_eq(bytes_load(text, 3), 0x030201);
    ck_assert_uint_eq(bytes_load(text, 4), 0x04030201);
    ck_assert_uint_eq(bytes_load(text, 5), UINT64_C(0x0504030201));
    ck_assert_uint_eq(bytes_load(text, 6), UINT64_C(0x060504030201));
    ck_assert_uint_eq(bytes_load(text, 7), UINT64_C(0x07060504030201));
    ck_assert_uint_eq(bytes_load(text, 8), UINT64_C(0xf807060504030201));
    ck_assert_uint_eq(bytes_load8(text + 1), UINT64_C(0x09f8070605040302));
    ck_assert_uint_eq(bytes_load4(text + 5), 0x09f80706);
}
END_TEST

START_TEST(a_number_is_stored_with_its_first_byte_lowest)
{
    char text[10] = "?????????";

    bytes_store8(text, UINT64_C(0xf807060504030201));
    ck_assert_mem_eq(text, "\x01\x02\x03\x04\x05\x06\x07\xf8?", 9);
}
END_TEST

START_TEST(bits_are_counted)
{
    ck_assert_uint_eq(bits_count(0), 0);
    ck_assert_uint_eq(bits_count(UINT64_C(0x8000000000000001)), 2);
    ck_assert_uint_eq(bits_count(UINT64_C(0x0123456789abcdef)), 32);       /* each digit of four bits once: 4 x 16 / 2 */
    ck_assert_uint_eq(bits_count(UINT64_MAX), 64);
    for (unsigned i = 0; i < 64; i++)
        ck_assert_uint_eq(bits_count(((uint64_t)1 << i) - 1), i);
}
END_TEST

START_TEST(one_changed_byte_is_another_text)
{
    char a[48], b[48];

    for (size_t i = 0; i < sizeof a; i++)
        a[i] = b[i] = (char)(i * 37);
    for (size_t n = 0; n <= sizeof a; n++) {
        ck_assert(bytes_same(a, b, n));
        for (size_t i = 0; i < sizeof a; i++) {
            b[i] ^= 1;
            ck_assert_int_eq(bytes_same(a, b, n), i >= n);
            b[i] ^= 1;
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bytes");
    TCase *t = tcase_create("all");

    tcase_add_test(t, a_number_has_its_first_byte_lowest);
    tcase_add_test(t, a_number_is_stored_with_its_first_byte_lowest);
    tcase_add_test(t, bits_are_counted);
    tcase_add_test(t, one_changed_byte_is_another_text);
    suite_add_tcase(s, t);
    return unit_run(s);
}
