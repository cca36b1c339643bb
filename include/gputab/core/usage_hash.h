/* usage_hash: one hash of all usage facts of a run, by what they say (names, times, integers), not by how they came: equal for every
 * transport of the same samples. JSON reports show it as metrics[].sha256.
 *
 * It is the SHA-256 of the facts' bytes, in the order of the calls: of each usage the facts of GPUs, those of hosts, what was observed of
 * hosts. Numbers stand lowest byte first. A text is its length in 4 bytes, and its bytes. A fact is, without gaps:
 *
 *   1 byte     1 of a GPU, 2 of a host, 3 observed of a host; and 4 where it says its node, 8 its span, 16 its GPU, 32 its device, 64 its
 *              pod. What it doesn't say is as last said.
 *   3 bytes    of a GPU: state + 16 x sharing, claimant + 16 x grade, reason (numbers of value/usage.h) + 16 where no device is named
 *   3 bytes    sizes of its numbers, 4 bits each, the first one's the lowest
 *   node       cluster, name (both empty: unknown). All is said anew from here on, and counted anew. So begins each call.
 *   span       from, to: 8 bytes each, ms
 *   GPU        4 bytes: which one of those said this is, from 1 on; where it is said for the first time, then also cluster, uuid
 *   device     GPU_I_ID (empty: the whole GPU, or none)
 *   pod        4 bytes: 0 for nobody, else which one of those said, from 1 on; for the first time, then also cluster, namespace, name, uid.
 *              Versions (core/owners) of a pod count as pods.
 *   numbers    of a GPU: shares, held, memory_ms; of a host: request_cpu, usage_cpu, request_memory, usage_memory, request_gpu; observed:
 *              request_ms, usage_ms, any_ms of the CPU, then of memory. A size is that of the number without zeros at its end: 0 to 13
 *              bytes; 14: no bytes, it is the number before it; 15: 16 bytes, as numbers of 14 and 15 have, too. Zero is always size 0. */
#ifndef GPUTAB_CORE_USAGE_HASH_H
#define GPUTAB_CORE_USAGE_HASH_H

#include "gputab/base/sha256.h"
#include "gputab/core/owners.h"
#include "gputab/value/inventory.h"
#include "gputab/value/usage.h"

struct usage_hash;

struct usage_hash *usage_hash_new(void);
void usage_hash_add(struct usage_hash *h, const struct usage *u, const struct inventory *inv, const struct owners *owners);
void usage_hash_end(struct usage_hash *h, char hex[SHA256_HEX]);         /* frees h */
void usage_hash_free(struct usage_hash *h);                              /* without an end; NULL allowed */

#endif
