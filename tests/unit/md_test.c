/* md_test: names that break Markdown, and a report byte by byte. */
#include "unit.h"

#include "gputab/render/md_text.h"
#include "gputab/render/render.h"
#include "report_fixture.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void becomes(const char *text, const char *wanted)
{
    struct buf b = {0};

    md_text(&b, text);
    ck_assert_str_eq(buf_str(&b), wanted);
    buf_free(&b);
}

START_TEST(ordinary_names_stay_as_they_are)
{
    becomes("nlp", "nlp");
    becomes("ml-serving/chat-7c9f6d5b8-hn5tq", "ml-serving/chat-7c9f6d5b8-hn5tq");
    becomes("NVIDIA H100 80GB HBM3", "NVIDIA H100 80GB HBM3");
    becomes("team_a_b", "team_a_b");
    becomes("(idle)", "(idle)");
    becomes("Zürich 東京", "Zürich 東京");
    becomes("app.kubernetes.io/team", "app.kubernetes.io/team");
}
END_TEST

START_TEST(markup_is_escaped)
{
    becomes("a|b", "a\\|b");
    becomes("*bold* _it_ `code`", "\\*bold\\* \\_it\\_ \\`code\\`");
    becomes("[x](http://evil)", "\\[x\\](http\\://evil)");
    becomes("![x](y)", "!\\[x\\](y)");
    becomes("<script>", "\\<script\\>");
    becomes("&amp;", "\\&amp;");
    becomes("back\\slash", "back\\\\slash");
    becomes("~~gone~~", "\\~\\~gone\\~\\~");
    becomes("see www.evil.example", "see www\\.evil.example");
    becomes("$x$", "\\$x\\$");
}
END_TEST

START_TEST(nothing_begins_a_block_or_a_line)
{
    becomes("# head", "\\# head");
    becomes("- item", "\\- item");
    becomes("1. item", "1\\. item");
    becomes("+1", "\\+1");
    becomes("two\nlines\t|", "two\xef\xbf\xbdlines\xef\xbf\xbd\\|");
    becomes("a\xff", "a\xef\xbf\xbd");
}
END_TEST

/* A card at 6.88 for an hour: 20 of 80 GiB are 1.72; the rest idle. Names of different display width line up. */
START_TEST(a_report_reads_like_this)
{
    struct fixture f;
    struct sink sink = {.take = NULL};
    struct render_cfg cfg = {.width = 20};

    fixture_init(&f, KEYS("team"));
    fixture_row(&f, KEYS("東京|1"), NULL, "0.25 20 1.72 0 0 1.72 null null 1.72 0 0 0 1.72 1.72 1.72 1.72 0 0 0");
    fixture_row(&f, KEYS("(idle)"), "(idle)", "0.75 0 5.16 0 0 5.16 null null 0 0 0 0 5.16 5.16 5.16 5.16 0 0 0");
    fixture_totals(&f, "6.88", "0", "0", "6.88", "1");
    diag_add(&f.diag, "W204", "no total: <GPU-1>");
    render_find(span_of("md"))->run(&f.r, &cfg, &sink);
    ck_assert_str_eq(buf_str(&sink.text),
        "# GPU showback, 2026-10-01 to 2026-11-01 UTC\n"
        "\n"
        "- 744 hours, bill FINAL, amounts in USD\n"
        "- rule vram-residency 1, split reference, GPU share 84.12 %, 99.41 % of GPU time observed\n"
        "- bill from billing.csv\n"
        "- metrics from metrics.om\n"
        "\n"
        "| team      |     GPU-h | VRAM GiB-h | per GPU-h |      GPU |      CPU |   memory |    TOTAL |         % |\n"
        "| :-------- | --------: | ---------: | --------: | -------: | -------: | -------: | -------: | --------: |\n"
        "| 東京\\|1   |     0.250 |      20.00 |      6.88 |     1.72 |     0.00 |     0.00 |     1.72 |      25.0 |\n"
        "| (idle)    |     0.750 |       0.00 |      6.88 |     5.16 |     0.00 |     0.00 |     5.16 |      75.0 |\n"
        "| **TOTAL** | **1.000** |  **20.00** |  **6.88** | **6.88** | **0.00** | **0.00** | **6.88** | **100.0** |\n"
        "\n"
        "Billed 6.88, allocated 6.88, difference 0.00.\n"
        "\n"
        "## Warnings\n"
        "\n"
        "- **W204** (1x) no total: \\<GPU-1\\>\n");
    sink_free(&sink);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("md");
    TCase *t = tcase_create("md");

    tcase_add_test(t, ordinary_names_stay_as_they_are);
    tcase_add_test(t, markup_is_escaped);
    tcase_add_test(t, nothing_begins_a_block_or_a_line);
    tcase_add_test(t, a_report_reads_like_this);
    suite_add_tcase(s, t);
    return unit_run(s);
}
