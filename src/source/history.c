/* history: records of one kind, grouped by the thing they speak of, merged in time.
 *
 * Nearly every thing has one record, or several that say the same (an HA pair): its history is one step and no sample but the first is
 * looked at. Only where records differ are their samples laid out in time. Ties have a written order (see the header), so that the order
 * of arrival never shows. */
#include "gputab/source/history.h"

#include <stdbool.h>
#include <stdlib.h>

#include "gputab/value/sample_pack.h"

void history_add(struct history *h, struct history_record r)
{
    vec_push(&h->records, r);
}

void history_free(struct history *h)
{
    vec_free(&h->records);
}

/* One sample that says something. */
struct event {
    time_ms time, began;
    uint32_t rank, order, value;
};

/* Records of one key, in the order in which they were added. */
struct group {
    const struct history_record *const *v;
    size_t n;
};

static bool before(const struct event *x, const struct event *y)
{
    if (x->time != y->time)
        return x->time < y->time;
    if (x->rank != y->rank)
        return x->rank < y->rank;
    if (x->began != y->began)
        return x->began < y->began;
    return x->order < y->order;
}

static bool all_agree(struct group g)
{
    for (size_t i = 0; i < g.n; i++)
        if (g.v[i]->on != g.v[0]->on || (g.v[i]->off != HISTORY_SILENT && g.v[i]->off != g.v[i]->on))
            return false;
    return true;
}

static void push_first(struct group g, struct steps *steps, struct arena *room)
{
    time_ms first = TIME_MAX;

    for (size_t i = 0; i < g.n; i++) {
        time_ms says = g.v[i]->off == HISTORY_SILENT ? g.v[i]->first_on : g.v[i]->first;

        if (says < first)
            first = says;
    }
    if (first == TIME_MAX)
        return;
    if (room)
        *steps = steps_one(room, first, g.v[0]->on);
    else
        steps_push(steps, first, g.v[0]->on);
}

struct events {
    VEC(struct event) v;
    VEC(size_t) ends;              /* of the runs, each sorted: one per record */
    struct samples samples;        /* of one record */
};

/* Packed samples never left memory: they can be read. */
static void unpack(const struct history_record *r, struct samples *out)
{
    struct span at = r->packed;

    vec_clear(out);
    if (!r->packed.p)
        vec_push(out, (struct sample){ r->first, 1 });
    while (at.n > 0 && sample_pack_read(&at, out))
        ;
}

static void lay_out(struct group g, struct events *e)
{
    for (size_t i = 0; i < g.n; i++) {
        const struct history_record *r = g.v[i];

        unpack(r, &e->samples);
        for (size_t k = 0; k < e->samples.n; k++) {
            const struct sample *s = &e->samples.v[k];
            uint32_t value = s->value ? r->on : r->off;

            if (value != HISTORY_SILENT)
                vec_push(&e->v, (struct event){ s->time, r->first, s->value ? r->rank : 0, (uint32_t)i, value });
        }
        vec_push(&e->ends, e->v.n);
    }
}

static void merge(const struct event *a, struct event *b, size_t from, size_t middle, size_t to)
{
    size_t left = from, right = middle;

    for (size_t k = from; k < to; k++)
        b[k] = left < middle && (right >= to || !before(&a[right], &a[left])) ? a[left++] : a[right++];
}

/* Merges neighbouring runs until one is left: linear for the usual handful of records. */
static void merge_runs(struct events *e)
{
    struct event *other = xreallocarray(NULL, e->v.n + 1, sizeof *other);

    while (e->ends.n > 1) {
        struct event *swap = e->v.v;
        size_t runs = 0, from = 0;

        for (size_t i = 0; i < e->ends.n; i += 2) {
            size_t middle = e->ends.v[i], to = i + 1 < e->ends.n ? e->ends.v[i + 1] : middle;

            merge(e->v.v, other, from, middle, to);
            e->ends.v[runs++] = from = to;
        }
        e->ends.n = runs;
        e->v.v = other;
        other = swap;
    }
    free(other);
}

static void push_all(struct group g, struct steps *steps)
{
    struct events e = { 0 };

    lay_out(g, &e);
    if (e.v.n > 0)
        merge_runs(&e);
    for (size_t i = 0; i < e.v.n; i++)
        if (i + 1 == e.v.n || e.v.v[i + 1].time != e.v.v[i].time)
            steps_push(steps, e.v.v[i].time, e.v.v[i].value);
    vec_free(&e.v);
    vec_free(&e.ends);
    vec_free(&e.samples);
}

/* Records by key, those of one key in the order in which they were added. ends[k]: where the records behind those of key k begin. Keys are
 * dense, so they are counted. */
static const struct history_record **in_order(const struct history *h, uint32_t n_keys, size_t *ends)
{
    const struct history_record **order = xreallocarray(NULL, h->records.n + 1, sizeof *order);

    for (size_t i = 0; i < h->records.n; i++)
        ends[h->records.v[i].key]++;
    for (uint32_t k = 1; k < n_keys; k++)
        ends[k] += ends[k - 1];
    for (size_t i = h->records.n; i-- > 0;)
        order[--ends[h->records.v[i].key]] = &h->records.v[i];
    for (uint32_t k = 0; k + 1 < n_keys; k++)          /* they were beginnings now */
        ends[k] = ends[k + 1];
    ends[n_keys - 1] = h->records.n;
    return order;
}

static void build_one(struct group g, struct steps *s, int64_t back_ms, struct arena *room)
{
    if (all_agree(g))
        push_first(g, s, room);
    else
        push_all(g, s);
    if (s->n > 0)
        s->v[0].from -= back_ms;
}

void history_build(struct history *h, struct steps *first, size_t stride, int64_t back_ms, struct arena *room)
{
    const struct history_record **order;
    uint32_t n_keys = 1;
    size_t *ends, at = 0;

    for (size_t i = 0; i < h->records.n; i++)
        if (h->records.v[i].key >= n_keys)
            n_keys = h->records.v[i].key + 1;
    ends = xcalloc(n_keys, sizeof *ends);
    order = in_order(h, n_keys, ends);
    for (uint32_t k = 0; k < n_keys; at = ends[k++])
        if (ends[k] > at)
            build_one((struct group){ &order[at], ends[k] - at }, (void *)((char *)first + k * stride), back_ms, room);
    free(order);
    free(ends);
    vec_free(&h->records);
}
