/* facts: adds a GPU's claims, which held from one instant to another, to the facts of the spans in between.
 * Time moves forward: the facts of a span are handed over when the next span begins. */
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
    VEC(struct open_fact) open;
    VEC(uint32_t) of_claim;        /* the open fact of each claim of the last list */
    uint64_t found;                /* the edition of that list */
    time_ms found_until;           /* to when of_claim holds: the span's end, or a pod gets another version */
};

void facts_add(struct facts *f, const struct share_claims *claims, time_ms from, time_ms to, struct usage *out);
void facts_close(struct facts *f, struct usage *out);      /* hands over what is open */
void facts_free(struct facts *f);

#endif
