/* sample_store: unpacks the samples of a window series by series, cuts them, and packs them anew, one block for a series.
 *
 * Memory is that of one window's packed samples. What a window needs of the time before it, the last sample of each source, is carried
 * along.
 *
 * Not here: which sources make up a series (source/inventory_window). */
#include "gputab/source/sample_store.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/source/samples.h"
#include "gputab/value/sample_pack.h"

/* ---- one source ---- */

/* Packed samples in the span: all of a run that reaches into it. */
static int read_kept(struct sample_store *s, const struct sample_source *source, struct timespan span, struct err *e)
{
    struct span at = source->kept;

    while (at.n > 0) {
        struct span here = at;
        struct sample_pack_head head;

        if (!sample_pack_skip(&at, &head))
            return err_set(e, ERR_INTERNAL, "packed samples are damaged");
        if (head.last >= span.from && head.first <= span.to && !sample_pack_read(&here, &s->samples))
            return err_set(e, ERR_INTERNAL, "packed samples are damaged");
    }
    return 0;
}

/* Index of the first sample at t or later; of [first, n), which are sorted. */
static size_t find_time(const struct samples *v, size_t first, time_ms t)
{
    size_t lo = first, hi = v->n;

    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;

        if (v->v[middle].time < t)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static void keep_last(struct last_samples *l, struct fingerprint key, struct sample sample)
{
    bool found;
    uint32_t *at = fingerprint_map_at(&l->of, key, &found);

    if (!found) {
        *at = (uint32_t)l->v.n;
        vec_push(&l->v, sample);
    }
}

/* The later one; of two at one instant the larger. */
static void take_later(struct sample *a, struct sample b)
{
    if (b.time > a->time || (b.time == a->time && b.value > a->value))
        *a = b;
}

/* Splits the samples from `from` on: *before is the last one before the reach, those outside go. Keeps the last one before the next
 * window's reach. */
static void cut(struct sample_store *s, const struct sample_source *source, size_t from, struct timespan reach, time_ms next_reach,
                struct sample *before)
{
    struct samples *v = &s->samples;
    const uint32_t *carried = fingerprint_map_find(&s->before.of, source->key);
    struct sample last = carried ? s->before.v.v[*carried] : (struct sample){ TIME_MIN, 0 };
    size_t first = find_time(v, from, reach.from), end = find_time(v, from, reach.to + 1), next = find_time(v, from, next_reach);

    if (first > from && v->v[first - 1].time > last.time)
        last = v->v[first - 1];
    take_later(before, last);
    if (next > first)
        last = v->v[next - 1];
    if (s->carries && last.time != TIME_MIN)
        keep_last(&s->next, source->key, last);
    memmove(v->v + from, v->v + first, (end - first) * sizeof *v->v);
    v->n = from + (end - first);
}

/* Appends the source's samples in the reach. */
static int read_source(struct sample_store *s, struct blocks *blocks, const struct sample_source *source, struct timespan reach,
                       time_ms next_reach, struct sample *before, struct err *e)
{
    struct timespan all = { TIME_MIN, TIME_MAX };
    size_t from = s->samples.n;

    if (read_kept(s, source, (struct timespan){ reach.from - TIME_DAY, reach.to }, e) < 0)
        return -1;
    for (size_t i = 0; i < source->n_blocks; i++)
        if (blocks_read(blocks, &source->blocks[i], &s->samples, e) < 0)
            return -1;
    if (source->shuffled)
        samples_sort(&s->samples, from, all);
    cut(s, source, from, reach, next_reach, before);
    return 0;
}

/* ---- one series ---- */

/* [from, middle) and [middle, n) are two sources' samples. */
static void merge(struct samples *v, size_t from, size_t middle)
{
    size_t na = middle - from, i = 0, k = middle, to = from;
    struct sample *a;

    if (na == 0 || middle == v->n)
        return;
    a = xreallocarray(NULL, na, sizeof *a);
    memcpy(a, v->v + from, na * sizeof *a);
    while (i < na || k < v->n) {
        struct sample x = k == v->n || (i < na && a[i].time <= v->v[k].time) ? a[i++] : v->v[k++];

        if (to > from && v->v[to - 1].time == x.time) {
            if (x.value > v->v[to - 1].value)
                v->v[to - 1].value = x.value;
        } else {
            v->v[to++] = x;
        }
    }
    v->n = to;
    free(a);
}

/* A sample that the next one follows later than max_gap stands for one interval, which may reach into the window: it belongs to it then,
 * unless that next one comes before the window too. An interval ends before the day after next: gpu.interval is a day at most, and so is
 * the usual spacing of a day that has more than one. */
static bool may_stand(struct sample before, const struct samples *v, size_t first, time_ms from, int64_t max_gap_ms)
{
    time_ms next = first < v->n ? v->v[first].time : TIME_MAX;

    return before.time != TIME_MIN && next > from && before.time < next - max_gap_ms && from - max_gap_ms - before.time < TIME_DAY;
}

/* Appends the samples of the series whose first source is *source, which moves on. */
static int read_series(struct sample_store *s, struct blocks *blocks, struct timespan span, int64_t max_gap_ms, size_t *source,
                       struct err *e)
{
    struct timespan reach = { span.from - max_gap_ms, span.to + max_gap_ms };
    uint32_t series = s->sources.v[*source].series;
    struct sample before = { TIME_MIN, 0 };
    size_t start = s->samples.n, first = start + 1;

    vec_push(&s->samples, before);                     /* room for it: whether it belongs there is seen when the others are known */
    for (; *source < s->sources.n && s->sources.v[*source].series == series; ++*source) {
        size_t middle = s->samples.n;

        if (read_source(s, blocks, &s->sources.v[*source], reach, span.to - max_gap_ms, &before, e) < 0)
            return -1;
        merge(&s->samples, first, middle);
    }
    if (may_stand(before, &s->samples, first, span.from, max_gap_ms)) {
        s->samples.v[start] = before;
        return 0;
    }
    memmove(s->samples.v + start, s->samples.v + first, (s->samples.n - first) * sizeof *s->samples.v);
    s->samples.n--;
    return 0;
}

/* ---- windows ---- */

struct extents {
    struct extent {
        uint32_t series;
        size_t n;                  /* samples, */
        size_t at;                 /* and where they begin among the packed bytes */
    } *v;
    size_t n, cap;
};

/* Reads the samples around the span, packs them, and says in *extents which are whose. */
static int read_window(struct sample_store *s, struct blocks *blocks, struct timespan span, int64_t max_gap_ms, struct extents *extents,
                       struct err *e)
{
    buf_clear(&s->packed);
    for (size_t i = 0; i < s->sources.n;) {
        struct extent x = { s->sources.v[i].series, 0, s->packed.n };

        vec_clear(&s->samples);
        if (read_series(s, blocks, span, max_gap_ms, &i, e) < 0)
            return -1;
        x.n = s->samples.n;
        if (x.n == 0)
            continue;
        sample_pack_add(&s->packed, s->samples.v, x.n);
        vec_push(extents, x);
    }
    return 0;
}

static void free_last(struct last_samples *l)
{
    fingerprint_map_free(&l->of);
    vec_free(&l->v);
}

/* What was next is now before. */
static void move_on(struct sample_store *s, time_ms reached)
{
    free_last(&s->before);
    s->before = s->next;
    s->next = (struct last_samples){ 0 };
    s->reached = reached;
}

int sample_store_window(struct sample_store *s, struct blocks *blocks, struct timespan span, int64_t max_gap_ms, struct sample_window *w,
                        struct err *e)
{
    struct extents x = { 0 };
    int rc;

    s->carries = s->ends == 0 || span.to < s->ends;
    if (s->reached != span.from)
        free_last(&s->before);
    rc = read_window(s, blocks, span, max_gap_ms, &x, e);
    move_on(s, span.to);
    w->span = span;
    w->generation = ++s->generation;
    w->series = s->series.v;
    w->n_series = s->series.n;
    vec_clear(&w->runs);
    for (size_t i = 0; i < x.n; i++) {
        struct span rest = { s->packed.p + x.v[i].at, s->packed.n - x.v[i].at };

        vec_push(&w->runs, (struct sample_run){ .series = x.v[i].series, .n = x.v[i].n, .packed = rest });
    }
    vec_free(&x);
    blocks_rest(blocks);
    return rc;
}

void sample_store_free(struct sample_store *s)
{
    free_last(&s->before);
    free_last(&s->next);
    vec_free(&s->sources);
    vec_free(&s->series);
    vec_free(&s->samples);
    buf_free(&s->packed);
    *s = (struct sample_store){ 0 };
}
