/* price_list: prices worked out by hand, and the charges of nodes that metrics show. */
#include "gputab/source/price_list.h"
#include "bill_fixture.h"

static struct price_list list;

static int read_list(const char *text)
{
    price_list_free(&list);
    err_clear(&w.err);
    write_to(path, text, strlen(text));
    return price_list_read(path, &list, &w.err);
}

#define HEAD "schema: gputab.price-list/1\ncurrency: EUR\n"

static void setup_list(void)
{
    setup();
    w.bill.is_final = true;
}

static void teardown_list(void)
{
    price_list_free(&list);
    teardown();
}

/* ---- prices ---- */

/* A life of 48 months is 48 x 730.5 = 35064 hours, so 350640 are 10.00 an hour; 6500 W x 1.4 x 0.20 per kWh = 6.5 x 1.4 x 0.20 = 1.82;
 * 1 / 730.5 = 0.001368925393566..., rounded half away from zero to twelve decimals. */
static const struct {
    const char *line;
    money want;
} prices[] = {
    {"hour: \"12.50\"", 12500000000000},
    {"purchase: 350640, life_months: 48", 10000000000000},
    {"watts: 6500, kwh: 0.20, pue: 1.4", 1820000000000},
    {"hour: 0.18, purchase: 350640, life_months: 48, watts: 6500, kwh: 0.20, pue: 1.4", 12000000000000},
    {"purchase: 1, life_months: 1", 1368925394},
    {"hour: 0", 0},
};

START_TEST(a_price_is_the_sum_of_its_parts)
{
    struct buf b = {0};

    buf_addf(&b, HEAD "nodes: [{node: \"*\", %s}]\n", prices[_i].line);
    ck_assert_msg(read_list(buf_str(&b)) == 0, "%s", w.err.text);
    ck_assert_uint_eq(list.lines.n, 1);
    ck_assert(list.lines.v[0].hour == prices[_i].want);
    buf_free(&b);
}
END_TEST

static const struct {
    const char *text;
    int line, column;
    const char *want;
} wrong[] = {
    {HEAD, 1, 1, "needs nodes"},
    {"schema: gputab.price-list/1\nnodes: [{node: x, hour: 1}]\n", 1, 1, "needs a currency"},
    {HEAD "nodes: [{hour: 1}]\n", 3, 9, "needs node"},
    {HEAD "nodes: [{node: x}]\n", 3, 9, "needs a price"},
    {HEAD "nodes: [{node: x, purchase: 1}]\n", 3, 19, "purchase needs life_months"},
    {HEAD "nodes: [{node: x, watts: 1}]\n", 3, 19, "watts needs kwh"},
    {HEAD "nodes: [{node: x, hour: 1, pue: 2}]\n", 3, 28, "pue needs watts"},
    {HEAD "nodes: [{node: x, hour: \"1,5\"}]\n", 3, 25, "hour must be a number"},
    {HEAD "nodes: [{node: x, hour: -1}]\n", 3, 25, "hour must be a number"},
    {HEAD "nodes: [{node: x, purchase: 1, life_months: 0}]\n", 3, 45, "life_months must be 1 or more"},
    {HEAD "nodes: [{node: x, watts: 1, kwh: 1, pue: 0.9}]\n", 3, 42, "pue must be 1 or more"},
    {HEAD "nodes: [{nodes: x}]\n", 3, 10, "nodes"},
    {HEAD "nodes: [{node: x, watts: 1000000000, kwh: 1000000000}]\n", 3, 9, "a price of more than"},
    {"schema: gputab.price-list/1\ncurrency: euro\n", 2, 11, "no code of a currency"},
    {"schema: gputab.rule/1\n", 1, 9, "gputab.rule/1"},
};

START_TEST(a_wrong_list_is_refused_with_its_place)
{
    ck_assert_int_eq(read_list(wrong[_i].text), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_msg(strstr(w.err.text, wrong[_i].want) != NULL, "%s", w.err.text);
    ck_assert_msg(w.err.line == wrong[_i].line && w.err.column == wrong[_i].column, "%lld:%lld %s", (long long)w.err.line,
                  (long long)w.err.column, w.err.text);
}
END_TEST

/* ---- charges ---- */

/* A node of that name with a GPU that has samples from..to; resource NULL: none is known. */
static void add_node(const char *name, const char *resource, const char *from, const char *to)
{
    struct node n = {.name = intern_str(w.names, name)};
    struct gpu g = {.first_ms = at(from), .last_ms = at(to)};

    if (resource)
        steps_push(&n.resource, at("2026-10-01"), intern_str(w.names, resource));
    steps_push(&g.node, at("2026-10-01"), (uint32_t)w.inventory.nodes.n);
    vec_push(&w.inventory.nodes, n);
    vec_push(&w.inventory.gpus, g);
}

static int make(void)
{
    return price_list_charge(&list, w.req.period, &w.inventory, &w.bill, &w.diag, &w.err);
}

static void expect(const char *want)
{
    char *got;

    ck_assert_msg(make() == 0, "%s", w.err.text);
    got = dump();
    ck_assert_msg(strcmp(got, want) == 0, "got\n%s\nwant\n%s", got, want);
    free(got);
}

#define HOURS(from, to) " 2026-10-05T" from ":00:00Z/2026-10-05T" to ":00:00Z "

/* First and last hour are whole; what has no sample between is charged too. */
START_TEST(a_node_is_charged_from_the_hour_of_its_first_to_that_of_its_last_sample)
{
    ck_assert_int_eq(read_list(HEAD "name: DC1\nnodes: [{node: \"gpu-*\", hour: 2, region: hall-1}]\n"), 0);
    add_node("gpu-1", NULL, "2026-10-05T10:50:00Z", "2026-10-05T12:00:00Z");
    add_node("cpu-1", NULL, "2026-10-05T10:50:00Z", "2026-10-05T12:00:00Z");
    expect("gpu-1" HOURS("10", "11") "cost 2 invoiced 0 ms 3600000 unknown hall-1\n"
           "gpu-1" HOURS("11", "12") "cost 2 invoiced 0 ms 3600000 unknown hall-1\n"
           "gpu-1" HOURS("12", "13") "cost 2 invoiced 0 ms 3600000 unknown hall-1\n");
    ck_assert_str_eq(w.bill.files.v[0].name, "price list DC1");
    ck_assert(!w.bill.is_final && w.bill.says_final);
    ck_assert_ptr_ne(diag_find(&w.diag, "W130"), NULL);
    ck_assert_str_eq(intern_cstr(w.names, steps_at(&w.inventory.nodes.v[0].resource, at("2026-10-05"), 0)), "gpu-1");
    ck_assert_uint_eq(w.inventory.nodes.v[1].resource.n, 0);
}
END_TEST

START_TEST(what_lies_outside_the_period_is_not_charged)
{
    ck_assert_int_eq(read_list(HEAD "nodes: [{node: \"*\", hour: 2}]\n"), 0);
    w.req.period = (struct timespan){at("2026-10-05T10:30:00Z"), at("2026-10-05T11:00:00Z")};
    add_node("a", "id-a", "2026-10-05T09:00:00Z", "2026-10-05T12:00:00Z");
    add_node("b", "id-b", "2026-10-05T11:02:00Z", "2026-10-05T12:00:00Z");
    expect("id-a 2026-10-05T10:30:00Z/2026-10-05T11:00:00Z cost 1 invoiced 0 ms 1800000 unknown\n");
}
END_TEST

START_TEST(the_first_line_wins_and_what_the_bill_has_is_left_to_it)
{
    ck_assert_int_eq(read_list(HEAD "nodes: [{node: a, hour: 1}, {node: [a, b, c], hour: 2}]\n"), 0);
    w.bill.currency = intern_str(w.names, "EUR");
    charge_list_add(&w.bill.charges, &(struct charge){.resource = intern_str(w.names, "id-b"), .cost = 7 * MONEY_ONE, .billed_ns = 1,
                                                      .span = {at("2026-10-05T10:00:00Z"), at("2026-10-05T11:00:00Z")},
                                                      .purchase = PURCHASE_SPOT});
    w.bill.file_total = 7 * MONEY_ONE;
    add_node("c", "id-c", "2026-10-05T10:00:00Z", "2026-10-05T10:30:00Z");
    add_node("b", "id-b", "2026-10-05T10:00:00Z", "2026-10-05T10:30:00Z");
    add_node("a", "id-a", "2026-10-05T10:00:00Z", "2026-10-05T10:30:00Z");
    expect("id-a" HOURS("10", "11") "cost 1 invoiced 0 ms 3600000 unknown\nid-b" HOURS("10", "11") "cost 7 invoiced 0 ms 0.000001 spot\n"
           "id-c" HOURS("10", "11") "cost 2 invoiced 0 ms 3600000 unknown\n");
}
END_TEST

/* The bill has the set in one sum: a machine of it is in that, one of another set is not. */
START_TEST(a_machine_of_a_billed_scale_set_is_billed)
{
    static const char set[] = "/subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachinescalesets/x";

    ck_assert_int_eq(read_list(HEAD "nodes: [{node: \"*\", hour: 1}]\n"), 0);
    w.bill.currency = intern_str(w.names, "EUR");
    charge_list_add(&w.bill.charges, &(struct charge){.resource = intern_str(w.names, set), .cost = 7 * MONEY_ONE, .billed_ns = 1,
                                                      .span = {at("2026-10-05T10:00:00Z"), at("2026-10-05T11:00:00Z")},
                                                      .purchase = PURCHASE_SPOT});
    w.bill.file_total = 7 * MONEY_ONE;
    add_node("a", "/subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachinescalesets/x/virtualmachines/2",
             "2026-10-05T10:00:00Z", "2026-10-05T10:30:00Z");
    add_node("b", "/subscriptions/s/resourcegroups/g/providers/microsoft.compute/virtualmachinescalesets/y/virtualmachines/2",
             "2026-10-05T10:00:00Z", "2026-10-05T10:30:00Z");
    ck_assert_int_eq(make(), 0);
    ck_assert_uint_eq(w.bill.charges.n, 2);
    ck_assert(w.bill.charges.v[0].cost == 7 * MONEY_ONE && w.bill.charges.v[1].cost == MONEY_ONE);
    ck_assert_str_eq(intern_cstr(w.names, w.bill.charges.v[1].resource), intern_cstr(w.names, w.inventory.nodes.v[1].resource.v[0].value));
}
END_TEST

START_TEST(another_currency_is_refused_and_an_idle_list_is_said)
{
    ck_assert_int_eq(read_list(HEAD "nodes: [{node: a, hour: 1}]\n"), 0);
    expect("");
    ck_assert_ptr_ne(diag_find(&w.diag, "W131"), NULL);
    w.bill.currency = intern_str(w.names, "USD");
    ck_assert_int_eq(make(), -1);
    ck_assert_ptr_ne(strstr(w.err.text, "the prices are in EUR, the bill is in USD"), NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("price_list");
    TCase *c = tcase_create("price_list");
    int fd = mkstemp(path), rc;

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_checked_fixture(c, setup_list, teardown_list);
    tcase_add_loop_test(c, a_price_is_the_sum_of_its_parts, 0, sizeof prices / sizeof *prices);
    tcase_add_loop_test(c, a_wrong_list_is_refused_with_its_place, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(c, a_node_is_charged_from_the_hour_of_its_first_to_that_of_its_last_sample);
    tcase_add_test(c, what_lies_outside_the_period_is_not_charged);
    tcase_add_test(c, the_first_line_wins_and_what_the_bill_has_is_left_to_it);
    tcase_add_test(c, a_machine_of_a_billed_scale_set_is_billed);
    tcase_add_test(c, another_currency_is_refused_and_an_idle_list_is_said);
    suite_add_tcase(s, c);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
