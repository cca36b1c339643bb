/* split: published worked examples, whose prices are per vCPU, GiB or GPU: a piece is that price times the number, to its last digit. */
#include <string.h>

#include "gputab/core/split.h"
#include "unit.h"

#define MICRO (MONEY_ONE / 1000000)

static struct rule rule;
static struct split_node node;
static struct split_billed billed;
static struct split_result pieces;
static struct err e;

static void setup(void)
{
    rule_defaults(&rule);
    memset(&node, 0, sizeof node);
    node.type = node.region = "";
    node.currency = "USD";
    memset(&billed, 0, sizeof billed);
    memset(&pieces, 0, sizeof pieces);
    err_clear(&e);
}

static void teardown(void)
{
    rule_free(&rule);
}

static money money_of(const char *text)
{
    money m = 0;

    ck_assert_int_eq(money_parse(span_of(text), &m, NULL), 0);
    return m;
}

static void prices(const char *vcpu, const char *gib)
{
    rule.split.vcpu_hour = money_of(vcpu);
    rule.split.gib_hour = money_of(gib);
}

static void sizes(int64_t vcpu, int64_t memory_micro_gib)
{
    node.vcpu_micro = vcpu * 1000000;
    node.memory_micro_gib = memory_micro_gib;
}

static void gpus(const char *name, int64_t count_micro, const char *price)
{
    node.models[node.n_models++] = (struct split_model){name, count_micro, money_of(price)};
}

static money sum_of_pieces(void)
{
    money sum = pieces.cpu + pieces.memory;

    for (size_t i = 0; i < node.n_models; i++)
        sum += pieces.gpu[i];
    return sum;
}

static void divide(const char *cost)
{
    ck_assert_int_eq(split_charge(&rule, &node, money_of(cost), &billed, &pieces, &e), 0);
    ck_assert(sum_of_pieces() == money_of(cost));
}

/* `printed` has six decimals, of one of `count` (in 10^-6): right to half a unit of the last one. */
static void is_about(money piece, const char *printed, int64_t count_micro)
{
    money each = money_mul_div(piece, 1000000, (weight)count_micro), off = each - money_of(printed);

    ck_assert_msg(off <= MICRO / 2 && off >= -MICRO / 2, "%s is off by %lld of 10^-12", printed, (long long)off);
}

static void is(money piece, const char *amount)
{
    struct buf b = {0};

    money_add_text(&b, piece, MONEY_DECIMALS);
    ck_assert_msg(piece == money_of(amount), "%s, not %s", buf_str(&b), amount);
    buf_free(&b);
}

enum { NODE_GIB = 15324642 };                          /* 16454709248 bytes in 10^-6 GiB */

/* V3: OpenCost's specification, appendix A. */
START_TEST(prices_are_used_as_a_ratio)
{
    prices("30", "10");
    sizes(1, 1000000);
    gpus("one", 1000000, "30");
    divide("35");
    is(pieces.cpu, "15");
    is(pieces.memory, "5");
    is(pieces.gpu[0], "15");
}
END_TEST

/* V4: opencost#2862. */
START_TEST(a_node_of_four_vcpus_splits_as_published)
{
    prices("0.021811", "0.002923");
    sizes(4, NODE_GIB);
    gpus("one", 1000000, "0.95");
    divide("0.526");
    is_about(pieces.cpu, "0.010603", 4000000);
    is_about(pieces.memory, "0.001421", NODE_GIB);
    is_about(pieces.gpu[0], "0.461814", 1000000);
}
END_TEST

/* V5: opencost#2418. */
START_TEST(equal_prices_give_every_unit_the_same)
{
    prices("1", "1");
    sizes(4, 15325000);
    gpus("one", 1000000, "1");
    divide("1");
    is_about(pieces.cpu, "0.049200", 4000000);
    is_about(pieces.memory, "0.049200", 15325000);
    is_about(pieces.gpu[0], "0.049200", 1000000);
}
END_TEST

START_TEST(prices_of_one_two_and_three_keep_their_ratio)
{
    prices("1", "2");
    sizes(4, 15325000);
    gpus("one", 1000000, "3");
    divide("1");
    is_about(pieces.cpu, "0.026560", 4000000);
    is_about(pieces.memory, "0.053121", 15325000);
    is_about(pieces.gpu[0], "0.079681", 1000000);
}
END_TEST

/* V6: opencost#2901, where the GPU's own price was left out of the sum and the node came to 0.5655. */
START_TEST(unit_prices_times_units_are_the_whole_price)
{
    prices("1.25", "0.5");                             /* 2.5 : 1 : 1.9 */
    sizes(4, NODE_GIB);
    gpus("one", 1000000, "0.95");
    divide("0.526");
    is_about(pieces.cpu, "0.048302", 4000000);
    is_about(pieces.memory, "0.019321", NODE_GIB);
    is_about(pieces.gpu[0], "0.036709", 1000000);
}
END_TEST

START_TEST(each_of_two_models_has_its_price)
{
    prices("1", "1");
    sizes(10, 30000000);                               /* 10 : 30 : 2 x 20 : 1 x 120 = 200 */
    gpus("small", 2000000, "20");
    gpus("large", 1000000, "120");
    divide("100");
    is(pieces.cpu, "5");
    is(pieces.memory, "15");
    is(pieces.gpu[0], "20");
    is(pieces.gpu[1], "60");
}
END_TEST

START_TEST(a_fraction_of_a_card_weighs_its_fraction)
{
    prices("1", "1");
    sizes(1, 1000000);                                 /* 1 : 1 : 1/8 x 16 */
    gpus("eighth", 125000, "16");
    divide("8");
    is(pieces.cpu, "2");
    is(pieces.memory, "2");
    is(pieces.gpu[0], "4");
}
END_TEST

START_TEST(fixed_shares_take_no_prices)
{
    rule.split.method = RULE_SPLIT_SHARES;             /* 3 / 2 / 95 by default */
    gpus("unpriced", 4000000, "0");
    divide("200");
    is(pieces.cpu, "6");
    is(pieces.memory, "4");
    is(pieces.gpu[0], "190");
}
END_TEST

START_TEST(models_divide_a_fixed_share_by_number_and_price)
{
    rule.split.method = RULE_SPLIT_SHARES;
    rule.split.share_cpu = rule.split.share_memory = 10 * MONEY_ONE;
    rule.split.share_gpu = 80 * MONEY_ONE;
    gpus("small", 3000000, "1");
    gpus("large", 1000000, "5");
    divide("100");
    is(pieces.cpu, "10");
    is(pieces.gpu[0], "30");
    is(pieces.gpu[1], "50");
}
END_TEST

START_TEST(what_does_not_divide_is_placed_to_the_last_unit)
{
    prices("1", "1");
    sizes(1, 1000000);
    gpus("one", 1000000, "1");
    divide("0.000000000010");                          /* ten units for three: 3 3 3, and one more for the first */
    is(pieces.cpu, "0.000000000004");
    is(pieces.memory, "0.000000000003");
    is(pieces.gpu[0], "0.000000000003");
}
END_TEST

START_TEST(a_negative_charge_is_split_like_a_positive_one)
{
    prices("30", "10");
    sizes(1, 1000000);
    gpus("one", 1000000, "30");
    divide("-35");
    is(pieces.cpu, "-15");
    is(pieces.memory, "-5");
    is(pieces.gpu[0], "-15");
}
END_TEST

START_TEST(an_unknown_price_is_an_error_that_names_the_model)
{
    sizes(1, 1000000);
    gpus("known", 1000000, "1");
    gpus("Some GPU 9000", 1000000, "0");
    ck_assert_int_eq(split_charge(&rule, &node, MONEY_ONE, &billed, &pieces, &e), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(e.text, "\"Some GPU 9000\""));
    ck_assert_ptr_nonnull(strstr(e.hint, "gpu_hour"));
}
END_TEST

START_TEST(fixed_shares_of_several_models_need_their_prices)
{
    rule.split.method = RULE_SPLIT_SHARES;
    gpus("known", 1000000, "1");
    gpus("Some GPU 9000", 1000000, "0");
    ck_assert_int_eq(split_charge(&rule, &node, MONEY_ONE, &billed, &pieces, &e), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(e.text, "\"Some GPU 9000\""));
}
END_TEST

START_TEST(prices_that_are_all_zero_are_an_error)
{
    prices("0", "0");
    sizes(1, 1000000);
    ck_assert_int_eq(split_charge(&rule, &node, MONEY_ONE, &billed, &pieces, &e), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
}
END_TEST

START_TEST(a_price_in_the_rule_goes_before_the_catalogue_by_either_name)
{
    const char *names[] = {"NVIDIA H100 80GB HBM3", NULL};
    struct catalogue c = {0};

    vec_push(&c.models, (struct gpu_model){.name = "NVIDIA H100 80GB", .names = names, .price_hour = money_of("9.80")});
    ck_assert(split_price(&rule, &c, "NVIDIA H100 80GB HBM3", 0) == money_of("9.80"));
    ck_assert(split_price(&rule, &c, "Some GPU 9000", -1) == 0);
    vec_push(&rule.split.gpu_hour, (struct rule_price){"NVIDIA H100 80GB", money_of("7")});
    vec_push(&rule.split.gpu_hour, (struct rule_price){"Some GPU 9000", money_of("2")});
    ck_assert(split_price(&rule, &c, "NVIDIA H100 80GB HBM3", 0) == money_of("7"));
    ck_assert(split_price(&rule, &c, "Some GPU 9000", -1) == money_of("2"));
    catalogue_free(&c);
}
END_TEST

START_TEST(every_method_has_its_name)
{
    static const char *const names[] = {"reference", "reference", "residual", "shares", "billed", "aws-scad", "opencost", "datadog"};

    for (int m = RULE_SPLIT_DEFAULT; m <= RULE_SPLIT_DATADOG; m++) {
        rule.split.method = (enum rule_split)m;
        ck_assert_str_eq(split_method_name(&rule, false, true), names[m]);
    }
}
END_TEST

/* ---- as billed ---- */

static void bills(enum piece piece, const char *model, const char *cost)
{
    split_billed_add(&billed, piece, model, money_of(cost));
}

static void gpu_is(size_t model, const char *want)
{
    ck_assert(pieces.gpu[model] == money_of(want));
}

static void host_is(const char *cpu, const char *memory)
{
    ck_assert(pieces.cpu == money_of(cpu) && pieces.memory == money_of(memory));
}

START_TEST(pieces_are_what_the_bill_says_of_them)
{
    sizes(12, 85000000);
    gpus("NVIDIA A100 40GB", 1000000, "1");
    bills(PIECE_GPU, "NVIDIA A100 40GB", "2.933908");
    bills(PIECE_CPU, "", "0.379332");
    bills(PIECE_MEMORY, "", "0.360145");
    divide("3.673385");
    gpu_is(0, "2.933908");
    host_is("0.379332", "0.360145");
}
END_TEST

START_TEST(rows_of_one_piece_add_up_whatever_their_sign)
{
    gpus("L4", 1000000, "1");
    bills(PIECE_GPU, "L4", "2");
    bills(PIECE_GPU, "L4", "-3");
    bills(PIECE_CPU, "", "0.5");
    bills(PIECE_CPU, "", "-0.5");
    divide("-1");
    gpu_is(0, "-1");
    host_is("0", "0");
}
END_TEST

/* 1 beside pieces of 4, 3 and 1 adds an eighth to each. */
START_TEST(what_is_of_no_piece_is_spread_in_proportion)
{
    gpus("L4", 2000000, "1");
    bills(PIECE_GPU, "L4", "4");
    bills(PIECE_CPU, "", "3");
    bills(PIECE_MEMORY, "", "1");
    divide("9");
    gpu_is(0, "4.5");
    host_is("3.375", "1.125");
}
END_TEST

/* Sizes without sign are 6, 2 and 0: 4 more is 3, 1 and 0. */
START_TEST(what_is_of_no_piece_goes_by_size_where_signs_differ)
{
    gpus("L4", 1000000, "1");
    bills(PIECE_GPU, "L4", "6");
    bills(PIECE_CPU, "", "-2");
    bills(PIECE_MEMORY, "", "0");
    divide("8");
    gpu_is(0, "9");
    host_is("-1", "0");
}
END_TEST

START_TEST(a_gpu_that_costs_nothing_stays_free)
{
    gpus("L4", 1000000, "1");
    bills(PIECE_GPU, "L4", "0");
    bills(PIECE_CPU, "", "3");
    bills(PIECE_MEMORY, "", "1");
    divide("5");
    gpu_is(0, "0");
    host_is("3.75", "1.25");
}
END_TEST

/* A disk beside a machine that a commitment pays in full: 2 vCPUs at 1 and a card at 6. */
START_TEST(pieces_of_nothing_leave_the_rest_to_reference_prices)
{
    prices("1", "0");
    sizes(2, 1000000);
    gpus("L4", 1000000, "6");
    bills(PIECE_GPU, "L4", "0");
    divide("4");
    gpu_is(0, "3");
    host_is("1", "0");
}
END_TEST

/* The rest is 0.00...01: one unit cannot be parted. */
START_TEST(the_last_unit_goes_somewhere)
{
    gpus("L4", 1000000, "1");
    bills(PIECE_GPU, "L4", "1");
    bills(PIECE_CPU, "", "1");
    bills(PIECE_MEMORY, "", "1");
    divide("3.000000000001");
    divide("2.999999999999");
}
END_TEST

START_TEST(models_have_their_own_amounts)
{
    gpus("T4", 1000000, "1");
    gpus("A100", 3000000, "2");
    bills(PIECE_GPU, "A100", "5");
    bills(PIECE_GPU, "T4", "1");
    divide("6");
    gpu_is(0, "1");
    gpu_is(1, "5");
}
END_TEST

/* 7 of a model that is not there, and of none, by 1 x 1 : 3 x 2; without a price of one model by 1 : 3. */
START_TEST(amounts_of_other_models_are_all_the_gpus)
{
    gpus("T4", 1000000, "1");
    gpus("A100", 3000000, "2");
    bills(PIECE_GPU, "L4", "5");
    bills(PIECE_GPU, "", "2");
    divide("7");
    gpu_is(0, "1");
    gpu_is(1, "6");
    node.models[1].price_hour = 0;
    bills(PIECE_GPU, "", "1");
    divide("8");
    gpu_is(0, "2");
    gpu_is(1, "6");
}
END_TEST

START_TEST(more_models_than_a_node_has_still_add_up)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r"};

    gpus("T4", 1000000, "1");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        bills(PIECE_GPU, names[i], "1");
    divide("18");
    gpu_is(0, "18");
}
END_TEST

START_TEST(what_a_bill_does_not_tell_is_not_made_up)
{
    sizes(1, 1000000);
    gpus("L4", 1000000, "1");
    rule.split.method = RULE_SPLIT_BILLED;
    ck_assert_int_eq(split_charge(&rule, &node, MONEY_ONE, &billed, &pieces, &e), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    ck_assert_ptr_ne(strstr(e.text, "no amounts of its own"), NULL);
}
END_TEST

START_TEST(a_written_method_goes_before_the_bills_pieces)
{
    prices("1", "1");
    sizes(1, 1000000);
    gpus("L4", 1000000, "2");
    bills(PIECE_GPU, "L4", "4");
    rule.split.method = RULE_SPLIT_REFERENCE;
    divide("4");
    gpu_is(0, "2");
    host_is("1", "1");
    ck_assert(!split_is_billed(&rule, &billed));
}
END_TEST

START_TEST(a_run_of_two_methods_says_so)
{
    ck_assert_str_eq(split_method_name(&rule, true, false), "billed");
    ck_assert_str_eq(split_method_name(&rule, true, true), "billed, reference");
    ck_assert_str_eq(split_method_name(&rule, false, false), "reference");
}
END_TEST

/* ---- residual ---- */

enum { HOUR_S = 3600 };

static int64_t seconds(int64_t s)
{
    return s * 1000 * TIME_NS_PER_MS;
}

static void residual(const char *vcpu, const char *gib)
{
    rule.split.method = RULE_SPLIT_RESIDUAL;
    rule.split.vcpu_written = rule.split.gib_written = true;
    prices(vcpu, gib);
}

static void on_demand(const char *hour)
{
    node.on_demand = (struct split_rate){SPLIT_FROM_RULE, money_of(hour), seconds(HOUR_S), 7};
}

static void refuse(const char *cost, const char *text, const char *hint)
{
    ck_assert_int_eq(split_charge(&rule, &node, money_of(cost), &billed, &pieces, &e), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    ck_assert_msg(strstr(e.text, text) != NULL, "%s", e.text);
    ck_assert_msg(strstr(e.hint, hint) != NULL, "%s", e.hint);
}

/* CPU and memory are 3 + 2 = 5 of 22: 17/22 = 77.27 %. At a spot price of 14.00 the GPUs are 14 x 17 / 22 = 10.8181..., CPU 14 x 3 / 22. */
START_TEST(the_gpus_are_the_rest_of_the_on_demand_price)
{
    residual("1", "1");
    sizes(3, 2000000);
    gpus("one", 8000000, "0");                         /* one model needs no price */
    on_demand("22");
    node.billed_ns = seconds(HOUR_S);
    divide("22");
    is(pieces.gpu[0], "17");
    divide("14");
    is(pieces.gpu[0], "10.818181818182");
    is(pieces.cpu, "1.909090909091");
    is(pieces.memory, "1.272727272727");
    divide("-14");                                     /* what is given back too */
    is(pieces.gpu[0], "-10.818181818182");
}
END_TEST

/* f = 1: 5 an hour for a quarter of one is 1.25, of 4.25. */
START_TEST(without_an_on_demand_price_the_billed_one_is_it)
{
    residual("1", "1");
    sizes(3, 2000000);
    gpus("one", 8000000, "0");
    node.billed_ns = seconds(HOUR_S / 4);
    divide("4.25");
    is(pieces.cpu, "0.75");
    is(pieces.memory, "0.5");
    is(pieces.gpu[0], "3");
}
END_TEST

/* A bill's list cost is for the time that it bills: 11 for half an hour are 22 an hour. */
START_TEST(a_list_cost_is_for_its_time)
{
    residual("1", "1");
    sizes(3, 2000000);
    gpus("one", 8000000, "0");
    node.billed_ns = seconds(HOUR_S / 2);
    node.on_demand = (struct split_rate){SPLIT_FROM_BILL, money_of("11"), seconds(HOUR_S / 2), 0};
    divide("7");
    is(pieces.gpu[0], "5.409090909091");               /* 7 x 17 / 22 */
}
END_TEST

/* 17 of 22 are 2 x 1 : 1 x 15 of 17. */
START_TEST(several_models_share_the_rest_by_number_and_price)
{
    residual("1", "1");
    sizes(3, 2000000);
    gpus("small", 2000000, "1");
    gpus("large", 1000000, "15");
    on_demand("22");
    divide("11");
    is(pieces.gpu[0], "1");
    is(pieces.gpu[1], "7.5");
    node.models[0].price_hour = 0;
    refuse("11", "\"small\"", "gpu_hour: {\"small\"");
}
END_TEST

START_TEST(a_rest_of_nothing_is_an_error_with_its_place)
{
    residual("1", "1");
    sizes(3, 2000000);
    gpus("one", 1000000, "1");
    node.type = "g9.large";
    node.region = "eu-1";
    on_demand("5");                                    /* 3 + 2: the rest is 0 */
    refuse("4", "nothing for the GPUs: g9.large in eu-1 costs 5.000000 an hour on demand in the rule (line 7), its vCPUs and memory alone "
           "5.000000", "vcpu_hour and gib_hour");
    err_clear(&e);
    node.on_demand = (struct split_rate){.from = SPLIT_FROM_NOWHERE};
    node.billed_ns = seconds(2 * HOUR_S);
    refuse("4", "g9.large in eu-1 costs 2.000000 an hour, its vCPUs and memory alone 5.000000",
           "on_demand_hour: [{instance_type: g9.large");
}
END_TEST

START_TEST(a_cost_of_nothing_has_pieces_of_nothing)
{
    residual("1", "1");
    sizes(3, 2000000);
    gpus("one", 1000000, "1");
    node.billed_ns = seconds(HOUR_S);
    divide("0");
    is(pieces.gpu[0], "0");
}
END_TEST

/* A lone correction has no time that prices could be for: 3 : 2 : 5. */
START_TEST(a_cost_without_time_is_divided_by_reference)
{
    residual("1", "1");
    sizes(3, 2000000);
    gpus("one", 1000000, "5");
    divide("-10");
    is(pieces.cpu, "-3");
    is(pieces.gpu[0], "-5");
}
END_TEST

START_TEST(built_in_prices_are_no_prices_in_another_currency)
{
    residual("1", "1");
    sizes(3, 2000000);
    gpus("one", 1000000, "1");
    on_demand("22");
    node.currency = "EUR";
    divide("22");
    rule.split.gib_written = false;
    refuse("22", "in USD, the bill is in EUR", "vcpu_hour: \"...\", gib_hour");
}
END_TEST

/* V8: OpenCost's node adjustment. CPU is 10 of an on-demand price of 20; a discount of 20 % makes it 8.00, a rate of 75 % of that 6.00:
 * when the bill comes down from 16 to 12, CPU does by 2.00. */
START_TEST(a_discount_lowers_every_piece_alike)
{
    money before;

    residual("10", "1");
    sizes(1, 1000000);
    gpus("one", 1000000, "1");
    on_demand("20");
    divide("16");
    is(pieces.cpu, "8");
    before = pieces.cpu;
    divide("12");
    is(pieces.cpu, "6");
    is(pieces.cpu - before, "-2");
}
END_TEST

/* ---- presets ---- */

/* V1: AWS split cost allocation, p3.16xlarge at 10 an hour: 64 x 0.9 + 488 x 0.1 + 8 x 9 = 178.4 units of 0.0560538. */
START_TEST(aws_scad_is_as_published)
{
    rule.split.method = RULE_SPLIT_AWS_SCAD;
    sizes(64, 488000000);
    gpus("Tesla V100", 8000000, "9");
    divide("10");
    is_about(pieces.gpu[0], "0.504484", 8000000);
    is_about(pieces.cpu, "0.050448", 64000000);
    is_about(pieces.memory, "0.005605", 488000000);
}
END_TEST

/* 192 x 0.9 + 2048 x 0.1 + 8 x 9 = 449.6, and 71.55 x 72 / 449.6 = 11.458... */
START_TEST(aws_scad_gives_eight_h100_a_sixth)
{
    rule.split.method = RULE_SPLIT_AWS_SCAD;
    sizes(192, 2048000000);
    gpus("H100", 8000000, "9");
    divide("71.55");
    ck_assert(money_round(pieces.gpu[0], 2) == money_of("11.46"));
}
END_TEST

START_TEST(presets_have_one_price_for_every_gpu)
{
    struct catalogue c = {0};

    vec_push(&c.models, (struct gpu_model){.name = "H100", .names = (const char *[]){NULL}, .price_hour = money_of("5")});
    vec_push(&rule.split.gpu_hour, (struct rule_price){"H100", money_of("7")});
    rule.split.method = RULE_SPLIT_AWS_SCAD;
    ck_assert(split_price(&rule, &c, "H100", 0) == money_of("9") && split_price(&rule, &c, "unknown", -1) == money_of("9"));
    rule.split.method = RULE_SPLIT_OPENCOST;           /* opencost#3781: not divided by 730 */
    ck_assert(split_price(&rule, &c, "H100", 0) == money_of("0.95"));
    rule.split.method = RULE_SPLIT_DATADOG;
    ck_assert(split_price(&rule, &c, "H100", 0) == money_of("7"));
    catalogue_free(&c);
}
END_TEST

/* 192 x 0.031611 : 2048 x 0.004237 : 8 x 0.95 are 6.069312 : 8.677376 : 7.6, and 7.6 / 22.346688 = 34.0 %, as its documents have it. */
START_TEST(opencost_has_its_default_prices)
{
    prices("100", "100");                              /* of the rule: not looked at */
    rule.split.method = RULE_SPLIT_OPENCOST;
    sizes(192, 2048000000);
    gpus("H100", 8000000, "0.95");
    divide("22.346688");
    is(pieces.cpu, "6.069312");
    is(pieces.memory, "8.677376");
    is(pieces.gpu[0], "7.6");
}
END_TEST

START_TEST(datadog_is_three_two_and_ninety_five_percent)
{
    rule.split.share_cpu = rule.split.share_gpu = 50 * MONEY_ONE;      /* of the rule: not looked at */
    rule.split.share_memory = 0;
    rule.split.method = RULE_SPLIT_DATADOG;
    gpus("one", 1000000, "0");
    divide("200");
    is(pieces.cpu, "6");
    is(pieces.memory, "4");
    is(pieces.gpu[0], "190");
    ck_assert(!split_needs_sizes(&rule, &billed));
}
END_TEST

/* ---- what users of others complained about ---- */

/* opencost#2657: a GPU's price came on top of the node's. 8 x 0.031611 + 32 x 0.004237 + 0.8 = 1.188472 are the whole of 1.35296. */
START_TEST(a_gpu_is_part_of_the_nodes_price)
{
    sizes(8, 32000000);
    gpus("NVIDIA A10G", 1000000, "0.80");
    divide("1.35296");
    is_about(pieces.gpu[0], "0.910722", 1000000);      /* 1.35296 x 0.8 / 1.188472 */
}
END_TEST

/* opencost#2029: prices of 1, 2 and 3 on a node that costs 4 + 30.65 + 3 are themselves. */
START_TEST(prices_that_make_up_the_node_are_kept)
{
    prices("1", "2");
    sizes(4, 15325000);
    gpus("one", 1000000, "3");
    divide("37.65");
    is(pieces.cpu, "4");
    is(pieces.memory, "30.65");
    is(pieces.gpu[0], "3");
    prices("1", "1");
    node.models[0].price_hour = MONEY_ONE;
    divide("20.325");
    is(pieces.memory, "15.325");
    is(pieces.gpu[0], "1");
}
END_TEST

/* opencost#4020: 32 vCPUs x 0.006407 + 188 GiB x 0.000859 = 0.205024 + 0.161492 = 0.366516, not 0.000476. */
START_TEST(own_prices_are_by_the_hour)
{
    residual("0.006407", "0.000859");
    sizes(32, 188000000);
    gpus("one", 1000000, "0");
    node.billed_ns = seconds(HOUR_S);
    divide("1.366516");
    is(pieces.cpu, "0.205024");
    is(pieces.memory, "0.161492");
    is(pieces.gpu[0], "1");
}
END_TEST

/* opencost#723, with the check of its pull request 726: 8 GPUs at 0.793521 for 57 of 60 minutes are 6.03; and not 8 times that
 * (opencost#2523). */
START_TEST(every_gpu_counts_once)
{
    residual("1", "1");
    sizes(1, 1000000);
    gpus("one", 8000000, "0.793521");
    on_demand("8.348168");                             /* 1 + 1 + 8 x 0.793521 */
    node.billed_ns = seconds(57 * 60);
    divide("7.9307596");                               /* 57/60 of it */
    is(pieces.gpu[0], "6.0307596");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("split");
    TCase *c = tcase_create("split");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, prices_are_used_as_a_ratio);
    tcase_add_test(c, a_node_of_four_vcpus_splits_as_published);
    tcase_add_test(c, equal_prices_give_every_unit_the_same);
    tcase_add_test(c, prices_of_one_two_and_three_keep_their_ratio);
    tcase_add_test(c, unit_prices_times_units_are_the_whole_price);
    tcase_add_test(c, each_of_two_models_has_its_price);
    tcase_add_test(c, a_fraction_of_a_card_weighs_its_fraction);
    tcase_add_test(c, fixed_shares_take_no_prices);
    tcase_add_test(c, models_divide_a_fixed_share_by_number_and_price);
    tcase_add_test(c, what_does_not_divide_is_placed_to_the_last_unit);
    tcase_add_test(c, a_negative_charge_is_split_like_a_positive_one);
    tcase_add_test(c, an_unknown_price_is_an_error_that_names_the_model);
    tcase_add_test(c, fixed_shares_of_several_models_need_their_prices);
    tcase_add_test(c, prices_that_are_all_zero_are_an_error);
    tcase_add_test(c, a_price_in_the_rule_goes_before_the_catalogue_by_either_name);
    tcase_add_test(c, every_method_has_its_name);
    tcase_add_test(c, pieces_are_what_the_bill_says_of_them);
    tcase_add_test(c, rows_of_one_piece_add_up_whatever_their_sign);
    tcase_add_test(c, what_is_of_no_piece_is_spread_in_proportion);
    tcase_add_test(c, what_is_of_no_piece_goes_by_size_where_signs_differ);
    tcase_add_test(c, a_gpu_that_costs_nothing_stays_free);
    tcase_add_test(c, pieces_of_nothing_leave_the_rest_to_reference_prices);
    tcase_add_test(c, the_last_unit_goes_somewhere);
    tcase_add_test(c, models_have_their_own_amounts);
    tcase_add_test(c, amounts_of_other_models_are_all_the_gpus);
    tcase_add_test(c, more_models_than_a_node_has_still_add_up);
    tcase_add_test(c, what_a_bill_does_not_tell_is_not_made_up);
    tcase_add_test(c, a_written_method_goes_before_the_bills_pieces);
    tcase_add_test(c, a_run_of_two_methods_says_so);
    tcase_add_test(c, the_gpus_are_the_rest_of_the_on_demand_price);
    tcase_add_test(c, without_an_on_demand_price_the_billed_one_is_it);
    tcase_add_test(c, a_list_cost_is_for_its_time);
    tcase_add_test(c, several_models_share_the_rest_by_number_and_price);
    tcase_add_test(c, a_rest_of_nothing_is_an_error_with_its_place);
    tcase_add_test(c, a_cost_of_nothing_has_pieces_of_nothing);
    tcase_add_test(c, a_cost_without_time_is_divided_by_reference);
    tcase_add_test(c, built_in_prices_are_no_prices_in_another_currency);
    tcase_add_test(c, a_discount_lowers_every_piece_alike);
    tcase_add_test(c, aws_scad_is_as_published);
    tcase_add_test(c, aws_scad_gives_eight_h100_a_sixth);
    tcase_add_test(c, presets_have_one_price_for_every_gpu);
    tcase_add_test(c, opencost_has_its_default_prices);
    tcase_add_test(c, datadog_is_three_two_and_ninety_five_percent);
    tcase_add_test(c, a_gpu_is_part_of_the_nodes_price);
    tcase_add_test(c, prices_that_make_up_the_node_are_kept);
    tcase_add_test(c, own_prices_are_by_the_hour);
    tcase_add_test(c, every_gpu_counts_once);
    suite_add_tcase(s, c);
    return unit_run(s);
}
