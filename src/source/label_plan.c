/* label_plan: from label names to places of what is looked for.
 *
 * Names are held against those of a plan byte by byte: nothing is taken for known that is not.
 *
 * Not here: what values mean (source/scrape_series), and where plans are kept. */
#include "gputab/source/label_plan.h"

#include <string.h>

/* ---- what names mean ---- */

/* A name may have a row among the labels, be one of a target's, or both. */
static struct label_meaning *list_label(struct label_meanings *m, const char *name)
{
    uint32_t id = intern_str(m->names, name);

    if (id > m->v.n)
        vec_push(&m->v, (struct label_meaning){ ROLES, -1 });
    return &m->v.v[id - 1];
}

void label_meanings_init(struct label_meanings *m)
{
    *m = (struct label_meanings){ .names = intern_new() };
    for (const struct family_label *l = exporters_labels; l->name; l++)
        list_label(m, l->name)->role = l->role;
    for (int i = 0; exporters_target_labels[i]; i++)
        list_label(m, exporters_target_labels[i])->target = i;
}

void label_meanings_free(struct label_meanings *m)
{
    intern_free(m->names);
    vec_free(&m->v);
}

/* ---- plans ---- */

void label_plan_free(struct label_plan *p)
{
    buf_free(&p->names);
    vec_free(&p->lengths);
}

bool label_plan_suits(const struct label_plan *p, const char *cluster_label, const struct openmetrics_label *labels, size_t n)
{
    const char *name = p->names.p;

    if (p->lengths.n != n || p->cluster_label != cluster_label || p->named)
        return false;
    for (size_t i = 0; i < n; name += p->lengths.v[i++])
        if (labels[i].value.n == 0 || !span_same(labels[i].name, (struct span){ name, p->lengths.v[i] }))
            return false;
    return true;
}

/* Ranks are of the labels that give roles, among those of one role: the lowest counts. */
static void take_role(struct label_plan *p, int *ranks, enum label_role role, int rank, int place)
{
    if (p->roles >> role & 1 && ranks[role] <= rank)
        return;
    p->roles |= (uint64_t)1 << role;
    ranks[role] = rank;
    p->role[role] = place;
}

/* Of two labels with one role, one of the family alone counts first, then that of the lower row. */
static void read_name(struct label_plan *p, int *ranks, const struct label_meanings *m, const struct family *f, struct span name, int place)
{
    uint32_t id = intern_find(m->names, name.p, name.n);
    const struct label_meaning *meaning = id ? &m->v.v[id - 1] : NULL;
    bool is_own = false;
    int own = 0;

    for (; f->labels && f->labels[own].name; own++)
        if (span_eq(name, f->labels[own].name)) {
            take_role(p, ranks, f->labels[own].role, own, place);
            is_own = true;
        }
    if (meaning && meaning->role != ROLES && !is_own)
        take_role(p, ranks, (enum label_role)meaning->role, own + (int)id, place);
    if (meaning && meaning->target >= 0)
        p->target[meaning->target] = place;
}

void label_plan_make(struct label_plan *p, const struct label_meanings *m, const struct family *f, const char *cluster_label,
                     const struct openmetrics_label *labels, size_t n)
{
    int ranks[ROLES];

    _Static_assert(ROLES <= 64, "a bit by role");
    buf_clear(&p->names);
    vec_clear(&p->lengths);
    *p = (struct label_plan){ .cluster_label = cluster_label, .names = p->names, .lengths = { p->lengths.v, 0, p->lengths.cap },
                              .cluster = -1, .only = -1 };
    memset(p->target, 0xff, sizeof p->target);
    for (size_t i = 0; i < n; i++) {
        struct span name = labels[i].name;

        buf_add_span(&p->names, name);
        vec_push(&p->lengths, name.n);
        p->named |= span_eq(name, "__name__");
        if (p->cluster < 0 && span_eq(name, cluster_label))
            p->cluster = (int)i;
        if (p->only < 0 && f->only.label && span_eq(name, f->only.label))
            p->only = (int)i;
        read_name(p, ranks, m, f, name, (int)i);
    }
}
