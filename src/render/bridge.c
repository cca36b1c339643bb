/* bridge: the same few lines for every format that people read, so that nobody finds two ways from a bill to its GPU nodes. */
#include "gputab/render/bridge.h"

#include "gputab/render/formats.h"

static const char *const group_labels[BILL_GROUPS] = {
    [GROUP_OTHER_RESOURCES] = "other resources", [GROUP_ATTACHED] = "attached to GPU nodes", [GROUP_TAX] = "tax",
    [GROUP_CREDIT] = "credits", [GROUP_REFUND] = "refunds", [GROUP_FEE] = "fees",
    [GROUP_UNUSED_COMMITMENT] = "unused commitments", [GROUP_EXCLUDED] = "excluded",
};

size_t bridge_fill(const struct report *r, struct bridge_line *lines)
{
    struct bridge_line rest = {"rounding", r->bridge.total, r->bridge.total_invoiced};
    size_t n = 0;

    lines[n++] = (struct bridge_line){"GPU nodes", r->bridge.billed, r->bridge.billed_invoiced};
    for (int g = 0; g < GROUP_EXCLUDED; g++)
        if (render_has_group(r, g))
            lines[n++] = (struct bridge_line){group_labels[g], r->groups[g], r->groups_invoiced[g]};
    lines[n++] = (struct bridge_line){"outside the period", r->bridge.outside, r->bridge.outside_invoiced};
    for (size_t i = 0; i < n; i++) {
        rest.cost -= lines[i].cost;
        rest.invoiced -= lines[i].invoiced;
    }
    if (rest.cost || rest.invoiced)
        lines[n++] = rest;
    lines[n++] = (struct bridge_line){"file total", r->bridge.total, r->bridge.total_invoiced};
    return n;
}
