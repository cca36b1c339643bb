/* azure_day: the dates of Azure's cost exports, which are days of UTC, written year first or month first. */
#ifndef GPUTAB_SOURCE_AZURE_DAY_H
#define GPUTAB_SOURCE_AZURE_DAY_H

#include "gputab/source/bill_dialect.h"

enum azure_day_form { AZURE_DAY_UNKNOWN, AZURE_DAY_ISO, AZURE_DAY_US };

struct azure_days {                /* of one file */
    enum azure_day_form form;      /* of its first date; all others must have it */
    bool others;                   /* than the first of a month: some row has one */
};

/* The day that the cell names. period_end: the column of a month's last day, which shows a file whose days stand before the months.
 * -1 with *e set, and the place in it. */
int azure_day_read(struct azure_days *d, const struct bill_cells *c, int date, int period_end, struct timespan *out,
                   struct err *e) GPUTAB_MUST_CHECK;

#endif
