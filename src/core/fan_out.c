/* fan_out: hands entries on to everybody who asked for them. It changes and keeps nothing. */
#include "gputab/core/fan_out.h"

static void hand_entry(void *to, const struct entry *e)
{
    struct fan_out *f = to;

    for (size_t i = 0; i < f->takers.n; i++)
        if (f->takers.v[i].entry)
            f->takers.v[i].entry(f->takers.v[i].to, e);
}

static void hand_presence(void *to, const struct entry *e, const struct timespan *spans, size_t n)
{
    struct fan_out *f = to;

    for (size_t i = 0; i < f->takers.n; i++)
        if (f->takers.v[i].presence)
            f->takers.v[i].presence(f->takers.v[i].to, e, spans, n);
}

static void hand_requested(void *to, const struct entry *e, weight micro_ms)
{
    struct fan_out *f = to;

    for (size_t i = 0; i < f->takers.n; i++)
        if (f->takers.v[i].requested)
            f->takers.v[i].requested(f->takers.v[i].to, e, micro_ms);
}

static void hand_day_done(void *to)
{
    struct fan_out *f = to;

    for (size_t i = 0; i < f->takers.n; i++)
        if (f->takers.v[i].day_done)
            f->takers.v[i].day_done(f->takers.v[i].to);
}

static void hand_charge(void *to, const struct allocate_charge *c)
{
    struct fan_out *f = to;

    for (size_t i = 0; i < f->takers.n; i++)
        if (f->takers.v[i].charge)
            f->takers.v[i].charge(f->takers.v[i].to, c);
}

void fan_out_add(struct fan_out *f, struct allocate_sink taker)
{
    vec_push(&f->takers, taker);
}

struct allocate_sink fan_out_sink(struct fan_out *f)
{
    return (struct allocate_sink){f, hand_entry, hand_presence, hand_requested, hand_day_done, hand_charge};
}

void fan_out_free(struct fan_out *f)
{
    vec_free(&f->takers);
}
