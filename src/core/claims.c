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

/* Numbers that stand at equal distances: an array, or a field of the structs in one. */
struct column {
    char *first;
    size_t step;                           /* bytes */
};

static inline uint64_t *cell(struct column c, size_t i)
{
    return (uint64_t *)(void *)(c.first + i * c.step);
}

/* The quotients, and in the place of the weights their remainders, all in the same unit. Returns what the quotients leave of the total.
 * Neighbours often weigh the same: pods among whom memory was divided evenly. */
static uint64_t round_down(uint64_t total, uint64_t *weights, size_t n, uint64_t sum, struct column out)
{
    int up = __builtin_clzll(sum);
    struct inverse by = inverse_of(sum << up);
    uint64_t left = total, before = 0, quotient = 0, rest = 0;

    for (size_t i = 0; i < n; i++) {
        if (weights[i] != before) {
            before = weights[i];
            quotient = inverse_divide(&by, (weight)total * (before << up), &rest);
        }
        *cell(out, i) = quotient;
        weights[i] = rest;
        left -= quotient;
    }
    return left;
}

/* The same by weights whose sum has more than 64 bits. No card has such memory; remainders must fit all the same. */
static uint64_t round_down_wide(uint64_t total, uint64_t *weights, size_t n, weight sum, struct column out)
{
    uint64_t left = total;

    for (size_t i = 0; i < n; i++) {
        weight exact = (weight)total * weights[i];
        uint64_t quotient = (uint64_t)(exact / sum);

        *cell(out, i) = quotient;
        weights[i] = (uint64_t)((exact - (weight)quotient * sum) >> 32);
        left -= quotient;
    }
    return left;
}

static void split_many(uint64_t total, uint64_t *weights, size_t n, weight sum, struct column out)
{
    uint64_t left = sum >> 64 ? round_down_wide(total, weights, n, sum, out) : round_down(total, weights, n, (uint64_t)sum, out);

    for (; left > 0; left--) {             /* fewer than there are remainders: one unit each to the largest of them */
        size_t i = largest(weights, n);

        ++*cell(out, i);
        weights[i] = 0;
    }
}

/* The first of two claims, a pod and what is idle. The other has what it leaves: their remainders make up one divisor, or nothing. */
static inline uint64_t first_of_two(uint64_t total, uint64_t first, uint64_t sum)
{
    weight exact = (weight)total * first;
    uint64_t quotient = (uint64_t)(exact / sum), rest = (uint64_t)exact - quotient * sum;

    return quotient + (rest > 0 && rest >= sum - rest);
}

/* The remainders may take the place of the weights. */
static inline void split(uint64_t total, uint64_t *weights, size_t n, weight sum, struct column out)
{
    uint64_t first;

    assert(sum > 0);
    if (weights[0] != sum && (n > 2 || sum >> 64)) {
        split_many(total, weights, n, sum, out);
        return;
    }
    first = weights[0] == sum ? total : first_of_two(total, weights[0], (uint64_t)sum);
    for (size_t i = 0; i < n; i++)         /* one more at most has a part */
        *cell(out, i) = i == 0 ? first : total - first;
}

void claims_split(uint64_t total, uint64_t *weights, size_t n, uint64_t *out)
{
    weight sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    split(total, weights, n, sum, (struct column){(char *)out, sizeof *out});
}

/* The shares of column k. weights: room for n. */
static inline void add_column(const struct claim *v, size_t n, int k, uint64_t total, uint64_t *weights, struct share_claim *out)
{
    unsigned bit = 1u << k;
    weight sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += weights[i] = v[i].columns & bit ? v[i].weight : 0;
    split(total, weights, n, sum, (struct column){(char *)out + offsetof(struct share_claim, share[k]), sizeof *out});
}

/* Without a reserve the whole memory is usable, and so on: columns often have the same claims. Pods, which stand before the buckets, count
 * in each. */
static void add_shares(const struct device_claims *d, uint64_t total, struct share_claim *out)
{
    const struct claim *v = d->claims.v;
    size_t n = d->claims.n;
    uint64_t few[FEW], *weights = n <= FEW ? few : xreallocarray(NULL, n, sizeof *weights);
    unsigned differs = 1u << RULE_CAPACITY;                /* bit k: some claim counts in column k or in the one before, not in both */

    for (size_t i = n; i > 0 && v[i - 1].claimant != CLAIM_POD; i--)
        differs |= v[i - 1].columns ^ v[i - 1].columns << 1;
    for (int k = 0; k < RULE_DENOMINATORS; k++)
        if (differs >> k & 1)
            add_column(v, n, k, total, weights, out);
        else
            for (size_t i = 0; i < n; i++)
                out[i].share[k] = out[i].share[k - 1];
    if (weights != few)
        free(weights);
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

/* Claims on a device, without their shares. */
static struct share_claim *put_claims(struct renewal *r, uint32_t device, const struct device_claims *d, uint64_t held)
{
    size_t first = r->n, n = d->claims.n;
    bool same = same_device(r->list, first, n, device, d);

    vec_reserve(r->list, first + n);
    for (size_t i = 0; i < n; i++) {
        const struct claim *c = &d->claims.v[i];
        struct share_claim *s = &r->list->v[first + i];

        if (!same || !same_claimant(s, c)) {
            *s = (struct share_claim){device, d->state, d->sharing, c->claimant, c->reason, c->grade, c->pod, 0, {0}, 0};
            r->others = true;
        }
        s->memory = claim_memory(c);
        s->held = c->claimant == CLAIM_POD ? held : 0;
    }
    r->n += n;
    return r->list->v + first;
}

static void add_claims(struct renewal *r, const struct claims_device *d, uint64_t total)
{
    add_shares(d->claims, total, put_claims(r, d->device, d->claims, d->claims->state == USAGE_HELD ? total : 0));
}

static void add_uncovered(struct renewal *r, uint64_t part)
{
    struct claim idle = {.claimant = CLAIM_IDLE, .reason = REASON_FREE_MIG, .pod = NONE};
    struct device_claims d = {.state = USAGE_NOBODY, .sharing = SHARING_MIG, .claims = {&idle, 1, 1}};
    struct share_claim *s;

    if (part == 0)
        return;
    s = put_claims(r, NONE, &d, 0);
    for (int k = 0; k < RULE_DENOMINATORS; k++)
        s->share[k] = part;
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
