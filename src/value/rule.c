/* rule: the defaults of gputab-rule(5), in one place for the reader of rules, for runs without a rule, and for tests. */
#include "gputab/value/rule.h"

#include <string.h>

static const char sha256_of_nothing[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const char *const rule_match_names[] = { "namespace", "pod_label", "namespace_label", "pod_annotation", "namespace_annotation", "workload",
                                         "node", "node_label", "node_pool", NULL };

const char *const rule_pool_labels[] = {
    "karpenter.sh/nodepool", "karpenter.sh/provisioner-name",              /* Karpenter, since 0.32 and before */
    "eks.amazonaws.com/nodegroup", "alpha.eksctl.io/nodegroup-name",       /* EKS: managed groups, and eksctl's own */
    "cloud.google.com/gke-nodepool",                                       /* GKE */
    "kubernetes.azure.com/agentpool", "agentpool",                         /* AKS, now and before */
    NULL
};

const char *const rule_shared_methods[] = { "proportional", "even", "fixed", NULL };

void rule_defaults(struct rule *r)
{
    *r = (struct rule){
        .name = "default",
        .version = "",
        .mode = RULE_SHOWBACK,
        .cost = RULE_COST_EFFECTIVE,
        .credits = RULE_CREDITS_COMMITMENTS,
        .split = {
            .method = RULE_SPLIT_DEFAULT,
            .vcpu_hour = 31611 * (MONEY_ONE / 1000000),
            .gib_hour = 4237 * (MONEY_ONE / 1000000),
            .share_cpu = 3 * MONEY_ONE,
            .share_memory = 2 * MONEY_ONE,
            .share_gpu = 95 * MONEY_ONE,
        },
        .gpu = {
            .exclusive = RULE_HELD,
            .denominator = RULE_CAPACITY,
            .mig_weight = RULE_MIG_MEMORY,
            .shared_fallback = RULE_EVEN,
            .min_coverage = 95 * MONEY_ONE,
            .max_gap_ms = 5 * TIME_MINUTE,
            .interval_ms = 0,
            .startup_ms = 10 * TIME_MINUTE,
        },
        .basis = RULE_BASIS_MAX,
        .idle = {.policy = RULE_IDLE_SEPARATE, .scope = RULE_SCOPE_POOL},
    };
    memcpy(r->sha256, sha256_of_nothing, sizeof sha256_of_nothing);
}

void rule_free(struct rule *r)
{
    vec_free(&r->split.gpu_hour);
    vec_free(&r->split.on_demand);
    vec_free(&r->idle.owners);
    vec_free(&r->idle.shares);
    vec_free(&r->owners);
    vec_free(&r->aliases);
    vec_free(&r->cost_centres);
    vec_free(&r->tests);
    vec_free(&r->blocks);
    vec_free(&r->fx);
    for (size_t i = 0; i < r->shared_costs.n; i++)
        vec_free(&r->shared_costs.v[i].shares);
    vec_free(&r->shared_costs);
    arena_free(&r->strings);
}

const char *rule_team_meant(const struct rule *r, struct span team)
{
    for (size_t i = 0; i < r->aliases.n; i++)
        if (span_eq(team, r->aliases.v[i].team))
            return NULL;
    for (size_t i = 0; i < r->aliases.n; i++)
        for (const char **g = r->aliases.v[i].globs; *g; g++)
            if (span_glob(team, *g))
                return r->aliases.v[i].team;
    return NULL;
}

const char *rule_cost_centre(const struct rule *r, struct span team)
{
    for (size_t i = 0; i < r->cost_centres.n; i++)
        for (const char **t = r->cost_centres.v[i].teams; *t; t++)
            if (span_eq(team, *t))
                return r->cost_centres.v[i].id;
    return NULL;
}
