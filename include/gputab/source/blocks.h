/* blocks: samples of many series on the way between a transport and the windows, packed and spooled, found again by time; and beside them
 * notes, bytes that say what the series are.
 *
 * What is written becomes visible when its batch is committed; of a batch that is given up only dead bytes stay in the spool. The index is
 * spooled too, so that memory does not grow with the samples. */
#ifndef GPUTAB_SOURCE_BLOCKS_H
#define GPUTAB_SOURCE_BLOCKS_H

#include "gputab/base/err.h"
#include "gputab/value/sample_pack.h"

enum block_on { BLOCK_ON_LATER, BLOCK_ON_FIRST, BLOCK_ON_NEVER };    /* which sample is the first above zero: a later one, if any */

struct block {
    uint64_t series;               /* the caller's: a note, say */
    uint64_t at;                   /* in the spool */
    time_ms first, last;           /* the earliest and the latest sample */
    uint64_t last_value;           /* of the latter, unless shuffled */
    uint32_t bytes;
    uint16_t kind;                 /* the caller's */
    bool shuffled;                 /* samples are not in the order of time, or one time is there twice */
    uint8_t on;                    /* enum block_on, of samples as they were written */
};
struct block_list {
    struct block *v;
    size_t n, cap;
};

struct blocks;

struct blocks *blocks_new(void);
void blocks_free(struct blocks *b);                          /* NULL allowed */

/* Packs the samples of n runs of a series, in any order, into blocks of the batch. A block reaches over no midnight (UTC), and what is within
 * ten minutes of one is in a block of its own: windows of a day read little that is not theirs. What is at v then is anything. */
int blocks_write(struct blocks *b, struct block_list *batch, uint64_t series, uint16_t kind, struct steady *v, size_t n,
                 struct err *e) GPUTAB_MUST_CHECK;
int blocks_commit(struct blocks *b, const struct block_list *batch, struct err *e) GPUTAB_MUST_CHECK;

/* Bytes that are there at once, whatever becomes of a batch; *at is where. */
int blocks_note(struct blocks *b, const void *p, size_t n, uint64_t *at, struct err *e) GPUTAB_MUST_CHECK;
/* Good until the next call that reads or writes any note or block: what is needed longer is copied. NULL with e set: it cannot be read. */
const char *blocks_note_at(struct blocks *b, uint64_t at, struct err *e);

/* The blocks with a sample in the span, both ends inclusive, one after the other in the order in which they were committed: 1 with *out,
 * 0 behind the last one, -1 with e set. {0} stands before the first one. Nothing may be written in between. */
enum { BLOCK_CURSOR_AHEAD = 16 };
struct block_cursor {
    size_t segment;                /* the next one */
    uint64_t at;                   /* of the one at hand: where its next entries are, */
    size_t left;                   /* how many there are, */
    bool open;                     /* and whether it is in memory still */
    uint32_t index, n;             /* of the next entry, among those that were brought */
    struct block ahead[BLOCK_CURSOR_AHEAD];
};
int blocks_next(struct blocks *b, struct block_cursor *c, struct timespan span, struct block *out, struct err *e) GPUTAB_MUST_CHECK;

/* Appends a block's samples. */
int blocks_read(struct blocks *b, const struct block *block, struct samples *out, struct err *e) GPUTAB_MUST_CHECK;
/* Them as they are packed, one block of sample_pack; good as long as a note. */
int blocks_packed(struct blocks *b, const struct block *block, struct span *out, struct err *e) GPUTAB_MUST_CHECK;
/* Appends that. */
int blocks_copy(struct blocks *b, const struct block *block, struct buf *out, struct err *e) GPUTAB_MUST_CHECK;

uint64_t blocks_bytes(const struct blocks *b);               /* spooled so far */

#endif
