/* scrape_pod: whose a series is. */
#ifndef GPUTAB_SOURCE_SCRAPE_POD_H
#define GPUTAB_SOURCE_SCRAPE_POD_H

#include "gputab/source/scrape.h"

/* Fills in the workload and the exporter's own pod. When all series are known: one tells of the other. */
void scrape_find_pod(const struct scrape *s, struct scrape_series *series);

/* Whether the labels name what the series' kind speaks of. After scrape_find_pod. */
bool scrape_names_its_thing(const struct scrape_series *series);

#endif
