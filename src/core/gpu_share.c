/* gpu_share: a GPU node of which the GPUs are the smaller part is mostly a method that tells no GPU from another, or prices of another
 * year. The part is that of all the period, so that one odd hour says nothing. */
#include "gputab/core/gpu_share.h"

#include "gputab/core/split.h"

void gpu_share_add(struct gpu_share *s, uint32_t node, uint32_t type, money gpu, money cost)
{
    s->node = node;
    s->type = type ? type : s->type;
    s->gpu += gpu;
    s->cost += cost;
}

static const char *const hints[] = {
    [RULE_SPLIT_DEFAULT] = "reference prices or the bill's own amounts give that: compare split.gpu_hour, vcpu_hour and gib_hour with costs",
    [RULE_SPLIT_REFERENCE] = "reference prices give that: compare split.gpu_hour, vcpu_hour and gib_hour with what each costs",
    [RULE_SPLIT_RESIDUAL] = "that is left of the on-demand price: compare vcpu_hour and gib_hour, and on_demand_hour, with what each costs",
    [RULE_SPLIT_SHARES] = "split.shares of the rule say so",
    [RULE_SPLIT_BILLED] = "the bill's own amounts say so",
    [RULE_SPLIT_AWS_SCAD] = "aws-scad takes any GPU for ten vCPUs; the method reference has a price for each model",
    [RULE_SPLIT_OPENCOST] = "opencost takes any GPU for 30 vCPUs; the method reference has a price for each model",
    [RULE_SPLIT_DATADOG] = "datadog is 95 percent GPU",
};

void gpu_share_warn(const struct gpu_share *s, const struct allocate_config *cfg)
{
    struct buf percent = {0};

    if (s->cost <= 0 || s->gpu * 2 >= s->cost)
        return;
    money_add_text(&percent, money_mul_div(100 * MONEY_ONE, s->gpu > 0 ? (weight)s->gpu : 0, (weight)s->cost), 2);
    diag_once(cfg->diag, "W223", "%s%s%s%s: split %s gives its GPUs %s %% of its cost", intern_cstr(cfg->names, s->node),
              s->type ? " (" : "", s->type ? intern_cstr(cfg->names, s->type) : "", s->type ? ")" : "",
              split_method_name(cfg->rule, false, true), buf_str(&percent));
    diag_hint(cfg->diag, "W223", "%s", hints[cfg->rule->split.method]);
    buf_free(&percent);
}
