/* render_term_test: the terminal report. One report is compared byte by byte; others for what must hold at every width: no line is too
 * wide, no digit is lost, columns add up, decoration is ASCII where it should be. */
#include "unit.h"

#include <ctype.h>

#include "gputab/base/utf8.h"
#include "gputab/render/render.h"
#include "report_fixture.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct fixture f;
static struct buf out;
static struct render_cfg cfg;

static void setup(void)
{
    fixture_init(&f, KEYS("team"));
    out = (struct buf){0};
    cfg = (struct render_cfg){.width = 100};
}

static void teardown(void)
{
    fixture_free(&f);
    buf_free(&out);
}

static const char *render(const char *format)
{
    struct sink sink;

    buf_clear(&out);
    sink = (struct sink){.text = out};
    render_find(span_of(format))->run(&f.r, &cfg, &sink);
    out = sink.text;
    return buf_str(&out);
}

static void has(const char *text)
{
    ck_assert_msg(strstr(buf_str(&out), text) != NULL, "\"%s\" is not in:\n%s", text, buf_str(&out));
}

static void has_not(const char *text)
{
    ck_assert_msg(strstr(buf_str(&out), text) == NULL, "\"%s\" is in:\n%s", text, buf_str(&out));
}

/* Row of exact money: no CPU and memory, nothing estimated. */
static void simple_row(const char *name, const char *bucket, const char *hours, const char *cost)
{
    struct buf b = {0};

    buf_addf(&b, "%s 0 %s 0 0 %s null null %s 0 0 0 %s %s %s %s 0 0 0", hours, cost, cost, cost, cost, cost, cost, cost);
    fixture_row(&f, KEYS(name), bucket, buf_str(&b));
    buf_free(&b);
}

/* A card worked on paper: one hour, 6.88 USD, residents with 30, 20 and 10 of 80 GiB. */
static void add_worked_card(void)
{
    fixture_row(&f, KEYS("nlp"), NULL, "0.125 10 0.86 0 0 0.86 null null 0.86 0 0 0 0.86 0.86 0.86 0.86 0 0 0");
    fixture_row(&f, KEYS("search"), NULL, "0.25 20 1.72 0 0 1.72 null null 1.72 0 0 0 0 2.58 1.72 0 0 1.72 0");
    fixture_row(&f, KEYS("vision"), NULL, "0.375 30 2.58 0 0 2.58 null null 2.58 0 0 0 2.58 2.58 2.58 2.58 0 0 0");
    fixture_row(&f, KEYS("(idle)"), "(idle)", "0.2375 0 1.63 0 0 1.63 null null 0 0 0 0 1.63 1.63 1.634 1.63 0 0 0");
    fixture_row(&f, KEYS("(driver-reserved)"), "(driver-reserved)", "0.0125 1 0.09 0 0 0.09 null null 0 0 0 0 0.09 0.09 0.086 0.09 0 0 0");
    fixture_totals(&f, "6.88", "0", "0", "6.88", "1");
    f.r.measured[GRADE_A] = fixture_number("3.44");
    f.r.measured[GRADE_C] = fixture_number("1.72");
    f.r.improve = "an exporter that writes memory per pod";
    diag_add(&f.diag, "W201", "memory divided evenly on 1 GPU");
    diag_hint(&f.diag, "W201", "switch per-process metrics on");
}

START_TEST(the_worked_card_reads_like_this)
{
    add_worked_card();
    ck_assert_str_eq(render("plain"),
        "SHOWBACK   2026-10-01 to 2026-11-01 UTC   744 hours   bill FINAL   amounts in USD\n"
        "rule vram-residency 1   split reference, GPU share 84.12 %   99.41 % of GPU time observed\n"
        "bill from billing.csv   metrics from metrics.om\n"
        "\n"
        "TEAM               GPU-h  VRAM GiB-h  per GPU-h   GPU   CPU  memory  TOTAL      %  at least  at most\n"
        "----------------------------------------------------------------------------------------------------\n"
        "vision             0.375       30.00       6.88  2.58  0.00    0.00   2.58   37.5      2.58     2.58\n"
        "search             0.250       20.00       6.88  1.72  0.00    0.00  ~1.72   25.0      0.00     2.58\n"
        "nlp                0.125       10.00       6.88  0.86  0.00    0.00   0.86   12.5      0.86     0.86\n"
        "3 teams            0.750       60.00       6.88  5.16  0.00    0.00   5.16   75.0         -        -\n"
        "\n"
        "not charged to a team\n"
        "(idle)             0.238        0.00       6.88  1.63  0.00    0.00   1.63   23.7      1.63     1.63\n"
        "(driver-reserved)  0.012        1.00       6.88  0.09  0.00    0.00   0.09    1.3      0.09     0.09\n"
        "not charged        0.250        1.00       6.88  1.72  0.00    0.00   1.72   25.0         -        -\n"
        "----------------------------------------------------------------------------------------------------\n"
        "TOTAL              1.000       61.00       6.88  6.88  0.00    0.00   6.88  100.0         -        -\n"
        "\n"
        "billed 6.88   allocated 6.88   difference 0.00\n"
        "67 % measured, 33 % estimated: shared cards without per-pod memory\n"
        "  ~ marks totals with an estimated part\n"
        "  to measure it: an exporter that writes memory per pod\n"
        "\n"
        "! memory divided evenly on 1 GPU (W201, 1x)\n"
        "  > switch per-process metrics on\n");
}
END_TEST

START_TEST(a_pipe_gets_the_same_as_plain)
{
    struct buf plain = {0};

    add_worked_card();
    buf_adds(&plain, render("plain"));
    ck_assert_str_eq(render("table"), buf_str(&plain));
    cfg.colour = true;                             /* colour without a terminal is none */
    ck_assert_str_eq(render("table"), buf_str(&plain));
    buf_free(&plain);
}
END_TEST

/* --- every width --- */

static void add_tricky_report(void)
{
    static const char *const names[] = {"=cmd|' /C calc'!A0", "an-extremely-long-namespace-name-that-goes-on/and-a-pod-name-7f9c4d-x2x4j",
                                        "東京の機械学習チームの長い名前です", "line\nbreak\x1b[31m", "naïve-façade"};
    char model[] = "NVIDIA H100 80GB HBM3 with a very long name";

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        fixture_row(&f, KEYS(names[i], model), NULL,
                    "1234567.5 98765432.125 1234567.89 234567.89 34567.89 1503703.67 null null 1234567.89 0.01 3.14 2.71 1 9999999.99 "
                    "1503703.67 1503703.66 0 0.01 0");
    fixture_row(&f, KEYS("(idle)", model), "(idle)", "1 0 1.00 0 0 1.00 null null 0 0 0 0 1 1 1 1 0 0 0");
    fixture_row(&f, KEYS("(unbilled)", model), "(unbilled)", "10 0 0 0 0 0 null null 0 0 0 0 0 0 0 0 0 0 0");
    fixture_totals(&f, "6172840.45", "1172839.45", "172839.45", "7518519.35", "6172838.5");
    f.r.rule_name = "a-rule-with-quite-a-long-name-that-someone-thought-was-helpful";
    f.r.owners_written = false;
    f.r.filtered = f.r.draft = true;
    f.bill.is_final = false;
    f.r.measured[GRADE_A] = 1000000;
    f.r.measured[GRADE_B] = f.r.measured[GRADE_C] = f.r.measured[GRADE_D] = 7;
    f.r.improve = "https://example.com/a/very/long/address/that/has/no/blank/anywhere/and/does/not/fit/on/one/line/of/a/narrow/terminal";
    for (int i = 0; i < 9; i++) {
        char code[] = "W300";

        code[3] = (char)('0' + i);
        diag_add(&f.diag, code, "something that takes a while to tell happened on node ip-10-0-0-1.eu-central-1.compute.internal again");
    }
}

/* Escape sequences out. */
static void add_visible(struct buf *b, const char *p)
{
    while (*p) {
        if (*p == '\033') {
            p += strcspn(p, "m") + 1;
            continue;
        }
        buf_addc(b, *p++);
    }
}

static void every_line_fits(size_t width)
{
    struct buf text = {0};
    char *save = NULL;

    add_visible(&text, buf_str(&out));
    for (char *line = strtok_r(text.p, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        ck_assert_msg(utf8_width(span_of(line)) <= width, "wider than %zu: %s", width, line);
        ck_assert_msg(line[strlen(line) - 1] != ' ', "a blank at the end: %s", line);
    }
    buf_free(&text);
}

START_TEST(no_line_is_wider_than_the_terminal)
{
    static const int widths[] = {60, 80, 100, 160};

    teardown();
    fixture_init(&f, KEYS("team", "gpu_model"));
    add_tricky_report();
    cfg.bridge = true;
    for (int look = 0; look < 4; look++) {
        cfg.terminal = look & 1;
        cfg.colour = look & 2;
        for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
            cfg.width = widths[i];
            render("table");
            every_line_fits((size_t)widths[i]);
            has("1,503,703.67");                   /* names are cut, digits never */
            has("7,518,519.35");
        }
    }
}
END_TEST

START_TEST(a_narrow_terminal_loses_columns_in_a_fixed_order)
{
    static const struct { int width; const char *there, *gone; } steps[] = {
        {100, "CPU  memory", "CPU+memory"}, {81, "CPU+memory", "CPU  memory"}, {62, "VRAM GiB-h", "CPU+memory"},
        {50, "per GPU-h", "VRAM GiB-h"}, {40, "GPU-h", "per GPU-h"}, {33, "   %\n", "GPU-h"}, {28, "TOTAL", "   %\n"},
    };

    simple_row("a-team-of-18-chars", NULL, "1", "1.00");
    fixture_totals(&f, "1.00", "0", "0", "1.00", "1");
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        cfg.width = steps[i].width;
        render("plain");
        has("a-team-of-18-chars");
        has(steps[i].there);
        has_not(steps[i].gone);
    }
}
END_TEST

START_TEST(plain_decoration_is_ascii)
{
    add_worked_card();
    cfg.bridge = true;
    render("plain");
    for (size_t i = 0; i < out.n; i++)
        ck_assert_msg(out.p[i] == '\n' || isprint((unsigned char)out.p[i]), "byte %d", out.p[i]);
}
END_TEST

START_TEST(control_characters_of_names_never_reach_the_terminal)
{
    simple_row("red\033[31m", NULL, "1", "1.00");
    cfg.terminal = true;
    render("table");
    has_not("\033");
    has("red\xef\xbf\xbd[31m");
    cfg.terminal = false;
    render("table");
    has("red?[31m");
}
END_TEST

START_TEST(colours_come_and_go_with_the_setting)
{
    add_worked_card();
    cfg.terminal = true;
    render("table");
    has_not("\033");
    cfg.colour = true;
    render("table");
    has("\033[1;7m SHOWBACK \033[0m");
    render("plain");
    has_not("\033");
}
END_TEST

/* --- numbers --- */

START_TEST(rows_stand_by_cost_and_days_by_day)
{
    simple_row("2026-10-01", NULL, "1", "1.00");
    simple_row("2026-10-02", NULL, "1", "3.00");
    simple_row("2026-10-03", NULL, "1", "2.00");
    fixture_totals(&f, "6.00", "0", "0", "6.00", "3");
    render("plain");
    ck_assert(strstr(out.p, "\n2026-10-02 ") < strstr(out.p, "\n2026-10-03 "));
    ck_assert(strstr(out.p, "\n2026-10-03 ") < strstr(out.p, "\n2026-10-01 "));
    f.r.by.v[0] = "day";
    render("plain");
    ck_assert(strstr(out.p, "\n2026-10-01 ") < strstr(out.p, "\n2026-10-02 "));
    ck_assert(strstr(out.p, "\n2026-10-02 ") < strstr(out.p, "\n2026-10-03 "));
}
END_TEST

START_TEST(percents_of_thirds_add_up_to_a_hundred)
{
    for (int i = 0; i < 3; i++)
        simple_row(i == 0 ? "a" : i == 1 ? "b" : "c", NULL, "0.333333", "1.00");
    fixture_totals(&f, "3.00", "0", "0", "3.00", "0.999999");
    render("plain");
    has("1.00   33.4\n");
    has("1.00   33.3\n");
    has("3.00  100.0\n");
    has("\nTOTAL        1.000 ");                  /* 0.334 + 0.333 + 0.333 */
    has("\na            0.334 ");
}
END_TEST

START_TEST(thousands_are_grouped_and_negatives_keep_their_sign)
{
    simple_row("credits", NULL, "1", "-1234567.80");
    simple_row("hundreds", NULL, "1", "-123.40");
    fixture_totals(&f, "-1234691.20", "0", "0", "-1234691.20", "2");
    render("plain");
    has(" -1,234,567.80 ");
    has(" -123.40 ");
    has("billed -1,234,691.20   allocated -1,234,691.20   difference 0.00\n");
}
END_TEST

START_TEST(currencies_without_minor_units_have_no_decimals)
{
    simple_row("a", NULL, "2", "1500");
    fixture_totals(&f, "1500", "0", "0", "1500", "2");
    f.r.digits = 0;
    f.r.currency = "JPY";
    render("plain");
    has("amounts in JPY");
    has(" 1,500 ");
    has(" 750 ");
    has("difference 0\n");
}
END_TEST

START_TEST(a_row_without_gpu_hours_has_no_rate)
{
    simple_row("cpu-only", NULL, "0", "5.00");
    fixture_totals(&f, "5.00", "0", "0", "5.00", "0");
    render("plain");
    has("cpu-only     0.000       0.000          -  5.00");
}
END_TEST

START_TEST(what_the_bill_lacks_stands_below_the_total)
{
    simple_row("a", NULL, "1", "1.00");
    simple_row("(unbilled)", "(unbilled)", "7", "0");
    fixture_totals(&f, "1.00", "0", "0", "1.00", "1");
    render("plain");
    has("\nTOTAL        1.000 ");
    ck_assert(strstr(out.p, "TOTAL        1.000") < strstr(out.p, "\n(unbilled)   7.000 "));
    has_not("not charged to a team");
}
END_TEST

/* --- words --- */

START_TEST(a_bucket_is_named_where_no_key_names_it)
{
    teardown();
    fixture_init(&f, KEYS("gpu_model"));
    simple_row("H100", NULL, "1", "1.00");
    simple_row("H100", "(idle)", "1", "1.00");
    fixture_row(&f, (const char *const[]){NULL}, "(no-metrics)", "1 0 1 0 0 1 null null 0 0 0 0 1 1 1 0 0 0 1");
    fixture_totals(&f, "3.00", "0", "0", "3.00", "3");
    render("plain");
    has("\nnot charged to a workload\n(idle) H100 ");
    has("\n(no-metrics) ");
}
END_TEST

START_TEST(the_head_says_what_is_missing)
{
    f.r.owners_written = false;
    f.r.filtered = f.r.draft = true;
    f.bill.is_final = false;
    f.r.period.from += 3600000;
    render("plain");
    has("SHOWBACK   DRAFT   2026-10-01 01:00:00 to 2026-11-01 UTC   743 hours   bill ESTIMATED");
    has("the team is the namespace");
    has("filtered: ");
    has("no row matches the filter\n");
}
END_TEST

START_TEST(parts_of_what_pods_pay_add_up_to_a_hundred)
{
    f.r.measured[GRADE_A] = fixture_number("1");
    f.r.measured[GRADE_B] = fixture_number("1");
    f.r.measured[GRADE_C] = fixture_number("1");
    render("plain");
    has("34 % measured, 33 % reported by a sharing layer or unverified, 33 % estimated: shared cards with one\n"
        "  pod labelled, on nodes without requests\n");
    f.r.measured[GRADE_A] = fixture_number("999");
    f.r.measured[GRADE_B] = 0;
    render("plain");
    has("99.90 % measured, 0.10 % estimated: shared cards");   /* a part that is there is never called 0 */
    f.r.measured[GRADE_C] = 1;
    render("plain");
    has("100.00 % measured, under 0.01 % estimated: shared cards");
    f.r.measured[GRADE_C] = 0;
    render("plain");
    has("100 % measured\n");
}
END_TEST

START_TEST(five_warnings_at_most_each_with_a_next_step)
{
    int marks = 0, steps = 0;

    for (int i = 0; i < 7; i++) {
        char code[] = "W300";

        code[3] = (char)('0' + i);
        diag_add(&f.diag, code, "text %d", i);
    }
    diag_add(&f.diag, "W900", "last");
    diag_add(&f.diag, "W113", "no GPU series");    /* what matters most goes first, whatever its number */
    diag_hint(&f.diag, "W113", "check the file");
    render("plain");
    for (const char *p = out.p; (p = strstr(p, "\n! ")); p++)
        marks++;
    for (const char *p = out.p; (p = strstr(p, "\n  > ")); p++)
        steps++;
    ck_assert_int_eq(marks, 5);
    ck_assert_int_eq(steps, 5);
    has("\n\n! no GPU series (W113, 1x)\n  > check the file\n! text 0 (W300, 1x)\n");
    has("  and 4 more kinds of warnings: in JSON, and on standard error without -q\n");
}
END_TEST

START_TEST(the_bridge_adds_up_to_the_file)
{
    cfg.bridge = true;
    f.r.bridge.billed = fixture_number("60.00");
    f.r.bridge.outside = fixture_number("5.00");
    f.r.bridge.total = fixture_number("66.21");
    f.r.bridge.billed_invoiced = fixture_number("58.00");
    f.r.bridge.total_invoiced = fixture_number("59.20");
    f.r.groups[GROUP_TAX] = f.r.groups_invoiced[GROUP_TAX] = fixture_number("1.20");
    f.r.groups[GROUP_EXCLUDED] = fixture_number("7.00");
    render("plain");
    has("BRIDGE TO THE BILL                  cost        invoiced\n"
        "--------------------------------------------------------\n"
        "GPU nodes                          60.00           58.00\n"
        "tax                                 1.20            1.20\n"
        "outside the period                  5.00            0.00\n"
        "rounding                            0.01            0.00\n"
        "--------------------------------------------------------\n"
        "file total                         66.21           59.20\n"
        "not counted: repeated               7.00            0.00\n");
}
END_TEST

/* ---- notes ---- */

START_TEST(gates_are_counted_in_the_head)
{
    add_worked_card();
    vec_push(&f.r.notes.gates, (struct gate_note){.name = "coverage", .passed = true});
    vec_push(&f.r.notes.gates, (struct gate_note){.name = "max_unmapped"});
    f.r.draft = true;
    render("plain");
    has("gates passed: 1 of 2");
    has("DRAFT");
}
END_TEST

START_TEST(a_budget_that_is_spent_is_marked)
{
    add_worked_card();
    vec_push(&f.r.notes.budgets, (struct budget_note){"nlp", fixture_number("0.80"), fixture_number("0.86"), fixture_number("107.50"), true});
    vec_push(&f.r.notes.budgets, (struct budget_note){"vision", fixture_number("2.58"), fixture_number("2.58"), fixture_number("100"), false});
    render("plain");
    has("BUDGETS                     budget          cost        %\n"
        "---------------------------------------------------------\n"
        "nlp                           0.80          0.86    107.5 !\n"
        "vision                        2.58          2.58    100.0\n");
}
END_TEST

START_TEST(changes_since_the_report_before)
{
    add_worked_card();
    f.r.notes.previous.period = (struct timespan){f.r.period.from - 30 * TIME_DAY, f.r.period.from};
    f.r.notes.previous.rule_name = "old";
    f.r.notes.previous.rule_version = "1";
    f.r.notes.previous.rule_sha256 = f.r.notes.previous.run_id = "00";
    vec_push(&f.r.notes.previous.teams, (struct change_note){"nlp", false, fixture_number("1"), fixture_number("0.86"), fixture_number("-14")});
    vec_push(&f.r.notes.previous.teams, (struct change_note){"search", false, 0, fixture_number("1.72"), fixture_number("100")});
    vec_push(&f.r.notes.previous.teams, (struct change_note){"vision", false, fixture_number("2"), fixture_number("2.58"), fixture_number("29")});
    render("plain");
    has("CHANGE                      before           now        %\n"
        "---------------------------------------------------------\n"
        "nlp                           1.00          0.86    -14.0\n"
        "search                        0.00          1.72      new\n"
        "vision                        2.00          2.58    +29.0\n"
        "before: 2026-09-01 to 2026-10-01 UTC\n"
        "by another rule then: old 1\n");
}
END_TEST

/* Five at most; quotes are escaped as YAML wants them. */
START_TEST(namespaces_without_an_owner_come_as_owner_lines)
{
    static const char *const names[] = {"a", "b\"c", "d", "e", "f", "g", "h"};

    add_worked_card();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        vec_push(&f.r.notes.unmapped, (struct namespace_note){names[i], fixture_number("1234.5")});
    render("plain");
    has("! (unmapped): no owner line matches these namespaces; to paste into owners of the rule:\n"
        "  - {namespace: \"a\", team: TODO}   # 1,234.50\n"
        "  - {namespace: \"b\\\"c\", team: TODO}   # 1,234.50\n");
    has("  - {namespace: \"f\", team: TODO}   # 1,234.50\n  and 2 more: --only unmapped --by namespace\n");
    has_not("\"g\"");
    f.r.notes.only = "(idle)";
    f.r.filtered = true;
    render("plain");
    has("(idle) only: rows and TOTAL are a part");
    has_not("TODO");
}
END_TEST

/* ---- several keys ---- */

static void deep_row(const char *centre, const char *team, const char *pod, const char *bucket, const char *cost)
{
    struct buf b = {0};

    buf_addf(&b, "1 0 %s 0 0 %s null null %s 0 0 0 %s %s %s %s 0 0 0", cost, cost, cost, cost, cost, cost, cost);
    fixture_row(&f, (const char *const[]){centre, team, pod}, bucket, buf_str(&b));
    buf_free(&b);
}

/* In the order of their keys. 0042: 1 + 4 = 5 of nlp, 3 of cv; 007: 9; without a cost centre 2 of ops, and 6 of a pod without owner. */
static void add_tree(void)
{
    fixture_free(&f);
    fixture_init(&f, KEYS("cost_centre", "team", "pod"));
    vec_push(&f.r.cost_centres, (struct rule_cost_centre){.id = "0042", .name = "Research"});
    deep_row("0042", "cv", "p1", NULL, "3");
    deep_row("0042", "nlp", "p2", NULL, "1");
    deep_row("0042", "nlp", "p3", NULL, "4");
    deep_row("007", "seeing", "p4", NULL, "9");
    deep_row("(idle)", "(idle)", NULL, "(idle)", "7");
    deep_row("(unmapped)", "(unmapped)", "p6", "(unmapped)", "6");
    deep_row("(unmapped)", "ops", "p5", "(unmapped)", "2");
    fixture_totals(&f, "32", "0", "0", "32", "7");
}

/* Each branch with the sum of what is below it, the largest first. Percents of 32: floors sum to 99.7; 9.375 and 21.875 get the first two
 * tenths that are missing, and of 18.75 and 6.25 the one that stands first. */
START_TEST(several_keys_are_a_tree_with_sums)
{
    add_tree();
    render("plain");
    has("COST CENTRE / TEAM / POD  GPU-h  VRAM GiB-h  per GPU-h    GPU   CPU  memory  TOTAL      %\n"
        "-----------------------------------------------------------------------------------------\n"
        "007                       1.000       0.000       9.00   9.00  0.00    0.00   9.00   28.1\n"
        "  seeing                  1.000       0.000       9.00   9.00  0.00    0.00   9.00   28.1\n"
        "    p4                    1.000       0.000       9.00   9.00  0.00    0.00   9.00   28.1\n"
        "0042 Research             3.000       0.000       2.67   8.00  0.00    0.00   8.00   25.0\n"
        "  nlp                     2.000       0.000       2.50   5.00  0.00    0.00   5.00   15.6\n"
        "    p3                    1.000       0.000       4.00   4.00  0.00    0.00   4.00   12.5\n"
        "    p2                    1.000       0.000       1.00   1.00  0.00    0.00   1.00    3.1\n"
        "  cv                      1.000       0.000       3.00   3.00  0.00    0.00   3.00    9.4\n"
        "    p1                    1.000       0.000       3.00   3.00  0.00    0.00   3.00    9.4\n"
        "4 rows                    4.000       0.000       4.25  17.00  0.00    0.00  17.00   53.1\n"
        "\n"
        "not charged to a team\n"
        "(idle)                    1.000       0.000       7.00   7.00  0.00    0.00   7.00   21.9\n"
        "(unmapped)                2.000       0.000       4.00   8.00  0.00    0.00   8.00   25.0\n"
        "  p6                      1.000       0.000       6.00   6.00  0.00    0.00   6.00   18.8\n"
        "  ops                     1.000       0.000       2.00   2.00  0.00    0.00   2.00    6.2\n"
        "    p5                    1.000       0.000       2.00   2.00  0.00    0.00   2.00    6.2\n"
        "not charged               3.000       0.000       5.00  15.00  0.00    0.00  15.00   46.9\n"
        "-----------------------------------------------------------------------------------------\n"
        "TOTAL                     7.000       0.000       4.57  32.00  0.00    0.00  32.00  100.0\n");
}
END_TEST

START_TEST(flat_keys_have_a_column_each)
{
    add_tree();
    cfg.flat = true;
    render("plain");
    has("COST CENTRE    TEAM        POD  GPU-h");
    has("0042 Research  nlp         p3   1.000");
    has_not("/ TEAM");
}
END_TEST

/* Sorted rows are no tree: they stand as they were put. */
START_TEST(sorted_rows_keep_their_order)
{
    const char *first, *second;

    add_tree();
    f.r.notes.sort = "pod";
    render("plain");
    first = strstr(buf_str(&out), "p1 ");
    second = strstr(buf_str(&out), "p4 ");
    ck_assert(first && second && first < second);
    has_not("/ TEAM");
}
END_TEST

/* A row without the last key stands among those that have it. */
START_TEST(a_key_that_does_not_apply_is_a_leaf_of_its_branch)
{
    fixture_free(&f);
    fixture_init(&f, KEYS("gpu_model", "node"));
    fixture_row(&f, (const char *const[]){"H100", "n1"}, "(idle)", "1 0 5 0 0 5 null null 5 0 0 0 5 5 5 5 0 0 0");
    fixture_row(&f, (const char *const[]){"H100", NULL}, "(idle)", "1 0 2 0 0 2 null null 2 0 0 0 2 2 2 2 0 0 0");
    fixture_totals(&f, "7", "0", "0", "7", "2");
    render("plain");
    has("(idle)            2.000       0.000       3.50  7.00  0.00    0.00   7.00  100.0\n"
        "  H100            2.000       0.000       3.50  7.00  0.00    0.00   7.00  100.0\n"
        "    n1            1.000       0.000       5.00  5.00  0.00    0.00   5.00   71.4\n"
        "    -             1.000       0.000       2.00  2.00  0.00    0.00   2.00   28.6\n");
}
END_TEST

/* One bucket alone is the table: its rows stand by cost, without their bucket's name before them. */
START_TEST(a_bucket_alone_has_no_place_apart)
{
    fixture_free(&f);
    fixture_init(&f, KEYS("node"));
    f.r.notes.only = "(idle)";
    simple_row("n1", "(idle)", "1", "2");
    simple_row("n2", "(idle)", "1", "5");
    fixture_totals(&f, "7", "0", "0", "7", "2");
    render("plain");
    has("\nn2 ");
    has_not("not charged");
    has_not("(idle) n");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("render_term");
    TCase *t = tcase_create("term");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, the_worked_card_reads_like_this);
    tcase_add_test(t, a_pipe_gets_the_same_as_plain);
    tcase_add_test(t, no_line_is_wider_than_the_terminal);
    tcase_add_test(t, a_narrow_terminal_loses_columns_in_a_fixed_order);
    tcase_add_test(t, plain_decoration_is_ascii);
    tcase_add_test(t, control_characters_of_names_never_reach_the_terminal);
    tcase_add_test(t, colours_come_and_go_with_the_setting);
    tcase_add_test(t, rows_stand_by_cost_and_days_by_day);
    tcase_add_test(t, percents_of_thirds_add_up_to_a_hundred);
    tcase_add_test(t, thousands_are_grouped_and_negatives_keep_their_sign);
    tcase_add_test(t, currencies_without_minor_units_have_no_decimals);
    tcase_add_test(t, a_row_without_gpu_hours_has_no_rate);
    tcase_add_test(t, what_the_bill_lacks_stands_below_the_total);
    tcase_add_test(t, a_bucket_is_named_where_no_key_names_it);
    tcase_add_test(t, the_head_says_what_is_missing);
    tcase_add_test(t, parts_of_what_pods_pay_add_up_to_a_hundred);
    tcase_add_test(t, five_warnings_at_most_each_with_a_next_step);
    tcase_add_test(t, the_bridge_adds_up_to_the_file);
    tcase_add_test(t, gates_are_counted_in_the_head);
    tcase_add_test(t, a_budget_that_is_spent_is_marked);
    tcase_add_test(t, changes_since_the_report_before);
    tcase_add_test(t, namespaces_without_an_owner_come_as_owner_lines);
    tcase_add_test(t, several_keys_are_a_tree_with_sums);
    tcase_add_test(t, flat_keys_have_a_column_each);
    tcase_add_test(t, sorted_rows_keep_their_order);
    tcase_add_test(t, a_key_that_does_not_apply_is_a_leaf_of_its_branch);
    tcase_add_test(t, a_bucket_alone_has_no_place_apart);
    suite_add_tcase(s, t);
    return unit_run(s);
}
