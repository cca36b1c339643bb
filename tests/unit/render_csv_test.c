/* render_csv_test: exact bytes of the CSV, with names that break careless writers. */
#include "unit.h"

#include "gputab/render/render.h"
#include "report_fixture.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char numbers[] = "1.5 0 -1.00 2.00 0.50 1.50 null 0.25 0 0 0 0 1.50 1.50 1.499999999999 1.50 0 0 0";
#define NUMBERS ",1.500000,0.000000,-1.00,2.00,0.50,1.50,,0.250000,0.00,0.00,0.00,0.00,1.50,1.50,1.499999999999,1.50,0.00,0.00,0.00"
#define COLUMNS ",bucket,gpu_hours,vram_gib_hours,gpu_cost,cpu_cost,memory_cost,total_cost,requested_gpu_hours,resident_hours," \
                "used_cost,unheld_cost,idle_cost,shared_cost,min_cost,max_cost,total_exact,grade_A,grade_B,grade_C,grade_D"

static struct fixture f;
static struct buf out;
static struct render_cfg cfg;

static void setup(void)
{
    fixture_init(&f, KEYS("team"));
    out = (struct buf){0};
    cfg = (struct render_cfg){0};
}

static void teardown(void)
{
    fixture_free(&f);
    buf_free(&out);
}

static const char *csv(void)
{
    struct sink sink;

    buf_clear(&out);
    sink = (struct sink){.text = out};
    render_find(span_of("csv"))->run(&f.r, &cfg, &sink);
    out = sink.text;
    return buf_str(&out);
}

/* The first cell of the only row must read `expected`. */
static void name_becomes(const char *name, const char *expected)
{
    struct buf want = {0};

    teardown();
    fixture_init(&f, KEYS("team"));
    fixture_row(&f, KEYS(name), NULL, numbers);
    buf_addf(&want, "team%s\n%s,%s\n", COLUMNS, expected, NUMBERS);
    ck_assert_str_eq(csv(), buf_str(&want));
    buf_free(&want);
}

START_TEST(an_empty_report_is_a_head)
{
    ck_assert_str_eq(csv(), "team" COLUMNS "\n");
}
END_TEST

START_TEST(rows_follow_in_order_and_unknown_is_empty)
{
    fixture_row(&f, KEYS("nlp"), NULL, numbers);
    fixture_row(&f, KEYS("(idle)"), "(idle)", numbers);
    fixture_row(&f, (const char *const[]){NULL}, NULL, numbers);
    ck_assert_str_eq(csv(), "team" COLUMNS "\nnlp," NUMBERS "\n(idle),(idle)" NUMBERS "\n," NUMBERS "\n");
}
END_TEST

START_TEST(commas_quotes_and_line_breaks_are_quoted)
{
    name_becomes("a,b", "\"a,b\"");
    name_becomes("say \"hi\"", "\"say \"\"hi\"\"\"");
    name_becomes("\"", "\"\"\"\"");
    name_becomes("two\nlines", "\"two\nlines\"");
    name_becomes("a\rb", "\"a\rb\"");
}
END_TEST

START_TEST(text_that_a_spreadsheet_would_run_gets_an_apostrophe)
{
    name_becomes("=1+1", "'=1+1");
    name_becomes("+1", "'+1");
    name_becomes("-1", "'-1");
    name_becomes("@sum", "'@sum");
    name_becomes("\tx", "'\tx");
    name_becomes("\rx", "\"'\rx\"");
    name_becomes("=HYPERLINK(\"x\",\"y\")", "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
    name_becomes("a=1", "a=1");
    name_becomes("'quoted", "'quoted");
}
END_TEST

START_TEST(names_of_all_kinds_of_characters_stay_as_they_are)
{
    name_becomes("ml-prod/job-0_1.2:a@b", "ml-prod/job-0_1.2:a@b");
    name_becomes("2026-10-05", "2026-10-05");
    name_becomes("a b (c)! #$%&'*+~", "a b (c)! #$%&'*+~");
    name_becomes("a", "a");
    name_becomes("", "");
}
END_TEST

START_TEST(csv_raw_leaves_text_alone)
{
    cfg.csv_raw = true;
    name_becomes("=1+1", "=1+1");
    name_becomes("-a,b", "\"-a,b\"");
}
END_TEST

START_TEST(another_delimiter_is_what_text_is_quoted_for)
{
    fixture_row(&f, KEYS("a,b;c"), NULL, numbers);
    cfg.csv_delimiter = ';';
    cfg.csv_decimal = ',';
    ck_assert_ptr_nonnull(strstr(csv(), "team;bucket;gpu_hours;"));
    ck_assert_ptr_nonnull(strstr(csv(), "\n\"a,b;c\";;1,500000;0,000000;-1,00;2,00;0,50;1,50;;0,250000;"));
    ck_assert_ptr_nonnull(strstr(csv(), ";1,499999999999;1,50;0,00;0,00;0,00\n"));
    cfg.csv_delimiter = '\t';
    ck_assert_ptr_nonnull(strstr(csv(), "\na,b;c\t\t1,500000\t"));
    f.r.draft = true;
    ck_assert_ptr_nonnull(strstr(csv(), "grade_D\tdraft\n"));
    ck_assert_ptr_nonnull(strstr(csv(), "\t0,00\tDRAFT\n"));
    cfg.csv_delimiter = '|';
    fixture_row(&f, KEYS("a|b"), NULL, numbers);
    ck_assert_ptr_nonnull(strstr(csv(), "\n\"a|b\"||1,500000|"));
}
END_TEST

START_TEST(a_byte_order_mark_only_where_it_is_asked_for)
{
    cfg.csv_bom = true;
    ck_assert_str_eq(csv(), "\xef\xbb\xbfteam" COLUMNS "\n");
}
END_TEST

START_TEST(utf8_passes_and_malformed_bytes_are_replaced)
{
    name_becomes("Zürich 東京", "Zürich 東京");
    name_becomes("a\xff,b", "\"a\xef\xbf\xbd,b\"");
    name_becomes("\xc3", "\xef\xbf\xbd");
    name_becomes("a\xef\xbf\xbd" "b\xc3\xa9\xff" "c", "a\xef\xbf\xbd" "b\xc3\xa9\xef\xbf\xbd" "c");
}
END_TEST

START_TEST(a_draft_says_so_in_every_row)
{
    fixture_row(&f, KEYS("nlp"), NULL, numbers);
    f.r.draft = true;
    ck_assert_str_eq(csv(), "team" COLUMNS ",draft\nnlp," NUMBERS ",DRAFT\n");
}
END_TEST

START_TEST(formats_are_found_by_name_and_extension)
{
    ck_assert_str_eq(render_formats[0].name, "table");
    ck_assert_ptr_null(render_find(span_of("CSV")));
    ck_assert_ptr_null(render_find(span_of("XLSX")));
    ck_assert_str_eq(render_by_path("out/report.csv")->name, "csv");
    ck_assert_str_eq(render_by_path("a.b.JSONL")->name, "jsonl");
    ck_assert_str_eq(render_by_path("x.txt")->name, "plain");
    ck_assert_ptr_null(render_by_path("csv"));
    ck_assert_ptr_null(render_by_path(".csv"));
    ck_assert_ptr_null(render_by_path("dir/.csv"));
    ck_assert_ptr_null(render_by_path("a.csv/b"));
    ck_assert_ptr_null(render_by_path("a."));
    ck_assert_ptr_null(render_by_path(""));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("render_csv");
    TCase *t = tcase_create("csv");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, an_empty_report_is_a_head);
    tcase_add_test(t, rows_follow_in_order_and_unknown_is_empty);
    tcase_add_test(t, commas_quotes_and_line_breaks_are_quoted);
    tcase_add_test(t, text_that_a_spreadsheet_would_run_gets_an_apostrophe);
    tcase_add_test(t, names_of_all_kinds_of_characters_stay_as_they_are);
    tcase_add_test(t, csv_raw_leaves_text_alone);
    tcase_add_test(t, another_delimiter_is_what_text_is_quoted_for);
    tcase_add_test(t, a_byte_order_mark_only_where_it_is_asked_for);
    tcase_add_test(t, utf8_passes_and_malformed_bytes_are_replaced);
    tcase_add_test(t, a_draft_says_so_in_every_row);
    tcase_add_test(t, formats_are_found_by_name_and_extension);
    suite_add_tcase(s, t);
    return unit_run(s);
}
