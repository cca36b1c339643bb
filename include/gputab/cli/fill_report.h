/* fill_report: the report of one view of a run that has been walked. */
#ifndef GPUTAB_CLI_FILL_REPORT_H
#define GPUTAB_CLI_FILL_REPORT_H

#include "gputab/cli/run_report.h"

/* Fills *r (zeroed), which borrows from run. Once per view: the rollup's rows are read. ERR_GATE when the rows do not add up to the bill. */
int fill_report(struct run_report *run, const struct run_way *way, struct run_view *view, struct timespan period, struct report *r,
                struct err *e) GPUTAB_MUST_CHECK;
/* Fills r->parts with the parts that run has views of. */
int fill_parts(struct run_report *run, const struct run_way *way, struct report *r, struct err *e) GPUTAB_MUST_CHECK;

#endif
