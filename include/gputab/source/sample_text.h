/* sample_text: times and values of samples as servers write them. */
#ifndef GPUTAB_SOURCE_SAMPLE_TEXT_H
#define GPUTAB_SOURCE_SAMPLE_TEXT_H

#include <locale.h>
#include <stdbool.h>

#include "gputab/base/span.h"
#include "gputab/value/timespan.h"

/* Seconds, a JSON number, to milliseconds, digit by digit; finer parts are cut off. False: beyond the year 10^8. */
bool sample_text_time(struct span s, time_ms *out);

/* The nearest binary64; also NaN, +Inf, -Inf, Inf. A quote, a NUL or what ends a number of JSON stands behind the text. c_locale:
 * newlocale's "C", since a process may use another decimal point. False: no number. */
bool sample_text_value(locale_t c_locale, struct span s, double *out);

#endif
