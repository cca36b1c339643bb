/* inventory_trace: what series say of things over time: the node of a GPU, the machine behind a name, the GPU behind a number.
 *
 * A record of Kubernetes' speaks where it is above zero. A series of a GPU is a record too: its labels are what it says, and whether memory
 * is in use makes no difference. Samples of GPUs are in blocks, and nearly every GPU stays where it is: only those of things of which
 * series say different values come back, for as long as histories are built. */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>
#include <string.h>

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

/* Series of GPUs that are said of things that move, by the numbers that blocks know them by. */
struct movers {
    uint32_t *place;               /* index into the sayings, or NONE */
    uint32_t n;
    struct timespan span;          /* of their samples; from > to: there is none */
};

static const struct scrape_series *mover(const struct inventory_build *b, const struct saying *x, const bool *moves)
{
    const struct scrape_series *s = &b->scrape->series.v[x->series];

    return moves[x->thing] && inventory_kind_is_gpu(s->kind) ? s : NULL;
}

static void find_places(const struct inventory_build *b, const struct sayings *all, const bool *moves, struct movers *m)
{
    const struct scrape_series *s;

    *m = (struct movers){ .span = { TIME_MAX, TIME_MIN } };
    for (size_t i = 0; i < all->n; i++)
        if ((s = mover(b, &all->v[i], moves)) != NULL && s->number >= m->n)
            m->n = s->number + 1;
    m->place = xreallocarray(NULL, m->n + 1u, sizeof *m->place);
    memset(m->place, 0xff, m->n * sizeof *m->place);
    for (size_t i = 0; i < all->n; i++) {
        if ((s = mover(b, &all->v[i], moves)) == NULL)
            continue;
        m->place[s->number] = (uint32_t)i;
        m->span.from = s->first < m->span.from ? s->first : m->span.from;
        m->span.to = s->last > m->span.to ? s->last : m->span.to;
    }
}

/* The samples of n blocks of one series. */
static int pack_one(struct blocks *blocks, const struct block *v, size_t n, bool shuffled, struct samples *scratch, struct buf *packed,
                    struct err *e)
{
    vec_clear(scratch);
    for (size_t i = 0; i < n; i++)
        if (blocks_read(blocks, &v[i], scratch, e) < 0)
            return -1;
    if (shuffled)
        samples_sort(scratch, 0);
    sample_pack_add(packed, scratch->v, scratch->n);
    return 0;
}

/* Fills packed, by saying. All blocks are looked through once, however many series there are. */
static int pack_movers(const struct inventory_build *b, const struct sayings *all, const bool *moves, struct buf *packed, struct err *e)
{
    struct blocks *blocks = b->scrape->blocks;
    struct block_list found = { 0 };
    struct samples scratch = { 0 };
    struct movers m;
    int rc = 0;

    find_places(b, all, moves, &m);
    if (m.span.from <= m.span.to)
        rc = blocks_find_of(blocks, m.span, m.place, m.n, &found, e);
    for (size_t i = 0, n; rc == 0 && i < found.n; i += n) {
        uint32_t at = found.v[i].series;

        for (n = 1; i + n < found.n && found.v[i + n].series == at; n++)
            ;
        rc = pack_one(blocks, &found.v[i], n, b->scrape->series.v[all->v[at].series].shuffled, &scratch, &packed[at], e);
    }
    free(m.place);
    vec_free(&found);
    vec_free(&scratch);
    return rc;
}

static void add_record(const struct inventory_build *b, const struct saying *x, const struct buf *packed, struct history *h)
{
    const struct scrape_series *s = &b->scrape->series.v[x->series];
    struct history_record r = inventory_record(s);

    r.key = x->thing;
    r.on = x->value;
    if (inventory_kind_is_gpu(s->kind)) {
        r.off = x->value;
        r.packed = packed->n > 0 ? packed : NULL;
    }
    history_add(h, r);
}

int inventory_trace(const struct inventory_build *b, const struct inventory_trace *t, struct err *e)
{
    struct sayings all = { 0 };
    struct history h = { 0 };
    struct buf *packed;
    bool *moves;
    int rc;

    collect(b, t, &all);
    moves = find_movers(&all);
    packed = xcalloc(all.n + 1, sizeof *packed);
    rc = pack_movers(b, &all, moves, packed, e);
    for (size_t i = 0; rc == 0 && i < all.n; i++)
        add_record(b, &all.v[i], &packed[i], &h);
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
