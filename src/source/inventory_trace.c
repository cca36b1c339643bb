/* inventory_trace: what series say of things over time: the node of a GPU, the machine behind a name, the GPU behind a number.
 *
 * A record of Kubernetes' speaks where it is above zero. A series of a GPU is a record too: its labels are what it says, and whether memory
 * is in use makes no difference. Samples of GPUs are in blocks, and nearly every GPU stays where it is: only those of things of which
 * series say different values come back, for as long as histories are built. */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>

#include "gputab/source/outline.h"
#include "gputab/source/samples.h"
#include "gputab/source/scrape_series.h"

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
    for (size_t i = 0; i < b->replay->series.n; i++) {
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

/* Series of GPUs that are said of things that move. */
struct movers {
    struct fingerprint_map of;     /* by the outline's key: index into the sayings */
    struct timespan span;          /* of their samples; from > to: there is none */
    uint64_t last_at;              /* labels of the block before, */
    const uint32_t *saying;        /* and what they say; NULL: nothing */
};

static void find_movers_series(const struct inventory_build *b, const struct sayings *all, const bool *moves, struct movers *m)
{
    *m = (struct movers){ .span = { TIME_MAX, TIME_MIN }, .last_at = SCRAPE_NONE };
    for (size_t i = 0; i < all->n; i++) {
        const struct replay_series *s = &b->replay->series.v[all->v[i].series];
        bool found;

        if (!moves[all->v[i].thing] || !inventory_kind_is_gpu(s->kind))
            continue;
        *fingerprint_map_at(&m->of, s->key, &found) = (uint32_t)i;
        m->span.from = s->first < m->span.from ? s->first : m->span.from;
        m->span.to = s->last > m->span.to ? s->last : m->span.to;
    }
}

static int find_saying(const struct inventory_build *b, struct movers *m, uint64_t at, struct err *e)
{
    struct scrape_labels labels;
    uint64_t mask;

    if (at == m->last_at)
        return 0;
    if (scrape_labels_at(b->scrape, at, &labels, e) < 0)
        return -1;
    m->saying = fingerprint_map_find(&m->of, outline_key(b->scrape, &labels, &mask));
    m->last_at = at;
    return 0;
}

/* All blocks are looked through once, however many series there are. Samples of several series of one name come in any order. */
static int collect_samples(const struct inventory_build *b, struct movers *m, struct buf *packed, struct err *e)
{
    struct blocks *blocks = b->scrape->blocks;
    struct block_cursor c = { 0 };
    struct block block;
    int rc = 0;

    while (m->span.from <= m->span.to && (rc = blocks_next(blocks, &c, m->span, &block, e)) > 0) {
        if (!inventory_kind_is_gpu(block.kind))
            continue;
        if (find_saying(b, m, block.series, e) < 0 || (m->saying && blocks_copy(blocks, &block, &packed[*m->saying], e) < 0))
            return -1;
    }
    return rc;
}

static void sort_packed(struct buf *packed, struct samples *scratch)
{
    struct span at = buf_span(packed);

    vec_clear(scratch);
    while (at.n > 0 && sample_pack_read(&at, scratch))
        ;
    samples_sort(scratch, 0, (struct timespan){ TIME_MIN, TIME_MAX });
    buf_clear(packed);
    sample_pack_add(packed, scratch->v, scratch->n);
}

/* Fills packed, by saying. */
static int pack_movers(const struct inventory_build *b, const struct sayings *all, const bool *moves, struct buf *packed, struct err *e)
{
    struct samples scratch = { 0 };
    struct movers m;
    int rc;

    find_movers_series(b, all, moves, &m);
    rc = collect_samples(b, &m, packed, e);
    for (size_t i = 0; rc == 0 && i < all->n; i++)
        if (packed[i].n > 0)
            sort_packed(&packed[i], &scratch);
    fingerprint_map_free(&m.of);
    vec_free(&scratch);
    return rc;
}

static void add_record(const struct inventory_build *b, const struct saying *x, const struct buf *packed, struct history *h)
{
    const struct replay_series *s = &b->replay->series.v[x->series];
    struct history_record r = inventory_record(s);

    r.key = x->thing;
    r.on = x->value;
    if (inventory_kind_is_gpu(s->kind)) {
        r.off = x->value;
        r.packed = packed->n > 0 ? buf_span(packed) : (struct span){ NULL, 0 };
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
        history_build(&h, t->first, t->stride, t->back_ms, NULL);
    for (size_t i = 0; i < all.n; i++)
        buf_free(&packed[i]);
    free(packed);
    free(moves);
    history_free(&h);
    vec_free(&all);
    return rc;
}
