/* clock: the monotonic clock in milliseconds. The time of day is asked where the command line needs it, and nowhere else. */
#include "gputab/base/clock.h"

#include <time.h>

int64_t clock_steady_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
