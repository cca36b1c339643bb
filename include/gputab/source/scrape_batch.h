/* scrape_batch: samples of a scrape's series, one by one or as runs in a batch that counts as a whole or not at all. */
#ifndef GPUTAB_SOURCE_SCRAPE_BATCH_H
#define GPUTAB_SOURCE_SCRAPE_BATCH_H

#include "gputab/source/scrape.h"

/* A number for a series whose samples come one by one, and such a sample. -1: too many samples, or no room for them. */
uint32_t scrape_number(struct scrape *s, struct scrape_handle series);
int scrape_add(struct scrape *s, uint32_t number, time_ms time, double value, struct err *e) GPUTAB_MUST_CHECK;

/* Single samples that still wait. */
int scrape_flush(struct scrape *s, struct err *e) GPUTAB_MUST_CHECK;

/* Takes samples of one series into the batch, as n runs whose values are the bits of doubles. */
int scrape_batch_add(struct scrape *s, struct scrape_batch *b, struct scrape_handle series, const struct steady *v, size_t n,
                     struct err *e) GPUTAB_MUST_CHECK;
/* The batch's runs become samples of the scrape; the batch is empty again. */
int scrape_batch_commit(struct scrape *s, struct scrape_batch *b, struct err *e) GPUTAB_MUST_CHECK;
void scrape_batch_clear(struct scrape_batch *b);
void scrape_batch_free(struct scrape_batch *b);

#endif
