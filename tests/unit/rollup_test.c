/* rollup: exact sums in rows, one rounding for the whole table, and what the data allow. */
#include "core_fixture.h"
#include "gputab/core/rollup.h"

static struct world w;
static struct key_list by;
static struct key_filter filters[4];
static size_t n_filters;
static struct rollup *r;
static struct report report;
static uint32_t pods[4];                               /* of namespaces a, b, c, d */

static void setup(void)
{
    static const char *const names[] = {"a", "b", "c", "d"};

    world_init(&w);
    memset(&report, 0, sizeof report);
    n_filters = 0;
    r = NULL;
    for (int i = 0; i < 4; i++)
        pods[i] = world_pod(&w, names[i], "p", "");
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
}

static void teardown(void)
{
    rollup_free(r);
    report_free(&report);
    world_free(&w);
}

static void start(const char *keys)
{
    struct rollup_config cfg = {&w.inv, &w.owners, &by, filters, n_filters, &w.rule, NULL, BUCKET_NONE};

    ck_assert_int_eq(key_list_parse(span_of(keys), &by, &w.err), 0);
    cfg.n_filters = n_filters;
    r = rollup_new(&cfg);
}

static void where(const char *text)
{
    ck_assert_int_eq(key_filter_parse(text, &filters[n_filters++], &w.err), 0);
}

static struct entry entry(uint32_t pod, enum piece piece, const char *cost)
{
    return (struct entry){.pod_version = pod == NONE ? NONE : owners_version(&w.owners, pod, AT(0)), .piece = piece,
                          .cost = world_money(cost), .sharing = SHARINGS, .purchase = PURCHASES, .day = AT(0)};
}

static void send(struct entry e)
{
    struct allocate_sink s = rollup_sink(r);

    s.entry(s.to, &e);
}

static void pod_pays(int pod, enum piece piece, const char *cost)
{
    send(entry(pods[pod], piece, cost));
}

static void bucket_has(enum bucket bucket, enum piece piece, const char *cost)
{
    struct entry e = entry(NONE, piece, cost);

    e.bucket = bucket;
    send(e);
}

static void pot(uint32_t number, int pod, const char *cost)
{
    struct entry e = entry(pods[pod], PIECE_GPU, cost);

    e.pot = number;
    e.grade = GRADE_C;
    send(e);
}

static void finish(int digits)
{
    ck_assert_int_eq(rollup_table(r, digits, true, NULL, &report, &w.err), 0);
}

static const struct cell *cell(size_t row, const char *column)
{
    int c = table_find(&report.table, column);

    ck_assert_msg(c >= 0, "no column %s", column);
    ck_assert_uint_lt(row, report.table.n_rows);
    return table_cell(&report.table, row, (size_t)c);
}

static void number_is(size_t row, const char *column, const char *expected)
{
    struct buf b = {0};

    money_add_text(&b, cell(row, column)->number, MONEY_DECIMALS);
    ck_assert_msg(cell(row, column)->number == world_money(expected), "row %zu %s: %s, not %s", row, column, buf_str(&b), expected);
    buf_free(&b);
}

static void text_is(size_t row, const char *column, const char *expected)
{
    const struct cell *c = cell(row, column);

    if (!expected)
        ck_assert_int_eq(c->type, CELL_NULL);
    else
        ck_assert_str_eq(c->text, expected);
}

/* ---- rounding ---- */

START_TEST(a_missing_cent_goes_to_the_largest_remainder)
{
    start("team");
    pod_pays(0, PIECE_GPU, "3.44");
    pod_pays(1, PIECE_GPU, "2.293333333333");
    pod_pays(2, PIECE_GPU, "1.146666666667");
    finish(2);
    number_is(0, "gpu_cost", "3.44");
    number_is(1, "gpu_cost", "2.29");
    number_is(2, "gpu_cost", "1.15");
    ck_assert(report.totals.total_cost == world_money("6.88"));
}
END_TEST

START_TEST(of_equal_remainders_the_first_row_gets_the_cent)
{
    start("team");
    pod_pays(0, PIECE_GPU, "0.033333333334");
    pod_pays(1, PIECE_GPU, "0.033333333333");
    pod_pays(2, PIECE_GPU, "-0.466666666667");         /* 0.04 / 0.03 / -0.47 */
    finish(2);
    number_is(0, "total_cost", "0.04");
    number_is(1, "total_cost", "0.03");
    number_is(2, "total_cost", "-0.47");
    ck_assert(report.totals.total_cost == world_money("-0.40"));
}
END_TEST

START_TEST(all_cells_of_a_table_are_rounded_together)
{
    start("team");
    for (int p = 0; p < PIECES; p++)
        for (int i = 0; i < 3; i++)
            pod_pays(i, (enum piece)p, "0.005");       /* nine halves of a cent: 0.045, so 0.05 in all */
    finish(2);
    number_is(0, "gpu_cost", "0.01");
    number_is(0, "cpu_cost", "0.01");
    number_is(0, "memory_cost", "0.01");
    number_is(0, "total_cost", "0.03");
    number_is(1, "gpu_cost", "0.01");
    number_is(1, "cpu_cost", "0.01");
    number_is(1, "memory_cost", "0");
    number_is(2, "total_cost", "0");
    ck_assert(report.totals.piece_cost[PIECE_GPU] == world_money("0.02"));
    ck_assert(report.totals.piece_cost[PIECE_MEMORY] == world_money("0.01"));
    ck_assert(report.totals.total_cost == world_money("0.05"));
}
END_TEST

START_TEST(a_currency_without_minor_units_has_none)
{
    start("team");
    pod_pays(0, PIECE_GPU, "1000.5");
    pod_pays(1, PIECE_GPU, "1000.25");
    finish(0);
    number_is(0, "gpu_cost", "1001");
    number_is(1, "gpu_cost", "1000");
}
END_TEST

START_TEST(the_exact_total_stays_exact)
{
    start("team");
    pod_pays(0, PIECE_GPU, "1.000000000001");
    pod_pays(0, PIECE_CPU, "0.000000000001");
    ck_assert(rollup_exact_total(r) == world_money("1.000000000002"));
    finish(2);
    number_is(0, "total_exact", "1.000000000002");
}
END_TEST

/* ---- rows and their order ---- */

START_TEST(buckets_come_last_in_the_order_of_their_keys)
{
    start("team");
    bucket_has(BUCKET_UNATTRIBUTED, PIECE_GPU, "1");
    bucket_has(BUCKET_IDLE, PIECE_GPU, "1");
    pod_pays(3, PIECE_GPU, "1");
    pod_pays(0, PIECE_GPU, "1");
    finish(2);
    text_is(0, "team", "a");
    text_is(0, "bucket", NULL);
    text_is(1, "team", "d");
    text_is(2, "team", "(idle)");
    text_is(2, "bucket", "(idle)");
    text_is(3, "team", "(unattributed)");
}
END_TEST

START_TEST(a_key_that_does_not_apply_sorts_behind_those_that_do)
{
    struct entry known, unknown;

    start("gpu_model,team");
    known = unknown = entry(pods[0], PIECE_GPU, "1");
    known.gpu_model = world_text(&w, "Z");
    send(unknown);
    send(known);
    finish(2);
    text_is(0, "gpu_model", "Z");
    text_is(1, "gpu_model", NULL);
}
END_TEST

START_TEST(buckets_of_equal_keys_are_told_apart)
{
    start("gpu_model");
    bucket_has(BUCKET_NO_METRICS, PIECE_GPU, "1");
    bucket_has(BUCKET_IDLE, PIECE_GPU, "2");
    finish(2);
    ck_assert_uint_eq(report.table.n_rows, 2);
    text_is(0, "bucket", "(idle)");
    text_is(1, "bucket", "(no-metrics)");
}
END_TEST

static struct entry on_card(uint32_t pod, const char *gpu, const char *cost)
{
    struct entry e = entry(pod, PIECE_GPU, cost);

    e.gpu = world_text(&w, gpu);
    e.bucket = pod == NONE ? BUCKET_IDLE : BUCKET_NONE;
    return e;
}

/* Entries of a pod, and of a bucket, from one card to the other and back, before and after the end of a day. */
START_TEST(entries_in_turns_go_to_the_rows_of_their_keys)
{
    static const struct { int pod; const char *gpu, *cost; } turns[] = {
        {0, "x", "1"}, {-1, "x", "100"}, {0, "y", "2"}, {1, "x", "10"}, {0, "x", "3"}, {-1, "y", "200"}, {-1, "x", "300"}, {0, "y", "4"},
    };
    static const struct { const char *gpu, *pod, *cost; } rows[] = {
        {"x", "a/p", "8"}, {"x", "b/p", "20"}, {"y", "a/p", "12"}, {"x", NULL, "800"}, {"y", NULL, "400"},
    };
    struct allocate_sink s;

    start("gpu,pod");
    s = rollup_sink(r);
    for (int day = 0; day < 2; day++) {
        for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
            send(on_card(turns[i].pod < 0 ? NONE : pods[turns[i].pod], turns[i].gpu, turns[i].cost));
        s.day_done(s.to);
    }
    finish(2);
    ck_assert_uint_eq(report.table.n_rows, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text_is(i, "gpu", rows[i].gpu);
        text_is(i, "pod", rows[i].pod);
        number_is(i, "gpu_cost", rows[i].cost);
    }
}
END_TEST

START_TEST(nothing_gives_a_table_without_rows)
{
    start("team");
    finish(2);
    ck_assert_uint_eq(report.table.n_rows, 0);
    ck_assert(report.totals.total_cost == 0);
}
END_TEST

/* Where the report's pods carry their namespace, a part that has it as a key is filtered by the same text. */
START_TEST(a_part_is_filtered_by_what_the_report_shows)
{
    struct key_list asked = {0};
    struct rollup_config cfg = {&w.inv, &w.owners, &by, filters, 1, &w.rule, NULL, BUCKET_NONE, &asked};

    where("pod=b/*");
    ck_assert_int_eq(key_list_parse(span_of("team,pod"), &asked, &w.err), 0);
    ck_assert_int_eq(key_list_parse(span_of("namespace,pod"), &by, &w.err), 0);
    r = rollup_new(&cfg);
    pod_pays(0, PIECE_GPU, "1");
    pod_pays(1, PIECE_GPU, "2");
    finish(2);
    ck_assert_uint_eq(report.table.n_rows, 1);
    ck_assert_str_eq(table_cell(&report.table, 0, 1)->text, "p");
    ck_assert(report.totals.total_cost == 2 * MONEY_ONE);
}
END_TEST

/* ---- one bucket ---- */

static void start_only(const char *keys, enum bucket only)
{
    struct rollup_config cfg = {&w.inv, &w.owners, &by, filters, 0, &w.rule, NULL, only};

    ck_assert_int_eq(key_list_parse(span_of(keys), &by, &w.err), 0);
    r = rollup_new(&cfg);
}

/* Pods without owner are ordinary rows by namespace; everything else is allocated, rounded and hidden. */
START_TEST(only_what_lies_in_a_bucket_is_shown)
{
    static const char *const a[] = {"a", NULL};
    static const struct rule_matcher in_a = {RULE_MATCH_NAMESPACE, NULL, a};

    w.rule.has_owners = true;
    vec_push(&w.rule.owners, (struct rule_owner){.matchers = &in_a, .n_matchers = 1, .team = "x",
                                                 .from = TIME_MIN, .until = TIME_MAX, .line = 1});
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    start_only("namespace", BUCKET_UNMAPPED);
    pod_pays(0, PIECE_GPU, "1");
    pod_pays(1, PIECE_GPU, "2");
    pod_pays(2, PIECE_CPU, "3");
    send((struct entry){.pod_version = NONE, .bucket = BUCKET_IDLE, .cost = MONEY_ONE});
    ck_assert_int_eq(rollup_table(r, 2, false, NULL, &report, &w.err), 0);
    ck_assert(report.filtered);
    ck_assert_uint_eq(report.table.n_rows, 2);
    ck_assert_str_eq(table_cell(&report.table, 0, 0)->text, "b");
    ck_assert_int_eq(table_cell(&report.table, 0, 1)->type, CELL_NULL);
    ck_assert(report.totals.total_cost == 5 * MONEY_ONE);
}
END_TEST

/* ---- filters ---- */

START_TEST(under_a_filter_cells_are_rounded_over_everything)
{
    where("team=b");
    start("team");
    pod_pays(0, PIECE_GPU, "0.004");
    pod_pays(1, PIECE_GPU, "0.004");                   /* alone it would be 0.00; 0.008 is one cent, and the first row's */
    finish(2);
    ck_assert(report.filtered);
    ck_assert_uint_eq(report.table.n_rows, 1);
    text_is(0, "team", "b");
    number_is(0, "gpu_cost", "0");
    ck_assert(report.totals.total_cost == 0);
}
END_TEST

START_TEST(filters_of_one_key_are_alternatives_and_those_of_several_all_count)
{
    struct entry e;

    where("team=a");
    where("team=b*");
    where("region=eu-*");
    start("team");
    for (int i = 0; i < 3; i++) {
        e = entry(pods[i], PIECE_GPU, "1");
        e.region = world_text(&w, i == 1 ? "us-1" : "eu-1");
        send(e);
    }
    finish(2);
    ck_assert_uint_eq(report.table.n_rows, 1);         /* b is elsewhere, c is no team asked for */
    text_is(0, "team", "a");
    ck_assert(report.totals.total_cost == world_money("1"));
}
END_TEST

START_TEST(a_filter_may_tell_entries_of_one_row_apart)
{
    struct entry e;

    where("gpu_model=H100");
    start("team");
    e = entry(pods[0], PIECE_GPU, "1");
    send(e);
    e.gpu_model = world_text(&w, "H100");
    e.cost = world_money("2");
    send(e);
    finish(2);
    ck_assert_uint_eq(report.table.n_rows, 1);
    number_is(0, "total_cost", "2");
}
END_TEST

/* ---- what the data allow ---- */

START_TEST(a_row_may_have_all_of_a_pot_or_nothing_of_it)
{
    start("team");
    pot(1, 0, "1.72");
    pot(1, 1, "1.72");
    pot(2, 0, "2.58");                                 /* both candidates are of one team */
    pot(2, 0, "2.58");
    pod_pays(2, PIECE_GPU, "6.88");
    finish(2);
    number_is(0, "total_cost", "6.88");
    number_is(0, "min_cost", "5.16");
    number_is(0, "max_cost", "8.60");
    number_is(1, "min_cost", "0");
    number_is(1, "max_cost", "3.44");
    number_is(2, "min_cost", "6.88");
    number_is(2, "max_cost", "6.88");
}
END_TEST

START_TEST(a_negative_pot_turns_least_and_most_around)
{
    start("team");
    pot(1, 0, "-1");
    pot(1, 1, "-3");
    finish(2);
    number_is(0, "min_cost", "-4");
    number_is(0, "max_cost", "0");
    number_is(1, "min_cost", "-4");
    number_is(1, "max_cost", "0");
}
END_TEST

START_TEST(pots_one_behind_the_other_are_not_one_pot)
{
    start("team");
    pot(1, 0, "1");
    pot(2, 1, "1");
    finish(2);
    number_is(0, "min_cost", "1");
    number_is(0, "max_cost", "1");
    number_is(1, "min_cost", "1");
}
END_TEST

/* ---- other columns ---- */

START_TEST(grades_of_a_row_sum_to_its_total)
{
    struct entry e;

    start("team");
    for (int g = 0; g < 3; g++) {                      /* three thirds: 0.02 in the row, 0.01 each would be 0.03 */
        e = entry(pods[0], PIECE_GPU, "0.005");
        e.grade = (enum grade)g;
        send(e);
    }
    finish(2);
    number_is(0, "total_cost", "0.02");
    ck_assert(cell(0, "grade.A")->number + cell(0, "grade.B")->number + cell(0, "grade.C")->number + cell(0, "grade.D")->number
              == world_money("0.02"));
}
END_TEST

START_TEST(unbilled_hours_are_shown_and_not_in_the_total)
{
    struct entry e;

    start("team");
    e = entry(pods[0], PIECE_GPU, "1");
    e.gpu_hours = world_money("2.5");
    send(e);
    e = entry(NONE, PIECE_GPU, "0");
    e.bucket = BUCKET_UNBILLED;
    e.gpu_hours = world_money("7");
    send(e);
    finish(2);
    number_is(0, "gpu_hours", "2.5");
    number_is(1, "gpu_hours", "7");
    ck_assert(report.totals.gpu_hours == world_money("2.5"));
}
END_TEST

START_TEST(hours_in_the_column_sum_to_the_billed_hours)
{
    struct entry e;

    start("team");
    for (int i = 0; i < 3; i++) {
        e = entry(pods[i], PIECE_GPU, "1");
        e.gpu_hours = world_money("0.333333333333") + (i == 0);
        send(e);
    }
    finish(2);
    number_is(0, "gpu_hours", "0.333334");
    number_is(1, "gpu_hours", "0.333333");
    ck_assert(report.totals.gpu_hours == world_money("1"));
}
END_TEST

START_TEST(memory_is_counted_in_gib_hours)
{
    struct entry e;

    start("team");
    e = entry(pods[0], PIECE_GPU, "1");
    e.memory_ms = ((weight)(20 * GIB) << USAGE_MEMORY_BITS) * (weight)(TIME_HOUR / 2);
    send(e);
    finish(2);
    number_is(0, "vram_gib_hours", "10");
}
END_TEST

START_TEST(resident_hours_are_a_union_over_devices_and_pods_day_by_day)
{
    struct allocate_sink s;
    const struct timespan first[] = {{AT(0), AT(1800)}, {AT(3600), AT(5400)}}, overlap[] = {{AT(900), AT(2700)}};
    struct entry e;

    start("team");
    s = rollup_sink(r);
    e = entry(pods[0], PIECE_GPU, "0");
    s.presence(s.to, &e, first, 2);
    s.presence(s.to, &e, overlap, 1);
    s.day_done(s.to);
    s.presence(s.to, &e, &(struct timespan){AT(DAY_S), AT(DAY_S + 900)}, 1);
    s.day_done(s.to);
    finish(2);
    number_is(0, "resident_hours", "1.5");             /* 45 + 30 minutes, and 15 the day after */
}
END_TEST

/* Of two rows by turns, the later spans first: 0:00 to 1:00 and 2:00 to 3:00; and 0:30 to 2:30 of pieces that meet, overlap and repeat. */
START_TEST(resident_hours_need_no_order)
{
    const struct timespan of_a[] = {{AT(7200), AT(10800)}, {AT(1800), AT(3600)}, {AT(0), AT(2700)}};
    const struct timespan of_b[] = {{AT(5400), AT(9000)}, {AT(5400), AT(9000)}, {AT(1800), AT(5400)}};
    struct allocate_sink s;

    start("team");
    s = rollup_sink(r);
    for (int i = 0; i < 3; i++) {
        struct entry b = entry(pods[1], PIECE_GPU, "0"), a = entry(pods[0], PIECE_GPU, "0");

        s.presence(s.to, &b, &of_b[i], 1);
        s.presence(s.to, &a, &of_a[i], 1);
    }
    pod_pays(2, PIECE_GPU, "1");                       /* a row without presence */
    s.day_done(s.to);
    finish(2);
    number_is(0, "resident_hours", "2");
    number_is(1, "resident_hours", "2");
    number_is(2, "resident_hours", "0");
}
END_TEST

/* 0:00 to 1:00 goes on to 2:00 from another card; after a gap 3:00 to 4:00, and last what begins before that: 0:30 to 3:15. */
START_TEST(resident_hours_go_on_from_span_to_span)
{
    const struct timespan spans[] = {{AT(0), AT(3600)}, {AT(1800), AT(7200)}, {AT(10800), AT(14400)}};
    const struct timespan across = {AT(1800), AT(11700)};
    struct allocate_sink s;
    struct entry e;

    start("team");
    s = rollup_sink(r);
    e = entry(pods[0], PIECE_GPU, "0");
    s.presence(s.to, &e, spans, 3);
    s.day_done(s.to);
    s.presence(s.to, &e, spans, 3);
    s.presence(s.to, &e, &across, 1);
    s.day_done(s.to);
    finish(2);
    number_is(0, "resident_hours", "7");               /* 2 + 1 hours on the first day, 0:00 to 4:00 on the second */
}
END_TEST

/* The rows of one pod: 1 + 8 + 64, 2 + 32 and 4 + 16; the day after, another first one. */
START_TEST(a_pod_whose_keys_change_comes_back_to_its_rows)
{
    static const enum grade turns[] = {GRADE_A, GRADE_B, GRADE_C, GRADE_A, GRADE_C, GRADE_B, GRADE_A};
    static const char *const costs[] = {"1", "2", "4", "8", "16", "32", "64"};
    struct entry e;

    start("grade");
    for (size_t i = 0; i < 7; i++) {
        e = entry(pods[0], PIECE_GPU, costs[i]);
        e.grade = turns[i];
        send(e);
    }
    rollup_sink(r).day_done(r);
    e = entry(pods[0], PIECE_GPU, "100");
    e.grade = GRADE_C;
    send(e);
    finish(2);
    number_is(0, "gpu_cost", "73");
    number_is(1, "gpu_cost", "34");
    number_is(2, "gpu_cost", "120");
}
END_TEST

START_TEST(requested_hours_are_gpus_times_time)
{
    struct allocate_sink s;
    struct entry e;

    start("team");
    s = rollup_sink(r);
    e = entry(pods[0], PIECE_CPU, "0");
    s.requested(s.to, &e, (weight)2000000 * (weight)(TIME_HOUR / 2));
    bucket_has(BUCKET_IDLE, PIECE_GPU, "1");
    finish(2);
    number_is(0, "requested_gpu_hours", "1");
    ck_assert_int_eq(cell(1, "requested_gpu_hours")->type, CELL_NULL);
    ck_assert_int_eq(cell(1, "resident_hours")->type, CELL_NULL);
}
END_TEST

START_TEST(requested_hours_are_unknown_under_a_filter_that_needs_a_device)
{
    struct entry e;

    where("sharing=mig");
    start("team");
    e = entry(pods[0], PIECE_GPU, "1");
    e.sharing = SHARING_MIG;
    send(e);
    finish(2);
    ck_assert_int_eq(cell(0, "requested_gpu_hours")->type, CELL_NULL);
}
END_TEST

START_TEST(a_holders_unheld_cost_is_what_its_memory_leaves)
{
    struct entry e;

    start("team");
    e = entry(pods[0], PIECE_GPU, "6.88");
    e.used_cost = world_money("2.612658227848");
    send(e);
    bucket_has(BUCKET_IDLE, PIECE_GPU, "1");
    finish(2);
    number_is(0, "used_cost", "2.61");
    number_is(0, "unheld_cost", "4.27");
    number_is(1, "unheld_cost", "0");
}
END_TEST

START_TEST(a_shared_resident_has_nothing_unheld_whichever_way_its_cell_was_rounded)
{
    struct entry e;

    start("team");
    e = entry(pods[0], PIECE_GPU, "0.334");        /* the spare cent of 1.00 goes to the first of equal remainders */
    e.used_cost = e.cost;
    send(e);
    e = entry(pods[1], PIECE_GPU, "0.333");
    e.used_cost = e.cost;
    send(e);
    e = entry(pods[2], PIECE_GPU, "0.333");
    e.used_cost = e.cost;
    send(e);
    finish(2);
    number_is(0, "gpu_cost", "0.34");
    number_is(0, "used_cost", "0.34");
    number_is(0, "unheld_cost", "0");
}
END_TEST

START_TEST(measured_is_the_cost_of_pods_by_grade)
{
    start("team");
    pod_pays(0, PIECE_GPU, "1");
    pot(1, 1, "2");
    bucket_has(BUCKET_IDLE, PIECE_GPU, "5");
    finish(2);
    ck_assert(report.measured[GRADE_A] == world_money("1"));
    ck_assert(report.measured[GRADE_C] == world_money("2"));
    ck_assert(report.measured[GRADE_D] == 0);
}
END_TEST

START_TEST(measured_leaves_buckets_out_where_rows_mix_them_with_pods)
{
    struct entry e;

    start("node");                                     /* pods have no key here, and buckets are rows of their own */
    e = entry(pods[0], PIECE_GPU, "1");
    e.node = world_text(&w, "n1");
    send(e);
    e = entry(NONE, PIECE_GPU, "5");
    e.bucket = BUCKET_IDLE;
    e.node = world_text(&w, "n1");
    send(e);
    finish(2);
    ck_assert(report.measured[GRADE_A] == world_money("1"));
}
END_TEST

/* ---- under a coarser table ---- */

static void thirds(void)
{
    for (int i = 0; i < 3; i++)
        pod_pays(0, i < 2 ? PIECE_CPU : PIECE_GPU, "0.335");
    for (int day = 0; day < 3; day++) {
        struct entry e = entry(pods[1], PIECE_GPU, "0.335");

        e.day = AT(day * DAY_S);
        send(e);
    }
    bucket_has(BUCKET_IDLE, PIECE_GPU, "0.995");
}

/* Amounts of half a cent, of a team in one row and of another in three: for itself each table would give the odd cents to other rows. */
START_TEST(parts_add_up_to_the_rows_of_a_coarser_table)
{
    struct report coarse, fine = {0};
    money sum[2] = {0};

    start("team");
    thirds();
    finish(2);
    coarse = report;
    rollup_free(r);
    start("day,team");
    thirds();
    ck_assert_int_eq(rollup_table(r, 2, true, &coarse, &fine, &w.err), 0);
    ck_assert(fine.totals.total_cost == coarse.totals.total_cost);
    report = fine;
    for (size_t row = 0; row < fine.table.n_rows; row++)
        if (cell(row, "bucket")->type == CELL_NULL)
            sum[strcmp(cell(row, "team")->text, "b") == 0] += cell(row, "total_cost")->number;
    report = coarse;
    ck_assert(sum[0] == cell(0, "total_cost")->number);
    ck_assert(sum[1] == cell(1, "total_cost")->number);
    report_free(&fine);
}
END_TEST

#define ADD(name) tcase_add_test(t, name)

int main(void)
{
    Suite *s = suite_create("rollup");
    TCase *t = tcase_create("rollup");

    tcase_add_checked_fixture(t, setup, teardown);
    ADD(a_missing_cent_goes_to_the_largest_remainder);
    ADD(of_equal_remainders_the_first_row_gets_the_cent);
    ADD(all_cells_of_a_table_are_rounded_together);
    ADD(a_currency_without_minor_units_has_none);
    ADD(the_exact_total_stays_exact);
    ADD(buckets_come_last_in_the_order_of_their_keys);
    ADD(a_key_that_does_not_apply_sorts_behind_those_that_do);
    ADD(buckets_of_equal_keys_are_told_apart);
    ADD(entries_in_turns_go_to_the_rows_of_their_keys);
    ADD(nothing_gives_a_table_without_rows);
    ADD(a_part_is_filtered_by_what_the_report_shows);
    ADD(only_what_lies_in_a_bucket_is_shown);
    ADD(under_a_filter_cells_are_rounded_over_everything);
    ADD(filters_of_one_key_are_alternatives_and_those_of_several_all_count);
    ADD(a_filter_may_tell_entries_of_one_row_apart);
    ADD(a_row_may_have_all_of_a_pot_or_nothing_of_it);
    ADD(a_negative_pot_turns_least_and_most_around);
    ADD(pots_one_behind_the_other_are_not_one_pot);
    ADD(grades_of_a_row_sum_to_its_total);
    ADD(unbilled_hours_are_shown_and_not_in_the_total);
    ADD(hours_in_the_column_sum_to_the_billed_hours);
    ADD(memory_is_counted_in_gib_hours);
    ADD(resident_hours_are_a_union_over_devices_and_pods_day_by_day);
    ADD(resident_hours_need_no_order);
    ADD(resident_hours_go_on_from_span_to_span);
    ADD(a_pod_whose_keys_change_comes_back_to_its_rows);
    ADD(requested_hours_are_gpus_times_time);
    ADD(requested_hours_are_unknown_under_a_filter_that_needs_a_device);
    ADD(a_holders_unheld_cost_is_what_its_memory_leaves);
    ADD(a_shared_resident_has_nothing_unheld_whichever_way_its_cell_was_rounded);
    ADD(measured_is_the_cost_of_pods_by_grade);
    ADD(measured_leaves_buckets_out_where_rows_mix_them_with_pods);
    ADD(parts_add_up_to_the_rows_of_a_coarser_table);
    suite_add_tcase(s, t);
    return unit_run(s);
}
