/* rule_block: the capacity blocks of a rule file. Only the rule modules of source/ include this. */
#ifndef GPUTAB_SOURCE_RULE_BLOCK_H
#define GPUTAB_SOURCE_RULE_BLOCK_H

#include "gputab/source/rule_draft.h"

enum { RULE_BLOCKS_MAX = 200, RULE_BLOCK_COUNT_MAX = 10000 };

/* Fills the draft that is the binder's owner. */
yaml_read rule_read_blocks;

#endif
