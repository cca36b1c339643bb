/* span_cut: where facts are cut. A fact's span is an hour of UTC, cut at the instants of a list (charge borders of the node). */
#ifndef GPUTAB_CORE_SPAN_CUT_H
#define GPUTAB_CORE_SPAN_CUT_H

#include "gputab/core/residency.h"

/* The fact span that holds t. cursor (may start at 0) speeds up calls in time order. */
struct timespan span_cut_at(const struct cuts *c, time_ms t, size_t *cursor);

#endif
