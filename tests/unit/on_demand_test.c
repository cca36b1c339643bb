/* on_demand, gpu_share: residual splits run through residency and allocate. vCPUs and GiB cost 1 USD an hour, type "one" has one of each: of
 * an on-demand price of 8 the GPU has 6/8. CPU and memory follow the GPU piece. */
#include "core_fixture.h"
#include "gputab/core/on_demand.h"

#define SET "/subscriptions/s/virtualmachinescalesets/gpu"
#define MACHINE(n) SET "/virtualmachines/" n

static struct world w;
static uint32_t exporter;

static void setup(void)
{
    world_init(&w);
    exporter = world_target(&w, "a");
    w.rule.split.method = RULE_SPLIT_RESIDUAL;
    w.bill.currency = world_text(&w, "USD");
}

static void teardown(void)
{
    world_free(&w);
}

static uint32_t machine(const char *name, const char *resource, const char *type, const char *uuid, int to)
{
    uint32_t node = world_node(&w, name, resource, type), pod = world_pod(&w, "nlp", name, "");

    world_uses(&w, exporter, world_gpu(&w, uuid, "H100", node), pod, 0, to, 20);
    return pod;
}

static void run(void)
{
    ck_assert_msg(world_run(&w) == 0, "%s", w.err.text);
}

/* ---- where the price is from ---- */

static void written(const char *type, const char *region, const char *price)
{
    vec_push(&w.rule.split.on_demand, (struct rule_on_demand){type, region, world_money(price), 7});
}

static struct charge charge(const char *type, const char *region, const char *cost)
{
    return (struct charge){.cost = world_money(cost), .billed_ns = (int64_t)TIME_HOUR * TIME_NS_PER_MS, .purchase = PURCHASE_ON_DEMAND,
                           .instance_type = world_text(&w, type), .region = world_text(&w, region)};
}

static void found(const struct charge *c, enum split_source from, const char *amount)
{
    struct allocate_config cfg = world_config(&w);
    struct split_rate r = on_demand_find(&cfg, c, NULL);

    ck_assert_int_eq(r.from, from);
    ck_assert(from == SPLIT_FROM_NOWHERE || r.amount == world_money(amount));
}

START_TEST(the_most_particular_source_wins)
{
    struct charge c = charge("one", "north", "4");

    found(&c, SPLIT_FROM_NOWHERE, "");
    w.catalogue.types.v[0].price_hour = world_money("9");
    w.catalogue.types.v[0].region = "north";
    found(&c, SPLIT_FROM_CATALOGUE, "9");
    c.list = world_money("10");
    found(&c, SPLIT_FROM_BILL, "10");
    written("ONE", NULL, "11");
    found(&c, SPLIT_FROM_RULE, "11");
    written("one", "North", "12");
    found(&c, SPLIT_FROM_RULE, "12");
    c.region = world_text(&w, "south");
    found(&c, SPLIT_FROM_RULE, "11");
}
END_TEST

START_TEST(a_price_of_another_region_or_currency_is_none)
{
    struct charge c = charge("one", "south", "4");

    w.catalogue.types.v[0].price_hour = world_money("9");
    w.catalogue.types.v[0].region = "north";
    written("one", "north", "11");
    found(&c, SPLIT_FROM_NOWHERE, "");
    c = charge("one", "", "4");
    found(&c, SPLIT_FROM_NOWHERE, "");
    c = charge("one", "north", "4");
    w.rule.split.on_demand.n = 0;
    w.bill.currency = world_text(&w, "EUR");
    found(&c, SPLIT_FROM_NOWHERE, "");
}
END_TEST

START_TEST(a_list_price_that_repeats_the_spot_price_is_none)
{
    struct charge c = charge("one", "south", "4");

    c.list = world_money("4");
    found(&c, SPLIT_FROM_BILL, "4");
    c.purchase = PURCHASE_SPOT;
    found(&c, SPLIT_FROM_NOWHERE, "");
    c.list = world_money("8");
    found(&c, SPLIT_FROM_BILL, "8");
    c.billed_ns = 0;
    found(&c, SPLIT_FROM_NOWHERE, "");
}
END_TEST

/* ---- what comes of it ---- */

/* The whole day is billed at half of a list cost of 8 an hour: 6/8 of 96. A correction of -8 goes into it: 6/8 of 88. */
START_TEST(corrections_are_a_part_of_what_was_billed)
{
    uint32_t pod = machine("n1", "i-1", "one", "GPU-1", DAY_S);

    world_charge(&w, "i-1", 0, DAY_S, "96");
    WORLD_CHARGE(&w, list, world_money("192"));
    world_correction(&w, "i-1", 0, DAY_S, "-8");
    run();
    world_is(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE), "66", 0);
    world_is(world_cost(&w, PIECES, pod, BUCKET_NONE), "88", 0);
}
END_TEST

/* 24 hours of a set, 6 and 18 of them observed, at half of a list cost of 8 an hour: 6/8 of 24 and of 72. */
START_TEST(a_sets_list_cost_goes_to_its_machines_with_its_cost)
{
    uint32_t a = machine("n0", MACHINE("0"), "one", "GPU-0", 6 * HOUR_S), b = machine("n1", MACHINE("1"), "one", "GPU-1", 18 * HOUR_S);

    world_charge(&w, SET, 0, DAY_S, "96");
    WORLD_CHARGE(&w, list, world_money("192"));
    WORLD_CHARGE(&w, instance_type, world_text(&w, "one"));
    run();
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "18", 0);
    world_is(world_cost(&w, PIECE_GPU, b, BUCKET_NONE), "54", 0);
}
END_TEST

/* kubecost#2069: a node's bytes were taken for GiB, and it cost 379,800,000 an hour. 83.5 GiB at 0.004 are 0.334, 12 vCPUs at 0.03 are 0.36. */
START_TEST(bytes_of_a_node_are_gib_of_its_price)
{
    machine("n1", "i-1", NULL, "GPU-1", HOUR_S);
    w.inv.nodes.v[0].capacity_cpu_nano = 12000000000;
    w.inv.nodes.v[0].capacity_memory_bytes = 89657442304;              /* 83.5 x 2^30 */
    w.rule.split.vcpu_hour = world_money("0.03");
    w.rule.split.gib_hour = world_money("0.004");
    world_charge(&w, "i-1", 0, HOUR_S, "3.673");
    run();
    world_is(world_cost(&w, PIECE_CPU, 0, BUCKET_NONE), "0.36", 0);
    world_is(world_cost(&w, PIECE_MEMORY, 0, BUCKET_NONE), "0.334", 0);
    world_is(world_cost(&w, PIECE_GPU, 0, BUCKET_NONE), "2.979", 0);
}
END_TEST

START_TEST(a_rest_of_nothing_names_the_node)
{
    machine("n1", "i-1", "one", "GPU-1", HOUR_S);
    world_charge(&w, "i-1", 0, HOUR_S, "2");
    ck_assert_int_eq(world_run(&w), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(w.err.text, "node n1: split method residual leaves nothing for the GPUs: one costs 2.000000 an hour"));
}
END_TEST

/* ---- less than half ---- */

/* Two hours, one of them with 40 % and one with 50 %: 45 % of all, said once. Of another node exactly half, of which nothing is said. */
START_TEST(a_node_whose_gpus_get_less_than_half_is_named_once)
{
    const struct diag_item *item;

    machine("n1", "i-1", "one", "GPU-1", 2 * HOUR_S);
    machine("n2", "i-2", "one", "GPU-2", HOUR_S);
    world_charge(&w, "i-1", 0, HOUR_S, "10");
    WORLD_CHARGE(&w, list, world_money("3.333333333333"));    /* 2 of it: CPU and memory */
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "10");
    WORLD_CHARGE(&w, list, world_money("4"));
    world_charge(&w, "i-2", 0, HOUR_S, "10");
    WORLD_CHARGE(&w, list, world_money("4"));
    run();
    item = diag_find(&w.diag, "W223");
    ck_assert_ptr_nonnull(item);
    ck_assert_int_eq(item->count, 1);
    ck_assert_str_eq(item->texts[0], "n1: split residual gives its GPUs 45.00 % of its cost");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("on_demand");
    TCase *c = tcase_create("on_demand");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, the_most_particular_source_wins);
    tcase_add_test(c, a_price_of_another_region_or_currency_is_none);
    tcase_add_test(c, a_list_price_that_repeats_the_spot_price_is_none);
    tcase_add_test(c, corrections_are_a_part_of_what_was_billed);
    tcase_add_test(c, a_sets_list_cost_goes_to_its_machines_with_its_cost);
    tcase_add_test(c, bytes_of_a_node_are_gib_of_its_price);
    tcase_add_test(c, a_rest_of_nothing_names_the_node);
    tcase_add_test(c, a_node_whose_gpus_get_less_than_half_is_named_once);
    suite_add_tcase(s, c);
    return unit_run(s);
}
