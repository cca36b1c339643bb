/* entry: one amount with everything a report can group it by. core/allocate makes them, core/rollup adds them up. */
#ifndef GPUTAB_VALUE_ENTRY_H
#define GPUTAB_VALUE_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/value/charge.h"
#include "gputab/value/money.h"
#include "gputab/value/timespan.h"
#include "gputab/value/usage.h"

/* The order is the order of bucket rows in reports. */
enum bucket { BUCKET_NONE, BUCKET_IDLE, BUCKET_RESERVED, BUCKET_UNATTRIBUTED, BUCKET_NO_METRICS, BUCKET_UNMAPPED, BUCKET_SYSTEM,
              BUCKET_UNBILLED, BUCKETS };
extern const char *const bucket_names[BUCKETS];          /* "", "(idle)", ... */

/* A team that an amount belongs to without a pod: of an idle owner, or where the rule sends money. */
struct entry_team {
    const char *name, *cost_centre;        /* cost_centre NULL: none */
    uint32_t number;               /* not 0; tells teams apart */
};

struct entry {
    /* keys; string ids, 0: does not apply */
    enum bucket bucket;            /* of the money: IDLE .. NO_METRICS, UNBILLED; NONE and SYSTEM for pods */
    uint32_t pod_version;          /* NONE for buckets and teams */
    const struct entry_team *team; /* NULL: a pod's or a bucket's amount */
    uint32_t cluster, node;        /* node: its name, else its resource id */
    uint32_t gpu, gpu_model;       /* uuid; the catalogue's or the metric's name */
    uint32_t region;
    enum purchase purchase;
    enum sharing sharing;          /* SHARINGS: does not apply */
    time_ms day;                   /* first instant of the UTC day; TIME_MIN: does not apply */
    enum grade grade;
    enum reason reason;
    enum piece piece;
    enum usage_state state;        /* GPU piece of what was observed: how the device was used; USAGE_NOBODY for all else */
    bool follows;                  /* CPU or memory piece that follows the GPU piece */
    uint32_t pot;                  /* != 0: memory divided among candidates; entries of one pot follow each other without a gap */
    /* amounts */
    money cost;
    money gpu_hours;               /* 10^-12 h */
    money used_cost;               /* of a holder: cost x held / (total - reserved) memory; GPU piece only */
    weight memory_ms;              /* 2^-10 bytes x ms */
    weight host;                   /* CPU piece: nanocores x ms, memory piece: bytes x ms, by the rule's basis; 0: not divided by them */
};

#endif
