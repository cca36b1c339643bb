/* sample_store_test: windows of any spans over random series, against a plain computation that looks at every sample each time.
 *
 * Series have sources in blocks, in order or not, and sources that are kept packed; samples repeat within a source, where the first counts,
 * and between sources, where the larger counts; there are gaps of minutes and of days. */
#include "gputab/source/sample_store.h"

#include <string.h>

#include "gputab/value/sample_pack.h"
#include "unit.h"

enum { SERIES = 12, SOURCES = 30, SAMPLES = 300, MINUTES = 4 * 1440, ROUNDS = 60, WINDOWS = 40 };

static uint64_t state;

static uint64_t any(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

struct told {                      /* what a source was given, in this order */
    struct sample v[SAMPLES];
    size_t n;
};
struct world {
    struct sample_store store;
    struct blocks *blocks;
    struct told told[SOURCES];
    struct buf packed[SOURCES];    /* of sources that are kept packed */
    bool kept[SOURCES];
    struct block_list found;       /* of the window at hand */
};

/* ---- making ---- */

static void make_samples(struct told *t, bool shuffled)
{
    time_ms at = (time_ms)any(MINUTES) * TIME_MINUTE;

    t->n = 0;
    while (t->n < SAMPLES && any(100) > 0) {
        uint64_t step = any(40);

        at += step == 0 ? (time_ms)any(2 * 1440) * TIME_MINUTE : step == 1 ? 0 : TIME_MINUTE * (1 + (time_ms)any(3));
        if (shuffled && any(10) == 0)
            at -= (time_ms)any(30) * TIME_MINUTE;
        if (!shuffled && t->n > 0 && at == t->v[t->n - 1].time)
            continue;                                  /* in order means: each time once */
        t->v[t->n++] = (struct sample){ at, any(1000) };
    }
    if (t->n == 0)
        t->v[t->n++] = (struct sample){ at, 1 };
}

/* Runs of random lengths, each a block or packed. */
static void give(struct world *w, size_t source, const struct told *t)
{
    struct block_list batch = { 0 };
    struct steadies runs = { 0 };
    struct err e = { 0 };

    for (size_t from = 0, n; from < t->n; from += n) {
        n = 1 + any(60);
        n = n < t->n - from ? n : t->n - from;
        vec_clear(&runs);
        for (size_t i = 0; i < n; i++)
            steadies_add(&runs, t->v[from + i].time, t->v[from + i].value);
        if (source < SOURCES && w->kept[source])
            sample_pack_add(&w->packed[source], t->v + from, n);
        else
            ck_assert_int_eq(blocks_write(w->blocks, &batch, source, 0, runs.v, runs.n, &e), 0);
        if (any(3) == 0) {
            ck_assert_int_eq(blocks_commit(w->blocks, &batch, &e), 0);
            vec_clear(&batch);
        }
    }
    ck_assert_int_eq(blocks_commit(w->blocks, &batch, &e), 0);
    vec_free(&runs);
    vec_free(&batch);
}

/* Some blocks belong to nobody. */
static void make(struct world *w)
{
    uint32_t series = 0;

    memset(w, 0, sizeof *w);
    w->store.reached = TIME_MIN;
    w->blocks = blocks_new();
    for (uint32_t i = 0; i < SOURCES; i++) {
        struct sample_source s = { .series = series, .key = { i * 7, i }, .shuffled = any(2) == 0 };

        w->kept[i] = any(4) == 0;
        s.shuffled &= !w->kept[i];
        make_samples(&w->told[i], s.shuffled);
        give(w, i, &w->told[i]);
        s.kept = buf_span(&w->packed[i]);
        vec_push(&w->store.sources, s);
        if (any(8) == 0)
            give(w, SOURCES, &w->told[i]);
        series += series + 1 < SERIES && (any(3) > 0 || SOURCES - i < SERIES);
    }
    for (uint32_t i = 0; i <= series; i++)
        vec_push(&w->store.series, (struct series){ .target = i });
}

static void unmake(struct world *w)
{
    sample_store_free(&w->store);
    blocks_free(w->blocks);
    vec_free(&w->found);
    for (size_t i = 0; i < SOURCES; i++)
        buf_free(&w->packed[i]);
}

static int by_source(const void *pa, const void *pb)
{
    const struct block *a = pa, *b = pb;

    return a->series != b->series ? (a->series > b->series) - (a->series < b->series) : (a->at > b->at) - (a->at < b->at);
}

/* The blocks of a window; of one that follows none also all that is before. */
static void find_blocks(struct world *w, struct timespan span, int64_t gap)
{
    struct timespan reach = { w->store.reached == span.from ? span.from - gap : TIME_MIN, span.to + gap };
    struct block_cursor c = { 0 };
    struct block block;
    struct err e = { 0 };

    vec_clear(&w->found);
    while (blocks_next(w->blocks, &c, reach, &block, &e) > 0)
        if (block.series < SOURCES)
            vec_push(&w->found, block);
    if (w->found.n > 0)
        qsort(w->found.v, w->found.n, sizeof *w->found.v, by_source);
    for (size_t i = 0; i < SOURCES; i++)
        w->store.sources.v[i].n_blocks = 0;
    for (size_t i = w->found.n; i-- > 0;) {
        struct sample_source *s = &w->store.sources.v[w->found.v[i].series];

        s->blocks = &w->found.v[i];
        s->n_blocks++;
    }
}

/* ---- the plain way ---- */

static const struct sample *first_at(const struct told *t, time_ms time)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].time == time)
            return &t->v[i];
    return NULL;
}

static int by_time(const void *a, const void *b)
{
    time_ms x = ((const struct sample *)a)->time, y = ((const struct sample *)b)->time;

    return (x > y) - (x < y);
}

/* All samples of a series, whatever the window. Returns their number. */
static size_t merge(const struct world *w, uint32_t series, struct sample *out)
{
    size_t n = 0, kept = 0;

    for (size_t i = 0; i < SOURCES; i++)
        for (size_t k = 0; w->store.sources.v[i].series == series && k < w->told[i].n; k++)
            out[n++] = w->told[i].v[k];
    qsort(out, n, sizeof *out, by_time);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || out[kept - 1].time != out[i].time)
            out[kept++] = out[i];
    for (size_t i = 0; i < kept; i++) {
        out[i].value = 0;
        for (size_t k = 0; k < SOURCES; k++) {
            const struct sample *s = w->store.sources.v[k].series == series ? first_at(&w->told[k], out[i].time) : NULL;

            out[i].value = s && s->value > out[i].value ? s->value : out[i].value;
        }
    }
    return kept;
}

/* Those of the window, and the last one before its reach, unless the next one makes it void or it is a day away. */
static size_t cut(struct sample *v, size_t n, struct timespan span, int64_t gap)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        time_ms t = v[i].time, next = i + 1 < n && v[i + 1].time <= span.to + gap ? v[i + 1].time : TIME_MAX;
        bool inside = t >= span.from - gap && t <= span.to + gap;
        bool last = t < span.from - gap && next >= span.from - gap;
        bool stands = last && next > span.from && next - gap > t && span.from - gap - t < TIME_DAY;

        if (inside || stands)
            v[kept++] = v[i];
    }
    return kept;
}

static void check_window(struct world *w, const struct sample_window *got, struct timespan span, int64_t gap)
{
    static struct sample wanted[SOURCES * SAMPLES];
    struct samples samples = { 0 };
    size_t run = 0;

    ck_assert_uint_eq(got->n_series, w->store.series.n);
    for (uint32_t series = 0; series < w->store.series.n; series++) {
        size_t n = cut(wanted, merge(w, series, wanted), span, gap);

        if (n == 0)
            continue;
        ck_assert_uint_lt(run, got->runs.n);
        ck_assert_uint_eq(got->runs.v[run].series, series);
        ck_assert_uint_eq(got->runs.v[run].n, n);
        vec_clear(&samples);
        sample_pack_read_run(&got->runs.v[run], &samples);
        ck_assert_uint_eq(samples.n, n);
        for (size_t i = 0; i < n; i++) {
            ck_assert_int_eq(samples.v[i].time, wanted[i].time);
            ck_assert_uint_eq(samples.v[i].value, wanted[i].value);
        }
        run++;
    }
    vec_free(&samples);
    ck_assert_uint_eq(run, got->runs.n);
}

/* Mostly each behind the last one, at times anywhere. */
static void walk(struct world *w)
{
    int64_t gap = (int64_t[]){ 0, TIME_MINUTE, 5 * TIME_MINUTE, TIME_HOUR, TIME_DAY }[any(5)];
    struct sample_window got = { 0 };
    time_ms at = 0;

    for (int i = 0; i < WINDOWS; i++) {
        struct err e = { 0 };
        struct timespan span;

        if (any(8) == 0)
            at = (time_ms)any(MINUTES * 3 / 2) * TIME_MINUTE;
        span = (struct timespan){ at, at + TIME_MINUTE * (time_ms)(1 + any(any(2) ? 1440 : 30)) };
        find_blocks(w, span, gap);
        ck_assert_int_eq(sample_store_window(&w->store, w->blocks, span, gap, &got, &e), 0);
        check_window(w, &got, span, gap);
        at = span.to;
    }
    vec_free(&got.runs);
}

START_TEST(windows_are_what_a_plain_computation_says)
{
    static struct world w;

    for (unsigned round = 1; round <= ROUNDS; round++) {
        state = round * UINT64_C(0x9e3779b97f4a7c15);
        make(&w);
        walk(&w);
        unmake(&w);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sample_store");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 120);
    tcase_add_test(t, windows_are_what_a_plain_computation_says);
    suite_add_tcase(s, t);
    return unit_run(s);
}
