/* rollup: entries become rows, the rule moves money between them, rows become a rounded table.
 *
 * Rows are summed exactly (core/rows, on disk when they are many); one table is rounded once: all cells (row x piece) together, by largest
 * remainder, so that rows, columns and the grand total are sums of rounded cells. With filters everything is rounded first and the matching
 * rows are shown. */
#ifndef GPUTAB_CORE_ROLLUP_H
#define GPUTAB_CORE_ROLLUP_H

#include "gputab/core/allocate.h"
#include "gputab/core/idle.h"
#include "gputab/core/keys.h"
#include "gputab/value/report.h"

struct rollup_config {
    const struct inventory *inventory;
    const struct owners *owners;
    const struct key_list *by;
    const struct key_filter *filters;      /* several of one key: any of them; different keys: all of them */
    size_t n_filters;
    const struct rule *rule;               /* which money moves between rows */
    const struct bill *bill;               /* its shared costs, known before the first entry; NULL: none */
    enum bucket only;                      /* only what lies in that bucket is shown; NONE: all */
    const struct key_list *asked_by;       /* keys of the report that filters and only are of: a pod is told with its namespace where that
                                            * is no key; NULL: by */
    bool cut;                              /* rows will be cut by the first key, which is told as those of asked_by */
};

/* A shared cost of the rule. */
struct rollup_shared {
    const struct rule_shared_cost *rule;
    money amount;                  /* what the bill has of it */
    bool spread;                   /* in the rows; else nothing weighed: it stays in its groups */
};

/* Money that the rule moved into a row, or out of it (negative), for who explains the row. */
enum rollup_way { ROLLUP_IDLE_OWNER, ROLLUP_IDLE_POLICY, ROLLUP_SHARED };
struct rollup_move {
    enum rollup_way way;
    size_t number;                 /* of the line in idle.owners, or of the shared cost */
    const char *key, *bucket;      /* of the row: its first key, "" none; bucket "" none */
    struct span where;             /* of idle cost: the node, or the policy's scope, texts parted by newlines */
    struct span owner;             /* whose share it is; empty: of all who weigh */
    enum piece piece;              /* of idle cost */
    money cost[PIECES];            /* one of them, or of a shared cost all */
    bool out;
    struct move_terms terms;       /* of what a policy or a shared cost brought in */
};

struct rollup;

struct rollup *rollup_new(const struct rollup_config *cfg);
struct allocate_sink rollup_sink(struct rollup *r);
/* Before the first entry: who hears of everything that the rule moves; texts are valid in the call. */
void rollup_hear(struct rollup *r, void (*take)(void *to, const struct rollup_move *m), void *to);
/* The sum of all rows, shared costs that were spread among them; ends adding. */
money rollup_exact_total(struct rollup *r);
/* The i-th shared cost of the rule, once adding has ended; NULL behind the last. */
const struct rollup_shared *rollup_shared(const struct rollup *r, size_t i);
/* coarse: NULL, or another report of the same run and filters, whose rows these add up to (core/nest) by the keys that both have, and by
 * bucket. Fills report: by, table, filtered, totals (but billed and difference), measured. `digits` are the currency's. Call once, at the end. */
int rollup_table(struct rollup *r, int digits, bool requests_known, const struct report *coarse, struct report *out, struct err *e)
    GPUTAB_MUST_CHECK;
void rollup_free(struct rollup *r);

#endif
