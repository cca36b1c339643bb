/* run_view: one table that a run makes: what its rows are, and which of them are shown. */
#ifndef GPUTAB_CLI_RUN_VIEW_H
#define GPUTAB_CLI_RUN_VIEW_H

#include "gputab/cli/report_args.h"
#include "gputab/core/keys.h"
#include "gputab/core/rollup.h"
#include "gputab/value/report.h"

struct run_view {                  /* zeroed: empty */
    struct key_list by;
    VEC(struct key_filter) filters;
    enum bucket only;
    const struct key_list *asked_by;   /* of a part: the keys of the report, which its filters are of; borrowed; NULL: by */
    bool cut;                      /* it will be cut by its first key, told as those of asked_by: at the same values as other tables */
    struct rollup *rollup;         /* from run_way_view on, until run_way_free */
};

/* --by, --where and --only of the command line. */
int run_view_read(struct run_view *view, const struct report_args *a, struct err *e) GPUTAB_MUST_CHECK;
/* A part of a report whose own view is `main`: the same rows are shown. */
int run_view_part(struct run_view *view, enum report_part part, const struct run_view *main, struct err *e) GPUTAB_MUST_CHECK;
void run_view_free(struct run_view *v);

#endif
