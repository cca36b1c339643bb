/* focus: the FOCUS dialect, versions 1.0 to 1.3, and columns that earlier drafts named otherwise.
 *
 * One table of columns, and a row's meaning in a fixed order: tax, credits, adjustments and purchases are groups by
 * their category, then unused commitments; a usage row bills its resource, and bills instance time when service, publisher, unit and
 * words allow it. A column that is absent or null speaks against nothing.
 * Rows of Google Cloud may bill a piece of a machine: their SKU's description says so (gcp_sku).
 * So do rows of Oracle, or the machine by its GPUs: by description and unit (oci_sku).
 * FOCUS has no net column: negotiated discounts are in EffectiveCost already, so net_effective asks for that.
 * Split cost allocation (FOCUS 1.3): allocated rows have their origin's dimensions, also its resource, and sum to it. By the standard they
 * stand instead of it; where the origin stands beside them with its money, bill_sum excludes them: each money counts once. */
#include "gputab/source/bill_dialect.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/azure_machine.h"
#include "gputab/source/bill_memo.h"
#include "gputab/source/bill_meter.h"
#include "gputab/source/gcp_resource.h"
#include "gputab/source/gcp_sku.h"
#include "gputab/source/oci_sku.h"

enum column {
    BILLED_COST, EFFECTIVE_COST, LIST_COST, CURRENCY, CATEGORY, CLASS, DESCRIPTION, PERIOD_START, PERIOD_END, COMMITMENT_CATEGORY,
    COMMITMENT_ID, COMMITMENT_STATUS, COMMITMENT_TYPE, RESERVATION_STATUS, CONSUMED_QUANTITY, CONSUMED_UNIT, INVOICE_ID,
    PRICING_CATEGORY, PRICING_QUANTITY, PRICING_UNIT, PROVIDER, PUBLISHER, REGION_ID, REGION_NAME, RESOURCE_ID, RESOURCE_NAME,
    SERVICE_CATEGORY, SERVICE_NAME, SUB_ACCOUNT, ZONE, SKU_METER, SKU_DETAILS, X_SKU_DETAILS, X_INSTANCE_TYPE, X_USAGE_TYPE, X_OPERATION,
    SKU_ID, SKU_PRICE_ID, ALLOCATED_RESOURCE, ALLOCATED_METHOD, HOST_PROVIDER, SERVICE_PROVIDER, SUBCATEGORY, COLUMNS
};

static const struct bill_column columns[COLUMNS] = {
    [BILLED_COST] = {"BilledCost", NULL, true, true},
    [EFFECTIVE_COST] = {"EffectiveCost", "AmortizedCost", false, false},
    [LIST_COST] = {"ListCost", NULL, false, false},
    [CURRENCY] = {"BillingCurrency", NULL, false, false},
    [CATEGORY] = {"ChargeCategory", "ChargeType", false, true},
    [CLASS] = {"ChargeClass", NULL, false, false},
    [DESCRIPTION] = {"ChargeDescription", NULL, false, false},
    [PERIOD_START] = {"ChargePeriodStart", NULL, true, true},
    [PERIOD_END] = {"ChargePeriodEnd", NULL, true, true},
    [COMMITMENT_CATEGORY] = {"CommitmentDiscountCategory", NULL, false, false},
    [COMMITMENT_ID] = {"CommitmentDiscountId", NULL, false, false},
    [COMMITMENT_STATUS] = {"CommitmentDiscountStatus", NULL, false, false},
    [COMMITMENT_TYPE] = {"CommitmentDiscountType", NULL, false, false},
    [RESERVATION_STATUS] = {"CapacityReservationStatus", NULL, false, false},
    [CONSUMED_QUANTITY] = {"ConsumedQuantity", "UsageQuantity", false, false},
    [CONSUMED_UNIT] = {"ConsumedUnit", "UsageUnit", false, false},
    [INVOICE_ID] = {"InvoiceId", NULL, false, false},
    [PRICING_CATEGORY] = {"PricingCategory", NULL, false, false},
    [PRICING_QUANTITY] = {"PricingQuantity", NULL, false, false},
    [PRICING_UNIT] = {"PricingUnit", NULL, false, false},
    [PROVIDER] = {"ProviderName", "Provider", false, false},
    [PUBLISHER] = {"PublisherName", "Publisher", false, false},
    [REGION_ID] = {"RegionId", "Region", false, false},
    [REGION_NAME] = {"RegionName", NULL, false, false},
    [RESOURCE_ID] = {"ResourceId", NULL, false, false},
    [RESOURCE_NAME] = {"ResourceName", NULL, false, false},
    [SERVICE_CATEGORY] = {"ServiceCategory", NULL, false, false},
    [SERVICE_NAME] = {"ServiceName", NULL, false, false},
    [SUB_ACCOUNT] = {"SubAccountId", NULL, false, false},
    [ZONE] = {"AvailabilityZone", NULL, false, false},
    [SKU_METER] = {"SkuMeter", NULL, false, false},
    [SKU_DETAILS] = {"SkuPriceDetails", NULL, false, false},
    [X_SKU_DETAILS] = {"x_SkuDetails", NULL, false, false},
    [X_INSTANCE_TYPE] = {"x_InstanceType", NULL, false, false},
    [X_USAGE_TYPE] = {"x_UsageType", NULL, false, false},
    [X_OPERATION] = {"x_Operation", NULL, false, false},
    [SKU_ID] = {"SkuId", NULL, false, false},
    [SKU_PRICE_ID] = {"SkuPriceId", NULL, false, false},
    [ALLOCATED_RESOURCE] = {"AllocatedResourceId", NULL, false, false},
    [ALLOCATED_METHOD] = {"AllocatedMethodId", NULL, false, false},
    [HOST_PROVIDER] = {"HostProviderName", NULL, false, false},
    [SERVICE_PROVIDER] = {"ServiceProviderName", NULL, false, false},
    [SUBCATEGORY] = {"ChargeSubcategory", NULL, false, false},
};

/* ---- a file's state ---- */

enum { PROVIDERS_MAX = 64 };       /* in one file; more are not watched */

/* Whether a provider's EffectiveCost was rounded to whole units by whatever wrote the file. */
struct provider {
    char *name;
    int64_t rows;
    bool effective_whole;          /* in every row */
    bool usage_broken;             /* some usage row has a BilledCost that is not whole */
};

/* What a cell said in the row before: most rows repeat it. Empty text: there was none. */
struct last_time {
    struct buf text;
    time_ms t;
};
struct last_provider {
    struct buf text;
    int family;                    /* see family_of */
};

struct focus {
    const struct bill_request *req;
    struct bill_details details;   /* of the latest row of instance time */
    struct bill_memo *memo;
    struct buf id;                 /* the latest row's resource, where columns make it up, */
    struct buf machine;            /* and where it is in an Azure scale set */
    struct buf origin;             /* the latest row's key for what splits its cost */
    struct last_time from, to;
    struct last_provider provider;
    VEC(struct provider) providers;
};

static void *focus_open(const struct bill_request *req)
{
    struct focus *f = xcalloc(1, sizeof *f);

    f->req = req;
    f->memo = bill_memo_new();
    f->provider.family = -1;
    return f;
}

static void focus_close(void *state, const char *name, bool complete)
{
    struct focus *f = state;

    for (size_t i = 0; i < f->providers.n; i++) {
        const struct provider *p = &f->providers.v[i];

        if (complete && p->effective_whole && p->usage_broken) {
            diag_add(f->req->diag, "W101", "%s: \"EffectiveCost\" of %s has whole numbers only, in all %lld rows, while "
                     "\"BilledCost\" has not: it was rounded", name, p->name, (long long)p->rows);
            diag_hint(f->req->diag, "W101", "BilledCost is exact here: write cost: billed in the rule, unless commitments cover the nodes");
        }
        free(f->providers.v[i].name);
    }
    vec_free(&f->providers);
    bill_memo_free(f->memo);
    buf_free(&f->machine);
    buf_free(&f->id);
    buf_free(&f->origin);
    buf_free(&f->from.text);
    buf_free(&f->to.text);
    buf_free(&f->provider.text);
    free(f);
}

/* From 1.3 on two columns say who runs a resource and who sells it; before, two others did. */
static struct span provider_of(const struct bill_cells *c)
{
    return bill_cell(c, bill_cell(c, PROVIDER).n ? PROVIDER : HOST_PROVIDER);
}

static struct span publisher_of(const struct bill_cells *c)
{
    return bill_cell(c, bill_cell(c, PUBLISHER).n ? PUBLISHER : SERVICE_PROVIDER);
}

static struct provider *find_provider(struct focus *f, struct span name)
{
    for (size_t i = 0; i < f->providers.n; i++)
        if (span_eq(name, f->providers.v[i].name))
            return &f->providers.v[i];
    if (f->providers.n == PROVIDERS_MAX)
        return NULL;
    vec_push(&f->providers, (struct provider){xstrndup(name.n ? name.p : "", name.n), 0, true, false});
    return &f->providers.v[f->providers.n - 1];
}

static bool is_whole(money m)
{
    return m % MONEY_ONE == 0;
}

static void watch_rounding(struct focus *f, const struct bill_cells *c, bool is_usage, money billed)
{
    struct provider *p = c->index[EFFECTIVE_COST] < 0 ? NULL : find_provider(f, provider_of(c));
    money effective;

    if (!p || money_parse(bill_cell(c, EFFECTIVE_COST), &effective, NULL) < 0)
        return;
    p->rows++;
    p->effective_whole &= is_whole(effective);
    p->usage_broken |= is_usage && !is_whole(billed);
}

/* ---- categories ---- */

enum category { CATEGORY_USAGE, CATEGORY_PURCHASE, CATEGORY_TAX, CATEGORY_CREDIT, CATEGORY_ADJUSTMENT, CATEGORIES };

static const char *const category_names[CATEGORIES] = {"Usage", "Purchase", "Tax", "Credit", "Adjustment"};

static bool is(const struct bill_cells *c, int column, const char *value)
{
    return span_eq_fold(bill_cell(c, column), value);
}

static int read_category(const struct bill_cells *c, enum category *out, struct err *e)
{
    struct span s = bill_cell(c, CATEGORY);

    for (int i = 0; i < CATEGORIES; i++)
        if (is(c, CATEGORY, category_names[i])) {
            *out = (enum category)i;
            return 0;
        }
    err_set(e, ERR_INPUT, "\"%.*s\" is none of Usage, Purchase, Tax, Credit, Adjustment", (int)(s.n < 80 ? s.n : 80), s.n ? s.p : "");
    return bill_cell_at(c, CATEGORY, e);
}

/* Reserved and not used: by the two status columns, by what drafts had instead, or by AWS's usage types where these are not there (1.0). */
static bool is_unused(const struct bill_cells *c)
{
    static const int cells[] = {SKU_METER, X_USAGE_TYPE};

    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (span_has_fold(bill_cell(c, cells[i]), "unusedbox:") || span_has_fold(bill_cell(c, cells[i]), "unusedded:"))
            return true;
    return is(c, COMMITMENT_STATUS, "Unused") || is(c, RESERVATION_STATUS, "Unused") || is(c, SUBCATEGORY, "Unused Commitment");
}

/* The group of a row, or BILL_GROUPS for usage that is no unused commitment. */
static enum bill_group group_of(const struct bill_cells *c, enum category category, money cost)
{
    switch (category) {
    case CATEGORY_TAX:
        return GROUP_TAX;
    case CATEGORY_CREDIT:
        return GROUP_CREDIT;
    case CATEGORY_ADJUSTMENT:
        return cost < 0 ? GROUP_REFUND : GROUP_FEE;
    case CATEGORY_PURCHASE:
        return cost < 0 && is(c, CLASS, "Correction") ? GROUP_REFUND : GROUP_FEE;
    default:
        return is_unused(c) ? GROUP_UNUSED_COMMITMENT : BILL_GROUPS;
    }
}

/* ---- amounts and times ---- */

static int null_amount(const struct bill_cells *c, int column, struct err *e)
{
    err_set(e, ERR_INPUT, "amount is missing");
    err_hint(e, "a missing amount is never taken for zero: export the bill again");
    return bill_cell_at(c, column, e);
}

/* A null is never taken for zero in a usage row; elsewhere only when the other amount does not speak against it. */
static int read_amounts(struct focus *f, const struct bill_cells *c, bool is_usage, struct bill_row *out, struct err *e)
{
    int column = c->dialect->cost_columns[f->req->cost];
    int cost = bill_cell_money(c, column, &out->cost, e);
    int billed = cost;

    if (cost < 0)
        return -1;
    out->invoiced = out->cost;
    if (column != BILLED_COST && (billed = bill_cell_money(c, BILLED_COST, &out->invoiced, e)) < 0)
        return -1;
    if (cost == 0 && (is_usage || (billed == 1 && out->invoiced != 0)))
        return null_amount(c, column, e);
    if (billed == 0 && (is_usage || (cost == 1 && out->cost != 0)))
        return null_amount(c, BILLED_COST, e);
    return 0;
}

static int read_time(const struct bill_cells *c, int column, struct last_time *last, time_ms *out, struct err *e)
{
    struct span cell = bill_cell(c, column);

    if (cell.n == 0 || !span_same(cell, buf_span(&last->text))) {
        if (bill_cell_time(c, column, &last->t, e) < 0)
            return -1;
        buf_clear(&last->text);
        buf_add_span(&last->text, cell);
    }
    *out = last->t;
    return 0;
}

/* Ends are exclusive. Only rows without usage may be an instant. */
static int read_span(struct focus *f, const struct bill_cells *c, bool is_usage, struct timespan *out, struct err *e)
{
    if (read_time(c, PERIOD_START, &f->from, &out->from, e) < 0 || read_time(c, PERIOD_END, &f->to, &out->to, e) < 0)
        return -1;
    if (out->from < out->to || (out->from == out->to && !is_usage))
        return 0;
    err_set(e, ERR_INPUT, "charge period ends no later than it starts");
    return bill_cell_at(c, PERIOD_END, e);
}

/* ---- instance time ---- */

static const char *const compute_services[] = {
    "Amazon Elastic Compute Cloud", "AmazonEC2", "Virtual Machines", "Virtual Machine Scale Sets", "Compute Engine", "COMPUTE",
};

static bool is_compute(const struct bill_cells *c)
{
    struct span service = bill_cell(c, SERVICE_NAME);

    if (is(c, SERVICE_CATEGORY, "Compute") || (service.n == 0 && bill_cell(c, SERVICE_CATEGORY).n == 0))
        return true;
    for (size_t i = 0; i < sizeof compute_services / sizeof *compute_services; i++)
        if (span_eq_fold(service, compute_services[i]))
            return true;
    return false;
}

/* The names under which a provider sells by itself. */
enum family { AMAZON, MICROSOFT, GOOGLE, ORACLE, FAMILIES };

static const char *const families[FAMILIES][2] = {
    [AMAZON] = {"amazon", "aws"}, [MICROSOFT] = {"microsoft", "azure"}, [GOOGLE] = {"google", "gcp"}, [ORACLE] = {"oracle", "oci"},
};

static int family_of(struct span name)
{
    for (size_t i = 0; i < FAMILIES; i++)
        if (span_has_fold(name, families[i][0]) || span_has_fold(name, families[i][1]))
            return (int)i;
    return -1;
}

static int provider_family(struct focus *f, const struct bill_cells *c)
{
    struct span name = provider_of(c);

    if (!span_same(name, buf_span(&f->provider.text))) {
        buf_clear(&f->provider.text);
        buf_add_span(&f->provider.text, name);
        f->provider.family = family_of(name);
    }
    return f->provider.family;
}

static bool same_fold(struct span a, struct span b)
{
    char text[256];

    if (a.n != b.n || a.n >= sizeof text)
        return false;
    memcpy(text, b.p, b.n);
    text[b.n] = '\0';
    return span_eq_fold(a, text);
}

static bool is_own_product(const struct bill_cells *c)
{
    struct span publisher = publisher_of(c), provider = provider_of(c);

    if (span_has_fold(publisher, "marketplace"))
        return false;
    if (publisher.n == 0 || provider.n == 0 || same_fold(publisher, provider))
        return true;
    return family_of(publisher) >= 0 && family_of(publisher) == family_of(provider);
}

static bool is_priced_in_time(const struct focus *f, const struct bill_cells *c)
{
    struct span unit = bill_cell(c, PRICING_UNIT);
    int64_t ms;

    if (unit.n == 0)
        unit = bill_cell(c, CONSUMED_UNIT);
    return unit.n == 0 || bill_memo_unit_ms(f->memo, unit, &ms);
}

/* A capacity reservation has rows of its own beside those of the instances in it; it is no machine. */
static bool is_reservation(const struct bill_cells *c)
{
    return span_has_fold(bill_cell(c, RESOURCE_ID), "capacity-reservation/");
}

static bool bills_instance_time(const struct focus *f, const struct bill_cells *c)
{
    static const int speaking[] = {SKU_METER, DESCRIPTION, X_USAGE_TYPE, X_OPERATION};

    if (!is_priced_in_time(f, c) || !is_compute(c) || !is_own_product(c) || is_reservation(c))
        return false;
    for (size_t i = 0; i < sizeof speaking / sizeof *speaking; i++)
        if (bill_memo_speaks_of_other(f->memo, bill_cell(c, speaking[i])))
            return false;
    return true;
}

/* Google Cloud bills pieces of a machine in rows of their own, here too: their descriptions are those of its SKUs. */
static struct gcp_sku google_sku(struct focus *f, const struct bill_cells *c)
{
    struct span text = bill_cell(c, DESCRIPTION);

    if (provider_family(f, c) != GOOGLE || !is_compute(c) || !is_own_product(c))
        return (struct gcp_sku){.kind = GCP_SKU_OTHER};
    return gcp_sku_of(text.n ? text : bill_cell(c, SKU_METER));
}

static struct oci_sku oracle_sku(struct focus *f, const struct bill_cells *c)
{
    struct span unit = bill_cell(c, CONSUMED_UNIT);

    if (provider_family(f, c) != ORACLE || !is_compute(c) || !is_own_product(c) || !oci_is_machine(bill_cell(c, RESOURCE_ID)))
        return (struct oci_sku){.kind = OCI_SKU_OTHER};
    return oci_sku_of(bill_cell(c, DESCRIPTION), unit.n ? unit : bill_cell(c, PRICING_UNIT));
}

/* Its global names may end with a number, and then another column has the name that nodes know. */
static struct span resource_of(struct focus *f, const struct bill_cells *c)
{
    struct gcp_resource r = {.name = bill_cell(c, RESOURCE_NAME), .project = bill_cell(c, SUB_ACCOUNT), .zone = bill_cell(c, ZONE)};
    struct span id = bill_cell(c, RESOURCE_ID);

    if (id.n == 0 || provider_family(f, c) != GOOGLE)
        return id;
    if (memchr(id.p, '/', id.n))
        r.global_name = id;
    else
        r.name = id;
    return gcp_resource_id(&f->id, &r);
}

/* The quantity in time: consumed before priced. */
static int read_quantity(const struct focus *f, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    static const int pairs[][2] = {{CONSUMED_QUANTITY, CONSUMED_UNIT}, {PRICING_QUANTITY, PRICING_UNIT}};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int64_t ms;
        int rc;

        if (!bill_memo_unit_ms(f->memo, bill_cell(c, pairs[i][1]), &ms))
            continue;
        rc = bill_cell_duration(c, pairs[i][0], ms, &out->time_ms, e);
        if (rc < 0)
            return -1;
        if (rc == 0)
            continue;
        out->has_time = true;
        return 0;
    }
    return 0;
}

static void read_details(struct focus *f, const struct bill_cells *c)
{
    static const int cells[] = {SKU_DETAILS, X_SKU_DETAILS};

    f->details = (struct bill_details){.type = ""};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (bill_memo_details(f->memo, &f->details, bill_cell(c, cells[i])) < 0)
            bill_cells_warn_details(c, cells[i]);
}

static struct span type_of(const struct focus *f, const struct bill_cells *c)
{
    const struct catalogue *known = f->req->catalogue;
    struct span s = span_of(f->details.type);

    if (s.n == 0)
        s = bill_cell(c, X_INSTANCE_TYPE);
    if (s.n == 0)
        s = bill_type_of_meter(known, bill_cell(c, SKU_METER));
    if (s.n == 0)
        s = bill_type_of_meter(known, bill_cell(c, X_USAGE_TYPE));
    if (s.n == 0)
        s = bill_type_of_words(known, bill_cell(c, DESCRIPTION));
    return s;
}

static bool is_capacity_block(const struct bill_cells *c)
{
    static const int cells[] = {SKU_METER, DESCRIPTION, X_USAGE_TYPE, COMMITMENT_TYPE};

    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (span_has_fold(bill_cell(c, cells[i]), "capacity block") || span_has_fold(bill_cell(c, cells[i]), "capacityblock"))
            return true;
    return false;
}

static enum purchase commitment_of(const struct bill_cells *c)
{
    static const int cells[] = {COMMITMENT_TYPE, COMMITMENT_ID};

    if (is(c, COMMITMENT_CATEGORY, "Usage"))
        return PURCHASE_RESERVED;
    if (is(c, COMMITMENT_CATEGORY, "Spend"))
        return PURCHASE_SAVINGS_PLAN;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (span_has_fold(bill_cell(c, cells[i]), "saving"))
            return PURCHASE_SAVINGS_PLAN;
        if (span_has_fold(bill_cell(c, cells[i]), "reserv"))
            return PURCHASE_RESERVED;
    }
    return PURCHASE_COMMITTED;
}

static enum purchase purchase_of(const struct bill_cells *c)
{
    if (is_capacity_block(c))
        return PURCHASE_CAPACITY_BLOCK;
    if (is(c, PRICING_CATEGORY, "Dynamic"))
        return PURCHASE_SPOT;
    if (is(c, PRICING_CATEGORY, "Committed") || is(c, PRICING_CATEGORY, "Commitment-Based"))
        return commitment_of(c);
    return is(c, PRICING_CATEGORY, "Standard") || is(c, PRICING_CATEGORY, "On-Demand") ? PURCHASE_ON_DEMAND : PURCHASE_UNKNOWN;
}

static void read_piece(const struct gcp_sku *sku, struct bill_row *out)
{
    out->has_piece = true;
    out->piece = sku->piece;
    out->gpu_model = sku->gpu_model;
    out->takes_no_gpu = sku->takes_no_gpu;
}

/* Cores and memory of their own are counted in other units than a machine's time. */
static int read_time_row(struct focus *f, const struct bill_cells *c, const struct gcp_sku *sku, struct bill_row *out, struct err *e)
{
    out->kind = BILL_TIME;
    out->correction = is(c, CLASS, "Correction");
    if (sku->kind == GCP_SKU_PIECE)
        read_piece(sku, out);
    if (!out->correction && (!out->has_piece || out->piece == PIECE_GPU) && read_quantity(f, c, out, e) < 0)
        return -1;
    if (bill_cell_list(c, f->req, LIST_COST, out, e) < 0)
        return -1;
    read_details(f, c);
    if (azure_machine_in_set(&f->machine, out->resource)) {
        azure_machine_add(&f->machine, span_of(f->details.machine));
        out->resource = buf_span(&f->machine);
    }
    out->type = type_of(f, c);
    out->vcpu_micro = f->details.vcpu_micro;
    out->memory_micro_gib = f->details.memory_micro_gib;
    out->gpu_count_micro = f->details.gpu_count_micro;
    out->purchase = purchase_of(c);
    if (out->has_piece && out->purchase == PURCHASE_UNKNOWN)
        out->purchase = sku->purchase;
    out->region = bill_cell(c, bill_cell(c, REGION_ID).n ? REGION_ID : REGION_NAME);
    return 0;
}

/* A row of Oracle's: its unit is not the machine's time but where it says so. */
static int read_oracle_row(struct focus *f, const struct bill_cells *c, const struct oci_sku *sku, struct bill_row *out, struct err *e)
{
    int quantity = bill_cell(c, CONSUMED_UNIT).n ? CONSUMED_QUANTITY : PRICING_QUANTITY, rc;
    const struct gcp_sku piece = {.kind = GCP_SKU_PIECE, .piece = sku->piece, .takes_no_gpu = sku->takes_no_gpu,
                                  .purchase = PURCHASE_UNKNOWN};

    if (sku->kind == OCI_SKU_PIECE)
        return read_time_row(f, c, &piece, out, e);
    out->gpu_time = sku->kind == OCI_SKU_GPUS;
    out->gpu_model = sku->gpu_model;
    out->takes_no_gpu = sku->takes_no_gpu;
    if (read_time_row(f, c, &(struct gcp_sku){.kind = GCP_SKU_OTHER}, out, e) < 0)
        return -1;
    if (out->correction || out->has_time)
        return 0;
    rc = bill_cell_duration(c, quantity, sku->unit_ms, &out->time_ms, e);
    out->has_time = rc == 1;
    return rc < 0 ? -1 : 0;
}

/* ---- the row ---- */

/* Dimensions that an origin and its allocated rows have in common; together with the times they are one row's in practice. */
static void read_split(struct focus *f, const struct bill_cells *c, struct bill_row *out)
{
    static const int common[] = {
        RESOURCE_ID, CATEGORY, CLASS, PERIOD_START, PERIOD_END, SERVICE_NAME, SUB_ACCOUNT, REGION_ID, SKU_ID, SKU_PRICE_ID, SKU_METER,
        X_USAGE_TYPE, X_OPERATION, PRICING_CATEGORY, COMMITMENT_ID, COMMITMENT_STATUS, INVOICE_ID,
    };

    if (c->index[ALLOCATED_RESOURCE] < 0 && c->index[ALLOCATED_METHOD] < 0)
        return;
    buf_clear(&f->origin);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        buf_add_span(&f->origin, bill_cell(c, common[i]));
        buf_addc(&f->origin, '\0');
    }
    out->origin = buf_span(&f->origin);
    out->allocated = bill_cell(c, ALLOCATED_RESOURCE).n || bill_cell(c, ALLOCATED_METHOD).n;
}

/* The standard has the column in every file; the examples that come with it don't. XXX is the code for no currency. */
static struct span currency_of(const struct bill_cells *c)
{
    if (c->index[CURRENCY] >= 0)
        return bill_cell(c, CURRENCY);
    diag_once(c->diag, "W129", "%s: there is no column \"BillingCurrency\": amounts are shown in XXX, which stands for no currency",
              c->name);
    diag_hint(c->diag, "W129", "export the bill again with BillingCurrency, which every FOCUS bill has");
    return span_of("XXX");
}

static int focus_row(void *state, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    struct focus *f = state;
    enum category category = CATEGORY_USAGE;
    struct gcp_sku sku;
    struct oci_sku oci;
    bool is_usage;

    if (read_category(c, &category, e) < 0)
        return -1;
    is_usage = category == CATEGORY_USAGE;
    if (read_span(f, c, is_usage, &out->span, e) < 0 || read_amounts(f, c, is_usage, out, e) < 0)
        return -1;
    watch_rounding(f, c, is_usage, out->invoiced);
    out->currency = currency_of(c);
    out->resource = resource_of(f, c);
    read_split(f, c, out);
    if (is_usage && c->index[INVOICE_ID] >= 0)
        out->invoice = bill_cell(c, INVOICE_ID).n ? BILL_INVOICED : BILL_ESTIMATED;
    out->group = group_of(c, category, out->cost ? out->cost : out->invoiced);
    out->kind = out->group == BILL_GROUPS ? BILL_BESIDE : BILL_GROUPED;
    if (out->kind == BILL_GROUPED)
        return 0;
    oci = oracle_sku(f, c);
    if (oci.kind != OCI_SKU_OTHER)
        return read_oracle_row(f, c, &oci, out, e);
    sku = google_sku(f, c);
    return sku.kind == GCP_SKU_PIECE || bills_instance_time(f, c) ? read_time_row(f, c, &sku, out, e) : 0;
}

const struct bill_dialect focus_dialect = {
    .name = "FOCUS",
    .more_nulls = true,
    .columns = columns,
    .n_columns = COLUMNS,
    .resource_column = RESOURCE_ID,
    .resource_hint = "export the bill again with the column ResourceId",
    .cost_columns = {[RULE_COST_EFFECTIVE] = EFFECTIVE_COST, [RULE_COST_BILLED] = BILLED_COST, [RULE_COST_LIST] = LIST_COST,
                     [RULE_COST_NET_EFFECTIVE] = EFFECTIVE_COST},
    .open = focus_open,
    .row = focus_row,
    .close = focus_close,
};
