/* cur: the AWS Cost and Usage Report in its three headers, which are one table of columns once their names are folded.
 *
 * A row's line item type decides what it is: a table says where its money goes and which columns hold its amount. The amortised cost is a
 * fixed formula over types (effective cost for what a commitment covers, what was left unused for its fees, 0 for what repeats money),
 * so that its sum over all rows is the bill's; the invoiced cost of every row is its unblended cost.
 * Instance time is known by the usage type: no other column says it, and the resource id of an instance stands in rows of transfer,
 * software and discounts too. Nothing is spread here: fees of capacity blocks are noted, since no column says which instances they paid.
 * Blended costs are not read: they are averages over accounts. */
#include "gputab/source/bill_dialect.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"
#include "gputab/source/bill_memo.h"
#include "gputab/source/bill_meter.h"

enum column {
    LINE_TYPE, UNBLENDED, NET_UNBLENDED, CURRENCY, TIME_INTERVAL, USAGE_START, USAGE_END, USAGE_TYPE, OPERATION, USAGE_AMOUNT, UNIT,
    PRODUCT_CODE, BILLING_ENTITY, INVOICE_ID, RESOURCE_ID, DESCRIPTION, PUBLIC_COST, RI_EFFECTIVE, RI_NET_EFFECTIVE, RI_ARN,
    RI_UNUSED_UPFRONT, RI_NET_UNUSED_UPFRONT, RI_UNUSED_RECURRING, RI_NET_UNUSED_RECURRING, SP_EFFECTIVE, SP_NET_EFFECTIVE, SP_ARN,
    SP_COMMITMENT, SP_USED, SPLIT_PARENT, INSTANCE_TYPE, REGION_CODE, REGION, VCPU, MEMORY, GPU, PRODUCT, COLUMNS
};

static const struct bill_column columns[COLUMNS] = {
    [LINE_TYPE] = {"line_item_line_item_type", NULL, true, true},
    [UNBLENDED] = {"line_item_unblended_cost", NULL, true, true},
    [NET_UNBLENDED] = {"line_item_net_unblended_cost", NULL, false, false},
    [CURRENCY] = {"line_item_currency_code", NULL, false, true},
    [TIME_INTERVAL] = {"identity_time_interval", NULL, false, false},
    [USAGE_START] = {"line_item_usage_start_date", NULL, false, false},
    [USAGE_END] = {"line_item_usage_end_date", NULL, false, false},
    [USAGE_TYPE] = {"line_item_usage_type", NULL, false, true},
    [OPERATION] = {"line_item_operation", NULL, false, false},
    [USAGE_AMOUNT] = {"line_item_usage_amount", NULL, false, false},
    [UNIT] = {"pricing_unit", NULL, false, false},
    [PRODUCT_CODE] = {"line_item_product_code", NULL, false, false},
    [BILLING_ENTITY] = {"bill_billing_entity", NULL, false, false},
    [INVOICE_ID] = {"bill_invoice_id", NULL, false, false},
    [RESOURCE_ID] = {"line_item_resource_id", NULL, false, false},
    [DESCRIPTION] = {"line_item_line_item_description", NULL, false, false},
    [PUBLIC_COST] = {"pricing_public_on_demand_cost", NULL, false, false},
    [RI_EFFECTIVE] = {"reservation_effective_cost", NULL, false, false},
    [RI_NET_EFFECTIVE] = {"reservation_net_effective_cost", NULL, false, false},
    [RI_ARN] = {"reservation_reservation_arn", NULL, false, false},
    [RI_UNUSED_UPFRONT] = {"reservation_unused_amortized_upfront_fee_for_billing_period", NULL, false, false},
    [RI_NET_UNUSED_UPFRONT] = {"reservation_net_unused_amortized_upfront_fee_for_billing_period", NULL, false, false},
    [RI_UNUSED_RECURRING] = {"reservation_unused_recurring_fee", NULL, false, false},
    [RI_NET_UNUSED_RECURRING] = {"reservation_net_unused_recurring_fee", NULL, false, false},
    [SP_EFFECTIVE] = {"savings_plan_savings_plan_effective_cost", NULL, false, false},
    [SP_NET_EFFECTIVE] = {"savings_plan_net_savings_plan_effective_cost", NULL, false, false},
    [SP_ARN] = {"savings_plan_savings_plan_arn", NULL, false, false},
    [SP_COMMITMENT] = {"savings_plan_total_commitment_to_date", NULL, false, false},
    [SP_USED] = {"savings_plan_used_commitment", NULL, false, false},
    [SPLIT_PARENT] = {"split_line_item_parent_resource_id", NULL, false, false},
    [INSTANCE_TYPE] = {"product_instance_type", NULL, false, false},
    [REGION_CODE] = {"product_region_code", NULL, false, false},
    [REGION] = {"product_region", NULL, false, false},
    [VCPU] = {"product_vcpu", NULL, false, false},
    [MEMORY] = {"product_memory", NULL, false, false},
    [GPU] = {"product_gpu", NULL, false, false},
    [PRODUCT] = {"product", NULL, false, false},
};

/* ---- line item types ---- */

enum amount {
    AMOUNT_UNBLENDED, AMOUNT_RESERVATION, AMOUNT_PLAN, AMOUNT_UNUSED_RESERVATION, AMOUNT_UNUSED_PLAN, AMOUNT_NONE, AMOUNT_FEE,
    AMOUNT_REFUND, AMOUNT_DISCOUNT
};

struct line {
    const char *name;
    enum amount amount;
    enum bill_group group;         /* BILL_GROUPS: what the resource and the usage type say */
    bool is_usage;                 /* has hours and a list price */
    bool is_commitment;            /* pays for a commitment: a fee as invoiced, and part of no list price */
};

static const struct line lines[] = {
    {"Usage", AMOUNT_UNBLENDED, BILL_GROUPS, true, false},
    {"DiscountedUsage", AMOUNT_RESERVATION, BILL_GROUPS, true, false},
    {"SavingsPlanCoveredUsage", AMOUNT_PLAN, BILL_GROUPS, true, false},
    {"SavingsPlanNegation", AMOUNT_NONE, BILL_GROUPS, false, false},
    {"SavingsPlanRecurringFee", AMOUNT_UNUSED_PLAN, GROUP_UNUSED_COMMITMENT, false, true},
    {"SavingsPlanUpfrontFee", AMOUNT_NONE, GROUP_FEE, false, true},
    {"RIFee", AMOUNT_UNUSED_RESERVATION, GROUP_UNUSED_COMMITMENT, false, true},
    {"Fee", AMOUNT_FEE, GROUP_FEE, false, false},
    {"Tax", AMOUNT_UNBLENDED, GROUP_TAX, false, false},
    {"Credit", AMOUNT_UNBLENDED, GROUP_CREDIT, false, false},
    {"Refund", AMOUNT_REFUND, GROUP_REFUND, false, false},
    {"EdpDiscount", AMOUNT_DISCOUNT, BILL_GROUPS, false, false},
    {"PrivateRateDiscount", AMOUNT_DISCOUNT, BILL_GROUPS, false, false},
    {"BundledDiscount", AMOUNT_UNBLENDED, BILL_GROUPS, false, false},
    {"SppDiscount", AMOUNT_UNBLENDED, BILL_GROUPS, false, false},
    {"DistributorDiscount", AMOUNT_UNBLENDED, BILL_GROUPS, false, false},
};

/* AWS adds types: their amount is in the formula, and what they pay for is for people to look at. */
static const struct line unknown_line = {"", AMOUNT_UNBLENDED, GROUP_FEE, false, false};

static int read_line(const struct bill_cells *c, const struct line **out, struct err *e)
{
    struct span s = bill_cell(c, LINE_TYPE);

    *out = &unknown_line;
    if (s.n == 0) {
        err_set(e, ERR_INPUT, "line item type is missing");
        return bill_cell_at(c, LINE_TYPE, e);
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (span_eq_fold(s, lines[i].name)) {
            *out = &lines[i];
            return 0;
        }
    diag_add(c->diag, "W108", "%s: rows of the unknown line item type \"%.*s\" count as fees", c->name, (int)(s.n < 80 ? s.n : 80), s.p);
    diag_hint(c->diag, "W108", "compare the group fees, shown by --bridge, with the invoice");
    return 0;
}

/* ---- a file's state ---- */

struct cur {
    const struct bill_request *req;
    struct bill_details details;   /* of the latest row of instance time */
    struct bill_memo *memo;
};

static void *cur_open(const struct bill_request *req)
{
    struct cur *f = xcalloc(1, sizeof *f);

    f->req = req;
    f->memo = bill_memo_new();
    return f;
}

static void cur_close(void *state, const char *name, bool complete)
{
    struct cur *f = state;

    (void)name;
    (void)complete;
    bill_memo_free(f->memo);
    free(f);
}

/* ---- amounts ---- */

static int no_amount(const struct bill_cells *c, int column, struct err *e)
{
    struct span type = bill_cell(c, LINE_TYPE);

    err_set(e, ERR_INPUT, "amount is missing, and a row of type %.*s needs it", (int)type.n, type.n ? type.p : "");
    if (c->index[column] < 0)
        err_hint(e, "export the bill with this column, or write cost: billed in the rule, which needs none but %s", c->shown[UNBLENDED]);
    return bill_cell_at(c, column, e);
}

static const enum column net_columns[] = {
    NET_UNBLENDED, RI_NET_EFFECTIVE, SP_NET_EFFECTIVE, RI_NET_UNUSED_UPFRONT, RI_NET_UNUSED_RECURRING,
};
enum { NET_COLUMNS = sizeof net_columns / sizeof *net_columns };

/* A month without a discount has no net columns: gross amounts are net then. */
static bool has_net_columns(const struct bill_cells *c)
{
    for (int i = 0; i < NET_COLUMNS; i++)
        if (c->index[net_columns[i]] >= 0)
            return true;
    return false;
}

static int no_net(const struct bill_cells *c, int column, struct err *e)
{
    struct span type = bill_cell(c, LINE_TYPE);

    err_set(e, ERR_INPUT, "there is no such column, and the net cost of a row of type %.*s needs it", (int)type.n, type.n ? type.p : "");
    err_hint(e, "export the bill with all net columns, or write cost: effective in the rule, with discounts in the group credit");
    return bill_cell_at(c, column, e);
}

/* The net cell when the rule asks for it and it has a value, else the gross one: 1, 0 when both are null, -1. */
static int read_net_or_gross(const struct cur *f, const struct bill_cells *c, int net, int gross, money *out, struct err *e)
{
    bool wanted = f->req->cost == RULE_COST_NET_EFFECTIVE;
    int rc = wanted ? bill_cell_money(c, net, out, e) : 0;

    rc = rc != 0 ? rc : bill_cell_money(c, gross, out, e);
    return rc == 1 && wanted && *out != 0 && c->index[net] < 0 && has_net_columns(c) ? no_net(c, net, e) : rc;
}

/* Discounts are in the net columns. Their rows do not say which usage under a commitment they are for. */
static int read_net_discount(const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    out->cost = 0;
    return out->invoiced != 0 && !has_net_columns(c) ? no_net(c, NET_UNBLENDED, e) : 0;
}

static int read_one(const struct cur *f, const struct bill_cells *c, int net, int gross, struct bill_row *out, struct err *e)
{
    int rc = read_net_or_gross(f, c, net, gross, &out->cost, e);

    return rc == 0 ? no_amount(c, gross, e) : rc < 0 ? -1 : 0;
}

/* A month's header leaves out columns that are empty in all rows, so one of the two parts may be missing; both of a fee may not. */
static int read_unused_reservation(const struct cur *f, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    money upfront = 0, recurring = 0;
    int a = read_net_or_gross(f, c, RI_NET_UNUSED_UPFRONT, RI_UNUSED_UPFRONT, &upfront, e);
    int b = a < 0 ? -1 : read_net_or_gross(f, c, RI_NET_UNUSED_RECURRING, RI_UNUSED_RECURRING, &recurring, e);

    if (a < 0 || b < 0)
        return -1;
    if (a == 0 && b == 0 && out->invoiced != 0)
        return no_amount(c, RI_UNUSED_RECURRING, e);
    out->cost = upfront + recurring;
    return 0;
}

static int read_unused_plan(const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    money commitment = 0, used = 0;
    int a = bill_cell_money(c, SP_COMMITMENT, &commitment, e);
    int b = a < 0 ? -1 : bill_cell_money(c, SP_USED, &used, e);

    if (a < 0 || b < 0)
        return -1;
    if (a != b || (a == 0 && out->invoiced != 0))
        return no_amount(c, a == 0 ? SP_COMMITMENT : SP_USED, e);
    out->cost = commitment - used;
    return 0;
}

static bool is_paid_elsewhere(const struct bill_cells *c, enum amount amount)
{
    switch (amount) {
    case AMOUNT_NONE:
        return true;
    case AMOUNT_FEE:                                         /* upfront, amortised over the rows that it covers */
        return bill_cell(c, RI_ARN).n > 0;
    case AMOUNT_REFUND:
        return span_has_fold(bill_cell(c, DESCRIPTION), "refund for one-time fee for savings plan");
    default:
        return false;
    }
}

static int read_amortised(const struct cur *f, const struct bill_cells *c, const struct line *line, struct bill_row *out, struct err *e)
{
    if (is_paid_elsewhere(c, line->amount)) {
        out->cost = 0;
        return 0;
    }
    if (line->amount == AMOUNT_DISCOUNT && f->req->cost == RULE_COST_NET_EFFECTIVE)
        return read_net_discount(c, out, e);
    switch (line->amount) {
    case AMOUNT_RESERVATION:
        return read_one(f, c, RI_NET_EFFECTIVE, RI_EFFECTIVE, out, e);
    case AMOUNT_PLAN:
        return read_one(f, c, SP_NET_EFFECTIVE, SP_EFFECTIVE, out, e);
    case AMOUNT_UNUSED_RESERVATION:
        return read_unused_reservation(f, c, out, e);
    case AMOUNT_UNUSED_PLAN:
        return read_unused_plan(c, out, e);
    default:
        return read_one(f, c, NET_UNBLENDED, UNBLENDED, out, e);
    }
}

/* What has no list price (tax, fees of commitments, discounts) costs nothing in this view; usage that costs something must have one. */
static int read_list(const struct bill_cells *c, const struct line *line, struct bill_row *out, struct err *e)
{
    int rc;

    out->cost = 0;
    if (line->is_commitment || line->amount == AMOUNT_NONE || line->amount == AMOUNT_DISCOUNT)
        return 0;
    rc = bill_cell_money(c, PUBLIC_COST, &out->cost, e);
    if (rc == 0 && line->is_usage && (out->invoiced != 0 || out->kind == BILL_TIME))
        return no_amount(c, PUBLIC_COST, e);
    return rc < 0 ? -1 : 0;
}

static int read_amounts(const struct cur *f, const struct bill_cells *c, const struct line *line, struct bill_row *out, struct err *e)
{
    int rc = bill_cell_money(c, UNBLENDED, &out->invoiced, e);

    if (rc < 0)
        return -1;
    if (out->kind == BILL_GROUPED && out->group == GROUP_EXCLUDED) {
        out->cost = out->invoiced;                           /* repeats money, also when it says nothing */
        return 0;
    }
    if (rc == 0)
        return no_amount(c, UNBLENDED, e);
    if (f->req->cost == RULE_COST_LIST)
        return read_list(c, line, out, e);
    if (f->req->cost != RULE_COST_BILLED)
        return read_amortised(f, c, line, out, e);
    out->cost = out->invoiced;
    return 0;
}

/* ---- times ---- */

static int read_interval(const struct bill_cells *c, struct span s, struct timespan *out, struct err *e)
{
    const char *slash = memchr(s.p, '/', s.n);
    size_t n = slash ? (size_t)(slash - s.p) : 0;

    if (slash && time_parse((struct span){s.p, n}, &out->from) == 0 && time_parse((struct span){slash + 1, s.n - n - 1}, &out->to) == 0)
        return 0;
    err_set(e, ERR_INPUT, "\"%.*s\" is not two times with a slash between", (int)(s.n < 80 ? s.n : 80), s.p);
    return bill_cell_at(c, TIME_INTERVAL, e);
}

/* The step of the report first: in it all rows of a node add up. */
static int read_span(const struct bill_cells *c, const struct bill_row *row, struct timespan *out, struct err *e)
{
    struct span interval = bill_cell(c, TIME_INTERVAL);

    if (interval.n) {
        if (read_interval(c, interval, out, e) < 0)
            return -1;
    } else if (bill_cell_time(c, USAGE_START, &out->from, e) < 0 || bill_cell_time(c, USAGE_END, &out->to, e) < 0)
        return -1;
    if (out->from < out->to || (out->from == out->to && row->kind == BILL_GROUPED))
        return 0;
    err_set(e, ERR_INPUT, "row's time ends no later than it starts");
    return bill_cell_at(c, interval.n ? TIME_INTERVAL : USAGE_END, e);
}

/* ---- what a row bills ---- */

static bool has(const struct bill_cells *c, int column, const char *word)
{
    return span_has_fold(bill_cell(c, column), word);
}

/* "BoxUsage" of "APN1-BoxUsage:p4d.24xlarge"; the region stands in front of all but one region's. */
static struct span meter_of(struct span usage_type)
{
    const char *colon = usage_type.n ? memchr(usage_type.p, ':', usage_type.n) : NULL;

    if (colon)
        usage_type.n = (size_t)(colon - usage_type.p);
    return span_after_last(usage_type, '-');
}

static const char *const instance_meters[] = {
    "BoxUsage", "SpotUsage", "DedicatedUsage", "HostBoxUsage", "HostUsage", "ReservedHostUsage", "SchedUsage", "HeavyUsage",
};

/* Rows of other AWS products may have the same meters ("BoxUsage" of EMR): they are no machine's time but a fee beside it. */
static bool bills_instance_time(const struct bill_cells *c)
{
    struct span meter = meter_of(bill_cell(c, USAGE_TYPE)), product = bill_cell(c, PRODUCT_CODE);
    struct span operation = bill_cell(c, OPERATION), unit = bill_cell(c, UNIT);
    int64_t ms;

    if ((product.n && !span_eq_fold(product, "AmazonEC2")) || has(c, BILLING_ENTITY, "marketplace"))
        return false;
    if ((operation.n && !span_starts(operation, "RunInstances")) || (unit.n && !bill_unit_ms(unit, &ms)))
        return false;
    for (size_t i = 0; i < sizeof instance_meters / sizeof *instance_meters; i++)
        if (span_eq_fold(meter, instance_meters[i]))
            return true;
    return false;
}

/* Parts of an instance's cost per pod or task, beside the instance's own row. */
static bool repeats_a_node(const struct bill_cells *c)
{
    struct span operation = bill_cell(c, OPERATION), parent = bill_cell(c, SPLIT_PARENT);

    if (span_starts(operation, "EKSPod-EC2") || span_starts(operation, "ECSTask-EC2"))
        return true;
    if (has(c, USAGE_TYPE, "eks-ec2-") || has(c, USAGE_TYPE, "ecs-ec2-"))
        return true;
    return parent.n > 0 && !span_same(parent, bill_cell(c, RESOURCE_ID));
}

static bool is_capacity_block(const struct bill_cells *c)
{
    return has(c, USAGE_TYPE, "capacityblock");
}

/* Capacity that was reserved and in which nothing ran. */
static bool is_unused_capacity(const struct bill_cells *c)
{
    struct span meter = meter_of(bill_cell(c, USAGE_TYPE));

    return span_eq_fold(meter, "UnusedBox") || span_eq_fold(meter, "UnusedDed");
}

/* The group of a row, BILL_GROUPS for what its resource decides. As invoiced, the fees of commitments are fees and nothing is unused.
 * Discounts of the account are on nodes only where the net cost is asked for, else beside them like credits. */
static enum bill_group group_of(const struct cur *f, const struct bill_cells *c, const struct line *line)
{
    if (repeats_a_node(c))
        return GROUP_EXCLUDED;
    if (line->is_commitment && f->req->cost == RULE_COST_BILLED)
        return GROUP_FEE;
    if (line->amount == AMOUNT_DISCOUNT && f->req->cost != RULE_COST_NET_EFFECTIVE)
        return GROUP_CREDIT;
    if (line->group != BILL_GROUPS)
        return line->group;
    if (is_capacity_block(c))
        return GROUP_FEE;
    return is_unused_capacity(c) ? GROUP_UNUSED_COMMITMENT : BILL_GROUPS;
}

/* ---- instance time ---- */

static enum purchase purchase_of(const struct bill_cells *c, const struct line *line)
{
    if (span_eq_fold(meter_of(bill_cell(c, USAGE_TYPE)), "SpotUsage"))
        return PURCHASE_SPOT;
    if (line->amount == AMOUNT_PLAN || line->amount == AMOUNT_NONE)
        return PURCHASE_SAVINGS_PLAN;
    if (line->amount == AMOUNT_RESERVATION)
        return PURCHASE_RESERVED;
    if (!line->is_usage && bill_cell(c, SP_ARN).n)
        return PURCHASE_SAVINGS_PLAN;
    if (!line->is_usage && bill_cell(c, RI_ARN).n)
        return PURCHASE_RESERVED;
    return has(c, DESCRIPTION, "capacity block") ? PURCHASE_CAPACITY_BLOCK : PURCHASE_ON_DEMAND;
}

/* Product columns hold "NA", "N/A" or "None" where a product has no such thing. */
static struct span product_cell(const struct bill_cells *c, int column)
{
    static const char *const nothing[] = {"NA", "N/A", "None"};
    struct span s = bill_cell(c, column);

    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (span_eq_fold(s, nothing[i]))
            return (struct span){NULL, 0};
    return s;
}

static void read_product_map(struct cur *f, const struct bill_cells *c)
{
    f->details = (struct bill_details){.type = ""};
    if (bill_memo_details(f->memo, &f->details, bill_cell(c, PRODUCT)) < 0)
        bill_cells_warn_details(c, PRODUCT);
}

static struct span type_of(const struct cur *f, const struct bill_cells *c)
{
    struct span s = product_cell(c, INSTANCE_TYPE);

    if (s.n == 0)
        s = span_of(f->details.type);
    if (s.n == 0)
        s = bill_type_of_meter(f->req->catalogue, bill_cell(c, USAGE_TYPE));
    if (s.n == 0)
        s = bill_type_of_words(f->req->catalogue, bill_cell(c, DESCRIPTION));
    return s;
}

static struct span region_of(const struct cur *f, const struct bill_cells *c)
{
    struct span s = product_cell(c, REGION_CODE);

    if (s.n == 0)
        s = product_cell(c, REGION);
    return s.n ? s : span_of(f->details.region);
}

static int64_t hint(const struct bill_cells *c, int column, int64_t otherwise)
{
    int64_t micro = bill_micro_of_words(bill_cell(c, column));

    return micro ? micro : otherwise;
}

static int read_hours(const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    int64_t ms = TIME_HOUR;
    int rc;

    if (bill_cell(c, UNIT).n && !bill_unit_ms(bill_cell(c, UNIT), &ms))
        return 0;
    rc = bill_cell_duration(c, USAGE_AMOUNT, ms, &out->time_ms, e);
    out->has_time = rc == 1;
    return rc < 0 ? -1 : 0;
}

static int read_time_row(struct cur *f, const struct bill_cells *c, const struct line *line, struct bill_row *out, struct err *e)
{
    out->correction = !line->is_usage;
    if ((!out->correction && read_hours(c, out, e) < 0) || bill_cell_list(c, f->req, PUBLIC_COST, out, e) < 0)
        return -1;
    read_product_map(f, c);
    out->type = type_of(f, c);
    out->region = region_of(f, c);
    out->vcpu_micro = hint(c, VCPU, f->details.vcpu_micro);
    out->memory_micro_gib = hint(c, MEMORY, f->details.memory_micro_gib);
    out->gpu_count_micro = hint(c, GPU, f->details.gpu_count_micro);
    out->purchase = purchase_of(c, line);
    return 0;
}

/* Refunds of a fee have its usage type. */
static void read_block_fee(struct cur *f, const struct bill_cells *c, struct bill_row *out)
{
    out->block_fee = out->group == GROUP_FEE || out->group == GROUP_REFUND || out->group == GROUP_CREDIT;
    read_product_map(f, c);
    out->type = type_of(f, c);
    out->region = region_of(f, c);
}

/* ---- the row ---- */

static int cur_row(void *state, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    struct cur *f = state;
    const struct line *line;

    if (read_line(c, &line, e) < 0)
        return -1;
    out->group = group_of(f, c, line);
    out->kind = out->group != BILL_GROUPS ? BILL_GROUPED : bills_instance_time(c) ? BILL_TIME : BILL_BESIDE;
    if (read_span(c, out, &out->span, e) < 0 || read_amounts(f, c, line, out, e) < 0)
        return -1;
    out->currency = bill_cell(c, CURRENCY);
    out->resource = bill_cell(c, RESOURCE_ID);
    if (c->index[INVOICE_ID] >= 0 && out->group != GROUP_EXCLUDED)
        out->invoice = bill_cell(c, INVOICE_ID).n ? BILL_INVOICED : BILL_ESTIMATED;
    if (out->kind == BILL_TIME)
        return read_time_row(f, c, line, out, e);
    if (out->kind == BILL_GROUPED && is_capacity_block(c))
        read_block_fee(f, c, out);
    return 0;
}

const struct bill_dialect cur_dialect = {
    .name = "AWS Cost and Usage Report",
    .columns = columns,
    .n_columns = COLUMNS,
    .folds = true,
    .resource_column = RESOURCE_ID,
    .resource_hint = "export the report again with resource ids (INCLUDE RESOURCES)",
    .cost_columns = {[RULE_COST_EFFECTIVE] = UNBLENDED, [RULE_COST_BILLED] = UNBLENDED, [RULE_COST_LIST] = PUBLIC_COST,
                     [RULE_COST_NET_EFFECTIVE] = UNBLENDED},
    .open = cur_open,
    .row = cur_row,
    .close = cur_close,
};
