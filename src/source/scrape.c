/* scrape: what transports fill, and what it says of what was dropped.
 *
 * Not here: what labels say (source/scrape_series), how samples come in (source/scrape_batch), how they are read again (source/replay),
 * and reading from anywhere (source/metrics, source/pull). */
#include "gputab/source/scrape.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/source/scrape_batch.h"
#include "gputab/source/window.h"

/* Annotations are many and long: their series are read where a rule needs them. */
static bool is_asked_for(const struct metrics_request *req, const struct family *f)
{
    const char *const *names = f->kind == RECORD_POD_ANNOTATIONS ? req->pod_annotations : req->namespace_annotations;

    return (f->kind != RECORD_POD_ANNOTATIONS && f->kind != RECORD_NAMESPACE_ANNOTATIONS) || (names && *names);
}

/* One list of both; the first of a name counts, so a user's family replaces the built-in one. */
static void list_families(struct scrape *s, const struct metrics_request *req)
{
    const struct family *const sources[] = { req->families, exporters_families };
    VEC(const struct family *) list = { 0 };

    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        for (const struct family *f = sources[i]; f && f->name; f++)
            if (is_asked_for(req, f) && intern_str(s->families, f->name) > list.n)
                vec_push(&list, f);
    s->family = list.v;
    s->n_families = list.n;
}

void scrape_init(struct scrape *s, const struct metrics_request *req)
{
    size_t n;

    *s = (struct scrape){ .req = req };
    s->keep = (struct timespan){ req->period.from - req->max_gap_ms, req->period.to + req->max_gap_ms };
    s->records_to = window_reach(req, req->period).to;
    s->beyond = (struct timespan){ TIME_MAX, TIME_MIN };
    s->families = intern_new();
    s->target_keys = intern_new();
    s->secret = fingerprint_new_key();
    s->blocks = blocks_new();
    list_families(s, req);
    label_meanings_init(&s->meanings);
    n = s->n_families;
    s->plans = xcalloc(n * SCRAPE_PLANS, sizeof *s->plans);
    label_choice_init(&s->pod_labels, "label_", req->pod_labels);
    label_choice_init(&s->namespace_labels, "label_", req->namespace_labels);
    label_choice_init(&s->node_labels, "label_", req->node_labels);
    label_choice_init(&s->pod_annotations, "annotation_", req->pod_annotations);
    label_choice_init(&s->namespace_annotations, "annotation_", req->namespace_annotations);
    s->bad = xcalloc(n, sizeof *s->bad);
    s->repeated = xcalloc(n, sizeof *s->repeated);
    s->shuffled = xcalloc(n, sizeof *s->shuffled);
    s->nameless = xcalloc(n, sizeof *s->nameless);
    s->seen = xcalloc(n, sizeof *s->seen);
}

void scrape_free(struct scrape *s)
{
    vec_free(&s->numbered);
    vec_free(&s->staged);
    scrape_batch_free(&s->batch);
    blocks_free(s->blocks);
    vec_free(&s->targets);
    for (size_t i = 0; i < s->n_families * SCRAPE_PLANS; i++)
        label_plan_free(&s->plans[i]);
    free(s->plans);
    label_meanings_free(&s->meanings);
    buf_free(&s->uuid.value);
    buf_free(&s->uuid.form);
    buf_free(&s->last_target_key);
    label_choice_free(&s->pod_labels);
    label_choice_free(&s->namespace_labels);
    label_choice_free(&s->node_labels);
    label_choice_free(&s->pod_annotations);
    label_choice_free(&s->namespace_annotations);
    free(s->family);
    intern_free(s->families);
    intern_free(s->target_keys);
    fingerprint_map_free(&s->counted);
    buf_free(&s->text);
    buf_free(&s->record);
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
    s->last_family = s->family[id - 1];
    s->last_family_at = (uint16_t)(id - 1);
    return s->last_family;
}

uint16_t scrape_family_at(struct scrape *s, const struct family *f)
{
    if (s->last_family != f)
        scrape_family(s, span_of(f->name));
    return s->last_family_at;
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

void scrape_count_series(struct scrape *s, enum scrape_fault fault, struct fingerprint key, size_t family)
{
    bool found;

    key.low ^= (uint64_t)fault << 63;                  /* a series may have both */
    fingerprint_map_at(&s->counted, key, &found);
    if (!found)
        (fault == SCRAPE_SHUFFLED ? s->shuffled : s->nameless)[family]++;
}

/* One text per family, counted as often as it happened. */
static void warn(struct diag *d, const char *code, const char *family, const char *what, int64_t *count, const char *hint)
{
    for (int64_t i = 0; i < *count; i++)
        diag_add(d, code, "%s: %s: %lld", family, what, (long long)*count);
    if (*count > 0)
        diag_hint(d, code, "%s", hint);
    *count = 0;
}

void scrape_warn_early(struct scrape *s)
{
    for (size_t i = 0; i < s->n_families; i++)
        warn(s->req->diag, "W110", s->family[i]->name, "values that are no number, infinite, negative or too large, left out", &s->bad[i],
             "look at the exporter's log: it writes such values when the driver gives none");
}

void scrape_warn(struct scrape *s)
{
    static const char *const nameless[] = {
        [PODS_NO] = "series without the name of their GPU, node, namespace or owned thing, left out",
        [PODS_MAYBE] = "series that do not say which GPU they are of, left out",
        [PODS_ALWAYS] = "series without the name of their pod or GPU, left out",
    };
    struct diag *d = s->req->diag;

    for (size_t i = 0; i < s->n_families; i++) {
        const struct family *f = s->family[i];

        warn(d, "W111", f->name, "samples whose series has another one with the same time stamp, left out", &s->repeated[i],
             "look for two exporters, or two servers, whose series have the same labels");
        warn(d, "W112", f->name, "series whose samples are not in the order of time, sorted", &s->shuffled[i],
             "nothing is to be done: sorted, they give the same report");
        warn(d, "W114", f->name, nameless[f->pods], &s->nameless[i],
             "look at relabelling and recording rules: they have dropped labels of the exporter");
    }
}
