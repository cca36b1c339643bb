/* split: weights for the pieces of a charge, and their division by largest remainder; or the pieces that the bill itself has. */
#include "gputab/core/split.h"

#include <string.h>

enum { CPU, MEMORY, MODELS };              /* order of the weights */

static const char *const method_names[] = {
    [RULE_SPLIT_DEFAULT] = "reference", [RULE_SPLIT_REFERENCE] = "reference", [RULE_SPLIT_RESIDUAL] = "residual",
    [RULE_SPLIT_SHARES] = "shares",     [RULE_SPLIT_BILLED] = "billed",       [RULE_SPLIT_AWS_SCAD] = "aws-scad",
    [RULE_SPLIT_OPENCOST] = "opencost", [RULE_SPLIT_DATADOG] = "datadog",
};

const char *split_method_name(const struct rule *rule, bool by_bill, bool by_rule)
{
    if (rule->split.method == RULE_SPLIT_DEFAULT && by_bill)
        return by_rule ? "billed, reference" : "billed";
    return method_names[rule->split.method];
}

money split_price(const struct rule *rule, const struct catalogue *c, const char *model_text, int model)
{
    for (size_t i = 0; i < rule->split.gpu_hour.n; i++) {
        const struct rule_price *p = &rule->split.gpu_hour.v[i];

        if (strcmp(p->model, model_text) == 0 || (model >= 0 && catalogue_model(c, span_of(p->model)) == model))
            return p->price_hour;
    }
    return model >= 0 ? c->models.v[model].price_hour : 0;
}

static bool is_name_of_gpus(const struct catalogue *c, const struct inventory *inv, const char *name)
{
    if (catalogue_model(c, span_of(name)) >= 0)
        return true;
    for (size_t i = 0; i < c->types.n; i++)
        if (strcmp(c->types.v[i].model_name, name) == 0)
            return true;
    for (size_t i = 0; i < inv->gpus.n; i++)
        if (strcmp(intern_cstr(inv->names, inv->gpus.v[i].model), name) == 0)
            return true;
    return false;
}

void split_check_names(const struct rule *rule, const struct catalogue *c, const struct inventory *inv, struct diag *diag)
{
    for (size_t i = 0; i < rule->split.gpu_hour.n; i++) {
        const char *name = rule->split.gpu_hour.v[i].model;

        if (is_name_of_gpus(c, inv, name))
            continue;
        diag_add(diag, "W222", "split.gpu_hour: no GPU of the catalogue or the metrics is called \"%s\": its price is not used", name);
        diag_hint(diag, "W222", "--by gpu_model shows what models are called");
    }
}

/* vCPUs, GiB and GPUs count in 10^-6 and prices in 10^-12: the products share one unit, so that only their ratio matters. */
static int reference_weights(const struct rule *rule, const struct split_node *node, weight *w, struct err *e)
{
    w[CPU] = (weight)node->vcpu_micro * (weight)rule->split.vcpu_hour;
    w[MEMORY] = (weight)node->memory_micro_gib * (weight)rule->split.gib_hour;
    for (size_t i = 0; i < node->n_models; i++) {
        const struct split_model *m = &node->models[i];

        if (m->price_hour <= 0) {
            err_set(e, ERR_USAGE, "no reference price is known for the GPU model \"%s\"", m->name);
            return err_hint(e, "write one into the rule: split: {gpu_hour: {\"%s\": \"1.23\"}}", m->name);
        }
        w[MODELS + i] = (weight)m->count_micro * (weight)m->price_hour;
    }
    return 0;
}

static int split_reference(const struct rule *rule, const struct split_node *node, money cost, money *parts, struct err *e)
{
    weight w[MODELS + SPLIT_MODELS];

    if (reference_weights(rule, node, w, e) < 0)
        return -1;
    if (money_split(cost, w, MODELS + node->n_models, parts) < 0)
        return err_set(e, ERR_USAGE, "the split gives no piece any weight: all of its prices are zero");
    return 0;
}

/* Fixed percentages first; models share the GPU piece by n x P: with a single model no price is needed. */
static int split_shares(const struct rule *rule, const struct split_node *node, money cost, money *parts, struct err *e)
{
    const weight percent[] = {(weight)rule->split.share_cpu, (weight)rule->split.share_memory, (weight)rule->split.share_gpu};
    weight w[SPLIT_MODELS];
    money piece[3];
    bool priced = true;

    if (money_split(cost, percent, 3, piece) < 0)
        return err_set(e, ERR_USAGE, "split.shares are all zero");
    parts[CPU] = piece[0];
    parts[MEMORY] = piece[1];
    for (size_t i = 0; i < node->n_models; i++)
        priced = priced && node->models[i].price_hour > 0;
    if (!priced && node->n_models > 1)
        return reference_weights(rule, node, (weight[MODELS + SPLIT_MODELS]){0}, e);   /* says which one */
    for (size_t i = 0; i < node->n_models; i++)
        w[i] = (weight)node->models[i].count_micro * (priced ? (weight)node->models[i].price_hour : 1);
    if (money_split(piece[2], w, node->n_models, parts + MODELS) < 0)
        return err_set(e, ERR_INTERNAL, "a node without GPUs was to be split");
    return 0;
}

/* ---- as billed ---- */

bool split_is_billed(const struct rule *rule, const struct split_billed *billed)
{
    return rule->split.method == RULE_SPLIT_BILLED || (rule->split.method == RULE_SPLIT_DEFAULT && billed->any);
}

static struct split_billed_gpu *billed_gpu(struct split_billed *b, const char *model)
{
    for (size_t i = 0; i < b->n_gpu; i++)
        if (strcmp(b->gpu[i].model, model) == 0)
            return &b->gpu[i];
    if (b->n_gpu == SPLIT_MODELS)                            /* beyond what a node can have: nobody's in particular */
        return &b->gpu[SPLIT_MODELS - 1];
    b->gpu[b->n_gpu] = (struct split_billed_gpu){model, 0};
    return &b->gpu[b->n_gpu++];
}

void split_billed_add(struct split_billed *b, enum piece piece, const char *gpu_model, money cost)
{
    b->any = true;
    if (piece == PIECE_GPU)
        billed_gpu(b, gpu_model)->cost += cost;
    else
        *(piece == PIECE_CPU ? &b->cpu : &b->memory) += cost;
}

/* Over the node's models by reference prices; by their numbers where a price is unknown, since no price is needed to know the piece. */
static void model_weights(const struct split_node *node, weight *w)
{
    bool priced = true;

    for (size_t i = 0; i < node->n_models; i++)
        priced = priced && node->models[i].price_hour > 0;
    for (size_t i = 0; i < node->n_models; i++)
        w[i] = (weight)node->models[i].count_micro * (priced ? (weight)node->models[i].price_hour : 1);
}

/* Adds cost to parts, by weights. */
static int spread(money cost, const weight *w, size_t n, money *parts)
{
    money part[MODELS + SPLIT_MODELS];

    if (money_split(cost, w, n, part) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        parts[i] += part[i];
    return 0;
}

static int bill_gpus(const struct split_node *node, const struct split_billed *b, money *gpu, struct err *e)
{
    weight w[SPLIT_MODELS] = {0};
    money loose = 0;

    for (size_t i = 0; i < b->n_gpu; i++) {
        size_t k = 0;

        while (k < node->n_models && strcmp(node->models[k].name, b->gpu[i].model) != 0)
            k++;
        *(k < node->n_models ? &gpu[k] : &loose) += b->gpu[i].cost;
    }
    model_weights(node, w);
    return spread(loose, w, node->n_models, gpu) < 0 ? err_set(e, ERR_INTERNAL, "a node without GPUs was to be split") : 0;
}

static int no_amounts(struct err *e)
{
    err_set(e, ERR_USAGE, "split method billed: the bill has no amounts of its own for its GPUs, cores and memory");
    return err_hint(e, "leave split.method out: what is billed in pieces is then divided so, and the rest by reference prices");
}

static int split_billed(const struct rule *rule, const struct split_node *node, money cost, const struct split_billed *b, money *parts,
                        struct err *e)
{
    weight w[MODELS + SPLIT_MODELS], sum = 0;
    size_t n = MODELS + node->n_models;
    money rest = cost;

    if (!b->any)
        return no_amounts(e);
    memset(parts, 0, n * sizeof *parts);
    parts[CPU] = b->cpu;
    parts[MEMORY] = b->memory;
    if (bill_gpus(node, b, parts + MODELS, e) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        rest -= parts[i];
        sum += w[i] = (weight)(parts[i] < 0 ? -parts[i] : parts[i]);
    }
    if (rest == 0)
        return 0;
    if (sum == 0 && reference_weights(rule, node, w, e) < 0)
        return -1;
    return spread(rest, w, n, parts) < 0 ? err_set(e, ERR_USAGE, "the split gives no piece any weight: all of its prices are zero") : 0;
}

int split_charge(const struct rule *rule, const struct split_node *node, money cost, const struct split_billed *billed,
                 struct split_result *out, struct err *e)
{
    money parts[MODELS + SPLIT_MODELS];
    int rc;

    if (split_is_billed(rule, billed))
        rc = split_billed(rule, node, cost, billed, parts, e);
    else if (rule->split.method == RULE_SPLIT_SHARES)
        rc = split_shares(rule, node, cost, parts, e);
    else
        rc = split_reference(rule, node, cost, parts, e);
    if (rc < 0)
        return -1;
    out->cpu = parts[CPU];
    out->memory = parts[MEMORY];
    memcpy(out->gpu, parts + MODELS, node->n_models * sizeof *parts);
    return 0;
}
