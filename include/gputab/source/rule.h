/* rule (source): reads and checks a rule file: YAML, typed by the schema, every error with file, line, column and the nearest name.
 * A key whose effect is not built yet is refused by name, never ignored. Files over 1 MiB or nested deeper than 32 are refused
 * before libyaml's document loader sees them. */
#ifndef GPUTAB_SOURCE_RULE_H
#define GPUTAB_SOURCE_RULE_H

#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/value/rule.h"

/* path NULL: the defaults. *r is zeroed by the caller and released by rule_free, also after an error. */
int rule_read(const char *path, struct rule *r, struct diag *diag, struct err *e) GPUTAB_MUST_CHECK;

#endif
