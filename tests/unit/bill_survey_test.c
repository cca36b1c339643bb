/* bill_survey: what is said of a small bill, line by line. */
#include "core_fixture.h"

#include "gputab/core/bill_survey.h"

static struct world w;
static struct survey s;
static struct bill_survey from;

static void setup(void)
{
    world_init(&w);
    memset(&s, 0, sizeof s);
    from = (struct bill_survey){.bill = &w.bill, .catalogue = &w.catalogue, .names = w.names, .has_period = true, .period = w.period,
                                .looked = w.period};
    w.bill.currency = world_text(&w, "USD");
    w.bill.rows_span = w.period;
    w.bill.is_final = true;
}

static void teardown(void)
{
    survey_free(&s);
    world_free(&w);
}

static void file(const char *name, const char *format, const char *missing, const char *resource_hint, int64_t rows)
{
    struct bill_text t = {.path = xstrdup(name), .format = format, .columns = 30, .columns_known = 37, .rows = rows,
                          .missing = missing ? xstrdup(missing) : NULL, .resource_hint = resource_hint};

    t.name = t.path;
    vec_push(&w.bill.texts, t);
    w.bill.rows += rows;
}

/* An hour; a charge without a type when type is NULL. */
static void charge(const char *resource, const char *type, int hour, const char *cost)
{
    struct charge c = {.resource = world_text(&w, resource), .instance_type = type ? world_text(&w, type) : 0,
                       .span = {AT(hour * HOUR_S), AT((hour + 1) * HOUR_S)}, .cost = world_money(cost), .invoiced = world_money(cost),
                       .billed_ns = TIME_HOUR * TIME_NS_PER_MS};

    charge_list_add(&w.bill.charges, &c);
}

static void look(void)
{
    survey_free(&s);
    memset(&s, 0, sizeof s);
    bill_survey_add(&s, &from);
}

static const struct finding *about(const char *subject, int nth)
{
    for (size_t i = 0; i < s.findings.n; i++)
        if (strcmp(s.findings.v[i].subject, subject) == 0 && nth-- == 0)
            return &s.findings.v[i];
    return NULL;
}

static void says_nth(int nth, const char *subject, enum survey_level level, const char *text)
{
    const struct finding *f = about(subject, nth);

    ck_assert_msg(f != NULL, "nothing is said about %s", subject);
    ck_assert_str_eq(f->text, text);
    ck_assert_int_eq(f->level, level);
    ck_assert_int_eq(f->hint != NULL, level != SURVEY_FOUND);
}

static void says(const char *subject, enum survey_level level, const char *text)
{
    says_nth(0, subject, level, text);
}

START_TEST(files_with_one_head_are_said_together)
{
    file("a-1.csv", "CUR", "x, y", NULL, 2);
    file("b.csv", "FOCUS", NULL, "export ids", 1);
    file("a-2.csv", "CUR", "x, y", NULL, 3);
    look();
    says_nth(0, "format", SURVEY_FOUND, "CUR: a-1.csv and others, 2 files, 5 rows");
    says_nth(0, "columns", SURVEY_FOUND, "30 of 37; not there: x, y");
    says_nth(0, "resource ids", SURVEY_FOUND, "rows name their resources");
    says_nth(1, "format", SURVEY_FOUND, "FOCUS: b.csv, 1 row");
    says_nth(1, "columns", SURVEY_FOUND, "30 of 37");
    says_nth(1, "resource ids", SURVEY_FATAL, "no row can be a node's");
    ck_assert_str_eq(about("resource ids", 1)->hint, "export ids");
    ck_assert_ptr_null(about("format", 2));
}
END_TEST

START_TEST(rows_cover_the_period_or_not)
{
    look();
    says("time of the bill", SURVEY_FATAL, "there is no row");
    says("GPU nodes", SURVEY_FATAL, "0");
    file("a", "CUR", NULL, NULL, 1);
    look();
    says("time of the bill", SURVEY_FOUND, "rows of 2024-10-04T00:00:00Z to 2024-10-05T00:00:00Z");
    w.bill.rows_span.to = AT(HOUR_S);
    look();
    says("time of the bill", SURVEY_PARTLY, "rows of 2024-10-04T00:00:00Z to 2024-10-04T01:00:00Z");
    from.has_period = false;
    look();
    says("time of the bill", SURVEY_FOUND, "rows of 2024-10-04T00:00:00Z to 2024-10-04T01:00:00Z");
    w.bill.rows_span = (struct timespan){AT(DAY_S), AT(DAY_S + 1)};
    look();
    says("time of the bill", SURVEY_FATAL, "rows of 2024-10-05T00:00:00Z to 2024-10-05T00:00:01Z, none of the period");
}
END_TEST

START_TEST(final_is_what_the_bill_says)
{
    look();
    says("invoice", SURVEY_FOUND, "the bill does not say whether it is final");
    w.bill.says_final = true;
    look();
    says("invoice", SURVEY_FOUND, "final");
    w.bill.is_final = false;
    look();
    says("invoice", SURVEY_PARTLY, "estimated: some of the period is not invoiced yet");
}
END_TEST

/* i-a costs nothing for two hours of three: 2 of 5 hours are free. */
START_TEST(nodes_are_counted_once_by_type)
{
    charge("i-a", "one", 0, "1.5");
    charge("i-a", "one", 1, "0");
    charge("i-a", "one", 2, "0");
    charge("i-b", "two", 0, "2");
    charge("i-c", NULL, 0, "0.004");
    charge("i-d", "two", 0, "4");
    look();
    says("GPU nodes", SURVEY_FOUND, "4: 2 two, 1 of unknown type, 1 one");
    says("time without cost", SURVEY_MISSING, "1 GPU node for 2.0 hours");
    says("cost of GPU nodes", SURVEY_FOUND, "7.50 USD");
}
END_TEST

START_TEST(money_is_said_by_group_and_as_a_whole)
{
    w.bill.group_rows[GROUP_TAX] = 1;
    w.bill.groups[GROUP_TAX] = w.bill.groups_invoiced[GROUP_TAX] = world_money("3.195");
    w.bill.group_rows[GROUP_UNUSED_COMMITMENT] = 2;
    w.bill.groups[GROUP_UNUSED_COMMITMENT] = world_money("1");
    w.bill.groups_invoiced[GROUP_UNUSED_COMMITMENT] = world_money("400");
    w.bill.outside = w.bill.outside_invoiced = world_money("-1");
    w.bill.file_total = world_money("3.195");
    w.bill.file_invoiced = world_money("402.195");
    file("a", "CUR", NULL, NULL, 4);
    look();
    says("tax", SURVEY_FOUND, "3.20 USD in 1 row");
    says("unused commitments", SURVEY_FOUND, "1.00 USD in 2 rows; invoiced 400.00 USD");
    says("outside the period", SURVEY_FOUND, "-1.00 USD");
    says("the whole bill", SURVEY_FOUND, "3.20 USD in 4 rows; invoiced 402.20 USD");
    ck_assert_ptr_null(about("refunds", 0));
}
END_TEST

static void unknown(const char *type, int64_t rows, const char *cost)
{
    vec_push(&w.bill.unknown_types, (struct bill_type){world_text(&w, type), rows, world_money(cost)});
}

/* Known are p5.48xlarge and Standard_NC24ads_A100_v4: others of their families are likely to have GPUs; m5 and Standard_D are not. */
START_TEST(unknown_types_that_may_have_gpus_are_named)
{
    world_type(&w, "p5.48xlarge", 0, 8000000);
    world_type(&w, "Standard_NC24ads_A100_v4", 0, 1000000);
    unknown("p5.4xlarge", 2, "7");
    unknown("m5.large", 2, "7");
    unknown("p5-odd", 2, "7");
    unknown("Standard_D4s_v3", 2, "7");
    unknown("Standard_NC96x_v6", 1, "3");
    unknown("BM.GPU.X9", 1, "1");
    unknown("c9.shown", 1, "1");
    charge("i-a", "c9.shown", 0, "1");
    look();
    says_nth(0, "instance type", SURVEY_PARTLY, "the catalogue does not know BM.GPU.X9: 1 row, 1.00 USD");
    says_nth(1, "instance type", SURVEY_PARTLY, "the catalogue does not know Standard_NC96x_v6: 1 row, 3.00 USD");
    says_nth(2, "instance type", SURVEY_PARTLY, "the catalogue does not know c9.shown: 1 row, 1.00 USD");
    says_nth(3, "instance type", SURVEY_PARTLY, "the catalogue does not know p5.4xlarge: 2 rows, 7.00 USD");
    ck_assert_ptr_null(about("instance type", 4));
}
END_TEST

START_TEST(nodes_are_looked_for_in_the_metrics_of_their_time)
{
    world_node(&w, "n1", "i-a", "one");
    charge("i-a", "one", 0, "1");
    charge("i-b", "one", 0, "1");
    charge("i-b", "one", 1, "1");
    charge("i-c", "one", 20, "1");
    look();
    ck_assert_ptr_null(about("nodes in the metrics", 0));
    from.inventory = &w.inv;
    from.looked.to = AT(2 * HOUR_S);
    look();
    says("nodes in the metrics", SURVEY_PARTLY, "1 of 2 GPU nodes that were billed then");
    from.looked = (struct timespan){AT(20 * HOUR_S), AT(DAY_S)};
    look();
    says("nodes in the metrics", SURVEY_FATAL, "0 of 1 GPU nodes that were billed then");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bill_survey");
    TCase *c = tcase_create("bill_survey");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, files_with_one_head_are_said_together);
    tcase_add_test(c, rows_cover_the_period_or_not);
    tcase_add_test(c, final_is_what_the_bill_says);
    tcase_add_test(c, nodes_are_counted_once_by_type);
    tcase_add_test(c, money_is_said_by_group_and_as_a_whole);
    tcase_add_test(c, unknown_types_that_may_have_gpus_are_named);
    tcase_add_test(c, nodes_are_looked_for_in_the_metrics_of_their_time);
    suite_add_tcase(suite, c);
    return unit_run(suite);
}
