/* inventory_build: what the parts of source/inventory share while an inventory is made. Nobody else includes it. */
#ifndef GPUTAB_SOURCE_INVENTORY_BUILD_H
#define GPUTAB_SOURCE_INVENTORY_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/source/history.h"
#include "gputab/source/scrape.h"
#include "gputab/source/tuples.h"
#include "gputab/value/inventory.h"

/* Where a series' GPU is, by name. */
struct gpu_place {
    uint32_t node;                 /* string id; 0: unknown */
    bool known;                    /* the name is one that Kubernetes or --nodes knows */
};

struct inventory_build {
    struct scrape *scrape;
    struct inventory *inv;
    struct intern *names;
    const struct node_file *node_file;   /* NULL: none */
    struct tuples known_nodes;     /* cluster, name: named by kube-state-metrics */
    struct tuples filed_nodes;     /* name: named by --nodes */
    struct tuples targets;         /* cluster, text */
    struct tuples nodes;           /* cluster, name */
    struct tuples gpus;            /* cluster, uuid */
    struct tuples devices;         /* cluster, uuid, GPU instance */
    struct tuples pods;            /* cluster, namespace, name, uid */
    struct tuples namespaces;      /* cluster, name */
    struct gpu_place *places;      /* by series of the scrape; of GPU series only */
};

/* What a kind speaks of. */
bool inventory_kind_is_gpu(int kind);
bool inventory_kind_is_kube(int kind);                       /* kube-state-metrics' */

/* Indices of what a series names; NONE: it names none. After the tuples are sorted. */
uint32_t inventory_pod_of(const struct inventory_build *b, const struct scrape_series *s);
uint32_t inventory_node_of(const struct inventory_build *b, const struct scrape_series *s);
uint32_t inventory_gpu_of(const struct inventory_build *b, const struct scrape_series *s);

/* inventory_gpu.c */
void inventory_place_gpus(struct inventory_build *b);        /* fills places; before b->nodes is sorted */

/* inventory_index.c: gives GPUs without a UUID a name, and drops series of which nobody can tell the GPU. After inventory_place_gpus. */
void inventory_name_gpus(struct inventory_build *b);

/* inventory_directory.c: what names stand for over time. */
struct directory {
    struct tuples keys;
    struct steps *values;          /* by key: string ids */
};
/* Whether series i of the scrape says what a key stands for. */
typedef bool directory_entry(const struct inventory_build *b, size_t i, uint32_t *key, uint32_t *value);
void directory_fill(struct inventory_build *b, struct directory *d, uint32_t width, directory_entry *entry);
uint32_t directory_look_up(const struct directory *d, const uint32_t *key, time_ms t);   /* before the first record, the first one; 0: none */
void directory_free(struct directory *d);
void inventory_fill_gpus(struct inventory_build *b);

/* inventory_kube.c */
uint32_t inventory_normal_id(struct intern *names, uint32_t provider_id);    /* of a provider's resource id, as a string id */
void inventory_fill_nodes(struct inventory_build *b);
void inventory_fill_namespaces(struct inventory_build *b);

/* inventory_pods.c */
void inventory_fill_pods(struct inventory_build *b);

#endif
