/* report_args: the options of `gputab report` as a table, and the checks that need several of them or the clock.
 * What needs inputs (are the --by keys known, does the file exist) is left to the command. */
#include "gputab/cli/report_args.h"

#include <string.h>

static const char *format_at(size_t i)
{
    return render_formats[i].name;
}

static const char *transport_at(size_t i)
{
    return metrics_transports[i];
}

#define FIELD(field) offsetof(struct report_args, field)

/* Of every command that makes a report, or looks at what would become one. */
const struct opt input_opts[] = {
    {.type = OPT_LIST, .name = "billing", .offset = FIELD(billing), .value = "FILE",
     .help = "bill as CSV (.gz and .zst by content), a folder of them, or - for standard input; repeatable"},
    {.type = OPT_LIST, .name = "billing-map", .offset = FIELD(billing_maps), .value = "FILE",
     .help = "columns and formats of a bill that gputab does not know, YAML; repeatable"},
    {.type = OPT_LIST, .name = "catalogue", .offset = FIELD(catalogues), .value = "FILE",
     .help = "GPU models, instance types or MIG profiles beside or in place of those built in, CSV; repeatable"},
    {.type = OPT_TEXT, .name = "price-list", .offset = FIELD(price_list), .value = "FILE",
     .help = "what nodes cost an hour that no bill has, YAML; also instead of a bill"},
    {.type = OPT_TEXT, .name = "metrics", .offset = FIELD(metrics), .value = "FILE",
     .help = "GPU metrics: OpenMetrics text with timestamps, also compressed, or -"},
    {.type = OPT_LIST, .name = "prometheus", .offset = FIELD(prometheus), .value = "URL",
     .help = "GPU metrics: a server of Prometheus, VictoriaMetrics or the like; repeatable as NAME=URL, one per cluster"},
    {.type = OPT_CHOICE, .name = "transport", .offset = FIELD(transport), .value = "WAY", .choice = transport_at,
     .help = "how a server is asked"},
    {.type = OPT_TEXT, .name = "rule", .offset = FIELD(rule), .value = "FILE",
     .help = "rule, YAML; without one: teams are namespaces, everything else as in gputab(1)"},
    {.type = OPT_TEXT, .name = "nodes", .offset = FIELD(nodes), .value = "FILE",
     .help = "CSV that joins node names to resource ids where the metrics don't"},
    {.type = OPT_TEXT, .name = "config", .offset = FIELD(config), .value = "FILE",
     .help = "settings, YAML: where all of these are, and more; gputab.yaml in some folders unless given"},
    OPT_END
};

const struct opt period_opts[] = {
    {.type = OPT_TEXT, .name = "month", .offset = FIELD(month), .value = "YYYY-MM", .help = "a calendar month"},
    {.type = OPT_FLAG, .name = "last-month", .offset = FIELD(last_month), .help = "the calendar month before this one"},
    {.type = OPT_FLAG, .name = "this-month", .offset = FIELD(this_month), .help = "the calendar month that has begun"},
    {.type = OPT_TEXT, .name = "from", .offset = FIELD(from), .value = "TIME",
     .help = "first instant, such as 2026-10-05 or 2026-10-05T10:00Z; goes with --to"},
    {.type = OPT_TEXT, .name = "to", .offset = FIELD(to), .value = "TIME", .help = "first instant after the period"},
    OPT_END
};

const struct opt report_opts[] = {
    {.type = OPT_HEADING, .help = "Inputs"},
    {.type = OPT_TABLE, .table = input_opts},
    {.type = OPT_HEADING, .help = "Period (UTC; last month unless given)"},
    {.type = OPT_TABLE, .table = period_opts},
    {.type = OPT_HEADING, .help = "What to show"},
    {.type = OPT_TEXT, .name = "by", .offset = FIELD(by), .value = "KEY[,KEY...]",
     .help = "a row per what: cost_centre, team, namespace, workload, pod, cluster, node, gpu, gpu_model, region, purchase, "
             "sharing, day, grade, reason; default: team"},
    {.type = OPT_LIST, .name = "where", .offset = FIELD(where), .value = "KEY=GLOB",
     .help = "only rows whose key matches; everything is allocated first; repeatable"},
    {.type = OPT_TEXT, .name = "only", .offset = FIELD(only), .value = "BUCKET",
     .help = "only what lies in a bucket, such as unmapped or idle; of unmapped and system by namespace,pod unless --by says otherwise"},
    {.type = OPT_TEXT, .name = "sort", .offset = FIELD(sort), .value = "COLUMN[:asc|:desc]",
     .help = "order of rows: cost, gpu_hours or another column, the largest first, or a key of --by"},
    {.type = OPT_TEXT, .name = "top", .offset = FIELD(top), .value = "N",
     .help = "only the first N rows, by cost unless sorted; the rest in one"},
    {.type = OPT_FLAG, .name = "flat", .offset = FIELD(flat),
     .help = "in tables of several keys a column for each, instead of lines indented below their sums"},
    {.type = OPT_TEXT, .name = "previous", .offset = FIELD(previous), .value = "FILE.json",
     .help = "compare teams with an earlier report by team"},
    {.type = OPT_FLAG, .name = "bridge", .offset = FIELD(bridge), .help = "add the way from the bill's total to the cost of the GPU nodes"},
    {.type = OPT_FLAG, .name = "compare-splits", .offset = FIELD(compare_splits),
     .help = "the cost under each split method side by side instead"},
    {.type = OPT_HEADING, .help = "Output"},
    {.type = OPT_CHOICE, .name = "format", .offset = FIELD(format), .value = "FORMAT", .choice = format_at,
     .help = "of standard output"},
    {.type = OPT_LIST, .letter = 'o', .name = "output", .offset = FIELD(outputs), .value = "FILE",
     .help = "write a file too, in the format of its extension; repeatable; all files or none"},
    {.type = OPT_TEXT, .name = "split-by", .offset = FIELD(split_by), .value = "KEY",
     .help = "a file for each team, namespace or other key, and an index: -o 'out/{month}-{team}.json'"},
    {.type = OPT_FLAG, .name = "wide", .offset = FIELD(wide),
     .help = "tables with all columns and whole names, whatever the terminal's width"},
    {.type = OPT_FLAG, .name = "bars", .offset = FIELD(bars), .help = "tables with a bar for each row's cost"},
    {.type = OPT_FLAG, .name = "csv-raw", .offset = FIELD(csv_raw), .help = "CSV without the ' before cells that a spreadsheet would run"},
    {.type = OPT_FLAG, .name = "csv-bom", .offset = FIELD(csv_bom), .help = "CSV with the byte order mark by which Excel knows UTF-8"},
    {.type = OPT_TEXT, .name = "csv-delimiter", .offset = FIELD(csv_delimiter), .value = "CHAR",
     .help = "what parts the cells of CSV: one character, or tab"},
    {.type = OPT_TEXT, .name = "csv-decimal", .offset = FIELD(csv_decimal), .value = "CHAR", .help = "the decimal mark of CSV: . or ,"},
    {.type = OPT_FLAG, .name = "draft", .offset = FIELD(draft), .help = "write outputs, stamped DRAFT, although a quality gate failed"},
    {.type = OPT_LIST, .name = "fail-on", .offset = FIELD(fail_on), .value = "FIGURE>PERCENT",
     .help = "exit with 5, outputs written, when 'budget>100%', 'idle>3%', 'change>20%' or 'unmapped>2%'; repeatable"},
    {.type = OPT_FLAG, .letter = 'q', .name = "quiet", .offset = FIELD(quiet), .help = "no warnings and no progress on standard error"},
    {.type = OPT_FLAG, .letter = 'v', .name = "verbose", .offset = FIELD(verbose), .help = "say on standard error what was read"},
    {.type = OPT_HELP, .letter = 'h', .name = "help", .help = "show this"},
    {.type = OPT_PLANNED, .name = "store"},
    {.type = OPT_PLANNED, .name = "signals"},
    {.type = OPT_PLANNED, .name = "tz"},
    {.type = OPT_PLANNED, .name = "strict"},
    OPT_END
};

const struct opt check_opts[] = {
    {.type = OPT_HEADING, .help = "Inputs, as for report: a bill, metrics, or both"},
    {.type = OPT_TABLE, .table = input_opts},
    {.type = OPT_HEADING, .help = "Period (UTC; unless given this month until now, and all of a bill)"},
    {.type = OPT_TABLE, .table = period_opts},
    {.type = OPT_HEADING, .help = "Output"},
    {.type = OPT_FLAG, .letter = 'q', .name = "quiet", .offset = FIELD(quiet), .help = "no warnings and no progress on standard error"},
    {.type = OPT_HELP, .letter = 'h', .name = "help", .help = "show this"},
    {.type = OPT_PLANNED, .name = "store"},
    OPT_END
};

#undef FIELD

static int check_period(const struct report_args *a, struct err *e)
{
    const struct { const char *name; bool given; } ways[] = {
        {"--month", a->month != NULL}, {"--last-month", a->last_month}, {"--this-month", a->this_month},
        {"--from and --to", a->from || a->to},
    };
    const char *first = NULL;

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (!ways[i].given)
            continue;
        if (first)
            return err_set(e, ERR_USAGE, "the period is given twice, by %s and by %s", first, ways[i].name);
        first = ways[i].name;
    }
    if (!a->from == !a->to)
        return 0;
    err_set(e, ERR_USAGE, "%s needs %s", a->from ? "--from" : "--to", a->from ? "--to" : "--from");
    return err_hint(e, "a period is half-open: --from 2026-10-01 --to 2026-11-01 is October");
}

/* Clusters may have nodes of one name: of several servers each needs a name of its own. */
static int check_names(const struct report_args *a, struct err *e)
{
    for (size_t i = 0; i < a->sources.n && a->sources.n > 1; i++) {
        if (!a->sources.v[i].name) {
            err_set(e, ERR_USAGE, "of several servers each needs a name");
            return err_hint(e, "write --prometheus NAME=URL; it is the cluster of series that have no cluster label");
        }
        for (size_t j = 0; j < i; j++)
            if (strcmp(a->sources.v[i].name, a->sources.v[j].name) == 0)
                return err_set(e, ERR_USAGE, "two servers have the name \"%s\"", a->sources.v[i].name);
    }
    return 0;
}

static int check_metrics(const struct report_args *a, struct err *e)
{
    if (a->sources.n == 0) {
        err_set(e, ERR_USAGE, "no metrics are given");
        return err_hint(e, "--prometheus URL names a server, --metrics FILE a file of OpenMetrics text with timestamps");
    }
    if (a->metrics && a->prometheus.n > 0)
        return err_set(e, ERR_USAGE, "the metrics are given twice, by --metrics and by --prometheus");
    if (a->transport && !report_args_asks_server(a))
        return err_set(e, ERR_USAGE, "--transport goes with a server; metrics are read from \"%s\"", a->sources.v[0].metrics);
    return check_names(a, e);
}

static int check_stdin(const struct report_args *a, struct err *e)
{
    size_t stdins = a->metrics && strcmp(a->metrics, "-") == 0;

    for (size_t i = 0; i < a->billing.n; i++)
        stdins += strcmp(a->billing.v[i], "-") == 0;
    if (stdins > 1)
        return err_set(e, ERR_USAGE, "standard input (-) can be read once only");
    return 0;
}

static int check_inputs(const struct report_args *a, struct err *e)
{
    if (!a->billing.n && !a->price_list) {
        err_set(e, ERR_USAGE, "no bill is given");
        return err_hint(e, "--billing FILE names the bill's CSV file; without a bill --price-list FILE says what nodes cost");
    }
    return check_metrics(a, e) < 0 || check_stdin(a, e) < 0 ? -1 : 0;
}

static int check_where(const struct report_args *a, struct err *e)
{
    for (size_t i = 0; i < a->where.n; i++) {
        const char *equals = strchr(a->where.v[i], '=');

        if (equals && equals != a->where.v[i])
            continue;
        err_set(e, ERR_USAGE, "--where \"%s\" is not of the form KEY=GLOB", a->where.v[i]);
        return err_hint(e, "such as --where 'team=nlp*'");
    }
    return 0;
}

static int refuse_extension(const char *path, struct err *e)
{
    struct buf all = {0};

    for (const struct render_ops *f = render_formats; f->name; f++)
        if (f->extension)
            buf_addf(&all, "%s.%s", all.n ? ", " : "", f->extension);
    err_set(e, ERR_USAGE, "--output \"%s\" has no extension of a known format", path);
    err_hint(e, "the extensions are %s", buf_str(&all));
    buf_free(&all);
    return -1;
}

static int check_outputs(const struct report_args *a, struct err *e)
{
    for (size_t i = 0; i < a->outputs.n; i++) {
        if (!render_by_path(a->outputs.v[i]))
            return refuse_extension(a->outputs.v[i], e);
        for (size_t j = 0; j < i; j++)
            if (strcmp(a->outputs.v[i], a->outputs.v[j]) == 0)
                return err_set(e, ERR_USAGE, "--output \"%s\" is given twice", a->outputs.v[i]);
    }
    return 0;
}

/* Allocated charges sum to what they are of, or they are none. */
static int check_origins(const struct report_args *a, struct err *e)
{
    if (!a->where.n || !(report_args_parts(a) & 1U << REPORT_ORIGINS))
        return 0;
    return err_set(e, ERR_USAGE, "--where and format focus exclude each other: parts of charges do not sum to them");
}

static char delimiter_of(const struct report_args *a)
{
    return !a->csv_delimiter ? ',' : strcmp(a->csv_delimiter, "tab") == 0 ? '\t' : a->csv_delimiter[0];
}

static char decimal_of(const struct report_args *a)
{
    return a->csv_decimal ? a->csv_decimal[0] : '.';
}

/* What can stand in a number or a column's name, and quotes, cannot part cells. */
static bool parts_cells(const char *text)
{
    return strcmp(text, "tab") == 0 || (text[0] && !text[1] && strchr("\t ,;:|!#$%&/*^~", text[0]));
}

static int check_csv(const struct report_args *a, struct err *e)
{
    if (a->csv_delimiter && !parts_cells(a->csv_delimiter)) {
        err_set(e, ERR_USAGE, "--csv-delimiter \"%s\" cannot part cells", a->csv_delimiter);
        return err_hint(e, "write one character, such as ';' or '|', or tab");
    }
    if (a->csv_decimal && strcmp(a->csv_decimal, ".") != 0 && strcmp(a->csv_decimal, ",") != 0) {
        err_set(e, ERR_USAGE, "--csv-decimal \"%s\" is no decimal mark", a->csv_decimal);
        return err_hint(e, "write . or ,");
    }
    if (delimiter_of(a) != decimal_of(a))
        return 0;
    err_set(e, ERR_USAGE, "--csv-decimal \"%c\" is what parts the cells", decimal_of(a));
    return err_hint(e, "spreadsheets that write numbers with a comma part cells by --csv-delimiter ';'");
}

void report_args_render(const struct report_args *a, struct render_cfg *cfg)
{
    cfg->bridge = a->bridge;
    cfg->flat = a->flat;
    cfg->wide = a->wide;
    cfg->bars = a->bars;
    cfg->csv_raw = a->csv_raw;
    cfg->csv_bom = a->csv_bom;
    cfg->csv_delimiter = delimiter_of(a);
    cfg->csv_decimal = decimal_of(a);
}

int report_args_check_check(const struct report_args *a, struct err *e)
{
    if (check_period(a, e) < 0 || check_stdin(a, e) < 0)
        return -1;
    if (!a->billing.n && !a->price_list && !a->sources.n) {
        err_set(e, ERR_USAGE, "neither a bill nor metrics are given");
        return err_hint(e, "--billing FILE names a bill, --prometheus URL a server, --metrics FILE a file of OpenMetrics text");
    }
    return (a->billing.n || a->price_list) && !a->sources.n && !a->transport ? 0 : check_metrics(a, e);
}

/* What a comparison does not have is not left out of it silently. */
static int check_compare(const struct report_args *a, struct err *e)
{
    const struct render_ops *asked = a->format ? render_find(span_of(a->format)) : NULL;
    const char *other = a->sort ? "--sort" : a->top ? "--top" : a->previous ? "--previous" : NULL;

    if (!a->compare_splits)
        return 0;
    if (other)
        return err_set(e, ERR_USAGE, "--compare-splits shows no table to which %s applies: ask for one or the other", other);
    if (asked && !asked->compares)
        return err_set(e, ERR_USAGE, "--compare-splits has no format %s", asked->name);
    for (size_t i = 0; i < a->files.n; i++)
        if (!a->files.v[i].ops->compares)
            return err_set(e, ERR_USAGE, "--compare-splits has no format %s, in which \"%s\" is to be written", a->files.v[i].ops->name,
                           a->files.v[i].path);
    return 0;
}

int report_args_check(const struct report_args *a, struct err *e)
{
    if (a->quiet && a->verbose)
        return err_set(e, ERR_USAGE, "--quiet and --verbose exclude each other");
    if (check_period(a, e) < 0 || check_inputs(a, e) < 0 || check_where(a, e) < 0 || check_outputs(a, e) < 0 || check_csv(a, e) < 0
        || check_origins(a, e) < 0)
        return -1;
    return check_compare(a, e);
}

static int read_time(const char *name, const char *text, time_ms *out, struct err *e)
{
    if (time_parse(span_of(text), out) == 0)
        return 0;
    err_set(e, ERR_USAGE, "%s \"%s\" is not a time", name, text);
    return err_hint(e, "write 2026-10-05, or 2026-10-05T10:00:00Z");
}

static int read_from_to(const struct report_args *a, struct timespan *out, struct err *e)
{
    if (read_time("--from", a->from, &out->from, e) < 0 || read_time("--to", a->to, &out->to, e) < 0)
        return -1;
    if (out->from < out->to)
        return 0;
    err_set(e, ERR_USAGE, "the period is empty: --to \"%s\" is not after --from \"%s\"", a->to, a->from);
    return err_hint(e, "--to is the first instant after the period");
}

int report_args_period(const struct report_args *a, time_ms now, struct timespan *out, struct err *e)
{
    if (a->from)
        return read_from_to(a, out, e);
    if (a->month && timespan_parse_month(span_of(a->month), out) < 0) {
        err_set(e, ERR_USAGE, "--month \"%s\" is not a month", a->month);
        return err_hint(e, "write year and month: 2026-10");
    }
    if (a->this_month)
        *out = timespan_this_month(now);
    else if (!a->month)
        *out = timespan_last_month(now);
    return 0;
}

bool report_args_asks_server(const struct report_args *a)
{
    for (size_t i = 0; i < a->sources.n; i++)
        if (a->sources.v[i].prometheus)
            return true;
    return false;
}

unsigned report_args_parts(const struct report_args *a)
{
    unsigned parts = a->format ? render_find(span_of(a->format))->parts : 0;

    for (size_t i = 0; i < a->files.n; i++)
        parts |= a->files.v[i].ops->parts;
    return parts;
}

unsigned report_args_extras(const struct report_args *a)
{
    unsigned extras = a->format ? render_find(span_of(a->format))->extras : 0;

    for (size_t i = 0; i < a->files.n; i++)
        extras |= a->files.v[i].ops->extras;
    return extras;
}

void report_args_free(struct report_args *a)
{
    opt_list_free(&a->billing);
    opt_list_free(&a->billing_maps);
    opt_list_free(&a->catalogues);
    opt_list_free(&a->prometheus);
    settings_find_free(&a->found);
    settings_free(&a->settings);
    vec_free(&a->sources);
    vec_free(&a->files);
    opt_list_free(&a->where);
    opt_list_free(&a->fail_on);
    opt_list_free(&a->outputs);
}
