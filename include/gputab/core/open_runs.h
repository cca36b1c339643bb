/* open_runs: the runs of a window, and those of them that somebody looks at sample by sample, unpacked: of one node at a time. */
#ifndef GPUTAB_CORE_OPEN_RUNS_H
#define GPUTAB_CORE_OPEN_RUNS_H

#include "gputab/value/sample.h"

struct open_runs {                 /* {0} is ready for open_runs_take */
    const struct sample_run **of_series;   /* per series: its run, if it is open and there is one; else NULL */
    const struct sample_run **all; /* per series: its run as the window has it, packed mostly, or NULL */
    VEC(const struct sample_run *) wanted;
    VEC(struct sample_run) runs;   /* those that are open, where the window has them packed */
    struct samples samples;        /* of these */
};

/* Begins with a window, none of whose runs is open. */
void open_runs_take(struct open_runs *o, const struct sample_window *w);

/* Names series, any of them more than once; open_runs_open then opens them. They stay until open_runs_close. */
void open_runs_want(struct open_runs *o, const uint32_t *series, size_t n);
void open_runs_open(struct open_runs *o);
void open_runs_close(struct open_runs *o);

void open_runs_free(struct open_runs *o);

#endif
