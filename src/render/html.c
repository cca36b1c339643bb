/* html: the report as one page that needs nothing else: no network, no script to be read. The order is that of a reader's questions:
 * what is this and can I trust it, who pays what, where did the money go, what was paid for nothing, which pods were it, does it add
 * up to the bill, how was it made.
 *
 * Figures come from figures.c like those of the terminal, so that the page says what every other format says. What comes from data
 * passes markup.c; a content security policy forbids everything but the page's own style and script, by their hashes, so that a name
 * that got past escaping would still be nothing but text. For that, no element has a style or a handler of its own. */
#include "gputab/render/html.h"

static void fill(struct html *h)
{
    const struct report *const *parts = (const struct report *const *)h->r->parts;

    figure_set_fill(&h->main, h->r);
    for (int p = 0; p < REPORT_PARTS; p++)
        if (parts[p])
            figure_set_fill(&h->parts[p], parts[p]);
    html_owners_fill(&h->owners, parts[REPORT_TEAMS] ? &h->parts[REPORT_TEAMS] : &h->main);
}

static const struct html_section sections[] = {
    {"rows", "Who pays", html_rows, NULL},
    {"centres", "Cost centres", html_centres, html_centres_there},
    {"targets", "Held against", html_targets, html_targets_there},
    {"costs", "Costs", html_costs, html_costs_there},
    {"flow", "Flow", html_flow, html_flow_there},
    {"days", "Days", html_days, html_days_there},
    {"reasons", "Not charged", html_reasons, html_reasons_there},
    {"detail", "Workloads and pods", html_detail, html_detail_there},
    {"shared", "Shared costs", html_shared, html_shared_there},
    {"bridge", "Bridge to the bill", html_bridge, html_bridge_there},
    {"warnings", "Warnings", html_warnings, html_warnings_there},
    {"method", "Method", html_method, NULL},
};
enum { SECTIONS = sizeof sections / sizeof sections[0] };

static bool is_there(const struct html *h, const struct html_section *s)
{
    return !s->there || s->there(h);
}

static void write_links(struct html *h)
{
    buf_adds(h->b, "<nav aria-label=\"Sections\"><div class=\"wrap\">");
    for (int i = 0; i < SECTIONS; i++)
        if (is_there(h, &sections[i]))
            buf_addf(h->b, "<a href=\"#%s\">%s</a> ", sections[i].id, sections[i].label);
    buf_adds(h->b, "</div></nav>\n<main class=\"wrap\">\n");
}

static void write_page(struct html *h)
{
    html_head(h);
    html_banner(h);
    write_links(h);
    html_cautions(h);
    html_summary(h);
    for (int i = 0; i < SECTIONS; i++)
        if (is_there(h, &sections[i]))
            sections[i].write(h);
    html_foot(h);
}

void render_html(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    struct html h = {.out = out, .b = &out->text, .r = r};

    (void)cfg;
    fill(&h);
    write_page(&h);
    html_owners_free(&h.owners);
    figure_set_free(&h.main);
    for (int p = 0; p < REPORT_PARTS; p++)
        figure_set_free(&h.parts[p]);
}
