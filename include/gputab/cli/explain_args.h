/* explain_args: what `gputab explain` was asked for: the inputs of a report, and one subject. */
#ifndef GPUTAB_CLI_EXPLAIN_ARGS_H
#define GPUTAB_CLI_EXPLAIN_ARGS_H

#include "gputab/cli/report_args.h"
#include "gputab/core/explain.h"

struct explain_args {
    struct report_args report;     /* by, where, outputs and format stay empty */
    const char *subject[EXPLAIN_KINDS];    /* --team, --pod, --node, --gpu, --bucket */
    const char *column, *code;     /* these two need no inputs */
    const char *file;              /* --report: a report as JSON instead of the inputs */
    const char *format;            /* "text", "json"; NULL: text */
    bool all;                      /* no list is cut */
};

extern const struct opt explain_opts[];

/* The words of --format, NULL behind the last. */
const char *explain_format_at(size_t i);
/* Exactly one subject; with --report no inputs. ERR_USAGE. */
int explain_args_check(const struct explain_args *a, struct err *e) GPUTAB_MUST_CHECK;
bool explain_args_need_inputs(const struct explain_args *a);
/* The subject that is asked of a run or a report, EXPLAIN_KINDS when there is none. */
enum explain_kind explain_args_kind(const struct explain_args *a);
/* The bucket of that name; a wrong name is ERR_USAGE, with the nearest one. */
int explain_args_bucket(const char *name, enum bucket *out, struct err *e) GPUTAB_MUST_CHECK;

/* The command itself (cmd_explain.c): an exit code, or -1 with *e set. */
int cmd_explain(const struct explain_args *a, struct err *e) GPUTAB_MUST_CHECK;
/* Its part that reads a report file (explain_file.c): fills *out, released by explanation_free. */
int explain_file(const struct explain_args *a, struct explanation *out, struct err *e) GPUTAB_MUST_CHECK;

#endif
