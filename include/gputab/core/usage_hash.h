/* usage_hash: one hash of all usage facts of a run, by what they say (names, times, integers), not by how they came: equal for every
 * transport of the same samples. JSON reports show it as metrics[].sha256. */
#ifndef GPUTAB_CORE_USAGE_HASH_H
#define GPUTAB_CORE_USAGE_HASH_H

#include "gputab/base/sha256.h"
#include "gputab/core/owners.h"
#include "gputab/value/inventory.h"
#include "gputab/value/usage.h"

void usage_hash_add(struct sha256 *h, const struct usage *u, const struct inventory *inv, const struct owners *owners);

#endif
