/* render_xlsx_test: what stands in the parts of a workbook, read back with the program's own reader of archives. That sums are right in
 * every sheet is the business of tests/property/xlsx_property.py. */
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gputab/base/file.h"
#include "gputab/codec/unzip.h"
#include "gputab/render/formats.h"
#include "gputab/render/xlsx_grid.h"
#include "gputab/render/xlsx_proof.h"
#include "report_fixture.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* hours, GiB-hours, GPU, CPU, memory, total, requested, resident, used, unheld, idle, shared, least, most, exact, A to D */
#define TEN "2 30 7.00 2.00 1.00 10.00 2 2 7.00 0 0 0 10.00 10.00 10 10.00 0 0 0"
#define FIVE "1 8 4.00 0.50 0.50 5.00 1 1 3.00 1.00 0 0 5.00 5.00 5 5.00 0 0 0"
#define LEFT "1 0 3.00 0 0 3.00 null null 3.00 0 0 0 3.00 3.00 3 3.00 0 0 0"

static struct fixture f;
static struct buf out, part;
static struct render_cfg cfg;
static struct table *teams, *detail, *reasons, *days;

static void setup(void)
{
    fixture_init(&f, KEYS("team"));
    teams = fixture_part(&f, REPORT_TEAMS, KEYS("cost_centre", "team"));
    detail = fixture_part(&f, REPORT_DETAIL,
                          KEYS("cost_centre", "team", "namespace", "workload", "pod", "gpu_model", "region", "purchase"));
    reasons = fixture_part(&f, REPORT_REASONS, KEYS("reason", "gpu_model", "cluster", "node"));
    days = fixture_part(&f, REPORT_DAYS, KEYS("day", "gpu_model", "region", "purchase"));
    out = part = (struct buf){0};
    cfg = (struct render_cfg){0};
}

static void teardown(void)
{
    fixture_free(&f);
    buf_free(&out);
    buf_free(&part);
}

/* Two teams of one cost centre, 15.00, and 3.00 idle. */
static void fill(const char *first_team)
{
    static const char *names[] = {"nlp", "vision", NULL};

    vec_push(&f.r.cost_centres, (struct rule_cost_centre){.id = "0042", .name = "Research", .teams = names});
    fixture_table_row(teams, KEYS("0042", first_team), NULL, TEN);
    fixture_table_row(teams, KEYS("0042", "vision"), NULL, FIVE);
    fixture_table_row(teams, KEYS("(idle)", "(idle)"), "(idle)", LEFT);
    fixture_table_row(detail, KEYS("0042", first_team, "nlp-a", "Job/a", "a-0", "H100", "eu", "spot"), NULL, TEN);
    fixture_table_row(detail, KEYS("0042", "vision", "v", "Job/b", "b-0", "H100", "eu", "spot"), NULL, FIVE);
    fixture_table_row(detail, KEYS("(idle)", "(idle)", NULL, NULL, NULL, "H100", "eu", "spot"), "(idle)", LEFT);
    fixture_table_row(reasons, KEYS("empty-card", "H100", NULL, "n1"), "(idle)", LEFT);
    fixture_table_row(days, KEYS("2026-10-01", "H100", "eu", "spot"), NULL, TEN);
    fixture_table_row(days, KEYS("2026-10-02", "H100", "eu", "spot"), NULL, FIVE);
    fixture_table_row(days, KEYS("2026-10-01", "H100", "eu", "spot"), "(idle)", LEFT);
    fixture_totals(&f, "14.00", "2.50", "1.50", "18.00", "4");
    f.r.bridge.billed = f.r.bridge.total = f.r.totals.billed;
}

static int render(struct err *e)
{
    struct sink sink;
    int rc;

    buf_clear(&out);
    sink = (struct sink){.text = out};
    render_find(span_of("xlsx"))->run(&f.r, &cfg, &sink);
    rc = sink_end(&sink, e);
    out = sink.text;
    return rc;
}

static void make(void)
{
    struct err e = {0};

    ck_assert_msg(render(&e) == 0, "%s", e.text);
}

static int fill_from_buf(void *from, char *p, size_t n, struct err *e)
{
    struct span *rest = from;

    (void)e;
    n = n < rest->n ? n : rest->n;
    memcpy(p, rest->p, n);
    rest->p += n;
    rest->n -= n;
    return (int)n;
}

/* The text of a part; "" when there is none. */
static const char *text_of(const char *name)
{
    struct span rest = buf_span(&out);
    struct raw_input raw;
    struct unzip *z;
    struct err e = {0};

    buf_clear(&part);
    raw_input_over(&raw, fill_from_buf, &rest, "workbook");
    z = unzip_new(&raw, NULL);
    while (unzip_next(z, &e) > 0) {
        bool end = false, wanted = strcmp(unzip_name(z), name) == 0;
        uint8_t bytes[4096];
        int n;

        while (!end && (n = unzip_read(z, bytes, sizeof bytes, &end, &e)) >= 0)
            if (wanted)
                buf_add(&part, bytes, (size_t)n);
    }
    ck_assert_msg(e.code == ERR_NONE, "%s", e.text);
    unzip_free(z);
    raw_input_close(&raw);
    return buf_str(&part);
}

static void part_has(const char *name, const char *text)
{
    const char *all = text_of(name);

    ck_assert_msg(strstr(all, text) != NULL, "no %s in %s: %.2000s", text, name, all);
}

static void part_lacks(const char *name, const char *text)
{
    ck_assert_msg(strstr(text_of(name), text) == NULL, "%s in %s", text, name);
}

#define SUMMARY "xl/worksheets/sheet1.xml"
#define TEAMS "xl/worksheets/sheet2.xml"
#define DETAIL "xl/worksheets/sheet3.xml"
#define STRINGS "xl/sharedStrings.xml"

START_TEST(sheets_have_names_and_order)
{
    static const char *const names[] = {"Summary", "Teams", "Detail", "Buckets", "Reconcile", "Method", "Charts"};

    fill("nlp");
    make();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char want[80];

        snprintf(want, sizeof want, "<sheet name=\"%s\" sheetId=\"%zu\"", names[i], i + 1);
        part_has("xl/workbook.xml", want);
    }
    part_lacks("xl/workbook.xml", "name=\"Rows\"");
}
END_TEST

/* Summary: head in row 7, the cost centre in 8, its teams in 9 and 10, the buckets' in 11, (idle) in 12, the sum in 13; totals in F. */
START_TEST(sums_are_subtotals_with_their_values)
{
    fill("nlp");
    make();
    part_has(SUMMARY, "<f>SUBTOTAL(9,F9:F10)</f><v>15</v>");
    part_has(SUMMARY, "<f>SUBTOTAL(9,F12:F12)</f><v>3</v>");
    part_has(SUMMARY, "<f>SUBTOTAL(9,F8:F12)</f><v>18</v>");
    part_has(SUMMARY, "<f>IF($A$5=0,0,F9/$A$5)</f><v>0.555555555556</v>");           /* 10 of 18 */
    part_has(SUMMARY, "<f>IF(B13=0,0,F13/B13)</f><v>4.5</v>");                       /* 18.00 for 4 hours */
    part_has(DETAIL, "<f>SUBTOTAL(9,L5:L7)</f>");
}
END_TEST

START_TEST(the_same_report_gives_the_same_bytes)
{
    struct buf first;

    fill("nlp");
    make();
    first = out;
    out = (struct buf){0};
    make();
    ck_assert_uint_eq(first.n, out.n);
    ck_assert_mem_eq(first.p, out.p, out.n);
    part_has("docProps/core.xml", "2026-11-01T00:00:00Z</dcterms:created>");         /* the period's end, not today */
    buf_free(&first);
}
END_TEST

START_TEST(names_are_strings_whatever_they_begin_with)
{
    static const struct { const char *name, *stored; } names[] = {
        {"=2+5", ">=2+5<"}, {"+1", ">+1<"}, {"-1", ">-1<"}, {"@SUM(A1)", ">@SUM(A1)<"}, {"{=1}", ">{=1}<"}, {"0042", ">0042<"},
        {"1e3", ">1e3<"}, {"2026-10-01", ">2026-10-01<"}, {"http://x/y", ">http://x/y<"}, {"<b>&\"", ">&lt;b&gt;&amp;\"<"},
        {"Zürich 東京", ">Zürich 東京<"},
        {"a\xff", ">a\xef\xbf\xbd<"}, {"_x0041_", ">_x005F_x0041_<"}, {"a_x00e9_b", ">a_x005F_x00e9_b<"}, {"x_x004_", ">x_x004_<"},
        {"bell\a", ">bell_x0007_<"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        teardown();
        setup();
        fill(names[i].name);
        make();
        part_has(STRINGS, names[i].stored);
        part_lacks(SUMMARY, "<f>2+5");
        part_lacks(SUMMARY, "hyperlink");
    }
}
END_TEST

/* Longer than a cell may be: cut, and shown to be. */
START_TEST(a_text_of_any_length_fits)
{
    char *longest = xmalloc(40001);

    memset(longest, 'x', 40000);
    longest[40000] = '\0';
    fill(longest);
    make();
    part_has(STRINGS, "xx\xe2\x80\xa6<");
    free(longest);
}
END_TEST

START_TEST(text_cells_have_no_green_triangles)
{
    fill("nlp");
    make();
    part_has(SUMMARY, "<ignoredError sqref=\"A1:A1048576\" numberStoredAsText=\"1\"/>");
    part_has(SUMMARY, "<ignoredError sqref=\"B1:XFD1048576\" formulaRange=\"1\"/>");
    part_has(DETAIL, "<ignoredError sqref=\"A1:XFD1048576\" numberStoredAsText=\"1\"/>");
}
END_TEST

START_TEST(sheets_stay_readable_on_screen_and_paper)
{
    fill("nlp");
    make();
    part_has(SUMMARY, "<pane xSplit=\"1\" ySplit=\"7\"");
    part_has(DETAIL, "<pane ySplit=\"4\"");
    part_has(DETAIL, "orientation=\"landscape\"");
    part_has(DETAIL, "fitToHeight=\"0\"");
    part_has(DETAIL, "SHOWBACK  gputab 0.1.0&amp;C&amp;8&amp;A, page &amp;P of &amp;N&amp;R&amp;8run 33</oddFooter>");
    part_has("xl/workbook.xml", ">Detail!$1:$4<");
    part_has(TEAMS, "outlineLevel=\"1\"");
    part_has(TEAMS, "<autoFilter ref=\"A3:");
    part_has("xl/tables/table1.xml", "displayName=\"DetailRows\" ref=\"A4:");
}
END_TEST

START_TEST(number_formats_carry_the_currency_and_its_digits)
{
    fill("nlp");
    make();
    part_has("xl/styles.xml", "[$USD] #,##0.00;-[$USD] #,##0.00");
    teardown();
    setup();
    fill("nlp");
    f.r.currency = "JPY";
    f.r.digits = 0;
    make();
    part_has("xl/styles.xml", "[$JPY] #,##0;-[$JPY] #,##0");
    part_has(STRINGS, ">Total JPY<");
    part_lacks("xl/styles.xml", "USD");
}
END_TEST

START_TEST(a_draft_and_a_selection_say_so)
{
    fill("nlp");
    f.r.draft = f.r.filtered = true;
    f.bill.is_final = false;
    make();
    part_has(STRINGS, ">DRAFT SHOWBACK, FILTERED: not the whole bill<");
    part_has(STRINGS, ">bill ESTIMATED<");
    part_has(SUMMARY, "&amp;L&amp;8DRAFT SHOWBACK");
}
END_TEST

/* 2026-10-01 is day 46296 of Excel's calendar: 25569 (1970-01-01) + 20727. */
START_TEST(days_are_dates)
{
    fill("nlp");
    make();
    part_has("xl/worksheets/sheet7.xml", "<v>46296</v>");
    part_has("xl/worksheets/sheet7.xml", "<v>46297</v>");
}
END_TEST

START_TEST(own_keys_have_a_sheet_of_their_own)
{
    fill("nlp");
    vec_clear(&f.r.by);
    vec_push(&f.r.by, "day");
    table_free(&f.r.table);
    f.r.table = (struct table){0};
    fixture_columns(&f.r.table, KEYS("day"));
    fixture_row(&f, KEYS("2026-10-01"), NULL, TEN);
    make();
    part_has("xl/workbook.xml", "<sheet name=\"Rows\" sheetId=\"3\"");
    part_has("xl/worksheets/sheet3.xml", "<v>46296</v>");
}
END_TEST

static void add_budget(const char *team, const char *budget, const char *cost)
{
    vec_push(&f.r.notes.budgets, (struct budget_note){.team = team, .budget = fixture_number(budget), .cost = fixture_number(cost),
                                                      .over = fixture_number(cost) > fixture_number(budget)});
}

static void add_change(const char *team, bool bucket, const char *previous, const char *cost)
{
    vec_push(&f.r.notes.previous.teams, (struct change_note){.team = team, .bucket = bucket, .previous = fixture_number(previous),
                                                             .cost = fixture_number(cost)});
    f.r.notes.previous.period = (struct timespan){1788220800000, 1790812800000};     /* 2026-09 */
    f.r.notes.previous.rule_name = f.r.notes.previous.rule_version = "";
    f.r.notes.previous.rule_sha256 = f.r.rule_sha256;
}

/* Columns: F total, G share, then H budget, I % of it, J September, K change, L in %. nlp has 10.00 of 8.00, five quarters, and 10.00 after
 * 8.00 is 2.00 or a quarter more; vision has no budget and is new. Of Research a percentage would be of other teams' money. */
START_TEST(budgets_and_the_month_before_are_columns)
{
    fill("nlp");
    make();
    part_lacks(STRINGS, "Budget USD");
    part_lacks(STRINGS, "September");

    add_budget("nlp", "8.00", "10.00");
    add_change("nlp", false, "8.00", "10.00");
    add_change("vision", false, "0.00", "5.00");
    add_change("(idle)", true, "4.00", "3.00");
    make();
    part_has(STRINGS, ">Budget USD<");
    part_has(STRINGS, ">September 2026 USD<");
    part_has(STRINGS, ">! Over budget: nlp<");
    part_has(SUMMARY, "<f>IF(H9=0,0,F9/H9)</f><v>1.25</v>");
    part_has(SUMMARY, "<f>ROUND(F9-J9,2)</f><v>2</v>");
    part_has(SUMMARY, "<f>IF(J9=0,0,(F9-J9)/ABS(J9))</f><v>0.25</v>");
    part_has(SUMMARY, "<f>SUBTOTAL(9,J8:J12)</f><v>12</v>");                         /* 8 + 0 + 4 */
    part_has(SUMMARY, "<f>ROUND(F13-J13,2)</f><v>6</v>");                            /* 18 - 12 */
    part_lacks(SUMMARY, "<f>IF(H8=0,0,F8/H8)</f>");
    part_lacks(SUMMARY, "<f>IF(H10=0,0,F10/H10)</f>");
    part_has(STRINGS, ">new<");
    part_has(SUMMARY, "operator=\"greaterThan\"><formula>1</formula>");
    part_has("xl/styles.xml", "[&gt;1]&quot;! &quot;0.0%;0.0%");
}
END_TEST

/* A team that is gone and a budget without cost have lines of their own, in their cost centres, else the sums would lack them. */
START_TEST(who_has_no_cost_any_more_has_a_line)
{
    static const char *names[] = {"gone", NULL};

    fill("nlp");
    vec_push(&f.r.cost_centres, (struct rule_cost_centre){.id = "0017", .teams = names});
    add_budget("spare", "1.50", "0.00");
    add_change("gone", false, "7.00", "0.00");
    make();
    /* 0017 in row 8, gone in 9, 0042 in 10 to 12, teams in no cost centre in 13, spare in 14, buckets in 15 and 16, the sum in 17 */
    part_has(SUMMARY, "<f>SUBTOTAL(9,J9:J9)</f><v>7</v>");
    part_has(SUMMARY, "<f>ROUND(F9-J9,2)</f><v>-7</v>");
    part_has(SUMMARY, "<f>SUBTOTAL(9,H14:H14)</f><v>1.5</v>");
    part_has(SUMMARY, "<f>SUBTOTAL(9,F8:F16)</f><v>18</v>");

    f.r.filtered = true;                                     /* of a selection they would be what is not selected */
    make();
    part_lacks(STRINGS, ">gone<");
    part_lacks(STRINGS, ">spare<");
}
END_TEST

/* 5.00 of vision's 9.00 are selected: half a team says nothing of its budget. */
START_TEST(a_part_of_a_team_is_not_held_against_its_budget)
{
    fill("nlp");
    f.r.filtered = true;
    add_budget("nlp", "40.00", "10.00");
    add_budget("vision", "9.00", "9.00");
    make();
    part_has(SUMMARY, "<f>IF(H9=0,0,F9/H9)</f><v>0.25</v>");
    part_lacks(SUMMARY, "<f>IF(H10=0,0,F10/H10)</f>");
}
END_TEST

#define RECONCILE "xl/worksheets/sheet5.xml"

/* Checks in rows 6 to 13, the bridge from row 16 on: nodes, outside, rounding, total in 20; gates in 24 and 25. */
START_TEST(gates_are_shown_with_figure_and_limit)
{
    fill("nlp");
    make();
    part_lacks(STRINGS, "Gates of the rule");
    vec_push(&f.r.notes.gates, (struct gate_note){"coverage", fixture_number("0.9941"), fixture_number("0.98"), 4, .passed = true, .least = true});
    vec_push(&f.r.notes.gates, (struct gate_note){"max_unmapped", fixture_number("0.031"), fixture_number("0.02"), 4, .passed = false, .least = false});
    make();
    part_has(STRINGS, ">Gates of the rule: 1 of 2 passed; the sheet Reconcile shows which of them did not<");
    part_has(RECONCILE, "<v>0.9941</v>");
    part_has(RECONCILE, "<f>B24&gt;=C24</f><v>1</v>");
    part_has(RECONCILE, "<f>B25&lt;=C25</f><v>0</v>");
}
END_TEST

/* 18.00 of which 2.00 are the support contract: the nodes cost 16.00, and both together are what was allocated. */
START_TEST(shared_costs_have_lines_of_their_own)
{
    fill("nlp");
    vec_push(&f.r.shared, (struct report_shared){"support", "even", fixture_number("2.00"), fixture_number("2.00")});
    make();
    part_has(STRINGS, ">Shared cost support, even<");
    part_has(STRINGS, ">support: 2.00 USD, spread over the rows by the method even<");
    part_has(RECONCILE, "<v>16</v>");
    part_has(RECONCILE, "<f>SUM(C17:C18)</f><v>18</v>");
}
END_TEST

/* As it is, blanks and all; what is longer than a page goes on below, cut behind a comma. */
START_TEST(the_rule_is_shown_line_by_line)
{
    fill("nlp");
    f.r.rule_text = "gpu:\n  exclusive: held\n\n"
                    "  - {id: a, teams: [one-of-many-teams, two-of-many-teams, three-of-many-teams, four-of-many-teams, five-of-many-teams, "
                    "six-of-many-teams, seven]}\n";
    make();
    part_has(STRINGS, "<t xml:space=\"preserve\">  exclusive: held</t>");
    part_has(STRINGS, "four-of-many-teams, five-of-many-teams,</t>");
    part_has(STRINGS, ">      six-of-many-teams, seven]}</t>");
}
END_TEST

/* 140 letters behind "gputab " in a column that 104 fit: the word is broken, and the row as high as its three lines (3 x 13 + 2). */
START_TEST(rows_of_long_texts_are_high_enough)
{
    char command[160] = "gputab ";

    memset(command + 7, 'x', 140);
    fill("nlp");
    make();
    part_lacks("xl/worksheets/sheet6.xml", "ht=\"41\"");
    f.r.command = command;
    make();
    part_has("xl/worksheets/sheet6.xml", "ht=\"41\"");
}
END_TEST

static void add_rates_row(struct table *t, const char *region, const char *price)
{
    struct cell cells[] = {{.type = CELL_TEXT, .text = "H100"}, {.type = CELL_TEXT, .text = region}, {.type = CELL_TEXT, .text = "spot"},
                           {.type = CELL_MONEY, .number = fixture_number(price)}, {.type = CELL_TEXT, .text = "FOCUS"},
                           {.type = CELL_TEXT, .text = "none"}};

    table_add_row(t, cells);
}

/* Two regions of one model: 5.00 is a quarter above 4.00. Columns that the table lacks are passed over. */
START_TEST(rates_have_a_sheet)
{
    struct rates *rates = f.r.rates = xcalloc(1, sizeof *rates);

    fill("nlp");
    for (const char *const *key = KEYS("gpu_model", "region", "purchase"); *key; key++)
        table_add_column(&rates->pools, *key, COLUMN_KEY, 0);
    table_add_column(&rates->pools, "gpu_hour", COLUMN_MONEY, 6);
    table_add_column(&rates->pools, "purchase_source", COLUMN_KEY, 0);
    table_add_column(&rates->pools, "term", COLUMN_KEY, 0);
    add_rates_row(&rates->pools, "eu", "5.00");
    add_rates_row(&rates->pools, "us", "4.00");
    vec_push(&rates->answers, (struct rates_answer){"idle", "who absorbs idle time", "nobody; a price is held_gpu_hour"});
    vec_push(&rates->sources, (struct rates_source){"vCPU", fixture_number("0.03"), "rule"});
    make();
    part_has("xl/workbook.xml", "<sheet name=\"Rates\" sheetId=\"4\"");
    part_has("xl/worksheets/sheet4.xml", "<f>D10/D9-1</f><v>0.25</v>");
    part_has(STRINGS, ">Who absorbs idle time<");
    part_has(STRINGS, ">Nobody; a price is in the column per GPU hour that pods held<");
    part_has(STRINGS, ">committed term: none; purchase option by FOCUS<");
}
END_TEST

/* Unbilled hours count for nobody: below the sum, and in a column of their own. */
START_TEST(unbilled_hours_are_in_no_sum)
{
    fill("nlp");
    fixture_table_row(teams, KEYS("(unbilled)", "(unbilled)"), "(unbilled)", "9 0 0 0 0 0 null null 0 0 0 0 0 0 0 0 0 0 0");
    fixture_table_row(detail, KEYS("(unbilled)", "(unbilled)", NULL, NULL, NULL, "H100", NULL, NULL), "(unbilled)",
                      "9 0 0 0 0 0 null null 0 0 0 0 0 0 0 0 0 0 0");
    make();
    part_has(SUMMARY, "<f>SUBTOTAL(9,B8:B12)</f><v>4</v>");
    part_has(STRINGS, ">(unbilled), in no sum<");
    part_has(STRINGS, ">Unbilled GPU hours<");
    part_has(DETAIL, "<f>SUBTOTAL(9,J5:J8)</f><v>4</v>");
    part_has(DETAIL, "<f>SUBTOTAL(9,K5:K8)</f><v>9</v>");
}
END_TEST

START_TEST(an_amount_beyond_fifteen_digits_is_refused)
{
    struct err e = {0};

    fixture_table_row(teams, KEYS("c", "nlp"), NULL,
                      "1 1 9999999999999.99 0 0 9999999999999.99 1 1 0 0 0 0 9999999999999.99 9999999999999.99 1 0 0 0 0");
    ck_assert_int_eq(render(&e), 0);
    fixture_table_row(teams, KEYS("c", "vision"), NULL,
                      "1 1 10000000000000.00 0 0 10000000000000.00 1 1 0 0 0 0 10000000000000.00 10000000000000.00 1 0 0 0 0");
    ck_assert_int_eq(render(&e), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    ck_assert_str_eq(e.text, "an amount has more than the 15 digits that a spreadsheet keeps");
}
END_TEST

START_TEST(an_empty_report_is_a_workbook)
{
    make();
    part_has("xl/workbook.xml", "name=\"Detail\"");
    ck_assert_str_eq(text_of("xl/tables/table1.xml"), "");
}
END_TEST

/* ---- many rows ---- */

static void make_grid(const struct grid_spec *spec, bool large)
{
    struct sink sink = {.text = {0}};
    struct xlsx_book book;
    struct err e = {0};

    ck_assert_int_eq(xlsx_book_open(&book, &f.r, large), 0);
    xlsx_grid(&book, spec);
    xlsx_book_close(&book, &sink);
    ck_assert_msg(sink_end(&sink, &e) == 0, "%s", e.text);
    buf_free(&out);
    out = sink.text;
}

START_TEST(in_constant_memory_a_filter_stands_for_the_table)
{
    fill("nlp");
    make_grid(&(struct grid_spec){.name = "Detail", .title = "Detail", .what = "x", .part = f.r.parts[REPORT_DETAIL], .most = 10}, true);
    ck_assert_str_eq(text_of("xl/tables/table1.xml"), "");
    part_has("xl/worksheets/sheet1.xml", "<autoFilter ref=\"A4:");
    part_has("xl/worksheets/sheet1.xml", "<is><t>a-0</t></is>");
}
END_TEST

/* Two pods of a workload on two models each; one row too many: pods are given up, models are not. */
START_TEST(too_many_rows_are_added_up_by_workload)
{
    static const char *const folds[] = {"pod", "workload", "namespace", NULL};
    struct grid_spec spec = {.name = "Detail", .title = "Detail", .what = "Pods", .part = f.r.parts[REPORT_DETAIL], .folds = folds,
                             .most = 4, .beside = "report-detail.csv"};

    fixture_table_row(detail, KEYS("0042", "nlp", "a", "Job/a", "a-0", "A100", "eu", "spot"), NULL, TEN);
    fixture_table_row(detail, KEYS("0042", "nlp", "a", "Job/a", "a-0", "H100", "eu", "spot"), NULL, FIVE);
    fixture_table_row(detail, KEYS("0042", "nlp", "a", "Job/a", "a-1", "A100", "eu", "spot"), NULL, TEN);
    fixture_table_row(detail, KEYS("0042", "nlp", "a", "Job/a", "a-1", "H100", "eu", "spot"), NULL, FIVE);
    fixture_table_row(detail, KEYS("0042", "nlp", "a", "Job/b", "b-0", "H100", "eu", "spot"), NULL, FIVE);
    make_grid(&spec, false);
    part_has(STRINGS, ">Pods; the 5 rows are more than a sheet holds, those that differ only in pod are added up; "
                      "all of them are in report-detail.csv<");
    part_lacks(STRINGS, "a-0");
    part_has("xl/worksheets/sheet1.xml", "<v>20</v>");       /* both pods on A100, 10.00 each */
    part_has("xl/worksheets/sheet1.xml", "ref=\"A1:O7\"");   /* three rows below the head; the pods' column is gone */

    spec.most = 2;                                           /* three rows are too many: of the namespace two models are left */
    make_grid(&spec, false);
    part_has(STRINGS, "those that differ only in workload, pod are added up");
    part_has("xl/worksheets/sheet1.xml", "<v>15</v>");       /* three times 5.00 on H100 */
}
END_TEST

/* ---- proof ---- */

static int prove(const void *p, size_t n)
{
    int fd = file_nameless(), rc;
    struct err e = {0};

    ck_assert_int_eq(write(fd, p, n), (ssize_t)n);
    rc = xlsx_proof(fd, &e);
    close(fd);
    ck_assert_int_eq(e.code, rc < 0 ? ERR_INTERNAL : ERR_NONE);
    return rc;
}

START_TEST(an_archive_cut_off_anywhere_is_seen)
{
    fill("nlp");
    make();
    ck_assert_int_eq(prove(out.p, out.n), 0);
    for (size_t n = 0; n < out.n; n += 997)
        ck_assert_int_eq(prove(out.p, n), -1);
    ck_assert_int_eq(prove(out.p, out.n - 1), -1);
}
END_TEST

/* A part does not fit into a temporary file, though the archive, which is packed, would. */
START_TEST(a_part_that_a_full_disk_cut_off_is_an_error)
{
    struct rlimit limit = {300000, 300000};
    struct err e = {0};

    fill("nlp");
    for (int i = 0; i < 2000; i++)
        fixture_table_row(detail, KEYS("0042", "nlp", "nlp-a", "Job/a", "a-0", "H100", "eu", "spot"), NULL, TEN);
    make();
    ck_assert_uint_lt(out.n, limit.rlim_cur);
    ck_assert_uint_gt(strlen(text_of(DETAIL)), limit.rlim_cur);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(render(&e), -1);
    ck_assert_int_eq(e.code, ERR_INTERNAL);
    ck_assert_str_eq(e.text, "the workbook came out incomplete, in " DETAIL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("render_xlsx");
    TCase *t = tcase_create("xlsx");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_set_timeout(t, 30);
    tcase_add_test(t, sheets_have_names_and_order);
    tcase_add_test(t, sums_are_subtotals_with_their_values);
    tcase_add_test(t, the_same_report_gives_the_same_bytes);
    tcase_add_test(t, names_are_strings_whatever_they_begin_with);
    tcase_add_test(t, a_text_of_any_length_fits);
    tcase_add_test(t, text_cells_have_no_green_triangles);
    tcase_add_test(t, sheets_stay_readable_on_screen_and_paper);
    tcase_add_test(t, number_formats_carry_the_currency_and_its_digits);
    tcase_add_test(t, a_draft_and_a_selection_say_so);
    tcase_add_test(t, days_are_dates);
    tcase_add_test(t, own_keys_have_a_sheet_of_their_own);
    tcase_add_test(t, budgets_and_the_month_before_are_columns);
    tcase_add_test(t, who_has_no_cost_any_more_has_a_line);
    tcase_add_test(t, a_part_of_a_team_is_not_held_against_its_budget);
    tcase_add_test(t, gates_are_shown_with_figure_and_limit);
    tcase_add_test(t, shared_costs_have_lines_of_their_own);
    tcase_add_test(t, the_rule_is_shown_line_by_line);
    tcase_add_test(t, rows_of_long_texts_are_high_enough);
    tcase_add_test(t, rates_have_a_sheet);
    tcase_add_test(t, unbilled_hours_are_in_no_sum);
    tcase_add_test(t, an_amount_beyond_fifteen_digits_is_refused);
    tcase_add_test(t, an_empty_report_is_a_workbook);
    tcase_add_test(t, in_constant_memory_a_filter_stands_for_the_table);
    tcase_add_test(t, too_many_rows_are_added_up_by_workload);
    if (!getenv("CK_FORK"))                                  /* the limit holds for all that comes after */
        tcase_add_test(t, a_part_that_a_full_disk_cut_off_is_an_error);
    tcase_add_test(t, an_archive_cut_off_anywhere_is_seen);
    suite_add_tcase(s, t);
    return unit_run(s);
}
