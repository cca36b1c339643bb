/* rule_fx: the exchange rates of a rule file. Only the rule modules of source/ include this. */
#ifndef GPUTAB_SOURCE_RULE_FX_H
#define GPUTAB_SOURCE_RULE_FX_H

#include "gputab/source/rule_draft.h"

enum { RULE_RATES_MAX = 1000 };

/* Fills the draft that is the binder's owner. */
yaml_read rule_read_fx;

#endif
