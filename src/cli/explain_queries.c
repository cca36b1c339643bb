/* explain_queries: selectors by the label names that exporters use, renamed ones first, joined by `or`: of a series only one of them holds.
 * A range selector at the last instant before the period's end takes what gputab takes, raw samples of [from, to). Samples are weighted by
 * the interval, which is exact while they are regular. */
#include "gputab/cli/explain_queries.h"

#include <inttypes.h>
#include <string.h>

/* Label names that come in pairs. */
static const struct { const char *namespace_name, *pod; } spelt_pairs[] = {
    {"exported_namespace", "exported_pod"}, {"namespace", "pod"},
    {"podnamespace", "podname"}, {"NamespaceName", "PodName"}, {"pod_namespace", "pod_name"},
};
enum { PLAIN_PAIRS = 2, ALL_PAIRS = sizeof spelt_pairs / sizeof *spelt_pairs };

static const char *own_label(const struct family *f, enum label_role role)
{
    for (const struct family_label *l = f->labels; l && l->name; l++)
        if (l->role == role)
            return l->name;
    return NULL;
}

/* A label value as PromQL quotes it. */
static void add_quoted(struct buf *b, struct span s)
{
    buf_addc(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"' || s.p[i] == '\\')
            buf_addc(b, '\\');
        buf_addc(b, s.p[i]);
    }
    buf_addc(b, '"');
}

struct query {
    const struct family *f;
    struct span namespace_name, pod;
    struct timespan period;
};

static void add_range(const struct query *q, struct buf *b)
{
    time_ms at = q->period.to - 1;

    buf_addf(b, "[%" PRId64 "s] @ %" PRId64 ".%03" PRId64, timespan_ms(q->period) / TIME_SECOND, at / TIME_SECOND, at % TIME_SECOND);
}

static void add_selector(const struct query *q, const char *over, const char *namespace_label, const char *pod_label, struct buf *b)
{
    buf_addf(b, "sum(%s(%s{%s=", over, q->f->name, namespace_label);
    add_quoted(b, q->namespace_name);
    buf_addf(b, ",%s=", pod_label);
    add_quoted(b, q->pod);
    if (q->f->only.label && !strpbrk(q->f->only.glob, "*?")) {
        buf_addf(b, ",%s=", q->f->only.label);
        add_quoted(b, span_of(q->f->only.glob));
    }
    buf_addc(b, '}');
    add_range(q, b);
    buf_adds(b, "))");
}

static void add_sum(const struct query *q, const char *over, struct buf *b)
{
    const char *pod = own_label(q->f, ROLE_SPELT_POD), *namespace_name = own_label(q->f, ROLE_SPELT_NAMESPACE);
    size_t n = q->f->kind == SAMPLE_LAYER_USED || q->f->kind == SAMPLE_LAYER_PROCESS ? ALL_PAIRS : PLAIN_PAIRS;

    buf_addc(b, '(');
    if (pod && namespace_name) {
        add_selector(q, over, namespace_name, pod, b);
        n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        buf_adds(b, i ? " or " : "");
        add_selector(q, over, namespace_name ? namespace_name : spelt_pairs[i].namespace_name, pod ? pod : spelt_pairs[i].pod, b);
    }
    buf_addc(b, ')');
}

static void add_interval(struct buf *b, int64_t interval_ms)
{
    buf_addf(b, " * %" PRId64, interval_ms / TIME_SECOND);
    if (interval_ms % TIME_SECOND)
        buf_addf(b, ".%03" PRId64, interval_ms % TIME_SECOND);
    buf_adds(b, " / 3600");
}

static const char *gib_divisor(enum family_unit unit)
{
    switch (unit) {
    case UNIT_BYTES: return " / 1073741824";
    case UNIT_KIB: return " / 1048576";
    case UNIT_MIB: return " / 1024";
    default: return "";
    }
}

bool explain_query_memory(const struct family *f, struct span namespace_name, struct span pod, struct timespan period, int64_t interval_ms,
                          struct buf *out)
{
    if (f->pods == PODS_NO || f->kind == SAMPLE_PRESENT)
        return false;
    add_sum(&(struct query){f, namespace_name, pod, period}, "sum_over_time", out);
    add_interval(out, interval_ms);
    buf_adds(out, gib_divisor(f->unit));
    return true;
}

bool explain_query_hours(const struct family *f, struct span namespace_name, struct span pod, struct timespan period, int64_t interval_ms,
                         struct buf *out)
{
    if (f->pods == PODS_NO)
        return false;
    add_sum(&(struct query){f, namespace_name, pod, period}, "count_over_time", out);
    add_interval(out, interval_ms);
    return true;
}

static bool holds_memory(const struct family *f)
{
    static const int kinds[] = {SAMPLE_USED, SAMPLE_LAYER_USED, SAMPLE_LAYER_PROCESS, SAMPLE_PROCESS_USED};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (f->kind == kinds[i])
            return f->pods != PODS_NO;
    return false;
}

static void push(struct explanation *out, const char *what, struct buf *b)
{
    vec_push(&out->sections.v[out->sections.n - 1].lines,
             (struct explanation_line){.what = what, .verbatim = true, .note = explanation_text(out, b)});
}

void explain_queries(const struct metrics *m, struct span namespace_name, struct span pod, int64_t interval_ms, struct explanation *out)
{
    struct explanation_section *s = explanation_section(out, "promql", "the same from Prometheus", false);
    const struct family *f;
    struct buf b = {0};
    bool memory = false;

    for (size_t at = 0; (f = metrics_seen(m, &at));)
        memory |= holds_memory(f);
    s->words = "each sample counts for the interval; replicas of an exporter count twice there and once here, and of a card of which "
               "every pod "
               "shows a copy of its memory the pod's part is another";
    for (size_t at = 0; (f = metrics_seen(m, &at));) {
        if (memory ? !holds_memory(f) : f->kind != SAMPLE_PRESENT)
            continue;
        if (explain_query_memory(f, namespace_name, pod, out->period, interval_ms, &b))
            push(out, "GiB-hours of GPU memory", &b);
        if (explain_query_hours(f, namespace_name, pod, out->period, interval_ms, &b))
            push(out, "hours on devices, each one's", &b);
    }
    buf_free(&b);
}
