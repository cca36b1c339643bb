/* team_notes and threshold: budgets of periods, changes between reports, and what is over a threshold. */
#include "gputab/core/team_notes.h"

#include "core_fixture.h"
#include "gputab/core/threshold.h"

static struct notes notes;
static struct table table;
static struct rule rule;
static struct thresholds thresholds;
static struct err e;
static struct buf hits;

static void setup(void)
{
    notes = (struct notes){.only = NULL};
    table = (struct table){.n_rows = 0};
    thresholds = (struct thresholds){0};
    err_clear(&e);
    hits = (struct buf){0};
    rule_defaults(&rule);
    table_add_column(&table, "team", COLUMN_KEY, 0);
    table_add_column(&table, "bucket", COLUMN_BUCKET, 0);
    table_add_column(&table, "total_cost", COLUMN_MONEY, 2);
}

static void teardown(void)
{
    notes_free(&notes);
    table_free(&table);
    rule_free(&rule);
    vec_free(&thresholds);
    buf_free(&hits);
}

static void row(const char *team, const char *cost)
{
    struct cell cells[3] = {{.type = CELL_TEXT, .text = team}, {.type = CELL_NULL}, {.type = CELL_MONEY, .number = world_money(cost)}};

    if (team[0] == '(')
        cells[1] = cells[0];
    table_add_row(&table, cells);
}

static time_ms at(const char *text)
{
    time_ms t = 0;

    ck_assert_int_eq(time_parse(span_of(text), &t), 0);
    return t;
}

/* 40,000 a month: of October 2026 (744 h) ten days are 40,000 x 240 / 744 = 12903.225806451613; the last day of January (1/31) and the
 * first of February 2026 (1/28) are 1290.322580645161 + 1428.571428571429. */
static const struct { const char *from, *to, *want; } periods[] = {
    {"2026-10-01", "2026-11-01", "40000"},
    {"2026-01-01", "2027-01-01", "480000"},
    {"2026-10-05", "2026-10-15", "12903.225806451613"},
    {"2026-01-31", "2026-02-02", "2718.89400921659"},
    {"2026-10-01", "2026-10-01T00:30", "26.881720430108"},
    {"2026-09-01", "2026-12-01", "120000"},
};

START_TEST(a_budget_counts_months_and_parts_of_them)
{
    money got = budget_of_period(40000 * MONEY_ONE, (struct timespan){at(periods[_i].from), at(periods[_i].to)});
    struct buf b = {0};

    money_add_text(&b, got, MONEY_DECIMALS);
    ck_assert_msg(got == world_money(periods[_i].want), "%s", buf_str(&b));
    buf_free(&b);
}
END_TEST

START_TEST(adjoining_periods_share_a_budget)
{
    const struct timespan month = {at("2026-10-01"), at("2026-11-01")};
    money all = budget_of_period(1000 * MONEY_ONE, month), sum = 0;

    for (time_ms t = month.from; t < month.to; t += 7 * TIME_DAY)
        sum += budget_of_period(1000 * MONEY_ONE, timespan_cut((struct timespan){t, t + 7 * TIME_DAY}, month));
    ck_assert(sum == all);
}
END_TEST

static void budget(const char *team, const char *month)
{
    vec_push(&rule.budgets, (struct rule_budget){.team = team, .month = world_money(month)});
}

static const struct timespan october = {INT64_C(1790812800000), INT64_C(1793491200000)};

/* A team without a row has spent nothing. */
START_TEST(budgets_are_joined_by_team)
{
    row("cv", "80.00");
    row("nlp", "120.00");
    row("(idle)", "50.00");
    budget("nlp", "100");
    budget("cv", "80");
    budget("gone", "10");
    team_notes_budgets(&notes, &rule, &table, october, 2);
    ck_assert_uint_eq(notes.budgets.n, 3);
    ck_assert_str_eq(notes.budgets.v[0].team, "cv");
    ck_assert(notes.budgets.v[0].percent == 100 * MONEY_ONE && !notes.budgets.v[0].over);
    ck_assert_str_eq(notes.budgets.v[1].team, "gone");
    ck_assert(notes.budgets.v[1].cost == 0 && notes.budgets.v[1].percent == 0);
    ck_assert_str_eq(notes.budgets.v[2].team, "nlp");
    ck_assert(notes.budgets.v[2].percent == 120 * MONEY_ONE && notes.budgets.v[2].over);
}
END_TEST

static void before(const char *team, const char *cost)
{
    vec_push(&notes.previous.teams, (struct change_note){.team = team, .bucket = team[0] == '(', .previous = world_money(cost)});
}

static void change(size_t i, const char *team, const char *previous, const char *cost, const char *percent)
{
    const struct change_note *c = &notes.previous.teams.v[i];

    ck_assert_str_eq(c->team, team);
    ck_assert(c->previous == world_money(previous));
    ck_assert(c->cost == world_money(cost));
    ck_assert(c->percent == world_money(percent));
}

/* New is 100 %, gone is -100 %; 10 to 12.50 is a quarter more; -10 (a credit) to 5 is 150 % up. */
static void compare_some(void)
{
    before("gone", "5");
    before("nlp", "10");
    before("credit", "-10");
    before("(idle)", "40");
    row("(idle)", "30");
    row("credit", "5");
    row("new", "1");
    row("nlp", "12.50");
    team_notes_changes(&notes, &table);
}

START_TEST(changes_are_joined_by_team)
{
    compare_some();
    ck_assert_uint_eq(notes.previous.teams.n, 5);
    change(0, "credit", "-10", "5", "150");
    change(1, "gone", "5", "0", "-100");
    change(2, "new", "0", "1", "100");
    change(3, "nlp", "10", "12.50", "25");
    change(4, "(idle)", "40", "30", "-25");
}
END_TEST

/* ---- thresholds ---- */

static int parse(const char *text)
{
    err_clear(&e);
    vec_clear(&thresholds);
    return thresholds_parse(text, &thresholds, &e);
}

START_TEST(several_thresholds_are_parted_by_bars)
{
    ck_assert_int_eq(parse("budget>100% | idle > 2.5%|unmapped>0%"), 0);
    ck_assert_uint_eq(thresholds.n, 3);
    ck_assert(thresholds.v[1].figure == THRESHOLD_IDLE && thresholds.v[1].percent == world_money("2.5"));
    ck_assert(thresholds_have(&thresholds, THRESHOLD_UNMAPPED));
    ck_assert(!thresholds_have(&thresholds, THRESHOLD_CHANGE));
}
END_TEST

static const struct { const char *text, *want, *hint; } wrong[] = {
    {"budgt>100%", "unknown figure \"budgt\"", "did you mean \"budget\"?"},
    {"cost>100%", "unknown figure \"cost\"", "figures: budget, idle, change, unmapped"},
    {"idle>=3%", "figures are compared by > only", "write idle>PERCENT"},
    {"idle<3%", "figures are compared by > only", "write idle>PERCENT"},
    {"idle", "is not of the form FIGURE>PERCENT", "such as"},
    {"idle>3", "is not of the form FIGURE>PERCENT", "such as"},
    {"idle>-3%", "is not of the form FIGURE>PERCENT", "such as"},
    {"idle>3%|", "is not of the form FIGURE>PERCENT", "such as"},
    {"", "is not of the form FIGURE>PERCENT", "such as"},
};

START_TEST(a_wrong_threshold_is_told_with_a_way_out)
{
    ck_assert_int_eq(parse(wrong[_i].text), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    ck_assert_msg(strstr(e.text, wrong[_i].want) != NULL, "%s", e.text);
    ck_assert_msg(strstr(e.hint, wrong[_i].hint) != NULL, "%s", e.hint);
}
END_TEST

static void keep(void *to, const char *text)
{
    (void)to;
    buf_addf(&hits, "%s\n", text);
}

static size_t hit(const char *text, struct tally *t, const char *billed)
{
    struct threshold_facts f = {&notes, t, world_money(billed), "USD", 2};

    buf_clear(&hits);
    ck_assert_int_eq(parse(text), 0);
    return thresholds_check(&thresholds, &f, keep, NULL);
}

START_TEST(teams_over_their_budgets_are_named)
{
    row("cv", "80.00");
    row("nlp", "120.00");
    budget("nlp", "100");
    budget("cv", "80");
    team_notes_budgets(&notes, &rule, &table, october, 2);
    ck_assert_uint_eq(hit("budget>120%", NULL, "200"), 0);
    ck_assert_uint_eq(hit("budget>100%", NULL, "200"), 1);
    ck_assert_str_eq(buf_str(&hits), "--fail-on budget>100%: team nlp costs 120.00 USD, 120.00 % of its budget of 100.00 USD\n");
    ck_assert_uint_eq(hit("budget>99.99%", NULL, "200"), 2);
}
END_TEST

/* Both ways count; buckets are no teams. */
START_TEST(teams_that_changed_are_named)
{
    compare_some();
    ck_assert_uint_eq(hit("change>25%", NULL, "100"), 3);
    ck_assert_str_eq(buf_str(&hits), "--fail-on change>25%: team credit costs 5.00 USD after -10.00 USD, +150.00 %\n"
                                     "--fail-on change>25%: team gone costs 0.00 USD after 5.00 USD, -100.00 %\n"
                                     "--fail-on change>25%: team new costs 1.00 USD and is new\n");
    ck_assert_uint_eq(hit("change>24.99%", NULL, "100"), 4);
    ck_assert_uint_eq(hit("change>100%", NULL, "100"), 1);
}
END_TEST

START_TEST(parts_of_the_bill_are_compared_exactly)
{
    struct owners owners = {.of_pod = NULL};
    struct intern *names = intern_new();
    struct inventory inv;
    struct tally *t;
    struct allocate_sink s;
    struct entry idle = {.pod_version = NONE, .bucket = BUCKET_IDLE, .cost = 3 * MONEY_ONE};

    inventory_init(&inv, names);
    t = tally_new(&inv, &owners);
    s = tally_sink(t);
    s.entry(s.to, &idle);
    ck_assert_uint_eq(hit("idle>3%", t, "100"), 0);
    ck_assert_uint_eq(hit("idle>3%|unmapped>0%", t, "99.999999999999"), 1);
    ck_assert_str_eq(buf_str(&hits), "--fail-on idle>3%: 3.00 % of what was billed is (idle)\n");
    ck_assert_uint_eq(hit("idle>3%", t, "0"), 0);
    tally_free(t);
    inventory_free(&inv);
    intern_free(names);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("team_notes");
    TCase *c = tcase_create("team_notes");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, a_budget_counts_months_and_parts_of_them, 0, (int)(sizeof periods / sizeof *periods));
    tcase_add_test(c, adjoining_periods_share_a_budget);
    tcase_add_test(c, budgets_are_joined_by_team);
    tcase_add_test(c, changes_are_joined_by_team);
    tcase_add_test(c, several_thresholds_are_parted_by_bars);
    tcase_add_loop_test(c, a_wrong_threshold_is_told_with_a_way_out, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(c, teams_over_their_budgets_are_named);
    tcase_add_test(c, teams_that_changed_are_named);
    tcase_add_test(c, parts_of_the_bill_are_compared_exactly);
    suite_add_tcase(s, c);
    return unit_run(s);
}
