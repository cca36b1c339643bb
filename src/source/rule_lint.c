/* rule_lint: errors key by key, then what a rule that is taken probably does not mean.
 *
 * What is certain to be wrong is an error of those who read the keys; here are only doubts, such as a team in no cost centre, or names
 * that nothing in a cluster can have. A doubt must be worth a look: what is merely unusual is not told.
 *
 * Places come from the document, meanings from the rule that was read from it: their lists are walked side by side. */
#include "gputab/source/rule_lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/intern.h"
#include "gputab/base/nearest.h"
#include "gputab/source/rule_draft.h"

struct lint {
    struct rule_findings *out;
    const struct yaml_node *root;
    const struct rule *rule;
    time_ms now;
};

/* ---- findings ---- */

static void add(struct rule_findings *out, bool is_error, int64_t line, int64_t column, const char *text, const char *hint)
{
    vec_push(&out->list, (struct rule_finding){ is_error, line, column, xstrdup(text), hint && *hint ? xstrdup(hint) : NULL });
    *(is_error ? &out->errors : &out->warnings) += 1;
}

static void add_err(struct rule_findings *out, const struct err *e)
{
    add(out, true, e->line, e->column, e->text, e->hint);
}

static void warn(struct lint *l, const struct yaml_node *at, const char *hint, const char *fmt, ...) GPUTAB_PRINTF(4, 5);

static void warn(struct lint *l, const struct yaml_node *at, const char *hint, const char *fmt, ...)
{
    struct err text = { 0 };
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text.text, sizeof text.text, fmt, ap);
    va_end(ap);
    add(l->out, false, at->line, at->column, text.text, hint);
}

static int by_place(const void *pa, const void *pb)
{
    const struct rule_finding *a = pa, *b = pb;

    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return strcmp(a->text, b->text);
}

void rule_findings_free(struct rule_findings *f)
{
    for (size_t i = 0; i < f->list.n; i++) {
        free(f->list.v[i].text);
        free(f->list.v[i].hint);
    }
    vec_free(&f->list);
}

/* ---- values that are one or a list ---- */

static const struct yaml_node *first_of(const struct yaml_node *value)
{
    return value && value->kind == YAML_LIST ? value->child : value;
}

static const struct yaml_node *next_of(const struct yaml_node *value, const struct yaml_node *item)
{
    return value->kind == YAML_LIST ? item->next : NULL;
}

/* ---- names that nothing can have ---- */

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool has_capital(const char *s)
{
    for (; *s; s++)
        if (is_capital(*s))
            return true;
    return false;
}

static const char *const kinds[] = { "CronJob", "DaemonSet", "Deployment", "Job", "LeaderWorkerSet", "Notebook", "Pod", "PyTorchJob",
                                     "RayCluster", "RayJob", "ReplicaSet", "ReplicationController", "StatefulSet", "Workflow", NULL };

static void check_kind(struct lint *l, const struct yaml_node *at, struct span kind)
{
    for (const char *const *k = kinds; *k; k++)
        if (span_eq_fold(kind, *k) && !span_eq(kind, *k))
            warn(l, at, NULL, "the kind \"%.*s\" is written \"%s\"", (int)kind.n, kind.p, *k);
}

/* Names of namespaces, nodes and workloads are in small letters in Kubernetes. */
static void check_globs(struct lint *l, const char *key, const struct yaml_node *value)
{
    bool workload = strcmp(key, rule_match_names[RULE_MATCH_WORKLOAD]) == 0;

    for (const struct yaml_node *v = first_of(value); v; v = next_of(value, v)) {
        const char *slash = workload ? strchr(v->text, '/') : NULL;
        const char *name = slash ? slash + 1 : v->text;

        if (slash)
            check_kind(l, v, (struct span){ v->text, (size_t)(slash - v->text) });
        if (has_capital(name))
            warn(l, v, "Kubernetes has these names in small letters", "%s \"%s\" matches nothing: no name has capitals", key,
                 yaml_show(v->text).s);
    }
}

static void check_names(struct lint *l, const struct yaml_node *item)
{
    static const enum rule_match of_names[] = { RULE_MATCH_NAMESPACE, RULE_MATCH_WORKLOAD, RULE_MATCH_NODE };

    for (size_t i = 0; i < sizeof of_names / sizeof *of_names; i++) {
        const char *key = rule_match_names[of_names[i]];
        const struct yaml_node *value = yaml_get(item, key);

        if (value)
            check_globs(l, key, value);
    }
}

/* ---- spellings that differ in case ---- */

/* Texts in small letters, and where each was first. */
struct folded {
    struct intern *keys;
    VEC(const struct yaml_node *) first;   /* by id - 1 */
};

/* what: "team", "value of pod_label": texts of other things are not compared. */
static void check_case(struct lint *l, struct folded *f, const char *what, const struct yaml_node *at)
{
    struct buf key = { 0 };
    uint32_t id;

    buf_addf(&key, "%s ", what);
    for (const char *p = at->text; *p; p++)
        buf_addc(&key, is_capital(*p) ? (char)(*p - 'A' + 'a') : *p);
    id = intern_put(f->keys, key.p, key.n);
    buf_free(&key);
    if (id > f->first.n)
        vec_push(&f->first, at);
    else if (strcmp(f->first.v[id - 1]->text, at->text) != 0)
        warn(l, at, "letters count as written; aliases say which spellings are one team",
             "%s \"%s\" differs only by case from \"%s\" in line %lld", what, yaml_show(at->text).s,
             yaml_show(f->first.v[id - 1]->text).s, (long long)f->first.v[id - 1]->line);
}

static void check_case_of_values(struct lint *l, struct folded *f, const struct yaml_node *item)
{
    for (const struct yaml_node *m = item->child; m; m = m->next) {
        const struct yaml_node *value = m->kind == YAML_MAP ? yaml_get(m, "value") : NULL;
        struct buf what = { 0 };

        buf_addf(&what, "value of %s", m->key->text);
        for (const struct yaml_node *v = first_of(value); v; v = next_of(value, v))
            check_case(l, f, buf_str(&what), v);
        buf_free(&what);
    }
}

/* ---- teams ---- */

static const char *meant_by(const struct rule *r, const char *team)
{
    const char *meant = rule_team_meant(r, span_of(team));

    return meant ? meant : team;
}

/* Whether the line may give the team. An alias may make anything of a value. */
static bool may_give(const struct rule *r, const struct rule_owner *o, const char *team)
{
    static const char hole[] = "{value}";
    const char *at = o->team ? strstr(o->team, hole) : NULL, *tail;
    size_t head = at ? (size_t)(at - o->team) : 0;

    if (!o->team)
        return false;
    if (!at)
        return strcmp(meant_by(r, o->team), team) == 0;
    if (r->aliases.n > 0)
        return true;
    tail = at + strlen(hole);
    return strlen(team) > head + strlen(tail) && memcmp(team, o->team, head) == 0 && span_ends(span_of(team), tail);
}

static bool is_given(const struct lint *l, const char *team)
{
    if (!l->rule->has_owners)
        return true;                                   /* any namespace may be one */
    for (size_t i = 0; i < l->rule->owners.n; i++)
        if (may_give(l->rule, &l->rule->owners.v[i], team))
            return true;
    return false;
}

static bool has_share(const struct rule_shares *shares, const char *team)
{
    for (size_t i = 0; i < shares->n; i++)
        if (strcmp(shares->v[i].team, team) == 0)
            return true;
    return false;
}

/* Teams that idle or shared costs go to, whatever else they have. */
static bool is_paid(const struct lint *l, const char *team)
{
    const struct rule_idle *idle = &l->rule->idle;

    if (has_share(&idle->shares, team))
        return true;
    for (size_t i = 0; i < idle->owners.n; i++)
        if (strcmp(idle->owners.v[i].team, team) == 0)
            return true;
    for (size_t i = 0; i < l->rule->shared_costs.n; i++)
        if (has_share(&l->rule->shared_costs.v[i].shares, team))
            return true;
    return false;
}

/* The team of an owner line whose name is like this one. */
static void add_near(const struct lint *l, const char *team, struct buf *hint)
{
    struct nearest near = nearest_to(team);

    for (size_t i = 0; i < l->rule->owners.n; i++)
        if (l->rule->owners.v[i].team && !strstr(l->rule->owners.v[i].team, "{value}"))
            nearest_try(&near, meant_by(l->rule, l->rule->owners.v[i].team));
    if (near.name)
        buf_addf(hint, "did you mean \"%s\"?", yaml_show(near.name).s);
}

/* A team that another part of the rule names. alone: what it gets there, of itself; NULL: nothing. */
static void check_team(struct lint *l, const struct yaml_node *team, const char *alone)
{
    const char *meant = meant_by(l->rule, team->text);
    struct buf hint = { 0 };

    add_near(l, team->text, &hint);
    if (strcmp(meant, team->text) != 0)
        warn(l, team, "aliases are applied to what owner lines give, not here", "team \"%s\" is a spelling of \"%s\": write that",
             yaml_show(team->text).s, yaml_show(meant).s);
    else if (!is_given(l, team->text) && (alone || !is_paid(l, team->text)))
        warn(l, team, buf_str(&hint), "no owner line gives the team \"%s\"%s%s%s", yaml_show(team->text).s, alone ? ": it will have " : "",
             alone ? alone : "", alone ? " alone" : "");
    buf_free(&hint);
}

static bool has_centre(const struct rule *r, const char *team)
{
    for (size_t i = 0; i < r->cost_centres.n; i++)
        for (const char **t = r->cost_centres.v[i].teams; *t; t++)
            if (strcmp(*t, team) == 0)
                return true;
    return false;
}

static void check_centre(struct lint *l, const struct yaml_node *at, const char *team)
{
    if (l->rule->cost_centres.n > 0 && !has_centre(l->rule, team))
        warn(l, at, "its cost is (unmapped) where cost centres are shown", "team \"%s\" is in no cost centre", yaml_show(team).s);
}

/* A team that the rule moves money to. One that an owner line names has been asked for its cost centre there. */
static void check_payer(struct lint *l, struct folded *f, const struct yaml_node *team, const char *what)
{
    bool named = false;

    check_team(l, team, what);
    check_case(l, f, "team", team);
    for (size_t i = 0; i < l->rule->owners.n; i++)
        named = named || (l->rule->owners.v[i].team && strcmp(meant_by(l->rule, l->rule->owners.v[i].team), team->text) == 0);
    if (!named)
        check_centre(l, team, team->text);
}

static void check_cost_centres(struct lint *l, struct folded *f)
{
    const struct yaml_node *list = yaml_get(l->root, "cost_centres");

    for (const struct yaml_node *c = list ? list->child : NULL; c; c = c->next)
        for (const struct yaml_node *t = yaml_get(c, "teams")->child; t; t = t->next) {
            check_team(l, t, NULL);
            check_case(l, f, "team", t);
        }
}

static void check_budgets(struct lint *l, struct folded *f)
{
    const struct yaml_node *list = yaml_get(l->root, "budgets");

    for (const struct yaml_node *b = list ? list->child : NULL; b; b = b->next) {
        const struct yaml_node *team = yaml_get(b, "team");

        if (!team)
            continue;
        check_team(l, team, NULL);
        check_case(l, f, "team", team);
    }
}

static void check_idle(struct lint *l, struct folded *f)
{
    const struct yaml_node *idle = yaml_get(l->root, "idle");
    const struct yaml_node *to = idle ? yaml_get(idle, "team") : NULL, *shares = idle ? yaml_get(idle, "shares") : NULL;
    const struct yaml_node *owners = idle ? yaml_get(idle, "owners") : NULL;

    if (to)
        check_payer(l, f, to, "idle cost");
    for (const struct yaml_node *s = shares ? shares->child : NULL; s; s = s->next)
        check_payer(l, f, s->key, "idle cost");
    for (const struct yaml_node *o = owners ? owners->child : NULL; o; o = o->next)
        check_payer(l, f, yaml_get(o, "team"), "idle cost");
}

static void check_shared(struct lint *l, struct folded *f)
{
    const struct yaml_node *list = yaml_get(l->root, "shared_costs");

    for (const struct yaml_node *c = list ? list->child : NULL; c; c = c->next) {
        const struct yaml_node *shares = yaml_get(c, "shares");

        for (const struct yaml_node *s = shares ? shares->child : NULL; s; s = s->next)
            check_payer(l, f, s->key, "shared costs");
    }
}

/* ---- owner lines ---- */

/* The month before this one is what reports are about when nobody says another. */
static void check_over(struct lint *l, const struct yaml_node *item, const struct rule_owner *o)
{
    struct timespan last = timespan_last_month(l->now);

    if (o->until <= last.from)
        warn(l, yaml_get(item, "until"), "it still counts where an older month is reported",
             "this owner line was over before last month began");
}

static void check_owner(struct lint *l, struct folded *f, const struct yaml_node *item, const struct rule_owner *o)
{
    const struct yaml_node *team = yaml_get(item, "team");
    const char *meant = team ? meant_by(l->rule, team->text) : NULL;

    check_names(l, item);
    check_case_of_values(l, f, item);
    check_over(l, item, o);
    if (!team || strstr(team->text, "{value}"))
        return;
    if (strcmp(meant, team->text) == 0)
        check_case(l, f, "team", team);
    check_centre(l, team, meant);
}

static void check_owners(struct lint *l, struct folded *f)
{
    const struct yaml_node *list = yaml_get(l->root, "owners"), *item = list ? list->child : NULL;

    for (size_t i = 0; i < l->rule->owners.n; i++, item = item->next)
        check_owner(l, f, item, &l->rule->owners.v[i]);
}

/* ---- the file ---- */

static void find_doubts(struct rule_findings *out, const struct yaml_node *root, const struct rule *rule, time_ms now)
{
    struct lint l = { out, root, rule, now };
    struct folded f = { .keys = intern_new() };

    check_owners(&l, &f);
    check_cost_centres(&l, &f);
    check_budgets(&l, &f);
    check_idle(&l, &f);
    check_shared(&l, &f);
    intern_free(f.keys);
    vec_free(&f.first);
}

/* Every key on its own, so that one mistake does not hide the others. */
static void bind_all(struct yaml_binder *b, struct rule_findings *out)
{
    for (const struct yaml_node *v = b->doc->root->child; v; v = v->next) {
        struct yaml_node one = *v, map = *b->doc->root;

        one.next = NULL;
        map.child = &one;
        map.n = 1;
        if (rule_bind(b, &map) < 0)
            add_err(out, b->e);
        err_clear(b->e);
    }
    if (out->errors == 0 && rule_check(b) < 0)
        add_err(out, b->e);
}

static void look(struct span text, const char *path, time_ms now, struct rule_findings *out)
{
    struct rule_draft d = { .diag = NULL };
    struct yaml_doc doc = { 0 };
    struct err e = { 0 };
    struct yaml_binder b = { .owner = &d, .e = &e };

    rule_defaults(&d.rule);
    if (rule_read_document(&b, text, path, &doc) < 0)
        add_err(out, &e);
    else
        bind_all(&b, out);
    if (out->errors == 0)
        find_doubts(out, doc.root, &d.rule, now);
    yaml_doc_free(&doc);
    rule_free(&d.rule);
    if (out->list.n > 0)
        qsort(out->list.v, out->list.n, sizeof *out->list.v, by_place);
}

int rule_lint(const char *path, time_ms now, struct rule_findings *out, struct err *e)
{
    struct buf text = { 0 };
    int rc = rule_load(path, &text, e);

    if (rc == 0)
        look(buf_span(&text), path, now, out);
    buf_free(&text);
    return rc;
}
