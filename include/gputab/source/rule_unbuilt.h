/* rule_unbuilt: the keys of a rule file that are checked in full and have no effect yet. Only the rule modules of source/ include
 * this. What a later version will take is taken here too, and noted (rule_unbuilt), so that no key is ever ignored silently. A
 * value that says the same as leaving the key out is fine. */
#ifndef GPUTAB_SOURCE_RULE_UNBUILT_H
#define GPUTAB_SOURCE_RULE_UNBUILT_H

#include "gputab/source/rule_draft.h"

/* They need no target. */
yaml_read rule_read_budgets, rule_read_gates, rule_read_fx, rule_read_privacy;

#endif
