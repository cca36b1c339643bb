/* generic: bills by maps. The examples' sums are worked out with awk, in the comments; small bills are compared as text. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/source/bill_maps.h"
#include "gputab/source/generic.h"
#include "bill_fixture.h"

static char map_path[] = "/tmp/bill_test.XXXXXX";

#define SCHEMA "schema: gputab.billing-map/1\n"

/* ---- numbers ---- */

static const struct {
    char decimal, thousands;
    const char *symbol, *text, *want;        /* NULL: none */
} numbers[] = {
    {',', '.', NULL, "1.234,56", "1234.56"},      {',', '.', NULL, "1234,56", "1234.56"},       {',', '.', NULL, "-1.234.567", "-1234567"},
    {',', '.', NULL, "0,5", "0.5"},               {',', '.', NULL, "1.23", NULL},                {',', '.', NULL, "12.34.567", NULL},
    {',', '.', NULL, "1.2345", NULL},             {',', '.', NULL, "1234.567", NULL},            {',', '.', NULL, "1,234.5", NULL},
    {',', 0, NULL, "1.234", NULL},                {',', 0, NULL, "1,5e-3", "0.0015"},           {',', 0, NULL, "1,5e-3.0", NULL},
    {'.', ',', "$", "$1,243.84", "1243.84"},      {'.', ',', "$", "-$10,000.00 ", "-10000"},     {'.', ',', "$", "$ 5", "5"},
    {'.', ',', NULL, "$5", NULL},                 {'.', ',', NULL, "9,99", NULL},                {'.', ' ', "EUR", "1 234.5 EUR", "1234.5"},
    {',', ' ', NULL, "1\xc2\xa0" "234,5", "1234.5"}, {',', ' ', NULL, "1\xe2\x80\xaf" "234", "1234"}, {'.', '\'', NULL, "1'000", "1000"},
    {'.', 0, NULL, "1,000", NULL},                {'.', 0, NULL, "+5", NULL},                    {'.', 0, NULL, "", NULL},
    {'.', 0, NULL, "-", NULL},                    {'.', ',', NULL, ",123", NULL},                {'.', 0, NULL, "12 34", NULL},
};

START_TEST(a_number_is_read_as_the_map_writes_it_or_not_at_all)
{
    struct bill_map m = {.decimal = numbers[_i].decimal, .thousands = numbers[_i].thousands, .symbol = numbers[_i].symbol};
    money got = 0, want = 0;
    int rc = generic_number(&m, span_of(numbers[_i].text), &got, NULL);

    ck_assert_msg(rc == (numbers[_i].want ? 0 : -1), "%s", numbers[_i].text);
    if (rc < 0)
        return;
    ck_assert_int_eq(money_parse(span_of(numbers[_i].want), &want, NULL), 0);
    ck_assert_msg(got == want, "%s", numbers[_i].text);
}
END_TEST

/* ---- bills ---- */

static int read_with(const char *map, const char *text)
{
    const char *p = map_path, *paths[] = {path};
    struct bill_maps *maps;
    int rc;

    renew();
    write_to(path, text, strlen(text));
    write_to(map_path, map, strlen(map));
    if (bill_maps_read(&maps, &p, 1, &w.err) < 0)
        return -2;
    w.req.maps = bill_maps_dialects(maps);
    rc = bill_read(paths, 1, &w.req, &w.bill, &w.err);
    w.req.maps = NULL;
    bill_maps_free(maps);
    return rc;
}

static void expect(const char *map, const char *text, const char *want)
{
    char *got;

    ck_assert_msg(read_with(map, text) == 0, "%s:%lld:%lld: %s", w.err.file, (long long)w.err.line, (long long)w.err.column, w.err.text);
    got = dump();
    ck_assert_msg(strcmp(got, want) == 0, "got\n%s\nwant\n%s", got, want);
    free(got);
}

static void refuse(const char *map, const char *text, int line, int column, const char *want)
{
    ck_assert_int_eq(read_with(map, text), -1);
    expect_error(line, want);
    ck_assert_int_eq(w.err.column, column);
}

static void refuse_map(const char *map, int line, int column, const char *want)
{
    ck_assert_int_eq(read_with(map, "a\n"), -2);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_str_eq(w.err.file, map_path);
    ck_assert_msg(strstr(w.err.text, want) != NULL, "got %s, want %s", w.err.text, want);
    ck_assert_msg(w.err.line == line && w.err.column == column, "%lld:%lld %s", (long long)w.err.line, (long long)w.err.column, w.err.text);
}

#define LEAST SCHEMA "currency: EUR\ncolumns: {resource: Id, start: From, end: To, cost: Net"
#define HEAD "Id,From,To,Net"
#define HOUR "2026-10-05T10:00:00Z,2026-10-05T11:00:00Z,"
#define AT_10 " 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z "

/* A machine that metrics show with a GPU is a node without any word about its type. */
START_TEST(the_least_map_reads_machines_intervals_and_cost)
{
    show("m-1", "2026-10-05T10:10:00Z", "2026-10-05T10:50:00Z");
    expect(LEAST "}\n", HEAD "\nm-1," HOUR "1.5\nm-2," HOUR "2\n,2026-10-05T10:00:00Z,2026-10-05T11:00:00Z,4\n",
           "m-1" AT_10 "cost 1.5 invoiced 1.5 ms 3600000 unknown\nother_resources x2 cost 6 invoiced 6\n");
    ck_assert_str_eq(intern_cstr(w.names, w.bill.currency), "EUR");
}
END_TEST

/* 90 minutes of a day's row; the day is that of a zone two hours ahead. */
START_TEST(rows_of_a_day_have_the_zones_day_and_their_quantity)
{
    show("m-1", "2026-10-05T10:10:00Z", "2026-10-05T10:50:00Z");
    expect(SCHEMA "columns: {resource: Id, start: Day, cost: Net, currency: Cur, quantity: N, unit: Of}\nevery: day\n"
           "times: DD/MM/YY\nzone: \"+02:00\"\n",
           "Id,Day,Net,Cur,N,Of\nm-1,05/10/26,3,CHF,90,Minutes\n",
           "m-1 2026-10-04T22:00:00Z/2026-10-05T22:00:00Z cost 3 invoiced 3 ms 5400000 unknown\n");
    expect(SCHEMA "currency: EUR\ncolumns: {resource: Id, start: Day, cost: Net, quantity: N}\nunit: hours\nevery: month\n",
           "Id,Day,Net,N\nm-1,2026-10-17,3,100\n",
           "m-1 2026-10-01T00:00:00Z/2026-11-01T00:00:00Z cost 3 invoiced 3 ms 360000000 unknown\n");
}
END_TEST

START_TEST(a_duration_stands_for_an_end)
{
    show("m-1", "2026-10-05T10:10:00Z", "2026-10-05T10:50:00Z");
    expect(SCHEMA "currency: EUR\ncolumns: {resource: Id, start: From, duration: Long, cost: Net}\nduration_unit: minutes\n",
           "Id,From,Long,Net\nm-1,2026-10-05T10:00,60,3\n", "m-1" AT_10 "cost 3 invoiced 3 ms 3600000 unknown\n");
    refuse(SCHEMA "currency: EUR\ncolumns: {resource: Id, start: From, duration: Long, cost: Net}\n",
           "Id,From,Long,Net\nm-1,2026-10-05T10:00,0,3\n", 2, 22, "row ends no later than it starts");
}
END_TEST

START_TEST(the_rule_chooses_the_cost_column)
{
    static const char map[] = LEAST ", billed: Paid, list: Public}\n", text[] = HEAD ",Paid,Public\n," HOUR "1,2,4\n";

    expect(map, text, "other_resources x1 cost 1 invoiced 2\n");
    w.req.cost = RULE_COST_BILLED;
    expect(map, text, "other_resources x1 cost 2 invoiced 2\n");
    w.req.cost = RULE_COST_LIST;
    expect(map, text, "other_resources x1 cost 4 invoiced 2\n");
    ck_assert_int_eq(read_with(LEAST "}\n", HEAD "\n," HOUR "1\n"), -1);
    ck_assert_ptr_ne(strstr(w.err.text, "names no column of list prices"), NULL);
}
END_TEST

START_TEST(cells_that_are_not_written_as_the_map_says_are_refused_with_their_place)
{
    refuse(LEAST "}\nnumbers: {decimal: \",\"}\n", HEAD "\nm-1," HOUR "1.5\n", 2, 47, "\"1.5\" is not a number as the map says");
    refuse(LEAST "}\n", HEAD "\nm-1," HOUR "\n", 2, 47, "amount is missing");
    refuse(LEAST "}\n", HEAD "\nm-1,05.10.2026,2026-10-06,1\n", 2, 5, "\"05.10.2026\" is not a time");
    refuse(LEAST "}\ntimes: DD.MM.YYYY\n", HEAD "\nm-1,05.10.2026,2026-10-06,1\n", 2, 16, "\"2026-10-06\" is not a time as the map says");
    refuse(LEAST "}\n", HEAD "\nm-1,2026-10-05,2026-10-05,1\n", 2, 16, "row ends no later than it starts");
}
END_TEST

START_TEST(a_column_that_is_not_there_is_named_with_the_nearest_one)
{
    refuse(LEAST ", region: Location}\n", HEAD ",Locatoin\n", 1, 0, "it lacks Location");
    ck_assert_ptr_ne(strstr(w.err.hint, "for \"Location\" did you mean \"Locatoin\"?"), NULL);
}
END_TEST

/* Without the map's columns, what is known by itself is read by itself. */
START_TEST(known_formats_are_read_beside_maps)
{
    expect(LEAST "}\n", "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd\n"
           "1,1,USD,Tax,2026-10-05T10:00:00Z,2026-10-05T11:00:00Z\n", "tax x1 cost 1 invoiced 1\n");
}
END_TEST

/* ---- maps ---- */

START_TEST(a_wrong_map_is_refused_with_its_place)
{
    refuse_map(SCHEMA "colums: {}\n", 2, 1, "colums");
    refuse_map(SCHEMA, 1, 1, "a map needs columns");
    refuse_map(SCHEMA "columns: {resource: A, start: B}\n", 2, 1, "columns needs columns.cost");
    refuse_map(SCHEMA "columns: {resource: A, start: B, cost: C, end: D}\n", 2, 1, "columns needs columns.currency or currency");
    refuse_map(SCHEMA "currency: EUR\ncolumns: {resource: A, start: B, cost: C}\n", 3, 1, "needs columns.end or columns.duration or every");
    refuse_map(LEAST "}\nevery: day\n", 4, 1, "columns.end and every exclude each other");
    refuse_map(LEAST "}\nevery: week\n", 4, 8, "every must be hour, day or month");
    refuse_map(LEAST "}\nunit: hours\n", 4, 1, "unit needs columns.quantity");
    refuse_map(LEAST "}\ngroups: {tax: [VAT]}\n", 4, 1, "groups needs columns.kind");
    refuse_map(LEAST ", kind: K}\ngroups: {taxes: [VAT]}\n", 4, 10, "taxes");
    refuse_map(LEAST "}\ntimes: \"DD.MM.\"\n", 4, 8, "needs YYYY or YY");
    refuse_map(LEAST "}\nzone: \"+02:00\"\n", 4, 1, "zone needs times");
    refuse_map(LEAST "}\ntimes: YYYY-MM-DD\nzone: CET\n", 5, 7, "\"CET\" is no offset from UTC");
    refuse_map(LEAST "}\nnumbers: {decimal: \",\", thousands: \",\"}\n", 4, 10, "are the same character");
    refuse_map(LEAST "}\nnumbers: {decimal: \"5\"}\n", 4, 20, "decimal cannot be \"5\"");
    refuse_map(SCHEMA "currency: Euro\n", 2, 11, "is no code of a currency");
    refuse_map(LEAST ", quantity: Q}\nunit: gpu_hours\n", 4, 7, "needs columns.gpus");
    refuse_map(LEAST ", purchase: P}\npurchase: spot\n", 4, 1, "purchase is said by a column and for all rows");
    refuse_map(LEAST "}\npurchase: {spot: [x]}\n", 4, 1, "purchase has words, but no column");
    refuse_map("schema: gputab.rule/1\n", 1, 9, "gputab.rule/1");
}
END_TEST

/* ---- the examples ---- */

static void from_here(struct buf *b, const char *name)
{
    buf_adds(b, __FILE__);
    while (b->n && b->p[b->n - 1] != '/')
        b->n--;
    buf_adds(b, name);
}

static void expect_example(const char *name, const char *want)
{
    struct buf map = {0}, bill = {0};
    struct bill_maps *maps;
    const char *m, *p;
    char *got;

    from_here(&map, "../../examples/billing-maps/");
    buf_add_span(&bill, buf_span(&map));
    buf_addf(&map, "%s.yaml", name);
    buf_addf(&bill, "%s.csv", name);
    m = buf_str(&map);
    p = buf_str(&bill);
    ck_assert_msg(bill_maps_read(&maps, &m, 1, &w.err) == 0, "%s:%lld: %s", name, (long long)w.err.line, w.err.text);
    w.req.maps = bill_maps_dialects(maps);
    ck_assert_msg(bill_read(&p, 1, &w.req, &w.bill, &w.err) == 0, "%s:%lld: %s", name, (long long)w.err.line, w.err.text);
    got = dump();
    ck_assert_msg(strcmp(got, want) == 0, "got\n%s\nwant\n%s", got, want);
    free(got);
    bill_maps_free(maps);
    buf_free(&map);
    buf_free(&bill);
}

/* 744 h are the month, 384 h sixteen days of it; the day of the fee ends at midnight. */
START_TEST(the_bill_with_decimal_commas_adds_up)
{
    show("gex-1", "2026-10-05T10:10:00Z", "2026-10-05T10:50:00Z");
    show("gex-2", "2026-10-17T10:10:00Z", "2026-10-17T10:50:00Z");
    expect_example("hetzner", "gex-1 2026-10-01T00:00:00Z/2026-11-01T00:00:00Z cost 1184.25 invoiced 1184.25 ms 2678400000 on_demand FSN1\n"
                   "gex-2 2026-10-16T00:00:00Z/2026-11-01T00:00:00Z cost 611.2258 invoiced 611.2258 ms 1382400000 on_demand FSN1\n"
                   "attached x1 cost 3.5 invoiced 3.5\ntax x1 cost 356.82 invoiced 356.82\nfee x1 cost 79 invoiced 79\n");
}
END_TEST

/* 416 GPU hours of 8 GPUs are 52 h, from 8 h to 12 h two days later. The number of GPUs makes both GPU nodes, metrics or not. */
START_TEST(the_bill_of_gpu_hours_adds_up)
{
    expect_example("lambda", "gpu-1x-b 2026-10-06T23:30:00Z/2026-10-07T01:00:00Z "
                   "cost 2.235 invoiced 2.235 ms 5400000 reserved us-east-3 1x GH200 0/0/1000000\n"
                   "gpu-8x-a 2026-10-05T08:00:00Z/2026-10-07T12:00:00Z "
                   "cost 1243.84 invoiced 1243.84 ms 187200000 on_demand us-west-2 8x H100 SXM 0/0/8000000\n");
}
END_TEST

/* The day has 192 GPU hours: of as few GPUs as can have had them in 24 h, 8, while nothing says how many there are; the next has 96, of 4.
 * 571.20 + 50.40 + 12.9024 = 634.5024. */
START_TEST(the_bill_of_pieces_adds_up)
{
    expect_example("coreweave", "g1a2b3 2026-10-05T00:00:00Z/2026-10-06T00:00:00Z "
                   "cost 634.5024 invoiced 634.5024 ms 86400000 committed US-EAST-04A"
                   " | gpu  571.2 | cpu  50.4 | memory  12.9024\n"
                   "g1a2b3 2026-10-06T00:00:00Z/2026-10-07T00:00:00Z cost 285.6 invoiced 285.6 ms 86400000 committed US-EAST-04A"
                   " | gpu  285.6\n"
                   "attached x1 cost 0.7 invoiced 0.7\ncredit x1 cost -10 invoiced -10\n");
}
END_TEST

/* Examples of the FOCUS specification that a spreadsheet rewrote: python3's sums of Decimal over BilledCost and EffectiveCost without "$"
 * and ",", in dollars. Their times and amounts are no FOCUS, but a map reads them. */
static const struct {
    const char *name;
    int rows, billed, effective;
} rewritten[] = {
    {"saas_spend_agreements_a1", 4, 1200, 1200},             {"saas_spend_agreements_a2", 13, 1200, 1200},
    {"saas_spend_agreements_b1", 5, 1200, 1200},             {"saas_spend_agreements_b2", 14, 1200, 1200},
    {"simple_saas_agreements_a1", 1, 10000, 10000},          {"simple_saas_agreements_a2", 1, 50000, 50000},
    {"simple_saas_agreements_a3", 1, 1000, 1000},            {"simple_saas_agreements_b", 1, 50000, 50000},
    {"simple_saas_agreements_c", 3, 35800, 35800},           {"virtual_currency_pricing_model_a1", 1, 200000, 0},
    {"virtual_currency_pricing_model_a2", 3, 0, 1230},       {"virtual_currency_pricing_model_b1", 1, 100000, 0},
    {"virtual_currency_pricing_model_b2", 3, 0, 615},        {"virtual_currency_pricing_model_b3", 3, 0, 495},
    {"virtual_currency_pricing_model_c", 2, 53000, 0},
};

START_TEST(rewritten_examples_of_focus_are_read_by_a_map)
{
    static const char map[] = SCHEMA "times: MM/DD/YY\nnumbers: {symbol: \"$\", thousands: \",\"}\n"
                              "columns: {resource: ResourceId, start: ChargePeriodStart, end: ChargePeriodEnd, cost: EffectiveCost,\n"
                              "          billed: BilledCost, currency: BillingCurrency}\n";
    struct buf file = {0};
    struct bill_maps *maps;
    const char *m = map_path, *p;

    write_to(map_path, map, strlen(map));
    from_here(&file, "../data/focus/spec_examples/");
    buf_addf(&file, "%s.csv", rewritten[_i].name);
    p = buf_str(&file);
    ck_assert_int_eq(bill_maps_read(&maps, &m, 1, &w.err), 0);
    w.req.maps = bill_maps_dialects(maps);
    ck_assert_msg(bill_read(&p, 1, &w.req, &w.bill, &w.err) == 0, "%lld: %s", (long long)w.err.line, w.err.text);
    free(dump());
    ck_assert_int_eq(w.bill.rows, rewritten[_i].rows);
    ck_assert(w.bill.file_total == rewritten[_i].effective * MONEY_ONE);
    ck_assert(w.bill.file_invoiced == rewritten[_i].billed * MONEY_ONE);
    bill_maps_free(maps);
    buf_free(&file);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("bill, maps");
    TCase *t = tcase_create("generic");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, a_number_is_read_as_the_map_writes_it_or_not_at_all, 0, sizeof numbers / sizeof *numbers);
    tcase_add_test(t, the_least_map_reads_machines_intervals_and_cost);
    tcase_add_test(t, rows_of_a_day_have_the_zones_day_and_their_quantity);
    tcase_add_test(t, a_duration_stands_for_an_end);
    tcase_add_test(t, the_rule_chooses_the_cost_column);
    tcase_add_test(t, cells_that_are_not_written_as_the_map_says_are_refused_with_their_place);
    tcase_add_test(t, a_column_that_is_not_there_is_named_with_the_nearest_one);
    tcase_add_test(t, known_formats_are_read_beside_maps);
    tcase_add_test(t, a_wrong_map_is_refused_with_its_place);
    tcase_add_test(t, the_bill_with_decimal_commas_adds_up);
    tcase_add_test(t, the_bill_of_gpu_hours_adds_up);
    tcase_add_test(t, the_bill_of_pieces_adds_up);
    tcase_add_loop_test(t, rewritten_examples_of_focus_are_read_by_a_map, 0, sizeof rewritten / sizeof *rewritten);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    int fd = mkstemp(path), fd2 = mkstemp(map_path), rc;

    if (fd < 0 || fd2 < 0)
        return EXIT_FAILURE;
    close(fd);
    close(fd2);
    rc = unit_run(suite());
    unlink(path);
    unlink(map_path);
    return rc;
}
