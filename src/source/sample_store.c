/* sample_store: gathers the blocks of a window, unpacks them series by series, and lays the samples out in one array.
 *
 * Memory is that of one window. What a window needs of the time before it, the last sample of each series, is carried along.
 *
 * Not here: which scraped series make up a series (source/inventory). */
#include "gputab/source/sample_store.h"

#include <stdlib.h>
#include <string.h>

static void number_sources(struct sample_store *s)
{
    for (size_t i = 0; i < s->sources.n; i++)
        if (s->sources.v[i].number >= s->n_numbers)
            s->n_numbers = s->sources.v[i].number + 1;
    s->source_of = xreallocarray(NULL, s->n_numbers + 1u, sizeof *s->source_of);
    memset(s->source_of, 0xff, (s->n_numbers + 1u) * sizeof *s->source_of);
    for (size_t i = 0; i < s->sources.n; i++)
        s->source_of[s->sources.v[i].number] = (uint32_t)i;
}

static void forget(struct sample_store *s)
{
    for (size_t i = 0; i < s->series.n; i++)
        s->before[i].time = TIME_MIN;
}

static void prepare(struct sample_store *s)
{
    if (s->source_of)
        return;
    number_sources(s);
    s->before = xreallocarray(NULL, s->series.n + 1, sizeof *s->before);
    s->reached = TIME_MIN;
}

/* ---- one source ---- */

static int read_kept(struct sample_store *s, const struct sample_source *source, struct timespan reach, struct err *e)
{
    struct span at = buf_span(&source->kept);

    while (at.n > 0) {
        struct span here = at;
        struct sample_pack_head head;

        if (!sample_pack_skip(&at, &head))
            return err_set(e, ERR_INTERNAL, "packed samples are damaged");
        if (head.last >= reach.from && head.first <= reach.to && !sample_pack_read(&here, &s->samples))
            return err_set(e, ERR_INTERNAL, "packed samples are damaged");
    }
    return 0;
}

/* Both ends inclusive. */
static void trim(struct samples *v, size_t from, struct timespan reach)
{
    size_t first = from, end = v->n;

    while (end > first && v->v[end - 1].time > reach.to)
        end--;
    while (first < end && v->v[first].time < reach.from)
        first++;
    memmove(v->v + from, v->v + first, (end - first) * sizeof *v->v);
    v->n = from + (end - first);
}

/* Appends the source's samples; *block moves behind its blocks. */
static int read_source(struct sample_store *s, size_t index, struct timespan reach, size_t *block, struct err *e)
{
    const struct sample_source *source = &s->sources.v[index];
    size_t from = s->samples.n;

    if (source->last < reach.from || source->first > reach.to)
        return 0;
    if (source->kept.n > 0 && read_kept(s, source, reach, e) < 0)
        return -1;
    for (; *block < s->found.n && s->found.v[*block].series == index; ++*block)
        if (blocks_read(s->blocks, &s->found.v[*block], &s->samples, e) < 0)
            return -1;
    if (source->shuffled)
        samples_sort(&s->samples, from);
    trim(&s->samples, from, reach);
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

/* The last sample before the next window's reach; of [first, n), which are the series' samples. */
static void carry(struct sample_store *s, size_t series, size_t first, time_ms next_reach)
{
    size_t lo = first, hi = s->samples.n;

    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;

        if (s->samples.v[middle].time < next_reach)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo > first)
        s->before[series] = s->samples.v[lo - 1];
}

/* Appends the samples of the series whose first source is *source; both cursors move on. */
static int read_series(struct sample_store *s, struct timespan span, int64_t max_gap_ms, size_t *source, size_t *block, struct err *e)
{
    struct timespan reach = { span.from - max_gap_ms, span.to + max_gap_ms };
    uint32_t series = s->sources.v[*source].series;
    size_t start = s->samples.n, first = start + 1;

    vec_push(&s->samples, s->before[series]);          /* room for it: whether it belongs there is seen when the others are known */
    for (; *source < s->sources.n && s->sources.v[*source].series == series; ++*source) {
        size_t middle = s->samples.n;

        if (read_source(s, *source, reach, block, e) < 0)
            return -1;
        merge(&s->samples, first, middle);
    }
    if (!may_stand(s->before[series], &s->samples, first, span.from, max_gap_ms)) {
        memmove(s->samples.v + start, s->samples.v + first, (s->samples.n - first) * sizeof *s->samples.v);
        s->samples.n--;
        first = start;
    }
    carry(s, series, first, span.to - max_gap_ms);
    return 0;
}

/* ---- windows ---- */

struct extents {
    struct extent {
        uint32_t series;
        size_t from, to;           /* of the samples */
    } *v;
    size_t n, cap;
};

/* Reads the samples around the span, and says in *extents which are whose. */
static int read_window(struct sample_store *s, struct timespan span, int64_t max_gap_ms, struct extents *extents, struct err *e)
{
    size_t block = 0;

    vec_clear(&s->samples);
    vec_clear(extents);
    vec_clear(&s->found);
    if (blocks_find_of(s->blocks, (struct timespan){ span.from - max_gap_ms, span.to + max_gap_ms }, s->source_of, s->n_numbers, &s->found,
                       e) < 0)
        return -1;
    for (size_t i = 0; i < s->sources.n;) {
        struct extent x = { s->sources.v[i].series, s->samples.n, 0 };

        if (read_series(s, span, max_gap_ms, &i, &block, e) < 0)
            return -1;
        x.to = s->samples.n;
        if (x.from < x.to)
            vec_push(extents, x);
    }
    s->reached = span.to;
    return 0;
}

/* A window that does not follow the last one: what stands before it is looked for. */
static int look_back(struct sample_store *s, time_ms from, int64_t max_gap_ms, struct extents *extents, struct err *e)
{
    forget(s);
    return read_window(s, (struct timespan){ from - TIME_DAY, from }, max_gap_ms, extents, e);
}

int sample_store_window(struct sample_store *s, struct timespan span, int64_t max_gap_ms, struct sample_window *w, struct err *e)
{
    struct extents x = { 0 };
    int rc = 0;

    prepare(s);
    if (s->reached != span.from)
        rc = look_back(s, span.from, max_gap_ms, &x, e);
    if (rc == 0)
        rc = read_window(s, span, max_gap_ms, &x, e);
    w->span = span;
    w->generation = 1;
    w->series = s->series.v;
    w->n_series = s->series.n;
    vec_clear(&w->runs);
    for (size_t i = 0; i < x.n; i++)
        vec_push(&w->runs, (struct sample_run){ x.v[i].series, s->samples.v + x.v[i].from, x.v[i].to - x.v[i].from });
    vec_free(&x);
    blocks_rest(s->blocks);
    return rc;
}

void sample_store_free(struct sample_store *s)
{
    for (size_t i = 0; i < s->sources.n; i++)
        buf_free(&s->sources.v[i].kept);
    vec_free(&s->sources);
    vec_free(&s->series);
    vec_free(&s->samples);
    vec_free(&s->found);
    blocks_free(s->blocks);
    free(s->source_of);
    free(s->before);
    *s = (struct sample_store){ 0 };
}
