/* bridge: the way from the cost of GPU nodes to the total of the bill's files, as lines that add up. */
#ifndef GPUTAB_RENDER_BRIDGE_H
#define GPUTAB_RENDER_BRIDGE_H

#include "gputab/value/report.h"

struct bridge_line {
    const char *label;
    money cost, invoiced;
};

enum { BRIDGE_LINES = BILL_GROUPS + 4 };

/* lines: room for BRIDGE_LINES. GPU nodes first, the files' total last; whatever rounding leaves is a line of its own, so that they add
 * up. Returns how many. */
size_t bridge_fill(const struct report *r, struct bridge_line *lines);

#endif
