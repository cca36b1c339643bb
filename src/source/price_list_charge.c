/* price_list_charge: charges for nodes that no bill has.
 *
 * A node is charged for whole UTC hours, from the first to the last in which one of its GPUs had a sample, as a machine costs whether or
 * not an exporter is heard: what lies between without samples goes to (no-metrics), as with any bill. Before and after nothing is known
 * of the node, and nothing is charged. */
#include "gputab/source/price_list.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/value/resource_id.h"

enum { CHARGES_MAX = 1 << 23 };

struct maker {
    struct price_list *list;
    struct timespan period;
    struct inventory *inv;
    struct bill *bill;
    struct intern *billed;         /* resources that the bill has charges for */
    VEC(struct timespan) hours;    /* of one node, while it is looked at */
};

/* ---- prices ---- */

static const char *text_of(const struct maker *m, uint32_t id)
{
    return id ? intern_cstr(m->inv->names, id) : "";
}

static bool is_one_of(struct span text, const char *const *globs)
{
    for (; *globs; globs++)
        if (span_glob(text, *globs))
            return true;
    return false;
}

static struct price_line *find_line(const struct maker *m, const struct node *n, time_ms t)
{
    struct span name = span_of(text_of(m, n->name)), cluster = span_of(text_of(m, n->cluster));
    struct span type = span_of(text_of(m, steps_at(&n->type, t, n->type.n ? n->type.v[0].value : 0)));

    for (size_t i = 0; i < m->list->lines.n; i++) {
        struct price_line *l = &m->list->lines.v[i];

        if (is_one_of(name, l->nodes) && (!l->cluster || span_glob(cluster, l->cluster)) && (!l->type || span_glob(type, l->type)))
            return l;
    }
    return NULL;
}

/* ---- hours ---- */

/* The hours in which a GPU was seen while it was on the node. */
static void add_hours(struct maker *m, const struct gpu *g, uint32_t node)
{
    for (uint32_t i = 0; i < g->node.n; i++) {
        struct timespan there = {g->node.v[i].from, i + 1 < g->node.n ? g->node.v[i + 1].from : TIME_MAX};

        if (g->node.v[i].value != node)
            continue;
        there = timespan_cut(there, (struct timespan){g->first_ms, g->last_ms + 1});
        there = timespan_cut(there, m->period);
        if (there.from < there.to)
            vec_push(&m->hours, (struct timespan){time_floor(there.from, TIME_HOUR), time_floor(there.to - 1, TIME_HOUR) + TIME_HOUR});
    }
}

/* From the first to the last, which no GPU has to have been there all the time for. */
static struct timespan whole(const struct maker *m)
{
    struct timespan s = {TIME_MAX, TIME_MIN};

    for (size_t i = 0; i < m->hours.n; i++) {
        s.from = m->hours.v[i].from < s.from ? m->hours.v[i].from : s.from;
        s.to = m->hours.v[i].to > s.to ? m->hours.v[i].to : s.to;
    }
    return timespan_cut(s, m->period);
}

/* ---- charges ---- */

static struct charge charge_of(const struct maker *m, const struct node *n, const struct price_line *l, uint32_t resource,
                               struct timespan in, time_ms hour)
{
    struct charge c = {.resource = resource, .span = in, .purchase = PURCHASE_UNKNOWN};

    c.cost = money_part(l->hour, in.from - hour, in.to - hour, TIME_HOUR);
    c.billed_ns = (in.to - in.from) * TIME_NS_PER_MS;
    c.region = l->region ? intern_str(m->inv->names, l->region) : 0;
    c.instance_type = steps_at(&n->type, in.from, n->type.n ? n->type.v[0].value : 0);
    return c;
}

/* The hours of a span in which the node was one resource. */
static int charge_span(struct maker *m, const struct node *n, uint32_t resource, struct timespan span, struct err *e)
{
    for (time_ms hour = time_floor(span.from, TIME_HOUR); hour < span.to; hour += TIME_HOUR) {
        struct timespan in = timespan_cut((struct timespan){hour, hour + TIME_HOUR}, span);
        struct price_line *l = find_line(m, n, in.from);
        struct charge c;

        if (!l)
            continue;
        if (m->bill->charges.n == CHARGES_MAX)
            return err_set(e, ERR_INPUT, "a price list makes more than %d charges", CHARGES_MAX);
        l->used = true;
        c = charge_of(m, n, l, resource, in, hour);
        charge_list_add(&m->bill->charges, &c);
        m->bill->file_total += c.cost;
    }
    return 0;
}

/* Most machines on premises have no id but their name. */
static void name_resource(struct maker *m, struct node *n)
{
    struct buf id = {0};

    for (uint32_t i = 0; i < n->resource.n; i++)
        if (n->resource.v[i].value)
            return;
    if (n->cluster && *text_of(m, n->cluster))
        buf_addf(&id, "%s/", text_of(m, n->cluster));
    buf_adds(&id, text_of(m, n->name));
    n->resource.n = 0;
    steps_push(&n->resource, TIME_MIN, intern_str(m->inv->names, buf_str(&id)));
    buf_free(&id);
}

/* A bill may have a machine under its own name or under that of its scale set. */
static bool is_billed(const struct maker *m, uint32_t id)
{
    struct span set = resource_id_set_of(intern_get(m->inv->names, id));
    uint32_t of_set = set.n ? intern_find(m->inv->names, set.p, set.n) : 0;

    return intern_find(m->billed, &id, sizeof id) || (of_set && intern_find(m->billed, &of_set, sizeof of_set));
}

/* The part of `seen` in which the node was its i-th resource; empty when that is none or the bill has it. */
static struct timespan unbilled_part(const struct maker *m, const struct node *n, uint32_t i, struct timespan seen)
{
    struct timespan is = {i == 0 ? TIME_MIN : n->resource.v[i].from, i + 1 < n->resource.n ? n->resource.v[i + 1].from : TIME_MAX};
    uint32_t id = n->resource.v[i].value;

    return id && !is_billed(m, id) ? timespan_cut(is, seen) : (struct timespan){0, 0};
}

static bool is_unbilled(const struct maker *m, const struct node *n, struct timespan seen)
{
    bool named = false;

    for (uint32_t i = 0; i < n->resource.n; i++) {
        struct timespan part = unbilled_part(m, n, i, seen);

        if (part.from < part.to)
            return true;
        named |= n->resource.v[i].value != 0;
    }
    return !named;
}

static void count_node(struct maker *m, const struct node *n, bool priced)
{
    m->list->unbilled++;
    if (priced)
        m->list->priced++;
    else if (!m->list->without_price)
        m->list->without_price = n->name;
}

static int charge_node(struct maker *m, uint32_t index, struct err *e)
{
    struct node *n = &m->inv->nodes.v[index];
    struct timespan seen = whole(m);
    size_t before = m->bill->charges.n;

    if (seen.from >= seen.to || !is_unbilled(m, n, seen))
        return 0;
    if (find_line(m, n, seen.from)) {
        name_resource(m, n);
        for (uint32_t i = 0; i < n->resource.n; i++) {
            struct timespan part = unbilled_part(m, n, i, seen);

            if (part.from < part.to && charge_span(m, n, n->resource.v[i].value, part, e) < 0)
                return -1;
        }
    }
    count_node(m, n, m->bill->charges.n > before);
    return 0;
}

struct place {                     /* of a GPU on a node */
    uint32_t node, gpu;
};

static int by_node(const void *pa, const void *pb)
{
    const struct place *a = pa, *b = pb;

    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return (a->gpu > b->gpu) - (a->gpu < b->gpu);
}

static int charge_nodes(struct maker *m, struct err *e)
{
    VEC(struct place) places = {0};
    int rc = 0;

    for (uint32_t g = 0; g < m->inv->gpus.n; g++)
        for (uint32_t i = 0; i < m->inv->gpus.v[g].node.n; i++)
            if (m->inv->gpus.v[g].node.v[i].value < m->inv->nodes.n)
                vec_push(&places, (struct place){m->inv->gpus.v[g].node.v[i].value, g});
    if (places.n)
        qsort(places.v, places.n, sizeof *places.v, by_node);
    for (size_t i = 0, end; rc == 0 && i < places.n; i = end) {
        vec_clear(&m->hours);
        for (end = i; end < places.n && places.v[end].node == places.v[i].node; end++)
            if (end == i || places.v[end].gpu != places.v[end - 1].gpu)
                add_hours(m, &m->inv->gpus.v[places.v[end].gpu], places.v[i].node);
        rc = charge_node(m, places.v[i].node, e);
    }
    vec_free(&places);
    return rc;
}

/* ---- the bill ---- */

static int by_resource_and_span(const struct charge_kept *a, const struct charge_kept *b, const struct intern *names)
{
    if (a->resource != b->resource)
        return intern_cmp(names, a->resource, b->resource);
    if (a->span.from != b->span.from)
        return a->span.from < b->span.from ? -1 : 1;
    return (a->span.to > b->span.to) - (a->span.to < b->span.to);
}

static int take_currency(const struct price_list *l, const struct inventory *inv, struct bill *bill, struct err *e)
{
    uint32_t id = intern_str(inv->names, l->currency);

    if (bill->currency && bill->currency != id) {
        err_set(e, ERR_INPUT, "the prices are in %s, the bill is in %s", l->currency, intern_cstr(inv->names, bill->currency));
        return err_at(e, l->path, 0, 0);
    }
    bill->currency = id;
    return 0;
}

static void note_file(const struct price_list *l, struct bill *bill, int64_t made, struct diag *diag)
{
    struct buf name = {0};
    struct bill_file f = {.rows = made, .rows_used = made};

    buf_addf(&name, "price list %s", l->name);
    f.name = buf_take(&name);
    memcpy(f.sha256, l->sha256, sizeof f.sha256);
    vec_push(&bill->files, f);
    bill->rows += made;
    bill->says_final = true;
    bill->is_final = false;
    if (made == 0) {
        diag_add(diag, "W131", "price list %s: no node with a GPU has a price in it", l->name);
        diag_hint(diag, "W131", "compare its nodes with the names in the metrics: gputab report --by node shows those that are (unbilled)");
        return;
    }
    diag_add(diag, "W130", "price list %s: node hours that no bill has cost what the list says: %lld", l->name,
             (long long)made);
    diag_hint(diag, "W130", "hours are whole ones, from a node's first sample of a GPU to its last; nothing of them was invoiced");
}

int price_list_charge(struct price_list *l, struct timespan period, struct inventory *inv, struct bill *bill, struct diag *diag,
                      struct err *e)
{
    struct maker m = {.list = l, .period = period, .inv = inv, .bill = bill, .billed = intern_new()};
    size_t before = bill->charges.n;
    int rc = take_currency(l, inv, bill, e);

    for (size_t i = 0; i < before; i++)
        intern_put(m.billed, &bill->charges.v[i].resource, sizeof bill->charges.v[i].resource);
    if (rc == 0)
        rc = charge_nodes(&m, e);
    if (rc == 0)
        charge_list_sort(&bill->charges, by_resource_and_span, inv->names);
    if (rc == 0)
        note_file(l, bill, (int64_t)(bill->charges.n - before), diag);
    vec_free(&m.hours);
    intern_free(m.billed);
    return rc;
}
