/* rates_args: the options of `gputab rates` as a table. */
#include "gputab/cli/rates_args.h"

static const char *transport_at(size_t i)
{
    return metrics_transports[i];
}

static const char *format_at(size_t i)
{
    static const char *const formats[] = {"table", "csv", "json", NULL};

    return formats[i];
}

#define FIELD(field) offsetof(struct rates_args, field)
#define INPUT(field) offsetof(struct rates_args, report.field)

const struct opt rates_opts[] = {
    {.type = OPT_HEADING, .help = "What to show"},
    {.type = OPT_TEXT, .name = "model", .offset = FIELD(model), .value = "GLOB", .help = "only GPU models of such a name"},
    {.type = OPT_TEXT, .name = "check", .offset = FIELD(check), .value = "PRICE",
     .help = "a quoted price per GPU and month (730 h): how far it is above or below one's own"},
    {.type = OPT_HEADING, .help = "Inputs, as for report"},
    {.type = OPT_LIST, .name = "billing", .offset = INPUT(billing), .value = "FILE", .help = "bill; repeatable"},
    {.type = OPT_LIST, .name = "billing-map", .offset = INPUT(billing_maps), .value = "FILE",
     .help = "columns and formats of a bill that gputab does not know, YAML; repeatable"},
    {.type = OPT_LIST, .name = "catalogue", .offset = INPUT(catalogues), .value = "FILE",
     .help = "CSV with GPUs, instance types and MIG profiles of one's own; repeatable"},
    {.type = OPT_TEXT, .name = "price-list", .offset = INPUT(price_list), .value = "FILE",
     .help = "what nodes cost an hour that no bill has, YAML"},
    {.type = OPT_TEXT, .name = "metrics", .offset = INPUT(metrics), .value = "FILE", .help = "OpenMetrics text, also compressed, or -"},
    {.type = OPT_LIST, .name = "prometheus", .offset = INPUT(prometheus), .value = "URL",
     .help = "server of metrics; repeatable as NAME=URL"},
    {.type = OPT_CHOICE, .name = "transport", .offset = INPUT(transport), .value = "WAY", .choice = transport_at,
     .help = "how a server is asked"},
    {.type = OPT_TEXT, .name = "rule", .offset = INPUT(rule), .value = "FILE", .help = "rule, YAML"},
    {.type = OPT_TEXT, .name = "nodes", .offset = INPUT(nodes), .value = "FILE", .help = "CSV that joins node names to resource ids"},
    {.type = OPT_TEXT, .name = "config", .offset = INPUT(config), .value = "FILE",
     .help = "settings, YAML; gputab.yaml in some folders unless given"},
    {.type = OPT_HEADING, .help = "Period (UTC; last month unless given; several months show how prices vary)"},
    {.type = OPT_TEXT, .name = "month", .offset = INPUT(month), .value = "YYYY-MM", .help = "a calendar month"},
    {.type = OPT_FLAG, .name = "last-month", .offset = INPUT(last_month), .help = "the calendar month before this one"},
    {.type = OPT_FLAG, .name = "this-month", .offset = INPUT(this_month), .help = "the calendar month that has begun"},
    {.type = OPT_TEXT, .name = "from", .offset = INPUT(from), .value = "TIME", .help = "first instant; goes with --to"},
    {.type = OPT_TEXT, .name = "to", .offset = INPUT(to), .value = "TIME", .help = "first instant after the period"},
    {.type = OPT_HEADING, .help = "Output"},
    {.type = OPT_CHOICE, .name = "format", .offset = FIELD(format), .value = "FORMAT", .choice = format_at, .help = "of standard output"},
    {.type = OPT_FLAG, .name = "csv-raw", .offset = INPUT(csv_raw), .help = "CSV without the ' before cells that a spreadsheet would run"},
    {.type = OPT_FLAG, .letter = 'q', .name = "quiet", .offset = INPUT(quiet), .help = "no warnings and no progress on standard error"},
    {.type = OPT_HELP, .letter = 'h', .name = "help", .help = "show this"},
    {.type = OPT_PLANNED, .name = "store"},
    OPT_END
};

#undef FIELD
#undef INPUT

int rates_args_quote(const struct rates_args *a, money *out, struct err *e)
{
    *out = 0;
    if (!a->check || (money_parse(span_of(a->check), out, NULL) == 0 && *out > 0))
        return 0;
    err_set(e, ERR_USAGE, "--check \"%.60s\" is no price", a->check);
    return err_hint(e, "write an amount of the bill's currency per GPU and month, such as 8850 or 8850.00");
}
