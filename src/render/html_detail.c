/* html_detail: each team opens into its workloads and their pods. Of a large fleet the costliest are shown: every sum holds all of
 * them, what is left out stands as a line of its own, and the section says where to find it. */
#include <string.h>

#include "gputab/render/html_table.h"

enum { WORKLOADS_SHOWN = 100, PODS_SHOWN = 100, LINES_SHOWN = 4000 };

enum { KEY_CENTRE, KEY_TEAM, KEY_NAMESPACE, KEY_WORKLOAD, KEY_POD, KEY_MODEL, KEY_REGION, KEY_PURCHASE };    /* of REPORT_DETAIL */

struct detail {
    struct html_table t;
    struct groups g;
};

static const struct cell *row_of(const struct detail *d, uint32_t row)
{
    return table_row(&d->t.s->r->table, row);
}

static void add_workload_name(struct buf *b, const struct cell *row)
{
    const char *namespace = html_cell(row, KEY_NAMESPACE), *workload = html_cell(row, KEY_WORKLOAD);

    buf_addf(b, "%s%s%s", namespace, namespace[0] && workload[0] ? "/" : "", workload);
}

/* Behind a name, in the same column, so that amounts stay near it. keys: those from `from` on of the pod and of where its cards were. */
static const int place_keys[] = {KEY_POD, KEY_MODEL, KEY_REGION, KEY_PURCHASE};
enum { PLACE_KEYS = sizeof place_keys / sizeof place_keys[0] };

static void add_more(struct buf *b, const struct cell *row, int from)
{
    bool first = true;

    buf_adds(b, " <span class=\"means\">");
    for (int i = from; i < PLACE_KEYS; i++) {
        const char *text = html_cell(row, place_keys[i]);

        if (!text[0])
            continue;
        buf_adds(b, first ? "" : " \xc2\xb7 ");
        markup_name(b, text);
        first = false;
    }
    buf_adds(b, "</span></th>");
}

static bool has_workload(const struct cell *row)
{
    return html_cell(row, KEY_NAMESPACE)[0] || html_cell(row, KEY_WORKLOAD)[0];
}

/* A line of a workload that has only this one goes by the workload's name; what belongs to no pod by the cards' model. */
static void add_pod(struct detail *d, const struct group_line *line, bool alone)
{
    const struct cell *row = row_of(d, line->row);
    int from = alone && has_workload(row) ? 0 : html_cell(row, KEY_POD)[0] ? 1 : 2;
    struct buf name = {0};

    if (from == 0)
        add_workload_name(&name, row);
    else
        buf_adds(&name, html_cell(row, place_keys[from - 1]));
    html_row_begin(&d->t, alone ? NULL : "pod");
    buf_adds(d->t.h->b, "<th scope=\"row\">");
    markup_name(d->t.h->b, name.n ? buf_str(&name) : "several GPU models");
    add_more(d->t.h->b, row, from);
    html_row_end(&d->t, &line->s.f);
    buf_free(&name);
}

static void add_rest(struct detail *d, size_t n, const char *what, const struct group_sum *rest)
{
    struct buf text = {0};

    if (n) {
        buf_addf(&text, "%zu more %s, not shown", n, what);
        html_row_of(&d->t, "rest", buf_str(&text), &rest->f);
    }
    buf_free(&text);
}

static void add_workload_head(struct detail *d, const struct group *w)
{
    struct buf name = {0};

    add_workload_name(&name, row_of(d, w->row));
    buf_adds(d->t.h->b, "<tr class=\"head\"><th scope=\"rowgroup\">");
    markup_name(d->t.h->b, buf_str(&name));
    buf_addf(d->t.h->b, " <span class=\"count\">%zu</span></th>", w->n_lines);
    html_row_end(&d->t, &w->sum.f);
    buf_free(&name);
}

static void add_workload(struct detail *d, const struct group *w)
{
    struct group_sum rest;
    size_t left = group_rest(w, &rest);
    bool plain = !has_workload(row_of(d, w->row)), alone = plain || (w->n_lines == 1 && w->lines.n == 1);

    html_body(&d->t, plain ? "rows" : alone ? "group" : "group fold");
    if (!alone)
        add_workload_head(d, w);
    for (size_t i = 0; i < w->lines.n; i++)
        add_pod(d, &w->lines.v[i], alone);
    add_rest(d, left, plain ? "pools" : "pods", &rest);
    html_body(&d->t, NULL);
}

/* Workloads of a team, the costliest first; those that find no room together. */
static void add_workloads(struct detail *d, const struct group *team)
{
    struct group_sum rest = {.hours = 0};
    size_t n = 0;

    for (int at = team->first; at != GROUP_NONE; at = d->g.v.v[at].next) {
        const struct group *w = &d->g.v.v[at];

        if (n < WORKLOADS_SHOWN && w->lines.n > 0)
            add_workload(d, w);
        else
            group_sum_add(&rest, &w->sum);
        n += n < WORKLOADS_SHOWN && w->lines.n > 0;
    }
    if (n < team->n_groups) {
        html_body(&d->t, "sum");
        add_rest(d, team->n_groups - n, "workloads", &rest);
        html_body(&d->t, NULL);
    }
}

static bool is_team(const struct detail *d, const struct group *team)
{
    const struct cell *row = row_of(d, team->row);

    return html_is_team(html_cell(row, KEY_TEAM), html_cell(row, d->t.s->bucket));
}

static void add_meaning(struct html *h, bool team, const char *name, const char *centre)
{
    const char *called = html_centre_name(h->r, centre);

    if (!team) {
        markup_text(h->b, html_bucket_means(name));
    } else if (h->r->cost_centres.n && strcmp(centre, bucket_names[BUCKET_UNMAPPED]) == 0) {
        buf_adds(h->b, "in no cost centre");
    } else if (h->r->cost_centres.n) {
        markup_name(h->b, centre);
        buf_adds(h->b, called[0] ? " " : "");
        markup_text(h->b, called);
    }
}

static void add_summary(struct detail *d, const struct group *team)
{
    struct html *h = d->t.h;
    const struct cell *row = row_of(d, team->row);
    const char *name = html_cell(row, KEY_TEAM);
    money total = team->sum.f.v[FIGURE_TOTAL];

    buf_adds(h->b, "<summary><span class=\"name\">");
    markup_name(h->b, name);
    buf_adds(h->b, "</span><span class=\"means\">");
    add_meaning(h, html_is_team(name, html_cell(row, d->t.s->bucket)), name, html_cell(row, KEY_CENTRE));
    buf_adds(h->b, "</span><span class=\"amount\"");
    buf_adds(h->b, " data-v=\"");
    money_add_text(h->b, total, h->r->digits);
    buf_adds(h->b, "\">");
    figure_add_amount(h->b, total, h->r->digits);
    buf_adds(h->b, "</span><span class=\"share\">");
    html_add_share(h->b, total, h->r->totals.billed, 1);
    buf_adds(h->b, "</span></summary>\n");
}

static void add_team(struct detail *d, const struct group *team)
{
    static const char *const keys[] = {"Workloads and their pods"};
    const char *name = html_cell(row_of(d, team->row), KEY_TEAM);
    struct buf caption = {0};

    buf_addf(&caption, "Workloads and pods of %s", name);
    buf_adds(d->t.h->b, "<details class=\"team\">\n");
    add_summary(d, team);
    html_table_begin(&d->t, buf_str(&caption), keys, 1);
    add_workloads(d, team);
    html_body(&d->t, "sum");
    html_row_of(&d->t, "grand", "Total", &team->sum.f);
    html_body(&d->t, NULL);
    html_table_end(&d->t);
    buf_adds(d->t.h->b, "</details>\n");
    buf_free(&caption);
}

static void add_teams(struct detail *d, bool teams)
{
    for (int at = d->g.first; at != GROUP_NONE; at = d->g.v.v[at].next)
        if (is_team(d, &d->g.v.v[at]) == teams)
            add_team(d, &d->g.v.v[at]);
}

static void add_note(struct html *h, const struct groups *g)
{
    if (g->shown == g->total)
        return;
    buf_addf(h->b, "<p class=\"note\">%zu of %zu lines are shown, the costliest of each workload; a line is a pod in a pool. "
             "Sums hold all. The others are in <code>--by team,namespace,workload,pod --format csv</code> of the same run.</p>\n",
             g->shown, g->total);
}

void html_detail(struct html *h)
{
    struct detail d = {.t = {.h = h, .s = &h->parts[REPORT_DETAIL]}};

    groups_fill(&d.g, d.t.s, &(struct groups_config){.keys = {KEY_TEAM + 1, KEY_WORKLOAD + 1}, .lines_of_group = PODS_SHOWN,
                                                     .lines = LINES_SHOWN});
    html_section(h, "detail", "Workloads and pods", "Each team opens into its workloads, each workload into its pods.");
    add_note(h, &d.g);
    add_teams(&d, true);
    add_teams(&d, false);
    html_section_end(h);
    groups_free(&d.g);
}

bool html_detail_there(const struct html *h)
{
    return h->r->parts[REPORT_DETAIL] && h->parts[REPORT_DETAIL].lines.n;
}
