/* rates: exact sums per pool and month; prices are quotients of sums, rounded once, as they are written into tables. Months are those of
 * the days that entries are of, so that a charge over a month's end counts in both. */
#include "gputab/core/rates.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/intern.h"
#include "gputab/core/rates_words.h"

enum { PRICE_DIGITS = 6, HOURS_DIGITS = 6 };

struct pool {
    uint32_t model, region, purchase;      /* ids of book.texts; enum purchase; no padding: with month the key */
    uint32_t month;                /* since 1970 */
    money hours, held, cost, rest; /* GPU-hours billed, paid for by pods; GPU piece; CPU and memory pieces */
    weight memory_ms;
};

enum { KEY_BYTES = 4 * sizeof(uint32_t) };

struct rates_book {
    struct rates_config cfg;
    struct intern *texts, *keys;
    VEC(struct pool) pools;        /* by model, region, purchase and month */
    time_ms day;                   /* the last one asked for, and its month */
    uint32_t month;
    VEC(uint32_t) mixed;           /* models of nodes with several: their CPU and memory are no model's */
};

struct rates_book *rates_new(const struct rates_config *cfg)
{
    struct rates_book *b = xcalloc(1, sizeof *b);

    b->cfg = *cfg;
    b->day = TIME_MIN;
    b->texts = intern_new();
    b->keys = intern_new();
    return b;
}

void rates_book_free(struct rates_book *b)
{
    if (!b)
        return;
    intern_free(b->texts);
    intern_free(b->keys);
    vec_free(&b->pools);
    vec_free(&b->mixed);
    free(b);
}

/* ---- months ---- */

static uint32_t month_of(time_ms t)
{
    struct timespan m = timespan_this_month(t);
    struct buf text = {0};
    uint32_t year, month;

    time_add_date(&text, m.from);
    year = (uint32_t)strtoul(buf_str(&text), NULL, 10);
    month = (uint32_t)strtoul(buf_str(&text) + 5, NULL, 10);
    buf_free(&text);
    return (year - 1970) * 12 + month - 1;
}

static void add_month(struct buf *b, uint32_t month)
{
    buf_addf(b, "%04u-%02u", 1970 + month / 12, month % 12 + 1);
}

static money month_hours(uint32_t month)
{
    struct timespan span;
    struct buf text = {0};

    add_month(&text, month);
    if (timespan_parse_month(buf_span(&text), &span) < 0)
        abort();
    buf_free(&text);
    return (money)(timespan_ms(span) / TIME_HOUR) * MONEY_ONE;
}

/* ---- entries ---- */

static struct pool *pool_of(struct rates_book *b, const struct entry *e)
{
    const struct intern *names = b->cfg.inventory->names;
    struct pool p = {.purchase = e->purchase};
    uint32_t id;

    if (e->day != b->day)
        b->month = month_of(e->day);
    b->day = e->day;
    p.month = b->month;
    p.model = intern_span(b->texts, intern_get(names, e->gpu_model));
    p.region = intern_span(b->texts, intern_get(names, e->region));
    id = intern_put(b->keys, &p, KEY_BYTES);
    if (id > b->pools.n)
        vec_push(&b->pools, p);
    return &b->pools.v[id - 1];
}

static void take_entry(void *to, const struct entry *e)
{
    struct pool *p;

    if (e->bucket == BUCKET_UNBILLED || !e->gpu_model)
        return;
    p = pool_of(to, e);
    if (e->piece != PIECE_GPU) {
        p->rest += e->cost;
        return;
    }
    p->cost += e->cost;
    p->hours += e->gpu_hours;
    p->held += e->pod_version == NONE ? 0 : e->gpu_hours;
    p->memory_ms += e->memory_ms;
}

static bool is_mixed(const struct rates_book *b, uint32_t model)
{
    for (size_t i = 0; i < b->mixed.n; i++)
        if (b->mixed.v[i] == model)
            return true;
    return false;
}

static void take_charge(void *to, const struct allocate_charge *c)
{
    struct rates_book *b = to;

    for (size_t k = 0; k < c->node->n_models && c->node->n_models > 1; k++) {
        uint32_t model = intern_str(b->texts, c->node->models[k].name);

        if (!is_mixed(b, model))
            vec_push(&b->mixed, model);
    }
}

struct allocate_sink rates_sink(struct rates_book *b)
{
    return (struct allocate_sink){.to = b, .entry = take_entry, .charge = take_charge};
}

/* ---- tables ---- */


static int by_pool(const void *pa, const void *pb, void *arg)
{
    const struct pool *a = pa, *b = pb;
    const struct intern *texts = arg;
    int c = intern_cmp(texts, a->model, b->model);

    if (c == 0)
        c = intern_cmp(texts, a->region, b->region);
    if (c == 0)
        c = (a->purchase > b->purchase) - (a->purchase < b->purchase);
    return c ? c : (a->month > b->month) - (a->month < b->month);
}

static bool same_pool(const struct pool *a, const struct pool *b)
{
    return a->model == b->model && a->region == b->region && a->purchase == b->purchase;
}

static void add_pool(struct pool *to, const struct pool *p)
{
    to->hours += p->hours;
    to->held += p->held;
    to->cost += p->cost;
    to->rest += p->rest;
    to->memory_ms += p->memory_ms;
}

static const struct column columns[] = {
    {"gpu_model", COLUMN_KEY, 0}, {"region", COLUMN_KEY, 0}, {"purchase", COLUMN_KEY, 0},
    {"gpu_hours", COLUMN_HOURS, HOURS_DIGITS}, {"gpu_cost", COLUMN_MONEY, -1}, {"gpu_hour", COLUMN_MONEY, PRICE_DIGITS},
    {"gpu_month_730", COLUMN_MONEY, -1}, {"gpu_month", COLUMN_MONEY, -1}, {"held_gpu_hour", COLUMN_MONEY, PRICE_DIGITS},
    {"capacity_gib_hour", COLUMN_MONEY, PRICE_DIGITS}, {"resident_gib_hour", COLUMN_MONEY, PRICE_DIGITS},
    {"node_gpu_hour", COLUMN_MONEY, PRICE_DIGITS}, {"node_gpu_month_730", COLUMN_MONEY, -1},
    {"months", COLUMN_HOURS, 0}, {"month_min", COLUMN_MONEY, PRICE_DIGITS}, {"month_max", COLUMN_MONEY, PRICE_DIGITS},
    {"month_mean", COLUMN_MONEY, PRICE_DIGITS}, {"purchase_source", COLUMN_KEY, 0}, {"term", COLUMN_KEY, 0},
    {"quote_above", COLUMN_MONEY, -1}, {"quote_above_percent", COLUMN_MONEY, 2}, {"quote_above_node", COLUMN_MONEY, -1},
    {"quote_above_node_percent", COLUMN_MONEY, 2},
    /* what the figures above are quotients and products of */
    {"gpu_cost_exact", COLUMN_MONEY, MONEY_DECIMALS}, {"node_cost_exact", COLUMN_MONEY, MONEY_DECIMALS},
    {"month_hours", COLUMN_HOURS, HOURS_DIGITS}, {"held_gpu_hours", COLUMN_HOURS, HOURS_DIGITS},
    {"card_gib", COLUMN_HOURS, HOURS_DIGITS}, {"vram_gib_hours", COLUMN_HOURS, HOURS_DIGITS},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const struct column month_columns[] = {
    {"gpu_model", COLUMN_KEY, 0}, {"region", COLUMN_KEY, 0}, {"purchase", COLUMN_KEY, 0}, {"month", COLUMN_KEY, 0},
    {"gpu_hours", COLUMN_HOURS, HOURS_DIGITS}, {"gpu_cost", COLUMN_MONEY, -1}, {"gpu_hour", COLUMN_MONEY, PRICE_DIGITS},
    {"gpu_month", COLUMN_MONEY, -1},
};
enum { MONTH_COLUMNS = sizeof month_columns / sizeof *month_columns };

static void add_columns(struct table *t, const struct column *v, size_t n, int digits)
{
    for (size_t i = 0; i < n; i++)
        table_add_column(t, v[i].name, v[i].kind, v[i].digits < 0 ? digits : v[i].digits);
}

struct writing {
    struct rates_book *b;
    struct rates *out;
    struct cell cells[COLUMNS], *at;
    const struct column *columns;
    int digits;
};

static void begin(struct writing *w, const struct column *of)
{
    w->at = w->cells;
    w->columns = of;
}

static void put_text(struct writing *w, const char *text)
{
    *w->at++ = (struct cell){.type = text && text[0] ? CELL_TEXT : CELL_NULL, .text = text};
}

static void put_number(struct writing *w, bool known, money m)
{
    const struct column *c = &w->columns[w->at - w->cells];

    *w->at++ = (struct cell){.type = !known ? CELL_NULL : c->kind == COLUMN_HOURS ? CELL_HOURS : CELL_MONEY,
                             .number = known ? money_round(m, c->digits < 0 ? w->digits : c->digits) : 0};
}

static void put_pool(struct writing *w, const struct pool *p)
{
    put_text(w, intern_cstr(w->b->texts, p->model));
    put_text(w, intern_cstr(w->b->texts, p->region));
    put_text(w, p->purchase < PURCHASES ? purchase_names[p->purchase] : NULL);
}

static money quotient(money cost, money quantity)
{
    return quantity > 0 ? money_mul_div(cost, (weight)MONEY_ONE, (weight)quantity) : 0;
}

/* GiB of a card; 0 unknown. */
static money card_gib(const struct rates_book *b, uint32_t model)
{
    int i = catalogue_model(b->cfg.catalogue, intern_get(b->texts, model));

    return i < 0 ? 0 : (money)b->cfg.catalogue->models.v[i].total_mib * MONEY_ONE / 1024;
}

static money gib_hours(weight memory_ms)
{
    return money_mul_div(MONEY_ONE, memory_ms, ((weight)1 << (30 + USAGE_MEMORY_BITS)) * (weight)TIME_HOUR);
}

static void put_words(struct writing *w, struct buf *b)
{
    put_text(w, arena_strdup(&w->out->texts, buf_str(b)));
    buf_clear(b);
}

struct variance {
    money months, least, most, sum, hours;
};

static struct variance variance_of(const struct pool *v, size_t n)
{
    struct variance r = {0};

    for (size_t i = 0; i < n; i++) {
        money price = quotient(v[i].cost, v[i].hours);

        if (v[i].hours <= 0)
            continue;
        r.least = r.months == 0 || price < r.least ? price : r.least;
        r.most = r.months == 0 || price > r.most ? price : r.most;
        r.sum += price;
        r.hours += month_hours(v[i].month);
        r.months++;
    }
    return r;
}

/* How far the quote is above a monthly price of one's own, and in percent of that. */
static void put_above(struct writing *w, bool known, money own)
{
    money quote = w->b->cfg.quote;

    known = known && quote > 0;
    put_number(w, known, quote - own);
    put_number(w, known && own > 0, known && own > 0 ? money_mul_div(quote - own, (weight)(100 * MONEY_ONE), (weight)own) : 0);
}

static money times(money price, money hours)
{
    return money_mul_div(price, (weight)hours, (weight)MONEY_ONE);
}

/* price x hours of a quotient, rounded only at the end. */
static money month_price(money cost, money hours, money month)
{
    return hours > 0 ? money_mul_div(cost, (weight)month, (weight)hours) : 0;
}

static void put_figures(struct writing *w, const struct pool *p, const struct variance *v)
{
    const money year_month = 730 * MONEY_ONE;
    money gib = card_gib(w->b, p->model), resident = gib_hours(p->memory_ms), month = v->months ? v->hours / v->months : 0;
    bool any = p->hours > 0, node = any && !is_mixed(w->b, p->model);
    struct buf text = {0};

    put_number(w, true, p->hours);
    put_number(w, true, p->cost);
    put_number(w, any, quotient(p->cost, p->hours));
    put_number(w, any, month_price(p->cost, p->hours, year_month));
    put_number(w, any, month_price(p->cost, p->hours, month));
    put_number(w, p->held > 0, quotient(p->cost, p->held));
    put_number(w, any && gib > 0, gib > 0 ? quotient(p->cost, times(p->hours, gib)) : 0);
    put_number(w, resident > 0, quotient(p->cost, resident));
    put_number(w, node, quotient(p->cost + p->rest, p->hours));
    put_number(w, node, month_price(p->cost + p->rest, p->hours, year_month));
    put_number(w, true, v->months * MONEY_ONE);
    put_number(w, v->months > 0, v->least);
    put_number(w, v->months > 0, v->most);
    put_number(w, v->months > 0, v->months ? v->sum / v->months : 0);
    rates_add_purchase_source(w->b->cfg.bill, (enum purchase)p->purchase, &text);
    put_words(w, &text);
    rates_add_term(w->b->cfg.rule, intern_cstr(w->b->texts, p->region), (enum purchase)p->purchase, &text);
    put_words(w, &text);
    put_above(w, any, month_price(p->cost, p->hours, year_month));
    put_above(w, node, month_price(p->cost + p->rest, p->hours, year_month));
    put_number(w, true, p->cost);
    put_number(w, node, p->cost + p->rest);
    put_number(w, v->months > 0, month);
    put_number(w, true, p->held);
    put_number(w, gib > 0, gib);
    put_number(w, true, resident);
    buf_free(&text);
}

static void write_month(struct writing *w, const struct pool *p)
{
    struct buf month = {0};

    begin(w, month_columns);
    put_pool(w, p);
    add_month(&month, p->month);
    put_text(w, buf_str(&month));
    put_number(w, true, p->hours);
    put_number(w, true, p->cost);
    put_number(w, p->hours > 0, quotient(p->cost, p->hours));
    put_number(w, p->hours > 0, month_price(p->cost, p->hours, month_hours(p->month)));
    table_add_row(&w->out->months, w->cells);
    buf_free(&month);
}

static bool wanted(const struct rates_book *b, const struct pool *p)
{
    return !b->cfg.model || span_glob(intern_get(b->texts, p->model), b->cfg.model);
}

static void write_pool(struct writing *w, const struct pool *v, size_t n)
{
    struct pool all = v[0];
    struct variance variance = variance_of(v, n);

    for (size_t i = 1; i < n; i++)
        add_pool(&all, &v[i]);
    if (!wanted(w->b, &all) || (all.hours == 0 && all.cost == 0))
        return;
    begin(w, columns);
    put_pool(w, &all);
    put_figures(w, &all, &variance);
    table_add_row(&w->out->pools, w->cells);
    for (size_t i = 0; i < n; i++)
        if (v[i].hours || v[i].cost)
            write_month(w, &v[i]);
}

void rates_fill(struct rates_book *b, int digits, const char *split_method, struct rates *out)
{
    struct writing w = {.b = b, .out = out, .digits = digits};

    out->period = b->cfg.period;
    out->digits = digits;
    out->quote = b->cfg.quote;
    add_columns(&out->pools, columns, COLUMNS, digits);
    add_columns(&out->months, month_columns, MONTH_COLUMNS, digits);
    if (b->pools.n)
        qsort_r(b->pools.v, b->pools.n, sizeof *b->pools.v, by_pool, b->texts);
    for (size_t i = 0, end; i < b->pools.n; i = end) {
        for (end = i; end < b->pools.n && same_pool(&b->pools.v[end], &b->pools.v[i]); end++)
            ;
        write_pool(&w, &b->pools.v[i], end - i);
    }
    rates_fill_sources(b->cfg.rule, b->cfg.catalogue, out);
    rates_fill_answers(b->cfg.rule, split_method, out);
}
