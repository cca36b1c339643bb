/* turns: collects the steps of everything that a node's lines speak of, as far as they lie in the window.
 * What samples say is not here: lines tell that themselves. */
#include "gputab/core/turns.h"

#include <stdlib.h>

struct finding {
    struct turns *turns;
    const struct inventory *inv;
    struct timespan span;
};

static void note(const struct finding *f, const struct steps *steps, uint32_t gpu)
{
    for (uint32_t i = 0; i < steps->n; i++)
        if (steps->v[i].from > f->span.from && steps->v[i].from < f->span.to)
            vec_push(&f->turns->v, (struct turn){steps->v[i].from, gpu});
}

/* A bare pod name may pass to another pod. */
static void note_names(const struct finding *f, const struct line *line, uint32_t gpu)
{
    for (size_t i = 0; i < line->feeds.n; i++)
        if (line->feeds.v[i].series->pod != NONE)
            note(f, &f->inv->pods.v[line->feeds.v[i].series->pod].alias, gpu);
}

/* The line's first instant at which a pod has ended, or has not any more. */
static void note_end(const struct finding *f, const struct line *line, const struct pod *pod, uint32_t gpu)
{
    const struct instant *x = line->timeline->instants.v;

    for (uint32_t i = 0; i < pod->ended.n; i++) {
        size_t at = timeline_find(line->timeline, pod->ended.v[i].from, 0);

        if (at < line->timeline->instants.n && x[at].from > f->span.from && x[at].from < f->span.to)
            vec_push(&f->turns->v, (struct turn){x[at].from, gpu});
    }
}

static void note_labels(const struct finding *f, const struct line *line, uint32_t gpu)
{
    note_names(f, line, gpu);
    for (size_t i = 0; i < line->feeds.n; i++) {
        const struct pod *pod = line->feeds.v[i].series->pod == NONE ? NULL : &f->inv->pods.v[line->feeds.v[i].series->pod];

        if (!pod)
            continue;
        note_end(f, line, pod, gpu);
        for (uint32_t k = 0; k < pod->alias.n; k++)
            if (pod->alias.v[k].value != NONE)
                note_end(f, line, &f->inv->pods.v[pod->alias.v[k].value], gpu);
    }
}

/* A pod that requests may end, or be on the node for a time only. */
static void note_pod(const struct finding *f, const struct pod *pod)
{
    note(f, &pod->ended, TURN_NO_GPU);
    note(f, &pod->node, TURN_NO_GPU);
    for (uint32_t k = 0; k < pod->alias.n; k++)
        if (pod->alias.v[k].value != NONE) {
            note(f, &f->inv->pods.v[pod->alias.v[k].value].ended, TURN_NO_GPU);
            note(f, &f->inv->pods.v[pod->alias.v[k].value].node, TURN_NO_GPU);
        }
}

static void note_requests(const struct finding *f, const struct line *line)
{
    note_names(f, line, TURN_NO_GPU);
    for (size_t i = 0; i < line->feeds.n; i++)
        if (line->feeds.v[i].series->pod != NONE)
            note_pod(f, &f->inv->pods.v[line->feeds.v[i].series->pod]);
}

static int by_time(const void *pa, const void *pb)
{
    const struct turn *a = pa, *b = pb;

    return (a->at > b->at) - (a->at < b->at);
}

void turns_find(struct turns *turns, const struct sweep_window *w, const struct node_view *view)
{
    struct finding f = {turns, w->cfg->inventory, w->span};

    vec_clear(&turns->v);
    turns->at = 0;
    vec_push(&turns->v, (struct turn){w->span.from, TURN_ALL_GPUS});
    for (uint32_t i = 0; i < view->gpus.n; i++) {
        const struct line_range *range = &w->of_gpu[view->gpus.v[i]];

        note(&f, &f.inv->gpus.v[view->gpus.v[i]].node, TURN_ALL_GPUS);
        for (size_t l = range->first; l < range->first + range->n; l++)
            note_labels(&f, &w->lines[l], i);
    }
    for (size_t i = 0; i < view->request_lines.n; i++)
        note_requests(&f, &view->request_lines.v[i]);
    if (view->node != NONE) {
        note(&f, &f.inv->nodes.v[view->node].sharing, TURN_ALL_GPUS);
        note(&f, &f.inv->nodes.v[view->node].type, TURN_ALL_GPUS);
    }
    qsort(turns->v.v, turns->v.n, sizeof *turns->v.v, by_time);
}

const struct turn *turns_take(struct turns *turns, time_ms t)
{
    return turns->at < turns->v.n && turns->v.v[turns->at].at <= t ? &turns->v.v[turns->at++] : NULL;
}

time_ms turns_next(const struct turns *turns)
{
    return turns->at < turns->v.n ? turns->v.v[turns->at].at : TIME_MAX;
}
