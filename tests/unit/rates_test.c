/* rates: prices per pool by hand. A charge of 8 USD of type "one" is 6 GPU, 1 CPU, 1 memory; an H100 has 80 GiB. */
#include "core_fixture.h"
#include "gputab/core/rates.h"

static struct world w;
static struct rates_book *book;
static struct rates out;
static uint32_t target, node, device, pod;

static void setup(void)
{
    world_init(&w);
    memset(&out, 0, sizeof out);
    book = NULL;
    target = world_target(&w, "t");
    node = world_node(&w, "n1", "i-1", "one");
    device = world_gpu(&w, "GPU-1", "H100", node);
    pod = world_pod(&w, "a", "p", "");
    steps_push(&w.inv.nodes.v[node].sharing, TIME_MIN, SHARING_LABELS_KNOWN);
}

static void teardown(void)
{
    rates_book_free(book);
    rates_free(&out);
    world_free(&w);
}

static void price(const char *quote, const char *model)
{
    book = rates_new(&(struct rates_config){.rule = &w.rule, .catalogue = &w.catalogue, .inventory = &w.inv, .bill = &w.bill,
                                            .period = w.period, .model = model, .quote = quote ? world_money(quote) : 0});
    w.also = rates_sink(book);
    ck_assert_msg(world_run(&w) == 0, "%s", w.err.text);
    rates_fill(book, 2, "reference", &out);
}

static const struct cell *cell(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);

    ck_assert_int_ge(c, 0);
    ck_assert_uint_lt(row, t->n_rows);
    return table_cell(t, row, (size_t)c);
}

static void is(size_t row, const char *column, const char *expected)
{
    world_is(cell(&out.pools, row, column)->number, expected, 0);
}

static void is_unknown(size_t row, const char *column)
{
    ck_assert_int_eq(cell(&out.pools, row, column)->type, CELL_NULL);
}

/* Two hours at 8, of which a pod held the card for one, with 8 GiB: GPU piece 12.
 * Per GPU-hour 12 / 2 = 6; x 730 = 4380; DAY0 (20000 days after 1970) is in October 2024, 744 h: x 744 = 4464; per hour held 12 / 1 = 12;
 * per GiB-hour of capacity 6 / 80 = 0.075, of resident memory 12 / 8 = 1.5; the whole node 16 / 2 = 8, x 730 = 5840. */
START_TEST(a_pool_has_its_prices)
{
    world_uses(&w, target, device, pod, 0, HOUR_S, 8);
    world_uses(&w, target, device, NONE, HOUR_S, 2 * HOUR_S, 0);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "8");
    price(NULL, NULL);
    ck_assert_uint_eq(out.pools.n_rows, 1);
    ck_assert_str_eq(cell(&out.pools, 0, "gpu_model")->text, "H100");
    ck_assert_str_eq(cell(&out.pools, 0, "purchase")->text, "on_demand");
    ck_assert_str_eq(cell(&out.pools, 0, "term")->text, "none");
    is(0, "gpu_hours", "2");
    is(0, "gpu_cost", "12");
    is(0, "gpu_hour", "6");
    is(0, "gpu_month_730", "4380");
    is(0, "gpu_month", "4464");
    is(0, "held_gpu_hour", "12");
    is(0, "capacity_gib_hour", "0.075");
    is(0, "resident_gib_hour", "1.5");
    is(0, "node_gpu_hour", "8");
    is(0, "node_gpu_month_730", "5840");
    is_unknown(0, "quote_above");
}
END_TEST

/* 6 an hour are 4380 a month, the node's 8 are 5840: 8850 is 4470 (102.05 %) and 3010 (51.54 %) above, 4000 is 380 (8.68 %) below. */
START_TEST(a_quote_is_placed_against_ones_own)
{
    world_uses(&w, target, device, pod, 0, HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    price("8850", NULL);
    is(0, "quote_above", "4470");
    is(0, "quote_above_percent", "102.05");
    is(0, "quote_above_node", "3010");
    is(0, "quote_above_node_percent", "51.54");
    rates_book_free(book);
    rates_free(&out);
    memset(&out, 0, sizeof out);
    price("4000", NULL);
    is(0, "quote_above", "-380");
    is(0, "quote_above_percent", "-8.68");
}
END_TEST

/* Pools are never mixed: a spot hour at 4 stands beside one at 8 on demand, in another region. */
START_TEST(pools_are_apart)
{
    world_uses(&w, target, device, pod, 0, 2 * HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "4");
    WORLD_CHARGE(&w, purchase, PURCHASE_SPOT);
    WORLD_CHARGE(&w, region, world_text(&w, "eu-1"));
    price(NULL, NULL);
    ck_assert_uint_eq(out.pools.n_rows, 2);
    is(0, "gpu_hour", "6");
    is(1, "gpu_hour", "3");
    ck_assert_str_eq(cell(&out.pools, 1, "purchase")->text, "spot");
    ck_assert_str_eq(cell(&out.pools, 1, "region")->text, "eu-1");
}
END_TEST

/* DAY0 is 2024-10-04. 28 days on is 2024-11-01: an hour at 8 in October (GPU 6), one at 16 in November (GPU 12): mean 9, and the months'
 * own
 * hours are (744 + 720) / 2 = 732: 9 x 732 = 6588. */
START_TEST(months_show_how_prices_vary)
{
    const int november = 28 * DAY_S;

    w.period.to = AT(november + DAY_S);
    world_uses(&w, target, device, pod, 0, HOUR_S, 8);
    world_uses(&w, target, device, pod, november, november + HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    world_charge(&w, "i-1", november, november + HOUR_S, "16");
    price(NULL, NULL);
    is(0, "months", "2");
    is(0, "month_min", "6");
    is(0, "month_max", "12");
    is(0, "month_mean", "9");
    is(0, "gpu_month", "6588");
    ck_assert_uint_eq(out.months.n_rows, 2);
    ck_assert_str_eq(cell(&out.months, 0, "month")->text, "2024-10");
    ck_assert_str_eq(cell(&out.months, 1, "month")->text, "2024-11");
    world_is(cell(&out.months, 1, "gpu_month")->number, "8640", 0);        /* 12 x 720 */
}
END_TEST

START_TEST(a_model_can_be_asked_for)
{
    world_uses(&w, target, device, pod, 0, HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    price(NULL, "T*");
    ck_assert_uint_eq(out.pools.n_rows, 0);
}
END_TEST

/* opencost#3160: own prices are used, and which they are is told. */
START_TEST(each_price_of_the_split_names_its_source)
{
    world_uses(&w, target, device, pod, 0, HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    price(NULL, NULL);
    ck_assert_uint_eq(out.sources.n, 3);
    ck_assert_str_eq(out.sources.v[0].source, "default");
    ck_assert_str_eq(out.sources.v[2].what, "H100");
    ck_assert_str_eq(out.sources.v[2].source, "catalogue");
    rates_book_free(book);
    rates_free(&out);
    memset(&out, 0, sizeof out);
    w.rule.split.vcpu_written = true;
    vec_push(&w.rule.split.gpu_hour, (struct rule_price){"H100", 14 * MONEY_ONE});
    price(NULL, NULL);
    ck_assert_str_eq(out.sources.v[0].source, "rule");
    ck_assert_str_eq(out.sources.v[2].source, "rule");
    ck_assert(out.sources.v[2].price == 14 * MONEY_ONE);
    is(0, "gpu_hour", "7");                                        /* 8 x 14 / 16 */
}
END_TEST

/* The rule knows a block from 2024-10-04 to 2024-10-05; of a reservation nobody says its term. */
START_TEST(terms_come_from_the_rule_or_are_not_stated)
{
    world_uses(&w, target, device, pod, 0, 2 * HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    WORLD_CHARGE(&w, purchase, PURCHASE_RESERVED);
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "8");
    WORLD_CHARGE(&w, purchase, PURCHASE_CAPACITY_BLOCK);
    vec_push(&w.rule.blocks, (struct rule_block){.type = "one", .count = 1, .from = AT(0), .until = AT(DAY_S)});
    price(NULL, NULL);
    ck_assert_str_eq(cell(&out.pools, 0, "term")->text, "not stated");
    ck_assert_str_eq(cell(&out.pools, 1, "term")->text, "rule: 2024-10-04 to 2024-10-05");
}
END_TEST

START_TEST(a_budget_gets_its_five_answers)
{
    static const char *const names[] = {"includes", "purchase", "term", "idle", "variance"};

    world_uses(&w, target, device, pod, 0, HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    price(NULL, NULL);
    ck_assert_uint_eq(out.answers.n, 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_str_eq(out.answers.v[i].name, names[i]);
    ck_assert_ptr_nonnull(strstr(out.answers.v[0].answer, "effective cost"));
    ck_assert_ptr_nonnull(strstr(out.answers.v[0].answer, "split by reference"));
    ck_assert_ptr_nonnull(strstr(out.answers.v[3].answer, "nobody"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rates");
    TCase *t = tcase_create("rates");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_pool_has_its_prices);
    tcase_add_test(t, a_quote_is_placed_against_ones_own);
    tcase_add_test(t, pools_are_apart);
    tcase_add_test(t, months_show_how_prices_vary);
    tcase_add_test(t, a_model_can_be_asked_for);
    tcase_add_test(t, each_price_of_the_split_names_its_source);
    tcase_add_test(t, terms_come_from_the_rule_or_are_not_stated);
    tcase_add_test(t, a_budget_gets_its_five_answers);
    suite_add_tcase(s, t);
    return unit_run(s);
}
