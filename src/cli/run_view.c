/* run_view: from the words of the command line, or the keys of a part, to what a rollup needs. */
#include "gputab/cli/run_view.h"

static const char *const part_keys[REPORT_PARTS] = {
    [REPORT_TEAMS] = "cost_centre,team",
    [REPORT_DETAIL] = "cost_centre,team,namespace,workload,pod,gpu_model,region,purchase",
    [REPORT_REASONS] = "reason,gpu_model,cluster,node",
    [REPORT_DAYS] = "day,gpu_model,region,purchase",
};

/* Of a bucket of pods one wants to see these, of all else the teams. */
static const char *default_keys(enum bucket only)
{
    return only == BUCKET_UNMAPPED || only == BUCKET_SYSTEM ? "namespace,pod" : "team";
}

int run_view_read(struct run_view *view, const struct report_args *a, struct err *e)
{
    if (a->only && key_bucket_parse(a->only, &view->only, e) < 0)
        return -1;
    if (key_list_parse(span_of(a->by ? a->by : default_keys(view->only)), &view->by, e) < 0)
        return -1;
    for (size_t i = 0; i < a->where.n; i++) {
        struct key_filter f;

        if (key_filter_parse(a->where.v[i], &f, e) < 0)
            return -1;
        vec_push(&view->filters, f);
    }
    return 0;
}

int run_view_part(struct run_view *view, enum report_part part, const struct run_view *main, struct err *e)
{
    if (key_list_parse(span_of(part_keys[part]), &view->by, e) < 0)
        return -1;
    view->only = main->only;
    view->asked_by = &main->by;
    for (size_t i = 0; i < main->filters.n; i++)
        vec_push(&view->filters, main->filters.v[i]);
    return 0;
}

void run_view_free(struct run_view *v)
{
    vec_free(&v->filters);
}
