/* mig: sizes that the catalogue knows: slices of MIG instances, memory of models, instances and fractional types. */
#ifndef GPUTAB_CORE_MIG_H
#define GPUTAB_CORE_MIG_H

#include "gputab/value/catalogue.h"
#include "gputab/value/inventory.h"
#include "gputab/value/rule.h"

/* Slices of a whole GPU: memory 8 (4 on 4-slice parts), compute 7 (4). */
int mig_base(const struct catalogue *c, const struct inventory *inv, uint32_t gpu, enum rule_mig_weight by);
/* Slices of an instance, at least 1: by (model, profile); of a profile that the table lacks by its name ("3g.40gb"). */
int mig_slices(const struct catalogue *c, const struct inventory *inv, uint32_t device, enum rule_mig_weight by);
/* The memory that a device has by the catalogue, bytes: of the model, of an instance's memory slices, or of the fraction of a card that
 * the node's type has. 0: unknown. node may be NONE. */
uint64_t mig_memory_bytes(const struct catalogue *c, const struct inventory *inv, uint32_t node, uint32_t gpu, uint32_t device, time_ms t);
/* GPUs of the node's instance type, a fraction counting as one; 0 unknown. */
int64_t mig_type_gpus(const struct catalogue *c, const struct inventory *inv, uint32_t node, time_ms t);
/* The node's instance type in the catalogue at t, or NULL. */
const struct instance_type *mig_node_type(const struct catalogue *c, const struct inventory *inv, uint32_t node, time_ms t);

#endif
