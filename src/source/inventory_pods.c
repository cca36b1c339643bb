/* inventory_pods: which pod is which, whose it is and where it runs.
 *
 * Exporters often know a pod by its bare name only, and names are used again. kube-state-metrics knows the uid, so a bare name becomes an
 * alias that leads to one pod after another. Where kube-state-metrics itself knows no uid, it is the other way round: pods with a uid take
 * over what it says of the bare name.
 *
 * Pods of one name stand next to each other in the inventory, the bare name (without uid) first. */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"

/* Owners of ReplicaSets and Jobs: cluster, namespace, "Kind/name" to the owner's "Kind/name", over time. */
struct parents {
    struct tuples keys;
    struct steps *owner;
    struct arena room;             /* of those steps */
};

/* When the last container ended of those that had: what a record said at some time. */
struct completion {
    uint32_t pod;
    time_ms at;
};

struct pod_histories {
    struct history node, labels, annotations, ended, owner, creator, request_node, alias;
    VEC(struct completion) completions;
    bool *has_owner, *has_node;    /* by pod: a record of its own says so */
    uint32_t *bare;                /* by pod: the bare name of its name; NONE: there is none */
    struct samples scratch;
};

/* "Kind/name"; 0 for no owner, which kube-state-metrics writes as <none> or leaves empty. */
static uint32_t owner_text(struct inventory_build *b, uint32_t kind, uint32_t name)
{
    struct span k = intern_get(b->names, kind), n = intern_get(b->names, name);

    if (k.n == 0 || n.n == 0 || span_eq(k, "<none>") || span_eq(n, "<none>"))
        return 0;
    buf_clear(&b->text);
    buf_add_span(&b->text, k);
    buf_addc(&b->text, '/');
    buf_add_span(&b->text, n);
    return intern_span(b->names, buf_span(&b->text));
}

/* The controller goes before other owners. */
static uint32_t owner_rank(const struct inventory_build *b, const struct replay_series *s)
{
    return span_eq(intern_get(b->names, replay_role(s, ROLE_OWNER_IS_CONTROLLER)), "true");
}

static bool parent_key(struct inventory_build *b, const struct replay_series *s, uint32_t *key)
{
    bool set = s->kind == RECORD_REPLICASET_OWNER, job = s->kind == RECORD_JOB_OWNER;

    if (!set && !job)
        return false;
    key[0] = s->cluster;
    key[1] = s->pod.namespace_name;
    key[2] = set ? owner_text(b, intern_str(b->names, "ReplicaSet"), replay_role(s, ROLE_REPLICASET))
                 : owner_text(b, intern_str(b->names, "Job"), replay_role(s, ROLE_JOB_NAME));
    return key[2] != 0;
}

static void fill_parents(struct inventory_build *b, struct parents *p)
{
    struct history h = { 0 };
    uint32_t key[3];

    tuples_init(&p->keys, b->names, 3);
    for (size_t i = 0; i < b->replay->series.n; i++)
        if (parent_key(b, &b->replay->series.v[i], key))
            tuples_add(&p->keys, key);
    tuples_sort(&p->keys);
    p->owner = xcalloc(p->keys.n + 1u, sizeof *p->owner);
    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];
        struct history_record r = inventory_record(s);

        if (!parent_key(b, s, key))
            continue;
        r.key = tuples_find(&p->keys, key);
        r.on = owner_text(b, replay_role(s, ROLE_OWNER_KIND), replay_role(s, ROLE_OWNER_NAME));
        r.rank = owner_rank(b, s);
        history_add(&h, r);
    }
    history_build(&h, p->owner, sizeof *p->owner, 0, &p->room);
    history_free(&h);
}

static void free_parents(struct parents *p)
{
    for (uint32_t i = 0; i < p->keys.n; i++)
        steps_free(&p->owner[i]);
    free(p->owner);
    arena_free(&p->room);
    tuples_free(&p->keys);
}

/* A pod's owner during [from, to) becomes the top owner's steps. Before a ReplicaSet's first record its first owner holds: it never had
 * another one, its record is only younger than the pod's. */
static void add_top_owner(const struct parents *p, const struct pod *pod, struct step owner, time_ms to, struct steps *out)
{
    uint32_t key[] = { pod->cluster, pod->namespace_name, owner.value };
    uint32_t at = owner.value ? tuples_find(&p->keys, key) : NONE;
    const struct steps *parent = at == NONE ? NULL : &p->owner[at];
    uint32_t top;

    if (!parent || parent->n == 0) {
        steps_push(out, owner.from, owner.value);
        return;
    }
    top = steps_at(parent, owner.from, parent->v[0].value);
    steps_push(out, owner.from, top ? top : owner.value);
    for (time_ms t = steps_next(parent, owner.from); t < to; t = steps_next(parent, t)) {
        top = steps_at(parent, t, 0);
        steps_push(out, t, top ? top : owner.value);
    }
}

/* Owners have become pods' workloads: their own owners take their place, where there are any. */
static void fill_top_owners(struct inventory_build *b)
{
    struct parents parents = { 0 };

    fill_parents(b, &parents);
    for (size_t i = 0; i < b->inv->pods.n && parents.keys.n > 0; i++) {
        struct pod *pod = &b->inv->pods.v[i];
        struct steps s = pod->workload;

        pod->workload = (struct steps){ 0 };
        for (uint32_t k = 0; k < s.n; k++)
            add_top_owner(&parents, pod, s.v[k], k + 1 < s.n ? s.v[k + 1].from : TIME_MAX, &pod->workload);
        steps_free(&s);
    }
    free_parents(&parents);
}

static bool has_ended(const struct inventory_build *b, uint32_t phase)
{
    struct span s = intern_get(b->names, phase);

    return span_eq(s, "Succeeded") || span_eq(s, "Failed");
}

static bool is_request(int kind)
{
    return kind == SAMPLE_REQUEST_GPU || kind == SAMPLE_REQUEST_GPU_SHARED || kind == SAMPLE_REQUEST_CPU || kind == SAMPLE_REQUEST_MEMORY;
}

/* An ended phase says both that it holds and that it does not; the others only that they hold, and give way at the same instant. */
static struct history_record phase_record(const struct inventory_build *b, const struct replay_series *s, struct history_record r)
{
    bool end = has_ended(b, replay_role(s, ROLE_PHASE));

    r.on = end ? POD_FINISHED : 0;
    r.off = end ? 0 : HISTORY_SILENT;
    r.rank = end;
    return r;
}

/* A pod has to be gone by its deletion time; as long as one is shown after that it is not. A name without a uid may be that of the next
 * pod by then. */
static void read_deletion(const struct replay_series *s, struct history_record r, struct pod_histories *h)
{
    const struct samples *samples = inventory_samples(s, &h->scratch);
    time_ms due = (time_ms)samples->v[samples->n - 1].value;

    if (!s->pod.uid || due == 0)
        return;
    r.on = POD_DELETED;
    r.rank = 2;
    r.first = r.first_on = due > s->last ? due : s->last + 1;
    r.packed = (struct span){ NULL, 0 };
    history_add(&h->ended, r);
}

static void read_completions(const struct replay_series *s, uint32_t pod, struct pod_histories *h)
{
    const struct samples *samples = inventory_samples(s, &h->scratch);

    for (size_t i = 0; i < samples->n; i++)
        if (i == 0 || samples->v[i].value != samples->v[i - 1].value)
            vec_push(&h->completions, (struct completion){ pod, (time_ms)samples->v[i].value });
}

/* A finished pod has been so since its last container ended: that is known to the second, the phase from one sample to the next. Alone a
 * completion says nothing: other containers may run on. */
static void move_back(struct steps *ended, const struct completion *v, size_t n)
{
    for (uint32_t i = ended->n; i-- > 0;) {
        time_ms before = i > 0 ? ended->v[i - 1].from : 0, found = before;

        for (size_t k = 0; k < n; k++)
            if (v[k].at > found && v[k].at < ended->v[i].from)
                found = v[k].at;
        if (ended->v[i].value == POD_FINISHED && found > before)
            ended->v[i].from = found;
    }
}

static int by_completed_pod(const void *a, const void *b)
{
    const struct completion *x = a, *y = b;

    return x->pod < y->pod ? -1 : x->pod > y->pod;
}

static void move_all_back(struct pod *pods, struct pod_histories *h)
{
    struct completion *v = h->completions.v;

    if (h->completions.n > 0)
        qsort(v, h->completions.n, sizeof *v, by_completed_pod);
    for (size_t i = 0, n; i < h->completions.n; i += n) {
        for (n = 1; i + n < h->completions.n && v[i + n].pod == v[i].pod; n++)
            ;
        move_back(&pods[v[i].pod].ended, &v[i], n);
    }
}

static void read_pod_series(struct inventory_build *b, const struct replay_series *s, uint32_t pod, struct pod_histories *h)
{
    struct history_record r = inventory_record(s);

    r.key = pod;
    switch (s->kind) {
    case RECORD_POD_INFO:
        r.on = inventory_node_of(b, s);
        if (r.on == NONE)
            break;                                     /* not scheduled yet */
        history_add(&h->node, r);
        h->has_node[pod] = true;
        break;
    case RECORD_POD_LABELS:
        r.on = s->labelset;
        history_add(&h->labels, r);
        break;
    case RECORD_POD_ANNOTATIONS:
        r.on = s->labelset;
        history_add(&h->annotations, r);
        break;
    case RECORD_POD_OWNER:
        r.on = owner_text(b, replay_role(s, ROLE_OWNER_KIND), replay_role(s, ROLE_OWNER_NAME));
        r.rank = owner_rank(b, s);
        history_add(&h->owner, r);
        h->has_owner[pod] = true;
        break;
    case RECORD_POD_PHASE:
        history_add(&h->ended, phase_record(b, s, r));
        break;
    case RECORD_POD_COMPLETION:
        read_completions(s, pod, h);
        break;
    case RECORD_POD_DELETION:
        read_deletion(s, r, h);
        break;
    default:
        break;
    }
}

/* What a record of a pod with a uid says of the bare name, who made a pod that says no owner, and what a request says of the place of a pod
 * without kube_pod_info. */
static void read_names(struct inventory_build *b, const struct replay_series *s, uint32_t pod, struct pod_histories *h)
{
    bool alias = s->pod.uid && h->bare[pod] != NONE, creator = s->kind == RECORD_POD_INFO && !h->has_owner[pod];
    bool place = is_request(s->kind) && !h->has_node[pod];
    struct history_record r;

    if (!alias && !creator && !place)
        return;
    r = inventory_record(s);
    if (alias) {
        r.key = h->bare[pod];
        r.on = pod;
        if (is_request(s->kind))
            r.off = pod;                               /* a request of zero is the pod's all the same */
        history_add(&h->alias, r);
    }
    r.key = pod;
    if (creator) {
        r.on = owner_text(b, replay_role(s, ROLE_CREATED_BY_KIND), replay_role(s, ROLE_CREATED_BY_NAME));
        history_add(&h->creator, r);
    }
    if (place && (r.on = inventory_node_of(b, s)) != NONE) {
        r.off = r.on;
        history_add(&h->request_node, r);
    }
}

typedef void read_series(struct inventory_build *b, const struct replay_series *s, uint32_t pod, struct pod_histories *h);

static void read_all(struct inventory_build *b, struct pod_histories *h, read_series *read)
{
    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];
        uint32_t pod = inventory_kind_is_kube(s->kind) ? b->pod_of[i] : NONE;

        if (pod != NONE)
            read(b, s, pod, h);
    }
}

static void copy_steps(const struct steps *from, struct steps *to)
{
    if (to->n > 0)
        return;
    for (uint32_t i = 0; i < from->n; i++)
        steps_push(to, from->v[i].from, from->v[i].value);
}

/* pods[0] is a bare name, pods[1 .. n-1] those with a uid of the same name. */
static void join_names(struct pod *pods, uint32_t first, size_t n)
{
    if (pods[0].uid || n < 2)
        return;
    if (pods[0].alias.n == 0 && n == 2)
        steps_push(&pods[0].alias, TIME_MIN, first + 1);
    for (size_t i = 1; i < n; i++) {
        copy_steps(&pods[0].labels, &pods[i].labels);
        copy_steps(&pods[0].annotations, &pods[i].annotations);
        copy_steps(&pods[0].workload, &pods[i].workload);
        copy_steps(&pods[0].node, &pods[i].node);
        copy_steps(&pods[0].ended, &pods[i].ended);
    }
}

static bool same_name(const struct pod *a, const struct pod *b)
{
    return a->cluster == b->cluster && a->namespace_name == b->namespace_name && a->name == b->name;
}

static void join_all_names(struct inventory *inv)
{
    for (size_t i = 0, n; i < inv->pods.n; i += n) {
        for (n = 1; i + n < inv->pods.n && same_name(&inv->pods.v[i], &inv->pods.v[i + n]); n++)
            ;
        join_names(&inv->pods.v[i], (uint32_t)i, n);
    }
}

static uint32_t *find_bare(const struct inventory *inv)
{
    uint32_t *bare = xreallocarray(NULL, inv->pods.n, sizeof *bare), first = 0;

    for (uint32_t i = 0; i < inv->pods.n; i++) {
        if (i > 0 && !same_name(&inv->pods.v[i - 1], &inv->pods.v[i]))
            first = i;
        bare[i] = inv->pods.v[first].uid ? NONE : first;
    }
    return bare;
}

static void free_histories(struct pod_histories *h)
{
    history_free(&h->node);
    history_free(&h->labels);
    history_free(&h->annotations);
    history_free(&h->ended);
    history_free(&h->owner);
    history_free(&h->creator);
    history_free(&h->request_node);
    history_free(&h->alias);
    vec_free(&h->completions);
    vec_free(&h->scratch);
    free(h->has_owner);
    free(h->has_node);
    free(h->bare);
}

void inventory_fill_pods(struct inventory_build *b)
{
    size_t n = b->inv->pods.n, stride = sizeof *b->inv->pods.v;
    struct pod_histories h = { 0 };
    struct pod *pods = b->inv->pods.v;
    struct arena *room = &b->inv->pod_steps;

    if (n == 0)
        return;
    h.has_owner = xcalloc(n, sizeof *h.has_owner);
    h.has_node = xcalloc(n, sizeof *h.has_node);
    h.bare = find_bare(b->inv);
    read_all(b, &h, read_pod_series);
    history_build(&h.node, &pods[0].node, stride, HISTORY_BACK, room);
    history_build(&h.labels, &pods[0].labels, stride, HISTORY_BACK, room);
    history_build(&h.annotations, &pods[0].annotations, stride, HISTORY_BACK, room);
    history_build(&h.ended, &pods[0].ended, stride, 0, room);
    move_all_back(pods, &h);
    history_build(&h.owner, &pods[0].workload, stride, HISTORY_BACK, room);
    read_all(b, &h, read_names);                       /* of those there are as many again: not both at once */
    history_build(&h.creator, &pods[0].workload, stride, HISTORY_BACK, room);
    fill_top_owners(b);
    history_build(&h.request_node, &pods[0].node, stride, HISTORY_BACK, room);
    history_build(&h.alias, &pods[0].alias, stride, HISTORY_BACK, room);
    join_all_names(b->inv);
    free_histories(&h);
}
