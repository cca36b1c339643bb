/* inventory: who and what the metrics speak of (clusters, nodes, GPUs, MIG instances, pods, namespaces, exporter targets), and how
 * their names, labels and places change over time. source/inventory fills it before any sample is divided; core/ only reads it.
 *
 * Strings are ids of `names` (0: none). Things are indices into the arrays; NONE means no such thing.
 * The arrays are in canonical order (by their strings), so that an index order never depends on the order of arrival.
 * A step list says what holds from an instant until the next step: sorted by `from`, neighbours differ.
 * Labels, owners and provider ids hold from a sample until the next different one; the first of a pod (by uid), node (by provider id)
 * or namespace also for 10 minutes before it unless an older one of the same name holds: the filler has already moved `from` back. */
#ifndef GPUTAB_VALUE_INVENTORY_H
#define GPUTAB_VALUE_INVENTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/value/timespan.h"

enum { NONE = 0xffffffffu };

struct step {
    time_ms from;
    uint32_t value;
};
struct steps {
    struct step *v;
    uint32_t n, cap;               /* cap 0: v is somebody else's, and copied before it grows */
};
/* What holds at t; `before` when no step has begun yet. */
uint32_t steps_at(const struct steps *s, time_ms t, uint32_t before);
/* The first change after t: TIME_MAX when there is none. */
time_ms steps_next(const struct steps *s, time_ms t);
void steps_push(struct steps *s, time_ms from, uint32_t value);   /* from >= the last one's; equal neighbours are merged, equal from replaces */

/* A list of one step, which nearly all are, in the arena. */
struct steps steps_one(struct arena *a, time_ms from, uint32_t value);
void steps_free(struct steps *s);

/* How a node's labels say its GPUs are shared: bits of node.sharing. */
enum node_sharing {
    SHARING_LABELS_KNOWN = 1,      /* the node's GPU labels are known at all */
    SHARING_REPLICAS = 2,          /* nvidia.com/gpu.replicas > 1 */
    SHARING_TIME_SLICING = 4,      /* sharing strategy time-slicing (GFD or GKE label) */
    SHARING_MPS = 8                /* sharing strategy mps */
};

struct target {                    /* an exporter target: job, instance and replica labels */
    uint32_t cluster;
    uint32_t text;                 /* canonical label text; its byte order is the "label order" of targets */
};

struct node_size {                 /* of one machine behind a node's name */
    uint32_t resource;             /* as in node.resource */
    int64_t cpu_nano, memory_bytes;        /* the largest capacity seen while the name meant it; 0 unknown */
};

struct node {
    uint32_t cluster, name;
    struct steps resource;         /* normal resource id (value/resource_id); from provider ids or --nodes */
    struct steps type;             /* instance type, as the labels or --nodes name it */
    struct steps sharing;          /* bits of enum node_sharing */
    struct steps labels;           /* label set ids, of the labels that the rule asks for */
    int64_t capacity_cpu_nano;     /* largest seen: nanocores; 0 unknown */
    int64_t capacity_memory_bytes; /* 0 unknown */
    VEC(struct node_size) sizes;   /* the same by machine, as far as metrics tell which: names are used again */
    bool has_cpu_request, has_memory_request, has_cpu_usage, has_memory_usage;   /* any such series of pods on it, at any time */
    bool has_gpu_request;          /* likewise */
    bool has_gpu_capacity;         /* some GPU resource in its capacity: a GPU node even if no exporter shows a GPU */
};

struct gpu {                       /* one physical GPU */
    uint32_t cluster, uuid;        /* uuid normalised: "GPU-..." */
    uint32_t model;                /* the metric's model name; 0 unknown */
    struct steps node;             /* node index over time; NONE while unknown */
    time_ms first_ms, last_ms;     /* first and last memory sample loaded */
};

struct device {                    /* a whole GPU (gi == 0) or one MIG instance of it */
    uint32_t gpu;                  /* index */
    uint32_t gi;                   /* GPU_I_ID text; 0: the whole GPU */
    uint32_t profile;              /* "3g.40gb"; 0 unknown */
};

enum pod_end {
    POD_FINISHED = 1,              /* its phase is Succeeded or Failed */
    POD_DELETED = 2                /* the time by which it had to be gone has passed, and nothing shows it any more */
};

struct pod {                       /* a pod by uid (uid != 0), or a bare name (uid == 0) */
    uint32_t cluster, namespace_name, name, uid;
    uint32_t on_gpu;               /* 1 + index of a GPU whose exporter names it, where nobody else says its node; 0: none */
    struct steps alias;            /* bare names only: the pod (by uid) that the name means over time; empty when no uid is known */
    struct steps labels;           /* label set ids */
    struct steps annotations;      /* likewise */
    struct steps workload;         /* "Deployment/web": kind/name of the top owner; 0: none */
    struct steps node;             /* node index */
    struct steps ended;            /* enum pod_end; 0 while it has not */
};

struct namespace {
    uint32_t cluster, name;
    struct steps labels, annotations;
};

struct metric_shown {                     /* a target shows numbers of a device, or of pods on a node, at some time of the run; no padding */
    uint32_t kind;                 /* enum sample_kind */
    uint32_t names_pod;            /* 1: of a device, held by a pod that is named; of pods always */
    uint32_t target;
    uint32_t device, node;         /* one of them is NONE */
};

struct inventory {
    struct intern *names;          /* borrowed: the run's strings */
    struct intern *labelsets;      /* owned: canonical text of a label set: name NUL value NUL ..., sorted by name, without empty values */
    VEC(struct target) targets;
    VEC(struct node) nodes;
    VEC(struct gpu) gpus;
    VEC(struct device) devices;
    VEC(struct pod) pods;          /* of one generation of windows (sample_window.generation); all else is the run's */
    struct arena pod_steps;        /* of these pods, as far as a list is no longer */
    VEC(struct namespace) namespaces;
    VEC(struct metric_shown) shown;       /* each once, in no order that means anything */
    uint32_t clusters;             /* number of different clusters seen */
};

void inventory_init(struct inventory *inv, struct intern *names);
void inventory_free(struct inventory *inv);
/* Only the pods go. */
void inventory_free_pods(struct inventory *inv);
/* The value of a label as Prometheus writes the name ("label_team") in a label set; {NULL, 0} when it has none. */
struct span inventory_label(const struct inventory *inv, uint32_t labelset, struct span name);
/* The same of a node (NONE: it has none) at t. */
struct span inventory_node_label(const struct inventory *inv, uint32_t node, struct span name, time_ms t);
/* The node that a pod (or whoever a bare name means) is on at t, NONE when unknown; *until: to when that holds at least. */
uint32_t inventory_pod_node(const struct inventory *inv, uint32_t pod, time_ms t, time_ms *until);
/* Index of the namespace, or NONE. */
uint32_t inventory_namespace(const struct inventory *inv, uint32_t cluster, uint32_t name);

#endif
