/* rule_unbuilt: keys that this version checks and then refuses by name.
 *
 * A rule is an agreement between people: a key that the program took without doing what it says would make every number after it
 * doubtful. So each of them has its full schema here, values are checked like any others, and what would change a number is
 * noted. When one is built its table moves to rule.c with a target.
 * This module fills nothing. */
#include "gputab/source/rule_unbuilt.h"

#include <string.h>


static const char leave_out[] = "leave it out for now";

/* Notes a list or map that is not empty. */
static int note_filled(struct yaml_binder *b, const struct yaml_node *value, const char *what)
{
    return value->n ? rule_unbuilt(b, value->key, what, leave_out) : 0;
}

static int need(struct yaml_binder *b, const struct yaml_node *map, const char *what, const char *const *keys)
{
    for (; *keys; keys++)
        if (!yaml_get(map, *keys))
            return yaml_fail(b, map, "%s needs %s", what, *keys);
    return 0;
}

/* --- privacy --- */

int rule_read_privacy(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const char *const names[] = { "keep", "hash", "drop", NULL };
    static const struct rule_choices choices = { "privacy of pods:", names, 0, 1 };
    static const struct yaml_key keys[] = { { "pods", rule_read_choice, 0, &choices } };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    unsigned index;

    (void)target;
    (void)unused;
    return yaml_bind(b, value, &schema, &index);
}

/* --- budgets, gates --- */

struct budget {
    const char *team;
    money month;
};

static int read_budget(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "team", rule_read_team, offsetof(struct budget, team), NULL },
        { "month", rule_read_price, offsetof(struct budget, month), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    static const char *const needed[] = { "team", "month", NULL };
    struct budget budget = {0};

    return yaml_bind(b, item, &schema, &budget) < 0 ? -1 : need(b, item, "a budget", needed);
}

int rule_read_budgets(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, value, read_budget) < 0 ? -1 : note_filled(b, value, "budgets");
}

int rule_read_gates(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const struct yaml_key keys[] = {
        { "coverage", rule_read_percent, 0, NULL },
        { "max_unmapped", rule_read_percent, 0, NULL },
        { "max_no_metrics", rule_read_percent, 0, NULL },
        { "min_grade_a", rule_read_percent, 0, NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    money percent;

    (void)target;
    (void)unused;
    return yaml_bind(b, value, &schema, &percent) < 0 ? -1 : note_filled(b, value, "gates");
}
