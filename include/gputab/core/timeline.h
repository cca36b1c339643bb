/* timeline: the instants at which one exporter target was seen, and the time that each stands for.
 *
 * An instant stands until the next one when that follows within max_gap, else for one interval: the lower median of the spacings whose
 * earlier instant lies in the same UTC day (the rule's interval when written; a minute when there is none), and never beyond the next
 * instant. A spacing counts when its later instant lies within max_gap of the day's end: that is what a run over that day alone loads,
 * so that a period gives what its days give. */
#ifndef GPUTAB_CORE_TIMELINE_H
#define GPUTAB_CORE_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/vec.h"
#include "gputab/value/sample.h"
#include "gputab/value/timespan.h"

struct instant {
    time_ms from, to;              /* stands for [from, to) */
};

struct timeline {
    VEC(struct instant) instants;  /* sorted; disjoint */
    size_t paced;                  /* while stamps are added: so many, from the first on, begin at the same distance, `pace` */
    time_ms pace;
    size_t unbroken;               /* after timeline_stand: so many, from the first on, follow each other without a gap */
};

struct timeline_rule {
    int64_t max_gap_ms;
    int64_t interval_ms;           /* 0: from the samples */
};

/* The lower median of n spacings; reorders them. n > 0. */
int64_t timeline_lower_median(int64_t *spacings, size_t n);

/* Adds the stamps of a run; repeated for every run of the timeline, then timeline_stand. */
void timeline_add(struct timeline *t, const struct sample_run *run);

/* Fills in how long each instant stands. day_from: the first instant of the UTC day at hand; *day_interval carries the interval of
 * the day before it in (0: unknown) and the interval of the window's last day out. scratch is reused memory. */
struct timeline_scratch {
    VEC(int64_t) spacings;
};
void timeline_stand(struct timeline *t, const struct timeline_rule *rule, time_ms day_from, int64_t *day_interval,
                    struct timeline_scratch *scratch);

/* Behind the instants that follow `from` without a gap: index. After timeline_stand. */
size_t timeline_unbroken(const struct timeline *t, size_t from);

/* The instant that stands at t, or the next one behind t: index; instants.n when there is none. from is where to begin (a cursor). */
size_t timeline_seek(const struct timeline *t, time_ms at, size_t from);

/* The first instant, from `from` on, that begins at `stamp` or later: index; instants.n when there is none. Fast when it is the first. */
size_t timeline_find(const struct timeline *t, time_ms stamp, size_t from);

void timeline_free(struct timeline *t);

#endif
