/* rule_team: which spellings mean one team, and which teams a cost centre has.
 *
 * What is certain to be a mistake is an error: a spelling of two teams, one that an earlier one takes, a team with two cost centres.
 * This module names no team: core/owners does. */
#include "gputab/source/rule_team.h"

#include <string.h>

#include "gputab/base/intern.h"
#include "gputab/source/rule_reach.h"

static struct rule *rule_of(struct yaml_binder *b)
{
    return &((struct rule_draft *)b->owner)->rule;
}

/* --- aliases --- */

/* All spellings so far, and where each stands. */
struct spelling {
    const char *glob;
    size_t alias;                  /* index */
    int64_t line;
};
struct spellings {
    struct spelling *v;
    size_t n, cap;
    size_t budget;                 /* as in rule_glob_covers */
};

static int check_spelling(struct yaml_binder *b, const struct yaml_node *map, const struct yaml_node *text, size_t alias,
                          struct spellings *all)
{
    const struct yaml_node *team;

    if (yaml_expect(b, text, YAML_TEXT) < 0 || rule_check_team(b, text) < 0)
        return -1;
    if (all->n == RULE_PATTERNS_MAX)
        return yaml_fail(b, text, "the aliases hold more than %d spellings", RULE_PATTERNS_MAX);
    team = yaml_get(map, text->text);
    if (team)
        return yaml_fail(b, text, "\"%s\" is a team in line %lld: it cannot be another spelling as well", yaml_show(text->text).s,
                         (long long)team->key->line);
    for (size_t i = 0; i < all->n; i++)
        if (all->v[i].alias != alias && rule_glob_covers(all->v[i].glob, text->text, &all->budget))
            return yaml_fail(b, text, "\"%s\" is taken by the spellings of line %lld already", yaml_show(text->text).s,
                             (long long)all->v[i].line);
    vec_push(all, (struct spelling){ text->text, alias, text->line });
    return 0;
}

/* value: one spelling or a list of them. */
static int read_alias(struct yaml_binder *b, const struct yaml_node *map, const struct yaml_node *value, struct spellings *all)
{
    struct rule *r = rule_of(b);
    const struct yaml_node *v = value->kind == YAML_LIST ? value->child : value;
    size_t n = value->kind == YAML_LIST ? value->n : 1;
    struct rule_alias alias = { .line = value->key->line, .globs = arena_alloc(&r->strings, (n + 1) * sizeof *alias.globs) };

    if (rule_check_team(b, value->key) < 0)
        return -1;
    if (n == 0)
        return yaml_fail(b, value, "%s must not be an empty list", yaml_show(yaml_name(value)).s);
    for (size_t i = 0; i < n; i++, v = v->next) {
        if (check_spelling(b, map, v, r->aliases.n, all) < 0)
            return -1;
        alias.globs[i] = arena_strdup(&r->strings, v->text);
    }
    alias.globs[n] = NULL;
    alias.team = arena_strdup(&r->strings, value->key->text);
    vec_push(&r->aliases, alias);
    return 0;
}

int rule_read_aliases(struct yaml_binder *b, const struct yaml_node *map, void *target, const void *unused)
{
    struct spellings all = { .budget = (size_t)50 * 1000 * 1000 };
    int rc = yaml_expect(b, map, YAML_MAP);

    (void)target;
    (void)unused;
    for (const struct yaml_node *v = rc == 0 ? map->child : NULL; v && rc == 0; v = v->next)
        rc = read_alias(b, map, v, &all);
    vec_free(&all);
    return rc;
}

/* --- cost centres --- */

static int read_centre(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "id", rule_read_team, offsetof(struct rule_cost_centre, id), NULL },
        { "name", rule_read_text, offsetof(struct rule_cost_centre, name), NULL },
        { "teams", rule_read_texts, offsetof(struct rule_cost_centre, teams), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct rule_cost_centre c = { .name = "" };

    if (yaml_bind(b, item, &schema, &c) < 0)
        return -1;
    if (!c.id)
        return yaml_fail(b, item, "a cost centre needs an id");
    if (!c.teams || !c.teams[0])
        return yaml_fail(b, item, "cost centre \"%s\" needs teams", yaml_show(c.id).s);
    vec_push(&rule_of(b)->cost_centres, c);
    return 0;
}

/* Places of what was named once: a second time is an error. */
struct seen {
    struct intern *names;
    VEC(int64_t) lines;            /* by id */
};

/* The line where name stood before; 0 when it is new. */
static int64_t seen_before(struct seen *s, const char *name, int64_t line)
{
    uint32_t before = intern_count(s->names), id = intern_str(s->names, name);

    if (id < before)
        return s->lines.v[id];
    while (s->lines.n <= id)
        vec_push(&s->lines, line);
    return 0;
}

static int check_centre(struct yaml_binder *b, const struct yaml_node *item, struct seen *ids, struct seen *teams)
{
    const struct yaml_node *id = yaml_get(item, "id");
    int64_t line = seen_before(ids, id->text, id->line);

    if (line)
        return yaml_fail(b, id, "cost centre \"%s\" stands in line %lld already", yaml_show(id->text).s, (long long)line);
    for (const struct yaml_node *t = yaml_get(item, "teams")->child; t; t = t->next) {
        if (rule_check_team(b, t) < 0)
            return -1;
        line = seen_before(teams, t->text, t->line);
        if (line)
            return yaml_fail(b, t, "team \"%s\" has a cost centre in line %lld already", yaml_show(t->text).s, (long long)line);
    }
    return 0;
}

int rule_read_cost_centres(struct yaml_binder *b, const struct yaml_node *list, void *target, const void *unused)
{
    struct seen ids = { .names = intern_new() }, teams = { .names = intern_new() };
    int rc = yaml_read_items(b, list, read_centre);

    (void)target;
    (void)unused;
    for (const struct yaml_node *item = list->child; item && rc == 0; item = item->next)
        rc = check_centre(b, item, &ids, &teams);
    intern_free(ids.names);
    intern_free(teams.names);
    vec_free(&ids.lines);
    vec_free(&teams.lines);
    return rc;
}
