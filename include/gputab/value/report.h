/* report: a table of rows and what stands around it: the period, the rule, the totals, the bill and the metrics it came from.
 * Everything a renderer needs and nothing else; strings live in the report's table arena unless said otherwise. */
#ifndef GPUTAB_VALUE_REPORT_H
#define GPUTAB_VALUE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/diag.h"
#include "gputab/value/charge.h"
#include "gputab/value/entry.h"
#include "gputab/value/notes.h"
#include "gputab/value/rates.h"
#include "gputab/value/rule.h"
#include "gputab/value/table.h"
#include "gputab/value/timespan.h"

struct report_totals {
    money piece_cost[PIECES];      /* of the rows shown, rounded */
    money total_cost;              /* of the rows shown, rounded */
    money billed;                  /* of the whole, rounded */
    money difference;              /* billed - allocated, of the whole, in exact arithmetic, then rounded: 0 or the run has failed */
    money gpu_hours;               /* of the rows shown, without (unbilled) */
};

struct report_source {
    const char *name;              /* file name as given (base name) */
    char sha256[65];
};

struct report_shared {
    const char *name, *method;     /* borrowed from the rule */
    money cost, invoiced;          /* rounded */
};

/* One of several split methods side by side. */
struct report_split {
    const char *method;            /* "reference" */
    bool own;                      /* the rule's */
    char *reason;                  /* why it cannot be applied: its cells are empty; NULL: it can; owned */
    money share[PIECES];           /* of the billed amount, of the whole; 4 decimals */
    money piece_cost[PIECES], total_cost;      /* of the rows shown, rounded */
};

/* Other tables that a format may want of the same run. */
enum report_part {
    REPORT_TEAMS,                  /* by cost_centre, team; the first, since the others add up to its rows */
    REPORT_DETAIL,                 /* by cost_centre, team, namespace, workload, pod, gpu_model, region, purchase */
    REPORT_REASONS,                /* by reason, gpu_model, cluster, node: what buckets are made of */
    REPORT_DAYS,                   /* by day, gpu_model, region, purchase */
    REPORT_ORIGINS,                /* by charge of the bill, and in it by pod or bucket (core/origin_rows); `by` is empty, nothing is rounded */
    REPORT_PARTS
};

struct report {
    const char *mode;              /* "showback" or "chargeback" */
    struct timespan period;
    const char *currency;          /* ISO code; "" when no bill row was read */
    int digits;                    /* minor-unit digits of the currency */
    const char *rule_name, *rule_version;
    enum rule_cost cost;           /* which cost of the bill was divided */
    VEC(struct rule_cost_centre) cost_centres;   /* of the rule: what people call an id; owned, the texts borrowed */
    char rule_sha256[65];
    const struct rule *rule;       /* as used, with its defaults; borrowed */
    const char *rule_text;         /* the rule in full, as `gputab rule show` prints it: lines of YAML; NULL: no format asked; borrowed */
    const char *command;           /* that makes this report again, without its output; "" unknown; borrowed */
    const char *split_method;      /* "reference" */
    money gpu_share;               /* of the billed amount: 0.8412 is 841200000000; 4 decimals shown */
    bool owners_written;           /* false: the team is the namespace (the header says so) */
    VEC(const char *) by;          /* keys as asked for */
    struct table table;            /* columns: keys, bucket, then the columns of gputab(1) in its order; with splits a cost for each */
    VEC(struct report_split) splits;           /* not empty: the report compares these, and split_method, gpu_share, totals of rows and measured
                                                * say nothing */
    bool filtered;
    struct report_totals totals;
    const struct bill *bill;       /* borrowed */
    money groups[BILL_GROUPS];     /* of the bill, without shared costs in the rows, rounded */
    money groups_invoiced[BILL_GROUPS];
    VEC(struct report_shared) shared;      /* shared costs that are in the rows: part of what was billed, and no longer in their groups */
    struct { money billed, groups, outside, total; money billed_invoiced, groups_invoiced, outside_invoiced, total_invoiced; } bridge;   /* rounded together */
    const char *tool_version, *catalogue_version;
    char catalogue_sha256[65];
    VEC(struct report_source) metrics;
    char run_id[65];
    money coverage;                /* observed part of the billed GPU time: 0.9941, 4 decimals; of nothing: 1 */
    money measured[GRADES];        /* cost of pods per grade, rounded, of the whole */
    const struct diag *diag;       /* borrowed: warnings */
    const char *improve;           /* the exporter setting that would turn estimates into measurements; "" when nothing is estimated */
    bool draft;
    struct notes notes;
    const char *split_key, *split_value;   /* one of the files of --split-by: its rows are those of this value, what is billed is their sum, and
                                            * of the bill and the warnings nothing is told; NULL: the report of a run; borrowed */
    struct rates *rates;           /* what GPUs cost, of the whole whatever rows are shown; owned; NULL: no format asked */
    struct report *parts[REPORT_PARTS];    /* owned; NULL: not asked for. Of a part, period, currency and digits are those of the whole, and by,
                                            * table, filtered, totals and measured its own; all else is empty. */
};

void report_free(struct report *r);

#endif
