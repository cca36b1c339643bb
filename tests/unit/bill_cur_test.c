/* bill: AWS Cost and Usage Reports as charges and groups. Every small bill is written with each of the three headers and must give the
 * same text; amounts are powers of two, or prices that were added by hand, so that a row in the wrong place shows. */
#include "bill_fixture.h"
#include "gputab/source/bill_fold.h"

/* ---- reports ---- */

struct row {
    const char *type, *usage, *operation, *resource, *amount, *cost, *net, *list, *ri, *ri_net, *ri_arn, *unused_upfront, *unused_recurring,
        *net_unused_recurring, *sp, *sp_net, *sp_arn, *commitment, *used, *parent, *from, *to, *interval, *invoice, *entity, *code, *unit,
        *text, *instance, *region, *vcpu, *memory, *gpu;
};

enum style { LEGACY, ATHENA, CUR2, STYLES };

/* One column: its three names, the field of a row and what the field usually is. */
struct column {
    const char *names[STYLES];
    size_t at;
    const char *usual;
};

#define COLUMN(field, usual, legacy, snake) {{legacy, snake, snake}, offsetof(struct row, field), usual}
#define ARN(field, legacy, athena, snake) {{legacy, athena, snake}, offsetof(struct row, field), ""}

static const struct column columns[] = {
    COLUMN(type, "Usage", "lineItem/LineItemType", "line_item_line_item_type"),
    COLUMN(interval, "", "identity/TimeInterval", "identity_time_interval"),
    COLUMN(from, "10", "lineItem/UsageStartDate", "line_item_usage_start_date"),
    COLUMN(to, "11", "lineItem/UsageEndDate", "line_item_usage_end_date"),
    COLUMN(invoice, "1000001", "bill/InvoiceId", "bill_invoice_id"),
    COLUMN(entity, "AWS", "bill/BillingEntity", "bill_billing_entity"),
    COLUMN(code, "AmazonEC2", "lineItem/ProductCode", "line_item_product_code"),
    COLUMN(usage, "BoxUsage:g5.xlarge", "lineItem/UsageType", "line_item_usage_type"),
    COLUMN(operation, "RunInstances", "lineItem/Operation", "line_item_operation"),
    COLUMN(resource, "i-0a", "lineItem/ResourceId", "line_item_resource_id"),
    COLUMN(amount, "1", "lineItem/UsageAmount", "line_item_usage_amount"),
    COLUMN(cost, "1", "lineItem/UnblendedCost", "line_item_unblended_cost"),
    COLUMN(text, "", "lineItem/LineItemDescription", "line_item_line_item_description"),
    COLUMN(list, "", "pricing/publicOnDemandCost", "pricing_public_on_demand_cost"),
    COLUMN(unit, "Hrs", "pricing/unit", "pricing_unit"),
    COLUMN(ri, "", "reservation/EffectiveCost", "reservation_effective_cost"),
    ARN(ri_arn, "reservation/ReservationARN", "reservation_reservation_a_r_n", "reservation_reservation_arn"),
    COLUMN(unused_upfront, "", "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod",
           "reservation_unused_amortized_upfront_fee_for_billing_period"),
    COLUMN(unused_recurring, "", "reservation/UnusedRecurringFee", "reservation_unused_recurring_fee"),
    COLUMN(sp, "", "savingsPlan/SavingsPlanEffectiveCost", "savings_plan_savings_plan_effective_cost"),
    ARN(sp_arn, "savingsPlan/SavingsPlanARN", "savings_plan_savings_plan_a_r_n", "savings_plan_savings_plan_arn"),
    COLUMN(commitment, "", "savingsPlan/TotalCommitmentToDate", "savings_plan_total_commitment_to_date"),
    COLUMN(used, "", "savingsPlan/UsedCommitment", "savings_plan_used_commitment"),
    COLUMN(parent, "", "splitLineItem/ParentResourceId", "split_line_item_parent_resource_id"),
    COLUMN(instance, "g5.xlarge", "product/instanceType", "product_instance_type"),
    COLUMN(region, "us-east-1", "product/regionCode", "product_region_code"),
};

/* These are there only in months with a discount. */
static const struct column net_columns[] = {
    COLUMN(net, "", "lineItem/NetUnblendedCost", "line_item_net_unblended_cost"),
    COLUMN(ri_net, "", "reservation/NetEffectiveCost", "reservation_net_effective_cost"),
    COLUMN(net_unused_recurring, "", "reservation/NetUnusedRecurringFee", "reservation_net_unused_recurring_fee"),
    COLUMN(sp_net, "", "savingsPlan/NetSavingsPlanEffectiveCost", "savings_plan_net_savings_plan_effective_cost"),
};

/* These are keys of the map `product` in CUR 2.0. */
static const struct column shape_columns[] = {
    COLUMN(vcpu, "", "product/vcpu", "product_vcpu"),
    COLUMN(memory, "", "product/memory", "product_memory"),
    COLUMN(gpu, "", "product/gpu", "product_gpu"),
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool with_net;

static const char *cell(const struct row *r, const struct column *c)
{
    const char *s = *(const char *const *)(const void *)((const char *)r + c->at);

    return s ? s : c->usual;
}

/* "10" is an hour of the fifth of October, in the style of the header. */
static void add_cell(struct buf *b, const struct row *r, const struct column *c, enum style style)
{
    static const char *const forms[STYLES] = {"2026-10-05T%s:00:00Z", "2026-10-05 %s:00:00.000", "2026-10-05T%s:00:00.000Z"};
    bool is_time = c->at == offsetof(struct row, from) || c->at == offsetof(struct row, to);
    const char *s = cell(r, c);

    buf_adds(b, b->n && b->p[b->n - 1] != '\n' ? ",\"" : "\"");
    for (const char *f = is_time && strlen(s) == 2 ? forms[style] : "%s"; *f; f++)
        if (f[0] == '%' && f[1] == 's') {
            buf_adds(b, s);
            f++;
        } else
            buf_addc(b, *f);
    buf_addc(b, '"');
}

static void add_shape(struct buf *b, const struct row *r)
{
    buf_addf(b, ",\"{\"\"product_name\"\": \"\"Amazon Elastic Compute Cloud\"\", \"\"vcpu\"\": \"\"%s\"\", \"\"memory\"\": \"\"%s\"\", "
             "\"\"gpu\"\": \"\"%s\"\"}\",{}", r->vcpu ? r->vcpu : "", r->memory ? r->memory : "", r->gpu ? r->gpu : "");
}

static void add_head(struct buf *b, enum style style)
{
    for (size_t i = 0; i < COUNT(columns); i++)
        buf_addf(b, "%s%s", i ? "," : "", columns[i].names[style]);
    for (size_t i = 0; i < COUNT(net_columns) && with_net; i++)
        buf_addf(b, ",%s", net_columns[i].names[style]);
    for (size_t i = 0; i < COUNT(shape_columns) && style != CUR2; i++)
        buf_addf(b, ",%s", shape_columns[i].names[style]);
    buf_adds(b, style == CUR2 ? ",product,resource_tags" : "");
    buf_adds(b, style == LEGACY ? ",lineItem/CurrencyCode,resourceTags/user:Name\n" : ",line_item_currency_code,resource_tags_user_name\n");
}

static void add_row(struct buf *b, const struct row *r, enum style style)
{
    for (size_t i = 0; i < COUNT(columns); i++)
        add_cell(b, r, &columns[i], style);
    for (size_t i = 0; i < COUNT(net_columns) && with_net; i++)
        add_cell(b, r, &net_columns[i], style);
    for (size_t i = 0; i < COUNT(shape_columns) && style != CUR2; i++)
        add_cell(b, r, &shape_columns[i], style);
    if (style == CUR2)
        add_shape(b, r);
    buf_adds(b, ",USD,\n");
}

static int read_rows(const struct row *rows, size_t n, enum style style)
{
    struct buf b = {0};
    int rc;

    add_head(&b, style);
    for (size_t i = 0; i < n; i++)
        add_row(&b, &rows[i], style);
    rc = read_bytes(b.p, b.n);
    buf_free(&b);
    return rc;
}

#define ROWS(...) (const struct row[]){__VA_ARGS__}, sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row)

static void expect_in(enum style style, const struct row *rows, size_t n, const char *want)
{
    char *got;

    ck_assert_msg(read_rows(rows, n, style) == 0, "%s:%lld:%lld: %s", w.err.file, (long long)w.err.line, (long long)w.err.column, w.err.text);
    got = dump();
    ck_assert_msg(strcmp(got, want) == 0, "style %d: got\n%s\nwant\n%s", style, got, want);
    free(got);
}

static void expect(const struct row *rows, size_t n, const char *want)
{
    for (int style = 0; style < STYLES; style++)
        expect_in((enum style)style, rows, n, want);
}

static void expect_cost(enum rule_cost cost, const struct row *rows, size_t n, const char *want)
{
    w.req.cost = cost;
    expect(rows, n, want);
}

static void refuse(const struct row *rows, size_t n, int line, const char *want)
{
    ck_assert_int_eq(read_rows(rows, n, LEGACY), -1);
    expect_error(line, want);
}

static void expect_warning(const char *code, const char *want)
{
    const struct diag_item *d = diag_find(&w.diag, code);

    ck_assert_msg(d != NULL && strstr(d->texts[0], want) != NULL, "%s: %s", code, d ? d->texts[0] : "not there");
}

#define NODE(id) id " 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z "
#define G5(purchase) " ms 3600000 " purchase " us-east-1 g5.xlarge\n"

static void setup_cur(void)
{
    with_net = false;
    setup();
}

/* ---- names ---- */

static void folds(const char *name, const char *want)
{
    struct buf b = {0};

    bill_fold_name(&b, span_of(name));
    ck_assert_str_eq(buf_str(&b), want);
    buf_free(&b);
}

START_TEST(names_of_the_three_headers_fold_to_one)
{
    folds("lineItem/LineItemType", "line_item_line_item_type");
    folds("line_item_line_item_type", "line_item_line_item_type");
    folds("savingsPlan/SavingsPlanARN", "savings_plan_savings_plan_arn");
    folds("savings_plan_savings_plan_a_r_n", "savings_plan_savings_plan_arn");
    folds("reservation/UnusedAmortizedUpfrontFeeForBillingPeriod", "reservation_unused_amortized_upfront_fee_for_billing_period");
    folds("product/instanceType", "product_instance_type");
    folds("resourceTags/user:Cost  Center.x-Y", "resource_tags_user_cost_center_x_y");
    folds(" costCategory/Charge type ", "cost_category_charge_type");
    folds("s3Bucket", "s3_bucket");
    folds("ARNValue", "arn_value");
    folds("//__", "");
    folds("", "");
}
END_TEST

START_TEST(two_names_that_fold_to_one_column_are_one_too_many)
{
    static const char text[] = "lineItem/LineItemType,lineItem/UnblendedCost,line_item_unblended_cost,lineItem/CurrencyCode,lineItem/UsageType\n";

    ck_assert_int_eq(read_bytes(text, sizeof text - 1), -1);
    expect_error(1, "column \"lineItem/UnblendedCost\" is there twice");
}
END_TEST

START_TEST(a_report_without_its_costs_is_refused_by_name)
{
    static const char text[] = "line_item_line_item_type,line_item_usage_type,line_item_currency_code\n";

    ck_assert_int_eq(read_bytes(text, sizeof text - 1), -1);
    expect_error(1, "nearest is AWS Cost and Usage Report: it has line_item_line_item_type, line_item_currency_code, line_item_usage_type, it "
                 "lacks line_item_unblended_cost");
}
END_TEST

/* ---- instance time ---- */

START_TEST(each_kind_of_usage_has_its_cost_and_its_purchase_option)
{
    expect(ROWS({.resource = "i-0a", .cost = "1.006"},
                {.resource = "i-0b", .usage = "USE2-SpotUsage:g5.xlarge", .operation = "RunInstances:SV006", .cost = "4.021E-1"},
                {.resource = "i-0c", .type = "DiscountedUsage", .cost = "0", .ri = "0.6338", .ri_arn = "arn:aws:ec2:us-east-1:0:ri/1"},
                {.resource = "i-0d", .type = "SavingsPlanCoveredUsage", .cost = "1.006", .sp = "0.605"}),
           NODE("i-0a") "cost 1.006 invoiced 1.006" G5("on_demand")
           NODE("i-0b") "cost 0.4021 invoiced 0.4021" G5("spot")
           NODE("i-0c") "cost 0.6338 invoiced 0" G5("reserved")
           NODE("i-0d") "cost 0.605 invoiced 1.006" G5("savings_plan"));
}
END_TEST

/* An hour half covered: 0.3025 + 0.503; the negation takes the covered half's price back in the invoice, and adds no hours. */
START_TEST(a_partly_covered_hour_is_the_sum_of_its_rows)
{
    const struct row rows[] = {{.amount = "0.5", .cost = "0.503"},
                               {.type = "SavingsPlanCoveredUsage", .amount = "0.25", .cost = "0.503", .sp = "0.3025"},
                               {.type = "SavingsPlanNegation", .amount = "0.25", .cost = "-0.503"}};

    expect(rows, 3, NODE("i-0a") "cost 0.8055 invoiced 0.503 ms 2700000 on_demand us-east-1 g5.xlarge\n");
    expect_cost(RULE_COST_BILLED, rows, 3, NODE("i-0a") "cost 0.503 invoiced 0.503 ms 2700000 on_demand us-east-1 g5.xlarge\n");
}
END_TEST

/* 0.0666666667 h x 3600 s = 240.00000012 s, kept to the nanosecond. */
START_TEST(hours_are_the_usage_amount_and_not_the_interval)
{
    expect(ROWS({.amount = "0.0666666667"}), NODE("i-0a") "cost 1 invoiced 1 ms 240000.00012 on_demand us-east-1 g5.xlarge\n");
    expect(ROWS({.amount = ""}), NODE("i-0a") "cost 1 invoiced 1" G5("on_demand"));
    expect(ROWS({.unit = ""}), NODE("i-0a") "cost 1 invoiced 1" G5("on_demand"));
    expect(ROWS({.unit = "Seconds", .amount = "900"}), NODE("i-0a") "cost 1 invoiced 1 ms 900000 on_demand us-east-1 g5.xlarge\n");
    refuse(ROWS({.amount = "1e15"}), 2, "column \"lineItem/UsageAmount\": quantity is no credible time");
}
END_TEST

/* A day of which the node ran for 8 hours, and a month of which it ran for 100: 28,800 and 360,000 seconds. */
START_TEST(days_and_months_are_steps_too)
{
    expect(ROWS({.interval = "2026-10-05T00:00:00Z/2026-10-06T00:00:00Z", .amount = "8", .cost = "8"}),
           "i-0a 2026-10-05T00:00:00Z/2026-10-06T00:00:00Z cost 8 invoiced 8 ms 28800000 on_demand us-east-1 g5.xlarge\n");
    expect(ROWS({.interval = "2026-10-01T00:00:00Z/2026-11-01T00:00:00Z", .amount = "100", .cost = "8"}),
           "i-0a 2026-10-01T00:00:00Z/2026-11-01T00:00:00Z cost 8 invoiced 8 ms 360000000 on_demand us-east-1 g5.xlarge\n");
}
END_TEST

START_TEST(the_interval_is_the_reports_step_and_else_the_usage_dates)
{
    expect(ROWS({.interval = "2026-10-05T00:00:00Z/2026-10-06T00:00:00Z", .amount = "24"}),
           "i-0a 2026-10-05T00:00:00Z/2026-10-06T00:00:00Z cost 1 invoiced 1 ms 86400000 on_demand us-east-1 g5.xlarge\n");
    expect(ROWS({.interval = "2026-10-01T00:00:00Z/2026-11-01T00:00:00Z", .amount = "100"}),
           "i-0a 2026-10-01T00:00:00Z/2026-11-01T00:00:00Z cost 1 invoiced 1 ms 360000000 on_demand us-east-1 g5.xlarge\n");
    expect(ROWS({.from = "09", .to = "11"}), "i-0a 2026-10-05T09:00:00Z/2026-10-05T11:00:00Z cost 1 invoiced 1" G5("on_demand"));
    refuse(ROWS({.interval = "2026-10-05T00:00:00Z"}), 2, "column \"identity/TimeInterval\": \"2026-10-05T00:00:00Z\" is not two times");
    refuse(ROWS({.interval = "2026-10-05T00:00:00Z/2026-10-05T00:00:00Z"}), 2, "ends no later than it starts");
    refuse(ROWS({.from = ""}), 2, "column \"lineItem/UsageStartDate\": is empty");
    refuse(ROWS({.to = "05/10/2026"}), 2, "column \"lineItem/UsageEndDate\": \"05/10/2026\" is not a time");
}
END_TEST

START_TEST(the_type_is_the_products_or_the_meters_or_the_descriptions)
{
    expect(ROWS({.instance = "", .usage = "APN1-SpotUsage:p4d.24xlarge"}),
           NODE("i-0a") "cost 1 invoiced 1 ms 3600000 spot us-east-1 p4d.24xlarge\n");
    expect(ROWS({.instance = "NA", .usage = "SpotUsage", .text = "g5.xlarge Linux/UNIX Spot Instance-hour in US East"}),
           NODE("i-0a") "cost 1 invoiced 1" G5("spot"));
    expect(ROWS({.usage = "USE2-DedicatedUsage:g5.xlarge", .region = ""}),
           NODE("i-0a") "cost 1 invoiced 1 ms 3600000 on_demand g5.xlarge\n");
}
END_TEST

START_TEST(the_products_shape_comes_along)
{
    expect(ROWS({.vcpu = "192", .memory = "1,952 GiB", .gpu = "8"}),
           NODE("i-0a") "cost 1 invoiced 1 ms 3600000 on_demand us-east-1 g5.xlarge 192000000/1952000000/8000000\n");
    expect(ROWS({.vcpu = "NA", .memory = "None", .gpu = "N/A"}), NODE("i-0a") "cost 1 invoiced 1" G5("on_demand"));
    expect(ROWS({.instance = "own.2gpu", .usage = "BoxUsage:own.2gpu", .gpu = "2"}),
           NODE("i-0a") "cost 1 invoiced 1 ms 3600000 on_demand us-east-1 own.2gpu 0/0/2000000\n");
}
END_TEST

#define LEAST "line_item_line_item_type,line_item_unblended_cost,line_item_currency_code,line_item_usage_type,line_item_usage_start_date," \
              "line_item_usage_end_date,line_item_resource_id,product\n"
#define LEAST_ROW(product) "Usage,1,USD,USE1-BoxUsage,2026-10-05 10:00:00,2026-10-05 11:00:00,i-0a," product "\n"

static void expect_least(const char *text, const char *want)
{
    char *got;

    ck_assert_msg(read_bytes(text, strlen(text)) == 0, "%s", w.err.text);
    got = dump();
    ck_assert_str_eq(got, want);
    free(got);
}

START_TEST(a_few_columns_are_enough_and_the_map_tells_the_rest)
{
    expect_least(LEAST LEAST_ROW("\"{\"\"instance_type\"\":\"\"g5.xlarge\"\",\"\"region\"\":\"\"eu-west-1\"\"}\""),
                 NODE("i-0a") "cost 1 invoiced 1 ms 3600000 on_demand eu-west-1 g5.xlarge\n");
    ck_assert(w.bill.is_final);
    expect_least(LEAST LEAST_ROW("\"{'instance_type': 'g5.xlarge', 'gpu': None}\""),
                 NODE("i-0a") "cost 1 invoiced 1 ms 3600000 on_demand g5.xlarge\n");
    expect_least(LEAST LEAST_ROW("[1"), "other_resources x1 cost 1 invoiced 1\n");
    expect_warning("W106", "cells of column \"product\" are no JSON object");
}
END_TEST

/* ---- beside the node ---- */

START_TEST(other_rows_on_the_instance_are_attached)
{
    expect(ROWS({.cost = "1"},
                {.cost = "2", .usage = "DataTransfer-Regional-Bytes", .operation = "InterZone-In", .unit = "GB", .amount = "12.5"},
                {.cost = "4", .usage = "EBSOptimized:g5.xlarge", .operation = ""},
                {.cost = "8", .usage = "CPUCredits:g5", .operation = "RunInstances", .unit = "vCPU-Hours"},
                {.cost = "16", .usage = "BoxUsage:g5.xlarge", .entity = "AWS Marketplace",
                 .resource = "arn:aws:ec2:us-east-1:000111222333:instance/i-0a"},
                {.cost = "32", .usage = "BoxUsage:g5.xlarge", .code = "ElasticMapReduce"},
                {.cost = "64", .resource = "vol-1", .usage = "EBS:VolumeUsage.gp3", .operation = "CreateVolume-Gp3", .unit = "GB-Mo"},
                {.cost = "128", .resource = "i-0f", .usage = "BoxUsage:m5.large", .instance = "m5.large"}),
           NODE("i-0a") "cost 1 invoiced 1" G5("on_demand") "other_resources x2 cost 192 invoiced 192\nattached x5 cost 62 invoiced 62\n");
}
END_TEST

START_TEST(split_rows_repeat_a_node_and_count_nowhere)
{
    expect(ROWS({.cost = "1"},
                {.cost = "2", .usage = "USE1-EKS-EC2-vCPU-Hours", .operation = "EKSPod-EC2", .resource = "arn:aws:eks:us-east-1:0:pod/c/n/p/u"},
                {.cost = "", .usage = "USE1-ECS-EC2-GB-Hours", .operation = "", .parent = "i-0a", .resource = "arn:aws:ecs:us-east-1:0:task/t",
                 .invoice = ""},
                {.cost = "4", .usage = "EUC1-EKS-EC2-GPU-Hours", .operation = "", .resource = "arn:aws:eks:eu-central-1:0:pod/c/n/p/u"}),
           NODE("i-0a") "cost 1 invoiced 1" G5("on_demand") "excluded x3 cost 6 invoiced 6\n");
    ck_assert(w.bill.file_total == MONEY_ONE && w.bill.is_final);
}
END_TEST

/* ---- commitments, fees, tax ---- */

static const struct row commitments[] = {
    {.type = "SavingsPlanRecurringFee", .usage = "ComputeSP:1yrNoUpfront", .resource = "", .cost = "1", .commitment = "1", .used = "0.8"},
    {.type = "RIFee", .usage = "HeavyUsage:g5.xlarge", .resource = "", .cost = "471.5472", .unused_upfront = "0", .unused_recurring = "1.2676"},
    {.type = "SavingsPlanUpfrontFee", .resource = "", .cost = "16", .sp_arn = "arn:aws:savingsplans::0:savingsplan/1"},
    {.type = "Fee", .resource = "", .usage = "", .cost = "32", .ri_arn = "arn:aws:ec2:us-east-1:0:reserved-instances/1"},
    {.type = "Fee", .resource = "", .usage = "", .cost = "64"},
    {.type = "Refund", .resource = "", .usage = "", .cost = "-128", .text = "Refund for one-time fee for Savings Plan ID 1"},
    {.type = "Refund", .resource = "", .usage = "", .cost = "-256"},
    {.type = "Tax", .resource = "", .usage = "", .cost = "3.20"},
    {.type = "Credit", .cost = "-2.50"},
};

/* Unused: 1 - 0.8 + 1.2676. Invoiced: the fees themselves. */
START_TEST(what_pays_for_commitments_counts_as_far_as_it_was_not_used)
{
    expect(commitments, COUNT(commitments),
           "tax x1 cost 3.2 invoiced 3.2\ncredit x1 cost -2.5 invoiced -2.5\nrefund x2 cost -256 invoiced -384\n"
           "fee x3 cost 64 invoiced 112\nunused_commitment x2 cost 1.4676 invoiced 472.5472\n");
}
END_TEST

static const struct row whole_commitments[] = {
    {.type = "SavingsPlanCoveredUsage", .cost = "1.6", .sp = "0.8"},
    {.type = "SavingsPlanNegation", .cost = "-1.6"},
    {.type = "SavingsPlanRecurringFee", .usage = "ComputeSP:1yrNoUpfront", .resource = "", .cost = "1", .commitment = "1", .used = "0.8"},
    {.type = "DiscountedUsage", .cost = "0", .ri = "0.6338", .resource = "i-0b"},
    {.type = "DiscountedUsage", .cost = "0", .ri = "0.6338", .resource = "i-0c"},
    {.type = "DiscountedUsage", .cost = "0", .ri = "0.6338", .resource = "i-0d"},
    {.type = "RIFee", .usage = "HeavyUsage:g5.xlarge", .resource = "", .cost = "3.169", .unused_recurring = "1.2676"},
};

/* A plan of 1 an hour that was used for 0.8, and a reservation of 5 x 0.6338 of which 3 were used: what was used and what was not are the
 * fees, 1 + 3.169, and a negation takes away the price on demand. */
START_TEST(used_and_unused_commitments_are_the_fees)
{
    for (int style = 0; style < STYLES; style++) {
        ck_assert_int_eq(read_rows(whole_commitments, COUNT(whole_commitments), (enum style)style), 0);
        ck_assert(w.bill.file_total == 4169 * (MONEY_ONE / 1000));
        ck_assert(w.bill.file_invoiced == w.bill.file_total);
        ck_assert(w.bill.groups[GROUP_UNUSED_COMMITMENT] == 14676 * (MONEY_ONE / 10000));
    }
}
END_TEST

/* 1 + 471.5472 + 16 + 32 + 64 = 584.5472. */
START_TEST(as_invoiced_the_payments_are_fees_and_the_total_is_the_invoice)
{
    expect_cost(RULE_COST_BILLED, commitments, COUNT(commitments),
                "tax x1 cost 3.2 invoiced 3.2\ncredit x1 cost -2.5 invoiced -2.5\nrefund x2 cost -384 invoiced -384\n"
                "fee x5 cost 584.5472 invoiced 584.5472\n");
}
END_TEST

START_TEST(a_fee_that_does_not_say_what_was_unused_is_refused)
{
    refuse(ROWS({.type = "RIFee", .cost = "2"}), 2, "column \"reservation/UnusedRecurringFee\": amount is missing, and a row of type RIFee");
    refuse(ROWS({.type = "SavingsPlanRecurringFee", .cost = "2"}), 2, "column \"savingsPlan/TotalCommitmentToDate\": amount is missing");
    refuse(ROWS({.type = "SavingsPlanRecurringFee", .cost = "2", .commitment = "2"}), 2, "column \"savingsPlan/UsedCommitment\"");
    expect(ROWS({.type = "RIFee", .cost = "0"}, {.type = "RIFee", .cost = "2", .unused_recurring = "0.5"}),
           "unused_commitment x2 cost 0.5 invoiced 2\n");
}
END_TEST

START_TEST(unused_capacity_is_an_unused_commitment_and_a_reservation_is_no_node)
{
    const char *cr = "arn:aws:ec2:us-east-1:0:capacity-reservation/cr-1";

    expect(ROWS({.cost = "1"}, {.cost = "2", .usage = "USE2-UnusedBox:g5.xlarge", .resource = cr},
                {.cost = "4", .usage = "UnusedDed:g5.xlarge", .resource = cr}, {.cost = "0", .usage = "Reservation:g5.xlarge", .resource = cr},
                {.type = "SavingsPlanNegation", .cost = "-2", .usage = "USE2-UnusedBox:g5.xlarge", .resource = cr}),
           NODE("i-0a") "cost 1 invoiced 1" G5("on_demand") "other_resources x1 cost 0 invoiced 0\nunused_commitment x3 cost 6 invoiced 4\n");
}
END_TEST

START_TEST(a_capacity_block_is_a_fee_and_its_free_hours_are_noticed)
{
    expect(ROWS({.cost = "0", .usage = "USE2-BoxUsage:p5.48xlarge", .instance = "p5.48xlarge"},
                {.cost = "996.67", .usage = "USE2-CapacityBlockFee:p5.48xlarge", .resource = "cr-1", .type = "Fee"},
                {.cost = "-96.67", .usage = "USE2-CapacityBlockFee:p5.48xlarge", .resource = "cr-1", .type = "Usage"}),
           NODE("i-0a") "cost 0 invoiced 0 ms 3600000 on_demand us-east-1 p5.48xlarge\nfee x2 cost 900 invoiced 900\n");
    expect_warning("W105", "i-0a");
}
END_TEST

START_TEST(an_unknown_line_item_type_is_kept_and_said)
{
    expect(ROWS({.type = "GalacticDiscount", .cost = "-3"}), "fee x1 cost -3 invoiced -3\n");
    expect_warning("W108", "unknown line item type \"GalacticDiscount\"");
    refuse(ROWS({0}, {.type = ""}), 3, "column \"lineItem/LineItemType\": line item type is missing");
}
END_TEST

/* ---- discounts and net columns ---- */

static const struct row discounted[] = {
    {.cost = "10", .net = "9"},
    {.type = "EdpDiscount", .cost = "-1", .amount = "1"},
    {.type = "PrivateRateDiscount", .cost = "-2", .usage = "DataTransfer-Out-Bytes", .operation = "RunInstances", .unit = "GB"},
    {.type = "DiscountedUsage", .cost = "0", .ri = "5", .ri_net = "4", .resource = "i-0b"},
    {.type = "SavingsPlanCoveredUsage", .cost = "8", .sp = "6", .sp_net = "5.5", .resource = "i-0c"},
    {.type = "SavingsPlanCoveredUsage", .cost = "8", .sp = "6", .resource = "i-0d"},
    {.type = "RIFee", .cost = "7", .unused_recurring = "3", .net_unused_recurring = "2.5", .resource = ""},
};

/* 10 for i-0a, and -1 and -2 apart. */
START_TEST(discount_rows_are_credits_and_on_no_node)
{
    with_net = true;
    expect(discounted, COUNT(discounted),
           NODE("i-0a") "cost 10 invoiced 10" G5("on_demand") NODE("i-0b") "cost 5 invoiced 0" G5("reserved")
           NODE("i-0c") "cost 6 invoiced 8" G5("savings_plan") NODE("i-0d") "cost 6 invoiced 8" G5("savings_plan")
           "credit x2 cost -3 invoiced -3\nunused_commitment x1 cost 3 invoiced 7\n");
}
END_TEST

/* Net columns hold the discounts: their rows are 0. Where a net cell is empty the gross one stands. */
START_TEST(net_columns_hold_the_discounts_already)
{
    with_net = true;
    expect_cost(RULE_COST_NET_EFFECTIVE, discounted, COUNT(discounted),
                NODE("i-0a") "cost 9 invoiced 9" G5("on_demand") NODE("i-0b") "cost 4 invoiced 0" G5("reserved")
                NODE("i-0c") "cost 5.5 invoiced 8" G5("savings_plan") NODE("i-0d") "cost 6 invoiced 8" G5("savings_plan")
                "attached x1 cost 0 invoiced -2\nunused_commitment x1 cost 2.5 invoiced 7\n");
}
END_TEST

/* Without a discount no month has net columns. */
START_TEST(without_net_columns_and_discounts_gross_is_net)
{
    expect_cost(RULE_COST_NET_EFFECTIVE, ROWS({.cost = "10"}, {.type = "EdpDiscount", .cost = "0"}),
                NODE("i-0a") "cost 10 invoiced 10" G5("on_demand"));
}
END_TEST

START_TEST(net_columns_that_are_missing_are_named)
{
    static const char some[] = "lineItem/LineItemType,lineItem/UnblendedCost,lineItem/CurrencyCode,lineItem/UsageType,"
                               "lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/ResourceId,lineItem/NetUnblendedCost,savingsPlan/SavingsPlanEffectiveCost\n"
                               "Usage,2,USD,BoxUsage:g5.xlarge,2026-10-05,2026-10-06,i-0a,1,\n"
                               "SavingsPlanCoveredUsage,2,USD,BoxUsage:g5.xlarge,2026-10-05,2026-10-06,i-0a,1,0\n"
                               "SavingsPlanCoveredUsage,2,USD,BoxUsage:g5.xlarge,2026-10-05,2026-10-06,i-0a,1,1.5\n";

    w.req.cost = RULE_COST_NET_EFFECTIVE;
    ck_assert_int_eq(read_rows(discounted, COUNT(discounted), LEGACY), -1);
    expect_error(3, "column \"line_item_net_unblended_cost\": there is no such column, and the net cost of a row of type EdpDiscount");
    ck_assert_ptr_ne(strstr(w.err.hint, "cost: effective"), NULL);
    ck_assert_int_eq(read_bytes(some, sizeof some - 1), -1);
    expect_error(4, "column \"savings_plan_net_savings_plan_effective_cost\": there is no such column");
}
END_TEST

START_TEST(bundled_discounts_are_the_nodes_too)
{
    expect(ROWS({.cost = "10"}, {.type = "BundledDiscount", .cost = "-4"}, {.type = "EdpDiscount", .cost = "-1", .resource = "", .usage = ""}),
           NODE("i-0a") "cost 6 invoiced 6" G5("on_demand") "credit x1 cost -1 invoiced -1\n");
}
END_TEST

/* ---- the asked-for cost ---- */

START_TEST(the_list_cost_is_the_public_price_of_usage)
{
    expect_cost(RULE_COST_LIST,
                ROWS({.cost = "1", .list = "2"}, {.type = "SavingsPlanCoveredUsage", .cost = "3", .sp = "1", .list = "3"},
                     {.type = "SavingsPlanNegation", .cost = "-3", .list = "3"}, {.type = "RIFee", .cost = "7", .list = "7"},
                     {.type = "Tax", .cost = "5", .list = ""}),
                NODE("i-0a") "cost 5 invoiced 1" G5("savings_plan") "tax x1 cost 0 invoiced 5\nunused_commitment x1 cost 0 invoiced 7\n");
    refuse(ROWS({.list = "2"}, {.list = ""}), 3, "column \"pricing/publicOnDemandCost\": amount is missing, and a row of type Usage needs it");
}
END_TEST

/* 2 for the hour on demand and 3 for the covered one; the negation is no usage. Known of some rows only, it is known of none. */
START_TEST(a_charge_carries_its_list_cost_where_asked)
{
    w.req.list = true;
    expect(ROWS({.cost = "1", .list = "2"}, {.type = "SavingsPlanCoveredUsage", .cost = "3", .sp = "1.5", .list = "3"},
                {.type = "SavingsPlanNegation", .cost = "-3", .list = "3"}),
           NODE("i-0a") "cost 2.5 invoiced 1 list 5" G5("savings_plan"));
    expect(ROWS({.cost = "1", .list = "2"}, {.cost = "1", .list = ""}), NODE("i-0a") "cost 2 invoiced 2" G5("on_demand"));
    expect(ROWS({.cost = "1", .list = "2"}, {.cost = "1", .list = "0"}), NODE("i-0a") "cost 2 invoiced 2" G5("on_demand"));
    refuse(ROWS({.list = "dear"}), 2, "column \"pricing/publicOnDemandCost\": \"dear\" is not a decimal number");
    w.req.list = false;
    expect(ROWS({.cost = "1", .list = "dear"}), NODE("i-0a") "cost 1 invoiced 1" G5("on_demand"));
}
END_TEST

START_TEST(a_list_cost_without_its_column_is_refused)
{
    static const char text[] = LEAST LEAST_ROW("");

    w.req.cost = RULE_COST_LIST;
    ck_assert_int_eq(read_bytes(text, sizeof text - 1), -1);
    expect_error(1, "AWS Cost and Usage Report bill lacks the columns: pricing_public_on_demand_cost");
}
END_TEST

START_TEST(a_missing_amount_is_never_a_zero)
{
    refuse(ROWS({.cost = ""}), 2, "column \"lineItem/UnblendedCost\": amount is missing");
    refuse(ROWS({.cost = "1,5"}), 2, "column \"lineItem/UnblendedCost\": \"1,5\" is not a decimal number");
    refuse(ROWS({.type = "DiscountedUsage", .cost = "0"}), 2, "column \"reservation/EffectiveCost\": amount is missing");
    refuse(ROWS({.type = "SavingsPlanCoveredUsage"}), 2, "column \"savingsPlan/SavingsPlanEffectiveCost\": amount is missing");
    refuse(ROWS({.type = "Tax", .cost = ""}), 2, "column \"lineItem/UnblendedCost\": amount is missing");
    ck_assert_str_eq(w.err.hint, "");
}
END_TEST

START_TEST(an_amount_whose_column_is_not_there_is_refused_with_a_way_out)
{
    static const char text[] = LEAST "SavingsPlanCoveredUsage,1,USD,BoxUsage:g5.xlarge,2026-10-05,2026-10-06,i-0a,\n";

    ck_assert_int_eq(read_bytes(text, sizeof text - 1), -1);
    expect_error(2, "column \"savings_plan_savings_plan_effective_cost\": amount is missing");
    ck_assert_ptr_ne(strstr(w.err.hint, "write cost: billed in the rule"), NULL);
}
END_TEST

/* ---- files ---- */

START_TEST(a_row_without_an_invoice_makes_the_bill_an_estimate)
{
    expect(ROWS({.cost = "1"}), NODE("i-0a") "cost 1 invoiced 1" G5("on_demand"));
    ck_assert(w.bill.is_final);
    expect(ROWS({.cost = "1"}, {.type = "Tax", .cost = "2", .invoice = ""}),
           NODE("i-0a") "cost 1 invoiced 1" G5("on_demand") "tax x1 cost 2 invoiced 2\n");
    ck_assert(!w.bill.is_final);
    expect(ROWS({.cost = "1"}, {.type = "Tax", .cost = "2", .invoice = "", .from = "2026-11-01T00:00:00Z", .to = "2026-11-02T00:00:00Z"}),
           NODE("i-0a") "cost 1 invoiced 1" G5("on_demand") " outside 2 invoiced 2");
    ck_assert(w.bill.is_final);
}
END_TEST

START_TEST(columns_stand_in_any_order_and_the_head_may_be_one_too_long)
{
    static const char text[] = "lineItem/UsageType,lineItem/ResourceId,lineItem/UsageEndDate,lineItem/UnblendedCost,"
                               "pricing/OfferingClasspricing/PurchaseOption,lineItem/CurrencyCode,lineItem/UsageStartDate,"
                               "lineItem/LineItemType,resourceTags/user:x\n"
                               "BoxUsage:g5.xlarge,i-0a,2026-10-05T11:00:00Z,1,,USD,2026-10-05 10:00:00.000,Usage\n";

    expect_least(text, NODE("i-0a") "cost 1 invoiced 1 ms 3600000 on_demand g5.xlarge\n");
    expect_warning("W102", "rows have fewer fields than the header, the first on line 2");
}
END_TEST

static void read_sample(enum rule_cost cost)
{
    struct buf file = {0};
    const char *name;

    buf_adds(&file, __FILE__);
    while (file.n && file.p[file.n - 1] != '/')
        file.n--;
    buf_adds(&file, "../data/aws-cur/no-resources.csv.gz");
    name = file.p;
    renew();
    w.req.cost = cost;
    ck_assert_int_eq(timespan_parse_month(span_of("2023-11"), &w.req.period), 0);
    ck_assert_msg(bill_read(&name, 1, &w.req, &w.bill, &w.err) == 0, "%s:%lld: %s", w.err.file, (long long)w.err.line, w.err.text);
    free(dump());
    buf_free(&file);
}

/* python3: sum(Decimal(r["lineItem/UnblendedCost"]) for r in csv.DictReader(f)) is 1.68230869740: 12 rows of Tax with 0.08, and 1269 of
 * Usage with 1.60230869740; of pricing/publicOnDemandCost Usage has 3.35617269490 and Tax none. All invoice ids are empty. */
START_TEST(the_public_sample_has_no_resources_and_adds_up)
{
    read_sample(RULE_COST_EFFECTIVE);
    ck_assert_int_eq(w.bill.rows, 1281);
    ck_assert_uint_eq(w.bill.charges.n, 0);
    ck_assert(w.bill.file_total == (money)1682308697400 && w.bill.file_invoiced == w.bill.file_total);
    ck_assert(w.bill.groups[GROUP_TAX] == (money)80000000000);
    ck_assert_int_eq(w.bill.group_rows[GROUP_TAX], 12);
    ck_assert(w.bill.groups[GROUP_OTHER_RESOURCES] == (money)1602308697400);
    ck_assert(!w.bill.is_final);
    expect_warning("W107", "there is no column \"line_item_resource_id\": none of its rows can be joined to a node");
    ck_assert_ptr_ne(strstr(diag_find(&w.diag, "W107")->hint, "INCLUDE RESOURCES"), NULL);
    read_sample(RULE_COST_LIST);
    ck_assert(w.bill.file_total == (money)3356172694900 && w.bill.file_invoiced == (money)1682308697400);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, names_of_the_three_headers_fold_to_one);
    tcase_add_test(t, two_names_that_fold_to_one_column_are_one_too_many);
    tcase_add_test(t, a_report_without_its_costs_is_refused_by_name);
    tcase_add_test(t, each_kind_of_usage_has_its_cost_and_its_purchase_option);
    tcase_add_test(t, a_partly_covered_hour_is_the_sum_of_its_rows);
    tcase_add_test(t, hours_are_the_usage_amount_and_not_the_interval);
    tcase_add_test(t, days_and_months_are_steps_too);
    tcase_add_test(t, the_interval_is_the_reports_step_and_else_the_usage_dates);
    tcase_add_test(t, the_type_is_the_products_or_the_meters_or_the_descriptions);
    tcase_add_test(t, the_products_shape_comes_along);
    tcase_add_test(t, a_few_columns_are_enough_and_the_map_tells_the_rest);
    tcase_add_test(t, other_rows_on_the_instance_are_attached);
    tcase_add_test(t, split_rows_repeat_a_node_and_count_nowhere);
    tcase_add_test(t, what_pays_for_commitments_counts_as_far_as_it_was_not_used);
    tcase_add_test(t, used_and_unused_commitments_are_the_fees);
    tcase_add_test(t, as_invoiced_the_payments_are_fees_and_the_total_is_the_invoice);
    tcase_add_test(t, a_fee_that_does_not_say_what_was_unused_is_refused);
    tcase_add_test(t, unused_capacity_is_an_unused_commitment_and_a_reservation_is_no_node);
    tcase_add_test(t, a_capacity_block_is_a_fee_and_its_free_hours_are_noticed);
    tcase_add_test(t, an_unknown_line_item_type_is_kept_and_said);
    tcase_add_test(t, discount_rows_are_credits_and_on_no_node);
    tcase_add_test(t, net_columns_hold_the_discounts_already);
    tcase_add_test(t, without_net_columns_and_discounts_gross_is_net);
    tcase_add_test(t, net_columns_that_are_missing_are_named);
    tcase_add_test(t, bundled_discounts_are_the_nodes_too);
    tcase_add_test(t, the_list_cost_is_the_public_price_of_usage);
    tcase_add_test(t, a_list_cost_without_its_column_is_refused);
    tcase_add_test(t, a_charge_carries_its_list_cost_where_asked);
    tcase_add_test(t, a_missing_amount_is_never_a_zero);
    tcase_add_test(t, an_amount_whose_column_is_not_there_is_refused_with_a_way_out);
    tcase_add_test(t, a_row_without_an_invoice_makes_the_bill_an_estimate);
    tcase_add_test(t, columns_stand_in_any_order_and_the_head_may_be_one_too_long);
    tcase_add_test(t, the_public_sample_has_no_resources_and_adds_up);
}

int main(void)
{
    Suite *s = suite_create("bill, AWS");
    TCase *t = tcase_create("bill");
    int rc, fd = mkstemp(path);

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_checked_fixture(t, setup_cur, teardown);
    add_tests(t);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
