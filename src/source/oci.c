/* oci: the dialect of Oracle Cloud's cost reports.
 *
 * Machines are known by their ocid; product and unit say what of them a row bills (oci_sku). There is one cost, after all discounts, and
 * no public price. A correction has the number of the row that it corrects; it is cost, never time. Tags and overage are not read: amounts
 * have overage in them. */
#include "gputab/source/bill_dialect.h"

#include <stdlib.h>

#include "gputab/base/xalloc.h"
#include "gputab/source/oci_sku.h"

enum column {
    START, END, COST, CURRENCY, SERVICE, DESCRIPTION, RESOURCE, REGION, QUANTITY, UNIT, SKU_UNIT, CORRECTION, COLUMNS
};

static const struct bill_column columns[COLUMNS] = {
    [START] = {"line_item_interval_usage_start", NULL, true, true},
    [END] = {"line_item_interval_usage_end", NULL, true, true},
    [COST] = {"cost_my_cost", NULL, true, true},
    [CURRENCY] = {"cost_currency_code", NULL, false, true},
    [SERVICE] = {"product_service", NULL, false, true},
    [DESCRIPTION] = {"product_description", NULL, false, true},
    [RESOURCE] = {"product_resource_id", NULL, false, false},
    [REGION] = {"product_region", NULL, false, false},
    [QUANTITY] = {"usage_billed_quantity", NULL, false, false},
    [UNIT] = {"cost_billing_unit_readable", NULL, false, false},
    [SKU_UNIT] = {"cost_sku_unit_description", NULL, false, false},
    [CORRECTION] = {"line_item_is_correction", NULL, false, false},
};

struct oci {
    enum rule_cost cost;
};

static void *oci_open(const struct bill_request *req)
{
    struct oci *o = xcalloc(1, sizeof *o);

    o->cost = req->cost;
    return o;
}

static void oci_close(void *state, const char *name, bool complete)
{
    (void)name;
    (void)complete;
    free(state);
}

static int read_span(const struct bill_cells *c, struct timespan *out, struct err *e)
{
    if (bill_cell_time(c, START, &out->from, e) < 0 || bill_cell_time(c, END, &out->to, e) < 0)
        return -1;
    if (out->from < out->to)
        return 0;
    err_set(e, ERR_INPUT, "usage ends no later than it starts");
    return bill_cell_at(c, END, e);
}

static int read_cost(const struct oci *o, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    int rc;

    if (o->cost == RULE_COST_LIST) {
        err_set(e, ERR_INPUT, "Oracle's cost reports have no public price, which the rule asks for");
        err_hint(e, "write cost: effective in the rule");
        return bill_cell_at(c, COST, e);
    }
    rc = bill_cell_money(c, COST, &out->cost, e);
    out->invoiced = out->cost;
    if (rc != 0)
        return rc < 0 ? -1 : 0;
    err_set(e, ERR_INPUT, "amount is missing");
    err_hint(e, "a missing amount is never taken for zero: export the bill again");
    return bill_cell_at(c, COST, e);
}

static int read_time(const struct bill_cells *c, const struct oci_sku *sku, struct bill_row *out, struct err *e)
{
    int rc = out->correction ? 0 : bill_cell_duration(c, QUANTITY, sku->unit_ms, &out->time_ms, e);

    out->has_time = rc == 1;
    out->gpu_time = sku->kind == OCI_SKU_GPUS;
    return rc < 0 ? -1 : 0;
}

/* Only machines may wait for what metrics say of them: everything has an id here, and most of it is none. */
static int read_machine(const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    struct span unit = bill_cell(c, bill_cell(c, UNIT).n ? UNIT : SKU_UNIT);
    struct oci_sku sku = oci_sku_of(bill_cell(c, DESCRIPTION), unit);

    if (!span_eq_fold(bill_cell(c, SERVICE), "COMPUTE") || sku.kind == OCI_SKU_OTHER)
        return 0;
    out->kind = BILL_TIME;
    out->has_piece = sku.kind == OCI_SKU_PIECE;
    out->piece = sku.piece;
    out->gpu_model = sku.gpu_model;
    out->takes_no_gpu = sku.takes_no_gpu;
    out->region = bill_cell(c, REGION);
    out->purchase = span_has_fold(bill_cell(c, DESCRIPTION), "preemptible") ? PURCHASE_SPOT : PURCHASE_UNKNOWN;
    return out->has_piece ? 0 : read_time(c, &sku, out, e);
}

static int oci_row(void *state, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    if (read_span(c, &out->span, e) < 0 || read_cost(state, c, out, e) < 0)
        return -1;
    out->currency = bill_cell(c, CURRENCY);
    out->resource = bill_cell(c, RESOURCE);
    out->correction = span_eq_fold(bill_cell(c, CORRECTION), "true");
    out->kind = oci_is_machine(out->resource) ? BILL_BESIDE : BILL_GROUPED;
    out->group = GROUP_OTHER_RESOURCES;
    return out->kind == BILL_BESIDE ? read_machine(c, out, e) : 0;
}

const struct bill_dialect oci_dialect = {
    .name = "Oracle cost report",
    .columns = columns,
    .n_columns = COLUMNS,
    .folds = true,
    .resource_column = RESOURCE,
    .resource_hint = "take the cost report (reports/cost-csv), which has product/resourceId",
    .cost_columns = {[RULE_COST_EFFECTIVE] = COST, [RULE_COST_BILLED] = COST, [RULE_COST_LIST] = COST, [RULE_COST_NET_EFFECTIVE] = COST},
    .open = oci_open,
    .row = oci_row,
    .close = oci_close,
};
