/* prometheus: fills a scrape from a server's query API. */
#ifndef GPUTAB_SOURCE_PROMETHEUS_H
#define GPUTAB_SOURCE_PROMETHEUS_H

#include "gputab/codec/http.h"
#include "gputab/source/scrape.h"

/* How long before the samples labels, owners and provider ids are looked for: they hold until the next different ones. */
#define PROMETHEUS_LOOK_BACK TIME_DAY

/* Samples of every family that the scrape reads, exactly as they were scraped. Says incomplete answers as W115. */
int prometheus_load(struct scrape *s, const struct http_url *url, const struct http_access *access, struct err *e) GPUTAB_MUST_CHECK;

#endif
