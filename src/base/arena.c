/* arena: allocation by moving a mark, freed all at once.
 *
 * Blocks double from 4 KiB to 1 MiB, so that a small arena stays small and a large one calls malloc seldom. What is larger than
 * a quarter of a block gets one of its own behind the current one, whose rest stays usable. */
#include "gputab/base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"

enum { ARENA_ALIGN = 16, ARENA_FIRST = 4096, ARENA_LARGEST = 1 << 20 };

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(ARENA_ALIGN) unsigned char bytes[];
};

static struct arena_block *new_block(size_t size)
{
    struct arena_block *b = xmalloc(sizeof *b + size);

    b->next = NULL;
    b->used = 0;
    b->size = size;
    return b;
}

static void *take(struct arena_block *b, size_t size)
{
    void *p = b->bytes + b->used;

    b->used += size;
    return p;
}

static void *alloc_alone(struct arena *a, size_t size)
{
    struct arena_block *b = new_block(size);

    b->next = a->head->next;
    a->head->next = b;
    return take(b, size);
}

void *arena_alloc(struct arena *a, size_t size)
{
    struct arena_block *b = a->head;
    size_t next;

    if (size > SIZE_MAX / 2)
        size = SIZE_MAX / 2;                           /* no machine has it: xmalloc says so */
    size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (b && size <= b->size - b->used)
        return take(b, size);
    next = !b ? ARENA_FIRST : b->size < ARENA_LARGEST ? b->size * 2 : ARENA_LARGEST;
    if (b && size > next / 4)
        return alloc_alone(a, size);
    while (next < size)
        next *= 2;
    b = new_block(next);
    b->next = a->head;
    a->head = b;
    return take(b, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *p = arena_alloc(a, n + 1);

    if (n)
        memcpy(p, s, n);
    p[n] = '\0';
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

void arena_join(struct arena *a, struct arena *other)
{
    struct arena_block *last = other->head;

    if (!last)
        return;
    while (last->next)
        last = last->next;
    last->next = a->head;
    *a = *other;
    *other = (struct arena){ 0 };
}

void arena_free(struct arena *a)
{
    while (a->head) {
        struct arena_block *next = a->head->next;

        free(a->head);
        a->head = next;
    }
}
