/* open_runs: unpacks into one array that is used again and again, so that the samples of a whole window are never there at once. */
#include "gputab/core/open_runs.h"

#include <string.h>

#include "gputab/value/sample_pack.h"

void open_runs_take(struct open_runs *o, const struct sample_window *w)
{
    o->of_series = xreallocarray(o->of_series, w->n_series + 1, sizeof *o->of_series);
    o->all = xreallocarray(o->all, w->n_series + 1, sizeof *o->all);
    memset(o->of_series, 0, (w->n_series + 1) * sizeof *o->of_series);
    memset(o->all, 0, (w->n_series + 1) * sizeof *o->all);
    for (size_t i = 0; i < w->runs.n; i++)
        o->all[w->runs.v[i].series] = &w->runs.v[i];
    vec_clear(&o->wanted);
}

void open_runs_want(struct open_runs *o, const uint32_t *series, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct sample_run *run = o->all[series[i]];

        if (!run || o->of_series[series[i]])
            continue;
        o->of_series[series[i]] = run;
        vec_push(&o->wanted, run);
    }
}

/* Room first: what is opened must not move. */
static void make_room(struct open_runs *o)
{
    size_t runs = 0, samples = 0;

    for (size_t i = 0; i < o->wanted.n; i++)
        if (!o->wanted.v[i]->v) {
            runs++;
            samples += o->wanted.v[i]->n;
        }
    vec_clear(&o->runs);
    vec_clear(&o->samples);
    vec_reserve(&o->runs, runs);
    vec_reserve(&o->samples, samples);
}

void open_runs_open(struct open_runs *o)
{
    make_room(o);
    for (size_t i = 0; i < o->wanted.n; i++) {
        const struct sample_run *packed = o->wanted.v[i];

        if (packed->v)
            continue;
        vec_push(&o->runs, (struct sample_run){.series = packed->series, .v = o->samples.v + o->samples.n, .n = packed->n});
        sample_pack_read_run(packed, &o->samples);
        o->of_series[packed->series] = &o->runs.v[o->runs.n - 1];
    }
}

void open_runs_close(struct open_runs *o)
{
    for (size_t i = 0; i < o->wanted.n; i++)
        o->of_series[o->wanted.v[i]->series] = NULL;
    vec_clear(&o->wanted);
}

void open_runs_free(struct open_runs *o)
{
    free(o->of_series);
    free(o->all);
    vec_free(&o->wanted);
    vec_free(&o->runs);
    vec_free(&o->samples);
}
