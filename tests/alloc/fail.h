/* fail: allocations that fail on purpose.
 *
 * Link with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup,--wrap=free: every call of these from our code and
 * from libraries that are linked as archives comes here. No preloading, so that it works with the sanitizers too. */
#ifndef GPUTAB_TESTS_FAIL_H
#define GPUTAB_TESTS_FAIL_H

#include <stdbool.h>

/* From now on the n-th allocation fails (1 is the next one), and with `all` each one behind it too. n 0: none does. */
void fail_at(long n, bool all);
long fail_seen(void);                                        /* allocations since fail_at */
long fail_live(void);                                        /* blocks that are allocated and not freed */

#endif
