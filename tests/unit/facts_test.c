/* facts: claims that hold from one instant to another, as sums per claimant and span. Times are seconds after a midnight. Pods 0 and 1 have
 * versions 0 and 1; from half past eight pod 1 has version 2. */
#include <string.h>

#include "gputab/core/facts.h"
#include "gputab/value/inventory.h"
#include "unit.h"

#define MIDNIGHT (20000 * TIME_DAY)
#define AT(seconds) (MIDNIGHT + (time_ms)(seconds) * TIME_SECOND)
#define HALF_PAST_EIGHT 30600

static struct owners owners;
static struct share_claims claims;
static struct facts facts;
static struct usage out;
static struct cuts no_cuts;

static void setup(void)
{
    memset(&claims, 0, sizeof claims);
    memset(&out, 0, sizeof out);
    memset(&owners, 0, sizeof owners);
    owners.of_pod = xcalloc(2, sizeof *owners.of_pod);
    steps_push(&owners.of_pod[0], TIME_MIN, 0);
    steps_push(&owners.of_pod[1], TIME_MIN, 1);
    steps_push(&owners.of_pod[1], AT(HALF_PAST_EIGHT), 2);
    facts = (struct facts){.node = 3, .gpu = 4, .owners = &owners, .sets = intern_new(), .cuts = &no_cuts};
}

static void teardown(void)
{
    intern_free(facts.sets);
    facts_free(&facts);
    free(owners.of_pod[0].v);
    free(owners.of_pod[1].v);
    owners_free(&owners);
    vec_free(&claims);
    usage_free(&out);
}

static void pod(uint32_t device, enum usage_state state, uint32_t index, uint64_t memory)
{
    claims.edition++;
    vec_push(&claims, (struct share_claim){.device = device, .state = state, .claimant = CLAIM_POD, .pod = index, .memory = memory,
                                           .share = {memory, memory, memory}});
}

static void idle(uint32_t device, enum usage_state state, uint64_t share)
{
    claims.edition++;
    vec_push(&claims, (struct share_claim){.device = device, .state = state, .claimant = CLAIM_IDLE, .reason = REASON_FREE_MEMORY,
                                           .pod = NONE, .share = {share, share, 0}});
}

static void add(int from, int to)
{
    facts_add(&facts, &claims, AT(from), AT(to), &out);
}

static void close_all(void)
{
    facts_close(&facts, &out);
    ck_assert_int_eq(facts_hand_over(&facts, TIME_MAX, &out), TIME_MAX);
}

static void fact_is(size_t i, int from, uint32_t version, uint64_t memory_s)
{
    ck_assert_uint_lt(i, out.gpu.n);
    ck_assert_int_eq(out.gpu.v[i].span.from, AT(from));
    ck_assert_uint_eq(out.gpu.v[i].pod_version, version);
    ck_assert_uint_eq((uint64_t)out.gpu.v[i].memory_ms, memory_s * 1000);
}

START_TEST(other_amounts_add_up_in_the_same_facts)
{
    pod(7, USAGE_SHARED, 0, 5);
    idle(7, USAGE_SHARED, 11);
    add(0, 60);
    claims.v[0].memory = 2;
    claims.v[0].share[RULE_CAPACITY] = 3;
    add(60, 100);
    close_all();
    ck_assert_uint_eq(out.gpu.n, 2);
    fact_is(0, 0, 0, 5 * 60 + 2 * 40);
    ck_assert_uint_eq((uint64_t)out.gpu.v[0].share[RULE_CAPACITY], (5 * 60 + 3 * 40) * 1000);
    fact_is(1, 0, NONE, 0);
    ck_assert_uint_eq((uint64_t)out.gpu.v[1].share[RULE_USABLE], 11 * 100 * 1000);
    ck_assert_uint_eq(out.observed.n, 1);
    ck_assert_uint_eq(out.observed.v[0].observed_ms, 100000);
    ck_assert_uint_eq(out.presence.n, 1);              /* without a gap: one */
    ck_assert_int_eq(out.presence.v[0].span.to, AT(100));
}
END_TEST

/* A pod leaves, another comes, the first is back: its fact is the one that it had. */
START_TEST(claims_find_their_fact_wherever_they_stand_in_the_list)
{
    pod(7, USAGE_SHARED, 0, 5);
    idle(7, USAGE_SHARED, 1);
    add(0, 10);
    claims.v[0].pod = 1;
    claims.edition++;
    add(10, 20);
    claims.n = 0;
    pod(7, USAGE_SHARED, 1, 4);
    pod(7, USAGE_SHARED, 0, 3);
    add(20, 30);
    claims.v[0].grade = GRADE_B;                       /* another key */
    claims.edition++;
    add(30, 40);
    close_all();
    ck_assert_uint_eq(out.gpu.n, 4);
    fact_is(0, 0, 0, 5 * 10 + 3 * 20);
    fact_is(2, 0, 1, 5 * 10 + 4 * 10);
    fact_is(3, 0, 1, 4 * 10);
    ck_assert_int_eq(out.gpu.v[3].grade, GRADE_B);
}
END_TEST

START_TEST(spans_end_at_hours_and_versions_at_their_time)
{
    pod(7, USAGE_SHARED, 1, 2);
    add(28000, 33000);                                 /* 7:46:40 to 9:10:00 */
    close_all();
    ck_assert_uint_eq(out.gpu.n, 4);
    fact_is(0, 25200, 1, 2 * 800);                     /* to 8:00 */
    fact_is(1, 28800, 1, 2 * 1800);                    /* to 8:30 */
    fact_is(2, 28800, 2, 2 * 1800);
    fact_is(3, 32400, 2, 2 * 600);
    ck_assert_uint_eq(out.observed.n, 3);
}
END_TEST

START_TEST(facts_are_handed_over_span_by_span)
{
    pod(7, USAGE_SHARED, 1, 2);
    idle(7, USAGE_SHARED, 1);
    add(0, 7300);                                      /* three hours, of which the last is open */
    ck_assert_int_eq(facts_hand_over(&facts, TIME_MIN, &out), AT(0));
    ck_assert_uint_eq(out.gpu.n, 0);
    ck_assert_int_eq(facts_hand_over(&facts, AT(0), &out), AT(3600));
    ck_assert_uint_eq(out.gpu.n, 2);
    ck_assert_int_eq(facts_hand_over(&facts, AT(3600), &out), TIME_MAX);
    ck_assert_uint_eq(out.gpu.n, 4);
    facts_close(&facts, &out);
    ck_assert_int_eq(facts_hand_over(&facts, AT(3600), &out), AT(7200));
    ck_assert_int_eq(facts_hand_over(&facts, AT(7200), &out), TIME_MAX);
    ck_assert_uint_eq(out.gpu.n, 6);
    fact_is(2, 3600, 1, 2 * 3600);
    fact_is(4, 7200, 1, 2 * 100);
    fact_is(5, 7200, NONE, 0);
}
END_TEST

START_TEST(the_version_is_another_one_though_the_claims_are_the_same)
{
    pod(7, USAGE_SHARED, 1, 2);
    add(HALF_PAST_EIGHT - 60, HALF_PAST_EIGHT);
    add(HALF_PAST_EIGHT, HALF_PAST_EIGHT + 30);
    close_all();
    ck_assert_uint_eq(out.gpu.n, 2);
    fact_is(0, 28800, 1, 2 * 60);
    fact_is(1, 28800, 2, 2 * 30);
}
END_TEST

START_TEST(pods_among_whom_memory_was_divided_share_the_id_of_their_set)
{
    pod(7, USAGE_EVEN, 0, 5);
    pod(7, USAGE_EVEN, 1, 5);
    idle(7, USAGE_EVEN, 5);
    pod(8, USAGE_BY_REQUEST, 1, 5);
    pod(9, USAGE_SHARED, 0, 5);
    add(0, 60);
    close_all();
    ck_assert_uint_eq(out.gpu.n, 5);
    ck_assert_uint_ne(out.gpu.v[0].candidates, 0);
    ck_assert_uint_eq(out.gpu.v[0].candidates, out.gpu.v[1].candidates);
    ck_assert_uint_eq(out.gpu.v[2].candidates, 0);     /* idle is no candidate */
    ck_assert_uint_ne(out.gpu.v[3].candidates, 0);
    ck_assert_uint_ne(out.gpu.v[3].candidates, out.gpu.v[0].candidates);
    ck_assert_uint_eq(out.gpu.v[4].candidates, 0);     /* measured */
}
END_TEST

START_TEST(a_set_of_other_versions_is_another_set)
{
    pod(7, USAGE_EVEN, 0, 5);
    pod(7, USAGE_EVEN, 1, 5);
    add(HALF_PAST_EIGHT - 60, HALF_PAST_EIGHT + 60);
    close_all();
    ck_assert_uint_eq(out.gpu.n, 4);
    ck_assert_uint_eq(out.gpu.v[0].pod_version, out.gpu.v[2].pod_version);
    ck_assert_uint_ne(out.gpu.v[0].candidates, out.gpu.v[2].candidates);
    ck_assert_uint_eq(out.gpu.v[2].candidates, out.gpu.v[3].candidates);
}
END_TEST

START_TEST(presence_is_the_time_with_memory)
{
    pod(7, USAGE_SHARED, 0, 5);
    add(0, 60);
    claims.v[0].memory = 0;
    add(60, 120);
    claims.v[0].memory = 1;
    add(120, 180);
    close_all();
    ck_assert_uint_eq(out.gpu.n, 1);
    ck_assert_uint_eq(out.presence.n, 2);
    ck_assert_int_eq(out.presence.v[0].span.to, AT(60));
    ck_assert_int_eq(out.presence.v[1].span.from, AT(120));
    ck_assert_uint_eq(out.presence.v[1].fact, out.gpu.v[0].id);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("facts");
    TCase *c = tcase_create("adding");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, other_amounts_add_up_in_the_same_facts);
    tcase_add_test(c, claims_find_their_fact_wherever_they_stand_in_the_list);
    tcase_add_test(c, spans_end_at_hours_and_versions_at_their_time);
    tcase_add_test(c, facts_are_handed_over_span_by_span);
    tcase_add_test(c, the_version_is_another_one_though_the_claims_are_the_same);
    tcase_add_test(c, pods_among_whom_memory_was_divided_share_the_id_of_their_set);
    tcase_add_test(c, a_set_of_other_versions_is_another_set);
    tcase_add_test(c, presence_is_the_time_with_memory);
    suite_add_tcase(s, c);
    return unit_run(s);
}
