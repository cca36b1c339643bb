/* spool: bytes that are written once, front to back, and read again later, kept out of memory when they are many.
 *
 * A few MiB stay in memory. Beyond that they go to a file without a name (see file_nameless), or stay in memory where none is to be had.
 * For single records that come back in order see base/spill. */
#ifndef GPUTAB_BASE_SPOOL_H
#define GPUTAB_BASE_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/err.h"

struct spool;

struct spool *spool_new(void);
void spool_free(struct spool *s);                            /* NULL allowed */

/* Appends bytes; *at is where they begin. -1 (ERR_INTERNAL): the disk is full. */
int spool_add(struct spool *s, const void *p, size_t n, uint64_t *at, struct err *e) GPUTAB_MUST_CHECK;

uint64_t spool_size(const struct spool *s);

/* What was written so far, as memory that stays valid until the next spool_add or spool_rest; NULL with e set when it cannot be read.
 * Any part may be read; spool_rest then lets go of the pages that were touched. */
const char *spool_view(struct spool *s, struct err *e) GPUTAB_MUST_CHECK;
void spool_rest(struct spool *s);

#endif
