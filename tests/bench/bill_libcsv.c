/* bill_libcsv: what bill_read does, with libcsv as the reader.
 *
 *     bill_libcsv cur|focus FILE
 *
 * Prints the same line. Amounts are read by the same code, so that only the readers differ. */
#include <csv.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/value/money.h"

#define GPU_NODE "i-09f"
#define MONTH "2026-10"

enum { KIND, START, RESOURCE, QUANTITY, CURRENCY, COST, COLUMNS, CELL = 256, HEAD_MAX = 256, PIECE = 1 << 18 };

static const char *const names[][COLUMNS] = {
    {"line_item_line_item_type", "line_item_usage_start_date", "line_item_resource_id", "line_item_usage_amount",
     "line_item_currency_code", "line_item_unblended_cost"},
    {"ChargeCategory", "ChargePeriodStart", "ResourceId", "ConsumedQuantity", "BillingCurrency", "BilledCost"},
};

struct reader {
    const char *const *names;
    int column_of[HEAD_MAX];       /* by field: what it is, or COLUMNS */
    size_t head, field;
    bool in_head, bad;
    char cells[COLUMNS][CELL];
    size_t length[COLUMNS];
    int64_t rows, node_rows;
    money cost, node_cost, node_quantity;
};

static int column_named(const struct reader *r, const char *p, size_t n)
{
    int i = 0;

    while (i < COLUMNS && (strlen(r->names[i]) != n || memcmp(r->names[i], p, n) != 0))
        i++;
    return i;
}

static void take_field(void *p, size_t n, void *to)
{
    struct reader *r = to;
    int column;

    if (r->field >= HEAD_MAX || n >= CELL * 16) {
        r->bad = true;
        return;
    }
    if (r->in_head)
        r->column_of[r->field] = column_named(r, p, n);
    column = r->column_of[r->field++];
    if (r->in_head || column == COLUMNS || n >= CELL)
        return;
    memcpy(r->cells[column], p, n);
    r->length[column] = n;
}

static bool starts(const struct reader *r, int column, const char *with)
{
    return r->length[column] >= strlen(with) && memcmp(r->cells[column], with, strlen(with)) == 0;
}

static money amount(struct reader *r, int column)
{
    money m = 0;

    r->bad |= money_parse((struct span){r->cells[column], r->length[column]}, &m, NULL) < 0;
    return m;
}

static void add_row(struct reader *r)
{
    money cost = amount(r, COST);

    r->bad |= r->field != r->head;
    r->rows++;
    r->cost += cost;
    if (!starts(r, RESOURCE, GPU_NODE) || !starts(r, KIND, "Usage") || !starts(r, START, MONTH) || !starts(r, CURRENCY, "USD"))
        return;
    r->node_rows++;
    r->node_cost += cost;
    r->node_quantity += amount(r, QUANTITY);
}

static void take_row(int end, void *to)
{
    struct reader *r = to;

    (void)end;
    if (r->in_head)
        r->head = r->field;
    else
        add_row(r);
    r->in_head = false;
    r->field = 0;
}

static void say(const struct reader *r)
{
    const money amounts[] = {r->cost, r->node_cost, r->node_quantity};
    struct buf text[3] = {{0}, {0}, {0}};

    for (int i = 0; i < 3; i++)
        money_add_text(&text[i], amounts[i], MONEY_DECIMALS);
    printf("{\"columns\": %zu, \"rows\": %" PRId64 ", \"cost\": \"%s\", \"node_rows\": %" PRId64 ", \"node_cost\": \"%s\", "
           "\"node_quantity\": \"%s\"}\n", r->head, r->rows, buf_str(&text[0]), r->node_rows, buf_str(&text[1]), buf_str(&text[2]));
    for (int i = 0; i < 3; i++)
        buf_free(&text[i]);
}

int main(int argc, char **argv)
{
    static struct reader r;
    static char piece[PIECE];
    struct csv_parser p;
    FILE *f = argc == 3 ? fopen(argv[2], "rb") : NULL;
    size_t n;

    if (!f || csv_init(&p, CSV_STRICT) != 0) {
        fprintf(stderr, "usage: bill_libcsv cur|focus FILE\n");
        return 2;
    }
    r.names = names[strcmp(argv[1], "focus") == 0];
    r.in_head = true;
    while ((n = fread(piece, 1, sizeof piece, f)) > 0 && !r.bad)
        r.bad |= csv_parse(&p, piece, n, take_field, take_row, &r) != n;
    r.bad |= csv_fini(&p, take_field, take_row, &r) != 0;
    free(p.entry_buf);             /* csv_free is a name of gputab's reader too */
    fclose(f);
    if (!r.bad)
        say(&r);
    return r.bad;
}
