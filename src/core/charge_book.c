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

static bool inside(struct timespan span, struct timespan of)
{
    return span.from >= of.from && span.to <= of.to;
}

struct book_more *charge_book_more(struct charge_book *b, size_t i)
{
    if (!b->charges.v[i].more) {
        vec_push(&b->more, (struct book_more){.cost = charge_book_kept(b, i)->cost});
        b->charges.v[i].more = (uint32_t)b->more.n;
    }
    return &b->more.v[b->charges.v[i].more - 1];
}

/* NULL: it has none. */
static const struct book_more *more_of(const struct charge_book *b, size_t i)
{
    return b->charges.v[i].more ? &b->more.v[b->charges.v[i].more - 1] : NULL;
}

/* A piece of a correction, in proportion to billed time; `cost` is room for n amounts. */
static void spread_part(struct charge_book *b, size_t first, size_t n, const struct charge_part *part, const weight *w, money *cost)
{
    if (money_split(part->cost, w, n, cost) < 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (w[i] > 0)
            vec_push(&charge_book_more(b, first + i)->corrected, (struct charge_part){part->piece, part->gpu_model, cost[i]});
}

/* Adds a lone correction, a charge of the bill, to the usage charges inside it, of the n from `first` on; false when there are none. */
static bool spread(struct charge_book *b, size_t first, size_t n, uint32_t charge)
{
    const struct charge correction = charge_list_at(&b->bill->charges, charge);
    weight *w = xcalloc(n, sizeof *w);
    money *cost = xcalloc(n, 3 * sizeof *cost), *invoiced = cost + n, *share = invoiced + n;
    bool found;

    for (size_t i = 0; i < n; i++)
        if (inside(charge_book_kept(b, first + i)->span, correction.span))
            w[i] = (weight)charge_book_kept(b, first + i)->billed_ns;
    found = money_split(correction.cost, w, n, cost) == 0 && money_split(correction.invoiced, w, n, invoiced) == 0
            && money_split(MONEY_ONE, w, n, share) == 0;
    for (size_t i = 0; found && i < n; i++) {
        if (w[i] == 0)
            continue;
        charge_book_more(b, first + i)->cost += cost[i];
        vec_push(&charge_book_more(b, first + i)->others, (struct book_origin){charge, cost[i], invoiced[i], share[i]});
    }
    for (size_t i = 0; found && i < correction.n_parts; i++)
        spread_part(b, first, n, &b->bill->parts.v[correction.first_part + i], w, cost);
    free(w);
    free(cost);
    return found;
}

/* The bill's charges from `from` to before `end`, which are a node's. */
static void add_charges(struct charge_book *b, uint32_t from, uint32_t end)
{
    const struct charge_kept *charges = b->bill->charges.v;
    size_t first = b->charges.n, usage;
    struct book_node *node;

    for (uint32_t i = from; i < end; i++)
        if (!charges[i].correction_only)
            vec_push(&b->charges, (struct book_charge){.bill = i});
    usage = b->charges.n - first;
    for (uint32_t i = from; i < end; i++)
        if (charges[i].correction_only && (usage == 0 || !spread(b, first, usage, i)))
            vec_push(&b->charges, (struct book_charge){.bill = i});
    node = node_for(b, charges[from].resource);
    node->first_charge = first;
    node->n_charges = b->charges.n - first;
}

int charge_book_compare(const struct charge_book *book, struct book_charge x, struct book_charge y)
{
    const struct charge_kept *a = &book->bill->charges.v[x.bill], *b = &book->bill->charges.v[y.bill];

    if (a->span.from != b->span.from)
        return a->span.from < b->span.from ? -1 : 1;
    if (a->span.to != b->span.to)
        return a->span.to < b->span.to ? -1 : 1;
    return (int)a->correction_only - (int)b->correction_only;
}

void charge_book_count(const struct charge_book *b, struct book_node *n, size_t index)
{
    int64_t ms = timespan_ms(charge_book_kept(b, index)->span);

    if (n->n_charges++ == 0)
        n->first_charge = index;
    if (ms > n->longest_ms)
        n->longest_ms = ms;
}

static int by_span(const void *pa, const void *pb, void *book)
{
    return charge_book_compare(book, *(const struct book_charge *)pa, *(const struct book_charge *)pb);
}

static void take_charges(struct charge_book *b, const struct bill *bill)
{
    vec_reserve(&b->charges, bill->charges.n);
    for (uint32_t i = 0, end; i < bill->charges.n; i = end) {
        struct book_node *node;

        for (end = i; end < bill->charges.n && bill->charges.v[end].resource == bill->charges.v[i].resource; end++)
            ;
        add_charges(b, i, end);
        node = node_for(b, bill->charges.v[i].resource);
        qsort_r(&b->charges.v[node->first_charge], node->n_charges, sizeof *b->charges.v, by_span, b);
        node->n_charges = 0;
        for (size_t k = node->first_charge; k < b->charges.n; k++)
            charge_book_count(b, node, k);
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
            add_cut(&list, charge_book_kept(b, node->first_charge + k)->span.from);
            add_cut(&list, charge_book_kept(b, node->first_charge + k)->span.to);
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
        struct charge c = charge_list_at(&bill->charges, i);
        uint32_t id = c.instance_type ? intern_put(resources, &c.resource, sizeof c.resource) : 0;

        if (id == types.n)
            vec_push(&types, c.instance_type);
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
    struct charge c = charge_list_at(&b->bill->charges, b->charges.v[i].bill);
    const struct book_more *more = more_of(b, i);

    if (more && more->part) {
        const struct book_part *p = &b->parts.v[more->part - 1];

        c.resource = b->nodes.v[p->node].resource;
        c.invoiced = 0;
        c.list = p->list;
        c.billed_ns = p->billed_ns;
        c.first_part = c.n_parts = 0;
    }
    c.cost = more ? more->cost : c.cost;
    return c;
}

uint32_t charge_book_resource(const struct charge_book *b, size_t i)
{
    const struct book_more *more = more_of(b, i);

    return more && more->part ? b->nodes.v[b->parts.v[more->part - 1].node].resource : charge_book_kept(b, i)->resource;
}

bool charge_book_is_nothing(const struct charge_book *b, size_t i)
{
    const struct book_more *more = more_of(b, i);

    return more && more->nothing;
}

size_t charge_book_origins(const struct charge_book *b, size_t i)
{
    const struct book_more *more = more_of(b, i);

    return more ? more->others.n + !more->part : 1;
}

struct book_origin charge_book_origin(const struct charge_book *b, size_t i, size_t k)
{
    const struct book_more *more = more_of(b, i);

    if (more && k < more->others.n)
        return more->others.v[k];
    return (struct book_origin){b->charges.v[i].bill, charge_book_kept(b, i)->cost, charge_book_kept(b, i)->invoiced, MONEY_ONE};
}

static void add_billed(const struct charge_book *b, struct split_billed *out, const struct charge_part *p)
{
    split_billed_add(out, p->piece, intern_cstr(b->names, p->gpu_model), p->cost);
}

struct split_billed charge_book_billed(const struct charge_book *b, size_t i)
{
    const struct charge c = charge_book_charge(b, i);
    const struct book_more *more = more_of(b, i);
    struct split_billed out = {.any = false};

    for (size_t k = 0; k < c.n_parts; k++)
        add_billed(b, &out, &b->bill->parts.v[c.first_part + k]);
    for (size_t k = 0; more && k < more->corrected.n; k++)
        add_billed(b, &out, &more->corrected.v[k]);
    return out;
}

static bool holds(struct timespan span, time_ms t)
{
    return span.from <= t && t < span.to;
}

size_t charge_book_next(const struct charge_book *b, const struct book_node *n, time_ms t, size_t from)
{
    size_t end = n->first_charge + n->n_charges, low = from, high = end;

    while (low < high) {           /* the first charge that could still hold t: none is longer than the longest */
        size_t mid = low + (high - low) / 2;

        if (charge_book_kept(b, mid)->span.from + n->longest_ms <= t)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < end && charge_book_kept(b, low)->span.from <= t; low++)
        if (holds(charge_book_kept(b, low)->span, t))
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
    for (size_t i = 0; i < b->more.n; i++) {
        vec_free(&b->more.v[i].corrected);
        vec_free(&b->more.v[i].others);
    }
    vec_free(&b->more);
    vec_free(&b->charges);
    vec_free(&b->parts);
    vec_free(&b->sets);
    vec_free(&b->nodes);
    intern_free(b->by_resource);
}
