/* bill_rows: the rows of a bill file, whatever its form: CSV, or JSON with one object a line. */
#ifndef GPUTAB_SOURCE_BILL_ROWS_H
#define GPUTAB_SOURCE_BILL_ROWS_H

#include <stdbool.h>

#include "gputab/base/err.h"
#include "gputab/codec/csv.h"

struct bill_dialect;
struct bill_rows;

/* Looks at the first bytes that fill gives out of from, which is borrowed: which of the delimiters (NULL: a comma) they have most, the
 * first of equals, is that of CSV. -1 with *e set when there is an error; *out is NULL then. */
int bill_rows_open(struct bill_rows **out, csv_fill fill, void *from, const char *name, const char *delimiters,
                   struct err *e) GPUTAB_MUST_CHECK;
void bill_rows_set_lend(struct bill_rows *r, csv_lend lend); /* of the same `from` */
void bill_rows_free(struct bill_rows *r);                    /* NULL allowed */

bool bill_rows_is_json(const struct bill_rows *r);

/* The next row, like csv_next. The first one is the header; of JSON the names of the first object, "a.b" for b inside of a. */
int bill_rows_next(struct bill_rows *r, struct csv_row *row, struct err *e) GPUTAB_MUST_CHECK;

/* Behind the header of JSON: rows have the dialect's columns as fields, and one more with all that no column takes. Lists, and objects
 * that a column takes as a whole, are JSON in their field. An object without a column's member has an empty field there. */
void bill_rows_bind(struct bill_rows *r, const struct bill_dialect *d);
bool bill_rows_saw(const struct bill_rows *r, int column);   /* of JSON: some row had the column */

/* Of CSV, behind the header: from the next row on only these fields get their text, see csv_select; and any field of the latest row. */
void bill_rows_select(struct bill_rows *r, const int *fields, size_t n);
struct span bill_rows_field(struct bill_rows *r, size_t field);

/* Adds the place of a field of the latest row, like csv_at. JSON has no columns of its own: the line. */
int bill_rows_at(const struct bill_rows *r, int field, struct err *e);

#endif
