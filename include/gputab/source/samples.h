/* samples: samples of one series put in order. */
#ifndef GPUTAB_SOURCE_SAMPLES_H
#define GPUTAB_SOURCE_SAMPLES_H

#include "gputab/value/sample.h"

/* Sorts those from index `from` on by time; of equal times the first stays. Returns how many of [counted) went. */
int64_t samples_sort(struct samples *s, size_t from, struct timespan counted);

#endif
