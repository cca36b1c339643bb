/* notes: what a report says beside its table: gates, budgets, the period before, pods without an owner, and how the table was cut.
 * All lists are empty where nothing of the kind was asked for or found. Texts live in `strings` unless said otherwise. */
#ifndef GPUTAB_VALUE_NOTES_H
#define GPUTAB_VALUE_NOTES_H

#include <stdbool.h>

#include "gputab/base/arena.h"
#include "gputab/base/vec.h"
#include "gputab/value/money.h"
#include "gputab/value/timespan.h"

struct gate_note {
    const char *name;              /* constant: "max_unmapped" */
    money value, limit;            /* parts of 1: "98%" is 980000000000 */
    int digits;                    /* of both as parts of 1: 4, or as many as it takes to see which is larger */
    bool passed;
    bool least;                    /* the limit is a lower bound */
};

struct budget_note {
    const char *team;
    money budget;                  /* of the period, rounded like the cost */
    money cost;                    /* as a table by team shows it */
    money percent;                 /* cost of budget, 2 decimals; of a budget that rounds to nothing: 0 */
    bool over;                     /* the cost is more than the budget */
};

struct change_note {
    const char *team;              /* or the bucket's name */
    bool bucket;
    money previous, cost;
    money percent;                 /* cost - previous of previous, 2 decimals; of a team that is new: 100 */
};

struct namespace_note {
    const char *name;
    money cost;                    /* of its (unmapped) pods, rounded */
};

struct notes {
    struct arena strings;
    VEC(struct gate_note) gates;               /* those that the rule has, in the order of enum rule_gate */
    VEC(struct budget_note) budgets;           /* by team */
    struct {
        struct timespan period;                /* from == to: no report was compared with */
        const char *rule_name, *rule_version, *rule_sha256, *run_id;
        VEC(struct change_note) teams;         /* by name, buckets behind */
    } previous;
    VEC(struct namespace_note) unmapped;       /* the largest first; what the pods cost by themselves */
    bool unmapped_gets_more;       /* the rule moves idle or shared cost to rows: theirs may be larger */
    const char *only;              /* the bucket alone that the table shows; NULL: all; constant */
    const char *sort;              /* the column that rows are sorted by; NULL: by keys; constant or of the table */
    bool descending;
    size_t top;                    /* rows of a kind that are shown, the rest in one row; 0: all */
    size_t ordinary;               /* with top: rows that are no bucket's, shown or not */
};

size_t notes_gates_passed(const struct notes *n);
void notes_free(struct notes *n);

#endif
