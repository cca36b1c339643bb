/* bill_fold: one spelling for the column names of a format that is written in several. */
#ifndef GPUTAB_SOURCE_BILL_FOLD_H
#define GPUTAB_SOURCE_BILL_FOLD_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

/* Appends the name in snake case: "lineItem/ResourceId", "line_item_resource_id" and "Line Item:Resource-ID" are all the second. At most
 * twice as long as the name. */
void bill_fold_name(struct buf *b, struct span name);

/* A header's cell is the column `name`, in any letter case and spacing, also behind its translation: "Kategorie (MeterCategory)". */
bool bill_fold_same(struct span cell, const char *name);

#endif
