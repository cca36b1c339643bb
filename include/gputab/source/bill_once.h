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

/* The file tells of the day that begins at `day`. -1 with *e set, without a place, when another export did. Parts of one export
 * (part_0_0001.csv, part_0_0002.csv in one folder) are one. */
int bill_once_see(struct bill_once *o, struct span payer, time_ms day, struct err *e) GPUTAB_MUST_CHECK;

#endif
