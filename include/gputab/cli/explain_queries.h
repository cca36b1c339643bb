/* explain_queries: PromQL by which anybody can see a pod's hours and memory in a Prometheus, for the families by which it was seen. */
#ifndef GPUTAB_CLI_EXPLAIN_QUERIES_H
#define GPUTAB_CLI_EXPLAIN_QUERIES_H

#include "gputab/source/exporters.h"
#include "gputab/source/metrics.h"
#include "gputab/value/explanation.h"

/* Adds a section of queries for one pod. interval_ms: what a sample stands for. */
void explain_queries(const struct metrics *m, struct span namespace_name, struct span pod, int64_t interval_ms, struct explanation *out);

/* One of them: GiB-hours held in the period, of a family whose values are memory; hours with a sample, of any. False: no label of the
 * family names pods. */
bool explain_query_memory(const struct family *f, struct span namespace_name, struct span pod, struct timespan period, int64_t interval_ms,
                          struct buf *out);
bool explain_query_hours(const struct family *f, struct span namespace_name, struct span pod, struct timespan period, int64_t interval_ms,
                         struct buf *out);

#endif
