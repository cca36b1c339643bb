/* scrape_series: gives a series its number by its labels. */
#ifndef GPUTAB_SOURCE_SCRAPE_SERIES_H
#define GPUTAB_SOURCE_SCRAPE_SERIES_H

#include "gputab/source/scrape.h"

/* *out: the number of the series with these labels, the same for the same labels in any order; NONE: of no use. -1: too many series. */
int scrape_series(struct scrape *s, const struct scrape_origin *origin, const struct family *f, const struct openmetrics_label *labels,
                  size_t n, uint32_t *out, struct err *e) GPUTAB_MUST_CHECK;

/* Says what value of a role a series has that has none. */
void scrape_give_role(struct scrape *s, struct scrape_series *series, enum label_role role, uint32_t value);

#endif
