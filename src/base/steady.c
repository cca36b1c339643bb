/* steady: cutting samples that lie at equal distances, without looking at each. */
#include "gputab/base/steady.h"

/* Rounded up: the first one at t or behind it. */
uint32_t steady_before(const struct steady *s, int64_t t)
{
    if (t <= s->first)
        return 0;
    if (t > steady_last(s))
        return s->n;
    return (uint32_t)(((uint64_t)t - (uint64_t)s->first + s->spacing - 1) / s->spacing);
}

bool steady_cut_off(struct steady *s, int64_t from, int64_t to)
{
    uint32_t skipped = steady_before(s, from);
    uint32_t end = to < INT64_MAX ? steady_before(s, to + 1) : s->n;

    if (skipped >= end)
        return false;
    s->first = steady_time(s, skipped);
    s->n = end - skipped;
    s->spacing = s->n > 1 ? s->spacing : 0;
    return true;
}

bool steady_in_order(const struct steady *v, size_t n)
{
    int64_t last = n > 0 ? steady_last(&v[0]) : 0;
    bool out = false;

    for (size_t i = 1; i < n; i++) {
        out |= v[i].first <= last;
        last = steady_last(&v[i]);
    }
    return !out;
}
