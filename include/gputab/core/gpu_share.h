/* gpu_share: what part of each node's cost the split gives its GPUs, and a warning where that is less than half. */
#ifndef GPUTAB_CORE_GPU_SHARE_H
#define GPUTAB_CORE_GPU_SHARE_H

#include "gputab/core/allocate.h"

struct gpu_share {                 /* of one node; zero: nothing yet */
    uint32_t node, type;           /* string ids */
    money gpu, cost;
};

/* One charge of it. node: as reports call it. */
void gpu_share_add(struct gpu_share *s, uint32_t node, uint32_t type, money gpu, money cost);
/* W223. */
void gpu_share_warn(const struct gpu_share *s, const struct allocate_config *cfg);

#endif
