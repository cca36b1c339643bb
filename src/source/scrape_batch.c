/* scrape_batch: samples to their series.
 *
 * Samples become integers, and are counted where they cannot. Single samples, which a file gives in the order of time, are staged until
 * there are many, and then go series by series the way that whole runs go. Samples out of the order of time are sorted whenever they are
 * read. */
#include "gputab/source/scrape_batch.h"

#include <stdlib.h>
#include <string.h>

enum { STAGED = 1 << 18 };

/* What samples of a kind are kept. */
struct bounds {
    struct timespan span;          /* both ends inclusive */
    uint64_t most;
};

/* What no GPU and no node can have: 16 TiB on one card, a million GPUs. Sums over pods and products with time stay in their integers. */
static uint64_t most_of(int kind)
{
    if (kind <= SAMPLE_PROCESS_USED)
        return (uint64_t)1 << 44;
    return kind <= SAMPLE_REQUEST_GPU_SHARED ? (uint64_t)1000000 * 1000000 : UINT64_MAX;
}

/* Numbers count in the period and a little around it. What is said of pods holds later, but not before. */
static struct timespan span_of_use(const struct scrape *s, int kind)
{
    if (kind < SAMPLE_KINDS)
        return s->keep;
    return (struct timespan){ TIME_MIN, kind < RECORD_POD_INFO || kind > RECORD_JOB_OWNER ? TIME_MAX : s->records_to };
}

/* Samples that are not kept, from the first to the last of them. Where none are, this says of which time they are. */
static void pass_over(struct scrape *s, int kind, time_ms first, time_ms last)
{
    if (kind > SAMPLE_PROCESS_USED)
        return;
    if (first < s->beyond.from)
        s->beyond.from = first;
    if (last > s->beyond.to)
        s->beyond.to = last;
}

/* Cuts a run to those of its samples that are kept. False: none is. */
static bool keep(struct scrape *s, int kind, struct timespan span, struct steady *run)
{
    struct steady all = *run;
    time_ms first = all.first, last = steady_last(&all);

    if (first >= span.from && last <= span.to)
        return true;
    if (!steady_cut(run, span.from, span.to)) {
        pass_over(s, kind, first, last);
        return false;
    }
    if (run->first > first)
        pass_over(s, kind, first, run->first - all.spacing);
    if (steady_last(run) < last)
        pass_over(s, kind, steady_last(run) + all.spacing, last);
    return true;
}

/* ---- batches ---- */

void scrape_batch_clear(struct scrape_batch *b)
{
    vec_clear(&b->counts);
    vec_clear(&b->blocks);
    b->n_samples = 0;
    b->gpu_memory = false;
}

void scrape_batch_free(struct scrape_batch *b)
{
    vec_free(&b->counts);
    vec_free(&b->blocks);
    vec_free(&b->samples);
    vec_free(&b->staged);
}

/* Of samples with one time stamp after the other the first counts. In a run times rise: it is its first that has been there. */
static void drop_first(struct steady *run)
{
    run->first += run->spacing;
    run->n--;
}

/* The samples that count, as integers, to out; in *count how many did not. Returns how many do. */
static int64_t convert(struct scrape *s, struct scrape_handle series, const struct steady *v, size_t n, struct scrape_count *count,
                       struct steadies *out)
{
    struct bounds bounds = { span_of_use(s, series.kind), most_of(series.kind) };
    enum family_unit unit = series.unit;
    time_ms before = TIME_MIN;
    struct steady *to;
    int64_t kept = 0;

    vec_clear(out);
    vec_reserve(out, n);
    to = out->v;
    for (size_t i = 0; i < n; i++) {
        *to = v[i];
        if (!keep(s, series.kind, bounds.span, to))
            continue;
        if (!exporters_value(steady_number(v[i].value), unit, &to->value) || to->value > bounds.most) {
            count->bad += to->n;
            continue;
        }
        if (to->first == before) {
            drop_first(to);
            count->repeated++;
        }
        if (to->n == 0)
            continue;
        before = steady_last(to);
        kept += to->n;
        to++;
    }
    out->n = (size_t)(to - out->v);
    return kept;
}

int scrape_batch_add(struct scrape *s, struct scrape_batch *b, struct scrape_handle series, const struct steady *v, size_t n, struct err *e)
{
    struct scrape_count count = { .family = series.family };
    int64_t kept = convert(s, series, v, n, &count, &b->samples);

    b->n_samples += kept;
    b->gpu_memory |= series.kind <= SAMPLE_PROCESS_USED && kept > 0;
    if (count.bad > 0 || count.repeated > 0)
        vec_push(&b->counts, count);
    return blocks_write(s->blocks, &b->blocks, series.at, series.kind, b->samples.v, b->samples.n, e);
}

int scrape_batch_commit(struct scrape *s, struct scrape_batch *b, struct err *e)
{
    for (size_t i = 0; i < b->counts.n; i++) {
        s->bad[b->counts.v[i].family] += b->counts.v[i].bad;
        s->repeated[b->counts.v[i].family] += b->counts.v[i].repeated;
    }
    s->n_samples += b->n_samples;
    s->gpu_memory |= b->gpu_memory;
    if (s->n_samples > SCRAPE_SAMPLES)
        return err_set(e, ERR_INPUT, "more than %lld samples", (long long)SCRAPE_SAMPLES);
    if (blocks_commit(s->blocks, &b->blocks, e) < 0)
        return -1;
    scrape_batch_clear(b);
    return 0;
}

/* ---- single samples ---- */

uint32_t scrape_number(struct scrape *s, struct scrape_handle series)
{
    vec_push(&s->numbered, series);
    return (uint32_t)s->numbered.n - 1;
}

/* Stable, by series. */
static void sort_staged(const struct staged *v, size_t n, struct raw_sample *out, uint32_t *ends, size_t n_series)
{
    for (size_t i = 0; i < n; i++)
        ends[v[i].series]++;
    for (size_t i = 1; i < n_series; i++)
        ends[i] += ends[i - 1];
    for (size_t i = n; i-- > 0;)
        out[--ends[v[i].series]] = v[i].sample;        /* ends become beginnings */
}

/* Samples of one series, in the order in which they came. */
static int add_staged(struct scrape *s, struct scrape_handle series, const struct raw_sample *v, size_t n, struct err *e)
{
    struct steadies *runs = &s->batch.staged;

    vec_clear(runs);
    for (size_t i = 0; i < n; i++)
        steadies_add(runs, v[i].time, steady_bits(v[i].value));
    return scrape_batch_add(s, &s->batch, series, runs->v, runs->n, e);
}

int scrape_flush(struct scrape *s, struct err *e)
{
    uint32_t *begins = xcalloc(s->numbered.n + 1, sizeof *begins), n = (uint32_t)s->staged.n;
    struct raw_sample *sorted = xreallocarray(NULL, n + 1u, sizeof *sorted);
    int rc = 0;

    sort_staged(s->staged.v, n, sorted, begins, s->numbered.n);
    for (size_t i = 0; rc == 0 && i < s->numbered.n; i++) {
        uint32_t end = i + 1 < s->numbered.n ? begins[i + 1] : n;

        if (begins[i] < end)
            rc = add_staged(s, s->numbered.v[i], sorted + begins[i], end - begins[i], e);
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
