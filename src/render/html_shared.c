/* html_shared: shared costs of the rule that are in the rows. */
#include "gputab/render/html.h"

static void begin_row(struct html *h, const char *team)
{
    buf_adds(h->b, "<tr><th scope=\"row\">");
    markup_name(h->b, team);
    buf_adds(h->b, "</th>");
}

/* digits: of what is sorted by; text: what is shown. */
static void add_number(struct html *h, const char *class, money number, int digits, struct buf *text)
{
    buf_addf(h->b, "<td class=\"n%s\" data-v=\"", class);
    money_add_text(h->b, number, digits);
    buf_adds(h->b, "\">");
    markup_text(h->b, buf_str(text));
    buf_adds(h->b, "</td>");
    buf_clear(text);
}

static void add_amount(struct html *h, const char *class, money amount)
{
    struct buf text = {0};

    figure_add_amount(&text, amount, h->r->digits);
    add_number(h, class, amount, h->r->digits, &text);
    buf_free(&text);
}

void html_shared(struct html *h)
{
    const struct report *r = h->r;

    html_section(h, "shared", "Shared costs", "Taken out of their groups of the bill, and spread over the rows by the rule: a part of what was "
                 "billed.");
    buf_adds(h->b, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Shared costs\">\n<table class=\"figures\">\n"
                   "<caption>Shared costs</caption>\n<thead><tr><th scope=\"col\">Name</th><th scope=\"col\">Spread</th>"
                   "<th scope=\"col\" class=\"n\" data-k=\"cost\">Cost</th><th scope=\"col\" class=\"n\" data-k=\"invoiced\">Invoiced</th>"
                   "</tr></thead>\n<tbody class=\"rows\">\n");
    for (size_t i = 0; i < r->shared.n; i++) {
        begin_row(h, r->shared.v[i].name);
        buf_adds(h->b, "<td>");
        markup_text(h->b, r->shared.v[i].method);
        buf_adds(h->b, "</td>");
        add_amount(h, " total", r->shared.v[i].cost);
        add_amount(h, "", r->shared.v[i].invoiced);
        buf_adds(h->b, "</tr>\n");
    }
    buf_adds(h->b, "</tbody></table>\n</div>\n");
    html_section_end(h);
}

bool html_shared_there(const struct html *h)
{
    return h->r->shared.n > 0;
}
