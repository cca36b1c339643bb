/* rule: the written rule of gputab-rule(5), checked and with defaults filled in. source/rule reads it; nothing changes it after.
 * Strings live in the rule's arena. Percentages and weights are money values: "95%" is 95 * MONEY_ONE. */
#ifndef GPUTAB_VALUE_RULE_H
#define GPUTAB_VALUE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/span.h"
#include "gputab/base/vec.h"
#include "gputab/value/money.h"
#include "gputab/value/timespan.h"

enum rule_mode { RULE_SHOWBACK, RULE_CHARGEBACK };
enum rule_cost { RULE_COST_EFFECTIVE, RULE_COST_BILLED, RULE_COST_LIST, RULE_COST_NET_EFFECTIVE };
enum rule_credits { RULE_CREDITS_COMMITMENTS, RULE_CREDITS_ALL, RULE_CREDITS_NONE };
enum rule_split { RULE_SPLIT_DEFAULT, RULE_SPLIT_REFERENCE, RULE_SPLIT_RESIDUAL, RULE_SPLIT_SHARES, RULE_SPLIT_BILLED,
                  RULE_SPLIT_AWS_SCAD, RULE_SPLIT_OPENCOST, RULE_SPLIT_DATADOG };
enum rule_exclusive { RULE_HELD, RULE_RESIDENT };
enum rule_denominator { RULE_CAPACITY, RULE_USABLE, RULE_RESIDENTS, RULE_DENOMINATORS };
enum rule_mig_weight { RULE_MIG_MEMORY, RULE_MIG_COMPUTE };
enum rule_fallback { RULE_EVEN, RULE_REFUSE };
enum rule_basis { RULE_BASIS_REQUEST, RULE_BASIS_USAGE, RULE_BASIS_MAX, RULE_BASIS_GPU };
enum rule_idle_policy { RULE_IDLE_SEPARATE, RULE_IDLE_PROPORTIONAL, RULE_IDLE_EVEN, RULE_IDLE_FIXED, RULE_IDLE_TO };
enum rule_idle_scope { RULE_SCOPE_POOL, RULE_SCOPE_CLUSTER, RULE_SCOPE_ALL };

enum rule_match { RULE_MATCH_NAMESPACE, RULE_MATCH_POD_LABEL, RULE_MATCH_NAMESPACE_LABEL, RULE_MATCH_POD_ANNOTATION,
                  RULE_MATCH_NAMESPACE_ANNOTATION, RULE_MATCH_WORKLOAD, RULE_MATCH_NODE, RULE_MATCH_NODE_LABEL, RULE_MATCH_NODE_POOL,
                  RULE_MATCHES };
extern const char *const rule_match_names[];   /* their keys, "namespace" first; ends with NULL */

/* The labels by which clouds say which pool a node is of, NULL-terminated: the names of NODE_POOL. */
extern const char *const rule_pool_labels[];

/* What an owner line asks of a pod: a name of its own, or the value of a label or annotation. */
struct rule_matcher {
    enum rule_match match;
    const char *const *names;      /* of labels and annotations: as written; the first that has a value that matches counts; else NULL */
    const char *const *globs;      /* of the text (of a workload "Kind/name"): one of them; NULL: any value, of labels and annotations */
};                                 /* both lists are NULL-terminated */

struct rule_owner {
    const struct rule_matcher *matchers;   /* all must match; in the order of the file */
    size_t n_matchers;             /* at least one */
    const char *team;              /* "{value}" stands for the value of the first matcher with names; NULL when bucket is set */
    const char *bucket;            /* "(system)", or NULL */
    time_ms from, until;           /* TIME_MIN / TIME_MAX when not written; [from, until) */
    int64_t line;                  /* in the rule file, for explain and messages */
};

struct rule_cost_centre {
    const char *id, *name;
    const char **teams;            /* NULL-terminated */
};

/* What other spellings of a team mean. A team that is one of these itself is never taken for another. */
struct rule_alias {
    const char *team;
    const char **globs;            /* NULL-terminated */
    int64_t line;
};

struct rule_pair {
    const char *name, *value;
};
struct rule_pairs {
    const struct rule_pair *v;
    size_t n;
};

/* A pod, and whose it should be: an example in the rule file that people can check. */
struct rule_test {
    const char *namespace_name, *pod;
    const char *workload, *node;   /* NULL: none */
    struct rule_pairs sets[RULE_MATCHES];  /* labels and annotations, by what asks for them; names as written */
    time_ms at;                    /* TIME_MIN: at any time */
    const char *team, *bucket;     /* one of them; the other is NULL */
    const char *cost_centre;       /* NULL: not said; "(unmapped)": none */
    int64_t line;
};

struct rule_price {
    const char *model;             /* as written */
    money price_hour;
};

/* What instances of a type cost an hour on demand, in the bill's currency. */
struct rule_on_demand {
    const char *type;              /* instance type */
    const char *region;            /* NULL: any that no other line names */
    money price_hour;
    int64_t line;                  /* in the rule file */
};

/* Instances whose price was paid by one fee, for some days. */
struct rule_block {
    const char *type;              /* instance type */
    const char *region;            /* NULL: any */
    const char **instances;        /* globs of resource ids, NULL-terminated; NULL: those whose time costs nothing in the bill */
    int64_t count;                 /* of instances */
    time_ms from, until;
    money fee;                     /* of the whole block; 0: as the bill's fee says */
    int64_t line;                  /* in the rule file */
};

struct rule_share {
    const char *team;
    money percent;
};

struct rule_shares {               /* in the order of the teams' names; they sum to 100 */
    struct rule_share *v;
    size_t n, cap;
};

/* Whose the idle time of some nodes is, whatever the policy. */
struct rule_idle_owner {
    const char **nodes;            /* globs of node names, NULL-terminated; NULL: by label */
    const char *label, *value_glob;          /* value_glob NULL: any value that is not empty */
    const char *team;
    int64_t line;                  /* in the rule file */
};

struct rule_idle {
    enum rule_idle_policy policy;
    enum rule_idle_scope scope;
    bool reserved, unattributed;   /* buckets that go where idle goes (include) */
    VEC(struct rule_idle_owner) owners;      /* first match wins */
    struct rule_shares shares;     /* fixed; of the policy `to`: one team with 100 */
};

/* Rows of the bill that are everybody's, and how their cost is spread. */
enum rule_shared_method { RULE_SHARED_PROPORTIONAL, RULE_SHARED_EVEN, RULE_SHARED_FIXED };
extern const char *const rule_shared_methods[];          /* their names; ends with NULL */

struct rule_shared_cost {
    const char *name;
    const char *column, *value;    /* rows that have the value in the column so named */
    bool is_glob;                  /* the value is a glob */
    enum rule_shared_method method;
    struct rule_shares shares;     /* fixed */
    int64_t line;                  /* in the rule file */
};

/* What one unit of a currency is in another, in a month. */
struct rule_rate {
    struct timespan month;
    const char *from, *to;         /* ISO codes; `to` is the same in all lines */
    money rate;
    const char *source;            /* "" when not written */
    int64_t line;                  /* in the rule file */
};

/* A bound that a report must keep to be written. */
enum rule_gate { GATE_COVERAGE, GATE_UNMAPPED, GATE_NO_METRICS, GATE_GRADE_A, RULE_GATES };
extern const char *const rule_gate_names[RULE_GATES];        /* "coverage", "max_unmapped", ... */

struct rule_limit {
    bool written;
    money percent;
    int64_t line, column;          /* of the percentage in the rule file */
};

/* What a team may cost in a calendar month. */
struct rule_budget {
    const char *team;
    money month;
    int64_t line;                  /* in the rule file */
};

struct rule {
    struct arena strings;
    const char *name, *version;    /* "" and "" by default: name "default" */
    char sha256[65];               /* of the file's bytes; of "" when there is none */
    struct span text;              /* these bytes, for source/rule_show; p NULL: there is no file */
    enum rule_mode mode;
    enum rule_cost cost;
    enum rule_credits credits;                 /* which credits of a bill's rows lower their cost (Google Cloud) */
    struct {
        enum rule_split method;
        money vcpu_hour, gib_hour;             /* 0.031611, 0.004237 by default, in USD */
        bool vcpu_written, gib_written;        /* false: the default */
        VEC(struct rule_price) gpu_hour;
        bool shares_written;
        money share_cpu, share_memory, share_gpu;   /* percent, for shares: they sum to 100 */
        VEC(struct rule_on_demand) on_demand;  /* for residual */
    } split;
    struct {
        enum rule_exclusive exclusive;
        enum rule_denominator denominator;
        enum rule_mig_weight mig_weight;
        enum rule_fallback shared_fallback;
        money min_coverage;                    /* percent; 95 */
        int64_t max_gap_ms;                    /* 300000 */
        int64_t interval_ms;                   /* 0: from the samples */
        int64_t startup_ms;                    /* 600000 */
    } gpu;
    enum rule_basis basis;
    struct rule_idle idle;
    bool has_owners;                           /* false: the team is the namespace */
    VEC(struct rule_owner) owners;
    VEC(struct rule_alias) aliases;
    VEC(struct rule_cost_centre) cost_centres;
    VEC(struct rule_test) tests;
    VEC(struct rule_block) blocks;
    VEC(struct rule_rate) fx;
    VEC(struct rule_shared_cost) shared_costs; /* the first that selects a row takes it */
    bool attached_include;
    struct rule_limit gates[RULE_GATES];
    VEC(struct rule_budget) budgets;           /* at most one of a team */
};

void rule_defaults(struct rule *r);            /* r is what a file with nothing but `schema` gives */
void rule_free(struct rule *r);
/* The id of the team's cost centre; NULL: it has none. */
const char *rule_cost_centre(const struct rule *r, struct span team);

/* The team that the aliases say is meant by that spelling; NULL: itself. */
const char *rule_team_meant(const struct rule *r, struct span team);

#endif
