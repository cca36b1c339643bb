/* rates: what a GPU-hour costs in each pool, with what a budget has to know of such a figure. core/rates fills it, render/rates_shown
 * shows it. */
#ifndef GPUTAB_VALUE_RATES_H
#define GPUTAB_VALUE_RATES_H

#include "gputab/base/arena.h"
#include "gputab/base/vec.h"
#include "gputab/value/table.h"
#include "gputab/value/timespan.h"

struct rates_answer {
    const char *name;              /* for programs: "includes" */
    const char *question, *answer;
};

struct rates_source {              /* of a price by which nodes are split */
    const char *what;              /* "vCPU", or a model's name */
    money price;                   /* per hour; 0: unknown */
    const char *source;            /* "rule", "catalogue", "preset", "default", "unknown" */
};

struct rates {                     /* zeroed: empty */
    struct arena texts;
    struct timespan period;
    const char *currency;
    int digits;
    money quote;                   /* per GPU-month; 0: none */
    struct table pools;            /* a row per gpu_model, region, purchase */
    struct table months;           /* a row per pool and calendar month */
    VEC(struct rates_answer) answers;
    VEC(struct rates_source) sources;
};

void rates_free(struct rates *r);

#endif
