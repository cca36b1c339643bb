/* xlsx_rule: a rule in the words of gputab-rule(5), key by key with its defaults. */
#ifndef GPUTAB_RENDER_XLSX_RULE_H
#define GPUTAB_RENDER_XLSX_RULE_H

#include "gputab/value/rule.h"

/* Calls tell(to, "gpu.exclusive", "held") for each; texts are valid during the call. */
void xlsx_rule_tell(const struct rule *rule, void (*tell)(void *to, const char *key, const char *text), void *to);

#endif
