/* on_demand: three sources in order, the most particular first.
 *
 * A list price that is no higher than what a spot machine cost is the spot price again (some exports repeat it), and says nothing of what
 * the machine costs on demand. A price of another region says nothing either: it may be half as high again. */
#include "gputab/core/on_demand.h"

#include "gputab/base/span.h"

#define HOUR_NS ((int64_t)TIME_HOUR * TIME_NS_PER_MS)

static const struct rule_on_demand *written(const struct rule *rule, struct span type, struct span region)
{
    const struct rule_on_demand *any = NULL;

    for (size_t i = 0; i < rule->split.on_demand.n; i++) {
        const struct rule_on_demand *o = &rule->split.on_demand.v[i];

        if (!span_eq_fold(type, o->type))
            continue;
        if (!o->region)
            any = o;
        else if (span_eq_fold(region, o->region))
            return o;
    }
    return any;
}

static bool has_list(const struct charge *c)
{
    return c->list > 0 && c->billed_ns > 0 && !(c->purchase == PURCHASE_SPOT && c->list <= c->cost);
}

struct split_rate on_demand_find(const struct allocate_config *cfg, const struct charge *c, const struct instance_type *type)
{
    struct span name = c->instance_type ? intern_get(cfg->names, c->instance_type) : span_of(type ? type->name : "");
    struct span region = intern_get(cfg->names, c->region);
    const struct rule_on_demand *o = written(cfg->rule, name, region);
    money price;

    if (o)
        return (struct split_rate){SPLIT_FROM_RULE, o->price_hour, HOUR_NS, o->line};
    if (has_list(c))
        return (struct split_rate){SPLIT_FROM_BILL, c->list, c->billed_ns, 0};
    price = cfg->bill->currency && span_eq(intern_get(cfg->names, cfg->bill->currency), "USD")
            ? catalogue_on_demand(cfg->catalogue, name, region) : 0;
    return price > 0 ? (struct split_rate){SPLIT_FROM_CATALOGUE, price, HOUR_NS, 0} : (struct split_rate){.from = SPLIT_FROM_NOWHERE};
}
