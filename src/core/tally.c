/* tally: adds up entries by what gates, thresholds and the list of namespaces without an owner ask for. A few additions an entry; only
 * entries that nobody likes (unmapped, unseen, not measured) are looked up by name. It divides and rounds nothing. */
#include "gputab/core/tally.h"

#include <stdlib.h>
#include <string.h>

enum { LAST_NAMES = 64 };          /* a power of two */

struct tally_names {
    struct intern *names;
    VEC(money) cost;               /* by id */
    struct {                       /* by the last bits of a string id of the run: which it was last, and its id here */
        uint32_t name, id;
    } last[LAST_NAMES];            /* name 0: none today, when strings may have gone */
};

struct tally {
    const struct inventory *inventory;
    const struct owners *owners;
    struct tally_sums sums;
    struct tally_names lists[TALLY_LISTS];
};

struct tally *tally_new(const struct inventory *inv, const struct owners *owners)
{
    struct tally *t = xcalloc(1, sizeof *t);

    t->inventory = inv;
    t->owners = owners;
    for (int i = 0; i < TALLY_LISTS; i++)
        t->lists[i].names = intern_new();
    return t;
}

static uint32_t id_of(struct tally_names *l, struct span name)
{
    uint32_t id = intern_span(l->names, name);

    while (l->cost.n <= id)
        vec_push(&l->cost, 0);
    return id;
}

/* A string of the run: the same few again and again. */
static void add_name(struct tally *t, enum tally_list list, uint32_t name, money cost)
{
    struct tally_names *l = &t->lists[list];
    uint32_t i = name % LAST_NAMES;

    if (l->last[i].name != name || !name) {
        l->last[i].name = name;
        l->last[i].id = id_of(l, intern_get(t->inventory->names, name));
    }
    l->cost.v[l->last[i].id] += cost;
}

static void add_unmeasured(struct tally *t, enum bucket bucket, money cost)
{
    struct tally_names *l = &t->lists[TALLY_UNMEASURED];
    uint32_t id = id_of(l, span_of(bucket_names[bucket]));     /* may move the costs */

    l->cost.v[id] += cost;
}

static void add_pod(struct tally *t, const struct entry *e)
{
    const struct pod_version *v = &t->owners->versions.v[e->pod_version];

    t->sums.bucket[v->bucket] += e->cost;
    t->sums.grade[e->grade] += e->cost;
    if (v->bucket == BUCKET_UNMAPPED)
        add_name(t, TALLY_UNMAPPED, v->pod.namespace_name, e->cost);
    if (e->grade != GRADE_A && v->bucket)
        add_unmeasured(t, v->bucket, e->cost);
    else if (e->grade != GRADE_A)
        add_name(t, TALLY_UNMEASURED, v->team, e->cost);
}

static void add_bucket(struct tally *t, const struct entry *e)
{
    t->sums.bucket[e->bucket] += e->cost;
    t->sums.reason[e->reason] += e->cost;
    if (e->bucket == BUCKET_NO_METRICS && e->reason != REASON_STARTING)
        add_name(t, TALLY_UNSEEN, e->node, e->cost);
    if (e->bucket != BUCKET_UNATTRIBUTED || e->grade != GRADE_D)
        return;
    t->sums.refused += e->cost;
    add_unmeasured(t, BUCKET_UNATTRIBUTED, e->cost);
}

static void add_entry(void *to, const struct entry *e)
{
    if (e->pod_version != NONE)
        add_pod(to, e);
    else
        add_bucket(to, e);
}

static void day_done(void *to)
{
    struct tally *t = to;

    for (int i = 0; i < TALLY_LISTS; i++)
        memset(t->lists[i].last, 0, sizeof t->lists[i].last);
}

struct allocate_sink tally_sink(struct tally *t)
{
    return (struct allocate_sink){.to = t, .entry = add_entry, .day_done = day_done};
}

const struct tally_sums *tally_sums(const struct tally *t)
{
    return &t->sums;
}

static int by_cost(const void *pa, const void *pb)
{
    const struct tally_part *a = pa, *b = pb;

    if (a->cost != b->cost)
        return a->cost > b->cost ? -1 : 1;
    return strcmp(a->name, b->name);
}

struct tally_parts tally_parts(const struct tally *t, enum tally_list list)
{
    const struct tally_names *l = &t->lists[list];
    struct tally_parts out = {0};

    for (uint32_t id = 0; id < l->cost.n; id++)
        if (l->cost.v[id] != 0)
            vec_push(&out, (struct tally_part){intern_cstr(l->names, id), l->cost.v[id]});
    if (out.n)
        qsort(out.v, out.n, sizeof *out.v, by_cost);
    return out;
}

void tally_free(struct tally *t)
{
    if (!t)
        return;
    for (int i = 0; i < TALLY_LISTS; i++) {
        intern_free(t->lists[i].names);
        vec_free(&t->lists[i].cost);
    }
    free(t);
}
