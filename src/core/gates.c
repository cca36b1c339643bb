/* gates: the four bounds as a table: what is measured, of what, in which words, and whose part is the largest.
 *
 * Amounts are compared as they are; only what is shown is rounded, to as many decimals as it takes to see on which side of the bound it
 * is. What follows from a failed gate (no files, an exit code) is the command's business. */
#include "gputab/core/gates.h"

#include <stdlib.h>

#include "gputab/base/buf.h"

struct measure {
    weight part, whole;
    bool negative;                 /* part / whole is below 0 */
};

static weight magnitude(money m)
{
    return (weight)(m < 0 ? -m : m);
}

static struct measure measure_of(money part, money whole)
{
    return (struct measure){magnitude(part), magnitude(whole), part != 0 && (part < 0) != (whole < 0)};
}

static struct measure coverage(const struct allocate_sums *sums, const struct tally_sums *t)
{
    (void)t;
    return (struct measure){sums->observed + sums->starting, sums->hours, false};
}

static struct measure unmapped(const struct allocate_sums *sums, const struct tally_sums *t)
{
    return measure_of(t->bucket[BUCKET_UNMAPPED], sums->billed);
}

static struct measure no_metrics(const struct allocate_sums *sums, const struct tally_sums *t)
{
    return measure_of(t->bucket[BUCKET_NO_METRICS] - t->reason[REASON_STARTING], sums->billed);
}

static struct measure grade_a(const struct allocate_sums *sums, const struct tally_sums *t)
{
    money all = t->refused;

    (void)sums;
    for (int g = 0; g < GRADES; g++)
        all += t->grade[g];
    return measure_of(t->grade[GRADE_A], all);
}

static const struct gate {
    struct measure (*measure)(const struct allocate_sums *sums, const struct tally_sums *t);
    const char *words, *of_whom;
    enum tally_list list;
    bool least;                    /* the limit is a lower bound */
} gates[RULE_GATES] = {
    [GATE_COVERAGE] = {coverage, "of billed GPU time was observed or starting", "nodes without metrics", TALLY_UNSEEN, true},
    [GATE_UNMAPPED] = {unmapped, "of what was billed is (unmapped)", "namespaces that no owner line matches", TALLY_UNMAPPED, false},
    [GATE_NO_METRICS] = {no_metrics, "of what was billed is (no-metrics)", "nodes without metrics", TALLY_UNSEEN, false},
    [GATE_GRADE_A] = {grade_a, "of what pods cost is measured (grade A)", "not measured", TALLY_UNMEASURED, true},
};

/* ---- comparing ---- */

static int compare(const struct measure *m, money percent)
{
    if (m->negative)
        return -1;
    return money_compare_ratios(m->part, m->whole, (weight)percent, (weight)(100 * MONEY_ONE));
}

int percent_compare(money part, money whole, money percent)
{
    struct measure m = measure_of(part, whole);

    return whole ? compare(&m, percent) : 0;
}

/* The part rounded so that it is on its side of the limit: 0.97996 is not 0.9800 where that is asked for. */
static void set_figures(const struct measure *m, money percent, struct gate_note *out)
{
    money exact = money_mul_div(MONEY_ONE, m->part, m->whole);
    int side = compare(m, percent);

    exact = m->negative ? -exact : exact;
    for (out->digits = 4; out->digits <= MONEY_DECIMALS; out->digits++) {
        out->value = money_round(exact, out->digits);
        if (money_round(percent / 100, out->digits) == percent / 100
            && (out->value > percent / 100) - (out->value < percent / 100) == side)
            return;
    }
    out->digits = MONEY_DECIMALS;
}

void gates_check(const struct rule *rule, const struct allocate_sums *sums, const struct tally *t, struct notes *out)
{
    for (int g = 0; g < RULE_GATES; g++) {
        const struct rule_limit *limit = &rule->gates[g];
        struct measure m = gates[g].measure(sums, tally_sums(t));
        struct gate_note note = {.name = rule_gate_names[g], .limit = limit->percent / 100, .digits = 4, .least = gates[g].least};
        bool empty = m.whole == 0;
        int side = empty ? 0 : compare(&m, limit->percent);

        if (!limit->written)
            continue;
        note.passed = gates[g].least ? side >= 0 : side <= 0;
        note.value = gates[g].least ? MONEY_ONE : 0;                       /* of nothing */
        if (!empty)
            set_figures(&m, limit->percent, &note);
        vec_push(&out->gates, note);
    }
}

enum rule_gate gate_of(const struct gate_note *note)
{
    int g = 0;

    while (rule_gate_names[g] != note->name)
        g++;
    return (enum rule_gate)g;
}

/* ---- words ---- */

enum { PARTS_SHOWN = 3 };

static void add_percent(struct buf *b, money share, int digits)
{
    money_add_text(b, share * 100, digits - 2);
    buf_adds(b, " %");
}

/* As short as it is exact: 98, 99.5. */
static void add_limit(struct buf *b, money share)
{
    money_add_text(b, share * 100, MONEY_DECIMALS);
    while (b->p[b->n - 1] == '0')
        b->p[--b->n] = '\0';
    if (b->p[b->n - 1] == '.')
        b->p[--b->n] = '\0';
    buf_adds(b, " %");
}

static void add_parts(struct buf *b, const struct tally *t, const struct gate *g, int digits)
{
    struct tally_parts parts = tally_parts(t, g->list);

    if (parts.n)
        buf_addf(b, "%s: ", g->of_whom);
    for (size_t i = 0; i < parts.n && i < PARTS_SHOWN; i++) {
        buf_addf(b, "%s%s ", i ? ", " : "", parts.v[i].name[0] ? parts.v[i].name : "(no name)");
        money_add_text(b, parts.v[i].cost, digits);
    }
    if (parts.n > PARTS_SHOWN)
        buf_addf(b, " and %zu more", parts.n - PARTS_SHOWN);
    free(parts.v);
}

void gate_add_failure(struct buf *text, struct buf *hint, const struct gate_note *note, const struct tally *t, int digits)
{
    const struct gate *g = &gates[gate_of(note)];

    add_percent(text, note->value, note->digits);
    buf_addf(text, " %s; %s ", g->words, g->least ? "at least" : "at most");
    add_limit(text, note->limit);
    buf_adds(text, " is asked for");
    add_parts(hint, t, g, digits);
}
