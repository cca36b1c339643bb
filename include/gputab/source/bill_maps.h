/* bill_maps: the maps of a run, read, and as dialects. */
#ifndef GPUTAB_SOURCE_BILL_MAPS_H
#define GPUTAB_SOURCE_BILL_MAPS_H

#include <stddef.h>

#include "gputab/base/err.h"

struct bill_dialect;
struct bill_maps;

/* *out is NULL after an error. It must outlive what was read by it. */
int bill_maps_read(struct bill_maps **out, const char *const *paths, size_t n, struct err *e) GPUTAB_MUST_CHECK;
void bill_maps_free(struct bill_maps *m);                    /* NULL allowed */
const struct bill_dialect *const *bill_maps_dialects(const struct bill_maps *m);     /* NULL-terminated; NULL of NULL */

#endif
