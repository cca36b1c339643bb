/* md: the report as Markdown, for wikis, tickets and pull requests: the same figures in the same order as on a terminal, all of their
 * columns. It is read rendered and as it is: cells are padded to their columns, and sums stand in bold. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/utf8.h"
#include "gputab/base/xalloc.h"
#include "gputab/render/bridge.h"
#include "gputab/render/figures.h"
#include "gputab/render/formats.h"
#include "gputab/render/md_notes.h"
#include "gputab/render/md_text.h"
#include "gputab/render/sheet.h"

static const enum figure shown[] = {
    FIGURE_GPU_HOURS, FIGURE_VRAM, FIGURE_RATE, FIGURE_GPU, FIGURE_CPU, FIGURE_MEMORY, FIGURE_TOTAL, FIGURE_PERCENT, FIGURE_UNHELD,
    FIGURE_IDLE, FIGURE_SHARED, FIGURE_LEAST, FIGURE_MOST,
};
enum { SHOWN = sizeof shown / sizeof *shown, LEAST_WIDTH = 3 };

/* A table on its way out: first every cell is measured, then every cell is printed. */
struct md {
    const struct report *r;
    const struct figure_set *s;
    struct sink *out;
    size_t keys;                   /* columns of names */
    enum figure figures[SHOWN];
    size_t n_figures;
    size_t *width;                 /* keys, then figures */
    bool measuring;
    size_t column;                 /* of the cell that is next */
    struct buf cell;               /* scratch */
};

/* ---- cells ---- */

/* What is in m->cell. */
static void end_cell(struct md *m, bool right)
{
    size_t width = utf8_width(buf_span(&m->cell)), *most = &m->width[m->column++];
    struct buf *text = &m->out->text;

    if (m->measuring) {
        *most = width > *most ? width : *most;
        return;
    }
    buf_adds(text, "| ");
    buf_fill(text, ' ', right ? *most - width : 0);
    buf_add_span(text, buf_span(&m->cell));
    buf_fill(text, ' ', right ? 1 : *most - width + 1);
}

static void end_line(struct md *m)
{
    m->column = 0;
    if (m->measuring)
        return;
    buf_adds(&m->out->text, "|\n");
    sink_relieve(m->out);
}

static void figure_cells(struct md *m, const struct figures *f, bool sum)
{
    for (size_t i = 0; i < m->n_figures; i++) {
        enum figure which = m->figures[i];
        const char *mark = sum && f->known[which] ? "**" : "";

        buf_clear(&m->cell);
        buf_addf(&m->cell, "%s%s", mark, which == FIGURE_TOTAL && f->estimated ? "\\~" : "");
        figure_add_text(&m->cell, m->s, f, which);
        buf_adds(&m->cell, mark);
        end_cell(m, true);
    }
    end_line(m);
}

static const char *cell_text(const struct cell *row, size_t column)
{
    return row[column].type == CELL_TEXT ? row[column].text : NULL;
}

/* Where no key has a bucket's name, it stands before the first one. */
static const char *bucket_beside(const struct md *m, const struct cell *row)
{
    const char *bucket = m->s->bucket < 0 ? NULL : cell_text(row, (size_t)m->s->bucket);

    for (size_t i = 0; bucket && i < m->keys; i++)
        if (cell_text(row, i) && strcmp(cell_text(row, i), bucket) == 0)
            return NULL;
    return bucket;
}

static const char *cost_centre_name(const struct report *r, const char *id)
{
    for (size_t i = 0; id && i < r->cost_centres.n; i++)
        if (strcmp(r->cost_centres.v[i].id, id) == 0)
            return r->cost_centres.v[i].name;
    return "";
}

static void key_cell(struct md *m, const struct cell *row, size_t key)
{
    const char *bucket = key ? NULL : bucket_beside(m, row), *text = cell_text(row, key);
    bool is_cost_centre = strcmp(m->r->table.columns.v[key].name, "cost_centre") == 0;
    const char *name = is_cost_centre ? cost_centre_name(m->r, text) : "";
    struct buf all = {0};

    buf_adds(&all, bucket ? bucket : "");
    buf_adds(&all, bucket && text ? " " : "");
    buf_adds(&all, text ? text : "");
    buf_addf(&all, "%s%s", name[0] ? " " : "", name);
    buf_clear(&m->cell);
    if (all.n)
        md_text(&m->cell, buf_str(&all));
    end_cell(m, false);
    buf_free(&all);
}

static void sum_line(struct md *m, const char *label, const struct figures *f)
{
    for (size_t key = 0; key < m->keys; key++) {
        buf_clear(&m->cell);
        if (key == 0)
            buf_addf(&m->cell, "**%s**", label);
        end_cell(m, false);
    }
    figure_cells(m, f, true);
}

static void head_line(struct md *m)
{
    for (size_t key = 0; key < m->keys; key++) {
        buf_clear(&m->cell);
        for (const char *p = m->r->table.columns.v[key].name; *p; p++)
            buf_addc(&m->cell, *p == '_' ? ' ' : *p);
        end_cell(m, false);
    }
    for (size_t i = 0; i < m->n_figures; i++) {
        buf_clear(&m->cell);
        buf_adds(&m->cell, figure_head(m->figures[i]));
        end_cell(m, true);
    }
    end_line(m);
}

/* "| :--- | ---: |": what makes a table of it. */
static void align_line(struct md *m)
{
    struct buf *text = &m->out->text;

    for (size_t i = 0; !m->measuring && i < m->keys + m->n_figures; i++) {
        buf_adds(text, i < m->keys ? "| :" : "| ");
        buf_fill(text, '-', m->width[i] - 1);
        buf_adds(text, i < m->keys ? " " : ": ");
    }
    end_line(m);
}

/* ---- tables ---- */

static void part_lines(struct md *m, struct figure_walk *w, enum figure_part part)
{
    for (size_t i = 0; i < m->s->count[part] && figure_next(w); i++) {
        const struct cell *row = table_row(&m->r->table, w->line->row);

        for (size_t key = 0; key < m->keys; key++)
            key_cell(m, row, key);
        figure_cells(m, &w->f, false);
    }
}

static void main_lines(struct md *m)
{
    const struct figure_set *s = m->s;
    struct figure_walk w = figure_walk(s);
    struct buf label = {0};

    head_line(m);
    align_line(m);
    part_lines(m, &w, PART_CHARGED);
    if (s->count[PART_CHARGED] > 1 && s->count[PART_BUCKETS]) {
        buf_addf(&label, "%zu %s", s->count[PART_CHARGED], sheet_noun(m->r, s->count[PART_CHARGED]));
        sum_line(m, buf_str(&label), &s->sums[PART_CHARGED]);
    }
    part_lines(m, &w, PART_BUCKETS);
    if (s->count[PART_BUCKETS] > 1)
        sum_line(m, "not charged", &s->sums[PART_BUCKETS]);
    sum_line(m, "TOTAL", &s->total);
    buf_free(&label);
}

static void memo_lines(struct md *m)
{
    struct figure_walk w = figure_walk(m->s);

    head_line(m);
    align_line(m);
    while (w.next < m->s->count[PART_CHARGED] + m->s->count[PART_BUCKETS] && figure_next(&w))
        ;
    part_lines(m, &w, PART_MEMO);
}

static void print_lines(struct md *m, void (*lines)(struct md *m))
{
    for (size_t i = 0; i < m->keys + m->n_figures; i++)
        m->width[i] = LEAST_WIDTH;
    m->measuring = true;
    lines(m);
    m->measuring = false;
    lines(m);
}

static void print_tables(struct md *m)
{
    for (m->keys = 0; m->keys < m->r->table.columns.n && m->r->table.columns.v[m->keys].kind == COLUMN_KEY; m->keys++)
        ;
    for (int i = 0; i < SHOWN; i++)
        if (m->s->wanted[shown[i]])
            m->figures[m->n_figures++] = shown[i];
    m->width = xcalloc(m->keys + m->n_figures + 1, sizeof *m->width);
    print_lines(m, main_lines);
    if (m->s->count[PART_MEMO]) {
        buf_adds(&m->out->text, "\nSeen in the metrics but not in the bill, in no sum:\n\n");
        print_lines(m, memo_lines);
    }
    free(m->width);
}

/* ---- around the tables ---- */

static void add_names(struct buf *b, const char *what, const char *(*name)(const struct report *, size_t), const struct report *r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        buf_adds(b, i ? ", " : what);
        md_text(b, name(r, i));
    }
    buf_adds(b, n ? "\n" : "");
}

static const char *bill_name(const struct report *r, size_t i)
{
    return r->bill->files.v[i].name;
}

static const char *metrics_name(const struct report *r, size_t i)
{
    return r->metrics.v[i].name;
}

static void add_percent(struct buf *b, money share)
{
    money_add_text(b, share * 100, 2);
    buf_adds(b, " %");
}

static void print_title(struct buf *b, const struct report *r)
{
    buf_addf(b, "# GPU %s, ", r->mode);
    render_add_instant(b, r->period.from);
    buf_adds(b, " to ");
    render_add_instant(b, r->period.to);
    buf_addf(b, " UTC%s\n\n", r->draft ? " (DRAFT)" : "");
}

static void print_facts(struct buf *b, const struct report *r)
{
    buf_adds(b, "- ");
    render_add_hours(b, r->period);
    buf_addf(b, " hours, bill %s", r->bill->rows == 0 ? "EMPTY" : r->bill->is_final ? "FINAL" : "ESTIMATED");
    buf_addf(b, "%s%s\n- rule ", r->currency[0] ? ", amounts in " : "", r->currency);
    md_text(b, r->rule_name);
    buf_adds(b, r->rule_version[0] ? " " : "");
    md_text(b, r->rule_version);
    buf_addf(b, ", split %s, GPU share ", r->split_method);
    add_percent(b, r->gpu_share);
    buf_adds(b, ", ");
    add_percent(b, r->coverage);
    buf_adds(b, " of GPU time observed\n");
    md_gates(b, &r->notes);
    add_names(b, "- bill from ", bill_name, r, r->bill->files.n);
    add_names(b, "- metrics from ", metrics_name, r, r->metrics.n);
    for (size_t i = 0; i < r->bill->rates.n; i++) {
        const struct bill_rate *rate = &r->bill->rates.v[i];

        buf_addf(b, "- 1 %s = ", rate->from);
        render_add_rate(b, rate->rate);
        buf_addf(b, " %s in ", r->currency);
        render_add_month(b, rate->month);
        buf_adds(b, rate->source[0] ? ", " : "");
        md_text(b, rate->source);
        buf_addc(b, '\n');
    }
    if (!r->owners_written)
        buf_adds(b, "- the rule names no owners: the team is the namespace\n");
    if (r->filtered)
        buf_adds(b, "- filtered: rows and TOTAL are a part; billed, allocated and difference are the whole\n");
    if (r->split_key) {
        buf_addf(b, "- %s ", r->split_key);
        md_text(b, r->split_value);
        buf_adds(b, " alone: what is billed is the sum of its rows\n");
    }
    buf_addc(b, '\n');
}

static void print_conservation(struct buf *b, const struct report *r, bool estimated)
{
    buf_adds(b, "\nBilled ");
    figure_add_amount(b, r->totals.billed, r->digits);
    buf_adds(b, ", allocated ");
    figure_add_amount(b, r->totals.billed - r->totals.difference, r->digits);
    buf_adds(b, ", difference ");
    figure_add_amount(b, r->totals.difference, r->digits);
    buf_adds(b, ".\n");
    if (estimated)
        buf_adds(b, "Totals marked with \\~ have an estimated part.\n");
    if (r->improve[0]) {
        buf_adds(b, "To measure it: ");
        md_text(b, r->improve);
        buf_adds(b, ".\n");
    }
}

static void add_bridge_label(struct buf *b, const struct bridge_line *line)
{
    struct buf text = {0};

    buf_adds(&text, line->shared ? "shared: " : "");
    md_text(&text, line->label);
    buf_addf(b, "| %-22s |", buf_str(&text));
    buf_free(&text);
}

static void print_bridge(struct buf *b, const struct report *r)
{
    struct bridge_line *lines = xcalloc(bridge_most(r), sizeof *lines);
    size_t n = bridge_fill(r, lines);

    buf_adds(b, "\n| bridge to the bill     |             cost |         invoiced |\n"
                "| :--------------------- | ---------------: | ---------------: |\n");
    for (size_t i = 0; i < n; i++) {
        const money amounts[] = {lines[i].cost, lines[i].invoiced};

        add_bridge_label(b, &lines[i]);
        for (int k = 0; k < 2; k++) {
            struct buf text = {0};

            figure_add_amount(&text, amounts[k], r->digits);
            buf_addf(b, " %16s |", buf_str(&text));
            buf_free(&text);
        }
        buf_addc(b, '\n');
    }
    free(lines);
}

static void print_warnings(struct buf *b, const struct diag *d)
{
    if (d->n)
        buf_adds(b, "\n## Warnings\n\n");
    for (size_t i = 0; i < d->n; i++) {
        const struct diag_item *item = &d->items[i];

        buf_addf(b, "- **%s** (%" PRId64 "x) ", item->code, item->count);
        md_text(b, item->texts[0] ? item->texts[0] : "");
        if (item->hint && item->hint[0]) {
            buf_adds(b, ": ");
            md_text(b, item->hint);
        }
        buf_addc(b, '\n');
    }
}

void render_md(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    struct figure_set s = {0};
    struct md m = {.r = r, .s = &s, .out = out};

    figure_set_fill(&s, r);
    print_title(&out->text, r);
    print_facts(&out->text, r);
    if (s.lines.n)
        print_tables(&m);
    else
        buf_adds(&out->text, r->filtered ? "No row matches the filter.\n" : "No cost of GPU nodes in this period.\n");
    print_conservation(&out->text, r, s.estimated);
    if (cfg->bridge)
        print_bridge(&out->text, r);
    md_notes(&out->text, r);
    print_warnings(&out->text, r->diag);
    figure_set_free(&s);
    buf_free(&m.cell);
}
