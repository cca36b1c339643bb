/* scrape_series: labels to a series.
 *
 * Two texts that differ only in the order of labels, or in labels without a value, are one series: its key is the label text in
 * canonical form, of which a fingerprint is kept. Of the labels only those that exporters_labels has are kept, as ids by role, and of
 * Kubernetes labels only those that the rule asks for: a label that changes with every sample then makes no difference.
 *
 * Not here: which of several names of pods is the workload's (source/scrape_pod). */
#include "gputab/source/scrape_series.h"

#include <stdlib.h>
#include <string.h>

enum { TARGET_LABELS = 8 };

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
static struct span label_key(struct scrape *s, const struct family *f, struct span cluster, const struct openmetrics_label *labels,
                             size_t n)
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

/* job="dcgm",instance="10.0.0.1:9400": quotes and backslashes escaped, so that different targets have different texts. */
static void add_target_label(struct buf *b, const char *name, struct span value)
{
    if (b->n > 0)
        buf_addc(b, ',');
    buf_adds(b, name);
    buf_adds(b, "=\"");
    for (size_t i = 0; i < value.n; i++) {
        if (value.p[i] == '"' || value.p[i] == '\\')
            buf_addc(b, '\\');
        buf_addc(b, value.p[i]);
    }
    buf_addc(b, '"');
}

static uint32_t find_target(struct scrape *s, uint32_t cluster, const struct span *values)
{
    uint32_t key[2] = { cluster, 0 }, id;

    buf_clear(&s->text);
    for (size_t i = 0; exporters_target_labels[i]; i++)
        if (values[i].n > 0)
            add_target_label(&s->text, exporters_target_labels[i], values[i]);
    key[1] = intern_put(s->req->names, s->text.p, s->text.n);
    id = intern_put(s->target_keys, key, sizeof key);
    if (id > s->targets.n)
        vec_push(&s->targets, (struct scrape_target){ .cluster = cluster, .text = key[1] });
    return id - 1;
}

/* The labels of a series that mean something. */
struct meaning {
    struct span role[ROLES];
    int rank[ROLES];               /* of the label that gives it, among those of one role; -1: none */
    struct span target[TARGET_LABELS];
};

static void take_role(struct meaning *m, enum label_role role, int rank, struct span value)
{
    if (m->rank[role] >= 0 && m->rank[role] <= rank)
        return;
    m->rank[role] = rank;
    m->role[role] = value;
}

/* Of two labels with one role, one of the family alone counts first, then that of the lower row. */
static void read_label(const struct scrape *s, const struct family *f, struct openmetrics_label label, size_t n_rows, struct meaning *m)
{
    uint32_t id = intern_find(s->label_names, label.name.p, label.name.n);
    bool is_own = false;
    int own = 0;

    for (; f->labels && f->labels[own].name; own++)
        if (span_eq(label.name, f->labels[own].name)) {
            take_role(m, f->labels[own].role, own, label.value);
            is_own = true;
        }
    if (id == 0)
        return;
    if (id <= n_rows && !is_own)
        take_role(m, exporters_labels[id - 1].role, own + (int)id, label.value);
    for (size_t i = 0; exporters_target_labels[i]; i++)
        if (span_eq(label.name, exporters_target_labels[i]))
            m->target[i] = label.value;
}

static void read_labels(const struct scrape *s, const struct family *f, const struct openmetrics_label *labels, size_t n, struct meaning *m)
{
    size_t n_rows = 0;

    *m = (struct meaning){ 0 };
    memset(m->rank, 0xff, sizeof m->rank);
    while (exporters_labels[n_rows].name)
        n_rows++;
    for (size_t i = 0; i < n; i++)
        read_label(s, f, labels[i], n_rows, m);
}

/* A GPU's UUID or number in one form. A part of a card, such as a tile, is a device of its own; the first part goes by the card's name. */
static struct span name_device(struct scrape *s, enum label_role role, struct span value, struct span part)
{
    buf_clear(&s->text);
    if (role == ROLE_UUID)
        exporters_add_uuid(&s->text, value);
    else
        buf_add_span(&s->text, exporters_index(value));
    if (s->text.n > 0 && part.n > 0 && !span_eq(part, "0")) {
        buf_addc(&s->text, '/');
        buf_add_span(&s->text, part);
    }
    return buf_span(&s->text);
}

static void keep_roles(struct scrape *s, const struct span *roles, struct scrape_series *series)
{
    uint32_t ids[ROLES], n = 0;

    _Static_assert(ROLES <= 64, "a bit by role");
    for (int i = 0; i < ROLES; i++) {
        struct span value = roles[i];

        if (value.n == 0)
            continue;
        if (i == ROLE_UUID || i == ROLE_INDEX)
            value = name_device(s, i, value, roles[ROLE_PARTITION]);
        if (value.n == 0)
            continue;
        series->roles |= (uint64_t)1 << i;
        ids[n++] = intern_span(s->req->names, value);
    }
    series->values = arena_alloc(&s->values, (n + 1) * sizeof *ids);
    memcpy(series->values, ids, n * sizeof *ids);
}

void scrape_give_role(struct scrape *s, struct scrape_series *series, enum label_role role, uint32_t value)
{
    uint64_t bit = (uint64_t)1 << role;
    size_t n = (size_t)__builtin_popcountll(series->roles), at = (size_t)__builtin_popcountll(series->roles & (bit - 1));
    uint32_t *values = arena_alloc(&s->values, (n + 1) * sizeof *values);

    memcpy(values, series->values, at * sizeof *values);
    values[at] = value;
    memcpy(values + at + 1, series->values + at, (n - at) * sizeof *values);
    series->values = values;
    series->roles |= bit;
}

/* What Kubernetes labels say, where the family carries them. */
static void keep_kubernetes_labels(struct scrape *s, const struct openmetrics_label *labels, size_t n, struct scrape_series *series)
{
    if (series->kind == RECORD_POD_LABELS)
        series->labelset = label_choice_set(&s->pod_labels, s->labelsets, labels, n);
    else if (series->kind == RECORD_NAMESPACE_LABELS)
        series->labelset = label_choice_set(&s->namespace_labels, s->labelsets, labels, n);
    else if (series->kind == RECORD_NODE_LABELS)
        for (size_t i = 0; i < n; i++)
            series->sharing |= exporters_sharing(labels[i].name, labels[i].value);
}

static uint32_t add_series(struct scrape *s, struct span cluster, const struct family *f, uint64_t order,
                           const struct openmetrics_label *labels, size_t n)
{
    struct scrape_series series = { .family = f, .order = order, .number = (uint32_t)s->series.n };
    struct meaning m;

    if (f->only.label && !span_glob(label_choice_find(labels, n, f->only.label), f->only.glob))
        return NONE;
    read_labels(s, f, labels, n, &m);
    if (!exporters_meaning(f, m.role, &series.kind, &series.unit))
        return NONE;
    series.cluster = intern_span(s->req->names, cluster);
    series.target = find_target(s, series.cluster, m.target);
    keep_roles(s, m.role, &series);
    keep_kubernetes_labels(s, labels, n, &series);
    if (series.kind <= SAMPLE_PROCESS_USED && scrape_role(&series, ROLE_EXPORTED_POD))
        s->targets.v[series.target].renames = true;
    vec_push(&s->series, series);
    return (uint32_t)(s->series.n - 1);
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
