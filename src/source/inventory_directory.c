/* inventory_directory: names that stand for another name, over time: an address for a node, a place in a machine for a GPU.
 *
 * A series that says so is a record; what it says holds until another one says otherwise. Whether its number is zero makes no difference:
 * the labels are what it says.
 *
 * Not here: which of several ways to a name is the surest (source/inventory_gpu). */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>

void directory_fill(struct inventory_build *b, struct directory *d, uint32_t width, directory_entry *entry)
{
    struct history h = { 0 };
    uint32_t key[TUPLES_WIDTH], value;

    tuples_init(&d->keys, b->names, width);
    for (size_t i = 0; i < b->scrape->series.n; i++)
        if (entry(b, i, key, &value))
            tuples_add(&d->keys, key);
    tuples_sort(&d->keys);
    d->values = xcalloc(d->keys.n + 1u, sizeof *d->values);
    for (size_t i = 0; i < b->scrape->series.n; i++) {
        const struct scrape_series *s = &b->scrape->series.v[i];

        if (entry(b, i, key, &value))
            history_add(&h, (struct history_record){ tuples_find(&d->keys, key), value, value, 0, s->v, s->n });
    }
    history_build(&h, d->values, sizeof *d->values, 0);
    history_free(&h);
}

uint32_t directory_look_up(const struct directory *d, const uint32_t *key, time_ms t)
{
    uint32_t at = tuples_find(&d->keys, key);

    return at == NONE || d->values[at].n == 0 ? 0 : steps_at(&d->values[at], t, d->values[at].v[0].value);
}

void directory_free(struct directory *d)
{
    for (uint32_t i = 0; i < d->keys.n; i++)
        free(d->values[i].v);
    free(d->values);
    tuples_free(&d->keys);
}
