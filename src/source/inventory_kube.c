/* inventory_kube: what kube-state-metrics, exporters that know their machine and the --nodes file say of nodes and namespaces.
 *
 * A node is known by its name; the machine behind the name is a history of provider ids, since names are used again. The --nodes file fills
 * in where metrics say nothing of a node's machine or type at all; it never mixes with them. */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>

#include "gputab/base/buf.h"
#include "gputab/value/resource_id.h"

uint32_t inventory_normal_id(struct intern *names, uint32_t provider_id)
{
    struct buf b = { 0 };
    uint32_t id;

    resource_id_add_normal(&b, intern_get(names, provider_id));
    id = intern_put(names, b.p, b.n);
    buf_free(&b);
    return id;
}

static void keep_largest(int64_t *largest, const struct samples *s)
{
    for (size_t i = 0; i < s->n; i++)
        if ((int64_t)s->v[i].value > *largest)
            *largest = (int64_t)s->v[i].value;
}

static void read_node_series(struct node *n, const struct replay_series *s, struct samples *scratch)
{
    switch (s->kind) {
    case RECORD_NODE_CPU:
        keep_largest(&n->capacity_cpu_nano, inventory_samples(s, scratch));
        break;
    case RECORD_NODE_MEMORY:
        keep_largest(&n->capacity_memory_bytes, inventory_samples(s, scratch));
        break;
    case SAMPLE_CAPACITY_GPU:
    case SAMPLE_CAPACITY_GPU_SHARED:
        n->has_gpu_capacity |= s->first_on != TIME_MAX;
        break;
    default:
        break;
    }
}

/* The node of a GPU whose exporter knows the machine; NONE: it does not. */
static uint32_t node_of_machine(const struct inventory_build *b, size_t i)
{
    const struct replay_series *s = &b->replay->series.v[i];
    uint32_t key[] = { s->cluster, b->places[i].node };

    return inventory_kind_is_gpu(s->kind) && replay_role(s, ROLE_MACHINE) && key[1] ? tuples_find(&b->nodes, key) : NONE;
}

static bool says_resource(const struct inventory_build *b, const void *ctx, size_t i, uint32_t *node, uint32_t *resource)
{
    const struct replay_series *s = &b->replay->series.v[i];
    bool info = s->kind == RECORD_NODE_INFO;

    (void)ctx;
    *node = info ? inventory_node_of(b, s) : node_of_machine(b, i);
    if (*node == NONE)
        return false;
    *resource = inventory_normal_id(b->names, replay_role(s, info ? ROLE_PROVIDER_ID : ROLE_MACHINE));
    return *resource != 0;
}

static bool says_type(const struct inventory_build *b, const void *ctx, size_t i, uint32_t *node, uint32_t *type)
{
    const struct replay_series *s = &b->replay->series.v[i];

    (void)ctx;
    *node = s->kind == RECORD_NODE_LABELS ? inventory_node_of(b, s) : node_of_machine(b, i);
    *type = replay_role(s, ROLE_INSTANCE_TYPE);
    return *node != NONE && *type;
}

static bool says_sharing(const struct inventory_build *b, const void *ctx, size_t i, uint32_t *node, uint32_t *sharing)
{
    const struct replay_series *s = &b->replay->series.v[i];

    (void)ctx;
    *node = s->kind == RECORD_NODE_LABELS ? inventory_node_of(b, s) : NONE;
    *sharing = s->sharing;
    return *node != NONE;
}

static bool says_labels(const struct inventory_build *b, const void *ctx, size_t i, uint32_t *node, uint32_t *labels)
{
    const struct replay_series *s = &b->replay->series.v[i];

    (void)ctx;
    *node = s->kind == RECORD_NODE_LABELS ? inventory_node_of(b, s) : NONE;
    *labels = s->labelset;
    return *node != NONE;
}

static int trace_nodes(struct inventory_build *b, struct err *e)
{
    struct node *first = b->inv->nodes.v;
    size_t stride = sizeof *first;

    if (b->inv->nodes.n == 0)
        return 0;
    if (inventory_trace(b, &(struct inventory_trace){ says_resource, NULL, &first->resource, stride, HISTORY_BACK }, e) < 0)
        return -1;
    if (inventory_trace(b, &(struct inventory_trace){ says_type, NULL, &first->type, stride, HISTORY_BACK }, e) < 0)
        return -1;
    if (inventory_trace(b, &(struct inventory_trace){ says_sharing, NULL, &first->sharing, stride, HISTORY_BACK }, e) < 0)
        return -1;
    return inventory_trace(b, &(struct inventory_trace){ says_labels, NULL, &first->labels, stride, HISTORY_BACK }, e);
}

static int by_node_and_time(const void *a, const void *b)
{
    const struct node_entry *x = *(const struct node_entry *const *)a, *y = *(const struct node_entry *const *)b;

    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* One column of a node's entries, which do not overlap, as steps; 0 between them. */
static void add_filed(struct steps *s, const struct node_entry *const *v, size_t n, bool type)
{
    for (size_t i = 0; i < n; i++) {
        steps_push(s, v[i]->from, type ? v[i]->type : v[i]->resource);
        if (v[i]->to != TIME_MAX && (i + 1 == n || v[i + 1]->from > v[i]->to))
            steps_push(s, v[i]->to, 0);
    }
}

struct entry_list {
    VEC(const struct node_entry *) v;      /* sorted by node, then time */
};

/* The first of the entries of a node, or where it would stand. */
static size_t first_entry(const struct entry_list *list, uint32_t node)
{
    size_t lo = 0, hi = list->v.n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (list->v.v[mid]->node < node)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Entries of one name apply to that node in every cluster. */
static void apply_node_file(struct inventory_build *b)
{
    struct entry_list list = { 0 };

    for (size_t i = 0; b->node_file && i < b->node_file->entries.n; i++)
        vec_push(&list.v, &b->node_file->entries.v[i]);
    if (list.v.n > 0)
        qsort(list.v.v, list.v.n, sizeof *list.v.v, by_node_and_time);
    for (size_t i = 0; i < b->inv->nodes.n && list.v.n > 0; i++) {
        struct node *node = &b->inv->nodes.v[i];
        size_t first = first_entry(&list, node->name), n = 0;

        while (first + n < list.v.n && list.v.v[first + n]->node == node->name)
            n++;
        if (node->resource.n == 0)
            add_filed(&node->resource, list.v.v + first, n, false);
        if (node->type.n == 0)
            add_filed(&node->type, list.v.v + first, n, true);
    }
    vec_free(&list.v);
}

static struct node_size *size_of(struct node *n, uint32_t resource)
{
    for (size_t i = 0; i < n->sizes.n; i++)
        if (n->sizes.v[i].resource == resource)
            return &n->sizes.v[i];
    vec_push(&n->sizes, (struct node_size){ .resource = resource });
    return &n->sizes.v[n->sizes.n - 1];
}

static void keep_sizes(struct node *n, int kind, const struct samples *s)
{
    for (size_t i = 0; i < s->n; i++) {
        uint32_t resource = steps_at(&n->resource, s->v[i].time, 0);
        struct node_size *size = resource ? size_of(n, resource) : NULL;
        int64_t *largest = !size ? NULL : kind == RECORD_NODE_CPU ? &size->cpu_nano : &size->memory_bytes;

        if (largest && (int64_t)s->v[i].value > *largest)
            *largest = (int64_t)s->v[i].value;
    }
}

static int by_resource(const void *a, const void *b, void *names)
{
    return intern_cmp(names, ((const struct node_size *)a)->resource, ((const struct node_size *)b)->resource);
}

/* Once every name's machines are known. */
static void fill_sizes(struct inventory_build *b, struct samples *scratch)
{
    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];

        if ((s->kind == RECORD_NODE_CPU || s->kind == RECORD_NODE_MEMORY) && replay_role(s, ROLE_NODE))
            keep_sizes(&b->inv->nodes.v[inventory_node_of(b, s)], s->kind, inventory_samples(s, scratch));
    }
    for (size_t i = 0; i < b->inv->nodes.n; i++) {
        struct node *n = &b->inv->nodes.v[i];

        if (n->sizes.n > 1)
            qsort_r(n->sizes.v, n->sizes.n, sizeof *n->sizes.v, by_resource, b->names);
    }
}

int inventory_fill_nodes(struct inventory_build *b, struct err *e)
{
    struct samples scratch = { 0 };

    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];

        if (inventory_kind_is_kube(s->kind) && replay_role(s, ROLE_NODE))
            read_node_series(&b->inv->nodes.v[inventory_node_of(b, s)], s, &scratch);
    }
    if (trace_nodes(b, e) < 0) {
        vec_free(&scratch);
        return -1;
    }
    apply_node_file(b);
    fill_sizes(b, &scratch);
    vec_free(&scratch);
    return 0;
}

/* steps: those of the first namespace. */
static void fill_namespaces(struct inventory_build *b, int kind, struct steps *steps)
{
    struct history h = { 0 };

    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];
        uint32_t key[] = { s->cluster, s->pod.namespace_name };
        struct history_record r = inventory_record(s);

        if (s->kind != kind)
            continue;
        r.key = tuples_find(&b->namespaces, key);
        r.on = s->labelset;
        history_add(&h, r);
    }
    history_build(&h, steps, sizeof *b->inv->namespaces.v, HISTORY_BACK, NULL);
    history_free(&h);
}

void inventory_fill_namespaces(struct inventory_build *b)
{
    struct namespace *first = b->inv->namespaces.v;

    if (b->inv->namespaces.n == 0)
        return;
    fill_namespaces(b, RECORD_NAMESPACE_LABELS, &first->labels);
    fill_namespaces(b, RECORD_NAMESPACE_ANNOTATIONS, &first->annotations);
}
