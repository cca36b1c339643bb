/* inventory_build: what the parts of source/inventory share while an inventory is made. Nobody else includes it. */
#ifndef GPUTAB_SOURCE_INVENTORY_BUILD_H
#define GPUTAB_SOURCE_INVENTORY_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/source/history.h"
#include "gputab/source/replay.h"
#include "gputab/source/tuples.h"
#include "gputab/value/inventory.h"

/* Where a series' GPU is, by name. */
struct gpu_place {
    uint32_t node;                 /* string id; 0: unknown */
    bool known;                    /* the name is one that Kubernetes or --nodes knows */
};

struct inventory_build {
    struct scrape *scrape;
    const struct replay *outline;
    struct replay *replay;         /* the series at hand: the outline's, then those of a window */
    struct inventory *inv;
    struct intern *names;
    const struct node_file *node_file;   /* NULL: none */
    struct tuples known_nodes;     /* cluster, name: named by kube-state-metrics */
    struct tuples filed_nodes;     /* name: named by --nodes */
    struct tuples exporters;       /* cluster, namespace, name: pods that export GPU series */
    struct tuples targets;         /* cluster, text */
    struct tuples nodes;           /* cluster, name */
    struct tuples gpus;            /* cluster, uuid */
    struct tuples devices;         /* cluster, uuid, GPU instance */
    struct tuples pods;            /* cluster, namespace, name, uid */
    uint32_t *pod_of;              /* by series of the window, before its records go: index; NONE: it names none */
    struct tuples namespaces;      /* cluster, name */
    struct gpu_place *places;      /* by series of the outline; of GPU series only */
    struct cards *cards;           /* of inventory_index: what stands for GPUs that say no UUID; NULL: there are none */
    struct buf text;               /* of a name that is put together */
    bool placeless;                /* there are numbers of pods that name no node */
};

/* What a kind speaks of. */
bool inventory_kind_is_gpu(int kind);
bool inventory_kind_is_kube(int kind);                       /* kube-state-metrics' */

/* A record of which key and values are to be filled in: `off` is silent. */
struct history_record inventory_record(const struct replay_series *s);
/* The samples of a series whose kind stays in memory; valid until the next call with the same scratch. */
struct samples *inventory_samples(const struct replay_series *s, struct samples *scratch);

/* Indices of what a series names; NONE: it names none. After the tuples are sorted. */
uint32_t inventory_node_of(const struct inventory_build *b, const struct replay_series *s);
uint32_t inventory_gpu_of(const struct inventory_build *b, const struct replay_series *s);
uint32_t inventory_device_of(const struct inventory_build *b, const struct replay_series *s);
uint32_t inventory_target_of(const struct inventory_build *b, const struct replay_series *s);

/* Notes who shows what, in the inventory; then each once, in an order that says nothing. */
void inventory_show(struct inventory_build *b, const struct metric_shown *shown);
void inventory_sort_shown(struct inventory *inv);

/* inventory_trace.c: what series say of things over time, as step lists. */
struct inventory_trace {
    /* Whether series i at hand says something, of which thing (the index of its list), and what. */
    bool (*says)(const struct inventory_build *b, const void *ctx, size_t i, uint32_t *thing, uint32_t *value);
    const void *ctx;
    struct steps *first;           /* as in history_build */
    size_t stride;
    int64_t back_ms;
};
int inventory_trace(const struct inventory_build *b, const struct inventory_trace *t, struct err *e) GPUTAB_MUST_CHECK;

/* inventory_directory.c: what names stand for over time. */
struct directory {                 /* {0} is empty */
    struct tuples keys;
    struct steps *values;          /* by key: string ids */
};
/* Whether series i at hand says what a key stands for. */
typedef bool directory_entry(const struct inventory_build *b, size_t i, uint32_t *key, uint32_t *value);
int directory_fill(const struct inventory_build *b, struct directory *d, uint32_t width, directory_entry *entry,
                   struct err *e) GPUTAB_MUST_CHECK;
/* Before the first record, the first one; 0: none. */
uint32_t directory_look_up(const struct directory *d, const uint32_t *key, time_ms t);
void directory_free(struct directory *d);

/* inventory_gpu.c */
int inventory_place_gpus(struct inventory_build *b, struct err *e) GPUTAB_MUST_CHECK;    /* fills places; before b->nodes is sorted */
int inventory_fill_gpus(struct inventory_build *b, struct err *e) GPUTAB_MUST_CHECK;

/* inventory_index.c: gives GPUs without a UUID a name, and drops series of which nobody can tell the GPU. After inventory_place_gpus. */
int inventory_name_gpus(struct inventory_build *b, struct err *e) GPUTAB_MUST_CHECK;
int inventory_name_window(struct inventory_build *b, struct err *e) GPUTAB_MUST_CHECK;   /* the same for a window, by what was found */
void inventory_free_cards(struct inventory_build *b);

/* inventory_kube.c */
uint32_t inventory_normal_id(struct intern *names, uint32_t provider_id);    /* of a provider's resource id, as a string id */
int inventory_fill_nodes(struct inventory_build *b, struct err *e) GPUTAB_MUST_CHECK;
void inventory_fill_namespaces(struct inventory_build *b);

/* inventory_pods.c */
void inventory_fill_pods(struct inventory_build *b);

#endif
