/* explain_list: groups of an explanation as lines of a section. Lists are cut to their largest lines, with the rest in one, and many prices
 * become an average, so that the amounts of a section add up whatever is shown. */
#include "gputab/core/explain_list.h"

#include <stdlib.h>
#include <string.h>

enum { RATES_SHOWN = 6 };          /* prices of one thing that are lines of their own */

/* ---- numbers ---- */

const char *explain_list_text(const struct explain_list *l, uint32_t id)
{
    return intern_cstr(l->x->texts, id);
}

/* Core-hours or GiB-hours. */
static money host_hours(enum piece piece, weight host)
{
    return money_mul_div(MONEY_ONE, host, piece == PIECE_CPU ? (weight)1000000000 * (weight)TIME_HOUR
                         : ((weight)1 << 30) * (weight)TIME_HOUR);
}

static money quantity_of(const struct explain_group *g, const struct explain_sums *s)
{
    return g->key.part == PART_HOST ? host_hours((enum piece)g->key.piece, s->host) : s->quantity;
}

static const char *unit_of(const struct explain_group *g)
{
    switch (g->key.part) {
    case PART_BILL: return "h";
    case PART_CAPACITY: case PART_HOST: return g->key.piece == PIECE_CPU ? "core-h" : "GiB-h";
    default: return "GPU-h";
    }
}

money explain_list_magnitude(money m)
{
    return m < 0 ? -m : m;
}

static void set_price(struct explanation_line *line)
{
    line->has_price = line->quantity > 0;
    if (line->has_price)
        line->price = money_round(money_mul_div(line->amount, (weight)MONEY_ONE, (weight)line->quantity), 9);
}

/* ---- lists ---- */

static int by_cost(const void *pa, const void *pb)
{
    const struct explain_group *a = *(const struct explain_group *const *)pa, *b = *(const struct explain_group *const *)pb;
    money x = explain_list_magnitude(a->sums.cost), y = explain_list_magnitude(b->sums.cost);

    if (x != y)
        return x > y ? -1 : 1;
    if (a->sums.quantity != b->sums.quantity)
        return a->sums.quantity > b->sums.quantity ? -1 : 1;
    return a < b ? -1 : a > b;             /* the order in which they came, which is that of time and names */
}

void explain_list_gather(struct explain_list *l, enum explain_part part,
                         bool (*wanted)(const struct explain_list *l, const struct explain_group *g))
{
    vec_clear(&l->groups);
    for (size_t i = 0; i < l->x->groups.n; i++) {
        const struct explain_group *g = &l->x->groups.v[i];

        if (g->key.part == part && (!wanted || wanted(l, g)))
            vec_push(&l->groups, g);
    }
    if (l->groups.n)
        qsort(l->groups.v, l->groups.n, sizeof *l->groups.v, by_cost);
}

static int by_quantity(const void *pa, const void *pb)
{
    const struct explain_rate *a = pa, *b = pb;

    if (a->sums.quantity != b->sums.quantity)
        return a->sums.quantity > b->sums.quantity ? -1 : 1;
    return a->rate < b->rate ? -1 : a->rate > b->rate;
}

static struct explanation_line line_of(struct explain_list *l, const struct explain_group *g, const struct explain_sums *s,
                                       explain_list_describe what)
{
    struct explanation_line line = {.unit = unit_of(g), .quantity = quantity_of(g, s), .has_amount = true, .amount = s->cost};

    what(l, g, &l->b);
    line.what = explanation_text(l->out, &l->b);
    if (line.quantity == 0)
        line.unit = NULL;
    return line;
}

static void add_rates(struct explain_list *l, struct explanation_section *to, const struct explain_group *g, explain_list_describe what,
                      explain_list_describe note)
{
    size_t n = g->rates.n;
    struct explain_rate *rates = xmalloc((n + 1) * sizeof *rates);

    memcpy(rates, g->rates.v, n * sizeof *rates);
    qsort(rates, n, sizeof *rates, by_quantity);
    for (size_t i = 0; i < n; i++) {
        struct explain_group one = *g;
        struct explanation_line line;

        one.sums = rates[i].sums;
        line = line_of(l, &one, &one.sums, what);
        if (rates[i].priced)
            set_price(&line);
        else if (g->key.part != PART_HOST && g->key.bucket != BUCKET_UNBILLED)
            buf_adds(&l->b, "an amount without hours: a correction");
        if (note)
            note(l, &one, &l->b);
        line.note = explanation_text(l->out, &l->b);
        vec_push(&to->lines, line);
    }
    free(rates);
}

/* One line for many prices. */
static void add_average(struct explain_list *l, struct explanation_section *to, const struct explain_group *g, explain_list_describe what,
                        explain_list_describe note)
{
    struct explanation_line line = line_of(l, g, &g->sums, what);

    set_price(&line);
    if (g->averaged)
        buf_addf(&l->b, "the average of more than %d prices, ", EXPLAIN_RATES);
    else
        buf_addf(&l->b, "the average of %zu prices, ", g->rates.n);
    explanation_add_number(&l->b, g->least, 2, 6);
    buf_adds(&l->b, " to ");
    explanation_add_number(&l->b, g->most, 2, 6);
    if (note) {
        buf_adds(&l->b, "; ");
        note(l, g, &l->b);
    }
    line.note = explanation_text(l->out, &l->b);
    vec_push(&to->lines, line);
}

/* What is beyond the largest lines, in one. */
static void add_rest(struct explain_list *l, struct explanation_section *to, size_t from)
{
    struct explanation_line rest = {.has_amount = true};
    size_t n = l->groups.n - from;

    for (size_t i = from; i < l->groups.n; i++) {
        rest.quantity += quantity_of(l->groups.v[i], &l->groups.v[i]->sums);
        rest.amount += l->groups.v[i]->sums.cost;
    }
    rest.unit = rest.quantity ? unit_of(l->groups.v[from]) : NULL;
    buf_addf(&l->b, "and %zu more", n);
    rest.what = explanation_text(l->out, &l->b);
    vec_push(&to->lines, rest);
}

/* Groups that were gathered, with their prices. */
void explain_list_priced(struct explain_list *l, struct explanation_section *to, explain_list_describe what, explain_list_describe note)
{
    size_t shown = l->cfg->most && l->groups.n > l->cfg->most + 1 ? l->cfg->most : l->groups.n;

    for (size_t i = 0; i < shown; i++) {
        const struct explain_group *g = l->groups.v[i];

        if (g->averaged || (l->cfg->most && g->rates.n > RATES_SHOWN))
            add_average(l, to, g, what, note);
        else
            add_rates(l, to, g, what, note);
    }
    if (shown < l->groups.n)
        add_rest(l, to, shown);
}

/* Groups without prices. */
void explain_list_plain(struct explain_list *l, struct explanation_section *to, explain_list_describe what, explain_list_describe note)
{
    size_t shown = l->cfg->most && l->groups.n > l->cfg->most + 1 ? l->cfg->most : l->groups.n;

    for (size_t i = 0; i < shown; i++) {
        struct explanation_line line = line_of(l, l->groups.v[i], &l->groups.v[i]->sums, what);

        if (note)
            note(l, l->groups.v[i], &l->b);
        line.note = explanation_text(l->out, &l->b);
        vec_push(&to->lines, line);
    }
    if (shown < l->groups.n)
        add_rest(l, to, shown);
}

void explain_list_part(struct buf *b, const char *s)
{
    if (s[0])
        buf_addf(b, "%s%s", b->n ? ", " : "", s);
}

void explain_list_pool(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    explain_list_part(b, explain_list_text(l, g->key.model));
    explain_list_part(b, explain_list_text(l, g->key.region));
    if (g->key.purchase < PURCHASES)
        explain_list_part(b, purchase_names[g->key.purchase]);
}

void explain_list_node(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    if (g->key.cluster)
        buf_addf(b, "%s/", explain_list_text(l, g->key.cluster));
    buf_adds(b, explain_list_text(l, g->key.node));
}

