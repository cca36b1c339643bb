/* bill_json: a bill of one JSON object a line, as rows of cells. See bill_rows, which is what a bill's reader includes. */
#ifndef GPUTAB_SOURCE_BILL_JSON_H
#define GPUTAB_SOURCE_BILL_JSON_H

#include <stdbool.h>

#include "gputab/base/err.h"
#include "gputab/codec/csv.h"

struct bill_dialect;
struct bill_json;

enum { BILL_JSON_NAMES_MAX = 1 << 14 };                      /* different names in a file, "a.b" being one */

struct bill_json *bill_json_new(csv_fill fill, void *from, const char *name);      /* from is borrowed */
void bill_json_free(struct bill_json *j);                    /* NULL allowed */

/* As bill_rows. Lines end as CSV's rows do, and blank ones are skipped; a line over CSV_ROW_MAX bytes is an error. */
int bill_json_next(struct bill_json *j, struct csv_row *row, struct err *e) GPUTAB_MUST_CHECK;
void bill_json_bind(struct bill_json *j, const struct bill_dialect *d);
bool bill_json_saw(const struct bill_json *j, int column);
int bill_json_at(const struct bill_json *j, struct err *e);

#endif
