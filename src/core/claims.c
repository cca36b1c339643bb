/* claims: rounds a device's weights to shares of the GPU, once per change. Integers only. */
#include "gputab/core/claims.h"

#include <assert.h>
#include <string.h>

#include "gputab/value/inventory.h"
#include "gputab/value/inverse.h"
#include "gputab/value/money.h"

enum { FEW = 16 };                         /* claims on a device that need no heap */

static size_t largest(const uint64_t *v, size_t n)
{
    uint64_t most = v[0];
    size_t best = 0;

    for (size_t i = 1; i < n; i++) {
        best = v[i] > most ? i : best;
        most = v[i] > most ? v[i] : most;
    }
    return best;
}

static inline void know_sum(struct known_sum *known, uint64_t sum)
{
    if (known->sum == sum)
        return;
    known->sum = sum;
    known->up = __builtin_clzll(sum);
    known->by = inverse_of(sum << known->up);
}

/* The quotients, and in the place of the weights their remainders, all in the same unit. Returns what the quotients leave of the total.
 * Neighbours often weigh the same: pods among whom memory was divided evenly. */
static inline uint64_t round_down(uint64_t total, uint64_t *weights, size_t n, const struct known_sum *known, uint64_t *out)
{
    struct inverse by = known->by;
    uint64_t left = total, before = 0, quotient = 0, rest = 0;
    int up = known->up;

    for (size_t i = 0; i < n; i++) {
        if (weights[i] != before) {
            before = weights[i];
            quotient = inverse_divide(&by, (weight)total * (before << up), &rest);
        }
        out[i] = quotient;
        weights[i] = rest;
        left -= quotient;
    }
    return left;
}

/* The same by weights whose sum has more than 64 bits. No card has such memory; remainders must fit all the same. */
static uint64_t round_down_wide(uint64_t total, uint64_t *weights, size_t n, weight sum, uint64_t *out)
{
    uint64_t left = total;

    for (size_t i = 0; i < n; i++) {
        weight exact = (weight)total * weights[i];
        uint64_t quotient = (uint64_t)(exact / sum);

        out[i] = quotient;
        weights[i] = (uint64_t)((exact - (weight)quotient * sum) >> 32);
        left -= quotient;
    }
    return left;
}

static inline void split_many(uint64_t total, uint64_t *weights, size_t n, weight sum, struct known_sum *known, uint64_t *out)
{
    uint64_t left;

    if (sum >> 64) {
        left = round_down_wide(total, weights, n, sum, out);
    } else {
        know_sum(known, (uint64_t)sum);
        left = round_down(total, weights, n, known, out);
    }
    for (; left > 0; left--) {             /* fewer than there are remainders: one unit each to the largest of them */
        size_t i = largest(weights, n);

        out[i]++;
        weights[i] = 0;
    }
}

/* Two claims, a pod and what is idle: their remainders make up one divisor, or nothing. */
static inline void split_in_two(uint64_t total, uint64_t first, uint64_t sum, struct known_sum *known, uint64_t *out)
{
    uint64_t rest;

    know_sum(known, sum);
    out[0] = inverse_divide(&known->by, (weight)total * (first << known->up), &rest);
    rest >>= known->up;
    out[0] += rest > 0 && rest >= sum - rest;
    out[1] = total - out[0];
}

/* Equal weights leave equal remainders: what the quotients leave goes to the first of them. */
static inline void split_evenly(uint64_t total, size_t n, uint64_t *out)
{
    uint64_t quotient = n == 1 ? total : total / n, left = total - n * quotient;

    for (size_t i = 0; i < n; i++)
        out[i] = quotient + (i < left);
}

void claims_split(uint64_t total, uint64_t *weights, size_t n, uint64_t *out)
{
    struct known_sum known = {0};
    weight sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    assert(sum > 0);
    split_many(total, weights, n, sum, &known, out);
}

/* A device's claims while they are weighed. */
struct scales {
    const struct claim *v;
    size_t n, pods;                        /* pods: they stand first, and count in each column */
    weight pods_sum;
    bool even;                             /* all pods weigh the same */
    uint64_t *weights;                     /* room for n */
    uint64_t *share[RULE_DENOMINATORS];    /* likewise; columns with the same claims have the same */
};
enum { ROWS = 1 + RULE_DENOMINATORS };

/* rows: room for ROWS * n. */
static inline struct scales put_on(const struct claim *v, size_t n, uint64_t *rows)
{
    struct scales s = {.v = v, .n = n, .even = true, .weights = rows};

    for (; s.pods < n && v[s.pods].claimant == CLAIM_POD; s.pods++) {
        s.pods_sum += v[s.pods].weight;
        s.even &= v[s.pods].weight == v[0].weight;
    }
    return s;
}

/* Among pods of one weight and what stands behind them: as if there were one pod, which has its units several times. The weights from the
 * last pod's on are filled in. */
static inline void split_even_pods(const struct scales *s, size_t n, uint64_t total, struct known_sum *known, uint64_t *out)
{
    uint64_t *weights = s->weights + s->pods - 1, *last = out + s->pods - 1, each, left, more = 0;

    n -= s->pods - 1;
    left = round_down(total, weights, n, known, last);
    each = *last;
    left -= (s->pods - 1) * each;
    while (left > 0) {
        size_t i = largest(weights, n);
        uint64_t units = i > 0 ? 1 : left < s->pods ? left : s->pods;

        *(i > 0 ? &last[i] : &more) += units;
        weights[i] = 0;
        left -= units;
    }
    for (size_t i = 0; i < s->pods; i++)
        out[i] = each + (i < more);
}

/* Divides the total by column k. Those behind the last that counts have nothing. */
static inline void weigh_column(const struct scales *s, int k, uint64_t total, struct known_sum *known)
{
    unsigned bit = 1u << k;
    uint64_t *out = s->share[k];
    weight sum = s->pods_sum;
    size_t n = s->n;

    for (; n > s->pods && !(s->v[n - 1].columns & bit); n--)
        out[n - 1] = 0;
    if (n == s->pods && s->even) {
        split_evenly(total, n, out);
        return;
    }
    for (size_t i = s->pods; i < n; i++)
        sum += s->weights[i] = s->v[i].columns & bit ? s->v[i].weight : 0;
    assert(sum > 0);
    if (n == 2 && !(sum >> 64)) {
        split_in_two(total, s->pods > 0 ? s->v[0].weight : s->weights[0], (uint64_t)sum, known, out);
    } else if (s->even && s->pods > 0 && !(sum >> 64)) {
        know_sum(known, (uint64_t)sum);
        s->weights[s->pods - 1] = s->v[0].weight;
        split_even_pods(s, n, total, known, out);
    } else {
        for (size_t i = 0; i < s->pods; i++)
            s->weights[i] = s->v[i].weight;
        split_many(total, s->weights, n, sum, known, out);
    }
}

/* Without a reserve the whole memory is usable, and so on: columns often have the same claims. The sum of the first one, the device's
 * memory, is mostly that of before. */
static inline void weigh(struct scales *s, uint64_t total, struct known_sum *memory)
{
    unsigned differs = 1u << RULE_CAPACITY;                /* bit k: some claim counts in column k or in the one before, not in both */
    struct known_sum other = {0};

    for (size_t i = s->pods; i < s->n; i++)
        differs |= s->v[i].columns ^ s->v[i].columns << 1;
    for (int k = 0; k < RULE_DENOMINATORS; k++) {
        s->share[k] = differs >> k & 1 ? s->weights + (size_t)(k + 1) * s->n : s->share[k - 1];
        if (differs >> k & 1)
            weigh_column(s, k, total, k == RULE_CAPACITY ? memory : &other);
    }
}

/* The list while it is brought up to date: so far it has n claims; `others`: one of them is of another claimant than before. */
struct renewal {
    struct share_claims *list;
    size_t n;
    bool others;
};

enum { WHO = offsetof(struct claim, pod) + sizeof (uint32_t) };
_Static_assert(WHO == 3 * sizeof (enum grade) + sizeof (uint32_t), "claimants are compared without a gap");
_Static_assert(offsetof(struct share_claim, pod) - offsetof(struct share_claim, claimant) == offsetof(struct claim, pod),
               "both kinds of claims say in the same way who claims");

static inline bool same_claimant(const struct share_claim *s, const struct claim *c)
{
    return memcmp((const char *)s + offsetof(struct share_claim, claimant), c, WHO) == 0;
}

/* Whether the list's n claims from `first` on were of the device, in the state that it has now. The claims of a device stand together. */
static bool same_device(const struct share_claims *list, size_t first, size_t n, uint32_t device, const struct device_claims *d)
{
    const struct share_claim *s = list->v + first;

    return n > 0 && first + n <= list->n && s->device == device && s[n - 1].device == device && s->state == d->state
        && s->sharing == d->sharing;
}

/* Writes the claims of a device, from the i-th to the one before `end`, with their shares. */
static inline bool put_some(struct share_claim *s, uint32_t device, const struct device_claims *d, const struct scales *scales, bool same,
                            size_t i, size_t end, uint64_t held)
{
    bool pods = i < scales->pods, others = false;

    for (; i < end; i++) {
        const struct claim *c = &scales->v[i];

        if (!same || !same_claimant(&s[i], c)) {
            s[i] = (struct share_claim){device, d->state, d->sharing, c->claimant, c->reason, c->grade, c->pod, 0, {0}, 0};
            others = true;
        }
        s[i].memory = pods ? c->weight : 0;
        s[i].held = held;
        for (int k = 0; k < RULE_DENOMINATORS; k++)
            s[i].share[k] = scales->share[k][i];
    }
    return others;
}

/* The device's claims. held: what a pod has as its holder. */
static inline void put_claims(struct renewal *r, uint32_t device, const struct device_claims *d, const struct scales *scales, uint64_t held)
{
    size_t first = r->n, n = d->claims.n;
    bool same = same_device(r->list, first, n, device, d);
    struct share_claim *s;

    vec_reserve(r->list, first + n);
    s = r->list->v + first;
    r->others |= put_some(s, device, d, scales, same, 0, scales->pods, held);
    r->others |= put_some(s, device, d, scales, same, scales->pods, n, 0);
    r->n += n;
}

static void add_claims(struct renewal *r, const struct claims_device *d, uint64_t total)
{
    size_t n = d->claims->claims.n;
    uint64_t few[ROWS * FEW], *rows = n <= FEW ? few : xreallocarray(NULL, n, ROWS * sizeof *rows);
    struct scales s = put_on(d->claims->claims.v, n, rows);

    weigh(&s, total, &r->list->memory);
    put_claims(r, d->device, d->claims, &s, d->claims->state == USAGE_HELD ? total : 0);
    if (rows != few)
        free(rows);
}

static void add_uncovered(struct renewal *r, uint64_t part)
{
    struct claim idle = {.claimant = CLAIM_IDLE, .reason = REASON_FREE_MIG, .pod = NONE};
    struct device_claims d = {.state = USAGE_NOBODY, .sharing = SHARING_MIG, .claims = {&idle, 1, 1}};
    struct scales s = {.v = &idle, .n = 1, .share = {&part, &part, &part}};

    if (part > 0)
        put_claims(r, NONE, &d, &s, 0);
}

static void compose_instances(struct renewal *r, const struct claims_device *devices, size_t n, int base)
{
    const uint64_t whole = (uint64_t)1 << USAGE_SHARE_BITS;
    uint64_t *slices = xcalloc(n + 1, 2 * sizeof *slices), *parts = slices + n + 1, sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += slices[i] = (uint64_t)devices[i].slices;
    slices[n] = sum < (uint64_t)base ? (uint64_t)base - sum : 0;
    claims_split(whole, slices, n + 1, parts);
    for (size_t i = 0; i < n; i++)
        add_claims(r, &devices[i], parts[i]);
    add_uncovered(r, parts[n]);
    free(slices);
}

void claims_compose(const struct claims_device *devices, size_t n, int base, struct share_claims *out)
{
    struct renewal r = {.list = out};

    if (n == 1 && devices[0].slices == 0)
        add_claims(&r, &devices[0], (uint64_t)1 << USAGE_SHARE_BITS);
    else if (n > 0)
        compose_instances(&r, devices, n, base);
    if (r.others || r.n != out->n)
        out->edition++;
    out->n = r.n;
}
