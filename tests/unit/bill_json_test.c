/* bill_json: lines of objects as rows. The columns are those of Google Cloud's dialect; what they mean is bill_gcp_test's. */
#include "bill_fixture.h"

#define ROW(cost) "{\"usage_start_time\":\"2026-10-05T10:00:00Z\",\"usage_end_time\":\"2026-10-05T11:00:00Z\"," \
    "\"sku\":{\"id\":\"1\",\"description\":\"x\"},\"currency\":\"USD\",\"resource\":{\"name\":\"\"},\"cost\":" cost "}"

static void expect_total(const char *text, size_t n, int64_t rows, const char *total)
{
    money want = 0;

    ck_assert_int_eq(money_parse(span_of(total), &want, NULL), 0);
    ck_assert_msg(read_bytes(text, n) == 0, "%s:%lld:%lld: %s", w.err.file, (long long)w.err.line, (long long)w.err.column, w.err.text);
    ck_assert_int_eq(w.bill.rows, rows);
    ck_assert(w.bill.file_total == want);
}

static const struct { const char *text; int64_t rows; const char *total; } fine[] = {
    {ROW("1") "\n" ROW("2") "\n", 2, "3"},
    {ROW("1") "\r\n\r\n   \n" ROW("2") "\r\n", 2, "3"},
    {"\xef\xbb\xbf" ROW("1") "\n\xef\xbb\xbf" ROW("2") "\n", 2, "3"},
    {"\n\n " ROW("1") " \n", 1, "1"},
    {ROW("\"1.25\"") "\n" ROW("-2.5e-1") "\n", 2, "1"},      /* numbers may be texts, and are as exact as written */
    {ROW("0.123456789012") "\n", 1, "0.123456789012"},
    {ROW("1,\"labels\":[{\"a\":[1,{\"b\":[]}]}],\"price\":{\"tiers\":{\"x\":null},\"y\":[]},\"q\":true") "\n", 1, "1"},
    {ROW("1,\"credits\":null") "\n", 1, "1"},
    {ROW("1,\"credits\":[]") "\n", 1, "1"},
    {ROW("1,\"credits\":[{\"amount\":-0.25,\"type\":\"DISCOUNT\",\"n\\\"ame\":\"\\u0041\\n\",\"x\":{\"y\":[false]}}]") "\n", 1, "0.75"},
    {ROW("1,\"Cost_Type\":\"regular\"") "\n", 1, "1"},
    {ROW("1,\"\":5") "\n", 1, "1"},
};

START_TEST(objects_are_rows_however_their_lines_end)
{
    expect_total(fine[_i].text, strlen(fine[_i].text), fine[_i].rows, fine[_i].total);
}
END_TEST

/* A row may have members that the first has not. */
START_TEST(members_that_are_null_may_be_left_out)
{
    static const char text[] = ROW("1") "\n" ROW("2,\"cost_type\":\"tax\"") "\n" ROW("4") "\n";

    expect_total(text, strlen(text), 3, "7");
    ck_assert(w.bill.groups[GROUP_TAX] == 2 * MONEY_ONE);
}
END_TEST

static const struct { const char *text; int line; const char *want, *hint; } wrong[] = {
    {ROW("1") "\n" ROW("1,\"cost\":2") "\n", 2, "\"cost\" is there twice in one object", ""},
    {ROW("1") "\n[1]\n", 2, "line is no JSON object", ""},
    {ROW("1") "\n5\n", 2, "line is no JSON object", ""},
    {ROW("1") "\n" ROW("1") ROW("2") "\n", 2, "'{' where the end should be", ""},
    {ROW("1") "\n{\"cost\":}\n", 2, "'}' where a value should be", ""},
    {ROW("1") "\n{\"cost\":1,\n", 2, "JSON object goes on behind the end of the line", "jq -c"},
    {"{\n  \"cost\": 1\n}\n", 1, "JSON object goes on behind the end of the line", "manifest"},
    {ROW("1") "\n{\"cost\":1", 2, "file ends in the middle of a row, at byte 177", "copy the file again"},
    {"{}\n", 1, "is JSON (a manifest?), and its first object has no member of any known bill", "files that the manifest names"},
    {"{\"reportKeys\": []}\n", 1, "is JSON (a manifest?), and its first object has no member of any known bill", ""},
    {"{\"cost\":1,\"currency\":\"USD\"}\n", 1,
     "header is of no known bill; nearest is Google Cloud detailed export: it has cost, currency, it lacks", ""},
    {ROW("1") "\n" ROW("1e400") "\n", 2, "column \"cost\": \"1e400\" is not a decimal number", ""},
    {ROW("1") "\n\n{\"usage_start_time\":\"x\"}\n", 3, "column \"usage_start_time\": \"x\" is not a time", ""},
};

START_TEST(what_is_no_bill_of_objects_is_said_with_its_line)
{
    ck_assert_int_eq(read_bytes(wrong[_i].text, strlen(wrong[_i].text)), -1);
    expect_error(wrong[_i].line, wrong[_i].want);
    ck_assert_msg(strstr(w.err.hint, wrong[_i].hint) != NULL, "hint: %s", w.err.hint);
}
END_TEST

START_TEST(the_columns_of_a_mistake_are_those_of_the_line)
{
    static const char text[] = ROW("1") "\n  {\"cost\": x}\n";

    ck_assert_int_eq(read_bytes(text, strlen(text)), -1);
    ck_assert_int_eq(w.err.line, 2);
    ck_assert_int_eq(w.err.column, 12);
}
END_TEST

START_TEST(a_last_line_without_an_end_is_warned_of)
{
    static const char text[] = ROW("1") "\n" ROW("2");

    expect_total(text, strlen(text), 2, "3");
    ck_assert_ptr_ne(diag_find(&w.diag, "W100"), NULL);
}
END_TEST

START_TEST(names_have_an_end)
{
    struct buf b = {0};

    buf_adds(&b, ROW("1") "\n{");
    for (int i = 0; i < 1 << 14; i++)
        buf_addf(&b, "%s\"n%d\":1", i ? "," : "", i);
    buf_adds(&b, "}\n");
    ck_assert_int_eq(read_bytes(b.p, b.n), -1);
    expect_error(2, "more than 16384 different names");
    buf_free(&b);
}
END_TEST

START_TEST(lines_have_an_end)
{
    struct buf b = {0};

    buf_adds(&b, ROW("1") "\n{\"a\":[");
    for (int i = 0; i < (17 << 20) / 2; i++)
        buf_adds(&b, "1,");
    ck_assert_int_eq(read_bytes(b.p, b.n), -1);
    expect_error(2, "line is longer than 16777216 bytes");
    buf_free(&b);
}
END_TEST

/* Lines over borders of blocks: 3000 rows of some 300 bytes. */
START_TEST(rows_cross_the_borders_of_blocks)
{
    struct buf b = {0};

    for (int i = 0; i < 3000; i++)
        buf_addf(&b, ROW("1,\"pad\":\"%0*d\"") "\n", 1 + i % 200, 7);
    expect_total(b.p, b.n, 3000, "3000");
    buf_free(&b);
}
END_TEST

/* Any known bill may come so: the members are its columns. */
START_TEST(other_bills_may_be_objects_too)
{
    static const char text[] =
        "{\"BilledCost\":1,\"EffectiveCost\":2,\"BillingCurrency\":\"USD\",\"ChargeCategory\":\"Usage\","
        "\"ChargePeriodStart\":\"2026-10-05T10:00:00Z\",\"ChargePeriodEnd\":\"2026-10-05T11:00:00Z\",\"ResourceId\":\"i-0a\","
        "\"SkuPriceDetails\":{\"InstanceType\":\"g5.xlarge\"}}\n";
    char *got;

    expect_total(text, strlen(text), 1, "2");
    got = dump();
    ck_assert_str_eq(got, "i-0a 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 2 invoiced 1 ms 3600000 unknown g5.xlarge\n");
    free(got);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_json");
    TCase *t = tcase_create("bill_json");
    int fd = mkstemp(path), rc;

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, objects_are_rows_however_their_lines_end, 0, sizeof fine / sizeof *fine);
    tcase_add_test(t, members_that_are_null_may_be_left_out);
    tcase_add_loop_test(t, what_is_no_bill_of_objects_is_said_with_its_line, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(t, the_columns_of_a_mistake_are_those_of_the_line);
    tcase_add_test(t, a_last_line_without_an_end_is_warned_of);
    tcase_add_test(t, names_have_an_end);
    tcase_add_test(t, lines_have_an_end);
    tcase_add_test(t, rows_cross_the_borders_of_blocks);
    tcase_add_test(t, other_bills_may_be_objects_too);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
