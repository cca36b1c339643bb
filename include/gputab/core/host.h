/* host: CPU and memory of pods on a node, as requests and as usage.
 *
 * Requests and working sets are values that stand for their instants' time; a counter's increase between two neighbouring samples (at
 * most max_gap apart: a longer gap is not observed) is spread evenly over the time between them. Of several targets that show the
 * same node one is used at a time, in label order. */
#ifndef GPUTAB_CORE_HOST_H
#define GPUTAB_CORE_HOST_H

#include "gputab/core/residency.h"
#include "gputab/core/timeline.h"

enum host_source { HOST_REQUEST, HOST_USAGE, HOST_SOURCES };
enum host_resource { HOST_CPU, HOST_MEMORY, HOST_GPU, HOST_RESOURCES };    /* HOST_GPU: requests only */

/* One node's series of pod kinds, fixed for a generation. */
struct host_node {
    uint32_t node;                                             /* inventory index */
    VEC(uint32_t) series;                                      /* sorted by kind, target, pod, container, series */
    VEC(uint32_t) shows[HOST_SOURCES][HOST_RESOURCES];         /* inventory targets that have shown such a series of the node, in label
                                                                   order */
};

struct host_window {
    const struct residency_config *cfg;
    const struct sample_window *w;
    const struct sample_run *const *run_of_series;             /* per series of the node: its run in the window, or NULL */
    const struct timeline *of_target;                          /* per inventory target: the timeline of its node and pod series */
    struct usage *out;
};

/* Adds a target to shows, once, in label order. */
void host_shows_add(struct host_node *node, enum host_source source, enum host_resource resource, uint32_t target);

void host_integrate(const struct host_window *h, const struct host_node *node);
void host_node_free(struct host_node *node);

#endif
