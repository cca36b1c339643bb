/* fingerprint: SipHash-1-3-128, and a table by it with open addressing. */
#include "gputab/base/fingerprint.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "gputab/base/bytes.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"

enum { FIRST_SLOTS = 1024 };

struct fingerprint_key fingerprint_new_key(void)
{
    struct fingerprint_key key;
    struct timespec t;

    if (getrandom(&key, sizeof key, 0) == (ssize_t)sizeof key)
        return key;
    clock_gettime(CLOCK_REALTIME, &t);                 /* a system without it: hard to guess all the same */
    return (struct fingerprint_key){ (uint64_t)t.tv_nsec << 32 ^ (uint64_t)t.tv_sec, (uint64_t)(uintptr_t)&key };
}

static uint64_t rotate(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static inline void turn(struct fingerprint_state *s)
{
    s->a += s->b;
    s->c += s->d;
    s->b = rotate(s->b, 13) ^ s->a;
    s->d = rotate(s->d, 16) ^ s->c;
    s->a = rotate(s->a, 32);
    s->c += s->b;
    s->a += s->d;
    s->b = rotate(s->b, 17) ^ s->c;
    s->d = rotate(s->d, 21) ^ s->a;
    s->c = rotate(s->c, 32);
}

static inline void absorb(struct fingerprint_state *s, uint64_t word)
{
    s->d ^= word;
    turn(s);
    s->a ^= word;
}

static inline uint64_t squeeze(struct fingerprint_state *s)
{
    turn(s);
    turn(s);
    turn(s);
    return s->a ^ s->b ^ s->c ^ s->d;
}

static inline struct fingerprint_state begin(struct fingerprint_key key)
{
    return (struct fingerprint_state){ key.low ^ UINT64_C(0x736f6d6570736575), key.high ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
                                       key.low ^ UINT64_C(0x6c7967656e657261), key.high ^ UINT64_C(0x7465646279746573) };
}

/* n bytes of text in all, of which tail are the last n % 8. */
static inline struct fingerprint end(struct fingerprint_state s, const char *tail, size_t n)
{
    struct fingerprint out;

    absorb(&s, bytes_load(tail, n % 8) | (uint64_t)n << 56);
    s.c ^= 0xee;
    out.low = squeeze(&s);
    s.b ^= 0xdd;
    out.high = squeeze(&s);
    return out;
}

/* A local copy of the state stays in registers. */
static inline void absorb_words(struct fingerprint_state *to, const char *p, size_t n)
{
    struct fingerprint_state s = *to;

    for (size_t i = 0; i < n; i += 8)
        absorb(&s, bytes_load8(p + i));
    *to = s;
}

struct fingerprint fingerprint_of(struct fingerprint_key key, struct span text)
{
    struct fingerprint_state s = begin(key);
    size_t whole = text.n & ~(size_t)7;

    absorb_words(&s, text.p, whole);
    return end(s, text.p + whole, text.n);
}

struct fingerprint_stream fingerprint_begin(struct fingerprint_key key)
{
    return (struct fingerprint_stream){ .state = begin(key) };
}

void fingerprint_add(struct fingerprint_stream *s, const void *bytes, size_t n)
{
    const char *p = bytes;
    size_t have = s->n % 8, fill = have && n >= 8 - have ? 8 - have : 0, whole;

    s->n += n;
    if (fill) {
        memcpy(s->tail + have, p, fill);
        absorb(&s->state, bytes_load8(s->tail));
        have = 0;
    }
    whole = have ? 0 : (n - fill) & ~(size_t)7;
    absorb_words(&s->state, p + fill, whole);
    if (n > fill + whole)
        memcpy(s->tail + have, p + fill + whole, n - fill - whole);
}

struct fingerprint fingerprint_end(const struct fingerprint_stream *s)
{
    return end(s->state, s->tail, s->n);
}

__extension__ typedef unsigned __int128 wide;

/* Both halves of a product: every bit of a word reaches the next ones. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t fingerprint_order(struct span text)
{
    uint64_t h = text.n ^ UINT64_C(0x9e3779b97f4a7c15);
    size_t whole = text.n & ~(size_t)7;

    for (size_t i = 0; i < whole; i += 8)
        h = fold(h ^ bytes_load8(text.p + i), UINT64_C(0xa24baed4963ee407));
    return fold(h ^ bytes_load(text.p + whole, text.n - whole), UINT64_C(0x9fb21c651e98df25));
}

/* ---- the table ---- */

struct fingerprint_entry {
    struct fingerprint f;
    uint32_t number;
};

/* Slots are small, and say so much of a fingerprint that a foreign one is hardly ever looked at: most of a large table would not be in the
 * cache. */
struct fingerprint_slot {
    uint32_t high;                 /* the low half of f.high */
    uint32_t entry;                /* index + 1; 0: free */
};

static bool same(struct fingerprint a, struct fingerprint b)
{
    return a.low == b.low && a.high == b.high;
}

static struct fingerprint_slot *find(const struct fingerprint_map *m, struct fingerprint f)
{
    size_t i = f.low & m->mask;

    for (; m->slots[i].entry; i = (i + 1) & m->mask)
        if (m->slots[i].high == (uint32_t)f.high && same(m->v[m->slots[i].entry - 1].f, f))
            break;
    return &m->slots[i];
}

static struct fingerprint_slot slot_of(const struct fingerprint_map *m, size_t i)
{
    return (struct fingerprint_slot){ (uint32_t)m->v[i].f.high, (uint32_t)i + 1 };
}

static void grow_to(struct fingerprint_map *m, size_t slots)
{
    free(m->slots);
    m->slots = xcalloc(slots, sizeof *m->slots);
    m->mask = slots - 1;
    for (size_t i = 0; i < m->n; i++)
        *find(m, m->v[i].f) = slot_of(m, i);
}

/* So many are in use at most. */
static size_t most(size_t mask)
{
    return mask / 4 * 3;
}

void fingerprint_map_reserve(struct fingerprint_map *m, size_t n)
{
    size_t slots = m->slots ? m->mask + 1 : FIRST_SLOTS;

    vec_reserve(m, n);
    while (most(slots - 1) < n)
        slots *= 2;
    if (!m->slots || slots > m->mask + 1)
        grow_to(m, slots);
}

uint32_t *fingerprint_map_at(struct fingerprint_map *m, struct fingerprint f, bool *found)
{
    struct fingerprint_slot *s;

    if (!m->slots || m->n >= most(m->mask))
        grow_to(m, m->slots ? 2 * (m->mask + 1) : FIRST_SLOTS);
    s = find(m, f);
    *found = s->entry != 0;
    if (!*found) {
        vec_push(m, (struct fingerprint_entry){ .f = f });
        *s = slot_of(m, m->n - 1);
    }
    return &m->v[s->entry - 1].number;
}

const uint32_t *fingerprint_map_find(const struct fingerprint_map *m, struct fingerprint f)
{
    const struct fingerprint_slot *s = m->slots ? find(m, f) : NULL;

    return s && s->entry ? &m->v[s->entry - 1].number : NULL;
}

void fingerprint_map_free(struct fingerprint_map *m)
{
    free(m->slots);
    free(m->v);
    *m = (struct fingerprint_map){ 0 };
}
