/* bill_manifest: the list of parts that a provider writes beside the files of one version of a bill. */
#ifndef GPUTAB_SOURCE_BILL_MANIFEST_H
#define GPUTAB_SOURCE_BILL_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/arena.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"
#include "gputab/base/vec.h"

enum { BILL_MANIFEST_BYTES = 16 << 20, BILL_MANIFEST_PARTS = 60000 };

/* Texts live in the arena; "" where the manifest does not say. */
struct bill_manifest {
    struct arena arena;
    const char *path;              /* of the manifest, as given */
    const char *id;                /* assembly or execution */
    const char *account, *report;
    char month[8];                 /* billing period: "2026-10" */
    char made[15];                 /* when it was made, "20261103081233", where the names of its id, folder or parts tell */
    VEC(const char *) parts;       /* keys in the store: names with slashes, without a part ".." */
};

/* Whether a file's name is a manifest's. Not those that other programs load such a bill with. */
bool bill_manifest_is_name(struct span name);

/* Whether a folder's name is a billing period: "20261001-20261101", "BILLING_PERIOD=2026-10". */
bool bill_manifest_is_period(struct span name, char month[8]);

/* Fills *m, which is zeroed by the caller and freed by bill_manifest_free in any case. Refused (ERR_INPUT with the path): what is no JSON,
 * names no part, more than BILL_MANIFEST_PARTS, or Parquet files. path must live as long as *m. */
int bill_manifest_parse(struct bill_manifest *m, struct span json, const char *path, struct err *e) GPUTAB_MUST_CHECK;
void bill_manifest_free(struct bill_manifest *m);

bool bill_manifest_same_parts(const struct bill_manifest *a, const struct bill_manifest *b);

#endif
