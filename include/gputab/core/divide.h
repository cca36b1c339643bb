/* divide: one charge and what was collected for it become entries that sum to its cost exactly. */
#ifndef GPUTAB_CORE_DIVIDE_H
#define GPUTAB_CORE_DIVIDE_H

#include "gputab/core/allocate.h"
#include "gputab/core/charge_book.h"

/* Facts of a charge under the rule at hand, summed per key and day. */
struct gpu_cell {
    uint32_t gpu;                  /* inventory index */
    time_ms day;
    enum sharing sharing;
    enum usage_state state;
    uint32_t candidates;
    enum claimant claimant;
    enum reason reason;
    enum grade grade;
    uint32_t pod_version;
    weight share;                  /* 2^-USAGE_SHARE_BITS GPU x ms, by the rule's denominator and reading of exclusive devices */
    weight used;                   /* the part of it that the memory held makes up */
    weight memory_ms;
};

struct gpu_day {
    uint32_t gpu;
    time_ms day;
    uint64_t observed_ms;
};

struct host_cell {
    uint32_t pod_version;
    time_ms day;
    weight amount[2];              /* by the rule's basis: CPU, memory */
};

struct host_day {
    time_ms day;
    uint64_t observed_ms[2];
};

struct collected {
    VEC(struct gpu_cell) gpu;
    VEC(struct gpu_day) observed;
    VEC(struct host_cell) host;
    VEC(struct host_day) host_observed;
};

/* Room for what is split over cells. */
struct divide_parts {
    VEC(weight) weights;
    VEC(money) costs, hours;
};

/* The model of a GPU, and what it was found by. */
struct node_model {
    uint32_t metric;               /* string id of what metrics call it; 0: they name none, */
    const struct instance_type *type;      /* and it is the model that the type of its node has */
    int index;                     /* in the catalogue; -1 unknown */
    const char *text;              /* the metric's, or the type's */
    uint32_t name;                 /* what reports call it: the catalogue's name when known, else text; string id */
};

/* What goes on from one charge to the next. `struct divide_run run = {.cfg = &cfg};` is ready. */
struct divide_run {
    const struct allocate_config *cfg;     /* borrowed */
    uint32_t next_pot;             /* the last one that entries had */
    struct allocate_sums sums;     /* of the charges so far */
    VEC(unsigned char) told;       /* per inventory node: of which pieces (bits) it was said that they follow the GPU piece */
    struct node_model model;       /* of the GPU at hand; all zeros: forgotten, when strings may have gone */
    /* scratch */
    VEC(struct entry) gpu_entries; /* of a charge's GPU piece: what CPU and memory may follow */
    struct divide_parts of_gpus, of_cells;         /* of a model's GPUs; of what one of them, or a piece, is divided among */
};

/* type: the machine's; NULL when the catalogue knows none. */
int divide_charge(struct divide_run *run, const struct book_node *node, const struct instance_type *type, const struct charge *charge,
                  const struct split_billed *billed, struct collected *facts, struct err *e) GPUTAB_MUST_CHECK;
void divide_run_free(struct divide_run *run);

/* Sorts (pods by the rank of their versions) and sums equal keys, so that a long charge holds no more than it has different ones. */
void collected_compact(struct collected *c, const struct owners *owners);
void collected_free(struct collected *c);

/* The keys that every entry of a charge shares. */
struct entry divide_entry(const struct allocate_config *cfg, const struct book_node *node, const struct charge *charge);
#endif
