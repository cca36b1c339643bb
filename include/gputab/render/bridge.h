/* bridge: the way from the cost of GPU nodes to the total of the bill's files, as lines that add up. */
#ifndef GPUTAB_RENDER_BRIDGE_H
#define GPUTAB_RENDER_BRIDGE_H

#include "gputab/value/report.h"

struct bridge_line {
    const char *label;
    money cost, invoiced;
    bool shared;                   /* the label is the name of a shared cost */
};

size_t bridge_most(const struct report *r);        /* lines that there may be */
/* lines: room for bridge_most. GPU nodes first, the files' total last; whatever rounding leaves is a line of its own, so that they add
 * up. Returns how many. */
size_t bridge_fill(const struct report *r, struct bridge_line *lines);

#endif
