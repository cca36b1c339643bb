/* gcp: the detailed export of Google Cloud's billing data, flattened to columns or as objects.
 *
 * A machine is several rows an hour: the SKU's description says whether a row bills its GPUs, cores or memory, and of anything else it is
 * beside the machine. A row's cost is its `cost` and those of its credits that the rule counts. Usage time decides, not the invoice's
 * month: corrections of an earlier month come later and count where they belong.
 * Fees of commitments are fees: no row says which machines they paid. */
#include "gputab/source/bill_dialect.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/bill_meter.h"
#include "gputab/source/bill_records.h"
#include "gputab/source/gcp_credits.h"
#include "gputab/source/gcp_resource.h"
#include "gputab/source/gcp_sku.h"

enum column {
    COST, CURRENCY, USAGE_START, USAGE_END, SKU, SERVICE_ID, SERVICE, PROJECT, LOCATION, REGION, ZONE, USAGE_AMOUNT, USAGE_UNIT,
    PRICING_AMOUNT, PRICING_UNIT, CREDITS, CREDIT_NAME, CREDIT_FULL_NAME, CREDIT_ID, CREDIT_TYPE, CREDIT_AMOUNT, INVOICE_MONTH, COST_TYPE,
    RESOURCE_NAME, GLOBAL_NAME, SYSTEM_LABELS, ADJUSTMENT_ID, ADJUSTMENT_TYPE, ADJUSTMENT_MODE, CONSUMPTION_MODEL, COST_AT_LIST,
    EXPORT_TIME, COLUMNS
};

static const struct bill_column columns[COLUMNS] = {
    [COST] = {"cost", NULL, true, true},
    [CURRENCY] = {"currency", NULL, false, true},
    [USAGE_START] = {"usage_start_time", NULL, true, true},
    [USAGE_END] = {"usage_end_time", NULL, true, true},
    [SKU] = {"sku_description", NULL, true, true},
    [SERVICE_ID] = {"service_id", NULL, false, false},
    [SERVICE] = {"service_description", NULL, false, false},
    [PROJECT] = {"project_id", NULL, false, false},
    [LOCATION] = {"location_location", NULL, false, false},
    [REGION] = {"location_region", NULL, false, false},
    [ZONE] = {"location_zone", NULL, false, false},
    [USAGE_AMOUNT] = {"usage_amount", NULL, false, false},
    [USAGE_UNIT] = {"usage_unit", NULL, false, false},
    [PRICING_AMOUNT] = {"usage_amount_in_pricing_units", NULL, false, false},
    [PRICING_UNIT] = {"usage_pricing_unit", NULL, false, false},
    [CREDITS] = {"credits", NULL, false, false},
    [CREDIT_NAME] = {"credits_name", "credit_name", false, false},
    [CREDIT_FULL_NAME] = {"credits_full_name", "credit_full_name", false, false},
    [CREDIT_ID] = {"credits_id", "credit_id", false, false},
    [CREDIT_TYPE] = {"credits_type", "credit_type", false, false},
    [CREDIT_AMOUNT] = {"credits_amount", "credit_amount", false, false},
    [INVOICE_MONTH] = {"invoice_month", NULL, false, false},
    [COST_TYPE] = {"cost_type", NULL, false, false},
    [RESOURCE_NAME] = {"resource_name", "resource_global_name", false, false},
    [GLOBAL_NAME] = {"resource_global_name", NULL, false, false},
    [SYSTEM_LABELS] = {"system_labels", NULL, false, false},
    [ADJUSTMENT_ID] = {"adjustment_info_id", NULL, false, false},
    [ADJUSTMENT_TYPE] = {"adjustment_info_type", NULL, false, false},
    [ADJUSTMENT_MODE] = {"adjustment_info_mode", NULL, false, false},
    [CONSUMPTION_MODEL] = {"consumption_model_description", NULL, false, false},
    [COST_AT_LIST] = {"cost_at_list", NULL, false, false},
    [EXPORT_TIME] = {"export_time", NULL, false, false},
};

static const int joined[] = {CREDIT_NAME, CREDIT_FULL_NAME, CREDIT_ID, CREDIT_TYPE, CREDIT_AMOUNT};
static const struct gcp_credit_columns credit_columns = {CREDITS, CREDIT_AMOUNT, CREDIT_TYPE, joined, sizeof joined / sizeof *joined};

/* ---- a file's state ---- */

struct gcp {
    const struct bill_request *req;
    struct gcp_credit_reader *credits;
    struct bill_records *labels;
    struct buf id;                 /* the latest row's resource */
    /* what the latest row's labels say of its machine */
    char type[BILL_TYPE_SIZE];
    int64_t vcpu_micro, memory_micro_gib;
    bool unused_reservation;
    bool is_refund;                /* the latest row's cost is negative, whatever its credits are */
    /* when the month of the newest invoice ends, and the latest time of export */
    time_ms invoice_end, exported;
};

static void *gcp_open(const struct bill_request *req)
{
    struct gcp *g = xcalloc(1, sizeof *g);

    g->req = req;
    g->credits = gcp_credit_reader_new(req, &credit_columns);
    g->labels = bill_records_new();
    g->invoice_end = g->exported = TIME_MIN;
    return g;
}

static void gcp_close(void *state, const char *name, bool complete)
{
    struct gcp *g = state;

    (void)name;
    (void)complete;
    gcp_credit_reader_free(g->credits);
    bill_records_free(g->labels);
    buf_free(&g->id);
    free(g);
}

static bool is(const struct bill_cells *c, int column, const char *value)
{
    return span_eq_fold(bill_cell(c, column), value);
}

/* ---- amounts ---- */

enum cost_type { REGULAR, TAX, ADJUSTMENT, ROUNDING, COST_TYPES };

static const char *const cost_types[COST_TYPES] = {"regular", "tax", "adjustment", "rounding_error"};

/* COST_TYPES: unknown. Older exports have no such column: all is regular. */
static enum cost_type cost_type_of(const struct bill_cells *c)
{
    struct span s = bill_cell(c, COST_TYPE);
    int i = 0;

    if (s.n == 0)
        return REGULAR;
    while (i < COST_TYPES && !span_eq_fold(s, cost_types[i]))
        i++;
    if (i == COST_TYPES) {
        diag_add(c->diag, "W108", "%s: rows of the unknown cost type \"%.*s\" count as fees", c->name, (int)(s.n < 80 ? s.n : 80), s.p);
        diag_hint(c->diag, "W108", "compare the group fees, shown by --bridge, with the invoice");
    }
    return (enum cost_type)i;
}

static int no_amount(const struct bill_cells *c, int column, struct err *e)
{
    err_set(e, ERR_INPUT, "amount is missing");
    err_hint(e, "a missing amount is never taken for zero: export the bill again");
    return bill_cell_at(c, column, e);
}

/* A price without discounts has usage only. */
static int read_list(const struct bill_cells *c, enum cost_type type, money *out, struct err *e)
{
    int rc = bill_cell_money(c, COST_AT_LIST, out, e);

    if (rc == 0 && type == REGULAR)
        return no_amount(c, COST_AT_LIST, e);
    return rc < 0 ? -1 : 0;
}

/* A row that repeats another is its credit alone. */
static int read_amounts(struct gcp *g, const struct bill_cells *c, enum cost_type type, struct gcp_credits *credits, struct bill_row *out,
                        struct err *e)
{
    money cost = 0, list = 0;
    int rc = bill_cell_money(c, COST, &cost, e);

    if (rc <= 0)
        return rc < 0 ? -1 : no_amount(c, COST, e);
    if ((g->req->cost == RULE_COST_LIST && read_list(c, type, &list, e) < 0) || gcp_credits_read(g->credits, c, credits, e) < 0)
        return -1;
    g->is_refund = cost < 0;
    if (credits->repeats)
        cost = list = 0;
    out->invoiced = cost + credits->all;
    out->cost = g->req->cost == RULE_COST_LIST ? list : g->req->cost == RULE_COST_BILLED ? out->invoiced : cost + credits->counted;
    return 0;
}

/* ---- labels ---- */

static int read_label(void *ctx, const struct bill_record *record, struct err *e)
{
    struct gcp *g = ctx;
    struct span key = bill_record_get(record, "key"), value = span_trim(bill_record_get(record, "value"));

    (void)e;
    if (span_eq(key, "compute.googleapis.com/machine_spec") && value.n < sizeof g->type) {
        memcpy(g->type, value.n ? value.p : "", value.n);
        g->type[value.n] = '\0';
    } else if (span_eq(key, "compute.googleapis.com/cores"))
        g->vcpu_micro = bill_micro_of_words(value);
    else if (span_eq(key, "compute.googleapis.com/memory"))
        g->memory_micro_gib = bill_micro_of_words(value) / 1024;
    else if (span_eq(key, "compute.googleapis.com/is_unused_reservation"))
        g->unused_reservation = span_eq_fold(value, "true");
    return 0;
}

static void read_labels(struct gcp *g, const struct bill_cells *c)
{
    struct err why = {0};

    g->type[0] = '\0';
    g->vcpu_micro = g->memory_micro_gib = 0;
    g->unused_reservation = false;
    if (bill_records_read(g->labels, bill_cell(c, SYSTEM_LABELS), read_label, g, &why) < 0)
        bill_cells_warn_details(c, SYSTEM_LABELS);
}

/* ---- what a row is ---- */

static struct span resource_of(struct gcp *g, const struct bill_cells *c)
{
    const struct gcp_resource r = {bill_cell(c, RESOURCE_NAME), bill_cell(c, GLOBAL_NAME), bill_cell(c, PROJECT), bill_cell(c, ZONE),
                                   bill_cell(c, LOCATION)};

    return gcp_resource_id(&g->id, &r);
}

static bool is_compute(const struct bill_cells *c)
{
    if (bill_cell(c, SERVICE).n == 0 && bill_cell(c, SERVICE_ID).n == 0)
        return true;
    return is(c, SERVICE, "Compute Engine") || is(c, SERVICE_ID, "6F81-5844-456A");
}

static struct gcp_sku sku_of(const struct bill_cells *c)
{
    return is_compute(c) ? gcp_sku_of(bill_cell(c, SKU)) : (struct gcp_sku){.kind = GCP_SKU_OTHER};
}

static bool is_correction(const struct bill_cells *c, enum cost_type type)
{
    return type == ADJUSTMENT || bill_cell(c, ADJUSTMENT_ID).n || bill_cell(c, ADJUSTMENT_TYPE).n || bill_cell(c, ADJUSTMENT_MODE).n;
}

/* The group of a row, BILL_GROUPS for what its resource decides. */
static enum bill_group group_of(const struct gcp *g, const struct bill_cells *c, enum cost_type type, const struct gcp_sku *sku,
                                const struct bill_row *row)
{
    if (type == TAX)
        return GROUP_TAX;
    if (type == COST_TYPES)
        return GROUP_FEE;
    if (type == ROUNDING || (is_correction(c, type) && (row->resource.n == 0 || sku->kind == GCP_SKU_COMMITMENT)))
        return g->is_refund ? GROUP_REFUND : GROUP_FEE;
    if (g->unused_reservation)
        return GROUP_UNUSED_COMMITMENT;
    return sku->kind == GCP_SKU_COMMITMENT ? GROUP_FEE : BILL_GROUPS;
}

static int read_span(const struct bill_cells *c, struct timespan *out, struct err *e)
{
    if (bill_cell_time(c, USAGE_START, &out->from, e) < 0 || bill_cell_time(c, USAGE_END, &out->to, e) < 0)
        return -1;
    if (out->from <= out->to)
        return 0;
    err_set(e, ERR_INPUT, "usage ends before it starts");
    return bill_cell_at(c, USAGE_END, e);
}

/* Usage of no length has a place in time, but no share of it: it belongs to no machine's hours. */
static enum bill_kind kind_of(const struct gcp_sku *sku, struct bill_row *row)
{
    if (row->group == BILL_GROUPS && row->span.from == row->span.to)
        row->group = GROUP_OTHER_RESOURCES;
    if (row->group != BILL_GROUPS)
        return BILL_GROUPED;
    return sku->kind == GCP_SKU_PIECE ? BILL_TIME : BILL_BESIDE;
}

/* ---- machine time ---- */

/* Of GPUs alone: cores and memory are counted in units of their own. */
static int read_gpu_time(const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    static const int pairs[][2] = {{USAGE_AMOUNT, USAGE_UNIT}, {PRICING_AMOUNT, PRICING_UNIT}};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && !out->has_time; i++) {
        int64_t ms;
        int rc = bill_unit_ms(bill_cell(c, pairs[i][1]), &ms) ? bill_cell_duration(c, pairs[i][0], ms, &out->time_ms, e) : 0;

        if (rc < 0)
            return -1;
        out->has_time = rc == 1;
    }
    return 0;
}

/* Any machine of N1 may have GPUs: its type says nothing of them. */
static struct span type_of(const struct gcp *g)
{
    struct span type = span_of(g->type);

    return span_starts(type, "n1-") || span_starts(type, "custom-") ? (struct span){NULL, 0} : type;
}

static enum purchase purchase_of(const struct bill_cells *c, const struct gcp_sku *sku, bool committed)
{
    struct span model = bill_cell(c, CONSUMPTION_MODEL);

    if (sku->purchase == PURCHASE_ON_DEMAND && (committed || (model.n && !span_eq_fold(model, "default"))))
        return PURCHASE_COMMITTED;
    return sku->purchase;
}

static int read_piece(const struct gcp *g, const struct bill_cells *c, const struct gcp_sku *sku, bool committed, struct bill_row *out,
                      struct err *e)
{
    out->has_piece = true;
    out->piece = sku->piece;
    out->gpu_model = sku->gpu_model;
    out->takes_no_gpu = sku->takes_no_gpu;
    out->purchase = purchase_of(c, sku, committed);
    out->type = type_of(g);
    out->region = bill_cell(c, REGION);
    out->vcpu_micro = g->vcpu_micro;
    out->memory_micro_gib = g->memory_micro_gib;
    if (bill_cell_list(c, g->req, COST_AT_LIST, out, e) < 0)
        return -1;
    return sku->piece == PIECE_GPU && !out->correction ? read_gpu_time(c, out, e) : 0;
}

/* ---- the invoice ---- */

/* "202610": its month ends at midnight in California, by winter time eight hours behind UTC. */
static void note_invoice(struct gcp *g, const struct bill_cells *c)
{
    struct span s = bill_cell(c, INVOICE_MONTH);
    struct timespan month;
    time_ms exported;

    if (s.n == 6) {
        const char text[] = {s.p[0], s.p[1], s.p[2], s.p[3], '-', s.p[4], s.p[5], '\0'};

        if (timespan_parse_month(span_of(text), &month) == 0 && month.to + 8 * TIME_HOUR > g->invoice_end)
            g->invoice_end = month.to + 8 * TIME_HOUR;
    }
    if (time_parse(bill_cell(c, EXPORT_TIME), &exported) == 0 && exported > g->exported)
        g->exported = exported;
}

/* While the latest row was exported within the month that is invoiced, that month was not over. */
static enum bill_invoice gcp_estimated(const void *state)
{
    const struct gcp *g = state;

    if (g->exported == TIME_MIN || g->invoice_end == TIME_MIN)
        return BILL_INVOICE_UNKNOWN;
    return g->exported < g->invoice_end ? BILL_ESTIMATED : BILL_INVOICED;
}

/* ---- the row ---- */

static int gcp_row(void *state, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    struct gcp *g = state;
    struct gcp_sku sku = sku_of(c);
    enum cost_type type = cost_type_of(c);
    struct gcp_credits credits;

    if (read_span(c, &out->span, e) < 0 || read_amounts(g, c, type, &credits, out, e) < 0)
        return -1;
    read_labels(g, c);
    note_invoice(g, c);
    out->currency = bill_cell(c, CURRENCY);
    out->resource = resource_of(g, c);
    out->correction = credits.repeats || is_correction(c, type);
    out->group = group_of(g, c, type, &sku, out);
    out->kind = kind_of(&sku, out);
    return out->kind == BILL_TIME ? read_piece(g, c, &sku, credits.committed, out, e) : 0;
}

const struct bill_dialect gcp_dialect = {
    .name = "Google Cloud detailed export",
    .columns = columns,
    .n_columns = COLUMNS,
    .folds = true,
    .whole_rows = true,
    .resource_column = RESOURCE_NAME,
    .resource_hint = "export the detailed usage cost (gcp_billing_export_resource_v1) with resource.name, project.id and location.zone",
    .cost_columns = {[RULE_COST_EFFECTIVE] = COST, [RULE_COST_BILLED] = COST, [RULE_COST_LIST] = COST_AT_LIST,
                     [RULE_COST_NET_EFFECTIVE] = COST},
    .open = gcp_open,
    .row = gcp_row,
    .close = gcp_close,
    .estimated = gcp_estimated,
};
