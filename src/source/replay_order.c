/* replay_order: sorting by what is known of the keys.
 *
 * The order of a series within its family is a hash: among the n series of a family it says itself where about it belongs. So series are
 * spread by it, and only neighbours are compared. Were they all alike, it would still be a sort.
 *
 * Not here: what the orders are for (source/replay). */
#include "gputab/source/replay_order.h"

#include <stdlib.h>
#include <string.h>

/* What came before each becomes where it begins: counts of n things. */
static void add_up(uint32_t *counts, size_t n)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t count = counts[i];

        counts[i] = sum;
        sum += count;
    }
}

/* ---- blocks ---- */

/* Of a series in the order of time its blocks are too, whichever was written first: answers that come side by side overtake one another.
 * Of any other one they stay as they were written: of equal times the first counts. */
static int by_number(const void *pa, const void *pb)
{
    const struct block *a = pa, *b = pb;

    if (a->series != b->series)
        return a->series < b->series ? -1 : 1;
    if (!a->shuffled && a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* v: blocks of one series. */
static void order_blocks_of_one(struct block *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (by_number(&v[i - 1], &v[i]) > 0) {
            qsort(v, n, sizeof *v, by_number);
            return;
        }
}

/* Numbers are dense: each block goes to its series, where they mostly are in order then, as they came. */
static void spread_blocks(struct replay *r)
{
    uint32_t *ends = xcalloc(r->series.n + 1, sizeof *ends), from = 0;
    struct block *to = xreallocarray(NULL, r->blocks.n, sizeof *to);

    for (size_t i = 0; i < r->blocks.n; i++)
        ends[r->blocks.v[i].series]++;
    add_up(ends, r->series.n);
    for (size_t i = 0; i < r->blocks.n; i++)
        to[ends[r->blocks.v[i].series]++] = r->blocks.v[i];
    for (size_t i = 0; i < r->series.n; from = ends[i++])
        order_blocks_of_one(to + from, ends[i] - from);
    free(r->blocks.v);
    r->blocks.v = to;
    r->blocks.cap = r->blocks.n;
    free(ends);
}

void replay_order_blocks(struct replay *r)
{
    bool sorted = true;

    for (size_t i = 0; i < r->blocks.n; i++) {
        r->blocks.v[i].shuffled = r->series.v[r->blocks.v[i].series].shuffled;
        sorted &= i == 0 || by_number(&r->blocks.v[i - 1], &r->blocks.v[i]) <= 0;
    }
    if (sorted)
        vec_fit(&r->blocks);
    else
        spread_blocks(r);
}

/* ---- series ---- */

enum { NEIGHBOURS = 16 };          /* so many are sorted by moving each to its place */

/* What a series is sorted by. */
struct place {
    uint64_t order;
    uint32_t at;                   /* where it stood */
};

struct named {
    const char *name;
    size_t index;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

/* By index of a family: how many families have a name before its own. */
static uint32_t *rank_families(const struct scrape *s)
{
    struct named *v = xreallocarray(NULL, s->n_families + 1, sizeof *v);
    uint32_t *rank = xreallocarray(NULL, s->n_families + 1, sizeof *rank);

    for (size_t i = 0; i < s->n_families; i++)
        v[i] = (struct named){ s->family[i]->name, i };
    qsort(v, s->n_families, sizeof *v, by_name);
    for (size_t i = 0; i < s->n_families; i++)
        rank[v[i].index] = (uint32_t)i;
    free(v);
    return rank;
}

static int by_order(const void *pa, const void *pb)
{
    const struct place *a = pa, *b = pb;

    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static void sort_neighbours(struct place *v, size_t n)
{
    if (n > NEIGHBOURS) {
        qsort(v, n, sizeof *v, by_order);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        struct place x = v[i];
        size_t to = i;

        for (; to > 0 && v[to - 1].order > x.order; to--)
            v[to] = v[to - 1];
        v[to] = x;
    }
}

__extension__ typedef unsigned __int128 wide;

/* Among all places: in the stretch of its family, as far on as its order among all numbers. */
static uint32_t where_about(const struct replay_series *s, const uint32_t *rank, const uint32_t *begins)
{
    uint32_t family = rank[s->family_index], n = begins[family + 1] - begins[family];

    return begins[family] + (uint32_t)((wide)s->order * n >> 64);
}

/* Fills places, in their order but for neighbours of one spot; ends: by spot, where the places behind it begin. */
static void spread(const struct replay *r, const uint32_t *rank, struct place *places, uint32_t *ends)
{
    uint32_t *begins = xcalloc(r->scrape->n_families + 1, sizeof *begins);

    for (size_t i = 0; i < r->series.n; i++)
        begins[rank[r->series.v[i].family_index]]++;
    add_up(begins, r->scrape->n_families + 1);
    for (size_t i = 0; i < r->series.n; i++)
        ends[where_about(&r->series.v[i], rank, begins)]++;
    add_up(ends, r->series.n);
    for (size_t i = 0; i < r->series.n; i++)
        places[ends[where_about(&r->series.v[i], rank, begins)]++] = (struct place){ r->series.v[i].order, (uint32_t)i };
    free(begins);
}

/* Each series goes to its place, cycle by cycle: there is no room for all of them twice. */
static void move_all(struct replay *r, struct place *places)
{
    for (size_t i = 0; i < r->series.n; i++) {
        struct replay_series first;
        uint32_t at = (uint32_t)i, from;

        if (places[i].at == i)
            continue;
        first = r->series.v[i];
        for (; (from = places[at].at) != i; at = from) {
            r->series.v[at] = r->series.v[from];
            places[at].at = at;
        }
        r->series.v[at] = first;
        places[at].at = at;
    }
}

void replay_order_series(struct replay *r)
{
    size_t n = r->series.n;
    struct place *places = xreallocarray(NULL, n + 1, sizeof *places);
    uint32_t *ends = xcalloc(n + 1, sizeof *ends), *rank = rank_families(r->scrape), from = 0;

    spread(r, rank, places, ends);
    for (size_t spot = 0; spot < n; from = ends[spot++])
        if (ends[spot] - from > 1)
            sort_neighbours(places + from, ends[spot] - from);
    move_all(r, places);
    free(rank);
    free(ends);
    free(places);
}
