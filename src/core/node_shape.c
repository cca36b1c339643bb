/* node_shape: the catalogue's promise, the metrics' UUIDs and the bill's columns put together.
 * The number of GPUs is the larger of what the catalogue says and what metrics show; sizes come from the catalogue, else from the
 * node's capacity, else from the bill. */
#include "gputab/core/node_shape.h"

#include "gputab/core/mig.h"
#include "gputab/core/on_demand.h"

/* From t on, when the name first means that machine: before, its labels may be those of the machine that had the name earlier. */
static time_ms meant_from(const struct node *n, uint32_t resource, time_ms t)
{
    for (time_ms from = t; from < TIME_MAX; from = steps_next(&n->resource, from))
        if (steps_at(&n->resource, from, 0) == resource)
            return from;
    return t;
}

const struct instance_type *node_shape_labelled(const struct allocate_config *cfg, const struct book_node *node, time_ms from)
{
    const struct instance_type *type = NULL;

    for (size_t i = 0; !type && i < node->nodes.n; i++) {
        time_ms t = meant_from(&cfg->inventory->nodes.v[node->nodes.v[i]], node->resource, from);

        type = mig_node_type(cfg->catalogue, cfg->inventory, node->nodes.v[i], t);
    }
    return type;
}

static void find_model(const struct allocate_config *cfg, struct node_model *m)
{
    bool typed = !m->metric && m->type;

    m->index = typed ? m->type->model : catalogue_model(cfg->catalogue, intern_get(cfg->names, m->metric));
    m->text = typed ? m->type->model_name : intern_cstr(cfg->names, m->metric);
    m->name = intern_str(cfg->names, m->index < 0 ? m->text : cfg->catalogue->models.v[m->index].name);
}

/* GPUs that follow one another are of one model nearly always, and nodes too. */
const struct node_model *node_shape_model(const struct allocate_config *cfg, uint32_t gpu, const struct instance_type *type,
                                          struct node_model *last)
{
    uint32_t metric = cfg->inventory->gpus.v[gpu].model;

    if (last->name && last->metric == metric && last->type == type)
        return last;
    *last = (struct node_model){.metric = metric, .type = type};
    find_model(cfg, last);
    return last;
}

/* GPUs that follow one another are of one model nearly always. */
static size_t model_at(const struct node_shape *s, uint32_t model_name, const char *name)
{
    const struct shape_gpu *last = s->gpus.n ? &s->gpus.v[s->gpus.n - 1] : NULL;
    size_t k = 0;

    if (last && last->model_name == model_name)
        return last->model;
    while (k < s->split.n_models && !span_eq(span_of(name), s->split.models[k].name))
        k++;
    return k;
}

static int add_gpu(const struct allocate_config *cfg, struct node_shape *s, struct shape_gpu gpu, money price, struct err *e)
{
    const char *name = intern_cstr(cfg->names, gpu.model_name);

    gpu.model = model_at(s, gpu.model_name, name);
    if (gpu.model == SPLIT_MODELS)
        return err_set(e, ERR_INPUT, "one node has more than %d GPU models", SPLIT_MODELS);
    if (gpu.model == s->split.n_models)
        s->split.models[s->split.n_models++] = (struct split_model){name, 0, price};
    s->split.models[gpu.model].count_micro += gpu.fraction_micro;
    vec_push(&s->gpus, gpu);
    return 0;
}

/* On the node during the charge: from its first sample there to its last, gaps in between included; or still standing after it. */
static bool there(const struct book_gpu *g, const struct charge *c, const struct collected *facts)
{
    if (g->seen.from < c->span.to && g->seen.to > c->span.from)
        return true;
    for (size_t i = 0; i < facts->observed.n; i++)
        if (facts->observed.v[i].gpu == g->gpu)
            return true;
    return false;
}

static int add_seen(const struct allocate_config *cfg, const struct book_node *node, const struct charge *c, const struct collected *facts,
                    const struct instance_type *type, struct node_model *last, struct node_shape *s, struct err *e)
{
    bool fraction = type && type->gpu_count_micro > 0 && type->gpu_count_micro < 1000000 && node->gpus.n == 1;
    struct shape_gpu g = {NONE, 0, fraction ? type->gpu_count_micro : 1000000, 0};

    for (size_t i = 0; i < node->gpus.n; i++) {
        const struct node_model *m;

        g.gpu = node->gpus.v[i].gpu;
        if (!there(&node->gpus.v[i], c, facts))
            continue;
        m = node_shape_model(cfg, g.gpu, type, last);
        g.model_name = m->name;
        if (add_gpu(cfg, s, g, split_price(cfg->rule, cfg->catalogue, m->text, m->index), e) < 0)
            return -1;
    }
    return 0;
}

/* A GPU never seen is of the model of the node's other GPUs; of the catalogue's where those differ or there are none. */
static int add_missing(const struct allocate_config *cfg, const struct instance_type *type, struct node_shape *s, struct err *e)
{
    int64_t seen = 0, missing;
    struct shape_gpu g = {NONE, intern_str(cfg->names, type->model_name), 0, 0};
    money price = split_price(cfg->rule, cfg->catalogue, type->model_name, type->model);

    for (size_t i = 0; i < s->gpus.n; i++)
        seen += s->gpus.v[i].fraction_micro;
    if (s->split.n_models == 1) {
        g.model_name = s->gpus.v[0].model_name;
        price = s->split.models[0].price_hour;
    }
    for (missing = type->gpu_count_micro - seen; missing > 0; missing -= g.fraction_micro) {
        g.fraction_micro = missing < 1000000 ? missing : 1000000;
        if (add_gpu(cfg, s, g, price, e) < 0)
            return -1;
    }
    return 0;
}

/* The machine's own capacity; where metrics don't tell one machine of the name from another, the largest that the name showed. */
static struct node_size size_of(const struct node *n, uint32_t resource)
{
    for (size_t i = 0; i < n->sizes.n; i++)
        if (n->sizes.v[i].resource == resource)
            return n->sizes.v[i];
    if (n->sizes.n > 0)
        return (struct node_size){.resource = resource};
    return (struct node_size){resource, n->capacity_cpu_nano, n->capacity_memory_bytes};
}

static void find_sizes(const struct allocate_config *cfg, const struct book_node *node, const struct instance_type *type,
                       const struct charge *c, struct split_node *out)
{
    if (type) {
        out->vcpu_micro = type->vcpu_micro;
        out->memory_micro_gib = type->memory_micro_gib;
    }
    for (size_t i = 0; i < node->nodes.n; i++) {
        struct node_size size = size_of(&cfg->inventory->nodes.v[node->nodes.v[i]], node->resource);

        if (!out->vcpu_micro)
            out->vcpu_micro = size.cpu_nano / 1000;
        if (!out->memory_micro_gib)
            out->memory_micro_gib = (int64_t)((weight)size.memory_bytes * 1000000 >> 30);
    }
    if (!out->vcpu_micro)
        out->vcpu_micro = c->vcpu_micro;
    if (!out->memory_micro_gib)
        out->memory_micro_gib = c->memory_micro_gib;
}

static void find_rate(const struct allocate_config *cfg, const struct instance_type *type, const struct charge *c, struct split_node *out)
{
    out->billed_ns = c->billed_ns;
    out->on_demand = on_demand_find(cfg, c, type);
    out->type = c->instance_type ? intern_cstr(cfg->names, c->instance_type) : type ? type->name : "";
    out->region = intern_cstr(cfg->names, c->region);
    out->currency = intern_cstr(cfg->names, cfg->bill->currency);
}

int node_shape_find(const struct allocate_config *cfg, const struct book_node *node, const struct instance_type *type,
                    const struct charge *charge, const struct split_billed *billed, const struct collected *facts,
                    struct node_model *last, struct node_shape *out, struct err *e)
{
    bool sized;

    *out = (struct node_shape){.known = false};
    find_sizes(cfg, node, type, charge, &out->split);
    if (cfg->rule->split.method == RULE_SPLIT_RESIDUAL)
        find_rate(cfg, type, charge, &out->split);
    if (add_seen(cfg, node, charge, facts, type, last, out, e) < 0
        || (type && type->gpu_count_micro > 0 && add_missing(cfg, type, out, e) < 0))
        return -1;
    sized = (out->split.vcpu_micro > 0 && out->split.memory_micro_gib > 0) || !split_needs_sizes(cfg->rule, billed);
    out->all_seen = node->gpus.n >= out->gpus.n;
    out->known = out->gpus.n > 0 && sized;
    return 0;
}

void node_shape_free(struct node_shape *s)
{
    vec_free(&s->gpus);
}
