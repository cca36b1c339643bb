/* survey: what the metrics of a period offer and what they lack, with the setting that would provide it. For `gputab check`: pure, over
 * the inventory and the list of series; no sample is looked at. */
#ifndef GPUTAB_CORE_SURVEY_H
#define GPUTAB_CORE_SURVEY_H

#include <stddef.h>

#include "gputab/base/buf.h"
#include "gputab/base/vec.h"
#include "gputab/value/inventory.h"
#include "gputab/value/rule.h"
#include "gputab/value/sample.h"

enum survey_level {
    SURVEY_FOUND,                  /* complete */
    SURVEY_PARTLY,                 /* some of it */
    SURVEY_MISSING,                /* none: amounts are estimated, or follow the GPU piece */
    SURVEY_FATAL                   /* none, and no report makes sense without */
};

struct finding {
    enum survey_level level;
    const char *subject;           /* "per-pod memory"; constant */
    char *text;                    /* "3 of 8 GPUs on shared nodes"; owned */
    char *hint;                    /* what would provide the rest; NULL when nothing is missing; owned */
};

struct survey {
    VEC(struct finding) findings;  /* in a fixed order */
};

/* reach: from the oldest to the newest GPU sample of the period that the source has, or, when it has none, from the oldest behind the
 * period; from > to: none. */
void survey_build(struct survey *s, const struct rule *rule, const struct inventory *inv, const struct series *series, size_t n_series,
                  struct timespan period, struct timespan reach);
void survey_free(struct survey *s);

#endif
