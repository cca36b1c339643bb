/* fingerprint_test: SipHash-1-3-128 against values of another implementation, and the table. The values are those of OpenSSL 3:
 *
 *     printf TEXT | openssl mac -macopt hexkey:000102030405060708090a0b0c0d0e0f -macopt size:16 -macopt c-rounds:1 -macopt d-rounds:3 SIPHASH
 *
 * which prints the bytes of the low half first, lowest byte first. */
#include "gputab/base/fingerprint.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

static const struct fingerprint_key key = { UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908) };

static void check_value(const char *text, const char *wanted)
{
    struct fingerprint f = fingerprint_of(key, span_of(text));
    char told[33];

    for (int i = 0; i < 16; i++)
        snprintf(told + 2 * i, 3, "%02X", (unsigned)((i < 8 ? f.low : f.high) >> (8 * (i % 8)) & 0xff));
    ck_assert_str_eq(told, wanted);
}

START_TEST(values_are_those_of_another_implementation)
{
    check_value("", "E77EBCB22788A5BEFD62DB6ADD303001");
    check_value("a", "083C37DE637C4FA8492FD75D37AE8A67");
    check_value("abcdefg", "DFC70BD4762B173ECCE9E9CACF5D4899");
    check_value("abcdefgh", "73A0265A47FCBD46C8AB9F0F5A33952D");
    check_value("abcdefghi", "49DA9E0DA1DB1AD9917AADDBBBABDFE2");
    check_value("DCGM_FI_DEV_FB_USED of a GPU in a node with a long name, and more than sixty-four bytes of it", "B914A9289C65B7DB297E31C23A5ECC07");
}
END_TEST

START_TEST(every_text_has_its_number)
{
    struct fingerprint_map m = { 0 };
    char text[32];
    bool found;

    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 100000; i++) {
            uint32_t *at;

            snprintf(text, sizeof text, "series-%u", i);
            at = fingerprint_map_at(&m, fingerprint_of(key, span_of(text)), &found);
            ck_assert_int_eq(found, round);
            if (round == 0)
                *at = i;
            ck_assert_uint_eq(*at, i);
        }
    ck_assert_uint_eq(m.n, 100000);
    fingerprint_map_free(&m);
}
END_TEST

/* What was there stays there, and what is asked for again moves nothing. */
START_TEST(room_can_be_made_before)
{
    struct fingerprint_map m = { 0 };
    const struct fingerprint_slot *before;
    bool found;

    ck_assert_ptr_null(fingerprint_map_find(&m, (struct fingerprint){ 1, 2 }));
    fingerprint_map_reserve(&m, 0);
    *fingerprint_map_at(&m, (struct fingerprint){ 1, 2 }, &found) = 7;
    fingerprint_map_reserve(&m, 100000);
    ck_assert_uint_eq(*fingerprint_map_find(&m, (struct fingerprint){ 1, 2 }), 7);
    before = m.slots;
    for (uint64_t i = 1; i < 100000; i++)
        *fingerprint_map_at(&m, (struct fingerprint){ i * 977, i }, &found) = (uint32_t)i;
    fingerprint_map_reserve(&m, 1000);
    ck_assert_ptr_eq(m.slots, before);
    ck_assert_uint_eq(m.n, 100000);
    ck_assert_uint_eq(*fingerprint_map_find(&m, (struct fingerprint){ 977 * 500, 500 }), 500);
    fingerprint_map_free(&m);
}
END_TEST

START_TEST(cuts_do_not_matter)
{
    char text[70];

    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 37);
    for (size_t n = 0; n <= sizeof text; n++)
        for (size_t step = 1; step < 20; step++) {
            struct fingerprint_stream s = fingerprint_begin(key);
            struct fingerprint want = fingerprint_of(key, (struct span){ text, n }), got;

            for (size_t at = 0; at < n; at += step)
                fingerprint_add(&s, text + at, step < n - at ? step : n - at);
            got = fingerprint_end(&s);
            ck_assert(got.low == want.low && got.high == want.high);
        }
}
END_TEST

/* By the same products in Python's integers of any size: words of eight bytes, the lowest first, the last one short. */
START_TEST(an_order_is_the_same_everywhere)
{
    ck_assert_uint_eq(fingerprint_order(span_of("")), UINT64_C(0x8118340703742a1a));
    ck_assert_uint_eq(fingerprint_order(span_of("a")), UINT64_C(0xa4c7ea108a83f7a6));
    ck_assert_uint_eq(fingerprint_order(span_of("abcdefgh")), UINT64_C(0xc559f320686e9305));
    ck_assert_uint_eq(fingerprint_order(span_of("DCGM_FI_DEV_FB_USED of a GPU")), UINT64_C(0xd43d7a6282c5657b));
}
END_TEST

START_TEST(keys_differ_from_process_to_process)
{
    struct fingerprint_key a = fingerprint_new_key(), b = fingerprint_new_key();

    ck_assert(a.low != b.low || a.high != b.high);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fingerprint");
    TCase *t = tcase_create("all");

    tcase_add_test(t, values_are_those_of_another_implementation);
    tcase_add_test(t, every_text_has_its_number);
    tcase_add_test(t, room_can_be_made_before);
    tcase_add_test(t, cuts_do_not_matter);
    tcase_add_test(t, an_order_is_the_same_everywhere);
    tcase_add_test(t, keys_differ_from_process_to_process);
    suite_add_tcase(s, t);
    return unit_run(s);
}
