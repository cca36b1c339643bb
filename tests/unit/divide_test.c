/* divide: one charge and facts made by hand. A charge of 8 USD of type "one" is 1 CPU, 1 memory and 6 GPU. */
#include "core_fixture.h"
#include "gputab/core/divide.h"
#include "gputab/core/node_shape.h"

static struct world w;
static struct charge_book book;
static struct collected facts;
static struct charge_kept *charge;
static uint32_t node, pods[2];

#define SHARE(parts, of) ((((weight)1 << USAGE_SHARE_BITS) * (weight)TIME_HOUR) * (parts) / (of))

static void setup(void)
{
    world_init(&w);
    memset(&book, 0, sizeof book);
    memset(&facts, 0, sizeof facts);
    node = world_node(&w, "n1", "i-1", "one");
    world_gpu(&w, "GPU-1", "H100", node);
    w.inv.gpus.v[0].first_ms = AT(0);
    w.inv.gpus.v[0].last_ms = AT(HOUR_S) - 1;
    pods[0] = world_pod(&w, "a", "a", "");
    pods[1] = world_pod(&w, "b", "b", "");
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    charge = world_charge(&w, "i-1", 0, HOUR_S, "8");
}

static void teardown(void)
{
    collected_free(&facts);
    charge_book_free(&book);
    world_free(&w);
}

static struct gpu_cell *cell(uint32_t pod, weight share)
{
    vec_push(&facts.gpu, (struct gpu_cell){
        .day = AT(0), .claimant = pod == NONE ? CLAIM_IDLE : CLAIM_POD, .reason = pod == NONE ? REASON_FREE_MEMORY : REASON_NONE,
        .pod_version = pod == NONE ? NONE : owners_version(&w.owners, pod, AT(0)), .share = share, .used = share});
    return &facts.gpu.v[facts.gpu.n - 1];
}

static void observed(uint64_t ms)
{
    vec_push(&facts.observed, (struct gpu_day){0, AT(0), ms});
}

static int divide(void)
{
    struct allocate_config cfg = world_config(&w);
    struct divide_run run = {.cfg = &cfg};
    struct charge c = charge_list_at(&w.bill.charges, 0);
    const struct book_node *on;
    struct split_billed billed;
    money sum = 0;
    int rc;

    charge_book_build(&book, &w.bill, &w.inv);
    billed = charge_book_billed(&book, 0);
    on = charge_book_find(&book, c.resource);
    rc = divide_charge(&run, on, node_shape_labelled(&cfg, on, c.span.from), &c, &billed, &facts, &w.err);
    w.sums = run.sums;
    divide_run_free(&run);
    for (size_t i = 0; i < w.entries.n; i++)
        sum += w.entries.v[i].cost;
    if (rc == 0)
        ck_assert(sum == charge->cost);
    return rc;
}

/* 60 cards on three days, each twice, in a few orders: in turn, each a place too early or too late, backwards, and in leaps. */
START_TEST(what_was_collected_is_put_in_order_and_summed)
{
    enum { CARDS = 60, N = CARDS * 3 };

    for (uint32_t i = 0; i < 2 * N; i++) {
        uint32_t in_turn = i / 2, place[] = {in_turn, in_turn ^ 1, N - 1 - in_turn, in_turn * 77 % N};

        vec_push(&facts.gpu, (struct gpu_cell){.gpu = place[_i] / 3, .day = AT(place[_i] % 3 * DAY_S), .claimant = CLAIM_IDLE,
                                               .pod_version = NONE, .share = 1 + i % 2, .used = 5, .memory_ms = 7});
        vec_push(&facts.observed, (struct gpu_day){place[_i] / 3, AT(place[_i] % 3 * DAY_S), 1 + i % 2});
    }
    collected_compact(&facts, &w.owners);
    ck_assert_uint_eq(facts.gpu.n, N);
    ck_assert_uint_eq(facts.observed.n, N);
    for (uint32_t i = 0; i < N; i++) {
        const struct gpu_cell *c = &facts.gpu.v[i];

        ck_assert(c->gpu == i / 3 && c->day == AT(i % 3 * DAY_S) && c->share == 3 && c->used == 10 && c->memory_ms == 14);
        ck_assert(facts.observed.v[i].gpu == i / 3 && facts.observed.v[i].day == c->day && facts.observed.v[i].observed_ms == 3);
    }
}
END_TEST

START_TEST(a_charges_entries_sum_to_it_to_the_last_unit)
{
    charge->cost = world_money("7.999999999999");
    cell(pods[0], SHARE(1, 3));
    cell(pods[1], SHARE(1, 7));
    cell(NONE, SHARE(1, 1) - SHARE(1, 3) - SHARE(1, 7));
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), 0);
    world_is(world_cost(&w, PIECE_GPU, pods[0], BUCKET_NONE), "2", 2);
    world_is(world_cost(&w, PIECE_GPU, pods[1], BUCKET_NONE), "0.857142857143", 2);
}
END_TEST

/* 8 as 3 for the card, 2 for cores and 1 for memory, and 2 of none of them: a third more of each. */
START_TEST(a_charge_is_divided_as_it_is_billed)
{
    world_part(&w, PIECE_GPU, "", "3");
    world_part(&w, PIECE_CPU, "", "2");
    world_part(&w, PIECE_MEMORY, "", "1");
    cell(pods[0], SHARE(1, 1));
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), 0);
    world_is(world_cost(&w, PIECE_GPU, pods[0], BUCKET_NONE), "4", 0);
    ck_assert(w.sums.gpu == world_money("4"));
    ck_assert(w.sums.split_by_bill && !w.sums.split_by_rule);
}
END_TEST

START_TEST(as_billed_no_sizes_are_needed)
{
    free(w.inv.nodes.v[node].type.v);
    w.inv.nodes.v[node].type = (struct steps){0};
    world_part(&w, PIECE_GPU, "", "7");
    world_part(&w, PIECE_CPU, "", "1");
    cell(pods[0], SHARE(1, 1));
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), 0);
    world_is(world_cost(&w, PIECE_GPU, pods[0], BUCKET_NONE), "7", 0);
}
END_TEST

START_TEST(a_method_that_the_bill_cannot_serve_names_the_node)
{
    w.rule.split.method = RULE_SPLIT_BILLED;
    cell(pods[0], SHARE(1, 1));
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_ptr_ne(strstr(w.err.text, "node n1: split method billed: the bill has no amounts of its own"), NULL);
}
END_TEST

START_TEST(a_bucket_does_not_absorb_an_error_in_the_shares)
{
    cell(pods[0], SHARE(1, 2));
    cell(NONE, SHARE(1, 2) - 1);                       /* one unit is missing */
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), -1);
    ck_assert_int_eq(w.err.code, ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(w.err.text, "n1"));
}
END_TEST

START_TEST(shares_beyond_the_observed_time_are_an_error_of_the_program)
{
    cell(pods[0], SHARE(1, 2));
    cell(pods[1], SHARE(3, 4));
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), -1);
    ck_assert_int_eq(w.err.code, ERR_INTERNAL);
}
END_TEST

START_TEST(observed_time_without_claims_is_an_error_of_the_program)
{
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), -1);
    ck_assert_int_eq(w.err.code, ERR_INTERNAL);
}
END_TEST

START_TEST(equal_facts_are_one_entry)
{
    cell(pods[0], SHARE(1, 4));
    cell(NONE, SHARE(1, 2));
    cell(pods[0], SHARE(1, 4));
    observed(TIME_HOUR / 2);
    observed(TIME_HOUR / 2);
    ck_assert_int_eq(divide(), 0);
    world_is(world_cost(&w, PIECE_GPU, pods[0], BUCKET_NONE), "3", 0);
    ck_assert_uint_eq(w.entries.n, 6);                 /* two claimants in three pieces */
}
END_TEST

START_TEST(more_observed_than_billed_is_all_that_was_billed)
{
    charge->billed_ns /= 4;                            /* the machine ran a quarter of the hour by the bill */
    cell(pods[0], SHARE(1, 2));
    cell(NONE, SHARE(1, 2));
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), 0);
    world_is(world_cost(&w, PIECE_GPU, pods[0], BUCKET_NONE), "3", 0);
    for (size_t i = 0; i < w.entries.n; i++)
        if (w.entries.v[i].piece == PIECE_GPU)
            world_is(w.entries.v[i].gpu_hours, "0.125", 0);
    ck_assert(w.sums.observed == w.sums.hours);
}
END_TEST

START_TEST(a_following_piece_takes_the_grade_and_renames_the_idle_reason)
{
    cell(pods[0], SHARE(1, 2))->grade = GRADE_B;
    cell(NONE, SHARE(1, 2));
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), 0);
    for (size_t i = 0; i < w.entries.n; i++) {
        const struct entry *e = &w.entries.v[i];

        if (e->piece == PIECE_GPU)
            continue;
        ck_assert_uint_eq(e->gpu, 0);
        ck_assert_int_eq(e->sharing, SHARINGS);
        if (e->pod_version != NONE)
            ck_assert_int_eq(e->grade, GRADE_B);
        else
            ck_assert_int_eq(e->reason, e->piece == PIECE_CPU ? REASON_CPU : REASON_MEMORY);
    }
}
END_TEST

START_TEST(a_free_charge_still_has_its_hours)
{
    charge->cost = 0;
    cell(pods[0], SHARE(1, 1));
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), 0);
    world_is(w.entries.v[0].gpu_hours, "1", 0);
}
END_TEST

START_TEST(the_candidates_of_each_piece_share_a_pot_of_their_own)
{
    uint32_t gpu_pot;

    cell(pods[0], SHARE(1, 2))->candidates = 1;
    facts.gpu.v[0].state = USAGE_EVEN;
    cell(pods[1], SHARE(1, 2))->candidates = 1;
    facts.gpu.v[1].state = USAGE_EVEN;
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), 0);
    ck_assert_uint_eq(w.entries.n, 6);
    gpu_pot = w.entries.v[0].pot;
    ck_assert_uint_ne(gpu_pot, 0);
    ck_assert_uint_eq(w.entries.v[1].pot, gpu_pot);
    ck_assert_uint_ne(w.entries.v[2].pot, gpu_pot);
    ck_assert_uint_eq(w.entries.v[2].pot, w.entries.v[3].pot);
    ck_assert_uint_ne(w.entries.v[4].pot, w.entries.v[2].pot);
}
END_TEST

/* ---- CPU and memory on their own series ---- */

static void host(uint32_t pod, uint64_t milli, uint64_t mib)
{
    vec_push(&facts.host, (struct host_cell){owners_version(&w.owners, pod, AT(0)), AT(0),
                                             {(weight)milli * 1000000 * (weight)TIME_HOUR, ((weight)mib << 20) * (weight)TIME_HOUR}});
}

static void host_series(uint64_t observed_ms)
{
    struct node *n = &w.inv.nodes.v[node];

    w.rule.basis = RULE_BASIS_MAX;
    n->has_cpu_request = n->has_memory_request = true;
    vec_push(&facts.host_observed, (struct host_day){AT(0), {observed_ms, observed_ms}});
    cell(pods[0], SHARE(1, 1));
    observed(TIME_HOUR);
}

START_TEST(cpu_and_memory_are_divided_by_weight_of_the_nodes_capacity)
{
    host_series(TIME_HOUR);
    host(pods[1], 250, 512);                           /* a quarter of a vCPU, half a GiB */
    ck_assert_int_eq(divide(), 0);
    world_is(world_cost(&w, PIECE_CPU, pods[1], BUCKET_NONE), "0.25", 0);
    world_is(world_reason_cost(&w, PIECE_CPU, REASON_CPU), "0.75", 0);
    world_is(world_cost(&w, PIECE_MEMORY, pods[1], BUCKET_NONE), "0.5", 0);
    world_is(world_reason_cost(&w, PIECE_MEMORY, REASON_MEMORY), "0.5", 0);
    world_is(world_cost(&w, PIECE_CPU, pods[0], BUCKET_NONE), "0", 0);
}
END_TEST

START_TEST(weights_beyond_the_capacity_are_their_own_whole)
{
    host_series(TIME_HOUR);
    host(pods[0], 1500, 256);
    host(pods[1], 500, 256);
    ck_assert_int_eq(divide(), 0);
    world_is(world_cost(&w, PIECE_CPU, pods[0], BUCKET_NONE), "0.75", 0);
    world_is(world_cost(&w, PIECE_CPU, pods[1], BUCKET_NONE), "0.25", 0);
    world_is(world_reason_cost(&w, PIECE_CPU, REASON_CPU), "0", 0);
    world_is(world_reason_cost(&w, PIECE_MEMORY, REASON_MEMORY), "0.5", 0);
}
END_TEST

START_TEST(time_that_no_series_covers_is_without_metrics)
{
    host_series(TIME_HOUR / 2);
    vec_push(&facts.host, (struct host_cell){owners_version(&w.owners, pods[1], AT(0)), AT(0),
                                             {(weight)1000000000 * (weight)(TIME_HOUR / 4), 0}});
    ck_assert_int_eq(divide(), 0);
    world_is(world_cost(&w, PIECE_CPU, NONE, BUCKET_NO_METRICS), "0.5", 0);
    world_is(world_cost(&w, PIECE_CPU, pods[1], BUCKET_NONE), "0.25", 0);
    world_is(world_cost(&w, PIECE_CPU, NONE, BUCKET_IDLE), "0.25", 0);
    world_is(world_cost(&w, PIECE_MEMORY, NONE, BUCKET_IDLE), "0.5", 0);
}
END_TEST

START_TEST(a_node_without_such_series_follows_its_gpus_and_says_so)
{
    w.rule.basis = RULE_BASIS_USAGE;
    cell(pods[0], SHARE(1, 1));
    observed(TIME_HOUR);
    ck_assert_int_eq(divide(), 0);
    world_is(world_cost(&w, PIECES, pods[0], BUCKET_NONE), "8", 0);
    ck_assert_ptr_nonnull(diag_find(&w.diag, "W210"));
}
END_TEST

START_TEST(an_unknown_price_names_the_node_and_the_model)
{
    w.catalogue.models.v[0].price_hour = 0;
    ck_assert_int_eq(divide(), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(w.err.text, "n1"));
    ck_assert_ptr_nonnull(strstr(w.err.text, "H100"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("divide");
    TCase *c = tcase_create("divide");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_charges_entries_sum_to_it_to_the_last_unit);
    tcase_add_loop_test(c, what_was_collected_is_put_in_order_and_summed, 0, 4);
    tcase_add_test(c, a_charge_is_divided_as_it_is_billed);
    tcase_add_test(c, as_billed_no_sizes_are_needed);
    tcase_add_test(c, a_method_that_the_bill_cannot_serve_names_the_node);
    tcase_add_test(c, a_bucket_does_not_absorb_an_error_in_the_shares);
    tcase_add_test(c, shares_beyond_the_observed_time_are_an_error_of_the_program);
    tcase_add_test(c, observed_time_without_claims_is_an_error_of_the_program);
    tcase_add_test(c, equal_facts_are_one_entry);
    tcase_add_test(c, more_observed_than_billed_is_all_that_was_billed);
    tcase_add_test(c, a_following_piece_takes_the_grade_and_renames_the_idle_reason);
    tcase_add_test(c, a_free_charge_still_has_its_hours);
    tcase_add_test(c, the_candidates_of_each_piece_share_a_pot_of_their_own);
    tcase_add_test(c, cpu_and_memory_are_divided_by_weight_of_the_nodes_capacity);
    tcase_add_test(c, weights_beyond_the_capacity_are_their_own_whole);
    tcase_add_test(c, time_that_no_series_covers_is_without_metrics);
    tcase_add_test(c, a_node_without_such_series_follows_its_gpus_and_says_so);
    tcase_add_test(c, an_unknown_price_names_the_node_and_the_model);
    suite_add_tcase(s, c);
    return unit_run(s);
}
