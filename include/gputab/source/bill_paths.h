/* bill_paths: what --billing names, as files: a folder stands for the files in it. */
#ifndef GPUTAB_SOURCE_BILL_PATHS_H
#define GPUTAB_SOURCE_BILL_PATHS_H

#include <stddef.h>

#include "gputab/base/arena.h"
#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/base/vec.h"

struct bill_paths {
    VEC(const char *) v;
    struct arena arena;
    struct diag *diag;             /* set by the caller: for what is left out (W120); NULL: nowhere */
};

/* Fills *out, which is zeroed by the caller and freed by bill_paths_free in any case. Where a manifest is given, or lies in a folder or
 * below it, the parts that it names are the files (bill_export). Otherwise the files of a folder come in the order of their
 * names' bytes, hidden ones left out. A folder inside of it, or an empty one, is ERR_INPUT: no part of a bill is passed over. */
int bill_paths_expand(struct bill_paths *out, const char *const *paths, size_t n, struct err *e) GPUTAB_MUST_CHECK;
void bill_paths_free(struct bill_paths *p);

#endif
