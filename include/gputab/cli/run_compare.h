/* run_compare: one run under each split method: gputab report --compare-splits. */
#ifndef GPUTAB_CLI_RUN_COMPARE_H
#define GPUTAB_CLI_RUN_COMPARE_H

#include "gputab/cli/run_report.h"

/* As run_report, with run->report.splits and a table of a cost for each method. A method that the bill or the catalogue does not allow is
 * there with its reason. */
int run_compare(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e) GPUTAB_MUST_CHECK;

#endif
