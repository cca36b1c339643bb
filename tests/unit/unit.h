/* unit: runs one suite and says the outcome in the form that the test summary reads. */
#ifndef GPUTAB_TESTS_UNIT_H
#define GPUTAB_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>

static inline int unit_run(Suite *s)
{
    SRunner *r = srunner_create(s);
    int failed;

    srunner_run_all(r, CK_NORMAL);
    failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
