/* line: cursors over the instants and samples of one target, and the reading of one device through several of them.
 * Most values are those of the minute before: a feed runs ahead over equal ones, and a move touches only what changes at that time. */
#include "gputab/core/line.h"

#include <stdlib.h>

#include "gputab/core/device.h"

void line_take(struct line *line, const struct series *series, const struct sample_run *const *run_of_series)
{
    vec_clear(&line->feeds);
    for (size_t i = 0; i < line->series.n; i++) {
        uint32_t index = line->series.v[i];

        if (run_of_series[index])
            vec_push(&line->feeds, (struct feed){.series = &series[index], .run = run_of_series[index]});
    }
    line_reset(line);
}

void line_reset(struct line *line)
{
    line->cursor = 0;
    line->standing = false;
    line->until = line->next = TIME_MIN;
    for (size_t i = 0; i < line->feeds.n; i++) {
        struct feed *f = &line->feeds.v[i];

        f->at = f->instant = 0;
        f->has = false;
        f->value = 0;
        f->until = TIME_MIN;
    }
}

/* Takes the next sample, and those behind it while they have its value and follow without a gap. */
static time_ms take_equal(struct feed *f, const struct instant *instants)
{
    const struct sample *v = f->run->v;
    size_t at = f->at, end = f->run->n, i = f->instant;
    uint64_t value = v[at].value;

    while (++at < end && v[at].value == value && v[at].time == instants[i].to)
        i++;
    f->at = at;
    f->instant = i + 1;
    return instants[i].to;
}

static void feed_seek(struct feed *f, const struct timeline *timeline, time_ms t)
{
    f->has = false;
    f->value = 0;
    while (f->at < f->run->n) {
        const struct sample *s = &f->run->v[f->at];

        if (s->time > t) {
            f->until = s->time;
            return;
        }
        f->instant = timeline_find(timeline, s->time, f->instant);
        f->until = take_equal(f, timeline->instants.v);
        if (f->until > t) {
            f->has = true;
            f->value = s->value;
            return;
        }
    }
    f->until = TIME_MAX;
}

static unsigned feed_move(struct feed *f, const struct timeline *timeline, time_ms t)
{
    bool had = f->has;
    uint64_t value = f->value;

    feed_seek(f, timeline, t);
    return (f->has != had ? LINE_PRESENCE : 0) | (f->value != value ? LINE_VALUES : 0);
}

static unsigned stand_move(struct line *line, time_ms t)
{
    const struct instant *x = line->timeline->instants.v;
    size_t n = line->timeline->instants.n, i = timeline_seek(line->timeline, t, line->cursor);
    bool stood = line->standing;

    line->standing = i < n && x[i].from <= t;
    line->until = i < n ? x[i].from : TIME_MAX;
    if (line->standing) {
        while (i + 1 < n && x[i + 1].from == x[i].to)
            i++;
        line->until = x[i].to;
    }
    line->cursor = i;
    return line->standing != stood ? LINE_PRESENCE : 0;
}

unsigned line_move(struct line *line, time_ms t)
{
    unsigned changed = 0;

    if (t < line->next)
        return 0;
    if (t >= line->until)
        changed = stand_move(line, t);
    line->next = line->until;
    for (size_t i = 0; i < line->feeds.n; i++) {
        struct feed *f = &line->feeds.v[i];

        if (t >= f->until)
            changed |= feed_move(f, line->timeline, t);
        if (f->until < line->next)
            line->next = f->until;
    }
    return changed;
}

/* Among the standing lines that show `need`: one with pod labels at all first, then a device exporter before a sharing layer's own view
 * of the device, then label order. */
static unsigned rank(const struct line *line)
{
    return (line->shows & (LINE_LABELS | LINE_PRESENT_LABELS) ? 0 : 2) + (line->shows & LINE_LAYER ? 1 : 0);
}

static const struct line *choose(const struct line *lines, size_t n, unsigned need)
{
    const struct line *found = NULL;

    for (size_t i = 0; i < n; i++) {
        if (!lines[i].standing || !(lines[i].shows & need))
            continue;
        if (!found || rank(&lines[i]) < rank(found))
            found = &lines[i];
    }
    return found;
}

static void keep_largest(struct device_reading *r, unsigned bit, uint64_t *field, uint64_t value)
{
    if (!(r->known & bit) || value > *field)
        *field = value;
    r->known |= bit;
}

/* Device-level fields are the same on every series that repeats them: the largest counts where they are not. Where none says what the
 * device uses and processes without a pod are shown, it uses what all its processes do. */
static void read_memory(const struct line *line, struct device_reading *r)
{
    uint64_t processes = 0;
    bool homeless = false;

    for (size_t i = 0; i < line->feeds.n; i++) {
        const struct feed *f = &line->feeds.v[i];

        if (!f->has)
            continue;
        if (f->series->kind == SAMPLE_PROCESS_USED) {
            processes += f->value;
            homeless |= f->series->pod == NONE;
        } else if (f->series->kind == SAMPLE_USED && f->series->pod == NONE)
            keep_largest(r, DEVICE_USED, &r->used, f->value);
        else if (f->series->kind == SAMPLE_FREE)
            keep_largest(r, DEVICE_FREE, &r->free, f->value);
        else if (f->series->kind == SAMPLE_TOTAL)
            keep_largest(r, DEVICE_TOTAL, &r->total, f->value);
        else if (f->series->kind == SAMPLE_RESERVED)
            keep_largest(r, DEVICE_RESERVED, &r->reserved, f->value);
    }
    if (homeless && !(r->known & DEVICE_USED))
        keep_largest(r, DEVICE_USED, &r->used, processes);
}

/* Whether the pod had ended when the line's sample at t was taken: what an instant stands for is not cut in the middle. */
static bool had_ended(const struct line *line, const struct steps *ended, time_ms t)
{
    size_t after;

    if (ended->n == 0 || (ended->n == 1 && !ended->v[0].value))
        return false;
    after = timeline_find(line->timeline, t + 1, 0);
    return steps_at(ended, line->timeline->instants.v[after - 1].from, 0);
}

static struct pod_value pod_value(const struct line *line, const struct feed *f, const struct inventory *inv, time_ms t)
{
    uint32_t pod = steps_at(&inv->pods.v[f->series->pod].alias, t, f->series->pod);

    return (struct pod_value){pod, f->series->container, f->value,
                              f->series->kind == SAMPLE_PROCESS_USED || f->series->kind == SAMPLE_LAYER_PROCESS,
                              had_ended(line, &inv->pods.v[pod].ended, t)};
}

static void read_labels(const struct line *line, const struct inventory *inv, time_ms t, struct device_reading *r)
{
    for (size_t i = 0; i < line->feeds.n; i++) {
        const struct feed *f = &line->feeds.v[i];

        if (!f->has)
            continue;
        if (f->series->kind == SAMPLE_USED && f->series->pod == NONE)
            r->total_beside = true;
        else if (f->series->pod != NONE && (f->series->kind == SAMPLE_USED || f->series->kind == SAMPLE_PROCESS_USED))
            vec_push(&r->labelled, pod_value(line, f, inv, t));
    }
}

static void read_layer(const struct line *line, const struct inventory *inv, time_ms t, struct device_reading *r)
{
    for (size_t i = 0; i < line->feeds.n; i++) {
        const struct feed *f = &line->feeds.v[i];

        if (f->has && (f->series->kind == SAMPLE_LAYER_USED || f->series->kind == SAMPLE_LAYER_PROCESS))
            vec_push(&r->layer, pod_value(line, f, inv, t));
    }
}

/* Who is there, of a device that shows no memory. */
static void read_presence(const struct line *line, const struct inventory *inv, time_ms t, struct device_reading *r)
{
    r->unmeasured = true;
    for (size_t i = 0; i < line->feeds.n; i++) {
        struct pod_value value;

        if (!line->feeds.v[i].has || line->feeds.v[i].series->pod == NONE)
            continue;
        value = pod_value(line, &line->feeds.v[i], inv, t);
        value.bytes = 0;
        vec_push(&r->labelled, value);
    }
}

static int by_pod(const void *pa, const void *pb)
{
    const struct pod_value *a = pa, *b = pb;

    if (a->pod != b->pod)
        return a->pod < b->pod ? -1 : 1;
    return a->container < b->container ? -1 : a->container > b->container;
}

/* Series come in the order of their text, which is mostly that of their pods. */
static void sort_by_pod(struct pod_value *v, size_t n)
{
    size_t i = 1;

    while (i < n && by_pod(&v[i - 1], &v[i]) <= 0)
        i++;
    if (i < n)
        qsort(v, n, sizeof *v, by_pod);
}

bool line_read_device(const struct line *lines, size_t n, const struct inventory *inv, time_ms t, struct device_reading *out)
{
    const struct line *memory = choose(lines, n, LINE_MEMORY), *labels = choose(lines, n, LINE_LABELS);
    const struct line *layer = choose(lines, n, LINE_LAYER);
    const struct line *presence = memory || labels || layer ? NULL : choose(lines, n, LINE_PRESENT);

    device_reading_clear(out);
    if (memory)
        read_memory(memory, out);
    if (labels)
        read_labels(labels, inv, t, out);
    if (layer)
        read_layer(layer, inv, t, out);
    if (presence)
        read_presence(presence, inv, t, out);
    sort_by_pod(out->labelled.v, out->labelled.n);
    sort_by_pod(out->layer.v, out->layer.n);
    return memory || labels || layer || presence;
}

/* The nearest label on one side of an instant. */
struct side {
    time_ms away;
    uint32_t pod;                  /* NONE: nobody, or several */
};

static void look_at(struct side *side, const struct feed *f, size_t at, const struct inventory *inv, time_ms t)
{
    time_ms stamp = f->run->v[at].time, away = stamp < t ? t - stamp : stamp - t;
    uint32_t pod = steps_at(&inv->pods.v[f->series->pod].alias, stamp, f->series->pod);

    if (away > side->away)
        return;
    side->pod = away < side->away || pod == side->pod ? pod : NONE;
    side->away = away;
}

void line_read_flicker(const struct line *lines, size_t n, const struct inventory *inv, time_ms t, int64_t max_gap_ms,
                       struct device_reading *out)
{
    const struct line *labels = choose(lines, n, LINE_LABELS);
    struct side before = {TIME_MAX, NONE}, after = {TIME_MAX, NONE};

    if (!labels || !(out->known & DEVICE_USED) || out->labelled.n > 0 || out->layer.n > 0)
        return;
    for (size_t i = 0; i < labels->feeds.n; i++) {
        const struct feed *f = &labels->feeds.v[i];

        if (f->series->pod == NONE || (f->series->kind != SAMPLE_USED && f->series->kind != SAMPLE_PROCESS_USED))
            continue;
        if (f->at > 0)
            look_at(&before, f, f->at - 1, inv, t);
        if (f->at < f->run->n)
            look_at(&after, f, f->at, inv, t);
    }
    out->flickers = before.pod != NONE && before.pod == after.pod && before.away + after.away <= max_gap_ms;
    out->flickering_pod = before.pod;
}

void line_free(struct line *line)
{
    vec_free(&line->series);
    vec_free(&line->feeds);
    timeline_free(&line->own);
}
