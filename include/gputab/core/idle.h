/* idle: how much of the idle money each row gets, and which rows it leaves.
 *
 * Per scope and piece all of it moves or none: it stays where it is when nothing weighs, or what weighs has the other sign. What has
 * been given after some weights is round(total x their sum / all weights): so parts sum to the total exactly, and an owner gets the same
 * however many rows it has. */
#ifndef GPUTAB_CORE_IDLE_H
#define GPUTAB_CORE_IDLE_H

#include "gputab/core/stakes.h"
#include "gputab/value/rule.h"

enum { IDLE_HOURS = PIECES, IDLE_AMOUNTS };    /* GPU hours go the way of the GPU piece */

/* What moves into a stake's row (of a source: out of it, negative), by grade of the money. */
struct idle_flow {
    money amount[IDLE_AMOUNTS][GRADES];
};

struct idle;

/* The stakes are complete, and outlive it; reads them once. */
struct idle *idle_new(const struct rule_idle *rule, struct stakes *stakes);
void idle_free(struct idle *x);                /* NULL allowed */

/* Reads stake by stake, also again. */
void idle_rewind(struct idle *x);
bool idle_next(struct idle *x, struct stake *stake, struct idle_flow *flow);

#endif
