/* azure_manifest: what the manifest.json that lies beside the parts of an Azure export says of them. */
#ifndef GPUTAB_SOURCE_AZURE_MANIFEST_H
#define GPUTAB_SOURCE_AZURE_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/err.h"

/* The bill file at path has been read and has so many rows behind its header. -1 with *e set when the manifest beside it counts another
 * number, or names a part that is not there. 0 when it agrees, and when there is none that speaks of this file. */
int azure_manifest_check(const char *path, int64_t rows, struct err *e) GPUTAB_MUST_CHECK;

/* Whether both files lie beside a manifest that names both: they are parts of one export. */
bool azure_manifest_names_both(const char *a, const char *b);

#endif
