/* scrape_batch: samples of a scrape's series, one by one or as runs in a batch that counts as a whole or not at all. */
#ifndef GPUTAB_SOURCE_SCRAPE_BATCH_H
#define GPUTAB_SOURCE_SCRAPE_BATCH_H

#include "gputab/source/scrape.h"

/* -1: too many samples, or no room for them. */
int scrape_add(struct scrape *s, uint32_t series, time_ms time, double value, struct err *e) GPUTAB_MUST_CHECK;

/* Takes a run of samples of one series into the batch. */
int scrape_batch_add(struct scrape *s, struct scrape_batch *b, uint32_t series, const struct raw_sample *v, size_t n,
                     struct err *e) GPUTAB_MUST_CHECK;
/* The batch's runs become samples of the scrape; the batch is empty again. */
int scrape_batch_commit(struct scrape *s, struct scrape_batch *b, struct err *e) GPUTAB_MUST_CHECK;
void scrape_batch_clear(struct scrape_batch *b);
void scrape_batch_free(struct scrape_batch *b);

/* Whether samples of the kind stay at their series. */
bool scrape_keeps(int kind);

/* Appends a series' samples, in the order of time once the scrape is finished. For kinds that stay this reads memory only. */
int scrape_samples(const struct scrape *s, const struct scrape_series *series, struct samples *out, struct err *e) GPUTAB_MUST_CHECK;

/* For scrape_finish. Single samples that still wait; then, while numbers are indices, order in time and the count of what came twice. */
int scrape_flush(struct scrape *s, struct err *e) GPUTAB_MUST_CHECK;
int scrape_sort(struct scrape *s, struct err *e) GPUTAB_MUST_CHECK;

#endif
