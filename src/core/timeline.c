/* timeline: merges the stamps of a target's series and says how long each instant stands.
 * It sees one window at a time; what a day's interval is goes from window to window through *day_interval. */
#include "gputab/core/timeline.h"

#include <stdbool.h>
#include <string.h>

#include "gputab/value/sample_pack.h"

enum { DEFAULT_INTERVAL_MS = 60000 };

static size_t find(const struct instant *v, size_t n, time_ms stamp, size_t from)
{
    size_t low = from, high = n;

    if (low < high && v[low].from >= stamp)
        return low;
    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (v[mid].from < stamp)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

size_t timeline_find(const struct timeline *t, time_ms stamp, size_t from)
{
    return find(t->instants.v, t->instants.n, stamp, from);
}

/* How many of the first stamps of a stretch are those of instants at the same distance, which begin at *at then. */
static size_t on_pace(const struct timeline *t, const struct stretch *s, size_t *at)
{
    time_ms behind;
    size_t i;

    if (t->paced < 2 || s->from < t->instants.v[0].from || (s->n > 1 && s->spacing != t->pace))
        return 0;
    behind = s->from - t->instants.v[0].from;
    i = (size_t)(behind / t->pace);
    if (i >= t->paced || (time_ms)i * t->pace != behind)
        return 0;
    *at = i;
    return t->paced - i < s->n ? t->paced - i : s->n;
}

/* Instants came behind those at the same distance. */
static void find_pace(struct timeline *t)
{
    const struct instant *v = t->instants.v;
    size_t i = t->paced;

    if (i < 2) {
        if (t->instants.n < 2)
            return;
        t->pace = v[1].from - v[0].from;
        i = 2;
    }
    while (i < t->instants.n && v[i].from - v[i - 1].from == t->pace)
        i++;
    t->paced = i;
}

/* Puts the stamps of a stretch that are not among the first n instants, from *at on, behind all instants. */
static void add_stretch(struct timeline *t, size_t n, const struct stretch *s, size_t *at)
{
    size_t there = on_pace(t, s, at);
    time_ms stamp = s->from + (time_ms)there * s->spacing;

    *at += there;
    for (size_t left = s->n - there; left > 0;) {
        size_t i = find(t->instants.v, n, stamp, *at), from = i, end = left < n - i ? i + left : n;

        for (; i < end && t->instants.v[i].from == stamp; i++)     /* the usual case: they are there already */
            stamp += s->spacing;
        left -= i - from;
        *at = i;
        if (i > from || left == 0)
            continue;
        vec_reserve(&t->instants, t->instants.n + left);
        do {
            t->instants.v[t->instants.n++].from = stamp;
            stamp += s->spacing;
        } while (--left > 0 && (i == n || stamp < t->instants.v[i].from));
    }
}

/* Two sorted lists, of n instants and of those behind them, become one. Whether instants got between others. */
static bool merge(struct timeline *t, size_t n)
{
    size_t fresh = t->instants.n - n, to = t->instants.n;
    struct instant *v = t->instants.v, *behind;

    if (n == 0 || fresh == 0 || v[n - 1].from < v[n].from)
        return false;
    behind = xreallocarray(NULL, fresh, sizeof *behind);
    memcpy(behind, v + n, fresh * sizeof *behind);
    while (fresh > 0)                      /* from the back, in place */
        if (n > 0 && v[n - 1].from > behind[fresh - 1].from)
            v[--to] = v[--n];
        else
            v[--to] = behind[--fresh];
    free(behind);
    return true;
}

void timeline_add(struct timeline *t, const struct sample_run *run)
{
    struct sample_reader reader;
    struct stretch s;
    size_t n = t->instants.n, at = 0;

    if (n == 0)
        t->paced = 0;
    sample_reader_begin(&reader, run);
    while (sample_reader_next_pace(&reader, &s))
        add_stretch(t, n, &s, &at);
    if (t->instants.n == n)
        return;
    if (merge(t, n))
        t->paced = 0;
    find_pace(t);
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

    t->unbroken = 0;
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
    t->unbroken = timeline_unbroken(t, 0);
}

size_t timeline_unbroken(const struct timeline *t, size_t from)
{
    const struct instant *x = t->instants.v;
    size_t i = from;

    if (i < t->unbroken)
        return t->unbroken;
    if (i < t->instants.n)
        for (i++; i < t->instants.n && x[i].from == x[i - 1].to; i++)
            ;
    return i;
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
    t->unbroken = t->paced = 0;
}
