/* replay_pod: whose a series is. */
#ifndef GPUTAB_SOURCE_REPLAY_POD_H
#define GPUTAB_SOURCE_REPLAY_POD_H

#include "gputab/source/replay.h"

/* Fills in the workload and the exporter's own pod. When all series are known: one tells of the other. */
void replay_find_pod(const struct replay *r, struct replay_series *series);

/* Whether the labels name what the series' kind speaks of. After replay_find_pod. */
bool replay_names_its_thing(const struct replay_series *series);

/* Whether labels name a workload: replay_find_pod would find one. */
bool replay_names_pod(const struct scrape *s, const struct scrape_labels *labels);

/* Whether plain pod labels of a GPU's series are the exporter's own. */
bool replay_is_exporters(const struct scrape *s, const struct scrape_labels *labels);

#endif
