/* run_report: everything that one report needs while it is made, and the making itself: inputs in, struct report out. */
#ifndef GPUTAB_CLI_RUN_REPORT_H
#define GPUTAB_CLI_RUN_REPORT_H

#include "gputab/base/diag.h"
#include "gputab/base/sha256.h"
#include "gputab/cli/fill_extras.h"
#include "gputab/cli/report_args.h"
#include "gputab/cli/run_checks.h"
#include "gputab/cli/run_shape.h"
#include "gputab/cli/run_way.h"
#include "gputab/cli/split_by.h"
#include "gputab/core/origin_rows.h"
#include "gputab/source/bill_paths.h"
#include "gputab/source/metrics.h"
#include "gputab/source/nodes.h"
#include "gputab/source/price_list.h"
#include "gputab/value/catalogue.h"
#include "gputab/value/charge.h"
#include "gputab/value/report.h"
#include "gputab/value/rule.h"

struct run_report {
    bool gpus_only;                /* set before run_report_open: to see whether there are GPUs */
    struct diag diag;
    struct intern *names;
    struct rule rule;
    struct catalogue catalogue;
    struct node_file nodes;
    struct inventory inventory;
    struct metrics *metrics;
    struct bill_paths bill_paths;
    struct bill_maps *maps;
    struct price_list prices;
    struct bill bill;
    struct owners owners;
    uint32_t generation;           /* of the windows so far; 0: none yet */
    VEC(struct run_way *) ways;    /* the first is the rule's */
    struct run_view view;          /* the report's */
    struct run_shape shape;        /* of its table */
    struct run_checks checks;
    struct run_view parts[REPORT_PARTS];   /* of the report; those that no output asks for stay empty */
    struct split_by split;
    struct origin_rows *origins;   /* NULL: no output asks for REPORT_ORIGINS */
    struct fill_extras extras;     /* of the report, likewise */
    struct residency *residency;
    void (*hear_facts)(void *to, const struct usage *facts);     /* set before run_report_walk: also hears the facts; NULL: nobody does */
    void *facts_to;
    char facts_sha256[SHA256_HEX];
    struct report report;          /* the result; valid until run_report_free */
};

/* The inputs without the bill: rule, catalogue, nodes, metrics and inventory. *run is zeroed by the caller; also after an error it is
 * released by run_report_free. */
int run_report_open(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e) GPUTAB_MUST_CHECK;

/* A part of it: without the metrics, so that the inventory stays empty. */
int run_report_begin(struct run_report *run, const struct report_args *a, struct err *e) GPUTAB_MUST_CHECK;

/* After one of these: reads the bill of the period, with the inventory that there is; unknown_types: see bill_request. */
int run_report_bill(struct run_report *run, const struct report_args *a, struct timespan period, bool unknown_types, struct err *e)
    GPUTAB_MUST_CHECK;

/* What else wants to be made of a run goes between these: load, then a way for each rule with the views (or other takers) that are asked of
 * it, walk, and of each view a report (cli/fill_report). */
int run_report_load(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e) GPUTAB_MUST_CHECK;
/* rule and diag are borrowed. Rules may differ in what facts do not depend on: split, exclusive, denominator, basis, idle. */
struct run_way *run_report_way(struct run_report *run, const struct rule *rule, struct timespan period, struct diag *diag);
void run_report_view(struct run_report *run, struct run_way *way, struct run_view *view);
int run_report_walk(struct run_report *run, struct timespan period, struct err *e) GPUTAB_MUST_CHECK;

/* All of that for one report. Fills *run (zeroed by the caller) and run->report. Released by run_report_free, also after an error. */
int run_report(struct run_report *run, const struct report_args *a, struct timespan period, struct err *e) GPUTAB_MUST_CHECK;
void run_report_free(struct run_report *run);

#endif
