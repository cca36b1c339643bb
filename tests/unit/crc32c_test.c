/* crc32c_test: published checksums, a slow twin that goes bit by bit, and both ways at every length and alignment. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/codec/crc32c.h"
#include "unit.h"

/* By the definition: the polynomial 0x1edc6f41 with its bits reversed, one bit a step. */
static uint32_t bit_by_bit(const unsigned char *p, size_t n)
{
    uint32_t c = 0xffffffff;

    for (size_t i = 0; i < n; i++) {
        c ^= p[i];
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0x82f63b78 : c >> 1;
    }
    return c ^ 0xffffffff;
}

static void check(const void *p, size_t n, uint32_t wanted)
{
    ck_assert_uint_eq(crc32c(p, n), wanted);
    ck_assert_uint_eq(crc32c_portable(p, n), wanted);
}

START_TEST(published_checksums_come_out)
{
    /* RFC 3720, B.4, where they stand as bytes, the lowest first; "123456789" is the check value of the catalogues of such codes. */
    static const unsigned char command[48] = {
        0x01, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0,
        0, 0, 0, 0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0, 0,
    };
    unsigned char zeros[32] = { 0 }, ones[32], up[32], down[32];

    for (int i = 0; i < 32; i++) {
        ones[i] = 0xff;
        up[i] = (unsigned char)i;
        down[i] = (unsigned char)(31 - i);
    }
    check("123456789", 9, 0xe3069283);
    check("", 0, 0);
    check(zeros, 32, 0x8a9136aa);
    check(ones, 32, 0x62a8ab43);
    check(up, 32, 0x46dd794e);
    check(down, 32, 0x113fdb5c);
    check(command, 48, 0xd9963a56);
}
END_TEST

START_TEST(every_byte_at_every_place_of_a_step_counts)
{
    for (unsigned at = 0; at < 24; at++)
        for (unsigned byte = 0; byte < 256; byte++) {
            unsigned char p[24] = { 0 };

            p[at] = (unsigned char)byte;
            check(p, sizeof p, bit_by_bit(p, sizeof p));
        }
}
END_TEST

START_TEST(both_ways_agree_at_every_length_and_alignment)
{
    unsigned char bytes[128];
    uint64_t r = 88172645463325252;

    for (size_t i = 0; i < sizeof bytes; i++) {
        r = r * 6364136223846793005 + 1442695040888963407;
        bytes[i] = (unsigned char)(r >> 56);
    }
    for (size_t from = 0; from < 16; from++)
        for (size_t n = 0; n <= 100; n++) {
            unsigned char *exact = malloc(n ? n : 1);

            memcpy(exact, bytes + from, n);
            check(bytes + from, n, bit_by_bit(bytes + from, n));
            check(exact, n, bit_by_bit(exact, n));
            free(exact);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("crc32c");
    TCase *t = tcase_create("all");

    tcase_add_test(t, published_checksums_come_out);
    tcase_add_test(t, every_byte_at_every_place_of_a_step_counts);
    tcase_add_test(t, both_ways_agree_at_every_length_and_alignment);
    suite_add_tcase(s, t);
    return unit_run(s);
}
