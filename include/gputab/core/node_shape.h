/* node_shape: what hardware a charge pays for: vCPUs, memory, and each GPU with its model and fraction. */
#ifndef GPUTAB_CORE_NODE_SHAPE_H
#define GPUTAB_CORE_NODE_SHAPE_H

#include "gputab/core/allocate.h"
#include "gputab/core/charge_book.h"
#include "gputab/core/divide.h"
#include "gputab/core/split.h"

struct shape_gpu {
    uint32_t gpu;                  /* inventory index; NONE: promised by the catalogue, never seen */
    uint32_t model_name;           /* string id */
    int64_t fraction_micro;        /* of a card */
    size_t model;                  /* index into split.models */
};

struct node_shape {
    struct split_node split;
    VEC(struct shape_gpu) gpus;    /* seen ones by uuid, then the missing ones */
    bool all_seen;                 /* metrics show, at some time, as many GPUs as the catalogue promises */
    bool known;                    /* false: GPUs, or vCPUs and memory that the split needs, are unknown */
};

/* type: the node's, NULL unknown. A node with more than SPLIT_MODELS different models is an error. */
int node_shape_find(const struct allocate_config *cfg, const struct book_node *node, const struct instance_type *type,
                    const struct charge *charge, const struct split_billed *billed, const struct collected *facts, struct node_shape *out,
                    struct err *e) GPUTAB_MUST_CHECK;
void node_shape_free(struct node_shape *s);
/* What reports call the GPU's model: the catalogue's name when known, else the metric's; of a GPU whose metrics name none, the model
 * that the type of its node has. String id. */
uint32_t node_shape_model_name(const struct allocate_config *cfg, uint32_t gpu, const struct instance_type *type);
/* The type that the labels of a billed node name from the beginning of a charge on, for where the bill names none that the catalogue knows;
 * NULL when the catalogue knows no such type. */
const struct instance_type *node_shape_labelled(const struct allocate_config *cfg, const struct book_node *node, time_ms from);

#endif
