/* ring: two counters under one lock; a block belongs to the maker until it is made and to the taker until it is taken.
 *
 * Waking a thread costs as much as filling a good part of a block. So who had to wait waits on until half of the ring is there for it, but
 * not for long: a maker may itself be waiting for more, while what it has made so far is enough to go on with. */
#include "gputab/base/ring.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "gputab/base/xalloc.h"

enum { HALF = RING_BLOCKS / 2, PATIENCE_NS = 10 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000 };

struct ring {
    pthread_mutex_t lock;
    pthread_cond_t changed;        /* of one that waits: the other one never does at the same time */
    size_t made, taken;            /* blocks, from the beginning on */
    bool stopped;
    struct ring_block blocks[RING_BLOCKS];
};

struct ring *ring_new(void)
{
    struct ring *r = xcalloc(1, sizeof *r);
    pthread_condattr_t steady;

    pthread_mutex_init(&r->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&r->changed, &steady);
    pthread_condattr_destroy(&steady);
    for (size_t i = 0; i < RING_BLOCKS; i++)
        r->blocks[i].p = (uint8_t *)xmalloc(RING_FRONT + RING_BLOCK) + RING_FRONT;
    return r;
}

void ring_free(struct ring *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < RING_BLOCKS; i++)
        free(r->blocks[i].p - RING_FRONT);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/* False: nothing has changed for a while. */
static bool wait_for_change(struct ring *r)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += PATIENCE_NS;
    if (until.tv_nsec >= SECOND_NS) {
        until.tv_sec++;
        until.tv_nsec -= SECOND_NS;
    }
    return pthread_cond_timedwait(&r->changed, &r->lock, &until) != ETIMEDOUT;
}

struct ring_block *ring_room(struct ring *r)
{
    bool stopped;

    pthread_mutex_lock(&r->lock);
    if (r->made - r->taken == RING_BLOCKS)
        while (RING_BLOCKS - (r->made - r->taken) < HALF && !r->stopped)
            if (!wait_for_change(r) && r->made - r->taken < RING_BLOCKS)
                break;
    stopped = r->stopped;
    pthread_mutex_unlock(&r->lock);
    return stopped ? NULL : &r->blocks[r->made % RING_BLOCKS];
}

struct ring_block *ring_next(struct ring *r)
{
    bool there;

    pthread_mutex_lock(&r->lock);
    if (r->made == r->taken)
        while (r->made - r->taken < HALF && !r->stopped)
            if (!wait_for_change(r) && r->made != r->taken)
                break;
    there = r->made != r->taken;
    pthread_mutex_unlock(&r->lock);
    return there ? &r->blocks[r->taken % RING_BLOCKS] : NULL;
}

static void step(struct ring *r, size_t *counter)
{
    pthread_mutex_lock(&r->lock);
    ++*counter;
    if (r->made - r->taken == HALF)                          /* either comes here on its way from one end to the other */
        pthread_cond_signal(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void ring_made(struct ring *r)
{
    step(r, &r->made);
}

void ring_taken(struct ring *r)
{
    step(r, &r->taken);
}

void ring_stop(struct ring *r)
{
    pthread_mutex_lock(&r->lock);
    r->stopped = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

int ring_thread(pthread_t *thread, void *(*run)(void *ctx), void *ctx)
{
    sigset_t all, before;
    int rc;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(thread, NULL, run, ctx);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc == 0 ? 0 : -1;
}
