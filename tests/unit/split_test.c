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
    suite_add_tcase(s, c);
    return unit_run(s);
}
