/* row: the exact sums behind one row of a report; shared by rollup (adding) and rollup_table (rounding). */
#ifndef GPUTAB_CORE_ROW_H
#define GPUTAB_CORE_ROW_H

#include "gputab/base/vec.h"
#include "gputab/core/keys.h"
#include "gputab/core/rollup.h"

struct row {
    uint32_t keys[KEYS];           /* string ids, in the order of --by; 0 beyond and where a key does not apply */
    enum bucket bucket;
    bool matched;                  /* by the filters */
    bool has_pods;
    money cost[PIECES];
    money gpu_hours, used_cost, min_cost, max_cost;
    money grade[GRADES];
    weight memory_ms, requested;
    uint64_t resident_ms;          /* of the days that are done */
    VEC(struct timespan) today;    /* time with memory, unmerged */
};

struct rollup {
    struct rollup_config cfg;
    struct key_context context;
    struct intern *by_key;
    VEC(struct row) rows;
    VEC(size_t) with_today;        /* rows that have presence today */
    uint32_t pot;                  /* of the entries at hand; 0: none */
    money pot_cost;
    VEC(size_t) pot_rows;
};

void rollup_end_pot(struct rollup *r);     /* hands the pot at hand to its rows */

#endif
