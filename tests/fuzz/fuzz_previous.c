/* fuzz_previous: reports to compare with. What is read ended before the period, and its teams stand once each, in order. */
#include "fuzz_file.h"
#include "gputab/source/previous.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct timespan period = {INT64_C(1790812800000), INT64_C(1793491200000)};
    struct fuzz_file f = fuzz_file_open(fuzz_span(data, size));
    struct notes n = {.only = NULL};
    const char *currency = NULL;
    struct err e = {0};
    int rc = previous_read(f.path, period, &n, &currency, &e);

    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    FUZZ_CHECK(rc < 0 || (currency && n.previous.period.from < n.previous.period.to && n.previous.period.to <= period.from));
    for (size_t i = 1; rc == 0 && i < n.previous.teams.n; i++)
        FUZZ_CHECK(strcmp(n.previous.teams.v[i - 1].team, n.previous.teams.v[i].team) <= 0);
    notes_free(&n);
    fuzz_file_close(&f);
    return 0;
}
