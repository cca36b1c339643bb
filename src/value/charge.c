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
    for (size_t i = 0; i < b->files.n; i++)
        free(b->files.v[i].name);
    for (size_t i = 0; i < b->texts.n; i++) {
        free(b->texts.v[i].path);
        free(b->texts.v[i].missing);
    }
    vec_free(&b->texts);
    vec_free(&b->unknown_types);
    vec_free(&b->block_fees);
    vec_free(&b->shared);
    vec_free(&b->rates);
    vec_free(&b->files);
    vec_free(&b->charges);
    vec_free(&b->parts);
}

/* Hours that cost nothing were paid elsewhere: said, since their users would be shown nothing. */
void charge_warn_free(const struct charge *c, const struct intern *names, struct diag *d)
{
    if (c->cost != 0 || c->billed_ns == 0)
        return;
    diag_once(d, "W105", "%s: billed hours cost 0", intern_cstr(names, c->resource));
    diag_hint(d, "W105", "a capacity block is paid by a fee: capacity_blocks in the rule spreads it; with cost: billed, hours under a "
              "commitment cost 0");
}

bool bill_inside(struct timespan span, struct timespan period)
{
    if (span.from == span.to)
        return period.from <= span.from && span.from < period.to;
    return span.from < period.to && period.from < span.to;
}

money bill_part(money amount, struct timespan span, struct timespan period)
{
    struct timespan in = timespan_cut(span, period);

    if (!bill_inside(span, period))
        return 0;
    if (in.from == span.from && in.to == span.to)
        return amount;
    return money_part(amount, in.from - span.from, in.to - span.from, span.to - span.from);
}
