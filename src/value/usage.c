/* usage: the names that facts carry into reports, and the life of the arrays of facts.
 *
 * The integrals themselves are made in core/residency. */
#include "gputab/value/usage.h"

const char *const sharing_names[SHARINGS] = {
    [SHARING_EXCLUSIVE] = "exclusive",
    [SHARING_KEY_TIME_SLICING] = "time-slicing",
    [SHARING_KEY_MPS] = "mps",
    [SHARING_MIG] = "mig",
    [SHARING_LAYER] = "layer",
    [SHARING_UNKNOWN] = "unknown",
};

const char *const reason_names[REASONS] = {
    [REASON_NONE] = "",
    [REASON_EMPTY_CARD] = "empty-card",
    [REASON_FREE_MEMORY] = "free-memory",
    [REASON_FREE_MIG] = "free-mig",
    [REASON_CPU] = "cpu",
    [REASON_MEMORY] = "memory",
    [REASON_STARTING] = "starting",
    [REASON_STOPPING] = "stopping",
    [REASON_NEVER_SEEN] = "never-seen",
    [REASON_GAP] = "gap",
};

void usage_clear(struct usage *u)
{
    vec_clear(&u->gpu);
    vec_clear(&u->observed);
    vec_clear(&u->host);
    vec_clear(&u->host_observed);
    vec_clear(&u->presence);
}

void usage_free(struct usage *u)
{
    vec_free(&u->gpu);
    vec_free(&u->observed);
    vec_free(&u->host);
    vec_free(&u->host_observed);
    vec_free(&u->presence);
}
