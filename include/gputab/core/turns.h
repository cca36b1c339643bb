/* turns: the instants in a window at which something besides the samples changes on a node: where a GPU is, the node's labels and type,
 * which pod a bare name means, whether a pod has ended or, if it requests a GPU, is there. */
#ifndef GPUTAB_CORE_TURNS_H
#define GPUTAB_CORE_TURNS_H

#include "gputab/core/sweep.h"

#define TURN_ALL_GPUS UINT32_MAX           /* places and types, too */
#define TURN_NO_GPU (UINT32_MAX - 1)       /* but the node's context */

struct turn {
    time_ms at;
    uint32_t gpu;                  /* whose reading may be another one: index in node_view.gpus, or one of the above */
};

struct turns {
    VEC(struct turn) v;            /* by time; the first is the window's begin, of all GPUs */
    size_t at;                     /* cursor: the next one */
};

/* After line_take of the node's lines. */
void turns_find(struct turns *turns, const struct sweep_window *w, const struct node_view *view);
/* The next turn at t or before, or NULL; passes it. */
const struct turn *turns_take(struct turns *turns, time_ms t);
time_ms turns_next(const struct turns *turns);     /* TIME_MAX: none */

#endif
