/* cmd_rule: `gputab rule`: what is wrong with a rule, what it comes to, and whether its examples come out as people expect.
 * None of it reads a bill or metrics. What is found is the result and goes to standard output. */
#include "gputab/cli/cmd_rule.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gputab/base/nearest.h"
#include "gputab/base/utf8.h"
#include "gputab/cli/message.h"
#include "gputab/core/rule_trial.h"
#include "gputab/source/rule.h"
#include "gputab/source/rule_lint.h"
#include "gputab/source/rule_show.h"

const struct opt rule_opts[] = {
    {.type = OPT_HEADING, .help = "Options"},
    {.type = OPT_HELP, .letter = 'h', .name = "help", .help = "show this"},
    OPT_END
};

static void print(struct buf *b)
{
    fwrite(buf_str(b), 1, b->n, stdout);
    buf_free(b);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* FILE:LINE:COLUMN, as far as they are known. */
static void add_place(struct buf *b, const char *path, int64_t line, int64_t column)
{
    utf8_add_printable(b, span_of(path));
    if (line > 0)
        buf_addf(b, ":%lld", (long long)line);
    if (line > 0 && column > 0)
        buf_addf(b, ":%lld", (long long)column);
}

/* ---- lint ---- */

static void add_finding(struct buf *b, const char *path, const struct rule_finding *f)
{
    add_place(b, path, f->line, f->column);
    buf_adds(b, f->is_error ? ": error: " : ": warning: ");
    utf8_add_printable(b, span_of(f->text));
    buf_addc(b, '\n');
    if (!f->hint)
        return;
    buf_adds(b, "  hint: ");
    utf8_add_printable(b, span_of(f->hint));
    buf_addc(b, '\n');
}

static int lint(const char *path, struct err *e)
{
    struct rule_findings found = {0};
    struct buf b = {0};

    if (rule_lint(path, (time_ms)time(NULL) * TIME_SECOND, &found, e) < 0)
        return -1;
    for (size_t i = 0; i < found.list.n; i++)
        add_finding(&b, path, &found.list.v[i]);
    buf_addf(&b, "%zu error%s, %zu warning%s\n", found.errors, plural(found.errors), found.warnings, plural(found.warnings));
    print(&b);
    rule_findings_free(&found);
    return found.errors ? ERR_USAGE : 0;
}

/* ---- show ---- */

static int show(const char *path, struct err *e)
{
    struct diag diag = {0};
    struct buf b = {0};
    int rc = rule_show(path, &b, &diag, e);

    if (rc == 0)
        print(&b);
    message_warnings(&diag);
    diag_free(&diag);
    buf_free(&b);
    return rc;
}

/* ---- test ---- */

static void add_outcome(struct buf *b, const char *team, const char *cost_centre)
{
    utf8_add_printable(b, span_of(team));
    if (!cost_centre)
        return;
    buf_adds(b, ", cost centre ");
    utf8_add_printable(b, span_of(cost_centre));
}

static void add_got(struct buf *b, const struct rule_trial *t)
{
    add_outcome(b, t->team, t->cost_centre || !t->test->cost_centre ? t->cost_centre : "(unmapped)");
    if (t->line)
        buf_addf(b, " (line %lld)", (long long)t->line);
    else
        buf_adds(b, " (no line)");
    if (t->test->at == TIME_MIN && t->from != TIME_MIN && !t->passed) {
        buf_adds(b, " from ");
        time_add_text(b, t->from);
        buf_adds(b, " on");
    }
}

static void add_trial(struct buf *b, const char *path, const struct rule_trial *t)
{
    buf_adds(b, t->passed ? "PASS " : "FAIL ");
    add_place(b, path, t->test->line, 0);
    buf_addf(b, " %s/%s", t->test->namespace_name, t->test->pod);
    if (t->test->at != TIME_MIN) {
        buf_adds(b, " at ");
        time_add_text(b, t->test->at);
    }
    buf_adds(b, ": ");
    if (!t->passed) {
        buf_adds(b, "expected ");
        add_outcome(b, t->test->team ? t->test->team : t->test->bucket, t->test->cost_centre);
        buf_adds(b, ", got ");
    }
    add_got(b, t);
    buf_addc(b, '\n');
}

static int try_all(const struct rule *rule, const char *path)
{
    struct intern *names = intern_new();
    size_t passed = 0, n = rule->tests.n;
    struct buf b = {0};

    for (size_t i = 0; i < n; i++) {
        struct rule_trial t;

        rule_trial_run(rule, i, names, &t);
        add_trial(&b, path, &t);
        passed += t.passed;
    }
    buf_addf(&b, "%zu passed, %zu failed\n", passed, n - passed);
    print(&b);
    intern_free(names);
    return passed == n ? 0 : ERR_USAGE;
}

static int test(const char *path, struct err *e)
{
    struct rule rule = {0};
    struct diag diag = {0};
    int rc = rule_read(path, &rule, &diag, e);

    if (rc == 0 && rule.tests.n == 0) {
        err_set(e, ERR_USAGE, "the rule has no tests");
        err_at(e, path, 0, 0);
        rc = err_hint(e, "for example: tests: [{pod: nlp/train-1, team: nlp}], see gputab-rule(5)");
    }
    if (rc == 0)
        rc = try_all(&rule, path);
    message_warnings(&diag);
    diag_free(&diag);
    rule_free(&rule);
    return rc;
}

/* ---- the command ---- */

static const struct action {
    const char *name;
    int (*run)(const char *path, struct err *e);
    bool without_file;             /* it may be left out */
} actions[] = {
    {"lint", lint, false}, {"show", show, true}, {"test", test, false}, {NULL, NULL, false}
};

static const struct action *find_action(const char *name, struct err *e)
{
    struct nearest near = nearest_to(name);

    for (const struct action *a = actions; a->name; a++) {
        if (strcmp(a->name, name) == 0)
            return a;
        nearest_try(&near, a->name);
    }
    err_set(e, ERR_USAGE, "unknown command \"rule %s\"", name);
    if (near.name)
        err_hint(e, "did you mean \"%s\"?", near.name);
    else
        err_hint(e, "gputab rule lint FILE, gputab rule show FILE, or gputab rule test FILE");
    return NULL;
}

int cmd_rule(const struct opt_list *operands, struct err *e)
{
    const struct action *a;

    if (operands->n == 0) {
        err_set(e, ERR_USAGE, "what to do with a rule is missing");
        return err_hint(e, "gputab rule lint FILE, gputab rule show FILE, or gputab rule test FILE");
    }
    a = find_action(operands->v[0], e);
    if (!a)
        return -1;
    if (operands->n > 2)
        return err_set(e, ERR_USAGE, "gputab rule %s takes one file; \"%s\" is too many", a->name, operands->v[2]);
    if (operands->n < 2 && !a->without_file) {
        err_set(e, ERR_USAGE, "gputab rule %s needs a file", a->name);
        return err_hint(e, "gputab rule %s rule.yaml", a->name);
    }
    return a->run(operands->n == 2 ? operands->v[1] : NULL, e);
}
