/* rule_reach: owner lines that no pod can get to. Only the rule modules of source/ include this. */
#ifndef GPUTAB_SOURCE_RULE_REACH_H
#define GPUTAB_SOURCE_RULE_REACH_H

#include "gputab/source/rule_draft.h"

enum { RULE_PATTERNS_MAX = 10000 };            /* globs and names of labels, of all owner lines together */

/* An error at the first line that earlier ones leave nothing to, or when there are too many patterns. list: the items, in the order of
 * the lines. */
int rule_check_reach(struct yaml_binder *b, const struct yaml_node *list, const struct rule_owner *lines, size_t n) GPUTAB_MUST_CHECK;

/* Whether every text that glob b matches is matched by glob a as well; false when that is not certain. budget: steps that are left, of
 * which some are taken; with none it is not certain. */
bool rule_glob_covers(const char *a, const char *b, size_t *budget);

#endif
