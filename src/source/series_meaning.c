/* series_meaning: labels to roles, a target, and a pod.
 *
 * Of the labels only those that exporters_labels and the family itself have are kept, as string ids by role, and of Kubernetes labels only
 * those that the rule asks for. Whose a series is can be said only when all series of its target are known, since one that was renamed
 * says what the plain labels of the others are.
 *
 * Not here: what tells one series from another (source/scrape), and what several series mean together (source/inventory). */
#include "gputab/source/series_meaning.h"

#include <string.h>

#include "gputab/base/buf.h"

enum { TARGET_LABELS = 8 };

/* ---- labels ---- */

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

void series_meaning_give_role(struct scrape *s, struct scrape_series *series, enum label_role role, uint32_t value)
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

bool series_meaning_read(struct scrape *s, struct span cluster, const struct openmetrics_label *labels, size_t n,
                         struct scrape_series *series)
{
    const struct family *f = series->family;
    struct meaning m;

    if (f->only.label && !span_glob(label_choice_find(labels, n, f->only.label), f->only.glob))
        return false;
    read_labels(s, f, labels, n, &m);
    if (!exporters_meaning(f, m.role, &series->kind, &series->unit))
        return false;
    series->cluster = intern_span(s->req->names, cluster);
    series->target = find_target(s, series->cluster, m.target);
    keep_roles(s, m.role, series);
    keep_kubernetes_labels(s, labels, n, series);
    if (series->kind <= SAMPLE_PROCESS_USED && scrape_role(series, ROLE_EXPORTED_POD))
        s->targets.v[series->target].renames = true;
    return true;
}

/* ---- whose ---- */

static uint32_t first_of(uint32_t a, uint32_t b)
{
    return a ? a : b;
}

/* A workload manager's job stands for a pod, in its user's namespace as far as that is known. */
static uint32_t hpc_namespace(const struct scrape *s, const struct scrape_series *series)
{
    return first_of(scrape_role(series, ROLE_HPC_USER), intern_str(s->req->names, "hpc_job"));
}

/* Whether the family says by a label of its own who the workload is: plain labels are the exporter's then. */
static bool names_workload(const struct family *f)
{
    for (const struct family_label *l = f->labels; l && l->name; l++)
        if (l->role == ROLE_SPELT_POD)
            return true;
    return false;
}

/* Whose a series is. A field that the target does not carry itself was not renamed, so it is looked for under its plain name. */
void series_meaning_find_pod(const struct scrape *s, struct scrape_series *series)
{
    const struct intern *names = s->req->names;
    struct scrape_pod plain = { scrape_role(series, ROLE_NAMESPACE), scrape_role(series, ROLE_POD), scrape_role(series, ROLE_CONTAINER),
                                scrape_role(series, ROLE_UID) };
    struct scrape_pod renamed = { first_of(scrape_role(series, ROLE_EXPORTED_NAMESPACE), plain.namespace_name),
                                  scrape_role(series, ROLE_EXPORTED_POD),
                                  first_of(scrape_role(series, ROLE_EXPORTED_CONTAINER), plain.container), plain.uid };
    struct scrape_pod spelt = { first_of(scrape_role(series, ROLE_SPELT_NAMESPACE), plain.namespace_name),
                                scrape_role(series, ROLE_SPELT_POD), scrape_role(series, ROLE_SPELT_CONTAINER), plain.uid };
    bool gpu = series->kind <= SAMPLE_PROCESS_USED, said = names_workload(series->family);
    bool own = gpu && (said || s->targets.v[series->target].renames || series->family->pods == PODS_NO ||
                       exporters_is_exporter(intern_get(names, plain.name)) ||
                       exporters_is_exporter(intern_get(names, plain.container)));

    if (own)
        series->exporter = plain;
    if (series->family->pods == PODS_NO) {
        if (!gpu)
            series->pod.namespace_name = renamed.namespace_name;
        return;
    }
    if (renamed.name && !said)
        series->pod = renamed;
    else if (spelt.name && (said || !gpu || !exporters_is_exporter(intern_get(names, spelt.name))))
        series->pod = spelt;
    else if (plain.name && !own)
        series->pod = plain;
    else if (gpu && scrape_role(series, ROLE_HPC_JOB))
        series->pod = (struct scrape_pod){ .namespace_name = hpc_namespace(s, series), .name = scrape_role(series, ROLE_HPC_JOB) };
}

/* By its UUID, by its place in a machine, or as all that is in a machine; which machine, source/inventory_gpu finds out. */
static bool names_gpu(const struct scrape_series *s)
{
    bool placed = scrape_role(s, ROLE_NODE) || scrape_role(s, ROLE_HOSTNAME) || scrape_role(s, ROLE_INSTANCE);

    return scrape_role(s, ROLE_UUID) || scrape_role(s, ROLE_MACHINE) || (scrape_role(s, ROLE_INDEX) && placed);
}

/* Whether the labels name what the kind speaks of. */
bool series_meaning_is_named(const struct scrape_series *series)
{
    if (series->kind <= SAMPLE_PROCESS_USED && !names_gpu(series))
        return false;
    if (series->family->pods == PODS_ALWAYS)
        return series->pod.name != 0;
    switch (series->kind) {
    case SAMPLE_CAPACITY_GPU: case SAMPLE_CAPACITY_GPU_SHARED:
    case RECORD_NODE_CPU: case RECORD_NODE_MEMORY: case RECORD_NODE_INFO: case RECORD_NODE_LABELS:
        return scrape_role(series, ROLE_NODE) != 0;
    case RECORD_NAMESPACE_LABELS:
        return series->pod.namespace_name != 0;
    case RECORD_GPU_INFO:
        return scrape_role(series, ROLE_UUID) != 0;
    case RECORD_REPLICASET_OWNER:
        return scrape_role(series, ROLE_REPLICASET) != 0;
    case RECORD_JOB_OWNER:
        return scrape_role(series, ROLE_JOB_NAME) != 0;
    default:
        return true;
    }
}
