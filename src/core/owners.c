/* owners: resolves owner lines, aliases, cost centres and workloads into versions of pods.
 * A pod's attributes can change only where one of its step lists or an owner date says so: those instants are walked, and a new
 * version begins where the attributes really differ.
 *
 * Where money is divided, the order of versions breaks ties. Pods come in the order of their names, and so do the versions of one
 * generation; those of a later one are merged in by name (the rank), so that an index never decides between two names. */
#include "gputab/core/owners.h"

#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/core/owner_match.h"

struct named_team {                /* what a team of the lines comes to */
    uint32_t team, cost_centre;
};

struct line_team {                 /* of an owner line */
    bool known;                    /* that a pod asked for it: */
    bool fixed;                    /* the line names the team itself, */
    struct named_team team;        /* this one */
};

struct builder {
    struct owners *o;
    const struct rule *rule;
    const struct inventory *inv;
    struct intern *names;
    struct owner_match match;
    struct fingerprint_map team_at;        /* a team's string id as the line gives it: index into teams */
    VEC(struct named_team) teams;
    struct line_team *of_line;     /* by line of the rule */
    uint32_t last_id;              /* of a team as a line gave it: the one that was asked for last; 0: none yet */
    struct named_team last_team;
    VEC(time_ms) dates;            /* every from and until of the owner lines */
    struct time_list changes;      /* scratch, */
    struct steps steps;            /* scratch, */
    struct buf text;               /* scratch */
};

static const char *hole_in(const char *team)
{
    return strstr(team, "{value}");
}

static uint32_t fill_in_value(struct builder *b, const char *team, struct span value)
{
    const char *hole = hole_in(team);

    buf_clear(&b->text);
    buf_add(&b->text, team, (size_t)(hole - team));
    buf_add_span(&b->text, value);
    buf_adds(&b->text, hole + strlen("{value}"));
    return intern_span(b->names, buf_span(&b->text));
}

static uint32_t cost_centre_of(const struct builder *b, struct span team)
{
    const char *id = rule_cost_centre(b->rule, team);

    return id ? intern_str(b->names, id) : 0;
}

/* Teams are few, however many pods: each is looked up once. */
static struct named_team find_team(struct builder *b, uint32_t id)
{
    struct fingerprint key = fingerprint_of(b->o->key, (struct span){(const char *)&id, sizeof id});
    bool found;
    uint32_t *at = fingerprint_map_at(&b->team_at, key, &found);

    if (!found) {
        const char *meant = rule_team_meant(b->rule, intern_get(b->names, id));
        uint32_t team = meant ? intern_str(b->names, meant) : id;

        *at = (uint32_t)b->teams.n;
        vec_push(&b->teams, (struct named_team){team, cost_centre_of(b, intern_get(b->names, team))});
    }
    return b->teams.v[*at];
}

/* Pods that follow one another are of one team for the most part. */
static struct named_team name_team(struct builder *b, uint32_t id)
{
    if (!id || b->last_id != id)
        b->last_team = find_team(b, id);
    b->last_id = id;
    return b->last_team;
}

static struct named_team team_of_line(struct builder *b, const struct rule_owner *line, struct span value)
{
    struct line_team *l = &b->of_line[line - b->rule->owners.v];

    if (!l->known) {
        l->known = true;
        l->fixed = !hole_in(line->team);
        if (l->fixed)
            l->team = find_team(b, intern_str(b->names, line->team));
    }
    return l->fixed ? l->team : name_team(b, fill_in_value(b, line->team, value));
}

static void set_team(struct pod_version *v, struct named_team t)
{
    v->team = t.team;
    v->cost_centre = t.cost_centre;
}

static void resolve_owner(struct builder *b, const struct pod *pod, time_ms t, struct pod_version *v)
{
    const struct rule_owner *line;
    struct span value;

    if (!b->rule->has_owners) {
        set_team(v, name_team(b, pod->namespace_name));
        return;
    }
    line = owner_match_find(&b->match, pod, t, &value);
    if (!line) {
        v->bucket = BUCKET_UNMAPPED;
        return;
    }
    v->owner_line = (uint32_t)line->line & 0xfffffff;
    if (line->bucket)
        v->bucket = BUCKET_SYSTEM;
    else
        set_team(v, team_of_line(b, line, value));
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

    note_steps(b, &pod->workload);
    owner_match_add_changes(&b->match, pod, &b->changes);
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
    if (b->changes.n > 1)
        qsort(b->changes.v, b->changes.n, sizeof *b->changes.v, by_time);
    b->steps.n = 0;
    steps_push(&b->steps, TIME_MIN, version_at(b, index, TIME_MIN));
    for (size_t i = 0; i < b->changes.n; i++)
        if (b->changes.v[i] != (i ? b->changes.v[i - 1] : TIME_MIN))         /* several things may change at once */
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
    b.of_line = xcalloc(rule->owners.n + 1, sizeof *b.of_line);
    owner_match_init(&b.match, rule, inv);
    find_dates(&b);
    for (uint32_t i = 0; i < inv->pods.n; i++)
        build_pod(&b, i);
    vec_fit(&o->versions);
    rank_versions(o, old, names);
    vec_fit(&o->rank);
    free(b.steps.v);
    owner_match_free(&b.match);
    fingerprint_map_free(&b.team_at);
    vec_free(&b.teams);
    free(b.of_line);
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

const char **owners_labels(const struct rule *rule, unsigned matches)
{
    VEC(const char *) list = {0};

    for (size_t i = 0; i < rule->owners.n; i++) {
        const struct rule_owner *o = &rule->owners.v[i];

        for (size_t k = 0; k < o->n_matchers; k++)
            for (const char *const *n = o->matchers[k].names; n && *n && (matches >> o->matchers[k].match & 1); n++)
                vec_push(&list, *n);
    }
    for (size_t i = 0; i < rule->idle.owners.n && (matches >> RULE_MATCH_NODE_LABEL & 1); i++)
        if (rule->idle.owners.v[i].label)
            vec_push(&list, rule->idle.owners.v[i].label);
    vec_push(&list, NULL);
    return list.v;
}
