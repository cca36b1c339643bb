/* time_pattern: times in the form that a pattern spells, such as "DD.MM.YYYY hh:mm". */
#ifndef GPUTAB_VALUE_TIME_PATTERN_H
#define GPUTAB_VALUE_TIME_PATTERN_H

#include <stdbool.h>

#include "gputab/value/timespan.h"

/* YYYY or YY (2000 to 2099), MM or MON (Jan, Feb ...), DD, hh, mm, ss and AMPM (then hh counts to 12); each once; all else stands for
 * itself. The first three are needed, minutes need hours. NULL when the pattern is in order, else what is wrong with it: static. */
const char *time_pattern_fault(const char *pattern);

/* MM, DD and hh may have one digit. 0, or -1 when the text has not the form or is no time. UTC. The pattern is in order. */
int time_pattern_parse(const char *pattern, struct span text, time_ms *out) GPUTAB_MUST_CHECK;

#endif
