/* run_way: one rule's way through the facts of a run: an allocator of its own, and the tables that are made of its entries.
 * A run has one for its rule, and others where it compares. */
#ifndef GPUTAB_CLI_RUN_WAY_H
#define GPUTAB_CLI_RUN_WAY_H

#include "gputab/cli/run_view.h"
#include "gputab/core/allocate.h"
#include "gputab/core/fan_out.h"
#include "gputab/value/rule.h"

struct run_way {
    const struct rule *rule;       /* borrowed */
    struct fan_out fan;
    struct allocate *allocate;
    struct allocate_sums sums;     /* once the run has been walked */
    bool optional;                 /* where its rule cannot be applied to the bill it ends with that error, and the run goes on */
    struct err failed;             /* that error; ERR_NONE: none */
    VEC(struct run_view *) views;  /* borrowed; their rollups are the way's */
};

/* cfg: as for allocate_new, without rule and sink. */
struct run_way *run_way_new(const struct rule *rule, const struct allocate_config *cfg);
/* Before the run is walked: makes view->rollup, whose table is complete afterwards. view must not move until run_way_free. */
void run_way_view(struct run_way *w, struct run_view *view, const struct inventory *inv, const struct owners *owners, const struct bill *bill);
/* Before the run is walked: another taker of the way's entries. */
void run_way_listen(struct run_way *w, struct allocate_sink taker);
/* After the walk: whether the rows of one of its views sum to the charges, and the shared costs that were spread; ends adding to it. */
bool run_way_conserves(const struct run_way *w, struct rollup *rollup);
void run_way_free(struct run_way *w);

#endif
