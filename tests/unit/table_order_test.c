/* table_order: other orders of a table, and its rest in one row. */
#include "gputab/value/table_order.h"

#include <stdio.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "unit.h"

enum { TEAM, BUCKET, COST, HOURS, RESIDENT };

static struct table t;
static struct err e;
static size_t ordinary;

static void setup(void)
{
    t = (struct table){.n_rows = 0};
    err_clear(&e);
    table_add_column(&t, "team", COLUMN_KEY, 0);
    table_add_column(&t, "bucket", COLUMN_BUCKET, 0);
    table_add_column(&t, "total_cost", COLUMN_MONEY, 2);
    table_add_column(&t, "requested_gpu_hours", COLUMN_HOURS, 6);
    table_add_column(&t, "resident_hours", COLUMN_HOURS, 6);
}

static void teardown(void)
{
    table_free(&t);
}

/* hours < 0: unknown. */
static void row(const char *team, const char *bucket, int cents, int hours)
{
    const struct cell cells[] = {
        {.type = team ? CELL_TEXT : CELL_NULL, .text = team}, {.type = bucket ? CELL_TEXT : CELL_NULL, .text = bucket},
        {.type = CELL_MONEY, .number = (money)cents * (MONEY_ONE / 100)},
        {.type = hours < 0 ? CELL_NULL : CELL_HOURS, .number = hours < 0 ? 0 : (money)hours * MONEY_ONE},
        {.type = CELL_HOURS, .number = MONEY_ONE},
    };

    table_add_row(&t, cells);
}

static void some_rows(void)
{
    row("a", NULL, 300, 3);
    row("b", NULL, 100, -1);
    row("c", NULL, 400, 1);
    row("d", NULL, 100, 2);
    row("n1", "(idle)", 50, -1);
    row("n1", "(no-metrics)", 20, -1);
    row("n2", "(idle)", 70, -1);
    row("n3", "(idle)", 60, -1);
}

static void order(int column, bool descending, size_t top)
{
    struct table_order o = {column, descending, top, RESIDENT};

    ck_assert_int_eq(table_order(&t, &o, &ordinary, &e), 0);
}

/* "a 3.00 3, (idle) n1 0.50 -": bucket, team, cost, requested hours. */
static void reads(const char *want)
{
    struct buf b = {0};

    for (size_t i = 0; i < t.n_rows; i++) {
        const struct cell *c = table_row(&t, i);

        buf_addf(&b, "%s%s%s%s ", i ? ", " : "", c[BUCKET].type ? c[BUCKET].text : "", c[BUCKET].type ? " " : "",
                 c[TEAM].type ? c[TEAM].text : "-");
        money_add_text(&b, c[COST].number, 2);
        buf_addc(&b, ' ');
        if (c[HOURS].type)
            money_add_text(&b, c[HOURS].number, 0);
        else
            buf_addc(&b, '-');
        buf_adds(&b, c[RESIDENT].type ? "" : " no sum");
    }
    ck_assert_str_eq(buf_str(&b), want);
    buf_free(&b);
}

START_TEST(rows_are_sorted_by_a_number_and_buckets_stay_behind)
{
    some_rows();
    order(COST, true, 0);
    reads("c 4.00 1, a 3.00 3, b 1.00 -, d 1.00 2, (idle) n2 0.70 -, (idle) n3 0.60 -, (idle) n1 0.50 -, (no-metrics) n1 0.20 -");
}
END_TEST

START_TEST(what_is_unknown_is_last_in_either_order)
{
    some_rows();
    order(HOURS, false, 0);
    reads("c 4.00 1, d 1.00 2, a 3.00 3, b 1.00 -, (idle) n1 0.50 -, (no-metrics) n1 0.20 -, (idle) n2 0.70 -, (idle) n3 0.60 -");
    order(HOURS, true, 0);
    reads("a 3.00 3, d 1.00 2, c 4.00 1, b 1.00 -, (idle) n1 0.50 -, (no-metrics) n1 0.20 -, (idle) n2 0.70 -, (idle) n3 0.60 -");
}
END_TEST

START_TEST(names_are_sorted_by_their_bytes)
{
    row("b", NULL, 1, 1);
    row(NULL, NULL, 2, 1);
    row("B", NULL, 3, 1);
    row("a", NULL, 4, 1);
    order(TEAM, false, 0);
    reads("B 0.03 1, a 0.04 1, b 0.01 1, - 0.02 1");
    order(TEAM, true, 0);
    reads("b 0.01 1, a 0.04 1, B 0.03 1, - 0.02 1");
}
END_TEST

/* Behind the first: 3.00 + 1.00 + 1.00, and 3 + 2 hours of those that are known; of each bucket likewise. */
START_TEST(the_rest_of_each_kind_is_one_row)
{
    some_rows();
    order(COST, true, 1);
    ck_assert_uint_eq(ordinary, 4);
    reads("c 4.00 1, (3 others) 5.00 5 no sum, (idle) n2 0.70 -, (idle) (2 others) 1.10 - no sum, (no-metrics) n1 0.20 -");
}
END_TEST

START_TEST(one_row_is_no_rest)
{
    some_rows();
    order(COST, true, 3);
    reads("c 4.00 1, a 3.00 3, b 1.00 -, d 1.00 2, (idle) n2 0.70 -, (idle) n3 0.60 -, (idle) n1 0.50 -, (no-metrics) n1 0.20 -");
}
END_TEST

START_TEST(an_empty_table_stays_empty)
{
    order(COST, true, 5);
    ck_assert_uint_eq(t.n_rows, 0);
}
END_TEST

/* Costs 0 .. 99999 cents in the order of a permutation: the rows are on disk, the sum is 0.01 x (0 + ... + 99899). */
START_TEST(many_rows_are_sorted_where_they_lie)
{
    enum { N = 100000, TOP = 100 };
    char name[16];

    for (int i = 0; i < N; i++) {
        int cents = (int)((int64_t)i * 7919 % N);

        snprintf(name, sizeof name, "%06d", cents);
        row(name, NULL, cents, 1);
    }
    order(COST, true, TOP);
    ck_assert_uint_eq(t.n_rows, TOP + 1);
    for (int i = 0; i < TOP; i++)
        ck_assert(table_cell(&t, (size_t)i, COST)->number == (money)(N - 1 - i) * (MONEY_ONE / 100));
    ck_assert_str_eq(table_cell(&t, TOP, TEAM)->text, "(99900 others)");
    ck_assert(table_cell(&t, TOP, COST)->number == (money)99899 * 99900 / 2 * (MONEY_ONE / 100));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("table_order");
    TCase *c = tcase_create("table_order");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, rows_are_sorted_by_a_number_and_buckets_stay_behind);
    tcase_add_test(c, what_is_unknown_is_last_in_either_order);
    tcase_add_test(c, names_are_sorted_by_their_bytes);
    tcase_add_test(c, the_rest_of_each_kind_is_one_row);
    tcase_add_test(c, one_row_is_no_rest);
    tcase_add_test(c, an_empty_table_stays_empty);
    tcase_add_test(c, many_rows_are_sorted_where_they_lie);
    suite_add_tcase(s, c);
    return unit_run(s);
}
