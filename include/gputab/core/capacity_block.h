/* capacity_block: fees that paid for instances in advance, spread over the time in which these ran. */
#ifndef GPUTAB_CORE_CAPACITY_BLOCK_H
#define GPUTAB_CORE_CAPACITY_BLOCK_H

#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/base/intern.h"
#include "gputab/value/charge.h"
#include "gputab/value/rule.h"

/* Changes the bill by the rule's blocks: of each fee the part of the block's time that lies in the period goes to the charges of its
 * instances, what none of them used to the group unused_commitment, and the fee's rows cost nothing where they are. Only for amortised
 * costs; others, and a rule without blocks, leave the bill as it is. Then warns of time that still costs nothing (W105).
 * -1 with *e set (ERR_USAGE, the rule's line): a block without a fee in the rule and in the bill. rule_path: for errors, may be NULL. */
int capacity_blocks_spread(struct bill *b, const struct rule *rule, const char *rule_path, struct timespan period,
                           const struct intern *names, struct diag *d, struct err *e) GPUTAB_MUST_CHECK;

#endif
