/* nest: parts sum to their rounded whole, and none is far from what it exactly is. */
#include "unit.h"

#include <stdlib.h>

#include "gputab/core/nest.h"

static const int digits[NEST_AMOUNTS] = {2, 2, 0, 6};
static const money cent = MONEY_ONE / 100;

START_TEST(three_thirds_of_a_dollar_are_a_dollar)
{
    /* 1/3, 2/3, 3/3 of 1.00, rounded: 0.33, 0.67, 1.00: parts 0.33, 0.34, 0.33 */
    struct nest *n = nest_new(digits);
    const money third[NEST_AMOUNTS] = {MONEY_ONE / 3, 0, 0, 0}, rest[NEST_AMOUNTS] = {MONEY_ONE - 2 * (MONEY_ONE / 3), 0, 0, 0};
    const money whole[NEST_AMOUNTS] = {MONEY_ONE, 0, 0, 0}, wanted[] = {33 * cent, 34 * cent, 33 * cent};

    nest_add(n, span_of("a"), whole);
    for (int i = 0; i < 3; i++)
        nest_see(n, span_of("a"), i < 2 ? third : rest);
    for (int i = 0; i < 3; i++) {
        money part[NEST_AMOUNTS];

        nest_next(n, span_of("a"), i < 2 ? third : rest, part);
        ck_assert(part[0] == wanted[i]);
        ck_assert(part[1] == 0 && part[2] == 0 && part[3] == 0);
    }
    nest_free(n);
}
END_TEST

START_TEST(rows_of_one_key_add_up_and_others_are_apart)
{
    struct nest *n = nest_new(digits);
    const money two[NEST_AMOUNTS] = {2 * MONEY_ONE, 0, 0, 0}, five[NEST_AMOUNTS] = {5 * MONEY_ONE, 0, 0, 0};
    money part[NEST_AMOUNTS];

    nest_add(n, span_of("a"), two);
    nest_add(n, span_of("a"), two);
    nest_add(n, span_of("b"), five);
    nest_see(n, span_of("a"), (const money[NEST_AMOUNTS]){4 * MONEY_ONE});
    nest_see(n, span_of("b"), five);
    nest_next(n, span_of("b"), five, part);
    ck_assert(part[0] == 5 * MONEY_ONE);
    nest_next(n, span_of("a"), (const money[NEST_AMOUNTS]){4 * MONEY_ONE}, part);
    ck_assert(part[0] == 4 * MONEY_ONE);
    nest_free(n);
}
END_TEST

/* Random parts of both signs, wholes rounded off by up to three units: sums hold, and no cell is off by two units or more than its fair
 * share of the three. */
START_TEST(any_parts_sum_to_their_whole)
{
    srand(7);
    for (int round = 0; round < 2000; round++) {
        int parts = 1 + rand() % 40, off = rand() % 7 - 3;
        struct nest *n = nest_new(digits);
        money exact[40][NEST_AMOUNTS] = {{0}}, sum = 0, got = 0, whole[NEST_AMOUNTS] = {0};

        for (int i = 0; i < parts; i++) {
            exact[i][0] = (money)(rand() % 2000000 - 500000) * 1000003;
            sum += exact[i][0];
            nest_see(n, span_of("x"), exact[i]);
        }
        whole[0] = money_round(sum, 2) + off * cent;
        nest_add(n, span_of("x"), whole);
        for (int i = 0; i < parts; i++) {
            money part[NEST_AMOUNTS], far;

            nest_next(n, span_of("x"), exact[i], part);
            got += part[0];
            far = part[0] - exact[i][0];
            ck_assert((far < 0 ? -far : far) <= (2 + (abs(off) + parts - 1) / parts) * cent);
            ck_assert(part[0] % cent == 0);
        }
        ck_assert(got == whole[0]);
        nest_free(n);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nest");
    TCase *c = tcase_create("nest");

    tcase_add_test(c, three_thirds_of_a_dollar_are_a_dollar);
    tcase_add_test(c, rows_of_one_key_add_up_and_others_are_apart);
    tcase_add_test(c, any_parts_sum_to_their_whole);
    suite_add_tcase(s, c);
    return unit_run(s);
}
