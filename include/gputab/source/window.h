/* window: all series of one window of time, out of a scrape: those with samples in it, and what was said before of the pods that it shows.
 *
 * Kubernetes' records hold until the next different ones, be it days. So what the last samples of records said is carried along, as long
 * as anything of their pod is seen now and then: a pod of which nothing is seen for a day is forgotten. */
#ifndef GPUTAB_SOURCE_WINDOW_H
#define GPUTAB_SOURCE_WINDOW_H

#include "gputab/source/replay.h"

struct carried {                   /* the last sample of a record before the next window's reach */
    struct fingerprint key;        /* of the series */
    struct fingerprint who;        /* of the pod or owner that it speaks of */
    uint64_t at;                   /* its labels, in the scrape */
    struct sample last;
    time_ms first, first_on;       /* as in struct replay_series */
    time_ms seen;                  /* the end of the last window that showed the pod */
    bool of_owner;                 /* it speaks of a pod's owner */
    bool used;                     /* in the window at hand */
};
struct window {
    VEC(struct carried) carried;
    time_ms reached;               /* end of the last window; TIME_MIN: none yet */
    time_ms counted;               /* to here samples were counted that are dropped */
    size_t n_series, n_persons;    /* of the last window */
    int64_t stands_ms;             /* so long before the next window a series of numbers may have ended that belongs to it still */
};

/* `struct window w = WINDOW_NONE;` is ready. Windows that follow one another carry records along; before another one everything is
 * forgotten, and all that is before it is read again.
 * Fills r, which is uninitialised, and finishes it; kinds that an outline keeps are left to that. */
#define WINDOW_NONE { .reached = TIME_MIN, .counted = TIME_MIN }
int window_read(struct window *w, struct scrape *s, struct timespan span, struct intern *names, struct intern *labelsets, struct replay *r,
                struct err *e) GPUTAB_MUST_CHECK;

void window_free(struct window *w);

/* The reach of a window's samples, and how far behind it records are read: a thing's first one holds from a while before. */
struct timespan window_reach(const struct metrics_request *req, struct timespan span);

#endif
