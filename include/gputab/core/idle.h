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

/* Why an amount came to a stake, for who explains it: amount = of x share / shares x part / parts, but for rounding of the 12th decimal. */
struct move_terms {
    money of;                      /* what moves in the scope: all of its idle cost of a piece, or a shared cost */
    money share, shares;           /* the owner's part of that: one of so many teams, or of 100 %; 1 of 1: there is one owner */
    money part, parts;             /* what the stake weighs of what all of the owner's do */
};

struct idle;

/* The stakes are complete, and outlive it; reads them once. */
struct idle *idle_new(const struct rule_idle *rule, struct stakes *stakes);
void idle_free(struct idle *x);                /* NULL allowed */

/* Reads stake by stake, also again. */
void idle_rewind(struct idle *x);
bool idle_next(struct idle *x, struct stake *stake, struct idle_flow *flow);
/* Of the stake read last, in which something flowed. */
struct move_terms idle_terms(const struct idle *x, const struct stake *stake, enum piece piece);

#endif
