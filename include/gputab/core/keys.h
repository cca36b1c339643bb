/* keys: what a report can be grouped and filtered by. */
#ifndef GPUTAB_CORE_KEYS_H
#define GPUTAB_CORE_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/err.h"
#include "gputab/base/buf.h"
#include "gputab/core/owners.h"
#include "gputab/value/entry.h"
#include "gputab/value/inventory.h"

/* Those before the cluster are the pod's, or its team's or bucket's. */
enum key { KEY_COST_CENTRE, KEY_TEAM, KEY_NAMESPACE, KEY_WORKLOAD, KEY_POD, KEY_CLUSTER, KEY_NODE, KEY_GPU, KEY_GPU_MODEL, KEY_REGION,
           KEY_PURCHASE, KEY_SHARING, KEY_DAY, KEY_GRADE, KEY_REASON, KEYS };
extern const char *const key_names[KEYS];

struct key_list {
    enum key v[KEYS];
    size_t n;
};

struct key_filter {                /* --where KEY=GLOB */
    enum key key;
    const char *glob;
};

/* The key of that name; an unknown one is an error that offers the nearest one. ERR_USAGE. */
int key_parse(struct span name, enum key *out, struct err *e) GPUTAB_MUST_CHECK;
/* "team,gpu_model"; an unknown name is an error that offers the nearest one, a repeated one too. ERR_USAGE. */
int key_list_parse(struct span text, struct key_list *out, struct err *e) GPUTAB_MUST_CHECK;
/* "team=nlp*"; the glob points into text, which must be NUL-terminated. */
int key_filter_parse(const char *text, struct key_filter *out, struct err *e) GPUTAB_MUST_CHECK;
/* "unmapped" or "(unmapped)", of --only; an unknown name is an error that offers the nearest one. ERR_USAGE. */
int key_bucket_parse(const char *text, enum bucket *out, struct err *e) GPUTAB_MUST_CHECK;
bool key_list_has(const struct key_list *l, enum key key);

struct key_context {
    const struct inventory *inventory;
    const struct owners *owners;
    const struct key_list *by;
};

/* What keys read of an entry; no padding. */
struct key_reads {
    uint32_t pod_version, team, bucket;
    uint32_t of[KEYS];             /* besides these, by each of struct key_list; then zeros */
};
/* The keys that read more than the pod, its team and the bucket, where these are asked for: once for many entries. */
struct key_list key_list_read(const bool asked[KEYS]);
/* Only what those keys read, all else zero: entries with equal bytes have equal values and an equal bucket. */
struct key_reads key_reads(const struct key_list *read, const struct entry *e);
size_t key_reads_size(const struct key_list *read);          /* of its bytes that are not always zero: the first ones */
/* Whether key_reads of the entry gives the same, sooner. */
bool key_reads_are(const struct key_reads *r, const struct key_list *read, const struct entry *e);

/* Adds the entry's value of a key to *out; nothing when it does not apply. */
void key_add_value(const struct key_context *c, enum key key, const struct entry *e, struct buf *out);
/* The bucket of the row that the entry belongs to: (unmapped) only where team or cost centre is a key. */
enum bucket key_bucket(const struct key_context *c, const struct entry *e);
/* Whether the entry lies in a bucket: its money does, its pod does, or its row does. */
bool key_in_bucket(const struct key_context *c, const struct entry *e, enum bucket bucket);

#endif
