/* rates_args: the options of `gputab rates` as a table. */
#include "gputab/cli/rates_args.h"

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
    {.type = OPT_TABLE, .offset = FIELD(report), .table = input_opts},
    {.type = OPT_HEADING, .help = "Period (UTC; last month unless given; several months show how prices vary)"},
    {.type = OPT_TABLE, .offset = FIELD(report), .table = period_opts},
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
