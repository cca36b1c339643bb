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

/* type: the node's, NULL unknown. *last: see node_shape_model. A node with more than SPLIT_MODELS different models is an error. */
int node_shape_find(const struct allocate_config *cfg, const struct book_node *node, const struct instance_type *type,
                    const struct charge *charge, const struct split_billed *billed, const struct collected *facts, struct node_model *last,
                    struct node_shape *out, struct err *e) GPUTAB_MUST_CHECK;
void node_shape_free(struct node_shape *s);
/* The model of a GPU; type: its node's, NULL unknown. *last, zeros at first, is what was asked for last and becomes this one: it is good
 * as long as all strings stay. */
const struct node_model *node_shape_model(const struct allocate_config *cfg, uint32_t gpu, const struct instance_type *type,
                                          struct node_model *last);
/* The type that the labels of a billed node name from the beginning of a charge on, for where the bill names none that the catalogue knows;
 * NULL when the catalogue knows no such type. */
const struct instance_type *node_shape_labelled(const struct allocate_config *cfg, const struct book_node *node, time_ms from);

#endif
