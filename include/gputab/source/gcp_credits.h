/* gcp_credits: what the credits of a row of Google Cloud's export take off its cost, in whichever of its forms they stand. */
#ifndef GPUTAB_SOURCE_GCP_CREDITS_H
#define GPUTAB_SOURCE_GCP_CREDITS_H

#include "gputab/source/bill_dialect.h"

/* Where a dialect has them: a list of records in one cell, or the members of one credit in cells of their own, which a query that joined
 * rows with their credits has. */
struct gcp_credit_columns {
    int list;
    int amount, type;
    const int *joined;             /* all that tell one credit from another, amount and type among them */
    size_t n_joined;
};

struct gcp_credits {
    money all, counted;            /* as a rule negative: all of them, and those that the rule counts */
    bool committed;                /* one is a commitment's; only a list tells */
    bool repeats;                  /* the row stands there for another credit of a row that came before: it is its credit alone */
};

struct gcp_credit_reader;          /* remembers the rows of one file that were joined with their credits */

struct gcp_credit_reader *gcp_credit_reader_new(const struct bill_request *req, const struct gcp_credit_columns *columns);
void gcp_credit_reader_free(struct gcp_credit_reader *r);    /* NULL allowed */

int gcp_credits_read(struct gcp_credit_reader *r, const struct bill_cells *c, struct gcp_credits *out, struct err *e) GPUTAB_MUST_CHECK;

#endif
