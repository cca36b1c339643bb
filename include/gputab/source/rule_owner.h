/* rule_owner: the owner lines of a rule file. Only the rule modules of source/ include this. */
#ifndef GPUTAB_SOURCE_RULE_OWNER_H
#define GPUTAB_SOURCE_RULE_OWNER_H

#include "gputab/source/rule_draft.h"

/* Fills the draft that is the binder's owner. */
yaml_read rule_read_owners;

/* One or a list of globs over text that Kubernetes takes as a name; target: const char ** NULL-terminated. */
yaml_read rule_read_globs;

/* {name, value}: a label, and a glob over its value (NULL when not written). */
struct rule_label {
    const char *name, *value;
};
yaml_read rule_read_label;

/* A name without wildcards; more: characters that it may hold besides letters, digits, "-", "_" and ".". */
int rule_check_name(struct yaml_binder *b, const struct yaml_node *text, const char *more) GPUTAB_MUST_CHECK;
/* "Kind/name". */
int rule_check_workload(struct yaml_binder *b, const struct yaml_node *value) GPUTAB_MUST_CHECK;

#endif
