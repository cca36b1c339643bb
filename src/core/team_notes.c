/* team_notes: joins the rows of a table by team to budgets and to the rows of an earlier report, by name. Costs are those that the table
 * shows, with all that a policy moved to them; nothing is allocated here. */
#include "gputab/core/team_notes.h"

#include <stdlib.h>
#include <string.h>

/* ---- budgets ---- */

/* The calendar month that holds t. */
static struct timespan month_at(time_ms t)
{
    return timespan_this_month(t);
}

money budget_of_period(money month, struct timespan period)
{
    money sum = 0;

    for (time_ms t = period.from; t < period.to;) {
        struct timespan whole = month_at(t), part = timespan_cut(whole, period);

        sum += money_part(month, part.from - whole.from, part.to - whole.from, timespan_ms(whole));
        t = whole.to;
    }
    return sum;
}

struct team_row {
    const char *team;              /* in the notes */
    bool bucket;
    money cost;
};

struct team_rows {
    struct team_row *v;
    size_t n, cap;
};

/* Teams before buckets, by name. */
static int by_name(const void *pa, const void *pb)
{
    const struct team_row *a = pa, *b = pb;

    if (a->bucket != b->bucket)
        return a->bucket ? 1 : -1;
    return strcmp(a->team, b->team);
}

static struct team_rows read_rows(struct notes *out, const struct table *t)
{
    int bucket = table_find(t, "bucket"), cost = table_find(t, "total_cost");
    struct team_rows rows = {0};

    for (size_t i = 0; i < t->n_rows; i++) {
        const struct cell *cells = table_row(t, i);

        vec_push(&rows, (struct team_row){arena_strdup(&out->strings, cells[0].type == CELL_TEXT ? cells[0].text : ""),
                                          cells[bucket].type == CELL_TEXT, cells[cost].number});
    }
    if (rows.n)
        qsort(rows.v, rows.n, sizeof *rows.v, by_name);
    return rows;
}

static money cost_of(const struct team_rows *rows, const char *team)
{
    struct team_row key = {.team = team}, *found = rows->n ? bsearch(&key, rows->v, rows->n, sizeof *rows->v, by_name) : NULL;

    return found ? found->cost : 0;
}

static int by_team(const void *pa, const void *pb)
{
    return strcmp(((const struct budget_note *)pa)->team, ((const struct budget_note *)pb)->team);
}

/* part of whole in percent, for a whole of any sign. */
static money percent_of(money part, money whole)
{
    money percent;

    if (whole == 0)
        return 0;
    percent = money_round(money_mul_div(part, (weight)(100 * MONEY_ONE), (weight)(whole < 0 ? -whole : whole)), 2);
    return percent;
}

void team_notes_budgets(struct notes *out, const struct rule *rule, const struct table *t, struct timespan period, int digits)
{
    struct team_rows rows = read_rows(out, t);

    for (size_t i = 0; i < rule->budgets.n; i++) {
        const struct rule_budget *b = &rule->budgets.v[i];
        struct budget_note note = {.team = arena_strdup(&out->strings, b->team), .cost = cost_of(&rows, b->team)};

        note.budget = money_round(budget_of_period(b->month, period), digits);
        note.percent = percent_of(note.cost, note.budget);
        note.over = note.cost > note.budget;
        vec_push(&out->budgets, note);
    }
    if (out->budgets.n)
        qsort(out->budgets.v, out->budgets.n, sizeof *out->budgets.v, by_team);
    vec_free(&rows);
}

/* ---- the period before ---- */

static struct team_row row_of(const struct change_note *c)
{
    return (struct team_row){c->team, c->bucket, 0};
}

static int by_note(const void *pa, const void *pb)
{
    struct team_row a = row_of(pa), b = row_of(pb);

    return by_name(&a, &b);
}

/* Both lists are in order: a merge. */
static void join(struct notes *out, const struct team_rows *rows)
{
    size_t old = out->previous.teams.n;

    for (size_t i = 0, k = 0; i < rows->n; i++) {
        int c = 1;

        while (k < old && (c = by_name(&(struct team_row){out->previous.teams.v[k].team, out->previous.teams.v[k].bucket, 0},
                                       &rows->v[i])) < 0)
            k++;
        if (k < old && c == 0)
            out->previous.teams.v[k].cost = rows->v[i].cost;
        else
            vec_push(&out->previous.teams, (struct change_note){.team = rows->v[i].team, .bucket = rows->v[i].bucket,
                                                                .cost = rows->v[i].cost});
    }
}

/* What had no cost before has no percentage of it: it is new, and counts as 100 %. */
static money change_of(const struct change_note *c)
{
    if (c->previous == 0)
        return c->cost ? 100 * MONEY_ONE : 0;
    return percent_of(c->cost - c->previous, c->previous);
}

void team_notes_changes(struct notes *out, const struct table *t)
{
    struct team_rows rows = read_rows(out, t);

    if (out->previous.teams.n)
        qsort(out->previous.teams.v, out->previous.teams.n, sizeof *out->previous.teams.v, by_note);
    join(out, &rows);
    if (out->previous.teams.n)
        qsort(out->previous.teams.v, out->previous.teams.n, sizeof *out->previous.teams.v, by_note);
    for (size_t i = 0; i < out->previous.teams.n; i++)
        out->previous.teams.v[i].percent = change_of(&out->previous.teams.v[i]);
    vec_free(&rows);
}
