/* fill_extras: what a report holds only for the formats that ask for it (render_ops.extras): what GPUs cost, and the rule in full. */
#ifndef GPUTAB_CLI_FILL_EXTRAS_H
#define GPUTAB_CLI_FILL_EXTRAS_H

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/cli/run_way.h"
#include "gputab/value/report.h"
#include "gputab/value/timespan.h"

struct run_report;
struct rates_book;

struct fill_extras {               /* zeroed: nothing is asked for */
    unsigned wanted;               /* bits of enum render_extra */
    struct rates_book *rates;      /* while the run is walked */
    struct buf rule_text;          /* the report borrows it */
};

/* Before the run is walked: what must be listened to. */
void fill_extras_listen(struct fill_extras *x, const struct run_report *run, unsigned wanted, struct run_way *way, struct timespan period);
/* Behind fill_report. */
int fill_extras(struct fill_extras *x, const struct run_way *way, struct report *r, struct err *e) GPUTAB_MUST_CHECK;
void fill_extras_free(struct fill_extras *x);

#endif
