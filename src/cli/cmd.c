/* cmd: the table of commands and the help made of it.
 * A command that is planned but not built has a row of its own, so that asking for it is answered honestly. */
#include "gputab/cli/cmd.h"

#include <string.h>

#include "gputab/base/nearest.h"
#include "gputab/cli/cmd_rule.h"
#include "gputab/cli/explain_args.h"
#include "gputab/cli/rates_args.h"
#include "gputab/cli/report_args.h"
#include "gputab/cli/screen.h"
#include "gputab/cli/settle.h"
#include "gputab_version.h"

static int run_report(int argc, const char *const *argv, struct err *e)
{
    struct report_args a = {0};
    int rc = opt_parse(report_opts, argc, argv, &a, NULL, e);

    if (rc > 0)
        rc = CMD_HELP;
    else if (rc == 0 && (rc = settle(&a, SETTLE_REPORT, e)) == 0 && (rc = report_args_check(&a, e)) == 0)
        rc = cmd_report(&a, e);
    report_args_free(&a);
    return rc;
}

static int run_check(int argc, const char *const *argv, struct err *e)
{
    struct report_args a = {0};
    int rc = opt_parse(check_opts, argc, argv, &a, NULL, e);

    if (rc > 0)
        rc = CMD_HELP;
    else if (rc == 0 && (rc = settle(&a, SETTLE_CHECK, e)) == 0)
        rc = cmd_check(&a, e);
    report_args_free(&a);
    return rc;
}

static int run_explain(int argc, const char *const *argv, struct err *e)
{
    struct explain_args a = {0};
    int rc = opt_parse(explain_opts, argc, argv, &a, NULL, e);

    if (rc > 0)
        rc = CMD_HELP;
    else if (rc == 0 && (!explain_args_need_inputs(&a) || (rc = settle(&a.report, SETTLE_REPORT, e)) == 0))
        rc = cmd_explain(&a, e);
    report_args_free(&a.report);
    return rc;
}

static int run_rates(int argc, const char *const *argv, struct err *e)
{
    struct rates_args a = {0};
    int rc = opt_parse(rates_opts, argc, argv, &a, NULL, e);

    if (rc > 0)
        rc = CMD_HELP;
    else if (rc == 0 && (rc = settle(&a.report, SETTLE_REPORT, e)) == 0)
        rc = cmd_rates(&a, e);
    report_args_free(&a.report);
    return rc;
}

static int run_rule(int argc, const char *const *argv, struct err *e)
{
    struct opt_list operands = {0};
    int rc = opt_parse(rule_opts, argc, argv, NULL, &operands, e);

    if (rc > 0)
        rc = CMD_HELP;
    else if (rc == 0)
        rc = cmd_rule(&operands, e);
    opt_list_free(&operands);
    return rc;
}

const struct cmd cmd_table[] = {
    {.name = "report", .summary = "split the bill among those who held GPU memory, and print the table",
     .usage = "[--month YYYY-MM | --last-month | --this-month | --from TIME --to TIME]\n"
              "[--billing FILE]... [--prometheus [NAME=]URL]... [--transport WAY] | [--metrics FILE]\n"
              "[--rule FILE] [--nodes FILE] [--config FILE]\n"
              "[--by KEY[,KEY...]] [--where KEY=GLOB]... [--format FORMAT] [-o FILE]...",
     .example = "gputab report --month 2026-10 --billing bill.csv --metrics metrics.om --rule rule.yaml",
     .opts = report_opts, .run = run_report},
    {.name = "check", .summary = "say what bill and metrics offer, what they lack, and which setting would provide it",
     .usage = "[--billing FILE]... [--prometheus [NAME=]URL]... [--transport WAY] | [--metrics FILE]\n"
              "[--rule FILE] [--nodes FILE] [--config FILE]\n"
              "[--month YYYY-MM | --last-month | --this-month | --from TIME --to TIME]",
     .example = "gputab check --prometheus http://localhost:9090 --rule rule.yaml",
     .opts = check_opts, .run = run_check},
    {.name = "explain", .summary = "show the way from the bill to an amount, checkable with a pocket calculator",
     .usage = "--team TEAM | --pod NAMESPACE/POD | --node NODE | --gpu UUID | --bucket BUCKET\n"
              "| --column COLUMN | --code CODE\n"
              "[--report FILE | inputs and period as for report]\n"
              "[--all] [--format FORMAT]",
     .example = "gputab explain --team nlp --month 2026-10 --billing bill.csv --metrics metrics.om --rule rule.yaml",
     .opts = explain_opts, .run = run_explain},
    {.name = "rates", .summary = "show what a GPU-hour costs in each pool, and compare a quote with it",
     .usage = "[--model GLOB] [--check PRICE] [--format FORMAT]\n"
              "[inputs and period as for report]",
     .example = "gputab rates --month 2026-10 --billing bill.csv --metrics metrics.om --rule rule.yaml --check 8850",
     .opts = rates_opts, .run = run_rates},
    {.name = "rule", .summary = "say what is wrong with a rule, what it comes to, and whether its tests hold",
     .usage = "lint FILE\nshow [FILE]\ntest FILE",
     .example = "gputab rule lint rule.yaml",
     .opts = rule_opts, .run = run_rule},
    {.name = "audit"}, {.name = "pull"}, {.name = "diff"},
    {.name = "close"}, {.name = "restate"}, {.name = "journal"}, {.name = "init"}, {.name = "completion"},
    {0}
};

/* Suggests a command that works, those that main answers itself included. */
static const char *nearest_command(const char *name)
{
    struct nearest near = nearest_to(name);

    for (const struct cmd *c = cmd_table; c->name; c++)
        if (c->summary)
            nearest_try(&near, c->name);
    nearest_try(&near, "help");
    nearest_try(&near, "version");
    return near.name;
}

const struct cmd *cmd_find(const char *name, struct err *e)
{
    const char *near;

    for (const struct cmd *c = cmd_table; c->name; c++) {
        if (strcmp(c->name, name) != 0)
            continue;
        if (c->summary)
            return c;
        err_set(e, ERR_USAGE, "\"%s\" is not built yet in this version", name);
        return NULL;
    }
    near = nearest_command(name);
    err_set(e, ERR_USAGE, "unknown command \"%s\"", name);
    if (near)
        err_hint(e, "did you mean \"%s\"?", near);
    else
        err_hint(e, "\"gputab --help\" lists the commands");
    return NULL;
}

static void add_commands(struct buf *b)
{
    buf_adds(b, "Commands:\n");
    for (const struct cmd *c = cmd_table; c->name; c++)
        if (c->summary)
            buf_addf(b, "  %-10s %s\n", c->name, c->summary);
    buf_adds(b, "  help       show help, also of one command: gputab help report\n"
                "  version    show the version\n");
}

void cmd_add_short_help(struct buf *b)
{
    buf_adds(b, "gputab: what each team's GPU memory cost, from a cloud bill and GPU metrics, to the cent\n"
                "\n"
                "usage: gputab COMMAND [OPTION]...\n"
                "\n");
    buf_addf(b, "  %s\n", cmd_table[0].example);
    buf_adds(b, "\n"
                "\"gputab --help\" lists the commands.\n");
}

void cmd_add_help(struct buf *b)
{
    buf_adds(b, "gputab " GPUTAB_VERSION ": reads a cloud bill and GPU metrics, splits what each GPU node cost, divides it by the\n"
                "GPU memory that workloads held, and prints tables whose bottom line equals the bill.\n"
                "\n"
                "usage: gputab COMMAND [OPTION]...\n"
                "       gputab COMMAND --help\n"
                "       gputab --help | --version\n"
                "\n");
    add_commands(b);
    buf_addf(b, "\nExample:\n  %s\n", cmd_table[0].example);
    buf_adds(b, "\n"
                "Exit codes: 0 done, 1 internal error or disk full, 2 usage or rule, 3 input, 4 the sums differ, or\n"
                "check misses what no report can do without. The manual is gputab(1).\n");
}

void cmd_add_cmd_help(struct buf *b, const struct cmd *c)
{
    const char *line = c->usage;
    int indent = (int)strlen("usage: gputab  ") + (int)strlen(c->name) - 1;

    buf_addf(b, "gputab %s: %s\n\nusage: gputab %s ", c->name, c->summary, c->name);
    for (size_t n; (n = strcspn(line, "\n")), line[n]; line += n + 1)
        buf_addf(b, "%.*s\n%*s", (int)n, line, indent + 1, "");
    buf_addf(b, "%s\n\n", line);
    if (c->opts)
        opt_add_help(b, c->opts, screen_help_width());
    buf_addf(b, "\nExample:\n  %s\n", c->example);
}
