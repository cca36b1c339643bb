/* render_json_test: exact bytes of a small report, and what jansson reads back from tricky ones. */
#include "unit.h"

#include <jansson.h>

#include "gputab/render/render.h"
#include "report_fixture.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char numbers[] = "1.5 0 -1.00 2.00 0.50 1.50 null 0.25 0 0 0 0 1.50 1.50 1.499999999999 1.50 0 0 0";
#define NUMBERS "\"gpu_hours\":\"1.500000\",\"vram_gib_hours\":\"0.000000\",\"gpu_cost\":\"-1.00\",\"cpu_cost\":\"2.00\"," \
    "\"memory_cost\":\"0.50\",\"total_cost\":\"1.50\",\"requested_gpu_hours\":null,\"resident_hours\":\"0.250000\",\"used_cost\":\"0.00\"," \
    "\"unheld_cost\":\"0.00\",\"idle_cost\":\"0.00\",\"shared_cost\":\"0.00\",\"min_cost\":\"1.50\",\"max_cost\":\"1.50\"," \
    "\"total_exact\":\"1.499999999999\",\"grade\":{\"A\":\"1.50\",\"B\":\"0.00\",\"C\":\"0.00\",\"D\":\"0.00\"}"

static struct fixture f;
static struct buf out;

static void setup(void)
{
    fixture_init(&f, KEYS("team", "gpu_model"));
    out = (struct buf){0};
}

static void teardown(void)
{
    fixture_free(&f);
    buf_free(&out);
}

static const char *render(const char *format)
{
    struct render_cfg cfg = {0};
    struct sink sink;

    buf_clear(&out);
    sink = (struct sink){.text = out};
    render_find(span_of(format))->run(&f.r, &cfg, &sink);
    out = sink.text;
    return buf_str(&out);
}

static json_t *parsed(void)
{
    json_error_t error;
    json_t *root = json_loads(render("json"), JSON_REJECT_DUPLICATES, &error);

    ck_assert_msg(root != NULL, "%s", error.text);
    return root;
}

START_TEST(the_object_has_its_order_and_its_layout)
{
    fixture_row(&f, KEYS("nlp", "NVIDIA H100"), NULL, numbers);
    fixture_row(&f, (const char *const[]){"(idle)", NULL}, "(idle)", numbers);
    fixture_totals(&f, "-2.00", "4.00", "1.00", "3.00", "3");
    f.r.groups[GROUP_TAX] = fixture_number("0.30");
    f.r.groups_invoiced[GROUP_TAX] = fixture_number("0.31");
    f.bill.group_rows[GROUP_CREDIT] = 2;           /* credits that cancel each other are still a group */
    f.r.bridge.billed = fixture_number("3.00");
    f.r.bridge.groups = fixture_number("0.30");
    f.r.bridge.total = fixture_number("3.30");
    f.bill.is_final = false;
    diag_add(&f.diag, "W201", "b");
    diag_add(&f.diag, "W201", "a");
    ck_assert_str_eq(render("json"),
        "{\n"
        "  \"schema\": \"gputab.report/1\",\n"
        "  \"mode\": \"showback\",\n"
        "  \"period\": {\"from\":\"2026-10-01T00:00:00Z\",\"to\":\"2026-11-01T00:00:00Z\",\"hours\":744},\n"
        "  \"currency\": \"USD\",\n"
        "  \"rule\": {\"name\":\"vram-residency\",\"version\":\"1\",\"sha256\":\"11\"},\n"
        "  \"split\": {\"method\":\"reference\",\"gpu_share\":\"0.8412\"},\n"
        "  \"by\": [\"team\",\"gpu_model\"],\n"
        "  \"rows\": [\n"
        "    {\"team\":\"nlp\",\"gpu_model\":\"NVIDIA H100\",\"bucket\":null," NUMBERS "},\n"
        "    {\"team\":\"(idle)\",\"gpu_model\":null,\"bucket\":\"(idle)\"," NUMBERS "}\n"
        "  ],\n"
        "  \"totals\": {\"gpu_cost\":\"-2.00\",\"cpu_cost\":\"4.00\",\"memory_cost\":\"1.00\",\"total_cost\":\"3.00\",\"billed\":\"3.00\","
        "\"difference\":\"0.00\",\"gpu_hours\":\"3.000000\"},\n"
        "  \"bill\": {\n"
        "    \"files\": [\n"
        "      {\"name\":\"billing.csv\",\"sha256\":\"55\",\"rows\":1000,\"rows_used\":10}\n"
        "    ],\n"
        "    \"groups\": [\n"
        "      {\"group\":\"tax\",\"cost\":\"0.30\",\"invoiced\":\"0.31\"},\n"
        "      {\"group\":\"credit\",\"cost\":\"0.00\",\"invoiced\":\"0.00\"}\n"
        "    ],\n"
        "    \"final\": false\n"
        "  },\n"
        "  \"bridge\": {\n"
        "    \"cost\": {\"file_total\":\"3.30\",\"billed\":\"3.00\",\"groups\":\"0.30\",\"outside_period\":\"0.00\"},\n"
        "    \"invoiced\": {\"file_total\":\"0.00\",\"billed\":\"0.00\",\"groups\":\"0.00\",\"outside_period\":\"0.00\"}\n"
        "  },\n"
        "  \"tool\": {\"name\":\"gputab\",\"version\":\"0.1.0\"},\n"
        "  \"catalogue\": {\"version\":\"2026.1\",\"sha256\":\"22\"},\n"
        "  \"metrics\": [\n"
        "    {\"source\":\"metrics.om\",\"sha256\":\"44\"}\n"
        "  ],\n"
        "  \"run_id\": \"33\",\n"
        "  \"coverage\": \"0.9941\",\n"
        "  \"warnings\": [\n"
        "    {\"code\":\"W201\",\"count\":2,\"text\":\"a\"}\n"
        "  ]\n"
        "}\n");
}
END_TEST

START_TEST(an_empty_report_has_empty_lists_and_no_currency)
{
    json_t *root;

    f.r.currency = "";
    root = parsed();
    ck_assert(json_is_array(json_object_get(root, "rows")));
    ck_assert_uint_eq(json_array_size(json_object_get(root, "rows")), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(root, "warnings")), 0);
    ck_assert(json_is_null(json_object_get(root, "currency")));
    ck_assert_ptr_nonnull(strstr(buf_str(&out), "\"rows\": [],\n"));
    json_decref(root);
}
END_TEST

START_TEST(names_come_back_as_they_went_in)
{
    static const char *const names[] = {"=1+1", "Zürich 東京 😀", "a\"b\\c,d\ne\tf", "\x01\x7f", "0042"};
    json_t *root;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        fixture_row(&f, KEYS(names[i], ""), NULL, numbers);
    root = parsed();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(root, "rows"), i), "team")), names[i]);
    json_decref(root);
}
END_TEST

START_TEST(malformed_utf8_does_not_break_the_document)
{
    json_t *root;

    fixture_row(&f, KEYS("a\xff", "\xed\xa0\x80"), NULL, numbers);
    root = parsed();
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(root, "rows"), 0), "team")), "a\xef\xbf\xbd");
    json_decref(root);
}
END_TEST

START_TEST(filtered_and_draft_stand_only_where_they_hold)
{
    json_t *root = parsed();

    ck_assert_ptr_null(json_object_get(root, "filtered"));
    ck_assert_ptr_null(json_object_get(root, "draft"));
    json_decref(root);
    f.r.filtered = f.r.draft = true;
    root = parsed();
    ck_assert(json_is_true(json_object_get(root, "filtered")));
    ck_assert(json_is_true(json_object_get(root, "draft")));
    json_decref(root);
}
END_TEST

/* What a run was checked against; without notes none of these members is there. */
START_TEST(notes_are_members_of_their_own)
{
    struct notes *n = &f.r.notes;

    f.r.filtered = true;
    n->only = "(unmapped)";
    n->sort = "total_cost";
    n->descending = true;
    n->top = 3;
    vec_push(&n->gates, (struct gate_note){"coverage", fixture_number("0.97996"), fixture_number("0.98"), 5, .passed = false, .least = true});
    vec_push(&n->budgets, (struct budget_note){"nlp", fixture_number("40000"), fixture_number("41827.87"), fixture_number("104.57"), true});
    vec_push(&n->unmapped, (struct namespace_note){"web \"x\"", fixture_number("12.5")});
    n->previous.period = (struct timespan){0, TIME_DAY};
    n->previous.rule_name = "old";
    n->previous.rule_version = n->previous.rule_sha256 = n->previous.run_id = "7";
    vec_push(&n->previous.teams, (struct change_note){"nlp", false, fixture_number("10"), fixture_number("12.5"), fixture_number("25")});
    vec_push(&n->previous.teams, (struct change_note){"(idle)", true, fixture_number("2"), 0, fixture_number("-100")});
    render("json");
    ck_assert_ptr_nonnull(strstr(buf_str(&out),
        "  \"filtered\": true,\n  \"only\": \"(unmapped)\",\n  \"sort\": {\"column\":\"total_cost\",\"order\":\"desc\"},\n  \"top\": 3,\n"
        "  \"rows\": [],\n"));
    ck_assert_ptr_nonnull(strstr(buf_str(&out),
        "  \"coverage\": \"0.9941\",\n"
        "  \"gates\": [\n    {\"name\":\"coverage\",\"value\":\"0.97996\",\"limit\":\"0.98000\",\"passed\":false}\n  ],\n"
        "  \"budgets\": [\n    {\"team\":\"nlp\",\"budget\":\"40000.00\",\"cost\":\"41827.87\",\"percent\":\"104.57\"}\n  ],\n"
        "  \"previous\": {\n"
        "    \"period\": {\"from\":\"1970-01-01T00:00:00Z\",\"to\":\"1970-01-02T00:00:00Z\"},\n"
        "    \"rule\": {\"name\":\"old\",\"version\":\"7\",\"sha256\":\"7\"},\n"
        "    \"run_id\": \"7\",\n"
        "    \"teams\": [\n"
        "      {\"team\":\"nlp\",\"bucket\":null,\"previous\":\"10.00\",\"cost\":\"12.50\",\"change\":\"2.50\",\"percent\":\"25.00\"},\n"
        "      {\"team\":\"(idle)\",\"bucket\":\"(idle)\",\"previous\":\"2.00\",\"cost\":\"0.00\",\"change\":\"-2.00\",\"percent\":\"-100.00\"}\n"
        "    ]\n  },\n"
        "  \"unmapped\": [\n    {\"namespace\":\"web \\\"x\\\"\",\"cost\":\"12.50\"}\n  ],\n  \"warnings\""));
}
END_TEST

START_TEST(currencies_without_minor_units_have_no_decimals)
{
    f.r.digits = 0;
    f.r.currency = "JPY";
    fixture_totals(&f, "12", "3", "0", "15", "1");
    ck_assert_ptr_nonnull(strstr(render("json"), "\"total_cost\":\"15\",\"billed\":\"15\",\"difference\":\"0\",\"gpu_hours\":\"1.000000\""));
}
END_TEST

START_TEST(a_period_that_is_no_whole_hour_is_exact)
{
    f.r.period.to = f.r.period.from + 5400000;
    ck_assert_ptr_nonnull(strstr(render("json"), "\"to\":\"2026-10-01T01:30:00Z\",\"hours\":1.5}"));
}
END_TEST

START_TEST(a_line_of_jsonl_describes_itself)
{
    fixture_row(&f, KEYS("nlp", "NVIDIA H100"), NULL, numbers);
    fixture_row(&f, KEYS("line\nbreak", "x"), NULL, numbers);
    ck_assert_str_eq(render("jsonl"),
        "{\"schema\":\"gputab.report/1\",\"period\":{\"from\":\"2026-10-01T00:00:00Z\",\"to\":\"2026-11-01T00:00:00Z\",\"hours\":744},"
        "\"currency\":\"USD\",\"team\":\"nlp\",\"gpu_model\":\"NVIDIA H100\",\"bucket\":null," NUMBERS "}\n"
        "{\"schema\":\"gputab.report/1\",\"period\":{\"from\":\"2026-10-01T00:00:00Z\",\"to\":\"2026-11-01T00:00:00Z\",\"hours\":744},"
        "\"currency\":\"USD\",\"team\":\"line\\nbreak\",\"gpu_model\":\"x\",\"bucket\":null," NUMBERS "}\n");
}
END_TEST

START_TEST(jsonl_of_nothing_is_nothing)
{
    ck_assert_str_eq(render("jsonl"), "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("render_json");
    TCase *t = tcase_create("json");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, the_object_has_its_order_and_its_layout);
    tcase_add_test(t, an_empty_report_has_empty_lists_and_no_currency);
    tcase_add_test(t, names_come_back_as_they_went_in);
    tcase_add_test(t, malformed_utf8_does_not_break_the_document);
    tcase_add_test(t, filtered_and_draft_stand_only_where_they_hold);
    tcase_add_test(t, notes_are_members_of_their_own);
    tcase_add_test(t, currencies_without_minor_units_have_no_decimals);
    tcase_add_test(t, a_period_that_is_no_whole_hour_is_exact);
    tcase_add_test(t, a_line_of_jsonl_describes_itself);
    tcase_add_test(t, jsonl_of_nothing_is_nothing);
    suite_add_tcase(s, t);
    return unit_run(s);
}
