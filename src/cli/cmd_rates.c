/* cmd_rates: `gputab rates`: a run whose entries become prices per pool. The run is checked like a report's: prices of a bill that does not
 * add up are none. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gputab/cli/message.h"
#include "gputab/cli/rates_args.h"
#include "gputab/cli/run_report.h"
#include "gputab/cli/screen.h"
#include "gputab/core/rates.h"
#include "gputab/core/split.h"
#include "gputab/render/rates_shown.h"

static void show(const struct rates_args *a, const struct rates *r)
{
    struct render_cfg cfg = {.csv_raw = a->report.csv_raw};
    struct sink out = {.take = NULL};

    screen_fill_cfg(&cfg);
    if (a->format && strcmp(a->format, "csv") == 0)
        rates_csv(r, &cfg, &out);
    else if (a->format && strcmp(a->format, "json") == 0)
        rates_json(r, &out);
    else
        rates_text(r, &cfg, &out);
    fwrite(buf_str(&out.text), 1, out.text.n, stdout);
    sink_free(&out);
}

static int walk(struct run_report *run, const struct rates_args *a, struct timespan period, money quote, struct rates *out, struct err *e)
{
    struct run_way *way;
    struct rates_book *book;
    int rc;

    if (run_report_load(run, &a->report, period, e) < 0)
        return -1;
    way = run_report_way(run, &run->rule, period, &run->diag);
    book = rates_new(&(struct rates_config){.rule = &run->rule, .catalogue = &run->catalogue, .inventory = &run->inventory,
                                            .bill = &run->bill, .period = period, .model = a->model, .quote = quote});
    run_way_listen(way, rates_sink(book));
    rc = run_report_walk(run, period, e);
    if (rc == 0) {
        out->currency = run->bill.currency ? intern_cstr(run->names, run->bill.currency) : "";
        rates_fill(book, money_currency_digits(span_of(out->currency)),
                   split_method_name(way->rule, way->sums.split_by_bill, way->sums.split_by_rule), out);
    }
    rates_book_free(book);
    return rc;
}

int cmd_rates(const struct rates_args *a, struct err *e)
{
    struct run_report run = {0};
    struct rates rates = {.currency = ""};
    struct timespan period;
    money quote;
    int rc;

    if (report_args_check(&a->report, e) < 0 || rates_args_quote(a, &quote, e) < 0
        || report_args_period(&a->report, (time_ms)time(NULL) * TIME_SECOND, &period, e) < 0)
        return -1;
    rc = walk(&run, a, period, quote, &rates, e);
    if (rc == 0)
        show(a, &rates);
    if (!a->report.quiet)
        message_warnings(&run.diag);
    rates_free(&rates);
    run_report_free(&run);
    return rc;
}
