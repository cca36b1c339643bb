/* rule_idle: the policy for idle cost, as core/idle wants it.
 *
 * `to` is `fixed` with one share, so that whoever applies the rule has one thing to do. Keys that a policy does not read are mistakes: a
 * team that nothing asks for would be believed to pay. */
#include "gputab/source/rule_idle.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/source/rule_owner.h"
#include "gputab/source/rule_reach.h"

static struct rule *rule_of(struct yaml_binder *b)
{
    return &((struct rule_draft *)b->owner)->rule;
}

/* --- owners --- */

struct owner_draft {
    const char **nodes;
    struct rule_label label;
    const char *team;
};

/* Lines of which one takes a name, or all of a label that the later line asks for. Every node has a name. */
static bool takes_name(const struct rule_idle_owner *o, const char *glob, size_t *budget)
{
    for (const char **g = o->nodes; g && *g; g++)
        if (rule_glob_covers(*g, glob, budget))
            return true;
    return false;
}

static bool takes_label(const struct rule_idle_owner *o, const struct rule_idle_owner *later, size_t *budget)
{
    if (!o->label)
        return takes_name(o, "*", budget);
    return strcmp(o->label, later->label) == 0
        && (!o->value_glob || rule_glob_covers(o->value_glob, later->value_glob ? later->value_glob : "?*", budget));
}

/* The first earlier line that takes what the later one's name, or label, asks for; NULL: none does. */
static const struct rule_idle_owner *taker(const struct rule_idle *idle, const struct rule_idle_owner *later, const char *name,
                                           size_t *budget)
{
    for (const struct rule_idle_owner *o = idle->owners.v; o < later; o++)
        if (name ? takes_name(o, name, budget) : takes_label(o, later, budget))
            return o;
    return NULL;
}

static int check_line(struct yaml_binder *b, const struct yaml_node *item, const struct rule_idle_owner *o, size_t *budget)
{
    const struct rule_idle *idle = &rule_of(b)->idle;
    const struct rule_idle_owner *first = taker(idle, o, o->label ? NULL : o->nodes[0], budget);

    for (const char **n = o->nodes; n && *n && first; n++)
        if (!taker(idle, o, *n, budget))
            return 0;
    if (!first)
        return 0;
    yaml_fail(b, item, "this line of idle.owners is never reached: line %lld takes what it matches", (long long)first->line);
    return err_hint(b->e, "put the narrower line first, or remove this one");
}

/* As of owners: first match wins. Without budget left the check gives up: it is a help and changes no number. */
static int check_reach(struct yaml_binder *b, const struct yaml_node *list)
{
    const struct rule_idle *idle = &rule_of(b)->idle;
    const struct yaml_node *item = list->child;
    size_t budget = (size_t)50 * 1000 * 1000;

    for (size_t i = 0; i < idle->owners.n; i++, item = item->next)
        if (check_line(b, item, &idle->owners.v[i], &budget) < 0)
            return -1;
    return 0;
}

static int read_owner(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "node", rule_read_globs, offsetof(struct owner_draft, nodes), NULL },
        { "node_label", rule_read_label, offsetof(struct owner_draft, label), NULL },
        { "team", rule_read_team, offsetof(struct owner_draft, team), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct owner_draft o = {0};
    struct rule_idle_owner owner;

    if (yaml_bind(b, item, &schema, &o) < 0)
        return -1;
    if (!o.nodes == !o.label.name)
        return yaml_fail(b, item, "an idle owner needs one of node and node_label");
    if (!o.team)
        return yaml_fail(b, item, "an idle owner needs a team");
    owner = (struct rule_idle_owner){o.nodes, o.label.name, o.label.value, o.team, item->line};
    vec_push(&rule_of(b)->idle.owners, owner);
    return 0;
}

static int read_owners(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, value, read_owner) < 0 ? -1 : check_reach(b, value);
}

/* --- policy --- */

static int read_include(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const char *const buckets[] = { "(driver-reserved)", "(unattributed)", NULL };
    struct rule_idle *idle = &rule_of(b)->idle;
    unsigned index;

    (void)target;
    (void)unused;
    if (yaml_expect(b, value, YAML_LIST) < 0)
        return -1;
    for (const struct yaml_node *v = value->child; v; v = v->next) {
        if (yaml_read_enum(b, v, &index, buckets) < 0)
            return -1;
        *(index == 0 ? &idle->reserved : &idle->unattributed) = true;
    }
    return 0;
}

static int by_team(const void *pa, const void *pb)
{
    const struct rule_share *a = pa, *b = pb;

    return strcmp(a->team, b->team);
}

int rule_read_shares(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct rule_shares *shares = target;
    money sum = 0;

    (void)unused;
    if (yaml_expect(b, value, YAML_MAP) < 0)
        return -1;
    for (const struct yaml_node *v = value->child; v; v = v->next) {
        struct rule_share share = {0};

        if (rule_check_team(b, v->key) < 0 || rule_read_percent(b, v, &share.percent, NULL) < 0)
            return -1;
        share.team = arena_strdup(&rule_of(b)->strings, v->key->text);
        sum += share.percent;
        vec_push(shares, share);
    }
    if (shares->n)
        qsort(shares->v, shares->n, sizeof *shares->v, by_team);
    return rule_check_sum(b, value, sum);
}

static int read_team(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct rule_share all = {.percent = 100 * MONEY_ONE};

    if (rule_read_team(b, value, &all.team, unused) < 0)
        return -1;
    vec_push((struct rule_shares *)target, all);
    return 0;
}

/* What goes with one policy only, and what that policy cannot do without. */
static int check_policy(struct yaml_binder *b, const struct yaml_node *map, enum rule_idle_policy policy)
{
    static const struct { const char *key; enum rule_idle_policy policy; const char *name; } parts[] = {
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
    static const struct yaml_key keys[] = {
        { "policy", yaml_read_enum, offsetof(struct rule, idle.policy), policies },
        { "scope", yaml_read_enum, offsetof(struct rule, idle.scope), scopes },
        { "include", read_include, 0, NULL },
        { "owners", read_owners, 0, NULL },
        { "shares", rule_read_shares, offsetof(struct rule, idle.shares), NULL },
        { "team", read_team, offsetof(struct rule, idle.shares), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct rule *r = rule_of(b);

    (void)target;
    (void)unused;
    if (yaml_bind(b, value, &schema, r) < 0)
        return -1;
    return check_policy(b, value, r->idle.policy);
}

/* --- spellings --- */

static bool is_alias_of(const struct rule_alias *alias, const char *name)
{
    for (const char **glob = alias->globs; *glob; glob++)
        if (span_glob(span_of(name), *glob))
            return true;
    return false;
}

/* Pods of that spelling are the other team's: nobody would be found who is called so. */
static int check_payer(struct yaml_binder *b, const struct yaml_node *text)
{
    const struct rule *r = rule_of(b);

    for (size_t i = 0; i < r->aliases.n; i++)
        if (strcmp(r->aliases.v[i].team, text->text) == 0)
            return 0;
    for (size_t i = 0; i < r->aliases.n; i++)
        if (is_alias_of(&r->aliases.v[i], text->text)) {
            yaml_fail(b, text, "\"%s\" is another spelling of a team", yaml_show(text->text).s);
            return err_hint(b->e, "by aliases it means \"%s\": write that", yaml_show(r->aliases.v[i].team).s);
        }
    return 0;
}

static int check_shares(struct yaml_binder *b, const struct yaml_node *shares)
{
    for (const struct yaml_node *v = shares ? shares->child : NULL; v; v = v->next)
        if (check_payer(b, v->key) < 0)
            return -1;
    return 0;
}

int rule_check_payers(struct yaml_binder *b)
{
    const struct yaml_node *idle = yaml_get(b->doc->root, "idle"), *shared = yaml_get(b->doc->root, "shared_costs");
    const struct yaml_node *owners = idle ? yaml_get(idle, "owners") : NULL, *team = idle ? yaml_get(idle, "team") : NULL;

    if (team && check_payer(b, team) < 0)
        return -1;
    if (idle && check_shares(b, yaml_get(idle, "shares")) < 0)
        return -1;
    for (const struct yaml_node *v = owners ? owners->child : NULL; v; v = v->next)
        if (check_payer(b, yaml_get(v, "team")) < 0)
            return -1;
    for (const struct yaml_node *v = shared ? shared->child : NULL; v; v = v->next)
        if (check_shares(b, yaml_get(v, "shares")) < 0)
            return -1;
    return 0;
}
