/* blocks: samples of many series on the way between a transport and the windows, packed and spooled, found again by time.
 *
 * What is written becomes visible when its batch is committed; of a batch that is given up only dead bytes stay in the spool. The index is
 * spooled too, so that memory does not grow with the samples. */
#ifndef GPUTAB_SOURCE_BLOCKS_H
#define GPUTAB_SOURCE_BLOCKS_H

#include "gputab/base/err.h"
#include "gputab/source/sample_pack.h"

struct block {
    uint32_t series;               /* number in the scrape */
    uint32_t bytes;
    time_ms first, last;
    uint64_t at;                   /* in the spool */
};
struct block_list {
    struct block *v;
    size_t n, cap;
};

struct blocks;

struct blocks *blocks_new(void);
void blocks_free(struct blocks *b);                          /* NULL allowed */

/* Packs n samples of a series, in any order, into blocks of the batch. */
int blocks_write(struct blocks *b, struct block_list *batch, uint32_t series, const struct sample *v, size_t n,
                 struct err *e) GPUTAB_MUST_CHECK;
int blocks_commit(struct blocks *b, const struct block_list *batch, struct err *e) GPUTAB_MUST_CHECK;

/* Appends the blocks with a sample in the span, both ends inclusive, in the order in which they were committed. Blocks of samples out of
 * time order are found by their earliest and latest sample. */
int blocks_find(struct blocks *b, struct timespan span, struct block_list *out, struct err *e) GPUTAB_MUST_CHECK;
/* Appends those of them that are of some series: numbers below n whose place is not NONE. block.series is the place then; they are in the
 * order of places, of one place in the order in which they were written. */
int blocks_find_of(struct blocks *b, struct timespan span, const uint32_t *place, uint32_t n, struct block_list *out,
                   struct err *e) GPUTAB_MUST_CHECK;
/* Appends a block's samples. */
int blocks_read(struct blocks *b, const struct block *block, struct samples *out, struct err *e) GPUTAB_MUST_CHECK;
/* After a round of reading: memory goes back. */
void blocks_rest(struct blocks *b);

uint64_t blocks_bytes(const struct blocks *b);               /* spooled so far */

#endif
