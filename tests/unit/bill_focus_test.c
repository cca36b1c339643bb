/* bill: FOCUS files as charges and groups. Small bills are compared as text (see dump); the public sample by sums that were worked out
 * with Python's decimal over the file, independent of this program. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "gputab/base/file.h"
#include "gputab/codec/csv.h"
#include "bill_fixture.h"

static char path2[] = "/tmp/bill_test.XXXXXX";

static const char head[] = "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargeClass,ChargePeriodStart,ChargePeriodEnd,ResourceId,"
                           "ServiceCategory,ProviderName,PublisherName,PricingCategory,PricingUnit,ConsumedQuantity,ConsumedUnit,"
                           "CommitmentDiscountStatus,CommitmentDiscountCategory,RegionId,SkuPriceDetails,ChargeDescription\n";

/* A row of usage on the fifth of October: hours are clock texts like "10" and "11"; fields that a test leaves out have usual values. */
struct row {
    const char *billed, *effective, *category, *class, *from, *to, *resource, *service, *publisher, *pricing, *unit, *quantity, *status,
        *commitment, *details, *text;
};

static const char *or(const char *s, const char *usual)
{
    return s ? s : usual;
}

static void add_time(struct buf *b, const char *hour)
{
    if (strlen(hour) == 2)
        buf_addf(b, "2026-10-05T%s:00:00Z,", hour);
    else
        buf_addf(b, "%s,", hour);
}

static void add_row(struct buf *b, struct row r)
{
    buf_addf(b, "%s,%s,USD,%s,%s,", or(r.billed, or(r.effective, "1")), or(r.effective, "1"), or(r.category, "Usage"), or(r.class, ""));
    add_time(b, or(r.from, "10"));
    add_time(b, or(r.to, "11"));
    buf_addf(b, "%s,%s,AWS,%s,%s,", or(r.resource, "i-0a"), or(r.service, "Compute"), or(r.publisher, "AWS"), or(r.pricing, "Standard"));
    buf_addf(b, "%s,%s,%s,%s,%s,us-east-1,", or(r.unit, "Hours"), or(r.quantity, "1"), or(r.unit, "Hours"), or(r.status, ""),
             or(r.commitment, ""));
    buf_addf(b, "\"%s\",\"%s\"\n", or(r.details, "{\"\"InstanceType\"\": \"\"g5.4xlarge\"\"}"), or(r.text, "instance hours"));
}

static int read_rows(const struct row *rows, size_t n)
{
    struct buf b = {0};
    int rc;

    buf_adds(&b, head);
    for (size_t i = 0; i < n; i++)
        add_row(&b, rows[i]);
    rc = read_bytes(b.p, b.n);
    buf_free(&b);
    return rc;
}

#define ROWS(...) (const struct row[]){__VA_ARGS__}, sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row)

static void expect(const struct row *rows, size_t n, const char *want)
{
    char *got;

    ck_assert_msg(read_rows(rows, n) == 0, "%s:%lld:%lld: %s", w.err.file, (long long)w.err.line, (long long)w.err.column, w.err.text);
    got = dump();
    ck_assert_msg(strcmp(got, want) == 0, "got\n%s\nwant\n%s", got, want);
    free(got);
}

static void refuse(const struct row *rows, size_t n, int line, int column, const char *want)
{
    ck_assert_int_eq(read_rows(rows, n), -1);
    expect_error(line, want);
    ck_assert_int_eq(w.err.column, column);
}

static void refuse_text(const char *text, int line, const char *want)
{
    ck_assert_int_eq(read_bytes(text, strlen(text)), -1);
    expect_error(line, want);
}

#define HOUR_10 "i-0a 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z "
#define G5 " ms 3600000 on_demand us-east-1 g5.4xlarge\n"

/* ---- charges ---- */

START_TEST(rows_of_one_node_and_interval_add_up)
{
    expect(ROWS({.effective = "1.5", .quantity = "0.25"}, {.effective = "-0.25", .billed = "2", .quantity = "0.5"}),
           HOUR_10 "cost 1.25 invoiced 3.5 ms 2700000 on_demand us-east-1 g5.4xlarge\n");
}
END_TEST

START_TEST(hours_are_at_most_the_interval_and_the_interval_when_none_are_given)
{
    expect(ROWS({.quantity = "1"}, {.quantity = "0.5"}), HOUR_10 "cost 2 invoiced 2" G5);
    expect(ROWS({.quantity = ""}), HOUR_10 "cost 1 invoiced 1" G5);
    expect(ROWS({.quantity = "1800", .unit = "Seconds"}), HOUR_10 "cost 1 invoiced 1 ms 1800000 on_demand us-east-1 g5.4xlarge\n");
    expect(ROWS({.quantity = "0.05", .unit = "10 Hours"}), HOUR_10 "cost 1 invoiced 1 ms 1800000 on_demand us-east-1 g5.4xlarge\n");
}
END_TEST

/* 0.296111 h x 3 600 000 = 1 065 999.6 ms; 3 rows of about a third of a millisecond are one. */
START_TEST(hours_are_added_exactly_and_rounded_once)
{
    expect(ROWS({.quantity = "0.296111"}), HOUR_10 "cost 1 invoiced 1 ms 1065999.6 on_demand us-east-1 g5.4xlarge\n");
    expect(ROWS({.quantity = "0.000333", .unit = "Seconds"}, {.quantity = "0.000333", .unit = "Seconds"},
                {.quantity = "0.000334", .unit = "Seconds"}),
           HOUR_10 "cost 3 invoiced 3 ms 1 on_demand us-east-1 g5.4xlarge\n");
}
END_TEST

START_TEST(categories_decide_before_the_resource)
{
    expect(ROWS({.category = "Tax", .effective = "1"}, {.category = "Credit", .effective = "-2"},
                {.category = "Adjustment", .effective = "-4"}, {.category = "Adjustment", .effective = "8"},
                {.category = "Purchase", .effective = "0", .billed = "16"},
                {.category = "Purchase", .class = "Correction", .effective = "0", .billed = "-32"},
                {.status = "Unused", .effective = "64", .billed = "0"}),
           "tax x1 cost 1 invoiced 1\ncredit x1 cost -2 invoiced -2\nrefund x2 cost -4 invoiced -36\nfee x2 cost 8 invoiced 24\n"
           "unused_commitment x1 cost 64 invoiced 0\n");
}
END_TEST

START_TEST(a_correction_has_cost_and_no_hours)
{
    expect(ROWS({.effective = "10", .quantity = "0.5"}, {.effective = "-9.9", .class = "Correction", .quantity = "0.5", .text = "correction"}),
           HOUR_10 "cost 0.1 invoiced 0.1 ms 1800000 on_demand us-east-1 g5.4xlarge\n");
    expect(ROWS({.effective = "10"}, {.effective = "-1", .class = "Correction", .from = "00", .to = "12", .unit = "", .quantity = ""}),
           "i-0a 2026-10-05T00:00:00Z/2026-10-05T12:00:00Z cost -1 invoiced -1 ms 0 correction on_demand us-east-1 g5.4xlarge\n"
           HOUR_10 "cost 10 invoiced 10" G5);
}
END_TEST

START_TEST(a_row_without_a_type_is_its_nodes_when_another_row_tells)
{
    expect(ROWS({.details = "", .from = "11", .to = "12"}, {.details = ""}, {.effective = "2"}, {.details = "", .resource = "i-0b"}),
           HOUR_10 "cost 3 invoiced 3" G5
           "i-0a 2026-10-05T11:00:00Z/2026-10-05T12:00:00Z cost 1 invoiced 1 ms 3600000 on_demand us-east-1\n"
           "other_resources x1 cost 1 invoiced 1\n");
}
END_TEST

START_TEST(another_type_is_another_machine)
{
    expect(ROWS({.details = "{\"\"InstanceType\"\": \"\"m5.large\"\"}", .from = "11", .to = "12"}, {.effective = "2"}),
           HOUR_10 "cost 2 invoiced 2" G5 "other_resources x1 cost 1 invoiced 1\n");
}
END_TEST

START_TEST(metrics_make_a_node_of_a_resource_in_their_interval)
{
    show("rack1", "2026-10-05T10:20:00Z", "2026-10-05T10:50:00Z");
    expect(ROWS({.resource = "rack1", .details = "{\"\"InstanceType\"\": \"\"own.4gpu\"\"}"},
                {.resource = "rack1", .details = "{\"\"InstanceType\"\": \"\"own.4gpu\"\"}", .from = "11", .to = "12"},
                {.resource = "rack1", .details = "{\"\"InstanceType\"\": \"\"m5.large\"\"}", .from = "12", .to = "13"}),
           "rack1 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 1 invoiced 1 ms 3600000 on_demand us-east-1 own.4gpu\n"
           "rack1 2026-10-05T11:00:00Z/2026-10-05T12:00:00Z cost 1 invoiced 1 ms 3600000 on_demand us-east-1 own.4gpu\n"
           "other_resources x1 cost 1 invoiced 1\n");
}
END_TEST

START_TEST(capacity_counts_as_showing_a_gpu)
{
    struct node n = {.has_gpu_capacity = true};

    steps_push(&n.resource, at("2026-10-01"), intern_str(w.names, "rack2"));
    vec_push(&w.inventory.nodes, n);
    expect(ROWS({.resource = "rack2", .details = ""}, {.resource = "rack3", .details = ""}),
           "rack2 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 1 invoiced 1 ms 3600000 on_demand us-east-1\n"
           "other_resources x1 cost 1 invoiced 1\n");
}
END_TEST

START_TEST(the_bills_own_shape_comes_along)
{
    expect(ROWS({.details = "{'CoreCount': 96, 'MemorySize': '1,952 GiB', 'GpuCount': 8, 'InstanceType': 'new.8gpu', 'x': None}"}),
           HOUR_10 "cost 1 invoiced 1 ms 3600000 on_demand us-east-1 new.8gpu 96000000/1952000000/8000000\n");
    expect(ROWS({.details = "\"\"CoreCount\"\": 16, \"\"InstanceType\"\": \"\"g5.4xlarge\"\", \"\"MemorySize\"\": 30.5"}),
           HOUR_10 "cost 1 invoiced 1 ms 3600000 on_demand us-east-1 g5.4xlarge 16000000/30500000/0\n");
    expect(ROWS({.details = "{not json", .text = "$1.624 per On Demand Linux g5.4xlarge Instance Hour"}), HOUR_10 "cost 1 invoiced 1" G5);
    ck_assert_ptr_ne(diag_find(&w.diag, "W106"), NULL);
}
END_TEST

START_TEST(the_purchase_option_is_that_of_the_largest_amount)
{
    expect(ROWS({.pricing = "Dynamic"}), HOUR_10 "cost 1 invoiced 1 ms 3600000 spot us-east-1 g5.4xlarge\n");
    expect(ROWS({.pricing = "Committed", .commitment = "Spend"}), HOUR_10 "cost 1 invoiced 1 ms 3600000 savings_plan us-east-1 g5.4xlarge\n");
    expect(ROWS({.pricing = "Committed", .commitment = "Usage"}), HOUR_10 "cost 1 invoiced 1 ms 3600000 reserved us-east-1 g5.4xlarge\n");
    expect(ROWS({.pricing = "Committed"}), HOUR_10 "cost 1 invoiced 1 ms 3600000 committed us-east-1 g5.4xlarge\n");
    expect(ROWS({.pricing = "Other"}), HOUR_10 "cost 1 invoiced 1 ms 3600000 unknown us-east-1 g5.4xlarge\n");
    expect(ROWS({.text = "Capacity Block for p5"}), HOUR_10 "cost 1 invoiced 1 ms 3600000 capacity_block us-east-1 g5.4xlarge\n");
    /* 2 on demand against 1.5 + 1 spot; then a tie, which goes to the earlier name of the list */
    expect(ROWS({.effective = "2"}, {.effective = "1.5", .pricing = "Dynamic"}, {.effective = "1", .pricing = "Dynamic"}),
           HOUR_10 "cost 4.5 invoiced 4.5 ms 3600000 spot us-east-1 g5.4xlarge\n");
    expect(ROWS({.effective = "-2", .pricing = "Dynamic"}, {.effective = "2"}), HOUR_10 "cost 0 invoiced 0" G5);
}
END_TEST

START_TEST(labels_that_name_a_gpu_type_make_a_node)
{
    struct node n = {0};

    steps_push(&n.resource, at("2026-10-01"), intern_str(w.names, "i-0b"));
    steps_push(&n.type, at("2026-10-01"), intern_str(w.names, "g5.4xlarge"));
    steps_push(&n.type, at("2026-10-05T11:00:00Z"), intern_str(w.names, "m5.large"));
    vec_push(&w.inventory.nodes, n);
    expect(ROWS({.resource = "arn:aws:ec2:us-east-1:1:instance/i-0b", .details = ""},
                {.resource = "i-0b", .details = "{\"\"InstanceType\"\": \"\"m5.large\"\"}", .from = "11", .to = "12"}),
           "i-0b 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 1 invoiced 1 ms 3600000 on_demand us-east-1\n"
           "other_resources x1 cost 1 invoiced 1\n");
}
END_TEST

START_TEST(a_scale_set_is_a_node_while_one_of_its_machines_is)
{
#define SET "/subscriptions/s/resourcegroups/r/providers/microsoft.compute/virtualmachinescalesets/v"
    show(SET "/virtualmachines/0", "2026-10-05T10:20:00Z", "2026-10-05T10:50:00Z");
    expect(ROWS({.resource = SET, .details = ""}, {.resource = SET "2", .details = ""}),
           SET " 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 1 invoiced 1 ms 3600000 on_demand us-east-1\n"
           "other_resources x1 cost 1 invoiced 1\n");
}
END_TEST

START_TEST(details_name_the_machine_of_a_scale_set)
{
    expect(ROWS({.resource = SET, .details = "{\"\"ServiceType\"\": \"\"Standard_NC24ads_A100_v4\"\", \"\"VMName\"\": \"\"v_1\"\"}"}),
           SET "/virtualmachines/1 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 1 invoiced 1 ms 3600000 on_demand us-east-1 "
           "Standard_NC24ads_A100_v4\n");
}
END_TEST

#define LEAST "BilledCost,AmortizedCost,BillingCurrency,ChargeType,ChargePeriodStart,ChargePeriodEnd,ResourceId\n"
#define LEAST_ROW "1,2,USD,Usage,2026-10-05 10:00:00,2026-10-05 11:00:00,i-0a\n"

/* One more column in front of the least bill, with one value: the type that the charge has, NULL for no charge. */
static void expect_type(const char *column, const char *value, const char *type)
{
    struct buf b = {0};

    buf_addf(&b, "%s," LEAST "\"%s\"," LEAST_ROW, column, value);
    ck_assert_msg(read_bytes(b.p, b.n) == 0, "%s", w.err.text);
    ck_assert_uint_eq(w.bill.charges.n, type ? 1 : 0);
    if (type)
        ck_assert_str_eq(intern_cstr(w.names, charge_list_at(&w.bill.charges, 0).instance_type), type);
    buf_free(&b);
}

START_TEST(the_type_is_found_in_any_of_its_places)
{
    expect_type("SkuMeter", "EUW2-BoxUsage:g5.xlarge", "g5.xlarge");
    expect_type("x_UsageType", "USE2-SpotUsage:p5.48xlarge", "p5.48xlarge");
    expect_type("x_UsageType", "BoxUsage:m5.large", NULL);
    expect_type("SkuMeter", "NC24ads A100 v4 Spot", "Standard_NC24ads_A100_v4");
    expect_type("x_SkuDetails", "\"\"ServiceType\"\":\"\"Standard_NC24ads_A100_v4\"\",\"\"VCPUs\"\":24", "Standard_NC24ads_A100_v4");
    expect_type("x_InstanceType", "g6.xlarge", "g6.xlarge");
    expect_type("ChargeDescription", "$1.624 per On Demand Linux g5.4xlarge Instance Hour", "g5.4xlarge");
    expect_type("ChargeDescription", "$0.096 per On Demand Linux m5.large Instance Hour", NULL);
    expect_type("SkuMeter", "USE2-EBSOptimized:g5.xlarge", NULL);
}
END_TEST

/* Of Google Cloud: 8 cards of a machine for half an hour, cores and memory in units of their own; the global name ends with a number. */
static const char google_head[] = "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargeClass,ChargePeriodStart,ChargePeriodEnd,"
                                  "ResourceId,ResourceName,SubAccountId,AvailabilityZone,ServiceCategory,ServiceName,ProviderName,PublisherName,"
                                  "ChargeDescription,ConsumedQuantity,ConsumedUnit,PricingUnit,x_InstanceType\n";

static void add_google(struct buf *b, const char *cost, const char *id, const char *text, const char *quantity)
{
    buf_addf(b, "%s,%s,USD,Usage,,2026-10-05T10:00:00Z,2026-10-05T11:00:00Z,%s,vm-1,p,us-central1-a,Compute,Compute Engine,Google Cloud,"
                "Google Cloud,%s,%s,a2-highgpu-8g\n", cost, cost, id, text, quantity);
}

START_TEST(rows_of_google_clouds_machines_are_their_pieces)
{
    static const char *const ids[] = {"//compute.googleapis.com/projects/p/zones/us-central1-a/instances/12345", "vm-1"};

    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct buf b = {0};
        char *got;

        buf_adds(&b, google_head);
        add_google(&b, "8", ids[i], "Nvidia Tesla A100 GPU running in Americas", "14400,seconds,hour");
        add_google(&b, "2", ids[i], "A2 Instance Core running in Americas", "172800,seconds,hour");
        add_google(&b, "1", ids[i], "A2 Instance Ram running in Americas", "7,byte-seconds,gibibyte hour");
        add_google(&b, "0.5", ids[i], "SSD backed Local Storage attached to A2 VMs", "7,byte-seconds,gibibyte month");
        ck_assert_msg(read_bytes(b.p, b.n) == 0, "%s", w.err.text);
        got = dump();
        ck_assert_str_eq(got, "p/us-central1-a/vm-1 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 11 invoiced 11 ms 1800000 on_demand "
                              "a2-highgpu-8g | gpu NVIDIA A100 40GB  8 | cpu  2 | memory  1\nattached x1 cost 0.5 invoiced 0.5\n");
        free(got);
        buf_free(&b);
    }
}
END_TEST

START_TEST(a_capacity_reservation_is_no_node)
{
    expect_type("x_UsageType", "UnusedBox:p5.48xlarge", NULL);
    ck_assert_int_eq(w.bill.group_rows[GROUP_UNUSED_COMMITMENT], 1);
    expect(ROWS({.resource = "arn:aws:ec2:us-east-1:1:capacity-reservation/cr-1", .effective = "0"}),
           "other_resources x1 cost 0 invoiced 0\n");
}
END_TEST

START_TEST(hours_that_cost_nothing_are_noticed)
{
    expect(ROWS({.effective = "0", .billed = "3"}), HOUR_10 "cost 0 invoiced 3" G5);
    ck_assert_int_eq(diag_find(&w.diag, "W105")->count, 1);
    expect(ROWS({.effective = "0.1"}), HOUR_10 "cost 0.1 invoiced 0.1" G5);
    ck_assert_ptr_eq(diag_find(&w.diag, "W105"), NULL);
}
END_TEST

/* ---- other rows on the same resource ---- */

#define TRANSFER .text = "data transfer out", .unit = "GB", .details = ""

START_TEST(rows_beside_a_node_are_attached_wherever_they_stand)
{
    expect(ROWS({TRANSFER}, {.effective = "2"}, {TRANSFER, .resource = "i-0b"}, {.text = "EBS-optimized hours", .details = ""},
                {.publisher = "Red Hat Inc."}, {.service = "Storage", .effective = "4", .details = ""}),
           HOUR_10 "cost 2 invoiced 2" G5 "other_resources x1 cost 1 invoiced 1\nattached x4 cost 7 invoiced 7\n");
}
END_TEST

START_TEST(a_provider_sells_under_several_names)
{
    expect(ROWS({.publisher = "\"Amazon Web Services, Inc.\""}), HOUR_10 "cost 1 invoiced 1" G5);
    expect(ROWS({.publisher = "AWS Marketplace"}), "other_resources x1 cost 1 invoiced 1\n");
}
END_TEST

START_TEST(attached_rows_join_the_charge_when_the_rule_says_so)
{
    w.req.attached_include = true;
    expect(ROWS({TRANSFER, .effective = "0.5"}, {.effective = "2", .quantity = "0.5"}, {TRANSFER, .from = "00", .to = "23"},
                {TRANSFER, .resource = "i-0b"}),
           "i-0a 2026-10-05T00:00:00Z/2026-10-05T23:00:00Z cost 1 invoiced 1 ms 0 correction unknown\n"
           HOUR_10 "cost 2.5 invoiced 2.5 ms 1800000 on_demand us-east-1 g5.4xlarge\n"
           "other_resources x1 cost 1 invoiced 1\n");
    ck_assert_int_eq(w.bill.files.v[0].rows, 4);
    ck_assert_int_eq(w.bill.files.v[0].rows_used, 3);
}
END_TEST

/* ---- the period ---- */

/* A day of 24, of which the period has 6 hours: a quarter. */
START_TEST(what_reaches_beyond_the_period_counts_in_proportion)
{
    w.req.period = (struct timespan){at("2026-10-05T18:00:00Z"), at("2026-10-06")};
    expect(ROWS({.from = "2026-10-05", .to = "2026-10-06", .effective = "24", .billed = "48", .quantity = "12"},
                {TRANSFER, .from = "2026-10-05", .to = "2026-10-06", .effective = "8"}, {.effective = "5"}),
           "i-0a 2026-10-05T18:00:00Z/2026-10-06T00:00:00Z cost 6 invoiced 12 ms 10800000 on_demand us-east-1 g5.4xlarge\n"
           "attached x1 cost 2 invoiced 2\n outside 29 invoiced 47");
}
END_TEST

/* A third of 0.000000000001 is nothing twice and the whole in the middle third. */
START_TEST(adjoining_periods_add_up_to_the_row)
{
    static const char *const borders[] = {"2026-10-05T10:00:00Z", "2026-10-05T10:20:00Z", "2026-10-05T10:40:00Z", "2026-10-05T11:00:00Z"};
    money sum = 0;

    for (int i = 0; i < 3; i++) {
        w.req.period = (struct timespan){at(borders[i]), at(borders[i + 1])};
        ck_assert_int_eq(read_rows(ROWS({.effective = "0.000000000001"})), 0);
        ck_assert(w.bill.charges.v[0].cost == (i == 1 ? 1 : 0));
        sum += w.bill.charges.v[0].cost;
    }
    ck_assert(sum == 1);
}
END_TEST

START_TEST(an_instant_is_inside_from_the_first_and_not_at_the_end)
{
    w.req.period = (struct timespan){at("2026-10-05T10:00:00Z"), at("2026-10-05T11:00:00Z")};
    expect(ROWS({.category = "Purchase", .from = "10", .to = "10", .effective = "1"},
                {.category = "Purchase", .from = "11", .to = "11", .effective = "2"}),
           "fee x1 cost 1 invoiced 1\n outside 2 invoiced 2");
}
END_TEST

START_TEST(the_span_of_the_rows_is_known)
{
    ck_assert_int_eq(read_rows(ROWS({.from = "11", .to = "12"}, {.category = "Tax", .from = "2026-09-30", .to = "2026-10-05"})), 0);
    ck_assert_int_eq(w.bill.rows_span.from, at("2026-09-30"));
    ck_assert_int_eq(w.bill.rows_span.to, at("2026-10-05T12:00:00Z"));
}
END_TEST

/* ---- amounts ---- */

START_TEST(a_missing_or_unreadable_amount_is_never_a_zero)
{
    refuse(ROWS({0}, {.effective = "", .billed = "1"}), 3, 3, "column \"EffectiveCost\": amount is missing");
    refuse(ROWS({.effective = "1", .billed = "NULL"}), 2, 1, "column \"BilledCost\": amount is missing");
    refuse(ROWS({.effective = "1e", .billed = "1"}), 2, 3, "column \"EffectiveCost\": \"1e\" is not a decimal number");
    refuse(ROWS({.effective = "\"12,5\"", .billed = "1"}), 2, 3, "\"12,5\" is not a decimal number");
    refuse(ROWS({.category = "Tax", .effective = "null", .billed = "1"}), 2, 3, "column \"EffectiveCost\": amount is missing");
    refuse(ROWS({.effective = "1e16", .billed = "1"}), 2, 3, "\"1e16\" is not a decimal number");
    refuse(ROWS({.quantity = "one"}), 2, 94, "column \"ConsumedQuantity\": \"one\" is not a decimal number");
    expect(ROWS({.category = "Tax", .effective = "NULL", .billed = "0"}, {.category = "Tax", .effective = "", .billed = ""}),
           "tax x2 cost 0 invoiced 0\n");
}
END_TEST

START_TEST(amounts_with_too_many_decimals_are_rounded_and_counted)
{
    expect(ROWS({.effective = "0.0000000000005", .billed = "1.0000000000015"}, {.effective = "1e-13", .billed = "0"}),
           HOUR_10 "cost 0 invoiced 1.000000000002" G5);
    ck_assert_int_eq(diag_find(&w.diag, "W205")->count, 3);
}
END_TEST

START_TEST(the_rule_chooses_the_cost_column)
{
    struct buf b = {0};

    w.req.cost = RULE_COST_BILLED;
    expect(ROWS({.effective = "1", .billed = "2"}), HOUR_10 "cost 2 invoiced 2" G5);
    w.req.cost = RULE_COST_NET_EFFECTIVE;
    expect(ROWS({.effective = "1", .billed = "2"}), HOUR_10 "cost 1 invoiced 2" G5);
    w.req.cost = RULE_COST_LIST;
    buf_adds(&b, head);
    add_row(&b, (struct row){.effective = "1"});
    refuse_text(b.p, 1, "FOCUS bill lacks the columns: ListCost");
    buf_free(&b);
}
END_TEST

START_TEST(two_currencies_are_refused)
{
    struct buf b = {0};
    char *usd;

    buf_adds(&b, head);
    add_row(&b, (struct row){0});
    add_row(&b, (struct row){0});
    usd = strstr(strstr(b.p, "USD") + 1, "USD");
    memcpy(usd, "EUR", 3);
    refuse_text(b.p, 3, "row is in EUR, rows before it are in USD");
    memcpy(usd, "   ", 3);
    refuse_text(b.p, 3, "row has an amount and no currency");
    buf_free(&b);
}
END_TEST

START_TEST(bad_times_and_categories_are_refused_with_their_place)
{
    refuse(ROWS({.to = "2026-10-05T30:00:00Z"}), 2, 37, "column \"ChargePeriodEnd\": \"2026-10-05T30:00:00Z\" is not a time");
    refuse(ROWS({.to = "10"}), 2, 37, "charge period ends no later than it starts");
    refuse(ROWS({.category = "Tax", .from = "11", .to = "10"}), 2, 35, "charge period ends no later than it starts");
    refuse(ROWS({.category = "Usages"}), 2, 9, "\"Usages\" is none of Usage, Purchase");
}
END_TEST

/* ---- files ---- */

START_TEST(earlier_names_of_columns_are_read)
{
    ck_assert_int_eq(read_bytes(LEAST LEAST_ROW, strlen(LEAST LEAST_ROW)), 0);
    ck_assert(w.bill.file_total == 2 * MONEY_ONE && w.bill.file_invoiced == MONEY_ONE);
}
END_TEST

START_TEST(a_bill_without_resources_is_read_and_said_to_have_no_nodes)
{
    static const char text[] = "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd\n"
                               "1,2,USD,Usage,2026-10-05,2026-10-06\n";

    ck_assert_int_eq(read_bytes(text, sizeof text - 1), 0);
    ck_assert_uint_eq(w.bill.charges.n, 0);
    ck_assert(w.bill.groups[GROUP_OTHER_RESOURCES] == 2 * MONEY_ONE && w.bill.file_invoiced == MONEY_ONE);
    ck_assert_ptr_ne(strstr(diag_find(&w.diag, "W107")->texts[0], "no column \"ResourceId\""), NULL);
}
END_TEST

START_TEST(files_that_are_no_bill_are_told_apart)
{
    refuse_text("", 0, "is empty");
    refuse_text("version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 3\n", 1, "is a Git LFS pointer");
    refuse_text("{\"assemblyId\": 1}\n", 1, "is JSON");
    refuse_text("BilledCost;EffectiveCost\n1;2\n", 1, "separated by semicolons");
    refuse_text("a,b\n1,2\n", 1, "names no column of any known format");
    refuse_text("EffectiveCost,BilledCost,ResourceId\n", 1,
                "nearest is FOCUS: it has BilledCost, EffectiveCost, it lacks ChargeCategory, ChargePeriodStart, "
                "ChargePeriodEnd");
    refuse_text("BilledCost,ChargePeriodStart,ChargePeriodEnd\n", 1,
                "FOCUS bill lacks the columns: EffectiveCost, ChargeCategory");
    refuse_text("BilledCost," LEAST, 1, "column \"BilledCost\" is there twice");
}
END_TEST

START_TEST(marks_blank_lines_and_repeated_headers_are_skipped)
{
    const char text[] = "\xef\xbb\xbf" LEAST "\r\n" LEAST_ROW "\n\xef\xbb\xbf" LEAST "\n" LEAST_ROW;

    ck_assert_int_eq(read_bytes(text, sizeof text - 1), 0);
    ck_assert_int_eq(w.bill.rows, 2);
}
END_TEST

/* Columns that mean nothing are not read in rows, but a header with others in their place is no repeated one. */
START_TEST(a_header_with_another_column_is_no_repeated_one)
{
    const char text[] = "\"My \"\"own\"\"\"," LEAST "x," LEAST_ROW "\"My \"\"own\"\"\"," LEAST "\"a\nb\"," LEAST_ROW;

    ck_assert_int_eq(read_bytes(text, sizeof text - 1), 0);
    ck_assert_int_eq(w.bill.rows, 2);
    refuse_text("My own," LEAST "x," LEAST_ROW "My,own," LEAST, 3, "row has 9 fields, the header 8");
    refuse_text("My own," LEAST "x," LEAST_ROW "My other," LEAST, 3, "is none of Usage, Purchase");
}
END_TEST

START_TEST(short_rows_are_filled_and_counted_but_a_cut_file_is_refused)
{
    const char short_rows[] = LEAST "1,2,USD,Usage,2026-10-05,2026-10-06\n1,2,USD,Usage,2026-10-05,2026-10-06";

    ck_assert_int_eq(read_bytes(short_rows, sizeof short_rows - 1), 0);
    ck_assert_int_eq(w.bill.group_rows[GROUP_OTHER_RESOURCES], 2);
    ck_assert_int_eq(diag_find(&w.diag, "W102")->count, 2);
    ck_assert_ptr_eq(diag_find(&w.diag, "W102")->texts[1], NULL);
    refuse_text(LEAST LEAST_ROW "1,2,USD,Usage,2026-10-05,2026-1", 3, "file ends in the middle of a row");
    refuse_text(LEAST "1,2,USD,Usage,2026-10-05,2026-10-06,r,8\n", 2, "row has 8 fields, the header 7");
}
END_TEST

START_TEST(a_header_alone_is_a_bill_without_rows)
{
    ck_assert_int_eq(read_bytes(LEAST, strlen(LEAST)), 0);
    ck_assert_int_eq(w.bill.rows, 0);
    ck_assert(w.bill.rows_span.from > w.bill.rows_span.to);
    ck_assert_ptr_ne(diag_find(&w.diag, "W103"), NULL);
}
END_TEST

START_TEST(a_last_line_without_an_end_may_be_a_cut_file)
{
    const char open_end[] = LEAST LEAST_ROW "1,2,USD,Usage,2026-10-05,2026-10-06,r", closed[] = LEAST LEAST_ROW;

    ck_assert_int_eq(read_bytes(open_end, sizeof open_end - 1), 0);
    ck_assert_int_eq(w.bill.rows, 2);
    ck_assert_ptr_ne(strstr(diag_find(&w.diag, "W100")->texts[0], "the last line (3) has no line end"), NULL);
    ck_assert_int_eq(read_bytes(closed, sizeof closed - 1), 0);
    ck_assert_ptr_eq(diag_find(&w.diag, "W100"), NULL);
}
END_TEST

START_TEST(a_bill_of_another_period_says_which)
{
    const char august[] = LEAST "1,2,USD,Usage,2026-08-05,2026-08-06,r\n1,2,USD,Tax,2026-08-01,2026-09-01,\n";
    const char a_bit[] = LEAST "1,2,USD,Tax,2026-10-31,2026-12-01,\n";

    ck_assert_int_eq(read_bytes(august, sizeof august - 1), 0);
    ck_assert_str_eq(diag_find(&w.diag, "W109")->texts[0],
                     "no row of the bill lies in the period, 2026-10-01T00:00:00Z to 2026-11-01T00:00:00Z");
    ck_assert_ptr_ne(strstr(diag_find(&w.diag, "W109")->hint, "its rows are of 2026-08-01T00:00:00Z to 2026-09-01T00:00:00Z"), NULL);
    ck_assert_int_eq(read_bytes(a_bit, sizeof a_bit - 1), 0);
    ck_assert_ptr_eq(diag_find(&w.diag, "W109"), NULL);
}
END_TEST

START_TEST(equal_bytes_under_two_names_are_refused)
{
    const char *paths[] = {path, path2};

    write_to(path, LEAST LEAST_ROW, strlen(LEAST LEAST_ROW));
    write_to(path2, LEAST LEAST_ROW, strlen(LEAST LEAST_ROW));
    ck_assert_int_eq(bill_read(paths, 2, &w.req, &w.bill, &w.err), -1);
    ck_assert_str_eq(w.err.file, path2);
    ck_assert_ptr_ne(strstr(w.err.text, path), NULL);
    renew();
    write_to(path2, LEAST LEAST_ROW LEAST_ROW, strlen(LEAST LEAST_ROW LEAST_ROW));
    ck_assert_int_eq(bill_read(paths, 2, &w.req, &w.bill, &w.err), 0);
    ck_assert_int_eq(w.bill.rows, 3);
    ck_assert_uint_eq(w.bill.files.n, 2);
    ck_assert_int_eq(w.bill.files.v[1].rows, 2);
}
END_TEST

/* What waits in one file is decided by a row in the other. */
START_TEST(a_bill_in_two_files_is_the_bill_in_one)
{
    static const struct row rows[] = {{TRANSFER, .effective = "0.5"}, {.details = "", .quantity = "0.25"}, {.effective = "2", .quantity = "0.25"}};
    const char *paths[] = {path, path2};
    char *want, *got;

    ck_assert_int_eq(read_rows(rows, 3), 0);
    want = dump();
    for (int first = 0; first < 2; first++) {
        struct buf a = {0}, b = {0};

        renew();
        buf_adds(&a, head);
        buf_adds(&b, head);
        add_row(&a, rows[0]);
        add_row(&a, rows[1]);
        add_row(&b, rows[2]);
        write_to(paths[first], a.p, a.n);
        write_to(paths[!first], b.p, b.n);
        ck_assert_int_eq(bill_read(paths, 2, &w.req, &w.bill, &w.err), 0);
        got = dump();
        ck_assert_str_eq(got, want);
        ck_assert_int_eq(w.bill.files.v[0].rows_used, 1);
        ck_assert_int_eq(w.bill.files.v[1].rows_used, 1);
        free(got);
        buf_free(&a);
        buf_free(&b);
    }
    free(want);
}
END_TEST

START_TEST(a_packed_bill_reads_like_a_plain_one)
{
    const char *paths[] = {path};
    gzFile z = gzopen(path, "wb");

    ck_assert_int_eq(gzputs(z, LEAST LEAST_ROW), (int)strlen(LEAST LEAST_ROW));
    ck_assert_int_eq(gzclose(z), Z_OK);
    ck_assert_int_eq(bill_read(paths, 1, &w.req, &w.bill, &w.err), 0);
    ck_assert_int_eq(w.bill.rows, 1);
    ck_assert_uint_eq(strlen(w.bill.files.v[0].sha256), 64);
}
END_TEST

START_TEST(usage_without_an_invoice_is_estimated)
{
#define INVOICED "InvoiceId," LEAST
    ck_assert_int_eq(read_bytes(INVOICED "7," LEAST_ROW, strlen(INVOICED "7," LEAST_ROW)), 0);
    ck_assert(w.bill.is_final);
    ck_assert_int_eq(read_bytes(INVOICED "7," LEAST_ROW "null," LEAST_ROW, strlen(INVOICED "7," LEAST_ROW "null," LEAST_ROW)), 0);
    ck_assert(!w.bill.is_final);
    ck_assert_int_eq(read_bytes(LEAST LEAST_ROW, strlen(LEAST LEAST_ROW)), 0);
    ck_assert(w.bill.is_final);
}
END_TEST

/* ---- split cost allocation: id and method, and the columns that tell rows apart ---- */

#define SPLIT "AllocatedResourceId,AllocatedMethodId,BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart," \
              "ChargePeriodEnd,ResourceId,ServiceCategory,PricingUnit,ConsumedQuantity,ConsumedUnit,SkuPriceId,SkuPriceDetails\n"
#define SPLIT_ROW(to, cost, hour, resource, quantity, sku, type) \
    to "," cost "," cost ",USD,Usage,2026-10-05T" hour ":00:00Z,2026-10-05T" hour ":59:59Z," resource ",Compute,Hours," quantity ",Hours," \
    sku "," type "\n"
#define G5_ROW(to, cost, hour, quantity) SPLIT_ROW(to, cost, hour, "i-0a", quantity, "p1", "\"{\"\"InstanceType\"\": \"\"g5.4xlarge\"\"}\"")
#define POD(name) name ",by-cpu"

static void expect_text(const char *text, const char *want)
{
    char *got;

    ck_assert_msg(read_bytes(text, strlen(text)) == 0, "%s", w.err.text);
    got = dump();
    ck_assert_msg(strcmp(got, want) == 0, "got\n%s\nwant\n%s", got, want);
    free(got);
}

#define SPLIT_HOUR "i-0a 2026-10-05T10:00:00Z/2026-10-05T10:59:59Z "

/* 0.6 + 0.3 + 0.1 (which no pod used: a method, no resource) are the machine's 1.00, and 0.5 + 0.25 + 0.2 h are 3420 s. */
START_TEST(allocated_rows_stand_for_an_origin_that_is_gone_or_zeroed)
{
#define PARTS G5_ROW(POD("pod-1"), "0.6", "10", "0.5") G5_ROW(POD("pod-2"), "0.3", "10", "0.25") G5_ROW(POD(""), "0.1", "10", "0.2")
    expect_text(SPLIT PARTS, SPLIT_HOUR "cost 1 invoiced 1 ms 3420000 unknown g5.4xlarge\n");
    expect_text(SPLIT PARTS G5_ROW(",", "0", "10", ""), SPLIT_HOUR "cost 1 invoiced 1 ms 3420000 unknown g5.4xlarge\n");
    expect_text(SPLIT PARTS SPLIT_ROW(",", "7", "10", "i-0b", "1", "p1", ""),
                SPLIT_HOUR "cost 1 invoiced 1 ms 3420000 unknown g5.4xlarge\nother_resources x1 cost 7 invoiced 7\n");
}
END_TEST

/* The same with the origin's own 1.00 beside them, before or behind, also for what is no GPU node: 1 + 4 count, 1 + 4 are excluded. */
START_TEST(allocated_rows_beside_their_origin_are_excluded)
{
#define ORIGIN G5_ROW(",", "1", "10", "0.5")
#define DISK SPLIT_ROW(",", "4", "10", "disk", "", "p2", "{InstanceType=m5.large}")
#define DISK_PART SPLIT_ROW(POD("pod-1"), "4", "10", "disk", "", "p2", "{InstanceType=m5.large}")
#define BESIDE SPLIT_HOUR "cost 1 invoiced 1 ms 1800000 unknown g5.4xlarge\nother_resources x1 cost 4 invoiced 4\n" \
               "excluded x4 cost 5 invoiced 5\n"
    expect_text(SPLIT PARTS DISK_PART ORIGIN DISK, BESIDE);
    expect_text(SPLIT DISK ORIGIN DISK_PART PARTS, BESIDE);
    ck_assert_int_eq(w.bill.files.v[0].rows_used, 1);
}
END_TEST

/* A part hour under another price is another origin. What stands beside a node is attached to it, split or not. */
START_TEST(other_rows_of_the_resource_are_no_origin)
{
    expect_text(SPLIT PARTS SPLIT_ROW(",", "2", "10", "i-0a", "0.05", "p9", "{InstanceType=g5.4xlarge}"),
                SPLIT_HOUR "cost 3 invoiced 3 ms 3599000 unknown g5.4xlarge\n");
    expect_text(SPLIT PARTS "pod-1,by-cpu,5,5,USD,Usage,2026-10-05T10:00:00Z,2026-10-05T10:59:59Z,i-0a,Storage,GB,,,p3,\n",
                SPLIT_HOUR "cost 1 invoiced 1 ms 3420000 unknown g5.4xlarge\nattached x1 cost 5 invoiced 5\n");
}
END_TEST

START_TEST(some_origins_gone_and_some_not_is_refused)
{
    const char *text = SPLIT PARTS ORIGIN G5_ROW(POD("pod-1"), "1", "11", "1");

    ck_assert_int_eq(read_bytes(text, strlen(text)), -1);
    ck_assert_int_eq(w.err.code, ERR_INPUT);
    ck_assert_ptr_ne(strstr(w.err.text, "some stand beside the row that they split"), NULL);
}
END_TEST

/* ---- other spellings ---- */

START_TEST(words_that_tools_write_for_null_are_null)
{
    static const char *const words[] = {"NULL", "null", "None", "<NA>", "\\N"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        expect(ROWS({.class = words[i], .status = words[i], .quantity = words[i], .details = words[i], .text = "Linux g5.4xlarge"}),
               HOUR_10 "cost 1 invoiced 1" G5);
    refuse(ROWS({.effective = "None"}), 2, 6, "amount is missing");
}
END_TEST

START_TEST(details_are_read_as_maps_and_as_lists_of_pairs)
{
    expect(ROWS({.details = "{InstanceType=g5.4xlarge, CoreCount=16, GpuCount=1}"}),
           HOUR_10 "cost 1 invoiced 1 ms 3600000 on_demand us-east-1 g5.4xlarge 16000000/0/1000000\n");
    expect(ROWS({.details = "[{\"\"key\"\": \"\"InstanceType\"\", \"\"value\"\": \"\"g5.4xlarge\"\"}]"}), HOUR_10 "cost 1 invoiced 1" G5);
    ck_assert_int_eq(read_rows(ROWS({.details = "{InstanceType g5.4xlarge}"})), 0);
    ck_assert_ptr_ne(diag_find(&w.diag, "W106"), NULL);
}
END_TEST

/* 1.3 names who runs and who sells a resource in new columns: software of somebody else is no instance time. */
START_TEST(providers_of_1_3_are_read)
{
#define NAMES "HostProviderName,ServiceProviderName,"
#define G5_LEAST "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ResourceId,ChargeDescription\n"
#define G5_LEAST_ROW "1,1,USD,Usage,2026-10-05T10:00:00Z,2026-10-05T11:00:00Z,i-0a,Linux g5.4xlarge\n"
    expect_text(NAMES G5_LEAST "AWS,Amazon Web Services," G5_LEAST_ROW "AWS,Acme," G5_LEAST_ROW,
                HOUR_10 "cost 1 invoiced 1 ms 3600000 unknown g5.4xlarge\nattached x1 cost 1 invoiced 1\n");
}
END_TEST

START_TEST(categories_of_drafts_are_read)
{
    expect_text("PricingCategory,ChargeSubcategory," G5_LEAST "On-Demand,," G5_LEAST_ROW "Commitment-Based,Unused Commitment," G5_LEAST_ROW,
                HOUR_10 "cost 1 invoiced 1 ms 3600000 on_demand g5.4xlarge\nunused_commitment x1 cost 1 invoiced 1\n");
}
END_TEST

/* ---- the examples of the standard ---- */

/* python3, per file: sums of Decimal(r["BilledCost"]) and of EffectiveCost over csv.DictReader, in hundredths; rows that are not blank. A
 * file that a spreadsheet rewrote is refused at its first wrong cell: "5/1/25" under ChargePeriodStart, or an hour 30. */
static const struct {
    const char *name;
    int rows, billed, effective;   /* of read files */
    int line;                      /* of refused ones */
    const char *refused;
} examples[] = {
    {"commitment_discount_purchase_scenario_1", 1, 876000, 0, 0, NULL},
    {"commitment_discount_purchase_scenario_2", 0, 0, 0, 4, "\"2023-02-01T30:00:00Z\" is not a time"},
    {"commitment_discount_purchase_scenario_3", 0, 0, 0, 5, "\"2023-02-01T30:00:00Z\" is not a time"},
    {"commitment_discount_usage_scenario_1", 1, 0, 100, 0, NULL},
    {"commitment_discount_usage_scenario_2", 1, 0, 100, 0, NULL},
    {"commitment_discount_usage_scenario_3", 2, 0, 100, 0, NULL},
    {"commitment_discount_usage_scenario_4", 2, 50, 150, 0, NULL},
    {"one_hundred_percent_utilization_with_commitment_discount_flexibility_with_1_resource", 3, 275, 275, 0, NULL},
    {"one_hundred_percent_utilization_with_commitment_discount_flexibility_with_2_resources", 3, 200, 200, 0, NULL},
    {"one_hundred_percent_utilization_without_commitment_discount_flexibility", 2, 150, 150, 0, NULL},
    {"zero_percent_utilization_without_commitment_discount_flexibility", 3, 350, 350, 0, NULL},
    {"saas_spend_agreements_a1", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"saas_spend_agreements_a2", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"saas_spend_agreements_b1", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"saas_spend_agreements_b2", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"simple_saas_agreements_a1", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"simple_saas_agreements_a2", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"simple_saas_agreements_a3", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"simple_saas_agreements_b", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"simple_saas_agreements_c", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"virtual_currency_pricing_model_a1", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"virtual_currency_pricing_model_a2", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"virtual_currency_pricing_model_b1", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"virtual_currency_pricing_model_b2", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"virtual_currency_pricing_model_b3", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
    {"virtual_currency_pricing_model_c", 0, 0, 0, 2, "\"4/1/25\" is not a time"},
};

static void example_path(struct buf *b, const char *name)
{
    buf_adds(b, __FILE__);
    while (b->n && b->p[b->n - 1] != '/')
        b->n--;
    buf_addf(b, "../data/focus/spec_examples/%s.csv", name);
}

START_TEST(an_example_of_the_standard_is_read_or_refused_at_its_cell)
{
    struct buf file = {0};
    const char *p;
    int rc;

    example_path(&file, examples[_i].name);
    p = file.p;
    ck_assert_int_eq(timespan_parse_month(span_of("2023-01"), &w.req.period), 0);
    rc = bill_read(&p, 1, &w.req, &w.bill, &w.err);
    if (examples[_i].refused) {
        ck_assert_int_eq(rc, -1);
        ck_assert_int_eq(w.err.line, examples[_i].line);
        ck_assert_ptr_ne(strstr(w.err.text, examples[_i].refused), NULL);
    } else {
        ck_assert_msg(rc == 0, "%lld: %s", (long long)w.err.line, w.err.text);
        free(dump());
        ck_assert_int_eq(w.bill.rows, examples[_i].rows);
        ck_assert(w.bill.file_invoiced == examples[_i].billed * (MONEY_ONE / 100));
        ck_assert(w.bill.file_total == examples[_i].effective * (MONEY_ONE / 100));
        ck_assert_str_eq(intern_cstr(w.names, w.bill.currency), "XXX");
        ck_assert_ptr_ne(diag_find(&w.diag, "W129"), NULL);
    }
    buf_free(&file);
}
END_TEST

START_TEST(whole_numbers_in_effective_cost_are_noticed)
{
    ck_assert_int_eq(read_rows(ROWS({.effective = "2", .billed = "1.624"}, {.effective = "0", .billed = "1"})), 0);
    ck_assert_ptr_ne(diag_find(&w.diag, "W101"), NULL);
    ck_assert_ptr_ne(strstr(diag_find(&w.diag, "W101")->hint, "cost: billed"), NULL);
    ck_assert_int_eq(read_rows(ROWS({.effective = "2", .billed = "1.624"}, {.effective = "0.5", .billed = "1"})), 0);
    ck_assert_ptr_eq(diag_find(&w.diag, "W101"), NULL);
    ck_assert_int_eq(read_rows(ROWS({.effective = "0", .billed = "1.624", .category = "Purchase"})), 0);
    ck_assert_ptr_eq(diag_find(&w.diag, "W101"), NULL);
}
END_TEST

/* ---- the public sample ---- */

static void sample_path(struct buf *b)
{
    buf_adds(b, __FILE__);
    while (b->n && b->p[b->n - 1] != '/')
        b->n--;
    buf_adds(b, "../../examples/demo/billing.csv");
}

static void read_sample(const char *file, enum rule_cost cost)
{
    renew();
    ck_assert_int_eq(timespan_parse_month(span_of("2024-09"), &w.req.period), 0);
    w.req.cost = cost;
    ck_assert_msg(bill_read(&file, 1, &w.req, &w.bill, &w.err) == 0, "%s:%lld:%lld: %s", w.err.file, (long long)w.err.line,
                  (long long)w.err.column, w.err.text);
}

static money charges_cost(void)
{
    money sum = 0;

    for (size_t i = 0; i < w.bill.charges.n; i++)
        sum += w.bill.charges.v[i].cost;
    return sum;
}

/* python3: sum(Decimal(r["BilledCost"]) for r in csv.DictReader(f)) is 20.52022672899, of the ten rows whose ChargeDescription holds
 * g5.4xlarge or g3.4xlarge 12.126483324; of EffectiveCost 14.97651418586 and 13. One Credit row of -2.6137, two Adjustment rows of
 * 0.192 and 0.08; no other row names one of the ten instances. */
START_TEST(the_public_sample_has_ten_gpu_nodes_and_adds_up)
{
    struct buf file = {0};

    sample_path(&file);
    read_sample(file.p, RULE_COST_BILLED);
    free(dump());
    ck_assert_int_eq(w.bill.rows, 1000);
    ck_assert_uint_eq(w.bill.charges.n, 10);
    ck_assert(w.bill.file_total == (money)20520226728990);
    ck_assert(charges_cost() == (money)12126483324000);
    ck_assert(w.bill.groups[GROUP_CREDIT] == (money)-2613700000000);
    ck_assert(w.bill.groups[GROUP_FEE] == (money)272000000000);
    ck_assert_int_eq(w.bill.group_rows[GROUP_OTHER_RESOURCES], 987);
    ck_assert_int_eq(w.bill.files.v[0].rows_used, 10);
    ck_assert_str_eq(intern_cstr(w.names, w.bill.currency), "USD");
    ck_assert(w.bill.is_final);
    ck_assert_str_eq(intern_cstr(w.names, w.bill.charges.v[0].resource), "i-006flle71l19b488a");
    ck_assert_str_eq(intern_cstr(w.names, charge_list_at(&w.bill.charges, 0).instance_type), "g5.4xlarge");
    ck_assert_int_eq(w.bill.charges.v[0].billed_ns, 3600000 * TIME_NS_PER_MS);
    read_sample(file.p, RULE_COST_EFFECTIVE);
    free(dump());
    ck_assert(w.bill.file_total == (money)14976514185860 && w.bill.file_invoiced == (money)20520226728990);
    ck_assert(charges_cost() == 13 * MONEY_ONE);
    buf_free(&file);
}
END_TEST

START_TEST(the_public_sample_warns_of_its_rounded_column)
{
    struct buf file = {0};

    sample_path(&file);
    read_sample(file.p, RULE_COST_BILLED);
    ck_assert_int_eq(diag_find(&w.diag, "W101")->count, 2);          /* AWS, and Oracle with 0 in all of its 7 rows */
    ck_assert_ptr_ne(strstr(diag_find(&w.diag, "W101")->texts[1], "of Oracle has whole numbers only, in all 7 rows"), NULL);
    ck_assert_ptr_ne(strstr(diag_find(&w.diag, "W101")->texts[0], "of AWS has whole numbers only, in all 942 rows"), NULL);
    buf_free(&file);
}
END_TEST

struct grid {
    struct buf text;
    struct span *cells;
    size_t rows, columns;
};

static int fill_from(void *from, char *p, size_t n, struct err *e)
{
    struct span *s = from;
    size_t take = s->n < n ? s->n : n;

    (void)e;
    if (take)
        memcpy(p, s->p, take);
    *s = (struct span){s->p + take, s->n - take};
    return (int)take;
}

static void load_grid(struct grid *g, const char *file)
{
    struct buf b = {0};
    struct err e = {0};
    struct csv_row row;
    struct span rest;
    struct csv *r;
    size_t *at_text, n = 0;

    ck_assert_int_eq(file_read(file, 16 << 20, &b, &e), 0);
    rest = buf_span(&b);
    r = csv_new(fill_from, &rest, &(struct csv_config){.name = file});
    at_text = xcalloc(100000, sizeof *at_text);
    for (g->rows = 0; csv_next(r, &row, &e) == 1; g->rows++) {
        g->columns = row.n;
        for (size_t i = 0; i < row.n; i++, n++) {
            buf_add_span(&g->text, row.fields[i]);
            at_text[n + 1] = g->text.n;
        }
    }
    g->cells = xcalloc(n, sizeof *g->cells);
    for (size_t i = 0; i < n; i++)
        g->cells[i] = (struct span){g->text.p + at_text[i], at_text[i + 1] - at_text[i]};
    free(at_text);
    csv_free(r);
    buf_free(&b);
}

static void shuffle(size_t *v, size_t n, size_t first, uint32_t *seed)
{
    for (size_t i = 0; i < n; i++)
        v[i] = i;
    for (size_t i = n - 1; i > first; i--) {
        size_t k, t = v[i];

        *seed = *seed * 1664525u + 1013904223u;
        k = first + (*seed >> 8) % (i - first + 1);
        v[i] = v[k];
        v[k] = t;
    }
}

static void write_shuffled(const struct grid *g, uint32_t *seed)
{
    size_t *rows = xcalloc(g->rows, sizeof *rows), *columns = xcalloc(g->columns, sizeof *columns);
    struct buf b = {0};

    shuffle(rows, g->rows, 1, seed);
    shuffle(columns, g->columns, 0, seed);
    for (size_t i = 0; i < g->rows; i++)
        for (size_t k = 0; k < g->columns; k++) {
            struct span s = g->cells[rows[i] * g->columns + columns[k]];

            buf_adds(&b, k ? ",\"" : "\"");
            for (size_t c = 0; c < s.n; c++) {
                buf_adds(&b, s.p[c] == '"' ? "\"" : "");
                buf_addc(&b, s.p[c]);
            }
            buf_adds(&b, k + 1 < g->columns ? "\"" : "\"\n");
        }
    write_to(path, b.p, b.n);
    buf_free(&b);
    free(rows);
    free(columns);
}

START_TEST(rows_and_columns_in_any_order_give_the_same_bill)
{
    struct buf file = {0};
    struct grid g = {0};
    uint32_t seed = 7;
    char *want;

    sample_path(&file);
    load_grid(&g, file.p);
    read_sample(file.p, RULE_COST_BILLED);
    want = dump();
    for (int i = 0; i < 10; i++) {
        char *got;

        write_shuffled(&g, &seed);
        read_sample(path, RULE_COST_BILLED);
        got = dump();
        ck_assert_str_eq(got, want);
        free(got);
    }
    free(want);
    free(g.cells);
    buf_free(&g.text);
    buf_free(&file);
}
END_TEST

/* Random small bills over few resources, types and kinds of row: all permutations drawn give one bill, under both rules for attached. */
START_TEST(random_bills_do_not_depend_on_the_order_of_rows)
{
    static const char *const resources[] = {"i-0a", "i-0b", "rack1", "arn:aws:sqs:q"};
    static const char *const details[] = {"", "", "{\"\"InstanceType\"\": \"\"g5.4xlarge\"\"}", "{\"\"InstanceType\"\": \"\"m5.large\"\"}"};
    static const char *const hours[] = {"09", "10", "11", "12"};
    uint32_t seed = 99;

    show("rack1", "2026-10-05T10:20:00Z", "2026-10-05T10:50:00Z");
    for (int round = 0; round < 60; round++) {
        struct row rows[12] = {{0}}, mixed[12];
        char *want = NULL;

        w.req.attached_include = round % 2;
        for (int i = 0; i < 12; i++) {
            uint32_t x = seed = seed * 1664525u + 1013904223u;

            rows[i] = (struct row){.resource = resources[x >> 30], .details = details[x >> 28 & 3], .from = hours[x >> 27 & 1],
                                   .to = hours[2 + (x >> 26 & 1)], .effective = x >> 25 & 1 ? "1.25" : "-3", .billed = "0.7",
                                   .unit = x >> 24 & 1 ? "Hours" : "GB", .class = x >> 23 & 1 ? "Correction" : "",
                                   .pricing = x >> 22 & 1 ? "Dynamic" : "Standard", .quantity = x >> 21 & 1 ? "0.3" : ""};
        }
        for (int p = 0; p < 6; p++) {
            size_t order[12];
            char *got;

            shuffle(order, 12, 0, &seed);
            for (int i = 0; i < 12; i++)
                mixed[i] = rows[p ? order[i] : (size_t)i];
            ck_assert_msg(read_rows(mixed, 12) == 0, "%s", w.err.text);
            got = dump();
            if (want)
                ck_assert_str_eq(got, want);
            else
                want = xstrdup(got);
            free(got);
        }
        free(want);
    }
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, rows_of_one_node_and_interval_add_up);
    tcase_add_test(t, hours_are_at_most_the_interval_and_the_interval_when_none_are_given);
    tcase_add_test(t, hours_are_added_exactly_and_rounded_once);
    tcase_add_test(t, categories_decide_before_the_resource);
    tcase_add_test(t, a_correction_has_cost_and_no_hours);
    tcase_add_test(t, a_row_without_a_type_is_its_nodes_when_another_row_tells);
    tcase_add_test(t, another_type_is_another_machine);
    tcase_add_test(t, metrics_make_a_node_of_a_resource_in_their_interval);
    tcase_add_test(t, capacity_counts_as_showing_a_gpu);
    tcase_add_test(t, labels_that_name_a_gpu_type_make_a_node);
    tcase_add_test(t, a_scale_set_is_a_node_while_one_of_its_machines_is);
    tcase_add_test(t, details_name_the_machine_of_a_scale_set);
    tcase_add_test(t, the_type_is_found_in_any_of_its_places);
    tcase_add_test(t, a_capacity_reservation_is_no_node);
    tcase_add_test(t, rows_of_google_clouds_machines_are_their_pieces);
    tcase_add_test(t, hours_that_cost_nothing_are_noticed);
    tcase_add_test(t, the_bills_own_shape_comes_along);
    tcase_add_test(t, the_purchase_option_is_that_of_the_largest_amount);
    tcase_add_test(t, rows_beside_a_node_are_attached_wherever_they_stand);
    tcase_add_test(t, a_provider_sells_under_several_names);
    tcase_add_test(t, attached_rows_join_the_charge_when_the_rule_says_so);
    tcase_add_test(t, what_reaches_beyond_the_period_counts_in_proportion);
    tcase_add_test(t, adjoining_periods_add_up_to_the_row);
    tcase_add_test(t, an_instant_is_inside_from_the_first_and_not_at_the_end);
    tcase_add_test(t, the_span_of_the_rows_is_known);
    tcase_add_test(t, a_missing_or_unreadable_amount_is_never_a_zero);
    tcase_add_test(t, amounts_with_too_many_decimals_are_rounded_and_counted);
    tcase_add_test(t, the_rule_chooses_the_cost_column);
    tcase_add_test(t, two_currencies_are_refused);
    tcase_add_test(t, bad_times_and_categories_are_refused_with_their_place);
    tcase_add_test(t, earlier_names_of_columns_are_read);
    tcase_add_test(t, a_bill_without_resources_is_read_and_said_to_have_no_nodes);
    tcase_add_test(t, files_that_are_no_bill_are_told_apart);
    tcase_add_test(t, marks_blank_lines_and_repeated_headers_are_skipped);
    tcase_add_test(t, a_header_with_another_column_is_no_repeated_one);
    tcase_add_test(t, short_rows_are_filled_and_counted_but_a_cut_file_is_refused);
    tcase_add_test(t, a_header_alone_is_a_bill_without_rows);
    tcase_add_test(t, a_last_line_without_an_end_may_be_a_cut_file);
    tcase_add_test(t, a_bill_of_another_period_says_which);
    tcase_add_test(t, equal_bytes_under_two_names_are_refused);
    tcase_add_test(t, a_bill_in_two_files_is_the_bill_in_one);
    tcase_add_test(t, a_packed_bill_reads_like_a_plain_one);
    tcase_add_test(t, usage_without_an_invoice_is_estimated);
    tcase_add_test(t, allocated_rows_stand_for_an_origin_that_is_gone_or_zeroed);
    tcase_add_test(t, allocated_rows_beside_their_origin_are_excluded);
    tcase_add_test(t, other_rows_of_the_resource_are_no_origin);
    tcase_add_test(t, some_origins_gone_and_some_not_is_refused);
    tcase_add_test(t, words_that_tools_write_for_null_are_null);
    tcase_add_test(t, details_are_read_as_maps_and_as_lists_of_pairs);
    tcase_add_test(t, providers_of_1_3_are_read);
    tcase_add_test(t, categories_of_drafts_are_read);
    tcase_add_loop_test(t, an_example_of_the_standard_is_read_or_refused_at_its_cell, 0, sizeof examples / sizeof *examples);
    tcase_add_test(t, whole_numbers_in_effective_cost_are_noticed);
    tcase_add_test(t, the_public_sample_has_ten_gpu_nodes_and_adds_up);
    tcase_add_test(t, the_public_sample_warns_of_its_rounded_column);
    tcase_add_test(t, rows_and_columns_in_any_order_give_the_same_bill);
    tcase_add_test(t, random_bills_do_not_depend_on_the_order_of_rows);
}

int main(void)
{
    Suite *s = suite_create("bill, FOCUS");
    TCase *t = tcase_create("bill");
    int rc, fd = mkstemp(path), fd2 = mkstemp(path2);

    if (fd < 0 || fd2 < 0)
        return EXIT_FAILURE;
    close(fd);
    close(fd2);
    tcase_set_timeout(t, 120);
    tcase_add_checked_fixture(t, setup, teardown);
    add_tests(t);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    unlink(path2);
    return rc;
}
