/* bill_read: how fast a bill's CSV is read, without what follows: columns by name, a filter, exact sums.
 *
 *     bill_read [-s WAY] cur|focus FILE      WAY: of marking (codec/csv_scan), else the best one
 *
 * Over all rows it adds up the cost. Of rows of usage whose resource id begins with that of the made GPU nodes (bill_text.c), in dollars
 * and in October, it adds up cost and quantity. Every row has to have as many fields as the header, and every amount that is added to be
 * one; the reader checks quoting and looks for NUL. The columns that only rows of nodes are asked for are not selected but fetched. Prints
 * one line of JSON, like bill_text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/codec/csv.h"
#include "gputab/codec/csv_head.h"
#include "gputab/codec/csv_scan.h"
#include "gputab/codec/unpack.h"
#include "gputab/value/money.h"

#define GPU_NODE "i-09f"
#define MONTH "2026-10"

enum { RESOURCE, COST, SELECTED, KIND = SELECTED, START, QUANTITY, CURRENCY, COLUMNS };

static const char *const names[][COLUMNS] = {
    {"line_item_resource_id", "line_item_unblended_cost", "line_item_line_item_type", "line_item_usage_start_date",
     "line_item_usage_amount", "line_item_currency_code"},
    {"ResourceId", "BilledCost", "ChargeCategory", "ChargePeriodStart", "ConsumedQuantity", "BillingCurrency"},
};

struct sums {
    size_t columns;
    int64_t rows, node_rows;
    money cost, node_cost, node_quantity;
};

static int amount(const struct csv *r, struct span text, int index, money *out, struct err *e)
{
    if (money_parse(text, out, NULL) == 0)
        return 0;
    err_set(e, ERR_INPUT, "is no amount");
    return csv_at(r, index, e);
}

static struct span fetch(struct csv *r, const int index[COLUMNS], int column)
{
    return csv_field(r, (size_t)index[column]);
}

static int add_node(struct sums *s, struct csv *r, const int index[COLUMNS], money cost, struct err *e)
{
    money quantity;

    if (!span_eq(fetch(r, index, KIND), "Usage") || !span_starts(fetch(r, index, START), MONTH) ||
        !span_eq(fetch(r, index, CURRENCY), "USD"))
        return 0;
    if (amount(r, fetch(r, index, QUANTITY), index[QUANTITY], &quantity, e) < 0)
        return -1;
    s->node_rows++;
    s->node_cost += cost;
    s->node_quantity += quantity;
    return 0;
}

static int add_row(struct sums *s, struct csv *r, const struct csv_row *row, const int index[COLUMNS], struct err *e)
{
    money cost;

    if (row->n != s->columns) {
        err_set(e, ERR_INPUT, "row has %zu fields, the header %zu", row->n, s->columns);
        return csv_at(r, CSV_WHOLE_ROW, e);
    }
    if (amount(r, row->fields[index[COST]], index[COST], &cost, e) < 0)
        return -1;
    s->rows++;
    s->cost += cost;
    return span_starts(row->fields[index[RESOURCE]], GPU_NODE) ? add_node(s, r, index, cost, e) : 0;
}

static int read_bill(struct sums *s, struct csv *r, const char *const *wanted, struct err *e)
{
    int index[COLUMNS], rc;
    struct csv_row row;

    rc = csv_next(r, &row, e);
    if (rc != 1)
        return rc < 0 ? -1 : err_set(e, ERR_INPUT, "is empty");
    if (csv_head_bind(r, &row, wanted, COLUMNS, COLUMNS, index, e) < 0)
        return -1;
    s->columns = row.n;
    csv_select(r, index, SELECTED);
    while ((rc = csv_next(r, &row, e)) == 1)
        if (add_row(s, r, &row, index, e) < 0)
            return -1;
    return rc;
}

static void say(const struct sums *s)
{
    const money amounts[] = {s->cost, s->node_cost, s->node_quantity};
    struct buf text[3] = {{0}, {0}, {0}};

    for (int i = 0; i < 3; i++)
        money_add_text(&text[i], amounts[i], MONEY_DECIMALS);
    printf("{\"columns\": %zu, \"rows\": %" PRId64 ", \"cost\": \"%s\", \"node_rows\": %" PRId64 ", \"node_cost\": \"%s\", "
           "\"node_quantity\": \"%s\"}\n", s->columns, s->rows, buf_str(&text[0]), s->node_rows, buf_str(&text[1]), buf_str(&text[2]));
    for (int i = 0; i < 3; i++)
        buf_free(&text[i]);
}

static const struct csv_scan *way(const char *name)
{
    for (size_t i = 0; csv_scan_of(i); i++)
        if (strcmp(csv_scan_of(i)->name, name) == 0)
            return csv_scan_of(i);
    fprintf(stderr, "this machine has no way \"%s\"\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    bool chosen = argc > 2 && strcmp(argv[1], "-s") == 0;
    struct csv_config config = {.scan = chosen ? way(argv[2]) : NULL};
    struct sums s = {0};
    struct unpack *u;
    struct err e = {0};
    struct csv *r;
    int rc;

    argv += chosen ? 2 : 0;
    if (argc - (chosen ? 2 : 0) != 3) {
        fprintf(stderr, "usage: bill_read [-s WAY] cur|focus FILE\n");
        return 2;
    }
    if (unpack_open(&u, argv[2], 0, &e) < 0) {
        fprintf(stderr, "%s: %s\n", argv[2], e.text);
        return 1;
    }
    config.name = argv[2];
    r = csv_over(u, &config);
    rc = read_bill(&s, r, names[strcmp(argv[1], "focus") == 0], &e);
    if (rc == 0)
        say(&s);
    else
        fprintf(stderr, "%s:%lld:%lld: %s\n", argv[2], (long long)e.line, (long long)e.column, e.text);
    csv_free(r);
    unpack_close(u);
    return rc == 0 ? 0 : 1;
}
