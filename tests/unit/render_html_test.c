/* render_html_test: the HTML page: what no name may do to it, what its policy lets in, what it says of drafts, and that cutting it
 * loses nothing. */
#include "unit.h"

#include <openssl/evp.h>
#include <stdio.h>

#include "gputab/render/render.h"
#include "report_fixture.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char numbers[] = "1.5 0 1.00 2.00 0.50 3.50 null 0.25 0.75 0.25 0 0 3.50 3.50 3.500000000000 3.50 0 0 0";

static struct fixture f;
static struct buf out;

static void setup(void)
{
    fixture_init(&f, KEYS("team"));
    fixture_totals(&f, "1.00", "2.00", "0.50", "3.50", "1.5");
    out = (struct buf){0};
}

static void teardown(void)
{
    fixture_free(&f);
    buf_free(&out);
}

static const char *html(void)
{
    struct render_cfg cfg = {0};
    struct sink sink;

    buf_clear(&out);
    sink = (struct sink){.text = out};
    render_find(span_of("html"))->run(&f.r, &cfg, &sink);
    out = sink.text;
    return buf_str(&out);
}

/* The page without what is between these tags, which is the same in every page. */
static void cut_element(char *page, const char *begin, const char *end)
{
    char *from = strstr(page, begin), *to = from ? strstr(from, end) : NULL;

    ck_assert_ptr_nonnull(to);
    memmove(from, to, strlen(to) + 1);
}

static char *rest_of_page(void)
{
    char *page = xstrdup(html());

    cut_element(page, "<style>", "</style>");
    cut_element(page, "<script>", "</script>");
    return page;
}

static void page_has(const char *text)
{
    if (!strstr(html(), text))
        ck_abort_msg("the page lacks: %s", text);
}

static void page_lacks(const char *text)
{
    char *page = rest_of_page();

    if (strstr(page, text))
        ck_abort_msg("the page has: %.200s", strstr(page, text));
    free(page);
}

START_TEST(names_are_text_wherever_they_stand)
{
    fixture_row(&f, KEYS("</title><script>alert(1)</script>"), NULL, numbers);
    f.r.rule_name = "\"><img src=x onerror=alert(2)>";
    f.bill.files.v[0].name[0] = '<';                         /* "<illing.csv" */
    f.r.metrics.v[0].name = "a'b&c`d";
    diag_add(&f.diag, "W201", "pod <iframe>\001\xe2\x80\xae");
    page_has("<bdi>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi>");
    page_has("&quot;&gt;&lt;img src=x onerror=alert(2)&gt;");
    page_has("<bdi>&lt;illing.csv</bdi>");
    page_has("<bdi>a&#39;b&amp;c&#96;d</bdi>");
    page_has("<bdi>pod &lt;iframe&gt;\xef\xbf\xbd\xef\xbf\xbd</bdi>");
    page_lacks("<script>alert");
    page_lacks("<img");
    page_lacks("<iframe");
}
END_TEST

/* The hash of all bytes between the tags, as a policy spells it; by other code than the page's. */
static void hash_of(const char *page, const char *begin, const char *end, char *text, size_t size)
{
    const char *from = strstr(page, begin) + strlen(begin), *to = strstr(from, end);
    unsigned char digest[32], base64[64];

    ck_assert_int_eq(EVP_Digest(from, (size_t)(to - from), digest, NULL, EVP_sha256(), NULL), 1);
    EVP_EncodeBlock(base64, digest, sizeof digest);
    snprintf(text, size, "'sha256-%s'", base64);
}

START_TEST(the_policy_lets_in_the_pages_own_style_and_script_and_nothing_else)
{
    char style[80], script[80], policy[400];
    const char *page = html();

    hash_of(page, "<style>", "</style>", style, sizeof style);
    hash_of(page, "<script>", "</script>", script, sizeof script);
    snprintf(policy, sizeof policy, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src %s; "
             "script-src %s; base-uri 'none'; form-action 'none'\">", style, script);
    page_has(policy);
}
END_TEST

START_TEST(nothing_points_outside_or_has_a_style_or_handler_of_its_own)
{
    fixture_row(&f, KEYS("nlp"), NULL, numbers);
    page_lacks("http:");
    page_lacks("https:");
    page_lacks(" src=");
    page_lacks(" style=");
    page_lacks(" onclick=");
    page_lacks("<link");
}
END_TEST

START_TEST(figures_carry_their_plain_form)
{
    fixture_row(&f, KEYS("nlp"), NULL,
                "1234.5 0 1.00 2.00 1234567.50 1234570.50 null 0 1.00 0 0 0 1234570.50 1234570.50 1234570.5 1 0 0 0");
    fixture_totals(&f, "1.00", "2.00", "1234567.50", "1234570.50", "1234.5");
    page_has("<th scope=\"col\" class=\"n total\" data-k=\"total_cost\"");
    page_has("<td class=\"n total\" data-v=\"1234570.50\">1,234,570.50</td>");
}
END_TEST

START_TEST(a_draft_is_marked_in_title_banner_and_foot)
{
    f.r.draft = true;
    page_has("<title>GPU costs October 2026: showback (DRAFT)</title>");
    page_has("<body class=\"draft\">");
    page_has("<span class=\"badge bad\">DRAFT</span>");
    page_has("showback, DRAFT, gputab 0.1.0");
}
END_TEST

START_TEST(what_is_no_draft_says_so_nowhere)
{
    page_has("<title>GPU costs October 2026: showback</title>");
    page_lacks("DRAFT");
    page_has("<span class=\"badge good\">BILL FINAL</span>");
}
END_TEST

START_TEST(an_estimated_bill_and_a_filter_are_said_before_any_figure)
{
    f.bill.is_final = false;
    f.r.filtered = true;
    page_has("<span class=\"badge warn\">BILL ESTIMATED</span>");
    page_has("<span class=\"badge warn\">FILTERED</span>");
    page_has("The bill is estimated");
    page_has("No row matches the filter.");
}
END_TEST

START_TEST(a_period_that_is_no_month_is_given_by_its_ends)
{
    f.r.period = (struct timespan){1791194400000, 1791198000000};      /* 2026-10-05T10:00:00Z and an hour */
    page_has("<title>GPU costs 2026-10-05 10:00:00 to 2026-10-05 11:00:00 UTC: showback</title>");
    page_has("UTC, 1 hour</dd>");
}
END_TEST

START_TEST(lines_without_room_stand_as_one_sum)
{
    struct buf name = {0};

    for (int i = 0; i < 2003; i++) {                         /* room is for 2000; three of 3.50 each are left: 10.50 */
        buf_clear(&name);
        buf_addf(&name, "team-%04d", i);
        fixture_row(&f, KEYS(buf_str(&name)), NULL, numbers);
    }
    buf_free(&name);
    fixture_totals(&f, "2003.00", "4006.00", "1001.50", "7010.50", "3004.5");
    page_has("3 more, cheaper than these</th><td class=\"n total\" data-v=\"10.50\">10.50</td>");
    page_has("<tr class=\"grand\"><th scope=\"row\" colspan=\"1\">Total</th><td class=\"n total\" data-v=\"7010.50\">7,010.50</td>");
}
END_TEST

START_TEST(amounts_below_zero_are_in_the_table_and_in_no_bar)
{
    fixture_row(&f, KEYS("nlp"), NULL, numbers);
    fixture_row(&f, KEYS("vision"), NULL, "1 0 -1.00 0 0 -1.00 null 0 -1.00 0 0 0 -1.00 -1.00 -1.0 -1.00 0 0 0");
    fixture_totals(&f, "0.00", "2.00", "0.50", "2.50", "2.5");
    page_has("data-v=\"-1.00\">-1.00</td>");
    page_lacks("width=\"-");
    page_has("Amounts below zero are in the tables and in no bar.");
}
END_TEST

START_TEST(rows_of_several_keys_stand_under_the_first_one)
{
    teardown();
    fixture_init(&f, KEYS("team", "gpu_model"));
    fixture_row(&f, KEYS("nlp", "NVIDIA A100"), NULL, numbers);
    fixture_row(&f, KEYS("nlp", "NVIDIA H100"), NULL, numbers);
    fixture_totals(&f, "2.00", "4.00", "1.00", "7.00", "3");
    page_has("<th scope=\"rowgroup\" colspan=\"2\"><bdi>nlp</bdi> <span class=\"count\">2</span></th>"
             "<td class=\"n total\" data-v=\"7.00\">7.00</td>");
    page_has("Costs by team and GPU model, amounts in USD");
}
END_TEST

START_TEST(a_bucket_without_a_key_of_its_own_is_named_before_the_first)
{
    teardown();
    fixture_init(&f, KEYS("gpu_model"));
    fixture_row(&f, KEYS("NVIDIA A100"), "(idle)", numbers);
    page_has(">(idle)</span> <bdi>NVIDIA A100</bdi></th>");
}
END_TEST

START_TEST(gates_and_budgets_say_what_was_missed)
{
    vec_push(&f.r.notes.gates, (struct gate_note){"coverage", fixture_number("0.9713"), fixture_number("0.98"), 4, .passed = false, .least = true});
    vec_push(&f.r.notes.budgets, (struct budget_note){"<nlp>", fixture_number("100"), fixture_number("125"), fixture_number("125"), true});
    page_has("<span class=\"badge bad\">GATES FAILED</span>");
    page_has("<td class=\"n\" data-v=\"97.13\">97.13 %</td><td class=\"n\" data-v=\"98.00\">98.00 %</td>"
             "<td class=\"n\"><span class=\"outcome bad\">failed</span></td>");
    page_has("<bdi>&lt;nlp&gt;</bdi></th><td class=\"n\" data-v=\"100.00\">100.00</td><td class=\"n\" data-v=\"125.00\">125.00</td>"
             "<td class=\"n\" data-v=\"125.0\">125.0 <span class=\"outcome bad\">over</span></td>");
}
END_TEST

START_TEST(changes_stand_beside_the_report_before)
{
    f.r.notes.previous.period = (struct timespan){1788220800000, 1790812800000};       /* September */
    f.r.notes.previous.rule_name = "a & b";
    f.r.notes.previous.rule_version = "";
    f.r.notes.previous.rule_sha256 = "00";
    vec_push(&f.r.notes.previous.teams,
             (struct change_note){"nlp", false, fixture_number("80"), fixture_number("60"), fixture_number("-25")});
    vec_push(&f.r.notes.previous.teams, (struct change_note){"vision", false, 0, fixture_number("5"), fixture_number("100")});
    page_has("data-v=\"-20.00\">-20.00</td><td class=\"n\" data-v=\"-25.0\">-25.0</td>");
    page_has("data-v=\"5.00\">+5.00</td><td class=\"n\">new</td>");
    page_has("Before: September 2026, by another rule: <bdi>a &amp; b</bdi>.");
}
END_TEST

START_TEST(owner_lines_that_are_missing_are_text)
{
    vec_push(&f.r.notes.unmapped, (struct namespace_note){"a\"</pre>", fixture_number("5.16")});
    page_has("- {namespace: &quot;a\\&quot;&lt;/pre&gt;&quot;, team: TODO}   # 5.16");
}
END_TEST

START_TEST(one_teams_file_says_whose_it_is_and_nothing_of_the_bill)
{
    fixture_row(&f, KEYS("<nlp>"), NULL, numbers);
    f.r.split_key = "team";
    f.r.split_value = "<nlp>";
    page_has("<title>GPU costs of &lt;nlp&gt;, October 2026: showback</title>");
    page_has("<h1>GPU costs of <bdi>&lt;nlp&gt;</bdi> <span>October 2026</span></h1>");
    page_has("alone: what is billed is the sum of its rows.");
    page_lacks("Bridge to the bill");
    page_lacks("Charged to teams");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("render_html");
    TCase *t = tcase_create("render_html");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, names_are_text_wherever_they_stand);
    tcase_add_test(t, the_policy_lets_in_the_pages_own_style_and_script_and_nothing_else);
    tcase_add_test(t, nothing_points_outside_or_has_a_style_or_handler_of_its_own);
    tcase_add_test(t, figures_carry_their_plain_form);
    tcase_add_test(t, a_draft_is_marked_in_title_banner_and_foot);
    tcase_add_test(t, what_is_no_draft_says_so_nowhere);
    tcase_add_test(t, an_estimated_bill_and_a_filter_are_said_before_any_figure);
    tcase_add_test(t, a_period_that_is_no_month_is_given_by_its_ends);
    tcase_add_test(t, lines_without_room_stand_as_one_sum);
    tcase_add_test(t, amounts_below_zero_are_in_the_table_and_in_no_bar);
    tcase_add_test(t, rows_of_several_keys_stand_under_the_first_one);
    tcase_add_test(t, a_bucket_without_a_key_of_its_own_is_named_before_the_first);
    tcase_add_test(t, gates_and_budgets_say_what_was_missed);
    tcase_add_test(t, changes_stand_beside_the_report_before);
    tcase_add_test(t, owner_lines_that_are_missing_are_text);
    tcase_add_test(t, one_teams_file_says_whose_it_is_and_nothing_of_the_bill);
    suite_add_tcase(s, t);
    return unit_run(s);
}
