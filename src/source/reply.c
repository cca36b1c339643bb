/* reply: what every form of an answer has in common: labels that make a series, samples that go with it, and what the server complains of.
 *
 * Of an answer that breaks off nothing counts, so that it can be asked for again.
 *
 * Not here: the forms themselves (prometheus_reply, remote_reply, export_reply), and what to do about an error (source/pull). */
#include "gputab/source/reply.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/source/scrape_batch.h"
#include "gputab/source/scrape_series.h"

enum { REFUSAL_BYTES = 16384, TYPE_BYTES = 100 };

void reply_init(struct reply *r, struct scrape *scrape, const struct scrape_origin *origin)
{
    *r = (struct reply){ .scrape = scrape, .origin = origin };
}

static void clear_warnings(struct reply *r)
{
    for (size_t i = 0; i < r->warnings.n; i++)
        free(r->warnings.v[i]);
    vec_clear(&r->warnings);
}

void reply_free(struct reply *r)
{
    clear_warnings(r);
    vec_free(&r->warnings);
    vec_free(&r->labels);
    vec_free(&r->samples);
    scrape_batch_free(&r->batch);
    buf_free(&r->text);
    buf_free(&r->error_type);
    buf_free(&r->error);
}

static void clear_series(struct reply *r)
{
    vec_clear(&r->labels);
    vec_clear(&r->samples);
    r->n_samples = 0;
    buf_clear(&r->text);
}

void reply_begin(struct reply *r, struct timespan window)
{
    clear_warnings(r);
    clear_series(r);
    scrape_batch_clear(&r->batch);
    buf_clear(&r->error_type);
    buf_clear(&r->error);
    err_clear(&r->err);
    r->window = window;
    r->noted = 0;
    r->success = r->failure = r->cut = r->too_large = r->unsuited = false;
}

/* ---- a series ---- */

static struct span label_text(const struct reply *r, size_t at, size_t n)
{
    return (struct span){ r->text.p + at, n };
}

int reply_add_label(struct reply *r, struct span name, struct span value, struct err *e)
{
    struct reply_label l = { r->text.n, name.n, r->text.n + name.n, value.n };

    if (r->text.n + name.n + value.n > REPLY_LABEL_BYTES)
        return err_set(e, ERR_INPUT, "the labels of a series are longer than 1 MiB");
    for (size_t i = 0; i < r->labels.n; i++)
        if (span_same(label_text(r, r->labels.v[i].name, r->labels.v[i].name_n), name))
            return err_set(e, ERR_INPUT, "a series has a label twice");
    buf_add_span(&r->text, name);
    buf_add_span(&r->text, value);
    vec_push(&r->labels, l);
    return r->labels.n <= OPENMETRICS_LABELS + 1 ? 0 : err_set(e, ERR_INPUT, "a series has more than 256 labels");
}

int reply_add_sample(struct reply *r, time_ms time, double value, struct err *e)
{
    if (time <= r->window.from || time > r->window.to)
        return 0;
    steadies_add(&r->samples, time, steady_bits(value));
    return reply_count_samples(r, 1, e);
}

int reply_count_samples(struct reply *r, size_t n, struct err *e)
{
    r->n_samples += n;
    return r->n_samples <= REPLY_SAMPLES ? 0 : err_set(e, ERR_INPUT, "a series has more than %d samples in one answer", REPLY_SAMPLES);
}

/* Servers sort labels by name: that none is there twice is seen at once then. */
static bool has_twice(const struct openmetrics_label *labels, size_t n)
{
    bool in_order = true;

    for (size_t i = 1; i < n && in_order; i++)
        in_order = span_cmp(labels[i - 1].name, labels[i].name) < 0;
    for (size_t i = 1; i < n && !in_order; i++)
        for (size_t k = 0; k < i; k++)
            if (span_same(labels[i].name, labels[k].name))
                return true;
    return false;
}

/* Where the metric's name stands, mostly where that of the series before stood; n: there is none. */
static size_t find_name(struct reply *r, const struct openmetrics_label *labels, size_t n)
{
    const struct span name = { "__name__", 8 };

    if (r->name_at < n && span_same(labels[r->name_at].name, name))
        return r->name_at;
    for (r->name_at = 0; r->name_at < n; r->name_at++)
        if (span_same(labels[r->name_at].name, name))
            break;
    return r->name_at;
}

/* What makes labels no series that was asked for. name: of the metric, p is NULL where there is none; f: its family. */
static int check_labels(const struct openmetrics_label *labels, size_t n, struct span name, const struct family *f, struct err *e)
{
    if (has_twice(labels, n))
        return err_set(e, ERR_INPUT, "a series has a label twice");
    if (n > OPENMETRICS_LABELS + (name.p ? 1u : 0u))
        return err_set(e, ERR_INPUT, "a series has more than 256 labels");
    if (name.n == 0)
        return err_set(e, ERR_INPUT, "a series without the name of its metric");
    return f ? 0 : err_set(e, ERR_INPUT, "a series that was not asked for");
}

int reply_find_series(struct reply *r, const struct openmetrics_label *labels, size_t n, struct scrape_handle *series, struct err *e)
{
    struct openmetrics_label others[OPENMETRICS_LABELS + 1];
    size_t at = find_name(r, labels, n), kept = at < n ? n - 1 : n;
    struct span name = at < n ? labels[at].value : (struct span){ NULL, 0 };
    const struct family *f = scrape_family(r->scrape, name);
    const struct label_plan *plan = NULL;
    int rc;

    memcpy(others, labels, at * sizeof *labels);
    if (at < kept)
        memcpy(others + at, labels + at + 1, (kept - at) * sizeof *labels);
    if (f && kept <= OPENMETRICS_LABELS)
        plan = scrape_plan(r->scrape, r->origin, f, others, kept);
    if (!plan && check_labels(labels, n, name, f, e) < 0)
        return -1;
    if (plan)
        rc = scrape_planned_series(r->scrape, r->origin, f, plan, others, kept, series, e);
    else
        rc = scrape_series(r->scrape, r->origin, f, others, kept, series, e);
    if (rc < 0)
        return -1;
    r->noted += series->at == SCRAPE_NONE ? 0 : r->scrape->record.n;
    if (r->noted > (uint64_t)REPLY_NAMES_MIB << 20)
        return err_set(e, ERR_INPUT, "the names in labels are longer than %d MiB together", REPLY_NAMES_MIB);
    return 0;
}

int reply_take_samples(struct reply *r, struct scrape_handle series, struct err *e)
{
    int rc = 0;

    if (series.at != SCRAPE_NONE && r->samples.n > 0)
        rc = scrape_batch_add(r->scrape, &r->batch, series, r->samples.v, r->samples.n, e);
    clear_series(r);
    return rc;
}

int reply_end_series(struct reply *r, struct err *e)
{
    struct openmetrics_label labels[OPENMETRICS_LABELS + 1];
    struct scrape_handle series;

    for (size_t i = 0; i < r->labels.n; i++) {
        const struct reply_label *l = &r->labels.v[i];

        labels[i] = (struct openmetrics_label){ label_text(r, l->name, l->name_n), label_text(r, l->value, l->value_n) };
    }
    if (reply_find_series(r, labels, r->labels.n, &series, e) < 0)
        return -1;
    return reply_take_samples(r, series, e);
}

/* ---- the rest ---- */

void reply_add_warning(struct reply *r, struct span text)
{
    if (r->warnings.n < REPLY_WARNINGS)
        vec_push(&r->warnings, xstrndup(text.p ? text.p : "", text.n));
}

void reply_refuse_type(struct reply *r, struct span type)
{
    r->unsuited = true;
    if (type.n > 0)
        err_set(&r->err, ERR_INPUT, "the answer is of another type, %.*s", (int)(type.n < TYPE_BYTES ? type.n : TYPE_BYTES), type.p);
    else
        err_set(&r->err, ERR_INPUT, "the answer does not say of what type it is");
}

void reply_add_refusal(struct reply *r, const char *p, size_t n)
{
    if (r->error.n < REFUSAL_BYTES)
        buf_add(&r->error, p, n < REFUSAL_BYTES - r->error.n ? n : REFUSAL_BYTES - r->error.n);
    r->failure = true;
}

int reply_keep(struct reply *r, struct err *e)
{
    return scrape_batch_commit(r->scrape, &r->batch, e);
}
