/* split: weights for the pieces of a charge, and their division by largest remainder; or the pieces that the bill itself has.
 * Prices are a ratio everywhere but in residual, where they are money beside the on-demand price (core/on_demand finds that). */
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

/* ---- prices ---- */

/* vCPU and GiB, and one price for every GPU; 0: each model its own. */
struct tariff {
    money vcpu, gib, gpu;
};

#define MICRO (MONEY_ONE / 1000000)

/* The published weights of others' splits. A GPU is a GPU to them, whatever its model. */
static const struct tariff presets[] = {
    [RULE_SPLIT_AWS_SCAD] = {900000 * MICRO, 100000 * MICRO, 9 * MONEY_ONE},
    [RULE_SPLIT_OPENCOST] = {31611 * MICRO, 4237 * MICRO, 950000 * MICRO},
};

static bool is_preset(const struct rule *rule)
{
    return rule->split.method == RULE_SPLIT_AWS_SCAD || rule->split.method == RULE_SPLIT_OPENCOST;
}

static struct tariff tariff_of(const struct rule *rule)
{
    return is_preset(rule) ? presets[rule->split.method] : (struct tariff){rule->split.vcpu_hour, rule->split.gib_hour, 0};
}

bool split_ratio(const struct rule *rule, money *vcpu_hour, money *gib_hour)
{
    struct tariff t = tariff_of(rule);

    *vcpu_hour = t.vcpu;
    *gib_hour = t.gib;
    return is_preset(rule) || rule->split.method == RULE_SPLIT_DEFAULT || rule->split.method == RULE_SPLIT_REFERENCE;
}

money split_price(const struct rule *rule, const struct catalogue *c, const char *model_text, int model)
{
    if (is_preset(rule))
        return presets[rule->split.method].gpu;
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

static bool is_billed_type(const struct bill *bill, const struct intern *names, const struct rule_on_demand *o)
{
    for (size_t i = 0; i < bill->charges.n; i++) {
        struct charge c = charge_list_at(&bill->charges, i);

        if (span_eq_fold(intern_get(names, c.instance_type), o->type)
            && (!o->region || span_eq_fold(intern_get(names, c.region), o->region)))
            return true;
    }
    return false;
}

/* A type that only the metrics name is theirs to name. */
static bool is_shown_type(const struct inventory *inv, const char *type)
{
    for (size_t i = 0; i < inv->nodes.n; i++)
        for (uint32_t k = 0; k < inv->nodes.v[i].type.n; k++)
            if (span_eq_fold(intern_get(inv->names, inv->nodes.v[i].type.v[k].value), type))
                return true;
    return false;
}

static void check_on_demand(const struct rule *rule, const struct inventory *inv, const struct bill *bill, struct diag *diag)
{
    for (size_t i = 0; i < rule->split.on_demand.n; i++) {
        const struct rule_on_demand *o = &rule->split.on_demand.v[i];

        if (is_billed_type(bill, inv->names, o) || (!o->region && is_shown_type(inv, o->type)))
            continue;
        diag_add(diag, "W222", "split.on_demand_hour: no GPU node of the bill is a \"%s\"%s%s: its price is not used", o->type,
                 o->region ? " in " : "", o->region ? o->region : "");
        diag_hint(diag, "W222", "--by gpu_model,region shows what the bill calls models and regions");
    }
}

void split_check_names(const struct rule *rule, const struct catalogue *c, const struct inventory *inv, const struct bill *bill,
                       struct diag *diag)
{
    for (size_t i = 0; i < rule->split.gpu_hour.n; i++) {
        const char *name = rule->split.gpu_hour.v[i].model;

        if (is_name_of_gpus(c, inv, name))
            continue;
        diag_add(diag, "W222", "split.gpu_hour: no GPU of the catalogue or the metrics is called \"%s\": its price is not used", name);
        diag_hint(diag, "W222", "--by gpu_model shows what models are called");
    }
    if (rule->split.method == RULE_SPLIT_RESIDUAL)
        check_on_demand(rule, inv, bill, diag);
}

/* ---- reference, shares ---- */

/* A model's name as the YAML of a rule has it. */
static void add_quoted(struct buf *b, const char *name)
{
    buf_addc(b, '"');
    for (const char *p = name; *p; p++) {
        if (*p == '"' || *p == '\\')
            buf_addc(b, '\\');
        buf_addc(b, *p);
    }
    buf_addc(b, '"');
}

static int no_price(const char *model, struct err *e)
{
    struct buf line = {0};

    add_quoted(&line, model);
    err_set(e, ERR_USAGE, "no reference price is known for the GPU model \"%s\"", model);
    err_hint(e, "write one into the rule: split: {gpu_hour: {%s: \"1.23\"}}; or the model into a --catalogue file", buf_str(&line));
    buf_free(&line);
    return -1;
}

/* vCPUs, GiB and GPUs count in 10^-6 and prices in 10^-12: the products share one unit, so that only their ratio matters. */
static int reference_weights(const struct rule *rule, const struct split_node *node, weight *w, struct err *e)
{
    const struct tariff t = tariff_of(rule);

    w[CPU] = (weight)node->vcpu_micro * (weight)t.vcpu;
    w[MEMORY] = (weight)node->memory_micro_gib * (weight)t.gib;
    for (size_t i = 0; i < node->n_models; i++) {
        const struct split_model *m = &node->models[i];

        if (m->price_hour <= 0)
            return no_price(m->name, e);
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

/* Models share the GPU piece by n x P: with a single model no price is needed. */
static int spread_models(const struct split_node *node, money piece, money *gpu, struct err *e)
{
    weight w[SPLIT_MODELS];

    for (size_t i = 0; i < node->n_models; i++) {
        const struct split_model *m = &node->models[i];

        if (m->price_hour <= 0 && node->n_models > 1)
            return no_price(m->name, e);
        w[i] = (weight)m->count_micro * (m->price_hour > 0 ? (weight)m->price_hour : 1);
    }
    if (money_split(piece, w, node->n_models, gpu) < 0)
        return err_set(e, ERR_INTERNAL, "a node without GPUs was to be split");
    return 0;
}

static int split_shares(const struct rule *rule, const struct split_node *node, money cost, money *parts, struct err *e)
{
    static const weight datadog[] = {3, 2, 95};
    const weight own[] = {(weight)rule->split.share_cpu, (weight)rule->split.share_memory, (weight)rule->split.share_gpu};
    money piece[3];

    if (money_split(cost, rule->split.method == RULE_SPLIT_DATADOG ? datadog : own, 3, piece) < 0)
        return err_set(e, ERR_USAGE, "split.shares are all zero");
    parts[CPU] = piece[0];
    parts[MEMORY] = piece[1];
    return spread_models(node, piece[2], parts + MODELS, e);
}

/* ---- residual ---- */

/* Prices that are no ratio must be in the currency of what they are taken from; those built in are in USD. */
static int check_currency(const struct rule *rule, const struct split_node *node, struct err *e)
{
    if (strcmp(node->currency, "USD") == 0 || (rule->split.vcpu_written && rule->split.gib_written))
        return 0;
    err_set(e, ERR_USAGE, "split method residual: the prices of vCPUs and memory that are built in are in USD, the bill is in %s",
            node->currency);
    return err_hint(e, "write both in %s into the rule: split: {vcpu_hour: \"...\", gib_hour: \"...\"}", node->currency);
}

/* The price of `micro` 10^-6 units at P an hour for a time, in 10^-18. */
static money price_of(int64_t micro, money hour, int64_t ns)
{
    return money_mul_div((money)micro * hour, (weight)ns, (weight)TIME_HOUR * TIME_NS_PER_MS);
}

static void add_hourly(struct buf *b, money amount, int64_t ns)
{
    money_add_text(b, money_mul_div(amount, (weight)TIME_HOUR * TIME_NS_PER_MS, (weight)ns), 6);
}

static void add_rate(struct buf *b, const struct split_node *node, const struct split_rate *rate)
{
    static const char *const sources[] = {
        [SPLIT_FROM_NOWHERE] = "", [SPLIT_FROM_RULE] = " in the rule", [SPLIT_FROM_BILL] = " in the bill's list cost",
        [SPLIT_FROM_CATALOGUE] = " in the catalogue",
    };

    buf_addf(b, "%s%s%s costs ", *node->type ? node->type : "the machine", *node->region ? " in " : "", node->region);
    add_hourly(b, rate->amount, rate->ns);
    buf_addf(b, " an hour%s%s", rate->from == SPLIT_FROM_NOWHERE ? "" : " on demand", sources[rate->from]);
    if (rate->from == SPLIT_FROM_RULE)
        buf_addf(b, " (line %lld)", (long long)rate->line);
}

static int no_rest(const struct split_node *node, const struct split_rate *rate, money host, struct err *e)
{
    struct buf text = {0};

    add_rate(&text, node, rate);
    buf_adds(&text, ", its vCPUs and memory alone ");
    add_hourly(&text, host / 1000000, rate->ns);
    err_set(e, ERR_USAGE, "split method residual leaves nothing for the GPUs: %s", buf_str(&text));
    buf_free(&text);
    if (rate->from == SPLIT_FROM_NOWHERE)
        return err_hint(e, "write what it costs on demand into the rule: split: {on_demand_hour: [{instance_type: %s, price: \"...\"}]}",
                        *node->type ? node->type : "...");
    return err_hint(e, "compare vcpu_hour and gib_hour with that price, or divide by reference prices: split: {method: reference}");
}

/* f is the billed rate over the on-demand rate, so that c x P x f of the cost is what c x P is of the on-demand rate: the time that was
 * billed cancels out, and nothing is rounded on the way. Where that rate is unknown the cost itself stands for it. */
static int split_residual(const struct rule *rule, const struct split_node *node, money cost, money *parts, struct err *e)
{
    const bool known = node->on_demand.from != SPLIT_FROM_NOWHERE;
    const struct split_rate rate = known ? node->on_demand : (struct split_rate){SPLIT_FROM_NOWHERE, cost, node->billed_ns, 0};
    money cpu, memory, rest, piece[3];

    if (check_currency(rule, node, e) < 0)
        return -1;
    if (cost != 0 && !known && node->billed_ns == 0)
        return split_reference(rule, node, cost, parts, e);
    if (cost == 0) {
        memset(parts, 0, (MODELS + node->n_models) * sizeof *parts);
        return 0;
    }
    cpu = price_of(node->vcpu_micro, rule->split.vcpu_hour, rate.ns);
    memory = price_of(node->memory_micro_gib, rule->split.gib_hour, rate.ns);
    rest = rate.amount * 1000000 - cpu - memory;
    if (rest <= 0)
        return no_rest(node, &rate, cpu + memory, e);
    if (money_split(cost, (const weight[]){(weight)cpu, (weight)memory, (weight)rest}, 3, piece) < 0)
        return err_set(e, ERR_INTERNAL, "a rest without weight was to be split");
    parts[CPU] = piece[0];
    parts[MEMORY] = piece[1];
    return spread_models(node, piece[2], parts + MODELS, e);
}

/* ---- as billed ---- */

bool split_is_billed(const struct rule *rule, const struct split_billed *billed)
{
    return rule->split.method == RULE_SPLIT_BILLED || (rule->split.method == RULE_SPLIT_DEFAULT && billed->any);
}

bool split_needs_sizes(const struct rule *rule, const struct split_billed *billed)
{
    return rule->split.method != RULE_SPLIT_SHARES && rule->split.method != RULE_SPLIT_DATADOG && !split_is_billed(rule, billed);
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
    else if (rule->split.method == RULE_SPLIT_SHARES || rule->split.method == RULE_SPLIT_DATADOG)
        rc = split_shares(rule, node, cost, parts, e);
    else if (rule->split.method == RULE_SPLIT_RESIDUAL)
        rc = split_residual(rule, node, cost, parts, e);
    else
        rc = split_reference(rule, node, cost, parts, e);
    if (rc < 0)
        return -1;
    out->cpu = parts[CPU];
    out->memory = parts[MEMORY];
    memcpy(out->gpu, parts + MODELS, node->n_models * sizeof *parts);
    return 0;
}
