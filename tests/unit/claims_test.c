/* claims: shares of a GPU in integers; those of a card always make up the whole. */
#include <string.h>

#include "gputab/core/claims.h"
#include "gputab/value/inventory.h"
#include "unit.h"

#define WHOLE ((uint64_t)1 << USAGE_SHARE_BITS)

static struct device_claims devices[4];
static struct claims_device parts[4];
static struct share_claims out;

static void setup(void)
{
    memset(devices, 0, sizeof devices);
    memset(&out, 0, sizeof out);
}

static void teardown(void)
{
    for (size_t i = 0; i < 4; i++)
        vec_free(&devices[i].claims);
    vec_free(&out);
}

static void device_is(size_t i, int slices, enum usage_state state)
{
    devices[i].state = state;
    devices[i].sharing = slices ? SHARING_MIG : SHARING_EXCLUSIVE;
    parts[i] = (struct claims_device){(uint32_t)(10 + i), slices, &devices[i]};
}

static void pod(size_t i, uint32_t index, uint64_t parts_of)
{
    vec_push(&devices[i].claims, (struct claim){.claimant = CLAIM_POD, .pod = index, .weight = parts_of,
                                                .columns = 1 << RULE_CAPACITY | 1 << RULE_USABLE | 1 << RULE_RESIDENTS});
}

static void idle(size_t i, uint64_t parts_of)
{
    vec_push(&devices[i].claims, (struct claim){.claimant = CLAIM_IDLE, .reason = REASON_FREE_MEMORY, .pod = NONE, .weight = parts_of,
                                                .columns = 1 << RULE_CAPACITY | 1 << RULE_USABLE});
}

static void compose(size_t n, int base)
{
    claims_compose(parts, n, base, &out);
    for (int k = 0; k < RULE_DENOMINATORS; k++) {
        uint64_t sum = 0;

        for (size_t i = 0; i < out.n; i++)
            sum += out.v[i].share[k];
        ck_assert_uint_eq(sum, WHOLE);
    }
}

START_TEST(a_whole_card_is_its_claims)
{
    device_is(0, 0, USAGE_SHARED);
    pod(0, 1, 30);
    pod(0, 2, 10);
    idle(0, 40);
    compose(1, 8);
    ck_assert_uint_eq(out.n, 3);
    ck_assert_uint_eq(out.v[0].share[RULE_CAPACITY], WHOLE * 3 / 8);
    ck_assert_uint_eq(out.v[1].share[RULE_CAPACITY], WHOLE / 8);
    ck_assert_uint_eq(out.v[2].share[RULE_CAPACITY], WHOLE / 2);
    ck_assert_uint_eq(out.v[0].share[RULE_RESIDENTS], WHOLE * 3 / 4);
    ck_assert_uint_eq(out.v[2].share[RULE_RESIDENTS], 0);
    ck_assert_uint_eq(out.v[0].held, 0);
}
END_TEST

/* Sixths leave 4/6 each (2^52 mod 6 = 4), halves nothing: two units for three pods. Thirds leave 1/3. Sevenths leave 2/7, five of them 3/7:
 * the unit is the idle memory's. */
START_TEST(pods_of_one_weight_differ_by_a_unit_at_most)
{
    device_is(0, 0, USAGE_EVEN);
    for (uint32_t i = 0; i < 3; i++)
        pod(0, i, 10);
    idle(0, 30);
    compose(1, 8);
    ck_assert_uint_eq(out.v[0].share[RULE_CAPACITY], WHOLE / 6 + 1);
    ck_assert_uint_eq(out.v[1].share[RULE_CAPACITY], WHOLE / 6 + 1);
    ck_assert_uint_eq(out.v[2].share[RULE_CAPACITY], WHOLE / 6);
    ck_assert_uint_eq(out.v[3].share[RULE_CAPACITY], WHOLE / 2);
    ck_assert_uint_eq(out.v[0].share[RULE_RESIDENTS], WHOLE / 3 + 1);
    ck_assert_uint_eq(out.v[2].share[RULE_RESIDENTS], WHOLE / 3);
    vec_clear(&devices[0].claims);
    pod(0, 0, 1);
    pod(0, 1, 1);
    idle(0, 5);
    compose(1, 8);
    ck_assert_uint_eq(out.v[0].share[RULE_CAPACITY], WHOLE / 7);
    ck_assert_uint_eq(out.v[1].share[RULE_CAPACITY], WHOLE / 7);
    ck_assert_uint_eq(out.v[2].share[RULE_CAPACITY], WHOLE - 2 * (WHOLE / 7));
}
END_TEST

/* 2^52 mod 10 = 6: a tenth leaves 0.6, three of them 0.8, seven 0.2, nine 0.4. */
START_TEST(a_card_of_the_same_size_is_divided_anew_each_time)
{
    device_is(0, 0, USAGE_HELD);
    for (uint64_t tenths = 1; tenths < 10; tenths += 2) {
        vec_clear(&devices[0].claims);
        pod(0, 1, tenths);
        idle(0, 10 - tenths);
        compose(1, 8);
        ck_assert_uint_eq(out.v[0].share[RULE_CAPACITY], WHOLE / 10 * tenths + (6 * tenths + 4) / 10);
        ck_assert_uint_eq(out.v[0].share[RULE_RESIDENTS], WHOLE);
    }
    vec_clear(&devices[0].claims);
    pod(0, 1, 1);
    idle(0, 3);
    compose(1, 8);
    ck_assert_uint_eq(out.v[0].share[RULE_CAPACITY], WHOLE / 4);
}
END_TEST

/* Of two buckets without a pod the first may count in some columns only. */
START_TEST(a_reserve_of_an_empty_card_counts_by_capacity)
{
    device_is(0, 0, USAGE_SHARED);
    vec_push(&devices[0].claims, (struct claim){.claimant = CLAIM_RESERVED, .pod = NONE, .weight = 1,
                                                .columns = 1 << RULE_CAPACITY | 1 << RULE_RESIDENTS});
    vec_push(&devices[0].claims, (struct claim){.claimant = CLAIM_IDLE, .pod = NONE, .weight = 3,
                                                .columns = 1 << RULE_CAPACITY | 1 << RULE_USABLE | 1 << RULE_RESIDENTS});
    compose(1, 8);
    ck_assert_uint_eq(out.v[0].share[RULE_CAPACITY], WHOLE / 4);
    ck_assert_uint_eq(out.v[0].share[RULE_USABLE], 0);
    ck_assert_uint_eq(out.v[0].share[RULE_RESIDENTS], WHOLE / 4);
}
END_TEST

START_TEST(the_holder_of_a_card_holds_all_of_it)
{
    device_is(0, 0, USAGE_HELD);
    pod(0, 1, 30);
    idle(0, 50);
    compose(1, 8);
    ck_assert_uint_eq(out.v[0].held, WHOLE);
    ck_assert_uint_eq(out.v[1].held, 0);
}
END_TEST

START_TEST(instances_have_their_memory_slices_and_the_rest_is_free)
{
    device_is(0, 4, USAGE_HELD);                       /* 3g.40gb and 1g.10gb of 8 slices */
    pod(0, 1, 5);
    device_is(1, 1, USAGE_HELD);
    pod(1, 2, 5);
    compose(2, 8);
    ck_assert_uint_eq(out.n, 3);
    ck_assert_uint_eq(out.v[0].held, WHOLE / 2);
    ck_assert_uint_eq(out.v[1].held, WHOLE / 8);
    ck_assert_uint_eq(out.v[2].share[RULE_CAPACITY], WHOLE * 3 / 8);
    ck_assert_int_eq(out.v[2].claimant, CLAIM_IDLE);
    ck_assert_int_eq(out.v[2].reason, REASON_FREE_MIG);
    ck_assert_uint_eq(out.v[2].device, NONE);
}
END_TEST

START_TEST(compute_slices_are_sevenths_to_the_last_unit)
{
    device_is(0, 3, USAGE_HELD);
    pod(0, 1, 5);
    device_is(1, 2, USAGE_HELD);
    pod(1, 2, 5);
    device_is(2, 1, USAGE_HELD);
    pod(2, 3, 5);
    compose(3, 7);
    ck_assert_uint_eq(out.n, 4);
    ck_assert_uint_eq(out.v[0].held / 1000, WHOLE * 3 / 7 / 1000);
    ck_assert_uint_eq(out.v[1].held / 1000, WHOLE * 2 / 7 / 1000);
    ck_assert_uint_eq(out.v[3].share[RULE_USABLE] / 1000, WHOLE / 7 / 1000);
}
END_TEST

START_TEST(more_slices_than_a_card_has_are_their_own_whole)
{
    device_is(0, 8, USAGE_HELD);
    pod(0, 1, 5);
    device_is(1, 2, USAGE_HELD);
    pod(1, 2, 5);
    compose(2, 8);
    ck_assert_uint_eq(out.n, 2);                       /* nothing is left uncovered */
    ck_assert_uint_eq(out.v[0].held, WHOLE / 10 * 8 + 5);              /* 8 x (WHOLE mod 10) = 8 x 6: 4.8 more */
    ck_assert_uint_eq(out.v[0].held + out.v[1].held, WHOLE);
}
END_TEST

START_TEST(a_shared_instance_divides_its_part)
{
    device_is(0, 4, USAGE_SHARED);
    pod(0, 1, 30);
    idle(0, 10);
    compose(1, 8);
    ck_assert_uint_eq(out.v[0].share[RULE_CAPACITY], WHOLE * 3 / 8);
    ck_assert_uint_eq(out.v[0].share[RULE_RESIDENTS], WHOLE / 2);
    ck_assert_uint_eq(out.v[1].share[RULE_CAPACITY], WHOLE / 8);
    ck_assert_uint_eq(out.v[2].share[RULE_RESIDENTS], WHOLE / 2);
}
END_TEST

START_TEST(nothing_that_stands_claims_nothing)
{
    device_is(0, 0, USAGE_SHARED);
    pod(0, 1, 1);
    compose(1, 8);
    claims_compose(parts, 0, 8, &out);
    ck_assert_uint_eq(out.n, 0);
}
END_TEST

START_TEST(a_split_gives_the_rest_to_the_largest_remainders)
{
    uint64_t weights[] = {1, 1, 1, 4};                 /* of 10: 1.43 1.43 1.43 5.71 */
    uint64_t got[4];

    claims_split(10, weights, 4, got);
    ck_assert_uint_eq(got[3], 6);
    ck_assert_uint_eq(got[0], 2);                      /* ties to the first */
    ck_assert_uint_eq(got[1], 1);
    ck_assert_uint_eq(got[2], 1);
}
END_TEST

START_TEST(a_split_of_awkward_weights_sums_to_the_total)
{
    uint32_t state = 3;

    for (int round = 0; round < 2000; round++) {
        uint64_t weights[9], got[9], sum = 0;
        size_t n = 1 + (size_t)round % 9;

        for (size_t i = 0; i < n; i++) {
            state = state * 1664525u + 1013904223u;
            weights[i] = i == 0 ? 1 : ((uint64_t)state << (state >> 28)) % 100000000007u;
        }
        claims_split(WHOLE, weights, n, got);
        for (size_t i = 0; i < n; i++)
            sum += got[i];
        ck_assert_uint_eq(sum, WHOLE);
    }
}
END_TEST

/* Largest remainders by plain division of 128 bits: what is left goes to the largest, ties to the first. */
static void split_plainly(uint64_t total, const uint64_t *weights, size_t n, uint64_t *want)
{
    weight sum = 0, rest[9];
    uint64_t left = total;

    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    for (size_t i = 0; i < n; i++) {
        want[i] = (uint64_t)((weight)total * weights[i] / sum);
        rest[i] = (weight)total * weights[i] % sum;
        left -= want[i];
    }
    for (; left > 0; left--) {
        size_t best = 0;

        for (size_t i = 1; i < n; i++)
            best = rest[i] > rest[best] ? i : best;
        want[best]++;
        rest[best] = 0;
    }
}

/* Weights of any size, among them neighbours of powers of two and sums of exactly 64 bits, totals up to the largest. */
START_TEST(a_split_is_that_of_plain_division)
{
    uint64_t state = 88172645463325252u;

    for (int round = 0; round < 20000; round++) {
        uint64_t weights[9], got[9], want[9], total = round % 3 == 0 ? UINT64_MAX : round % 3 == 1 ? WHOLE : (uint64_t)round;
        size_t n = 1 + (size_t)round % 9;

        for (size_t i = 0; i < n; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            weights[i] = round % 5 == 0 ? ((uint64_t)1 << (state >> 58) % 60) - (state & 1) : state >> (4 + (state >> 40) % 58);
        }
        weights[0] += 1;
        split_plainly(total, weights, n, want);
        claims_split(total, weights, n, got);
        for (size_t i = 0; i < n; i++)
            ck_assert_uint_eq(got[i], want[i]);
    }
}
END_TEST

/* Twice, four times ... the weights: the shares stay, also where their sum has no room in 64 bits any more. */
START_TEST(a_split_is_the_same_by_weights_many_times_as_large)
{
    for (int shift = 0; shift <= 32; shift++) {
        uint64_t weights[] = {(uint64_t)0xfffffff1 << shift, (uint64_t)0xffffff35 << shift, (uint64_t)0xfedcba98 << shift}, got[3];

        claims_split(WHOLE, weights, 3, got);
        ck_assert_uint_eq(got[0], 1503427195586760u);
        ck_assert_uint_eq(got[1], 1503427129778503u);
        ck_assert_uint_eq(got[2], 1496745302005233u);
    }
}
END_TEST

START_TEST(a_list_has_another_edition_when_it_has_other_claimants)
{
    uint64_t edition;

    device_is(0, 0, USAGE_SHARED);
    pod(0, 1, 30);
    idle(0, 10);
    compose(1, 8);
    edition = out.edition;
    devices[0].claims.v[0].weight = 10;                /* other amounts: the same edition */
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition);
    ck_assert_uint_eq(out.v[0].memory, 10);
    ck_assert_uint_eq(out.v[0].share[RULE_CAPACITY], WHOLE / 2);
    devices[0].claims.v[0].pod = 2;
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 1);
    ck_assert_uint_eq(out.v[0].pod, 2);
    devices[0].claims.v[0].grade = GRADE_B;
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 2);
    devices[0].claims.v[1].claimant = CLAIM_UNATTRIBUTED;
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 3);
    devices[0].claims.v[1].reason = REASON_NONE;
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 4);
    devices[0].state = USAGE_HELD;
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 5);
    ck_assert_uint_eq(out.v[0].held, WHOLE);
    ck_assert_uint_eq(out.v[1].held, 0);
    devices[0].sharing = SHARING_UNKNOWN;
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 6);
    parts[0].device++;
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 7);
    devices[0].claims.n--;                             /* one fewer */
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 8);
    ck_assert_uint_eq(out.n, 1);
    devices[0].claims.n++;
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 9);
    ck_assert_uint_eq(out.n, 2);
    compose(1, 8);
    ck_assert_uint_eq(out.edition, edition + 9);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("claims");
    TCase *c = tcase_create("claims");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_whole_card_is_its_claims);
    tcase_add_test(c, pods_of_one_weight_differ_by_a_unit_at_most);
    tcase_add_test(c, a_card_of_the_same_size_is_divided_anew_each_time);
    tcase_add_test(c, a_reserve_of_an_empty_card_counts_by_capacity);
    tcase_add_test(c, the_holder_of_a_card_holds_all_of_it);
    tcase_add_test(c, instances_have_their_memory_slices_and_the_rest_is_free);
    tcase_add_test(c, compute_slices_are_sevenths_to_the_last_unit);
    tcase_add_test(c, more_slices_than_a_card_has_are_their_own_whole);
    tcase_add_test(c, a_shared_instance_divides_its_part);
    tcase_add_test(c, nothing_that_stands_claims_nothing);
    tcase_add_test(c, a_split_gives_the_rest_to_the_largest_remainders);
    tcase_add_test(c, a_split_of_awkward_weights_sums_to_the_total);
    tcase_add_test(c, a_split_is_that_of_plain_division);
    tcase_add_test(c, a_split_is_the_same_by_weights_many_times_as_large);
    tcase_add_test(c, a_list_has_another_edition_when_it_has_other_claimants);
    suite_add_tcase(s, c);
    return unit_run(s);
}
