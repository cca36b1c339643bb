/* rule_reach: whether earlier owner lines leave a later one anything to match.
 *
 * A line matches less the more matchers it has. So a line takes another whole when each of its own matchers is implied by one of the
 * other's. Of a list of globs each may be taken by another line. Whether one glob covers another is decided soundly, not completely: only
 * what is certain is told. */
#include "gputab/source/rule_reach.h"

#include <string.h>

struct reach {
    const struct rule_owner *owners;
    size_t budget;                 /* steps left: with none the check gives up; it is a help and changes no number */
};

/* A line, and of the globs of one of its matchers a single one. */
struct part {
    const struct rule_owner *line;
    const struct rule_matcher *matcher;    /* NULL: of none */
    const char *glob;
};

/* b is walked like a text in which a `*` can only be taken by a `*` of a, and a `?` by a `*` or `?` of a. */
bool rule_glob_covers(const char *a, const char *b, size_t *budget)
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

static const char *const any_value[] = { "?*", NULL };

static bool covers_glob(const struct rule_matcher *m, const char *glob, size_t *budget)
{
    for (const char *const *g = m->globs ? m->globs : any_value; *g; g++)
        if (rule_glob_covers(*g, glob, budget))
            return true;
    return false;
}

static bool has_name(const struct rule_matcher *m, const char *name, size_t *budget)
{
    for (const char *const *n = m->names; *n && *budget > 0; n++, --*budget)
        if (strcmp(*n, name) == 0)
            return true;
    return false;
}

/* Every label that `m` looks at is one that `wide` looks at. */
static bool covers_names(const struct rule_matcher *wide, const struct rule_matcher *m, size_t *budget)
{
    if (wide->names == m->names)
        return true;
    for (const char *const *n = m->names; *n; n++)
        if (!has_name(wide, *n, budget))
            return false;
    return true;
}

static bool covers_matcher(const struct rule_matcher *wide, const struct rule_matcher *m, const char *glob, size_t *budget)
{
    if (!covers_names(wide, m, budget))
        return false;
    if (glob)
        return covers_glob(wide, glob, budget);
    for (const char *const *g = m->globs ? m->globs : any_value; *g; g++)
        if (!covers_glob(wide, *g, budget))
            return false;
    return true;
}

/* Every pod has a namespace, and is of a workload: what matches all of them is implied by any line. */
static bool covers_all(const struct rule_matcher *wide, size_t *budget)
{
    if (wide->match == RULE_MATCH_NAMESPACE)
        return covers_glob(wide, "*", budget);
    return wide->match == RULE_MATCH_WORKLOAD && covers_glob(wide, "*/*", budget);
}

static bool is_implied(const struct rule_matcher *wide, struct part p, size_t *budget)
{
    for (size_t i = 0; i < p.line->n_matchers; i++) {
        const struct rule_matcher *m = &p.line->matchers[i];

        if (m->match == wide->match)
            return covers_matcher(wide, m, m == p.matcher ? p.glob : NULL, budget);
    }
    return covers_all(wide, budget);
}

static bool takes(const struct rule_owner *earlier, struct part p, size_t *budget)
{
    if (earlier->from > p.line->from || earlier->until < p.line->until)
        return false;
    for (size_t i = 0; i < earlier->n_matchers; i++)
        if (!is_implied(&earlier->matchers[i], p, budget))
            return false;
    return true;
}

static const struct rule_owner *taker(struct reach *r, struct part p)
{
    for (const struct rule_owner *earlier = r->owners; earlier < p.line; earlier++)
        if (takes(earlier, p, &r->budget))
            return earlier;
    return NULL;
}

/* The first matcher that is a list of names, which can be taken one by one. */
static const struct rule_matcher *find_list(const struct rule_owner *o)
{
    for (size_t i = 0; i < o->n_matchers; i++)
        if (!o->matchers[i].names)
            return &o->matchers[i];
    return NULL;
}

/* The line that takes the first of what o matches, when all of it is taken; else NULL. */
static const struct rule_owner *taker_of_all(struct reach *r, const struct rule_owner *o)
{
    const struct rule_matcher *list = find_list(o);
    const struct rule_owner *first = NULL;

    if (!list)
        return taker(r, (struct part){ o, NULL, NULL });
    for (const char *const *g = list->globs; *g; g++) {
        const struct rule_owner *t = taker(r, (struct part){ o, list, *g });

        if (!t)
            return NULL;
        first = first ? first : t;
    }
    return first;
}

static size_t count(const char *const *list)
{
    size_t n = 0;

    while (list && list[n])
        n++;
    return n;
}

static size_t count_patterns(const struct rule_owner *o)
{
    size_t n = 0;

    for (size_t i = 0; i < o->n_matchers; i++) {
        const struct rule_matcher *m = &o->matchers[i];

        n += count(m->globs) + (m->match == RULE_MATCH_NODE_POOL ? 0 : count(m->names));
    }
    return n;
}

static int check_line(struct yaml_binder *b, struct reach *r, const struct yaml_node *item, const struct rule_owner *o)
{
    const struct rule_owner *t = taker_of_all(r, o);

    if (!t)
        return 0;
    yaml_fail(b, item, "this owner line is never reached: line %lld takes what it matches", (long long)t->line);
    return err_hint(b->e, "put the narrower line first, or remove this one");
}

int rule_check_reach(struct yaml_binder *b, const struct yaml_node *list, const struct rule_owner *lines, size_t n)
{
    struct reach r = { lines, (size_t)200 * 1000 * 1000 };
    const struct yaml_node *item = list->child;
    size_t patterns = 0;

    for (size_t i = 0; i < n; i++, item = item->next) {
        patterns += count_patterns(&lines[i]);
        if (patterns > RULE_PATTERNS_MAX)
            return yaml_fail(b, item, "the owner lines hold more than %d patterns", RULE_PATTERNS_MAX);
        if (check_line(b, &r, item, &lines[i]) < 0)
            return -1;
    }
    return 0;
}
