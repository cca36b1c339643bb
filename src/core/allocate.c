/* allocate: hands the facts of each window to the charges they lie in, and divides a charge once its time has passed. */
#include "gputab/core/allocate.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/core/divide.h"
#include "gputab/core/gpu_share.h"
#include "gputab/core/mig.h"
#include "gputab/core/node_shape.h"
#include "gputab/core/scale_set.h"

/* A node at a time, and what it is of the bill. */
struct place {
    uint32_t node;                 /* of the inventory; NONE: of nothing */
    time_ms t, day;
    const struct book_node *billed;        /* NULL: it is not */
    VEC(size_t) charges;           /* those that hold t; none unless it is billed */
};

/* An instance type as the bill names it. */
struct named_type {
    uint32_t text;
    const struct instance_type *type;      /* NULL: unknown */
};

struct allocate {
    struct allocate_config cfg;
    struct charge_book book;
    struct collected **open;       /* per charge of the book: NULL before its first fact and once it is divided */
    uint32_t *by_end;              /* charge indices by span.to */
    size_t ended;                  /* how many of by_end are divided */
    size_t shared;                 /* how many of book.sets are shared out */
    struct gpu_share *gpu_shares;  /* per node of the book */
    size_t dividing;               /* the charge at hand */
    struct divide_run run;
    money entries;                 /* cost of all entries */
    struct allocate_sink sink;     /* the caller's */
    struct place here;             /* of the fact that was asked for last */
    VEC(struct named_type) types;  /* that the bill names, of the charges so far */
    struct {                       /* the charge that was asked for last for its entries' keys; SIZE_MAX: none */
        size_t charge;
        struct entry keys;
        const struct instance_type *type;
    } of;
    VEC(struct host_cell_hour) hours;      /* scratch: one charge's pods by hour, */
    VEC(struct presence) presence;         /* scratch: in order, */
    VEC(struct timespan) spans;            /* scratch: of one fact */
};

struct host_cell_hour {
    size_t charge;
    uint32_t pod_version;
    time_ms hour;
    weight request[2], usage[2];
};

/* Between divide and the caller's sink: adds up what went out, for the conservation check. */
static void count_entry(void *to, const struct entry *e)
{
    struct allocate *a = to;

    a->entries += e->cost;
    a->sink.entry(a->sink.to, e);
}

static void hand_charge(void *to, const struct allocate_charge *c)
{
    struct allocate *a = to;

    struct allocate_charge own = *c;

    own.book = &a->book;
    own.at = a->dividing;
    a->sink.charge(a->sink.to, &own);
}

static int by_end(const void *pa, const void *pb, void *arg)
{
    const struct allocate *a = arg;
    uint32_t x = *(const uint32_t *)pa, y = *(const uint32_t *)pb;
    time_ms s = charge_book_kept(&a->book, x)->span.to, t = charge_book_kept(&a->book, y)->span.to;

    if (s != t)
        return s < t ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Requests of any kind: where those of CPU are told, those of GPUs would be. */
static bool any_requests(const struct inventory *inv)
{
    for (size_t i = 0; i < inv->nodes.n; i++) {
        const struct node *n = &inv->nodes.v[i];

        if (n->has_gpu_request || n->has_cpu_request || n->has_memory_request)
            return true;
    }
    return false;
}

struct allocate *allocate_new(const struct allocate_config *cfg)
{
    struct allocate *a = xcalloc(1, sizeof *a);
    size_t n;

    a->cfg = *cfg;
    a->sink = cfg->sink;
    a->of.charge = SIZE_MAX;
    a->here.node = NONE;
    a->cfg.sink.to = a;
    a->cfg.sink.entry = count_entry;
    a->cfg.sink.charge = cfg->sink.charge ? hand_charge : NULL;
    charge_book_build(&a->book, cfg->bill, cfg->inventory);
    n = a->book.charges.n;
    a->open = xcalloc(n + 1, sizeof *a->open);
    a->by_end = xcalloc(n + 1, sizeof *a->by_end);
    a->gpu_shares = xcalloc(a->book.nodes.n + 1, sizeof *a->gpu_shares);
    for (uint32_t i = 0; i < n; i++)
        a->by_end[i] = i;
    if (n)
        qsort_r(a->by_end, n, sizeof *a->by_end, by_end, a);
    a->run.cfg = &a->cfg;
    a->run.sums.requests_known = any_requests(cfg->inventory);
    return a;
}

const struct cuts *allocate_cuts(const struct allocate *a)
{
    return a->book.cuts;
}

/* The billed node that an inventory node is at t, or NULL. */
static const struct book_node *billed_node(const struct allocate *a, uint32_t node, time_ms t)
{
    const struct book_node *b = charge_book_find(&a->book, steps_at(&a->cfg.inventory->nodes.v[node].resource, t, 0));

    return b && b->n_charges ? b : NULL;
}

static void find_place(struct allocate *a, struct place *p, uint32_t node, time_ms t)
{
    p->node = node;
    p->t = t;
    p->day = time_floor(t, TIME_DAY);
    p->billed = node == NONE ? NULL : billed_node(a, node, t);
    vec_clear(&p->charges);
    if (p->billed)
        for (size_t c = p->billed->first_charge; (c = charge_book_next(&a->book, p->billed, t, c)) != SIZE_MAX; c++)
            vec_push(&p->charges, c);
}

/* Facts of a node and an hour follow one another: looked up once for all of them. Good until the next call. */
static inline const struct place *place_at(struct allocate *a, uint32_t node, time_ms t)
{
    struct place *p = &a->here;

    if (p->node != node || p->t != t || node == NONE)
        find_place(a, p, node, t);
    return p;
}

static struct collected *facts_of(struct allocate *a, size_t charge)
{
    if (!a->open[charge])
        a->open[charge] = xcalloc(1, sizeof *a->open[charge]);
    return a->open[charge];
}

static void let_go(struct allocate *a, size_t charge)
{
    if (a->open[charge])
        collected_free(a->open[charge]);
    free(a->open[charge]);
    a->open[charge] = NULL;
}

/* ---- GPUs ---- */

/* A fact under the rule: which of its readings counts. False when it counts for nothing. */
static bool gpu_cell(const struct allocate *a, const struct gpu_fact *f, time_ms day, struct gpu_cell *out)
{
    const struct rule *rule = a->cfg.rule;
    bool held = f->state == USAGE_HELD && rule->gpu.exclusive == RULE_HELD;
    bool refused = f->state == USAGE_EVEN && rule->gpu.shared_fallback == RULE_REFUSE;     /* nobody is a known resident then */

    *out = (struct gpu_cell){.gpu = f->gpu, .day = day, .sharing = f->sharing, .state = f->state,
                             .candidates = f->candidates, .claimant = f->claimant, .reason = f->reason, .grade = f->grade,
                             .pod_version = f->pod_version, .memory_ms = f->memory_ms};
    out->share = held ? f->held : f->share[refused && rule->gpu.denominator == RULE_RESIDENTS ? RULE_CAPACITY : rule->gpu.denominator];
    out->used = held ? f->share[RULE_USABLE] : out->share;
    if (held && f->claimant != CLAIM_POD)
        return false;
    if (refused && f->claimant == CLAIM_POD) {
        out->claimant = CLAIM_UNATTRIBUTED;
        out->pod_version = NONE;
        out->grade = GRADE_D;
        out->candidates = 0;
        out->memory_ms = 0;
    }
    return out->share > 0 || out->memory_ms > 0;
}

/* Several charges may hold one time; each pays, but the memory in it is counted once: by the first with hours. */
static void share_out(struct allocate *a, const struct place *p, struct gpu_cell cell)
{
    for (size_t i = 0; i < p->charges.n; i++) {
        struct collected *facts = facts_of(a, p->charges.v[i]);
        struct gpu_cell part = cell;

        if (charge_book_kept(&a->book, p->charges.v[i])->correction_only)
            part.memory_ms = 0;
        else
            cell.memory_ms = 0;
        vec_push(&facts->gpu, part);
    }
}

/* String id. */
static uint32_t model_name(struct allocate *a, uint32_t gpu, const struct instance_type *type)
{
    return node_shape_model(&a->cfg, gpu, type, &a->run.model)->name;
}

static const struct instance_type *unbilled_type(const struct allocate *a, const struct gpu_observed *o)
{
    return o->node == NONE ? NULL : mig_node_type(a->cfg.catalogue, a->cfg.inventory, o->node, o->span.from);
}

/* GPU time without a bill row: listed with its hours and no amount. */
static void emit_unbilled(struct allocate *a, const struct gpu_observed *o)
{
    const struct inventory *inv = a->cfg.inventory;
    struct entry e = {.bucket = BUCKET_UNBILLED, .pod_version = NONE, .sharing = SHARINGS, .purchase = PURCHASES, .piece = PIECE_GPU,
                      .state = USAGE_NOBODY, .cluster = inv->gpus.v[o->gpu].cluster, .gpu = inv->gpus.v[o->gpu].uuid,
                      .gpu_model = model_name(a, o->gpu, unbilled_type(a, o)), .day = time_floor(o->span.from, TIME_DAY)};

    if (o->node != NONE)
        e.node = inv->nodes.v[o->node].name;
    e.gpu_hours = money_mul_div((money)o->observed_ms, (weight)MONEY_ONE, (weight)TIME_HOUR);
    diag_once(a->cfg.diag, "W220", "%s: seen in the metrics, not in the bill",
              e.node ? intern_cstr(a->cfg.names, e.node) : intern_cstr(a->cfg.names, e.gpu));
    diag_hint(a->cfg.diag, "W220", "compare provider ids with the bill's resource ids, or join them in a --nodes file");
    a->cfg.sink.entry(a->cfg.sink.to, &e);
}

static void take_observed(struct allocate *a, const struct usage *u)
{
    for (size_t i = 0; i < u->observed.n; i++) {
        const struct gpu_observed *o = &u->observed.v[i];
        const struct place *p = place_at(a, o->node, o->span.from);

        if (p->charges.n == 0)
            emit_unbilled(a, o);
        for (size_t k = 0; k < p->charges.n; k++) {
            struct collected *facts = facts_of(a, p->charges.v[k]);

            vec_push(&facts->observed, (struct gpu_day){o->gpu, p->day, o->observed_ms});
        }
    }
}

/* ---- GPUs with time with memory, and requests ---- */

/* Few types are named again and again. */
static const struct instance_type *type_named(struct allocate *a, uint32_t text)
{
    const struct instance_type *type;

    if (!text)
        return NULL;
    for (size_t i = 0; i < a->types.n; i++)
        if (a->types.v[i].text == text)
            return a->types.v[i].type;
    type = catalogue_type(a->cfg.catalogue, intern_get(a->cfg.names, text));
    vec_push(&a->types, (struct named_type){text, type});
    return type;
}

/* The type of a billed node: the bill's, else the node's labels'; NULL when the catalogue knows neither. */
static const struct instance_type *type_of(struct allocate *a, const struct book_node *n, const struct charge *c)
{
    const struct instance_type *type = type_named(a, c->instance_type);

    return type ? type : node_shape_labelled(&a->cfg, n, c->span.from);
}

/* The keys that entries of a charge share, and its node's type in a->of: facts of one charge stand together. */
static const struct entry *keys_of(struct allocate *a, const struct book_node *n, size_t charge)
{
    if (a->of.charge != charge) {
        struct charge c = charge_book_charge(&a->book, charge);

        a->of.keys = divide_entry(&a->cfg, n, &c);
        a->of.type = type_of(a, n, &c);
    }
    a->of.charge = charge;
    return &a->of.keys;
}

/* The n presences of a fact, whose place is p. */
static void send_presence(struct allocate *a, const struct place *p, const struct gpu_fact *f, const struct presence *v, size_t n)
{
    struct entry e = *keys_of(a, p->billed, p->charges.v[0]);

    e.pod_version = f->pod_version;
    e.gpu = a->cfg.inventory->gpus.v[f->gpu].uuid;
    e.gpu_model = model_name(a, f->gpu, a->of.type);
    e.sharing = f->sharing;
    e.grade = f->grade;
    e.day = p->day;
    vec_clear(&a->spans);
    for (size_t i = 0; i < n; i++)
        vec_push(&a->spans, v[i].span);
    a->sink.presence(a->sink.to, &e, a->spans.v, n);
}

static int by_fact(const void *pa, const void *pb)
{
    const struct presence *a = pa, *b = pb;

    if (a->fact != b->fact)
        return a->fact < b->fact ? -1 : 1;
    return a->span.from < b->span.from ? -1 : a->span.from > b->span.from;
}

/* The first presence of a fact or of one after it. Facts come in order for the most part: then it is the `next` one. */
static size_t presence_of(const struct presence *v, size_t n, uint32_t fact, size_t next)
{
    size_t low = 0, high = n;

    if (next < n && v[next].fact == fact)
        return next;
    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (v[mid].fact < fact)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The window's presences by fact and time, which is how most come. */
static const struct presence *sort_presence(struct allocate *a, const struct usage *u)
{
    size_t n = u->presence.n, sorted = 1;
    const struct presence *v = u->presence.v;

    while (sorted < n && by_fact(&v[sorted - 1], &v[sorted]) <= 0)
        sorted++;
    if (sorted >= n)
        return v;
    vec_reserve(&a->presence, n);
    memcpy(a->presence.v, v, n * sizeof *v);
    qsort(a->presence.v, n, sizeof *v, by_fact);
    return a->presence.v;
}

static void take_gpu_facts(struct allocate *a, const struct usage *u)
{
    const struct presence *v = sort_presence(a, u);
    size_t n = u->presence.n, at, end = 0;

    for (size_t i = 0; i < u->gpu.n; i++) {
        const struct gpu_fact *f = &u->gpu.v[i];
        const struct place *p = place_at(a, f->node, f->span.from);
        struct gpu_cell cell;

        if (p->charges.n == 0 || !gpu_cell(a, f, p->day, &cell))
            continue;
        share_out(a, p, cell);
        if (cell.pod_version == NONE)
            continue;
        at = presence_of(v, n, f->id, end);
        for (end = at; end < n && v[end].fact == f->id; end++)
            ;
        if (end > at)
            send_presence(a, p, f, &v[at], end - at);
    }
}

static void send_requested(struct allocate *a, const struct place *p, const struct host_fact *f)
{
    const struct book_node *n = p->billed;
    struct entry e = *keys_of(a, n, p->charges.v[0]);
    const struct instance_type *type = a->of.type;

    e.pod_version = f->pod_version;
    e.piece = PIECE_CPU;
    e.day = p->day;
    e.gpu_model = n->gpus.n ? model_name(a, n->gpus.v[0].gpu, type) : 0;
    for (size_t i = 1; i < n->gpus.n; i++)
        if (model_name(a, n->gpus.v[i].gpu, type) != e.gpu_model)
            e.gpu_model = 0;
    a->sink.requested(a->sink.to, &e, f->request_gpu);
}

/* ---- CPU and memory ---- */

static void take_host_facts(struct allocate *a, const struct usage *u)
{
    vec_clear(&a->hours);
    for (size_t i = 0; i < u->host.n; i++) {
        const struct host_fact *f = &u->host.v[i];
        const struct place *p = place_at(a, f->node, f->span.from);

        if (p->charges.n && f->request_gpu > 0)
            send_requested(a, p, f);
        for (size_t k = 0; k < p->charges.n; k++)
            vec_push(&a->hours, (struct host_cell_hour){p->charges.v[k], f->pod_version, time_floor(f->span.from, TIME_HOUR),
                                                        {f->request_cpu, f->request_memory}, {f->usage_cpu, f->usage_memory}});
    }
}

static bool same_hour(const struct allocate *a, const struct host_cell_hour *x, const struct host_cell_hour *y)
{
    return x->charge == y->charge && x->hour == y->hour && owners_compare_pods(a->cfg.owners, x->pod_version, y->pod_version) == 0;
}

static int by_pod_hour(const void *pa, const void *pb, void *arg)
{
    const struct host_cell_hour *a = pa, *b = pb;
    const struct allocate *of = arg;
    int pods;

    if (a->charge != b->charge)
        return a->charge < b->charge ? -1 : 1;
    pods = owners_compare_pods(of->cfg.owners, a->pod_version, b->pod_version);
    if (pods)
        return pods;
    if (a->hour != b->hour)
        return a->hour < b->hour ? -1 : 1;
    return a->pod_version < b->pod_version ? -1 : a->pod_version > b->pod_version;
}

/* `max` means, per pod and hour, the larger: decided over all versions of the pod in that hour. */
static bool use_usage(enum rule_basis basis, const struct host_cell_hour *v, size_t n, int resource)
{
    weight request = 0, usage = 0;

    if (basis != RULE_BASIS_MAX)
        return basis == RULE_BASIS_USAGE;
    for (size_t i = 0; i < n; i++) {
        request += v[i].request[resource];
        usage += v[i].usage[resource];
    }
    return usage > request;
}

static void settle_hours(struct allocate *a)
{
    struct host_cell_hour *v = a->hours.v;

    if (a->hours.n)
        qsort_r(v, a->hours.n, sizeof *v, by_pod_hour, a);
    for (size_t i = 0, end; i < a->hours.n; i = end) {
        bool usage[2];

        for (end = i; end < a->hours.n && same_hour(a, &v[end], &v[i]); end++)
            ;
        for (int r = 0; r < 2; r++)
            usage[r] = use_usage(a->cfg.rule->basis, &v[i], end - i, r);
        for (size_t k = i; k < end; k++)
            vec_push(&facts_of(a, v[k].charge)->host, (struct host_cell){
                v[k].pod_version, time_floor(v[k].hour, TIME_DAY),
                {usage[0] ? v[k].usage[0] : v[k].request[0], usage[1] ? v[k].usage[1] : v[k].request[1]}});
    }
}

static void take_host_observed(struct allocate *a, const struct usage *u)
{
    for (size_t i = 0; i < u->host_observed.n; i++) {
        const struct host_observed *o = &u->host_observed.v[i];
        const struct place *p = place_at(a, o->node, o->span.from);
        enum rule_basis basis = a->cfg.rule->basis;
        const uint64_t *ms = basis == RULE_BASIS_REQUEST ? o->request_ms : basis == RULE_BASIS_USAGE ? o->usage_ms : o->any_ms;

        for (size_t k = 0; k < p->charges.n; k++)
            vec_push(&facts_of(a, p->charges.v[k])->host_observed, (struct host_day){p->day, {ms[0], ms[1]}});
    }
}

/* ---- windows ---- */

/* How long a charge's machine was observed: as long as the GPU that was observed longest. */
static weight observed_of(struct allocate *a, size_t charge)
{
    struct collected *c = facts_of(a, charge);
    weight longest = 0;

    collected_compact(c, a->cfg.owners);
    for (size_t i = 0, end; i < c->observed.n; i = end) {
        weight sum = 0;

        for (end = i; end < c->observed.n && c->observed.v[end].gpu == c->observed.v[i].gpu; end++)
            sum += c->observed.v[end].observed_ms;
        longest = sum > longest ? sum : longest;
    }
    return longest;
}

/* Charges of scale sets go to the machines before any of them is divided. */
static void share_ended(struct allocate *a, time_ms end)
{
    for (; a->shared < a->book.sets.n; a->shared++) {
        const struct book_set *s = &a->book.sets.v[a->shared];
        weight *observed;

        if (charge_book_kept(&a->book, s->charge)->span.to > end)
            return;
        observed = xcalloc(s->n_parts, sizeof *observed);
        for (size_t i = 0; i < s->n_parts; i++)
            observed[i] = observed_of(a, a->book.parts.v[s->first_part + i].at);
        scale_set_share(&a->book, s, observed);
        free(observed);
    }
}

static int divide_one(struct allocate *a, size_t c, const struct charge *charge, const struct split_billed *billed, struct err *e)
{
    const struct book_node *node = charge_book_find(&a->book, charge->resource);
    money gpu = a->run.sums.gpu;

    a->dividing = c;
    if (divide_charge(&a->run, node, type_of(a, node, charge), charge, billed, facts_of(a, c), e) < 0)
        return -1;
    gpu_share_add(&a->gpu_shares[node - a->book.nodes.v], divide_entry(&a->cfg, node, charge).node, charge->instance_type,
                  a->run.sums.gpu - gpu, charge->cost);
    return 0;
}

static int divide_ended(struct allocate *a, time_ms end, struct err *e)
{
    share_ended(a, end);
    for (; a->ended < a->book.charges.n; a->ended++) {
        uint32_t c = a->by_end[a->ended];
        struct charge charge = charge_book_charge(&a->book, c);
        struct split_billed billed;

        if (charge.span.to > end)
            return 0;
        billed = charge_book_billed(&a->book, c);
        if (!charge_book_is_nothing(&a->book, c) && divide_one(a, c, &charge, &billed, e) < 0)
            return -1;
        let_go(a, c);
    }
    return 0;
}

void allocate_add(struct allocate *a, const struct usage *u)
{
    take_gpu_facts(a, u);
    take_observed(a, u);
    take_host_facts(a, u);
    settle_hours(a);
    take_host_observed(a, u);
}

int allocate_until(struct allocate *a, time_ms end, struct err *e)
{
    if (divide_ended(a, end, e) < 0)
        return -1;
    for (size_t i = a->ended; i < a->book.charges.n; i++)
        if (a->open[a->by_end[i]])
            collected_compact(a->open[a->by_end[i]], a->cfg.owners);
    a->sink.day_done(a->sink.to);
    a->run.model = (struct node_model){.name = 0};
    return 0;
}

bool allocate_waits(const struct allocate *a)
{
    for (size_t i = a->ended; i < a->book.charges.n; i++)
        if (a->open[a->by_end[i]])
            return true;
    return false;
}

int allocate_end(struct allocate *a, struct allocate_sums *out, struct err *e)
{
    money billed = 0;

    if (divide_ended(a, TIME_MAX, e) < 0)
        return -1;
    *out = a->run.sums;
    for (size_t i = 0; i < a->book.nodes.n; i++)
        gpu_share_warn(&a->gpu_shares[i], &a->cfg);
    for (size_t i = 0; i < a->cfg.bill->charges.n; i++)
        billed += a->cfg.bill->charges.v[i].cost;
    if (a->entries != a->run.sums.billed || a->entries != billed)
        return err_set(e, ERR_GATE, "conservation: what was allocated is not what was billed");
    return 0;
}

void allocate_free(struct allocate *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->book.charges.n; i++)
        let_go(a, i);
    charge_book_free(&a->book);
    divide_run_free(&a->run);
    vec_free(&a->here.charges);
    vec_free(&a->types);
    vec_free(&a->hours);
    vec_free(&a->presence);
    vec_free(&a->spans);
    free(a->open);
    free(a->by_end);
    free(a->gpu_shares);
    free(a);
}
