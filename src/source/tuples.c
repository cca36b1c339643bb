/* tuples: names of things (a pod is cluster, namespace, name, uid) to dense places in canonical order.
 *
 * The bytes of a tuple are its key in an intern table; sorting compares the strings behind the ids, part by part. Lookups afterwards are
 * one hash. Tuples are never taken out. */
#include "gputab/source/tuples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"
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

static int compare(const void *a, const void *b, void *context)
{
    const struct tuples *t = context;
    uint32_t left[TUPLES_WIDTH], right[TUPLES_WIDTH];
    int c = 0;

    memcpy(left, intern_get(t->keys, *(const uint32_t *)a).p, t->width * sizeof *left);
    memcpy(right, intern_get(t->keys, *(const uint32_t *)b).p, t->width * sizeof *right);
    for (uint32_t i = 0; i < t->width && c == 0; i++)
        c = intern_cmp(t->names, left[i], right[i]);
    return c;
}

void tuples_sort(struct tuples *t)
{
    t->n = intern_count(t->keys) - 1;
    t->sorted = xreallocarray(NULL, t->n + 1u, sizeof *t->sorted);
    t->place = xreallocarray(NULL, t->n + 1u, sizeof *t->place);
    for (uint32_t i = 0; i < t->n; i++)
        t->sorted[i] = i + 1;
    qsort_r(t->sorted, t->n, sizeof *t->sorted, compare, t);
    for (uint32_t i = 0; i < t->n; i++)
        t->place[t->sorted[i]] = i;
}

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
