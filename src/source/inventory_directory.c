/* inventory_directory: names that stand for another name, over time: an address for a node, a place in a machine for a GPU.
 *
 * What a series says holds until another one says otherwise.
 *
 * Not here: which of several ways to a name is the surest (source/inventory_gpu). */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>

struct filling {
    const struct directory *directory;
    directory_entry *entry;
};

static bool says_entry(const struct inventory_build *b, const void *ctx, size_t i, uint32_t *thing, uint32_t *value)
{
    const struct filling *f = ctx;
    uint32_t key[TUPLES_WIDTH];

    if (!f->entry(b, i, key, value))
        return false;
    *thing = tuples_find(&f->directory->keys, key);
    return true;
}

int directory_fill(const struct inventory_build *b, struct directory *d, uint32_t width, directory_entry *entry, struct err *e)
{
    struct filling f = { d, entry };
    uint32_t key[TUPLES_WIDTH], value;

    tuples_init(&d->keys, b->names, width);
    for (size_t i = 0; i < b->replay->series.n; i++)
        if (entry(b, i, key, &value))
            tuples_add(&d->keys, key);
    tuples_sort(&d->keys);
    d->values = xcalloc(d->keys.n + 1u, sizeof *d->values);
    return inventory_trace(b, &(struct inventory_trace){ says_entry, &f, d->values, sizeof *d->values, 0 }, e);
}

uint32_t directory_look_up(const struct directory *d, const uint32_t *key, time_ms t)
{
    uint32_t at = tuples_find(&d->keys, key);

    return at == NONE || d->values[at].n == 0 ? 0 : steps_at(&d->values[at], t, d->values[at].v[0].value);
}

void directory_free(struct directory *d)
{
    for (uint32_t i = 0; d->values && i < d->keys.n; i++)
        free(d->values[i].v);
    free(d->values);
    tuples_free(&d->keys);
}
