/* recall: two lists of claims that change places. Both have the same claimants in the same order, or the edition says otherwise. */
#include "gputab/core/recall.h"

#include <string.h>

static bool same_numbers(const struct recalled_numbers *n, const struct device_reading *r)
{
    const struct pod_value *v = r->labelled.v;

    for (size_t i = 0; i < r->labelled.n; i++)
        if (n->labelled[i] != v[i].bytes)
            return false;
    return n->used == r->used && n->free == r->free && n->total == r->total && n->reserved == r->reserved;
}

static void take_numbers(struct recalled_numbers *n, const struct device_reading *r)
{
    for (size_t i = 0; i < r->labelled.n; i++)
        n->labelled[i] = r->labelled.v[i].bytes;
    n->used = r->used;
    n->free = r->free;
    n->total = r->total;
    n->reserved = r->reserved;
}

static bool same_claimants(const struct share_claims *a, const struct share_claims *b)
{
    return a->edition == b->edition && a->n == b->n;
}

/* Lists of the same claimants: only their memory. */
static void change_places(struct share_claims *a, struct share_claims *b)
{
    struct share_claim *v = a->v;
    size_t cap = a->cap;

    a->v = b->v;
    a->cap = b->cap;
    b->v = v;
    b->cap = cap;
}

/* The claims at hand are those of before now; what is left in their place has the same claimants. */
static void keep(struct recall *r, struct share_claims *claims)
{
    if (!same_claimants(&r->before, claims)) {
        vec_reserve(&r->before, claims->n);
        if (claims->n > 0)
            memcpy(r->before.v, claims->v, claims->n * sizeof *claims->v);
        r->before.n = claims->n;
        r->before.edition = claims->edition;
    }
    change_places(&r->before, claims);
}

bool recall_claims(struct recall *r, const struct device_reading *reading, bool only_values, struct share_claims *claims)
{
    unsigned other = !r->now;

    if (!only_values || reading->layer.n > 0 || reading->labelled.n > RECALL_PODS)
        r->known = 0;
    if (reading->layer.n > 0 || reading->labelled.n > RECALL_PODS)
        return false;
    r->now = other;
    if (r->known == 2 && same_claimants(&r->before, claims) && same_numbers(&r->numbers[other], reading)) {
        change_places(&r->before, claims);
        return true;
    }
    if (r->known > 0)
        keep(r, claims);
    take_numbers(&r->numbers[other], reading);
    r->known += r->known < 2;
    return false;
}

void recall_free(struct recall *r)
{
    vec_free(&r->before);
}
