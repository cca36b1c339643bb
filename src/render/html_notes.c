/* html_notes: what stands behind the figures: the way to the bill, warnings and what to do about them, how it was all made, and how to
 * make it again. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"
#include "gputab/render/bridge.h"
#include "gputab/render/html.h"

/* ---- bridge ---- */

static void add_amount(struct html *h, money amount)
{
    buf_adds(h->b, "<td class=\"n\" data-v=\"");
    money_add_text(h->b, amount, h->r->digits);
    buf_adds(h->b, "\">");
    figure_add_amount(h->b, amount, h->r->digits);
    buf_adds(h->b, "</td>");
}

/* How far the sums of the lines up to each reach, for bars that begin where the one before ends. */
struct fall {
    money least, most, at;
};

static struct fall fall_of(const struct bridge_line *lines, size_t n)
{
    struct fall f = {.at = 0};

    for (size_t i = 0; i + 1 < n; i++) {
        f.at += lines[i].cost;
        f.least = f.at < f.least ? f.at : f.least;
        f.most = f.at > f.most ? f.at : f.most;
    }
    f.at = 0;
    return f;
}

static void add_fall(struct html *h, struct fall *f, money cost, bool whole)
{
    money from = whole ? 0 : f->at, to = from + cost;
    struct svg_box box = {.height = 12};

    box.x = svg_part((from < to ? from : to) - f->least, f->most - f->least);
    box.width = svg_part((from < to ? to : from) - f->least, f->most - f->least) - box.x;
    box.width = cost && box.width < SVG_WHOLE / 400 ? SVG_WHOLE / 400 : box.width;
    f->at = to;
    buf_adds(h->b, "<td class=\"fall\"><svg aria-hidden=\"true\" width=\"100%\" height=\"12\">");
    svg_rect(h->b, whole ? "bill" : cost < 0 ? "minus" : "gpu", box, NULL);
    buf_adds(h->b, "</svg></td>");
}

static void add_bridge_line(struct html *h, const char *class, const struct bridge_line *l, struct fall *f)
{
    buf_addf(h->b, "<tr class=\"%s\"><th scope=\"row\">%s", class, l->shared ? "shared: " : "");
    (l->shared ? markup_name : markup_text)(h->b, l->label);
    buf_adds(h->b, "</th>");
    add_amount(h, l->cost);
    if (f)
        add_fall(h, f, l->cost, strcmp(class, "grand") == 0);
    else
        buf_adds(h->b, "<td></td>");
    add_amount(h, l->invoiced);
    buf_adds(h->b, "</tr>\n");
}

static void add_rates(struct html *h)
{
    const struct bill *bill = h->r->bill;

    for (size_t i = 0; i < bill->rates.n; i++) {
        struct buf text = {0};

        buf_addf(&text, "1 %s = ", bill->rates.v[i].from);
        render_add_rate(&text, bill->rates.v[i].rate);
        buf_addf(&text, " %s in ", h->r->currency);
        render_add_month(&text, bill->rates.v[i].month);
        if (bill->rates.v[i].source[0])
            buf_addf(&text, " (%s)", bill->rates.v[i].source);
        buf_adds(h->b, "<p class=\"note\">");
        markup_text(h->b, buf_str(&text));
        buf_adds(h->b, "</p>\n");
        buf_free(&text);
    }
}

void html_bridge(struct html *h)
{
    struct bridge_line *lines = xcalloc(bridge_most(h->r), sizeof *lines);
    struct bridge_line excluded = {"not counted: repeated", h->r->groups[GROUP_EXCLUDED], h->r->groups_invoiced[GROUP_EXCLUDED], false};
    size_t n = bridge_fill(h->r, lines);
    struct fall f = fall_of(lines, n);

    html_section(h, "bridge", "The way to the bill", "From the cost of GPU nodes, which this report divides, to the total of the bill's "
                 "files: the cost that the rule asks for, and what was invoiced.");
    buf_adds(h->b, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Bridge to the bill\">\n<table class=\"bridge\">\n"
                   "<caption>Bridge to the bill</caption>\n<thead><tr><th scope=\"col\">Group</th>"
                   "<th scope=\"col\" class=\"n\" data-k=\"cost\">Cost</th>"
                   "<td class=\"fall\"></td>"
                   "<th scope=\"col\" class=\"n\" data-k=\"invoiced\">Invoiced</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n; i++)
        add_bridge_line(h, i + 1 == n ? "grand" : "part", &lines[i], &f);
    if (render_has_group(h->r, GROUP_EXCLUDED))
        add_bridge_line(h, "rest", &excluded, NULL);
    buf_adds(h->b, "</tbody></table>\n</div>\n");
    add_rates(h);
    html_section_end(h);
    free(lines);
}

/* One team's file has nothing of the bill but its own rows. */
bool html_bridge_there(const struct html *h)
{
    return !h->r->split_key;
}

/* ---- warnings ---- */

static void add_warning(struct html *h, const struct diag_item *item)
{
    buf_adds(h->b, "<li><p><code>");
    markup_text(h->b, item->code);
    buf_addf(h->b, "</code> <span class=\"count\">%" PRId64 "\xc3\x97</span></p>\n", item->count);
    for (int i = 0; i < DIAG_TEXTS && item->texts[i]; i++) {
        buf_adds(h->b, "<p>");
        markup_name(h->b, item->texts[i]);
        buf_adds(h->b, "</p>\n");
    }
    buf_adds(h->b, "<p class=\"hint\">");
    if (item->hint && item->hint[0])
        markup_text(h->b, item->hint);
    else
        buf_adds(h->b, "What it means stands in the manual, gputab(1).");
    buf_adds(h->b, "</p></li>\n");
}

void html_warnings(struct html *h)
{
    const struct diag *d = h->r->diag;

    html_section(h, "warnings", "Warnings", "What made figures less certain, or looks like a mistake, and the next step.");
    buf_adds(h->b, "<ul class=\"warnings\">\n");
    for (size_t i = 0; i < d->n; i++)
        add_warning(h, &d->items[i]);
    buf_adds(h->b, "</ul>\n");
    html_section_end(h);
}

bool html_warnings_there(const struct html *h)
{
    return h->r->diag->n > 0;
}

/* ---- method ---- */

static const struct { const char *term, *means; } words[] = {
    {"Split", "what a node cost is divided into a GPU, a CPU and a memory piece, by the method named above"},
    {"GPU-h", "hours of a card, times the share of it that was paid for; the column adds up to the billed GPU hours"},
    {"VRAM GiB-h", "GPU memory held, over the time that was observed"},
    {"Unheld", "who holds a whole card pays for all of it: the part beyond the memory that was held; it changes nothing"},
    {"Rounding", "each table is rounded once, so that its rows and columns add up; hours of two tables may differ in their last digit"},
    {"Grade A", "measured"},
    {"Grade B", "reported by a sharing layer, or a holder on a node of which nothing else is known: not verified"},
    {"Grade C", "estimated: memory of a shared card, divided evenly or by request"},
    {"Grade D", "unknown"},
};

static void add_words(struct html *h)
{
    buf_adds(h->b, "<dl class=\"words\">\n");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        buf_addf(h->b, "<div><dt>%s</dt><dd>%s</dd></div>\n", words[i].term, words[i].means);
    for (int i = 1; i < BUCKETS; i++)
        buf_addf(h->b, "<div><dt>%s</dt><dd>%s</dd></div>\n", bucket_names[i], html_bucket_means(bucket_names[i]));
    buf_adds(h->b, "</dl>\n");
}

static void add_input(struct html *h, const char *what, const char *name, const char *sha256)
{
    buf_addf(h->b, "<tr><th scope=\"row\">%s</th><td>", what);
    markup_name(h->b, name);
    buf_adds(h->b, "</td><td class=\"hash\"><code>");
    markup_text(h->b, sha256);
    buf_adds(h->b, "</code></td></tr>\n");
}

static void add_inputs(struct html *h)
{
    const struct report *r = h->r;
    struct buf rule = {0};

    buf_addf(&rule, "%s%s%s", r->rule_name, r->rule_version[0] ? ", version " : "", r->rule_version);
    buf_adds(h->b, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Inputs\">\n<table class=\"inputs\">\n"
                   "<caption>What it was made of</caption>\n<thead><tr><th scope=\"col\">Input</th><th scope=\"col\">Name</th>"
                   "<th scope=\"col\">SHA-256</th></tr></thead>\n<tbody>\n");
    add_input(h, "Rule", buf_str(&rule), r->rule_sha256);
    for (size_t i = 0; i < r->bill->files.n; i++)
        add_input(h, "Bill", r->bill->files.v[i].name, r->bill->files.v[i].sha256);
    for (size_t i = 0; i < r->metrics.n; i++)
        add_input(h, "Metrics, by the usage drawn from them", r->metrics.v[i].name, r->metrics.v[i].sha256);
    add_input(h, "Catalogue", r->catalogue_version, r->catalogue_sha256);
    add_input(h, "Run", "everything that decides the numbers", r->run_id);
    buf_adds(h->b, "</tbody></table>\n</div>\n");
    buf_free(&rule);
}

static void add_command(struct html *h)
{
    if (!h->r->command || !h->r->command[0])
        return;
    buf_adds(h->b, "<h3>To make it again</h3>\n<p>With the same version of gputab, and inputs of these hashes:</p>\n<pre><code>");
    markup_text(h->b, h->r->command);
    buf_adds(h->b, " -o report.html</code></pre>\n<p>The run id is the same when nothing changed that decides the numbers.</p>\n");
}

static void add_rule(struct html *h)
{
    if (!h->r->rule_text)
        return;
    buf_adds(h->b, "<h3>The rule</h3>\n<details class=\"rule\"><summary><span class=\"name\">As used, with all defaults</span></summary>\n"
                   "<pre><code>");
    for (const char *p = h->r->rule_text; *p; p += *p == '\n') {          /* line by line: line ends are blanks to markup */
        size_t n = strcspn(p, "\n");

        markup_span(h->b, (struct span){p, n});
        buf_addc(h->b, '\n');
        p += n;
    }
    buf_adds(h->b, "</code></pre></details>\n");
}

void html_method(struct html *h)
{
    html_section(h, "method", "How it was made", NULL);
    add_inputs(h);
    add_rule(h);
    add_command(h);
    buf_adds(h->b, "<h3>Words</h3>\n");
    add_words(h);
    html_section_end(h);
}
