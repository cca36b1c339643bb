/* recall: claims that come back with the numbers of a reading. Lists stand for what core/claims would have worked out. */
#include <string.h>

#include "gputab/core/recall.h"
#include "unit.h"

static struct recall recall;
static struct share_claims claims;
static struct device_reading reading;

static void setup(void)
{
    memset(&recall, 0, sizeof recall);
    memset(&claims, 0, sizeof claims);
    memset(&reading, 0, sizeof reading);
}

static void teardown(void)
{
    recall_free(&recall);
    vec_free(&claims);
    vec_free(&reading.labelled);
    vec_free(&reading.layer);
}

/* The reading becomes one of a pod that holds `bytes`. Whether its claims were remembered; where not they are worked out. */
static bool turn(uint64_t bytes, bool only_values)
{
    vec_clear(&reading.labelled);
    vec_push(&reading.labelled, (struct pod_value){.pod = 1, .bytes = bytes});
    if (recall_claims(&recall, &reading, only_values, &claims))
        return true;
    vec_reserve(&claims, 1);
    claims.n = 1;
    claims.v[0] = (struct share_claim){.pod = 1, .memory = bytes};
    return false;
}

START_TEST(a_value_that_comes_back_brings_its_claims)
{
    ck_assert(!turn(5, false));
    ck_assert(!turn(7, true));
    ck_assert(turn(5, true));
    ck_assert_uint_eq(claims.v[0].memory, 5);
    ck_assert(turn(7, true));
    ck_assert_uint_eq(claims.v[0].memory, 7);
    ck_assert(!turn(9, true));
    ck_assert(!turn(5, true));                         /* that was the one before the last */
    ck_assert(turn(9, true));
    ck_assert_uint_eq(claims.v[0].memory, 9);
}
END_TEST

START_TEST(nothing_is_remembered_from_before_somebody_came)
{
    turn(5, false);
    turn(7, true);
    ck_assert(!turn(5, false));
    ck_assert(!turn(7, true));
    ck_assert(turn(5, true));
}
END_TEST

START_TEST(claims_of_other_claimants_do_not_come_back)
{
    turn(5, false);
    turn(0, true);
    claims.v[0].pod = 2;                               /* without memory somebody else claims: as core/claims says by the edition */
    claims.edition++;
    ck_assert(!turn(5, true));
    ck_assert_uint_eq(claims.n, 1);
}
END_TEST

START_TEST(any_number_makes_another_reading)
{
    turn(5, false);
    turn(7, true);
    reading.free = 1;
    ck_assert(!turn(5, true));
    reading.free = 0;
    reading.reserved = 1;
    ck_assert(!turn(7, true));
}
END_TEST

START_TEST(what_a_sharing_layer_shows_is_not_remembered)
{
    vec_push(&reading.layer, (struct pod_value){.pod = 1, .bytes = 5});
    turn(5, false);
    turn(7, true);
    ck_assert(!turn(5, true));
}
END_TEST

START_TEST(lists_without_claims_change_places_too)
{
    reading.used = 1;
    ck_assert(!recall_claims(&recall, &reading, false, &claims));
    reading.used = 2;
    ck_assert(!recall_claims(&recall, &reading, true, &claims));
    reading.used = 1;
    ck_assert(recall_claims(&recall, &reading, true, &claims));
    ck_assert_uint_eq(claims.n, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("recall");
    TCase *c = tcase_create("all");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_value_that_comes_back_brings_its_claims);
    tcase_add_test(c, nothing_is_remembered_from_before_somebody_came);
    tcase_add_test(c, claims_of_other_claimants_do_not_come_back);
    tcase_add_test(c, any_number_makes_another_reading);
    tcase_add_test(c, what_a_sharing_layer_shows_is_not_remembered);
    tcase_add_test(c, lists_without_claims_change_places_too);
    suite_add_tcase(s, c);
    return unit_run(s);
}
