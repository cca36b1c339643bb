/* xlsx_lines: reads the table of teams once, notes where each team's row is, and sorts the notes: cost centres by id, teams by cost, so
 * that the line that matters comes first; buckets last, in the table's order. Budgets and earlier costs are joined to the lines by name;
 * of a selection only where the line has the whole cost of its team, since a part says nothing of a budget. */
#include "gputab/render/xlsx_lines.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"

static const char *const sources[AMOUNT_BUDGET] = {
    [AMOUNT_HOURS] = "gpu_hours", [AMOUNT_VRAM] = "vram_gib_hours", [AMOUNT_GPU] = "gpu_cost", [AMOUNT_CPU] = "cpu_cost",
    [AMOUNT_MEMORY] = "memory_cost", [AMOUNT_TOTAL] = "total_cost", [AMOUNT_UNHELD] = "unheld_cost", [AMOUNT_IDLE] = "idle_cost",
    [AMOUNT_SHARED] = "shared_cost", [AMOUNT_LEAST] = "min_cost", [AMOUNT_MOST] = "max_cost", [AMOUNT_A] = "grade.A",
    [AMOUNT_B] = "grade.B", [AMOUNT_C] = "grade.C", [AMOUNT_D] = "grade.D", [AMOUNT_EXACT] = "total_exact",
};

static void set_amount(struct amounts *a, enum amount which, money v)
{
    a->known[which] = true;
    a->v[which] = v;
}

/* A line without a row costs nothing. */
static struct amounts read_amounts(const struct xlsx_lines *l, const struct xlsx_line *line)
{
    const struct cell *cells = line->row == XLSX_NO_ROW ? NULL : table_row(&l->r->table, line->row);
    struct amounts a = {.v = {0}};

    for (int k = 0; k < AMOUNT_BUDGET; k++)
        if (l->column[k] >= 0 && (!cells || cells[l->column[k]].type != CELL_NULL))
            set_amount(&a, (enum amount)k, cells ? cells[l->column[k]].number : 0);
    if (line->budget)
        set_amount(&a, AMOUNT_BUDGET, line->budget->budget);
    if (line->change)
        set_amount(&a, AMOUNT_PREVIOUS, line->change->previous);
    return a;
}

static const char *text_of(const struct cell *row, int column)
{
    return column >= 0 && row[column].type == CELL_TEXT ? row[column].text : "";
}

/* A team in no cost centre stands in the bucket (unmapped) too, but under its own name. */
static bool is_bucket(const struct xlsx_lines *l, const struct cell *row)
{
    const char *bucket = text_of(row, l->bucket);

    return bucket[0] && strcmp(bucket, text_of(row, l->team)) == 0;
}

static const char *name_of_centre(const struct report *r, const char *id)
{
    for (size_t i = 0; i < r->cost_centres.n; i++)
        if (strcmp(r->cost_centres.v[i].id, id) == 0 && r->cost_centres.v[i].name)
            return r->cost_centres.v[i].name;
    return "";
}

static size_t find_group(struct xlsx_lines *l, const struct report *whole, const char *id)
{
    size_t made = l->groups.n;

    for (size_t g = made; g-- > 0;)                           /* rows come by id: it is mostly the last one or new */
        if (strcmp(l->groups.v[g].id, id) == 0)
            return g;
    vec_push(&l->groups, (struct xlsx_group){.id = arena_strdup(&l->strings, id), .name = name_of_centre(whole, id), .made = made});
    return made;
}

static void add_to(struct amounts *sum, const struct amounts *a)
{
    for (int k = 0; k < AMOUNTS; k++) {
        sum->v[k] += a->v[k];
        sum->known[k] |= a->known[k];
    }
}

struct note {
    struct xlsx_line line;
    size_t group;                  /* its place */
    bool bucket;
};

static const char *name_of(const struct xlsx_lines *l, const struct xlsx_line *line)
{
    if (line->row == XLSX_NO_ROW)
        return line->change ? line->change->team : line->budget->team;
    return text_of(table_row(&l->r->table, line->row), l->team);
}

static int by_order(const void *a, const void *b, void *lines)
{
    const struct note *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (!x->bucket && x->line.total != y->line.total)
        return x->line.total > y->line.total ? -1 : 1;
    if (x->line.row != y->line.row)
        return x->line.row < y->line.row ? -1 : 1;
    return strcmp(name_of(lines, &x->line), name_of(lines, &y->line));
}

typedef VEC(struct note) notes;

/* ---- budgets and what was before ---- */

static bool is_part(const struct report *whole)
{
    return whole->filtered || whole->notes.only;
}

/* Cells of two tables may differ by a unit each where rounding had to choose. */
static bool has_all(const struct report *whole, money total, money cost)
{
    money slack = PIECES * MONEY_ONE;

    for (int i = 0; i < whole->digits; i++)
        slack /= 10;
    return !is_part(whole) || (total - cost <= slack && cost - total <= slack);
}

static int by_team(const void *a, const void *b)
{
    return strcmp(((const struct budget_note *)a)->team, ((const struct budget_note *)b)->team);
}

static int by_name(const void *a, const void *b)
{
    const struct change_note *x = a, *y = b;

    return x->bucket != y->bucket ? x->bucket - y->bucket : strcmp(x->team, y->team);
}

/* Both lists are in order, see value/notes. */
static void join_notes(const struct report *whole, struct note *n, const char *name)
{
    const struct notes *from = &whole->notes;
    const struct budget_note *b = NULL;
    const struct change_note *c = NULL;

    if (!n->bucket && from->budgets.n)
        b = bsearch(&(struct budget_note){.team = name}, from->budgets.v, from->budgets.n, sizeof *b, by_team);
    if (from->previous.teams.n)
        c = bsearch(&(struct change_note){.team = name, .bucket = n->bucket}, from->previous.teams.v, from->previous.teams.n, sizeof *c,
                    by_name);
    n->line.budget = b && has_all(whole, n->line.total, b->cost) ? b : NULL;
    n->line.change = c && has_all(whole, n->line.total, c->cost) ? c : NULL;
}

static const char *centre_of(const struct report *whole, const char *team)
{
    for (size_t i = 0; i < whole->cost_centres.n; i++)
        for (const char *const *t = whole->cost_centres.v[i].teams; t && *t; t++)
            if (strcmp(*t, team) == 0)
                return whole->cost_centres.v[i].id;
    return "";
}

/* A line for whom only a note speaks of. */
static void add_absent(struct xlsx_lines *l, const struct report *whole, notes *all, const char *name, bool bucket)
{
    struct note n = {.line = {.row = XLSX_NO_ROW}, .bucket = bucket};

    join_notes(whole, &n, name);
    n.group = bucket ? SIZE_MAX : find_group(l, whole, l->centres ? centre_of(whole, name) : "");
    vec_push(all, n);
}

/* Changes first: their lines take the budget of the same team along. */
static void add_absents(struct xlsx_lines *l, const struct report *whole, notes *all)
{
    const struct notes *from = &whole->notes;
    bool *changes = xcalloc(from->previous.teams.n + 1, 1), *budgets = xcalloc(from->budgets.n + 1, 1);

    for (size_t i = 0; i < all->n; i++)
        if (all->v[i].line.change)
            changes[all->v[i].line.change - from->previous.teams.v] = true;
    for (size_t i = 0; i < from->previous.teams.n; i++)
        if (!changes[i] && from->previous.teams.v[i].previous != 0)
            add_absent(l, whole, all, from->previous.teams.v[i].team, from->previous.teams.v[i].bucket);
    for (size_t i = 0; i < all->n; i++)
        if (all->v[i].line.budget)
            budgets[all->v[i].line.budget - from->budgets.v] = true;
    for (size_t i = 0; i < from->budgets.n; i++)
        if (!budgets[i])
            add_absent(l, whole, all, from->budgets.v[i].team, false);
    free(changes);
    free(budgets);
}

/* ---- lines ---- */

static void note_row(struct xlsx_lines *l, const struct report *whole, notes *all, uint32_t row)
{
    const struct cell *cells = table_row(&l->r->table, row);
    struct note n = {.line = {.row = row, .total = cells[l->column[AMOUNT_TOTAL]].number}, .bucket = is_bucket(l, cells)};
    bool in_none = strcmp(text_of(cells, l->bucket), bucket_names[BUCKET_UNMAPPED]) == 0 && !n.bucket;

    if (strcmp(text_of(cells, l->bucket), bucket_names[BUCKET_UNBILLED]) == 0) {
        l->memo = n.line;
        l->has_memo = true;
        return;
    }
    join_notes(whole, &n, text_of(cells, l->team));
    n.group = n.bucket ? SIZE_MAX : find_group(l, whole, l->centres && !in_none ? text_of(cells, l->centre) : "");
    vec_push(all, n);
}

/* By id; teams in no cost centre behind them. */
static int by_id(const void *a, const void *b)
{
    const struct xlsx_group *x = a, *y = b;

    if (!x->id[0] != !y->id[0])
        return x->id[0] ? -1 : 1;
    return strcmp(x->id, y->id);
}

static void sort_groups(struct xlsx_lines *l, notes *all)
{
    size_t *place = xcalloc(l->groups.n + 1, sizeof *place);

    if (l->groups.n)
        qsort(l->groups.v, l->groups.n, sizeof l->groups.v[0], by_id);
    for (size_t g = 0; g < l->groups.n; g++)
        place[l->groups.v[g].made] = g;
    for (size_t i = 0; i < all->n; i++)
        if (!all->v[i].bucket)
            all->v[i].group = place[all->v[i].group];
    free(place);
}

static void see_used(struct xlsx_lines *l, const struct amounts *a)
{
    for (int k = 0; k < AMOUNTS; k++)
        l->used[k] |= k == AMOUNT_LEAST || k == AMOUNT_MOST ? a->v[k] != a->v[AMOUNT_TOTAL]
                      : k == AMOUNT_BUDGET || k == AMOUNT_PREVIOUS ? a->known[k] : a->v[k] != 0;
}

/* The group of the buckets comes last. */
static void add_line(struct xlsx_lines *l, const struct note *n)
{
    struct amounts a = read_amounts(l, &n->line);
    struct xlsx_group *g;

    if (n->bucket && !l->has_buckets) {
        vec_push(&l->groups, (struct xlsx_group){.id = "not charged to a team", .name = "", .first = l->lines.n});
        l->has_buckets = true;
    }
    g = &l->groups.v[n->bucket ? l->groups.n - 1 : n->group];
    g->first = g->n ? g->first : l->lines.n;
    g->n++;
    g->budgeted += n->line.budget != NULL;
    add_to(&g->sums, &a);
    add_to(&l->sums, &a);
    see_used(l, &a);
    vec_push(&l->lines, n->line);
}

void xlsx_lines_fill(struct xlsx_lines *l, const struct report *whole)
{
    const struct table *t = &whole->parts[REPORT_TEAMS]->table;
    notes all = {0};

    l->r = whole->parts[REPORT_TEAMS];
    l->centres = whole->cost_centres.n > 0;
    for (int k = 0; k < AMOUNT_BUDGET; k++)
        l->column[k] = table_find(t, sources[k]);
    l->centre = table_find(t, "cost_centre");
    l->team = table_find(t, "team");
    l->bucket = table_find(t, "bucket");
    for (size_t row = 0; row < t->n_rows; row++)
        note_row(l, whole, &all, (uint32_t)row);
    if (!is_part(whole))
        add_absents(l, whole, &all);
    sort_groups(l, &all);
    if (all.n)
        qsort_r(all.v, all.n, sizeof all.v[0], by_order, l);
    for (int k = 0; k < AMOUNT_BUDGET; k++)
        l->sums.known[k] = true;                             /* no lines: they are 0 */
    for (size_t i = 0; i < all.n; i++)
        add_line(l, &all.v[i]);
    vec_free(&all);
}

void xlsx_lines_free(struct xlsx_lines *l)
{
    vec_free(&l->lines);
    vec_free(&l->groups);
    arena_free(&l->strings);
}

const char *xlsx_line_read(const struct xlsx_lines *l, const struct xlsx_line *line, struct amounts *a)
{
    *a = read_amounts(l, line);
    return name_of(l, line);
}

bool xlsx_group_is_buckets(const struct xlsx_lines *l, const struct xlsx_group *g)
{
    return l->has_buckets && g == &l->groups.v[l->groups.n - 1];
}

money amount_rate(const struct amounts *a)
{
    return a->v[AMOUNT_HOURS] > 0 ? money_mul_div(a->v[AMOUNT_EXACT], (weight)MONEY_ONE, (weight)a->v[AMOUNT_HOURS]) : 0;
}

money amount_share(money part, money whole)
{
    return whole > 0 ? money_mul_div(part, (weight)MONEY_ONE, (weight)whole) : 0;
}
