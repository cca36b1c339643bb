/* bill_paths: what --billing names, as files: a folder stands for the files in it, a pattern for what it matches. */
#ifndef GPUTAB_SOURCE_BILL_PATHS_H
#define GPUTAB_SOURCE_BILL_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/arena.h"
#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/base/vec.h"

struct bill_paths {
    VEC(const char *) v;
    VEC(const char *) skipped;     /* files that were passed over by their names */
    struct arena arena;
    struct diag *diag;             /* set by the caller: for what is left out (W120); NULL: nowhere */
};

/* Fills *out, which is zeroed by the caller, but for diag, and freed by bill_paths_free in any case. Where a manifest is given, or lies in
 * a folder or below it, the parts that it names are the files (bill_export). What does not exist and has *, ? or [ in it is a pattern as in
 * a shell. Files of another folder and matches of a pattern come in the order of their names' bytes, without those that bill_paths_skip is
 * true for. ERR_INPUT: a folder inside of such a folder (no part of a bill is passed over), a folder without files, and a pattern without
 * a match. */
int bill_paths_expand(struct bill_paths *out, const char *const *paths, size_t n, struct err *e) GPUTAB_MUST_CHECK;
void bill_paths_free(struct bill_paths *p);

/* Whether a file in a folder or an archive is by its name no part of a bill: hidden ones, manifests, and what exports put beside them.
 * A file that is named itself is always read. */
bool bill_paths_skip(const char *path);

#endif
