/* replay_all: everything that a scrape holds, read back, for tests that look at what a transport brought. */
#ifndef GPUTAB_TESTS_REPLAY_ALL_H
#define GPUTAB_TESTS_REPLAY_ALL_H

#include "gputab/source/replay.h"
#include "gputab/source/samples.h"
#include "gputab/source/scrape_series.h"

#define REPLAY_ALL ((struct timespan){ TIME_MIN, TIME_MAX })

/* Series in the order of their first samples; r is initialised. */
static inline int replay_all(struct replay *r, struct err *e)
{
    struct block_cursor c = { 0 };
    struct block block;
    int rc;

    while ((rc = blocks_next(r->scrape->blocks, &c, REPLAY_ALL, &block, e)) > 0) {
        struct scrape_labels labels;
        uint32_t index;

        if (scrape_labels_at(r->scrape, block.series, &labels, e) < 0)
            return -1;
        replay_add(r, &labels, labels.handle.key, UINT64_MAX, &index);
        if (replay_take(r, index, &block, e) < 0)
            return -1;
    }
    return rc;
}

/* The samples of a series in time order, those of equal times once. */
static inline int replay_samples(const struct replay *r, const struct replay_series *s, struct samples *out, struct err *e)
{
    struct span at = replay_kept(s);

    vec_clear(out);
    while (at.n > 0)
        if (!sample_pack_read(&at, out))
            return -1;
    for (size_t i = 0; i < r->blocks.n; i++)
        if (r->blocks.v[i].series == s->number && blocks_read(r->scrape->blocks, &r->blocks.v[i], out, e) < 0)
            return -1;
    samples_sort(out, 0, REPLAY_ALL);
    return 0;
}

#endif
