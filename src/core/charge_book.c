/* charge_book: joins the bill's resources to the inventory's nodes and GPUs by resource id, and says where facts must be cut. */
#include "gputab/core/charge_book.h"

#include <string.h>

#include "gputab/core/scale_set.h"
#include "gputab/value/money.h"
#include "gputab/value/resource_id.h"

static struct book_node *node_for(struct charge_book *b, uint32_t resource)
{
    uint32_t id = intern_put(b->by_resource, &resource, sizeof resource);

    if (id > b->nodes.n)
        vec_push(&b->nodes, (struct book_node){.resource = resource, .first_ms = TIME_MAX, .last_ms = TIME_MIN});
    return &b->nodes.v[id - 1];
}

/* GPUs come in canonical order: the one at hand can only be the last. */
static void see_gpu(struct book_node *n, uint32_t gpu, struct timespan when)
{
    struct book_gpu *last = n->gpus.n ? &n->gpus.v[n->gpus.n - 1] : NULL;

    if (!last || last->gpu != gpu) {
        vec_push(&n->gpus, (struct book_gpu){gpu, when});
    } else {
        last->seen.from = when.from < last->seen.from ? when.from : last->seen.from;
        last->seen.to = when.to > last->seen.to ? when.to : last->seen.to;
    }
}

/* ---- charges ---- */

static bool inside(const struct charge *c, const struct charge *of)
{
    return c->span.from >= of->span.from && c->span.to <= of->span.to;
}

/* A piece of a correction, in proportion to billed time; `cost` is room for n amounts. */
static void spread_part(struct book_charge *of_node, size_t n, const struct charge_part *part, const weight *w, money *cost)
{
    if (money_split(part->cost, w, n, cost) < 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (w[i] > 0)
            vec_push(&of_node[i].corrected, (struct charge_part){part->piece, part->gpu_model, cost[i]});
}

/* Adds a lone correction to the usage charges inside it; false when there are none. */
static bool spread(const struct bill *bill, struct book_charge *of_node, size_t n, const struct charge *correction)
{
    weight *w = xcalloc(n, sizeof *w);
    money *cost = xcalloc(n, 3 * sizeof *cost), *invoiced = cost + n, *share = invoiced + n;
    bool found;

    for (size_t i = 0; i < n; i++)
        if (!of_node[i].bill->correction_only && inside(of_node[i].bill, correction))
            w[i] = (weight)of_node[i].bill->billed_ns;
    found = money_split(correction->cost, w, n, cost) == 0 && money_split(correction->invoiced, w, n, invoiced) == 0
            && money_split(MONEY_ONE, w, n, share) == 0;
    for (size_t i = 0; found && i < n; i++) {
        of_node[i].cost += cost[i];
        if (w[i] > 0)
            vec_push(&of_node[i].others, (struct book_origin){correction, cost[i], invoiced[i], share[i]});
    }
    for (size_t i = 0; found && i < correction->n_parts; i++)
        spread_part(of_node, n, &bill->parts.v[correction->first_part + i], w, cost);
    free(w);
    free(cost);
    return found;
}

static void add_charges(struct charge_book *b, const struct charge *charges, size_t n)
{
    size_t first = b->charges.n, usage;
    struct book_node *node;

    for (size_t i = 0; i < n; i++)
        if (!charges[i].correction_only)
            vec_push(&b->charges, (struct book_charge){.bill = &charges[i], .cost = charges[i].cost});
    usage = b->charges.n - first;
    for (size_t i = 0; i < n; i++)
        if (charges[i].correction_only && (usage == 0 || !spread(b->bill, &b->charges.v[first], usage, &charges[i])))
            vec_push(&b->charges, (struct book_charge){.bill = &charges[i], .cost = charges[i].cost});
    node = node_for(b, charges[0].resource);
    node->first_charge = first;
    node->n_charges = b->charges.n - first;
}

int charge_book_compare(const struct book_charge *pa, const struct book_charge *pb)
{
    const struct charge *a = pa->bill, *b = pb->bill;

    if (a->span.from != b->span.from)
        return a->span.from < b->span.from ? -1 : 1;
    if (a->span.to != b->span.to)
        return a->span.to < b->span.to ? -1 : 1;
    return a->correction_only - b->correction_only;
}

void charge_book_count(struct book_node *n, const struct book_charge *c, size_t index)
{
    int64_t ms = timespan_ms(c->bill->span);

    if (n->n_charges++ == 0)
        n->first_charge = index;
    if (ms > n->longest_ms)
        n->longest_ms = ms;
}

static int by_span(const void *pa, const void *pb)
{
    return charge_book_compare(pa, pb);
}

static void take_charges(struct charge_book *b, const struct bill *bill)
{
    for (size_t i = 0, end; i < bill->charges.n; i = end) {
        struct book_node *node;

        for (end = i; end < bill->charges.n && bill->charges.v[end].resource == bill->charges.v[i].resource; end++)
            ;
        add_charges(b, &bill->charges.v[i], end - i);
        node = node_for(b, bill->charges.v[i].resource);
        qsort(&b->charges.v[node->first_charge], node->n_charges, sizeof *b->charges.v, by_span);
        node->n_charges = 0;
        for (size_t k = node->first_charge; k < b->charges.n; k++)
            charge_book_count(node, &b->charges.v[k], k);
    }
}

/* ---- nodes and GPUs ---- */

static void take_nodes(struct charge_book *b, const struct inventory *inv)
{
    for (uint32_t n = 0; n < inv->nodes.n; n++) {
        const struct steps *s = &inv->nodes.v[n].resource;

        for (uint32_t i = 0; i < s->n; i++) {
            struct book_node *node = s->v[i].value ? node_for(b, s->v[i].value) : NULL;

            if (node && (node->nodes.n == 0 || node->nodes.v[node->nodes.n - 1] != n))
                vec_push(&node->nodes, n);
        }
    }
}

/* A GPU is on a resource where its node's time, the node's resource and its own samples meet. */
static void take_gpu(struct charge_book *b, const struct inventory *inv, uint32_t gpu)
{
    const struct gpu *g = &inv->gpus.v[gpu];
    struct timespan seen = {g->first_ms, g->last_ms + 1};

    for (uint32_t i = 0; i < g->node.n; i++) {
        struct timespan there = timespan_cut(seen, (struct timespan){g->node.v[i].from, i + 1 < g->node.n ? g->node.v[i + 1].from : TIME_MAX});
        const struct steps *s;

        if (g->node.v[i].value == NONE || there.from >= there.to)
            continue;
        s = &inv->nodes.v[g->node.v[i].value].resource;
        for (uint32_t k = 0; k < s->n; k++) {
            struct timespan when = timespan_cut(there, (struct timespan){s->v[k].from, k + 1 < s->n ? s->v[k + 1].from : TIME_MAX});
            struct book_node *node;

            if (!s->v[k].value || when.from >= when.to)
                continue;
            node = node_for(b, s->v[k].value);
            see_gpu(node, gpu, when);
            node->first_ms = when.from < node->first_ms ? when.from : node->first_ms;
            node->last_ms = when.to - 1 > node->last_ms ? when.to - 1 : node->last_ms;
        }
    }
}

/* ---- cuts ---- */

static int by_time(const void *a, const void *b)
{
    time_ms x = *(const time_ms *)a, y = *(const time_ms *)b;

    return (x > y) - (x < y);
}

struct instants {
    time_ms *v;
    size_t n, cap;
};

/* Facts are cut at hours anyway, where most bills have all their borders. */
static void add_cut(struct instants *list, time_ms t)
{
    if (t != TIME_MIN && time_floor(t, TIME_HOUR) != t)
        vec_push(list, t);
}

static void build_cuts(struct charge_book *b, const struct inventory *inv, uint32_t n)
{
    const struct steps *s = &inv->nodes.v[n].resource;
    struct instants list = {0};
    size_t kept = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        const struct book_node *node = charge_book_find(b, s->v[i].value);

        add_cut(&list, s->v[i].from);
        for (size_t k = 0; node && k < node->n_charges; k++) {
            add_cut(&list, b->charges.v[node->first_charge + k].bill->span.from);
            add_cut(&list, b->charges.v[node->first_charge + k].bill->span.to);
        }
    }
    if (list.n)
        qsort(list.v, list.n, sizeof *list.v, by_time);
    for (size_t i = 0; i < list.n; i++)
        if (kept == 0 || list.v[kept - 1] != list.v[i])
            list.v[kept++] = list.v[i];
    b->cuts[n] = (struct cuts){list.v, kept};
}

/* The type that the bill names for the resource, or for the scale set that it is a machine of; 0: none. */
static uint32_t billed_type(const struct intern *resources, const uint32_t *types, const struct intern *names, uint32_t resource)
{
    struct span set = resource_id_set_of(intern_get(names, resource));
    uint32_t type = types[intern_find(resources, &resource, sizeof resource)], id = set.n ? intern_find(names, set.p, set.n) : 0;

    return type || !id ? type : types[intern_find(resources, &id, sizeof id)];
}

void charge_book_add_types(const struct bill *bill, struct inventory *inv)
{
    struct intern *resources = intern_new();
    VEC(uint32_t) types = {0};

    vec_push(&types, 0);
    for (size_t i = 0; i < bill->charges.n; i++) {
        const struct charge *c = &bill->charges.v[i];
        uint32_t id = c->instance_type ? intern_put(resources, &c->resource, sizeof c->resource) : 0;

        if (id == types.n)
            vec_push(&types, c->instance_type);
    }
    for (uint32_t n = 0; n < inv->nodes.n; n++) {
        struct node *node = &inv->nodes.v[n];
        bool named = node->type.n > 0;

        for (uint32_t i = 0; !named && i < node->resource.n; i++)
            steps_push(&node->type, node->resource.v[i].from,
                       billed_type(resources, types.v, inv->names, node->resource.v[i].value));
    }
    vec_free(&types);
    intern_free(resources);
}

void charge_book_build(struct charge_book *b, const struct bill *bill, const struct inventory *inv)
{
    memset(b, 0, sizeof *b);
    b->bill = bill;
    b->names = inv->names;
    b->by_resource = intern_new();
    take_charges(b, bill);
    take_nodes(b, inv);
    for (uint32_t g = 0; g < inv->gpus.n; g++)
        take_gpu(b, inv, g);
    scale_set_build(b, inv->names);
    b->n_inventory_nodes = inv->nodes.n;
    b->cuts = xcalloc(inv->nodes.n + 1, sizeof *b->cuts);
    for (uint32_t n = 0; n < inv->nodes.n; n++)
        build_cuts(b, inv, n);
}

const struct book_node *charge_book_find(const struct charge_book *b, uint32_t resource)
{
    uint32_t id = resource ? intern_find(b->by_resource, &resource, sizeof resource) : 0;

    return id ? &b->nodes.v[id - 1] : NULL;
}

struct charge charge_book_charge(const struct charge_book *b, size_t i)
{
    struct charge c = *b->charges.v[i].bill;

    c.cost = b->charges.v[i].cost;
    return c;
}

size_t charge_book_origins(const struct charge_book *b, size_t i)
{
    return b->charges.v[i].others.n + !b->charges.v[i].part;
}

struct book_origin charge_book_origin(const struct charge_book *b, size_t i, size_t k)
{
    const struct book_charge *c = &b->charges.v[i];

    if (k == c->others.n)
        return (struct book_origin){c->bill, c->bill->cost, c->bill->invoiced, MONEY_ONE};
    return c->others.v[k];
}

static void add_billed(const struct charge_book *b, struct split_billed *out, const struct charge_part *p)
{
    split_billed_add(out, p->piece, intern_cstr(b->names, p->gpu_model), p->cost);
}

struct split_billed charge_book_billed(const struct charge_book *b, size_t i)
{
    const struct book_charge *c = &b->charges.v[i];
    struct split_billed out = {.any = false};

    for (size_t k = 0; k < c->bill->n_parts; k++)
        add_billed(b, &out, &b->bill->parts.v[c->bill->first_part + k]);
    for (size_t k = 0; k < c->corrected.n; k++)
        add_billed(b, &out, &c->corrected.v[k]);
    return out;
}

static bool holds(const struct charge *c, time_ms t)
{
    return c->span.from <= t && t < c->span.to;
}

size_t charge_book_next(const struct charge_book *b, const struct book_node *n, time_ms t, size_t from)
{
    size_t end = n->first_charge + n->n_charges, low = from, high = end;

    while (low < high) {           /* the first charge that could still hold t: none is longer than the longest */
        size_t mid = low + (high - low) / 2;

        if (b->charges.v[mid].bill->span.from + n->longest_ms <= t)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < end && b->charges.v[low].bill->span.from <= t; low++)
        if (holds(b->charges.v[low].bill, t))
            return low;
    return SIZE_MAX;
}

void charge_book_free(struct charge_book *b)
{
    for (size_t i = 0; i < b->nodes.n; i++) {
        vec_free(&b->nodes.v[i].nodes);
        vec_free(&b->nodes.v[i].gpus);
    }
    for (size_t i = 0; b->cuts && i < b->n_inventory_nodes; i++)
        free(b->cuts[i].v);
    free(b->cuts);
    for (size_t i = 0; i < b->charges.n; i++) {
        vec_free(&b->charges.v[i].corrected);
        vec_free(&b->charges.v[i].others);
    }
    vec_free(&b->charges);
    vec_free(&b->parts);
    vec_free(&b->sets);
    vec_free(&b->nodes);
    intern_free(b->by_resource);
}
