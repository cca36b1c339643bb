/* rule_idle: whose money for idle time is. Only the rule modules of source/ include this. Fills the draft that is the binder's owner. */
#ifndef GPUTAB_SOURCE_RULE_IDLE_H
#define GPUTAB_SOURCE_RULE_IDLE_H

#include "gputab/source/rule_draft.h"

yaml_read rule_read_idle;

/* {team: percentage, ...}: they sum to 100 %; target: struct rule_shares. */
yaml_read rule_read_shares;

/* Once all is read: an error at a team that idle or shared_costs name by a spelling that aliases give another team. */
int rule_check_payers(struct yaml_binder *b) GPUTAB_MUST_CHECK;

#endif
