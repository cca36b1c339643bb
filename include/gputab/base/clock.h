/* clock: time that only moves forward, for waits and pauses; never for what a report says. */
#ifndef GPUTAB_BASE_CLOCK_H
#define GPUTAB_BASE_CLOCK_H

#include <stdint.h>

int64_t clock_steady_ms(void);                               /* milliseconds since some instant before the program began */

#endif
