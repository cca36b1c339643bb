/* inverse_test: quotients and remainders against the division of the language. */
#include "gputab/value/inverse.h"

#include "unit.h"

#define TOP (UINT64_C(1) << 63)

static const uint64_t edges[] = { 0, 1, 2, TOP - 1, TOP, TOP + 1, UINT64_MAX - 1, UINT64_MAX, UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0x5555555555555555) };
enum { EDGES = sizeof edges / sizeof *edges };

static void divide(uint64_t divisor, weight p)
{
    struct inverse by = inverse_of(divisor);
    uint64_t rest, quotient = inverse_divide(&by, p, &rest);

    ck_assert_uint_eq(quotient, (uint64_t)(p / divisor));
    ck_assert_uint_eq(rest, (uint64_t)(p % divisor));
}

START_TEST(edges_are_divided_like_anything)
{
    for (int d = 0; d < EDGES; d++)
        for (int high = 0; high < EDGES; high++)
            for (int low = 0; low < EDGES; low++)
                if (edges[d] >= TOP && edges[high] < edges[d])
                    divide(edges[d], (weight)edges[high] << 64 | edges[low]);
}
END_TEST

/* Products of the divisor, one less and one more: where a guess that is off by one shows. */
START_TEST(multiples_and_their_neighbours)
{
    uint64_t x = 88172645463325252;

    for (int i = 0; i < 100000; i++) {
        uint64_t divisor, times;

        divisor = (x = x * UINT64_C(6364136223846793005) + 1442695040888963407) | TOP;
        times = (x = x * UINT64_C(6364136223846793005) + 1442695040888963407) >> i % 64;
        times += times == 0;
        divide(divisor, (weight)divisor * times - 1);
        divide(divisor, (weight)divisor * times);
        divide(divisor, (weight)divisor * times + (divisor - 1));
    }
}
END_TEST

START_TEST(a_smaller_divisor_is_moved_up)
{
    struct inverse by = inverse_of(UINT64_C(7) << 61);         /* 7 has three bits */
    uint64_t rest;

    ck_assert_uint_eq(inverse_divide(&by, (weight)1000 << 61, &rest), 142);        /* 1000 = 142 x 7 + 6 */
    ck_assert_uint_eq(rest >> 61, 6);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("inverse");
    TCase *t = tcase_create("all");

    tcase_add_test(t, edges_are_divided_like_anything);
    tcase_add_test(t, multiples_and_their_neighbours);
    tcase_add_test(t, a_smaller_divisor_is_moved_up);
    suite_add_tcase(s, t);
    return unit_run(s);
}
