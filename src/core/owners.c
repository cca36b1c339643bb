/* owners: resolves owner lines, cost centres and workloads into versions of pods.
 * A pod's attributes can change only where one of its step lists or an owner date says so: those instants are walked, and a new
 * version begins where the attributes really differ. */
#include "gputab/core/owners.h"

#include <string.h>

#include "gputab/base/buf.h"

struct builder {
    struct owners *o;
    const struct rule *rule;
    const struct inventory *inv;
    struct intern *names;
    uint32_t *newest;              /* per inventory pod: its newest version's index + 1; 0: none yet */
    VEC(uint32_t) older;           /* per version: that of the one before it of the same pod, likewise */
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
    struct span name = intern_get(b->names, team);

    for (size_t i = 0; i < b->rule->cost_centres.n; i++)
        for (const char **t = b->rule->cost_centres.v[i].teams; *t; t++)
            if (span_eq(name, *t))
                return intern_str(b->names, b->rule->cost_centres.v[i].id);
    return 0;
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

/* Its index; a pod has few different ones. */
static uint32_t put_version(struct builder *b, const struct pod_version *v)
{
    uint32_t *newest = &b->newest[v->pod];

    for (uint32_t id = *newest; id; id = b->older.v[id - 1])
        if (memcmp(&b->o->versions.v[id - 1], v, sizeof *v) == 0)
            return id - 1;
    vec_push(&b->o->versions, *v);
    vec_push(&b->older, *newest);
    *newest = (uint32_t)b->o->versions.n;
    return *newest - 1;
}

static uint32_t version_at(struct builder *b, uint32_t pod, time_ms t)
{
    struct pod_version v;

    memset(&v, 0, sizeof v);       /* compared by its bytes */
    v.pod = steps_at(&b->inv->pods.v[pod].alias, t, pod);
    resolve_owner(b, &b->inv->pods.v[v.pod], t, &v);
    v.cost_centre = v.team ? cost_centre_of(b, v.team) : 0;
    v.workload = steps_at(&b->inv->pods.v[v.pod].workload, t, 0);
    return put_version(b, &v);
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

void owners_build(struct owners *o, const struct rule *rule, const struct inventory *inv, struct intern *names)
{
    struct builder b = {.o = o, .rule = rule, .inv = inv, .names = names};

    for (size_t i = 0; i < rule->owners.n; i++) {
        if (rule->owners.v[i].from != TIME_MIN)
            vec_push(&b.dates, rule->owners.v[i].from);
        if (rule->owners.v[i].until != TIME_MAX)
            vec_push(&b.dates, rule->owners.v[i].until);
    }
    b.newest = xcalloc(inv->pods.n + 1, sizeof *b.newest);
    o->of_pod = xcalloc(inv->pods.n + 1, sizeof *o->of_pod);
    for (uint32_t i = 0; i < inv->pods.n; i++)
        build_pod(&b, i);
    vec_fit(&o->versions);
    free(b.newest);
    free(b.steps.v);
    vec_free(&b.older);
    vec_free(&b.dates);
    vec_free(&b.changes);
    buf_free(&b.text);
}

uint32_t owners_version(const struct owners *o, uint32_t pod, time_ms t)
{
    return steps_at(&o->of_pod[pod], t, NONE);
}

void owners_free(struct owners *o)
{
    free(o->of_pod);
    arena_free(&o->steps);
    vec_free(&o->versions);
    o->of_pod = NULL;
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
