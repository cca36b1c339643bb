/* render: the table of formats. Adding a format is a function and a row here; --format, -o, help and completion follow. */
#include "gputab/render/render.h"

#include <string.h>

#include "gputab/base/span.h"
#include "gputab/render/formats.h"

const struct render_ops render_formats[] = {
    {"table", NULL, "for a terminal; plain text elsewhere", render_table, true, 0},
    {"plain", "txt", "the same without colour and box characters", render_plain, true, 0},
    {"csv", "csv", "a row per row, numbers unformatted", render_csv, true, 0},
    {"json", "json", "everything, schema gputab.report/1", render_json, true, 0},
    {"jsonl", "jsonl", "a JSON object per row and line", render_jsonl, true, 0},
    {"xlsx", "xlsx", "a workbook: summary with charts, teams, detail, checks, method", render_xlsx,
     .parts = 1 << REPORT_TEAMS | 1 << REPORT_DETAIL | 1 << REPORT_REASONS | 1 << REPORT_DAYS, .extras = RENDER_RATES | RENDER_RULE_TEXT,
     .binary = true, .needs_beside = xlsx_needs_beside},
    {"md", "md", "Markdown, aligned for those who read it as it is", render_md, false, 0},
    {"focus", "focus.csv", "allocated charges of FOCUS 1.3: what pods pay of each charge", render_focus, false, 1U << REPORT_ORIGINS},
    {"openmetrics", "prom", "gauges for Prometheus: a textfile of node_exporter, a Pushgateway", render_openmetrics, false, 0},
    {"html", "html", "a page for a browser: tables, charts, pods, method", render_html, false,
     1U << REPORT_TEAMS | 1U << REPORT_DETAIL | 1U << REPORT_REASONS | 1U << REPORT_DAYS, .extras = RENDER_RULE_TEXT},
    {0}
};

const struct render_ops *render_find(struct span name)
{
    for (const struct render_ops *f = render_formats; f->name; f++)
        if (span_eq(name, f->name))
            return f;
    return NULL;
}

/* Behind a point with something before it: ".csv" is a hidden file. */
static bool has_extension(struct span base, const char *extension)
{
    size_t n = extension ? strlen(extension) : 0;
    struct span end = {base.p + base.n - n, n};

    return n && base.n > n + 1 && end.p[-1] == '.' && span_eq_fold(end, extension);
}

const struct render_ops *render_by_path(const char *path)
{
    struct span base = span_after_last(span_of(path), '/');
    const struct render_ops *best = NULL;

    for (const struct render_ops *f = render_formats; f->name; f++)
        if (has_extension(base, f->extension) && (!best || strlen(f->extension) > strlen(best->extension)))
            best = f;
    return best;
}

void render_add_number(struct buf *b, const struct column *column, const struct cell *cell)
{
    money_add_text(b, cell->number, column->digits);
}

void render_add_hours(struct buf *b, struct timespan period)
{
    struct buf text = {0};

    money_add_text(&text, (money)timespan_ms(period) * MONEY_ONE / TIME_HOUR, 6);
    while (text.p[text.n - 1] == '0')
        text.n--;
    if (text.p[text.n - 1] == '.')
        text.n--;
    buf_add_span(b, buf_span(&text));
    buf_free(&text);
}

void render_add_month(struct buf *b, time_ms month)
{
    struct buf text = {0};

    time_add_text(&text, month);
    buf_addf(b, "%.7s", buf_str(&text));
    buf_free(&text);
}

void render_add_rate(struct buf *b, money rate)
{
    money_add_text(b, rate, MONEY_DECIMALS);
    while (b->p[b->n - 1] == '0')
        b->p[--b->n] = '\0';
    if (b->p[b->n - 1] == '.')
        b->p[--b->n] = '\0';
}

bool render_has_group(const struct report *r, int group)
{
    return r->groups[group] != 0 || r->groups_invoiced[group] != 0 || r->bill->group_rows[group] > 0;
}

void render_add_instant(struct buf *b, time_ms t)
{
    time_add_date(b, t);
    if (time_floor(t, TIME_DAY) != t) {
        struct buf text = {0};

        time_add_text(&text, t);
        buf_addf(b, " %.*s", (int)(text.n - strlen("2026-10-05TZ")), text.p + strlen("2026-10-05T"));
        buf_free(&text);
    }
}
