/* interrupt: what SIGINT, SIGTERM and SIGHUP do. The program ends at once with 128 + the signal's number, and no temporary file stays. */
#ifndef GPUTAB_CLI_INTERRUPT_H
#define GPUTAB_CLI_INTERRUPT_H

#include <stdbool.h>

#include "gputab/base/file.h"

/* Once, at the start of the program. An abort removes the temporaries too. A signal that is ignored already (nohup) stays ignored. */
void interrupt_install(void);

/* The set whose temporaries are removed when a signal comes; NULL: none. Every other call for that set stands between interrupt_hold and
 * interrupt_let, so that a handler never meets a set in the middle of a change. */
void interrupt_guard(const struct file_set *s);

/* Signals wait from hold to let; one that came in between takes effect in let. Without let the run finishes as if none had come. */
void interrupt_hold(void);
void interrupt_let(void);

/* Whether a line without an end stands on stderr: a signal erases it before it says anything. True from before it is drawn. */
void interrupt_line(bool stands);

#endif
