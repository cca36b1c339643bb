/* intern: every distinct byte string once, under a dense number.
 *
 * Open addressing with linear probing: a slot holds the hash and the address of the string, so that a probe that fails touches
 * one cache line, and one that hits a second. The table keeps at most two thirds of its slots in use. Bytes live in an arena
 * behind their length, so that spans stay valid while the table grows. What may be taken out again has an arena of its own. */
#include "gputab/base/intern.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/arena.h"
#include "gputab/base/bytes.h"
#include "gputab/base/xalloc.h"

enum { INTERN_FIRST = 64 };                            /* slots; a power of two */
enum { AT_ONCE = 16 };                                 /* strings whose memory is waited for together */
#define INLINE static inline __attribute__((always_inline))       /* steps of looking up, which is most of what happens here */

struct text {
    size_t n;
    char p[];
};

struct slot {
    const struct text *text;
    uint32_t hash;
    uint32_t id;                                       /* 0: free, since the empty string is never looked up */
};

struct intern {
    struct slot *slots;
    size_t mask;                                       /* slots - 1 */
    struct span *strings;
    uint32_t count, cap;
    uint64_t length;                                   /* of all strings */
    uint32_t marked;                                   /* strings before the mark; 0: there is none */
    uint64_t marked_length;
    struct arena bytes, young;                         /* young: of strings behind the mark */
};

__extension__ typedef unsigned __int128 wide;

/* Both halves of the product: every bit of the input reaches the low bits, which choose the slot. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    wide m = (wide)a * b;

    return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/* Eight bytes at a time, the last eight whether they overlap those before or not: the length, which is hashed too, says how much. */
INLINE uint32_t hash_bytes(const void *bytes, size_t n)
{
    const char *p = bytes;
    uint64_t h = n * UINT64_C(0x9e3779b97f4a7c15), last;

    if (n >= 8) {
        for (const char *end = p + n - 8; p < end; p += 8)
            h = mix(bytes_load8(p) ^ h, UINT64_C(0xa24baed4963ee407));
        last = bytes_load8((const char *)bytes + n - 8);
    } else {
        last = bytes_load(p, n);
    }
    h = mix(last ^ h, UINT64_C(0x9fb21c651e98df25));
    return (uint32_t)(h ^ (h >> 32));
}

struct intern *intern_new(void)
{
    struct intern *t = xcalloc(1, sizeof *t);

    t->slots = xcalloc(INTERN_FIRST, sizeof *t->slots);
    t->mask = INTERN_FIRST - 1;
    t->cap = INTERN_FIRST;
    t->strings = xreallocarray(NULL, t->cap, sizeof *t->strings);
    t->strings[0] = (struct span){ "", 0 };
    t->count = 1;
    return t;
}

void intern_free(struct intern *t)
{
    if (!t)
        return;
    arena_free(&t->bytes);
    arena_free(&t->young);
    free(t->strings);
    free(t->slots);
    free(t);
}

/* The slot of the string, or the free one where it would go. */
INLINE struct slot *find_slot(const struct intern *t, uint32_t hash, const void *p, size_t n)
{
    size_t i = hash & t->mask;

    for (; t->slots[i].id; i = (i + 1) & t->mask) {
        const struct slot *s = &t->slots[i];

        if (s->hash == hash && s->text->n == n && bytes_same(s->text->p, p, n))
            break;
    }
    return &t->slots[i];
}

static void grow_slots(struct intern *t)
{
    size_t n = (t->mask + 1) * 2;
    struct slot *old = t->slots;

    t->slots = xcalloc(n, sizeof *t->slots);
    for (size_t k = 0; k <= t->mask; k++) {
        size_t i = old[k].hash & (n - 1);

        if (!old[k].id)
            continue;
        while (t->slots[i].id)
            i = (i + 1) & (n - 1);
        t->slots[i] = old[k];
    }
    t->mask = n - 1;
    free(old);
}

static struct slot append(struct intern *t, uint32_t hash, const void *p, size_t n)
{
    struct text *text = arena_alloc(t->marked ? &t->young : &t->bytes, sizeof *text + n + 1);

    text->n = n;
    memcpy(text->p, p, n);
    text->p[n] = '\0';
    if (t->count == t->cap) {
        assert(t->cap <= UINT32_MAX / 2);              /* 2^31 strings need 32 GiB for their spans alone */
        t->cap *= 2;
        t->strings = xreallocarray(t->strings, t->cap, sizeof *t->strings);
    }
    t->strings[t->count] = (struct span){ text->p, n };
    t->length += n;
    return (struct slot){ text, hash, t->count++ };
}

/* A string that is not there, but for which there is a free slot. Not inline: what is there is to be found in few steps. */
__attribute__((noinline)) static uint32_t put_new(struct intern *t, struct slot *s, uint32_t hash, const void *p, size_t n)
{
    if (t->count >= (t->mask + 1) / 3 * 2) {
        grow_slots(t);
        s = find_slot(t, hash, p, n);
    }
    *s = append(t, hash, p, n);
    return s->id;
}

INLINE uint32_t put_hashed(struct intern *t, uint32_t hash, const void *p, size_t n)
{
    struct slot *s;

    if (n == 0)
        return 0;
    s = find_slot(t, hash, p, n);
    return s->id ? s->id : put_new(t, s, hash, p, n);
}

uint32_t intern_put(struct intern *t, const void *p, size_t n)
{
    return n ? put_hashed(t, hash_bytes(p, n), p, n) : 0;
}

/* Asks for the slots of all, then for the texts behind them, then looks. */
static void put_some(struct intern *t, const struct span *texts, size_t n, uint32_t *ids)
{
    uint32_t hash[AT_ONCE];

    for (size_t i = 0; i < n; i++) {
        hash[i] = texts[i].n ? hash_bytes(texts[i].p, texts[i].n) : 0;
        __builtin_prefetch(&t->slots[hash[i] & t->mask]);
    }
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(t->slots[hash[i] & t->mask].text);
    for (size_t i = 0; i < n; i++)
        ids[i] = put_hashed(t, hash[i], texts[i].p, texts[i].n);
}

void intern_put_all(struct intern *t, const struct span *texts, size_t n, uint32_t *ids)
{
    for (size_t i = 0, some; i < n; i += some) {
        some = n - i < AT_ONCE ? n - i : AT_ONCE;
        put_some(t, texts + i, some, ids + i);
    }
}

uint32_t intern_str(struct intern *t, const char *s)
{
    return intern_put(t, s, strlen(s));
}

uint32_t intern_span(struct intern *t, struct span s)
{
    return intern_put(t, s.p, s.n);
}

uint32_t intern_find(const struct intern *t, const void *p, size_t n)
{
    return n ? find_slot(t, hash_bytes(p, n), p, n)->id : 0;
}

void intern_mark(struct intern *t)
{
    arena_join(&t->bytes, &t->young);
    t->marked = t->count;
    t->marked_length = t->length;
}

void intern_release(struct intern *t)
{
    if (!t->marked || t->count == t->marked)
        return;
    t->count = t->marked;
    t->length = t->marked_length;
    memset(t->slots, 0, (t->mask + 1) * sizeof *t->slots);
    for (uint32_t id = 1; id < t->count; id++) {
        struct span s = t->strings[id];
        uint32_t hash = hash_bytes(s.p, s.n);

        *find_slot(t, hash, s.p, s.n) = (struct slot){ (const struct text *)(s.p - sizeof(struct text)), hash, id };
    }
    arena_free(&t->young);
}

uint32_t intern_count(const struct intern *t)
{
    return t->count;
}

uint64_t intern_bytes(const struct intern *t)
{
    return t->length;
}

struct span intern_get(const struct intern *t, uint32_t id)
{
    assert(id < t->count);
    return t->strings[id];
}

const char *intern_cstr(const struct intern *t, uint32_t id)
{
    return intern_get(t, id).p;
}

int intern_cmp(const struct intern *t, uint32_t a, uint32_t b)
{
    return a == b ? 0 : span_cmp(intern_get(t, a), intern_get(t, b));
}
