/* rule_owner: the owner lines and cost centres of a rule file. Only the rule modules of source/ include this.
 * Both fill the draft that is the binder's owner. */
#ifndef GPUTAB_SOURCE_RULE_OWNER_H
#define GPUTAB_SOURCE_RULE_OWNER_H

#include "gputab/source/rule_draft.h"

enum { RULE_PATTERNS_MAX = 10000 };            /* of all owner lines together */

yaml_read rule_read_owners, rule_read_cost_centres;

/* One or a list of globs over text that Kubernetes takes as a name; target: const char ** NULL-terminated. */
yaml_read rule_read_globs;

/* {name, value}: a label, and a glob over its value (NULL when not written). */
struct rule_label {
    const char *name, *value;
};
yaml_read rule_read_label;

#endif
