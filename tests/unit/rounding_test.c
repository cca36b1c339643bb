/* rounding: the same cells as money_round_cells, which holds them all, for any cells. */
#include "unit.h"

#include "gputab/base/vec.h"
#include "gputab/value/rounding.h"

static uint64_t seed = 1;

static uint64_t random_bits(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 33;
}

static int passes;

static void round_in_passes(money *cells, size_t n, int digits)
{
    struct rounding r = { .digits = digits };

    for (passes = 0; rounding_pass(&r); passes++)
        for (size_t i = 0; i < n; i++)
            rounding_see(&r, cells[i]);
    for (size_t i = 0; i < n; i++)
        cells[i] = rounding_next(&r, cells[i]);
    rounding_free(&r);
}

static void same_as_plain(const money *cells, size_t n, int digits)
{
    money *want = xcalloc(n + 1, sizeof *want), *have = xcalloc(n + 1, sizeof *have);

    for (size_t i = 0; i < n; i++)
        want[i] = have[i] = cells[i];
    money_round_cells(want, n, digits);
    round_in_passes(have, n, digits);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(want[i] == have[i], "cell %zu of %zu with %d digits", i, n, digits);
    free(want);
    free(have);
}

START_TEST(thirds_of_a_cent_are_placed_in_order)
{
    money cells[] = { MONEY_ONE / 3, MONEY_ONE / 3, MONEY_ONE / 3, MONEY_ONE / 3 };    /* 1.333333333332: 1.33, and 33 each make 1.32 */

    round_in_passes(cells, 4, 2);
    ck_assert(cells[0] == MONEY_ONE / 100 * 34);
    ck_assert(cells[1] == MONEY_ONE / 100 * 33 && cells[2] == cells[1] && cells[3] == cells[1]);
}
END_TEST

START_TEST(no_cells_need_no_second_pass)
{
    round_in_passes(NULL, 0, 2);
    ck_assert_int_eq(passes, 1);
}
END_TEST

START_TEST(random_cells_are_rounded_like_the_plain_way)
{
    money cells[300];

    for (int round = 0; round < 300; round++) {
        size_t n = random_bits() % 300;
        int digits = (int)(random_bits() % (MONEY_DECIMALS + 1));
        money size = (money)1 << (random_bits() % 60);

        for (size_t i = 0; i < n; i++)
            cells[i] = (money)(random_bits() << 31 | random_bits()) % size - (random_bits() % 4 ? 0 : size / 2);
        same_as_plain(cells, n, digits);
    }
}
END_TEST

/* What is whole anyway changes nothing about the rest, however many bits it takes. */
START_TEST(amounts_of_many_bits_are_rounded_like_their_last_digits)
{
    const money large = ((money)1 << 70) * MONEY_ONE;
    money cells[100], wide[100];

    for (int digits = 0; digits <= MONEY_DECIMALS; digits++) {
        for (size_t i = 0; i < 100; i++) {
            cells[i] = (money)(random_bits() << 31 | random_bits()) % MONEY_ONE;
            wide[i] = cells[i] + (i % 2 ? large : -large);
        }
        same_as_plain(wide, 100, digits);
        round_in_passes(cells, 100, digits);
        round_in_passes(wide, 100, digits);
        for (size_t i = 0; i < 100; i++)
            ck_assert(wide[i] == cells[i] + (i % 2 ? large : -large));
    }
}
END_TEST

/* Few different remainders, so that the threshold falls among equal ones; near 2^17 and 2^34, where passes are cut. */
START_TEST(equal_remainders_are_rounded_like_the_plain_way)
{
    static const money values[] = { 0, 1, 131071, 131072, 131073, 5000000000, 9999999999, 4999999999, -1, 17179869183, 17179869184, 500000000000 };
    money cells[200];

    for (int round = 0; round < 300; round++) {
        size_t n = random_bits() % 200, kinds = 1 + random_bits() % (sizeof values / sizeof *values);

        for (size_t i = 0; i < n; i++)
            cells[i] = values[random_bits() % kinds] + (money)(random_bits() % 3) * MONEY_ONE;
        same_as_plain(cells, n, (int)(random_bits() % 4));
    }
}
END_TEST

START_TEST(few_passes_are_enough)
{
    money cells[50];
    static const struct { int digits, most; } cases[] = { { 6, 2 }, { 2, 2 }, { 0, 3 }, { 12, 1 } };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (size_t i = 0; i < 50; i++)
            cells[i] = (money)(random_bits() << 31 | random_bits());
        round_in_passes(cells, 50, cases[k].digits);
        ck_assert_int_le(passes, cases[k].most);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rounding");
    TCase *t = tcase_create("passes");

    tcase_add_test(t, thirds_of_a_cent_are_placed_in_order);
    tcase_add_test(t, no_cells_need_no_second_pass);
    tcase_add_test(t, random_cells_are_rounded_like_the_plain_way);
    tcase_add_test(t, amounts_of_many_bits_are_rounded_like_their_last_digits);
    tcase_add_test(t, equal_remainders_are_rounded_like_the_plain_way);
    tcase_add_test(t, few_passes_are_enough);
    suite_add_tcase(s, t);
    return unit_run(s);
}
