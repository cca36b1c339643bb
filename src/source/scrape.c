/* scrape: a store of series and their samples.
 *
 * Two texts that differ only in the order of labels, or in labels without a value, are one series: its key is the label text in
 * canonical form. Of the labels themselves source/series_meaning keeps what means something.
 *
 * Single samples, which a file gives in the order of time, are staged until there are many, and then go series by series the way that
 * whole runs go.
 *
 * Not here: what a series means (source/series_meaning), what series mean together, such as which node a GPU is in (source/inventory),
 * and reading (source/metrics). */
#include "gputab/source/scrape.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/source/series_meaning.h"

enum { STAGED = 1 << 18 };

/* One list of both; the first of a name counts, so a user's family replaces the built-in one. */
static void list_families(struct scrape *s, const struct family *own)
{
    const struct family *const sources[] = { own, exporters_families };
    VEC(const struct family *) list = { 0 };

    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (const struct family *f = sources[i]; f && f->name; f++)
            if (intern_str(s->families, f->name) > list.n)
                vec_push(&list, f);
    s->family = list.v;
    s->n_families = list.n;
}

static void list_labels(struct scrape *s)
{
    s->label_names = intern_new();
    for (const struct family_label *l = exporters_labels; l->name; l++)
        intern_str(s->label_names, l->name);
    for (const char *const *p = exporters_target_labels; *p; p++)
        intern_str(s->label_names, *p);
}

void scrape_init(struct scrape *s, const struct metrics_request *req, struct intern *labelsets)
{
    size_t n;

    *s = (struct scrape){ .req = req, .labelsets = labelsets };
    s->keep = (struct timespan){ req->period.from - req->max_gap_ms, req->period.to + req->max_gap_ms };
    s->beyond = (struct timespan){ TIME_MAX, TIME_MIN };
    s->families = intern_new();
    s->target_keys = intern_new();
    s->secret = fingerprint_new_key();
    s->blocks = blocks_new();
    list_families(s, req->families);
    list_labels(s);
    n = s->n_families;
    label_choice_init(&s->pod_labels, req->pod_labels);
    label_choice_init(&s->namespace_labels, req->namespace_labels);
    s->bad = xcalloc(n, sizeof *s->bad);
    s->repeated = xcalloc(n, sizeof *s->repeated);
    s->shuffled = xcalloc(n, sizeof *s->shuffled);
    s->nameless = xcalloc(n, sizeof *s->nameless);
    s->seen = xcalloc(n, sizeof *s->seen);
}

void scrape_free(struct scrape *s)
{
    for (size_t i = 0; i < s->series.n; i++)
        buf_free(&s->series.v[i].kept);
    vec_free(&s->series);
    vec_free(&s->staged);
    scrape_batch_free(&s->batch);
    blocks_free(s->blocks);
    vec_free(&s->targets);
    label_choice_free(&s->pod_labels);
    label_choice_free(&s->namespace_labels);
    free(s->family);
    intern_free(s->families);
    intern_free(s->label_names);
    fingerprint_map_free(&s->numbers);
    arena_free(&s->values);
    buf_free(&s->text);
    intern_free(s->target_keys);
    free(s->bad);
    free(s->repeated);
    free(s->shuffled);
    free(s->nameless);
    free(s->seen);
    *s = (struct scrape){ 0 };
}

const struct family *scrape_family(struct scrape *s, struct span name)
{
    uint32_t id = intern_find(s->families, name.p, name.n);

    if (id == 0)
        return NULL;
    s->seen[id - 1] = true;
    return s->family[id - 1];
}

void scrape_add_memory_families(const struct scrape *s, struct buf *b)
{
    enum { NAMED = 3 };
    int n = 0;

    for (size_t i = 0; i < s->n_families; i++) {
        int kind = s->family[i]->kind;

        if (kind != SAMPLE_USED && (kind < SAMPLE_LAYER_USED || kind > SAMPLE_PROCESS_USED))
            continue;
        if (n++ < NAMED)
            buf_addf(b, "%s%s", b->n > 0 ? ", " : "", s->family[i]->name);
    }
    if (n > NAMED)
        buf_addf(b, " and %d more, see gputab-metrics(5)", n - NAMED);
}

/* ---- which series ---- */

static int by_label_name(const void *a, const void *b)
{
    return span_cmp(((const struct openmetrics_label *)a)->name, ((const struct openmetrics_label *)b)->name);
}

/* Labels with a value, sorted by name, into sorted. Returns how many. Servers sort them already. */
static size_t canonical_labels(const struct openmetrics_label *labels, size_t n, struct openmetrics_label *sorted)
{
    bool in_order = true;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (labels[i].value.n == 0)
            continue;
        in_order &= kept == 0 || span_cmp(sorted[kept - 1].name, labels[i].name) < 0;
        sorted[kept++] = labels[i];
    }
    if (!in_order)
        qsort(sorted, kept, sizeof *sorted, by_label_name);
    return kept;
}

static char *put_with_end(char *p, struct span text)
{
    if (text.n > 0)
        memcpy(p, text.p, text.n);
    p[text.n] = '\0';
    return p + text.n + 1;
}

/* What tells a series from others: the family, the labels, and the cluster where no label says it. */
static struct span label_key(struct scrape *s, const struct family *f, struct span cluster, const struct openmetrics_label *labels, size_t n)
{
    struct span family = span_of(f->name);
    size_t room = family.n + cluster.n + 2;
    char *p;

    for (size_t i = 0; i < n; i++)
        room += labels[i].name.n + labels[i].value.n + 2;
    buf_clear(&s->text);
    buf_reserve(&s->text, room);
    p = put_with_end(put_with_end(s->text.p, family), cluster);
    for (size_t i = 0; i < n; i++)
        p = put_with_end(put_with_end(p, labels[i].name), labels[i].value);
    s->text.n = (size_t)(p - s->text.p);
    return buf_span(&s->text);
}

static uint32_t add_series(struct scrape *s, struct span cluster, const struct family *f, uint64_t order,
                           const struct openmetrics_label *labels, size_t n)
{
    struct scrape_series series = { .family = f, .order = order, .number = (uint32_t)s->series.n };

    if (!series_meaning_read(s, cluster, labels, n, &series))
        return NONE;
    vec_push(&s->series, series);
    return series.number;
}

/* The cluster's name: what its label says, or the name that was given to that, or the source's. */
static struct span find_cluster(const struct scrape *s, const struct scrape_origin *o, const struct openmetrics_label *labels, size_t n)
{
    struct span value = label_choice_find(labels, n, o->cluster_label);

    for (const struct cluster_name *c = s->req->clusters; c && c->value; c++)
        if (span_eq(value, c->value))
            return span_of(c->name);
    return value.n > 0 ? value : span_of(o->cluster);
}

/* The same for the same labels in every process. */
static uint64_t order_of(struct span key)
{
    return fingerprint_of((struct fingerprint_key){ 0, 0 }, key).low;
}

int scrape_series(struct scrape *s, const struct scrape_origin *origin, const struct family *f, const struct openmetrics_label *labels,
                  size_t n, uint32_t *out, struct err *e)
{
    struct openmetrics_label sorted[OPENMETRICS_LABELS];
    struct span cluster, key;
    uint32_t *number;
    bool known;

    n = canonical_labels(labels, n, sorted);
    cluster = find_cluster(s, origin, sorted, n);
    key = label_key(s, f, cluster, sorted, n);
    number = fingerprint_map_at(&s->numbers, fingerprint_of(s->secret, key), &known);
    if (known) {
        *out = *number;
        return 0;
    }
    if (s->numbers.n > SCRAPE_SERIES) {
        err_set(e, ERR_INPUT, "more than %d different series", SCRAPE_SERIES);
        return err_hint(e, "read a shorter period, or fewer families, from a file");
    }
    if (intern_bytes(s->req->names) > SCRAPE_NAMES)
        return err_set(e, ERR_INPUT, "the names in labels are longer than %d MiB together", SCRAPE_NAMES >> 20);
    *out = *number = add_series(s, cluster, f, order_of(key), sorted, n);
    return 0;
}

static size_t family_index(const struct scrape *s, const struct scrape_series *series)
{
    const char *name = series->family->name;

    return intern_find(s->families, name, strlen(name)) - 1;
}

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

    s->bad[family_index(s, series)] += run->bad;
    s->repeated[family_index(s, series)] += run->repeated;
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

static int flush_staged(struct scrape *s, struct err *e)
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
    return s->staged.n == STAGED ? flush_staged(s, e) : 0;
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
    s->repeated[family_index(s, series)] += samples_sort(scratch, 0);
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
    s->repeated[family_index(s, &s->series.v[blocks[0].series])] += samples_sort(scratch, 0);
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
static int sort_shuffled(struct scrape *s, struct err *e)
{
    struct samples scratch = { 0 };
    bool any = false;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < s->series.n; i++) {
        struct scrape_series *series = &s->series.v[i];

        if (!series->shuffled)
            continue;
        s->shuffled[family_index(s, series)]++;
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

/* What a series is sorted by: sorting these is quicker than sorting series. */
struct place {
    const struct family *family;
    uint64_t order;
    size_t at;
};

static int by_canonical_order(const void *pa, const void *pb)
{
    const struct place *a = pa, *b = pb;

    if (a->family != b->family)
        return strcmp(a->family->name, b->family->name);
    return a->order < b->order ? -1 : a->order > b->order;
}

static void put_in_order(struct scrape *s)
{
    struct place *places = xreallocarray(NULL, s->series.n + 1, sizeof *places);
    struct scrape_series *sorted = xreallocarray(NULL, s->series.n + 1, sizeof *sorted);

    for (size_t i = 0; i < s->series.n; i++)
        places[i] = (struct place){ s->series.v[i].family, s->series.v[i].order, i };
    qsort(places, s->series.n, sizeof *places, by_canonical_order);
    for (size_t i = 0; i < s->series.n; i++)
        sorted[i] = s->series.v[places[i].at];
    free(places);
    free(s->series.v);
    s->series.v = sorted;
    s->series.cap = s->series.n;
}

/* One text per family, counted as often as it happened. */
static void warn(struct diag *d, const char *code, const char *family, const char *what, int64_t count, const char *hint)
{
    for (int64_t i = 0; i < count; i++)
        diag_add(d, code, "%s: %s: %lld", family, what, (long long)count);
    if (count > 0)
        diag_hint(d, code, "%s", hint);
}

static void warn_all(const struct scrape *s)
{
    static const char *const nameless[] = {
        [PODS_NO] = "series without the name of their GPU, node, namespace or owned thing, left out",
        [PODS_MAYBE] = "series that do not say which GPU they are of, left out",
        [PODS_ALWAYS] = "series without the name of their pod or GPU, left out",
    };
    struct diag *d = s->req->diag;

    for (size_t i = 0; i < s->n_families; i++) {
        const struct family *f = s->family[i];

        warn(d, "W110", f->name, "values that are no number, infinite, negative or too large, left out", s->bad[i],
             "look at the exporter's log: it writes such values when the driver gives none");
        warn(d, "W111", f->name, "samples whose series has another one with the same time stamp, left out", s->repeated[i],
             "look for two exporters, or two servers, whose series have the same labels");
        warn(d, "W112", f->name, "series whose samples are not in the order of time, sorted", s->shuffled[i],
             "nothing is to be done: sorted, they give the same report");
        warn(d, "W114", f->name, nameless[f->pods], s->nameless[i],
             "look at relabelling and recording rules: they have dropped labels of the exporter");
    }
}

/* Whether a series is of use: it has samples, and names what they speak of. */
static bool of_use(struct scrape *s, struct scrape_series *series)
{
    if (series->n == 0)
        return false;
    series_meaning_find_pod(s, series);
    if (series_meaning_is_named(series))
        return true;
    s->nameless[family_index(s, series)]++;
    return false;
}

int scrape_finish(struct scrape *s, struct err *e)
{
    size_t kept = 0;

    if (flush_staged(s, e) < 0)
        return -1;
    for (size_t i = 0; i < s->series.n; i++)           /* of those without use nothing is said below */
        s->series.v[i].shuffled &= of_use(s, &s->series.v[i]);
    if (sort_shuffled(s, e) < 0)
        return -1;
    for (size_t i = 0; i < s->series.n; i++) {
        struct scrape_series *series = &s->series.v[i];

        if (series->n > 0 && series_meaning_is_named(series))
            s->series.v[kept++] = *series;
        else
            buf_free(&series->kept);
    }
    s->series.n = kept;
    fingerprint_map_free(&s->numbers);                 /* no series comes any more */
    put_in_order(s);
    warn_all(s);
    return 0;
}
