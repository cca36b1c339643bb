/* charge: the names of purchase options and bill groups as reports print them, and the end of a bill.
 *
 * What makes a row a charge is decided in source/bill; how charges are divided, in core/. */
#include "gputab/value/charge.h"

#include <stdlib.h>

const char *const purchase_names[PURCHASES] = {
    [PURCHASE_ON_DEMAND] = "on_demand",
    [PURCHASE_SPOT] = "spot",
    [PURCHASE_RESERVED] = "reserved",
    [PURCHASE_SAVINGS_PLAN] = "savings_plan",
    [PURCHASE_CAPACITY_BLOCK] = "capacity_block",
    [PURCHASE_COMMITTED] = "committed",
    [PURCHASE_UNKNOWN] = "unknown",
};

const char *const bill_group_names[BILL_GROUPS] = {
    [GROUP_OTHER_RESOURCES] = "other_resources",
    [GROUP_ATTACHED] = "attached",
    [GROUP_TAX] = "tax",
    [GROUP_CREDIT] = "credit",
    [GROUP_REFUND] = "refund",
    [GROUP_FEE] = "fee",
    [GROUP_UNUSED_COMMITMENT] = "unused_commitment",
    [GROUP_EXCLUDED] = "excluded",
};

void bill_free(struct bill *b)
{
    for (size_t i = 0; i < b->files.n; i++) {
        free(b->files.v[i].name);
        free(b->files.v[i].path);
        free(b->files.v[i].missing);
    }
    vec_free(&b->unknown_types);
    vec_free(&b->files);
    vec_free(&b->charges);
}
