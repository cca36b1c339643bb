/* split: what share of a GPU node's charge is CPU, memory and each GPU model. The methods are those of
 * gputab-rule(5), split. */
#ifndef GPUTAB_CORE_SPLIT_H
#define GPUTAB_CORE_SPLIT_H

#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/value/catalogue.h"
#include "gputab/value/charge.h"
#include "gputab/value/inventory.h"
#include "gputab/value/rule.h"

enum { SPLIT_MODELS = 16 };        /* different GPU models on one node at most */

struct split_model {
    const char *name;              /* the catalogue's, or the metric's for a model that it doesn't know */
    int64_t count_micro;           /* GPUs of it, 10^-6 */
    money price_hour;              /* from the rule or the catalogue; 0: unknown */
};

/* An amount for a time: what a machine of the type costs on demand. As exact as where it comes from. */
enum split_source { SPLIT_FROM_NOWHERE, SPLIT_FROM_RULE, SPLIT_FROM_BILL, SPLIT_FROM_CATALOGUE };

struct split_rate {
    enum split_source from;        /* NOWHERE: unknown */
    money amount;                  /* > 0 */
    int64_t ns;                    /* > 0 */
    int64_t line;                  /* of the rule file, from RULE */
};

struct split_node {
    int64_t vcpu_micro, memory_micro_gib;
    struct split_model models[SPLIT_MODELS];
    size_t n_models;
    /* for residual */
    int64_t billed_ns;             /* of the charge; 0: it has no time of its own */
    struct split_rate on_demand;
    const char *type, *region;     /* "": unknown */
    const char *currency;          /* of cost and on_demand */
};

struct split_billed_gpu {
    const char *model;             /* the catalogue's name; "": the bill names none */
    money cost;
};

/* What the bill itself says of a charge's pieces. */
struct split_billed {
    bool any;                      /* false: nothing, it has one price for the machine */
    money cpu, memory;
    struct split_billed_gpu gpu[SPLIT_MODELS];
    size_t n_gpu;
};

/* Adds an amount to one of the pieces, or to those of a model. */
void split_billed_add(struct split_billed *b, enum piece piece, const char *gpu_model, money cost);

struct split_result {
    money cpu, memory;
    money gpu[SPLIT_MODELS];       /* per model; cpu + memory + sum of gpu == the charge's cost exactly */
};

/* Whether a charge is split as it is billed: the rule says so, or says nothing and the bill has the amounts. */
bool split_is_billed(const struct rule *rule, const struct split_billed *billed);

/* Whether the division looks at vCPUs and memory at all. */
bool split_needs_sizes(const struct rule *rule, const struct split_billed *billed);

/* reference: vcpu x P : GiB x P : n_k x P_k. shares: fixed percentages; several models by n_k x P_k, a single one needs no price.
 * billed: the bill's own amounts. A model's goes to the node's GPUs of that name, any other to all of them by n_k x P_k (by n_k where a
 * price is unknown); what is left of the cost is spread over the pieces by their sizes without sign, by reference when all are 0.
 * residual: vcpu x P x f and GiB x P x f for the time that was billed, where f is the billed rate over the on-demand rate, 1 where that is
 * unknown; the GPUs are the rest, several models by n_k x P_k. A cost of 0 has pieces of 0; one without a time of its own and without an
 * on-demand rate (a lone correction) is divided by reference.
 * Presets: aws-scad and opencost are reference with prices of their own, datadog is shares.
 * -1 with ERR_USAGE when a needed price is unknown (names the model), no weight is positive, the rule asks for amounts that the bill
 * has not, residual leaves the GPUs nothing, or its prices are of another currency than the bill. */
int split_charge(const struct rule *rule, const struct split_node *node, money cost, const struct split_billed *billed,
                 struct split_result *out, struct err *e) GPUTAB_MUST_CHECK;

/* Prices of a vCPU and a GiB an hour, of the rule or its preset. False: the rule's method has no ratio of prices for a charge that is not
 * split as it is billed. */
bool split_ratio(const struct rule *rule, money *vcpu_hour, money *gib_hour);

/* The price of a model: the preset's, which is one for all; else split.gpu_hour of the rule (by the metric's name or the catalogue's), else
 * the catalogue's, else 0. */
money split_price(const struct rule *rule, const struct catalogue *c, const char *model_text, int model);

/* Warns (W222) of prices in split.gpu_hour whose model is nowhere, and in split.on_demand_hour whose type and region no charge has: a
 * misspelt one would change nothing. */
void split_check_names(const struct rule *rule, const struct catalogue *c, const struct inventory *inv, const struct bill *bill,
                       struct diag *diag);

/* The method of a run as reports print it. by_bill, by_rule: some charge was split as billed, some otherwise. */
const char *split_method_name(const struct rule *rule, bool by_bill, bool by_rule);

#endif
