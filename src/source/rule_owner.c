/* rule_owner: who pays for a pod: owner lines, of which the first match decides.
 *
 * A line has matchers, which must all match, one payer and at most one span of time. What can be known to be a mistake without any
 * metrics is an error here, such as a glob that no name can match.
 *
 * Not here: lines that others leave nothing to (source/rule_reach), what teams are together (source/rule_team), and matching pods, which
 * core/owners does. */
#include "gputab/source/rule_owner.h"

#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/utf8.h"
#include "gputab/source/rule_reach.h"

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

int rule_check_name(struct yaml_binder *b, const struct yaml_node *text, const char *more)
{
    return yaml_expect(b, text, YAML_TEXT) < 0 ? -1 : check_chars(b, text, more);
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

/* --- matchers --- */

static void refuse_short_label(struct yaml_binder *b, const struct yaml_node *value)
{
    if (value->kind == YAML_TEXT)
        err_hint(b->e, "write {name: \"%s\"}", yaml_show(value->text).s);
}

/* One name, or several that mean the same. */
static int read_label_names(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    const struct yaml_node *v = value->kind == YAML_LIST ? value->child : value;
    size_t n = value->kind == YAML_LIST ? value->n : 1;
    const char **names = arena_alloc(&rule_of(b)->strings, (n + 1) * sizeof *names);

    (void)unused;
    if (n == 0)
        return yaml_fail(b, value, "%s must not be an empty list", yaml_name(value));
    for (size_t i = 0; i < n; i++, v = v->next)
        if (read_label_name(b, v, &names[i], NULL) < 0)
            return -1;
    names[n] = NULL;
    *(const char *const **)target = names;
    return 0;
}

static int read_label(struct yaml_binder *b, const struct yaml_node *value, struct rule_matcher *m)
{
    static const struct yaml_key keys[] = {
        { "name", read_label_names, offsetof(struct rule_matcher, names), NULL },
        { "value", rule_read_globs, offsetof(struct rule_matcher, globs), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);

    if (yaml_bind(b, value, &schema, m) < 0) {
        refuse_short_label(b, value);
        return -1;
    }
    return m->names ? 0 : yaml_fail(b, value, "%s needs a name", yaml_name(value));
}

static int read_names(struct yaml_binder *b, const struct yaml_node *value, struct rule_matcher *m)
{
    return rule_read_globs(b, value, &m->globs, NULL);
}

static int read_pool(struct yaml_binder *b, const struct yaml_node *value, struct rule_matcher *m)
{
    m->names = rule_pool_labels;
    return rule_read_globs(b, value, &m->globs, NULL);
}

int rule_check_workload(struct yaml_binder *b, const struct yaml_node *value)
{
    const char *slash = strchr(value->text, '/');

    if (slash && slash > value->text && slash[1] && !strchr(slash + 1, '/'))
        return 0;
    yaml_fail(b, value, "workload \"%s\" is not of the form Kind/name", yaml_show(value->text).s);
    return err_hint(b->e, "for example Deployment/web-1; the pod's namespace goes with the key namespace");
}

/* A name alone is one of any kind. */
static int read_workload(struct yaml_binder *b, const struct yaml_node *value, const char **out)
{
    struct buf any = { 0 };

    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (check_chars(b, value, "*?/") < 0)
        return err_hint(b->e, "letters, digits, \"-\", \"_\", \".\", one \"/\" and the wildcards * and ? may stand here");
    *out = arena_strdup(&rule_of(b)->strings, value->text);
    if (strchr(value->text, '/'))
        return rule_check_workload(b, value);
    buf_addf(&any, "*/%s", value->text);
    *out = arena_strdup(&rule_of(b)->strings, buf_str(&any));
    buf_free(&any);
    return 0;
}

static int read_workloads(struct yaml_binder *b, const struct yaml_node *value, struct rule_matcher *m)
{
    const struct yaml_node *v = value->kind == YAML_LIST ? value->child : value;
    size_t n = value->kind == YAML_LIST ? value->n : 1;
    const char **globs = arena_alloc(&rule_of(b)->strings, (n + 1) * sizeof *globs);

    if (n == 0)
        return yaml_fail(b, value, "%s must not be an empty list", yaml_name(value));
    for (size_t i = 0; i < n; i++, v = v->next)
        if (read_workload(b, v, &globs[i]) < 0)
            return -1;
    globs[n] = NULL;
    m->globs = globs;
    return 0;
}

static int (*const matcher_readers[])(struct yaml_binder *b, const struct yaml_node *value, struct rule_matcher *m) = {
    [RULE_MATCH_NAMESPACE] = read_names,
    [RULE_MATCH_POD_LABEL] = read_label,
    [RULE_MATCH_NAMESPACE_LABEL] = read_label,
    [RULE_MATCH_POD_ANNOTATION] = read_label,
    [RULE_MATCH_NAMESPACE_ANNOTATION] = read_label,
    [RULE_MATCH_WORKLOAD] = read_workloads,
    [RULE_MATCH_NODE] = read_names,
    [RULE_MATCH_NODE_LABEL] = read_label,
    [RULE_MATCH_NODE_POOL] = read_pool,
};

/* --- one owner line --- */

struct owner_nodes {
    const struct yaml_node *team, *bucket, *from, *until;
    const struct yaml_node *matcher[RULE_MATCHES];
};

#define MATCHER(name, match) { name, yaml_read_node, offsetof(struct owner_nodes, matcher) + (match) * sizeof(struct yaml_node *), NULL }
static const struct yaml_key owner_keys[] = {
    MATCHER("namespace", RULE_MATCH_NAMESPACE),
    MATCHER("pod_label", RULE_MATCH_POD_LABEL),
    MATCHER("namespace_label", RULE_MATCH_NAMESPACE_LABEL),
    MATCHER("pod_annotation", RULE_MATCH_POD_ANNOTATION),
    MATCHER("namespace_annotation", RULE_MATCH_NAMESPACE_ANNOTATION),
    MATCHER("workload", RULE_MATCH_WORKLOAD),
    MATCHER("node", RULE_MATCH_NODE),
    MATCHER("node_label", RULE_MATCH_NODE_LABEL),
    MATCHER("node_pool", RULE_MATCH_NODE_POOL),
    { "team", yaml_read_node, offsetof(struct owner_nodes, team), NULL },
    { "bucket", yaml_read_node, offsetof(struct owner_nodes, bucket), NULL },
    { "from", yaml_read_node, offsetof(struct owner_nodes, from), NULL },
    { "until", yaml_read_node, offsetof(struct owner_nodes, until), NULL },
};
static const struct yaml_schema owner_schema = YAML_SCHEMA(owner_keys);

/* Which matcher the value of an owner line is; RULE_MATCHES: none. */
static enum rule_match match_of(const struct owner_nodes *n, const struct yaml_node *value)
{
    int i = 0;

    while (i < RULE_MATCHES && n->matcher[i] != value)
        i++;
    return (enum rule_match)i;
}

static int read_matchers(struct yaml_binder *b, const struct yaml_node *item, const struct owner_nodes *n, struct rule_owner *o)
{
    struct rule_matcher *matchers = arena_alloc(&rule_of(b)->strings, (item->n + 1) * sizeof *matchers);

    o->matchers = matchers;
    for (const struct yaml_node *v = item->child; v; v = v->next) {
        struct rule_matcher m = { .match = match_of(n, v) };

        if (m.match == RULE_MATCHES)
            continue;
        if (matcher_readers[m.match](b, v, &m) < 0)
            return -1;
        matchers[o->n_matchers++] = m;
    }
    if (o->n_matchers)
        return 0;
    yaml_fail(b, item, "an owner line needs something to match");
    return err_hint(b->e, "namespace, pod_label, namespace_label, pod_annotation, namespace_annotation, workload, node, node_label or "
                          "node_pool");
}

static bool has_value(const struct rule_owner *o)
{
    for (size_t i = 0; i < o->n_matchers; i++)
        if (o->matchers[i].names)
            return true;
    return false;
}

/* "{value}" is the one thing that braces may hold, and it may stand once. */
static int check_placeholder(struct yaml_binder *b, const struct yaml_node *team, const struct rule_owner *o)
{
    const char *hole = strstr(team->text, placeholder), *rest = hole ? hole + strlen(placeholder) : team->text;
    const char *brace = strpbrk(team->text, "{}");

    if ((brace && brace != hole) || strpbrk(rest, "{}")) {
        yaml_fail(b, team, "team \"%s\" holds braces other than one \"{value}\"", yaml_show(team->text).s);
        return err_hint(b->e, "\"{value}\" stands for the value of the label that the line matches");
    }
    if (!hole || has_value(o))
        return 0;
    yaml_fail(b, team, "\"{value}\" is the value of a label, and this line asks for none");
    return err_hint(b->e, "it goes with the labels and annotations of pods, namespaces and nodes, and with node_pool");
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
        return check_placeholder(b, n->team, o);
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

/* --- owners --- */

static int read_owner(struct yaml_binder *b, const struct yaml_node *item)
{
    struct rule_owner o = { .from = TIME_MIN, .until = TIME_MAX, .line = item->line };
    struct owner_nodes n = {0};

    if (yaml_bind(b, item, &owner_schema, &n) < 0 || read_matchers(b, item, &n, &o) < 0
        || read_payer(b, item, &n, &o) < 0 || read_dates(b, &n, &o) < 0)
        return -1;
    vec_push(&rule_of(b)->owners, o);
    return 0;
}

int rule_read_owners(struct yaml_binder *b, const struct yaml_node *list, void *target, const void *unused)
{
    struct rule *r = rule_of(b);

    (void)target;
    (void)unused;
    if (yaml_read_items(b, list, read_owner) < 0)
        return -1;
    if (list->n == 0) {
        yaml_fail(b, list, "owners must not be an empty list");
        return err_hint(b->e, "without the key owners the team is the namespace");
    }
    if (rule_check_reach(b, list, r->owners.v, r->owners.n) < 0)
        return -1;
    r->has_owners = true;
    return 0;
}
