#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "gputab/value/report.h"
#include "gputab/value/rule.h"

START_TEST(rows_keep_their_cells)
{
    struct table t = { 0 };
    char name[] = "team", text[] = "nlp";

    table_add_column(&t, name, COLUMN_KEY, 0);
    table_add_column(&t, "total_cost", COLUMN_MONEY, 2);
    memset(name, 'x', 4);                              /* the table has its own copies */
    for (int i = 0; i < 1000; i++)
        table_add_row(&t, (const struct cell[]){ { CELL_TEXT, text, 0 }, { CELL_MONEY, NULL, i * MONEY_ONE } });
    memset(text, 'x', 3);
    ck_assert_uint_eq(t.n_rows, 1000);
    ck_assert_str_eq(t.columns.v[0].name, "team");
    ck_assert_str_eq(table_cell(&t, 999, 0)->text, "nlp");
    ck_assert(table_cell(&t, 500, 1)->number == 500 * MONEY_ONE);
    table_free(&t);
    ck_assert_uint_eq(t.n_rows, 0);
}
END_TEST

/* Every kind of cell, and numbers that are whole units of their column, parts of one, small, negative, and as large as they get. */
START_TEST(cells_come_back_as_they_were)
{
    const money most = (money)(((weight)1 << 127) - 1);
    const money numbers[] = { 0, 1, -1, 10000000000, -10000000000, 5000000000, MONEY_ONE * 1000000000, most, -most, -most - 1,
                              most / 10000000000 * 10000000000 };
    struct table t = { 0 };
    const struct cell *row;

    table_add_column(&t, "team", COLUMN_KEY, 0);
    table_add_column(&t, "cost", COLUMN_MONEY, 2);
    table_add_column(&t, "hours", COLUMN_HOURS, 6);
    table_add_column(&t, "exact", COLUMN_MONEY, 12);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_add_row(&t, (const struct cell[]){ { CELL_NULL, NULL, 0 }, { CELL_MONEY, NULL, numbers[i] }, { CELL_HOURS, NULL, numbers[i] },
                                                 { CELL_MONEY, NULL, numbers[i] } });
    table_add_row(&t, (const struct cell[]){ { CELL_TEXT, "", 0 }, { CELL_NULL, NULL, 0 }, { CELL_NULL, NULL, 0 }, { CELL_NULL, NULL, 0 } });
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        row = table_row(&t, i);
        ck_assert_int_eq(row[0].type, CELL_NULL);
        ck_assert_int_eq(row[1].type, CELL_MONEY);
        ck_assert_int_eq(row[2].type, CELL_HOURS);
        ck_assert(row[1].number == numbers[i] && row[2].number == numbers[i] && row[3].number == numbers[i]);
    }
    row = table_row(&t, sizeof numbers / sizeof *numbers);
    ck_assert_int_eq(row[0].type, CELL_TEXT);
    ck_assert_str_eq(row[0].text, "");
    ck_assert_int_eq(row[3].type, CELL_NULL);
    table_free(&t);
}
END_TEST

/* 20,000 rows of 40 bytes and more are above what stays in memory. */
START_TEST(rows_are_read_in_any_order_and_between_additions)
{
    enum { ROWS = 20000 };
    struct table t = { 0 };
    struct err e = { 0 };
    char text[64];

    table_add_column(&t, "pod", COLUMN_KEY, 0);
    table_add_column(&t, "cost", COLUMN_MONEY, 2);
    for (int i = 0; i < ROWS; i++) {
        snprintf(text, sizeof text, "a-pod-with-a-rather-long-name-%d", i);
        table_add_row(&t, (const struct cell[]){ { CELL_TEXT, text, 0 }, { CELL_MONEY, NULL, i } });
        ck_assert(table_cell(&t, (size_t)i, 1)->number == i);
        ck_assert(table_cell(&t, (size_t)i / 2, 1)->number == i / 2);
    }
    for (int i = 0; i < ROWS; i++) {
        int at = (int)((int64_t)i * 7919 % ROWS);

        snprintf(text, sizeof text, "a-pod-with-a-rather-long-name-%d", at);
        ck_assert_str_eq(table_cell(&t, (size_t)at, 0)->text, text);
        ck_assert(table_cell(&t, (size_t)at, 1)->number == at);
    }
    for (int i = ROWS; i-- > 0;)
        ck_assert(table_cell(&t, (size_t)i, 1)->number == i);
    ck_assert_int_eq(table_check(&t, &e), 0);
    table_free(&t);
}
END_TEST

START_TEST(columns_are_found_by_name)
{
    struct table t = { 0 };

    ck_assert_int_eq(table_find(&t, "team"), -1);
    table_add_column(&t, "team", COLUMN_KEY, 0);
    table_add_column(&t, "grade.A", COLUMN_MONEY, 2);
    ck_assert_int_eq(table_find(&t, "grade.A"), 1);
    ck_assert_int_eq(table_find(&t, "grade"), -1);
    table_free(&t);
}
END_TEST

static void assert_named(const char *const *names, int n, const char *joined)
{
    struct buf b = { 0 };

    for (int i = 0; i < n; i++) {
        ck_assert_ptr_nonnull(names[i]);
        buf_addf(&b, "%s%s", i ? " " : "", names[i]);
    }
    ck_assert_str_eq(buf_str(&b), joined);
    buf_free(&b);
}

/* The words of reports, in their order. */
START_TEST(names_are_those_that_reports_promise)
{
    assert_named(purchase_names, PURCHASES, "on_demand spot reserved savings_plan capacity_block committed unknown");
    assert_named(bill_group_names, BILL_GROUPS, "other_resources attached tax credit refund fee unused_commitment excluded");
    assert_named(bucket_names, BUCKETS,
                 " (idle) (driver-reserved) (unattributed) (no-metrics) (unmapped) (system) (unbilled)");
    assert_named(sharing_names, SHARINGS, "exclusive time-slicing mps mig layer unknown");
    assert_named(reason_names, REASONS, " empty-card free-memory free-mig cpu memory starting stopping never-seen gap");
}
END_TEST

START_TEST(a_rule_without_keys_has_the_defaults_of_the_manual)
{
    struct rule r;
    money m;

    rule_defaults(&r);
    ck_assert_str_eq(r.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    ck_assert_str_eq(r.name, "default");
    ck_assert_int_eq(money_parse(span_of("0.031611"), &m, NULL), 0);
    ck_assert(r.split.vcpu_hour == m);
    ck_assert_int_eq(money_parse(span_of("0.004237"), &m, NULL), 0);
    ck_assert(r.split.gib_hour == m);
    ck_assert(r.split.share_cpu + r.split.share_memory + r.split.share_gpu == 100 * MONEY_ONE);
    ck_assert_int_eq(r.gpu.exclusive, RULE_HELD);
    ck_assert_int_eq(r.gpu.denominator, RULE_CAPACITY);
    ck_assert(r.gpu.min_coverage == 95 * MONEY_ONE);
    ck_assert_int_eq(r.gpu.max_gap_ms, 300000);
    ck_assert_int_eq(r.gpu.interval_ms, 0);
    ck_assert_int_eq(r.gpu.startup_ms, 600000);
    ck_assert_int_eq(r.basis, RULE_BASIS_MAX);
    ck_assert(!r.has_owners && !r.attached_include);
    rule_free(&r);
}
END_TEST

START_TEST(reports_and_bills_are_released)
{
    struct report r = { 0 };
    struct bill b = { 0 };
    struct usage u = { 0 };

    vec_push(&r.by, "team");
    vec_push(&r.metrics, (struct report_source){ .name = "file" });
    table_add_column(&r.table, "team", COLUMN_KEY, 0);
    vec_push(&b.files, (struct bill_file){ .name = xstrdup("bill.csv") });
    charge_list_add(&b.charges, &(struct charge){ .cost = 1 });
    vec_push(&u.gpu, (struct gpu_fact){ .gpu = 1 });
    usage_clear(&u);
    ck_assert_uint_eq(u.gpu.n, 0);
    ck_assert_ptr_nonnull(u.gpu.v);
    usage_free(&u);
    bill_free(&b);
    report_free(&r);                                   /* a leak checker watches */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("table");
    TCase *t = tcase_create("table");

    tcase_add_test(t, rows_keep_their_cells);
    tcase_add_test(t, cells_come_back_as_they_were);
    tcase_add_test(t, rows_are_read_in_any_order_and_between_additions);
    tcase_add_test(t, columns_are_found_by_name);
    tcase_add_test(t, names_are_those_that_reports_promise);
    tcase_add_test(t, a_rule_without_keys_has_the_defaults_of_the_manual);
    tcase_add_test(t, reports_and_bills_are_released);
    suite_add_tcase(s, t);
    return unit_run(s);
}
