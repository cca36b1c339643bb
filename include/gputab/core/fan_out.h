/* fan_out: one stream of entries for several takers. Each gets every call, in the order in which the takers were added; a taker leaves
 * the calls NULL that it has no use for. */
#ifndef GPUTAB_CORE_FAN_OUT_H
#define GPUTAB_CORE_FAN_OUT_H

#include "gputab/base/vec.h"
#include "gputab/core/allocate.h"

struct fan_out {                   /* zeroed: nobody takes */
    VEC(struct allocate_sink) takers;
};

void fan_out_add(struct fan_out *f, struct allocate_sink taker);
struct allocate_sink fan_out_sink(struct fan_out *f);      /* valid as long as *f stays where it is */
void fan_out_free(struct fan_out *f);

#endif
