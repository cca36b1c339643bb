/* fill_extras: what only some formats show. Rates are those of `gputab rates`: of all GPUs, also where the report shows a selection. */
#include "gputab/cli/fill_extras.h"

#include "gputab/cli/run_report.h"
#include "gputab/core/rates.h"
#include "gputab/core/split.h"
#include "gputab/render/render.h"
#include "gputab/source/rule_show.h"

void fill_extras_listen(struct fill_extras *x, const struct run_report *run, unsigned wanted, struct run_way *way, struct timespan period)
{
    x->wanted = wanted;
    if (!(wanted & RENDER_RATES))
        return;
    x->rates = rates_new(&(struct rates_config){.rule = way->rule, .catalogue = &run->catalogue, .inventory = &run->inventory,
                                                .bill = &run->bill, .period = period});
    run_way_listen(way, rates_sink(x->rates));
}

int fill_extras(struct fill_extras *x, const struct run_way *way, struct report *r, struct err *e)
{
    if (x->rates) {
        r->rates = xcalloc(1, sizeof *r->rates);
        r->rates->currency = r->currency;
        rates_fill(x->rates, r->digits, r->split_method, r->rates);
    }
    if (!(x->wanted & RENDER_RULE_TEXT))
        return 0;
    if (rule_show_read(way->rule, &x->rule_text, e) < 0)
        return -1;
    r->rule_text = buf_str(&x->rule_text);
    return 0;
}

void fill_extras_free(struct fill_extras *x)
{
    rates_book_free(x->rates);
    buf_free(&x->rule_text);
}
