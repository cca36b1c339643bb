/* origin_rows_test: entries by hand, and what each charge of the bill is divided into. A row is told by the reason of its bucket. */
#include "core_fixture.h"

#include "gputab/core/origin_rows.h"

static struct world w;
static struct charge_book book;
static struct origin_rows *rows;
static struct table table;

static void setup(void)
{
    world_init(&w);
    memset(&book, 0, sizeof book);
    table = (struct table){.n_rows = 0};
    rows = origin_rows_new(&w.inv, &w.owners);
}

static void teardown(void)
{
    origin_rows_free(rows);
    table_free(&table);
    charge_book_free(&book);
    world_free(&w);
}

static void charge(size_t at)
{
    struct allocate_sink s = origin_rows_sink(rows);

    s.charge(s.to, &(struct allocate_charge){.book = &book, .at = at});
}

static void entry(enum piece piece, enum reason reason, const char *cost, const char *hours)
{
    struct allocate_sink s = origin_rows_sink(rows);

    s.entry(s.to, &(struct entry){.bucket = BUCKET_IDLE, .pod_version = NONE, .piece = piece, .reason = reason, .cost = world_money(cost),
                                  .gpu_hours = world_money(hours)});
}

static void end(void)
{
    origin_rows_end(rows, &table);
}

static void text_is(size_t row, enum origin_column c, const char *text)
{
    const struct cell *cell = table_cell(&table, row, c);

    if (text)
        ck_assert_str_eq(cell->text, text);
    else
        ck_assert_int_eq(cell->type, CELL_NULL);
}

static void is(size_t row, enum origin_column c, const char *number)
{
    world_is(table_cell(&table, row, c)->number, number, 0);
}

static money sum(enum origin_column c, const char *correction)
{
    money m = 0;

    for (size_t row = 0; row < table.n_rows; row++) {
        const struct cell *cells = table_row(&table, row);
        bool is_correction = cells[ORIGIN_CORRECTION].type == CELL_TEXT;

        if (is_correction == (correction != NULL))
            m += cells[c].number;
    }
    return m;
}

static money shares(const char *correction)
{
    return sum(ORIGIN_GPU_SHARE, correction) + sum(ORIGIN_CPU_SHARE, correction) + sum(ORIGIN_MEMORY_SHARE, correction);
}

/* 3.00 in thirds: 1.00 for one, 2.00 for the other, of which 0.50 for CPU. */
START_TEST(entries_of_one_thing_are_a_row)
{
    world_charge(&w, "i-1", 0, HOUR_S, "3")->invoiced = world_money("6");
    charge_book_build(&book, &w.bill, &w.inv);
    charge(0);
    entry(PIECE_GPU, REASON_EMPTY_CARD, "0.75", "0.25");
    entry(PIECE_GPU, REASON_FREE_MEMORY, "1.50", "0.50");
    entry(PIECE_GPU, REASON_EMPTY_CARD, "0.25", "0.25");
    entry(PIECE_CPU, REASON_FREE_MEMORY, "0.50", "0");
    end();
    ck_assert_uint_eq(table.n_rows, 2);
    text_is(0, ORIGIN_RESOURCE, "i-1");
    text_is(0, ORIGIN_BUCKET, "(idle)");
    text_is(0, ORIGIN_REASON, "empty-card");
    text_is(0, ORIGIN_CORRECTION, NULL);
    text_is(0, ORIGIN_POD, NULL);
    is(0, ORIGIN_COST, "1");
    is(0, ORIGIN_INVOICED, "2");
    is(0, ORIGIN_GPU_HOURS, "0.5");
    is(0, ORIGIN_GPU_SHARE, "0.333333333333");
    is(1, ORIGIN_COST, "2");
    is(1, ORIGIN_GPU_SHARE, "0.5");
    is(1, ORIGIN_CPU_SHARE, "0.166666666667");
    ck_assert(shares(NULL) == MONEY_ONE);
}
END_TEST

/* -0.40 over 20 and 60 minutes: -0.10 and -0.30; what was divided of the first hour is 0.90, of it a third for one. */
START_TEST(a_correction_has_rows_of_its_own_in_the_charges_that_it_went_to)
{
    world_charge(&w, "i-1", 0, HOUR_S, "1")->billed_ns /= 3;
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "1");
    world_correction(&w, "i-1", 0, 2 * HOUR_S, "-0.40");
    charge_book_build(&book, &w.bill, &w.inv);
    charge(0);
    entry(PIECE_GPU, REASON_EMPTY_CARD, "0.30", "0.1");
    entry(PIECE_GPU, REASON_FREE_MEMORY, "0.60", "0.2");
    charge(1);
    entry(PIECE_GPU, REASON_EMPTY_CARD, "0.70", "1");
    end();
    ck_assert_uint_eq(table.n_rows, 6);
    ck_assert(sum(ORIGIN_COST, NULL) == world_money("2") && sum(ORIGIN_INVOICED, NULL) == world_money("2"));
    ck_assert(sum(ORIGIN_COST, "Correction") == world_money("-0.40") && sum(ORIGIN_INVOICED, "Correction") == world_money("-0.40"));
    ck_assert(shares(NULL) == 2 * MONEY_ONE);
    ck_assert(shares("Correction") == MONEY_ONE);
    ck_assert(sum(ORIGIN_GPU_HOURS, "Correction") == 0 && sum(ORIGIN_GPU_HOURS, NULL) == world_money("1.3"));
    text_is(0, ORIGIN_CORRECTION, "Correction");
    is(0, ORIGIN_COST, "-0.033333333333");
    is(1, ORIGIN_COST, "-0.066666666667");
    is(1, ORIGIN_GPU_SHARE, "0.166666666667");               /* a quarter of two thirds */
}
END_TEST

START_TEST(amounts_of_both_signs_still_sum)
{
    world_charge(&w, "i-1", 0, HOUR_S, "0.07")->invoiced = world_money("-1");
    charge_book_build(&book, &w.bill, &w.inv);
    charge(0);
    entry(PIECE_GPU, REASON_EMPTY_CARD, "10", "1");
    entry(PIECE_CPU, REASON_CPU, "-9.99", "0");
    entry(PIECE_MEMORY, REASON_MEMORY, "0.06", "0");
    end();
    is(1, ORIGIN_COST, "-9.99");
    ck_assert(sum(ORIGIN_COST, NULL) == world_money("0.07"));
    ck_assert(sum(ORIGIN_INVOICED, NULL) == -MONEY_ONE);
    ck_assert(shares(NULL) == MONEY_ONE);
}
END_TEST

START_TEST(a_charge_of_nothing_is_divided_by_hours)
{
    world_charge(&w, "i-1", 0, HOUR_S, "0")->invoiced = world_money("4");
    world_charge(&w, "i-2", 0, HOUR_S, "0");
    charge_book_build(&book, &w.bill, &w.inv);
    charge(0);
    entry(PIECE_GPU, REASON_EMPTY_CARD, "0", "0.25");
    entry(PIECE_GPU, REASON_FREE_MEMORY, "0", "0.75");
    charge(1);
    entry(PIECE_CPU, REASON_CPU, "0", "0");
    end();
    is(0, ORIGIN_INVOICED, "1");
    is(1, ORIGIN_INVOICED, "3");
    is(1, ORIGIN_GPU_SHARE, "0.75");
    is(2, ORIGIN_GPU_SHARE, "1");
    is(2, ORIGIN_COST, "0");
}
END_TEST

START_TEST(hours_that_nobody_billed_are_no_charge)
{
    struct allocate_sink s = origin_rows_sink(rows);

    world_charge(&w, "i-1", 0, HOUR_S, "1");
    charge_book_build(&book, &w.bill, &w.inv);
    entry(PIECE_GPU, REASON_EMPTY_CARD, "0", "1");           /* before any charge */
    charge(0);
    entry(PIECE_GPU, REASON_EMPTY_CARD, "1", "1");
    s.day_done(s.to);
    s.entry(s.to, &(struct entry){.bucket = BUCKET_UNBILLED, .pod_version = NONE, .gpu_hours = MONEY_ONE});
    s.day_done(s.to);
    end();
    ck_assert_uint_eq(table.n_rows, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("origin_rows");
    TCase *t = tcase_create("origins");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, entries_of_one_thing_are_a_row);
    tcase_add_test(t, a_correction_has_rows_of_its_own_in_the_charges_that_it_went_to);
    tcase_add_test(t, amounts_of_both_signs_still_sum);
    tcase_add_test(t, a_charge_of_nothing_is_divided_by_hours);
    tcase_add_test(t, hours_that_nobody_billed_are_no_charge);
    suite_add_tcase(s, t);
    return unit_run(s);
}
