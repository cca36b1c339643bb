/* sample_store: unpacks the samples of a window series by series, cuts them, and packs them anew. Blocks of a series with one source that
 * lie whole in the window stay as they are.
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

/* The last sample of a source before the window's reach, as the window before left it. */
static struct sample carried_of(const struct sample_store *s, struct fingerprint key)
{
    const uint32_t *carried = fingerprint_map_find(&s->before.of, key);

    return carried ? s->before.v.v[*carried] : (struct sample){ TIME_MIN, 0 };
}

static void keep_last(struct sample_store *s, struct fingerprint key, struct sample sample)
{
    uint32_t *at;
    bool found;

    if (!s->carries || sample.time == TIME_MIN)
        return;
    at = fingerprint_map_at(&s->next.of, key, &found);
    if (!found) {
        *at = (uint32_t)s->next.v.n;
        vec_push(&s->next.v, sample);
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
    struct sample last = carried_of(s, source->key);
    size_t first = find_time(v, from, reach.from), end = find_time(v, from, reach.to + 1), next = find_time(v, from, next_reach);

    if (first > from && v->v[first - 1].time > last.time)
        last = v->v[first - 1];
    take_later(before, last);
    if (next > first)
        last = v->v[next - 1];
    keep_last(s, source->key, last);
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
static bool may_stand(struct sample before, time_ms next, time_ms from, int64_t max_gap_ms)
{
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
    if (may_stand(before, first < s->samples.n ? s->samples.v[first].time : TIME_MAX, span.from, max_gap_ms)) {
        s->samples.v[start] = before;
        return 0;
    }
    memmove(s->samples.v + start, s->samples.v + first, (s->samples.n - first) * sizeof *s->samples.v);
    s->samples.n--;
    return 0;
}

/* Packs what was read of a series. Returns how many samples. */
static size_t pack(struct sample_store *s)
{
    if (s->samples.n > 0)
        sample_pack_add(&s->packed, s->samples.v, s->samples.n);
    return s->samples.n;
}

/* ---- series that need no unpacking ---- */

/* One source, in the order of time. */
static bool is_plain(const struct sample_store *s, size_t source)
{
    const struct sample_source *v = &s->sources.v[source];

    return v->n_blocks > 0 && !v->shuffled && (source + 1 == s->sources.n || v[1].series != v->series);
}

struct plain {
    struct timespan span, reach;   /* of the window; both ends of the reach are inclusive */
    int64_t max_gap_ms;
    struct sample before, last;    /* the last ones: before the reach; in it, before the next one */
    size_t n;                      /* samples that are packed */
};

/* Before the first sample that the window has of the series goes the one that may stand into it. */
static void begin_plain(struct sample_store *s, struct plain *p, time_ms first)
{
    if (p->n > 0 || !may_stand(p->before, first, p->span.from, p->max_gap_ms))
        return;
    sample_pack_add(&s->packed, &p->before, 1);
    p->n = 1;
}

static void see_before(struct plain *p, struct sample x)
{
    if (x.time > p->before.time)
        p->before = x;
}

/* Unpacks a block that a border cuts. */
static int take_cut(struct sample_store *s, struct blocks *blocks, const struct block *block, struct plain *p, struct err *e)
{
    time_ms next_reach = p->span.to - p->max_gap_ms;
    size_t kept = 0;

    vec_clear(&s->samples);
    if (blocks_read(blocks, block, &s->samples, e) < 0)
        return -1;
    for (size_t i = 0; i < s->samples.n; i++) {
        struct sample x = s->samples.v[i];

        if (x.time < p->reach.from) {
            see_before(p, x);
        } else if (x.time <= p->reach.to) {
            p->last = x.time < next_reach ? x : p->last;
            s->samples.v[kept++] = x;
        }
    }
    s->samples.n = kept;
    if (kept > 0)
        begin_plain(s, p, s->samples.v[0].time);
    p->n += pack(s);
    return 0;
}

/* All of the block as it is. */
static int take_whole(struct sample_store *s, struct blocks *blocks, const struct block *block, struct plain *p, struct err *e)
{
    struct sample_pack_head head;
    struct span at;
    size_t from;

    begin_plain(s, p, block->first);
    from = s->packed.n;
    if (blocks_copy(blocks, block, &s->packed, e) < 0)
        return -1;
    at = (struct span){ s->packed.p + from, s->packed.n - from };
    if (!sample_pack_skip(&at, &head))
        return err_set(e, ERR_INTERNAL, "the temporary file of samples is damaged");
    p->n += head.n;
    return 0;
}

static int take_block(struct sample_store *s, struct blocks *blocks, const struct block *block, struct plain *p, struct err *e)
{
    struct sample last = { block->last, block->last_value };
    time_ms next_reach = p->span.to - p->max_gap_ms;

    if (block->last < p->reach.from) {
        see_before(p, last);
        return 0;
    }
    if (block->first < p->reach.from || block->last > p->reach.to || (block->first < next_reach && block->last >= next_reach))
        return take_cut(s, blocks, block, p, e);
    p->last = block->last < next_reach ? last : p->last;
    return take_whole(s, blocks, block, p, e);
}

/* What read_series does, and packs it: how many samples, in *n. */
static int take_plain(struct sample_store *s, struct blocks *blocks, struct timespan span, int64_t max_gap_ms, size_t source, size_t *n,
                      struct err *e)
{
    const struct sample_source *v = &s->sources.v[source];
    struct plain p = { .span = span, .reach = { span.from - max_gap_ms, span.to + max_gap_ms }, .max_gap_ms = max_gap_ms,
                       .before = carried_of(s, v->key), .last = { TIME_MIN, 0 } };

    for (size_t i = 0; i < v->n_blocks; i++)
        if (take_block(s, blocks, &v->blocks[i], &p, e) < 0)
            return -1;
    begin_plain(s, &p, TIME_MAX);
    keep_last(s, v->key, p.last.time != TIME_MIN ? p.last : p.before);
    *n = p.n;
    return 0;
}

/* ---- windows ---- */

struct extents {
    struct extent {
        uint32_t series;
        size_t n;                  /* samples, */
        size_t at, end;            /* and where they are among the packed bytes */
    } *v;
    size_t n, cap;
};

/* Packs the samples of the series whose first source is *source, which moves on; how many, in *n. */
static int take_series(struct sample_store *s, struct blocks *blocks, struct timespan span, int64_t max_gap_ms, size_t *source, size_t *n,
                       struct err *e)
{
    if (is_plain(s, *source))
        return take_plain(s, blocks, span, max_gap_ms, (*source)++, n, e);
    vec_clear(&s->samples);
    if (read_series(s, blocks, span, max_gap_ms, source, e) < 0)
        return -1;
    *n = pack(s);
    return 0;
}

/* Reads the samples around the span, packs them, and says in *extents which are whose. */
static int read_window(struct sample_store *s, struct blocks *blocks, struct timespan span, int64_t max_gap_ms, struct extents *extents,
                       struct err *e)
{
    buf_clear(&s->packed);
    for (size_t i = 0; i < s->sources.n;) {
        struct extent x = { s->sources.v[i].series, 0, s->packed.n, 0 };

        if (take_series(s, blocks, span, max_gap_ms, &i, &x.n, e) < 0)
            return -1;
        x.end = s->packed.n;
        if (x.n > 0)
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
        struct span packed = { s->packed.p + x.v[i].at, x.v[i].end - x.v[i].at };

        vec_push(&w->runs, (struct sample_run){ .series = x.v[i].series, .n = x.v[i].n, .packed = packed });
    }
    vec_free(&x);
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
