/* rollup_state: what rollup (adding), rollup_moves (what the rule moves) and rollup_table (rounding) share. Nobody else includes it. */
#ifndef GPUTAB_CORE_ROLLUP_STATE_H
#define GPUTAB_CORE_ROLLUP_STATE_H

#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/core/rollup.h"
#include "gputab/core/rows.h"
#include "gputab/core/stakes.h"

struct row_time {
    uint32_t row;
    struct timespan span;
};

struct known_row {
    uint32_t row;
    uint32_t first;                /* today's first of that pod's version, 1 and more */
    struct key_reads reads;
};

struct rollup {
    struct rollup_config cfg;
    struct key_context context;
    struct key_context asked_context;      /* for filters, --only, and what rows are cut by */
    bool asked[KEYS];              /* by --by or a filter */
    struct key_list read;          /* key_list_read of them */
    struct rows *rows;
    VEC(struct known_row) known_rows;      /* what was read of today's entries, each once */
    VEC(uint32_t) known_last;      /* of each bucket, then of each version of a pod: which of them its last entry is, from 1; 0: none
                                      today */
    struct intern *known;          /* struct key_reads of those that are not the first of their version, */
    VEC(uint32_t) known_places;    /* and of each which it is, from 1 */
    VEC(struct timespan) open_time;        /* of each row: the time with memory that the next may go on; */
    VEC(struct row_time) today;    /* what came before that */
    uint32_t pot;                  /* of the entries at hand; 0: none */
    money pot_cost;
    VEC(uint32_t) pot_rows;
    money measured[GRADES];        /* cost of pods as they were measured, before anything moves */
    struct buf text, texts;        /* scratch */
    /* rollup_moves */
    VEC(struct entry_team) teams;  /* that the rule names */
    struct intern *known_nodes;    /* {cluster, node}, string ids */
    VEC(uint32_t) nodes;           /* of each of them: inventory node, or NONE */
    struct stakes *stakes;         /* NULL: nothing moves at the end */
    struct intern *known_stakes;   /* what tells the stakes of an entry apart, of today */
    VEC(uint32_t) first_stake;     /* of each of them in stake_numbers; as many as stakes_of says */
    VEC(uint32_t) stake_numbers;
    struct buf stake_rows[GRADES], stake_scope;    /* scratch */
    VEC(struct rollup_shared) shared;      /* of the rule */
    bool moved;
    void (*hear)(void *to, const struct rollup_move *m);         /* NULL: nobody listens */
    void *hear_to;
};

/* The key of the entry's row; its texts are put into *texts. */
struct row_key rollup_key(struct rollup *r, const struct entry *e, struct buf *texts);

void rollup_moves_init(struct rollup *r);
void rollup_moves_free(struct rollup *r);
/* The entry as its idle owner's, in *copy, or the entry. */
const struct entry *rollup_owned(struct rollup *r, const struct entry *e, struct entry *copy);
void rollup_stake(struct rollup *r, const struct entry *e);
void rollup_moves_day(struct rollup *r);   /* the day is done */
void rollup_move(struct rollup *r);        /* all entries have come */

/* rollup_told, to who listens. line: in idle.owners. */
void rollup_tell_owned(struct rollup *r, size_t line, const struct entry *from, const struct entry *to);
void rollup_tell_flow(struct rollup *r, const struct idle *idle, const struct stake *s, const struct idle_flow *flow);
/* Needs a listener; cost: its number in the rule. */
void rollup_tell_shared(struct rollup *r, size_t cost, struct span owner, const struct row_key *row, const money part[PIECES],
                        const struct move_terms *terms);

void rollup_end(struct rollup *r);         /* ends adding; the rows are then read from the first one on */

#endif
