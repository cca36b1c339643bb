/* blocks: a spool of packed samples and notes, and an index of it in segments.
 *
 * A block holds some hundred samples of one series, so that a window reads little besides what it wants. Entries of the index gather in
 * memory and go to the spool as a segment; of a segment only its extent in time stays. Transports deliver window by window, so that a
 * window later finds its blocks in a few segments; a file in another order costs a look through all of them, not memory. */
#include "gputab/source/blocks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/spool.h"

enum { BLOCK_SAMPLES = 512, SEGMENT_BLOCKS = 8192 };
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

/* How many samples of v[0] go into a block of which `left` more may, and which reaches over the stretch and not beyond. */
static uint32_t count_fitting(const struct steady *v, size_t left, struct timespan stretch)
{
    uint32_t n = v->n;

    if (v->first < stretch.from || v->first >= stretch.to)
        return 0;
    if (steady_last(v) >= stretch.to)
        n = steady_before(v, stretch.to);
    return n < left ? n : (uint32_t)left;
}

static enum block_on on_of(const struct steady *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i].value > 0)
            return i == 0 ? BLOCK_ON_FIRST : BLOCK_ON_LATER;
    return BLOCK_ON_NEVER;
}

static int write_block(struct blocks *b, struct block_list *batch, struct block block, const struct steady *v, size_t n, struct err *e)
{
    block.first = v[0].first;
    block.last = steady_last(&v[n - 1]);
    block.last_value = v[n - 1].value;
    block.on = (uint8_t)on_of(v, n);
    for (size_t i = 0; block.shuffled && i < n; i++) {
        block.first = v[i].first < block.first ? v[i].first : block.first;
        block.last = steady_last(&v[i]) > block.last ? steady_last(&v[i]) : block.last;
    }
    buf_clear(&b->scratch);
    sample_pack_add_steady(&b->scratch, v, n);
    block.bytes = (uint32_t)b->scratch.n;
    if (spool_add(b->spool, b->scratch.p, b->scratch.n, &block.at, e) < 0)
        return -1;
    vec_push(batch, block);
    return 0;
}

/* The samples that go into one block: *n runs, the last of which is cut when not all of it goes; what is then left of it is in *rest. */
static void take_block(struct steady *v, size_t *n, struct steady *rest)
{
    struct timespan stretch = stretch_of(v[0].first);
    size_t i = 0, left = BLOCK_SAMPLES;

    rest->n = 0;
    for (; i < *n && rest->n == 0; i++) {
        uint32_t fitting = count_fitting(&v[i], left, stretch);

        if (fitting == 0)
            break;
        left -= fitting;
        if (fitting < v[i].n) {
            *rest = (struct steady){ steady_time(&v[i], fitting), v[i].value, v[i].spacing, v[i].n - fitting };
            v[i].n = fitting;
        }
    }
    *n = i;
}

/* Whether all go into one block, their times rising. */
static bool is_one_block(const struct steady *v, size_t n)
{
    time_ms last = steady_last(&v[0]);
    size_t samples = v[0].n;
    bool rises = true;

    if (n > BLOCK_SAMPLES || steady_last(&v[n - 1]) >= stretch_of(v[0].first).to)
        return false;
    for (size_t i = 1; i < n; i++) {
        rises &= v[i].first > last;
        last = steady_last(&v[i]);
        samples += v[i].n;
    }
    return rises && samples <= BLOCK_SAMPLES;
}

int blocks_write(struct blocks *b, struct block_list *batch, uint64_t series, uint16_t kind, struct steady *v, size_t n, struct err *e)
{
    while (n > 0) {
        struct block block = { .series = series, .kind = kind };
        struct steady rest = { .n = 0 };
        size_t part = n;

        if (!is_one_block(v, n)) {
            take_block(v, &part, &rest);
            block.shuffled = !steady_in_order(v, part);
        }
        if (write_block(b, batch, block, v, part, e) < 0)
            return -1;
        if (rest.n > 0)
            v[--part] = rest;
        v += part;
        n -= part;
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

/* A note stands behind its length: who reads it need not know that. */
int blocks_note(struct blocks *b, const void *p, size_t n, uint64_t *at, struct err *e)
{
    uint32_t length = (uint32_t)n;
    uint64_t behind;

    assert(length == n);
    return spool_add(b->spool, &length, sizeof length, at, e) < 0 ? -1 : spool_add(b->spool, p, n, &behind, e);
}

const char *blocks_note_at(struct blocks *b, uint64_t at, struct err *e)
{
    struct span there = spool_at(b->spool, at, sizeof(uint32_t), e);
    uint32_t length;

    if (!there.p)
        return NULL;
    memcpy(&length, there.p, sizeof length);
    if (there.n - sizeof length >= length)
        return there.p + sizeof length;
    return spool_at(b->spool, at + sizeof length, length, e).p;
}

/* The segment that is being filled counts as the last one. */
static size_t segment_blocks(const struct blocks *b, size_t segment, struct timespan span)
{
    const struct segment *s;

    if (segment == b->segments.n)
        return b->open.n;
    s = &b->segments.v[segment];
    return s->span.to >= span.from && s->span.from <= span.to ? s->n : 0;
}

/* Goes to the next segment that reaches into the span. False: there is none. */
static bool next_segment(const struct blocks *b, struct block_cursor *c, struct timespan span)
{
    for (; c->segment <= b->segments.n; c->segment++) {
        c->left = segment_blocks(b, c->segment, span);
        if (c->left == 0)
            continue;
        c->open = c->segment == b->segments.n;
        c->at = c->open ? 0 : b->segments.v[c->segment].at;
        c->segment++;
        return true;
    }
    return false;
}

/* Brings the next few entries of the segment at hand. */
static int read_entries(struct blocks *b, struct block_cursor *c, struct err *e)
{
    size_t n = c->left < BLOCK_CURSOR_AHEAD ? c->left : BLOCK_CURSOR_AHEAD, bytes = n * sizeof *c->ahead;
    const char *p = c->open ? (const char *)b->open.v + c->at : spool_at(b->spool, c->at, bytes, e).p;

    if (!p)
        return -1;
    memcpy(c->ahead, p, bytes);
    c->at += bytes;
    c->left -= n;
    c->index = 0;
    c->n = n;
    return 0;
}

int blocks_next(struct blocks *b, struct block_cursor *c, struct timespan span, struct block *out, struct err *e)
{
    for (;;) {
        while (c->index < c->n) {
            const struct block *block = &c->ahead[c->index++];

            if (block->last >= span.from && block->first <= span.to) {
                *out = *block;
                return 1;
            }
        }
        if (c->left == 0 && !next_segment(b, c, span))
            return 0;
        if (read_entries(b, c, e) < 0)
            return -1;
    }
}

int blocks_read(struct blocks *b, const struct block *block, struct samples *out, struct err *e)
{
    struct span at;

    if (blocks_packed(b, block, &at, e) < 0)
        return -1;
    return sample_pack_read(&at, out) && at.n == 0 ? 0 : err_set(e, ERR_INTERNAL, "the temporary file of samples is damaged");
}

int blocks_packed(struct blocks *b, const struct block *block, struct span *out, struct err *e)
{
    *out = (struct span){ spool_at(b->spool, block->at, block->bytes, e).p, block->bytes };
    return out->p ? 0 : -1;
}

int blocks_copy(struct blocks *b, const struct block *block, struct buf *out, struct err *e)
{
    struct span packed;

    if (blocks_packed(b, block, &packed, e) < 0)
        return -1;
    buf_add_span(out, packed);
    return 0;
}

uint64_t blocks_bytes(const struct blocks *b)
{
    return spool_size(b->spool);
}
