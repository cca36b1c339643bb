/* settle: options and settings file become one set of arguments: what an option says wins, then what the settings say. */
#ifndef GPUTAB_CLI_SETTLE_H
#define GPUTAB_CLI_SETTLE_H

#include "gputab/base/buf.h"
#include "gputab/cli/report_args.h"

enum settle_for { SETTLE_REPORT = 1, SETTLE_CHECK = 2 };

/* Finds and reads the settings, and fills what the options left open, and a->sources and a->files. Keys of no meaning for the command are
 * checked and left alone. Errors are those of the settings, or ERR_USAGE. */
int settle(struct report_args *a, enum settle_for command, struct err *e) GPUTAB_MUST_CHECK;

/* "sources, rule": the keys of which something was taken; nothing when none was. */
void settle_add_taken(struct buf *b, const struct report_args *a);

#endif
