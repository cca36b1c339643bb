/* device: who is on a device in every state, and what they weigh under every denominator. Memory is in GiB here
 * unless a name says otherwise; the expected weights are the numerators of the shares. */
#include <stdio.h>
#include <string.h>

#include "gputab/core/device.h"
#include "gputab/value/inventory.h"
#include "unit.h"

#define GIB ((uint64_t)1 << 30)
#define MIB ((uint64_t)1 << 20)

static struct device_reading r;
static struct device_context c;
static struct device_claims out;
static uint64_t unit;                                  /* of the expected weights, bytes */

static void setup(void)
{
    memset(&r, 0, sizeof r);
    memset(&out, 0, sizeof out);
    c = (struct device_context){.sharing_known = true, .requests_known = true, .requests_all_labelled = true};
    unit = GIB;
}

static void teardown(void)
{
    vec_free(&r.labelled);
    vec_free(&r.layer);
    vec_free(&out.claims);
}

/* ---- what the exporters say ---- */

static void reads_used(uint64_t used)
{
    r.known |= DEVICE_USED;
    r.used = used * unit;
    r.total_beside = true;
}

static void reads_free(uint64_t free_memory)
{
    r.known |= DEVICE_FREE;
    r.free = free_memory * unit;
}

static void reads_total(uint64_t total)
{
    r.known |= DEVICE_TOTAL;
    r.total = total * unit;
}

static void reads_reserved(uint64_t reserved)
{
    r.known |= DEVICE_RESERVED;
    r.reserved = reserved * unit;
}

static void labelled(uint32_t pod, uint32_t container, uint64_t value)
{
    vec_push(&r.labelled, (struct pod_value){pod, container, value * unit, false});
}

static void process(uint32_t pod, uint32_t container, uint64_t value)
{
    vec_push(&r.labelled, (struct pod_value){pod, container, value * unit, true});
}

static void layer(uint32_t pod, uint64_t value)
{
    vec_push(&r.layer, (struct pod_value){pod, 0, value * unit, false});
}

static struct pod_request requests[4];

static void requests_of(uint32_t pod, uint64_t micro)
{
    requests[c.n_requests++] = (struct pod_request){pod, micro};
    c.requests = requests;
}

/* The card of the worked example: 80 GiB, 1 of them the driver's. */
static void card_of_80(void)
{
    reads_total(80);
    reads_reserved(1);
}

/* ---- what comes of it ---- */

static const struct claim *find(enum claimant who, uint32_t pod)
{
    for (size_t i = 0; i < out.claims.n; i++)
        if (out.claims.v[i].claimant == who && out.claims.v[i].pod == pod)
            return &out.claims.v[i];
    return NULL;
}

static uint64_t weight_by(const struct claim *claim, int k)
{
    return claim && (claim->columns >> k & 1) ? claim->weight : 0;
}

static void check_weights(const char *who, const struct claim *claim, uint64_t capacity, uint64_t usable, uint64_t residents)
{
    const uint64_t expected[RULE_DENOMINATORS] = {capacity, usable, residents};

    for (int k = 0; k < RULE_DENOMINATORS; k++) {
        uint64_t got = weight_by(claim, k);

        ck_assert_msg(got == (expected[k] * unit) << USAGE_MEMORY_BITS, "%s, denominator %d: %llu, not %llu", who, k,
                      (unsigned long long)((got >> USAGE_MEMORY_BITS) / unit), (unsigned long long)expected[k]);
    }
}

static void pod_has(uint32_t pod, enum grade grade, uint64_t capacity, uint64_t usable, uint64_t residents)
{
    char name[32];
    const struct claim *claim = find(CLAIM_POD, pod);

    snprintf(name, sizeof name, "pod %u", (unsigned)pod);
    ck_assert_msg(claim != NULL, "%s has no claim", name);
    ck_assert_int_eq(claim->grade, grade);
    check_weights(name, claim, capacity, usable, residents);
}

static void pod_has_nothing(uint32_t pod)
{
    ck_assert_ptr_null(find(CLAIM_POD, pod));
}

static void bucket_has(enum claimant who, uint64_t capacity, uint64_t usable, uint64_t residents)
{
    static const char *const names[] = {"pod", "idle", "reserved", "unattributed"};
    const struct claim *claim = find(who, NONE);

    check_weights(names[who], claim, capacity, usable, residents);
    ck_assert(!claim || claim->grade == GRADE_A);
}

static void idle_because(enum reason reason)
{
    ck_assert_ptr_nonnull(find(CLAIM_IDLE, NONE));
    ck_assert_int_eq(find(CLAIM_IDLE, NONE)->reason, reason);
}

static void work_out(enum usage_state state, unsigned warnings)
{
    device_claims(&r, &c, &out);
    ck_assert_int_eq(out.state, state);
    ck_assert_uint_eq(out.warnings, warnings);
}

/* ---- one pod alone ---- */

START_TEST(the_one_pod_of_an_exclusive_device_holds_it)
{
    reads_used(20);
    card_of_80();
    labelled(1, 0, 18);
    work_out(USAGE_HELD, 0);
    pod_has(1, GRADE_A, 18, 18, 18);                   /* were it a resident; a holder pays for all of it */
    bucket_has(CLAIM_RESERVED, 1, 0, 0);
    bucket_has(CLAIM_UNATTRIBUTED, 2, 2, 0);
    bucket_has(CLAIM_IDLE, 59, 59, 0);
    ck_assert_int_eq(out.sharing, SHARING_EXCLUSIVE);
}
END_TEST

START_TEST(a_holder_without_a_value_of_its_own_has_the_devices_memory)
{
    card_of_80();
    labelled(1, 0, 18);                                /* the device's value, labelled: no total beside it */
    work_out(USAGE_HELD, 0);
    pod_has(1, GRADE_A, 18, 18, 18);
    bucket_has(CLAIM_UNATTRIBUTED, 0, 0, 0);
}
END_TEST

START_TEST(a_holder_is_of_grade_b_when_sharing_could_not_be_seen)
{
    c.sharing_known = false;
    reads_used(20);
    card_of_80();
    labelled(1, 0, 20);
    work_out(USAGE_HELD, 0);
    pod_has(1, GRADE_B, 20, 20, 20);
}
END_TEST

START_TEST(a_holder_with_copies_in_two_containers_has_the_device_once)
{
    card_of_80();
    labelled(1, 1, 18);
    labelled(1, 2, 18);
    work_out(USAGE_HELD, 0);
    pod_has(1, GRADE_A, 18, 18, 18);
}
END_TEST

START_TEST(a_holder_may_hold_nothing_in_memory)
{
    reads_used(0);
    card_of_80();
    labelled(1, 0, 0);
    work_out(USAGE_HELD, 0);
    ck_assert_ptr_nonnull(find(CLAIM_POD, 1));
    pod_has(1, GRADE_A, 0, 0, 0);
    bucket_has(CLAIM_IDLE, 79, 79, 79);                /* residents: no memory at all, so as capacity */
    bucket_has(CLAIM_RESERVED, 1, 0, 1);
}
END_TEST

/* ---- shared, measured ---- */

START_TEST(three_residents_of_80_gib_pay_for_30_20_and_10)
{
    c.node_shared = true;
    reads_used(60);
    card_of_80();
    labelled(1, 0, 30);
    labelled(2, 0, 20);
    labelled(3, 0, 10);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 30, 30, 30);                   /* of 80, of 79, of 60 */
    pod_has(2, GRADE_A, 20, 20, 20);
    pod_has(3, GRADE_A, 10, 10, 10);
    bucket_has(CLAIM_RESERVED, 1, 0, 0);
    bucket_has(CLAIM_UNATTRIBUTED, 0, 0, 0);
    bucket_has(CLAIM_IDLE, 19, 19, 0);
    idle_because(REASON_FREE_MEMORY);
}
END_TEST

START_TEST(memory_beyond_the_pods_values_is_unattributed)
{
    c.node_shared = true;
    reads_used(40);
    card_of_80();
    process(1, 0, 10);
    process(2, 0, 20);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 10, 10, 10);
    bucket_has(CLAIM_UNATTRIBUTED, 10, 10, 0);
    bucket_has(CLAIM_IDLE, 39, 39, 0);
}
END_TEST

START_TEST(two_slots_of_one_pod_count_once_with_the_largest_value)
{
    unit = MIB;                                        /* dcgm-exporter#725: 10056 twice, 10610, the device 21150 */
    c.node_shared = true;
    reads_used(21150);
    reads_total(81559);
    reads_reserved(1024);
    labelled(1, 7, 10056);
    labelled(1, 7, 10056);
    labelled(2, 7, 10610);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 10056, 10056, 10056);
    pod_has(2, GRADE_A, 10610, 10610, 10610);
    bucket_has(CLAIM_UNATTRIBUTED, 484, 484, 0);
    bucket_has(CLAIM_RESERVED, 1024, 0, 0);
    bucket_has(CLAIM_IDLE, 59385, 59385, 0);
}
END_TEST

START_TEST(containers_of_a_pod_add_up_and_so_do_processes_of_a_container)
{
    c.node_shared = true;
    reads_used(60);
    card_of_80();
    process(1, 1, 4);
    process(1, 1, 5);
    process(1, 2, 6);
    labelled(2, 1, 8);
    labelled(2, 1, 9);                                 /* slots */
    labelled(2, 2, 1);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 15, 15, 15);
    pod_has(2, GRADE_A, 10, 10, 10);
}
END_TEST

START_TEST(unequal_values_without_a_total_are_the_pods_own)
{
    c.node_shared = true;
    card_of_80();
    labelled(1, 0, 30);
    labelled(2, 0, 10);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 30, 30, 30);
    pod_has(2, GRADE_A, 10, 10, 10);
    bucket_has(CLAIM_UNATTRIBUTED, 0, 0, 0);           /* used is their sum */
    bucket_has(CLAIM_IDLE, 39, 39, 0);
}
END_TEST

START_TEST(equal_values_with_a_total_beside_them_are_the_pods_own)
{
    c.node_shared = true;
    reads_used(40);
    card_of_80();
    labelled(1, 0, 20);
    labelled(2, 0, 20);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 20, 20, 20);
    pod_has(2, GRADE_A, 20, 20, 20);
}
END_TEST

START_TEST(a_pod_at_zero_is_no_resident)
{
    c.node_shared = true;
    reads_used(40);
    card_of_80();
    labelled(1, 0, 0);
    labelled(2, 0, 40);
    work_out(USAGE_SHARED, 0);
    pod_has_nothing(1);
    pod_has(2, GRADE_A, 40, 40, 40);
}
END_TEST

START_TEST(with_all_pods_at_zero_residents_follows_the_capacity_column)
{
    c.node_shared = true;
    reads_used(40);
    card_of_80();
    labelled(1, 0, 0);
    labelled(2, 0, 0);
    work_out(USAGE_SHARED, 0);
    ck_assert_uint_eq(out.claims.n, 3);
    bucket_has(CLAIM_UNATTRIBUTED, 40, 40, 40);
    bucket_has(CLAIM_RESERVED, 1, 0, 1);
    bucket_has(CLAIM_IDLE, 39, 39, 39);
}
END_TEST

START_TEST(values_beyond_the_devices_memory_are_scaled_down_to_it)
{
    c.node_shared = true;
    reads_used(30);
    card_of_80();
    labelled(1, 0, 40);
    labelled(2, 0, 20);
    work_out(USAGE_SHARED, DEVICE_W203);
    pod_has(1, GRADE_A, 20, 20, 20);
    pod_has(2, GRADE_A, 10, 10, 10);
    bucket_has(CLAIM_UNATTRIBUTED, 0, 0, 0);
    bucket_has(CLAIM_IDLE, 49, 49, 0);
}
END_TEST

START_TEST(scaling_down_loses_no_part_of_a_byte)
{
    uint64_t sum = 0;

    unit = 1;
    c.node_shared = true;
    reads_used(100);
    reads_total(1000);
    for (uint32_t pod = 1; pod <= 7; pod++)
        labelled(pod, 0, 99 + pod);
    work_out(USAGE_SHARED, DEVICE_W203);
    for (uint32_t pod = 1; pod <= 7; pod++)
        sum += claim_memory(find(CLAIM_POD, pod));
    ck_assert_uint_eq(sum, (uint64_t)100 << USAGE_MEMORY_BITS);
}
END_TEST

START_TEST(a_sharing_layers_values_are_of_grade_b)
{
    reads_used(40);
    card_of_80();
    layer(1, 25);
    layer(2, 10);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_B, 25, 25, 25);
    pod_has(2, GRADE_B, 10, 10, 10);
    bucket_has(CLAIM_UNATTRIBUTED, 5, 5, 0);
    ck_assert_int_eq(out.sharing, SHARING_LAYER);
}
END_TEST

START_TEST(a_sharing_layer_goes_before_copies)
{
    card_of_80();
    labelled(1, 0, 40);
    labelled(2, 0, 40);
    layer(1, 25);
    layer(2, 10);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_B, 25, 25, 25);
    bucket_has(CLAIM_UNATTRIBUTED, 5, 5, 0);
}
END_TEST

/* ---- copies ---- */

START_TEST(copies_are_divided_evenly_and_never_added_up)
{
    c.node_shared = true;
    card_of_80();
    labelled(1, 0, 60);
    labelled(2, 0, 60);
    labelled(3, 0, 60);
    work_out(USAGE_EVEN, DEVICE_W201);
    for (uint32_t pod = 1; pod <= 3; pod++)
        pod_has(pod, GRADE_C, 20, 20, 20);
    bucket_has(CLAIM_RESERVED, 1, 0, 0);
    bucket_has(CLAIM_UNATTRIBUTED, 0, 0, 0);
    bucket_has(CLAIM_IDLE, 19, 19, 0);
}
END_TEST

START_TEST(a_pod_with_two_copies_counts_once)
{
    card_of_80();
    labelled(1, 1, 60);
    labelled(1, 2, 60);
    labelled(2, 1, 60);
    work_out(USAGE_EVEN, DEVICE_W201);
    pod_has(1, GRADE_C, 30, 30, 30);
    pod_has(2, GRADE_C, 30, 30, 30);
}
END_TEST

START_TEST(an_even_division_leaves_no_part_of_a_byte)
{
    unit = 1;
    reads_total(100);
    labelled(1, 0, 10);
    labelled(2, 0, 10);
    labelled(3, 0, 10);
    work_out(USAGE_EVEN, DEVICE_W201);                 /* 10240 of 2^-10 bytes */
    ck_assert_uint_eq(claim_memory(find(CLAIM_POD, 1)), 3414);
    ck_assert_uint_eq(claim_memory(find(CLAIM_POD, 2)), 3413);
    ck_assert_uint_eq(claim_memory(find(CLAIM_POD, 3)), 3413);
}
END_TEST

START_TEST(copies_of_zero_leave_the_card_to_the_buckets)
{
    card_of_80();
    labelled(1, 0, 0);
    labelled(2, 0, 0);
    work_out(USAGE_EVEN, 0);
    ck_assert_uint_eq(out.claims.n, 2);
    bucket_has(CLAIM_IDLE, 79, 79, 79);
}
END_TEST

/* ---- shared, at most one label per device ---- */

START_TEST(with_every_requesting_pod_labelled_the_one_on_a_device_is_its_only_resident)
{
    c.node_shared = c.any_labelled = true;
    requests_of(1, 1000000);
    card_of_80();
    labelled(1, 0, 30);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 30, 30, 30);
    bucket_has(CLAIM_IDLE, 49, 49, 0);
}
END_TEST

START_TEST(an_only_resident_is_of_grade_c_when_nothing_is_known_of_requests)
{
    c.node_shared = c.any_labelled = true;
    c.requests_known = false;
    card_of_80();
    labelled(1, 0, 30);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_C, 30, 30, 30);
}
END_TEST

START_TEST(with_a_requesting_pod_unlabelled_used_memory_is_divided_by_request)
{
    c.node_shared = c.any_labelled = true;
    c.requests_all_labelled = false;
    requests_of(1, 1000000);
    requests_of(2, 3000000);
    card_of_80();
    labelled(2, 0, 40);
    work_out(USAGE_BY_REQUEST, DEVICE_W202);
    pod_has(1, GRADE_C, 10, 10, 10);
    pod_has(2, GRADE_C, 30, 30, 30);
    bucket_has(CLAIM_RESERVED, 1, 0, 0);
    bucket_has(CLAIM_IDLE, 39, 39, 0);
}
END_TEST

START_TEST(with_no_label_on_the_node_every_device_is_divided_by_request)
{
    c.node_shared = true;
    c.requests_all_labelled = false;
    requests_of(1, 1000000);
    requests_of(2, 1000000);
    reads_used(40);
    card_of_80();
    work_out(USAGE_BY_REQUEST, DEVICE_W202);
    pod_has(1, GRADE_C, 20, 20, 20);
    pod_has(2, GRADE_C, 20, 20, 20);
}
END_TEST

START_TEST(an_unlabelled_device_beside_labelled_ones_is_nobodys)
{
    c.node_shared = c.any_labelled = true;
    c.requests_all_labelled = false;
    requests_of(1, 1000000);
    requests_of(2, 1000000);
    reads_used(8);
    card_of_80();
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_UNATTRIBUTED, 8, 8, 8);
    bucket_has(CLAIM_IDLE, 72, 72, 72);
}
END_TEST

START_TEST(dividing_by_request_loses_no_part_of_a_byte)
{
    unit = 1;
    c.node_shared = true;
    c.requests_all_labelled = false;
    for (uint32_t pod = 1; pod <= 3; pod++)
        requests_of(pod, 1000000);
    reads_used(10);
    reads_total(100);
    work_out(USAGE_BY_REQUEST, DEVICE_W202);
    ck_assert_uint_eq(claim_memory(find(CLAIM_POD, 1)) + claim_memory(find(CLAIM_POD, 2)) + claim_memory(find(CLAIM_POD, 3)),
                      10 << USAGE_MEMORY_BITS);
}
END_TEST

START_TEST(requests_beyond_64_bits_still_divide)
{
    c.node_shared = true;
    c.requests_all_labelled = false;
    requests_of(1, UINT64_MAX);
    requests_of(2, UINT64_MAX);
    reads_used(40);
    card_of_80();
    work_out(USAGE_BY_REQUEST, DEVICE_W202);
    pod_has(1, GRADE_C, 20, 20, 20);
    pod_has(2, GRADE_C, 20, 20, 20);
}
END_TEST

/* ---- nobody ---- */

START_TEST(nobodys_memory_is_unattributed_and_the_rest_with_the_reserve_idle)
{
    reads_used(8);
    card_of_80();
    work_out(USAGE_NOBODY, 0);
    ck_assert_uint_eq(out.claims.n, 2);
    bucket_has(CLAIM_UNATTRIBUTED, 8, 8, 8);
    bucket_has(CLAIM_IDLE, 72, 72, 72);
    idle_because(REASON_EMPTY_CARD);
    ck_assert_int_eq(out.sharing, SHARING_EXCLUSIVE);
}
END_TEST

/* ---- MIG ---- */

START_TEST(an_instance_with_one_pod_is_held_whatever_the_node_is)
{
    c.instance = c.node_shared = true;
    c.sharing_known = false;
    reads_used(10);
    reads_total(40);
    labelled(1, 0, 10);
    work_out(USAGE_HELD, 0);
    pod_has(1, GRADE_A, 10, 10, 10);
    ck_assert_int_eq(out.sharing, SHARING_MIG);
}
END_TEST

START_TEST(an_instance_with_several_pods_is_a_shared_device_of_its_size)
{
    c.instance = true;
    reads_used(30);
    reads_total(40);
    labelled(1, 0, 10);
    labelled(2, 0, 20);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 10, 10, 10);
    pod_has(2, GRADE_A, 20, 20, 20);
    bucket_has(CLAIM_IDLE, 10, 10, 0);
}
END_TEST

START_TEST(copies_on_an_instance_are_divided_evenly)
{
    c.instance = true;
    reads_total(40);
    labelled(1, 0, 30);
    labelled(2, 0, 30);
    work_out(USAGE_EVEN, DEVICE_W201);
    pod_has(1, GRADE_C, 15, 15, 15);
    pod_has(2, GRADE_C, 15, 15, 15);
}
END_TEST

START_TEST(an_instance_without_pods_is_a_free_one)
{
    c.instance = true;
    reads_used(1);
    reads_total(10);
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_UNATTRIBUTED, 1, 1, 1);
    bucket_has(CLAIM_IDLE, 9, 9, 9);
    idle_because(REASON_FREE_MIG);
}
END_TEST

/* ---- pods that have ended, and whose labels linger ---- */

static void lingers(uint32_t pod, uint64_t value)
{
    vec_push(&r.labelled, (struct pod_value){pod, 0, value * unit, false, true});
}

START_TEST(what_a_pod_that_has_ended_leaves_on_its_card_is_nobodys)
{
    card_of_80();
    lingers(1, 18);                                    /* the device's value, labelled: it is in use all the same */
    ck_assert_uint_eq(device_used(&r), 18 * GIB);
    work_out(USAGE_NOBODY, 0);
    pod_has_nothing(1);
    bucket_has(CLAIM_UNATTRIBUTED, 18, 18, 18);
    bucket_has(CLAIM_IDLE, 62, 62, 62);
    idle_because(REASON_EMPTY_CARD);
}
END_TEST

START_TEST(a_pod_beside_one_that_has_ended_is_alone)
{
    card_of_80();
    lingers(0, 18);
    labelled(1, 0, 18);
    work_out(USAGE_HELD, 0);
    pod_has(1, GRADE_A, 18, 18, 18);
    pod_has_nothing(0);
}
END_TEST

START_TEST(memory_of_a_pod_that_has_ended_is_unattributed)
{
    c.node_shared = true;
    reads_used(60);
    card_of_80();
    labelled(1, 0, 30);
    lingers(2, 20);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 30, 30, 30);
    pod_has_nothing(2);
    bucket_has(CLAIM_UNATTRIBUTED, 30, 30, 0);
    bucket_has(CLAIM_IDLE, 19, 19, 0);
}
END_TEST

START_TEST(copies_are_divided_among_those_that_have_not_ended)
{
    c.node_shared = true;
    card_of_80();
    lingers(1, 60);
    labelled(2, 0, 60);
    labelled(3, 0, 60);
    work_out(USAGE_EVEN, DEVICE_W201);
    pod_has_nothing(1);
    pod_has(2, GRADE_C, 30, 30, 30);
    pod_has(3, GRADE_C, 30, 30, 30);
}
END_TEST

START_TEST(a_label_that_lingers_is_no_label_of_a_requesting_pod)
{
    c.node_shared = true;
    c.requests_all_labelled = false;
    card_of_80();
    lingers(1, 40);
    requests_of(2, 1000000);
    work_out(USAGE_BY_REQUEST, DEVICE_W202);
    pod_has_nothing(1);
    pod_has(2, GRADE_C, 40, 40, 40);
}
END_TEST

START_TEST(a_layers_pod_that_has_ended_holds_nothing_and_its_memory_counts)
{
    reads_total(80);
    vec_push(&r.layer, (struct pod_value){1, 0, 20 * unit, false, true});
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_UNATTRIBUTED, 20, 20, 20);
    bucket_has(CLAIM_IDLE, 60, 60, 60);
    ck_assert_int_eq(out.sharing, SHARING_LAYER);
}
END_TEST

/* ---- labels that flicker ---- */

static void flickers(uint32_t pod, uint64_t used)
{
    reads_used(used);
    card_of_80();
    r.flickers = true;
    r.flickering_pod = pod;
}

START_TEST(a_pod_whose_label_flickers_holds_its_card_when_it_requests_one)
{
    flickers(2, 18);
    requests_of(1, 1000000);
    requests_of(2, 1000000);
    work_out(USAGE_HELD, 0);
    pod_has(2, GRADE_B, 18, 18, 18);
    bucket_has(CLAIM_RESERVED, 1, 0, 0);
    bucket_has(CLAIM_IDLE, 61, 61, 0);
    ck_assert_int_eq(out.sharing, SHARING_EXCLUSIVE);
}
END_TEST

START_TEST(a_pod_whose_label_flickers_may_have_left_when_it_requests_nothing)
{
    flickers(2, 18);
    requests_of(1, 1000000);
    work_out(USAGE_NOBODY, 0);
    pod_has_nothing(2);
    bucket_has(CLAIM_UNATTRIBUTED, 18, 18, 18);
}
END_TEST

START_TEST(on_a_shared_node_requests_tell_who_is_on_an_unlabelled_card)
{
    c.node_shared = true;
    c.requests_all_labelled = false;
    flickers(2, 18);
    requests_of(2, 1000000);
    work_out(USAGE_BY_REQUEST, DEVICE_W202);
    pod_has(2, GRADE_C, 18, 18, 18);
}
END_TEST

START_TEST(an_unlabelled_instance_is_not_divided_by_request)
{
    c.node_shared = true;
    c.instance = true;
    c.requests_all_labelled = false;
    reads_used(18);
    reads_total(40);
    requests_of(2, 1000000);
    work_out(USAGE_NOBODY, 0);
    pod_has_nothing(2);
}
END_TEST

START_TEST(an_instance_keeps_its_pod_whatever_the_node_is)
{
    c.node_shared = true;
    c.instance = true;
    flickers(2, 18);
    requests_of(2, 1000000);
    work_out(USAGE_HELD, 0);
    pod_has(2, GRADE_B, 18, 18, 18);
    ck_assert_int_eq(out.sharing, SHARING_MIG);
}
END_TEST

/* An instance of which no memory is known: its profile's 10 GiB stand for it. */
static void unmeasured(uint64_t promised)
{
    r.unmeasured = true;
    c.instance = true;
    c.model_total = promised;
}

START_TEST(an_instance_without_memory_is_held_whole_by_its_pod)
{
    unmeasured(10 * GIB);
    labelled(1, 1, 0);
    work_out(USAGE_HELD, DEVICE_W207);
    ck_assert_uint_eq(out.claims.n, 1);
    pod_has(1, GRADE_A, 10, 10, 10);
}
END_TEST

START_TEST(several_pods_on_an_instance_without_memory_have_equal_parts)
{
    unmeasured(10 * GIB);
    labelled(1, 1, 0);
    labelled(2, 1, 0);
    work_out(USAGE_EVEN, DEVICE_W201 | DEVICE_W207);
    pod_has(1, GRADE_C, 5, 5, 5);
    pod_has(2, GRADE_C, 5, 5, 5);
    ck_assert_uint_eq(out.claims.n, 2);
}
END_TEST

START_TEST(an_instance_without_memory_and_without_pods_is_free)
{
    unmeasured(10 * GIB);
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_IDLE, 10, 10, 10);
    idle_because(REASON_FREE_MIG);
}
END_TEST

START_TEST(an_instance_without_memory_is_free_when_its_only_label_lingers)
{
    unmeasured(10 * GIB);
    lingers(1, 0);
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_UNATTRIBUTED, 0, 0, 0);
    bucket_has(CLAIM_IDLE, 10, 10, 10);
}
END_TEST

START_TEST(an_instance_of_which_nothing_is_known_is_held_all_the_same)
{
    unmeasured(0);
    unit = 1;                                          /* one byte stands for all of it */
    labelled(1, 1, 0);
    work_out(USAGE_HELD, DEVICE_W207);
    pod_has(1, GRADE_A, 1, 1, 1);
}
END_TEST

/* ---- the device's memory ---- */

START_TEST(the_total_is_used_free_and_reserved_where_no_total_is_shown)
{
    reads_used(10);
    reads_free(67);
    reads_reserved(3);
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_UNATTRIBUTED, 10, 10, 10);
    bucket_has(CLAIM_IDLE, 70, 70, 70);                /* of 80 */
}
END_TEST

START_TEST(without_a_reserve_the_total_is_used_and_free)
{
    reads_used(10);
    reads_free(68);
    c.model_total = 80 * GIB;                          /* what is measured goes before the catalogue */
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_IDLE, 68, 68, 68);
}
END_TEST

START_TEST(the_catalogue_knows_the_total_when_the_metrics_do_not)
{
    reads_used(10);
    c.model_total = 80 * GIB;
    c.largest_used = 30 * GIB;
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_IDLE, 70, 70, 70);
}
END_TEST

START_TEST(else_the_largest_use_seen_stands_for_the_total)
{
    reads_used(10);
    c.largest_used = 30 * GIB;
    work_out(USAGE_NOBODY, DEVICE_W204);
    bucket_has(CLAIM_IDLE, 20, 20, 20);
}
END_TEST

START_TEST(a_card_of_unknown_size_that_never_held_anything_is_idle)
{
    reads_used(0);
    device_claims(&r, &c, &out);
    ck_assert_uint_eq(out.warnings, DEVICE_W204);
    ck_assert_uint_eq(out.claims.n, 1);
    ck_assert_int_eq(out.claims.v[0].claimant, CLAIM_IDLE);
    for (int k = 0; k < RULE_DENOMINATORS; k++)
        ck_assert_uint_gt(weight_by(&out.claims.v[0], k), 0);
}
END_TEST

START_TEST(more_used_than_there_is_makes_the_total_what_is_used)
{
    c.node_shared = true;
    reads_used(90);
    card_of_80();
    labelled(1, 0, 90);
    work_out(USAGE_SHARED, DEVICE_W206);
    pod_has(1, GRADE_A, 90, 90, 90);
    bucket_has(CLAIM_RESERVED, 0, 0, 0);
    bucket_has(CLAIM_IDLE, 0, 0, 0);
}
END_TEST

START_TEST(the_reserve_is_what_used_and_free_leave_of_the_total)
{
    c.node_shared = true;
    reads_used(30);
    reads_free(48);
    reads_total(80);
    labelled(1, 0, 30);
    work_out(USAGE_SHARED, 0);
    bucket_has(CLAIM_RESERVED, 2, 0, 0);
    bucket_has(CLAIM_IDLE, 48, 48, 0);
}
END_TEST

START_TEST(the_reserve_is_nothing_when_free_memory_is_unknown)
{
    c.node_shared = true;
    reads_used(30);
    reads_total(80);
    labelled(1, 0, 30);
    work_out(USAGE_SHARED, 0);
    bucket_has(CLAIM_RESERVED, 0, 0, 0);
    bucket_has(CLAIM_IDLE, 50, 50, 0);
}
END_TEST

START_TEST(the_reserve_is_at_most_what_is_not_used)
{
    c.node_shared = true;
    reads_used(78);
    reads_total(80);
    reads_reserved(5);                                 /* the driver counts part of it as used */
    labelled(1, 0, 78);
    work_out(USAGE_SHARED, 0);
    pod_has(1, GRADE_A, 78, 78, 78);
    bucket_has(CLAIM_RESERVED, 2, 0, 0);
    bucket_has(CLAIM_IDLE, 0, 0, 0);
}
END_TEST

START_TEST(free_memory_beyond_the_total_makes_no_negative_reserve)
{
    c.node_shared = true;
    reads_used(30);
    reads_free(60);
    reads_total(80);
    labelled(1, 0, 30);
    work_out(USAGE_SHARED, 0);
    bucket_has(CLAIM_RESERVED, 0, 0, 0);
    bucket_has(CLAIM_IDLE, 50, 50, 0);
}
END_TEST

START_TEST(a_card_that_is_all_reserve_is_the_reserves)
{
    c.node_shared = true;
    reads_used(0);
    reads_total(80);
    reads_reserved(80);
    labelled(1, 0, 0);
    work_out(USAGE_SHARED, 0);
    bucket_has(CLAIM_RESERVED, 80, 80, 80);
    ck_assert_uint_eq(out.claims.n, 1);
}
END_TEST

static void work_out_blank(void)
{
    device_claims(&r, &c, &out);
    ck_assert_uint_eq(out.claims.n, 0);
    ck_assert_uint_eq(out.warnings, DEVICE_W110);
}

START_TEST(a_card_without_any_memory_says_nothing)
{
    reads_used(0);
    reads_free(0);
    c.model_total = 80 * GIB;
    work_out_blank();
    reads_total(80);
    work_out_blank();
    c.node_shared = true;
    labelled(1, 0, 0);
    labelled(2, 0, 0);
    work_out_blank();
}
END_TEST

START_TEST(the_holder_of_a_card_without_any_memory_is_known_all_the_same)
{
    reads_used(0);
    reads_free(0);
    c.model_total = 80 * GIB;
    labelled(1, 0, 0);
    work_out(USAGE_HELD, 0);
    pod_has(1, GRADE_A, 0, 0, 0);
}
END_TEST

START_TEST(a_full_card_has_no_free_memory_and_a_reserve_is_some)
{
    reads_used(80);
    reads_free(0);
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_UNATTRIBUTED, 80, 80, 80);
    reads_used(0);
    reads_reserved(80);
    work_out(USAGE_NOBODY, 0);
    bucket_has(CLAIM_IDLE, 80, 80, 80);
}
END_TEST

/* ---- how it is shared ---- */

START_TEST(the_nodes_labels_name_the_way_of_sharing)
{
    static const struct { unsigned labels; enum sharing sharing; } cases[] = {
        {SHARING_LABELS_KNOWN, SHARING_UNKNOWN}, {SHARING_LABELS_KNOWN | SHARING_REPLICAS, SHARING_KEY_TIME_SLICING},
        {SHARING_TIME_SLICING, SHARING_KEY_TIME_SLICING}, {SHARING_REPLICAS | SHARING_MPS, SHARING_KEY_MPS},
    };

    c.node_shared = true;
    reads_used(60);
    card_of_80();
    labelled(1, 0, 30);
    labelled(2, 0, 20);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        c.node_labels = cases[i].labels;
        device_claims(&r, &c, &out);
        ck_assert_int_eq(out.sharing, cases[i].sharing);
    }
}
END_TEST

START_TEST(a_cleared_reading_says_nothing)
{
    reads_used(60);
    card_of_80();
    labelled(1, 0, 30);
    layer(1, 5);
    device_reading_clear(&r);
    ck_assert_uint_eq(r.known, 0);
    ck_assert(!r.total_beside);
    ck_assert_uint_eq(device_labelled(&r), 0);
    ck_assert_uint_eq(device_used(&r), 0);
}
END_TEST

#define ADD(name) tcase_add_test(t, name)

static TCase *states(void)
{
    TCase *t = tcase_create("states");

    tcase_add_checked_fixture(t, setup, teardown);
    ADD(the_one_pod_of_an_exclusive_device_holds_it);
    ADD(a_holder_without_a_value_of_its_own_has_the_devices_memory);
    ADD(a_holder_is_of_grade_b_when_sharing_could_not_be_seen);
    ADD(a_holder_with_copies_in_two_containers_has_the_device_once);
    ADD(a_holder_may_hold_nothing_in_memory);
    ADD(three_residents_of_80_gib_pay_for_30_20_and_10);
    ADD(memory_beyond_the_pods_values_is_unattributed);
    ADD(two_slots_of_one_pod_count_once_with_the_largest_value);
    ADD(containers_of_a_pod_add_up_and_so_do_processes_of_a_container);
    ADD(unequal_values_without_a_total_are_the_pods_own);
    ADD(equal_values_with_a_total_beside_them_are_the_pods_own);
    ADD(a_pod_at_zero_is_no_resident);
    ADD(with_all_pods_at_zero_residents_follows_the_capacity_column);
    ADD(values_beyond_the_devices_memory_are_scaled_down_to_it);
    ADD(scaling_down_loses_no_part_of_a_byte);
    ADD(a_sharing_layers_values_are_of_grade_b);
    ADD(a_sharing_layer_goes_before_copies);
    ADD(copies_are_divided_evenly_and_never_added_up);
    ADD(a_pod_with_two_copies_counts_once);
    ADD(an_even_division_leaves_no_part_of_a_byte);
    ADD(copies_of_zero_leave_the_card_to_the_buckets);
    ADD(with_every_requesting_pod_labelled_the_one_on_a_device_is_its_only_resident);
    ADD(an_only_resident_is_of_grade_c_when_nothing_is_known_of_requests);
    ADD(with_a_requesting_pod_unlabelled_used_memory_is_divided_by_request);
    ADD(with_no_label_on_the_node_every_device_is_divided_by_request);
    ADD(an_unlabelled_device_beside_labelled_ones_is_nobodys);
    ADD(dividing_by_request_loses_no_part_of_a_byte);
    ADD(requests_beyond_64_bits_still_divide);
    ADD(nobodys_memory_is_unattributed_and_the_rest_with_the_reserve_idle);
    ADD(an_instance_with_one_pod_is_held_whatever_the_node_is);
    ADD(an_instance_with_several_pods_is_a_shared_device_of_its_size);
    ADD(copies_on_an_instance_are_divided_evenly);
    ADD(an_instance_without_pods_is_a_free_one);
    ADD(an_instance_without_memory_is_held_whole_by_its_pod);
    ADD(several_pods_on_an_instance_without_memory_have_equal_parts);
    ADD(an_instance_without_memory_and_without_pods_is_free);
    ADD(an_instance_without_memory_is_free_when_its_only_label_lingers);
    ADD(an_instance_of_which_nothing_is_known_is_held_all_the_same);
    ADD(the_nodes_labels_name_the_way_of_sharing);
    return t;
}

static TCase *memory(void)
{
    TCase *t = tcase_create("memory");

    tcase_add_checked_fixture(t, setup, teardown);
    ADD(what_a_pod_that_has_ended_leaves_on_its_card_is_nobodys);
    ADD(a_pod_beside_one_that_has_ended_is_alone);
    ADD(memory_of_a_pod_that_has_ended_is_unattributed);
    ADD(copies_are_divided_among_those_that_have_not_ended);
    ADD(a_label_that_lingers_is_no_label_of_a_requesting_pod);
    ADD(a_layers_pod_that_has_ended_holds_nothing_and_its_memory_counts);
    ADD(a_pod_whose_label_flickers_holds_its_card_when_it_requests_one);
    ADD(a_pod_whose_label_flickers_may_have_left_when_it_requests_nothing);
    ADD(on_a_shared_node_requests_tell_who_is_on_an_unlabelled_card);
    ADD(an_unlabelled_instance_is_not_divided_by_request);
    ADD(an_instance_keeps_its_pod_whatever_the_node_is);
    ADD(the_total_is_used_free_and_reserved_where_no_total_is_shown);
    ADD(without_a_reserve_the_total_is_used_and_free);
    ADD(the_catalogue_knows_the_total_when_the_metrics_do_not);
    ADD(else_the_largest_use_seen_stands_for_the_total);
    ADD(a_card_of_unknown_size_that_never_held_anything_is_idle);
    ADD(more_used_than_there_is_makes_the_total_what_is_used);
    ADD(the_reserve_is_what_used_and_free_leave_of_the_total);
    ADD(the_reserve_is_nothing_when_free_memory_is_unknown);
    ADD(the_reserve_is_at_most_what_is_not_used);
    ADD(free_memory_beyond_the_total_makes_no_negative_reserve);
    ADD(a_card_that_is_all_reserve_is_the_reserves);
    ADD(a_card_without_any_memory_says_nothing);
    ADD(the_holder_of_a_card_without_any_memory_is_known_all_the_same);
    ADD(a_full_card_has_no_free_memory_and_a_reserve_is_some);
    ADD(a_cleared_reading_says_nothing);
    return t;
}

int main(void)
{
    Suite *s = suite_create("device");

    suite_add_tcase(s, states());
    suite_add_tcase(s, memory());
    return unit_run(s);
}
