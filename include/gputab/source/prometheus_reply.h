/* prometheus_reply: one answer of Prometheus' query API, read as it arrives and kept apart until it is known to be whole. */
#ifndef GPUTAB_SOURCE_PROMETHEUS_REPLY_H
#define GPUTAB_SOURCE_PROMETHEUS_REPLY_H

#include <locale.h>
#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/vec.h"
#include "gputab/codec/json_in.h"
#include "gputab/source/scrape.h"

enum { REPLY_WARNINGS = 16, REPLY_LABEL_BYTES = 1 << 20 };

struct reply_label {
    size_t name, name_n, value, value_n;   /* in the text */
};

struct prometheus_reply {
    struct scrape *scrape;         /* learns series as they come; samples only by prometheus_reply_keep */
    struct timespan window;        /* of the query: samples in (from, to] count */
    struct json_in *json;
    struct err err;                /* what stopped the reading; code ERR_NONE: nothing */
    int place[8];                  /* where in the answer: the containers that are open; enum place of the .c file */
    int depth, skip;               /* skip: open containers that are of no interest */
    struct buf name;               /* of the member whose value comes next */
    int index;                     /* in a pair of time and value */
    time_ms time;
    VEC(struct reply_label) labels;
    struct buf text;               /* of the labels */
    VEC(struct raw_sample) samples;        /* of the item */
    struct scrape_batch batch;
    bool has_metric, has_result, success, failure;
    bool refused;                  /* a token that may not be there stopped the reading */
    bool cut;                      /* the answer ended in the middle */
    locale_t c_locale;             /* a decimal point, whatever the process uses */
    struct buf error_type, error;
    VEC(char *) warnings;
};

void prometheus_reply_init(struct prometheus_reply *r, struct scrape *scrape);
void prometheus_reply_free(struct prometheus_reply *r);

/* Ready for the answer to another query. */
void prometheus_reply_begin(struct prometheus_reply *r, struct timespan window);

/* An http_sink: 0, or -1 with r->err set. */
int prometheus_reply_feed(void *reply, const char *p, size_t n);

/* Says that the answer is complete: -1 with r->err set where it is not, or where it is no answer of the query API. */
int prometheus_reply_end(struct prometheus_reply *r);

/* Moves the samples of a complete answer into the scrape. */
int prometheus_reply_keep(struct prometheus_reply *r, struct err *e) GPUTAB_MUST_CHECK;

#endif
