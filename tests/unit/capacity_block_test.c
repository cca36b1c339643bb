/* capacity_block: fees over the hours of a small bill. Blocks are of type "four"; prices are chosen so that an hour of an instance is a
 * whole number. After each spreading charges, groups and what lies outside must be the total. */
#include "core_fixture.h"

#include "gputab/core/capacity_block.h"

static struct world w;

static void setup(void)
{
    world_init(&w);
}

static void teardown(void)
{
    world_free(&w);
}

static struct rule_block *block(int64_t count, int from_hour, int until_hour, const char *fee)
{
    vec_push(&w.rule.blocks, (struct rule_block){.type = "FOUR", .count = count, .from = AT(from_hour * HOUR_S),
                                                 .until = AT(until_hour * HOUR_S), .fee = world_money(fee), .line = 7});
    return &w.rule.blocks.v[w.rule.blocks.n - 1];
}

/* An hour of an instance in the period. */
static struct charge_kept *hour(const char *resource, const char *type, int at, const char *cost)
{
    money m = world_money(cost);
    struct charge c = {.resource = world_text(&w, resource), .instance_type = world_text(&w, type), .cost = m, .invoiced = m,
                       .region = world_text(&w, "us-east-2"), .span = {AT(at * HOUR_S), AT((at + 1) * HOUR_S)},
                       .billed_ns = TIME_HOUR * TIME_NS_PER_MS};

    charge_list_add(&w.bill.charges, &c);
    w.bill.file_total += m;
    return &w.bill.charges.v[w.bill.charges.n - 1];
}

static void hours(const char *resource, int from, int until)
{
    for (int h = from; h < until; h++)
        hour(resource, "four", h, "0");
}

/* A row of an hour at the start of a day. */
static void fee_row(int day, enum bill_group group, const char *cost)
{
    struct bill_block_fee f = {world_text(&w, "four"), world_text(&w, "us-east-2"), group, {AT(day * DAY_S), AT(day * DAY_S + HOUR_S)},
                               world_money(cost)};

    vec_push(&w.bill.block_fees, f);
    w.bill.file_total += f.cost;
    w.bill.groups[group] += bill_part(f.cost, f.span, w.period);
    w.bill.outside += f.cost - bill_part(f.cost, f.span, w.period);
}

static int spread(void)
{
    money sum;
    int rc = capacity_blocks_spread(&w.bill, &w.rule, "rule.yaml", w.period, w.names, &w.diag, &w.err);

    sum = w.bill.outside;
    for (size_t i = 0; i < w.bill.charges.n; i++)
        sum += w.bill.charges.v[i].cost;
    for (int g = 0; g < GROUP_EXCLUDED; g++)
        sum += w.bill.groups[g];
    ck_assert(rc < 0 || sum == w.bill.file_total);
    return rc;
}

static void is(money got, const char *want)
{
    struct buf b = {0};

    money_add_text(&b, got, 12);
    ck_assert_msg(got == world_money(want), "%s, not %s", buf_str(&b), want);
    buf_free(&b);
}

static money cost_of(const char *resource)
{
    money sum = 0;

    for (size_t i = 0; i < w.bill.charges.n; i++)
        if (w.bill.charges.v[i].resource == world_text(&w, resource))
            sum += w.bill.charges.v[i].cost;
    return sum;
}

/* 2 x 10 hours for 200: 10 an hour. i-a ran all the time, i-b half of it; 5 hours were not used. */
START_TEST(a_fee_goes_to_the_hours_that_ran_and_the_rest_is_unused)
{
    block(2, 0, 10, "0");
    hours("i-a", 0, 10);
    hours("i-b", 0, 5);
    fee_row(0, GROUP_FEE, "200");
    ck_assert_int_eq(spread(), 0);
    is(cost_of("i-a"), "100");
    is(cost_of("i-b"), "50");
    is(w.bill.groups[GROUP_UNUSED_COMMITMENT], "50");
    is(w.bill.groups[GROUP_FEE], "0");
    is(w.bill.file_total, "200");
    is(w.bill.charges.v[0].invoiced, "0");
    ck_assert_int_eq(charge_list_at(&w.bill.charges, 0).purchase, PURCHASE_CAPACITY_BLOCK);
    ck_assert_ptr_null(diag_find(&w.diag, "W105"));
}
END_TEST

/* 24 hours of 240 from noon of the day before: half of them lie in the period. The fee's row is of the day before, or in no file at all. */
START_TEST(a_block_over_the_end_of_a_period_is_cut_like_a_charge)
{
    for (int with_row = 0; with_row <= 1; with_row++) {
        teardown();
        setup();
        block(1, -12, 12, "240");
        hours("i-a", 0, 10);
        if (with_row)
            fee_row(-1, GROUP_FEE, "240");
        ck_assert_int_eq(spread(), 0);
        is(cost_of("i-a"), "100");
        is(w.bill.groups[GROUP_UNUSED_COMMITMENT], "20");
        is(w.bill.outside, with_row ? "120" : "0");
        is(w.bill.file_total, with_row ? "240" : "120");
    }
}
END_TEST

/* From half past: half of the first hour. Time is counted as billed: i-b ran for a quarter of an hour. 2 x 1.5 hours
 * for 30 are 10 an hour. */
START_TEST(parts_of_hours_count_as_such)
{
    struct rule_block *b = block(2, 0, 2, "30");

    b->from = AT(1800);
    hours("i-a", 0, 2);
    hour("i-b", "four", 1, "0")->billed_ns = TIME_HOUR / 4 * TIME_NS_PER_MS;
    ck_assert_int_eq(spread(), 0);
    is(w.bill.charges.v[0].cost, "5");
    is(w.bill.charges.v[1].cost, "10");
    is(w.bill.charges.v[2].cost, "2.5");
    is(w.bill.groups[GROUP_UNUSED_COMMITMENT], "12.5");
}
END_TEST

START_TEST(other_instances_are_left_alone)
{
    struct rule_block *b = block(1, 0, 2, "20");

    b->region = "us-east-2";
    hours("i-a", 0, 1);
    hours("i-a", 2, 3);
    hour("i-b", "four", 0, "98");
    hour("i-c", "two", 0, "0");
    hour("i-d", "four", 0, "0");
    WORLD_CHARGE(&w, region, world_text(&w, "us-west-2"));
    ck_assert_int_eq(spread(), 0);
    is(cost_of("i-a"), "10");
    is(cost_of("i-b"), "98");
    is(cost_of("i-c"), "0");
    is(cost_of("i-d"), "0");
    ck_assert_int_eq(diag_find(&w.diag, "W105")->count, 3);        /* i-a once it had ended, i-c, i-d */
}
END_TEST

/* One fee of 300 for 2 x 10 and 1 x 10 hours; a licence of 1 an hour does not hide i-c, which is named. */
START_TEST(blocks_of_one_day_share_the_days_fee_by_size)
{
    static const char *two[] = {"i-a", "i-b", NULL}, *one[] = {"i-c*", NULL};

    block(2, 0, 10, "0")->instances = two;
    block(1, 0, 10, "0")->instances = one;
    hours("i-a", 0, 10);
    hours("i-b", 0, 10);
    hour("i-cx", "four", 0, "1");
    fee_row(0, GROUP_FEE, "300");
    ck_assert_int_eq(spread(), 0);
    is(cost_of("i-a"), "100");
    is(cost_of("i-b"), "100");
    is(cost_of("i-cx"), "11");
    is(w.bill.groups[GROUP_UNUSED_COMMITMENT], "90");
    is(w.bill.file_total, "301");
}
END_TEST

START_TEST(a_written_fee_leaves_the_rest_of_the_days_fee_to_the_others)
{
    static const char *two[] = {"i-a", NULL}, *one[] = {"i-b", NULL};

    block(1, 0, 10, "220")->instances = two;
    block(1, 0, 10, "0")->instances = one;
    hours("i-a", 0, 10);
    hours("i-b", 0, 10);
    fee_row(0, GROUP_FEE, "300");
    ck_assert_int_eq(spread(), 0);
    is(cost_of("i-a"), "220");
    is(cost_of("i-b"), "80");
    ck_assert_ptr_null(diag_find(&w.diag, "W124"));
}
END_TEST

/* 260 written, 300 billed: the rule counts. */
START_TEST(a_written_fee_that_is_not_the_bills_is_said)
{
    block(1, 0, 10, "260");
    hours("i-a", 0, 10);
    fee_row(0, GROUP_FEE, "300");
    ck_assert_int_eq(spread(), 0);
    is(cost_of("i-a"), "260");
    is(w.bill.groups[GROUP_FEE], "0");
    is(w.bill.file_total, "260");
    ck_assert_ptr_nonnull(diag_find(&w.diag, "W124"));
}
END_TEST

START_TEST(refunds_lower_the_fee)
{
    block(1, 0, 10, "0");
    hours("i-a", 0, 10);
    fee_row(0, GROUP_FEE, "300");
    fee_row(0, GROUP_REFUND, "-200");
    ck_assert_int_eq(spread(), 0);
    is(cost_of("i-a"), "100");
    is(w.bill.groups[GROUP_REFUND], "0");
}
END_TEST

/* A fee that no block stands for stays one. */
START_TEST(the_fee_of_another_day_stays)
{
    block(1, 0, 10, "50");
    fee_row(0, GROUP_FEE, "50");
    fee_row(1, GROUP_FEE, "70");
    w.period.to = AT(2 * DAY_S);
    ck_assert_int_eq(spread(), 0);
    is(w.bill.groups[GROUP_FEE] + w.bill.outside, "70");
    is(w.bill.groups[GROUP_UNUSED_COMMITMENT], "50");
}
END_TEST

START_TEST(more_instances_than_the_block_has_share_it_and_are_said)
{
    block(2, 0, 1, "30");
    hours("i-a", 0, 1);
    hours("i-b", 0, 1);
    hours("i-c", 0, 1);
    ck_assert_int_eq(spread(), 0);
    is(cost_of("i-c"), "10");
    is(w.bill.groups[GROUP_UNUSED_COMMITMENT], "0");
    ck_assert_ptr_nonnull(diag_find(&w.diag, "W123"));
}
END_TEST

START_TEST(a_block_without_any_fee_is_an_error_in_its_period_only)
{
    block(1, 0, 10, "0");
    ck_assert_int_eq(spread(), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_str_eq(w.err.file, "rule.yaml");
    ck_assert_int_eq(w.err.line, 7);
    ck_assert_ptr_nonnull(strstr(w.err.text, "no fee of a capacity block of FOUR"));
    err_clear(&w.err);
    w.period = (struct timespan){AT(DAY_S), AT(2 * DAY_S)};
    ck_assert_int_eq(spread(), 0);
}
END_TEST

START_TEST(written_fees_above_the_bills_are_an_error)
{
    static const char *two[] = {"i-a", NULL}, *one[] = {"i-b", NULL};

    block(1, 0, 10, "220")->instances = two;
    block(1, 0, 10, "0")->instances = one;
    fee_row(0, GROUP_FEE, "200");
    ck_assert_int_eq(spread(), -1);
    ck_assert_ptr_nonnull(strstr(w.err.text, "less than those written"));
}
END_TEST

START_TEST(invoiced_costs_are_not_spread)
{
    block(1, 0, 10, "0");
    hours("i-a", 0, 10);
    fee_row(0, GROUP_FEE, "300");
    w.rule.cost = RULE_COST_BILLED;
    ck_assert_int_eq(spread(), 0);
    is(cost_of("i-a"), "0");
    is(w.bill.groups[GROUP_FEE], "300");
    ck_assert_int_eq(diag_find(&w.diag, "W105")->count, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("capacity_block");
    TCase *c = tcase_create("capacity_block");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_fee_goes_to_the_hours_that_ran_and_the_rest_is_unused);
    tcase_add_test(c, a_block_over_the_end_of_a_period_is_cut_like_a_charge);
    tcase_add_test(c, parts_of_hours_count_as_such);
    tcase_add_test(c, other_instances_are_left_alone);
    tcase_add_test(c, blocks_of_one_day_share_the_days_fee_by_size);
    tcase_add_test(c, a_written_fee_leaves_the_rest_of_the_days_fee_to_the_others);
    tcase_add_test(c, a_written_fee_that_is_not_the_bills_is_said);
    tcase_add_test(c, refunds_lower_the_fee);
    tcase_add_test(c, the_fee_of_another_day_stays);
    tcase_add_test(c, more_instances_than_the_block_has_share_it_and_are_said);
    tcase_add_test(c, a_block_without_any_fee_is_an_error_in_its_period_only);
    tcase_add_test(c, written_fees_above_the_bills_are_an_error);
    tcase_add_test(c, invoiced_costs_are_not_spread);
    suite_add_tcase(s, c);
    return unit_run(s);
}
