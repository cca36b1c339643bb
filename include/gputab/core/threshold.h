/* threshold: what --fail-on asks: budget>100%, idle>3%, change>20%, unmapped>2%. */
#ifndef GPUTAB_CORE_THRESHOLD_H
#define GPUTAB_CORE_THRESHOLD_H

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/core/tally.h"
#include "gputab/value/notes.h"

enum threshold_figure { THRESHOLD_BUDGET, THRESHOLD_IDLE, THRESHOLD_CHANGE, THRESHOLD_UNMAPPED, THRESHOLD_FIGURES };

struct threshold {
    enum threshold_figure figure;
    money percent;
};

struct thresholds {
    struct threshold *v;
    size_t n, cap;
};

/* One or more, parted by |. An unknown figure offers the nearest one; only > is taken. ERR_USAGE. */
int thresholds_parse(const char *text, struct thresholds *out, struct err *e) GPUTAB_MUST_CHECK;
bool thresholds_have(const struct thresholds *t, enum threshold_figure figure);

/* What thresholds compare, of a whole run. */
struct threshold_facts {
    const struct notes *notes;     /* budgets and changes */
    const struct tally *tally;
    money billed;                  /* exact */
    const char *currency;
    int digits;
    bool idle_moves;               /* the rule moves idle cost: (idle) and (unmapped) are measured before, and may look otherwise in the table */
};

/* Calls hit for each threshold and each team that is over it, with "--fail-on budget>100%: team nlp ..."; the number of calls. */
size_t thresholds_check(const struct thresholds *t, const struct threshold_facts *f, void (*hit)(void *to, const char *text), void *to);

#endif
