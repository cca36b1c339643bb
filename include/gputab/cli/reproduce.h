/* reproduce: the command line that makes a report again. */
#ifndef GPUTAB_CLI_REPRODUCE_H
#define GPUTAB_CLI_REPRODUCE_H

#include "gputab/base/buf.h"
#include "gputab/cli/report_args.h"

/* As a shell reads it. The period is spelt out, where outputs go is left out; of URLs no user is shown, and no secret is in an option. */
void reproduce_add(struct buf *b, const struct report_args *a, struct timespan period);

#endif
