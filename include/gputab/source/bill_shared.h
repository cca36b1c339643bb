/* bill_shared: which shared cost of the rule a row of the bill is. */
#ifndef GPUTAB_SOURCE_BILL_SHARED_H
#define GPUTAB_SOURCE_BILL_SHARED_H

#include "gputab/source/bill_dialect.h"

struct bill_shared;

struct bill_shared *bill_shared_new(const struct bill_request *req);
void bill_shared_free(struct bill_shared *s);                /* NULL allowed */

/* A text begins with this header: of CSV its fields, by their names as they are written; of JSON (is_json) the dialect's columns. */
void bill_shared_head(struct bill_shared *s, const struct csv_row *head, const struct bill_dialect *d, bool is_json);
/* The first that selects the latest row, + 1; 0: none. */
uint32_t bill_shared_of(const struct bill_shared *s, struct bill_rows *rows, const struct csv_row *row);
/* Behind the last text. Errors when no text had a column that a selector asks for; W126: nothing was selected. */
int bill_shared_check(const struct bill_shared *s, const struct bill *bill, struct err *e) GPUTAB_MUST_CHECK;

#endif
