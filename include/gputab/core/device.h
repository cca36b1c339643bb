/* device: who is on a GPU (or MIG instance) at one instant, and with what weight.
 * Pure: one reading and its surroundings in, claims out. What the three denominators mean stands in gputab-rule(5), gpu.
 *
 * Memory inside is in 2^-10 bytes (USAGE_MEMORY_BITS). */
#ifndef GPUTAB_CORE_DEVICE_H
#define GPUTAB_CORE_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/vec.h"
#include "gputab/value/usage.h"

struct pod_value {                 /* one series with pod labels, at the instant */
    uint32_t pod;                  /* inventory index, aliases resolved */
    uint32_t container;
    uint64_t bytes;
    bool process;                  /* per process: values of one container add up; else the largest counts */
    bool ended;                    /* the pod has, and its label lingers: it holds nothing, but the value is the device's all the same */
    uint32_t source;               /* where the value came from, for who made the reading */
};

struct pod_request {
    uint32_t pod;
    uint64_t weight;               /* 10^-6 GPUs */
};

enum device_known { DEVICE_USED = 1, DEVICE_FREE = 2, DEVICE_TOTAL = 4, DEVICE_RESERVED = 8 };

/* What the chosen targets say of one device. Lists are sorted by (pod, container). */
struct device_reading {
    unsigned known;                /* bits of enum device_known */
    uint64_t used, free, total, reserved;   /* bytes; used: a total without pod labels */
    bool unmeasured;               /* that it is there, and the labels, is all that is known: labelled values are no numbers */
    bool total_beside;             /* the target of the labelled values shows an unlabelled total beside them */
    bool flickers;                 /* nobody is labelled, but flickering_pod alone was shortly before and is again shortly after */
    uint32_t flickering_pod;
    VEC(struct pod_value) labelled;         /* a device exporter's values with pod labels */
    VEC(struct pod_value) layer;            /* a sharing layer's values */
};

/* What is known around the device. */
struct device_context {
    bool instance;                 /* a MIG instance */
    bool node_shared;              /* labels, capacity, requests, or two pods on one device of the node */
    bool sharing_known;            /* labels, capacity or requests of the node are known */
    unsigned node_labels;          /* bits of enum node_sharing */
    bool requests_known;
    bool requests_all_labelled;    /* every pod that requests a GPU on the node is labelled on one of its devices */
    bool any_labelled;             /* some pod is labelled on some device of the node */
    const struct pod_request *requests;     /* sorted by pod */
    size_t n_requests;
    uint64_t model_total;          /* the catalogue's memory of the model (fraction or instance), bytes; 0 unknown */
    uint64_t largest_used;         /* the largest use seen, bytes */
};

struct claim {                     /* who claims, up to and with `pod`; then how much */
    enum claimant claimant;
    enum reason reason;
    enum grade grade;
    uint32_t pod;                  /* NONE for buckets */
    unsigned columns;              /* bit k: it counts by denominator k; pods do by each */
    uint64_t weight;               /* 2^-10 bytes that the pod holds, or the bucket's part; each column has a positive sum */
};

static inline uint64_t claim_memory(const struct claim *c)
{
    return c->claimant == CLAIM_POD ? c->weight : 0;
}

enum device_warning {
    DEVICE_W201 = 1, DEVICE_W202 = 2, DEVICE_W203 = 4, DEVICE_W204 = 8, DEVICE_W206 = 16, DEVICE_W207 = 32, DEVICE_W110 = 64
};

struct device_claims {
    enum usage_state state;
    enum sharing sharing;
    unsigned warnings;             /* bits of enum device_warning */
    VEC(struct claim) claims;      /* pods by index, then reserved, unattributed, idle; no claim without any weight; none: no sample */
};

/* Number of different pods with a label on the device, and of those that a sharing layer shows on it; without those that have ended. */
size_t device_labelled(const struct device_reading *r);
size_t device_layered(const struct device_reading *r);

/* Used bytes: the unlabelled total, else the (equal) device-level value, else the sum of per-pod values. */
uint64_t device_used(const struct device_reading *r);

void device_claims(const struct device_reading *r, const struct device_context *c, struct device_claims *out);
void device_reading_clear(struct device_reading *r);

#endif
