/* explain_moves: the section of an explanation that tells what the rule moved, each amount with its operation. */
#ifndef GPUTAB_CORE_EXPLAIN_MOVES_H
#define GPUTAB_CORE_EXPLAIN_MOVES_H

#include "gputab/core/explain_list.h"

void explain_moves(struct explain_list *l);

#endif
