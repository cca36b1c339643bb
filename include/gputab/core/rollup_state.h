/* rollup_state: what rollup (adding) and rollup_table (rounding) share. Nobody else includes it. */
#ifndef GPUTAB_CORE_ROLLUP_STATE_H
#define GPUTAB_CORE_ROLLUP_STATE_H

#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/core/rollup.h"
#include "gputab/core/rows.h"

struct row_time {
    uint32_t row;
    struct timespan span;
};

struct rollup {
    struct rollup_config cfg;
    struct key_context context;
    bool asked[KEYS];              /* by --by or a filter */
    struct rows *rows;
    struct intern *known;          /* struct key_reads, of today */
    VEC(uint32_t) row_of_known;
    struct key_reads last;         /* of the entry before, */
    uint32_t last_known;           /* and its id in known; 0: there was none today */
    VEC(struct row_time) today;    /* time with memory */
    uint32_t pot;                  /* of the entries at hand; 0: none */
    money pot_cost;
    VEC(uint32_t) pot_rows;
    struct buf text, texts;        /* scratch */
};

void rollup_end(struct rollup *r);         /* ends adding; the rows are then read from the first one on */

#endif
