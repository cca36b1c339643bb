/* ahead: bytes that take work to make, made on a thread of their own, ahead of who reads them.
 * Of a short input nobody notices: the first AHEAD_INLINE bytes are made when they are asked for, without a thread. */
#ifndef GPUTAB_BASE_AHEAD_H
#define GPUTAB_BASE_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/err.h"

struct ahead;
enum { AHEAD_INLINE = 1 << 20 };

struct ahead_config {
    /* Fills p with n bytes; fewer only at the end, 0 behind it, -1 with *e set. Never called by two threads at once. */
    int (*make)(void *ctx, void *p, size_t n, struct err *e);
    /* Ends a wait of make's on another thread, which then fails; NULL: it never waits for long. */
    void (*wake)(void *ctx);
    void *ctx;
};

struct ahead *ahead_new(const struct ahead_config *config);
int ahead_read(struct ahead *a, void *p, size_t n, struct err *e) GPUTAB_MUST_CHECK;   /* like make; n <= 1 GiB */
/* Instead of a copy the next bytes where they lie, behind RING_FRONT ones that may be written over: the count, 0 at the end, -1 with *e
 * set, AHEAD_NONE when there is no thread (ask ahead_read). Valid until the next call. */
enum { AHEAD_NONE = -2 };
int ahead_lend(struct ahead *a, char **p, struct err *e) GPUTAB_MUST_CHECK;
/* When ahead_read or ahead_lend returned 0: no thread runs, and make is asked anew. */
void ahead_again(struct ahead *a);
void ahead_free(struct ahead *a);                            /* at any time; NULL allowed */

/* This process may use a second core: a thread need not take turns with who reads. Limits of time (cgroups) don't count. */
bool ahead_has_core(void);

#endif
