/* bill_text: a made bill of a large account, as CSV.
 *
 *     bill_text cur|focus BYTES [ONE_IN NODES] > bill.csv
 *
 * writes whole rows until there are BYTES of them; the same bytes for the same arguments. cur: 130 columns, about 1 KB a row, with JSON and
 * quoted cells, as AWS writes them; focus: 48 columns. One row in ONE_IN (100) is an hour of a GPU node, one node after the other, again
 * from the first one after NODES (64); their ids begin with GPU_NODE. Standard error gets one line of JSON: what readers have to find. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GPU_NODE "i-09f"

enum { HOURS = 31 * 24, DECIMALS = 10, ROW_MAX = 8192 };

/* Cells that are not drawn from a list. */
enum special { LISTED, ID, INTERVAL, START, END, TYPE, PRODUCT, USAGE_TYPE, OPERATION, UNIT, DESCRIPTION, RESOURCE, QUANTITY, COST,
     LIST_COST,
               INSTANCE_TYPE, DETAILS, NUMBER };

struct column {
    const char *name;
    const char *cells;             /* with | between them, drawn evenly; as CSV */
    enum special special;
};

#define JSON_TAGS                                                                                                                      \
    "\"{\"\"user_team\"\": \"\"search\"\", \"\"user_env\"\": \"\"prod\"\", \"\"aws_created_by\"\": \"\"AssumedRole:AROA\"\"}\"|"       \
    "\"{\"\"user_team\"\": \"\"ads\"\", \"\"user_cost_center\"\": \"\"4711\"\"}\"|{}|{}"
#define JSON_PRODUCT                                                                                                                   \
    "\"{\"\"product_name\"\": \"\"Amazon Elastic Compute Cloud\"\", \"\"vcpu\"\": \"\"16\"\", \"\"memory\"\": \"\"64 GiB\"\"}\"|"      \
    "\"{\"\"product_name\"\": \"\"Amazon Simple Storage Service\"\", \"\"durability\"\": \"\"99.999999999%\"\"}\"|{}"

static const struct column cur[] = {
    {"identity_line_item_id", NULL, ID}, {"identity_time_interval", NULL, INTERVAL},
    {"bill_invoice_id", "EUINGB26-1234567", LISTED}, {"bill_invoicing_entity", "\"Amazon Web Services, Inc.\"", LISTED},
    {"bill_billing_entity", "AWS", LISTED}, {"bill_bill_type", "Anniversary", LISTED}, {"bill_payer_account_id", "012345678901", LISTED},
    {"bill_billing_period_start_date", "2026-10-01T00:00:00Z", LISTED}, {"bill_billing_period_end_date", "2026-11-01T00:00:00Z", LISTED},
    {"line_item_usage_account_id", "100000000001|100000000002|100000000003|099999999999", LISTED},
    {"line_item_line_item_type", NULL, TYPE}, {"line_item_usage_start_date", NULL, START}, {"line_item_usage_end_date", NULL, END},
    {"line_item_product_code", NULL, PRODUCT}, {"line_item_usage_type", NULL, USAGE_TYPE}, {"line_item_operation", NULL, OPERATION},
    {"line_item_availability_zone", "us-east-1a|us-east-1b|eu-west-1c|", LISTED}, {"line_item_resource_id", NULL, RESOURCE},
    {"line_item_usage_amount", NULL, QUANTITY}, {"line_item_normalization_factor", "|8.0|128.0", LISTED},
    {"line_item_normalized_usage_amount", "|8.0|128.0", LISTED}, {"line_item_currency_code", "USD", LISTED},
    {"line_item_unblended_rate", "0.0230000000|1.6240000000|0.0000004000", LISTED}, {"line_item_unblended_cost", NULL, COST},
    {"line_item_blended_rate", "0.0230000000|1.6240000000|", LISTED}, {"line_item_blended_cost", NULL, LIST_COST},
    {"line_item_line_item_description", NULL, DESCRIPTION}, {"line_item_tax_type", "", LISTED},
    {"line_item_legal_entity", "\"Amazon Web Services, Inc.\"|Amazon Web Services EMEA SARL", LISTED}, {"product", JSON_PRODUCT, LISTED},
    {"product_product_name", "Amazon Elastic Compute Cloud|Amazon Simple Storage Service|AWS Lambda", LISTED},
    {"product_availability", "|99.99%", LISTED}, {"product_capacitystatus", "Used|", LISTED}, {"product_clock_speed", "3.1 GHz|", LISTED},
    {"product_current_generation", "Yes|", LISTED}, {"product_dedicated_ebs_throughput", "Upto 2120 Mbps|", LISTED},
    {"product_durability", "", LISTED}, {"product_ecu", "NA|37|", LISTED}, {"product_enhanced_networking_supported", "Yes|", LISTED},
    {"product_from_location", "|US East (N. Virginia)", LISTED}, {"product_from_location_type", "|AWS Region", LISTED},
    {"product_from_region_code", "|us-east-1", LISTED}, {"product_gpu", "|", LISTED}, {"product_gpu_memory", "NA|", LISTED},
    {"product_group", "|AWS-Lambda-Requests|S3-API-Tier1", LISTED}, {"product_group_description", "", LISTED},
    {"product_instance_family", "General purpose|Compute optimized|", LISTED}, {"product_instance_type", NULL, INSTANCE_TYPE},
    {"product_instance_type_family", "m5|c5|", LISTED}, {"product_intel_avx2_available", "Yes|", LISTED},
    {"product_intel_avx_available", "Yes|", LISTED}, {"product_intel_turbo_available", "Yes|", LISTED},
    {"product_license_model", "No License required|", LISTED}, {"product_location", "US East (N. Virginia)|EU (Ireland)", LISTED},
    {"product_location_type", "AWS Region", LISTED}, {"product_marketoption", "OnDemand|", LISTED},
    {"product_max_iops_volume", "|16000", LISTED}, {"product_max_iopsvolume", "", LISTED}, {"product_max_throughput_volume", "", LISTED},
    {"product_max_volume_size", "", LISTED}, {"product_memory", "64 GiB|16 GiB||", LISTED}, {"product_message_delivery_order", "", LISTED},
    {"product_network_performance", "Up to 10 Gigabit|", LISTED}, {"product_normalization_size_factor", "8|", LISTED},
    {"product_operating_system", "Linux|", LISTED}, {"product_operation", "RunInstances|PutObject|", LISTED},
    {"product_physical_processor", "Intel Xeon Platinum 8175|AMD EPYC 7R32|", LISTED}, {"product_pre_installed_sw", "NA|", LISTED},
    {"product_pricing_unit", "", LISTED}, {"product_processor_architecture", "64-bit|", LISTED},
    {"product_processor_features", "\"Intel AVX, Intel AVX2, Intel AVX512, Intel Turbo\"|", LISTED},
    {"product_product_family", "Compute Instance|Storage|Data Transfer", LISTED}, {"product_provisioned", "", LISTED},
    {"product_queue_type", "", LISTED}, {"product_region", "us-east-1|eu-west-1", LISTED},
    {"product_region_code", "us-east-1|eu-west-1", LISTED},
    {"product_servicecode", "AmazonEC2|AmazonS3|AWSLambda", LISTED}, {"product_servicename", "Amazon Elastic Compute Cloud|", LISTED},
    {"product_sku", "Q85F79PK8VHHZT6X|7W9CP9UM5HZWZV6T", LISTED}, {"product_storage", "EBS only|", LISTED},
    {"product_storage_class", "|General Purpose", LISTED}, {"product_storage_media", "|SSD-backed", LISTED},
    {"product_tenancy", "Shared|", LISTED}, {"product_to_location", "|External", LISTED}, {"product_to_location_type", "|Other", LISTED},
    {"product_to_region_code", "", LISTED}, {"product_transfer_type", "|AWS Outbound", LISTED},
    {"product_usagetype", "USE1-BoxUsage:m5.4xlarge|EUW1-TimedStorage-ByteHrs|", LISTED}, {"product_vcpu", "16|4||", LISTED},
    {"product_version", "", LISTED}, {"product_volume_api_name", "|gp3", LISTED}, {"product_volume_type", "|General Purpose", LISTED},
    {"pricing_lease_contract_length", "", LISTED}, {"pricing_offering_class", "", LISTED}, {"pricing_purchase_option", "", LISTED},
    {"pricing_rate_code", "Q85F79PK8VHHZT6X.JRTCKXETXF.6YS6EN2CT7", LISTED}, {"pricing_rate_id", "4981658079|5184523412", LISTED},
    {"pricing_currency", "USD", LISTED}, {"pricing_public_on_demand_cost", NULL, LIST_COST},
    {"pricing_public_on_demand_rate", "0.0230000000|1.6240000000", LISTED}, {"pricing_term", "OnDemand|", LISTED},
    {"pricing_unit", NULL, UNIT},
    {"reservation_amortized_upfront_cost_for_usage", "0|", LISTED}, {"reservation_amortized_upfront_fee_for_billing_period", "0|", LISTED},
    {"reservation_effective_cost", "0|", LISTED}, {"reservation_end_time", "", LISTED}, {"reservation_modification_status", "", LISTED},
    {"reservation_normalized_units_per_reservation", "", LISTED}, {"reservation_number_of_reservations", "", LISTED},
    {"reservation_recurring_fee_for_usage", "0|", LISTED}, {"reservation_reservation_a_r_n", "", LISTED},
    {"reservation_start_time", "", LISTED},
    {"reservation_subscription_id", "|9012345678", LISTED}, {"reservation_total_reserved_normalized_units", "", LISTED},
    {"reservation_total_reserved_units", "", LISTED}, {"reservation_units_per_reservation", "", LISTED},
    {"reservation_unused_amortized_upfront_fee_for_billing_period", "0|", LISTED},
    {"reservation_unused_normalized_unit_quantity", "0|", LISTED}, {"reservation_unused_quantity", "0|", LISTED},
    {"reservation_unused_recurring_fee", "0|", LISTED}, {"reservation_upfront_value", "0|", LISTED},
    {"savings_plan_total_commitment_to_date", "0|", LISTED}, {"savings_plan_savings_plan_a_r_n", "", LISTED},
    {"savings_plan_savings_plan_rate", "0|", LISTED}, {"savings_plan_used_commitment", "0|", LISTED},
    {"savings_plan_savings_plan_effective_cost", "0|", LISTED},
    {"discount_total_discount", "0|", LISTED}, {"discount_bundled_discount", "", LISTED}, {"resource_tags", JSON_TAGS, LISTED},
    {"cost_category", "{}", LISTED},
};

static const struct column focus[] = {
    {"AvailabilityZone", "us-east-1a|eu-west-1c|", LISTED}, {"BilledCost", NULL, COST}, {"BillingAccountId", "012345678901", LISTED},
    {"BillingAccountName", "\"Example, Inc.\"|Example GmbH", LISTED}, {"BillingCurrency", "USD", LISTED},
    {"BillingPeriodEnd", "2026-11-01T00:00:00Z", LISTED}, {"BillingPeriodStart", "2026-10-01T00:00:00Z", LISTED},
    {"CapacityReservationId", "", LISTED}, {"CapacityReservationStatus", "", LISTED}, {"ChargeCategory", NULL, TYPE},
    {"ChargeClass", "", LISTED}, {"ChargeDescription", NULL, DESCRIPTION}, {"ChargeFrequency", "Usage-Based", LISTED},
    {"ChargePeriodEnd", NULL, END}, {"ChargePeriodStart", NULL, START}, {"CommitmentDiscountCategory", "", LISTED},
    {"CommitmentDiscountId", "", LISTED}, {"CommitmentDiscountName", "", LISTED}, {"CommitmentDiscountStatus", "", LISTED},
    {"CommitmentDiscountType", "", LISTED}, {"ConsumedQuantity", NULL, QUANTITY}, {"ConsumedUnit", NULL, UNIT},
    {"ContractedCost", NULL, LIST_COST},
    {"ContractedUnitPrice", "0.023|1.624|", LISTED}, {"EffectiveCost", NULL, COST}, {"InvoiceId", "EUINGB26-1234567", LISTED},
    {"InvoiceIssuerName", "\"Amazon Web Services, Inc.\"", LISTED}, {"ListCost", NULL, LIST_COST},
    {"ListUnitPrice", "0.023|1.624|", LISTED},
    {"PricingCategory", "Standard", LISTED}, {"PricingQuantity", NULL, QUANTITY}, {"PricingUnit", NULL, UNIT},
    {"ProviderName", "AWS", LISTED},
    {"PublisherName", "AWS", LISTED}, {"RegionId", "us-east-1|eu-west-1", LISTED},
    {"RegionName", "US East (N. Virginia)|EU (Ireland)", LISTED},
    {"ResourceId", NULL, RESOURCE}, {"ResourceName", "|web-1", LISTED}, {"ResourceType", "Instance|Bucket|", LISTED},
    {"ServiceCategory", "Compute", LISTED}, {"ServiceName", NULL, PRODUCT}, {"SkuId", "Q85F79PK8VHHZT6X|7W9CP9UM5HZWZV6T", LISTED},
    {"SkuMeter", NULL, USAGE_TYPE}, {"SkuPriceDetails", NULL, DETAILS}, {"SkuPriceId", "Q85F79PK8VHHZT6X.JRTCKXETXF.6YS6EN2CT7", LISTED},
    {"SubAccountId", "100000000001|100000000002|099999999999", LISTED}, {"SubAccountName", "search|ads|platform", LISTED},
    {"Tags", JSON_TAGS, LISTED},
};

/* What is bought together. The first one is the GPU node's hour. */
static const struct service {
    const char *product, *usage_type, *operation, *unit, *instance_type, *description;
    const char *resource;          /* what stands before its number; "": none */
    int digits;                    /* of the number */
    const char *details;
} services[] = {
    {"AmazonEC2", "USE1-BoxUsage:p5.48xlarge", "RunInstances", "Hrs", "p5.48xlarge", "$55.04 per On Demand Linux p5.48xlarge Instance Hour",
     GPU_NODE, 14, "\"{\"\"InstanceType\"\": \"\"p5.48xlarge\"\", \"\"CoreCount\"\": 192, \"\"GpuCount\"\": 8}\""},
    {"AmazonEC2", "USE1-BoxUsage:m5.4xlarge", "RunInstances", "Hrs", "m5.4xlarge", "$0.768 per On Demand Linux m5.4xlarge Instance Hour",
     "i-0a", 15, "\"{\"\"InstanceType\"\": \"\"m5.4xlarge\"\", \"\"CoreCount\"\": 16}\""},
    {"AmazonEC2", "EUW1-BoxUsage:c5.large", "RunInstances:0002", "Hrs", "c5.large", "$0.188 per On Demand Windows c5.large Instance Hour",
     "i-0b", 15, "\"{\"\"InstanceType\"\": \"\"c5.large\"\", \"\"CoreCount\"\": 2}\""},
    {"AmazonEC2", "EBS:VolumeUsage.gp3", "CreateVolume-Gp3", "GB-Mo", "", "$0.08 per GB-month of General Purpose (gp3) provisioned storage",
     "vol-0", 16, ""},
    {"AmazonS3", "USE1-TimedStorage-ByteHrs", "StandardStorage", "GB-Mo", "",
     "\"$0.023 per GB - first 50 TB / month of storage used, standard\"",
     "arn:aws:s3:::bucket-", 1, "{}"},
    {"AmazonS3", "EUW1-Requests-Tier1", "PutObject", "Requests", "", "\"$0.005 per 1,000 PUT, COPY, POST, or LIST requests\"",
     "arn:aws:s3:::logs-", 1, "{}"},
    {"AWSLambda", "USE1-Lambda-GB-Second", "Invoke", "Lambda-GB-Second", "", "AWS Lambda - Total Compute",
     "arn:aws:lambda:us-east-1:100000000001:function:f-", 1, ""},
    {"AmazonEC2", "USE1-DataTransfer-Out-Bytes", "RunInstances", "GB", "",
     "\"$0.090 per GB - first 10 TB / month data transfer out, beyond the free tier\"",
     "i-0a", 15, ""},
    {"AmazonCloudWatch", "USE1-CW:MetricMonitorUsage", "MetricStorage", "Metrics", "",
     "\"$0.30 per metric-month, first 10,000 metrics\"", "", 0, ""},
};

enum { SERVICES = sizeof services / sizeof *services, CELLS_MAX = 8, COLUMNS_MAX = 160 };

struct cells {
    const char *p[CELLS_MAX];
    size_t length[CELLS_MAX];
    uint32_t n;
};

struct maker {
    const struct column *columns;
    int n_columns;
    uint64_t one_in, nodes;
    struct cells cells[COLUMNS_MAX];
    uint64_t random;
    uint64_t rows, gpu_rows;
    int64_t cost, gpu_cost, gpu_quantity;                    /* in 10^-DECIMALS */
};

/* One row. */
struct row {
    const struct service *service;
    bool is_tax;
    uint64_t thing;                /* number of the resource */
    int day, hour;
    int64_t quantity, cost;
};

/* splitmix64 */
static uint64_t next(struct maker *m)
{
    uint64_t z = m->random += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void split_cells(struct cells *c, const char *text)
{
    const char *bar;

    for (; (bar = strchr(text, '|')) != NULL && c->n + 1 < CELLS_MAX; text = bar + 1) {
        c->p[c->n] = text;
        c->length[c->n++] = (size_t)(bar - text);
    }
    c->p[c->n] = text;
    c->length[c->n++] = strlen(text);
}

/* An amount with DECIMALS digits behind the point, without zeros at its end. */
static char *put_amount(char *o, int64_t amount)
{
    int n = sprintf(o, "%" PRId64 ".%0*" PRId64, amount / 10000000000, DECIMALS, amount % 10000000000);

    while (o[n - 1] == '0')
        n--;
    return o + n - (o[n - 1] == '.');
}

static char *put_time(char *o, int day, int hour)
{
    day += hour / 24;
    return o + sprintf(o, "2026-%02d-%02dT%02d:00:00Z", day > 31 ? 11 : 10, day > 31 ? day - 31 : day, hour % 24);
}

static char *put_text(char *o, const char *s)
{
    return stpcpy(o, s);
}

static char *put_resource(char *o, const struct row *r)
{
    const struct service *s = r->service;

    return *s->resource == '\0' || r->is_tax ? o : o + sprintf(o, "%s%0*" PRIx64, s->resource, s->digits, r->thing);
}

static char *put_cell(char *o, struct maker *m, int column, const struct row *r)
{
    const struct cells *c = &m->cells[column];
    uint32_t k;

    switch (m->columns[column].special) {
    case ID: return o + sprintf(o, "%016" PRIx64 "%016" PRIx64 "abcdefghijklmnopqrst", next(m), m->rows);
    case INTERVAL: o = put_time(o, r->day, r->hour); *o++ = '/'; return put_time(o, r->day, r->hour + 1);
    case START: return put_time(o, r->day, r->hour);
    case END: return put_time(o, r->day, r->hour + 1);
    case TYPE: return put_text(o, r->is_tax ? "Tax" : "Usage");
    case PRODUCT: return put_text(o, r->service->product);
    case USAGE_TYPE: return put_text(o, r->service->usage_type);
    case OPERATION: return put_text(o, r->service->operation);
    case UNIT: return put_text(o, r->service->unit);
    case DESCRIPTION: return put_text(o, r->service->description);
    case RESOURCE: return put_resource(o, r);
    case QUANTITY: return put_amount(o, r->quantity);
    case COST: return put_amount(o, r->cost);
    case LIST_COST: return put_amount(o, r->cost + r->cost / 4);
    case INSTANCE_TYPE: return put_text(o, r->service->instance_type);
    case DETAILS: return put_text(o, r->service->details);
    default:
        k = c->n == 1 ? 0 : (uint32_t)(next(m) >> 40) % c->n;
        memcpy(o, c->p[k], c->length[k]);
        return o + c->length[k];
    }
}

/* GPU rows go through the hours of one node after the other. */
static struct row make_row(struct maker *m)
{
    uint64_t x = next(m);
    int hour = (int)(x >> 20 & 0xffff) % HOURS;
    struct row r = {.service = &services[1 + x % (SERVICES - 1)], .thing = x >> 48, .quantity = (int64_t)(x >> 8 & 0xfffffffff)};

    r.is_tax = (x >> 16 & 0xfff) == 0;
    r.cost = r.quantity / 64 + (int64_t)(x & 0xff);
    if (m->rows % m->one_in == m->one_in / 2) {
        r = (struct row){.service = &services[0], .thing = m->gpu_rows / HOURS % m->nodes, .quantity = 10000000000, .cost = 550400000000};
        hour = (int)(m->gpu_rows % HOURS);
        m->gpu_rows++;
        m->gpu_cost += r.cost;
        m->gpu_quantity += r.quantity;
    }
    r.day = 1 + hour / 24;
    r.hour = hour % 24;
    m->rows++;
    m->cost += r.cost;
    return r;
}

static size_t put_row(char *line, struct maker *m)
{
    struct row r = make_row(m);
    char *o = line;

    for (int i = 0; i < m->n_columns; i++) {
        if (i)
            *o++ = ',';
        o = put_cell(o, m, i, &r);
    }
    *o++ = '\n';
    return (size_t)(o - line);
}

static size_t put_head(const struct maker *m)
{
    size_t n = 0;

    for (int i = 0; i < m->n_columns; i++)
        n += (size_t)printf("%s%s", i ? "," : "", m->columns[i].name);
    return n + (size_t)printf("\n");
}

static void say(const struct maker *m, uint64_t bytes)
{
    char text[3][32];
    int64_t amounts[3] = {m->cost, m->gpu_cost, m->gpu_quantity};

    for (int i = 0; i < 3; i++)
        *put_amount(text[i], amounts[i]) = '\0';
    fprintf(stderr, "{\"bytes\": %" PRIu64 ", \"columns\": %d, \"rows\": %" PRIu64 ", \"cost\": \"%s\", \"node_rows\": %" PRIu64
            ", \"node_cost\": \"%s\", \"node_quantity\": \"%s\"}\n", bytes, m->n_columns, m->rows, text[0], m->gpu_rows, text[1], text[2]);
}

int main(int argc, char **argv)
{
    static struct maker m;
    static char line[ROW_MAX];
    uint64_t bytes, wanted;

    if ((argc != 3 && argc != 5) || (strcmp(argv[1], "cur") != 0 && strcmp(argv[1], "focus") != 0)) {
        fprintf(stderr, "usage: bill_text cur|focus BYTES [ONE_IN NODES]\n");
        return 2;
    }
    wanted = strtoull(argv[2], NULL, 10);
    m.one_in = argc == 5 ? strtoull(argv[3], NULL, 10) : 100;
    m.nodes = argc == 5 ? strtoull(argv[4], NULL, 10) : 64;
    m.columns = argv[1][0] == 'c' ? cur : focus;
    m.n_columns = argv[1][0] == 'c' ? sizeof cur / sizeof *cur : sizeof focus / sizeof *focus;
    for (int i = 0; i < m.n_columns; i++)
        split_cells(&m.cells[i], m.columns[i].cells ? m.columns[i].cells : "");
    for (bytes = put_head(&m); bytes < wanted;) {
        size_t n = put_row(line, &m);

        fwrite(line, 1, n, stdout);
        bytes += n;
    }
    say(&m, bytes);
    return fflush(stdout) == 0 ? 0 : 1;
}
