/* recall: the numbers of a GPU's reading before the last change, and the claims that they gave. Memory often rises for one sample and is
 * what it was again: the claims are then those of before, too. */
#ifndef GPUTAB_CORE_RECALL_H
#define GPUTAB_CORE_RECALL_H

#include "gputab/core/claims.h"

enum { RECALL_PODS = 8 };          /* of GPUs with more labels nothing is kept */

struct recall {                    /* of a GPU that is one device; `= {0}` is ready */
    struct recalled_numbers {
        uint64_t labelled[RECALL_PODS], used, free, total, reserved;
    } numbers[2];
    unsigned now;                  /* index of those of the claims at hand; the other ones are of `before` */
    unsigned known;                /* how many of the two are known */
    struct share_claims before;
};

/* The claims are to become those of the reading. True: they have. False: they are to be worked out, and are remembered meanwhile; those in
 * the list are of the same claimants as before.
 * only_values: since the last call nothing but numbers of the reading became others. */
bool recall_claims(struct recall *r, const struct device_reading *reading, bool only_values, struct share_claims *claims);
void recall_free(struct recall *r);

#endif
