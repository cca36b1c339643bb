/* side_by_side: small tables merged by hand. */
#include <string.h>

#include "gputab/core/side_by_side.h"
#include "unit.h"

static struct table a, b, merged;
static struct err e;

static void columns(struct table *t)
{
    table_add_column(t, "team", COLUMN_KEY, 0);
    table_add_column(t, "node", COLUMN_KEY, 0);
    table_add_column(t, "bucket", COLUMN_BUCKET, 0);
    table_add_column(t, "gpu_cost", COLUMN_MONEY, 2);
    table_add_column(t, "total_cost", COLUMN_MONEY, 2);
}

static void setup(void)
{
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&merged, 0, sizeof merged);
    err_clear(&e);
    columns(&a);
    columns(&b);
}

static void teardown(void)
{
    table_free(&a);
    table_free(&b);
    table_free(&merged);
}

static struct cell text(const char *s)
{
    return (struct cell){.type = s ? CELL_TEXT : CELL_NULL, .text = s};
}

static void row(struct table *t, const char *team, const char *node, const char *bucket, int cost)
{
    const struct cell cells[] = {text(team), text(node), text(bucket), {.type = CELL_MONEY, .number = 99 * MONEY_ONE},
                                 {.type = CELL_MONEY, .number = cost * MONEY_ONE}};

    table_add_row(t, cells);
}

static void merge(const struct side *sides, size_t n)
{
    ck_assert_int_eq(side_by_side(sides, n, "total_cost", &merged, &e), 0);
}

static void is(size_t row, const char *team, const char *bucket, int first, int second)
{
    const struct cell *c = table_row(&merged, row);

    ck_assert_msg(team ? strcmp(c[0].text, team) == 0 : c[0].type == CELL_NULL, "row %zu is not of %s", row, team ? team : "none");
    ck_assert_msg(bucket ? strcmp(c[2].text, bucket) == 0 : c[2].type == CELL_NULL, "row %zu is not of %s", row, bucket ? bucket : "none");
    ck_assert(c[3].number == first * MONEY_ONE && c[4].number == second * MONEY_ONE);
}

/* Each of the tables has a row that the other has not: at the start, in the middle, at the end. */
START_TEST(a_row_that_one_table_has_not_is_nothing_there)
{
    row(&a, "cv", "n1", NULL, 1);
    row(&a, "nlp", "n1", NULL, 2);
    row(&a, "(idle)", "n1", "(idle)", 3);
    row(&b, "asr", "n1", NULL, 4);
    row(&b, "nlp", "n1", NULL, 5);
    row(&b, "nlp", "n2", NULL, 6);
    row(&b, "(idle)", "n1", "(idle)", 7);
    row(&b, "(unbilled)", NULL, "(unbilled)", 0);
    merge((const struct side[]){{"x", &a}, {"y", &b}}, 2);
    ck_assert_uint_eq(merged.n_rows, 6);
    is(0, "asr", NULL, 0, 4);
    is(1, "cv", NULL, 1, 0);
    is(2, "nlp", NULL, 2, 5);
    is(3, "nlp", NULL, 0, 6);
    is(4, "(idle)", "(idle)", 3, 7);
    is(5, "(unbilled)", "(unbilled)", 0, 0);
}
END_TEST

/* A key that does not apply stands behind those that do, and buckets go by their own order: (no-metrics) before (unbilled). */
START_TEST(the_order_is_that_of_reports)
{
    row(&a, NULL, NULL, "(unbilled)", 1);
    row(&b, "nlp", NULL, NULL, 2);
    row(&b, NULL, NULL, "(no-metrics)", 3);
    merge((const struct side[]){{"x", &a}, {"y", &b}}, 2);
    ck_assert_uint_eq(merged.n_rows, 3);
    is(0, "nlp", NULL, 0, 2);
    is(1, NULL, "(no-metrics)", 0, 3);
    is(2, NULL, "(unbilled)", 1, 0);
}
END_TEST

START_TEST(what_has_no_table_has_empty_cells)
{
    row(&b, "nlp", "n1", NULL, 2);
    merge((const struct side[]){{"x", NULL}, {"y", &b}}, 2);
    ck_assert_str_eq(merged.columns.v[3].name, "total_cost.x");
    ck_assert_str_eq(merged.columns.v[4].name, "total_cost.y");
    ck_assert_int_eq(merged.columns.v[4].digits, 2);
    ck_assert_int_eq(table_cell(&merged, 0, 3)->type, CELL_NULL);
    ck_assert(table_cell(&merged, 0, 4)->number == 2 * MONEY_ONE);
}
END_TEST

START_TEST(no_rows_are_no_rows)
{
    merge((const struct side[]){{"x", &a}, {"y", &b}}, 2);
    ck_assert_uint_eq(merged.n_rows, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("side_by_side");
    TCase *c = tcase_create("side_by_side");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_row_that_one_table_has_not_is_nothing_there);
    tcase_add_test(c, the_order_is_that_of_reports);
    tcase_add_test(c, what_has_no_table_has_empty_cells);
    tcase_add_test(c, no_rows_are_no_rows);
    suite_add_tcase(s, c);
    return unit_run(s);
}
