/* line: moving a target's lines to an instant. A line's feeds then say which series have a sample there and with what value. */
#ifndef GPUTAB_CORE_LINE_H
#define GPUTAB_CORE_LINE_H

#include "gputab/core/device.h"
#include "gputab/core/sweep.h"

/* Moves to t (never backwards after line_reset). True when it began or ceased to stand, or a value changed. */
bool line_move(struct line *line, time_ms t);
bool node_line_move(struct node_line *line, const struct timeline *timeline, time_ms t);
void line_reset(struct line *line);
void node_line_reset(struct node_line *line);
/* The next instant behind t at which the line may change; TIME_MAX: never. Call after moving to t. */
time_ms line_next(const struct line *line, time_ms t);
time_ms node_line_next(const struct node_line *line, const struct timeline *timeline, time_ms t);

/* Reads a device through its lines (n of them, in label order) at t: the targets are chosen per kind of information, bare pod names are
 * resolved. False when none of them stands. */
bool line_read_device(const struct line *lines, size_t n, const struct inventory *inv, time_ms t, struct device_reading *out);

#endif
