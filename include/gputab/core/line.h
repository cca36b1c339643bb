/* line: moving a target's lines to an instant. A line's feeds then say which series have a sample there and with what value.
 * A feed looks ahead: it knows until when what it says stays so. Time between changes costs nothing. */
#ifndef GPUTAB_CORE_LINE_H
#define GPUTAB_CORE_LINE_H

#include "gputab/core/device.h"
#include "gputab/core/sweep.h"

enum line_change {
    LINE_VALUES = 1,               /* a value is another one */
    LINE_PRESENCE = 2              /* the line or a series began or ceased to stand */
};

/* Takes the line's feeds out of a window: those of its series that have a run there (run_of_series: per series, or NULL). */
void line_take(struct line *line, const struct series *series, const struct sample_run *const *run_of_series);
/* Moves to t, not backwards after line_reset: bits of enum line_change. line->next then says when anything changes next. */
unsigned line_move(struct line *line, time_ms t);
void line_reset(struct line *line);
/* Gives the memory of the feeds back. */
void line_leave(struct line *line);

/* Reads a device through its lines (n of them, in label order) at t: the targets are chosen per kind of information, bare pod names are
 * resolved. False when none of them stands. */
bool line_read_device(struct line *lines, size_t n, const struct inventory *inv, time_ms t, struct device_reading *out);

/* Renews the numbers in a reading that line_read_device made of the same lines. The reading is then what that would make of them now, if
 * since then line_move has told of values only, and nothing has changed in the inventory (see turns.h). */
void line_read_values(const struct line *lines, size_t n, struct device_reading *out);

/* Whether a label flickers in the reading of the same lines at the same t: nobody is labelled, and the nearest labels before and after, at
 * most max_gap_ms apart, are of one and the same pod. */
void line_read_flicker(struct line *lines, size_t n, const struct inventory *inv, time_ms t, int64_t max_gap_ms,
                       struct device_reading *out);

#endif
