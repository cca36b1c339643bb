/* xlsx_lines: reads the table of teams once, notes where each team's row is, and sorts the notes: cost centres by id, teams by cost, so
 * that the line that matters comes first; buckets last, in the table's order. */
#include "gputab/render/xlsx_lines.h"

#include <stdlib.h>
#include <string.h>

static const char *const sources[AMOUNTS] = {
    [AMOUNT_HOURS] = "gpu_hours", [AMOUNT_VRAM] = "vram_gib_hours", [AMOUNT_GPU] = "gpu_cost", [AMOUNT_CPU] = "cpu_cost",
    [AMOUNT_MEMORY] = "memory_cost", [AMOUNT_TOTAL] = "total_cost", [AMOUNT_UNHELD] = "unheld_cost", [AMOUNT_IDLE] = "idle_cost",
    [AMOUNT_SHARED] = "shared_cost", [AMOUNT_LEAST] = "min_cost", [AMOUNT_MOST] = "max_cost", [AMOUNT_A] = "grade.A",
    [AMOUNT_B] = "grade.B", [AMOUNT_C] = "grade.C", [AMOUNT_D] = "grade.D", [AMOUNT_EXACT] = "total_exact",
    [AMOUNT_BUDGET] = "budget", [AMOUNT_PREVIOUS] = "previous_cost",
};

static struct amounts read_amounts(const struct xlsx_lines *l, const struct cell *row)
{
    struct amounts a;

    for (int k = 0; k < AMOUNTS; k++) {
        a.known[k] = l->column[k] >= 0 && row[l->column[k]].type != CELL_NULL;
        a.v[k] = a.known[k] ? row[l->column[k]].number : 0;
    }
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
    for (size_t g = l->groups.n; g-- > 0;)                    /* rows come by id: it is the last one or new */
        if (strcmp(l->groups.v[g].id, id) == 0)
            return g;
    vec_push(&l->groups, (struct xlsx_group){.id = arena_strdup(&l->strings, id), .name = name_of_centre(whole, id)});
    return l->groups.n - 1;
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
    size_t group;
    bool bucket;
};

static int by_order(const void *a, const void *b)
{
    const struct note *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (!x->bucket && x->line.total != y->line.total)
        return x->line.total > y->line.total ? -1 : 1;
    return x->line.row < y->line.row ? -1 : x->line.row > y->line.row;
}

typedef VEC(struct note) notes;

static void note_row(struct xlsx_lines *l, const struct report *whole, notes *all, uint32_t row)
{
    const struct cell *cells = table_row(&l->r->table, row);
    struct amounts a = read_amounts(l, cells);
    struct note n = {.line = {row, a.v[AMOUNT_TOTAL]}, .bucket = is_bucket(l, cells)};
    bool in_none = strcmp(text_of(cells, l->bucket), bucket_names[BUCKET_UNMAPPED]) == 0 && !n.bucket;

    if (strcmp(text_of(cells, l->bucket), bucket_names[BUCKET_UNBILLED]) == 0) {
        l->memo = n.line;
        l->has_memo = true;
        return;
    }
    n.group = n.bucket ? SIZE_MAX : find_group(l, whole, l->centres && !in_none ? text_of(cells, l->centre) : "");
    vec_push(all, n);
    add_to(&l->sums, &a);
    for (int k = 0; k < AMOUNTS; k++)
        l->used[k] |= k == AMOUNT_LEAST || k == AMOUNT_MOST ? a.v[k] != a.v[AMOUNT_TOTAL] : a.v[k] != 0;
}

/* The group of the buckets comes last. */
static void add_lines(struct xlsx_lines *l, notes *all)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct note *n = &all->v[i];
        struct xlsx_group *g;
        struct amounts a = read_amounts(l, table_row(&l->r->table, n->line.row));

        if (n->bucket && !l->has_buckets) {
            vec_push(&l->groups, (struct xlsx_group){.id = "not charged to a team", .name = "", .first = l->lines.n});
            l->has_buckets = true;
        }
        g = &l->groups.v[n->bucket ? l->groups.n - 1 : n->group];
        g->first = g->n ? g->first : l->lines.n;
        g->n++;
        add_to(&g->sums, &a);
        vec_push(&l->lines, n->line);
    }
}

void xlsx_lines_fill(struct xlsx_lines *l, const struct report *whole)
{
    const struct table *t = &whole->parts[REPORT_TEAMS]->table;
    notes all = {0};

    l->r = whole->parts[REPORT_TEAMS];
    l->centres = whole->cost_centres.n > 0;
    for (int k = 0; k < AMOUNTS; k++)
        l->column[k] = table_find(t, sources[k]);
    l->centre = table_find(t, "cost_centre");
    l->team = table_find(t, "team");
    l->bucket = table_find(t, "bucket");
    for (size_t row = 0; row < t->n_rows; row++)
        note_row(l, whole, &all, (uint32_t)row);
    if (all.n)
        qsort(all.v, all.n, sizeof all.v[0], by_order);
    add_lines(l, &all);
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
    const struct cell *row = table_row(&l->r->table, line->row);

    *a = read_amounts(l, row);
    return text_of(row, l->team);
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
