/* bill_survey: what a bill offers: its format and columns, time, currency, GPU nodes, money by group, and what of it is not known. For
 * `gputab check`: pure, over what source/bill made of it. */
#ifndef GPUTAB_CORE_BILL_SURVEY_H
#define GPUTAB_CORE_BILL_SURVEY_H

#include "gputab/core/survey.h"
#include "gputab/value/catalogue.h"
#include "gputab/value/charge.h"

struct bill_survey_prices {        /* of a price list */
    const char *name, *currency;
    size_t lines, unused;          /* of these no node was charged by; the first of them is for the nodes `first_unused` */
    const char *first_unused;
    size_t unbilled, priced;       /* nodes with a GPU that no bill has, and those of them that the list has */
    const char *without_price;     /* the first of the others, or NULL */
};

struct bill_survey {
    const struct bill *bill;       /* read with unknown_types */
    const struct catalogue *catalogue;
    const struct intern *names;
    bool has_period;               /* somebody asked for it, so that the bill should cover it */
    struct timespan period;
    const struct inventory *inventory;       /* of the metrics in `looked`; NULL without metrics */
    struct timespan looked;
    const struct bill_survey_prices *prices; /* NULL: no list is given; its charges are the bill's */
};

/* Appends findings to *s, which survey_free releases. */
void bill_survey_add(struct survey *s, const struct bill_survey *from);

#endif
