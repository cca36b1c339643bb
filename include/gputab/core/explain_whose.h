/* explain_whose: the sections of an explanation that tell whose an amount is, where and why. */
#ifndef GPUTAB_CORE_EXPLAIN_WHOSE_H
#define GPUTAB_CORE_EXPLAIN_WHOSE_H

#include "gputab/core/explain_list.h"

void explain_owners(struct explain_list *l);       /* the lines of the rule that matched */
void explain_bucket(struct explain_list *l);       /* the reasons, and what to do */
void explain_nodes(struct explain_list *l);        /* nodes and cards, and who else is on them */

#endif
