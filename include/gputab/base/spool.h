/* spool: bytes that are written once, front to back, and read again later, kept out of memory when they are many.
 *
 * A few MiB stay in memory. Beyond that they go to a file without a name (see file_nameless), or stay in memory where none is to be had.
 * For single records that come back in order see base/spill. */
#ifndef GPUTAB_BASE_SPOOL_H
#define GPUTAB_BASE_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/err.h"
#include "gputab/base/span.h"

struct spool;

struct spool *spool_new(void);
void spool_free(struct spool *s);                            /* NULL allowed */

/* Appends bytes; *at is where they begin. -1 (ERR_INTERNAL): the disk is full. */
int spool_add(struct spool *s, const void *p, size_t n, uint64_t *at, struct err *e) GPUTAB_MUST_CHECK;

uint64_t spool_size(const struct spool *s);

/* The bytes from `at` on, as many as lie there in a row, `least` at least: so many must have been written. They are good until the next
 * spool_add or spool_at, however near that one reads: who needs two places at once copies one of them. {NULL, 0} with e set: they cannot
 * be read. */
struct span spool_at(struct spool *s, uint64_t at, size_t least, struct err *e) GPUTAB_MUST_CHECK;

#endif
