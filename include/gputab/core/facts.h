/* facts: adds a GPU's claims, which held from one instant to another, to the facts of the spans in between.
 * Time moves forward: the facts of a span are closed when the next span begins. They are handed over at last, so that those of several
 * GPUs can be in the order of their spans. */
#ifndef GPUTAB_CORE_FACTS_H
#define GPUTAB_CORE_FACTS_H

#include "gputab/base/intern.h"
#include "gputab/core/claims.h"
#include "gputab/core/residency.h"

struct open_fact {
    struct gpu_fact fact;
    size_t presence;               /* index + 1 of its last presence in usage; 0: none */
};

struct facts {                     /* of one GPU on one node; `= {.node = ..., .gpu = ...}` is ready */
    uint32_t node, gpu;
    const struct owners *owners;
    struct intern *sets;           /* sets of pod versions among whom memory was divided */
    const struct cuts *cuts;
    size_t cut_cursor;
    struct timespan span;          /* of the open facts */
    uint64_t observed_ms;
    VEC(struct open_fact) all;     /* in the order of their spans: the closed ones, then the open ones */
    size_t closed, handed;         /* how many of them are closed, and handed over */
    VEC(uint32_t) of_claim;        /* the open fact of each claim of the last list: an index of all */
    uint64_t found;                /* the edition of that list */
    time_ms found_until;           /* to when of_claim holds: the span's end, or a pod gets another version */
};

void facts_add(struct facts *f, const struct share_claims *claims, time_ms from, time_ms to, struct usage *out);
void facts_close(struct facts *f, struct usage *out);      /* the open ones; what was observed is handed over at once */
/* Hands over the closed facts of spans that begin at `from` or before. When the next one's begins; TIME_MAX: there is none. */
time_ms facts_hand_over(struct facts *f, time_ms from, struct usage *out);
void facts_free(struct facts *f);

#endif
