/* shared: how much of the rule's shared costs each row gets, by what it costs once idle cost has moved.
 *
 * The stakes are read once to sum up what weighs, and once for each cost. As with idle, what has been given after some weights is
 * round(total x their sum / all weights). Of a row each piece gets its part, so that pieces still sum to the row's total. */
#ifndef GPUTAB_CORE_SHARED_H
#define GPUTAB_CORE_SHARED_H

#include "gputab/core/idle.h"

struct shared;

struct shared *shared_new(void);
void shared_free(struct shared *x);            /* NULL allowed */

/* First all stakes, with what flowed into them. */
void shared_weigh(struct shared *x, const struct stake *s, const struct idle_flow *flow);
/* Then cost by cost. False: nothing weighs, and the amount stays where it was. */
bool shared_begin(struct shared *x, const struct rule_shared_cost *rule, money amount);
/* Stake by stake, in the same order: its parts, in `part`. */
void shared_next(struct shared *x, const struct stake *s, const struct idle_flow *flow, money part[PIECES]);
/* Why, of the stake read last, which got something; s NULL, and team by its number in rule->shares: of what shared_rest gave. */
struct move_terms shared_terms(const struct shared *x, const struct stake *s, const struct idle_flow *flow, size_t team);
/* Behind the last stake: parts of a team that the rule names (by its number in rule->shares) and that has no stake that weighs. False: it
 * has some. */
bool shared_rest(struct shared *x, size_t team, money part[PIECES]);

#endif
