/* report: the end of a report. Its bill and its warnings belong to the run, its strings to the table's arena. */
#include "gputab/value/report.h"

void report_free(struct report *r)
{
    vec_free(&r->by);
    vec_free(&r->cost_centres);
    vec_free(&r->metrics);
    vec_free(&r->shared);
    table_free(&r->table);
}
