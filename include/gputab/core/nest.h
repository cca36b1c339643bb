/* nest: rows of a fine table that add up to the rounded rows of a coarser one.
 *
 * Each table alone is rounded by largest remainder; two tables of one run would then differ by cents where one tells the parts of the
 * other's rows. So the coarse table is rounded first, and the fine one under it: within a coarse row, the k-th of n parts is what the exact
 * sum of the first k comes to when rounded, less what was given before; the units by which the coarse row was rounded otherwise are given
 * evenly on the way. A cell is less than two units from its exact amount, and parts sum to their coarse row exactly.
 *
 * `nest_add` for each coarse row, `nest_see` for each part, then `nest_next` for each part in the same order. */
#ifndef GPUTAB_CORE_NEST_H
#define GPUTAB_CORE_NEST_H

#include "gputab/base/span.h"
#include "gputab/value/money.h"

enum { NEST_AMOUNTS = 4 };         /* of a row: three pieces and hours, in the order of the table's columns */

struct nest;

/* digits: of each amount. */
struct nest *nest_new(const int digits[NEST_AMOUNTS]);
void nest_free(struct nest *n);                              /* NULL allowed */

/* A coarse row's rounded amounts; those of equal keys add up. */
void nest_add(struct nest *n, struct span key, const money rounded[NEST_AMOUNTS]);
/* A part's exact amounts, and the coarse row that it belongs to; one that was not added has zeros. */
void nest_see(struct nest *n, struct span key, const money exact[NEST_AMOUNTS]);
void nest_next(struct nest *n, struct span key, const money exact[NEST_AMOUNTS], money rounded[NEST_AMOUNTS]);

#endif
