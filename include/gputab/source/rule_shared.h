/* rule_shared: shared costs of a rule file. Only the rule modules of source/ include this. Fills the draft that is the binder's owner. */
#ifndef GPUTAB_SOURCE_RULE_SHARED_H
#define GPUTAB_SOURCE_RULE_SHARED_H

#include "gputab/source/rule_draft.h"

enum { RULE_SHARED_MAX = 100 };                /* each row of the bill is held against all of them */

yaml_read rule_read_shared_costs;

#endif
