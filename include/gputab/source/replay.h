/* replay: the series of a stretch of time, read back from a scrape: each once, with what is known of its samples.
 *
 * Samples of GPUs and containers stay in the scrape's blocks, which are listed by series; those of Kubernetes' state, which hardly ever
 * change, come along packed at their series. */
#ifndef GPUTAB_SOURCE_REPLAY_H
#define GPUTAB_SOURCE_REPLAY_H

#include "gputab/base/arena.h"
#include "gputab/base/bytes.h"
#include "gputab/source/scrape.h"

enum { REPLAY_SERIES = 1 << 24, REPLAY_NAMES = 512 << 20 };    /* caps, of one replay; of different names in labels, in bytes */

/* Who a series speaks of; string ids, 0: nobody. */
struct replay_pod {
    uint32_t namespace_name, name, container, uid;
};

/* There are many, and they are gone through often: what is asked of all of them stands at the beginning. */
struct replay_series {
    uint16_t kind;                 /* enum sample_kind or enum family_kind */
    uint16_t family_index;
    bool shuffled : 1;             /* samples came out of time order */
    bool any : 1;                  /* it has samples */
    bool stands_in : 1;            /* for many series that differ in their pods; */
    bool names_pod : 1;            /* which are named */
    bool pod_known : 1;            /* replay_find_pod has been here */
    uint64_t order;                /* within a family, the canonical order */
    uint64_t roles;                /* which label values there are, a bit by role; see replay_role */
    uint32_t *values;              /* their string ids, in the order of roles */
    struct replay_pod pod;         /* the workload; filled by replay_finish */
    uint32_t cluster;
    uint32_t who;                  /* of a window: a pod or an owner of which it speaks, in [1, persons); 0: nobody */
    uint32_t labelset;             /* of labels and annotations: id in the label sets */
    uint32_t number;               /* what the list of blocks knows it by: the order of arrival */
    const struct family *family;
    time_ms first, last;           /* of the samples */
    time_ms first_on;              /* of those above zero; TIME_MAX: none; of kinds that are packed here */
    struct { char *p; size_t n, room; } kept;      /* packed samples, of kinds that stay here: see replay_kept */
    struct sample last_kept;       /* the last one of those; unless shuffled, before replay_finish */
    struct fingerprint key;
    uint64_t at;                   /* its labels, in the scrape */
    uint32_t target;               /* index into the scrape's targets */
    uint32_t sharing;              /* of node labels: bits of enum node_sharing */
    struct replay_pod exporter;    /* the exporter's own pod, where the labels tell; filled by replay_finish */
};

struct replay_value {              /* a string that was met, and its id */
    struct span text;              /* in the names */
    uint32_t id;
};

struct replay {
    struct scrape *scrape;
    struct intern *names;          /* receives strings of labels, */
    struct intern *labelsets;      /* and label sets */
    struct timespan reach;         /* packed samples are of it; both ends inclusive */
    struct arena values;           /* of all series */
    struct arena numbers, records; /* packed samples: of sample kinds, and of others */
    struct replay_value last[ROLES];       /* by role: series that come one after the other say the same for the most part */
    VEC(struct replay_series) series;
    struct fingerprint_map by_key;         /* number of the series */
    uint32_t persons;              /* see replay_series.who; 0: nobody asked */
    struct block_list blocks;      /* of samples that stay in blocks; block.series is the number; after replay_finish in its order */
    struct samples scratch;
    struct buf packing;
};

/* The value of the label with that role; 0: none. */
static inline uint32_t replay_role(const struct replay_series *s, enum label_role role)
{
    uint64_t bit = (uint64_t)1 << role;

    return s->roles & bit ? s->values[bits_count(s->roles & (bit - 1))] : 0;
}

/* The packed samples of a series of a kind that stays there; in time order, times distinct, after replay_finish. */
static inline struct span replay_kept(const struct replay_series *s)
{
    return (struct span){ s->kept.p, s->kept.n };
}

/* Whether samples of the kind stay at their series. */
bool replay_keeps(int kind);

/* names and labelsets are borrowed. */
void replay_init(struct replay *r, struct scrape *scrape, struct intern *names, struct intern *labelsets, struct timespan reach);
/* About so many series will come. */
void replay_expect(struct replay *r, size_t n);
void replay_free(struct replay *r);

/* The series under the key: *index. Where there was none it is made of the labels, with the values of the roles in the mask; true then. */
bool replay_add(struct replay *r, const struct scrape_labels *labels, struct fingerprint key, uint64_t mask, uint32_t *index);

/* The series' samples in a block, which is listed, or whose samples are packed; see replay_keeps. */
int replay_take(struct replay *r, uint32_t index, const struct block *block, struct err *e) GPUTAB_MUST_CHECK;
/* Says that the series stands for others, of whose samples nothing is kept but when there were some. */
void replay_stand_in(struct replay *r, uint32_t index, uint64_t order, bool names_pod);
void replay_note(struct replay *r, uint32_t index, time_ms first, time_ms last);
/* A packed sample of before, of a series that has none yet. */
void replay_begin(struct replay *r, uint32_t index, struct sample before, time_ms first, time_ms first_on);

/* -1: more series, or names, than the caps. */
int replay_check_room(const struct replay *r, struct err *e) GPUTAB_MUST_CHECK;

/* Says whose each series is, drops those without samples and those that do not name what they speak of, sorts and drops repeated packed
 * samples, puts the series into canonical order, and counts what was dropped, of samples only in [counted). */
int replay_finish(struct replay *r, struct timespan counted, struct err *e) GPUTAB_MUST_CHECK;

/* The blocks of a series: how many, from *first on. After replay_finish. */
size_t replay_blocks_of(const struct replay *r, const struct replay_series *s, const struct block **first);

/* Series of no numbers go, with their samples: they have said what they know. What others have packed stays where it is. */
void replay_drop_records(struct replay *r);

/* Says what value of a role a series has that has none. */
void replay_give_role(struct replay *r, struct replay_series *series, enum label_role role, uint32_t value);

#endif
