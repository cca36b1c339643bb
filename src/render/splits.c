/* splits: the methods with what each gives GPUs, CPU and memory, or why it cannot be applied; then the rows, a total for each method.
 * Methods that do not fit the width go into further tables of the same rows, so that no number is cut. */
#include "gputab/render/splits.h"

#include <stdlib.h>

#include "gputab/base/xalloc.h"
#include "gputab/render/figures.h"

enum { NAME_MOST = 36, GAP = 2, SHARE = 9 };

struct sheet {
    const struct report *r;
    size_t keys;                   /* columns of the table before the bucket */
    size_t *widths;                /* of the keys, then of the methods */
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static const char *amount(struct buf *b, const struct report *r, money m)
{
    buf_clear(b);
    figure_add_amount(b, m, r->digits);
    return buf_str(b);
}

/* ---- methods ---- */

static size_t methods_width(const struct ink *k, const struct report *r)
{
    size_t width = ink_width(k, "SPLIT");

    for (size_t i = 0; i < r->splits.n; i++)
        width = larger(width, ink_width(k, r->splits.v[i].method) + ink_width(k, " *"));
    return width + GAP;
}

/* 0: the terminal is too narrow for amounts beside the shares. */
static size_t costs_width(const struct ink *k, const struct report *r, size_t before)
{
    struct buf b = {0};
    size_t width = SHARE;

    for (size_t i = 0; i < r->splits.n; i++)
        for (int p = 0; p < PIECES; p++)
            width = larger(width, ink_width(k, amount(&b, r, r->splits.v[i].piece_cost[p])));
    buf_free(&b);
    width += GAP;
    return !k->wide && before + PIECES * width > k->width ? 0 : width;
}

static void print_method(struct ink *k, const struct report *r, const struct report_split *s, size_t width, size_t costs)
{
    struct buf b = {0};

    buf_addf(&b, "%s%s", s->method, s->own ? " *" : "");
    ink_left(k, s->own ? INK_BOLD : INK_TEXT, buf_str(&b), width);
    if (s->reason) {
        buf_clear(&b);
        buf_addf(&b, "not applicable: %s", s->reason);
        ink_words(k, INK_WARN, buf_str(&b), width);
        buf_free(&b);
        return;
    }
    for (int p = 0; p < PIECES; p++) {
        buf_clear(&b);
        money_add_text(&b, s->share[p] * 100, 2);
        buf_adds(&b, " %");
        ink_right(k, INK_TEXT, buf_str(&b), SHARE + GAP);
    }
    for (int p = 0; p < PIECES && costs; p++)
        ink_right(k, INK_TEXT, amount(&b, r, s->piece_cost[p]), costs);
    ink_line(k);
    buf_free(&b);
}

static void print_methods(struct ink *k, const struct report *r)
{
    static const char *const heads[PIECES] = {"GPU", "CPU", "memory"};
    size_t width = methods_width(k, r), shares = PIECES * (SHARE + GAP), costs = costs_width(k, r, width + shares);

    ink_left(k, INK_DIM, "SPLIT", width);
    for (int p = 0; p < (costs ? 2 : 1) * PIECES; p++)
        ink_right(k, INK_DIM, heads[p % PIECES], p < PIECES ? SHARE + GAP : costs);
    ink_line(k);
    ink_rule(k, width + shares + PIECES * costs);
    for (size_t i = 0; i < r->splits.n; i++)
        print_method(k, r, &r->splits.v[i], width, costs);
    for (size_t i = 0; i < r->splits.n; i++)
        if (r->splits.v[i].own)
            ink_words(k, INK_DIM, "  * the rule's own", 4);
    ink_line(k);
}

/* ---- rows ---- */

/* A bucket has its name in the first key when it has none there itself. */
static const char *key_text(const struct sheet *s, size_t row, size_t key)
{
    const struct cell *c = table_cell(&s->r->table, row, key);

    if (c->type == CELL_NULL && key == 0)
        c = table_cell(&s->r->table, row, s->keys);
    return c->type == CELL_TEXT ? c->text : "";
}

static void measure(struct ink *k, struct sheet *s)
{
    const struct table *t = &s->r->table;
    struct buf b = {0};

    for (size_t i = 0; i < s->keys; i++)
        s->widths[i] = larger(ink_width(k, t->columns.v[i].name), ink_width(k, "TOTAL"));
    for (size_t i = 0; i < s->r->splits.n; i++)
        s->widths[s->keys + i] = larger(ink_width(k, s->r->splits.v[i].method) + 2,
                                        ink_width(k, amount(&b, s->r, s->r->splits.v[i].total_cost)));
    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t i = 0; i < s->keys; i++)
            s->widths[i] = larger(s->widths[i], ink_width(k, key_text(s, row, i)));
        for (size_t i = 0; i < s->r->splits.n; i++)
            s->widths[s->keys + i] = larger(s->widths[s->keys + i],
                                            ink_width(k, amount(&b, s->r, table_cell(t, row, s->keys + 1 + i)->number)));
    }
    for (size_t i = 0; i < s->keys; i++)
        s->widths[i] = !k->wide && s->widths[i] > NAME_MOST ? NAME_MOST : s->widths[i];
    buf_free(&b);
}

static size_t keys_width(const struct sheet *s)
{
    size_t width = 0;

    for (size_t i = 0; i < s->keys; i++)
        width += s->widths[i] + (i + 1 < s->keys ? GAP : 0);
    return width;
}

/* Behind the last method from `from` on that fits; at least one does. */
static size_t fitting(const struct ink *k, const struct sheet *s, size_t from, size_t *width)
{
    size_t i = from;

    *width = keys_width(s);
    while (i < s->r->splits.n && (i == from || k->wide || *width + GAP + s->widths[s->keys + i] <= k->width))
        *width += GAP + s->widths[s->keys + i++];
    return i;
}

static void print_keys(struct ink *k, const struct sheet *s, size_t row)
{
    for (size_t i = 0; i < s->keys; i++)
        ink_left(k, INK_TEXT, key_text(s, row, i), s->widths[i] + (i + 1 < s->keys ? GAP : 0));
}

static void print_heads(struct ink *k, const struct sheet *s, size_t from, size_t end)
{
    struct buf b = {0};

    for (size_t i = 0; i < s->keys; i++) {
        buf_clear(&b);
        for (const char *p = s->r->table.columns.v[i].name; *p; p++)
            buf_addc(&b, *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p);
        ink_left(k, INK_DIM, buf_str(&b), s->widths[i] + (i + 1 < s->keys ? GAP : 0));
    }
    for (size_t i = from; i < end; i++) {
        buf_clear(&b);
        buf_addf(&b, "%s%s", s->r->splits.v[i].method, s->r->splits.v[i].own ? " *" : "");
        ink_right(k, INK_DIM, buf_str(&b), GAP + s->widths[s->keys + i]);
    }
    ink_line(k);
    buf_free(&b);
}

static void print_amount(struct ink *k, const struct sheet *s, size_t i, enum ink_style style, money m)
{
    struct buf b = {0};

    ink_right(k, style, s->r->splits.v[i].reason ? "-" : amount(&b, s->r, m), GAP + s->widths[s->keys + i]);
    buf_free(&b);
}

static void print_block(struct ink *k, const struct sheet *s, size_t from, size_t end, size_t width)
{
    const struct table *t = &s->r->table;

    print_heads(k, s, from, end);
    ink_rule(k, width);
    for (size_t row = 0; row < t->n_rows; row++) {
        print_keys(k, s, row);
        for (size_t i = from; i < end; i++)
            print_amount(k, s, i, INK_TEXT, table_cell(t, row, s->keys + 1 + i)->number);
        ink_line(k);
    }
    ink_rule(k, width);
    ink_left(k, INK_BOLD, "TOTAL", keys_width(s));
    for (size_t i = from; i < end; i++)
        print_amount(k, s, i, INK_BOLD, s->r->splits.v[i].total_cost);
    ink_line(k);
}

void splits_print(struct ink *k, const struct report *r)
{
    struct sheet s = {.r = r, .keys = r->by.n};

    print_methods(k, r);
    if (r->table.n_rows == 0) {
        ink_words(k, INK_TEXT, r->filtered ? "no row matches the filter" : "no cost of GPU nodes in this period", 0);
        return;
    }
    s.widths = xcalloc(s.keys + r->splits.n, sizeof *s.widths);
    measure(k, &s);
    for (size_t from = 0, end; from < r->splits.n; from = end) {
        size_t width;

        end = fitting(k, &s, from, &width);
        if (from)
            ink_line(k);
        print_block(k, &s, from, end, width);
    }
    free(s.widths);
}
