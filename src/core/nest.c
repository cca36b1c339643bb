/* nest: running sums per coarse row. Nothing of the parts is held. */
#include "gputab/core/nest.h"

#include <stdlib.h>

#include "gputab/base/intern.h"
#include "gputab/base/vec.h"

struct amount {
    money target;                  /* the coarse row, rounded */
    money exact;                   /* all parts */
    money before, given;           /* of the parts so far: exact, and rounded */
};

struct group {
    struct amount amounts[NEST_AMOUNTS];
    int64_t parts, taken;
};

struct nest {
    int digits[NEST_AMOUNTS];
    money unit[NEST_AMOUNTS];
    struct intern *keys;
    VEC(struct group) groups;      /* by id of their keys */
};

struct nest *nest_new(const int digits[NEST_AMOUNTS])
{
    struct nest *n = xcalloc(1, sizeof *n);

    for (int a = 0; a < NEST_AMOUNTS; a++) {
        n->digits[a] = digits[a];
        n->unit[a] = MONEY_ONE;
        for (int i = 0; i < digits[a]; i++)
            n->unit[a] /= 10;
    }
    n->keys = intern_new();
    return n;
}

void nest_free(struct nest *n)
{
    if (!n)
        return;
    intern_free(n->keys);
    vec_free(&n->groups);
    free(n);
}

static struct group *group_of(struct nest *n, struct span key)
{
    uint32_t id = intern_span(n->keys, key);

    while (n->groups.n <= id)
        vec_push(&n->groups, (struct group){.parts = 0});
    return &n->groups.v[id];
}

void nest_add(struct nest *n, struct span key, const money rounded[NEST_AMOUNTS])
{
    struct group *g = group_of(n, key);

    for (int a = 0; a < NEST_AMOUNTS; a++)
        g->amounts[a].target += rounded[a];
}

void nest_see(struct nest *n, struct span key, const money exact[NEST_AMOUNTS])
{
    struct group *g = group_of(n, key);

    for (int a = 0; a < NEST_AMOUNTS; a++)
        g->amounts[a].exact += exact[a];
    g->parts++;
}

/* The k-th of n equal shares of some units, all shares up to it together; half away from zero. */
static money share(money units, int64_t k, int64_t n)
{
    money size = units < 0 ? -units : units, part = (2 * size * k + n) / (2 * n);

    return units < 0 ? -part : part;
}

void nest_next(struct nest *n, struct span key, const money exact[NEST_AMOUNTS], money rounded[NEST_AMOUNTS])
{
    struct group *g = group_of(n, key);

    g->taken++;
    for (int a = 0; a < NEST_AMOUNTS; a++) {
        struct amount *x = &g->amounts[a];
        money off = (x->target - money_round(x->exact, n->digits[a])) / n->unit[a], now;

        x->before += exact[a];
        now = money_round(x->before, n->digits[a]) + share(off, g->taken, g->parts) * n->unit[a];
        rounded[a] = now - x->given;
        x->given = now;
    }
}
