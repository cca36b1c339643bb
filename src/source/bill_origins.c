/* bill_origins: keys of rows, each with whether allocated rows and rows with money of their own have it.
 *
 * A generator either puts allocated rows in their origin's place or beside it, so a sample of the keys tells: when they become many, half
 * of them are forgotten, and those like them are never kept again. Which half is decided by the key's fingerprint, so that origin and
 * allocated rows are kept or forgotten together, wherever they stand. A small bill is seen whole. */
#include "gputab/source/bill_origins.h"

#include <stdint.h>
#include <stdlib.h>

#include "gputab/base/fingerprint.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"

enum { USUAL_KEYS = 1 << 17 };

struct key {
    struct fingerprint print;
    bool allocated, has_money;     /* some row is; some row that is not has an amount */
};

struct bill_origins {
    size_t most;
    uint64_t forgotten;            /* fingerprints with one of these bits are not kept */
    bool any_allocated;
    struct fingerprint_key secret;
    struct fingerprint_map numbers;          /* into keys */
    VEC(struct key) keys;
};

struct bill_origins *bill_origins_new(size_t most)
{
    struct bill_origins *o = xcalloc(1, sizeof *o);

    o->most = most ? most : USUAL_KEYS;
    o->secret = fingerprint_new_key();
    return o;
}

void bill_origins_free(struct bill_origins *o)
{
    if (!o)
        return;
    fingerprint_map_free(&o->numbers);
    vec_free(&o->keys);
    free(o);
}

/* The key's place; a new one is added at the end. */
static struct key *find(struct bill_origins *o, struct fingerprint print)
{
    bool found;
    uint32_t *number = fingerprint_map_at(&o->numbers, print, &found);

    if (!found) {
        *number = (uint32_t)o->keys.n;
        vec_push(&o->keys, (struct key){.print = print});
    }
    return &o->keys.v[*number];
}

static void forget_half(struct bill_origins *o)
{
    size_t n = o->keys.n;

    o->forgotten = o->forgotten << 1 | 1;
    fingerprint_map_free(&o->numbers);
    o->numbers = (struct fingerprint_map){0};
    o->keys.n = 0;
    for (size_t i = 0; i < n; i++) {
        struct key k = o->keys.v[i];

        if (!(k.print.high & o->forgotten))
            *find(o, k.print) = k;
    }
}

void bill_origins_add(struct bill_origins *o, struct span key, bool allocated, bool has_money)
{
    struct fingerprint print = fingerprint_of(o->secret, key);
    struct key *k;

    o->any_allocated |= allocated;
    if (print.high & o->forgotten)
        return;
    k = find(o, print);
    k->allocated |= allocated;
    k->has_money |= !allocated && has_money;
    if (o->keys.n > o->most)
        forget_half(o);
}

enum bill_origins_say bill_origins_decide(const struct bill_origins *o)
{
    size_t split = 0, repeated = 0;

    for (size_t i = 0; i < o->keys.n; i++) {
        split += o->keys.v[i].allocated;
        repeated += o->keys.v[i].allocated && o->keys.v[i].has_money;
    }
    if (!o->any_allocated)
        return ORIGINS_NOT_SPLIT;
    if (split == 0)
        return ORIGINS_UNSEEN;
    return repeated == 0 ? ORIGINS_REPLACED : repeated == split ? ORIGINS_REPEATED : ORIGINS_MIXED;
}
