/* opt: command line options as a table. One row gives parsing, the --help line, completion and the name that the check of the man
 * page looks for. Names are exact: no prefixes, no case folding; a wrong one names the nearest right one.
 *
 *     static const struct opt opts[] = {
 *         {.type = OPT_LIST, .name = "billing", .offset = offsetof(struct args, billing), .value = "FILE", .help = "bill, CSV"},
 *         OPT_END
 *     };
 */
#ifndef GPUTAB_CLI_OPT_H
#define GPUTAB_CLI_OPT_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/vec.h"

/* Texts are borrowed from argv. */
struct opt_list {
    const char **v;
    size_t n, cap;
};
void opt_list_free(struct opt_list *l);

enum opt_type {
    OPT_STOP,                      /* end of the table: OPT_END */
    OPT_HEADING,                   /* not an option: `help` is a heading of --help */
    OPT_TABLE,                     /* the rows of another table, `table`, whose fields are those of a structure at `offset` */
    OPT_FLAG,                      /* bool: becomes true */
    OPT_TEXT,                      /* const char *: given at most once, not empty */
    OPT_CHOICE,                    /* OPT_TEXT whose value is one of `choice` */
    OPT_LIST,                      /* struct opt_list: repeatable, values not empty */
    OPT_HELP,                      /* stops parsing: the caller shows help */
    OPT_PLANNED                    /* refused by name in this version, in no help */
};

struct opt {
    enum opt_type type;
    char letter;                   /* 'o' of -o; 0: none */
    const char *name;              /* "billing"; NULL: only the letter */
    size_t offset;                 /* of the field in the arguments structure */
    const char *value;             /* what --help calls the value: "FILE"; NULL for flags */
    const char *help;              /* lower case, no full stop */
    const char *(*choice)(size_t i);   /* OPT_CHOICE: the i-th valid value, NULL behind the last */
    const char *const *planned;    /* OPT_CHOICE: planned values that this version refuses by name, NULL-terminated; or NULL */
    const struct opt *table;       /* OPT_TABLE: rows that several commands share; none of them is a table itself */
};
#define OPT_END {.type = OPT_STOP}

/* All rows of a table, those of tables in it included: `struct opt_walk w = {opts};`, then a row each time until it is false. The row's
 * offset is that of the outer structure. */
struct opt_walk {
    const struct opt *next, *outer;
    size_t base;
};
bool opt_walk_next(struct opt_walk *w, struct opt *row);

/* Fills args, whose structure the rows describe, from argv[0..argc-1] (without command names). Operands (all that is no option;
 * everything behind "--") go to operands; NULL: there are none, and one is an error. Returns 0; 1 when help was asked for; -1 with
 * ERR_USAGE. Lists are the caller's to free, also after an error. */
int opt_parse(const struct opt *opts, int argc, const char *const *argv, void *args, struct opt_list *operands,
              struct err *e) GPUTAB_MUST_CHECK;

/* The lines of --help for all rows, at most `width` columns wide. */
void opt_add_help(struct buf *b, const struct opt *opts, size_t width);

#endif
