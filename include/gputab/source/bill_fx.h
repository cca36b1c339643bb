/* bill_fx: amounts of a bill in the one currency of the report. */
#ifndef GPUTAB_SOURCE_BILL_FX_H
#define GPUTAB_SOURCE_BILL_FX_H

#include "gputab/source/bill_dialect.h"

/* Converts the row, whose currency is not empty, by the rate of the month in which it starts, and notes the rate in out->rates; the request
 * has rates. A row in the target currency stays. -1 with *e set, without a place: no rate, or an amount beyond 10^15. */
int bill_fx_convert(const struct bill_request *req, struct bill_row *row, struct bill *out, struct err *e) GPUTAB_MUST_CHECK;

#endif
