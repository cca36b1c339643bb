/* rule_team: the aliases and cost centres of a rule file. Only the rule modules of source/ include this.
 * Both fill the draft that is the binder's owner. */
#ifndef GPUTAB_SOURCE_RULE_TEAM_H
#define GPUTAB_SOURCE_RULE_TEAM_H

#include "gputab/source/rule_draft.h"

yaml_read rule_read_aliases, rule_read_cost_centres;

#endif
