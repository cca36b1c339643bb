/* bill_once: one export alone may tell of a payer's day. Exports of a month so far hold the same rows day after day, and added up they
 * are a multiple of the cost. */
#ifndef GPUTAB_SOURCE_BILL_ONCE_H
#define GPUTAB_SOURCE_BILL_ONCE_H

#include <stddef.h>

#include "gputab/base/err.h"
#include "gputab/base/span.h"
#include "gputab/value/timespan.h"

struct bill_once;

enum { BILL_ONCE_MAX = 1 << 22 };  /* days of payers */

struct bill_once *bill_once_new(void);
void bill_once_free(struct bill_once *o);                    /* NULL allowed */

/* What is seen from now on is of the file at path (in an archive also the name there), which is copied. */
void bill_once_begin(struct bill_once *o, const char *path);

/* A row on the line tells of the day that begins at `day`. -1 with *e set, without a place, when there are too many days. */
int bill_once_see(struct bill_once *o, struct span payer, time_ms day, int64_t line, struct err *e) GPUTAB_MUST_CHECK;

/* -1 with *e set when two exports told of one day: asked when a file was read to its end, since equal files are told better by their bytes.
 * Parts of one export (part_0_0001.csv and part_0_0002.csv in one folder, or named by one manifest) are one. */
int bill_once_check(const struct bill_once *o, struct err *e) GPUTAB_MUST_CHECK;

#endif
