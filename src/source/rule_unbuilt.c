/* rule_unbuilt: keys that this version checks and then refuses by name.
 *
 * A rule is an agreement between people: a key that the program took without doing what it says would make every number after it
 * doubtful. So each of them has its full schema here, values are checked like any others, and what would change a number is
 * noted. When one is built its table moves to rule.c with a target.
 * This module fills nothing but rule.idle, whose one built policy is the default. */
#include "gputab/source/rule_unbuilt.h"

#include <string.h>

#include "gputab/source/rule_owner.h"

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

/* --- idle --- */

struct idle {
    enum rule_idle policy;
    unsigned scope;
    const char *team;
};

struct idle_owner {
    const char **nodes;
    struct rule_label label;
    const char *team;
};

static int read_idle_owner(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "node", rule_read_globs, offsetof(struct idle_owner, nodes), NULL },
        { "node_label", rule_read_label, offsetof(struct idle_owner, label), NULL },
        { "team", rule_read_team, offsetof(struct idle_owner, team), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct idle_owner o = {0};

    if (yaml_bind(b, item, &schema, &o) < 0)
        return -1;
    if (!o.nodes == !o.label.name)
        return yaml_fail(b, item, "an idle owner needs one of node and node_label");
    return o.team ? 0 : yaml_fail(b, item, "an idle owner needs a team");
}

static int read_idle_owners(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, value, read_idle_owner) < 0 ? -1 : note_filled(b, value, "idle owners");
}

static int read_include(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const char *const buckets[] = { "(driver-reserved)", "(unattributed)", NULL };
    unsigned index;

    (void)target;
    (void)unused;
    if (yaml_expect(b, value, YAML_LIST) < 0)
        return -1;
    for (const struct yaml_node *v = value->child; v; v = v->next)
        if (yaml_read_enum(b, v, &index, buckets) < 0)
            return -1;
    return note_filled(b, value, "idle include");
}

static int read_idle_shares(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    money sum = 0, share;

    (void)target;
    (void)unused;
    if (yaml_expect(b, value, YAML_MAP) < 0)
        return -1;
    for (const struct yaml_node *v = value->child; v; v = v->next) {
        if (rule_check_team(b, v->key) < 0 || rule_read_percent(b, v, &share, NULL) < 0)
            return -1;
        sum += share;
    }
    return rule_check_sum(b, value, sum);
}

/* What goes with one policy only, and what that policy cannot do without. */
static int check_policy(struct yaml_binder *b, const struct yaml_node *map, enum rule_idle policy)
{
    static const struct { const char *key; enum rule_idle policy; const char *name; } parts[] = {
        { "shares", RULE_IDLE_FIXED, "fixed" }, { "team", RULE_IDLE_TO, "to" },
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct yaml_node *part = yaml_get(map, parts[i].key);

        if (part && policy != parts[i].policy)
            return yaml_fail(b, part->key, "%s goes with the policy %s only", parts[i].key, parts[i].name);
        if (!part && policy == parts[i].policy)
            return yaml_fail(b, yaml_get(map, "policy"), "the policy %s needs the key %s", parts[i].name, parts[i].key);
    }
    return 0;
}

int rule_read_idle(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const char *const policies[] = { "separate", "proportional", "even", "fixed", "to", NULL };
    static const char *const scopes[] = { "pool", "cluster", "all", NULL };
    static const struct rule_choices policy = { "idle policy", policies, RULE_IDLE_SEPARATE, 1 };
    static const struct rule_choices scope = { "idle scope", scopes, 0, 1 };
    static const struct yaml_key keys[] = {
        { "policy", rule_read_choice, offsetof(struct idle, policy), &policy },
        { "scope", rule_read_choice, offsetof(struct idle, scope), &scope },
        { "include", read_include, 0, NULL },
        { "owners", read_idle_owners, 0, NULL },
        { "shares", read_idle_shares, 0, NULL },
        { "team", rule_read_team, offsetof(struct idle, team), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct idle idle = { .policy = RULE_IDLE_SEPARATE };

    (void)unused;
    if (yaml_bind(b, value, &schema, &idle) < 0)
        return -1;
    *(enum rule_idle *)target = idle.policy;
    return check_policy(b, value, idle.policy);
}

/* --- shared costs --- */

static int read_select(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const struct yaml_key keys[] = {
        { "column", rule_read_text, 0, NULL },
        { "equals", rule_read_text, 0, NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    static const char *const needed[] = { "column", "equals", NULL };
    const char *text;

    (void)target;
    (void)unused;
    return yaml_bind(b, value, &schema, &text) < 0 ? -1 : need(b, value, "select", needed);
}

static int read_method(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const char *const names[] = { "proportional", NULL };
    unsigned index;

    (void)target;
    (void)unused;
    return yaml_read_enum(b, value, &index, names);
}

static int read_shared_cost(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "name", rule_read_text, 0, NULL },
        { "select", read_select, 0, NULL },
        { "method", read_method, 0, NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    static const char *const needed[] = { "name", "select", NULL };
    const char *text;

    return yaml_bind(b, item, &schema, &text) < 0 ? -1 : need(b, item, "a shared cost", needed);
}

int rule_read_shared_costs(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, value, read_shared_cost) < 0 ? -1 : note_filled(b, value, "shared_costs");
}
