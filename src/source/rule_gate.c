/* rule_gate: gates, the bounds that a report must keep, and budgets, what teams may cost in a month.
 *
 * Both compare what a run has found with what people agreed on. What a gate is measured by stands in core/gates, what a budget is for a
 * period in core/team_notes: this module only reads. A gate that is not written is off, whatever its value would be. */
#include "gputab/source/rule_gate.h"

#include <string.h>

/* --- gates --- */

static int read_limit(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct rule_limit *limit = target;

    if (rule_read_percent(b, value, &limit->percent, unused) < 0)
        return -1;
    limit->written = true;
    limit->line = value->line;
    limit->column = value->column;
    return 0;
}

int rule_read_gates(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const struct yaml_key keys[] = {
        { "coverage", read_limit, GATE_COVERAGE * sizeof(struct rule_limit), NULL },
        { "max_unmapped", read_limit, GATE_UNMAPPED * sizeof(struct rule_limit), NULL },
        { "max_no_metrics", read_limit, GATE_NO_METRICS * sizeof(struct rule_limit), NULL },
        { "min_grade_a", read_limit, GATE_GRADE_A * sizeof(struct rule_limit), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);

    (void)unused;
    return yaml_bind(b, value, &schema, target);
}

/* --- budgets --- */

static int read_amount(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    money *out = target;

    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (money_parse(span_of(value->text), out, NULL) == 0 && *out > 0 && *out <= RULE_BUDGET_MAX)
        return 0;
    return yaml_fail(b, value, "month must be an amount of more than 0 such as \"40000.00\", not \"%s\"", yaml_show(value->text).s);
}

static int read_budget(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "team", rule_read_team, offsetof(struct rule_budget, team), NULL },
        { "month", read_amount, offsetof(struct rule_budget, month), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct rule *rule = &((struct rule_draft *)b->owner)->rule;
    struct rule_budget budget = { .line = item->line };

    if (yaml_bind(b, item, &schema, &budget) < 0)
        return -1;
    if (!budget.team || !budget.month)
        return yaml_fail(b, item, "a budget needs %s", budget.team ? "month" : "team");
    if (rule->budgets.n == RULE_BUDGETS_MAX)
        return yaml_fail(b, item, "there are more than %d budgets", RULE_BUDGETS_MAX);
    for (size_t i = 0; i < rule->budgets.n; i++)
        if (strcmp(rule->budgets.v[i].team, budget.team) == 0)
            return yaml_fail(b, yaml_get(item, "team"), "team \"%s\" has a budget in line %lld already", yaml_show(budget.team).s,
                             (long long)rule->budgets.v[i].line);
    vec_push(&rule->budgets, budget);
    return 0;
}

int rule_read_budgets(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, value, read_budget);
}
