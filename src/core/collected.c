/* collected: sorting and summing what a charge has gathered, in canonical order (inventory indices, names of pods, times, enums; never
 * arrival). */
#include "gputab/core/divide.h"

#include <assert.h>
#include <string.h>

#define ORDER(a, b)                                                                     \
    do {                                                                                \
        if ((a) != (b))                                                                 \
            return (a) < (b) ? -1 : 1;                                                  \
    } while (0)

static uint32_t rank_of(void *arg, uint32_t version)
{
    const struct owners *const *owners = arg;

    return version == NONE ? NONE : (*owners)->rank.v[version];
}

static int by_gpu_cell(const void *pa, const void *pb, void *owners)
{
    const struct gpu_cell *a = pa, *b = pb;

    ORDER(a->gpu, b->gpu);
    ORDER(a->day, b->day);
    ORDER(a->sharing, b->sharing);
    ORDER(a->state, b->state);
    ORDER(a->candidates, b->candidates);
    ORDER(a->claimant, b->claimant);
    ORDER(a->reason, b->reason);
    ORDER(a->grade, b->grade);
    ORDER(rank_of(owners, a->pod_version), rank_of(owners, b->pod_version));
    return 0;
}

static int by_gpu_day(const void *pa, const void *pb, void *owners)
{
    const struct gpu_day *a = pa, *b = pb;

    (void)owners;
    ORDER(a->gpu, b->gpu);
    ORDER(a->day, b->day);
    return 0;
}

static int by_host_cell(const void *pa, const void *pb, void *owners)
{
    const struct host_cell *a = pa, *b = pb;

    ORDER(rank_of(owners, a->pod_version), rank_of(owners, b->pod_version));
    ORDER(a->day, b->day);
    return 0;
}

static int by_host_day(const void *pa, const void *pb, void *owners)
{
    const struct host_day *a = pa, *b = pb;

    (void)owners;
    ORDER(a->day, b->day);
    return 0;
}

/* Facts come by node, time and card, but those of a card as its claims do. So what is in order stays where it is, what is not goes back a
 * few places; unless that was too often. */
static void sort(void *v, size_t n, size_t size, int (*compare)(const void *, const void *, void *), void *arg)
{
    enum { STEPS = 8 };            /* for each of them on average: more than sorting anew would take */
    char *p = v, x[sizeof(struct gpu_cell)];
    size_t steps = 0, k;

    assert(size <= sizeof x);
    for (size_t i = 1; i < n; i++) {
        for (k = i; k > 0 && steps <= n * STEPS && compare(p + (k - 1) * size, p + i * size, arg) > 0; k--)
            steps++;
        if (k == i)
            continue;
        memcpy(x, p + i * size, size);
        memmove(p + (k + 1) * size, p + k * size, (i - k) * size);
        memcpy(p + k * size, x, size);
    }
    if (steps > n * STEPS)
        qsort_r(v, n, size, compare, arg);
}

/* Sorts a list and merges neighbours with equal keys by the statement `add` (from `x` into `last`). */
#define COMPACT(list, type, compare, add)                                               \
    do {                                                                                \
        size_t kept = 0;                                                                \
        sort((list)->v, (list)->n, sizeof *(list)->v, compare, &owners);                \
        for (size_t i = 0; i < (list)->n; i++) {                                        \
            type *x = &(list)->v[i], *last = kept ? &(list)->v[kept - 1] : NULL;        \
            if (last && compare(last, x, &owners) == 0)                                 \
                add;                                                                    \
            else if (kept++ < i)                                                        \
                (list)->v[kept - 1] = *x;                                               \
        }                                                                               \
        (list)->n = kept;                                                               \
    } while (0)

void collected_compact(struct collected *c, const struct owners *owners)
{
    COMPACT(&c->gpu, struct gpu_cell, by_gpu_cell, (last->share += x->share, last->used += x->used, last->memory_ms += x->memory_ms));
    COMPACT(&c->observed, struct gpu_day, by_gpu_day, last->observed_ms += x->observed_ms);
    COMPACT(&c->host, struct host_cell, by_host_cell, (last->amount[0] += x->amount[0], last->amount[1] += x->amount[1]));
    COMPACT(&c->host_observed, struct host_day, by_host_day,
            (last->observed_ms[0] += x->observed_ms[0], last->observed_ms[1] += x->observed_ms[1]));
}

void collected_free(struct collected *c)
{
    vec_free(&c->gpu);
    vec_free(&c->observed);
    vec_free(&c->host);
    vec_free(&c->host_observed);
}
