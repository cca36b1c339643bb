/* report: the end of a report. Its bill and its warnings belong to the run, its strings to the table's arena. */
#include "gputab/value/report.h"

#include <stdlib.h>

void report_free(struct report *r)
{
    for (size_t i = 0; i < r->splits.n; i++)
        free(r->splits.v[i].reason);
    vec_free(&r->splits);
    vec_free(&r->by);
    vec_free(&r->cost_centres);
    vec_free(&r->metrics);
    vec_free(&r->shared);
    table_free(&r->table);
    notes_free(&r->notes);
    if (r->rates)
        rates_free(r->rates);
    free(r->rates);
    for (size_t i = 0; i < REPORT_PARTS; i++) {
        if (r->parts[i])
            report_free(r->parts[i]);
        free(r->parts[i]);
    }
}
