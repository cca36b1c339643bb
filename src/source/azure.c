/* azure: Azure's cost exports, actual and amortised, under all the headers that its kinds of contract give them.
 *
 * A row is a meter of a resource on a day of UTC. Two exports have the same columns: in the amortised one an hour that a commitment
 * covers has its cost, in the actual one it costs 0 and the commitment's purchase is a row of its own. Which one a file is only its rows
 * tell, so it is judged at its end: the one that cannot answer what the rule asks for is refused.
 * A machine of a scale set is billed under the set's id; which machine it was stands in the column AdditionalInfo. A row that does not say
 * it stays the set's, for core to divide.
 * Quantities of machines are hours whatever the unit's block says. Unit prices are not read. Nor are tags. */
#include "gputab/source/bill_dialect.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/azure_day.h"
#include "gputab/source/azure_machine.h"
#include "gputab/source/azure_manifest.h"
#include "gputab/source/bill_fold.h"
#include "gputab/source/bill_memo.h"
#include "gputab/source/bill_meter.h"

enum column {
    COST, LIST_COST, DATE, PERIOD_END, METER_CATEGORY, METER_SUBCATEGORY, METER_NAME, QUANTITY, UNIT, CURRENCY, RESOURCE_ID, LOCATION,
    DETAILS, CHARGE_TYPE, PRICING_MODEL, RESERVATION_ID, PUBLISHER_TYPE, SUBSCRIPTION, INVOICE_ID, COLUMNS
};

static const struct bill_column columns[COLUMNS] = {
    [COST] = {"CostInBillingCurrency", "PreTaxCost", false, true, "Cost"},
    [LIST_COST] = {"PaygCostInBillingCurrency", NULL, false, false},
    [DATE] = {"Date", "UsageDateTime", false, true},
    [PERIOD_END] = {"BillingPeriodEndDate", NULL, false, false},
    [METER_CATEGORY] = {"MeterCategory", NULL, true, true},
    [METER_SUBCATEGORY] = {"MeterSubCategory", NULL, false, false},
    [METER_NAME] = {"MeterName", NULL, false, false},
    [QUANTITY] = {"Quantity", "UsageQuantity", false, false},
    [UNIT] = {"UnitOfMeasure", NULL, false, false},
    [CURRENCY] = {"BillingCurrency", "BillingCurrencyCode", false, false, "Currency"},
    [RESOURCE_ID] = {"ResourceId", "InstanceId", false, false, "InstanceName"},
    [LOCATION] = {"ResourceLocation", NULL, false, false},
    [DETAILS] = {"AdditionalInfo", NULL, false, false},
    [CHARGE_TYPE] = {"ChargeType", NULL, false, false},
    [PRICING_MODEL] = {"PricingModel", NULL, false, false},
    [RESERVATION_ID] = {"ReservationId", NULL, false, false},
    [PUBLISHER_TYPE] = {"PublisherType", NULL, false, false},
    [SUBSCRIPTION] = {"SubscriptionId", "SubscriptionGuid", false, false},
    [INVOICE_ID] = {"InvoiceId", NULL, false, false},
};

/* ---- a file's state ---- */

struct azure {
    const struct bill_request *req;
    struct bill_memo *memo;
    struct bill_details details;   /* of the latest row */
    struct buf id;                 /* the latest machine's */
    char region[BILL_TYPE_SIZE];
    struct azure_days days;
    /* Lines of the first rows that tell which export this is; 0: there is none. */
    int64_t purchase;              /* a commitment was bought */
    int64_t free_hours;            /* a machine ran under a commitment, and it cost nothing */
    int64_t amortised;             /* such hours cost something, or what was left unused does */
    int64_t long_day;              /* a machine ran for longer than a day */
};

static void *azure_open(const struct bill_request *req)
{
    struct azure *f = xcalloc(1, sizeof *f);

    f->req = req;
    f->memo = bill_memo_new();
    return f;
}

static void azure_close(void *state, const char *name, bool complete)
{
    struct azure *f = state;

    (void)name;
    (void)complete;
    bill_memo_free(f->memo);
    buf_free(&f->id);
    free(f);
}

/* ---- words ---- */

static bool is(const struct bill_cells *c, int column, const char *value)
{
    return bill_fold_same(bill_cell(c, column), value);
}

static bool has(const struct bill_cells *c, int column, const char *word)
{
    return span_has_fold(bill_cell(c, column), word);
}

static const struct charge_type {
    const char *name;
    enum bill_group group;         /* BILL_GROUPS: what the meter and the resource say */
    bool by_sign;                  /* a refund when it gives money back */
} charge_types[] = {
    {"Usage", BILL_GROUPS, false},
    {"Purchase", GROUP_FEE, false},
    {"Refund", GROUP_REFUND, false},
    {"UnusedReservation", GROUP_UNUSED_COMMITMENT, false},
    {"UnusedSavingsPlan", GROUP_UNUSED_COMMITMENT, false},
    {"RoundingAdjustment", GROUP_FEE, true},
    {"Adjustment", GROUP_FEE, true},
    {"Tax", GROUP_TAX, false},
    {"Credit", GROUP_CREDIT, false},
};

static const struct charge_type unknown_type = {"", GROUP_FEE, false};

/* Older exports have no such column, and all their rows are usage. */
static const struct charge_type *read_charge_type(const struct bill_cells *c)
{
    struct span s = bill_cell(c, CHARGE_TYPE);

    if (s.n == 0)
        return &charge_types[0];
    for (size_t i = 0; i < sizeof charge_types / sizeof *charge_types; i++)
        if (bill_fold_same(s, charge_types[i].name))
            return &charge_types[i];
    diag_add(c->diag, "W108", "%s: rows of the unknown charge type \"%.*s\" count as fees", c->name, (int)(s.n < 80 ? s.n : 80), s.p);
    diag_hint(c->diag, "W108", "compare the group fees, shown by --bridge, with the invoice");
    return &unknown_type;
}

static const struct {
    const char *name;
    enum purchase purchase;
} pricing_models[] = {
    {"OnDemand", PURCHASE_ON_DEMAND}, {"Reservation", PURCHASE_RESERVED}, {"SavingsPlan", PURCHASE_SAVINGS_PLAN}, {"Spot", PURCHASE_SPOT},
};

static enum purchase purchase_of(const struct bill_cells *c)
{
    for (size_t i = 0; i < sizeof pricing_models / sizeof *pricing_models; i++)
        if (is(c, PRICING_MODEL, pricing_models[i].name))
            return pricing_models[i].purchase;
    if (has(c, METER_NAME, " spot") || has(c, METER_NAME, " low priority"))
        return PURCHASE_SPOT;
    return bill_cell(c, RESERVATION_ID).n ? PURCHASE_RESERVED : PURCHASE_UNKNOWN;
}

static bool is_commitment(enum purchase p)
{
    return p == PURCHASE_RESERVED || p == PURCHASE_SAVINGS_PLAN;
}

/* Bought capacity in which nothing ran; what ran in it is billed on the machines. */
static bool is_unused_capacity(const struct bill_cells *c)
{
    return has(c, RESOURCE_ID, "/capacityreservationgroups/");
}

/* Licences have a category of their own. */
static bool bills_instance_time(const struct azure *f, const struct bill_cells *c)
{
    struct span unit = bill_cell(c, UNIT);
    int64_t ms;

    return is(c, METER_CATEGORY, "VirtualMachines") && (unit.n == 0 || bill_unit_ms(unit, &ms)) && !is(c, PUBLISHER_TYPE, "Marketplace")
           && !bill_memo_speaks_of_other(f->memo, bill_cell(c, METER_SUBCATEGORY))
           && !bill_memo_speaks_of_other(f->memo, bill_cell(c, METER_NAME));
}

/* ---- amounts ---- */

static int no_amount(const struct bill_cells *c, int column, struct err *e)
{
    err_set(e, ERR_INPUT, "amount is missing");
    err_hint(e, "a missing amount is never taken for zero: export the bill again");
    return bill_cell_at(c, column, e);
}

/* What a commitment covers is not invoiced again, in either export. */
static int read_amounts(const struct azure *f, const struct bill_cells *c, bool is_usage, bool is_covered, struct bill_row *out,
                        struct err *e)
{
    int column = c->dialect->cost_columns[f->req->cost];
    int rc = bill_cell_money(c, COST, &out->invoiced, e);

    if (rc <= 0)
        return rc < 0 ? -1 : no_amount(c, COST, e);
    out->cost = out->invoiced;
    if (is_covered && f->req->cost != RULE_COST_BILLED)
        out->invoiced = 0;
    if (column == COST)
        return 0;
    out->cost = 0;
    rc = bill_cell_money(c, column, &out->cost, e);
    return rc < 0 ? -1 : rc == 0 && is_usage ? no_amount(c, column, e) : 0;
}

/* ---- instance time ---- */

static void read_details(struct azure *f, const struct bill_cells *c, bool warn)
{
    f->details = (struct bill_details){.type = ""};
    if (bill_memo_details(f->memo, &f->details, bill_cell(c, DETAILS)) < 0 && warn)
        bill_cells_warn_details(c, DETAILS);
}

/* "EastUS" and "eastus" are one region, and one pool of rates. */
static struct span region_of(struct azure *f, const struct bill_cells *c)
{
    struct span s = bill_cell(c, LOCATION);

    if (s.n >= sizeof f->region)
        return s;
    for (size_t i = 0; i < s.n; i++)
        f->region[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] + ('a' - 'A') : s.p[i]);
    return (struct span){f->region, s.n};
}

static int read_time_row(struct azure *f, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    int rc = bill_cell_duration(c, QUANTITY, TIME_HOUR, &out->time_ms, e);

    if (rc < 0)
        return -1;
    out->has_time = rc == 1;
    if (bill_cell_list(c, f->req, LIST_COST, out, e) < 0)
        return -1;
    out->purchase = purchase_of(c);
    out->type = f->details.type[0] ? span_of(f->details.type) : bill_type_of_meter(f->req->catalogue, bill_cell(c, METER_NAME));
    out->region = region_of(f, c);
    out->vcpu_micro = f->details.vcpu_micro;
    out->memory_micro_gib = f->details.memory_micro_gib;
    out->gpu_count_micro = f->details.gpu_count_micro;
    return 0;
}

/* ---- which export this is ---- */

static void first(int64_t *line, const struct bill_cells *c)
{
    if (*line == 0)
        *line = c->row->line;
}

static void watch(struct azure *f, const struct bill_cells *c, const struct charge_type *type, money cost, const struct bill_row *row)
{
    bool commitment = is_commitment(purchase_of(c)) || has(c, RESOURCE_ID, "microsoft.capacity/")
                      || has(c, RESOURCE_ID, "microsoft.billingbenefits/");

    if (type->group == GROUP_UNUSED_COMMITMENT)
        first(&f->amortised, c);
    if (commitment && type->group == GROUP_FEE && !type->by_sign && cost != 0)
        first(&f->purchase, c);
    if (row->kind != BILL_TIME)
        return;
    if (commitment && row->time_ms > 0)
        first(cost == 0 ? &f->free_hours : &f->amortised, c);
    if (row->time_ms > (money)TIME_DAY * MONEY_ONE && f->details.machine[0])
        first(&f->long_day, c);
}

static int refuse_mixed(const struct azure *f, const char *path, struct err *e)
{
    err_set(e, ERR_INPUT, "a commitment was bought here, as in an actual-cost export, but line %lld is of an amortised one: together "
            "they count twice", (long long)f->amortised);
    err_hint(e, "give the amortised export alone; for cost: billed the actual one");
    return err_at(e, path, f->purchase, 0);
}

static int refuse_actual(const struct azure *f, const char *path, struct err *e)
{
    int64_t line = f->free_hours ? f->free_hours : f->purchase;

    err_set(e, ERR_INPUT, "this is an actual-cost export: %s. It does not tell what each node cost in effect",
            f->free_hours ? "hours that a commitment covers cost 0 in it" : "the purchase of a commitment is a row of its own in it");
    err_hint(e, "export the amortised cost of the same days, or write cost: billed in the rule to report what was invoiced");
    return err_at(e, path, line, 0);
}

static int refuse_amortised(const struct azure *f, const char *path, struct err *e)
{
    err_set(e, ERR_INPUT, "this is an amortised export: it spreads the cost of commitments, and does not tell what was billed");
    err_hint(e, "export the actual cost of the same days, or write cost: effective in the rule");
    return err_at(e, path, f->amortised, 0);
}

/* Hours under a commitment may cost nothing in an amortised export too, where it was free. */
static int judge(const struct azure *f, const char *path, struct err *e)
{
    bool is_actual = f->purchase || (f->free_hours && !f->amortised);

    if (f->purchase && f->amortised)
        return refuse_mixed(f, path, e);
    if (f->req->cost == RULE_COST_LIST)
        return 0;
    if (f->req->cost == RULE_COST_BILLED)
        return f->amortised ? refuse_amortised(f, path, e) : 0;
    return is_actual ? refuse_actual(f, path, e) : 0;
}

/* All on the first of a month, and more hours than it has: a month in a row, of which no column says which days it covers. */
static int refuse_months(const struct azure *f, const char *path, struct err *e)
{
    if (!f->long_day || f->days.others)
        return 0;
    err_set(e, ERR_INPUT, "a machine has more than 24 hours on one day, and every row is dated on the first of a month: not a daily "
            "export");
    err_hint(e, "export with daily granularity");
    return err_at(e, path, f->long_day, 0);
}

static int azure_end(void *state, const char *path, int64_t rows, struct err *e)
{
    const struct azure *f = state;

    if (azure_manifest_check(path, rows, e) < 0 || refuse_months(f, path, e) < 0)
        return -1;
    return judge(f, path, e);
}

/* ---- the row ---- */

/* Some exports end in a row that has nothing but a date. */
static bool says_nothing(const struct bill_cells *c)
{
    static const int cells[] = {COST, QUANTITY, METER_CATEGORY, METER_NAME, RESOURCE_ID, CHARGE_TYPE};

    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (bill_cell(c, cells[i]).n)
            return false;
    return true;
}

/* Excerpts leave the currency out. What it was is not guessed. */
static struct span currency_of(const struct bill_cells *c)
{
    if (c->index[CURRENCY] >= 0)
        return bill_cell(c, CURRENCY);
    diag_once(c->diag, "W118", "%s: there is no column of the currency: amounts are shown in XXX, no known currency", c->name);
    diag_hint(c->diag, "W118", "export the bill again with the column %s", c->shown[CURRENCY]);
    return span_of("XXX");
}

static enum bill_group group_of(const struct bill_cells *c, const struct charge_type *type, money cost)
{
    if (type->group == BILL_GROUPS && is_unused_capacity(c))
        return GROUP_UNUSED_COMMITMENT;
    return type->by_sign && cost < 0 ? GROUP_REFUND : type->group;
}

static int read_usage(struct azure *f, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    bool is_time = bills_instance_time(f, c), is_set;

    out->kind = is_time ? BILL_TIME : BILL_BESIDE;
    is_set = azure_machine_in_set(&f->id, out->resource);
    if (is_time || is_set)
        read_details(f, c, is_time);
    if (is_set) {
        azure_machine_add(&f->id, span_of(f->details.machine));
        out->resource = buf_span(&f->id);
    }
    return is_time ? read_time_row(f, c, out, e) : 0;
}

static int azure_row(void *state, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    struct azure *f = state;
    const struct charge_type *type = read_charge_type(c);
    bool is_usage = type->group == BILL_GROUPS, is_covered;

    f->details.machine[0] = '\0';
    if (azure_day_read(&f->days, c, DATE, PERIOD_END, &out->span, e) < 0)
        return -1;
    out->group = GROUP_OTHER_RESOURCES;
    if (says_nothing(c))
        return 0;
    is_covered = (is_usage && is_commitment(purchase_of(c))) || type->group == GROUP_UNUSED_COMMITMENT;
    if (read_amounts(f, c, is_usage, is_covered, out, e) < 0)
        return -1;
    out->currency = currency_of(c);
    out->resource = bill_cell(c, RESOURCE_ID);
    out->payer = bill_cell(c, SUBSCRIPTION);
    if (is_usage && c->index[INVOICE_ID] >= 0)
        out->invoice = bill_cell(c, INVOICE_ID).n ? BILL_INVOICED : BILL_ESTIMATED;
    out->group = group_of(c, type, out->cost);
    if (out->group == BILL_GROUPS && read_usage(f, c, out, e) < 0)
        return -1;
    watch(f, c, type, out->cost, out);
    return 0;
}

const struct bill_dialect azure_dialect = {
    .name = "Azure cost export",
    .columns = columns,
    .n_columns = COLUMNS,
    .translated = true,
    .resource_column = RESOURCE_ID,
    .resource_hint = "export the bill again with the column ResourceId (InstanceId in older exports)",
    .cost_columns = {[RULE_COST_EFFECTIVE] = COST, [RULE_COST_BILLED] = COST, [RULE_COST_LIST] = LIST_COST,
                     [RULE_COST_NET_EFFECTIVE] = COST},
    .open = azure_open,
    .row = azure_row,
    .end = azure_end,
    .close = azure_close,
};
