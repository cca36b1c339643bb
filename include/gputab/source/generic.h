/* generic: the dialect that a map describes. */
#ifndef GPUTAB_SOURCE_GENERIC_H
#define GPUTAB_SOURCE_GENERIC_H

#include "gputab/source/bill_dialect.h"
#include "gputab/source/bill_map.h"

struct generic;

struct generic *generic_new(const struct bill_map *map);     /* borrowed */
void generic_free(struct generic *g);                        /* NULL allowed */
const struct bill_dialect *generic_dialect(const struct generic *g);

/* A number as the map writes it, as money: 0, or -1 when it is none. Separators of thousands stand where they belong or are an error. */
int generic_number(const struct bill_map *map, struct span text, money *out, bool *rounded) GPUTAB_MUST_CHECK;

#endif
