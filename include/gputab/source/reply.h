/* reply: one answer of a server, in whatever form, on its way into a scrape: kept apart until it is known to be whole. */
#ifndef GPUTAB_SOURCE_REPLY_H
#define GPUTAB_SOURCE_REPLY_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/vec.h"
#include "gputab/source/scrape.h"

/* Caps: of warnings that are kept, of the labels of a series, of its samples in one answer, and of what the labels of an answer say. */
enum { REPLY_WARNINGS = 16, REPLY_LABEL_BYTES = 1 << 20, REPLY_SAMPLES = 1 << 22, REPLY_NAMES_MIB = 512 };

struct reply_label {
    size_t name, name_n, value, value_n;   /* in the text */
};

struct reply {
    struct scrape *scrape;         /* learns series as they come; samples only by reply_keep */
    const struct scrape_origin *origin;
    struct timespan window;        /* of the question: samples in (from, to] count */
    struct err err;                /* what stopped the reading; code ERR_NONE: nothing */
    bool success, failure;         /* what the answer calls itself */
    bool cut;                      /* it ended in the middle */
    bool too_large;                /* it is more than can be taken: a smaller question has a smaller answer */
    bool unsuited;                 /* the server does not speak this transport, or not for these data */
    struct buf error_type, error;  /* what the server says is wrong */
    VEC(char *) warnings;
    VEC(struct reply_label) labels;        /* of the series at hand */
    struct buf text;               /* of the labels */
    struct steadies samples;       /* of the series at hand: bits of doubles */
    size_t n_samples;              /* how many these are */
    size_t name_at;                /* where among its labels the last series had the name of its metric */
    uint64_t noted;                /* bytes of what the labels of the answer say */
    struct scrape_batch batch;
};

void reply_init(struct reply *r, struct scrape *scrape, const struct scrape_origin *origin);
void reply_free(struct reply *r);

/* Ready for the answer to another question. */
void reply_begin(struct reply *r, struct timespan window);

/* A label of the series at hand. -1: too many, too long, or one twice. */
int reply_add_label(struct reply *r, struct span name, struct span value, struct err *e) GPUTAB_MUST_CHECK;

/* A sample of it; outside the window: passed over. -1: too many. */
int reply_add_sample(struct reply *r, time_ms time, double value, struct err *e) GPUTAB_MUST_CHECK;

/* Counts samples that were added to r->samples by other means. -1: too many. */
int reply_count_samples(struct reply *r, size_t n, struct err *e) GPUTAB_MUST_CHECK;

/* The series at hand is complete: its samples go to the batch, and another one can begin. */
int reply_end_series(struct reply *r, struct err *e) GPUTAB_MUST_CHECK;

/* The same in two steps, for labels that need not be collected: the series, and what was added since the last one as its samples. */
int reply_find_series(struct reply *r, const struct openmetrics_label *labels, size_t n, struct scrape_handle *series,
                      struct err *e) GPUTAB_MUST_CHECK;
int reply_take_samples(struct reply *r, struct scrape_handle series, struct err *e) GPUTAB_MUST_CHECK;

void reply_add_warning(struct reply *r, struct span text);

/* The answer is of a type that is not this transport's: unsuited, with an error that names it. */
void reply_refuse_type(struct reply *r, struct span content_type);

/* A piece of what a server says that refuses in plain text, of which the beginning is kept. */
void reply_add_refusal(struct reply *r, const char *p, size_t n);

/* Moves the samples of a complete answer into the scrape. */
int reply_keep(struct reply *r, struct err *e) GPUTAB_MUST_CHECK;

#endif
