/* origin_rows: entries by the charge of the bill that they are of, and in it by whose they are: what FOCUS calls allocated charges. */
#ifndef GPUTAB_CORE_ORIGIN_ROWS_H
#define GPUTAB_CORE_ORIGIN_ROWS_H

#include "gputab/core/allocate.h"
#include "gputab/value/table.h"

struct origin_rows;

struct origin_rows *origin_rows_new(const struct inventory *inventory, const struct owners *owners);
struct allocate_sink origin_rows_sink(struct origin_rows *r);
/* Ends adding; the table moves to *out. Of the rows of one charge (resource, from, to, correction) cost and invoiced sum to its own, and
 * the shares of its pieces to one, all of them exactly. */
void origin_rows_end(struct origin_rows *r, struct table *out);
void origin_rows_free(struct origin_rows *r);                /* NULL allowed */

/* The columns of the table: keys and texts, then numbers with 12 decimals. */
enum origin_column {
    ORIGIN_RESOURCE, ORIGIN_FROM, ORIGIN_TO, ORIGIN_CORRECTION, ORIGIN_REGION, ORIGIN_TYPE, ORIGIN_PURCHASE,     /* of the charge */
    ORIGIN_BUCKET, ORIGIN_REASON,  /* of a bucket's part */
    ORIGIN_UID, ORIGIN_CLUSTER, ORIGIN_NAMESPACE, ORIGIN_POD, ORIGIN_WORKLOAD, ORIGIN_TEAM, ORIGIN_COST_CENTRE,  /* of a pod's */
    ORIGIN_COST, ORIGIN_INVOICED, ORIGIN_GPU_HOURS, ORIGIN_GPU_SHARE, ORIGIN_CPU_SHARE, ORIGIN_MEMORY_SHARE,
    ORIGIN_COLUMNS
};

#endif
