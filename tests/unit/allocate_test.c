/* allocate: samples and charges of small worlds, run through residency and allocate. A charge of 8 USD on type "one" is 1 CPU, 1 memory
 * and 6 GPU; CPU and memory follow the GPU piece here. Rounding of shares may move a few units of 10^-12. */
#include "core_fixture.h"

static struct world w;
static uint32_t exporter, node;

static const money bit = 100;                          /* 10^-12 units that rounded shares may move */

static void setup(void)
{
    world_init(&w);
    exporter = world_target(&w, "a");
    node = world_node(&w, "n1", "i-1", "one");
}

static void teardown(void)
{
    world_free(&w);
}

static void run(void)
{
    money sum = 0;

    ck_assert_msg(world_run(&w) == 0, "%s", w.err.text);
    for (size_t i = 0; i < w.entries.n; i++)
        sum += w.entries.v[i].cost;
    ck_assert(sum == w.sums.billed);
}

/* One card with a total and the driver's part known, and one pod on it from..to. */
static uint32_t card(int from, int to)
{
    uint32_t gpu = world_gpu(&w, "GPU-1", "H100", node);

    world_samples(&w, world_device_series(&w, SAMPLE_TOTAL, exporter, gpu, NONE), from, to, 80 * GIB);
    world_samples(&w, world_device_series(&w, SAMPLE_RESERVED, exporter, gpu, NONE), from, to, GIB);
    return gpu;
}

START_TEST(a_holder_pays_for_the_whole_card)
{
    uint32_t pod = world_pod(&w, "nlp", "train", ""), gpu = card(0, HOUR_S);

    world_uses(&w, exporter, gpu, pod, 0, HOUR_S, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    ck_assert(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE) == world_money("6"));
    ck_assert(world_cost(&w, PIECE_CPU, pod, BUCKET_NONE) == world_money("1"));
    ck_assert(world_cost(&w, PIECES, pod, BUCKET_NONE) == world_money("8"));
    ck_assert_uint_eq(w.days, 1);
}
END_TEST

/* V13, opencost#3900: a card of 2.50 an hour of which 11 % is used costs its holder 2.50, and 0.275 where a card is paid for by use. */
START_TEST(a_card_by_allocation_is_not_a_card_by_use)
{
    uint32_t pod, gpu;

    for (int by_use = 0; by_use < 2; by_use++) {
        if (by_use) {
            teardown();
            setup();
        }
        pod = world_pod(&w, "nlp", "train", "");
        gpu = world_gpu(&w, "GPU-1", "H100", node);
        w.rule.split.vcpu_hour = w.rule.split.gib_hour = 0;
        w.rule.gpu.exclusive = by_use ? RULE_RESIDENT : RULE_HELD;
        world_samples(&w, world_device_series(&w, SAMPLE_TOTAL, exporter, gpu, NONE), 0, HOUR_S, 100 * GIB);
        world_uses(&w, exporter, gpu, pod, 0, HOUR_S, 11);
        world_charge(&w, "i-1", 0, HOUR_S, "2.50");
        run();
        world_is(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE), by_use ? "0.275" : "2.5", bit);
        world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_IDLE), by_use ? "2.225" : "0", bit);
    }
}
END_TEST

START_TEST(what_the_holder_did_not_hold_in_memory_is_known)
{
    uint32_t pod = world_pod(&w, "nlp", "train", ""), gpu = card(0, HOUR_S);

    world_uses(&w, exporter, gpu, pod, 0, HOUR_S, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(w.entries.v[0].used_cost, "1.518987341772", bit);         /* 6 x 20 / 79 */
    ck_assert(w.entries.v[0].gpu_hours == MONEY_ONE);
}
END_TEST

static void three_residents(enum rule_denominator denominator)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), c = world_pod(&w, "c", "c", ""), gpu = card(0, HOUR_S);

    w.rule.gpu.denominator = denominator;
    world_uses(&w, exporter, gpu, NONE, 0, HOUR_S, 60);
    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 30);
    world_uses(&w, exporter, gpu, b, 0, HOUR_S, 20);
    world_uses(&w, exporter, gpu, c, 0, HOUR_S, 10);
    world_charge(&w, "i-1", 0, HOUR_S, "9.173333333333");              /* 6.88 for the GPU */
    run();
}

START_TEST(the_worked_example_by_capacity)
{
    three_residents(RULE_CAPACITY);
    world_is(world_cost(&w, PIECE_GPU, 0, BUCKET_NONE), "2.58", bit);
    world_is(world_cost(&w, PIECE_GPU, 1, BUCKET_NONE), "1.72", bit);
    world_is(world_cost(&w, PIECE_GPU, 2, BUCKET_NONE), "0.86", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_RESERVED), "0.086", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_IDLE), "1.634", bit);
}
END_TEST

START_TEST(the_worked_example_by_usable_memory)
{
    three_residents(RULE_USABLE);
    world_is(world_cost(&w, PIECE_GPU, 0, BUCKET_NONE), "2.612658227848", bit);        /* 6.88 x 30 / 79 */
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_RESERVED), "0", 0);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_IDLE), "1.654683544304", bit);     /* x 19 / 79 */
}
END_TEST

START_TEST(the_worked_example_by_residents)
{
    three_residents(RULE_RESIDENTS);
    world_is(world_cost(&w, PIECE_GPU, 0, BUCKET_NONE), "3.44", bit);
    world_is(world_cost(&w, PIECE_GPU, 1, BUCKET_NONE), "2.293333333333", bit);
    world_is(world_cost(&w, PIECE_GPU, 2, BUCKET_NONE), "1.146666666667", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_IDLE), "0", 0);
}
END_TEST

START_TEST(a_pod_that_goes_holds_nothing_from_the_next_instant_on)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), gpu = card(0, HOUR_S);

    world_uses(&w, exporter, gpu, a, 0, 1200, 20);
    world_uses(&w, exporter, gpu, b, 1800, HOUR_S, 20);                /* nobody for ten minutes */
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "2", bit);
    world_is(world_cost(&w, PIECE_GPU, b, BUCKET_NONE), "3", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_IDLE), "1", bit);
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_EMPTY_CARD), "1", bit);
}
END_TEST

START_TEST(presence_is_the_time_with_memory)
{
    uint32_t a = world_pod(&w, "a", "a", ""), gpu = card(0, HOUR_S);

    world_uses(&w, exporter, gpu, a, 600, 1200, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    ck_assert_uint_eq(w.presence.n, 1);
    ck_assert_int_eq(w.presence.v[0].span.from, AT(600));
    ck_assert_int_eq(w.presence.v[0].span.to, AT(1200));
}
END_TEST

static void hand_fact(struct usage *u, uint32_t id, uint32_t version)
{
    vec_push(&u->gpu, (struct gpu_fact){.node = node, .span = {AT(0), AT(HOUR_S)}, .state = USAGE_HELD, .pod_version = version,
                                        .claimant = version == NONE ? CLAIM_IDLE : CLAIM_POD, .id = id,
                                        .held = version == NONE ? 0 : (weight)TIME_HOUR << (USAGE_SHARE_BITS - 1)});
}

/* Facts 5, 3 and 2 of a node and an hour; of the second, which is nobody's, there is none. */
START_TEST(presences_go_with_their_facts_however_they_are_listed)
{
    static const struct presence listed[] = {{5, {AT(600), AT(900)}}, {2, {AT(60), AT(120)}}, {5, {AT(0), AT(300)}}};
    uint32_t pods[] = {world_pod(&w, "a", "a", ""), world_pod(&w, "b", "b", "")};
    struct allocate_config cfg = world_config(&w);
    struct usage u = {0};
    struct allocate *a;

    card(0, HOUR_S);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    hand_fact(&u, 5, owners_version(&w.owners, pods[0], AT(0)));
    hand_fact(&u, 3, NONE);
    hand_fact(&u, 2, owners_version(&w.owners, pods[1], AT(0)));
    for (size_t i = 0; i < 3; i++)
        vec_push(&u.presence, listed[i]);
    a = allocate_new(&cfg);
    allocate_add(a, &u);
    ck_assert_uint_eq(w.presence.n, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert(world_is_pod(&w, world_version(&w, &w.presence.v[i].entry), pods[i / 2]));
    ck_assert_int_eq(w.presence.v[0].span.from, AT(0));
    ck_assert_int_eq(w.presence.v[1].span.from, AT(600));
    ck_assert_int_eq(w.presence.v[2].span.to, AT(120));
    allocate_free(a);
    usage_free(&u);
}
END_TEST

/* ---- MIG ---- */

static void two_instances(enum rule_mig_weight by)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), gpu = world_gpu(&w, "GPU-1", "H100", node);
    uint32_t three = world_instance(&w, 0, "1", "3g.40gb"), one = world_instance(&w, 0, "7", "1g.10gb");

    w.rule.gpu.mig_weight = by;
    world_uses(&w, exporter, gpu, NONE, 0, HOUR_S, 70);                /* the parent is ignored */
    world_uses(&w, exporter, three, a, 0, HOUR_S, 5);
    world_uses(&w, exporter, one, b, 0, 1800, 5);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
}

START_TEST(instances_pay_for_their_memory_slices)
{
    two_instances(RULE_MIG_MEMORY);
    world_is(world_cost(&w, PIECE_GPU, 0, BUCKET_NONE), "3", bit);     /* 4 of 8 */
    world_is(world_cost(&w, PIECE_GPU, 1, BUCKET_NONE), "0.375", bit); /* 1 of 8, half an hour */
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_FREE_MIG), "2.625", bit);
}
END_TEST

START_TEST(instances_pay_for_their_compute_slices)
{
    two_instances(RULE_MIG_COMPUTE);
    world_is(world_cost(&w, PIECE_GPU, 0, BUCKET_NONE), "2.571428571429", bit);        /* 6 x 3 / 7 */
    world_is(world_cost(&w, PIECE_GPU, 1, BUCKET_NONE), "0.428571428571", bit);
}
END_TEST

/* ---- coverage ---- */

START_TEST(at_exactly_min_coverage_the_observed_shares_stand_for_the_whole)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), gpu = card(0, 3420);   /* 57 of 60 minutes: 95 % */

    world_uses(&w, exporter, gpu, pod, 0, 3420, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    ck_assert(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE) == world_money("6"));
}
END_TEST

START_TEST(below_min_coverage_the_rest_is_without_metrics)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), gpu = card(0, 3360);   /* 56 minutes */

    world_uses(&w, exporter, gpu, pod, 0, 3360, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE), "5.6", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_NO_METRICS), "0.4", bit);
    ck_assert(w.sums.observed * 60 == w.sums.hours * 56);
}
END_TEST

START_TEST(unobserved_time_after_the_last_sample_is_stopping_up_to_startup)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), gpu = card(-HOUR_S, 1800);

    world_uses(&w, exporter, gpu, pod, -HOUR_S, 1800, 20);
    w.period.from = AT(-HOUR_S);
    world_charge(&w, "i-1", -HOUR_S, 0, "8");
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_STARTING), "0", 0);
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_STOPPING), "1", bit);             /* 10 of 30 minutes */
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_GAP), "2", bit);
}
END_TEST

START_TEST(unobserved_time_before_the_first_sample_is_starting_up_to_startup)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), gpu = card(900, 2 * HOUR_S);

    world_uses(&w, exporter, gpu, pod, 900, 2 * HOUR_S, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "8");
    run();
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_STARTING), "1", bit);
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_GAP), "0.5", bit);
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_STOPPING), "0", 0);
}
END_TEST

START_TEST(a_hole_in_between_is_a_gap)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), gpu = world_gpu(&w, "GPU-1", "H100", node), used;

    used = world_device_series(&w, SAMPLE_USED, exporter, gpu, pod);
    world_samples(&w, used, 0, 3 * HOUR_S / 2, 20 * GIB);
    world_samples(&w, used, 3 * HOUR_S, 4 * HOUR_S, 20 * GIB);
    for (int h = 0; h < 4; h++)
        world_charge(&w, "i-1", h * HOUR_S, (h + 1) * HOUR_S, "8");
    run();
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_GAP), "9", bit);  /* half of the second hour, all of the third */
    world_is(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE), "15", bit);
}
END_TEST

START_TEST(a_node_that_no_metrics_mention_is_kept_as_never_seen)
{
    world_charge(&w, "i-9", 0, HOUR_S, "8");
    WORLD_CHARGE(&w, instance_type, world_text(&w, "one"));
    run();
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_NEVER_SEEN), "6", 0);
    world_is(world_cost(&w, PIECES, NONE, BUCKET_NO_METRICS), "8", 0);
    ck_assert(w.entries.v[0].gpu_hours == MONEY_ONE);
    ck_assert_str_eq(intern_cstr(w.names, w.entries.v[0].gpu_model), "H100");
}
END_TEST

START_TEST(a_node_of_unknown_hardware_goes_to_no_metrics_whole_and_is_named)
{
    world_charge(&w, "i-9", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_NO_METRICS), "8", 0);
    ck_assert_ptr_nonnull(diag_find(&w.diag, "W221"));
    ck_assert_ptr_nonnull(strstr(diag_find(&w.diag, "W221")->texts[0], "i-9"));
}
END_TEST

START_TEST(a_gpu_that_the_catalogue_promises_and_no_metric_shows_has_its_part)
{
    uint32_t two = world_node(&w, "n2", "i-2", "two"), pod = world_pod(&w, "a", "a", ""), gpu = world_gpu(&w, "GPU-2", "H100", two);

    world_uses(&w, exporter, gpu, pod, 0, HOUR_S, 20);
    world_charge(&w, "i-2", 0, HOUR_S, "14");                          /* 1 + 1 + 2 x 6 */
    run();
    world_is(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE), "6", 0);
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_NEVER_SEEN), "6", 0);
}
END_TEST

/* 1 of the CPU, 1 of memory, 2 of two T4 and 6 of an H100 that stands between them. */
START_TEST(cards_of_two_models_have_their_own_prices)
{
    const char *const models[] = {"T4", "H100", "T4"}, *const names[] = {"a", "b", "c"}, *const cards[] = {"GPU-1", "GPU-2", "GPU-3"},
               *const costs[] = {"1", "6", "1"};
    uint32_t pods[3];

    for (int i = 0; i < 3; i++) {
        pods[i] = world_pod(&w, names[i], names[i], "");
        world_uses(&w, exporter, world_gpu(&w, cards[i], models[i], node), pods[i], 0, HOUR_S, 10);
    }
    world_charge(&w, "i-1", 0, HOUR_S, "10");
    run();
    for (int i = 0; i < 3; i++) {
        world_is(world_cost(&w, PIECE_GPU, pods[i], BUCKET_NONE), costs[i], bit);
        for (size_t k = 0; k < w.entries.n; k++)
            if (w.entries.v[k].piece == PIECE_GPU && world_is_pod(&w, world_version(&w, &w.entries.v[k]), pods[i]))
                ck_assert_str_eq(intern_cstr(w.names, w.entries.v[k].gpu_model), models[i]);
    }
}
END_TEST

START_TEST(a_gpu_that_was_replaced_counts_only_while_it_was_there)
{
    uint32_t pod = world_pod(&w, "a", "a", "");
    uint32_t old = world_gpu(&w, "GPU-1", "H100", node), fresh = world_gpu(&w, "GPU-2", "H100", node);

    world_uses(&w, exporter, old, pod, 0, HOUR_S, 20);
    world_uses(&w, exporter, fresh, pod, 2 * HOUR_S, 3 * HOUR_S, 20);
    for (int h = 0; h < 3; h += 2)
        world_charge(&w, "i-1", h * HOUR_S, (h + 1) * HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE), "12", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_NO_METRICS), "0", 0);
}
END_TEST

START_TEST(a_fraction_of_a_card_has_its_fraction_of_hours_and_memory)
{
    uint32_t n = world_node(&w, "n2", "i-2", "eighth"), pod = world_pod(&w, "a", "a", ""), gpu = world_gpu(&w, "GPU-2", "T4", n);

    w.rule.gpu.exclusive = RULE_RESIDENT;
    world_uses(&w, exporter, gpu, pod, 0, HOUR_S, 1);                  /* 1 of 2 GiB */
    world_charge(&w, "i-2", 0, HOUR_S, "2.125");                       /* 1 + 1 + 1/8 */
    run();
    world_is(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE), "0.0625", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_IDLE), "0.0625", bit);
    for (size_t i = 0; i < w.entries.n; i++)
        if (w.entries.v[i].pod_version != NONE && w.entries.v[i].piece == PIECE_GPU)
            world_is(w.entries.v[i].gpu_hours, "0.0625", bit);
}
END_TEST

/* ---- charges of every shape ---- */

START_TEST(what_the_bill_does_not_know_is_listed_with_its_hours)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), gpu = card(0, 2 * HOUR_S);

    world_uses(&w, exporter, gpu, pod, 0, 2 * HOUR_S, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    for (size_t i = 0; i < w.entries.n; i++)
        if (w.entries.v[i].bucket == BUCKET_UNBILLED) {
            ck_assert(w.entries.v[i].cost == 0);
            world_is(w.entries.v[i].gpu_hours, "1", 0);
            return;
        }
    ck_abort_msg("nothing is unbilled");
}
END_TEST

START_TEST(a_charge_of_four_minutes_sees_only_its_own_time)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), gpu = card(0, HOUR_S);

    world_uses(&w, exporter, gpu, a, 0, 720, 20);
    world_uses(&w, exporter, gpu, b, 720, HOUR_S, 20);
    world_charge(&w, "i-1", 600, 840, "8");                            /* two minutes of each */
    run();
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "3", bit);
    world_is(world_cost(&w, PIECE_GPU, b, BUCKET_NONE), "3", bit);
}
END_TEST

START_TEST(a_negative_charge_is_divided_like_a_positive_one)
{
    uint32_t a = world_pod(&w, "a", "a", ""), gpu = card(0, HOUR_S);

    world_uses(&w, exporter, gpu, a, 0, 1800, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "-8");
    run();
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "-3", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_IDLE), "-3", bit);
}
END_TEST

START_TEST(a_lone_correction_goes_where_the_usage_inside_it_went)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), gpu = card(0, 2 * HOUR_S);

    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 20);
    world_uses(&w, exporter, gpu, b, HOUR_S, 2 * HOUR_S, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    world_correction(&w, "i-1", 0, DAY_S, "-4");
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "16");
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "6", bit);        /* equal hours: equal parts */
    world_is(world_cost(&w, PIECES, b, BUCKET_NONE), "14", bit);
}
END_TEST

START_TEST(a_correction_without_usage_is_divided_by_its_own_time_and_has_no_hours)
{
    uint32_t a = world_pod(&w, "a", "a", ""), gpu = card(0, HOUR_S);

    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 20);
    world_correction(&w, "i-1", 0, HOUR_S, "-8");
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "-8", bit);
    for (size_t i = 0; i < w.entries.n; i++)
        if (w.entries.v[i].bucket != BUCKET_UNBILLED)
            ck_assert(w.entries.v[i].gpu_hours == 0);
    ck_assert(w.sums.hours == 0);
}
END_TEST

START_TEST(a_long_charge_tells_its_days)
{
    uint32_t a = world_pod(&w, "a", "a", ""), gpu = card(0, 3 * DAY_S);
    money of_day[3] = {0}, idle[3] = {0};

    w.period.to = AT(3 * DAY_S);
    world_uses(&w, exporter, gpu, a, DAY_S, DAY_S + DAY_S / 2, 20);
    world_charge(&w, "i-1", 0, 3 * DAY_S, "24");
    run();
    for (size_t i = 0; i < w.entries.n; i++) {
        const struct entry *e = &w.entries.v[i];

        if (e->piece == PIECE_GPU)
            (e->pod_version == NONE ? idle : of_day)[(e->day - DAY0) / TIME_DAY] += e->cost;
    }
    world_is(of_day[1], "3", bit);                     /* 18 for three days: 6 a day, half of the second one */
    world_is(idle[0], "6", bit);
    world_is(idle[1], "3", bit);
    world_is(idle[2], "6", bit);
    ck_assert(of_day[0] == 0 && of_day[2] == 0);
    ck_assert_uint_eq(w.days, 3);
}
END_TEST

START_TEST(charges_of_one_node_may_overlap)
{
    uint32_t a = world_pod(&w, "a", "a", ""), gpu = card(0, 2 * HOUR_S);

    world_uses(&w, exporter, gpu, a, 0, 2 * HOUR_S, 20);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    world_charge(&w, "i-1", 0, 2 * HOUR_S, "8");
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECES, a, BUCKET_NONE), "24", bit);
}
END_TEST

START_TEST(memory_in_time_that_several_charges_hold_is_counted_once)
{
    uint32_t a = world_pod(&w, "a", "a", ""), gpu = card(0, HOUR_S);
    weight memory = 0;

    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 20);
    world_correction(&w, "i-1", -HOUR_S, HOUR_S / 2, "-1");            /* no usage lies inside it */
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    world_charge(&w, "i-1", 0, 2 * HOUR_S, "8");
    w.period.from = AT(-HOUR_S);
    run();
    for (size_t i = 0; i < w.entries.n; i++) {
        memory += w.entries.v[i].memory_ms;
        ck_assert(w.entries.v[i].cost > 0 || w.entries.v[i].memory_ms == 0);
    }
    ck_assert(memory == ((weight)(20 * GIB) << USAGE_MEMORY_BITS) * (weight)TIME_HOUR);
}
END_TEST

START_TEST(a_node_whose_gpus_are_seen_and_sizes_unknown_was_not_never_seen)
{
    uint32_t n = world_node(&w, "n2", "i-2", NULL), pod = world_pod(&w, "a", "a", ""), gpu = world_gpu(&w, "GPU-2", "H100", n);

    world_uses(&w, exporter, gpu, pod, 0, HOUR_S, 20);
    world_charge(&w, "i-2", 0, HOUR_S, "8");
    run();
    world_is(world_reason_cost(&w, PIECE_GPU, REASON_GAP), "8", 0);
    ck_assert_ptr_nonnull(strstr(diag_find(&w.diag, "W221")->texts[0], "vCPUs or memory"));
}
END_TEST

/* ---- estimates ---- */

static void copies(enum rule_fallback fallback)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), gpu = card(0, HOUR_S);

    w.rule.gpu.shared_fallback = fallback;
    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 40);
    world_uses(&w, exporter, gpu, b, 0, HOUR_S, 40);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    ck_assert_ptr_nonnull(diag_find(&w.diag, "W201"));
}

START_TEST(copies_share_a_pot_with_all_candidates)
{
    uint32_t pot = 0;

    copies(RULE_EVEN);
    world_is(world_cost(&w, PIECE_GPU, 0, BUCKET_NONE), "1.5", bit);   /* 20 of 80 each */
    world_is(world_cost(&w, PIECE_GPU, 1, BUCKET_NONE), "1.5", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_RESERVED), "0.075", bit);
    for (size_t i = 0; i < w.entries.n; i++)
        if (w.entries.v[i].piece == PIECE_GPU && w.entries.v[i].pod_version != NONE) {
            ck_assert_uint_ne(w.entries.v[i].pot, 0);
            ck_assert(pot == 0 || pot == w.entries.v[i].pot);
            pot = w.entries.v[i].pot;
            ck_assert_int_eq(w.entries.v[i].grade, GRADE_C);
        }
}
END_TEST

START_TEST(refused_copies_are_unattributed_and_of_grade_d)
{
    copies(RULE_REFUSE);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_UNATTRIBUTED), "3", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_IDLE), "2.925", bit);
    ck_assert(world_cost(&w, PIECES, 0, BUCKET_NONE) == 0);
    for (size_t i = 0; i < w.entries.n; i++)
        if (w.entries.v[i].bucket == BUCKET_UNATTRIBUTED)
            ck_assert_int_eq(w.entries.v[i].grade, GRADE_D);
    ck_assert_uint_eq(w.presence.n, 0);
}
END_TEST

START_TEST(two_labelled_pods_on_one_device_make_the_whole_node_shared)
{
    uint32_t n = world_node(&w, "n2", "i-2", "two");
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), c = world_pod(&w, "c", "c", "");
    uint32_t first = world_gpu(&w, "GPU-1", "H100", n), second = world_gpu(&w, "GPU-2", "H100", n);

    world_uses(&w, exporter, first, a, 0, 1800, 40);                   /* with b for half an hour */
    world_uses(&w, exporter, first, b, 0, 1800, 40);
    world_samples(&w, world_device_series(&w, SAMPLE_TOTAL, exporter, first, NONE), 0, HOUR_S, 80 * GIB);
    world_uses(&w, exporter, second, c, 0, HOUR_S, 40);                /* alone, on a node of which no requests are known */
    world_charge(&w, "i-2", 0, HOUR_S, "14");
    run();
    world_is(world_cost(&w, PIECE_GPU, c, BUCKET_NONE), "4.5", bit);   /* 3 x 40/80, then a holder's 3 */
}
END_TEST

/* ---- requests ---- */

static void request(uint32_t pod, uint32_t kube, enum sample_kind kind, int from, int to, uint64_t micro)
{
    world_samples(&w, world_series(&w, kind, kube, NONE, node, pod), from, to, micro);
}

START_TEST(memory_is_divided_by_request_where_a_requesting_pod_has_no_label)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), kube = world_target(&w, "kube"), gpu = card(0, HOUR_S);

    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 40);
    request(a, kube, SAMPLE_REQUEST_GPU, 0, HOUR_S, 1000000);
    request(b, kube, SAMPLE_REQUEST_GPU, 0, HOUR_S, 3000000);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "0.75", bit);  /* 6 x 40/80 x 1/4 */
    world_is(world_cost(&w, PIECE_GPU, b, BUCKET_NONE), "2.25", bit);
    ck_assert(w.requested == (weight)4000000 * (weight)TIME_HOUR);
    ck_assert_ptr_nonnull(diag_find(&w.diag, "W202"));
}
END_TEST

START_TEST(requests_of_a_finished_pod_no_longer_count)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), kube = world_target(&w, "kube"), gpu = card(0, HOUR_S);

    steps_push(&w.inv.pods.v[b].ended, AT(1800), 1);
    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 40);
    request(a, kube, SAMPLE_REQUEST_GPU, 0, HOUR_S, 1000000);
    request(b, kube, SAMPLE_REQUEST_GPU, 0, HOUR_S, 1000000);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "3.75", bit);  /* half of 3 x 40/80, then a holder's 3 */
    world_is(world_cost(&w, PIECE_GPU, b, BUCKET_NONE), "0.75", bit);
    ck_assert(w.requested == (weight)1500000 * (weight)TIME_HOUR);
}
END_TEST

START_TEST(a_finished_pod_holds_its_card_to_the_end_of_what_its_last_sample_stands_for)
{
    uint32_t a = world_pod(&w, "a", "a", ""), gpu = card(0, HOUR_S);

    steps_push(&w.inv.pods.v[a].ended, AT(1770), 1);                   /* between the samples at 1740 and 1800 s */
    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 40);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "3", bit);     /* half of the hour, to the second */
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_UNATTRIBUTED), "1.5", bit);    /* 3 x 40/80 */
}
END_TEST

START_TEST(a_bare_name_on_a_card_ends_with_the_pod_that_it_means)
{
    uint32_t name = world_pod(&w, "a", "a", ""), one = world_pod(&w, "a", "a", "u1"), two = world_pod(&w, "a", "a", "u2");
    uint32_t gpu = card(0, HOUR_S);

    steps_push(&w.inv.pods.v[name].alias, TIME_MIN, one);
    steps_push(&w.inv.pods.v[name].alias, AT(2400), two);
    steps_push(&w.inv.pods.v[one].ended, AT(1200), 1);
    world_uses(&w, exporter, gpu, name, 0, HOUR_S, 40);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, one, BUCKET_NONE), "2", bit);
    world_is(world_cost(&w, PIECE_GPU, two, BUCKET_NONE), "2", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_UNATTRIBUTED), "1", bit);      /* 2 x 40/80 */
}
END_TEST

START_TEST(the_shared_request_of_a_finished_pod_shares_no_node)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", ""), kube = world_target(&w, "kube"), gpu = card(0, HOUR_S);

    steps_push(&w.inv.pods.v[b].ended, TIME_MIN, 1);
    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 40);
    request(a, kube, SAMPLE_REQUEST_GPU, 0, HOUR_S, 1000000);
    request(b, kube, SAMPLE_REQUEST_GPU_SHARED, 0, HOUR_S, 1000000);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "6", 0);       /* a holder */
}
END_TEST

START_TEST(a_request_without_a_node_is_where_its_pod_is)
{
    uint32_t n = world_node(&w, "n2", "i-2", "one"), a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "b", "b", "");
    uint32_t kube = world_target(&w, "kube"), gpu = card(0, HOUR_S), s;

    steps_push(&w.inv.pods.v[b].node, TIME_MIN, node);
    steps_push(&w.inv.pods.v[b].node, AT(1800), n);                    /* goes on elsewhere */
    world_uses(&w, exporter, gpu, a, 0, HOUR_S, 40);
    request(a, kube, SAMPLE_REQUEST_GPU, 0, HOUR_S, 1000000);
    s = world_series(&w, SAMPLE_REQUEST_GPU, kube, NONE, NONE, b);
    world_samples(&w, s, 0, HOUR_S, 1000000);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, a, BUCKET_NONE), "3.75", bit);
    world_is(world_cost(&w, PIECE_GPU, b, BUCKET_NONE), "0.75", bit);
}
END_TEST

/* ---- several targets, several nodes ---- */

START_TEST(two_targets_of_one_device_count_once)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), other = world_target(&w, "b"), gpu = card(0, HOUR_S);

    world_uses(&w, exporter, gpu, pod, 0, 1200, 20);                   /* the first one ends early: the second takes over */
    world_uses(&w, other, gpu, pod, 0, HOUR_S, 20);
    world_samples(&w, world_device_series(&w, SAMPLE_TOTAL, other, gpu, NONE), 0, HOUR_S, 80 * GIB);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    ck_assert(w.sums.observed == w.sums.hours);
    ck_assert(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE) <= world_money("6"));
}
END_TEST

START_TEST(a_target_without_pod_labels_comes_after_one_with_them)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), other = world_target(&w, "b"), gpu = world_gpu(&w, "GPU-1", "H100", node);

    w.rule.gpu.exclusive = RULE_RESIDENT;
    world_uses(&w, exporter, gpu, NONE, 0, HOUR_S, 60);                /* first in label order, without labels */
    world_uses(&w, other, gpu, pod, 0, HOUR_S, 40);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECE_GPU, pod, BUCKET_NONE), "3", bit);
    world_is(world_cost(&w, PIECE_GPU, NONE, BUCKET_IDLE), "3", bit);
}
END_TEST

START_TEST(a_reused_node_name_belongs_to_the_resource_of_its_time)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), gpu, n;

    n = world_node(&w, "pool-1", "i-old", "one");
    steps_push(&w.inv.nodes.v[n].resource, AT(HOUR_S), world_text(&w, "i-new"));
    gpu = world_gpu(&w, "GPU-1", "H100", n);
    world_uses(&w, exporter, gpu, pod, 0, 2 * HOUR_S, 20);
    world_charge(&w, "i-new", HOUR_S, 2 * HOUR_S, "16");
    world_charge(&w, "i-old", 0, HOUR_S, "8");
    run();
    world_is(world_cost(&w, PIECES, pod, BUCKET_NONE), "24", bit);
    ck_assert_ptr_null(diag_find(&w.diag, "W220"));
}
END_TEST

#define ADD(name) tcase_add_test(t, name)

static TCase *dividing(void)
{
    TCase *t = tcase_create("dividing");

    tcase_add_checked_fixture(t, setup, teardown);
    ADD(a_holder_pays_for_the_whole_card);
    ADD(a_card_by_allocation_is_not_a_card_by_use);
    ADD(what_the_holder_did_not_hold_in_memory_is_known);
    ADD(the_worked_example_by_capacity);
    ADD(the_worked_example_by_usable_memory);
    ADD(the_worked_example_by_residents);
    ADD(a_pod_that_goes_holds_nothing_from_the_next_instant_on);
    ADD(presence_is_the_time_with_memory);
    ADD(presences_go_with_their_facts_however_they_are_listed);
    ADD(instances_pay_for_their_memory_slices);
    ADD(instances_pay_for_their_compute_slices);
    ADD(copies_share_a_pot_with_all_candidates);
    ADD(refused_copies_are_unattributed_and_of_grade_d);
    ADD(two_labelled_pods_on_one_device_make_the_whole_node_shared);
    ADD(memory_is_divided_by_request_where_a_requesting_pod_has_no_label);
    ADD(requests_of_a_finished_pod_no_longer_count);
    ADD(a_finished_pod_holds_its_card_to_the_end_of_what_its_last_sample_stands_for);
    ADD(a_bare_name_on_a_card_ends_with_the_pod_that_it_means);
    ADD(the_shared_request_of_a_finished_pod_shares_no_node);
    ADD(a_request_without_a_node_is_where_its_pod_is);
    ADD(two_targets_of_one_device_count_once);
    ADD(a_target_without_pod_labels_comes_after_one_with_them);
    ADD(a_reused_node_name_belongs_to_the_resource_of_its_time);
    return t;
}

static TCase *charges(void)
{
    TCase *t = tcase_create("charges");

    tcase_add_checked_fixture(t, setup, teardown);
    ADD(at_exactly_min_coverage_the_observed_shares_stand_for_the_whole);
    ADD(below_min_coverage_the_rest_is_without_metrics);
    ADD(unobserved_time_after_the_last_sample_is_stopping_up_to_startup);
    ADD(unobserved_time_before_the_first_sample_is_starting_up_to_startup);
    ADD(a_hole_in_between_is_a_gap);
    ADD(a_node_that_no_metrics_mention_is_kept_as_never_seen);
    ADD(a_node_of_unknown_hardware_goes_to_no_metrics_whole_and_is_named);
    ADD(a_gpu_that_the_catalogue_promises_and_no_metric_shows_has_its_part);
    ADD(cards_of_two_models_have_their_own_prices);
    ADD(a_gpu_that_was_replaced_counts_only_while_it_was_there);
    ADD(a_fraction_of_a_card_has_its_fraction_of_hours_and_memory);
    ADD(what_the_bill_does_not_know_is_listed_with_its_hours);
    ADD(a_charge_of_four_minutes_sees_only_its_own_time);
    ADD(a_negative_charge_is_divided_like_a_positive_one);
    ADD(a_lone_correction_goes_where_the_usage_inside_it_went);
    ADD(a_correction_without_usage_is_divided_by_its_own_time_and_has_no_hours);
    ADD(a_long_charge_tells_its_days);
    ADD(charges_of_one_node_may_overlap);
    ADD(memory_in_time_that_several_charges_hold_is_counted_once);
    ADD(a_node_whose_gpus_are_seen_and_sizes_unknown_was_not_never_seen);
    return t;
}

/* ---- pods and series that change from day to day: every test once with those of all days, once with the day's ---- */

/* A CPU piece of one unit of 10^-12, and two pods that requested the whole vCPU for 22 hours each, the second in name on the first day. */
START_TEST(of_pods_of_two_days_the_first_in_name_has_the_rest)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "a", "b", ""), kube = world_target(&w, "kube");

    w.by_day = _i;
    w.period.to = AT(2 * DAY_S);
    w.rule.basis = RULE_BASIS_REQUEST;
    w.inv.nodes.v[node].has_cpu_request = true;
    card(0, 2 * DAY_S);
    request(b, kube, SAMPLE_REQUEST_CPU, 0, 22 * HOUR_S, 1000000000);
    request(a, kube, SAMPLE_REQUEST_CPU, 26 * HOUR_S, 48 * HOUR_S, 1000000000);
    world_charge(&w, "i-1", 0, 2 * DAY_S, "0.000000000008");
    run();
    ck_assert(world_cost(&w, PIECE_CPU, a, BUCKET_NONE) == 1);
    ck_assert(world_cost(&w, PIECE_CPU, b, BUCKET_NONE) == 0);
}
END_TEST

/* A GPU piece of three units for two pods with half of the card each; the second in name is known from the day before. */
START_TEST(of_pods_known_since_different_days_the_first_in_name_has_the_rest)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "a", "b", ""), gpu = world_gpu(&w, "GPU-1", "H100", node);
    int from = DAY_S + 2 * HOUR_S, to = 2 * DAY_S;

    w.by_day = _i;
    w.period.to = AT(2 * DAY_S);
    world_samples(&w, world_device_series(&w, SAMPLE_TOTAL, exporter, gpu, NONE), 0, to, 80 * GIB);
    world_samples(&w, world_device_series(&w, SAMPLE_LAYER_USED, exporter, gpu, a), from, to, 40 * GIB);
    world_samples(&w, world_device_series(&w, SAMPLE_LAYER_USED, exporter, gpu, b), 0, to, 40 * GIB);
    world_charge(&w, "i-1", from, to, "0.000000000004");
    run();
    ck_assert(world_cost(&w, PIECE_GPU, a, BUCKET_NONE) == 2);
    ck_assert(world_cost(&w, PIECE_GPU, b, BUCKET_NONE) == 1);
}
END_TEST

/* Pods that are there on some days, with memory, requests and use of CPU, on a node of long and short charges. */
static void fleet_of_days(int seed)
{
    static const char *names[] = {"p0", "p1", "p2", "p3", "p4", "p5"};
    uint32_t kube = world_target(&w, "kube"), gpu = card(0, 4 * DAY_S);

    w.period.to = AT(4 * DAY_S);
    w.rule.basis = RULE_BASIS_MAX;
    w.inv.nodes.v[node].has_cpu_request = w.inv.nodes.v[node].has_cpu_usage = true;
    for (int i = 0; i < 6; i++) {
        uint32_t pod = world_pod(&w, "a", names[i], "");

        steps_push(&w.inv.pods.v[pod].workload, AT((6 - i) * 40000 + 1800), world_text(&w, i % 2 ? "Job/x" : "Job/y"));
        for (int day = 0; day < 4; day++) {
            int from = day * DAY_S + (i * 5 + seed) % 7 * HOUR_S, to = from + (3 + (i + day * seed) % 9) * HOUR_S;
            uint64_t used = 0;
            uint32_t s;

            if ((i * 7 + day * 3 + seed) % 4 == 0)
                continue;
            world_samples(&w, world_device_series(&w, SAMPLE_LAYER_USED, exporter, gpu, pod), from, to, (uint64_t)(4 + i % 3) * GIB);
            request(pod, kube, SAMPLE_REQUEST_CPU, from, to, 100000000);
            s = world_series(&w, SAMPLE_CPU, kube, NONE, node, pod);
            for (int t = from; t < to; t += 60)            /* 60 or 180 millicores: less than is requested, or more */
                vec_push(&w.samples.v[s].list, (struct sample){AT(t), used += t / HOUR_S % 2 ? 3600000000 : 10800000000});
        }
    }
    world_charge(&w, "i-1", 0, DAY_S, "7.000000000001");
    world_charge(&w, "i-1", 0, 4 * DAY_S, "31.000000000007");
    world_charge(&w, "i-1", DAY_S / 2, 3 * DAY_S, "17.000000000003");
}

static void same_entry(const struct entry *a, const struct pod_version *pod, const struct entry *b)
{
    const struct pod_version *other = world_version(&w, b);

    ck_assert_int_eq(a->bucket, b->bucket);
    ck_assert_int_eq(a->piece, b->piece);
    ck_assert_int_eq(a->day, b->day);
    ck_assert_uint_eq(a->pot, b->pot);
    ck_assert(a->cost == b->cost && a->gpu_hours == b->gpu_hours && a->used_cost == b->used_cost && a->memory_ms == b->memory_ms);
    ck_assert_uint_eq(a->pod_version == NONE, !other);
    if (other)
        ck_assert_mem_eq(pod, other, sizeof *pod);
}

START_TEST(pods_and_series_of_a_day_give_the_entries_that_those_of_all_days_give)
{
    VEC(struct entry) entries = {0};
    VEC(struct pod_version) pods = {0};

    fleet_of_days(_i);
    run();
    for (size_t i = 0; i < w.entries.n; i++) {
        vec_push(&entries, w.entries.v[i]);
        vec_push(&pods, w.entries.v[i].pod_version == NONE ? (struct pod_version){.team = 0} : *world_version(&w, &w.entries.v[i]));
    }
    owners_free(&w.owners);
    vec_clear(&w.entries);
    w.by_day = true;
    run();
    ck_assert_uint_gt(entries.n, 20);
    ck_assert_uint_eq(entries.n, w.entries.n);
    for (size_t i = 0; i < entries.n; i++)
        same_entry(&entries.v[i], &pods.v[i], &w.entries.v[i]);
    vec_free(&entries);
    vec_free(&pods);
}
END_TEST

static TCase *generations(void)
{
    TCase *t = tcase_create("generations");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, of_pods_of_two_days_the_first_in_name_has_the_rest, 0, 2);
    tcase_add_loop_test(t, of_pods_known_since_different_days_the_first_in_name_has_the_rest, 0, 2);
    tcase_add_loop_test(t, pods_and_series_of_a_day_give_the_entries_that_those_of_all_days_give, 0, 12);
    return t;
}

int main(void)
{
    Suite *s = suite_create("allocate");

    suite_add_tcase(s, dividing());
    suite_add_tcase(s, charges());
    suite_add_tcase(s, generations());
    return unit_run(s);
}
