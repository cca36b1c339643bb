/* rule_split: the split of a rule file: method, prices and percentages. Only the rule modules of source/ include this. */
#ifndef GPUTAB_SOURCE_RULE_SPLIT_H
#define GPUTAB_SOURCE_RULE_SPLIT_H

#include "gputab/source/rule_draft.h"

enum { RULE_ON_DEMAND_MAX = 1000 };

/* Target: a struct rule, of which it fills split. */
yaml_read rule_read_split;

#endif
