/* bill_entry: sums of rows that may become charges, and how the sums of one node and interval become one charge. */
#ifndef GPUTAB_SOURCE_BILL_ENTRY_H
#define GPUTAB_SOURCE_BILL_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/intern.h"
#include "gputab/value/charge.h"

enum {                             /* bits of bill_key.kind */
    ENTRY_TIME = 1,                /* instance time; else beside it (attached) */
    ENTRY_CORRECTION = 2,          /* cost, never time */
    ENTRY_SURE = 4,                /* the rows alone say that this is a GPU node; else that is known at the end */
    ENTRY_GPU_TIME = 16,           /* the machine as a whole, by the time of its GPUs */
    ENTRY_ALLOCATED = 8            /* split cost: counts unless the origins have it too, which is known at the end */
};

/* Equal keys, one entry. */
struct bill_key {
    struct timespan span;
    uint32_t resource;             /* index of the aggregator's resources */
    uint32_t type, region;         /* string ids */
    uint32_t gpu_model;            /* string id */
    uint16_t piece;                /* an enum piece; PIECES: the machine as a whole, or beside it */
    uint16_t shared;               /* the shared cost that selects the rows if they are no charge's, + 1; 0: none */
    uint16_t text;
    uint8_t purchase, kind;
};

struct bill_entry {
    struct bill_key key;
    money cost, invoiced;
    money list;                    /* of its rows that bill time */
    money time_ms;                 /* 10^-12 ms; GPUs times ms of the GPU piece */
    int64_t rows;
    bool has_time;
    bool no_list;                  /* of some of those rows it is unknown */
    int64_t vcpu_micro, memory_micro_gib, gpu_count_micro;   /* largest */
};

/* Its time is that of each GPU, added up. */
bool bill_key_counts_gpus(const struct bill_key *k);

/* Makes one charge, over the whole interval, of n > 0 entries of one resource and interval; all of it but billed_ns. resource: its string
 * id. Its parts are added to *parts. */
struct charge bill_entries_charge(const struct bill_entry *v, size_t n, uint32_t resource, const struct intern *names,
                                  struct charge_parts *parts);

/* The time that they bill, in nanoseconds, at most the interval; of a scale set that of all its machines, 0 when no row tells. gpu_micro:
 * GPUs of the machine, 10^-6, which the time of GPU rows is divided by; 0 when unknown: then as few as can have had that time. */
int64_t bill_entries_billed_ns(const struct bill_entry *v, size_t n, int64_t gpu_micro, bool is_set);

#endif
