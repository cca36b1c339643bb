/* html_owners: one amount for each team, whatever other keys its lines have. */
#include "gputab/render/html_owners.h"

#include <string.h>

#include "gputab/base/intern.h"
#include "gputab/render/html.h"

bool html_is_team(const char *team, const char *bucket)
{
    return !bucket[0] || (team[0] && strcmp(team, bucket) != 0);
}

/* The owner of a row; made when it is new. */
static struct html_owner *find_owner(struct html_owners *o, struct intern *names, const char *name, bool bucket)
{
    struct buf key = {0};
    uint32_t id;

    buf_addf(&key, "%d%s", bucket, name);
    id = intern_put(names, key.p, key.n);
    buf_free(&key);
    if (id > o->v.n)
        vec_push(&o->v, (struct html_owner){.name = xstrdup(name), .bucket = bucket});
    return &o->v.v[id - 1];
}

static void add_row(struct html_owners *o, struct intern *names, const struct figure_set *s, const struct figure_walk *w)
{
    const struct cell *row = table_row(&s->r->table, w->line->row);
    int team = table_find(&s->r->table, "team");
    const char *name = html_cell(row, team < 0 ? 0 : team), *bucket = html_cell(row, s->bucket);
    bool is_bucket = team < 0 ? bucket[0] != '\0' : !html_is_team(name, bucket);

    figures_add(&find_owner(o, names, is_bucket ? bucket : name[0] ? name : "\xe2\x80\x93", is_bucket)->f, &w->f);
    figures_add(is_bucket ? &o->buckets : &o->teams, &w->f);
}

static int by_cost(const void *a, const void *b)
{
    const struct html_owner *x = a, *y = b;
    money p = x->f.v[FIGURE_TOTAL], q = y->f.v[FIGURE_TOTAL];

    if (x->bucket != y->bucket)
        return x->bucket ? 1 : -1;
    return p != q ? (p > q ? -1 : 1) : strcmp(x->name, y->name);
}

void html_owners_fill(struct html_owners *o, const struct figure_set *s)
{
    struct figure_walk w = figure_walk(s);
    struct intern *names = intern_new();

    while (figure_next(&w))
        if (w.line->part != PART_MEMO)
            add_row(o, names, s, &w);
    intern_free(names);
    if (o->v.n)
        qsort(o->v.v, o->v.n, sizeof o->v.v[0], by_cost);
    for (size_t i = 0; i < o->v.n; i++)
        o->n_teams += !o->v.v[i].bucket;
}

void html_owners_free(struct html_owners *o)
{
    for (size_t i = 0; i < o->v.n; i++)
        free(o->v.v[i].name);
    vec_free(&o->v);
}
