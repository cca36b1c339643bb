/* xlsx_charts: what is drawn is written to a sheet of its own, in the order in which it is drawn, so that every bar can be looked up.
 * Parts of a bar always sum to the cost in the table. How much of idle money that was moved to a team is of its GPU piece no table says:
 * where such money was moved the parts are therefore own use, idle and shared, which is exact. */
#include "gputab/render/xlsx_charts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEAMS_DRAWN = 12, HEAD_ROW = 3, CHART_WIDTH = 620, CHART_WIDTH_PLAIN = 480, CHART_HEIGHT_PLAIN = 288, MOMENTS_HEIGHT = 250, GAP = 16,
       CHARTS_COLUMN = 16,
       MOMENTS_MOST = 1200 /* a century of months */ };
static const char sheet_name[] = "Charts";
static const char *const parts[2][CHART_SERIES] = {{"GPU", "CPU + memory", "Idle"}, {"Own use", "Idle", "Shared costs"}};
static const uint32_t part_colours[2][CHART_SERIES] = {{XLSX_BLUE, XLSX_TEAL, XLSX_SAND}, {XLSX_BLUE, XLSX_SAND, XLSX_TEAL}};

/* ---- what is drawn ---- */

static struct chart_bar bar_of(const struct xlsx_charts *c, const char *name, const struct amounts *a)
{
    struct chart_bar bar = {.name = name};
    bool idle = strcmp(name, bucket_names[BUCKET_IDLE]) == 0;
    money total = a->v[AMOUNT_TOTAL];

    if (c->moved) {
        bar.v[1] = idle ? total : a->v[AMOUNT_IDLE];
        bar.v[2] = idle ? 0 : a->v[AMOUNT_SHARED];
        bar.v[0] = total - bar.v[1] - bar.v[2];
    } else {
        bar.v[0] = idle ? 0 : a->v[AMOUNT_GPU];
        bar.v[1] = idle ? 0 : a->v[AMOUNT_CPU] + a->v[AMOUNT_MEMORY];
        bar.v[2] = idle ? total : 0;
    }
    return bar;
}

static int by_cost(const void *a, const void *b)
{
    const struct xlsx_line *x = a, *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static void add_bar(struct xlsx_charts *c, const struct xlsx_lines *l, const struct xlsx_line *line)
{
    struct amounts a;
    const char *name = xlsx_line_read(l, line, &a);

    if (a.v[AMOUNT_TOTAL] != 0)
        vec_push(&c->bars, bar_of(c, arena_strdup(&c->strings, name), &a));
}

static void add_others(struct xlsx_charts *c, const struct xlsx_lines *l, const struct xlsx_line *lines, size_t n)
{
    struct chart_bar others = {0};
    char name[40];

    if (n == 0)
        return;
    snprintf(name, sizeof name, "%zu other teams", n);
    others.name = arena_strdup(&c->strings, name);
    for (size_t i = 0; i < n; i++) {
        struct amounts a;
        struct chart_bar bar;

        xlsx_line_read(l, &lines[i], &a);
        bar = bar_of(c, "", &a);
        for (int k = 0; k < CHART_SERIES; k++)
            others.v[k] += bar.v[k];
    }
    vec_push(&c->bars, others);
}

static void fill_bars(struct xlsx_charts *c, const struct xlsx_lines *l)
{
    size_t n_teams = l->lines.n - (l->has_buckets ? l->groups.v[l->groups.n - 1].n : 0), drawn;
    VEC(struct xlsx_line) teams = {0};

    for (size_t i = 0; i < n_teams; i++)
        vec_push(&teams, l->lines.v[i]);
    if (n_teams)
        qsort(teams.v, n_teams, sizeof teams.v[0], by_cost);
    drawn = n_teams > TEAMS_DRAWN + 1 ? TEAMS_DRAWN : n_teams;
    for (size_t i = 0; i < drawn; i++)
        add_bar(c, l, &teams.v[i]);
    add_others(c, l, teams.v + drawn, n_teams - drawn);
    for (size_t i = n_teams; i < l->lines.n; i++)
        add_bar(c, l, &l->lines.v[i]);
    vec_free(&teams);
}

static time_ms month_of(time_ms t)
{
    struct timespan month = {t, t};
    struct buf text = {0};

    time_add_text(&text, t);
    if (timespan_parse_month((struct span){text.p, 7}, &month) < 0)
        month.from = t;
    buf_free(&text);
    return month.from;
}

static time_ms month_after(time_ms month)
{
    return month_of(month + 31 * TIME_DAY);
}

/* Every day or month of the period, those without costs too. */
static void add_moments(struct xlsx_charts *c, struct timespan period)
{
    time_ms at = c->monthly ? month_of(period.from) : time_floor(period.from, TIME_DAY);

    for (; at < period.to && c->moments.n < MOMENTS_MOST; at = c->monthly ? month_after(at) : at + TIME_DAY)
        vec_push(&c->moments, (struct chart_moment){.at = at});
}

static struct chart_moment *find_moment(struct xlsx_charts *c, const char *day)
{
    time_ms at;

    if (time_parse(span_of(day), &at) < 0)
        return NULL;
    at = c->monthly ? month_of(at) : at;
    for (size_t i = 0; i < c->moments.n; i++)
        if (c->moments.v[i].at == at)
            return &c->moments.v[i];
    return NULL;
}

static void fill_moments(struct xlsx_charts *c, const struct report *r)
{
    const struct table *t = &r->parts[REPORT_DAYS]->table;
    int day = table_find(t, "day"), bucket = table_find(t, "bucket"), total = table_find(t, "total_cost");

    add_moments(c, r->period);
    for (size_t row = 0; row < t->n_rows; row++) {
        const struct cell *cells = table_row(t, row);
        struct chart_moment *m = cells[day].type == CELL_TEXT ? find_moment(c, cells[day].text) : NULL;

        if (!m)
            continue;
        m->total += cells[total].number;
        if (cells[bucket].type == CELL_TEXT && strcmp(cells[bucket].text, bucket_names[BUCKET_IDLE]) == 0)
            m->idle += cells[total].number;
    }
    for (size_t i = 0; i < c->moments.n; i++) {
        c->idle |= c->moments.v[i].idle != 0;
        c->below_zero |= c->moments.v[i].total < 0 || c->moments.v[i].idle < 0;
    }
}

static bool has_several_months(struct timespan period)
{
    struct buf from = {0}, to = {0};
    bool several;

    time_add_date(&from, period.from);
    time_add_date(&to, period.to - 1);
    several = strncmp(buf_str(&from), buf_str(&to), 7) != 0;
    buf_free(&from);
    buf_free(&to);
    return several;
}

void xlsx_charts_fill(struct xlsx_charts *c, const struct report *r, const struct xlsx_lines *l)
{
    c->moved = l->used[AMOUNT_IDLE] || l->used[AMOUNT_SHARED];
    c->monthly = has_several_months(r->period);
    fill_bars(c, l);
    fill_moments(c, r);
}

void xlsx_charts_free(struct xlsx_charts *c)
{
    vec_free(&c->bars);
    vec_free(&c->moments);
    arena_free(&c->strings);
}

/* ---- how it is drawn ---- */

static lxw_row_t moments_head(const struct xlsx_charts *c)
{
    return (lxw_row_t)(HEAD_ROW + c->bars.n + 3);
}

static void dress_axis(lxw_chart_axis *axis, bool values)
{
    lxw_chart_font font = {.size = 9, .color = XLSX_MUTED};
    lxw_chart_line line = {.color = XLSX_LINE, .width = 0.75}, none = {.none = LXW_TRUE};

    chart_axis_set_num_font(axis, &font);
    chart_axis_set_line(axis, values ? &none : &line);
    chart_axis_set_major_tick_mark(axis, LXW_CHART_AXIS_TICK_MARK_NONE);
    if (values) {
        chart_axis_major_gridlines_set_visible(axis, LXW_TRUE);
        chart_axis_major_gridlines_set_line(axis, &line);
        chart_axis_set_num_format(axis, "#,##0");
    } else {
        chart_axis_major_gridlines_set_visible(axis, LXW_FALSE);
    }
}

static void dress_chart(lxw_chart *chart, const char *title)
{
    lxw_chart_font font = {.size = 12, .bold = LXW_TRUE, .color = XLSX_NAVY}, legend = {.size = 9, .color = XLSX_INK};
    lxw_chart_line line = {.color = XLSX_LINE, .width = 0.75};

    chart_title_set_name(chart, title);
    chart_title_set_name_font(chart, &font);
    chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
    chart_legend_set_font(chart, &legend);
    chart_chartarea_set_line(chart, &line);
}

static lxw_chart_series *add_series(lxw_chart *chart, lxw_row_t head, size_t n, lxw_col_t column)
{
    lxw_chart_series *s = chart_add_series(chart, NULL, NULL);

    chart_series_set_name_range(s, sheet_name, head, column);
    chart_series_set_categories(s, sheet_name, head + 1, 0, head + (lxw_row_t)n, 0);
    chart_series_set_values(s, sheet_name, head + 1, column, head + (lxw_row_t)n, column);
    return s;
}

static void add_head(struct buf *b, const struct report *r, const char *what)
{
    buf_clear(b);
    buf_addf(b, "%s%s%s", what, r->currency[0] ? ", " : "", r->currency);
}

struct chart_place {
    lxw_row_t row;
    lxw_col_t column;
    int right, down;               /* pixels from there */
};

/* `about`: for who cannot see it. */
static void place_chart(struct xlsx_sheet *on, lxw_chart *chart, const struct chart_place *at, int height, struct buf *about)
{
    lxw_chart_options o = {.description = about->p, .x_offset = at->right, .y_offset = at->down,
                           .x_scale = (double)CHART_WIDTH / CHART_WIDTH_PLAIN,
                           .y_scale = (double)height / CHART_HEIGHT_PLAIN};

    xlsx_try(on->book, worksheet_insert_chart_opt(on->sheet, at->row, at->column, chart, &o));
}

static int bars_height(const struct xlsx_charts *c)
{
    return 110 + 24 * (int)c->bars.n;
}

static void draw_bars(const struct xlsx_charts *c, struct xlsx_sheet *on, const struct chart_place *at)
{
    lxw_chart *chart = workbook_add_chart(on->book->workbook, LXW_CHART_BAR_STACKED);
    struct buf title = {0};

    for (int k = 0; k < CHART_SERIES; k++) {
        lxw_chart_fill fill = {.color = part_colours[c->moved][k]};

        chart_series_set_fill(add_series(chart, HEAD_ROW, c->bars.n, (lxw_col_t)(k + 1)), &fill);
    }
    add_head(&title, on->book->r, "Cost by team and bucket");
    dress_chart(chart, buf_str(&title));
    chart_set_series_gap(chart, 45);
    dress_axis(chart->y_axis, false);                        /* bars lie: the library turns the axes with them */
    dress_axis(chart->x_axis, true);
    chart_axis_set_reverse(chart->y_axis);                   /* the first one on top ... */
    chart_axis_set_crossing_max(chart->y_axis);              /* ... and the values below */
    buf_adds(&title, "; the figures are on the sheet Charts");
    place_chart(on, chart, at, bars_height(c), &title);
    buf_free(&title);
}

static void draw_line(lxw_chart *chart, const struct xlsx_charts *c, lxw_col_t column, uint32_t colour)
{
    lxw_chart_line line = {.color = colour, .width = 2.25};
    lxw_chart_fill fill = {.color = colour};
    lxw_chart_series *s = add_series(chart, moments_head(c), c->moments.n, column);

    chart_series_set_line(s, &line);
    chart_series_set_marker_type(s, c->moments.n > 40 ? LXW_CHART_MARKER_NONE : LXW_CHART_MARKER_CIRCLE);
    chart_series_set_marker_size(s, 5);
    chart_series_set_marker_fill(s, &fill);
    chart_series_set_marker_line(s, &line);
}

static void draw_moments(const struct xlsx_charts *c, struct xlsx_sheet *on, const struct chart_place *at)
{
    lxw_chart *chart = workbook_add_chart(on->book->workbook, LXW_CHART_LINE);
    struct buf title = {0};

    draw_line(chart, c, 1, XLSX_NAVY);
    if (c->idle)
        draw_line(chart, c, 2, XLSX_SAND);
    add_head(&title, on->book->r, c->monthly ? "Cost per month" : "Cost per day");
    dress_chart(chart, buf_str(&title));
    dress_axis(chart->x_axis, false);
    dress_axis(chart->y_axis, true);
    if (!c->below_zero)
        chart_axis_set_min(chart->y_axis, 0);
    chart_axis_set_num_format(chart->x_axis, c->monthly ? "mmm yyyy" : "d mmm");
    if (!c->monthly && c->moments.n > 15)
        chart_axis_set_interval_unit(chart->x_axis, (uint16_t)(c->moments.n / 10));
    buf_adds(&title, "; the figures are on the sheet Charts");
    place_chart(on, chart, at, at->right ? bars_height(c) : MOMENTS_HEIGHT, &title);
    buf_free(&title);
}

void xlsx_charts_draw(const struct xlsx_charts *c, struct xlsx_sheet *on, lxw_row_t row, lxw_col_t column, bool abreast)
{
    struct chart_place at = {.row = row, .column = column};

    if (c->bars.n) {
        draw_bars(c, on, &at);
        at.right = abreast ? CHART_WIDTH + GAP : 0;
        at.down = abreast ? 0 : bars_height(c) + GAP;
    }
    if (c->moments.n > 1)
        draw_moments(c, on, &at);
}

/* ---- the sheet ---- */

static void write_bars(const struct xlsx_charts *c, struct xlsx_sheet *s)
{
    xlsx_text(s, HEAD_ROW, 0, FACE_HEAD, "Team or bucket");
    for (int k = 0; k < CHART_SERIES; k++)
        xlsx_text(s, HEAD_ROW, (lxw_col_t)(k + 1), FACE_HEAD_RIGHT, parts[c->moved][k]);
    for (size_t i = 0; i < c->bars.n; i++) {
        lxw_row_t row = (lxw_row_t)(HEAD_ROW + 1 + i);

        xlsx_text(s, row, 0, FACE_PLAIN, c->bars.v[i].name);
        for (int k = 0; k < CHART_SERIES; k++)
            xlsx_number(s, row, (lxw_col_t)(k + 1), FACE_PLAIN, NUMBER_MONEY, c->bars.v[i].v[k]);
    }
}

static void write_moments(const struct xlsx_charts *c, struct xlsx_sheet *s)
{
    lxw_row_t row = moments_head(c);

    xlsx_text(s, row, 0, FACE_HEAD, c->monthly ? "Month" : "Day");
    xlsx_text(s, row, 1, FACE_HEAD_RIGHT, "Total");
    xlsx_text(s, row, 2, FACE_HEAD_RIGHT, "Idle");
    for (size_t i = 0; i < c->moments.n; i++) {
        row++;
        xlsx_date(s, row, 0, FACE_PLAIN, c->monthly ? NUMBER_MONTH : NUMBER_DAY, c->moments.v[i].at);
        xlsx_number(s, row, 1, FACE_PLAIN, NUMBER_MONEY, c->moments.v[i].total);
        xlsx_number(s, row, 2, FACE_PLAIN, NUMBER_MONEY, c->moments.v[i].idle);
    }
}

void xlsx_charts_sheet(const struct xlsx_charts *c, struct xlsx_book *b)
{
    struct xlsx_sheet s = xlsx_sheet_new(b, sheet_name, XLSX_LINE);
    struct buf text = {0};

    add_head(&text, b->r, "What the charts of the summary draw");
    xlsx_title(&s, "Charts", buf_str(&text));
    write_bars(c, &s);
    write_moments(c, &s);
    for (lxw_col_t column = 1; column <= CHART_SERIES; column++)
        xlsx_wide(&s, column, CHARTS_COLUMN);                /* heads on one line */
    xlsx_sheet_end(&s, -1, 0);
    buf_free(&text);
}
