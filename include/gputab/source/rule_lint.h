/* rule_lint: everything that is wrong with a rule file, and what is probably not meant. */
#ifndef GPUTAB_SOURCE_RULE_LINT_H
#define GPUTAB_SOURCE_RULE_LINT_H

#include <stdbool.h>

#include "gputab/base/err.h"
#include "gputab/base/vec.h"
#include "gputab/value/timespan.h"

struct rule_finding {
    bool is_error;                 /* the rule is refused; else it is taken */
    int64_t line, column;          /* 0: of the whole file */
    char *text, *hint;             /* owned; hint NULL: none */
};

struct rule_findings {
    VEC(struct rule_finding) list; /* by place */
    size_t errors, warnings;
};

/* Looks through the file: the first error under each key of the rule; without errors also warnings. now decides which lines are over. -1:
 * the file cannot be read. */
int rule_lint(const char *path, time_ms now, struct rule_findings *out, struct err *e) GPUTAB_MUST_CHECK;
void rule_findings_free(struct rule_findings *f);

#endif
