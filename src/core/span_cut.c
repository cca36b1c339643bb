/* span_cut: hours of UTC, cut at a sorted list of instants. */
#include "gputab/core/span_cut.h"

static size_t first_after(const struct cuts *c, time_ms t, size_t cursor)
{
    size_t low = cursor && cursor <= c->n && c->v[cursor - 1] <= t ? cursor : 0, high = c->n;

    if (low < high && c->v[low] > t)
        return low;
    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (c->v[mid] <= t)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct timespan span_cut_at(const struct cuts *c, time_ms t, size_t *cursor)
{
    time_ms hour = time_floor(t, TIME_HOUR);
    struct timespan span = {hour, hour + TIME_HOUR};
    size_t i = first_after(c, t, *cursor);

    *cursor = i;
    if (i > 0 && c->v[i - 1] > span.from)
        span.from = c->v[i - 1];
    if (i < c->n && c->v[i] < span.to)
        span.to = c->v[i];
    return span;
}
