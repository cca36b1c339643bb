/* samples: samples of one series that grow in number. `struct samples s = {0};` is ready; vec_push, vec_clear and vec_free apply. */
#ifndef GPUTAB_SOURCE_SAMPLES_H
#define GPUTAB_SOURCE_SAMPLES_H

#include "gputab/value/sample.h"

struct samples {
    struct sample *v;
    size_t n, cap;
};

/* Sorts those from index `from` on by time; of equal times the first stays. Returns how many of [counted) went. */
int64_t samples_sort(struct samples *s, size_t from, struct timespan counted);

#endif
