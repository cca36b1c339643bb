/* rule_tests: the examples of a rule file. Only the rule modules of source/ include this. */
#ifndef GPUTAB_SOURCE_RULE_TESTS_H
#define GPUTAB_SOURCE_RULE_TESTS_H

#include "gputab/source/rule_draft.h"

/* Fills the draft that is the binder's owner. */
yaml_read rule_read_tests;

#endif
