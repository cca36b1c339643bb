/* run_checks: what a run is checked against: gates, budgets, an earlier report, thresholds, and whether it may be charged. */
#ifndef GPUTAB_CLI_RUN_CHECKS_H
#define GPUTAB_CLI_RUN_CHECKS_H

#include "gputab/cli/report_args.h"
#include "gputab/cli/run_way.h"
#include "gputab/core/tally.h"
#include "gputab/core/threshold.h"
#include "gputab/value/report.h"

struct run_report;

struct run_checks {                /* zeroed: nothing is checked */
    struct thresholds thresholds;
    struct tally *tally;
    struct run_view teams;         /* a table by team; without a rollup: nobody needs it */
    const char *previous_currency; /* NULL: nothing is compared with; in the report's notes */
    bool failed;                   /* a gate */
    VEC(char *) hits;              /* owned */
};

/* In the order of a run: before inputs are read; when the bill has been read; when its way is there; when the report has been filled. */
int run_checks_begin(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e) GPUTAB_MUST_CHECK;
/* ERR_NOT_READY: the rule charges, and the bill is not final. */
int run_checks_bill(const struct run_report *run, const struct report_args *a, struct err *e) GPUTAB_MUST_CHECK;
int run_checks_listen(struct run_report *run, struct run_way *way, struct err *e) GPUTAB_MUST_CHECK;
int run_checks_end(struct run_report *run, const struct report_args *a, const struct run_way *way, struct timespan period, struct err *e)
    GPUTAB_MUST_CHECK;

/* Whether the report may not be written: a gate failed, and it is no draft. */
bool run_checks_stop(const struct run_report *run);
/* Tells on standard error what failed and what was hit; the exit code that follows: 0, ERR_GATE or ERR_THRESHOLD. */
int run_checks_tell(const struct run_report *run, const struct report_args *a);
void run_checks_free(struct run_checks *c);

#endif
