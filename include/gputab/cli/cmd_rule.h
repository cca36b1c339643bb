/* cmd_rule: `gputab rule lint | show | test`. */
#ifndef GPUTAB_CLI_CMD_RULE_H
#define GPUTAB_CLI_CMD_RULE_H

#include "gputab/cli/opt.h"

extern const struct opt rule_opts[];

/* operands: what to do, and a file. An exit code, or -1 with *e set. */
int cmd_rule(const struct opt_list *operands, struct err *e) GPUTAB_MUST_CHECK;

#endif
