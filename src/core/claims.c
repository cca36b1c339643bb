/* claims: rounds a device's weights to shares of the GPU, once per change. Integers only. */
#include "gputab/core/claims.h"

#include <assert.h>
#include <string.h>

#include "gputab/value/inventory.h"
#include "gputab/value/money.h"

enum { FEW = 16 };                         /* claims on a device that need no heap */

static size_t largest(const uint64_t *v, size_t n)
{
    size_t best = 0;

    for (size_t i = 1; i < n; i++)
        if (v[i] > v[best])
            best = i;
    return best;
}

void claims_split(uint64_t total, uint64_t *weights, size_t n, uint64_t *out)
{
    uint64_t left = total;
    weight sum = 0;
    int shift;

    for (size_t i = 0; i < n; i++)
        sum += weights[i];
    assert(sum > 0);
    shift = sum >> 64 ? 32 : 0;            /* no card has such memory; remainders must fit all the same */
    for (size_t i = 0; i < n; i++) {
        weight exact = (weight)total * weights[i];

        out[i] = (uint64_t)(exact / sum);
        weights[i] = (uint64_t)((exact - (weight)out[i] * sum) >> shift);
        left -= out[i];
    }
    for (; left > 0; left--) {             /* fewer than there are remainders: one unit each to the largest of them */
        size_t i = largest(weights, n);

        out[i]++;
        weights[i] = 0;
    }
}

/* Without a reserve the whole memory is usable, and so on: columns are often the same. */
static bool same_weights(const struct device_claims *d, int k, int as)
{
    for (size_t i = 0; i < d->claims.n; i++)
        if (d->claims.v[i].weight[k] != d->claims.v[i].weight[as])
            return false;
    return true;
}

static void add_shares(const struct device_claims *d, uint64_t total, struct share_claim *out)
{
    size_t n = d->claims.n;
    uint64_t few[2 * FEW], *weights = n <= FEW ? few : xreallocarray(NULL, n, 2 * sizeof *weights), *parts = weights + n;

    for (int k = 0; k < RULE_DENOMINATORS; k++) {
        if (k == 0 || !same_weights(d, k, k - 1)) {
            for (size_t i = 0; i < n; i++)
                weights[i] = d->claims.v[i].weight[k];
            claims_split(total, weights, n, parts);
        }
        for (size_t i = 0; i < n; i++)
            out[i].share[k] = parts[i];
    }
    if (weights != few)
        free(weights);
}

static void add_claims(const struct claims_device *d, uint64_t total, struct share_claims *out)
{
    size_t n = d->claims->claims.n;

    for (size_t i = 0; i < n; i++) {
        const struct claim *c = &d->claims->claims.v[i];

        vec_push(out, (struct share_claim){
            .device = d->device, .state = d->claims->state, .sharing = d->claims->sharing, .claimant = c->claimant, .reason = c->reason,
            .grade = c->grade, .pod = c->pod, .memory = c->memory,
            .held = d->claims->state == USAGE_HELD && c->claimant == CLAIM_POD ? total : 0});
    }
    add_shares(d->claims, total, out->v + out->n - n);
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
    return a->device == b->device && a->state == b->state && a->sharing == b->sharing && a->claimant == b->claimant
        && a->reason == b->reason && a->grade == b->grade && a->pod == b->pod
        && a->memory == b->memory && a->held == b->held && memcmp(a->share, b->share, sizeof a->share) == 0;
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
