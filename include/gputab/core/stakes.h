/* stakes: what each row has in money that a rule moves between rows: amounts that weigh, and amounts that move.
 *
 * Read in one order, by scope, role, owner and row, whatever the order in which they were added; so what is given to an owner does not
 * depend on how many rows it has. Held like rows: on disk when they are many. */
#ifndef GPUTAB_CORE_STAKES_H
#define GPUTAB_CORE_STAKES_H

#include "gputab/core/rows.h"

/* The order is that of reading. */
enum stake_role {
    STAKE_PODS,                    /* of a team's pods: weighs */
    STAKE_BUCKET_PODS,             /* of pods of no team: (unmapped), (system) */
    STAKE_FALLBACK,                /* a source as a row of a named team, which has no pods to weigh */
    STAKE_OWNED,                   /* an idle owner's: has been moved already */
    STAKE_SOURCE                   /* may be moved away */
};

struct stake {
    struct span scope;             /* within which money moves */
    enum stake_role role;
    struct span owner;             /* a team, or a bucket */
    enum grade grade;              /* of what moves: of sources and fallbacks */
    size_t n_rows;                 /* 1, or GRADES where rows are told apart by it: then row[g] is for money of grade g */
    struct row_key row[GRADES];
    money cost[PIECES], gpu_hours;
    money magnitude[PIECES];       /* costs without sign */
};

struct stakes;

struct stakes *stakes_new(void);
void stakes_free(struct stakes *s);                          /* NULL allowed */

/* The number of the stake with those keys (all but the amounts), made when new; holds until stakes_relieve. */
uint32_t stakes_put(struct stakes *s, const struct stake *key);
void stakes_add(struct stakes *s, uint32_t stake, enum piece piece, money cost, money gpu_hours);
bool stakes_relieve(struct stakes *s);                       /* as rows_relieve */

void stakes_rewind(struct stakes *s);
bool stakes_next(struct stakes *s, struct stake *out);       /* borrowed, valid until the next one */
int stakes_check(const struct stakes *s, struct err *e) GPUTAB_MUST_CHECK;

#endif
