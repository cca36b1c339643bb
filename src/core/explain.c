/* explain: a taker of entries. A charge is remembered when it comes and counted with the first of its entries that matches, so that only
 * nodes concerned are kept. Strings of pods end with their day: everything that is kept is copied. */
#include "gputab/core/explain.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/core/explain_state.h"
#include "gputab/core/mig.h"

const char *const explain_kind_names[EXPLAIN_KINDS] = {
    [EXPLAIN_TEAM] = "team", [EXPLAIN_POD] = "pod", [EXPLAIN_NODE] = "node", [EXPLAIN_GPU] = "gpu", [EXPLAIN_BUCKET] = "bucket",
};

enum key explain_key(enum explain_kind kind)
{
    static const enum key keys[EXPLAIN_KINDS] = {
        [EXPLAIN_TEAM] = KEY_TEAM, [EXPLAIN_POD] = KEY_POD, [EXPLAIN_NODE] = KEY_NODE, [EXPLAIN_GPU] = KEY_GPU, [EXPLAIN_BUCKET] = KEY_TEAM,
    };

    return keys[kind];
}

struct explain *explain_new(const struct explain_config *cfg)
{
    struct explain *x = xcalloc(1, sizeof *x);
    enum key key = explain_key(cfg->kind);
    bool asked[KEYS] = {false};

    x->cfg = *cfg;
    x->by = (struct key_list){.v = {key}, .n = 1};
    asked[key] = true;
    x->read = key_list_read(asked);
    x->context = (struct key_context){cfg->inventory, cfg->owners, &x->by};
    x->gpu = NONE;
    x->texts = intern_new();
    x->known = intern_new();
    x->keys = intern_new();
    x->known_moves = intern_new();
    return x;
}

/* ---- what matches ---- */

/* Of a pod without its namespace, of a node without its cluster too. */
static bool name_matches(const struct explain *x, struct span key)
{
    struct span name = span_after_last(key, '/');

    if (span_glob(key, x->cfg.name))
        return true;
    return (x->cfg.kind == EXPLAIN_POD || x->cfg.kind == EXPLAIN_NODE) && !strchr(x->cfg.name, '/') && span_glob(name, x->cfg.name);
}

bool explain_has_row(const struct explain *x, const char *key, const char *bucket)
{
    if (x->cfg.kind == EXPLAIN_BUCKET)
        return strcmp(bucket, bucket_names[x->cfg.bucket]) == 0;
    if (x->cfg.kind == EXPLAIN_TEAM && bucket[0])
        return false;
    return key[0] && name_matches(x, span_of(key));
}

static bool find_match(struct explain *x, const struct entry *e)
{
    enum bucket bucket = key_bucket(&x->context, e);

    buf_clear(&x->text);
    key_add_value(&x->context, x->by.v[0], e, &x->text);
    return explain_has_row(x, buf_str(&x->text), bucket_names[bucket]);
}

static bool matches(struct explain *x, const struct entry *e)
{
    struct key_reads reads = key_reads(&x->read, e);
    uint32_t id = intern_put(x->known, &reads, sizeof reads);

    if (id > x->matches.n)
        vec_push(&x->matches, find_match(x, e));
    return x->matches.v[id - 1];
}

/* ---- groups ---- */

static uint32_t text_of(struct explain *x, uint32_t name)
{
    return intern_span(x->texts, intern_get(x->cfg.inventory->names, name));
}

static struct explain_group *group_of(struct explain *x, const struct explain_group_key *key)
{
    uint32_t id = intern_put(x->keys, key, sizeof *key);

    if (id > x->groups.n)
        vec_push(&x->groups, (struct explain_group){.key = *key});
    return &x->groups.v[id - 1];
}

static void add_sums(struct explain_sums *to, const struct explain_sums *s)
{
    to->n += s->n;
    to->quantity += s->quantity;
    to->cost += s->cost;
    to->used += s->used;
    to->memory_ms += s->memory_ms;
    to->host += s->host;
}

static void note_rate(struct explain_group *g, money rate)
{
    bool first = g->least == 0 && g->most == 0;

    g->least = first || rate < g->least ? rate : g->least;
    g->most = first || rate > g->most ? rate : g->most;
}

/* Bills round amounts: prices that differ behind the 6th decimal are one. */
static void add_priced(struct explain *x, const struct explain_group_key *key, bool priced, money rate, const struct explain_sums *s)
{
    struct explain_group *g = group_of(x, key);
    size_t i = 0;

    rate = priced ? money_round(rate, 6) : 0;
    add_sums(&g->sums, s);
    if (priced)
        note_rate(g, rate);
    if (g->averaged)
        return;
    while (i < g->rates.n && (g->rates.v[i].rate != rate || g->rates.v[i].priced != priced))
        i++;
    if (i == EXPLAIN_RATES) {
        vec_free(&g->rates);
        g->averaged = true;
        return;
    }
    if (i == g->rates.n)
        vec_push(&g->rates, (struct explain_rate){.rate = rate, .priced = priced});
    add_sums(&g->rates.v[i].sums, s);
}

static void add_plain(struct explain *x, const struct explain_group_key *key, const struct explain_sums *s)
{
    add_sums(&group_of(x, key)->sums, s);
}

/* ---- charges ---- */

static money per_unit(money cost, money quantity)
{
    return quantity > 0 ? money_mul_div(cost, (weight)MONEY_ONE, (weight)quantity) : 0;
}

/* Core-hours or GiB-hours of the node in the time that the charge pays for, 10^-12. */
static money capacity_hours(const struct split_node *n, int resource, money hours)
{
    return money_mul_div(hours, (weight)(resource == 0 ? n->vcpu_micro : n->memory_micro_gib), 1000000);
}

static void take_charge(void *to, const struct allocate_charge *c)
{
    struct explain *x = to;

    x->charge = *c;
    x->charge_keys = *c->keys;
    x->charge_bill = *c->charge;
    x->charge_node = *c->node;
    x->charge_pieces = c->pieces ? *c->pieces : (struct split_result){0};
    x->in_charge = true;
    x->touched = false;
    for (size_t k = 0; k < c->node->n_models; k++)
        x->model_rate[k] = per_unit(x->charge_pieces.gpu[k], c->gpu_hours[k]);
    x->host_rate[0] = per_unit(x->charge_pieces.cpu, capacity_hours(c->node, 0, c->hours));
    x->host_rate[1] = per_unit(x->charge_pieces.memory, capacity_hours(c->node, 1, c->hours));
}

static bool same_shape(const struct explain *x, const struct explain_shape *s)
{
    const struct split_node *n = &x->charge_node;

    if (s->known != (x->charge.pieces != NULL) || s->as_billed != x->charge.as_billed || s->vcpu_micro != n->vcpu_micro
        || s->memory_micro_gib != n->memory_micro_gib || s->n_models != n->n_models)
        return false;
    for (size_t k = 0; k < n->n_models; k++)
        if (s->models[k].count_micro != n->models[k].count_micro || s->models[k].price_hour != n->models[k].price_hour
            || strcmp(intern_cstr(x->texts, s->models[k].name), n->models[k].name) != 0)
            return false;
    return true;
}

static struct explain_shape *shape_of(struct explain *x)
{
    const struct split_node *n = &x->charge_node;
    struct explain_shape s = {.known = x->charge.pieces != NULL, .as_billed = x->charge.as_billed, .vcpu_micro = n->vcpu_micro,
                              .memory_micro_gib = n->memory_micro_gib, .n_models = n->n_models};

    for (size_t i = 0; i < x->shapes.n; i++)
        if (same_shape(x, &x->shapes.v[i]))
            return &x->shapes.v[i];
    for (size_t k = 0; k < n->n_models; k++)
        s.models[k] = (struct explain_model){intern_str(x->texts, n->models[k].name), n->models[k].count_micro, n->models[k].price_hour,
                                             0, 0};
    vec_push(&x->shapes, s);
    return &x->shapes.v[x->shapes.n - 1];
}

static void count_shape(struct explain *x)
{
    struct explain_shape *s = shape_of(x);

    s->n++;
    s->cost += x->charge_bill.cost;
    s->hours += x->charge.hours;
    s->cpu += x->charge_pieces.cpu;
    s->memory += x->charge_pieces.memory;
    for (size_t k = 0; k < s->n_models; k++) {
        s->models[k].cost += x->charge_pieces.gpu[k];
        s->models[k].gpu_hours += x->charge.gpu_hours[k];
    }
}

static struct explain_group_key pool_key(struct explain *x, enum explain_part part)
{
    return (struct explain_group_key){.part = part, .region = text_of(x, x->charge_bill.region), .purchase = x->charge_bill.purchase};
}

static void count_prices(struct explain *x)
{
    for (size_t k = 0; k < x->charge_node.n_models && x->charge.pieces; k++) {
        struct explain_group_key key = pool_key(x, PART_PRICE);

        key.model = intern_str(x->texts, x->charge_node.models[k].name);
        add_priced(x, &key, x->charge.hours > 0, x->model_rate[k],
                   &(struct explain_sums){.n = 1, .quantity = x->charge.gpu_hours[k], .cost = x->charge_pieces.gpu[k]});
    }
    for (int r = 0; r < 2 && x->charge.pieces; r++) {
        struct explain_group_key key = pool_key(x, PART_CAPACITY);

        key.piece = r == 0 ? PIECE_CPU : PIECE_MEMORY;
        add_priced(x, &key, x->charge.hours > 0, x->host_rate[r],
                   &(struct explain_sums){.n = 1, .quantity = capacity_hours(&x->charge_node, r, x->charge.hours),
                                          .cost = r == 0 ? x->charge_pieces.cpu : x->charge_pieces.memory});
    }
}

static void touch(struct explain *x)
{
    struct explain_group_key key = pool_key(x, PART_BILL);

    if (!x->in_charge || x->touched)
        return;
    x->touched = true;
    key.cluster = text_of(x, x->charge_keys.cluster);
    key.node = text_of(x, x->charge_keys.node);
    key.resource = text_of(x, x->charge_bill.resource);
    key.type = text_of(x, x->charge_bill.instance_type);
    add_priced(x, &key, x->charge.hours > 0, per_unit(x->charge_bill.cost, x->charge.hours),
               &(struct explain_sums){.n = 1, .quantity = x->charge.hours, .cost = x->charge_bill.cost});
    count_shape(x);
    count_prices(x);
}

/* ---- entries ---- */

static money rate_of(const struct explain *x, const struct entry *e)
{
    const char *model = intern_cstr(x->cfg.inventory->names, e->gpu_model);

    if (e->piece != PIECE_GPU)
        return x->host_rate[e->piece == PIECE_CPU ? 0 : 1];
    for (size_t k = 0; k < x->charge_node.n_models; k++)
        if (strcmp(x->charge_node.models[k].name, model) == 0)
            return x->model_rate[k];
    return 0;
}

static struct explain_sums sums_of(const struct entry *e)
{
    return (struct explain_sums){1, e->gpu_hours, e->cost, e->used_cost, e->memory_ms, e->host};
}

static enum bucket shown_bucket(const struct explain *x, const struct entry *e)
{
    return e->pod_version == NONE ? e->bucket : (enum bucket)x->cfg.owners->versions.v[e->pod_version].bucket;
}

static void count_piece(struct explain *x, const struct entry *e)
{
    struct explain_group_key key = {.part = e->piece == PIECE_GPU ? PART_HELD : PART_HOST, .piece = e->piece, .purchase = e->purchase,
                                    .bucket = shown_bucket(x, e), .sharing = e->sharing, .grade = e->grade,
                                    .state = e->pod_version == NONE ? USAGE_NOBODY : e->state,
                                    .reason = e->reason, .follows = e->follows};
    struct explain_sums s = sums_of(e);
    bool priced = e->piece == PIECE_GPU ? e->gpu_hours > 0 : e->host > 0;

    key.region = text_of(x, e->region);
    key.model = e->piece == PIECE_GPU ? text_of(x, e->gpu_model) : 0;
    add_priced(x, &key, priced && e->bucket != BUCKET_UNBILLED, rate_of(x, e), &s);
}

static void count_owner(struct explain *x, const struct entry *e)
{
    const struct pod_version *v = e->pod_version == NONE ? NULL : &x->cfg.owners->versions.v[e->pod_version];
    struct explain_group_key key = {.part = PART_OWNER};
    struct explain_sums s = sums_of(e);

    if (!v)
        return;
    key.bucket = v->bucket;
    key.team = text_of(x, v->team);
    key.namespace_name = text_of(x, v->pod.namespace_name);
    key.owner_line = v->owner_line;
    add_plain(x, &key, &s);
}

static void count_where(struct explain *x, const struct entry *e)
{
    struct explain_group_key key = {.part = PART_WHERE, .reason = e->reason};
    struct explain_sums s = sums_of(e);

    key.cluster = text_of(x, e->cluster);
    key.node = text_of(x, e->node);
    key.gpu = text_of(x, e->gpu);
    add_plain(x, &key, &s);
}

/* Who is on a node is asked of nodes, cards and buckets: of their nodes, which are known only at the end. */
static void count_who(struct explain *x, const struct entry *e)
{
    const struct pod_version *v = e->pod_version == NONE ? NULL : &x->cfg.owners->versions.v[e->pod_version];
    struct explain_group_key key = {.part = PART_WHO, .bucket = shown_bucket(x, e)};
    struct explain_sums s = sums_of(e);

    if (x->cfg.kind != EXPLAIN_NODE && x->cfg.kind != EXPLAIN_GPU && x->cfg.kind != EXPLAIN_BUCKET)
        return;
    key.cluster = text_of(x, e->cluster);
    key.node = text_of(x, e->node);
    key.team = v ? text_of(x, v->team) : 0;
    add_plain(x, &key, &s);
}

static void take_entry(void *to, const struct entry *e)
{
    struct explain *x = to;

    count_who(x, e);
    if (!matches(x, e))
        return;
    if (e->bucket != BUCKET_UNBILLED)
        touch(x);
    x->exact += e->cost;
    x->piece[e->piece] += e->cost;
    count_piece(x, e);
    count_owner(x, e);
    count_where(x, e);
}

static void day_done(void *to)
{
    struct explain *x = to;

    intern_free(x->known);
    x->known = intern_new();
    vec_clear(&x->matches);
}

struct allocate_sink explain_sink(struct explain *x)
{
    return (struct allocate_sink){.to = x, .entry = take_entry, .day_done = day_done, .charge = take_charge};
}

/* ---- MIG instances ---- */

static void count_instance(struct explain *x, const struct gpu_fact *f)
{
    const struct inventory *inv = x->cfg.inventory;
    struct explain_group_key key = {.part = PART_MIG};
    struct explain_sums s = {.n = 1, .memory_ms = f->memory_ms};

    key.type = text_of(x, inv->devices.v[f->device].profile);
    key.slices = (uint32_t)mig_slices(x->cfg.catalogue, inv, f->device, x->cfg.rule->gpu.mig_weight);
    key.base = (uint32_t)mig_base(x->cfg.catalogue, inv, f->gpu, x->cfg.rule->gpu.mig_weight);
    s.host = f->held;
    add_plain(x, &key, &s);
}

void explain_facts(struct explain *x, const struct usage *u)
{
    const struct inventory *inv = x->cfg.inventory;

    for (size_t i = 0; i < u->gpu.n; i++) {
        const struct gpu_fact *f = &u->gpu.v[i];
        struct entry e = {.pod_version = f->pod_version, .sharing = f->sharing, .grade = f->grade, .day = f->span.from};

        bool instance = f->held > 0 && f->device != NONE && inv->devices.v[f->device].gi;

        if (f->pod_version == NONE || (!instance && x->cfg.kind != EXPLAIN_POD))
            continue;
        e.gpu = inv->gpus.v[f->gpu].uuid;
        e.cluster = inv->gpus.v[f->gpu].cluster;
        e.node = f->node == NONE ? 0 : inv->nodes.v[f->node].name;
        if (!matches(x, &e))
            continue;
        x->gpu = f->gpu;
        if (instance)
            count_instance(x, f);
    }
}

uint32_t explain_gpu(const struct explain *x)
{
    return x->gpu;
}

money explain_exact(const struct explain *x)
{
    return x->exact;
}

void explain_free(struct explain *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->groups.n; i++)
        vec_free(&x->groups.v[i].rates);
    vec_free(&x->groups);
    vec_free(&x->shapes);
    vec_free(&x->moves);
    vec_free(&x->matches);
    intern_free(x->texts);
    intern_free(x->known);
    intern_free(x->keys);
    intern_free(x->known_moves);
    buf_free(&x->text);
    free(x);
}
