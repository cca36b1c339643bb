/* scrape: series and samples as exporters and transports give them, before anybody asks what they mean together.
 *
 * A transport names each series once, gets a number for it, and adds samples under that number: one by one in any order, or as runs in a
 * batch that counts as a whole or not at all. Samples of GPUs and containers go to blocks; those of Kubernetes' state, which hardly ever
 * change, stay packed at their series. */
#ifndef GPUTAB_SOURCE_SCRAPE_H
#define GPUTAB_SOURCE_SCRAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/fingerprint.h"
#include "gputab/codec/openmetrics.h"
#include "gputab/source/blocks.h"
#include "gputab/source/exporters.h"
#include "gputab/source/label_choice.h"
#include "gputab/source/metrics.h"

enum { SCRAPE_SERIES = 1 << 24, SCRAPE_NAMES = 512 << 20 };    /* caps; of different names in labels, in bytes */
#define SCRAPE_SAMPLES (INT64_C(1) << 36)              /* cap: some 100 GiB on disk */

/* Who a series speaks of; string ids, 0: nobody. */
struct scrape_pod {
    uint32_t namespace_name, name, container, uid;
};

struct scrape_series {
    const struct family *family;
    int kind;                      /* enum sample_kind or enum family_kind */
    enum family_unit unit;
    uint64_t order;                /* a hash of family and labels: within a family, the canonical order */
    uint64_t roles;                /* which label values there are, a bit by role; see scrape_role */
    uint32_t *values;              /* their string ids, in the order of roles */
    uint32_t cluster;
    uint32_t target;               /* index into targets */
    uint32_t labelset;             /* of pod and namespace labels: id in the inventory's labelsets */
    uint32_t sharing;              /* of node labels: bits of enum node_sharing */
    struct scrape_pod pod;         /* the workload; filled by scrape_finish */
    struct scrape_pod exporter;    /* the exporter's own pod, where the labels tell; likewise */
    uint32_t number;               /* what blocks know it by */
    bool shuffled;                 /* samples came out of time order */
    int64_t n;                     /* samples; repeated ones among them where it is shuffled */
    time_ms first, last;           /* of the samples */
    time_ms first_on;              /* of those above zero; TIME_MAX: none */
    struct buf kept;               /* packed samples, of kinds that stay here; in time order, times distinct, after scrape_finish */
};

/* Where series come from: what says of which cluster they are. */
struct scrape_origin {
    const char *cluster_label;
    const char *cluster;           /* of series without that label */
};

struct scrape_target {
    uint32_t cluster, text;        /* string ids */
    bool renames;                  /* its GPU series carry exported_pod: plain pod labels are the exporter's own */
};

/* One sample as a transport has it. */
struct raw_sample {
    time_ms time;
    double value;
};

/* The value of the label with that role; 0: none. */
static inline uint32_t scrape_role(const struct scrape_series *s, enum label_role role)
{
    uint64_t bit = (uint64_t)1 << role;

    return s->roles & bit ? s->values[__builtin_popcountll(s->roles & (bit - 1))] : 0;
}

/* What a run of a batch adds to its series. */
struct scrape_run {
    uint32_t series;
    int64_t n, bad, repeated;
    bool shuffled;
    time_ms first, last, first_on;
    size_t kept_at, kept_n;        /* in the batch's bytes */
};
struct scrape_batch {              /* {0} is empty */
    VEC(struct scrape_run) runs;
    struct buf kept;
    struct block_list blocks;
    struct samples samples;        /* of the run at hand */
};

struct staged {                    /* a single sample that waits for company */
    uint32_t series;
    struct raw_sample sample;
};

struct scrape {
    const struct metrics_request *req;
    struct intern *labelsets;      /* the inventory's */
    struct timespan keep;          /* samples of sample kinds outside are not kept; both ends inclusive */
    struct timespan beyond;        /* from the first to the last sample of GPU memory that was outside; from > to: none */
    const struct family **family;  /* every one that is read: the request's own, then the built-in ones whose name none of those has */
    size_t n_families;
    struct intern *families;       /* name to index into family + 1 */
    struct intern *label_names;    /* those that are looked for, by name: ids in the order of exporters_labels, then of target labels */
    struct fingerprint_key secret;
    struct fingerprint_map numbers;        /* series by the fingerprint of family, cluster and labels; NONE: of no use */
    struct arena values;           /* of all series */
    struct buf text;               /* of the labels at hand */
    struct intern *target_keys;
    VEC(struct scrape_target) targets;
    VEC(struct scrape_series) series;
    struct label_choice pod_labels, namespace_labels;
    struct blocks *blocks;
    VEC(struct staged) staged;
    struct scrape_batch batch;     /* of the staged ones */
    int64_t n_samples;
    int64_t *bad, *repeated, *shuffled, *nameless;   /* counts by index into family */
    bool *seen;                    /* likewise */
};

void scrape_init(struct scrape *s, const struct metrics_request *req, struct intern *labelsets);
void scrape_free(struct scrape *s);

/* The family of a metric name, or NULL: not read. */
const struct family *scrape_family(struct scrape *s, struct span name);

/* Appends names of the families from which GPU memory is read, "A, B, C and 9 more, see ...". */
void scrape_add_memory_families(const struct scrape *s, struct buf *b);

/* The index of a series' family, for the counts above. */
size_t scrape_family_index(const struct scrape *s, const struct scrape_series *series);

/* Sorts and drops repeated samples, drops series without any, puts the series into canonical order (numbers given before are those of
 * scrape_series.number now), says whose each is, and warns of what was dropped. */
int scrape_finish(struct scrape *s, struct err *e) GPUTAB_MUST_CHECK;

#endif
