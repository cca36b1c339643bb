/* bill_export: which files of an export are the bill: those that its newest manifest names. */
#ifndef GPUTAB_SOURCE_BILL_EXPORT_H
#define GPUTAB_SOURCE_BILL_EXPORT_H

#include "gputab/source/bill_paths.h"

/* path is a manifest, or a folder in which there is one, at any depth: adds the parts that are to be read. 1; 0 when it is neither;
 * -1 with *e set: two versions of one billing period of which none is known to be newer, a part that is not there. */
int bill_export_expand(struct bill_paths *out, const char *path, struct err *e) GPUTAB_MUST_CHECK;

/* Refuses files that lie in the folders of two versions of one billing period. */
int bill_export_check(const struct bill_paths *p, struct err *e) GPUTAB_MUST_CHECK;

#endif
