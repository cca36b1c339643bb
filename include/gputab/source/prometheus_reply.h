/* prometheus_reply: an answer of Prometheus' query API, read as it arrives. */
#ifndef GPUTAB_SOURCE_PROMETHEUS_REPLY_H
#define GPUTAB_SOURCE_PROMETHEUS_REPLY_H

#include <locale.h>

#include "gputab/codec/json_in.h"
#include "gputab/source/reply.h"

struct prometheus_reply {
    struct reply base;             /* first */
    struct json_in *json;
    int place[8];                  /* where in the answer: the containers that are open; enum place of the .c file */
    int depth, skip;               /* skip: open containers that are of no interest */
    struct buf name;               /* of the member whose value comes next */
    int index;                     /* in a pair of time and value */
    time_ms time;
    bool has_metric, has_result;
    bool again;                    /* this is a second answer, behind the first one: VictoriaMetrics notices some errors late */
    bool refused;                  /* a token that may not be there stopped the reading */
    locale_t c_locale;             /* a decimal point, whatever the process uses */
};

void prometheus_reply_init(struct prometheus_reply *r, struct scrape *scrape, const struct scrape_origin *origin);
void prometheus_reply_free(struct prometheus_reply *r);

/* Ready for the answer to another query. */
void prometheus_reply_begin(struct prometheus_reply *r, struct timespan window);

/* 0, or -1 with r->base.err set. */
int prometheus_reply_feed(struct prometheus_reply *r, const char *p, size_t n);

/* Says that the answer is complete: -1 with r->base.err set where it is not, or where it is no answer of the query API. */
int prometheus_reply_end(struct prometheus_reply *r);

#endif
