/* charge: the names of purchase options and bill groups as reports print them, a bill's charges, and its end.
 *
 * Charges of a node repeat its region, type, sizes and purchase option hour by hour: these are kept once, in a table.
 * What makes a row a charge is decided in source/bill; how charges are divided, in core/. */
#include "gputab/value/charge.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const purchase_names[PURCHASES] = {
    [PURCHASE_ON_DEMAND] = "on_demand",
    [PURCHASE_SPOT] = "spot",
    [PURCHASE_RESERVED] = "reserved",
    [PURCHASE_SAVINGS_PLAN] = "savings_plan",
    [PURCHASE_CAPACITY_BLOCK] = "capacity_block",
    [PURCHASE_COMMITTED] = "committed",
    [PURCHASE_UNKNOWN] = "unknown",
};

const char *const bill_group_names[BILL_GROUPS] = {
    [GROUP_OTHER_RESOURCES] = "other_resources",
    [GROUP_ATTACHED] = "attached",
    [GROUP_TAX] = "tax",
    [GROUP_CREDIT] = "credit",
    [GROUP_REFUND] = "refund",
    [GROUP_FEE] = "fee",
    [GROUP_UNUSED_COMMITMENT] = "unused_commitment",
    [GROUP_EXCLUDED] = "excluded",
};

/* ---- charges ---- */

/* Hashed as bytes. */
struct charge_terms {
    int64_t vcpu_micro, memory_micro_gib, gpu_count_micro;
    uint32_t region, instance_type;
    uint64_t purchase;
};

static_assert(sizeof(struct charge_terms) == 5 * sizeof(uint64_t), "charge_terms has padding");
static_assert(sizeof(struct charge_kept) == 64, "charges are kept in 64 bytes");

static uint32_t terms_of(struct charge_list *l, const struct charge *c)
{
    struct charge_terms t = {.vcpu_micro = c->vcpu_micro, .memory_micro_gib = c->memory_micro_gib, .gpu_count_micro = c->gpu_count_micro,
                             .region = c->region, .instance_type = c->instance_type, .purchase = c->purchase};

    if (!l->terms)
        l->terms = intern_new();
    return intern_put(l->terms, &t, sizeof t);
}

/* What most charges have none of takes no room until one has some. */
static void put_list(struct charge_list *l, size_t i, money list)
{
    while (list && l->lists.n <= i)
        vec_push(&l->lists, 0);
    if (i < l->lists.n)
        l->lists.v[i] = list;
}

static void put_parts(struct charge_list *l, size_t i, struct charge_cut parts)
{
    while (parts.n && l->parts.n <= i)
        vec_push(&l->parts, (struct charge_cut){0, 0});
    if (i < l->parts.n)
        l->parts.v[i] = parts;
}

void charge_list_put(struct charge_list *l, size_t i, const struct charge *c)
{
    l->v[i] = (struct charge_kept){.resource = c->resource, .terms = terms_of(l, c) & INT32_MAX, .correction_only = c->correction_only,
                                   .span = c->span, .billed_ns = c->billed_ns, .cost = c->cost, .invoiced = c->invoiced};
    put_list(l, i, c->list);
    put_parts(l, i, (struct charge_cut){c->first_part, c->n_parts});
}

void charge_list_add(struct charge_list *l, const struct charge *c)
{
    vec_reserve(l, l->n + 1);
    charge_list_put(l, l->n++, c);
}

struct charge charge_list_at(const struct charge_list *l, size_t i)
{
    const struct charge_kept *k = &l->v[i];
    struct charge_cut parts = i < l->parts.n ? l->parts.v[i] : (struct charge_cut){0, 0};
    struct charge_terms t;

    memcpy(&t, intern_get(l->terms, k->terms).p, sizeof t);
    return (struct charge){.resource = k->resource, .span = k->span, .cost = k->cost, .invoiced = k->invoiced,
                           .list = i < l->lists.n ? l->lists.v[i] : 0, .billed_ns = k->billed_ns, .correction_only = k->correction_only,
                           .purchase = (enum purchase)t.purchase, .region = t.region, .instance_type = t.instance_type,
                           .vcpu_micro = t.vcpu_micro, .memory_micro_gib = t.memory_micro_gib, .gpu_count_micro = t.gpu_count_micro,
                           .first_part = parts.first, .n_parts = parts.n};
}

struct sorting {
    const struct charge_list *list;
    int (*compare)(const struct charge_kept *, const struct charge_kept *, const struct intern *);
    const struct intern *names;
};

static int by_place(const void *pa, const void *pb, void *arg)
{
    const struct sorting *s = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    int rc = s->compare(&s->list->v[a], &s->list->v[b], s->names);

    return rc ? rc : (a > b) - (a < b);
}

void charge_list_sort(struct charge_list *l, int (*compare)(const struct charge_kept *, const struct charge_kept *, const struct intern *),
                      const struct intern *names)
{
    struct sorting s = {l, compare, names};
    struct charge_list sorted = {.n = 0};
    uint32_t *order = xreallocarray(NULL, l->n + 1, sizeof *order);

    for (size_t i = 0; i < l->n; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, l->n, sizeof *order, by_place, &s);
    for (size_t i = 0; i < l->n; i++) {
        struct charge c = charge_list_at(l, order[i]);

        charge_list_add(&sorted, &c);
    }
    free(order);
    charge_list_free(l);
    *l = sorted;
}

void charge_list_fit(struct charge_list *l)
{
    vec_fit(l);
    vec_fit(&l->lists);
    vec_fit(&l->parts);
}

void charge_list_free(struct charge_list *l)
{
    vec_free(l);
    vec_free(&l->lists);
    vec_free(&l->parts);
    intern_free(l->terms);
    l->terms = NULL;
}

/* ---- bills ---- */

void bill_free(struct bill *b)
{
    for (size_t i = 0; i < b->files.n; i++)
        free(b->files.v[i].name);
    for (size_t i = 0; i < b->texts.n; i++) {
        free(b->texts.v[i].path);
        free(b->texts.v[i].missing);
    }
    vec_free(&b->texts);
    vec_free(&b->unknown_types);
    vec_free(&b->block_fees);
    vec_free(&b->shared);
    vec_free(&b->rates);
    vec_free(&b->files);
    charge_list_free(&b->charges);
    vec_free(&b->parts);
}

/* Hours that cost nothing were paid elsewhere: said, since their users would be shown nothing. */
void charge_warn_free(const struct charge_kept *c, const struct intern *names, struct diag *d)
{
    if (c->cost != 0 || c->billed_ns == 0)
        return;
    diag_once(d, "W105", "%s: billed hours cost 0", intern_cstr(names, c->resource));
    diag_hint(d, "W105", "a capacity block is paid by a fee: capacity_blocks in the rule spreads it; with cost: billed, hours under a "
              "commitment cost 0");
}

bool bill_inside(struct timespan span, struct timespan period)
{
    if (span.from == span.to)
        return period.from <= span.from && span.from < period.to;
    return span.from < period.to && period.from < span.to;
}

money bill_part(money amount, struct timespan span, struct timespan period)
{
    struct timespan in = timespan_cut(span, period);

    if (!bill_inside(span, period))
        return 0;
    if (in.from == span.from && in.to == span.to)
        return amount;
    return money_part(amount, in.from - span.from, in.to - span.from, span.to - span.from);
}
