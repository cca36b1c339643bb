/* timeline: merges the stamps of a target's series and says how long each instant stands.
 * It sees one window at a time; what a day's interval is goes from window to window through *day_interval. */
#include "gputab/core/timeline.h"

#include <stdbool.h>

enum { DEFAULT_INTERVAL_MS = 60000 };

size_t timeline_find(const struct timeline *t, time_ms stamp, size_t from)
{
    size_t low = from, high = t->instants.n;

    if (low < high && t->instants.v[low].from >= stamp)
        return low;
    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (t->instants.v[mid].from < stamp)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Merges the samples from `first` on; those before it, and the instants before `at`, need no place. */
static void merge(struct timeline *t, const struct sample_run *run, size_t first, size_t at)
{
    size_t fresh = 0, n = t->instants.n;

    for (size_t k = first; k < run->n; k++) {
        while (at < n && t->instants.v[at].from < run->v[k].time)
            at++;
        fresh += at == n || t->instants.v[at].from != run->v[k].time;
    }
    if (fresh == 0)
        return;
    vec_reserve(&t->instants, n + fresh);
    t->instants.n = n + fresh;
    for (size_t k = run->n, to = n + fresh; k > first && to > n; k--) {      /* from the back, in place */
        time_ms stamp = run->v[k - 1].time;

        while (n > 0 && t->instants.v[n - 1].from > stamp)
            t->instants.v[--to] = t->instants.v[--n];
        if (n == 0 || t->instants.v[n - 1].from != stamp)
            t->instants.v[--to].from = stamp;
    }
}

void timeline_add(struct timeline *t, const struct sample_run *run)
{
    size_t k = 0, n = t->instants.n, i = run->n ? timeline_find(t, run->v[0].time, 0) : n;

    while (k < run->n && i < n && run->v[k].time == t->instants.v[i].from) {   /* the usual case: every stamp is there already */
        k++;
        i++;
    }
    if (k < run->n)
        merge(t, run, k, i);
}

/* Quickselect. Equal spacings are the rule: when one value fills more than half, it is the median and found in one pass. */
static bool majority(const int64_t *v, size_t n, int64_t *out)
{
    int64_t candidate = v[0];
    size_t votes = 0, count = 0;

    for (size_t i = 0; i < n; i++) {
        if (votes == 0)
            candidate = v[i];
        votes = v[i] == candidate ? votes + 1 : votes - 1;
    }
    for (size_t i = 0; i < n; i++)
        count += v[i] == candidate;
    *out = candidate;
    return count > n / 2;
}

static void swap(int64_t *a, int64_t *b)
{
    int64_t t = *a;

    *a = *b;
    *b = t;
}

int64_t timeline_lower_median(int64_t *v, size_t n)
{
    size_t want = (n - 1) / 2, low = 0, high = n - 1;
    int64_t found;

    if (majority(v, n, &found))
        return found;
    while (low < high) {
        int64_t pivot = v[low + (high - low) / 2];
        size_t i = low, j = high;

        for (;;) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i >= j)
                break;
            swap(&v[i++], &v[j--]);
        }
        if (want <= j)
            high = j;
        else
            low = j + 1;
    }
    return v[want];
}

/* The interval of the UTC day that begins at `day`, from instants[from, to). */
static int64_t interval_of_day(const struct timeline *t, size_t from, size_t to, time_ms day, const struct timeline_rule *rule,
                               struct timeline_scratch *scratch)
{
    time_ms limit = day + TIME_DAY + rule->max_gap_ms;

    if (rule->interval_ms > 0)
        return rule->interval_ms;
    vec_clear(&scratch->spacings);
    for (size_t i = from; i < to && i + 1 < t->instants.n; i++)
        if (t->instants.v[i + 1].from <= limit)
            vec_push(&scratch->spacings, t->instants.v[i + 1].from - t->instants.v[i].from);
    if (scratch->spacings.n == 0)
        return DEFAULT_INTERVAL_MS;
    return timeline_lower_median(scratch->spacings.v, scratch->spacings.n);
}

static void stand(struct timeline *t, size_t from, size_t to, int64_t interval, int64_t max_gap)
{
    for (size_t i = from; i < to; i++) {
        struct instant *x = &t->instants.v[i];
        int64_t gap = i + 1 < t->instants.n ? t->instants.v[i + 1].from - x->from : INT64_MAX;

        x->to = x->from + (gap <= max_gap || gap < interval ? gap : interval);
    }
}

void timeline_stand(struct timeline *t, const struct timeline_rule *rule, time_ms day_from, int64_t *day_interval,
                    struct timeline_scratch *scratch)
{
    time_ms today = time_floor(day_from, TIME_DAY);
    int64_t before = *day_interval;

    *day_interval = 0;
    for (size_t i = 0, end; i < t->instants.n; i = end) {
        time_ms day = time_floor(t->instants.v[i].from, TIME_DAY);
        int64_t interval;

        for (end = i; end < t->instants.n && t->instants.v[end].from < day + TIME_DAY; end++)
            ;
        if (day == today - TIME_DAY && before > 0)
            interval = before;
        else
            interval = interval_of_day(t, i, end, day, rule, scratch);
        if (day == today)
            *day_interval = interval;
        stand(t, i, end, interval, rule->max_gap_ms);
    }
}

size_t timeline_seek(const struct timeline *t, time_ms at, size_t from)
{
    while (from < t->instants.n && t->instants.v[from].to <= at)
        from++;
    return from;
}

void timeline_free(struct timeline *t)
{
    vec_free(&t->instants);
}
