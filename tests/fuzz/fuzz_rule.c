/* fuzz_rule: rule files. What is read must be a rule as value/rule.h promises it, and line ends must make no difference: each file is
 * read once as it is and once with CRLF for LF. What is shown of a rule must be the same rule, and be shown as itself; lint must find
 * errors where reading does; and every test of a rule must come to something. */
#include "fuzz_file.h"
#include "gputab/codec/yaml.h"
#include "gputab/core/rule_trial.h"
#include "gputab/source/rule.h"
#include "gputab/source/rule_lint.h"
#include "gputab/source/rule_show.h"

struct world {
    struct rule rule;
    struct diag diag;
    struct err err;
    int rc;
};

static struct world read_rule(struct span bytes)
{
    struct world w = {0};
    struct fuzz_file f = fuzz_file_open(bytes);

    w.rc = rule_read(f.path, &w.rule, &w.diag, &w.err);
    FUZZ_CHECK((w.rc < 0) == (w.err.code != ERR_NONE));
    fuzz_file_close(&f);
    return w;
}

static void release(struct world *w)
{
    rule_free(&w->rule);
    diag_free(&w->diag);
}

/* ---- what came of it ---- */

static void add_text(struct buf *b, const char *s)
{
    fuzz_add_span(b, s ? span_of(s) : span_of("(none)"));
}

static void add_texts(struct buf *b, const char *const *list)
{
    for (; list && *list; list++)
        add_text(b, *list);
    buf_adds(b, "| ");
}

static void add_money(struct buf *b, money m)
{
    money_add_text(b, m, MONEY_DECIMALS);
    buf_addc(b, ' ');
}

static void add_owner(struct buf *b, const struct rule_owner *o)
{
    for (size_t i = 0; i < o->n_matchers; i++) {
        buf_addf(b, "%d ", (int)o->matchers[i].match);
        add_texts(b, o->matchers[i].names);
        add_texts(b, o->matchers[i].globs);
    }
    add_text(b, o->team);
    add_text(b, o->bucket);
    buf_addf(b, "%lld %lld\n", (long long)o->from, (long long)o->until);
}

static void add_test(struct buf *b, const struct rule_test *t)
{
    const char *const texts[] = { t->namespace_name, t->pod, t->workload, t->node, t->team, t->bucket, t->cost_centre };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_text(b, texts[i]);
    for (int m = 0; m < RULE_MATCHES; m++)
        for (size_t i = 0; i < t->sets[m].n; i++) {
            add_text(b, t->sets[m].v[i].name);
            add_text(b, t->sets[m].v[i].value);
        }
    fuzz_add_number(b, t->at);
}

static void add_shares(struct buf *b, const struct rule_shares *shares)
{
    for (size_t i = 0; i < shares->n; i++) {
        add_text(b, shares->v[i].team);
        add_money(b, shares->v[i].percent);
    }
}

/* What the rule moves. */
static void add_moves(struct buf *b, const struct rule *r)
{
    add_shares(b, &r->idle.shares);
    for (size_t i = 0; i < r->idle.owners.n; i++) {
        add_texts(b, r->idle.owners.v[i].nodes);
        add_text(b, r->idle.owners.v[i].label);
        add_text(b, r->idle.owners.v[i].value_glob);
        add_text(b, r->idle.owners.v[i].team);
    }
    for (size_t i = 0; i < r->shared_costs.n; i++) {
        const struct rule_shared_cost *c = &r->shared_costs.v[i];

        add_text(b, c->name);
        add_text(b, c->column);
        add_text(b, c->value);
        fuzz_add_number(b, c->is_glob);
        fuzz_add_number(b, c->method);
        add_shares(b, &c->shares);
    }
}

static void add_rule(struct buf *b, const struct rule *r)
{
    const money amounts[] = { r->split.vcpu_hour, r->split.gib_hour, r->split.share_cpu, r->split.share_memory, r->split.share_gpu,
                              r->gpu.min_coverage };
    const int64_t numbers[] = { r->mode, r->cost, r->split.method, r->gpu.exclusive, r->gpu.denominator, r->gpu.mig_weight,
                                r->gpu.shared_fallback, r->gpu.max_gap_ms, r->gpu.interval_ms, r->gpu.startup_ms, r->basis, r->idle.policy,
                                r->has_owners, r->attached_include, r->idle.scope, r->idle.reserved, r->idle.unattributed };

    add_text(b, r->name);
    add_text(b, r->version);
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
        add_money(b, amounts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fuzz_add_number(b, numbers[i]);
    for (size_t i = 0; i < r->split.gpu_hour.n; i++) {
        add_text(b, r->split.gpu_hour.v[i].model);
        add_money(b, r->split.gpu_hour.v[i].price_hour);
    }
    for (size_t i = 0; i < r->owners.n; i++)
        add_owner(b, &r->owners.v[i]);
    for (size_t i = 0; i < r->aliases.n; i++) {
        add_text(b, r->aliases.v[i].team);
        add_texts(b, r->aliases.v[i].globs);
    }
    for (size_t i = 0; i < r->tests.n; i++)
        add_test(b, &r->tests.v[i]);
    for (size_t i = 0; i < r->cost_centres.n; i++) {
        add_text(b, r->cost_centres.v[i].id);
        add_text(b, r->cost_centres.v[i].name);
        add_texts(b, r->cost_centres.v[i].teams);
    }
    add_moves(b, r);
}

static void check_matcher(const struct rule_matcher *m)
{
    bool labels = m->match != RULE_MATCH_NAMESPACE && m->match != RULE_MATCH_WORKLOAD && m->match != RULE_MATCH_NODE;

    FUZZ_CHECK(labels ? m->names && m->names[0] && *m->names[0] : !m->names && m->globs);
    FUZZ_CHECK(!m->globs || (m->globs[0] && *m->globs[0]));
}

/* wanted: the key that they belong to asks for them. */
static void check_shares(const struct rule_shares *shares, bool wanted)
{
    money sum = 0;

    for (size_t i = 0; i < shares->n; i++) {
        FUZZ_CHECK(i == 0 || strcmp(shares->v[i - 1].team, shares->v[i].team) < 0);
        sum += shares->v[i].percent;
    }
    FUZZ_CHECK(wanted ? sum == 100 * MONEY_ONE : shares->n == 0);
}

static void check_moves(const struct rule *r)
{
    check_shares(&r->idle.shares, r->idle.policy == RULE_IDLE_FIXED || r->idle.policy == RULE_IDLE_TO);
    for (size_t i = 0; i < r->idle.owners.n; i++)
        FUZZ_CHECK(r->idle.owners.v[i].team && !r->idle.owners.v[i].nodes == !!r->idle.owners.v[i].label);
    for (size_t i = 0; i < r->shared_costs.n; i++) {
        const struct rule_shared_cost *c = &r->shared_costs.v[i];

        FUZZ_CHECK(c->name && c->column && c->value);
        check_shares(&c->shares, c->method == RULE_SHARED_FIXED);
    }
}

static void check_rule(const struct rule *r)
{
    static const money hundred = 100 * MONEY_ONE;

    FUZZ_CHECK(r->name && r->version && strlen(r->sha256) == 64);
    check_moves(r);
    FUZZ_CHECK(r->split.vcpu_hour >= 0 && r->split.gib_hour >= 0);
    FUZZ_CHECK(r->split.method != RULE_SPLIT_SHARES || r->split.share_cpu + r->split.share_memory + r->split.share_gpu == hundred);
    FUZZ_CHECK(r->gpu.min_coverage >= 0 && r->gpu.min_coverage <= hundred);
    FUZZ_CHECK(r->gpu.max_gap_ms > 0 && r->gpu.interval_ms >= 0 && r->gpu.startup_ms >= 0);
    for (size_t i = 0; i < r->split.gpu_hour.n; i++)
        FUZZ_CHECK(r->split.gpu_hour.v[i].price_hour >= 0);
    for (size_t i = 0; i < r->owners.n; i++) {
        const struct rule_owner *o = &r->owners.v[i];

        FUZZ_CHECK(!o->team != !o->bucket);
        FUZZ_CHECK(o->from < o->until && o->line > 0);
        FUZZ_CHECK(o->n_matchers > 0);
        for (size_t k = 0; k < o->n_matchers; k++)
            check_matcher(&o->matchers[k]);
    }
    for (size_t i = 0; i < r->cost_centres.n; i++)
        FUZZ_CHECK(r->cost_centres.v[i].id && *r->cost_centres.v[i].id && r->cost_centres.v[i].teams);
}

static void add_all(struct buf *b, const struct world *w)
{
    if (w->rc < 0)
        fuzz_add_err(b, &w->err);
    else
        add_rule(b, &w->rule);
    for (size_t i = 0; i < w->diag.n; i++)
        buf_addf(b, "%s x%lld [%s]\n", w->diag.items[i].code, (long long)w->diag.items[i].count, w->diag.items[i].texts[0]);
}

static void add_crlf(struct buf *b, struct span s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\n' && (i == 0 || s.p[i - 1] != '\r'))
            buf_addc(b, '\r');
        buf_addc(b, s.p[i]);
    }
}

/* ---- shown, linted, tried ---- */

static void show(struct span bytes, struct buf *out)
{
    struct fuzz_file f = fuzz_file_open(bytes);
    struct diag diag = {0};
    struct err e = {0};

    FUZZ_CHECK(rule_show(f.path, out, &diag, &e) == 0);
    diag_free(&diag);
    fuzz_file_close(&f);
}

static void check_shown(struct span bytes, const struct rule *rule)
{
    struct buf shown = {0}, again = {0}, one = {0}, other = {0};
    struct world w;

    show(bytes, &shown);
    if (shown.n <= YAML_BYTES) {
        w = read_rule(buf_span(&shown));
        FUZZ_CHECK(w.rc == 0);
        add_rule(&one, rule);
        add_rule(&other, &w.rule);
        FUZZ_SAME(&one, &other);
        show(buf_span(&shown), &again);
        FUZZ_SAME(&shown, &again);
        release(&w);
    }
    buf_free(&shown);
    buf_free(&again);
    buf_free(&one);
    buf_free(&other);
}

static void check_lint(struct span bytes, const struct world *w)
{
    struct fuzz_file f = fuzz_file_open(bytes);
    struct rule_findings found = {0};
    struct err e = {0};
    int rc = rule_lint(f.path, INT64_C(1792108800000), &found, &e);

    FUZZ_CHECK(rc < 0 ? w->rc < 0 : (found.errors > 0) == (w->rc < 0));
    rule_findings_free(&found);
    fuzz_file_close(&f);
}

static void check_tests(const struct rule *rule)
{
    struct intern *names = intern_new();

    for (size_t i = 0; i < rule->tests.n; i++) {
        struct rule_trial t;

        rule_trial_run(rule, i, names, &t);
        FUZZ_CHECK(t.team && *t.team && (t.line > 0 || !rule->has_owners || *t.team == '('));
    }
    intern_free(names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    struct buf crlf = {0}, one = {0}, other = {0};
    struct world w, again;

    add_crlf(&crlf, s);
    if (crlf.n > YAML_BYTES) {     /* only one of the two would be read */
        buf_free(&crlf);
        return 0;
    }
    w = read_rule(s);
    again = read_rule(buf_span(&crlf));
    if (w.rc == 0) {
        check_rule(&w.rule);
        check_shown(s, &w.rule);
        check_tests(&w.rule);
    }
    check_lint(s, &w);
    add_all(&one, &w);
    add_all(&other, &again);
    FUZZ_SAME(&one, &other);
    release(&again);
    release(&w);
    buf_free(&crlf);
    buf_free(&one);
    buf_free(&other);
    return 0;
}
