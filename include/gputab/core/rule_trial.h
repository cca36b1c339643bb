/* rule_trial: the tests of a rule, resolved by the code that reports use. */
#ifndef GPUTAB_CORE_RULE_TRIAL_H
#define GPUTAB_CORE_RULE_TRIAL_H

#include <stdbool.h>

#include "gputab/base/intern.h"
#include "gputab/value/rule.h"

struct rule_trial {
    const struct rule_test *test;
    bool passed;
    const char *team;              /* what came of it: a team, or the name of a bucket */
    const char *cost_centre;       /* NULL: none */
    int64_t line;                  /* the owner line that matched; 0: none */
    time_ms from;                  /* since when it is so; TIME_MIN: always. Of a test of any time: what failed first */
};

/* Tries test i. Texts belong to the rule and to names. */
void rule_trial_run(const struct rule *rule, size_t i, struct intern *names, struct rule_trial *out);

#endif
