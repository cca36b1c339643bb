/* claims: rounds a device's weights to shares of the GPU, once per change. Integers only. */
#include "gputab/core/claims.h"

#include <assert.h>

#include "gputab/value/inventory.h"
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

/* A divisor of several numbers. With its reciprocal a division is two multiplications, and as exact as one (Moeller and Granlund,
 * "Improved division by invariant integers", algorithm 4). */
struct divisor {
    int shift;
    uint64_t high;                         /* the divisor << shift: its top bit is set */
    uint64_t reciprocal;                   /* floor((2^128 - 1) / high) - 2^64 */
};

static struct divisor divisor_of(uint64_t d)
{
    struct divisor by = {.shift = __builtin_clzll(d)};

    by.high = d << by.shift;
    by.reciprocal = (uint64_t)(~(weight)0 / by.high);      /* without the bit of 2^64 */
    return by;
}

/* total * part / the divisor, for a part that is not larger than the divisor. The remainder is << shift, too. */
static inline uint64_t divide(uint64_t total, uint64_t part, const struct divisor *by, uint64_t *remainder)
{
    weight exact = (weight)total * (part << by->shift), guess = (weight)by->reciprocal * (uint64_t)(exact >> 64) + exact;
    uint64_t quotient = (uint64_t)(guess >> 64) + 1, rest = (uint64_t)exact - quotient * by->high;

    if (rest > (uint64_t)guess) {
        quotient--;
        rest += by->high;
    }
    if (rest >= by->high) {
        quotient++;
        rest -= by->high;
    }
    *remainder = rest;
    return quotient;
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
    struct divisor by = divisor_of(sum);
    uint64_t left = total, before = 0, quotient = 0, rest = 0;

    for (size_t i = 0; i < n; i++) {
        if (weights[i] != before) {
            before = weights[i];
            quotient = divide(total, before, &by, &rest);
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
    weight sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += weights[i] = v[i].weight & (0 - (uint64_t)(v[i].columns >> k & 1));
    split(total, weights, n, sum, (struct column){(char *)out + offsetof(struct share_claim, share[k]), sizeof *out});
}

/* Without a reserve the whole memory is usable, and so on: columns often have the same claims. */
static void add_shares(const struct device_claims *d, uint64_t total, struct share_claim *out)
{
    const struct claim *v = d->claims.v;
    size_t n = d->claims.n;
    uint64_t few[FEW], *weights = n <= FEW ? few : xreallocarray(NULL, n, sizeof *weights);
    unsigned differs = 1u << RULE_CAPACITY;                /* bit k: some claim counts in column k or in the one before, not in both */

    for (size_t i = 0; i < n; i++)
        differs |= v[i].columns ^ v[i].columns << 1;
    for (int k = 0; k < RULE_DENOMINATORS; k++)
        if (differs >> k & 1)
            add_column(v, n, k, total, weights, out);
        else
            for (size_t i = 0; i < n; i++)
                out[i].share[k] = out[i].share[k - 1];
    if (weights != few)
        free(weights);
}

static void add_claims(const struct claims_device *d, uint64_t total, struct share_claims *out)
{
    size_t n = d->claims->claims.n, first = out->n;
    bool held = d->claims->state == USAGE_HELD;

    vec_reserve(out, first + n);
    out->n = first + n;
    for (size_t i = 0; i < n; i++) {
        const struct claim *c = &d->claims->claims.v[i];
        struct share_claim *share = &out->v[first + i];

        share->device = d->device;
        share->state = d->claims->state;
        share->sharing = d->claims->sharing;
        share->claimant = c->claimant;
        share->reason = c->reason;
        share->grade = c->grade;
        share->pod = c->pod;
        share->memory = claim_memory(c);
        share->held = held && c->claimant == CLAIM_POD ? total : 0;
    }
    add_shares(d->claims, total, out->v + first);
}

static void add_uncovered(uint64_t part, struct share_claims *out)
{
    struct share_claim c = {.device = NONE, .state = USAGE_NOBODY, .sharing = SHARING_MIG, .claimant = CLAIM_IDLE,
                            .reason = REASON_FREE_MIG, .pod = NONE};

    for (int k = 0; k < RULE_DENOMINATORS; k++)
        c.share[k] = part;
    if (part > 0)
        vec_push(out, c);
}

static void compose_instances(const struct claims_device *devices, size_t n, int base, struct share_claims *out)
{
    const uint64_t whole = (uint64_t)1 << USAGE_SHARE_BITS;
    uint64_t *slices = xcalloc(n + 1, 2 * sizeof *slices), *parts = slices + n + 1, sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += slices[i] = (uint64_t)devices[i].slices;
    slices[n] = sum < (uint64_t)base ? (uint64_t)base - sum : 0;
    claims_split(whole, slices, n + 1, parts);
    for (size_t i = 0; i < n; i++)
        add_claims(&devices[i], parts[i], out);
    add_uncovered(parts[n], out);
    free(slices);
}

_Static_assert(offsetof(struct share_claim, pod) == offsetof(struct share_claim, state) + 5 * sizeof(enum grade),
               "claims are compared without a gap");

void claims_compose(const struct claims_device *devices, size_t n, int base, struct share_claims *out)
{
    vec_clear(out);
    if (n == 1 && devices[0].slices == 0)
        add_claims(&devices[0], (uint64_t)1 << USAGE_SHARE_BITS, out);
    else if (n > 0)
        compose_instances(devices, n, base, out);
}

static bool claim_equal(const struct share_claim *a, const struct share_claim *b)
{
    return a->memory == b->memory && a->held == b->held && memcmp(a->share, b->share, sizeof a->share) == 0 && claims_same_claimant(a, b);
}

bool claims_equal(const struct share_claims *a, const struct share_claims *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (!claim_equal(&a->v[i], &b->v[i]))
            return false;
    return true;
}
