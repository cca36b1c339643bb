/* line: cursors over the instants and samples of one target, and the reading of one device through several of them. */
#include "gputab/core/line.h"

#include <stdlib.h>

#include "gputab/core/device.h"

static bool feed_move(struct feed *f, bool standing, time_ms stamp)
{
    bool has = false;
    uint64_t value = 0;
    bool changed;

    if (standing && f->run) {
        while (f->at < f->run->n && f->run->v[f->at].time < stamp)
            f->at++;
        if (f->at < f->run->n && f->run->v[f->at].time == stamp) {
            has = true;
            value = f->run->v[f->at].value;
        }
    }
    changed = has != f->has || value != f->value;
    f->has = has;
    f->value = value;
    return changed;
}

/* Shared by device lines and node lines: cursor and standing first, then the feeds when the instant is another one. */
static bool move(const struct timeline *t, size_t *cursor, bool *standing, struct feed *feeds, size_t n, time_ms at)
{
    size_t to = timeline_seek(t, at, *cursor);
    bool stands = to < t->instants.n && t->instants.v[to].from <= at;
    bool changed = stands != *standing;

    if (to == *cursor && !changed)
        return false;
    *cursor = to;
    *standing = stands;
    for (size_t i = 0; i < n; i++)
        changed |= feed_move(&feeds[i], stands, stands ? t->instants.v[to].from : 0);
    return changed;
}

static time_ms next_change(const struct timeline *t, size_t cursor, time_ms at)
{
    if (cursor >= t->instants.n)
        return TIME_MAX;
    return t->instants.v[cursor].from > at ? t->instants.v[cursor].from : t->instants.v[cursor].to;
}

bool line_move(struct line *line, time_ms t)
{
    return move(&line->timeline, &line->cursor, &line->standing, line->feeds.v, line->feeds.n, t);
}

bool node_line_move(struct node_line *line, const struct timeline *timeline, time_ms t)
{
    return move(timeline, &line->cursor, &line->standing, line->feeds.v, line->feeds.n, t);
}

time_ms line_next(const struct line *line, time_ms t)
{
    return next_change(&line->timeline, line->cursor, t);
}

time_ms node_line_next(const struct node_line *line, const struct timeline *timeline, time_ms t)
{
    return next_change(timeline, line->cursor, t);
}

static void feeds_reset(struct feed *feeds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        feeds[i].at = 0;
        feeds[i].has = false;
        feeds[i].value = 0;
    }
}

void line_reset(struct line *line)
{
    line->cursor = 0;
    line->standing = false;
    feeds_reset(line->feeds.v, line->feeds.n);
}

void node_line_reset(struct node_line *line)
{
    line->cursor = 0;
    line->standing = false;
    feeds_reset(line->feeds.v, line->feeds.n);
}

/* Among the standing lines that show `need`: one with pod labels at all first, then a device exporter before a sharing layer's own view
 * of the device, then label order. */
static unsigned rank(const struct line *line)
{
    return (line->shows & (LINE_LABELS | LINE_PRESENCE_LABELS) ? 0 : 2) + (line->shows & LINE_LAYER ? 1 : 0);
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

static struct pod_value pod_value(const struct feed *f, const struct inventory *inv, time_ms t)
{
    uint32_t pod = f->series->pod;

    return (struct pod_value){steps_at(&inv->pods.v[pod].alias, t, pod), f->series->container, f->value,
                              f->series->kind == SAMPLE_PROCESS_USED || f->series->kind == SAMPLE_LAYER_PROCESS};
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
            vec_push(&r->labelled, pod_value(f, inv, t));
    }
}

static void read_layer(const struct line *line, const struct inventory *inv, time_ms t, struct device_reading *r)
{
    for (size_t i = 0; i < line->feeds.n; i++) {
        const struct feed *f = &line->feeds.v[i];

        if (f->has && (f->series->kind == SAMPLE_LAYER_USED || f->series->kind == SAMPLE_LAYER_PROCESS))
            vec_push(&r->layer, pod_value(f, inv, t));
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
        value = pod_value(&line->feeds.v[i], inv, t);
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

bool line_read_device(const struct line *lines, size_t n, const struct inventory *inv, time_ms t, struct device_reading *out)
{
    const struct line *memory = choose(lines, n, LINE_MEMORY), *labels = choose(lines, n, LINE_LABELS);
    const struct line *layer = choose(lines, n, LINE_LAYER);
    const struct line *presence = memory || labels || layer ? NULL : choose(lines, n, LINE_PRESENCE);

    device_reading_clear(out);
    if (memory)
        read_memory(memory, out);
    if (labels)
        read_labels(labels, inv, t, out);
    if (layer)
        read_layer(layer, inv, t, out);
    if (presence)
        read_presence(presence, inv, t, out);
    if (out->labelled.n > 1)
        qsort(out->labelled.v, out->labelled.n, sizeof *out->labelled.v, by_pod);
    if (out->layer.n > 1)
        qsort(out->layer.v, out->layer.n, sizeof *out->layer.v, by_pod);
    return memory || labels || layer || presence;
}

void line_free(struct line *line)
{
    vec_free(&line->feeds);
    timeline_free(&line->timeline);
}
