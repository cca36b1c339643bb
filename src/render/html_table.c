/* html_table: heads, rows and cells. Every number carries its plain form in data-v, so that it can be sorted, copied and checked, and every
 * head the name that its column has in JSON. Columns that would say nothing are left out, as in the terminal's table. */
#include "gputab/render/html_table.h"

#include <string.h>

/* What something cost goes first: on a telephone the others are a movement away. */
static const struct html_column {
    enum figure figure;
    const char *name;              /* in JSON; of what JSON has not, a name of its own */
    const char *head, *means;
} all_columns[] = {
    {FIGURE_TOTAL, "total_cost", "Total", "GPU, CPU and memory together"},
    {FIGURE_PERCENT, "percent", "% of bill", "of what was billed for GPU nodes"},
    {FIGURE_GPU, "gpu_cost", "GPU", "GPU piece of the nodes' cost"},
    {FIGURE_CPU, "cpu_cost", "CPU", "CPU piece of the nodes' cost"},
    {FIGURE_MEMORY, "memory_cost", "Memory", "memory piece of the nodes' cost"},
    {FIGURE_UNHELD, "unheld_cost", "Unheld", "GPU cost of reservations beyond the memory they held; a part of GPU"},
    {FIGURE_IDLE, "idle_cost", "Of it idle", "idle cost that a policy moved here; a part of the total"},
    {FIGURE_SHARED, "shared_cost", "Of it shared", "shared costs that were spread here; a part of the total"},
    {FIGURE_LEAST, "min_cost", "At least", "what the data allow, where memory was estimated"},
    {FIGURE_MOST, "max_cost", "At most", "what the data allow, where memory was estimated"},
    {FIGURE_GPU_HOURS, "gpu_hours", "GPU-h", "hours of cards, times the share that was paid for"},
    {FIGURE_RATE, "rate", "per GPU-h", "total divided by GPU hours"},
    {FIGURE_VRAM, "vram_gib_hours", "VRAM GiB-h", "GPU memory held over time"},
};
enum { ALL = sizeof all_columns / sizeof all_columns[0] };

static const struct html_column *column_of(enum figure f)
{
    for (int i = 0; i < ALL; i++)
        if (all_columns[i].figure == f)
            return &all_columns[i];
    return NULL;
}

static void add_head(struct html_table *t, enum figure f)
{
    const struct html_column *c = column_of(f);

    buf_addf(t->h->b, "<th scope=\"col\" class=\"n%s\" data-k=\"%s\" title=\"%s\">%s</th>", f == FIGURE_TOTAL ? " total" : "", c->name,
             c->means, c->head);
}

static bool says_nothing_of_sums(enum figure f)
{
    return f == FIGURE_LEAST || f == FIGURE_MOST;
}

void html_table_begin(struct html_table *t, const char *caption, const char *const *keys, size_t n_keys)
{
    struct buf *b = t->h->b;

    t->n_keys = n_keys;
    t->n_columns = 0;
    for (int i = 0; i < ALL; i++)
        if (t->s->wanted[all_columns[i].figure] && !(t->sums && says_nothing_of_sums(all_columns[i].figure)))
            t->columns[t->n_columns++] = all_columns[i].figure;
    buf_adds(b, "<div class=\"scroll\" role=\"region\" tabindex=\"0\"");
    markup_attr(b, "aria-label", caption);
    buf_adds(b, ">\n<table class=\"figures\">\n<caption>");
    markup_text(b, caption);
    buf_adds(b, "</caption>\n<thead><tr>");
    for (size_t i = 0; i < n_keys; i++) {
        buf_adds(b, "<th scope=\"col\">");
        markup_text(b, keys[i]);
        buf_adds(b, "</th>");
    }
    for (size_t i = 0; i < t->n_columns; i++)
        add_head(t, t->columns[i]);
    buf_adds(b, "</tr></thead>\n");
}

void html_table_end(struct html_table *t)
{
    buf_adds(t->h->b, "</table>\n</div>\n");
    sink_relieve(t->h->out);
}

void html_body(struct html_table *t, const char *class)
{
    if (class)
        buf_addf(t->h->b, "<tbody class=\"%s\">\n", class);
    else
        buf_adds(t->h->b, "</tbody>\n");
}

void html_row_begin(struct html_table *t, const char *class)
{
    if (class)
        buf_addf(t->h->b, "<tr class=\"%s\">", class);
    else
        buf_adds(t->h->b, "<tr>");
}

void html_row_key(struct html_table *t, const char *scope, const char *text)
{
    struct buf *b = t->h->b;

    if (scope)
        buf_addf(b, "<th scope=\"%s\">", scope);
    else
        buf_adds(b, "<td>");
    if (text[0])
        markup_name(b, text);
    else
        buf_adds(b, "<span class=\"none\">\xe2\x80\x93</span>");
    buf_adds(b, scope ? "</th>" : "</td>");
}

/* The share of the bill as a bar, too. */
static void add_spark(struct buf *b, money percent)
{
    buf_adds(b, "<svg class=\"spark\" aria-hidden=\"true\" width=\"36\" height=\"8\">"
                "<rect class=\"track\" width=\"100%\" height=\"8\" rx=\"2\"/>");
    svg_rect(b, "fill", (struct svg_box){.width = svg_part(percent, 100 * MONEY_ONE), .height = 8}, NULL);
    buf_adds(b, "</svg>");
}

static void add_cell(struct html_table *t, enum figure which, const struct figures *f)
{
    struct buf *b = t->h->b;

    buf_addf(b, "<td class=\"n%s\"", which == FIGURE_TOTAL ? " total" : "");
    if (f->known[which]) {
        buf_adds(b, " data-v=\"");
        money_add_text(b, f->v[which], t->s->digits[which]);
        buf_addc(b, '"');
    }
    buf_addc(b, '>');
    if (which == FIGURE_TOTAL && f->estimated)
        buf_adds(b, "<abbr title=\"partly estimated\">~</abbr>");
    if (which == FIGURE_PERCENT && f->known[which] && t->sparks)
        add_spark(b, f->v[which]);
    buf_adds(b, which == FIGURE_PERCENT ? "<span class=\"pct\">" : "");
    figure_add_text(b, t->s, f, which);
    buf_adds(b, which == FIGURE_PERCENT ? "</span></td>" : "</td>");
}

void html_row_end(struct html_table *t, const struct figures *f)
{
    for (size_t i = 0; i < t->n_columns; i++)
        add_cell(t, t->columns[i], f);
    buf_adds(t->h->b, "</tr>\n");
    sink_relieve(t->h->out);
}

void html_row_of(struct html_table *t, const char *class, const char *text, const struct figures *f)
{
    buf_addf(t->h->b, "<tr class=\"%s\"><th scope=\"row\" colspan=\"%zu\">", class, t->n_keys);
    markup_text(t->h->b, text);
    buf_adds(t->h->b, "</th>");
    html_row_end(t, f);
}

/* ---- a report's lines ---- */

/* A bucket's name stands in the keys that it applies to; where there is none of those it goes before the first one. */
static bool names_bucket(const struct figure_set *s, const struct cell *row, const char *bucket)
{
    for (size_t k = 0; k < s->r->by.n; k++)
        if (strcmp(html_cell(row, (int)k), bucket) == 0)
            return true;
    return false;
}

static void add_bucket(struct html_table *t, const char *bucket)
{
    buf_adds(t->h->b, "<span class=\"bucket\"");
    markup_attr(t->h->b, "title", html_bucket_means(bucket));
    buf_addc(t->h->b, '>');
    markup_text(t->h->b, bucket);
    buf_adds(t->h->b, "</span>");
}

static void add_key(struct html_table *t, size_t k, const struct cell *row, const char *bucket)
{
    struct buf *b = t->h->b;
    const char *text = html_cell(row, (int)k);
    const char *name = strcmp(t->s->r->by.v[k], "cost_centre") == 0 ? html_centre_name(t->h->r, text) : "";

    if (bucket[0] && strcmp(text, bucket) == 0) {
        add_bucket(t, bucket);
    } else if (text[0]) {
        markup_name(b, text);
    } else {
        buf_adds(b, "<span class=\"none\">\xe2\x80\x93</span>");
    }
    if (name[0]) {
        buf_addc(b, ' ');
        markup_name(b, name);
    }
}

/* The first key of a row, behind the bucket where no key names it. */
static void add_first_key(struct html_table *t, const struct cell *row)
{
    const char *bucket = html_cell(row, t->s->bucket);

    if (bucket[0] && !names_bucket(t->s, row, bucket)) {
        add_bucket(t, bucket);
        if (!html_cell(row, 0)[0])
            return;
        buf_addc(t->h->b, ' ');
    }
    add_key(t, 0, row, bucket);
}

static void add_line(struct html_table *t, uint32_t line, const struct figures *f)
{
    const struct cell *row = table_row(&t->s->r->table, line);
    struct buf *b = t->h->b;

    html_row_begin(t, NULL);
    buf_adds(b, "<th scope=\"row\">");
    add_first_key(t, row);
    buf_adds(b, "</th>");
    for (size_t k = 1; k < t->n_keys; k++) {
        buf_adds(b, "<td>");
        add_key(t, k, row, html_cell(row, t->s->bucket));
        buf_adds(b, "</td>");
    }
    html_row_end(t, f);
}

static void add_rest(struct html_table *t, const struct group *g)
{
    struct group_sum rest;
    size_t n = group_rest(g, &rest);
    struct buf text = {0};

    if (!n)
        return;
    buf_addf(&text, "%zu more, cheaper than these", n);
    html_row_of(t, "rest", buf_str(&text), &rest.f);
    buf_free(&text);
}

static void add_group(struct html_table *t, const struct group *g)
{
    bool headed = t->n_keys > 1 && g->n_lines > 1;

    html_body(t, t->n_keys > 1 ? "group" : "rows");
    if (headed) {
        buf_addf(t->h->b, "<tr class=\"head\"><th scope=\"rowgroup\" colspan=\"%zu\">", t->n_keys);
        add_first_key(t, table_row(&t->s->r->table, g->row));
        buf_addf(t->h->b, " <span class=\"count\">%zu</span></th>", g->n_lines);
        html_row_end(t, &g->sum.f);
    }
    for (size_t i = 0; i < g->lines.n; i++)
        add_line(t, g->lines.v[i].row, &g->lines.v[i].s.f);
    add_rest(t, g);
    html_body(t, NULL);
}

static void add_sum(struct html_table *t, const char *class, const char *text, const struct figures *f)
{
    html_body(t, "sum");
    html_row_of(t, class, text, f);
    html_body(t, NULL);
}

static void add_part(struct html_table *t, const struct groups *g, enum figure_part part)
{
    for (int at = g->first; at != GROUP_NONE; at = g->v.v[at].next)
        if (g->v.v[at].part == part)
            add_group(t, &g->v.v[at]);
}

static void add_lines(struct html_table *t, const struct groups *g)
{
    const struct figure_set *s = t->s;
    bool both = s->count[PART_CHARGED] && s->count[PART_BUCKETS];

    add_part(t, g, PART_CHARGED);
    if (both)
        add_sum(t, "subtotal", "Charged", &s->sums[PART_CHARGED]);
    add_part(t, g, PART_BUCKETS);
    if (both)
        add_sum(t, "subtotal", "Not charged", &s->sums[PART_BUCKETS]);
    add_sum(t, "grand", "Total", &s->total);
    add_part(t, g, PART_MEMO);
}

void html_table_lines(struct html *h, const struct figure_set *s, const char *caption, size_t most)
{
    struct html_table t = {.h = h, .s = s, .sparks = true};
    struct groups g = {0};
    const char *keys[HTML_KEYS];
    size_t n = s->r->by.n < HTML_KEYS ? s->r->by.n : HTML_KEYS;

    for (size_t i = 0; i < n; i++)
        keys[i] = html_key_name(s->r->by.v[i]);
    groups_fill(&g, s, &(struct groups_config){.keys = {n > 1}, .by_bucket = n > 1, .in_order = html_in_order(s->r),
                                               .lines_of_group = most, .lines = most});
    html_table_begin(&t, caption, keys, n);
    add_lines(&t, &g);
    html_table_end(&t);
    groups_free(&g);
}
