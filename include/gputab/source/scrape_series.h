/* scrape_series: what labels say, written down and read again. */
#ifndef GPUTAB_SOURCE_SCRAPE_SERIES_H
#define GPUTAB_SOURCE_SCRAPE_SERIES_H

#include "gputab/source/scrape.h"

/* *out: a handle of the series with these labels, in any order; its `at` is SCRAPE_NONE when the series is of no use. */
int scrape_series(struct scrape *s, const struct scrape_origin *origin, const struct family *f, const struct openmetrics_label *labels,
                  size_t n, struct scrape_handle *out, struct err *e) GPUTAB_MUST_CHECK;

/* The same in two steps. The first gives a plan where a series came before whose labels had the same names: these then are sorted by name,
 * have values, and none is there twice. NULL: it is not known what they are, which is for scrape_series to find out. */
const struct label_plan *scrape_plan(struct scrape *s, const struct scrape_origin *origin, const struct family *f,
                                     const struct openmetrics_label *labels, size_t n);
int scrape_planned_series(struct scrape *s, const struct scrape_origin *origin, const struct family *f, const struct label_plan *plan,
                          const struct openmetrics_label *labels, size_t n, struct scrape_handle *out, struct err *e) GPUTAB_MUST_CHECK;

/* Whether two handles are of one series. */
bool scrape_same(struct scrape_handle a, struct scrape_handle b);

/* What the labels said for which a handle was given. */
int scrape_labels_at(const struct scrape *s, uint64_t at, struct scrape_labels *out, struct err *e) GPUTAB_MUST_CHECK;

#endif
