/* table_parts_test: a table by team, namespace cut by team: which parts there are, what is in them, and sums by hand. */
#include "unit.h"

#include "gputab/core/table_parts.h"
#include "report_fixture.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct fixture f;
static struct table_parts parts;

/* nlp has rows in two places: those of the bucket (system) stand behind all others. */
static void setup(void)
{
    fixture_init(&f, KEYS("team", "namespace"));
    parts = (struct table_parts){.names = NULL};
    fixture_row(&f, KEYS("nlp", "a"), NULL, "1 0 1.00 0.20 0.03 1.23 null null 0 0 0 0 0 0 1.23 1.00 0 0.23 0");
    fixture_row(&f, KEYS("nlp", "b"), NULL, "2 0 2.00 0.40 0.06 2.46 null null 0 0 0 0 0 0 2.46 2.46 0 0 0");
    fixture_row(&f, KEYS("vision", "c"), NULL, "4 0 4.00 0 0 4.00 null null 0 0 0 0 0 0 4 4.00 0 0 0");
    fixture_row(&f, (const char *const[]){NULL, "d"}, NULL, "0 0 0.07 0 0 0.07 null null 0 0 0 0 0 0 0.07 0.07 0 0 0");
    fixture_row(&f, KEYS("(idle)", NULL), "(idle)", "8 0 8.00 0 0 8.00 null null 0 0 0 0 0 0 8 8.00 0 0 0");
    fixture_row(&f, KEYS("nlp", "kube-system"), "(system)", "0 0 0 0.50 0 0.50 null null 0 0 0 0 0 0 0.5 0.50 0 0 0");
    fixture_row(&f, KEYS("(unbilled)", NULL), "(unbilled)", "5 0 0 0 0 0 null null 0 0 0 0 0 0 0 0 0 0 0");
    table_parts_find(&parts, &f.r.table);
}

static void teardown(void)
{
    table_parts_free(&parts);
    fixture_free(&f);
}

START_TEST(parts_stand_in_the_order_of_their_first_rows)
{
    static const struct { const char *value, *bucket; size_t runs; } wanted[] = {
        {"nlp", NULL, 2}, {"vision", NULL, 1}, {NULL, NULL, 1}, {"(idle)", "(idle)", 1}, {"(unbilled)", "(unbilled)", 1},
    };

    ck_assert_uint_eq(parts.v.n, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < parts.v.n; i++) {
        ck_assert_pstr_eq(parts.v.v[i].value, wanted[i].value);
        ck_assert_pstr_eq(parts.v.v[i].bucket, wanted[i].bucket);
        ck_assert_uint_eq(parts.v.v[i].runs.n, wanted[i].runs);
    }
    ck_assert_ptr_eq(table_parts_get(&parts, "vision"), &parts.v.v[1]);
    ck_assert_ptr_null(table_parts_get(&parts, "search"));
    ck_assert_ptr_null(table_parts_get(&parts, "(idle)"));
}
END_TEST

START_TEST(a_part_has_its_rows_and_their_sums)
{
    struct report r = {.mode = NULL};

    table_part_fill(&f.r.table, &parts.v.v[0], KEYS("namespace"), 1, &r);
    ck_assert_uint_eq(r.table.n_rows, 3);
    ck_assert_str_eq(r.table.columns.v[0].name, "namespace");
    ck_assert_str_eq(r.table.columns.v[1].name, "bucket");
    ck_assert_int_eq(table_find(&r.table, "team"), -1);
    ck_assert_str_eq(table_cell(&r.table, 1, 0)->text, "b");
    ck_assert_str_eq(table_cell(&r.table, 2, 1)->text, "(system)");
    ck_assert(r.totals.piece_cost[PIECE_GPU] == fixture_number("3.00"));
    ck_assert(r.totals.piece_cost[PIECE_CPU] == fixture_number("1.10"));           /* 0.20 + 0.40 + 0.50 */
    ck_assert(r.totals.piece_cost[PIECE_MEMORY] == fixture_number("0.09"));
    ck_assert(r.totals.total_cost == fixture_number("4.19") && r.totals.billed == r.totals.total_cost);
    ck_assert(r.totals.gpu_hours == fixture_number("3"));
    ck_assert(r.measured[GRADE_A] == fixture_number("3.46") && r.measured[GRADE_C] == fixture_number("0.23"));
    report_free(&r);
}
END_TEST

START_TEST(keys_stand_where_they_are_asked_for)
{
    struct report r = {.mode = NULL};

    table_part_fill(&f.r.table, &parts.v.v[1], KEYS("namespace", "team"), 2, &r);
    ck_assert_str_eq(table_cell(&r.table, 0, 0)->text, "c");
    ck_assert_str_eq(table_cell(&r.table, 0, 1)->text, "vision");
    ck_assert_uint_eq(r.by.n, 2);
    report_free(&r);
}
END_TEST

START_TEST(no_part_is_a_table_without_rows_and_unbilled_hours_are_in_no_sum)
{
    struct report r = {.mode = NULL}, unbilled = {.mode = NULL};

    table_part_fill(&f.r.table, NULL, KEYS("namespace"), 1, &r);
    ck_assert_uint_eq(r.table.n_rows, 0);
    ck_assert_int_ge(table_find(&r.table, "total_cost"), 0);
    table_part_fill(&f.r.table, &parts.v.v[4], KEYS("namespace"), 1, &unbilled);
    ck_assert(unbilled.totals.gpu_hours == 0);
    report_free(&r);
    report_free(&unbilled);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("table_parts");
    TCase *t = tcase_create("parts");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, parts_stand_in_the_order_of_their_first_rows);
    tcase_add_test(t, a_part_has_its_rows_and_their_sums);
    tcase_add_test(t, keys_stand_where_they_are_asked_for);
    tcase_add_test(t, no_part_is_a_table_without_rows_and_unbilled_hours_are_in_no_sum);
    suite_add_tcase(s, t);
    return unit_run(s);
}
