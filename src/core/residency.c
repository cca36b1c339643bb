/* residency: sets the lines up (who shows what), and per window lets core/sweep walk each node's GPUs and core/host its pods.
 * A line is one exporter target's view of one device; a target's node and pod series share one timeline.
 * Lines stay for the run, with what was seen through them; every generation fills them with its own series. */
#include "gputab/core/residency.h"

#include <string.h>

#include "gputab/core/line.h"
#include "gputab/core/open_runs.h"
#include "gputab/core/sweep.h"
#include "gputab/value/sample_pack.h"

struct begun_run {
    time_ms first;                 /* sorted by this: looking it up takes the sorting's time */
    const struct sample_run *run;
};

struct residency {
    struct residency_config cfg;
    uint32_t generation;           /* of the series; 0: none yet */
    const struct sample_window *window;
    size_t next_node;              /* of the window */
    const struct series *series;
    size_t n_series;
    struct lines lines;            /* sorted by their place */
    struct line_range *of_gpu, *devices_of;    /* per inventory gpu */
    struct node_view *nodes;       /* per inventory node, and one more for GPUs whose node is unknown */
    struct timeline *of_target;    /* per inventory target: node and pod series */
    int64_t *target_interval;
    struct last_line {             /* per inventory target: of the window, the last line with a timeline of its own */
        size_t at;                 /* index; SIZE_MAX: none */
        int64_t before;            /* the interval that it came with */
    } *last_line;
    uint32_t *pod_series;          /* series of node and pod kinds */
    size_t n_pod_series;
    struct open_runs open;
    struct timeline_scratch scratch;
    struct timeline stamps;        /* scratch: of the line at hand */
    VEC(struct begun_run) runs;    /* scratch: of the line at hand */
    struct intern *candidate_sets;
};

static bool is_device_kind(enum sample_kind kind)
{
    return kind <= SAMPLE_PROCESS_USED;
}

/* Series of one target come together; of several targets of a device, label order. Canonical inventory order is byte order of text. */
struct place {
    uint32_t gpu, device, target;
    bool presence;
};

static struct place place_of(const struct residency *r, uint32_t device, uint32_t target, bool presence)
{
    return (struct place){r->cfg.inventory->devices.v[device].gpu, device, target, presence};
}

static struct place series_place(const struct residency *r, const struct series *s)
{
    return place_of(r, s->device, s->target, s->kind == SAMPLE_PRESENT);
}

static struct place line_place(const struct residency *r, const struct line *line)
{
    return place_of(r, line->device, line->target, (line->shows & LINE_PRESENT) != 0);
}

static int compare_places(struct place a, struct place b)
{
    if (a.gpu != b.gpu)
        return a.gpu < b.gpu ? -1 : 1;
    if (a.device != b.device)
        return a.device < b.device ? -1 : 1;
    if (a.target != b.target)
        return a.target < b.target ? -1 : 1;
    return a.presence - b.presence;
}

static int by_line(const void *pa, const void *pb, void *arg)
{
    const struct residency *r = arg;
    const struct series *a = &r->series[*(const uint32_t *)pa], *b = &r->series[*(const uint32_t *)pb];
    int c = compare_places(series_place(r, a), series_place(r, b));

    return c ? c : (a > b) - (a < b);
}

static unsigned line_shows(const struct series *s)
{
    if (s->kind == SAMPLE_PRESENT)
        return LINE_PRESENT | (s->pod != NONE ? LINE_PRESENT_LABELS : 0);
    if (s->kind == SAMPLE_LAYER_USED || s->kind == SAMPLE_LAYER_PROCESS)
        return LINE_LAYER;
    if (s->pod != NONE && (s->kind == SAMPLE_USED || s->kind == SAMPLE_PROCESS_USED))
        return LINE_LABELS | (s->kind == SAMPLE_USED ? LINE_MEMORY : 0);
    return LINE_MEMORY;
}

static void add_to_line(struct residency *r, uint32_t index)
{
    const struct series *s = &r->series[index];
    struct line *last = r->lines.n ? &r->lines.v[r->lines.n - 1] : NULL;

    if (!last || compare_places(line_place(r, last), series_place(r, s)) != 0) {
        vec_push(&r->lines, (struct line){.device = s->device, .target = s->target});
        last = &r->lines.v[r->lines.n - 1];
    }
    last->shows |= line_shows(s);
    vec_push(&last->series, index);
}

static void clear_lines(struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        vec_clear(&lines->v[i].series);
}

/* Merges the series, in the order of their lines, into the lines there are. */
static void merge_lines(struct residency *r, const uint32_t *order, size_t n)
{
    struct lines old = r->lines;
    size_t k = 0;

    r->lines = (struct lines){0};
    for (size_t i = 0; i < n; i++) {
        struct place place = series_place(r, &r->series[order[i]]);

        while (k < old.n && compare_places(line_place(r, &old.v[k]), place) <= 0)
            vec_push(&r->lines, old.v[k++]);
        add_to_line(r, order[i]);
    }
    while (k < old.n)
        vec_push(&r->lines, old.v[k++]);
    vec_free(&old);
}

static void extend(struct line_range *range, size_t i)
{
    if (range->n == 0)
        range->first = i;
    range->n++;
}

static void build_lines(struct residency *r)
{
    VEC(uint32_t) order = {0};
    const struct inventory *inv = r->cfg.inventory;

    for (uint32_t i = 0; i < r->n_series; i++)
        if (is_device_kind(r->series[i].kind))
            vec_push(&order, i);
    if (order.n)
        qsort_r(order.v, order.n, sizeof *order.v, by_line, r);
    clear_lines(&r->lines);
    merge_lines(r, order.v, order.n);
    vec_free(&order);
    memset(r->of_gpu, 0, (inv->gpus.n + 1) * sizeof *r->of_gpu);
    for (size_t i = 0; i < r->lines.n; i++)
        extend(&r->of_gpu[inv->devices.v[r->lines.v[i].device].gpu], i);
}

/* All GPUs, whether they have series now or not: what there is of a node doesn't hang on the day. */
static void place_gpus(struct residency *r)
{
    const struct inventory *inv = r->cfg.inventory;

    for (size_t i = 0; i < inv->devices.n; i++)
        extend(&r->devices_of[inv->devices.v[i].gpu], i);
    for (uint32_t g = 0; g < inv->gpus.n; g++) {
        const struct steps *steps = &inv->gpus.v[g].node;

        if (steps->n == 0)
            vec_push(&r->nodes[inv->nodes.n].gpus, g);
        for (uint32_t i = 0; i < steps->n; i++) {
            uint32_t node = steps->v[i].value == NONE ? (uint32_t)inv->nodes.n : steps->v[i].value;
            struct node_view *view = &r->nodes[node];

            if (view->gpus.n == 0 || view->gpus.v[view->gpus.n - 1] != g)
                vec_push(&view->gpus, g);
        }
    }
}

/* Nodes that a series may speak of: its own, else every node that its pod is ever on (core/host looks at the time). */
struct node_list {
    uint32_t *v;
    size_t n, cap;
};

static void list_node(struct node_list *list, uint32_t node)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->v[i] == node)
            return;
    if (node != NONE)
        vec_push(list, node);
}

static void list_pod_nodes(const struct residency *r, struct node_list *list, uint32_t pod)
{
    const struct steps *s = &r->cfg.inventory->pods.v[pod].node;

    for (uint32_t i = 0; i < s->n; i++)
        list_node(list, s->v[i].value);
}

static void nodes_of(const struct residency *r, const struct series *s, struct node_list *list)
{
    const struct steps *alias;

    vec_clear(list);
    if (s->node != NONE || s->pod == NONE) {
        list_node(list, s->node);
        return;
    }
    list_pod_nodes(r, list, s->pod);
    alias = &r->cfg.inventory->pods.v[s->pod].alias;
    for (uint32_t i = 0; i < alias->n; i++)
        if (alias->v[i].value != NONE)
            list_pod_nodes(r, list, alias->v[i].value);
}

static void show(struct host_node *host, const struct series *s)
{
    static const struct { signed char source, resource; } kinds[SAMPLE_KINDS] = {
        [SAMPLE_REQUEST_GPU] = {HOST_REQUEST, HOST_GPU},       [SAMPLE_REQUEST_GPU_SHARED] = {HOST_REQUEST, HOST_GPU},
        [SAMPLE_REQUEST_CPU] = {HOST_REQUEST, HOST_CPU},       [SAMPLE_REQUEST_MEMORY] = {HOST_REQUEST, HOST_MEMORY},
        [SAMPLE_CPU] = {HOST_USAGE, HOST_CPU},                 [SAMPLE_MEMORY] = {HOST_USAGE, HOST_MEMORY},
    };

    host_shows_add(host, (enum host_source)kinds[s->kind].source, (enum host_resource)kinds[s->kind].resource, s->target);
}

static int by_host_order(const void *pa, const void *pb, void *arg)
{
    const struct residency *r = arg;
    const struct series *a = &r->series[*(const uint32_t *)pa], *b = &r->series[*(const uint32_t *)pb];

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->pod != b->pod)
        return a->pod < b->pod ? -1 : 1;
    if (a->container != b->container)
        return a->container < b->container ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void feed_node_line(struct lines *lines, const struct series *s, uint32_t index)
{
    size_t i = 0;

    while (i < lines->n && lines->v[i].target != s->target)
        i++;
    if (i == lines->n) {
        vec_push(lines, (struct line){.device = NONE, .target = s->target});
        while (i > 0 && lines->v[i - 1].target > s->target) {
            struct line t = lines->v[i];

            lines->v[i] = lines->v[i - 1];
            lines->v[--i] = t;
        }
    }
    vec_push(&lines->v[i].series, index);
}

static void add_to_node(struct residency *r, struct node_view *view, uint32_t index)
{
    const struct series *s = &r->series[index];

    if (s->kind == SAMPLE_CAPACITY_GPU || s->kind == SAMPLE_CAPACITY_GPU_SHARED) {
        feed_node_line(&view->capacity_lines, s, index);
        return;
    }
    if (s->kind >= SAMPLE_REQUEST_GPU && s->kind <= SAMPLE_REQUEST_MEMORY)
        feed_node_line(&view->request_lines, s, index);
    vec_push(&view->host.series, index);
    show(&view->host, s);
}

static void clear_nodes(struct residency *r)
{
    for (size_t n = 0; n <= r->cfg.inventory->nodes.n; n++) {
        clear_lines(&r->nodes[n].request_lines);
        clear_lines(&r->nodes[n].capacity_lines);
        vec_clear(&r->nodes[n].host.series);
    }
}

static void fill_nodes(struct residency *r)
{
    VEC(uint32_t) order = {0};
    struct node_list nodes = {0};

    clear_nodes(r);
    for (uint32_t i = 0; i < r->n_series; i++)
        if (!is_device_kind(r->series[i].kind))
            vec_push(&order, i);
    if (order.n)
        qsort_r(order.v, order.n, sizeof *order.v, by_host_order, r);
    for (size_t i = 0; i < order.n; i++) {
        nodes_of(r, &r->series[order.v[i]], &nodes);
        for (size_t k = 0; k < nodes.n; k++)
            add_to_node(r, &r->nodes[nodes.v[k]], order.v[i]);
    }
    vec_free(&nodes);
    free(r->pod_series);
    r->pod_series = order.v;
    r->n_pod_series = order.n;
}

/* What a target shows at any time of the run counts from the beginning: it doesn't hang on the day. */
static struct series series_of(const struct metric_shown *x)
{
    return (struct series){.kind = (enum sample_kind)x->kind, .target = x->target, .device = x->device, .node = x->node,
                           .pod = x->names_pod ? 0 : NONE};
}

static void take_shown(struct residency *r)
{
    const struct inventory *inv = r->cfg.inventory;
    struct series *all = xreallocarray(NULL, inv->shown.n + 1, sizeof *all);

    for (size_t i = 0; i < inv->shown.n; i++) {
        all[i] = series_of(&inv->shown.v[i]);
        if (!is_device_kind(all[i].kind))
            show(&r->nodes[all[i].node].host, &all[i]);
    }
    r->series = all;
    r->n_series = inv->shown.n;
    build_lines(r);
    clear_lines(&r->lines);
    r->series = NULL;
    r->n_series = 0;
    free(all);
}

struct residency *residency_new(const struct residency_config *cfg)
{
    struct residency *r = xcalloc(1, sizeof *r);
    const struct inventory *inv = cfg->inventory;

    r->cfg = *cfg;
    r->of_target = xcalloc(inv->targets.n + 1, sizeof *r->of_target);
    r->target_interval = xcalloc(inv->targets.n + 1, sizeof *r->target_interval);
    r->last_line = xcalloc(inv->targets.n + 1, sizeof *r->last_line);
    r->of_gpu = xcalloc(inv->gpus.n + 1, sizeof *r->of_gpu);
    r->devices_of = xcalloc(inv->gpus.n + 1, sizeof *r->devices_of);
    r->nodes = xcalloc(inv->nodes.n + 1, sizeof *r->nodes);
    for (uint32_t n = 0; n <= inv->nodes.n; n++)
        r->nodes[n].host.node = r->nodes[n].node = n < inv->nodes.n ? n : NONE;
    r->candidate_sets = intern_new();
    place_gpus(r);
    take_shown(r);
    return r;
}

static void take_series(struct residency *r, const struct sample_window *w)
{
    r->generation = w->generation;
    r->series = w->series;
    r->n_series = w->n_series;
    build_lines(r);
    fill_nodes(r);
}

static struct timeline_rule timeline_rule(const struct residency *r)
{
    return (struct timeline_rule){r->cfg.rule->gpu.max_gap_ms, r->cfg.rule->gpu.interval_ms};
}

static int by_first(const void *pa, const void *pb)
{
    const struct begun_run *a = pa, *b = pb;

    return (a->first > b->first) - (a->first < b->first);
}

/* The earliest series first: what comes later has its stamps there already, or behind. */
static void add_stamps(struct residency *r, const struct line *line)
{
    vec_clear(&r->stamps.instants);
    vec_clear(&r->runs);
    for (size_t k = 0; k < line->series.n; k++) {
        const struct sample_run *run = r->open.all[line->series.v[k]];

        if (run)
            vec_push(&r->runs, (struct begun_run){sample_run_first(run), run});
    }
    if (r->runs.n > 1)
        qsort(r->runs.v, r->runs.n, sizeof *r->runs.v, by_first);
    for (size_t k = 0; k < r->runs.n; k++)
        timeline_add(&r->stamps, r->runs.v[k].run);
}

static bool same_stamps(const struct timeline *a, const struct timeline *b)
{
    if (a->instants.n != b->instants.n)
        return false;
    for (size_t i = 0; i < a->instants.n; i++)
        if (a->instants.v[i].from != b->instants.v[i].from)
            return false;
    return true;
}

static void copy_stamps(struct timeline *to, const struct timeline *from)
{
    timeline_free(to);
    if (from->instants.n == 0)
        return;
    to->instants.v = xreallocarray(NULL, from->instants.n, sizeof *to->instants.v);
    to->instants.n = to->instants.cap = from->instants.n;
    memcpy(to->instants.v, from->instants.v, from->instants.n * sizeof *to->instants.v);
}

/* A target nearly always shows all its devices at the same instants: its lines share a timeline then, which for a large fleet is half of
 * the memory of a window. before: the interval that the line came with, which a timeline's first instants depend on. */
static void stand_line(struct residency *r, struct line *line, const struct timeline_rule *rule, time_ms day)
{
    struct last_line *last = &r->last_line[line->target];
    struct line *other = last->at < r->lines.n ? &r->lines.v[last->at] : NULL;
    int64_t before = line->day_interval;

    if (other && last->before == before && same_stamps(&other->own, &r->stamps)) {
        line->timeline = &other->own;
        line->day_interval = other->day_interval;
        timeline_free(&line->own);
        return;
    }
    line->timeline = &line->own;
    copy_stamps(&line->own, &r->stamps);
    timeline_stand(&line->own, rule, day, &line->day_interval, &r->scratch);
    if (line->own.instants.n > 0)
        *last = (struct last_line){(size_t)(line - r->lines.v), before};
}

static void stand_lines(struct residency *r, time_ms day)
{
    struct timeline_rule rule = timeline_rule(r);

    for (size_t t = 0; t < r->cfg.inventory->targets.n; t++)
        r->last_line[t].at = SIZE_MAX;
    for (size_t i = 0; i < r->lines.n; i++) {
        add_stamps(r, &r->lines.v[i]);
        stand_line(r, &r->lines.v[i], &rule, day);
    }
}

static void stand_targets(struct residency *r, time_ms day)
{
    struct timeline_rule rule = timeline_rule(r);

    for (size_t t = 0; t < r->cfg.inventory->targets.n; t++)
        vec_clear(&r->of_target[t].instants);
    for (size_t i = 0; i < r->n_pod_series; i++) {
        uint32_t series = r->pod_series[i];

        if (r->open.all[series])
            timeline_add(&r->of_target[r->series[series].target], r->open.all[series]);
    }
    for (size_t t = 0; t < r->cfg.inventory->targets.n; t++)
        timeline_stand(&r->of_target[t], &rule, day, &r->target_interval[t], &r->scratch);
}

void residency_begin(struct residency *r, const struct sample_window *w)
{
    if (r->generation != w->generation)
        take_series(r, w);
    r->window = w;
    r->next_node = 0;
    open_runs_take(&r->open, w);
    stand_lines(r, w->span.from);
    stand_targets(r, w->span.from);
}

static void integrate_host(struct residency *r, const struct host_node *node, struct usage *out)
{
    struct host_window host = {&r->cfg, r->window, r->open.of_series, r->of_target, out};

    open_runs_want(&r->open, node->series.v, node->series.n);
    open_runs_open(&r->open);
    host_integrate(&host, node);
    open_runs_close(&r->open);
}

bool residency_next(struct residency *r, struct usage *out)
{
    struct sweep_window sweep = {&r->cfg, r->window->span, r->series, r->open.all, r->of_target, r->lines.v, r->of_gpu,
                                 r->devices_of, r->candidate_sets, out};
    size_t n = r->next_node++;

    if (n > r->cfg.inventory->nodes.n)
        return false;
    sweep_node(&sweep, &r->nodes[n]);
    if (r->nodes[n].node != NONE)
        integrate_host(r, &r->nodes[n].host, out);
    return true;
}

int64_t residency_interval(const struct residency *r)
{
    int64_t longest = 0;

    for (size_t i = 0; i < r->lines.n; i++)
        longest = r->lines.v[i].day_interval > longest ? r->lines.v[i].day_interval : longest;
    for (size_t t = 0; t < r->cfg.inventory->targets.n; t++)
        longest = r->target_interval[t] > longest ? r->target_interval[t] : longest;
    return longest;
}

int64_t residency_gpu_interval(const struct residency *r, uint32_t gpu)
{
    struct line_range range = r->of_gpu[gpu];
    int64_t longest = 0;

    for (size_t i = range.first; i < range.first + range.n; i++)
        longest = r->lines.v[i].day_interval > longest ? r->lines.v[i].day_interval : longest;
    return longest;
}

void residency_forget(struct residency *r)
{
    intern_free(r->candidate_sets);
    r->candidate_sets = intern_new();
}

void residency_free(struct residency *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->lines.n; i++)
        line_free(&r->lines.v[i]);
    for (size_t n = 0; r->nodes && n <= r->cfg.inventory->nodes.n; n++)
        node_view_free(&r->nodes[n]);
    for (size_t t = 0; t < r->cfg.inventory->targets.n; t++)
        timeline_free(&r->of_target[t]);
    vec_free(&r->lines);
    vec_free(&r->scratch.spacings);
    vec_free(&r->runs);
    timeline_free(&r->stamps);
    intern_free(r->candidate_sets);
    free(r->of_gpu);
    free(r->devices_of);
    free(r->nodes);
    free(r->of_target);
    free(r->target_interval);
    free(r->last_line);
    free(r->pod_series);
    open_runs_free(&r->open);
    free(r);
}
