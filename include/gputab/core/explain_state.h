/* explain_state: what explain (listening) and explain_lines (telling) share. Nobody else includes it. */
#ifndef GPUTAB_CORE_EXPLAIN_STATE_H
#define GPUTAB_CORE_EXPLAIN_STATE_H

#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/core/explain.h"

enum { EXPLAIN_RATES = 64 };       /* different prices of a group that are kept apart */

enum explain_part {
    PART_BILL,                     /* node, resource, type, region, purchase: hours and cost of all of the node */
    PART_PRICE,                    /* model, region, purchase: GPU hours and GPU pieces of the nodes concerned */
    PART_HELD,                     /* the row's GPU hours and amounts by how they were held */
    PART_CAPACITY,                 /* piece, region, purchase: core or GiB hours of the nodes concerned */
    PART_HOST,                     /* the row's CPU and memory pieces */
    PART_OWNER,                    /* owner line, team, namespace */
    PART_WHERE,                    /* node and GPU of the row's amounts */
    PART_WHO,                      /* node, team or bucket: of every node */
    PART_MIG,                      /* profile: time of instances held */
    EXPLAIN_PARTS
};

struct explain_group_key {         /* string ids of explain.texts; no padding: compared by its bytes */
    uint32_t part;
    uint32_t cluster, node, resource, type, region, purchase, model, gpu;
    uint32_t piece, bucket, sharing, state, grade, reason, follows;
    uint32_t team, namespace_name, owner_line;
    uint32_t slices, base;         /* of a MIG instance */
};

struct explain_sums {
    int64_t n;
    money quantity, cost, used;
    weight memory_ms, host;
};

struct explain_rate {
    money rate;                    /* to 6 decimals */
    bool priced;                   /* false: an amount without hours, a correction */
    struct explain_sums sums;
};

struct explain_group {
    struct explain_group_key key;
    struct explain_sums sums;
    VEC(struct explain_rate) rates;
    bool averaged;                 /* there were more than EXPLAIN_RATES: rates are no more */
    money least, most;             /* of the rates with a price */
};

struct explain_model {
    uint32_t name;
    int64_t count_micro;
    money price_hour, cost, gpu_hours;
};

struct explain_shape {             /* nodes of the same hardware, split in the same way */
    bool known, as_billed;
    int64_t vcpu_micro, memory_micro_gib;
    struct explain_model models[SPLIT_MODELS];
    size_t n_models;
    int64_t n;                     /* charges */
    money cost, hours, cpu, memory;
};

struct explain_moved {             /* what the rule moved in one way, of one scope, piece and owner */
    enum rollup_way way;
    size_t number;
    uint32_t where, owner;         /* of texts */
    enum piece piece;
    bool out;
    money amount;
    struct move_terms terms;       /* part: of all rows explained */
};

struct explain {
    struct explain_config cfg;
    struct key_context context;
    struct key_list by;
    struct key_list read;          /* key_list_read of the key */
    struct intern *texts;
    struct intern *known;          /* struct key_reads of today */
    VEC(bool) matches;             /* by them */
    struct intern *keys;           /* struct explain_group_key */
    VEC(struct explain_group) groups;
    VEC(struct explain_shape) shapes;
    money exact, piece[PIECES];    /* of all that matched */
    money moved[PIECES];           /* into them, by the rule */
    struct intern *known_moves;
    VEC(struct explain_moved) moves;       /* by their ids */
    /* the charge at hand */
    struct allocate_charge charge;
    struct entry charge_keys;
    struct charge charge_bill;
    struct split_node charge_node;
    struct split_result charge_pieces;
    bool in_charge, touched;
    money model_rate[SPLIT_MODELS], host_rate[2];
    uint32_t gpu;                  /* of EXPLAIN_POD: the last one seen */
    struct buf text;               /* scratch */
};

#endif
