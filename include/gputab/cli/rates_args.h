/* rates_args: what `gputab rates` was asked for: the inputs of a report, a quote, and which models. */
#ifndef GPUTAB_CLI_RATES_ARGS_H
#define GPUTAB_CLI_RATES_ARGS_H

#include "gputab/cli/report_args.h"
#include "gputab/value/money.h"

struct rates_args {
    struct report_args report;     /* by, where, outputs and format stay empty */
    const char *check;             /* a price per GPU-month */
    const char *model;             /* glob */
    const char *format;            /* "table", "csv", "json"; NULL: table */
};

extern const struct opt rates_opts[];

/* --check as an amount, 0 when it was not given. ERR_USAGE when it is no amount above 0. */
int rates_args_quote(const struct rates_args *a, money *out, struct err *e) GPUTAB_MUST_CHECK;

/* The command itself (cmd_rates.c): an exit code, or -1 with *e set. */
int cmd_rates(const struct rates_args *a, struct err *e) GPUTAB_MUST_CHECK;

#endif
