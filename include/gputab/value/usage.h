/* usage: facts, the integrals that dividing a charge needs, in integers, so that sums depend on no order.
 *
 * A fact's span is an hour of UTC, cut where a charge of the node begins or ends and where the pod's owner, labels or workload change.
 * Shares are integrated in units of 2^-USAGE_SHARE_BITS of the physical GPU times milliseconds: over the facts of one GPU and span each
 * of `share[...]` sums to observed_ms << USAGE_SHARE_BITS exactly (also with `held` in place of the shares of USAGE_HELD facts).
 * 52 bits: a row is off by at most 3e-16 of its cost; 32 bits would lose 1e-9 of a 5 USD row.
 * Memory is counted in units of 2^-USAGE_MEMORY_BITS bytes, so that an even division leaves no remainder that matters. */
#ifndef GPUTAB_VALUE_USAGE_H
#define GPUTAB_VALUE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/vec.h"
#include "gputab/value/rule.h"
#include "gputab/value/timespan.h"

enum { USAGE_SHARE_BITS = 52, USAGE_MEMORY_BITS = 10 };

enum usage_state {                 /* how a device is used at an instant: core/device decides */
    USAGE_HELD,                    /* exclusive, or a MIG instance with one pod */
    USAGE_SHARED,                  /* measured per pod, or the only resident of a shared device */
    USAGE_EVEN,                    /* copies: divided evenly among the labelled pods (gpu.shared_fallback) */
    USAGE_BY_REQUEST,              /* divided by request among the node's requesting pods */
    USAGE_NOBODY
};

enum sharing { SHARING_EXCLUSIVE, SHARING_KEY_TIME_SLICING, SHARING_KEY_MPS, SHARING_MIG, SHARING_LAYER, SHARING_UNKNOWN, SHARINGS };
extern const char *const sharing_names[SHARINGS];        /* "exclusive", "time-slicing", ... */

enum claimant {                    /* who a fact's share belongs to */
    CLAIM_POD, CLAIM_IDLE, CLAIM_RESERVED, CLAIM_UNATTRIBUTED
};

enum reason { REASON_NONE, REASON_EMPTY_CARD, REASON_FREE_MEMORY, REASON_FREE_MIG, REASON_CPU, REASON_MEMORY,
              REASON_STARTING, REASON_STOPPING, REASON_NEVER_SEEN, REASON_GAP, REASONS };
extern const char *const reason_names[REASONS];          /* "empty-card", ...; "" for none */

enum grade { GRADE_A, GRADE_B, GRADE_C, GRADE_D, GRADES };

/* One claimant's part of one GPU in one span. Key: all fields up to and with `candidates`. */
struct gpu_fact {
    uint32_t node;                 /* index; NONE: the GPU's node is unknown */
    uint32_t gpu;                  /* index */
    uint32_t device;               /* index: the GPU itself or the MIG instance; NONE for what no instance covers */
    struct timespan span;
    enum usage_state state;
    enum sharing sharing;
    enum claimant claimant;
    enum reason reason;            /* of CLAIM_IDLE */
    enum grade grade;              /* of CLAIM_POD; A for the others */
    uint32_t pod_version;          /* index (core/owners); NONE unless CLAIM_POD */
    uint32_t candidates;           /* id of the set of pod versions among which memory was divided (EVEN, BY_REQUEST); 0 else */
    uint32_t id;                   /* what presences refer to; unique in one struct usage */
    weight share[RULE_DENOMINATORS];     /* shared with that denominator; of USAGE_HELD: what the holder would pay as the only resident */
    weight held;                   /* as holder of the device; 0 for buckets and outside USAGE_HELD */
    weight memory_ms;              /* memory held, 2^-10 bytes x ms */
};

/* How long a GPU was observed in a span. */
struct gpu_observed {
    uint32_t node, gpu;
    struct timespan span;
    uint64_t observed_ms;
};

/* One pod's CPU and memory on a node in one span. */
struct host_fact {
    uint32_t node;
    struct timespan span;
    uint32_t pod_version;
    weight request_cpu, usage_cpu;         /* nanocores x ms */
    weight request_memory, usage_memory;   /* bytes x ms */
    weight request_gpu;                    /* 10^-6 GPUs x ms */
};

/* How long requests and usage of a node were observed in a span. [0]: CPU, [1]: memory. `any` is the union of both sources. */
struct host_observed {
    uint32_t node;
    struct timespan span;
    uint64_t request_ms[2], usage_ms[2], any_ms[2];
};

/* When the pod of a fact had memory on its device: for resident_hours, which is a union over devices and pods. */
struct presence {
    uint32_t fact;                 /* gpu_fact.id */
    struct timespan span;
};

struct usage {
    VEC(struct gpu_fact) gpu;              /* sorted: node, span, gpu */
    VEC(struct gpu_observed) observed;
    VEC(struct host_fact) host;
    VEC(struct host_observed) host_observed;
    VEC(struct presence) presence;
    uint32_t next_id;                      /* of gpu_fact.id */
};

void usage_clear(struct usage *u);         /* empties, keeps the memory */
void usage_free(struct usage *u);

#endif
