/* html_rows: the report's own table, cost centres beside it, and what the buckets are made of. */
#include <string.h>

#include "gputab/render/html_bars.h"
#include "gputab/render/html_table.h"

enum { LINES_SHOWN = 2000, NODES_SHOWN = 40, NODE_LINES = 1000 };

static bool has_key(const struct report *r, const char *key)
{
    for (size_t i = 0; i < r->by.n; i++)
        if (strcmp(r->by.v[i], key) == 0)
            return true;
    return false;
}

static void add_by(struct buf *b, const struct report *r)
{
    for (size_t i = 0; i < r->by.n; i++) {
        const char *name = html_key_name(r->by.v[i]);

        buf_adds(b, i == 0 ? "" : i + 1 == r->by.n ? " and " : ", ");
        if (strncmp(name, "GPU", 3) == 0)
            buf_adds(b, name);
        else
            buf_addf(b, "%c%s", name[0] >= 'A' && name[0] <= 'Z' ? name[0] - 'A' + 'a' : name[0], name + 1);
    }
}

static void add_table(struct html *h, const char *what)
{
    struct buf caption = {0};

    buf_addf(&caption, "%s by ", what);
    add_by(&caption, h->r);
    if (h->r->currency[0])
        buf_addf(&caption, ", amounts in %s", h->r->currency);
    html_table_lines(h, &h->main, buf_str(&caption), LINES_SHOWN);
    if (h->main.estimated)
        buf_adds(h->b, "<p class=\"note\">~ marks totals with an estimated part.</p>\n");
    buf_free(&caption);
}

void html_rows(struct html *h)
{
    html_section(h, "rows", "Who pays what", NULL);
    if (h->main.lines.n)
        add_table(h, "Costs");
    else
        buf_addf(h->b, "<p>%s</p>\n", h->r->filtered ? "No row matches the filter." : "No cost of GPU nodes in this period.");
    html_section_end(h);
}

/* ---- cost centres ---- */

static void add_team_names(struct html_table *t, const struct group *centre)
{
    struct buf teams = {0};

    for (size_t i = 0; i < centre->lines.n && centre->part == PART_CHARGED; i++)
        buf_addf(&teams, "%s%s", i ? ", " : "", html_cell(table_row(&t->s->r->table, centre->lines.v[i].row), 1));
    html_row_key(t, NULL, buf_str(&teams));
    buf_free(&teams);
}

static void add_centre(struct html_table *t, const struct group *centre)
{
    const char *id = html_cell(table_row(&t->s->r->table, centre->row), 0);

    html_row_begin(t, NULL);
    html_row_key(t, "row", id);
    html_row_key(t, NULL, html_centre_name(t->h->r, id));
    add_team_names(t, centre);                               /* reads other rows: id is gone */
    html_row_end(t, &centre->sum.f);
}

static void add_centres(struct html_table *t, const struct groups *g, enum figure_part part)
{
    html_body(t, "rows");
    for (int at = g->first; at != GROUP_NONE; at = g->v.v[at].next)
        if (g->v.v[at].part == part)
            add_centre(t, &g->v.v[at]);
    html_body(t, NULL);
}

void html_centres(struct html *h)
{
    static const char *const keys[] = {"Cost centre", "Name", "Teams"};
    struct html_table t = {.h = h, .s = &h->parts[REPORT_TEAMS], .sparks = true, .sums = true};
    struct groups g = {0};

    groups_fill(&g, t.s, &(struct groups_config){.keys = {1}, .lines_of_group = 200, .lines = LINES_SHOWN});
    html_section(h, "centres", "By cost centre", NULL);
    html_table_begin(&t, "Costs by cost centre", keys, 3);
    add_centres(&t, &g, PART_CHARGED);
    add_centres(&t, &g, PART_BUCKETS);
    html_body(&t, "sum");
    html_row_of(&t, "grand", "Total", &t.s->total);
    html_body(&t, NULL);
    html_table_end(&t);
    html_section_end(h);
    groups_free(&g);
}

bool html_centres_there(const struct html *h)
{
    return h->r->parts[REPORT_TEAMS] && h->r->cost_centres.n && !has_key(h->r, "cost_centre") && h->parts[REPORT_TEAMS].lines.n;
}

/* ---- what buckets are made of ---- */

struct reasons {
    struct html_table t;
    struct groups g;
    int reason, model, cluster, node;          /* columns */
};

static void set_names(const struct reasons *x, const struct group *g, const char **bucket, const char **reason)
{
    const struct cell *row = table_row(&x->t.s->r->table, g->row);

    *bucket = html_cell(row, x->t.s->bucket);
    *reason = html_cell(row, x->reason);
}

static void draw_reasons(struct html *h, const struct reasons *x)
{
    struct html_bars bars = {.id = "chart-reasons", .title = "Cost that no team is charged for", .digits = h->r->digits,
                             .classes = {"gpu", "cpu", "memory"}, .words = {"GPU", "CPU", "memory"}};

    for (int at = x->g.first; at != GROUP_NONE; at = x->g.v.v[at].next) {
        const struct figures *f = &x->g.v.v[at].sum.f;
        const money segments[BAR_SEGMENTS] = {f->v[FIGURE_GPU], f->v[FIGURE_CPU], f->v[FIGURE_MEMORY]};
        struct buf name = {0}, value = {0};
        const char *bucket, *reason;

        if (x->g.v.v[at].part != PART_BUCKETS || f->v[FIGURE_TOTAL] == 0)
            continue;
        set_names(x, &x->g.v.v[at], &bucket, &reason);
        buf_addf(&name, "%s%s%s", bucket, reason[0] ? " " : "", reason);
        figure_add_amount(&value, f->v[FIGURE_TOTAL], h->r->digits);
        buf_adds(&value, " \xc2\xb7 ");
        html_add_share(&value, f->v[FIGURE_TOTAL], h->r->totals.billed, 1);
        html_bars_add(&bars, &name, &value, BAR_TEAM, segments);
    }
    if (bars.v.n) {
        buf_adds(h->b, "<figure>\n");
        html_bars_draw(h, &bars);
        buf_adds(h->b, "</figure>\n");
    }
    html_bars_free(&bars);
}

static void add_node(struct reasons *x, const struct group_line *line)
{
    const struct cell *row = table_row(&x->t.s->r->table, line->row);
    const char *cluster = html_cell(row, x->cluster), *model = html_cell(row, x->model), *node = html_cell(row, x->node);
    struct buf name = {0};

    buf_addf(&name, "%s%s%s", cluster, cluster[0] ? "/" : "", node);
    html_row_begin(&x->t, NULL);
    html_row_key(&x->t, "row", buf_str(&name));
    html_row_key(&x->t, NULL, model);
    html_row_end(&x->t, &line->s.f);
    buf_free(&name);
}

static void add_reason(struct html *h, struct reasons *x, const struct group *g)
{
    const char *bucket, *reason, *means;
    struct group_sum rest;
    size_t left = group_rest(g, &rest);
    struct buf text = {0};

    set_names(x, g, &bucket, &reason);
    means = reason[0] ? html_reason_means(reason) : html_bucket_means(bucket);
    html_body(&x->t, "group fold");
    buf_adds(h->b, "<tr class=\"head\"><th scope=\"rowgroup\" colspan=\"2\">");
    markup_name(h->b, bucket);
    buf_adds(h->b, reason[0] ? " " : "");
    markup_text(h->b, reason);
    buf_adds(h->b, " <span class=\"means\">");
    markup_text(h->b, means);
    buf_adds(h->b, "</span></th>");
    html_row_end(&x->t, &g->sum.f);
    for (size_t i = 0; i < g->lines.n; i++)
        add_node(x, &g->lines.v[i]);
    buf_addf(&text, "%zu more nodes", left);
    if (left)
        html_row_of(&x->t, "rest", buf_str(&text), &rest.f);
    html_body(&x->t, NULL);
    buf_free(&text);
}

static void tabulate_reasons(struct html *h, struct reasons *x)
{
    static const char *const keys[] = {"What for, and on which node", "GPU model"};

    html_table_begin(&x->t, "Cost that no team is charged for, by reason and node", keys, 2);
    for (int at = x->g.first; at != GROUP_NONE; at = x->g.v.v[at].next)
        if (x->g.v.v[at].sum.f.v[FIGURE_TOTAL] != 0 || x->g.v.v[at].sum.hours != 0)
            add_reason(h, x, &x->g.v.v[at]);
    html_body(&x->t, "sum");
    html_row_of(&x->t, "grand", "Total of these", &x->t.s->sums[PART_BUCKETS]);
    html_body(&x->t, NULL);
    html_table_end(&x->t);
}

void html_reasons(struct html *h)
{
    struct reasons x = {.t = {.h = h, .s = &h->parts[REPORT_REASONS]}};
    const struct table *t;

    t = &h->r->parts[REPORT_REASONS]->table;
    x.reason = table_find(t, "reason");
    x.model = table_find(t, "gpu_model");
    x.cluster = table_find(t, "cluster");
    x.node = table_find(t, "node");
    groups_fill(&x.g, x.t.s, &(struct groups_config){.keys = {1}, .by_bucket = true, .from = PART_BUCKETS, .lines_of_group = NODES_SHOWN,
                                                     .lines = NODE_LINES});
    html_section(h, "reasons", "What was paid for nobody", "Cost that no team is charged for, and why. Pods that no owner line matches, "
                 "(unmapped), have a cost of their own: they stand among the teams.");
    draw_reasons(h, &x);
    tabulate_reasons(h, &x);
    html_section_end(h);
    groups_free(&x.g);
}

bool html_reasons_there(const struct html *h)
{
    return h->r->parts[REPORT_REASONS] && h->parts[REPORT_REASONS].count[PART_BUCKETS];
}
