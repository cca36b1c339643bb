/* pull: fills a scrape from servers, window by window, several servers side by side. */
#ifndef GPUTAB_SOURCE_PULL_H
#define GPUTAB_SOURCE_PULL_H

#include "gputab/codec/http.h"
#include "gputab/source/scrape.h"
#include "gputab/source/transport.h"

/* How long before the samples labels, owners and provider ids are looked for: they hold until the next different ones. */
#define PULL_LOOK_BACK TIME_DAY

struct pull_server {
    struct http_url url;
    struct http_access access;
    struct scrape_origin origin;
    enum metrics_transport wanted;
    const struct metrics_param *params;
    const struct transport *used;  /* filled: the transport that was used in the end */
    char *why;                     /* filled: why not the first choice; NULL: it was. Owned by the caller */
};

/* Samples of every family of the scrape, exactly as they were scraped. Says incomplete answers as W115. */
int pull(struct scrape *s, struct pull_server *servers, size_t n, struct err *e) GPUTAB_MUST_CHECK;

#endif
