/* run_way: allocator and takers of one rule, opened and closed together. */
#include "gputab/cli/run_way.h"

#include <stdlib.h>

#include "gputab/base/xalloc.h"

struct run_way *run_way_new(const struct rule *rule, const struct allocate_config *cfg)
{
    struct run_way *w = xcalloc(1, sizeof *w);
    struct allocate_config own = *cfg;

    w->rule = rule;
    own.rule = rule;
    own.sink = fan_out_sink(&w->fan);
    w->allocate = allocate_new(&own);
    return w;
}

void run_way_view(struct run_way *w, struct run_view *view, const struct inventory *inv, const struct owners *owners, const struct bill *bill)
{
    struct rollup_config cfg = {inv, owners, &view->by, view->filters.v, view->filters.n, w->rule, bill, view->only,
                                 view->asked_by, view->cut};

    view->rollup = rollup_new(&cfg);
    vec_push(&w->views, view);
    run_way_listen(w, rollup_sink(view->rollup));
}

void run_way_listen(struct run_way *w, struct allocate_sink taker)
{
    fan_out_add(&w->fan, taker);
}

bool run_way_conserves(const struct run_way *w, struct rollup *rollup)
{
    money rows = rollup_exact_total(rollup), shared = 0;
    const struct rollup_shared *cost;

    for (size_t i = 0; (cost = rollup_shared(rollup, i)); i++)
        shared += cost->spread ? cost->amount : 0;
    return rows == w->sums.billed + shared;
}

void run_way_free(struct run_way *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->views.n; i++) {
        rollup_free(w->views.v[i]->rollup);
        w->views.v[i]->rollup = NULL;
    }
    vec_free(&w->views);
    allocate_free(w->allocate);
    fan_out_free(&w->fan);
    free(w);
}
