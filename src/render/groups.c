/* groups: one walk over the lines, from the costliest on. So the first lines that a group sees are those worth keeping, and rounded
 * hours are those that every other walk gives: columns add up however they are grouped. Memory is bounded by groups and by the lines
 * that are kept. */
#include "gputab/render/groups.h"

#include <string.h>

#include "gputab/base/intern.h"

struct grouping {
    struct groups *g;
    const struct groups_config *cfg;
    struct intern *names;          /* keys and part of a group; its id is its index, plus one */
    struct buf key;
};

static void add_key(struct buf *b, const struct cell *cell)
{
    buf_addc(b, cell->type == CELL_TEXT ? 't' : 'n');
    if (cell->type == CELL_TEXT)
        buf_adds(b, cell->text);
    buf_addc(b, '\0');
}

/* The group of a row's first n keys; made when it is new. */
static int find_group(struct grouping *k, const struct cell *row, size_t n, const struct figure_line *line, int up)
{
    const struct figure_set *s = k->g->s;
    uint32_t id;

    buf_clear(&k->key);
    buf_addf(&k->key, "%d %zu ", (int)line->part, n);
    for (size_t i = 0; i < n; i++)
        add_key(&k->key, &row[i]);
    if (k->cfg->by_bucket && s->bucket >= 0)
        add_key(&k->key, &row[s->bucket]);
    id = intern_put(k->names, k->key.p, k->key.n);
    if (id > k->g->v.n)
        vec_push(&k->g->v, (struct group){.up = up, .next = GROUP_NONE, .first = GROUP_NONE, .part = line->part, .row = line->row});
    return (int)id - 1;
}

static struct group_sum sum_of_line(const struct figure_set *s, const struct cell *row, const struct figures *f)
{
    int hours = s->column[FIGURE_GPU_HOURS];

    return (struct group_sum){.f = *f, .hours = hours >= 0 && row[hours].type == CELL_HOURS ? row[hours].number : 0};
}

static void add_line(struct grouping *k, const struct figure_line *line, const struct figures *f)
{
    const struct cell *row = table_row(&k->g->s->r->table, line->row);
    struct group_sum s = sum_of_line(k->g->s, row, f);
    int at = GROUP_NONE;
    struct group *g;

    for (int level = 0; level == 0 || (level < GROUP_LEVELS && k->cfg->keys[level]); level++) {
        at = find_group(k, row, k->cfg->keys[level], line, at);
        group_sum_add(&k->g->v.v[at].sum, &s);
    }
    g = &k->g->v.v[at];
    g->n_lines++;
    k->g->total++;
    if (g->lines.n >= k->cfg->lines_of_group || k->g->shown >= k->cfg->lines)
        return;
    vec_push(&g->lines, (struct group_line){line->row, s});
    k->g->shown++;
}

/* ---- order ---- */

struct rank {
    int group, up;
    enum figure_part part;
    money total;
};

/* By the group around them, then what is charged before what is not, the costliest first, unless lines have an order of their own (days);
 * groups that cost the same stay as they came. */
static int by_rank(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    if (x->up != y->up)
        return x->up < y->up ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->group < y->group ? -1 : 1;
}

static void link_groups(struct groups *g, bool in_order)
{
    struct rank *ranks = xcalloc(g->v.n + 1, sizeof *ranks);

    for (size_t i = 0; i < g->v.n; i++)
        ranks[i] = (struct rank){(int)i, g->v.v[i].up, g->v.v[i].part, in_order ? 0 : g->v.v[i].sum.f.v[FIGURE_TOTAL]};
    if (g->v.n)
        qsort(ranks, g->v.n, sizeof *ranks, by_rank);
    for (size_t i = g->v.n; i-- > 0;) {
        struct group *up = ranks[i].up == GROUP_NONE ? NULL : &g->v.v[ranks[i].up];
        int *first = up ? &up->first : &g->first;

        g->v.v[ranks[i].group].next = *first;
        *first = ranks[i].group;
        if (up)
            up->n_groups++;
    }
    free(ranks);
}

void groups_fill(struct groups *g, const struct figure_set *s, const struct groups_config *cfg)
{
    struct grouping k = {.g = g, .cfg = cfg, .names = intern_new()};
    struct figure_walk w = figure_walk(s);

    g->s = s;
    g->first = GROUP_NONE;
    while (figure_next(&w))
        if (w.line->part >= cfg->from)
            add_line(&k, w.line, &w.f);
    link_groups(g, cfg->in_order);
    buf_free(&k.key);
    intern_free(k.names);
}

void groups_free(struct groups *g)
{
    for (size_t i = 0; i < g->v.n; i++)
        vec_free(&g->v.v[i].lines);
    vec_free(&g->v);
}

/* (unbilled) lines have no rate, and neither have their sums. */
void group_sum_add(struct group_sum *sum, const struct group_sum *part)
{
    bool rated = sum->f.known[FIGURE_RATE] || part->f.known[FIGURE_RATE];

    figures_add(&sum->f, &part->f);
    sum->hours += part->hours;
    sum->f.known[FIGURE_RATE] = rated && sum->hours > 0;
    if (sum->f.known[FIGURE_RATE])
        sum->f.v[FIGURE_RATE] = money_mul_div(sum->f.v[FIGURE_EXACT], (weight)MONEY_ONE, (weight)sum->hours);
}

size_t group_rest(const struct group *g, struct group_sum *rest)
{
    *rest = g->sum;
    for (size_t i = 0; i < g->lines.n; i++) {
        struct group_sum minus = g->lines.v[i].s;

        for (int f = 0; f < FIGURES; f++)
            minus.f.v[f] = -minus.f.v[f];
        minus.hours = -minus.hours;
        group_sum_add(rest, &minus);
    }
    return g->n_lines - g->lines.n;
}
