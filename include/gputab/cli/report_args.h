/* report_args: what `gputab report` was asked for, by options and settings, checked as far as these alone can tell. */
#ifndef GPUTAB_CLI_REPORT_ARGS_H
#define GPUTAB_CLI_REPORT_ARGS_H

#include <stdbool.h>

#include "gputab/base/err.h"
#include "gputab/cli/opt.h"
#include "gputab/cli/settings_find.h"
#include "gputab/render/render.h"
#include "gputab/source/settings.h"
#include "gputab/value/timespan.h"

struct report_file {
    const char *path;
    const struct render_ops *ops;  /* not NULL after report_args_check */
};

/* Texts are borrowed from argv and from the settings; NULL: not given. */
struct report_args {
    const char *config;
    struct opt_list billing;       /* --billing: files, folders, manifests, "-"; after report_args_check at least one, or a price list */
    struct opt_list billing_maps;  /* --billing-map */
    struct opt_list catalogues;    /* --catalogue */
    const char *price_list;
    const char *metrics;
    struct opt_list prometheus;    /* URL or NAME=URL */
    const char *transport;         /* one of metrics_transports */
    const char *nodes;
    const char *rule;
    const char *from, *to;         /* raw; report_args_period reads them */
    const char *month;
    bool last_month, this_month;
    const char *by;                /* raw: "team,gpu_model" */
    struct opt_list where;         /* each has the form KEY=GLOB after report_args_check */
    const char *only;              /* raw: the name of a bucket */
    const char *sort, *top;        /* raw: "cost:asc"; a number of rows */
    bool flat;
    struct opt_list fail_on;       /* raw: "budget>100%|idle>3%" */
    const char *previous;          /* a report as JSON */
    const char *split_by;          /* a key; with it outputs are patterns of paths */
    const char *format;            /* one of render_formats; NULL: the first */
    struct opt_list outputs;       /* -o: each has the extension of a format after report_args_check */
    bool quiet, verbose;
    bool bridge;
    bool wide, bars;
    bool compare_splits;
    bool csv_raw, csv_bom;
    const char *csv_delimiter;     /* a character, or "tab"; checked by report_args_check, as is the next one */
    const char *csv_decimal;
    bool draft;

    /* What follows is filled by settle. */
    struct settings_find found;
    struct settings settings;
    unsigned taken;                /* which keys of the settings count: settle_add_taken says their names */
    VEC(struct settings_source) sources;   /* at least one after report_args_check */
    VEC(struct report_file) files; /* to be written */
};

extern const struct opt input_opts[], period_opts[];      /* what several commands share: tables in their tables */
extern const struct opt report_opts[];
extern const struct opt check_opts[];      /* of gputab check: a part of the same fields */

/* Checks across options: a period said once, a bill, metrics, KEY=GLOB, extensions, no output or stdin twice. ERR_USAGE. */
int report_args_check(const struct report_args *a, struct err *e) GPUTAB_MUST_CHECK;

/* The same for `gputab check`, which takes a bill, metrics or both, and writes no file. */
int report_args_check_check(const struct report_args *a, struct err *e) GPUTAB_MUST_CHECK;

/* The period asked for, last month when none is; now decides what last and this month are. ERR_USAGE. */
int report_args_period(const struct report_args *a, time_ms now, struct timespan *out, struct err *e) GPUTAB_MUST_CHECK;

/* Whether metrics come from a server. */
bool report_args_asks_server(const struct report_args *a);

/* What renderers are told of the options; all else is left as it is. After report_args_check. */
void report_args_render(const struct report_args *a, struct render_cfg *cfg);

/* The parts that the outputs read: see render_ops. */
unsigned report_args_parts(const struct report_args *a);
/* Likewise bits of enum render_extra. */
unsigned report_args_extras(const struct report_args *a);
void report_args_free(struct report_args *a);

/* The commands themselves (cmd_report.c, cmd_check.c): an exit code, or -1 with *e set. */
int cmd_report(const struct report_args *a, struct err *e) GPUTAB_MUST_CHECK;
int cmd_check(const struct report_args *a, struct err *e) GPUTAB_MUST_CHECK;

#endif
