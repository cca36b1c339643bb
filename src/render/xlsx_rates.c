/* xlsx_rates: what a GPU costs, for who plans with it: a line per pool with prices by the hour, the month and the GiB, regions and months
 * side by side where there are several, and the answers that a budget needs beside a price. Prices are those of `gputab rates`, rounded
 * once from exact sums: they are numbers, since a formula over rounded costs would come to others. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/arena.h"
#include "gputab/base/vec.h"
#include "gputab/render/formats.h"
#include "gputab/render/xlsx_sheets.h"

enum { ROW_HEAD = 2, TEXT_COLUMNS = 3, LINE_WIDTH = 180, NUMBER_WIDTH = 12 };

struct rates_sheet {
    struct xlsx_sheet s;
    const struct rates *rates;
    lxw_row_t row;
    lxw_col_t columns;             /* of the table of pools */
};

/* How a column comes to its cell. */
static const struct rate_column {
    const char *head, *source;     /* $: the currency; #: the hours of the period's months */
    enum xlsx_number number;       /* NUMBER_NONE: a text */
    bool of_months;                /* only where there are several */
} pool_columns[] = {
    {"GPU model", "gpu_model", NUMBER_NONE, false}, {"Region", "region", NUMBER_NONE, false}, {"Purchase", "purchase", NUMBER_NONE, false},
    {"GPU hours", "gpu_hours", NUMBER_HOURS, false}, {"GPU $", "gpu_cost", NUMBER_MONEY, false},
    {"$ per GPU hour", "gpu_hour", NUMBER_PRICE, false}, {"$ per GPU month of 730 h", "gpu_month_730", NUMBER_MONEY, false},
    {"$ per GPU month, own hours", "gpu_month", NUMBER_MONEY, false},
    {"$ per GPU hour that pods held", "held_gpu_hour", NUMBER_PRICE, false},
    {"$ per GiB-hour of capacity", "capacity_gib_hour", NUMBER_PRICE, false},
    {"$ per GiB-hour resident", "resident_gib_hour", NUMBER_PRICE, false},
    {"Whole node, $ per GPU hour", "node_gpu_hour", NUMBER_PRICE, false},
    {"Whole node, $ per GPU month of 730 h", "node_gpu_month_730", NUMBER_MONEY, false},
    {"Lowest month, $ per GPU hour", "month_min", NUMBER_PRICE, true}, {"Highest month, $ per GPU hour", "month_max", NUMBER_PRICE, true},
    {"Mean of months, $ per GPU hour", "month_mean", NUMBER_PRICE, true},
}, month_columns[] = {
    {"GPU model", "gpu_model", NUMBER_NONE, false}, {"Region", "region", NUMBER_NONE, false}, {"Purchase", "purchase", NUMBER_NONE, false},
    {"Month", "month", NUMBER_MONTH, false}, {"GPU hours", "gpu_hours", NUMBER_HOURS, false}, {"GPU $", "gpu_cost", NUMBER_MONEY, false},
    {"$ per GPU hour", "gpu_hour", NUMBER_PRICE, false}, {"$ per GPU month, own hours", "gpu_month", NUMBER_MONEY, false},
};
enum { POOL_COLUMNS = sizeof pool_columns / sizeof *pool_columns, MONTH_COLUMNS = sizeof month_columns / sizeof *month_columns };

static const struct cell *cell_of(const struct table *t, size_t row, const char *column)
{
    static const struct cell none = {.type = CELL_NULL};
    int at = table_find(t, column);

    return at < 0 ? &none : table_cell(t, row, (size_t)at);
}

static const char *text_of(const struct table *t, size_t row, const char *column)
{
    const struct cell *c = cell_of(t, row, column);

    return c->type == CELL_TEXT ? c->text : "";
}

static void section(struct rates_sheet *r, const char *title)
{
    r->row++;
    xlsx_height(&r->s, r->row, 20);
    xlsx_text(&r->s, r->row, 0, FACE_SECTION, title);
    for (lxw_col_t c = 1; c < r->columns; c++)
        xlsx_blank(&r->s, r->row, c, FACE_SECTION);
    r->row++;
}

/* ---- tables ---- */

static void write_cell(struct rates_sheet *r, lxw_col_t at, const struct rate_column *column, const struct cell *cell)
{
    struct timespan month;

    if (cell->type == CELL_NULL)
        xlsx_blank(&r->s, r->row, at, FACE_PLAIN);
    else if (column->number == NUMBER_MONTH && timespan_parse_month(span_of(cell->text), &month) == 0)
        xlsx_date(&r->s, r->row, at, FACE_PLAIN, NUMBER_MONTH, month.from);
    else if (cell->type == CELL_TEXT)
        xlsx_text(&r->s, r->row, at, FACE_PLAIN, cell->text);
    else
        xlsx_number(&r->s, r->row, at, FACE_PLAIN, column->number, cell->number);
}

static void write_head(struct rates_sheet *r, lxw_col_t at, const struct rate_column *column)
{
    bool text = column->number == NUMBER_NONE || column->number == NUMBER_MONTH;
    struct buf b = {0};

    xlsx_add_head(&b, column->head, r->s.book->r->currency);
    xlsx_text(&r->s, r->row, at, text ? FACE_HEAD : FACE_HEAD_RIGHT, buf_str(&b));
    buf_free(&b);
}

static void write_table(struct rates_sheet *r, const struct table *t, const struct rate_column *columns, size_t n, bool months)
{
    lxw_col_t at = 0;

    xlsx_height(&r->s, r->row, 44);
    for (size_t c = 0; c < n; c++)
        if (months || !columns[c].of_months)
            write_head(r, at++, &columns[c]);
    for (size_t row = 0; row < t->n_rows; row++) {
        r->row++;
        at = 0;
        for (size_t c = 0; c < n; c++)
            if (months || !columns[c].of_months)
                write_cell(r, at++, &columns[c], cell_of(t, row, columns[c].source));
    }
    r->row++;
}

/* ---- regions ---- */

struct offer {
    const char *model, *purchase, *region;     /* in strings of offers: cells of a table don't stay */
    money price;
};

struct offers {
    VEC(struct offer) v;
    struct arena strings;
};

static bool same_goods(const struct offer *x, const struct offer *y)
{
    return strcmp(x->model, y->model) == 0 && strcmp(x->purchase, y->purchase) == 0;
}

/* Of the same model and purchase option the cheapest first. */
static int by_price(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;
    int c = strcmp(x->model, y->model);

    c = c ? c : strcmp(x->purchase, y->purchase);
    if (c == 0 && x->price != y->price)
        return x->price < y->price ? -1 : 1;
    return c ? c : strcmp(x->region, y->region);
}

static void collect(const struct table *t, struct offers *all)
{
    for (size_t row = 0; row < t->n_rows; row++) {
        const struct cell *price = cell_of(t, row, "gpu_hour");
        struct offer o = {.price = price->number};

        if (price->type == CELL_NULL)
            continue;
        o.model = arena_strdup(&all->strings, text_of(t, row, "gpu_model"));
        o.purchase = arena_strdup(&all->strings, text_of(t, row, "purchase"));
        o.region = arena_strdup(&all->strings, text_of(t, row, "region"));
        vec_push(&all->v, o);
    }
    if (all->v.n)
        qsort(all->v.v, all->v.n, sizeof all->v.v[0], by_price);
}

static void write_offer(struct rates_sheet *r, const struct offer *o, const struct offer *cheapest, lxw_row_t cheapest_row)
{
    money least = cheapest->price, above = o->price - least;

    xlsx_text(&r->s, r->row, 0, FACE_PLAIN, o->model);
    xlsx_text(&r->s, r->row, 1, FACE_PLAIN, o->region);
    xlsx_text(&r->s, r->row, 2, FACE_PLAIN, o->purchase);
    xlsx_number(&r->s, r->row, 3, FACE_PLAIN, NUMBER_PRICE, o->price);
    if (least > 0)
        xlsx_formula(&r->s, r->row, 4, FACE_PLAIN, NUMBER_CHANGE_SHARE, money_mul_div(above, (weight)MONEY_ONE, (weight)least),
                     "=D%u/D%u-1", r->row + 1, cheapest_row + 1);
    else
        xlsx_blank(&r->s, r->row, 4, FACE_PLAIN);
    r->row++;
}

static void write_region_heads(struct rates_sheet *r)
{
    static const struct rate_column heads[] = {{"GPU model", NULL, NUMBER_NONE, false}, {"Region", NULL, NUMBER_NONE, false},
                                               {"Purchase", NULL, NUMBER_NONE, false}, {"$ per GPU hour", NULL, NUMBER_PRICE, false},
                                               {"Above the cheapest", NULL, NUMBER_SHARE, false}};

    section(r, "Regions side by side");
    xlsx_height(&r->s, r->row, 30);
    for (size_t c = 0; c < sizeof heads / sizeof *heads; c++)
        write_head(r, (lxw_col_t)c, &heads[c]);
    r->row++;
}

/* Models that are bought in the same way in several regions. */
static void write_regions(struct rates_sheet *r)
{
    struct offers all = {.v = {0}};
    bool headed = false;

    collect(&r->rates->pools, &all);
    for (size_t i = 0, end; i < all.v.n; i = end) {
        lxw_row_t first;

        for (end = i + 1; end < all.v.n && same_goods(&all.v.v[i], &all.v.v[end]);)
            end++;
        if (end == i + 1)
            continue;
        if (!headed)
            write_region_heads(r);
        headed = true;
        first = r->row;
        for (size_t k = i; k < end; k++)
            write_offer(r, &all.v.v[k], &all.v.v[i], first);
    }
    vec_free(&all.v);
    arena_free(&all.strings);
}

/* ---- words ---- */

/* Lines of words that reach over the cells at their right. */
static void write_words(struct rates_sheet *r, const char *text)
{
    struct buf b = {0};

    while (*text) {
        size_t n = strlen(text);

        if (n > LINE_WIDTH)
            for (n = LINE_WIDTH; n > 0 && text[n] != ' ';)
                n--;
        n = n ? n : strlen(text);
        buf_clear(&b);
        buf_add(&b, text, n);
        xlsx_text(&r->s, r->row++, 0, FACE_OVER, buf_str(&b));
        text += n + (text[n] == ' ');
    }
    buf_free(&b);
}

/* Columns of `gputab rates` by their heads here, and a sentence that begins like one. */
static void add_sentence(struct buf *b, const char *text)
{
    static const struct { const char *column, *head; } names[] = {
        {"node_gpu_hour", "the column Whole node, per GPU hour,"}, {"held_gpu_hour", "in the column per GPU hour that pods held"},
    };
    size_t from = b->n;

    while (*text) {
        size_t i = 0;

        while (i < sizeof names / sizeof *names && strncmp(text, names[i].column, strlen(names[i].column)) != 0)
            i++;
        if (i < sizeof names / sizeof *names) {
            buf_adds(b, names[i].head);
            text += strlen(names[i].column);
        } else {
            buf_addc(b, *text++);
        }
    }
    if (b->n > from)
        b->p[from] = (char)toupper((unsigned char)b->p[from]);
}

static void write_answers(struct rates_sheet *r)
{
    struct buf b = {0};

    section(r, "What a budget has to know of these prices");
    for (size_t i = 0; i < r->rates->answers.n; i++) {
        buf_clear(&b);
        add_sentence(&b, r->rates->answers.v[i].question);
        xlsx_text(&r->s, r->row++, 0, FACE_QUESTION, buf_str(&b));
        buf_clear(&b);
        add_sentence(&b, r->rates->answers.v[i].answer);
        write_words(r, buf_str(&b));
    }
    buf_free(&b);
}

static void write_purchases(struct rates_sheet *r)
{
    const struct table *t = &r->rates->pools;
    struct buf b = {0};

    section(r, "Purchase option and committed term");
    for (size_t row = 0; row < t->n_rows; row++) {
        xlsx_text(&r->s, r->row, 0, FACE_PLAIN, text_of(t, row, "gpu_model"));
        xlsx_text(&r->s, r->row, 1, FACE_PLAIN, text_of(t, row, "region"));
        xlsx_text(&r->s, r->row, 2, FACE_PLAIN, text_of(t, row, "purchase"));
        buf_clear(&b);
        buf_addf(&b, "committed term: %s; purchase option by %s", text_of(t, row, "term"), text_of(t, row, "purchase_source"));
        xlsx_text(&r->s, r->row++, TEXT_COLUMNS, FACE_OVER, buf_str(&b));
    }
    buf_free(&b);
}

static void write_sources(struct rates_sheet *r)
{
    section(r, "Prices by which nodes are split, an hour");
    for (size_t i = 0; i < r->rates->sources.n; i++) {
        const struct rates_source *s = &r->rates->sources.v[i];

        xlsx_text(&r->s, r->row, 0, FACE_PLAIN, s->what);
        xlsx_text(&r->s, r->row, 1, FACE_PLAIN, s->source);
        if (s->price > 0)
            xlsx_number(&r->s, r->row, 2, FACE_PLAIN, NUMBER_SMALL_PRICE, s->price);
        else
            xlsx_blank(&r->s, r->row, 2, FACE_PLAIN);
        r->row++;
    }
}

static void write_title(struct rates_sheet *r)
{
    struct buf b = {0};

    buf_adds(&b, "What a GPU costs in each pool, idle time included; ");
    xlsx_add_period(&b, r->s.book->r->period);
    if (r->s.book->r->filtered)
        buf_adds(&b, "; of all GPUs, whatever rows are selected");
    xlsx_title(&r->s, "Rates", buf_str(&b));
    buf_free(&b);
}

void xlsx_rates(struct xlsx_book *b)
{
    struct rates_sheet r = {.rates = b->r->rates, .row = ROW_HEAD};
    bool several;

    if (!r.rates)
        return;
    several = r.rates->months.n_rows > r.rates->pools.n_rows;
    for (size_t c = 0; c < POOL_COLUMNS; c++)
        r.columns += several || !pool_columns[c].of_months;
    r.s = xlsx_sheet_new(b, "Rates", XLSX_SAND);
    write_title(&r);
    if (r.rates->pools.n_rows == 0) {
        xlsx_text(&r.s, r.row, 0, FACE_NOTE, "No pool of GPUs was billed in this period.");
    } else {
        write_table(&r, &r.rates->pools, pool_columns, POOL_COLUMNS, several);
        write_regions(&r);
        if (several) {
            section(&r, "Months");
            write_table(&r, &r.rates->months, month_columns, MONTH_COLUMNS, true);
        }
        write_answers(&r);
        write_purchases(&r);
        write_sources(&r);
    }
    for (lxw_col_t c = TEXT_COLUMNS; c < r.columns; c++)
        xlsx_wide(&r.s, c, NUMBER_WIDTH);
    xlsx_sheet_end(&r.s, -1, 0);
}
