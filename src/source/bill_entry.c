/* bill_entry: the arithmetic from rows' sums to a charge.
 *
 * A charge has one purchase option, type and region although its rows may differ: each is that of the largest sum of cost, without sign,
 * and ties have an order of their own, so that neither rows nor files nor ids decide by their order. */
#include "gputab/source/bill_entry.h"

#include <assert.h>
#include <stdlib.h>

#include "gputab/base/xalloc.h"

#define MS ((money)1000000000000)                            /* one millisecond in 10^-12 ms */

/* ---- the value with the largest sum ---- */

struct vote {
    uint32_t value;
    money sum;
};

static int by_value(const void *pa, const void *pb)
{
    const struct vote *a = pa, *b = pb;

    return (a->value > b->value) - (a->value < b->value);
}

static money absolute(money m)
{
    return m < 0 ? -m : m;
}

/* Equal values are added up; n shrinks. */
static size_t add_up(struct vote *v, size_t n)
{
    size_t kept = 0;

    qsort(v, n, sizeof *v, by_value);
    for (size_t i = 0; i < n; i++)
        if (kept && v[kept - 1].value == v[i].value)
            v[kept - 1].sum += v[i].sum;
        else
            v[kept++] = v[i];
    return kept;
}

/* names: values are string ids, 0 is no vote, ties go by text; NULL: values are enums, ties go by number. */
static uint32_t elect(struct vote *v, size_t n, const struct intern *names)
{
    size_t best = 0;

    if (n == 1)
        return v->value;
    n = add_up(v, n);
    if (n > 1 && names && v[0].value == 0)
        best = 1;                                            /* unknown only when nobody knows */
    for (size_t i = best + 1; i < n; i++) {
        money a = absolute(v[i].sum), b = absolute(v[best].sum);

        if (a > b || (a == b && names && intern_cmp(names, v[i].value, v[best].value) < 0))
            best = i;
    }
    return v[best].value;
}

enum vote_for { VOTE_PURCHASE, VOTE_TYPE, VOTE_REGION };

static uint32_t value_of(const struct bill_key *k, enum vote_for what)
{
    return what == VOTE_PURCHASE ? k->purchase : what == VOTE_TYPE ? k->type : k->region;
}

/* Rows of instance time alone vote, unless there are none. */
static uint32_t elected(const struct bill_entry *v, size_t n, bool any_time, enum vote_for what, const struct intern *names,
                        struct vote *votes)
{
    size_t voters = 0;

    for (size_t i = 0; i < n; i++)
        if (!any_time || (v[i].key.kind & ENTRY_TIME))
            votes[voters++] = (struct vote){value_of(&v[i].key, what), v[i].cost};
    return elect(votes, voters, what == VOTE_PURCHASE ? NULL : names);
}

/* ---- the charge ---- */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

bool bill_key_counts_gpus(const struct bill_key *k)
{
    return k->piece == PIECE_GPU || (k->kind & ENTRY_GPU_TIME);
}

/* Quantities in time, of GPUs or of machines, added up; false when none has one. */
static bool add_times(const struct bill_entry *v, size_t n, bool of_gpus, money *sum)
{
    bool any = false;

    *sum = 0;
    for (size_t i = 0; i < n; i++)
        if (of_gpus ? bill_key_counts_gpus(&v[i].key) : v[i].key.piece == PIECES && !bill_key_counts_gpus(&v[i].key)) {
            *sum += v[i].time_ms;
            any |= v[i].has_time;
        }
    return any;
}

static money per_gpu(money sum, int64_t gpu_micro, int64_t length_ms)
{
    money whole = gpu_micro ? 0 : (sum + length_ms * MS - 1) / (length_ms * MS);

    if (sum <= 0)
        return 0;
    return money_mul_div(sum, 1000000, gpu_micro ? (weight)gpu_micro : (weight)whole * 1000000);
}

/* A bill with rows for GPUs counts their time, card by card; otherwise rows count the machine's. The interval when no row has a time. A
 * scale set runs for longer than that, or for nobody knows how long. */
int64_t bill_entries_billed_ns(const struct bill_entry *v, size_t n, int64_t gpu_micro, bool is_set)
{
    int64_t length_ms = timespan_ms(v[0].key.span), length = length_ms * TIME_NS_PER_MS, most = is_set ? INT64_MAX / 2 : length;
    money sum;

    if (add_times(v, n, true, &sum))
        sum = per_gpu(sum, gpu_micro, length_ms);
    else if (!add_times(v, n, false, &sum))
        return is_set ? 0 : length;
    sum = money_round(sum, 6) / (MS / TIME_NS_PER_MS);
    return sum < 0 ? 0 : sum > most ? most : (int64_t)sum;
}

/* ---- parts ---- */

static int part_cmp(const struct charge_part *a, const struct charge_part *b, const struct intern *names)
{
    if (a->piece != b->piece)
        return a->piece < b->piece ? -1 : 1;
    return intern_cmp(names, a->gpu_model, b->gpu_model);
}

/* Where others bill cores and memory, a machine that is billed by its GPUs is billed for them alone. */
static enum piece piece_of(const struct bill_key *k)
{
    return k->piece == PIECES ? PIECE_GPU : (enum piece)k->piece;
}

/* Parts of a charge are few: pieces, and the models of its GPUs. */
static void add_part(struct charge_parts *parts, size_t first, struct charge_part part, const struct intern *names)
{
    size_t i = first;

    while (i < parts->n && part_cmp(&parts->v[i], &part, names) < 0)
        i++;
    if (i < parts->n && part_cmp(&parts->v[i], &part, names) == 0) {
        parts->v[i].cost += part.cost;
        return;
    }
    vec_push(parts, part);
    for (size_t k = parts->n - 1; k > i; k--)
        parts->v[k] = parts->v[k - 1];
    parts->v[i] = part;
}

static void add_parts(const struct bill_entry *v, size_t n, const struct intern *names, struct charge_parts *parts, struct charge *c)
{
    bool pieces = false;

    c->first_part = (uint32_t)parts->n;
    for (size_t i = 0; i < n; i++)
        pieces |= v[i].key.piece != PIECES;
    for (size_t i = 0; i < n && pieces; i++)
        if (v[i].key.piece != PIECES || bill_key_counts_gpus(&v[i].key))
            add_part(parts, c->first_part, (struct charge_part){piece_of(&v[i].key), v[i].key.gpu_model, v[i].cost}, names);
    c->n_parts = (uint32_t)(parts->n - c->first_part);
}

struct charge bill_entries_charge(const struct bill_entry *v, size_t n, uint32_t resource, const struct intern *names,
                                  struct charge_parts *parts)
{
    struct charge c = {.resource = resource, .span = v[0].key.span, .correction_only = true};
    struct vote *votes = xcalloc(n, sizeof *votes);
    bool any_time = false, no_list = false;

    assert(n > 0);
    for (size_t i = 0; i < n; i++) {
        const struct bill_entry *x = &v[i];

        c.cost += x->cost;
        c.invoiced += x->invoiced;
        c.vcpu_micro = larger(c.vcpu_micro, x->vcpu_micro);
        c.memory_micro_gib = larger(c.memory_micro_gib, x->memory_micro_gib);
        c.gpu_count_micro = larger(c.gpu_count_micro, x->gpu_count_micro);
        any_time |= (x->key.kind & ENTRY_TIME) != 0;
        c.list += x->list;
        no_list |= x->no_list;
        if ((x->key.kind & (ENTRY_TIME | ENTRY_CORRECTION)) == ENTRY_TIME)
            c.correction_only = false;
    }
    c.list = no_list || c.list < 0 ? 0 : c.list;
    add_parts(v, n, names, parts, &c);
    c.purchase = (enum purchase)elected(v, n, any_time, VOTE_PURCHASE, names, votes);
    c.instance_type = elected(v, n, any_time, VOTE_TYPE, names, votes);
    c.region = elected(v, n, any_time, VOTE_REGION, names, votes);
    free(votes);
    return c;
}
