/* explain_split: how the cost of nodes became pieces: the weights of a ratio of prices, or what other methods do; kind of node by kind. */
#include "gputab/core/explain_split.h"

static void push_weight(struct explain_list *l, struct explanation_section *s, const char *what, int64_t micro, const char *unit,
                        money price,
                        money *sum)
{
    struct explanation_line line = {.what = what, .unit = unit, .quantity = (money)micro * 1000000, .has_price = true, .price = price,
                                    .has_amount = true, .amount_unit = "weight"};

    line.amount = money_mul_div(price, (weight)micro, 1000000);
    *sum += line.amount;
    vec_push(&s->lines, line);
    (void)l;
}

static void push_piece(struct explain_list *l, struct explanation_section *s, const char *what, money cost, money amount)
{
    struct explanation_line line = {.has_amount = true, .amount = amount};

    line.what = what;
    if (cost != 0) {
        explanation_add_number(&l->b, cost, 2, 6);
        buf_adds(&l->b, " x ");
        explanation_add_number(&l->b,
                               money_mul_div(amount * (cost < 0 ? -1 : 1), (weight)(100 * MONEY_ONE),
                                             (weight)explain_list_magnitude(cost)), 2, 9);
        buf_adds(&l->b, " %");
    }
    line.how = explanation_text(l->out, &l->b);
    vec_push(&s->lines, line);
}

static const char *model_text(struct explain_list *l, const char *before, const struct explain_model *m)
{
    buf_addf(&l->b, "%s%s", before, explain_list_text(l, m->name));
    return explanation_text(l->out, &l->b);
}

static bool by_reference(const struct explain_list *l, const struct explain_shape *s)
{
    money vcpu, gib;

    return s->known && !s->as_billed && split_ratio(l->x->cfg.rule, &vcpu, &gib);
}

static void tell_weights(struct explain_list *l, struct explanation_section *to, const struct explain_shape *s)
{
    money sum = 0, vcpu, gib;

    split_ratio(l->x->cfg.rule, &vcpu, &gib);
    push_weight(l, to, "weight of the vCPUs", s->vcpu_micro, "vCPU", vcpu, &sum);
    push_weight(l, to, "weight of the memory", s->memory_micro_gib, "GiB", gib, &sum);
    for (size_t k = 0; k < s->n_models; k++)
        push_weight(l, to, model_text(l, "weight of ", &s->models[k]), s->models[k].count_micro, "GPU", s->models[k].price_hour, &sum);
    vec_push(&to->lines, (struct explanation_line){.what = "all weights", .has_amount = true, .amount = sum, .amount_unit = "weight"});
}

/* residual: what cores or memory cost on demand, and by what that is scaled. */
static void push_residual(struct explain_list *l, struct explanation_section *to, const char *what, const char *unit, money hours,
                          money price, money piece)
{
    struct explanation_line line = {.what = what, .unit = unit, .quantity = hours, .has_price = true, .price = price, .has_amount = true,
                                    .amount_unit = "on demand"};

    line.amount = money_mul_div(price, (weight)hours, (weight)MONEY_ONE);
    if (line.amount > 0) {
        buf_adds(&l->b, "its piece is that x ");
        explanation_add_number(&l->b, money_mul_div(piece, (weight)MONEY_ONE, (weight)line.amount), 2, 9);
        buf_adds(&l->b, ", the billed rate / the on-demand rate");
    }
    line.note = explanation_text(l->out, &l->b);
    vec_push(&to->lines, line);
}

static void tell_residual(struct explain_list *l, struct explanation_section *to, const struct explain_shape *s)
{
    money vcpu, gib;

    split_ratio(l->x->cfg.rule, &vcpu, &gib);
    push_residual(l, to, "cores", "core-h", money_mul_div(s->hours, (weight)s->vcpu_micro, 1000000), vcpu, s->cpu);
    push_residual(l, to, "memory", "GiB-h", money_mul_div(s->hours, (weight)s->memory_micro_gib, 1000000), gib, s->memory);
}

static bool is_residual(const struct explain_list *l, const struct explain_shape *s)
{
    return s->known && !s->as_billed && l->x->cfg.rule->split.method == RULE_SPLIT_RESIDUAL && s->hours > 0;
}

static void describe_split(struct explain_list *l, const struct explain_shape *s)
{
    const struct rule *rule = l->x->cfg.rule;

    if (!s->known)
        buf_adds(&l->b, "hardware unknown: all of it is (no-metrics)");
    else if (s->as_billed)
        buf_adds(&l->b, "as the bill's own rows say");
    else if (by_reference(l, s))
        buf_addf(&l->b, "by %s prices, of which only the ratio counts", split_method_name(rule, false, true));
    else if (rule->split.method == RULE_SPLIT_RESIDUAL)
        buf_adds(&l->b, "by method residual: cores and memory at their prices, scaled as the billed rate is to the on-demand rate; GPUs "
                        "are the rest");
    else
        buf_addf(&l->b, "by method %s", split_method_name(rule, false, true));
}

static void tell_shape(struct explain_list *l, struct explanation_section *to, const struct explain_shape *s)
{
    struct explanation_line head = {.what = "cost of the nodes", .has_amount = true, .amount = s->cost};

    describe_split(l, s);
    head.note = explanation_text(l->out, &l->b);
    vec_push(&to->lines, head);
    if (!s->known)
        return;
    if (by_reference(l, s))
        tell_weights(l, to, s);
    if (is_residual(l, s))
        tell_residual(l, to, s);
    for (size_t k = 0; k < s->n_models; k++)
        push_piece(l, to, model_text(l, "GPU piece of ", &s->models[k]), s->cost, s->models[k].cost);
    push_piece(l, to, "CPU piece", s->cost, s->cpu);
    push_piece(l, to, "memory piece", s->cost, s->memory);
}

void explain_split(struct explain_list *l)
{
    struct explanation_section *s = explanation_section(l->out, "split", "how that is split into GPU, CPU and memory", false);
    size_t n = l->x->shapes.n, shown = l->cfg->most && n > l->cfg->most ? l->cfg->most : n;

    for (size_t i = 0; i < shown; i++)
        tell_shape(l, s, &l->x->shapes.v[i]);
    if (shown < n) {
        buf_addf(&l->b, "and %zu more kinds of nodes", n - shown);
        vec_push(&s->lines, (struct explanation_line){.what = explanation_text(l->out, &l->b)});
    }
}
