/* scrape: series and samples as exporters and transports give them, on disk, before anybody asks what they mean together.
 *
 * A transport says the labels of each series, gets a handle for it, and adds samples under that: one by one in any order, or as runs in a
 * batch that counts as a whole or not at all. What the labels say is written down once per handle, and every block of samples leads back to
 * it: memory grows neither with series nor with samples. source/replay reads them again. */
#ifndef GPUTAB_SOURCE_SCRAPE_H
#define GPUTAB_SOURCE_SCRAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/fingerprint.h"
#include "gputab/codec/openmetrics.h"
#include "gputab/source/blocks.h"
#include "gputab/source/exporters.h"
#include "gputab/source/label_choice.h"
#include "gputab/source/label_plan.h"
#include "gputab/source/metrics.h"

#define SCRAPE_SAMPLES (INT64_C(1) << 36)              /* cap: some 100 GiB on disk */

/* What stands for a series while its samples are added. */
struct scrape_handle {
    struct fingerprint key;        /* of family, cluster and all labels: the same series, the same key */
    uint64_t at;                   /* its labels, in the spool; SCRAPE_NONE: the series is of no use */
    uint16_t family;               /* index into the scrape's */
    uint8_t kind, unit;            /* enum sample_kind or enum family_kind; enum family_unit */
};
#define SCRAPE_NONE UINT64_MAX

/* What the labels of a series say, as it is read back: spans are borrowed from its blocks and good until these
 * are read or written again. */
struct scrape_labels {
    struct scrape_handle handle;
    uint64_t order;                /* a hash of the labels, alike in every process: within a family, the canonical order */
    uint64_t roles;                /* which label values there are, a bit by role */
    uint32_t cluster;              /* string id */
    uint32_t target;               /* index into targets */
    uint32_t sharing;              /* of node labels: bits of enum node_sharing */
    struct span labelset;          /* of labels and annotations: canonical text of a label set, see struct inventory */
    struct span values[ROLES];     /* by role, of those that there are: see scrape_value */
};

/* The value of the label with that role; {NULL, 0}: there is none. */
static inline struct span scrape_value(const struct scrape_labels *l, enum label_role role)
{
    return l->roles >> role & 1 ? l->values[role] : (struct span){ NULL, 0 };
}

/* Where series come from: what says of which cluster they are. */
struct scrape_origin {
    const char *cluster_label;
    const char *cluster;           /* of series without that label */
};

struct scrape_target {
    uint32_t cluster, text;        /* string ids */
    bool renames;                  /* its GPU series carry exported_pod: plain pod labels are the exporter's own */
};

/* One sample as a file has it. */
struct raw_sample {
    time_ms time;
    double value;
};

/* What the runs of a batch say of a family. */
struct scrape_count {
    uint16_t family;
    int64_t bad, repeated;
};
struct scrape_batch {              /* {0} is empty */
    VEC(struct scrape_count) counts;       /* of runs of which something is to be said */
    int64_t n_samples;
    bool gpu_memory;               /* some are of GPUs */
    struct block_list blocks;
    struct steadies samples;       /* of the series at hand: integers */
    struct steadies staged;        /* of a series whose samples came one by one */
};

struct staged {                    /* a single sample that waits for company */
    uint32_t series;
    struct raw_sample sample;
};

/* Series of a family have a label more where they have a pod, say, and one kind comes after the other. */
enum { SCRAPE_PLANS = 4 };

/* A label value in another form, remembered for the series that follow: those of one GPU come together. */
struct scrape_form {
    struct buf value, form;
};

struct scrape {
    const struct metrics_request *req;
    struct timespan keep;          /* samples of sample kinds outside are not kept; both ends inclusive */
    time_ms records_to;            /* nor records of pods behind this */
    struct timespan beyond;        /* from the first to the last sample of GPU memory that was outside; from > to: none */
    const struct family **family;  /* every one that is read: the request's own, then the built-in ones whose name none of those has */
    size_t n_families;
    struct intern *families;       /* name to index into family + 1 */
    const struct family *last_family;      /* the one that was found last, */
    uint16_t last_family_at;       /* and its index */
    struct label_meanings meanings;
    struct label_plan *plans;      /* of a family: SCRAPE_PLANS, by number of labels */
    struct scrape_form uuid;
    struct fingerprint_key secret;
    struct buf text, record;       /* of the labels at hand */
    struct intern *target_keys;
    VEC(struct scrape_target) targets;
    struct buf last_target_key;    /* cluster and label values of the target at hand, */
    uint32_t last_target;          /* and that one: it has many series, which come together */
    struct label_choice pod_labels, namespace_labels, node_labels, pod_annotations, namespace_annotations;
    struct blocks *blocks;
    VEC(struct scrape_handle) numbered;    /* series whose samples come one by one */
    VEC(struct staged) staged;
    struct scrape_batch batch;     /* of the staged ones */
    int64_t n_samples;
    bool gpu_memory;               /* some are of GPUs */
    int64_t *bad, *repeated, *shuffled, *nameless;   /* counts by index into family */
    struct fingerprint_map counted;        /* series that are among the last two */
    bool *seen;                    /* by index into family */
};

void scrape_init(struct scrape *s, const struct metrics_request *req);
void scrape_free(struct scrape *s);

/* The family of a metric name, or NULL: not read. */
const struct family *scrape_family(struct scrape *s, struct span name);
/* Its index. */
uint16_t scrape_family_at(struct scrape *s, const struct family *f);

/* Appends names of the families from which GPU memory is read, "A, B, C and 9 more, see ...". */
void scrape_add_memory_families(const struct scrape *s, struct buf *b);

/* Counts a series whose samples were not in order, or whose labels do not name what it speaks of: once, however often it is met. */
enum scrape_fault { SCRAPE_SHUFFLED, SCRAPE_NAMELESS };
void scrape_count_series(struct scrape *s, enum scrape_fault fault, struct fingerprint key, size_t family);

/* Warns of what was dropped: of samples that are no numbers as soon as all is loaded; of the rest when all of it has been met. */
void scrape_warn_early(struct scrape *s);
void scrape_warn(struct scrape *s);

#endif
