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

int main(void)
{
    Suite *s = suite_create("bill_sum");
    TCase *t = tcase_create("bill_sum");
    int fd = mkstemp(path), rc;

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_row_may_bill_a_century);
    tcase_add_test(t, a_row_that_bills_more_than_a_century_is_refused);
    tcase_add_test(t, what_bills_no_resources_time_may_last_longer);
    tcase_add_test(t, the_same_hour_of_a_node_in_two_files_is_refused);
    tcase_add_test(t, parts_of_one_bill_may_share_an_hour);
    tcase_add_test(t, machines_under_the_name_of_their_set_are_many);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
