/* ahead: a thread that fills a ring with blocks until one is not full, which is the end, or until somebody reads no more.
 *
 * What went wrong is told when its turn comes, behind the blocks that were made before. Where no thread can be had, everything is made
 * when it is asked for, as in the beginning. */
#include "gputab/base/ahead.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/ring.h"
#include "gputab/base/xalloc.h"

struct ahead {
    struct ahead_config config;
    size_t inline_bytes;           /* made without a thread */
    bool alone;                    /* there can be no thread */
    struct ring *ring;             /* NULL: no thread so far */
    pthread_t thread;
    struct ring_block *block;      /* being read, or NULL */
    size_t at;                     /* bytes of it that were read */
    bool ended;                    /* the last block was read */
    struct err err;                /* of the thread, until it has stopped the ring */
};

struct ahead *ahead_new(const struct ahead_config *config)
{
    struct ahead *a = xcalloc(1, sizeof *a);

    a->config = *config;
    return a;
}

static void *fill_ring(void *ctx)
{
    struct ahead *a = ctx;
    struct ring_block *b;
    bool more = true;

    while (more && (b = ring_room(a->ring)) != NULL) {
        int got = a->config.make(a->config.ctx, b->p, RING_BLOCK, &a->err);

        more = got == RING_BLOCK;
        b->n = got > 0 ? (size_t)got : 0;
        if (got > 0)
            ring_made(a->ring);
    }
    ring_stop(a->ring);
    return NULL;
}

static void start(struct ahead *a)
{
    a->ring = ring_new();
    if (ring_thread(&a->thread, fill_ring, a) == 0)
        return;
    ring_free(a->ring);
    a->ring = NULL;
    a->alone = true;
}

static void stop(struct ahead *a)
{
    if (!a->ring)
        return;
    ring_stop(a->ring);
    if (a->config.wake && !a->ended)
        a->config.wake(a->config.ctx);
    pthread_join(a->thread, NULL);
    ring_free(a->ring);
    a->ring = NULL;
}

/* 1: a->block has unread bytes; 0: the end; -1. */
static int next_block(struct ahead *a, struct err *e)
{
    if (a->block && a->at < a->block->n)
        return 1;
    if (a->block)
        ring_taken(a->ring);
    a->at = 0;
    a->block = ring_next(a->ring);
    if (a->block)
        return 1;
    a->ended = true;
    if (a->err.code == ERR_NONE)
        return 0;
    *e = a->err;
    return -1;
}

static int read_ring(struct ahead *a, uint8_t *p, size_t n, struct err *e)
{
    size_t have = 0;
    int rc = 1;

    while (have < n && !a->ended && (rc = next_block(a, e)) == 1) {
        size_t take = a->block->n - a->at < n - have ? a->block->n - a->at : n - have;

        memcpy(p + have, a->block->p + a->at, take);
        a->at += take;
        have += take;
    }
    return rc < 0 ? -1 : (int)have;
}

static bool has_ring(struct ahead *a)
{
    if (!a->ring && !a->alone && a->inline_bytes >= AHEAD_INLINE)
        start(a);
    return a->ring != NULL;
}

/* What was read of a block already may be written over like its front. */
int ahead_lend(struct ahead *a, char **p, struct err *e)
{
    int rc = 0, n;

    if (!has_ring(a))
        return AHEAD_NONE;
    if (a->ended || (rc = next_block(a, e)) != 1)
        return rc;
    *p = (char *)a->block->p + a->at;
    n = (int)(a->block->n - a->at);
    a->at = a->block->n;
    return n;
}

int ahead_read(struct ahead *a, void *p, size_t n, struct err *e)
{
    int got;

    if (has_ring(a))
        return read_ring(a, p, n, e);
    got = a->config.make(a->config.ctx, p, n, e);
    a->inline_bytes += got > 0 ? (size_t)got : 0;
    return got;
}

void ahead_again(struct ahead *a)
{
    stop(a);
    a->block = NULL;
    a->at = 0;
    a->ended = false;
}

void ahead_free(struct ahead *a)
{
    if (!a)
        return;
    stop(a);
    free(a);
}

/* A machine with more than CPU_SETSIZE cores makes the call fail. */
bool ahead_has_core(void)
{
    cpu_set_t cores;

    return sched_getaffinity(0, sizeof cores, &cores) < 0 || CPU_COUNT(&cores) > 1;
}
