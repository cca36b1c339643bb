/* previous: a report that gputab wrote earlier, as JSON and by team, for comparing with. */
#ifndef GPUTAB_SOURCE_PREVIOUS_H
#define GPUTAB_SOURCE_PREVIOUS_H

#include "gputab/base/err.h"
#include "gputab/value/notes.h"

/* Fills out->previous: each team and bucket once, with what it cost before. *currency: of that report, in out->strings. `period` is that of
 * the report that is made now: the other one must end no later than it begins. Refused are drafts, filtered and cut reports, those that are
 * not by team, and those whose rows do not add up to their total. ERR_INPUT, with the place in the file or the member's name. */
int previous_read(const char *path, struct timespan period, struct notes *out, const char **currency, struct err *e) GPUTAB_MUST_CHECK;

#endif
