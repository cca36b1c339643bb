/* explain: listens to a run, and keeps what it takes to explain one row of a report: what the bill charged for the nodes concerned, how
 * that was split, at which prices, and what the row's owner held of it. Memory is bounded by nodes, prices and namespaces: a spot node
 * whose
 * price changes every hour is kept as an average after some prices. core/explain_lines makes lines of it. */
#ifndef GPUTAB_CORE_EXPLAIN_H
#define GPUTAB_CORE_EXPLAIN_H

#include "gputab/core/allocate.h"
#include "gputab/core/keys.h"
#include "gputab/core/rollup.h"
#include "gputab/value/explanation.h"
#include "gputab/value/usage.h"

enum explain_kind { EXPLAIN_TEAM, EXPLAIN_POD, EXPLAIN_NODE, EXPLAIN_GPU, EXPLAIN_BUCKET, EXPLAIN_KINDS };
extern const char *const explain_kind_names[EXPLAIN_KINDS];
enum key explain_key(enum explain_kind kind);      /* what rows are by, whose row it is */

struct explain_config {
    enum explain_kind kind;
    const char *name;              /* glob of the rows' key; of a pod also without its namespace */
    enum bucket bucket;            /* of EXPLAIN_BUCKET */
    const struct rule *rule;
    const struct catalogue *catalogue;
    const struct inventory *inventory;
    const struct owners *owners;
};

struct explain;

struct explain *explain_new(const struct explain_config *cfg);       /* all borrowed */
struct allocate_sink explain_sink(struct explain *x);
/* The facts of a window, before or after they are allocated. */
void explain_facts(struct explain *x, const struct usage *u);
/* For rollup_hear of the row's report: `to` is the explain. */
void explain_move(void *to, const struct rollup_move *m);
money explain_moved(const struct explain *x);      /* the sum of all that was heard of the rows explained */
/* A GPU on which the pod of EXPLAIN_POD was seen last; NONE: on none yet. */
uint32_t explain_gpu(const struct explain *x);
/* Whether a row of a report by explain_key is one of those explained. bucket: "" none. */
bool explain_has_row(const struct explain *x, const char *key, const char *bucket);
money explain_exact(const struct explain *x);                        /* the sum of all that matched */
void explain_free(struct explain *x);

/* The largest lines that are shown of a list; 0: all. */
struct explain_lines_config {
    size_t most;
    const char *rule_path;         /* NULL: no rule file */
    struct span rule_text;         /* of that file */
};
/* Adds the sections of the way to the amount to *out, whose rows are those of the report. */
void explain_lines(struct explain *x, const struct explain_lines_config *cfg, struct explanation *out);

#endif
