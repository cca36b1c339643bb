/* fingerprint: SipHash-1-3-128, and a table by it with open addressing. */
#include "gputab/base/fingerprint.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

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

struct state {
    uint64_t a, b, c, d;
};

static uint64_t rotate(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static inline void turn(struct state *s)
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

/* Up to eight bytes, the first one lowest. */
static uint64_t load(const char *p, size_t n)
{
    unsigned char bytes[8] = { 0 };
    uint64_t word = 0;

    memcpy(bytes, p, n);
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

static inline void absorb(struct state *s, uint64_t word)
{
    s->d ^= word;
    turn(s);
    s->a ^= word;
}

static uint64_t squeeze(struct state *s)
{
    turn(s);
    turn(s);
    turn(s);
    return s->a ^ s->b ^ s->c ^ s->d;
}

struct fingerprint fingerprint_of(struct fingerprint_key key, struct span text)
{
    struct state s = { key.low ^ UINT64_C(0x736f6d6570736575), key.high ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
                       key.low ^ UINT64_C(0x6c7967656e657261), key.high ^ UINT64_C(0x7465646279746573) };
    struct fingerprint out;
    size_t whole = text.n & ~(size_t)7;

    for (size_t i = 0; i < whole; i += 8)
        absorb(&s, load(text.p + i, 8));
    absorb(&s, load(text.p + whole, text.n - whole) | (uint64_t)text.n << 56);
    s.c ^= 0xee;
    out.low = squeeze(&s);
    s.b ^= 0xdd;
    out.high = squeeze(&s);
    return out;
}

/* ---- the table ---- */

struct fingerprint_slot {
    struct fingerprint f;
    uint32_t number;
    bool used;
};

static struct fingerprint_slot *find(const struct fingerprint_map *m, struct fingerprint f)
{
    size_t i = f.low & m->mask;

    while (m->slots[i].used && (m->slots[i].f.low != f.low || m->slots[i].f.high != f.high))
        i = (i + 1) & m->mask;
    return &m->slots[i];
}

static void grow(struct fingerprint_map *m)
{
    struct fingerprint_map more = { .mask = m->slots ? m->mask * 2 + 1 : FIRST_SLOTS - 1, .n = m->n };

    more.slots = xcalloc(more.mask + 1, sizeof *more.slots);
    for (size_t i = 0; m->slots && i <= m->mask; i++)
        if (m->slots[i].used)
            *find(&more, m->slots[i].f) = m->slots[i];
    free(m->slots);
    *m = more;
}

uint32_t *fingerprint_map_at(struct fingerprint_map *m, struct fingerprint f, bool *found)
{
    struct fingerprint_slot *s;

    if (!m->slots || m->n >= m->mask / 4 * 3)
        grow(m);
    s = find(m, f);
    *found = s->used;
    if (!s->used) {
        *s = (struct fingerprint_slot){ .f = f, .used = true };
        m->n++;
    }
    return &s->number;
}

const uint32_t *fingerprint_map_find(const struct fingerprint_map *m, struct fingerprint f)
{
    const struct fingerprint_slot *s = m->slots ? find(m, f) : NULL;

    return s && s->used ? &s->number : NULL;
}

void fingerprint_map_free(struct fingerprint_map *m)
{
    free(m->slots);
    *m = (struct fingerprint_map){ 0 };
}
