/* claims: the claims on one physical GPU at one instant, as shares of it in units of 2^-USAGE_SHARE_BITS.
 * A whole card is its device's claims; with MIG each standing instance has its slices' part and what no instance covers is idle. */
#ifndef GPUTAB_CORE_CLAIMS_H
#define GPUTAB_CORE_CLAIMS_H

#include <stddef.h>

#include "gputab/core/device.h"
#include "gputab/value/inverse.h"
#include "gputab/value/rule.h"

struct share_claim {               /* who claims, up to and with `pod`, then how much */
    uint32_t device;               /* inventory index; NONE for what no instance covers */
    enum usage_state state;
    enum sharing sharing;
    enum claimant claimant;        /* from here to `pod` as in struct claim */
    enum reason reason;
    enum grade grade;
    uint32_t pod;                  /* inventory index; NONE for buckets */
    uint64_t memory;               /* 2^-10 bytes */
    uint64_t share[RULE_DENOMINATORS];
    uint64_t held;
};

struct known_sum {                 /* a sum of weights, ready to divide by */
    uint64_t sum;                  /* 0: none yet */
    int up;                        /* how far `by` is moved up */
    struct inverse by;
};

struct share_claims {
    struct share_claim *v;
    size_t n, cap;
    struct known_sum memory;       /* the last one of a device: cards do not grow */
    uint64_t edition;              /* another number when the list has other claimants, whatever the amounts; grows */
};

struct claims_device {             /* one device of the GPU that stands, with its claims */
    uint32_t device;
    int slices;                    /* of an instance, by the rule's mig_weight; 0: the whole card */
    const struct device_claims *claims;
};

/* Brings the list up to date: mostly its claimants are those of before.
 * base: slices of a whole GPU (8, 7, 4); a sum of slices above it takes its place. The claims of a device stand together. */
void claims_compose(const struct claims_device *devices, size_t n, int base, struct share_claims *out);

/* total divided by weights (largest remainder, ties to the lower index). The sum of the weights is positive; the remainders take
 * their place. */
void claims_split(uint64_t total, uint64_t *weights, size_t n, uint64_t *out);

#endif
