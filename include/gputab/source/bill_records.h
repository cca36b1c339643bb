/* bill_records: a cell that holds a list of records, such as credits or labels: objects whose members are texts and numbers. */
#ifndef GPUTAB_SOURCE_BILL_RECORDS_H
#define GPUTAB_SOURCE_BILL_RECORDS_H

#include <stddef.h>

#include "gputab/base/err.h"
#include "gputab/base/span.h"

struct bill_records;               /* room that is used again from cell to cell */
struct bill_record;                /* one of them, valid during the call that gets it */

struct bill_records *bill_records_new(void);
void bill_records_free(struct bill_records *r);              /* NULL allowed */

/* Calls `each` for the records of a JSON list, or for the one record that the cell is; Python's spelling of the same is read too. An
 * empty cell, an empty list and null hold none. -1 with *e set: ERR_INPUT without a place when it is none of these, or what `each` set. */
int bill_records_read(struct bill_records *r, struct span cell, int (*each)(void *ctx, const struct bill_record *record, struct err *e),
                      void *ctx, struct err *e) GPUTAB_MUST_CHECK;

/* The member's text, or its number as written; empty when there is none, when it is null, and when it is a list or an object. */
struct span bill_record_get(const struct bill_record *record, const char *name);

#endif
