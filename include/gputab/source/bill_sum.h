/* bill_sum: rows become charges and groups. */
#ifndef GPUTAB_SOURCE_BILL_SUM_H
#define GPUTAB_SOURCE_BILL_SUM_H

#include "gputab/source/bill_dialect.h"

/* What input can drive. Resources and intervals that metrics show are not counted as waiting. */
enum { BILL_WAITING_MAX = 1 << 21, BILL_ENTRIES_MAX = 1 << 23, BILL_FILES_MAX = 60000, BILL_BLOCK_FEES_MAX = 100000 };

/* The longest time of a row that bills a resource: a century, so that its nanoseconds fit 64 bits. A longer one is a typing error. */
#define BILL_ROW_TIME_MAX (36525 * TIME_DAY)

struct bill_sum;

/* Adds to out, which the caller zeroed: groups, outside, file_total, rows_span and, by bill_sum_end, the charges and rows_used. */
struct bill_sum *bill_sum_new(const struct bill_request *req, struct bill *out);
void bill_sum_free(struct bill_sum *s);                      /* NULL allowed */

/* text: index into out->texts. Errors carry no place. */
int bill_sum_add(struct bill_sum *s, const struct bill_row *row, size_t text, struct err *e) GPUTAB_MUST_CHECK;

/* After the last row: what waited for its resource to be known goes where it belongs. Checks that nothing was lost (ERR_GATE). */
int bill_sum_end(struct bill_sum *s, struct err *e) GPUTAB_MUST_CHECK;

#endif
