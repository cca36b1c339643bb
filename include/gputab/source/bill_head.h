/* bill_head: the header of a bill file: which dialect it is of, and where the dialect's columns are. */
#ifndef GPUTAB_SOURCE_BILL_HEAD_H
#define GPUTAB_SOURCE_BILL_HEAD_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/source/bill_dialect.h"
#include "gputab/source/bill_rows.h"

struct bill_head {
    const struct bill_dialect *dialect;
    size_t fields;                 /* of a whole row */
    int index[BILL_COLUMNS_MAX];   /* by column: see struct bill_cells */
    char *shown[BILL_COLUMNS_MAX];
    struct buf names;              /* its own: the header's fields, each with its length; empty: JSON, which has no header */
};

/* What the first row of `rows` says; the rows give from then on what the dialect reads. -1 with *e set (ERR_INPUT with file and line) when
 * it is of no bill, or lacks a column without which its dialect can say nothing; name is the file's, for warnings (W104). *h is zeroed by
 * the caller, and released by it in either case. */
int bill_head_read(struct bill_head *h, const struct bill_request *req, const char *name, struct bill_rows *rows,
                   const struct csv_row *row, struct err *e) GPUTAB_MUST_CHECK;
void bill_head_release(struct bill_head *h);

/* The row repeats the header: joined part files do that in mid-stream. */
bool bill_head_is_again(const struct bill_head *h, struct bill_rows *rows, const struct csv_row *row);

#endif
