/* explain_split: the section of an explanation that tells how the cost of nodes is split. */
#ifndef GPUTAB_CORE_EXPLAIN_SPLIT_H
#define GPUTAB_CORE_EXPLAIN_SPLIT_H

#include "gputab/core/explain_list.h"

void explain_split(struct explain_list *l);

#endif
