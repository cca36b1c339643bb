/* ring: a few blocks of bytes between two threads: one makes them, the other takes them, in order. Who is ahead waits, so that memory is
 * bounded: RING_BLOCKS blocks of RING_BLOCK bytes. Either side may stop it, which wakes the other. */
#ifndef GPUTAB_BASE_RING_H
#define GPUTAB_BASE_RING_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct ring;
enum { RING_BLOCKS = 8, RING_BLOCK = 256 * 1024, RING_FRONT = 32 * 1024 };

struct ring_block {
    uint8_t *p;                    /* RING_BLOCK bytes; the RING_FRONT before them are the taker's to write to */
    size_t n;                      /* of them filled; the ring never looks */
};

struct ring *ring_new(void);
void ring_free(struct ring *r);                              /* when no thread uses it any more; NULL allowed */

/* Of the thread that makes: the next free block, or NULL when the ring was stopped; then that it is made. */
struct ring_block *ring_room(struct ring *r);
void ring_made(struct ring *r);

/* Of the thread that takes: the oldest block that was made, or NULL when none is left and the ring was stopped; then that it is done
 * with. */
struct ring_block *ring_next(struct ring *r);
void ring_taken(struct ring *r);

void ring_stop(struct ring *r);

/* A thread in which no signal is handled: these are the business of the program's first one. 0, or -1 when there can be none. */
int ring_thread(pthread_t *thread, void *(*run)(void *ctx), void *ctx);

#endif
