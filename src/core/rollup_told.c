/* rollup_told: what the rule moves, told move by move to who explains a row: by whose hand, out of what, and by which weights. Nothing is
 * counted here; without a listener nothing is done. Rows are taken to be by keys without grade. */
#include "gputab/core/rollup_state.h"

#include <string.h>

void rollup_hear(struct rollup *r, void (*take)(void *to, const struct rollup_move *m), void *to)
{
    r->hear = take;
    r->hear_to = to;
}

static void tell(struct rollup *r, const struct row_key *row, struct rollup_move *m)
{
    struct span texts = row->texts;

    m->key = row_key_next(&texts).p;
    m->bucket = bucket_names[row->bucket];
    r->hear(r->hear_to, m);
}

void rollup_tell_owned(struct rollup *r, size_t line, const struct entry *from, const struct entry *to)
{
    struct rollup_move m = {.way = ROLLUP_IDLE_OWNER, .number = line, .piece = from->piece};
    struct row_key row;

    if (!r->hear || from->cost == 0)
        return;
    m.where = intern_get(r->cfg.inventory->names, from->node);
    m.cost[from->piece] = from->cost;
    row = rollup_key(r, to, &r->texts);
    tell(r, &row, &m);
    m.cost[from->piece] = -from->cost;
    m.out = true;
    row = rollup_key(r, from, &r->texts);
    tell(r, &row, &m);
}

void rollup_tell_flow(struct rollup *r, const struct idle *idle, const struct stake *s, const struct idle_flow *flow)
{
    for (int p = 0; p < PIECES && r->hear; p++) {
        struct rollup_move m = {.way = ROLLUP_IDLE_POLICY, .where = s->scope, .piece = (enum piece)p, .out = s->role == STAKE_SOURCE};

        for (int g = 0; g < GRADES; g++)
            m.cost[p] += flow->amount[p][g];
        if (m.cost[p] == 0)
            continue;
        if (!m.out && r->cfg.rule->idle.policy != RULE_IDLE_PROPORTIONAL)
            m.owner = s->owner;
        if (!m.out)
            m.terms = idle_terms(idle, s, (enum piece)p);
        tell(r, &s->row[0], &m);
    }
}

void rollup_tell_shared(struct rollup *r, size_t cost, struct span owner, const struct row_key *row, const money part[PIECES],
                        const struct move_terms *terms)
{
    struct rollup_move m = {.way = ROLLUP_SHARED, .number = cost, .terms = *terms};

    memcpy(m.cost, part, sizeof m.cost);
    if (r->cfg.rule->shared_costs.v[cost].method != RULE_SHARED_PROPORTIONAL)
        m.owner = owner;
    tell(r, row, &m);
}
