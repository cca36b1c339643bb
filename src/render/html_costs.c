/* html_costs: what each team costs, by piece, and how much of its GPU cost was held in memory. */
#include "gputab/render/html_bars.h"

enum { TEAMS_SHOWN = 16 };

static void add_value(struct html *h, struct buf *b, money amount)
{
    figure_add_amount(b, amount, h->r->digits);
    buf_adds(b, " \xc2\xb7 ");
    html_add_share(b, amount, h->r->totals.billed, 1);
}

/* The bar of a line, or of several: by piece, */
static void add_cost(struct html *h, struct html_bars *bars, struct buf *name, enum html_bar_rank rank, const struct figures *f)
{
    const money segments[BAR_SEGMENTS] = {f->v[FIGURE_GPU], f->v[FIGURE_CPU], f->v[FIGURE_MEMORY]};
    struct buf value = {0};

    add_value(h, &value, f->v[FIGURE_TOTAL]);
    html_bars_add(bars, name, &value, rank, segments);
}

/* or held and not held. */
static void add_held(struct html *h, struct html_bars *bars, struct buf *name, enum html_bar_rank rank, const struct figures *f)
{
    const money segments[BAR_SEGMENTS] = {f->v[FIGURE_GPU] - f->v[FIGURE_UNHELD], f->v[FIGURE_UNHELD]};
    struct buf value = {0};

    html_add_share(&value, segments[0], f->v[FIGURE_GPU], 0);
    buf_adds(&value, " held \xc2\xb7 ");
    figure_add_amount(&value, segments[0], h->r->digits);
    html_bars_add(bars, name, &value, rank, segments);
}

typedef void add_bar(struct html *h, struct html_bars *bars, struct buf *name, enum html_bar_rank rank, const struct figures *f);

/* Owners that have an amount of that kind; teams beyond those that are shown, as one. */
static void fill_bars(struct html *h, struct html_bars *bars, enum figure amount, bool buckets, add_bar *add)
{
    const struct html_owners *o = &h->owners;
    size_t shown = o->n_teams <= TEAMS_SHOWN + 1 ? o->n_teams : TEAMS_SHOWN;
    struct figures others = {.estimated = false};
    struct buf name = {0};

    for (size_t i = 0; i < (buckets ? o->v.n : o->n_teams); i++) {
        const struct html_owner *owner = &o->v.v[i];

        if (!owner->bucket && i >= shown) {
            figures_add(&others, &owner->f);
        } else if (owner->f.v[amount] != 0) {
            buf_adds(&name, owner->name);
            add(h, bars, &name, owner->bucket ? BAR_BUCKET : BAR_TEAM, &owner->f);
        }
    }
    if (o->n_teams > shown) {
        buf_addf(&name, "%zu more teams", o->n_teams - shown);
        add(h, bars, &name, BAR_OTHERS, &others);
    }
}

static void add_figure(struct html *h, struct html_bars *bars, const char *note)
{
    if (bars->v.n) {
        buf_addf(h->b, "<figure><figcaption><b>%s</b><span>%s</span></figcaption>\n", bars->title, note);
        html_bars_draw(h, bars);
        buf_adds(h->b, "</figure>\n");
    }
    html_bars_free(bars);
}

void html_costs(struct html *h)
{
    struct html_bars costs = {.id = "chart-costs", .title = "Cost by piece", .digits = h->r->digits, .classes = {"gpu", "cpu", "memory"},
                              .words = {"GPU", "CPU", "memory"}};
    struct html_bars held = {.id = "chart-held", .title = "GPU cost, held and not held", .digits = h->r->digits,
                             .classes = {"held", "unheld"}, .words = {"held in memory", "reserved, not held"}};

    html_section(h, "costs", "What it cost", NULL);
    buf_adds(h->b, "<div class=\"pair\">\n");
    fill_bars(h, &costs, FIGURE_TOTAL, true, add_cost);
    fill_bars(h, &held, FIGURE_GPU, false, add_held);
    add_figure(h, &costs, "Teams first, then what nobody is charged for.");
    add_figure(h, &held, "Who holds a whole card pays for all of it, whatever memory is in use.");
    buf_adds(h->b, "</div>\n");
    html_section_end(h);
}

bool html_costs_there(const struct html *h)
{
    return h->owners.v.n > 0;
}
