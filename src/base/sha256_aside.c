/* sha256_aside: bytes are copied into a ring, which costs a tenth of hashing them, and a thread hashes what is in it.
 * Where no thread can be had, they are hashed at once. */
#include "gputab/base/sha256_aside.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/ring.h"
#include "gputab/base/xalloc.h"

struct sha256_aside {
    struct sha256 *hash;
    size_t inline_bytes;
    bool alone;                    /* there can be no thread */
    struct ring *ring;             /* NULL: no thread so far */
    pthread_t thread;
    struct ring_block *block;      /* being filled, or NULL */
};

struct sha256_aside *sha256_aside_new(void)
{
    struct sha256_aside *h = xcalloc(1, sizeof *h);

    h->hash = sha256_new();
    return h;
}

static void *hash_ring(void *ctx)
{
    struct sha256_aside *h = ctx;
    struct ring_block *b;

    while ((b = ring_next(h->ring)) != NULL) {
        sha256_add(h->hash, b->p, b->n);
        ring_taken(h->ring);
    }
    return NULL;
}

static void start(struct sha256_aside *h)
{
    h->ring = ring_new();
    if (ring_thread(&h->thread, hash_ring, h) == 0)
        return;
    ring_free(h->ring);
    h->ring = NULL;
    h->alone = true;
}

static void stop(struct sha256_aside *h)
{
    if (!h->ring)
        return;
    ring_stop(h->ring);
    pthread_join(h->thread, NULL);
    ring_free(h->ring);
    h->ring = NULL;
}

static void add_to_ring(struct sha256_aside *h, const char *p, size_t n)
{
    while (n > 0) {
        size_t take;

        if (!h->block) {
            h->block = ring_room(h->ring);
            h->block->n = 0;
        }
        take = RING_BLOCK - h->block->n < n ? RING_BLOCK - h->block->n : n;
        memcpy(h->block->p + h->block->n, p, take);
        h->block->n += take;
        p += take;
        n -= take;
        if (h->block->n == RING_BLOCK) {
            ring_made(h->ring);
            h->block = NULL;
        }
    }
}

void sha256_aside_add(struct sha256_aside *h, const void *p, size_t n)
{
    if (!h->ring && !h->alone && h->inline_bytes >= SHA256_ASIDE_INLINE)
        start(h);
    if (h->ring) {
        add_to_ring(h, p, n);
        return;
    }
    sha256_add(h->hash, p, n);
    h->inline_bytes += n;
}

void sha256_aside_end(struct sha256_aside *h, char hex[SHA256_HEX])
{
    if (h->block)
        ring_made(h->ring);
    stop(h);
    sha256_end(h->hash, hex);
    free(h);
}

void sha256_aside_free(struct sha256_aside *h)
{
    if (!h)
        return;
    stop(h);
    sha256_free(h->hash);
    free(h);
}
