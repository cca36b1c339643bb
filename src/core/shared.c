/* shared: sums of what weighs, by team and piece; and a cost given away by them.
 *
 * Stakes of a team lie in several scopes, so unlike in core/idle each team holds how much of its share it has been given. A team named by
 * fixed shares that has nothing gets its share in proportion to the pieces of the whole. The sign of a cost does not matter: a credit makes
 * everybody's cost smaller. */
#include "gputab/core/shared.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/intern.h"
#include "gputab/base/vec.h"

struct sum {
    money piece[PIECES];
    money magnitude;               /* of its parts, without sign */
};

struct team {
    struct sum sum;
    uint32_t name;                 /* in names */
    money share;                   /* of the cost at hand */
    bool weighs;
};

struct given {
    money weight, amount;
};

struct shared {
    struct intern *names;          /* of teams; id n is teams.v[n - 1] */
    VEC(struct team) teams;
    struct sum all;
    VEC(uint32_t) by_name;         /* teams */
    const struct rule_shared_cost *rule;
    money amount;
    VEC(struct given) given;       /* by team; of a proportional cost the first is all */
};

struct shared *shared_new(void)
{
    struct shared *x = xcalloc(1, sizeof *x);

    x->names = intern_new();
    return x;
}

void shared_free(struct shared *x)
{
    if (!x)
        return;
    intern_free(x->names);
    vec_free(&x->teams);
    vec_free(&x->by_name);
    vec_free(&x->given);
    free(x);
}

/* ---- what weighs ---- */

static bool has_team(const struct stake *s)
{
    return s->role == STAKE_PODS || s->role == STAKE_FALLBACK || s->role == STAKE_OWNED;
}

/* What the stake's row costs by it: of pods and owners their own, and what flowed in. */
static void weights_of(const struct stake *s, const struct idle_flow *flow, money out[PIECES])
{
    bool own = s->role == STAKE_PODS || s->role == STAKE_BUCKET_PODS || s->role == STAKE_OWNED;

    for (int p = 0; p < PIECES; p++) {
        out[p] = own ? s->cost[p] : 0;
        for (int g = 0; g < GRADES && s->role != STAKE_SOURCE; g++)
            out[p] += flow->amount[p][g];
    }
}

static void add(struct sum *to, const money w[PIECES])
{
    for (int p = 0; p < PIECES; p++) {
        to->piece[p] += w[p];
        to->magnitude += w[p] < 0 ? -w[p] : w[p];
    }
}

static money total(const struct sum *s)
{
    return s->piece[PIECE_GPU] + s->piece[PIECE_CPU] + s->piece[PIECE_MEMORY];
}

void shared_weigh(struct shared *x, const struct stake *s, const struct idle_flow *flow)
{
    money w[PIECES];
    uint32_t id;

    if (s->role == STAKE_SOURCE)
        return;
    weights_of(s, flow, w);
    add(&x->all, w);
    if (!has_team(s))
        return;
    id = intern_span(x->names, s->owner);
    if (id > x->teams.n) {
        vec_push(&x->teams, (struct team){.name = id});
        vec_push(&x->by_name, id - 1);
    }
    add(&x->teams.v[id - 1].sum, w);
}

static weight magnitude(money m)
{
    return m < 0 ? (weight)0 - (weight)m : (weight)m;
}

/* Not nothing, and so large that each part of the amount stays in a money's range. */
static bool weighs(const struct sum *s, money amount)
{
    money all = total(s);

    return all != 0 && magnitude(amount) <= ((weight)1 << 126) / (magnitude(s->magnitude) / magnitude(all) + 1);
}

/* ---- one cost ---- */

static int by_name(const void *pa, const void *pb, void *arg)
{
    const struct shared *x = arg;

    return intern_cmp(x->names, x->teams.v[*(const uint32_t *)pa].name, x->teams.v[*(const uint32_t *)pb].name);
}

static bool share_even(struct shared *x)
{
    int64_t n = 0, rank = 0;

    for (size_t i = 0; i < x->teams.n; i++)
        n += x->teams.v[i].weighs;
    if (x->teams.n)
        qsort_r(x->by_name.v, x->by_name.n, sizeof *x->by_name.v, by_name, x);
    for (size_t i = 0; i < x->by_name.n; i++) {
        struct team *t = &x->teams.v[x->by_name.v[i]];

        t->share = t->weighs ? money_part(x->amount, rank, rank + 1, n) : 0;
        rank += t->weighs;
    }
    return n > 0;
}

static struct team *find_team(struct shared *x, const char *name)
{
    struct span s = span_of(name);
    uint32_t id = intern_find(x->names, s.p, s.n);

    return id ? &x->teams.v[id - 1] : NULL;
}

static money share_of(const struct shared *x, size_t team)
{
    int64_t before = 0;

    for (size_t i = 0; i < team; i++)
        before += (int64_t)x->rule->shares.v[i].percent;
    return money_part(x->amount, before, before + (int64_t)x->rule->shares.v[team].percent, (int64_t)(100 * MONEY_ONE));
}

static bool share_fixed(struct shared *x)
{
    for (size_t i = 0; i < x->rule->shares.n; i++) {
        struct team *t = find_team(x, x->rule->shares.v[i].team);

        if (t)
            t->share = share_of(x, i);
    }
    return true;
}

bool shared_begin(struct shared *x, const struct rule_shared_cost *rule, money amount)
{
    x->rule = rule;
    x->amount = amount;
    vec_clear(&x->given);
    for (size_t i = 0; i < x->teams.n || i == 0; i++)
        vec_push(&x->given, (struct given){0, 0});
    for (size_t i = 0; i < x->teams.n; i++) {
        x->teams.v[i].share = 0;
        x->teams.v[i].weighs = weighs(&x->teams.v[i].sum, amount);
    }
    if (!weighs(&x->all, amount))
        return false;
    switch (rule->method) {
    case RULE_SHARED_EVEN:
        return share_even(x);
    case RULE_SHARED_FIXED:
        return share_fixed(x);
    default:
        return true;
    }
}

static money mul_div(money amount, money part, money whole)
{
    money m = money_mul_div(amount, magnitude(part), magnitude(whole));

    return (part < 0) == (whole < 0) ? m : -m;
}

static money give(struct given *given, money share, money part, money whole)
{
    money before = given->amount;

    given->weight += part;
    given->amount = mul_div(share, given->weight, whole);
    return given->amount - before;
}

void shared_next(struct shared *x, const struct stake *s, const struct idle_flow *flow, money part[PIECES])
{
    money w[PIECES];
    bool all = x->rule->method == RULE_SHARED_PROPORTIONAL;
    uint32_t id = all || !has_team(s) ? 0 : intern_find(x->names, s->owner.p, s->owner.n);
    const struct team *t = id ? &x->teams.v[id - 1] : NULL;

    for (int p = 0; p < PIECES; p++)
        part[p] = 0;
    if (s->role == STAKE_SOURCE || (!all && (!t || !t->weighs)))
        return;
    weights_of(s, flow, w);
    for (int p = 0; p < PIECES; p++)
        part[p] = give(&x->given.v[t ? id - 1 : 0], t ? t->share : x->amount, w[p], total(t ? &t->sum : &x->all));
}

/* Of a named team the percentage, of all others one of those that weigh. */
static void set_share(const struct shared *x, const char *team, struct move_terms *t)
{
    if (x->rule->method == RULE_SHARED_EVEN) {
        t->shares = 0;
        for (size_t i = 0; i < x->teams.n; i++)
            t->shares += x->teams.v[i].weighs;
    }
    for (size_t i = 0; x->rule->method == RULE_SHARED_FIXED && i < x->rule->shares.n; i++)
        if (strcmp(x->rule->shares.v[i].team, team) == 0) {
            t->share = x->rule->shares.v[i].percent;
            t->shares = 100 * MONEY_ONE;
        }
}

struct move_terms shared_terms(const struct shared *x, const struct stake *s, const struct idle_flow *flow, size_t team)
{
    struct move_terms t = {x->amount, 1, 1, 1, 1};
    bool all = x->rule->method == RULE_SHARED_PROPORTIONAL;
    uint32_t id = all || !s ? 0 : intern_find(x->names, s->owner.p, s->owner.n);
    money w[PIECES];

    if (!all)
        set_share(x, s ? intern_cstr(x->names, id) : x->rule->shares.v[team].team, &t);
    if (!s)
        return t;
    weights_of(s, flow, w);
    t.part = w[PIECE_GPU] + w[PIECE_CPU] + w[PIECE_MEMORY];
    t.parts = total(all ? &x->all : &x->teams.v[id - 1].sum);
    return t;
}

bool shared_rest(struct shared *x, size_t team, money part[PIECES])
{
    const struct team *t = find_team(x, x->rule->shares.v[team].team);
    struct given given = {0, 0};
    money share = share_of(x, team);

    if ((t && t->weighs) || share == 0)
        return false;
    for (int p = 0; p < PIECES; p++)
        part[p] = give(&given, share, x->all.piece[p], total(&x->all));
    return true;
}
