/* scale_set: charges that name a scale set, run through residency and allocate. A charge of 8 USD on type "one" is 1 CPU, 1 memory and
 * 6 GPU; CPU and memory follow the GPU piece. Samples lie a minute apart, so that a card is observed from its first minute to its last. */
#include "core_fixture.h"

#define SET "/subscriptions/s/virtualmachinescalesets/gpu"
#define MACHINE(n) SET "/virtualmachines/" n

static struct world w;
static uint32_t exporter;

static void setup(void)
{
    world_init(&w);
    exporter = world_target(&w, "a");
}

static void teardown(void)
{
    world_free(&w);
}

/* A machine with one card, and a pod that holds it from..to: the pod. */
static uint32_t machine(const char *name, const char *resource, const char *uuid, int from, int to)
{
    uint32_t node = world_node(&w, name, resource, "one"), gpu = world_gpu(&w, uuid, "H100", node), pod = world_pod(&w, "nlp", name, "");

    world_uses(&w, exporter, gpu, pod, from, to, 20);
    return pod;
}

static struct charge_kept *set_charge(int from, int to, const char *cost, int hours)
{
    struct charge_kept *c = world_charge(&w, SET, from, to, cost);

    c->billed_ns = (int64_t)hours * TIME_HOUR * TIME_NS_PER_MS;
    WORLD_CHARGE(&w, instance_type, world_text(&w, "one"));
    return c;
}

static void run(void)
{
    money sum = 0, billed = 0;

    ck_assert_msg(world_run(&w) == 0, "%s", w.err.text);
    for (size_t i = 0; i < w.entries.n; i++)
        sum += w.entries.v[i].cost;
    for (size_t i = 0; i < w.bill.charges.n; i++)
        billed += w.bill.charges.v[i].cost;
    ck_assert(sum == billed && w.sums.billed == billed);
}

static money hours_of(uint32_t pod, enum bucket bucket)
{
    money sum = 0;

    for (size_t i = 0; i < w.entries.n; i++) {
        const struct pod_version *v = world_version(&w, &w.entries.v[i]);

        if (pod == NONE ? !v && w.entries.v[i].bucket == bucket : v && world_is_pod(&w, v, pod))
            sum += w.entries.v[i].gpu_hours;
    }
    return sum;
}

/* 24 hours in all, 6 and 18 of them observed: a quarter and three. */
START_TEST(a_sets_charge_goes_to_its_machines_by_the_hours_they_were_observed)
{
    uint32_t a = machine("n0", MACHINE("0"), "GPU-0", 0, 6 * HOUR_S), b = machine("n1", MACHINE("1"), "GPU-1", 0, 18 * HOUR_S);

    set_charge(0, DAY_S, "32", 24);
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "8", 0);
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "6", 0);
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "24", 0);
    world_is(hours_of(a, BUCKET_NONE), "6", 0);
    world_is(hours_of(b, BUCKET_NONE), "18", 0);
    ck_assert(w.sums.observed == w.sums.hours);
}
END_TEST

/* 72 hours are billed and 48 observed: what a third machine without metrics cost is nobody's, 24 hours of it. */
START_TEST(hours_of_machines_without_metrics_stay_unobserved)
{
    uint32_t a = machine("n0", MACHINE("0"), "GPU-0", 0, DAY_S), b = machine("n1", MACHINE("1"), "GPU-1", 0, DAY_S);

    set_charge(0, DAY_S, "72", 72);
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "24", 0);
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "24", 0);
    world_is(world_cost(&w, PIECES, NONE, BUCKET_NO_METRICS), "24", 0);
    world_is(hours_of(NONE, BUCKET_NO_METRICS), "24", 0);
}
END_TEST

START_TEST(a_set_of_which_nothing_is_observed_keeps_its_charge)
{
    machine("n0", MACHINE("0"), "GPU-0", DAY_S + HOUR_S, DAY_S + 2 * HOUR_S);
    w.period.to = AT(2 * DAY_S);
    set_charge(0, DAY_S, "8", 24);
    run();
    world_is(world_cost(&w, PIECES, NONE, BUCKET_NO_METRICS), "8", 0);
    ck_assert_str_eq(intern_cstr(w.names, w.entries.v[0].node), SET);
    world_is(hours_of(NONE, BUCKET_NO_METRICS), "24", 0);
    world_is(hours_of(NONE, BUCKET_UNBILLED), "1", 0);
}
END_TEST

START_TEST(hours_that_the_bill_does_not_tell_are_those_observed)
{
    uint32_t a = machine("n0", MACHINE("0"), "GPU-0", 0, 6 * HOUR_S), b = machine("n1", MACHINE("1"), "GPU-1", 0, 2 * HOUR_S);

    set_charge(0, DAY_S, "8", 0);
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "6", 0);
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "2", 0);
    world_is(hours_of(a, BUCKET_NONE), "6", 0);
    world_is(hours_of(b, BUCKET_NONE), "2", 0);
}
END_TEST

/* Over two days 30 and 10 hours; the windows of both must have passed. */
START_TEST(a_charge_of_several_days_waits_for_all_of_them)
{
    uint32_t a = machine("n0", MACHINE("0"), "GPU-0", 0, 30 * HOUR_S), b = machine("n1", MACHINE("1"), "GPU-1", 30 * HOUR_S, 40 * HOUR_S);

    w.period.to = AT(2 * DAY_S);
    set_charge(0, 2 * DAY_S, "40", 40);
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "30", 0);
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "10", 0);
}
END_TEST

/* Days of their own: 12 hours of one machine, then an hour of the other. */
START_TEST(each_interval_is_divided_by_itself)
{
    uint32_t a = machine("n0", MACHINE("0"), "GPU-0", 0, 12 * HOUR_S), b = machine("n1", MACHINE("1"), "GPU-1", DAY_S, DAY_S + HOUR_S);

    w.period.to = AT(2 * DAY_S);
    set_charge(0, DAY_S, "5", 12);
    set_charge(DAY_S, 2 * DAY_S, "3", 1);
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "5", 0);
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "3", 0);
}
END_TEST

/* 10 comes before 2 by its text. */
START_TEST(what_cannot_be_divided_goes_to_the_first_machine_by_its_id)
{
    uint32_t a = machine("n0", MACHINE("2"), "GPU-0", 0, HOUR_S), b = machine("n1", MACHINE("10"), "GPU-1", 0, HOUR_S);

    set_charge(0, DAY_S, "0.000000000001", 2);
    run();
    ck_assert(world_cost(&w, PIECES, a, BUCKET_NONE) == 0 && world_cost(&w, PIECES, b, BUCKET_NONE) == 1);
}
END_TEST

START_TEST(a_machine_pays_its_own_charge_and_its_part_of_the_sets)
{
    uint32_t a = machine("n0", MACHINE("0"), "GPU-0", 0, 6 * HOUR_S), b = machine("n1", MACHINE("1"), "GPU-1", 0, 6 * HOUR_S);

    set_charge(0, DAY_S, "4", 6);
    world_charge(&w, MACHINE("0"), 0, DAY_S, "3")->billed_ns /= 4;
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "5", 0);
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "2", 0);
}
END_TEST

/* The part of the first set's machine stands between the charges of the sets: the second one's is still found. */
START_TEST(sets_behind_a_machine_that_is_billed_itself_go_to_their_machines)
{
    uint32_t a = machine("n0", MACHINE("0"), "GPU-0", 0, 6 * HOUR_S),
             b = machine("n1", SET "2/virtualmachines/0", "GPU-1", 0, 6 * HOUR_S);

    set_charge(0, DAY_S, "4", 6);
    world_charge(&w, MACHINE("0"), 0, DAY_S, "3")->billed_ns /= 4;
    world_charge(&w, SET "2", 0, DAY_S, "16")->billed_ns /= 4;
    WORLD_CHARGE(&w, instance_type, world_text(&w, "one"));
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "7", 0);
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "16", 0);
    world_is(hours_of(b, BUCKET_NONE), "6", 0);
}
END_TEST

START_TEST(a_machine_was_observed_as_long_as_its_longest_card)
{
    uint32_t two = world_node(&w, "n0", MACHINE("0"), "two"), first = world_gpu(&w, "GPU-0", "H100", two),
             second = world_gpu(&w, "GPU-1", "H100", two), a = world_pod(&w, "nlp", "n0", ""), b;

    world_uses(&w, exporter, first, a, 0, 2 * HOUR_S, 20);
    world_uses(&w, exporter, second, a, 0, 12 * HOUR_S, 20);
    b = machine("n1", MACHINE("1"), "GPU-2", 0, 12 * HOUR_S);
    set_charge(0, DAY_S, "16", 24);
    run();
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "8", 0);
}
END_TEST

START_TEST(a_correction_of_a_set_goes_to_its_machines_too)
{
    uint32_t a = machine("n0", MACHINE("0"), "GPU-0", 0, 6 * HOUR_S), b = machine("n1", MACHINE("1"), "GPU-1", 0, 2 * HOUR_S);

    world_correction(&w, SET, 0, DAY_S, "-0.8");
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "-0.6", 0);
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "-0.2", 0);
    ck_assert(hours_of(a, BUCKET_NONE) == 0);
}
END_TEST

START_TEST(machines_of_another_set_pay_nothing)
{
    uint32_t a = machine("n0", MACHINE("0"), "GPU-0", 0, 6 * HOUR_S),
             b = machine("n1", "/subscriptions/s/virtualmachinescalesets/gpu2/virtualmachines/0", "GPU-1", 0, 6 * HOUR_S);

    set_charge(0, DAY_S, "4", 6);
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "4", 0);
    ck_assert(world_cost(&w, PIECES, b, BUCKET_NONE) == 0);
    world_is(hours_of(NONE, BUCKET_UNBILLED), "6", 0);
}
END_TEST

START_TEST(machines_without_a_type_have_that_of_the_sets_row)
{
    world_node(&w, "n0", MACHINE("0"), NULL);
    world_node(&w, "n1", "i-1", NULL);
    set_charge(0, DAY_S, "4", 6);
    charge_book_add_types(&w.bill, &w.inv);
    ck_assert_str_eq(intern_cstr(w.names, steps_at(&w.inv.nodes.v[0].type, AT(0), 0)), "one");
    ck_assert_uint_eq(steps_at(&w.inv.nodes.v[1].type, AT(0), 0), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("scale_set");
    TCase *t = tcase_create("scale_set");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_sets_charge_goes_to_its_machines_by_the_hours_they_were_observed);
    tcase_add_test(t, hours_of_machines_without_metrics_stay_unobserved);
    tcase_add_test(t, a_set_of_which_nothing_is_observed_keeps_its_charge);
    tcase_add_test(t, hours_that_the_bill_does_not_tell_are_those_observed);
    tcase_add_test(t, a_charge_of_several_days_waits_for_all_of_them);
    tcase_add_test(t, each_interval_is_divided_by_itself);
    tcase_add_test(t, what_cannot_be_divided_goes_to_the_first_machine_by_its_id);
    tcase_add_test(t, a_machine_pays_its_own_charge_and_its_part_of_the_sets);
    tcase_add_test(t, sets_behind_a_machine_that_is_billed_itself_go_to_their_machines);
    tcase_add_test(t, a_machine_was_observed_as_long_as_its_longest_card);
    tcase_add_test(t, a_correction_of_a_set_goes_to_its_machines_too);
    tcase_add_test(t, machines_of_another_set_pay_nothing);
    tcase_add_test(t, machines_without_a_type_have_that_of_the_sets_row);
    suite_add_tcase(s, t);
    return unit_run(s);
}
