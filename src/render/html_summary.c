/* html_summary: the figures that everybody asks for first: billed, charged, idle, held; whether they add up; how sure they are. */
#include <string.h>

#include "gputab/render/html.h"

struct tile {
    const char *class, *label;
    money amount;
    const char *note;              /* NULL: none */
};

/* Of who a file is for alone, only what there is is shown: idle cost that others have is not theirs. */
static void add_tile(struct html *h, const struct tile *t)
{
    if (h->r->split_key && t->amount == 0)
        return;
    buf_addf(h->b, "<div class=\"tile %s\"><dt>%s</dt><dd><strong>", t->class, t->label);
    figure_add_amount(h->b, t->amount, h->r->digits);
    buf_adds(h->b, "</strong>");
    if (t->note) {
        buf_adds(h->b, "<span>");
        markup_text(h->b, t->note);
        buf_adds(h->b, "</span>");
    }
    buf_adds(h->b, "</dd></div>\n");
}

static money bucket_cost(const struct html_owners *o, enum bucket bucket)
{
    for (size_t i = o->n_teams; i < o->v.n; i++)
        if (strcmp(o->v.v[i].name, bucket_names[bucket]) == 0)
            return o->v.v[i].f.v[FIGURE_TOTAL];
    return 0;
}

static void add_share_of(struct buf *b, money part, money whole, const char *of)
{
    html_add_share(b, part, whole, 1);
    buf_addf(b, " of %s", of);
}

static void add_part(struct html *h, const char *class, const char *label, money amount)
{
    struct buf b = {0};

    add_share_of(&b, amount, h->r->totals.billed, "the bill");
    add_tile(h, &(struct tile){class, label, amount, buf_str(&b)});
    buf_free(&b);
}

/* Of one team's file all is the team's. */
static void add_tiles(struct html *h)
{
    const struct html_owners *o = &h->owners;
    money idle = bucket_cost(o, BUCKET_IDLE), unheld = o->teams.v[FIGURE_UNHELD], gpu = o->teams.v[FIGURE_GPU];
    struct buf b = {0};

    buf_adds(h->b, "<dl class=\"tiles\">\n");
    add_tile(h, &(struct tile){"billed", "Billed for GPU nodes", h->r->totals.billed, h->r->currency});
    if (!h->r->split_key) {
        add_part(h, "charged", "Charged to teams", o->teams.v[FIGURE_TOTAL]);
        add_part(h, "idle", "Idle", idle);
        add_part(h, "elsewhere", "Otherwise not charged", o->buckets.v[FIGURE_TOTAL] - idle);
    }
    if (gpu > 0)
        add_share_of(&b, unheld, gpu, "the teams' GPU cost");
    add_tile(h, &(struct tile){"unheld", "Reserved, not held", unheld, buf_str(&b)});
    buf_adds(h->b, "</dl>\n");
    buf_free(&b);
}

static void add_equation(struct html *h)
{
    const struct report_totals *t = &h->r->totals;

    buf_adds(h->b, "<p class=\"equation\"><span>billed <b>");
    figure_add_amount(h->b, t->billed, h->r->digits);
    buf_adds(h->b, "</b></span> <span>allocated <b>");
    figure_add_amount(h->b, t->billed - t->difference, h->r->digits);
    buf_addf(h->b, "</b></span> <span class=\"%s\">difference <b>", t->difference ? "bad" : "good");
    figure_add_amount(h->b, t->difference, h->r->digits);
    buf_adds(h->b, "</b></span></p>\n");
}

/* ---- how sure ---- */

static const struct { const char *class, *word; } grades[GRADES] = {
    {"grade-a", "measured"}, {"grade-b", "reported, not verified"}, {"grade-c", "estimated"}, {"grade-d", "unknown"},
};

static void add_grades(struct html *h, money all)
{
    struct svg_box box = {.height = 10};
    struct buf words = {0};

    for (int g = 0; g < GRADES; g++) {
        if (h->r->measured[g] == 0)
            continue;
        buf_addf(&words, "%s%c ", words.n ? ", " : "", 'A' + g);
        buf_adds(&words, grades[g].word);
        buf_addc(&words, ' ');
        html_add_share(&words, h->r->measured[g], all, 1);
    }
    buf_adds(h->b, "<div class=\"quality\">\n<p><b>How sure</b> of what pods cost: ");
    markup_text(h->b, buf_str(&words));
    buf_adds(h->b, "</p>\n");
    svg_begin(h->b, "sure", 10, "Cost of pods by how well it is known", buf_str(&words));
    for (int g = 0; g < GRADES; g++) {
        box.width = svg_part(h->r->measured[g], all);
        svg_rect(h->b, grades[g].class, box, grades[g].word);
        box.x += box.width;
    }
    svg_end(h->b);
    if (h->r->improve && h->r->improve[0]) {
        buf_adds(h->b, "<p class=\"note\">To measure the rest: ");
        markup_text(h->b, h->r->improve);
        buf_adds(h->b, ".</p>\n");
    }
    buf_adds(h->b, "</div>\n");
    buf_free(&words);
}

void html_summary(struct html *h)
{
    money all = 0;

    buf_adds(h->b, "<section id=\"summary\" aria-label=\"Summary\">\n");
    add_tiles(h);
    add_equation(h);
    for (int g = 0; g < GRADES; g++)
        all += h->r->measured[g];
    if (all > 0)
        add_grades(h, all);
    html_section_end(h);
}
