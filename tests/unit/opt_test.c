/* opt_test: what the option parser accepts, what it refuses, in which words, and the checks of `gputab report` across options. */
#include "unit.h"

#include <stddef.h>
#include <string.h>

#include "gputab/cli/cmd.h"
#include "gputab/cli/message.h"
#include "gputab/cli/opt.h"
#include "gputab/cli/report_args.h"
#include "gputab/cli/settle.h"

struct args {
    bool quiet, verbose;
    const char *rule, *colour;
    struct opt_list billing;
};

static const char *colour_at(size_t i)
{
    static const char *const colours[] = {"red", "green", NULL};

    return colours[i];
}

static const char *const planned_colours[] = {"mauve", NULL};

#define FIELD(f) offsetof(struct args, f)
static const struct opt opts[] = {
    {.type = OPT_HEADING, .help = "Inputs"},
    {.type = OPT_LIST, .letter = 'b', .name = "billing", .offset = FIELD(billing), .value = "FILE", .help = "a bill, repeatable"},
    {.type = OPT_TEXT, .letter = 'r', .name = "rule", .offset = FIELD(rule), .value = "FILE", .help = "a rule"},
    {.type = OPT_CHOICE, .name = "colour", .offset = FIELD(colour), .value = "C", .choice = colour_at, .planned = planned_colours, .help = "of ink"},
    {.type = OPT_HEADING, .help = "Other"},
    {.type = OPT_FLAG, .letter = 'q', .name = "quiet", .offset = FIELD(quiet), .help = "hush"},
    {.type = OPT_FLAG, .letter = 'v', .name = "verbose", .offset = FIELD(verbose), .help = "talk"},
    {.type = OPT_HELP, .letter = 'h', .name = "help", .help = "this"},
    {.type = OPT_PLANNED, .name = "prometheus"},
    OPT_END
};

static struct args a;
static struct err e;
static struct opt_list operands;

static void setup(void)
{
    a = (struct args){0};
    e = (struct err){0};
    operands = (struct opt_list){0};
}

static void teardown(void)
{
    opt_list_free(&a.billing);
    opt_list_free(&operands);
}

/* argv from words parted by '|', so that blanks and empty words can be written. */
static int parse(const char *line, struct opt_list *rest)
{
    static char text[512];                         /* the lists borrow from it */
    const char *argv[32];
    char *p = text;
    int argc = 0;

    ck_assert_uint_lt(strlen(line), sizeof text);
    strcpy(text, line);
    while (*line && p) {
        argv[argc++] = p;
        p = strchr(p, '|');
        if (p)
            *p++ = '\0';
    }
    return opt_parse(opts, argc, argv, &a, rest, &e);
}

static void refused(const char *line, const char *text, const char *hint)
{
    teardown();
    setup();
    ck_assert_int_eq(parse(line, NULL), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    ck_assert_str_eq(e.text, text);
    ck_assert_str_eq(e.hint, hint);
}

START_TEST(values_are_taken_in_all_four_spellings)
{
    ck_assert_int_eq(parse("--billing|a.csv|--billing=b=c.csv|-b|d|-be|-|-qv", &operands), 0);
    ck_assert_uint_eq(a.billing.n, 4);
    ck_assert_str_eq(a.billing.v[0], "a.csv");
    ck_assert_str_eq(a.billing.v[1], "b=c.csv");
    ck_assert_str_eq(a.billing.v[2], "d");
    ck_assert_str_eq(a.billing.v[3], "e");
    ck_assert(a.quiet && a.verbose);
    ck_assert_uint_eq(operands.n, 1);
    ck_assert_str_eq(operands.v[0], "-");          /* a dash alone is no option */
}
END_TEST

START_TEST(a_dash_alone_is_a_value)
{
    ck_assert_int_eq(parse("--billing|-|-r|-", NULL), 0);
    ck_assert_str_eq(a.billing.v[0], "-");
    ck_assert_str_eq(a.rule, "-");
}
END_TEST

START_TEST(two_dashes_end_the_options)
{
    ck_assert_int_eq(parse("-q|--|--rule|-v", &operands), 0);
    ck_assert_uint_eq(operands.n, 2);
    ck_assert_str_eq(operands.v[1], "-v");
    ck_assert(!a.verbose);
}
END_TEST

START_TEST(help_stops_the_parsing)
{
    ck_assert_int_eq(parse("-q|--help|--nonsense", NULL), 1);
    setup();
    ck_assert_int_eq(parse("-qh", NULL), 1);
}
END_TEST

START_TEST(a_wrong_name_hears_the_nearest_right_one)
{
    refused("--billling|x", "unknown option \"--billling\"", "did you mean \"--billing\"?");
    refused("--biling=x", "unknown option \"--biling\"", "did you mean \"--billing\"?");
    refused("--xyzzy", "unknown option \"--xyzzy\"", "");
    refused("--prometheuss|x", "unknown option \"--prometheuss\"", "");     /* what isn't built is not suggested */
}
END_TEST

START_TEST(prefixes_and_other_cases_are_no_names)
{
    refused("--verb", "unknown option \"--verb\"", "");
    refused("--Quiet", "unknown option \"--Quiet\"", "did you mean \"--quiet\"?");
}
END_TEST

START_TEST(an_unknown_letter_is_named_alone)
{
    refused("-qx", "unknown option \"-x\"", "");
    refused("-\xc3\xa9", "unknown option \"-\xc3\xa9\"", "");
    refused("-colour", "unknown option \"-c\"", "did you mean \"--colour\"?");
}
END_TEST

START_TEST(a_forgotten_value_never_takes_the_next_option)
{
    refused("--rule|--quiet", "--rule needs a value: FILE", "a value that begins with a dash is written --rule=VALUE");
    refused("-r|-q", "--rule needs a value: FILE", "a value that begins with a dash is written --rule=VALUE");
    refused("--rule", "--rule needs a value: FILE", "");
    setup();
    ck_assert_int_eq(parse("--rule=--quiet", NULL), 0);
    ck_assert_str_eq(a.rule, "--quiet");
}
END_TEST

START_TEST(an_empty_value_is_refused)
{
    refused("--rule=", "--rule has an empty value", "give a FILE, or leave the option out");
    refused("--billing||-q", "--billing has an empty value", "give a FILE, or leave the option out");
}
END_TEST

START_TEST(flags_take_no_value)
{
    refused("--quiet=yes", "--quiet takes no value", "");
}
END_TEST

START_TEST(a_second_other_value_does_not_replace_the_first)
{
    refused("--rule|a|--rule|b", "--rule is given twice, as \"a\" and as \"b\"", "");
    setup();
    ck_assert_int_eq(parse("--rule|a|-ra", NULL), 0);
}
END_TEST

START_TEST(a_choice_names_what_there_is)
{
    refused("--colour|gren", "--colour knows no \"gren\"", "did you mean \"green\"? It knows red, green");
    refused("--colour|mauve", "--colour \"mauve\" is not built yet in this version", "it knows red, green");
    setup();
    ck_assert_int_eq(parse("--colour|red", NULL), 0);
    ck_assert_str_eq(a.colour, "red");
}
END_TEST

START_TEST(a_planned_option_is_refused_by_name)
{
    refused("--prometheus|http://x", "--prometheus is not built yet in this version", "");
    refused("--prometheus=http://x", "--prometheus is not built yet in this version", "");
}
END_TEST

START_TEST(operands_are_refused_where_there_are_none)
{
    refused("-q|bill.csv", "unexpected argument \"bill.csv\"", "");
}
END_TEST

START_TEST(help_lines_are_aligned_and_wrapped)
{
    struct buf b = {0};

    opt_add_help(&b, opts, 40);
    ck_assert_str_eq(buf_str(&b),
        "Inputs:\n"
        "  -b, --billing FILE      a bill,\n"
        "                          repeatable\n"
        "  -r, --rule FILE         a rule\n"
        "      --colour C          of ink: red,\n"
        "                          green\n"
        "\n"
        "Other:\n"
        "  -q, --quiet             hush\n"
        "  -v, --verbose           talk\n"
        "  -h, --help              this\n");
    buf_free(&b);
}
END_TEST

START_TEST(names_and_letters_of_report_are_unique)
{
    struct opt_walk all = {report_opts};
    struct opt o, p;

    for (size_t i = 0; opt_walk_next(&all, &o); i++) {
        struct opt_walk before = {report_opts};

        for (size_t k = 0; k < i; k++) {
            ck_assert(opt_walk_next(&before, &p));
            ck_assert(!o.name || !p.name || strcmp(o.name, p.name) != 0);
            ck_assert(!o.letter || o.letter != p.letter);
        }
    }
}
END_TEST

START_TEST(rows_of_a_table_in_a_table_fill_the_inner_structure)
{
    struct outer { const char *word; struct args inner; bool last; } out = {0};
    const struct opt outer[] = {
        {.type = OPT_TEXT, .name = "word", .offset = offsetof(struct outer, word), .value = "W", .help = "a word"},
        {.type = OPT_TABLE, .offset = offsetof(struct outer, inner), .table = opts},
        {.type = OPT_FLAG, .letter = 'z', .name = "last", .offset = offsetof(struct outer, last), .help = "behind it"},
        OPT_END
    };
    const char *const argv[] = {"--word=x", "-r", "rule.yaml", "--billing", "a", "-bb", "-qz"};

    ck_assert_int_eq(opt_parse(outer, 7, argv, &out, NULL, &e), 0);
    ck_assert_str_eq(out.word, "x");
    ck_assert_str_eq(out.inner.rule, "rule.yaml");
    ck_assert_uint_eq(out.inner.billing.n, 2);
    ck_assert_str_eq(out.inner.billing.v[1], "b");
    ck_assert(out.inner.quiet && out.last && !out.inner.verbose);
    ck_assert_int_eq(opt_parse(outer, 1, (const char *const[]){"--las"}, &out, NULL, &e), -1);
    ck_assert_str_eq(e.hint, "did you mean \"--last\"?");
    opt_list_free(&out.inner.billing);
}
END_TEST

START_TEST(help_goes_into_tables_and_comes_back)
{
    const struct opt outer[] = {
        {.type = OPT_TABLE, .table = opts},
        {.type = OPT_HEADING, .help = "More"},
        {.type = OPT_FLAG, .letter = 'z', .name = "last", .help = "behind it"},
        OPT_END
    };
    struct buf b = {0};
    const char *text;

    opt_add_help(&b, outer, 80);
    text = buf_str(&b);
    ck_assert(strncmp(text, "Inputs:\n  -b, --billing FILE", 28) == 0);
    ck_assert_ptr_nonnull(strstr(text, "  -h, --help              this\n\nMore:\n  -z, --last              behind it\n"));
    buf_free(&b);
}
END_TEST

/* --- gputab report --- */

static struct report_args r;

static int check_report(int argc, const char *const *argv)
{
    int rc;

    r = (struct report_args){0};
    e = (struct err){0};
    setenv("GPUTAB_CONFIG", "", 1);
    rc = opt_parse(report_opts, argc, argv, &r, NULL, &e);
    if (rc == 0)
        rc = settle(&r, SETTLE_REPORT, &e);
    return rc ? rc : report_args_check(&r, &e);
}

#define REPORT(...) check_report((int)(sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *)), (const char *const[]){__VA_ARGS__})
#define INPUTS "--billing=b.csv", "--metrics=m.om"

#define REFUSED(said, ...)                                  \
    do {                                                    \
        ck_assert_int_eq(REPORT(__VA_ARGS__), -1);          \
        ck_assert_int_eq(e.code, ERR_USAGE);                \
        ck_assert_str_eq(e.text, said);                     \
        report_args_free(&r);                               \
    } while (0)

START_TEST(a_report_needs_a_bill_and_metrics)
{
    REFUSED("no bill is given", "--metrics=m.om");
    REFUSED("no metrics are given", "--billing=b.csv");
    REFUSED("standard input (-) can be read once only", "--billing=-", "--metrics=-");
    ck_assert_int_eq(REPORT(INPUTS), 0);
    report_args_free(&r);
}
END_TEST

START_TEST(the_period_is_said_once)
{
    REFUSED("the period is given twice, by --month and by --last-month", INPUTS, "--month=2026-10", "--last-month");
    REFUSED("the period is given twice, by --this-month and by --from and --to", INPUTS, "--this-month", "--from=2026-10-01");
    REFUSED("--from needs --to", INPUTS, "--from=2026-10-01");
    REFUSED("--to needs --from", INPUTS, "--to=2026-10-01");
}
END_TEST

START_TEST(where_has_a_key_and_a_glob)
{
    REFUSED("--where \"nlp\" is not of the form KEY=GLOB", INPUTS, "--where=nlp");
    REFUSED("--where \"=nlp\" is not of the form KEY=GLOB", INPUTS, "--where==nlp");
    ck_assert_int_eq(REPORT(INPUTS, "--where", "team=a=b"), 0);
    ck_assert_str_eq(r.where.v[0], "team=a=b");
    report_args_free(&r);
}
END_TEST

START_TEST(servers_may_have_names)
{
    ck_assert_int_eq(REPORT("--billing=b.csv", "--prometheus=a=http://h/x=y", "--prometheus", "b=http://i"), 0);
    ck_assert_uint_eq(r.sources.n, 2);
    ck_assert_str_eq(r.sources.v[0].name, "a");
    ck_assert_str_eq(r.sources.v[0].prometheus, "http://h/x=y");
    ck_assert_str_eq(r.sources.v[1].name, "b");
    report_args_free(&r);
    ck_assert_int_eq(REPORT("--billing=b.csv", "--prometheus=http://h/x=y", "--transport=query"), 0);
    ck_assert_ptr_null(r.sources.v[0].name);
    ck_assert_str_eq(r.sources.v[0].prometheus, "http://h/x=y");
    ck_assert_int_eq(r.sources.v[0].transport, METRICS_QUERY);
    report_args_free(&r);
    REFUSED("of several servers each needs a name", "--billing=b.csv", "--prometheus=http://h", "--prometheus=a=http://i");
    REFUSED("the metrics are given twice, by --metrics and by --prometheus", INPUTS, "--prometheus=http://h");
}
END_TEST

START_TEST(outputs_have_a_known_extension)
{
    REFUSED("--output \"out.xls\" has no extension of a known format", INPUTS, "-oout.xls");
    ck_assert_str_eq(e.hint, "the extensions are .txt, .csv, .json, .jsonl, .xlsx, .md, .focus.csv, .prom, .html");
    REFUSED("--output \"dir.csv/out\" has no extension of a known format", INPUTS, "-odir.csv/out");
    REFUSED("--output \"a.csv\" is given twice", INPUTS, "-oa.csv", "-o", "a.csv");
    ck_assert_int_eq(REPORT(INPUTS, "-oa.csv", "-ob.JSON"), 0);
    ck_assert_uint_eq(r.files.n, 2);
    ck_assert_str_eq(r.files.v[1].path, "b.JSON");
    ck_assert_str_eq(r.files.v[1].ops->name, "json");
    report_args_free(&r);
}
END_TEST

START_TEST(periods_are_half_open_months_and_instants_in_utc)
{
    struct timespan p;
    const time_ms now = 1792065600000 + 12345;           /* in the night of 2026-10-15 */

    ck_assert_int_eq(REPORT(INPUTS), 0);
    ck_assert_int_eq(report_args_period(&r, now, &p, &e), 0);
    ck_assert(p.from == 1788220800000 && p.to == 1790812800000);     /* September 2026 */
    report_args_free(&r);
    ck_assert_int_eq(REPORT(INPUTS, "--this-month"), 0);
    ck_assert_int_eq(report_args_period(&r, now, &p, &e), 0);
    ck_assert(p.from == 1790812800000 && p.to == 1793491200000);     /* October */
    report_args_free(&r);
    ck_assert_int_eq(REPORT(INPUTS, "--from=2026-10-05T10:00Z", "--to=2026-10-05T12:00:00+01:00"), 0);
    ck_assert_int_eq(report_args_period(&r, now, &p, &e), 0);
    ck_assert(p.to - p.from == 3600000);
    report_args_free(&r);
}
END_TEST

static void period_refused(const char *text)
{
    struct timespan p;

    ck_assert_int_eq(report_args_period(&r, 0, &p, &e), -1);
    ck_assert_str_eq(e.text, text);
    report_args_free(&r);
}

START_TEST(times_that_are_none_are_refused)
{
    ck_assert_int_eq(REPORT(INPUTS, "--month=2026-13"), 0);
    period_refused("--month \"2026-13\" is not a month");
    ck_assert_int_eq(REPORT(INPUTS, "--from=yesterday", "--to=2026-10-01"), 0);
    period_refused("--from \"yesterday\" is not a time");
    ck_assert_int_eq(REPORT(INPUTS, "--from=2026-10-02", "--to=2026-10-02"), 0);
    period_refused("the period is empty: --to \"2026-10-02\" is not after --from \"2026-10-02\"");
}
END_TEST

START_TEST(commands_are_found_planned_or_nearly_right)
{
    ck_assert_str_eq(cmd_find("report", &e)->name, "report");
    ck_assert_ptr_null(cmd_find("reprot", &e));
    ck_assert_str_eq(e.hint, "did you mean \"report\"?");
    err_clear(&e);
    ck_assert_ptr_null(cmd_find("audit", &e));
    ck_assert_str_eq(e.text, "\"audit\" is not built yet in this version");
    ck_assert_int_eq(e.code, ERR_USAGE);
}
END_TEST

/* --- messages --- */

START_TEST(an_error_has_its_place_its_text_and_its_hint)
{
    struct buf b = {0};

    err_set(&e, ERR_INPUT, "cost \"12\033[31m,5\" is no number");
    err_at(&e, "bill\n.csv", 1042, 17);
    err_hint(&e, "write a point");
    message_add_error(&b, &e);
    ck_assert_str_eq(buf_str(&b), "gputab: bill\xef\xbf\xbd.csv:1042:17: cost \"12\xef\xbf\xbd[31m,5\" is no number\nhint: write a point\n");
    buf_free(&b);
}
END_TEST

START_TEST(warnings_are_sorted_counted_and_cut)
{
    struct buf b = {0};
    struct diag d = {0};

    for (int i = 9; i > 4; i--)
        diag_add(&d, "W201", "GPU %d", i);
    diag_hint(&d, "W201", "a newer exporter");
    diag_add(&d, "W101", "rounded");
    message_add_warnings(&b, &d);
    ck_assert_str_eq(buf_str(&b),
        "gputab: warning W101 (1x): rounded\n"
        "gputab: warning W201 (5x): GPU 5\n"
        "  also: GPU 6\n"
        "  also: GPU 7\n"
        "  and 2 more\n"
        "hint: a newer exporter\n");
    buf_free(&b);
    diag_free(&d);
}
END_TEST

static TCase *parser_case(void)
{
    TCase *t = tcase_create("parser");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, values_are_taken_in_all_four_spellings);
    tcase_add_test(t, a_dash_alone_is_a_value);
    tcase_add_test(t, two_dashes_end_the_options);
    tcase_add_test(t, help_stops_the_parsing);
    tcase_add_test(t, a_wrong_name_hears_the_nearest_right_one);
    tcase_add_test(t, prefixes_and_other_cases_are_no_names);
    tcase_add_test(t, an_unknown_letter_is_named_alone);
    tcase_add_test(t, a_forgotten_value_never_takes_the_next_option);
    tcase_add_test(t, an_empty_value_is_refused);
    tcase_add_test(t, flags_take_no_value);
    tcase_add_test(t, a_second_other_value_does_not_replace_the_first);
    tcase_add_test(t, a_choice_names_what_there_is);
    tcase_add_test(t, a_planned_option_is_refused_by_name);
    tcase_add_test(t, operands_are_refused_where_there_are_none);
    tcase_add_test(t, help_lines_are_aligned_and_wrapped);
    return t;
}

static TCase *report_case(void)
{
    TCase *t = tcase_create("report");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, names_and_letters_of_report_are_unique);
    tcase_add_test(t, rows_of_a_table_in_a_table_fill_the_inner_structure);
    tcase_add_test(t, help_goes_into_tables_and_comes_back);
    tcase_add_test(t, a_report_needs_a_bill_and_metrics);
    tcase_add_test(t, the_period_is_said_once);
    tcase_add_test(t, where_has_a_key_and_a_glob);
    tcase_add_test(t, servers_may_have_names);
    tcase_add_test(t, outputs_have_a_known_extension);
    tcase_add_test(t, periods_are_half_open_months_and_instants_in_utc);
    tcase_add_test(t, times_that_are_none_are_refused);
    tcase_add_test(t, commands_are_found_planned_or_nearly_right);
    tcase_add_test(t, an_error_has_its_place_its_text_and_its_hint);
    tcase_add_test(t, warnings_are_sorted_counted_and_cut);
    return t;
}

int main(void)
{
    Suite *s = suite_create("opt");

    suite_add_tcase(s, parser_case());
    suite_add_tcase(s, report_case());
    return unit_run(s);
}
