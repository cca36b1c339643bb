/* explain_args: the options of `gputab explain` as a table, and the checks across them. */
#include "gputab/cli/explain_args.h"

#include <string.h>

#include "gputab/base/nearest.h"

const char *explain_format_at(size_t i)
{
    static const char *const formats[] = {"text", "json", NULL};

    return formats[i];
}

#define FIELD(field) offsetof(struct explain_args, field)
#define INPUT(field) offsetof(struct explain_args, report.field)

const struct opt explain_opts[] = {
    {.type = OPT_HEADING, .help = "What to explain (one of these)"},
    {.type = OPT_TEXT, .name = "team", .offset = FIELD(subject[EXPLAIN_TEAM]), .value = "TEAM", .help = "the row of a team"},
    {.type = OPT_TEXT, .name = "pod", .offset = FIELD(subject[EXPLAIN_POD]), .value = "NAMESPACE/POD", .help = "the row of a pod"},
    {.type = OPT_TEXT, .name = "node", .offset = FIELD(subject[EXPLAIN_NODE]), .value = "NODE", .help = "all rows of a node"},
    {.type = OPT_TEXT, .name = "gpu", .offset = FIELD(subject[EXPLAIN_GPU]), .value = "UUID", .help = "all rows of a card: its GPU piece"},
    {.type = OPT_TEXT, .name = "bucket", .offset = FIELD(subject[EXPLAIN_BUCKET]), .value = "BUCKET",
     .help = "money that is nobody's, such as '(idle)': why, where, and whose nodes"},
    {.type = OPT_TEXT, .name = "column", .offset = FIELD(column), .value = "COLUMN",
     .help = "a column of JSON and CSV, such as unheld_cost; needs no inputs; \"all\" explains every one"},
    {.type = OPT_TEXT, .name = "code", .offset = FIELD(code), .value = "CODE", .help = "a warning, such as W201, or all; needs no inputs"},
    {.type = OPT_HEADING, .help = "Inputs, as for report"},
    {.type = OPT_TEXT, .name = "report", .offset = FIELD(file), .value = "FILE", .help = "a report as JSON, instead of bill and metrics"},
    {.type = OPT_TABLE, .offset = FIELD(report), .table = input_opts},
    {.type = OPT_HEADING, .help = "Period (UTC; last month unless given)"},
    {.type = OPT_TABLE, .offset = FIELD(report), .table = period_opts},
    {.type = OPT_HEADING, .help = "Output"},
    {.type = OPT_FLAG, .name = "all", .offset = FIELD(all), .help = "show every line of a list and every price, not only the largest"},
    {.type = OPT_CHOICE, .name = "format", .offset = FIELD(format), .value = "FORMAT", .choice = explain_format_at,
     .help = "of standard output"},
    {.type = OPT_FLAG, .letter = 'q', .name = "quiet", .offset = INPUT(quiet), .help = "no warnings and no progress on standard error"},
    {.type = OPT_HELP, .letter = 'h', .name = "help", .help = "show this"},
    {.type = OPT_PLANNED, .name = "store"},
    OPT_END
};

#undef FIELD
#undef INPUT

enum explain_kind explain_args_kind(const struct explain_args *a)
{
    int kind = 0;

    while (kind < EXPLAIN_KINDS && !a->subject[kind])
        kind++;
    return (enum explain_kind)kind;
}

bool explain_args_need_inputs(const struct explain_args *a)
{
    return !a->column && !a->code && !a->file;
}

static int check_subject(const struct explain_args *a, struct err *e)
{
    int n = (a->column != NULL) + (a->code != NULL);

    for (int i = 0; i < EXPLAIN_KINDS; i++)
        n += a->subject[i] != NULL;
    if (n == 1)
        return 0;
    err_set(e, ERR_USAGE, n ? "one thing can be explained at a time" : "it is not said what to explain");
    return err_hint(e, "name one of --team, --pod, --node, --gpu, --bucket, --column, --code");
}

static int check_file(const struct explain_args *a, struct err *e)
{
    const struct report_args *r = &a->report;
    bool inputs = r->billing.n || r->catalogues.n || r->price_list || r->metrics || r->prometheus.n || r->rule || r->nodes;
    bool period = r->month || r->last_month || r->this_month || r->from || r->to;

    if (!a->file || (!inputs && !period))
        return 0;
    err_set(e, ERR_USAGE, "--report reads a report that is finished: it goes without %s", inputs ? "bill, metrics and rule" : "a period");
    return err_hint(e, "leave out either --report or the rest");
}

int explain_args_check(const struct explain_args *a, struct err *e)
{
    return check_subject(a, e) < 0 || check_file(a, e) < 0 ? -1 : 0;
}

int explain_args_bucket(const char *name, enum bucket *out, struct err *e)
{
    struct nearest near = nearest_to(name);

    for (int b = BUCKET_NONE + 1; b < BUCKETS; b++) {
        struct span bare = {bucket_names[b] + 1, strlen(bucket_names[b]) - 2};

        *out = (enum bucket)b;
        if (strcmp(bucket_names[b], name) == 0 || span_eq(bare, name))
            return 0;
        nearest_try(&near, bucket_names[b]);
    }
    err_set(e, ERR_USAGE, "no bucket is called \"%.60s\"", name);
    return near.name ? err_hint(e, "did you mean '%s'?", near.name)
                     : err_hint(e, "the buckets are (idle), (driver-reserved), (unattributed), (no-metrics), (unmapped), (system), "
                                   "(unbilled)");
}
