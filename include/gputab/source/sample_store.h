/* sample_store: the series of numbers of one window, and their samples in it. */
#ifndef GPUTAB_SOURCE_SAMPLE_STORE_H
#define GPUTAB_SOURCE_SAMPLE_STORE_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/fingerprint.h"
#include "gputab/source/blocks.h"
#include "gputab/value/sample.h"

/* A series of the scrape that gives samples to a series. Where there are several, such as a family under its old and its new name, the
 * larger value counts at one instant, so that neither the order nor the number of names matters. */
struct sample_source {
    uint32_t series;               /* index */
    struct fingerprint key;        /* the same source in every window */
    bool shuffled;                 /* its blocks are out of time order */
    const struct block *blocks;    /* borrowed, as long as the window lasts, */
    size_t n_blocks;
    struct span kept;              /* and likewise its samples, packed, when they are not in blocks */
};

struct sample_store {
    VEC(struct series) series;     /* in canonical order; no two are equal in all fields */
    VEC(struct sample_source) sources;     /* in the order of their series */
    struct last_samples {
        struct fingerprint_map of;         /* by source: index */
        VEC(struct sample) v;
    } before, next;                /* the last samples before the window's reach, and before the next one's */
    time_ms reached;               /* end of the last window; TIME_MIN: none yet */
    time_ms ends;                  /* no window follows one that reaches this: nothing is carried then; 0: not known */
    bool carries;                  /* the window at hand is not such a one */
    uint32_t generation;
    struct samples samples;        /* of the series at hand */
    struct buf packed;             /* those of the window */
};

/* Fills w for the span with samples of [span.from - max_gap, span.to + max_gap], and of each series one before where that may still stand
 * for a time in the window, out of the sources that the caller has filled in anew. They stay valid until the next call. What a window that
 * does not follow the last one needs of before, its sources must have. */
int sample_store_window(struct sample_store *s, struct blocks *blocks, struct timespan span, int64_t max_gap_ms, struct sample_window *w,
                        struct err *e) GPUTAB_MUST_CHECK;

void sample_store_free(struct sample_store *s);

#endif
