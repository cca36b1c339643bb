/* idle: two readings of the stakes. The first sums them up by scope and team; the second gives each its part.
 *
 * Stakes of a scope come together, and in it those of a role and owner: so of what has been given only the present owner's is held. GPU
 * hours are an amount beside the pieces, and go by the weights of the GPU piece. Money keeps its grade: each grade is given on its own. */
#include "gputab/core/idle.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/arena.h"
#include "gputab/base/vec.h"

struct weights {
    money sum[PIECES];
    money magnitude[PIECES];       /* without sign: how large a part sum may become on its way to the sum */
};

struct team {                      /* with pods in a scope */
    const char *name;
    struct weights weights;
};

struct scope {
    money idle[IDLE_AMOUNTS][GRADES];
    struct weights all;
    size_t first_team, n_teams;
    int64_t even[PIECES];          /* teams that `even` counts */
};

struct given {                     /* how far a total has been given away */
    money weight, amount;
};

struct idle {
    const struct rule_idle *rule;
    struct stakes *stakes;
    struct arena names;
    VEC(struct team) teams;        /* of a scope by name */
    VEC(struct scope) scopes;      /* as they are read */
    /* reading */
    size_t scope;                  /* of the stake at hand, + 1; 0: none yet */
    struct buf scope_text, owner_text;
    int role;                      /* of the stake at hand; -1 none */
    const struct team *team;       /* of the stake at hand; NULL none */
    money share[IDLE_AMOUNTS][GRADES];         /* of the present owner */
    struct weights weights;        /* all of the present owner's; of a fallback unused */
    bool fallback[PIECES];         /* the present owner is a named team that nothing weighs for */
    struct given given[IDLE_AMOUNTS][GRADES];
    int64_t rank[PIECES];          /* of teams that `even` has counted in this scope */
};

static enum piece piece_of(int amount)
{
    return amount == IDLE_HOURS ? PIECE_GPU : (enum piece)amount;
}

static weight magnitude(money m)
{
    return m < 0 ? (weight)0 - (weight)m : (weight)m;
}

/* ---- sums ---- */

static void add_weights(struct weights *to, const struct stake *s)
{
    for (int p = 0; p < PIECES; p++) {
        to->sum[p] += s->cost[p];
        to->magnitude[p] += s->magnitude[p];
    }
}

static void add_idle(struct scope *to, const struct stake *s)
{
    for (int p = 0; p < PIECES; p++)
        to->idle[p][s->grade] += s->cost[p];
    to->idle[IDLE_HOURS][s->grade] += s->gpu_hours;
}

static struct scope *sum_scope(struct idle *x, const struct stake *s)
{
    if (x->scopes.n == 0 || !span_same(buf_span(&x->scope_text), s->scope)) {
        vec_push(&x->scopes, (struct scope){.first_team = x->teams.n});
        buf_clear(&x->scope_text);
        buf_add_span(&x->scope_text, s->scope);
    }
    return &x->scopes.v[x->scopes.n - 1];
}

static struct team *sum_team(struct idle *x, struct scope *scope, struct span name)
{
    if (scope->n_teams == 0 || !span_eq(name, x->teams.v[x->teams.n - 1].name)) {
        vec_push(&x->teams, (struct team){.name = arena_strndup(&x->names, name.p, name.n)});
        scope->n_teams++;
    }
    return &x->teams.v[x->teams.n - 1];
}

static void sum_up(struct idle *x)
{
    struct stake s;

    for (stakes_rewind(x->stakes); stakes_next(x->stakes, &s);) {
        struct scope *scope = sum_scope(x, &s);

        if (s.role == STAKE_SOURCE)
            add_idle(scope, &s);
        if (s.role == STAKE_PODS)
            add_weights(&sum_team(x, scope, s.owner)->weights, &s);
        if (s.role == STAKE_PODS || s.role == STAKE_BUCKET_PODS)
            add_weights(&scope->all, &s);
    }
}

/* ---- what weighs ---- */

static money idle_of(const struct scope *s, enum piece piece)
{
    money sum = 0;

    for (int g = 0; g < GRADES; g++)
        sum += s->idle[piece][g];
    return sum;
}

/* Whether total x part / sum stays in a money's range for each part of what the sum is of. */
static bool fits(money total, money sum, money parts)
{
    weight most = magnitude(parts) / magnitude(sum) + 1;

    return magnitude(total) <= ((weight)1 << 126) / most;
}

/* Weights with the sign of what is given: else who has less would get more. */
static bool weighs(const struct scope *s, const struct weights *w, enum piece piece)
{
    money idle = idle_of(s, piece), sum = w->sum[piece];
    bool can = idle != 0 && sum != 0 && (idle > 0) == (sum > 0);

    for (int a = 0; a < IDLE_AMOUNTS; a++)
        for (int g = 0; g < GRADES && can && piece_of(a) == piece; g++)
            can = fits(s->idle[a][g], sum, w->magnitude[piece]);
    return can;
}

static void count_even(struct idle *x)
{
    for (size_t i = 0; i < x->scopes.n; i++) {
        struct scope *s = &x->scopes.v[i];

        for (size_t t = 0; t < s->n_teams; t++)
            for (int p = 0; p < PIECES; p++)
                s->even[p] += weighs(s, &x->teams.v[s->first_team + t].weights, (enum piece)p);
    }
}

static bool moves(const struct idle *x, const struct scope *s, enum piece piece)
{
    switch (x->rule->policy) {
    case RULE_IDLE_SEPARATE:
        return false;
    case RULE_IDLE_PROPORTIONAL:
        return weighs(s, &s->all, piece);
    case RULE_IDLE_EVEN:
        return s->even[piece] > 0;
    default:
        return idle_of(s, piece) != 0;         /* fixed, to: who is named pays, with pods or without */
    }
}

/* ---- one owner ---- */

static const struct team *find_team(const struct idle *x, const struct scope *s, struct span name)
{
    size_t low = s->first_team, high = low + s->n_teams;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int c = span_cmp(name, span_of(x->teams.v[mid].name));

        if (c == 0)
            return &x->teams.v[mid];
        if (c < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

static void share_part(struct idle *x, const struct scope *s, enum piece piece, int64_t from, int64_t to, int64_t of)
{
    for (int a = 0; a < IDLE_AMOUNTS; a++)
        for (int g = 0; g < GRADES && piece_of(a) == piece; g++)
            x->share[a][g] = money_part(s->idle[a][g], from, to, of);
}

/* The percentages before a named team and with it; none: equal. */
static void percent_of(const struct rule_shares *shares, struct span team, int64_t *before, int64_t *with)
{
    *before = *with = 0;
    for (size_t i = 0; i < shares->n; i++) {
        *with += (int64_t)shares->v[i].percent;
        if (span_eq(team, shares->v[i].team))
            return;
        *before = *with;
    }
    *before = *with = 0;
}

static void share_even(struct idle *x, const struct scope *s, enum piece piece)
{
    if (!x->team || !weighs(s, &x->team->weights, piece))
        return;
    share_part(x, s, piece, x->rank[piece], x->rank[piece] + 1, s->even[piece]);
    x->rank[piece]++;
}

static void share_named(struct idle *x, const struct scope *s, const struct stake *stake, enum piece piece)
{
    int64_t before, with;
    bool own = x->team && weighs(s, &x->team->weights, piece);

    if (stake->role == STAKE_FALLBACK ? own : !own)
        return;
    x->fallback[piece] = !own;
    percent_of(&x->rule->shares, stake->owner, &before, &with);
    share_part(x, s, piece, before, with, (int64_t)(100 * MONEY_ONE));
}

/* The policy `proportional` knows one owner in a scope: all pods. */
static void begin_owner(struct idle *x, const struct stake *stake)
{
    const struct scope *s = &x->scopes.v[x->scope - 1];
    bool named = stake->role == STAKE_PODS || stake->role == STAKE_FALLBACK;

    memset(x->share, 0, sizeof x->share);
    memset(x->given, 0, sizeof x->given);
    memset(x->fallback, 0, sizeof x->fallback);
    x->team = named ? find_team(x, s, stake->owner) : NULL;
    x->weights = x->rule->policy == RULE_IDLE_PROPORTIONAL ? s->all : x->team ? x->team->weights : (struct weights){{0}, {0}};
    for (int p = 0; p < PIECES; p++) {
        if (!moves(x, s, (enum piece)p))
            continue;
        if (x->rule->policy == RULE_IDLE_PROPORTIONAL)
            share_part(x, s, (enum piece)p, 0, 1, 1);
        else if (x->rule->policy == RULE_IDLE_EVEN && stake->role == STAKE_PODS)
            share_even(x, s, (enum piece)p);
        else if (x->rule->policy != RULE_IDLE_EVEN && named)
            share_named(x, s, stake, (enum piece)p);
    }
}

static bool same_owner(const struct idle *x, const struct stake *s)
{
    bool pods = s->role == STAKE_PODS || s->role == STAKE_BUCKET_PODS;

    if (x->rule->policy == RULE_IDLE_PROPORTIONAL && pods)
        return x->role == STAKE_PODS || x->role == STAKE_BUCKET_PODS;
    return x->role == (int)s->role && span_same(buf_span(&x->owner_text), s->owner);
}

static void step(struct idle *x, const struct stake *s)
{
    bool same_scope = x->scope > 0 && span_same(buf_span(&x->scope_text), s->scope);

    if (!same_scope) {
        x->scope++;
        memset(x->rank, 0, sizeof x->rank);
        buf_clear(&x->scope_text);
        buf_add_span(&x->scope_text, s->scope);
    }
    if (!same_scope || !same_owner(x, s))
        begin_owner(x, s);
    x->role = (int)s->role;
    buf_clear(&x->owner_text);
    buf_add_span(&x->owner_text, s->owner);
}

/* ---- one stake ---- */

static money mul_div(money total, money part, money whole)
{
    money m = money_mul_div(total, magnitude(part), magnitude(whole));

    return (part < 0) == (whole < 0) ? m : -m;
}

static money give(struct given *given, money share, money part, money whole)
{
    money before = given->amount;

    given->weight += part;
    given->amount = mul_div(share, given->weight, whole);
    return given->amount - before;
}

static money amount_of(const struct stake *s, int amount)
{
    return amount == IDLE_HOURS ? s->gpu_hours : s->cost[amount];
}

static void flow_in(struct idle *x, const struct stake *s, struct idle_flow *flow)
{
    const struct scope *scope = &x->scopes.v[x->scope - 1];

    for (int a = 0; a < IDLE_AMOUNTS; a++)
        for (int g = 0; g < GRADES; g++) {
            enum piece p = piece_of(a);

            if (x->share[a][g] == 0)
                continue;
            if (!x->fallback[p])
                flow->amount[a][g] = give(&x->given[a][g], x->share[a][g], s->cost[p], x->weights.sum[p]);
            else if (s->grade == (enum grade)g)
                flow->amount[a][g] = give(&x->given[a][g], x->share[a][g], amount_of(s, a), scope->idle[a][g]);
        }
}

static void flow_out(const struct idle *x, const struct stake *s, struct idle_flow *flow)
{
    const struct scope *scope = &x->scopes.v[x->scope - 1];

    for (int a = 0; a < IDLE_AMOUNTS; a++)
        if (moves(x, scope, piece_of(a)))
            flow->amount[a][s->grade] = -amount_of(s, a);
}

struct idle *idle_new(const struct rule_idle *rule, struct stakes *stakes)
{
    struct idle *x = xcalloc(1, sizeof *x);

    x->rule = rule;
    x->stakes = stakes;
    sum_up(x);
    count_even(x);
    idle_rewind(x);
    return x;
}

void idle_rewind(struct idle *x)
{
    x->scope = 0;
    x->role = -1;
    buf_clear(&x->scope_text);
    stakes_rewind(x->stakes);
}

bool idle_next(struct idle *x, struct stake *stake, struct idle_flow *flow)
{
    if (!stakes_next(x->stakes, stake))
        return false;
    step(x, stake);
    memset(flow, 0, sizeof *flow);
    if (stake->role == STAKE_SOURCE)
        flow_out(x, stake, flow);
    else if (stake->role != STAKE_OWNED)
        flow_in(x, stake, flow);
    return true;
}

struct move_terms idle_terms(const struct idle *x, const struct stake *stake, enum piece piece)
{
    const struct scope *scope = &x->scopes.v[x->scope - 1];
    struct move_terms t = {idle_of(scope, piece), 1, 1, stake->cost[piece], x->weights.sum[piece]};
    int64_t before, with;

    if (x->fallback[piece])
        t.parts = t.of;
    if (x->rule->policy == RULE_IDLE_EVEN)
        t.shares = scope->even[piece];
    if (x->rule->policy == RULE_IDLE_FIXED || x->rule->policy == RULE_IDLE_TO) {
        percent_of(&x->rule->shares, stake->owner, &before, &with);
        t.share = with - before;
        t.shares = 100 * MONEY_ONE;
    }
    return t;
}

void idle_free(struct idle *x)
{
    if (!x)
        return;
    vec_free(&x->teams);
    vec_free(&x->scopes);
    arena_free(&x->names);
    buf_free(&x->scope_text);
    buf_free(&x->owner_text);
    free(x);
}
