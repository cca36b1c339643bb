/* line: cursors over the instants and samples of one target, and the reading of one device through several of them.
 * Most values are those of the minute before: a feed runs ahead over equal ones, and a move touches only what changes at that time.
 * Copies of a device's value under the names of its pods are unpacked once: the others follow. */
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

static void read_ahead(struct feed *f)
{
    if (!sample_reader_next(&f->reader, &f->ahead))
        f->ahead.n = 0;
}

void line_reset(struct line *line)
{
    line->first = line->cursor = 0;
    line->standing = false;
    line->taken = 0;
    line->until = line->silent = line->next = TIME_MIN;
    vec_clear(&line->speaking);
    for (size_t i = 0; i < line->feeds.n; i++) {
        struct feed *f = &line->feeds.v[i];

        sample_reader_begin(&f->reader, f->run);
        read_ahead(f);
        f->last = TIME_MIN;
        f->instant = 0;
        f->has = false;
        f->value = 0;
        f->until = TIME_MIN;
        f->lead = NULL;
    }
}

void line_leave(struct line *line)
{
    vec_free(&line->feeds);
    vec_free(&line->speaking);
}

/* How many samples of a stretch, the first at instant i, follow each other without a gap. Its stamps are all in the timeline: where the
 * last one is as far from the first there as here, nothing lies in between. */
static inline size_t unbroken(const struct line *line, const struct stretch *s, size_t i)
{
    const struct instant *x = line->timeline->instants.v;
    size_t n = 1;

    if (i >= line->first && i + s->n - 1 <= line->cursor
        && x[i + s->n - 1].from - s->from == (time_ms)(s->n - 1) * s->spacing)
        return s->n;
    for (time_ms next = s->from + s->spacing; n < s->n && x[i].to == next; next += s->spacing, i++)
        n++;
    return n;
}

/* Takes the next sample, and those behind it while they have its value and follow without a gap. There is one, so that there is an instant
 * behind those of the samples before. */
static time_ms take_equal(struct feed *f, const struct line *line)
{
    const struct instant *x = line->timeline->instants.v;
    size_t i = x[f->instant].from == f->ahead.from ? f->instant : timeline_find(line->timeline, f->ahead.from, f->instant);
    uint64_t value = f->ahead.value;

    do {
        size_t n = unbroken(line, &f->ahead, i);

        i += n;
        if (n == f->ahead.n) {
            read_ahead(f);
        } else {
            f->ahead.from += (time_ms)n * f->ahead.spacing;
            f->ahead.n -= n;
        }
    } while (f->ahead.n > 0 && f->ahead.value == value && f->ahead.from == x[i - 1].to);
    f->instant = i;
    f->last = x[i - 1].from;
    return x[i - 1].to;
}

static void feed_seek(struct feed *f, const struct line *line, time_ms t)
{
    f->has = false;
    f->value = 0;
    while (f->ahead.n > 0) {
        uint64_t value = f->ahead.value;

        if (f->ahead.from > t) {
            f->until = f->ahead.from;
            return;
        }
        f->until = take_equal(f, line);
        if (f->until > t) {
            f->has = true;
            f->value = value;
            return;
        }
    }
    f->until = TIME_MAX;
}

static bool same_state(const struct feed *a, const struct feed *b)
{
    return a->value == b->value && a->until == b->until && a->has == b->has && a->last == b->last && a->instant == b->instant
        && a->ahead.value == b->ahead.value && a->ahead.from == b->ahead.from && a->ahead.n == b->ahead.n
        && a->ahead.spacing == b->ahead.spacing;
}

static inline void take_state(struct feed *f, const struct feed *from)
{
    f->ahead = from->ahead;
    f->last = from->last;
    f->instant = from->instant;
    f->has = from->has;
    f->value = from->value;
    f->until = from->until;
}

/* A copy of the feed that moved before it takes over what that has read. Both are due at the same time then, the lead first. */
static inline void follow(struct feed *f, const struct line *line, time_ms t, const struct feed *before)
{
    if (f->lead && sample_twin_follow(&f->twin, &f->lead->reader, &f->reader)) {
        take_state(f, f->lead);
        return;
    }
    feed_seek(f, line, t);
    f->lead = before && same_state(before, f) && sample_twin_find(&f->twin, &before->reader, &f->reader) ? before : NULL;
}

/* before: the feed that was moved to t before this one; *before becomes this one. */
static inline unsigned feed_move(struct feed *f, const struct line *line, time_ms t, const struct feed **before)
{
    bool had = f->has;
    uint64_t value = f->value;

    follow(f, line, t, *before);
    *before = f;
    return (f->has != had ? LINE_PRESENCE : 0) | (f->value != value ? LINE_VALUES : 0);
}

static unsigned stand_move(struct line *line, time_ms t)
{
    const struct instant *x = line->timeline->instants.v;
    size_t n = line->timeline->instants.n, i = timeline_seek(line->timeline, t, line->cursor);
    bool stood = line->standing;

    line->first = i;
    line->standing = i < n && x[i].from <= t;
    line->until = i < n ? x[i].from : TIME_MAX;
    if (line->standing) {
        i = timeline_unbroken(line->timeline, i) - 1;
        line->until = x[i].to;
    }
    line->cursor = i;
    return line->standing != stood ? LINE_PRESENCE : 0;
}

/* Also when a feed changes next. */
static void list_speaking(struct line *line)
{
    time_ms next = TIME_MAX;

    vec_clear(&line->speaking);
    line->silent = TIME_MAX;
    for (uint32_t i = 0; i < line->feeds.n; i++) {
        time_ms *until = line->feeds.v[i].has ? &next : &line->silent;

        if (line->feeds.v[i].has)
            vec_push(&line->speaking, i);
        *until = line->feeds.v[i].until < *until ? line->feeds.v[i].until : *until;
    }
    line->next = next < line->silent ? next : line->silent;
}

static unsigned move_all(struct line *line, time_ms t)
{
    const struct feed *before = NULL;
    unsigned changed = 0;

    for (struct feed *f = line->feeds.v, *end = f + line->feeds.n; f < end; f++)
        if (t >= f->until)
            changed |= feed_move(f, line, t, &before);
    list_speaking(line);
    return changed;
}

/* A day's pods come and go: most feeds are silent at an instant, and are not looked at while they stay so. Sets when a feed changes
 * next. */
static unsigned move_feeds(struct line *line, time_ms t)
{
    const uint32_t *speaking = line->speaking.v;
    const struct feed *before = NULL;
    time_ms next = line->silent;
    unsigned changed = 0;

    if (t >= line->silent)
        return move_all(line, t);
    for (size_t i = 0; i < line->speaking.n; i++) {
        struct feed *f = &line->feeds.v[speaking[i]];

        if (t >= f->until)
            changed |= feed_move(f, line, t, &before);
        next = f->until < next ? f->until : next;
    }
    line->next = next;
    if (changed & LINE_PRESENCE)
        list_speaking(line);
    return changed;
}

unsigned line_move(struct line *line, time_ms t)
{
    unsigned changed = 0;

    if (t < line->next)
        return 0;
    if (t >= line->until)
        changed = stand_move(line, t);
    changed |= move_feeds(line, t);
    if (line->until < line->next)
        line->next = line->until;
    return changed;
}

/* Among the standing lines that show `need`: one with pod labels at all first, then a device exporter before a sharing layer's own view
 * of the device, then label order. */
static unsigned rank(const struct line *line)
{
    return (line->shows & (LINE_LABELS | LINE_PRESENT_LABELS) ? 0 : 2) + (line->shows & LINE_LAYER ? 1 : 0);
}

static struct line *choose(struct line *lines, size_t n, unsigned need)
{
    struct line *found = NULL;

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

static void keep_value(struct device_reading *r, enum sample_kind kind, uint64_t value)
{
    if (kind == SAMPLE_USED)
        keep_largest(r, DEVICE_USED, &r->used, value);
    else if (kind == SAMPLE_FREE)
        keep_largest(r, DEVICE_FREE, &r->free, value);
    else if (kind == SAMPLE_TOTAL)
        keep_largest(r, DEVICE_TOTAL, &r->total, value);
    else if (kind == SAMPLE_RESERVED)
        keep_largest(r, DEVICE_RESERVED, &r->reserved, value);
}

/* Device-level fields are the same on every series that repeats them: the largest counts where they are not. Where none says what the
 * device uses and processes without a pod are shown, it uses what all its processes do. */
static void read_memory(const struct line *line, struct device_reading *r)
{
    uint64_t processes = 0;
    bool homeless = false;

    r->known = 0;
    r->used = r->free = r->total = r->reserved = 0;
    for (size_t i = 0; i < line->speaking.n; i++) {
        const struct feed *f = &line->feeds.v[line->speaking.v[i]];
        enum sample_kind kind = f->series->kind;

        if (kind == SAMPLE_PROCESS_USED) {
            processes += f->value;
            homeless |= f->series->pod == NONE;
        } else if (kind != SAMPLE_USED || f->series->pod == NONE)
            keep_value(r, kind, f->value);
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

static struct pod_value pod_value(const struct line *line, uint32_t feed, const struct inventory *inv, time_ms t)
{
    const struct feed *f = &line->feeds.v[feed];
    uint32_t pod = steps_at(&inv->pods.v[f->series->pod].alias, t, f->series->pod);

    return (struct pod_value){pod, f->series->container, f->value,
                              f->series->kind == SAMPLE_PROCESS_USED || f->series->kind == SAMPLE_LAYER_PROCESS,
                              had_ended(line, &inv->pods.v[pod].ended, t), feed};
}

static void read_labels(const struct line *line, const struct inventory *inv, time_ms t, struct device_reading *r)
{
    for (size_t i = 0; i < line->speaking.n; i++) {
        const struct series *s = line->feeds.v[line->speaking.v[i]].series;

        if (s->kind == SAMPLE_USED && s->pod == NONE)
            r->total_beside = true;
        else if (s->pod != NONE && (s->kind == SAMPLE_USED || s->kind == SAMPLE_PROCESS_USED))
            vec_push(&r->labelled, pod_value(line, line->speaking.v[i], inv, t));
    }
}

static void read_layer(const struct line *line, const struct inventory *inv, time_ms t, struct device_reading *r)
{
    for (size_t i = 0; i < line->speaking.n; i++) {
        const struct series *s = line->feeds.v[line->speaking.v[i]].series;

        if (s->kind == SAMPLE_LAYER_USED || s->kind == SAMPLE_LAYER_PROCESS)
            vec_push(&r->layer, pod_value(line, line->speaking.v[i], inv, t));
    }
}

/* Who is there, of a device that shows no memory. */
static void read_presence(const struct line *line, const struct inventory *inv, time_ms t, struct device_reading *r)
{
    r->unmeasured = true;
    for (size_t i = 0; i < line->speaking.n; i++) {
        struct pod_value value;

        if (line->feeds.v[line->speaking.v[i]].series->pod == NONE)
            continue;
        value = pod_value(line, line->speaking.v[i], inv, t);
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

bool line_read_device(struct line *lines, size_t n, const struct inventory *inv, time_ms t, struct device_reading *out)
{
    struct line *memory = choose(lines, n, LINE_MEMORY), *labels = choose(lines, n, LINE_LABELS), *layer = choose(lines, n, LINE_LAYER);
    struct line *presence = memory || labels || layer ? NULL : choose(lines, n, LINE_PRESENT);

    device_reading_clear(out);
    for (size_t i = 0; i < n; i++)
        lines[i].taken = (&lines[i] == memory ? LINE_MEMORY : 0) | (&lines[i] == labels ? LINE_LABELS : 0)
                       | (&lines[i] == layer ? LINE_LAYER : 0);
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

static void read_values(const struct line *line, struct pod_value *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        v[i].bytes = line->feeds.v[v[i].source].value;
}

void line_read_values(const struct line *lines, size_t n, struct device_reading *out)
{
    for (size_t i = 0; i < n; i++) {
        if ((lines[i].taken & LINE_MEMORY) && out->known)      /* where nothing told of the device's memory nothing does now */
            read_memory(&lines[i], out);
        if (lines[i].taken & LINE_LABELS)
            read_values(&lines[i], out->labelled.v, out->labelled.n);
        if (lines[i].taken & LINE_LAYER)
            read_values(&lines[i], out->layer.v, out->layer.n);
    }
}

/* The nearest label on one side of an instant. */
struct side {
    time_ms away;
    uint32_t pod;                  /* NONE: nobody, or several */
};

static void look_at(struct side *side, const struct feed *f, time_ms stamp, const struct inventory *inv, time_ms t)
{
    time_ms away = stamp < t ? t - stamp : stamp - t;
    uint32_t pod = steps_at(&inv->pods.v[f->series->pod].alias, stamp, f->series->pod);

    if (away > side->away)
        return;
    side->pod = away < side->away || pod == side->pod ? pod : NONE;
    side->away = away;
}

void line_read_flicker(struct line *lines, size_t n, const struct inventory *inv, time_ms t, int64_t max_gap_ms,
                       struct device_reading *out)
{
    const struct line *labels;
    struct side before = {TIME_MAX, NONE}, after = {TIME_MAX, NONE};

    if (!(out->known & DEVICE_USED) || out->labelled.n > 0 || out->layer.n > 0)
        return;
    labels = choose(lines, n, LINE_LABELS);
    if (!labels)
        return;
    for (size_t i = 0; i < labels->feeds.n; i++) {
        const struct feed *f = &labels->feeds.v[i];

        if (f->series->pod == NONE || (f->series->kind != SAMPLE_USED && f->series->kind != SAMPLE_PROCESS_USED))
            continue;
        if (f->last != TIME_MIN)
            look_at(&before, f, f->last, inv, t);
        if (f->ahead.n > 0)
            look_at(&after, f, f->ahead.from, inv, t);
    }
    out->flickers = before.pod != NONE && before.pod == after.pod && before.away + after.away <= max_gap_ms;
    out->flickering_pod = before.pod;
}

void line_free(struct line *line)
{
    vec_free(&line->series);
    line_leave(line);
    timeline_free(&line->own);
}
