/* rule_show: a rule written out in full, as YAML that is read back as the same rule. */
#ifndef GPUTAB_SOURCE_RULE_SHOW_H
#define GPUTAB_SOURCE_RULE_SHOW_H

#include "gputab/base/buf.h"
#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/value/rule.h"

/* Appends the rule of the file (NULL: the one without a file): what is written in it, and the defaults of what is not, which a comment
 * marks. What rule_read refuses is refused. */
int rule_show(const char *path, struct buf *out, struct diag *diag, struct err *e) GPUTAB_MUST_CHECK;
/* The same of a rule that rule_read has read; its file is not read again: it may have been a pipe. */
int rule_show_read(const struct rule *r, struct buf *out, struct err *e) GPUTAB_MUST_CHECK;

#endif
