/* series_meaning: what the labels of one series say: which kind of samples, which GPU, node and target, and whose. */
#ifndef GPUTAB_SOURCE_SERIES_MEANING_H
#define GPUTAB_SOURCE_SERIES_MEANING_H

#include "gputab/source/scrape.h"

/* Fills kind, unit, cluster, target, roles and labels of a series whose family is given; labels: those with a value, sorted. False: it is
 * of no use. */
bool series_meaning_read(struct scrape *s, struct span cluster, const struct openmetrics_label *labels, size_t n,
                         struct scrape_series *series);

/* Says what value of a role a series has that has none. */
void series_meaning_give_role(struct scrape *s, struct scrape_series *series, enum label_role role, uint32_t value);

/* Fills pod and exporter; all series must have been read. */
void series_meaning_find_pod(const struct scrape *s, struct scrape_series *series);

/* Whether the labels name what the kind speaks of; after series_meaning_find_pod. */
bool series_meaning_is_named(const struct scrape_series *series);

#endif
