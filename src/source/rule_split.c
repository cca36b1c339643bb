/* rule_split: split, with the prices that its methods take.
 *
 * A key that the method does not look at is accepted where it says nothing against it: percentages beside reference prices are an agreement
 * for another day. Prices beside a preset contradict it, since the preset is its prices, and are refused.
 * This module divides nothing: core/split does. */
#include "gputab/source/rule_split.h"

#include <string.h>

static const char *const methods[] = { "reference", "residual", "shares", "billed", "aws-scad", "opencost", "datadog", NULL };

static int read_method(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    unsigned index;

    (void)unused;
    if (yaml_read_enum(b, value, &index, methods) < 0)
        return -1;
    *(enum rule_split *)target = (enum rule_split)(RULE_SPLIT_REFERENCE + index);
    return 0;
}

static int read_gpu_hour(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct rule *r = target;

    (void)unused;
    if (yaml_expect(b, value, YAML_MAP) < 0)
        return -1;
    for (const struct yaml_node *v = value->child; v; v = v->next) {
        struct rule_price p = {0};

        if (yaml_check_text(b, v->key) < 0 || rule_read_price(b, v, &p.price_hour, NULL) < 0)
            return -1;
        if (p.price_hour == 0)                             /* a model without a price can't be split */
            return yaml_fail(b, v, "the price of %s must be more than 0", yaml_show(v->key->text).s);
        p.model = arena_strdup(&r->strings, v->key->text);
        vec_push(&r->split.gpu_hour, p);
    }
    return 0;
}

/* A share that is not written is 0 %: what is written must sum to 100 %. */
static int read_shares(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const struct yaml_key keys[] = {
        { "cpu", rule_read_percent, offsetof(struct rule, split.share_cpu), NULL },
        { "memory", rule_read_percent, offsetof(struct rule, split.share_memory), NULL },
        { "gpu", rule_read_percent, offsetof(struct rule, split.share_gpu), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct rule *r = target;

    (void)unused;
    r->split.share_cpu = r->split.share_memory = r->split.share_gpu = 0;
    r->split.shares_written = true;
    if (yaml_bind(b, value, &schema, r) < 0)
        return -1;
    return rule_check_sum(b, value, r->split.share_cpu + r->split.share_memory + r->split.share_gpu);
}

/* ---- on-demand prices ---- */

static bool same(const char *a, const char *b)
{
    return a && b ? span_eq_fold(span_of(a), b) : a == b;
}

static int check_line(struct yaml_binder *b, const struct yaml_node *item, const struct rule_on_demand *o, const struct rule *r)
{
    if (!o->type)
        return yaml_fail(b, item, "an on-demand price needs instance_type");
    if (!yaml_get(item, "price"))
        return yaml_fail(b, item, "an on-demand price needs price");
    if (o->price_hour == 0)
        return yaml_fail(b, yaml_get(item, "price"), "price must be more than 0");
    if (r->split.on_demand.n == RULE_ON_DEMAND_MAX)
        return yaml_fail(b, item, "there are more than %d on-demand prices", RULE_ON_DEMAND_MAX);
    for (size_t i = 0; i < r->split.on_demand.n; i++) {
        const struct rule_on_demand *before = &r->split.on_demand.v[i];

        if (same(before->type, o->type) && same(before->region, o->region))
            return yaml_fail(b, item, "line %lld has the price of this type already", (long long)before->line);
    }
    return 0;
}

static int read_line(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "instance_type", rule_read_text, offsetof(struct rule_on_demand, type), NULL },
        { "region", rule_read_text, offsetof(struct rule_on_demand, region), NULL },
        { "price", rule_read_price, offsetof(struct rule_on_demand, price_hour), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct rule *r = &((struct rule_draft *)b->owner)->rule;
    struct rule_on_demand o = { .line = item->line };

    if (yaml_bind(b, item, &schema, &o) < 0 || check_line(b, item, &o, r) < 0)
        return -1;
    vec_push(&r->split.on_demand, o);
    return 0;
}

static int read_on_demand(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, value, read_line);
}

/* ---- the map ---- */

static const struct yaml_key keys[] = {
    { "method", read_method, offsetof(struct rule, split.method), NULL },
    { "vcpu_hour", rule_read_price, offsetof(struct rule, split.vcpu_hour), NULL },
    { "gib_hour", rule_read_price, offsetof(struct rule, split.gib_hour), NULL },
    { "gpu_hour", read_gpu_hour, 0, NULL },
    { "shares", read_shares, 0, NULL },
    { "on_demand_hour", read_on_demand, 0, NULL },
};
static const struct yaml_schema schema = YAML_SCHEMA(keys);

/* What a preset is, and a rule that names it cannot say otherwise. */
static const struct {
    enum rule_split method;
    const char *key, *what, *instead;
} fixed[] = {
    { RULE_SPLIT_AWS_SCAD, "vcpu_hour", "prices", "reference" }, { RULE_SPLIT_AWS_SCAD, "gib_hour", "prices", "reference" },
    { RULE_SPLIT_AWS_SCAD, "gpu_hour", "prices", "reference" },  { RULE_SPLIT_OPENCOST, "vcpu_hour", "prices", "reference" },
    { RULE_SPLIT_OPENCOST, "gib_hour", "prices", "reference" },  { RULE_SPLIT_OPENCOST, "gpu_hour", "prices", "reference" },
    { RULE_SPLIT_DATADOG, "shares", "percentages", "shares" },
};

static int check_preset(struct yaml_binder *b, const struct yaml_node *map, enum rule_split method)
{
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        const struct yaml_node *value = yaml_get(map, fixed[i].key);

        if (fixed[i].method != method || !value)
            continue;
        yaml_fail(b, value->key, "%s contradicts the method %s, which has %s of its own", fixed[i].key,
                  methods[method - RULE_SPLIT_REFERENCE], fixed[i].what);
        return err_hint(b->e, "leave one of them out; %s of a rule are for the method %s", fixed[i].what, fixed[i].instead);
    }
    return 0;
}

int rule_read_split(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct rule *r = target;

    (void)unused;
    if (yaml_bind(b, value, &schema, r) < 0)
        return -1;
    r->split.vcpu_written = yaml_get(value, "vcpu_hour") != NULL;
    r->split.gib_written = yaml_get(value, "gib_hour") != NULL;
    return check_preset(b, value, r->split.method);
}
