/* threshold: reads `figure>percent`, and finds what is over it. Comparisons are exact; texts are for people.
 * Only > is taken: each of the four figures is bad when it is large, and which way a change went does not matter. */
#include "gputab/core/threshold.h"

#include <stdio.h>
#include <string.h>

#include "gputab/base/nearest.h"
#include "gputab/core/gates.h"

/* ---- reading ---- */

static const char *const names[THRESHOLD_FIGURES] = {
    [THRESHOLD_BUDGET] = "budget", [THRESHOLD_IDLE] = "idle", [THRESHOLD_CHANGE] = "change", [THRESHOLD_UNMAPPED] = "unmapped",
};

#define PERCENT_MOST (1000000 * MONEY_ONE)

static int find_figure(struct span name, enum threshold_figure *out, struct err *e)
{
    char word[64];
    struct nearest near;

    for (int i = 0; i < THRESHOLD_FIGURES; i++)
        if (span_eq(name, names[i])) {
            *out = (enum threshold_figure)i;
            return 0;
        }
    snprintf(word, sizeof word, "%.*s", (int)name.n, name.n ? name.p : "");
    near = nearest_to(word);
    for (int i = 0; i < THRESHOLD_FIGURES; i++)
        nearest_try(&near, names[i]);
    err_set(e, ERR_USAGE, "--fail-on: unknown figure \"%s\"", word);
    if (near.name)
        return err_hint(e, "did you mean \"%s\"?", near.name);
    return err_hint(e, "figures: budget, idle, change, unmapped, such as 'budget>100%%'");
}

static int fail_form(struct span text, struct err *e)
{
    err_set(e, ERR_USAGE, "--fail-on \"%.*s\" is not of the form FIGURE>PERCENT", (int)text.n, text.n ? text.p : "");
    return err_hint(e, "such as 'budget>100%%', 'idle>3%%', 'change>20%%' or 'unmapped>2%%'");
}

static int read_percent(struct span text, money *out)
{
    if (!span_ends(text, "%"))
        return -1;
    text.n--;
    return money_parse(text, out, NULL) < 0 || *out < 0 || *out > PERCENT_MOST ? -1 : 0;
}

static int parse_one(struct span text, struct thresholds *out, struct err *e)
{
    struct threshold t = {.percent = 0};
    size_t op = 0;

    while (op < text.n && !strchr("<>=!", text.p[op]))
        op++;
    if (op == text.n)
        return fail_form(text, e);
    if (find_figure(span_trim((struct span){text.p, op}), &t.figure, e) < 0)
        return -1;
    if (text.p[op] != '>' || (op + 1 < text.n && text.p[op + 1] == '=')) {
        err_set(e, ERR_USAGE, "--fail-on \"%.*s\": figures are compared by > only", (int)text.n, text.p);
        return err_hint(e, "write %s>PERCENT", names[t.figure]);
    }
    if (read_percent(span_trim((struct span){text.p + op + 1, text.n - op - 1}), &t.percent) < 0)
        return fail_form(text, e);
    vec_push(out, t);
    return 0;
}

int thresholds_parse(const char *text, struct thresholds *out, struct err *e)
{
    for (;;) {
        size_t n = strcspn(text, "|");

        if (parse_one(span_trim((struct span){text, n}), out, e) < 0)
            return -1;
        if (!text[n])
            return 0;
        text += n + 1;
    }
}

bool thresholds_have(const struct thresholds *t, enum threshold_figure figure)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].figure == figure)
            return true;
    return false;
}

/* ---- checking ---- */

struct checking {
    const struct threshold_facts *f;
    void (*hit)(void *to, const char *text);
    void *to;
    struct buf text;
    size_t hits;
};

/* As short as it is exact: 3, 2.5. */
static void add_short(struct buf *b, money percent)
{
    money_add_text(b, percent, MONEY_DECIMALS);
    while (b->p[b->n - 1] == '0')
        b->p[--b->n] = '\0';
    if (b->p[b->n - 1] == '.')
        b->p[--b->n] = '\0';
}

static void begin(struct checking *c, const struct threshold *t)
{
    buf_clear(&c->text);
    buf_addf(&c->text, "--fail-on %s>", names[t->figure]);
    add_short(&c->text, t->percent);
    buf_adds(&c->text, "%: ");
}

static void add_amount(struct checking *c, money amount)
{
    money_add_text(&c->text, amount, c->f->digits);
    buf_addf(&c->text, "%s%s", c->f->currency[0] ? " " : "", c->f->currency);
}

static void end(struct checking *c)
{
    c->hit(c->to, buf_str(&c->text));
    c->hits++;
}

static void check_budgets(struct checking *c, const struct threshold *t)
{
    for (size_t i = 0; i < c->f->notes->budgets.n; i++) {
        const struct budget_note *b = &c->f->notes->budgets.v[i];
        bool over = b->budget > 0 ? percent_compare(b->cost, b->budget, t->percent) > 0 : b->cost > 0;

        if (!over)
            continue;
        begin(c, t);
        buf_addf(&c->text, "team %s costs ", b->team);
        add_amount(c, b->cost);
        buf_adds(&c->text, ", ");
        money_add_text(&c->text, b->percent, 2);
        buf_adds(&c->text, " % of its budget of ");
        add_amount(c, b->budget);
        end(c);
    }
}

static bool changed_more(const struct change_note *n, money percent)
{
    money difference = n->cost - n->previous, before = n->previous < 0 ? -n->previous : n->previous;

    if (before == 0)
        return n->percent > percent;                       /* new */
    return percent_compare(difference < 0 ? -difference : difference, before, percent) > 0;
}

static void check_changes(struct checking *c, const struct threshold *t)
{
    for (size_t i = 0; i < c->f->notes->previous.teams.n; i++) {
        const struct change_note *n = &c->f->notes->previous.teams.v[i];

        if (n->bucket || !changed_more(n, t->percent))
            continue;
        begin(c, t);
        buf_addf(&c->text, "team %s costs ", n->team);
        add_amount(c, n->cost);
        if (n->previous) {
            buf_adds(&c->text, " after ");
            add_amount(c, n->previous);
            buf_addf(&c->text, ", %s", n->percent > 0 ? "+" : "");
            money_add_text(&c->text, n->percent, 2);
            buf_adds(&c->text, " %");
        } else {
            buf_adds(&c->text, " and is new");
        }
        end(c);
    }
}

static void check_part(struct checking *c, const struct threshold *t, money part, const char *what)
{
    money billed = c->f->billed;

    if (percent_compare(part, billed, t->percent) <= 0)
        return;
    begin(c, t);
    money_add_text(&c->text, money_mul_div(100 * MONEY_ONE, (weight)(part < 0 ? -part : part), (weight)(billed < 0 ? -billed : billed)), 2);
    buf_addf(&c->text, " %% of what was billed is %s%s", what, c->f->idle_moves ? ", before the rule moves idle cost" : "");
    end(c);
}

static void check_idle(struct checking *c, const struct threshold *t)
{
    check_part(c, t, tally_sums(c->f->tally)->bucket[BUCKET_IDLE], "(idle)");
}

static void check_unmapped(struct checking *c, const struct threshold *t)
{
    check_part(c, t, tally_sums(c->f->tally)->bucket[BUCKET_UNMAPPED], "(unmapped)");
}

static void (*const checks[THRESHOLD_FIGURES])(struct checking *, const struct threshold *) = {
    [THRESHOLD_BUDGET] = check_budgets, [THRESHOLD_IDLE] = check_idle,
    [THRESHOLD_CHANGE] = check_changes, [THRESHOLD_UNMAPPED] = check_unmapped,
};

size_t thresholds_check(const struct thresholds *t, const struct threshold_facts *f, void (*hit)(void *to, const char *text), void *to)
{
    struct checking c = {.f = f, .hit = hit, .to = to};

    for (size_t i = 0; i < t->n; i++)
        checks[t->v[i].figure](&c, &t->v[i]);
    buf_free(&c.text);
    return c.hits;
}
