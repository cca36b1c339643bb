/* inventory_trace: what series say of things over time: the node of a GPU, the machine behind a name, the GPU behind a number.
 *
 * A record of Kubernetes' speaks where it is above zero. A series of a GPU is a record too: its labels are what it says, and whether memory
 * is in use makes no difference. Samples of GPUs are in blocks, and nearly every GPU stays where it is: only those of things of which
 * series say different values come back, for as long as histories are built. */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>

struct saying {
    size_t series;
    uint32_t thing, value;
};
struct sayings {
    struct saying *v;
    size_t n, cap;
    uint32_t n_things;
};

static void collect(const struct inventory_build *b, const struct inventory_trace *t, struct sayings *all)
{
    for (size_t i = 0; i < b->scrape->series.n; i++) {
        struct saying x = { .series = i };

        if (!t->says(b, t->ctx, i, &x.thing, &x.value))
            continue;
        vec_push(all, x);
        all->n_things = x.thing >= all->n_things ? x.thing + 1 : all->n_things;
    }
}

static bool *find_movers(const struct sayings *all)
{
    uint32_t *value = xcalloc(all->n_things + 1u, sizeof *value);
    bool *any = xcalloc(all->n_things + 1u, sizeof *any), *moves = xcalloc(all->n_things + 1u, sizeof *moves);

    for (size_t i = 0; i < all->n; i++) {
        const struct saying *x = &all->v[i];

        moves[x->thing] |= any[x->thing] && value[x->thing] != x->value;
        any[x->thing] = true;
        value[x->thing] = x->value;
    }
    free(value);
    free(any);
    return moves;
}

static int pack(const struct inventory_build *b, const struct scrape_series *s, struct buf *packed, struct err *e)
{
    struct samples samples = { 0 };
    int rc = scrape_samples(b->scrape, s, &samples, e);

    if (rc == 0 && samples.n > 0)
        sample_pack_add(packed, samples.v, samples.n);
    vec_free(&samples);
    return rc;
}

static int add_record(const struct inventory_build *b, const struct saying *x, bool moves, struct buf *packed, struct history *h,
                      struct err *e)
{
    const struct scrape_series *s = &b->scrape->series.v[x->series];
    struct history_record r = inventory_record(s);

    r.key = x->thing;
    r.on = x->value;
    if (inventory_kind_is_gpu(s->kind)) {
        r.off = x->value;
        r.packed = moves ? packed : NULL;
        if (moves && pack(b, s, packed, e) < 0)
            return -1;
    }
    history_add(h, r);
    return 0;
}

int inventory_trace(const struct inventory_build *b, const struct inventory_trace *t, struct err *e)
{
    struct sayings all = { 0 };
    struct history h = { 0 };
    struct buf *packed;
    bool *moves;
    int rc = 0;

    collect(b, t, &all);
    moves = find_movers(&all);
    packed = xcalloc(all.n + 1, sizeof *packed);
    for (size_t i = 0; rc == 0 && i < all.n; i++)
        rc = add_record(b, &all.v[i], moves[all.v[i].thing], &packed[i], &h, e);
    if (rc == 0 && all.n > 0)
        history_build(&h, t->first, t->stride, t->back_ms);
    for (size_t i = 0; i < all.n; i++)
        buf_free(&packed[i]);
    free(packed);
    free(moves);
    history_free(&h);
    vec_free(&all);
    blocks_rest(b->scrape->blocks);
    return rc;
}
