/* bill_sum: what no dialect decides: the bounds of a row's time. */
#include "bill_fixture.h"

static const char head[] = "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ResourceId,"
                           "ServiceCategory,ProviderName,PublisherName,PricingUnit,ConsumedQuantity,ConsumedUnit,SkuPriceDetails\n";

static int read_row(const char *category, const char *to)
{
    struct buf b = {0};
    int rc;

    buf_addf(&b, "%s10,10,USD,%s,2026-10-01T00:00:00Z,%s,i-0a,Compute,AWS,AWS,Hours,876600,Hours,"
                 "\"{\"\"InstanceType\"\": \"\"g5.4xlarge\"\"}\"\n", head, category, to);
    rc = read_bytes(b.p, b.n);
    buf_free(&b);
    return rc;
}

/* 36525 days from 2026-10-01 end on 2126-10-02: of the leap years in between 2100 is none. */
START_TEST(a_row_may_bill_a_century)
{
    char *got;

    w.req.period.to = at("2200-01-01");
    ck_assert_int_eq(read_row("Usage", "2126-10-02T00:00:00Z"), 0);
    got = dump();
    ck_assert_str_eq(got, "i-0a 2026-10-01T00:00:00Z/2126-10-02T00:00:00Z cost 10 invoiced 10 ms 3155760000000 unknown g5.4xlarge\n");
    free(got);
}
END_TEST

START_TEST(a_row_that_bills_more_than_a_century_is_refused)
{
    ck_assert_int_eq(read_row("Usage", "2126-10-02T00:00:00.001Z"), -1);
    expect_error(2, "longer than a century");
    ck_assert_int_eq(read_row("Usage", "9999-12-31T00:00:00Z"), -1);
    expect_error(2, "longer than a century");
}
END_TEST

START_TEST(what_bills_no_resources_time_may_last_longer)
{
    ck_assert_int_eq(read_row("Tax", "9999-12-31T00:00:00Z"), 0);
}
END_TEST

/* ---- two files ---- */

#define IN(hour, next) ",USD,Usage,2026-10-05T" hour ":00:00Z,2026-10-05T" next ":00:00Z,"
#define NODE(id, hours) id ",Compute,AWS,AWS,Hours," hours ",Hours,\"{\"\"InstanceType\"\": \"\"g5.4xlarge\"\"}\"\n"

static int read_two(const char *first, const char *second)
{
    char other[sizeof path + 2];
    const char *paths[] = {path, other};
    struct buf b = {0};
    int rc;

    renew();
    snprintf(other, sizeof other, "%s.2", path);
    buf_addf(&b, "%s%s", head, first);
    write_to(path, b.p, b.n);
    buf_clear(&b);
    buf_addf(&b, "%s%s", head, second);
    write_to(other, b.p, b.n);
    buf_free(&b);
    rc = bill_read(paths, 2, &w.req, &w.bill, &w.err);
    unlink(other);
    return rc;
}

/* A month so far until 11, and until 12 with another amount in the last hour: the hour from 10 stands in both. */
START_TEST(the_same_hour_of_a_node_in_two_files_is_refused)
{
    ck_assert_int_eq(read_two("2,2" IN("10", "11") NODE("i-0a", "1") "1,1" IN("11", "12") NODE("i-0a", "0.5"),
                              "2,2" IN("10", "11") NODE("i-0a", "1") "2,2" IN("11", "12") NODE("i-0a", "1")), -1);
    ck_assert_int_eq(w.err.code, ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(w.err.file, ".2"));
    ck_assert_ptr_nonnull(strstr(w.err.text, "i-0a from 2026-10-05T10:00:00Z to 2026-10-05T11:00:00Z"));
    ck_assert_ptr_nonnull(strstr(w.err.text, path));
    ck_assert_ptr_nonnull(strstr(w.err.hint, "month so far"));
}
END_TEST

/* Halves of an hour, the hours of two nodes, one hour at two prices, and a row beside the time. */
START_TEST(parts_of_one_bill_may_share_an_hour)
{
    ck_assert_int_eq(read_two("1,1" IN("10", "11") NODE("i-0a", "0.5"),
                              "1,1" IN("10", "11") NODE("i-0a", "0.5") "9,9,USD,Tax,2026-10-05,2026-10-06,,,,,,,,\n"), 0);
    ck_assert_int_eq(read_two("1,1" IN("10", "11") NODE("i-0a", "1"), "1,1" IN("10", "11") NODE("i-0b", "1")), 0);
    ck_assert_int_eq(read_two("1,1" IN("10", "11") NODE("i-0a", "1"), "2,2" IN("10", "11") NODE("i-0a", "1")), 0);
}
END_TEST

/* Three machines of a set under its name, in two files. */
START_TEST(machines_under_the_name_of_their_set_are_many)
{
#define SET "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachineScaleSets/v"
    ck_assert_int_eq(read_two("1,1" IN("10", "11") NODE(SET, "1"),
                              "1,1" IN("10", "11") NODE(SET, "1") "1,1" IN("10", "11") NODE("i-0c", "1")), 0);
    ck_assert_int_eq(read_two("1,1" IN("10", "11") NODE(SET "/virtualMachines/2", "1"),
                              "1,1" IN("10", "11") NODE(SET "/virtualMachines/2", "1") "1,1" IN("10", "11") NODE("i-0c", "1")), -1);
}
END_TEST

/* ---- shared costs ---- */

static struct rule_shared_cost costs[2];

static void select_rows(const char *column, const char *value, bool is_glob)
{
    costs[w.req.n_shared++] = (struct rule_shared_cost){.name = w.req.n_shared ? "second" : "first", .column = column, .value = value,
                                                        .is_glob = is_glob};
    w.req.shared = costs;
}

static void share_is(size_t cost, enum bill_group group, int units)
{
    ck_assert(w.bill.shared.v[cost].groups[group] == units * MONEY_ONE);
}

/* Of the same provider: a node's hour of 10, traffic of it for 2, an hour of a machine without GPUs for 3, one that no type tells of for 4,
 * a fee of 5 of which half lies in the period, and tax of 6. */
static int read_kinds(void)
{
    static const char kinds[] =
        "10,10" IN("10", "11") NODE("i-0a", "1")
        "2,2" IN("10", "11") "i-0a,Networking,AWS,AWS,GB,7,GB,\n"
        "3,3" IN("10", "11") "i-0b,Compute,AWS,AWS,Hours,1,Hours,\"{\"\"InstanceType\"\": \"\"m5.large\"\"}\"\n"
        "4,4" IN("10", "11") "i-0c,Compute,AWS,AWS,Hours,1,Hours,\n"
        "5,5,USD,Purchase,2026-09-30,2026-10-02,,,AWS,AWS,,,,\n"
        "6,6,USD,Tax,2026-10-05,2026-10-06,,,AWS,Other,,,,\n";
    struct buf b = {0};
    int rc;

    buf_addf(&b, "%s%s", head, kinds);
    rc = read_bytes(b.p, b.n);
    buf_free(&b);
    return rc;
}

START_TEST(shared_costs_take_rows_of_every_group_and_none_of_a_node)
{
    select_rows("ProviderName", "A?S", true);
    ck_assert_int_eq(read_kinds(), 0);
    share_is(0, GROUP_ATTACHED, 2);
    share_is(0, GROUP_OTHER_RESOURCES, 7);
    share_is(0, GROUP_TAX, 6);
    ck_assert(2 * w.bill.shared.v[0].groups[GROUP_FEE] == 5 * MONEY_ONE);
    ck_assert_int_eq(w.bill.shared.v[0].rows, 5);
    ck_assert(w.bill.groups[GROUP_TAX] == 6 * MONEY_ONE);      /* groups stay whole: who spreads a cost takes it out */
    ck_assert_uint_eq(w.bill.charges.n, 1);
    ck_assert(w.bill.charges.v[0].cost == 10 * MONEY_ONE);
}
END_TEST

START_TEST(attached_rows_that_join_their_node_are_not_shared)
{
    w.req.attached_include = true;
    select_rows("ProviderName", "AWS", false);
    ck_assert_int_eq(read_kinds(), 0);
    share_is(0, GROUP_ATTACHED, 0);
    share_is(0, GROUP_OTHER_RESOURCES, 7);
    ck_assert(w.bill.charges.v[0].cost == 12 * MONEY_ONE);
}
END_TEST

START_TEST(the_first_shared_cost_that_selects_a_row_takes_it)
{
    select_rows("ChargeCategory", "Tax", false);
    select_rows("PublisherName", "*", true);
    ck_assert_int_eq(read_kinds(), 0);
    share_is(0, GROUP_TAX, 6);
    share_is(1, GROUP_TAX, 0);
    ck_assert_int_eq(w.bill.shared.v[1].rows, 4);
    ck_assert_ptr_null(diag_find(&w.diag, "W126"));
}
END_TEST

START_TEST(a_shared_cost_that_selects_nothing_is_told)
{
    select_rows("ResourceId", "i-0a*x", true);
    ck_assert_int_eq(read_kinds(), 0);
    ck_assert_ptr_nonnull(diag_find(&w.diag, "W126"));
}
END_TEST

START_TEST(a_column_that_no_file_has_is_refused_with_the_nearest)
{
    select_rows("Providername", "AWS", false);             /* as it stands in the header, or not at all */
    ck_assert_int_eq(read_kinds(), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(w.err.text, "no file of the bill has a column \"Providername\""));
    ck_assert_str_eq(w.err.hint, "did you mean \"ProviderName\"?");
}
END_TEST

/* ---- currencies ---- */

static struct rule_rate rates[3];

static void set_rates(void)
{
    static const struct { const char *month, *from; money rate; } lines[3] = {
        {"2026-11", "EUR", 2 * MONEY_ONE}, {"2026-10", "GBP", MONEY_ONE / 3}, {"2026-10", "EUR", 1085 * (MONEY_ONE / 1000)},
    };

    for (int i = 0; i < 3; i++) {
        rates[i] = (struct rule_rate){.from = lines[i].from, .to = "USD", .rate = lines[i].rate, .source = ""};
        ck_assert_int_eq(timespan_parse_month(span_of(lines[i].month), &rates[i].month), 0);
    }
    w.req.rates = rates;
    w.req.n_rates = 3;
}

/* A row of tax on a day; its amounts are the same. */
static void add_tax(struct buf *b, const char *amount, const char *currency, const char *day, const char *next)
{
    buf_addf(b, "%s,%s,%s,Tax,%s,%s,,,,,,,,\n", amount, amount, currency, day, next);
}

/* October: 2 + 10 x 1.085 = 12.85, 3 x 0.333333333333 = 0.999999999999, and a unit of 10^-12 x 1.085, which is a unit; outside: 20. */
START_TEST(each_row_is_converted_by_the_rate_of_its_month)
{
    struct buf b = {0};
    char *got;

    set_rates();
    buf_adds(&b, head);
    add_tax(&b, "3", "GBP", "2026-10-01", "2026-10-02");
    add_tax(&b, "2", "USD", "2026-10-01", "2026-10-02");
    add_tax(&b, "10", "EUR", "2026-11-01", "2026-11-02");
    add_tax(&b, "10", "EUR", "2026-10-31", "2026-11-01");
    add_tax(&b, "0.000000000001", "EUR", "2026-10-01", "2026-10-02");
    ck_assert_msg(read_bytes(b.p, b.n) == 0, "%s", w.err.text);
    got = dump();
    ck_assert_str_eq(got, "tax x4 cost 13.85 invoiced 13.85\n outside 20 invoiced 20");
    ck_assert_str_eq(intern_cstr(w.names, w.bill.currency), "USD");
    ck_assert_uint_eq(w.bill.rates.n, 3);
    ck_assert_str_eq(w.bill.rates.v[0].from, "EUR");
    ck_assert_str_eq(w.bill.rates.v[1].from, "GBP");
    ck_assert(w.bill.rates.v[2].rate == 2 * MONEY_ONE);
    free(got);
    buf_free(&b);
}
END_TEST

START_TEST(a_currency_without_a_rate_is_refused_with_the_line_that_lacks)
{
    struct buf b = {0};

    set_rates();
    buf_adds(&b, head);
    add_tax(&b, "2", "USD", "2026-10-01", "2026-10-02");
    add_tax(&b, "3", "GBP", "2026-11-01", "2026-11-02");
    ck_assert_int_eq(read_bytes(b.p, b.n), -1);
    expect_error(3, "row is in GBP, and the rule has no rate into USD for its month");
    ck_assert_str_eq(w.err.hint, "add to fx: {month: 2026-11, from: GBP, to: USD, rate: \"...\"}");
    buf_free(&b);
}
END_TEST

START_TEST(an_amount_that_becomes_too_large_is_refused)
{
    struct buf b = {0};

    set_rates();
    buf_adds(&b, head);
    add_tax(&b, "600000000000000", "EUR", "2026-11-01", "2026-11-02");
    ck_assert_int_eq(read_bytes(b.p, b.n), -1);
    expect_error(2, "more than 10^15");
    buf_free(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_sum");
    TCase *t = tcase_create("bill_sum");
    int fd = mkstemp(path), rc;

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, shared_costs_take_rows_of_every_group_and_none_of_a_node);
    tcase_add_test(t, attached_rows_that_join_their_node_are_not_shared);
    tcase_add_test(t, the_first_shared_cost_that_selects_a_row_takes_it);
    tcase_add_test(t, a_shared_cost_that_selects_nothing_is_told);
    tcase_add_test(t, a_column_that_no_file_has_is_refused_with_the_nearest);
    tcase_add_test(t, a_row_may_bill_a_century);
    tcase_add_test(t, a_row_that_bills_more_than_a_century_is_refused);
    tcase_add_test(t, what_bills_no_resources_time_may_last_longer);
    tcase_add_test(t, the_same_hour_of_a_node_in_two_files_is_refused);
    tcase_add_test(t, parts_of_one_bill_may_share_an_hour);
    tcase_add_test(t, machines_under_the_name_of_their_set_are_many);
    tcase_add_test(t, each_row_is_converted_by_the_rate_of_its_month);
    tcase_add_test(t, a_currency_without_a_rate_is_refused_with_the_line_that_lacks);
    tcase_add_test(t, an_amount_that_becomes_too_large_is_refused);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
