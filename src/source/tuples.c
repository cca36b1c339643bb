/* tuples: names of things (a pod is cluster, namespace, name, uid) to dense places in canonical order.
 *
 * The bytes of a tuple are its key in an intern table. Sorting goes by the strings behind the ids, part by part and eight bytes at a time:
 * names of a namespace have long beginnings in common, which are read once for each and not at every comparison. Lookups afterwards are one
 * hash. Tuples are never taken out. */
#include "gputab/source/tuples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/bytes.h"
#include "gputab/base/vec.h"
#include "gputab/value/inventory.h"

void tuples_init(struct tuples *t, const struct intern *names, uint32_t width)
{
    assert(width >= 1 && width <= TUPLES_WIDTH);
    *t = (struct tuples){ .names = names, .keys = intern_new(), .width = width };
}

void tuples_free(struct tuples *t)
{
    intern_free(t->keys);
    free(t->place);
    free(t->sorted);
    *t = (struct tuples){ 0 };
}

uint32_t tuples_add(struct tuples *t, const uint32_t *ids)
{
    assert(!t->sorted);
    return intern_put(t->keys, ids, t->width * sizeof *ids);
}

/* ---- sorting ---- */

/* A tuple, and what it is sorted by at the moment. */
struct item {
    uint64_t word;                 /* eight bytes of a string, the first one highest, 0 behind its end */
    uint32_t length;               /* how many of them are the string's */
    uint32_t key;
};

/* Items that are alike before an offset in the string of one part. */
struct group {
    struct item *v;
    size_t n, offset;
    uint32_t part;
};
struct groups {
    VEC(struct group) v;
    struct item *room;             /* for half of all items, while they are sorted */
};
enum { FEW = 12 };                 /* so many items are sorted by moving each to its place */

/* Returns whether they are in order by the bytes that are read. */
static bool read_words(const struct tuples *t, const struct group *g)
{
    bool sorted = true;

    for (size_t i = 0; i < g->n; i++) {
        struct item *x = &g->v[i];
        struct span text;
        uint32_t id;

        memcpy(&id, intern_get(t->keys, x->key).p + g->part * sizeof id, sizeof id);
        text = intern_get(t->names, id);
        x->length = text.n - g->offset < 8 ? (uint32_t)(text.n - g->offset) : 8;
        x->word = __builtin_bswap64(bytes_load(text.p + g->offset, x->length));
        sorted &= i == 0 || x[-1].word < x->word || (x[-1].word == x->word && x[-1].length <= x->length);
    }
    return sorted;
}

static inline bool goes_before(const struct item *a, const struct item *b)
{
    return a->word < b->word || (a->word == b->word && a->length < b->length);
}

static void sort_few(struct item *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct item x = v[i];
        size_t to = i;

        for (; to > 0 && goes_before(&x, &v[to - 1]); to--)
            v[to] = v[to - 1];
        v[to] = x;
    }
}

/* qsort would call for every comparison, which is nearly nothing. */
static void sort_by_word(struct item *v, size_t n, struct item *room)
{
    size_t half = n / 2, i = 0, k = half, to = 0;

    if (n <= FEW) {
        sort_few(v, n);
        return;
    }
    sort_by_word(v, half, room);
    sort_by_word(v + half, n - half, room);
    memcpy(room, v, half * sizeof *v);
    while (i < half && k < n)
        v[to++] = goes_before(&v[k], &room[i]) ? v[k++] : room[i++];
    memcpy(v + to, room + i, (half - i) * sizeof *v);
}

/* Those that are alike so far: they go on behind these bytes, or in the next part. Different tuples differ somewhere. */
static void go_on(struct groups *todo, const struct group *g, size_t from, size_t n)
{
    bool ends = g->v[from].length < 8;

    if (n > 1)
        vec_push(&todo->v, (struct group){ g->v + from, n, ends ? 0 : g->offset + 8, g->part + ends });
}

static void sort_group(const struct tuples *t, struct groups *todo, struct group g)
{
    size_t from = 0;

    if (!read_words(t, &g))
        sort_by_word(g.v, g.n, todo->room);
    for (size_t i = 1; i <= g.n; i++)
        if (i == g.n || goes_before(&g.v[from], &g.v[i])) {
            go_on(todo, &g, from, i - from);
            from = i;
        }
}

static void sort_items(const struct tuples *t, struct item *v, size_t n)
{
    struct groups todo = { .room = xreallocarray(NULL, n / 2 + 1, sizeof *v) };

    if (n > 1)
        vec_push(&todo.v, (struct group){ v, n, 0, 0 });
    while (todo.v.n > 0)
        sort_group(t, &todo, todo.v.v[--todo.v.n]);
    vec_free(&todo.v);
    free(todo.room);
}

void tuples_sort(struct tuples *t)
{
    struct item *v;

    t->n = intern_count(t->keys) - 1;
    t->sorted = xreallocarray(NULL, t->n + 1u, sizeof *t->sorted);
    t->place = xreallocarray(NULL, t->n + 1u, sizeof *t->place);
    v = xreallocarray(NULL, t->n + 1u, sizeof *v);
    for (uint32_t i = 0; i < t->n; i++)
        v[i].key = i + 1;
    sort_items(t, v, t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        t->sorted[i] = v[i].key;
        t->place[v[i].key] = i;
    }
    free(v);
}

/* ---- finding ---- */

uint32_t tuples_place(const struct tuples *t, uint32_t added)
{
    assert(t->sorted);
    return t->place[added];
}

uint32_t tuples_find(const struct tuples *t, const uint32_t *ids)
{
    uint32_t key = intern_find(t->keys, ids, t->width * sizeof *ids);

    assert(t->sorted);
    return key ? t->place[key] : NONE;
}

void tuples_get(const struct tuples *t, uint32_t place, uint32_t *ids)
{
    memcpy(ids, intern_get(t->keys, t->sorted[place]).p, t->width * sizeof *ids);
}
