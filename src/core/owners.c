/* owners: resolves owner lines, cost centres and workloads into versions of pods.
 * A pod's attributes can change only where one of its step lists or an owner date says so: those instants are walked, and a new
 * version begins where the attributes really differ.
 *
 * Where money is divided, the order of versions breaks ties. Pods come in the order of their names, and so do the versions of one
 * generation; those of a later one are merged in by name (the rank), so that an index never decides between two names. */
#include "gputab/core/owners.h"

#include <string.h>

#include "gputab/base/buf.h"

struct builder {
    struct owners *o;
    const struct rule *rule;
    const struct inventory *inv;
    struct intern *names;
    VEC(time_ms) dates;            /* every from and until of the owner lines */
    VEC(time_ms) changes;          /* scratch, */
    struct steps steps;            /* scratch, */
    struct buf text;               /* scratch */
};

void owners_add_metric_name(struct buf *b, const char *label)
{
    buf_adds(b, "label_");
    for (const char *p = label; *p; p++) {
        bool keep = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_';

        buf_addc(b, keep ? *p : '_');
    }
}

static struct span label_value(struct builder *b, uint32_t labelset, const char *label)
{
    buf_clear(&b->text);
    owners_add_metric_name(&b->text, label);
    return inventory_label(b->inv, labelset, buf_span(&b->text));
}

static struct span namespace_label(struct builder *b, const struct pod *pod, const char *label, time_ms t)
{
    uint32_t ns = inventory_namespace(b->inv, pod->cluster, pod->namespace_name);

    if (ns == NONE)
        return (struct span){NULL, 0};
    return label_value(b, steps_at(&b->inv->namespaces.v[ns].labels, t, 0), label);
}

static bool glob_any(struct span text, const char **globs)
{
    for (; *globs; globs++)
        if (span_glob(text, *globs))
            return true;
    return false;
}

/* Whether the line matches; *value is the label's value for the label matches. */
static bool line_matches(struct builder *b, const struct rule_owner *line, const struct pod *pod, time_ms t, struct span *value)
{
    *value = (struct span){NULL, 0};
    if (t < line->from || t >= line->until)
        return false;
    if (line->match == RULE_MATCH_NAMESPACE)
        return glob_any(intern_get(b->names, pod->namespace_name), line->globs);
    *value = line->match == RULE_MATCH_POD_LABEL ? label_value(b, steps_at(&pod->labels, t, 0), line->label)
                                                 : namespace_label(b, pod, line->label, t);
    return value->n > 0 && (!line->value_glob || span_glob(*value, line->value_glob));
}

static uint32_t team_name(struct builder *b, const char *team, struct span value)
{
    const char *hole = strstr(team, "{value}");

    if (!hole)
        return intern_str(b->names, team);
    buf_clear(&b->text);
    buf_add(&b->text, team, (size_t)(hole - team));
    buf_add_span(&b->text, value);
    buf_adds(&b->text, hole + strlen("{value}"));
    return intern_span(b->names, buf_span(&b->text));
}

static uint32_t cost_centre_of(struct builder *b, uint32_t team)
{
    const char *id = rule_cost_centre(b->rule, intern_get(b->names, team));

    return id ? intern_str(b->names, id) : 0;
}

static void resolve_owner(struct builder *b, const struct pod *pod, time_ms t, struct pod_version *v)
{
    struct span value;

    if (!b->rule->has_owners) {
        v->team = pod->namespace_name;
        return;
    }
    for (size_t i = 0; i < b->rule->owners.n; i++) {
        const struct rule_owner *line = &b->rule->owners.v[i];

        if (!line_matches(b, line, pod, t, &value))
            continue;
        v->owner_line = (uint32_t)line->line & 0xfffffff;
        if (line->bucket)
            v->bucket = BUCKET_SYSTEM;
        else
            v->team = team_name(b, line->team, value);
        return;
    }
    v->bucket = BUCKET_UNMAPPED;
}

static uint32_t put_version(struct owners *o, const struct pod_version *v)
{
    struct span bytes = {(const char *)v, sizeof *v};
    bool found;
    uint32_t *at = fingerprint_map_at(&o->known, fingerprint_of(o->key, bytes), &found);

    if (!found) {
        *at = (uint32_t)o->versions.n;
        vec_push(&o->versions, *v);
    }
    return *at;
}

static uint32_t version_at(struct builder *b, uint32_t index, time_ms t)
{
    const struct pod *pod = &b->inv->pods.v[steps_at(&b->inv->pods.v[index].alias, t, index)];
    struct pod_version v;

    memset(&v, 0, sizeof v);
    v.pod = (struct pod_id){pod->cluster, pod->namespace_name, pod->name, pod->uid};
    resolve_owner(b, pod, t, &v);
    v.cost_centre = v.team ? cost_centre_of(b, v.team) : 0;
    v.workload = steps_at(&pod->workload, t, 0);
    return put_version(b->o, &v);
}

static void note_steps(struct builder *b, const struct steps *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        vec_push(&b->changes, s->v[i].from);
}

static void note_changes(struct builder *b, uint32_t index)
{
    const struct pod *pod = &b->inv->pods.v[index];
    uint32_t ns = inventory_namespace(b->inv, pod->cluster, pod->namespace_name);

    note_steps(b, &pod->labels);
    note_steps(b, &pod->workload);
    if (ns != NONE)
        note_steps(b, &b->inv->namespaces.v[ns].labels);
    for (size_t i = 0; i < b->dates.n; i++)
        vec_push(&b->changes, b->dates.v[i]);
}

static int by_time(const void *a, const void *b)
{
    time_ms x = *(const time_ms *)a, y = *(const time_ms *)b;

    return (x > y) - (x < y);
}

/* Pods are many and their steps few: none has a block of its own. */
static void keep_steps(struct builder *b, struct steps *out)
{
    size_t size = b->steps.n * sizeof *out->v;

    *out = (struct steps){arena_alloc(&b->o->steps, size), b->steps.n, b->steps.n};
    memcpy(out->v, b->steps.v, size);
}

static void build_pod(struct builder *b, uint32_t index)
{
    const struct pod *pod = &b->inv->pods.v[index];

    vec_clear(&b->changes);
    note_changes(b, index);
    note_steps(b, &pod->alias);
    for (uint32_t i = 0; i < pod->alias.n; i++)
        if (pod->alias.v[i].value != NONE && pod->alias.v[i].value != index)
            note_changes(b, pod->alias.v[i].value);
    if (b->changes.n)
        qsort(b->changes.v, b->changes.n, sizeof *b->changes.v, by_time);
    b->steps.n = 0;
    steps_push(&b->steps, TIME_MIN, version_at(b, index, TIME_MIN));
    for (size_t i = 0; i < b->changes.n; i++)
        if (b->changes.v[i] != TIME_MIN)
            steps_push(&b->steps, b->changes.v[i], version_at(b, index, b->changes.v[i]));
    keep_steps(b, &b->o->of_pod[index]);
}

static int by_name(const struct pod_id *a, const struct pod_id *b, const struct intern *names)
{
    int c = intern_cmp(names, a->cluster, b->cluster);

    c = c ? c : intern_cmp(names, a->namespace_name, b->namespace_name);
    return c ? c : intern_cmp(names, a->name, b->name);
}

/* Merges the versions from `old` on, which are in order, into those before them. */
static void rank_versions(struct owners *o, size_t old, const struct intern *names)
{
    size_t n = o->versions.n, k = 0, i = old;
    uint32_t *order = xreallocarray(NULL, old + 1, sizeof *order);

    for (size_t v = 0; v < old; v++)
        order[o->rank.v[v]] = (uint32_t)v;
    vec_reserve(&o->rank, n);
    o->rank.n = n;
    for (uint32_t place = 0; place < n; place++) {
        bool first = k < old && (i == n || by_name(&o->versions.v[order[k]].pod, &o->versions.v[i].pod, names) <= 0);

        o->rank.v[first ? order[k++] : i++] = place;
    }
    free(order);
}

static void find_dates(struct builder *b)
{
    for (size_t i = 0; i < b->rule->owners.n; i++) {
        if (b->rule->owners.v[i].from != TIME_MIN)
            vec_push(&b->dates, b->rule->owners.v[i].from);
        if (b->rule->owners.v[i].until != TIME_MAX)
            vec_push(&b->dates, b->rule->owners.v[i].until);
    }
}

void owners_update(struct owners *o, const struct rule *rule, const struct inventory *inv, struct intern *names)
{
    struct builder b = {.o = o, .rule = rule, .inv = inv, .names = names};
    size_t old = o->versions.n;

    if (!o->of_pod)
        o->key = fingerprint_new_key();
    arena_free(&o->steps);
    free(o->of_pod);
    o->of_pod = xcalloc(inv->pods.n + 1, sizeof *o->of_pod);
    find_dates(&b);
    for (uint32_t i = 0; i < inv->pods.n; i++)
        build_pod(&b, i);
    vec_fit(&o->versions);
    rank_versions(o, old, names);
    vec_fit(&o->rank);
    free(b.steps.v);
    vec_free(&b.dates);
    vec_free(&b.changes);
    buf_free(&b.text);
}

uint32_t owners_version(const struct owners *o, uint32_t pod, time_ms t)
{
    return steps_at(&o->of_pod[pod], t, NONE);
}

int owners_compare_pods(const struct owners *o, uint32_t a, uint32_t b)
{
    int c = memcmp(&o->versions.v[a].pod, &o->versions.v[b].pod, sizeof(struct pod_id));

    return (c > 0) - (c < 0);
}

void owners_forget(struct owners *o)
{
    free(o->of_pod);
    arena_free(&o->steps);
    vec_free(&o->versions);
    vec_free(&o->rank);
    fingerprint_map_free(&o->known);
    o->of_pod = NULL;
}

void owners_free(struct owners *o)
{
    owners_forget(o);
}

const char **owners_labels(const struct rule *rule, enum rule_match match)
{
    VEC(const char *) list = {0};

    for (size_t i = 0; i < rule->owners.n; i++)
        if (rule->owners.v[i].match == match)
            vec_push(&list, rule->owners.v[i].label);
    vec_push(&list, NULL);
    return list.v;
}
