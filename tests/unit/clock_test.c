/* clock_test: the steady clock against nanosleep, which may take longer but never less. */
#include <time.h>

#include "gputab/base/clock.h"
#include "unit.h"

START_TEST(the_steady_clock_counts_milliseconds)
{
    const struct timespec pause = { .tv_nsec = 20000000 };
    int64_t before = clock_steady_ms(), passed;

    ck_assert_int_eq(nanosleep(&pause, NULL), 0);
    passed = clock_steady_ms() - before;
    ck_assert_int_ge(passed, 19);                      /* 20 ms, and either reading is rounded down */
    ck_assert_int_lt(passed, 19000);                   /* not microseconds */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("clock");
    TCase *t = tcase_create("all");

    tcase_add_test(t, the_steady_clock_counts_milliseconds);
    suite_add_tcase(s, t);
    return unit_run(s);
}
