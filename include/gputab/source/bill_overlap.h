/* bill_overlap: the same time of a machine billed by two files. */
#ifndef GPUTAB_SOURCE_BILL_OVERLAP_H
#define GPUTAB_SOURCE_BILL_OVERLAP_H

#include "gputab/base/err.h"
#include "gputab/source/bill_entry.h"

/* Order of entries of one resource and interval in which those that mean the same are neighbours, by file. */
int bill_overlap_order(const struct bill_key *a, const struct bill_key *b);

/* -1 with *e set (ERR_INPUT, the second file) when two files bill the same hours of one machine: v holds the n entries of one charge by
 * bill_overlap_order; id is the resource's name. gpu_micro: its GPUs, 10^-6; 0 when unknown: then rows of GPUs say nothing. No false alarm
 * for the parts of one bill: of a machine no two rows of one bill mean the same and are more time together than there is. */
int bill_overlap_check(const struct bill_entry *v, size_t n, struct span id, int64_t gpu_micro, const struct bill *b, struct err *e)
    GPUTAB_MUST_CHECK;

#endif
