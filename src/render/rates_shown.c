/* rates_shown: a block of lines per pool, regions beside each other, and the answers that a budget needs. No number is computed here but
 * the sign of a difference. */
#include "gputab/render/rates_shown.h"

#include <string.h>

#include "gputab/codec/json_out.h"
#include "gputab/render/figures.h"
#include "gputab/render/formats.h"
#include "gputab/render/ink.h"
#include "gputab/value/explanation.h"

enum { INDENT = 2, VALUES = 22 };

/* ---- cells ---- */

static const struct cell *cell_of(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);

    return c < 0 ? NULL : table_cell(t, row, (size_t)c);
}

static const char *text_of(const struct table *t, size_t row, const char *column)
{
    const struct cell *c = cell_of(t, row, column);

    return c && c->type == CELL_TEXT ? c->text : "";
}

static bool number_of(const struct table *t, size_t row, const char *column, money *out)
{
    const struct cell *c = cell_of(t, row, column);

    *out = c ? c->number : 0;
    return c && c->type != CELL_NULL;
}

static void add_price(struct buf *b, const struct table *t, size_t row, const char *column)
{
    money m;

    if (number_of(t, row, column, &m))
        explanation_add_number(b, m, 2, 6);
    else
        buf_addc(b, '-');
}

static void add_quantity(struct buf *b, const struct table *t, size_t row, const char *column)
{
    money m;

    if (number_of(t, row, column, &m))
        explanation_add_number(b, m, 0, 6);
    else
        buf_addc(b, '-');
}

static void add_amount(struct buf *b, const struct table *t, size_t row, const char *column, int digits)
{
    money m;

    if (number_of(t, row, column, &m))
        figure_add_amount(b, m, digits);
    else
        buf_addc(b, '-');
}

/* ---- a pool ---- */

static void show(struct ink *k, const char *label, struct buf *b)
{
    ink_pad(k, INDENT);
    ink_add(k, INK_DIM, label);
    ink_pad(k, VALUES);
    ink_words(k, INK_TEXT, buf_str(b), VALUES);
    buf_clear(b);
}

static void show_name(struct ink *k, const struct table *t, size_t row)
{
    static const char *const keys[] = {"gpu_model", "region", "purchase"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *text = text_of(t, row, keys[i]);

        if (text[0])
            ink_phrase(k, INK_BOLD, text);
    }
    ink_line(k);
}

/* "price = cost / quantity unit", or that it is not known. */
static void add_quotient(struct buf *b, const struct table *t, size_t row, const char *price, const char *cost, const char *quantity,
                         const char *unit)
{
    money m;

    add_price(b, t, row, price);
    if (!number_of(t, row, price, &m))
        return;
    buf_adds(b, " = ");
    add_price(b, t, row, cost);
    buf_adds(b, " / ");
    add_quantity(b, t, row, quantity);
    buf_addf(b, " %s", unit);
}

static void show_prices(struct ink *k, const struct rates *r, size_t row, struct buf *b)
{
    const struct table *t = &r->pools;

    add_quotient(b, t, row, "gpu_hour", "gpu_cost_exact", "gpu_hours", "GPU-h billed");
    show(k, "per GPU-hour", b);
    add_amount(b, t, row, "gpu_month_730", r->digits);
    buf_adds(b, " for 730 h, ");
    add_amount(b, t, row, "gpu_month", r->digits);
    buf_adds(b, " for the month's own ");
    add_quantity(b, t, row, "month_hours");
    buf_adds(b, " h");
    show(k, "per GPU-month", b);
    add_quotient(b, t, row, "held_gpu_hour", "gpu_cost_exact", "held_gpu_hours", "GPU-h held");
    show(k, "per GPU-h held", b);
    add_quotient(b, t, row, "capacity_gib_hour", "gpu_hour", "card_gib", "GiB of a card");
    buf_adds(b, "; of resident memory ");
    add_quotient(b, t, row, "resident_gib_hour", "gpu_cost_exact", "vram_gib_hours", "GiB-h");
    show(k, "per GiB-hour", b);
    add_quotient(b, t, row, "node_gpu_hour", "node_cost_exact", "gpu_hours", "GPU-h");
    buf_adds(b, ", ");
    add_amount(b, t, row, "node_gpu_month_730", r->digits);
    buf_adds(b, " for 730 h");
    show(k, "whole node", b);
}

static void show_variance(struct ink *k, const struct rates *r, size_t row, struct buf *b)
{
    money months;

    number_of(&r->pools, row, "months", &months);
    if (months <= MONEY_ONE) {
        buf_adds(b, months ? "one month: none to show" : "no GPU-hours");
    } else {
        explanation_add_number(b, months, 0, 0);
        buf_adds(b, " months: ");
        add_price(b, &r->pools, row, "month_min");
        buf_adds(b, " to ");
        add_price(b, &r->pools, row, "month_max");
        buf_adds(b, ", mean ");
        add_price(b, &r->pools, row, "month_mean");
    }
    show(k, "variance", b);
}

static void add_above(struct buf *b, const struct rates *r, size_t row, const char *above, const char *percent, const char *of)
{
    money m, p;

    if (!number_of(&r->pools, row, above, &m))
        return;
    buf_adds(b, b->n ? "; " : "");
    if (m == 0) {
        buf_addf(b, "the same as the price of %s", of);
        return;
    }
    figure_add_amount(b, m < 0 ? -m : m, r->digits);
    if (number_of(&r->pools, row, percent, &p)) {
        buf_adds(b, " (");
        money_add_text(b, p < 0 ? -p : p, 2);
        buf_adds(b, " %)");
    }
    buf_addf(b, " %s the price of %s", m < 0 ? "below" : "above", of);
}

static void show_quote(struct ink *k, const struct rates *r, size_t row, struct buf *b)
{
    struct buf label = {0};

    if (!r->quote)
        return;
    buf_adds(&label, "quote ");
    figure_add_amount(&label, r->quote, r->digits);
    add_above(b, r, row, "quote_above", "quote_above_percent", "the GPU");
    add_above(b, r, row, "quote_above_node", "quote_above_node_percent", "the whole node per GPU");
    if (!b->n)
        buf_adds(b, "no hours to compare with");
    show(k, buf_str(&label), b);
    buf_free(&label);
}

static void show_pool(struct ink *k, const struct rates *r, size_t row)
{
    struct buf b = {0};

    ink_line(k);
    show_name(k, &r->pools, row);
    show_prices(k, r, row, &b);
    show_variance(k, r, row, &b);
    show_quote(k, r, row, &b);
    buf_adds(&b, text_of(&r->pools, row, "purchase"));
    if (b.n)
        buf_adds(&b, ", by ");
    buf_adds(&b, text_of(&r->pools, row, "purchase_source"));
    show(k, "purchase", &b);
    buf_adds(&b, text_of(&r->pools, row, "term"));
    show(k, "committed term", &b);
    buf_free(&b);
}

/* ---- regions ---- */

/* Whether another row before or after has the model and purchase option in another region. */
static bool same_elsewhere(const struct table *t, size_t row, size_t other)
{
    struct buf a = {0};
    bool same;

    buf_addf(&a, "%s\n%s\n%s", text_of(t, row, "gpu_model"), text_of(t, row, "purchase"), text_of(t, row, "region"));
    {
        struct buf b = {0};
        size_t shared;

        buf_addf(&b, "%s\n%s\n%s", text_of(t, other, "gpu_model"), text_of(t, other, "purchase"), text_of(t, other, "region"));
        shared = (size_t)(strrchr(buf_str(&a), '\n') - buf_str(&a)) + 1;
        same = b.n >= shared && strncmp(a.p, b.p, shared) == 0;
        buf_free(&b);
    }
    buf_free(&a);
    return same;
}

static void show_region(struct ink *k, const struct table *t, size_t row)
{
    struct buf b = {0};

    buf_addf(&b, "%s ", text_of(t, row, "region")[0] ? text_of(t, row, "region") : "-");
    add_price(&b, t, row, "gpu_hour");
    ink_phrase(k, INK_TEXT, buf_str(&b));
    buf_free(&b);
}

static void show_regions(struct ink *k, const struct rates *r)
{
    const struct table *t = &r->pools;
    bool headed = false;

    for (size_t row = 0; row < t->n_rows; row++) {
        size_t before = 0, others = 0;

        while (before < row && !same_elsewhere(t, row, before))
            before++;
        for (size_t other = row + 1; other < t->n_rows; other++)
            others += same_elsewhere(t, row, other);
        if (before < row || !others)
            continue;
        if (!headed) {
            ink_line(k);
            ink_add(k, INK_BOLD, "regions side by side, per GPU-hour");
            ink_line(k);
        }
        headed = true;
        ink_pad(k, INDENT);
        ink_add(k, INK_TEXT, text_of(t, row, "gpu_model"));
        ink_add(k, INK_TEXT, " ");
        ink_phrase(k, INK_TEXT, text_of(t, row, "purchase"));
        show_region(k, t, row);
        for (size_t other = row + 1; other < t->n_rows; other++)
            if (same_elsewhere(t, row, other))
                show_region(k, t, other);
        ink_line(k);
    }
}

/* ---- around ---- */

static void show_months(struct ink *k, const struct rates *r)
{
    const struct table *t = &r->months;
    struct buf b = {0};

    if (t->n_rows <= r->pools.n_rows)
        return;
    ink_line(k);
    ink_add(k, INK_BOLD, "months, per GPU-hour");
    ink_line(k);
    for (size_t row = 0; row < t->n_rows; row++) {
        buf_addf(&b, "%s, %s, %s, %s", text_of(t, row, "gpu_model"), text_of(t, row, "region"), text_of(t, row, "purchase"),
                 text_of(t, row, "month"));
        ink_pad(k, INDENT);
        ink_add(k, INK_TEXT, buf_str(&b));
        buf_clear(&b);
        ink_add(k, INK_TEXT, ": ");
        add_price(&b, t, row, "gpu_hour");
        buf_adds(&b, ", ");
        add_amount(&b, t, row, "gpu_month", r->digits);
        buf_adds(&b, " for its hours");
        ink_words(k, INK_TEXT, buf_str(&b), INDENT + 2);
        buf_clear(&b);
    }
    buf_free(&b);
}

static void show_answers(struct ink *k, const struct rates *r)
{
    ink_line(k);
    for (size_t i = 0; i < r->answers.n; i++) {
        ink_add(k, INK_BOLD, r->answers.v[i].question);
        ink_add(k, INK_TEXT, ": ");
        ink_words(k, INK_TEXT, r->answers.v[i].answer, INDENT);
    }
}

static void show_sources(struct ink *k, const struct rates *r)
{
    struct buf b = {0};

    ink_line(k);
    ink_add(k, INK_BOLD, "prices by which nodes are split, an hour");
    ink_line(k);
    for (size_t i = 0; i < r->sources.n; i++) {
        const struct rates_source *s = &r->sources.v[i];

        ink_pad(k, INDENT);
        ink_add(k, INK_TEXT, s->what);
        ink_add(k, INK_TEXT, ": ");
        if (s->price > 0)
            explanation_add_number(&b, s->price, 2, 6);
        buf_addf(&b, "%s%s", b.n ? ", " : "", s->source);
        ink_words(k, INK_TEXT, buf_str(&b), INDENT + 2);
        buf_clear(&b);
    }
    buf_free(&b);
}

static void show_head(struct ink *k, const struct rates *r)
{
    struct buf b = {0};

    ink_add(k, INK_LABEL, k->colour ? " RATES " : "RATES");
    ink_pad(k, k->column + 3);
    time_add_text(&b, r->period.from);
    buf_adds(&b, " to ");
    time_add_text(&b, r->period.to);
    ink_phrase(k, INK_BOLD, buf_str(&b));
    buf_clear(&b);
    buf_addf(&b, "amounts in %s", r->currency);
    if (r->currency[0])
        ink_phrase(k, INK_TEXT, buf_str(&b));
    ink_line(k);
    if (!r->pools.n_rows)
        ink_words(k, INK_WARN, "no pool of GPUs was billed in this period, or none of such a model", 0);
    buf_free(&b);
}

void rates_text(const struct rates *r, const struct render_cfg *cfg, struct sink *out)
{
    struct ink k = {.out = out, .width = (size_t)(cfg->width > 40 ? cfg->width : 40), .colour = cfg->colour, .drawing = cfg->terminal};

    show_head(&k, r);
    for (size_t row = 0; row < r->pools.n_rows; row++)
        show_pool(&k, r, row);
    show_regions(&k, r);
    show_months(&k, r);
    show_answers(&k, r);
    show_sources(&k, r);
}

/* ---- machines ---- */

void rates_csv(const struct rates *r, const struct render_cfg *cfg, struct sink *out)
{
    struct report shown = {.table = r->pools};

    render_csv(&shown, cfg, out);
}

static void table_member(struct json_out *j, const char *name, const struct table *t)
{
    struct buf b = {0};

    json_out_key(j, name);
    json_out_array(j, JSON_OUT_LINES);
    for (size_t row = 0; row < t->n_rows; row++) {
        json_out_object(j, JSON_OUT_INLINE);
        for (size_t c = 0; c < t->columns.n; c++) {
            const struct cell *cell = table_cell(t, row, c);

            json_out_key(j, t->columns.v[c].name);
            if (cell->type == CELL_NULL) {
                json_out_null(j);
            } else if (cell->type == CELL_TEXT) {
                json_out_text(j, cell->text);
            } else {
                render_add_number(&b, &t->columns.v[c], cell);
                json_out_span(j, buf_span(&b));
                buf_clear(&b);
            }
        }
        json_out_end(j);
    }
    json_out_end(j);
    buf_free(&b);
}

static void text_member(struct json_out *j, const char *name, const char *text)
{
    json_out_key(j, name);
    json_out_text(j, text);
}

static void source_members(struct json_out *j, const struct rates *r)
{
    struct buf b = {0};

    json_out_key(j, "split_prices");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < r->sources.n; i++) {
        json_out_object(j, JSON_OUT_INLINE);
        text_member(j, "of", r->sources.v[i].what);
        explanation_add_number(&b, r->sources.v[i].price, 2, 12);
        text_member(j, "hour", r->sources.v[i].price > 0 ? buf_str(&b) : NULL);
        text_member(j, "source", r->sources.v[i].source);
        json_out_end(j);
        buf_clear(&b);
    }
    json_out_end(j);
    buf_free(&b);
}

static void head_members(struct json_out *j, const struct rates *r)
{
    struct buf b = {0};

    text_member(j, "schema", "gputab.rates/1");
    json_out_key(j, "period");
    json_out_object(j, JSON_OUT_INLINE);
    json_out_key(j, "from");
    time_add_text(&b, r->period.from);
    json_out_span(j, buf_span(&b));
    buf_clear(&b);
    json_out_key(j, "to");
    time_add_text(&b, r->period.to);
    json_out_span(j, buf_span(&b));
    json_out_end(j);
    text_member(j, "currency", r->currency[0] ? r->currency : NULL);
    buf_clear(&b);
    money_add_text(&b, r->quote, r->digits);
    text_member(j, "quote", r->quote ? buf_str(&b) : NULL);
    buf_free(&b);
}

void rates_json(const struct rates *r, struct sink *out)
{
    struct json_out j;

    json_out_init(&j, &out->text);
    json_out_object(&j, JSON_OUT_LINES);
    head_members(&j, r);
    table_member(&j, "rates", &r->pools);
    table_member(&j, "months", &r->months);
    json_out_key(&j, "answers");
    json_out_object(&j, JSON_OUT_LINES);
    for (size_t i = 0; i < r->answers.n; i++)
        text_member(&j, r->answers.v[i].name, r->answers.v[i].answer);
    json_out_end(&j);
    source_members(&j, r);
    json_out_end(&j);
    buf_addc(&out->text, '\n');
}
