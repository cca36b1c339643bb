/* sample_pack: runs of samples as few bytes. A scraped series has the same spacing nearly always and often the same value: such stretches
 * cost two bytes altogether, another value two or three.
 *
 * A block is
 *
 *     uvarint  number of samples, at least 1
 *     zigzag   time of the first, ms
 *     uvarint  time of the last minus that of the first
 *     uvarint  shift: how many low bits are 0 in all values; plus 64 where all samples stand at the same distance
 *     uvarint  bytes that follow
 *     uvarint  first value >> shift
 *     tokens   uvarint t, the low two bits of which say what follows (the rest is n):
 *                0  n more samples, same spacing, same value
 *                1  a sample, same spacing, value + zigzag n << shift
 *                2  a sample, spacing + zigzag n, same value
 *                3  a sample, spacing + zigzag n, value + a zigzag that follows << shift
 *
 * The spacing before the first token is 0. Sums wrap, so that any samples can be packed. */
#ifndef GPUTAB_VALUE_SAMPLE_PACK_H
#define GPUTAB_VALUE_SAMPLE_PACK_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/steady.h"
#include "gputab/value/sample.h"

struct sample_pack_head {
    size_t n;                      /* samples, at least 1 */
    time_ms first, last;
};

/* Appends n > 0 samples as one block. */
void sample_pack_add(struct buf *b, const struct sample *v, size_t n);
/* The same for samples that come as n > 0 runs of equal ones. */
void sample_pack_add_steady(struct buf *b, const struct steady *v, size_t n);

/* The head of the block at *at; *at moves behind the block. False: no block begins there. */
bool sample_pack_skip(struct span *at, struct sample_pack_head *head);

/* Appends the samples of the block at *at, which moves behind it. False: damaged. */
bool sample_pack_read(struct span *at, struct samples *out);

/* Appends the samples of a run of a window, packed or not. */
void sample_pack_read_run(const struct sample_run *run, struct samples *out);

/* Samples of one value at equal distances: at from, from + spacing and so on. */
struct stretch {
    time_ms from;
    time_ms spacing;               /* means nothing where n is 1 */
    size_t n;                      /* at least 1 */
    uint64_t value;
};

/* Reads a run of a window, packed or not, stretch by stretch. Neighbouring stretches may have the same value. */
struct pack_cursor {               /* in a block */
    const char *p, *end;           /* what has not been read */
    size_t left;                   /* samples behind the one at hand */
    uint64_t time, spacing, value; /* of the one at hand */
    unsigned shift;
};
struct sample_reader {
    const struct sample *v;        /* samples that are not packed, and how many are left */
    size_t n;
    struct span blocks;            /* behind the one at hand */
    struct pack_cursor at;
};

void sample_reader_begin(struct sample_reader *r, const struct sample_run *run);
/* False: that was all. */
bool sample_reader_next(struct sample_reader *r, struct stretch *out);
/* The same for who asks for times only: what comes next at equal distances, whatever the values (the value means nothing). A run is read
 * in one of the two ways. */
bool sample_reader_next_pace(struct sample_reader *r, struct stretch *out);

/* Two readers, of which the bytes go on alike: copies of a value under several labels. What the first has read the second need not. */
struct sample_twin {
    const char *end;               /* of the first one's block */
    const char *alike;             /* so far its bytes are the second one's, too */
    const char *p[2];              /* where both stood when that was found, and how many samples were left */
    size_t left[2];
};
/* False: they stand at other samples, or go on with others soon. The stretches read last are the caller's to compare. */
bool sample_twin_find(struct sample_twin *t, const struct sample_reader *first, const struct sample_reader *second);
/* Brings the second to where the first has come meanwhile. False, and nothing done: the first left the bytes that are alike. */
static inline bool sample_twin_follow(const struct sample_twin *t, const struct sample_reader *first, struct sample_reader *second)
{
    const struct pack_cursor *c = &first->at;

    if (c->end != t->end || c->p >= t->alike)
        return false;
    second->at.p = t->p[1] + (c->p - t->p[0]);
    second->at.left = t->left[1] - (t->left[0] - c->left);
    second->at.time = c->time;
    second->at.spacing = c->spacing;
    second->at.value = c->value;
    return true;
}

/* The time of a run's first sample. */
time_ms sample_run_first(const struct sample_run *run);

#endif
