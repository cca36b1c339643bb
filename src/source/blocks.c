/* blocks: a spool of packed samples and notes, and an index of it in segments.
 *
 * A block holds some hundred samples of one series, so that a window reads little besides what it wants. Entries of the index gather in
 * memory and go to the spool as a segment; of a segment only its extent in time stays. Transports deliver window by window, so that a
 * window later finds its blocks in a few segments; a file in another order costs a look through all of them, not memory. */
#include "gputab/source/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/spool.h"

enum { BLOCK_SAMPLES = 512, SEGMENT_BLOCKS = 8192, REST_READS = 2048 };
#define MARGIN (10 * TIME_MINUTE)

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
    unsigned reads;                /* since pages went back */
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

/* From one border to the next: midnight and ten minutes to both sides of it. */
static struct timespan stretch_of(time_ms t)
{
    time_ms midnight = time_floor(t + MARGIN, TIME_DAY);

    if (t < midnight + MARGIN)
        return (struct timespan){ midnight - MARGIN, midnight + MARGIN };
    return (struct timespan){ midnight + MARGIN, midnight + TIME_DAY - MARGIN };
}

static bool in_order(const struct sample *v, size_t n)
{
    bool out = false;

    for (size_t i = 1; i < n; i++)
        out |= v[i].time <= v[i - 1].time;
    return !out;
}

/* How many of the samples go into one block; sorted: their times rise. */
static size_t length_of(const struct sample *v, size_t n, bool sorted)
{
    struct timespan stretch = stretch_of(v[0].time);
    size_t i = 1;

    n = n < BLOCK_SAMPLES ? n : BLOCK_SAMPLES;
    if (sorted && v[n - 1].time < stretch.to)
        return n;
    while (i < n && v[i].time < stretch.to && v[i].time >= stretch.from)
        i++;
    return i;
}

static int write_block(struct blocks *b, struct block_list *batch, struct block block, const struct sample *v, size_t n, struct err *e)
{
    block.first = v[0].time;
    block.last = v[n - 1].time;
    block.last_value = v[n - 1].value;
    for (size_t i = 0; block.shuffled && i < n; i++) {
        block.first = v[i].time < block.first ? v[i].time : block.first;
        block.last = v[i].time > block.last ? v[i].time : block.last;
    }
    buf_clear(&b->scratch);
    sample_pack_add(&b->scratch, v, n);
    block.bytes = (uint32_t)b->scratch.n;
    if (spool_add(b->spool, b->scratch.p, b->scratch.n, &block.at, e) < 0)
        return -1;
    vec_push(batch, block);
    return 0;
}

int blocks_write(struct blocks *b, struct block_list *batch, uint64_t series, uint16_t kind, const struct sample *v, size_t n,
                 struct err *e)
{
    bool sorted = in_order(v, n);

    for (size_t i = 0, part; i < n; i += part) {
        struct block block = { .series = series, .kind = kind };

        part = length_of(v + i, n - i, sorted);
        block.shuffled = !sorted && !in_order(v + i, part);
        if (write_block(b, batch, block, v + i, part, e) < 0)
            return -1;
    }
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

int blocks_note(struct blocks *b, const void *p, size_t n, uint64_t *at, struct err *e)
{
    return spool_add(b->spool, p, n, at, e);
}

/* Pages that were touched count as memory: now and then they go back. What points into them stays good. */
static const char *view(struct blocks *b, struct err *e)
{
    const char *bytes = spool_view(b->spool, e);

    if (bytes && ++b->reads % REST_READS == 0)
        spool_rest(b->spool);
    return bytes;
}

const char *blocks_note_at(struct blocks *b, uint64_t at, struct err *e)
{
    const char *bytes = view(b, e);

    return bytes ? bytes + at : NULL;
}

/* The segment that is being filled counts as the last one. */
static size_t segment_blocks(const struct blocks *b, size_t segment, struct timespan span)
{
    const struct segment *s = &b->segments.v[segment];

    if (segment == b->segments.n)
        return b->open.n;
    return s->span.to >= span.from && s->span.from <= span.to ? s->n : 0;
}

int blocks_next(struct blocks *b, struct block_cursor *c, struct timespan span, struct block *out, struct err *e)
{
    const char *bytes = spool_view(b->spool, e);

    if (!bytes)
        return -1;
    for (; c->segment <= b->segments.n; c->segment++, c->index = 0) {
        const char *entries = c->segment < b->segments.n ? bytes + b->segments.v[c->segment].at : (const char *)b->open.v;
        size_t n = segment_blocks(b, c->segment, span);

        while (c->index < n) {
            memcpy(out, entries + c->index++ * sizeof *out, sizeof *out);      /* a segment begins anywhere */
            if (out->last >= span.from && out->first <= span.to)
                return 1;
        }
    }
    return 0;
}

int blocks_read(struct blocks *b, const struct block *block, struct samples *out, struct err *e)
{
    const char *bytes = view(b, e);
    struct span at;

    if (!bytes)
        return -1;
    at = (struct span){ bytes + block->at, block->bytes };
    return sample_pack_read(&at, out) && at.n == 0 ? 0 : err_set(e, ERR_INTERNAL, "the temporary file of samples is damaged");
}

int blocks_packed(struct blocks *b, const struct block *block, struct span *out, struct err *e)
{
    const char *bytes = view(b, e);

    if (!bytes)
        return -1;
    *out = (struct span){ bytes + block->at, block->bytes };
    return 0;
}

int blocks_copy(struct blocks *b, const struct block *block, struct buf *out, struct err *e)
{
    struct span packed;

    if (blocks_packed(b, block, &packed, e) < 0)
        return -1;
    buf_add_span(out, packed);
    return 0;
}

void blocks_rest(struct blocks *b)
{
    spool_rest(b->spool);
}

uint64_t blocks_bytes(const struct blocks *b)
{
    return spool_size(b->spool);
}
