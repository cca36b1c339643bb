/* scrape_batch: samples to their series.
 *
 * Samples become integers, and are counted where they cannot. Single samples, which a file gives in the order of time, are staged until
 * there are many, and then go series by series the way that whole runs go. Samples out of the order of time are sorted whenever they are
 * read; those that stay at their series once for all. */
#include "gputab/source/scrape_batch.h"

#include <stdlib.h>
#include <string.h>

enum { STAGED = 1 << 18 };

/* What no GPU and no node can have: 16 TiB on one card, a million GPUs. Sums over pods and products with time stay in their integers. */
static bool too_large(int kind, uint64_t value)
{
    if (kind <= SAMPLE_PROCESS_USED)
        return value > (uint64_t)1 << 44;
    return kind <= SAMPLE_REQUEST_GPU_SHARED && value > (uint64_t)1000000 * 1000000;
}

/* A sample that is not kept. Where none is, this says of which time they are. */
static void pass_over(struct scrape *s, int kind, time_ms time)
{
    if (kind > SAMPLE_PROCESS_USED)
        return;
    if (time < s->beyond.from)
        s->beyond.from = time;
    if (time > s->beyond.to)
        s->beyond.to = time;
}

bool scrape_keeps(int kind)
{
    return kind > SAMPLE_PROCESS_USED && kind != SAMPLE_CPU && kind != SAMPLE_MEMORY;
}

/* ---- batches ---- */

void scrape_batch_clear(struct scrape_batch *b)
{
    vec_clear(&b->runs);
    vec_clear(&b->blocks);
    buf_clear(&b->kept);
}

void scrape_batch_free(struct scrape_batch *b)
{
    vec_free(&b->runs);
    vec_free(&b->blocks);
    vec_free(&b->samples);
    buf_free(&b->kept);
}

/* The samples of a run that count, as integers; in *run how many did not, and what there is to know of the others. */
static void convert(struct scrape *s, const struct scrape_series *series, const struct raw_sample *v, size_t n, struct scrape_run *run,
                    struct samples *out)
{
    time_ms before = series->n > 0 ? series->last : TIME_MIN;

    vec_clear(out);
    vec_reserve(out, n);
    for (size_t i = 0; i < n; i++) {
        struct sample sample = { v[i].time, 0 };

        if (series->kind < SAMPLE_KINDS && (sample.time < s->keep.from || sample.time > s->keep.to)) {
            pass_over(s, series->kind, sample.time);
        } else if (!exporters_value(v[i].value, series->unit, &sample.value) || too_large(series->kind, sample.value)) {
            run->bad++;
        } else if (sample.time == before) {
            run->repeated++;
        } else {
            run->shuffled |= sample.time < before;
            run->first = sample.time < run->first ? sample.time : run->first;
            run->last = sample.time > run->last ? sample.time : run->last;
            if (sample.value > 0 && sample.time < run->first_on)
                run->first_on = sample.time;
            before = sample.time;
            out->v[out->n++] = sample;
        }
    }
    run->n = (int64_t)out->n;
}

int scrape_batch_add(struct scrape *s, struct scrape_batch *b, uint32_t number, const struct raw_sample *v, size_t n, struct err *e)
{
    const struct scrape_series *series = &s->series.v[number];
    struct scrape_run run = { .series = number, .first = TIME_MAX, .last = TIME_MIN, .first_on = TIME_MAX, .kept_at = b->kept.n };

    convert(s, series, v, n, &run, &b->samples);
    if (scrape_keeps(series->kind) && run.n > 0)
        sample_pack_add(&b->kept, b->samples.v, b->samples.n);
    else if (blocks_write(s->blocks, &b->blocks, number, b->samples.v, b->samples.n, e) < 0)
        return -1;
    run.kept_n = b->kept.n - run.kept_at;
    vec_push(&b->runs, run);
    return 0;
}

static void take_run(struct scrape *s, const struct scrape_batch *b, const struct scrape_run *run)
{
    struct scrape_series *series = &s->series.v[run->series];

    s->bad[scrape_family_index(s, series)] += run->bad;
    s->repeated[scrape_family_index(s, series)] += run->repeated;
    if (run->n == 0)
        return;
    if (series->n == 0)
        series->first_on = TIME_MAX;
    series->shuffled |= run->shuffled || (series->n > 0 && run->first <= series->last);
    series->first = series->n == 0 || run->first < series->first ? run->first : series->first;
    series->last = series->n == 0 || run->last > series->last ? run->last : series->last;
    series->first_on = run->first_on < series->first_on ? run->first_on : series->first_on;
    series->n += run->n;
    s->n_samples += run->n;
    if (run->kept_n > 0)
        buf_add(&series->kept, b->kept.p + run->kept_at, run->kept_n);
}

int scrape_batch_commit(struct scrape *s, struct scrape_batch *b, struct err *e)
{
    for (size_t i = 0; i < b->runs.n; i++)
        take_run(s, b, &b->runs.v[i]);
    if (s->n_samples > SCRAPE_SAMPLES)
        return err_set(e, ERR_INPUT, "more than %lld samples", (long long)SCRAPE_SAMPLES);
    if (blocks_commit(s->blocks, &b->blocks, e) < 0)
        return -1;
    scrape_batch_clear(b);
    return 0;
}

/* ---- single samples ---- */

/* Stable, by series. */
static void sort_staged(const struct scrape *s, const struct staged *v, size_t n, struct raw_sample *out, uint32_t *ends)
{
    for (size_t i = 0; i < n; i++)
        ends[v[i].series]++;
    for (size_t i = 1; i < s->series.n; i++)
        ends[i] += ends[i - 1];
    for (size_t i = n; i-- > 0;)
        out[--ends[v[i].series]] = v[i].sample;        /* ends become beginnings */
}

int scrape_flush(struct scrape *s, struct err *e)
{
    uint32_t *begins = xcalloc(s->series.n + 1, sizeof *begins), n = (uint32_t)s->staged.n;
    struct raw_sample *sorted = xreallocarray(NULL, n + 1u, sizeof *sorted);
    int rc = 0;

    sort_staged(s, s->staged.v, n, sorted, begins);
    for (uint32_t i = 0; rc == 0 && i < s->series.n; i++) {
        uint32_t end = i + 1 < s->series.n ? begins[i + 1] : n;

        if (begins[i] < end)
            rc = scrape_batch_add(s, &s->batch, i, sorted + begins[i], end - begins[i], e);
    }
    vec_clear(&s->staged);
    free(begins);
    free(sorted);
    return rc == 0 ? scrape_batch_commit(s, &s->batch, e) : -1;
}

int scrape_add(struct scrape *s, uint32_t number, time_ms time, double value, struct err *e)
{
    vec_push(&s->staged, (struct staged){ number, { time, value } });
    return s->staged.n == STAGED ? scrape_flush(s, e) : 0;
}

/* ---- samples again ---- */

static int damaged(struct err *e)
{
    return err_set(e, ERR_INTERNAL, "packed samples are damaged");
}

static int read_kept(const struct scrape_series *series, struct samples *out, struct err *e)
{
    struct span at = buf_span(&series->kept);

    while (at.n > 0)
        if (!sample_pack_read(&at, out))
            return damaged(e);
    return 0;
}

int scrape_samples(const struct scrape *s, const struct scrape_series *series, struct samples *out, struct err *e)
{
    struct block_list all = { 0 };
    size_t from = out->n;
    int rc;

    if (scrape_keeps(series->kind))
        return read_kept(series, out, e);
    rc = blocks_find(s->blocks, (struct timespan){ series->first, series->last }, &all, e);
    for (size_t i = 0; rc == 0 && i < all.n; i++)
        if (all.v[i].series == series->number)
            rc = blocks_read(s->blocks, &all.v[i], out, e);
    if (series->shuffled)
        samples_sort(out, from);
    vec_free(&all);
    return rc;
}

/* ---- finishing ---- */

/* Kept samples are put in order for good. */
static int sort_kept(struct scrape *s, struct scrape_series *series, struct samples *scratch, struct err *e)
{
    vec_clear(scratch);
    if (read_kept(series, scratch, e) < 0)
        return -1;
    s->repeated[scrape_family_index(s, series)] += samples_sort(scratch, 0);
    buf_clear(&series->kept);
    sample_pack_add(&series->kept, scratch->v, scratch->n);
    series->n = (int64_t)scratch->n;
    return 0;
}

static int by_series(const void *pa, const void *pb)
{
    const struct block *a = pa, *b = pb;

    return a->series != b->series ? (a->series < b->series ? -1 : 1) : (a->at > b->at) - (a->at < b->at);
}

/* Spooled samples are put in order whenever they are read; here only repeated ones are counted. blocks: of one series. */
static int count_repeated(struct scrape *s, const struct block *blocks, size_t n, struct samples *scratch, struct err *e)
{
    vec_clear(scratch);
    for (size_t i = 0; i < n; i++)
        if (blocks_read(s->blocks, &blocks[i], scratch, e) < 0)
            return -1;
    s->repeated[scrape_family_index(s, &s->series.v[blocks[0].series])] += samples_sort(scratch, 0);
    return 0;
}

static int sort_spooled(struct scrape *s, struct samples *scratch, struct err *e)
{
    struct block_list all = { 0 };
    size_t kept = 0;
    int rc = blocks_find(s->blocks, (struct timespan){ TIME_MIN, TIME_MAX }, &all, e);

    for (size_t i = 0; i < all.n; i++)
        if (s->series.v[all.v[i].series].shuffled)
            all.v[kept++] = all.v[i];
    if (kept > 0)
        qsort(all.v, kept, sizeof *all.v, by_series);
    for (size_t i = 0, n; rc == 0 && i < kept; i += n) {
        for (n = 1; i + n < kept && all.v[i + n].series == all.v[i].series; n++)
            ;
        rc = count_repeated(s, all.v + i, n, scratch, e);
    }
    blocks_rest(s->blocks);
    vec_free(&all);
    return rc;
}

/* Before series get another order: numbers are still indices. */
int scrape_sort(struct scrape *s, struct err *e)
{
    struct samples scratch = { 0 };
    bool any = false;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < s->series.n; i++) {
        struct scrape_series *series = &s->series.v[i];

        if (!series->shuffled)
            continue;
        s->shuffled[scrape_family_index(s, series)]++;
        if (scrape_keeps(series->kind))
            rc = sort_kept(s, series, &scratch, e);
        else
            any = true;
    }
    if (rc == 0 && any)
        rc = sort_spooled(s, &scratch, e);
    vec_free(&scratch);
    return rc;
}
