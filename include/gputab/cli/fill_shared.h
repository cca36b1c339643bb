/* fill_shared: which part of the bill's groups went into the rows as shared costs, and what is left of the groups. */
#ifndef GPUTAB_CLI_FILL_SHARED_H
#define GPUTAB_CLI_FILL_SHARED_H

#include "gputab/core/rollup.h"
#include "gputab/value/charge.h"
#include "gputab/value/report.h"

struct fill_shared {
    money groups[BILL_GROUPS], groups_invoiced[BILL_GROUPS];   /* without what was spread */
    money spread, spread_invoiced;
};

/* After rollup_exact_total. W227: nothing weighed for a cost. */
struct fill_shared fill_shared(const struct bill *b, const struct rollup *rollup, struct diag *d);
/* The list r->shared, in r->digits. */
void fill_shared_list(const struct bill *b, const struct rollup *rollup, struct report *r);

#endif
