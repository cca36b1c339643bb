/* rule_gate: the gates and budgets of a rule file. Only the rule modules of source/ include this. */
#ifndef GPUTAB_SOURCE_RULE_GATE_H
#define GPUTAB_SOURCE_RULE_GATE_H

#include "gputab/source/rule_draft.h"

enum { RULE_BUDGETS_MAX = 10000 };
#define RULE_BUDGET_MAX (1000000000000 * MONEY_ONE)

/* Target: struct rule_limit[RULE_GATES]. */
yaml_read rule_read_gates;
/* Fills the draft that is the binder's owner. */
yaml_read rule_read_budgets;

#endif
