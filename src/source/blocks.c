/* blocks: a spool of packed samples, and an index of it in segments.
 *
 * A block holds some hundred samples of one series, so that a window reads little besides what it wants. Entries of the index gather in
 * memory and go to the spool as a segment; of a segment only its extent in time stays. Transports deliver window by window, so that a
 * window later finds its blocks in a few segments; a file in another order costs a look through all of them, not memory. */
#include "gputab/source/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/spool.h"

enum { BLOCK_SAMPLES = 512, SEGMENT_BLOCKS = 8192 };

struct segment {
    struct timespan span;          /* from the earliest to the latest sample */
    uint64_t at;
    size_t n;                      /* blocks */
};

struct blocks {
    struct spool *spool;
    VEC(struct segment) segments;
    struct block_list open;        /* the segment that is being filled */
    struct buf scratch;
};

struct blocks *blocks_new(void)
{
    struct blocks *b = xcalloc(1, sizeof *b);

    b->spool = spool_new();
    return b;
}

void blocks_free(struct blocks *b)
{
    if (!b)
        return;
    spool_free(b->spool);
    vec_free(&b->segments);
    vec_free(&b->open);
    buf_free(&b->scratch);
    free(b);
}

static int write_block(struct blocks *b, struct block_list *batch, uint32_t series, const struct sample *v, size_t n, struct err *e)
{
    struct block block = { .series = series, .first = v[0].time, .last = v[0].time };

    for (size_t i = 1; i < n; i++) {
        if (v[i].time < block.first)
            block.first = v[i].time;
        if (v[i].time > block.last)
            block.last = v[i].time;
    }
    buf_clear(&b->scratch);
    sample_pack_add(&b->scratch, v, n);
    block.bytes = (uint32_t)b->scratch.n;
    if (spool_add(b->spool, b->scratch.p, b->scratch.n, &block.at, e) < 0)
        return -1;
    vec_push(batch, block);
    return 0;
}

int blocks_write(struct blocks *b, struct block_list *batch, uint32_t series, const struct sample *v, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i += BLOCK_SAMPLES)
        if (write_block(b, batch, series, v + i, n - i < BLOCK_SAMPLES ? n - i : BLOCK_SAMPLES, e) < 0)
            return -1;
    return 0;
}

static int close_segment(struct blocks *b, struct err *e)
{
    struct segment s = { .span = { TIME_MAX, TIME_MIN }, .n = b->open.n };

    for (size_t i = 0; i < b->open.n; i++) {
        if (b->open.v[i].first < s.span.from)
            s.span.from = b->open.v[i].first;
        if (b->open.v[i].last > s.span.to)
            s.span.to = b->open.v[i].last;
    }
    if (spool_add(b->spool, b->open.v, b->open.n * sizeof *b->open.v, &s.at, e) < 0)
        return -1;
    vec_push(&b->segments, s);
    vec_clear(&b->open);
    return 0;
}

int blocks_commit(struct blocks *b, const struct block_list *batch, struct err *e)
{
    for (size_t i = 0; i < batch->n; i++) {
        if (b->open.n == SEGMENT_BLOCKS && close_segment(b, e) < 0)
            return -1;
        vec_push(&b->open, batch->v[i]);
    }
    return 0;
}

static void find_in(const char *entries, size_t n, struct timespan span, struct block_list *out)
{
    for (size_t i = 0; i < n; i++) {
        struct block block;

        memcpy(&block, entries + i * sizeof block, sizeof block);      /* a segment begins anywhere */
        if (block.last >= span.from && block.first <= span.to)
            vec_push(out, block);
    }
}

int blocks_find(struct blocks *b, struct timespan span, struct block_list *out, struct err *e)
{
    const char *bytes = spool_view(b->spool, e);

    if (!bytes)
        return -1;
    for (size_t i = 0; i < b->segments.n; i++) {
        const struct segment *s = &b->segments.v[i];

        if (s->span.to >= span.from && s->span.from <= span.to)
            find_in(bytes + s->at, s->n, span, out);
    }
    find_in((const char *)b->open.v, b->open.n, span, out);
    return 0;
}

static int by_place(const void *pa, const void *pb)
{
    const struct block *a = pa, *b = pb;

    return a->series != b->series ? (a->series < b->series ? -1 : 1) : (a->at > b->at) - (a->at < b->at);
}

int blocks_find_of(struct blocks *b, struct timespan span, const uint32_t *place, uint32_t n, struct block_list *out, struct err *e)
{
    size_t from = out->n, kept = from;

    if (blocks_find(b, span, out, e) < 0)
        return -1;
    for (size_t i = from; i < out->n; i++) {
        struct block block = out->v[i];

        block.series = block.series < n ? place[block.series] : NONE;
        if (block.series != NONE)
            out->v[kept++] = block;
    }
    out->n = kept;
    if (kept > from)
        qsort(out->v + from, kept - from, sizeof *out->v, by_place);
    return 0;
}

int blocks_read(struct blocks *b, const struct block *block, struct samples *out, struct err *e)
{
    const char *bytes = spool_view(b->spool, e);
    struct span at;

    if (!bytes)
        return -1;
    at = (struct span){ bytes + block->at, block->bytes };
    return sample_pack_read(&at, out) && at.n == 0 ? 0 : err_set(e, ERR_INTERNAL, "the temporary file of samples is damaged");
}

void blocks_rest(struct blocks *b)
{
    spool_rest(b->spool);
}

uint64_t blocks_bytes(const struct blocks *b)
{
    return spool_size(b->spool);
}
