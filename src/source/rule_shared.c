/* rule_shared: which rows of the bill are everybody's, and how their cost is spread. What a selector means for a row is source/bill_shared's. */
#include "gputab/source/rule_shared.h"

#include <string.h>

#include "gputab/source/rule_idle.h"

static struct rule *rule_of(struct yaml_binder *b)
{
    return &((struct rule_draft *)b->owner)->rule;
}

struct selector {
    const char *column, *equals, *glob;
};

static int read_select(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const struct yaml_key keys[] = {
        { "column", rule_read_text, offsetof(struct selector, column), NULL },
        { "equals", rule_read_text, offsetof(struct selector, equals), NULL },
        { "glob", rule_read_text, offsetof(struct selector, glob), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct rule_shared_cost *cost = target;
    struct selector s = {0};

    (void)unused;
    if (yaml_bind(b, value, &schema, &s) < 0)
        return -1;
    if (!s.column)
        return yaml_fail(b, value, "select needs column");
    if (!s.equals == !s.glob)
        return yaml_fail(b, value, "select needs one of equals and glob");
    cost->column = s.column;
    cost->value = s.equals ? s.equals : s.glob;
    cost->is_glob = s.glob != NULL;
    return 0;
}

static int check_new(struct yaml_binder *b, const struct yaml_node *item, const struct rule_shared_cost *cost)
{
    const struct rule *r = rule_of(b);

    for (size_t i = 0; i < r->shared_costs.n; i++)
        if (strcmp(r->shared_costs.v[i].name, cost->name) == 0)
            return yaml_fail(b, yaml_get(item, "name"), "shared cost \"%s\" stands in line %lld already", yaml_show(cost->name).s,
                             (long long)r->shared_costs.v[i].line);
    if (r->shared_costs.n == RULE_SHARED_MAX)
        return yaml_fail(b, item, "more than %d shared costs", RULE_SHARED_MAX);
    return 0;
}

static int check(struct yaml_binder *b, const struct yaml_node *item, const struct rule_shared_cost *cost)
{
    if (!cost->name)
        return yaml_fail(b, item, "a shared cost needs name");
    if (!cost->column)
        return yaml_fail(b, item, "a shared cost needs select");
    if (cost->shares.n && cost->method != RULE_SHARED_FIXED)
        return yaml_fail(b, yaml_get(item, "shares")->key, "shares goes with the method fixed only");
    if (!cost->shares.n && cost->method == RULE_SHARED_FIXED)
        return yaml_fail(b, yaml_get(item, "method"), "the method fixed needs the key shares");
    return check_new(b, item, cost);
}

static int read_shared_cost(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "name", rule_read_text, offsetof(struct rule_shared_cost, name), NULL },
        { "select", read_select, 0, NULL },
        { "method", yaml_read_enum, offsetof(struct rule_shared_cost, method), rule_shared_methods },
        { "shares", rule_read_shares, offsetof(struct rule_shared_cost, shares), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct rule_shared_cost cost = { .method = RULE_SHARED_PROPORTIONAL, .line = item->line };

    if (yaml_bind(b, item, &schema, &cost) < 0 || check(b, item, &cost) < 0) {
        vec_free(&cost.shares);
        return -1;
    }
    vec_push(&rule_of(b)->shared_costs, cost);
    return 0;
}

int rule_read_shared_costs(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, value, read_shared_cost);
}
