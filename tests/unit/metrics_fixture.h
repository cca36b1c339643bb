/* metrics_fixture: loads OpenMetrics text and tells what came of it as short texts. Times are seconds after BASE_S; "min" is always. */
#ifndef GPUTAB_TESTS_METRICS_FIXTURE_H
#define GPUTAB_TESTS_METRICS_FIXTURE_H

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gputab/source/metrics.h"
#include "gputab/value/sample_pack.h"

#define BASE_S INT64_C(1791158400)                     /* 2026-10-05T00:00:00Z */
#define AT(seconds) ((BASE_S + (seconds)) * TIME_SECOND)

struct loaded {
    struct intern *names;
    struct inventory inv;
    struct diag diag;
    struct err err;
    struct metrics *metrics;
    const struct family *families;     /* of the user; NULL: none */
    int more_days;                     /* of the period, which has one at least */
    int rc;
};

static const char *const fixture_pod_labels[] = { "example.com/team", "app", "costCenter", NULL };
static const char *const fixture_namespace_labels[] = { "team", NULL };

static inline struct metrics_request fixture_request(struct loaded *l, const struct node_file *nodes)
{
    return (struct metrics_request){
        .period = { AT(0), AT(86400) + l->more_days * TIME_DAY }, .max_gap_ms = 300 * TIME_SECOND, .pod_labels = fixture_pod_labels,
        .namespace_labels = fixture_namespace_labels, .nodes = nodes, .families = l->families, .names = l->names,
        .diag = &l->diag,
    };
}

static inline void fixture_init(struct loaded *l)
{
    *l = (struct loaded){ .names = intern_new() };
    inventory_init(&l->inv, l->names);
}

/* The pods of the whole period. */
static inline void fixture_look(struct loaded *l)
{
    struct sample_window w = { 0 };

    l->rc = metrics_window(l->metrics, fixture_request(l, NULL).period, &w, &l->err);
    vec_free(&w.runs);
}

/* Loads the bytes as a file of their own, and looks at no window yet. */
static inline void fixture_open_bytes(struct loaded *l, const void *bytes, size_t n, const struct node_file *nodes)
{
    char path[] = "/tmp/gputab-metrics-XXXXXX";
    int fd = mkstemp(path);
    struct metrics_request req = fixture_request(l, nodes);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
    close(fd);
    l->rc = metrics_open(&l->metrics, &(struct metrics_source){ .name = "", .cluster_label = "cluster", .file = path }, 1, &req, &l->inv,
                         &l->err);
    unlink(path);
}

static inline void fixture_load_bytes(struct loaded *l, const void *bytes, size_t n, const struct node_file *nodes)
{
    fixture_open_bytes(l, bytes, n, nodes);
    if (l->rc == 0)
        fixture_look(l);
}

/* "@123" in the text becomes the time stamp 123 s after BASE_S; "# EOF" is appended. */
static inline char *fixture_text(const char *text)
{
    struct buf b = { 0 };

    for (const char *p = text; *p; p++) {
        if (*p == '@' && p > text && p[-1] == ' ') {
            char *end;
            double s = strtod(p + 1, &end);

            buf_addf(&b, "%.3f", (double)BASE_S + s);
            p = end - 1;
        } else {
            buf_addc(&b, *p);
        }
    }
    buf_adds(&b, "# EOF\n");
    return buf_take(&b);
}

static inline void fixture_load_with(struct loaded *l, const char *text, const struct node_file *nodes)
{
    char *full = fixture_text(text);

    fixture_load_bytes(l, full, strlen(full), nodes);
    ck_assert_msg(l->rc == 0, "%" PRId64 ":%" PRId64 ": %s", l->err.line, l->err.column, l->err.text);
    free(full);
}

static inline void fixture_load(struct loaded *l, const char *text)
{
    fixture_init(l);
    fixture_load_with(l, text, NULL);
}

static inline void fixture_free(struct loaded *l)
{
    metrics_free(l->metrics);
    inventory_free(&l->inv);
    diag_free(&l->diag);
    intern_free(l->names);
}

static inline const char *fixture_name(const struct loaded *l, uint32_t id)
{
    return intern_cstr(l->names, id);
}

enum steps_of { STEPS_TEXT, STEPS_NUMBER, STEPS_NODE, STEPS_UID, STEPS_LABELS };

static inline void fixture_add_value(const struct loaded *l, struct buf *b, uint32_t value, enum steps_of kind)
{
    struct span set;

    switch (kind) {
    case STEPS_TEXT: buf_adds(b, value ? fixture_name(l, value) : "-"); break;
    case STEPS_NUMBER: buf_addf(b, "%" PRIu32, value); break;
    case STEPS_NODE: buf_adds(b, value == NONE ? "-" : fixture_name(l, l->inv.nodes.v[value].name)); break;
    case STEPS_UID: buf_adds(b, value == NONE ? "-" : fixture_name(l, l->inv.pods.v[value].uid)); break;
    case STEPS_LABELS:
        set = intern_get(l->inv.labelsets, value);
        if (set.n == 0)
            buf_addc(b, '-');
        for (size_t i = 0, nth = 0; i < set.n; i++) {
            if (set.p[i])
                buf_addc(b, set.p[i]);
            else if (i + 1 < set.n)
                buf_addc(b, nth++ % 2 ? ',' : '=');
        }
        break;
    }
}

/* "-600:i-1 3600:i-2" */
static inline void fixture_add_steps(const struct loaded *l, struct buf *b, const struct steps *s, enum steps_of kind)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (i > 0)
            buf_addc(b, ' ');
        if (s->v[i].from == TIME_MIN)
            buf_adds(b, "min:");
        else
            buf_addf(b, "%g:", (double)(s->v[i].from - AT(0)) / TIME_SECOND);
        fixture_add_value(l, b, s->v[i].value, kind);
    }
}

static inline void fixture_check_steps(const struct loaded *l, const struct steps *s, enum steps_of kind, const char *expected)
{
    struct buf b = { 0 };

    fixture_add_steps(l, &b, s, kind);
    ck_assert_str_eq(buf_str(&b), expected);
    buf_free(&b);
}

static inline const struct pod *fixture_pod(const struct loaded *l, const char *ns, const char *name, const char *uid)
{
    for (size_t i = 0; i < l->inv.pods.n; i++) {
        const struct pod *p = &l->inv.pods.v[i];

        if (strcmp(fixture_name(l, p->namespace_name), ns) == 0 && strcmp(fixture_name(l, p->name), name) == 0 &&
            strcmp(fixture_name(l, p->uid), uid) == 0)
            return p;
    }
    ck_abort_msg("no pod %s/%s %s", ns, name, uid);
    return NULL;
}

static inline const struct node *fixture_node(const struct loaded *l, const char *name)
{
    for (size_t i = 0; i < l->inv.nodes.n; i++)
        if (strcmp(fixture_name(l, l->inv.nodes.v[i].name), name) == 0)
            return &l->inv.nodes.v[i];
    ck_abort_msg("no node %s", name);
    return NULL;
}

static inline void fixture_add_series(const struct loaded *l, struct buf *b, const struct series *s)
{
    static const char *const kinds[SAMPLE_KINDS] = { "used", "free", "total", "reserved", "present", "layer", "layer-process",
                                                     "process", "capacity-gpu", "capacity-shared", "request-gpu", "request-shared",
                                                     "request-cpu", "request-memory", "cpu", "memory" };

    buf_adds(b, kinds[s->kind]);
    if (s->device != NONE) {
        const struct device *d = &l->inv.devices.v[s->device];

        buf_addf(b, " gpu=%s", fixture_name(l, l->inv.gpus.v[d->gpu].uuid));
        if (d->gi)
            buf_addf(b, "/%s", fixture_name(l, d->gi));
    }
    if (s->node != NONE)
        buf_addf(b, " node=%s", fixture_name(l, l->inv.nodes.v[s->node].name));
    if (s->pod != NONE) {
        const struct pod *p = &l->inv.pods.v[s->pod];

        buf_addf(b, " pod=%s/%s", fixture_name(l, p->namespace_name), fixture_name(l, p->name));
        if (p->uid)
            buf_addf(b, "#%s", fixture_name(l, p->uid));
    }
    if (s->container)
        buf_addf(b, " c=%s", fixture_name(l, s->container));
    if (s->slot)
        buf_addf(b, " slot=%s", fixture_name(l, s->slot));
}

/* The first sample of a run. */
static inline struct sample fixture_first(const struct sample_run *run)
{
    struct samples samples = { 0 };
    struct sample first;

    sample_pack_read_run(run, &samples);
    first = samples.v[0];
    vec_free(&samples);
    return first;
}

/* Every series with samples in the span, a line each: what it is, ":", and "time=value" for each sample. */
static inline char *fixture_samples(struct loaded *l, struct timespan span)
{
    struct sample_window w = { 0 };
    struct samples samples = { 0 };
    struct buf b = { 0 };

    buf_adds(&b, "");
    ck_assert_int_eq(metrics_window(l->metrics, span, &w, &l->err), 0);
    for (size_t i = 0; i < w.runs.n; i++) {
        fixture_add_series(l, &b, &w.series[w.runs.v[i].series]);
        buf_addc(&b, ':');
        vec_clear(&samples);
        sample_pack_read_run(&w.runs.v[i], &samples);
        ck_assert_uint_eq(samples.n, w.runs.v[i].n);
        for (size_t k = 0; k < samples.n; k++)
            buf_addf(&b, " %g=%" PRIu64, (double)(samples.v[k].time - AT(0)) / TIME_SECOND, samples.v[k].value);
        buf_addc(&b, '\n');
    }
    vec_free(&samples);
    vec_free(&w.runs);
    buf_adds(&b, "");
    return buf_take(&b);
}

static inline void fixture_check_samples(struct loaded *l, const char *expected)
{
    char *text = fixture_samples(l, (struct timespan){ AT(0), AT(86400) });

    ck_assert_str_eq(text ? text : "", expected);
    free(text);
}

#endif
