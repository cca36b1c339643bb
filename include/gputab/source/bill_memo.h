/* bill_memo: what cells of a bill say, remembered by their text. A bill of millions of rows has a few thousand products. */
#ifndef GPUTAB_SOURCE_BILL_MEMO_H
#define GPUTAB_SOURCE_BILL_MEMO_H

#include "gputab/source/bill_meter.h"

/* Beyond these cells are read each time. */
enum { BILL_MEMO_CELLS = 4096, BILL_MEMO_BYTES = 1024 };

struct bill_memo;

struct bill_memo *bill_memo_new(void);
void bill_memo_free(struct bill_memo *m);                    /* NULL allowed */

/* The same as bill_details_add. */
int bill_memo_details(struct bill_memo *m, struct bill_details *d, struct span json);

/* The same as bill_speaks_of_other. */
bool bill_memo_speaks_of_other(struct bill_memo *m, struct span text);

/* The same as bill_unit_ms. */
bool bill_memo_unit_ms(struct bill_memo *m, struct span text, int64_t *ms);

#endif
