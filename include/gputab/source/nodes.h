/* nodes: the --nodes file, which joins node names to bill resources where metrics carry no provider id.
 * CSV: node,resource_id,instance_type[,from,to]; from inclusive, to exclusive, empty means always. */
#ifndef GPUTAB_SOURCE_NODES_H
#define GPUTAB_SOURCE_NODES_H

#include <stdint.h>

#include "gputab/base/err.h"
#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/value/timespan.h"

struct node_entry {
    uint32_t node, resource, type;         /* string ids; resource in normal form; type 0: not given */
    time_ms from, to;
};
struct node_file {
    VEC(struct node_entry) entries;
};

int node_file_read(const char *path, struct intern *names, struct node_file *out, struct err *e) GPUTAB_MUST_CHECK;
void node_file_free(struct node_file *f);

#endif
