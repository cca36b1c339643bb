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
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
