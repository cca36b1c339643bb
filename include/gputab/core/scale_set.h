/* scale_set: charges that name a scale set are divided over its machines by the time these were observed.
 *
 * Which machines there were is known at the start, how long each was observed only when the charge's time has passed. So the book gets, for
 * every such charge and machine, a part without an amount, which gathers facts like any charge; when all have come, the charge's cost and
 * hours are shared out over its parts. Where no machine was observed the charge stays whole, on the set. */
#ifndef GPUTAB_CORE_SCALE_SET_H
#define GPUTAB_CORE_SCALE_SET_H

#include "gputab/core/charge_book.h"

/* Adds the parts to the book, whose charges, nodes and GPUs must be there. names: of the resources. */
void scale_set_build(struct charge_book *b, const struct intern *names);

/* observed: how long the machine of each part was observed, in ms. Cost and hours go over by largest remainder, ties in the order of the
 * parts; with nothing observed they stay. Hours that the bill does not tell are those that were observed, so
 * that a part is never measured against time in which its machine was not there. */
void scale_set_share(struct charge_book *b, const struct book_set *s, const weight *observed);

#endif
