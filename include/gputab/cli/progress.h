/* progress: one line on standard error that says how far servers have answered, while they do; nothing where nobody would see it.
 *
 *     metrics  [####......]   43 %   12 windows  3.1 M samples/s   0:12 left
 */
#ifndef GPUTAB_CLI_PROGRESS_H
#define GPUTAB_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/render/ink.h"
#include "gputab/source/metrics.h"

/* Estimates of the time left. `struct progress_clock c = {0};` has none yet. */
struct progress_clock {
    int64_t done_ms;               /* what was done at the last estimate; 0: none */
    int64_t at_ms, left_ms;        /* when it was made, and what it was */
};

/* `struct progress p = {.on = true};` is ready; off, nothing is ever drawn. */
struct progress {
    bool on;
    bool shown;
    struct progress_clock clock;
};

/* Draws the line anew: a metrics_request's progress, ctx is a struct progress. From the first call to progress_end nobody else writes to
 * the terminal; a signal in between erases the line. */
void progress_show(void *ctx, const struct metrics_progress *m);
void progress_end(struct progress *p);                       /* erases the line; before any message */

/* Milliseconds that it will still take, by the part that is done, smoothed; -1: not to be told yet. Calls are in the order of time. */
int64_t progress_left(struct progress_clock *c, const struct metrics_progress *m);

/* The line without its end, fitted to k->width: the narrower, the fewer parts. left_ms as progress_left returns it. */
void progress_add(struct ink *k, const struct metrics_progress *m, int64_t left_ms);

#endif
