/* html_days: how the hours of each pool were used, day by day: held by pods, idle, in use by nobody known, not observed. A pool is a
 * GPU model in a region, bought in one way: prices are never mixed across pools, and neither are these charts. Small pools share a
 * last chart; a period of very many days has several of them in one column. */
#include <string.h>

#include "gputab/base/intern.h"
#include "gputab/render/html.h"

enum { POOLS_SHOWN = 12, COLUMNS_MOST = 184, HEIGHT = 150, PLOT_TOP = 16, PLOT = 112 };

enum use { USE_HELD, USE_IDLE, USE_OTHER, USE_LOST, USES };
static const char *const use_classes[USES] = {"held", "idle", "other", "lost"};
static const char *const use_words[USES] = {"held by pods", "idle", "kept by the driver, or in use by no known pod", "not observed"};

struct pool {
    char *name;                    /* owned: the model, */
    char *place;                   /* and "us-east-1, on_demand"; owned */
    money *hours;                  /* of column c and use u: hours[c * USES + u]; owned */
    money total, by_use[USES];
};

struct days {
    const struct report *r;
    int64_t first, n_days;         /* days since 1970 */
    size_t step, n_columns;        /* days of a column */
    struct intern *names;          /* a pool's id is its index + 1 */
    VEC(struct pool) pools;
};

static enum use use_of(const char *bucket)
{
    if (!bucket[0] || strcmp(bucket, bucket_names[BUCKET_SYSTEM]) == 0 || strcmp(bucket, bucket_names[BUCKET_UNMAPPED]) == 0)
        return USE_HELD;
    if (strcmp(bucket, bucket_names[BUCKET_IDLE]) == 0)
        return USE_IDLE;
    return strcmp(bucket, bucket_names[BUCKET_NO_METRICS]) == 0 ? USE_LOST : USE_OTHER;
}

static struct pool *find_pool(struct days *d, const char *model, const char *region, const char *purchase)
{
    struct buf key = {0}, place = {0};
    uint32_t id;

    buf_addf(&place, "%s%s%s", region, region[0] && purchase[0] ? ", " : "", purchase);
    buf_addf(&key, "%s\n%s", model, buf_str(&place));
    id = intern_put(d->names, key.p, key.n);
    if (id > d->pools.n)
        vec_push(&d->pools, (struct pool){.name = xstrdup(model[0] ? model : "unknown model"), .place = xstrdup(buf_str(&place)),
                                          .hours = xcalloc(d->n_columns * USES, sizeof(money))});
    buf_free(&key);
    buf_free(&place);
    return &d->pools.v[id - 1];
}

static void add_row(struct days *d, const struct cell *row, const int columns[6])
{
    const char *bucket = html_cell(row, columns[4]);
    const struct cell *hours = &row[columns[5]];
    size_t column;
    struct pool *p;
    time_ms day;

    if (hours->type != CELL_HOURS || hours->number == 0 || strcmp(bucket, bucket_names[BUCKET_UNBILLED]) == 0
        || time_parse(span_of(html_cell(row, columns[0])), &day) < 0)
        return;
    column = (size_t)(day / TIME_DAY - d->first) / d->step;
    if (column >= d->n_columns)
        return;
    p = find_pool(d, html_cell(row, columns[1]), html_cell(row, columns[2]), html_cell(row, columns[3]));
    p->hours[column * USES + use_of(bucket)] += hours->number;
    p->by_use[use_of(bucket)] += hours->number;
    p->total += hours->number;
}

static int by_hours(const void *a, const void *b)
{
    const struct pool *x = a, *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return strcmp(x->name, y->name) ? strcmp(x->name, y->name) : strcmp(x->place, y->place);
}

static void free_pool(struct pool *p)
{
    free(p->name);
    free(p->place);
    free(p->hours);
}

/* Pools beyond those that are shown become one. */
static void merge_small(struct days *d)
{
    struct buf name = {0};
    struct pool *rest;

    if (d->pools.n <= POOLS_SHOWN + 1)
        return;
    rest = &d->pools.v[POOLS_SHOWN];
    for (size_t i = POOLS_SHOWN + 1; i < d->pools.n; i++) {
        struct pool *p = &d->pools.v[i];

        for (size_t k = 0; k < d->n_columns * USES; k++)
            rest->hours[k] += p->hours[k];
        for (int u = 0; u < USES; u++)
            rest->by_use[u] += p->by_use[u];
        rest->total += p->total;
        free_pool(p);
    }
    buf_addf(&name, "%zu smaller pools together", d->pools.n - POOLS_SHOWN);
    free(rest->name);
    free(rest->place);
    rest->name = buf_take(&name);
    rest->place = xstrdup("");
    d->pools.n = POOLS_SHOWN + 1;
}

static void fill(struct days *d)
{
    static const char *const names[6] = {"day", "gpu_model", "region", "purchase", "bucket", "gpu_hours"};
    int columns[6];

    for (int i = 0; i < 6; i++)
        columns[i] = table_find(&d->r->table, names[i]);
    d->first = time_floor(d->r->period.from, TIME_DAY) / TIME_DAY;
    d->n_days = (d->r->period.to - 1 - d->first * TIME_DAY) / TIME_DAY + 1;
    d->step = (size_t)(d->n_days + COLUMNS_MOST - 1) / COLUMNS_MOST;
    d->n_columns = ((size_t)d->n_days + d->step - 1) / d->step;
    for (size_t i = 0; i < d->r->table.n_rows && columns[5] >= 0 && columns[0] >= 0; i++)
        add_row(d, table_row(&d->r->table, i), columns);
    if (d->pools.n)
        qsort(d->pools.v, d->pools.n, sizeof d->pools.v[0], by_hours);
    while (d->pools.n && d->pools.v[d->pools.n - 1].total <= 0)        /* what rounding left */
        free_pool(&d->pools.v[--d->pools.n]);
    merge_small(d);
}

/* ---- drawing ---- */

static money column_sum(const struct pool *p, size_t column)
{
    money sum = 0;

    for (int u = 0; u < USES; u++)
        sum += p->hours[column * USES + u] > 0 ? p->hours[column * USES + u] : 0;
    return sum;
}

/* The end of the axis is near the highest column: a third of a round number's steps is enough to read. */
static money axis_end(const struct days *d, const struct pool *p)
{
    money most = 0, step;

    for (size_t c = 0; c < d->n_columns; c++)
        most = column_sum(p, c) > most ? column_sum(p, c) : most;
    step = svg_nice(most / 4);
    return most > 0 ? (most + step - 1) / step * step : step;
}

static void add_day(struct buf *b, const struct days *d, size_t column)
{
    time_add_date(b, (d->first + (int64_t)(column * d->step)) * TIME_DAY);
}

static void draw_column(struct html *h, const struct days *d, const struct pool *p, size_t c, money end)
{
    int left = (int)(SVG_WHOLE * c / d->n_columns), right = (int)(SVG_WHOLE * (c + 1) / d->n_columns);
    struct svg_box box = {.x = left, .width = (right - left) * 85 / 100};
    struct buf tip = {0};
    int bottom = PLOT_TOP + PLOT;
    money sum = 0;

    for (int u = 0; u < USES; u++) {
        money hours = p->hours[c * USES + u];

        if (hours <= 0)
            continue;
        sum += hours;
        box.y = PLOT_TOP + PLOT - (int)((int64_t)PLOT * svg_part(sum, end) / SVG_WHOLE);
        box.height = bottom - box.y;
        bottom = box.y;
        buf_clear(&tip);
        add_day(&tip, d, c);
        buf_addf(&tip, ": %s ", use_words[u]);
        html_add_hours(&tip, hours);
        svg_rect(h->b, use_classes[u], box, buf_str(&tip));
    }
    buf_free(&tip);
}

static void draw_axis(struct html *h, const struct days *d, money end)
{
    struct buf text = {0};

    svg_line(h->b, "grid", PLOT_TOP);
    svg_line(h->b, "grid", PLOT_TOP + PLOT / 2);
    svg_line(h->b, "base", PLOT_TOP + PLOT);
    html_add_hours(&text, end);
    buf_adds(&text, d->step > 1 ? "" : " a day");
    svg_text(h->b, "axis", 0, 0, PLOT_TOP - 4, SVG_START, buf_str(&text));
    buf_clear(&text);
    add_day(&text, d, 0);
    svg_text(h->b, "axis", 0, 0, HEIGHT - 4, SVG_START, buf_str(&text));
    if (d->n_columns > 1) {
        buf_clear(&text);
        add_day(&text, d, d->n_columns - 1);
        svg_text(h->b, "axis", SVG_WHOLE, 0, HEIGHT - 4, SVG_END, buf_str(&text));
    }
    buf_free(&text);
}

static void add_words(struct buf *b, const struct pool *p)
{
    for (int u = 0; u < USES; u++) {
        if (p->by_use[u] <= 0)
            continue;
        buf_addf(b, "%s%s ", b->n ? ", " : "", use_words[u]);
        html_add_hours(b, p->by_use[u]);
    }
}

static void add_caption(struct html *h, const struct pool *p)
{
    buf_adds(h->b, "<figcaption><b>");
    markup_name(h->b, p->name);
    buf_adds(h->b, "</b><span>");
    markup_name(h->b, p->place);
    buf_adds(h->b, p->place[0] ? " \xc2\xb7 " : "");
    html_add_share(h->b, p->by_use[USE_HELD], p->total, 0);
    buf_adds(h->b, " of ");
    html_add_hours(h->b, p->total);
    buf_adds(h->b, " held</span></figcaption>\n");
}

static void draw_pool(struct html *h, const struct days *d, size_t i)
{
    const struct pool *p = &d->pools.v[i];
    struct buf words = {0}, id = {0}, name = {0};
    money end = axis_end(d, p);

    buf_addf(&id, "chart-pool-%zu", i + 1);
    buf_addf(&name, "%s%s%s, by day", p->name, p->place[0] ? ", " : "", p->place);
    add_words(&words, p);
    buf_adds(h->b, "<figure>");
    add_caption(h, p);
    svg_begin(h->b, buf_str(&id), HEIGHT, buf_str(&name), buf_str(&words));
    draw_axis(h, d, end);
    for (size_t c = 0; c < d->n_columns; c++)
        draw_column(h, d, p, c, end);
    svg_end(h->b);
    buf_adds(h->b, "</figure>\n");
    sink_relieve(h->out);
    buf_free(&words);
    buf_free(&name);
    buf_free(&id);
}

static void add_legend(struct html *h)
{
    const char *list[2 * USES + 1] = {NULL};

    for (int u = 0; u < USES; u++) {
        list[2 * u] = use_classes[u];
        list[2 * u + 1] = use_words[u];
    }
    html_legend(h, list);
}

void html_days(struct html *h)
{
    struct days d = {.r = h->r->parts[REPORT_DAYS], .names = intern_new()};

    fill(&d);
    html_section(h, "days", "How the cards were used", "GPU hours of each pool, day by day: a model in a region, bought in one way.");
    add_legend(h);
    buf_adds(h->b, "<div class=\"pools\">\n");
    for (size_t i = 0; i < d.pools.n; i++)
        if (d.pools.v[i].total > 0)                          /* what rounding left of hours is no use */
            draw_pool(h, &d, i);
    buf_adds(h->b, "</div>\n");
    html_section_end(h);
    for (size_t i = 0; i < d.pools.n; i++)
        free_pool(&d.pools.v[i]);
    vec_free(&d.pools);
    intern_free(d.names);
}

bool html_days_there(const struct html *h)
{
    return h->r->parts[REPORT_DAYS] && h->parts[REPORT_DAYS].total.v[FIGURE_GPU_HOURS] > 0;
}
