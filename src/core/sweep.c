/* sweep: one node, one window, from change to change.
 * Two steps at every change: read what changed, then work out the claims of each GPU whose reading or whose node's context is new. */
#include "gputab/core/sweep.h"

#include <string.h>

#include "gputab/core/claims.h"
#include "gputab/core/facts.h"
#include "gputab/core/line.h"
#include "gputab/core/mig.h"
#include "gputab/core/recall.h"
#include "gputab/core/turns.h"

struct device_state {
    uint32_t device;               /* inventory index */
    struct line *lines;
    size_t n_lines;
    bool standing;
    struct device_reading reading;
    struct device_claims claims;
    uint64_t promised;             /* memory by the catalogue, bytes; 0 unknown */
    uint64_t largest_used;
    int slices;                    /* 0: the whole card */
};

struct gpu_state {
    uint32_t gpu;
    bool placed;                   /* on this node at the time */
    bool anew;                     /* its reading is to be made anew */
    bool only_values;              /* nothing but numbers of its reading changed */
    VEC(struct device_state) devices;
    struct share_claims claims;
    struct recall recall;
    struct facts facts;
    time_ms since;                 /* of claims */
    time_ms next;                  /* its lines change then, not before */
    int base;                      /* slices of the whole GPU */
    unsigned warned;
};

struct context {                   /* of the node */
    bool shared, sharing_known, requests_known, all_labelled, any_labelled;
    bool shared_requested;         /* some pod requests a shared GPU */
    unsigned labels;
    VEC(struct pod_request) requests;
};

struct sweep {
    const struct sweep_window *w;
    struct node_view *view;
    const struct inventory *inv;
    VEC(struct gpu_state) gpus;
    struct turns turns;
    time_ms next;                  /* nothing of the node changes before */
    VEC(uint32_t) dirty;           /* indices of the GPUs whose reading is another one, whose claims are not yet */
    struct context now, spare;
    struct device_context around;  /* now, as devices are told; a device adds its own */
    VEC(struct claims_device) standing;    /* of the GPU whose claims are worked out */
    struct cuts no_cuts;
    int64_t type_gpus;             /* GPUs of the node's instance type at the time, rounded up; 0: unknown */
};

/* ---- setting up ---- */

/* GPUs' lines know their timelines from before the walk. */
static void add_devices(struct sweep *s, struct gpu_state *g)
{
    const struct line_range *devices = &s->w->devices_of[g->gpu], *range = &s->w->of_gpu[g->gpu];
    size_t l = range->first, end = range->first + range->n;

    for (size_t i = devices->first; i < devices->first + devices->n; i++) {
        struct device_state d = {.device = (uint32_t)i, .lines = l < end ? &s->w->lines[l] : NULL};

        for (; l < end && s->w->lines[l].device == i; l++, d.n_lines++)
            line_take(&s->w->lines[l], s->w->series, s->w->run_of_series);
        vec_push(&g->devices, d);
    }
}

static void take_lines(const struct sweep_window *w, struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++) {
        lines->v[i].timeline = &w->of_target[lines->v[i].target];
        line_take(&lines->v[i], w->series, w->run_of_series);
    }
}

static void leave_lines(struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        line_leave(&lines->v[i]);
}

/* Only where no total, no free memory and no model may tell the device's size: the largest use in the window. */
static void find_largest_used(struct sweep *s, struct device_state *d)
{
    struct device_reading r = {0};

    for (size_t i = 0; i < d->n_lines; i++) {
        for (size_t l = 0; l < d->n_lines; l++)
            line_reset(&d->lines[l]);
        for (size_t k = 0; k < d->lines[i].timeline->instants.n; k++) {
            time_ms t = d->lines[i].timeline->instants.v[k].from;
            uint64_t used;

            for (size_t l = 0; l < d->n_lines; l++)
                line_move(&d->lines[l], t);
            line_read_device(d->lines, d->n_lines, s->inv, t, &r);
            used = device_used(&r);
            if (used > d->largest_used)
                d->largest_used = used;
        }
    }
    for (size_t l = 0; l < d->n_lines; l++)
        line_reset(&d->lines[l]);
    vec_free(&r.labelled);
    vec_free(&r.layer);
}

static void read_promise(const struct sweep *s, uint32_t gpu, struct device_state *d, time_ms t)
{
    d->promised = mig_memory_bytes(s->w->cfg->catalogue, s->inv, s->view->node, gpu, d->device, t);
}

/* A name may pass to a machine of another type. */
static void read_type(struct sweep *s, time_ms t)
{
    if (s->view->node == NONE)
        return;
    s->type_gpus = mig_type_gpus(s->w->cfg->catalogue, s->inv, s->view->node, t);
    if (t == s->w->span.from)      /* begin_gpu has just read the promises of that instant */
        return;
    for (size_t i = 0; i < s->gpus.n; i++)
        for (size_t d = 0; d < s->gpus.v[i].devices.n; d++)
            read_promise(s, s->gpus.v[i].gpu, &s->gpus.v[i].devices.v[d], t);
}

static void begin_gpu(struct sweep *s, uint32_t gpu)
{
    const struct cuts *cuts = s->view->node == NONE ? &s->no_cuts : &s->w->cfg->cuts[s->view->node];
    struct gpu_state g = {.gpu = gpu, .since = s->w->span.from, .next = TIME_MIN,
                          .facts = {.node = s->view->node, .gpu = gpu, .owners = s->w->cfg->owners,
                                    .sets = s->w->candidate_sets, .cuts = cuts}};

    add_devices(s, &g);
    g.base = mig_base(s->w->cfg->catalogue, s->inv, gpu, s->w->cfg->rule->gpu.mig_weight);
    for (size_t i = 0; i < g.devices.n; i++) {
        struct device_state *d = &g.devices.v[i];

        if (s->inv->devices.v[d->device].gi)
            d->slices = mig_slices(s->w->cfg->catalogue, s->inv, d->device, s->w->cfg->rule->gpu.mig_weight);
        read_promise(s, gpu, d, s->w->span.from);
        if (d->promised == 0 || (s->view->node != NONE && s->inv->nodes.v[s->view->node].type.n > 1))
            find_largest_used(s, d);
    }
    vec_push(&s->gpus, g);
}

/* ---- reading ---- */

static void earlier(time_ms *best, time_ms t)
{
    if (t < *best)
        *best = t;
}

/* Bits of enum line_change. */
static unsigned move_gpu(struct gpu_state *g, time_ms t)
{
    unsigned changed = 0;

    if (t < g->next)
        return 0;
    g->next = TIME_MAX;
    for (size_t i = 0; i < g->devices.n; i++)
        for (size_t l = 0; l < g->devices.v[i].n_lines; l++) {
            struct line *line = &g->devices.v[i].lines[l];

            changed |= line_move(line, t);
            earlier(&g->next, line->next);
        }
    return changed;
}

static void read_devices(struct sweep *s, struct gpu_state *g, time_ms t)
{
    bool instances = false;

    for (size_t i = 0; i < g->devices.n; i++) {
        struct device_state *d = &g->devices.v[i];

        d->standing = line_read_device(d->lines, d->n_lines, s->inv, t, &d->reading) && g->placed;
        line_read_flicker(d->lines, d->n_lines, s->inv, t, s->w->cfg->rule->gpu.max_gap_ms, &d->reading);
        instances |= d->standing && d->slices > 0;
    }
    for (size_t i = 0; i < g->devices.n; i++)      /* with both parent and instances the parent is ignored */
        if (instances && g->devices.v[i].slices == 0)
            g->devices.v[i].standing = false;
}

/* Who is there is as before: only numbers are others. */
static void read_values(struct gpu_state *g)
{
    for (size_t i = 0; i < g->devices.n; i++)
        line_read_values(g->devices.v[i].lines, g->devices.v[i].n_lines, &g->devices.v[i].reading);
}

static const struct line *standing_line(const struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        if (lines->v[i].standing)
            return &lines->v[i];
    return NULL;
}

static bool is_gpu_request(const struct feed *f)
{
    return f->has && f->value > 0 && (f->series->kind == SAMPLE_REQUEST_GPU || f->series->kind == SAMPLE_REQUEST_GPU_SHARED);
}

static int by_pod(const void *pa, const void *pb)
{
    const struct pod_request *a = pa, *b = pb;

    return a->pod < b->pod ? -1 : a->pod > b->pod;
}

/* Whether a series of requests speaks of this node at t: its own label says so, else its pod is there. */
static bool requested_here(const struct sweep *s, const struct feed *f, time_ms t)
{
    time_ms until;

    return f->has && f->series->pod != NONE
        && (f->series->node != NONE || inventory_pod_node(s->inv, f->series->pod, t, &until) == s->view->node);
}

/* Pods that request a GPU on the node at t; those in phase Succeeded or Failed no longer count. */
static void read_requests(struct sweep *s, time_ms t)
{
    const struct line *line = standing_line(&s->view->request_lines);
    struct context *c = &s->now;
    size_t n = 0;

    vec_clear(&c->requests);
    c->requests_known = c->shared_requested = false;
    for (size_t i = 0; line && i < line->feeds.n; i++) {
        const struct feed *f = &line->feeds.v[i];
        uint32_t pod;

        if (!requested_here(s, f, t))
            continue;
        c->requests_known = true;
        pod = steps_at(&s->inv->pods.v[f->series->pod].alias, t, f->series->pod);
        if (!is_gpu_request(f) || steps_at(&s->inv->pods.v[pod].ended, t, 0))
            continue;
        c->shared_requested |= f->series->kind == SAMPLE_REQUEST_GPU_SHARED;
        vec_push(&c->requests, (struct pod_request){pod, f->value});
    }
    if (c->requests.n)
        qsort(c->requests.v, c->requests.n, sizeof *c->requests.v, by_pod);
    for (size_t i = 0; i < c->requests.n; i++) {
        if (n > 0 && c->requests.v[n - 1].pod == c->requests.v[i].pod)
            c->requests.v[n - 1].weight += c->requests.v[i].weight;
        else
            c->requests.v[n++] = c->requests.v[i];
    }
    c->requests.n = n;
}

/* Whole GPUs without instances, and instances: what a device plugin without sharing would offer, 10^-6. */
static uint64_t physical_micro(const struct sweep *s)
{
    uint64_t placed = 0, instances = 0, divided = 0;

    for (size_t i = 0; i < s->gpus.n; i++) {
        const struct gpu_state *g = &s->gpus.v[i];
        uint64_t of_gpu = 0;

        for (size_t d = 0; d < g->devices.n; d++)
            of_gpu += g->devices.v[d].slices > 0;
        placed += g->placed;
        instances += g->placed ? of_gpu : 0;
        divided += g->placed && of_gpu > 0;
    }
    if (placed < (uint64_t)s->type_gpus)
        placed = (uint64_t)s->type_gpus;
    return (placed - divided + instances) * 1000000;
}

static bool capacity_shared(struct sweep *s, bool *known)
{
    const struct line *line = standing_line(&s->view->capacity_lines);
    uint64_t gpus = 0;
    bool shared = false;

    *known = false;
    for (size_t i = 0; line && i < line->feeds.n; i++) {
        const struct feed *f = &line->feeds.v[i];

        if (!f->has)
            continue;
        *known = true;
        if (f->series->kind == SAMPLE_CAPACITY_GPU)
            gpus += f->value;
        else
            shared |= f->value > 0;
    }
    return shared || gpus > physical_micro(s);
}

static bool requests_shared(const struct sweep *s)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < s->now.requests.n; i++)
        sum += s->now.requests.v[i].weight;
    return s->now.shared_requested || sum > physical_micro(s);
}

static bool pod_labelled(const struct sweep *s, uint32_t pod)
{
    for (size_t i = 0; i < s->gpus.n; i++)
        for (size_t d = 0; d < s->gpus.v[i].devices.n; d++) {
            const struct device_state *dev = &s->gpus.v[i].devices.v[d];

            if (!dev->standing)
                continue;
            for (size_t k = 0; k < dev->reading.labelled.n; k++)
                if (dev->reading.labelled.v[k].pod == pod)
                    return true;
            for (size_t k = 0; k < dev->reading.layer.n; k++)
                if (dev->reading.layer.v[k].pod == pod)
                    return true;
        }
    return false;
}

/* It hangs on who is there, not on how much memory they hold. */
static void read_context(struct sweep *s, time_ms t)
{
    struct context *c = &s->now;
    bool capacity_known = false, two_pods = false;

    c->any_labelled = false;
    c->labels = s->view->node == NONE ? 0 : steps_at(&s->inv->nodes.v[s->view->node].sharing, t, 0);
    read_requests(s, t);
    c->shared = capacity_shared(s, &capacity_known);
    c->shared |= (c->labels & (SHARING_REPLICAS | SHARING_TIME_SLICING | SHARING_MPS)) != 0 || requests_shared(s);
    for (size_t i = 0; i < s->gpus.n; i++)
        for (size_t d = 0; d < s->gpus.v[i].devices.n; d++) {
            const struct device_state *dev = &s->gpus.v[i].devices.v[d];
            size_t pods = dev->standing ? device_labelled(&dev->reading) : 0;

            two_pods |= pods > 1;
            c->any_labelled |= pods > 0 || (dev->standing && device_layered(&dev->reading) > 0);
        }
    c->shared |= two_pods;
    c->sharing_known = (c->labels & SHARING_LABELS_KNOWN) || capacity_known || c->requests_known;
    c->all_labelled = true;
    for (size_t i = 0; i < c->requests.n && c->all_labelled; i++)
        c->all_labelled = pod_labelled(s, c->requests.v[i].pod);
}

static bool same_requests(const struct context *a, const struct context *b)
{
    if (a->requests.n != b->requests.n)
        return false;
    for (size_t i = 0; i < a->requests.n; i++)
        if (a->requests.v[i].pod != b->requests.v[i].pod || a->requests.v[i].weight != b->requests.v[i].weight)
            return false;
    return true;
}

static bool context_same(const struct context *a, const struct context *b)
{
    return a->shared == b->shared && a->sharing_known == b->sharing_known && a->requests_known == b->requests_known
        && a->all_labelled == b->all_labelled && a->any_labelled == b->any_labelled && a->labels == b->labels
        && same_requests(a, b);
}

static struct device_context context_around(const struct context *c)
{
    return (struct device_context){
        .node_shared = c->shared, .sharing_known = c->sharing_known, .node_labels = c->labels,
        .requests_known = c->requests_known, .requests_all_labelled = c->all_labelled, .any_labelled = c->any_labelled,
        .requests = c->requests.v, .n_requests = c->requests.n};
}

/* False when it is what it was. */
static bool renew_context(struct sweep *s, time_ms t)
{
    struct context before = s->now;

    s->now = s->spare;
    read_context(s, t);
    s->spare = before;
    s->around = context_around(&s->now);
    return !context_same(&s->now, &s->spare);
}

/* ---- claims ---- */

static const struct {
    unsigned bit;
    const char *code, *text, *hint, *refused;              /* refused: the text under shared_fallback: refuse, where it differs */
} warnings[] = {
    {DEVICE_W110, "W110", "samples of no memory, neither used nor free, left out",
     "look at the exporter's log and at its version: some of DCGM 2 write zeros where the driver gives nothing"},
    {DEVICE_W201, "W201", "several pods, one repeated value: its used memory is divided evenly among them",
     "dcgm-exporter 4.8.2 or later with --kubernetes-virtual-gpus and hostPID shows each pod's own memory",
     "several pods, one repeated value: its used memory is (unattributed), by shared_fallback: refuse"},
    {DEVICE_W202, "W202", "pods that request a GPU have no label on any: used memory is divided by request",
     "let dcgm-exporter label every sharing pod: --kubernetes-virtual-gpus, and the shared resource in NVIDIA_RESOURCE_NAMES"},
    {DEVICE_W203, "W203", "the pods' memory adds up to more than the device uses: scaled down to it",
     "compare the exporters' scrape times; a sharing layer may count memory that its pods have freed"},
    {DEVICE_W204, "W204", "its memory size is unknown: the largest use seen stands for it",
     "export DCGM_FI_DEV_FB_FREE or DCGM_FI_DEV_FB_TOTAL beside DCGM_FI_DEV_FB_USED"},
    {DEVICE_W206, "W206", "more memory used than it has: its size is taken as what is used",
     "compare DCGM_FI_DEV_FB_TOTAL with the card's size: the exporter or the catalogue is wrong"},
    {DEVICE_W207, "W207", "an instance shows no memory: the size of its profile stands for what its pods hold",
     "export DCGM_FI_DEV_FB_USED for MIG instances: newer drivers and dcgm-exporters can"},
};

static void warn(struct sweep *s, struct gpu_state *g, unsigned bits)
{
    const char *uuid = intern_cstr(s->inv->names, s->inv->gpus.v[g->gpu].uuid);
    bool refuse = s->w->cfg->rule->gpu.shared_fallback == RULE_REFUSE;

    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        if (!(bits & ~g->warned & warnings[i].bit))
            continue;
        diag_once(s->w->cfg->diag, warnings[i].code, "%s: %s", uuid,
                  refuse && warnings[i].refused ? warnings[i].refused : warnings[i].text);
        diag_hint(s->w->cfg->diag, warnings[i].code, "%s", warnings[i].hint);
    }
    g->warned |= bits;
}

static void work_out_claims(struct sweep *s, struct gpu_state *g)
{
    struct device_context *c = &s->around;

    vec_clear(&s->standing);
    for (size_t i = 0; i < g->devices.n; i++) {
        struct device_state *d = &g->devices.v[i];

        if (!d->standing)
            continue;
        c->instance = d->slices > 0;
        c->model_total = d->promised;
        c->largest_used = d->largest_used;
        device_claims(&d->reading, c, &d->claims);
        if (d->claims.warnings & ~g->warned)
            warn(s, g, d->claims.warnings);
        if (d->claims.claims.n > 0)
            vec_push(&s->standing, (struct claims_device){d->device, d->slices, &d->claims});
    }
    claims_compose(s->standing.v, s->standing.n, g->base, &g->claims);
}

static void flush(struct sweep *s, struct gpu_state *g, time_ms to)
{
    if (g->claims.n > 0)
        facts_add(&g->facts, &g->claims, g->since, to, s->w->out);
    g->since = to;
}

/* Of a GPU that is one device: whether its claims are those of before the last change. */
static bool recall(struct gpu_state *g, bool only_values)
{
    const struct device_state *d = g->devices.v;

    return g->devices.n == 1 && d->standing && recall_claims(&g->recall, &d->reading, only_values, &g->claims);
}

/* Nearly always the claims are others then: those of before are added first. Where they are not, sums are the same all the same. */
static void update_gpu(struct sweep *s, struct gpu_state *g, time_ms t, bool only_values)
{
    flush(s, g, t);
    if (!recall(g, only_values))
        work_out_claims(s, g);
}

/* ---- walking ---- */

static unsigned move_lines(struct sweep *s, struct lines *lines, time_ms t)
{
    unsigned changed = 0;

    for (size_t i = 0; i < lines->n; i++) {
        changed |= line_move(&lines->v[i], t);
        earlier(&s->next, lines->v[i].next);
    }
    return changed;
}

/* Where the GPUs are, and what the node's type says of them. */
static void all_anew(struct sweep *s, time_ms t)
{
    read_type(s, t);
    for (size_t i = 0; i < s->gpus.n; i++) {
        struct gpu_state *g = &s->gpus.v[i];

        g->placed = steps_at(&s->inv->gpus.v[g->gpu].node, t, NONE) == s->view->node;
        g->anew = true;
    }
}

/* Passes the turns up to t; whether there were any. */
static bool take_turns(struct sweep *s, time_ms t)
{
    const struct turn *turn;
    bool any = false;

    while ((turn = turns_take(&s->turns, t)) != NULL) {
        any = true;
        if (turn->gpu == TURN_ALL_GPUS)
            all_anew(s, t);
        else if (turn->gpu != TURN_NO_GPU)
            s->gpus.v[turn->gpu].anew = true;
    }
    return any;
}

/* Moves the i-th GPU to t and reads what is new of it. Bits of enum line_change. */
static unsigned read_gpu(struct sweep *s, uint32_t i, time_ms t)
{
    struct gpu_state *g = &s->gpus.v[i];
    unsigned changed = move_gpu(g, t);

    g->only_values = !g->anew && !(changed & LINE_PRESENCE);
    if (!g->only_values)
        read_devices(s, g, t);
    else if (changed)
        read_values(g);
    else
        return 0;
    g->anew = false;
    vec_push(&s->dirty, i);
    return changed;
}

/* Reads what changes at t, and finds when anything changes next. Whether the node's context may be another one. */
static bool read_changes(struct sweep *s, time_ms t)
{
    bool context = take_turns(s, t);
    time_ms next = s->w->span.to;

    s->next = turns_next(&s->turns);
    vec_clear(&s->dirty);
    context |= (move_lines(s, &s->view->request_lines, t) | move_lines(s, &s->view->capacity_lines, t)) != 0;
    for (uint32_t i = 0; i < s->gpus.n; i++) {
        const struct gpu_state *g = &s->gpus.v[i];

        if (t >= g->next || g->anew)
            context |= (read_gpu(s, i, t) & LINE_PRESENCE) != 0;
        earlier(&next, g->next);
    }
    earlier(&s->next, next);
    return context;
}

static void step(struct sweep *s, time_ms t)
{
    bool all = read_changes(s, t) && renew_context(s, t);

    for (size_t i = 0; all && i < s->gpus.n; i++)
        update_gpu(s, &s->gpus.v[i], t, false);
    for (size_t i = 0; !all && i < s->dirty.n; i++)
        update_gpu(s, &s->gpus.v[s->dirty.v[i]], t, s->gpus.v[s->dirty.v[i]].only_values);
}

static void end_gpu(struct sweep *s, struct gpu_state *g)
{
    flush(s, g, s->w->span.to);
    facts_close(&g->facts, s->w->out);
    for (size_t i = 0; i < g->devices.n; i++)
        for (size_t l = 0; l < g->devices.v[i].n_lines; l++)
            line_leave(&g->devices.v[i].lines[l]);
}

/* By span and GPU: each GPU has its own in the order of their spans. */
static void hand_over_facts(struct sweep *s)
{
    time_ms next;

    for (time_ms t = TIME_MIN; t < TIME_MAX; t = next) {
        next = TIME_MAX;
        for (size_t i = 0; i < s->gpus.n; i++)
            earlier(&next, facts_hand_over(&s->gpus.v[i].facts, t, s->w->out));
    }
}

static void free_gpu(struct gpu_state *g)
{
    facts_free(&g->facts);
    for (size_t i = 0; i < g->devices.n; i++) {
        vec_free(&g->devices.v[i].reading.labelled);
        vec_free(&g->devices.v[i].reading.layer);
        vec_free(&g->devices.v[i].claims.claims);
    }
    vec_free(&g->devices);
    vec_free(&g->claims);
    recall_free(&g->recall);
}

void sweep_node(const struct sweep_window *w, struct node_view *view)
{
    struct sweep s = {.w = w, .view = view, .inv = w->cfg->inventory};

    if (view->gpus.n == 0)
        return;
    take_lines(w, &view->request_lines);
    take_lines(w, &view->capacity_lines);
    for (size_t i = 0; i < view->gpus.n; i++)
        begin_gpu(&s, view->gpus.v[i]);
    turns_find(&s.turns, w, view);
    for (time_ms t = w->span.from; t < w->span.to; t = s.next)
        step(&s, t);
    for (size_t i = 0; i < s.gpus.n; i++)
        end_gpu(&s, &s.gpus.v[i]);
    hand_over_facts(&s);
    for (size_t i = 0; i < s.gpus.n; i++)
        free_gpu(&s.gpus.v[i]);
    leave_lines(&view->request_lines);
    leave_lines(&view->capacity_lines);
    vec_free(&s.gpus);
    vec_free(&s.turns.v);
    vec_free(&s.standing);
    vec_free(&s.dirty);
    vec_free(&s.now.requests);
    vec_free(&s.spare.requests);
}

void node_view_free(struct node_view *view)
{
    for (size_t i = 0; i < view->request_lines.n; i++)
        line_free(&view->request_lines.v[i]);
    for (size_t i = 0; i < view->capacity_lines.n; i++)
        line_free(&view->capacity_lines.v[i]);
    vec_free(&view->request_lines);
    vec_free(&view->capacity_lines);
    vec_free(&view->gpus);
    host_node_free(&view->host);
}
