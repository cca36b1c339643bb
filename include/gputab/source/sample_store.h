/* sample_store: the series of numbers of a run, and windows over their samples. */
#ifndef GPUTAB_SOURCE_SAMPLE_STORE_H
#define GPUTAB_SOURCE_SAMPLE_STORE_H

#include "gputab/base/buf.h"
#include "gputab/source/blocks.h"
#include "gputab/value/sample.h"

/* A scraped series that gives samples to a series. Where there are several, such as a family under its old and its new name, the larger
 * value counts at one instant, so that neither the order nor the number of names matters. */
struct sample_source {
    uint32_t series;               /* index */
    uint32_t number;               /* what its blocks are known by */
    bool shuffled;                 /* its blocks are out of time order */
    time_ms first, last;
    struct buf kept;               /* its samples, packed, when they are not in blocks */
};

struct sample_store {
    VEC(struct series) series;     /* in canonical order; no two are equal in all fields */
    VEC(struct sample_source) sources;     /* in the order of their series */
    struct blocks *blocks;         /* owned */
    uint32_t *source_of;           /* by number: index into sources, or NONE; filled when the first window is asked for */
    uint32_t n_numbers;
    struct sample *before;         /* per series: the last sample before the next window's reach; TIME_MIN: none */
    time_ms reached;               /* end of the last window */
    struct samples samples;        /* of the window at hand */
    struct block_list found;       /* of that window; block.series is the source */
};

/* Fills w for the span with samples of [span.from - max_gap, span.to + max_gap], and of each series one before where that may still stand
 * for a time in the window. They stay valid until the next call. Windows that follow one another cost least. */
int sample_store_window(struct sample_store *s, struct timespan span, int64_t max_gap_ms, struct sample_window *w,
                        struct err *e) GPUTAB_MUST_CHECK;

void sample_store_free(struct sample_store *s);

#endif
