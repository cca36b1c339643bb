/* run_shape: --sort and --top: the order of a table's rows, and how many of them are shown. */
#ifndef GPUTAB_CLI_RUN_SHAPE_H
#define GPUTAB_CLI_RUN_SHAPE_H

#include "gputab/cli/report_args.h"
#include "gputab/core/keys.h"
#include "gputab/value/report.h"

struct run_shape {
    const char *column;            /* of the table; NULL: rows stay in their order; constant */
    bool descending;
    size_t top;                    /* 0: all rows */
};

/* by: the keys of the table. ERR_USAGE. */
int run_shape_read(struct run_shape *s, const struct report_args *a, const struct key_list *by, struct err *e) GPUTAB_MUST_CHECK;
/* Puts the report's table into that order, and notes it. */
int run_shape_apply(const struct run_shape *s, struct report *r, struct err *e) GPUTAB_MUST_CHECK;

#endif
