/* cmd: the commands as a table. main picks a row, parses its options and runs it; help is made of the same rows. */
#ifndef GPUTAB_CLI_CMD_H
#define GPUTAB_CLI_CMD_H

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/cli/opt.h"

enum { CMD_HELP = 256 };

struct cmd {
    const char *name;
    const char *summary;           /* one line, lower case, no full stop; NULL: planned but not built yet, in no help */
    const char *usage;             /* what follows "gputab NAME" in the usage lines; lines separated by '\n' */
    const char *example;           /* a whole command line that works */
    const struct opt *opts;        /* NULL: none */
    /* argv without the command's name. Returns an exit code (0; 4 of a check), CMD_HELP when the options asked for help, or -1 with *e set,
     * whose code is the exit code. Results go to stdout through stdio: main flushes and checks. */
    int (*run)(int argc, const char *const *argv, struct err *e);
};

extern const struct cmd cmd_table[];                         /* ends with name NULL */

/* The row with that name; NULL with ERR_USAGE (unknown, with the nearest name, or not built yet). */
const struct cmd *cmd_find(const char *name, struct err *e);

void cmd_add_short_help(struct buf *b);                      /* what bare `gputab` shows */
void cmd_add_help(struct buf *b);                            /* gputab --help */
void cmd_add_cmd_help(struct buf *b, const struct cmd *c);   /* gputab NAME --help */

#endif
