/* scale_set: parts of a set's charges.
 *
 * A part is a charge of its machine with the set's interval and options. A machine was observed as long as the GPU of it that was observed
 * longest: counting GPUs would make a machine with a dead card look as if it had run less. Hours are not cut to the interval: those of
 * machines that no metrics show are in them, and must stay unobserved time.
 * Machines without GPUs in the metrics have no part: of them nothing is ever observed. */
#include "gputab/core/scale_set.h"

#include <stdlib.h>

#include "gputab/value/resource_id.h"

struct machine {
    uint32_t set, node;            /* indices into the book's nodes */
};

struct machines {
    VEC(struct machine) v;
};

struct order {
    const struct charge_book *book;
    const struct intern *names;
};

static int by_set_and_name(const void *pa, const void *pb, void *order)
{
    const struct machine *a = pa, *b = pb;
    const struct order *o = order;

    if (a->set != b->set)
        return a->set < b->set ? -1 : 1;
    return intern_cmp(o->names, o->book->nodes.v[a->node].resource, o->book->nodes.v[b->node].resource);
}

/* The machines with GPUs of the sets that have charges, by set. */
static void find_machines(struct charge_book *b, const struct intern *names, struct machines *out)
{
    struct order order = {b, names};

    for (uint32_t i = 0; i < b->nodes.n; i++) {
        struct span id = resource_id_set_of(intern_get(names, b->nodes.v[i].resource));
        const struct book_node *set = id.n ? charge_book_find(b, intern_find(names, id.p, id.n)) : NULL;

        if (set && set->n_charges && b->nodes.v[i].gpus.n)
            vec_push(&out->v, (struct machine){(uint32_t)(set - b->nodes.v), i});
    }
    if (out->v.n > 1)
        qsort_r(out->v.v, out->v.n, sizeof *out->v.v, by_set_and_name, &order);
}

/* A last sample stands for some time behind it: a day is more than enough. */
static bool may_be_observed(const struct book_node *n, struct timespan span)
{
    return n->first_ms < span.to && n->last_ms > span.from - TIME_DAY;
}

static void add_parts(struct charge_book *b, size_t charge, const struct machine *m, size_t n)
{
    struct book_set set = {.charge = charge, .first_part = b->parts.n};

    for (size_t i = 0; i < n; i++)
        if (may_be_observed(&b->nodes.v[m[i].node], charge_book_kept(b, charge)->span))
            vec_push(&b->parts, (struct book_part){.node = m[i].node});
    set.n_parts = b->parts.n - set.first_part;
    if (set.n_parts)
        vec_push(&b->sets, set);
}

static void add_all_parts(struct charge_book *b, const struct machines *m)
{
    for (size_t i = 0, end; i < m->v.n; i = end) {
        const struct book_node *set = &b->nodes.v[m->v.v[i].set];

        for (end = i; end < m->v.n && m->v.v[end].set == m->v.v[i].set; end++)
            ;
        for (size_t c = 0; c < set->n_charges; c++)
            add_parts(b, set->first_charge + c, &m->v.v[i], end - i);
    }
}

struct place {                     /* of a charge, while the parts come in between */
    struct book_charge charge;
    uint32_t node, part, set;      /* index; index + 1, 0: none */
};

static void add_part_charge(struct charge_book *b, uint32_t set, uint32_t part)
{
    struct book_more *more;

    vec_push(&b->charges, (struct book_charge){.bill = b->charges.v[b->sets.v[set].charge].bill});
    more = charge_book_more(b, b->charges.n - 1);
    more->cost = 0;
    more->part = part + 1;
    more->nothing = true;
}

/* The book's charges, and behind them those of the parts, with what decides where they go. */
static struct place *places_with_parts(struct charge_book *b)
{
    size_t n = b->charges.n;
    struct place *places = xcalloc(n + b->parts.n, sizeof *places);

    for (uint32_t i = 0; i < b->nodes.n; i++)
        for (size_t c = 0; c < b->nodes.v[i].n_charges; c++)
            places[b->nodes.v[i].first_charge + c].node = i;
    for (uint32_t s = 0; s < b->sets.n; s++) {
        places[b->sets.v[s].charge].set = s + 1;
        for (size_t k = 0; k < b->sets.v[s].n_parts; k++)
            add_part_charge(b, s, (uint32_t)(b->sets.v[s].first_part + k));
    }
    for (uint32_t i = 0; i < b->parts.n; i++) {
        places[n + i].node = b->parts.v[i].node;
        places[n + i].part = i + 1;
    }
    for (size_t i = 0; i < b->charges.n; i++)
        places[i].charge = b->charges.v[i];
    return places;
}

static int by_node_and_span(const void *pa, const void *pb, void *book)
{
    const struct place *a = pa, *b = pb;
    int rc = a->node != b->node ? (a->node < b->node ? -1 : 1) : charge_book_compare(book, a->charge, b->charge);

    return rc ? rc : (a->part > b->part) - (a->part < b->part);
}

/* Each node's charges stand together again, its parts behind its own where they have one interval. */
static void add_part_charges(struct charge_book *b)
{
    struct place *places = places_with_parts(b);

    qsort_r(places, b->charges.n, sizeof *places, by_node_and_span, b);
    for (size_t i = 0; i < b->nodes.n; i++)
        b->nodes.v[i].n_charges = 0;
    for (size_t c = 0; c < b->charges.n; c++) {
        b->charges.v[c] = places[c].charge;
        charge_book_count(b, &b->nodes.v[places[c].node], c);
        if (places[c].part)
            b->parts.v[places[c].part - 1].at = (uint32_t)c;
        if (places[c].set)
            b->sets.v[places[c].set - 1].charge = c;
    }
    free(places);
}

static int by_end(const void *pa, const void *pb, void *book)
{
    const struct book_set *a = pa, *b = pb;
    const struct charge_book *of = book;
    time_ms s = charge_book_kept(of, a->charge)->span.to, t = charge_book_kept(of, b->charge)->span.to;

    if (s != t)
        return s < t ? -1 : 1;
    return a->charge < b->charge ? -1 : a->charge > b->charge;
}

void scale_set_build(struct charge_book *b, const struct intern *names)
{
    struct machines m = {0};

    find_machines(b, names, &m);
    add_all_parts(b, &m);
    if (b->sets.n) {
        add_part_charges(b);
        qsort_r(b->sets.v, b->sets.n, sizeof *b->sets.v, by_end, b);
    }
    vec_free(&m.v);
}

/* What of the bill the machines' parts are of. */
static void share_origins(struct charge_book *b, const struct book_set *s, const weight *observed)
{
    money *cost = xcalloc(s->n_parts, 3 * sizeof *cost), *invoiced = cost + s->n_parts, *share = invoiced + s->n_parts;

    for (size_t k = 0; k < charge_book_origins(b, s->charge); k++) {
        struct book_origin origin = charge_book_origin(b, s->charge, k);

        if (money_split(origin.cost, observed, s->n_parts, cost) < 0 || money_split(origin.invoiced, observed, s->n_parts, invoiced) < 0
            || money_split(origin.share, observed, s->n_parts, share) < 0)
            break;
        for (size_t i = 0; i < s->n_parts; i++)
            vec_push(&charge_book_more(b, b->parts.v[s->first_part + i].at)->others,
                     (struct book_origin){origin.charge, cost[i], invoiced[i], share[i]});
    }
    free(cost);
}

void scale_set_share(struct charge_book *b, const struct book_set *s, const weight *observed)
{
    const struct charge whole = charge_book_charge(b, s->charge);
    money *cost = xcalloc(s->n_parts, 3 * sizeof *cost), *ns = cost + s->n_parts, *list = ns + s->n_parts;
    bool told = whole.billed_ns > 0;

    if (money_split(whole.cost, observed, s->n_parts, cost) == 0 && money_split(whole.billed_ns, observed, s->n_parts, ns) == 0
        && money_split(whole.list, observed, s->n_parts, list) == 0) {
        charge_book_more(b, s->charge)->nothing = true;
        share_origins(b, s, observed);
        for (size_t i = 0; i < s->n_parts; i++) {
            struct book_part *part = &b->parts.v[s->first_part + i];

            charge_book_more(b, part->at)->cost = cost[i];
            charge_book_more(b, part->at)->nothing = observed[i] == 0;
            part->list = list[i];
            part->billed_ns = told ? (int64_t)ns[i] : (int64_t)observed[i] * TIME_NS_PER_MS;
        }
    }
    free(cost);
}
