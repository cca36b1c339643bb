/* rule_owner: who pays for a pod (owner lines, the first match decides) and which teams a cost centre has.
 *
 * A line has one matcher, one payer and at most one span of time. What can be known to be a mistake without any metrics is an
 * error here: a glob that no name can match, a line that the lines before it leave nothing to, a team with two cost centres.
 * Whether one glob covers another is decided soundly, not completely: only what is certain is told.
 * This module does not match pods: core/owners does. */
#include "gputab/source/rule_owner.h"

#include <string.h>

#include "gputab/base/intern.h"
#include "gputab/base/utf8.h"

static const char placeholder[] = "{value}";

static struct rule *rule_of(struct yaml_binder *b)
{
    return &((struct rule_draft *)b->owner)->rule;
}

/* --- globs and labels --- */

static const char name_chars[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";

/* Nothing in the cluster bears a name with other characters: such a pattern would match nothing, silently. */
static int check_chars(struct yaml_binder *b, const struct yaml_node *value, const char *more)
{
    const char *p = value->text, *end = p + strlen(p), *from;

    if (yaml_check_text(b, value) < 0)
        return -1;
    for (p += strspn(p, name_chars); p < end && strchr(more, *p); p += strspn(p, name_chars))
        p++;
    if (p == end)
        return 0;
    from = p;
    utf8_next(&p, end);
    return yaml_fail(b, value, "%s \"%s\" cannot hold \"%.*s\"", yaml_name(value), yaml_show(value->text).s, (int)(p - from), from);
}

static int read_glob(struct yaml_binder *b, const struct yaml_node *value, const char **out)
{
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (check_chars(b, value, "*?") < 0) {
        if (strchr(value->text, ','))
            return err_hint(b->e, "several are written as a list: [\"a-*\", b]");
        return err_hint(b->e, "letters, digits, \"-\", \"_\", \".\" and the wildcards * and ? may stand here");
    }
    *out = arena_strdup(&rule_of(b)->strings, value->text);
    return 0;
}

int rule_read_globs(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    const struct yaml_node *first = value->kind == YAML_LIST ? value->child : value;
    size_t n = value->kind == YAML_LIST ? value->n : 1, i = 0;
    const char **globs = arena_alloc(&rule_of(b)->strings, (n + 1) * sizeof *globs);

    (void)unused;
    if (n == 0)
        return yaml_fail(b, value, "%s must not be an empty list", yaml_name(value));
    for (const struct yaml_node *v = first; i < n; v = v->next)
        if (read_glob(b, v, &globs[i++]) < 0)
            return -1;
    globs[n] = NULL;
    *(const char ***)target = globs;
    return 0;
}

static int read_label_name(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (check_chars(b, value, "/") < 0)
        return err_hint(b->e, "the name of a label is no glob; letters, digits, \"-\", \"_\", \".\" and \"/\" may stand in it");
    *(const char **)target = arena_strdup(&rule_of(b)->strings, value->text);
    return 0;
}

static int read_value_glob(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)unused;
    return read_glob(b, value, target);
}

int rule_read_label(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const struct yaml_key keys[] = {
        { "name", read_label_name, offsetof(struct rule_label, name), NULL },
        { "value", read_value_glob, offsetof(struct rule_label, value), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct rule_label *label = target;

    (void)unused;
    if (yaml_bind(b, value, &schema, label) < 0)
        return value->kind == YAML_TEXT ? err_hint(b->e, "write {name: \"%s\"}", yaml_show(value->text).s) : -1;
    if (!label->name)
        return yaml_fail(b, value, "%s needs a name", yaml_name(value));
    return 0;
}

/* --- one owner line --- */

struct owner_nodes {
    const struct yaml_node *team, *bucket, *from, *until;
    const struct yaml_node *matcher[3];            /* by enum rule_match */
};

static const struct yaml_key owner_keys[] = {
    { "namespace", yaml_read_node, offsetof(struct owner_nodes, matcher[RULE_MATCH_NAMESPACE]), NULL },
    { "pod_label", yaml_read_node, offsetof(struct owner_nodes, matcher[RULE_MATCH_POD_LABEL]), NULL },
    { "namespace_label", yaml_read_node, offsetof(struct owner_nodes, matcher[RULE_MATCH_NAMESPACE_LABEL]), NULL },
    { "team", yaml_read_node, offsetof(struct owner_nodes, team), NULL },
    { "bucket", yaml_read_node, offsetof(struct owner_nodes, bucket), NULL },
    { "from", yaml_read_node, offsetof(struct owner_nodes, from), NULL },
    { "until", yaml_read_node, offsetof(struct owner_nodes, until), NULL },
};
static const struct yaml_schema owner_schema = YAML_SCHEMA(owner_keys);

static bool is_before(const struct yaml_node *a, const struct yaml_node *b)
{
    return a->line < b->line || (a->line == b->line && a->column < b->column);
}

static int pick_matcher(struct yaml_binder *b, const struct yaml_node *item, const struct owner_nodes *n, struct rule_owner *o)
{
    const struct yaml_node *first = NULL, *second = NULL;

    for (int i = 0; i < 3; i++) {
        const struct yaml_node *m = n->matcher[i];

        if (m && first)
            second = is_before(m, first) ? first : m;
        if (m && (!first || is_before(m, first))) {
            first = m;
            o->match = (enum rule_match)i;
        }
    }
    if (!first)
        return yaml_fail(b, item, "an owner line needs one of namespace, pod_label and namespace_label");
    if (!second)
        return 0;
    yaml_fail(b, second->key, "an owner line has one matcher; %s is its second", yaml_name(second));
    return err_hint(b->e, "write a line for each; the first line that matches decides");
}

static int read_matcher(struct yaml_binder *b, const struct yaml_node *value, struct rule_owner *o)
{
    struct rule_label label = {0};

    if (o->match == RULE_MATCH_NAMESPACE)
        return rule_read_globs(b, value, &o->globs, NULL);
    if (rule_read_label(b, value, &label, NULL) < 0)
        return -1;
    o->label = label.name;
    o->value_glob = label.value;
    return 0;
}

/* "{value}" is the one thing that braces may hold, and it may stand once. */
static int check_placeholder(struct yaml_binder *b, const struct yaml_node *team, enum rule_match match)
{
    const char *hole = strstr(team->text, placeholder), *rest = hole ? hole + strlen(placeholder) : team->text;
    const char *brace = strpbrk(team->text, "{}");

    if ((brace && brace != hole) || strpbrk(rest, "{}")) {
        yaml_fail(b, team, "team \"%s\" holds braces other than one \"{value}\"", yaml_show(team->text).s);
        return err_hint(b->e, "\"{value}\" stands for the value of the label that the line matches");
    }
    if (hole && match == RULE_MATCH_NAMESPACE)
        return yaml_fail(b, team, "\"{value}\" is the value of a label: it goes with pod_label and namespace_label only");
    return 0;
}

static int read_payer(struct yaml_binder *b, const struct yaml_node *item, const struct owner_nodes *n, struct rule_owner *o)
{
    if (!n->team && !n->bucket)
        return yaml_fail(b, item, "an owner line needs a team or a bucket");
    if (n->team && n->bucket)
        return yaml_fail(b, n->bucket->key, "an owner line has a team or a bucket, not both");
    if (n->team) {
        if (rule_read_team(b, n->team, &o->team, NULL) < 0)
            return -1;
        return check_placeholder(b, n->team, o->match);
    }
    if (rule_read_text(b, n->bucket, &o->bucket, NULL) < 0)
        return -1;
    if (strcmp(o->bucket, "(system)") == 0)
        return 0;
    yaml_fail(b, n->bucket, "bucket must be \"(system)\", not \"%s\"", yaml_show(o->bucket).s);
    return err_hint(b->e, "the other buckets are filled by what the bill and the metrics show");
}

static int read_dates(struct yaml_binder *b, const struct owner_nodes *n, struct rule_owner *o)
{
    if (n->from && rule_read_time(b, n->from, &o->from, NULL) < 0)
        return -1;
    if (n->until && rule_read_time(b, n->until, &o->until, NULL) < 0)
        return -1;
    if (o->until > o->from)
        return 0;
    yaml_fail(b, n->until, "until must be later than from");
    return err_hint(b->e, "from is inclusive, until is exclusive");
}

/* --- lines that are never reached --- */

struct reach {
    const struct rule_owner *owners;
    size_t n_patterns;
    size_t budget;                 /* steps left: with none the check gives up; it is a help and changes no number */
};

/* Whether every text that b matches is matched by a as well; false when that is not certain. b is walked like a text in which
 * a `*` can only be taken by a `*` of a, and a `?` by a `*` or `?` of a. */
static bool covers(const char *a, const char *b, size_t *budget)
{
    const char *star = NULL, *taken = NULL;

    while (*b) {
        if (*budget == 0)
            return false;
        --*budget;
        if (*a == '*') {
            star = ++a;
            taken = b;
        } else if (*b != '*' && (*a == '?' || *a == *b)) {
            a++;
            b++;
        } else if (star) {
            a = star;
            b = ++taken;
        } else {
            return false;
        }
    }
    while (*a == '*')
        a++;
    return *a == '\0';
}

static bool covers_namespace(const struct rule_owner *earlier, const char *glob, size_t *budget)
{
    for (const char **g = earlier->globs; *g; g++)
        if (covers(*g, glob, budget))
            return true;
    return false;
}

/* Whether `earlier` takes all that `o` matches; of a list of namespaces, its item `glob`. */
static bool takes(const struct rule_owner *earlier, const struct rule_owner *o, const char *glob, size_t *budget)
{
    const char *any = "?*";

    if (earlier->from > o->from || earlier->until < o->until)
        return false;
    if (earlier->match == RULE_MATCH_NAMESPACE)        /* every pod has a namespace: "*" leaves nothing to label lines either */
        return covers_namespace(earlier, glob ? glob : "*", budget);
    if (earlier->match != o->match || strcmp(earlier->label, o->label) != 0)
        return false;
    return covers(earlier->value_glob ? earlier->value_glob : any, o->value_glob ? o->value_glob : any, budget);
}

static const struct rule_owner *taker(struct reach *r, const struct rule_owner *o, const char *glob)
{
    for (const struct rule_owner *earlier = r->owners; earlier < o; earlier++)
        if (takes(earlier, o, glob, &r->budget))
            return earlier;
    return NULL;
}

/* The line that takes the first of what o matches, when all of it is taken; else NULL. */
static const struct rule_owner *taker_of_all(struct reach *r, const struct rule_owner *o)
{
    const struct rule_owner *first = NULL;

    if (o->match != RULE_MATCH_NAMESPACE)
        return taker(r, o, NULL);
    for (const char **g = o->globs; *g; g++) {
        const struct rule_owner *t = taker(r, o, *g);

        if (!t)
            return NULL;
        first = first ? first : t;
    }
    return first;
}

static int check_reach(struct yaml_binder *b, struct reach *r, const struct yaml_node *item, const struct rule_owner *o)
{
    const struct rule_owner *t = taker_of_all(r, o);

    if (!t)
        return 0;
    yaml_fail(b, item, "this owner line is never reached: line %lld takes what it matches", (long long)t->line);
    return err_hint(b->e, "put the narrower line first, or remove this one");
}

/* --- owners --- */

static int read_owner(struct yaml_binder *b, const struct yaml_node *item)
{
    struct rule_owner o = { .from = TIME_MIN, .until = TIME_MAX, .line = item->line };
    struct owner_nodes n = {0};

    if (yaml_bind(b, item, &owner_schema, &n) < 0 || pick_matcher(b, item, &n, &o) < 0
        || read_matcher(b, n.matcher[o.match], &o) < 0 || read_payer(b, item, &n, &o) < 0 || read_dates(b, &n, &o) < 0)
        return -1;
    vec_push(&rule_of(b)->owners, o);
    return 0;
}

static size_t count_patterns(const struct rule_owner *o)
{
    size_t n = 0;

    while (o->globs && o->globs[n])
        n++;
    return n ? n : 1;
}

int rule_read_owners(struct yaml_binder *b, const struct yaml_node *list, void *target, const void *unused)
{
    struct reach reach = { .budget = (size_t)200 * 1000 * 1000 };
    struct rule *r = rule_of(b);
    const struct yaml_node *item = list->child;

    (void)target;
    (void)unused;
    if (yaml_read_items(b, list, read_owner) < 0)
        return -1;
    if (list->n == 0) {
        yaml_fail(b, list, "owners must not be an empty list");
        return err_hint(b->e, "without the key owners the team is the namespace");
    }
    reach.owners = r->owners.v;
    for (size_t i = 0; i < r->owners.n; i++, item = item->next) {
        reach.n_patterns += count_patterns(&r->owners.v[i]);
        if (reach.n_patterns > RULE_PATTERNS_MAX)
            return yaml_fail(b, item, "the owner lines hold more than %d patterns", RULE_PATTERNS_MAX);
        if (check_reach(b, &reach, item, &r->owners.v[i]) < 0)
            return -1;
    }
    r->has_owners = true;
    return 0;
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
